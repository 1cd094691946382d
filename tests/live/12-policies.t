#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Under each policy sshare, fathom shares, the documents' formulas and the jobs' priorities agree; a
# reconfigure goes from any policy to any other without a restart.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

# One million is the only weight, and a CPU second is 100000, so that sshare's rounding is far away.
live_start PriorityWeightAge=0 PriorityWeightFairshare=1000000 PriorityFlags=NO_FAIR_TREE \
	"PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=60 \
TRESBillingWeights=CPU=100000" \
	"PartitionName=off Nodes=ALL State=DOWN"
fathom_conf CalcPeriod=1
add_user user2 B fairshare=parent
add_account P A fairshare=parent
add_user user4 P fairshare=3
reconfigure

# Usage of its own for each association, and a job that waits in each
for job in user1:b:9 user2:b:1 user2:c:5 user4:e:7 user4:p:11; do
	IFS=: read -r user account tasks <<<"$job"
	runs+=("$(submit "$user" --account="$account" --ntasks="$tasks" --wrap 'sleep 2')")
done
for job in user1:b user2:b user2:c user3:c user4:e user4:p user5:f; do
	submit "${job%:*}" --account="${job#*:}" --partition=off >/dev/null
done
wait_for_ends "${runs[@]}"

### What is compared: account|user|factor|norm shares|raw usage|effective usage|level fs

# columns_of POLICY
columns_of ()
{
	echo Account,User,FairShare,NormShares,RawUsage,EffectvUsage"$([[ $1 != fair-tree ]] ||
		echo ,LevelFS)"
}

# only_users: rows without accounts, of which Fair Tree tells no factor
only_users ()
{
	sed 's/^ *//' | awk -F '|' '$2 != "" && $2 != "root"'
}

# by_sshare POLICY; by_fathom POLICY [OPTION...]
by_sshare ()
{
	sshare --all --long --parsable2 --noheader --format="$(columns_of "$1")" | only_users
}

by_fathom ()
{
	fathom shares --all --parsable2 --noheader --output="$(columns_of "$1")" "${@:2}" |
		only_users
}

by_formulas ()
{
	sshare --all --parsable2 --noheader --format=Account,User,RawShares,RawUsage |
		"$live_top/tests/live/policies.py" "$1" | only_users
}

by_priority ()
{
	squeue --noheader --partition=off --format='%a|%u|%Q' |
		awk -F '|' '{ printf "%s|%s|%.6f\n", $1, $2, $3 / 1000000 }'
}

# factors: of rows, those that have a job waiting, in order
factors ()
{
	cut -d '|' -f 1-3 | sort
}

# agree TEXT ROWS ROWS TOLERANCE: each row of both is in the other, with the same numbers
agree ()
{
	is "$1" "$(awk -F '|' -v tolerance="$4" '
		FNR == NR { rows++; other[$1 "|" $2] = $0; next }
		{ rows--; bad = split(other[$1 "|" $2], value) < NF
		  for (i = 3; i <= NF; i++) {
			d = value[i] - $i; if (d < 0) d = -d
			if ((value[i] "" == "inf") != ($i "" == "inf") || ($i "" != "inf" &&
			d > tolerance * ($i > 1 ? $i : 1))) bad = 1 }
		  if (bad) print other[$1 "|" $2] " <> " $0 }
		END { if (rows) print "different numbers of rows" }' <(echo "$2") <(echo "$3"))" ""
}

# root_share POLICY: Fair Tree's shares are parts of a level, and the root is in none
root_share ()
{
	if [[ $1 == fair-tree ]]; then
		echo 0.000000
	else
		echo 1.000000
	fi
}

# with_level_of_parent POLICY: sshare leaves LevelFS out where shares are `parent`; it is infinite
with_level_of_parent ()
{
	if [[ $1 == fair-tree ]]; then
		sed '/^b|user2|/s/|$/|inf/'
	else
		cat
	fi
}

# holds POLICY: all that is shown is that policy's
holds ()
{
	local sshare

	sshare=$(by_sshare "$1")
	is "$1 is what fathom shares says" \
		"$(fathom shares --json | sed -n 's/^ "policy": "\(.*\)",/\1/p')" "$1"
	agree "$1: fathom shares shows what sshare shows" "$(by_fathom "$1")" \
		"$(with_level_of_parent "$1" <<<"$sshare")" 3e-5
	is "changed algorithm: under $1 the root's share is as after a start" \
		"$(share_of root '' NormShares)" "$(root_share "$1")"
	agree "changed algorithm: under $1 all figures follow from its formulas" \
		"$(by_formulas "$1")" "$sshare" 3e-5
	agree "$1: priorities are these factors" "$(by_priority)" "$(factors <<<"$sshare")" 2e-6
	agree "$1: so are those from a file of sshare's" \
		"$(by_fathom "$1" --policy "$1" --from <(sshare --all --parsable) |
		factors)" "$(factors <<<"$sshare")" 3e-5
}

# now FLAG: by a reconfigure; one pass later all has followed
now ()
{
	slurm_conf PriorityFlags="$1"
	reconfigure
	wait_for_pass
}

wait_for_pass
holds classic

# figures: of all associations, without asking for their shares
figures ()
{
	scontrol --oneliner show assoc_mgr flags=assoc | grep -o 'UsageRaw/Norm/Efctv=[^ ]*'
}

# one pass in ten minutes: what it wrote stays
fathom_conf CalcPeriod=600
for flag in DEPTH_OBLIVIOUS NO_FAIR_TREE; do
	run=$(submit user5 --account=f --ntasks=20)
	wait_for_job "$run" RUNNING
	sleep 2
	slurm_conf PriorityFlags="$flag"
	reconfigure_once
	before=$(figures)
	sshare=$(by_sshare classic)
	is "stale siblings: all have their figures before anybody asks ($flag)" "$before" \
		"$(figures)"
	by_sshare classic >/dev/null
	is "read lock: sshare's request writes nothing ($flag)" "$(figures)" "$before"
	agree "order of the job list: who waits before his running job sees it ($flag)" \
		"$(by_priority)" \
		"$(factors <<<"$sshare")" 2e-6
	scancel "$run"
	wait_for_job "$run" CANCELLED
done
fathom_conf CalcPeriod=1
reconfigure

for flag in '' DEPTH_OBLIVIOUS NO_FAIR_TREE ''; do
	now "$flag"
	case $flag in
	NO_FAIR_TREE) holds classic ;;
	DEPTH_OBLIVIOUS) holds depth-oblivious ;;
	*) holds fair-tree ;;
	esac
done
for policy in classic depth-oblivious fair-tree; do
	agree "$policy asked of fathom shares is what the formulas give" \
		"$(by_fathom $policy --policy $policy | factors)" \
		"$(by_formulas $policy | factors)" 3e-5
done

### fathom.conf's Policy stands above PriorityFlags

fathom_conf Policy=classic
reconfigure
wait_for_pass
is "Policy=classic with Fair Tree in force: fathom shares says classic" \
	"$(fathom shares --json | sed -n 's/^ "policy": "\(.*\)",/\1/p')" classic
agree "Policy=classic: priorities follow the formulas" "$(by_priority)" \
	"$(by_formulas classic | factors)" 3e-5
agree "Policy=classic: sshare shows its factors" "$(by_sshare classic | factors)" \
	"$(by_formulas classic | factors)" 3e-5
fathom_conf Policy=fair-tree
now NO_FAIR_TREE
agree "Policy=fair-tree with NO_FAIR_TREE: priorities follow the formulas" "$(by_priority)" \
	"$(by_formulas fair-tree | factors)" 3e-5
agree "Policy=fair-tree with NO_FAIR_TREE: sshare shows its factors" \
	"$(by_sshare classic | factors)" "$(by_formulas fair-tree | factors)" 3e-5
fathom_conf Policy=

# compared with a factor that has its weight on it already
sacctmgr -iQ add qos bar UsageThreshold=1 Flags=EnforceUsageThreshold >/dev/null
sacctmgr -iQ modify user user1 account=b set qos+=bar >/dev/null
job=$(submit user1 --account=b --qos=bar)
ok "usage threshold: slurmctld holds nobody for it" wait_for_job "$job" RUNNING
cancel_all
sacctmgr -iQ modify user user1 account=b set qos-=bar >/dev/null
sacctmgr -iQ delete qos bar >/dev/null
is "slurmctld logs no error" "$(controller_errors)" ""
