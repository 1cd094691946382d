#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What slurmdbd has summed up of lab counts on kit, by the figure of a computation by hand, once;
# slurmdbd may be down, and kit is killed and comes back. Jobs are put some hours back in the
# database, so that no hour must pass.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/kit.sh
. "$(dirname "$0")/kit.sh"

# ran USER CPUS HOURS: a job of the user has run for ten minutes, so many hours before this one
ran ()
{
	local job begin=$((hour - $3 * 3600))

	job=$(submit "$1" --ntasks="$2" --wrap true)
	wait_until end_is_recorded "$job"
	database "UPDATE lab_job_table SET time_submit = $begin, time_eligible = $begin,
		time_start = $begin + 60, time_end = $begin + 660
		WHERE id_job = $job ORDER BY job_db_inx DESC LIMIT 1"
}

# roll_up: slurmdbd sums up the last five hours
roll_up ()
{
	sacctmgr --immediate rollup "$(date -d "@$((hour - 5 * 3600))" +%FT%T)" \
		"$(date -d "@$hour" +%FT%T)"
}

# after USER: seconds as of the end of an hour, with a half-life of an hour: 4 * 600 from two and a
# half hours before, and 2 * 600 from half an hour before
after ()
{
	awk -v user="$1" 'BEGIN {
		printf "%.9f", user == "user1" ? 2400 * 2 ^ -2.5 : 1200 * 2 ^ -0.5 }'
}

both_count ()
{
	wait_until both has_factor
}

# has_factor USER: kit has the factor that the two computations give
has_factor ()
{
	local all

	all=$(awk -v a="$(after user1)" -v b="$(after user3)" 'BEGIN { printf "%.9f", a + b }')
	[[ $(factor_on_kit "$1") == "$(factor_by_hand "$(after "$1")" "$all")" ]]
}

# shown USER: seconds of lab's, as fathom shows them now
shown ()
{
	on_kit fathom shares --global -aPn -o User,lab | sed -n "s/^$1|//p"
}

# slurmdbd sums up an hour when it ends: what other tests have run in it would count, too
until_end=$((3600 - $(date +%s) % 3600))
((until_end > 120)) || sleep "$((until_end + 5))"
live_start
# what other tests ran in these hours
database "DELETE FROM lab_job_table WHERE time_end > 0; DELETE FROM lab_assoc_usage_hour_table"
hour=$(($(date +%s) / 3600 * 3600))
database 'UPDATE lab_event_table SET time_start = time_start - 36000 WHERE node_name = ""
	ORDER BY time_start LIMIT 1'
ran user1 4 3
ran user3 2 1
roll_up 2>/dev/null
kit_make "FiguresFile=$kit/figures.json" "HalfLife=1h" \
	"GlobalShare=lab Source=slurmdbd Map=$(maps)"
kit_start
ok "usage on lab counts on kit" both_count
near "fathom shares shows it, decayed since the hour" "$(shown user3)" \
	"$(awk -v used="$(after user3)" -v age=$(($(date +%s) - hour)) \
		'BEGIN { print used * 2 ^ -(age / 3600) }')" 0.02
ok "kit has used nothing itself" test "$(on_kit sshare -naPo RawUsage | sort -u)" = 0

daemon_stop kit KILL
kit_start
ok "kit is killed and comes back" both_count
before=$(factor_on_kit user1)
slurmdbd_stop
sleep 2
is "slurmdbd is down: kit stays as it was" "$(factor_on_kit user1)" "$before"
daemon_stop kit
kit_start
ok "kit comes back without it, and says so" wait_until grep -q \
	'GlobalShare=lab: cannot use slurmdbd: .* nothing of the cluster counts' \
	"$kit/slurmctld.log"
slurmdbd_start
ok "slurmdbd comes back: kit counts again" both_count
kit_end
