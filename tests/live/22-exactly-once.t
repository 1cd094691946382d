#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Each second of each job is charged once, with and without limits: slurmdbd's records are the measure.
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
	wait_until 60 no_jobs
	wait_until 20 all_recorded
	ok "jobs between two passes, arrays ($enforce)" wait_until 8 charged_as_recorded
	is "each task of array $array" "$(usage_of user1) $(usage_of user2)" \
		"$(in_database user1) $(in_database user2)"
	ok "there is something to charge" test "$(usage_of user2)" -ge 6

	job=$(submit user3 --ntasks=4)
	wait_for_job "$job" RUNNING
	sleep 3
	scontrol requeue "$job"
	wait_for_job "$job" PENDING
	sleep 3				# waiting is free
	wait_until 30 runs_again "$job"
	pass_now
	sleep 2
	scancel "$job" && wait_until 20 no_jobs
	wait_until 20 all_recorded
	ok "both runs of a requeued job" wait_until 8 charged_as_recorded
	pass_now
	is "a pass adds nothing" "$(usage_of_account root)" "$(in_database)"
	near "to the second" "$(usage_of_account root)" "$(in_database)" 0
	is "slurmctld logs no error" "$(controller_errors)" ""
done
