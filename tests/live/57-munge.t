#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Without munged no command reaches slurmctld; each says so in one line that names munged.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

live_start
daemon_stop munged

# says COMMAND...: what the command prints, which is one line on stderr
says ()
{
	fathom "$@" 2>&1 </dev/null
}

quietly ()
{
	"$@" >/dev/null
}

reason="Protocol authentication error; is munged running? \
(Failed to access \"$cluster/munge.sock\": No such file or directory)"
for command in shares prio snapshot pools "explain user1" report "usage --scale user1=1" usage \
	"prio --shadow" "shares --view sshare"; do
	# shellcheck disable=SC2086	# a command with its options
	said=$(says $command) status=$?
	is "fathom $command" "${said/: --scale/}" "fathom: slurmctld: $reason"
	is "fathom $command: its status" $status 2
done
is "fathom shares --cluster" "$(says shares --cluster=lab)" \
	"fathom: --cluster: slurmdbd knows none of them: $reason"

is "fathom lint checks the files alone" "$(fathom lint 2>&1 >"$cluster/findings")" \
	"fathom: slurmctld: $reason; only the files of this host are checked"

munge_start
ok "with munged again all is well" quietly fathom shares
