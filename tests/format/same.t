#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every file of tests/format/same holds the tree of reference.json, in another writing.
. "${srcdir:=.}/tests/cli/lib.sh"

fathom shares --from "$srcdir/tests/format/same/reference.json" --json >"$work/wanted" 2>&1
like "the reference is read" "$(sed -n 2p "$work/wanted")" ' "policy": "fair-tree",'
for file in "$srcdir"/tests/format/same/*.txt; do
	fathom shares --from "$file" --json >"$work/got" 2>&1
	ok "$(basename "$file" .txt)" diff "$work/wanted" "$work/got"
	fathom shares --from - --format sshare --json <"$file" >"$work/got" 2>&1
	ok "$(basename "$file" .txt), from standard input" diff "$work/wanted" "$work/got"
done
finish
