#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The same jobs in the cluster and in fathom replay of what sacct tells of them: usage, the order of
# priorities, and the order of starts.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"
# shellcheck source=tests/live/replayed.sh
. "$(dirname "$0")/replayed.sh"

# A large weight gives sshare's whole numbers six digits. slurmctld starts jobs that end soon, too.
half_life=600	# long against what a slow machine delays
live_start PriorityDecayHalfLife=$((half_life / 60)) \
	SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1 \
	"PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=1 \
TRESBillingWeights=CPU=1000"
calc_period 3600			# passes are those of pass_now
usage_begin=$(date +%FT%T)
fathom snapshot --out "$cluster/site.json"

# jobs USER COUNT CPUS SECONDS: submits so many
jobs ()
{
	local i

	for ((i = 0; i < $2; i++)); do
		submit "$1" --ntasks="$3" --wrap "sleep $4"
	done
}

### Jobs of all sizes, then a pass, then jobs of one size behind one that fills the machine

for round in 1 2; do
	jobs user1 2 16 1; jobs user2 2 32 1; jobs user3 1 8 2
	jobs user4 3 16 2; jobs user5 5 16 1; jobs user1 2 64 1
done >"$cluster/first"
wait_until no_jobs
# the replay may start these jobs in another order, and so end a few seconds later
sleep 6
pass_now
pass=$(pass_time)
hold_machine user2 --ntasks=64
for round in 1 2 3; do
	jobs user5 1 16 1; jobs user3 2 16 1; jobs user1 1 16 2; jobs user4 1 16 1
done >"$cluster/second"
jobs user2 4 16 1 >>"$cluster/second"
pending_by_priority >"$cluster/priorities"
is "a queue stands" "$(sort "$cluster/priorities" | paste -sd ' ')" \
	"$(sort "$cluster/second" | paste -sd ' ')"
release_machine
ok "sacct has all jobs" wait_until save_trace 50 AllocTRES
pass_now

### Usage

# replay OPTION...
replay ()
{
	fathom replay "$cluster/trace" --cpus 64 --from "$cluster/site.json" "$@"
}

# replayed USER: usage in users.csv of the replay, which has decayed until slurmctld's last pass
replayed ()
{
	awk -F , -v user="$1" -v seconds=$(($(pass_time) - last_end)) -v half_life="$2" \
		'$2 == user { print $12 * (half_life ? 2 ^ (-seconds / half_life) : 1) }' \
		"$cluster/replayed/users.csv"
}

last_end=$(date -d "$(cut -d '|' -f 7 "$cluster/trace" | sed 1d | sort | tail -n 1)" +%s)
mkdir "$cluster/replayed"
replay --scheduler trace --half-life $half_life --out "$cluster/replayed" >/dev/null
for user in "${cluster_users[@]}"; do
	near "usage of $user is that of slurmctld" "$(replayed "$user" $half_life)" \
		"$(usage_of "$user")" 1e-5
done
replay --scheduler trace --half-life 0 --out "$cluster/replayed" >/dev/null
for user in "${cluster_users[@]}"; do
	is "without decay usage of $user is that of slurmdbd, to the second" \
		"$(replayed "$user" 0)" "$(($(in_database "$user") * 1000))"
done

### Order

# In the replay the second pass is when slurmctld's was, and the third one after all jobs.
period=$((pass - $(first_submit)))
ok "all jobs come before a third pass" test "$last_end" -lt $((pass + period))
replay --half-life $half_life --calc-period $period \
	--schedule "$cluster/schedule" >"$cluster/figures"
cut -d , -f 1 "$cluster/schedule" | grep -xFf "$cluster/second" >"$cluster/order"
is "jobs start in the order that slurmctld's priorities have" "$(paste -sd ' ' "$cluster/order")" \
	"$(paste -sd ' ' "$cluster/priorities")"
ok "slurmctld has started none before one that goes first" \
	sort --check <(starts "$cluster/order")
