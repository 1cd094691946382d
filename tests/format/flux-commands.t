#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Trees as the commands of flux-accounting that make them: written so that a shell takes each word
# as it is, and read without a shell.
. "${srcdir:=.}/tests/cli/lib.sh"
file=$work/commands

# to_commands TREE: into $file
to_commands ()
{
	fathom convert --from "$1" --to flux-commands >"$file" 2>"$work/err"
}

for tree in no_tie tie tie_all zero_shares; do
	tree=$data/flux/small_$tree.csv
	to_commands "$tree"
	is "$(basename "$tree"): the same when it is read again" \
		"$(fathom shares --from "$file" -nP -o Account,User,RawShares)" \
		"$(fathom shares --from "$tree" -nP -o Account,User,RawShares)"
done
to_commands "$data/flux/minimal.csv"
is "the usage is not kept, which is said" "$(cut -d : -f 3- "$work/err" | head -n 1)" \
	"$(fathom convert --from "$data/flux/minimal.csv" --to pbs-group 2>&1 >/dev/null |
	cut -d : -f 3- | head -n 1)"

# name NAME: a tree with a user and a bank of this name; JSON
name ()
{
	cat <<END
{"format": "fathom-tree", "version": 1, "nodes": [
 {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
 {"id": 2, "parent": 1, "name": "$1", "kind": "account", "shares": 7, "usage": 0},
 {"id": 3, "parent": 2, "name": "$1", "kind": "user", "shares": 3, "usage": 0}]}
END
}

name physics-1.a >"$work/tree.json"
to_commands "$work/tree.json"
is "the commands" "$(cat "$file")" \
"flux account add-bank root 1
flux account add-bank --parent-bank=root physics-1.a 7
flux account add-user --username=physics-1.a --bank=physics-1.a --shares=3"

# a shell that runs the commands gets each name in one piece
cat >"$work/run" <<'END'
flux ()
{
	for word; do
		printf '<%s>' "$word"
	done
	echo
}
END
cd "$work" || exit 1
case $FATHOM in /*) ;; *) FATHOM=$OLDPWD/$FATHOM ;; esac
# shellcheck disable=SC2016	# a shell must not put anything in their place
for word in 'a b' "it's" '$(touch hit)' '`touch hit`' '$HOME' '*' 'a;touch hit' 'a|b' '#a' 'a#b' \
	'~' '!' 'a&b' '<hit' '>hit' '{a,b}' "''" "'; touch hit; '" 'ä' '=a' '\\'; do
	shown=$(printf '%s' "$word" | sed 's/\\\\/\\/')
	name "$word" >tree.json
	to_commands tree.json
	is "a shell gets $shown" "$(cat run commands | sh 2>&1)" \
"<account><add-bank><root><1>
<account><add-bank><--parent-bank=root><$shown><7>
<account><add-user><--username=$shown><--bank=$shown><--shares=3>"
	is "it is read again: $shown" "$(fathom shares --from commands -nPU -o Account,User)" \
		"$shown|$shown"
done
is "nothing was run" "$(ls hit 2>&1 | grep -c 'No such')" 1

### Reading

cat >commands <<'END'
# made by hand

flux account add-bank "root" 1
flux account add-bank  physics	60 --parent-bank root --priority=300
flux account add-bank --parent-bank 'root' maths\ 2 40
flux account add-user -u ada --userid=1000 -Bphysics
flux account add-user --shares 5 --bank=physics -u "b\"o'b" --max-nodes 5
END
is "other ways to write them, options that are not kept" \
	"$(fathom shares --from commands -nP -o Account,User,RawShares)" \
"root||
 physics||60
  physics|ada|1
  physics|b\"o'b|5
 maths 2||40"

cat >commands <<'END'
	# comments and blanks stand where a shell takes them
	flux account add-bank root 1 \
		\
	# the whole machine \
  flux account add-bank --parent-bank=root phy\
sics 60   # not "quoted
flux account add-user --username=b#b --bank=physics "--shares=\
2"

flux account add-user --username=ada \
   --bank=physics --shares=10
END
wanted="root||
 physics||60
  physics|b#b|2
  physics|ada|10"
is "indented and continued lines, comments behind commands" \
	"$(fathom shares --from commands -nP -o Account,User,RawShares)" "$wanted"
sed 's/$/\r/' commands >crlf
is "with line ends of Windows" \
	"$(fathom shares --from crlf -nP -o Account,User,RawShares)" "$wanted"
printf '%s\n' 'flux account add-bank "a\b\\c\"" 1' >commands
is "a backslash in double quotes stays, except before what it guards" \
	"$(fathom shares --from commands -nP -o Account)" 'a\b\c"'
printf '%s\n' "flux account add-bank root 1" "flux account \\" "add-bank x" >commands
rejects "the first line of a continued one is named" "fathom: commands:2: a part is missing, must \
be flux account add-bank [--parent-bank=NAME] NAME SHARES" shares --from commands

# refuses TEXT MESSAGE LINE...: in the last line
refuses ()
{
	refuses_text=$1 refuses_message=$2
	shift 2
	printf '%s\n' "flux account add-bank root 1" "$@" >commands
	rejects "$refuses_text" "fathom: commands:$(($# + 1)): $refuses_message" \
		shares --from commands
}

user='flux account add-user --username=NAME --bank=NAME [--shares=SHARES]'
bank='flux account add-bank [--parent-bank=NAME] NAME SHARES'
names="add-bank, add-user, edit-bank, edit-factor, add-queue or edit-queue"
refuses "another command" "unknown command 'flux account delete-bank root', must be flux account \
with $names" "flux account delete-bank root"
refuses "a command of a shell" "unknown command 'touch hit', must be flux account with $names" \
	"touch hit"
plain="is not plain: a quote is open, or a shell would change it; must be in single quotes"
refuses "more words than any command has" "has more than 64 words, must have fewer" \
	"flux account add-bank $(seq -s ' ' 62)"
refuses "a second command in the line" "word 6 $plain" \
	"flux account add-bank --parent-bank=root a 1; touch hit"
# shellcheck disable=SC2016
refuses "what a shell puts in its place" "word 5 $plain" \
	'flux account add-bank --parent-bank=root "$(touch hit)" 1'
refuses "a quote that is not closed" "word 5 $plain" \
	"flux account add-bank --parent-bank=root 'a 1"
refuses "no user" "a part is missing, must be $user" "flux account add-user --bank=root"
refuses "no shares" "a part is missing, must be $bank" "flux account add-bank --parent-bank=root a"
refuses "a word too much" "not expected: '2', must be $bank" \
	"flux account add-bank --parent-bank=root a 1 2"
refuses "an option at the end" "an option without value, '--shares', must be $user" \
	"flux account add-user -u a -B root --shares"
refuses "shares that are none" "shares are '-1', must be an integer of 0 or more" \
	"flux account add-user -u a -B root --shares=-1"
refuses "a second root" "a second bank without parent, 'a', must be below a bank; only the first \
has none" "flux account add-bank a 1"
refuses "a bank of a later line" "the bank above is 'b', must be that of an earlier line" \
	"flux account add-bank --parent-bank=b a 1"
refuses "a bank twice" "a second bank 'root', must be another name" \
	"flux account add-bank --parent-bank=root root 1"

refuses "a change of a bank that no line adds" "the bank is 'a', must be that of an earlier line" \
	"flux account edit-bank a --priority=3"
refuses "a change of no bank" \
	"a part is missing, must be flux account edit-bank NAME [--shares=SHARES] \
[--parent-bank=NAME] [--priority=PRIORITY]" "flux account edit-bank --priority=3"
refuses "a priority that is none" "priority is 'high', must be a number" \
	"flux account edit-bank root --priority=high"
refuses "a factor that flux-accounting does not have" \
	"factor is 'age', must be fairshare, queue, bank or urgency" \
	"flux account edit-factor --factor=age --weight=1"
refuses "a weight that is none" "BankWeight: 'x' is not a number; for example 0" \
	"flux account edit-factor --factor=bank --weight=x"
refuses "a priority of a queue that is none" "priority is '1.5', must be an integer" \
	"flux account add-queue q --priority=1.5"
refuses "a bank below itself" "'a': id 2 is its own ancestor: a cycle" \
	"flux account add-bank --parent-bank=root a 1" \
	"flux account edit-bank a --parent-bank=a"

### Priorities and weights: the example of flux-accounting's documentation

cat >commands <<'END'
flux account add-bank root 1
flux account add-bank --parent-bank=root A 1
flux account add-bank --parent-bank=root B 1
flux account add-bank --parent-bank=root C 1 --priority=7
flux account add-user --username=user1 --bank=A --userid=1001
flux account add-user --username=user2 --bank=A --userid=1002 --max-nodes=5
flux account add-user --username=user3 --bank=B
flux account add-user --username=user4 --bank=B
flux account add-user --username=user2 --bank=C --userid=1002
flux account add-user --username=user5 --bank=C
flux account edit-bank A --priority=300
flux account edit-bank B --priority=100
flux account edit-bank C --priority=-5 --shares=3
flux account add-queue bronze --priority=1 --max-nodes-per-job=5
flux account add-queue gold --priority=9
flux account add-queue low --priority=-2
flux account edit-queue gold --priority=10
flux account add-queue high --priority=65534
flux account edit-factor --factor=bank --weight=10
flux account update-usage
flux account view-user --json user2
flux account list-banks
flux account-priority-update
END
cat >jobs.json <<'END'
{"format": "fathom-jobs", "version": 1, "jobs": [
 {"job_id": 1, "user": "user2", "account": "A", "fairshare": 0.5},
 {"job_id": 2, "user": "user2", "account": "C", "fairshare": 0.5},
 {"job_id": 3, "user": "user2", "account": "C", "fairshare": 0.5, "partitions": ["gold"]},
 {"job_id": 4, "user": "user2", "account": "A", "fairshare": 0.5, "bank": 0},
 {"job_id": 5, "user": "user2", "account": "A", "fairshare": 0.5, "partitions": ["low"]},
 {"job_id": 6, "user": "user2", "account": "A", "fairshare": 0.5, "partitions": ["high"]}]}
END
is "user2 in banks A and C" \
	"$(fathom prio --from commands --from jobs.json -nP -o JobID,Priority | head -n 2)" \
"1|53000${newline}2|49950"
is "in a queue; a job that has the priority of its bank" \
	"$(fathom prio --from commands --from jobs.json -nP -o JobID,Priority | sed -n 3,4p)" \
"3|149950${newline}4|50000"
is "in queues whose priorities Slurm cannot have" \
	"$(fathom prio --from commands --from jobs.json -nP -o JobID,Priority | tail -n 2)" \
"5|33000${newline}6|655393000"
fathom convert --from commands --from jobs.json --to fathom-jobs >low.json 2>err
is "they are kept by fathom-jobs" \
	"$(fathom prio --from commands --from low.json -nP -o JobID,Priority | tail -n 2)" \
"5|33000${newline}6|655393000"
is "edit-bank --shares" \
	"$(fathom shares --from commands -nP -o Account,RawShares | sed -n '/C|3/p')" " C|3"
is "edit-bank --parent-bank" "$( (cat commands; echo flux account edit-bank C --parent-bank=B) |
	fathom shares --from - --policy fair-tree -anP -o Account,User | sed -n '/^ *C/p')" \
"  C|${newline}   C|user2${newline}   C|user5"
long=$(printf '%0250d' 7)
rm -rf moved
(cat commands; echo "flux account add-bank --parent-bank=root --priority=12345 $long 1") |
	fathom convert --from - --to slurm --out moved 2>/dev/null
is "a priority behind a long name" "$(sed -n "s/^BankPriority=$long\([^ ]*\).*/\1/p" \
	moved/fathom.conf)" ":12345"
rm -rf moved
is "what is not kept, each option once" \
	"$(fathom convert --from commands --to slurm --out moved 2>&1)" \
"fathom: commands:5: option --userid of add-user, here and in 2 more lines
fathom: commands:6: option --max-nodes of add-user
fathom: commands:14: option --max-nodes-per-job of add-queue
fathom: commands:16: priority -2 of queue low: PriorityJobFactor is an integer from 0 to 65533, \
becomes 0
fathom: commands:18: priority 65534 of queue high: PriorityJobFactor is an integer from 0 to \
65533, becomes 65533"
is "--strict refuses it" "$(fathom convert --from commands --to slurm --out strict --strict 2>&1
	ls strict 2>&1)" \
"fathom: commands:5: option --userid of add-user, here and in 2 more lines; --strict refuses this
ls: cannot access 'strict': No such file or directory"
is "policy flux, with priorities of banks and weights" \
	"$(sed 's/ # .*//; /^#/d' moved/fathom.conf)" \
"Policy=flux
BankWeight=10
BankPriority=A:300
BankPriority=B:100
BankPriority=C:-5"
is "priorities of queues" "$(sed -n 's/ # .*//; /^PartitionName/p' moved/slurm.conf)" \
"PartitionName=bronze PriorityJobFactor=1
PartitionName=gold PriorityJobFactor=10
PartitionName=low PriorityJobFactor=0
PartitionName=high PriorityJobFactor=65533"

cat >two <<'END'
flux account add-bank root 1
flux account add-bank --parent-bank=root A 1
flux account add-bank --parent-bank=root B 3
flux account add-user --username=u1 --bank=B
flux account add-user --username=u1 --bank=A
flux account add-user --username=u2 --bank=B
END
is "the first bank of a user in several banks is the default one" \
	"$(fathom convert --from two --to sacctmgr 2>&1 | grep "^User - 'u")" \
"User - 'u1':DefaultAccount='b':FairShare=1
User - 'u1':DefaultAccount='b':FairShare=1
User - 'u2':FairShare=1"
is "and stays the first one when it is written" \
	"$(fathom convert --from two --to flux-commands 2>&1 |
		sed -n '/default/p; s/ --shares=1//; /u1/p')" "$(grep u1 two)"

fathom convert --from two --to sacctmgr 2>/dev/null |
	sed "/u1/s/DefaultAccount='b'/DefaultAccount='root'/" >other
is "a default account in which the user has no association" \
	"$(fathom convert --from other --to flux-commands 2>&1 >/dev/null)" \
	"fathom: flux-commands: does not keep the default account of 2 associations, in which \
the user has none"

### Writing: what is refused

# cannot TEXT MESSAGE
cannot ()
{
	rejects "$1" "fathom: --to: $2" convert --from tree.json --to flux-commands
}

name "-a" >tree.json
"$FATHOM" convert --from tree.json --to flux-commands >out 2>err
like "a name like an option" "$? $(cat out err)" "2 fathom: --to: * '-a'*flux-commands*rename it"
sed 's/"parent": 2/"parent": 1/' tree.json | sed 's/"-a"/"a"/' >mixed && mv mixed tree.json
cannot "users beside banks" "account 'root' has users and accounts; a bank has only one of both"
name a | sed 's/"shares": 3/"shares": "parent"/' >tree.json
cannot "shares parent" \
	"user 'a': has shares \"parent\", which flux-commands cannot have; give a number"
name root >tree.json
"$FATHOM" convert --from tree.json --to flux-commands >out 2>err
like "a bank twice" "$? $(cat out err)" "2 fathom: --to: account 'root'*flux-commands*rename it"
finish
