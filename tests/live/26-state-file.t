#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A state file that cannot be used is kept aside and logged; the file before it is used, or where
# that is damaged too, what slurmctld saved itself.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

state=$cluster/state/fathom_usage
previous=$state.old

# restart_with COMMAND...: what a new slurmctld makes of the state after COMMAND
restart_with ()
{
	controller_stop
	rm -rf "$state.damaged" "$previous.damaged"
	: >"$cluster/log/slurmctld.log"
	"$@"
	controller_start && pass_now
}

# survives TEXT PATTERN: the log says PATTERN, usage is as it was, the file is kept aside
survives ()
{
	is "damaged state, $1: usage is that of the file before it" "$(usage_of user1)" "$usage"
	ok "$1: logged" controller_said "fathom_usage: .*$2"
	ok "$1: and what is used instead" controller_said "usage from the previous state file"
	ok "$1: the file is kept" test -e "$state.damaged"
}

damage_byte ()
{
	printf 'x' | dd of="$1" bs=1 seek=120 conv=notrunc status=none
}

damage_both ()
{
	damage_byte "$state" && damage_byte "$previous"
}

usage_start
job=$(submit user1 --ntasks=4 --wrap 'sleep 2')
wait_for_job "$job" COMPLETED && pass_now
usage=$((4 * $(seconds_run "$job")))
is "there is usage" "$(usage_of user1)" "$usage"

restart_with true
is "an undamaged file is used" "$(usage_of user1)" "$usage"
ok "and said to be" controller_said "usage that the last pass saved"
restart_with damage_byte "$state"
survives "one wrong byte" 'damaged'
restart_with truncate --size=100 "$state"
survives "cut short" 'cut short'
restart_with truncate --size=0 "$state"
survives "empty" 'cut short'
restart_with sed -i '1s/fathom usage [0-9]/fathom usage x/' "$state"
survives "another version" 'another version'
restart_with cp /bin/true "$state"
survives "something else" 'not a file of fathom'

# It may be good: it is tried again, and nothing is written in its place.
make_unreadable ()
{
	mv "$state" "$cluster/kept" && ln -s fathom_usage "$state"
}

make_readable ()
{
	mv "$cluster/kept" "$state"
}

controller_stop
rm -rf "$state.damaged"
: >"$cluster/log/slurmctld.log"
make_unreadable && controller_start
ok "a file that cannot be read: slurmctld is up, usage is slurmctld's own" test \
	"$(usage_of user1)" == "$usage"
ok "a file that cannot be read: logged" controller_said \
	"fathom_usage: .*symbolic links; until it can be read, nothing is charged"
more=$(submit user1 --ntasks=4 --wrap 'sleep 1')
wait_for_job "$more" COMPLETED
scontrol setdebugflags +Priority && sleep 1
is "a file that cannot be read: nothing is charged" "$(usage_of user1)" "$usage"
ok "a file that cannot be read: nothing is written in its place" test -L "$state"
not_ok "a file that cannot be read: nothing is kept aside" test -e "$state.damaged"
make_readable && pass_now
((usage += 4 * $(seconds_run "$more")))
is "once it can be read, it is used, and what ended meanwhile is charged" "$(usage_of user1)" \
	"$usage"
ok "and said to be" controller_said \
	'can be read again; going on with the usage that the last pass saved'

make_folder ()
{
	rm "$state" && mkdir "$state"
}

restart_with make_folder
survives "a folder" 'cut short'

restart_with damage_both
is "both files damaged: usage is slurmctld's own" "$(usage_of user1)" "$usage"
ok "both files damaged: told" controller_said "going on with the usage in Slurm's records"

no_file ()
{
	rm "$state"
}

restart_with no_file
is "no file: usage is slurmctld's own" "$(usage_of user1)" "$usage"
not_ok "no file: no error" controller_said 'error: .*fathom_usage'

### Multifactor's file

restart_with truncate --size=7 "$cluster/state/priority_last_decay_ran"
is "multifactor's file cut short: usage is ours" "$(usage_of user1)" "$usage"
ok "and logged" controller_said 'priority_last_decay_ran: it has 7 bytes'
both ()
{
	damage_both && rm "$cluster/state/priority_last_decay_ran"
}

job=$(submit user2 --ntasks=4)
wait_for_job "$job" RUNNING
sleep 1
restart_with both
is "no time of the last pass either: usage is slurmctld's own" "$(usage_of user1)" "$usage"
ok "no time of the last pass either: told" controller_said "no saved usage was found"
ok "what runs is not charged twice" test "$(usage_of user2)" -le $((4 * $(seconds_run "$job")))
cancel_all

### Without any state

no_state ()
{
	rm -f "$state" "$previous" "$cluster/state/priority_last_decay_ran"
}

no_state_nor_usage ()
{
	rm -f "$cluster"/state/*_usage* "$cluster/state/priority_last_decay_ran"
}

usage_start PriorityFlags=NO_FAIR_TREE PrioritySiteFactorPlugin=site_factor/example \
	PriorityWeightAge=0 \
	"PartitionName=off Nodes=ALL State=DOWN PriorityJobFactor=1"
run=$(submit user1 --ntasks=4)
waiting=$(submit user5 --partition=off)
scontrol update JobId="$waiting" AdminComment=7
wait_for_job "$run" RUNNING
slurm_conf PriorityWeightPartition=500 PriorityWeightFairshare=0
sleep 2
controller_stop && no_state && controller_start
wait_until test -e "$cluster/state/priority_last_decay_ran"	# the end of the first pass
is "no state file: the first pass computes priorities, with the site's factor" \
	"$(priority_of "$waiting")" 507
pass_now
first=$(usage_of user1)
sleep 2 && pass_now
ok "no state file, but usage: what runs is charged on" test "$(usage_of user1)" -ge $((first + 8))
ok "and not twice" test "$(usage_of user1)" -le $((4 * $(seconds_run "$run")))
cancel_all

usage_start PriorityFlags=NO_FAIR_TREE
run=$(submit user1 --ntasks=4)
wait_for_job "$run" RUNNING
sleep 2
restart_with no_state_nor_usage
is "no state file and no usage: what runs is charged from its start" "$(usage_of user1)" \
	$((4 * $(seconds_run "$run")))

### A clock that is behind the last pass

caught_up ()
{
	(($(date +%s) > ahead))
}

begun=$SECONDS
restart_with true
ahead=$(($(date +%s) + 4 * (SECONDS - begun + 1)))	# by then slurmctld has started again
controller_stop
stock_times "$ahead" "$ahead"
controller_start
before=$(usage_of user1)
scontrol setdebugflags +Priority
sleep 1
is "clock set back: nothing is charged before it is where it was" "$(usage_of user1)" "$before"
ok "clock set back: it is logged" controller_said 'the clock is [0-9]+ s behind the last pass'
wait_until caught_up
pass_now
is "clock set back: from then on it is" "$(usage_of user1)" $((before + 4 * ($(pass_time) - ahead)))
cancel_all
