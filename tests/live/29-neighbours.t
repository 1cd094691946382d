#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# From priority/multifactor and back, and without slurmdbd.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

# change_to TYPE: of priority
change_to ()
{
	controller_stop
	slurm_conf PriorityType=priority/"$1"
	controller_start
}

live_start PriorityType=priority/multifactor PriorityWeightTRES=cpu=640 \
	PriorityDecayHalfLife=0 PriorityUsageResetPeriod=YEARLY
fathom_conf CalcPeriod=3600
ended=$(submit user1 --ntasks=2 --wrap 'sleep 2')
long=$(submit user2 --ntasks=3)
wait_for_job "$ended" COMPLETED
used=$((2 * $(second_of "$ended" EndTime) - 2 * $(second_of "$ended" StartTime)))
is "multifactor has charged a job" "$(usage_of user1)" $used
sleep 1
change_to fathom && pass_now
is "fathom goes on with its usage" "$(usage_of user1)" $used
is "and charges what runs, once" "$(usage_of user2)" $((3 * $(seconds_run "$long")))
sleep 2 && pass_now
is "pass by pass" "$(usage_of user2)" $((3 * $(seconds_run "$long")))
change_to multifactor
is "multifactor finds fathom's usage" "$(usage_of user1)" $used
scancel "$long" && wait_for_job "$long" CANCELLED
# to the second or two that multifactor loses at a start or an end
near "and goes on with it" "$(usage_of user2)" \
	$((3 * ($(second_of "$long" EndTime) - $(second_of "$long" StartTime)))) 0.2
usage=$(usage_of user2)
change_to fathom && pass_now
is "and back" "$(usage_of user1) $(usage_of user2)" "$used $usage"
is "slurmctld logs no error" "$(controller_errors)" ""

long=$(submit user3 --ntasks=4)
wait_for_job "$long" RUNNING
sleep 1 && pass_now
controller_stop && slurmdbd_stop
controller_start && pass_now
ok "without slurmdbd slurmctld starts from what it keeps" test "$(usage_of user1)" -eq "$used"
ok "it is logged" controller_said 'Association database appears down'
is "and charges" "$(usage_of user3)" $((4 * $(seconds_run "$long")))
waiting=$(submit user1 --ntasks=64)
ok "a job has a priority" test "$(priority_of "$waiting")" -gt 1
scancel "$waiting"
slurmdbd_start
known ()
{
	controller_said 'registered with slurmdbd|Registering slurmctld' &&
		sacctmgr -n show cluster format=controlhost | grep -q .
}

wait_until known
sleep 8 && pass_now
is "slurmdbd comes back: usage is as it was" "$(usage_of user1) $(usage_of user2)" "$used $usage"
is "and what runs is charged on" "$(usage_of user3)" $((4 * $(seconds_run "$long")))
waiting=$(submit user1 --ntasks=64)
shown ()
{
	[[ $(sprio --noheader --jobs="$1" --format=%.99T 2>/dev/null) == *cpu=640* ]]
}

ok "new TRES: the weights are those of slurm.conf" wait_until shown "$waiting"
cancel_all

controller_stop
: >"$cluster/log/slurmctld.log"
cp "$cluster/slurm.conf" "$cluster/slurm.conf.kept"
slurm_conf AccountingStorageType=accounting_storage/none AccountingStorageEnforce= \
	PriorityFlags=NO_FAIR_TREE PriorityWeightTRES= \
	PriorityWeightPartition=500 \
	"PartitionName=all Nodes=ALL Default=YES PriorityJobFactor=1 DefaultTime=60"
controller_start
job=$(submit user1 --ntasks=64) waiting=$(submit user1 --ntasks=64)
wait_for_job "$job" RUNNING
ok "neither slurmdbd nor Fair Tree: a job runs" job_is "$job" RUNNING
not_ok "unlocked factors: a job without association is no error" controller_said 'error: .*JobId='
is "and another has what other factors give" "$(priority_of "$waiting")" 500
ok "it is logged" controller_said 'PriorityWeightFairshare has no effect without slurmdbd'
scontrol setdebugflags +Priority
is "age without slurmdbd: a reconfiguration does not bring it back" \
	"$(sprio --noheader --jobs="$waiting" --format=%A | tr -d ' ')" 0
cancel_all
controller_stop
mv "$cluster/slurm.conf.kept" "$cluster/slurm.conf"
controller_start
