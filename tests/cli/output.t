#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What is printed, and that it can be read again.
. "${srcdir:=.}/tests/cli/lib.sh"

c1=$data/c1.json
c2=$data/c2.json

is "-P is sshare's text" "$(fathom shares --from "$c2" -P --policy classic)" \
'Account|User|RawShares|NormShares|RawUsage|EffectvUsage|FairShare
root|||1.000000|400|1.000000|
 A||60|0.600000|200|0.500000|0.561231
  P||parent|0.600000|150|0.500000|0.561231
   P|u1|10|0.150000|100|0.312500|0.235969
   P|u2|parent|0.600000|50|0.500000|0.561231
  A|u3|30|0.450000|50|0.406250|0.534856
 B||40|0.400000|200|0.500000|0.420448
  B|u4|1|0.400000|200|0.500000|0.420448
  B|z|0|0.000000|0|0.000000|0.000000
 root|u5|parent|1.000000|0|0.000000|0.500000'
is "-P has bars between columns" \
	"$(fathom shares --from "$c1" -Pn -A F -o Account,User,RawShares)" \
'F||35
 F|user5|1'
is "-n has no header" \
	"$(fathom shares --from "$c1" -nP)" "$(fathom shares --from "$c1" -P | tail -n +2)"
is "the table" "$(fathom shares --from "$c1" -A A,B -o acc,user,raws)" \
'Account User  RawShares
A                    40
`-B                  30
  `-B   user1         1'
is "a table without header" \
	"$(fathom shares --from "$c1" -n -A A,B -o acc,user,raws | head -n 1)" \
'A           40'
is "widths: cut, and to the left" "$(fathom shares --from "$c1" -A B -o user%-4,acc%4,raws%-10)" \
'User Account RawShares
     B       30
use+ `-B     1'
is "a width is that of the tree's column too: cut with its lines, and padded" \
	"$(fathom shares --from "$c1" -A B,C -o acc%5,user%-8,fairs%12)" \
'Account User        FairShare
B
`-B     user1        0.600000
C
|-C     user2        0.200000
`-C     user3        0.400000'
is "a level that a width has no room for is told before the name" \
	"$(fathom shares --from "$c1" -A A,B -o acc%4 -n | tr -d ' ' | tail -n 1)" '`-(+'
is "the level of who has used nothing is infinite under flux, too" \
	"$(fathom shares --from "$c1" --policy flux -o user,levelfs -nPU | grep user5)" 'user5|inf'
is "bhpart's columns of the document's tables, as printed but for decayed CPU time" \
	"$(fathom shares --from "$data/l1.json" --policy lsf --set cpu_time_factor=0 -nPU \
		-o User,RawShares,Priority,Started,Reserved,CpuTime,RunTime,Adjust |
		awk -F '|' '{ printf "%s %d %.3f %d %d %.1f %d %.3f\n", \
			$1, $2, $3, $4, $5, $6, $7, $8 }' |
		grep -v bhpart-group1)" \
'bqueues-user1 100 9.645 2 0 0.2 7034 0.000
bhpart-r-group1 40 1.867 5 0 48.4 17618 0.000
group2 20 0.775 6 0 607.7 24664 0.000
user1 8 1.144 1 0 9.6 5108 0.000
user2 2 0.667 0 0 0.0 0 0.000
others 1 0.046 5 0 598.1 19556 0.000'
is "-U: users alone" "$(fathom shares --from "$c1" -UP -o User | tr '\n' ' ')" \
	"User user1 user2 user3 user4 user5 "
is "-u: users by name, in any case, and all accounts" \
	"$(fathom shares --from "$c1" -u USER1 -u user4 -P -o Account,User | tr '\n' ' ')" \
	"Account|User root|  A|   B|    B|user1   C|  D|   E|    E|user4   F| "
rejects "-u with an id" "fathom: --user: $c1 has no user 'root'; the nearest is user1" \
	shares --from "$c1" -u 0
rejects "-u with a user who is not there" \
	"fathom: --user: $c1 has no user 'uers4'; did you mean user4?" \
	shares --from "$c1" -u user1,uers4
rejects "-u with two letters swapped" \
	"fathom: --user: $data/p1.json has no user 'bbo'; did you mean bob?" \
	shares --from "$data/p1.json" -u bbo
rejects "-A with an account that is not there" \
	"fathom: --account: $c1 has no account 'ca'; the nearest is A" shares --from "$c1" -A a,ca
rejects "-A with a user" "fathom: --account: $c1 has no account 'user1'; the nearest is E" \
	shares --from "$c1" -A user1
is "-a after -u is -a" "$(fathom shares --from "$c1" -P -u user1 -a)" \
	"$(fathom shares --from "$c1" -P -a)"
is "-A: accounts and their users" \
	"$(fathom shares --from "$c1" -nP -A c -o Account,User | tr '\n' ' ')" \
	"C|  C|user2  C|user3 "
is "-l under fair-tree" "$(fathom shares --from "$c1" -lP | head -n 1)" \
	"Account|User|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare|LevelFS|Rank"
is "-l under depth-oblivious" \
	"$(fathom shares --from "$c1" -lmP --policy depth-oblivious | head -n 1)" \
	"Account|User|Partition|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare|\
Rank|UsageRatio|ParentRatio|LocalRatio|k"
is "-l under pbs" "$(fathom shares --from "$c1" -lP --policy pbs | head -n 1)" \
	"Account|User|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare|\
Rank|FairsharePerc|FairshareTreeUsage|FairshareFactor"
is "-l under flux" "$(fathom shares --from "$c1" -lP --policy flux)" \
	"$(fathom shares --from "$c1" -lP --set tie_mode=flux)"
is "RawUsage with what usage starts at" \
	"$(fathom shares --from "$data/p1.json" -UP --policy pbs --set initial_usage=1 \
	-o User,RawUsage | tr '\n' ' ')" \
	"User|RawUsage bob|100 cathy|100 suzy|1 scott|1000 "
is "columns by their beginnings" \
	"$(fathom shares --from "$c1" -P -o a,u,p,eff,fairs,normu,i,level,rank | head -n 1)" \
	"Account|User|Partition|EffectvUsage|FairShare|NormUsage|ID|LevelFS|Rank"
is "--verbose says what is evaluated" "$(fathom shares --from "$c1" -v 2>&1 >/dev/null)" \
	"fathom: $c1: 12 associations, 5 of them users; policy fair-tree; 12 shown"
is "the default policy of a file" "$(fathom shares --from "$c1" --json)" \
	"$(fathom shares --from "$c1" --policy fair-tree --json)"
is "a setting in fathom.conf's writing" "$(fathom shares --from "$c1" --set TieMode=slurm --json)" \
	"$(fathom shares --from "$c1" --set tie_mode=slurm --json)"

cat >"$work/idle.json" <<'END'
{"format": "fathom-tree", "version": 1, "time": 1700000000, "nodes": [
{"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
{"id": 2, "parent": 1, "name": "u", "kind": "user", "shares": 1, "usage": 500, "run_time": 0},
{"id": 3, "parent": 1, "name": "v", "kind": "user", "shares": 1, "usage": 100, "job_slots": 1}]}
END
fathom shares --from "$work/idle.json" --policy lsf --json >"$work/first"
is "a run time of 0 is none, whatever was used" \
	"$(fathom shares --from "$work/first" --policy lsf --json)" "$(cat "$work/first")"
# what was printed is read again, and gives the same, also where its policy is evaluated anew
for how in "lsf" "lsf --set run_job_factor=5" "pbs" "pbs --set initial_usage=7"; do
	for tree in c1 l1 l4 l7 l8 edge; do
		# shellcheck disable=SC2086	# several words
		fathom shares --from "$data/$tree.json" --policy $how --json >"$work/first"
		# shellcheck disable=SC2086
		fathom shares --from "$work/first" --policy $how --json >"$work/second"
		ok "$tree evaluated anew from its JSON, $how" diff "$work/first" "$work/second"
	done
done
for tree in c1 c2 d1 t7 t9; do
	for policy in $(policies); do
		fathom shares --from "$data/$tree.json" --policy $policy -lmP >"$work/first"
		fathom shares --from "$work/first" --policy $policy -lmP >"$work/second"
		ok "$tree as text and back, $policy" diff "$work/first" "$work/second"
	done
done
for tree in c1 c2 d1 t7 l2 l8 edge; do
	for policy in $(policies); do
		fathom shares --from "$data/$tree.json" --policy $policy --json >"$work/first"
		fathom shares --from "$work/first" --json >"$work/second"
		ok "$tree as JSON and back, $policy" diff "$work/first" "$work/second"
		fathom shares --from "$data/$tree.json" --policy pbs,classic -P >"$work/first.txt"
		fathom shares --from "$work/first" --policy pbs,classic -P >"$work/second.txt"
		ok "$tree as JSON of $policy, under other policies" \
			diff "$work/first.txt" "$work/second.txt"
	done
done
fathom shares --from "$c1" --policy lsf,classic --json >"$work/several.json"
is "JSON of several policies: the first is read" \
	"$(fathom shares --from "$work/several.json" --json)" \
	"$(fathom shares --from "$c1" --policy lsf --json)"
is "JSON of usage that was added up keeps the half-life" \
	"$(fathom shares --from "$data/swf/small.swf" --set half_life=1d --json \
	>"$work/added.json"; fathom shares --from "$work/added.json" --json | sed -n 4p)" \
	"$(sed -n 4p "$work/added.json")"
cat >"$work/partitions.json" <<'END'
{"format": "fathom-tree", "version": 1, "nodes": [
 {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
 {"id": 2, "parent": 1, "name": "u", "kind": "user", "shares": 1, "usage": 5, "partition": "p"},
 {"id": 3, "parent": 1, "name": "u", "kind": "user", "shares": 1, "usage": 7}]}
END
fathom shares --from "$work/partitions.json" --json >"$work/first"
is "JSON has partitions, and they are read" \
	"$(fathom shares --from "$work/first" -mnP -o User,Partition,RawUsage)" \
	"$(fathom shares --from "$work/partitions.json" -mnP -o User,Partition,RawUsage)"
fathom shares --from "$c1" -U --json >"$work/users.json"
rejects "JSON of users alone has no tree" \
	"fathom: $work/users.json: associations are missing, must be the whole tree, as of \
'fathom shares -a --json'" \
	shares --from "$work/users.json"
echo '{"format": "fathom-shares", "version": 1, "policies": []}' >"$work/none.json"
rejects "JSON of no policy" "fathom: $work/none.json: \"policy\" is missing" \
	shares --from "$work/none.json"
fathom shares --from "$c2" -lmP >"$work/first"
fathom shares --from "$c2" -lmP -o a,u,raws,rawu >"$work/second"
is "-p with few columns is read as well" \
	"$(fathom shares --from "$work/second" -lmP)" "$(cat "$work/first")"

# JSON
head='{"format": "fathom-shares", "version": 1,
 "policy": "classic",
 "tie_mode": null,
 "settings": {"dampening_factor": 2.5},
 "time": 1700000000, "time_iso": "2023-11-14T22:13:20Z",
 "associations": ['
is "JSON: its head" \
	"$(fathom shares --from "$c2" --policy classic --set dampening_factor=2.5 --json |
	head -n 6)" "$head"
prints "JSON: settings of every type, accounts, a user with parent" c2-pbs.json \
	shares --from "$c2" --policy pbs --set fairshare_usage_res=ncpus*walltime --json
is "JSON: how ties are taken" "$(for policy in classic fair-tree pbs flux; do
	fathom shares --from "$c2" --policy $policy --json | sed -n 3p
done | tr -d '\n')" \
	' "tie_mode": null, "tie_mode": "documented", "tie_mode": null, "tie_mode": "flux",'
prints "JSON: the root, a tie, infinity" c1-fair-tree.json shares --from "$c1" --json
fathom shares --from "$c1" -P >"$work/text"
is "JSON: no time in sshare's text" "$(fathom shares --from "$work/text" --json | sed -n 5p)" \
	' "time": null, "time_iso": null,'
cat >"$work/strange.json" <<'END'
{"time": null, "nodes": [{"shares": 7, "usage": 0, "id": 9007199254740993, "parent": null,
 "kind": "account", "name": "a\"b\\c é"}], "version": 1, "comment": {"any": ["thing"]},
 "format": "fathom-tree"}
END
like "JSON: names as they are, ids to the last digit" \
	"$(fathom shares --from "$work/strange.json" --json | tail -n 1)" \
	'  {"id": 9007199254740993, "parent_id": null, "account": "a\\"b\\\\c é",*'

# hours
fathom shares --from "$c1" -nP -o RawUsage,BillingHours >"$work/hours"
is "--units hours" "$(fathom shares --from "$c1" -nP --units hours | cut -d '|' -f 5)" \
	"$(awk -F '|' '{ printf "%.1f\n", $1 / 3600 }' "$work/hours")"
is "is the column BillingHours" "$(cut -d '|' -f 2 "$work/hours")" \
	"$(fathom shares --from "$c1" -nP --units hours | cut -d '|' -f 5)"
rejects "--units with JSON" \
	"fathom: --units: cannot be used with --json, whose usage is in billing seconds" \
	shares --from "$c1" --units billing --json
rejects "hours of CPUs in a file" \
	"fathom: --output: only a running cluster has the column CPUHours, a file does not" \
	shares --from "$c1" -o CPUHours

# colour and tree lines
is "no colour where there is no terminal" "$(fathom shares --from "$c1" | grep -c '\[')" 0
if script -qec true /dev/null >/dev/null 2>&1; then
	terminal ()
	{
		TERM=xterm script -qec "$FATHOM shares --from $c1" /dev/null </dev/null
	}
	is "colour on a terminal" "$(terminal | grep -c '\[1m')" 8
	is "no colour with NO_COLOR" "$(NO_COLOR=1 terminal | grep -c '\[')" 0
else
	skip "colour on a terminal" "script is not installed"
fi
if [ "$(LC_ALL=C.UTF-8 locale charmap 2>/dev/null)" = UTF-8 ]; then
	like "tree lines in UTF-8" "$(LC_ALL=C.UTF-8 fathom shares --from "$c1")" '*├─A*'
	sed 's/"user1"/"müller"/' "$c1" >"$work/umlaut.json"
	is "what is cut has whole characters" \
		"$(LC_ALL=C.UTF-8 fathom shares --from "$work/umlaut.json" -n -u müller \
		-U -o user%3,user%6 | tr -d ' ')" "mü+müller"
	sed 's/"user1"/"利用者"/' "$c1" >"$work/wide.json"
	is "a wide character takes two columns" \
		"$(LC_ALL=C.UTF-8 fathom shares --from "$work/wide.json" -A A,B -o acc,user,raws)" \
'Account User   RawShares
A                     40
└─B                   30
  └─B   利用者         1'
	is "also where a text is cut, and an accent takes none" \
		"$(sed "s/user2/$(printf 'mu\314\210ller')/" "$work/wide.json" |
		LC_ALL=C.UTF-8 fathom shares --from - -nU -A B,C -o user%4,user%5,user%3,raws%8)" \
"$(printf ' 利+ 利用+ 利+        1\nmu\314\210l+ mu\314\210ll+ mu\314\210+        1')
use+ user3 us+        1"
else
	skip "tree lines in UTF-8" "no locale C.UTF-8"
fi
like "figures have a point in every locale" \
	"$(LC_ALL=de_DE.UTF-8 fathom shares --from "$c1" -P)" '*0.400000*'
### a part of a tree

for users in user1 user5 user2,user3 user5,user1; do
	fathom shares --from "$c1" -u $users --json >"$work/part.json"
	rejects "$users alone" "fathom: $work/part.json: associations are missing, must be the \
whole tree, as of 'fathom shares -a --json'" shares --from "$work/part.json" --policy fair-tree
done
rejects "nor is it explained" "fathom: $work/part.json: associations are missing, must be the \
whole tree, as of 'fathom shares -a --json'" explain user1 --from "$work/part.json" --until 0.9
for policy in $(policies); do
	fathom shares --from "$c1" --policy "$policy" --json >"$work/whole.json"
	ok "$policy: the whole tree" "$FATHOM" shares --from "$work/whole.json"
done
finish
