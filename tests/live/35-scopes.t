#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Scopes: what is used in one changes nothing in another. A slot pool orders jobs by what partitions
# deserve.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

weight=1000000
live_start PriorityWeightAge=0 PriorityWeightFairshare=$weight \
	"PartitionName=gpu Nodes=ALL MaxTime=INFINITE DefaultTime=60" \
	"PartitionName=gpu-off Nodes=ALL State=DOWN" \
	"PartitionName=cpu Nodes=ALL MaxTime=INFINITE DefaultTime=60" \
	"PartitionName=cpu-off Nodes=ALL State=DOWN"
fathom_conf FiguresFile=fathom.json "Scope=gpu Partitions=gpu,gpu-off Policy=classic" \
	"Scope=cpu Partitions=cpu,cpu-off Policy=classic"
reconfigure && wait_for_pass

# pending PARTITION: users' priorities there, of jobs that name no other
pending ()
{
	squeue --noheader --state=PENDING --format='%P %u %Q' |
		awk -v p="$1" '$1 == p { print $2, $3 }' | sort | paste -sd ' '
}

# use USER ACCOUNT PARTITION CPUS: for two seconds
use ()
{
	local job

	job=$(submit "$1" --account="$2" --partition="$3" --ntasks="$4" --wrap 'sleep 2')
	wait_for_job "$job" COMPLETED && wait_until end_is_recorded "$job"
}

# both are in account c
for user in user2 user3; do
	submit $user --account=c --partition=gpu-off >/dev/null
	submit $user --account=c --partition=cpu-off >/dev/null
done
use user2 c gpu 1
use user3 c gpu 3
wait_for_pass
gpu=$(pending gpu-off)
message=$(fathom shares --scope=none 2>&1)
is "a scope that is none: status 2" $? 2
is "and one line" "$message" \
	"fathom: --scope: $(setting ClusterName) has no scope 'none', must be gpu or cpu"
like "two users wait in the scope gpu" "$gpu" '^user2 [0-9]+ user3 [0-9]+$'
is "user2, who has used less there, goes first" "$(awk '{ print ($2 > $4) }' <<<"$gpu")" 1
is "in the scope cpu nobody has used anything" "$(pending cpu-off)" "user2 $weight user3 $weight"

use user2 c cpu 40
wait_for_pass
is "heavy use in the scope cpu changes nothing in gpu" "$(pending gpu-off)" "$gpu"
in_scope=$(fathom shares --all --scope=gpu --json)
for user in user2 user3; do
	near "fathom shares --scope=gpu has what $user has used there" \
		"$(sed -n "s/.*\"user\": \"$user\".*\"raw_usage\": \
\([0-9.e-]*\),.*/\1/p" <<<"$in_scope")" \
		"$(sacct \
		--allocations \
		--noheader --parsable2 --starttime="$live_begin" --user=$user --partition=gpu \
			--format=CPUTimeRAW)" 1e-3
done
is "fathom usage --scope=gpu shows the same usage" \
	"$(fathom usage --all --scope=gpu --json |
		sed -n 's/.*"usage": \([0-9.e-]*\)[,}].*/\1/p')" \
	"$(sed -n 's/.*"user": "user[23]".*"raw_usage": \([0-9.e-]*\),.*/\1/p' <<<"$in_scope")"
cpu=$(pending cpu-off)

# with a scope that has a policy of its own, and one that has not
fathom_conf "Scope=cpu Partitions=cpu,cpu-off" ShadowPolicy=fcfs
reconfigure && wait_for_pass
# jobs_of PARTITION OPTION...: priorities, first those in force
jobs_of ()
{
	fathom prio -P -n -p "$1" "${@:2}" | sort | paste -sd ' '
}
is "under a shadow the jobs of a scope with a policy of its own do not change" \
	"$(jobs_of gpu-off --shadow -o JobID,Priority:fcfs)" "$(jobs_of gpu-off -o JobID,Priority)"
is "nor under another policy" \
	"$(jobs_of gpu-off --policy fair-tree -o JobID,Priority)" \
	"$(jobs_of gpu-off -o JobID,Priority)"
is "those of another scope change with the cluster" \
	"$(fathom prio -P -n -p cpu-off --shadow -o Priority:fcfs | sort -u)" $weight
is "by the usage of their scope" \
	"$(fathom prio -P -n -p cpu-off --policy classic -o User,Priority | sort | tr '|\n' '  ' |
		sed 's/ $//')" "$cpu"
fathom_conf "Scope=cpu Partitions=cpu,cpu-off Policy=classic" ShadowPolicy=
reconfigure && wait_for_pass

is "in its own scope it counts: user2 goes last there" "$(awk '{ print $2 < $4 }' <<<"$cpu")" 1
both=$(submit user2 --account=c --partition=gpu-off,cpu-off)
wait_for_pass
is "a job of two partitions has a priority for each" \
	"$(sprio --noheader --jobs="$both" --format='%.9r %.10Y' | awk '{ print $1, $2 }' | sort |
	paste -sd ' ')" \
	"cpu-off $(awk '{ print $2 }' <<<"$cpu") gpu-off $(awk '{ print $2 }' <<<"$gpu")"

controller_kill && controller_start && wait_for_pass
is "a crash loses nothing of the scope gpu" "$(pending gpu-off)" "$gpu"
is "nor of the scope cpu" "$(pending cpu-off)" "$cpu"
sed -i 's/^Scope=cpu .*/Scope=cpu Partitions=cpu,cpu-off,none Policy=lsf/' "$cluster/fathom.conf"
reconfigure && wait_for_pass
ok "a partition that is none is told with file, line and key" \
	controller_said "error: priority/fathom: .*fathom.conf:[0-9]+: Partitions: 'none' is not a \
partition of slurm.conf"
is "and the last good settings stay in force" "$(pending cpu-off)" "$cpu"
sed -i /^FiguresFile/d "$cluster/fathom.conf"
message=$(fathom shares --scope=gpu 2>&1)
is "no FiguresFile: status 2" $? 2
is "and one line" "$message" \
	"fathom: --scope: needs the FiguresFile of $(setting \
	ClusterName): set it in fathom.conf and let this user read it"

# one pool on 64 CPUs, which gpu has all of
cancel_all
sed -i '/^Scope/d' "$cluster/fathom.conf"
printf 'SlotPool=all Partition=%s SlotShare=%s\n' gpu 25 cpu 75 >>"$cluster/fathom.conf"
fathom_conf Policy=classic
reconfigure
all=$(submit user1 --account=b --partition=gpu --ntasks=64)
wait_for_job "$all" RUNNING
first=$(submit user4 --account=e --partition=gpu --ntasks=64)
second=$(submit user4 --account=e --partition=cpu --ntasks=64)
wait_for_pass
is "who deserves 48 CPUs more has the first of two places" "$(priority_of "$second")" $weight
is "who has more than it deserves has the last" "$(priority_of "$first")" $((weight / 2))
scancel "$all"
wait_for_job "$second" RUNNING
ok "so the later job starts first" job_is "$first" PENDING
