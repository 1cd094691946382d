#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs in databases of flux-accounting: of which user and bank they are, what they got, the schemas
# of its releases, and what is refused.
. "${srcdir:=.}/tests/cli/lib.sh"
: "${MAKE_DB:=./tests/format/make_db}"
need_python3
built_with SQLite databases || finish
work=$(cd "$work" && pwd -P)
db=$work/accounting.db

tree="CREATE TABLE bank_table (bank_id integer PRIMARY KEY, bank text, active int DEFAULT 1,
 parent_bank text, shares int, priority real DEFAULT 0);
CREATE TABLE association_table (active int DEFAULT 1, username tinytext, userid int, bank tinytext,
 default_bank tinytext, shares int DEFAULT 1, job_usage real DEFAULT 0);
INSERT INTO bank_table (bank, parent_bank, shares, priority)
 VALUES ('root', '', 1, 0), ('A', 'root', 1, 0), ('B', 'root', 1, -5.5);
INSERT INTO association_table (username, userid, bank, default_bank, active, job_usage)
 VALUES ('ada', 5011, 'A', 'A', 1, 8), ('bob', 5012, 'A', 'B', 0, 1), ('bob', 5012, 'B', 'B', 1, 4),
 ('x', 65534, 'B', 'B', 1, 0), ('y', 65534, 'B', 'B', 1, 0), ('c', 7, 'A', 'A', 1, 0),
 ('d', 7, 'A', 'A', 1, 0);"
# columns as of the latest release, and as they were when the table was new
jobs="CREATE TABLE jobs (id char(16) PRIMARY KEY NOT NULL, userid integer, t_submit real,
 t_run real, t_inactive real, ranks text, R text, jobspec text, project text, bank text,
 requested_duration real DEFAULT 0, actual_duration real DEFAULT 0);"
old_jobs="CREATE TABLE jobs (id char(16) PRIMARY KEY NOT NULL, userid integer, t_submit real,
 t_run real, t_inactive real, ranks text, R text, jobspec text);"
R='{"version": 1, "execution": {"R_lite": [
 {"rank": "0-3", "children": {"core": "0-35", "gpu": "0"}},
 {"rank": "5", "children": {"core": "0,2-3"}}], "nodelist": ["n[0-3,5]"]}}'
spec='{"attributes": {"system": {"duration": 1800, "queue": "batch", "bank": "B"}}}'

# job ID USERID SUBMIT RUN INACTIVE RANKS R JOBSPEC [BANK DURATION]: a row; the first five are SQL
job ()
{
	printf "INSERT INTO jobs (id, userid, t_submit, t_run, t_inactive, ranks, R, jobspec%s)
 VALUES (%s, %s, %s, %s, %s, '%s', '%s', '%s'%s);" "${9:+, bank, requested_duration}" \
		"$1" "$2" "$3" "$4" "$5" "$6" "$7" "$8" "${9:+, '$9', ${10}}"
}

make ()
{
	rm -f "$db"
	"$MAKE_DB" "$db" "$@"
}

# keys of the jobs in the file of jobs that the database becomes
of_jobs ()
{
	fathom convert --from "$db" --to fathom-jobs 2>/dev/null | python3 -c 'import json, sys
for job in json.load(sys.stdin)["jobs"]:
    print(*(job.get(key, "-") for key in sys.argv[1:]))' "$@"
}

make "$tree$jobs$(job "'352321536'" 5011 1000.5 1100.25 1200.25 '0-3,5' "$R" "$spec" A 3600)"
is "a job" "$(of_jobs job_id user account partitions state submit_time min_nodes cpus time_limit)" \
	"352321536 ada A ['batch'] COMPLETED 1000.5 5 147 60"
is "what it got" "$(of_jobs tres)" "{'cpu': 147, 'node': 5, 'gres/gpu': 4}"
is "its times in a trace" \
	"$(fathom convert --from "$db" --to swf 2>/dev/null | grep -v ';' | cut -d ' ' -f 1-5,9)" \
	"352321536 0.5 99.75 100 147 3600"

make "$tree$old_jobs$(job 1 5011 1 2 3 0 "$R" "$spec")$(job 2 5012 1 2 3 0 "$R" '{}')"
is "the early schema: bank and duration of the jobspec, else the default bank" \
	"$(of_jobs user account partitions time_limit)" \
"ada B ['batch'] 30
bob B - -"

make "$tree$jobs$(job 1 65534 1 2 3 0 "$R" '' B 0)$(job 2 7 1 2 3 0 "$R" '' A 0)$(job 3 99 1 2 3 \
	0 "$R" '')"
is "users without a name of their own are numbers" "$(of_jobs user account)" \
"65534 B
7 A
99 root"

make "$tree$jobs$(job 1 5011 1 2 3 '[0-2,7]' 'none' "$spec")$(job 2 5011 1 2 3 '3-1' '{}' '[]' A 60
	)$(job 3 5011 1 2 3 '' '{"execution": {"R_lite": [{"rank": "0-4294967295", "children":
	{"core": "x"}}, 5]}}' '' A 60)"
is "without R there are ranks; without these nothing is known" \
	"$(of_jobs account min_nodes cpus tres)" \
"B 4 - {'node': 4}
A - - -
A - - -"

make "$tree$jobs$(job 1 5011 1 0 3 '' '' '' A 60)$(job 2 5011 9 8 7 0 "$R" '' A 60)$(job 3 5011 1 \
	2 NULL 0 "$R" '' A 60)"
is "a job that did not run is cancelled" "$(of_jobs job_id state)" \
"1 CANCELLED
2 COMPLETED
3 CANCELLED"

make "$tree$jobs$(job 9223372036854775807 5011 1 2 3 0 "$R" '' A 60)$(job 36028797018963969 5011 1 \
	2 3 0 "$R" '' A 60)"
is "large numbers of jobs are whole" "$(of_jobs job_id | paste -sd ' ' -)" \
	"9223372036854775807 36028797018963969"
is "in a trace, too" \
	"$(fathom convert --from "$db" --to swf 2>/dev/null | grep -v ';' | cut -d ' ' -f 1)" \
"9223372036854775807
36028797018963969"
is "and in lists" "$(fathom prio --from "$db" --state all -nP -o JobID) $(fathom prio \
	--from "$db" --view flux -- -o '{JOBID}' | sed -n 3p)" \
	"36028797018963969
9223372036854775807 f5rLWQQkJdn"

### What priorities are made of

make "$tree$jobs$(job 1 5011 1 2 3 0 "$R" "$spec" A 60)$(job 2 5012 1 2 3 0 "$R" '' B 60)
	CREATE TABLE queue_table (queue tinytext, priority int);
	INSERT INTO queue_table VALUES ('batch', 7);
	CREATE TABLE priority_factor_weight_table (factor text, weight integer);
	INSERT INTO priority_factor_weight_table VALUES ('fairshare', 50000), ('queue', 200),
	 ('bank', 10), ('urgency', 1000);
	CREATE TABLE config_table (key text, value text);
	INSERT INTO config_table VALUES ('core_weight', '0.5'), ('gpu_weight', '2');"
is "priorities of bank and queue, weights, the database's policy" \
	"$(fathom prio --from "$db" --view flux -- -o \
		'{JOBID} {BANKPRIO} {BANKFACT} {QPRIO} {QFACT} {FSFACTOR} {PRIORITY}' |
		tail -n +2)" \
"1 0.0 10 7 200 50000 9733
2 -5.5 10 0 200 50000 33278"
echo 'Policy=fair-tree' >"$work/fathom.conf"
is "a fathom.conf takes their place" \
	"$(fathom prio --from "$db" --from "$work/fathom.conf" --state all -nP -o JobID,Priority)" \
"1|1
2|1"
printf '%s\n' Policy=flux BankWeight=10 BankPriority=A:300,B:300 >"$work/fathom.conf"
is "BankPriority is for banks that have no priority" \
	"$(fathom prio --from "$db" --from "$work/fathom.conf" --state all -nP -o JobID,Assoc)" \
"1|3000
2|-55"
is "replayed, a job is charged by the weights of usage" \
	"$(fathom replay "$db" --cpus 1000 --json 2>/dev/null | python3 -c 'import json, sys
print(json.load(sys.stdin)["trace"]["jobs"])')" 2

# ada has used the machine when her job of queue batch comes; bob has not, and is of bank B
make "$tree$jobs$(job 1 5011 1000 1000 2000 0 "$R" '' A 60)$(job 2 5012 1010 1 2 0 "$R" '' B 60)
	$(job 3 5011 1020 1 2 0 "$R" "$spec" A 60) CREATE TABLE queue_table (queue tinytext,
	priority int); INSERT INTO queue_table VALUES ('batch', 7);"
is "a replay has priorities of queues and banks" \
	"$(for sets in queue_weight=10000 queue_weight=0 "queue_weight=0 bank_weight=20000"; do
		# shellcheck disable=SC2046	# words are meant
		fathom replay "$db" --cpus 147 --policy flux $(printf ' --set %s' $sets) \
			--schedule "$work/starts" >"$work/out"
		sed 1d "$work/starts" | cut -d , -f 1 | paste -sd ' ' -
	done)" "1 3 2
1 2 3
1 3 2"

### With other files

echo '{"format": "fathom-jobs", "version": 1,
 "jobs": [{"job_id": 12, "user": "ada", "account": "A"}]}' >"$work/jobs.json"
for order in "$db $work/jobs.json" "$work/jobs.json $db"; do
	is "the jobs of another file take their place" \
		"$(fathom prio --from "${order% *}" --from "${order#* }" -nP -o JobID)" 12
done
is "the usage is that of the tree" "$(fathom convert --from "$db" --to sshare 2>/dev/null |
	grep '|[a-z][a-z]*|1|[1-9]')" \
"  A|ada|1|8
  B|bob|1|4"
is "a tree without the jobs" "$(fathom convert --from "$db" --to sshare 2>&1 >"$work/out")" \
"fathom: sshare: does not keep the jobs
fathom: sshare: does not keep the settings"
make "$tree$jobs"
rejects "no jobs" "fathom: --from: no file has jobs; see fathom-prio(1)" prio --from "$db"
rejects "none to convert" "fathom: --to: swf holds jobs, but no file has any" \
	convert --from "$db" --to swf

make "$old_jobs$(job 1 5011 1 2 9 0 "$R" "$spec")$(job 2 5012 1 2 4 0-2 '' '')"
is "the job archive of flux-core" "$(of_jobs user account min_nodes)" \
"5011 B 5
5012 root 3"
is "usage of jobs alone is added up" \
	"$(fathom convert --from "$db" --to sshare --set half_life=0 2>/dev/null | tail -n +2)" \
"root|||41
 B||1|35
  B|5011|1|35
 root|5012|1|6"

### What is refused

# rebuild FILE...: user and usage on the first day of a history of these files
rebuild ()
{
	rm -f "$work/history"
	rebuild_files=
	for rebuild_file; do
		rebuild_files="$rebuild_files --from $rebuild_file"
	done
	# shellcheck disable=SC2086	# an option and a file a word
	fathom history --rebuild $rebuild_files --policy fair-tree --set half_life=0 \
		--history "$work/history" >"$work/said" 2>&1 || cat "$work/said"
	for rebuild_user in ada bob; do
		fathom history --history "$work/history" --since 2000-01-01 -nP \
			"user:$rebuild_user" 2>/dev/null | head -n 1 | cut -d '|' -f 1,3,6
	done
}

export TZ=UTC
make "$tree$jobs$(job 1 5011 1704067200 1704067200 1704067300 0 "$R" "$spec" A 3600)"
is "a history of a database with a tree and jobs" "$(rebuild "$db")" \
	"2024-01-02|ada|500
2024-01-02|bob|0"
printf '%s\n' 'JobID|User|Account|State|Submit|Start|End|Elapsed|AllocTRES' \
	'1|bob|B|COMPLETED|1704067200|1704067200|1704067230|00:00:30|cpu=1,node=1,billing=1' \
	>"$work/records"
is "other records go before its jobs" "$(rebuild "$db" "$work/records"
	rebuild "$work/records" "$db")" "2024-01-02|ada|0
2024-01-02|bob|30
2024-01-02|ada|0
2024-01-02|bob|30"
make "$tree"
like "a database without jobs" "$(rebuild "$db")" \
	"fathom: $db: no job has run, so there is no usage"
is "and records from elsewhere" "$(rebuild "$db" "$work/records")" "2024-01-02|ada|0
2024-01-02|bob|30"

# refuses TEXT MESSAGE SQL...
refuses ()
{
	refuses_text=$1 refuses_message=$2
	shift 2
	make "$tree$jobs$*"
	rejects "$refuses_text" "fathom: $db: jobs, row 1: $refuses_message" \
		convert --from "$db" --to swf
}

refuses "a time that is text" "t_run is 'soon', must be seconds since 1970" \
	"$(job 1 5011 1 "'soon'" 3 0 "$R" '' A 60)"
refuses "a number that is none" "id is 'ƒx', must be the job's number, an integer of 0 or more" \
	"$(job "'ƒx'" 5011 1 2 3 0 "$R" '' A 60)"
refuses "a number below 0" "id is '-1', must be the job's number, an integer of 0 or more" \
	"$(job -1 5011 1 2 3 0 "$R" '' A 60)"
refuses "a time that is too late" "the end is inf, must be at most 1099511627776" \
	"$(job 1 5011 1 2 9e999 0 "$R" '' A 60)"
refuses "a bank with a line end" "a name has more than 255 bytes, or a byte that is not a \
printable UTF-8 character" "$(job 1 5011 1 2 3 0 "$R" "$spec" "A${newline}B" 60)"
make "$tree CREATE TABLE jobs (id text, userid int);"
rejects "a table without its columns" \
	"fathom: $db: jobs has no column t_submit, must be of flux-accounting 0.8 or later" \
	convert --from "$db" --to swf
make "$tree$jobs$(job "'352321536'" 5011 1000.5 1100.25 1200.25 '0-3,5' "$R" "$spec" A 3600)
	ALTER TABLE association_table RENAME TO users;
	CREATE VIEW association_table AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1
		FROM n) SELECT 1 AS active, 'u' AS username, i AS userid, 'A' AS bank FROM n;"
timeout 20 "$FATHOM" replay "$db" --policy fcfs --cpus 147 --schedule "$work/plan" >"$work/out" 2>&1
is "a view without an end is not asked for users" "$(cut -d , -f 1-3 "$work/plan" | tail -n 1)" \
	"352321536,5011,A"
finish
