#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The adjustment of LSF's dynamic priority: slurmctld and `fathom shares --adjust` make the same of
# what runs, by memory and by a site's shared object; one that cannot be loaded changes nothing.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

example=$FATHOM_BUILD/tests/cli/.libs/adjustment_example.so
if [[ ! -f $example ]]; then
	echo "Bail out! $FATHOM_BUILD has no example of an adjustment; make check TESTS= builds it"
	exit 1
fi

# a pass only when it is asked for, so that all that is compared is of the same
live_start PriorityWeightAge=0 PriorityWeightFairshare=1000 SelectTypeParameters=CR_Core_Memory
file=$cluster/state/fathom.json
install --mode=755 "$example" "$cluster/site.so"
fathom_conf CalcPeriod=600 FiguresFile=fathom.json Policy=lsf CpuTimeFactor=0 RunTimeFactor=0 \
	RunJobFactor=0 \
	FairshareAdjustmentFactor=1 HistHours=0

# passes COMMAND...: which asks for a pass; its figures are in FiguresFile when this returns
passes ()
{
	touch "$cluster/mark"
	"$@"
	wait_until test "$file" -nt "$cluster/mark"
}

# reread: fathom.conf, by slurmctld as it is; a reconfigure of late makes another process
# shellcheck disable=SC2317	# called by passes
reread ()
{
	scontrol setdebugflags +Priority
}

# priorities OPTION...: of who runs something, from FiguresFile
priorities ()
{
	fathom shares --all --from "$file" --parsable2 --noheader --output=User,Priority "$@" |
		sed -n 's/^\(user[14]\)|/\1 /p' | paste -sd ' '
}

# CPU time counts from when the policy is in force
passes reconfigure
first=$(submit user1 --ntasks=49 --mem=980 --wrap 'sleep infinity')
second=$(submit user4 --ntasks=1 --mem=400 --wrap 'sleep infinity')
wait_for_job "$first" RUNNING
wait_for_job "$second" RUNNING

passes reread
is "without one nothing divides" "$(priorities)" "user1 100.000000 user4 100.000000"
fathom_conf Adjust=memory:2 SlotMemory=100
passes reconfigure
# 1 / ((1 + 49) * (980 / 49) / (100 * 2)), 1 / ((1 + 1) * (400 / 1) / (100 * 2))
is "memory beyond the slots' own divides" "$(priorities)" "user1 0.200000 user4 0.250000"
is "so it does offline" "$(priorities --adjust=memory:2 --slot-memory=100)" "$(priorities)"
is "sshare shows it as LevelFS" \
	"$(sshare --all --long --parsable2 --noheader --format=User,LevelFS | grep 'user[14]' |
	tr '|' ' ' | paste -sd ' ')" \
	"user1 0.200000 user4 0.250000"

fathom_conf Adjust=memory:2 SlotMemory=
passes reconfigure
# 1380 MB in 50 slots: 27.6 each; 1 / ((1 + 49) * (980 / 49) / (27.6 * 2))
is "the memory of a slot is counted from running jobs" "$(priorities)" \
	"user1 0.055200 user4 0.069000"
is "offline too" "$(priorities --adjust=memory:2)" "$(priorities)"

# from the first second on user1's CPU time beyond run time comes to more than the floor under a
# divisor, 0.01 hours
sleep 2
fathom_conf Adjust="$cluster/site.so"
passes reconfigure
by_site=$(priorities) adjusted="^user1 [0-9]{1,2}\.[0-9]+ user4 100\.000000$"
like "a site's object is asked" "$by_site" "$adjusted"
is "offline it says the same" "$(priorities --adjust="$cluster/site.so")" "$by_site"

fathom_conf Adjust="$cluster/gone.so"
passes reread
ok "one that is gone is told of" controller_said \
	"Adjust: $cluster/gone.so: cannot open shared object file"
like "and the last one is asked on" "$(priorities)" "$adjusted"
live_end
