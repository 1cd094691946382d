#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A cell of fathom shares is the same from FiguresFile, from the controller alone and from sshare's
# text; what the controller does not tell is empty.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

# usage does not decay, so that it is a whole number, which is what the controller tells
usage_start PriorityWeightAge=0 PriorityWeightFairshare=1000000 PriorityFlags=NO_FAIR_TREE
file=$cluster/state/fathom.json
common=Account,User,RawShares,NormShares,RawUsage,NormUsage,EffectvUsage,FairShare
add_user user2 B fairshare=parent
add_account P A fairshare=parent
add_user user4 P fairshare=3
add_user user3 root fairshare=parent
reconfigure
for job in user1:b:9 user2:b:1 user2:c:5 user4:e:7 user4:p:11; do
	IFS=: read -r user account tasks <<<"$job"
	runs+=("$(submit "$user" --account="$account" --ntasks="$tasks" --wrap 'sleep 1')")
done
wait_for_ends "${runs[@]}"
# what slurmctld reads from the database at its start stands in another order there
controller_restart

# table COLUMNS [OPTION...]
table ()
{
	fathom shares --all --parsable2 --output="$1" "${@:2}"
}

# figures_pass [KEY=VALUE...]: of fathom.conf; FiguresFile is of a pass under them when this returns
figures_pass ()
{
	fathom_conf "$@"
	touch "$cluster/mark"
	reconfigure_once
	wait_until test "$file" -nt "$cluster/mark"
}

# apart TABLE TABLE [may-be-empty]: cells in which they differ by more than the last digit; those of
# the second may be empty
apart ()
{
	awk -F '|' -v lenient="${3-}" '
		FNR == NR { row[FNR] = $0; rows++; next }
		FNR == 1 { split($0, heading) }
		{ rows--; n = split(row[FNR], value)
		  if (n != NF) print FNR ": " row[FNR] " <> " $0
		  for (i = 1; i <= NF; i++) {
			if ($i == value[i] || (lenient != "" && $i == "")) continue
			d = value[i] - $i
			if ($i !~ /^[0-9.]+$/ || value[i] !~ /^[0-9.]+$/ || d * d > 1.1e-12)
				print $1 "/" $2 " " heading[i] ": " value[i] " <> " $i } }
		END { if (rows) print "different numbers of rows" }' <(echo "$1") <(echo "$2")
}

### What the controller tells in full

while IFS='|' read -r policy flags own; do
	slurm_conf PriorityFlags="$flags"
	figures_pass FiguresFile=fathom.json Policy=
	with_file=$(table "$common,$own") text=$(sshare --all --parsable)
	sed -i /^FiguresFile/d "$cluster/fathom.conf"
	is "$policy: the controller tells what FiguresFile has" \
		"$(apart "$with_file" "$(table "$common,$own")")" ""
	is "$policy: sshare's text comes to what FiguresFile has" \
		"$(apart "$with_file" \
		"$(table "$common,$own" --policy="$policy" --from=- <<<"$text")")" ""
	is "$policy: a copy of FiguresFile is what it is live" \
		"$(table "$common,$own" --from="$file")" "$with_file"
	is "$policy: the root" "$(sed -n 2p <<<"$with_file" | cut -d '|' -f 1-4,6-8)" \
		'root|||1.000000|1.000000|1.000000|'
	is "$policy: root's own user is where sshare has it" \
		"$(cut -d '|' -f 1,2 <<<"$with_file")" \
		"$(cut -d '|' -f 1,2 <<<"$text")"
done <<'END'
classic|NO_FAIR_TREE|RawShares
depth-oblivious|DEPTH_OBLIVIOUS|UsageRatio,ParentRatio,LocalRatio,k
fair-tree||LevelFS,Rank
END

### What sshare is shown in the place of a policy's figures

# sshare_computes: does sshare compute FairShare itself without Fair Tree? From 25.11 on it shows
# what slurmctld sends.
sshare_computes ()
{
	! slurm_since 25.11
}

# cells COLUMN KIND: of users or accounts, each value once
cells ()
{
	table "User,$1" --noheader |
		awk -F '|' -v kind="$2" '($1 != "") == (kind == "users") { print $2 }' | sort -u
}

while IFS='|' read -r policy own; do
	for flags in NO_FAIR_TREE ''; do
		slurm_conf PriorityFlags="$flags"
		figures_pass FiguresFile=fathom.json Policy="$policy"
		columns=${common/RawUsage,/}$own
		with_file=$(table "$columns")
		sed -i /^FiguresFile/d "$cluster/fathom.conf"
		is "$policy, PriorityFlags='$flags': no cell is other than FiguresFile's" \
			"$(apart "$with_file" "$(table "$columns")" may-be-empty)" ""
		is "$policy, PriorityFlags='$flags': nothing is evaluated from usage" \
			"$(fathom shares --all --long | head -n 1 | cut -d ' ' -f 1)" Account
		is "$policy, PriorityFlags='$flags': who has shares has a factor" \
			"$(table User,RawShares,FairShare --noheader |
			awk -F '|' '$1 != "" && $2 != 0 && $3 == ""')" ""
		if [[ $policy != pbs ]]; then
			is "$policy, PriorityFlags='$flags': accounts have no factor" \
				"$(cells FairShare accounts)" ""
		fi
	done
	slurm_conf PriorityFlags=NO_FAIR_TREE
	reconfigure_once
	if [[ $policy == pbs ]] || ! sshare_computes; then continue; fi
	is "$policy: usage that only makes sshare's factor is not shown" \
		"$(cells EffectvUsage users)" ""
	is "$policy: nor in JSON" \
		"$(fathom shares --all --json | grep '"user": "' |
		grep -vc '"effective_usage": null')" 0
done <<'END'
fair-tree|,LevelFS,Rank
pbs|,FairsharePerc,FairshareTreeUsage,FairshareFactor
lsf|,Priority,Order
flux|,LevelFS,Rank
END
is "a table cuts no list of TRES where there is room" \
	"$(fathom shares --all --long | grep -c '+')" 0

### Who asks

fathom_conf Policy=lsf
slurm_conf PriorityFlags=NO_FAIR_TREE
chmod 600 "$cluster/fathom.conf"	# slurmctld does not tell it either
reconfigure_once
like "who may not read fathom.conf is told that the policy is unknown" \
	"$(as_user user1 fathom shares 2>&1 >/dev/null)" \
	"^fathom: $cluster/fathom.conf: Permission denied; its policy is unknown$"
if sshare_computes; then
	is "and sees nothing that is made for sshare" \
		"$(as_user user1 fathom shares --all -P -n -o User,EffectvUsage,FairShare \
			2>/dev/null | tail -n +2 |
			awk -F '|' '$2 != "" || ($1 == "" && $3 != "")')" ""
	is "nor a factor where what sshare prints may not be the policy's" \
		"$(as_user user1 fathom shares --all -P -n -o Account,User,FairShare 2>/dev/null |
		grep -E '^ root\|(root|user3)')" \
		" root|root|
 root|user3|"
else
	is "and sees the figures that slurmctld sends" \
		"$(as_user user1 fathom shares --all -P -o User,EffectvUsage,FairShare \
			2>/dev/null)" "$(table User,EffectvUsage,FairShare)"
fi
chmod 644 "$cluster/fathom.conf"
is "whose id has no name is told that he sees everybody" \
	"$(as_user 54321 fathom shares 2>&1 >/dev/null)" \
	"fathom: your user id, 54321, has no name on this host, so all users are shown; -u chooses \
users"
is "and does" "$(as_user 54321 fathom shares -P 2>/dev/null)" "$(fathom shares --all -P)"
is "with --all there is nothing to tell" "$(as_user 54321 fathom shares --all 2>&1)" \
	"$(fathom shares --all)"
is "slurmctld logs no error" "$(controller_errors)" ""
