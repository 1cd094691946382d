#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each folder of tests/format/reject holds an input and the error that it must give, less "fathom:
# FILE:". INPUT in it is the name of the file.
. "${srcdir:=.}/tests/cli/lib.sh"

for folder in "$srcdir"/tests/format/reject/*/*; do
	case $folder in */fathom-jobs/* | */slurm-jobs/*) command=prio ;; *) command=shares ;; esac
	rejects "${folder#"$srcdir"/tests/format/reject/}" \
		"fathom: $folder/input:$(sed "s,INPUT,$folder/input," "$folder/error")" \
		$command --from "$folder/input"
done
rejects "a format that does not fit" \
	"fathom: $data/c1.json:1: no '|' in the header line, must be the output of sshare -a -P" \
	shares --from "$data/c1.json" --format sshare
finish
