#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# kill -9 of slurmctld at random instants, in passes, between passes, while it saves: no second of
# usage is lost or charged twice. FATHOM_ROUNDS=5 kills it 20 times. Jobs of user2 come and go
# meanwhile; slurmctld itself loses some of them.
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

usage_start
calc_period 1
ended=$(submit user3 --ntasks=2 --wrap 'sleep 2')
wait_for_job "$ended" COMPLETED && pass_now
used=$((2 * $(seconds_run "$ended")))
long=$(submit user1 --ntasks=4)
wait_for_job "$long" RUNNING
jobs_saved
for ((i = 0; i < kills; i++)); do
	submit user2 --ntasks=2 --wrap "sleep $((RANDOM % 3))" >/dev/null
	sleep "$((RANDOM % 3)).$((RANDOM % 1000 + 1000))"
	controller_kill
	controller_start && pass_now
	note "$(usage_of user1)" $((4 * $(seconds_run "$long")))
	note "$(usage_of user3)" "$used"
done
echo "# $kills times killed: $wrong times other usage than what ran, by $worst CPU seconds at most"
is "kill -9 at random instants: what runs and what has run is charged once" "$wrong" 0
scancel "$long"
wait_for_job "$long" CANCELLED
calc_period 3600
pass_now
is "and so it is in the end" "$(usage_of user1)" $((4 * $(seconds_run "$long")))
