#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What a job is charged: billing and each TRES, wall time, the running minutes left, to whom and how
# often.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

usage_start
sacctmgr -iQ add qos double,partition UsageFactor=2 >/dev/null
sacctmgr -iQ modify qos partition set UsageFactor=5 >/dev/null
sacctmgr -iQ modify user user1 set qos+=double >/dev/null
slurm_conf "PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE QOS=partition \
TRESBillingWeights=CPU=3,Node=7"
controller_restart

# of 10 minutes with 60 CPUs at a usage factor of 2: 1200 CPU minutes, 120 a minute less. A later
# QOS has them for each account and user, too; the only ones here are the job's.
running_minutes ()
{
	echo "$(used_by_user user1 GrpTRESRunMins cpu) $(used_by_account root GrpTRESRunMins cpu)" \
		"$(used_by_qos double GrpTRESRunMins cpu) $(used_by_qos partition GrpTRESRunMins \
		cpu)"
	! slurm_since 24.05 ||
		echo "$(used_by_qos double MaxTRESRunMinsPA cpu) $(used_by_qos double \
			MaxTRESRunMinsPU cpu)"
}

everywhere ()
{
	echo "$1 $1 $1 $1"
	! slurm_since 24.05 || echo "$1 $1"
}

job=$(submit user1 --ntasks=60 --time=10 --qos=double)
wait_for_job "$job" RUNNING
sleep 3 && pass_now
ran=$(seconds_run "$job")
usage=$((2 * (60 * 3 + 7) * ran))
wall=$(awk -v s="$ran" 'BEGIN { printf "%.2f", 2 * s / 60 }')
is "billing times the job's usage factor" "$(usage_of user1)" $usage
is "and so every account above" \
	"$(usage_of_account b) $(usage_of_account a) $(share_of root '' RawUsage)" \
	"$usage $usage $usage"
is "the job's QOS has the same" "$(used_by_qos double UsageRaw)" $usage
is "the partition's QOS too, by the job's factor" "$(used_by_qos partition UsageRaw)" $usage
is "each TRES, in minutes" \
	"$(used_by_user user1 GrpTRESMins cpu) $(used_by_qos partition GrpTRESMins cpu)" \
	"$((2 * ran)) $((2 * ran))"
like "sshare shows them" "$(share_of b user1 GrpTRESRaw)" \
	"cpu=$((2 * ran)),.*billing=$((usage / 60)),"
is "group wall time" \
	"$(used_by_user user1 GrpWall) $(used_by_qos double GrpWall) $(used_by_qos partition \
	GrpWall)" \
	"$wall $wall $wall"
is "running minutes go down" "$(running_minutes)" "$(everywhere $((1200 - 2 * ran)))"

plain=$(submit user4 --ntasks=4 --time=10)
wait_for_job "$plain" RUNNING
sleep 1 && pass_now
scontrol update jobid="$plain" timelimit=5
pass_now
is "with a shorter time limit" "$(used_by_user user4 GrpTRESRunMins billing)" \
	$(((300 - $(seconds_run "$plain")) * 19 / 60))
scancel "$plain" && wait_for_job "$plain" CANCELLED
is "and at the end" "$(used_by_user user4 GrpTRESRunMins billing)" 0
reconfigure && pass_now
is "after reconfigure" "$(running_minutes)" "$(everywhere $((1200 - 2 * $(seconds_run "$job"))))"
controller_restart && pass_now
is "after a restart" "$(running_minutes)" "$(everywhere $((1200 - 2 * $(seconds_run "$job"))))"
is "nothing was charged twice" "$(usage_of user1)" $((2 * 187 * $(seconds_run "$job")))
controller_kill && controller_start && pass_now
is "after kill -9" "$(running_minutes)" "$(everywhere $((1200 - 2 * $(seconds_run "$job"))))"

scontrol requeue "$job" && wait_for_job "$job" PENDING
is "none are left when it is requeued" "$(running_minutes)" "$(everywhere 0)"
may_run_again "$job"
wait_until runs_again "$job"
sleep 2 && pass_now
is "when it runs again" "$(running_minutes)" "$(everywhere $((1200 - 2 * $(seconds_run "$job"))))"
scancel "$job" && wait_for_job "$job" CANCELLED
is "none are left at its end" "$(running_minutes)" "$(everywhere 0)"
pass_now
is "nor after the next pass" "$(running_minutes)" "$(everywhere 0)"

### Wall time is no whole number at a UsageFactor of 0.9

sacctmgr -iQ add qos most UsageFactor=0.9 >/dev/null
sacctmgr -iQ modify user user2 set qos+=most >/dev/null
short=$(submit user2 --qos=most --wrap 'sleep 1')
wait_for_job "$short" COMPLETED && pass_now
wall=$(awk -v s="$(seconds_run "$short")" 'BEGIN { printf "%.2f", .9 * s / 60 }')
controller_restart && pass_now
is "crash: wall time keeps its fraction of a second over a restart" \
	"$(used_by_user user2 GrpWall)" "$wall"
controller_kill && controller_start && pass_now
is "crash: and over a kill -9" "$(used_by_user user2 GrpWall)" "$wall"
is "slurmctld logs no error" "$(controller_errors)" ""
