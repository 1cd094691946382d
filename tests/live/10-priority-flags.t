#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Each of PriorityFlags, and PriorityFavorSmall, changes what it should and nothing else.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

# Three nodes that never answer, for figures that are not 1. "off" keeps its jobs waiting.
# 22.05 takes any node for "localhost" as soon as that is there, so it comes last.
live_start PriorityWeightAge=0 PriorityWeightFairshare=6000 PriorityWeightJobSize=10000 \
	PriorityWeightPartition=1000 \
	PriorityWeightQOS=2000 PriorityWeightAssoc=3000 \
	PriorityWeightTRES=cpu=800,mem=1600,gres/gpu=400 \
	AccountingStorageTRES=gres/gpu GresTypes=gpu \
	"NodeName=away[1-3] NodeAddr=127.0.0.[11-13] Port=7 CPUs=64 RealMemory=64000 Gres=gpu:8 \
State=DOWN" \
	"NodeName=localhost CPUs=64 RealMemory=64000 State=UNKNOWN" \
	"PartitionName=all Nodes=localhost Default=YES PriorityJobFactor=40 \
TRESBillingWeights=CPU=1,Node=10" \
	"PartitionName=off Nodes=ALL State=DOWN PriorityJobFactor=20"
fathom_conf CalcPeriod=600
sacctmgr -iQ add qos slow priority=20 >/dev/null
sacctmgr -iQ add qos fast priority=50 >/dev/null
sacctmgr -iQ modify user user1 set qos+=slow priority=30 >/dev/null
sacctmgr -iQ modify user user5 set priority=40 >/dev/null

# flags FLAG,... [KEY=VALUE...]: those of now on; the next pass goes by them
flags ()
{
	slurm_conf PriorityFlags="$1" "${@:2}"
	reconfigure_once
}

# row JOB: the columns of sprio
row ()
{
	sprio \
		--noheader \
		--jobs="$1" --format='assoc=%B size=%J partition=%P qos=%Q nice=%N tres=%.99T' |
		tr -s ' ' | sed 's/= */=/g'
}

fairshare_column ()
{
	sprio --noheader --jobs="$1" --format=%F | tr -d ' '
}

### Jobs that wait

job=$(submit user1 \
	--partition=off \
	--qos=slow --nodes=2 --ntasks=32 --mem=16000 --gres=gpu:3 --time=50 --nice=100)

for user in user1 user2 user4 user5; do
	runs+=("$(submit "$user" --ntasks=16 --wrap 'sleep 1')")
done
wait_for_ends "${runs[@]}"
flags ''

assoc=assoc=2250			# 3000 · 30/40
size=size=3125				# 10000 · (2/4 + 32/256) / 2
partition=partition=500			# 1000 · 20/40
qos=qos=800				# 2000 · 20/50
tres=tres=cpu=100,mem=200,gres/gpu=100	# 32/256, 32000/256000, 6/24
is "no flag: each factor is its formula" "$(row "$job")" \
	"$assoc $size $partition $qos nice=100 $tres"
fair_tree=$(fairshare_column "$job")
near "no flag: Fair Tree's factor" "$fair_tree" \
	"$(awk -v f="$(share_of b user1 FairShare)" 'BEGIN { print 6000 * f }')" 1e-3
is "the priority is their sum" "$(priority_of "$job")" \
	$((2250 + 3125 + 500 + 800 - 100 + 400 + fair_tree))

# only FLAG,... SETTING ROW: these figures and no other
only ()
{
	flags "$1" "$2"
	is "${1:-$2} changes what it should and nothing else" \
		"$(row "$job") fairshare=$(fairshare_column "$job")" \
		"$3 fairshare=$fair_tree"
}

all_tres=tres=cpu=25600,mem=51200000,gres/gpu=2400
only NO_NORMAL_ASSOC '' "assoc=90000 $size $partition $qos nice=100 $tres"
only NO_NORMAL_PART '' "$assoc $size partition=20000 $qos nice=100 $tres"
only NO_NORMAL_QOS '' "$assoc $size $partition qos=40000 nice=100 $tres"
only NO_NORMAL_TRES '' "$assoc $size $partition $qos nice=100 $all_tres"
only NO_NORMAL_ALL '' "assoc=90000 $size partition=20000 qos=40000 nice=100 $all_tres"
only '' PriorityFavorSmall=YES "$assoc size=6875 $partition $qos nice=100 $tres"
only SMALL_RELATIVE_TO_TIME '' "$assoc size=9900 $partition $qos nice=100 $tres"
only SMALL_RELATIVE_TO_TIME PriorityFavorSmall=NO "$assoc size=100 $partition $qos nice=100 $tres"
only MAX_TRES '' "$assoc $size $partition $qos nice=100 $tres"

for flag in NO_FAIR_TREE DEPTH_OBLIVIOUS; do
	flags "$flag"
	is "$flag leaves other factors alone" "$(row "$job")" \
		"$assoc $size $partition $qos nice=100 $tres"
	near "$flag: the factor that sshare shows" "$(fairshare_column "$job")" \
		"$(awk -v f="$(share_of b user1 FairShare)" 'BEGIN { print 6000 * f }')" 1e-3
	not_ok "$flag: another factor than before" test "$(fairshare_column "$job")" == "$fair_tree"
	fair_tree=$(fairshare_column "$job")
done

### Only up

flags ''
before=$(priority_of "$job")
flags INCR_ONLY PriorityWeightPartition=500
is "INCR_ONLY: a lower weight lowers no priority" "$(priority_of "$job")" "$before"
flags INCR_ONLY PriorityWeightPartition=3000
is "INCR_ONLY: a higher weight raises it" "$(priority_of "$job")" $((before + 1000))
flags '' PriorityWeightPartition=1000
is "without INCR_ONLY it goes down" "$(priority_of "$job")" "$before"

### Running jobs

# rate USER: what a second of a job of 4 CPUs on one node is charged, the node weighing 10
rate ()
{
	local run

	run=$(submit "$1" --ntasks=4 --wrap 'sleep 3')
	wait_for_job "$run" COMPLETED
	pass_now
	awk -v u="$(($(usage_of "$1") - $2))" -v s="$(seconds_run "$run")" \
		'BEGIN { print u / s }'
}

near "a job is charged the sum of its billing TRES" "$(rate user3 0)" 14 0.04
flags MAX_TRES
near "MAX_TRES: the greatest of those of a node" "$(rate user2 "$(usage_of user2)")" 10 0.04

flags ''
ended=$run
run=$(submit user5 --ntasks=1)
wait_for_job "$run" RUNNING
before=$(priority_of "$run")
flags '' PriorityWeightPartition=2000
is "a running job keeps its priority" "$(priority_of "$run")" "$before"
is "sprio does not show it" "$(sprio --noheader --format=%i | grep -cw "$run")" 0
last=$(priority_of "$ended")
flags CALCULATE_RUNNING
is "ended jobs: their priority stays" "$(priority_of "$ended")" "$last"
is "CALCULATE_RUNNING: sprio shows it" "$(sprio --noheader --format=%i | grep -cw "$run")" 1
is "CALCULATE_RUNNING: it has the factors of a waiting job" "$(row "$run")" \
	"assoc=3000 size=1270 partition=2000 qos=0 nice=0 tres=cpu=12"	# 800/64
near "CALCULATE_RUNNING: its priority follows the weight" "$(priority_of "$run")" \
	$((3000 + 1270 + 2000 + 12 + $(fairshare_column "$run"))) 1e-3

### Age

# since JOB: the second from which its age counts; the weight is a thousand a second
since ()
{
	sprio --noheader --jobs="$1" --format=%A |
		awk -v now="$(pass_time)" '{ printf "%.10g\n", now - $1 / 1000 }'
}

later=$(submit user5 --partition=off --begin=now+1hour)
flags '' PriorityWeightAge=6000000 PriorityMaxAge=100
is "a job that may start waits since its submission" "$(since "$job")" \
	"$(second_of "$job" AccrueTime)"
is "a job that may not start yet is not shown" \
	"$(sprio --noheader --format=%i | grep -cw "$later")" 0
flags ACCRUE_ALWAYS
later=$(submit user5 --partition=off --begin=now+1hour)
# 24.11 sets the time at which a job begins to wait when it next schedules jobs
waits ()
{
	[[ $(job_field "$later" AccrueTime) != Unknown ]]
}
wait_until waits
sleep 2 && pass_now
is "ACCRUE_ALWAYS: it waits since its submission" "$(since "$later")" \
	"$(second_of "$later" SubmitTime)"
is "ACCRUE_ALWAYS changes nothing else" "$(row "$job")" \
	"$assoc $size partition=1000 $qos nice=100 $tres"

cancel_all
sacctmgr -iQ modify user user1 set qos-=slow >/dev/null
sacctmgr -iQ delete qos slow fast >/dev/null
