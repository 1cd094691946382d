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

four_in_sprio ()
{
	(($(sprio --noheader --format=%i | wc -l) == 4))
}

in_sshare ()
{
	as_user "$1" sshare --all --parsable2 --noheader --format=User | grep . | paste -sd ' '
}

in_fathom ()
{
	as_user "$1" fathom shares --all --parsable2 --noheader --output=User | grep . |
		paste -sd ' '
}

in_sprio ()
{
	as_user "$1" sprio --noheader --format=%u | tr -d ' ' | paste -sd ' '
}

wait_until four_in_sprio
all="root user1 user2 user3 user4 user5"
is "sshare shows a user everybody" "$(in_sshare user4)" "$all"
is "so does fathom shares" "$(in_fathom user4)" "$all"
is "sprio shows a user every job" "$(in_sprio user4)" "user1 user2 user3 user4"

file=$cluster/state/fathom.json

file_is_private ()
{
	[[ $(stat -c %a "$file") == 600 ]]
}

# figures_in_file KEY=VALUE...: of fathom.conf; FiguresFile is of a pass under it when this returns
figures_in_file ()
{
	fathom_conf "$@"
	reconfigure
	touch "$cluster/mark"
	wait_until test "$file" -nt "$cluster/mark"
}

figures_in_file FiguresFile=fathom.json ShadowPolicy=classic \
	"Scope=off Partitions=off Policy=classic"
is "FiguresFile is for everybody, too" "$(stat -c %a "$file")" 644
is "so a user's figures are the file's" \
	"$(as_user user4 fathom shares --all --json)" "$(fathom shares --all --json)"
is "and so are those of a scope" \
	"$(as_user user4 fathom shares --all --scope=off)" "$(fathom shares --all --scope=off)"
chmod 700 "$cluster/state"
reconfigure_once
ok "a folder that nobody can enter is told of" wait_until controller_said \
	"warning: others may read FiguresFile $file, but not enter $cluster/state; "
chmod 755 "$cluster/state"

slurm_conf PrivateData=usage
reconfigure
ok "PrivateData=usage: FiguresFile is its owner's" wait_until file_is_private
is "PrivateData=usage: sshare shows a user himself" "$(in_sshare user4)" user4
is "so does fathom shares" "$(in_fathom user4)" user4
is "but no place among users whom it cannot count" \
	"$(as_user user4 fathom shares \
	--all --parsable2 --noheader --output=User,FairShare,Rank)" "user4|1.000000|"
is "sshare shows root everybody" "$(in_sshare root)" "$all"
is "so does fathom shares to root" "$(in_fathom root)" "$all"
is "jobs stay visible" "$(in_sprio user4)" "user1 user2 user3 user4"

# what others go on with tells that it lacks something
hidden="fathom: PrivateData hides a part of the tree: "
accounts="accounts that it hides stand below the root, with 1 share"
is "a snapshot says so" "$(as_user user4 fathom snapshot 2>&1 >/dev/null)" "$hidden$accounts"
like "so does a tree for sacctmgr" \
	"$(as_user user4 fathom convert --to sacctmgr 2>&1 >/dev/null)" "^$hidden$accounts"
is "so does usage for ImportUsage" \
	"$(as_user user4 fathom usage --all --json 2>&1 >/dev/null)" \
	"${hidden}the usage is not all of $(setting ClusterName)"
is "but not to root" "$(fathom snapshot 2>&1 >/dev/null; fathom usage --json 2>&1 >/dev/null)" ""
is "lint does not find in the rest what is not so" \
	"$(as_user user4 fathom lint | grep -cE 'usage-none|account-empty|ranks-coarse')" 0

# one that is readable by mistake
figures_in_file FiguresMode=0644
ok "FiguresMode that gives away what PrivateData hides is told of" controller_said \
	"warning: FiguresMode=0644 lets others read what PrivateData=usage hides"
is "fathom shares shows a user himself all the same" "$(in_fathom user4)" user4
is "and so does its JSON" \
	"$(as_user user4 fathom shares --all --json | grep -o '"user": "[^"]*"')" '"user": "user4"'
is "and the comparison" \
	"$(as_user user4 fathom shares --all --shadow --parsable2 --noheader 2>/dev/null |
	cut -d '|' -f 2)" user4
is "no scope" "$(as_user user4 fathom shares --all --scope=off 2>&1)" \
	"fathom: --scope: PrivateData hides a part of the tree of $(setting \
	ClusterName), and so its scopes"

slurm_conf PrivateData=jobs
reconfigure
wait_until four_in_sprio
is "PrivateData=jobs: sprio shows a user his own jobs" "$(in_sprio user4)" user4
is "a coordinator sees those of his account" "$(in_sprio user1)" "user1 user2 user3"
is "root sees all" "$(in_sprio root)" "user1 user2 user3 user4"
is "usage stays visible" "$(in_sshare user4)" "$all"
