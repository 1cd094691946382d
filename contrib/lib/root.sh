# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Another release of Debian, and with it another release of Slurm, in a folder: made once by debootstrap, kept in
# ${XDG_CACHE_HOME:-$HOME/.cache}/fathom/roots, and used by one run at a time. Whatever runs in it runs in a mount and
# a process namespace of its own: with the first process all others and all mounts are gone, however it ends.
# Needs root, common.sh and packages.sh.

root_folder=${XDG_CACHE_HOME:-$HOME/.cache}/fathom/roots
root_outer='' root_work=''

# The Debian release that has the Slurm release.
# shellcheck disable=SC2034	# the scripts look whom they can ask for
declare -A root_suites=(
	[22.05]=bookworm
	[24.11]=trixie
)

# root_possible: prints nothing, or why there can be no root
root_possible ()
{
	((EUID == 0)) || { echo "it takes root"; return; }
	unshare "${root_namespaces[@]}" true 2>/dev/null || { echo "namespaces are not to be had"; return; }
	# shellcheck disable=SC2046	# a list of names
	command -v debootstrap >/dev/null || packages_install $(packages_missing root) >/dev/null 2>&1 ||
		echo "debootstrap is not to be had"
}

root_namespaces=(--mount --propagation private --pid --fork --kill-child --mount-proc)

# root_make SUITE FILL COMMAND...: unless it is there, makes the root, calls FILL ROOT, and in it runs the command, such
# as one that installs packages. Only what has gone through all of this gets the name.
root_make ()
{
	local suite=$1 status=0

	[[ ! -d $root_folder/$suite ]] || return 0
	say "making a root of Debian $suite, $root_folder/$suite"
	mkdir -p "$root_folder"
	root_work=$(mktemp -d "$root_folder/.$suite-XXXXXX")
	chmod 755 "$root_work"
	root_steps "$@" && mv -T "$root_work" "$root_folder/$suite" || status=$?
	root_clean_up
	return "$status"
}

# The mirror is the machine's own, if it is a Debian as well.
root_steps ()
{
	local suite=$1 mirror

	# shellcheck disable=SC2016	# the names are for apt-get
	mirror=$(apt-get indextargets --format '$(REPO_URI) $(LABEL)' 2>/dev/null | awk '$2 == "Debian" { print $1; exit }')
	root_guarded debootstrap --variant=minbase "$suite" "$root_work" ${mirror:+"$mirror"} || return
	apt-config dump | grep -E '^Acquire::(https?|Check)' >"$root_work/etc/apt/apt.conf.d/90host" || true
	echo '127.0.0.1 localhost' >"$root_work/etc/hosts"
	"$2" "$root_work" && root_run "$root_work" "${@:3}"
}

# root_use SUITE: for this run alone
root_use ()
{
	exec {root_lock}<"$root_folder/$1" || return
	flock -n "$root_lock" || { say "$root_folder/$1 is used by another run"; return 1; }
}

# root_run ROOT [--bind FROM TO]... COMMAND...: COMMAND in the root, which is a place of its own there, so that
# namespaces may be made in it. TO is made; what FROM holds can only be read.
root_run ()
{
	local root=$1

	shift
	# shellcheck disable=SC2016	# for the shell inside
	root_guarded "$BASH" -c '
		set -e
		root=$1; shift
		mount --bind "$root" "$root"
		mount -t proc proc "$root/proc"
		mount --rbind /sys "$root/sys"
		mount --rbind /dev "$root/dev"
		mount -t tmpfs -o mode=755 tmpfs "$root/run"
		cat /etc/resolv.conf >"$root/etc/resolv.conf" || true
		while [[ $1 == --bind ]]; do
			mkdir -p "$root$3"
			mount --bind -o ro "$2" "$root$3"
			shift 3
		done
		cd "$root"
		exec chroot . env -i HOME=/root LANG=C.UTF-8 TERM="$TERM" \
			PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin "$@"
		' bash "$root" "$@"
}

# root_guarded COMMAND...: in namespaces that end with it, or with this script even if that is killed
root_guarded ()
{
	local status=0

	setpriv --pdeathsig KILL unshare "${root_namespaces[@]}" "$@" </dev/null &
	root_outer=$!
	wait "$root_outer" || status=$?
	root_outer=
	return "$status"
}

# For the script's EXIT trap. What runs there may be writing to its last moment.
root_clean_up ()
{
	if [[ $root_outer ]]; then
		kill -KILL "$root_outer" 2>/dev/null
		wait "$root_outer" 2>/dev/null
	fi
	[[ ! $root_work ]] || rm -rf "$root_work" 2>/dev/null || { sleep 1; rm -rf "$root_work"; }
	root_outer='' root_work=''
}
