#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A slot pool: one scheduling cycle of slurmctld gives the partitions what LSF gives to the queues
# of a pool, lends the slots of an idle one, and takes them back as jobs end.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

live_start PriorityWeightAge=0 PriorityWeightFairshare=100000 \
	"NodeName=localhost CPUs=15 RealMemory=64000 State=UNKNOWN" \
	"PartitionName=Roma Nodes=localhost State=UP MaxTime=INFINITE DefaultTime=60" \
	"PartitionName=Verona Nodes=localhost State=UP MaxTime=INFINITE DefaultTime=60" \
	"PartitionName=Genova Nodes=localhost State=UP MaxTime=INFINITE DefaultTime=60"
fathom_conf Policy=lsf CalcPeriod=600 FiguresFile=fathom.json
printf 'SlotPool=all Partition=%s SlotShare=%s\n' Roma 50 Verona 30 Genova 20 \
	>>"$cluster/fathom.conf"
reconfigure_once

# drain, resume: no job starts, and all that can in one cycle
drain ()
{
	scontrol update NodeName=localhost State=DRAIN Reason=test
}

resume ()
{
	scontrol update NodeName=localhost State=RESUME
}

# end PARTITION COUNT: ends so many of its running jobs
end ()
{
	squeue --noheader --state=RUNNING --partition="$1" --format=%A | head -n "$2" |
		xargs scancel
}

ended ()
{
	(($(squeue --noheader --state=RUNNING,COMPLETING | wc -l) <= $1))
}

# got: what fathom pools says of each partition
got ()
{
	fathom pools --noheader --parsable | awk -F '|' '$2 != "all" { print $2 "=" $5 }' | sort |
		paste -sd ' '
}

# pass: one that comes now; its pools are in FiguresFile when this returns
pass ()
{
	touch "$cluster/mark"
	scontrol setdebugflags +Priority
	wait_until test "$cluster/state/fathom.json" -nt "$cluster/mark"
}

drain
fill 20 Roma Verona Genova
pass
is "fathom pools shows what each partition gets" "$(got)" "Genova=2 Roma=8 Verona=5"
resume
ok "15 CPUs are given away" wait_until are_running 15
is "by the shares" "$(started)" "Genova=2 Roma=8 Verona=5"
drain
cancel_all

fill 20 Roma Genova
pass
is "Verona is idle" "$(got)" "Genova=4 Roma=11 Verona=0"
resume
ok "15 CPUs are given away again" wait_until are_running 15
is "her slots are lent" "$(started)" "Genova=4 Roma=11"
drain
fill 20 Verona
# shares that divide 15 slots without a rest: who would get one depends on seconds of use
sed -i 's/Roma SlotShare=50/Roma SlotShare=60/; s/Verona SlotShare=30/Verona SlotShare=20/' \
	"$cluster/fathom.conf"
reconfigure_once
end Roma 2
end Genova 1
wait_until ended 12
pass
resume
ok "what has ended is replaced" wait_until are_running 15
is "and she has her slots back" "$(started)" "Genova=3 Roma=9 Verona=3"
live_end
