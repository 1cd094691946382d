#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The associations of slurmrestd are read, whatever the version of the API.
. "${srcdir:=.}/tests/cli/lib.sh"

is "those of Slurm 25.11" \
	"$(fathom convert --from "$data/slurm/slurmdb-associations.json" --to sshare 2>&1)" \
	"fathom: $data/slurm/slurmdb-associations.json: left out: qos (18), is_default (11)
Account|User|RawShares|RawUsage
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

cat >"$work/more" <<'END'
{"associations": [
 {"account": "root", "user": "", "shares_raw": 1, "qos": [], "max": {"jobs": {"active":
  {"set": false, "infinite": true, "number": 0}}, "tres": []}, "default": {"qos": ""}},
 {"account": "b", "user": null, "shares_raw": "3", "comment": "x", "default": {"qos": "high"},
  "max": {"jobs": {"active": {"set": true, "infinite": false, "number": 0}}},
  "priority": {"set": true, "infinite": false, "number": 18446744073709551614}},
 {"account": "b", "user": "ada", "flags": ["DELETED"], "comment": "x"},
 {"account": "c", "user": "", "flags": ["DELETED"]}]}
END
is "what is left out is said; what was deleted is not there" \
	"$(fathom convert --from "$work/more" --to sshare 2>&1)" \
	"fathom: $work/more: left out: default (1), max (1), comment (1)
Account|User|RawShares|RawUsage
root|||0
 b||3|0"

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

# versions of the API: numbers as they are, in quotes or as objects; one state or several, also
# those that pass; a priority of 0 that holds a job; a time of the answer, or of its last event
old=$seeds/slurm-jobs/v0.0.36 new=$seeds/slurm-jobs/v0.0.44
members ()
{
	fathom convert --from "$1" --to fathom-jobs | sed -n "s/^  {\"job_id\": $2, *//p; $3"
}
is "v0.0.36: the time of the last event" \
	"$(fathom convert --from "$old" --to fathom-jobs | sed -n '1s/.*"time": //p')" 1700000500,
is "v0.0.36: a pending job" "$(members "$old" 10)" '"user": "ada", "account": "physics", '\
'"partitions": ["day"], "qos": "normal", "accrue_time": 1700000000, "submit_time": 1700000000, '\
'"min_nodes": 1, "cpus": 4, "time_limit": 60, '\
'"tres": {"cpu": 4, "mem": 16384, "node": 1, "billing": 4}, "reason": "Priority"},'
is "v0.0.36: a job array that is held" "$(members "$old" 11)" '"user": "1001", '\
'"account": "physics", "partitions": ["day"], "submit_time": 1700000100, "array_tasks": 10, '\
'"min_nodes": 2, "cpus": 8, "tres": {"cpu": 8, "mem": 16384, "node": 2, "billing": 8}, '\
'"held": true, "reason": "JobHeldUser"},'
like "v0.0.36: a job that completes" "$(members "$old" 12)" \
	'*"state": "COMPLETED", *"nice": 100, *"mem": 1048576, "gres/gpu:a100": 2,*'
is "v0.0.44: the time of the answer" \
	"$(fathom convert --from "$new" --to fathom-jobs | sed -n '1s/.*"time": //p')" 1700003600,
is "v0.0.44: a job that is held and waits for another" "$(members "$new" 10)" '"user": "ada", '\
'"account": "physics", "partitions": ["day", "night"], "qos": "normal", '\
'"accrue_time": 1700000000, "submit_time": 1700000000, "min_nodes": 1, "cpus": 4, '\
'"tres": {"cpu": 4, "mem": 16384, "node": 1, "billing": 4, "gres/gpu": 2}, "held": true, '\
'"dependency": true},'
is "v0.0.44: a number that is a job" "$(members "$new" 11)" \
	'"user": "1000", "partitions": ["night"], "state": "RUNNING", "nice": -100},'

# start times of jobs in all states; a pending job may start from its eligible time on, or not yet
cat >"$work/times" <<'END'
{"last_update": {"set": true, "infinite": false, "number": 1700003600}, "jobs": [
 {"job_id": 1, "job_state": ["RUNNING"], "start_time": {"set": true, "number": 1700000000},
  "eligible_time": {"set": true, "number": 0}},
 {"job_id": 2, "job_state": "SUSPENDED", "start_time": 1700000001},
 {"job_id": 3, "job_state": ["PENDING"], "start_time": {"set": true, "number": 1700007200},
  "eligible_time": {"set": true, "infinite": false, "number": 1700003600}},
 {"job_id": 4, "job_state": ["PENDING"], "start_time": {"set": true, "number": 0},
  "eligible_time": {"set": true, "infinite": false, "number": 1700003601}},
 {"job_id": 5, "job_state": "PENDING", "eligible_time": 0},
 {"job_id": 6, "job_state": "PENDING", "eligible_time": {"set": false, "number": 0}},
 {"job_id": 7, "job_state": "PENDING", "hold": true, "eligible_time": 0}]}
END
is "when jobs start, started and may start" \
	"$(fathom convert --from "$work/times" --to fathom-jobs | sed -n 's/^ *{"job_id": //p')" \
	'1, "state": "RUNNING", "start_time": 1700000000},
2, "state": "SUSPENDED", "start_time": 1700000001},
3, "expected_start": 1700007200},
4, "eligible": false},
5, "eligible": false},
6},
7, "held": true}]}'
is "without a time of the answer only a job without eligible time may not start" \
	"$(sed 's/"last_update"[^}]*}, //' "$work/times" |
		fathom convert --from - --to fathom-jobs |
		sed -n '/"eligible"/s/.*"job_id": //p')" '5, "eligible": false},'

# a job that waits for the 128 CPUs of one node or more; slurmctld has found them on two
cat >"$work/wide" <<'END'
{"jobs": [
 {"job_id": 1, "job_state": "PENDING", "node_count": 2, "tres_req_str": "cpu=128,node=1"},
 {"job_id": 2, "job_state": "PENDING", "node_count": 2, "tres_req_str": "cpu=128"},
 {"job_id": 3, "job_state": "RUNNING", "node_count": 2, "tres_req_str": "cpu=128,node=1"}]}
END
is "a waiting job has the nodes that it asks for" \
	"$(fathom convert --from "$work/wide" --to fathom-jobs |
		sed -n 's/.*"job_id": \(.\).*"min_nodes": \(.\).*/\1 \2/p')" "1 1
2 2
3 2"

# partitions of v0.0.37 and v0.0.38: a limit of -1 is none, and the TRES are a string
cat >"$work/partitions" <<'END'
{"partitions": [
 {"name": "day", "priority_job_factor": 3, "max_time_limit": 1440, "tres": "cpu=64,mem=250G"},
 {"name": "gpu", "max_time_limit": -1, "tres": "cpu=32,gres/gpu=4"}]}
END
is "v0.0.38: partitions" \
	"$(fathom convert --from "$work/partitions" --to fathom-jobs 2>&1 | grep '"name"')" \
'  {"name": "day", "priority_job_factor": 3, "max_time": 1440, "tres": {"cpu": 64, "mem": 256000}},
  {"name": "gpu", "tres": {"cpu": 32, "gres/gpu": 4}}],'
sed 's/-1/-2/' "$work/partitions" >"$work/negative"
rejects "another negative limit" "fathom: $work/negative: partitions[1]: 'max_time_limit' must be \
a number of 0 or more" convert --from "$work/negative" --to fathom-jobs
sed 's/"qos"/"QOS"/' "$work/qos" >"$work/QOS"
is "QOS under the name that slurmrestd gave them until v0.0.38" \
	"$(fathom convert --from "$work/QOS" --to fathom-jobs 2>&1)" \
	"$(fathom convert --from "$work/qos" --to fathom-jobs)"
for tree in "$seeds"/slurmrest/*; do
	sed '0,/{/s//{"QOS": [{"name": "normal", "priority": {"set": true, "number": 5}}],/' \
		"$tree" >"$work/config"
	is "QOS beside a tree: ${tree##*/}" "$(fathom shares --from "$work/config" 2>&1)" \
		"$(fathom shares --from "$tree" 2>&1)"
done

### jobs of the database

# the same jobs as sacct -P and as sacct --json
records=$data/slurm/database.sacct
database=$seeds/sacct-json/answer
for target in usage fathom-jobs swf sshare; do
	is "sacct --json as $target" \
		"$(fathom convert --from "$database" --to $target 2>/dev/null)" \
		"$(fathom convert --from "$records" --to $target 2>/dev/null)"
done
is "a job that was cancelled while it waited has neither start nor run time" \
	"$(fathom convert --from "$database" --to swf 2>/dev/null | grep '^4')" \
	"4 10 -1 -1 -1 -1 -1 8 -1 -1 5 2 1 -1 -1 1 -1 -1"
is "tasks that wait as a mask, as the database has them" \
	"$(sed 's/"0-3%2"/"0xA05"/' "$database" | fathom convert --from - --to fathom-jobs)" \
	"$(fathom convert --from "$database" --to fathom-jobs)"
ok "it is no answer of slurmctld" sh -c "'$FATHOM' convert --from '$database' --to swf -v 2>&1 |
	grep -q 'format sacct-json'"
is "a state that is not known counts as ended" \
	"$(sed '0,/"COMPLETED"/s//"DONE"/' "$database" | fathom convert --from - --to swf 2>&1)" \
	"$(fathom convert --from "$database" --to swf 2>&1 | sed "s|$database: |-: \
state 'DONE' is unknown; 1 job of unknown states count as ended; |")"
is "a file without jobs" "$(echo '{"jobs": []}' | fathom prio --from - -n 2>&1)" ""
finish
