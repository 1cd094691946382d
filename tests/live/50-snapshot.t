#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom snapshot: what other commands show of the file is what they show of the cluster.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"
# shellcheck source=tests/live/figures.sh
. "$(dirname "$0")/figures.sh"

live_start PriorityWeightAge=600000 PriorityMaxAge=1-0 PriorityWeightFairshare=50000 \
	PriorityWeightJobSize=10000 PriorityWeightPartition=2000 PriorityWeightQOS=4000 \
	PriorityWeightAssoc=3000 PriorityWeightTRES=cpu=800,mem=300 \
	"NodeName=localhost CPUs=64 RealMemory=64000 State=UNKNOWN" \
	"PartitionName=all Nodes=localhost Default=YES PriorityJobFactor=10" \
	"PartitionName=estuary Nodes=localhost State=DOWN PriorityJobFactor=10" \
	"PartitionName=lagoon Nodes=localhost State=DOWN PriorityJobFactor=20"
# shellcheck disable=SC2034	# figures.sh reads it
file=$cluster/state/fathom.json
snap=$cluster/snap.json
fathom_conf CalcPeriod=600 FiguresFile=fathom.json ShadowPolicy=classic
sacctmgr -iQ modify qos normal set priority=40 >/dev/null
sacctmgr -iQ add qos hastyqos priority=90 >/dev/null
add_account seismology d fairshare=17
add_user okonkwo seismology fairshare=3
sacctmgr -iQ modify user user5 set priority=40 >/dev/null
sacctmgr -iQ modify user user2 set qos+=hastyqos >/dev/null
reconfigure
run_jobs 16 8 1 4 2

first=$(submit user1 --partition=estuary --ntasks=16 --job-name=secret --comment=secret)
submit user2 --partition=estuary,lagoon --ntasks=8 --qos=hastyqos --mem=1500 >/dev/null
third=$(submit user5 --partition=estuary --nice=200 --time=90)
set_one=$(submit user3 --partition=lagoon)
submit user4 --partition=estuary --hold >/dev/null
submit user4 --partition=estuary --begin=now+1day >/dev/null
scontrol update JobId="$set_one" Priority=777
scontrol update JobId="$first" SiteFactor=12345
# so that jobs have an age
sleep 2
passes reconfigure_once

# fathom_takes KEY=VALUE...: of fathom.conf
fathom_takes ()
{
	fathom_conf "$@"
	reconfigure_once
}

# taken [OPTION...]: takes the snapshot anew
taken ()
{
	fathom snapshot --out="$snap" "$@"
}

# as_live TEXT COMMAND OPTION...: prints the same of the file and of the cluster. Of the cluster,
# slurmctld does not tell the accounts of all jobs before 24.11.
as_live ()
{
	local account='s/ in account [a-z]*, with/, with/'
	# an anonymous snapshot has slurmctld's word alone of what holds a job
	local reason='/^Job [0-9]* waits[, ].*\.$/d'

	is "$1" "$(fathom "$2" --from "$snap" "${@:3}" 2>&1 | sed "$account; $reason")" \
		"$(fathom "$2" "${@:3}" 2>&1 | sed "$account; $reason")"
}

# page_data: what a page shows, without the name of its source and the time
page_data ()
{
	sed -n '/id="data">/{ n; s/"source":"[^"]*"//; s/"\(time\|wait\|longest\)":[0-9.]*//g
		s/"quantiles":[^]]*//; p; }'
}

# as_live_everywhere WHAT: shares, prio and explain of the file and of the cluster
as_live_everywhere ()
{
	ok "$1: a snapshot is taken" taken
	is "$1: shares" "$(fathom shares --from "$snap" -P)" "$(fathom shares -a -P)"
	is "$1: shares -l" "$(fathom shares --from "$snap" -lP)" \
		"$(fathom shares -a -P -o \
			"$(fathom shares --from "$snap" -lP | head -n 1 | tr '|' ,)")"
	is "$1: shares --json" "$(fathom shares --from "$snap" --json)" \
		"$(fathom shares -a --json)"
	is "$1: report" "$(fathom report "$snap" | page_data)" "$(fathom report | page_data)"
	as_live "$1: prio" prio -P
	as_live "$1: prio --norm" prio --norm -P
	as_live "$1: prio -l" prio -lP
	as_live "$1: prio --weights" prio --weights -P
	as_live "$1: explain users" explain user1 user5
	as_live "$1: explain a job" explain "$first"
	as_live "$1: explain two jobs" explain "$first" "$third"
	as_live "$1: explain a job whose priority was set" explain "$first" "$set_one"
}

### Policies

as_live_everywhere "fair-tree"
is "the shadow policy" "$(fathom shares --from "$snap" --shadow -P)" \
	"$(fathom shares -a --shadow -P)"
is "--policy goes before the policy of the snapshot" \
	"$(fathom shares --from "$snap" --policy classic -P)" \
	"$(fathom shares -a --policy classic -P)"
is "held and waiting jobs are in the file, too" \
	"$(fathom prio --from "$snap" --state all -nP -o %i | sort -u | wc -l)" 6

passes fathom_takes Policy=lsf
# places depend on what the factors were: since 23.11 jobs have none after a reconfiguration
passes pass_now
as_live_everywhere "lsf"
passes fathom_takes Policy=classic PriorityFlags=
as_live_everywhere "classic"
slurm_conf PriorityDecayHalfLife=3-0
passes reconfigure_once
ok "a snapshot is taken with another half-life" taken
as_live "explain --until" explain user1 --until 0.3

### Scopes and pools

printf 'SlotPool=tide Partition=%s SlotShare=%s\n' estuary 60 lagoon 40 >>"$cluster/fathom.conf"
passes fathom_takes Policy=lsf "Scope=mangrove Partitions=all Policy=fair-tree"
ok "with a scope and a pool a snapshot is taken" taken
is "the scope" "$(fathom shares --from "$snap" --scope=mangrove -P)" \
	"$(fathom shares -a --scope=mangrove -P)"
as_live "pools" pools -P
as_live "pools --json" pools --json

### Without FiguresFile, as another user, with another plugin

chmod 700 "$cluster/state"
as_user user4 fathom snapshot >"$cluster/mine.json"
is "whoever cannot read FiguresFile gets slurmctld's figures" \
	"$(fathom shares --from "$cluster/mine.json" -P)" "$(as_user user4 fathom shares -aP)"
slurm_conf PrivateData=jobs,usage
passes reconfigure_once
as_user user4 fathom snapshot >"$cluster/mine.json"
not_ok "PrivateData hides jobs of others" grep -q '"job_id": '"$first"'\>' "$cluster/mine.json"
is "and their usage" "$(fathom shares --from "$cluster/mine.json" -nP -o User,RawUsage |
	grep user1)" "$(as_user user4 fathom shares -anP -o User,RawUsage | grep user1)"

### --anonymous

ok "a snapshot is taken" taken
ok "and one with other names" fathom snapshot --anonymous --out="$cluster/anonymous.json"
not_ok "no name, comment or path is left" grep -iE \
	'okonkwo|seismology|hastyqos|estuary|lagoon|tide|mangrove|secret|fathom\.json|"lab"' \
	"$cluster/anonymous.json"
is "usage is that of the cluster" \
	"$(fathom shares --from "$cluster/anonymous.json" -nP -o RawUsage,RawShares,FairShare)" \
	"$(fathom shares -anP -o RawUsage,RawShares,FairShare)"
is "priorities are those with names" \
	"$(fathom prio --from "$cluster/anonymous.json" -nP -o %i,%Y)" \
	"$(fathom prio --from "$snap" -nP -o %i,%Y)"
is "fathom convert reads the cluster, too" "$(fathom convert --to sshare)" \
	"$(fathom convert --from "$snap" --to sshare 2>/dev/null)"
like "and says that its fathom.conf is not written" \
	"$(fathom convert --to slurm --strict --out "$cluster/moved" 2>&1)" \
	"^fathom: the running cluster: fathom.conf gets lost; .*; --strict refuses"

### A job that asks for CPUs of two nodes, but for one node: slurmctld tells that it will get two

two_nodes_start PriorityWeightJobSize=10000
busy=$(submit user1 --nodes=2 --exclusive)
wait_for_job "$busy" RUNNING
first=$(submit user2 --ntasks=128)
two_nodes_are_told ()
{
	[[ $(job_field "$first" NumNodes) == 2* ]]
}
ok "slurmctld tells two nodes" wait_until two_nodes_are_told
sleep 2				# so that the job has an age
pass_now
ok "two nodes: a snapshot is taken" taken
as_live "two nodes: prio -l" prio -lP
as_live "two nodes: explain" explain "$first"
cancel_all
two_nodes_end
