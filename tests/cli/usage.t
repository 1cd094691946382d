#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom usage on files: what it shows, whose usage WHO means, and what changes do. What it requests
# of a cluster is in tests/live/51-usage.t.
. "${srcdir:=.}/tests/cli/lib.sh"

cat >"$work/tree" <<'END'
Account|User|Partition|RawShares|RawUsage
root||||5000
 physics|||60|4200
  physics|ada|gpu|1|3000
  physics|ada|cpu|1|600
  physics|bob||1|0
 maths|||40|800
  maths|bob||1|500
  maths|cleo||1|300
 cleo|||1|0
END
tree=$work/tree

is "accounts and users, with what is their own" \
	"$(fathom usage --from "$tree" -P | head -n 5)" \
	"Account|User|Partition|RawUsage|OwnUsage|NormUsage
root|||5000|0|1.000000
 physics|||4200|600|0.840000
  physics|ada|gpu|3000|3000|0.600000
  physics|ada|cpu|600|600|0.120000"
is "no header" "$(fathom usage --from "$tree" -nP | head -n 1)" "root|||5000|0|1.000000"
is "-A" "$(fathom usage --from "$tree" -nP -A maths | cut -d '|' -f 1-4 | tr -d ' ')" \
	"maths|||800
maths|bob||500
maths|cleo||300"
is "-u" "$(fathom usage --from "$tree" -nP -u cleo | cut -d '|' -f 2 | sort -u | paste -sd ,)" \
	",cleo"
rejects "an account of none" \
	"fathom: --account: $tree has no account 'mathe'; did you mean maths?" \
	usage --from "$tree" -A mathe
# shellcheck disable=SC2046	# several words
is "--reset of many" "$(fathom usage --from "$tree" --reset $(seq 100 | sed "s/.*/maths/") ada -nP |
	cut -d '|' -f 1,2,4 | tr -d ' ' | paste -sd ' ')" \
	"root||600 physics||600 physics|ada|0 physics|ada|0 physics|bob|0 maths||0 maths|bob|0 \
maths|cleo|0 cleo||0"
is "no partitions, no column" "$(fathom usage --from "$data/demo.sshare" -P | head -n 1)" \
	"Account|User|RawUsage|OwnUsage|NormUsage"
is "resources of LSF" "$(fathom usage --from "$data/l1.json" -P | head -n 1)" \
	"Account|User|RawUsage|OwnUsage|NormUsage|CpuTime|RunTime"
is "nobody has used anything" "$(fathom usage --from "$data/pbs/torque_resource_group" -nP |
	cut -d '|' -f 3- | sort -u)" "0|0|"
sed '1!s/[0-9]*$/123456789012345/' "$tree" >"$work/much"
is "numbers of 15 digits" "$(fathom usage --from "$work/much" -nP | sed -n '1p; 3p' |
	cut -d "|" -f 4)" "740740734074070
123456789012345"
fathom usage --from "$tree" --json >"$work/usage.json"
ok "--json is the format usage" sh -c \
	"'$FATHOM' convert --from '$tree' --to usage | diff - '$work/usage.json'"
sed '1!s/[0-9]*$/0/' "$tree" >"$work/unused"
is "a tree and its usage" \
	"$(fathom usage --from "$work/unused" --from "$work/usage.json" -P 2>&1)" \
	"$(fathom usage --from "$tree" -P)"
printf '%s\n' 'Account|User|RawShares|RawUsage' 'root|||5' ' a||1|5' '  a|bob|1|5' '  a|bob|1|0' \
	>"$work/twice"
is "--json of a user who is twice in an account, once with usage" \
	"$(fathom usage --from "$work/twice" --json | grep -c bob)" 1
is "usage alone" "$(fathom usage --from "$work/usage.json" -nP | cut -d '|' -f 1,2,4 | tr -d ' ')" \
	"root||5000
maths||800
maths|bob|500
maths|cleo|300
physics||4200
physics|ada|600
physics|ada|3000"

### changes

# after OPTION...: usage of physics, ada in gpu and in cpu, bob there, maths, bob, cleo
after ()
{
	fathom usage --from "$tree" -nP "$@" 2>&1 | sed 1d | cut -d '|' -f 4 | head -n 7 |
		paste -sd ' '
}

is "as it is" "$(after)" "4200 3000 600 0 800 500 300"
is "--assign of a user in one account" "$(after --assign ada=1200)" \
	"1800 1000 200 0 800 500 300"
is "of one association" "$(after --assign physics/ada/gpu=7)" "1207 7 600 0 800 500 300"
is "of who has used nothing" "$(after --assign physics/bob=50)" "4250 3000 600 50 800 500 300"
is "of an account" "$(after --assign physics=420)" "420 300 60 0 800 500 300"
is "of an account that has used nothing" \
	"$(fathom usage --from "$tree" -nP --assign cleo/=9 | tail -n 1)" " cleo|||9|9|0.001797"
cat >"$work/thirds" <<'END'
Account|User|RawShares|RawUsage
root|||330
 a||1|300
  a|ada|1|100
  a|bob|1|100
  a|cleo|1|100
 A||1|30
  A|dan|1|30
END
# three thirds of 100 add up to a bit less than 100
is "the usage of members adds up" \
	"$(fathom usage --from "$work/thirds" -nP --assign a/=100 |
		cut -d '|' -f 3 | paste -sd ' ')" "130 100 33 33 33 30 30"
printf '%s\n' 'Account|User|RawShares|RawUsage' 'root|||2e-310' ' a||1|2e-310' '  a|x|1|1e-310' \
	'  a|y|1|1e-310' '  a|z|1|0' >"$work/faint"
is "usage that no number can multiply is none: the account gets all" \
	"$(fathom usage --from "$work/faint" -nP --assign a/=100 |
		cut -d '|' -f 2-4 | paste -sd ' ')" \
	"|100|0 |100|100 x|0|0 y|0|0 z|0|0"
is "of all" "$(after --assign all=500)" "420 300 60 0 80 50 30"
is "--scale" "$(after --scale maths=2 --scale maths/bob=0.5)" "4200 3000 600 0 1100 500 600"
is "--reset of all" "$(after --reset)" "0 0 0 0 0 0 0"
is "--reset of two" "$(after --reset ada maths/cleo)" "600 0 0 0 500 500 0"
is "resets come first" "$(after --assign ada=36 --reset)" "36 36 0 0 0 0 0"
is "an account by its name in capitals" "$(after --scale PHYSICS=0)" "0 0 0 0 800 500 300"

### who

is "an account of which another differs in capitals" \
	"$(fathom usage --from "$work/thirds" -nP --assign A/=60 --scale a/=2 |
		cut -d '|' -f 3 | paste -sd ' ')" "660 600 200 200 200 60 60"
rejects "unknown, with the nearest" \
	"fathom: --assign: physic: $tree has no such account or user; did you mean physics?" \
	usage --from "$tree" --assign physic=1
rejects "nearest to the root" \
	"fathom: --reset: roott: $tree has no such account or user; did you mean root?" \
	usage --from "$tree" --reset roott
rejects "unknown" "fathom: --reset: zzz: $tree has no such account or user" \
	usage --from "$tree" --reset zzz
rejects "in two accounts" \
	"fathom: --scale: bob: is in several accounts, physics and maths; must be ACCOUNT/bob" \
	usage --from "$tree" --scale bob=1
rejects "an account and a user" \
	"fathom: --scale: cleo: is an account and a user of $tree, must be cleo/ or ACCOUNT/cleo" \
	usage --from "$tree" --scale cleo=1
rejects "an unknown account" \
	"fathom: --scale: phusics/ada: $tree has no such account; did you mean physics?" \
	usage --from "$tree" --scale phusics/ada=1
rejects "a user of another account" \
	"fathom: --scale: maths/ada: $tree has no such user there; ada is in account physics" \
	usage --from "$tree" --scale maths/ada=1
rejects "an unknown user" \
	"fathom: --scale: maths/bobb: $tree has no such user in account maths; did you mean bob?" \
	usage --from "$tree" --scale maths/bobb=1
rejects "another partition" \
	"fathom: --scale: physics/ada/fpga: $tree has no such association of this partition" \
	usage --from "$tree" --scale physics/ada/fpga=1
rejects "one of several is wrong" "fathom: --reset: zzz: $tree has no such account or user" \
	usage --from "$tree" --assign maths=4 --reset ada zzz

### scopes

queues="--from $data/lsf/lsb.users --from $data/lsf/lsb.queues"
# shellcheck disable=SC2086	# an option and a file a word
is "a queue of LSF" "$(fathom usage $queues --from "$data/lsf/lsb.acct" --scope night -nP 2>&1 |
	cut -d '|' -f 1-3)" \
	"$(fathom shares $queues --from "$data/lsf/lsb.acct" --scope night -nP \
		-o Account,User,RawUsage)"
# shellcheck disable=SC2086
rejects "one of several queues" \
	"fathom: --scope: must name one of several trees: normal or night" usage $queues
scopes=$data/figures/scopes.json
is "a scope of a FiguresFile" \
	"$(fathom usage --from "$scopes" --scope gpu -nP | cut -d '|' -f 1-3)" \
	"$(fathom shares --from "$scopes" --scope gpu -nP -o Account,User,RawUsage)"
rejects "a file without scopes" \
	"fathom: --scope: $tree has no scopes; the FiguresFile of a cluster with Scope lines has \
them" \
	usage --from "$tree" --scope gpu
rejects "changes of a scope of the cluster" \
	"fathom: --scope: cannot be used with changes of the running cluster" \
	usage --scope gpu --reset
printf 'HalfLife=1d\n' >"$work/fathom.conf"
cat >"$work/jobs" <<'END'
JobID|User|Account|State|Submit|Start|End|Elapsed|AllocTRES
1|ada|physics|COMPLETED|1704067200|1704067200|1704067201|00:00:01|cpu=1,billing=4096
2|bob|physics|COMPLETED|1704153600|1704153600|1704153601|00:00:01|cpu=1,billing=4096
END
is "the half-life of a fathom.conf" "$(fathom usage --from "$work/fathom.conf" \
	--from "$work/jobs" -nP -u ada,bob | cut -d '|' -f 2,3 | paste -sd ' ')" "|6143 |6143 \
ada|2047 bob|4095"

# nobody's jobs run, so that all run times are 0; without any, usage would stand for them
# shellcheck disable=SC2086
fathom usage $queues --from "$data/lsf/lsb.acct" --scope night --json >"$work/of-queue.json"
# shellcheck disable=SC2086
is "priorities of LSF are the same by the usage that was written" \
	"$(fathom shares $queues --from "$work/of-queue.json" --scope night -nP -o User,Priority)" \
	"$(fathom shares $queues --from "$data/lsf/lsb.acct" --scope night -nP -o User,Priority)"

### wrong use

for value in physics physics= =5 physics=x physics=-1 physics=nan physics=inf physics=1e999; do
	fathom usage --from "$tree" --assign "$value" >"$work/out" 2>"$work/err"
	like "--assign $value" "$? $(cat "$work/out" "$work/err")" "2 fathom: --assign: *must be *"
done
rejects "an operand without --reset" \
	"fathom: ada: not expected without --reset; see fathom usage --help" \
	usage --from "$tree" ada
rejects "--json with -A" "fathom: --account: cannot be used with --json, which prints all" \
	usage --from "$tree" --json -A maths
rejects "a file with jobs" \
	"fathom: $data/jobs/demo.json:1: has jobs (fathom-jobs), must have a tree; see fathom prio \
--help" \
	usage --from "$data/jobs/demo.json"
rejects "no cluster" "fathom: --json: cannot be used with changes of the running cluster" \
	usage --json --reset

### Sums of other policies

cat >"$work/sums.json" <<'END'
{"format": "fathom-tree", "version": 1, "time": 1700000000, "nodes": [
 {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
 {"id": 2, "parent": 1, "name": "ada", "kind": "user", "shares": 1, "usage": 100,
  "cpu_time": 40, "run_time": 7, "hist_run_time": 60},
 {"id": 3, "parent": 1, "name": "bob", "kind": "user", "shares": 1, "usage": 100,
  "cpu_time": 40, "run_time": 7, "hist_run_time": 60}
]}
END
# sums_after OPTION...: what ada and bob have then
sums_after ()
{
	fathom usage --from "$work/sums.json" "$@" --json |
		sed -n 's/.*"user": "\([a-z]*\)", \([^}]*\)}.*/\1: \2/p' | tr -d '"'
}
is "a reset takes the sums of policies, too" "$(sums_after --reset ada)" \
	"ada: usage: 0, run_time: 7
bob: usage: 100, cpu_time: 40, run_time: 7, hist_run_time: 60"
is "they change in the proportion of usage" "$(sums_after --assign ada=50 --scale bob=2)" \
	"ada: usage: 50, cpu_time: 20, run_time: 7, hist_run_time: 30
bob: usage: 200, cpu_time: 80, run_time: 7, hist_run_time: 120"
finish
