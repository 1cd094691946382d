#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom prio --view flux: what "flux account jobs" prints, byte by byte. The first job is the
# example of flux-accounting's documentation.
. "${srcdir:=.}/tests/cli/lib.sh"

cat >"$work/jobs.json" <<'END'
{"format": "fathom-jobs", "version": 1,
 "jobs": [
 {"job_id": 29896998912, "user": "bonds", "account": "A", "partitions": ["bronze"],
  "fairshare": 0.5, "queue": 1, "bank": 100},
 {"job_id": 2, "user": "mays", "account": "C", "partitions": ["gold"], "fairshare": 0.2857142857,
  "bank": -5.5, "urgency": 31},
 {"job_id": 3, "user": "bonds", "account": "C", "partitions": ["bronze"], "state": "RUNNING",
  "fairshare": 0.5, "urgency": 0},
 {"job_id": 4, "user": "mays", "account": "C", "state": "COMPLETED", "fairshare": 1}]}
END

flux ()
{
	fathom prio --from "$work/jobs.json" --set bank_weight=1000 --view flux -- "$@"
}

# ids OPTION...: of the jobs that are shown
ids ()
{
	flux -o '{JOBID}' "$@" | tail -n +2 | paste -sd ' ' -
}

head='JOBID          USER     BANK    BANKPRIO  BANKFACT  QUEUE   QPRIO  QFACT  FAIRSHARE '
head="${head}FSFACTOR  URGENCY URGFACT PRIORITY"
is "the example of the documentation" "$(flux bonds --bank A | sed 's/ *$//')" \
"$head
fnYtwBV        bonds    A       100.0     1000      bronze  1      10000  0.5       100000    \
16      1000    160000"
is "blanks up to the end" "$(flux -j 3 | tail -n 1)" \
"3              bonds    C       0.0       1000      bronze  0      10000  0.5       100000    \
0       1000    0       "
is "a bank below 0, a fraction with six digits, urgency 31, no queue" \
	"$(flux -o '{BANKPRIO} {FAIRSHARE} {PRIORITY:>11} {QUEUE}' mays | tail -n 2)" \
"-5.5 0.285714  4294967295 gold
0.0 1.0      100000 -"
is "-v: how it was calculated" "$(flux -v -j fnYtwBV; echo .)" \
"fnYtwBV
= (FAIRSHARE * FAIRSHARE_WEIGHT) + (QUEUE_PRIORITY * QUEUE_WEIGHT) + (BANK_PRIORITY * \
BANK_WEIGHT) + (URGENCY_WEIGHT * (URGENCY - 16))
= (0.5 * 100000) + (1 * 10000) + (100.0 * 1000) + (1000 * (16 - 16))
= 50000.0 + 10000 + 100000.0 + 0
= 160000

."
is "jobs in all states" "$(ids)" "fnYtwBV 2 3 4"
is "of a user" "$(ids bonds)" "fnYtwBV 3"
is "in a queue" "$(ids --queue bronze)" "fnYtwBV 3"
is "in a bank" "$(ids --bank=C)" "2 3 4"
is "by their ids" "$(ids -j 29896998912,4) $(ids --jobids=fnYtwBV)" "fnYtwBV 4 fnYtwBV"
is "each id a word, as argparse takes them" "$(ids -j 29896998912 3 4 -c 2) $(ids bonds -j 3 4)" \
	"fnYtwBV 3 3"
is "the f of a UTF-8 terminal" "$(ids -j "$(printf '\306\222nYtwBV')" 3)" "fnYtwBV 3"
is "--since 0" "$(ids --since 0.0 --since=0)" "fnYtwBV 2 3 4"
is "-c" "$(ids -c 2) $(ids --count 0)" "fnYtwBV 2 fnYtwBV 2 3 4"
for state in pending:fnYtwBV,2 running:3 active:fnYtwBV,2,3 completed:4 failed: inactive:4 run:3 \
	sched:fnYtwBV,2 canceled: timeout: cleanup: Running,COMPLETED:3,4; do
	is "-f ${state%:*}" "$(ids -f "${state%:*}")" "$(echo "${state#*:}" | tr ',' ' ')"
done
sed 's/"job_id": 2,/& "dependency": true,/' "$work/jobs.json" >"$work/depends.json"
for state in depend:2 priority:fnYtwBV sched:fnYtwBV pending:fnYtwBV,2 active:fnYtwBV,2,3 \
	inactive:4; do
	is "-f ${state%:*}, one job waits for another" \
		"$(fathom prio --from "$work/depends.json" --view flux -- -f "${state%:*}" \
			-o '{JOBID}' | tail -n +2 | paste -sd ,)" "${state#*:}"
done
is "none: the header and an empty line" "$(flux -f failed; echo .)" "$head

."
fathom prio --from "$work/jobs.json" --policy classic --set PriorityWeightFairshare=1000 \
	--view flux >"$work/printed"
is "another policy: '-' for what it lacks" "$(sed -n '2s/ *$//p' "$work/printed")" \
"fnYtwBV        bonds    A       -         -         bronze  -      -      0.5       -         \
-       -       500"

# a job that has started keeps its priority when weights and fair share change
fathom prio --from "$work/jobs.json" --policy flux --set bank_weight=1000 --state all --json \
	>"$work/printed.json"
printed ()
{
	terms='{FAIRSHARE}*{FSFACTOR} {BANKPRIO}*{BANKFACT} {QFACT} {URGENCY}*{URGFACT}'
	fathom prio --from "$work/printed.json" --view flux -- -f running \
		-o "{PRIORITY}: $terms" | tail -n 1
}
is "a running job, by the weights in force" "$(printed)" "0: 0.5*100000 0.0*1000 10000 0*1000"
sed -i '/"job_id": 3,/s/"priority": 0,/"priority": 700,/' "$work/printed.json"
is "by other weights than these" "$(printed)" "700: -*- 0.0*- - 0*-"
sed 's/"state": "RUNNING"/"priority": 77/' "$work/jobs.json" >"$work/set.json"
is "a priority that was set" "$(fathom prio --from "$work/set.json" --view flux -- -j 3 \
	-o '{PRIORITY} {FAIRSHARE} {FSFACTOR} {BANKPRIO} {URGENCY}' | tail -n 1)" "77 - - - -"

rejects "a user without jobs" "fathom: USER: there are no jobs of bond; did you mean bonds?" \
	prio --from "$work/jobs.json" --view flux -- bond
rejects "a bank without jobs" "fathom: --bank: there are no jobs of B" \
	prio --from "$work/jobs.json" --view flux -- --bank B
rejects "a queue without jobs" "fathom: --queue: there are no jobs of silver" \
	prio --from "$work/jobs.json" --view flux -- --queue silver
rejects "a state that is none" \
	"fathom: --filter: 'waiting' is not a state, must be one such as pending, running or \
completed" prio --from "$work/jobs.json" --view flux -- -f waiting
for count in x -1 '' 2x; do
	rejects "-c '$count'" "fathom: --count: '$count' must be a whole number, 0 for all" \
		prio --from "$work/jobs.json" --view flux -- "--count=$count"
done
rejects "--since" "fathom: --since: '2025-05-20' must be 0; when jobs have ended is not known" \
	prio --from "$work/jobs.json" --view flux -- --since 2025-05-20
rejects "-j without an id" "fathom: -j: needs an argument; see fathom prio --view flux -- --help" \
	prio --from "$work/jobs.json" --view flux -- bonds -j
rejects "a column that is none" "fathom: --format: 'ID' is unknown, must be JOBID, USER, BANK, \
BANKPRIO, BANKFACT, QUEUE, QPRIO, QFACT, FAIRSHARE, FSFACTOR, URGENCY, URGFACT or PRIORITY" \
	prio --from "$work/jobs.json" --view flux -- -o '{ID}'
rejects "-v and -o" "fathom: --verbose: cannot be used with --format" \
	prio --from "$work/jobs.json" --view flux -- -v -o '{JOBID}'
rejects "fathom's own --state" "fathom: --view: flux has its own options for rows and columns; put \
them behind \"--\": --view flux -- OPTION" \
	prio --from "$work/jobs.json" --view flux --state all
finish
