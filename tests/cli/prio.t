#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom prio of files: priorities, columns, order, and what is wrong with them.
. "${srcdir:=.}/tests/cli/lib.sh"

jobs=$data/jobs/small.json
tree=$data/c1.json

# priorities OPTION...: job, partition and priority, a job after the other
priorities ()
{
	fathom prio -nP -o JobID,Partition,Priority "$@" | tr '\n' ' '
}

# file MEMBERS: a file of jobs with these members, at a time
file ()
{
	printf '{"format": "fathom-jobs", "version": 1, "time": 1700000000, %s}\n' \
		"$1" >"$work/jobs.json"
}

# vector TEXT WANTED MEMBERS [OPTION...]: the priority of the first job
vector ()
{
	vector_text=$1 vector_wanted=$2
	file "$3"
	shift 3
	is "$vector_text" "$(fathom prio --from "$work/jobs.json" -nP -o Priority "$@" 2>&1)" \
		"$vector_wanted"
}

### A tree with PBS's group "unknown", from tests/data/expect/edge.pbs.unknown_shares

file '"settings": {"PriorityWeightFairshare": 1000000000}, "jobs": [{"user": "visitor",
 "account": "unknown"}]'
is "unknown_shares of a group in the tree" \
	"$(fathom prio --from "$work/jobs.json" --from "$data/edge.json" --policy pbs \
	--set unknown_shares=25 -nP -o Priority)" 956265989

### The weighted sum. Waited is 3.5 of 7 days.

weights='"settings": {"PriorityWeightAge": 1000, "PriorityWeightFairshare": 10000,
 "PriorityWeightJobSize": 1000,
 "PriorityWeightPartition": 1000, "PriorityMaxAge": "7-0"}, "cluster": {"nodes": 10, "cpus": 160},
 "partitions": [{"name": "p", "priority_job_factor": 10}, {"name": "q", "priority_job_factor": 20}]'
one='"job_id": 1, "partitions": ["p"], "accrue_time": 1699697600, "fairshare": 0.408478863,
 "min_nodes": 2, "cpus": 16'
vector "J1: age, fair share, size, partition" 5234 "$weights, \"jobs\": [{$one}]"
vector "J2: at least 1" 1 "$weights, \"jobs\": [{$one, \"nice\": 6000}]"
vector "J3: at most 2^32 - 1" 4294967295 \
	"$weights, \"jobs\": [{$one, \"site\": 2147483645, \"nice\": -2147483645}]"
file "$weights, \"jobs\": [{\"job_id\": 1, \"partitions\": [\"p\", \"q\", \"p\"]}]"
is "a partition that a job names twice is one" \
	"$(priorities --from "$work/jobs.json")" "1|p|500 1|q|1000 "
cat >"$work/twice.sacct" <<'END'
JobID|User|Account|Partition|State|Start|End|Elapsed|ReqCPUS
1|ada|physics|day,day,night|PENDING|Unknown|Unknown|00:00:00|4
END
is "also in sacct's text" "$(fathom prio --from "$work/twice.sacct" -nP -o JobID,Partition)" "1|day
1|night"
queue=$srcdir/tests/fuzz/seeds/slurm-jobs/v0.0.36
sed 's/"partition": "day"/"partition": "day,day"/' "$queue" >"$work/twice.json"
is "also in squeue's JSON" "$(fathom prio --from "$work/twice.json" --state all -nP)" \
	"$(fathom prio --from "$queue" --state all -nP)"
vector "J4: a factor that is not normalised" 100000 '"settings": {"PriorityWeightPartition": 5000,
 "PriorityFlags": "NO_NORMAL_PART"}, "partitions": [{"name": "p", "priority_job_factor": 20}],
 "jobs": [{"partitions": ["p"]}]'
vector "Slurm finds flags within words" 100000 '"settings": {"PriorityWeightPartition": 5000,
 "PriorityFlags": "MAX_TRES|NO_NORMAL_ALL|INCR_ONLY|SMALL_RELATIVE_TO_TIME"},
 "partitions": [{"name": "p", "priority_job_factor": 20}], "jobs": [{"partitions": ["p"]}]'
vector "J5: small jobs are favoured" 946 \
	'"settings": {"PriorityWeightJobSize": 1000, "PriorityFavorSmall": "YES"},
 "cluster": {"nodes": 10, "cpus": 160}, "jobs": [{"min_nodes": 1, "cpus": 1}]'
vector "weights and switches in Slurm's own forms" 904 '"settings": {"PriorityFavorSmall": "up",
 "PriorityWeightJobSize": "01664", "PriorityWeightPartition": "0x7"},
 "cluster": {"nodes": 10, "cpus": 160}, "jobs": [{"min_nodes": 1, "cpus": 1, "partitions": ["p"]}],
 "partitions": [{"name": "p", "priority_job_factor": 1}]'
for minutes in '1 1000' '60 16'; do
	vector "J6: small relative to ${minutes% *} minutes" "${minutes#* }" \
		'"settings": {"PriorityWeightJobSize": 1000,
	 "PriorityFlags": "SMALL_RELATIVE_TO_TIME"}, "cluster": {"nodes": 10, "cpus": 160},
	 "jobs": [{"min_nodes": 10, "cpus": 160, "time_limit": '"${minutes% *}}]"
done
late='"settings": {"PriorityWeightAge": 7000}, "jobs": [{"accrue_time": 1699913600,'
vector "age counts from eligible time" 1000 "$late \"submit_time\": 1699740800}]"
vector "ACCRUE_ALWAYS: from submission" 3000 "$late \"submit_time\": 1699740800}]" \
	--set PriorityFlags=ACCRUE_ALWAYS
vector "unless that is not known" 1000 "$late \"submit_time\": 0}]" \
	--set PriorityFlags=ACCRUE_ALWAYS
vector "J7: TRES" 1100 '"settings": {"PriorityWeightTRES": "CPU=1000,GRES/gpu=4000"},
 "partitions": [{"name": "p", "tres": {"cpu": 160, "gres/gpu": 8}}],
 "jobs": [{"partitions": ["p"], "tres": {"cpu": 16, "gres/gpu": 2}}]'
vector "weights of TRES below 1, and of 0" 4 \
	'"settings": {"PriorityWeightTRES": "CPU=0.5,GRES/gpu=0,node=4"},
 "partitions": [{"name": "p", "tres": {"cpu": 160, "gres/gpu": 8, "node": 1}}],
 "jobs": [{"partitions": ["p"], "tres": {"cpu": 160, "gres/gpu": 8, "node": 1}}]'
vector "J8: cut to an integer, not rounded" 28 \
	'"settings": {"PriorityWeightFairshare": 100}, "jobs": [{"fairshare": 0.29}]'
vector "held is 0" 0 "$weights, \"jobs\": [{$one, \"held\": true}]"
vector "the partition's time limit" 100 \
	'"settings": {"PriorityWeightJobSize": 1000, "PriorityFlags":
 "SMALL_RELATIVE_TO_TIME"}, "cluster": {"nodes": 1, "cpus": 1}, "partitions": [{"name": "p",
 "max_time": 10}],
 "jobs": [{"min_nodes": 1, "partitions": ["p"]}]'
vector "null is as if a member were left out" 1 '"settings": null, "cluster": null,
	"hides_jobs": null, "jobs": [{}]'
vector "age: not yet eligible" 1 '"settings": {"PriorityWeightAge": 1000}, "jobs": [{}]'
vector "age: PriorityMaxAge is 7 days" 500 \
	'"settings": {"PriorityWeightAge": 1000}, "jobs": [{"accrue_time": 1699697600}]'
# waited is 3.5 days
while IFS='|' read -r max_age points; do
	vector "PriorityMaxAge=$max_age is read as in slurm.conf" "$points" \
		'"settings": {"PriorityWeightAge": 1000}, "jobs": [{"accrue_time": 1699697600}]' \
		--set "PriorityMaxAge=$max_age"
	vector "and among the settings of a file" "$points" '"settings": {"PriorityWeightAge": 1000,
	 "PriorityMaxAge": "'"$max_age"'"}, "jobs": [{"accrue_time": 1699697600}]'
done <<'END'
10080|500
10079:30|500
168:00:00|500
7-0|500
6-23:59|500
6-23:59:30|500
7d|500
1w|500
168h|500
604800s|500
100800|50
100800.0|50
UNLIMITED|1
END
vector "PriorityMaxAge as a number of JSON is minutes" 500 '"settings": {"PriorityWeightAge": 1000,
 "PriorityMaxAge": 10080}, "jobs": [{"accrue_time": 1699697600}]'
for max_age in -5 1: 1:2:3:4 7- 1-2-3 x 7x ''; do
	rejects "PriorityMaxAge=$max_age is none" \
		"fathom: --set: PriorityMaxAge: '$max_age' is not a time of slurm.conf; give \
minutes, or D-HH:MM:SS, or a number with s, m, h, d or w; see fathom prio --help" \
		prio --from "$jobs" --set "PriorityMaxAge=$max_age"
done
like "help says so" \
	"$(fathom prio --help)" "*priority_max_age = minutes or D-HH:MM:SS, by default 10080*"
vector "age: eligible later" 1 \
	'"settings": {"PriorityWeightAge": 1000}, "jobs": [{"accrue_time": 1700000001}]'
vector "QOS: over the highest" 250 '"settings": {"PriorityWeightQOS": 1000},
 "qos": [{"name": "slow", "priority": 10}, {"name": "normal", "priority": 40}],
 "jobs": [{"qos": "slow"}]'
vector "association: over the highest" 250 '"settings": {"PriorityWeightAssoc": 1000},
 "jobs": [{"assoc_priority": 10}]' -j 0 --set PriorityFlags=NO_NORMAL_ASSOC \
	--set PriorityWeightAssoc=25
pair='"settings": {"PriorityWeightFairshare": 1000, "PriorityWeightPartition": 1000,
 "PriorityWeightQOS": 1000},
 "partitions": [{"name": "p", "priority_job_factor": 29}, {"name": "q", "priority_job_factor": 30}],
 "qos": [{"name": "low", "priority": 10}, {"name": "high", "priority": 30}],
 "jobs": [{"qos": "low", "fairshare": 0.64'
vector "one partition: fair share + partition + QOS" 1939 "$pair, \"partitions\": [\"p\"]}]"
vector "several: partition + (fair share + QOS)" 1940 "$pair, \"partitions\": [\"p\", \"q\"]}]" -p p
file "$pair, \"cpus\": 1, \"assoc_priority\": 3}], \"cluster\": {\"nodes\": 1, \"cpus\": 2}"
is "a factor without a weight is 0" \
	"$(fathom prio --from "$work/jobs.json" --set PriorityWeightQOS=0 --norm -nP \
	-o JobSize,Assoc,QOS,FairShare)" '0.0000000|0.0000000|0.0000000|0.6400000'
vector "PriorityFavorSmall may be true" 750 \
	'"settings": {"PriorityWeightJobSize": 1000, "PriorityFavorSmall": true},
 "cluster": {"nodes": 1, "cpus": 2}, "jobs": [{"cpus": 1}]'
vector "what is absent is 0" 1 '"jobs": [{}]'
vector "a partition that no list has is 0" 1 \
	'"settings": {"PriorityWeightPartition": 5}, "jobs": [{"partitions": ["p"]}]'
vector "keys that have no effect are taken" 1 '"settings": {"PriorityType": "priority/multifactor",
 "PriorityDecayHalfLife": "7-0"}, "jobs": [{}]'
vector "--set goes before the file" 2900 \
	'"settings": {"PriorityWeightFairshare": 100}, "jobs": [{"fairshare": 0.29}]' \
	--set PriorityWeightFairshare=10000
vector "--set by the name in small letters" 2900 '"jobs": [{"fairshare": 0.29}]' \
	--set priority_weight_fairshare=10000

is "the users of the document of classic fair share: user 5 goes first" \
	"$(fathom prio --from "$data/jobs/demo.json" --from "$data/demo.sshare" --policy classic \
	-nP -S -Priority -o User | paste -sd ' ' -)" "user5 user4 user1 user3 user2"

### Flux

# flux TEXT WANTED JOB [OPTION...]
flux ()
{
	flux_text=$1 flux_wanted=$2 flux_job=$3
	shift 3
	vector "flux: $flux_text" "$flux_wanted" "\"jobs\": [{$flux_job}]" --policy flux "$@"
}

flux "fair share alone" 50000 '"fairshare": 0.5'
printf '{"format": "fathom-jobs", "version": 1, "jobs": [
 {"job_id": 1, "user": "new", "account": "b"}]}' >"$work/first.json"
is "flux: a first job, whose user has no figures yet" \
	"$(fathom prio --from "$work/first.json" --from "$data/demo.sshare" --policy flux \
	-nP -o FairShare,Priority 2>/dev/null)" "50000|50000"
flux "queue and bank" 160000 '"fairshare": 0.5, "queue": 1, "bank": 100' --set bank_weight=1000
flux "bank 300" 53000 '"fairshare": 0.5, "bank": 300' --set bank_weight=10
flux "bank -5" 49950 '"fairshare": 0.5, "bank": -5' --set bank_weight=10
printf '%s\n' Policy=flux BankPriority=A:300,c:-5 BankWeight=10 >"$work/banks.conf"
printf '{"format": "fathom-jobs", "version": 1, "partitions": [
 {"name": "gold", "priority_job_factor": 2}], "jobs": [
 {"job_id": 1, "account": "A", "fairshare": 0.5},
 {"job_id": 2, "account": "C", "fairshare": 0.5},
 {"job_id": 3, "account": "A", "fairshare": 0.5, "bank": 0},
 {"job_id": 4, "account": "B", "fairshare": 0.5, "partitions": ["gold"]},
 {"job_id": 5, "account": "B", "fairshare": 0.5, "partitions": ["gold"], "queue": 0}]}' \
	>"$work/banks.json"
is "flux: BankPriority and PriorityJobFactor, unless a job has its own" \
	"$(fathom prio --from "$work/banks.json" --from "$work/banks.conf" -nP -o Priority |
	paste -sd ' ' -)" "53000 49950 50000 70000 50000"
flux "urgency 0 holds" 0 '"fairshare": 0.5, "urgency": 0'
flux "urgency 30" 64000 '"fairshare": 0.5, "urgency": 30'
flux "urgency 31 expedites" 4294967295 '"fairshare": 0.5, "urgency": 31'
flux "nice lowers urgency" 46000 '"fairshare": 0.5, "nice": 4'
flux "unless the file gives one" 50000 '"fairshare": 0.5, "nice": 4, "urgency": 16'
flux "urgency in the comment" 42000 '"fairshare": 0.5, "comment": "for ann urgency=8"'
flux "above 16 it does not count" 50000 '"fairshare": 0.5, "comment": "urgency=24"'
flux "but where the site lets it" 58000 '"fairshare": 0.5, "comment": "urgency=24"' \
	--set urgency_raise=yes
flux "below 0 is cut off" 0 '"fairshare": 0, "urgency": 15'
flux "rounded up" 1 '"fairshare": 0.000005'
flux "rounded down" 0 '"fairshare": 0.000004999'
flux "half away from zero" 12346 '"fairshare": 0.123455'
flux "at most 2^32 - 1" 4294967295 '"fairshare": 1, "queue": 1000000000'
file '"jobs": [{"job_id": 1, "fairshare": 0.5, "queue": 3, "bank": 2, "urgency": 12}]'
is "flux: weighted values add up" \
	"$(fathom prio --from "$work/jobs.json" --policy flux --set bank_weight=7 -nP \
	-o Priority,FairShare,PartitionFactor,Assoc,Nice)" '76014|50000|30000|14|4000'
is "flux: -w shows its weights, and so do the columns" \
	"$(fathom prio --from "$work/jobs.json" --policy flux --weights | tr -s ' ')" \
" JOBID PARTITION PRIORITY SITE FAIRSHARE PARTITION NICE
Weights 1 100000 10000 1000"
is "flux: -n shows factors, urgency among them" \
	"$(fathom prio --from "$work/jobs.json" --policy flux \
	--norm -nP -o FairShare,PartitionFactor,Nice)" \
	"0.5000000|3.0000000|4"
is "flux: of an association that the tree has not" \
	"$(fathom prio --from "$work/jobs.json" --from "$tree" --policy flux -nP -o Priority \
	-j 1 2>&1)" 76000
file '"jobs": [{"user": "nobody", "account": "A"}, {"user": "user5", "account": "F"}]'
is "flux: of a tree" \
	"$(fathom prio --from "$work/jobs.json" --from "$tree" --policy flux \
	-nP -o Priority 2>"$work/err" |
	tr '\n' ' ')" "50000 100000 "
is "flux: what stands for a factor is told of" "$(cat "$work/err")" \
	"fathom: a fairshare of 0.5 on 1 line: for example, the tree has no association of user \
nobody in account A (job 0)"

### A tree

factor ()
{
	fathom shares --from "$tree" "$@" -U -P -o User,FairShare | sed -n 's/^user1|//p'
}
for state in CONFIGURING=RUNNING CF=RUNNING completing=COMPLETED CG=COMPLETED \
	SPECIAL_EXIT=PENDING STAGE_OUT=COMPLETED; do
	printf '{"format": "fathom-jobs", "version": 1, "jobs": [{"state": "%s"}]}' \
		"${state%=*}" >"$work/state.json"
	is "state ${state%=*}" "$(fathom prio --from "$work/state.json" --state all -nP -o State \
		2>&1)" "${state#*=}"
done
file '"jobs": [{"job_id": 5, "comment": ""}]'
is "an empty comment" "$(fathom prio --from "$work/jobs.json" -nP -o JobID 2>&1)" 5
file '"settings": {"PriorityWeightFairshare": 1000000}, "jobs": [{"user": "user1", "account": "b",
 "state": "RUNNING"}]'
for policy in $(policies); do
	is "the factor of the association under $policy" \
		"$(fathom prio --from "$tree" --from "$work/jobs.json" --policy $policy \
		--state all --norm -nP -o FairShare | cut -c 1-7)" \
		"$(factor --policy $policy | cut -c 1-7)"
done
is "PriorityFlags choose the policy" \
	"$(fathom prio --from "$tree" --from "$work/jobs.json" --set PriorityFlags=NO_FAIR_TREE \
	--state all -nP -o FairShare)" \
	"$(fathom prio --from "$tree" --from "$work/jobs.json" --policy classic \
	--state all -nP -o FairShare)"
for flags in DEPTH_OBLIVIOUS,NO_FAIR_TREE no_fair_tree,depth_oblivious; do
	is "depth-oblivious goes before: $flags" \
		"$(fathom prio --from "$work/jobs.json" --set PriorityFlags=$flags \
		-v 2>&1 >/dev/null)" \
		"fathom: 1 job, each in each of its partitions; policy depth-oblivious"
done
rejects "no flag that has FAIR_TREE in it" "fathom: --set: PriorityFlags: 'NOFAIR_TREE' is not a \
flag of slurm.conf(5), such as NO_FAIR_TREE; see fathom prio --help" prio --from "$work/jobs.json" \
	--set PriorityFlags=NOFAIR_TREE
is "flags in small letters" \
	"$(fathom prio --from "$tree" --from "$work/jobs.json" --set priority_flags=NO_FAIR_TREE \
	--set fair_share_dampening_factor=3 --state all --norm -nP -o FairShare | cut -c 1-7)" \
	"$(factor --policy classic --set dampening_factor=3 | cut -c 1-7)"
is "--set is of the policy too" \
	"$(fathom prio --from "$tree" --from "$work/jobs.json" --policy classic \
	--set dampening_factor=3 --state all --norm -nP -o FairShare | cut -c 1-7)" \
	"$(factor --policy classic --set dampening_factor=3 | cut -c 1-7)"
file '"settings": {"FairShareDampeningFactor": 3, "PriorityFlags": "NO_FAIR_TREE",
 "PriorityWeightFairshare": 1},
	"jobs": [{"user": "user1", "account": "B"}]'
is "and FairShareDampeningFactor of the file" \
	"$(fathom prio --from "$tree" --from "$work/jobs.json" --norm -nP -o FairShare |
	cut -c 1-7)" \
	"$(factor --policy classic --set dampening_factor=3 | cut -c 1-7)"
file '"settings": {"PriorityWeightFairshare": 1000}, "jobs": [{"user": "user1", "account": "B",
 "fairshare": 0.25},
	{"user": "user1"}, {"user": "user1", "account": "C"}, {"user": "B", "account": "A"}]'
is "a factor of the job's own goes before; without an association there is none" \
	"$(fathom prio --from "$tree" --from "$work/jobs.json" \
	-nP -o FairShare,Priority 2>/dev/null)" "250|250
|
|
|"
is "the table has a dash for what is not known" \
	"$(fathom prio --from "$tree" --from "$work/jobs.json" \
	-o User,FairShare,Priority 2>"$work/err" | sed 's/ *$//')" \
'USER  FAIRSHARE PRIORITY
user1       250      250
user1         -        -
user1         -        -
B             -        -'
is "with a reason" "$(cat "$work/err")" \
	"fathom: no fair-share figures on 3 lines: for example, the tree has no association of \
user user1 in account none (job 0)"
is "a factor without its weight is not known either" \
	"$(fathom prio --from "$tree" --from "$work/jobs.json" \
	--norm -nP -o FairShare,Priority 2>/dev/null | tr '\n' ' ')" \
	"0.2500000|0.00000005820766 | | | "
is "JSON has null" "$(fathom prio --from "$tree" --from "$work/jobs.json" -u B --json 2>/dev/null |
	grep -o '"priority": [^,]*\|"fairshare": [^,]*' | paste -sd ' ')" \
		'"priority": null "fairshare": null "fairshare": null'
for order in Priority -Priority Y -FairShare; do
	is "-S $order: what is not known comes last" \
		"$(fathom prio --from "$tree" --from "$work/jobs.json" -nP -S $order \
		-o Priority 2>/dev/null | paste -sd ,)" "250,,,"
done
is "nothing is said of jobs that are not shown" \
	"$(fathom prio --from "$tree" --from "$jobs" -j 1 2>&1 >/dev/null)" ""
is "without a weight of the fair-share factor it is not missed" \
	"$(fathom prio --from "$tree" --from "$work/jobs.json" \
	--set PriorityWeightFairshare=0 -nP -o FairShare,Priority 2>&1 | paste -sd ' ')" \
	"0|1 0|1 0|1 0|1"
file '"settings": {"PriorityWeightFairshare": 1000}, "jobs": [{"job_id": 8, "user": "user1",
 "account": "B"},
	{"job_id": 9, "user": "4711", "account": "B"}, {"user": "4711", "account": "B",
	"held": true}]'
is "a user that is a number has no name here; a held job stays at 0" \
	"$(fathom prio --from "$tree" --from "$work/jobs.json" -nP -o JobID,Priority \
	-S -Priority 2>"$work/err"
		cat "$work/err")" \
"8|600
0|0
9|
fathom: no fair-share figures on 2 lines: for example, the tree has no association of user 4711 in \
account B (job 0); users shown by \
number have no name on this host"
cat >"$work/tree" <<END
Account|User|Partition|RawShares|RawUsage
root||||100
 a|||1|100
  a|u||1|60
  a|u|p|1|10
  a|v||1|30
END
file '"settings": {"PriorityWeightFairshare": 1000}, "partitions": [{"name": "p"}, {"name": "q"}],
	"jobs": [{"user": "u", "account": "a", "partitions": ["p", "q"]}]'
is "an association of the partition, else that of any" \
	"$(fathom prio --from "$work/jobs.json" --from "$work/tree" --policy fair-tree \
	-nP -o Partition,FairShare | tr '\n' ' ')" \
	"p|1000 q|333 "

printf 'Account|User|RawShares|RawUsage\nroot||1|10\n root|u|0|5\n root|v|1|5\n' >"$work/tree"
file '"settings": {"PriorityWeightAge": 1000}, "jobs": [{"accrue_time": 1, "user": "u",
 "account": "root"},
	{"accrue_time": 1, "user": "v", "account": "root"}]'
is "a user without shares comes last, with a reason" \
	"$(fathom prio --from "$work/jobs.json" --from "$work/tree" --policy lsf \
	-nP -o Priority,Age 2>"$work/err"
		cat "$work/err")" \
'1|0
1000|1000
fathom: priority 1 on 1 line: policy lsf starts no jobs of users without shares'
echo 'Policy=lsf WithoutShares=hold' >"$work/fathom.conf"
is "with WithoutShares=hold the job is held" \
	"$(fathom prio --from "$work/jobs.json" --from "$work/tree" --from "$work/fathom.conf" \
	-nP -o Priority,Age 2>&1 | grep -v "^fathom: [0-9]" | sort)" \
'0|0
1000|1000
fathom: priority 0 on 1 line: policy lsf starts no jobs of users without shares'
sed 's/"user": "u"/&, "priority": 5000/' "$work/jobs.json" >"$work/set.json"
sed 's/"user": "[^"]*"/&, "priority": 7/' "$work/jobs.json" >"$work/all-set.json"
is "jobs whose priorities are all set have ranks" \
	"$(fathom prio --from "$work/all-set.json" -nP -o Rank | paste -sd ' ' -)" "1 1"
for without in hold last; do
	echo "Policy=lsf WithoutShares=$without" >"$work/set.conf"
	is "but not if an administrator has set its priority, with WithoutShares=$without" \
		"$(fathom prio --from "$work/set.json" --from "$work/tree" \
		--from "$work/set.conf" -nP -o Priority,Age 2>&1 |
			grep -v "^fathom: [0-9]" | sort)" \
'1000|1000
5000|0'
done
is "but where the policy starts their jobs" \
	"$(fathom prio --from "$work/jobs.json" --from "$work/tree" --policy pbs \
		--set fairshare_enforce_no_shares=no -nP -o Priority 2>&1 | tr '\n' ' ')" \
		"1000 1000 "

### A formula

if built_with muParser; then
	formula ()
	{
		fathom prio --from "$work/jobs.json" -nP -o Priority "$@" 2>"$work/err" |
			tr '\n' ' '
	}
	file '"settings": {"PriorityWeightFairshare": 1000}, "partitions": [{"name": "p",
	"priority_job_factor": 7}],
	 "jobs": [{"fairshare": 0.25, "cpus": 4, "min_nodes": 2, "nice": -3,
	 "tres": {"gres/gpu": 5, "mem": 2},
	 "partitions": ["p"], "time_limit": 3}, {"held": true}]'
	is "a formula of fields" \
		"$(formula --formula '1000*fairshare_factor + 100*ncpus + 10*nodect - nice')" \
		"673 0 "
	is "without warnings" "$(cat "$work/err")" ""
	site='"jobs": [{"job_id": 1, "cpus": 4, "site": 70}, {"job_id": 2, "cpus": 5, "site": 80,
	"held": true}]'
	file "$site"
	is "a table says that a formula is in force, and has its value in a column" \
		"$(fathom prio --from "$work/jobs.json" --formula '100*ncpus + site' \
		--set formula_scale=2 | sed 's/ *$//')" \
'priorities by the formula 100*ncpus + site, FormulaScale 2
JOBID PARTITION PRIORITY SITE FORMULA
    1                940   70     940
    2                  0   80    1160'
	is "-h and -P have no such line" \
		"$(fathom prio --from "$work/jobs.json" --formula '100*ncpus' -n -o JobID,Formula \
		| sed 's/^ *//; s/  */ /g';
		fathom prio --from "$work/jobs.json" --formula '100*ncpus' -P -j 1)" \
"1 400
2 500
JOBID|PARTITION|PRIORITY|SITE|FORMULA
1||400|70|400"
	is "JSON says so too" \
		"$(fathom prio --from "$work/jobs.json" --formula '100*ncpus' --json -j 1 |
		grep -o '^.*"jobs"\|"priority": .*')" \
			'"formula": "100*ncpus", "formula_scale": 1, "jobs"
"priority": 400, "rank": 1, "formula": 400,'
	is "without a formula the column is empty" \
		"$(fathom prio --from "$work/jobs.json" -nP -o JobID,Formula -j 1)" "1|"
	file '"settings": {"PriorityWeightFairshare": 1000}, "partitions": [{"name": "p",
	"priority_job_factor": 7}],
	 "jobs": [{"fairshare": 0.25, "cpus": 4, "min_nodes": 2, "nice": -3,
	 "tres": {"gres/gpu": 5, "mem": 2},
	 "partitions": ["p"], "time_limit": 3}, {"held": true}]'
	is "of queue_priority, walltime, ngpus, mem" \
		"$(formula \
		--formula 'queue_priority*1000000 + walltime*1000 + ngpus*100 + (mem == 2048)')" \
		"7180501 0 "
	is "of a TRES" "$(formula --formula '100*gres_gpu')" "500 0 "
	is "w_fairshare is the factor with its weight" "$(formula --formula w_fairshare)" "250 0 "
	is "formula_scale" "$(formula --formula fairshare --set formula_scale=1000)" "250 0 "
	is "FormulaScale" "$(formula --formula fairshare --set FormulaScale=1000)" "250 0 "
	is "a low scale: priorities" "$(formula --formula fairshare)" "1 0 "
	is "a low scale: one warning" "$(cat "$work/err")" \
		"fathom: --formula: no priority reaches 100, so that \
different jobs may get equal priorities; raise FormulaScale (now 1)"
	is "side by side: one warning" \
		"$(formula --policy classic,fair-tree --formula fairshare >/dev/null
		grep -c "no priority reaches" "$work/err")" 1
	is "a division by zero: priorities" "$(formula --formula '1000/(ncpus-4)')" "1 0 "
	is "a division by zero: one warning" "$(cat "$work/err")" \
		"fathom: --formula: 1 of 2 jobs have no value, by a \
division by zero, an overflow or a result that is not a number; it counts as 0
fathom: --formula: no priority reaches 100, so that different jobs may get equal priorities; raise \
FormulaScale (now 1)"
	is "a deprecated name: one warning" \
		"$(formula --policy pbs --formula '1000*(1 + fair_share_perc)'; cat "$work/err")" \
		"1000 0 fathom: --formula: column 11: fair_share_perc is deprecated; write \
fairshare_perc"
	is "a formula goes before flux's sum" \
		"$(formula --policy flux --formula '1000*fairshare')" "250 0 "
	file '"jobs": [{"user": "user1", "account": "B"}]'
	is "of the policy's columns" "$(formula --from "$tree" --formula '1000*rank')" "3000 "
	is "of norm_shares and effective_usage" \
		"$(formula --from "$tree" --policy classic \
		--formula '1000000*norm_shares + effective_usage*1000')" "300387 "
	file '"jobs": [{"user": "bob", "account": "group1"}, {"user": "suzy", "account": "group2"}]'
	is "OpenPBS's example" \
		"$(formula --from "$data/p1.json" --policy pbs --set formula_scale=1000000 \
		--formula 'pow(2, -(fairshare_tree_usage/fairshare_perc))')" "648419 381858 "
	is "the same of the fields that each policy has" \
		"$(formula --from "$data/p1.json" --policy pbs \
		--set formula_scale=1000000 \
		--formula 'pow(2, -(effective_usage/norm_shares))')" "648419 381858 "
	file '"jobs": [{"accrue_time": 1700000000}, {"accrue_time": 1700000001}, {}]'
	is "accrue_type: a job is eligible from the second on from which its age counts" \
		"$(formula --formula 100*accrue_type)" "200 100 100 "
	file '"settings": {"PriorityWeightFairshare": 1000}, "jobs": [{"user": "nobody",
	"account": "A", "cpus": 4},
		{"user": "nobody", "account": "A", "cpus": 3, "fairshare": 0.5}]'
	for formula in 1000*fairshare w_fairshare 1000*fairshare_factor; do
		is "$formula of an association that the tree has not" \
			"$(formula --from "$tree" --formula "$formula")" " 500 "
	done
	for formula in 1000*norm_shares 1000*effective_usage 1000*rank; do
		is "$formula likewise" \
			"$(formula --from "$tree" --formula "$formula"; cat "$work/err")" \
			"  fathom: no fair-share figures on 2 lines: for example, the tree has no \
association of user nobody in account A (job 0)"
	done
	is "a formula that does not ask for it" \
		"$(formula --from "$tree" --formula '100*ncpus'; cat "$work/err")" "400 300 "
	for policy in $(policies); do
		[ "$policy" != pbs ] || continue
		for word in fairshare_perc fairshare_tree_usage fair_share_perc; do
			rejects "$policy has no $word" \
				"fathom: --formula: column 3: '$word' is a \
column of another policy; \
give --policy pbs" prio --from "$jobs" --policy $policy --formula "2*$word"
		done
	done
	rejects "classic has no level_fs" \
		"fathom: --formula: column 1: 'level_fs' is a column of another policy; \
give --policy fair-tree" prio --from "$jobs" --policy classic --formula level_fs
	rejects "a formula's unknown name" \
		"fathom: --formula: column 3: 'aage' is unknown; did you mean age?" \
		prio --from "$jobs" --formula '2*aage'
	rejects "a formula's bracket" "fathom: --formula: column 1: '(' is not closed" \
		prio --from "$jobs" --formula '(age'
else
	rejects "a formula without muParser" \
		"fathom: --formula: needs muParser, which this fathom is built without" \
		prio --from "$jobs" --formula age
fi

### What is shown

is "a line a partition" "$(priorities --from "$jobs")" \
	"1|all|5234 2|all|1 3|all|4459 3|top|4959 4|all|0 "
is "standard columns are those with a weight" "$(fathom prio --from "$jobs" -P | head -n 1)" \
	"JOBID|PARTITION|PRIORITY|SITE|AGE|FAIRSHARE|JOBSIZE|PARTITION|TRES"
is "the table" \
	"$(fathom prio --from "$jobs" -j 1,3 -o JobID,User,Priority,Fair,TRES | sed 's/ *$//')" \
'JOBID USER PRIORITY FAIRSHARE TRES
    1 ann      5234      4085
    3 bob      4459      3059 cpu=100,gres/gpu=250
    3 bob      4959      3059 cpu=100,gres/gpu=250'
is "no line of the table is wider than a terminal" \
	"$(fathom prio --from "$jobs" -j 1,2 | awk 'length > 80')" ""
is "-l has all columns" "$(fathom prio --from "$jobs" -lP | head -n 1)" \
	"JOBID|PARTITION|USER|ACCOUNT|PRIORITY|SITE|AGE|ASSOC|FAIRSHARE|JOBSIZE|PARTITION|\
QOSNAME|QOS|NICE|TRES|RANK"
is "--norm shows factors" "$(fathom prio --from "$jobs" --norm -nP -j 3 -p top)" \
	"3|top|0.00000115460716|0.5000000|0.3059000|0.1500000|1.0000000|cpu=0.10,gres/gpu=0.25"
is "--weights shows weights" "$(fathom prio --from "$jobs" --weights | tr -s ' ')" \
' JOBID PARTITION PRIORITY SITE AGE FAIRSHARE JOBSIZE PARTITION TRES
Weights 1 1000 10000 1000 1000 cpu=1000,gres/gpu=1000'
is "-u: one user's jobs, with the name" \
	"$(fathom prio --from "$jobs" -u bob -P | cut -d '|' -f 1-3)" \
	"JOBID|PARTITION|USER${newline}3|all|bob${newline}3|top|bob"
is "-p: in these partitions" "$(priorities --from "$jobs" -p top)" "3|top|4959 "
is "-S: users in order, a job without one last; then the greatest" \
	"$(priorities --from "$jobs" -S u,-Y)" \
	"1|all|5234 2|all|1 3|top|4959 3|all|4459 4|all|0 "
is "-S by names" "$(priorities --from "$jobs" -S user,-priority)" \
	"$(priorities --from "$jobs" -S u,-Y)"
is "sprio's format" \
	"$(fathom prio --from "$jobs" -P -j 3 -p top -o '%.15i %9r %Y %y %F %f %T %t')" \
'JOBID|PARTITION|PRIORITY|PRIORITY|FAIRSHARE|FAIRSHARE|TRES|TRES
3|top|4959|0.00000115460716|3059|0.3059000|cpu=100,gres/gpu=250|cpu=0.10,gres/gpu=0.25'
is "widths" "$(fathom prio --from "$jobs" -j 1 -o 'JobID%8,User%-6,Priority')" \
"   JOBID USER   PRIORITY
       1 ann        5234"
is "a width cuts text, no number and no heading" \
	"$(fathom prio --from "$jobs" -j 3 -p top \
	-o 'User%-2,Account%3,QOSName%5,TRES%6,Priority%2,FairShare%12')" \
'USER ACCOUNT QOSNAME   TRES PRIORITY    FAIRSHARE
b+         a   norm+ cpu=1+     4959         3059'
is "so do sprio's" "$(fathom prio --from "$jobs" -j 3 -p top -o '%.2u %5n %.2Y %.12F')" \
'USER QOSNAME PRIORITY    FAIRSHARE
  b+ norm+       4959         3059'
is "-P cuts nothing" "$(fathom prio --from "$jobs" -j 3 -p top -nP -o User%2,QOSName%3)" \
	'bob|normal'
is "no job: the header alone" "$(fathom prio --from "$jobs" -j 1 -p top -o JobID,User)" \
	"JOBID USER"
rejects "a job that is not there: no other is meant" \
	"fathom: --job: there are no jobs with the id '39'" \
	prio --from "$jobs" -j 1,39
rejects "a user without jobs" \
	"fathom: --user: there are no jobs of user 'bobb'; did you mean bob?" \
	prio --from "$jobs" -u bobb
rejects "an account without jobs" \
	"fathom: --account: there are no jobs of account 'none'; the nearest is a" \
	prio --from "$jobs" -A none
rejects "a partition without jobs" \
	"fathom: --partition: there are no jobs in partition 'tops'; did you mean top?" \
	prio --from "$jobs" -p tops
rejects "a key that is mistyped" \
	"fathom: --set: PriorityWeigthAge: is unknown; the most similar key is \
priority_weight_age; see fathom prio --help" prio --from "$jobs" --set PriorityWeigthAge=1
rejects "formula_scale without a formula" "fathom: --set: FormulaScale: needs a formula, which it \
multiplies; give --formula" prio --from "$jobs" --set FormulaScale=2
is "standard input" "$(fathom prio --from - -nP -o JobID -j 1 <"$jobs")" 1
is "-v says what is evaluated" "$(fathom prio --from "$jobs" -v 2>&1 >/dev/null)" \
	"fathom: 5 jobs, each in each of its partitions; policy fair-tree"
prints "JSON" job-3-top.json prio --from "$jobs" --json -j 3 -p top
is "JSON without jobs" "$(fathom prio --from "$jobs" --json -j 1 -p top)" \
	'{"format": "fathom-priorities", "version": 1,
"jobs": []}'
is "help COMMAND is COMMAND --help" "$(fathom help prio)" "$(fathom prio --help)"
for setting in priority_weight_age priority_weight_tres priority_flags fair_share_dampening_factor \
	formula_scale \
	fairshare_weight tie_mode; do
	like "help tells of $setting" "$(fathom prio --help)" "*      $setting = *"
	ok "fathom-prio(1) tells of $setting" grep -qE "$setting|$(echo "$setting" |
		awk -F _ '{ for (i = 1; i <= NF; i++)
			printf "%s%s", toupper(substr($i, 1, 1)), substr($i, 2) }')" -i \
		"$srcdir/doc/fathom-prio.1" "$srcdir/doc/fathom.conf.5"
done
is "no line of the options' help is wider than a terminal" \
	"$(fathom prio --help | sed '/^Policies/,$d' | awk 'length > 80')" ""
for column in $(fathom prio --helpformat | sed -n 's/^  \([A-Za-z]*\) .*/\1/p'); do
	ok "fathom-prio(1) tells of column $column" grep -q "^\.BR\? .*$column" \
		"$srcdir/doc/fathom-prio.1"
done

### Wrong use

rejects "a tree alone" \
	"fathom: --from: no file has jobs; see fathom-prio(1)" prio \
	--from "$tree"
rejects "two files of jobs" \
	"fathom: $jobs: only one file may have jobs; $jobs already does" \
	prio --from "$jobs" --from "$jobs"
rejects "two trees" \
	"fathom: $tree: only one file may have a tree; $tree already does" \
	prio --from "$tree" --from "$jobs" --from "$tree"
rejects "a tree with an error" \
	"fathom: $srcdir/tests/format/reject/fathom/cycle/input:$(cat \
	"$srcdir/tests/format/reject/fathom/cycle/error")" \
	prio --from "$jobs" --from "$srcdir/tests/format/reject/fathom/cycle/input"
rejects "no known format" \
	"fathom: $work/err2:1: unknown format, must be fathom.conf, or a format of jobs, trees or \
settings; fathom convert --list lists them, --format names one" \
	prio --from "$jobs" --from "$(echo x >"$work/err2"; echo "$work/err2")"
rejects "jobs for shares" \
	"fathom: $jobs:1: has jobs (fathom-jobs), must have a tree; see fathom prio --help" \
	shares --from "$jobs"
rejects "an unknown setting" \
	"fathom: --set: colour: fair-tree has no setting 'colour', it has \
tie_mode; see fathom prio --help" \
	prio --from "$jobs" --set colour=red
rejects "a policy's setting's wrong word" \
	"fathom: --set: tie_mode: 'x' is unknown, must be one of documented, slurm, \
flux; see fathom prio --help" prio --from "$jobs" --set tie_mode=x
rejects "a setting's wrong value" \
	"fathom: --set: PriorityWeightAge: -1 is out of range, must be at least 0 and at most \
4294967295; see fathom prio --help" prio --from "$jobs" --set PriorityWeightAge=-1
rejects "a wrong weight of a TRES" \
	"fathom: --set: PriorityWeightTRES: 'cpu' must be TRES=weight, for example cpu=1000; \
see fathom prio --help" prio --from "$jobs" --set PriorityWeightTRES=cpu
rejects "a TRES without its type" \
	"fathom: --set: PriorityWeightTRES: 'gpu' is not a TRES, must be cpu, mem, energy, node, \
billing, vmem, pages, fs/disk, or have a type, such as gres/gpu; see fathom prio --help" \
	prio --from "$jobs" --set PriorityWeightTRES=CPU=5,gpu=10
rejects "the same in replay" \
	"fathom: --set: PriorityWeightTRES: 'gpu' is not a TRES, must be cpu, mem, energy, node, \
billing, vmem, pages, fs/disk, or have a type, such as gres/gpu; see fathom replay --help" \
	replay "$data/swf/small.swf" --cpus 8 --set PriorityWeightTRES=gpu=10
rejects "a scale out of range" \
	"fathom: --set: FormulaScale: 0 is out of range, must be greater than 0 and at most \
4294967295; see fathom prio --help" prio --from "$jobs" --set FormulaScale=0
rejects "jobs that are no numbers" "fathom: --job: 'a' must be job ids, separated by commas" \
	prio --from "$jobs" -j a
rejects "an unknown column" "fathom: --output: 'Weather' is not a column; see --helpformat" \
	prio --from "$jobs" -o Weather
rejects "a misspelt column" \
	"fathom: --sort: 'Prioritty' is not a column; did you mean Priority?" \
	prio --from "$jobs" -S -Prioritty
rejects "an unknown letter" "fathom: --output: '%x' is not a column; see --helpformat" prio \
	--from "$jobs" -o '%i %x'
rejects "no column" "fathom: --output: no column given; see --helpformat" prio --from "$jobs" -o ,
rejects "a width that is none" \
	"fathom: --output: 'User%x': the width must be 1 to 1000, or negative to align to \
the left" prio --from "$jobs" -o User%x
rejects "an unknown order" "fathom: --sort: 'x' is not a column; see --helpformat" prio \
	--from "$jobs" -S x
rejects "an order without a column" "fathom: --sort: '-' is not a column; see --helpformat" prio \
	--from "$jobs" -S -
rejects "--formula without a file" \
	"fathom: --formula: needs --from; slurmctld does not send all values that a formula \
may use" prio --formula age
rejects "--format without a file" "fathom: --format: needs --from" prio --format sshare
rejects "columns for JSON" "fathom: --output: cannot be used with --json, which has all columns" \
	prio --from "$jobs" --json -o User
rejects \
	"weights for JSON" "fathom: --weights: cannot be used with --json, which has factors \
before and after weighting" prio --from "$jobs" --json --weights
rejects "-l and -o" "fathom: --long: cannot be used with --output" prio --from "$jobs" -l -o User
rejects "an operand" "fathom: $jobs: not expected; see fathom prio --help" prio "$jobs"

# names in files of jobs may have anything, which must not steer the terminal
printf '{"format": "fathom-jobs", "version": 1, "jobs": [{"job_id": 1, "user": "%s"}]}\n' \
	'\u001b[31mr\u0007\u007fed' >"$work/control.json"
is "control characters are '?' between separators" \
	"$(fathom prio --from "$work/control.json" -nP -o User)" '?[31mr??ed'
is "control characters do not reach the terminal" \
	"$(fathom prio --from "$work/control.json" -n -o User | LC_ALL=C tr -d '[:print:]\n')" ''

# without a cluster to talk to: a line, whatever libslurm would say and do
: >"$work/slurm.conf"
SLURM_CONF=$work/slurm.conf "$FATHOM" prio >"$work/out" 2>"$work/err"
is "no cluster: status" $? 2
is "no cluster: nothing on stdout" "$(cat "$work/out")" ""
like "no cluster: the line names --from" "$(cat "$work/err")" "fathom: *--from*"
is "no cluster: one line" "$(wc -l <"$work/err" | tr -d ' ')" 1
SLURM_CONF=$work/no.conf timeout 10 "$FATHOM" prio >"$work/out" 2>"$work/err"
is "no slurm.conf: status, without libslurm's wait of a minute" $? 2
like "no slurm.conf: the line names --from" "$(cat "$work/err")" "fathom: *--from*"
if [ -c /dev/full ]; then
	fathom prio --from "$jobs" >/dev/full 2>"$work/err"
	is "a full disk: status" $? 2
	is "a full disk: line" "$(cat "$work/err")" \
		"fathom: standard output: No space left on device"
fi
finish
