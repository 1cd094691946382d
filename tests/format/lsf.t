#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The files of LSF and OpenLava: records of ended jobs.
. "${srcdir:=.}/tests/cli/lib.sh"
lsf=$data/lsf

# tree FILE...: as text of sshare
tree ()
{
	for tree_file; do
		set -- "$@" --from "$tree_file"
		shift
	done
	fathom convert "$@" --set half_life=0 --to sshare 2>"$work/err"
}

### lsb.acct

is "records of LSF 9: slots of the hosts, and slots that were asked for" \
	"$(tree "$lsf/xdmod_accounting.txt")" "Account|User|RawShares|RawUsage
root|||$((2 * 128 * (1389683139 - 1389642771)))
 anonproject||1|$((2 * 128 * (1389683139 - 1389642771)))
  anonproject|anonuser|1|$((2 * 128 * (1389683139 - 1389642771)))"
is "a script in UTF-8" "$(tree "$lsf/xdmod_utf8.txt" | tail -n 1)" \
	"  anonproject|anonuser|1|$((128 * (1389683139 - 1389642771)))"
is "groups of share accounts, else projects; LSF 10 and OpenLava" "$(tree "$lsf/example.acct")" \
	'Account|User|RawShares|RawUsage
root|||16400
 physics||1|14800
  physics|ada|1|14400
  physics|bob|1|400
 lab||1|1500
  lab|cy|1|800
  lab|dan|1|300
  lab|eve|1|400
 a"b||1|100
  a"b|f "x"|1|100'
is "records of other kinds are counted" "$(grep left "$work/err")" \
	"fathom: $lsf/example.acct: left out: 1 record that is not of the kind JOB_FINISH"
is "queue, state, times, hosts and slots of jobs" \
	"$(fathom convert --from "$lsf/example.acct" --to fathom-jobs 2>"$work/err" |
		sed -n 's/^  \(.*"job_id": 1[0-3].*\)},*$/\1/p')" \
	'{"job_id": 10, "user": "cy", "account": "lab", "partitions": ["night"], '\
'"state": "COMPLETED", "accrue_time": 1700000000, "submit_time": 1700000000, '\
'"min_nodes": 2, "cpus": 4
{"job_id": 11, "user": "dan", "account": "lab", "partitions": ["night"], '\
'"state": "CANCELLED", "accrue_time": 1700000000, "submit_time": 1700000000, "cpus": 4
{"job_id": 12, "user": "dan", "account": "lab", "partitions": ["night"], '\
'"state": "FAILED", "accrue_time": 1700007100, "submit_time": 1700000000, '\
'"min_nodes": 2, "cpus": 3
{"job_id": 13, "user": "eve", "account": "lab", "partitions": ["night"], '\
'"state": "COMPLETED", "accrue_time": 1700000000, "submit_time": 1700000000, '\
'"min_nodes": 1, "cpus": 4'
finish
