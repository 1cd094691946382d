#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A cluster's snapshot as a file: what each command takes from it, and what goes before it. lab.json
# was taken by fathom snapshot --anonymous; by-hand.json has lists and keys in place of documents.
. "${srcdir:=.}/tests/cli/lib.sh"
lab=$data/snapshot/lab.json hand=$data/snapshot/by-hand.json

### shares

is "figures are those of the cluster" \
	"$(fathom shares --from "$lab" -nP -o User,RawUsage,FairShare | grep user1)" \
	"user1|15|0.571429"
is "and its policy is that in force" "$(fathom shares --from "$lab" --json |
	sed -n 's/^ "policy": //p')" '"fair-tree",'
is "without figures, the policy of fathom.conf computes them" \
	"$(fathom shares --from "$hand" -nP -o User,FairShare | grep ada)" "ada|0.648420"
is "--policy goes before it" "$(fathom shares --from "$hand" --policy fair-tree -nP)" \
	"$(fathom convert --from "$hand" --to fathom >"$work/tree" 2>/dev/null
	fathom shares --from "$work/tree" --policy fair-tree -nP)"
is "the shadow policy" "$(fathom shares --from "$lab" --shadow -nP -o User | grep -c user)" 6
echo HalfLife=1h >"$work/open.conf"
sed '/"fathom_conf"/d; s/"slurm_conf": {/&"PriorityFlags": "NO_FAIR_TREE", '\
'"FairShareDampeningFactor": 3, /' "$hand" >"$work/damped.json"
is "a fathom.conf that leaves the policy open" \
	"$(fathom shares --from "$work/damped.json" --from "$work/open.conf" -nP -o User,FairShare |
		grep ada)" "$(fathom shares --from "$work/damped.json" -nP -o User,FairShare |
			grep ada)"
is "beside figures" "$(fathom shares --from "$data/figures/scopes.json" --from "$work/open.conf" \
	-v 2>&1 | grep -o 'policy [a-z-]*')" "policy classic"
rejects "--scope without scopes" "fathom: --scope: $hand has no scopes; the FiguresFile of a \
cluster with Scope lines has them" shares --from "$hand" --scope x

### prio

is "jobs that sprio is shown" "$(fathom prio --from "$hand" -nP -o JOBID,PRIORITY,SET)" "1|673|
2|645|
3|77|admin"
is "--state: all jobs" "$(fathom prio --from "$hand" --state all -nP -o %i | paste -sd ' ' -)" \
	"1 2 3 4 5 6"
is "-j: a held job, too" "$(fathom prio --from "$hand" -j 4 -nP -o %i,%Y)" "4|0"
is "--policy" "$(fathom prio --from "$hand" --policy fair-tree -nP -o %i,%Y)" "1|1025
2|600
3|77"
echo 'Policy=fair-tree' >"$work/fathom.conf"
for order in "$hand $work/fathom.conf" "$work/fathom.conf $hand"; do
	# shellcheck disable=SC2086	# two names
	set -- $order
	is "another fathom.conf takes the place of the snapshot's" \
		"$(fathom prio --from "$1" --from "$2" -nP -o %i,%Y)" "1|1025
2|600
3|77"
done
is "what slurmctld told is computed again" "$(fathom prio --from "$lab" -nP -o %i,%Y)" "6|50458
7|25031
7|26031
8|53839
9|777"
is "a priority that was set has a mark" \
	"$(fathom prio --from "$lab" -j 8,9 | cut -c1-26 | sed 's/$/|/')" \
	"* set by an administrator|
JOBID PARTITION  PRIORITY |
    8 partition2   53839  |
    9 partition3     777* |"
is "--shadow" "$(fathom prio --from "$lab" --shadow | tail -n +3)" \
	"$(fathom prio --from "$lab" --policy fair-tree,classic | tail -n +2)"
rejects "a tree beside it" "fathom: $data/demo.sshare: only one file may have a tree; $hand \
already does" prio --from "$hand" --from "$data/demo.sshare"
rejects "it beside a tree" "fathom: $hand: only one file may have a tree; $data/demo.sshare \
already does" prio --from "$data/demo.sshare" --from "$hand"

### policy and settings: of options, else of further files, else of the snapshot

# both TEXT FACTOR OPTION...: ada's factor in the tree, of her job, and explained
both ()
{
	text=$1 factor=$2
	shift 2
	is "$text: shares" \
		"$(fathom shares "$@" -nPU -u ada -o FairShare | xargs printf %.4f)" "$factor"
	of_job "$text" "$factor" "$@"
}
# of_job TEXT FACTOR OPTION...: the factor of her job, and explained
of_job ()
{
	text=$1 factor=$2
	shift 2
	is "$text: prio" "$(fathom prio "$@" -j 1 --norm -nP -o FairShare |
		xargs printf %.4f)" "$factor"
	is "$text: explain" "$(fathom explain ada "$@" --json |
		sed -n 's/^ "who": .*"factor": \([0-9.]*\).*/\1/p' | xargs printf %.4f)" "$factor"
}
echo PriorityWeightFairshare=5000 >"$work/weight.conf"
echo PriorityFlags=DEPTH_OBLIVIOUS >"$work/flags.conf"
echo FairShareDampeningFactor=9 >"$work/damping.conf"
both "--policy with the DampeningFactor of fathom_conf" 0.8409 --from "$hand" \
	--policy depth-oblivious
both "--policy with the FairShareDampeningFactor of slurm_conf" 0.8909 \
	--from "$work/damped.json" --policy depth-oblivious
for file in weight flags damping; do
	both "fathom_conf goes before a $file.conf" 0.6484 --from "$hand" \
		--from "$work/$file.conf"
done
both "slurm_conf counts for what another slurm.conf does not say" 0.7492 \
	--from "$work/damped.json" --from "$work/weight.conf"
both "PriorityFlags of another slurm.conf" 0.8909 --from "$work/damped.json" \
	--from "$work/flags.conf"
both "FairShareDampeningFactor of another slurm.conf" 0.9082 --from "$work/damped.json" \
	--from "$work/damping.conf"
of_job "--set PriorityFlags" 0.8909 --from "$work/damped.json" \
	--set PriorityFlags=DEPTH_OBLIVIOUS
of_job "--set FairShareDampeningFactor" 0.9082 --from "$work/damped.json" \
	--set FairShareDampeningFactor=9

### explain, lint, pools, convert

like "explain jobs" "$(fathom explain 8 6 --from "$lab")" "Job 6 of user1 in account account2 *"
formula='Formula=10*age+1000*fairshare_factor'
sed "/\"fathom_conf\"/ s/CalcPeriod=600/&\\\\n$formula/" "$lab" >"$work/formula.json"
if built_with muParser "snapshots with a formula"; then
	rejects "--shadow beside a formula" "fathom: --shadow: compares weighted sums; \
$work/formula.json: fathom_conf:2: Formula is in force" prio --from "$work/formula.json" --shadow
	like "explain jobs whose priorities come from a formula" \
		"$(fathom explain 7 6 --from "$work/formula.json" 2>&1)" "*Job 7 would go first *"
	like "whose value is not known of a job that an administrator has set" \
		"$(fathom explain 7 9 --from "$work/formula.json" 2>&1)" "*not known*"
fi
like "explain a user" "$(fathom explain ada --from "$hand")" "ada in account physics *"
like "explain by another policy" "$(fathom explain ada --from "$hand" --policy fair-tree)" \
	"*LevelFS of ada *"
is "pools" "$(fathom pools --from "$hand" -nP)" \
	"nodes|day|50|8|11|3|20|7
nodes|night|50|7|4|0|4|9"
sed 's/DampeningFactor=2/ShadowPolicy=lsf/' "$hand" >"$work/odd"
like "lint reads its fathom.conf" "$(fathom lint --from "$work/odd")" "* \[shadow-unseen\]*"
text='PriorityWeightAge=5\\nPriorityMaxAge=0\\nSlurmctldPort=7\\n'
sed "s/\"slurm_conf\".*/\"slurm_conf\": \"$text\",/" "$hand" >"$work/odd"
like "and its slurm.conf, in which other keys may be" "$(fathom lint --from "$work/odd")" \
	"*slurm_conf:2:*"
is "convert: the tree" "$(fathom convert --from "$hand" --to sshare 2>/dev/null | tail -n 1)" \
	"  physics|bob|10|150"
is "convert: the jobs" "$(fathom convert --from "$hand" --to fathom-jobs 2>/dev/null |
	grep -c job_id)" 6
is "jobs are as they were" "$(fathom convert --from "$lab" --to fathom-jobs 2>/dev/null |
	sed -n '/"job_id": 9,/s/.*"qos"/"qos"/p')" '"qos": "normal", "accrue_time": 1795364238, '\
'"submit_time": 1795364238, "min_nodes": 1, "cpus": 1, "time_limit": 4294967295, '\
'"priority": 777, "queue": 20, "tres": {"cpu": 1, "mem": 64000, "node": 1, "billing": 1}},'

### why jobs wait

# with_reason KEYS: the snapshot whose job 1 has these keys, too
with_reason ()
{
	sed "/\"job_id\": 1,/s/\"job_id\": 1,/& $1,/" "$hand" >"$work/reason.json"
}
# says JOB: the beginning of what is said of it
says ()
{
	fathom explain "$1" --from "$work/reason.json" | paste -sd ' ' - | sed 's/ Job 1 of .*//'
}
text='waits for a limit of account physics: its jobs may use 4 CPUs at a time'
with_reason "\"reason\": \"AssocGrpCpuLimit\", \"reason_clause\": \"$text\""
is "the text begins the answer" "$(says 1)" "Job 1 $text."
is "it is kept" "$(fathom convert --from "$work/reason.json" --to fathom-jobs 2>/dev/null |
	sed -n 's/.*"job_id": 1,.*\("reason": .*_clause": "[^"]*"\).*/\1/p')" \
	"\"reason\": \"AssocGrpCpuLimit\", \"reason_clause\": \"$text\""
with_reason '"reason": "Resources", "reason_clause": null'
is "without a text, slurmctld's word does" "$(says 1)" \
	"Job 1 waits, as slurmctld says, for the reason Resources."
for word in None Priority; do
	with_reason "\"reason\": \"$word\""
	like "$word: its priority alone matters" "$(says 1 | cut -c 1-12)" "Job 1 of ada*"
done
with_reason '"reason": "JobHeldUser", "held": true, "own_hold": "the user has no shares"'
is "what fathom holds has a reason of its own" "$(says 1 | grep -c slurmctld)" 0
like "of a pair, too" "$(with_reason '"reason": "BeginTime"'
	fathom explain 1 4 --from "$work/reason.json" | paste -sd ' ' -)" \
	"*Job 1 waits, as slurmctld says, for the reason BeginTime.*"
with_reason '"reason": 7'
rejects "a number" "fathom: $work/reason.json:10: jobs[0]: 'reason' must be a string with at \
least one character" explain 1 --from "$work/reason.json"

### no cluster

SLURM_CONF=$work/none
export SLURM_CONF
for command in "snapshot" "snapshot --anonymous" "convert --to fathom"; do
	# shellcheck disable=SC2086	# words
	fathom $command --out "$work/snap" >"$work/stdout" 2>"$work/stderr"
	is "$command without a cluster: status" $? 2
	is "$command without a cluster: one line" "$(wc -l <"$work/stderr")" 1
	is "$command without a cluster: no file" "$(ls "$work/snap" 2>&1 >/dev/null | wc -l)" 1
done
finish
