#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Traces in the Standard Workload Format give the usage of associations, and jobs.
. "${srcdir:=.}/tests/cli/lib.sh"
gofree=$data/swf/gofree_sample.swf.xz

# usage FILE: "account user usage" for each user
usage ()
{
	fathom shares --from "$1" --set half_life=0 -U -n -P -o Account,User,RawUsage |
		sort | tr '|' ' '
}

if command -v xz >/dev/null; then
	is "usage of a trace is the sum of its jobs" "$(usage "$gofree")" \
		"$(xz -dc "$gofree" | awk '/^ *[0-9]/ { sum["group" $13 " user" $12] += $5 * $4 }
			END { for (name in sum) printf "%s %d\n", name, sum[name] }' | sort)"
else
	skip "usage of a trace" "xz is not installed"
fi
trace=$data/swf/small.swf
is "users, groups, fractions, what is not known" \
	"$(fathom convert --from "$trace" --to sshare --set half_life=0 2>"$work/err")" \
	"Account|User|RawShares|RawUsage
root|||270
 group7||1|245
  group7|user3|1|240
  group7|user4|1|0
 root|user3|1|20"
is "a trace itself stays, with its lines for parts of jobs" \
	"$(fathom convert --from "$trace" --to swf --strict | cmp - "$trace" 2>&1)" ""
is "lines for parts of jobs are left out" "$(head -n 1 "$work/err")" \
	"fathom: $trace: left out: 1 line for parts of jobs, status 2 to 4"
# 60 zeros before the number of the user
printf '1 0 0 10 1 -1 -1 1 -1 -1 1 %060d 07 -1 -1 -1 -1 -1\n' 3 >"$work/zeros.swf"
is "zeros before the number of a user are no part of its name" \
	"$(fathom convert --from "$work/zeros.swf" --to sshare --set half_life=0 | tail -n 1)" \
	"  group7|user3|1|10"
is "jobs" "$(fathom convert --from "$trace" --to fathom-jobs 2>/dev/null | sed '1,3d')" \
	"$(cat "$data/output/swf-jobs.json")"
like "the time is that of the latest end" \
	"$(fathom convert --from "$trace" --to fathom-jobs 2>/dev/null | head -n 1)" \
	'*"time": 1000000070,'

### writing

# lines FILE: the numbers that both keep: processors that ran, else those that were asked for. There
# is no line for a part of a job.
lines ()
{
	awk '!/^ *;/ && NF >= 18 && ($11 < 2 || $11 > 4) {
		print $1, $2, $3, $4, $5, $5 > 0 ? -1 : $8, $9, $11, $12, $13, $16 }' "$1"
}
# rewritten FILE: beside another file its jobs are written anew
rewritten ()
{
	fathom convert --from "$1" --from "$data/c1.json" --to swf 2>/dev/null
}
if command -v xz >/dev/null; then
	xz -dc "$gofree" >"$work/trace"
	fathom convert --from "$gofree" --to swf >"$work/again" 2>"$work/warning"
	is "a trace stays as it is" "$(cksum <"$work/again")" "$(cksum <"$work/trace")"
	is "nothing is lost" "$(cat "$work/warning")" ""
	rewritten "$work/trace" >"$work/again"
	is "jobs of a trace are as they were" "$(lines "$work/again" | cksum)" \
		"$(lines "$work/trace" | cksum)"
fi
printf '%s\n' '1 0 0 10 1 -1 -1 -1 -1 -1 1 1 1 -1 4 -1 -1 -1' \
	'2 0 -1 -1 -1 -1 -1 2 60 -1 5 1 1 -1 -1 3 -1 -1' \
	'9223372036854775807 7 3 1.5 1 -1 -1 -1 -1 -1 0 1 1 -1 4 -1 -1 -1' >"$work/no-start.swf"
is "a trace without UnixStartTime, queues and partitions" \
	"$(rewritten "$work/no-start.swf" | grep -v 'Max\|Version')" \
	"$(cat "$work/no-start.swf")"
is "a queue is a partition" \
	"$(fathom prio --from "$work/no-start.swf" --state all -nP -o JobID,Partition)" \
"1|queue4
2|partition3
9223372036854775807|queue4"
printf '%s\n' '; UnixStartTime: 1700000000' '-1 -1 -1 -1 -1 -1 -1 -1 -1' >"$work/short.swf"
like "too few numbers" "$(fathom convert --from "$work/short.swf" --to swf 2>&1)" \
	"fathom: $work/short.swf:2: 9 fields, must be 18 numbers; -1 is one that is not known"
for header in 'UnixStartTime:1700000000' ' unixstarttime :	1700000000	now' \
	'UnixStartTime: -1
; UnixStartTime: 1700000000'; do
	printf '; %s\r\n;MaxProcs:64\r\n;\r\n%s' "$header" \
		'1 7 0 10 1 -1 -1 -1 -1 -1 1 1 1 -1 4 -1 -1 -1' >"$work/header.swf"
	cpus=$(fathom replay "$work/header.swf" --json |
		sed -n 's/.*"cpus": \([0-9]*\).*/\1/p' | head -n 1)
	is "header: $header" "$(rewritten "$work/header.swf" |
		grep -v 'Max\|Version' | paste -sd ' ' -) $cpus" \
		"; UnixStartTime: 1700000000 1 7 0 10 1 -1 -1 -1 -1 -1 1 1 1 -1 4 -1 -1 -1 64"
done
printf '%s\n' '-1 -1 -1 9 4 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1' \
	'1 5 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1 -1' >"$work/unknown.swf"
is "a job without a submit time has run, but not waited" \
	"$(rewritten "$work/unknown.swf" | grep -v ';')" \
"0 -1 -1 9 4 -1 -1 -1 -1 -1 1 -1 -1 -1 -1 -1 -1 -1
1 5 -1 -1 -1 -1 -1 -1 -1 -1 5 -1 -1 -1 -1 -1 -1 -1"
is "it counts, and is not replayed" \
	"$(fathom convert --from "$work/unknown.swf" --to sshare --set half_life=0 2>/dev/null |
		tail -n 1) $(fathom replay "$work/unknown.swf" --cpus 4 2>&1)" \
	"root|||36 fathom: $work/unknown.swf: no job that can be replayed: left out: \
1 job that never ran; 1 job without a submit time"

rewritten "$trace" >"$work/first" 2>/dev/null
is "numbers, fractions, what is not known" "$(cat "$work/first")" "; Version: 2.2
; MaxJobs: 5
; MaxRecords: 5
; UnixStartTime: 1000000000
1 0 10 60 4 -1 -1 -1 120 -1 1 3 7 -1 -1 2 -1 -1
2 5 0 2.5 8 -1 -1 -1 -1 -1 1 3 -1 -1 -1 -1 -1 -1
3 6 -1 -1 -1 -1 -1 2 -1 -1 5 4 7 -1 -1 -1 -1 -1
4 7 1 5 1 -1 -1 -1 -1 -1 1 -1 7 -1 -1 -1 -1 -1
5 8 1 5 1 -1 -1 -1 -1 -1 0 -1 -1 -1 -1 -1 -1 -1"
is "what was written is read and written alike" \
	"$(rewritten "$work/first")" "$(cat "$work/first")"
sed s/DAY/2026-01-03/g >"$work/sacct" <<'END'
JobID|User|Account|Partition|State|Submit|Start|End|Elapsed|AllocCPUS|Timelimit
8|ada|physics|day|COMPLETED|DAYT11:00:30|DAYT11:01:00|DAYT11:02:00|00:01:00|4|01:00:00
7|bob|art|night|CANCELLED|DAYT11:00:00|Unknown|DAYT11:00:10|00:00:00|0|
9|ada|art|day|TIMEOUT|DAYT12:00:00|DAYT12:00:00|DAYT12:01:00|00:01:00|2|00:01:00
END
is "names have numbers, with tables" \
	"$(TZ=UTC fathom convert --from "$work/sacct" --to swf 2>"$work/err")" \
	"; Version: 2.2
; MaxJobs: 3
; MaxRecords: 3
; UnixStartTime: 1767438000
; User 1: bob
; User 2: ada
; Group 1: art
; Group 2: physics
; Partition 1: night
; Partition 2: day
7 0 -1 -1 -1 -1 -1 -1 -1 -1 5 1 1 -1 -1 1 -1 -1
8 30 30 60 4 -1 -1 -1 3600 -1 1 2 2 -1 -1 2 -1 -1
9 3600 0 60 2 -1 -1 -1 60 -1 0 2 1 -1 -1 2 -1 -1"
is "what a trace does not have is said" "$(cat "$work/err")" \
	"fathom: swf: does not keep the state of 1 job, such as TIMEOUT"
# prints the number of each name in place of bob, behind the line of a table if there is one
for name in user999999999999999 user0 user9999999999999999 user01 user1x xser1; do
	sed "s/bob/$name/; s/ada/user2/" "$work/sacct" >"$work/numbers"
	fathom convert --from "$work/numbers" --to swf 2>/dev/null |
		sed -n 's/^; User 1/table/p; s/^7 0\( -1\)* 5 \([0-9]*\) .*/\2/p'
done >"$work/numbered"
is "names that are user and a number of at most 15 digits have no table" \
	"$(paste -sd ' ' "$work/numbered")" \
	"999999999999999 0 table: user9999999999999999 1 table: user01 1 table: user1x 1 \
table: xser1 1"
cat >>"$work/sacct" <<'END'
10|ada|art|day|RUNNING|2026-01-03T12:00:00|2026-01-03T12:00:00|Unknown|00:05:00|2|
11|ada|art|day|PENDING|2026-01-03T12:00:00|Unknown|Unknown|00:00:00|2|
END
is "a job that has not ended has no run time" \
	"$(TZ=UTC fathom convert --from "$work/sacct" --to swf 2>"$work/err" >"$work/ended.swf"
		tail -n 2 "$work/ended.swf")" \
	"10 3600 0 -1 2 -1 -1 -1 -1 -1 -1 2 1 -1 -1 2 -1 -1
11 3600 -1 -1 -1 -1 -1 2 -1 -1 -1 2 1 -1 -1 2 -1 -1"
is "that is said" "$(tail -n 1 "$work/err")" \
	"fathom: swf: does not keep the state and the run time of 2 jobs that had not ended"
is "it is not replayed, as before" \
	"$(fathom replay "$work/ended.swf" --cpus 4 -nP 2>/dev/null | cut -d '|' -f 2) $(
		fathom replay "$work/sacct" --cpus 4 -nP 2>/dev/null | cut -d '|' -f 2)" "2 2"
sed s/DAY/2026-01-03T11/g >"$work/sacct" <<'END'
JobID|User|Account|Partition|QOS|State|Submit|Eligible|Start|End|Elapsed|AllocCPUS|AllocTRES
8|ada|art|day|high|COMPLETED|DAY:00:30|DAY:00:40|DAY:01:00|DAY:02:00|00:01:00|4|cpu=4,mem=9G
9|ada|art|day,night|high|COMPLETED|DAY:00:30|DAY:00:30|DAY:01:00|DAY:02:00|00:01:00|4|cpu=4
END
is "of a job that became eligible later, too" \
	"$(fathom convert --from "$work/sacct" --to swf 2>&1 >/dev/null)" \
	"fathom: swf: does not keep when 1 job became eligible, other than when submitted
fathom: swf: does not keep the QOS of 2 jobs
fathom: swf: does not keep partitions but the first of 1 job
fathom: swf: does not keep nodes, memory and other TRES of 1 job"
rejects "and refused with --strict" "fathom: swf: does not keep when 1 job became eligible, other \
than when submitted; --strict refuses this" convert --from "$work/sacct" --to swf --strict
printf '{"format": "fathom-jobs", "version": 1, "jobs": [{"job_id": 1, "state": "CANCELLED",
	"user": "%s"}]}' \
	'a\nUser 2: root' >"$work/lines.json"
rejects "a name with a line end does not make a line of the header" "fathom: --to: user \
'a?User 2: root': swf cannot have control characters in a name; rename it" \
	convert --from "$work/lines.json" --to swf
finish
