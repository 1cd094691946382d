#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom prio under policy lsf: the place at which LSF would dispatch each pending job.
. "${srcdir:=.}/tests/cli/lib.sh"

# tree LINE...: a tree in the form of sshare, "ACCOUNT|USER|SHARES" below root
tree ()
{
	{
		echo 'Account|User|RawShares|RawUsage'
		echo 'root||1|0'
		for line; do
			echo "$line|0"
		done
	} >"$work/tree"
}

# jobs [ACCOUNT.]NAME*COUNT[/MEMBERS]...: jobs of one CPU, numbered as they are submitted, of users
# of root or of another account
jobs ()
{
	id=0
	{
		echo '{"format": "fathom-jobs", "version": 1, "settings":'
		echo '{"PriorityWeightFairshare": 1000, "PriorityWeightPartition": 10},'
		echo '"partitions": [{"name": "p"}, {"name": "q", "priority_job_factor": 1}],'
		echo '"jobs": ['
		comma=
		for many; do
			name=${many%%\**} rest=${many#*\*} account=root
			case $name in *.*) account=${name%.*} name=${name#*.} ;; esac
			count=${rest%%/*} more=${rest#"$count"}
			while [ "$count" -gt 0 ]; do
				id=$((id + 1)) count=$((count - 1))
				echo "$comma{\"job_id\": $id, \"cpus\": 1,"
				echo "\"account\": \"$account\", \"user\": \"$name\","
				echo "\"submit_time\": $((1700000000 + id))${more:+, ${more#/}}}"
				comma=,
			done
		done
		echo ']}'
	} >"$work/jobs"
}

# places OPTION...: of all jobs in the order of their ids
places ()
{
	fathom prio --from "$work/jobs" --from "$work/tree" --policy lsf -Ph -o Place "$@" |
		paste -sd ' ' -
}

### Vectors

tree ' root|u1|1' ' root|u2|1' ' root|u3|1'
jobs 'u1*5' 'u2*5' 'u3*5'
is "L9: slots go round" "$(places)" "1 4 7 10 13 2 5 8 11 14 3 6 9 12 15"
is "the factor is (J - place + 1) / J, weighted" \
	"$(fathom prio --from "$work/jobs" --from "$work/tree" --policy lsf -Ph -j 1,15,6 \
		-o JobID,Place,FairShare | paste -sd ' ' -)" "1|1|1000 6|2|933 15|15|67"
is "jobs are started in the order of their priorities" \
	"$(fathom prio --from "$work/jobs" --from "$work/tree" --policy lsf -Ph -S -Priority \
		-o User | paste -sd ' ' -)" "u1 u2 u3 u1 u2 u3 u1 u2 u3 u1 u2 u3 u1 u2 u3"
tree ' root|u1|2' ' root|u2|1'
jobs 'u1*6' 'u2*3'
is "L10: of equals the first job" "$(places)" "1 2 4 5 7 8 3 6 9"
tree ' root|u1|1' ' root|u2|1'
jobs 'u1*2' 'u2*2'
is "L11: with run_job_factor 0 nobody is placed, all tie" \
	"$(fathom prio --from "$work/jobs" --from "$work/tree" --policy lsf \
		--set run_job_factor=0 -Ph -o FairShare | sort -u)" 1000
tree ' gA||1' '  gA|a1|1' '  gA|a2|1' ' gB||1' '  gB|b1|1'
jobs 'gA.a1*2' 'gA.a2*2' 'gB.b1*4'
is "L12: account by account" "$(places)" "1 5 3 7 2 4 6 8"

### What a job is

tree ' root|u1|1' ' root|u2|1'
jobs 'u1*1/"held": true' 'u1*1/"dependency": true' 'u2*2' 'u1*1'
is "jobs that cannot start come behind" "$(places)" "4 5 1 3 2"
jobs 'u1*1/"state": "RUNNING"' 'u1*1' 'u2*1/"fairshare": 0.5' 'u2*1'
is "only pending jobs have a place, and none whose factor is given" \
	"$(places --state all)" " 1  2"
jobs 'u1*1/"array_tasks": 3' 'u1*1' 'u2*3'
is "the tasks of an array are added at once" "$(places)" "1 5 2 3 4"
jobs 'u1*1/"nice": 5' 'u1*1' 'u1*1/"partitions": ["q"]'
is "jobs of one user: partition, priority, submission" "$(places)" "3 2 1"
jobs 'u1*1/"partitions": ["p", "q"]' 'u2*1'
is "a job has a place in each of its partitions" "$(places)" "3 1 2"

### Several partitions

# one tree judges all of them, as in a cross-queue set of LSF
tree ' root|u1|1' ' root|u2|1'
jobs 'u1*2/"partitions": ["p"]' 'u2*2/"partitions": ["q"]'
is "users take turns whatever their partitions" "$(places)" "2 4 1 3"
jobs 'u1*1/"partitions": ["q"]' 'u2*1/"partitions": ["p"]' 'u1*1/"partitions": ["p"]' \
	'u2*1/"partitions": ["q"]'
is "none is fair-share: in the order of submission" \
	"$(fathom prio --from "$work/jobs" --from "$work/tree" --policy fcfs -Ph -S -Priority \
		--set priority_weight_partition=0 -o JobID,FairShare | paste -sd ' ' -)" \
	"1|1000 2|1000 3|1000 4|1000"

### How it is shown

jobs 'u1*1' 'u2*1'
is "-l has a column for it" \
	"$(fathom prio --from "$work/jobs" --from "$work/tree" --policy lsf -lP |
		awk -F "|" 'NR == 1 { while ($++at != "PLACE" && at < NF); } { print $at }' |
		paste -sd ' ' -)" "PLACE 1 2"
is "no other policy has it" \
	"$(fathom prio --from "$work/jobs" --from "$work/tree" --policy fair-tree -l |
		grep -c PLACE)" 0
is "in JSON too" \
	"$(fathom prio --from "$work/jobs" --from "$work/tree" --policy lsf --json |
		sed -n 's/.*"place": \([0-9]*\).*/\1/p' | paste -sd ' ' -)" "1 2"
is "and not where there is none" \
	"$(fathom prio --from "$work/jobs" --from "$work/tree" --policy fair-tree --json |
		grep -c '"place"')" 0

# wrong KEY VALUE RIGHT
wrong ()
{
	jobs "u1*1/\"$1\": $2"
	rejects "wrong $1" "fathom: $work/jobs:7: jobs[0]: '$1' must be $3" prio --from "$work/jobs"
}

wrong state 7 'a state such as "PENDING" or "RUNNING"'
wrong dependency 1 "true or false"
wrong array_tasks -1 "an integer from 0 to 4294967295"
finish
