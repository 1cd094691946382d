# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A root folder with another release of Debian, and so with another release of Slurm. debootstrap
# makes it once, in ${XDG_CACHE_HOME:-$HOME/.cache}/fathom/roots. Only one run at a time may use it.
# Commands in it run in their own mount and process namespaces, so that all processes and mounts end
# with the first process, however that ends. Needs root, common.sh and packages.sh.

root_folder=${XDG_CACHE_HOME:-$HOME/.cache}/fathom/roots
root_outer='' root_work=''

# The Debian release of each Slurm release.
# shellcheck disable=SC2034	# used by the scripts
declare -A root_suites=(
	[22.05]=bookworm
	[24.11]=trixie
)

# root_possible: prints why a root folder cannot be made or used; nothing if it can
root_possible ()
{
	((EUID == 0)) || { echo "root is required"; return; }
	unshare "${root_namespaces[@]}" true 2>/dev/null || {
		echo "namespaces cannot be made"
		return
	}
	# shellcheck disable=SC2046	# a list of names
	command -v debootstrap >/dev/null ||
		packages_install $(packages_missing root) >/dev/null 2>&1 ||
		echo "debootstrap cannot be installed"
}

root_namespaces=(--mount --propagation private --pid --fork --kill-child --mount-proc)

# root_make NAME FILL COMMAND...: makes the root folder if it does not exist: runs debootstrap,
# FILL ROOT, and in the root the command, which installs packages. The folder gets its name when all
# this has succeeded. NAME is a Debian release, or begins with one, as in bookworm-build.
root_make ()
{
	local name=$1 status=0

	[[ ! -d $root_folder/$name ]] || return 0
	say "making a root of Debian ${name%%-*}, $root_folder/$name"
	mkdir -p "$root_folder"
	root_work=$(mktemp -d "$root_folder/.$name-XXXXXX")
	chmod 755 "$root_work"
	root_steps "${name%%-*}" "${@:2}" && mv -T "$root_work" "$root_folder/$name" || status=$?
	root_clean_up
	return "$status"
}

# Uses the machine's mirror if the machine runs Debian.
root_steps ()
{
	local suite=$1 mirror

	# shellcheck disable=SC2016	# the names are for apt-get
	mirror=$(apt-get indextargets --format '$(REPO_URI) $(LABEL)' 2>/dev/null |
		awk '$2 == "Debian" { print $1; exit }')
	root_guarded debootstrap --variant=minbase "$suite" "$root_work" ${mirror:+"$mirror"} ||
		return
	apt-config dump | grep -E '^Acquire::(https?|Check)' \
		>"$root_work/etc/apt/apt.conf.d/90host" || true
	echo '127.0.0.1 localhost' >"$root_work/etc/hosts"
	"$2" "$root_work" && root_run "$root_work" "${@:3}"
}

# root_copy_sources ROOT: copies the sources there, to /fathom, without what was built
root_copy_sources ()
{
	mkdir -p "$1/fathom" &&
		find "$1/fathom" -mindepth 1 -maxdepth 1 ! -name build -exec rm -rf {} + &&
		tar -C "${top:?}" --exclude=./build --exclude=./.git -cf - . |
			tar -C "$1/fathom" -xf -
}

# root_use NAME: locks the root folder for this run
root_use ()
{
	exec {root_lock}<"$root_folder/$1" || return
	flock -n "$root_lock" || { say "$root_folder/$1 is used by another run"; return 1; }
}

# root_run ROOT [--bind FROM TO]... COMMAND...: runs COMMAND in the root, which is made a mount
# point so that namespaces can be made in it. Each folder FROM is mounted at TO, read-only.
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

# root_guarded COMMAND...: runs COMMAND in namespaces that end with it, and with this script even if
# that is killed
root_guarded ()
{
	local status=0

	setpriv --pdeathsig KILL unshare "${root_namespaces[@]}" "$@" </dev/null &
	root_outer=$!
	wait "$root_outer" || status=$?
	root_outer=
	return "$status"
}

# root_clean_up: for the script's EXIT trap. Tries twice, as a process in the root may still write
# until it is killed.
root_clean_up ()
{
	if [[ $root_outer ]]; then
		kill -KILL "$root_outer" 2>/dev/null
		wait "$root_outer" 2>/dev/null
	fi
	[[ ! $root_work ]] || rm -rf "$root_work" 2>/dev/null || { sleep 1; rm -rf "$root_work"; }
	root_outer='' root_work=''
}
