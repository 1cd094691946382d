#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Completion: what bash offers for a command line, and that each command takes part.
. "${srcdir:=.}/tests/cli/lib.sh"

c1=$data/c1.json
# shellcheck source=contrib/completion/fathom
. "$srcdir/contrib/completion/fathom"
files=
# outside a completion bash's own would complain
compopt ()
{
	[ "$2" != default ] || files=' (files)'
}

# offered WORD...: the last one is completed
offered ()
{
	COMP_WORDS=(fathom "$@") COMP_CWORD=$# files=
	_fathom fathom "${*: -1}" "${*: -2:1}"
	echo "${COMPREPLY[*]}$files"
}

is "commands" "$(offered sh)" shares
like "all of them" "$(offered '')" "--help --version*explain*help*lint*pools*prio*shares*"
is "which are those of the help" \
	"$(for command in $(commands); do offered "$command"; done | paste -sd ' ')" "$(commands)"
is "help COMMAND" "$(offered help pr)" prio
for command in $(commands); do
	is "$command: the options of its help" "$(offered "$command" -)" \
		"$(fathom "$command" --help | sed -n '/^Policies/q
			s/^  \(-.\), \(--[-a-zA-Z]*\).*/\1 \2/p; s/^      \(--[-a-zA-Z]*\).*/\1/p' |
			tr ' ' '\n' | sort -u | paste -sd ' ')"
done
is "an option" "$(offered shares --pol)" --policy
is "policies" "$(offered shares --policy f)" "fair-tree fcfs flux"
is "a list of policies" "$(offered shares --policy classic,l)" "classic,lsf"
is "policies behind '='" "$(offered shares --policy = l)" "lsf"
like "just behind it" "$(offered shares --policy =)" "classic *pbs"
is "a setting" "$(offered shares --set tie_m)" "tie_mode="
is "its words" "$(offered shares --set tie_mode = s)" "slurm"
is "formats" "$(offered shares --format ssh)" "sshare"
is "columns" "$(offered shares -o Account,RawS)" "Account,RawShares"
is "columns to sort by" "$(offered prio --sort -Fair)" "-FairShare"
is "states" "$(offered prio --state pend)" "PENDING"
is "words of --color" "$(offered shares --color a)" "always auto"
is "views" "$(offered shares --view '') $(offered prio --view '')" "sshare sprio"
is "users of the file" "$(offered shares --from "$c1" -u user)" "user1 user2 user3 user4 user5"
is "by its name of earlier releases" "$(offered shares --from "$c1" --users user5)" "user5"
is "accounts of the file" "$(offered shares --from "$c1" -A A,)" "A,A A,B A,C A,D A,E A,F A,root"
is "whom to explain" "$(offered explain --from "$c1" user3)" "user3"
is "a file's name" "$(offered shares --from "$c1")" " (files)"
is "nothing for what is not there" "$(offered shares --policy x)$(offered nothing -)" ""
is "nothing on stderr" "$(fathom complete shares --from none -u '' 2>&1)" ""
like "descriptions for other shells" "$(fathom complete shares --jso)" "--json	print *"
is "a word with '=' for them" "$(fathom complete shares --policy=ls | cut -f 1)" "--policy=lsf"
finish
