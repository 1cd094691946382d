#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# PrivateData hides other users' usage and jobs from a user, and from nobody else.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

live_start "PartitionName=off Nodes=ALL State=DOWN"
fathom_conf CalcPeriod=1
sacctmgr -iQ add coordinator account=c names=user1 >/dev/null
for user in user1 user2 user3 user4; do
	submit "$user" --partition=off >/dev/null
done
reconfigure
wait_for_pass

in_sshare ()
{
	as_user "$1" sshare --all --parsable2 --noheader --format=User | grep . | paste -sd ' '
}

in_fathom ()
{
	as_user "$1" fathom shares --all --parsable2 --noheader --output=User | grep . | paste -sd ' '
}

in_sprio ()
{
	as_user "$1" sprio --noheader --format=%u | tr -d ' ' | paste -sd ' '
}

all="root user1 user2 user3 user4 user5"
is "sshare shows a user everybody" "$(in_sshare user4)" "$all"
is "so does fathom shares" "$(in_fathom user4)" "$all"
is "sprio shows a user every job" "$(in_sprio user4)" "user1 user2 user3 user4"

slurm_conf PrivateData=usage
reconfigure
is "PrivateData=usage: sshare shows a user himself" "$(in_sshare user4)" user4
is "so does fathom shares" "$(in_fathom user4)" user4
is "sshare shows root everybody" "$(in_sshare root)" "$all"
is "so does fathom shares to root" "$(in_fathom root)" "$all"
is "jobs stay visible" "$(in_sprio user4)" "user1 user2 user3 user4"

slurm_conf PrivateData=jobs
reconfigure
is "PrivateData=jobs: sprio shows a user his own jobs" "$(in_sprio user4)" user4
is "a coordinator sees those of his account" "$(in_sprio user1)" "user1 user2 user3"
is "root sees all" "$(in_sprio root)" "user1 user2 user3 user4"
is "usage stays visible" "$(in_sshare user4)" "$all"
