#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A reconfigure goes from each of six policies to the next. Under each, jobs of five users run; then
# sshare, sprio, fathom and FiguresFile agree, and waiting jobs start in the order that the policy
# makes of what was recorded.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/figures.sh
. "$(dirname "$0")/figures.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

# a pass only when it is asked for, so that all that is compared is of the same
live_start PriorityWeightAge=0 PriorityWeightFairshare=1000000 \
	"PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=60 \
PriorityJobFactor=2"
file=$cluster/state/fathom.json order=$cluster/orders
fathom_conf CalcPeriod=600 FiguresFile=fathom.json
mkdir -p "$order"
accounts=([1]=b c c e f)

# submit_rivals POLICY: a job of each user that takes the whole node, and tells when it runs
submit_rivals ()
{
	local user

	install --mode=666 /dev/null "$order/$1"
	for user in 3 1 5 2 4; do
		submit "user$user" \
			--account="${accounts[user]}" \
			--exclusive --wrap "echo user$user >>$order/$1" >/dev/null
	done
}

# all_over POLICY: have all of them told, and gone?
all_over ()
{
	no_jobs && (($(wc -l <"$order/$1") == 5))
}

### What is compared: "user factor" or "user priority"

in_file ()
{
	sed -n '/^"shares"/,/]}/s/.*"user": "\(user.\)".*"factor": \([^,}]*\).*/\1 \2/p' "$file"
}

evaluated_again ()
{
	fathom shares --all --json --from "$file" --policy "$1" |
		sed -n 's/.*"user": "\(user.\)".*"factor": \([^,}]*\).*/\1 \2/p'
}

in_fathom ()
{
	fathom shares --all --parsable2 --noheader --output=User,FairShare | grep '^user' |
		tr '|' ' '
}

in_sshare ()
{
	sshare --all --parsable2 --noheader --format=User,FairShare | grep '^user' | tr '|' ' '
}

# priority_of_factor WEIGHT PLUS: of lines
priority_of_factor ()
{
	awk -v weight="$1" -v plus="$2" '{ print $1, $2 * weight + plus }'
}

# priority_of_place WEIGHT: of lines. Each user has one job, so the best has the first place.
priority_of_place ()
{
	sort -k 2,2gr | awk -v weight="$1" '{ user[NR] = $1 }
		END { for (i = 1; i <= NR; i++) print user[i], (NR - i + 1) / NR * weight }'
}

waiting ()
{
	squeue --noheader --states=PENDING --format='%u %Q'
}

in_sprio ()
{
	sprio --noheader --format='%u %Y' | tr -s ' ' | sed 's/^ //'
}

in_prio ()
{
	fathom prio --noheader --parsable --output=User,Priority | tr '|' ' '
}

# agree TEXT LINES LINES SLACK: the same five users, with numbers that differ by no more
agree ()
{
	is "$1" \
		"$(join -a 1 -a 2 -e none -o 0,1.2,2.2 <(sort <<<"$2") <(sort <<<"$3") |
		awk -v slack="$4" '
		$2 == "none" || $3 == "none" || $2 - $3 > slack || $3 - $2 > slack {
		print $1 ": " $2 " and " $3 }
		END { if (NR != 5) print NR " users" }')" ""
}

# descends USERS FACTORS SLACK: none comes after one with less
descends ()
{
	awk -v slack="$3" 'FNR == NR { factor[$1] = $2; next }
		{ if (FNR > 1 && factor[$1] > before + slack) print $1 " after " last;
		before = factor[$1]; last = $1 }' \
		<(echo "$2") <(echo "$1")
}

### One policy after the other

while IFS='|' read -r policy flags tasks user weight plus; do
	# with Fair Tree in the flags sshare shows the factor, else its formula comes to it
	slurm_conf PriorityFlags="$flags"
	fathom_conf Policy="$policy"
	passes reconfigure_once
	# shellcheck disable=SC2086	# a number for each user
	run_jobs $tasks
	running=$(submit "user$user" --account="${accounts[user]}" --exclusive)
	wait_for_job "$running" RUNNING
	submit_rivals "$policy"
	passes pass_now

	is "$policy is in force" "$(sed -n 's/^"shares": {"policy": "\(.*\)",/\1/p' "$file")" \
		"$policy"
	recorded=$(in_file)
	agree "$policy: what was recorded comes to the same again" "$(evaluated_again "$policy")" \
		"$recorded" 1e-15
	agree "$policy: sshare shows it" "$(in_sshare)" "$recorded" 1e-6
	agree "$policy: fathom shares shows it" "$(in_fathom)" "$recorded" 1e-6
	if [[ $policy == lsf ]]; then
		expected=$(priority_of_place "$weight" <<<"$recorded")
	else
		expected=$(priority_of_factor "$weight" "$plus" <<<"$recorded")
	fi
	agree "$policy: priorities follow from it" "$(waiting)" "$expected" 1
	agree "$policy: sprio shows them" "$(in_sprio)" "$(waiting)" 1
	agree "$policy: fathom prio shows them" "$(in_prio)" "$(waiting)" 1

	scancel "$running"
	wait_until all_over "$policy"
	is "$policy: all have started" "$(sort "$order/$policy" | paste -sd ' ')" \
		"user1 user2 user3 user4 user5"
	is "$policy: in its order on what was recorded" \
		"$(descends "$(cat "$order/$policy")" "$recorded" 1e-6)" ""
	orders+="$(paste -sd ' ' "$order/$policy")"$'\n'
done <<'END'
classic|NO_FAIR_TREE|9 2 5 13 3|4|1000000|0
depth-oblivious|DEPTH_OBLIVIOUS|2 9 1 5 7|1|1000000|0
fair-tree||3 1 8 11 5|5|1000000|0
pbs|NO_FAIR_TREE|1 9 4 12 13|4|1000000|0
lsf||2 6 11 9 4|5|1000000|0
flux|NO_FAIR_TREE|1 2 1 30 20|2|100000|20000
END
ok "the orders are not all the same" test "$(sort -u <<<"${orders%$'\n'}" | wc -l)" -ge 4
is "slurmctld logs no error" "$(controller_errors)" ""
