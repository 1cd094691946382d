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
rejects "usage twice" "fathom: $pbs/usage_1: a second file with usage, must be one; the first is \
$pbs/usage" convert --from "$pbs/usage" --from "$pbs/usage_1" --to fathom

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
finish
