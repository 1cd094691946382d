#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Two controllers with one StateSaveLocation: when the backup takes over, on demand or after a
# kill -9, and when the first one comes back, each second of usage is charged once.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"

# start_on HOST: a slurmctld that takes itself to be on this host. It would kill another one of the
# same PidFile.
start_on ()
{
	sed "s,run/slurmctld.pid,run/$1.pid," "$cluster/slurm.conf" >"$cluster/$1.conf"
	# shellcheck disable=SC2016	# for the shell inside
	daemon_start "$1" unshare --uts \
		"$BASH" -c 'hostname "$1" && exec slurmctld -D -f "$2"' bash "$1" "$cluster/$1.conf"
}

# leads HOST STARTS: it is in charge, after so many had begun to be
leads ()
{
	(($(controller_starts) > $2)) && scontrol ping | grep -q "$1 is UP" &&
		squeue --noheader >/dev/null 2>&1
}

# after COMMAND...: how many controllers had begun to be in charge before COMMAND
after ()
{
	begun=$(controller_starts)
	"$@"
}

# off: seconds by which usage is not what ran, once no pass runs for an hour
off ()
{
	calc_period 3600
	echo "$(($(usage_of user1) - 4 * $(seconds_run "$long")))" \
		"$(($(usage_of user3) - used))"
	calc_period 1
}

usage_start
calc_period 1
run_two
controller_stop
daemon_stop slurmd
printf '127.0.0.1 one\n127.0.0.2 two\n' >>/etc/hosts
slurm_conf SlurmctldHost= SlurmctldTimeout=10 CommunicationParameters=NoCtldInAddrAny
printf 'SlurmctldHost=%s\n' 'one(127.0.0.1)' 'two(127.0.0.2)' >>"$cluster/slurm.conf"
after start_on one
ok "the first controller" wait_until leads one "$begun"
start_on two
node_start
ok "and its backup" wait_until controller_said 'running in background mode'
is "usage under the first" "$(off)" "0 0"
after scontrol takeover
ok "takeover on demand" wait_until leads two "$begun"
is "takeover on demand: usage" "$(off)" "0 0"
after start_on one
ok "the first comes back" wait_until leads one "$begun"
is "the first comes back: usage" "$(off)" "0 0"

# a job ends while nobody is in charge; slurmctld would start one anew that it has not saved
short=$(submit user4 --ntasks=3 --wrap "$(until_go)")
wait_for_job "$short" RUNNING && jobs_saved && pass_now
after daemon_stop one KILL
touch "$cluster/go"
ok "takeover after kill -9" wait_until leads two "$begun"
wait_for_job "$short" COMPLETED
is "takeover after kill -9: usage" "$(off)" "0 0"
is "and that of a job that ended meanwhile" "$(usage_of user4)" $((3 * $(seconds_run "$short")))
daemon_stop two KILL
after start_on one
ok "kill -9 of the backup" wait_until leads one "$begun"
is "kill -9 of the backup: usage" "$(off)" "0 0"

scancel "$long"
wait_for_job "$long" CANCELLED
is "and so it is in the end" "$(off)" "0 0"
daemon_stop one
