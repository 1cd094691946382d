#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom replay --cluster: traces of several clusters under separate and under global shares.
. "${srcdir:=.}/tests/cli/lib.sh"

# west: user1 has 2 CPUs for 20 minutes. east: user2 has all 4 for as long, then both want them.
cat >"$work/west.swf" <<'END'
; MaxProcs: 2
1 0 0 1200 2 -1 -1 2 3600 -1 1 1 1 -1 -1 -1 -1 -1
END
cat >"$work/east.swf" <<'END'
; MaxProcs: 4
1   0    0 1200 4 -1 -1 4 3600 -1 1 2 1 -1 -1 -1 -1 -1
2 600  600  600 4 -1 -1 4 3600 -1 1 1 1 -1 -1 -1 -1 -1
3 660 1140  600 4 -1 -1 4 3600 -1 1 2 1 -1 -1 -1 -1 -1
END

# replay [OPTION...]: both; their schedule is in $work/starts
replay ()
{
	fathom replay --cluster "west=$work/west.swf${weight:-}" --cluster "east=$work/east.swf" \
		--schedule "$work/starts" "$@"
}

# order POLICY: jobs of east in the order of starts
order ()
{
	awk -F, -v policy="$1" '$8 == policy && $9 == "east" { print $1 }' "$work/starts" |
		paste -sd ' ' -
}

### who goes first

# On east user2 has used 4800 CPU seconds when its first job ends, user1 none; on west user1 has
# used 2400. With a weight of 3 these are 7200 on east.
weight=,weight=3
for policy in $(policies); do
	replay --policy "$policy" >"$work/table"
	wanted="1 3 2"
	[ "$policy" != fcfs ] || wanted="1 2 3"
	is "$policy: by what each has used there" "$(order "$policy separate")" "1 2 3"
	is "$policy: by what each has used in all" "$(order "$policy global")" "$wanted"
done
replay -P >"$work/table"
is "a row for each cluster and one for all" "$(cut -d '|' -f 1-4,7,9,10 "$work/table")" \
	"Policy|Cluster|Jobs|MeanWait|Longest|Util%|Makespan
fair-tree separate|west|1|0|0|100.00|1200
fair-tree separate|east|3|580|1140|100.00|2400
fair-tree separate|all|4|435|1140|83.33|2400
fair-tree global|west|1|0|0|100.00|1200
fair-tree global|east|3|580|1200|100.00|2400
fair-tree global|all|4|435|1200|83.33|2400"
is "the schedule tells the cluster" "$(head -n 2 "$work/starts")" \
	"job,user,account,cpus,submit,start,end,policy,cluster
1,user1,group1,2,0,0,1200,fair-tree separate,west"
for weight in ,weight=1.9 ,weight=0 ''; do
	replay >"$work/table"
	is "a weight of '${weight#,weight=}': less than user2 has used" \
		"$(order "fair-tree global")" "1 2 3"
done
weight=,weight=2.1
replay >"$work/table"
is "a weight of 2.1: more" "$(order "fair-tree global")" "1 3 2"
replay --scheduler easy,trace -nP >"$work/table" 2>&1
is "under trace shares change nothing" "$(cut -d '|' -f 1 "$work/table" | uniq -c |
	sed 's/^ *//')" "3 fair-tree separate
3 fair-tree global
3 trace"

### machines

weight=',cpus=3,nodes=1'
is "each cluster has its machine" "$(replay -nP | cut -d '|' -f 2,9 | head -n 3)" \
	"west|66.67
east|100.00
all|71.43"
cp "$work/west.swf" "$work/we,st=1.swf"
is "commas and equals signs in the name of a file" \
	"$(fathom replay --cluster "a=$work/we,st=1.swf" --cluster "b=$work/east.swf" 2>&1 |
		tail -n 1)" \
	"fathom: --cluster: 'st=1.swf', must be cpus=NUMBER, nodes=NUMBER, weight=NUMBER or \
from=FILE"
mv "$work/we,st=1.swf" "$work/w=e,st.swf"
ok "others are allowed" fathom replay --cluster "a=$work/w=e,st.swf,cpus=2" \
	--cluster "b=$work/east.swf"
weight=
is "--cpus is for those that have none of their own" \
	"$(replay --cpus 8 -nP | cut -d '|' -f 2,9 | head -n 2)" \
	"west|25.00
east|66.67"

# user1's job has 0.5 more of fair share; user2's is larger by 3 of 4 CPUs and 3 of the nodes
sed 's/^2 600  600  600 4 -1 -1 4/2 600  600  600 1 -1 -1 1/' "$work/east.swf" >"$work/sized.swf"
for nodes in 4 1000; do
	fathom replay --cluster "east=$work/sized.swf,nodes=$nodes" \
		--cluster "west=$work/west.swf" --nodes 9 --set PriorityWeightFairshare=1000 \
		--set PriorityWeightJobSize=1000 --schedule "$work/starts" >"$work/table"
	order "fair-tree separate"
done >"$work/orders"
is "the job size factor goes by the cluster's own nodes" "$(cat "$work/orders")" "1 3 2
1 2 3"

### figures of users

weight=,weight=3
replay --out "$work/tables/" >"$work/table"
is "waits of users on each cluster and on all" \
	"$(cut -d , -f 1,2,5,6,13,14 "$work/tables/users.csv")" \
	"policy,user,jobs,mean_wait,wait_change,cluster
fair-tree separate,user1,1,0,0,west
fair-tree separate,user1,1,600,0,east
fair-tree separate,user2,2,570,0,east
fair-tree separate,user1,2,300,0,all
fair-tree separate,user2,2,570,0,all
fair-tree global,user1,1,0,0,west
fair-tree global,user1,1,1200,600,east
fair-tree global,user2,2,270,-300,east
fair-tree global,user1,2,600,300,all
fair-tree global,user2,2,270,-300,all"
is "and of accounts" "$(cut -d , -f 1,2,4,5,13 "$work/tables/accounts.csv" | tail -n 1)" \
	"fair-tree global,group1,4,435,all"
replay --json >"$work/json"
is "JSON has all clusters, and in it each" "$(python3 -c 'import json, sys
for policy in json.load(sys.stdin)["policies"]:
	for of in [policy] + policy["clusters"]:
		print(of["name"], of["shares"], of["cluster"], of["mean_wait"], len(of["users"]),
			len(of["series"]["accounts"]))' <"$work/json")" \
"fair-tree separate separate all 435 2 1
fair-tree separate separate west 0 1 1
fair-tree separate separate east 580 2 1
fair-tree global global all 435 2 1
fair-tree global global west 0 1 1
fair-tree global global east 580 2 1"
is "and the sums of the traces" "$(python3 -c 'import json, sys
trace = json.load(sys.stdin)["trace"]
for of in [trace] + trace["clusters"]:
	print(of.get("cluster"), of.get("weight"), of["jobs"], of["users"], of["cpus"])
' <"$work/json")" \
"None None 4 2 6
west 3 1 1 2
east 1 3 2 4"
if fathom report --help >"$work/help" 2>&1; then
	ok "a page of it" fathom report "$work/json" --out "$work/page.html"
fi
for threads in 1 4; do
	replay --policy fair-tree,pbs,lsf --scheduler easy,conservative --threads $threads --json |
		sed 's/"wall_seconds": [^,]*//g' >"$work/threads$threads"
done
ok "nothing depends on threads" cmp "$work/threads1" "$work/threads4"

### public logs

log=$data/slurm/xdmod/phillips.log.xz
sample=$data/swf/gofree_sample.swf.xz
# both FILE... : of the logs, in one time
both ()
{
	fathom replay --cluster "phillips=$log,cpus=340" --cluster "gofree=$sample" "$@" \
		2>"$work/err"
}
both --policy classic,lsf -nP >"$work/table"
for policy in classic lsf; do
	{ fathom replay "$log" --cpus 340 --policy $policy -nP
	  fathom replay "$sample" --policy $policy -nP; } 2>"$work/err" | cut -d '|' -f 2-9 \
		>"$work/alone"
	for shares in separate global; do
		is "$policy: $shares shares: without common users as each alone" \
			"$(grep "^$policy $shares|[pg]" "$work/table" | cut -d '|' -f 3-10)" \
			"$(cat "$work/alone")"
	done
done
xz -dc "$log" | awk 'NR % 2' >"$work/odd"
xz -dc "$log" | awk 'NR % 2 == 0' >"$work/even"
fathom replay --cluster "odd=$work/odd" --cluster "even=$work/even" --cpus 64 \
	--out "$work/tables/" >"$work/table" 2>&1
is "halves of a log: with common users the waits change" \
	"$(awk -F, '$14 == "all" && $13 != 0 { print $2, ($13 > 0 ? "longer" : "shorter") }' \
		"$work/tables/users.csv")" \
	"noror longer
honbu shorter
alpsw longer"

### one time

cat >"$work/early.swf" <<'END'
; MaxProcs: 4
; UnixStartTime: 1788220800
1    0 -1  600 4 -1 -1 4  600 -1 1 1 1 -1 -1 -1 -1 -1
END
sed 's/1788220800/1788221400/; s/^1  */&600 + /; s/600 + 0/0/' "$work/early.swf" >"$work/late.swf"
fathom replay --cluster "early=$work/early.swf" --cluster "late=$work/late.swf" \
	--schedule "$work/starts" -nP >"$work/table"
is "times go by UnixStartTime" "$(awk -F, '/separate/ { print $9, $5 }' "$work/starts")" \
	"early 0
late 600"
is "each makespan begins with the cluster's own jobs" "$(cut -d '|' -f 2,9,10 "$work/table" |
	head -n 3)" \
	"early|100.00|600
late|100.00|600
all|50.00|1200"
fathom replay --cluster "early=$work/early.swf" --cluster "late=$work/late.swf" --align \
	--schedule "$work/starts" >"$work/table"
is "--align: all begin at once" "$(awk -F, '/separate/ { print $9, $5 }' "$work/starts")" \
	"early 0
late 0"
rejects "a trace whose beginning is not known beside one that tells it" \
	"fathom: $work/west.swf: does not say when it begins (UnixStartTime), but $work/early.swf \
does; give --align, and both begin at the same time" \
	replay --cluster "a=$work/early.swf" --cluster "b=$work/west.swf"
ok "they can be aligned" fathom replay --cluster "a=$work/early.swf" \
	--cluster "b=$work/west.swf" --align

### the site

printf '%s\n' 'group1 10 root 60' 'user1 11 group1 1' >"$work/group"
fathom replay --cluster "west=$work/west.swf,weight=3" --cluster "east=$work/east.swf" \
	--from "$work/group" --policy pbs --schedule "$work/starts" >"$work/table" 2>&1
is "users whom the tree of PBS does not have are in its group unknown" \
	"$(awk -F, '/separate/ { print $2 "/" $3 }' "$work/starts" | sort -u)" \
	"user1/group1
user2/unknown"
cat >"$work/tree" <<'END'
Account|User|RawShares|RawUsage
root|||0
 group1||1|0
  group1|user1|1|0
END
is "users whom another tree does not have are left out, on each cluster" \
	"$(weight='' replay --from "$work/tree" -nP 2>&1 | grep -v global | cut -d '|' -f 1-3)" \
	"fathom: $work/east.swf: left out: 2 jobs of users and accounts that the tree does \
not have (--from)
fair-tree separate|west|1
fair-tree separate|east|1
fair-tree separate|all|2"
cat >"$work/slurm.conf" <<'CONF'
NodeName=n1 CPUs=4
PartitionName=all Nodes=n1 Default=YES
CONF
echo "Scope=one Partitions=all Policy=classic" >"$work/fathom.conf"
weight=,weight=3
replay --from "$work/slurm.conf" --from "$work/fathom.conf" >"$work/table"
is "usage of a scope counts in the same scope of the others" \
	"$(order "fair-tree separate"), $(order "fair-tree global")" "1 2 3, 1 3 2"

# east has a partition of 4 CPUs and another one of 2
cat >"$work/east.conf" <<'CONF'
NodeName=n1 CPUs=4
NodeName=n2 CPUs=2
PartitionName=all Nodes=n1 Default=YES
PartitionName=other Nodes=n2
CONF
sed '1s/.*/NodeName=n1 CPUs=3/; 2q' "$work/slurm.conf" >"$work/west.conf"
set -- --cluster "west=$work/west.swf,from=$work/west.conf" \
	--cluster "east=$work/east.swf,from=$work/east.conf"
is "each cluster has the nodes of its own slurm.conf" \
	"$(fathom replay "$@" -nP | cut -d '|' -f 2-4,9 | head -n 3)" \
	"west|1|0|66.67
east|3|580|66.67
all|4|435|55.56"
ok "one has none: Slurm's own policy is in force on both" \
	fathom replay "$1" "$2" --cluster "east=$work/east.swf"
echo PriorityDecayHalfLife=0 >>"$work/west.conf"
fathom replay "$@" --json >"$work/json"
is "half-lives may differ" "$(grep -o '"half_life": [0-9]*' "$work/json" | head -n 3 | sort -u)" \
	'"half_life": 0
"half_life": 604800'
echo PriorityCalcPeriod=2 >>"$work/west.conf"
rejects "periods may not" "fathom: --cluster: west and east must have the same PriorityCalcPeriod; \
give --calc-period" replay "$@"
ok "unless --calc-period is given" fathom replay "$@" --calc-period 60
echo PriorityUsageResetPeriod=DAILY >>"$work/west.conf"
rejects "nor may resets" \
	"fathom: --cluster: west and east must have the same PriorityUsageResetPeriod" \
	replay "$@" --calc-period 60
echo PriorityFlags=NO_FAIR_TREE >>"$work/west.conf"
rejects "nor may policies" "fathom: --cluster: west and east must have the same policy; give \
--policy" replay "$@" --calc-period 60
rejects "a tree in place of slurm.conf" "fathom: --cluster: a: from=$work/tree: is no slurm.conf; \
--from gives what is for all clusters" \
	replay --cluster "a=$work/west.swf,from=$work/tree" --cluster "b=$work/east.swf"

### errors

a="a=$work/west.swf" b="b=$work/east.swf"
rejects "one cluster" "fathom: --cluster: must be given for two clusters or more; a single trace \
needs no name" replay --cluster "$a"
rejects "a trace beside clusters" "fathom: --cluster: takes no trace beside it, such as x.swf; \
give it as NAME=x.swf" replay x.swf --cluster "$a" --cluster "$b"
rejects "no name" "fathom: --cluster: 'west.swf', must be \
NAME=TRACE[,cpus=NUMBER][,nodes=NUMBER][,weight=NUMBER][,from=FILE]" replay --cluster west.swf
rejects "a name twice" "fathom: --cluster: a: given twice" replay --cluster "$a" --cluster "$a"
rejects "the name of all" "fathom: --cluster: all: is the name of all clusters together, must be \
another" replay --cluster "all=x"
for wrong in 0 1.5 '' 4294967296 1e3; do
	rejects "cpus=$wrong" "fathom: --cluster: 'cpus=$wrong', must be a whole number from 1 to \
4294967295" replay --cluster "$a,cpus=$wrong"
done
for wrong in -1 x 1000001 nan; do
	rejects "weight=$wrong" "fathom: --cluster: 'weight=$wrong', must be a number from 0 to \
1000000" replay --cluster "$a,weight=$wrong"
done
rejects "--array" "fathom: --array: takes no --cluster" \
	replay --cluster "$a" --cluster "$b" --array 2 --out "$work/sweep/"
rejects "--initial" \
	"fathom: --initial: takes no --cluster; no file says which cluster usage is of" \
	replay --cluster "$a" --cluster "$b" --initial --from "$work/group"
rejects "--align without clusters" \
	"fathom: --align: is for several traces; give each by --cluster" \
	replay "$work/west.swf" --align
rejects "a trace that would be overwritten" "fathom: --out: $work/west.swf is the trace, must be \
another file" replay --cluster "$a" --cluster "$b" --out "$work/west.swf"
printf '; MaxProcs: 2\n' >"$work/empty.swf"
rejects "a trace without jobs" "fathom: $work/empty.swf: no job that can be replayed" \
	replay --cluster "$a" --cluster "b=$work/empty.swf"
finish
