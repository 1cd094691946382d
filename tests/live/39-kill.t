#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# kill -9 of slurmctld at random instants, in passes, between passes, while it saves: no second of
# usage, or of the sums of pbs, lsf and flux, is lost or charged twice. FATHOM_ROUNDS=5 kills it 20
# times. Tasks of an array are suspended and resumed, a job is requeued, one shrinks from two nodes
# to one, and jobs of user2 come and go meanwhile; slurmctld itself loses some of them.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

kills=$((2 * ${FATHOM_ROUNDS:-1}))	# under each pair of policies
RANDOM=11

# note WHAT USED WANTED: of CPU seconds
note ()
{
	local off=$(($2 - $3))

	((off == 0)) || { ((++wrong)); echo "# $1: $2, not $3"; }
	((${off#-} <= worst)) || worst=${off#-}
}

# used_by_array: suspended time is charged, too
used_by_array ()
{
	local task sum=0

	for task in 1 2 3; do
		sum=$((sum + 2 * $(seconds_run "${array}_$task")))
	done
	echo "$sum"
}

# disturb: suspends or resumes a task, may requeue the job of user5, and before every second kill
# shrinks or replaces the wide one
disturb ()
{
	local task=${array}_$((RANDOM % 3 + 1))

	scontrol "$(job_is "$task" SUSPENDED && echo resume || echo suspend)" "$task"
	((RANDOM % 4)) || ! job_is "$again" RUNNING || {
		scontrol requeue "$again"
		wait_for_job "$again" PENDING && jobs_saved && pass_now
		before=$(usage_of user5)
	}
	((i % 2)) || change_wide
}

change_wide ()
{
	if has_shrunk; then
		scancel "$wide" && wait_for_job "$wide" CANCELLED && jobs_saved && pass_now
		used=$((used + $(used_by_wide)))
		ended=$((ended + 4 * $(seconds_run "$wide")))
		start_wide
	else
		scontrol update jobid="$wide" NodeList=localhost
	fi
	jobs_saved
}

start_wide ()
{
	wide=$(submit user3 --nodes=2 --ntasks-per-node=4)
	wait_until wide_runs
}

# wide_runs: slurmctld drains a node that has a job which it has lost
wide_runs ()
{
	job_is "$wide" RUNNING && return
	scontrol update NodeName=ALL State=RESUME 2>/dev/null
	return 1
}

has_shrunk ()
{
	[[ $(job_field "$wide" ResizeTime) ]]
}

used_by_wide ()
{
	if has_shrunk; then
		seconds_sized "$wide" 8 4
	else
		echo $((8 * $(seconds_run "$wide")))
	fi
}

# used_again: what the job of user5 has used since it was requeued, and before
used_again ()
{
	local run=0

	! job_is "$again" RUNNING || run=$(seconds_run "$again")
	echo $((before + 3 * run))
}

# note_user USER WANTED ENDED: usage, and the sums of both policies. flux counts runs that have
# ended, by the size that they had then.
note_user ()
{
	local -A wanted=([pbs]=$2 [lsf]=$2 [flux]=$3)

	note "usage of $1" "$(usage_of "$1")" "$2"
	note "$policy of $1" "$(sum_of shares "$policy" "$1")" "${wanted[$policy]}"
	note "$shadow of $1" "$(sum_of shadow "$shadow" "$1")" "${wanted[$shadow]}"
}

# sum_of OBJECT POLICY USER: of FiguresFile, to the nearest second
sum_of ()
{
	local key=raw_usage

	[[ $2 != lsf ]] || key=total_cpu_time
	sed -n "/^\"$1\": {/,/]}/s/.*\"user\": \"$3\".* \"$key\": \([^,}]*\).*/\1/p" "$file" |
		xargs printf '%.0f\n'
}

# note_all: looks at what each must have used
note_all ()
{
	last_pass_for_an_hour
	note_user user1 $((4 * $(seconds_run "$long"))) 0
	note_user user3 $((used + $(used_by_wide))) "$ended"
	note_user user4 "$(used_by_array)" 0
	note_user user5 "$(used_again)" "$before"
	calc_period 1
}

last_pass_for_an_hour ()
{
	calc_period 3600
	wait_until figures_are_of "$(pass_time)"
}

figures_are_of ()
{
	grep -q "^{.*\"time\": $1," "$file"
}

# kill_under POLICY SHADOW_POLICY
kill_under ()
{
	local policy=$1 shadow=$2 wrong=0 worst=0 before=0 file=$cluster/state/fathom.json i job
	local used ended long array again wide

	two_nodes_start AccountingStorageEnforce=associations,limits,qos
	fathom_conf Policy="$policy" ShadowPolicy="$shadow" FiguresFile=fathom.json \
		FairshareDecayTime=10000-0 FairshareDecayFactor=0.999999999 HistHours=0 \
		NodeWeight=0 CoreWeight=1
	calc_period 1
	run_two && ended=$used
	array=$(submit user4 --ntasks=2 --array=1-3)
	again=$(submit user5 --ntasks=3 --requeue)
	start_wide
	for job in "${array}_3" "$again"; do
		wait_for_job "$job" RUNNING
	done
	jobs_saved
	for ((i = 0; i < kills; i++)); do
		submit user2 --ntasks=2 --wrap "sleep $((RANDOM % 3))" >/dev/null
		disturb
		sleep "$((RANDOM % 3)).$((RANDOM % 1000 + 1000))"
		controller_kill
		controller_start
		note_all
	done
	echo "# $policy and $shadow: $kills times killed, $wrong figures are not what ran, by \
$worst CPU seconds at most"
	is "kill -9 at random instants: what runs and what has run is charged once, in usage and \
in the sums of $policy and $shadow" "$wrong" 0
	scancel "$long"
	wait_for_job "$long" CANCELLED
	wrong=0
	last_pass_for_an_hour
	used=$((4 * $(seconds_run "$long")))
	note_user user1 "$used" "$used"
	is "and so it is in the end" "$wrong" 0
	cancel_all
}

kill_under pbs lsf
kill_under flux lsf
two_nodes_end
