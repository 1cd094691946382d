#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A queue with user shares of its own beside a queue that is first come, first served: one
# scheduling cycle starts the jobs that LSF would dispatch one by one.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

live_start PriorityWeightAge=0 PriorityWeightFairshare=100000 \
	"NodeName=localhost CPUs=15 RealMemory=64000 State=UNKNOWN" \
	"PartitionName=any Nodes=localhost State=DOWN MaxTime=INFINITE DefaultTime=60 \
PriorityJobFactor=9" \
	"PartitionName=short Nodes=localhost State=DOWN MaxTime=INFINITE DefaultTime=60 \
PriorityJobFactor=5"

# use SHARES [GROUP...]: gives short these user shares and fathom.conf these lines
use ()
{
	local shares=$1

	shift
	rm -f "$cluster/fathom.conf"
	fathom_conf Policy=fcfs CalcPeriod=600 FiguresFile=fathom.json
	printf '%s\n' "Scope=short Partitions=short Policy=lsf UserShares=\"$shares\"" "$@" \
		>>"$cluster/fathom.conf"
	reconfigure_once
}

# jobs PARTITION CPUS USER...: a job of each user
jobs ()
{
	local partition=$1 cpus=$2 user

	shift 2
	for user; do
		submit "$user" --partition="$partition" --ntasks="$cpus" --wrap 'sleep 600'
	done
}

# queue: jobs in the order of their priorities
queue ()
{
	squeue --noheader --state=PENDING --format='%Q %i' | sort -k 1,1rn -k 2,2n |
		awk '{ print $2 }' | paste -sd ' '
}

placed ()
{
	[[ $(squeue --noheader --state=PENDING --format=%Q | sort | uniq -d | wc -l) == 0 ]]
}

running ()
{
	(($(squeue --noheader --state=RUNNING | wc -l) >= $1))
}

use "[user1, 3] [lab, 4] [others, 2]" \
	"UserGroup=lab Members=\"user2 user3\" UserShares=\"[user2, 3] [user3, 1]\"" \
	"UserGroup=unused Members=all"
# the accounts of these users are b, c, c, e, f; none of them counts
declare -A leaf=([user1]=root:user1 [user2]=lab:user2 [user3]=lab:user3 [user4]=root:others
	[user5]=root:others)
short=() fair=() any=()
for ((i = 0; i < 6; i++)); do
	for user in user5 user4 user3 user2 user1; do
		cpus=$((1 + i % 2))
		job=$(jobs short $cpus $user)
		short+=("$job:$user:$cpus")
		fair+=("$job:${leaf[$user]}:$cpus")
	done
done
for user in user3 user1; do
	any+=("$(jobs any 1 $user)")
done
ok "within seconds each of 32 jobs has a place of its own" wait_until placed
expected=$(fathom shares --scope short -Pn -o Account,User,RawShares |
	"$live_top/tests/live/dispatch.py" "${fair[@]}" | paste -sd ' ')
is "the queue of higher priority first, as jobs came; then that of dispatching one by one" \
	"$(queue)" "${any[*]} $expected"
is "fathom shows the tree and all groups" \
	"$(LC_ALL=C fathom shares --scope short -o Account,User,RawShares | sed 's/ *$//')" \
'Scope: short
Partitions: short
Kind: queue
UserShares: [user1, 3] [lab, 4] [others, 2]
UserGroup: lab
  Members: user2 user3
  UserShares: [user2, 3] [user3, 1]
UserGroup: unused
  Members: all

Account User   RawShares
root
|-root  user1          3
|-lab                  4
| |-lab user2          3
| `-lab user3          1
`-root  others         2'
scontrol update PartitionName=any State=UP
scontrol update PartitionName=short State=UP
wait_until running 8
is "in one cycle the first of them start, up to 15 CPUs" \
	"$(squeue --noheader --state=RUNNING --format=%i | sort -n | paste -sd ' ')" \
	"$({
		printf '%s\n' "${any[@]}"
		used=2
		for job in $expected; do
			cpus=$(printf '%s\n' "${short[@]}" | sed -n "s/^$job:.*://p")
			((used += cpus)) && ((used > 15)) && break
			echo "$job"
		done
	} | sort -n | paste -sd ' ')"

### Who has no shares, and the account that names a group

scontrol update PartitionName=any State=DOWN
scontrol update PartitionName=short State=DOWN
scancel --state=PENDING
scancel --state=RUNNING
use "[user1, 9] [c, 1] [user4, 2]" "UserGroup=c Members=\"user2 user3\""
first=$(jobs short 1 user5)
second=$(jobs short 1 user3)
third=$(jobs short 1 user1)
ok "jobs are placed" wait_until placed
is "by their shares, the one without them last" "$(queue)" "$third $second $first"
is "and with priority 1" "$(priority_of "$first")" 1
use "[c, 3] [user1, 1] [others, 2]" "UserGroup=c Members=\"user2 user3\""
is "with other shares others are before" "$(queue)" "$second $first $third"
echo 'UserGroup=d Members=d' >>"$cluster/fathom.conf"
reconfigure
ok "a group in a circle is told, with its line" wait_until \
	controller_said "fathom.conf:[0-9]*: Members: group 'd' is in a circle"
is "and changes nothing" "$(queue)" "$second $first $third"

### The comment that names a group, as bsub -G

# reasons JOB...: as squeue has them
reasons ()
{
	local job

	for job; do
		squeue --noheader --jobs="$job" --format=%r
	done | paste -sd '|'
}

# explained JOB
explained ()
{
	fathom explain "$1" | tr '\n' ' '
}

groups=("UserGroup=lab Members=\"user1 user3\"" "UserGroup=two Members=\"user1 lab\"")
scancel --state=PENDING
use "[user1, 9] [lab, 1] [user2, 2]" "${groups[@]}"
first=$(submit user1 --partition=short --comment="for ann fairshare=lab")
second=$(jobs short 1 user1)
third=$(jobs short 1 user2)
ok "jobs are placed" wait_until placed
is "the job counts in the group that it names" "$(queue)" "$second $third $first"
as_user user1 scontrol update JobId="$first" Comment="fairshare=two"
reconfigure_once
is "if it names a wrong one, where its user is best" "$(queue)" "$first $second $third"
like "explain says why" "$(explained "$first")" \
	"A word of its comment does not count: fairshare= is wrong: group 'two' has subgroups"
as_user user1 scontrol update JobId="$first" Comment="fairshare=user1"
like "a user is no group" "$(explained "$first")" "wrong: 'user1' is not a group\\."
as_user user1 scontrol update JobId="$first" Comment="fairshare=lab"
reconfigure_once
is "the comment is read again" "$(queue)" "$second $third $first"
like "nothing is wrong then" "$(explained "$first" | grep -c 'does not count')" 0
sed -i 's/^Policy=fcfs/& WithoutShares=hold/' "$cluster/fathom.conf"
reconfigure_once
wrong=$(submit user2 --partition=short --comment="fairshare=lab")
checked ()
{
	[[ $(reasons "$wrong") == "fathom: fairshare= names a group without the user" ]]
}
ok "WithoutShares=hold holds a job with a wrong group" wait_until checked
is "but not one with a right one" "$(($(priority_of "$first") > 0))" 1
like "explain has the reason" "$(explained "$wrong")" \
	"held by fathom until this changes: fairshare= names a group without the user\\."
as_user user2 scontrol update JobId="$wrong" Comment=none
reconfigure_once
is "and it is lifted when the comment is right" "$(queue)" "$second $third $first $wrong"

### Tasks of an array count where it was placed, each with an id of its own

two_places ()
{
	[[ $(squeue --noheader --state=PENDING --format=%Q | sort -n | paste -sd ' ') == \
		"50000 100000" ]]
}

# have_run: all four for two seconds, so that the next pass charges them
have_run ()
{
	(($(squeue --noheader --state=RUNNING --format=%M | grep -cv '^0:0[01]$') == 4))
}

scancel --state=PENDING
use "[user1, 120] [g, 200] [user2, 22]" "UserGroup=g Members=\"user1 user3\""
large=$(jobs short 7 user1)
array=$(submit user1 --partition=short --array=1-3)
ok "a job has the first place, by the group, and an array the second, by its user" \
	wait_until two_places
scontrol update PartitionName=short State=UP
ok "all of them run" wait_until have_run
scontrol update PartitionName=short State=DOWN
second=$(jobs short 1 user2)
third=$(jobs short 1 user3)
reconfigure_once
is "the group has 200/24, more than user2's 22/3; with the array it would have 200/33" \
	"$(queue)" "$third $second"
is "one job and three tasks run" \
	"$(squeue --noheader --state=RUNNING --format=%i | sort | paste -sd ' ')" \
	"$(printf '%s\n' "$large" "${array}_1" "${array}_2" "${array}_3" | sort | paste -sd ' ')"
