#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Suspended time is charged, unless fathom.conf says ChargeSuspended=no.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

# CPU-seconds of the job until the last pass, pauses left out
seconds_active ()
{
	local since

	since=$(job_field "$1" SuspendTime)
	echo $(($(job_field "$1" SecsPreSuspend) +
		($(job_is "$1" SUSPENDED && echo 0 || echo 1) *
		($(pass_time) - $(date -d "$since" +%s)))))
}

usage_start
job=$(submit user1 --ntasks=2)
wait_for_job "$job" RUNNING
sleep 1 && scontrol suspend "$job"
sleep 2 && pass_now
is "suspended jobs are charged" "$(usage_of user1)" $((2 * $(seconds_run "$job")))
scontrol resume "$job"
sleep 1 && pass_now
is "and when it goes on" "$(usage_of user1)" $((2 * $(seconds_run "$job")))
scancel "$job" && wait_for_job "$job" CANCELLED
sacctmgr -iQ modify user user1 account=b set rawusage=0 >/dev/null

fathom_conf ChargeSuspended=no
pass_now
long=$(submit user1 --ntasks=2) short=$(submit user2 --ntasks=3)
stopped=$(submit user3 --ntasks=4) cancelled=$(submit user4 --ntasks=5)
wait_for_job "$cancelled" RUNNING && wait_for_job "$stopped" RUNNING
sleep 2
scontrol suspend "$long" && scontrol suspend "$stopped"
sleep 2 && pass_now
is "a pause is free" "$(usage_of user1)" $((2 * $(seconds_active "$long")))
scontrol suspend "$short" && scontrol suspend "$cancelled"
active=$(job_field "$cancelled" SecsPreSuspend)
sleep 2
scontrol resume "$short" && scancel "$cancelled"
sleep 1 && pass_now
is "a pause over several passes" "$(usage_of user1)" $((2 * $(seconds_active "$long")))
is "a pause between two passes" "$(usage_of user2)" $((3 * $(seconds_active "$short")))
is "a pause that goes on" "$(usage_of user3)" $((4 * $(seconds_active "$stopped")))
is "a job cancelled in its pause" "$(usage_of user4)" $((5 * active))

controller_restart
scontrol resume "$long"
sleep 2 && pass_now
is "a pause over a restart" "$(usage_of user1)" $((2 * $(seconds_active "$long")))
short=$(submit user5 --ntasks=6)
wait_for_job "$short" RUNNING
sleep 2
scontrol suspend "$short"
active=$(job_field "$short" SecsPreSuspend)
sleep 2
scancel "$short" && wait_for_job "$short" CANCELLED
pass_now
is "started, suspended and cancelled between two passes" "$(usage_of user5)" $((6 * active))

# the last pass before the controller dies has seen the pause; the job ends while it is down
job=$(submit user4 --ntasks=1 --wrap "$(until_go)")
wait_for_job "$job" RUNNING
before=$(usage_of user4)
scontrol suspend "$job" && sleep 4 && scontrol resume "$job"
jobs_saved
pass_now && controller_kill
touch "$cluster/go"
sleep 4 && controller_start
wait_for_job "$job" COMPLETED && pass_now
pause=$(($(seconds_run "$job") - $(sacct \
	--noheader --allocations --jobs="$job" --format=ElapsedRaw --starttime="$usage_begin")))
# slurmdbd may count a second of the pause more or less than slurmctld
near "a job that ends in the downtime after a pause" $(($(usage_of user4) - before)) \
	$(($(seconds_run "$job") - pause)) 0.09
cancel_all
is "slurmctld logs no error" "$(controller_errors)" ""
