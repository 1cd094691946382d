#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# FairshareEntity of policy pbs with ResourceGroup: jobs are charged to users, groups, accounts and
# partitions in a tree of their own.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

live_start PriorityWeightAge=0 PriorityWeightFairshare=1000 \
	"PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=60" \
	"PartitionName=other Nodes=ALL MaxTime=INFINITE DefaultTime=60"
add_user user4 b fairshare=99	# beside account e

# anew KEY=VALUE...: fathom.conf, with the lines of a resource group after them
anew ()
{
	rm -f "$cluster/fathom.conf"
	fathom_conf Policy=pbs FairshareDecayTime=1000d CalcPeriod=600 FiguresFile=fathom.json "$@"
	cat >>"$cluster/fathom.conf"
	reconfigure_once
}

# shown JOB COUNT: whether sprio has so many lines for it
shown ()
{
	[[ $(sprio --noheader --jobs="$1" | wc -l) == "$2" ]]
}

# places ACCOUNT:USER...: fair-share factors
places ()
{
	local association

	for association; do
		share_of "${association%:*}" "${association#*:}" FairShare
	done | paste -sd ' '
}

anew Order=path <<'END'
ResourceGroup="group1 root 40"
ResourceGroup="user1 group1 50"
ResourceGroup="user2 group1 50"
ResourceGroup="group2 root 60"
ResourceGroup="user3 group2 60"
ResourceGroup="user4 group2 40"
END
first=$(submit user1 --account=b --ntasks=4 --wrap 'sleep 1')
second=$(submit user4 --account=e --ntasks=40 --wrap 'sleep 1')
wait_for_ends "$first" "$second"
reconfigure_once
# of the six entities user5 and root are not listed, and without shares
everybody=(b:user1 c:user2 c:user3 e:user4 b:user4 f:user5)
wanted="0.833333 1.000000 0.666667 0.500000 0.500000 0.333333"
is "users have the places of their entities, in whatever account" "$(places "${everybody[@]}")" \
	"$wanted"
is "fathom shares has them too" "$(fathom shares -aUPn -o Account,User,FairShare |
	awk -F '|' '$2 == "user4" { print $3 }' | paste -sd ' ')" "0.500000 0.500000"
blocker=$(submit user1 --account=b --exclusive)
wait_for_job "$blocker" RUNNING
is "their jobs go by them" "$(priority_of "$(submit user4 --account=b --exclusive)")" 500
is "who is not listed has no shares, and never runs" \
	"$(priority_of "$(submit user5 --account=f --exclusive)")" 1

anew FairshareEntity=Account_Name InitialUsage=0 <<'END'
ResourceGroup="b root 1"
ResourceGroup="e root 3"
END
is "accounts: all their users have one factor" \
	"$(share_of b user1 FairShare)" "$(share_of b user4 FairShare)"
ok "which is that of what the account has used" \
	awk -v e="$(share_of e user4 FairShare)" -v b="$(share_of b user1 FairShare)" \
	'BEGIN { exit !(e > 0 && e < 1 && b > 0 && b < 1 && e != b) }'
is "others are without shares" "$(places c:user2)" 0.000000
anew FairshareEntity=egroup <<<"ResourceGroup=\"$(id --group --name user1) root 1\""
ok "groups are those of the system" \
	awk -v f="$(places b:user1)" 'BEGIN { exit !(f > 0) }'

cancel_all			# so that nothing is charged to partition all
anew FairshareEntity=queue <<'END'
ResourceGroup="all root 30"
ResourceGroup="other root 70"
END
blocker=$(submit user1 --account=b --partition=other --exclusive)
wait_for_job "$blocker" RUNNING
has_run ()
{
	(($(date +%s) > $(date -d "$(job_field "$blocker" StartTime)" +%s) + 1))
}
wait_until has_run
reconfigure_once
is "partitions: who has used nothing has the factor of the partition" \
	"$(priority_of "$(submit user3 --account=c --partition=other --exclusive)")" \
	"$(awk 'BEGIN { print int(1000 * 2 ^ (-1 / .7)) }')"
is "a partition without usage is first" \
	"$(priority_of "$(submit user1 --account=b --partition=all --exclusive)")" 1000
is "associations have no factor then, in sshare 0" \
	"$(share_of b user1 FairShare) $(fathom shares -Pn -u user1 -U -o User,FairShare)" \
	"0.000000 user1|"
is "a job of both has a factor in each" \
	"$(both=$(submit user3 --account=c --partition=all,other --exclusive)
	wait_until shown "$both" 2
	sprio --noheader --jobs="$both" --format='%r %F' | sort | tr -s ' ' | paste -sd ' ')" \
	"all 1000 other 371"

printf 'ResourceGroup="user9 group9 1"\n' >>"$cluster/fathom.conf"
reconfigure_once
ok "a wrong line is told of" controller_said "ResourceGroup: 'user9' has the parent 'group9'"
cancel_all
