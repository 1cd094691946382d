# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# For tests in a real cluster: a script sources this file with its own arguments, calls live_start,
# then ok, is and near, and ends. It prints the Test Anything Protocol. Alone it starts a cluster of
# its own; under tests/live/run it gets the one that all scripts share, as good as new.
#
#   FATHOM_BUILD   build folder, by default build/plain beside the sources

live_top=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
export FATHOM_BUILD=${FATHOM_BUILD:-$live_top/build/plain}
# shellcheck source=contrib/lib/common.sh
. "$live_top/contrib/lib/common.sh"
# shellcheck source=contrib/lib/cluster.sh
. "$live_top/contrib/lib/cluster.sh"
live_count=0 live_failed=0

if [[ ! -f $FATHOM_BUILD/plugins/slurm/.libs/priority_fathom.so &&
	${FATHOM_PRIORITY:-fathom} == fathom ]]; then
	echo "Bail out! $FATHOM_BUILD has no plugin; build it, or set FATHOM_BUILD"
	exit 1
elif ! cluster_possible; then
	echo "Bail out! a cluster of one's own needs root and the right to make namespaces"
	exit 1
fi
cluster_enter "$@"

# live_start [KEY=VALUE...]: the cluster with these lines in slurm.conf, without jobs, usage or
# other settings. slurmctld does not forget jobs, however long the script takes.
live_start ()
{
	set -- MinJobAge=7200 "$@"
	if [[ -f $cluster/slurm.conf ]]; then
		cluster_reset "$@"
	else
		cluster_start "$@"
	fi
	live_begin=$(date +%FT%T)
	trap live_end EXIT
}

# The plan stands at the end, so that a script that broke off has none.
live_end ()
{
	local status=$?

	trap - EXIT
	((status == 0)) || live_fail "${0##*/} came to its end" "status $status"
	echo "1..$live_count"
	exit $((live_failed > 0))
}

# ok TEXT COMMAND...: does COMMAND succeed?
ok ()
{
	if "${@:2}"; then
		live_pass "$1"
	else
		live_fail "$1" "${*:2}"
	fi
}

# not_ok TEXT COMMAND...: does COMMAND fail?
not_ok ()
{
	if ! "${@:2}"; then
		live_pass "$1"
	else
		live_fail "$1" "not expected: ${*:2}"
	fi
}

# is TEXT GOT WANTED
is ()
{
	if [[ $2 == "$3" ]]; then
		live_pass "$1"
	else
		live_fail "$1" "got    $2" "wanted $3"
	fi
}

# near TEXT GOT WANTED RELATIVE_ERROR: numbers; 0 is met within RELATIVE_ERROR itself
near ()
{
	if awk -v g="$2" -v w="$3" -v e="$4" \
		'BEGIN { d = g - w; if (d < 0) d = -d; s = w < 0 ? -w : w
		exit !(g != "" && d <= e * (s ? s : 1)) }'; then
		live_pass "$1"
	else
		live_fail "$1" "got    $2" "wanted $3 within $4"
	fi
}

# like TEXT GOT PATTERN: an extended regular expression
like ()
{
	if [[ $2 =~ $3 ]]; then
		live_pass "$1"
	else
		live_fail "$1" "got    $2" "wanted $3"
	fi
}

live_pass ()
{
	echo "ok $((++live_count)) - $1"
}

# live_skip TEXT REASON: what cannot be looked at here
live_skip ()
{
	echo "ok $((++live_count)) - $1 # SKIP $2"
}

live_fail ()
{
	echo "not ok $((++live_count)) - $1"
	((++live_failed))
	printf '%s\n' "${@:2}" | sed 's/^/#   /'
}

### What the cluster says

# Slurm writes accounts in small letters.
# share_of ACCOUNT USER COLUMN: of sshare; USER is empty for the account's own row
share_of ()
{
	sshare --all --parsable2 --noheader --format="Account,User,$3" |
		awk -F '|' -v account="$1" -v user="$2" \
			'{ sub(/^ */, "", $1) } $1 == account && $2 == user { print $3 }'
}

# usage_of USER; usage_of_account ACCOUNT: billing seconds
usage_of ()
{
	sshare --all --parsable2 --noheader --format=User,RawUsage |
		awk -F '|' -v user="$1" '$1 == user { sum += $2; known = 1 }
			END { if (known) printf "%.0f\n", sum }'
}

usage_of_account ()
{
	share_of "$1" '' RawUsage
}

has_usage ()
{
	(($(usage_of "$1") > 0))
}

priority_of ()
{
	job_field "$1" Priority
}

# end_is_recorded JOB: by slurmdbd? After each live_start jobs have the same numbers.
end_is_recorded ()
{
	[[ $(sacct -nPX --jobs="$1" --starttime="$live_begin" --format=State) =~ \
		^(COMPLETED|CANCELLED) ]]
}

# setting KEY: what slurmctld runs with, of scontrol show config
setting ()
{
	scontrol show config | awk -v key="$1" '$1 == key { sub(/^[^=]*= */, ""); print }'
}

# controller_said PATTERN: since its last start by live_start
controller_said ()
{
	grep -qE -- "$1" "$cluster/log/slurmctld.log"
}

# reconfigure_once: waits for the first pass with the settings that a reconfigure reads; with a long
# CalcPeriod there is no other. The process that ends for it saves once more, which is none.
reconfigure_once ()
{
	local before words='policy '

	before=$(last_pass)
	reconfigure
	! slurm_since 23.11 || words='going on with '
	words=$(plugin_said "$words")
	wait_until pass_after "${words:-$before}"
}

# plugin_said WORDS: when the plugin began a line of the log with them last, as last_pass writes it.
# The clock of files may be a tick behind that of the log.
plugin_said ()
{
	local when

	when=$(sed -n "s/^\\[\\([^]T]*\\)T\\([^]]*\\)\\] priority\\/fathom: $1.*/\\1 \\2/p" \
		"$cluster/log/slurmctld.log" | tail -n 1)
	[[ ! $when ]] || date -d "$when 0.02 seconds ago" '+%F %T.%N'
}

# ---- jobs that fill partitions -----------------------------------------------------------------

# fill COUNT PARTITION...: so many jobs of user1 in each, one partition after the other, of one CPU
fill ()
{
	local i partition

	for partition in "${@:2}"; do
		for ((i = 0; i < $1; i++)); do
			submit user1 --account=b --partition="$partition" --ntasks=1 \
				--wrap 'sleep 600' >/dev/null
		done
	done
}

# started: how many jobs of each partition run
started ()
{
	squeue --noheader --state=RUNNING --format=%P | sort | uniq -c |
		awk '{ print $2 "=" $1 }' | paste -sd ' '
}

# are_running COUNT: so many jobs, or more
are_running ()
{
	(($(squeue --noheader --state=RUNNING | wc -l) >= $1))
}
