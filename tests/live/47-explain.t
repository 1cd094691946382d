#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom explain of the running cluster: a pending job and a pair under each of six policies, the
# changes that it names, what else matters, and PrivateData.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/figures.sh
. "$(dirname "$0")/figures.sh"

live_start PriorityWeightAge=0 PriorityWeightFairshare=100000 PriorityWeightPartition=1000 \
	"PartitionName=all Nodes=ALL Default=YES PriorityJobFactor=2" \
	"PartitionName=off Nodes=ALL State=DOWN PriorityJobFactor=2" \
	"PartitionName=other Nodes=ALL State=DOWN PriorityJobFactor=2"
file=$cluster/state/fathom.json
fathom_conf CalcPeriod=600 FiguresFile=fathom.json
reconfigure

# of QUERY COMMAND...: of the JSON that the command prints
of ()
{
	"${@:2}" | python3 -c 'import json, sys
answer = json.load(sys.stdin)
print(eval(sys.argv[1]))' "$1"
}

# rank_of JOB: its place in squeue, by priority and number, of so many in its partition
rank_of ()
{
	squeue --noheader --states=PENDING --partition=off --format='%Q %i' |
		sort -k 1,1gr -k 2,2g |
		awk -v job="$1" '$2 == job { rank = NR } END { print rank, NR }'
}

# slurmctld says so of a job when it has looked at its partition
down='waits because partition off is down\. '

### Six policies

ended=$(submit user1 --wrap true)
wait_for_job "$ended" COMPLETED
run_jobs 4 3 2 1 1
declare -A job
for user in 1 2 3 4; do
	job[$user]=$(submit "user$user" --partition=off)
done
for policy in classic depth-oblivious fair-tree pbs lsf flux; do
	fathom_conf Policy="$policy"
	# these have usage of their own
	[[ $policy != pbs ]] || fathom_conf FairshareUsageRes=ncpus*walltime
	if [[ $policy == pbs || $policy == flux ]]; then
		reconfigure_once
		run_jobs 4 3 2 1 1
	fi
	passes reconfigure_once
	for user in 1 2 3 4; do
		is "$policy: rank of user$user's job" \
			"$(of 'answer["who"]["rank"], answer["who"]["of"]' \
			fathom explain "${job[$user]}" --json | tr -d '(),')" \
			"$(rank_of "${job[$user]}")"
	done
	one=${job[2]} other=${job[4]}
	is "$policy: priority is squeue's" \
		"$(of 'answer["who"]["priority"]' fathom explain "$one" --json)" \
		"$(priority_of "$one")"
	is "$policy: the path ends at the user" \
		"$(of '[node["user"] or node["account"] for node in answer["path"]][-1]' \
		fathom explain "$one" --json)" user2
	is "$policy: the factor is that of fathom shares" \
		"$(of 'round(answer["path"][-1]["factor"], 6)' fathom explain "$one" --json)" \
		"$(of '[round(row["factor"], 6) for row in answer["associations"]
			if row["user"] == "user2"][0]' fathom shares --all --json)"
	like "$policy: a job in words" "$(fathom explain "$one" | paste -sd ' ')" \
		"(^|$down)Job $one of user2 in account c is [1-4](st|nd|rd|th) of 4 in partition \
off,"
	behind=$(of 'max(answer["who"], answer["whom"], key=lambda job: job["rank"])["job_id"]' \
		fathom explain "$one" "$other" --json)
	is "$policy: a pair: who is behind" \
		"$(fathom explain "$one" "$other" | sed -n 's/^Job \([0-9]*\) .*comes.*/\1/p;1q')" \
		"$behind"
	fathom explain "$one" "$other" | sed "s/^/# $policy: /"
done

### Without FiguresFile

# slurmctld sends factors, but not the sums that these policies keep
for policy in pbs flux; do
	fathom_conf Policy="$policy"
	[[ $policy != pbs ]] || fathom_conf FairshareUsageRes=ncpus*walltime
	reconfigure_once
	run_jobs 4 3 2 1 1
	passes reconfigure_once
	with=$(fathom explain "${job[1]}" "${job[4]}" --change=shares | paste -sd ' ')
	like "$policy: FiguresFile tells which shares would do" "$with" \
		' had [0-9,]+ shares instead of '
	sed -i /FiguresFile/d "$cluster/fathom.conf"
	reconfigure_once
	for kind in shares usage; do
		like "$policy, without it: $kind of a job" \
			"$(fathom explain "${job[1]}" "${job[4]}" --change=$kind | paste -sd ' ')" \
			"Which $kind would swap them is not known: policy $policy needs sums that \
only FiguresFile has; set it in fathom.conf and let this user read it\\."
	done
	like "$policy, without it: shares of a user" \
		"$(fathom explain user1 user4 --change=shares | paste -sd ' ')" \
		"Which shares would swap them is not known: policy $policy needs sums "
	is "$policy, without it: that no usage or shares would do is not said" \
		"$(fathom explain "${job[1]}" "${job[4]}" | paste -sd ' ' |
		grep -cE 'No change of [a-z, ]*(usage|shares)')" 0
	is "$policy, without it: JSON has what could not be tried" \
		"$(of 'answer["not_tried"]' fathom explain "${job[1]}" "${job[4]}" --json)" \
		"['usage', 'shares']"
	is "$policy, without it: nice can be tried" \
		"$(of '"not_tried" in answer' \
		fathom explain "${job[1]}" "${job[4]}" --change=nice --json)" False
	fathom_conf FiguresFile=fathom.json
done
sed -i /FairshareUsageRes/d "$cluster/fathom.conf"

### What running jobs hold

fathom_conf Policy=lsf RunJobFactor=100
passes reconfigure_once
holder=$(submit user4 --ntasks=20)
wait_for_job "$holder" RUNNING
passes reconfigure_once
now=$(of 'answer["who"]["factor"]' fathom explain user4 --json)
like "lsf: that running jobs end is said" \
	"$(fathom explain user4 --until 0.8 | paste -sd ' ')" \
	"if its running jobs end now, it runs nothing more"
is "lsf: the factor now is that of the table" \
	"$(of 'answer["recover"]["factor_now"]' fathom explain user4 --until 0.8 --json)" "$now"
like "lsf: what is at the level already is what the table has" \
	"$(fathom explain user4 --until "$now" | paste -sd ' ')" \
	" already: it is $(printf '%.2g' "$now")\\. "
scancel "$holder"
wait_for_job "$holder" CANCELLED
sed -i /RunJobFactor/d "$cluster/fathom.conf"

### The changes that it names, made in the cluster

fathom_conf Policy=classic
passes reconfigure_once
behind=$(of 'answer[answer["change"]["of"]]["job_id"]' \
	fathom explain "${job[1]}" "${job[4]}" --change nice --json)
front=$((behind == job[1] ? job[4] : job[1]))
nice=$(of 'int(answer["change"]["to"])' \
	fathom explain "${job[1]}" "${job[4]}" --change nice --json)
# is_behind: is job `behind` there?
is_behind ()
{
	(($(priority_of "$behind") < $(priority_of "$front") ||
		($(priority_of "$behind") == $(priority_of "$front") && behind > front)))
}
scontrol update JobId="$behind" Nice=$((nice + 1))
passes reconfigure_once
ok "with one nice more it stays behind" is_behind
scontrol update JobId="$behind" Nice="$nice"
passes reconfigure_once
not_ok "with the named nice it goes first" is_behind
scontrol update JobId="$behind" Nice=0
passes reconfigure_once
ok "without it it is behind again" is_behind

# slurmctld sends usage in whole seconds, which may be far off where little has been used
change_of ()
{
	of 'answer.get("change") or answer["sentence"]' \
		fathom explain user1 user4 --change "$1" --json "${@:2}"
}
for kind in usage shares; do
	is "the change of $kind is that by the exact usage of FiguresFile" \
		"$(change_of "$kind")" "$(change_of "$kind" --from "$file")"
done

# the users of these jobs, and the shares that would swap them
answer=$(fathom explain "$behind" "$front" --change shares --json)
account=$(of 'answer["change"]["account"]' cat <<<"$answer")
user=$(of 'answer["change"]["user"] or ""' cat <<<"$answer")
from=$(of 'int(answer["change"]["from"])' cat <<<"$answer")
to=$(of 'int(answer["change"]["to"])' cat <<<"$answer")
set_shares ()
{
	if [[ $user ]]; then
		sacctmgr -iQ modify user "$user" where account="$account" set fairshare="$1"
	else
		sacctmgr -iQ modify account "$account" set fairshare="$1"
	fi >/dev/null
	passes reconfigure_once
}
echo "# shares of ${user:-account} $account from $from to $to: job $behind behind $front"
set_shares $(((from + to) / 2))
ok "with half the change of shares it stays behind" is_behind
set_shares "$to"
not_ok "with the named shares it goes first" is_behind
set_shares "$from"

### Another policy

is "--policy: the path is that of fathom shares" \
	"$(of 'round(answer["path"][-1]["factor"], 6)' fathom explain "${job[2]}" --policy \
	depth-oblivious --json)" \
	"$(of '[round(row["factor"], 6) for row in answer["associations"]
		if row["user"] == "user2"][0]' fathom shares --all --policy depth-oblivious --json)"
is "--policy: the priority is that of fathom prio" \
	"$(of 'answer["who"]["priority"]' fathom explain "${job[2]}" --policy fair-tree --json)" \
	"$(fathom prio --policy fair-tree --jobs "${job[2]}" -nP -o Priority)"

### Until when

level=$(of 'min(1, answer["who"]["factor"] + 0.05)' fathom explain user1 --json)
like "when it is back" "$(fathom explain user1 --until "$level" --idle account | head -n 1)" \
	'^The fair-share factor of user1 in account b '
is "by the cluster's half-life" \
	"$(of 'answer["recover"]["seconds"]' fathom explain user1 --until "$level" --json)" \
	"$(of 'answer["recover"]["seconds"]' fathom explain user1 --until "$level" --json \
	--set half_life="$(scontrol show config | sed -n 's/^PriorityDecayHalfLife *= *//p')")"

### Completion of names

is "users of the cluster" "$(fathom complete explain user | sort -u | paste -sd ' ')" \
	"user1 user2 user3 user4 user5"
is "and one's own pending jobs" \
	"$(as_user user4 fathom complete explain '' | sort -u | paste -sd ' ')" \
	"${job[4]} root user1 user2 user3 user4 user5"
is "clusters of slurmdbd" "$(fathom complete shares -M '')" \
	"$(sacctmgr -nP list cluster format=cluster)"
is "accounts of the cluster" "$(fathom complete shares -A a,r | sort -u)" a,root
is "its jobs" "$(fathom complete explain "${job[1]}")" "${job[1]}"

### What else matters

held=$(submit user3 --partition=off --hold)
waits=$(submit user3 --partition=off --dependency=afterok:"$held")
like "a held job" "$(fathom explain "$held" | paste -sd ' ')" \
	"^Job $held is held by its user, until scontrol release $held\\. Job $held of user3 in \
account c has no rank; "
like "a job that waits for another one" "$(fathom explain "$waits" | paste -sd ' ')" \
	"^Job $waits (waits for other jobs, afterok:$held|$down)"
is "a held job is not told to wait" \
	"$(fathom explain "$held" "${job[1]}" | grep -c 'runs nothing')" 0
scancel "$held" "$waits"
array=$(submit user3 --partition=off --array=1-9:2,12%2)
scontrol update JobId="${array}_3" Nice=1
split=$(job_field "${array}_3" JobId)
for id in "${array}_3:$split" "${array}_5:$array" "${array}_12:$array" \
	"${array}_[1,5,7,9,12%2]:$array"; do
	is "task ${id%:*}" "$(fathom explain "${id%:*}" 2>&1 | sed 's/^\(Job [0-9]*\).*/\1/; 2q' |
		paste -sd ' ')" "fathom: ${id%:*} is job ${id#*:} Job ${id#*:}"
done
is "no task of it" "$(fathom explain "${array}_4" 2>&1)" \
	"fathom: job ${array}_4: unknown, must be one of the jobs that wait"
het=$(submit user3 --partition=off -n 1 : --partition=off -n 1)
is "a component" "$(fathom explain "$het+1" 2>&1 | head -n 1)" \
	"fathom: $het+1 is job $((het + 1))"
scancel "$array" "$het"
both=$(submit user5 --partition=other,off)
like "a job of two partitions" "$(fathom explain "$both" -p off | paste -sd ' ')" \
	'of 5 in partition off, '
other=$(submit user5 --partition=other)
like "two jobs in different partitions with the same nodes" \
	"$(fathom explain "$other" "${job[1]}" | paste -sd ' ')" \
	'\. They wait in partitions (off and other|other and off), which share nodes\. '
scontrol update PartitionName=other PriorityTier=2
is "of different tiers" \
	"$(fathom explain "$other" "${job[1]}" 2>&1 | sed 's/jobs [0-9]* and [0-9]*/jobs/')" \
	"fathom: jobs are in different partitions, other; off: they do not wait in one line"
scontrol update PartitionName=other PriorityTier=1
is "an unknown job" "$(fathom explain 4000000 2>&1)" \
	"fathom: job 4000000: unknown, must be one of the jobs that wait in $(setting ClusterName)"
is "a job that has ended" "$(fathom explain "$ended" 2>&1)" \
	"fathom: job $ended: is COMPLETED, must be pending"
slurm_conf PriorityFlags=INCR_ONLY
fathom_conf "Scope=off Partitions=off Policy=fair-tree"
passes reconfigure_once
like "INCR_ONLY" "$(fathom explain "${job[1]}" | paste -sd ' ')" 'PriorityFlags has INCR_ONLY'
like "a scope" "$(fathom explain "${job[1]}" | paste -sd ' ')" 'belongs to scope off, '
is "its tree is the scope's" "$(of 'answer["policy"]' fathom explain "${job[1]}" --json)" fair-tree
is "the main tree is another one" "$(of 'answer["policy"]' fathom explain user1 --json)" classic
is "unless --scope asks for it" \
	"$(of 'answer["policy"]' fathom explain user1 --scope off --json)" fair-tree
is "not in a pool" "$(fathom explain "${job[1]}" | grep -c pool)" 0
sed -i '/^Scope=/d' "$cluster/fathom.conf"
echo 'SlotPool=pool Partition=off SlotShare=50' >>"$cluster/fathom.conf"
passes reconfigure_once
like "a slot pool" "$(fathom explain "${job[1]}" | paste -sd ' ')" 'partition is in a slot pool, '
slurm_conf PriorityFlags=
sed -i '/^SlotPool=/d' "$cluster/fathom.conf"

### A formula

# by_values JOB: what Python makes of the formula with the values that are filled in
by_values ()
{
	of 'int(eval(answer["sentence"].split("nice: ")[1].split(" = ")[0]))' \
		fathom explain "$1" --json
}
fathom_conf Policy=classic FiguresFile=fathom.json \
	'Formula="100000*fairshare_factor + queue_priority + 10*ncpus - 2*nice"'
passes reconfigure_once
# Values have six digits, so the result may be on the other side of an integer.
for user in 1 4; do
	near "a formula with its values gives the priority of user$user's job" \
		"$(by_values "${job[$user]}")" "$(priority_of "${job[$user]}")" 5e-5
done
is "all that it uses can be tried" \
	"$(of '"not_tried" in answer, "change" in answer' \
	fathom explain "${job[1]}" "${job[4]}" --json)" "(False, True)"
behind=$(of 'answer[answer["change"]["of"]]["job_id"]' \
	fathom explain "${job[1]}" "${job[4]}" --change nice --json)
front=$((behind == job[1] ? job[4] : job[1]))
nice=$(of 'int(answer["change"]["to"])' \
	fathom explain "${job[1]}" "${job[4]}" --change nice --json)
scontrol update JobId="$behind" Nice=$((nice + 1))
passes reconfigure_once
ok "with one nice more it stays behind" is_behind
scontrol update JobId="$behind" Nice="$nice"
passes reconfigure_once
not_ok "with the named nice it goes first" is_behind
scontrol update JobId="$behind" Nice=0
fathom_conf Policy=lsf 'Formula="1000*fairshare + total_run_time"'
sed -i /FiguresFile/d "$cluster/fathom.conf"
reconfigure_once
like "a value that slurmctld does not send is named" \
	"$(fathom explain "${job[1]}" "${job[4]}" | paste -sd ' ')" \
	'; total_run_time is not known here\..* uses total_run_time, whose value is not known'
sed -i /Formula=/d "$cluster/fathom.conf"
fathom_conf Policy=classic FiguresFile=fathom.json

### Without arguments

runs=$(submit user4 --ntasks=20)
wait_for_job "$runs" RUNNING
has_minutes () { as_user user4 fathom explain | grep -q CPU-h; }
passes_until () { passes reconfigure_once && "$1"; }
ok "CPU-hours and node-hours stand beside what is charged" wait_until passes_until has_minutes
scancel "$runs"
wait_for_job "$runs" CANCELLED
own=$(as_user user4 fathom explain)
echo "$own" | sed 's/^/# /'
like "the caller's accounts" "$(paste -sd ' ' <<<"$own")" \
	"^You are user4, in 1 account of $(setting ClusterName), under policy classic\\.  Account \
Share Usage Billing-h +CPU-h +(Node-h +)?FairShare +Rank e "
like "the caller's jobs" "$own" "${job[4]} off +e +[1-5](st|nd|rd|th) of 5 "
is "their ranks are those of fathom explain JOB" \
	"$(of 'answer["jobs"][0]["rank"], answer["jobs"][0]["of"]' \
	as_user user4 fathom explain --json)" \
	"$(of 'answer["who"]["rank"], answer["who"]["of"]' fathom explain "${job[4]}" --json)"
runs=$(submit user4)
held=$(submit user4 --partition=off --hold)
wait_for_job "$runs" RUNNING
like "jobs that run and that are held" "$(as_user user4 fathom explain | paste -sd ' ')" \
	"1 job of yours runs, 2 wait\\. .* $held off +e +- is held by its user, until "
scancel "$runs" "$held"
is "it fits a screen" "$(awk 'length > 80 || NR > 24' <<<"$own")" ""

### PrivateData

slurm_conf PrivateData=jobs,usage
reconfigure
is "another's job is as if it did not exist" \
	"$(as_user user4 fathom explain "${job[1]}" 2>&1)" \
	"$(as_user user4 fathom explain 4000000 2>&1 | sed "s/4000000/${job[1]}/")"
is "so is another user" "$(as_user user4 fathom explain user1 2>&1)" \
	"$(as_user user4 fathom explain user9 2>&1 | sed 's/user9/user1/')"
# hidden JOB_OR_USER [OPTION...]: as user4 sees it, on one line
hidden ()
{
	as_user user4 fathom explain "$@" 2>&1 | paste -sd ' '
}
like "what is hidden is said first" "$(hidden "${job[4]}")" \
	"^PrivateData hides users and their usage from you: .* are not known\\. PrivateData \
may hide jobs from you: the rank among all jobs is not known\\. (Job ${job[4]} $down)?Job \
${job[4]} of user4 in account e waits in partition off, with priority [0-9,]+\\. Most "
is "so no rank is there in JSON, but what is hidden" \
	"$(of 'answer["who"]["rank"], answer["who"]["of"], answer["hidden"]' \
	as_user user4 fathom explain "${job[4]}" --json)" "(None, None, ['usage', 'jobs'])"
second=$(submit user4 --partition=off --nice=1)
like "a job that may be seen is known to be ahead" "$(hidden "$second")" \
	"Of the jobs that you may see, next ahead is job ${job[4]} of user4( in account e)?, "
like "two own jobs are compared" "$(hidden "$second" "${job[4]}" --change nice)" \
	"Job $second of user4 in account e comes behind job ${job[4]} .* with a nice value of "
scancel "$second"
is "no name of another user is in the answer" \
	"$(as_user user4 fathom explain "${job[4]}" --json | grep -o 'user[1235]' | sort -u)" ""
like "the caller's own accounts and jobs" "$(hidden)" \
	"^You are user4, .* PrivateData hides others: ranks are not known\\. .* ${job[4]} off +e \
+- "
like "a user has the factor that slurmctld sends, and no rank" "$(hidden user4)" \
	'^PrivateData hides .*\. The fair-share factor of user4 in account e is [0-9.]+\. '
is "it is that of sshare" \
	"$(of 'round(answer["who"]["factor"], 6), answer["who"]["rank"]' as_user user4 \
	fathom explain user4 --json)" "($(share_of e user4 FairShare | sed 's/0*$//'), None)"
factor=$(of 'answer["who"]["factor"]' as_user user4 fathom explain user4 --json)
is "no forecast" "$(hidden user4 --until 1)" \
	"fathom: --until: is not known, as PrivateData hides usage on which the factor depends; \
now the factor is $(hidden user4 | grep -oE 'account e is [0-9.]+[0-9]' | sed 's/.* //')"
like "but what is now" "$(hidden user4 --until "$factor")" 'is at .* already: it is '
is "no factor under another policy" "$(hidden user4 --policy fair-tree)" \
	"fathom: --policy, --set: PrivateData hides usage on which factors under other rules depend"
sacctmgr -iQ modify user user4 set adminlevel=operator >/dev/null
sees_all ()
{
	[[ $(hidden "${job[4]}") == *" of "[0-9]*" in partition off, "* ]]
}
ok "an operator sees all" wait_until sees_all
sacctmgr -iQ modify user user4 set adminlevel=none >/dev/null
like "root sees all" "$(fathom explain "${job[1]}" | paste -sd ' ')" ' of 5 in partition off, '
is "slurmctld logs no error" "$(controller_errors)" ""

cancel_all
