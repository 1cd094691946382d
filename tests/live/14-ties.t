#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# TieMode says what Fair Tree makes of accounts that tie, and of users that tie with accounts.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

# X, Y and user5 beside them have equal shares and no usage: all three tie. A and D, without shares,
# come last.
live_start PriorityWeightAge=0 PriorityWeightFairshare=11000 \
	"PartitionName=off Nodes=ALL State=DOWN"
fathom_conf CalcPeriod=1
for account in X Y; do
	add_account $account root fairshare=5
done
add_user user1 X fairshare=1
add_user user2 X fairshare=0
add_user user3 Y fairshare=1
add_user user4 Y fairshare=0
add_user user5 root fairshare=5
sacctmgr -iQ modify account A D set fairshare=0 >/dev/null

users=(root:user5 x:user1 x:user2 y:user3 y:user4)
for user in "${users[@]}"; do
	submit "${user#*:}" --account="${user%:*}" --partition=off >/dev/null
done

# Eleven users in all, so the rank is 12 - 11 * factor; a job's weight is eleven thousand.
by_sshare ()
{
	local user

	for user in "${users[@]}"; do
		share_of "${user%:*}" "${user#*:}" FairShare
	done | awk '{ printf "%s%.0f", (NR > 1 ? " " : ""), 12 - 11 * $1 }'
}

by_priority ()
{
	squeue --noheader --sort=i --format=%Q |
		awk '{ printf "%s%d", (NR > 1 ? " " : ""), 12 - $1 / 1000 }'
}

by_fathom ()
{
	local user

	for user in "${users[@]}"; do
		fathom shares --all --parsable2 --noheader --output=Account,User,Rank |
			sed -n "s/^ *${user/:/|}|//p"
	done | paste -sd ' '
}

# ranks TEXT WANTED: of user5, X's two users and Y's two users
ranks ()
{
	reconfigure
	wait_for_pass
	is "$1" "$(by_sshare)" "$2"
	is "$1: so the priorities" "$(by_priority)" "$2"
	is "$1: so fathom shares" "$(by_fathom)" "$2"
}

ranks "tied accounts: by default, as documented, they merge and a user shares their best rank" \
	"1 1 4 1 4"
fathom_conf TieMode=slurm
ranks "tied accounts: TieMode=slurm: the second account's best has the rank of the first one's \
last" "1 1 3 3 5"
fathom_conf TieMode=flux
ranks "tied accounts: TieMode=flux: they merge and come behind the user" "1 2 4 2 4"
fathom_conf TieMode=documented
ranks "tied accounts: TieMode=documented is the default" "1 1 4 1 4"

# job_table SECOND: what a client is told that has the jobs as of that second
job_table ()
{
	"$FATHOM_BUILD/tests/live/job_table_since" "$1"
}

# for two seconds nothing has changed it, such as the scheduler after the reconfiguration
settled ()
{
	now=$(date +%s)
	sleep 2
	[[ $(job_table "$now") == unchanged ]]
}

wait_until settled
wait_for_pass && wait_for_pass
is "unchanged priorities: passes leave the job table as it is" "$(job_table "$now")" unchanged
scontrol fsdampeningfactor 2	# changes nothing under Fair Tree
wait_for_pass
is "unchanged priorities: so does a pass after a reconfigure" "$(job_table "$now")" unchanged
sacctmgr -iQ modify user user5 account=root set fairshare=0 >/dev/null
wait_for_pass
is "a changed one is told" "$(job_table "$now")" changed
