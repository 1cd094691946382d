#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# ShadowPolicy is computed beside the policy in force and changes no priority; FiguresFile has both,
# for root.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

live_start PriorityWeightAge=0 PriorityWeightFairshare=1000000 PriorityDecayHalfLife=7-0 \
	"PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=60 \
TRESBillingWeights=CPU=100000" \
	"PartitionName=off Nodes=ALL State=DOWN"
file=$cluster/state/fathom.json

for job in user1:b:9 user2:c:5 user4:e:7; do
	IFS=: read -r user account tasks <<<"$job"
	runs+=("$(submit "$user" --account="$account" --ntasks="$tasks" --wrap 'sleep 2')")
done
for job in user1:b user2:c user3:c user4:e user5:f; do
	submit "${job%:*}" --account="${job#*:}" --partition=off >/dev/null
done
wait_for_ends "${runs[@]}"

priorities ()
{
	squeue --noheader --partition=off --format='%u %Q' | sort | paste -sd ' '
}

# user and factor
in_sshare ()
{
	sshare --all --parsable2 --noheader --format=User,FairShare | grep '^user'
}

in_fathom ()
{
	fathom shares --all --parsable2 --noheader --output=User,FairShare | grep '^user'
}

# in_file NAME: this object of the file, as fathom shares --json writes it
in_file ()
{
	sed -n "s/^\"$1\": {/{/; /^{\"policy\"/,/]}/p" "$file" |
		sed -E 's/, "(own_usage|cpu_time|run_time|hist_run_time)": [^,}]*//g
			s/, "committed_run_time": [^,}]*//g
			s/, "(job_slots|memory|adjustment)": [^,}]*//g
			s/]},$/]}/; s/]}}$/]}/'
}

# lines: of JSON or a table, in one order; sshare is told siblings in another one than slurmctld
# keeps them in
lines ()
{
	sed '/^{"format"/d; s/"time_iso".*//; s/^{"policy"/"policy"/; s/[]}, ]*$//; s/^ *//' | sort
}

# one pass in ten minutes: what is compared is of the same
fathom_conf CalcPeriod=600
reconfigure_once
alone=$(priorities) sshare=$(in_sshare)
ok "without FiguresFile there is none" test ! -e "$file"
message=$(fathom shares --shadow 2>&1)
is "--shadow without ShadowPolicy: status 2" $? 2
is "and one line" "$message" \
	"fathom: --shadow: $(setting \
	ClusterName) has no shadow policy; set ShadowPolicy in fathom.conf"

fathom_conf ShadowPolicy=lsf
reconfigure_once
is "a shadow changes no priority" "$(priorities)" "$alone"
is "nor what sshare shows" "$(in_sshare)" "$sshare"
like "without FiguresFile both are recomputed" "$(fathom shares --all --shadow | head -n 1)" \
	'^recomputed from sshare figures: policy fair-tree, shadow policy lsf$'

fathom_conf FiguresFile=fathom.json
reconfigure_once
ok "FiguresFile is there" wait_until test -s "$file"	# after all else of a pass
is "for everybody, as sshare is" "$(stat -c %a "$file")" 644
is "a shadow changes no priority with it either" "$(priorities)" "$alone"
is "nor what sshare shows with it" "$(in_sshare)" "$sshare"
is "fathom shares --json has the file's figures to the last digit" \
	"$(fathom shares --all --json | lines)" "$(in_file shares | lines)"
is "--shadow: both policies" "$(fathom shares --all --shadow | head -n 1)" \
	"policy fair-tree, shadow policy lsf"
is "--shadow: the columns" "$(fathom shares --shadow --parsable2 | head -n 1)" \
	'Account|User|FairShare:fair-tree|Rank:fair-tree|FairShare:lsf|Rank:lsf|Change:lsf'
is "--shadow: the factors in force are sshare's" \
	"$(fathom shares --all --shadow -P -n -U | cut -d '|' -f 2,3 | grep -v '^root|')" "$sshare"
json=$(fathom shares --all --shadow --json)
is "--shadow --json: the policy in force" \
	"$(sed -n 's/^{"policy": "\(.*\)",/\1/p' <<<"$json" | head -n 1)" fair-tree
is "--shadow --json: the shadow policy" \
	"$(sed -n 's/^{"policy": "\(.*\)",/\1/p' <<<"$json" | tail -n 1)" lsf
is "--shadow --json: the file's figures" \
	"$(sed -n '/^{"policy": "lsf"/,/]}/s/.*\("id".*"factor": [^,]*\).*/\1/p' <<<"$json" |
	lines)" \
	"$(in_file shadow | sed -n 's/.*\("id".*"factor": [^,]*\).*/\1/p' | lines)"
cp "$file" "$cluster/copy.json"
is "--from reads a copy" "$(fathom shares --from "$cluster/copy.json" --shadow -P -n | lines)" \
	"$(fathom shares --all --shadow -P -n | lines)"

# jobs in force and under the shadow, by the weight of a million
is "prio --shadow: priorities in force are squeue's" \
	"$(fathom prio --shadow -P -n -S u | cut -d '|' -f 3,5 | tr '|\n' '  ' | sed 's/ $//')" \
	"$alone"
is "prio --shadow: those of the shadow are its factors" \
	"$(fathom prio --shadow -P -n -S u | cut -d '|' -f 3,8)" \
	"$(in_file shadow | sed -n 's/.*"user": "\(user.\)".*"factor": \([^,]*\).*/\1 \2/p' |
	awk '{ print $1 "|" int($2 * 1000000) }' | sort)"
is "prio --shadow: says which" "$(fathom prio --shadow | head -n 1)" \
	"policy fair-tree, shadow policy lsf"
is "prio --shadow --json: both policies" \
	"$(fathom prio --shadow --json | grep -o '"label": "[^"]*"' | paste -sd ' ')" \
	'"label": "fair-tree" "label": "lsf"'

### Any policies side by side

is "shares: a policy, the one in force and the shadow" \
	"$(fathom shares --all --policy classic,fair-tree,lsf -P -n -U -o User,FairShare |
		grep '^user')" \
	"$(paste -d '|' <(fathom shares --all --policy classic -P -n -U -o User,FairShare) \
		<(fathom shares --all --policy fair-tree -P -n -U -o FairShare) \
		<(fathom shares --all --policy lsf -P -n -U -o FairShare) | grep '^user')"
is "prio: policies and a weight" \
	"$(fathom prio --policy classic,fair-tree --set PriorityWeightFairshare=1000 -P -n \
		-o JobID,Priority)" \
	"$(paste -d '|' <(fathom prio --policy classic --set PriorityWeightFairshare=1000 -P -n \
			-o JobID,Priority) \
		<(fathom prio --policy fair-tree --set PriorityWeightFairshare=1000 -P -n \
			-o Priority))"
is "the best is first in rank" "$(fathom prio -P -n -S Rank -o Rank | head -n 1)" 1

### For nobody else

fathom_conf FiguresMode=0600
touch "$cluster/mark"
reconfigure_once
wait_until test "$file" -nt "$cluster/mark"
not_ok "a user cannot read it" as_user user4 test -r "$file"
is "a user's figures are sshare's, too" \
	"$(as_user user4 fathom shares --all -P -n -o User,FairShare | grep '^user')" "$sshare"
is "what sshare is not told is recomputed to a user" \
	"$(as_user user4 fathom shares --shadow | head -n 1)" \
	"recomputed from sshare figures: policy fair-tree, shadow policy lsf"

### What is old, or damaged

sed -i '1s/"time": [0-9]*/"time": 1700000000/' "$file"
like "an old file is told of" "$(fathom shares --all 2>&1 >/dev/null)" \
	"^fathom: $file: written 2023-11-1[45] .*; no pass has written it since$"

head -c 1000 "$file" >"$file.half" && mv "$file.half" "$file"
like "a damaged file is told of" "$(fathom shares --all 2>&1 >/dev/null)" \
	"^fathom: $file:[0-9]+: .*; using the figures of sshare$"
is "and sshare's figures are shown" "$(in_fathom 2>/dev/null)" "$sshare"
reconfigure_once
wait_until grep -q '^"shadow"' "$file"
is "the next pass writes it again" "$(fathom shares --all --json 2>&1 | lines)" \
	"$(in_file shares | lines)"
