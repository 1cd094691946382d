#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A restart or a crash of slurmctld loses no usage and charges nothing twice.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

exact=1e-6
live_start PriorityDecayHalfLife=1 \
	"PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=60 \
TRESBillingWeights=CPU=100000000"
calc_period 3600

long=$(submit user1 --ntasks=4)
wait_for_job "$long" RUNNING
sleep 2
controller_restart && pass_now
near "restarted" "$(usage_of user1)" "$(decayed 400000000 "$long" 60)" $exact
sleep 1 && pass_now && controller_kill
controller_start && pass_now
near "crash directly after a pass" "$(usage_of user1)" "$(decayed 400000000 "$long" 60)" $exact
sleep 2 && controller_kill
controller_start && pass_now
near "crash between two passes" "$(usage_of user1)" "$(decayed 400000000 "$long" 60)" $exact

ended=$(submit user2 --ntasks=2 --wrap 'sleep 2')
wait_for_job "$ended" COMPLETED
sleep 1 && controller_kill
controller_start && pass_now
near "a job that ended before the crash, after the last pass" "$(usage_of user2)" \
	"$(decayed 200000000 "$ended" 60)" $exact
down=$(submit user3 --ntasks=2 --wrap 'sleep 3')
wait_for_job "$down" RUNNING
controller_stop
sleep 4
controller_start && wait_for_job "$down" COMPLETED && pass_now
near "a job that ended while slurmctld was down" "$(usage_of user3)" \
	"$(decayed 200000000 "$down" 60)" $exact
down=$(submit user4 --ntasks=2 --wrap "$(until_go)")
wait_for_job "$down" RUNNING
sleep 1 && jobs_saved && pass_now && controller_kill
sleep 4
controller_start && touch "$cluster/go" && wait_for_job "$down" COMPLETED && pass_now
near "a job that ended after a crash" "$(usage_of user4)" "$(decayed 200000000 "$down" 60)" $exact

calc_period 1
sleep 2
controller_kill
sleep 4
controller_start && calc_period 3600
near "crash: several passes missed" "$(usage_of user1)" "$(decayed 400000000 "$long" 60)" $exact
near "those that are over decay on" "$(usage_of user2)" "$(decayed 200000000 "$ended" 60)" $exact

# a slurmctld that lost a job's end in the crash may take it for running until now, and would again
# if this end got
# lost: its records of jobs are saved when it stops
cancel_all && controller_restart
sacctmgr -iQ modify user user2 account=c set rawusage=0 >/dev/null
pass_now
is "usage set to 0" "$(usage_of user2)" 0
controller_kill && controller_start && pass_now
is "stays 0 after kill -9" "$(usage_of user2)" 0
ok "and no other is" has_usage user1
sacctmgr -iQ modify account c set rawusage=0 >/dev/null
pass_now && controller_restart && pass_now
is "usage of an account set to 0" "$(usage_of_account c) $(usage_of user3)" "0 0"
near "its parent has the rest" "$(usage_of_account a)" "$(usage_of user1)" $exact

# directly after a pass, in one, and long before the next
for delay in 0 0.01 0.1 1; do
	scontrol setdebugflags +Priority
	sleep $delay
	# the next one would be in an hour
	ok "end of slurmctld: it waits for no pass to come ($delay s after a reconfigure)" \
		controller_stop
	controller_start
done
is "slurmctld logs no error" "$(controller_errors)" ""
