#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom shares --view pbsfs: what OpenPBS's pbsfs prints, byte by byte.
. "${srcdir:=.}/tests/cli/lib.sh"

example=$data/pbs/example.pbsfs

# view OPTION...: of the example, whose nodes begin with a usage of 1 as in PBS
view ()
{
	fathom shares --from "$example" --set initial_usage=1 --view pbsfs -- "$@"
}

# shows TEXT FILE OPTION...
shows ()
{
	shows_text=$1 shows_file=$2
	shift 2
	view "$@" >"$work/printed" 2>&1
	ok "$shows_text" diff "$shows_file" "$work/printed"
}

shows "all nodes" "$example"
shows "-p" "$example" -p
shows "-t" "$data/views/pbsfs-tree.txt" -t
shows "-g, the example of PBS's design" "$data/views/pbsfs-scott.txt" -g scott
is "-g, with the group" "$(view -g group2/scott)" "$(view -g scott)"
is "-g of the root" "$(view -g TREEROOT | sed -n '2p;4p;5p;$p')" "Resgroup		: -1
Shares			: -1
Percentage		: 100.000000%
TREEROOT  :     0       1201 / 1.000 = 1201"
is "-g without shares" "$(view -g unknown | sed -n '8p;$p')" "usage/perc		: -1
unknown   :     1          1 / 0.000 = -1"
is "-c: the path decides" "$(view -c suzy bob) $(view -c cathy suzy)" "bob cathy"
is "-c: equal ones" "$(view -c bob cathy)" "bob == cathy"
is "-I, and options in one word" "$(view -tI other | wc -l)" 8
is "the unit of usage" \
	"$(fathom shares --from "$example" --set fairshare_usage_res='ncpus*walltime' \
	--view pbsfs -- -g bob | grep '^usage	')" \
	"usage			: 100 (ncpus*walltime)"
is "its output is read again" \
	"$(view | fathom shares --from - --view pbsfs -- -c bob scott)" bob

# a tree of Slurm's has no numbers of groups but the ids, shares of a parent, and no unit
fathom shares --from "$data/c2.json" --policy fair-tree --view pbsfs >"$work/printed"
ok "another policy: '-' for what it lacks" diff "$data/views/pbsfs-c2.txt" "$work/printed"
is "-g of another policy" "$(fathom shares --from "$data/c2.json" --policy classic --view pbsfs -- \
	-g A/u3 | sed -n '6,7p')" "fairshare_tree_usage	: -
usage			: 50 (-)"
is "-c of another policy" "$(fathom shares --from "$data/c2.json" --policy lsf --view pbsfs -- \
	-c u1 u2)" -

### What is refused

rejects "an entity that is not there" "fathom: scot: $example has no such entity; did you mean \
scott?" shares --from "$example" --view pbsfs -- -g scot
sed 's/"u2"/"u1"/; s/"id": 4, "parent": 3/"id": 4, "parent": 7/' "$data/c2.json" >"$work/twice.json"
rejects "a user of two accounts" \
	"fathom: u1: there are several in $work/twice.json; must be GROUP/NAME" \
	shares --from "$work/twice.json" --view pbsfs -- -g u1
rejects "-g of nobody" "fathom: -g: needs one entity, such as -g scott" \
	shares --from "$example" --view pbsfs -- -g
rejects "-c of one" "fathom: -c: needs two entities, such as -c bob scott" \
	shares --from "$example" --view pbsfs -- -c bob
rejects "an entity without -g" "fathom: bob: not expected; -g shows an entity" \
	shares --from "$example" --view pbsfs -- -t bob
for option in -s -d -e; do
	rejects "$option writes" \
		"fathom: $option: changes what the tool keeps; a view only prints" \
		shares --from "$example" --view pbsfs -- $option bob 3
done
rejects "an option that pbsfs lacks" \
	"fathom: -x: unknown option; see fathom shares --view pbsfs -- --help" \
	shares --view pbsfs -- -x
own='has its own options for rows and columns; put them behind "--": --view pbsfs -- OPTION'
for option in -P -l -n -a -U -m --json '-o User' '-u bob' '-A group1' '-p x' '-S User'; do
	# shellcheck disable=SC2086	# an option and its argument
	rejects "fathom's own $option" "fathom: --view: pbsfs $own" \
		shares --from "$example" --view pbsfs $option
done
one="fathom: --view: shows one policy; cannot be used with several, or with --shadow"
rejects "two policies" "$one" shares --from "$example" --view pbsfs --policy pbs,lsf
rejects "--shadow" "$one" shares --from "$data/figures/shadow.json" --view pbsfs --shadow
rejects "two values of a setting" \
	"fathom: --view: shows one policy; several values of a setting stand side by side" \
	shares --from "$example" --view pbsfs --set initial_usage=1 --set initial_usage=2
like "--help" "$(fathom shares --view pbsfs -- --help)" "Usage: fathom shares * -g, --get *"
is "--version is fathom's" "$(fathom shares --view pbsfs -- --version)" "$(fathom --version)"
ok "--out" "$FATHOM" shares --from "$example" --set initial_usage=1 --view pbsfs --out "$work/file"
ok "--out has what is printed" diff "$example" "$work/file"
finish
