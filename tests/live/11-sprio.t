#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# sprio's columns add up to the priority of every job, in each of its partitions; what is held or
# set stays so.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

# A node that never answers has the TRES that the other one lacks; it must be named before
# "localhost".
live_start PriorityWeightAge=600000 PriorityMaxAge=10 PriorityWeightFairshare=50000 \
	PriorityWeightJobSize=10000 \
	PriorityWeightPartition=2000 PriorityWeightQOS=4000 PriorityWeightAssoc=3000 \
	PriorityWeightTRES=cpu=800,gres/gpu=8000 AccountingStorageTRES=gres/gpu GresTypes=gpu \
	"NodeName=away NodeAddr=127.0.0.11 Port=7 CPUs=64 RealMemory=64000 Gres=gpu:8 State=DOWN" \
	"NodeName=localhost CPUs=64 RealMemory=64000 State=UNKNOWN" \
	"PartitionName=all Nodes=localhost Default=YES PriorityJobFactor=10" \
	"PartitionName=low Nodes=localhost State=DOWN PriorityJobFactor=10" \
	"PartitionName=gpu Nodes=away State=DOWN PriorityJobFactor=20 PriorityTier=5" \
	"PartitionName=top Nodes=ALL State=DOWN PriorityJobFactor=40 PriorityTier=3"
fathom_conf CalcPeriod=1
sacctmgr -iQ add qos slow priority=10 >/dev/null
sacctmgr -iQ modify qos normal set priority=40 >/dev/null
sacctmgr -iQ modify user user1 set qos+=slow priority=30 >/dev/null
sacctmgr -iQ modify user user5 set priority=40 >/dev/null
reconfigure

# sums: jobs whose columns differ from the priority by more than their roundings; a set priority has
# no columns
sums ()
{
	sprio --noheader --format='%i %Y %S %A %B %F %J %P %Q %N %.99T' |
		awk '{ sum = $3 + $4 + $5 + $6 + $7 + $8 + $9 - $10
			for (n = split($11, tres, /[=,]/); n > 1; n -= 2) sum += tres[n]
			if (!sum) next
			if (sum < 1) sum = 1
			if ($2 - sum > 5 || sum - $2 > 5)
				print "job " $1 ": " sum " is shown as " $2 }'
}

# of JOB FORMAT: each partition's line, in order
of ()
{
	sprio --noheader --jobs="$1" --format="$2" | tr -s ' ' | sed 's/^ //; s/ $//' | sort
}

# scheduler_has JOB [COUNT]: what the last pass gave it for each of its three, or COUNT, partitions
scheduler_has ()
{
	sed -n "s/.*JobId=$1 in partition \(.*\): \([0-9]*\)$/\1 \2/p" \
		"$cluster/log/slurmctld.log" | tail -n "${2:-3}" | sort
}

# unless a pass comes between the two
is_what_scheduler_has ()
{
	[[ $(scheduler_has "$@") == "$(of "$1" '%r %Y')" ]]
}

# the same
is_what_scontrol_shows ()
{
	[[ $(of "$1" %Y) == "$(priority_of "$1")" ]]
}

# shows COUNT: so many jobs
shows ()
{
	(($(sprio --noheader --format=%i | sort -u | wc -l) == $1))
}

# unless a pass comes between the two
long_is_same ()
{
	[[ $(sprio --long |
		awk 'NR == 1 { while ($++p != "PRIORITY"); next } { print $1, $2, $p }' | sort) == \
		$(sprio --noheader --format='%i %r %Y' | sort) ]]
}

# without_age JOB: its priority but for its age, which each pass changes
without_age ()
{
	of "$1" '%Y %A' | awk '{ print $1 - $2 }'
}

submit_off ()
{
	submit "$1" --partition=low --ntasks=16 "${@:2}"
}

### Every job

plain=$(submit_off user2)
slow=$(submit_off user1 --qos=slow --nice=200)
nice=$(submit_off user3 --nice=2000000000)
boost=$(as_user root sbatch \
	--parsable \
	--uid=user5 --account=f --partition=low --chdir=/ --output=/dev/null --nice=-5000 \
	--wrap 'sleep infinity')
single=$(submit user1 --partition=gpu --ntasks=16 --gres=gpu:2)
many=$(submit user1 --partition=low,top,gpu --ntasks=16 --gres=gpu:2)
array=$(submit_off user4 --array=1-3)

for job in "$plain" "$slow" "$nice" "$boost" "$single" "$many" "$array"; do
	[[ $(priority_of "$job" | head -n 1) -gt 0 ]] || missing+=" $job"
done
is "a submitted job has its priority at once" "${missing-}" ""
ok "sprio shows every job as soon as the scheduler has seen it" wait_until shows 7
is "columns add up to the priority" "$(sums)" ""
wait_for_pass
is "columns add up to the priority after a pass" "$(sums)" ""
is "a priority is at least 1" "$(of "$nice" %Y)" 1
ok "sprio shows what scontrol shows" wait_until is_what_scontrol_shows "$slow"
is "a negative nice raises" "$(of "$boost" %N)" -5000
ok "sprio -l has the same priorities" wait_until long_is_same
like "sprio -w shows the weights" \
	"$(sprio --weights --format='%A %B %F %J %P %Q %.99T' | tail -n 1)" \
	'600000 3000 50000 10000 2000 4000 +cpu=800,gres/gpu=8000'
like "sprio -n shows the factors" "$(of "$slow" '%b %j %p %q %t')" \
	'^0.7500000 0.3125000 0.2500000 0.2500000 cpu=0.25'
is "sprio -p shows that partition's" \
	"$(sprio --noheader --partition=gpu --format='%i %r' | tr -d '\n')" "$single gpu$many gpu"
is "sprio -u shows that user's" "$(sprio --noheader --user=user4 --format=%i)" "$array"

### Several partitions

is "a job in several partitions has a line for each" "$(of "$many" '%r %P')" \
	$'gpu 1000\nlow 500\ntop 2000'
is "TRES of another partition: each line has its partition's own" "$(of "$many" '%r %.99T')" \
	$'gpu cpu=200,gres/gpu=2000\nlow cpu=200\ntop cpu=100,gres/gpu=2000'
ok "its priorities are those that the scheduler has" wait_until is_what_scheduler_has "$many"

# in one second: the partitions change, and which the job may use
scontrol update JobId="$many" Partition=gpu,top
scontrol update PartitionName=top PriorityJobFactor=20
scontrol update JobId="$many" Partition=low,top
wait_for_pass
is "partition changed at once: the job has the new ones" "$(of "$many" '%r %P')" \
	$'low 1000\ntop 2000'
ok "and so has the scheduler" wait_until is_what_scheduler_has "$many" 2
scontrol update PartitionName=top PriorityJobFactor=40
scontrol update JobId="$many" Partition=low,top,gpu
wait_for_pass
is "and all three again" "$(of "$many" '%r %P')" $'gpu 1000\nlow 500\ntop 2000'

### Held, set, waiting for something else

scontrol hold "$plain" "$many"
wait_for_pass
is "a held job stays 0" "$(priority_of "$plain") $(priority_of "$many")" "0 0"
is "sprio does not show it" "$(sprio --noheader --format=%i | grep -cwE "$plain|$many")" 0
scontrol release "$plain" "$many"
ok "a released job has a priority at once" test "$(priority_of "$plain")" -gt 1 \
	-a "$(priority_of "$many")" -gt 1
ok "the scheduler takes it up, and sprio shows it" wait_until shows 7
is "columns add up to its priority" "$(sums)" ""

scontrol update JobId="$plain" Priority=777
scontrol update JobId="$many" Priority=888
wait_for_pass
is "a priority that was set stays" "$(priority_of "$plain") $(priority_of "$many")" "777 888"
is "sprio shows it as it is" "$(of "$plain" %Y)" 777
is "set priority: in every partition it is the one that was set" "$(of "$many" '%r %Y')" \
	$'gpu 888\nlow 888\ntop 888'

after=$(submit_off user2 --dependency=afterok:"$plain")
later=$(submit_off user2 --begin=now+1hour)
held=$(submit_off user2 --hold)
is "a job submitted held is 0" "$(priority_of "$held")" 0
wait_for_pass
ok "a job that waits for another has a priority" test "$(priority_of "$after")" -gt 1
ok "a job that may start later has one" test "$(priority_of "$later")" -gt 1
is "neither grows old" "$(job_field "$after" AccrueTime) $(job_field "$later" AccrueTime)" \
	"Unknown Unknown"
is "nor is shown" "$(sprio --noheader --format=%i | grep -cwE "$after|$later")" 0
is "the one submitted held stays 0" "$(priority_of "$held")" 0
scontrol release "$held"
ok "and has a priority once released" test "$(priority_of "$held")" -gt 1

is "columns add up to all priorities" "$(sums)" ""

### The site's own factor

before=$(of "$slow" '%S %B %F %J %P %Q %N')
priority=$(without_age "$slow")
scontrol update JobId="$slow" SiteFactor=12345
wait_for_pass
is "a site factor changes its column alone" "$(of "$slow" '%S %B %F %J %P %Q %N')" \
	"12345${before#0}"
is "and the priority by just that" "$(without_age "$slow")" $((priority + 12345))
scontrol update JobId="$slow" SiteFactor=-20000000
wait_for_pass
is "a negative one lowers to 1 at most" "$(priority_of "$slow")" 1

### A new user's first job, long before the next pass

# shown JOB
shown ()
{
	[[ $(sprio --noheader --jobs="$1" --format=%i 2>/dev/null) ]]
}

fathom_conf CalcPeriod=600
for flags in '' DEPTH_OBLIVIOUS NO_FAIR_TREE; do
	slurm_conf PriorityFlags="$flags"
	reconfigure_once
	add_user user3 f fairshare=1
	before=$(last_pass)
	job=$(submit_off user3 --account=f)
	wait_until shown "$job"
	ok "new association: its first job has a factor at once (${flags:-FAIR_TREE})" test \
		"$(of "$job" %F)" -gt 1000
	ok "and a pass comes for it" wait_until pass_after "$before"
	evaluated=$(of "$job" %F)
	reconfigure_once
	is "which gives it its own" "$evaluated" "$(of "$job" %F)"
	scancel "$job"
	sacctmgr -iQ delete user user3 account=f >/dev/null
done
is "slurmctld logs no error" "$(controller_errors)" ""

cancel_all
sacctmgr -iQ modify qos normal set priority=0 >/dev/null
sacctmgr -iQ modify user user1 set qos-=slow >/dev/null
sacctmgr -iQ delete qos slow >/dev/null
