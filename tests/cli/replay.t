#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom replay: schedules, figures, what is left out, and that nothing depends on threads.
. "${srcdir:=.}/tests/cli/lib.sh"

# 4 CPUs; user1 uses the machine before user2 comes
cat >"$work/week.swf" <<'END'
; MaxProcs: 4
1   0 -1 600 4 -1 -1 4 600 -1 1 1 1 -1 -1 -1 -1 -1
2  10 -1 600 4 -1 -1 4 600 -1 1 1 1 -1 -1 -1 -1 -1
3  20 -1 600 4 -1 -1 4 600 -1 1 2 1 -1 -1 -1 -1 -1
4  30 -1  60 1 -1 -1 1  60 -1 1 2 2 -1 -1 -1 -1 -1
END
week=$work/week.swf

# figure KEY [FILE]: its numbers in JSON, of each policy
figure ()
{
	grep '^{"policy"' "${2:-$work/json}" | grep -o "\"$1\": [^,]*" | cut -d ' ' -f 2 |
		paste -sd ' ' -
}

### the schedule

fathom replay "$week" --policy fair-tree,fcfs --schedule "$work/starts" >/dev/null
is "the schedule of both policies" "$(cat "$work/starts")" \
	"job,user,account,cpus,submit,start,end,policy
1,user1,group1,4,0,0,600,fair-tree
4,user2,group2,1,30,600,660,fair-tree
3,user2,group1,4,20,660,1260,fair-tree
2,user1,group1,4,10,1260,1860,fair-tree
1,user1,group1,4,0,0,600,fcfs
2,user1,group1,4,10,600,1200,fcfs
3,user2,group1,4,20,1200,1800,fcfs
4,user2,group2,1,30,1800,1860,fcfs"

# At 3000 user1 has used 1800 s, the users of group2 have used 300, 300 and 600. user1:
# 2^-(0.6 / (1/2)); user2: 2^-((0.1 + (0.4 - 0.1) / 3) / (1/6)); both are 2^-1.2, and so job 4
# goes before job 7.
cat >"$work/equal.swf" <<'END'
; MaxProcs: 1
1 0 -1 300 1 -1 -1 1 300 -1 1 2 2 -1 -1 -1 -1 -1
2 0 -1 600 1 -1 -1 1 600 -1 1 4 2 -1 -1 -1 -1 -1
3 0 -1 900 1 -1 -1 1 900 -1 1 1 1 -1 -1 -1 -1 -1
4 0 -1 600 1 -1 -1 1 600 -1 1 2 2 -1 -1 -1 -1 -1
5 0 -1 300 1 -1 -1 1 300 -1 1 3 2 -1 -1 -1 -1 -1
6 0 -1 900 1 -1 -1 1 900 -1 1 1 1 -1 -1 -1 -1 -1
7 0 -1 300 1 -1 -1 1 300 -1 1 1 1 -1 -1 -1 -1 -1
8 0 -1 300 1 -1 -1 1 300 -1 1 2 2 -1 -1 -1 -1 -1
END
for policy in classic pbs; do
	fathom replay "$work/equal.swf" --policy $policy --half-life 0 --schedule "$work/s" \
		>/dev/null
	is "$policy: equal factors go in the order of submission" \
		"$(cut -d , -f 1 "$work/s" | paste -sd ' ' -)" "job 1 3 2 5 6 4 7 8"
done

# Batsim's own workload of 801 jobs, and the schedules that it has made of it under EASY and under
# conservative backfilling. It reserves named machines: a job behind the reservation starts only if
# other machines are free, even if enough of those that are reserved would be left. Here any CPU is
# as good as any other, so that some jobs start earlier, and others later for it. A model of the
# same two rules that names machines, the lowest that are free, starts all 801 when Batsim does.
# swf WORKLOAD: id, subtime and res of its jobs, delay of their profiles, walltime
swf ()
{
	python3 -c 'import json, sys
workload = json.load(sys.stdin)
print("; MaxProcs:", workload["nb_res"])
for job in sorted(workload["jobs"], key=lambda job: (job["subtime"], job["id"])):
	print(job["id"], job["subtime"], -1, workload["profiles"][job["profile"]]["delay"],
		job["res"], -1, -1, job["res"], job["walltime"], "-1 1" + 7 * " -1")' <"$1"
}
# batsim SCHEDULER: how many jobs start when Batsim starts them, of how many
batsim ()
{
	fathom replay "$work/batsim.swf" --policy fcfs --scheduler "$1" \
		--schedule "$work/batsim.csv" --json >"$work/json"
	awk -F, 'NR == FNR { start[$1] = $8; next }
		FNR > 1 { same += $6 - start[$1] < 1e-3 && start[$1] - $6 < 1e-3 }
		END { print same, "of", FNR - 1 }' "$data/replay/$1.csv" "$work/batsim.csv"
}
if command -v python3 >/dev/null; then
	swf "$data/replay/medium_late.json" >"$work/batsim.swf"
	is "EASY: most jobs start when Batsim starts them" "$(batsim easy)" "725 of 801"
	like "and the last one ends then" "$(figure makespan)" 16088.51*
	is "conservative: most do, too" "$(batsim conservative)" "735 of 801"
	like "and the last one ends then, too" "$(figure makespan)" 16088.51*
else
	skip "schedules of Batsim" "python3 is not installed"
fi

is "none: what fits starts" "$(cat >"$work/fits.swf" <<'END'
1 0 -1 10 3 -1 -1 3 10 -1 1 1 1 -1 -1 -1 -1 -1
2 1 -1 10 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1
3 2 -1 20 1 -1 -1 1 20 -1 1 1 1 -1 -1 -1 -1 -1
END
for scheduler in easy conservative none; do
	fathom replay "$work/fits.swf" --cpus 4 --scheduler $scheduler --schedule "$work/s" \
		>/dev/null
	grep '^3' "$work/s" | cut -d , -f 6
done | paste -sd ' ' -)" "20 20 2"

# job 2 waits 40 seconds, 3 is not known, 4 starts with 1 although there is no CPU left
cat >"$work/traced.swf" <<'END'
; MaxProcs: 4
1 0 20 10 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1
2 1 40 10 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1
3 2 -1 20 1 -1 -1 1 20 -1 1 1 1 -1 -1 -1 -1 -1
4 5 15 10 4 -1 -1 4 10 -1 1 2 1 -1 -1 -1 -1 -1
END
is "trace: jobs start when they did" \
	"$(fathom replay "$work/traced.swf" --scheduler trace --schedule "$work/s" --half-life 10 \
		--out "$work" 2>&1 >/dev/null; cut -d , -f 1,2,6,7 "$work/s" | paste -sd ' ' -)" \
	"fathom: $work/traced.swf: left out: 1 job without a start
job,user,start,end 1,user1,20,30 4,user2,20,30 2,user1,41,51"
is "beside schedulers it is one row, with the same jobs" \
	"$(fathom replay "$work/traced.swf" --scheduler easy,trace --policy fcfs,classic -nP 2>&1 |
		cut -d '|' -f 1-3 | paste -sd ' ' -)" \
	"fathom: $work/traced.swf: left out: 1 job without a start fcfs|3|8 classic|3|8 trace|3|25"
is "alone it is one row whatever the policies, but one for each half-life" \
	"$(for options in '' '--set half_life=1h --set half_life=2h'; do
		# shellcheck disable=SC2086	# words are meant
		fathom replay "$work/traced.swf" --scheduler trace --policy classic,lsf $options \
			-nP --schedule "$work/s" 2>/dev/null | cut -d '|' -f 1
		cut -d , -f 8 "$work/s" | uniq
	done | paste -sd ' ' -)" \
	"trace policy trace trace half_life=1h trace half_life=2h policy trace half_life=1h \
trace half_life=2h"
echo before >"$work/s"
rejects "a wrong --out leaves --schedule alone" \
	"fathom: --out: $work/none/o: No such file or directory" \
	replay "$work/traced.swf" --schedule "$work/s" --out "$work/none/o"
is "the schedule is as before" "$(cat "$work/s")" before
is "JSON has the begin as text" "$(fathom replay "$work/traced.swf" --json |
	grep -o '"epoch[^,]*' | paste -sd ' ' -)" '"epoch": null "epoch_iso": null'
is "JSON has it if the trace tells" "$(sed '1i; UnixStartTime: 1000000000' "$work/traced.swf" |
	fathom replay - --json | grep -o '"epoch[^,]*' | paste -sd ' ' -)" \
	'"epoch": 1000000000 "epoch_iso": "2001-09-09T01:46:40Z"'
is "several schedulers have a row a policy each" \
	"$(fathom replay "$work/fits.swf" --cpus 4 --scheduler easy,none --policy fcfs,classic -nP |
		cut -d '|' -f 1,3 | paste -sd ' ' -)" \
	"fcfs easy|9 classic easy|9 fcfs none|7 classic none|7"
fathom replay "$work/traced.swf" --scheduler none,trace --json >"$work/json" 2>/dev/null
is "which JSON names" "$(grep -oE '"(policy|scheduler)": "[^"]*"' "$work/json" | paste -sd ' ' -)" \
	'"scheduler": "none,trace" "policy": "fair-tree" "scheduler": "none" "policy": "trace" '\
'"scheduler": "trace"'
rejects "a scheduler twice" "fathom: --scheduler: none: given twice" \
	replay "$work/fits.swf" --cpus 4 --scheduler none,none
# user2: 4 x 10 / ln 2 x (2^-2.1 - 2^-3.1); user1: the same, and 4 x 10 / ln 2 x (1 - 1/2)
is "and usage has decayed at the last end" "$(cut -d , -f 2,12 "$work/users.csv" | sed 1d)" \
	"user1,35.58431117
user2,6.730410349"
is "that of accounts is all below them" "$(cut -d , -f 2,11 "$work/accounts.csv" | sed 1d)" \
	"root,42.31472152
group1,42.31472152"
is "the others start jobs whose start is not known" \
	"$(fathom replay "$work/traced.swf" -nP | cut -d '|' -f 2)" 4

### figures

fathom replay "$week" --policy fcfs --yardstick 0 --json >"$work/json"
is "waits" "$(figure mean_wait) $(figure median_wait) $(figure p95_wait) $(figure longest_wait)" \
	"885 590 1770 1770"
is "the makespan" "$(figure makespan)" 1860
# 7260 CPU seconds of 4 x 1860
like "utilization" "$(figure utilization)" 0.97580645161290*
# (1 + 1190/600 + 1780/600 + 1830/60) / 4
like "bounded slowdown" "$(figure mean_bounded_slowdown)" 9.1125*
# shares: user1 1/2 x 1/2, user2 of group1 the same, of group2 1/2; rescaled 1/4, 1/4, 1/2. Passes:
# 0 nobody has used anything; 300, 600, 900: user1 has used all: 3/4; 1200: the same, but user1 has
# no job any more: 0 used by all, which does not count; 1500: user2 of group1: 1 - 1/3; 1800: 0
like "share error" "$(figure share_error) $(figure passes)" "0.7[0-9]* 4"
# At 1800 all have a job that waits and have used just their shares: 1/2, and of group2 1/6 each.
cat >"$work/just.swf" <<'END'
; MaxProcs: 1
1 0 -1 900 1 -1 -1 1 900 -1 1 1 1 -1 -1 -1 -1 -1
2 0 -1 300 1 -1 -1 1 300 -1 1 2 2 -1 -1 -1 -1 -1
3 0 -1 300 1 -1 -1 1 300 -1 1 3 2 -1 -1 -1 -1 -1
4 0 -1 300 1 -1 -1 1 300 -1 1 4 2 -1 -1 -1 -1 -1
5 0 -1 900 1 -1 -1 1 900 -1 1 1 1 -1 -1 -1 -1 -1
6 0 -1 300 1 -1 -1 1 300 -1 1 2 2 -1 -1 -1 -1 -1
7 0 -1 300 1 -1 -1 1 300 -1 1 3 2 -1 -1 -1 -1 -1
8 0 -1 300 1 -1 -1 1 300 -1 1 4 2 -1 -1 -1 -1 -1
END
is "who has used just the share is not below it" "$(fathom replay "$work/just.swf" --policy fcfs \
	--half-life 0 --yardstick 0 --calc-period 30m -nP | cut -d '|' -f 10-)" "0.0000|1.0000|0.0"
is "--warm-up leaves jobs out" \
	"$(fathom replay "$week" --policy fcfs --warm-up 25 --json >"$work/json"
		figure jobs | cut -d ' ' -f 2) $(figure mean_wait)" "1 1770"
rejects "--warm-up that leaves none" "fathom: --warm-up: $work/just.swf: the last job is submitted \
0 seconds after the first, so none would count; give fewer seconds" \
	replay "$work/just.swf" --warm-up 1s
# the second job fits in no partition but b, and the last one has c for itself
cat >"$work/three.conf" <<'END'
NodeName=n[1-3] CPUs=2
PartitionName=a Nodes=n[1-2] Default=YES
PartitionName=b Nodes=n[2]
PartitionName=c Nodes=n[3]
END
cat >"$work/three" <<'END'
JobID|User|Account|State|Submit|Start|End|Elapsed|NCPUS|Timelimit|Partition
1|ada|x|COMPLETED|2026-09-01T00:00:00|Unknown|Unknown|00:10:00|2|00:10:00|a
2|ada|x|COMPLETED|2026-09-01T00:01:00|Unknown|Unknown|00:10:00|4|00:10:00|a
3|bob|x|COMPLETED|2026-09-01T00:02:00|Unknown|Unknown|00:01:00|1|00:01:00|b
4|bob|x|COMPLETED|2026-09-01T00:03:00|Unknown|Unknown|00:01:00|1|00:01:00|c
END
fathom replay "$work/three" --from "$work/three.conf" --scheduler strict --policy fcfs \
	--schedule "$work/starts" >/dev/null
is "--scheduler strict: nothing overtakes on the same nodes" \
	"$(sed 1d "$work/starts" | sort | cut -d , -f 1,6 | paste -sd ' ' -)" \
	"1,0 2,600 3,1200 4,180"
is "rows with equal schedules have equal figures, whatever their half-lives" \
	"$(fathom replay "$week" --policy fcfs --set half_life=10m --set half_life=30d -nP |
		cut -d '|' -f 2- | sort -u | wc -l)" 1
fathom replay "$week" --policy fcfs --yardstick 10m --json >"$work/json"
is "the yardstick is told" "$(grep -o '"yardstick": [0-9]*' "$work/json")" '"yardstick": 600'
like "and matters" "$(fathom replay "$work/just.swf" --policy fcfs --yardstick 10m \
	--calc-period 30m -nP | cut -d '|' -f 10)" "0.[1-9]*"
is "the half-life as an option and as a setting" \
	"$(fathom replay "$week" --half-life 1h -nP)" \
	"$(fathom replay "$week" --set half_life=1h -nP)"

fathom replay "$week" --policy lsf,fcfs --set run_job_factor=3 --set run_job_factor=0 -nP |
	cut -d '|' -f 1 >"$work/names"
is "each combination that a policy has" "$(cat "$work/names")" "lsf run_job_factor=3
lsf run_job_factor=0
fcfs"
is "weights of slurm.conf: by age it is first come, first served" \
	"$(fathom replay "$week" --set PriorityWeightAge=1000 --schedule "$work/s" >/dev/null
		cut -d , -f 1 "$work/s" | paste -sd ' ' -)" "job 1 2 3 4"
# incr_only FLAGS: orders of starts under all policies and schedulers
incr_only ()
{
	for scheduler in easy conservative none strict; do
		fathom replay "$week" --policy "$(policies | tr ' ' ,)" --scheduler $scheduler \
			--set PriorityWeightFairshare=1000 --set PriorityFlags="$1" -n \
			--schedule "$work/s" >/dev/null
		sed 1d "$work/s" | cut -d , -f 1 | paste -sd '   \n' -
	done | sort | uniq -c | sed 's/^ *//'
}
is "INCR_ONLY: user1's priority does not fall as the machine is used" \
	"$(incr_only FAIR_TREE | sed -n '$p'; incr_only INCR_ONLY)" \
	"20 1 4 3 2
$((4 * $(policies | wc -w))) 1 2 3 4"
rejects "weights of what a trace does not have" \
	"fathom: --set: PriorityWeightQOS: the trace names no QOS" \
	replay "$week" --set PriorityWeightQOS=1
is "two values of two settings" "$(fathom replay "$week" --set half_life=1h --set half_life=2h \
	--set tie_mode=slurm --set tie_mode=flux -nP | wc -l)" 4

for threads in 1 2 7; do
	fathom replay "$week" --threads $threads --schedule "$work/starts.$threads" --json \
		--policy "$(policies | tr ' ' ,)" |
		sed 's/"wall_seconds": [^,]*//' >"$work/json.$threads"
done
ok "JSON is the same for any number of threads" cmp "$work/json.1" "$work/json.7"
ok "and for two" cmp "$work/json.1" "$work/json.2"
ok "and so is the schedule" cmp "$work/starts.1" "$work/starts.7"

# more than are replayed at the same time: in rounds
set --
for value in 1 2 3 4 5 6; do
	set -- "$@" --set "half_life=${value}h" --set "dampening_factor=$value"
done
mkdir "$work/rounds"
fathom replay "$week" --policy classic,fcfs "$@" --schedule "$work/many" --json >"$work/json"
fathom replay "$week" --policy classic,fcfs "$@" -nP --out "$work/rounds/" >"$work/rows"
is "42 replays: each has a row, an object, a schedule, and lines in tables" \
	"$(wc -l <"$work/rows") $(grep -c '^{"policy"' "$work/json") $(wc -l <"$work/many")\
 $(wc -l <"$work/rounds/users.csv")" "42 42 169 127"
ok "which are different ones" test "$(cut -d '|' -f 1 "$work/rows" | sort -u | wc -l)" = 42
is "of the last round as of the first" "$(grep '^classic half_life=5h dampening_factor=6|' \
	"$work/rows" | cut -d '|' -f 2-)" "$(fathom replay "$week" --policy classic --half-life 5h \
	--set dampening_factor=6 -nP | cut -d '|' -f 2-)"
set -- "$@" --set half_life=7h
for value in $(seq 7 100); do
	set -- "$@" --set "dampening_factor=$value"
done
# shellcheck disable=SC2046	# a word an option
rejects "too many" "fathom: --policy, --set: more than 10000 policies and values of settings side \
by side" replay "$week" --policy classic "$@" $(seq -f --set=PriorityWeightAge=%g 15)
# shellcheck disable=SC2046	# a word an option
is "--set may be given 128 times, also for half-lives alone" \
	"$(fathom replay "$week" $(seq -f --set=half_life=%gh 128) -nP 2>"$work/err" | wc -l)
$(fathom replay "$week" $(seq -f --set=half_life=%gh 129) 2>&1)" \
	"128
fathom: --set: given more than 128 times"
is "each policy is there" "$(grep -c '^{"policy"' "$work/json.1")" "$(policies | wc -w)"

### the tree

cat >"$work/tree" <<'END'
Account|User|RawShares|RawUsage
root|||500
 group1||1|500
  group1|user1|1|0
  group1|user2|9|500
END
is "shares of --from decide, with no usage" \
	"$(fathom replay "$week" --from "$work/tree" --schedule "$work/s" -nP 2>/dev/null |
		cut -d '|' -f 2; cut -d , -f 1 "$work/s" | paste -sd ' ' -)" "3
job 1 3 2"
is "those who are not in it are left out" \
	"$(fathom replay "$week" --from "$work/tree" --json 2>&1 | grep -o '"skipped": {[^}]*}')" \
	'"skipped": {"no_association": 1}'
# shellcheck disable=SC2046	# a word an option
fathom replay "$week" --from "$work/tree" $(seq -f --set=half_life=%gh 20) --json >"$work/json" \
	2>"$work/err"
is "in each round" "$(figure jobs | tr ' ' '\n' | sort | uniq -c | tr -s ' ')\
$(grep -o '"no_association": [0-9]*' "$work/json")$(grep -c left "$work/err")" \
	' 20 3"no_association": 11'
is "that a setting changes nothing is said once" "$(grep change "$work/err")" \
	"fathom: fair-tree half_life=1h to fair-tree half_life=20h: the settings change nothing, \
all 20 rows are equal"
like "and not if it does" "$(fathom replay "$week" --set PriorityWeightFairshare=1000 \
	--set PriorityWeightAge=0 --set PriorityWeightAge=1000000000 -nP 2>&1)" \
	"fair-tree PriorityWeightAge=0|*"
sed 's/ 500$/5000000/; s/|500$/|5000000/' "$work/tree" >"$work/used"
is "--initial: with the usage of the tree" \
	"$(fathom replay "$week" --from "$work/used" --initial --schedule "$work/s" -nP 2>&1 |
		sed 1d | cut -d '|' -f 2; cut -d , -f 1 "$work/s" | paste -sd ' ' -)" "3
job 1 2 3"
sed 's/|500$/|0/' "$work/tree" >"$work/unused"
is "which may be none" \
	"$(fathom replay "$week" --from "$work/unused" --initial 2>&1 >/dev/null | sed 1q)" \
	"fathom: --initial: no file of --from has usage"

strangers='s/user\([12]\)/other\1/'
rejects "a tree that has no user of the trace" "fathom: $week: no job that can be replayed: \
left out: 4 jobs of users and accounts that the tree does not have (--from)" replay "$week" \
	--from "$(sed "$strangers" "$work/tree" >"$work/strange"; echo "$work/strange")"

### what is left out

cat >"$work/bad.swf" <<'END'
1 0 -1 10 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1
2 1 -1 -1 4 -1 -1 4 10 -1 5 1 1 -1 -1 -1 -1 -1
3 2 -1 10 9 -1 -1 9 10 -1 1 1 1 -1 -1 -1 -1 -1
4 1 -1 10 -1 -1 -1 -1 10 -1 1 1 1 -1 -1 -1 -1 -1
5 1 -1 10 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1
6 0 -1 10 4 -1 -1 4 10 -1 2 1 1 -1 -1 -1 -1 -1
7 0 -1 10 4 -1 -1 4 10 -1 1 1 1 -1 -1 -1 -1 -1
8 1 20 0 0 -1 -1 4 10 -1 5 1 1 -1 -1 -1 -1 -1
END
is "what cannot be replayed is counted by reason" \
	"$(fathom replay "$work/bad.swf" --cpus 4 -nP 2>&1 >/dev/null)" \
	"fathom: $work/bad.swf: left out: 1 line for parts of jobs, status 2 to 4
fathom: $work/bad.swf: left out: 2 jobs that never ran
fathom: $work/bad.swf: left out: 1 job without a number of CPUs
fathom: $work/bad.swf: left out: 1 job too large for the machine or partition (--cpus)
fathom: $work/bad.swf: jobs that were not in the order of submission, and are sorted: 1"
cat >"$work/doubtful" <<'END'
JobID|User|Account|State|Submit|Start|End|Elapsed|AllocTRES
1|ada|a|TIMEOUT|2026-09-01T00:00:00|2026-09-01T00:00:00|2026-09-01T01:00:00|01:00:00|billing=4,cpu=2
2|bob|b|ENDED_ODDLY|2026-09-01T00:00:01|2026-09-01T00:00:01|2026-09-01T01:00:01|01:00:00|cpu=2
END
is "what is doubtful in the trace is told as by other commands" \
	"$(fathom replay "$work/doubtful" --cpus 4 2>&1 >/dev/null)" \
	"$(fathom shares --from "$work/doubtful" 2>&1 >/dev/null)"
is "and in files beside it, once for all clusters" \
	"$(sed 's/ann/ada/' "$work/fits.swf" >"$work/also.swf"
	fathom replay --cluster "a=$work/fits.swf,cpus=4" --cluster "b=$work/also.swf,cpus=4" \
		--from "$work/doubtful" 2>&1 >/dev/null)" \
	"$(fathom shares --from "$work/doubtful" 2>&1 >/dev/null)"
is "jobs out of order are sorted" \
	"$(fathom replay "$work/bad.swf" --cpus 4 --schedule "$work/s" >/dev/null 2>&1
		cut -d , -f 1,6 "$work/s" | paste -sd ' ' -)" "job,start 1,0 7,10 5,20"
# ended JOB START SECONDS: a record of PBS's log
ended ()
{
	echo "01/01/2024 00:00:00;E;$1;user=ada queue=q ctime=1704067200 etime=1704067200" \
		"start=$2 end=$(($2 + $3)) resources_used.ncpus=4 resources_used.walltime=$3"
}
# jobs of one second, in the order in which they ended
{
	ended 6.pbs 1704067320 10
	ended '5[2].pbs' 1704067310 40
	ended '5[1].pbs' 1704067260 100
	ended 4.pbs 1704067200 900
} >"$work/ended.acct"
is "jobs of one second go by number, tasks of an array by start" \
	"$(fathom replay "$work/ended.acct" --cpus 4 --schedule "$work/s" 2>&1 >/dev/null
		cut -d , -f 1,6,7 "$work/s" | paste -sd ' ' -)" \
	"job,start,end 4,0,900 5,900,1000 5,1000,1040 6,1040,1050"
{ cat "$week"; echo "5 15 -1 60 1 -1 -1 1 60 -1 1 2 1 -1 -1 -1 -1 -1"; } >"$work/early.swf"
is "--warm-up before the last submission, which need not be the last line" \
	"$(fathom replay "$work/early.swf" --warm-up 25 --policy fcfs -nP 2>/dev/null |
		cut -d '|' -f 2)" 1
rejects "--strict refuses" \
	"fathom: $work/bad.swf: left out: 1 job recorded in parts; --strict refuses this" \
	replay "$work/bad.swf" --cpus 4 --strict
rejects "a machine of unknown size" \
	"fathom: $work/fits.swf: the trace does not say how many CPUs the machine has; its jobs \
had at most 4 at once: give --cpus, or its slurm.conf by --from" \
	replay "$work/fits.swf"
sed 1d "$work/traced.swf" >"$work/machine.swf"
rejects "whose jobs ran at the same time" \
	"fathom: $work/machine.swf: the trace does not say how many CPUs the machine has; its \
jobs had at most 8 at once: give --cpus, or its slurm.conf by --from" replay "$work/machine.swf"
rejects "no trace" "fathom: TRACE: must be given; see fathom replay --help" replay
rejects "no file" "fathom: $work/none: No such file or directory" replay "$work/none"
rejects "a file without jobs" \
	"fathom: $data/c1.json: format fathom has no records of jobs, must be a trace such as swf \
or sacct" replay "$data/c1.json"
rejects "a schedule that is a device" \
	"fathom: --schedule: /dev/full: is not a regular file, must be one or not be there" \
	replay "$week" --schedule /dev/full
rejects "a schedule that is a folder" \
	"fathom: --schedule: $work: is not a regular file, must be one or not be there" \
	replay "$week" --schedule "$work"
printf '%s\n' '; MaxProcs: 4' "1 0 -1 600 9 -1 -1 9 600 -1 1 1 1 -1 -1 -1 -1 -1" \
	"2 0 -1 600 4 -1 -1 4 600 -1 1 1 1 -1 -1 -1 -1 -1" >"$work/large"
rejects "a schedule in a folder that is not there, before a replay tells what it leaves out" \
	"fathom: --schedule: $work/none/x: No such file or directory" \
	replay "$work/large" --schedule "$work/none/x"
rejects "two schedules" "fathom: --schedule: given twice" \
	replay "$week" --schedule "$work/a" --schedule "$work/b"
rejects "--out without a name" "fathom: --out: '': must be the name of a file" \
	replay "$week" --out ""
rejects "--out to a file that looks like standard output" "fathom: --out: '-': must be the name of \
a file" replay "$week" --out -
rejects "--schedule without one" "fathom: --schedule: '': must be the name of a file" \
	replay "$week" --schedule ""
rejects "--from without one" "fathom: '': No such file or directory" replay "$week" --from ""
rejects "a trace without one" "fathom: '': No such file or directory" replay ""
cat >"$work/long.swf" <<'END'
; MaxProcs: 4
1 0 -1 946708560 4 -1 -1 4 946708560 -1 1 1 1 -1 -1 -1 -1 -1
END
is "a replay of many passes says so before it ends" \
	"$(timeout 1 "$FATHOM" replay "$work/long.swf" --calc-period 1 2>&1 >/dev/null)" \
	"fathom: $work/long.swf: up to 946708560 passes in each replay, one each 1 s; a longer \
--calc-period has fewer"
rejects "passes that never end" "fathom: --calc-period: 1e-9 is out of range, must be at least 1 \
and at most 1.099511628e+12" replay "$week" --calc-period 1e-9
rejects "an unknown scheduler" \
	"fathom: --scheduler: 'fast' is unknown, must be easy, conservative, none, strict or \
trace" \
	replay "$week" --scheduler fast
rejects "a machine without CPUs" \
	"fathom: --cpus: '0', must be a whole number from 1 to 4294967295" replay "$week" --cpus 0
rejects "a number of CPUs in hexadecimal" \
	"fathom: --cpus: '0x10', must be a whole number from 1 to 4294967295" \
	replay "$week" --cpus 0x10
rejects "usage of no tree" "fathom: --initial: needs a tree with usage; give --from" \
	replay "$week" --initial
rejects "a half-life that is no multiple of a pass" \
	"fathom: a half-life of 1 s is too short for a pass every 300 s, must be at least a \
hundredth of that" replay "$week" --half-life 1

### files

mkdir "$work/folder"
fathom replay "$week" --policy fcfs --out "$work/folder" >/dev/null
is "--out FOLDER: users" "$(cut -d , -f 1-6 "$work/folder/users.csv")" \
	"policy,user,account,share,jobs,mean_wait
fcfs,user1,group1,0.25,2,295
fcfs,user2,group1,0.25,1,1180
fcfs,user2,group2,0.5,1,1770"
is "accounts, with all below them" "$(cut -d , -f 1-5 "$work/folder/accounts.csv")" \
	"policy,account,share,jobs,mean_wait
fcfs,root,1,4,885
fcfs,group1,0.5,3,590
fcfs,group2,0.5,1,1770"
fathom replay "$week" --policy fcfs,fair-tree --out "$work/changed/" >/dev/null
is "how waits change under the second policy" \
	"$(grep -h fair-tree "$work"/changed/*.csv | sed 's/,.*,/ /' | paste -sd ' ' -)" \
	"fair-tree -270 fair-tree 40 fair-tree -1200 fair-tree 330 fair-tree -540 fair-tree -1200"
day=2026-09-01T00:0
printf '%s\n' 'JobID|User|Account|State|Submit|Start|End|Elapsed|NCPUS' \
	"1|\"=1+1|a,b|COMPLETED|${day}0:10|${day}0:20|${day}1:20|00:01:00|4" >"$work/names"
fathom replay "$work/names" --cpus 4 --policy fcfs --out "$work/folder" >/dev/null
is "names in quotes if they have a comma or a quote, as RFC 4180 has it" \
	"$(cat "$work/folder/users.csv")" "policy,user,account,share,jobs,mean_wait,longest_wait,\
mean_bounded_slowdown,cpu_seconds,demand_seconds,below_share_seconds,usage,wait_change
fcfs,\"\"\"=1+1\",\"a,b\",1,1,0,0,1,240,0,0,239.9917484,0"
fathom replay "$week" --policy fcfs --out "$work/made/" >/dev/null
is "a folder that is not there is made" "$(ls "$work/made" | paste -sd ' ' -)" \
	"accounts.csv users.csv"
rejects "but not one in none" "fathom: --out: $work/no/made/: No such file or directory" \
	replay "$week" --out "$work/no/made/"
(
	trap '' XFSZ
	ulimit -f 0
	fathom replay "$week" --out "$work/unmade/" >/dev/null 2>&1
)
ok "a disk that is full leaves none behind" test ! -e "$work/unmade"
fathom replay "$week" -P --out "$work/file"
is "each column of a header has its line in the manual page" "$(for column in $(head -n 1 \
	"$work/folder/users.csv" "$work/folder/accounts.csv" | tr , '\n' | grep '^[a-z]'); do
		grep -q "^$column	" "$srcdir/doc/fathom-replay.1" || echo "$column"
	done)" ""
is "--help has all columns of the table" "$(fathom replay --help | sed -n '/^Columns/,/^$/p' |
	sed 's/  *\([^ ]*\).*/\1/; 1d; /^$/d' | paste -sd '|' -)" \
	"$(fathom replay "$week" -P | head -n 1 | cut -d '|' -f 3-)"
is "--out FILE" "$(head -n 1 "$work/file" | cut -d '|' -f 1-3)" "Policy|Jobs|MeanWait"

# memory: the schedules of 60 settings have 32 megabytes, as their user has a long name
awk 'BEGIN {
	print "JobID|User|Account|State|Submit|Start|End|Elapsed|NCPUS"
	name = sprintf("%0250d", 1)
	for (i = 1; i <= 1000; i++)
		print i "|" name "|" name "|COMPLETED|2026-09-01T00:00:00|2026-09-01T00:00:00|" \
			"2026-09-01T01:00:00|01:00:00|1"
}' >"$work/long"
# memory_of OPTION...: kilobytes at most
memory_of ()
{
	# shellcheck disable=SC2046	# a word for each setting
	python3 -c 'import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)' "$FATHOM" replay "$work/long" \
		--cpus 1000 --threads 2 --policy fcfs $(seq -f --set=half_life=%gd 60) "$@"
}
if command -v python3 >/dev/null; then
	before=$(memory_of) after=$(memory_of --schedule "$work/starts")
	is "the schedules of all settings are there" \
		"$(wc -l <"$work/starts") $(($(wc -c <"$work/starts") / 1000000))" "60001 32"
	ok "and do not lie in memory" test "$((after - before))" -lt 16000
fi

### sweeps

# a stand-in for sbatch, which runs the tasks that it is given, but for task 1
mkdir "$work/bin"
cat >"$work/bin/sbatch" <<'END'
#!/bin/sh
for word; do
	case $word in
	--array=*) tasks=${word#--array=} ;;
	esac
	script=$word
done
echo "$tasks" >>"$ARRAYS"
[ "$SKIPPED" != all ] || exit 0
for range in $(echo "${tasks%\%*}" | tr , ' '); do
	for task in $(seq "${range%-*}" "${range#*-}"); do
		[ "$task" = "$SKIPPED" ] || SLURM_ARRAY_TASK_ID=$task sh "$script"
	done
done
END
# one for squeue, which tells the tasks in $QUEUED to those who ask as fathom does
cat >"$work/bin/squeue" <<'END'
#!/bin/sh
[ -z "$SQUEUE_USERS" ] || exit 1
case $* in
"--noheader --array --format=%K --name fathom-replay-"????????????????) ;;
*) exit 1 ;;
esac
[ "$QUEUED" != broken ] || exit 1
echo "$6" >>"$ARRAYS.names"
for task in $QUEUED; do
	echo "$task "
done
END
chmod +x "$work/bin/sbatch" "$work/bin/squeue"
export SQUEUE_USERS=nobody
# sweep OPTION...: of three settings; the folder's name has what shells look for
sweep ()
{
	PATH=$work/bin:$PATH ARRAYS=$work/arrays "$FATHOM" replay "$week" \
		--set half_life=1h --policy fair-tree,lsf --set run_job_factor=0 \
		--set run_job_factor=3 --out "$work/a 'b' \$c/" "$@"
}
SKIPPED=1 sweep --array 2
is "each task is submitted, and writes its result" \
	"$(cat "$work/arrays") $(cd "$work/a 'b' \$c" && echo *.json)" \
	"0-2%2 task-0.json task-2.json"
is "--collect names what is missing" "$(sweep --collect 2>&1; echo $?)" \
	"fathom: $work/a 'b' \$c/: 1 of 3 results are missing: 1; --array submits them again
1"
is "a task that waits or runs is not submitted" "$(QUEUED="CLUSTER: 1" sweep --array 2 2>&1)" \
	"fathom: $work/a 'b' \$c/: 1 of 3 results are missing, whose tasks wait or run; they are \
not submitted again"
mv "$work/a 'b' \$c/task-0.json" "$work"
is "others are" "$(QUEUED=1 SKIPPED=all sweep --array 2 2>&1; sed 1d "$work/arrays")" \
	"fathom: $work/a 'b' \$c/: 1 of 3 results are missing, whose tasks wait or run; they are \
not submitted again
0%2"
mv "$work/task-0.json" "$work/a 'b' \$c"
is "which are queued must be known" "$(QUEUED=broken sweep --array 2 2>&1; echo $?)" \
	"fathom: squeue has failed; it is not known which tasks wait or run, and none was submitted
2"
is "and told in numbers of tasks" "$(QUEUED=3 sweep --array 2 2>&1; echo $?)" \
	"fathom: squeue: '3', must be the number of a task below 3; it is not known which tasks \
wait or run, and none was submitted
2"
sweep --array 2
is "only what is missing is submitted again" "$(sed 1,2d "$work/arrays")" "1%2"
is "squeue is asked for jobs of one name" "$(sort -u "$work/arrays.names" | wc -l)" 1
is "then nothing is" "$(sweep --array 2 2>&1)" \
	"fathom: $work/a 'b' \$c/ has all 3 results; --collect prints them"
# sorted: JSON as values
sorted ()
{
	python3 -c 'import json, sys
document = json.load(sys.stdin)
for policy in document["policies"]:
	del policy["wall_seconds"]
print(json.dumps(document, sort_keys=True))'
}
if command -v python3 >/dev/null; then
	is "the results are those of one command" "$(sweep --collect | sorted)" \
		"$(fathom replay "$week" --set half_life=1h --policy fair-tree,lsf \
			--set run_job_factor=0 --set run_job_factor=3 --json | sorted)"
fi
# a folder that has something else
folder="$work/a 'b' \$c/"
rejects "another sweep into the folder is refused" "fathom: $folder: has another sweep, with \
'task 0: fair-tree half_life=3600' in ${folder}sweep.txt; give another folder, or the \
same options" replay \
	"$week" --set half_life=2h --policy fair-tree,lsf --set run_job_factor=0 \
	--set run_job_factor=3 --out "$folder" --collect
cp "$folder/task-1.json" "$work/task-1.json"
sed '$d' "$work/task-1.json" >"$folder/task-1.json"
like "a result that is cut is refused" "$(sweep --collect 2>&1)" \
	"fathom: ${folder}task-1.json:*; remove it, and submit again with --array"
sed 's/"jobs": 4/"jobs": 5/' "$work/task-1.json" >"$folder/task-1.json"
is "and one of another trace" "$(sweep --collect 2>&1)" \
	"fathom: ${folder}task-1.json: is of another trace than the results before; remove it, and \
submit again with --array"
rm "$folder/task-1.json"
printf '%s\n' "first" "fathom: out of memory" >"$folder/task-1.log"
is "why a task has failed" "$(sweep --collect 2>&1)" \
	"fathom: ${folder}task-1.log ends with: fathom: out of memory
fathom: $folder: 1 of 3 results are missing: 1; --array submits them again"
cp "$work/task-1.json" "$folder"
rm "$folder/sweep.txt"
is "results of a sweep that is not known" "$(sweep --array 1 2>&1)" \
	"fathom: $folder: has results or tasks of a sweep that is not known; give another folder"
rm "$folder"/*
is "and tasks of one" "$(QUEUED=1 sweep --array 1 2>&1)" \
	"fathom: $folder: has results or tasks of a sweep that is not known; give another folder"

# two at once: each sees the queue before the other has submitted, unless it waits for the other
mkdir "$work/queue"
cat >"$work/queue/squeue" <<'END'
#!/bin/sh
cat "$ARRAYS"
sleep 0.5
END
cat >"$work/queue/sbatch" <<'END'
#!/bin/sh
printf '0\n1\n' >>"$ARRAYS"
END
chmod +x "$work/queue"/*
: >"$work/queued"
# at_once VALUE: a sweep of two settings
at_once ()
{
	PATH=$work/queue:$PATH ARRAYS=$work/queued "$FATHOM" replay "$week" --set half_life=1h \
		--set half_life="$1" --out "$work/at-once/" --array 2
}
for value in 2h 2h 3h; do
	at_once $value >>"$work/at-once.said" 2>&1 &
done
wait
is "two at once submit tasks once" "$(wc -l <"$work/queued")" 2
is "the others say why not" "$(wc -l <"$work/at-once.said")" 2
mkdir "$work/empty"
rejects "nothing to collect" "fathom: $work/empty: has no sweep; --array NUMBER begins one" replay \
	"$week" --out "$work/empty" --collect
is "input that is wrong is said before tasks are submitted" "$(PATH=$work/bin:$PATH \
	"$FATHOM" replay "$week" --set half_life=1 --out "$work/new/" --array 2 2>&1)" \
	"fathom: a half-life of 1 s is too short for a pass every 300 s, must be at least a \
hundredth of that"
is "without sbatch" "$(PATH=$work/none:$work "$FATHOM" replay "$week" --out "$work/new/" \
	--array 2 2>&1)" "fathom: --array: sbatch is not found; without --array this machine \
replays all"
mkdir "$work/sbatch"
cp "$work/bin/sbatch" "$work/sbatch"
is "without squeue" "$(PATH=$work/sbatch "$FATHOM" replay "$week" --out "$work/new/" \
	--array 2 2>&1)" "fathom: --array: squeue is not found; without --array this machine \
replays all"
ok "none has made the folder" test ! -e "$work/new"

# what a name has stays in its word of the script
odd="$work/a \$(touch x)
#SBATCH --wrap=x 'b"
cp "$week" "$odd"
is "a name that shells would read" "$(program=$(realpath "$FATHOM")
	cd "$work/empty" && PATH=$work/bin:$PATH ARRAYS=$work/arrays SKIPPED=none \
		"$program" replay "$odd" --set "tie_mode=slurm" --out "$work/odd/" --array 9 2>&1
	cd "$work" && echo odd/*.json empty/*)" "odd/task-0.json empty/*"

# as many tasks as combinations
set --
for value in 1 2 3 4 5 6 7 8 9 10; do
	set -- "$@" --set "half_life=${value}h" --set "dampening_factor=$value"
done
# hundred OPTION...
hundred ()
{
	PATH=$work/bin:$PATH ARRAYS=$work/hundred.arrays "$FATHOM" replay "$week" \
		--policy classic --out "$work/hundred/" "$@"
}
SKIPPED=50 hundred "$@" --array 4
is "100 tasks, one of which is missing" \
	"$(cat "$work/hundred.arrays"; hundred "$@" --collect 2>&1)" \
	"0-99%4
fathom: $work/hundred/: 1 of 100 results are missing: 50; --array submits them again"
SKIPPED=none hundred "$@" --array 4
hundred "$@" --collect >"$work/collected"
fathom replay "$week" --policy classic "$@" --json >"$work/json"
is "all of them are those of one command" \
	"$(sed 's/"wall_seconds": [^,]*//' "$work/collected" | cksum)" \
	"$(sed 's/"wall_seconds": [^,]*//' "$work/json" | cksum)"
rejects "a sweep needs a folder" "fathom: --array: needs a folder; give --out FOLDER/" \
	replay "$week" --array 2
rejects "and a file" \
	"fathom: --array: takes no --schedule, and no trace from standard input" \
	replay - --array 2 --out "$work/"

cp "$week" "$work/only"
rejects "--out: the trace" "fathom: --out: $work/./only is the trace, must be another file" \
	replay "$work/only" --policy fcfs --out "$work/./only"
rejects "--schedule: the trace" \
	"fathom: --schedule: $work/only is the trace, must be another file" \
	replay "$work/only" --policy fcfs --schedule "$work/only"
rejects "--schedule: the file of --out" \
	"fathom: --schedule: $work/both is the file of --out, must be another" \
	replay "$work/only" --policy fcfs --out "$work/both" --schedule "$work/both"
rejects "and under another name" \
	"fathom: --schedule: $work/./both is the file of --out, must be another" \
	replay "$work/only" --policy fcfs --out "$work/both" --schedule "$work/./both"
for table in users accounts; do
	rejects "--schedule: a table of --out" \
		"fathom: --schedule: $work/$table.csv is the file of --out, must be another" \
		replay "$work/only" --policy fcfs --out "$work" --schedule "$work/$table.csv"
done
ok "a schedule beside the tables" \
	fathom replay "$work/only" --policy fcfs --out "$work" --schedule "$work/plan.csv"
ok "the trace is as it was" cmp "$week" "$work/only"

### other traces

cat >"$work/sacct" <<'END'
JobID|User|Account|State|Submit|Start|End|Elapsed|NCPUS|Timelimit
1|ada|physics|COMPLETED|2026-09-01T00:00:10|2026-09-01T00:00:20|2026-09-01T00:01:20|00:01:00|4|2:00
1.0||physics|COMPLETED|2026-09-01T00:00:10|2026-09-01T00:00:20|2026-09-01T00:01:20|00:01:00|4|
2|bob|"p, h"|TIMEOUT|2026-09-01T00:00:20|2026-09-01T00:05:20|2026-09-01T00:06:20|00:01:00|4|2:00
3|bob|physics|RUNNING|2026-09-01T00:00:20|2026-09-01T00:05:20|Unknown|00:01:00|4|2:00
4|bob|physics|CANCELLED|2026-09-01T00:00:20|Unknown|2026-09-01T00:06:20|00:00:00|4|2:00
5|bob|physics|CANCELLED|2026-09-01T00:00:20|2026-09-01T00:07|2026-09-01T00:07|00:00:00|4|2:00
END
sed -i 's/T00:07|/T00:07:00|/g' "$work/sacct"
is "sacct: seconds from the first submission, names quoted" \
	"$(fathom replay "$work/sacct" --cpus 4 --schedule "$work/s" -nP 2>&1 >/dev/null
		cat "$work/s")" \
	"fathom: $work/sacct: left out: 1 job that had not ended
fathom: $work/sacct: left out: 2 jobs that never ran
job,user,account,cpus,submit,start,end,policy
1,ada,physics,4,0,0,60,fair-tree
2,bob,\"\"\"p, h\"\"\",4,10,60,120,fair-tree"
sed 's/$/|None assigned/; 1s/|[^|]*$/|NodeList/; /^[235]|/s/|[^|]*$/|n1/' "$work/sacct" \
	>"$work/nodes"
is "sacct: nodes tell whether a job started that was cancelled at once" \
	"$(fathom replay "$work/nodes" --cpus 4 --schedule "$work/s" -nP 2>&1 >/dev/null |
		grep -c 'never ran'; sed 1d "$work/s" | cut -d , -f 1 | paste -sd ' ')" "1
1 2 5"
# 12 waits for 11, 14 has no such time, 15 started before it
cat >"$work/eligible" <<'END'
JobID|User|State|Submit|Eligible|Start|Elapsed|NCPUS
11|ada|COMPLETED|2026-09-01T00:00:00|2026-09-01T00:00:00|2026-09-01T00:00:00|00:01:40|4
12|ada|COMPLETED|2026-09-01T00:00:00|2026-09-01T00:01:40|2026-09-01T00:01:40|00:00:10|4
13|bob|COMPLETED|2026-09-01T00:00:50|2026-09-01T00:00:50|2026-09-01T00:01:50|00:00:10|4
14|bob|COMPLETED|2026-09-01T00:01:45|Unknown|2026-09-01T00:02:00|00:00:10|4
15|bob|COMPLETED|2026-09-01T00:01:46|2026-09-01T09:00:00|2026-09-01T00:02:10|00:00:10|4
END
is "a job is submitted when it became eligible" \
	"$(fathom replay "$work/eligible" --cpus 4 --policy fcfs --schedule "$work/e" -vnP 2>&1 \
		>/dev/null; cut -d, -f 1,5- "$work/e")" \
	"fathom: $work/eligible: format sacct, 5 jobs of 2 users in 0 accounts, 4 CPUs
fathom: $work/eligible: became eligible after their submission, and are submitted then: 2
job,submit,start,end,policy
11,0,0,100,fcfs
13,50,100,110,fcfs
12,100,110,120,fcfs
14,105,120,130,fcfs
15,130,130,140,fcfs"
sed '2d; 4,$d' "$work/eligible" >"$work/later"
is "times count from its submission" \
	"$(fathom replay "$work/later" --cpus 4 --schedule "$work/e" >/dev/null
		sed 1d "$work/e" | cut -d, -f 1,5-7)" "12,100,100,110"
is "waits of the trace are counted from there" \
	"$(fathom replay "$work/eligible" --cpus 4 --policy fcfs --scheduler trace --json \
		>"$work/json"
		grep -o '"out_of_order": [^,]*, "eligible_later": [^,]*' "$work/json"
		figure mean_wait)" \
	'"out_of_order": 0, "eligible_later": 2
15'
sed 's/|NCPUS|/|JobName|/; s/$/|/; 1s/$/AllocTRES/' "$work/sacct" >"$work/unknown"
rejects "why no job is left" "fathom: $work/unknown: no job that can be replayed: left out: \
1 job that had not ended; 2 jobs that never ran; 2 jobs without a number of CPUs" \
	replay "$work/unknown" --cpus 4
sed 's/|NCPUS|/|AllocTRES|/; s/|4|\([^|]*\)$/|billing=9,cpu=4,mem=8G,node=1|\1/' "$work/sacct" \
	>"$work/tres"
is "sacct: CPUs of AllocTRES, if no column has them" \
	"$(fathom replay "$work/tres" --cpus 4 --schedule "$work/t" -nP 2>"$work/err"
		cut -d, -f 1-4 "$work/t" | tail -n 2)" \
	"$(fathom replay "$work/sacct" --cpus 4 -nP 2>"$work/err")
1,ada,physics,4
2,bob,\"\"\"p, h\"\"\""
printf '%s\n' 'physics 10 root 60' 'ada 11 physics 1' 'bob 12 physics 2' >"$work/group"
for user in ada bob eve; do
	echo "01/26/2016 00:00:37;E;7.pbs;user=$user group=g account=\"lab\" ctime=10 start=10" \
		"end=20 resources_used.ncpus=1 resources_used.walltime=00:00:10"
done >"$work/records"
is "entities of PBS are users, whatever the accounts of their jobs" \
	"$(fathom replay "$work/records" --cpus 4 --from "$work/group" --policy pbs \
		--schedule "$work/s" -nP 2>&1 >/dev/null; tail -n +2 "$work/s" | cut -d , -f 2,3)" \
"ada,physics
bob,physics
eve,unknown"
is "standard input" "$(fathom replay - -nP <"$week")" "$(fathom replay "$week" -nP)"
finish
