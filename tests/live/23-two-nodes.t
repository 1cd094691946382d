#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Jobs on two nodes: one that shrinks is charged its old size until then and its new size from then
# on, a heterogeneous one for each component.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

for enforce in associations associations,limits,qos; do
	two_nodes_start AccountingStorageEnforce=$enforce MinJobAge=60

	job=$(submit user1 --nodes=2 --ntasks-per-node=4 --time=10)
	wait_for_job "$job" RUNNING
	sleep 2 && pass_now && sleep 2
	scontrol update jobid="$job" NodeList=localhost
	sleep 3 && pass_now
	is "resize: up to it the old size is charged, then the new one ($enforce)" \
		"$(usage_of user1)" "$(seconds_sized "$job" 8 4)"
	sleep 1
	scancel "$job" && wait_for_job "$job" CANCELLED
	pass_now
	is "and ended" "$(usage_of user1)" "$(seconds_sized "$job" 8 4)"

	job=$(submit user2 --nodes=2 --ntasks-per-node=4 --time=10)
	wait_for_job "$job" RUNNING
	sleep 2
	scontrol update jobid="$job" NodeList=localhost
	sleep 3
	scancel "$job" && wait_for_job "$job" CANCELLED
	pass_now
	# without limits nobody tells of the resize, and the old size is not known any more
	[[ $enforce != *limits* ]] ||
		is "started, resized and ended between two passes" "$(usage_of user2)" \
			"$(seconds_sized "$job" 8 4)"
	het=$(as_user user3 sbatch --parsable --chdir=/ --output=/dev/null --ntasks=1 : \
		--ntasks=5 --wrap 'sleep 2')
	wait_for_ends "$het" $((het + 1))
	pass_now
	is "each component of a heterogeneous job" "$(usage_of user3)" \
		$(($(seconds_run "$het") + 5 * $(seconds_run $((het + 1)))))
	ok "both have run" test "$(usage_of user3)" -ge 6
	het=$(as_user user4 sbatch --parsable --chdir=/ --output=/dev/null --hold --ntasks=1 : \
		--ntasks=5 --wrap 'sleep 2')
	sleep 1 && pass_now
	is "waiting heterogeneous job: it is not charged" "$(usage_of user4)" 0
	scancel "$het" && wait_for_job "$het" CANCELLED
	is "no running minutes are left" \
		"$(used_by_account root GrpTRESRunMins cpu)" 0
	is "slurmctld logs no error" "$(controller_errors)" ""
done
two_nodes_end
