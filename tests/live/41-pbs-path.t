#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Policy=pbs Order=path: PBS's example of two groups. Users of the group that has used less of its
# share start first, whatever they have used themselves.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/figures.sh
. "$(dirname "$0")/figures.sh"

live_start PriorityWeightAge=0 PriorityWeightFairshare=1000 \
	"PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=60"
order=$cluster/path-order
install --mode=666 /dev/null "$order"
fathom_conf Policy=pbs Order=path InitialUsage=1 FairshareDecayTime=1000d CalcPeriod=600 \
	FiguresFile=fathom.json
# bob, cathy, suzy and scott are user1, user2, user3 and user4
add_account group1 root fairshare=40
add_account group2 root fairshare=60
add_user user1 group1 fairshare=50
add_user user2 group1 fairshare=50
add_user user3 group2 fairshare=60
add_user user4 group2 fairshare=40
sacctmgr -iQ modify account A D set fairshare=0 >/dev/null
reconfigure
groups=([1]=group1 group1 group2 group2)

# one second of each, of 4, 4 and 40 CPUs
jobs=("$(submit user1 --account=group1 --ntasks=4 --wrap 'sleep 1')"
	"$(submit user2 --account=group1 --ntasks=4 --wrap 'sleep 1')"
	"$(submit user4 --account=group2 --ntasks=40 --wrap 'sleep 1')")
wait_for_ends "${jobs[@]}"
file=$cluster/state/fathom.json
passes reconfigure_once

# place_of USER: of ten, four of which are in these groups; the others have no shares
place_of ()
{
	share_of "${groups[${1#user}]}" "$1" FairShare
}

# of_file ACCOUNT KEY: of the account's own row
of_file ()
{
	python3 -c 'import json, sys
print(*[row[sys.argv[3]] for row in json.load(open(sys.argv[1]))["shares"]["associations"]
	if row["account"] == sys.argv[2] and not row["user"]])' "$file" "$1" "$2"
}

is "fathom shares has the place of each" \
	"$(fathom shares -aUPn -A group1,group2 -o User,FairShare |
	sed 's/^user[12]|\(1\|0.9\).*/first/' | sort | paste -sd ' ')" \
	"first first user3|0.800000 user4|0.700000"
is "sshare too" "$(place_of user3) $(place_of user4)" "0.800000 0.700000"
ok "group1 has used less of its share than group2" \
	awk -v a="$(of_file group1 usage_perc)" -v b="$(of_file group2 usage_perc)" \
	'BEGIN { exit !(a > 0 && a < b) }'
near "usage over fairshare_perc is recorded" "$(of_file group2 usage_perc)" \
	"$(awk -v usage="$(of_file group2 raw_usage)" 'BEGIN { print usage / .6 }')" 1e-6
is "and shown for each level" \
	"$(fathom shares -aPn -A group2 -o User,UsagePerc | awk -F '|' '$1 == "" { print $2 }')" \
	"$(printf %.6f "$(of_file group2 usage_perc)")"

blocker=$(submit user5 --account=f --exclusive)
wait_for_job "$blocker" RUNNING
for user in 3 4 2 1; do
	submit "user$user" --account="${groups[user]}" --exclusive \
		--wrap "echo user$user >>$order" >/dev/null
done
reconfigure_once
is "priorities are places" "$(squeue --noheader --states=PENDING --format='%u %Q' | sort |
	sed -n 's/^user[34] //p' | paste -sd ' ')" "800 700"
scancel "$blocker"
wait_until no_jobs
is "jobs start in the order of paths" "$(head -n 2 "$order" | sort | paste -sd ' ') $(
	tail -n 2 "$order" | paste -sd ' ')" "user1 user2 user3 user4"
is "slurmctld logs no error" "$(controller_errors)" ""
