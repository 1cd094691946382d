#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Usage: tests/packages/install.t FOLDER
#
# In a root of Debian that contrib/package --check has made: installs, upgrades, removes and purges
# the packages in FOLDER with apt, and those of RPM in a root of their own, while a Slurm keeps its
# usage. FOLDER/slurm has the packages of the Slurm that is installed. There is no network here.
# there is no build folder; install_first sets fathom
export FATHOM_PRIORITY=multifactor
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/../live/lib.sh"
# shellcheck source=tests/live/usage.sh
. "$(dirname "$0")/../live/usage.sh"

packages=$1
state=/var/lib/slurm/slurmctld			# where Debian's Slurm has it
rpm_root=/rpm

# apt_get ARGUMENT...: with its output in a log
apt_get ()
{
	apt-get --yes "$@" >>"$cluster/log/apt.out" 2>&1
}

apt_install ()
{
	apt_get --allow-downgrades --no-install-recommends install "$@"
}

# version_of PACKAGE: the installed one; nothing if it is not
version_of ()
{
	dpkg-query -W -f '${db:Status-Status} ${Version}\n' "$1" 2>/dev/null |
		sed -n 's/^installed //p'
}

# state_sum [ROOT]
state_sum ()
{
	(cd "${1-}$state" && find . -type f | sort | xargs sha256sum)
}

# renumber FILE VERSION FOLDER [SED]: writes the package with another number, also where it names
# packages of the same version. It is the same otherwise.
renumber ()
{
	local tree=$cluster/private/tree old

	old=$(dpkg-deb --field "$1" Version)
	rm -rf "$tree"
	mkdir -p "$3" && dpkg-deb --raw-extract "$1" "$tree" &&
		sed -i "s/$old/$2/g; ${4-}" "$tree/DEBIAN/control" &&
		dpkg-deb --build "$tree" "$3" >/dev/null
}

# release RELEASE-REVISION: packages of Slurm with this number, as apt's only source
release ()
{
	local file folder=$packages/next

	rm -rf "$folder"
	for file in "$packages"/slurm/*.deb; do
		renumber "$file" "$1" "$folder"
	done
	offer "$folder"
}

# offer FOLDER: makes it apt's only source
offer ()
{
	(cd "$1" && dpkg-scanpackages --multiversion . >Packages 2>/dev/null)
	echo "deb [trusted=yes] file:$1 ./" >/etc/apt/sources.list
	apt_get update
}

# keeps STEP: state and usage are those of before
keeps ()
{
	is "$1: StateSaveLocation has the same bytes" "$(state_sum)" "$kept_state"
	controller_start
	is "$1: usage" "$(usage_of user3)" "$kept_usage"
	is "$1: errors" "$(controller_errors)" ""
}

stop ()
{
	controller_stop
	kept_state=$(state_sum)
	: >"$cluster/log/slurmctld.log"
}

# install_first: installs the packages and charges usage
install_first ()
{
	ok "install" apt_install "$packages"/*.deb
	like "the command runs" "$(fathom --version)" '^fathom [0-9]'
	ok "a program of libfathom-dev compiles" build_example
	is "and runs" "$("$cluster/example")" "$(cat "$live_top/doc/library/example.out")"
	is "Python has the figures of the command" "$(in_python)" \
		"$(fathom shares --from "$live_top/tests/data/demo.sshare" --policy classic --json |
			sed -n 's/.*"user": "\(.*\)", "parent".*"factor": \(.*\), "rank.*/\1 \2/p')"

	rmdir "$cluster/state" && ln -s "$state" "$cluster/state"
	usage_start StateSaveLocation="$state" PriorityType=priority/fathom
	run_two && cancel_all && pass_now
	kept_usage=$used
	is "slurmctld charges usage" "$(usage_of user3)" "$kept_usage"
	like "the command reads it" "$(fathom shares --users user3)" user3
}

build_example ()
{
	# shellcheck disable=SC2046	# words
	gcc "$live_top/doc/library/example.c" $(pkg-config --cflags --libs fathom) \
		-o "$cluster/example"
}

# in_python: lines "USER FACTOR" of all users
in_python ()
{
	python3 -c 'import fathom, sys
tree = fathom.Tree.read(sys.argv[1])
for kind, name, factor in zip(tree.rows["kind"], tree.name, tree.evaluate("classic").factor):
    if kind == 1:
        print(name, f"{factor:.17g}")' "$live_top/tests/data/demo.sshare"
}

# upgrade: to the same files with a higher number, also while slurmctld runs
upgrade ()
{
	local file number

	for number in 1 2; do
		for file in "$packages"/*.deb; do
			renumber "$file" "$version+$number" "$packages/upgrade$number"
		done
	done
	stop
	ok "upgrade" apt_install "$packages"/upgrade1/*.deb
	keeps "upgrade"
	ok "upgrade while slurmctld runs" apt_install "$packages"/upgrade2/*.deb
	run_one
	stop
	keeps "upgrade while slurmctld runs"
	is "the plugin has the higher version" "$(version_of "$plugin")" "$version+2"
}

# run_one: another job is charged
run_one ()
{
	local job

	job=$(submit user3 --wrap 'sleep 2')
	wait_for_job "$job" COMPLETED && pass_now
	((kept_usage += $(seconds_run "$job")))
	is "and charges a job then" "$(usage_of user3)" "$kept_usage"
}

take_off ()
{
	stop
	ok "remove" apt_get remove "$plugin" fathom
	slurm_conf PriorityType=priority/multifactor
	keeps "remove, with multifactor"
	stop
	ok "install again" apt_install "$packages"/*.deb
	slurm_conf PriorityType=priority/fathom
	keeps "install again"
	stop
	ok "purge" apt_get purge "$plugin" fathom libfathom0 libfathom-dev \
		python3-fathom
	is "purge leaves no file" "$(find /etc /usr /var/lib/dpkg -name '*fathom*')" ""
	is "purge: StateSaveLocation has the same bytes" "$(state_sum)" "$kept_state"
	ok "install after purge" apt_install "$packages"/*.deb
	keeps "install after purge"
}

# ---- another Slurm

# apt keeps Slurm as it is, rather than have a plugin that slurmctld refuses
in_step ()
{
	local file slurm='slurm-wlm-basic-plugins' now=$1 next=$2

	release "$now-99"
	ok "an update of the same Slurm" apt_get upgrade
	is "is installed" "$(version_of $slurm)" "$now-99"
	release "$next-1"
	ok "an upgrade of all to Slurm $next" apt_get upgrade
	is "leaves out Slurm" "$(version_of $slurm) $(version_of slurmctld)" "$now-99 $now-99"
	not_ok "apt refuses Slurm $next" apt_get --no-remove install slurmctld="$next-1"
	for file in "$packages/$plugin"*.deb; do
		renumber "$file" "$version+3" "$packages/next" "s/$now/$next/g"
	done
	offer "$packages/next"
	ok "once there is a plugin for $next" apt_get upgrade
	is "both are upgraded" "$(version_of $slurm) $(version_of "$plugin")" "$next-1 $version+3"
	not_ok "apt refuses the plugin for $now" apt_install "$packages/$plugin"_*.deb
}

# ---- RPM

rpm_packages ()
{
	local file kept name=slurm-fathom-plugin

	mkdir -p "$rpm_root$state" && cp -a "$state/." "$rpm_root$state"
	kept=$(state_sum "$rpm_root")
	not_ok "rpm refuses the plugin without Slurm" rpm_at --install "$packages/$name"-*.rpm
	is "as it needs this release" \
		"$(rpm -qp --requires "$packages/$name"-*.rpm | grep '^slurm ')" "slurm = $1"
	ok "rpm --install" rpm_at --install --nodeps "$packages"/*.rpm
	for file in "$packages"/*.rpm; do
		is "rpm --verify $(rpm -qp --qf '%{NAME}' "$file")" \
			"$(rpm_at --verify --nodeps "$(rpm -qp "$file")" 2>&1)" ""
	done
	rpm_plugin
	ok "rpm --upgrade" rpm_at --upgrade --replacepkgs --nodeps "$packages"/*.rpm
	# shellcheck disable=SC2046	# names
	ok "rpm --erase" rpm_at --erase --nodeps $(rpm -qp --qf '%{NAME} ' "$packages"/*.rpm)
	is "leaves no file" "$(find "$rpm_root/usr" -name '*fathom*')" ""
	is "rpm: StateSaveLocation has the same bytes" \
		"$(state_sum "$rpm_root")" "$kept"
}

# The root has nothing else, no C library either.
rpm_at ()
{
	rpm --root "$rpm_root" "$@" 2>>"$cluster/log/rpm.out"
}

# rpm_plugin: slurmctld of Debian takes the plugin of the package
rpm_plugin ()
{
	local folder

	folder=$(dirname "$(find "$rpm_root" -name priority_fathom.so)")
	stop
	slurm_conf PluginDir="$folder:$(setting_before PluginDir)"
	controller_start
	is "the plugin of the RPM: usage" "$(usage_of user3)" "$kept_usage"
	controller_stop
}

setting_before ()
{
	sed -n "s/^$1=[^:]*://p" "$cluster/slurm.conf"
}

plugin='slurm-wlm-fathom-plugin'
version=$(dpkg-deb --field "$packages/$plugin"_*.deb Version)
slurm_release=$(slurmctld -V | awk '{ print $NF }')
mkdir -p "$state"
install_first
upgrade
take_off
rpm_packages "$slurm_release"
in_step "$slurm_release" "${slurm_release%.*}.$((10#${slurm_release##*.} + 1))"
