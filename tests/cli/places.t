#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom prio under policy lsf: the place at which LSF would dispatch each pending job.
. "${srcdir:=.}/tests/cli/lib.sh"

# tree LINE...: a tree in the form of sshare, "ACCOUNT|USER|SHARES" below root
tree ()
{
	{
		echo 'Account|User|RawShares|RawUsage'
		echo 'root||1|0'
		for line; do
			echo "$line|0"
		done
	} >"$work/tree"
}

# jobs [ACCOUNT.]NAME*COUNT[/MEMBERS]...: jobs of one CPU, numbered as they are submitted, of users
# of root or of another account
jobs ()
{
	id=0
	{
		echo '{"format": "fathom-jobs", "version": 1, "settings":'
		echo '{"PriorityWeightFairshare": 1000, "PriorityWeightPartition": 10},'
		echo '"partitions": [{"name": "p"}, {"name": "q", "priority_job_factor": 1}],'
		echo '"jobs": ['
		comma=
		for many; do
			name=${many%%\**} rest=${many#*\*} account=root
			case $name in *.*) account=${name%.*} name=${name#*.} ;; esac
			count=${rest%%/*} more=${rest#"$count"}
			while [ "$count" -gt 0 ]; do
				id=$((id + 1)) count=$((count - 1))
				echo "$comma{\"job_id\": $id, \"cpus\": 1,"
				echo "\"account\": \"$account\", \"user\": \"$name\","
				echo "\"submit_time\": $((1700000000 + id))${more:+, ${more#/}}}"
				comma=,
			done
		done
		echo ']}'
	} >"$work/jobs"
}

# places OPTION...: of all jobs in the order of their ids
places ()
{
	fathom prio --from "$work/jobs" --from "$work/tree" --policy lsf -nP -o Place "$@" |
		paste -sd ' ' -
}

### Vectors

tree ' root|u1|1' ' root|u2|1' ' root|u3|1'
jobs 'u1*5' 'u2*5' 'u3*5'
is "L9: slots go round" "$(places)" "1 4 7 10 13 2 5 8 11 14 3 6 9 12 15"
is "the factor is (J - place + 1) / J, weighted" \
	"$(fathom prio --from "$work/jobs" --from "$work/tree" --policy lsf -nP -j 1,15,6 \
		-o JobID,Place,FairShare | paste -sd ' ' -)" "1|1|1000 6|2|933 15|15|67"
is "jobs are started in the order of their priorities" \
	"$(fathom prio --from "$work/jobs" --from "$work/tree" --policy lsf -nP -S -Priority \
		-o User | paste -sd ' ' -)" "u1 u2 u3 u1 u2 u3 u1 u2 u3 u1 u2 u3 u1 u2 u3"
tree ' root|u1|2' ' root|u2|1'
jobs 'u1*6' 'u2*3'
is "L10: of equals the first job" "$(places)" "1 2 4 5 7 8 3 6 9"
tree ' root|u1|1' ' root|u2|1'
jobs 'u1*2' 'u2*2'
is "L11: with run_job_factor 0 nobody is placed, all tie" \
	"$(fathom prio --from "$work/jobs" --from "$work/tree" --policy lsf \
		--set run_job_factor=0 -nP -o FairShare | sort -u)" 1000
tree ' gA||1' '  gA|a1|1' '  gA|a2|1' ' gB||1' '  gB|b1|1'
jobs 'gA.a1*2' 'gA.a2*2' 'gB.b1*4'
is "L12: account by account" "$(places)" "1 5 3 7 2 4 6 8"

### What a job is

tree ' root|u1|1' ' root|u2|1'
jobs 'u1*1/"held": true' 'u1*1/"dependency": true' 'u2*2' 'u1*1'
is "jobs that cannot start come behind" "$(places)" "4 5 1 3 2"
jobs 'u1*1/"state": "RUNNING"' 'u1*1' 'u2*1/"fairshare": 0.5' 'u2*1'
is "only pending jobs have a place, and none whose factor is given" \
	"$(places --state all)" " 1  2"
jobs 'u1*1/"array_tasks": 3' 'u1*1' 'u2*3'
is "the tasks of an array are added at once" "$(places)" "1 5 2 3 4"
jobs 'u1*1/"nice": 5' 'u1*1' 'u1*1/"partitions": ["q"]'
is "jobs of one user: partition, priority, submission" "$(places)" "3 2 1"
jobs 'u1*1' 'u1*1/"assoc_priority": 1'
is "jobs of one user: priority with all factors but fair share" \
	"$(places --set priority_weight_assoc=1000)" "2 1"
jobs 'u1*1/"partitions": ["p", "q"]' 'u2*1'
is "a job has a place in each of its partitions" "$(places)" "3 1 2"

### Several partitions

# one tree judges all of them, as in a cross-queue set of LSF
tree ' root|u1|1' ' root|u2|1'
jobs 'u1*2/"partitions": ["p"]' 'u2*2/"partitions": ["q"]'
is "users take turns whatever their partitions" "$(places)" "2 4 1 3"
jobs 'u1*1/"partitions": ["q"]' 'u2*1/"partitions": ["p"]' 'u1*1/"partitions": ["p"]' \
	'u2*1/"partitions": ["q"]'
is "none is fair-share: in the order of submission" \
	"$(fathom prio --from "$work/jobs" --from "$work/tree" --policy fcfs -nP -S -Priority \
		--set priority_weight_partition=0 -o JobID,FairShare | paste -sd ' ' -)" \
	"1|1000 2|1000 3|1000 4|1000"

### A site's fathom.conf

# queues NAME=PRIORITY...: the partitions of the file that waiting() writes
queues ()
{
	partitions=
	for queue; do
		partitions="$partitions${partitions:+, }{\"name\": \"${queue%=*}\","
		partitions="$partitions \"priority_job_factor\": ${queue#*=}}"
	done
}

# waiting USER@PARTITION...: jobs of one CPU of users of root, as they are submitted
waiting ()
{
	id=0
	{
		echo '{"format": "fathom-jobs", "version": 1, "settings":'
		echo "{\"PriorityWeightFairshare\": 1000}, \"partitions\": [$partitions],"
		echo '"jobs": ['
		comma=
		for job; do
			id=$((id + 1))
			echo "$comma{\"job_id\": $id, \"cpus\": 1, \"account\": \"root\","
			echo "\"user\": \"${job%@*}\", \"partitions\": [\"${job#*@}\"],"
			echo "\"submit_time\": $((1700000000 + id))}"
			comma=,
		done
		echo ']}'
	} >"$work/jobs"
}

# conf LINE...
conf ()
{
	printf '%s\n' "$@" >"$work/fathom.conf"
}

# with_conf OPTION...: of all jobs, with the tree and fathom.conf
with_conf ()
{
	fathom prio --from "$work/jobs" --from "$work/tree" --from "$work/fathom.conf" "$@"
}

# order: partitions of the jobs in the order in which they are dispatched
order ()
{
	with_conf -nP -S -Priority -o Partition "$@" | paste -sd ' ' -
}

tree ' root|u1|1'
queues a=5 b=5 c=5
waiting u1@c u1@b u1@a u1@b u1@a
conf '# LSF: queues of equal priority' '' 'Policy = fcfs'
is "no queue is fair-share" "$(order)" "c b a b a"
conf Policy=fcfs 'Scope=a Partitions=a Policy=lsf' 'Scope=b Partitions=b Policy=lsf' \
	'Scope=c Partitions=c Policy=lsf'
is "all queues are fair-share" "$(order)" "a a b b c"
queues b=5 c=5 a=5
waiting u1@c u1@b u1@a u1@b u1@a
is "the order of queues is that of slurm.conf, not of names" "$(order)" "b b c a a"
queues a=5 b=5 c=5
waiting u1@c u1@b u1@a u1@b u1@a
conf Policy=fcfs 'Scope=c Partitions=c Policy=lsf' 'Scope=a Partitions=a Policy=lsf'
is "queues a and c are fair-share, in the order of the partitions" "$(order)" "a a b b c"
conf Policy=fcfs 'Scope=b Partitions=b Policy=lsf'
is "only queue b is fair-share" "$(order)" "c a a b b"
is "the factor is (J - place + 1) / J over all queues" \
	"$(with_conf -nP -o Partition,Place,FairShare | paste -sd ' ' -)" \
	"c|1|1000 b|4|400 a|2|800 b|5|200 a|3|600"
queues
waiting u1@b u1@c u1@b u1@c u1@a
conf Policy=lsf 'Scope=a Partitions=a' 'Scope=c Partitions=c' 'Scope=b Partitions=b'
is "partitions that are not described: in the order in which jobs name them" "$(order)" "b b c c a"
queues a=1 b=2 c=3
waiting u1@c u1@b u1@a u1@b u1@a
is "the queue of higher priority is served first" "$(order)" "c b b a a"

# cross-queue sets
tree ' root|u1|1' ' root|u2|1'
queues a=50 b=30 c=20
waiting u1@a u1@a u2@b u2@b u1@c
conf Policy=fcfs 'Scope=set Partitions=a,b MasterQueue=a Policy=lsf'
is "in a cross-queue set users take turns" "$(order)" "a b a b c"
conf Policy=fcfs 'Scope=set Partitions=a,b MasterQueue=a DispatchOrder=QUEUE Policy=lsf'
is "with DispatchOrder=QUEUE the queue goes first" "$(order)" "a a b b c"
queues a=50 b=30 c=40
waiting u1@a u1@a u2@b u2@b u1@c
is "then another queue may be served between those of the set" "$(order)" "a a c b b"
conf Policy=fcfs 'Scope=set Partitions=b,a MasterQueue=a Policy=lsf'
rejects "without it, none may be" \
	"fathom: $work/fathom.conf:2: Scope: partition 'c' has PriorityJobFactor 40, which is \
within those of scope 'set'; it must be outside, or the scope have DispatchOrder=QUEUE" \
	prio --from "$work/jobs" --from "$work/fathom.conf"
conf Policy=fcfs 'Scope=set Partitions=a,b MasterQueue=a DispatchOrder=QUEUE Policy=lsf \' \
	'   RunJobFactor=0'
is "nor are jobs placed: the queue goes first, then the user's factor" \
	"$(with_conf -nP -o Partition,FairShare | paste -sd ' ' -)" \
	"a|1000 a|1000 b|498 b|498 c|1000"

# policies and settings
{
	echo 'Account|User|RawShares|RawUsage'
	printf '%s\n' 'root||1|0' ' gA||3|0' '  gA|u1|1|700' '  gA|u2|2|100' ' gB||1|0' \
		'  gB|u3|1|300'
} >"$work/tree"
queues a=1 b=1 c=1
waiting u1@a u1@b u1@c
sed -i 's/"root"/"gA"/' "$work/jobs"
conf Policy=depth-oblivious DampeningFactor=2 'Scope=x Partitions=a Policy=fair-tree' \
	'Scope=y Partitions=b Policy=classic DampeningFactor=5'
# alone OPTION...: the factor of the first job without fathom.conf
alone ()
{
	fathom prio --from "$work/jobs" --from "$work/tree" -nP -j 1 --norm -o FairShare%12 "$@"
}
factors ()
{
	with_conf -nP --norm -o FairShare%12 "$@" | paste -sd ' ' -
}
fair_tree=$(alone --policy fair-tree)
damped=$(alone --policy classic --set dampening_factor=5)
is "each scope has the factors of its policy and settings, with the usage of all" "$(factors)" \
	"$fair_tree $damped $(alone --policy depth-oblivious --set dampening_factor=2)"
is "--policy and --set change the policy of the other partitions alone" \
	"$(factors --policy classic --set dampening_factor=3)" \
	"$fair_tree $damped $(alone --policy classic --set dampening_factor=3)"
is "--policy takes its settings from the file" "$(factors --policy classic)" \
	"$fair_tree $damped $(alone --policy classic --set dampening_factor=2)"
conf Policy=classic 'Scope=x Partitions=a Policy=fair-tree' 'Scope=y Partitions=b'
is "a scope without a policy of its own has that of --policy" \
	"$(factors --policy depth-oblivious)" \
	"$fair_tree $(alone --policy depth-oblivious) $(alone --policy depth-oblivious)"
conf Policy=depth-oblivious DampeningFactor=2 'Scope=x Partitions=a Policy=fair-tree' \
	'Scope=y Partitions=b Policy=classic DampeningFactor=5'
is "several policies stand side by side" \
	"$(with_conf -nP --policy classic,fair-tree --norm \
	-j 1,3 -o FairShare%12 | paste -sd ' ' -)" \
	"$fair_tree|$fair_tree $(alone --policy classic --set dampening_factor=2)|$fair_tree"
is "-v names the policies of scopes" "$(with_conf -v 2>&1 >/dev/null | paste -sd ';' -)" \
	"fathom: 3 jobs, each in each of its partitions; policy depth-oblivious;fathom: scope x: \
policy fair-tree;fathom: scope y: policy classic"
sed -i 's/ gB/ unknown/; s/gB/unknown/' "$work/tree"
conf Policy=fair-tree 'Scope=x Partitions=a Policy=pbs UnknownShares=50'
is "a setting that changes the tree does so for its scope alone" "$(factors)" \
	"$(alone --policy pbs --set unknown_shares=50) $fair_tree $fair_tree"
conf Policy=pbs UnknownShares=50 'Scope=x Partitions=a Policy=fair-tree'
is "nor does it for scopes if it is for all others" "$(factors | cut -d ' ' -f 1)" "$fair_tree"
conf 'Scope=x Partitions=a Policy=lsf' 'Scope=y Partitions=b,c'
sed -i 's/gA|u1|1/gA|u1|0/' "$work/tree"
is "a remark names the policy of the scope that starts no jobs" \
	"$(with_conf 2>&1 >/dev/null)" \
	"fathom: priority 1 on 1 line: policy lsf starts no jobs of users without shares"
conf Policy=fcfs 'Formula="100*fairshare_factor + 7"' FormulaScale=10 \
	'SlotPool=s Partition=a SlotShare=50' Adjust=memory:2 'BankPriority=gA:3'
if built_with muParser "Formula of fathom.conf"; then
	is "the formula is that of the file" "$(with_conf -nP -j 1 -o Priority)" 1070
	is "--formula goes before it" "$(with_conf -nP -j 1 -o Priority --formula 50)" 500
	is "-v tells which lines have no effect" \
		"$(with_conf -v 2>&1 >/dev/null | sed "1d; s,fathom: $work/fathom.conf:,,")" \
		"4: SlotPool: has no effect on files; see fathom-pools(1)
5: Adjust: has no effect on files"
	conf Policy=fcfs 'Formula=1+colour'
	like "a wrong formula is told with file and line" "$(with_conf 2>&1)" \
		"fathom: $work/fathom.conf:2: Formula: *colour*"
fi

# rejects_conf TEXT MESSAGE LINE...
rejects_conf ()
{
	text=$1 message=$2
	shift 2
	conf "$@"
	rejects "$text" "fathom: $work/fathom.conf:$message" prio --from "$work/jobs" \
		--from "$work/tree" --from "$work/fathom.conf"
}

rejects_conf "a wrong line" "3: HistHours: 'x' is not a number; for example 5" \
	Policy=lsf '' HistHours=x
rejects_conf "hosts" \
	"2: Hosts: files do not tell the hosts of jobs; scope 'h' must have Partitions" \
	Policy=fcfs 'Scope=h Hosts=n1 Policy=lsf'
rejects_conf "user shares" "2: UserShares: files do not tell usage by user shares; scope 's' must \
have the shares of the tree" Policy=fcfs 'Scope=s Partitions=a Policy=lsf UserShares="[default, 1]"'
rejects_conf "entities of PBS" "2: ResourceGroup: cannot be used with files; give a file of that \
format as the tree" Policy=pbs 'ResourceGroup="g1 root 10"'
rejects_conf "an unknown partition" "1: Partitions: 'd' is not a partition of $work/jobs" \
	'Scope=x Partitions=a,d'
rejects_conf "a setting of another policy" "1: RunJobFactor: policy fair-tree of scope 'x' has no \
such setting; see fathom.conf(5)" 'Scope=x Partitions=a RunJobFactor=3'
conf Policy=lsf
rejects "two of them" "fathom: $work/fathom.conf: only one fathom.conf may be given" prio \
	--from "$work/jobs" --from "$work/fathom.conf" --from "$work/fathom.conf"
# scope cpu of the FiguresFile has usage of anna's alone, in which bert has none; bert has used more
# in scope gpu, less in all
sed 's/"user_shares": "[^"]*"/"user_shares": null/' "$data/figures/scopes.json" >"$work/figures"
figures=$work/figures
cat >"$work/three" <<'END'
{"format": "fathom-jobs", "version": 1, "time": 1700000000,
 "settings": {"PriorityWeightFairshare": 10000}, "jobs": [
  {"job_id": 1, "user": "anna", "account": "lab", "partitions": ["gpu", "cpu", "c", "d"]},
  {"job_id": 2, "user": "bert", "account": "lab", "partitions": ["gpu", "cpu", "c", "d"]}]}
END
conf Policy=classic 'Scope=gpu Partitions=gpu' 'Scope=cpu Partitions=cpu Policy=fair-tree' \
	'Scope=new Partitions=c'
# of_scopes OPTION...: the factor of each job in each partition
of_scopes ()
{
	fathom prio --from "$work/three" --from "$figures" --from "$work/fathom.conf" --norm -nP \
		-S i,r -o jobid,part,fairs "$@"
}
is "scopes of the FiguresFile have their own usage, new ones that of all" "$(of_scopes)" \
	"1|c|0.3047534
1|cpu|0.5000000
1|d|0.3047534
1|gpu|0.4204482
2|c|0.4101677
2|cpu|1.0000000
2|d|0.4101677
2|gpu|0.2973018"
is "-v says which" "$(of_scopes -v 2>&1 >/dev/null | sed 1d | paste -sd ';' -)" \
	"fathom: scope gpu: policy classic, with its own usage;fathom: scope cpu: policy \
fair-tree, with its own usage;fathom: scope new: policy classic"
figures=$data/figures/scopes.json
is "but a scope with UserShares has another tree" "$(of_scopes | grep gpu | paste -sd ' ' -)" \
	"1|gpu|0.3047534 2|gpu|0.4101677"
# without a fathom.conf, in all scopes; cpu has fair-tree, the policy of the site is classic
figures=$data/figures/scopes.json
of_file ()
{
	fathom prio --from "$work/three" --from "$figures" --norm -nP -S i,r \
		-o jobid,part,fairs "$@" 2>"$work/err" | paste -sd ' ' -
}
is "scopes of a FiguresFile alone, but for that with UserShares" "$(of_file)" \
	"1|c|0.3047534 1|cpu|0.5000000 1|d|0.3047534 1|gpu|0.3047534 \
2|c|0.4101677 2|cpu|1.0000000 2|d|0.4101677 2|gpu|0.4101677"
is "which a remark tells" "$(cat "$work/err")" "fathom: $figures: files tell neither the hosts of \
jobs nor usage by user shares, so the tree of all jobs counts in 1 scope, such as 'gpu'"
figures=$work/figures
is "all scopes" "$(of_file | grep -o '[0-9]|gpu|[0-9.]*' | paste -sd ' ' -; cat "$work/err")" \
	"1|gpu|0.4204482 2|gpu|0.2973018"
is "one with the policy of the site follows --policy" "$(of_file --policy depth-oblivious |
	grep -oE '[0-9].(gpu|cpu).[0-9.]*' | paste -sd ' ' -)" \
	"1|cpu|0.5000000 1|gpu|0.7071068 2|cpu|1.0000000 2|gpu|0.3535534"
like "and explain says which scope it is" "$(fathom explain 1 --from "$work/three" \
	--from "$figures" -p gpu | paste -sd ' ' -)" "*belongs to scope gpu, *factor 0.42. *"
figures=$data/figures/shadow.json
conf Policy=lsf
rejects "--shadow" "fathom: --shadow: compares the policies of a FiguresFile; cannot be used with \
$work/fathom.conf" prio --shadow --from "$work/jobs" --from "$figures" --from "$work/fathom.conf"
conf 'Scope=x Partitions=a Policy=lsf'
rejects "scopes for explain" "fathom: $work/fathom.conf:1: Scope: explain looks at one tree, must \
have none; fathom prio evaluates scopes" explain --from "$work/jobs" --from "$work/tree" \
	--from "$work/fathom.conf" 1 2

### LSF's own shares

# queue SHARES: one queue
queue ()
{
	printf '%s\n' "Begin Queue" "QUEUE_NAME = normal" "FAIRSHARE = USER_SHARES[$1]" \
		"End Queue" >"$work/queues"
	printf '%s\n' "Begin UserGroup" "GROUP_NAME GROUP_MEMBER" "g (gil ada)" "End UserGroup" \
		>"$work/users"
	fathom prio --from "$work/jobs" --from "$work/queues" --from "$work/users" -nP -o Place |
		paste -sd ' ' -
}
jobs 'root.ada*1' 'root.zed*1' 'x.ada*1' 'x.bob*1' 'g.ada*1'
is "users come to their leaves from any account" "$(queue '[ada, 10] [default, 1]')" "1 4 2 5 3"
is "those of others share one" "$(queue '[ada, 10] [others, 1]')" "1 4 2 5 3"
is "jobs in an account that is a group count as its member's" \
	"$(queue '[ada, 10] [g, 5] [others, 1]')" "1 4 2 5 3"
is "with the group's shares" "$(queue '[ada, 1] [g, 50] [others, 10]')" "4 2 5 3 1"
jobs 'root.zed*1' 'root.ada*1'
is "explain finds them, too" "$(fathom explain 1 2 --from "$work/jobs" \
	--from "$work/queues" --from "$work/users" | grep -c 'paths divide below')" 1

### How it is shown

tree ' root|u1|1' ' root|u2|1'
jobs 'u1*1' 'u2*1'
is "-l has a column for it" \
	"$(fathom prio --from "$work/jobs" --from "$work/tree" --policy lsf -lP |
		awk -F "|" 'NR == 1 { while ($++at != "PLACE" && at < NF); } { print $at }' |
		paste -sd ' ' -)" "PLACE 1 2"
is "no other policy has it" \
	"$(fathom prio --from "$work/jobs" --from "$work/tree" --policy fair-tree -l |
		grep -c PLACE)" 0
is "in JSON too" \
	"$(fathom prio --from "$work/jobs" --from "$work/tree" --policy lsf --json |
		sed -n 's/.*"place": \([0-9]*\).*/\1/p' | paste -sd ' ' -)" "1 2"
is "and not where there is none" \
	"$(fathom prio --from "$work/jobs" --from "$work/tree" --policy fair-tree --json |
		grep -c '"place"')" 0

# wrong KEY VALUE RIGHT
wrong ()
{
	jobs "u1*1/\"$1\": $2"
	rejects "wrong $1" "fathom: $work/jobs:7: jobs[0]: '$1' must be $3" prio --from "$work/jobs"
}

wrong state 7 'a state such as "PENDING" or "RUNNING"'
wrong dependency 1 "true or false"
wrong array_tasks -1 "an integer from 0 to 4294967295"
finish
