#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom convert --to slurm: a site of PBS, one of flux-accounting and one of LSF go on in Slurm.
# Users are in the order that their own files give them under the policy of their own system.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
data=$live_top/tests/data
folder=$cluster/moved

live_start PriorityWeightFairshare=1000000 \
	"PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=60" \
	"PartitionName=normal Nodes=ALL PriorityJobFactor=30" \
	"PartitionName=short Nodes=ALL PriorityJobFactor=40" \
	"PartitionName=license Nodes=ALL PriorityJobFactor=50" \
	"PartitionName=night Nodes=ALL PriorityJobFactor=20" \
	"PartitionName=day Nodes=ALL PriorityJobFactor=20" "PartitionName=any Nodes=ALL"

# order: the users of sshare text, the best first; those who share a place in one line
order ()
{
	sort -t '|' -k 2,2rn -k 1,1 | awk -F '|' '
		$1 != "" && $1 != "root" { printf "%s%s", n++ ? $2 == last ? "," : " " : "", $1
		last = $2 }'
}

# move FILE...: converts the files and loads them into the cluster, in place of what it has
move ()
{
	local file from=()

	for file; do
		from+=(--from "$file")
	done
	rm -rf "$folder"
	fathom convert "${from[@]}" --to slurm --out "$folder" 2>"$cluster/lost"
	# a clean load registers the cluster anew
	controller_stop
	sacctmgr -iQ load clean file="$folder/associations.cfg" Cluster=lab \
		>"$cluster/log/tree.out" 2>&1
	cp "$folder/fathom.conf" "$cluster/fathom.conf"
	printf 'FiguresFile=fathom.json\nCalcPeriod=600\n' >>"$cluster/fathom.conf"
	controller_start
	reconfigure_once
	files_order=$(fathom shares "${from[@]}" -UPn -o User,FairShare 2>/dev/null | order)
}

# check SITE: do all agree?
check ()
{
	is "$1: fathom shares has the order of the files" \
		"$(fathom shares -aUPn -o User,FairShare | order)" "$files_order"
	is "$1: sshare too" "$(sshare -aPn -o User,FairShare | order)" "$files_order"
	is "$1: the log has no error" "$(controller_errors)" ""
}

# shares_in_slurm: "ACCOUNT USER SHARES" of all associations but root's
shares_in_slurm ()
{
	sacctmgr -nP show association cluster=lab format=Account,User,Share | grep -v '^root|' |
		tr '|' ' ' | sed 's/  / - /' | sort | paste -sd ,
}

# loaded: "USER DEFAULT-ACCOUNT", and what root may do; slurmdbd also keeps users whose associations
# are gone, without a default account
loaded ()
{
	sacctmgr -nP show user format=User,DefaultAccount,AdminLevel | tr '|' ' ' |
		sed 's/ None$//; / $/d' | sort | paste -sd ,
}

### PBS

pbs=$data/pbs
move "$pbs/example_resource_group" "$pbs/example_sched_config"
is "PBS: accounts, users and shares" "$(shares_in_slurm)" "group1 - 40,group1 bob 50,\
group1 cathy 50,group2 - 60,group2 scott 40,group2 suzy 60,unknown - 10,unknown visitor 1"
is "PBS: users have default accounts, and root is an administrator" "$(loaded)" \
	"bob group1,cathy group1,root root Administrator,scott group2,suzy group2,visitor unknown"
check "PBS without usage"
like "PBS: by the place in the order of paths" "$files_order" '^suzy '

# usage of now, in the layout of OpenPBS
python3 -c 'import struct, sys, time
out = open(sys.argv[1], "wb")
out.write(struct.pack("<16sdq", b"PBS_MAG!", 2, int(time.time())))
for pair in sys.argv[2:]:
	name, usage = pair.split("=")
	out.write(struct.pack("<56sd", name.encode(), float(usage)))' "$cluster/usage" \
	bob=40000 cathy=70000 scott=900000 suzy=500 visitor=100000
move "$pbs/example_resource_group" "$pbs/example_sched_config" "$cluster/usage"
check "PBS with usage"
is "PBS: groups that have used less of their shares go first" "$files_order" \
	"bob cathy visitor suzy scott"
sed 's/fair_share: True/fair_share: False/' "$pbs/example_sched_config" >"$cluster/sched_config"
printf '%s\n' 'create queue workq' \
	'set server job_sort_formula = "100 * fairshare_factor"' >"$cluster/qmgr"
move "$pbs/example_resource_group" "$cluster/sched_config" "$cluster/usage" "$cluster/qmgr"
check "PBS with a formula"

### flux-accounting

# with accounts in capitals, which Slurm writes in small letters
rm -f "$cluster/flux.db"
python3 -c 'import sqlite3, sys
base = sqlite3.connect(sys.argv[1])
base.executescript(sys.argv[2])
base.commit()' "$cluster/flux.db" "
	create table bank_table (bank_id integer primary key, bank text, active int default 1,
		parent_bank text default '', shares int, job_usage real default 0,
		priority real default 0);
	create table association_table (active int default 1, username text, bank text,
		shares int default 1, job_usage real default 0);
	create table priority_factor_weight_table (factor text, weight integer);
	create table config_table (key text, value text);
	create table queue_table (queue text, priority int);
	insert into bank_table (bank, parent_bank, shares, priority) values
		('root', '', 1, 0), ('A', 'root', 2, 300), ('B', 'root', 1, -5),
		('C', 'root', 0, 0);
	insert into association_table (username, bank, shares, job_usage) values
		('ada', 'A', 1, 300), ('bea', 'A', 3, 100), ('cy', 'A', 1, 300),
		('dan', 'B', 1, 10), ('eve', 'B', 1, 190), ('fay', 'C', 1, 7);
	insert into priority_factor_weight_table values ('fairshare', 50000), ('bank', 10);
	insert into config_table values ('priority_decay_half_life', '86400');
	insert into queue_table values ('all', 3);"
move "$cluster/flux.db"
is "Flux: accounts, users and shares" "$(shares_in_slurm)" "a - 2,a ada 1,a bea 3,a cy 1,b - 1,\
b dan 1,b eve 1,c - 0,c fay 1"
is "Flux: settings" "$(sed '/^#/d; s/ # .*//' "$folder/fathom.conf" | paste -sd ' ')" \
	"Policy=flux BankPriority=A:300 BankPriority=B:-5 FairshareWeight=50000 BankWeight=10 \
HalfLife=86400 ImportUsage=$folder/usage.json"
like "Flux: the queue is a partition" "$(cat "$folder/slurm.conf")" \
	'PartitionName=all PriorityJobFactor=3'
check Flux

### LSF

lsf=$data/lsf
move "$lsf/lsb.queues" "$lsf/lsb.users" "$lsf/lsb.params"
is "LSF: users are in one account" "$(shares_in_slurm)" "users - 1,users ada 1,users bob 1,\
users cy 1,users dan 1,users eve 1,users zoe 1"
is "LSF: the log has no error" "$(controller_errors)" ""

# check_scopes SCOPE... -- FILE...: is the order of users that of the files?
check_scopes ()
{
	local scope scopes=() from=()

	while [[ $1 != -- ]]; do
		scopes+=("$1")
		shift
	done
	for file in "${@:2}"; do
		from+=(--from "$file")
	done
	for scope in "${scopes[@]}"; do
		files_order=$(fathom shares "${from[@]}" --scope "$scope" -UPn -o User,FairShare \
			2>/dev/null | order)
		is "LSF: fathom shares has the order of the files in $scope" \
			"$(fathom shares --scope "$scope" -aUPn -o User,FairShare | order)" \
			"$files_order"
		like "LSF: it has several users" "$files_order" ' '
	done
}

check_scopes normal night -- "$lsf/lsb.queues" "$lsf/lsb.users" "$lsf/lsb.params"
cat >"$cluster/lsb.hosts" <<'END'
Begin HostGroup
GROUP_NAME  GROUP_MEMBER
nodes       (localhost gone ~gone)
End HostGroup
Begin HostPartition
HPART_NAME  = h
HOSTS       = nodes
USER_SHARES = [ada, 3] [bob, 20] [default, 1] [zoe, 7]
End HostPartition
END
move "$cluster/lsb.hosts"
is "LSF: host partitions: the log has no error" "$(controller_errors)" ""
check_scopes h -- "$cluster/lsb.hosts"
