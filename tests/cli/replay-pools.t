#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom replay with slot pools of fathom.conf.
. "${srcdir:=.}/tests/cli/lib.sh"

cat >"$work/slurm.conf" <<'CONF'
NodeName=n[1-3] CPUs=5
PartitionName=Roma Nodes=n[1-3]
PartitionName=Verona Nodes=n[1-3]
PartitionName=Genova Nodes=n[1-3]
PartitionName=Milano Nodes=n3
CONF
cat >"$work/fathom.conf" <<'CONF'
Policy=lsf CalcPeriod=600
SlotPool=all Partition=Roma SlotShare=50
SlotPool=all Partition=Verona SlotShare=30
SlotPool=all Partition=Genova SlotShare=20
CONF

# jobs COUNT SUBMIT MINUTES PARTITION...: so many in each, of one CPU; numbers go on
jobs ()
{
	awk -v last="$(sed 1d "$work/jobs" | wc -l)" 'BEGIN {
		for (at = 4; at < ARGC; at++)
			for (i = 0; i < ARGV[1]; i++)
				printf("%d|ada|a|COMPLETED|2026-09-01T%s|Unknown|Unknown|" \
					"00:%s:00|1|2:00:00|%s\n", ++last, ARGV[2], ARGV[3],
					ARGV[at])
	}' "$@" >"$work/more"
	cat "$work/more" >>"$work/jobs"
}

new_jobs ()
{
	echo "JobID|User|Account|State|Submit|Start|End|Elapsed|NCPUS|Timelimit|Partition" \
		>"$work/jobs"
}

# replay OPTION...: with slurm.conf and fathom.conf
replay ()
{
	fathom replay "$work/jobs" --from "$work/slurm.conf" --from "${conf:-$work/fathom.conf}" \
		--schedule "$work/starts" "$@" >"$work/figures"
}

# running SECONDS: CPUs of each partition that are in use then
running ()
{
	tr '|' , <"$work/jobs" | awk -F, -v now="$1" 'NR == FNR { partition[$1] = $11; next }
		$6 <= now && now < $7 { cpus[partition[$1]] += $4 }
		END { for (i in cpus) print i "=" cpus[i] }' - "$work/starts" | sort |
		paste -sd ' ' -
}

### one cycle

new_jobs
jobs 20 00:00:00 10 Roma Verona Genova
for policy in $(policies); do
	for scheduler in easy conservative none; do
		replay --policy "$policy" --scheduler $scheduler
		running 0
	done
done >"$work/shares"
is "all have jobs: by the shares, under every policy and scheduler" \
	"$(sort -u "$work/shares")" "Genova=2 Roma=8 Verona=5"
for weight in 100000 1; do
	replay --set PriorityWeightFairshare=$weight
	running 0
done >"$work/weighted"
is "with a weight of 1 places make no difference" "$(cat "$work/weighted")" \
	"Genova=2 Roma=8 Verona=5
Roma=15"
if built_with muParser "a formula has the factor of the place"; then
	sed '1s/.*/Policy=fair-tree CalcPeriod=600\nFormula=fairshare_factor\nFormulaScale=1e5/' \
		"$work/fathom.conf" >"$work/formula.conf"
	conf=$work/formula.conf replay
	is "a formula has the factor of the place" "$(running 0)" "Genova=2 Roma=8 Verona=5"
fi
sed '2s/$/ MaxSlotsInPool=10/' "$work/fathom.conf" >"$work/max.conf"
conf=$work/max.conf replay
is "MaxSlotsInPool: 10 are divided, the others go round" "$(running 0)" \
	"Genova=3 Roma=7 Verona=5"
sed '2s/$/ MaxCPUsPerNode=1/' "$work/slurm.conf" >"$work/limit.conf"
mv "$work/slurm.conf" "$work/all.conf"
cp "$work/limit.conf" "$work/slurm.conf"
replay
is "MaxCPUsPerNode limits what a partition gets" "$(running 0)" "Genova=4 Roma=3 Verona=8"
mv "$work/all.conf" "$work/slurm.conf"

new_jobs
jobs 40 00:00:00 10 Roma Genova
jobs 20 00:15:00 10 Verona
replay
is "an idle partition lends its slots" "$(running 0)" "Genova=4 Roma=11"
is "and has them back as jobs end" "$(running 1200)" "Genova=2 Roma=8 Verona=5"
sed '2s/$/ UsePriorityInPool=yes/' "$work/fathom.conf" >"$work/left.conf"
conf=$work/left.conf replay
is "UsePriorityInPool: 8 and 3 by the shares, then as submitted" "$(running 0)" \
	"Genova=3 Roma=12"
replay --cpus 15
is "with --cpus all partitions have all of them" "$(running 0)" "Genova=4 Roma=11"

# outside, of equal priority and the last in slurm.conf: 8 5 1, and the one that is left
new_jobs
jobs 20 00:00:00 10 Roma Verona
jobs 1 00:00:00 10 Milano
replay --policy fcfs
is "a partition outside the pool at its place" "$(running 0)" "Milano=1 Roma=9 Verona=5"

### preemption

# A pool of which one partition preempts another is void, and the other pool is not. In either,
# jobs of Roma go first by its PriorityTier.
mv "$work/slurm.conf" "$work/all.conf"
cat >"$work/slurm.conf" <<'CONF'
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
NodeName=n[1-6] CPUs=5
PartitionName=Roma Nodes=n[1-3] PriorityTier=2
PartitionName=Verona Nodes=n[1-3]
PartitionName=Pisa Nodes=n[1-3] PreemptMode=OFF
PartitionName=Genova Nodes=n[4-6]
PartitionName=Milano Nodes=n[4-6]
CONF
cat >"$work/void.conf" <<'CONF'
Policy=fcfs CalcPeriod=600
SlotPool=void Partition=Verona SlotShare=50
SlotPool=void Partition=Roma SlotShare=20
SlotPool=void Partition=Pisa SlotShare=30
SlotPool=good Partition=Genova SlotShare=60
SlotPool=good Partition=Milano SlotShare=40
CONF
new_jobs
jobs 20 00:00:00 10 Verona Pisa Genova Milano
jobs 3 00:00:00 10 Roma
conf=$work/void.conf replay 2>"$work/warning"
is "a pool whose partitions preempt is void, and others are not" "$(running 0)" \
	"Genova=9 Milano=6 Roma=3 Verona=12"
is "which is said" "$(cat "$work/warning")" "fathom: $work/void.conf:2: Partition: pool 'void' is \
void, as jobs of 'Roma' preempt those of 'Verona'; give both the same PriorityTier, or 'Verona' \
PreemptMode=OFF"
sed 's/^Policy.*/&\nScope=h Hosts=n[1-3] Policy=fcfs/' "$work/void.conf" >"$work/scoped.conf"
conf=$work/scoped.conf ok "nor does one on hosts of a scope end the replay" replay 2>"$work/warning"
sed -i 's/^PartitionName=Verona.*/& PreemptMode=OFF/' "$work/slurm.conf"
conf=$work/void.conf replay
is "not if the other cannot be preempted" "$(running 0)" "Genova=9 Milano=6 Pisa=4 Roma=3 Verona=8"
mv "$work/all.conf" "$work/slurm.conf"

### queues outside

# outside CPUS "NAME PRIORITY NODES [POOL SHARE]"...: replays the jobs with these partitions, on two
# nodes of so many CPUs. In flux's sum the priorities of queues would go before places.
outside ()
{
	printf 'NodeName=n[1-2] CPUs=%s\n' "$1" >"$work/outside/slurm.conf"
	echo "Policy=fcfs CalcPeriod=600 QueueWeight=0" >"$work/outside/fathom.conf"
	shift
	printf '%s\n' "$@" | while read -r name priority nodes pool share; do
		echo "PartitionName=$name Nodes=$nodes PriorityJobFactor=$priority" \
			>>"$work/outside/slurm.conf"
		[ -z "$share" ] || echo "SlotPool=$pool Partition=$name SlotShare=$share" \
			>>"$work/outside/fathom.conf"
	done
	for policy in $(policies); do
		fathom replay "$work/jobs" --from "$work/outside/slurm.conf" \
			--from "$work/outside/fathom.conf" --policy "$policy" \
			--schedule "$work/starts" >"$work/figures"
		running 0
	done | sort -u
}

mkdir "$work/outside"
new_jobs
jobs 20 00:00:00 10 Bologna Venezia Pisa
jobs 3 00:00:00 10 Parma Milano
outside 15 \
	"Pisa 44 n1 B 30" "Milano 43 n1" "Parma 43 n1" "Venezia 43 n1 B 30" "Bologna 43 n1 B 30" \
	>"$work/outside/running"
is "two queues outside, of the priority of two in the pool: 5 3 3 2 2" \
	"$(cat "$work/outside/running")" "Bologna=2 Milano=3 Parma=3 Pisa=5 Venezia=2"
new_jobs
jobs 20 00:00:00 10 low outside high
outside 10 "high 50 n1 p 50" "outside 30 n1" "low 10 n1 p 50" >"$work/outside/running"
is "one between: the first keeps to its share, the last waits" \
	"$(cat "$work/outside/running")" "high=5 outside=5"
new_jobs
jobs 20 00:00:00 10 queue3 queue2 queue1
jobs 3 00:00:00 10 queue4
outside 12 \
	"queue1 50 n1 p 50" "queue2 48 n1 p 30" "queue3 46 n1 p 20" "queue4 60 n1" \
	>"$work/outside/running"
is "queue4 leaves the pool fewer slots" \
	"$(cat "$work/outside/running")" "queue1=5 queue2=3 queue3=1 queue4=3"
new_jobs
jobs 20 00:00:00 10 queue8 queue7 queue6 queue3 queue2 queue1
jobs 3 00:00:00 10 queue5
jobs 2 00:00:00 10 queue4
outside 15 \
	"queue1 50 n1 A 50" "queue2 48 n1 A 30" "queue3 46 n1 A 20" "queue4 45 n1,n2" \
	"queue5 44 n1,n2" "queue6 43 n2 B 30" "queue7 42 n2 B 30" "queue8 41 n2 B 30" \
	>"$work/outside/running"
is "two pools, and two queues between them on the hosts of both" \
	"$(cat "$work/outside/running")" \
	"queue1=8 queue2=5 queue3=2 queue4=2 queue5=3 queue6=4 queue7=3 queue8=3"

### scopes

cat >"$work/scoped.conf" <<'CONF'
Policy=fair-tree CalcPeriod=600
Scope=r Partitions=Roma Policy=lsf
Scope=m Partitions=Milano Policy=classic
SlotPool=all Partition=Roma SlotShare=50
SlotPool=all Partition=Verona SlotShare=50
CONF
# Milano comes last and gets none
new_jobs
jobs 20 00:00:00 10 Roma Verona
jobs 1 00:00:00 10 Milano
conf=$work/scoped.conf replay --policy fair-tree
is "a partition may be in a scope and in a pool" "$(running 0)" "Roma=8 Verona=7"

# hosts of a scope take no part: of 10 CPUs Roma and Verona get 5 each
cat >"$work/hosts.conf" <<'CONF'
Policy=fcfs CalcPeriod=600
Scope=h Hosts=n3 Policy=fcfs
SlotPool=all Partition=Roma SlotShare=50 MaxSlotsInPool=10
SlotPool=all Partition=Verona SlotShare=50
CONF
new_jobs
jobs 5 00:00:00 10 Milano
jobs 20 00:00:00 10 Roma Verona
conf=$work/hosts.conf replay
is "hosts of a scope take no part in a pool" "$(running 0)" "Milano=5 Roma=5 Verona=5"

### queues of LSF

for queue in "Roma 44 50" "Verona 43 30" "Genova 43 20"; do
	# shellcheck disable=SC2086	# name, priority and share
	printf 'Begin Queue\nQUEUE_NAME = %s\nPRIORITY = %s\nSLOT_SHARE = %s\n%s\n%s\nEnd Queue\n' \
		$queue "SLOT_POOL = all" "HOSTS = all"
done >"$work/lsb.queues"
new_jobs
jobs 20 00:00:00 10 Genova Roma Verona
fathom replay "$work/jobs" --from "$work/lsb.queues" --cpus 15 --schedule "$work/starts" >/dev/null
is "queues of LSF with SLOT_POOL" "$(running 0)" "Genova=2 Roma=8 Verona=5"

### a day

# random jobs of all sizes; the pool has 15 CPUs
awk 'BEGIN {
	srand(7)
	print "JobID|User|Account|State|Submit|Start|End|Elapsed|NCPUS|Timelimit|Partition"
	split("Roma Verona Genova", name, " ")
	for (i = 1; i <= 1500; i++)
		printf("%d|u%d|a|COMPLETED|2026-09-01T%02d:%02d:00|Unknown|Unknown|" \
			"00:%02d:%02d|%d|3:00:00|%s\n", i, i % 5, i / 300, i / 5 % 60,
			5 + rand() * 50, rand() * 60, 1 + rand() * 3, name[1 + int(rand() * 3)])
}' >"$work/jobs"
# parts: of the CPU seconds of the second day, those of each partition in percent
parts ()
{
	tr '|' , <"$work/jobs" | awk -F, -v begin=86400 -v end=172800 '
		NR == FNR { partition[$1] = $11; next }
		{
			from = $6 > begin ? $6 : begin
			to = $7 < end ? $7 : end
			if (to > from) {
				used[partition[$1]] += (to - from) * $4
				sum += (to - from) * $4
			}
		}
		END { print used["Roma"] / sum, used["Verona"] / sum, used["Genova"] / sum }' \
		- "$work/starts"
}
# near NAME PARTS: those of the shares, to two percent
near ()
{
	ok "$1" sh -c 'awk "{ exit !(\$1 > .48 && \$1 < .52 && \$2 > .28 && \$2 < .32 &&
		\$3 > .18 && \$3 < .22) }" <<PARTS
'"$2"'
PARTS'
}
for scheduler in easy conservative; do
	replay --policy fair-tree --scheduler $scheduler
	near "usage is by the shares with --scheduler $scheduler" "$(parts)"
done
replay --policy lsf
near "and under lsf" "$(parts)"

### mistakes

# refuses NAME MESSAGE LINE...: a fathom.conf of these lines
refuses ()
{
	name=$1 message=$2
	shift 2
	printf '%s\n' "$@" >"$work/wrong"
	rejects "$name" "fathom: $work/wrong:$message" \
		replay "$work/jobs" --from "$work/slurm.conf" --from "$work/wrong"
}
refuses "a partition that slurm.conf does not have" \
	"1: Partition: 'Pisa' is not a partition of slurm.conf" \
	"SlotPool=all Partition=Pisa SlotShare=50"
refuses "a pool of hosts of scopes alone" \
	"3: Partition: all nodes of 'Milano' are hosts of scopes, which take no part in slot \
pools" \
	"Policy=lsf" "Scope=h Hosts=n3" "SlotPool=all Partition=Milano SlotShare=50"
refuses "other nodes" \
	"2: Partition: 'Milano' has other nodes than 'Roma'; in a pool they must have the same" \
	"SlotPool=all Partition=Roma SlotShare=50" "SlotPool=all Partition=Milano SlotShare=50"
rejects "pools of unknown partitions" \
	"fathom: $work/fathom.conf:2: SlotPool: no partitions are known; also give --from \
slurm.conf" \
	replay "$work/jobs" --cpus 15 --from "$work/fathom.conf"
finish
