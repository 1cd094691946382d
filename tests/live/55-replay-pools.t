#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A slot pool of two partitions in the cluster and in fathom replay of what sacct tells of the jobs:
# the order of priorities, what each partition has of a full machine, and the order of starts.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"
# shellcheck source=tests/live/replayed.sh
. "$(dirname "$0")/replayed.sh"

half_life=60
keys="Nodes=localhost State=UP MaxTime=INFINITE DefaultTime=1 TRESBillingWeights=CPU=1000"
live_start PriorityDecayHalfLife=$((half_life / 60)) \
	PriorityWeightAge=0 PriorityWeightFairshare=100000 \
	SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1 \
	"NodeName=localhost CPUs=15 RealMemory=64000 State=UNKNOWN" \
	"PartitionName=day $keys" "PartitionName=night $keys"
printf 'SlotPool=all Partition=%s SlotShare=%s\n' day 60 night 40 >>"$cluster/fathom.conf"
fathom_conf Policy=fair-tree
calc_period 3600			# passes are those of pass_now
usage_begin=$(date +%FT%T)
fathom snapshot --out "$cluster/site.json"

# jobs PARTITION USER COUNT CPUS SECONDS: submits so many
jobs ()
{
	local i

	for ((i = 0; i < $3; i++)); do
		submit "$2" --partition="$1" --ntasks="$4" --wrap "sleep $5"
	done
}

### Users who have used different amounts, then a machine that is full of day

jobs day user1 1 4 3 >/dev/null
jobs night user3 1 6 1 >/dev/null
wait_until no_jobs
hold_machine user2 --partition=day --ntasks=15
for round in 1 2 3 4; do
	jobs day user1 1 1 1; jobs day user3 2 1 2; jobs night user2 1 1 2
	jobs night user5 2 1 1; jobs day user5 1 1 1; jobs night user1 1 1 1
done >"$cluster/queue"

### The second of two passes sees that day has used the machine

sleep 4
pass_now
pass=$(pass_time)
period=$((pass - $(first_submit)))
sleep $((pass + period - $(date +%s)))
pass_now
pending_by_priority >"$cluster/priorities"
is "a queue stands" "$(sort "$cluster/priorities" | paste -sd ' ')" \
	"$(sort "$cluster/queue" | paste -sd ' ')"
release_machine
ok "sacct has all jobs" wait_until save_trace 35 Partition

### Order

fathom replay "$cluster/trace" --cpus 15 --from "$cluster/site.json" \
	--half-life $half_life --calc-period $period --schedule "$cluster/schedule" >/dev/null
last_end=$(cut -d , -f 7 "$cluster/schedule" | sort -n | tail -n 1)
ok "all jobs of the replay come before a third pass" test "${last_end%.*}" -lt $((3 * period))
cut -d , -f 1 "$cluster/schedule" | grep -xFf "$cluster/queue" >"$cluster/order"
is "jobs start in the order that slurmctld's priorities have" "$(paste -sd ' ' "$cluster/order")" \
	"$(paste -sd ' ' "$cluster/priorities")"
# first: how many of the first 15 jobs in the order of a file are of each partition
first ()
{
	local job

	head -n 15 "$1" | while read -r job; do
		awk -F '|' -v job="$job" '$1 == job { print $11 }' "$cluster/trace"
	done | sort | uniq -c | awk '{ print $2 "=" $1 }' | paste -sd ' '
}
# Of 15 CPUs night got 6 and day 9, but day held 15, 6/60 more. So night goes first, until she is as
# far above at 10; then again, as she has used less, and day twice, night and day.
is "the first of them fill the machine by the shares" "$(first "$cluster/order")" "day=3 night=12"
ok "slurmctld has started none before one that goes first" \
	sort --check <(starts "$cluster/order")
