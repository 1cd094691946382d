#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Policies and values of settings side by side: each group of columns has the figures that its
# policy has alone. shadow.t has --shadow, which is a comparison of two.
. "${srcdir:=.}/tests/cli/lib.sh"
c1=$data/c1.json
c2=$data/c2.json
jobs=$data/jobs/shadow.json
tree=$data/figures/shadow.json
all=$(policies | sed 's/ /,/g')

# alone OPTION...: factor and rank of each user
alone ()
{
	fathom shares -P -n -U -o FairShare,Rank "$@"
}

# ---- each group is what it is alone -----------------------------------------------------
for file in "$c1" "$c2" "$data/t9.json" "$data/l6.json" "$data/p1.json" "$data/edge.json"; do
	: >"$work/wanted"
	for policy in $(policies); do
		alone --from "$file" --policy "$policy" |
			paste -d '|' "$work/wanted" - >"$work/next"
		mv "$work/next" "$work/wanted"
	done
	alone --from "$file" --policy "$all" 2>/dev/null | sed 's/^/|/' >"$work/got"
	ok "$(basename "$file"): all policies, each as alone" diff "$work/wanted" "$work/got"
done
is "values of a setting, each as alone" \
	"$(alone --from "$c1" --policy classic --set dampening_factor=1 --set DampeningFactor=3)" \
	"$(alone --from "$c1" --policy classic >"$work/one"
	alone --from "$c1" --policy classic --set dampening_factor=3 | paste -d '|' "$work/one" -)"
# unknown_shares changes the shares of a group, which no other column may see
cat >"$work/unknown" <<'END'
Account|User|RawShares|RawUsage
root||1|300
 unknown||0|100
  unknown|new|1|100
 known||10|200
  known|old|1|200
END
is "unknown_shares of one column does not change the next" \
	"$(fathom shares --from "$work/unknown" --policy pbs --set unknown_shares=90 \
	--set unknown_shares=10 --set unknown_shares=0 -P -n -o NormShares -U | tr '\n' ' ')" \
	"0.900000|0.500000|0.000000 0.100000|0.500000|1.000000 "
sed 's/^ unknown||0/ unknown||5/' "$work/unknown" >"$work/unknown-5"
is "unknown_shares=0 leaves the group the shares that the tree gives it" \
	"$(fathom shares --from "$work/unknown-5" --policy pbs --set unknown_shares=0 -P)" \
	"$(fathom shares --from "$work/unknown-5" --policy pbs -P)"
is "a policy keeps its own --set, and the others their defaults" \
	"$(alone --from "$c1" --policy fair-tree,classic --set dampening_factor=3)" \
	"$(alone --from "$c1" --policy fair-tree >"$work/one"
	alone --from "$c1" --policy classic --set dampening_factor=3 | paste -d '|' "$work/one" -)"
is "values multiply only the policies that have the setting" \
	"$(fathom shares --from "$c1" --policy classic,fair-tree --set dampening_factor=1 \
	--set dampening_factor=2 --set tie_mode=slurm -P -o FairShare | head -n 1)" \
	"FairShare:classic dampening_factor=1|FairShare:classic dampening_factor=2|\
FairShare:fair-tree"
is "each value of one with each value of the other" \
	"$(fathom shares --from "$c1" --policy lsf --set run_job_factor=1 --set run_job_factor=2 \
	--set hist_hours=1 --set hist_hours=2 -P -o Rank 2>/dev/null | head -n 1 | tr '|' '\n')" \
"Rank:run_job_factor=1 hist_hours=1
Rank:run_job_factor=2 hist_hours=1
Rank:run_job_factor=1 hist_hours=2
Rank:run_job_factor=2 hist_hours=2"
is "--adjust is for each" \
	"$(fathom shares --from "$data/memory.json" --policy lsf --adjust memory:1 \
	--set fairshare_adjustment_factor=1 --set fairshare_adjustment_factor=2 -P -n -U \
	-o Adjust)" \
	"$(fathom shares --from "$data/memory.json" --policy lsf --adjust memory:1 \
	--set fairshare_adjustment_factor=1 -P -n -U -o Adjust | sed 's/\(.*\)/\1|\1/')"
fathom shares --from "$data/l1.json" --policy lsf --set hist_hours=5 --set hist_hours=9 \
	>"$work/out" 2>"$work/err"
is "a setting without effect is told" "$(cat "$work/err")" \
	"fathom: hist_hours=5 and hist_hours=9 give the same factors on this tree"

is "one with an effect is not" \
	"$(fathom shares --from "$c1" --policy classic --set dampening_factor=1 \
	--set dampening_factor=2 2>&1 >/dev/null)" ""

# ---- ranks ----------------------------------------------------------------------------
for policy in $(policies); do
	is "$policy: a rank is 1 + the users with a greater factor" \
		"$(fathom shares --from "$c2" --policy "$policy" -P -n -U -o FairShare,Rank |
		awk -F '|' '{ factor[NR] = $1; rank[NR] = $2 }
		END { for (i in factor) { above = 1
			for (j in factor) above += factor[j] > factor[i]
			if (above != rank[i]) print i, above, rank[i] } }')" ""
	is "$policy: JSON has it, null for accounts" \
		"$(fathom shares --from "$c2" --policy "$policy" --json |
		grep -c '"user": null.*"rank": null\|"user": "[^"]*".*"rank": [0-9]')" \
		"$(fathom shares --from "$c2" --policy "$policy" --json | grep -c '"id"')"
	is "$policy: -l has one Rank" "$(fathom shares --from "$c2" --policy "$policy" -lP |
		head -n 1 | tr '|' '\n' | grep -c '^Rank$')" 1
done
is "equal factors share a rank" \
	"$(fathom shares --from "$c1" --policy fcfs -P -n -U -o Rank | sort -u)" 1
is "a change is the first rank less this one" \
	"$(fathom shares --from "$tree" -U -P -n --policy classic,lsf,fair-tree \
	-o Rank,Change | awk -F '|' '$1 - $2 != $3 + 0 || $1 - $4 != $5 + 0')" ""

# ---- half-lives ---------------------------------------------------------------------------
# long ago ada used more than bob, of late less
cat >"$work/records" <<'END'
JobID|User|Account|State|Start|End|Elapsed|AllocTRES
1|ada|physics|COMPLETED|1000000|1086400|1-00:00:00|billing=6
2|bob|physics|COMPLETED|1691200|1777600|1-00:00:00|billing=2
3|ada|maths|COMPLETED|1864000|1950400|1-00:00:00|billing=1
4|bob|physics|PENDING|Unknown|Unknown|00:00:00|billing=1
5|ada|physics|PENDING|Unknown|Unknown|00:00:00|billing=1
END
cat >"$work/shares" <<'END'
Account|User|RawShares|RawUsage
root||1|0
 physics||3|0
  physics|ada|2|0
  physics|bob|1|0
END
for policy in $(policies); do
	is "$policy: half-lives, each as alone" \
		"$(alone --from "$work/records" --policy "$policy" --set half_life=3d \
		--set HalfLife=7d --set half_life=0 2>/dev/null)" \
		"$(for half_life in 3d 7d 0; do
			alone --from "$work/records" --policy "$policy" \
				--set half_life=$half_life >"$work/of_$half_life"
		done
		paste -d '|' "$work/of_3d" "$work/of_7d" "$work/of_0")"
done
is "half-lives by slurm.conf's name, bare numbers are minutes there" \
	"$(alone --from "$work/records" --set PriorityDecayHalfLife=1440 \
	--set PriorityDecayHalfLife=7-0 --set priority_decay_half_life=3d)" \
	"$(alone --from "$work/records" --set half_life=86400 --set half_life=7d \
	--set half_life=3d)"
is "a dampening factor by both names" \
	"$(alone --from "$c1" --policy classic --set FairShareDampeningFactor=2 \
	--set dampening_factor=3)" \
	"$(alone --from "$c1" --policy classic --set dampening_factor=2 --set dampening_factor=3)"
is "half-lives: the table" "$(fathom shares --from "$work/records" --set half_life=1d \
	--set half_life=7d -U)" \
'             half_life=1d   half_life=7d
Account User FairShare Rank FairShare Rank Change
physics ada   1.000000    1  0.333333    3     -2
physics bob   0.666667    2  0.666667    2      0
maths   ada   0.333333    3  1.000000    1     +2'
# half_life LINE: that of each policy in JSON
half_life_of ()
{
	sed -n 's/.*"settings": {"half_life": \([0-9]*\).*/\1/p' | tr '\n' ' '
}
is "half-lives with policies and settings: each combination" \
	"$(fathom shares --from "$work/records" --policy classic,fair-tree --set half_life=1d \
	--set dampening_factor=1 --set half_life=7d --set dampening_factor=2 -P -o Rank \
	2>/dev/null | head -n 1 | tr '|' '\n')" \
"Rank:classic half_life=1d dampening_factor=1
Rank:classic half_life=7d dampening_factor=1
Rank:classic half_life=1d dampening_factor=2
Rank:classic half_life=7d dampening_factor=2
Rank:fair-tree half_life=1d
Rank:fair-tree half_life=7d"
is "half-lives in JSON" "$(fathom shares --from "$work/records" --set half_life=1d \
	--set half_life=7d --policy lsf,pbs --json 2>/dev/null | half_life_of)" \
	"86400 604800 86400 604800 "
is "a half-life in JSON, the usual one" \
	"$(fathom shares --from "$work/records" --json | half_life_of)" "604800 "
is "no half-life in JSON of a tree" "$(fathom shares --from "$c1" --json | half_life_of)" ""
is "half-lives of usage for a tree, in any order of files" \
	"$(alone --from "$work/shares" --from "$work/records" --set half_life=1d \
	--set half_life=7d 2>/dev/null)" \
	"$(alone --from "$work/records" --from "$work/shares" --set half_life=1d 2>/dev/null \
		>"$work/one"
	alone --from "$work/records" --from "$work/shares" --set half_life=7d 2>/dev/null |
		paste -d '|' "$work/one" -)"
is "usage of nobody in the tree is told" \
	"$(fathom shares --from "$work/shares" --from "$work/records" -P -o RawUsage,User \
	--set half_life=0 2>&1)" \
"fathom: $work/records: usage of 1 association that the tree does not have, given to the account \
or the root
RawUsage|User
777600|
691200|
518400|ada
172800|bob"
if command -v xz >/dev/null; then
	xz -k "$work/records"
	is "half-lives of compressed records" \
		"$(alone --from "$work/records.xz" --set half_life=1d --set half_life=7d)" \
		"$(alone --from "$work/records" --set half_life=1d --set half_life=7d)"
	is "half-lives of records from standard input" \
		"$(alone --from - --set half_life=1d --set half_life=7d <"$work/records.xz")" \
		"$(alone --from "$work/records" --set half_life=1d --set half_life=7d)"
else
	skip "half-lives of compressed records" "there is no xz"
fi
is "jobs: half-lives, each as alone" \
	"$(fathom prio --from "$work/records" --from "$work/shares" -Pn --policy classic \
	--set PriorityWeightFairshare=1000 --set half_life=1d --set half_life=7d \
	-o FairShare,Priority)" \
	"$(for half_life in 1d 7d; do
		fathom prio --from "$work/records" --from "$work/shares" -Pn --policy classic \
			--set PriorityWeightFairshare=1000 --set half_life=$half_life \
			-o FairShare,Priority >"$work/of_$half_life"
	done
	paste -d '|' "$work/of_1d" "$work/of_7d")"
is "jobs: half-lives change who is first" \
	"$(fathom prio --from "$work/records" -Pn --set PriorityWeightFairshare=1000 \
	--set half_life=1d --set half_life=7d -o User,Rank | tr '\n' ' ')" "bob|2|1 ada|1|2 "
is "jobs: half-lives in JSON" "$(fathom prio --from "$work/records" --set half_life=1d \
	--set half_life=7d --policy lsf,pbs --json | half_life_of)" "86400 604800 86400 604800 "

# ---- columns and order ------------------------------------------------------------------
is "the table" "$(fathom shares --from "$c1" --policy classic,depth-oblivious)" \
'              classic        depth-oblivious
Account User  FairShare Rank FairShare Rank Change
root
|-A            0.458502       0.458502
| |-B          0.408479       0.589340
| | `-B user1  0.408479    3  0.589340    4     -1
| `-C          0.125000       0.176777
|   |-C user2  0.022097    5  0.031250    5      0
|   `-C user3  0.125000    4  1.000000    1     +3
`-D            0.749154       0.749154
  |-E          0.500000       0.739613
  | `-E user4  0.500000    2  0.739613    3     -1
  `-F          0.749154       1.000000
    `-F user5  0.749154    1  1.000000    1      0'
is "a long name widens its group" \
	"$(fathom shares --from "$c1" --policy classic --set dampening_factor=1.0 \
	--set dampening_factor=2 -U -u user1 -o Rank,User | sed 's/ *$//')" \
'dampening_factor=1.0 dampening_factor=2
                Rank               Rank User
                   3                  3 user1'
is "no line ends in a blank" "$(for options in -a '-U -l' '-l --policy lsf,fair-tree'; do
	fathom shares --from "$c2" $options
done | grep -c ' $')" 0
is "names of any length stand above" \
	"$(fathom shares --from "$c1" -n --policy classic,lsf | head -n 1 | sed 's/ *$//')" root
for policies in classic,depth-oblivious classic,fair-tree,lsf classic,fair-tree,lsf,pbs; do
	is "$policies fit 80 columns" \
		"$(fathom shares --from "$tree" --policy "$policies" |
		awk 'length > 80')" ""
	is "jobs: $policies fit 80 columns" \
		"$(fathom prio --from "$jobs" --from "$tree" --policy "$policies" 2>/dev/null |
		awk 'length > 80')" ""
done
is "a column of each" \
	"$(fathom shares --from "$c1" --policy pbs,fair-tree -P -o user,rank | head -n 1)" \
	"User|Rank:pbs|Rank:fair-tree"
is "columns that stand together form groups" \
	"$(fathom shares --from "$c1" --policy pbs,fcfs -P -o rank,normu,user,fairs | head -n 1)" \
	"Rank:pbs|NormUsage:pbs|Rank:fcfs|NormUsage:fcfs|User|FairShare:pbs|FairShare:fcfs"
is "a column of one" \
	"$(fathom shares --from "$c1" --policy pbs,fair-tree -P -o user,rank:FAIR-tree |
	head -n 2)" \
	"User|Rank:fair-tree$newline|"
is "a column that only some have" \
	"$(fathom shares --from "$c1" --policy pbs,fair-tree,flux -P -o levelfs | head -n 1)" \
	"LevelFS:fair-tree|LevelFS:flux"
is "-l has each change" \
	"$(fathom shares --from "$c1" --policy pbs,fcfs,lsf -lP | head -n 1 | tr '|' '\n' |
	grep Change | tr '\n' ' ')" "Change:fcfs Change:lsf "
is "-S -Change: first who moves up most, accounts last" \
	"$(fathom shares --from "$c1" --policy classic,depth-oblivious -S -Change,User -P -n \
	-o User,Change | head -n 6 | tr '\n' ' ')" "user3|+3 user2|0 user5|0 user1|-1 user4|-1 | "
is "-S Change: first who moves down most" \
	"$(fathom shares --from "$c1" --policy classic,depth-oblivious -S change -P -n -U \
	-o Change | head -n 1)" -1
is "-S of a named policy" \
	"$(fathom shares --from "$c1" --policy fcfs,classic -S Rank:classic -P -n -U -o User |
	tr '\n' ' ')" "user5 user4 user1 user3 user2 "
is "-S sorts by the first policy alone" \
	"$(fathom shares --from "$c1" --policy fcfs,classic -S Rank,User -P -n -U -o User |
	tr '\n' ' ')" "user1 user2 user3 user4 user5 "
is "a sorted list is flat for scripts, too" \
	"$(fathom shares --from "$c1" -S Account -P -n -o Account | grep -c '^ ')" 0
is "-S of text, then a number" \
	"$(fathom shares --from "$c1" -S Account,-FairShare -P -n -U -o Account,User |
	tr '\n' ' ')" "B|user1 C|user3 C|user2 E|user4 F|user5 "
is "accounts have no user, and come last" "$(fathom shares --from "$c1" -S User -nP -o User |
	sed -n '1p;$p' | paste -sd ,)|$(fathom shares --from "$c1" -S -User -nP -o User |
	sed -n '1p;$p' | paste -sd ,)" "user1,|user5,"
sed '/"user2"/s/"shares": 1/"shares": "parent"/' "$c1" >"$work/parent.json"
is "after the shares parent comes the root, which has none" \
	"$(for order in RawShares -RawShares; do
		fathom shares --from "$work/parent.json" -S $order -nP -o RawShares | tail -n 2
	done | paste -sd ,)" "parent,,parent,"
is "a sorted list has no tree" "$(fathom shares --from "$c1" -S User -o Account |
	sort -u | tr '\n' ' ')" "A Account B C D E F root "

# on_terminal WIDTH OPTION...: what a terminal of this width shows
on_terminal ()
{
	width=$1
	shift
	TERM=dumb script -qec "stty cols $width; $FATHOM $*" /dev/null </dev/null | tr -d '\r'
}

if script -qec true /dev/null >/dev/null 2>&1; then
	two="--from $jobs --from $tree -j 2 --policy classic,fair-tree"
	is "a wide terminal has all columns" "$(on_terminal 80 prio "$two" | sed -n 2p | wc -w)" 10
	is "a narrower one tells what it hides" "$(on_terminal 70 prio "$two")" \
'fathom: FairShare is hidden, because the terminal is too narrow; --output chooses columns
                     classic       fair-tree
JOBID PARTITION USER PRIORITY RANK PRIORITY RANK CHANGE
    2 all       bert     3664    2     2066    5     -3'
	is "still narrower: the next one, too" "$(on_terminal 50 prio "$two")" \
'fathom: FairShare and Change are hidden, because the terminal is too narrow; --output chooses '\
'columns
                     classic       fair-tree
JOBID PARTITION USER PRIORITY RANK PRIORITY RANK
    2 all       bert     3664    2     2066    5'
	six=classic,depth-oblivious,fair-tree,pbs,lsf,flux
	is "six policies on 80 columns: the ranks" \
		"$(on_terminal 80 shares --from "$tree" --policy $six -u carla -U)" \
'fathom: FairShare is hidden, because the terminal is too narrow; --output chooses columns
              classic depth-oblivious fair-tree pbs  lsf  flux
Account User     Rank            Rank      Rank Rank Rank Rank
lab     carla       6               5         4    6    4    4'
	is "six policies on 120 columns: the factors, too" \
		"$(on_terminal 120 shares --from "$tree" --policy $six -U -u carla |
		sed -n 2p | wc -w)" 14
	is "jobs: six policies on 80 columns: the ranks" \
		"$(on_terminal 80 prio -l --from "$jobs" --from "$tree" --policy $six -j 1)" \
'fathom: FairShare, Priority and Change are hidden, because the terminal is too narrow; --output '\
'chooses columns
                     classic depth-oblivious fair-tree pbs  lsf  flux
JOBID PARTITION USER    RANK            RANK      RANK RANK RANK RANK
    1 all       anna       1               1         4    1    4    4'
	is "six policies on 50 columns: two tables" \
		"$(on_terminal 50 shares --from "$tree" --policy $six -u carla -U)" \
'fathom: FairShare is hidden, because the terminal is too narrow; --output chooses columns
              classic depth-oblivious fair-tree
Account User     Rank            Rank      Rank
lab     carla       6               5         4

              pbs  lsf  flux
Account User  Rank Rank Rank
lab     carla    6    4    4'
	is "columns that are asked for are all there, in two tables" \
		"$(on_terminal 50 prio "$two -o JobID,FairShare,Priority,Rank,Change,User")" \
'      classic
JOBID FAIRSHARE PRIORITY RANK USER
    2      3265     3664    2 bert

      fair-tree
JOBID FAIRSHARE PRIORITY RANK CHANGE USER
    2      1667     2066    5     -3 bert'
	is "each group is there on any terminal" \
		"$(on_terminal 10 shares --from "$tree" --policy $six -u carla -U -n |
		awk '/carla/ { print $NF }' | paste -sd ' ' -)" "6 5 4 6 4 4"
	for policies in classic,depth-oblivious,fair-tree,pbs,lsf "$all"; do
		for options in "shares -U -u anna,bert,carla -o User,NormUsage,FairShare,Rank" \
			"prio --from $jobs -j 1,2,3 -o JobID,Priority,FairShare,Rank"; do
			options="$options --from $tree --policy $policies"
			# shellcheck disable=SC2086	# several words
			fathom $options -P | tail -n +2 | tr '|' '\n' | sed 's/^$/-/' | sort -u \
				>"$work/piped"
			for width in 50 80; do
				on_terminal "$width" "$options" >"$work/shown"
				is "$options fits $width columns" \
					"$(awk -v width="$width" 'length > width' "$work/shown")" ""
				grep '[0-9]' "$work/shown" | tr -s ' ' '\n' | grep . | sort -u \
					>"$work/words"
				ok "and no figure is lost" diff "$work/piped" "$work/words"
			done
		done
	done
	for width in 80 120; do
		for options in "" -l; do
			is "shares $options: all policies fit $width columns" \
				"$(on_terminal "$width" shares $options --from "$tree" \
				--policy "$all" | grep -v '^fathom:' |
				awk -v width="$width" 'length > width')" ""
			is "prio $options: all policies fit $width columns" \
				"$(on_terminal "$width" prio $options --from "$jobs" \
				--from "$tree" --policy "$all" | grep -v '^fathom:' |
				awk -v width="$width" 'length > width')" ""
		done
		for command in "shares -l --policy lsf --from $tree" \
			"shares -l --policy pbs --from $tree" \
			"shares -l --policy depth-oblivious --from $tree" "shares -l --from $c1" \
			"prio -l --from $jobs --from $tree"; do
			is "$command fits $width columns" "$(on_terminal "$width" "$command" |
				grep -v '^fathom:' | awk -v width="$width" 'length > width')" ""
		done
	done
	is "columns that are asked for stay" \
		"$(on_terminal 30 prio "$two -o JobID,FairShare,Change" | grep -c hidden)" 0
else
	skip "on a terminal" "script cannot run"
fi

# ---- JSON -----------------------------------------------------------------------------
fathom shares --from "$c1" --policy classic,fair-tree --json >"$work/json"
fathom shares --from "$c1" --policy fair-tree --json >"$work/second"
is "JSON is a list" "$(head -n 2 "$work/json")" '{"format": "fathom-shares", "version": 1,
"policies": ['
is "of objects as they are alone" \
	"$(sed -n '/"fair-tree"/,$p' "$work/json" | sed '$s/]}]}$/]}/')" \
	"$(sed '1d; s/^ "policy"/{"policy"/' "$work/second")"
is "the first is read" "$(fathom shares --from "$work/json" -P 2>"$work/said")" \
	"$(fathom shares --from "$c1" --policy classic -P)"
is "and named" "$(cat "$work/said")" \
	"fathom: $work/json: has 2 policies; the first, classic, is read"
is "convert names it, too" \
	"$(fathom convert --from "$work/json" --to fathom 2>&1 >/dev/null)" \
	"fathom: $work/json: has 2 policies; the first, classic, is read"
is "of one, nothing is said" "$(fathom shares --from "$work/second" 2>&1 >/dev/null)" ""
if command -v python3 >/dev/null; then
	is "which parses" "$(python3 -c 'import json, sys
for policy in json.load(open(sys.argv[1]))["policies"]:
    print(policy["policy"], len(policy["associations"]))' "$work/json" | tr '\n' ' ')" \
		"classic 12 fair-tree 12 "
	fathom prio --from "$jobs" --from "$tree" --policy classic,lsf --json 2>/dev/null \
		>"$work/json"
	is "that of jobs, too" "$(python3 -c 'import json, sys
for policy in json.load(open(sys.argv[1]))["policies"]:
    print(policy["label"], policy["policy"], sorted(policy["settings"])[:1],
          [job["rank"] for job in policy["jobs"]])' "$work/json")" \
"classic classic ['dampening_factor'] [1, 2, 4, 4, None, 3, None]
lsf lsf ['committed_run_time_factor'] [4, 5, 2, 3, None, 1, None]"
else
	skip "JSON parses" "there is no python3"
fi

# ---- jobs -----------------------------------------------------------------------------
# prio OPTION...: in the queue of the tree
prio ()
{
	fathom prio --from "$jobs" --from "$tree" -P "$@" 2>/dev/null
}

prio --policy "$all" --norm -o Priority >/dev/null
: >"$work/wanted"
for policy in $(policies); do
	prio --policy "$policy" -n -o FairShare,Priority |
		paste -d '|' "$work/wanted" - >"$work/next"
	mv "$work/next" "$work/wanted"
done
prio --policy "$all" -n -o FairShare,Priority | sed 's/^/|/' >"$work/got"
ok "jobs: all policies, each as alone" diff "$work/wanted" "$work/got"
is "jobs: a weight of slurm.conf" \
	"$(prio -n --set PriorityWeightAge=7 --set PriorityWeightAge=1000 -o Age,Priority -j 1)" \
	"$(prio -n --set PriorityWeightAge=7 -o Age,Priority -j 1)|$(prio -n \
	--set PriorityWeightAge=1000 -o Age,Priority -j 1)"
is "jobs: a dampening factor by both names" \
	"$(prio --policy classic,pbs --set FairShareDampeningFactor=2 --set dampening_factor=3 -n \
	-o FairShare)" \
	"$(prio --policy classic,pbs --set dampening_factor=2 --set dampening_factor=3 -n \
	-o FairShare)"
is "jobs: a setting without effect is told" \
	"$(fathom prio --from "$jobs" --from "$tree" --set PriorityWeightQOS=1 \
		--set PriorityWeightQOS=2 2>&1 >/dev/null | tail -n 1)" \
	"fathom: PriorityWeightQOS=1 and PriorityWeightQOS=2 give the same priorities to these jobs"
# remarks POLICIES: what is said of jobs whose association the tree lacks
remarks ()
{
	fathom prio --from "$jobs" --from "$tree" --policy "$1" 2>&1 >/dev/null |
		sed 's/ on 1 line.*//' | paste -sd ';' -
}
is "jobs: what the policies differ in is told of each" "$(remarks flux,classic)" \
	"fathom: flux: a fairshare of 0.5;fathom: classic: no fair-share figures"
is "jobs: what holds under all is told once" "$(remarks fair-tree,classic)" \
	"fathom: no fair-share figures"
if built_with muParser "formulas side by side"; then
	# above OPTION...: the line of the formula
	above ()
	{
		fathom prio --from "$jobs" --from "$tree" --formula 'age*2' "$@" 2>/dev/null |
			head -n 1
	}
	is "jobs: one FormulaScale" "$(above --policy classic,pbs)" \
		"priorities by the formula age*2, FormulaScale 1"
	is "jobs: several stand above their columns" \
		"$(above --set formula_scale=1 --set formula_scale=10)" \
		"priorities by the formula age*2"
fi
is "without rows, a table has its header" "$(fathom shares --from "$c1" -U -A A -u user4)" \
	"$(fathom shares --from "$c1" -P | head -n 1 | tr '|' ' ')"
is "jobs: the TRES of each weight" \
	"$(fathom prio --from "$data/jobs/demo.json" --from "$data/demo.sshare" -nP \
	--set PriorityWeightTRES=cpu=1000 --set PriorityWeightTRES=gres/gpu=500,licenses/x=1 \
	-o TRES,Account | tail -n 1 | awk -F '|' '{ print NF }')" 3
many=$(for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
	printf 'licenses/a_long_name_%d=1,' $i
done)
is "jobs: names stay where a later value has more TRES" \
	"$(prio --set PriorityWeightTRES=cpu=1 --set "PriorityWeightTRES=$many" -n \
	-o JobID,Partition,User,Account)" "$(prio -n -o JobID,Partition,User,Account)"
cat >"$work/new.json" <<'END'
{"format": "fathom-jobs", "version": 1, "settings": {"PriorityWeightFairshare": 1000},
 "jobs": [{"job_id": 1, "user": "new", "account": "unknown"}]}
END
for shares in 90 10; do
	fathom prio --from "$work/new.json" --from "$work/unknown" --policy pbs -P -n \
		--set unknown_shares=$shares -o FairShare
done >"$work/wanted"
is "jobs: unknown_shares of one column does not change the next" \
	"$(fathom prio --from "$work/new.json" --from "$work/unknown" --policy pbs -P -n \
	--set unknown_shares=90 --set unknown_shares=10 --set unknown_shares=0 -o FairShare)" \
	"$(paste -sd '|' "$work/wanted")|$(fathom prio --from "$work/new.json" \
	--from "$work/unknown" --policy pbs -P -n -o FairShare)"
is "jobs: a policy and the values of its setting" \
	"$(prio --policy classic,fair-tree --set dampening_factor=1 --set dampening_factor=2 |
	head -n 1)" \
	"JOBID|PARTITION|USER|PRIORITY:classic dampening_factor=1|RANK:classic dampening_factor=1|\
PRIORITY:classic dampening_factor=2|RANK:classic dampening_factor=2|PRIORITY:fair-tree|\
RANK:fair-tree"
is "jobs: sprio's letters" "$(prio --policy classic,lsf -o '%i %Y' | head -n 1)" \
	"JOBID|PRIORITY:classic|PRIORITY:lsf"
is "jobs: sorted by a change" \
	"$(prio --policy classic,fair-tree -n -S -Change:fair-tree,i -o JobID,Change \
	-u carla,bert)" \
	"3|+2${newline}3|+2${newline}2|-3"
is "jobs: a rank is among all pending ones, whatever is shown" \
	"$(prio -n -u bert -o JobID,Rank)" "2|2"
sed 's/"job_id": 1,/"job_id": 1, "state": "RUNNING",/' "$jobs" >"$work/running"
is "jobs: one that runs has no rank" \
	"$(fathom prio --from "$work/running" --from "$tree" -P -n --state all -o JobID,Rank \
	2>/dev/null | head -n 2 | tr '\n' ' ')" "1| 2|1 "

# ---- wrong ------------------------------------------------------------------------------
rejects "an unknown policy" \
	"fathom: --policy: 'clasic' is unknown, must be one of $(listed $(policies)); did you mean \
classic?" shares --from "$c1" --policy lsf,clasic
rejects "no policy" "fathom: --policy: '' is unknown, must be one of $(listed $(policies))" \
	shares --from "$c1" --policy lsf,
rejects "a policy twice" "fathom: --policy: fair-tree: given twice" \
	shares --from "$c1" --policy fair-tree,lsf,FAIR_TREE
rejects "and in two options" "fathom: --policy: lsf: given twice" \
	prio --from "$jobs" --policy lsf --policy LSF
rejects "a value twice" \
	"fathom: --set: HistHours=5: given twice; several values of a setting are shown side by \
side" \
	shares --from "$c1" --policy lsf --set hist_hours=5 --set HistHours=5
rejects "a setting of another policy" \
	"fathom: --set: tie_mode: is no setting of classic or lsf; fathom shares --help lists the \
settings of each policy" shares --from "$c1" --policy classic,lsf --set tie_mode=slurm
rejects "jobs: a setting of another policy" \
	"fathom: --set: tie_mode: is no setting of classic or lsf; fathom shares --help lists the \
settings of each policy" prio --from "$jobs" --policy classic,lsf --set tie_mode=slurm
rejects "a wrong value" \
	"fathom: --set: dampening_factor: 'x' is not a number; for example 1; see fathom shares \
--help" shares --from "$c1" --policy lsf,classic --set dampening_factor=x
for half_life in half_life HalfLife PriorityDecayHalfLife; do
	rejects "$half_life: decayed usage is all that a tree has" \
		"fathom: --set: half_life: usage in a tree has already decayed; another half-life \
needs the runs of jobs, as sacct has them" shares --from "$c1" --set $half_life=3d
done
rejects "several half-lives of a tree" \
	"fathom: --set: half_life: usage in a tree has already decayed; another half-life needs \
the runs of jobs, as sacct has them" shares --from "$c1" --set half_life=3d --set HalfLife=7d
rejects "jobs: several half-lives of a tree with usage, which goes before that of jobs" \
	"fathom: --set: half_life: usage in a tree has already decayed; another half-life needs \
the runs of jobs, as sacct has them" prio --from "$tree" --from "$work/records" \
	--set half_life=3d --set half_life=7d
rejects "a half-life twice" "fathom: --set: half_life=3d: given twice; several values of a \
setting are shown side by side" shares --from "$work/records" --set half_life=3d \
	--set half_life=3d
rejects "half-lives in a file" "fathom: --set: half_life: given twice, must be given once" \
	convert --from "$work/records" --to fathom --set half_life=3d --set half_life=7d
rejects "a tree with usage, and records" "fathom: --from: $c1 and $work/records both have usage, \
only one may" shares --from "$c1" --from "$work/records"
rejects "too many" \
	"fathom: --policy, --set: more than 16 policies and values of settings side by side" \
	shares --from "$c1" --policy lsf --set hist_hours=1 --set hist_hours=2 --set hist_hours=3 \
	--set hist_hours=4 --set hist_hours=5 --set run_job_factor=1 --set run_job_factor=2 \
	--set run_job_factor=3 --set run_job_factor=4
rejects "a column of a policy that is not compared" \
	"fathom: --output: 'Rank:pbs': after ':' must be lsf or fcfs" \
	shares --from "$c1" --policy lsf,fcfs -o Rank:pbs
rejects "a column that the policy does not have" \
	"fathom: --output: 'LevelFS:lsf' is a column of fair-tree and flux, not of lsf" \
	shares --from "$c1" --policy lsf,fair-tree -o LevelFS:lsf
rejects "a change of the first" "fathom: --sort: 'Change:lsf' is not a column of lsf; see \
--helpformat" shares --from "$c1" --policy lsf,fcfs -S Change:lsf
rejects "a column that neither has" \
	"fathom: --output: 'k' is a column of depth-oblivious, not of lsf or fair-tree" \
	shares --from "$c1" --policy lsf,fair-tree -o k
rejects "a change of nothing" \
	"fathom: --output: 'Change' is not a column of fair-tree; see --helpformat" \
	shares --from "$c1" -o Change
rejects "more columns than there is room for" "fathom: --output: more than 64 columns" \
	shares --from "$c1" --policy "$all" \
	-o rank,rank,rank,rank,rank,rank,rank,rank,rank,rank,rank
finish
