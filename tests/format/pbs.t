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
printf 'ada\0%12s\0\0\0\0\0\0\340\077zoe\0%12s\0\0\0\0\0\0\0\0' '' '' >"$work/low"
is "usage below a second, and none" \
	"$(fathom convert --from "$work/low" --to fathom | tail -n 2 |
		sed 's/.*"usage": \([0-9.]*\)}.*/\1/' | paste -sd ' ')" "0.5 0"
rejects "usage twice" "fathom: $pbs/usage_1: only one file may have usage; $pbs/usage already \
does" convert --from "$pbs/usage" --from "$pbs/usage_1" --to fathom
rejects "usage, and records of jobs" "fathom: $pbs/example.records: only one file may have usage; \
$pbs/usage already does" convert --from "$pbs/usage" --from "$pbs/example.records" --to fathom

cat >"$work/jobs" <<'END'
{"format": "fathom-jobs", "version": 1, "time": 1700000000,
"settings": {"PriorityWeightFairshare": 1000}, "jobs": [
{"job_id": 1, "user": "bob", "account": "group1"},
{"job_id": 2, "user": "scott", "account": "group2"}]}
END
is "jobs may come behind usage" \
	"$(fathom prio --from "$group" --from "$pbs/usage" --from "$work/jobs" --policy pbs 2>&1)" \
	"$(fathom prio --from "$group" --from "$work/jobs" --from "$pbs/usage" --policy pbs 2>&1)"
for command in prio 'explain bob'; do
	# shellcheck disable=SC2086	# words
	rejects "$command: usage beside a tree with usage" "fathom: --from: $data/p1.json and \
$pbs/usage both have usage, only one may" $command --from "$data/p1.json" --from "$pbs/usage" \
		--from "$work/jobs"
done

### sched_config and qmgr

sched=$pbs/example_sched_config
# PBS takes blanks before the colon
echo "fair_share : true" >"$work/blank"
is "a single option, with a blank before the colon" \
	"$(fathom shares --from "$group" --from "$work/blank" -nP -o User,FairShare)" \
	"$(sed 's/ :/:/' "$work/blank" | fathom shares --from "$group" --from - -nP \
		-o User,FairShare)"
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
# weight_with SWITCH: that of fair share, of which jobs say 20000
weight_with ()
{
	echo "fair_share: $1" >"$work/sched_config"
	echo '{"format": "fathom-jobs", "version": 1, "jobs": [{"job_id": 1, "user": "bob"}],
"settings": {"PriorityWeightFairshare": 20000}}' >"$work/weighted"
	fathom prio --from "$group" --from "$work/sched_config" --from "$work/weighted" --weights \
		-nP -o FairShare
}
is "the weight of fair share gives way to that of the jobs" "$(weight_with true)" 20000
is "but not if PBS has no fair share" "$(weight_with false)" 0
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
# shellcheck disable=SC2002	# a pipe is meant
cat "$work/etc/slurm.conf" | fathom shares --from "$data/p1.json" --from /dev/stdin \
	>"$work/out" 2>&1
is "slurm.conf of a pipe" "$? $(cat "$work/out")" \
	"2 fathom: /dev/stdin: slurm.conf is read from a file, as it may include others"

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

# with unknown_shares of sched_config, pbsfs prints the shares of the group; resource_group has none
sed '/^TREEROOT/s/$/\
unknown   : Grp: 0      cgrp: 1    Shares: 10     Usage: 101    Perc: 20.000%\
zed       : Grp: 1      cgrp: 20   Shares: 1      Usage: 100    Perc: 20.000%/
	/^unknown.*Shares: 0/d' "$pbs/example.pbsfs" >"$work/strangers"
is "shares of the group unknown" \
	"$(fathom convert --from "$work/strangers" --to pbs-group 2>&1 | grep unknown)" \
	"fathom: pbs-group: does not keep the shares of group unknown; set unknown_shares
zed	20	unknown	1"

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
sed 's/$/ resources_used.cput=00:01:00/' "$pbs/example.records" >"$work/records"
is "records of jobs give usage to entities by name, that of others to the group unknown" \
	"$(fathom convert --from "$work/records" --from "$work/group" --to sshare 2>/dev/null)" \
	"Account|User|RawShares|RawUsage
TREEROOT|||180
 unknown||0|120
 physics||60|60
  physics|ada|1|60"
rejects "--set half_life, by which PBS does not decay" "fathom: --set: half_life: usage of \
$work/records is counted by policy pbs, which decays it by its own settings" \
	convert --from "$work/records" --from "$work/group" --to sshare --set half_life=0

### fairshare_usage_res of records

# a job of an hour, which used 10 minutes of CPU time, and another one two days later
cat >"$work/log" <<END
01/01/2026 01:00:00;E;1.pbs;user=ada group=g queue=q ctime=1 start=1767225600 end=1767229200 \
Resource_List.ncpus=2 Resource_List.mem=3gb resources_used.cput=00:10:00 resources_used.mem=2048kb \
resources_used.ncpus=2 resources_used.walltime=01:00:00
01/03/2026 02:00:00;E;2.pbs;user=bob group=g queue=q ctime=1 start=1767402000 end=1767405600 \
Resource_List.ncpus=4 Resource_List.mem=1gb Resource_List.cput=00:20:00 Resource_List.ngpus=2 \
resources_used.walltime=01:00:00
END
# usage_by RESOURCE [OPTION]...: usage of ada and of the group unknown, to which bob belongs
usage_by ()
{
	usage_res=$1
	shift
	printf '%s\n' "fairshare_usage_res: $usage_res" >"$work/config"
	fathom usage --from "$work/config" --from "$work/group" --from "$work/log" "$@" \
		-nP 2>/dev/null | sed -n 's/^[ ]*unknown[^|]*||\([^|]*\).*/\1/p;
			s/^[ ]*physics[^|]*|ada|\([^|]*\).*/\1/p' | paste -sd ' ' -
}

sed 1q "$work/log" >"$work/one" && mv "$work/log" "$work/two" && cp "$work/one" "$work/log"
is "cput" "$(usage_by cput)" "0 600"
if built_with muParser "walltime, formulas"; then
	is "walltime, formulas" "$(usage_by walltime; usage_by "'ncpus*walltime'"
		usage_by "'mem*walltime/1024'"; usage_by "'cput+walltime'")" "0 3600
0 7200
0 7200
0 4200"
fi
cp "$work/two" "$work/log"
# steps are counted from the start of the first job: two of them are over
is "what was used, else what was asked for; usage of the past decays in steps" \
	"$(usage_by cput)" "1200 150"
if built_with muParser "also by walltime and by formulas"; then
	is "also by walltime and by formulas" "$(usage_by walltime; usage_by "'ncpus*walltime'"
		usage_by "'mem*walltime/1024'"; usage_by "'ngpus*walltime'")" "3600 900
14400 1800
3686400 1800
7200 0"
fi
is "by fairshare_decay_time and fairshare_decay_factor" \
	"$(printf 'fairshare_decay_time: 10:00:00\nfairshare_decay_factor: 0.8\n' >"$work/decay"
		usage_by cput --from "$work/decay")" "1200 245"

sed 's/1.pbs/99999999999.pbs/' "$work/one" >"$work/log"
is "a job's number of more than 32 bits" "$(fathom convert --from "$work/log" --to fathom-jobs \
	2>/dev/null | grep -c '"job_id": 99999999999,'; usage_by cput)" "1
0 600"
sed 's/end=1767229200/end=1767225600/; s/=01:00:00$/=00:00:00/' "$work/one" >"$work/log"
is "CPU time of a job that ends in the second of its start" "$(usage_by cput)" "0 600"
cat "$work/one" >>"$work/log"
is "a job without length that begins the log keeps its CPU time" "$(usage_by cput)" "0 1200"
printf 'PriorityUsageResetPeriod=MONTHLY\nClusterName=c\n' >"$work/reset.conf"
{ sed 's/=1767225600/=1767139200/g' "$work/log" | sed 1q; sed 1d "$work/log"; } >"$work/reset"
mv "$work/reset" "$work/log"
is "one that ended before the last reset counts no more" \
	"$(usage_by cput --from "$work/reset.conf")" "0 600"

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
for job in '7[1].pbs' '7[2].pbs' '7[].pbs' 8.pbs; do
	ended ada lab a | sed "s/7.pbs/$job/"
done >"$work/array"
is "a record of a whole array adds nothing to those of its jobs" \
	"$(tree "$work/array" | grep '|ada|')" "  lab|ada|1|30"
rejects "logs of two days" \
	"fathom: $pbs/example.records: only one file may have jobs; join it and \
$pbs/xdmod_accounting.txt by cat" shares --from "$pbs/xdmod_accounting.txt" \
	--from "$pbs/example.records"
finish
