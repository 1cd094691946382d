#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom replay --array: twelve settings as a job array; one task is killed and submitted again, and
# the results are collected.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

live_start
trace=$cluster/week.swf folder=$cluster/sweep/
awk 'BEGIN {
	srand(1)
	print "; MaxProcs: 64"
	for (i = 1; i <= 400; i++)
		print i, i * 60, -1, int(rand() * 3000), 2 ^ int(rand() * 6), "-1 -1 -1 3600 -1 1",
			1 + int(rand() * 8), 1 + i % 3, "-1 -1 -1 -1 -1"
}' >"$trace"

# sweep OPTION...: two policies, three half-lives, two periods of dampening
sweep ()
{
	fathom replay "$trace" --policy classic,depth-oblivious --set half_life=1h \
		--set half_life=12h --set half_life=7d --set dampening_factor=1 \
		--set dampening_factor=4 "$@"
}

# results COUNT: so many are there
results ()
{
	(($(find "$folder" -name 'task-*.json' | wc -l) == $1))
}

job=$(sweep --out "$folder" --array 1)
like "sbatch tells the job" "$job" '^[0-9]+$'
ok "a task is killed before it runs" scancel "${job}_11"
ok "the other tasks write results" wait_until 60 results 11
is "--collect names it" "$(sweep --out "$folder" --collect 2>&1 >/dev/null)" \
	"fathom: $folder: 1 of 12 results are missing: 11; --array submits them again"
again=$(sweep --out "$folder" --array 4)
ok "it runs again" wait_until 60 results 12
is "and nothing else" "$(sacct -nPX -j "$again" -o JobID | wc -l)" 1
# figures JSON: of each replay, without the time that it took
figures ()
{
	python3 -c 'import json, sys
for policy in json.load(sys.stdin)["policies"]:
	print(policy["name"], policy["mean_wait"], policy["share_error"])'
}
is "the figures are those of one command" "$(sweep --out "$folder" --collect | figures)" \
	"$(sweep --json | figures)"
