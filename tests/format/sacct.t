#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The output of sacct gives the usage of associations, and jobs.
. "${srcdir:=.}/tests/cli/lib.sh"
xdmod=$data/slurm/xdmod
export TZ=UTC

# usage FILE [OPTION...]: "account user usage" for each user
usage ()
{
	usage_file=$1
	shift
	fathom shares --from "$usage_file" "$@" --set half_life=0 -U -n -P \
		-o Account,User,RawUsage | sort | tr '|' ' '
}

# jobs FILE: the lines of its jobs in fathom's JSON
jobs ()
{
	fathom convert --from "$1" --to fathom-jobs 2>"$work/err" |
		sed -n 's/^  {"job_id"/{"job_id"/p'
}

### a whole cluster, against a sum by other means

# sums HALF_LIFE: "account user usage" of the 26 columns, by awk
sums ()
{
	awk -F '|' -v half_life="$1" '
		# days since 1970 of a date of the Gregorian calendar
		function days(y, m, d) {
			if (m < 3) { y--; m += 12 }
			d += int(y / 4) - int(y / 100) + int(y / 400) + int((153 * m - 457) / 5)
			return 365 * y + d - 719469
		}
		function seconds(text,  p) {
			split(text, p, /[-T:]/)
			return days(p[1], p[2], p[3]) * 86400 + p[4] * 3600 + p[5] * 60 + p[6]
		}
		{
			match($23, /billing=[0-9]+/)
			rate = substr($23, RSTART + 8, RLENGTH - 8)
			count = split($15, part, /[-:]/)
			elapsed = count < 4 ? 0 : part[1] * 86400
			elapsed += part[count - 2] * 3600 + part[count - 1] * 60 + part[count]
			line[NR] = $6 " " $9
			charge[NR] = rate * elapsed
			if (half_life) {
				rates[NR] = rate
				end[NR] = seconds($14)
				ran[NR] = elapsed
				last = end[NR] > last ? end[NR] : last
			}
		}
		END {
			k = half_life ? log(2) / half_life : 0
			for (i = 1; i <= NR; i++) {
				if (half_life)
					charge[i] = rates[i] / k * exp(-k * (last - end[i])) *\
						(1 - exp(-k * ran[i]))
				sum[line[i]] += charge[i]
			}
			for (name in sum)
				printf "%s %d\n", name, int(sum[name])
		}' | sort
}

if command -v xz >/dev/null; then
	xz -dc "$xdmod/phillips.log.xz" >"$work/phillips"
	is "usage of a cluster is the sum of its jobs" "$(usage "$xdmod/phillips.log.xz")" \
		"$(sums 0 <"$work/phillips")"
	for half_life in 604800 3600; do
		is "usage decays with a half-life of $half_life s" \
			"$(fathom shares --from "$work/phillips" --set half_life=$half_life \
				-U -n -P -o Account,User,RawUsage | sort | tr '|' ' ')" \
			"$(sums $half_life <"$work/phillips")"
	done
	fathom convert --from "$work/phillips" --to fathom >"$work/forward" 2>/dev/null
	awk '{ line[NR] = $0 } END { for (i = NR; i; i--) print line[i] }' "$work/phillips" \
		>"$work/reversed"
	fathom shares --from "$work/phillips" -U -n -P -o User,RawUsage,FairShare | sort >"$work/a"
	fathom shares --from "$work/reversed" -U -n -P -o User,RawUsage,FairShare | sort >"$work/b"
	ok "the order of jobs does not matter" diff "$work/a" "$work/b"
	like "the tree is as of the latest end" "$(head -n 1 "$work/forward")" \
		'*"time": 1483314905,'
else
	skip "usage of a cluster" "xz is not installed"
fi
gzip -c "$work/phillips" >"$work/phillips.gz"
is "compressed by gzip" "$(usage "$work/phillips.gz")" "$(usage "$xdmod/phillips.log.xz")"
{ head -n 5 "$work/phillips" | gzip -c; tail -n +6 "$work/phillips" | gzip -c; } >"$work/two.gz"
is "compressed in two pieces" "$(usage "$work/two.gz")" "$(usage "$xdmod/phillips.log.xz")"
is "compressed by zstd, in two pieces" \
	"$(fathom shares --from "$srcdir/tests/data/demo.sshare.zst" --policy classic -P)" \
	"$(fathom shares --from "$srcdir/tests/data/demo.sshare" --policy classic -P)"
head -c 200 "$srcdir/tests/data/demo.sshare.zst" >"$work/cut.zst"
rejects "a cut file of zstd" \
	"fathom: $work/cut.zst: is damaged, or cut: zstd cannot decompress it" \
	shares --from "$work/cut.zst"
head -c 20000 "$work/phillips.gz" >"$work/cut.gz"
rejects "a cut file" "fathom: $work/cut.gz: is damaged, or cut: gzip cannot decompress it" \
	shares --from "$work/cut.gz"
head -c 20000 "$xdmod/phillips.log.xz" >"$work/cut.xz"
rejects "a cut file of xz" "fathom: $work/cut.xz: is damaged, or cut: xz cannot decompress it" \
	convert --from "$work/cut.xz" --to fathom

### samples of Open XDMoD

is "job arrays" "$(usage "$xdmod/accounting-logs-with-job-arrays.txt")" "anon unknown 398131200"
is "UTF-8 in a job's name" "$(usage "$xdmod/utf8-multibyte-chars.txt")" "anon unknown 2073600"
is "a job that runs" "$(usage "$xdmod/non-ended-job-state.txt")" "chaff noror 973704
taifl honbu 0"
like "until now, which is its start and the time that it ran" \
	"$(fathom convert --from "$xdmod/non-ended-job-state.txt" --to fathom 2>/dev/null)" \
	'*"time": 1593626190,*'
is "states that are not known" \
	"$(fathom convert --from "$xdmod/unknown-job-state.txt" --to fathom 2>&1 >/dev/null |
		head -n 1)" \
	"fathom: $xdmod/unknown-job-state.txt: state 'FOO' is unknown; 2 jobs of unknown states \
count as ended"

### columns, delimiters, values

plain=$data/slurm/plain.sacct
wanted="physics ada 240
physics bob 132711936
root ada 1800"
is "columns in any order, steps, bars in a name" "$(usage "$plain")" "$wanted"
for delimiter in ';' '☃' '	' '^,^' ':-'; do
	sed "s/a|b|c/abc/; s/|/$delimiter/g" "$plain" >"$work/other"
	case $delimiter in :-) sed -i 's/:-/%%/g' "$work/other" ;; esac
	is "delimiter $delimiter" "$(usage "$work/other" --format sacct)" "$wanted"
done
sed 's/$/|/' "$plain" >"$work/other"
is "sacct --parsable, bars in a name" "$(usage "$work/other")" "$wanted"
sed 's/$/ 	/' "$plain" >"$work/other"
is "blanks at line ends" "$(usage "$work/other")" "$wanted"
sed 's/$/| /' "$plain" >"$work/other"
is "blanks behind the last delimiter" "$(usage "$work/other")" "$wanted"
printf '%s\n' 'JobID|Start|ElapsedRaw|NCPUS|JobName|User|Account|Reservation' \
	'7|1000000000|60|1|a|b|ada|physics|' >"$work/other"
is "a bar in a name, the last column empty" "$(usage "$work/other")" "physics ada 60"
bars=$(printf '%090d' 0 | tr 0 '|')
printf '%s\n' "JobID|Start|ElapsedRaw|NCPUS|User|Account${bars}Comment|JobName" \
	"7|1000000000|60|1|ada|physics$bars|a|b" >"$work/other"
is "a bar in a name behind many columns" "$(usage "$work/other")" "physics ada 60"
sed 's/JobName/Comment/' "$plain" >"$work/other"
is "bars in a comment" "$(usage "$work/other")" "$wanted"
for column in WorkDir Licenses; do
	printf '%s\n' "JobID|Start|ElapsedRaw|NCPUS|JobName|User|Account|$column" \
		'7|1000000000|60|1|a|ada|physics|b|c' >"$work/other"
	rejects "bars, behind which columns are read, in JobName or $column" "fathom: \
$work/other:2: 9 fields, must be 8 as in the first line; several columns, such as JobName and \
Comment, may have '|' in them: give those last, or leave them out" shares --from "$work/other"
done
time=2001-09-09T01:46:40
printf '%s\n' 'JobID|Comment|Account|AllocTRES|Start|JobName|User|ElapsedRaw|Submit|SubmitLine' \
	"7|a|b|physics|cpu=1|$time|c|ada|60|$time|d" \
	"8|a|physics|cpu=1|$time|b|c|ada|60|$time|d" \
	"9|a|physics|cpu=1|$time|b|ada|60|$time|c|d" >"$work/other"
is "times and TRES tell which text has bars" "$(usage "$work/other")" "physics ada 180"

# all TEXT COLUMN...: the job of all.sacct, of sacct -o ALL, with a text behind those of columns
all ()
{
	all_text=$1
	shift
	awk -F '|' -v OFS='|' -v text="$all_text" -v names="$*" '
		NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i }
		NR > 1 { count = split(names, name, " ")
			for (i = 1; i <= count; i++) $at[name[i]] = $at[name[i]] text }
		{ print }' "$data/slurm/all.sacct" >"$work/other"
}
for column in AdminComment Comment Constraints Container Extra JobName Licenses StdErr StdIn \
	StdOut SubmitLine SystemComment WorkDir "JobName SubmitLine" "Comment JobName WorkDir"; do
	for text in '| sort' ' a | b | c' '|||||||||||'; do
		all "$text" $column
		is "a bar in $column of all columns: $text" "$(usage "$work/other")" \
			"phy ada 14400"
	done
	all "${newline}a|b${newline}12 c | 1${newline}${newline}d$newline" $column
	{ cat "$work/other"; tail -n +2 "$data/slurm/all.sacct"; } >"$work/lines"
	case $column in *WorkDir) continue ;; esac	# the last column: see below
	is "line ends and bars in $column" "$(usage "$work/lines")" "phy ada 28800"
done
# columns of which not each program that writes such files has the form
columns='Eligible|NNodes|NCPUS|State|Timelimit'
for fields in "||4|COMPLETED|1:00" "$time|2|4|completed|1:00" "$time|2|4|COMPLETED|INVALID" \
	"$time|2|4|CANCELLED by root|INVALID" "||4||"; do
	printf '%s\n' "JobID|User|JobName|Comment|Start|ElapsedRaw|$columns" \
		"7|ada|a|b|c|$time|60|$fields" >"$work/other"
	is "bars beside other forms: $fields" "$(usage "$work/other")" "root ada 240"
done
printf '%s\n' 'JobID|JobName|User|Start|ElapsedRaw|NCPUS|' '7|' 'a' '' 'b|c|ada|1000000000|60|1|' \
	'8||bob|1000000000|60|1|' >"$work/other"
is "sacct --parsable, a line end at the beginning of a name" "$(usage "$work/other")" \
	"root ada 60
root bob 60"
printf '%s\n' 'JobID|User|Start|ElapsedRaw|NCPUS|JobName|' '7|ada|1000000000|60|1|' 'a|' \
	'8|bob|1000000000|60|1|b|' >"$work/other"
is "sacct --parsable, the name last" "$(usage "$work/other")" \
	"root ada 60
root bob 60"
printf '%s\n' 'JobID|User|Start|ElapsedRaw|NCPUS|JobName|SubmitLine' \
	'7|ada|1000000000|60|1|a' 'b|sbatch --wrap=for i in x' 'do y | z' '' '3 5' 'done' \
	'8|bob|1000000000|60|1|c|d' >"$work/other"
is "line ends in the last column" \
	"$(fathom shares --from "$work/other" --set half_life=0 -UnP -o User,RawUsage 2>&1)" \
	"fathom: $work/other: 3 lines from line 4 on read as text of the job before
ada|60
bob|60"
printf '%s\n' 'JobID|JobName|User|Start|ElapsedRaw|NCPUS' '7|a' 'b|ada|1000000000|60|x' \
	'8|c|bob|1000000000|60|1' >"$work/other"
rejects "a job with line ends is named by its first line" \
	"fathom: $work/other:2: NCPUS is 'x', must be a count such as 64 or 1.50K" \
	shares --from "$work/other"
sed -i '3d' "$work/other"
cut="as in the first line; if line ends in a text such as JobName or SubmitLine divide the job, \
leave out that column"
rejects "a cut line before another job" "fathom: $work/other:2: 2 fields, must be 6 $cut" \
	shares --from "$work/other"
sed -i '3s/.*/b/' "$work/other"
rejects "a line that is cut at the end of the file" \
	"fathom: $work/other:2: 2 fields, must be 6 $cut" shares --from "$work/other"
{ head -n 2 "$work/other"; yes x | head -c 3000000; } >"$work/long"
rejects "a text without an end" "fathom: $work/long:2: 2 fields, must be 6 $cut" \
	shares --from "$work/long"
sed 's/$/\r/' "$plain" >"$work/other"
is "line ends of Windows" "$(usage "$work/other")" "$wanted"
{ head -n 3 "$plain"; sed '2,3d' "$plain"; head -n 1 "$plain"; } >"$work/other"
is "outputs one after the other, each with the header" "$(usage "$work/other")" "$wanted"
sed '2s/.*/AllocTRES|JobName|State|User|Account|JobID|Start|End|Elapsed/' "$plain" >"$work/other"
rejects "a header of other columns" \
	"fathom: $work/other:2: JobID is 'JobID', must be a job's number" \
	shares --from "$work/other"
printf 'JobID|User|Start|ElapsedRaw|NNodes\n7|ada|1000000000|60|2K\n8|bob|1000000000|5|3' \
	>"$work/other"
is "nodes, without CPUs and accounts, and seconds since 1970" "$(usage "$work/other")" \
	"root ada 122880
root bob 15"

printf '%s\n' 'JobID|User|Account|State|Start|End|Elapsed|AllocTRES' \
	'1|ada|physics|COMPLETED|1000|1010|00:00:10|' '2|bob|physics|RUNING|1000|1010|00:00:10|' \
	'3|ada|physics|COMPLETED|1000|1010|00:00:10|billing=0,cpu=4' \
	'4|ada|physics|COMPLETED|1000|1010|00:00:10|billing=7' \
	'5|ada|physics|PENDING|Unknown|Unknown|00:00:00|' >"$work/other"
is "jobs without a size are counted" "$(fathom shares --from "$work/other" \
	--set half_life=0 -U -n -P -o Account,User,RawUsage 2>&1 | sed "s|$work/||")" \
	"fathom: other: state 'RUNING' is unknown; 1 job of unknown states count as ended; 2 jobs \
ran without CPUs, nodes or billing TRES, and cannot be charged
physics|ada|70
physics|bob|0"
is "fathom prio tells of them, too" "$(fathom prio --from "$work/other" 2>&1 >/dev/null |
	grep -c '2 jobs ran without CPUs')" 1
cut -d '|' -f -7 "$work/other" | sed '2,5d' >"$work/pending"
is "jobs that wait need no size" "$(fathom prio --from "$work/pending" -nP -o JobID)" 5

# 2^64 - 2 stands for a TRES that is not set
printf '%s\n' 'JobID|User|Account|State|Start|End|Elapsed|AllocTRES|ReqTRES' \
	'1|ada|physics|COMPLETED|1000|1010|00:00:10|billing=3,cpu=4,energy=18446744073709551614|' \
	'2|bob|physics|COMPLETED|1000|1010|00:00:10|billing=18446744073709551614,cpu=2|' \
	'3|bob|physics|PENDING|Unknown|Unknown|00:00:00||cpu=4,energy=18446744073709551614,node=1' \
	>"$work/unset"
is "a TRES that is not set" "$(usage "$work/unset")" \
	"physics ada 30
physics bob 20"
is "in fathom's JSON" "$(fathom convert --from "$work/unset" --to fathom-jobs 2>/dev/null |
	sed -n 's/.*"tres": {\([^}]*\)}.*/\1/p' | paste -sd ';' -)" \
	'"billing": 3, "cpu": 4;"cpu": 2;"cpu": 4, "node": 1'

# where billing is 0, Slurm leaves it out
printf '%s\n' 'JobID|User|Account|State|Start|End|Elapsed|AllocTRES' \
	'1|ada|physics|COMPLETED|1000|4600|01:00:00|cpu=4,mem=1G' \
	'2|ada|physics|COMPLETED|1000|4600|01:00:00|billing=8,cpu=4,mem=1G' \
	'3|bob|physics|COMPLETED|1000|6400|01:30:00|cpu=64,mem=1G' \
	'4|bob|physics|COMPLETED|1000|4600|01:00:00|billing=0,cpu=64' \
	'5|bob|physics|FAILED|1000|1000|00:00:00|cpu=64' >"$work/free"
behind="CPU hours, charged by CPUs; others have it, and Slurm leaves out a billing of 0"
is "jobs without billing beside others are counted" \
	"$(fathom shares --from "$work/free" --set half_life=0 -UnP -o User,RawUsage 2>&1)" \
	"fathom: $work/free: billing is missing of 2 jobs, 100.0 $behind
ada|43200
bob|345600"
sed -i '/billing=/d' "$work/free"
is "unless no job has billing" \
	"$(fathom shares --from "$work/free" --set half_life=0 -UnP -o User,RawUsage 2>&1)" \
	"ada|14400
bob|345600"
cat >"$work/free" <<'END'
{"jobs": [{"job_id": 1, "user": "ada", "account": "phy", "allocation_nodes": 1,
  "state": {"current": ["COMPLETED"]}, "time": {"start": 1000, "end": 4600, "elapsed": 3600},
  "tres": {"allocated": [{"type": "cpu", "count": 4}, {"type": "billing", "count": 4}]}},
 {"job_id": 2, "user": "bob", "account": "phy", "allocation_nodes": 1,
  "state": {"current": ["COMPLETED"]}, "time": {"start": 1000, "end": 4600, "elapsed": 3600},
  "tres": {"allocated": [{"type": "cpu", "count": 64}]}}]}
END
is "in JSON, too" "$(fathom shares --from "$work/free" --set half_life=0 -UnP \
	-o User,RawUsage 2>&1)" \
	"fathom: $work/free: billing is missing of 1 job, 64.0 $behind
ada|14400
bob|230400"

pending=$data/slurm/pending.sacct
is "jobs" "$(jobs "$pending")" "$(cat "$data/output/sacct-jobs.json")"
is "fathom prio shows those that wait" \
	"$(fathom prio --from "$pending" --set PriorityWeightAge=1000 --noheader -P \
		-o JobID,User,Partition,Age)" \
	"9|ada|gpu|7
9|ada|cpu|7"
# tasks IDS: array_tasks of the pending array 9_[IDS]
tasks ()
{
	printf '%s\n' 'JobID|User|Start|Elapsed|NCPUS|State' \
		"9_[$1]|ada|Unknown|00:00:00|1|PENDING" >"$work/tasks"
	jobs "$work/tasks" | sed 's/.*"array_tasks": \([0-9]*\).*/\1/'
}
is "tasks at equal distances" "$(tasks 1-16:3) $(tasks 0-20:4%2)" "6 6"
is "a list of tasks that sacct has cut counts those that are left, and the cut one" \
	"$(tasks 1,3-4,1...) $(tasks '1,3,...') $(tasks 1,3-4,6-...%5)" "4 3 4"
is "the fair share of their users comes from the same file" \
	"$(fathom prio --from "$pending" --state all --policy classic \
		--set PriorityWeightFairshare=1000 -P --noheader -o JobID,User,FairShare |
		sort -u)" \
	"11|bob|1000
12|ada|250
9|ada|250"

### lines and parts of the file

# the first 65535 bytes are loaded at once; here they end before the end of a line
{
	head='JobID|User|Start|End|NCPUS|JobName
1|ada|1000|1010|1|'
	printf '%s' "$head"
	head -c $((65535 - ${#head})) /dev/zero | tr '\0' x
	printf '\n2|bob|1000|1010|1|x\n'
} >"$work/parts"
is "a line that ends where a part of the file ends" "$(usage "$work/parts")" "root ada 10
root bob 10"
head -c 34000000 /dev/zero | tr '\0' x >>"$work/parts"
rejects "a line that is too long" "fathom: $work/parts:4: a line of more than 16777216 bytes" \
	shares --from "$work/parts"

### with a tree

cat >"$work/tree" <<'END'
Cluster - c
Account - physics:FairShare=3
Account - maths:FairShare=1
Parent - physics
User - ada:FairShare=1
END
fathom convert --from "$work/tree" --from "$plain" --set half_life=0 --to sshare \
	>"$work/out" 2>"$work/err"
is "usage completes a tree" "$(cat "$work/out")" "Account|User|RawShares|RawUsage
root|||132713976
 physics||3|132712176
  physics|ada|1|240
 maths||1|0"
is "usage of others goes to their account or the root" "$(grep usage "$work/err")" \
	"fathom: $plain: usage of 2 associations that the tree does not have, given to the \
account or the root"
rejects "both have usage" "fathom: --from: $data/demo.sshare and $plain both have usage, \
only one may" convert --from "$data/demo.sshare" --from "$plain" --to fathom
rejects "jobs twice" "fathom: $pending: only one file may have jobs; $plain already does" convert \
--from "$plain" --from "$pending" --to fathom

cat >"$work/partitions.json" <<'END'
{"format": "fathom-tree", "version": 1, "nodes": [
 {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
 {"id": 2, "parent": 1, "name": "a", "kind": "account", "shares": 1, "usage": 0},
 {"id": 3, "parent": 2, "name": "ada", "kind": "user", "shares": 1, "usage": 0},
 {"id": 4, "parent": 2, "name": "ada", "partition": "gpu", "kind": "user", "shares": 9, "usage": 0},
 {"id": 5, "parent": 2, "name": "bob", "partition": "gpu", "kind": "user", "shares": 1, "usage": 0},
 {"id": 6, "parent": 2, "name": "bob", "partition": "cpu", "kind": "user", "shares": 1,
  "usage": 0}]}
END
cat >"$work/in-partitions" <<'END'
JobID|User|Account|Partition|Submit|Start|Elapsed|NCPUS
1|ada|a|gpu|2023-05-09T12:00:00|2023-05-09T12:00:00|00:00:01|1
2|ada|a|cpu|2023-05-09T12:00:00|2023-05-09T12:00:00|00:00:01|2
3|ada|a|debug|2023-05-09T12:00:00|2023-05-09T12:00:00|00:00:01|4
4|bob|a|gpu|2023-05-09T12:00:00|2023-05-09T12:00:00|00:00:01|8
5|bob|a|cpu|2023-05-09T12:00:00|2023-05-09T12:00:00|00:00:01|16
6|bob|a|debug|2023-05-09T12:00:00|2023-05-09T12:00:00|00:00:01|32
END
is "usage goes to the association for the partition, else for all, else to the account" \
	"$(fathom shares --from "$work/partitions.json" --from "$work/in-partitions" \
		--set half_life=0 -a -n -P -o Account,User,Partition,RawUsage)" \
	"root|||63
 a|||63
  a|ada||6
  a|ada|gpu|1
  a|bob|gpu|8
  a|bob|cpu|16"
long=$(printf '%2000s' "" | tr ' ' p)
for file in partitions.json in-partitions; do
	sed "s/gpu/$long/" "$work/$file" >"$work/long-$file"
done
is "a partition with a name of 2,000 bytes is as one without associations" \
	"$(fathom shares --from "$work/long-partitions.json" --from "$work/long-in-partitions" \
		--set half_life=0 -a -n -P -o User,RawUsage | paste -sd ' ' -)" \
	"|63 |63 ada|7 ada|0 bob|0 bob|16"
is "without a tree, partitions do not matter" "$(usage "$work/in-partitions")" "a ada 7
a bob 56"
is "a replay finds these associations, too" \
	"$(fathom replay "$work/in-partitions" --from "$work/partitions.json" --cpus 64 \
		--policy classic 2>&1 >/dev/null |
		grep -o 'left out.*')" "left out: 1 job of users and accounts that \
the tree does not have (--from)"

is "fathom lint reads jobs that wait" "$(fathom lint --slurm-conf "$data/slurm/hpc-toolset.conf" \
	--from "$pending" --json 2>&1 | head -c 25)" '{"format": "fathom-lint",'

### half_life

like "half_life of a tree" "$(fathom shares --from "$data/demo.sshare" --set half_life=7d 2>&1)" \
	"fathom: --set: half_life: usage in a tree has already decayed; *"
like "half_life of jobs in fathom's JSON" \
	"$(fathom prio --from "$data/jobs/demo.json" --set half_life=7d 2>&1)" \
	"fathom: --set: half_life: usage in a tree has already decayed; *"
like "a wrong half_life" "$(fathom shares --from "$plain" --set HalfLife=x 2>&1)" \
	"fathom: --set: HalfLife: *"
rejects "another setting of fathom convert" "fathom: --set: 'k=1': must be half_life=DURATION" \
	convert --from "$plain" --set k=1 --to fathom

for format in swf sacctmgr fathom-jobs; do
	rejects "a format without usage that is added up, $format" "fathom: --set: half_life: \
--to=$format writes no usage that is added up from jobs" \
		convert --from "$plain" --set half_life=3d --to "$format"
done

### the clock of summer

cat >"$work/summer" <<'END'
JobID|User|Start|End
1|ada|2023-03-25T12:00:00|2023-03-26T12:00:00
2|bob|2023-10-28T12:00:00|2023-10-29T12:00:00
END
sed -i 's/End$/End|NCPUS/; s/00$/00|1/' "$work/summer"
is "days of 23 and 25 hours" "$(TZ=Europe/Berlin usage "$work/summer")" "root ada 82800
root bob 90000"
finish
