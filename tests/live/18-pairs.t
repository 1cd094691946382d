#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A job that names several QOS, which it can from 24.11 on, has a priority for each pair of
# partition and QOS.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

live_start PriorityWeightFairshare=0 PriorityWeightAge=0 PriorityWeightPartition=1000 \
	PriorityWeightQOS=40000 \
	"PartitionName=low Nodes=ALL State=DOWN PriorityJobFactor=10" \
	"PartitionName=top Nodes=ALL State=DOWN PriorityJobFactor=40 PriorityTier=3"
if ! slurm_since 24.11; then
	live_skip "each pair has a priority" "a job has one QOS"
	exit
fi
sacctmgr -iQ add qos slow priority=10 >/dev/null
sacctmgr -iQ add qos fast priority=40 >/dev/null
sacctmgr -iQ modify user user1 set qos+=slow,fast >/dev/null

# rows JOB: sprio's, one a pair; scheduler_has JOB: what the last pass gave it, likewise
rows ()
{
	sprio --noheader --jobs="$1" --format='%.9r %.9n %.10Y' | awk '{ print $1, $2, $3 }' | sort
}

scheduler_has ()
{
	sed -n "s/.*JobId=$1 in partition \([^ ]*\) with QOS \([^ ]*\): \([0-9]*\)$/\1 \2 \3/p" \
		"$cluster/log/slurmctld.log" |
		tail -n "$2" | sort
}

pairs=$(submit user1 --partition=low,top --qos=slow,fast)
wait_for_pass
four=$'low fast 40250\nlow slow 10250\ntop fast 41000\ntop slow 11000'
is "a row for each pair" "$(rows "$pairs")" "$four"
is "which is what the scheduler has" "$(scheduler_has "$pairs" 4)" "$four"
is "squeue shows the partitions" \
	"$(squeue --noheader --priority --jobs="$pairs" --format=%P | sort | tr -d ' \n')" "lowtop"

one=$(submit user1 --partition=low --qos=slow,fast)
wait_for_pass
is "with one partition a row for each QOS" "$(rows "$one")" $'low fast 40250\nlow slow 10250'

scontrol update jobid="$pairs" Partition=low
scontrol update jobid="$one" QOS=fast
wait_for_pass
is "with a partition less" "$(rows "$pairs")" $'low fast 40250\nlow slow 10250'
is "the scheduler has as many" "$(scheduler_has "$pairs" 2)" $'low fast 40250\nlow slow 10250'
is "with one QOS left" "$(rows "$one")" "low fast 40250"

array=$(submit user1 --array=1-3 --partition=low,top --qos=slow,fast)
scontrol update jobid="${array}_2" Nice=50
wait_for_pass
is "a task split off its array has them all" "$(rows "$(job_field "${array}_2" JobId)")" \
	$'low fast 40200\nlow slow 10200\ntop fast 40950\ntop slow 10950'
scontrol update PartitionName=top PriorityJobFactor=20
wait_for_pass
is "a changed partition counts" "$(rows "$(job_field "${array}_2" JobId)")" \
	$'low fast 40450\nlow slow 10450\ntop fast 40950\ntop slow 10950'
scancel "$pairs" "$one" "$array"

# the scheduler takes each pair's priority by its number: this one is before the rival by the right
# one alone
pairs=$(submit user1 --partition=low,top --qos=slow,fast --ntasks=64)
rival=$(submit user2 --partition=low --ntasks=64)
scontrol update jobid="$rival" Priority=20000
wait_for_pass
scontrol update PartitionName=low State=UP
ok "the job starts by the priority of its best pair" wait_for_job "$pairs" RUNNING
is "with its QOS" "$(job_field "$pairs" QOS)" fast
ok "before one with a lower priority" job_is "$rival" PENDING
cancel_all
is "slurmctld logs no error" "$(controller_errors)" ""
