# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A second cluster, kit, at the slurmdbd of the first, for tests of shares over several clusters.
# Needs lib.sh.

# shellcheck disable=SC2154	# cluster is of cluster.sh
kit=$cluster/kit

# on_kit COMMAND...
on_kit ()
{
	SLURM_CONF=$kit/slurm.conf "$@"
}

kit_answers ()
{
	on_kit scontrol ping 2>/dev/null | grep -q UP
}

kit_start ()
{
	# shellcheck disable=SC2046	# an option, or none
	daemon_start kit env SLURM_CONF="$kit/slurm.conf" slurmctld -D \
		$(go_on_without_usage "$kit/state")
	wait_until kit_answers
}

# kit_make LINE...: with user1 and user3 in one account, without a node that is up, and with these
# lines in fathom.conf
kit_make ()
{
	mkdir -p "$kit/state"
	sed -E -e 's/^ClusterName=.*/ClusterName=kit/' -e '/^(NodeName|SlurmctldParameters)=/d' \
		-e "s,=$cluster/state,=$kit/state,; s,=$cluster/(run|log)/slurm,=$kit/slurm," \
		"$cluster/slurm.conf" >"$kit/slurm.conf"
	printf '%s\n' SlurmctldPort=6917 PriorityFlags=NO_FAIR_TREE \
		'NodeName=nowhere NodeAddr=127.0.0.1 Port=7999 State=DOWN' >>"$kit/slurm.conf"
	cp "$cluster/cgroup.conf" "$kit"
	printf '%s\n' CalcPeriod=1 Policy=classic "$@" >"$kit/fathom.conf"
	sacctmgr --immediate add cluster kit >/dev/null
	sacctmgr --immediate add account physics cluster=kit >/dev/null
	sacctmgr --immediate add user user1,user3 account=physics cluster=kit >/dev/null
}

# kit_end: slurmdbd forgets it, too
kit_end ()
{
	daemon_stop kit
	sacctmgr --immediate delete cluster kit >/dev/null
	rm -rf "$kit"
}

# maps: the accounts of both users on lab, which are physics on kit
maps ()
{
	sacctmgr --noheader --parsable2 show associations cluster=lab user=user1,user3 \
		format=account | sort -u | sed 's/$/:physics/' | paste -sd ,
}

# both COMMAND: succeeds with user1 and with user3
both ()
{
	"$1" user1 && "$1" user3
}

# factor_on_kit USER
factor_on_kit ()
{
	on_kit sshare --all --noheader --parsable2 --format=User,FairShare |
		awk -F '|' -v user="$1" '{ sub(/^ */, "", $1) } $1 == user { print $2 }'
}

# factor_by_hand USED ALL: physics has half of the shares and all usage, and each user half of those
# of physics
factor_by_hand ()
{
	awk -v used="$1" -v all="$2" 'BEGIN { printf "%.6f\n", 2 ^ -((used / all + 1) / 2 / 0.25) }'
}
