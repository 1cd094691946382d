#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom replay with settings of a site that decide on priorities: resets, formulas, factors.
. "${srcdir:=.}/tests/cli/lib.sh"

# starts OPTION...: "JOB@START" of each job that starts
starts ()
{
	fathom replay "$work/jobs" --schedule "$work/schedule" "$@" >/dev/null 2>"$work/remarks" ||
		cat "$work/remarks"
	sed 1d "$work/schedule" | awk -F, '{ print $1 "@" $6 }' | paste -sd ' ' -
}
# in_zone TZ OPTION...: the same in another time zone
in_zone ()
(
	export TZ="$1"
	shift
	starts "$@"
)

### resets

# ada has used the machine on 31 August, bob has not; at midnight all usage becomes 0
cat >"$work/jobs" <<'END'
JobID|User|Account|State|Submit|Start|End|Elapsed|NCPUS|Timelimit
1|ada|a|COMPLETED|2026-08-31T23:30:00|Unknown|Unknown|00:20:00|2|1:00:00
2|eve|e|COMPLETED|2026-08-31T23:40:00|Unknown|Unknown|00:20:00|2|1:00:00
3|ada|a|COMPLETED|2026-08-31T23:50:00|Unknown|Unknown|00:05:00|2|1:00:00
4|bob|b|COMPLETED|2026-08-31T23:51:00|Unknown|Unknown|00:05:00|2|1:00:00
END
echo "PriorityUsageResetPeriod=MONTHLY" >"$work/slurm.conf"
reset=PriorityUsageResetPeriod
is "without resets who has used less goes first" \
	"$(starts --cpus 2)" "1@0 2@1200 4@2400 3@2700"
is "usage is reset at midnight" \
	"$(starts --cpus 2 --from "$work/slurm.conf"; cat "$work/remarks")" \
	"1@0 2@1200 3@2400 4@2700"
is "local midnight, as in the plugin" \
	"$(in_zone XXX0 --cpus 2 --set $reset=daily; in_zone XXX+3 --cpus 2 --set $reset=DAILY)" \
	"1@0 2@1200 3@2400 4@2700
1@0 2@1200 3@2400 4@2700"
is "2026-08-31 is no Sunday, and no day on which a quarter ends" \
	"$(for period in WEEKLY QUARTERLY YEARLY NOW NONE; do
		starts --cpus 2 --from "$work/slurm.conf" --set $reset=$period
	done | uniq -c | sed 's/^ *//')" "5 1@0 2@1200 4@2400 3@2700"
is "periods side by side" \
	"$(fathom replay "$work/jobs" --cpus 2 --schedule "$work/schedule" -P \
		--set $reset=DAILY --set $reset=NONE | cut -d '|' -f 1
		sed 1d "$work/schedule" | cut -d , -f 1,8 | paste -sd ' ' -)" \
	"Policy
fair-tree $reset=DAILY
fair-tree $reset=NONE
1,fair-tree $reset=DAILY 2,fair-tree $reset=DAILY 3,fair-tree $reset=DAILY \
4,fair-tree $reset=DAILY 1,fair-tree $reset=NONE 2,fair-tree $reset=NONE \
4,fair-tree $reset=NONE 3,fair-tree $reset=NONE"
rejects "an unknown period" "fathom: --set: $reset: 'HOURLY' must be NONE, NOW, DAILY, WEEKLY, \
MONTHLY, QUARTERLY or YEARLY; see fathom replay --help" \
	replay "$work/jobs" --cpus 2 --set $reset=HOURLY
echo "$reset=HOURLY" >"$work/wrong.conf"
rejects "the same in slurm.conf" "fathom: $work/wrong.conf:1: $reset: 'HOURLY' must be NONE, NOW, \
DAILY, WEEKLY, MONTHLY, QUARTERLY or YEARLY" \
	replay "$work/jobs" --cpus 2 --from "$work/wrong.conf"

# swf START: the same jobs, from so many seconds before midnight, UTC
swf ()
{
	echo "; UnixStartTime: $1"
	cat <<'END'
1    0 -1 1200 2 -1 -1 2 3600 -1 1 1 1 -1 -1 -1 -1 -1
2  600 -1 1200 2 -1 -1 2 3600 -1 1 2 2 -1 -1 -1 -1 -1
3 1200 -1  300 2 -1 -1 2 3600 -1 1 1 1 -1 -1 -1 -1 -1
4 1260 -1  300 2 -1 -1 2 3600 -1 1 3 3 -1 -1 -1 -1 -1
END
}
swf $((1788220800 - 1800)) >"$work/jobs"	# 2026-09-01
is "SWF: UnixStartTime tells the day" \
	"$(in_zone UTC0 --cpus 2 --set $reset=MONTHLY; cat "$work/remarks"
		in_zone XXX+3 --cpus 2 --set $reset=MONTHLY)" \
	"1@0 2@1200 3@2400 4@2700
1@0 2@1200 4@2400 3@2700"
swf -1 >"$work/jobs"
is "else days begin at multiples of 86400 s, and a line says so" \
	"$(in_zone XXX+3 --cpus 2 --set $reset=DAILY; cat "$work/remarks")" \
	"1@0 2@1200 4@2400 3@2700
fathom: $reset: the trace does not say when it begins (UnixStartTime); its second 0 counts as the \
beginning of 1970, UTC"
sed -i "$(printf 's/^\\([1-4]\\) *\\([0-9]*\\) /\\1 8\\2 /; s/ 80 / 84600 /; s/ 8600 / 85200 /; s/ 81200 / 85800 /; s/ 81260 / 85860 /')" "$work/jobs"
is "in any time zone" "$(in_zone XXX+3 --cpus 2 --set $reset=DAILY)" \
	"1@84600 2@85800 3@87000 4@87300"
rejects "--strict refuses that" "fathom: $reset: the trace does not say when it begins \
(UnixStartTime); --strict refuses this" replay "$work/jobs" --cpus 2 --set $reset=DAILY --strict
is "unless there are no resets of a day" \
	"$(fathom replay "$work/jobs" --cpus 2 --set $reset=NOW --strict -n | wc -l)" 1
finish
