# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A queue behind a job that has the whole machine, for the live tests that compare a cluster with a
# replay of what sacct tells of its jobs. Needs lib.sh and
# usage.sh.

# hold_machine USER OPTION...: submits a job that has the machine until release_machine, and waits
# until it runs. Other jobs are then submitted in a later second, as sacct tells seconds.
hold_machine ()
{
	local blocker

	SECONDS=0
	blocker=$(submit "$@" --wrap "$(until_go)")
	wait_for_job "$blocker" RUNNING
	slowness=$((SECONDS + 1))
	sleep 1
}

# release_machine: and waits until all jobs have ended. In the replay the blocker starts and ends so
# much earlier as slurmctld needed to start it, which must be after the other submissions.
release_machine ()
{
	sleep "$slowness"
	touch "$cluster/go"
	wait_until no_jobs
}

# pending_by_priority: prints the jobs that wait, in the order of slurmctld's priorities
pending_by_priority ()
{
	squeue --noheader --states=PENDING --format='%i %Q' | sort -k 2,2nr -k 1,1n |
		cut -d ' ' -f 1
}

# save_trace COUNT [COLUMN...]: what sacct tells of the jobs since usage_begin goes to
# $cluster/trace, with more columns behind those that each replay needs. Does it know the end of so
# many?
save_trace ()
{
	local fields=JobID,User,Account,State,Submit,Start,End,Elapsed,Timelimit,NCPUS
	local IFS=, count=$1

	shift
	sacct --parsable2 --allusers --allocations --starttime="$usage_begin" \
		--format="$fields${1:+,$*}" \
		>"$cluster/trace"
	[[ $(grep -c COMPLETED "$cluster/trace") == "$count" ]]
}

# first_submit: prints its seconds since 1970
first_submit ()
{
	date -d "$(sacct --noheader --parsable2 --allusers --allocations \
		--starttime="$usage_begin" --format=Submit | sort | head -n 1)" +%s
}

# starts FILE: prints when slurmctld has started the jobs of a list
starts ()
{
	local job

	while read -r job; do
		awk -F '|' -v job="$job" '$1 == job { print $6 }' "$cluster/trace"
	done <"$1"
}
