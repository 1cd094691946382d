#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Host partitions: jobs count by the hosts that they run on, whatever their partition, and in parts
# where they run on hosts of two.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

weight=1000000

node_is ()
{
	[[ $(sinfo --noheader --nodes="$1" --format=%T | head -n 1) == "$2" ]]
}

# two nodes, a second daemon on the same machine
grep -q second /etc/hosts || echo "127.0.0.2 second" >>/etc/hosts
live_start PriorityWeightAge=0 PriorityWeightFairshare=$weight \
	"SlurmdSpoolDir=$cluster/spool/%n" "SlurmdPidFile=$cluster/run/slurmd.%n.pid" \
	"NodeName=second NodeAddr=127.0.0.2 Port=7818 CPUs=64" \
	"NodeName=localhost CPUs=64 RealMemory=64000" \
	"PartitionName=day Nodes=localhost MaxTime=INFINITE DefaultTime=60" \
	"PartitionName=night Nodes=localhost MaxTime=INFINITE DefaultTime=60" \
	"PartitionName=other Nodes=second MaxTime=INFINITE DefaultTime=60" \
	"PartitionName=both Nodes=localhost,second MaxTime=INFINITE DefaultTime=60"
daemon_start slurmd2 unshare --uts sh -c 'hostname second && exec slurmd -D'
wait_until node_is second idle
fathom_conf FiguresFile=fathom.json Policy=fcfs \
	'Scope=h1 Hosts=localhost Kind=host-partition Policy=classic' \
	'Scope=h2 Hosts="all ~localhost" Policy=lsf HistHours=0'
reconfigure && wait_for_pass
ok "a partition on hosts of both is told with both lines" controller_said \
	"fathom.conf:[0-9]+: Hosts: partition 'both' has nodes of scope 'h1' and of scope 'h2' \
\(line [0-9]+\); each job goes by one, HostRule=worst"

# use USER PARTITION OPTION...: for two seconds
use ()
{
	local job

	job=$(submit "$1" --account=c --partition="$2" "${@:3}" --wrap 'sleep 2')
	wait_for_job "$job" COMPLETED && wait_until end_is_recorded "$job"
}

# figure SCOPE USER KEY: in FiguresFile, or in a copy of it with `figures` set, whole
figure ()
{
	fathom shares --all --scope="$1" --json ${figures:+--from "$figures"} |
		sed -n "s/.*\"user\": \"$2\".*\"$3\": \([0-9.e+-]*\).*/\1/p" |
		awk '{ printf "%.0f\n", $1 }'
}

# used PARTITION USER: CPU-seconds of the jobs
used ()
{
	sacct --allocations --noheader --parsable2 --starttime="$live_begin" --user="$2" \
		--partition="$1" --format=CPUTimeRAW | awk '{ sum += $1 } END { print sum + 0 }'
}

use user2 day --ntasks=1
use user2 night --ntasks=2
use user3 night --ntasks=6
use user3 other --ntasks=40
wait_for_pass
for user in user2 user3; do
	near "jobs of two partitions on the same hosts are one sum ($user)" \
		"$(figure h1 $user raw_usage)" "$(used day,night $user)" .01
	near "what ran on other hosts is in the other sum ($user)" \
		"$(figure h2 $user total_cpu_time)" "$(used other $user)" .01
done
is "fathom shares tells kind and hosts above the table" \
	"$(fathom shares --all --scope=h2 | head -n 3 | paste -sd ,)" \
	"Scope: h2,Kind: host-partition,Hosts: all ~localhost"

# priorities of jobs that do not start
scontrol update NodeName=localhost,second State=DRAIN Reason=test
for user in user2 user3; do
	submit $user --account=c --partition=day >/dev/null
	submit $user --account=c --partition=night >/dev/null
	submit $user --account=c --partition=other >/dev/null
	submit $user --account=c --partition=both --nodelist=second >/dev/null
done
wait_for_pass

# pending PARTITION USER: the priority
pending ()
{
	squeue --noheader --state=PENDING --format='%P %u %Q' |
		awk -v p="$1" -v u="$2" '$1 == p && $2 == u { print $3 }'
}

is "a user has one factor in both partitions" "$(pending day user2) $(pending day user3)" \
	"$(pending night user2) $(pending night user3)"
ok "the user who has used less on the hosts goes first" \
	test "$(pending day user2)" -gt "$(pending day user3)"
ok "on the other hosts too" test "$(pending other user2)" -gt "$(pending other user3)"
ok "jobs that require these hosts go by them" test "$(pending both user2)" -gt \
	"$(pending both user3)"
is "fathom prio shows places where the scope of the hosts places jobs" \
	"$(fathom prio -nP -o Partition,Place | grep -c '^other|[1-9]')" 2
is "and none where it does not" "$(fathom prio -nP -o Partition,Place | grep -c '^day|[1-9]')" 0

# hosts of no host partition: user3 has used more there, and whatever the main policy
sed -i 's/^Policy=.*/Policy=classic/; /^Scope=h2/d' "$cluster/fathom.conf"
reconfigure && wait_for_pass
is "on hosts of no host partition jobs go first come, first served" "$(pending other user2)" \
	"$(pending other user3)"
job=$(squeue --noheader --state=PENDING --partition=other --user=user3 --format=%A)
like "fathom explain says so" "$(fathom explain "$job" | paste -sd ' ' -)" \
	"no host of a host partition: its jobs go first come, first served"
is "fathom prio has their factor" "$(fathom prio -nP -o Partition,FairShare --norm |
	grep '^other' | sort -u)" "other|1.0000000"
sed -i '/^Scope=h1/s/$/ OtherHosts=policy/' "$cluster/fathom.conf"
reconfigure && wait_for_pass
ok "but by the policy in force with OtherHosts=policy" \
	test "$(pending other user2)" -gt "$(pending other user3)"
job=$(squeue --noheader --state=PENDING --partition=day --user=user3 --format=%A)
like "a job of a scope is explained by it" "$(fathom explain -v "$job" 2>&1)" "; scope h1"

# a job for hosts of both; nobody has used anything in h2
sed -i '/^Scope=h1/s/ OtherHosts=policy//' "$cluster/fathom.conf"
echo 'Scope=h2 Hosts="all ~localhost" Policy=classic' >>"$cluster/fathom.conf"
job=$(submit user3 --account=c --partition=both)
reconfigure && wait_for_pass
is "a job for hosts of both goes by the worse" \
	"$(squeue --noheader --jobs="$job" --format=%Q)" "$(pending day user3)"
sed -i '/^Scope=h1/s/$/ HostRule=best/' "$cluster/fathom.conf"
reconfigure && wait_for_pass
is "or with HostRule=best by the better" \
	"$(squeue --noheader --jobs="$job" --format=%Q)" "$(pending other user3)"
ok "which is another one" test "$(pending other user3)" -gt "$(pending day user3)"
sed -i 's/^Policy=.*/Policy=fcfs/; /^Scope=h2/d' "$cluster/fathom.conf"
echo 'Scope=h2 Hosts="all ~localhost" Policy=lsf HistHours=0' >>"$cluster/fathom.conf"
reconfigure && wait_for_pass
cancel_all

# 3 CPUs on each of two nodes
scontrol update NodeName=localhost,second State=RESUME
wait_until node_is second idle
job=$(submit user4 --account=e --partition=both --nodes=2 --ntasks-per-node=3 --wrap 'sleep 600')
wait_for_job "$job" RUNNING
wait_for_pass
figures=$cluster/copy.json		# of one pass
cp "$cluster/state/fathom.json" "$figures"
is "a job on hosts of two counts in each" "$(figure h2 user4 started)" 3
is "with the CPUs that it has there" "$(figure h2 user4 total_cpu_time)" \
	"$(figure h1 user4 raw_usage)"
figures=
controller_restart && wait_for_pass
is "after a restart too" "$(figure h2 user4 started)" 3
cancel_all
wait_for_job "$job" CANCELLED && wait_until end_is_recorded "$job"
wait_for_pass
near "it has left half of its CPU time to each" "$(figure h2 user4 total_cpu_time)" \
	"$(($(used both user4) / 2))" .1

before=$(figure h1 user3 raw_usage)
sed -i 's/^Scope=h2 .*/Scope=h2 Hosts=second,nowhere Policy=lsf/' "$cluster/fathom.conf"
reconfigure && wait_for_pass
ok "a host that does not exist is told with file, line and key" controller_said \
	"error: priority/fathom: .*fathom.conf:[0-9]+: Hosts: 'nowhere' is not a node of slurm.conf"
is "and the last good settings stay in force" "$(figure h1 user3 raw_usage)" "$before"
daemon_stop slurmd2
cancel_all
live_end
