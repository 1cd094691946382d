# SPDX-License-Identifier: GPL-2.0-or-later
# For tests of the command: a script sources this file, calls ok, is, like, rejects, and closes with
# "finish". It prints the Test Anything Protocol; the status is 1 if a test failed. Plain sh.
# shellcheck shell=sh

: "${srcdir:=.}" "${FATHOM:=./src/cli/fathom}"
[ -x "$FATHOM" ] || { echo "Bail out! no $FATHOM; build it, or set FATHOM"; exit 1; }
data=$srcdir/tests/data
work=$(mktemp -d "${TMPDIR:-/tmp}/fathom-test.XXXXXX") || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 130' INT TERM HUP
tests=0 failed=0
newline='
'
# what a user has set must not matter; a browser or a shell keeps its files in $work
unset NO_COLOR SLURM_CONF XDG_CONFIG_HOME XDG_CACHE_HOME XDG_DATA_HOME XDG_STATE_HOME
export LC_ALL=C HOME="$work"

fathom ()
{
	"$FATHOM" "$@"
}

# as_in_file: fathom shares --json as a FiguresFile has it: not a document, and without the rank,
# which the plugin does not write for all policies
as_in_file ()
{
	sed '/^{"format"/d; s/^ "policy"/{"policy"/; s/, "time_iso": [^,]*//; s/, "rank": [^,}]*//'
}

# policies, formats, commands: their names, with blanks between them
policies ()
{
	fathom --version | sed -n 's/^  policies  *//p'
}

formats ()
{
	fathom --version | sed -n 's/^  formats  *//p'
}

commands ()
{
	fathom --help | sed -n '/^Commands:/,/^$/ s/^  \([a-z]*\) .*/\1/p' | paste -sd ' ' -
}

# options COMMAND: a line "-u --user LIST" for each option of its help; '.' where there is no letter
# or no argument
options ()
{
	fathom "$1" --help | sed -n '/^Policies/q
		s/^  \(-.,\|   \) \(--[-a-zA-Z0-9]*\)\(=[^ ]*\)\{0,1\}.*/\1 \2 \3/p' |
		sed 's/^   /./; s/, / /; s/ =/ /; s/ $/ ./'
}

# views COMMAND: the tools that --view takes; views_of COMMAND: as messages list them
views ()
{
	fathom "$1" --help | sed -n '/^Views/{ n; s/^ *//; p; }'
}

views_of ()
{
	# shellcheck disable=SC2046	# a word a view
	or_listed $(views "$1")
}

# listed NAME...: as messages list names: "a, b, c"; or_listed: "a, b or c"
listed ()
{
	echo "$@" | sed 's/ /, /g'
}

or_listed ()
{
	listed "$@" | sed 's/, \([^,]*\)$/ or \1/'
}


pass ()
{
	tests=$((tests + 1))
	echo "ok $tests - $1"
}

# fail TEXT LINE...
fail ()
{
	tests=$((tests + 1)) failed=$((failed + 1))
	echo "not ok $tests - $1"
	shift
	printf '%s\n' "$@" | sed 's/^/#   /'
}

# ok TEXT COMMAND...: does COMMAND succeed?
ok ()
{
	ok_text=$1
	shift
	if "$@" >"$work/ok.out" 2>&1; then
		pass "$ok_text"
	else
		fail "$ok_text" "$*" "$(cat "$work/ok.out")"
	fi
}

# is TEXT GOT WANTED
is ()
{
	if [ "$2" = "$3" ]; then
		pass "$1"
	else
		fail "$1" "got    $2" "wanted $3"
	fi
}

# like TEXT GOT PATTERN: a pattern of the shell
like ()
{
	# shellcheck disable=SC2254	# a pattern is meant
	case $2 in
	$3) pass "$1" ;;
	*) fail "$1" "got    $2" "wanted $3" ;;
	esac
}

# rejects TEXT LINE ARGUMENT...: status 2, nothing on stdout, on stderr the one LINE
rejects ()
{
	rejects_text=$1 rejects_line=$2
	shift 2
	"$FATHOM" "$@" >"$work/out" 2>"$work/err" </dev/null
	rejects_status=$?
	if [ $rejects_status -eq 2 ] && [ ! -s "$work/out" ] &&
		[ "$(cat "$work/err")" = "$rejects_line" ]; then
		pass "$rejects_text"
	else
		fail "$rejects_text" \
			"status $rejects_status, $(wc -c <"$work/out") bytes on stdout" \
			"got    $(cat "$work/err")" "wanted $rejects_line"
	fi
}

# prints TEXT FILE ARGUMENT...: with these arguments fathom prints FILE of tests/data/output
prints ()
{
	prints_text=$1 prints_file=$data/output/$2
	shift 2
	"$FATHOM" "$@" >"$work/printed" 2>&1
	ok "$prints_text" diff "$prints_file" "$work/printed"
}

# skip TEXT REASON
skip ()
{
	tests=$((tests + 1))
	echo "ok $tests - $1 # SKIP $2"
}

# built_with LIBRARY [TEXT...]: was fathom built with SQLite, muParser or libslurm? If not, skips
# the tests TEXT
built_with ()
{
	fathom --version | grep -q "^  $1  *[0-9y]" && return
	built_library=$1
	shift
	for built_text; do
		skip "$built_text" "built without $built_library"
	done
	return 1
}

# need_python3: ends the script as skipped if it is missing
need_python3 ()
{
	command -v python3 >/dev/null || {
		echo "1..0 # SKIP python3 is not installed"
		exit 77
	}
}

finish ()
{
	echo "1..$tests"
	[ "$failed" -eq 0 ]
	exit
}
