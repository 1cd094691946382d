#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A slurm.conf among the files of fathom prio, explain, shares and convert: weights, partitions,
# nodes and the half-life; and what is no slurm.conf although it looks like one.
. "${srcdir:=.}/tests/cli/lib.sh"

cat >"$work/slurm.conf" <<'EOF'
ClusterName=lab
PRIORITYWEIGHTAGE=1000
PriorityWeightPartition=500
PriorityWeightJobSize=200
PriorityWeightTRES=CPU=1000,Mem=100,GRES/gpu=2000
PriorityMaxAge=7-0
PriorityDecayHalfLife=14-0
PriorityFlags=DEPTH_OBLIVIOUS
Include nodes.conf
NodeSet=fast Nodes=n[1-2]
NodeSet=big Feature=large
PartitionName=DEFAULT MaxTime=7-0 State=UP
PartitionName=day Nodes=fast,n3 Default=YES PriorityJobFactor=10
PartitionName=night \
   Nodes=ALL PriorityJobFactor=20 MaxTime=UNLIMITED
PartitionName=wide Nodes=big,n[1,1]
AccountingStorageTRES=gres/gpu
EOF
cat >"$work/nodes.conf" <<'EOF'
NodeName=DEFAULT RealMemory=64000 Feature=small
NodeName=n[1-2] CPUs=4 Gres=gpu:a100:2,nvme:no_consume:1K,fs:lustre:No_Consume
NodeName=n3 Sockets=2 CoresPerSocket=8 Gres=gpu:1(S:0,1)
NodeName=n4 Procs=8 RealMemory=1000 Features=slow,large
EOF
conf=$work/slurm.conf sacct=$data/slurm/settings.sacct

### Jobs of files

# the cluster: 4 nodes, 4 + 4 + 16 + 8 CPUs; job 3 asks for 1 node and 8 CPUs: (1/4 + 8/32) / 2
expected="3|day|1049|12|50|250|cpu=333,mem=4,gres/gpu=400
3|night|1216|12|50|500|cpu=250,mem=4,gres/gpu=400
4|gone|55|6|50|0|"
is "weights, partitions and nodes" "$(fathom prio --from "$conf" --from "$sacct" -nP \
	-o JobID,Partition,Priority,Age,JobSize,PartitionFactor,TRES 2>&1)" "$expected"
is "the policy is that of PriorityFlags" \
	"$(fathom prio --from "$conf" --from "$sacct" -v 2>&1 >/dev/null |
		grep -c depth-oblivious)" 1
fathom convert --from "$conf" --from "$sacct" --to fathom-jobs >"$work/jobs.json" \
	2>"$work/remarks"
is "convert keeps the settings" "$(cat "$work/remarks")" \
	"fathom: fathom-jobs: does not keep what the jobs used"
is "the nodes of a node set by its feature, and one that is named" \
	"$(sed -n 's/.*"wide", //p' "$work/jobs.json")" '"priority_job_factor": 1, '\
'"max_time": 10080, "tres": {"cpu": 12, "mem": 65000, "node": 2, "gres/gpu:a100": 2, '\
'"gres/gpu": 2, "gres/nvme": 1024, "gres/fs:lustre": 1, "gres/fs": 1}},'
is "a partition without limit" "$(sed -n 's/.*"night", //p' "$work/jobs.json")" \
	'"priority_job_factor": 20, "tres": {"cpu": 32, "mem": 193000, "node": 4, '\
'"gres/gpu:a100": 4, "gres/gpu": 5, "gres/nvme": 2048, "gres/fs:lustre": 2, "gres/fs": 2}},'
is "the jobs have the same priorities as before" \
	"$(fathom prio --from "$work/jobs.json" -nP -o JobID,Partition,Priority 2>&1)" \
	"$(fathom prio --from "$conf" --from "$sacct" -nP -o JobID,Partition,Priority)"

for tres in gpu GRES/gpu; do
	printf '%s\n' "PriorityWeightTRES=CPU=1000,$tres=3" AccountingStorageTRES=gres/nvme \
		>"$work/ignored.conf"
	is "weights that slurmctld ignores: $tres" "$(fathom prio --from "$work/ignored.conf" \
		--from "$sacct" 2>&1 >/dev/null)" \
		"fathom: $work/ignored.conf:1: PriorityWeightTRES: '$tres' is not a TRES of this \
cluster, so that slurmctld ignores all of these weights; here they count"
done
sed -i /AccountingStorageTRES/d "$work/ignored.conf"
is "a file without AccountingStorageTRES does not tell which weights these are" \
	"$(fathom prio --from "$data/jobs/small.json" --from "$work/ignored.conf" \
		2>&1 >/dev/null)" ""
echo "PriorityType=priority/fathom" >"$work/plugin"
is "a file with the plugin alone is one" \
	"$(fathom prio --from "$work/plugin" --from "$sacct" -nP -o JobID,Priority 2>&1)" \
	"$(fathom prio --from "$sacct" -nP -o JobID,Priority)"
is "the same file again counts once" \
	"$(fathom prio --from "$conf" --from "$conf" --from "$sacct" -nP -o JobID,Priority 2>&1)" \
	"$(fathom prio --from "$conf" --from "$sacct" -nP -o JobID,Priority)"
sed 's/PriorityMaxAge=7-0/PriorityMaxAge=8-0/' "$conf" >"$work/again.conf"
rejects "two files that differ name both places" "fathom: $work/again.conf:6: PriorityMaxAge is \
8-0 here, but 7-0 in $conf:6; only one may say it" \
	prio --from "$conf" --from "$work/again.conf" --from "$sacct"
is "usage reads it, too" "$(fathom usage --from "$conf" --from "$sacct" -nP 2>&1)" \
	"$(fathom convert --from "$conf" --from "$sacct" --to fathom 2>/dev/null |
		fathom usage --from - -nP)"
# job 1 runs from two hours before Sunday 2024-01-07 to one behind it, job 2 in the week before; in
# whatever order they are read
export TZ=UTC
cat >"$work/weeks" <<'EOF'
JobID|User|Account|State|Submit|Start|End|Elapsed|AllocTRES
1|ada|lab|COMPLETED|1704578400|1704578400|1704589200|03:00:00|cpu=1,billing=1
2|bob|lab|COMPLETED|1704103200|1704103200|1704106800|01:00:00|cpu=1,billing=1
EOF
sed '2{h;d}; ${p;x}' "$work/weeks" >"$work/weeks-back"
# since RESET FILE: what ada and bob have used since the last reset
since ()
{
	printf 'PriorityDecayHalfLife=0\nPriorityUsageResetPeriod=%s\n' "$1" >"$work/reset.conf"
	fathom usage --from "$work/reset.conf" --from "$2" -nP -u ada,bob |
		sed -n 's/^ *lab|\([a-z].*\)|[0-9]*|.*/\1/p' | sort | paste -sd ' ' -
}
for file in "$work/weeks" "$work/weeks-back"; do
	is "usage since Sunday" "$(since WEEKLY "$file")" "ada|3600 bob|0"
	is "usage since midnight" "$(since DAILY "$file")" "ada|3600 bob|0"
	is "usage since New Year" "$(since YEARLY "$file")" "ada|10800 bob|3600"
	is "usage of all time" "$(since NONE "$file")" "ada|10800 bob|3600"
done
# the same jobs, as LSF and PBS record them
for job in "1 1704589200 1704578400 ada" "2 1704106800 1704103200 bob"; do
	set -- $job
	printf '"JOB_FINISH" "10.1" %s %s 1001 33554434 1 %s 0 0 %s "%s" "q" "" "" "" "login" ' \
		"$2" "$1" "$3" "$3" "$4" >>"$work/lsf"
	printf '"/home" "" "" "" "1.%s" 0 1 "1*n1" 64 1.0 "job" "sleep" %s 0 -1 -1 -1 -1 -1 ' \
		"$1" "$((($2 - $3) / 2))" >>"$work/lsf"
	printf '%s\n' '-1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 "" "lab" 0 1 "" ""' >>"$work/lsf"
	printf '01/01/2024 10:00:00;E;%s.s;user=%s group=lab start=%s end=%s ' \
		"$1" "$4" "$3" "$2" >>"$work/pbs"
	printf 'resources_used.cput=%s\n' "$((($2 - $3) / 2))" >>"$work/pbs"
done
# summed COLUMNS POLICY RESET FILE: the columns of ada and bob under the policy, without decay
summed ()
{
	printf 'PriorityDecayHalfLife=0\nPriorityUsageResetPeriod=%s\n' "$3" >"$work/reset.conf"
	fathom shares --from "$work/reset.conf" --from "$4" --policy "$2" --set "$5" -nP -U \
		-o "User,$1" | sort | paste -sd ' ' -
}
for file in lsf pbs; do
	sed '1{h;d}; ${p;x}' "$work/$file" >"$work/$file-back"
done
for back in "" -back; do
	is "LSF's sums since midnight$back" \
		"$(summed CpuTime,RunTime lsf DAILY "$work/lsf$back" hist_hours=0)" \
		"ada|1800.000000|3600.000000 bob|0.000000|0.000000"
	is "LSF's sums since New Year$back" \
		"$(summed CpuTime,RunTime lsf YEARLY "$work/lsf$back" hist_hours=0)" \
		"ada|5400.000000|10800.000000 bob|1800.000000|3600.000000"
	is "PBS's sums since midnight$back" \
		"$(summed RawUsage pbs DAILY "$work/pbs$back" fairshare_decay_time=1000d)" \
		"ada|1800 bob|0"
	is "PBS's sums since New Year$back" \
		"$(summed RawUsage pbs YEARLY "$work/pbs$back" fairshare_decay_time=1000d)" \
		"ada|5400 bob|1800"
done
# 200 users each day for 1000 days
awk 'BEGIN { print "JobID|User|Account|State|Submit|Start|End|Elapsed|AllocTRES"
	for (i = 1; i <= 200000; i++) {
		end = 1600000000 + int(i / 200) * 86400
		print i "|u" i % 200 "|lab|COMPLETED|" end - 60 "|" end - 60 "|" end \
			"|00:01:00|cpu=1,billing=1"
	} }' >"$work/days"
# memory_with RESET: kilobytes at most
memory_with ()
{
	echo "PriorityUsageResetPeriod=$1" >"$work/reset.conf"
	python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$FATHOM" usage \
		--from "$work/reset.conf" --from "$work/days"
}
if command -v python3 >/dev/null; then
	ok "usage before a reset does not stay in memory" \
		test "$(memory_with DAILY)" -lt "$(($(memory_with NONE) + 4000))"
fi
rejects "usage of settings alone" "fathom: --from: $conf has settings, but no file has a tree" \
	usage --from "$conf"

# wrong TEXT LINE: of a slurm.conf
wrong ()
{
	printf '%b' "$1" >"$work/wrong.conf"
	rejects "$2" "fathom: $work/wrong.conf:$2" prio --from "$work/wrong.conf" --from "$sacct"
}
# wrong_nodes TEXT LINE: the same, also of a replay
wrong_nodes ()
{
	wrong "$1" "$2"
	rejects "replay: $2" "fathom: $work/wrong.conf:$2" \
		replay "$sacct" --from "$work/wrong.conf"
}
nodes='PriorityWeightAge=5\nPartitionName=a Nodes=ALL'
wrong_nodes "NodeName=n[1-2] CPUs=many\n$nodes\n" "1: CPUs is 'many', must be a whole number"
wrong_nodes "NodeName=n[1-2\n$nodes\n" "1: NodeName is 'n[1-2', 'n[1-2' has a '[' without ']'"
wrong_nodes "NodeName=n1\n$nodes PriorityJobFactor=high\n" \
	"3: PriorityJobFactor is 'high', must be a whole number"
wrong_nodes "NodeName=n[1-2]\nNodeName=n2 CPUs=4\n$nodes\n" \
	"2: NodeName: n2 has a line already, must have one"
wrong_nodes "NodeName=n[1-2]\nPartitionName=a Nodes=n[2-3]\n" \
	"2: Nodes: 'n3' is no node of a NodeName or NodeSet line"
wrong_nodes "NodeName=n1 Feature=Big\nNodeSet=s Nodes=s Feature=big\nPartitionName=a Nodes=s\n" \
	"3: Nodes: 's' is no node of a NodeName or NodeSet line"
wrong_nodes "NodeName=n1\nPartitionName=a Nodes=n[1\n" \
	"2: Nodes is 'n[1', must be names of nodes, such as n[1-4], node sets or ALL"
wrong_nodes "NodeName=n1 CPUs=0 Boards=0\n$nodes\n" \
	"1: NodeName is 'n1', and has no CPUs, must have 1 or more"
wrong "NodeName=n1\n$nodes MaxTime=often\n" "3: MaxTime is 'often', 'often' is not a time of \
slurm.conf; give minutes, or D-HH:MM:SS, or a number with s, m, h, d or w"

# tres TEXT: what partition a of a slurm.conf has
tres ()
{
	printf '%b\n' "$1" >"$work/tres.conf"
	fathom convert --from "$work/tres.conf" --from "$sacct" --to fathom-jobs 2>&1 |
		sed -n 's/.*"a", //p'
}
is "SocketsPerBoard goes before Sockets, and boards alone are sockets" \
	"$(tres 'NodeName=n1 Boards=2 SocketsPerBoard=3 Sockets=9\nNodeName=n2 Boards=2
PartitionName=a Nodes=n[1-2]')" \
	'"priority_job_factor": 1, "tres": {"cpu": 8, "mem": 2, "node": 2}},'
is "features in upper and lower case differ, and a set may name one that follows it" \
	"$(tres 'NodeName=n1 Feature=big CPUs=3\nNodeName=n2 Feature=Big CPUs=4\nNodeName=n3
NodeSet=two Nodes=one,n3\nNodeSet=one Feature=Big\nPartitionName=a Nodes=two')" \
	'"priority_job_factor": 1, "tres": {"cpu": 5, "mem": 2, "node": 2}},'
is "without nodes, the TRES stay unknown" "$(tres 'PartitionName=a Nodes=n[1-2] Priority=7')" \
	'"priority_job_factor": 7},'

# slurm.conf goes before the settings of the jobs
sed 's/^PRIORITYWEIGHTAGE=1000/PriorityWeightAge=5000/
	s/PriorityJobFactor=10/PriorityJobFactor=20/' "$conf" >"$work/other.conf"
is "a slurm.conf goes before the settings of jobs" \
	"$(fathom prio --from "$work/jobs.json" --from "$work/other.conf" -nP \
		-o JobID,Partition,Age,PartitionFactor -p day)" "3|day|60|500"
like "explain knows the weights" "$(fathom explain 3 --from "$conf" --from "$sacct" | tr -s ' ')" \
	"*${newline}partition 0.5 500 250 *${newline}cpu 0.33 1,000 333 *"

### The half-life

is "shares: usage decays by that of slurm.conf" \
	"$(fathom shares --from "$conf" --from "$sacct" -naP -o User,RawUsage)" \
	"$(fathom shares --from "$sacct" --set half_life=14d -naP -o User,RawUsage)"
is "convert: the same" \
	"$(fathom convert --from "$conf" --from "$sacct" --to usage 2>/dev/null)" \
	"$(fathom convert --from "$sacct" --set half_life=14d --to usage 2>/dev/null)"
is "--set goes before it" \
	"$(fathom shares --from "$conf" --from "$sacct" --set half_life=1d -naP -o User,RawUsage)" \
	"$(fathom shares --from "$sacct" --set half_life=1d -naP -o User,RawUsage)"
for command in shares prio "explain 3" "convert --to usage"; do
	# shellcheck disable=SC2086	# words
	is "$command: files may come in any order" \
		"$(fathom $command --from "$sacct" --from "$conf" 2>/dev/null)" \
		"$(fathom $command --from "$conf" --from "$sacct" 2>/dev/null)"
done
echo HalfLife=1d >"$work/fathom.conf"
is "fathom.conf goes before it" \
	"$(fathom explain ada --from "$conf" --from "$work/fathom.conf" --from "$sacct" --json |
		grep -o '"raw_usage": [^,]*')" \
	"$(fathom explain ada --from "$sacct" --set half_life=1d --json |
		grep -o '"raw_usage": [^,]*')"
is "in any order" "$(fathom prio --from "$sacct" --from "$work/fathom.conf" -nP)" \
	"$(fathom prio --from "$work/fathom.conf" --from "$sacct" -nP)"

echo HalfLife=2d >"$work/fathom.conf"
# a snapshot has it in its own slurm.conf; bob is back at 0.5 when 150 has become 50
cat >"$work/snap.json" <<'EOF'
{"format": "fathom-snapshot", "version": 1, "time": 1700000000,
 "tree": [
  {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
  {"id": 2, "parent": 1, "name": "ada", "kind": "user", "shares": 10, "usage": 50},
  {"id": 3, "parent": 1, "name": "bob", "kind": "user", "shares": 10, "usage": 150}],
 "jobs": [{"job_id": 7, "user": "ada", "account": "root", "partitions": ["p"]}],
 "slurm_conf": "PriorityWeightFairshare=1000\nPriorityDecayHalfLife=14-0\n",
 "fathom_conf": "Policy=classic\nScope=x Hosts=n[1-2] Policy=lsf\n"}
EOF
sed 's/"usage": [0-9]*/"usage": 0/; s/"fathom_conf": "/&HalfLife=1d\\n/' \
	"$work/snap.json" >"$work/own.json"
is "shares: usage decays by the HalfLife of a snapshot's fathom_conf" \
	"$(fathom shares --from "$sacct" --from "$work/own.json" --json 2>/dev/null |
		grep -o '"half_life": [^,}]*')" \
	'"half_life": 86400'
is "a fathom.conf goes before it, in any order" \
	"$(for order in "own.json fathom.conf" "fathom.conf own.json"; do
		fathom shares --from "$work/${order% *}" --from "$work/${order#* }" \
			--from "$sacct" --json 2>/dev/null | grep -o '"half_life": [^,}]*'
	done)" "$(printf '"half_life": 172800\n"half_life": 172800')"
like "explain --until decays by the half-life of a snapshot" \
	"$(fathom explain bob --from "$work/snap.json" --until 0.5)" "*in 22 days 5*"
sed 's/HalfLife=14-0/HalfLife=soon/' "$work/snap.json" >"$work/soon.json"
rejects "a wrong half-life of a snapshot" "fathom: $work/soon.json: slurm_conf: \
PriorityDecayHalfLife: 'soon' is not a time of slurm.conf; give minutes, or D-HH:MM:SS, or a \
number with s, m, h, d or w" explain bob --from "$work/soon.json" --until 0.5
refused="fathom: $work/snap.json: fathom_conf:2: Hosts: files do not tell the hosts of jobs; \
scope 'x' must have Partitions; another fathom.conf, by --from, takes its place"
rejects "jobs of a snapshot with hosts" "$refused" prio --from "$work/snap.json"
rejects "a job of it" "$refused" explain 7 --from "$work/snap.json"
echo Policy=fair-tree >"$work/fathom.conf"
for order in "snap.json fathom.conf" "fathom.conf snap.json"; do
	is "another fathom.conf: $order" "$(fathom prio --from "$work/${order% *}" \
		--from "$work/${order#* }" -nP -o JobID,Priority 2>&1)" "7|1000"
done

### What is no slurm.conf

# printed FILE REASON: what prio, shares and convert say of it
printed ()
{
	for command in prio shares "convert --to fathom"; do
		# shellcheck disable=SC2086	# words
		like "$command: $1" "$(fathom $command --from "$work/$1" 2>&1)" \
			"fathom: $work/$1:1: $2 can be read)"
	done
}
echo "NodeName=a1 CfgTRES=cpu=64,mem=514404M,billing=64" >"$work/nodes"
printed nodes "is what scontrol shows of nodes (slurm.conf"
printf 'PartitionName=a\n   AllowGroups=ALL TotalNodes=3\n' >"$work/partitions"
printed partitions "is what scontrol shows of partitions (slurm.conf"
printf 'JobId=7 JobName=a\n   UserId=ada(1) JobState=PENDING\n' >"$work/jobs"
printed jobs "is what scontrol shows of jobs (squeue --json"
printf 'Configuration data as of 2024-01-01\nClusterName = a\n' >"$work/config"
printed config "is what scontrol shows of settings (slurm.conf"
printf 'JobID           JobName      State\n------------ ---------- ----------\n' >"$work/columns"
printed columns "is a table of sacct (sacct -P"
# with columns of sshare
printf 'JobID        User    Account      State\n------ --------- ---------- -----\n' >"$work/wide"
printed wide "is a table of sacct (sacct -P"
echo 'JobId=7 JobName=a UserId=ada(1) Account=a JobState=PENDING' >"$work/one-line"
printed one-line "is what scontrol shows of jobs (squeue --json"
printf '   Cluster    Account       User     Share\n---------- ---------- ---------- ---------\n' \
	>"$work/assoc"
printed assoc "is a table of sacctmgr show assoc (sacctmgr dump"
printf '   Account       User  FairShare\n---------- ---------- ----------\n' >"$work/factors"
printed factors "is a table of sshare (sshare -a -P"
printf '%s\n' 'PartitionName=p Nodes=n1 # TotalNodes=4 by hand' NodeName=n1 ClusterName=c \
	SlurmctldHost=h >"$work/commented"
is "slurm.conf with a word of scontrol in a comment" \
	"$(fathom lint --slurm-conf "$work/commented" 2>&1 | grep -c scontrol)" 0
finish
