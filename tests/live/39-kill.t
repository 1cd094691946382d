#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# kill -9 of slurmctld at random instants, in passes, between passes, while it saves: no second of
# usage is lost or charged twice. FATHOM_ROUNDS=5 kills it 20 times. Tasks of an array are suspended
# and resumed, a job is requeued, and jobs of user2 come and go meanwhile; slurmctld itself loses
# some of them.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

kills=$((4 * ${FATHOM_ROUNDS:-1}))
RANDOM=11
wrong=0 worst=0

# note USED WANTED: of CPU seconds
note ()
{
	local off=$(($1 - $2))

	((off == 0)) || ((++wrong))
	((${off#-} <= worst)) || worst=${off#-}
}

# used_by_array: suspended time is charged, too
used_by_array ()
{
	local task sum=0

	for task in 1 2 3; do
		sum=$((sum + 2 * $(seconds_run "${array}_$task")))
	done
	echo "$sum"
}

# disturb: suspends or resumes a task, or requeues the job of user5
disturb ()
{
	local task=${array}_$((RANDOM % 3 + 1))

	scontrol "$(job_is "$task" SUSPENDED && echo resume || echo suspend)" "$task"
	((RANDOM % 4)) || ! job_is "$again" RUNNING || {
		scontrol requeue "$again"
		wait_for_job "$again" PENDING && jobs_saved && pass_now
		before=$(usage_of user5)
	}
}

# used_again: what the job of user5 has used since it was requeued, and before
used_again ()
{
	local run=0

	! job_is "$again" RUNNING || run=$(seconds_run "$again")
	echo $((before + 3 * run))
}

# look: what each has used, and must have used
look ()
{
	echo "$(usage_of user1) $((4 * $(seconds_run "$long")))"
	echo "$(usage_of user3) $used"
	echo "$(usage_of user4) $(used_by_array)"
	echo "$(usage_of user5) $(used_again)"
}

# note_all: looks once no pass runs for an hour
note_all ()
{
	local got wanted

	calc_period 3600
	while read -r got wanted; do
		note "$got" "$wanted"
	done < <(look)
	calc_period 1
}

usage_start
calc_period 1
run_two
array=$(submit user4 --ntasks=2 --array=1-3)
again=$(submit user5 --ntasks=3 --requeue) before=0
for job in "${array}_3" "$again"; do
	wait_for_job "$job" RUNNING
done
jobs_saved
for ((i = 0; i < kills; i++)); do
	submit user2 --ntasks=2 --wrap "sleep $((RANDOM % 3))" >/dev/null
	disturb
	sleep "$((RANDOM % 3)).$((RANDOM % 1000 + 1000))"
	controller_kill
	controller_start
	note_all
done
echo "# $kills times killed: $wrong times other usage than what ran, by $worst CPU seconds at most"
is "kill -9 at random instants: what runs and what has run is charged once" "$wrong" 0
scancel "$long"
wait_for_job "$long" CANCELLED
calc_period 3600
pass_now
is "and so it is in the end" "$(usage_of user1)" $((4 * $(seconds_run "$long")))
