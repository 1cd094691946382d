#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# The plugin in a slurmctld: it loads, passes run, jobs run and are charged.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

in_cluster ()
{
	local name

	for name; do
		[[ $(readlink "/proc/$(cat "$cluster/run/$name")/cwd") == "$cluster"/* ]] || return
	done
}

live_start

ok "a daemon's core dump would go with the cluster" in_cluster munged mariadbd slurmdbd slurmctld \
	slurmd
is "slurmctld runs with the plugin" "$(setting PriorityType)" "priority/${FATHOM_PRIORITY:-fathom}"
ok "a pass runs" wait_for_pass

job=$(submit user1 --ntasks=8)
ok "a job has its priority at once" test "$(priority_of "$job")" -gt 0
ok "the job starts" wait_for_job "$job" RUNNING
waiting=$(submit user2 --ntasks=64)
ok "passes run on" wait_for_pass

ok "its user has usage" has_usage user1
# rows of the account and of its user, as one request has them
is "the account above has the same usage" \
	"$(sshare --all --accounts=b -nP --format=RawUsage | uniq -c | awk '{ print $1 }')" 2
is "another user has none" "$(usage_of user5)" 0
ok "a job that cannot start has a priority" test "$(priority_of "$waiting")" -gt 1
is "it is the one that sprio shows" "$(sprio --noheader --format=%i)" "$waiting"
ok "the job's user has a lower factor than one without usage" \
	awk -v a="$(share_of b user1 FairShare)" -v b="$(share_of f user5 FairShare)" \
	'BEGIN { exit !(a < b) }'

scancel "$job"
ok "a cancelled job ends" wait_for_job "$job" CANCELLED
ok "the waiting job starts" wait_for_job "$waiting" RUNNING
cancel_all
is "slurmctld logs no error" "$(controller_errors)" ""
