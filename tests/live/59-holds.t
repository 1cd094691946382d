#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# WithoutShares=hold: fathom holds jobs of users without shares, marks its holds in slurmctld's own
# records, and lifts them alone. The users root, an administrator, and user3 have no shares.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

no_shares="fathom: the user has no shares"

# shares USER SHARES [KEY=VALUE...]
shares ()
{
	sacctmgr -iQ modify user "$1" set fairshare="$2" "${@:3}" >/dev/null
	pass_now
}

# reason_of JOB: as squeue has it
reason_of ()
{
	squeue --noheader --jobs="$1" --format=%r
}

# state_of JOB...: "PRIORITY|REASON" of each; "free" for a priority above 0
state_of ()
{
	local job

	for job; do
		if (($(priority_of "$job"))); then
			echo free
		else
			reason_of "$job"
		fi
	done | paste -sd '|'
}

live_start
fathom_conf Policy=lsf WithoutShares=hold CalcPeriod=600
reconfigure_once
shares user3 0 adminlevel=operator
of_root=$(sbatch --parsable --account=root --chdir=/ --output=/dev/null --wrap 'sleep 600')
operators=$(submit user3)
first=$(submit user1 --wrap true)
ok "who has shares runs" wait_for_job "$first" COMPLETED
is "jobs of administrators without shares are held, with a reason" \
	"$(state_of "$of_root" "$operators")" "$no_shares|$no_shares"
is "squeue shows it" "$(squeue --noheader --jobs="$operators" --format='%t %R')" "PD ($no_shares)"
like "explain says it" "$(fathom explain "$operators" | tr '\n' ' ')" \
	"It is held by fathom until this changes: the user has no shares\\."
pass_now
is "and stay so" "$(state_of "$of_root" "$operators")" "$no_shares|$no_shares"

### What others do

users=$(submit user3 --hold)
admins=$(submit user3)
scontrol hold "$admins"
as_user user3 scontrol release "$operators"
scontrol release "$of_root"
not_released ()
{
	[[ $(state_of "$of_root" "$operators") == "$no_shares|$no_shares" ]]
}
ok "a release holds them again, by user or administrator" wait_until not_released
pass_now
is "a hold of the user and one of the administrator are left as they are" \
	"$(state_of "$users" "$admins")" "JobHeldUser|JobHeldAdmin"
jobs_saved
controller_kill
controller_start && pass_now
is "a crash changes none of them" "$(state_of "$of_root" "$operators" "$users" "$admins")" \
	"$no_shares|$no_shares|JobHeldUser|JobHeldAdmin"

### The way back

held=$(fathom lint --json)
like "lint lists what multifactor would not lift" "$held" "2 jobs are held by fathom"
like "with the line that does" "$held" "scontrol release $of_root,$operators\""
controller_stop
slurm_conf PriorityType=priority/multifactor
controller_start
sleep 2
is "multifactor lifts none" "$(state_of "$of_root" "$operators")" "$no_shares|$no_shares"
like "lint still tells" "$(fathom lint --json)" "scontrol release $of_root,$operators\""
scontrol release "$of_root"
ok "after a release the job runs" wait_for_job "$of_root" RUNNING
controller_stop
slurm_conf PriorityType=priority/fathom
controller_start && pass_now
is "fathom knows the other one again" "$(state_of "$operators")" "$no_shares"
scancel "$of_root"

### Shares come

shares user3 1
ok "with shares the job runs" wait_for_job "$operators" RUNNING
is "the holds of others stay" "$(state_of "$users" "$admins")" "JobHeldUser|JobHeldAdmin"
scontrol release "$users" "$admins"
ok "until these release them" wait_for_job "$users" RUNNING
ok "both" wait_for_job "$admins" RUNNING
scancel "$operators" "$users" "$admins"

### The user is deleted, and comes back

shares user3 0
waiting=$(submit user3)
still_deleted ()
{
	[[ $(state_of "$waiting") == "fathom: the association was deleted" ]]
}
# a later slurmdbd knows the held job and keeps its association
if [[ $(sacctmgr -iQ delete user user3 account=c 2>&1) == *"Job(s) active"* ]]; then
	live_skip "a hold stays while the association is deleted" "slurmdbd does not delete it"
else
	pass_now
	ok "a hold stays while the association is deleted" still_deleted
	scontrol release "$waiting"
	ok "also after a release" wait_until still_deleted
	add_user user3 c fairshare=0
	pass_now
	is "a pass finds the new association" "$(state_of "$waiting")" "$no_shares"
fi
shares user3 1
ok "and the job runs once that has shares" wait_for_job "$waiting" RUNNING
scancel "$waiting"

### By default such jobs go last

shares user3 0
scontrol update PartitionName=all State=DOWN
last=$(submit user3)
is "held" "$(state_of "$last")" "$no_shares"
rm -f "$cluster/fathom.conf"
fathom_conf Policy=lsf CalcPeriod=600
reconfigure_once
is "a hold ends with WithoutShares=hold" "$(priority_of "$last")" 1
scontrol update PartitionName=all State=UP
ok "and the job runs when nothing else can" wait_for_job "$last" RUNNING
cancel_all

### Without an association

sacctmgr -iQ delete user user3 >/dev/null
slurm_conf AccountingStorageEnforce=
fathom_conf Policy=flux
controller_restart && pass_now
without=$(submit user3 --nice=16)
is "urgency 0 holds a job that has none" "$(state_of "$without")" "fathom: urgency is 0"
scontrol update JobId="$without" Nice=0
pass_now
ok "until the urgency is another" wait_for_job "$without" RUNNING
is "slurmctld logs no error" "$(controller_errors)" ""
cancel_all
