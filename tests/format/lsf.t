#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The files of LSF and OpenLava: records of ended jobs, and the configuration, which has trees.
. "${srcdir:=.}/tests/cli/lib.sh"
lsf=$data/lsf

# tree FILE...: as text of sshare
tree ()
{
	for tree_file; do
		set -- "$@" --from "$tree_file"
		shift
	done
	fathom convert "$@" --set half_life=0 --to sshare 2>"$work/err"
}

### lsb.acct

is "records of LSF 9: slots of the hosts, and slots that were asked for" \
	"$(tree "$lsf/xdmod_accounting.txt")" "Account|User|RawShares|RawUsage
root|||$((2 * 128 * (1389683139 - 1389642771)))
 anonproject||1|$((2 * 128 * (1389683139 - 1389642771)))
  anonproject|anonuser|1|$((2 * 128 * (1389683139 - 1389642771)))"
is "a script in UTF-8" "$(tree "$lsf/xdmod_utf8.txt" | tail -n 1)" \
	"  anonproject|anonuser|1|$((128 * (1389683139 - 1389642771)))"
is "groups of share accounts, else projects; LSF 10 and OpenLava" "$(tree "$lsf/example.acct")" \
	'Account|User|RawShares|RawUsage
root|||16400
 physics||1|14800
  physics|ada|1|14400
  physics|bob|1|400
 lab||1|1500
  lab|cy|1|800
  lab|dan|1|300
  lab|eve|1|400
 a"b||1|100
  a"b|f "x"|1|100'
is "records of other kinds are counted" "$(grep left "$work/err")" \
	"fathom: $lsf/example.acct: left out: 1 record that is not of the kind JOB_FINISH"
is "queue, state, times, hosts and slots of jobs" \
	"$(fathom convert --from "$lsf/example.acct" --to fathom-jobs 2>"$work/err" |
		sed -n 's/^  \(.*"job_id": 1[0-3].*\)},*$/\1/p')" \
	'{"job_id": 10, "user": "cy", "account": "lab", "partitions": ["night"], '\
'"state": "COMPLETED", "accrue_time": 1700000000, "submit_time": 1700000000, '\
'"min_nodes": 2, "cpus": 4
{"job_id": 11, "user": "dan", "account": "lab", "partitions": ["night"], '\
'"state": "CANCELLED", "accrue_time": 1700000000, "submit_time": 1700000000, "cpus": 4
{"job_id": 12, "user": "dan", "account": "lab", "partitions": ["night"], '\
'"state": "FAILED", "accrue_time": 1700007100, "submit_time": 1700000000, '\
'"min_nodes": 2, "cpus": 3
{"job_id": 13, "user": "eve", "account": "lab", "partitions": ["night"], '\
'"state": "COMPLETED", "accrue_time": 1700000000, "submit_time": 1700000000, '\
'"min_nodes": 1, "cpus": 4'

### the configuration

# shares FILE... [-- OPTION...]: "account user shares" for each node
shares ()
{
	shares_files=
	while [ $# -gt 0 ] && [ "$1" != -- ]; do
		shares_files="$shares_files --from $lsf/$1"
		shift
	done
	[ $# -eq 0 ] || shift
	# shellcheck disable=SC2086	# names without blanks
	fathom shares $shares_files "$@" -n -P -o Account,User,RawShares | tr '|' ' '
}

normal="root  
 physics  10
  physics ada 2
  physics others 1
 root cy 5
 root dan 5
 root eve 1
 root zoe 1"
is "the tree of a queue, with that of a group, group@ and default" \
	"$(shares lsb.users lsb.queues -- --scope normal)" "$normal"
is "files in any order" "$(shares lsb.params lsb.queues lsb.users -- --scope normal)" "$normal"
is "one file with all sections" "$(cat "$lsf"/lsb.queues "$lsf"/lsb.users "$lsf"/lsb.params |
	fathom shares --from - --scope normal -n -P -o Account,User,RawShares | tr '|' ' ')" \
	"$normal"
is "a group without the excluded user, and others" \
	"$(shares lsb.users lsb.queues -- --scope night)" "root  
 lab  10
  lab ada 1
  lab cy 10
  lab dan 10
  lab eve 10
 root others 1"
is "a host partition" "$(shares lsb.users lsb.hosts -- --scope rest)" "root  
 root others 1"
is "user groups alone" "$(shares lsb.users)" "root  
 physics  1
  physics ada 2
  physics others 1
 root students 1
 lab  1
  lab ada 1
  lab cy 10
  lab dan 10
  lab eve 10
 root staff 1
 root guests 1"
is "the policy is lsf" "$(fathom shares --from "$lsf/lsb.users" --from "$lsf/lsb.queues" \
	--scope night -U -n -P -o User,Order | tr '|\n' ' ,')" "ada 4,cy 1,dan 1,eve 1,others 5,"
# settings SCOPE: those of the tree, in the order of fathom.conf(5)
settings ()
{
	fathom shares --from "$lsf/lsb.users" --from "$lsf/lsb.queues" --from "$lsf/lsb.params" \
		--scope "$1" --json | sed -n 's/^ "settings": {.*\("run_job_.*\)},$/\1/p'
}
is "settings of lsb.params, and those of a queue, which win" "$(settings night)
$(settings normal)" '"run_job_factor": 5, "committed_run_time_factor": 0.5, '\
'"fairshare_adjustment_factor": 0, "enable_hist_run_time": false, "run_time_decay": false, '\
'"hist_hours": 5
"run_job_factor": 2, "committed_run_time_factor": 0.5, '\
'"fairshare_adjustment_factor": 0, "enable_hist_run_time": true, "run_time_decay": false, '\
'"hist_hours": 10'

sed 's/^#G/G/' "$lsf/openlava/lsb.users.in" >"$work/users"
sed 's/^#FAIRSHARE/FAIRSHARE/' "$lsf/openlava/lsb.queues.in" >"$work/queues"
is "the example in OpenLava's files" "$(fathom shares --from "$work/users" --from "$work/queues" \
	-U -n -P -o Account,User,NormShares | tr '|\n' ' ,')" \
	"G1 david 0.166667,G1 john 0.166667,G1 zebra 0.166667,G2 crock 0.250000,\
G2 wlu 0.125000,G2 kluk 0.125000,"

rejects "several trees" "fathom: --scope: must name one of several trees: normal or night" \
	shares --from "$lsf/lsb.users" --from "$lsf/lsb.queues"
rejects "several trees for a command without --scope" "fathom: $lsf/lsb.queues: has several trees, \
must have one; fathom convert --scope takes one of them, such as normal" lint \
	--from "$lsf/lsb.queues" --from "$lsf/lsb.users"
cat >"$work/scoped.json" <<'END'
{"format": "fathom-jobs", "version": 1, "settings": {"PriorityWeightFairshare": 1000}, "jobs": [
{"job_id": 1, "user": "ada", "account": "physics"}, {"job_id": 2, "user": "cy", "account": "root"},
{"job_id": 3, "user": "ada", "account": "lab"}, {"job_id": 4, "user": "cy", "account": "lab"}]}
END
# scoped NAME: the policy and the priorities of all jobs by the tree of a scope
scoped ()
{
	fathom prio --from "$lsf/lsb.queues" --from "$lsf/lsb.users" --from "$work/scoped.json" \
		--scope "$1" -nPv -o Priority 2>&1 | sed '/no fair-share/d; s/.*; //' |
		paste -sd , -
}
is "jobs by the tree of a scope, and its policy" "$(scoped normal)" "policy lsf,1000,750,500,250"
is "by that of another" "$(scoped night)" "policy lsf,500,1000,250,750"
echo Policy=classic >"$work/classic.conf"
is "a fathom.conf beside it has the policy" "$(fathom prio --from "$lsf/lsb.queues" \
	--from "$lsf/lsb.users" --from "$work/scoped.json" --from "$work/classic.conf" \
	--scope night -nPv -o Priority 2>&1 | sed '/no fair-share/d; s/.*; //' | paste -sd , -)" \
	"policy classic,1000,1000,1000,1000"
like "to explain a user, too" "$(fathom explain ada --from "$lsf/lsb.queues" \
	--from "$lsf/lsb.users" --from "$work/classic.conf" --scope night 2>&1)" \
	"ada in *is 1st of 5 users*"
sed 's/"user"/"partitions": ["night"], &/g' "$work/scoped.json" >"$work/night.json"
# of_night COMMAND OPTION...
of_night ()
{
	fathom "$@" --from "$lsf/lsb.queues" --from "$lsf/lsb.users" --from "$work/night.json" 2>&1
}
is "jobs of a queue that is not in the scope have no figures" \
	"$(of_night prio --scope normal -nP -o Priority | paste -sd , -)" \
	"fathom: no fair-share figures on 4 lines: for example, the tree has no association of \
user ada in account physics, partition night (job 1),,,,"
like "--scope to explain a job" "$(of_night explain 2 --scope night)" \
	"*1,000, which is 100 % of all.*By fair share, cy in *"
sed 's/"settings": {[^}]*},//' "$work/night.json" >"$work/plain.json"
is "fair share has a weight, as in a folder of convert" "$(fathom prio --from "$lsf/lsb.queues" \
	--from "$lsf/lsb.users" --from "$work/plain.json" --scope night -nP -o Priority |
	paste -sd , -)" "500000,1000000,250000,750000"
rejects "a scope of jobs alone" "fathom: --scope: needs files that describe trees of scopes, such \
as LSF's lsb.queues" prio --from "$work/scoped.json" --scope normal
rejects "a scope of the cluster's jobs" "fathom: --scope: needs --from; each job of the cluster \
goes by its own scope" prio --scope normal
rejects "an unknown scope" \
	"fathom: --scope: 'short' has no tree, must be normal or night" \
	shares --from "$lsf/lsb.users" --from "$lsf/lsb.queues" --scope short
rejects "a scope where no file has one" \
	"fathom: --scope: no queue has FAIRSHARE, and no host partition is defined" \
	shares --from "$lsf/lsb.users" --scope night
rejects "a mistake between files, with its place" \
	"fathom: $lsf/lsb.hosts:15: HPART_NAME: queue 'normal' has FAIRSHARE; a cluster must have \
fair share of hosts or of queues" shares --from "$lsf/lsb.queues" --from "$lsf/lsb.hosts"
for file in lsb.users.in lsb.queues.in lsb.params.in lsb.hosts.in; do
	rejects "no tree in $file as OpenLava ships it" "fathom: $lsf/openlava/$file: has no tree, \
must have a queue with FAIRSHARE, a host partition or a user group" \
		shares --from "$lsf/openlava/$file"
done
like "comments alone" "$(fathom shares --from "$lsf/openlava/lsb.resources.in" 2>&1)" \
	"fathom: $lsf/openlava/lsb.resources.in:1: has nothing but comments, *"
like "a file of OpenLava's own tests" "$(fathom shares --from "$lsf/openlava/share_file" 2>&1)" \
	"fathom: $lsf/openlava/share_file:1: unknown format, *"
printf 'Begin UserGroup\nGROUP_NAME GROUP_MEMBER\ng1 (u1 u2)\nEnd UserGroup\n' >"$work/twice.users"
printf 'Begin Queue\nQUEUE_NAME = q\nFAIRSHARE = USER_SHARES[[u1,10] [g1@,2]]\nEnd Queue\n' \
	>"$work/twice.queues"
fathom shares --from "$work/twice.users" --from "$work/twice.queues" --json >"$work/twice.json"
is "a user who has shares twice in a level is read back" \
	"$(fathom shares --from "$work/twice.json" --json)" "$(cat "$work/twice.json")"
rejects "a second tree" "fathom: $data/c1.json: only one file may have a tree; $lsf/lsb.users \
already does" shares --from "$lsf/lsb.users" --from "$data/c1.json"

fathom convert --from "$lsf/lsb.users" --from "$lsf/lsb.queues" --from "$lsf/lsb.params" \
	--scope night --to sshare >"$work/out" 2>"$work/err"
is "what is left out" "$(cat "$work/err")" "fathom: $lsf/lsb.users: left out: keys MAX_JOBS, JL/P; \
members that no file lists, of groups guests
fathom: $lsf/lsb.queues: left out: keys NICE, DESCRIPTION; conditions, of which #else counts: \
time(5:19:00-1:8:30 20:00-8:30) and 1 more
fathom: $lsf/lsb.params: left out: keys DEFAULT_QUEUE; sections Limits; files to include \
\"lsb.more\"
fathom: sshare: does not keep the settings"

### usage of jobs in the tree

# used FILE... -- SCOPE: "account user usage" of who has used anything
used ()
{
	used_scope=
	for used_file; do
		shift
		case $used_file in
		--) used_scope=--scope ;;
		*) [ "$used_scope" ] && set -- "$@" --scope "$used_file" ||
			set -- "$@" --from "$lsf/$used_file" ;;
		esac
	done
	fathom shares "$@" --set half_life=0 -U -n -P -o Account,User,RawUsage 2>"$work/err" |
		grep -v '|0$' | tr '|\n' ' ,'
}

is "jobs in the queues of the tree count; by groups, and for others" \
	"$(used lsb.users lsb.queues lsb.acct -- night)" "lab ada 100,lab cy 200,root others 400,"
is "a user whom only jobs name is one of default" \
	"$(used lsb.users lsb.queues lsb.acct -- normal)" "physics ada 100,root zed 100,"
is "all jobs count in a host partition" "$(used lsb.users lsb.hosts lsb.acct -- old)" \
	"root ada 200,root cy 200,root dan 100,root zed 500,"
is "and in the tree of user groups, where a user without a group counts at the first one" \
	"$(used lsb.users lsb.acct)" \
	"root students 100,lab ada 100,lab cy 200,root staff 600,"
for order in "lsb.acct lsb.users lsb.queues" "lsb.users lsb.acct lsb.queues"; do
	# shellcheck disable=SC2086	# words
	is "in any order: $order" "$(used $order -- night)" \
		"$(used lsb.users lsb.queues lsb.acct -- night)"
done

### what LSF counts of its records

# finished USER START END USER-TIME SYSTEM-TIME: a job of 4 slots in the queue night
finished ()
{
	echo "\"JOB_FINISH\" \"10.1\" $3 1 1001 1 4 $2 0 0 $2 \"$1\" \"night\" \"\" \"\" \"\"" \
		"\"login\" \"/\" \"\" \"\" \"\" \"f\" 0 1 \"4*n1\" 64 1.0 \"job\" \"x\" $4 $5" \
		"-1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 \"\" \"p\" 0 4 \"\""
}
cat >"$work/queues" <<'END'
Begin Queue
QUEUE_NAME = night
FAIRSHARE = USER_SHARES[[ada, 10] [bob, 10] [cy, 10]]
End Queue
END
# priorities OPTION...: Priority of ada, bob and cy
priorities ()
{
	fathom shares --from "$work/queues" --from "$work/acct" "$@" -UnP -o Priority |
		paste -sd ' ' -
}
# parameter LINE: of lsb.params
parameter ()
{
	printf '%s\n' "Begin Parameters" "$1" "End Parameters" >"$work/params"
}
{
	finished ada 1700000000 1700000100 0 0
	finished bob 1700000000 1700000100 3000.5 599.5
} >"$work/acct"
is "a finished job counts its user and system time, and no slots or run time" \
	"$(priorities)" "3.333333 2.705963 3.333333"
is "its run time, not that of each slot, with enable_hist_run_time" \
	"$(priorities --set enable_hist_run_time=yes; parameter "ENABLE_HIST_RUN_TIME = Y"
		priorities --from "$work/params")" \
	"3.311868 2.691800 3.333333
3.311868 2.691800 3.333333"
finished cy 1700035900 1700036000 -1 -1 >>"$work/acct"
# bob used an hour in 100 s, which ended 35900 s ago: 10^(-35900 / 36000) of it is left
is "CPU time decays by hist_hours; it is that of the slots where the record has none" \
	"$(priorities --set hist_hours=10; parameter "HIST_HOURS = 10"
		priorities --from "$work/params"; priorities --set hist_hours=0)" \
	"3.333333 3.257091 3.249360
3.333333 3.257091 3.249360
3.333333 2.702703 3.249097"
is "under another policy slots times run time are charged, as Slurm does" \
	"$(fathom shares --from "$work/queues" --from "$work/acct" --policy classic \
		--set half_life=0 -UnP -o RawUsage | paste -sd ' ' -)" "400 400 400"
finish
