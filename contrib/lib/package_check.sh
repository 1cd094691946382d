# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Checks packages: builds them twice, and tries them in a fresh root. Part of contrib/package, which
# has the functions take_sources and build. Needs common.sh, packages.sh, build.sh and root.sh.
: "${top:?}"

check_passed=0 check_failed=0

# check_packages SUITE...: each step counts what passed and failed
check_packages ()
{
	local suite step

	for suite; do
		for step in "${check_steps[@]}"; do
			echo "== $suite: $step"
			"check_$step" "$suite" || check_count "not ok - $suite: $step"
		done
	done
	echo "$check_passed passed, $check_failed failed"
	((check_failed == 0 && check_passed))
}

check_steps=(equal fresh distcheck)

# check_count LINE: counts a line of the Test Anything Protocol, and prints it
check_count ()
{
	echo "$1"
	case $1 in
	'ok '*) ((++check_passed)) ;;
	'not ok '*) ((++check_failed)) ;;
	esac
	return 0
}

# check TEXT COMMAND...: does COMMAND succeed?
check ()
{
	if "${@:2}"; then
		check_count "ok - $1"
	else
		check_count "not ok - $1"
	fi
}

# check_lines COMMAND...: counts what it prints
check_lines ()
{
	local line

	while IFS= read -r line; do
		check_count "$line"
	done < <("$@" || echo "not ok - $1: status $?")
}

# check_equal SUITE: two builds in different folders have the same bytes
check_equal ()
{
	# shellcheck disable=SC2154	# root_folder is of root.sh
	local kind file root=$root_folder/$1-build one=/build two=/var/tmp/built/again

	take_sources "$1" || return
	for kind in deb rpm; do
		build "$kind" "$1" "$one/$kind" && build "$kind" "$1" "$two/$kind" || return
		for file in "$root$one/$kind"/out/*.{deb,rpm,xz}; do
			[[ -f $file ]] || continue
			check "${file##*/}: $(stat -c %s "$file") bytes, the same in both builds" \
				cmp "$file" "$root$two/$kind/out/${file##*/}"
		done
	done
}

# check_fresh SUITE: in a root that has had no packages yet
check_fresh ()
{
	local made=$top/build/packages/$1 status=0

	[[ -d $made/deb && -d $made/rpm ]] ||
		{ say "build the packages first: --only equal"; return 1; }
	root_make "$1-fresh" true apt-get update || return
	root_work=$(mktemp -d "$root_folder/.$1-XXXXXX")
	cp -a "$root_folder/$1-fresh/." "$root_work" && root_copy_sources "$root_work" &&
		mkdir "$root_work/packages" &&
		cp "$made"/deb/* "$made"/rpm/*.rpm "$root_work/packages" &&
		check_lines root_run "$root_work" /fathom/contrib/package --in-root try_packages ||
		status=$?
	root_clean_up
	return "$status"
}

# check_distcheck SUITE: of the unpacked archive, where tests have all that they need
check_distcheck ()
{
	local root=$root_folder/$1-distcheck

	root_make "$1-distcheck" root_copy_sources /fathom/contrib/check --only packages &&
		root_copy_sources "$root" &&
		cp "$top/build/packages/$1"/deb/fathom-*.tar.xz "$root" || return
	check "make distcheck of the archive, without git" root_run "$root" \
		${headers:+--bind "$headers" /source} \
		env FATHOM_SLURM_SOURCE="${headers:+/source}" \
		/fathom/contrib/package --in-root quietly /distcheck.log distcheck_archive
}

### In a root

distcheck_archive ()
{
	local slurm

	step "make distcheck runs all tests; this takes some minutes"
	slurm=$("$top/contrib/slurm-headers") && rm -rf /distcheck && mkdir /distcheck &&
		cd /distcheck && tar --strip-components=1 -xf /fathom-*.tar.xz &&
		./configure --with-slurm="$slurm" && make -j"$(nproc)" distcheck
}

# try_packages: first all that needs the network
try_packages ()
{
	local log=/packages.log

	quietly "$log" try_prepare || return
	tests/packages/install.t /packages
	check_report lintian --tag-display-limit 0 --fail-on error --allow-root /packages/*.changes
	check_report rpmlint --config "$top/contrib/rpmlint.toml" /packages/*.rpm
}

# check_report COMMAND...: shows what it prints
check_report ()
{
	local status=0

	"$@" 2>&1 || status=$?
	((status)) && echo "not ok - $1: status $status" || echo "ok - $1"
}

try_prepare ()
{
	local slurm

	# shellcheck disable=SC2046,SC2086,SC2154	# package_sets: lists of names
	packages_install ${package_sets[slurm]} gcc libc6-dev dpkg-dev pkg-config rpm rpmlint \
		lintian libmuparser-dev $(depends_of /packages/*.deb) || return
	slurm=$(dpkg-query -W -f '${source:Package} ${Package}\n' | sed -n 's/^slurm-wlm //p')
	# shellcheck disable=SC2086	# a list of names
	mkdir /packages/slurm && cd /packages/slurm && apt-get -q download $slurm
}

# depends_of FILE...: packages that these need or recommend, and that are not among them
depends_of ()
{
	local file

	for file; do
		dpkg-deb --field "$file" Depends Recommends
	done | sed 's/^[A-Za-z-]*: *//' | tr ',|' '\n' | sed 's/^ *//; s/[ :].*//' |
		grep -v fathom | sort -u
}
