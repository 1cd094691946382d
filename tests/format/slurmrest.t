#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The associations of slurmrestd are read, whatever the version of the API.
. "${srcdir:=.}/tests/cli/lib.sh"

is "those of Slurm 25.11" \
	"$(fathom convert --from "$data/slurm/slurmdb-associations.json" --to sshare 2>&1)" \
	"Account|User|RawShares|RawUsage
root|||0
 admin||1|0
  admin|jwilson|1|0
 biology||1|0
  biology|jbeck|1|0
  biology|jthomas|1|0
  biology|progers|1|0
  biology|vhartman|1|0
 physic||1|0
  acoustic||1|0
   acoustic|acuevas|1|0
   acoustic|dperez|1|0
   acoustic|mcarrillo|1|0
  optic||1|0
   optic|rcarson|1|0
   optic|sevans|1|0
 scientists||1|0
 root|root|1|0"
cat >"$work/answer" <<'END'
{"meta": {}, "associations": [
 {"account": "b", "user": "ada", "partition": "gpu", "shares_raw": {"set": true, "number": 7}},
 {"account": "b", "user": "bob", "partition": null, "shares_raw": 2147483647},
 {"account": "b", "user": "eve", "shares_raw": {"set": false, "number": 0}},
 {"account": "b", "user": "", "parent_account": "a", "shares_raw": 3},
 {"account": "a", "user": "", "parent_account": "", "shares_raw": 4294967294},
 {"account": "root", "user": ""}]}
END
is "shares of all kinds, partitions, accounts in any order" \
	"$(fathom convert --from "$work/answer" --to sshare 2>&1)" \
	"Account|User|Partition|RawShares|RawUsage
root||||0
 a|||4294967294|0
  b|||3|0
   b|ada|gpu|7|0
   b|bob||parent|0
   b|eve||1|0"

### shares, with usage

seeds=$srcdir/tests/fuzz/seeds
is "shares of any kind, usage with that of children" \
	"$(fathom convert --from "$seeds/sshare-json/answer" --to sshare 2>/dev/null)" \
	"Account|User|Partition|RawShares|RawUsage
root||||230
 root|root||1|0
 physics|||60|210
  physics|ada|gpu|parent|200"
sed 's/^{"shares": {/{/; s/^ "total_shares.*/ "total_shares": 62}/' "$seeds/sshare-json/answer" \
	>"$work/bare"
is "a list without an object around it" "$(fathom shares --from "$work/bare")" \
	"$(fathom shares --from "$seeds/sshare-json/answer")"
is "--format slurmrest reads shares, too" \
	"$(fathom shares --from "$seeds/sshare-json/answer" --format slurmrest)" \
	"$(fathom shares --from "$seeds/sshare-json/answer")"

### accounts

is "accounts are below the root, users below them" \
	"$(fathom convert --from "$seeds/slurmrest/accounts" --to sshare 2>&1)" \
"fathom: $seeds/slurmrest/accounts: accounts of slurmrestd have no parents and no shares: all are \
below root with 1 share; its associations have both
Account|User|Partition|RawShares|RawUsage
root||||0
 physics|||1|0
  physics|ada|gpu|1|0"

### jobs, partitions, QOS

jobs=$seeds/slurm-jobs/answer
is "all that a job has" \
	"$(fathom convert --from "$jobs" --to fathom-jobs | sed -n '/"job_id": 7/p')" \
'  {"job_id": 7, "user": "ada", "account": "physics", "partitions": ["day", "night"], '\
'"qos": "high", "accrue_time": 1699999000, "submit_time": 1699998000, "array_tasks": 5, '\
'"min_nodes": 2, "cpus": 8, "nice": 5, "tres": {"cpu": 8, "mem": 2048}},'
is "a uid, and a nice value with an offset" \
	"$(fathom convert --from "$jobs" --to fathom-jobs | sed -n '/"job_id": 8/p')" \
'  {"job_id": 8, "user": "1000", "state": "RUNNING", "held": true, "dependency": true}]}'
sed 's/"partition": "gpu", //' "$seeds/sshare-json/answer" >"$work/tree"
is "priorities" "$(fathom prio --from "$jobs" --from "$work/tree" \
	--set PriorityWeightPartition=10 --set PriorityWeightQOS=100 \
	--set PriorityWeightFairshare=1000 -nP -o JOBID,PARTITION,PRIORITY)" "7|day|605
7|night|595"
sed '/^ "partitions"/d; /^ "qos"/d; s/"afterok:7"}\],/"afterok:7"}]}/' "$jobs" >"$work/jobs"
{ echo '{"meta": {},'; grep '^ "qos"' "$jobs"; } >"$work/qos"
{ echo '{'; sed -n '/^ "partitions"/s/,$/}/p' "$jobs"; } >"$work/partitions"
is "answers complete each other, in any order" "$(fathom convert --from "$work/qos" \
	--from "$work/jobs" --from "$work/partitions" --to fathom-jobs)" \
	"$(fathom convert --from "$jobs" --to fathom-jobs)"
rejects "two answers with jobs" "fathom: $work/jobs: a second answer with jobs, must be one" \
	convert --from "$work/jobs" --from "$work/jobs" --to fathom-jobs
finish
