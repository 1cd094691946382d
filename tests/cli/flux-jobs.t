#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom prio of files under policy flux: all that "flux account jobs" shows, in one row, and which
# jobs are shown.
. "${srcdir:=.}/tests/cli/lib.sh"

# The example of flux-accounting's documentation is job 1.
cat >"$work/jobs.json" <<'END'
{"format": "fathom-jobs", "version": 1,
 "partitions": [{"name": "bronze", "priority_job_factor": 1}, {"name": "gold"}],
 "jobs": [
 {"job_id": 1, "user": "bonds", "account": "A", "partitions": ["bronze"], "fairshare": 0.5,
  "queue": 1, "bank": 100},
 {"job_id": 2, "user": "mays", "account": "C", "partitions": ["gold"], "fairshare": 0.25,
  "bank": -5.5, "urgency": 31},
 {"job_id": 3, "user": "bonds", "account": "a", "partitions": ["bronze"], "state": "RUNNING",
  "fairshare": 0.5, "urgency": 0},
 {"job_id": 4, "user": "mays", "account": "C", "state": "COMPLETED", "fairshare": 1}]}
END

flux ()
{
	fathom prio --from "$work/jobs.json" --policy flux --set bank_weight=1000 "$@"
}

is "-l: a row has what flux account jobs shows" "$(flux -lj 1 | tr -s ' ' | sed 's/^ //')" \
"JOBID USER BANK BANKPRIO BANKFACT QUEUE QPRIO QFACT FAIRSHARE FSFACTOR URGENCY URGFACT PRIORITY
1 bonds A 100 1000 bronze 1 10000 0.5000000 100000 16 1000 160000"
is "banks below 0, urgency 31" "$(flux -lnPj 2)" \
	"2|mays|C|-5.5|1000|gold|0|10000|0.2500000|100000|31|1000|4294967295"
is "columns by name" "$(flux -nP -o BankPrio,BankFact,QPrio,QFact,FSFactor,Urgency,UrgFact -j 2)" \
	"-5.5|1000|0|10000|100000|31|1000"
is "sorted by one of them" "$(flux -nP -o JobID -S -Urgency | tr '\n' ' ')" "2 1 "
is "--weights -l: the weights" "$(flux --weights -lnP)" \
	"Weights||||1000|||10000|100000|100000||1000|"

### Which jobs

ids ()
{
	flux -nP -o JobID "$@" | tr '\n' ' '
}

is "without --state, those that wait" "$(ids)" "1 2 "
is "--state" "$(ids --state RUNNING)" "3 "
is "several, by squeue's abbreviations too" "$(ids --state pd,R)" "1 2 3 "
is "all" "$(ids --state all)" "1 2 3 4 "
is "the state is shown" "$(flux -nP --state all -o JobID,State | tail -n 2 | tr '\n' ' ')" \
	"3|RUNNING 4|COMPLETED "
is "with -l too" "$(flux -l --state R | tr -s ' ' | sed 's/^ //' | cut -d ' ' -f 13-)" \
"PRIORITY STATE
0 RUNNING"
is "-A: of a bank, as Slurm knows names" "$(ids --state all -A A)" "1 3 "
is "of several banks" "$(ids --account a,C)" "1 2 "
rejects "of none" "fathom: --account: there are no jobs of account 'B'; the nearest is A" \
	prio --from "$work/jobs.json" -A B
rejects "a state that is none" "fathom: --state: 'WAITING' is not a state, must be one such as \
PENDING or RUNNING, or all" prio --state WAITING
rejects "no state" "fathom: --state: no state given" prio --state ,
sed 's/"RUNNING"/"running fast"/' "$work/jobs.json" >"$work/wrong.json"
rejects "a state of a job that is none" \
	"fathom: $work/wrong.json:8: jobs[2]: 'state' must be a state such as \"PENDING\" or\
 \"RUNNING\"" \
	prio --from "$work/wrong.json"

### JSON

flux --json --state all -j 2,3 >"$work/out.json"
if command -v python3 >/dev/null; then
	is "JSON has the same" "$(python3 -c 'import json, sys
for job in json.load(open(sys.argv[1]))["jobs"]:
    print(job["state"], job["priority"], *job["flux"].values())' "$work/out.json")" \
"PENDING 4294967295 -5.5 1000 0 10000 0.25 100000 31 1000
RUNNING 0 0 1000 1 10000 0.5 100000 0 1000"
else
	skip "JSON has the same" "python3 is not installed"
fi
is "under another policy there is none of it" \
	"$(fathom prio --from "$work/jobs.json" --json | grep -c '"flux"')" 0
finish
