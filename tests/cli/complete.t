#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom complete: what the last word of a command line may become.
. "${srcdir:=.}/tests/cli/lib.sh"

c1=$data/c1.json names=$data/complete/names.json
tree=$data/demo.sshare jobs=$data/jobs/demo.json

# offered WORD...: what the last one may become, without descriptions
offered ()
{
	local text

	text=$(fathom complete "$@") || text="(files)"
	cut -f 1 <<<"$text" | sort -u | paste -sd ' '
}

# options_offered HELP...: the options that a help shows
options_offered ()
{
	"$@" | sed -n '/^Policies/q
		s/^  \(-.\), \(--[-a-zA-Z0-9]*\).*/\1 \2/p; s/^      \(--[-a-zA-Z0-9]*\).*/\1/p' |
		tr ' ' '\n' | sort -u | paste -sd ' '
}

is "commands" "$(offered sh)" shares
like "all of them" "$(offered '')" "--help --version*explain*help*lint*pools*prio*shares*"
is "which are those of the help" \
	"$(for command in $(commands); do offered "$command"; done | paste -sd ' ')" "$(commands)"
is "help COMMAND" "$(offered help pr)" prio
for command in $(commands); do
	is "$command: the options of its help" "$(offered "$command" -)" \
		"$(options_offered fathom "$command" --help)"
done
is "an option" "$(offered shares --pol)" --policy
is "a letter" "$(offered shares -A)" -A
like "descriptions" "$(fathom complete shares --jso)" "--json	print *"

# values
is "policies" "$(offered shares --policy f)" "fair-tree fcfs flux"
is "a list of policies" "$(offered shares --policy classic,l)" "classic,lsf"
is "policies behind '='" "$(offered shares --policy=l)" "--policy=lsf"
is "a list behind '='" "$(offered shares --policy=pbs,l)" "--policy=pbs,lsf"
is "a setting" "$(offered shares --set tie_m)" "tie_mode="
is "behind '='" "$(offered shares --set=tie_m)" "--set=tie_mode="
is "its words" "$(offered shares --set tie_mode=s)" "tie_mode=slurm"
is "by its name in fathom.conf" "$(offered shares --set=TieMode=s)" "--set=TieMode=slurm"
is "yes and no" "$(offered prio --set priority_favor_small=)" \
	"priority_favor_small=no priority_favor_small=yes"
is "a list of flags" "$(offered prio --set priority_flags=MAX_TRES,incr)" \
	"priority_flags=MAX_TRES,INCR_ONLY"
is "the half-life" "$(offered convert --set '')" "half_life="
is "settings of jobs only with jobs" "$(offered shares --set priority_w)" ""
is "settings of all policies, each once" "$(fathom complete shares --set d | cut -f 1)" \
	"dampening_factor="
is "those of --policy" "$(offered shares --policy=fcfs --policy Flux,classic --set '')" \
	"bank_weight= core_weight= dampening_factor= fairshare_weight= gpu_weight= half_life= \
node_weight= queue_weight= reset_period= urgency_raise= urgency_weight="
is "formats" "$(offered shares --format sacctm) $(offered convert --to sacctm)" "sacctmgr sacctmgr"
is "only formats of trees" "$(offered shares --format slurm)" slurmrest
is "only formats that are read" "$(offered convert --format slurm)" \
	"slurm-conf slurm-jobs slurmrest"
is "or written" "$(offered convert --to slurm)" slurm
is "columns" "$(offered shares -o Account,RawS)" "Account,RawShares"
is "columns to sort by" "$(offered prio --sort -Fair)" "-FairShare"
is "a list of them" "$(offered shares -S User,-Norms)" "User,-NormShares"
is "behind the letter" "$(offered shares -aoNormS)" "-aoNormShares"
is "states" "$(offered prio --state pend)" "PENDING"
is "words of --color" "$(offered shares --color a)" "always auto"
is "who is idle" "$(offered explain --idle a)" "account all"
is "kinds of change" "$(offered explain --change '')" "age nice shares usage"
is "an option as an argument" "$(offered shares --account --policy l)" ""
is "a file's name" "$(offered shares --from "$c1")" "(files)"
is "of other options" "$(offered shares --out=)$(offered shares --adjust x)" "(files)(files)"
is "of a trace" "$(offered replay tr)$(offered replay --schedule s)" "(files)(files)"
is "schedulers" "$(offered replay --scheduler '')" "conservative easy none strict trace"
is "of lint" "$(offered lint --slurm-conf '')$(offered lint --fathom-conf '')" "(files)(files)"

# names
is "users of the file" "$(offered shares --from "$c1" -u user)" "user1 user2 user3 user4 user5"
is "given with '='" "$(offered shares --from="$c1" --user=user5)" "--user=user5"
is "by its name of earlier releases" "$(offered shares --from "$c1" --users user5)" "user5"
is "accounts of the file" "$(offered shares --from "$c1" -A A,)" "A,A A,B A,C A,D A,E A,F A,root"
is "names as they are" "$(fathom complete shares --from "$names" -u d)" 'd"q`touch hit`'
is "scopes" "$(offered shares --from "$data/figures/scopes.json" --scope '')" "cpu gpu old"
is "of explain" "$(offered explain --from "$data/figures/scopes.json" --scope=g)" "--scope=gpu"
is "of LSF's files" "$(offered convert --from "$data/lsf/lsb.users" \
	--from "$data/lsf/lsb.queues" --scope n)" "night normal"
is "no scopes" "$(offered shares --from "$c1" --scope '')" ""
is "users of a scope" "$(offered shares --from "$data/figures/scopes.json" --scope gpu -u a)" \
	"$(fathom shares --from "$data/figures/scopes.json" --scope gpu -UPn -o User |
	grep '^a' | sort -u | paste -sd ' ')"
is "users with jobs" "$(offered prio --from "$jobs" --from "$tree" -u user)" \
	"$(fathom prio --from "$jobs" --from "$tree" -Pn -o User | sort -u | paste -sd ' ')"
is "their jobs" "$(offered prio --from "$jobs" -j 5,)" "5,5 5,6 5,7 5,8 5,9"
is "their partitions" "$(offered prio --from "$jobs" -p a)" all
is "whom to explain" "$(offered explain --from "$jobs" --from "$tree" user3)" "user3"
is "whose usage to assign" "$(offered usage --from "$tree" --assign user3)" "user3="
is "an account's user" "$(offered usage --from "$tree" --assign c/u)" "c/user2= c/user3="
is "an account's user to reset" "$(offered usage --from "$tree" --reset c/)" "c/user2 c/user3"
is "or to scale" "$(offered usage --from "$tree" --scale=us)" \
	"--scale=user1= --scale=user2= --scale=user3= --scale=user4= --scale=user5="
is "or to reset" "$(offered usage --from "$tree" --reset e)" "e"
is "a job that is to start" "$(offered start --from "$jobs" --from "$tree" 7)" "7"
is "a job to explain" "$(offered explain --from "$jobs" --from "$tree" 7)" "7"
waiting=$data/snapshot/waiting.json	# of its jobs 11 runs, 16 is held
for command in explain start; do
	is "$command: pending jobs alone" "$(offered $command --from "$waiting" 1)" \
		"12 13 14 15 16"
done
is "prio shows others, too" "$(offered prio --from "$waiting" -j 1)" "11 12 13 14 15 16"
is "an account to explain" "$(offered explain --from "$waiting" ph)" physics
is "unless a user matches" "$(offered explain --from "$waiting" c)" cy
own=$work/own.json
sed "s/\"user\": \"user3\"/\"user\": \"$(id -un)\"/" "$jobs" >"$own"
is "one's own pending jobs beside users" "$(offered explain --from "$own" --from "$tree" '')" \
	"$({
	fathom prio --from "$own" --user "$(id -un)" -Pn -o JobID
	fathom shares --from "$tree" -aPn -o User | grep .
} | sort -u | paste -sd ' ')"
is "of which there is one" "$(fathom prio --from "$own" --user "$(id -un)" -Pn -o JobID)" 7
is "jobs of others by their first digit" "$(offered explain --from "$own" --from "$tree" 5)" "5"
is "behind '--'" "$(offered explain --from "$jobs" --from "$tree" -- user3 user4)" "user4"

is "files of a report" "$(offered report '')" "(files)"

# views
for command in shares prio; do
	is "views of $command" "$(offered $command --view '')" \
		"$(views $command | tr ' ' '\n' | sort | paste -sd ' ' -)"
	for view in $(views $command); do
		is "options of $view" "$(offered $command "--view=$view" -- -)" \
			"$(options_offered fathom $command --view "$view" -- --help)"
	done
done
is "behind an option of the view" "$(offered prio --view sprio -- -a -)" \
	"$(options_offered fathom prio --view sprio -- --help)"
scopes=$data/figures/scopes.json
lsb="--from $data/lsf/lsb.users --from $data/lsf/lsb.queues"
is "host partitions" "$(offered shares --from "$c1" --view bhpart -- '')" root
is "queues" "$(offered shares --from "$scopes" --view bqueues -- gpu)" "gpu gpu-long"
is "queues of pools" "$(offered pools --from "$data/figures/pools.json" --view bqueues -- '')" \
	"$(fathom pools --from "$data/figures/pools.json" --view bqueues -- -w |
	sed '1d; s/ .*//' | sort -u | paste -sd ' ')"
is "groups" "$(offered shares --from "$c1" --view bugroup -- -l '')" "A B C D E F root"
# shellcheck disable=SC2086	# two options
is "queues of lsb.queues" "$(offered shares $lsb --scope normal --view bqueues -- '')" \
	"license normal short"
# shellcheck disable=SC2046,SC2086	# many options
is "with any number of options before them" "$(offered shares \
	$(printf ' --scope normal%.0s' 1 2 3 4 5 6 7 8 9 10) $lsb --scope normal \
	--view bqueues -- '')" "license normal short"
is "entities" "$(offered shares --from "$data/pbs/example.pbsfs" --view pbsfs -- -g s)" "scott suzy"
is "users of flux account jobs" "$(offered prio --from "$jobs" --view flux -- user2)" user2
is "its queues" "$(offered prio --from "$jobs" --view flux -- --queue=a)" "--queue=all"
is "its columns" "$(offered shares --view sshare -- -o Account,Eff)" "Account,EffectvUsage"
is "not those of the command" "$(offered shares --view sshare -- --po)" ""
is "sprio's formats are not formats of files" "$(offered prio --view sprio -- --format s)" ""
is "no view, no options" "$(offered lint -- -)" ""

is "nothing for what is not there" "$(offered shares --policy x)$(offered nothing -)" ""
is "nothing on stderr" "$(fathom complete shares --from none -u '' 2>&1)" ""
finish
