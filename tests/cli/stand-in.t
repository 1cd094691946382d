#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# What fathom does with the answers of a running cluster, for which files stand in: see stand_in.c.
. "${srcdir:=.}/tests/cli/lib.sh"
: "${builddir:=.}"
stand_in=$builddir/tests/cli/stand_in
built_with libslurm "answers of a running cluster" || finish

tree="--from $data/demo.sshare"
cp "$data/jobs/demo.json" "$work/jobs"
# shellcheck disable=SC2086	# words
fathom convert $tree --to fathom >"$work/tree"
export STAND_IN_TREE="$work/tree" STAND_IN_PRIORITIES="$work/priorities" STAND_IN_JOBS="$work/jobs"

# of_files ARGUMENT...: the same from files
of_files ()
{
	# shellcheck disable=SC2086	# words
	fathom prio $tree --from "$data/jobs/demo.json" "$@"
}

of_files --policy classic --json >"$work/priorities"
is "priorities are slurmctld's" "$("$stand_in" prio -S -Y)" "$(of_files --policy classic -S -Y)"
is "or those under another policy" "$("$stand_in" prio --policy fair-tree -S -Y)" \
	"recomputed from sprio and sshare figures: policy fair-tree
$(of_files --policy fair-tree -S -Y)"
is "a remark about the tree is not made without it" \
	"$(STAND_IN_REMARK="it is old" "$stand_in" prio 2>&1 >/dev/null)" ""
is "else it is" \
	"$(STAND_IN_REMARK="it is old" "$stand_in" prio --policy fair-tree 2>&1 >/dev/null)" \
	"fathom: it is old"
is "fair share without a weight" \
	"$(STAND_IN_WEIGHTLESS=yes "$stand_in" explain 7 2>&1 >/dev/null)" \
	"fathom: tux: fair share has no weight, so that it does not decide which jobs go first"
is "nothing is said of what is not known" \
	"$(STAND_IN_UNKNOWN=yes STAND_IN_WEIGHTLESS=yes "$stand_in" explain 7 2>&1 >/dev/null |
		grep weight)" ""
is "a shadow policy that is none" "$("$stand_in" prio --shadow 2>&1)" \
	"fathom: --shadow: tux has no shadow policy; set ShadowPolicy in fathom.conf"

# of_formula FORMULA: slurmctld has it
of_formula ()
{
	of_files --policy classic --formula "$1" --json >"$work/priorities"
	# a user whom the tree lacks
	sed -i '/"job_id": 7/s/user3/stranger/' "$work/priorities" "$work/jobs"
}
of_formula '10000*norm_shares'
for pair in "7 5" "5 7"; do
	# shellcheck disable=SC2086	# words
	like "a formula that has no value for one job: $pair" \
		"$("$stand_in" explain $pair | paste -sd ' ')" \
		"*Job 7 of stranger*comes behind*What would swap them is not known: the formula \
uses norm_shares, whose value is not known here.*"
done
of_formula '10000*fairshare_factor'
like "a factor that the tree lacks is the one that slurmctld sent" \
	"$("$stand_in" explain 7 5 | paste -sd ' ')" \
	"*of job 7 comes from*: 10000[*]0.125 = 1,250.*of job 5 comes from*: 10000[*]0.408479 = *"

if [ -c /dev/full ]; then
	"$stand_in" usage --scale all=0.5 >/dev/full 2>"$work/err"
	is "changes that are requested, although nothing can be printed" "$? $(cat "$work/err")" \
		"2 fathom: standard output: No space left on device; the changes are requested all \
the same; do not repeat the command"
else
	skip "changes that are requested" "no /dev/full"
fi
export STAND_IN_HIDDEN=yes
for command in shares usage report; do
	is "scopes are hidden with a part of the tree: $command" \
		"$("$stand_in" $command --scope off 2>&1)" \
		"fathom: --scope: PrivateData hides a part of the tree of tux, and so its scopes"
done
finish
