# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Installs packages with apt on Debian 12, Debian 13 and Ubuntu 24.04, without starting a service.
# Needs common.sh.

# The names are the same in these three releases. mariadb-server-core is only the daemon;
# mariadb-server would set up a database of the machine.
declare -A package_sets=(
	[build]="gcc libc6-dev make autoconf automake libtool pkg-config dpkg-dev
		check libsmartcols-dev libjansson-dev libyajl-dev liblzma-dev libmuparser-dev
		libsqlite3-dev libzstd-dev node-d3 zlib1g-dev"
	[slurm]="slurmctld slurmdbd slurmd slurm-client libslurm-dev slurm-wlm-basic-plugins
		slurm-wlm-mysql-plugin munge mariadb-server-core mariadb-client-core iproute2"
	[test]="chromium valgrind python3 git groff-base zsh fish sqlite3
		python3-prometheus-client python3-numpy python3-pandas python3-pip
		python3-setuptools python3-wheel mypy prometheus prometheus-node-exporter"
	[full]="gcovr"
	[analyzers]="clang cppcheck"
	[root]="debootstrap debian-archive-keyring"
)

policy_file=/usr/sbin/policy-rc.d
policy_kept=$policy_file.kept-by-fathom
policy_mark="# written by fathom's contrib scripts for one call of apt-get"

# packages_missing SET...: prints the packages of the sets that are not installed, in one line
packages_missing ()
{
	local set name missing=()

	for set; do
		for name in ${package_sets[$set]}; do
			package_installed "$name" || missing+=("$name")
		done
	done
	echo "${missing[*]}"
}

package_installed ()
{
	[[ $(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null) == installed ]]
}

# packages_known_here: succeeds on a release that the table is made for
packages_known_here ()
{
	local release

	# shellcheck source=/dev/null
	release=$(. /etc/os-release 2>/dev/null && echo "$ID:$VERSION_ID")
	[[ $release =~ ^(debian:1[23]|ubuntu:24\.04)$ ]]
}

# packages_install NAME...: fails with apt-get's status
packages_install ()
{
	(($#)) || return 0
	command -v apt-get >/dev/null ||
		{ say "apt-get not found; install by hand: $*"; return 2; }
	packages_known_here ||
		say "not tried on this release, only on Debian 12, Debian 13 and Ubuntu 24.04;" \
			"going on"

	# A lock on the folder itself leaves no file behind. Two runs at once must not keep each
	# other's policy.
	(
		flock 9
		trap policy_restore EXIT
		trap 'exit 130' INT
		trap 'exit 143' TERM HUP
		policy_forbid_services
		apt_install "$@" || { apt_get update && apt_install "$@"; }
	) 9<"${policy_file%/*}"
}

# The lists are fetched only after a failure: they may be missing or too old.
apt_install ()
{
	apt_get install --yes --no-install-recommends "$@"
}

# needrestart, part of Ubuntu, would restart services; list mode only names them
apt_get ()
{
	DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=l apt-get -q \
		-o DPkg::Lock::Timeout=300 -o Dpkg::Use-Pty=0 \
		-o Dpkg::Options::=--force-confdef -o Dpkg::Options::=--force-confold \
		"$@" </dev/null >&2 9<&-
}

# Maintainer scripts ask this file before they start a service; 101 means no.
policy_forbid_services ()
{
	policy_restore			# what a killed run may have left
	if [[ -e $policy_file || -L $policy_file ]]; then
		mv "$policy_file" "$policy_kept"
	fi
	printf '%s\n' '#!/bin/sh' "$policy_mark" 'exit 101' >"$policy_file"
	chmod 755 "$policy_file"
}

# Moving back keeps owner, mode and times of the machine's own file.
policy_restore ()
{
	if [[ -e $policy_kept || -L $policy_kept ]]; then
		mv -f "$policy_kept" "$policy_file"
	elif [[ -f $policy_file ]] && grep -qxF "$policy_mark" "$policy_file"; then
		rm "$policy_file"
	fi
}
