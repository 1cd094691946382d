#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Everything at once, for 15 seconds; FATHOM_ROUNDS=40 makes ten minutes of them. Jobs and arrays
# come, wait, run, are suspended, requeued and cancelled; users come and go, accounts move; policies
# change and usage is imported, while others ask. Then each second of each run is charged once.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

file=$cluster/state/fathom.json
policies=(classic depth-oblivious fair-tree pbs lsf flux)
imports=$cluster/imported		# a line of CPU seconds for each import

# beside FUNCTION [ARGUMENT...]: again and again, until the end
beside ()
{
	(until [[ -e $cluster/over ]]; do "$@"; done) &
	workers+=($!)
}

# job_of USER STATE: prints one of the user's jobs, or nothing
job_of ()
{
	squeue --noheader --array --user="$1" --state="$2" --format=%i | shuf --head-count=1
}

send_jobs ()
{
	local options=(--ntasks=$((RANDOM % 3 + 1)) --requeue)

	((RANDOM % 3)) || options+=(--array=1-$((RANDOM % 3 + 1)))
	((RANDOM % 4)) || options+=(--hold)
	((RANDOM % 4)) || options+=(--begin=now+2)
	submit "$1" "${options[@]}" --wrap "sleep $((RANDOM % 6))" >/dev/null
	sleep 0.5
}

# change USER STATE COMMAND...: a job in this state; it may have ended since
change ()
{
	local job

	job=$(job_of "$1" "$2")
	[[ ! $job ]] || "${@:3}" "$job" 2>/dev/null
	sleep 0.4
}

update ()
{
	scontrol update JobId="$1" Nice=$((RANDOM % 10)) Comment="urgency=$((RANDOM % 16 + 1))"
}

# change_users: user4 gets an account, which moves, and leaves it when the job has run
change_users ()
{
	local account=n$RANDOM job

	add_account "$account" a fairshare=$((RANDOM % 9))
	add_user user4 "$account" fairshare=$((RANDOM % 3))
	job=$(submit user4 --account="$account" --wrap 'sleep 1')
	sacctmgr -iQ modify account "$account" set parent=d fairshare=parent >/dev/null
	# what begins to run as its user leaves has no association, and slurmctld charges it to none
	[[ ! $job ]] || wait_for_job "$job" COMPLETED
	sacctmgr -iQ delete user user4 account="$account" >/dev/null 2>&1
	((RANDOM % 2)) || sacctmgr -iQ modify user user4 account=e set fairshare=$RANDOM >/dev/null
}

# change_settings: another policy, and at times usage of user5, who runs nothing
change_settings ()
{
	local usage=$((RANDOM + 1)) before

	fathom_conf Policy="${policies[RANDOM % 6]}" ShadowPolicy="${policies[RANDOM % 6]}" \
		CalcPeriod=$((RANDOM % 2 + 1))
	((RANDOM % 2)) || {
		before=$(usage_of user5)
		echo '{"format": "fathom-usage", "version": 1, "time": '"$(date +%s)"', "usage": [
			{"account": "f", "user": "user5", "usage": '"$usage}]}" \
			>"$cluster/usage.$usage.json"
		fathom_conf ImportUsage="$cluster/usage.$usage.json"
		echo "$usage" >>"$imports"
	}
	if ((RANDOM % 2)); then scontrol setdebugflags +Priority; else scontrol reconfigure; fi
	[[ ! ${before-} ]] || wait_until has_imported $((before + usage))
	sleep 1
}

has_imported ()
{
	[[ $(usage_of user5) == "$1" ]]
}

# ask: what fails is written down
ask ()
{
	local user=user$((RANDOM % 3 + 1)) job

	sshare --all --long >/dev/null 2>&1
	sprio --long >/dev/null 2>&1
	job=$(job_of "$user" PENDING)
	note_failure shares --all --long
	note_failure shares --from "$file" --json
	note_failure prio --long --state=all
	note_failure status --from "$cluster/state/fathom.prom"
	note_failure explain "user:$user"
	[[ ! $job ]] || fathom explain "$job" >/dev/null 2>&1	# it may have ended since
}

# note_failure ARGUMENT...: a command that gets no answer says so in a line
note_failure ()
{
	local status=0

	fathom "$@" >/dev/null 2>"$cluster/said" || status=$?
	((status == 0 || (status == 2 && $(wc -l <"$cluster/said") > 0))) ||
		echo "$1: status $status: $(<"$cluster/said")" >>"$cluster/failures"
}

# ran USER: CPU seconds of all jobs, by their last runs, as slurmctld has them; slurmdbd may not get
# to know of a run while slurmctld reads its configuration. Pauses count.
ran ()
{
	SLURM_TIME_FORMAT=%s scontrol --oneliner show job | grep -w "UserId=$1" | sed -nE \
		's/.* StartTime=([0-9]+) EndTime=([0-9]+) .* NumCPUs=([0-9]+) .*/\1 \2 \3/p' |
		awk '{ sum += ($2 - $1) * $3 } END { print sum + 0 }'
}

none_is_suspended ()
{
	local job

	job=$(job_of user3 SUSPENDED)
	[[ ! $job ]] || ! scontrol resume "$job"
}

memory ()
{
	awk '$1 == "VmRSS:" { print $2 " kB" }' "/proc/$(pidof -s slurmctld)/status"
}

usage_start
fathom_conf FiguresFile=fathom.json MetricsFile=fathom.prom CalcPeriod=1
pass_now && wait_until test -s "$cluster/state/fathom.prom"
touch "$imports" "$cluster/failures"
before=$(memory)
for user in user1 user2; do
	beside send_jobs "$user"
	for command in "scontrol hold" "scontrol release" update scancel; do
		# shellcheck disable=SC2086	# a command and its word
		beside change "$user" PENDING $command
	done
	beside change "$user" RUNNING scancel
done
beside change user2 RUNNING scontrol requeue
# until they are cancelled: a job that ends in a pause has ended as the pause began, says slurmctld
for tasks in 1 2 3; do
	submit user3 --ntasks=$tasks --array=1-3 >/dev/null
done
beside change user3 RUNNING scontrol suspend
beside change user3 SUSPENDED scontrol resume
beside change_users
beside change_settings
beside ask
sleep $((15 * ${FATHOM_ROUNDS:-1}))
touch "$cluster/over"
wait "${workers[@]}"
wait_until none_is_suspended
cancel_all
calc_period 3600
imported=$(awk '{ sum += $1 } END { print sum + 0 }' "$imports")
echo "# $(squeue --noheader --array --state=all | wc -l) jobs and $(wc -l <"$imports") imports; \
slurmctld has $(memory), before $before"
is "usage of user1" "$(usage_of user1)" "$(ran user1)"
is "usage of user3" "$(usage_of user3)" "$(ran user3)"
is "imported usage" "$(usage_of user5)" "$imported"
is "all usage, of those who came and went, too" "$(usage_of_account root)" \
	$(($(ran user1) + $(usage_of user2) + $(ran user3) + $(ran user4) + imported))
is "no command fails" "$(sort -u "$cluster/failures")" ""
# slurmctld's own, where a job goes on after a pause, where the association of a waiting job is
# deleted (fathom only reads accrue times), where requests come in a reconfigure, and in 26.05 where
# a job is requeued before the epilog of its run ends; and what a busy machine makes fathom say
noise='job overflow|accrue_cnt|munge|auth_g_|authentication error|SLUID|the previous write has not '
noise+='ended'
is "slurmctld logs no error" "$(controller_errors | grep -viE "$noise")" ""
