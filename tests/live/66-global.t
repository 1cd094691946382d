#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Two clusters with one slurmdbd, lab and kit. What users have used on lab counts on kit, by the
# figure of a computation by hand, within two periods; nothing counts twice or comes back; either is
# killed and comes back.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"
# shellcheck source=tests/live/kit.sh
. "$(dirname "$0")/kit.sh"

# by_hand USER
by_hand ()
{
	factor_by_hand "$(usage_of "$1")" $(($(usage_of user1) + $(usage_of user3)))
}

# counts USER: kit has the factor
counts ()
{
	[[ $(factor_on_kit "$1") == "$(by_hand "$1")" ]]
}

# both_count: within two periods of a second, and those of a busy machine
both_count ()
{
	wait_until both counts
}

# is_shown USER: fathom shows what kit counts of lab, which has the weight 2
is_shown ()
{
	[[ $(on_kit fathom shares --global -aPn -o User,UsageHere,lab | grep "^$1|") == \
		"$1|0|$((2 * $(usage_of "$1")))" ]]
}

# own_of FILE: users with usage in it, with their seconds
own_of ()
{
	sed -n 's/.*"user": "\([^"]*\)".*"usage": \([0-9.]*\)[,}].*/\1 \2/p' "$1" | sort |
		paste -sd ' '
}

usage_start
run_two
kit_make "UsageFile=$kit/usage.json" "FiguresFile=$kit/figures.json" \
	"GlobalShare=lab Source=$cluster/usage.json Weight=2 Map=$(maps)"
fathom_conf UsageFile="$cluster/usage.json"
pass_now
kit_start
ok "usage on lab counts on kit" both_count
ok "fathom shares shows it" wait_until is_shown user1
is "what lab hands on is its own" "$(own_of "$cluster/usage.json")" \
	"user1 $(usage_of user1) user3 $(usage_of user3)"

# lab counts kit, too: nothing goes in a circle
fathom_conf "GlobalShare=kit Source=$kit/usage.json Map=physics:$(maps | cut -d : -f 1)"
sleep 2
pass_now
pass_now
ok "more usage on lab: kit follows" both_count
is "kit has nothing of its own to hand on" "$(own_of "$kit/usage.json")" ''
is "usage on lab is what ran" "$(usage_of user1)" $((4 * $(seconds_run "$long")))
is "and so is what it hands on" "$(own_of "$cluster/usage.json")" \
	"user1 $(usage_of user1) user3 $used"

daemon_stop kit KILL
pass_now
kit_start
ok "kit is killed and comes back" both_count
before=$(factor_on_kit user1)
controller_kill
sleep 3
is "lab is away: kit stays as it was" "$(factor_on_kit user1)" "$before"
controller_start
pass_now
ok "lab comes back: kit follows" both_count
is "usage on lab is what ran, after a kill" "$(usage_of user1)" $((4 * $(seconds_run "$long")))

slurmdbd_stop
sleep 2
pass_now
ok "slurmdbd is down: kit follows" both_count
slurmdbd_start
printf '{"format": "fathom-us' >"$cluster/usage.json"
ok "a damaged file is told" wait_until \
	grep -q "GlobalShare=lab: cannot use $cluster/usage.json" "$kit/slurmctld.log"
ok "and changes nothing" both_count
kit_end
scancel "$long"
