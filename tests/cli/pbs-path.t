#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# order=path of policy pbs: users by the comparison of paths, in PBS's own example.
. "${srcdir:=.}/tests/cli/lib.sh"

path ()
{
	fathom shares --from "$data/p1.json" --policy pbs --set initial_usage=1 \
		--set order=path "$@"
}

is "bob and cathy come before suzy" "$(path -UnP -o User,FairShare,UsagePerc)" \
"bob|1.000000|500.000000
cathy|1.000000|500.000000
suzy|0.500000|2.777778
scott|0.250000|4166.666667"
is "each level has its usage over fairshare_perc" "$(path -nP -o Account,User,UsagePerc |
	grep '||')" \
"TREEROOT||1201.000000
 group1||502.500000
 group2||1668.333333"
is "FairshareFactor is FairShare" "$(path -UnP -o FairshareFactor)" "$(path -UnP -o FairShare)"
like "which its meaning says" "$(fathom shares --helpformat | grep -A 2 FairshareFactor)" \
	"*with order=path*"
is "-l has the column" "$(path -lP | head -n 1 | sed 's/.*|//')" UsagePerc
is "only with order=path" \
	"$(fathom shares --from "$data/p1.json" --policy pbs -lP | head -n 1 | sed 's/.*|//')" \
	FairshareFactor
is "JSON: of those who are shown" "$(path --json | grep -o '"usage_perc": [0-9.]*' | wc -l |
	tr -d ' ')" 7
is "only there as well" \
	"$(fathom shares --from "$data/p1.json" --policy pbs --json | grep -c usage_perc)" 0
cat >"$work/jobs" <<'END'
{"format": "fathom-jobs", "version": 1, "settings": {"PriorityWeightFairshare": 1000}, "jobs": [
 {"job_id": 1, "user": "suzy", "account": "group2"},
 {"job_id": 2, "user": "bob", "account": "group1"}]}
END
is "jobs by their places" "$(fathom prio --from "$work/jobs" --from "$data/p1.json" --policy pbs \
	--set order=path -nP -o JobID,Priority | tr '\n' ' ')" "1|500 2|1000 "
finish
