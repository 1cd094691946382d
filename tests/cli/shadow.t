#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A FiguresFile: what is told in it stands, and the policy in force beside its shadow.
. "${srcdir:=.}/tests/cli/lib.sh"

file=$data/figures/shadow.json
c1=$data/c1.json

# part NAME: the object of this name in the file, as fathom shares --json writes it
part ()
{
	sed -n "s/^\"$1\": {/{/; /^{\"policy\"/,/]}/p" "$file" |
		sed 's/, "own_usage": [0-9.]*}/}/; s/]},$/]}/; s/]}}$/]}/'
}

# ---- what is told -----------------------------------------------------------------
# policy and settings of the file are those of its tree
fathom shares --from "$file" --json | as_in_file >"$work/got"
part shares >"$work/wanted"
ok "--json has the file's shares to the last digit" diff "$work/wanted" "$work/got"
sed 's/\("factor": \)0.3264[0-9]*/\10.125/' "$file" >"$work/told"
is "figures are told, not evaluated" \
	"$(fathom shares --from "$work/told" -P -n -U -u anna -o FairShare)" 0.125000
is "--policy evaluates" \
	"$(fathom shares --from "$work/told" --policy classic -P -n -U -u anna -o FairShare)" \
	0.326486
is "--set evaluates with the other settings of the file" \
	"$(fathom shares --from "$work/told" --set dampening_factor=1 -P -n -U -u anna \
	-o FairShare)" 0.326486
# own usage of physics, and of nobody else among accounts
is "own usage of accounts is known again" \
	"$(fathom shares --from "$file" --policy fair-tree --set tie_mode=documented \
	--json | as_in_file)" "$(part shadow | as_in_file)"
is "--policy of the shadow: its figures are told as well" \
	"$(sed 's/"factor": 0.66666666666666663/"factor": 0.25/' "$file" |
		fathom shares --from - --policy fair-tree -P -n -U -u emil -o FairShare)" 0.250000
is "the format is recognised" "$(fathom shares --from - -P <"$file")" \
	"$(fathom shares --from "$file" -P)"
is "and named" \
	"$(fathom shares --from "$file" --format figures -P)" "$(fathom shares --from "$file" -P)"
sed -e '1s/"version": 1/"version": 1, "pass": {"seconds": [1, 2]}/' \
	-e 's/"norm_shares"/"new": null, "norm_shares"/' \
	"$file" >"$work/newer"
is "what later releases add is passed over" \
	"$(fathom shares --from "$work/newer" --json | as_in_file)" "$(part shares)"

# ---- beside the shadow -------------------------------------------------------------
is "the table" "$(fathom shares --from "$file" --shadow | sed 's/ *$//')" \
'policy classic, shadow policy fair-tree
                   classic        fair-tree
Account     User   FairShare Rank FairShare Rank Change
root
|-biology           0.422717
| |-biology anna    0.326486    4  0.333333    5     -1
| `-biology bert    0.326486    4  0.166667    6     -2
`-physics           0.559221
  |-lab             0.559221
  | |-lab   carla   0.236392    6  0.500000    4     +2
  | `-lab   dora    0.559221    1  1.000000    1      0
  |-physics emil    0.346603    3  0.666667    3      0
  `-physics frieda  0.559221    1  1.000000    1      0'
is "-P" "$(fathom shares --from "$file" --shadow -P -U -u carla,bert)" \
'Account|User|FairShare:classic|Rank:classic|FairShare:fair-tree|Rank:fair-tree|Change:fair-tree
biology|bert|0.326486|4|0.166667|6|-2
lab|carla|0.236392|6|0.500000|4|+2'
is "-n and -A" "$(fathom shares --from "$file" --shadow -n -P -A lab)" \
'lab||0.559221||||
 lab|carla|0.236392|6|0.500000|4|+2
 lab|dora|0.559221|1|1.000000|1|0'
is "-o" \
	"$(fathom shares --from "$file" --shadow -P -o Account,User,Partition,Rank | head -n 1)" \
	'Account|User|Partition|Rank:classic|Rank:fair-tree'
fathom shares --from "$file" --shadow --json >"$work/json"
is "--json has the one" \
	"$(sed -n '3,/]}/p' "$work/json" | sed 's/]},$/]}/' | as_in_file)" "$(part shares)"
is "and the other" \
	"$(sed -n '/^{"policy": "fair-tree"/,$p' "$work/json" | sed 's/]}]}$/]}/' | as_in_file)" \
	"$(part shadow | as_in_file)"

# ---- jobs --------------------------------------------------------------------------
jobs=$data/jobs/shadow.json
prio ()
{
	fathom prio --from "$jobs" --from "$file" "$@"
}

is "prio: the tree's policy and its figures" \
	"$(fathom prio --from "$jobs" --from "$work/told" -P -n -j 1 -o JobID,Priority)" '1|1750'
is "prio: --policy evaluates" \
	"$(fathom prio --from "$jobs" --from "$work/told" --policy classic -P -n -j 1 \
	-o JobID,Priority)" \
	"$(prio --policy classic -P -n -j 1 -o JobID,Priority)"
is "prio: so does a setting" \
	"$(fathom prio --from "$jobs" --from "$work/told" --set dampening_factor=1.5 -P -n -j 1 \
	-o JobID,Priority)" \
	"$(prio --set dampening_factor=1.5 -P -n -j 1 -o JobID,Priority)"
# 500 of age; 10000 times the factors of the table above; 100 of nice
is "prio --shadow: the table" "$(prio --shadow 2>"$work/err" | sed 's/ *$//')" \
'policy classic, shadow policy fair-tree
                       classic                 fair-tree
JOBID PARTITION USER   FAIRSHARE PRIORITY RANK FAIRSHARE PRIORITY RANK CHANGE
    1 all       anna        3265     3764    1      3333     3833    4     -3
    2 all       bert        3265     3664    2      1667     2066    5     -3
    3 all       carla       2364     2363    4      5000     5000    2     +2
    3 top       carla       2364     2363    4      5000     5000    2     +2
    4 all       emil        3466        0    -      6667        0    -      -
    5 all       emil        3466     3466    3      6667     6666    1     +2
    6 all       nobody         -        -    -         -        -    -      -'
is "prio --shadow: a job that is not in the tree has a reason" "$(cat "$work/err")" \
	"fathom: no fair-share figures on 1 line: for example, the tree has no association of user \
nobody in account physics (job 6)"
is "prio --shadow: ranks are among all, whatever is shown" \
	"$(prio --shadow -P -n -u carla,bert -S -Change,r)" \
'3|all|carla|2364|2363|4|5000|5000|2|+2
3|top|carla|2364|2363|4|5000|5000|2|+2
2|all|bert|3265|3664|2|1667|2066|5|-3'
prints "prio --shadow --json, and a held job" shadow-2-4.json \
	prio --from "$jobs" --from "$file" --shadow --json -j 2,4

# ---- further files ------------------------------------------------------------------
is "prio: --policy of the shadow: its figures are told as well" \
	"$(sed 's/"factor": 0.66666666666666663/"factor": 0.25/' "$file" |
	fathom prio --from "$jobs" --from - --policy fair-tree -nP -j 5 --norm -o FairShare)" \
	0.2500000
sed '/^"shadow"/,$ s/"raw_usage": 100000/"raw_usage": 0/' "$file" >"$work/own"
is "prio: with another setting, by its usage" \
	"$(fathom prio --from "$jobs" --from "$work/own" --policy fair-tree --set tie_mode=slurm \
	-nP -j 3 -p top --norm -o FairShare)" 1.0000000
echo PriorityWeightFairshare=5000 >"$work/weight.conf"
echo FairShareDampeningFactor=3 >"$work/damping.conf"
echo PriorityFlags=DEPTH_OBLIVIOUS >"$work/flags.conf"
# anna FILE: her factor, and that of her job, with a slurm.conf
anna ()
{
	fathom shares --from "$file" --from "$1" -nPU -u anna -o FairShare |
		xargs printf '%.4f\n'
	prio --from "$1" -j 1 --norm -nP -o FairShare | xargs printf '%.4f\n'
}
is "a slurm.conf without PriorityFlags leaves the policy" \
	"$(anna "$work/weight.conf" | paste -sd ' ' -)" "0.3265 0.3265"
is "and changes its dampening factor" "$(anna "$work/damping.conf" | paste -sd ' ' -)" \
	"0.6886 0.6886"
is "one with PriorityFlags changes the policy" "$(anna "$work/flags.conf" | paste -sd ' ' -)" \
	"0.5683 0.5683"
is "shares --shadow beside a slurm.conf" \
	"$(fathom shares --from "$file" --from "$work/weight.conf" --shadow)" \
	"$(fathom shares --from "$file" --shadow)"
echo Policy=pbs >"$work/fathom.conf"
rejects "but not beside a fathom.conf" "fathom: --shadow: compares the policies of a FiguresFile; \
cannot be used with $work/fathom.conf" shares --shadow --from "$file" --from "$work/fathom.conf"

# ---- without one -------------------------------------------------------------------
sed 's/^"shadow": {.*/"shadow": null}/; /^"shadow"/q' "$file" >"$work/alone"
is "a file without a shadow" \
	"$(fathom shares --from "$work/alone" --json | as_in_file)" "$(part shares)"
knows='has no shadow policy; the FiguresFile of a cluster with ShadowPolicy has one'
rejects "no shadow in the file" "fathom: --shadow: $work/alone $knows" shares --from "$work/alone" \
	--shadow
rejects "no shadow in another format" "fathom: --shadow: $c1 $knows" shares --from "$c1" --shadow
rejects "prio: no shadow in the file" "fathom: --shadow: $work/alone $knows" \
	prio --from "$jobs" --from "$work/alone" --shadow
rejects "prio: no shadow in another format" "fathom: --shadow: $c1 $knows" prio --from "$jobs" \
	--from "$c1" --shadow
rejects "prio: no tree" \
	"fathom: --shadow: needs a tree; give --from with the FiguresFile of a cluster with \
ShadowPolicy" \
	prio --from "$jobs" --shadow
rejects "prio: --shadow and --weights" \
	"fathom: --weights: cannot be used with several policies or --shadow" \
	prio --from "$jobs" --from "$file" --shadow --weights
rejects "prio: --shadow and --policy" \
	"fathom: --shadow: compares the policies of the cluster; cannot be used with --policy and \
--set" prio --from "$jobs" --from "$file" --shadow --policy lsf
rejects \
	"prio: --shadow and --formula" "fathom: --shadow: compares weighted sums; cannot be used \
with --formula" \
	prio --from "$jobs" --from "$file" --shadow --formula age
rejects "prio: a column of a comparison alone" \
	"fathom: --output: 'Change' is not a column; see --helpformat" \
	prio --from "$jobs" --from "$file" -o Change
rejects "prio: and an order" "fathom: --sort: 'Change' is not a column; see --helpformat" \
	prio --from "$jobs" --from "$file" -S Change
alone='compares the policies of the cluster; cannot be used with --policy, --set and --adjust'
rejects "--shadow and --policy" "fathom: --shadow: $alone" shares --from "$file" \
	--shadow --policy lsf
rejects "--shadow and --set" "fathom: --shadow: $alone" shares --from "$file" --set k=v --shadow
finish
