#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom convert --to slurm: a folder with all that a site needs to go on with Slurm, whole or not
# at all, and what cannot be kept is said.
. "${srcdir:=.}/tests/cli/lib.sh"
pbs=$data/pbs
group=$pbs/example_resource_group
sched=$pbs/example_sched_config
folder=$work/moved

# move ARGUMENT...: makes $folder and prints what is said
move ()
{
	rm -rf "$folder"
	fathom convert "$@" --to slurm --out "$folder" 2>&1
}

# file NAME: of the folder, without comments
file ()
{
	sed '/^#/d; s/ # .*//' "$folder/$1"
}

### The files

is "nothing is lost of a tree and settings" "$(move --from "$group" --from "$sched")" ""
is "the files" "$(ls "$folder" | paste -sd ' ' -)" "associations.cfg fathom.conf slurm.conf"
is "accounts, users and shares; the root user has none" "$(file associations.cfg)" \
	"Cluster - 'cluster'
Parent - 'root'
User - 'root':FairShare=0
Account - 'unknown':FairShare=10
Account - 'group1':FairShare=40
Account - 'group2':FairShare=60
Parent - 'unknown'
User - 'visitor':FairShare=1
Parent - 'group1'
User - 'bob':FairShare=50
User - 'cathy':FairShare=50
Parent - 'group2'
User - 'suzy':FairShare=60
User - 'scott':FairShare=40"
is "policy and settings; the unknown shares are those of an account" "$(file fathom.conf)" \
	"Policy=pbs
InitialUsage=1
FairshareUsageRes=ncpus*walltime
FairshareEntity=euser
FairshareDecayTime=24:00:00
FairshareDecayFactor=0.7
FairshareEnforceNoShares=yes
Order=path"
is "lines of slurm.conf" "$(file slurm.conf)" "PriorityType=priority/fathom
PriorityWeightFairshare=1000000"
like "each line tells its place" "$(cat "$folder/fathom.conf")" \
	"*FairshareDecayFactor=0.7 # $sched:12$newline*"
ok "the folder can be entered as any new one" test -x "$folder" -a -r "$folder/fathom.conf"
is "no other folder is left" "$(ls -d "$folder"*)" "$folder"
# figures ARGUMENT...: of users but root, whom sacctmgr adds
figures ()
{
	fathom shares -nPU -o User,NormShares,EffectvUsage "$@" 2>&1 | grep -v '^root|'
}
is "the files have the figures of the old ones" "$(figures --from "$folder/associations.cfg" \
	--from "$folder/slurm.conf" --from "$folder/fathom.conf")" \
	"$(figures --from "$group" --from "$sched")"
is "--policy goes before fathom.conf" "$(figures --from "$folder/associations.cfg" \
	--from "$folder/fathom.conf" --policy fair-tree)" \
	"$(figures --from "$folder/associations.cfg" --policy fair-tree)"
rejects "two of them" "fathom: $folder/fathom.conf: only one fathom.conf may be given" \
	shares --from "$folder/fathom.conf" --from "$folder/fathom.conf"
rejects "no tree" "fathom: --from: $folder/fathom.conf has settings, but no file has a tree" \
	shares --from "$folder/fathom.conf"
echo Policy=lsf >"$work/lsf.conf"
is "a FiguresFile is evaluated anew" "$(fathom shares --from "$data/figures/pools.json" \
	--from "$work/lsf.conf" --json | grep -o '"policy": "[a-z-]*"')" '"policy": "lsf"'

printf 'fair_share: False\n' >"$work/off"
move --from "$group" --from "$work/off" >/dev/null
is "without fair_share, it has no weight, and nobody is kept from running" \
	"$(file slurm.conf | tail -n 1) $(file fathom.conf | grep Enforce)" \
	"PriorityWeightFairshare=0 FairshareEnforceNoShares=no"

### Usage

like "usage" "$(move --from "$group" --from "$sched" --from "$pbs/usage")" \
	"fathom: $pbs/usage: usage of 1 association *"
is "the plugin imports it" "$(file fathom.conf | tail -n 1)" "ImportUsage=$folder/usage.json"
is "it is that of the files" "$(fathom shares --from "$folder/usage.json" -nPU -o \
	User,RawUsage)" "bob|100
cathy|100
scott|1000"
(cd "$work" && rm -rf moved && fathom_path=$(command -v "$FATHOM" || echo "$FATHOM") &&
	case $fathom_path in /*) ;; *) fathom_path=$OLDPWD/$fathom_path ;; esac &&
	case $pbs in /*) here=$pbs ;; *) here=$OLDPWD/$pbs ;; esac &&
	"$fathom_path" convert --from "$here/example_resource_group" --from "$here/usage" \
		--to slurm --out moved/ 2>/dev/null)
is "a relative folder has an absolute path" "$(file fathom.conf)" \
	"ImportUsage=$(cd "$work" && pwd)/moved/usage.json"
rm -rf "$folder"
rejects "a path that fathom.conf cannot have" "fathom: ImportUsage: '$folder\"/usage.json' has a \
character that Slurm's files cannot have, such as '\"'" convert --from "$pbs/usage" --to slurm \
	--out "$folder\""

### Whom PBS charges

# with_entity ENTITY: what is said
with_entity ()
{
	sed "s/euser/$1/" "$sched" >"$work/sched_config"
	move --from "$group" --from "$work/sched_config"
}

is "accounts" "$(with_entity Account_Name)" \
	"fathom: $work/sched_config:10: users: the tree does not name them, sacctmgr add does"
is "entities are accounts" "$(file associations.cfg | tail -n 3)" "Parent - 'group2'
Account - 'suzy':FairShare=60
Account - 'scott':FairShare=40"
for entity in egroup queue egroup:euser; do
	is "$entity" "$(with_entity $entity)" "fathom: $work/sched_config:10: accounts and users: \
the tree does not name them, sacctmgr add does"
	is "$entity: the tree is in fathom.conf" "$(file fathom.conf | sed -n '/^R/p; /^U/p')" \
		'UnknownShares=10
ResourceGroup="group1 root 40"
ResourceGroup="group2 root 60"
ResourceGroup="visitor unknown 1"
ResourceGroup="bob group1 50"
ResourceGroup="cathy group1 50"
ResourceGroup="suzy group2 60"
ResourceGroup="scott group2 40"'
	is "$entity: there are no associations" "$(ls "$folder" | paste -sd ' ' -)" \
		"fathom.conf slurm.conf"
done
like "their usage is lost" "$(with_entity queue >/dev/null
	move --from "$group" --from "$work/sched_config" --from "$pbs/usage")" \
	"*$newline""fathom: $work/sched_config:10: usage: it is not by users$newline*"

echo '{"format": "fathom-tree", "version": 1, "nodes": [
{"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
{"id": 2, "parent": 1, "name": "a", "kind": "user", "shares": 1, "usage": 0, "adjustment": 0.5},
{"id": 3, "parent": 1, "name": "b", "kind": "user", "shares": 1, "usage": 0, "adjustment": -0.5}
]}' \
	>"$work/adjusted.json"
move --from "$work/adjusted.json" >/dev/null
like "an adjustment is usage, too" "$(cat "$folder/usage.json" 2>&1)" '*"adjustment": 0.5*-0.5*'

### What cannot be kept

printf '%s\n' 'fair_share: True non_prime' 'by_queue: True' 'round_robin: false' \
	'job_sort_key: "ncpus HIGH"' 'fairshare_usage_re: cput' >"$work/losses"
is "options of sched_config" "$(move --from "$group" --from "$work/losses")" \
	"fathom: $work/losses:2: by_queue True: fathom orders jobs of all queues together; \
PriorityTier of partitions orders queues
fathom: $work/losses:4: job_sort_key ncpus HIGH: fathom has no second criterion for jobs of equal \
priority
fathom: $work/losses:5: fairshare_usage_re: no such option in OpenPBS; did you mean \
fairshare_usage_res?
fathom: $work/losses:1: fair_share is only true in non-prime time, in Slurm it always is"
rm -rf "$folder"
rejects "--strict" "fathom: $work/losses:2: by_queue True: fathom orders jobs of all queues \
together; PriorityTier of partitions orders queues; --strict refuses this" \
	convert --from "$group" --from "$work/losses" --to slurm --out "$folder" --strict
ok "then nothing is written" test ! -e "$folder"
ok "--strict and nothing lost" fathom convert --from "$group" --from "$sched" --to slurm \
	--out "$folder" --strict

printf '%s\n' 'create queue workq' 'set queue workq Priority = 150' 'create queue low' \
	'set queue low queue_type = Execution' 'set queue low Priority = -5' \
	'create queue in' 'set queue in queue_type = Route' \
	'set server job_sort_formula = "5 * fairshare_factor + queue_priority"' \
	'set queue workq resources_max.walltime = 36:00:00' \
	'set queue workq resources_default.walltime = 90' \
	'set queue low resources_max.walltime = 1 day' \
	'set sched default job_sort_formula_threshold = 3' 'set sched scheduling = True' \
	>"$work/qmgr"
is "options of qmgr" "$(move --from "$group" --from "$work/qmgr")" \
	"fathom: $work/qmgr:12: job_sort_formula_threshold 3: jobs below it wait at the end of the \
queue, and run
fathom: $work/qmgr:3: priority -5 of queue low: PriorityJobFactor is an integer from 0 to 65533, \
becomes 0
fathom: $work/qmgr:3: walltime 1 day of queue low: it must be a duration such as 12:30:00
fathom: $work/qmgr:6: queue in is of queue_type Route: jobs in Slurm name all partitions that may \
run them, as --partition=a,b"
is "the formula of qmgr" "$(file fathom.conf)" 'Policy=pbs
InitialUsage=1
Formula="5 * fairshare_factor + queue_priority"
FormulaScale=10000
Order=factor'
is "queues are partitions" "$(file slurm.conf)" "PriorityType=priority/fathom
PartitionName=workq PriorityJobFactor=150 MaxTime=36:00:00 DefaultTime=0:01:30
PartitionName=low PriorityJobFactor=0"
printf '%s\n' 'create queue short' 'set queue short priority = 1' \
	'set queue short resources_max.walltime = 1:00:00' \
	'create queue even' 'set queue even priority = 1' \
	'set queue even resources_max.walltime = 24:00:00' \
	'create queue own' 'set queue own priority = 1' \
	'set queue own resources_default.walltime = 48:00:00' \
	'set server resources_default.walltime = 24:00:00' \
	'set server resources_max.walltime = 36:00:00' >"$work/above"
is "a default of walltime above the limit is told" "$(move --from "$group" \
	--from "$work/above")" \
	"fathom: $work/above:1: default walltime 24:00:00 of queue short: it is above the limit \
1:00:00, and Slurm ignores such a DefaultTime
fathom: $work/above:7: default walltime 48:00:00 of queue own: it is above the limit 36:00:00, and \
Slurm ignores such a DefaultTime"
is "and left out" "$(file slurm.conf)" "PriorityType=priority/fathom
PartitionName=short PriorityJobFactor=1 MaxTime=1:00:00
PartitionName=even PriorityJobFactor=1 MaxTime=24:00:00 DefaultTime=24:00:00
PartitionName=own PriorityJobFactor=1 MaxTime=36:00:00
PriorityWeightFairshare=1000000"
printf '%s\n' 'create queue q' 'set queue q priority = 2000' \
	'set queue q resources_max.walltime = 1e300' \
	'set queue q resources_default.walltime = 200000000000' >"$work/most"
is "attributes of qmgr that are left out" "$(printf '%s\n' 'create queue a' \
	'set queue a max_run = [u:PBS_GENERIC=20]' 'set queue a enabled = True' \
	'set queue a resources_max.walltime = 1:00:00' 'create queue b' \
	'set queue b enabled = False' 'set server scheduling = True' 'set server max_run = 3' \
	'set server resources_max.walltime = 24:00:00' 'set server acl_users += ada' \
	'set server resources_default.walltime = 600' \
	'set server job_sort_formula = fairshare_factor' \
	'set sched night job_sort_formula = queue_priority' 'create queue route' \
	'set queue route queue_type = Route' 'set queue route started = False' \
	'set server default_queue = route' >"$work/server"
	move --from "$group" --from "$work/server")" \
	"fathom: $work/server:6: enabled False of queue b: in Slurm, State=DRAIN in the line of \
its partition says it
fathom: $work/server:13: job_sort_formula queue_priority: all schedulers have one Formula, that of \
line 12
fathom: $work/server:16: started False of queue route: in Slurm, State=DOWN in the line of its \
partition says it
fathom: $work/server:17: default_queue route: in Slurm, Default=YES in the line of its partition \
says it
fathom: $work/server:14: queue route is of queue_type Route: jobs in Slurm name all partitions \
that may run them, as --partition=a,b
fathom: $work/server:2: attribute max_run, here and in 1 more line
fathom: $work/server:10: attribute acl_users"
is "queues without a walltime have that of the server" "$(file slurm.conf | grep ^Part)" \
	"PartitionName=a PriorityJobFactor=0 MaxTime=1:00:00 DefaultTime=0:10:00
PartitionName=b PriorityJobFactor=0 MaxTime=24:00:00 DefaultTime=0:10:00"
is "the formula is that of the server" "$(file fathom.conf | grep ^Formula=)" \
	"Formula=fairshare_factor"
move --from "$group" --from "$sched" --from "$work/server" >/dev/null
is "fair share has no weight beside a formula" "$(file slurm.conf | grep Weight)" ""
is "the same file again counts once" "$(move --from "$group" --from "$work/server" \
	--from "$work/server" | grep -c formula) $(file slurm.conf | grep -c ^Part)" "1 2"
i=0
while [ $((i += 1)) -le 40 ]; do
	echo "set server an_attribute_$i = 1"
done >"$work/long"
is "however many attributes they are" \
	"$(move --from "$group" --from "$work/long" | sed -n '40p; $=')" \
	"fathom: $work/long:40: attribute an_attribute_40
40"
is "a walltime above what Slurm has" "$(move --from "$group" --from "$work/most")" \
	"fathom: $work/most:1: walltime 1e300 of queue q: MaxTime is at most 257698037580 seconds"
is "a priority that only Slurm has, and a long walltime" "$(file slurm.conf | sed -n 2p)" \
	"PartitionName=q PriorityJobFactor=2000 DefaultTime=55555555:33:20"
if built_with muParser "a formula that the plugin would not take" \
	"is left out, with its scale, and PBS orders by paths" \
	"as without a formula, fair share has a weight" "also with sched_config"; then
	echo 'set server job_sort_formula = "license + fairshare_factor"' >"$work/custom"
	like "a formula that the plugin would not take" \
		"$(move --from "$group" --from "$work/custom")" \
		"fathom: $work/custom:1: Formula license + fairshare_factor: column 1: *"
	is "is left out, with its scale, and PBS orders by paths" "$(file fathom.conf)" "Policy=pbs
InitialUsage=1
Order=path"
	is "as without a formula, fair share has a weight" "$(file slurm.conf)" \
		"PriorityType=priority/fathom
PriorityWeightFairshare=1000000"
	echo 'fair_share: true' >"$work/fair_share"
	move --from "$group" --from "$work/fair_share" --from "$work/custom" >/dev/null
	is "also with sched_config" "$(file fathom.conf | grep Order)" "Order=path"
fi

### Names

printf '%s\n' 'Physics 10 root 60' 'Ada 11 Physics 1' 'bob 12 Physics 1' >"$work/capitals"
is "capitals of users" "$(move --from "$work/capitals")" "fathom: slurm: keeps capitals of 1 user \
only with Parameters=PreserveCaseUser in slurmdbd.conf"
is "accounts have small letters" "$(file associations.cfg | sed -n 5,7p)" \
	"Account - 'physics':FairShare=60
Parent - 'physics'
User - 'Ada':FairShare=1"
printf '%s\n' 'a 10 root 60' 'x 11 a 1' 'A 12 root 60' 'y 13 A 1' >"$work/twice"
rm -rf "$folder"
rejects "accounts that differ by capitals" "fathom: account 'a' is in 'root' and in 'root'; \
sacctmgr has each account once" convert --from "$work/twice" --to slurm --out "$folder"
ok "nothing is written of it" test ! -e "$folder"

### Slurm

mkdir "$work/etc"
printf '%s\n' 'ClusterName=tux' 'PriorityType=priority/multifactor' 'PriorityFlags=NO_FAIR_TREE' \
	'SlurmctldPort=6817' 'Include more.conf' >"$work/etc/slurm.conf"
printf '%s\n' 'PartitionName=a Nodes=n1,n2 PriorityJobFactor=7' 'NodeName=n[1-2] CPUs=4' \
	>"$work/etc/more.conf"
is "from slurm.conf" "$(move --from "$data/c1.json" --from "$work/etc/slurm.conf")" ""
is "what priorities depend on" "$(file slurm.conf)" "PriorityType=priority/fathom
PriorityFlags=NO_FAIR_TREE
PartitionName=a Nodes=n1,n2 PriorityJobFactor=7
NodeName=n[1-2] CPUs=4"
like "lines of included files" "$(cat "$folder/slurm.conf")" "* # $work/etc/more.conf:2"
is "the policy is that of slurm.conf" "$(file fathom.conf)" "ImportUsage=$folder/usage.json"
move --from "$data/c1.json" >/dev/null
is "a tree alone: fair share has a weight" "$(file slurm.conf)" "PriorityType=priority/fathom
PriorityWeightFairshare=1000000"
echo 'set server job_sort_formula = fairshare_factor' >"$work/formula"
move --from "$group" --from "$work/formula" >/dev/null
is "none beside a formula" "$(file slurm.conf)" PriorityType=priority/fathom
is "settings alone" "$(move --from "$work/etc/slurm.conf"; ls "$folder" | paste -sd ' ' -)" \
	"fathom.conf slurm.conf"

printf '%s\n' 'AccountingStorageTRES=gres/gpu' 'PriorityWeightTRES=CPU=1000,GRES/gpu=3000' \
	'GresTypes=gpu' 'NodeName=n1 Gres=gpu:4' \
	'PartitionName=a Nodes=n1 TRESBillingWeights=CPU=1,GRES/gpu=8' >"$work/etc/gpu.conf"
is "weights of GPUs" "$(move --from "$data/c1.json" --from "$work/etc/gpu.conf")" ""
is "and the TRES that they name" "$(file slurm.conf)" "PriorityType=priority/fathom
AccountingStorageTRES=gres/gpu
PriorityWeightTRES=CPU=1000,GRES/gpu=3000
NodeName=n1 Gres=gpu:4
PartitionName=a Nodes=n1 TRESBillingWeights=CPU=1,GRES/gpu=8"
sed 's,gpu=3000,gup=3000,' "$work/etc/gpu.conf" >"$work/etc/gup.conf"
like "a TRES that AccountingStorageTRES does not have" "$(move --from "$work/etc/gup.conf")" \
	"fathom: --to: line 4 of slurm.conf would be wrong: 'GRES/gup' is not a TRES of this *"

### flux-accounting

if built_with SQLite "from flux-accounting"; then
	is "from flux-accounting" "$(move --from "$data/flux/FluxAccountingv0-60-0.db")" ""
	is "its weights and decay" "$(file fathom.conf | paste -sd ' ' -)" "Policy=flux \
FairshareWeight=100000 QueueWeight=10000 BankWeight=0 UrgencyWeight=1000 ResetPeriod=2419200 \
NodeWeight=1.0 CoreWeight=0.0 GpuWeight=0.0 HalfLife=604800"
	is "and none of Slurm" "$(file slurm.conf)" PriorityType=priority/fathom
	rejects "two schedulers" "fathom: $sched: Policy is pbs here, but flux in \
$data/flux/FluxAccountingv0-60-0.db; only one may say it" convert --to slurm --out "$folder-2" \
		--from "$data/flux/FluxAccountingv0-60-0.db" --from "$sched"
fi

### LSF

lsf=$data/lsf
like "from LSF, without a scope" "$(move --from "$lsf/lsb.queues" --from "$lsf/lsb.users" \
	--from "$lsf/lsb.params")" "*: members of group guests, whom no file lists*"
is "all users are in one account" "$(file associations.cfg | sed -n '4p; 6,$p' | sed 's/:.*//' |
	paste -sd ' ' -)" "Account - 'users' User - 'ada' User - 'bob' \
User - 'cy' User - 'dan' User - 'eve' User - 'zoe'"
lacks="fathom: slurm: warning: associations.cfg lacks users whom no file names, to whom 'default' \
gives shares; add them by sacctmgr"
is "others get shares, too" "$(move --from "$lsf/lsb.queues" --from "$lsf/lsb.users" \
	--from "$lsf/lsb.acct" | grep slurm:)" "fathom: slurm: does not keep the jobs
fathom: slurm: does not keep usage of scopes, which begin without
$lacks"
is "records name some of them" "$(file associations.cfg | grep -c User) $(file associations.cfg |
	tail -n 1)" "8 User - 'zed':FairShare=1"
like "queues are scopes with shares" "$(file fathom.conf)" \
	"Policy=fcfs*Scope=night Partitions=night Policy=lsf UserShares=*"
like "fair share has a weight" "$(file slurm.conf)" "*PriorityWeightFairshare=1000000*"

printf '%s\n' 'Begin UserGroup' 'GROUP_NAME  GROUP_MEMBER  USER_SHARES' 'asked (!) ()' \
	'half (ada !) ([bob, 4] [asked@, 2] [default, 1])' 'rest (all ~ada) ()' 'End UserGroup' \
	>"$work/users"
printf '%s\n' 'Begin Queue' 'QUEUE_NAME = q' \
	'FAIRSHARE = USER_SHARES[[asked@, 3] [asked, 2] [half, 1]]' 'End Queue' >"$work/queues"
is "groups whose members no file lists, and all but some" \
	"$(move --from "$work/queues" --from "$work/users" | sed "s,$work/,,")" \
"fathom: users:3: members of group asked, whom no file lists
fathom: users:4: members of group half, whom no file lists
fathom: users:5: members of group rest, all but some, other than those whom files name"
is "those who have shares in it are members" "$(file fathom.conf)" 'Policy=fcfs
Scope=q Partitions=q Policy=lsf UserShares="[asked@, 3] [asked, 2] [half, 1]"
UserGroup=asked Members=none
UserGroup=half Members="ada bob asked" UserShares="[bob, 4] [asked@, 2] [default, 1]"
UserGroup=rest Members=bob'
is "only they are users" "$(file associations.cfg | sed -n '6,$p' | sed 's/:.*//' |
	paste -sd ' ' -)" "User - 'ada' User - 'bob'"
is "a group of nobody has its shares" "$(fathom shares --from "$work/users" \
	--from "$work/queues" -nP -o Account,User,RawShares 2>/dev/null | paste -sd ' ' -)" \
	"root||  root|asked|2  half||1   half|bob|4   half|ada|1"

printf '%s\n' 'Begin UserGroup' 'GROUP_NAME  GROUP_MEMBER' 'one (none)' 'two (none ada)' \
	'End UserGroup' >"$work/users"
printf '%s\n' 'Begin Queue' 'QUEUE_NAME = q' 'FAIRSHARE = USER_SHARES[[one@, 3] [two@, 2]]' \
	'End Queue' >"$work/queues"
is "a user may be called none, who is no word for 'nobody'" \
	"$(move --from "$work/queues" --from "$work/users")" ""
is "also alone in a group" "$(file fathom.conf | grep ^UserGroup)" 'UserGroup=one Members=" none"
UserGroup=two Members="none ada"'

### Host partitions of LSF

# hosts HOSTS: what becomes of a host partition: what is said, and Hosts of its scope
hosts ()
{
	cat >"$work/lsb.hosts" <<END
Begin Host
HOST_NAME  MXJ
default    !
w1         4
w22        4
End Host
Begin HostGroup
GROUP_NAME  GROUP_MEMBER
old         (a b ~b c)
rest        (all ~d)
deep        (old h[1-10] h20)
wide        (w*)
asked       (!)
End HostGroup
Begin HostPartition
HPART_NAME  = p
HOSTS       = $1
USER_SHARES = [ada, 3] [default, 1]
End HostPartition
END
	move --from "$work/lsb.hosts" | sed "s,$work/,,; /: key /d" | grep -Fxv "$lacks"
	[ ! -e "$folder" ] ||
		sed -n 's/^Scope=p Hosts=\("[^"]*"\|[^ ]*\) .*/\1/p' "$folder/fathom.conf" |
		tr -d '"'
}

is "host partitions are scopes" "$(hosts 'n1 n[2-4] ~n3'; file fathom.conf)" \
'n1 n[2-4] ~n3
Policy=fcfs
Scope=p Hosts="n1 n[2-4] ~n3" Policy=lsf UserShares="[ada, 3] [default, 1]"'
is "a host is excluded that the list does not have" "$(hosts 'hostA hostB ~hostC')" \
"fathom: lsb.hosts:15: warning: HOSTS: '~hostC' excludes a host that is not in the list; it \
changes nothing
hostA hostB ~hostC"
sed '/HostPartition/,/HostPartition/!d' "$work/lsb.hosts" >"$work/hosts"
ok "nothing is lost by it" fathom convert --from "$work/hosts" --to slurm --strict \
	--out "$folder-needless"
is "users whom they name, and a weight" "$(file associations.cfg | tail -n 1) $(file slurm.conf |
	tail -n 1)" "User - 'ada':FairShare=1 PriorityWeightFairshare=1000000"
is "all hosts" "$(hosts all)" all
is "host groups, in each other" "$(hosts deep)" "a c h[1-10] h20"
is "groups that are excluded" "$(hosts 'all ~old ~w1')" "all ~a ~c ~w1"
is "an exclusion of a group leaves the host elsewhere" "$(hosts 'old b')" "a c b"
is "one from all hosts" "$(hosts 'rest w1')" "all ~d w1"
is "a pattern stands for the hosts of section Host" "$(hosts 'x wide')" "x w1 w22"
is "hosts that no file lists" "$(hosts 'x* a asked')" \
	"fathom: lsb.hosts:15: hosts x* ! of host partition p, which no file lists${newline}a"
is "hosts that are excluded, which no file lists" "$(hosts 'a ~x* ~y*')" \
	"fathom: lsb.hosts:15: hosts ~x* ~y* of host partition p, which no file lists${newline}a"
is "none is left" "$(hosts 'x*')" \
"fathom: lsb.hosts:15: host partition p, whose hosts no file lists
fathom: lsb.hosts:15: hosts x* of host partition p, which no file lists"
is "an exclusion that would hold for all" "$(hosts 'rest d')" "fathom: lsb.hosts:15: ~d in a \
host group would exclude hosts of others; name the hosts in HOSTS"
hosts a >/dev/null
printf '%s\n' 'Begin HostPartition' 'HPART_NAME = q' 'HOSTS = b' 'USER_SHARES = [bob@, 2]' \
	'End HostPartition' >>"$work/lsb.hosts"
like "a group that is not there" "$(move --from "$work/lsb.hosts" | tail -n 1)" \
	"fathom: $work/lsb.hosts:*bob@*"

### What slurmctld or the plugin would refuse

# queue NAME [LINE]...
queue ()
{
	printf '%s\n' 'Begin Queue' "QUEUE_NAME = $1"
	shift
	printf '%s\n' "$@" 'End Queue'
}
{
	queue master 'PRIORITY = 40' 'FAIRSHARE = USER_SHARES[[ada, 1]]' 'FAIRSHARE_QUEUES = slave'
	queue between 'PRIORITY = 30'
	queue slave 'PRIORITY = 20'
} >"$work/between"
rejects "a queue between those of a cross-queue set" "fathom: --to: line 3 of fathom.conf would be \
wrong: partition 'between' has PriorityJobFactor 30, which is within those of scope 'master'; it \
must be outside, or the scope have DispatchOrder=QUEUE; move its PriorityJobFactor, or give the \
scope DispatchOrder=QUEUE" convert --from "$work/between" --to slurm --out "$folder-between"
ok "nothing is written of them" test ! -e "$folder-between"
{ queue long 'PRIORITY = 5'; queue brief 'PRIORITY = 9'; queue other; } >"$work/plain"
move --from "$work/plain"
is "priorities of queues without fair share have a weight" \
	"$(file slurm.conf | paste -sd ' ' -)" "PriorityType=priority/fathom \
PartitionName=long PriorityJobFactor=5 PartitionName=brief PriorityJobFactor=9 \
PartitionName=other PriorityWeightPartition=1000000"

queue high 'PRIORITY = 70000' >"$work/high"
is "a priority that Slurm cannot have" "$(move --from "$work/high")" "fathom: $work/high:3: \
priority 70000 of queue high: PriorityJobFactor is an integer from 0 to 65533, \
becomes 65533"
is "its queue becomes a partition" "$(file slurm.conf | sed -n 2p)" \
	"PartitionName=high PriorityJobFactor=65533"

### Queues on hosts of several host partitions

queue near 'HOSTS = a c[1-2]' >"$work/near"
printf '%s\n' 'Begin Host' 'HOST_NAME MXJ' 'a 1' 'c1 1' 'End Host' >"$work/listed"
is "a host that section Host lacks" "$(move --from "$work/near" --from "$work/listed" |
	grep HOSTS)" "fathom: $work/near:1: warning: HOSTS of queue near: section Host has no c2; \
take it out of Nodes if it is no node"
sed '/^a/s/a/default/' "$work/listed" >"$work/others"
is "its entry default is for all others" "$(move --from "$work/near" --from "$work/others" |
	grep HOSTS)" ""

printf '%s\n' 'Begin HostGroup' 'GROUP_NAME GROUP_MEMBER' 'both (a c)' 'End HostGroup' \
	'Begin HostPartition' 'HPART_NAME = p' 'HOSTS = a b' 'USER_SHARES = [ada, 2]' \
	'End HostPartition' 'Begin HostPartition' 'HPART_NAME = q' 'HOSTS = c' \
	'USER_SHARES = [ada, 1]' 'End HostPartition' >"$work/parts"
{
	queue wide 'PRIORITY = 9' 'HOSTS = both+1 d'
	queue one 'HOSTS = a b'
	queue all
	queue least 'HOSTS = all ~c'
} >"$work/many"
is "they are split, and told" \
	"$(move --from "$work/many" --from "$work/parts" | sed "s,$work/,,")" \
"fathom: many:1: both+1 in HOSTS of queue wide, a preference: Weight of NodeName orders nodes
fathom: many:13: HOSTS of queue least: give its partition the Nodes
fathom: many:1: warning: queue wide has hosts of several host partitions or of none, so it \
becomes a partition for each; submit to all by --partition=wide_p,wide_q,wide
fathom: many:10: warning: queue all: no file lists its hosts; if they are in several host \
partitions or in none, make a partition for each
fathom: many:13: warning: queue least: no file lists its hosts; if they are in several host \
partitions or in none, make a partition for each"
is "with the nodes of each" "$(file slurm.conf | grep '^Part')" \
"PartitionName=wide_p PriorityJobFactor=9 Nodes=a
PartitionName=wide_q PriorityJobFactor=9 Nodes=c
PartitionName=wide PriorityJobFactor=9 Nodes=d
PartitionName=one Nodes=a,b
PartitionName=all
PartitionName=least"
printf '%s\n' 'Begin Host' 'HOST_NAME' a b c 'End Host' >"$work/hosts"
{ queue all; queue every 'HOSTS = all'; } >"$work/everywhere"
move --from "$work/everywhere" --from "$work/parts" --from "$work/hosts" >"$work/said"
is "queues on all hosts have those of section Host" \
	"$(sed 's/.*warning: \([^,]*\),.*/\1/' "$work/said"; file slurm.conf | grep '^Part')" \
"queue all has hosts of several host partitions or of none
queue every has hosts of several host partitions or of none
PartitionName=all_p Nodes=a,b
PartitionName=all_q Nodes=c
PartitionName=every_p Nodes=a,b
PartitionName=every_q Nodes=c"
printf '%s\n' 'Begin Host' 'HOST_NAME' a b c default 'End Host' >"$work/hosts"
like "but not if that has others, too" \
	"$(move --from "$work/everywhere" --from "$work/parts" --from "$work/hosts")" \
	"*warning: queue all: no file lists its hosts;*"
queue pooled 'HOSTS = a c' 'SLOT_POOL = pool' 'SLOT_SHARE = 50' >"$work/whole"
is "a queue in a pool stays whole" \
	"$(move --from "$work/whole" --from "$work/parts")$(file slurm.conf | grep '^Part')" \
	"PartitionName=pooled Nodes=a,c"
is "other commands know the queue" \
	"$(fathom shares --from "$work/many" --from "$work/parts" --scope p -nP \
		-o User 2>&1 | paste -sd ' ' -)" " ada"

### The folder

mkdir "$work/empty" "$work/full"
: >"$work/full/file"
ok "an empty folder is filled" fathom convert --from "$group" --to slurm --out "$work/empty"
# a folder that its group shares, and one below, to which the group is handed on
mkdir "$work/shared" "$work/shared/private"
other=$(id -G | tr ' ' '\n' | tail -n 1)
chgrp "$other" "$work/shared"
chmod g+s "$work/shared"
chmod 2710 "$work/shared/private"
fathom convert --from "$group" --to slurm --out "$work/shared/private"
fathom convert --from "$group" --to slurm --out "$work/shared/new"
# shellcheck disable=SC2012	# the mode
is "an empty folder keeps its mode" "$(ls -ld "$work/shared/private" | cut -c 1-10)" drwx--s---
mkdir "$work/shared/made"
for made in new made; do
	# shellcheck disable=SC2012	# mode and group
	ls -ld "$work/shared/$made" | awk '{ print $1, $4 }'
done >"$work/modes"
is "a new one is as mkdir makes it" "$(sort -u "$work/modes" | wc -l)" 1
rejects "a folder with files" "fathom: --out: $work/full is there already, must be a new or empty \
folder; remove it or name another" convert --from "$group" --to slurm --out "$work/full"
is "keeps them" "$(ls "$work/full")" "file"
rejects "a file" "fathom: --out: $work/full/file is there already, must be a new or empty \
folder; remove it or name another" \
	convert --from "$group" --to slurm --out "$work/full/file"
rejects "a folder below a file" "fathom: $work/full/file/x: Not a directory" \
	convert --from "$group" --to slurm --out "$work/full/file/x"
rejects "a folder in none" "fathom: $work/none/x: No such file or directory" \
	convert --from "$group" --to slurm --out "$work/none/x"
is "nothing is left behind" "$(cd "$work" && ls -d ./*.?????? 2>/dev/null)" ""
rejects "no folder" "fathom: --out: must be given, the folder that --to=slurm makes" \
	convert --from "$group" --to slurm
rejects "jobs alone" "fathom: --to: slurm holds a tree and settings, but no file has any" \
	convert --from "$data/jobs/demo.json" --to slurm --out "$folder-3"
like "--format=slurm" "$(fathom convert --from "$group" --format slurm --to slurm 2>&1)" \
	"fathom: --format: 'slurm' cannot be read, must be *"

### Queues

printf '%s\n' 'create queue Default' 'set queue Default queue_type = Execution' >"$work/qmgr"
rejects "no partition can be called default" "fathom: $work/qmgr:1: queue 'Default': \
PartitionName=DEFAULT is about all partitions, so none can have this name; rename the queue" \
	convert --from "$work/qmgr" --to slurm --out "$work/no-default"
printf '%s\n' 'create queue a' 'set queue a queue_type = Execution' >"$work/qmgr"
fathom convert --from "$work/qmgr" --to slurm --out "$work/no-priority"
is "a queue of PBS without a priority has 0" \
	"$(sed -n 's/^\(Partition.*\) #.*/\1/p' "$work/no-priority/slurm.conf")" \
	"PartitionName=a PriorityJobFactor=0"
cat >"$work/queues" <<'END'
Begin Queue
QUEUE_NAME = a
HOSTS = hostA! hostB+2
End Queue
Begin Queue
QUEUE_NAME = b
HOSTS = hostA others
End Queue
Begin Queue
QUEUE_NAME = c
HOSTS = hostC@other
End Queue
END
is "preferences, and hosts that only LSF knows, are lost" \
	"$(fathom convert --from "$work/queues" --to slurm --out "$work/hosts-lost" 2>&1
	sed -n 's/^\(Partition.*\) #.*/\1/p' "$work/hosts-lost/slurm.conf")" \
	"fathom: $work/queues:1: hostA! in HOSTS of queue a: Slurm chooses the node on which a job \
begins
fathom: $work/queues:1: hostB+2 in HOSTS of queue a, a preference: Weight of NodeName orders nodes
fathom: $work/queues:5: HOSTS of queue b: give its partition the Nodes
fathom: $work/queues:9: HOSTS of queue c: give its partition the Nodes
PartitionName=a Nodes=hostA,hostB
PartitionName=b
PartitionName=c"

### A snapshot

rejects "the fathom.conf of a snapshot is lost" "fathom: $data/snapshot/lab.json: fathom.conf \
gets lost; add its lines to that of the folder; --strict refuses this" \
	convert --from "$data/snapshot/lab.json" --to slurm --strict --out "$work/of-snapshot"
for format in fathom fathom-jobs sshare; do
	like "for --to=$format, too" "$(fathom convert --from "$data/snapshot/lab.json" \
		--to $format 2>&1 >/dev/null)" "fathom: $data/snapshot/lab.json: fathom.conf \
gets lost$newline*"
done
sed 's/"slurm_conf": "/&PriorityFlags=NO_FAIR_TREE,DEPTH_OBLIVIOUS\\n/' "$data/snapshot/lab.json" \
	>"$work/lab.json"
fathom convert --from "$work/lab.json" --to slurm --out "$work/of-snapshot" 2>"$work/err"
is "slurm.conf is that of the snapshot" \
	"$(sed -n "s|^\([A-Z].*\) # $work/lab.json: slurm_conf:[0-9]*\$|\1|p" \
		"$work/of-snapshot/slurm.conf" | sed -n '1,2p; $p')" \
	"PriorityFlags=NO_FAIR_TREE,DEPTH_OBLIVIOUS
PriorityDecayHalfLife=7-00:00:00
PriorityWeightTRES=cpu=800,mem=300"
is "its policy is read from there" "$(fathom shares --from "$work/of-snapshot/associations.cfg" \
	--from "$work/of-snapshot/slurm.conf" --json | grep -o '"policy": [^,]*')" \
	'"policy": "depth-oblivious"'
sed 's,PriorityWeightTRES=,&gres/gpu=5\,,' "$data/snapshot/lab.json" >"$work/gpu.json"
ok "a snapshot does not tell the TRES of the cluster, so its weights may name any" \
	fathom convert --from "$work/gpu.json" --to slurm --out "$work/of-gpu"
rejects "the policy of a FiguresFile is lost" "fathom: $data/figures/scopes.json: the policy and \
its settings get lost; take over fathom.conf and the Priority lines of slurm.conf; --strict \
refuses this" convert --from "$data/figures/scopes.json" --to slurm --strict --out "$work/of-file"
finish
