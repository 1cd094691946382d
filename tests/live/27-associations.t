#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage stays where it belongs when users and accounts come, go and move.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

accounts ()
{
	echo "a $(usage_of_account a), b $(usage_of_account b), c $(usage_of_account \
		c), d $(usage_of_account d)"
}

usage_start
one=$(submit user1 --ntasks=1 --wrap 'sleep 2') two=$(submit user2 --ntasks=2 --wrap 'sleep 2')
three=$(submit user3 --ntasks=4 --wrap 'sleep 2')
wait_for_ends "$one" "$two" "$three"
pass_now
one=$(seconds_run "$one") two=$((2 * $(seconds_run "$two"))) three=$((4 * $(seconds_run "$three")))
is "usage of the users" "$(usage_of user1) $(usage_of user2) $(usage_of user3)" "$one $two $three"

wait_until all_recorded
sacctmgr -iQ delete user user3 >/dev/null
is "a user is deleted" "$(usage_of user3)" ""
was="a $((one + two + three)), b $one, c $((two + three)), d 0"
is "the account keeps the usage" "$(accounts)" "$was"
pass_now
is "after the next pass" "$(accounts)" "$was"
controller_restart
is "after a restart" "$(accounts)" "$was"
controller_kill && controller_start && pass_now
is "after kill -9" "$(accounts)" "$was"

sacctmgr -iQ modify account c set parent=d >/dev/null
moved="a $one, b $one, c $((two + three)), d $((two + three))"
pass_now
is "an account moves" "$(accounts)" "$moved"
is "the root has the same" "$(usage_of_account root)" $((one + two + three))
controller_restart && pass_now
is "after a restart" "$(accounts)" "$moved"
is "TRES and wall time move along" "$(used_by_account d GrpWall) $(used_by_account a GrpWall)" \
	"$(awk -v d=$((two / 2 + three / 4)) -v a="$one" \
	'BEGIN { printf "%.2f %.2f", d / 60, a / 60 }')"

add_account new d fairshare=5
add_user user3 new fairshare=1
job=$(submit user3 --account=new --ntasks=3)
ok "a new user's first job has its priority at once" test "$(priority_of "$job")" -gt 1
wait_for_job "$job" RUNNING && sleep 2 && pass_now
is "and is charged" "$(share_of new user3 RawUsage)" $((3 * $(seconds_run "$job")))
is "as is the account above" "$(usage_of_account d)" $((two + three + 3 * $(seconds_run "$job")))

# deleted between the crash and the start, hence unknown to the state file
scancel "$job" && wait_for_job "$job" CANCELLED && wait_until all_recorded
pass_now
last=$((3 * $(seconds_run "$job")))
controller_kill
sacctmgr -iQ delete user user3 account=new >/dev/null
controller_start && pass_now
is "a user deleted while slurmctld was down" "$(usage_of_account new) $(usage_of_account d)" \
	"$last $((two + three + last))"
job=$(submit user1 --ntasks=3 --wrap 'sleep 2')
wait_for_job "$job" COMPLETED && wait_until all_recorded
sacctmgr -iQ delete user user1 >/dev/null
pass_now
is "a user deleted before the pass that would have seen his job" "$(usage_of_account b)" \
	$((one + 3 * $(seconds_run "$job")))
is "slurmctld logs no error" "$(controller_errors)" ""
sacctmgr -iQ modify account c set parent=a >/dev/null
