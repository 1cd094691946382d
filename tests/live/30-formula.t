#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Priorities by other rules than the weighted sum: a formula gives each job what Python makes of it,
# a wrong one changes nothing; under flux priorities are flux-accounting's; who has no shares under
# LSF's or PBS's rule comes last.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

live_start PriorityWeightAge=0 PriorityWeightFairshare=1000 PriorityWeightPartition=100 \
	PriorityFlags=NO_FAIR_TREE \
	AccountingStorageTRES=license/matlab Licenses=matlab:4 \
	"PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=60 \
TRESBillingWeights=CPU=100000 PriorityJobFactor=1" \
	"PartitionName=off Nodes=ALL State=DOWN PriorityJobFactor=20 DefaultTime=90" \
	"PartitionName=low Nodes=ALL State=DOWN PriorityJobFactor=5 DefaultTime=90"
log=$cluster/log/slurmctld.log figures=$cluster/state/fathom.json
fathom_conf CalcPeriod=600 FiguresFile=fathom.json
sacctmgr -iQ modify account e set priority=50 >/dev/null
sacctmgr -iQ modify account c set priority=7 >/dev/null
reconfigure

# use: usage of its own for each user but one, by jobs that are over when it returns
use ()
{
	local job runs=()

	for job in user1:9 user2:1 user4:7 user5:3; do
		runs+=("$(submit "${job%:*}" --partition=all --ntasks="${job#*:}" \
			--wrap 'sleep 1')")
	done
	wait_for_ends "${runs[@]}"
}

use
submit user1 --partition=off --ntasks=16 --nice=3 >/dev/null
submit user2 --partition=low --mem=100 --time=30 >/dev/null
submit user3 --partition=off --mem-per-cpu=50 --ntasks=4 --licenses=matlab:2 >/dev/null
submit user4 --partition=low --nice=14 --time=1-00:00:00 >/dev/null
submit user5 --partition=off --ntasks=2 >/dev/null
several=$(submit user4 --partition=off,low --ntasks=3)
scontrol update \
	JobId="$(as_user root sbatch \
	--parsable --uid=user1 --account=b --partition=off --chdir=/ --output=/dev/null \
	--wrap 'sleep infinity')" Nice=-6

# by_python EXPRESSION: each job's in each of its partitions, from what commands show
by_python ()
{
	"$live_top/tests/live/formula.py" \
		"$1" <(scontrol --oneliner show job) <(scontrol --oneliner show partition) \
		<(fathom shares --all --json --from "$figures") <(sacctmgr -nP list assoc \
		format=account,user,priority) | sort
}

by_sprio ()
{
	sprio --noheader --format='%i %r %Y' | awk '{ print $1 ":" $2, $3 }' | sort
}

# by_scontrol: of a job in several partitions it shows any of them
by_scontrol ()
{
	squeue --noheader --states=PENDING --format='%i:%P %Q' | grep -v , | sort
}

# without_several: of lines of sprio's
without_several ()
{
	grep -v "^$several:"
}

# within TEXT LINES LINES SLACK: the same jobs, priorities that differ by no more
within ()
{
	is "$1" \
		"$(join -a 1 -a 2 -e none -o 0,1.2,2.2 <(echo "$2") <(echo "$3") |
		awk -v slack="$4" '
		$2 == "none" || $3 == "none" || $2 - $3 > slack || $3 - $2 > slack {
		print "job " $1 ": " $2 " and " $3 }')" ""
}

# said PATTERN: since the last call of quiet
said ()
{
	tail -n +"$line" "$log" | grep -qE -- "$1"
}

quiet ()
{
	line=$(($(wc -l <"$log") + 1))
}

# renew KEY=VALUE...: of fathom.conf; in force, and in FiguresFile, when it returns
renew ()
{
	fathom_conf "$@"
	touch "$cluster/mark"
	reconfigure_once
	has_figures
}

# follow: a pass
follow ()
{
	touch "$cluster/mark"
	pass_now
	has_figures
}

has_figures ()
{
	wait_until test "$figures" -nt "$cluster/mark"
}

### Formulas that mean the same to Python

quiet
policy=
while IFS='|' read -r next formula; do
	renew Policy="$next" Formula="\"$formula\""
	[[ $next == "$policy" ]] || { use && follow; }	# sums of its own begin with nothing
	policy=$next
	sprio=$(by_sprio)
	within "$policy: $formula" "$sprio" "$(by_python "$formula")" 1
	is "scontrol shows that" "$(by_scontrol)" "$(without_several <<<"$sprio")"
done <<'END'
classic|10000*fairshare_factor + queue_priority + 5*(ncpus > 8) + 500
classic|1000*ncpus + mem/1024 + walltime/60 + 100*license_matlab - 2*nice + 100
pbs|100000 * pow(2, -(fairshare_tree_usage/fairshare_perc)) + 10*job_priority + 300
pbs|max(100, sqrt(walltime) * 10 / (ncpus - 1))
fair-tree|100000*fairshare + min(norm_shares, 1)*1000 + effective_usage*100 + cpu
END
ok "a value that does not exist is told" said 'warning: Formula: [0-9]+ of 7 jobs have no value'

### A wrong one

renew Policy=classic 'Formula="1000*queue_priority"' FormulaScale=2
is "the scale multiplies, and each partition has its priority" "$(by_sprio | grep "^$several:")" \
	"$several:low 10000
$several:off 40000"
good="$several:low 10000"
while IFS='|' read -r formula message; do
	quiet
	printf 'CalcPeriod=600\nPolicy=classic\nFormula="%s"\nFormulaScale=3\n' \
		"$formula" >"$cluster/fathom.conf"
	reconfigure_once
	ok "'$formula' is told with file, line, key and column" said \
		"error: .*$cluster/fathom.conf:3: Formula: $message"
	is "'$formula' changes nothing" "$(by_sprio | grep "^$several:low 10000\$")" "$good"
done <<'END'
fairsare_factor * 10|column 1: 
1 + (2 * age|column 
level_fs|column 1: 
5 if age > 1 else 2|column 
END
printf 'CalcPeriod=600\nPolicy=classic\nFiguresFile=fathom.json\n' >"$cluster/fathom.conf"
quiet
renew
ok "without it the sum counts again" test "$(priority_of "$several")" -le 1100 \
	-a "$(priority_of "$several")" -gt 1
not_ok "and no error is told" said 'error:.*fathom'

### flux-accounting's sum

renew Policy=flux
use
flux='(urgency > 0)*floor(.5 + 100000*fairshare + 10000*queue_priority + %s*bank +
1000*(urgency - 16))'
for weight in 0 -20 300; do
	renew BankWeight=$weight
	# shellcheck disable=SC2059	# the weight is of numbers alone
	python=$(by_python "$(printf "$flux" "$weight")")
	within "flux, BankWeight=$weight: priorities are flux-accounting's" "$(by_scontrol)" \
		"$(without_several <<<"$python")" 0
	within "sprio shows these" "$(by_sprio)" "$python" 1
done

### No shares

sacctmgr -iQ modify user user3 account=c set fairshare=0 >/dev/null
for policy in lsf pbs; do
	renew Policy="$policy"
	is "$policy: a user without shares has priority 1, and nobody else" \
		"$(squeue --noheader --states=PENDING --format='%u %Q' |
		awk '$2 <= 1 { print $1 " " $2 }')" "user3 1"
	is "sprio shows that" "$(sprio --noheader --user=user3 --format=%Y | tr -d ' ')" 1
done
job=$(submit user3 --wrap 'sleep 1')
ok "such a job is not held" wait_for_job "$job" COMPLETED
renew Policy=pbs FairshareEnforceNoShares=no
ok "unless that is not enforced" test \
	"$(priority_of "$(squeue --noheader --user=user3 --format=%i)")" -gt 1

sacctmgr -iQ modify account e set priority=-1 >/dev/null
sacctmgr -iQ modify account c set priority=-1 >/dev/null
