#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The text of sshare may lack users, or be of another policy than the one it is evaluated under: a
# line on stderr says so, and what to give.
# shellcheck disable=SC2016	# fields are awk's
. "${srcdir:=.}/tests/cli/lib.sh"

# text TREE [OPTION...]: as sshare -a -P prints it, into the file that is evaluated
text ()
{
	tree=$1
	shift
	fathom shares --from "$data/$tree.json" -P "$@" >"$work/whole"
	cp "$work/whole" "$work/text"
}

# only CONDITION: lines of it, and the header
only ()
{
	awk -F '|' -v OFS='|' "NR == 1 || $1" "$work/whole" >"$work/text"
}

# warns TEXT LINE [OPTION...]: what is said on stderr; all is printed in any case
warns ()
{
	about=$1
	wanted=$2
	shift 2
	fathom shares --from "$work/text" "$@" >"$work/out" 2>"$work/err"
	is "$about: status" $? 0
	is "$about: stderr" "$(sed "s,$work/text,FILE," "$work/err")" "$wanted"
	is "$about: all is printed" "$(wc -l <"$work/out")" "$(wc -l <"$work/text")"
}

partial='fathom: FILE: users are missing below accounts with usage; give the whole output of '
partial=$partial'sshare -a -P'
text c1
only '$2 == "" || $2 == "user2"'
warns "sshare -P of a user" "$partial"
only '$2 == ""'
warns "sshare -P of whoever has no association" "$partial"
only '$2 !~ /user[1245]/'
warns "several are missing, and another policy" "$partial" --policy pbs
only '$2 != "user4"'
warns "one account's users are gone" ""
text c1
awk -F '|' -v OFS='|' 'NR == 1 { print } NR > 1 && $2 == "" { $5 = 0; print }' \
	"$work/whole" >"$work/text"
warns "nobody has used anything" ""

other='fathom: FILE: its FairShare is not that of policy fair-tree; try'
for tree in c1:classic d1:classic d1:depth-oblivious; do
	policy=${tree#*:}
	text "${tree%:*}" --policy "$policy"
	warns "$tree" "$other --policy $policy"
	warns "$tree, asked for" "" --policy "$policy"
	warns "$tree, another one asked for" "" --policy pbs
done
cat >"$work/few.json" <<END
{"format": "fathom-tree", "version": 1, "nodes": [
 {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
 {"id": 2, "parent": 1, "name": "phys", "kind": "account", "shares": 60, "usage": 0},
 {"id": 3, "parent": 2, "name": "ann", "kind": "user", "shares": 10, "usage": 200},
 {"id": 4, "parent": 2, "name": "bob", "kind": "user", "shares": 10, "usage": 400},
 {"id": 5, "parent": 1, "name": "chem", "kind": "account", "shares": 40, "usage": 0},
 {"id": 6, "parent": 5, "name": "cat", "kind": "user", "shares": 1, "usage": 400},
 {"id": 7, "parent": 5, "name": "dan", "kind": "user", "shares": "parent", "usage": 0}]}
END
fathom shares --from "$work/few.json" --policy classic -P >"$work/text"
warns "four users, whose ranks are far apart" "$other --policy classic"
fathom shares --from "$work/few.json" -P >"$work/text"
warns "four users, FairShare of fair-tree" ""
text t12 --set tie_mode=slurm
warns "t12, Slurm's own ties" "$other --set tie_mode=slurm"
for tree in c1 c2 d1 t3 t4 t5 t6 t7 t8 t9 t10 t11 t12 f1 l1 edge; do
	text "$tree"
	warns "$tree, FairShare of fair-tree" ""
	text "$tree" --set tie_mode=slurm
	warns "$tree, FairShare of Slurm's own ties" "" --set tie_mode=slurm
	text "$tree" --policy lsf
	warns "$tree, FairShare of none of Slurm's policies" ""
done
text c1
sed -i 's/0\.[0-9]*$/?/' "$work/text"
warns "a FairShare that is no number" ""
finish
