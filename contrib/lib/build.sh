# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Builds the sources in folders $top/build/NAME, which git ignores. Says each step on stderr.
# Needs common.sh, and $top: the folder of the sources.
: "${top:?}"

# build_in NAME [OPTION...]: configures with these options, if it is not done yet, and builds.
# Output goes to build/NAME/build.log.
build_in ()
{
	local folder=$top/build/$1

	if [[ -f $top/config.status ]]; then
		say "$top itself is configured; run make distclean there first"
		return 1
	fi
	mkdir -p "$folder"
	quietly "$folder/build.log" build_steps "$folder" "${@:2}"
}

# Runs configure again if the options have changed; make does the rest.
build_steps ()
{
	local folder=$1 options=${*:2}

	if [[ ! -x $top/configure ]]; then
		step "autoreconf makes configure"
		(cd "$top" && autoreconf -fi) || return
	fi
	cd "$folder" || return
	if [[ ! -f Makefile || $(cat options 2>/dev/null) != "$options" ]]; then
		step "configure looks for compiler and libraries"
		# configure would choose bash for make and libtool; sh, often dash, starts faster
		CONFIG_SHELL=/bin/sh "$top/configure" "${@:2}" || return
		echo "$options" >options
	fi
	step "make compiles; from scratch this takes a few minutes"
	make -j"$(nproc)"
}

# step TEXT: says what comes next, in a function that runs quietly
step ()
{
	say "$@" 2>&3
}

# quietly LOG COMMAND...: runs COMMAND in a subshell, with its output in LOG; shows the end of LOG
# if COMMAND fails. In COMMAND, file 3 is the caller's stderr.
quietly ()
{
	local status=0

	("${@:2}") </dev/null 3>&2 >"$1" 2>&1 || status=$?
	if ((status)); then
		tail -n 30 "$1" >&2
		say "status $status; the whole output is in $1"
	fi
	return "$status"
}
