#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom replay at a site: nodes and partitions of slurm.conf, its weights, policy and times.
. "${srcdir:=.}/tests/cli/lib.sh"

# short: n1 n2; long: n2 n3 n4; 10 CPUs in all
cat >"$work/slurm.conf" <<'END'
ClusterName=c
PriorityDecayHalfLife=1-0
PriorityCalcPeriod=1
NodeName=DEFAULT CPUs=2
NodeName=n[1-3]
NodeName=n4 CPUs=0 Sockets=1 CoresPerSocket=2 ThreadsPerCore=2
NodeName=n5 State=DOWN
NodeSet=big Nodes=n4
PartitionName=DEFAULT MaxTime=UNLIMITED
PartitionName=short Nodes=n[1-2],n5 MaxTime=10 Default=True
PartitionName=long Nodes=n[2-3],big PriorityJobFactor=10
PartitionName=off Nodes=ALL State=DOWN
END
# jobs "ID CPUS TIMELIMIT PARTITION SUBMIT", each runs a minute; PARTITION -: none
jobs ()
{
	echo "JobID|User|Account|State|Submit|Start|End|Elapsed|NCPUS|Timelimit|Partition"
	while read -r id cpus limit partition submit; do
		echo "$id|ada|a|COMPLETED|2026-09-01T00:00:$submit|2026-09-01T00:00:20|\
2026-09-01T00:01:20|00:01:00|$cpus|$limit|$partition"
	done | sed 's/|-$/|/'
}
# starts OPTION...: "JOB@START" of each job that starts
starts ()
{
	fathom replay "$work/jobs" --schedule "$work/schedule" "$@" >/dev/null 2>"$work/remarks"
	sed 1d "$work/schedule" | awk -F, '{ print $1 "@" $6 }' | paste -sd ' ' -
}

### nodes

jobs >"$work/jobs" <<'END'
1 2 2:00 short 00
2 6 2:00 long 00
3 2 2:00 short 00
4 2 2:00 long 00
END
# job 1 takes n1, which no other partition has, job 2 n3, n4 and its part of n2: job 3 has no room
is "a job takes the nodes of its partition, those of fewest partitions first" \
	"$(starts --from "$work/slurm.conf" --policy fcfs)" "1@0 2@0 3@0 4@60"
is "and leaves them to none" "$(cat "$work/remarks")" ""
is "without slurm.conf all nodes are as good" \
	"$(starts --cpus 10 --policy fcfs)" "1@0 2@0 3@0 4@60"
{ cat "$work/slurm.conf"; echo 'DownNodes=n[1,9] State=FAIL Reason="a disk"'; } >"$work/down.conf"
is "DownNodes have no CPUs" "$(starts --from "$work/down.conf" --policy fcfs)" \
	"1@0 2@0 3@60 4@60"
is "unless their state is another" "$(sed -i 's/FAIL/UNKNOWN/' "$work/down.conf"
	starts --from "$work/down.conf" --policy fcfs)" "1@0 2@0 3@0 4@60"
sed -i 's/State=UNKNOWN//' "$work/down.conf"
is "without State they are down" "$(starts --from "$work/down.conf" --policy fcfs)" \
	"1@0 2@0 3@60 4@60"
is "--cpus is another machine than the site's" \
	"$(starts --from "$work/slurm.conf" --cpus 8 --policy fcfs)" "1@0 2@0 3@60 4@60"

# a partition that is not up is none of the fewest: n4 goes before n2
{ cat "$work/slurm.conf"; echo 'PartitionName=idle Nodes=n[3-4] State=DRAIN'; } >"$work/idle.conf"
jobs >"$work/jobs" <<'END'
1 4 2:00 long 00
2 4 2:00 short 00
END
is "partitions that are not up do not count" "$(starts --from "$work/idle.conf" --policy fcfs)" \
	"1@0 2@0"
# job 3 waits for four CPUs of the six, and can have those of jobs 1 and 2
cat >"$work/wide.conf" <<'END'
NodeName=n[1-3] CPUs=2
PartitionName=one Nodes=n1
PartitionName=all Nodes=n[1-3]
PartitionName=two Nodes=n2
PartitionName=three Nodes=n3
END
jobs >"$work/jobs" <<'END'
1 2 1:00 two 00
2 2 1:00 three 00
3 4 1:00 all 02
4 2 9:00 one 03
END
is "a reservation leaves nodes that are idle to others" \
	"$(starts --from "$work/wide.conf" --policy fcfs)" "1@0 2@0 4@3 3@60"

jobs >"$work/jobs" <<'END'
1 4 2:00 short 00
2 8 2:00 long 00
3 4 3:00 long 00
4 2 2:00 long 01
5 4 2:00 short 01
END
# job 2 waits for n2, so n3 and n4 stay free for it: jobs 3 and 4 would end after job 1
is "a job waits for nodes that another partition shares, and none delays it" \
	"$(starts --from "$work/slurm.conf" --policy fcfs)" "1@0 2@60 3@120 4@120 5@120"
is "under each scheduler" \
	"$(for scheduler in conservative none; do
		starts --from "$work/slurm.conf" --policy fcfs --scheduler $scheduler
	done)" "1@0 2@60 3@120 4@120 5@120
1@0 3@0 4@1 5@60 2@120"

for name in - /dev/stdin; do
	# shellcheck disable=SC2002	# a pipe is meant
	is "slurm.conf of a pipe as $name" \
		"$(cat "$work/slurm.conf" |
			fathom replay "$work/jobs" --cpus 9 --from $name 2>&1)" \
		"fathom: $name: slurm.conf is read from a file, as it may include others"
done

### what a partition does not take

jobs >"$work/jobs" <<'END'
1 1 2:00 short 00
2 5 2:00 short 00
3 1 11:00 short 00
4 1 2:00 off 00
5 1 2:00 other 00
6 4 2:00 - 00
7 11 2:00 long 00
END
is "jobs that it does not take are counted by reason" \
	"$(starts --from "$work/slurm.conf"; cat "$work/remarks")" \
	"1@0 6@60
fathom: $work/jobs: left out: 2 jobs too large for the machine or partition (--cpus)
fathom: $work/jobs: left out: 1 job with a time limit beyond MaxTime of the partition
fathom: $work/jobs: left out: 1 job of partitions that the site does not have
fathom: $work/jobs: left out: 1 job of partitions that are not up"
rejects "--strict refuses them" \
	"fathom: $work/jobs: left out: 2 jobs too large for the machine or partition (--cpus); \
--strict refuses this" \
	replay "$work/jobs" --from "$work/slurm.conf" --strict
is "a pending array counts as its tasks; ended tasks are jobs" \
	"$(cat >"$work/jobs" <<'END'
JobID|User|Account|State|Submit|Start|End|Elapsed|NCPUS|Partition
7_1|ada|a|COMPLETED|2026-09-01T00:00:00|2026-09-01T00:00:20|2026-09-01T00:01:20|00:01:00|1|long
7_2|ada|a|COMPLETED|2026-09-01T00:00:00|2026-09-01T00:00:20|2026-09-01T00:01:20|00:01:00|1|long
7_[3-5,9%2]|ada|a|PENDING|2026-09-01T00:00:00|Unknown|Unknown|00:00:00|1|long
8+0|ada|a|COMPLETED|2026-09-01T00:00:01|2026-09-01T00:00:20|2026-09-01T00:01:20|00:01:00|1|long
8+1|ada|a|COMPLETED|2026-09-01T00:00:01|2026-09-01T00:00:20|2026-09-01T00:01:20|00:01:00|1|long
END
		fathom replay "$work/jobs" --from "$work/slurm.conf" --json 2>/dev/null |
		grep -o '"jobs": [0-9]*,\|"skipped": {[^}]*}' | head -n 2)" \
	'"jobs": 4,
"skipped": {"not_ended": 4}'

# numbers of partitions and queues in SWF: names such as partition1 and queue2
cat >"$work/numbers.conf" <<'END'
NodeName=n[1-4] CPUs=1
PartitionName=partition1 Nodes=n[1-2]
PartitionName=queue2 Nodes=n[3-4]
END
cat >"$work/numbers.swf" <<'END'
1 0 -1 60 2 -1 -1 2 60 -1 1 1 1 -1 2 1 -1 -1
2 0 -1 60 2 -1 -1 2 60 -1 1 1 1 -1 1 1 -1 -1
3 0 -1 60 2 -1 -1 2 60 -1 1 1 1 -1 2 7 -1 -1
4 0 -1 60 4 -1 -1 4 60 -1 1 1 1 -1 3 7 -1 -1
END
is "SWF: the partition, else the queue, else all nodes" \
	"$(fathom replay "$work/numbers.swf" --from "$work/numbers.conf" --policy fcfs \
		--schedule "$work/schedule" 2>&1 >/dev/null
		cut -d , -f 1,6 "$work/schedule" | paste -sd ' ' -)" \
	"fathom: $work/numbers.swf: jobs that name no partition of the site, and run on all nodes: 1
job,start 1,0 3,0 2,60 4,120"

# lines of partitions as fathom convert reads them, too
cat >"$work/lines.conf" <<'END'
NodeName=n[1-4] CPUs=1
PartitionName=DEFAULT MaxTime=1
PartitionName=day,night Nodes=n[1-2] State=DOWN
PartitionName=night MaxTime=1h State=UP
PartitionName=rest State=UP
PartitionName=rest MaxTime=UNLIMITED Nodes=n[3-4]
END
jobs >"$work/jobs" <<'END'
1 2 30:00 night 00
2 2 2:00:00 night 00
3 1 1:00 day 00
4 2 2:00:00 rest 00
5 3 1:00 rest 00
END
is "several partitions on a line, several lines for one, and times with a unit" \
	"$(starts --from "$work/lines.conf"; cut -d : -f 3- "$work/remarks")" "1@0 4@0
 left out: 1 job too large for the machine or partition (--cpus)
 left out: 1 job with a time limit beyond MaxTime of the partition
 left out: 1 job of partitions that are not up"
is "the same in fathom convert" \
	"$(fathom convert --from "$work/lines.conf" --from "$work/jobs" --to fathom-jobs |
		grep '"name"' | grep -o '"name": "[a-z]*"\|"max_time": [0-9]*\|"node": [0-9]*' |
		cut -d ' ' -f 2 | paste -sd ' ' -)" '"day" 1 2 "night" 60 2 "rest" 2'

### the site's settings

jobs >"$work/jobs" <<'END'
1 10 2:00 - 00
2 2 2:00 short 01
3 2 2:00 long 02
END
sed -i 's/|10|2:00|$/|4|2:00|short/' "$work/jobs"
# field KEY: its value in JSON
field ()
{
	fathom replay "$work/jobs" --from "$work/slurm.conf" --json "$@" |
		grep -o "\"$key\": [^,]*" | head -n 1 | cut -d ' ' -f 2-
}
is "half-life and period" "$(key=half_life field) $(key=calc_period field)" "86400 60"
is "options go before them" "$(key=half_life field --half-life 2d) \
$(key=half_life field --set half_life=3d) $(key=calc_period field --calc-period 30)" \
	"172800 259200 30"
echo "PriorityFlags=DEPTH_OBLIVIOUS" >>"$work/slurm.conf"
is "the policy of PriorityFlags" "$(key=policy field)" '"depth-oblivious"'
cat >"$work/fathom.conf" <<'END'
Policy=lsf RunJobFactor=7
HalfLife=5d CalcPeriod=20
END
is "fathom.conf goes before slurm.conf" \
	"$(for key in policy half_life calc_period run_job_factor; do
		field --from "$work/fathom.conf"
	done | paste -sd ' ' -)" '"lsf" 432000 20 7'
is "--policy and --set before both" \
	"$(for key in policy hist_hours; do
		field --from "$work/fathom.conf" --policy lsf --set hist_hours=9
	done | tr -d '}' | paste -sd ' ' -)" '"lsf" 9'

# all of one user: without weights they go in the order of submission
cat >"$work/two.conf" <<'END'
NodeName=n1 CPUs=2
PartitionName=low Nodes=n1
PartitionName=high Nodes=n1 PriorityJobFactor=5
END
jobs >"$work/jobs" <<'END'
1 2 2:00 low 00
2 2 2:00 low 01
3 2 2:00 high 02
END
is "partitions with the same nodes are one machine" \
	"$(starts --from "$work/two.conf")" "1@0 2@60 3@120"
is "PriorityWeightPartition" \
	"$(starts --from "$work/two.conf" --set PriorityWeightPartition=100)" "1@0 3@60 2@120"
echo "PriorityWeightPartition=100" >>"$work/two.conf"
is "also of slurm.conf" "$(starts --from "$work/two.conf")" "1@0 3@60 2@120"
is "age goes before it if it weighs more" \
	"$(starts --from "$work/two.conf" --set PriorityWeightAge=1000000 \
		--set PriorityMaxAge=0-1 --calc-period 1)" "1@0 2@60 3@120"
sed 's/high Nodes=n1/& PriorityTier=2/' "$work/two.conf" >"$work/tiers.conf"
is "PriorityTier goes before all else, under any policy and scheduler" \
	"$(starts --from "$work/tiers.conf" --set PriorityWeightAge=1000000 \
		--set PriorityMaxAge=0-1 --calc-period 1
	for scheduler in easy conservative none strict; do
		starts --from "$work/tiers.conf" --set PriorityWeightPartition=0 --calc-period 1 \
			--policy "$(policies | tr ' ' ,)" --scheduler $scheduler
	done | sed 's/ 1@/\
1@/g' | sort | uniq -c | sed 's/^ *//')" \
	"1@0 3@60 2@120
28 1@0 3@60 2@120"
echo "PriorityWeightQOS=100" >>"$work/two.conf"
is "a weight that a replay cannot use is named" \
	"$(starts --from "$work/two.conf"; cat "$work/remarks")" "1@0 3@60 2@120
fathom: PriorityWeightQOS: left out; the trace names no QOS"
rejects "--strict refuses it" "fathom: PriorityWeightQOS: the trace names no QOS; --strict refuses \
this" \
	replay "$work/jobs" --from "$work/two.conf" --strict
rejects "partitions that nobody knows" "fathom: --set: PriorityWeightPartition: no partitions are \
known; give --from slurm.conf" replay "$work/jobs" --cpus 2 --set PriorityWeightPartition=1

rejects "no job is left" "fathom: $work/jobs: no job that can be replayed: left out: \
3 jobs too large for the machine or partition (--cpus)" \
	replay "$work/jobs" --cpus 1

### usage

cat >"$work/jobs" <<'END'
JobID|User|Account|State|Submit|Start|End|Elapsed|NCPUS|Timelimit|Partition
1|ada|a|COMPLETED|2026-09-01T00:00:00|Unknown|Unknown|00:01:40|2|2:00|low
2|ada|a|COMPLETED|2026-09-01T00:00:01|Unknown|Unknown|00:01:40|2|2:00|low
3|bob|b|COMPLETED|2026-09-01T00:00:02|Unknown|Unknown|00:01:40|2|2:00|low
END
is "who has used less goes first" "$(starts --cpus 2 --calc-period 10)" "1@0 3@100 2@200"
cat >"$work/usage" <<'END'
{"format": "fathom-usage", "version": 1,
 "usage": [{"account": "b", "user": "bob", "usage": 5000000, "cpu_time": 5000000}]}
END
is "--initial: usage alone, for the tree of the trace" \
	"$(starts --cpus 2 --calc-period 10 --from "$work/usage" --initial; cat "$work/remarks")" \
	"1@0 2@100 3@200"
is "under lsf too" \
	"$(starts --cpus 2 --calc-period 10 --from "$work/usage" --initial --policy lsf)" \
	"1@0 2@100 3@200"
sed 's/, "cpu_time": 5000000//' "$work/usage" >"$work/slurm-usage"
is "under lsf usage counts as CPU time, where there are no times" \
	"$(starts --cpus 2 --calc-period 10 --from "$work/slurm-usage" --initial --policy lsf
		sed 's/5000000, /5000000, "hist_run_time": 9, /; s/"cpu_time.*0}/"cpu_time": 0}/' \
			"$work/usage" >"$work/times"
		starts --cpus 2 --calc-period 10 --from "$work/times" --initial --policy lsf)" \
	"1@0 2@100 3@200
1@0 3@100 2@200"
is "without --initial it does not count" \
	"$(starts --cpus 2 --calc-period 10 --from "$work/usage")" "1@0 3@100 2@200"
cat >"$work/before" <<'END'
JobID|User|Account|State|Submit|Start|End|Elapsed|NCPUS|Timelimit|Partition
8|ada|a|COMPLETED|2026-07-20T00:00:00|2026-07-20T00:00:00|2026-07-31T00:00:00|11-00:00:00|2|2:00|low
9|bob|b|COMPLETED|2026-08-30T00:00:00|2026-08-30T00:00:00|2026-08-31T00:00:00|1-00:00:00|2|2:00|low
END
echo "HalfLife=0" >"$work/fathom.conf"
printf 'NodeName=n CPUs=2\nPartitionName=low Nodes=n\nPriorityDecayHalfLife=0\n' \
	>"$work/slurm.conf"
is "usage of records decays by the half-life of fathom.conf or slurm.conf, else of seven days" \
	"$(starts --cpus 2 --calc-period 10 --from "$work/before" --initial
		starts --cpus 2 --calc-period 10 --from "$work/before" --initial \
			--from "$work/fathom.conf"
		starts --calc-period 10 --from "$work/before" --initial \
			--from "$work/slurm.conf")" \
	"1@0 2@100 3@200
1@0 3@100 2@200
1@0 3@100 2@200"
is "--set half_life goes before them" \
	"$(starts --cpus 2 --calc-period 10 --from "$work/before" --initial --set half_life=0
		echo "HalfLife=7d" >"$work/fathom.conf"
		starts --cpus 2 --calc-period 10 --from "$work/before" --initial \
			--set half_life=0 --from "$work/fathom.conf")" \
	"1@0 3@100 2@200
1@0 3@100 2@200"
rejects "several half-lives for usage of records" "fathom: --set: half_life: given several times, \
but --initial takes usage of records, $work/before, by one; give one, or a file of fathom usage" \
	replay "$work/jobs" --cpus 2 --from "$work/before" --initial --set half_life=0 \
	--set half_life=1d
sed -i 's/"bob"/"eve"/' "$work/usage"
is "usage of nobody goes to the account" \
	"$(starts --cpus 2 --calc-period 10 --from "$work/usage" --initial; cat "$work/remarks")" \
	"1@0 2@100 3@200
fathom: $work/usage: usage of 1 association that the tree does not have, given to the account or \
the root"
cat >"$work/snapshot" <<'END'
{"format": "fathom-snapshot", "version": 1, "cluster": {"cpus": 2, "nodes": 1},
 "partitions": [{"name": "low", "max_time": 60}],
 "slurm_conf": "PriorityDecayHalfLife=2-0\nPriorityFlags=NO_FAIR_TREE\n",
 "fathom_conf": "CalcPeriod=10\n",
 "tree": [{"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
  {"id": 2, "parent": 1, "name": "a", "kind": "account", "shares": 1, "usage": 0},
  {"id": 3, "parent": 2, "name": "ada", "kind": "user", "shares": 1, "usage": 0},
  {"id": 4, "parent": 1, "name": "b", "kind": "account", "shares": 1, "usage": 0},
  {"id": 5, "parent": 4, "name": "bob", "kind": "user", "shares": 1, "usage": 5000000}]}
END
is "a snapshot has all of it" \
	"$(starts --from "$work/snapshot" --initial -v; sed 's/^[^,]*, //' "$work/remarks")" \
	"1@0 2@100 3@200
3 jobs of 2 users in 2 accounts, 2 CPUs"
is "also policy and times" \
	"$(fathom replay "$work/jobs" --from "$work/snapshot" --json |
		grep -o '"policy": "[a-z]*"\|"half_life": [0-9]*\|"calc_period": [0-9]*' |
		paste -sd ' ' -)" '"calc_period": 10 "policy": "classic" "half_life": 172800'

if built_with muParser "fairshare_usage_res"; then
	is "fairshare_usage_res is what counts" \
		"$(for formula in cput "ncpus*walltime" "0*walltime"; do
			starts --cpus 2 --calc-period 10 --policy pbs \
				--set "fairshare_usage_res=$formula"
		done)" "1@0 3@100 2@200
1@0 3@100 2@200
1@0 2@100 3@200"
	rejects "fairshare_usage_res of what no trace tells" \
		"fathom: fairshare_usage_res: mem: the trace does not tell it; use ncpus, nodect, \
walltime and cput" replay "$work/jobs" --cpus 2 --policy pbs --set fairshare_usage_res=mem
fi
rejects "entities that no trace tells" "fathom: fairshare_entity: a replay charges users and \
accounts, must be euser or Account_Name" \
	replay "$work/jobs" --cpus 2 --policy pbs --set fairshare_entity=queue

### scopes

cat >"$work/scopes" <<'END'
Policy=classic CalcPeriod=10
Scope=l Partitions=low
Scope=h Partitions=high
END
sed -i /QOS/d "$work/two.conf"
sed -i /Weight/d "$work/two.conf"
cat >"$work/jobs" <<'END'
JobID|User|Account|State|Submit|Start|End|Elapsed|NCPUS|Timelimit|Partition
1|ada|a|COMPLETED|2026-09-01T00:00:00|Unknown|Unknown|00:01:40|2|2:00|low
2|bob|a|COMPLETED|2026-09-01T00:00:01|Unknown|Unknown|00:01:40|2|2:00|high
3|ada|a|COMPLETED|2026-09-01T00:02:30|Unknown|Unknown|00:01:40|2|2:00|low
4|ada|a|COMPLETED|2026-09-01T00:02:40|Unknown|Unknown|00:01:40|2|2:00|high
END
# in the scope of high ada has used nothing
is "a scope has its own usage" \
	"$(starts --from "$work/two.conf" --policy classic --calc-period 10; \
		starts --from "$work/two.conf" --from "$work/scopes")" "1@0 2@100 3@200 4@300
1@0 2@100 4@200 3@300"
is "policies side by side" \
	"$(starts --from "$work/two.conf" --from "$work/scopes" --policy classic,fcfs)" \
	"1@0 2@100 4@200 3@300 1@0 2@100 3@200 4@300"
sed -i 's/^Scope=h.*/& Policy=fcfs/' "$work/scopes"
is "a scope that is first come, first served has the factor 1" \
	"$(starts --from "$work/two.conf" --from "$work/scopes")" "1@0 2@100 4@200 3@300"
sed -i 's/Policy=classic/Policy=lsf/; s/^Scope=h.*/Scope=h Partitions=high/' "$work/scopes"
is "lsf: the queue of greater PriorityJobFactor goes first" \
	"$(starts --from "$work/two.conf" --from "$work/scopes")" "1@0 2@100 4@200 3@300"
sed 's/ PriorityJobFactor=5//; s/low Nodes=n1/& PriorityJobFactor=9/' "$work/two.conf" \
	>"$work/low.conf"
is "whichever that is" \
	"$(starts --from "$work/low.conf" --from "$work/scopes")" "1@0 2@100 3@200 4@300"
cat >"$work/sets" <<'END'
Policy=classic CalcPeriod=10
Scope=s Partitions=low,high MasterQueue=high DispatchOrder=queue
END
is "DispatchOrder=queue: the partition before the user" \
	"$(starts --from "$work/two.conf" --from "$work/sets"
		starts --from "$work/low.conf" --from "$work/sets")" "1@0 2@100 4@200 3@300
1@0 2@100 3@200 4@300"

# refuses NAME MESSAGE LINE...: a fathom.conf of these lines
refuses ()
{
	name=$1 message=$2
	shift 2
	printf '%s\n' "$@" >"$work/wrong"
	rejects "$name" "fathom: $work/wrong:$message" \
		replay "$work/jobs" --from "$work/two.conf" --from "$work/wrong"
}
refuses "a partition that slurm.conf does not have" \
	"1: Partitions: 'none' is not a partition of slurm.conf" "Scope=s Partitions=none"
printf '%s\n' "Policy=lsf CalcPeriod=10" "Scope=s Partitions=low Policy=classic" >"$work/mixed"
is "orders of dispatch beside factors: a first place is the factor 1" \
	"$(starts --from "$work/two.conf" --from "$work/mixed")" "1@0 2@100 4@200 3@300"
refuses "the queue before the user in an order of dispatch" \
	"2: DispatchOrder: queue cannot be replayed with an order of dispatch; set \
run_job_factor=0" \
	"Policy=lsf" "Scope=s Partitions=low,high MasterQueue=high DispatchOrder=queue"
refuses "a key of another policy" \
	"1: TieMode: policy lsf of scope 's' has no such setting; see fathom.conf(5)" \
	"Scope=s Partitions=low Policy=lsf TieMode=slurm"
rejects "scopes of unknown partitions" \
	"fathom: $work/scopes:2: Scope: no partitions are known; also give --from slurm.conf" \
	replay "$work/jobs" --cpus 2 --from "$work/scopes"

### mistakes

# wrong NAME MESSAGE LINE...: a slurm.conf of these lines
wrong ()
{
	name=$1 message=$2
	shift 2
	printf '%s\n' "$@" >"$work/wrong.conf"
	rejects "$name" "fathom: $work/wrong.conf:$message" \
		replay "$work/jobs" --from "$work/wrong.conf"
}
wrong "a node that no line describes" \
	"2: Nodes: 'n2' is no node of a NodeName or NodeSet line" \
	"NodeName=n1" "PartitionName=a Nodes=n1,n2"
wrong "a node twice" "2: NodeName: n1 has a line already, must have one" \
	"NodeName=n1" "NodeName=n[1-2]"
wrong "CPUs that are no number" "1: CPUs is 'many', must be a whole number" "NodeName=n1 CPUs=many"
wrong "no CPUs" "1: NodeName is 'n1', and has no CPUs, must have 1 or more" \
	"NodeName=n1 CPUs=0 Sockets=0"
wrong "a time" "2: MaxTime is 'soon', 'soon' is not a time of slurm.conf; give minutes, or \
D-HH:MM:SS, or a number with s, m, h, d or w" "NodeName=n1" "PartitionName=a Nodes=n1 MaxTime=soon"
wrong "an open bracket" "1: NodeName is 'n[1-', 'n[1-' has a '[' without ']'" "NodeName=n[1-"
wrong "nodes that do not run jobs" " no partition has a node that runs jobs" \
	"NodeName=n1 State=DOWN" "PartitionName=a Nodes=n1"
rejects "two files of the same kind" "fathom: $work/two.conf: only one file may have settings of \
slurm.conf; $work/slurm.conf already does" \
	replay "$work/jobs" --from "$work/slurm.conf" --from "$work/two.conf"
rejects "--initial without a tree" "fathom: --initial: no file of --from has usage" \
	replay "$work/jobs" --from "$work/two.conf" --initial

### records of PBS and LSF at a site of theirs

printf '%s\n' 'physics 10 root 40' 'ada 12 physics 50' 'bob 13 physics 50' >"$work/group"
# ran JOB USER SUBMIT SECONDS CPUTIME: on the machine's only CPU, or one of its 4
ran ()
{
	echo "01/26/2026 00:00:37;E;$1.pbs;user=$2 group=g queue=q ctime=$((1000000 + $3))" \
		"start=$((1000000 + $3)) end=$((1000000 + $3 + $4)) Resource_List.ncpus=1" \
		"resources_used.cput=$5 resources_used.ncpus=1 resources_used.walltime=$4"
}
# by 200 s ada has run 150 s with 10 of CPU time, bob 50 s with 50 of CPU time
{
	ran 1 ada 0 150 10
	ran 2 bob 1 50 50
	ran 3 bob 2 100 10
	ran 4 ada 3 100 10
} >"$work/jobs"
# first OPTION...: which of jobs 3 and 4 goes first
first ()
{
	starts --cpus 1 --calc-period 10 "$@" | grep -o '[34]@200'
}
is "usage of a log is cput" "$(first --from "$work/group" --policy pbs)" 4@200
echo fair_share: true >"$work/sched"
is "also beside sched_config" "$(first --from "$work/group" --from "$work/sched")" 4@200
echo fairshare_usage_res: walltime >>"$work/sched"
! built_with muParser "or what sched_config says" ||
	is "or what sched_config says" "$(first --from "$work/group" --from "$work/sched"
		sed -i 's/walltime/"ncpus*walltime-4*cput"/' "$work/sched"
		first --from "$work/group" --from "$work/sched")" "3@200
3@200"
# job 3 is submitted before job 4, but by fair share bob comes behind ada
off="fair share has no weight, so jobs go first come, first served; --policy orders them by it"
echo fair_share: false ALL >"$work/off"
is "without fair_share, first come, first served" \
	"$(first --from "$work/group" --from "$work/off"; cat "$work/remarks")" \
	"3@200
fathom: $work/off:1: $off"
is "PBS is so by default" "$(echo unknown_shares: 10 >"$work/off.too"
	first --from "$work/group" --from "$work/off.too"; cat "$work/remarks")" \
	"3@200
fathom: $work/off.too: $off"
echo Policy=pbs >"$work/policy.conf"
printf '%s\n' ClusterName=c PriorityWeightFairshare=0 >"$work/weight.conf"
is "as slurm.conf with that weight of 0" "$(first --from "$work/group" \
	--from "$work/policy.conf" --from "$work/weight.conf"; cat "$work/remarks")" \
	"3@200
fathom: $work/weight.conf:2: $off"
echo Policy=fcfs >"$work/policy.conf"
is "a policy without fair share needs no weight" "$(first --from "$work/group" \
	--from "$work/policy.conf" --from "$work/weight.conf"; cat "$work/remarks")" 3@200
printf 'create queue %s\nset queue %s Priority = %s\n' q q 10 high high 20 >"$work/queues"
cp "$work/jobs" "$work/kept"
sed -i '/;4\.pbs;/s/queue=q/queue=high/' "$work/jobs"
is "queues order jobs, if they have priorities" "$(starts --cpus 1 --from "$work/group" \
	--from "$work/off" --from "$work/queues" | grep -o '4@[0-9]*'; cat "$work/remarks")" 4@150
mv "$work/kept" "$work/jobs"
for option in --policy=pbs --set=PriorityWeightFairshare=100; do
	is "but with $option, fair share" "$(first --from "$work/group" --from "$work/off" \
		$option; cat "$work/remarks")" 4@200
done
is "--scheduler trace has no order" "$(fathom replay "$work/jobs" --cpus 1 --scheduler trace \
	--from "$work/group" --from "$work/off" 2>&1 >/dev/null)" ""
is "in shares it is the same" "$(fathom shares --view pbsfs --from "$work/jobs" \
	--from "$work/group" | grep -o '^[ab].*Usage: [0-9]*' | tr -s ' ')" \
	"bob : Grp: 10 cgrp: 13 Shares: 50 Usage: 60
ada : Grp: 10 cgrp: 12 Shares: 50 Usage: 20"

# users whom the tree does not name
sed 's/user=bob/user=eve/; s/ 4.pbs/&/' "$work/jobs" >"$work/eve" && mv "$work/eve" "$work/jobs"
{
	ran 5 zoe 4 100 0
	ran 6 eve 5 100 0
} >>"$work/jobs"
# shared NUMBER OPTION...: with these unknown_shares
shared ()
{
	shares=$1
	shift
	starts --cpus 1 --calc-period 10 --from "$work/group" --policy pbs \
		--set unknown_shares="$shares" "$@"
}
is "users of the group unknown have its shares" "$(shared 1000; shared 1000 --set order=path)" \
	"1@0 2@150 5@200 3@300 6@400 4@500
1@0 2@150 5@200 3@300 6@400 4@500"
is "without shares they go last" "$(shared 0; shared 0 --set fairshare_enforce_no_shares=no)" \
	"1@0 4@150 2@250 3@300 5@400 6@500
1@0 4@150 2@250 3@300 5@400 6@500"
is "no job is left out" "$(fathom replay "$work/jobs" --cpus 1 --from "$work/group" --policy pbs \
	--set unknown_shares=7 --strict --json |
	grep -Eo '"(jobs": [0-9]*, "users|skipped|unknown_shares)": [^,]*' | paste -sd ' ' -)" \
	'"jobs": 6, "users": 3 "skipped": {}} "unknown_shares": 7'
printf '%s\n' 'fair_share: true ALL' 'unknown_shares: 120' >"$work/shared"
# errors OPTION...: the share errors of rows; on 10 CPUs nobody waits
errors ()
{
	fathom replay "$work/jobs" --cpus 10 --calc-period 10 --from "$work/group" "$@" -nP |
		cut -d '|' -f 10 | sort | uniq -c | tr -s ' '
}
with=$(errors --from "$work/shared" --policy pbs)
is "all policies are measured by the same shares" \
	"$(errors --from "$work/shared" --policy pbs,fair-tree,fcfs)" \
	"$(echo "$with" | sed 's/ 1 / 3 /')"
is "so are all values of unknown_shares, by the first" \
	"$(errors --policy pbs --set unknown_shares=120 --set unknown_shares=9)" \
	"$(echo "$with" | sed 's/ 1 / 2 /')"
# printed OPTION...: the shares in JSON and in the tables
printed ()
{
	fathom replay "$work/jobs" --cpus 10 --from "$work/group" --json "$@" |
		grep -o '"unknown", "share": [0-9.]*'
	fathom replay "$work/jobs" --cpus 10 --from "$work/group" --out "$work/by-share/" "$@" \
		>"$work/out"
	sed -n 's/^[^,]*,\([^,]*,*unknown,[^,]*\),.*/\1/p' "$work/by-share/users.csv" \
		"$work/by-share/accounts.csv"
}
shares='"unknown", "share": 0.75
eve,unknown,0.375
zoe,unknown,0.375
unknown,0.75'
is "and printed, whatever the policy" "$(printed --from "$work/shared" --policy pbs | sort
	printed --from "$work/shared" --policy fcfs | sort)" "$(echo "$shares" | sort
	echo "$shares" | sort)"
is "also those of --set" "$(printed --policy pbs --set unknown_shares=120 | sort)" \
	"$(echo "$shares" | sort)"
fathom convert --from "$work/group" --to sshare >"$work/plain"
is "under a tree of another system they are, but not users of another account" \
	"$(fathom replay "$work/jobs" --cpus 1 --from "$work/plain" --policy pbs 2>&1 >/dev/null)" \
	"fathom: $work/jobs: left out: 4 jobs of users and accounts that the tree does not have \
(--from)
fathom: $work/jobs: jobs in accounts that do not have their users in the tree, and that count in \
the users' default or only account: 2"
# whose: the accounts in which jobs count
whose ()
{
	fathom replay "$work/jobs" --cpus 1 --from "$work/moved" --out "$work/whose/" \
		>/dev/null 2>&1
	sed 1d "$work/whose/users.csv" | cut -d , -f 2,3,5
}
cat >"$work/moved" <<'END'
Cluster - 'c'
Parent - 'root'
Account - 'a':FairShare=1
Account - 'b':FairShare=1
Parent - 'a'
User - 'ada':FairShare=1
User - 'eve':FairShare=1
User - 'zoe':FairShare=1:Partition='p'
Parent - 'b'
User - 'ada':DefaultAccount='b':FairShare=1
User - 'eve':FairShare=1
END
is "nor is one of several accounts chosen, unless it is the default" "$(whose)" "ada,b,2"
sed -i "/eve/s/:/:DefaultAccount='b':/" "$work/moved"
is "as with several" "$(whose | sort)" "ada,b,2
eve,b,3"

# finished JOB USER SUBMIT SECONDS CPUTIME: the same for LSF
finished ()
{
	echo "\"JOB_FINISH\" \"10.1\" $((1000000 + $3 + $4)) $1 1001 1 1 $((1000000 + $3)) 0 0" \
		"$((1000000 + $3)) \"$2\" \"night\" \"\" \"\" \"\" \"login\" \"/\" \"\" \"\" \"\"" \
		"\"f\" 0 1 \"1*n1\" 64 1.0 \"job\" \"x\" $5 0 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1" \
		"-1 -1 -1 -1 -1 \"\" \"p\" 0 1 \"\" \"\""
}
{
	finished 1 ada 0 150 10
	finished 2 bob 1 50 50
	finished 3 bob 2 100 10
	finished 4 ada 3 100 10
} >"$work/jobs"
cp "$work/jobs" "$work/before"
{
	finished 5 eve 300 100 1
	finished 6 ada 301 100 1
	finished 7 bob 302 100 1
} >"$work/jobs"
echo 'Policy=lsf' >"$work/fathom.conf"
is "usage of records counts as fathom.conf says" \
	"$(starts --cpus 1 --from "$work/before" --from "$work/fathom.conf" --initial
		echo 'EnableHistRunTime=yes' >>"$work/fathom.conf"
		starts --cpus 1 --from "$work/before" --from "$work/fathom.conf" --initial)" \
	"5@0 6@100 7@200
5@0 7@100 6@200"
mv "$work/before" "$work/jobs"
is "usage of lsb.acct is its user and system time; run time of ended jobs if it is enabled" \
	"$(first --policy lsf; first --policy lsf --set enable_hist_run_time=yes
		sed 's/"x" [0-9]* 0/"x" -1 -1/' "$work/jobs" >"$work/unknown" &&
			mv "$work/unknown" "$work/jobs"
		first --policy lsf)" "4@200
3@200
3@200"

# the same for Slurm
cat >"$work/jobs" <<'END'
JobID|User|Account|State|Submit|Start|End|Elapsed|AllocTRES|TotalCPU
1|ada|a|COMPLETED|2026-09-01T00:00:00|Unknown|Unknown|00:02:30|cpu=1|00:10.250
2|bob|b|COMPLETED|2026-09-01T00:00:01|Unknown|Unknown|00:00:50|cpu=1|00:50.000
3|bob|b|COMPLETED|2026-09-01T00:00:02|Unknown|Unknown|00:01:40|cpu=1|00:00:10
4|ada|a|COMPLETED|2026-09-01T00:00:03|Unknown|Unknown|00:01:40|cpu=1|00:00:10
END
# steps that nobody has measured have 0
sed '4,$s/|[^|]*$/|00:00:00/' "$work/jobs" >"$work/measured"
is "CPU time of sacct is TotalCPU, where steps were measured" \
	"$(first --policy lsf; first --policy pbs
		sed -i '2,$s/|[^|]*$/|00:00:00/' "$work/jobs"
		first --policy lsf; first --policy pbs)" "4@200
4@200
3@200
3@200"
like "--verbose says which counts" \
	"$(fathom replay "$work/measured" --cpus 1 -v 2>&1 >/dev/null)" \
	"*measured: tells the CPU time of jobs; of others CPUs times run time counts: 2"
sed '2s/[^|]*$/soon/' "$work/jobs" >"$work/wrong"
rejects "a CPU time that is none" "fathom: $work/wrong:2: TotalCPU is 'soon', must be a duration \
such as 1-02:03:04" replay "$work/wrong" --cpus 1
# the same as sacct --json has it
# json NUMBER USER ACCOUNT SECONDS CPU_SECONDS MICROSECONDS
json ()
{
	echo "{\"job_id\": $1, \"user\": \"$2\", \"account\": \"$3\", \"allocation_nodes\": 1,"
	echo " \"state\": {\"current\": [\"COMPLETED\"]}, \"required\": {\"CPUs\": 1}, \"time\":"
	echo " {\"submission\": 170000000$1, \"start\": 1700000100, \"elapsed\": $4,"
	echo " \"total\": {\"seconds\": $5, \"microseconds\": $6}}}"
}
{
	echo '{"jobs": ['
	json 1 ada a 150 10 250000
	echo ,
	json 2 bob b 50 50 0
	echo ,
	json 3 bob b 100 0 0
	echo ,
	json 4 ada a 100 0 0
	echo ']}'
} >"$work/jobs"
is "CPU time of sacct --json" \
	"$(first --policy lsf; first --policy pbs
		sed -i 's/"total"/"no_total"/' "$work/jobs"
		first --policy lsf; first --policy pbs)" "4@200
4@200
3@200
3@200"

### associations of partitions

cat >"$work/jobs" <<'END'
JobID|User|Account|Partition|State|Submit|Start|End|Elapsed|NCPUS
1|ann|a|cpu|COMPLETED|0|0|3600|01:00:00|4
2|ann|a|gpu|COMPLETED|0|0|3600|01:00:00|4
END
cat >"$work/tree" <<'END'
Cluster - 'x':Fairshare=1
Parent - 'root'
Account - 'a':Fairshare=1
Parent - 'a'
User - 'ann':Fairshare=1
User - 'ann':Partition='gpu':Fairshare=2
END
is "JSON tells them apart" "$(fathom replay "$work/jobs" --cpus 4 --from "$work/tree" --json |
	grep '"user": "ann"' | sort)" '{"user": "ann", "account": "a", "jobs": 1, "mean_wait": 0},
{"user": "ann", "account": "a", "partition": "gpu", "jobs": 1, "mean_wait": 3600}],'
finish
