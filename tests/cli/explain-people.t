#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom explain for people: accounts, names that a user and an account share, and advice.
. "${srcdir:=.}/tests/cli/lib.sh"

tree=$data/demo.sshare

# of_tree ARGUMENT...: what it says of the tree, on one line
of_tree ()
{
	fathom explain --from "$tree" "$@" 2>&1 | sed '/^$/q' | paste -sd ' ' -
}

### Accounts

like "an account: its rank among its siblings" "$(of_tree c)" \
	"Account c is 2nd of 2 below account a: it has used 2.2 times its share. Next ahead is \
account b, which has used 59 % of its share. What costs most is account a: *"
like "the first of them" "$(of_tree d --policy classic)" \
	"Account d is 1st of 3 below account root: it has used 42 % of its share. None of its \
siblings is ahead. *"
like "beside a user: by the figures of both" "$(fathom explain account:physics \
	--from "$data/lint/user-beside-accounts/fires/tree.sshare")" \
	"Account physics is 3rd of 3 below account root: *"
for policy in classic pbs; do
	like "$policy: what others have used is not said to be used by who used nothing" \
		"$(of_tree account:f --policy $policy)" \
		"*: it counts as having used 42 % of its share. * f itself has used nothing. *"
	like "$policy: nor of a pair" "$(of_tree user3 user2 --policy $policy)" \
		"*: user2 in account c counts as having used 5.5 times its share, user3 in account \
c 3 times. user3 itself has used nothing. Used/Share is usage, with a part of that of the *"
	like "$policy: beside the root's other accounts, usage is an account's own" \
		"$(of_tree account:c d --policy $policy)" \
		"*: account c counts as having used 3 times its share, account d has used 42 % of \
its share. *"
done
like "root has no rank" "$(of_tree account:root)" "Account root has no rank. *"
is "without fair share there is none" "$(of_tree c --policy fcfs)" \
	"Account c has no rank. Policy fcfs has no fair share: every factor is the same. "
for policy in $(policies); do
	[ "$policy" != fcfs ] || continue
	like "two accounts under $policy" "$(of_tree b c --policy "$policy")" \
		"Account c comes behind account b. Their paths divide below account a: account c *"
	is "in either order" "$(of_tree c b --policy "$policy" | sed 's/  .*//')" \
		"$(of_tree b c --policy "$policy" | sed 's/  .*//')"
done
is "two accounts without fair share" "$(of_tree b c --policy fcfs)" \
	"Account b and account c are equal. "
like "at different depths, they part where their paths do" "$(of_tree c d)" \
	"Account c comes behind account d. Their paths divide below account root: account a *"
# what is named puts account c first, and one share less does not
shares=$(fathom explain c b --from "$tree" --json |
	sed -n 's/^ "change": .*"shares", "account": "c", .*"to": \([0-9]*\)}.*/\1/p')
for step in 0 1; do
	sed "s/^  c||10/  c||$((shares - step))/" "$tree" >"$work/tree"
	like "account c with $shares - $step shares" \
		"$(fathom explain b c --from "$work/tree" | head -n 1)" \
		"Account $([ $step = 0 ] && echo b || echo c) comes behind account *"
done
for policy in classic fair-tree flux lsf; do
	like "$policy: an account with shares \"parent\"" \
		"$(fathom explain P --from "$data/c2.json" --policy $policy | paste -sd ' ' -)" \
		"Account P has no place of its own: its members compete with those of account A. *"
	rejects "$policy: which nothing can be compared with" \
		"fathom: account P has the shares \"parent\", so that its members compete with \
those of account A; must be two accounts with shares of their own" \
		explain B P --from "$data/c2.json" --policy $policy
done
is "JSON has the rank of an account, and no user" \
	"$(fathom explain c --from "$tree" --json |
		sed -n 's/.*"who": \(.*"rank": [^,]*\),.*/\1/p')" \
	'{"account": "c", "user": null, "factor": null, "rank": 2'

### A name that is a user's and an account's

like "is taken as the user's, and says so" "$(of_tree root)" \
	"fathom: root: is taken as the user; account:root is the account root in account root is *"
like "user: does not say it" "$(of_tree user:root)" "root in account root is 6th of 6 users*"
like "account: takes the account" "$(of_tree account:A)" "Account a is *"
like "user: takes an account, too" "$(of_tree user:c/user3)" "user3 in account c is *"

### Advice

cat >"$work/advice.json" <<'END'
{"format": "fathom-tree", "version": 1, "time": 1700000000, "nodes": [
 {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
 {"id": 2, "parent": 1, "name": "a", "kind": "account", "shares": 1, "usage": 0},
 {"id": 3, "parent": 1, "name": "b", "kind": "account", "shares": 1, "usage": 0},
 {"id": 4, "parent": 2, "name": "ann", "kind": "user", "shares": 1, "usage": 800},
 {"id": 5, "parent": 2, "name": "bob", "kind": "user", "shares": 1, "usage": 400},
 {"id": 6, "parent": 3, "name": "ann", "kind": "user", "shares": 1, "usage": 0}]}
END
# of_ann POLICY ARGUMENT...: what it says of ann in account a
of_ann ()
{
	of_ann_policy=$1
	shift
	fathom explain a/ann --from "$work/advice.json" --policy "$of_ann_policy" "$@" |
		sed '/^$/q' | paste -sd ' ' -
}
# half of ann's usage has decayed after a half-life, and then one second decides
for policy in fair-tree flux classic; do
	like "$policy: another account, then how long to wait" "$(of_ann $policy)" \
		"*. In account b, the factor of ann is greater: *. If ann in account a runs \
nothing for 7 days and all others use as much as decays, it goes before bob in account a. *"
	is "$policy: JSON has the seconds" "$(fathom explain a/ann --policy $policy --json \
		--from "$work/advice.json" | sed -n 's/^ "wait": \(.*\),/\1/p')" \
		'{"of": "who", "seconds": 604801}'
done
like "of a pair, before what an administrator could do" "$(of_ann fair-tree a/bob)" \
	"*. In account b, the factor of ann is greater: 1. If ann in account a runs nothing for \
7 days and all others use as much as decays, it goes before bob. *"
like "one user in two accounts: each with its account" "$(of_ann fair-tree b/ann)" \
	"*. No change of usage or shares alone puts ann in account a first. "
like "the site's half-life counts" "$(of_ann fair-tree --set half_life=1d)" \
	"* runs nothing for 1 day and *"
is "without decay there is nothing to wait for" \
	"$(of_ann fair-tree --set half_life=0 | grep -c 'runs nothing')" 0
like "an account waits with all below it" "$(of_tree b c)" \
	"*. If account c runs nothing for 13 days 8 hours and all others use as much as decays, \
it goes before account b. An administrator could change this: *"
is "what cannot be is not said to be tried: the usage of an account" \
	"$(fathom explain a b --from "$work/advice.json" --policy fair-tree | grep alone)" \
	"No change of shares alone puts account a first."
is "and said if it is all that is asked for" \
	"$(of_tree b c --change usage | sed 's/.*All users[^.]*\. //')" \
	"Of two accounts, only changes of shares are searched. "
printf '%s\n' 'Account|User|RawShares|RawUsage' 'root||1|14' ' a||1|10' '  a|ann|1|1' ' b||1|4' \
	'  b|bob|1|4' >"$work/own"
like "what an account has used beside its users is not its usage" \
	"$(fathom explain a b --from "$work/own" | paste -sd ' ' -)" \
	"Account a comes behind account b*if account a had 3 shares instead of 1.*"
is "who has used nothing cannot wait" "$(of_tree user3 user5 | grep -c 'runs nothing')" 0

cat >"$work/nice.json" <<'END'
{"format": "fathom-jobs", "version": 1, "time": 1700000000,
 "settings": {"PriorityWeightFairshare": 1000}, "partitions": [{"name": "p"}], "jobs": [
 {"job_id": 1, "partitions": ["p"], "fairshare": 0.5, "nice": 100},
 {"job_id": 2, "partitions": ["p"], "fairshare": 0.45},
 {"job_id": 3, "partitions": ["p"], "fairshare": 0.6}]}
END
# of_nice ARGUMENT...: of two of these jobs
of_nice ()
{
	fathom explain --from "$work/nice.json" "$@" | sed '/^$/q' | paste -sd ' ' -
}
like "nice from 0 up is the user's own choice" "$(of_nice 1 2)" \
	"*. Job 1 would go first with a nice value of 50 instead of 100.*"
is "less is not advised" "$(of_nice 1 3 | grep -c -e 'nice value' -e 'or nice')" 0
like "but searched if it is asked for, and said to be an administrator's" \
	"$(of_nice 1 3 --change nice)" "*. An administrator could change this: Job 1 would go \
first with a nice value of -100 instead of 100.*"
for given in '"nice": 10' '"urgency": 6' '"nice": 4, "comment": "urgency=10"'; do
	printf '{"format": "fathom-jobs", "version": 1, "jobs": [
 {"job_id": 1, "fairshare": 0.5, %s}, {"job_id": 2, "fairshare": 0.46}]}\n' "$given" \
		>"$work/flux.json"
	like "flux: nice or urgency, with $given" \
		"$(fathom explain 1 2 --from "$work/flux.json" --policy flux | paste -sd ' ' -)" \
		"*. Job 1 would go first with a nice value of 4 instead of 10.*"
done

printf '{"format": "fathom-jobs", "version": 1, "time": 1700000000,
 "settings": {"PriorityWeightFairshare": 1000}, "partitions": [{"name": "p"}], "jobs": [
 {"job_id": 1, "partitions": ["p"], "user": "ann", "account": "a"},
 {"job_id": 2, "partitions": ["p"], "user": "bob", "account": "a"},
 {"job_id": 3, "partitions": ["p"], "user": "ann", "account": "a", "held": true}]}\n' \
	>"$work/waiting.json"
# of_waiting JOB JOB
of_waiting ()
{
	fathom explain "$@" --from "$work/waiting.json" --from "$work/advice.json" \
		--policy fair-tree | sed '/^$/q' | paste -sd ' ' -
}
like "of jobs, too" "$(of_waiting 1 2)" "*If ann in account a runs nothing for 7 days and all \
others use as much as decays, job 1 goes before job 2.*"
is "but not of a job that is held" "$(of_waiting 3 2 | grep -c 'runs nothing')" 0
# both jobs age while ann waits: job 1 has no more age to gain, and job 2 gains two days of it
# of_ages SECONDS COMMAND...: of the jobs and the tree as they are then, if ann runs nothing
of_ages ()
{
	printf '{"format": "fathom-jobs", "version": 1, "time": %s, "settings": {
 "PriorityWeightAge": 1000, "PriorityWeightFairshare": 1000, "PriorityMaxAge": "7-0",
 "PriorityFlags": "NO_FAIR_TREE"}, "partitions": [{"name": "p"}], "jobs": [
 {"job_id": 1, "user": "ann", "account": "root", "partitions": ["p"], "accrue_time": 1792929600},
 {"job_id": 2, "user": "bob", "account": "root", "partitions": ["p"], "accrue_time": 1793102400}
 ]}' $((1793534400 + $1)) >"$work/ages.json"
	printf '{"format": "fathom-tree", "version": 1, "nodes": [
 {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
 {"id": 2, "parent": 1, "name": "ann", "kind": "user", "shares": 1, "usage": %s},
 {"id": 3, "parent": 1, "name": "bob", "kind": "user", "shares": 1, "usage": 100000},
 {"id": 4, "parent": 1, "name": "cy", "kind": "user", "shares": 1, "usage": 500000}]}' \
		"$(awk "BEGIN { print 900000 * 2 ^ (-$1 / 604800) }")" >"$work/decayed.json"
	shift
	fathom "$@" --from "$work/ages.json" --from "$work/decayed.json"
}
seconds=$(of_ages 0 explain 1 2 --json | sed -n 's/^ "wait": .*"seconds": \([0-9]*\)},/\1/p')
for time in 0:1 86400:2; do
	is "${time%:*} seconds before the end of a wait in which jobs age" "$(of_ages \
		$((seconds - ${time%:*})) prio -nP -S -Y,i -o JobID | head -n 1)" "${time#*:}"
done
like "one job: another account" "$(of_waiting 1)" \
	"*In account b, the factor of ann is greater: 1.*"

printf '{"format": "fathom-tree", "version": 1, "nodes": [
 {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
 {"id": 2, "parent": 1, "name": "big", "kind": "user", "shares": 1, "usage": 1e9},
 {"id": 3, "parent": 1, "name": "new", "kind": "user", "shares": 1, "usage": 100}]}\n' \
	>"$work/big.json"
# its half-life is a day: log2(1e9 / 100) = 23.25
is "a wait of more than 20 half-lives" "$(fathom explain big new --from "$work/big.json" \
	--policy pbs --json | sed -n 's/^ "wait": \(.*\),/\1/p')" \
	'{"of": "who", "seconds": 2009103}'

### Without arguments: the caller's accounts and jobs

me=$(id -un)
sed "s/\"ann\"/\"$me\"/" "$work/advice.json" >"$work/mine.json"
printf '{"format": "fathom-jobs", "version": 1, "time": 1700000000,
 "settings": {"PriorityWeightFairshare": 1000}, "partitions": [{"name": "p"}], "jobs": [
 {"job_id": 1, "partitions": ["p"], "user": "bob", "account": "a"},
 {"job_id": 2, "partitions": ["p"], "user": "%s", "account": "a"},
 {"job_id": 3, "partitions": ["p"], "user": "%s", "account": "b", "dependency": true},
 {"job_id": 4, "partitions": ["p"], "user": "%s", "account": "b", "held": true}]}\n' \
	"$me" "$me" "$me" >"$work/mine-jobs.json"
# mine ARGUMENT...: with the name of the caller replaced by ME
mine ()
{
	fathom explain --from "$work/mine.json" --policy fair-tree "$@" | sed "s/\\<$me\\>/ME/g"
}
mine --from "$work/mine-jobs.json" >"$work/printed"
is "accounts, jobs and advice" "$(tr -s ' \n' ' ' <"$work/printed")" \
	"You are ME, in 2 accounts of $work/mine.json, under policy fair-tree. \
Account Share Usage Billing-h FairShare Rank \
a 25 % 67 % 0.22 0.33 3rd of 3 b 50 % 0 % 0 1 1st of 3 \
3 jobs of yours wait. Job Partition Account Rank Why \
3 p b 1st of 3 waits for other jobs 2 p a 3rd of 3 waits for its turn 4 p b - is held \
What you can do: In account b, the factor of ME is greater: 1. If ME in account a runs nothing \
for 7 days and all others use as much as decays, it goes before bob in account a. A shorter time \
limit may let a job start earlier: fathom start 2 says when. "
ok "fit a screen of 80 columns and 24 lines" \
	awk 'length > 80 || NR > 24 { wrong = 1 } END { exit wrong || !NR }' "$work/printed"
# of ada's jobs 11 runs, 13 waits for its turn, and 16 is held
sed "s/\"ada\"/\"$me\"/" "$data/snapshot/waiting.json" >"$work/snapshot.json"
like "of a snapshot, jobs that run or are held, too" \
	"$(fathom explain --from "$work/snapshot.json" | tr -s ' \n' ' ')" \
	"* 1 job of yours runs, 2 wait. * 13 day physics 4th of 4 waits for its turn 16 day \
physics - is held *"
is "without jobs, nothing is said of them" "$(mine | grep -c -e Job -e limit)" 0
is "usage has its column, even if there is none" "$(sed 's/"usage": [0-9.e]*/"usage": 0/' \
	"$work/mine.json" >"$work/unused.json" && fathom explain --from "$work/unused.json" |
	sed -n '/Billing/{ n; p; q; }' | tr -s ' ')" "a 25 % 0 % 0 1 1st of 3"
is "usage in seconds" "$(mine --units billing | sed -n 's/^a  *//p' | tr -s ' ')" \
	"25 % 67 % 800 0.33 3rd of 3"
sed '/"id": 6/s/"usage": 0/"usage": 400/' "$work/mine.json" >"$work/both.json"
# accounts POLICY: the lines of the caller's accounts, in both of which usage is
accounts ()
{
	fathom explain --from "$work/both.json" --policy "$1" | sed -n '/Billing/,/^$/p' |
		sed '1d; /^$/d' | tr -s ' ' | paste -sd ,
}
is "parts of the whole, where the policy has parts of an account" \
	"$(accounts fair-tree)" \
	"a 25 % 50 % 0.22 0.33 3rd of 3,b 50 % 25 % 0.111 1 1st of 3"
is "usage with the part of others', where that counts" "$(accounts classic)" \
	"a 25 % 63 % 0.22 0.177 3rd of 3,b 50 % 25 % 0.111 0.71 1st of 3"
is "a policy without fair share" "$(accounts fcfs)" \
	"a 25 % 50 % 0.22 1 1st of 3,b 50 % 25 % 0.111 1 1st of 3"
like "JSON begins with format and version" "$(mine --json | head -n 1)" \
	'{"format": "fathom-explain", "version": 1,*'
is "JSON has all jobs with their ranks" \
	"$(mine --json --from "$work/mine-jobs.json" |
		sed -n 's/.*"job_id": \([0-9]\),.*"rank": \([^,]*\), "of": 3,.*/\1:\2/p' |
		paste -sd ' ' -)" "3:1 2:3 4:null"
sed '/"job_id": [34]/d; /"job_id": 2/s/\["p"\]\(.*\),$/["q", "p", "r"]\1]}/
	s/{"name": "p"}/&, {"name": "q"}, {"name": "r"}/' "$work/mine-jobs.json" >"$work/equal.json"
is "rows of equal priorities are in the order of the file" \
	"$(mine --from "$work/equal.json" | sed -n 's/^ *2  *\([pqr]\) .*/\1/p' |
		paste -sd ' ' -)" "q p r"
is "but they are one job" "$(mine --from "$work/equal.json" | grep yours)" "1 job of yours waits."
is "of which --partition shows one row" \
	"$(mine -p r --from "$work/equal.json" |
		sed -n 's/^ *2  *\([pqr]\) .*/\1/p; /yours wait/p' | paste -sd ' ' -)" \
	"1 job of yours waits. r"
is "and JSON one" "$(mine -p r --json --from "$work/equal.json" | grep -c '"job_id"')" 1
sed 's/"partitions": \["p"\]/"partitions": ["p", "q", "r"]/
	s/{"name": "p"}/&, {"name": "q"}, {"name": "r"}/' "$work/mine-jobs.json" \
	>"$work/thrice.json"
is "jobs of which no row is shown are counted, once each" \
	"$(mine --from "$work/thrice.json" | grep -e wait\\. -e ^and | paste -sd ' ' -)" \
	"3 jobs of yours wait. and 1 more: fathom prio -u ME"
i=10
while [ $i -lt 40 ]; do
	sed -n "s/.*\"job_id\": 2,/ {\"job_id\": $i,/p" "$work/mine-jobs.json"
	i=$((i + 1))
done >"$work/more"
sed "/\"job_id\": 1,/r $work/more" "$work/mine-jobs.json" >"$work/many-jobs.json"
for i in 7 8 9; do
	printf ' {"id": %s, "parent": %s, "name": "%s", "kind": "%s", "shares": 1, "usage": 0},\n' \
		$((i + 10)) 1 "a$i" account $i $((i + 10)) "$me" user
done >"$work/more"
sed "/\"id\": 5,/r $work/more" "$work/mine.json" >"$work/many.json"
fathom explain --from "$work/many.json" --policy fair-tree --from "$work/many-jobs.json" \
	>"$work/printed"
ok "33 jobs in 5 accounts fit, too" \
	awk 'length > 80 || NR > 24 { wrong = 1 } END { exit wrong || !NR }' "$work/printed"
is "and the rest is counted" "$(grep '^and' "$work/printed" | paste -sd ' ' -)" \
	"and 2 more: fathom shares -u $me and 29 more: fathom prio -u $me"
# each rank is a walk over all users: 2,000 of them would take twenty times as long as to show these
awk -v me="$me" 'BEGIN {
	print "Account|User|RawShares|RawUsage\nroot|||0"
	for (i = 0; i < 2000; i++) {
		printf " a%d||%d|%d\n  a%d|%s|1|%d\n", i, 1 + i % 7, i * 20, i, me, i
		for (j = 0; j < 19; j++)
			printf "  a%d|u%d_%d|1|%d\n", i, i, j, i
	} }' >"$work/thousands"
most=$( (fathom shares --from "$work/thousands" >"$work/printed"; times) |
	awk -F '[ms ]+' 'NR == 2 { print int(3 + 5 * ($1 * 60 + $2 + $3 * 60 + $4)) }')
is "ranks of accounts that are not shown are not searched" \
	"$(ulimit -t "$most"; fathom explain --from "$work/thousands" | grep '^and')" \
	"and 1997 more: fathom shares -u $me"
sed '/"id": 4,/s/}/, "partition": "p"}/' "$work/mine.json" >"$work/partition.json"
is "an association of a partition is told apart" \
	"$(fathom explain --from "$work/partition.json" | sed -n 's/^\(a (p)\) .*/\1/p')" "a (p)"
sed 's/"id": 5,\(.*\)"bob"\(.*\)}/"id": 5,\1"ann"\2, "partition": "p"}/' "$work/advice.json" \
	>"$work/partitions.json"
like "its account counts once" "$(sed "s/\"ann\"/\"$me\"/" "$work/partitions.json" |
	fathom explain --from -)" "You are $me, in 2 accounts of *"
rejects "who is in several accounts sees the partitions" "fathom: ann: is in several accounts, a, \
a (--partition=p) and b; must be ACCOUNT/ann" explain ann --from "$work/partitions.json"
printf '{"format": "fathom-tree", "version": 1, "nodes": [
 {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
 {"id": 2, "parent": 1, "name": "%s", "kind": "account", "shares": 1, "usage": 0},
 {"id": 3, "parent": 2, "name": "%s", "kind": "user", "shares": 1, "usage": 5}]}\n' "$me" "$me" \
	>"$work/namesake.json"
like "a job would be the caller's, not that of an account of this name" \
	"$(fathom explain --from "$work/namesake.json" --would cpus=1,time=1h 2>&1 |
		paste -sd ' ' -)" "*factor of $me in account $me *"
rejects "a caller of no account" "fathom: $me: you are a user of no account of $work/advice.json; \
name a user, an account or a job" explain --from "$work/advice.json"
for option in --until=1 --would=cpus=1,time=1h; do
	rejects "$option of a caller of no account" "fathom: $me: you are a user of no account of \
$work/advice.json; name a user" explain $option --from "$work/advice.json"
	is "$option is about the caller by default" \
		"$(fathom explain $option --from "$work/snapshot.json" --policy fair-tree)" \
		"$(fathom explain "user:$me" $option --from "$work/snapshot.json" \
			--policy fair-tree)"
done
# units ARGUMENT...: the row of ann in account a
units ()
{
	fathom explain a/ann --from "$work/advice.json" --policy fair-tree "$@" |
		sed -n '/^Account/p; /^a  *ann/p' | tr -s ' ' | paste -sd ';' -
}
is "--units: a user's usage, too" "$(units --units billing)" \
	"Account User RawShares Share Usage Billing-s FairShare LevelFS;\
a ann 1 50 % 67 % 800 0.33 0.75"
is "in hours" "$(units b/ann --units hours)" \
	"Account User RawShares Share Usage Billing-h FairShare LevelFS;a ann 1 50 % 67 % 0.22 \
0.33 0.75"
is "without it, the part alone" "$(units)" \
	"Account User RawShares Share Usage FairShare LevelFS;a ann 1 50 % 67 % 0.33 0.75"
for unit in billing:399:800:seconds hours:0.11:0.22:hours; do
	like "a change of usage in ${unit%%:*}" "$(fathom explain a/ann a/bob --change usage \
		--from "$work/advice.json" --policy fair-tree --units "${unit%%:*}" |
		paste -sd ' ' -)" \
		"*if the usage of ann in account a were $(echo "$unit" |
			sed 's/.*:\(.*\):\(.*\):\(.*\)/\1 \3 instead of \2/'), 50 % less.*"
done
rejects "a unit" "fathom: --units: 'days' is unknown, must be hours or billing" \
	explain --units days

### What a job would cost

# would FACTOR_OR_RANK ARGUMENT...: of the JSON
would ()
{
	would_key=$1
	shift
	fathom explain a/ann --from "$work/advice.json" --policy classic --json "$@" |
		sed -n "s/^ \"would\": .*\"$would_key\": \([^,}]*\).*/\1/p"
}
sed 's/"usage": 800/"usage": 1000/' "$work/advice.json" >"$work/charged.json"
is "the factor is that of a tree with its usage" \
	"$(would factor --would cpus=2,time=100 --set half_life=0)" \
	"$(fathom explain a/ann --from "$work/charged.json" --policy classic --json |
		sed -n 's/.*"who": .*"factor": \([^,]*\), "rank".*/\1/p')"
is "what is charged decays until the end of the run" \
	"$(would charge --would time=7d,billing=1 | cut -c 1-8)" 436270.9
sed 's/"usage": 800/"usage": 836.2709/' "$work/advice.json" >"$work/charged.json"
is "so does what was used before" "$(would factor --would time=7d,billing=0.001 | cut -c 1-8)" \
	"$(fathom explain a/ann --from "$work/charged.json" --policy classic --json |
		sed -n 's/.*"who": .*"factor": \([^,]*\), "rank".*/\1/p' | cut -c 1-8)"
like "it is said, and when the factor is back" \
	"$(fathom explain a/bob --from "$work/advice.json" --policy fair-tree \
		--would cpus=1,time=1000s | paste -sd ' ' -)" \
	"A job that is charged 1 a second for 16 minutes 40 seconds costs 1,000 seconds, 0.28 \
hours. At its end, the fair-share factor of bob in account a is 0.33 instead of 0.67, and its \
rank 3rd instead of 2nd of 3 users, if it runs nothing else and all others use as much as decays. \
If it then runs nothing, the factor is back, but for 1 %, in 5 days *"
like "hundreds of hours are said whole" "$(fathom explain a/bob --from "$work/advice.json" \
	--would cpus=32,time=24h | paste -sd ' ' -)" "* costs 2,764,800 seconds, 768 hours. *"
like "nothing comes later by less than is said" "$(fathom explain ada --would cpus=1,time=1m \
	--from "$data/snapshot/waiting.json" | paste -sd ' ' -)" \
	"*as decays. The job does not lower the factor. *"
rejects "a word twice" "fathom: --would: cpus: given twice" \
	explain a/ann --from "$work/advice.json" --policy fair-tree --would cpus=512,cpus=3,time=1h
# ann goes before bob with 400 of her 800 seconds: after a half-life, 7 days. With the job she has
# 4389 at its end: an hour and log2(4389 / 400) half-lives
like "a job that changes no order delays the next factor" \
	"$(fathom explain a/ann --from "$work/advice.json" --policy fair-tree \
		--would cpus=1,time=1h | paste -sd ' ' -)" \
	"* is still 0.33, and its rank still 3rd of 3 users, *The factor is not lower, but comes \
to 0.67 later: in 24 days 6 hours instead of 7 days.*"
like "without decay it costs nothing" \
	"$(fathom explain a/ann --from "$work/advice.json" --policy fair-tree --set half_life=0 \
		--would cpus=1,time=1h | paste -sd ' ' -)" \
	"* is still 0.33, and its rank still 3rd of 3 users, *The job does not lower the factor.*"
like "the rate is said as it was asked" "$(fathom explain a/ann --from "$work/advice.json" \
	--would cpus=1537,time=1h | head -n 1)" "A job that is charged 1,537 a second for 1 hour *"
like "an hour is one" "$(fathom explain a/ann --from "$work/advice.json" --would cpus=1,time=1h |
	head -n 2 | paste -sd ' ' -)" "* costs 3,600 seconds, 1 hour. *"
cat >"$work/parent.json" <<-'END'
	{"format": "fathom-tree", "version": 1, "nodes": [
	 {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
	 {"id": 2, "parent": 1, "name": "ann", "kind": "user", "shares": "parent", "usage": 100},
	 {"id": 3, "parent": 1, "name": "bob", "kind": "user", "shares": 1, "usage": 50}]}
	END
like "who has the shares of the account goes first, and not for using nothing" \
	"$(fathom explain ann --from "$work/parent.json" | paste -sd ' ' -)" \
	'*LevelFS of ann is infinite: it has the shares "parent", with which it goes first *'
like "the same beside another user" \
	"$(fathom explain bob ann --from "$work/parent.json" | paste -sd ' ' -)" \
	'*has used 33 % of its share, ann in account root has the shares "parent", *'
like "without decay it is never back" "$(fathom explain a/bob --from "$work/advice.json" \
	--policy fair-tree --would cpus=1,time=1h --set half_life=0 | paste -sd ' ' -)" \
	"*the factor comes to 0.33, and is never back to within 1 % of what it was.*"
like "a factor that a job lowers by less is not said to stay" \
	"$(fathom explain anna --from "$data/figures/shadow.json" --would cpus=3,time=60 |
		paste -sd ' ' -)" \
	"* is 0.3261 instead of 0.3265, * That is within 1 % of what it was. *"
is "without WHO it is the caller's" \
	"$(sed "s/\"bob\"/\"$me\"/" "$work/advice.json" >"$work/bob.json"
	fathom explain --from "$work/bob.json" --would cpus=1,time=1h | sed "s/\\<$me\\>/bob/g" |
		paste -sd ' ' - | grep -c 'factor of bob in')" 1

# policies with sums of their own: what is said to be charged is what a tree with it shows
# lsf_used CPU_TIME HIST_RUN_TIME FILE: ann in account a has used this; a second user nearly as much
lsf_used ()
{
	sed "s/\"usage\": 800/\"usage\": 0, \"cpu_time\": $1, \"hist_run_time\": $2/
		s/\"hist_run_time\": $2/&, \"run_time\": 0/
		s/\"usage\": 400/\"usage\": 0, \"cpu_time\": 4700, \"hist_run_time\": 1900/" \
		"$work/advice.json" >"$3"
}
# of_lsf ARGUMENT...: without decay
of_lsf ()
{
	fathom explain a/ann --policy lsf --json --set hist_hours=1e7 \
		--set enable_hist_run_time=yes "$@"
}
lsf_used 800 900 "$work/used.json"
lsf_used 4800 1900 "$work/charged.json"
is "lsf: CPU time, and run time of finished jobs" \
	"$(of_lsf --from "$work/used.json" --would cpus=4,time=1000 |
		sed -n 's/^ "would": .*"charge": \([0-9.]*\),.*"rank": \([^,]*\),.*/\1 \2/p' |
		sed 's/3999.9[0-9]*/4000/')" \
	"4000 $(of_lsf --from "$work/charged.json" |
		sed -n 's/.*"who": .*"rank": \([^,]*\), "of".*/\1/p')"
like "CPU time is what busy CPUs use" "$(of_lsf --from "$work/used.json" \
	--would cpus=4,time=1000)" '*"sentence": "* hours, if it keeps its CPUs busy.*'
is "which changes the order" "$(of_lsf --from "$work/used.json" |
	sed -n 's/.*"who": .*"rank": \([^,]*\), "of".*/\1/p')" 2
like "pbs: CPU time, if the CPUs are busy" "$(fathom explain a/ann --policy pbs --json \
	--from "$work/advice.json" --set fairshare_decay_time=1000d --would cpus=2,time=100)" \
	'*"would": {"rate": 2, "seconds": 100, "charge": 199.9*if it keeps its CPUs busy.*'
sed 's/"usage": 800/"usage": 1000/' "$work/advice.json" >"$work/charged.json"
is "its factor is that of a tree with it" "$(fathom explain a/ann --policy pbs --json \
	--from "$work/advice.json" --set fairshare_decay_time=1e9d --would cpus=2,time=100 |
	sed -n 's/^ "would": .*"factor": \([^,}]*\).*/\1/p' | cut -c 1-8)" \
	"$(fathom explain a/ann --from "$work/charged.json" --policy pbs --json |
		sed -n 's/.*"who": .*"factor": \([^,]*\), "rank".*/\1/p' | cut -c 1-8)"
if built_with muParser "what a job is charged by a formula of pbs"; then
	# of_pbs FORMULA JOB: what it is charged by this fairshare_usage_res
	of_pbs ()
	{
		fathom explain a/ann --policy pbs --from "$work/advice.json" \
			--set "fairshare_usage_res=$1" --would "$2" 2>&1 | paste -sd ' ' -
	}
	like "a formula charges what it names" "$(of_pbs walltime time=1h)" \
		"A job that is charged 1 a second for 1 hour costs 3,600 seconds, 1 hour. *"
	like "what it does not name is named" "$(of_pbs walltime cpus=16,time=1h)" \
		"fathom: --would: policy pbs does not charge cpus A job that is charged 1 a *"
	like "what it gains while the job runs is charged" \
		"$(of_pbs '1000 + ncpus*nodect*walltime' cpus=3,nodes=2,time=100)" \
		"A job that is charged 6 a second for * costs 600 seconds, *"
	like "with CPU time, busy CPUs are" "$(of_pbs 'cput + 10*ngpus*walltime' \
		cpus=2,gpus=1,time=100)" "* costs 1,200 seconds, * if it keeps its CPUs busy. *"
	is "a formula without a job's nodes" "$(of_pbs ncpus*nodect*walltime cpus=4,time=1)" \
		"fathom: --would: policy pbs needs nodes=N"
	is "a formula of memory" "$(of_pbs mem*walltime cpus=4,time=1)" \
		"fathom: --would: fairshare_usage_res: mem: the job does not tell it; use ncpus, \
nodect, ngpus, walltime and cput"
fi
like "flux: nodes, when the job is over" "$(fathom explain a/ann --policy flux --json \
	--from "$work/advice.json" --would cpus=64,nodes=2,time=100)" \
	'*"would": {"rate": 2, "seconds": 100, "charge": 200, *'
like "or what its weights say" "$(fathom explain a/ann --policy flux --json --set node_weight=0 \
	--set core_weight=1 --set gpu_weight=10 --from "$work/advice.json" \
	--would cpus=4,gpus=2,time=100)" '*"would": {"rate": 24, "seconds": 100, "charge": 2400, *'
like "what the policy does not charge is named" "$(fathom explain a/ann --policy fair-tree \
	--from "$work/advice.json" --would cpus=8,nodes=2,gpus=4,time=1h 2>&1 >/dev/null)" \
	"fathom: --would: policy fair-tree does not charge nodes and gpus"
rejects "flux without nodes" "fathom: --would: policy flux needs nodes=N" \
	explain a/ann --from "$work/advice.json" --policy flux --would cpus=1,time=1
rejects "pbs without CPUs" "fathom: --would: policy pbs needs cpus=N" \
	explain a/ann --from "$work/advice.json" --policy pbs --would billing=1,time=1
for job in nodes=1,time=1 time=1; do
	rejects "classic without either" \
		"fathom: --would: policy classic needs cpus=N or billing=N" \
		explain a/ann --from "$work/advice.json" --policy classic --would "$job"
done
must="time=DURATION, and cpus=N, nodes=N, gpus=N or billing=N if they are charged"
for wrong in "cores=1,time=1:'cores=1' is unknown, must be $must" \
	"cpus=0,time=1:'cpus=0' is not a number above 0" \
	"cpus=1,time=x:'time=x' is not a duration above 0" \
	"cpus=1:'cpus=1' must have $must"; do
	rejects "--would ${wrong%%:*}" "fathom: --would: ${wrong#*:}" explain a/ann \
		--from "$work/advice.json" --would "${wrong%%:*}"
done
for wrong in 7 'a/ann a/bob' 'a/ann --until=1'; do
	# shellcheck disable=SC2086	# words
	rejects "--would of $wrong" "fathom: --would: is about one user, without --until" \
		explain $wrong --from "$work/advice.json" --would cpus=1,time=1
done
rejects "--would of an account" "fathom: --would: is about a user, a is an account" \
	explain a --from "$work/advice.json" --would cpus=1,time=1

### Resets of usage

# of_reset HALF_LIFE PERIOD ARGUMENT...: of a snapshot a day before a month begins; priorities of
# its jobs are fair share alone
of_reset ()
{
	printf '{"format": "fathom-snapshot", "version": 1, "time": 1795996800, "tree": [
 {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
 {"id": 2, "parent": 1, "name": "ann", "kind": "user", "shares": 1, "usage": 7200},
 {"id": 3, "parent": 1, "name": "bob", "kind": "user", "shares": 1, "usage": 3600}],
"slurm_conf": "NodeName=n1 CPUs=1\\nPartitionName=p Nodes=n1\\nPriorityWeightFairshare=1000\\n%s",
"jobs": [{"job_id": 6, "user": "ann", "account": "root", "partitions": ["p"]},
 {"job_id": 7, "user": "bob", "account": "root", "partitions": ["p"]}]}' \
		"PriorityDecayHalfLife=$1\\nPriorityUsageResetPeriod=$2\\n" >"$work/reset.json"
	shift 2
	TZ=UTC0 fathom explain --from "$work/reset.json" --policy classic "$@"
}
for given in '0 0.9' '14-0 0.5'; do
	like "--until with the half-life ${given% *}" \
		"$(of_reset "${given% *}" MONTHLY ann --until "${given#* }" | paste -sd ' ' -)" \
		"* is back at ${given#* } in 1 day, when all usage is reset. *"
done
is "decay before the reset counts" \
	"$(of_reset 1-0 YEARLY ann --until 0.5 | sed '/^$/q' | paste -sd ' ' -)" \
	"$(of_reset 1-0 NONE ann --until 0.5 | sed '/^$/q' | paste -sd ' ' -)"
like "JSON says it" "$(of_reset 0 MONTHLY ann --until 0.9 --json)" \
	'*"recover": *"seconds": 86400, "time": 1796083200, *"reset": true, "factor": 1, *'
like "two jobs" "$(of_reset 14-0 MONTHLY 6 7 | paste -sd ' ' -)" \
	"*. All usage is reset in 1 day; then job 6 goes before job 7. *"
like "in JSON, too" "$(of_reset 14-0 MONTHLY 6 7 --json)" \
	'*"wait": {"of": "who", "seconds": 86400, "reset": true}*'
of_reset 14-0 DAILY ann >"$work/printed"
sed 's/"usage": 7200/&, "cpu_time": 36e8, "run_time": 720000, "job_slots": 3/
s/"usage": 3600/&, "cpu_time": 3600, "run_time": 7200, "job_slots": 1/' \
	"$work/reset.json" >"$work/holding.json"
like "lsf: running jobs count after it, too" \
	"$(TZ=UTC0 fathom explain ann bob --policy lsf --from "$work/holding.json" |
		paste -sd ' ')" "*. All usage is reset in *; then ann goes before bob if the \
running jobs of ann in account root end and it runs nothing. *"
like "of two users nobody is ahead then" "$(of_reset 14-0 MONTHLY ann bob | paste -sd ' ' -)" \
	"*. All usage is reset in 1 day. ann would go first *"
# job 6 goes first as soon as it is as old as it may get, whatever ann runs
of_reset 365-0 'MONTHLY\nPriorityWeightAge=1000\nPriorityMaxAge=120' 6 7 >"$work/printed"
sed 's/"job_id": 6,/&"nice": -500, "accrue_time": 1795996728,/
s/"job_id": 7,/&"accrue_time": 1795989960,/' "$work/reset.json" >"$work/aging.json"
is "a job that gets older alone needs no reset" \
	"$(TZ=UTC0 fathom explain 6 7 --from "$work/aging.json" --policy classic --json |
		sed -n 's/.*\(All usage is reset[^"]*\).*/\1/p')" ""
sed "s/\"ann\"/\"$(id -un)\"/; s/\"job_id\": [67],/& \"held\": true,/" "$work/reset.json" \
	>"$work/mine-reset.json"
is "a reset that puts nobody forward is no advice" "$(TZ=UTC0 fathom explain \
	--from "$work/mine-reset.json" --policy classic | sed -n '/^What you can do/,$p')" ""
like "without a reset there is a time to wait" "$(of_reset 14-0 NONE ann bob)" "*runs nothing for *"
like "what a job costs until the reset" \
	"$(of_reset 14-0 MONTHLY bob --would cpus=9,time=1h | paste -sd ' ' -)" \
	"*. If it then runs nothing, the factor is back, but for 1 %, in 23 hours, when all usage \
is reset. *"
# it runs across two resets, and for a day after the second
like "and after it" "$(of_reset 0 MONTHLY bob --would cpus=1,time=33d --json)" \
	"*\"charge\": 86400, *The last reset of all usage until its end is in 32 days. *"
of_reset 0 x ann >"$work/out" 2>"$work/said"
is "a period that is none" "$(cat "$work/out" "$work/said")" "fathom: $work/reset.json: \
slurm_conf:5: PriorityUsageResetPeriod: 'x' must be NONE, NOW, DAILY, WEEKLY, MONTHLY, QUARTERLY \
or YEARLY"

### Ids of tasks and components

cat >"$work/ids.json" <<'END'
{"format": "fathom-jobs", "version": 1, "partitions": [{"name": "p"}], "jobs": [
 {"job_id": 10, "partitions": ["p"]}, {"job_id": 11, "partitions": ["p"]}]}
END
for id in 10_3:10 '10_[1-5%2]:10' 10+1:11; do
	is "${id%:*}" "$(fathom explain "${id%:*}" --from "$work/ids.json" 2>&1 |
		sed 's/ is [12].*//; 2q')" "fathom: ${id%:*} is job ${id#*:}${newline}Job ${id#*:}"
done
for id in 10_ 10_x 10+ '10_[1' _1; do
	rejects "$id is no id" "fathom: $id: no file has a tree; give --from with one" \
		explain "$id" --from "$work/ids.json"
done

### Fair share without a weight

off="fair share has no weight, so that it does not decide which jobs go first"
# remarks ARGUMENT...: about user3
remarks ()
{
	fathom explain c/user3 --from "$tree" "$@" 2>&1 >/dev/null
}
echo fair_share: false ALL >"$work/sched"
is "of PBS" "$(remarks --from "$work/sched")" "fathom: $work/sched:1: $off"
printf '%s\n' ClusterName=c PriorityWeightFairshare=0 >"$work/slurm.conf"
is "of Slurm" "$(remarks --from "$work/slurm.conf")" "fathom: $work/slurm.conf:2: $off"
echo '{"format": "fathom-jobs", "version": 1, "settings": {"PriorityWeightFairshare": 0},
"jobs": [{"job_id": 1, "user": "user3", "account": "c"}]}' >"$work/jobs.json"
is "of jobs" "$(fathom explain 1 --from "$tree" --from "$work/jobs.json" 2>&1 >/dev/null)" \
	"fathom: $work/jobs.json: $off"
is "not under another policy" "$(remarks --from "$work/slurm.conf" --policy classic)" ""
for line in Policy=flux Policy=fcfs Formula=fairshare_factor; do
	echo "$line" >"$work/fathom.conf"
	is "nor with $line" "$(remarks --from "$work/slurm.conf" --from "$work/fathom.conf")" ""
done

### What is wrong

rejects "an account below the other" "fathom: account b is below account a, must be two of which \
none is below the other" explain b a --from "$tree"
rejects "twice the same account" "fathom: a and account:a are the same account" \
	explain a account:a --from "$tree"
rejects "a user and an account" "fathom: user1 and a are a user and an account, must be two users \
or two accounts" explain a user1 --from "$tree"
rejects "when an account is back" "fathom: --until: is about a user, a is an account" \
	explain a --until 0.5 --from "$tree"
rejects "an account that is none" "fathom: account:user1: is no account of $tree" \
	explain account:user1 --from "$tree"
rejects "a user that is none" "fathom: b: is a user of no account of $tree" \
	explain user:b --from "$tree"

finish
