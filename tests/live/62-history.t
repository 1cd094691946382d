#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# HistoryFile has each day once, with the figures of sshare; a restart and a kill lose none; users
# see it if PrivateData lets them, and --rebuild adds the days before from sacct.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

fathom=$FATHOM_BUILD/src/cli/fathom
[[ $("$fathom" --version) =~ SQLite\ +[0-9] ]] ||
	{ echo "1..0 # SKIP built without SQLite"; exit 0; }
# where it is about noon, as a day must not end meanwhile
export TZ=NOON$((10#$(date -u +%H) - 12))
live_start PriorityWeightFairshare=1000000 PriorityDecayHalfLife=7-0
file=$cluster/state/history.db

# days WHO: how many days the file has
days ()
{
	"$fathom" history --noheader --parsable "$1" | wc -l
}

has_days ()
{
	(($(days user1) == $1))
}

# figures OWNER: RawShares, RawUsage, FairShare of the last day
figures ()
{
	"$fathom" history --noheader --parsable "$1" | tail -n 1 |
		awk -F '|' '{ print $(NF - 5), $(NF - 3), $(NF - 1) }'
}

by_sshare ()
{
	sshare --all --parsable2 --noheader --format=User,RawShares,RawUsage,FairShare |
		awk -F '|' -v user="$1" '$1 == user { print $2, $3, $4 }'
}

refused=$("$fathom" history user1 2>&1)
is "without HistoryFile: status 2" $? 2
is "and one line" "$refused" \
	"fathom: fathom.conf names no HistoryFile; --history reads a file"

wait_for_ends "$(submit user1 --ntasks=4 --wrap 'sleep 3')"
fathom_conf CalcPeriod=600 HistoryFile=history.db
reconfigure_once
ok "the file comes with a pass" wait_until test -s "$file"
ok "it has the day" wait_until has_days 1
is "its figures are those of sshare" "$(figures user1)" "$(by_sshare user1)"
reconfigure_once
is "another pass adds none" "$(days user1)" 1
controller_kill
controller_start
reconfigure_once
is "nor does one after a kill" "$(days user1)" 1
is "the caller's days" "$(as_user user1 "$fathom" history -nP)" "$("$fathom" history -nP user1)"

### Days

sqlite3 "$file" 'UPDATE day SET time = time - 86400; UPDATE figures SET time = time - 86400'
wait_for_ends "$(submit user1 --ntasks=4 --wrap 'sleep 3')"
jobs_saved
controller_kill
controller_start
reconfigure_once
ok "a new day is added" wait_until has_days 2
like "explain --since" "$("$fathom" explain user1 --since 2d | tr '\n' ' ')" \
	"^On [-0-9]* [:0-9]* the fair-share factor of user1 in account .* now\. .* No shares on \
its path were edited\. The usage of .* grew most on its path, by [0-9.]+ hours"
sacctmgr -iQ modify user user1 set fairshare=77 >/dev/null
like "edited shares" "$("$fathom" explain user1 --since 2d | tr '\n' ' ')" \
	"Shares were edited: those of user1 in account .* from [0-9]+ to 77\."

### The time before

sacct --allusers --parsable2 --starttime=now-1days \
	--format=JobID,User,Account,Partition,State,Submit,Start,End,Elapsed,AllocTRES \
	>"$cluster/jobs"
like "days are rebuilt from sacct" \
	"$("$fathom" history --rebuild --from "$cluster/jobs" --history "$cluster/rebuilt")" \
	"rebuilt: [0-9]* days? added"

### Who may read it

is "everybody" "$(stat -c %a "$file")" 644
slurm_conf PrivateData=usage
fathom_conf HistoryFile=other.db
reconfigure_once
ok "with PrivateData=usage it is made" wait_until test -s "$cluster/state/other.db"
is "for SlurmUser alone" "$(stat -c %a "$cluster/state/other.db")" 600
like "others get an error" "$(as_user user1 "$fathom" history 2>&1)" \
	"^fathom: .*other.db: Permission denied$"
echo "a file of another program, whatever its name may be" >"$cluster/state/text"
fathom_conf HistoryFile=text
reconfigure_once
ok "another program's file" wait_until grep -q \
	"cannot add the day to HistoryFile $cluster/state/text: file is not a database" \
	"$cluster/log/slurmctld.log"
like "stays as it was" "$(cat "$cluster/state/text")" "^a file of another program"
