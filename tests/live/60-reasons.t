#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom explain begins with what really holds a job.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

live_start Licenses=solver:1,viewer:9 AccountingStorageTRES=license/viewer \
	"PartitionName=off Nodes=ALL State=DOWN" "PartitionName=idle Nodes=ALL"

reason_is ()
{
	[[ $(squeue --noheader --jobs="$1" --format=%r | head -n 1) == "$2" ]]
}

# begins TEXT JOB REASON PATTERN: when slurmctld has the reason, what explain says first
begins ()
{
	wait_until reason_is "$2" "$3"
	like "$1" "$(fathom explain "$2" | tr -s '\n ' ' ')" "^Job $2 $4\\. Job $2 of "
}

first=$(submit user1 --licenses=solver)
wait_for_job "$first" RUNNING
begins "a dependency" "$(submit user2 --dependency=afterok:"$first")" Dependency \
	"waits for other jobs, afterok:$first[^:]*: until they are done, its priority does not \
matter"
begins "a time to begin" "$(submit user2 --begin=2037-01-02T03:04:05)" BeginTime \
	"may not start before 2037-01-02T03:04:05"
held=$(submit user2 --hold)
begins "held by its user" "$held" JobHeldUser "is held by its user, until scontrol release $held"
held=$(submit user2 --begin=now+1hour)
scontrol hold "$held"
begins "held by an administrator" "$held" JobHeldAdmin \
	"is held by an administrator, who alone can release it"
begins "a partition that is down" "$(submit user2 --partition=off)" PartitionDown \
	"waits because partition off is down"
idle=$(submit user2 --partition=idle --hold)
scontrol update PartitionName=idle State=INACTIVE
scontrol release "$idle"
begins "one that is inactive" "$idle" PartitionInactive \
	"waits because partition idle is inactive"
scontrol create reservation ReservationName=tuesday StartTime=2037-01-02T03:04:05 Duration=60 \
	Nodes=ALL Users=user2 >/dev/null
later=$(submit user2 --reservation=tuesday)
begins "a reservation" "$later" Reservation "waits for reservation tuesday"
scancel "$later"
scontrol delete ReservationName=tuesday
begins "licences" "$(submit user2 --licenses=solver)" Licenses "waits for licences: solver"
array=$(submit user2 --array=1-3%1)
wait_until reason_is "$array" JobArrayTaskLimit
like "tasks of an array" "$(fathom explain "$array" | tr -s '\n ' ' ')" \
	"is an array of which no more than 1 tasks may run at a time, as do now\\."
sacctmgr -iQ modify user user3 set GrpTRES=cpu=1 >/dev/null
submit user3 --ntasks=1 >/dev/null
begins "a limit" "$(submit user3 --ntasks=1)" AssocGrpCpuLimit \
	"waits for a limit of user3 in account c: its jobs may use 1 CPU at a time \
\\(GrpTRES=cpu=1\\); they use 1, and this one wants 1 \\(AssocGrpCpuLimit\\)"
sacctmgr -iQ modify user user3 set GrpTRES=cpu=-1 >/dev/null

### Limits: whose, their values, and what counts against them

# set_limits KIND NAME LIMIT...: of an account, a user or a QOS
set_limits ()
{
	sacctmgr -iQ modify "$1" "$2" set "${@:3}" >/dev/null
}

# cancel_below_d: ends the jobs of account d
cancel_below_d ()
{
	scancel --user=user4
	scancel --user=user5
	wait_until has_no_jobs user4
	wait_until has_no_jobs user5
}
has_no_jobs ()
{
	[[ ! $(squeue --noheader --user="$1") ]]
}

# held_by TEXT REASON CLAUSE SUBMIT_OPTION...: of a job of user4 in account e, which then goes
held_by ()
{
	local job

	job=$(submit user4 "${@:4}")
	begins "$1" "$job" "$2" "waits for a limit of $3 \\($2\\)"
	scancel "$job"
}

# user5 is in account f, which is below d as e is
wait_for_job "$(submit user5 --ntasks=3)" RUNNING
set_limits account d GrpTRES=cpu=4
waiting=$(submit user4 --ntasks=2)
begins "an account above" "$waiting" AssocGrpCpuLimit "waits for a limit of account d: its jobs \
may use 4 CPUs at a time \\(GrpTRES=cpu=4\\); they use 3, and this one wants 2 \
\\(AssocGrpCpuLimit\\)"
like "of two jobs, too" "$(fathom explain "$waiting" "$held" | tr -s '\n ' ' ')" \
	"Job $waiting waits for a limit of account d: its jobs may use 4 CPUs "
like "where all is shown, as far as it fits" "$(as_user user4 fathom explain)" \
	"$waiting +all +e .* waits for a limit of account d"
fathom snapshot --out "$cluster/why.json"
is "a snapshot keeps it" \
	"$(fathom explain "$waiting" --from "$cluster/why.json" | sed '/Job.* of /q')" \
	"$(fathom explain "$waiting" | sed '/Job.* of /q')"
like "without names, Slurm's word is left" \
	"$(fathom snapshot --anonymous --out "$cluster/why.json"
	fathom explain "$waiting" --from "$cluster/why.json" | tr -s '\n ' ' ')" \
	"^Job $waiting waits, as slurmctld says, for the reason AssocGrpCpuLimit\."
like "the user sees it" "$(as_user user4 fathom explain "$waiting" | tr -s '\n ' ' ')" \
	"^Job $waiting waits for a limit of account d: its jobs may use 4 CPUs "
slurm_conf PrivateData=usage
reconfigure
like "but not what PrivateData hides" \
	"$(as_user user4 fathom explain "$waiting" | tr -s '\n ' ' ')" \
	"Job $waiting waits for a limit of its association, or of an account above it: Assoc"
slurm_conf PrivateData=none
reconfigure
scancel "$waiting"
set_limits account d GrpTRES=cpu=-1 GrpJobs=1
held_by "jobs of an account" AssocGrpJobsLimit "account d: it may run 1 job at a time \
\\(GrpJobs=1\\), and runs 1"
set_limits account d GrpJobs=-1 GrpTRESMins=billing=0
held_by "what is used up" AssocGrpBillingMinutes "account d: its jobs may use 0 \
billing-minutes in all \\(GrpTRESMins=billing=0\\); they have used [0-9]+, and this one may use \
120 by its time limit" --ntasks=2 --time=60
set_limits account d GrpTRESMins=billing=-1 GrpTRESRunMins=cpu=200
held_by "what runs" AssocGrpCPURunMinutesLimit "account d: what is left of its running jobs may be \
200 CPU-minutes \\(GrpTRESRunMins=cpu=200\\); it is 1[0-9][0-9], and this one may use 60 by its \
time limit" --time=60
set_limits account d GrpTRESRunMins=cpu=-1 GrpTRES=license/viewer=1
held_by "licences" AssocGrpLicense "account d: its jobs may use 1 of license/viewer at a time \
\\(GrpTRES=license/viewer=1\\); they use 0, and this one wants 2" --licenses=viewer:2
set_limits account d GrpTRES=license/viewer=-1
cancel_below_d
set_limits user user4 MaxJobs=1
wait_for_job "$(submit user4)" RUNNING
held_by "jobs of a user" AssocMaxJobsLimit "user4 in account e: it may run 1 job at a time \
\\(MaxJobs=1\\), and runs 1"
set_limits user user4 MaxJobs=-1
cancel_below_d

sacctmgr -iQ add qos narrow GrpTRES=cpu=4 MaxTRESPerUser=cpu=3 MaxJobsPerUser=9 >/dev/null
set_limits user user4 qos+=narrow
set_limits user user5 qos+=narrow
wait_for_job "$(submit user5 --qos=narrow --ntasks=3)" RUNNING
held_by "a QOS" QOSGrpCpuLimit "QOS narrow: its jobs may use 4 CPUs at a time \
\\(GrpTRES=cpu=4\\); they use 3, and this one wants 2" --qos=narrow --ntasks=2
set_limits qos narrow GrpTRES=cpu=-1
wait_for_job "$(submit user4 --qos=narrow --ntasks=2)" RUNNING
held_by "a user's part of a QOS" QOSMaxCpuPerUserLimit "QOS narrow: the jobs of a user may use 3 \
CPUs at a time \\(MaxTRESPerUser=cpu=3\\); those of user4 use 2, and this one wants 2" \
	--qos=narrow --ntasks=2
set_limits qos narrow MaxTRESPerUser=cpu=-1 MaxJobsPerUser=1
held_by "a user's jobs" QOSMaxJobsPerUserLimit "QOS narrow: a user may run 1 job at a time \
\\(MaxJobsPerUser=1\\), and user4 runs 1" --qos=narrow
cancel_below_d
set_limits qos narrow MaxJobsPerUser=-1 GrpTRES=cpu=1
scontrol update PartitionName=all QOS=narrow
wait_for_job "$(submit user5)" RUNNING
held_by "the QOS of the partition" QOSGrpCpuLimit "QOS narrow: its jobs may use 1 CPU at a time \
\\(GrpTRES=cpu=1\\); they use [0-9]+, and this one wants 1"
scontrol update PartitionName=all QOS=
cancel_below_d

begins "what others use" "$(submit user4 --ntasks=64)" Resources \
	"waits for CPUs, memory or other resources that are in use"
like "--units: what was used of CPUs and nodes" \
	"$(fathom explain "$held" --units billing | tr -s '\n ' ' ')" \
	"Account User RawShares Share Usage Billing-s CPU-s Node-s FairShare LevelFS root 100 % \
100 % [0-9,]+ [0-9,]+ [0-9,]+ a "
like "and fathom shares does" "$(fathom shares --units hours | tr -s '\n ' ' ')" \
	"Account User RawShares NormShares BillingHours CPUHours NodeHours EffectvUsage FairShare \
root 1.000000 [0-9.]+ [0-9.]+ [0-9.]+ 1.000000 "
like "and in JSON" "$(fathom explain "$held" --json)" \
	"\"sentence\": \"Job $held is held by an administrator, who alone can release it\\. "
live_end
