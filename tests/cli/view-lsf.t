#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --view bhpart, bqueues and bugroup: the columns that LSF prints, with the figures of policy lsf.
. "${srcdir:=.}/tests/cli/lib.sh"

# tree NODE...: a tree of nodes "NAME PARENT SHARES SLOTS CPU RUN", below "Partition1"
tree ()
{
	printf '{"format": "fathom-tree", "version": 1, "nodes": [\n'
	printf ' {"id": 1, "parent": null, "name": "Partition1", "kind": "account", "usage": 0, '
	printf '"shares": 1}'
	id=1
	for node; do
		id=$((id + 1))
		echo "$node" | awk -v id=$id '{
			printf ",\n {\"id\": %d, \"parent\": %d, \"name\": \"%s\", " \
				"\"kind\": \"user\", \"usage\": 0, \"shares\": %d, " \
				"\"job_slots\": %s, \"cpu_time\": %s, " \
				"\"run_time\": %s}", id, $2, $1, $3, $4, $5, $6 }'
	done
	printf ']}\n'
}

# shows TEXT FILE ARGUMENT...: fathom prints FILE of tests/data/views
shows ()
{
	shows_text=$1 shows_file=$data/views/$2
	shift 2
	fathom "$@" >"$work/printed" 2>&1
	ok "$shows_text" diff "$shows_file" "$work/printed"
}

### bhpart. The documents print 5.440, 9.645 and, with -r, 1.867 0.775 1.144 0.667 0.046: LSF shows
### CPU time without its decay and computes with it. Without CPU time all but the first are theirs.

tree "group1 1 100 5 200.0 1324" >"$work/one.json"
is "the table of a host partition" "$(fathom shares --from "$work/one.json" --view bhpart)" \
"HOST_PARTITION_NAME: Partition1
HOSTS: all

SHARE_INFO_FOR: Partition1/
USER/GROUP   SHARES  PRIORITY  STARTED  RESERVED  CPU_TIME  RUN_TIME
group1          100     5.466        5         0     200.0      1324"
shows "-r: groups as well" bhpart-l8.txt shares --from "$data/l8.json" --view bhpart -- -r
is "without -r the top level" "$(fathom shares --from "$data/l8.json" --view bhpart)" \
	"$(head -n 7 "$data/views/bhpart-l8.txt")"
is "without CPU time, the figures of the documents" \
	"$(fathom shares --from "$data/l8.json" --set cpu_time_factor=0 --view bhpart -- -r |
	awk '$3 ~ /^[0-9]/ && $1 != "a1" { print $3 }' | paste -sd ' ' -)" \
	"1.867 0.775 1.144 0.667 0.046"
is "the highest priority first" "$(tree "a 1 1 0 0 0" "b 1 3 0 0 0" "c 1 2 9 0 0" "d 1 1 0 0 0" |
	fathom shares --from - --view bhpart | tail -n 4 | cut -d ' ' -f 1 | paste -sd ' ' -)" \
	"b a d c"
is "another policy: '-' for what it lacks" \
	"$(fathom shares --from "$data/c2.json" --policy classic --view bhpart | tail -n 3)" \
"A                60         -        -         -         -         -
B                40         -        -         -         -         -
u5                -         -        -         -         -         -"
is "another policy of a tree with resources" \
	"$(fathom shares --from "$data/l8.json" --policy classic --view bhpart | tail -n 1)" \
	"g2               20         -        6         -     607.7     24664"

# scopes of the kind host-partition
head='"partitions": [], "kind": "host-partition", "hosts": "n[1-8] ~n3"'
sed "/\"name\": \"cpu\"/s/\"partitions.*\"queue\"/$head/" "$data/figures/scopes.json" \
	>"$work/hosts"
is "host partitions alone" "$(fathom shares --from "$work/hosts" --view bhpart | head -n 4)" \
"HOST_PARTITION_NAME: cpu
HOSTS: n[1-8] ~n3

SHARE_INFO_FOR: cpu/"
is "one by its name" "$(fathom shares --from "$work/hosts" --view bhpart -- cpu)" \
	"$(fathom shares --from "$work/hosts" --view bhpart)"
is "--scope" "$(fathom shares --from "$data/figures/scopes.json" --scope gpu --view bhpart |
	head -n 4 | paste -sd ' ' -)" "HOST_PARTITION_NAME: gpu HOSTS: -  SHARE_INFO_FOR: gpu/"
rejects "no such host partition" "fathom: hosts: $work/hosts has no such host partition" \
	shares --from "$work/hosts" --view bhpart -- cpu hosts
rejects "an option that bhpart lacks" \
	"fathom: -l: unknown option; see fathom shares --view bhpart -- --help" \
	shares --from "$work/hosts" --view bhpart -- -l

### bqueues: the fair share of queues

tree "user1 1 100 2 0.2 7034" | sed 's/Partition1/normal/' >"$work/queue.json"
is "SHARE_INFO_FOR, as the documents print it" \
	"$(fathom shares --from "$work/queue.json" --view bqueues -- -l |
	sed -n '/^SHARE/,/^$/p')" \
"SHARE_INFO_FOR: normal/
USER/GROUP   SHARES  PRIORITY  STARTED  RESERVED  CPU_TIME  RUN_TIME   ADJUST
user1           100     9.645        2         0       0.2      7034    0.000"
shows "-l -r" bqueues-user-shares.txt \
	shares --from "$data/figures/user-shares.json" --view bqueues -- -l -r
shows "-l: sets of queues, and other policies" bqueues-scopes.txt \
	shares --from "$data/figures/scopes.json" --view bqueues -- -l
is "a set with another master" "$(sed 's/"master_queue": "gpu"/"master_queue": "gpu-long"/
	s/"dispatch_order": "user"/"dispatch_order": "queue"/' "$data/figures/scopes.json" |
	fathom shares --from - --view bqueues -- -l gpu | sed -n '/^FAIR/,/^USER/p')" \
"FAIRSHARE_QUEUES: gpu-long gpu
DISPATCH_ORDER: QUEUE
USER_SHARES: [anna, 1] [default, 1]"
# files of LSF: --scope chooses the queue or host partition
is "a queue of lsb.queues" "$(fathom shares --from "$data/lsf/lsb.users" \
	--from "$data/lsf/lsb.queues" --scope normal --view bqueues -- -l short |
	sed -n '2p;/^FAIR/,/^SHARE_INFO/p')" \
"QUEUE: short
FAIRSHARE_QUEUES: normal short license
DISPATCH_ORDER: QUEUE
USER_SHARES: [physics, 10] [students@, 5]  [default, 1]

SHARE_INFO_FOR: short/"
is "a host partition of lsb.hosts" "$(fathom shares --from "$data/lsf/lsb.users" \
	--from "$data/lsf/lsb.hosts" --scope old --view bhpart | head -n 4)" \
"HOST_PARTITION_NAME: old
HOSTS: n1 n2 n[3-5] ~n3

SHARE_INFO_FOR: old/"
cat >"$work/one.hosts" <<'END'
Begin HostPartition
HPART_NAME  = hp1
HOSTS       = n7
USER_SHARES = [ada, 3] [default, 1]
End HostPartition
Begin Host
HOST_NAME MXJ
n1 4
n7 4
End Host
END
printf 'Begin Queue\nQUEUE_NAME = batch\nHOSTS = n1\nEnd Queue\n' >"$work/one.queues"
is "queues beside a host partition have no fair share of their own" \
	"$(fathom shares --from "$work/one.hosts" --from "$work/one.queues" --view bqueues -- -l |
		grep -e QUEUE: -e FAIRSHARE -e SHARE_INFO)" "QUEUE: batch"
printf 'Begin Queue\nQUEUE_NAME = fair\nFAIRSHARE = USER_SHARES[[ada, 3]]\nEnd Queue\n' \
	>"$work/fair.queues"
rejects "a queue is no host partition" "fathom: $work/fair.queues has no host partition; see \
--view bqueues for its queues" shares --from "$work/fair.queues" --view bhpart
is "the short list" "$(fathom shares --from "$data/figures/user-shares.json" --view bqueues)" \
"QUEUE_NAME      PRIO STATUS            MAX JL/U JL/P JL/H NJOBS  PEND   RUN  SUSP
short              - -                   -    -    -    -     -     -     2     -"
is "queues of a set by their names" \
	"$(fathom shares --from "$data/figures/scopes.json" --view bqueues -- old gpu-long |
	cut -d ' ' -f 1 | paste -sd ' ' -)" "QUEUE_NAME gpu-long old"
rejects "no such queue" \
	"fathom: gpu-lon: $data/figures/scopes.json has no such queue; did you mean gpu-long?" \
	shares --from "$data/figures/scopes.json" --view bqueues -- gpu-lon
is "-r is -l with all groups" \
	"$(fathom shares --from "$data/figures/user-shares.json" --view bqueues -- -r)" \
	"$(cat "$data/views/bqueues-user-shares.txt")"

### bqueues: all queues, with the slots of jobs

cat >"$work/lsb.queues" <<'END'
Begin Queue
QUEUE_NAME       = normal
PRIORITY         = 30
NICE             = 20
FAIRSHARE        = USER_SHARES[[ada, 100] [default, 1]]
FAIRSHARE_QUEUES = short
DISPATCH_ORDER   = QUEUE
DESCRIPTION      = For normal low priority jobs
End Queue
Begin Queue
QUEUE_NAME = short
PRIORITY   = 40
UJOB_LIMIT = 4
PJOB_LIMIT = 2
End Queue
Begin Queue
QUEUE_NAME = own
PRIORITY   = 35
FAIRSHARE  = USER_SHARES[[lab, 3] [default, 1]]
USERS      = lab zoe ~bob
End Queue
Begin Queue
QUEUE_NAME = plain
PRIORITY   = 50
QJOB_LIMIT = 10
HJOB_LIMIT = 1
RUN_WINDOW = 8:00-20:00
HOSTS      = rack h9
USERS      = all
SLOT_POOL  = p
SLOT_SHARE = 50
r1m        = 0.7/2.0
mem        = /10
End Queue
Begin Queue
QUEUE_NAME = other
DISPATCH_WINDOW = 20:00-8:00
SLOT_POOL  = p
SLOT_SHARE = 30
End Queue
END
cat >"$work/lsb.users" <<'END'
Begin UserGroup
GROUP_NAME GROUP_MEMBER USER_SHARES
lab        (ada bob)    ([ada, 2] [bob, 1])
End UserGroup
END
cat >"$work/lsb.hosts" <<'END'
Begin HostGroup
GROUP_NAME GROUP_MEMBER
rack       (h1 h2)
End HostGroup
END
cat >"$work/jobs.json" <<'END'
{"format": "fathom-jobs", "version": 1, "jobs": [
 {"job_id": 1, "user": "ada", "partitions": ["normal"], "cpus": 3},
 {"job_id": 2, "user": "ada", "partitions": ["normal", "short"], "cpus": 2, "array_tasks": 5},
 {"job_id": 3, "user": "ada", "partitions": ["plain"], "cpus": 4, "state": "RUNNING"},
 {"job_id": 4, "user": "ada", "partitions": ["plain"], "state": "SUSPENDED"},
 {"job_id": 5, "user": "ada", "partitions": ["plain"], "state": "COMPLETED"},
 {"job_id": 6, "user": "ada", "partitions": ["gone"], "held": true},
 {"job_id": 7, "user": "ada", "partitions": ["past"], "state": "CANCELLED"}]}
END

# lsf_site ARGUMENT...: bqueues of the files above
lsf_site ()
{
	fathom shares --from "$work/lsb.queues" --from "$work/lsb.users" --from "$work/lsb.hosts" \
		--from "$work/jobs.json" --view bqueues -- "$@"
}

is "all queues, the highest priority first, with the slots of their jobs" "$(lsf_site)" \
"QUEUE_NAME      PRIO STATUS            MAX JL/U JL/P JL/H NJOBS  PEND   RUN  SUSP
plain             50 -                  10    -    -    1     5     0     4     1
short             40 Open:Active         -    4    2    -     0     0     0     0
own               35 Open:Active         -    -    -    -     0     0     0     0
normal            30 Open:Active         -    -    -    -    13    13     0     0
other              1 -                   -    -    -    -     0     0     0     0
gone               - -                   -    -    -    -     1     1     0     0"
is "without jobs" "$(fathom shares --from "$work/lsb.queues" --from "$work/lsb.users" \
	--view bqueues | sed -n 4p)" \
	"own               35 Open:Active         -    -    -    -     -     -     -     -"
printf '{"format": "fathom-jobs", "version": 1, "partitions": [{"name": "short",
 "priority_job_factor": 60}, {"name": "new", "priority_job_factor": 33}], "jobs": []}' \
	>"$work/partitions"
is "partitions of a file of jobs, which does not change the priority of lsb.queues" \
	"$(fathom shares --from "$work/lsb.queues" --from "$work/lsb.users" \
	--from "$work/partitions" --view bqueues | awk '{ print $1, $2 }' | sed -n '3,5p')" \
"short 40
own 35
new 33"
is "-l: first come, first served" "$(lsf_site -l plain)" "
QUEUE: plain

PARAMETERS/STATISTICS
PRIO NICE STATUS            MAX JL/U JL/P JL/H NJOBS  PEND   RUN SSUSP USUSP  RSV
  50    0 -                  10    -    -    1     5     0     4     1     -    0

SCHEDULING PARAMETERS
            r15s   r1m  r15m    ut    pg    io    ls    it   tmp   swp   mem
 loadSched     -   0.7     -     -     -     -     -     -     -     -     -
 loadStop      -   2.0     -     -     -     -     -     -     -     -    10

            cpuspeed bandwidth
 loadSched         -         -
 loadStop          -         -

USERS: all users
HOSTS: rack/ h9
SLOT_SHARE: 50%
SLOT_POOL: p"
is "-l: description, and that there is fair share" "$(lsf_site -l normal |
	sed -n '/^QUEUE/,/  --/p; /^SCHEDULING POL/,$p')" \
"QUEUE: normal
  -- For normal low priority jobs
SCHEDULING POLICIES: FAIRSHARE
FAIRSHARE_QUEUES: normal short
DISPATCH_ORDER: QUEUE
USER_SHARES: [ada, 100] [default, 1]

SHARE_INFO_FOR: normal/
USER/GROUP   SHARES  PRIORITY  STARTED  RESERVED  CPU_TIME  RUN_TIME   ADJUST
ada             100    33.333        0         0       0.0         0    0.000
bob               1     0.333        0         0       0.0         0    0.000

USERS: all users
HOSTS: all"
is "-l: each queue has its own tree" "$(lsf_site -r own | sed -n '/^SHARE_INFO/,$p' |
	cut -d ' ' -f 1,2 | paste -sd ' ' -)" "SHARE_INFO_FOR: own/ USER/GROUP  lab  \
 SHARE_INFO_FOR: own/lab/ USER/GROUP  ada  bob   USERS: lab/ HOSTS: all"
is "USERS: groups and exclusions" "$(lsf_site -l own | grep ^USERS)" "USERS: lab/ zoe ~bob"
is "--scope: the queues of one tree" "$(fathom shares --from "$work/lsb.queues" \
	--from "$work/lsb.users" --scope normal --view bqueues | cut -d ' ' -f 1 |
	paste -sd ' ' -)" "QUEUE_NAME short normal"
printf 'Begin Queue\nQUEUE_NAME = q\nEnd Queue\n' >"$work/plain"
is "a site without fair share" "$(fathom shares --from "$work/plain" --view bqueues -- -l |
	grep -c FAIRSHARE) $(fathom shares --from "$work/plain" --view bqueues | tail -n 1)" \
	"0 q                  1 Open:Active         -    -    -    -     -     -     -     -"
rejects "no such queue of files" \
	"fathom: plan: $work/plain has no such queue" \
	shares --from "$work/plain" --view bqueues -- plan
is "all host partitions" "$(fathom shares --from "$data/lsf/lsb.users" \
	--from "$data/lsf/lsb.hosts" --view bhpart | grep -c '^HOST_PARTITION_NAME')" 2

# partitions of Slurm
printf '%s\n' NodeName=n[1-4] PartitionName=DEFAULT State=UP \
	'PartitionName=day Nodes=n[1-3] PriorityJobFactor=5 AllowAccounts=physics,maths' \
	'PartitionName=night Nodes=n4 State=DOWN AllowGroups=staff' \
	'PartitionName=shut Nodes=n4 State=INACTIVE' \
	'PartitionName=drain Nodes=n4 State=DRAIN AllowAccounts=ALL' \
	>"$work/slurm.conf"
is "slurm.conf" "$(fathom shares --from "$work/slurm.conf" --from "$data/demo.sshare" \
	--view bqueues | cut -c 1-40)" \
"QUEUE_NAME      PRIO STATUS            M
day                5 Open:Active        
night              1 Open:Inact         
shut               1 Closed:Inact       
drain              1 Closed:Active      "
is "-l of slurm.conf" "$(fathom shares --from "$work/slurm.conf" --from "$data/demo.sshare" \
	--view bqueues -- -l day night drain |
	grep -E 'Active|Inact|^(USERS|HOSTS|SCHEDULING POL)')" \
"   5    - Open:Active         -    -    -    -     -     -     -     -     -    -
SCHEDULING POLICIES: FAIRSHARE
USERS: physics/ maths/
HOSTS: n[1-3]
   1    - Open:Inact_Adm      -    -    -    -     -     -     -     -     -    -
SCHEDULING POLICIES: FAIRSHARE
USERS: staff/
HOSTS: n4
   1    - Closed:Active       -    -    -    -     -     -     -     -     -    -
SCHEDULING POLICIES: FAIRSHARE
USERS: all users
HOSTS: n4"
is "a FiguresFile and jobs" "$(fathom shares --from "$data/figures/scopes.json" \
	--from "$work/jobs.json" --view bqueues | awk '{ print $1, $8 }' | paste -sd ' ' -)" \
	"QUEUE_NAME NJOBS gpu 0 gpu-long 0 cpu 0 old 0 normal 13 plain 5 gone 1"
sed '1,2s/"policy": "classic"/"policy": "fcfs"/; 1,4s/"dampening_factor": 1//' \
	"$data/figures/scopes.json" >"$work/fcfs.json"
is "a queue outside scopes goes by the main policy" "$(for file in "$data/figures/scopes.json" \
	"$work/fcfs.json"; do
		fathom shares --from "$file" --from "$work/jobs.json" --view bqueues -- -l plain |
			grep -c FAIRSHARE
	done | paste -sd ' ' -)" "1 0"
is "its reserved slots are not those of the whole tree" \
	"$(fathom shares --from "$data/figures/scopes.json" --from "$work/jobs.json" \
	--view bqueues -- -l plain | awk '$3 == "-" && NF > 12 { print $NF }')" 0
is "a snapshot of a cluster" "$(fathom shares --from "$data/snapshot/lab.json" \
	--view bqueues | awk '{ print $1, $2, $8, $9, $10 }')" \
"QUEUE_NAME PRIO NJOBS PEND RUN
partition3 20 1 1 0
partition1 10 0 0 0
partition2 10 27 27 0"

### bqueues: slot pools

cat >"$work/pool.json" <<'END'
{"format": "fathom-pool", "version": 1, "slots": 15, "queues": [
 {"name": "Genova", "share": 20, "demand": 996, "priority": 48},
 {"name": "Roma", "share": 50, "demand": 1000, "priority": 50, "limit": 90},
 {"name": "Verona_is_a_city", "share": 30, "demand": 995, "priority": 49}]}
END
is "NJOBS, PEND and RUN as the documents print them" \
	"$(fathom pools --from "$work/pool.json" --view bqueues)" \
"QUEUE_NAME      PRIO STATUS            MAX JL/U JL/P JL/H NJOBS  PEND   RUN  SUSP
Roma              50 -                  90    -    -    -  1000   992     8     -
Verona_is_a_cit   49 -                   -    -    -    -   995   990     5     -
Genova            48 -                   -    -    -    -   996   994     2     -"
is "-w does not cut names" "$(fathom pools --from "$work/pool.json" --view bqueues -- -w |
	awk 'NR == 3 { print $1 }')" Verona_is_a_city
is "-l: share and pool" "$(fathom pools --from "$work/pool.json" --view bqueues -- -l Genova)" "
QUEUE: Genova

PARAMETERS/STATISTICS
PRIO NICE STATUS            MAX JL/U JL/P JL/H NJOBS  PEND   RUN SSUSP USUSP  RSV
  48    - -                   -    -    -    -   996   994     2     -     -    -

SCHEDULING PARAMETERS
            r15s   r1m  r15m    ut    pg    io    ls    it   tmp   swp   mem
 loadSched     -     -     -     -     -     -     -     -     -     -     -
 loadStop      -     -     -     -     -     -     -     -     -     -     -

            cpuspeed bandwidth
 loadSched         -         -
 loadStop          -         -

USERS: -
HOSTS: -
SLOT_SHARE: 20%
SLOT_POOL: -"
fathom pools --from "$work/pool.json" --json >"$work/divided.json"
is "a division without demand" "$(fathom pools --from "$work/divided.json" --view bqueues |
	awk 'NR == 2 { print $2, $8, $9, $10 }')" "- - - 8"
is "pools of a running cluster" \
	"$(fathom pools --from "$data/figures/pools.json" --view bqueues -- -l |
	grep -c '^SLOT_POOL: [a-z]')" \
	"$(fathom pools --from "$data/figures/pools.json" -Pn | awk -F '|' '$3' | wc -l)"
is "-r of pools" "$(fathom pools --from "$work/pool.json" --view bqueues -- -r Roma)" \
	"$(fathom pools --from "$work/pool.json" --view bqueues -- -l Roma)"
rejects "no such queue of a pool" "fathom: Rom: no pool has such a queue; did you mean Roma?" \
	pools --from "$work/pool.json" --view bqueues -- Rom
rejects "a view of trees" "fathom: --view: 'bhpart' is unknown, must be bqueues" \
	pools --from "$work/pool.json" --view bhpart
rejects "-P" "fathom: --view: bqueues has its own options for rows and columns; put them \
behind \"--\": --view bqueues -- OPTION" pools --from "$work/pool.json" --view bqueues -P

### bugroup

is "-l: groups with shares" \
	"$(fathom shares --from "$data/figures/user-shares.json" --view bugroup -- -l)" \
"GROUP_NAME: deep
USERS: u3 
SHARES: -

GROUP_NAME: lab
USERS: u1 deep/ 
SHARES: [deep,3] [u1,1]

GROUP_NAME: unused
USERS: all
SHARES: -"
is "the same of --scope" \
	"$(fathom shares --from "$data/figures/user-shares.json" --scope s --view bugroup -- -l)" \
	"$(fathom shares --from "$data/figures/user-shares.json" --view bugroup -- -l)"
is "the short list" "$(fathom shares --from "$data/figures/user-shares.json" --view bugroup)" \
"GROUP_NAME    USERS
deep         u3 
lab          u1 deep/ 
unused       all users"
is "-r: users of subgroups" \
	"$(fathom shares --from "$data/figures/user-shares.json" --view bugroup -- -r lab)" \
"GROUP_NAME    USERS
lab          u1 u3 "
is "-r: a user of two groups once" "$(sed 's/\["u3"\]/["u3", "u1"]/' \
	"$data/figures/user-shares.json" | fathom shares --from - --view bugroup -- -r lab)" \
"GROUP_NAME    USERS
lab          u1 u3 "
is "groups of lsb.users" "$(fathom shares --from "$data/lsf/lsb.users" --view bugroup -- \
	-l physics lab students)" \
"GROUP_NAME: physics
USERS: ada bob 
SHARES: [ada,2] [others,1]

GROUP_NAME: students
USERS: cy dan 
SHARES: -

GROUP_NAME: lab
USERS: ada cy dan eve 
SHARES: [ada,1] [default,10]"
is "accounts of a tree" "$(fathom shares --from "$data/c2.json" --view bugroup -- -l A P)" \
"GROUP_NAME: A
USERS: P/ u3 
SHARES: [P,-] [u3,30]

GROUP_NAME: P
USERS: u1 u2 
SHARES: [u1,10] [u2,-]"
sed 's/"A"/"a_long_account"/' "$data/c2.json" >"$work/long.json"
is "names are cut" "$(fathom shares --from "$work/long.json" --view bugroup -- a_long_account |
	tail -n 1)" "a_long_accou P/ u3 "
is "-w: they are not" \
	"$(fathom shares --from "$work/long.json" --view bugroup -- -w a_long_account |
	tail -n 1)" "a_long_account P/ u3 "
rejects "no such group" "fathom: u1: $data/c2.json has no such group" \
	shares --from "$data/c2.json" --view bugroup -- u1
finish
