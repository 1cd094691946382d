#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom status: shows a MetricsFile; one line tells what is wrong in it.
. "${srcdir:=.}/tests/cli/lib.sh"

export TZ=UTC
now=$(date +%s)
# metrics PASS: a file whose last pass was at that time
metrics ()
{
	cat <<END
# HELP fathom_build_info Version of fathom and of Slurm.
# TYPE fathom_build_info gauge
fathom_build_info{cluster="hpc",slurm="24.11.5",version="0.1.0"} 1
# HELP fathom_policy_info Policies that are computed.
# TYPE fathom_policy_info gauge
fathom_policy_info{role="in_force",policy="lsf"} 1
fathom_policy_info{role="scope",scope="fast",policy="classic"} 1
fathom_setting_info{role="in_force",setting="hist_hours",value="7"} 1
fathom_half_life_seconds 604800
fathom_calc_period_seconds 300
fathom_passes_total 12
fathom_pass_timestamp_seconds $1
fathom_state_timestamp_seconds 0
fathom_pass_cpu_seconds_total 1.5
fathom_last_pass_cpu_seconds 0.25
fathom_lock_hold_seconds{lock="job",mode="write"} 0.0009765625
fathom_state_jobs{state="pending"} 3
fathom_partition_jobs{partition="gpu",scope="fast",state="pending"} 3
fathom_global_timestamp_seconds{cluster="tux"} 3600
fathom_global_stale{cluster="tux"} 1
fathom_global_usage_seconds{cluster="tux"} 150
fathom_account_usage_seconds{account="physics",path="root/physics"} 1.25e+20
fathom_user_rank{account="physics",path="root/physics",user="o\\"b \\\\ n\\nl"} 1
later_release_ratio{of="a"} +Inf
# EOF
END
}
metrics "$now" >"$work/m"

is "what is shown" \
	"$(fathom status --from "$work/m" -P | sed 's/[0-9]* s ago$/N s ago/')" \
	"Figure|Of|Value
Build|hpc 24.11.5|0.1.0
Policy|in_force|lsf
Policy|scope fast|classic
Half life||604800 s
Calc period||300 s
Passes||12
Pass time||$(date -u -d "@$now" '+%Y-%m-%d %H:%M:%S'), N s ago
State time||1970-01-01 00:00:00, N s ago
Pass cpu||1.5 s
Last pass cpu||250 ms
Lock hold|job write|0.977 ms
State jobs|pending|3
Partition jobs|gpu fast pending|3
Global time|tux|1970-01-01 01:00:00, N s ago
Global stale|tux|1
Global usage|tux|150 s
Later release|a|inf"
is "a name that is a unit alone" \
	"$(printf '# HELP fathom_\n_seconds 5\n' | fathom status --from - -nP)" "||5 s"
is "settings, accounts and users with --all" \
	"$(fathom status --from "$work/m" -P --all | grep -E '^(Setting|Account|User)')" \
	"Setting|in_force hist_hours|7
Account usage|physics|1.25e+20 s
User rank|physics o\"b \\ n?l|1"
is "without a header" "$(fathom status --from - -n -P <"$work/m" | head -n 1)" \
	"Build|hpc 24.11.5|0.1.0"
is "in 80 columns" "$(fathom status --from "$work/m" --all | awk 'length > 80')" ""
is "nothing is said of a file that is new" "$(fathom status --from "$work/m" 2>&1 >/dev/null)" ""
metrics $((now - 700)) >"$work/old"
like "that one is old" "$(fathom status --from "$work/old" 2>&1 >/dev/null)" \
	"fathom: $work/old: written 70? s ago; no pass has written it since"
is "JSON has what matters by name" \
	"$(fathom status --from "$work/m" --json | sed '/"metrics"/,$d')" \
	"{\"format\": \"fathom-status\", \"version\": 1,
 \"policy\": \"lsf\", \"settings\": {\"hist_hours\": \"7\"},
 \"pass\": {\"time\": $now, \"time_iso\": \"$(date -u -d "@$now" +%FT%TZ)\", \
\"cpu_seconds\": 0.25, \"wall_seconds\": null,
  \"longest\": {\"job_write\": 0.0009765625, \"job_read\": null, \"assoc_write\": null, \
\"assoc_read\": null},
  \"associations\": null, \"pending\": 3, \"running\": null},
 \"state\": {\"time\": 0, \"time_iso\": \"1970-01-01T00:00:00Z\", \"errors\": null},"
is "JSON has all" "$(fathom status --from "$work/m" --json | grep -c '{"name"')" \
	"$(grep -vc '^#' "$work/m")"
is "with labels" "$(fathom status --from "$work/m" --json | grep -F '"fathom_user_rank"')" \
	'  {"name": "fathom_user_rank", "labels": {"account": "physics", "path": "root/physics",'\
' "user": "o\"b \\ n\u000al"}, "value": 1},'
metrics 1e30 | sed 's/^\(fathom_state_timestamp_seconds\) .*/\1 +Inf/' >"$work/m"
is "a time that no calendar has is a number" \
	"$(fathom status --from "$work/m" -P 2>&1 | grep '^[PS].* time|')" \
	"Pass time||1e+30, -1e+30 s ago
State time||inf, -inf s ago"
like "null as a text" "$(fathom status --from "$work/m" --json | sed -n 3p)" \
	' "pass": {"time": 1e+30, "time_iso": null, *'

### What is wrong

# wrong TEXT LINE MESSAGE: the line is the second one
wrong ()
{
	printf '# HELP fathom_jobs Jobs.\n%s\n' "$2" >"$work/wrong"
	rejects "$1" "fathom: $work/wrong:2: $3, must be NAME{LABEL=\"VALUE\",...} NUMBER" \
		status --from "$work/wrong"
}

wrong "no name" '{a="b"} 1' "a name is missing"
wrong "a name of a label" 'a{="b"} 1' "a name is missing"
wrong "no value of a label" 'a{b} 1' "a label has no value"
wrong "an open quote" 'a{b="c} 1' "the quote behind a value is missing"
wrong "an open brace" 'a{b="c"' "a name is missing"
wrong "nine labels" 'a{a="",b="",c="",d="",e="",f="",g="",h="",i=""} 1' "has too many labels"
wrong "no blank" 'a{b="c"}1' "has no blank before its number"
wrong "no number" 'a b' "has no number"
wrong "two numbers" 'a 1 2' "has no number"
echo '# HELP node_load1 of another program' >"$work/other"
rejects "another program's file" "fathom: $work/other: is no MetricsFile of fathom, must begin \
with '# HELP fathom_'" status --from "$work/other"
: >"$work/empty"
rejects "an empty file" "fathom: $work/empty: is no MetricsFile of fathom, must begin with \
'# HELP fathom_'" status --from "$work/empty"
rejects "a file that is not there" "fathom: $work/none: No such file or directory" \
	status --from "$work/none"
rejects "an operand" "fathom: x: not expected; see fathom status --help" status x
rejects "an unknown option" "fathom: --frm: unknown option; did you mean --from?" \
	status --frm="$work/m"
like "--help" "$(fathom status --help | head -n 1)" "Usage: fathom status *"
finish
