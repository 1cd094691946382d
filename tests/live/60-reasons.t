#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom explain begins with what really holds a job.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

live_start Licenses=solver:1 "PartitionName=off Nodes=ALL State=DOWN" \
	"PartitionName=idle Nodes=ALL"

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
idle=$(submit user2 --partition=idle --begin=now+1)
scontrol update PartitionName=idle State=INACTIVE
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
	"waits for a limit of its association, or of an account above it: AssocGrpCpuLimit"
sacctmgr -iQ modify user user3 set GrpTRES=cpu=-1 >/dev/null
begins "what others use" "$(submit user4 --ntasks=64)" Resources \
	"waits for CPUs, memory or other resources that are in use"
like "and in JSON" "$(fathom explain "$held" --json)" \
	"\"sentence\": \"Job $held is held by an administrator, who alone can release it\\. "
live_end
