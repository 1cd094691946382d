# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What usage must be, for the live tests that hold slurmctld's against it. Needs lib.sh.

# usage_start [KEY=VALUE...]: a cluster where usage does not decay and a pass runs only when
# pass_now asks for it, so that usage is a whole number that can be worked out
usage_start ()
{
	live_start PriorityDecayHalfLife=0 PriorityUsageResetPeriod=YEARLY "$@"
	calc_period 3600
	wait_until second_after "$(date +%s)"	# a job of before may have ended in this one
	usage_begin=$(date +%FT%T)
}

# two_nodes_start [KEY=VALUE...]: as usage_start, with a second slurmd on the same machine, the node
# "second"
# shellcheck disable=SC2154	# cluster is of cluster.sh
two_nodes_start ()
{
	daemon_stop slurmd2
	grep -q second /etc/hosts || echo "127.0.0.2 second" >>/etc/hosts
	usage_start "SlurmdSpoolDir=$cluster/spool/%n" "SlurmdPidFile=$cluster/run/slurmd.%n.pid" \
		"NodeName=second NodeAddr=127.0.0.2 Port=7818 CPUs=64" \
		"NodeName=localhost CPUs=64 RealMemory=64000" "$@"
	daemon_start slurmd2 unshare --uts sh -c 'hostname second && exec slurmd -D'
	wait_until second_idle
}

# two_nodes_end: one node again, for the next test
two_nodes_end ()
{
	daemon_stop slurmd2
	cancel_all
	live_start
}

second_idle ()
{
	[[ $(sinfo --noheader --nodes=second --format=%T) == idle ]]
}

second_after ()
{
	(($(date +%s) > $1))
}

# run_two: a job of user3 has run, for which $used CPU seconds are charged, and $long of user1 runs
# on four CPUs; slurmctld has saved both
# shellcheck disable=SC2034	# used is for the caller
run_two ()
{
	local ended

	ended=$(submit user3 --ntasks=2 --wrap 'sleep 2')
	wait_for_job "$ended" COMPLETED && pass_now
	used=$((2 * $(seconds_run "$ended")))
	long=$(submit user1 --ntasks=4)
	wait_for_job "$long" RUNNING
	jobs_saved
}

# calc_period SECONDS
calc_period ()
{
	fathom_conf CalcPeriod="$1"
	pass_now
}

# pass_now: a pass, by way of a reconfiguration that no daemon but slurmctld hears of; reads
# fathom.conf. One that was under way before does not count.
pass_now ()
{
	local reads

	reads=$(plugin_reads)
	scontrol setdebugflags +Priority
	wait_until plugin_has_read_since "$reads" &&
		wait_until pass_after "$(plugin_said 'policy ')"
}

# pass_time: the second until which fathom has charged everything
# shellcheck disable=SC2154	# cluster is of cluster.sh
pass_time ()
{
	od -An -t d8 -j 56 -N 8 "$cluster/state/fathom_usage" | tr -d ' '
}

# stock_time: the second until which, by multifactor's file, slurmctld's own usage is charged
stock_time ()
{
	od -An -t d8 --endian=big -N 8 "$cluster/state/priority_last_decay_ran" | tr -d ' '
}

# stock_times LAST_PASS LAST_RESET: a state of multifactor's with these seconds in place of ours,
# while slurmctld is down; usage is then what slurmctld saved
stock_times ()
{
	local hex

	hex=$(printf '%016x%016x' "$1" "$2")
	rm -f "$cluster"/state/fathom_usage{,.old}
	# shellcheck disable=SC2001	# & is each byte
	printf '%b' "$(sed 's/../\\x&/g' <<<"$hex")" >"$cluster/state/priority_last_decay_ran"
}

# second_of JOB FIELD: StartTime, EndTime …, in seconds since 1970
second_of ()
{
	date -d "$(job_field "$1" "$2")" +%s
}

# seconds_run JOB: from its start to its end, or to the last pass if that was before; 0 if it has
# started since
seconds_run ()
{
	local begin end now

	begin=$(second_of "$1" StartTime) end=$(second_of "$1" EndTime) now=$(pass_time)
	((end < now)) || end=$now
	echo $((begin < end ? end - begin : 0))
}

# until_go: prints what a job runs, with --wrap, until the test touches $cluster/go
until_go ()
{
	rm -f "$cluster/go"
	echo "until [ -e $cluster/go ]; do sleep 0.1; done"
}

# jobs_saved: waits until slurmctld has written jobs as they are now, and so one that comes later
jobs_saved ()
{
	local later name=saved-$RANDOM

	later=$(submit root --hold --job-name="$name")
	wait_until grep -q "$name" "$cluster/state/job_state"
	scancel "$later"
}

# seconds_sized JOB BEFORE AFTER: CPU-seconds of a job that had so many CPUs until it shrank, and so
# many since
seconds_sized ()
{
	local resized end now

	resized=$(second_of "$1" ResizeTime) end=$(second_of "$1" EndTime) now=$(pass_time)
	((end < now)) || end=$now
	echo $(($2 * (resized - $(second_of "$1" StartTime)) + $3 * (end - resized)))
}

# decayed RATE JOB HALF_LIFE: what the job's usage is at the last pass, by the integral
decayed ()
{
	awk -v r="$1" -v a="$(second_of "$2" StartTime)" -v b="$(second_of "$2" EndTime)" \
		-v h="$3" -v t="$(pass_time)" '
		BEGIN { if (b > t) b = t; l = log(2) / h; printf "%.3f\n",
		r / l * (exp(-(t - b) * l) - exp(-(t - a) * l)) }'
}

# runs_of JOB: seconds of each of its runs, as slurmdbd has recorded them, in one line
runs_of ()
{
	sacct \
		--noheader \
		--parsable2 --allocations --duplicates --jobs="$1" --starttime="$usage_begin" \
		--format=Start,ElapsedRaw | sort | cut -d '|' -f 2 | paste -sd ' '
}

# in_database [USER]: CPU-seconds of all runs of all jobs since usage_start, as slurmdbd has
# recorded them
in_database ()
{
	sacct \
		--noheader \
		--parsable2 --allocations --duplicates --starttime="$usage_begin" --allusers \
		--format=User,ElapsedRaw,AllocCPUS |
		awk -F '|' -v user="${1-}" \
			'user == "" || $1 == user { sum += $2 * $3 } END { print sum + 0 }'
}

# all_recorded: does slurmdbd know of no running job any more?
all_recorded ()
{
	! sacct \
		--noheader \
		--parsable2 --allocations --duplicates --starttime="$usage_begin" --allusers \
		--format=State | grep -qE 'PENDING|RUNNING|SUSPENDED'
}

# used_by_user USER KEY [TRES]; used_by_account; used_by_qos: what scontrol show assoc_mgr has of
# it, such as GrpTRESRunMins cpu, GrpWall (minutes)
used_by_user ()
{
	used_of "UserName=$1[(]" flags=assoc "${@:2}"
}

used_by_account ()
{
	used_of "Account=$1 UserName= " flags=assoc "${@:2}"
}

used_by_qos ()
{
	used_of "QOS=$1[(]" flags=qos "${@:2}"
}

used_of ()
{
	local value

	value=$(scontrol --oneliner show assoc_mgr "$2" | grep -E "$1" | tr ' ' '\n' |
		sed -n "s/^$3=//p" | head -n 1)
	[[ ! ${4-} ]] || value=$(tr , '\n' <<<"$value" | sed -n "s,^$4=,,p")
	value=${value#*\(} value=${value%)}
	echo "${value%.000000}"
}

# may_run_again JOB: waits until a requeued job's first run has ended. slurmd refuses a run that
# begins in the same second.
may_run_again ()
{
	wait_for_job "$1" PENDING && sleep 2
}

# runs_again JOB: a requeued job waits for 20 minutes, counted from when its nodes are clean again
runs_again ()
{
	job_is "$1" RUNNING || { scontrol update jobid="$1" StartTime=now 2>/dev/null; return 1; }
}
