#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Policy lsf: one scheduling cycle of slurmctld starts the jobs that LSF would dispatch one by one.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

live_start PriorityWeightAge=0 PriorityWeightFairshare=100000 \
	"NodeName=localhost CPUs=15 RealMemory=64000 State=UNKNOWN" \
	"PartitionName=work Nodes=localhost State=DOWN MaxTime=INFINITE DefaultTime=60 Default=YES"
fathom_conf Policy=lsf CalcPeriod=600
add_account even root fairshare=1
for user in user2 user3 user4; do
	add_user $user even fairshare=1
done
reconfigure_once

# all USER...: ten jobs of each, one user after the other, of one CPU
all ()
{
	for user; do
		for ((i = 0; i < 10; i++)); do
			submit "$user" --account=even --partition=work --ntasks=1 \
				--wrap 'sleep 600' >/dev/null
		done
	done
}

# started: how many jobs of each user run
started ()
{
	squeue --noheader --state=RUNNING --format=%u | sort | uniq -c | awk '{ print $2 "=" $1 }' |
		paste -sd ' '
}

running ()
{
	(($(squeue --noheader --state=RUNNING | wc -l) >= $1))
}

# placed: whether no two jobs have one priority
placed ()
{
	[[ $(squeue --noheader --state=PENDING --format=%Q | sort | uniq -d | wc -l) == 0 ]]
}

all user2 user3 user4
ok "within seconds each job has a place of its own" wait_until placed
is "the users take turns" \
	"$(squeue --noheader --state=PENDING --format='%Q %u' | sort -rn | head -n 6 |
		awk '{ print $2 }' | paste -sd ' ')" "user2 user3 user4 user2 user3 user4"
is "fathom prio shows the places" \
	"$(fathom prio -nP -o Place,User -S Place | head -n 4 | paste -sd ' ')" \
	"1|user2 2|user3 3|user4 4|user2"
is "thirty of them" "$(fathom prio -nP -o Place -S Place | tail -n 1)" 30
is "and none of another policy" \
	"$(fathom prio --policy fair-tree -lP | head -n 1 | grep -c PLACE)" 0
scontrol update PartitionName=work State=UP
ok "15 CPUs are given away" wait_until running 15
is "five to each of three users with equal shares" "$(started)" "user2=5 user3=5 user4=5"
scancel --state=PENDING
scancel --state=RUNNING

### Queues of equal priority

live_start PriorityWeightAge=0 PriorityWeightFairshare=100000 \
	"PartitionName=a Nodes=ALL State=DOWN PriorityJobFactor=5" \
	"PartitionName=b Nodes=ALL State=DOWN PriorityJobFactor=5" \
	"PartitionName=c Nodes=ALL State=DOWN PriorityJobFactor=5"
# dispatched LINE...: the partitions of jobs submitted to C, B, A, B, A, in the order of their
# priorities, with these lines in fathom.conf
dispatched ()
{
	rm -f "$cluster/fathom.conf"
	fathom_conf Policy=fcfs CalcPeriod=600 "$@"
	reconfigure_once
	squeue --noheader --state=PENDING --format='%Q %P %i' | sort -k 1,1rn -k 3,3n |
		awk '{ print $2 }' | paste -sd ' '
}

for partition in c b a b a; do
	submit user1 --partition=$partition >/dev/null
done
is "none is fair-share: in the order of submission" "$(dispatched)" "c b a b a"
is "a and c are" "$(dispatched "Scope=a Partitions=a Policy=lsf" \
	"Scope=c Partitions=c Policy=lsf")" "a a b b c"
is "only b is" "$(dispatched "Scope=b Partitions=b Policy=lsf")" "c a a b b"
is "all are" "$(dispatched "Scope=a Partitions=a Policy=lsf" "Scope=b Partitions=b Policy=lsf" \
	"Scope=c Partitions=c Policy=lsf")" "a a b b c"

### The tree of all accounts

live_start PriorityWeightAge=0 PriorityWeightFairshare=100000 \
	"NodeName=localhost CPUs=20 RealMemory=64000 State=UNKNOWN" \
	"PartitionName=work Nodes=localhost State=DOWN MaxTime=INFINITE DefaultTime=60 Default=YES"
fathom_conf Policy=lsf CalcPeriod=600
reconfigure_once
declare -A account=([user1]=b [user2]=c [user3]=c [user4]=e [user5]=f)
jobs=()
for user in "${!account[@]}"; do
	for ((i = 0; i < 8; i++)); do
		cpus=$((1 + i % 2))
		jobs+=("$(submit "$user" --partition=work --ntasks=$cpus --wrap 'sleep 600' \
			):${account[$user]}:$user:$cpus")
	done
done
expected=$(sshare --all --parsable2 --noheader --format=Account,User,RawShares |
	"$live_top/tests/live/dispatch.py" "${jobs[@]}" | paste -sd ' ')
ok "each of 40 jobs has a place of its own" wait_until placed
is "that of dispatching one by one" \
	"$(squeue --noheader --state=PENDING --format='%Q %i' | sort -rn | awk '{ print $2 }' |
		paste -sd ' ')" "$expected"
scontrol update PartitionName=work State=UP
wait_until running 11
# slurmctld stops at the first job that does not fit
is "the first of them start" "$(squeue --noheader --state=RUNNING --format=%i | sort -n |
	paste -sd ' ')" \
	"$(for job in $expected; do
		cpus=$(printf '%s\n' "${jobs[@]}" | sed -n "s/^$job:.*://p")
		((used += cpus)) && ((used > 20)) && break
		echo "$job"
	done | sort -n | paste -sd ' ')"
