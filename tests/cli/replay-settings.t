#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom replay with settings of a site that decide on priorities: resets, formulas, factors.
. "${srcdir:=.}/tests/cli/lib.sh"

# starts OPTION...: "JOB@START" of each job that starts
starts ()
{
	fathom replay "$work/jobs" --schedule "$work/schedule" "$@" >/dev/null 2>"$work/remarks" ||
		cat "$work/remarks"
	sed 1d "$work/schedule" | awk -F, '{ print $1 "@" $6 }' | paste -sd ' ' -
}
# in_zone TZ OPTION...: the same in another time zone
in_zone ()
(
	export TZ="$1"
	shift
	starts "$@"
)

### resets

# ada has used the machine on 31 August, bob has not; at midnight all usage becomes 0
cat >"$work/jobs" <<'END'
JobID|User|Account|State|Submit|Start|End|Elapsed|NCPUS|Timelimit
1|ada|a|COMPLETED|2026-08-31T23:30:00|Unknown|Unknown|00:20:00|2|1:00:00
2|eve|e|COMPLETED|2026-08-31T23:40:00|Unknown|Unknown|00:20:00|2|1:00:00
3|ada|a|COMPLETED|2026-08-31T23:50:00|Unknown|Unknown|00:05:00|2|1:00:00
4|bob|b|COMPLETED|2026-08-31T23:51:00|Unknown|Unknown|00:05:00|2|1:00:00
END
echo "PriorityUsageResetPeriod=MONTHLY" >"$work/slurm.conf"
reset=PriorityUsageResetPeriod
is "without resets who has used less goes first" \
	"$(starts --cpus 2)" "1@0 2@1200 4@2400 3@2700"
is "weights of 0, or of TRES that are not known, leave it at that" \
	"$(for weights in CPU=0 CPU=0,GRES/x=9; do
		echo "PriorityWeightTRES=$weights" >"$work/weights.conf"
		starts --cpus 2 --from "$work/weights.conf"
	done)" "1@0 2@1200 4@2400 3@2700
1@0 2@1200 4@2400 3@2700"
is "usage is reset at midnight" \
	"$(starts --cpus 2 --from "$work/slurm.conf"; cat "$work/remarks")" \
	"1@0 2@1200 3@2400 4@2700"
is "local midnight, as in the plugin" \
	"$(in_zone XXX0 --cpus 2 --set $reset=daily; in_zone XXX+3 --cpus 2 --set $reset=DAILY)" \
	"1@0 2@1200 3@2400 4@2700
1@0 2@1200 3@2400 4@2700"
is "2026-08-31 is no Sunday, and no day on which a quarter ends" \
	"$(for period in WEEKLY QUARTERLY YEARLY NOW NONE; do
		starts --cpus 2 --from "$work/slurm.conf" --set $reset=$period
	done | uniq -c | sed 's/^ *//')" "5 1@0 2@1200 4@2400 3@2700"
is "periods side by side" \
	"$(fathom replay "$work/jobs" --cpus 2 --schedule "$work/schedule" -P \
		--set $reset=DAILY --set $reset=NONE | cut -d '|' -f 1
		sed 1d "$work/schedule" | cut -d , -f 1,8 | paste -sd ' ' -)" \
	"Policy
fair-tree $reset=DAILY
fair-tree $reset=NONE
1,fair-tree $reset=DAILY 2,fair-tree $reset=DAILY 3,fair-tree $reset=DAILY \
4,fair-tree $reset=DAILY 1,fair-tree $reset=NONE 2,fair-tree $reset=NONE \
4,fair-tree $reset=NONE 3,fair-tree $reset=NONE"
rejects "an unknown period" "fathom: --set: $reset: 'HOURLY' must be NONE, NOW, DAILY, WEEKLY, \
MONTHLY, QUARTERLY or YEARLY; see fathom replay --help" \
	replay "$work/jobs" --cpus 2 --set $reset=HOURLY
echo "$reset=HOURLY" >"$work/wrong.conf"
rejects "the same in slurm.conf" "fathom: $work/wrong.conf:1: $reset: 'HOURLY' must be NONE, NOW, \
DAILY, WEEKLY, MONTHLY, QUARTERLY or YEARLY" \
	replay "$work/jobs" --cpus 2 --from "$work/wrong.conf"

# swf START: the same jobs, from so many seconds before midnight, UTC
swf ()
{
	echo "; UnixStartTime: $1"
	cat <<'END'
1    0 -1 1200 2 -1 -1 2 3600 -1 1 1 1 -1 -1 -1 -1 -1
2  600 -1 1200 2 -1 -1 2 3600 -1 1 2 2 -1 -1 -1 -1 -1
3 1200 -1  300 2 -1 -1 2 3600 -1 1 1 1 -1 -1 -1 -1 -1
4 1260 -1  300 2 -1 -1 2 3600 -1 1 3 3 -1 -1 -1 -1 -1
END
}
swf $((1788220800 - 1800)) >"$work/jobs"	# 2026-09-01
is "SWF: UnixStartTime tells the day" \
	"$(in_zone UTC0 --cpus 2 --set $reset=MONTHLY; cat "$work/remarks"
		in_zone XXX+3 --cpus 2 --set $reset=MONTHLY)" \
	"1@0 2@1200 3@2400 4@2700
1@0 2@1200 4@2400 3@2700"
swf -1 >"$work/jobs"
is "else days begin at multiples of 86400 s, and a line says so" \
	"$(in_zone XXX+3 --cpus 2 --set $reset=DAILY; cat "$work/remarks")" \
	"1@0 2@1200 4@2400 3@2700
fathom: $reset: the trace does not say when it begins (UnixStartTime); its second 0 counts as the \
beginning of 1970, UTC"
awk '!/^;/ { $2 += 84600 } { print }' "$work/jobs" >"$work/later" && mv "$work/later" "$work/jobs"
is "in any time zone" "$(in_zone XXX+3 --cpus 2 --set $reset=DAILY)" \
	"1@84600 2@85800 3@87000 4@87300"
rejects "--strict refuses that" "fathom: $reset: the trace does not say when it begins \
(UnixStartTime); --strict refuses this" replay "$work/jobs" --cpus 2 --set $reset=DAILY --strict
is "unless there are no resets of a day" \
	"$(fathom replay "$work/jobs" --cpus 2 --set $reset=NOW --strict -n | wc -l)" 1

### factors of QOS and TRES

# the machine has 2 CPUs; job 1 runs first, then 2 to 4 by priority
cat >"$work/jobs" <<'END'
JobID|User|Account|State|Submit|Start|End|Elapsed|Timelimit|Partition|QOS|AllocTRES
1|ada|a|COMPLETED|2026-09-01T00:00:00|Unknown|Unknown|00:01:40|2:00|one|normal|cpu=2,mem=4G,node=1
2|ada|a|COMPLETED|2026-09-01T00:00:01|Unknown|Unknown|00:01:40|2:00|one||cpu=2,mem=1G,node=1
3|ada|a|COMPLETED|2026-09-01T00:00:02|Unknown|Unknown|00:01:40|2:00|one|normal|cpu=2,mem=2G,node=1
4|ada|a|COMPLETED|2026-09-01T00:00:03|Unknown|Unknown|00:01:40|2:00|two|high|cpu=2,GPU,mem=3G,node=1
END
sed -i 's|GPU|gres/gpu=1|' "$work/jobs"
cat >"$work/slurm.conf" <<'END'
PriorityCalcPeriod=1
NodeName=n1 CPUs=2 RealMemory=8192 Gres=gpu:a100:4
PartitionName=one Nodes=n1 Default=YES
PartitionName=two Nodes=n1 PriorityJobFactor=7
END
cat >"$work/qos" <<'END'
{"qos": [{"name": "normal", "priority": {"set": true, "number": 10}},
 {"name": "high", "priority": {"set": true, "number": 40}}]}
END
fifo="1@0 2@100 3@200 4@300"
qos=--set=PriorityWeightQOS=1000
is "without weights they go in the order of submission" \
	"$(starts --from "$work/slurm.conf" --from "$work/qos")" "$fifo"
is "PriorityWeightQOS" \
	"$(starts --from "$work/slurm.conf" --from "$work/qos" $qos; cat "$work/remarks")" \
	"1@0 4@100 3@200 2@300"
sed 's/"number": 10/"number": 0/; s/"number": 40/"number": 1/' "$work/qos" >"$work/qos-1"
is "a highest priority of 1" \
	"$(starts --from "$work/slurm.conf" --from "$work/qos-1" $qos)" "1@0 4@100 2@200 3@300"
# normal has a quarter of high's priority, 250 points; a second of age has 200, or 300
aged ()
{
	starts --from "$work/slurm.conf" --from "$work/qos" $qos --set PriorityMaxAge=16:40 \
		--set PriorityWeightAge="$1"
}
is "its priority over the highest one" "$(aged 200000) $(aged 300000)" \
	"1@0 4@100 3@200 2@300 1@0 4@100 2@200 3@300"
cp "$work/slurm.conf" "$work/weights.conf"
echo "PriorityWeightQOS=1000" >>"$work/weights.conf"
is "of slurm.conf" "$(starts --from "$work/weights.conf" --from "$work/qos" --strict)" \
	"1@0 4@100 3@200 2@300"
is "without priorities of QOS it is left out" \
	"$(starts --from "$work/weights.conf"; cat "$work/remarks")" "$fifo
fathom: PriorityWeightQOS: left out; no file of --from has the priorities of QOS"
rejects "or refused" "fathom: PriorityWeightQOS: no file of --from has the priorities of QOS; \
--strict refuses this" replay "$work/jobs" --from "$work/weights.conf" --strict
rejects "or wrong" "fathom: --set: PriorityWeightQOS: no file of --from has the priorities of QOS" \
	replay "$work/jobs" --from "$work/slurm.conf" $qos
is "weights side by side" \
	"$(starts --from "$work/slurm.conf" --from "$work/qos" $qos --set PriorityWeightQOS=0)" \
	"1@0 4@100 3@200 2@300 $fifo"
cat >"$work/snapshot" <<'END'
{"format": "fathom-snapshot", "version": 1, "cluster": {"cpus": 2, "nodes": 1},
 "partitions": [{"name": "one", "tres": {"cpu": 2, "mem": 8192}}, {"name": "two"}],
 "qos": [{"name": "normal", "priority": 10}, {"name": "high", "priority": 40}],
 "slurm_conf": "PriorityWeightQOS=50\nPriorityCalcPeriod=1\n",
 "tree": [{"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
  {"id": 2, "parent": 1, "name": "a", "kind": "account", "shares": 1, "usage": 0},
  {"id": 3, "parent": 2, "name": "ada", "kind": "user", "shares": 1, "usage": 0}]}
END
is "a snapshot has QOS" "$(starts --from "$work/snapshot"; cat "$work/remarks")" \
	"1@0 4@100 3@200 2@300"
rejects "two clusters" "fathom: $work/qos: only one file may have a cluster; $work/snapshot \
already does" replay "$work/jobs" --from "$work/snapshot" --from "$work/qos"
cp "$work/snapshot" "$work/second"
rejects "two snapshots" "fathom: $work/second: only one file may have a cluster; $work/snapshot \
already does" replay "$work/jobs" --from "$work/snapshot" --from "$work/second"
is "PriorityWeightTRES: the part of the partition's that a job asks for" \
	"$(for weights in mem=1000 mem=1000,gres/gpu=10000 gres/gpu=1000 cpu=1000; do
		starts --from "$work/slurm.conf" --set PriorityWeightTRES=$weights
	done; starts --from "$work/snapshot" --set PriorityWeightTRES=mem=1000 $qos --strict)" \
	"1@0 4@100 3@200 2@300
1@0 4@100 3@200 2@300
1@0 4@100 2@200 3@300
$fifo
1@0 4@100 3@200 2@300"
rejects "of what no partition is known to have" "fathom: --set: PriorityWeightTRES: mem: no file \
of --from tells how much of it partitions have" \
	replay "$work/jobs" --cpus 2 --set PriorityWeightTRES=mem=1000
echo "PriorityWeightTRES=CPU=1,GRES/gpu=0,Mem=1000" >"$work/tres.conf"
is "the others count, in upper or lower case" \
	"$(starts --cpus 2 --from "$work/tres.conf"; cat "$work/remarks"
		cat "$work/slurm.conf" >>"$work/tres.conf"
		starts --from "$work/tres.conf" --strict)" "$fifo
fathom: PriorityWeightTRES: Mem: left out; no file of --from tells how much of it partitions have
1@0 4@100 3@200 2@300"
sed '/^AccountingStorageTRES/d; $aAccountingStorageTRES=gres/gpu\nPriorityWeightTRES=license/x=9' \
	"$work/slurm.conf" >"$work/unknown.conf"
is "that slurmctld ignores the weights is told as by prio" \
	"$(starts --from "$work/unknown.conf" >/dev/null; grep ignores "$work/remarks")" \
	"$(fathom prio --from "$data/jobs/demo.json" --from "$data/demo.sshare" \
		--from "$work/unknown.conf" 2>&1 >/dev/null | grep ignores)"
is "CPUs are known to all" \
	"$(starts --cpus 4 --set PriorityWeightTRES=cpu=1000 | cut -d ' ' -f 1,2)" "1@0 2@1"
is "unless no part of it counts" \
	"$(starts --cpus 2 --set PriorityWeightTRES=mem=1 --set PriorityFlags=NO_NORMAL_TRES)" \
	"1@0 4@100 3@200 2@300"
sed 's/mem=1G,node=1/node=1,mem/' "$work/jobs" >"$work/wrong"
rejects "wrong TRES" "fathom: $work/wrong: TRES 'cpu=2,node=1,mem', must be counts such as \
billing=4,cpu=4,mem=8000M" \
	replay "$work/wrong" --from "$work/slurm.conf" --set PriorityWeightTRES=mem=1
# PIECE() of a message cuts texts to 64 bytes; TRES and QOS here are longer
long=$(printf 'high%070d' 1)
sed "s/|cpu=2,/|billing=2,cpu=2,gres\\/gpu:a100_with_80_gigabytes=0,gres\\/tape:of_long_name=1,/
	s/|high|/|$long|/" "$work/jobs" >"$work/long" && cp "$work/jobs" "$work/short"
cp "$work/long" "$work/jobs"
sed "s/high/$long/" "$work/qos" >"$work/long"
is "TRES and QOS of any length" \
	"$(starts --from "$work/slurm.conf" --set PriorityWeightTRES=mem=1000
		starts --from "$work/slurm.conf" --from "$work/long" $qos)" \
	"1@0 4@100 3@200 2@300
1@0 4@100 3@200 2@300"
cp "$work/short" "$work/jobs"
rejects "associations" \
	"fathom: --set: PriorityWeightAssoc: no file tells the priorities of associations" \
	replay "$work/jobs" --cpus 2 --set PriorityWeightAssoc=1

### keys of slurm.conf that choose the policy

is "PriorityFlags chooses the policy, with FairShareDampeningFactor" \
	"$(fathom replay "$work/jobs" --cpus 2 --set FairShareDampeningFactor=5 --json \
		--set PriorityFlags=NO_FAIR_TREE --set PriorityFlags=DEPTH_OBLIVIOUS |
		grep -o '"name": "[a-z-]* P[^"]*"\|"dampening_factor": [0-9]*')" \
	'"name": "classic PriorityFlags=NO_FAIR_TREE"
"dampening_factor": 5
"name": "depth-oblivious PriorityFlags=DEPTH_OBLIVIOUS"
"dampening_factor": 5'
echo Policy=pbs >"$work/fathom.conf"
is "--policy and fathom.conf go before it" "$(for options in "--from $work/fathom.conf" \
		"--policy lsf"; do
		# shellcheck disable=SC2086	# words are meant
		fathom replay "$work/jobs" --cpus 2 -nP $options --set PriorityFlags=NO_FAIR_TREE
	done | cut -d '|' -f 1 | paste -sd ' ' -)" "pbs lsf"
rejects "the time between passes" "fathom: --set: PriorityCalcPeriod: is the same for all that is \
replayed side by side; give --calc-period; see fathom replay --help" \
	replay "$work/jobs" --cpus 2 --set PriorityCalcPeriod=100

### what policies charge

# ada has used 100 s of 2 CPUs and one GPU, bob 150 s of 2 CPUs
cat >"$work/gpus" <<'END'
JobID|User|Account|State|Submit|Start|End|Elapsed|Timelimit|AllocTRES
1|ada|a|COMPLETED|2026-09-01T00:00:00|Unknown|Unknown|00:01:40|2:00|cpu=2,gres/gpu=1,mem=1G,node=1
2|bob|b|COMPLETED|2026-09-01T00:00:01|Unknown|Unknown|00:02:30|5:00|cpu=2,mem=512M,node=1
3|bob|b|COMPLETED|2026-09-01T00:00:02|Unknown|Unknown|00:01:00|5:00|cpu=2,node=1
4|ada|a|COMPLETED|2026-09-01T00:00:03|Unknown|Unknown|00:01:00|2:00|cpu=2,node=1
END
# charges OPTION...: which of jobs 3 and 4 goes first
charges ()
{
	fathom replay "$work/gpus" --cpus 2 --calc-period 10 --schedule "$work/schedule" "$@" \
		>/dev/null 2>"$work/remarks"
	cut -d , -f 1 "$work/schedule" | sed -n 4p
}
is "pbs charges CPUs" "$(charges --policy pbs)" 4
if built_with muParser "or by a formula GPUs and memory"; then
	is "or by a formula GPUs and memory" "$(for resource in ngpus mem; do
			charges --policy pbs --set fairshare_usage_res="$resource*walltime"
			cat "$work/remarks"
		done)" "3
3"
fi
is "flux charges GPUs" "$(charges --policy flux; charges --policy flux --set gpu_weight=2
	cat "$work/remarks")" "4
3"
printf 'Policy=flux GpuWeight=2 CalcPeriod=10\n' >"$work/flux.conf"
is "also as fathom.conf says" "$(charges --from "$work/flux.conf" --strict)" 3
sed 's/|[^|]*$/|2/; 1s/2$/NCPUS/' "$work/gpus" >"$work/plain" && mv "$work/plain" "$work/gpus"
is "GPUs that the trace does not tell" \
	"$(charges --from "$work/flux.conf"; cat "$work/remarks")" "4
fathom: gpu_weight: left out; the trace does not tell GPUs"
rejects "--strict refuses that" \
	"fathom: gpu_weight: the trace does not tell GPUs; --strict refuses this" \
	replay "$work/gpus" --cpus 2 --from "$work/flux.conf" --strict

### whom PBS charges

# ada of account a has used the machine; eve is of account a, too, bob of b, ann of c
cp "$work/jobs" "$work/asking"
cat >"$work/jobs" <<'END'
JobID|User|Account|State|Submit|Start|End|Elapsed|Timelimit|NCPUS
1|ada|a|COMPLETED|2026-09-01T00:00:00|Unknown|Unknown|00:01:40|2:00|2
2|eve|a|COMPLETED|2026-09-01T00:00:01|Unknown|Unknown|00:01:40|2:00|2
3|bob|b|COMPLETED|2026-09-01T00:00:02|Unknown|Unknown|00:01:40|2:00|2
4|ann|c|COMPLETED|2026-09-01T00:00:03|Unknown|Unknown|00:01:40|2:00|2
END
# entities LINE...: the order by policy pbs with these lines in fathom.conf
entities ()
{
	printf '%s\n' Policy=pbs CalcPeriod=10 "$@" >"$work/pbs.conf"
	starts --cpus 2 --from "$work/pbs.conf"
}
is "users: all of an account without usage of their own" \
	"$(entities FairshareEntity=euser)" "1@0 3@100 4@200 2@300"
is "accounts" "$(entities FairshareEntity=Account_Name)" "1@0 3@100 4@200 2@300"
# with equal usage of the whole by their shares, eve comes first as she has submitted first
is "ResourceGroup has the shares of users" \
	"$(entities 'ResourceGroup="eve root 10"' 'ResourceGroup="ada root 10"' \
		'ResourceGroup="bob root 1"' 'ResourceGroup="ann root 1"' | cut -d ' ' -f 1,2)" \
	"1@0 2@100"
# bob, who is unknown, goes before eve of the group that has used something; then both groups have
is "unknown entities have one share each, of those of their group" \
	"$(entities 'ResourceGroup="g root 1"' 'ResourceGroup="ada g 1"' 'ResourceGroup="eve g 1"' \
		UnknownShares=1)" "1@0 3@100 2@200 4@300"
is "without UnknownShares their jobs go last" \
	"$(entities 'ResourceGroup="ada root 1"' 'ResourceGroup="ann root 1"')" \
	"1@0 4@100 2@200 3@300"
is "ResourceGroup of accounts" \
	"$(entities FairshareEntity=Account_Name 'ResourceGroup="a root 1"' \
		'ResourceGroup="c root 1"' UnknownShares=1)" "1@0 3@100 4@200 2@300"
printf '%s\n' "Policy=classic CalcPeriod=10" 'ResourceGroup="eve root 1"' >"$work/pbs.conf"
is "other policies have no entities" \
	"$(starts --cpus 2 --from "$work/pbs.conf")" "1@0 3@100 4@200 2@300"
printf '%s\n' Policy=flux BankWeight=1000000 BankPriority=a:1,c:2 >"$work/flux.conf"
is "flux has the priority of banks" \
	"$(starts --cpus 2 --from "$work/flux.conf")" "1@0 4@100 2@200 3@300"
cp "$work/asking" "$work/jobs"
is "and of queues, the partitions" \
	"$(for weight in 10000 0; do
		starts --from "$work/slurm.conf" --policy flux --set queue_weight=$weight
	done)" "1@0 4@100 2@200 3@300
$fifo"
cat >"$work/queues" <<'END'
flux account add-bank root 1
flux account add-bank --parent-bank=root a 1
flux account add-user --username=ada --bank=a
flux account add-queue low --priority=-2
flux account add-queue lower --priority=-3
END
cat >"$work/below" <<'END'
JobID|User|Account|Partition|State|Submit|Start|End|Elapsed|Timelimit|NCPUS
1|ada|a|low|COMPLETED|2026-09-01T00:00:00|Unknown|Unknown|00:01:40|2:00|2
2|ada|a|lower|COMPLETED|2026-09-01T00:00:01|Unknown|Unknown|00:01:40|2:00|2
3|ada|a|low|COMPLETED|2026-09-01T00:00:02|Unknown|Unknown|00:01:40|2:00|2
END
mv "$work/below" "$work/jobs"
is "also priorities below 0, which Slurm cannot have" \
	"$(starts --cpus 2 --from "$work/queues" --set fairshare_weight=1000000)" \
	"1@0 3@100 2@200"
echo 'flux account add-queue zero --priority=0' >>"$work/queues"
sed -i 's/|low[er]*|/|zero|/' "$work/jobs"
for queue in other ''; do
	sed -i "s/^\(3|.*a|\)[a-z]*/\1$queue/" "$work/jobs"
	is "a queue that is not listed, or none, has priority 0: '$queue'" \
		"$(starts --cpus 2 --from "$work/queues" --set fairshare_weight=0)" \
		"1@0 2@100 3@200"
done
mv "$work/asking" "$work/jobs"

### committed run time

cp "$work/jobs" "$work/asking"
# committed ANN BOB NEXT ARGUMENT...: which two of the jobs 4 to 6 start when that of eve ends. ANN
# and BOB: "RUN LIMIT" of the jobs that these two have then; NEXT: the limit of ann's next job
committed ()
{
	cat >"$work/jobs" <<END
JobID|User|Account|State|Submit|Start|End|Elapsed|Timelimit|NCPUS
1|ann|a|COMPLETED|2026-09-01T00:00:00|Unknown|Unknown|${1% *}|${1#* }|1
2|bob|b|COMPLETED|2026-09-01T00:00:00|Unknown|Unknown|${2% *}|${2#* }|1
3|eve|e|COMPLETED|2026-09-01T00:00:00|Unknown|Unknown|00:08:20||2
4|ann|a|COMPLETED|2026-09-01T00:00:01|Unknown|Unknown|01:00:00|$3|1
5|ann|a|COMPLETED|2026-09-01T00:00:02|Unknown|Unknown|01:00:00||1
6|bob|b|COMPLETED|2026-09-01T00:00:03|Unknown|Unknown|01:00:00||1
END
	shift 3
	starts --cpus 4 --policy lsf --set committed_run_time_factor=1 --set cpu_time_factor=0 \
		--set run_time_factor=0 --set run_job_factor=1 "$@" | cut -d ' ' -f 4,5
}
cat >"$work/flat" <<'END'
Account|User|RawShares|RawUsage
root||1|0
 a||2|0
  a|ann|1|0
 b||1|0
  b|bob|1|0
 e||1|0
  e|eve|1|0
END
sed 's/^ /  /; 2a\ all||1|0' "$work/flat" >"$work/nested"
for tree in flat nested; do
	is "a job without a limit has no committed run time: $tree" \
		"$(committed '00:20:00 ' '00:10:00 ' '' --from "$work/$tree")" "4@500 5@500"
	is "a pending job with a limit has: $tree" \
		"$(committed '00:20:00 ' '00:20:00 ' 2:00:00 --from "$work/$tree")" "4@500 6@500"
done
is "a job over its limit has less than it has run" \
	"$(committed '00:10:00 ' '00:20:00 00:01:00' '')" "6@500 4@500"
printf 'PartitionName=p Default=YES DefaultTime=60\n' >"$work/default.conf"
is "the default of the partition is a limit" \
	"$(committed '00:20:00 ' '00:20:00 00:30:00' '' --from "$work/default.conf")" "6@500 4@500"
mv "$work/asking" "$work/jobs"

### formulas

built_with muParser formulas || finish
# formula EXPRESSION [OPTION]...: the order by a Formula of fathom.conf
formula ()
{
	printf 'Policy=pbs CalcPeriod=1\nFormula="%s"\n' "$1" >"$work/fathom.conf"
	shift
	starts --from "$work/slurm.conf" --from "$work/qos" --from "$work/fathom.conf" "$@"
}
is "what the trace tells" \
	"$(for field in mem ngpus+200 queue_priority+100 "ncpus+100" "nodect+100" \
		"walltime" "1000-eligible_time" "1000-job_priority" "1000-nice" "cput+100" \
		"1000*qos" "1000*fairshare_perc" "accrue_type+100" "gres_gpu+100"; do
		echo "$field: $(formula "$field")"
	done; cat "$work/remarks")" \
	"mem: 1@0 4@100 3@200 2@300
ngpus+200: 1@0 4@100 2@200 3@300
queue_priority+100: 1@0 4@100 2@200 3@300
ncpus+100: $fifo
nodect+100: $fifo
walltime: $fifo
1000-eligible_time: 1@0 4@100 3@200 2@300
1000-job_priority: $fifo
1000-nice: $fifo
cput+100: $fifo
1000*qos: 1@0 4@100 3@200 2@300
1000*fairshare_perc: $fifo
accrue_type+100: $fifo
gres_gpu+100: 1@0 4@100 2@200 3@300"
is "under any policy" "$(for policy in $(policies); do
		formula "mem + 1000 * fairshare" --policy "$policy"
	done | uniq -c | sed 's/^ *//')" "7 1@0 4@100 3@200 2@300"
is "by --set, several side by side" \
	"$(starts --cpus 2 --set formula=mem/1000 --set formula=9999-gres_gpu)" \
	"1@0 4@100 3@200 2@300 1@0 2@100 3@200 4@300"
is "priorities that are all small" "$(formula fairshare_factor; cat "$work/remarks")" "$fifo
fathom: $work/fathom.conf:2: Formula: no priority reaches 100, so that different jobs may get \
equal priorities; raise FormulaScale (now 1)"
is "FormulaScale" "$(formula mem/1048576 --set formula_scale=1000; cat "$work/remarks")" \
	"1@0 4@100 3@200 2@300"
rejects "FormulaScale without a formula" "fathom: --set: formula_scale: needs a formula, which it \
multiplies; see fathom replay --help" replay "$work/jobs" --cpus 2 --set formula_scale=2
is "divisions by zero" "$(formula "200+1/(ngpus-1)"; cat "$work/remarks")" \
	"1@0 2@100 3@200 4@300
fathom: $work/fathom.conf:2: Formula: jobs have no value, by a division by zero, an overflow or a \
result that is not a number; it counts as 0"
is "deprecated names" "$(formula "1000*fair_share_perc" >/dev/null; cat "$work/remarks")" \
	"fathom: $work/fathom.conf:2: Formula: column 6: fair_share_perc is deprecated; write \
fairshare_perc"
# refuses FIELD REASON: of the trace without AllocTRES and QOS
sed 's/|[^|]*|[^|]*$//; s/$/|2/; 1s/2$/NCPUS/' "$work/jobs" >"$work/plain"
refuses ()
{
	echo "Formula=$1" >"$work/fathom.conf"
	rejects "$1" "fathom: $work/fathom.conf:1: Formula: $1: $2" \
		replay "$work/plain" --cpus 2 --from "$work/fathom.conf"
}
refuses mem "the trace does not tell it"
refuses ngpus "the trace does not tell it"
refuses qos "the trace names no QOS"
refuses queue_priority "no partitions are known; give --from slurm.conf"
refuses assoc "no file tells the priorities of associations"
rejects "a formula that is wrong" \
	"fathom: --set: formula: column 4: the formula ends where a value is missing" \
	replay "$work/plain" --cpus 2 --set formula="1 +"
finish
