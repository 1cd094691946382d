#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Users of the cluster keep their names when somebody adds a user to the machine.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

live_start

# replace_passwd: as useradd does it, outside of the cluster and under the same lock, but by a copy
replace_passwd ()
{
	unshare --mount python3 - "$(getent passwd user1)" <<-'END'
		import ctypes, os, subprocess, sys
		for mount in '/etc/passwd', '/etc':
		    subprocess.call(['umount', '-q', mount], stderr=subprocess.DEVNULL)
		if sys.argv[1] in open('/etc/passwd').read().split('\n'):
		    sys.exit('the passwd file is that of the cluster')
		if ctypes.CDLL(None).lckpwdf():
		    sys.exit('the passwd file is locked')
		subprocess.check_call(['cp', '-a', '/etc/passwd', '/etc/passwd.fathom'])
		try:
		    os.rename('/etc/passwd.fathom', '/etc/passwd')
		except OSError:
		    os.unlink('/etc/passwd.fathom')
		    raise
	END
}

first=$(submit user1 --ntasks=1)
if replace_passwd; then
	live_pass "the machine has another passwd file"
else
	live_skip "the machine has another passwd file" "it cannot be replaced here"
fi
is "a user of the cluster has its name" "$(id -nu "$(id -u user1)")" user1
is "its job is shown with the name" "$(squeue --noheader --jobs="$first" --format=%u)" user1
next=$(submit user2 --ntasks=1)
ok "a job of another user starts" wait_for_job "$next" RUNNING
cancel_all
