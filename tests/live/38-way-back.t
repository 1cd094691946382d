#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Back to multifactor in the middle of a period, and forward again: what runs is charged on, each
# second once. multifactor goes on from slurmctld's last dump of usage, which no pass is near. The
# policy is pbs, whose sums multifactor does not know; here they are CPU seconds, as usage is.
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

# part_of USER: what the policy sees, as a part of what all have used
part_of ()
{
	sshare --all --parsable2 --noheader --format=User,NormUsage |
		awk -F '|' -v user="$1" '$1 == user { sum += $2 } END { print sum }'
}

# sums_are_usage NAME: sums have what usage has
sums_are_usage ()
{
	local all part user

	all=$(usage_of_account root)
	for user in user1 user2 user5; do
		part=$(awk -v u="$(usage_of "$user")" -v all="$all" 'BEGIN { print u / all }')
		near "$1: $user has the same part of sums and of usage" "$(part_of "$user")" \
			"$part" 1e-4
	done
}

# back_and_forth NAME END: multifactor takes over after END, and fathom again
back_and_forth ()
{
	local began ended

	pass_now && sleep 5 && "$2" || return
	slurm_conf PriorityType=priority/multifactor
	began=$(date +%s)
	controller_start && wait_until multifactor_passed
	each_second_once "$1, back to multifactor" "$(stock_time)"
	ended=$(submit user5 --ntasks=2 --wrap 'sleep 1')
	wait_for_job "$ended" COMPLETED
	controller_stop
	slurm_conf PriorityType=priority/fathom
	controller_start && pass_now
	each_second_once "$1, forward again" "$(pass_time)"
	sums_are_usage "$1, forward again"
}

stop_by_scontrol ()
{
	scontrol shutdown slurmctld && wait_until controller_is_gone && controller_stop
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
	reconfigure && wait_until dumped && sleep 3 && controller_kill
}

kill_long_after_a_dump ()
{
	kill_after_a_dump && controller_start && pass_now && sleep 3 && pass_now && controller_kill
}

usage_start
fathom_conf Policy=pbs FairshareDecayTime=10000-0 FairshareDecayFactor=0.999999999
pass_now
short=$(submit user1 --ntasks=2 --wrap 'sleep 2')
wait_for_job "$short" COMPLETED
long=$(submit user2 --ntasks=3)
wait_for_job "$long" RUNNING
back_and_forth "SIGTERM" controller_stop
back_and_forth "scontrol shutdown" stop_by_scontrol
back_and_forth "kill -9 after a dump" kill_after_a_dump
back_and_forth "kill -9 two passes after a dump" kill_long_after_a_dump
cancel_all
