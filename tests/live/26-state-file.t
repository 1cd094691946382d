#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# A state file that cannot be used is kept aside and logged; usage is then what slurmctld saved itself.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

state=$cluster/state/fathom_usage

# restart_with COMMAND...: what a new slurmctld makes of the state after COMMAND
restart_with ()
{
	controller_stop
	rm -rf "$state.damaged"
	: >"$cluster/log/slurmctld.log"
	"$@"
	controller_start && pass_now
}

# survives TEXT PATTERN [aside]: the log says PATTERN, usage is as it was
survives ()
{
	ok "$1: slurmctld is up, usage is slurmctld's own" test "$(usage_of user1)" == "$usage"
	ok "$1: logged" controller_said "fathom_usage.*$2"
	[[ ! ${3-} ]] || ok "$1: the file is kept" test -e "$state.damaged"
}

damage_byte ()
{
	printf 'x' | dd of="$state" bs=1 seek=120 conv=notrunc status=none
}

usage_start
job=$(submit user1 --ntasks=4 --wrap 'sleep 2')
wait_for_job "$job" COMPLETED && pass_now
usage=$((4 * $(seconds_run "$job")))
is "there is usage" "$(usage_of user1)" "$usage"

restart_with true
is "an undamaged file is used" "$(usage_of user1)" "$usage"
ok "and said to be" controller_said 'usage of our last pass'
restart_with damage_byte
survives "one wrong byte" 'damaged' aside
restart_with truncate --size=100 "$state"
survives "cut short" 'cut short' aside
restart_with truncate --size=0 "$state"
survives "empty" 'cut short' aside
restart_with sed -i '1s/fathom usage [0-9]/fathom usage x/' "$state"
survives "another version" 'another version' aside
restart_with cp /bin/true "$state"
survives "something else" 'not a file of fathom' aside
restart_with ln -sf fathom_usage "$state"
survives "a file that cannot be read" 'symbolic links'

make_folder ()
{
	rm "$state" && mkdir "$state"
}

restart_with make_folder
survives "a folder" 'cut short' aside
restart_with truncate --size=7 "$cluster/state/priority_last_decay_ran"
is "multifactor's file cut short: usage is ours" "$(usage_of user1)" "$usage"
ok "and logged" controller_said 'priority_last_decay_ran has 7 bytes'
both ()
{
	damage_byte && rm "$cluster/state/priority_last_decay_ran"
}

job=$(submit user2 --ntasks=4)
wait_for_job "$job" RUNNING
sleep 1
restart_with both
survives "no time of the last pass either" 'damaged' aside
ok "what runs is not charged twice" test "$(usage_of user2)" -le $((4 * $(seconds_run "$job")))
cancel_all

