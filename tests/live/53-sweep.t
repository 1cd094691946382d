#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom replay --array: twelve settings as a job array; the same command again submits no task that
# waits or runs. One task is cancelled and one is killed while it runs; both are submitted again,
# and the results are collected.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

live_start
trace=$cluster/week.swf folder=$cluster/sweep/
awk 'BEGIN {
	srand(1)
	print "; MaxProcs: 64"
	for (i = 1; i <= 5000; i++)
		print i, i * 60, -1, int(rand() * 3000), 2 ^ int(rand() * 6), "-1 -1 -1 3600 -1 1",
			1 + int(rand() * 8), 1 + i % 3, "-1 -1 -1 -1 -1"
}' >"$trace"

as=()
# sweep OPTION...: two policies, three half-lives, two periods of dampening
sweep ()
{
	"${as[@]}" fathom replay "$trace" --policy classic,depth-oblivious --set half_life=1h \
		--set half_life=12h --set half_life=7d --set dampening_factor=1 \
		--set dampening_factor=4 "$@"
}

# results COUNT: so many are there
results ()
{
	(($(find "$folder" -name 'task-*.json' | wc -l) == $1))
}

# Stops the first task that is found running, before it has its result: $stopped is its process,
# $task its number.
stop_a_task ()
{
	local file words

	for file in /proc/[0-9]*/cmdline; do
		mapfile -d '' -t words <"$file"
		[[ ${words[0]} == */fathom && ${words[-1]} == --task=* ]] || continue
		stopped=${file//[!0-9]/} task=${words[-1]#*=}
		kill -STOP "$stopped" && [[ ! -e $folder/task-$task.json ]] && return
		kill -CONT "$stopped"
	done 2>/dev/null
	return 1
}

# recorded JOB: the states of its tasks, as slurmdbd has them, in one line
recorded ()
{
	sacct -nPX -j "$1" --starttime="$live_begin" -o State | paste -sd ' '
}

is_recorded ()
{
	[[ $(recorded "$1") == "$2" ]]
}

job=$(sweep --out "$folder" --array 1)
like "sbatch tells the job" "$job" '^[0-9]+$'
ok "a task is cancelled before it runs" scancel "${job}_11"
ok "another one is stopped while it runs" wait_until stop_a_task
is "it is one of them" "$(squeue -h -j "${job}_$task" -t R -o %K)" "$task"
scontrol update PartitionName=all State=DOWN	# lest task 11 runs before it is cancelled again
like "no task that waits or runs is submitted again, but the cancelled one" \
	"$(sweep --out "$folder" --array 1 2>&1 | sort -r | paste -sd ' ')" \
	"^fathom: $folder: [0-9]+ of 12 results are missing, whose tasks wait or run; they are not \
submitted again [0-9]+\$"
second=$(squeue -h -r -n "$(squeue -h -j "$job" -o %j | head -n 1)" -o '%F %K' | grep -v "^$job ")
is "which is one task" "${second#* }" 11
ok "it is cancelled again" scancel "${second% *}"
scontrol update PartitionName=all State=UP
kill -KILL "$stopped"
ok "and killed; all others write results" wait_until results 10
ok "it has failed" wait_until is_recorded "${job}_$task" FAILED
rejected=$(sweep --out "$folder" --array 1 --scheduler none 2>&1)
like "another sweep into the folder is refused" "$rejected" \
	"^fathom: $folder: has another sweep, with 'scheduler: easy'"
is "nothing of it is left but its log" "$(find "$folder" -name "task-$task.*" -printf '%f\n')" \
	"task-$task.log"
is "--collect names both" "$(sweep --out "$folder" --collect 2>&1 >/dev/null | tail -n 1)" \
	"fathom: $folder: 2 of 12 results are missing: $task,11; --array submits them again"
as=(as_user user1)
is "another user does not see all tasks, perhaps" "$(sweep --out "$folder" --array 4 2>&1)" \
	"fathom: ${folder}sweep.txt: is of another user, whose tasks squeue may hide; let that \
user submit, or give another folder"
as=()
again=$(sweep --out "$folder" --array 4)
ok "they run again" wait_until results 12
ok "and nothing else" wait_until is_recorded "$again" "COMPLETED COMPLETED"
# figures JSON: of each replay, without the time that it took
figures ()
{
	python3 -c 'import json, sys
for policy in json.load(sys.stdin)["policies"]:
	print(policy["name"], policy["mean_wait"], policy["share_error"])'
}
is "the figures are those of one command" "$(sweep --out "$folder" --collect | figures)" \
	"$(sweep --json | figures)"
