#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# What the commands print on terminals of 80 and of 120 columns, with and without colour.
. "${srcdir:=.}/tests/cli/lib.sh"
need_python3

tree=$data/demo.sshare jobs=$data/jobs/demo.json figures=$data/figures
escape=$(printf '\033')

# on_terminal COLUMNS ARGUMENT...
on_terminal ()
{
	TERM=${TERM_OF_TEST-xterm} python3 "$srcdir/tests/cli/terminal.py" show "$1" \
		"$FATHOM" "${@:2}"
}

plain ()
{
	sed "s/$escape\\[[0-9;]*m//g"
}

if built_with SQLite "fathom history on a terminal"; then
	cat >"$work/jobs" <<-END
	JobID|User|Account|State|Submit|Start|End|Elapsed|AllocTRES
	1|adalovelace|physics|COMPLETED|1704067200|1704067200|1704103200|10:00:00|billing=8000
	END
	printf '%s\n' 'Account|User|RawShares|RawUsage' 'root||1|0' ' physics||1|0' \
		'  physics|adalovelace|1|0' >"$work/tree"
	fathom history --rebuild --from "$work/jobs" --from "$work/tree" --set half_life=0 \
		--history "$work/history" >"$work/said"
fi

# The commands, one a line. Each option of a table and each policy is in one of them.
commands_on_terminal ()
{
	local policy command

	for policy in $(policies); do
		echo "shares --policy $policy --from $tree"
		echo "shares --policy $policy -l --from $tree"
		echo "prio --policy $policy --from $jobs --from $tree"
		echo "prio --policy $policy -l --from $jobs --from $tree"
		echo "explain --policy $policy user2 user4 --from $tree"
		echo "explain --policy $policy 6 9 --from $jobs --from $tree"
	done
	for policy in classic,fair-tree classic,lsf; do
		echo "shares --policy $policy --from $tree"
		echo "prio --policy $policy --from $jobs --from $tree"
	done
	cat <<-END
	shares -S -FairShare --from $tree
	shares --shadow --from $figures/shadow.json
	shares --scope gpu --from $figures/scopes.json
	prio --norm --from $jobs --from $tree
	prio --weights --from $jobs --from $tree
	prio --state all --from $jobs --from $tree
	prio --formula fairshare_factor --from $jobs --from $tree
	explain user2 --from $tree
	start --from $data/snapshot/lab.json
	start 8 --from $data/snapshot/lab.json
	explain user2 --until 0.5 --policy classic --from $tree
	pools --from $figures/pools.json
	replay $data/swf/small.swf --cpus 9 --policy lsf --set run_job_factor=0.25 \
--set run_job_factor=0.75 --set cpu_time_factor=1.25 --set cpu_time_factor=2.75
	convert --list
	lint --list
	lint --slurm-conf $data/lint/pool-tiers/fires/slurm.conf
	shares --helpformat
	prio --helpformat
	shares --view sshare -- --help
	prio --view sprio -- --help
	--help
	END
	! [ -e "$work/history" ] ||
		echo "history --history $work/history --since 3d adalovelace"
	for command in $(commands); do
		echo "$command --help"
	done
}

# A line "COLUMNS|ARGUMENTS|LINES|WIDER|BLANKS" for each command and width: how many lines there
# are, the first that is wider than the terminal, and the first with a blank at its end. Messages
# may be longer than a line.
count_lines ()
{
	awk 'function tell() { if (lines != "") print command "|" lines "|" wider "|" blanks }
		/^\001/ {
			tell()
			command = substr($0, 2); sub(/ /, "|", command)
			width = $1; sub(/\001/, "", width)
			lines = 0; wider = blanks = ""
			next
		}
		{ lines++ }
		!wider && !/^fathom:/ && length > width + 0 { wider = $0 }
		!blanks && / $/ { blanks = $0 }
		END { tell() }'
}

while IFS='|' read -r width arguments lines wider blanks; do
	ok "$width columns: $arguments" test "$lines" -gt 0
	is "no line is wider" "$wider" ""
	is "no blanks at ends of lines" "$blanks" ""
done < <(commands_on_terminal | TERM=xterm python3 "$srcdir/tests/cli/terminal.py" each 80,120 \
	"$FATHOM" | plain | count_lines)

# what is left out is said, and what matters least goes first
is "shares -l hides NormUsage first" "$(on_terminal 80 shares -l --from "$tree" | sed -n 1p)" \
	"fathom: NormUsage is hidden, because the terminal is too narrow; --output chooses columns"
is "the columns of shares that matter least go, too" \
	"$(on_terminal 40 shares --from "$tree" --color never | tr -d '\r' | sed -n 1,2p)" \
	"fathom: RawShares, NormShares and EffectvUsage are hidden, because the terminal is too \
narrow; --output chooses columns
Account User  RawUsage FairShare"
is "but not the account, the user and the factor" \
	"$(on_terminal 20 shares -l --from "$tree" --color never | tr -d '\r' | sed -n 2p)" \
	"Account User  FairShare"
like "columns of prio have the names of --output, as two may have one heading" \
	"$(on_terminal 80 prio -l --from "$jobs" --from "$tree" | sed -n 1p)" \
	"fathom: *PartitionFactor* hidden, *--output chooses columns"
is "prio -l of flux hides weights first" \
	"$(on_terminal 80 prio -l --policy flux --from "$jobs" --from "$tree" | sed -n 1p)" \
	"fathom: BankFact, QFact, FSFactor and UrgFact are hidden, because the terminal is too \
narrow; --output chooses columns"
is "convert --list breaks lines between words" \
	"$(on_terminal 80 convert --list | plain | tr -s ' \n' ' ')" \
	"$(fathom convert --list | tr -s ' \n' ' ')"

like "replay says that shares are assumed" \
	"$(on_terminal 80 replay "$data/swf/small.swf" --cpus 9 | plain | tr -s ' \n' ' ')" \
	"*fathom: shares are assumed to be 1 for each account, and for each user of an account; *"

is "a column that shrinks is cut" \
	"$(on_terminal 30 start --from "$data/snapshot/lab.json" --color never | tail -n 1 |
		tr -d '\r')" '   11 user4                           it +'
printf '%s\n' 'Account|User|RawShares|RawUsage' 'root||1|0' " $(printf %060d 0)||1|0" \
	"  $(printf %060d 0)|$(printf %030d 1)|1|0" >"$work/long"
is "so are accounts and users that explain shows" \
	"$(on_terminal 80 explain "user:$(printf %030d 1)" --from "$work/long" --color never |
		tail -n 1 | tr -d '\r' | wc -L)" 80
if [ "$(LC_ALL=C.UTF-8 locale charmap 2>/dev/null)" = UTF-8 ]; then
	# each takes two columns
	wide=$(printf '利%.0s' {1..40})
	sed "s/$(printf %030d 1)/$wide/g" "$work/long" >"$work/wide"
	is "also those of wide characters" \
		"$(LC_ALL=C.UTF-8 on_terminal 80 explain "$wide" --from "$work/wide" --color never |
			tail -n 1 | tr -d '\r' | LC_ALL=C.UTF-8 wc -L)" 80
else
	skip "also those of wide characters" "no locale C.UTF-8"
fi
is "a column that wraps goes on below itself" \
	"$(on_terminal 60 replay "$data/swf/small.swf" --cpus 9 --policy lsf --color never \
		--set run_job_factor=0.25 --set run_job_factor=0.75 | tail -n 4 | cut -c 1-23 |
		tr -d '\r')" \
"lsf                   4
run_job_factor=0.25
lsf                   4
run_job_factor=0.75"

# colour
coloured ()
{
	on_terminal 80 shares --policy classic --from "$tree" "$@" | grep -c "$escape"
}

is "colour on a terminal" "$(coloured)" 13
is "not with NO_COLOR" "$(NO_COLOR=1 coloured)" 0
is "but with --color=always" "$(NO_COLOR=1 coloured --color always)" 13
is "an empty NO_COLOR is none" "$(NO_COLOR='' coloured)" 13
is "not with --color=never" "$(coloured --color never)" 0
is "not on a dumb terminal" "$(TERM_OF_TEST=dumb coloured)" 0
is "nor where there is no terminal" \
	"$(TERM=xterm fathom shares --policy classic --from "$tree" | grep -c "$escape")" 0
is "without colour it is the same text" \
	"$(on_terminal 80 shares --policy classic --from "$tree" | plain)" \
	"$(fathom shares --policy classic --from "$tree")"
is "--color=always leaves no blanks at ends of lines, either" \
	"$(fathom shares --policy classic --from "$tree" --color always | plain | grep -c ' $')" 0

# progress; nothing is computed of jobs that never began
{
	echo 'JobID|User|Account|State|Submit|Start|End|Elapsed|NCPUS'
	day=2026-09-01
	echo "1|ada|physics|COMPLETED|${day}T00:00:10|${day}T00:00:20|${day}T00:01:20|00:01:00|4"
	yes "2|ada|physics|CANCELLED|${day}T00:00:10|Unknown|${day}T00:01:20|00:00:00|4" |
		head -n 400000
} >"$work/month"
# progress_of ARGUMENT...: of a command that is stopped for a second while it reads; each state of
# the line is a line, and the last one is blank
progress_of ()
{
	TERM=xterm python3 "$srcdir/tests/cli/terminal.py" stop "$work/month" "$FATHOM" "$@" |
		tr '\r' '\n'
}
reading=("shares --from" "convert --to fathom --from" "prio --from" "usage --from"
	"replay --cpus 1000000")
for command in "${!reading[@]}"; do
	# shellcheck disable=SC2086	# several words
	progress_of ${reading[command]} "$work/month" >"$work/shown$command" &
done
wait
for command in "${!reading[@]}"; do
	like "progress of ${reading[command]}" \
		"$(grep '%  [0-9]* MB/s  [0-9:]* left$' "$work/shown$command" | head -n 1)" \
		'\[#* *\] * [1-9]*%  [0-9]* MB/s  [0-9]*:[0-9][0-9] left'
	# shellcheck disable=SC2016	# awk's
	is "it is gone at the end" "$(awk '/%  / { shown = 1; next } shown && /[^ ]/ { exit }
		shown && /^ +$/ { print "erased"; exit }' "$work/shown$command")" erased
done
mkfifo "$work/pipe"
{ head -n 200000 "$work/month"; sleep 1.1; tail -n 200000 "$work/month"; } >"$work/pipe" &
like "progress of a pipe" "$(on_terminal 80 shares --from "$work/pipe" | tr '\r' '\n')" \
	'*[1-9]* MB  [1-9]* MB/s*'
rm "$work/pipe"
mkfifo "$work/pipe"
TERM=xterm python3 "$srcdir/tests/cli/terminal.py" interrupt "$work/pipe" "$work/month" \
	"$FATHOM" shares --from "$work/pipe" | tr '\r' '\n' | tail -n 4 >"$work/shown"
# blanks cover the end of a longer line before it
like "Ctrl-C: the line has been there" "$(sed -n '1s/ *^C/^C/p' "$work/shown")" '*MB  *MB/s^C'
is "it is erased, with what the terminal shows of Ctrl-C, and the command ends by the signal" \
	"$(sed -n '2,4{ s/  *$/ /; p; }' "$work/shown" | paste -sd , -)" " ,,SIGINT"
is "no progress where there is no terminal" \
	"$( (head -n 9 "$work/month"; sleep 1.1; tail -n 9 "$work/month") |
		fathom shares --from - 2>&1 >/dev/null)" ""
finish
