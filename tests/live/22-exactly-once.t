#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Each second of each job is charged once, with and without limits: slurmdbd's records are the
# measure.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

charged_as_recorded ()
{
	[[ $(usage_of_account root) == "$(in_database)" ]]
}

# No pass runs between a job's start and end but those asked for.
for enforce in associations associations,limits,qos; do
	usage_start AccountingStorageEnforce=$enforce MinJobAge=4
	short=$(submit user1 --ntasks=3 --wrap 'sleep 1')
	array=$(submit user2 --ntasks=2 --array=1-3%2 --wrap 'sleep 1')
	wait_for_job "$short" COMPLETED
	wait_until no_jobs
	wait_until all_recorded
	ok "no limits: jobs between two passes, arrays ($enforce)" wait_until charged_as_recorded
	is "each task of array $array" "$(usage_of user1) $(usage_of user2)" \
		"$(in_database user1) $(in_database user2)"
	ok "there is something to charge" test "$(usage_of user2)" -ge 6
	like "no limits: TRES usage is kept all the same ($enforce)" \
		"$(share_of c user2 GrpTRESRaw)" "^cpu=$(($(usage_of user2) / 60)),"

	job=$(submit user3 --ntasks=4)
	wait_for_job "$job" RUNNING
	sleep 3
	scontrol requeue "$job"
	wait_for_job "$job" PENDING
	sleep 3				# waiting is free
	wait_until runs_again "$job"
	pass_now
	sleep 2
	scancel "$job" && wait_until no_jobs
	wait_until all_recorded
	ok "both runs of a requeued job" wait_until charged_as_recorded
	pass_now
	is "a pass adds nothing" "$(usage_of_account root)" "$(in_database)"
	near "to the second" "$(usage_of_account root)" "$(in_database)" 0
	is "slurmctld logs no error" "$(controller_errors)" ""
done

### A requeued job may run elsewhere

usage_start "PartitionName=dear Nodes=ALL MaxTime=INFINITE TRESBillingWeights=CPU=5"
job=$(submit user4 --ntasks=4)
wait_for_job "$job" RUNNING
sleep 2
scontrol requeue "$job"
may_run_again "$job"
scontrol update JobId="$job" Partition=dear
wait_until runs_again "$job"
sleep 2
scancel "$job" && wait_until no_jobs
wait_until all_recorded
pass_now
read -r first second < <(runs_of "$job")
is "billing rate: that of each run" "$(usage_of user4)" $((4 * first + 20 * second))

### Until the nodes are clean, which takes the epilog's time, a requeued job runs no more

printf '%s\n' '#!/bin/sh' 'sleep 3' >"$cluster/epilog"
chmod +x "$cluster/epilog"
usage_start AccountingStorageEnforce=associations Epilog="$cluster/epilog"
job=$(submit user1 --ntasks=4)
wait_for_job "$job" RUNNING
pass_now
sleep 1
scontrol requeue "$job"
wait_for_job "$job" PENDING
pass_now
wait_until all_recorded
is "a requeued job is charged up to the requeue" "$(usage_of user1)" "$(in_database user1)"
ok "there is something to charge" has_usage user1

### Jobs that end while a pass is under way: the site's plugin makes it last

usage_start PrioritySiteFactorPlugin=site_factor/example PrioritySiteFactorParameters=1500
calc_period 1
for seconds in 1 2 3 4 5; do
	submit user5 --ntasks=2 --wrap "sleep $seconds" >/dev/null
done
wait_until no_jobs
wait_until all_recorded
pass_now
is "end during a pass: each second is charged once" "$(usage_of user5)" "$(in_database user5)"
ok "there is something to charge" test "$(usage_of user5)" -ge 20
is "end during a pass: no running minutes are left" "$(used_by_account root GrpTRESRunMins cpu)" 0
is "slurmctld logs no error" "$(controller_errors | grep -v 'took too long')" ""
