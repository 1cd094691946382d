#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What fathom prio --json prints, --from reads: the same JSON and the same table come out again.
. "${srcdir:=.}/tests/cli/lib.sh"

# again WHAT ARGUMENT...: prints the jobs as JSON, and compares what is made of it
again ()
{
	again_text=$1
	shift
	fathom prio --state all "$@" --json >"$work/first.json" 2>"$work/remarks"
	fathom prio --from "$work/first.json" --state all --json >"$work/second.json" 2>&1
	ok "$again_text: JSON" cmp "$work/first.json" "$work/second.json"
	is "$again_text: the table" \
		"$(fathom prio --from "$work/first.json" --state all -lP 2>&1)" \
		"$(fathom prio --state all "$@" -lP 2>&1 | grep -v '^fathom: ')"
}

for policy in $(policies); do
	for jobs in demo small shadow; do
		again "$jobs, $policy" --from "$data/jobs/$jobs.json" --from "$data/demo.sshare" \
			--policy "$policy"
	done
done
! built_with muParser "a formula" ||
	again "a formula" --from "$data/jobs/demo.json" --formula '1000 * age'

demo="prio --from $data/jobs/demo.json --from $data/demo.sshare"
# shellcheck disable=SC2086	# words
fathom $demo --policy classic,lsf --json >"$work/two.json"
# shellcheck disable=SC2086
is "of several policies, the first is read" \
	"$(fathom prio --from "$work/two.json" 2>"$work/said")" \
	"$(fathom $demo --policy classic)"
# shellcheck disable=SC2086
is "with its weights" "$(fathom prio --from "$work/two.json" --weights -lP 2>"$work/said")" \
	"$(fathom $demo --policy classic --weights -lP)"
is "and named" "$(cat "$work/said")" \
	"fathom: $work/two.json: has 2 policies; the first, classic, is read"
is "of one, nothing is said" "$(fathom prio --from "$work/first.json" 2>&1 >/dev/null)" ""

### What is wrong

# changed SED: one job as it was printed, with a change
# shellcheck disable=SC2086
fathom $demo --policy classic -j 5 --json >"$work/one.json"
changed ()
{
	sed "$1" "$work/one.json" >"$work/changed.json"
}

for who in 7 user1 ''; do
	# shellcheck disable=SC2086	# a word or none
	rejects "explain ${who:-without WHO}" \
		"fathom: --from: $work/one.json has priorities as they were computed; explain \
needs the jobs themselves" explain $who --from "$work/one.json"
done
rejects "another policy" "fathom: --from: $work/one.json has priorities as they were computed; \
--policy, --set, --formula, --shadow and further files need the jobs themselves" \
	prio --from "$work/one.json" --policy lsf
rejects "jobs beside it" "fathom: --from: $work/one.json has priorities as they were computed; \
--policy, --set, --formula, --shadow and further files need the jobs themselves" \
	prio --from "$work/one.json" --from "$data/jobs/demo.json"
rejects "a second file" "fathom: $work/one.json: only one file may have priorities" \
	prio --from "$work/one.json" --from "$work/one.json"
changed 's/"job_id": 5/"job_id": "5"/'
rejects "an id that is text" \
	"fathom: $work/changed.json:3: jobs[0]: 'job_id' must be an integer" \
	prio --from "$work/changed.json"
changed 's/"priority": [0-9]*/"priority": "high"/'
rejects "a priority that is text" \
	"fathom: $work/changed.json:3: jobs[0]: 'priority' must be a number, \"inf\" or null" \
	prio --from "$work/changed.json"
changed 's/"user": "user1"/"user": 7/'
rejects "a user that is a number" \
	"fathom: $work/changed.json:3: jobs[0]: 'user' must be a string or null" \
	prio --from "$work/changed.json"
changed 's/"user": "user1"/"state": "IDLE"/'
rejects "a state that is none" \
	"fathom: $work/changed.json:3: jobs[0]: 'state' is not a state of Slurm's" \
	prio --from "$work/changed.json"
changed 's/"weighted": {/"terms": {/'
rejects "no terms" "fathom: $work/changed.json:3: jobs[0]: 'weighted' must be an object" \
	prio --from "$work/changed.json"
changed '/"weighted"/s/"tres": {[^}]*}/"tres": {"cpu": 1}/'
rejects "other TRES" "fathom: $work/changed.json:4: jobs[0]: 'tres' must have the TRES of the \
first job" prio --from "$work/changed.json"
changed 's/"jobs": \[/"jobs": [5,/'
rejects "a job that is a number" "fathom: $work/changed.json:2: jobs[0] is not an object, \
must be {\"job_id\": ...}" prio --from "$work/changed.json"
printf '{"format": "fathom-priorities", "version": 1, "formula": 5, "jobs": []}\n' \
	>"$work/changed.json"
rejects "a formula that is a number" \
	"fathom: $work/changed.json:1: \"formula\" must be a string" \
	prio --from "$work/changed.json"

for tres in fs/disk=1e99 "$(printf 'fs/\033=1')"; do
	printf '%s\n' 'JobID|User|Account|State|Submit|Start|End|ReqTRES' \
		"1|anna|a|PENDING|2026-11-01T00:00:00|Unknown|Unknown|cpu=2,$tres" >"$work/wrong"
	like "a job's TRES that cannot be counted" "$(fathom prio --from "$work/wrong" 2>&1)" \
		"fathom: $work/wrong:2: TRES is 'cpu=2,fs/*, must be counts such as cpu=4,mem=8000M"
done
finish
