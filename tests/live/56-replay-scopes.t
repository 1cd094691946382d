#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Host partitions with user shares, in the cluster and in fathom replay of what sacct tells of the
# same jobs: on each of two nodes they start in the order that slurmctld's priorities have.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"
# shellcheck source=tests/live/replayed.sh
. "$(dirname "$0")/replayed.sh"

node_is ()
{
	[[ $(sinfo --noheader --nodes="$1" --format=%T | head -n 1) == "$2" ]]
}

# two nodes, a second daemon on the same machine
grep -q second /etc/hosts || echo "127.0.0.2 second" >>/etc/hosts
live_start PriorityWeightAge=0 PriorityWeightFairshare=100000 \
	SchedulerParameters=batch_sched_delay=0,sched_interval=1,bf_interval=1 \
	"SlurmdSpoolDir=$cluster/spool/%n" "SlurmdPidFile=$cluster/run/slurmd.%n.pid" \
	"NodeName=second NodeAddr=127.0.0.2 Port=7818 CPUs=64" \
	"NodeName=localhost CPUs=64 RealMemory=64000" \
	"PartitionName=near Nodes=localhost MaxTime=INFINITE DefaultTime=1" \
	"PartitionName=far Nodes=second MaxTime=INFINITE DefaultTime=1" \
	"PartitionName=both Nodes=localhost,second MaxTime=INFINITE DefaultTime=1"
daemon_start slurmd2 unshare --uts sh -c 'hostname second && exec slurmd -D'
wait_until node_is second idle
# user1 has two leaves on localhost; user5 has one that no other user has
counted='Policy=lsf CpuTimeFactor=1000 HistHours=0'
fathom_conf Policy=fcfs CalcPeriod=3600 \
	"Scope=h1 Hosts=localhost $counted \
UserShares=\"[user1, 3] [lab, 4] [user5, 1] [others, 2]\"" \
	"Scope=h2 Hosts=\"all ~localhost\" $counted UserShares=\"[default, 1]\"" \
	'UserGroup=lab Members="user1 user2 user3" UserShares="[user2, 3] [user3, 2] [user1, 2]"'
reconfigure_once
usage_begin=$(date +%FT%T)
fathom snapshot --out "$cluster/site.json"

# jobs PARTITION SECONDS [USER:CPUS]...
jobs ()
{
	local job

	for job in "${@:3}"; do
		submit "${job%:*}" --partition="$1" --ntasks="${job#*:}" --wrap "sleep $2"
	done
}

placed ()
{
	[[ $(squeue --noheader --state=PENDING --format=%Q | sort | uniq -d | wc -l) == 0 ]]
}

open_nodes ()
{
	ok "each job has a place of its own" wait_until placed
	squeue --noheader --states=PENDING --format='%P %i %Q' | sort -k 3,3nr >"$cluster/queue"
	release_machine
}

### Usage, in parts of a job on both nodes too; then a pass, and a queue on each node

jobs both 2 user4:128 >/dev/null
wait_until no_jobs
hold_machine user5 --partition=both --nodes=2 --ntasks=128
jobs near 2 user1:8 user2:4 user1:6 user3:2 user1:5 user2:1 >/dev/null
jobs far 1 user1:3 user2:9 user3:27 >/dev/null
open_nodes
# the replay may be some seconds ahead
sleep 4
pass_now
pass=$(pass_time)
hold_machine user5 --partition=both --nodes=2 --ntasks=128
jobs near 1 user4:1 user3:1 user2:1 user1:1 user1:2 user2:1 user3:2 user4:2 user1:1 >/dev/null
jobs far 1 user4:1 user3:1 user2:1 user1:1 user1:2 user2:1 >/dev/null
open_nodes
ok "sacct has all jobs" wait_until save_trace 27 Partition

### The replay: its second pass is when slurmctld's was, and the third one after all jobs

fathom replay "$cluster/trace" --from "$cluster/slurm.conf" --from "$cluster/fathom.conf" \
	--from "$cluster/site.json" --calc-period $((pass - $(first_submit))) \
	--schedule "$cluster/schedule" >"$cluster/figures"
for partition in near far; do
	awk -v partition=$partition '$1 == partition { print $2 }' "$cluster/queue" \
		>"$cluster/priorities"
	not_ok "on $partition jobs have another order than that of submission" \
		sort --check=quiet --numeric-sort "$cluster/priorities"
	is "on $partition jobs start in the order that slurmctld's priorities have" \
		"$(cut -d , -f 1 "$cluster/schedule" | grep -xFf "$cluster/priorities" |
			paste -sd ' ')" "$(paste -sd ' ' "$cluster/priorities")"
done
daemon_stop slurmd2
live_end
