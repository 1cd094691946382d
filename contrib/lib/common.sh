# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# What every script in contrib uses: messages. Progress goes to stderr, so that stdout holds the answer alone.

say ()
{
	printf '%s: %s\n' "${0##*/}" "$*" >&2
}

# die STATUS TEXT: the shell or subshell ends here
die ()
{
	say "${@:2}"
	exit "$1"
}

# usage TEXT: for a wrong option; exit status as for the fathom command
wrong_use ()
{
	die 2 "$1; try ${0##*/} --help"
}

# help: the script's own opening comment, without the SPDX line and the comment signs
help ()
{
	sed -n '3,/^[^#]/ { s/^# \{0,1\}//p }' "$0"
}
