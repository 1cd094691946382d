#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Policy=flux gives jobs the priorities of flux-accounting.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

live_start PriorityWeightFairshare=0 \
	"PartitionName=off Nodes=ALL Default=YES State=DOWN PriorityJobFactor=1"
fathom_conf Policy=flux CalcPeriod=600
reconfigure
order=$cluster/flux-order
install --mode=666 /dev/null "$order"

# anew KEY=VALUE...: what fathom.conf says from now on
anew ()
{
	rm -f "$cluster/fathom.conf"
	fathom_conf CalcPeriod=600 "$@"
	reconfigure_once
}

# nice_job NICE: sent by root, who may set any; it writes its NICE when it starts
nice_job ()
{
	sbatch --parsable --uid=user1 --account=b --chdir=/ --output=/dev/null --exclusive \
		--nice="$1" --wrap "echo $1 >>$order"
}

# priorities JOB...: as squeue has them
priorities ()
{
	local job

	for job; do
		priority_of "$job"
	done | paste -sd ' '
}

# sums JOB...: what sprio adds up
sums ()
{
	local job

	for job; do
		sprio --noheader --format=%Y --jobs="$job" | tr -d ' '
	done | paste -sd ' '
}

# seen JOB: does sprio show it, as the scheduler has seen it?
seen ()
{
	[[ $(sprio --noheader --jobs="$1" --format=%i 2>/dev/null) ]]
}

# factor_of USER: seven digits
factor_of ()
{
	fathom shares -a --json | python3 -c 'import json, sys
print(*("%.7f" % row["factor"] for row in json.load(sys.stdin)["associations"]
	if row["user"] == sys.argv[1]))' "$1"
}

### Urgency

jobs=()
for nice in 0 1 15 16 1000000 -1 -14 -15 -1000000; do
	jobs+=("$(nice_job "$nice")")
done
reconfigure_once
default=$(priority_of "${jobs[0]}")
wanted="$default $((default - 1000)) $((default - 15000)) 0 0 \
$((default + 1000)) $((default + 14000)) 4294967295 4294967295"
is "urgency is 16 - nice, from 0 to 31" "$(priorities "${jobs[@]}")" "$wanted"
is "sprio adds up to it" "$(sums "${jobs[@]:0:3}" "${jobs[@]:5}")" "${wanted/ 0 0 / }"
is "urgency 0 holds, with a reason" "$(squeue --noheader --jobs="${jobs[3]}" --format=%r)" \
	"fathom: urgency is 0"
like "that explain prints" "$(fathom explain "${jobs[3]}" | tr '\n' ' ')" \
	"held by fathom until this changes: urgency is 0\\."
not_ok "users cannot raise theirs by nice" submit user1 --nice=-1 2>/dev/null

# by the words of a comment
asked=$(submit user1 --comment='for ann urgency=12')
raised=$(submit user1 --comment=urgency=20)
reconfigure_once
is "the comment lowers urgency, and raises it not" "$(priorities "$asked" "$raised")" \
	"$((default - 4000)) $default"
like "with a reason" "$(fathom explain "$raised" | tr '\n' ' ')" \
	"A word of its comment does not count: only UrgencyRaise=yes lets urgency= be above 16\\."
as_user user1 scontrol update JobId="$asked" Comment=urgency=0
is "it is read again at once" "$(priorities "$asked")" 0
as_user user1 scontrol update JobId="$asked" Comment=urgency=15
reconfigure_once
is "and, of a job that is held, in the next pass" "$(priorities "$asked")" "$((default - 1000))"
anew Policy=flux UrgencyRaise=yes
is "UrgencyRaise=yes lets it raise" "$(priorities "$raised")" "$((default + 4000))"
as_user user1 scontrol update JobId="$raised" Comment=urgency=high
is "anything else is 16" "$(priorities "$raised")" "$default"
like "with a reason, too" "$(fathom explain "$raised" | tr '\n' ' ')" \
	"urgency= must be a whole number from 0 to 31\\."
scancel "$asked" "$raised"
anew Policy=flux

# slurmctld takes 4294967295 for a wish in a request; in a job it is a number like others
scontrol hold "${jobs[7]}"
is "an expedited job is held" "$(priority_of "${jobs[7]}")" 0
scontrol release "${jobs[7]}"
is "and released" "$(priority_of "${jobs[7]}")" 4294967295
scontrol update JobId="${jobs[7]}" Nice=0
is "and put back in line" "$(priority_of "${jobs[7]}")" "$default"
scontrol update JobId="${jobs[7]}" Nice=-20
is "and expedited again" "$(priority_of "${jobs[7]}")" 4294967295
scontrol update PartitionName=off State=UP
only_held ()
{
	[[ $(squeue --noheader --format=%Q | sort -u) == 0 ]]
}
wait_until only_held
is "expedited jobs start first" "$(paste -sd ' ' "$order")" "-15 -1000000 -14 -1 0 1 15"
scontrol update JobId="${jobs[3]}" Nice=15
reconfigure_once
scontrol update PartitionName=off State=UP
ok "with urgency 1 the job is no longer held" wait_for_job "${jobs[3]}" COMPLETED
scancel "${jobs[4]}"
wait_until no_jobs
### Banks

scontrol update PartitionName=off State=DOWN
sacctmgr -iQ modify account E set priority=40 >/dev/null
anew Policy=flux QueueWeight=0 BankWeight=10 BankPriority=B:300,C:-5
jobs=("$(submit user1 --account=b)" "$(submit user2 --account=c)" "$(submit user4 --account=e)")
reconfigure_once
for index in 0 1 2; do
	fairshare=$(sprio --noheader --format=%F --jobs="${jobs[index]}")
	terms=(3000 -50 400)
	is "the bank of job $((index + 1)) adds ${terms[index]}" "$(priority_of "${jobs[index]}")" \
		"$((fairshare + terms[index]))"
done

### What flux account jobs shows

is "fathom prio -l has it in a row" \
	"$(fathom prio -lP --jobs="${jobs[1]}")" \
"JOBID|USER|BANK|BANKPRIO|BANKFACT|QUEUE|QPRIO|QFACT|FAIRSHARE|FSFACTOR|URGENCY|URGFACT|PRIORITY
${jobs[1]}|user2|c|-5|10|off|1|0|$(factor_of user2)|100000|16|1000|$(priority_of "${jobs[1]}")"
anew Policy=flux BankPriority=B:300 FairshareWeight=0 UrgencyWeight=0
jobs+=("$(nice_job 3)")
wait_until seen "${jobs[3]}"
is "also what has no weight: queue, bank, fair share, urgency" \
	"$(fathom prio -lnP --jobs="$(paste -sd , <(printf '%s\n' "${jobs[@]}"))")" \
"${jobs[0]}|user1|b|300|0|off|1|10000|$(factor_of user1)|0|16|0|10000
${jobs[1]}|user2|c|0|0|off|1|10000|$(factor_of user2)|0|16|0|10000
${jobs[2]}|user4|e|40|0|off|1|10000|$(factor_of user4)|0|16|0|10000
${jobs[3]}|user1|b|300|0|off|1|10000|$(factor_of user1)|0|13|0|10000"
is "-A: of a bank" "$(fathom prio -nP -A C,E -o JobID | paste -sd ' ')" "${jobs[1]} ${jobs[2]}"

anew Policy=flux BankWeight=10 BankPriority=B:300
scontrol hold "${jobs[1]}" "${jobs[2]}" "${jobs[3]}"
scontrol update PartitionName=off State=UP
wait_for_job "${jobs[0]}" RUNNING
is "a running job is not shown" "$(fathom prio -nP -o JobID)" ""
factor=$(factor_of user1)
is "--state shows it, with its parts" "$(fathom prio -lnP --state=R)" \
	"${jobs[0]}|user1|b|300|10|off|1|10000|$factor|100000|16|1000|$(priority_of \
	"${jobs[0]}")|RUNNING"
is "and pending jobs that sprio does not show" \
	"$(fathom prio -nP --state=all -o JobID,State,Priority | tail -n 3 | head -n 1)" \
	"${jobs[1]}|PENDING|0"
is "JSON has the same" "$(fathom prio --json --state=R | python3 -c 'import json, sys
job = json.load(sys.stdin)["jobs"][0]
print(job["state"], job["priority"], *list(job["flux"].values())[:4], job["flux"]["urgency"])')" \
	"RUNNING $(priority_of "${jobs[0]}") 300 10 1 10000 16"
shown="{PRIORITY} {BANKPRIO}*{BANKFACT} {FAIRSHARE}*{FSFACTOR}"
is "the view shows the weights in force" \
	"$(fathom prio --view flux -- -f running -o "$shown" | tail -n 1)" \
	"$(priority_of "${jobs[0]}") 300.0*10 $(python3 -c "print(round($factor, 6))")*100000"
anew Policy=flux BankWeight=20 BankPriority=B:300
is "and none that came after the priority" \
	"$(fathom prio --view flux -- -f running -o "$shown" | tail -n 1)" \
	"$(priority_of "${jobs[0]}") 300.0*- -*-"
is "after a change of weights the new ones stand beside the old priority" \
	"$(fathom prio -nP --state=R -o BankFact,Priority)" "20|$(priority_of "${jobs[0]}")"
anew
is "under other policies, what a running job's priority was made of is not known" \
	"$(fathom prio -nP --state=R -o JobID,FairShare,Age,Priority)" \
	"${jobs[0]}|||$(priority_of "${jobs[0]}")"
is "slurmctld logs no error" "$(controller_errors)" ""

cancel_all
sacctmgr -iQ modify account E set priority=0 >/dev/null
