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
is "lines for parts of jobs are left out" "$(head -n 1 "$work/err")" \
	"fathom: $trace: left out: 1 line for parts of jobs, status 2 to 4"
is "jobs" "$(fathom convert --from "$trace" --to fathom-jobs 2>/dev/null | sed '1,3d')" \
	"$(cat "$data/output/swf-jobs.json")"
like "the time is that of the latest end" \
	"$(fathom convert --from "$trace" --to fathom-jobs 2>/dev/null | head -n 1)" \
	'*"time": 1000000070,'
finish
