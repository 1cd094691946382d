#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom replay with scopes that have shares of their own, or hosts.
. "${srcdir:=.}/tests/cli/lib.sh"

cat >"$work/slurm.conf" <<'END'
ClusterName=c
PriorityDecayHalfLife=1-0
NodeName=n1 CPUs=3
PartitionName=low Nodes=n1 Default=YES
PartitionName=high Nodes=n1 PriorityJobFactor=5
END
# jobs "ID USER ACCOUNT CPUS SUBMIT PARTITION": each runs 100 seconds
jobs ()
{
	echo "JobID|User|Account|State|Submit|Start|End|Elapsed|NCPUS|Timelimit|Partition"
	while read -r id user account cpus submit partition; do
		submit=$(printf '%02d:%02d' $((submit / 60)) $((submit % 60)))
		echo "$id|$user|$account|COMPLETED|2026-09-01T00:$submit|2026-09-01T01:00:00|\
2026-09-01T01:01:40|00:01:40|$cpus|2:00|$partition"
	done
}
# conf LINE...: fathom.conf; 100 CPU seconds are 27.8, and the slots in use and one more are 3 each
conf ()
{
	printf '%s\n' "CalcPeriod=10 Policy=lsf cpu_time_factor=1000 run_time_factor=0" \
		"hist_hours=0" "$@" >"$work/fathom.conf"
}
# starts OPTION...: "JOB@START" of each job that starts
starts ()
{
	fathom replay "$work/jobs" --schedule "$work/schedule" --from "$work/slurm.conf" \
		--from "$work/fathom.conf" "$@" >/dev/null
	sed 1d "$work/schedule" | awk -F, '{ print $1 "@" $6 }' | paste -sd ' ' -
}

### UserShares

# at 0 jobs 1 and 2 count for ada (10/3, 10/6), and job 3 for lab (4/3; ada 10/9); at 100 ada has
# 10/58.6 and lab 4/30.8
lab='UserGroup=lab Members="ada bob"'
jobs >"$work/jobs" <<'END'
1 ada a 1 0 low
2 ada a 1 0 low
3 ada a 1 0 low
4 bob a 3 50 low
5 ada a 3 51 low
END
conf 'Scope=s Partitions=low,high UserShares="[ada, 10] [lab, 4]"' "$lab"
is "jobs of a user count at the leaf at which they were placed" "$(starts)" \
	"1@0 2@0 3@0 5@100 4@200"
# all of ada's jobs count for lab, which then has 3 CPUs for 100 seconds
sed -i 's/|a|/|lab|/' "$work/jobs"
is "in the account of a group they count for the group: as submitted" "$(starts)" \
	"1@0 2@0 3@0 4@100 5@200"
# ada 10/86.3 (or 10/3 for lab, of which bob has nothing yet)
conf 'Scope=s Partitions=low,high UserShares="[lab, 4]"' \
	'UserGroup=lab Members="ada bob" UserShares="[ada, 10] [bob, 1]"'
is "a group divides its shares" "$(starts)" "1@0 2@0 3@0 4@100 5@200"
conf 'Scope=s Partitions=low,high UserShares="[lab, 4]"' \
	'UserGroup=lab Members="ada bob" UserShares="[ada, 100] [bob, 1]"'
is "as it says" "$(starts)" "1@0 2@0 3@0 5@100 4@200"
conf 'Scope=s Partitions=low,high UserShares="[default, 1]"'
is "default: each user" "$(starts)" "1@0 2@0 3@0 4@100 5@200"
conf 'Scope=s Partitions=low,high UserShares="[others, 1]"'
is "others: all users, first come, first served" "$(starts)" "1@0 2@0 3@0 4@100 5@200"

# at 100 ada has 1/30.8 in the one scope, and nothing in the other
jobs >"$work/jobs" <<'END'
1 ada a 3 0 low
2 bob a 3 1 high
3 ada a 3 2 low
4 bob a 3 3 low
END
conf 'Scope=h Partitions=high UserShares="[ada, 1] [bob, 1]"' "Scope=l Partitions=low"
is "one scope after the other" "$(starts)" "1@0 2@100 4@200 3@300"
conf 'Scope=h Partitions=high UserShares="[ada, 1]"' "Scope=l Partitions=low"
is "a job of a user without shares goes last of all" "$(starts)" "1@0 4@100 3@200 2@300"
for weight in PriorityWeightAge PriorityWeightFairshare PriorityWeightPartition; do
	echo "$weight=1000" >>"$work/slurm.conf"
	is "also with $weight" "$(starts | sed 's/.* //')" "2@300"
done
sed -i /Weight/d "$work/slurm.conf"
conf "run_job_factor=0" 'Scope=h Partitions=high UserShares="[ada, 1]"' "Scope=l Partitions=low"
is "and without an order of dispatch" "$(starts)" "1@0 4@100 3@200 2@300"
# without slots in use: at 200 ada has 1/83.3 as herself, and cy 10/83.3, but lab has used nothing;
# at 300 it has 1/83.3
jobs >"$work/jobs" <<'END'
1 ada a 3 0 low
2 cy a 3 1 low
3 cy a 3 102 low
4 ada a 3 103 low
5 ada a 3 104 low
END
conf "run_job_factor=0" 'Scope=s Partitions=low UserShares="[ada, 1] [cy, 10] [lab, 1]"' "$lab"
is "a job has the factor of the best leaf of its user" "$(starts)" "1@0 2@100 4@200 3@300 5@400"
is "jobs that start as the trace says count at leaves, too" \
	"$(starts --scheduler trace | sed 's/@[0-9]*//g')" "1 2 3 4 5"

### Hosts

cat >"$work/slurm.conf" <<'END'
ClusterName=c
NodeName=n0 CPUs=2 State=DOWN
NodeName=n1 CPUs=2
NodeName=n2 CPUs=6
PartitionName=p1 Nodes=n1
PartitionName=p2 Nodes=n2
PartitionName=p02 Nodes=n0,n2
PartitionName=both Nodes=n[1-2] Default=YES
END
# job 1 is charged for 200 CPU seconds in a and 600 in b, bob at 200 for 400 in a
jobs >"$work/jobs" <<'END'
1 ada a 8 0 both
2 bob a 2 1 p1
3 bob a 2 2 p1
6 cy a 6 150 p2
7 ada a 6 160 p2
8 bob a 6 161 p2
4 bob a 2 210 p1
5 ada a 2 211 p1
END
for policy in classic fair-tree pbs lsf "lsf run_job_factor=0"; do
	printf '%s\n' "CalcPeriod=10" "Policy=$policy" "Scope=a Hosts=n1" \
		"Scope=b Hosts=\"all ~n0 ~n1\"" >"$work/fathom.conf"
	is "a job is charged for its CPUs on the hosts of a scope: $policy" "$(starts)" \
		"1@0 2@100 6@150 3@200 8@250 5@300 7@350 4@400"
done
sed -i /^Scope/d "$work/fathom.conf"
is "without scopes it counts as a whole" "$(starts --policy classic)" \
	"1@0 2@100 6@150 3@200 8@250 4@300 7@350 5@400"

# in a bob has used something, in b ada has
for partition in both p02; do
	jobs >"$work/jobs" <<-END
		1 ada a 6 0 p2
		2 bob a 2 0 p1
		3 ada a 6 50 $partition
		4 bob a 6 51 $partition
	END
	printf '%s\n' "CalcPeriod=10 Policy=classic" "Scope=a Hosts=n[0-1] HostRule=first" \
		"Scope=b Hosts=n2" >"$work/fathom.conf"
	is "jobs of a partition go by the first scope that has a node of it: $partition" \
		"$(starts)" "1@0 2@0 3@100 4@200"
	printf '%s\n' "CalcPeriod=10 Policy=classic" "Scope=b Hosts=n2 HostRule=first" \
		"Scope=a Hosts=n[0-1]" >"$work/fathom.conf"
	is "which is the first in fathom.conf: $partition" "$(starts)" "1@0 2@0 4@100 3@200"
done
sed -i 's/|p02$/|/' "$work/jobs"
is "and those without one by that of all nodes" \
	"$(sed -i 's/ Default=YES//' "$work/slurm.conf"; starts 2>&1 | tail -n 1)" \
	"1@0 2@0 4@100 3@200"
# in b ada has used more than bob, in a bob alone has: both rules prefer ada
jobs >"$work/jobs" <<'END'
1 ada a 4 0 p2
2 bob a 2 0 p1
3 bob a 2 0 p2
4 bob a 6 50 both
5 ada a 6 51 both
END
for rule in first:"4@100 5@200" best:"5@100 4@200" worst:"5@100 4@200"; do
	sed -i "s/HostRule=[a-z]*/HostRule=${rule%%:*}/" "$work/fathom.conf"
	is "HostRule=${rule%%:*}" "$(starts)" "1@0 2@0 3@0 ${rule#*:}"
done
# on hosts of no scope: ada has used something there
jobs >"$work/jobs" <<'END'
1 ada a 6 0 p2
2 ada a 6 50 p2
3 bob a 6 51 p2
END
for policy in classic fair-tree lsf "lsf run_job_factor=0"; do
	for others in fcfs:"1@0 2@100 3@200" policy:"1@0 3@100 2@200"; do
		printf '%s\n' "CalcPeriod=10 Policy=$policy" \
			"Scope=a Hosts=n1 OtherHosts=${others%%:*}" >"$work/fathom.conf"
		is "jobs on hosts of no scope: $policy, $others" "$(starts)" "${others#*:}"
	done
done
printf '%s\n' "CalcPeriod=10 Policy=classic" "Scope=a Hosts=n1 Policy=lsf" >"$work/fathom.conf"
is "beside a scope that places jobs" "$(starts)" "1@0 2@100 3@200"
# two leaves of ada; job 3 is on hosts of both scopes
jobs >"$work/jobs" <<'END'
1 ada a 2 0 p1
2 bob a 6 0 p2
3 ada a 8 1 both
4 bob a 8 2 both
END
conf 'Scope=a Hosts=n1 UserShares="[ada, 1] [lab, 9]"' 'Scope=b Hosts=n2 UserShares="[lab, 1]"' \
	"$lab"
is "hosts and shares together" "$(starts)" "1@0 2@0 3@100 4@200"

### flux

# at 200 bob has used nothing in the scope and ada has: 1 and 1/2 by flux, 1/2 and 1/4 by classic;
# they have used the same in all. At 300 ada has used more in all, or both the same in the scope
cat >"$work/slurm.conf" <<'END'
ClusterName=c
NodeName=n1 CPUs=3
PartitionName=low Nodes=n1 Default=YES
PartitionName=high Nodes=n1 PriorityJobFactor=5
END
jobs >"$work/jobs" <<'END'
1 ada a 3 0 low
2 bob a 3 1 high
3 ada a 3 102 low
4 ada a 3 103 high
5 bob a 3 104 low
6 bob a 3 105 high
END
while IFS=: read -r policy scope order; do
	printf '%s\n' "Policy=$policy CalcPeriod=10 QueueWeight=0" \
		"Scope=l Partitions=low Policy=$scope" >"$work/fathom.conf"
	is "policy $policy, and $scope in a scope" "$(starts | sed 's/@[0-9]*//g')" "$order"
done <<'END'
classic:flux:1 2 5 3 6 4
flux:classic:1 2 4 6 5 3
flux:flux:1 2 4 5 3 6
flux:lsf:1 2 4 5 3 6
END

### queues of LSF

jobs >"$work/jobs" <<'END'
1 ada p 3 0 night
2 bob p 3 1 day
3 cy p 3 2 night
4 bob p 3 3 night
5 ada p 3 4 day
END
cat >"$work/lsb.users" <<'END'
Begin UserGroup
GROUP_NAME  GROUP_MEMBER
lab         (ada bob)
End UserGroup
END
cat >"$work/lsb.queues" <<'END'
Begin Queue
QUEUE_NAME = night
PRIORITY   = 40
FAIRSHARE  = USER_SHARES[[lab, 10] [default, 1]]
End Queue
Begin Queue
QUEUE_NAME = day
PRIORITY   = 30
FAIRSHARE  = USER_SHARES[[ada, 3] [bob, 1]]
End Queue
END
# lsf FILE|OPTION=VALUE...: starts with these files
lsf ()
{
	rm -f "$work/schedule"
	for word; do
		case $word in -*) ;; *) word=--from=$word ;; esac
		set -- "$@" "$word"
		shift
	done
	fathom replay "$work/jobs" --cpus 3 --schedule "$work/schedule" "$@" >/dev/null
	sed 1d "$work/schedule" | awk -F, '{ print $1 "@" $6 }' | paste -sd ' ' -
}
is "each queue of lsb.queues has its own shares" \
	"$(lsf "$work/lsb.queues" "$work/lsb.users")" "1@0 4@100 3@200 5@300 2@400"
is "or another policy of --policy" \
	"$(lsf "$work/lsb.queues" "$work/lsb.users" --policy=fcfs)" "1@0 2@100 3@200 4@300 5@400"
# at 100 lab has 10/86, cy 1/3
is "--set goes before what the files say" \
	"$(lsf "$work/lsb.queues" "$work/lsb.users" --policy=lsf --calc-period=10 \
		--set=cpu_time_factor=1000)" "1@0 3@100 4@200 5@300 2@400"
sed 's/^FAIRSHARE/CPU_TIME_FACTOR = 0.1\n&/' "$work/lsb.queues" >"$work/own.queues"
is "also of a queue, without --policy" \
	"$(lsf "$work/own.queues" "$work/lsb.users" --set=cpu_time_factor=1000 \
		--calc-period=10)" "1@0 3@100 4@200 5@300 2@400"
rejects "a wrong value" \
	"fathom: --set: cpu_time_factor: 'x' is not a number; for example 0.7; see fathom replay \
--help" replay "$work/jobs" --cpus 3 --from "$work/lsb.queues" --from "$work/lsb.users" \
	--set cpu_time_factor=x
rejects "a setting of other policies" \
	"fathom: --set: unknown_shares: fcfs has no setting 'unknown_shares', it has none; see \
fathom replay --help" replay "$work/jobs" --cpus 3 --from "$work/lsb.queues" \
	--from "$work/lsb.users" --set unknown_shares=1
fathom convert --from "$work/lsb.queues" --from "$work/lsb.users" --to slurm --out "$work/moved"
is "as when they have moved to Slurm" \
	"$(lsf "$work/moved/slurm.conf" "$work/moved/fathom.conf")" "1@0 4@100 3@200 5@300 2@400"
sed '/FAIRSHARE.*ada/s/$/\nFAIRSHARE_QUEUES = night\nDISPATCH_ORDER = QUEUE/
	/FAIRSHARE.*lab/d' "$work/lsb.queues" >"$work/set.queues"
rejects "an order of queues that cannot be replayed, where the files have it" \
	"fathom: $work/set.queues:5: DispatchOrder: queue cannot be replayed with an order of \
dispatch; set run_job_factor=0" replay "$work/jobs" --cpus 3 --from "$work/lsb.users" \
	--from "$work/set.queues"
is "but with another setting" \
	"$(lsf "$work/lsb.users" "$work/set.queues" --set=run_job_factor=0)" \
	"1@0 4@100 5@200 2@300 3@400"
cat >"$work/lsb.hosts" <<'END'
Begin HostPartition
HPART_NAME  = all
HOSTS       = n1
USER_SHARES = [ada, 3] [bob, 1]
End HostPartition
END
rejects "hosts of a host partition" \
	"fathom: $work/lsb.hosts:1: Hosts: the nodes are not known; give --from slurm.conf, and \
no --cpus" replay "$work/jobs" --cpus 3 --from "$work/lsb.users" \
	--from "$work/lsb.hosts"
sed /FAIRSHARE/d "$work/lsb.queues" >"$work/first-come.queues"
fathom convert --from "$work/first-come.queues" --to slurm --out "$work/unshared"
is "queues without shares go by their priority" \
	"$(lsf "$work/first-come.queues"
		lsf "$work/unshared/slurm.conf" "$work/unshared/fathom.conf")" \
	"1@0 3@100 4@200 2@300 5@400
1@0 3@100 4@200 2@300 5@400"
sed -i '/day/,$d' "$work/lsb.queues"
sed -i '$d' "$work/lsb.queues"
sed -i '/|day$/d' "$work/jobs"
is "so has an only one" "$(lsf "$work/lsb.queues" "$work/lsb.users")" "1@0 4@100 3@200"

# refuses NAME MESSAGE LINE...: a fathom.conf of these lines
refuses ()
{
	name=$1 message=$2
	shift 2
	conf "$@"
	rejects "$name" "fathom: $work/fathom.conf:$message" \
		replay "$work/jobs" --from "$work/slurm.conf" --from "$work/fathom.conf"
}
refuses "shares that another policy does not have" \
	"3: UserShares: policy classic of scope 's' has no such setting; see fathom.conf(5)" \
	'Scope=s Partitions=low Policy=classic UserShares="[ada, 1]"'

refuses "hosts that slurm.conf does not have" "3: Hosts: 'n7' is not a node of slurm.conf" \
	'Scope=s Hosts=n[1,7]'
refuses "also after ~" "4: Hosts: 'n8' is not a node of slurm.conf" \
	'Scope=s Hosts=n1' 'Scope=t Hosts="all ~n1 ~n8"'
conf "Scope=s Hosts=n1"
rejects "hosts of another machine" \
	"fathom: $work/fathom.conf:3: Hosts: the nodes are not known; give --from slurm.conf, and \
no --cpus" replay "$work/jobs" --from "$work/slurm.conf" --from "$work/fathom.conf" --cpus 4

finish
