#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage that is carried over, assigned, scaled and reset: sshare shows it, each change is made once
# whatever slurmctld goes through, and its log says who has requested it.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

fathom=$FATHOM_BUILD/src/cli/fathom
state=$cluster/state
waiting=$state/fathom_usage_request

# figures: usage of the root, of accounts and users that have any
figures ()
{
	sshare --all --parsable2 --noheader --format=Account,User,RawUsage | tr -d ' ' |
		grep -v '|0$' | paste -sd ' '
}

# change OPTION...: requests a change and lets a pass make it
change ()
{
	"$fathom" usage "$@" >"$cluster/said" 2>&1 && pass_now
}

# refused OPTION...: is a change refused with one line on stderr?
refused ()
{
	"$fathom" usage "$@" >"$cluster/out" 2>"$cluster/said" || (($? == 2)) || return
	[[ ! -s $cluster/out && $(wc -l <"$cluster/said") == 1 && ! -e $waiting ]]
}

usage_start
accounts=$(sshare --all --parsable2 --noheader --format=Account,User | tr -d ' ')
account=$(awk -F '|' '$2 == "user1" { print $1; exit }' <<<"$accounts")
is "nobody has used anything" "$(figures)" ""

### an import

cat >"$cluster/old.json" <<END
{"format": "fathom-usage", "version": 1, "time": $(date +%s), "usage": [
 {"account": "$account", "usage": 500},
 {"account": "$account", "user": "user1", "usage": 4000},
 {"account": "$account", "user": "nobody", "usage": 30},
 {"account": "nowhere", "user": "user1", "usage": 7}]}
END
fathom_conf ImportUsage="$cluster/old.json"
pass_now
imported=$(figures)
is "an import: the user" "$(share_of "$account" user1 RawUsage)" 4000
is "an import: the root has all that found an account" "$(share_of root '' RawUsage)" 4530
ok "the log says how much" controller_said \
	'ImportUsage: usage of 3 associations is added from .*old.json: 4530 s, decayed since'
ok "and who is missing" controller_said \
	"2 of .*old.json are no associations: $account/nobody, nowhere/user1; usage of 1 goes to"
users_of ()
{
	"$fathom" "$@" -nP | cut -d '|' -f 2 | grep . | paste -sd ' '
}

is "fathom usage shows of the users only the caller, as fathom shares does" "$(users_of usage)" \
	"$(users_of shares)"
is "that is who runs it" "$(users_of usage)" root
is "with -a both show all" "$(users_of usage -a)" "$(users_of shares -a)"
is "with -u those that are named" "$(users_of usage -u user1)" "user1"
is "fathom usage shows what is the account's own" \
	"$("$fathom" usage -nP -A "$account" | tr -d ' ' | head -n 1 | cut -d '|' -f 1-4)" \
	"$account||4530|530"
pass_now
is "the next pass adds nothing" "$(figures)" "$imported"
controller_kill && controller_start && pass_now
is "kill -9 and a restart: nor does it" "$(figures)" "$imported"
controller_stop && controller_start && pass_now
is "a usual restart: nor does it" "$(figures)" "$imported"
cp "$cluster/old.json" "$cluster/copy.json"
fathom_conf ImportUsage="$cluster/copy.json"
pass_now
is "nor another file of the same content" "$(figures)" "$imported"
ok "which the log says" controller_said 'ImportUsage: usage of .*copy.json has been added before'

echo '{' >"$cluster/wrong.json"
fathom_conf ImportUsage="$cluster/wrong.json"
pass_now
is "a wrong file changes nothing" "$(figures)" "$imported"
ok "and the log says what is wrong" controller_said \
	'ImportUsage: .*wrong.json:2: the file ends where .* is expected; no usage is added'
fathom_conf ImportUsage=
pass_now

### from one cluster into another

"$fathom" usage --json --out "$cluster/carried.json"
change --reset
is "--reset of all" "$(figures)" ""
fathom_conf ImportUsage="$cluster/carried.json"
pass_now
is "what fathom usage --json printed is imported" "$(figures)" "$imported"
fathom_conf ImportUsage=
pass_now

### changes

day=$(date +%F)
change --assign user1=1000
is "--assign of a user" "$(share_of "$account" user1 RawUsage) $(share_of root '' RawUsage)" \
	"1000 1530"
ok "the log says who, where, when, from, to" controller_said \
	"usage of user user1 in account $account: from 4000 to 1000 s, assigned by root on \
$(hostname) at ($day|$(date +%F))T[0-9:]*"
like "the command says what will be" "$(cat "$cluster/said")" \
	"usage of user user1 in account $account: will be 1000"
change --scale "$account/=2"
is "--scale of an account" "$(share_of "$account" user1 RawUsage) $(share_of root '' RawUsage)" \
	"2000 3060"
change --assign "$account/=306"
is "--assign of an account keeps proportions" \
	"$(share_of "$account" user1 RawUsage) $(share_of root '' RawUsage)" "200 306"
change --reset user1
is "--reset of a user" "$(share_of "$account" user1 RawUsage) $(share_of root '' RawUsage)" "0 106"
ok "the file of a request is removed" test ! -e "$waiting"

### a job that runs

job=$(submit user1 --ntasks=4)
wait_for_job "$job" RUNNING
sleep 3
change --assign user1=10
begun=$(pass_time)
sleep 2 && pass_now
is "a job is charged on from there" "$(share_of "$account" user1 RawUsage)" \
	$((10 + 4 * ($(pass_time) - begun)))
scancel "$job" && wait_for_job "$job" CANCELLED
pass_now

### kill -9

# or else slurmctld starts with the job as running, and ends it a second later
jobs_saved

before=$(share_of root '' RawUsage)
"$fathom" usage --scale all=3 >/dev/null
like "a request of SlurmUser's alone" "$(stat -c '%a %U' "$waiting")" "^600 "
"$fathom" usage --scale all=5 >"$cluster/out" 2>"$cluster/said"
is "another one has to wait" "$? $(cat "$cluster/out")" "2 "
like "which is said" "$(cat "$cluster/said")" "another request still waits for the next pass"
cp -p "$waiting" "$cluster/request"
controller_kill && controller_start && pass_now
is "killed before the pass: it is made" "$(share_of root '' RawUsage)" $((3 * before))
controller_kill
cp -p "$cluster/request" "$waiting"
controller_start && pass_now
is "killed before its file was removed: it is not made again" "$(share_of root '' RawUsage)" \
	$((3 * before))
ok "and the file is removed" test ! -e "$waiting"

### refused

like "a user has no right" "$(as_user user1 "$fathom" usage --reset 2>&1)" \
	"^fathom: --reset: must be run by root or SlurmUser \([a-z]*\)\$"
ok "a name of nobody" refused --assign user11=5
like "with the nearest" "$(cat "$cluster/said")" "has no such account or user; did you mean user1"
printf '{' >"$waiting" && chmod 600 "$waiting"
pass_now
ok "a file that is no request" controller_said \
	'refusing the request .*fathom_usage_request: line 1: '
sed 's/"id": "/&x/' "$cluster/request" >"$waiting" && chmod 666 "$waiting"
pass_now
ok "a request that others could have written" controller_said \
	'fathom_usage_request: others than its owner have rights to it, must be of mode 0600'
is "neither changes anything" "$(share_of root '' RawUsage)" $((3 * before))
