# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Figures of the plugin in $file, the FiguresFile, for the live tests that read it. Needs lib.sh.

# passes COMMAND...: which asks for a pass; its figures are in FiguresFile when this returns
passes ()
{
	touch "$cluster/mark"
	"$@"
	# shellcheck disable=SC2154	# file is the test's
	wait_until test "$file" -nt "$cluster/mark"
}

# run_jobs TASKS...: of user1 to user5, at once, to their end
run_jobs ()
{
	local user=0 tasks jobs=()

	for tasks; do
		: $((++user))
		jobs+=("$(submit "user$user" --ntasks="$tasks" --wrap 'sleep 1')")
	done
	wait_for_ends "${jobs[@]}"
}
