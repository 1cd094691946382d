#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Partitions of slot pools and others outside on the same nodes: one scheduling cycle of slurmctld
# starts the jobs that the pools are divided for, in LSF's examples.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

node_is ()
{
	[[ $(sinfo --noheader --nodes="$1" --format=%T | head -n 1) == "$2" ]]
}

# partition NAME PRIORITY NODES
partition ()
{
	echo "PartitionName=$1 Nodes=$3 PriorityJobFactor=$2 MaxTime=INFINITE DefaultTime=60"
}

# two nodes, a second daemon on the same machine
grep -q second /etc/hosts || echo "127.0.0.2 second" >>/etc/hosts
mapfile -t partitions < <(
	partition Pisa 44 localhost
	for name in Milano Parma Venezia Bologna; do partition $name 43 localhost; done
	partition high 50 second; partition outside 30 second; partition low 10 second
	for i in 1 2 3; do partition queue$i $((52 - 2 * i)) localhost; done
	partition queue4 60 localhost; partition queue5 44 localhost,second
	for i in 6 7 8; do partition queue$i $((49 - i)) second; done)
live_start PriorityWeightAge=0 PriorityWeightFairshare=100000 \
	PreemptType=preempt/partition_prio PreemptMode=REQUEUE \
	"SlurmdSpoolDir=$cluster/spool/%n" "SlurmdPidFile=$cluster/run/slurmd.%n.pid" \
	"NodeName=second NodeAddr=127.0.0.2 Port=7818 CPUs=10" \
	"NodeName=localhost CPUs=15 RealMemory=64000" "${partitions[@]}"
daemon_start slurmd2 unshare --uts sh -c 'hostname second && exec slurmd -D'
wait_until node_is second idle
fathom_conf Policy=lsf CalcPeriod=600 FiguresFile=fathom.json
printf 'SlotPool=%s Partition=%s SlotShare=%s\n' B Pisa 30 B Venezia 30 B Bologna 30 \
	p high 50 p low 50 A queue1 50 A queue2 30 A queue3 20 C queue6 30 C queue7 30 \
	C queue8 30 >>"$cluster/fathom.conf"
reconfigure_once

# state STATE: of both nodes; drained, no job starts, and resumed, all that can in one cycle
state ()
{
	scontrol update NodeName=localhost,second State="$1" Reason=test
}

# pass: one that comes now; its pools are in FiguresFile when this returns
pass ()
{
	touch "$cluster/mark"
	scontrol setdebugflags +Priority
	wait_until test "$cluster/state/fathom.json" -nt "$cluster/mark"
}

# got POOL: what fathom pools says of partitions with jobs
got ()
{
	fathom pools --noheader --parsable |
		awk -F '|' -v pool="$1" '$1 == pool && $7 > 0 && $5 > 0 { print $2 "=" $5 }' |
		sort | paste -sd ' '
}

# cycle TEXT COUNT STARTED: so many CPUs are given away in one cycle
cycle ()
{
	pass
	state RESUME
	ok "$2 CPUs are given away" wait_until are_running "$2"
	is "$1" "$(started)" "$3"
	state DRAIN
	cancel_all
}

state DRAIN
fill 20 Bologna Venezia Pisa
fill 3 Parma Milano
cycle "two queues outside, of the priority of two in the pool" 15 \
	"Bologna=2 Milano=3 Parma=3 Pisa=5 Venezia=2"
fill 20 low outside high
cycle "one outside between them: the first keeps to its share, the last waits" 10 \
	"high=5 outside=5"
fill 20 queue3 queue2 queue1
fill 3 queue4
pass
is "fathom prio shows the places of jobs in the pool and outside" \
	"$(fathom prio -nP -o Place,Partition -S Place | awk -F '|' '$1 <= 15 { print $2 }' |
		uniq -c | awk '{ print $2 "=" $1 }' | paste -sd ' ')" \
	"queue4=3 queue1=6 queue2=4 queue3=2"
is "fathom pools shows what queue4 leaves" "$(got A)" "queue1=6 queue2=4 queue3=2 queue4=3"
cycle "four queues, of which queue4 is outside and leaves 12 slots" 15 \
	"queue1=6 queue2=4 queue3=2 queue4=3"
fill 20 queue3 queue2 queue1 queue4
cycle "or none" 15 "queue4=15"
scontrol update PartitionName=queue4 Nodes=localhost,second PriorityJobFactor=45
fill 12 queue8 queue7 queue6 queue3 queue2 queue1
fill 3 queue5
fill 2 queue4
cycle "eight queues, two pools" 25 \
	"queue1=8 queue2=5 queue3=2 queue4=2 queue5=3 queue6=2 queue7=2 queue8=1"

### A queue of pool C gets a higher tier

fill 20 queue8 queue7 queue6 queue3 queue2 queue1
scontrol update PartitionName=queue8 PriorityTier=2
pass
ok "a pool whose queue can be preempted is void" controller_said \
	"error: priority/fathom: .*fathom.conf:[0-9]+: Partition: pool 'C' is void, as jobs of \
'queue8' preempt those of 'queue6'; .*; all else in the file is in force"
is "and the others are in force" "$(got A) $(got C)" "queue1=8 queue2=5 queue3=2 "
# in_pool PARTITION: what explain says of its first job that waits
in_pool ()
{
	fathom explain "$(squeue --noheader --states=PENDING --partition="$1" --format=%i |
		head -n 1)" | tr -s '\n ' ' ' | grep -q 'Its partition is in a slot pool'
}
ok "explain says that a job's partition is in a pool" in_pool queue1
not_ok "and not of one in a void pool" in_pool queue8
cycle "jobs of its queues go as without it" 25 "queue1=8 queue2=5 queue3=2 queue8=10"
daemon_stop slurmd2
live_end
