#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage decays by the exact figure, whenever passes run.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

# A large weight gives sshare's whole numbers nine digits.
rate=400000000 exact=1e-6
live_start PriorityDecayHalfLife=1 \
	"PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=60 \
TRESBillingWeights=CPU=100000000"
sacctmgr -iQ add qos nodecay Flags=NoDecay >/dev/null
sacctmgr -iQ modify user user1 set qos+=nodecay >/dev/null
calc_period 3600

job=$(submit user1 --ntasks=4 --qos=nodecay)
wait_for_job "$job" RUNNING
sleep 3 && pass_now
near "a job is charged while it runs" "$(usage_of user1)" "$(decayed $rate "$job" 60)" $exact
sleep 4 && pass_now
near "age of charges: two passes come to the same as one" "$(usage_of user1)" \
	"$(decayed $rate "$job" 60)" $exact
is "a QOS with NoDecay has the whole" "$(used_by_qos nodecay UsageRaw)" \
	$((rate * $(seconds_run "$job")))

sleep 2 && scancel "$job" && wait_for_job "$job" CANCELLED
sleep 3 && pass_now
near "its end is charged, and decays" "$(usage_of user1)" "$(decayed $rate "$job" 60)" $exact
is "the account has the same" "$(usage_of_account b)" "$(usage_of user1)"
is "a QOS with NoDecay has the whole, still" "$(used_by_qos nodecay UsageRaw)" \
	$((rate * $(seconds_run "$job")))

short=$(submit user2 --ntasks=4 --wrap 'sleep 2')
wait_for_job "$short" COMPLETED
sleep 2 && pass_now
near "a job between two passes" "$(usage_of user2)" "$(decayed $rate "$short" 60)" $exact
near "decay: without jobs usage halves every half-life" "$(usage_of user1)" \
	"$(decayed $rate "$job" 60)" $exact

calc_period 1
often=$(submit user3 --ntasks=4)
wait_for_job "$often" RUNNING
sleep 4
calc_period 3600
near "age of charges: passes every second come to the same" "$(usage_of user3)" \
	"$(decayed $rate "$often" 60)" $exact

cancel_all
slurm_conf PriorityDecayHalfLife=0 PriorityUsageResetPeriod=YEARLY
reconfigure_once
before=$(usage_of user1)
sleep 2 && pass_now
is "without a half-life usage stays" "$(usage_of user1)" "$before"
is "slurmctld logs no error" "$(controller_errors)" ""
