#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Every key that --set takes: what it takes, the limits included, how JSON shows that, and what is
# refused. Each setting of the policies' tables is here, and none that they do not have.
. "${srcdir:=.}/tests/cli/lib.sh"
c1=$data/c1.json
tried=

# key POLICY KEY DEFAULT: as JSON shows it; the following lines are about this key
key ()
{
	policy=$1 key=$2
	tried="$tried$policy $key$newline"
	shows "by default" "$3"
}

# shows TEXT VALUE [OPTION...]
shows ()
{
	shows_text=$1 shows_value=$2
	shift 2
	is "$policy: $key: $shows_text" \
		"$(fathom shares --from "$c1" --policy "$policy" "$@" --json 2>&1 |
		sed -n 's/^ "settings": {\(.*\)},$/\1/p' |
			sed "s/.*\"$key\": \(\"[^\"]*\"\|[^,]*\).*/\1/")" "$shows_value"
}

# takes VALUE=SHOWN...
takes ()
{
	for pair in "$@"; do
		shows "takes ${pair%%=*}" "${pair#*=}" --set "$key=${pair%%=*}"
	done
}

# refuses SAYS VALUE...: one line that names the key and says what would be right
refuses ()
{
	says=$1
	shift
	for value in "$@"; do
		fathom shares --from "$c1" --policy "$policy" --set "$key=$value" \
			--json >"$work/out" 2>"$work/err"
		like "$policy: $key: refuses '$value'" \
			"$? $(wc -l <"$work/err" | tr -d ' ') $(cat "$work/out" "$work/err")" \
			"2 1 fathom: --set: $key: *$says*; see fathom shares --help"
	done
}

# at_least_0 [LARGE]: numbers
at_least_0 ()
{
	takes 0=0 .5=0.5 1e3=1000
	refuses "at least 0" -1 -1e-9
	refuses "not a number" nan inf 1e999 '' x 0x10 '1 2' 1,5 "''"
}

is_switch ()
{
	takes yes=true y=true true=true 1=true no=false n=false false=false 0=false Yes=true
	refuses "neither yes nor no" '' 2 on maybe yess
}

is_duration ()
{
	takes 90=90 1.5h=5400 7d=604800 4w=2419200 5m=300 30s=30 1-00:00:00=86400 24:00:00=86400
	refuses "greater than 0" 0 0s 0-00:00:00
	refuses "give seconds, or" '' -5 5x 1:00 day
}

whole ()
{
	takes 0=0 7=7
	refuses "not a whole number" 0.5
	refuses "not a number" '' x
}

weight ()
{
	whole
	takes -7=-7 2147483647=2147483647 -2147483648=-2147483648
	refuses "at least -2147483648 and at most 2147483647" 2147483648 -2147483649
}

for policy in classic depth-oblivious; do
	key $policy dampening_factor 1
	takes 1=1 .25=0.25 65535=65535 1e9=1000000000
	refuses "greater than 0" 0 -1
	refuses "not a number" nan inf '' x
done
key fair-tree tie_mode '"documented"'
takes documented='"documented"' slurm='"slurm"' flux='"flux"' Slurm='"slurm"'
refuses "one of documented, slurm, flux" '' both 0

key pbs initial_usage 0
at_least_0
takes 1=1
key pbs unknown_shares 0
whole
takes 4294967294=4294967294
refuses "at least 0 and at most 4294967294" -1 4294967295
key pbs fairshare_decay_time 86400
is_duration
key pbs fairshare_decay_factor 0.5
takes .25=0.25 1e-9=1.0000000000000001e-09
refuses "greater than 0 and less than 1" 0 1 -1 2
refuses "not a number" '' half
key pbs fairshare_usage_res '"cput"'
takes walltime='"walltime"' 'ncpus*walltime'='"ncpus*walltime"' \
	'pow(ncpus,0.5) * walltime'='"pow(ncpus,0.5) * walltime"'
refuses "not a formula; for example cput" '' ' ' 'a;b' '"cput"'
if built_with muParser "formulas are compiled"; then
	refuses "column 10: 'walltme' is unknown" 'ncpus *  walltme'
	refuses "column 7: the formula ends" 'cput +'
fi
key pbs fairshare_entity '"euser"'
for entity in euser egroup Account_Name queue egroup:euser; do
	takes "$entity=\"$entity\""
done
refuses "one of euser, egroup, Account_Name, queue, egroup:euser" '' user euser:egroup
key pbs fairshare_enforce_no_shares true
is_switch
key pbs order '"factor"'
takes factor='"factor"' path='"path"'
refuses "one of factor, path" '' paths

for name in cpu_time_factor=0.69999999999999996 run_time_factor=0.69999999999999996 \
	run_job_factor=3 \
	fairshare_adjustment_factor=0; do
	key lsf "${name%%=*}" "${name#*=}"
	at_least_0
	takes 100=100
done
key lsf committed_run_time_factor 0
takes 0=0 .5=0.5 1=1
refuses "at least 0 and at most 1" -0.1 1.1
refuses "not a number" '' x
key lsf enable_hist_run_time false
is_switch
key lsf run_time_decay false
is_switch
key lsf hist_hours 5
at_least_0

for name in fairshare_weight=100000 queue_weight=10000 bank_weight=0 urgency_weight=1000; do
	key flux "${name%%=*}" "${name#*=}"
	weight
done
for name in node_weight=1 core_weight=0 gpu_weight=0; do
	key flux "${name%%=*}" "${name#*=}"
	at_least_0
done
key flux reset_period 2419200
is_duration
key flux urgency_raise false
is_switch

# "policy key" a line, from the policies' tables
fathom shares --help | sed -n '/^Policies/,/^$/ {
	s/^  \([a-z-]*\): .*/\1/p
	s/^      \([a-z_]*\) = .*/ \1/p
}' | awk '/^ / { print policy $0; next } { policy = $0 }' >"$work/wanted"
printf '%s' "$tried" >"$work/tried"
sort "$work/wanted" >"$work/a" && sort "$work/tried" >"$work/b"
ok "each setting was tried" diff "$work/a" "$work/b"

# by both names, several values stand side by side, and others' are refused with the own ones
policy=lsf key=run_job_factor
shows "as fathom.conf writes it" 4 --set RunJobFactor=4
shows "in any case" 4 --set runjobfactor=4
shows "as lsb.params writes it" 4 --set RUN_JOB_FACTOR=4
is "two values side by side" \
	"$(fathom shares --from "$c1" --policy lsf --set run_job_factor=4 --set RunJobFactor=5 \
	--json | grep -o '"run_job_factor": [0-9]*' | tr '\n' ' ')" \
	'"run_job_factor": 4 "run_job_factor": 5 '
rejects "another policy's" \
	"fathom: --set: initial_usage: lsf has no setting 'initial_usage', it has cpu_time_factor, \
run_time_factor, run_job_factor, committed_run_time_factor, fairshare_adjustment_factor, \
enable_hist_run_time, \
run_time_decay, hist_hours; see fathom shares --help" shares --from "$c1" --policy lsf \
	--set initial_usage=1
rejects "nobody's" \
	"fathom: --set: colour: pbs has no setting 'colour', it has initial_usage, unknown_shares, \
fairshare_decay_time, fairshare_decay_factor, fairshare_usage_res, fairshare_entity, \
fairshare_enforce_no_shares, order; \
see fathom shares --help" shares --from "$c1" --policy pbs --set colour=red
finish
