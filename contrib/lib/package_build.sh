# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# Builds packages: the part of contrib/package that runs in the root of a Debian, with a copy of the
# sources in $top. Needs common.sh, packages.sh and build.sh. The time of all files is
# SOURCE_DATE_EPOCH. The tests do not run here; contrib/check and contrib/package --check run them.
: "${top:?}"

# build_packages KIND FOLDER PACKAGER: builds the archive of the sources and from it the packages,
# KIND deb or rpm, in FOLDER; the results are in FOLDER/out.
build_packages ()
{
	local kind=$1 folder=$2 packager=$3 version

	rm -rf "$folder" && mkdir -p "$folder/out" &&
		quietly "$folder/depends.log" build_depends &&
		quietly "$folder/headers.log" build_headers "$folder" &&
		quietly "$folder/archive.log" build_archive "$folder" || return
	version=$(sed -n 's/^Version: //p' "$folder/dist/contrib/fathom.spec")
	quietly "$folder/$kind.log" "build_$kind" "$folder" "$version" "$packager"
}

# build_depends: brings the root up to date and installs what the packages are built with
build_depends ()
{
	step "apt installs Build-Depends"
	policy_forbid_services
	ln -sfn contrib/debian "$top/debian"
	# an earlier run may have been interrupted
	DEBIAN_FRONTEND=noninteractive dpkg --configure -a && apt_get update &&
		apt_get --yes --fix-broken install && apt_get --yes dist-upgrade &&
		apt_get --yes --no-install-recommends build-dep "$top" &&
		apt_get --yes --no-install-recommends install rpm file ${FATHOM_SLURM_SOURCE:+git}
}

build_headers ()
{
	step "slurm-headers gets those of the Slurm here"
	"$top/contrib/slurm-headers" 2>&3 >"$1/slurm"
}

# build_archive FOLDER: the archive of the sources, as "make dist" makes it
build_archive ()
{
	step "make dist makes the archive"
	export TAR_OPTIONS="--sort=name --mtime=@$SOURCE_DATE_EPOCH --owner=0 --group=0
		--numeric-owner --mode=u+rwX,go+rX,go-w"
	(cd "$top" && autoreconf -fi) && mkdir "$1/dist" && cd "$1/dist" &&
		"$top/configure" && make dist && mv fathom-*.tar.xz ../out
}

# build_deb FOLDER VERSION PACKAGER: ~debN makes the version of the next Debian a higher one.
build_deb ()
{
	local debian

	debian=$(. /etc/os-release && echo "$VERSION_ID")
	tar -C "$1" -xf "$1/out/fathom-$2.tar.xz" && cd "$1/fathom-$2" || return
	cp -r contrib/debian debian
	sed -i "s|@PACKAGER@|$3|" debian/control
	cat >debian/changelog <<-END
		fathom ($2-1~deb$debian) stable; urgency=medium

		  * Build release $2.

		 -- $3  $(date -R -u -d "@$SOURCE_DATE_EPOCH")
	END
	step "dpkg-buildpackage compiles; this takes a few minutes"
	FATHOM_SLURM=$(cat "$1/slurm") DEB_BUILD_OPTIONS=nocheck \
		dpkg-buildpackage --build=binary --no-sign &&
		mv ../*.deb ../*.changes ../*.buildinfo ../out
}

# build_rpm FOLDER VERSION PACKAGER: rpm knows nothing of Debian's packages, hence --nodeps. Debian
# has no tool that makes RPM packages of debugging symbols.
build_rpm ()
{
	step "rpmbuild compiles; this takes a few minutes"
	rpmbuild -tb --nodeps "$1/out/fathom-$2.tar.xz" --define "slurm_source $(cat "$1/slurm")" \
		--define "_topdir $1/rpm" --define "packager $3" --define "_buildhost localhost" \
		--define "debug_package %{nil}" --define "use_source_date_epoch_as_buildtime 1" \
		--define "clamp_mtime_to_source_date_epoch 1" &&
		mv "$1"/rpm/RPMS/*/*.rpm "$1/out"
}
