#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Back to multifactor in the middle of a period, and forward again: what runs is charged on, each
# second once. multifactor goes on from slurmctld's last dump of usage, which no pass is near.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

multifactor_passed ()
{
	(($(stock_time) >= began))
}

# each_second_once NAME UNTIL: of the job with three tasks, from its start until then
each_second_once ()
{
	local ran=$(($2 - $(second_of "$long" StartTime))) charged=$(($(usage_of user2) / 3))

	echo "# $1: of $ran s $((charged < ran ? ran - charged : 0)) s are not charged, \
$((charged > ran ? charged - ran : 0)) s twice"
	is "$1: each second is charged once" "$charged" "$ran"
}

# back_and_forth NAME END: multifactor takes over after END, and fathom again
back_and_forth ()
{
	local began

	pass_now && sleep 5 && "$2" || return
	slurm_conf PriorityType=priority/multifactor
	began=$(date +%s)
	controller_start && wait_until 20 multifactor_passed
	each_second_once "$1, back to multifactor" "$(stock_time)"
	sleep 2 && controller_stop
	slurm_conf PriorityType=priority/fathom
	controller_start && pass_now
	each_second_once "$1, forward again" "$(pass_time)"
}

stop_by_scontrol ()
{
	scontrol shutdown slurmctld && wait_until 20 controller_is_gone && controller_stop
}

controller_is_gone ()
{
	! daemon_alive slurmctld
}

dumped ()
{
	[[ $cluster/state/assoc_usage -nt $cluster/mark ]]
}

# Up to 23.02 a reconfigure dumps usage while the pass that it asks for may run; later ones end a
# slurmctld for it.
kill_after_a_dump ()
{
	touch "$cluster/mark"
	reconfigure && wait_until 20 dumped && sleep 3 && controller_kill
}

kill_long_after_a_dump ()
{
	kill_after_a_dump && controller_start && pass_now && sleep 3 && pass_now && controller_kill
}

usage_start
long=$(submit user2 --ntasks=3)
wait_for_job "$long" RUNNING
back_and_forth "SIGTERM" controller_stop
back_and_forth "scontrol shutdown" stop_by_scontrol
back_and_forth "kill -9 after a dump" kill_after_a_dump
back_and_forth "kill -9 two passes after a dump" kill_long_after_a_dump
cancel_all
