#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom start in a running cluster: when twenty pending jobs start, and when slurmctld starts them.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

live_start PriorityWeightFairshare=100000 \
	SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1 \
	"PartitionName=all Nodes=ALL Default=YES MaxTime=60 DefaultTime=1" \
	"PartitionName=other Nodes=ALL MaxTime=60 State=DOWN"
calc_period 3600			# passes are those of pass_now

# Eight jobs fill the machine for a minute; others end after it, as their limits say.
jobs ()
{
	local i

	for ((i = 0; i < $2; i++)); do
		submit "$1" --ntasks=8 --time=1 --wrap "sleep 58"
	done
}

jobs user1 8 >/dev/null
ok "eight jobs run" wait_until are_running 8
pass_now
{ jobs user1 5; jobs user2 5; jobs user4 5; jobs user5 5; } >"$cluster/pending"
held=$(submit user3 --hold)
down=$(submit user3 --partition=other)

fathom start --json >"$cluster/predicted"
is "twenty starts are predicted" \
	"$(grep -c '^{"job_id": [0-9]*, "start": [0-9]' "$cluster/predicted")" 20
like "a held job" "$(fathom start "$held")" "^Job $held does not start, .*: it is held\.$"
like "a partition that is down" "$(fathom start "$down")" "its partition is not up"
last=$(sed -n 's/^{"job_id": \([0-9]*\), "start": [0-9].*/\1/p' "$cluster/predicted" | tail -n 1)
like "the last one in words" "$(fathom start "$last" | tr '\n' ' ')" \
	"^Job $last starts at 20.* [23] minutes.* from now, if jobs run as long as their time \
limits allow\.( slurmctld expects it to start at [^ ]*\.)? \
1[0-9] pending jobs start before it, the last of them job [0-9]*\. $"
is "of a snapshot the same order" "$(fathom snapshot | fathom start --from - -nP | cut -d '|' -f 1 |
	head -n 20 | paste -sd ' ')" \
	"$(grep -o '^{"job_id": [0-9]*' "$cluster/predicted" | cut -d ' ' -f 2 | head -n 20 |
		paste -sd ' ')"

# none_pend: of the twenty
none_pend ()
{
	! squeue -ht PENDING -o %i -j "$(paste -sd , "$cluster/pending")" 2>/dev/null | grep -q .
}

for ((tries = 0; tries < 200; tries++)); do
	! none_pend || break
	sleep 2
done
ok "they start" none_pend
# differences: of each job, predicted and real, in seconds
differences ()
{
	sed -n 's/^{"job_id": \([0-9]*\), "start": \([0-9]*\),.*/\1 \2/p' "$cluster/predicted" |
		while read -r job predicted; do
			echo $(($(date -d "$(squeue -h -t all -j "$job" -o %S)" +%s) - predicted))
		done
}
ok "each within a minute of its prediction" \
	test "$(differences | tr -d - | sort -n | tail -n 1)" -le 60
echo "# seconds from prediction to start: $(differences | sort -n | paste -sd ' ')"
