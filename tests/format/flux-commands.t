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
is "other ways to write them, options that tell nothing of the tree" \
	"$(fathom shares --from commands -nP -o Account,User,RawShares)" \
"root||
 physics||60
  physics|ada|1
  physics|b\"o'b|5
 maths 2||40"

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
refuses "another command" "unknown command 'flux account delete-bank root', must be flux account \
add-bank or flux account add-user" "flux account delete-bank root"
refuses "a command of a shell" "unknown command 'touch hit', must be flux account add-bank or flux \
account add-user" "touch hit"
plain="is not plain: a quote is open, or a shell would change it; must be in single quotes"
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
