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
		case $file in *.db) has_sqlite || { skip "${file##*/}" "built without SQLite"; \
			continue; } ;; esac
		fathom shares --from "$file" --policy fair-tree --set tie_mode=flux -nP \
			-o Account,User,RawShares,RawUsage,FairShare >"$work/got" 2>&1
		ok "${file##*/}" diff "$work/wanted" "$work/got"
	done
done
finish
