#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Ctrl-C and kill: commands end by the signal, change no file, and leave none behind.
. "${srcdir:=.}/tests/cli/lib.sh"
need_python3

mkdir "$work/folder"
mkfifo "$work/pipe"
{
	echo '; MaxProcs: 4'
	awk 'BEGIN { for (i = 1; i < 10000; i++)
		print i, i, 1, "60 1 -1 -1 1 60 -1 1 1 1 -1 -1 -1 -1 -1" }'
} >"$work/trace"
printf '{"format": "fathom-tree", "version": 1, %100000s' '' >"$work/document"
echo before >"$work/folder/out"

# interrupts SIGNAL FILE ARGUMENT...: the command reads the pipe
interrupts ()
{
	interrupts_signal=$1 interrupts_file=$2
	shift 2
	is "$interrupts_signal: $1 ends by it" \
		"$(python3 "$srcdir/tests/cli/interrupt.py" "$interrupts_signal" "$work/pipe" \
			"$interrupts_file" "$FATHOM" "$@" 2>&1)" "$interrupts_signal"
	is "and the folder is as it was" "$(cd "$work/folder" && echo .* * && cat out)" \
		". .. out${newline}before"
}

for signal in SIGINT SIGTERM; do
	interrupts $signal "$work/trace" shares --from "$work/pipe" --out "$work/folder/out"
	interrupts $signal "$work/trace" prio --from "$work/pipe" --out "$work/folder/out"
	interrupts $signal "$work/trace" convert --from "$work/pipe" --to fathom \
		--out "$work/folder/out"
	interrupts $signal "$work/trace" convert --from "$work/pipe" --to slurm \
		--out "$work/folder/new"
	interrupts $signal "$work/trace" replay "$work/pipe" --json --out "$work/folder/out"
	interrupts $signal "$work/trace" replay "$work/pipe" --out "$work/folder" \
		--schedule "$work/folder/schedule"
	if fathom --help | grep -q ' report '; then
		interrupts $signal "$work/document" report "$work/pipe" --out "$work/folder/out"
	fi
done
finish
