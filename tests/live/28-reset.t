#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# PriorityUsageResetPeriod: a reset that is due happens once. The calendar itself is tested without
# a cluster.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

resets ()
{
	grep -c 'all usage is reset' "$cluster/log/slurmctld.log"
}

# start_with PERIOD SECOND [TZ]: a controller whose last reset was then
start_with ()
{
	controller_stop
	: >"$cluster/log/slurmctld.log"
	slurm_conf PriorityUsageResetPeriod="$1"
	stock_times "$(pass_time)" "$2"
	begun=$(date +%s)
	TZ=${3-UTC} controller_start
	pass_now
	slowness=$(($(date +%s) - begun + 1))
}

usage_start PriorityUsageResetPeriod=NONE PriorityDecayHalfLife=7-0 \
	"PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=60 \
TRESBillingWeights=CPU=1000000"
job=$(submit user1 --ntasks=60)
wait_for_job "$job" RUNNING
now=$(date +%s) day=86400

for period in DAILY=1 WEEKLY=7 MONTHLY=31 QUARTERLY=92 YEARLY=366; do
	start_with "${period%=*}" $((now - (${period#*=} + 1) * day))
	sleep 1 && pass_now
	is "${period%=*}: a reset that is due is done once" "$(resets)" 1
	ok "${period%=*}: what runs is charged from then on" test "$(usage_of user1)" \
		-le $((($(pass_time) - begun) * 60000000))
done
start_with YEARLY "$now"
is "none before it is due" "$(resets)" 0
start_with YEARLY $((now - 5 * 366 * day))
is "missed resets: after a long pause one is done, not several" "$(resets)" 1

# A time zone in which midnight is in a few seconds, and one whose clocks went back this morning; it
# is 23:30.
zone_where ()
{
	local offset=$(((now + 86400 - $1) % 86400))

	echo "XXX$((offset / 3600)):$((offset / 60 % 60)):$((offset % 60))"
}

it_is_midnight ()
{
	(($(date +%s) >= midnight))
}

# start_before_midnight: which is twice as far ahead each time that this comes too late
start_before_midnight ()
{
	((ahead *= 2))
	now=$(date +%s) midnight=$((now + ahead))
	start_with DAILY "$now" "$(zone_where $((86400 - ahead)))"
	before=$(resets)
	! it_is_midnight
}

ahead=$((2 * slowness))
until start_before_midnight; do :; done
is "before midnight" "$before" 0
wait_until it_is_midnight
pass_now
sleep 2 && pass_now
is "at midnight usage is reset once" "$(resets)" 1

now=$(date +%s)
zone=$(zone_where $((23 * 3600 + 1800)))
# days of the year from 0 on, in that zone: today and one of half a year ago
today=$((10#$(TZ=$zone date +%j) - 1)) spring=$(((today + 182) % 365))
start_with DAILY $((now - 23 * 3600)) "${zone}YYY,$spring/0,$today/3"
is "clocks go back: a day of 25 hours has no reset at 23:00" "$(resets)" 0

controller_stop
: >"$cluster/log/slurmctld.log"
slurm_conf PriorityUsageResetPeriod=NOW
controller_start && pass_now && pass_now
is "NOW: once at a start" "$(resets)" 1
reconfigure && pass_now && pass_now
is "NOW: and once at a reconfiguration" "$(resets)" 2
is "slurmctld logs no error" "$(controller_errors)" ""
