#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A site's own factor plugin: asked for each new job and once a pass, shown by sprio, and part of
# the priority.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

if [[ ! -f $FATHOM_BUILD/tests/live/.libs/site_factor_example.so ]]; then
	echo "Bail out! $FATHOM_BUILD has no example of a site factor plugin; make check TESTS= \
builds it"
	exit 1
fi

# The example takes the factor of a new job from its comment, and in a pass from its admin comment.
live_start PrioritySiteFactorPlugin=site_factor/example PriorityWeightAge=0 \
	PriorityWeightFairshare=0 \
	PriorityWeightPartition=2000 \
	"PartitionName=off Nodes=ALL State=DOWN PriorityJobFactor=1" \
	"PartitionName=top Nodes=ALL State=DOWN PriorityJobFactor=2"
calc_period 3600

# column_of JOB COLUMN: of each line that sprio shows, once the scheduler has seen the job
column_of ()
{
	wait_until shown "$1"
	sprio --noheader --jobs="$1" --format="$2" | sort -n | paste -sd ' ' | tr -s ' ' |
		sed 's/^ //'
}

shown ()
{
	[[ $(sprio --noheader --jobs="$1" --format=%i 2>/dev/null) ]]
}

plain=$(submit user1 --partition=off)
job=$(submit user1 --partition=off --comment=700)
both=$(submit user1 --partition=off,top --comment=-300)
is "a new job's priority has the site's factor at once" \
	"$(priority_of "$plain") $(priority_of "$job")" "1000 1700"
is "sprio shows it in its column" "$(column_of "$plain" %S) $(column_of "$job" %S)" "0 700"
is "a negative one lowers, in each of several partitions" \
	"$(column_of "$both" %S) $(column_of "$both" %Y)" "-300 -300 700 1700"

scontrol update JobId="$job" AdminComment=50
scontrol update JobId="$both" AdminComment=7
sleep 2
is "the plugin is not asked between two passes" "$(priority_of "$job") $(column_of "$job" %S)" \
	"1700 700"
pass_now
is "a pass asks it for every job" "$(column_of "$job" %S) $(column_of "$both" %S)" "50 7 7"
is "and publishes what follows" "$(priority_of "$job") $(column_of "$both" %Y)" "1050 1007 2007"
scontrol update JobId="$job" AdminComment=60
pass_now
is "so does the next one" "$(priority_of "$job")" 1060

# slurmctld keeps factors beside the jobs; site_factor/none leaves them alone
slurm_conf PrioritySiteFactorPlugin=site_factor/none
controller_restart && pass_now
scontrol update JobId="$job" AdminComment=90 Comment=90
pass_now
new=$(submit user1 --partition=off --comment=700)
is "site_factor/none changes no factor" "$(column_of "$job" %S) $(priority_of "$job")" "60 1060"
is "and gives a new job none" "$(column_of "$new" %S) $(priority_of "$new")" "0 1000"
scontrol update JobId="$new" SiteFactor=40
pass_now
is "the administrator may give it one" "$(column_of "$new" %S) $(priority_of "$new")" "40 1040"

slurm_conf PrioritySiteFactorPlugin=
controller_restart && pass_now
is "without a plugin it is the same" "$(priority_of "$job") $(priority_of "$new")" "1060 1040"

### A plugin that takes longer than the period between two passes

# pauses: seconds between the end of a pass and the next one's beginning, of the log
pauses ()
{
	awk -F '[]:T[]' '{ now = $3 * 3600 + $4 * 60 + $5 }
		/gathering running jobs took/ && end { print (now - end + 86400) % 86400; end = 0 }
		/saving took/ { end = now }' "$cluster/log/slurmctld.log"
}

slurm_conf PrioritySiteFactorPlugin=site_factor/example PrioritySiteFactorParameters=1500
fathom_conf CalcPeriod=1
controller_restart
scontrol setdebug debug2
two_pauses ()
{
	(($(pauses | wc -l) >= 2))
}
ok "long passes: at least two pauses are seen" wait_until two_pauses
is "long passes: 0.6 s lie between two" "$(pauses | awk '$1 < 0.58')" ""
ok "slurmctld ends with a pass under way" controller_stop
slurm_conf PrioritySiteFactorPlugin=
controller_start
cancel_all
# it remarks on a lock that is held at its end, where the site's plugin has just been asked
is "slurmctld logs no error" \
	"$(controller_errors | grep -vE 'Locks left set|Semaphores still set')" ""

: >"$cluster/log/slurmctld.log"
slurm_conf PrioritySiteFactorPlugin=site_factor/absent
controller_restart
ok "a plugin that is not there is logged" controller_said \
	'error: .*cannot start the site factor plugin'
job=$(submit user1 --partition=off --comment=700)
is "a new job has a priority without it" "$(priority_of "$job")" 1000
pass_now
ok "and passes go on" job_is "$job" PENDING
slurm_conf PrioritySiteFactorPlugin=
controller_restart
cancel_all
