#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom history: rebuilds days from records of jobs, and shows them; explain --since compares.
. "${srcdir:=.}/tests/cli/lib.sh"

: "${MAKE_DB:=./tests/format/make_db}"
built_with SQLite histories || {
	# before a cluster or a file is asked for
	rejects "without SQLite" \
		"fathom: history: needs SQLite, which this fathom is built without" history
	finish
}
export TZ=UTC
# ada runs ten hours of the first day, bob four hours around the third midnight
cat >"$work/jobs" <<'END'
JobID|User|Account|Partition|State|Submit|Start|End|Elapsed|AllocTRES
1|ada|physics|day|COMPLETED|1704067200|1704067200|1704103200|10:00:00|cpu=4,billing=4
2|bob|physics|day|COMPLETED|1704232800|1704232800|1704247200|04:00:00|cpu=1,billing=1
END
cat >"$work/tree" <<'END'
{"format": "fathom-tree", "version": 1, "nodes": [
 {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
 {"id": 2, "parent": 1, "name": "physics", "kind": "account", "shares": 60, "usage": 0},
 {"id": 3, "parent": 2, "name": "ada", "kind": "user", "shares": 1, "usage": 5},
 {"id": 4, "parent": 2, "name": "bob", "kind": "user", "shares": 3, "usage": 0},
 {"id": 5, "parent": 1, "name": "bob", "kind": "account", "shares": 20, "usage": 0},
 {"id": 6, "parent": 5, "name": "eve", "kind": "user", "shares": "parent", "usage": 0}]}
END
history=$work/history

# days WHO [OPTION...]: its first days
days ()
{
	fathom history --history "$history" --since 2000-01-01 -n -P "$@" | head -n 3 |
		paste -sd ' ' -
}

rebuild ()
{
	fathom history --rebuild --from "$work/jobs" --from "$work/tree" --history "$history" "$@"
}

### Rebuilding

like "a day for each since then" "$(rebuild --policy classic --set half_life=0)" \
	"$history: [0-9]* days added"
is "usage at each day's beginning" "$(days ada)" \
	"2024-01-02|physics|ada|1|0.187500|144000|1.000000|\
0.024803|3/3 2024-01-03|physics|ada|1|0.187500|144000|0.964286|0.028304|3/3 \
2024-01-04|physics|ada|1|0.187500|144000|0.931818|0.031913|3/3"
is "a run over midnight counts in both" "$(days user:bob | tr ' ' '\n' | cut -d '|' -f 1,6)" \
	"2024-01-02|0
2024-01-03|7200
2024-01-04|14400"
is "an account has no rank" "$(days account:bob | cut -d ' ' -f 1)" \
	"2024-01-02|bob|20|0.250000|0|0.000000|1.000000"
is "shares of the parent" "$(days eve | cut -d ' ' -f 1 | cut -d '|' -f 4)" parent
is "usage in hours" "$(days ada --units hours | cut -d '|' -f 6)" 40.0
is "the file is for its owner alone" "$(stat -c %a "$history")" 600
is "what has been is not rebuilt" "$(rebuild --policy classic)" "$history: 0 days added"
rm "$history"
rebuild --policy classic --set half_life=1d >"$work/said"
# ten hours of 4: 4 * 86400 / ln 2 * (2^-(14/24) - 2^-1), and half of it a day later
is "usage decays by the half-life" "$(days ada | tr ' ' '\n' | cut -d '|' -f 1,6)" \
	"2024-01-02|83474
2024-01-03|41737
2024-01-04|20868"

{
	sed '/^ {"id": 4/,$d' "$work/tree"
	echo ' {"id": 7, "parent": 2, "name": "ada", "partition": "night", "kind": "user",'
	echo '  "shares": 1, "usage": 0},'
	sed -n '/^ {"id": 4/,$p' "$work/tree"
} >"$work/night-tree"
{
	cat "$work/jobs"
	echo '3|ada|physics|night|COMPLETED|1704067200|1704067200|1704067201|00:00:01|billing=7'
} >"$work/night-jobs"
fathom history --rebuild --from "$work/night-jobs" --from "$work/night-tree" \
	--policy classic --set half_life=0 --history "$work/night" >"$work/said"
is "usage of a partition's association is apart" \
	"$(fathom history --history "$work/night" --since 2000-01-01 --json physics/ada |
		grep -o '"raw_usage": [0-9]*' | sort -u)" '"raw_usage": 144000
"raw_usage": 7'

### Whose

like "you, or the root" "$(days)" '2024-01-02|root|1|1.000000|83474|*'
is "a user of an account" "$(days physics/ada)" "$(days ada)"
fathom history --history "$history" bob >"$work/out" 2>"$work/said"
is "a user and an account" "$(cat "$work/said")" \
	"fathom: bob: is taken as the user; account:bob is the account"
rejects "nobody of this name" \
	"fathom: adda: $history has no such user or account; did you mean ada?" \
	history --history "$history" adda
for empty in "" user:; do
	rejects "an empty name, '$empty'" \
		"fathom: $empty: $history has no such user or account" \
		history --history "$history" "$empty"
done
# ida has gone since the first day
cp "$history" "$work/gone"
"$MAKE_DB" "$work/gone" "INSERT INTO association VALUES (99, 'physics', 'ida', '')" \
	'INSERT INTO figures SELECT min(time), 99, 1, 1, 0, 0, 1, 1 FROM day'
rejects "who is not there on the last day is not suggested" \
	"fathom: idaa: $work/gone has no such user or account" history --history "$work/gone" idaa
is "--since the first second" \
	"$(TZ=UTC fathom history --history "$history" --since 1970-01-01 -P ada)" \
	"$(fathom history --history "$history" --since 2000-01-01 -P ada)"
like "JSON" "$(fathom history --history "$history" --json --since 2000-01-01 ada |
	head -n 4 | tr -d '\n')" \
	'{"format": "fathom-history", "version": 1, "who": {"user": "ada", "account": null}, '\
'"days": ?  {"time": 1704153600, "time_iso": "2024-01-02T00:00:00Z", "policy": "classic", '\
'"account": "physics", "user": "ada", "partition": null, "raw_shares": 1, '\
'"norm_shares": 0.1875, "raw_usage": 83474.*, "effective_usage": 1, '\
'"factor": 0.0248*, "rank": 3, "of": 3},'
fathom history --history "$history" ada --since today >"$work/out" 2>"$work/said"
is "today alone" "$(wc -l <"$work/out")" 2

### What changed

sed 's/"shares": 1, "usage": 5/"shares": 4, "usage": 7200000/' "$work/tree" >"$work/now"
fathom explain --from "$work/now" --policy classic ada --since 2024-01-02 --history "$history" \
	>"$work/said"
is "in words" "$(sed '/^$/q' "$work/said" | paste -sd ' ' -)" \
	"On 2024-01-02 00:00 the fair-share factor of ada in account physics was 0.025, and it is \
0.198 now. It was the 3rd of 3 users, and is the 3rd of 3. Shares were edited: those of ada in \
account physics from 1 to 4. The usage of ada in account physics grew most on its path, by \
1,980 hours. "
is "another policy" "$(fathom explain --from "$work/now" --policy fair-tree ada \
	--since 2024-01-02 --history "$history" | sed '/Shares/,$d' | paste -sd ' ' -)" \
	"On 2024-01-02 00:00 the fair-share factor of ada in account physics was 0.025, and it is \
0.33 now. It was the 3rd of 3 users, and is the 3rd of 3. The policy was classic then, and is \
fair-tree now."
is "in a table" "$(sed '1,/^$/d' "$work/said" | tr -s ' ')" \
	"Account User OldShares Shares OldUsage-h Usage-h OldFairShare FairShare
physics ada 1 4 23 2,000 0.025 0.198
physics 60 60 23 2,000 0.4 0.4"
like "in JSON" "$(fathom explain --from "$work/now" --policy classic ada --since 2024-01-02 \
	--history "$history" --json | head -n 5 | tail -n 1)" \
	'  {"account": "physics", "user": "ada", "partition": null, "on_path": true, '\
'"raw_shares_then": 1, "raw_shares": 4, "raw_usage_then": 83474.*, "raw_usage": 7200000, *'

# ann and bob share with each other, though the tree has an account of each between
cat >"$work/parents" <<'END'
Account|User|RawShares|RawUsage
root||1|0
 a||1|0
  p||parent|0
   p|ann|1|0
  q||parent|0
   q|bob|1|0
END
fathom history --rebuild --from "$work/jobs" --from "$work/parents" --history "$work/parental" \
	>"$work/said" 2>&1
sed 's/bob|1|0/bob|50|900000/' "$work/parents" >"$work/now"
like "where accounts have the shares of their parent, all that share are compared" \
	"$(fathom explain --from "$work/now" p/ann --since 2024-01-02 --history "$work/parental" |
		paste -sd ' ' -)" \
	"*Shares were edited: those of bob in account q from 1 to 50. The usage of bob in account \
q grew most *"

### Settings of the files

# first FILE... [-- OPTION...]: policy and usage of the root, and the factor of ada, on the first
# day that is rebuilt from the jobs and these files
first ()
{
	files=
	while [ $# != 0 ] && [ "$1" != -- ]; do
		files="$files --from $1"
		shift
	done
	[ $# = 0 ] || shift
	rm -f "$work/first"
	# shellcheck disable=SC2086	# an option and a file a word
	fathom history --rebuild --from "$work/jobs" $files "$@" --history "$work/first" \
		>"$work/said" 2>&1 || { cat "$work/said"; return; }
	fathom history --history "$work/first" --since 2000-01-01 --json account:root |
		sed -n '4s/.*"policy": "\([^"]*\)".*"raw_usage": \([0-9]*\).*/\1 \2/p'
	fathom history --history "$work/first" --since 2000-01-01 -nP ada 2>&1 |
		sed -n '1s/.*|\([^|]*\)|[^|]*$/\1/p'
}

cat >"$work/slurm.conf" <<'END'
PriorityFlags=NO_FAIR_TREE
FairShareDampeningFactor=5
PriorityDecayHalfLife=1-0
END
printf 'Policy=classic\nDampeningFactor=5\nHalfLife=1d\n' >"$work/fathom.conf"
# 2^-(1 / 0.1875 / 5)
is "policy and settings of slurm.conf" "$(first "$work/tree" "$work/slurm.conf")" "classic 83474
0.477421"
is "policy and settings of fathom.conf" "$(first "$work/tree" "$work/fathom.conf")" \
	"classic 83474
0.477421"
is "an option goes before them" \
	"$(first "$work/tree" "$work/slurm.conf" -- --set dampening_factor=1 --set half_life=0)" \
	"classic 144000
0.024803"
sed '2s/COMPLETED/WEIRD/' "$work/jobs" >"$work/weird"
if [ -c /dev/full ]; then
	fathom history --rebuild --from "$work/jobs" --from "$work/tree" --history "$work/unsaid" \
		>/dev/full 2>"$work/err"
	is "days that are added, although nothing can be printed" "$(cat "$work/err")" \
		"fathom: standard output: No space left on device; the days are added all the same"
	fathom history --rebuild --from "$work/jobs" --from "$work/tree" --history "$work/unsaid" \
		>/dev/full 2>"$work/err"
	is "no days that are added" "$(cat "$work/err")" \
		"fathom: standard output: No space left on device"
else
	skip "days that are added" "no /dev/full"
fi
is "what the reader has left out" "$(fathom history --rebuild --from "$work/weird" \
	--from "$work/tree" --history "$work/strange" 2>&1 >/dev/null)" \
	"fathom: $work/weird: state 'WEIRD' is unknown; 1 job of unknown states count as ended"
sed 's/"fathom_conf": "/&HalfLife=1d\\n/' "$data/snapshot/lab.json" >"$work/lab.json"
is "the half-life of a snapshot" "$(first "$work/lab.json")" "fair-tree 83474"
printf 'HalfLife=0\n' >"$work/endless.conf"
is "that of a fathom.conf goes before it, in any order" \
	"$(first "$work/endless.conf" "$work/lab.json"
		first "$work/lab.json" "$work/endless.conf")" \
	"fair-tree 144000
fair-tree 144000"
sed '/"fathom_conf"/d; s/"slurm_conf": {/&"FairShareDampeningFactor": 5, /' \
	"$data/snapshot/by-hand.json" >"$work/damped.json"
is "settings of a snapshot under another policy" \
	"$(first "$work/damped.json" -- --policy classic)" \
	"$(first "$work/damped.json" -- --policy classic --set dampening_factor=5)"
is "PriorityFlags of a slurm.conf beside a snapshot" \
	"$(first "$data/snapshot/lab.json" "$work/slurm.conf")" "classic 83474"
is "the policy of a FiguresFile" "$(first "$data/figures/scopes.json")" "classic 133152"

# usage becomes 0 on Sundays: before 2024-01-07, ada and bob have 144000 and 14400
cat >"$work/weekly.conf" <<'END'
PriorityDecayHalfLife=0
PriorityUsageResetPeriod=WEEKLY
END
echo "3|ada|physics|day|COMPLETED|1704564000|1704564000|1704589200|07:00:00|cpu=1,billing=1" |
	cat "$work/jobs" - >"$work/sunday"
fathom history --rebuild --from "$work/sunday" --from "$work/tree" --from "$work/weekly.conf" \
	--history "$work/weekly" >"$work/said"
# the third job runs from six hours before that midnight to one behind it
is "usage is reset" "$(fathom history --history "$work/weekly" --since 2000-01-01 -nP account:root |
	cut -d '|' -f 1,5 | sed -n '5,8p; 13p')" \
	"2024-01-06|158400
2024-01-07|0
2024-01-08|3600
2024-01-09|3600
2024-01-14|0"
sed 's/PriorityUsageResetPeriod=NONE/PriorityUsageResetPeriod=DAILY/' "$data/snapshot/lab.json" \
	>"$work/lab.json"
is "by the period of a snapshot" "$(first "$work/lab.json")" "fair-tree 0"
printf 'PriorityUsageResetPeriod=NONE\nPriorityDecayHalfLife=1-0\n' >"$work/slurm.conf"
is "which a slurm.conf replaces, and the half-life, in any order" \
	"$(first "$work/slurm.conf" "$work/lab.json"
		first "$work/lab.json" "$work/slurm.conf")" \
	"fair-tree 83474
fair-tree 83474"
echo PriorityUsageResetPeriod=OFTEN >"$work/odd.conf"
rejects "no reset period" \
	"fathom: $work/odd.conf:1: 'OFTEN' must be NONE, NOW, DAILY, WEEKLY, MONTHLY, \
QUARTERLY or YEARLY" \
	history --rebuild --from "$work/jobs" --from "$work/tree" --from "$work/odd.conf" \
	--history "$work/new"

sed '3s/1704247200|04:/1704232800|00:/; 2d' "$work/jobs" >"$work/instant"
rejects "an output that cannot be written" \
	"fathom: --out: $work/none/file: No such file or directory" \
	history --rebuild --from "$work/jobs" --from "$work/tree" --history "$work/new" \
	--out "$work/none/file"
ok "before a day is added" test ! -e "$work/new"
rejects "a job that ended at once" "fathom: $work/instant: no job has run, so there is no usage" \
	history --rebuild --from "$work/instant" --from "$work/tree" --history "$work/new"

### Queues of LSF

# ada's job is of a queue without fair share, and bob's share is that of "default"
cat >"$work/lsb.queues" <<'END'
Begin Queue
QUEUE_NAME = day
FAIRSHARE = USER_SHARES[[ada, 10] [default, 1]]
End Queue
Begin Queue
QUEUE_NAME = night
End Queue
END
cp "$work/jobs" "$work/all-day"
sed '2s/|day|/|night|/' "$work/all-day" >"$work/jobs"
is "jobs of other queues do not count" \
	"$(first "$work/lsb.queues" -- --policy classic --set half_life=0)" "classic 7200
1.000000"
is "a user of the records has a share" \
	"$(fathom history --history "$work/first" --since 2000-01-01 -nP bob | sed -n 1p)" \
	"2024-01-03|root|bob|1|0.090909|7200|1.000000|0.000488|2/2"
is "the policy of the queues" "$(first "$work/lsb.queues")" \
	"fathom: --rebuild: policy lsf counts more than usage, which records of jobs do not tell; \
--policy names another one"
sed 's/NAME = night/&\nFAIRSHARE = USER_SHARES[[default, 1]]/' "$work/lsb.queues" >"$work/two"
is "--scope chooses a queue" \
	"$(first "$work/two" -- --policy classic --set half_life=0 --scope night)" "classic 144000
0.250000"
is "several queues without --scope" "$(first "$work/two" -- --policy classic)" \
	"fathom: --scope: must name one of several trees: day or night"
is "--scope of files without scopes" "$(first "$work/tree" -- --scope night)" \
	"fathom: --scope: no file describes several trees; must be files such as LSF's lsb.queues"
cat >"$work/twice" <<'END'
Begin UserGroup
GROUP_NAME GROUP_MEMBER USER_SHARES
phys (ada bob) ([default, 1])
lab (phys eve) ([phys, 1] [eve, 1])
End UserGroup
Begin Queue
QUEUE_NAME = night
FAIRSHARE = USER_SHARES[[lab, 10] [phys, 1]]
End Queue
END
is "a group in two places" "$(first "$work/twice" -- --policy classic)" \
	"fathom: --rebuild: 'phys' has several places in the tree, but a history has one row for \
them"
rejects "--scope without --rebuild" "fathom: --scope: needs --rebuild" \
	history --history "$history" --scope night
mv "$work/all-day" "$work/jobs"

### Two at once

# both find an empty file, and wait for the lock until it is released
yesterday=$(($(date +%s) - 86400))
sed "/^[12]|/{ s/170[0-9]*/$yesterday/g; }" "$work/jobs" >"$work/recent"
"$MAKE_DB" "$work/raced" 'BEGIN IMMEDIATE' '!sleep 2' COMMIT &
for one in 1 2; do
	fathom history --rebuild --from "$work/recent" --from "$work/tree" --policy classic \
		--history "$work/raced" >"$work/said$one" 2>&1 &
done
wait
is "two rebuild a new file" "$(sort "$work/said1" "$work/said2")" \
	"$work/raced: 0 days added$newline$work/raced: 1 day added"

### Ctrl-C and kill: the file is as before, without a journal, which would keep out who only reads

# hundreds of days of 3000 users, more than SQLite keeps in memory
awk 'BEGIN {
	print "{\"format\": \"fathom-tree\", \"version\": 1, \"nodes\": ["
	print "{\"id\": 0, \"parent\": null, \"name\": \"root\", \"kind\": \"account\","
	print "\"shares\": 1, \"usage\": 0}"
	for (i = 1; i < 3000; i++)
		print ",{\"id\": " i ", \"parent\": 0, \"name\": \"u" i "\", \"kind\": \"user\"," \
			"\"shares\": 1, \"usage\": 0}"
	print "]}"
}' >"$work/wide"
cp "$work/raced" "$work/ended"
fathom history --history "$work/ended" ada --since 2000-01-01 >"$work/days-before"

# interrupt SIGNAL FILE: returns the status of a rebuild that gets the signal while it writes
interrupt ()
{
	"$FATHOM" history --rebuild --from "$work/jobs" --from "$work/wide" --policy classic \
		--history "$2" >"$work/said" 2>&1 &
	rebuilding=$!
	while [ ! -e "$2-journal" ] && kill -0 $rebuilding; do
		:
	done
	sleep 0.1
	kill -"$1" $rebuilding
	wait $rebuilding 2>/dev/null
}

for signal in TERM HUP XCPU; do
	interrupt $signal "$work/ended"
	is "SIG$signal ends it" "$(kill -l $?)$(cat "$work/said")" "$signal"
	is "and leaves no journal" "$(ls "$work/ended"*)" "$work/ended"
	is "and no day" "$(fathom history --history "$work/ended" ada --since 2000-01-01)" \
		"$(cat "$work/days-before")"
done
interrupt TERM "$work/fresh"
is "SIGTERM leaves no new file" "$(kill -l $?)$(ls "$work"/fresh* 2>/dev/null)" TERM

### A file that somebody else made: its triggers and views do not run

cp "$work/raced" "$work/other"
"$MAKE_DB" "$work/other" 'DELETE FROM figures' 'DELETE FROM day' \
	"CREATE TRIGGER t BEFORE INSERT ON day BEGIN SELECT RAISE(ABORT, 'ran'); END"
is "a trigger" "$(fathom history --rebuild --from "$work/recent" --from "$work/tree" \
	--policy classic --history "$work/other" 2>&1)" "$work/other: 1 day added"
"$MAKE_DB" "$work/other" 'DROP TRIGGER t' 'ALTER TABLE day RENAME TO days' \
	'CREATE VIEW day AS SELECT time, policy, users FROM days'
rejects "a view" "fathom: $work/other: access to view \"day\" prohibited" \
	history --history "$work/other" ada

### What is wrong

rejects "no time" \
	"fathom: --since: 'soon' is no time, must be such as yesterday, 7d or 2026-11-01" \
	history --history "$history" --since soon
rejects "no day of February" \
	"fathom: --since: '2026-02-30' is no time, must be such as yesterday, 7d or 2026-11-01" \
	history --history "$history" --since 2026-02-30
rejects "no database" \
	"fathom: $work/tree: file is not a database" history --history "$work/tree"
rejects "no file" \
	"fathom: $work/none: No such file or directory" history --history "$work/none"
: >"$work/empty"
rejects "a folder" "fathom: $work: Is a directory" history --history "$work"
mkfifo "$work/pipe"
is "a pipe, which is not waited for" \
	"$(timeout 20 "$FATHOM" history --history "$work/pipe" 2>&1)" \
	"fathom: $work/pipe: is no regular file"
rejects "an empty file" "fathom: $work/empty: is no history of fathom" \
	history --history "$work/empty"
cp "$history" "$work/later"
"$MAKE_DB" "$work/later" 'PRAGMA user_version = 2'
rejects "tables of a later fathom" "fathom: $work/later: is the history of a later fathom" \
	history --history "$work/later"
cp "$history" "$work/damaged"
size=$(wc -c <"$work/damaged")
# all but the first page
head -c $((size - 4096)) /dev/zero | dd of="$work/damaged" bs=4096 seek=1 conv=notrunc 2>/dev/null
for command in "history --rebuild --from $work/recent --from $work/tree --policy classic" \
	"explain --from $work/tree --since 2023-11-01 ada"; do
	# shellcheck disable=SC2086	# words
	rejects "$command of a damaged file" \
		"fathom: $work/damaged: database disk image is malformed" \
		$command --history "$work/damaged"
done
rejects "no records" \
	"fathom: --from: no file has records of jobs; must be such as those of sacct" \
	history --rebuild --from "$work/tree" --history "$work/new"
grep -v UnixStartTime "$data/swf/small.swf" >"$work/small.swf"
rejects "a trace without a beginning" \
	"fathom: $work/small.swf: does not tell when it begins; must have UnixStartTime" \
	history --rebuild --from "$work/small.swf" --from "$work/tree" --history "$work/new"
printf '1 -1 -1 60 4 -1 -1 4 100 -1 1 1 1 -1 1 1 -1 -1\n' >"$work/small.swf"
rejects "nor has one of jobs without a submit time" \
	"fathom: $work/small.swf: does not tell when it begins; must have UnixStartTime" \
	history --rebuild --from "$work/small.swf" --from "$work/tree" --history "$work/new"
rejects "two policies" "fathom: --policy: history is rebuilt by one policy, must be given once" \
	history --rebuild --from "$work/jobs" --from "$work/tree" --policy classic,fair-tree \
	--history "$work/new"
rejects "two half-lives" "fathom: --set: half_life: given twice, must be given once" \
	history --rebuild --from "$work/jobs" --from "$work/tree" --set half_life=1d \
	--set half_life=9d --history "$work/new"
rejects "sums that records do not tell" \
	"fathom: --rebuild: policy lsf counts more than usage, which \
records of jobs do not tell; --policy names another one" \
	history --rebuild --from "$work/jobs" --from "$work/tree" --policy lsf --history \
	"$work/new"
rejects "records without --rebuild" \
	"fathom: --from: needs --rebuild; --history reads a HistoryFile" \
	history --from "$work/jobs"
ok "no file is made" test ! -e "$work/new"
finish
