#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A FiguresFile with usage of other clusters: what came from which.
. "${srcdir:=.}/tests/cli/lib.sh"

file=$data/figures/global.json

# ---- the table --------------------------------------------------------------------
fathom shares --from "$file" --global | sed 's/ *$//' >"$work/table"
is "a line for the cluster that is not as it should be" "$(head -n 1 "$work/table")" \
	"cluster kit: No such file or directory; usage is 50.0 hours old, more than MaxAge; 9 s \
are in accounts that this cluster lacks, and do not count"
is "the table" "$(sed 1d "$work/table")" \
'Account     User RawShares NormShares RawUsage EffectvUsage FairShare UsageHere tux  kit
root                         1.000000     5000     1.000000                3200 800 1000
|-physics                1   0.500000     4000     0.800000  0.329877      3200 800    0
| |-physics anna         1   0.250000     1000     0.500000  0.250000       200 800    0
| `-physics bert         1   0.250000     3000     0.700000  0.143587      3000   0    0
`-art                    1   0.500000     1000     0.200000  0.757858         0   0 1000
  `-art     carl         1   0.500000     1000     0.200000  0.757858         0   0 1000'
is "the parts add up to RawUsage" "$(fathom shares --from "$file" --global -P -n \
	-o RawUsage,UsageHere,tux,kit | awk -F '|' '$1 != $2 + $3 + $4')" ""
is "-P has no line above" "$(fathom shares --from "$file" --global -P | head -n 1)" \
	'Account|User|RawShares|NormShares|RawUsage|EffectvUsage|FairShare|UsageHere|tux|kit'
is "-o and -S name a cluster" \
	"$(fathom shares --from "$file" --global -P -U -o user,KIT -S -tux,user)" \
'User|kit
anna|0
bert|0
carl|1000'
echo PriorityWeightFairshare=5000 >"$work/weight.conf"
is "a slurm.conf beside the file" \
	"$(fathom shares --from "$file" --from "$work/weight.conf" --global)" \
	"$(fathom shares --from "$file" --global)"
is "each cluster once beside two policies" \
	"$(fathom shares --from "$file" --global -P -n -u carl -U --policy classic,fair-tree)" \
	'art|carl|0.757858|1|1.000000|1|0|0|0|1000'
# given FILE: what each user has
given ()
{
	sed -n 's/.*"user": "\([a-z]*\)".*, "usage_here\(.*}\)}.*/\1\2/p' "$1"
}

given "$file" >"$work/wanted"
fathom shares --from "$file" --global --json >"$work/json"
given "$work/json" >"$work/got"
ok "--json has what the file has" diff "$work/wanted" "$work/got"
clusters ()
{
	sed -n 's/^ *\({"cluster": .*}\)\(,\|\],\)$/\1/p' "$1"
}

clusters "$file" >"$work/wanted"
clusters "$work/json" | sed 's/, "time_iso": "[^"]*"//' >"$work/got"
ok "and how each cluster is" diff "$work/wanted" "$work/got"
is "with times also as text" "$(grep -o '"time_iso": "2023[^"]*' "$work/json" | paste -sd ' ' -)" \
	'"time_iso": "2023-11-14T22:18:20Z "time_iso": "2023-11-14T22:13:20Z '\
'"time_iso": "2023-11-12T20:18:20Z'
is "that are two" "$(wc -l <"$work/got")" 2
ok "a JSON parser takes it" python3 -m json.tool "$work/json" /dev/null
fathom shares --from "$file" --global --json --policy classic,fair-tree >"$work/two"
ok "also of two policies" python3 -m json.tool "$work/two" /dev/null
is "--from reads it" "$(fathom shares --from "$work/json" -P --policy classic)" \
	"$(fathom shares --from "$file" -P)"
fathom shares --from "$work/json" --global --json >"$work/again"
fathom shares --from "$work/two" --global --json >"$work/again-two" 2>"$work/said"
ok "with the usage of other clusters" diff "$work/json" "$work/again"
ok "of the first of two policies, too" diff "$work/json" "$work/again-two"
is "without the option a table has nothing of it" \
	"$(fathom shares --from "$file" | grep -c -e tux -e Here)" 0
fathom shares --from "$file" --json >"$work/plain"
ok "but JSON has, so that it is read as what it is" diff "$work/json" "$work/plain"
is "and not as usage of this cluster" "$(fathom usage --from "$work/plain" -P)" \
	"$(fathom usage --from "$file" -P)"
is "the file's figures are those of its policy" \
	"$(fathom shares --from "$file" -P --policy classic)" "$(fathom shares --from "$file" -P)"
fathom shares --from "$file" --global -P >"$work/text"
is "--from reads -P" "$(fathom shares --from "$work/text" -P --policy classic)" \
	"$(fathom shares --from "$file" -P)"

sed 's/"time": 1699820300, "stale": true/"time": null, "stale": false/' "$file" >"$work/restart"
is "after a restart nothing may be known of a cluster" \
	"$(fathom shares --from "$work/restart" --global | head -n 1)" \
	"cluster kit: No such file or directory; nothing of it counts; 9 s are in accounts that \
this cluster lacks, and do not count"

# ---- explain ------------------------------------------------------------------------
# said USER [OPTION...]: what costs most, in one line
said ()
{
	fathom explain --from "$file" "$@" | paste -sd ' ' - |
		sed -n 's/.*\(What costs most.*\) Used\/Share is.*/\1/p'
}

is "explain names the cluster that most of the usage is from" "$(said anna)" \
	"What costs most is account physics: it has used 1.6 times its share, 75 % of it by bert. \
Of this usage 20 % is from cluster tux."
sed 's/{"tux": 800}/{"tux": 300, "kit": 450}/' "$file" >"$work/kit"
is "the one with the most" "$(file=$work/kit said anna | sed 's/.*\. Of/Of/')" \
	"Of this usage 11 % is from cluster kit."
is "but no cluster with a tenth or less" "$(said bert)" \
	"What costs most is the user's own usage: bert counts as having used 2.8 times its share."

# ---- files that have none, or are wrong ---------------------------------------------
rejects "a file without GlobalShare" "fathom: --global: $data/figures/shadow.json has no usage of \
other clusters; the FiguresFile of a cluster with GlobalShare has it" \
	shares --from "$data/figures/shadow.json" --global
rejects "another format" "fathom: --global: $data/c1.json has no usage of other clusters; the \
FiguresFile of a cluster with GlobalShare has it" shares --from "$data/c1.json" --global
is "usage is that of this cluster" "$(fathom usage --from "$file" -nPu anna | grep anna)" \
	"  physics|anna|200|200|0.062500"
is "so it can be imported elsewhere" \
	"$(fathom convert --from "$file" --to usage 2>&1 | grep 'fathom: \|anna\|carl')" \
	"fathom: $file: usage of other clusters gets lost
 {\"account\": \"physics\", \"user\": \"anna\", \"usage\": 200},"
rejects "a scope" "fathom: --global: cannot be used with --scope" \
	shares --from "$file" --global --scope gpu
rejects "hours" "fathom: --units: cannot be used with --global, whose usage is in billing seconds" \
	shares --from "$file" --global --units hours
rejects "a cluster without the option" \
	"fathom: --output: 'tux' is not a column of classic; see --helpformat" \
	shares --from "$file" -o tux
sed 's/{"tux": 800}/{"tux": "much"}/' "$file" >"$work/wrong"
rejects "usage that is no number" \
	"fathom: $work/wrong:11: associations[1]: 'tux' must be a number, \
\"inf\" or null" shares --from "$work/wrong"
sed -n '/^"global"/,/}],$/!p' "$file" | sed '$d' >"$work/late"
printf '"global": [{"cluster": "tux"}]}\n' >>"$work/late"
rejects "clusters behind the tree" \
	"fathom: $work/late:13: \"global\" comes after the associations, must \
come before them" shares --from "$work/late"
finish
