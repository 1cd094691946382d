#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What flux-accounting prints for its own trees: the same banks, users, shares, usage and fair share
# come of its files.
. "${srcdir:=.}/tests/cli/lib.sh"

# its header, the root's shares (without meaning) and "Active" dropped, numbers as fathom prints
# them
flux_prints ()
{
	awk -F '|' -v OFS='|' 'NR > 1 && NF { print $1, $2, ($1 == "root" ? "" : $4), $5 + 0,
		($6 == "" ? "" : sprintf("%.6f", $6)) }' "$data/flux/$1_parsable.txt"
}

for tree in small_no_tie small_tie small_tie_all; do
	flux_prints $tree >"$work/wanted"
	for file in "$data/flux/$tree".[cd]*; do
		case $file in *.db) built_with SQLite "${file##*/}" || continue ;; esac
		fathom shares --from "$file" --policy fair-tree --set tie_mode=flux -nP \
			-o Account,User,RawShares,RawUsage,FairShare >"$work/got" 2>&1
		ok "${file##*/}" diff "$work/wanted" "$work/got"
	done
done

# listed usage is rounded: what users have beyond their bank counts in the bank, and nowhere twice
printf '%s\n' '0,root,%^+_nouser,1,5' '1,a,%^+_nouser,1,3' '2,a,u,1,4' >"$work/more.csv"
is "a bank with less than its users" \
	"$(fathom shares --from "$work/more.csv" -nP -o RawUsage | paste -sd ' ' -)" "5 4 4"
finish
