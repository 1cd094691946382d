#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom prio shows what sprio shows, with sprio's options.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

# The lines about nodes as in 11-sprio.t: a node that never answers has the GPUs.
live_start PriorityWeightAge=600000 PriorityMaxAge=10 PriorityWeightFairshare=50000 \
	PriorityWeightJobSize=10000 \
	PriorityWeightPartition=2000 PriorityWeightQOS=4000 PriorityWeightAssoc=3000 \
	PriorityWeightTRES=cpu=800,gres/gpu=8000 AccountingStorageTRES=gres/gpu GresTypes=gpu \
	"NodeName=away NodeAddr=127.0.0.11 Port=7 CPUs=64 RealMemory=64000 Gres=gpu:8 State=DOWN" \
	"NodeName=localhost CPUs=64 RealMemory=64000 State=UNKNOWN" \
	"PartitionName=all Nodes=localhost Default=YES PriorityJobFactor=10" \
	"PartitionName=low Nodes=localhost State=DOWN PriorityJobFactor=10" \
	"PartitionName=gpu Nodes=away State=DOWN PriorityJobFactor=20"
fathom_conf CalcPeriod=600
sacctmgr -iQ modify qos normal set priority=40 >/dev/null
sacctmgr -iQ modify user user5 set priority=40 >/dev/null
reconfigure

# shown COUNT: so many jobs
shown ()
{
	(($(sprio --noheader --format=%i | sort -u | wc -l) == $1))
}

# both FORMAT [OPTION...]: what sprio prints, and what fathom prints, each with '|' between columns
of_sprio ()
{
	sprio --noheader --format="$1" "${@:2}" | sort
}

of_fathom ()
{
	fathom prio --parsable --noheader -o "$1" "${@:2}" | sort
}

same ()
{
	is "$1" "$(of_fathom "${@:2}")" "$(of_sprio "${@:2}")"
}

first=$(submit user1 --partition=low --ntasks=16)
second=$(submit user2 --partition=low,gpu --ntasks=8 --gres=gpu:2)
third=$(submit user5 --partition=low --nice=200)
set_one=$(submit user3 --partition=low)
held=$(submit user4 --partition=low --hold)
ok "sprio shows the jobs that are not held" wait_until shown 4
scontrol update JobId="$set_one" Priority=777
scontrol update JobId="$first" SiteFactor=12345
reconfigure_once
# ages have come to their end, so that both calls see the same
sleep 11
reconfigure_once

all='%i|%r|%u|%Y|%S|%A|%B|%F|%J|%P|%Q|%N|%T'
is "sprio has five lines" "$(of_sprio "$all" | wc -l)" 5
same "every column" "$all"
# one whose priority was set has none, which sprio writes in another way from 23.02 on
plain='%i|%r|%a|%b|%f|%j|%p|%q|%t'
is "factors without weights" "$(of_fathom "$plain" -j "$first,$second,$third")" \
	"$(of_sprio "$plain" | grep -v "^$set_one|")"
# sprio's own list of jobs is one of a single job in 24.11
is "-j: these jobs" "$(of_fathom "$all" -j "$first,$second")" \
	"$(of_sprio "$all" | grep -E "^($first|$second)\|")"
same "-u: of these users" "$all" -u user2,user5
same "-p: in this partition" "$all" -p gpu
is "--weights: the weights" \
	"$(fathom prio --weights -nP -o '%A|%B|%F|%J|%P|%Q|%T' | sed 's/|/ /g')" \
	"$(sprio -w -h -o '%A %B %F %J %P %Q %T')"
is "-S: sorted" "$(fathom prio -nP -S u,-Y -o %i%r | tr '|' ' ')" "$(sprio -h -S u,-Y -o '%i %r')"
is "the columns of sprio" "$(fathom prio -P | head -n 1 | tr '|' ' ')" \
	"$(sprio | head -n 1 | tr -s ' ' | sed 's/^ //; s/ $//')"
is "--norm: the columns of sprio" "$(fathom prio --norm -P | head -n 1 | tr '|' ' ')" \
	"$(sprio -n | head -n 1 | tr -s ' ' | sed 's/^ //; s/ $//')"
like "a held job is not shown" "$(fathom prio -nP -j "$held" -o %i 2>&1)" \
	"fathom: --job: there are no jobs with the id '$held'*"

### Other policies and weights

# by_user OPTION...: fair-share factors of the first three jobs' users
by_user ()
{
	fathom prio --norm -nP -o User,FairShare -S User,Partition "$@" | grep -v user3 | uniq |
		tr '\n' ' '
}
of_shares ()
{
	fathom shares -aUPn -o User,FairShare "$@" | grep -E '^user[125]\|' | sort |
		sed 's/$/0/' | tr '\n' ' '
}
for policy in classic depth-oblivious fair-tree pbs; do
	is "--policy $policy: factors are those of fathom shares" "$(by_user --policy $policy)" \
		"$(of_shares --policy $policy)"
done
is "--set of the policy" "$(by_user --policy classic --set dampening_factor=4)" \
	"$(of_shares --policy classic --set dampening_factor=4)"
is "the policy in force gives what is told" "$(fathom prio -nP --policy fair-tree)" \
	"$(fathom prio -nP)"
is "a weight of its own for one factor changes its column" \
	"$(fathom prio -nP -j "$third" --set PriorityWeightFairshare=100000 -o FairShare)" \
	"$((2 * $(fathom prio -nP -j "$third" -o FairShare)))"
near "and the priority by as much" \
	"$(fathom prio -nP -j "$third" --set PriorityWeightFairshare=100000 -o Priority)" \
	$(($(fathom prio -nP -j "$third" -o Priority) + $(fathom prio -nP -j "$third" \
	-o FairShare))) 0.00001
is "a priority that was set stays" "$(fathom prio -nP -j "$set_one" --policy classic -o Priority)" \
	777
is "a table says so" "$(fathom prio --policy classic | head -n 1)" \
	"recomputed from sprio and sshare figures: policy classic"
# without_names COMMAND...: on a host that knows no user but root
without_names ()
{
	echo root:x:0:0::/: >"$cluster/passwd"
	echo passwd: files >"$cluster/nsswitch.conf"
	# shellcheck disable=SC2016	# the inner shell expands them
	unshare --mount bash \
		-c 'mount --bind "$1/passwd" /etc/passwd &&
		mount --bind "$1/nsswitch.conf" /etc/nsswitch.conf &&
		exec "${@:2}"' bash "$cluster" "$@"
}
is "a host without the users' names: no priority" \
	"$(without_names fathom prio -nP --policy classic -j "$first,$set_one" \
	-o FairShare,Priority 2>"$cluster/err")" "|
0|777"
like "and the reason" "$(cat "$cluster/err")" \
	'^fathom: no fair-share figures on 1 line: for example, the tree has no association of '\
'user [0-9]+ in account b \(job '"$first"'\); users shown by number have no name on this host$'
is "which does not matter to what is told" "$(without_names fathom prio -nP -o JobID,Priority)" \
	"$(fathom prio -nP -o JobID,Priority)"
is "flux wants more than is told" "$(fathom prio --policy flux 2>&1)" \
	"fathom: --policy: flux needs values that slurmctld does not \
send; give jobs with --from"
is "settings of slurm.conf but weights are in the factors" \
	"$(fathom prio --set PriorityMaxAge=1d 2>&1)" "fathom: --set: for a \
running cluster only weights of slurm.conf can be set; give jobs with --from to set others"

### JSON

json=$(fathom prio --json)
# of QUERY: of the JSON, of the first row of the second job
of ()
{
	python3 -c 'import json, sys
rows = [job for job in json.load(sys.stdin)["jobs"] if job["job_id"] == int(sys.argv[1])]
print(eval(sys.argv[2]))' "$1" "$2" <<<"$json"
}
is "JSON: a row a partition" "$(of "$second" 'sorted(row["partition"] for row in rows)')" \
	"['gpu', 'low']"
is "JSON: user, account and QOS" \
	"$(of "$second" '" ".join(rows[0][key] for key in ("user", "account", "qos"))')" \
	"user2 $(squeue -h -j "$second" -o '%a %q')"
is "JSON: the priority is squeue's" "$(of "$first" 'rows[0]["priority"]')" \
	"$(squeue -h -j "$first" -o %Q)"
is "JSON: a weighted factor is the factor times its weight" \
	"$(of "$first" 'all(abs(rows[0]["factors"][key] * weight - rows[0]["weighted"][key]) < 1e-6
		for key, weight in {"age": 600000, "fairshare": 50000, "job_size": 10000,
		"partition": 2000, "qos": 4000, "assoc": 3000}.items())')" True
is "JSON: site and nice are as typed" \
	"$(of "$first" 'rows[0]["weighted"]["site"]') $(of "$third" 'rows[0]["factors"]["nice"]')" \
	"12345 200"
is "JSON: a set priority has no factors" \
	"$(of "$set_one" 'rows[0]["priority"], sum(rows[0]["weighted"]["tres"].values())')" \
	"(777, 0)"

### Users without jobs

is "a user of this host may have no jobs" \
	"$(fathom prio -u root -o JobID 2>&1 | paste -sd ' ')" \
	"fathom: user root has no jobs here JOBID"
is "another name is an error" "$(fathom prio -u usr2 2>&1)" \
	"fathom: --user: there are no jobs of user 'usr2'; did you mean user2?"

### A priority that was set

is "a table marks a priority that was set" \
	"$(fathom prio -j "$first,$set_one" -o JobID,Priority | tr -s ' ' |
	sed 's/^ *//; s/ *$//; 3q')" \
"* set by an administrator
JOBID PRIORITY
$first $(squeue -h -j "$first" -o %Q)"
like "with a star" "$(fathom prio -o Priority | paste -sd ' ')" ' 777\*$'
is "a column has it too" "$(fathom prio -nP -S i -o JobID,Set | sort -u | grep admin)" \
	"$set_one|admin"
is "and JSON" \
	"$(of "$set_one" 'rows[0]["set_by_administrator"]') $(of "$first" \
	'"set_by_administrator" in rows[0]')" "True False"
is "-n has no mark" "$(fathom prio -n -j "$set_one" -o Priority | tr -d ' ')" 777

### Other rules than the sum

# anew KEY=VALUE...: a fathom.conf of these alone
anew ()
{
	rm -f "$cluster/fathom.conf"
	fathom_conf CalcPeriod=600 "$@"
	reconfigure_once
}

anew Formula='"1000*fairshare + 3*ncpus + site"' FormulaScale=2
same "under a formula too" "${all/|%S/}"
is "its value is a column, whose meaning is that of a file" \
	"$(fathom prio -nP -o JobID,Partition,Formula -u user1,user2,user5)" \
	"$(fathom prio -nP -o JobID,Partition,Priority -u user1,user2,user5)"
is "nothing stands for what the site adds" \
	"$(fathom prio -nP -o Site -u user1,user2,user5 | sort -u)" ""
is "a set priority is not the formula's" "$(fathom prio -nP -j "$set_one" -o Priority,Formula)" \
	"777|"
is "a table says that a formula is in force" "$(fathom prio | head -n 1)" \
	"priorities by the formula 1000*fairshare + 3*ncpus + site, FormulaScale 2"
json=$(fathom prio --json)
is "so does JSON" \
	"$(python3 -c 'import json, sys; print(json.load(sys.stdin)["formula"])' <<<"$json")" \
	"1000*fairshare + 3*ncpus + site"
is "with the value" \
	"$(of "$first" 'rows[0]["formula"] == rows[0]["priority"], rows[0]["factors"]["site"]')" \
	"(True, None)"
is "a formula's priorities cannot be put together otherwise" \
	"$(fathom prio --policy classic 2>&1)" "fathom: --policy, --set: the \
cluster's priorities are not weighted sums and cannot be recomputed; give jobs with --from"
is "nor be compared" "$(fathom prio --shadow 2>&1)" \
	"fathom: --shadow: compares weighted sums, and the cluster's priorities come from a formula"

anew Policy=flux FairshareWeight=50000 BankWeight=7
same "and under flux" "$all"
is "--weights: those of flux" "$(fathom prio --weights | tr -s ' ')" \
	" JOBID PARTITION PRIORITY SITE ASSOC FAIRSHARE PARTITION NICE
Weights 1 7 50000 10000 1000"
scontrol update JobId="$third" Nice=4	# with 200 its urgency is 0, which holds it
reconfigure_once
is "--norm: without these" "$(fathom prio --norm -nP -o Assoc,PartitionFactor,Nice -j "$third")" \
	"0.0000000|10.0000000|4"
is "the factor is that of fathom shares" "$(fathom prio --norm -nP -o FairShare -j "$third")" \
	"$(fathom shares -aUPn -o User,FairShare |
	sed -n 's/^user5|\(.*\)/\10/p')"

# sums of its own, which no FiguresFile tells here
scontrol update JobId="$third" Nice=200
anew Policy=lsf
is "the policy in force gives what is told, whatever it goes by" \
	"$(fathom prio -nP --policy lsf 2>&1)" "$(fathom prio -nP)"
is "with another setting its factor is not known" \
	"$(fathom prio -nP -j "$first,$set_one" --policy lsf \
	--set run_job_factor=7 -o FairShare,Priority 2>"$cluster/err")" "|
0|777"
is "and why" "$(cat "$cluster/err")" \
	"fathom: no fair-share figures: policy lsf needs sums that only FiguresFile has; \
set it in fathom.conf and let this user read it"
is "JSON has null" \
	"$(fathom prio --json -j "$first" --policy lsf --set run_job_factor=7 2>"$cluster/err" |
	grep -o '"fairshare": [^,]*' | sort -u)" '"fairshare": null'
like "what goes by usage is evaluated" \
	"$(fathom prio -nP -j "$first" --policy classic -o Priority 2>&1)" '^[0-9]+$'
anew ShadowPolicy=lsf
is "nor is a shadow's" \
	"$(fathom prio -nP --shadow -j "$first" -S i 2>"$cluster/err" | cut -d '|' -f 7-)" "|||"
is "nor any place" "$(fathom prio -nP --shadow -j "$set_one" 2>/dev/null | cut -d '|' -f 5,8-)" \
	"777|777||"
is "and why" "$(cat "$cluster/err")" \
	"fathom: shadow policy lsf needs sums that only FiguresFile has; set it in fathom.conf \
and let this user read it"
anew

slurm_conf PrivateData=jobs
reconfigure_once
is "PrivateData: others' jobs are not shown" \
	"$(as_user user2 fathom prio -nP -o %u | sort -u)" user2
is "slurmctld logs no error" "$(controller_errors)" ""

cancel_all
sacctmgr -iQ modify qos normal set priority=0 >/dev/null
