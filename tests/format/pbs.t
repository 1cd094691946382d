#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The files of OpenPBS: usage in both layouts, what pbsfs prints, accounting records.
. "${srcdir:=.}/tests/cli/lib.sh"
pbs=$data/pbs
group=$pbs/example_resource_group
export TZ=UTC

# tree FILE...: as text of sshare
tree ()
{
	for tree_file; do
		set -- "$@" --from "$tree_file"
		shift
	done
	fathom convert "$@" --set half_life=0 --to sshare 2>"$work/err" ||
		fathom convert "$@" --to sshare 2>"$work/err"
}

### usage

for layout in usage usage_1; do
	is "$layout completes resource_group" "$(tree "$group" "$pbs/$layout")" \
		"Account|User|RawShares|RawUsage
TREEROOT|||1208
 unknown||0|7
  unknown|visitor|1|0
 group1||40|200
  group1|bob|50|100
  group1|cathy|50|100
 group2||60|1000
  group2|suzy|60|0
  group2|scott|40|1000"
	like "an entity that is not in the tree goes to the group unknown" "$(cat "$work/err")" \
		"fathom: $pbs/$layout: usage of 1 association that the tree does not have, *"
done
is "usage alone has its entities below unknown" "$(tree "$pbs/usage")" \
	"Account|User|RawShares|RawUsage
TREEROOT|||1208
 unknown||0|1208
  unknown|bob|1|100
  unknown|cathy|1|100
  unknown|scott|1|1000
  unknown|guest|1|7"
like "the time is that of the last decay" \
	"$(fathom convert --from "$group" --from "$pbs/usage" --to fathom 2>&1)" \
	'*"time": 1700000000,*'
like "fractions are kept" "$(fathom convert --from "$pbs/usage" --to fathom 2>&1)" \
	'*"usage": 100.5}*'
rejects "usage twice" "fathom: $pbs/usage_1: only one file may have usage; $pbs/usage already \
does" convert --from "$pbs/usage" --from "$pbs/usage_1" --to fathom

### sched_config and qmgr

sched=$pbs/example_sched_config
# ranks ARGUMENT...: USER|FairShare of users
ranks ()
{
	fathom shares --from "$group" --from "$pbs/usage" "$@" -UPn -o User,FairShare 2>/dev/null
}

is "sched_config says policy and settings" "$(ranks --from "$sched")" "$(ranks --policy pbs \
	--set unknown_shares=10 --set initial_usage=1 --set order=path)"
is "--set goes before it" "$(ranks --from "$sched" --set order=factor --set unknown_shares=0)" \
	"$(ranks --policy pbs --set initial_usage=1)"
is "--policy goes before it" "$(ranks --from "$sched" --policy classic)" "$(ranks --policy classic)"
settings=$(fathom shares --from "$group" --from "$sched" --json | sed -n 's/^ "settings": //p')
is "all keys of the policy are kept" "$settings" '{"initial_usage": 1, "unknown_shares": 10, '\
'"fairshare_decay_time": 86400, "fairshare_decay_factor": 0.69999999999999996, '\
'"fairshare_usage_res": "ncpus*walltime", "fairshare_entity": "euser", '\
'"fairshare_enforce_no_shares": true, "order": "path"},'

# setting KEY LINE...: what it is with these lines of sched_config
setting ()
{
	setting_key=$1
	shift
	printf '%s\n' "$@" >"$work/sched_config"
	fathom shares --from "$group" --from "$work/sched_config" --json |
		sed -n "s/^ \"settings\".*\"$setting_key\": \([^,}]*\).*/\1/p"
}

is "without a line, jobs of entities without shares run" \
	"$(setting fairshare_enforce_no_shares 'resources: "ncpus, mem"')" false
is "with fair_share they do not" "$(setting fairshare_enforce_no_shares 'fair_share: true')" true
is "unless it says otherwise" "$(setting fairshare_enforce_no_shares 'fair_share: true ALL' \
	'fairshare_enforce_no_shares: FALSE')" false
is "the last line counts" "$(setting unknown_shares 'unknown_shares: 1' 'unknown_shares: 2')" 2
is "values may be quoted" \
	"$(setting fairshare_usage_res "fairshare_usage_res: 'ncpus * walltime'")" \
	'"ncpus * walltime"'
is "minutes and seconds" "$(setting fairshare_decay_time 'fairshare_decay_time: 30:00')" 1800
is "half_life of Torque, without a colon" \
	"$(setting fairshare_decay_time 'fair_share: true' 'half_life	12:00:00')" 43200
is "a formula orders by the factor" "$(setting order 'create queue workq' \
	'set queue workq queue_type = Execution' \
	'set server job_sort_formula = "10 * fairshare_factor + queue_priority"')" '"factor"'
printf 'create queue workq\nset server job_sort_formula = fairshare_factor\n' >"$work/qmgr"
is "beside sched_config, too" "$(ranks --from "$sched" --from "$work/qmgr")" \
	"$(ranks --from "$sched" --set order=factor)"
echo 'unknown_shares: 5' >"$work/other"
rejects "two files that differ" "fathom: $work/other:1: UnknownShares is 5 here, but 10 in \
$sched:8; only one may say it" shares --from "$sched" --from "$group" --from "$work/other"
is "--format is that of the tree" "$(ranks --from "$sched" --format pbs-group)" \
	"$(ranks --from "$sched")"
rejects "settings alone" "fathom: --from: $sched has settings, but no file has a tree" \
	shares --from "$sched"

### slurm.conf

mkdir "$work/etc"
printf 'ClusterName=tux\nInclude priority.conf\nPartitionName=a Nodes=n1\n' >"$work/etc/slurm.conf"
echo 'PriorityFlags=DEPTH_OBLIVIOUS FairShareDampeningFactor=3' | tr ' ' '\n' \
	>"$work/etc/priority.conf"
is "slurm.conf says policy and dampening factor" \
	"$(ranks --from "$work/etc/slurm.conf")" \
	"$(ranks --policy depth-oblivious --set dampening_factor=3)"
rejects "a file that slurm.conf includes is not there" \
	"fathom: $work/none.conf:2: '$work/none': No such file or directory" \
	shares --from "$(printf 'ClusterName=tux\nInclude none\n' >"$work/none.conf"
		echo "$work/none.conf")"
echo ClusterName=tux | fathom convert --from - --to sshare >"$work/out" 2>&1
is "slurm.conf of standard input" "$? $(cat "$work/out")" \
	"2 fathom: -: slurm.conf is read from a file, as it may include others"

### pbsfs

is "what pbsfs prints is the tree of p1.json" \
	"$(fathom shares --from "$pbs/example.pbsfs" --policy pbs --set initial_usage=1 -U -n -P \
		-o User,RawUsage,FairshareTreeUsage,FairshareFactor | sort)" \
	"$(fathom shares --from "$data/p1.json" --policy pbs --set initial_usage=1 -U -n -P \
		-o User,RawUsage,FairshareTreeUsage,FairshareFactor | sort)"
sed '1d' "$pbs/example.pbsfs" >"$work/headless"
is "without the first line, and siblings in the order of their definition" \
	"$(tree "$work/headless")" "Account|User|RawShares|RawUsage
TREEROOT|||1200
 unknown||0|0
 group1||40|200
  group1|bob|50|100
  group1|cathy|50|100
 group2||60|1000
  group2|suzy|60|0
  group2|scott|40|1000"
is "as resource_group" "$(fathom convert --from "$pbs/example.pbsfs" --to pbs-group 2>&1)" \
	"fathom: pbs-group: does not keep the usage of 3 nodes
group1	10	root	40
bob	12	group1	50
cathy	13	group1	50
group2	11	root	60
suzy	14	group2	60
scott	15	group2	40"

### accounting records

is "CPUs of many kinds of servers" "$(tree "$pbs/xdmod_accounting.txt")" \
	"Account|User|RawShares|RawUsage
root|||4952975
 ccrstaff||1|140608
  ccrstaff|jonesm|1|140608
 anonaccount||1|37396
  anonaccount|anonuser|1|37396
 anongroup||1|0
  anongroup|anonuser|1|0
 caste||1|3043803
  caste|ybsbu|1|3043803
 [user_1]||1|1731168
  [user_1]|[user_1]|1|1731168"
is "slots, CPUs asked for, nodes; other events" "$(tree "$pbs/example.records")" \
	"Account|User|RawShares|RawUsage
root|||490
 g||1|370
  g|ada|1|70
  g|bob|1|300
 h||1|120
  h|bob|1|120"

printf '%s\n' 'physics 10 root 60' 'ada 11 physics 1' >"$work/group"
is "records of jobs give usage to entities by name, that of others to the group unknown" \
	"$(fathom convert --from "$pbs/example.records" --from "$work/group" --to sshare \
		--set half_life=0 2>/dev/null)" \
	"Account|User|RawShares|RawUsage
TREEROOT|||490
 unknown||0|420
 physics||60|70
  physics|ada|1|70"

# ended USER ACCOUNT NAME: the end of a job as OpenPBS writes it, which used 10 CPU seconds
ended ()
{
	echo "01/26/2016 00:00:37;E;7.pbs;user=$1 group=g account=$2 jobname=$3 queue=q ctime=1" \
		"start=10 end=20 Exit_status=0 Resource_List.place='a \"b\" user=x' " \
		"resources_used.ncpus=1 resources_used.walltime=00:00:10 run_count=1"
}

{
	ended ada '"lab"' a
	ended bob '"a lab"' 'my user=root group=root'
	ended cy "'no end" "'account=root"
	ended dan '"""' '"'
	ended eve '"a"b c"' '"q"'
} >"$work/quoted"
is "values in quotes, names that look like attributes" "$(tree "$work/quoted" | grep '|[0-9]*$' |
	sed -n '/  /p')" \
"  lab|ada|1|10
  a lab|bob|1|10
  'no|cy|1|10
  \"|dan|1|10
  a\"b c|eve|1|10"
sed 's/$/\r/' "$work/quoted" | head -c -2 >"$work/crlf"
is "line ends of other systems, none at the end" "$(tree "$work/crlf")" "$(tree "$work/quoted")"
finish
