# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Messages of the scripts in contrib. They go to stderr; stdout only has a script's result.

say ()
{
	printf '%s: %s\n' "${0##*/}" "$*" >&2
}

# die STATUS TEXT: prints the text and exits from the shell or subshell
die ()
{
	say "${@:2}"
	exit "$1"
}

# wrong_use TEXT: prints an error about an option, and exits with status 2 as fathom does
wrong_use ()
{
	die 2 "$1; try ${0##*/} --help"
}

# help: prints the script's opening comment, without the SPDX line and the comment signs
help ()
{
	sed -n '3,/^[^#]/ { s/^# \{0,1\}//p }' "$0"
}
