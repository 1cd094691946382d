#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the plugin tells slurmctld's log: the policy and where it came from, a job's factors, the
# steps of a pass.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

live_start PriorityFlags=DEPTH_OBLIVIOUS DebugFlags= PriorityWeightPartition=500 \
	"PartitionName=off Nodes=ALL State=DOWN PriorityJobFactor=1"
fathom_conf CalcPeriod=1
log=$cluster/log/slurmctld.log

# lines PATTERN: how often it was told since the last call of quiet
lines ()
{
	tail -n +"$line" "$log" | grep -cE -- "$1"
}

quiet ()
{
	line=$(($(wc -l <"$log") + 1))
}

# told PATTERN: scontrol does not wait until slurmctld has told its log
told ()
{
	(($(lines "$1") > 0))
}

line=1
is "one line at the start says the policy and its source" \
	"$(lines \
	'priority/fathom: policy depth-oblivious \(from PriorityFlags=DEPTH_OBLIVIOUS\)')" 1
for source in "PriorityFlags=NO_FAIR_TREE|classic|PriorityFlags=NO_FAIR_TREE" \
	"PriorityFlags=|fair-tree|Slurm's default"; do
	IFS='|' read -r setting policy from <<<"$source"
	quiet
	slurm_conf "$setting"
	reconfigure
	wait_until told "policy $policy \\(from $from\\)"
	is "a reconfigure says the new one, from $from" \
		"$(lines "policy $policy \\(from $from\\)")" 1
done
fathom_conf Policy=classic
quiet
reconfigure
wait_until told 'policy classic \(from fathom.conf\)'
is "fathom.conf is named where it decides" "$(lines 'policy classic \(from fathom.conf\)')" 1

job=$(submit user1 --partition=off --nice=7)
wait_for_pass
is "without DebugFlags=Priority no job is told of" "$(lines "priority/fathom: JobId=$job")" 0
is "without debug2 no step is timed" "$(lines 'took [0-9.]+ ms')" 0
scontrol setdebugflags +Priority
quiet
wait_for_pass
like "DebugFlags=Priority tells a job's factors, which add up" \
	"$(tail -n +"$line" "$log" | grep "JobId=$job" | tail -n 1)" \
	"age 0\\.[0-9]+ \\+ assoc 0\\.00 \\+ fairshare 100000\\.00 \\+ job size 0\\.00 \\+ \
partition 500\\.00 \\+ QOS 0\\.00 \\+ TRES 0\\.00 \\+ site 0 - nice 7 = 100493"
scontrol setdebugflags -Priority
scontrol setdebug debug2
wait_for_pass
quiet
wait_for_pass
for step in 'gathering running jobs' 'beginning with associations' 'writing usage and figures' \
	'publishing priorities' saving; do
	ok "debug2 times: $step" test "$(lines "debug2: .*$step took [0-9.]+ ms")" -gt 0
done
