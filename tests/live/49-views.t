#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# --view sshare and --view sprio take the options of sshare and sprio, and print the same bytes. The
# views of other tools show the running cluster, too.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/figures.sh
. "$(dirname "$0")/figures.sh"

live_start PriorityWeightAge=600000 PriorityMaxAge=1 PriorityWeightFairshare=50000 \
	PriorityWeightJobSize=10000 PriorityWeightPartition=2000 PriorityWeightQOS=4000 \
	PriorityWeightTRES=cpu=800,mem=70 \
	"PartitionName=all Nodes=localhost Default=YES PriorityJobFactor=10" \
	"PartitionName=low Nodes=localhost State=DOWN PriorityJobFactor=10" \
	"PartitionName=gpu Nodes=localhost State=DOWN PriorityJobFactor=20"
fathom_conf CalcPeriod=600
sacctmgr -iQ modify account b set fairshare=parent grptresmins=cpu=5000 >/dev/null
add_user user6 c partition=low fairshare=7 >/dev/null
submit user1 --partition=all --ntasks=16 --wrap 'sleep 2' >/dev/null
first=$(submit user1 --partition=low --ntasks=16)
second=$(submit user2 --partition=low,gpu --ntasks=8 --mem=100)
third=$(submit user5 --partition=low --nice=200)
set_one=$(submit user3 --partition=low)

# shown COUNT: so many jobs
shown ()
{
	(($(sprio --noheader --format=%i | sort -u | wc -l) == $1))
}

ok "sprio shows the jobs" wait_until shown 4
scontrol update JobId="$set_one" Priority=777
scontrol update JobId="$first" SiteFactor=12345
# the job has ended, and a pass has charged it
job_ended ()
{
	[[ ! $(squeue --noheader --states=running,completing --format=%i) ]]
}
used ()
{
	reconfigure_once
	has_usage user1
}
ok "the job has ended" wait_until job_ended
ok "there is usage" wait_until used

# sprio 24.11 takes no list of jobs, prints zeros as 0 and a header for jobs that it does not find,
# and ends by a signal where jobs without factors are sorted.
sprio_has_changed ()
{
	slurm_since 23.11 && [[ $* == sprio* && " $* " =~ -j.[0-9]*,|-j.999999|norm|n\ |-S.[ANT] ]]
}

# same COMMAND TOOL [OPTION...]: bytes, the last newline included
same ()
{
	local got wanted

	if sprio_has_changed "${@:2}"; then
		live_skip "$2 ${*:3}" "this sprio does otherwise"
		return
	fi
	got=$(fathom "$1" --view "$2" -- "${@:3}" 2>&1; echo .)
	wanted=$("${@:2}" 2>&1; echo .)
	is "$2 ${*:3}" "$got" "$wanted"
}

# shown_by_sshare: rows of fathom shares -aP without what sshare omits: from 25.11 on, factors of
# accounts
shown_by_sshare ()
{
	awk -v omits="$(slurm_since 25.11 && echo yes)" \
		'BEGIN { FS = OFS = "|" } omits && $2 == "" { $NF = "" } { print }'
}

for flags in '' NO_FAIR_TREE; do
	slurm_conf PriorityFlags="$flags"
	reconfigure_once
	for options in '' -a '-a -l' '-a -l -m' '-a -m' '-a -n' '-a -h' '-a -p' '-a -P' '-a -l -P' \
		'-a -lp' -U '-aU' '-u user1,user2' '-u user5 -A f' '-A b' '-A B,c -a' \
		'-a -u user1' '-u user1 -u -1' '-u 0' '-a -o User' \
		'-a -o account,user%-20,FairShare%6' \
		'-a -o A%8,User%3,raws%2,rawu%5,Eff%4' '-a -o User,user,User%5' '-e' \
		'-a -o ID,Cluster,Partition,LevelFS,GrpTRESMins%12,GrpTRESRaw%-25,TRESRunMins' \
		'-anP -o NormUsage,GrpTRESRaw,ID' '-a -o Account%-30,NormShares%7' '-U -u nobody' \
		'--all --long --parsable2 --noheader' '--accounts=c --format=Account,User --all'; do
		# shellcheck disable=SC2086	# several options
		same shares sshare $options
	done
	fathom snapshot --out "$cluster/snapshot.json"
	# the root has no factor, for which sshare computes one under the classic rule
	is "a snapshot as sshare shows the cluster ($flags)" \
		"$(fathom shares --from "$cluster/snapshot.json" --view sshare -- -aP 2>&1 |
			shown_by_sshare)" \
		"$(sshare -aP | sed '/^root||/s/|0.500000$/|/')"
done
slurm_conf PriorityFlags=
reconfigure_once
is "another policy in sshare's columns" \
	"$(fathom shares --policy pbs --view sshare -- -aP 2>&1)" \
	"$(fathom shares --policy pbs -aP 2>/dev/null)"
like "with the texts of the cluster" \
	"$(fathom shares --policy pbs --view sshare -- -aP -o Account,User,GrpTRESMins,Cluster)" \
	"b||cpu=5000|$(scontrol show config | awk '/^ClusterName/ { print $3 }')"
name=$(sacctmgr -nP list cluster format=cluster)
is "fathom's own --cluster" "$(fathom shares --cluster "$name" --view sshare -- -aP 2>&1)" \
	"$(sshare -M "$name" -aP 2>&1)"

# without an age that grows between two calls
same prio sprio
for options in -l -n '-n -l' -h -w '-w -l' '-w -n' "-j $first" "-j $first,$second" '-j 999999' \
	'-u user1' '-u user2,user5 -l' '-p gpu' '-p low,gpu -h' '-S u' '-S -Y' '-S r,-i' \
	'-S -Y,u -l' '-S A -n' '-S N' '-S T,i' '-o %i' '-o %.5i|%3u|%.3r' '-o %i,%Y,%y' \
	'-o x%iy' '-o %T:%t' \
	'-o %.20T%10N%S' '-hn -o %a%b%f%j%p%q' '-w -o %A%B%F%J%P%Q%N%S%T%t%i%r%u%Y' '-o %c' \
	"--noheader --jobs=$third --format=%u%.30Y" '--long --norm --noheader' '-o none'; do
	# shellcheck disable=SC2086	# several options
	same prio sprio $options
done

fathom snapshot --out "$cluster/snapshot.json"
for options in '' -l -n '-n -l' -w '-w -l' '-S -Y' '-o %i:%u:%Y:%y:%T:%t:%S:%N:%r'; do
	if sprio_has_changed "sprio $options"; then
		live_skip "a snapshot: sprio $options" "this sprio does otherwise"
		continue
	fi
	# shellcheck disable=SC2086	# several options
	is "a snapshot as sprio shows the cluster: $options" \
		"$(fathom prio --from "$cluster/snapshot.json" --view sprio -- $options 2>&1)" \
		"$(sprio $options 2>&1)"
done

### Tools of other systems

# shellcheck disable=SC2034	# figures.sh reads it
file=$cluster/state/fathom.json
fathom_conf CalcPeriod=600 FiguresFile=fathom.json Policy=lsf "Scope=low Partitions=low Policy=lsf"
passes reconfigure_once
like "bhpart: the whole tree" "$(fathom shares --view bhpart -- -r 2>&1)" \
	'HOST_PARTITION_NAME: root.*HOSTS: all.*SHARE_INFO_FOR: root/d/f/.*user5 '
is "bqueues: all partitions, with the slots of their jobs" "$(fathom shares --view bqueues 2>&1 |
	awk '{ print $1, $2, $3, $8, $9, $10 }')" \
"QUEUE_NAME PRIO STATUS NJOBS PEND RUN
gpu 20 Open:Inact 0 0 0
all 10 Open:Active 0 0 0
low 10 Open:Inact 26 26 0"
like "bqueues: a partition outside scopes goes by the whole tree" \
	"$(fathom shares --view bqueues -- -l gpu 2>&1)" \
	'Open:Inact_Adm.*SHARE_INFO_FOR: gpu/.*USERS: all users.*HOSTS: localhost'
like "bqueues: the partitions of scopes" "$(fathom shares --view bqueues -- -l 2>&1)" \
	'QUEUE: low.*SCHEDULING POLICIES: FAIRSHARE.*SHARE_INFO_FOR: low/'
like "bugroup: accounts" "$(fathom shares --view bugroup -- -l f 2>&1)" \
	'GROUP_NAME: f.*USERS: user5 .*SHARES: .user5,1.'
like "pbsfs: '-' for what lsf lacks" "$(fathom shares --view pbsfs -- -g user5 2>&1)" \
	'fairshare entity: user5.*fairshare_tree_usage	: -'
like "flux: the tree" "$(fathom shares --view flux -- -P 2>&1)" 'Bank.Username.*   f.user5.true.1'
fathom_conf CalcPeriod=600 FiguresFile=fathom.json Policy=flux
passes reconfigure_once
like "flux: jobs with the weights in force" \
	"$(fathom prio --view flux -- -o '{JOBID} {USER} {FSFACTOR} {URGENCY} {URGFACT}' 2>&1)" \
	"JOBID USER .*$second user2 100000 16 1000"

cancel_all
sacctmgr -iQ delete user user6 account=c >/dev/null
sacctmgr -iQ modify account b set fairshare=30 grptresmins=cpu=-1 >/dev/null
