#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom explain of files: sentences, tables and JSON, under each policy, and what is wrong.
. "${srcdir:=.}/tests/cli/lib.sh"

tree=$data/demo.sshare
jobs=$data/jobs/demo.json
asked=$data/explain

# of_jobs ARGUMENT...: of the jobs and the tree, under policy classic
of_jobs ()
{
	fathom explain --from "$jobs" --from "$tree" --policy classic "$@"
}

# sentence ARGUMENT...: that of the JSON
sentence ()
{
	fathom explain --json "$@" | sed -n 's/^ "sentence": "\(.*\)"}$/\1/p'
}

# key NAME ARGUMENT...: the object of this name in the JSON, on one line
key ()
{
	key_name=$1
	shift
	fathom explain --json "$@" | sed -n "s/^ \"$key_name\": \(.*[]}]\),*\$/\1/p"
}

### Whole answers

prints "a job" explain-job.txt explain 7 --from "$jobs" --from "$tree" --policy classic
prints "two jobs" explain-jobs.txt explain 7 5 --from "$jobs" --from "$tree" --policy classic
prints "JSON of two jobs" explain-jobs.json \
	explain 7 5 --from "$jobs" --from "$tree" --policy classic --json
for policy in $(policies); do
	prints "a user under $policy" "explain-$policy.txt" \
		explain user3 --from "$tree" --policy "$policy"
	prints "two users under $policy" "explain-pair-$policy.txt" \
		explain c/user3 user5 --from "$tree" --policy "$policy"
done

### Questions that users ask their sites

prints "my LevelFS is 0.000049: over or under?" explain-level-fs.txt \
	explain me --from "$asked/level-fs.json"
prints "why do hers go first?" explain-larger-group.txt \
	explain me she --from "$asked/larger-group.json"
prints "how long after a seven-day job?" explain-seven-days.txt \
	explain me --until 0.7 --from "$asked/seven-days.json" --policy classic

### The order of a pair does not matter

is "who and whom change places, and so does of" \
	"$(key change 5 7 --from "$jobs" --from "$tree" --policy classic | sed 's/whom/who/')" \
	"$(key change 7 5 --from "$jobs" --from "$tree" --policy classic)"
is "the text is the same" "$(of_jobs 5 7 | sed -n 1p)" "$(of_jobs 7 5 | sed -n 1p)"

### Changes: what is named swaps them, as fathom prio and fathom shares see it

# first OPTION...: which of jobs 5 and 7 goes first
first ()
{
	fathom prio --from "$work/jobs.json" --from "$tree" --policy classic -j 5,7 -nP -S -Y,i \
		-o JobID | head -n 1
}
# change KIND: "from to" of the change of this kind for job 7
change ()
{
	key change 7 5 --from "$jobs" --from "$tree" --policy classic --change "$1" |
		sed 's/.*"from": \([^,]*\), "to": \([^}]*\)}/\1 \2/'
}
nice=$(change nice)
is "nice" "$nice" "0 -2935"
for step in 0 1; do
	sed "/\"job_id\": 7/s/\"user\"/\"nice\": $((${nice#* } + step)), &/" "$jobs" \
		>"$work/jobs.json"
	is "job 7 with nice ${nice#* } + $step" "$(first)" "$((step ? 5 : 7))"
done
is "age, which has no such weight, does not" \
	"$(of_jobs 7 5 --change age |
	sed -n '/alone puts/p')" \
	"No change of age alone puts job 7 first."
like "shares" "$(of_jobs 7 5 --change shares)" \
	"*if account c had 35 shares instead of 10.*"
is "the least of all kinds is that of shares" \
	"$(key change 7 5 --from "$jobs" --from "$tree" --policy classic)" \
	"$(key change 7 5 --from "$jobs" --from "$tree" --policy classic --change shares)"
for shares in 34:a 33:b; do
	sed "s/^  c||10/  c||${shares%:*}/" "$tree" >"$work/tree"
	is "account c with ${shares%:*} shares" \
		"$(fathom shares --from "$work/tree" --policy classic -UPn -u user1,user3 \
		-o User,FairShare | sort -t '|' -k 2,2gr | head -n 1 | cut -d '|' -f 1)" \
		"$([ "${shares#*:}" = a ] && echo user3 || echo user1)"
done

cat >"$work/age.json" <<'END'
{"format": "fathom-jobs", "version": 1, "time": 1700000000,
 "settings": {"PriorityWeightAge": 6048}, "partitions": [{"name": "p"}], "jobs": [
 {"job_id": 1, "partitions": ["p"], "accrue_time": 1699907189},
 {"job_id": 2, "partitions": ["p"], "accrue_time": 1699900000}]}
END
is "age is in whole seconds: 92811 times 1/604800 times 604800 is less" \
	"$(key change 1 2 --from "$work/age.json" --change age)" \
	'{"of": "who", "what": "age", "account": null, "user": null, "from": 92811, "to": 100000}'
sed -i 's/1699907189/1700003600/' "$work/age.json"
is "before a job is eligible, its age is 0" \
	"$(key change 1 2 --from "$work/age.json" --change age)" \
	'{"of": "who", "what": "age", "account": null, "user": null, "from": 0, "to": 100000}'
sed -i 's/"accrue_time"/"submit_time"/; s/1700003600/1699907189/' "$work/age.json"
is "under ACCRUE_ALWAYS, age is that of the submission" \
	"$(key change 1 2 --from "$work/age.json" --change age --set PriorityFlags=ACCRUE_ALWAYS)" \
	'{"of": "who", "what": "age", "account": null, "user": null, "from": 92811, "to": 100000}'

jobs_alone=$(fathom explain 7 5 --from "$jobs" --change shares)
like "without a tree it is not known which shares would do" \
	"$(echo "$jobs_alone" | paste -sd ' ')" \
	"*Which shares would swap them is not known: it depends on a tree; give one with another \
--from.*"
is "and none is said not to do" "$(echo "$jobs_alone" | grep -c 'alone puts')" 0
is "in JSON, too" "$(key not_tried 7 5 --from "$jobs")" '["usage", "shares"]'
is "where the tree is there, all is tried" \
	"$(key not_tried 7 5 --from "$jobs" --from "$tree" --policy classic)" ""

# age 500, job size 100, partition 600, QOS 500
printf '{"format": "fathom-jobs", "version": 1, "time": 1700000000, "settings": {
 "PriorityWeightAge": 1000, "PriorityWeightJobSize": 1000, "PriorityWeightPartition": 600,
 "PriorityWeightQOS": 500}, "cluster": {"nodes": 10, "cpus": 80}, "partitions": [
 {"name": "p", "priority_job_factor": 10}], "qos": [{"name": "n", "priority": 5}], "jobs": [
 {"job_id": 1, "user": "u", "account": "a", "partitions": ["p"], "qos": "n", "cpus": 8,
  "accrue_time": 1699697600, "min_nodes": 1, "time_limit": 60}]}\n' >"$work/even.json"
like "less than half of the points are not most" \
	"$(fathom explain 1 --from "$work/even.json" | paste -sd ' ')" \
	"*Its greatest term is partition: 600, which is 35 % of all.*"

### Terms that are not known

sed 's/"user3"/"nobody"/' "$jobs" >"$work/nobody.json"
like "the greatest of those that are known" \
	"$(sentence 7 --from "$work/nobody.json" --from "$tree" --policy classic)" \
	"*Most of its points are for age: 99, which is 100 % of all.*"

### What else matters

# note MEMBERS SETTINGS: the notes on job 1
note ()
{
	printf '{"format": "fathom-jobs", "version": 1, "time": 1700000000, "settings": {%s},
 "partitions": [{"name": "p"}, {"name": "q"}], "jobs": [
 {"job_id": 1, "partitions": ["p"], "fairshare": 0.5, %s}]}\n' "$2" "$1" >"$work/note.json"
	fathom explain 1 --from "$work/note.json" --json | sed -n 's/^ "sentence": "\(.*\)"}$/\1/p'
}
weights='"PriorityWeightFairshare": 1000'
like "held" "$(note '"held": true' "$weights")" "*has no rank*It is held: *"
like "held by fathom" \
	"$(note '"held": true, "own_hold": "the user has no shares"' "$weights")" \
	"*It is held by fathom until this changes: the user has no shares.*"
like "not that it must be released" \
	"$(note '"held": true, "own_hold": "the user has no shares"' "$weights" |
		grep -c 'before it is released')" 0
printf '{"format": "fathom-jobs", "version": 1, "jobs": [
 {"job_id": 1, "fairshare": 0.5, "comment": "urgency=24"},
 {"job_id": 2, "fairshare": 0.5, "comment": "urgency=x"},
 {"job_id": 3, "fairshare": 0.5, "comment": "urgency=0"}]}' >"$work/urgency.json"
like "urgency above 16" "$(sentence 1 --from "$work/urgency.json" --policy flux)" \
	"*A word of its comment does not count: only UrgencyRaise=yes lets urgency= be above 16.*"
like "no urgency" "$(sentence 2 --from "$work/urgency.json" --policy flux)" \
	"*does not count: urgency= must be a whole number from 0 to 31.*"
like "urgency 0" "$(sentence 3 --from "$work/urgency.json" --policy flux)" \
	"*It is held by fathom until this changes: urgency is 0.*"
sed 's/urgency=0"/&, "priority": 700/' "$work/urgency.json" >"$work/urgent.json"
is "unless an administrator has set the priority" \
	"$(sentence 3 --from "$work/urgent.json" --policy flux | grep -c urgency)" 0
printf '{"format": "fathom-jobs", "version": 1, "jobs": [
 {"job_id": 1, "fairshare": 0.05, "urgency": 10}, {"job_id": 2, "fairshare": 0.1},
 {"job_id": 3, "fairshare": 0.1, "urgency": 31}, {"job_id": 4, "fairshare": 0.6}]}' \
	>"$work/limits.json"
# limits ARGUMENT...: what is said of these jobs under flux
limits ()
{
	sentence --from "$work/limits.json" --policy flux "$@"
}
like "flux: a priority of 0 is no hold" "$(limits 1)" \
	"Job 1 has no rank*. Its terms add up to less than 1, so that its priority is 0, with \
which flux-core starts no job.*"
is "of which nothing is said" "$(limits 1 | grep -c held)" 0
like "in a pair, too, whose terms count" "$(limits 1 2)" \
	"*. The terms of job 1 add up to less than 1, so that its priority is 0, with \
which flux-core starts no job. They part at nice*"
like "and may be changed" "$(limits 1 2 --change nice)" \
	"*Job 1 would go first with a nice value of -5 instead of 6.*"
like "flux: urgency 31 is why a job is first" "$(limits 3)" \
	"*It has urgency 31: it goes before all jobs without, whatever its terms add up to.*"
is "its priority is not cut off" "$(limits 3 | grep -c 'is cut')" 0
like "in a pair, too, whose terms do not count" "$(limits 3 4)" \
	"*Job 3 has urgency 31: it goes before all jobs without, whatever its terms add up to. No *"
is "not even to part them" "$(limits 3 4 | grep -c 'They part')" 0
# limits_in_snapshot ARGUMENT...: the same of a snapshot, where priorities are summed up again
limits_in_snapshot ()
{
	cat >"$work/snapshot.json" <<'END'
{"format": "fathom-snapshot", "version": 1, "time": 1000, "fathom_conf":
 "Policy=flux\nFairshareWeight=100\n", "slurm_conf": "NodeName=n CPUs=1\nPartitionName=p Nodes=n\n",
"tree": [{"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
 {"id": 2, "parent": 1, "name": "ann", "kind": "user", "shares": 1, "usage": 100},
 {"id": 3, "parent": 1, "name": "bob", "kind": "user", "shares": 1, "usage": 50}],
"jobs": [{"job_id": 1, "user": "ann", "account": "root", "partitions": ["p"], "urgency": 31},
 {"job_id": 2, "user": "bob", "account": "root", "partitions": ["p"], "nice": 3},
 {"job_id": 3, "user": "bob", "account": "root", "partitions": ["p"], "urgency": 31},
 {"job_id": 4, "user": "bob", "account": "root", "partitions": ["p"], "nice": 5}]}
END
	sentence --from "$work/snapshot.json" "$@"
}
is "no change outdoes urgency 31" "$(limits_in_snapshot 3 1 | grep -c 'would go first')" 0
like "less nice does nothing where terms stay below 0" \
	"$(limits_in_snapshot 4 2 --change nice)" "*with a nice value of 0 instead of 5.*"
printf '{"jobs": [
 {"job_id": 7, "user_name": "ada", "account": "physics", "partition": "day", "cpus": 1,
  "job_state": ["PENDING"], "priority": 0, "hold": true, "submit_time": 1,
  "state_description": "fathom: the user has no shares", "comment": ""},
 {"job_id": 8, "user_name": "ada", "account": "physics", "partition": "day", "cpus": 1,
  "job_state": ["PENDING"], "priority": 5, "hold": false, "submit_time": 1,
  "state_reason": "QOSGrpCpuLimit", "state_description": "", "comment": "urgency=99"}]}' \
	>"$work/squeue.json"
like "a hold of fathom in what squeue --json prints" \
	"$(sentence 7 --from "$work/squeue.json" --policy flux)" \
	"*It is held by fathom until this changes: the user has no shares.*"
like "why a job waits" "$(sentence 8 --from "$work/squeue.json" --policy flux)" \
	"Job 8 waits, as slurmctld says, for the reason QOSGrpCpuLimit. Job 8 of ada*"
like "and a comment" "$(sentence 8 --from "$work/squeue.json" --policy flux)" \
	"*does not count: urgency= must be a whole number from 0 to 31.*"
like "a dependency" "$(note '"dependency": true' "$weights")" "*It waits for other jobs*"
like "INCR_ONLY" "$(note '"nice": 0' "$weights, \"PriorityFlags\": \"INCR_ONLY\"")" \
	"*INCR_ONLY: the priority never goes down*"
like "cut off above" "$(note '"nice": -2147483645, "site": 2147483645' "$weights")" \
	"*cut to 4,294,967,295*"
like "cut off below" "$(note '"nice": 5000' "$weights")" "*add up to less than 1*"
note '"nice": 0' "$weights" >/dev/null
if built_with muParser "priorities by a formula"; then
	like "a formula" "$(sentence 1 --from "$work/note.json" --formula '1000*fairshare')" \
		"*comes from a formula*"
	formula='10000*fairshare_factor + eligible_time/3600 - 2*nice'
	# by_formula ARGUMENT...: of the jobs and the tree, under policy classic
	by_formula ()
	{
		fathom explain --from "$jobs" --from "$tree" --policy classic \
			--formula "$formula" "$@"
	}
	like "a formula with its values filled in, and the result" \
		"$(by_formula 7 | paste -sd ' ')" \
		"*with priority 1,266.*comes from a formula, $formula: \
10000*0.125 + 60000/3600 - 2*0 = 1,266.666666667. *"
	is "the table has its names in place of terms" \
		"$(by_formula 7 | sed -n '/^Name/,/^$/p' | tr -s ' ' | paste -sd ' ')" \
		"Name Job 7 nice 0 fairshare_factor 0.125 eligible_time 60,000 "
	is "so has JSON" "$(by_formula 7 --json | sed -n 's/^ "formula": .*"names": //p')" \
		'{"nice": 0, "fairshare_factor": 0.12500000000000003, "eligible_time": 60000}},'
	like "a great priority has all its digits" \
		"$(fathom explain 7 --from "$jobs" --from "$tree" --formula 4000000001 |
			paste -sd ' ')" \
		"*with priority 4,000,000,001.*"
	is "a pair has both" "$(by_formula 7 5 | grep -c 'comes from a formula')" 2
	by_formula 7 5 --change age --json |
		sed -n 's/^ "change": .*"from": 60000, "to": \([0-9]*\)}.*/\1/p' >"$work/age"
	for step in 0 1; do
		sed "/\"job_id\": 7/s/1699940000/$((1700000000 - $(cat "$work/age") + step))/" \
			"$jobs" >"$work/jobs.json"
		is "job 7 as old as is named - $step, by a formula whose age has no weight" \
			"$(fathom prio --from "$work/jobs.json" --from "$tree" --policy classic \
				--formula "$formula" -j 5,7 -nP -S -Y,i -o JobID | head -n 1)" \
			"$((step ? 5 : 7))"
	done
	sed 's/user3/stranger/' "$jobs" >"$work/stranger.json"
	like "a value that is not known is named" "$(fathom explain 7 5 \
		--from "$work/stranger.json" --from "$tree" --policy classic \
		--formula "$formula" 2>&1 | paste -sd ' ')" \
		"*; fairshare_factor is not known here.*"
fi
like "a place in the order of dispatch" \
	"$(sentence 7 --from "$jobs" --from "$tree" --policy lsf)" \
	"*place in the order of dispatch is *"

### Places in LSF's order of dispatch

printf '%s\n' 'Account|User|RawShares|RawUsage' 'root||1|220' ' a||10|100' '  a|ann|1|100' \
	' b||10|120' '  b|bob|1|120' >"$work/places"
printf '{"format": "fathom-jobs", "version": 1, "time": 1700000000,
 "settings": {"PriorityWeightFairshare": 1000}, "partitions": [{"name": "p"}], "jobs": [\n' \
	>"$work/places.json"
for job in 1:ann:a 2:ann:a 3:ann:a 11:bob:b 12:bob:b; do
	printf '{"job_id": %s, "user": "%s", "account": "%s", "partitions": ["p"], "cpus": 4},\n' \
		"${job%%:*}" "$(echo $job | cut -d : -f 2)" "${job##*:}"
done | sed '$s/,$/]}/' >>"$work/places.json"
# of_places JOB...
of_places ()
{
	sentence "$@" --from "$work/places.json" --from "$work/places" --policy lsf
}
# job 1 of ann starts first, which lowers the Priority of account a
like "one behind with the better figure is behind others of its account" "$(of_places 2 11)" \
	"*. Their paths divide below account root: account a has a Priority of 3.312, account b \
3.308. The next job comes from the better of the two; each job that starts lowers its Priority. \
1 job of account a goes before job 2. *"
like "of the other it is not said" "$(of_places 12 2)" \
	"Job 12 *; each job that starts lowers its Priority. [!1-9]*"
is "nowhere do all of an account go first" \
	"$({ of_places 2 11; of_places 2; } | grep -c -i 'all users below')" 0
like "a job has a factor of its own" "$(of_places 2)" \
	"* By fair share, ann in account a is 1st of 2 users, with the fair-share factor 1. The \
factor of the job is 0.6, and comes from its place in the order of dispatch. *"
printf '%s\n' 'Account|User|RawShares|RawUsage' 'root||1|220' ' h||1|100' ' g||1|120' '  a||1|0' \
	'   a|ann|1|0' '  b||1|120' '   b|ann|1|0' >"$work/two"
sed 's/bob/ann/' "$work/places.json" >"$work/ann.json"
like "of two jobs of one user, who used nothing is named with the account" \
	"$(sentence 1 11 --from "$work/ann.json" --from "$work/two" --policy classic)" \
	"* ann in account a itself has used nothing. ann in account b itself has used nothing. *"
like "a snapshot may lack jobs" \
	"$(sentence 13 14 --policy lsf --from "$data/snapshot/waiting.json")" \
	"*: the order of dispatch depends on all jobs. Give a file of jobs and one of a tree with \
--from."
is "nothing of this for a plain job" "$(of_jobs 7 | grep -c -e INCR -e held -e formula)" 0

# pair_note MEMBERS: what is said of job 1, which has these, and job 2; sets nothing
pair_note ()
{
	printf '{"format": "fathom-jobs", "version": 1, "time": 1700000000,
 "settings": {"PriorityWeightFairshare": 1000, "PriorityWeightAge": 1000}, "jobs": [
 {"job_id": 1, "fairshare": 0.5, %s}, {"job_id": 2, "fairshare": 0.9, "nice": 10}]}\n' "$1" \
		>"$work/pair.json"
	fathom explain 1 2 --from "$work/pair.json" --json
}
for noted in \
	'"priority": 5000/An administrator has set the priority of job 1; its terms do not count.' \
	'"priority": 3/An administrator has set the priority of job 1; its terms do not count.' \
	'"held": true/Job 1 is held: it does not start before it is released.'; do
	pair_note "${noted%%/*}" >"$work/noted"
	like "of a pair it is said: ${noted%%/*}" "$(cat "$work/noted")" "*${noted#*/}*"
	is "and terms that do not count do not part them: ${noted%%/*}" \
		"$(grep -c -e 'They part' -e parts_at "$work/noted")" 0
done
pair_note '"dependency": true' >"$work/noted"
like "of a pair a dependency is said" "$(cat "$work/noted")" \
	"*Job 1 waits for other jobs: *does not matter. They part *"
like "a nice value of 0 has 0 points" "$(cat "$work/noted")" \
	'*"nice": {"value": 0, "weight": -1, "points": 0, "share": 0}*'
sed 's/|user3|1|/|user3|0|/' "$tree" >"$work/unshared"
like "of a pair it is said that the policy never starts one" \
	"$(sentence 7 5 --from "$jobs" --from "$work/unshared" --policy lsf)" \
	"*The user of job 7 has no shares, and this policy starts no such jobs. *"
is "which terms do not tell" "$(fathom explain 7 5 --from "$jobs" --from "$work/unshared" \
	--policy lsf --json | grep -c -e 'They part' -e parts_at)" 0
like "without an association a job is not held, comes behind, and no known term parts it" \
	"$(sentence 5 7 --from "$work/nobody.json" --from "$tree" --policy classic)" \
	"Job 7 of nobody in account c comes behind job 5 of *: its priority is unknown, the \
other's 4,283. The tree has no association of the user of job 7 in its account. No change *"

# bob has an association with each of two partitions
cat >"$work/partitions.json" <<'END'
{"format": "fathom-tree", "version": 1, "nodes": [
 {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
 {"id": 2, "parent": 1, "name": "ann", "kind": "user", "shares": 1, "usage": 9},
 {"id": 3, "parent": 1, "name": "bob", "kind": "user", "partition": "p", "shares": 1, "usage": 8},
 {"id": 4, "parent": 1, "name": "bob", "kind": "user", "partition": "q", "shares": 1, "usage": 1}]}
END
like "an association's partition is named" \
	"$(fathom explain bob --from "$work/partitions.json" -p p | paste -sd ' ')" \
	"bob in account root, partition p is 2nd of 3 users* is bob in account root, partition q,*"
is "in JSON, too" "$(key who bob --from "$work/partitions.json" -p q | cut -d , -f 1-3)" \
	'{"account": "root", "user": "bob", "partition": "q"'
is "of nobody else" \
	"$(key who ann --from "$work/partitions.json" | cut -d , -f 2,3 | grep -c partition)" 0

# a name may have a slash, or what looks like a path
printf '%s\n' 'Account|User|RawShares|RawUsage' 'root||1|9' ' a||1|9' '  a|x/y|1|3' \
	'  a|../y|1|6' '  a|y|1|0' >"$work/slashes"
for who in x/y ../y a/y; do
	like "explain $who" "$(fathom explain "$who" --from "$work/slashes" 2>&1)" \
		"${who#a/} in account a is *"
done

### Numbers that are near each other, and single ones

# pair SHARES USAGE USAGE...: of two users in accounts of so many shares and so much usage
pair ()
{
	printf '%s\n' 'Account|User|RawShares|RawUsage' "root||1|$(($2 + $3))" \
		" a||$1|$2" "  a|ada|1|$2" " b||$1|$3" "  b|bob|1|$3" >"$work/pair"
	fathom explain ada bob --from "$work/pair" --policy "${4:-fair-tree}" "--change=${5:-usage}"
}
is "two that have used about their share differ in what is printed" \
	"$(pair 10 1010 1000 | paste -sd ' ' | grep -o 'account a has[^.]*[^:]*share\.')" \
	"account a has used 1.005 times its share, account b 99.5 % of its share."
like "so do their factors" "$(pair 1000 100000001 100000000 classic | paste -sd ' ')" \
	"*its fair-share factor is 0.499999998, the other's 0.500000002.*"
like "one second is no plural" "$(pair 10 3 2 | paste -sd ' ')" \
	"*usage of ada in account a were 1 second instead of 3, *"
pair 0 1 3 >/dev/null
sed -i 's/^ b||0/ b||1/' "$work/pair"
like "nor is one share" \
	"$(fathom explain ada bob --from "$work/pair" --policy fair-tree | paste -sd ' ')" \
	"*had 1 share instead of 0.*"
like "two that tie have one figure" "$(pair 0 3 2 | paste -sd ' ')" \
	"*They tie below account root: * has used about its share, and so has *.*"
printf '%s\n' 'Account|User|RawShares|RawUsage' 'root||1|9' ' lab||1|9' '  lab|guest|0|0' \
	'  lab|ann|1|9' ' idle||0|0' '  idle|ivo|1|0' >"$work/zero"
for policy in classic fair-tree flux lsf 'pbs --set order=path'; do
	# shellcheck disable=SC2086	# words
	said=$(fathom explain guest --from "$work/zero" --policy $policy | paste -sd ' ' -)
	like "$policy: a user without shares is last for that, not for having used nothing" \
		"$said" "*What costs most is that guest has no shares[.;]*"
	# shellcheck disable=SC2086	# words
	like "$policy: and so is an account" "$(fathom explain lab idle --from "$work/zero" \
		--policy $policy | paste -sd ' ' -)" "*account idle has no shares, account lab *"
done
printf '%s\n' 'Account|User|RawShares|RawUsage' 'root||1|1000' ' lab||1|600' '  lab|ann|1|600' \
	' idle||0|400' '  idle|ivo|1|393' '  idle|ida|3|7' >"$work/zero"
like "lsf: users below an account without shares have their own" \
	"$(fathom explain ivo ida --from "$work/zero" --policy lsf | paste -sd ' ' -)" \
	"*ivo in account idle has a Priority of 0.*, ida in account idle 1.*"
like "pbs: such users have none" \
	"$(fathom explain ivo ida --from "$work/zero" --policy pbs --set order=path |
		paste -sd ' ' -)" "*ivo in account idle has no shares, nor has ida *"
sed 's/^ lab||1/ lab||parent/; /ann/{p; s/ann|1/bob|parent/}; s/600$/300/' "$work/zero" \
	>"$work/parent"
is "an account with the shares of its parent costs nothing" \
	"$(fathom explain account:lab --from "$work/parent" | grep -c costs)" 0
like "part of the usage is of no other figure" "$(fathom explain user3 --from "$tree" --policy lsf |
	paste -sd ' ' -)" "*has a Priority of 3, 56 % of its usage by user2;*"
printf '{"format": "fathom-tree", "version": 1, "nodes": [
 {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
 {"id": 2, "parent": 1, "name": "me", "kind": "user", "shares": 1, "usage": 1e-10},
 {"id": 3, "parent": 1, "name": "they", "kind": "user", "shares": 9, "usage": 5}]}' >"$work/rest"
is "a level of flux that stands for no usage is infinite, and the rest of decay nothing" \
	"$(fathom explain me --from "$work/rest" --policy flux | paste -sd ' ' |
	grep -o 'LevelFS of me[^:]*:[^.]*')" \
	"LevelFS of me is infinite: it has used nothing, 0 % of the usage of its level \
with 10 % of the shares"
is "and so it is in the table" "$(fathom explain me --from "$work/rest" --policy flux |
	awk '$2 == "me" { print $6, $9 }')" "0 infinite"

### Until

# seconds LEVEL [OPTION...]: of user2
seconds ()
{
	key recover user2 --from "$tree" --policy classic --until "$@" |
		sed 's/.*"seconds": \([^,]*\),.*/\1/'
}
is "the vector" "$(seconds 0.1)" 644756
is "another half-life" "$(seconds 0.1 --set half_life=1h)" 3838
is "another half-life, in minutes" "$(seconds 0.1 --set PriorityDecayHalfLife=60)" 3838
printf '%s\n' HalfLife=1h >"$work/fathom.conf"
is "that of fathom.conf" "$(seconds 0.1 --from "$work/fathom.conf")" 3838
printf '%s\n' Policy=lsf RunJobFactor=0 >"$work/fathom.conf"
is "policy and settings are those of fathom.conf" \
	"$(fathom explain user3 --from "$tree" --from "$work/fathom.conf")" \
	"$(fathom explain user3 --from "$tree" --policy lsf --set run_job_factor=0)"
for policy in pbs lsf; do
	rejects "a half-life, under policy $policy, which has its own" \
		"fathom: --set: half_life: policy $policy decays by its own settings; \
see fathom explain --help" \
		explain user2 --from "$tree" --policy "$policy" --until 0.1 --set half_life=1h
done
is "at once" "$(seconds 0.02)" 0
is "its account is idle" "$(seconds 0.1 --idle account)" 644756
is "never" "$(seconds 0.9)" null
fathom explain user3 --from "$tree" --policy classic --until 0.5 >"$work/never"
is "never is exit 1" $? 1
like "never says why" "$(sentence user3 --from "$tree" --policy classic --until 0.5)" \
	"*never comes to 0.5*it stays at 0.125, because*What costs most is account c*"
like "if all are idle, nothing changes" \
	"$(sentence user2 --from "$tree" --policy classic --until 0.9 --idle all)" \
	"*all usage decays alike*"
like "without decay" "$(sentence user2 --from "$tree" --policy classic --until 0.1 \
	--set half_life=0)" "*usage does not decay*"
printf '%s' '{"format": "fathom-tree", "version": 1, "time": 1700000000, "nodes": [
 {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
 {"id": 2, "parent": 1, "name": "busy", "kind": "user", "shares": 10, "usage": 0,
  "job_slots": 4, "run_time": 100},
 {"id": 3, "parent": 1, "name": "other", "kind": "user", "shares": 10, "usage": 0,
  "job_slots": 1, "run_time": 50}]}' >"$work/running"
is "lsf: that running jobs end is said, and what is now" \
	"$(sentence busy --from "$work/running" --policy lsf --until 1)" \
	"The fair-share factor of busy in account root is back at 1 at once, if its running jobs \
end now, it runs nothing more and all others use as much as decays: it is 0.5 now, and 1 then."
is "in JSON, too" "$(key recover busy --from "$work/running" --policy lsf --until 1 |
	sed 's/.*\("factor": [^,]*, "factor_now": [^,]*\),.*/\1/')" '"factor": 1, "factor_now": 0.5'
is "what is at the level while jobs run needs no condition" \
	"$(sentence busy --from "$work/running" --policy lsf --until 0.5)" \
	"The fair-share factor of busy in account root is at 0.5 already: it is 0.5."
fathom shares --from "$asked/../c1.json" --json | sed 's/"factor": 0.59*8,/"factor": 0.5,/' \
	>"$work/told.json"
is "the factor at once is that of the usage, not one of before" \
	"$(sentence user1 --from "$work/told.json" --until 0.55)" \
	"The fair-share factor of user1 in account B is at 0.55 already: it is 0.6."
like "time and its text" "$(key recover user2 --from "$asked/../c1.json" --policy classic \
	--until 0.1)" '*"time": 1*, "time_iso": "20*Z"*'
is "of a job: its user's" "$(fathom explain 6 --from "$jobs" --from "$tree" --policy classic \
	--until 0.1 | head -n 2)" "$(fathom explain user2 --from "$tree" --policy classic \
	--until 0.1 | head -n 2)"

### What is wrong

cat >"$work/several.json" <<'END'
{"format": "fathom-tree", "version": 1, "nodes": [
 {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
 {"id": 2, "parent": 1, "name": "a", "kind": "account", "shares": 1, "usage": 0},
 {"id": 3, "parent": 1, "name": "b", "kind": "account", "shares": 1, "usage": 0},
 {"id": 4, "parent": 2, "name": "annabel", "kind": "user", "shares": 1, "usage": 0},
 {"id": 5, "parent": 3, "name": "annabel", "kind": "user", "shares": 1, "usage": 5}]}
END
cat >"$work/partitions.json" <<'END'
{"format": "fathom-jobs", "version": 1, "partitions": [{"name": "p"}, {"name": "q"}], "jobs": [
 {"job_id": 1, "partitions": ["p"]}, {"job_id": 2, "partitions": ["q"]},
 {"job_id": 3, "partitions": ["q", "p"]}, {"job_id": 4, "partitions": ["p"],
 "state": "COMPLETED"}]}
END
rejects "an empty name" \
	"fathom: no job or user given; see fathom explain --help" explain '' --from "$tree"
rejects "three" "fathom: c: not expected; see fathom explain --help" explain a b c
rejects "an unknown job" "fathom: job 99: unknown, must be one of the jobs that wait in $jobs" \
	explain 99 --from "$jobs"
rejects "a job that has ended" "fathom: job 4: is COMPLETED, must be pending" \
	explain 4 --from "$work/partitions.json"
rejects "two jobs in different partitions" \
	"fathom: jobs 1 and 2 are in different partitions, p; q: they do not wait in one line" \
	explain 1 2 --from "$work/partitions.json"
like "a partition that both ask for" \
	"$(fathom explain 1 3 --from "$work/partitions.json")" "Job 3 comes behind job 1 *"
sed 's/{"job_id": 1, "partitions": \["p"\]}/{"job_id": 1}/' "$work/partitions.json" \
	>"$work/none.json"
rejects "a job without a partition, and one that asks for one" \
	"fathom: jobs 1 and 2 are in different partitions, none; q: they do not wait in one line" \
	explain 1 2 --from "$work/none.json"
rejects "in either order" \
	"fathom: jobs 2 and 1 are in different partitions, q; none: they do not wait in one line" \
	explain 2 1 --from "$work/none.json"
# shared LINES [LINES]: of jobs 6, in partition short, and 7, in long, with these lines of
# slurm.conf and of fathom.conf
shared ()
{
	printf '%s' '{"format": "fathom-snapshot", "version": 1, "time": 1793534400, "tree": [
 {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
 {"id": 2, "parent": 1, "name": "ann", "kind": "user", "shares": 1, "usage": 7200000},
 {"id": 3, "parent": 1, "name": "bob", "kind": "user", "shares": 1, "usage": 0}],
"jobs": [{"job_id": 6, "user": "ann", "account": "root", "cpus": 16, "partitions": ["short"]},
 {"job_id": 7, "user": "bob", "account": "root", "cpus": 16, "partitions": ["long"]}],
"slurm_conf": "NodeName=n[1-3] CPUs=16\nPriorityWeightFairshare=1000\n'"$1"'",
"fathom_conf": "'"${2:-}"'"}' \
		>"$work/shared.json"
}
shared 'PartitionName=short Nodes=n[1-2]\nPartitionName=long Nodes=n[2-3]'
like "two partitions that share nodes" \
	"$(fathom explain 6 7 --from "$work/shared.json" | paste -sd ' ' -)" "Job 6 of ann in \
account root comes behind job 7 of bob *. They wait in partitions short and long, which share \
nodes. *Job 6 would go first if *"
like "ranks are in one" "$(fathom explain 6 --from "$work/shared.json" | paste -sd ' ' -)" \
	"*is 1st of 1 in partition short, *. No job of its partition is ahead of it. *"
shared 'PartitionName=short Nodes=n[1-2]\nPartitionName=long Nodes=n[2-3]' \
	'Scope=s Partitions=short Policy=classic'
rejects "of different scopes" "fathom: jobs 6 and 7 are in different partitions, short; long: they \
do not wait in one line" explain 6 7 --from "$work/shared.json"
for nodes in Nodes=n1 'Nodes=n2 PriorityTier=2' ''; do
	shared "PartitionName=short $nodes\nPartitionName=long Nodes=n[2-3]"
	rejects "a partition with '$nodes', and one with Nodes=n[2-3]" "fathom: jobs 6 and 7 are \
in different partitions, short; long: they do not wait in one line" explain 6 7 \
		--from "$work/shared.json"
done
rejects "a partition that the job does not ask for" \
	"fathom: --partition: job 3 does not ask for r, but for q and p" \
	explain 3 -p r --from "$work/partitions.json"
like "-p chooses" "$(fathom explain 3 -p p --from "$work/partitions.json")" \
	"Job 3 is 2nd of 2 in partition p, *"
rejects "a user of no account" \
	"fathom: nobody: is a user of no account of $tree" explain nobody --from "$tree"
rejects "a user of no account, mistyped" \
	"fathom: anabel: is a user of no account of $work/several.json; did you mean annabel?" \
	explain anabel --from "$work/several.json"
rejects "a short name with two letters swapped" \
	"fathom: bbo: is a user of no account of $data/p1.json; did you mean bob?" \
	explain bbo --from "$data/p1.json"
rejects "a user of several accounts" \
	"fathom: annabel: is in several accounts, a and b; must be ACCOUNT/annabel" \
	explain annabel --from "$work/several.json"
like "ACCOUNT/USER" "$(fathom explain A/annabel --from "$work/several.json")" \
	"annabel in account a is 1st of 2 users*"
cat >"$work/associations.json" <<'END'
{"format": "fathom-tree", "version": 1, "nodes": [
 {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
 {"id": 2, "parent": 1, "name": "u", "kind": "user", "shares": 3, "usage": 0, "partition": "p"},
 {"id": 3, "parent": 1, "name": "u", "kind": "user", "shares": 4, "usage": 5},
 {"id": 4, "parent": 1, "name": "u", "kind": "user", "shares": 5, "usage": 9, "partition": "q"}]}
END
for choice in : -p:p -p:q; do
	case ${choice#*:} in p) shares=3 ;; q) shares=5 ;; *) shares=4 ;; esac
	# shellcheck disable=SC2046	# two words or none
	like "the association for partition ${choice#*:}" \
		"$(fathom explain u $(echo "$choice" | tr ':' ' ') --json \
		--from "$work/associations.json")" \
		"*\"user\": \"u\", \"parent\": \"root\", \"raw_shares\": $shares,*"
done
rejects "a partition that nothing has" \
	"fathom: --partition: $work/associations.json has no partition 'r'; the nearest is p" \
	explain u -p r --from "$work/associations.json"
rejects "where there are no partitions" "fathom: --partition: $tree has no partition 'p'" \
	explain user1 user2 -p p --from "$tree"
for jobs_of_r in '"partitions": [{"name": "r"}], "jobs": []' \
	'"jobs": [{"job_id": 1, "user": "v", "partitions": ["r"]}]'; do
	printf '{"format": "fathom-jobs", "version": 1, %s}\n' "$jobs_of_r" >"$work/r.json"
	like "a partition that only jobs have: the association for all partitions" \
		"$(fathom explain u -p r --json --from "$work/associations.json" \
			--from "$work/r.json")" '*"raw_shares": 4,*'
done
printf '{"format": "fathom-jobs", "version": 1, "jobs": [{"job_id": 1, "user": "%s"}]}\n' \
	'\u001b[31mred' >"$work/escape.json"
like "escape sequences in names do not reach the terminal" \
	"$(fathom explain 1 --from "$work/escape.json")" "Job 1 of ?\[31mred is 1st of 1, *"
rejects "another account" \
	"fathom: c/annabel: $work/several.json has no such user there; \
annabel is in account a and b" \
	explain c/annabel --from "$work/several.json"
rejects "twice the same job" "fathom: 7 and 07 are the same, must be two" \
	explain 7 07 --from "$jobs"
rejects "twice the same user" "fathom: user1 and b/user1 are the same user" \
	explain user1 b/user1 --from "$tree"
rejects "a job and a user" \
	"fathom: 7 and user1 are a job and a user, must be two jobs or two users" \
	explain 7 user1 --from "$jobs"
for level in 2 -0.1 often ''; do
	rejects "the level '$level'" "fathom: --until: '$level' is not a fair-share factor, \
must be a number from 0 to 1" explain user1 --until="$level" --from "$tree"
done
rejects "whom is idle" "fathom: --idle: 'me' is unknown, must be user, account or all" \
	explain user1 --until 1 --idle me --from "$tree"
rejects "--idle without --until" "fathom: --idle: needs --until" \
	explain user1 --idle all --from "$tree"
rejects "--until of two" "fathom: --until: is about one user, user2 is a second" \
	explain user1 user2 --until 1 --from "$tree"
rejects "a kind of change" \
	"fathom: --change: 'time' is unknown, must be usage, shares, age or nice" \
	explain 5 7 --change time --from "$jobs"
cat >"$work/infinite.json" <<'END'
{"format": "fathom-tree", "version": 1, "time": 1700000000, "nodes": [
{"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
{"id": 2, "parent": 1, "name": "a", "kind": "account", "shares": 2, "usage": 9667},
{"id": 3, "parent": 2, "name": "anna", "kind": "user", "shares": 1, "usage": 0},
{"id": 4, "parent": 1, "name": "b", "kind": "account", "shares": 1, "usage": 0},
{"id": 5, "parent": 4, "name": "bert", "kind": "user", "shares": 1, "usage": 1e18},
{"id": 6, "parent": 4, "name": "carl", "kind": "user", "shares": 1, "usage": 0}]}
END
like "usage beyond 2^53 ends the search all the same" \
	"$(timeout 60 "$FATHOM" explain anna bert --from "$work/infinite.json")" \
	"*bert would go first if the usage of bert in account b were 4,*"
rejects "--change of one" "fathom: --change: needs two jobs or two users" \
	explain 5 --change age --from "$jobs"
rejects "a change that only jobs have" \
	"fathom: --change: nice is of jobs, user2 is a user or an account" \
	explain user2 user1 --change nice --from "$tree"
rejects "a formula for a user" "fathom: --formula: is about jobs, user1 is a user or an account" \
	explain user1 --formula age --from "$tree"
rejects "a setting of jobs for a user" \
	"fathom: --set: PriorityWeightAge: is about jobs, user1 is a user or an account" \
	explain user1 --set PriorityWeightAge=5 --from "$tree"
is "PriorityFlags are about users, too" \
	"$(fathom explain user1 --from "$tree" --set PriorityFlags=NO_FAIR_TREE)" \
	"$(fathom explain user1 --from "$tree" --policy classic)"
is "and so is the dampening factor" "$(fathom explain user1 --from "$tree" --policy classic \
	--set FairShareDampeningFactor=3)" "$(fathom explain user1 --from "$tree" \
	--policy classic --set dampening_factor=3)"
rejects "two half-lives" "fathom: --set: half_life: given twice, must be given once" \
	explain user1 --until 1 --set half_life=1d --set half_life=2d --from "$tree"
rejects "cpus and billing" \
	"fathom: --would: 'cpus=4,billing=9,time=1h' has cpus and billing, must have one of them" \
	explain user1 --would cpus=4,billing=9,time=1h --from "$tree"
rejects "a job without jobs" "fathom: 7: no file has jobs; give --from with a file of jobs" \
	explain 7 --from "$tree"
rejects "a user without a tree" "fathom: user1: no file has a tree; give --from with one" \
	explain user1 --from "$jobs"
rejects "--until without association" "fathom: --until: job 1 has no association in the tree" \
	explain 1 --until 1 --from "$work/partitions.json" --from "$tree"
rejects "a half-life" "fathom: --set: half_life: 'soon' is not a duration; give seconds, \
or a number with s, m, h, d or w, or [D-]HH:MM:SS" \
	explain user1 --set half_life=soon --from "$tree"
rejects "two values of a setting" "fathom: --set: one value of a setting is explained at a time; \
fathom shares and fathom prio show several" \
	explain user1 --set tie_mode=flux --set TieMode=slurm --from "$tree"
is "the tree of a scope goes by the scope's policy" "$(fathom explain anna --scope cpu --json \
	--from "$data/figures/scopes.json" | sed -n 's/^ "policy": "\([^"]*\)".*/\1/p')" fair-tree
printf '%s\n' '{"format": "fathom-jobs", "version": 1, "time": 1767261600,' \
	'"settings": {"PriorityWeightFairshare": 1000}, "jobs": [' \
	'{"job_id": 1, "user": "anna", "account": "lab", "partitions": ["cpu"]},' \
	'{"job_id": 2, "user": "bert", "account": "lab", "partitions": ["cpu"]},' \
	'{"job_id": 3, "user": "anna", "account": "lab", "partitions": ["day"]},' \
	'{"job_id": 4, "user": "bert", "account": "lab", "partitions": ["day"]}]}' \
	>"$work/scoped.json"
of_scopes="--from $data/figures/scopes.json --from $work/scoped.json"
# shellcheck disable=SC2086	# several words
{
like "a change in the tree of a scope swaps its jobs" \
	"$(fathom explain 2 1 $of_scopes --change usage 2>"$work/remarks" | paste -sd ' ')" \
	"*Job 1 would go first if the usage of anna in account lab were 0 *"
like "and one in the main tree those of no scope" \
	"$(fathom explain 4 3 $of_scopes --change usage 2>"$work/remarks" | paste -sd ' ')" \
	"*Job 3 would go first if the usage of anna in account lab were 402 seconds *"
}
# policy_of ARGUMENT...: by which the tree is evaluated
policy_of ()
{
	fathom explain --json "$@" 2>"$work/remarks" | sed -n 's/^ "policy": "\([^"]*\)".*/\1/p'
}
# shellcheck disable=SC2086	# several words
{
is "a job goes by the policy of its scope, and so does its path" \
	"$(policy_of 1 $of_scopes --policy classic)" fair-tree
is "a user in a partition of a scope goes by its tree" "$(policy_of anna -p cpu $of_scopes)" \
	fair-tree
}
echo PriorityFlags=DEPTH_OBLIVIOUS >"$work/flags.conf"
sed 's/"user_shares": "[^"]*"/"user_shares": null/' "$data/figures/scopes.json" >"$work/own.json"
sed 's/"day"/"gpu"/' "$work/scoped.json" >"$work/gpu.json"
for who in 3 '-p gpu anna' '--scope gpu anna'; do
	# shellcheck disable=SC2086	# several words
	is "PriorityFlags of a slurm.conf hold in a scope with the policy of the site: $who" \
		"$(policy_of $who --from "$work/own.json" --from "$work/gpu.json" \
			--from "$work/flags.conf")" depth-oblivious
done
rejects "a scope that is not there" "fathom: --scope: $tree has no scope 'x' that you may see" \
	explain user1 --scope x --from "$tree"
of_queue="--from $data/lsf/lsb.users --from $data/lsf/lsb.queues --from $data/lsf/lsb.params"
# shellcheck disable=SC2086	# several words
like "a queue of LSF is a scope, whose settings are the queue's" \
	"$(fathom explain ada cy --scope night $of_queue --from "$data/lsf/lsb.acct")" \
	"*ada in account lab has a Priority$newline""of 0.2, *"
# normal, which jobs 1 and 2 ask for first, is not in the tree of night
printf '%s\n' '{"format": "fathom-jobs", "version": 1, "jobs": [' \
	'{"job_id": 1, "user": "ada", "partitions": ["normal", "night"]},' \
	'{"job_id": 2, "user": "cy", "partitions": ["normal", "night"]}]}' >"$work/queues.json"
# shellcheck disable=SC2086	# several words
like "a job is explained in the first partition that --scope has" \
	"$(fathom explain 1 --scope night $of_queue --from "$work/queues.json")" \
	"Job 1 of ada is 2nd of 2 in partition night, *"
# shellcheck disable=SC2086	# several words
like "two jobs, too" \
	"$(fathom explain 1 2 --scope night $of_queue --from "$work/queues.json" | paste -sd ' ')" \
	"Job 1 of ada comes behind job 2 of cy: its priority is 500,000, the other's 1,000,000. *"
# shellcheck disable=SC2086	# several words
like "-p may name a partition that the scope lacks" "$(fathom explain 1 -p normal \
	--scope night $of_queue --from "$work/queues.json" | paste -sd ' ')" \
	"Job 1 of ada has no rank; no other job waits in partition normal. *"
printf '%s\n' 'Begin HostPartition' 'HPART_NAME = p' 'HOSTS = x*' \
	'USER_SHARES = [ada, 3] [default, 1]' 'End HostPartition' >"$work/lsb.hosts"
like "a host partition whose hosts no file lists" \
	"$(fathom explain ada -v --from "$work/lsb.hosts" 2>&1)" \
	"*lsb.hosts: 2 associations; policy lsf; scope p$newline*Siblings are compared*"
like "goes by LSF's policy, too" "$(fathom shares -v --from "$work/lsb.hosts" 2>&1)" \
	"*; policy lsf; *"


# usage stands for run time, and CPU time counts beside it; the sums are hours of ada 10 and 0, of
# bob 0 and 2, of cy 0 and 10/7
cat >"$work/cpu.json" <<'END'
{"format": "fathom-tree", "version": 1, "time": 1700000000, "nodes": [
 {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
 {"id": 2, "parent": 1, "name": "ada", "kind": "user", "shares": 1, "usage": 0, "cpu_time": 36000},
 {"id": 3, "parent": 1, "name": "bob", "kind": "user", "shares": 1, "usage": 7200},
 {"id": 4, "parent": 1, "name": "cy", "kind": "user", "shares": 1, "usage": 5142.857},
 {"id": 5, "parent": 1, "name": "dan", "kind": "user", "shares": 1, "usage": 0}]}
END
# bob is overtaken when 10 hours have become 2: log2 (5) half-lives of 5 * log10 (2) hours
like "CPU time decays without run time, too" \
	"$(fathom explain ada --until 0.5 --policy lsf --from "$work/cpu.json" | paste -sd ' ' -)" \
	"The fair-share factor of ada in account root is back at 0.5 in 3 hours 30 minutes,*"
# an hour of usage and one of CPU time make 1.4, more than the 10/7 * 0.7 of cy
like "a job adds CPU time without run time, too" \
	"$(fathom explain dan --would cpus=100,time=36s --policy lsf --from "$work/cpu.json" |
		paste -sd ' ' -)" "*dan in account root is 0.75 instead of 1,*"
# after_an_hour SCRIPT: the factor of dan after a job of an hour, in that tree as sed changes it, if
# the run time of jobs that have ended counts
after_an_hour ()
{
	sed "$1" "$work/cpu.json" >"$work/changed.json"
	fathom explain dan --would cpus=1,time=1h --policy lsf --set enable_hist_run_time=yes \
		--json --from "$work/changed.json" |
		sed -n 's/.*"factor_now": 1, "factor": \([^,]*\),.*/\1/p'
}
# 0.8 hours are more than ada's none, and less than the 10/7 of cy; CPU time beside them, or the run
# time of the job that has ended, would make more
is "in a tree without CPU time and run time, a job adds usage alone" \
	"$(after_an_hour 's/, "cpu_time": 36000//')" 0.75
# 0.8 hours of CPU time and 1 of run time are more than 1.5 and less than 2
is "in a tree with run time, it adds CPU time, too" "$(after_an_hour '
	s/, "cpu_time": 36000//; s/5142.857/0, "run_time": 5400/; s/7200/0, "run_time": 7200/')" 0.5
finish
