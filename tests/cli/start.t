#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom start on files: when pending jobs start, what is ahead, and what would be earlier.
. "${srcdir:=.}/tests/cli/lib.sh"

export TZ=UTC
# Partition day has 8 CPUs, which job 1 holds for ten more minutes, and partition night 8 others.
# bob of physics has used far more than ada; priorities are fair shares alone.
cat >"$work/now" <<END
{"format": "fathom-snapshot", "version": 1, "time": 1700000000,
 "tree": [
  {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
  {"id": 2, "parent": 1, "name": "physics", "kind": "account", "shares": 60, "usage": 0},
  {"id": 3, "parent": 2, "name": "ada", "kind": "user", "shares": 10, "usage": 0},
  {"id": 4, "parent": 2, "name": "bob", "kind": "user", "shares": 10, "usage": 150000},
  {"id": 5, "parent": 1, "name": "chem", "kind": "account", "shares": 600, "usage": 0},
  {"id": 6, "parent": 5, "name": "bob", "kind": "user", "shares": 10, "usage": 0}],
 "partitions": [{"name": "day"}, {"name": "night"}],
 "jobs": [
  {"job_id": 1, "user": "ada", "account": "physics", "partitions": ["day"], "state": "RUNNING",
   "start_time": 1699999400, "time_limit": 20, "cpus": 8, "min_nodes": 1},
  {"job_id": 2, "user": "bob", "account": "physics", "partitions": ["day"],
   "submit_time": 1699999000, "time_limit": 60, "cpus": 8, "reason": "AssocGrpCpuLimit"},
  {"job_id": 3, "user": "ada", "account": "physics", "partitions": ["day"],
   "submit_time": 1699999500, "time_limit": 40, "cpus": 4, "features": "gpu",
   "tres": {"cpu": 4, "gres/gpu": 2}, "expected_start": 1700000700},
  {"job_id": 4, "user": "ada", "account": "physics", "partitions": ["day"],
   "submit_time": 1699999500, "time_limit": 60, "cpus": 80},
  {"job_id": 5, "user": "bob", "account": "physics", "partitions": ["day"],
   "submit_time": 1699999500, "held": true, "cpus": 8}],
 "slurm_conf":
"NodeName=n[1-2] CPUs=8\nPartitionName=day Nodes=n1\nPartitionName=night Nodes=n2\
\nPriorityWeightFairshare=1000",
 "fathom_conf": "Policy=fair-tree\n"}
END

# starts [ARGUMENT]...: "JOB START" of each job
starts ()
{
	fathom start --from "$work/now" "$@" -nP | cut -d '|' -f 1,3 | tr '|' ' '
}

is "ada's job goes first, by her fair share; two can never start" "$(starts)" \
	"3 2023-11-14T22:23:20
2 2023-11-14T23:03:20
4 
5 "
is "PriorityUsageResetPeriod=NOW resets usage when slurmctld starts, not now" \
	"$(sed 's/PriorityWeightFairshare/PriorityUsageResetPeriod=NOW\\n&/' "$work/now" |
		fathom start --from - -nP | cut -d '|' -f 1 | paste -sd ' ')" "3 2 4 5"
is "what runs is charged its billing TRES, here more in ten minutes than bob has used" \
	"$(sed '/"start_time"/s/"cpus": 8/&, "tres": {"cpu": 8, "billing": 1000}/' "$work/now" |
		fathom start --from - -nP | cut -d '|' -f 1 | paste -sd ' ')" "2 3 4 5"
# zoe runs job 1; bob asks as one of chem, and has used all there
is "a running job of a user that the tree does not have is charged to no account" \
	"$(sed '/"job_id": 1/s/ada/zoe/; /"start_time"/s/"cpus": 8/&, "tres": {"billing": 1000}/
		/"id": 4/s/150000/0/; /"id": 6/s/"usage": 0/"usage": 150000/
		/"job_id": 2/s/physics/chem/; /"job_id": 4/s/ada/zoe/' "$work/now" |
		fathom start --from - -nP | cut -d '|' -f 1,2,6 | sed '1,2s/|.*//')" "3
2
4|zoe|the tree does not have its user and account
5|bob|it is held"
echo 'Policy=fcfs' >"$work/fcfs.conf"
is "first come, first served bob's does" "$(starts --from "$work/fcfs.conf" | head -n 2)" \
	"2 2023-11-14T22:23:20
3 2023-11-14T23:23:20"
is "the whole table" "$(fathom start --from "$work/now" -P)" \
	"JOBID|USER|START|SLURMCTLD|AHEAD|NOTE
3|ada|2023-11-14T22:23:20|2023-11-14T22:25:00|0|feature gpu, gres/gpu=2 not counted
2|bob|2023-11-14T23:03:20||1|limit AssocGrpCpuLimit not counted
4|ada||||its partition starts jobs on 8 CPUs, and it wants 80
5|bob||||it is held"
is "a snapshot that does not tell when slurmctld expects starts has no column for it" \
	"$(sed 's/, "expected_start": 1700000700//' "$work/now" | fathom start --from - -P |
		sed 1q)" "JOBID|USER|START|AHEAD|NOTE"
is "one job in words, with what would be earlier" "$(fathom start 2 --from "$work/now")" \
	"Job 2 starts at 2023-11-14T23:03:20, 50 minutes from now, if jobs run as long
as their time limits allow.
1 pending job starts before it: job 3.
This does not account for limit AssocGrpCpuLimit.
It would start at 2023-11-14T22:23:20 with 4 CPUs.
It would start at 2023-11-14T22:23:20 in account chem.
It would start at 2023-11-14T22:13:20 in partition night."
is "what is not modelled" "$(fathom start 3 --from "$work/now" | sed -n 3,5p)" \
	"slurmctld expects it to start at 2023-11-14T22:25:00.
No pending job starts before it.
This does not account for feature gpu, gres/gpu=2."
is "a job that does not start" "$(fathom start 5 --from "$work/now")" \
	"Job 5 does not start, as far as is known: it is held."
is "JSON" "$(fathom start 2 3 --from "$work/now" --json)" \
	'{"format": "fathom-start", "version": 1, "time": 1700000000, '\
'"time_iso": "2023-11-14T22:13:20Z", "policy": "fair-tree",
"jobs": [
{"job_id": 3, "start": 1700000600, "start_iso": "2023-11-14T22:23:20Z", "expected": null, '\
'"expected_iso": null, "earliest": null, "earliest_iso": null, '\
'"latest": null, "latest_iso": null, "ahead": 0, "next_ahead": null, "reason": null, '\
'"advice": '\
'[{"what": "in partition night", "start": 1700000000, "start_iso": "2023-11-14T22:13:20Z"}], '\
'"not_modelled": ["feature gpu", "gres/gpu=2"], "slurmctld_start": 1700000700, '\
'"slurmctld_start_iso": "2023-11-14T22:25:00Z"},
{"job_id": 2, "start": 1700003000, "start_iso": "2023-11-14T23:03:20Z", "expected": null, '\
'"expected_iso": null, "earliest": null, "earliest_iso": null, '\
'"latest": null, "latest_iso": null, "ahead": 1, "next_ahead": 3, "reason": null, '\
'"advice": '\
'[{"what": "with 4 CPUs", "start": 1700000600, "start_iso": "2023-11-14T22:23:20Z"}, '\
'{"what": "in account chem", "start": '\
'1700000600, "start_iso": "2023-11-14T22:23:20Z"}, '\
'{"what": "in partition night", "start": 1700000000, "start_iso": "2023-11-14T22:13:20Z"}], '\
'"not_modelled": ['\
'"limit AssocGrpCpuLimit"], '\
'"slurmctld_start": null, "slurmctld_start_iso": null}]}'

# a shorter job 2 fits before a wider one; two tasks of an array start one after the other
sed 's/"job_id": 3,/"job_id": 3, "array_tasks": 3,/; s/"time_limit": 40/"time_limit": 10/' \
	"$work/now" >"$work/array"
is "tasks of an array" "$(fathom start --from "$work/array" -nP | sed -n 2p | cut -d '|' -f 1-3)" \
	"2|bob|2023-11-14T22:43:20"
is "the limit of an array's tasks that run at a time" \
	"$(sed '/"job_id": 3,/s/$/ "reason": "JobArrayTaskLimit",/' "$work/array" |
		fathom start --from - -nP | sed -n '/^3/s/.*|//p')" \
	"limit JobArrayTaskLimit, feature gpu, gres/gpu=2 not counted"
sed 's/"time_limit": 20, //' "$work/now" >"$work/endless"
is "a running job without a limit" "$(fathom start 2 --from "$work/endless")" \
	"Job 2 does not start, as far as is known: jobs without a time limit are ahead
of it.
This does not account for limit AssocGrpCpuLimit."
sed 's/"start_time": 1699999400/"start_time": 1699990000/' "$work/now" >"$work/late"
sed 's/"start_time": 1699999400/"start_time": 1699998806/' "$work/now" >"$work/soon"
is "a job whose limit ends in six seconds has these" \
	"$(fathom start --from "$work/soon" -nP | sed -n 1p | cut -d '|' -f 1,3)" \
	"3|2023-11-14T22:13:26"
is "what wins exactly a minute is advised, and a second less is not" \
	"$(for start in 1699998860 1699998859; do
		sed "s/\"start_time\": 1699999400/\"start_time\": $start/" "$work/now" |
			fathom start 3 --from - | grep 'It would'
	done)" "It would start at 2023-11-14T22:13:20 in partition night."
is "a job beyond its limit has a minute left" \
	"$(fathom start --from "$work/late" -nP | sed -n 1p | cut -d '|' -f 3)" \
	"2023-11-14T22:14:20"

# all that ada has is an association for partition day; bob has two in chem
sed 's/"name": "ada",/& "partition": "day",/
	/"id": 6/{
		s/"bob"/&, "partition": "night"/; s/\],$/,/p
		s/6/7/; s/night/day/; s/,$/],/
	}' "$work/now" >"$work/associations"
is "an association for a partition" "$(fathom start --from "$work/associations" -nP |
	cut -d '|' -f 1,3,6 | head -n 1)" \
	"3|2023-11-14T22:23:20|feature gpu, gres/gpu=2 not counted"
is "her job is not advised to leave it" \
	"$(fathom start 3 --from "$work/associations" | grep 'It would')" ""
is "of two associations in an account that for the partition counts" \
	"$(fathom start 2 --from "$work/associations" | grep -c 'in account chem')" 1

sed '/"start_time"/s/"cpus": 8/"cpus": 7/; s/"cpus": 8, "reason"/"cpus": 2, "reason"/' "$work/now" \
	>"$work/narrow"
is "half of two is one" "$(fathom start 2 --from "$work/narrow" | grep CPU)" \
	"It would start at 2023-11-14T22:13:20 with 1 CPU."
# half_limit LIMIT: the shorter limit that is advised to job 2, of so many minutes, if half of them
# and no more have to pass before the wide job 3 starts
half_limit ()
{
	sed "s/\"time_limit\": 20, \"cpus\": 8/\"time_limit\": $(($1 / 2 + 11)), \"cpus\": 4/
		s/1699999400/$((1699999400 - 60 + $1 % 2 * 30))/
		s/60, \"cpus\": 8, \"reason\"/$1, \"cpus\": 4, \"reason\"/
		s/\"cpus\": 4, \"feat/\"cpus\": 8, \"feat/" "$work/now" | fathom start 2 --from - |
		sed -n 's/.* time limit of //p'
}

is "a limit of whole minutes, as slurmctld takes half of one as a whole one" \
	"$(half_limit 44) $(half_limit 45)" "22 minutes. 22 minutes."
is "of hours, from a day on, as no more is said" "$(half_limit 4320) $(half_limit 4380)" \
	"1 day 12 hours. 1 day 12 hours."
is "a partition of one" "$(sed 's/CPUs=8/CPUs=1/' "$work/now" | fathom start --from - -nP |
	sed -n '/^2/s/.*|//p')" "its partition starts jobs on 1 CPU, and it wants 8"

### partitions

# advised WORDS [SED]: how often night is advised to job 2, with these words on the line of night
advised ()
{
	sed "s/Nodes=n2/& $1/; ${2:-}" "$work/now" | fathom start 2 --from - |
		grep -c 'in partition night'
}

for key in RootOnly=YES RootOnly=wrong ReqResv=YES AllowAccounts=x AllowGroups=x \
	AllowQos=x DenyAccounts=x DenyQos=x MinNodes=2; do
	is "a partition that is not open to all, $key" "$(advised $key)" 0
done
for key in RootOnly=NO RootOnly=False ReqResv=0 AllowAccounts=ALL AllowGroups=all MinNodes=1 \
	MaxNodes=1; do
	is "one that is open, $key" "$(advised $key)" 1
done
two='s/"cpus": 8, "reason"/"min_nodes": 2, &/'
is "a job of more nodes than a partition allows is not advised it" \
	"$(advised MaxNodes=1 "$two") $(advised MaxNodes=2 "$two")" "0 1"
is "in one that does not allow it, it does not start" \
	"$(sed "s/Nodes=n1/& MaxNodes=1/; $two" "$work/now" | fathom start 2 --from -)" \
	"Job 2 does not start, as far as is known: it wants more nodes than MaxNodes of
partition day."
week='/^ "partitions"/d; /"job_id": 2/s/day/week/'
is "a partition that is not there" \
	"$(sed "$week" "$work/now" | fathom start 2 --from -)" \
	"Job 2 does not start, as far as is known: partition week is not there, or may
not be seen."
is "of several the first that is there counts" \
	"$(sed "$week; s/week/&\", \"night/" "$work/now" | fathom start 2 --from - |
		sed q)" "Job 2 can start now (2023-11-14T22:13:20)."

both='/"job_id": 2/s/"day"/&, "night"/'
is "of several the first that may start the job counts" "$(for key in MaxTime=30 State=DOWN; do
		sed "s/Nodes=n1/& $key/; $both" "$work/now" | fathom start 2 --from - | sed 2d
	done | sort -u)" \
	"Job 2 can start now (2023-11-14T22:13:20).
This does not account for limit AssocGrpCpuLimit, its other partitions."
none="s/Nodes=n1/& State=DOWN/; s/Nodes=n2/& MaxTime=30/; $both"
is "if none can, the reason is of the first" \
	"$(sed "$none" "$work/now" | fathom start --from - -nP | sed -n '/^2/s/.*|//p')" \
	"none of its partitions can start it, the first because its partition is not up"
is "a partition that the job asks for already is not advised, nor one like it" \
	"$(sed "$both; s/PartitionName=night/PartitionName=dusk Nodes=n2\\\\n&/" "$work/now" |
		fathom start 2 --from - | grep -c 'in partition')" 0
short="PartitionName=dusk Nodes=n2 MaxTime=30\\\\n"
is "unless that one cannot start it" \
	"$(sed '/"job_id": 2/s/"day"/&, "dusk"/
		s/{"name": "day"}/&, {"name": "dusk"}/
		'"s/PartitionName=night/$short&/" "$work/now" |
		fathom start 2 --from - | grep 'in partition')" \
	"It would start at 2023-11-14T22:13:20 in partition night."

# dusk has the nodes of night, and day-2 those of day
like="PartitionName=dusk Nodes=n2\\\\nPartitionName=day-2 Nodes=n1\\\\n"
is "of partitions where a job starts alike the first is advised" \
	"$(sed "s/PartitionName=night/$like&/" "$work/now" | fathom start 2 --from - |
		grep partition)" "It would start at 2023-11-14T22:13:20 in partition dusk."
cat >"$work/tres.json" <<'END'
{"format": "fathom-snapshot", "version": 1, "time": 1793534400, "tree": [
{"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
{"id": 2, "parent": 1, "name": "ada", "kind": "user", "shares": 1, "usage": 9},
{"id": 3, "parent": 1, "name": "bob", "kind": "user", "shares": 1, "usage": 1}],
"slurm_conf": "PriorityWeightTRES=gres/gpu=100000\nPriorityWeightFairshare=0\n",
"cluster": {"nodes": 4, "cpus": 64}, "partitions": [
{"name": "big", "tres": {"cpu": 64, "gres/gpu": 64}},
{"name": "small", "tres": {"cpu": 64, "gres/gpu": 4}}], "jobs": [
{"job_id": 1, "user": "ada", "account": "root", "submit_time": 1793520011, "time_limit": 360,
"cpus": 64, "partitions": ["big"], "tres": {"cpu": 64, "gres/gpu": 1, "node": 1},
"state": "RUNNING", "start_time": 1793527200},
{"job_id": 2, "user": "ada", "account": "root", "submit_time": 1793520012, "time_limit": 600,
"cpus": 64, "partitions": ["big"], "tres": {"cpu": 64, "gres/gpu": 8, "node": 1}},
{"job_id": 3, "user": "bob", "account": "root", "submit_time": 1793520013, "time_limit": 60,
"cpus": 64, "partitions": ["big"], "tres": {"cpu": 64, "gres/gpu": 1, "node": 1}}]}
END
like "nor one with other TRES, where nodes are not known" \
	"$(fathom start 3 --from "$work/tres.json")" "*in partition small.*"
is "but none that the job asks for already" \
	"$(sed '/"job_id": 3/,$s/"big"/&, "small"/' "$work/tres.json" | fathom start 3 --from - |
		grep -c 'in partition')" 0
is "a partition with another factor is not like the first" \
	"$(sed "s/PartitionName=night/$like&/; s/Nodes=n2/& PriorityJobFactor=5/2" "$work/now" |
		fathom start 2 --from - | grep -c partition)" 2

sed 's/"partitions": \[{/"hides_jobs": true, &/' "$work/now" >"$work/hidden"
is "jobs that are hidden" "$(fathom start --from "$work/hidden" 2>&1 >"$work/out")" \
	"fathom: PrivateData hides jobs of others, which do not count: starts are the earliest \
possible"
is "others count" "$(wc -l <"$work/out")" 5

### history

day=2023-09-01T0 begin=2023-09-01T00:00:00
# all jobs of the past, of whoever it was, have used half of their limits, and none more than 0.6
{
	echo 'JobID|User|Account|State|Submit|Start|End|Elapsed|NCPUS|Timelimit'
	for i in 1 2 3 4 5 6 7 8 9; do
		echo "$i|eve|x|COMPLETED|$begin|$begin|${day}0:30:00|00:30:00|1|01:00:00"
	done
	echo "10|eve|x|COMPLETED|$begin|$begin|${day}0:36:00|00:36:00|1|01:00:00"
} >"$work/past"
# job 1 has used half of its 20 minutes, so it has 2 left; ada's job runs for 20 or 24 minutes
is "run times as in the past" "$(fathom start --from "$work/now" --history "$work/past" -nP |
	sed -n 1,2p | cut -d '|' -f 1,5,6)" \
	"3|2023-11-14T22:15:20|2023-11-14T22:15:20
2|2023-11-14T22:35:20|2023-11-14T22:39:20"
like "in words" "$(fathom start 2 --from "$work/now" --history "$work/past" | tr '\n' ' ')" \
	"*it starts at about 2023-11-14T22:35:20, between 2023-11-14T22:35:20 and *22:39:20.*"
like "its times as text" "$(fathom start 2 --from "$work/now" --history "$work/past" --json)" \
	'*"expected_iso": "2023-11-14T22:35:20Z", "earliest": 1700001320, "earliest_iso": '\
'"2023-11-14T22:35:20Z", "latest": 1700001560, "latest_iso": "2023-11-14T22:39:20Z"*'
like "a range without width" "$(sed '$d' "$work/past" >"$work/same"
	fathom start 2 --from "$work/now" --history "$work/same" | tr '\n' ' ')" \
	"*it starts at about 2023-11-14T22:43:20, hardly earlier or later.*"
# of ada there is enough to go by: her jobs use all of their limits
sed 's/|eve|/|ada|/; s/|00:3[06]:00|1/|01:00:00|1/' "$work/past" >"$work/adas"
is "those of the user, if there are enough" "$(fathom start --from "$work/now" \
	--history "$work/adas" -nP | sed -n 1p | cut -d '|' -f 5,6)" \
	"2023-11-14T22:23:20|2023-11-14T22:23:20"

is "tasks of an array as squeue prints them" "$(fathom start '2_[1-5%2]' --from "$work/now" 2>&1)" \
	"fathom: 2_[1-5%2] is job 2
$(fathom start 2 --from "$work/now")"

### what is wrong

rejects "a job that is not there" "fathom: job 9 is not there, or may not be seen" \
	start 9 --from "$work/now"
rejects "one that runs" "fathom: job 1 has started already" start 1 --from "$work/now"
rejects "a name" "fathom: ada: is no number of a job, must be one, see \
squeue --me" start ada --from "$work/now"

# What is set for a single job: 7 of two equal ones goes first, as fathom prio has it.
# set_for JOB_KEYS SLURM_CONF FATHOM_CONF
set_for ()
{
	cat >"$work/set" <<END
{"format": "fathom-snapshot", "version": 1, "time": 1700000000,
 "tree": [
  {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
  {"id": 2, "parent": 1, "name": "ada", "kind": "user", "shares": 1, "usage": 7200}],
 "jobs": [
  {"job_id": 6, "user": "ada", "account": "root", "submit_time": 1699999000,
   "accrue_time": 1699999000, "time_limit": 60, "cpus": 8, "comment": "urgency=15"},
  {"job_id": 7, "user": "ada", "account": "root", "submit_time": 1699999001,
   "accrue_time": 1699999001, "time_limit": 60, "cpus": 8$1}],
 "slurm_conf": "NodeName=n1 CPUs=8\\n$2", "fathom_conf": "Policy=$3"}
END
	fathom start --from "$work/set" -nP | cut -d '|' -f 1 | paste -sd ' '
}

sum=PriorityWeightFairshare=1000
is "nothing is set" "$(set_for '' $sum classic)" "6 7"
is "without any weight fair share does not count" \
	"$(sed 's/"usage": 0}/"usage": 0},\
		{"id": 3, "parent": 1, "name": "bob", "kind": "user", "shares": 1, "usage": 0}/
		s/"job_id": 7, "user": "ada"/"job_id": 7, "user": "bob"/
		s/Priority[A-Za-z]*=1000//' "$work/set" | fathom start --from - -nP |
		cut -d '|' -f 1 | paste -sd ' ')" "6 7"
set_for '' PriorityWeightAge=1000000 classic >/dev/null
sed '/"job_id": 6/,/"job_id": 7/s/"accrue_time": 1699999000, //' "$work/set" >"$work/young"
is "a job that is not eligible yet has no age" \
	"$(fathom start --from "$work/young" -nP | cut -d '|' -f 1 | paste -sd ' ')" "7 6"
sed 's/PriorityWeightAge/PriorityFlags=ACCRUE_ALWAYS\\n&/' "$work/young" >"$work/always"
is "under ACCRUE_ALWAYS age counts from submission" \
	"$(fathom start --from "$work/always" -nP | cut -d '|' -f 1 | paste -sd ' ')" "6 7"
high=', "partitions": ["high"]'
tiers='PartitionName=low Nodes=n1 Default=YES\nPartitionName=high Nodes=n1 PriorityTier=2'
is "PriorityTier, whatever priorities are" "$(for policy in $(policies); do
		set_for "$high" "$tiers" "$policy"
	done | sort -u)" "7 6"
is "nice" "$(set_for ', "nice": -100' $sum classic)" "7 6"
is "the site factor" "$(set_for ', "site": 100' $sum classic)" "7 6"
is "the association's priority" \
	"$(set_for ', "assoc_priority": 10' PriorityWeightAssoc=1000 classic)" "7 6"
! built_with muParser "nice in a formula" || is "nice in a formula" \
	"$(set_for ', "nice": -1' $sum 'classic\nFormula=\"1000*fairshare_factor-nice\"')" "7 6"
for policy in classic fair-tree lsf pbs fcfs flux; do
	is "a priority that an administrator has set, $policy" \
		"$(set_for ', "priority": 700000' '' $policy)" "7 6"
done
is "an administrator lets go what urgency holds" \
	"$(set_for ', "urgency": 0, "priority": 700000' '' flux)" "7 6"
is "urgency of flux, also in a comment" "$(set_for '' '' flux)" "7 6"
is "queue 0 of flux is a priority, and not as if there were none" "$(set_for ', "queue": 0' \
	'PartitionName=p Nodes=n1 Default=YES PriorityJobFactor=1' flux)" "6 7"
cat >"$work/unlimited" <<'END'
{"format": "fathom-snapshot", "version": 1, "time": 1700000000,
 "tree": [
  {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
  {"id": 2, "parent": 1, "name": "ada", "kind": "user", "shares": 1, "usage": 0},
  {"id": 3, "parent": 1, "name": "bob", "kind": "user", "shares": 1, "usage": 0}],
 "jobs": [
  {"job_id": 1, "user": "ada", "account": "root", "state": "RUNNING", "cpus": 4,
   "submit_time": 1699999000, "start_time": 1699999000},
  {"job_id": 2, "user": "bob", "account": "root", "state": "RUNNING", "cpus": 4,
   "submit_time": 1699999000, "start_time": 1699999000, "time_limit": 60},
  {"job_id": 6, "user": "bob", "account": "root", "submit_time": 1699999001, "cpus": 4},
  {"job_id": 7, "user": "ada", "account": "root", "submit_time": 1699999002, "cpus": 4}],
 "slurm_conf": "NodeName=n1 CPUs=12\nPriorityWeightFairshare=1000",
 "fathom_conf": "Policy=lsf\nRunTimeFactor=0\nCpuTimeFactor=0\nCommittedRunTimeFactor=1"}
END
is "a job without a limit has no committed run time" \
	"$(fathom start --from "$work/unlimited" -nP | cut -d '|' -f 1 | paste -sd ' ')" "7 6"
chem='{"id": 3, "parent": 1, "name": "chem", "kind": "account", "shares": 1, "usage": 0},'
chem="$chem "'{"id": 4, "parent": 3, "name": "ada", "kind": "user", "shares": 1, "usage": 0}'
banks="flux\\nFairshareWeight=0\\nBankWeight=100\\nBankPriority=chem:50"
set_for ', "urgency": 17' '' "$banks" >/dev/null
is "the priority of flux's bank" \
	"$(sed "s/7200}/&, $chem/"'; /"job_id": 6/s/"root"/"chem"/' "$work/set" |
		fathom start --from - -nP | cut -d '|' -f 1 | paste -sd ' ')" "6 7"
set_for ', "urgency": 0' '' flux >/dev/null
is "urgency 0 holds a job" "$(fathom start --from "$work/set" -nP | cut -d '|' -f 1,5)" \
	"6|
7|its urgency is 0"
sed 's/"time": [0-9]*/"time": 9000000000000000000/' "$work/now" >"$work/far"
like "a time that no calendar has is a number" "$(fathom start 3 --from "$work/far")" \
	"Job 3 can start now (9e+18).*"
# job 1 runs for fifty minutes and has ten left; job 3 has to wait for its begin time
cat >"$work/squeue" <<'END'
{"last_update": 1700003000, "jobs": [
 {"job_id": 1, "user_name": "ada", "account": "physics", "partition": "day", "cpus": 8,
  "job_state": ["RUNNING"], "start_time": 1700000000, "time_limit": 60},
 {"job_id": 2, "user_name": "bob", "account": "physics", "partition": "day", "cpus": 8,
  "job_state": ["PENDING"], "eligible_time": 1700002000, "time_limit": 60},
 {"job_id": 3, "user_name": "ada", "account": "physics", "partition": "day", "cpus": 8,
  "job_state": ["PENDING"], "eligible_time": 1700103000, "time_limit": 60}]}
END
printf '%s\n' 'Account|User|RawShares|RawUsage' 'root|||0' ' physics||1|0' '  physics|ada|1|1' \
	'  physics|bob|1|2' >"$work/squeue.sshare"
printf '%s\n' PriorityWeightFairshare=1000 'NodeName=n1 CPUs=8' 'PartitionName=day Nodes=n1' \
	>"$work/squeue.conf"
is "jobs of squeue --json: since when one runs, and one that may not start yet" \
	"$(fathom start --from "$work/squeue" --from "$work/squeue.sshare" \
		--from "$work/squeue.conf" -nP | cut -d '|' -f 1,3,5)" \
	"2|2023-11-14T23:13:20|
3||it may not start yet"
rejects "a file that is no snapshot" "fathom: $data/c1.json: is no snapshot of a cluster, \
must be one, see fathom-snapshot(1)" \
	start --from "$data/c1.json"
rejects "a history without limits" "fathom: --history: $work/none: no job tells its time limit and \
its run time" start --from "$work/now" --history "$(sed 's/01:00:00$/UNLIMITED/' "$work/past" \
	>"$work/none"; echo "$work/none")"
finish
