#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom lint of the running cluster: nothing false of a good one, each mistake that is made here,
# and what only slurmctld knows.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

live_start PriorityWeightAge=1000 PriorityWeightFairshare=100000 PriorityCalcPeriod= \
	"PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=60" \
	"PartitionName=off Nodes=ALL State=DOWN DefaultTime=60"
fathom_conf CalcPeriod=30 FiguresFile=fathom.json
reconfigure

# codes [OPTION...]: what is found, but for what a new cluster has
codes ()
{
	fathom lint --json "$@" 2>&1 | sed -n 's/.*{"code": "\([a-z-]*\)".*/\1/p; /^fathom:/p' |
		grep -vx 'usage-none' | sort -u | paste -sd ' ' -
}

is "nothing is found in a good cluster" "$(codes)" ""
quietly ()
{
	"$@" >/dev/null
}
ok "status 0" quietly fathom lint
like "all checks can be made" "$(fathom lint)" "; ([0-9]+) of ([0-9]+) checks were made"
is "all of them" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
ok "an ordinary user may look, too" quietly as_user user1 fathom lint

### Files that have changed

slurm_conf PriorityWeightAge=2000
is "a change that slurmctld has not read" "$(codes)" "not-in-force"
like "says what is in force" "$(fathom lint --json)" \
	"PriorityWeightAge=2000 is not in force; slurmctld runs with 1000"
reconfigure
is "after a reconfigure it is in force" "$(codes)" ""
slurm_conf PriorityType=priority/multifactor
is "a plugin that slurmctld has not loaded" "$(codes)" "fathom-unused not-in-force"
slurm_since 23.11 || scontrol reconfigure
like "nor does a reconfigure load it" "$(fathom lint --json)" \
	"PriorityType=priority/multifactor is not in force; slurmctld runs with priority/fathom"
slurm_conf PriorityType=
like "no plugin is given any more" "$(fathom lint --json)" \
	"PriorityType is not given; slurmctld runs with priority/fathom"
slurm_conf PriorityType=priority/fathom
slurm_since 23.11 || reconfigure
is "the plugin in force is given again" "$(codes)" ""
slurm_conf PriorityDecayHalfLife=10080
is "the same time in another form is no change" "$(codes)" ""
slurm_conf PriorityFlags=FAIRTREE
is "a flag that does not exist" "$(codes)" "flag-unknown"
not_ok "is an error" quietly fathom lint
slurm_conf PriorityFlags=

### fathom.conf, as the plugin finds it

fathom_conf Policy=lsfx
is "a policy that does not exist" "$(codes)" "fathom-wrong"
text=$(fathom lint --json | sed -n "s/.*\"text\": \"\(Policy: .*\)\. The plugin.*/\1/p")
reconfigure
ok "the plugin says the same" wait_until grep -qF ": $text" "$cluster/log/slurmctld.log"
fathom_conf Policy= "Scope=s Partitions=nowhere"
is "a partition that does not exist" "$(codes)" "partition-unknown"
text=$(fathom lint --json | sed -n "s/.*\"text\": \"\(.*\)\. The plugin.*/\1/p")
reconfigure
partition_is_missed ()
{
	grep -qF ": Partitions: $text" "$cluster/log/slurmctld.log"
}
ok "the plugin says the same of it" wait_until partition_is_missed
sed -i '/^Scope/d' "$cluster/fathom.conf"
reconfigure

### What slurmctld knows

sacctmgr -iQ add qos high priority=100 >/dev/null
is "QOS of different priorities without a weight" "$(codes)" "qos-weight-zero"
sacctmgr -iQ delete qos high >/dev/null
slurm_conf PriorityWeightQOS=10000
reconfigure
is "a weight for QOS that are equal" "$(codes)" "qos-priorities-equal"
slurm_conf PriorityWeightQOS=
sacctmgr -iQ modify account b set priority=5 >/dev/null
reconfigure
is "priorities of associations without a weight" "$(codes)" "assoc-weight-zero"
sacctmgr -iQ modify account b set priority=-1 >/dev/null
slurm_conf PriorityWeightTRES=CPU=1000,License/matlab=1000
is "a TRES that is not tracked" "$(codes)" "tres-weight-unknown"
slurm_conf PriorityWeightTRES=
sacctmgr -iQ modify account b set fairshare=parent >/dev/null
sacctmgr -iQ modify account e set fairshare=0 >/dev/null
like "an account without shares" "$(codes)" "(level-without-shares|zero-shares)"
sacctmgr -iQ modify account b set fairshare=30 >/dev/null
sacctmgr -iQ modify account e set fairshare=25 >/dev/null

### Plugins

mkdir "$cluster/older"
if echo 'const unsigned plugin_version = 1;' |
	cc -shared -fPIC -x c - -o "$cluster/older/priority_fathom.so" 2>/dev/null; then
	fathom_conf CalcPeriod=30
slurm_conf PriorityWeightJobSize=
reconfigure
before=$(grep ^PluginDir= "$cluster/slurm.conf")
	slurm_conf "PluginDir=$cluster/older:$(slurm_plugins)"
	is "a plugin of another release" "$(codes)" "plugin-release"
	slurm_conf "PluginDir=$(slurm_plugins)"
	is "no plugin" "$(codes)" "plugin-missing"
	slurm_conf "$before"
else
	live_skip "a plugin of another release" "there is no compiler"
fi

### Jobs

for user in user1 user2 user3 user4 user5; do
	for ((i = 0; i < 3; i++)); do
		submit "$user" --partition=off --ntasks=$((i + 1)) >/dev/null
	done
done
used=$(submit user1 --partition=all --ntasks=8 --wrap 'sleep 2')
wait_for_job "$used" COMPLETED
slurm_conf PriorityWeightJobSize=1000
fathom_conf CalcPeriod=1
reconfigure
wait_until has_usage user1
like "the parts are measured at the jobs of the cluster" "$(codes)" "term-drowned"
like "by all of them" "$(fathom lint --json)" "the priorities of 15 jobs"

### What commands of Slurm print

sshare --all --parsable2 >"$cluster/shares"
ok "what sshare prints is a tree" quietly fathom lint --from "$cluster/shares"
sacctmgr -P show user >"$cluster/users"
ok "what sacctmgr prints tells default accounts" quietly fathom lint --from "$cluster/users" \
	--from "$cluster/shares"
is "a user without a default account" "$(sed 's/^user1|[^|]*/user1|/' "$cluster/users" \
	>"$cluster/users.none"
	sacctmgr -iQ add user user1 account=c >/dev/null
	sshare --all --parsable2 >"$cluster/shares"
	codes --from "$cluster/users.none" --from "$cluster/shares")" "default-account"

### The files alone

# says: what is printed on stderr
says ()
{
	{ fathom lint >/dev/null; } 2>&1
}

before=$(grep ^PluginDir= "$cluster/slurm.conf")
slurm_conf PluginDir=
like "a plugin that is not in the default folder" "$(codes)" 'plugin-missing'
default=$(fathom lint --json | sed -n 's/.*"text": "\(the default [^.]*\.*[^.]*\)\. .*/\1/p')
like "says where it has looked" "$default" \
	'^the default PluginDir does not have the plugin of priority/fathom: /'
ok "which is the folder of Slurm's own plugins" test -e "${default##*: }/priority_basic.so"
like "the file alone says the same" "$(codes --slurm-conf "$cluster/slurm.conf")" 'plugin-missing'
slurm_conf PriorityType=priority/multifactor
is "one of Slurm's own is there" \
	"$(codes --slurm-conf "$cluster/slurm.conf" | grep -o plugin-missing)" ""
slurm_conf PriorityType=priority/fathom "$before"

controller_stop
is "without slurmctld the files are checked" "$(says)" "fathom: slurmctld: Unable to contact slurm \
controller (connect failure); only the files of this host are checked"
slurm_conf PluginDir=
like "which tells why it does not start" "$(codes)" 'plugin-missing'
not_ok "the status says so, too" quietly fathom lint 2>/dev/null
slurm_conf "$before" PriorityWeightAge=many
like "a slurm.conf that Slurm does not accept is checked" "$(codes)" 'value-wrong'
like "says why slurmctld is not asked" "$(says)" \
	'^fathom: no running cluster: .*; only the files of this host are checked$'
message=$(SLURM_CONF=$cluster/none fathom lint 2>&1)
is "without a file there is nothing to check" $? 2
like "which it says" "$message" \
	"^fathom: no running cluster: .*'$cluster/none': No such file or directory;"
is "which is one line" "$(wc -l <<<"$message")" 1
slurm_conf PriorityWeightAge=2000
controller_start && wait_for_pass
like "with slurmctld all checks are made again" "$(fathom lint)" "; ([0-9]+) of ([0-9]+) checks"
is "all of them again" "${BASH_REMATCH[1]}" "${BASH_REMATCH[2]}"
