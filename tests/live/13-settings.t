#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Changed settings take effect at a reconfigure; wrong ones are told, and the last good ones stay in
# force, over a restart too.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/usage.sh"
# shellcheck source=tests/live/figures.sh
. "$(dirname "$0")/figures.sh"

live_start PriorityWeightAge=0 PriorityWeightFairshare=1000000 PriorityFlags=NO_FAIR_TREE \
	"PartitionName=all Nodes=ALL Default=YES MaxTime=INFINITE DefaultTime=60 \
TRESBillingWeights=CPU=100000" \
	"PartitionName=off Nodes=ALL State=DOWN PriorityJobFactor=1"
log=$cluster/log/slurmctld.log

# renew: reads both files; a pass later all has followed
renew ()
{
	reconfigure
	wait_for_pass
}

# said PATTERN: since the last call of quiet
said ()
{
	tail -n +"$line" "$log" | grep -qE -- "$1"
}

quiet ()
{
	line=$(($(wc -l <"$log") + 1))
}

### Times

# passes_in SECONDS
passes_in ()
{
	local last=$((SECONDS + $1)) count=0 before

	while ((SECONDS < last)); do
		before=$(last_pass)
		sleep 0.1
		[[ $before == "$(last_pass)" ]] || ((++count))
	done
	echo $count
}

three_passes ()
{
	local before

	for _ in 1 2 3; do
		before=$(last_pass)
		wait_until pass_after "$before" || return
	done
}

fathom_conf CalcPeriod=600
reconfigure_once
is "changed period: a longer one takes effect at once" "$(passes_in 3)" 0
fathom_conf CalcPeriod=1
reconfigure
ok "changed period: so does a shorter one" three_passes

for job in user1:4 user2:2 user4:2; do
	runs+=("$(submit "${job%:*}" --ntasks="${job#*:}" --wrap 'sleep 1')")
done
job1=$(submit user1 --partition=off)
job4=$(submit user4 --partition=off)
wait_for_ends "${runs[@]}"

slurm_conf PriorityDecayHalfLife=1
fathom_conf CalcPeriod=600
reconfigure_once
before=$(usage_of user1) at=$(pass_time)
sleep 3 && pass_now
near "a shorter half-life takes effect at once" "$(usage_of user1)" \
	"$(awk -v u="$before" -v t=$(($(pass_time) - at)) 'BEGIN { print u * 2 ^ (-t / 60) }')" 1e-4
slurm_conf PriorityDecayHalfLife=7-0
fathom_conf CalcPeriod=1
renew

### Weights

scontrol update JobId="$job1" Nice=10
before=$(priority_of "$job1")
slurm_conf PriorityWeightFairshare=500000 PriorityWeightPartition=100
renew
near "changed weights take effect at once" "$(priority_of "$job1")" \
	$(((before + 10) / 2 - 10 + 100)) 1e-3
slurm_conf PriorityWeightFairshare=1000000 PriorityWeightPartition=
renew

### Dampening; the factor without it is 2^-x, and d makes it 2^(-x/d)

factor_of ()
{
	awk -v p="$(priority_of "$job4")" 'BEGIN { print p / 1000000 }'
}

# root_of FACTOR D
root_of ()
{
	awk -v f="$1" -v d="$2" 'BEGIN { print f ^ (1 / d) }'
}

plain=$(factor_of)
slurm_conf FairShareDampeningFactor=3
renew
near "FairShareDampeningFactor takes effect at a reconfigure" "$(factor_of)" \
	"$(root_of "$plain" 3)" 1e-4
near "sshare shows it" "$(share_of e user4 FairShare)" "$(root_of "$plain" 3)" 1e-4
near "fathom shares shows it" \
	"$(fathom shares -P -n -a -o User,FairShare | sed -n 's/^ *user4|//p')" \
	"$(root_of "$plain" 3)" 1e-4
scontrol fsdampeningfactor 5
wait_for_pass
near "scontrol fsdampeningfactor takes effect" "$(factor_of)" "$(root_of "$plain" 5)" 1e-4
# from 25.11 on sshare shows the factor that slurmctld sends
if slurm_since 25.11; then
	near "dampening in sshare: it is slurmctld's" "$(share_of e user4 FairShare)" \
		"$(root_of "$plain" 5)" 1e-4
else
	near "dampening in sshare: it goes on with that of its slurm.conf" \
		"$(share_of e user4 FairShare)" "$(root_of "$plain" 3)" 1e-4
fi
fathom_conf DampeningFactor=1.5
renew
near "fathom.conf's DampeningFactor wins" "$(factor_of)" "$(root_of "$plain" 1.5)" 1e-4
near "sshare shows that too" "$(share_of e user4 FairShare)" "$(root_of "$plain" 1.5)" 1e-4
scontrol fsdampeningfactor 7
wait_for_pass
near "also over scontrol" "$(factor_of)" "$(root_of "$plain" 1.5)" 1e-4
slurm_conf FairShareDampeningFactor=0
fathom_conf DampeningFactor=
renew
near "dampening of 0 counts as 1" "$(factor_of)" "$plain" 1e-4
near "dampening of 0: also where sshare works it out" "$(share_of e user4 FairShare)" "$plain" 1e-4
slurm_conf FairShareDampeningFactor=
renew
near "without any of them it is 1 again" "$(factor_of)" "$plain" 1e-4

### Wrong settings at a reconfigure

fathom_conf DampeningFactor=2
renew
good=$(factor_of)
while IFS='|' read -r text key; do
	quiet
	printf 'CalcPeriod=1\n\n%s\nDampeningFactor=4\n' "$text" >"$cluster/fathom.conf"
	reconfigure_once
	ok "'$text' is told with file, line and key" said "error: .*$cluster/fathom.conf:3: $key: "
	near "'$text' changes nothing" "$(factor_of)" "$good" 1e-3
done <<'END'
Color=blue|Color
CalcPeriod=soon|CalcPeriod
Policy fair-tree|Policy
END
printf 'CalcPeriod=1\nDampeningFactor=2\n' >"$cluster/fathom.conf"
! slurm_since 23.11 || reconfigure_once

# Every command reads slurm.conf, so that it must be whole again to ask.
pid=$(cat "$cluster/run/slurmctld")
slurm_conf PriorityWeightAge=many
not_ok "scontrol refuses a slurm.conf with a wrong weight" scontrol reconfigure 2>/dev/null
slurm_conf PriorityWeightAge=0
ok "slurmctld is still up" kill -0 "$pid"
is "a wrong slurm.conf changes nothing" "$(factor_of)" "$good"
renew
is "nor does the next reconfigure, with the good one" "$(factor_of)" "$good"

### Wrong settings at a start

quiet
printf 'CalcPeriod=1\nDampeningFactor=-1\n' >"$cluster/fathom.conf"
controller_restart
in_force='; the last good settings, of 20[-0-9]*T[:0-9]*, stay in force'
ok "a wrong value at the start is told with file, line and key" said \
	"error: .*$cluster/fathom.conf:2: DampeningFactor: .*$in_force"
wait_until said 'priority/fathom: JobId=.*='
near "the last good settings stay in force" "$(factor_of)" "$good" 1e-3
ok "so a pass comes when CalcPeriod says" three_passes
is "their text is kept for SlurmUser alone" \
	"$(stat -c %a "$cluster/state/fathom_conf") $(paste -sd ' ' "$cluster/state/fathom_conf")" \
	"600 CalcPeriod=1 DampeningFactor=2"
quiet
printf 'CalcPeriod=1\nDampeningFactor=2\n' >"$cluster/fathom.conf"
reconfigure_once
near "with the error mended the file counts" "$(factor_of)" "$good" 1e-3
not_ok "and no error is told" said 'error:.*fathom'
rm "$cluster/fathom.conf"
reconfigure_once
near "without the file, what Slurm says counts" "$(factor_of)" "$plain" 1e-3

### A typo changes no policy

# first_line USER [NAME=VALUE]: of what fathom shares prints
first_line ()
{
	as_user "$1" env "${@:2}" fathom shares 2>&1 | head -n 1
}

slurm_conf PriorityFlags=
mkdir "$cluster/readable" "$cluster/elsewhere"
fathom_conf Policy=classic CalcPeriod=1 "FiguresFile=$cluster/readable/fathom.json"
controller_restart
wait_for_pass
good=$(factor_of)
cp "$cluster"/{slurm,fathom}.conf "$cluster/elsewhere"
fathom_conf Policy=clasic
quiet
controller_restart
wait_for_pass
near "a typo at a restart changes no factor" "$(factor_of)" "$good" 1e-3
wrong="$cluster/fathom.conf:[0-9]+: Policy: 'clasic' .*fair-tree.*$in_force"
ok "the log tells it" said "error: priority/fathom: $wrong"
ok "and the policy" said 'priority/fathom: policy classic \(from fathom.conf\)'
like "fathom lint tells it" "$(fathom lint | tr -s '\n ' ' ')" "Policy: 'clasic' .*$in_force"
not_ok "and is an error, which stops a start" fathom lint --slurm-conf "$cluster/slurm.conf" \
	>/dev/null 2>&1
like "the first line of fathom shares tells it" "$(first_line root)" "^fathom: $wrong\$"
near "which has the policy's figures" \
	"$(fathom shares -P -n -a -o User,FairShare 2>/dev/null | sed -n 's/^ *user4|//p')" \
	"$good" 1e-4
like "also for a user who cannot read what is kept" "$(first_line user1)" \
	"^fathom: $cluster/fathom.conf:[0-9]+: Policy: .*; the last good settings.* stay in force"
figures_tell ()
{
	grep -qF '"fault": ' "$cluster/readable/fathom.json"
}
ok "FiguresFile tells it" wait_until figures_tell
like "and so a host with another fathom.conf" \
	"$(first_line user1 "SLURM_CONF=$cluster/elsewhere/slurm.conf")" "^fathom: $wrong\$"
fathom_conf Policy=classic
controller_restart
wait_for_pass
figures_are_good ()
{
	! figures_tell
}
ok "with the typo mended nothing is told any more" wait_until figures_are_good
not_ok "by fathom shares neither" grep -q '^fathom: ' <<<"$(first_line root)"

controller_stop
rm "$cluster/state/fathom_conf"
fathom_conf Policy=clasic
quiet
controller_start
ok "without last good settings the defaults apply" said "error: .*: Policy: .*; the defaults apply"

### Hosts without fathom.conf

# slurmctld tells the settings in force; no pass comes between what is compared
# shellcheck disable=SC2034	# figures.sh reads it
file=$cluster/readable/fathom.json
fathom_conf Policy=lsf "HistHours=7  # of the site; by week" "FiguresFile=$file" CalcPeriod=600
passes reconfigure_once
mkdir "$cluster/bare"
cp "$cluster/slurm.conf" "$cluster/bare"
like "slurmctld tells its fathom.conf" "$(setting PriorityParameters)" \
	"^fathom.conf:.*Policy=lsf;HistHours=7;FiguresFile="
policy_elsewhere ()
{
	as_user user1 env "SLURM_CONF=$cluster/$1/slurm.conf" fathom explain user1 2>&1 | head -n 3
}
is "a host without it has the policy" "$(policy_elsewhere bare)" "$(policy_elsewhere .)"
is "and the figures of FiguresFile" \
	"$(SLURM_CONF=$cluster/bare/slurm.conf fathom shares -P -n -a 2>&1)" \
	"$(fathom shares -P -n -a 2>&1)"
is "and one with an old copy" "$(policy_elsewhere elsewhere)" "$(policy_elsewhere .)"
chmod o-r "$cluster/fathom.conf"
reconfigure_once
is "a file that not everybody may read is not told" "$(setting PriorityParameters)" "(null)"
like "then the policy is assumed, which the first line says" \
	"$(first_line user1 "SLURM_CONF=$cluster/bare/slurm.conf")" \
	"^fathom: policy assumed: this host has no fathom.conf"
chmod o+r "$cluster/fathom.conf"
slurm_conf PriorityParameters=of_the_site
reconfigure_once
is "what the site has there stays" "$(setting PriorityParameters)" of_the_site
