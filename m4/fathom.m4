# SPDX-License-Identifier: GPL-2.0-or-later

# FATHOM_CHECK_FLAGS(VARIABLE, FLAGS): those of FLAGS that the compiler knows.
AC_DEFUN([FATHOM_CHECK_FLAGS], [
  $1=
  for flag in $2; do
    AC_MSG_CHECKING([whether $CC takes $flag])
    fathom_saved_cflags=$CFLAGS
    CFLAGS="$CFLAGS -Werror $flag"
    AC_COMPILE_IFELSE([AC_LANG_PROGRAM], [$1="$$1 $flag"; AC_MSG_RESULT([yes])], [AC_MSG_RESULT([no])])
    CFLAGS=$fathom_saved_cflags
  done
  AC_SUBST([$1])
])

# FATHOM_LIBRARY(NAME, PKG-CONFIG MODULE, DEBIAN PACKAGE): sets have_name, and
# missing_name to a reason for the summary.
AC_DEFUN([FATHOM_LIBRARY], [
  m4_pushdef([name], m4_tolower([$1]))
  PKG_CHECK_MODULES([$1], [$2],
    [have_[]name=yes missing_[]name= summary_[]name=yes],
    [have_[]name=no missing_[]name="$2 not found, package $3; "
     summary_[]name="no ($2 not found, package $3)"])
  m4_popdef([name])
])

# FATHOM_MUPARSER: --without-muparser. The plugin opens the library itself, by
# its run-time name, and only where there is a formula.
AC_DEFUN([FATHOM_MUPARSER], [
  AC_ARG_WITH([muparser],
    [AS_HELP_STRING([--without-muparser], [leave formulas out @<:@if it is there, they are in@:>@])],
    [], [with_muparser=check])
  AS_IF([test "x$with_muparser" = xno],
    [have_muparser=no summary_muparser="no (--without-muparser)"],
    [FATHOM_LIBRARY([MUPARSER], [muparser >= 2.3], [libmuparser-dev])])
  AS_IF([test "x$with_muparser$have_muparser" = xyesno], [AC_MSG_ERROR([--with-muparser: $missing_muparser])])
  AS_IF([test "x$have_muparser" = xyes], [FATHOM_MUPARSER_NAMES])
  AM_CONDITIONAL([MUPARSER], [test "x$have_muparser" = xyes])
])

AC_DEFUN([FATHOM_MUPARSER_NAMES], [
  AC_CHECK_TOOL([OBJDUMP], [objdump])
  AC_MSG_CHECKING([for the run-time name of muParser])
  muparser_file=`$PKG_CONFIG --variable=libdir muparser`/libmuparser.so
  MUPARSER_SONAME=`$OBJDUMP -p "$muparser_file" 2>/dev/null | sed -n 's/^ *SONAME *//p'`
  AC_MSG_RESULT([${MUPARSER_SONAME:-unknown}])
  AS_IF([test -z "$MUPARSER_SONAME"], [AC_MSG_ERROR([$muparser_file is not found, or no shared library])])
  AC_DEFINE_UNQUOTED([MUPARSER_VERSION], ["`$PKG_CONFIG --modversion muparser`"], [formulas are built in, by this release])
  AC_DEFINE_UNQUOTED([MUPARSER_SONAME], ["$MUPARSER_SONAME"], [for dlopen, in the plugin])
])

# FATHOM_SLURM: --with-slurm=DIR, a configured Slurm source tree.
AC_DEFUN([FATHOM_SLURM], [
  AC_ARG_WITH([slurm],
    [AS_HELP_STRING([--with-slurm=DIR],
      [configured Slurm source tree, for the plugin (contrib/slurm-headers makes one)])],
    [], [with_slurm=no])
  AC_ARG_WITH([slurm-plugindir],
    [AS_HELP_STRING([--with-slurm-plugindir=DIR],
      [where Slurm looks for plugins @<:@LIBDIR/slurm-wlm if it exists, else LIBDIR/slurm@:>@])],
    [slurm_plugindir=$withval], [slurm_plugindir=])

  AC_ARG_VAR([SLURM_LIBDIR], [folder of libslurmfull.so and Slurm's own plugins, for tests and measurements of the plugin])
  SLURM_CPPFLAGS= SLURM_RELEASE= SLURM_LIBS= SLURM_PROGRAM= summary_plugin=
  have_host="no (give --with-slurm=DIR)"
  have_live=no have_plugin="no (give --with-slurm=DIR)"
  AS_CASE([$with_slurm],
    [no], [have_live="no (give --with-slurm=DIR)"],
    [yes], [AC_MSG_ERROR([--with-slurm wants the folder of a configured Slurm source tree])],
    [with_slurm=`cd "$with_slurm" 2>/dev/null && pwd || echo "$with_slurm"`
     FATHOM_SLURM_TREE])
  AC_SUBST([with_slurm])
  AS_IF([test -z "$slurm_plugindir"],
    [fathom_libdir=`eval eval echo "$libdir" | sed "s|^NONE|$ac_default_prefix|"`
     slurm_plugindir='${libdir}/slurm'
     AS_IF([test -d "$fathom_libdir/slurm-wlm"], [slurm_plugindir='${libdir}/slurm-wlm'])])
  AC_SUBST([slurm_plugindir])
  AC_SUBST([SLURM_CPPFLAGS])
  AC_SUBST([SLURM_RELEASE])
  AC_SUBST([SLURM_LIBS])
  AS_IF([test -z "$summary_plugin"], [summary_plugin=$have_plugin])
  AM_CONDITIONAL([PLUGIN], [test "x$have_plugin" = xyes])
  AM_CONDITIONAL([LIVE], [test "x$have_live" = xyes])
  AC_SUBST([have_host])
  AM_CONDITIONAL([HOST], [test "x$have_host" = xyes])
])

AC_DEFUN([FATHOM_SLURM_TREE], [
  AC_MSG_CHECKING([for Slurm's headers in $with_slurm])
  AS_IF([test ! -f "$with_slurm/src/slurmctld/slurmctld.h"],
    [AC_MSG_RESULT([no]); AC_MSG_ERROR([$with_slurm is not a Slurm source tree; contrib/slurm-headers makes one])])
  AS_IF([test ! -f "$with_slurm/slurm/slurm_version.h"],
    [AC_MSG_RESULT([not configured]); AC_MSG_ERROR([$with_slurm is not configured; run ./configure in it, or contrib/slurm-headers --from $with_slurm])])
  slurm_number=`sed -n 's/^#define SLURM_VERSION_NUMBER *\(0x@<:@0-9a-fA-F@:>@*\).*/\1/p' "$with_slurm/slurm/slurm_version.h"`
  SLURM_RELEASE=`printf '%d.%02d.%d' $((slurm_number >> 16)) $((slurm_number >> 8 & 255)) $((slurm_number & 255))`
  AC_MSG_RESULT([$SLURM_RELEASE])
  SLURM_CPPFLAGS="-isystem $with_slurm"
  AC_DEFINE_UNQUOTED([SLURM_RELEASE], ["$SLURM_RELEASE"], [release of Slurm that the plugin is for])
  have_plugin=yes
  FATHOM_SLURM_INSTALLED

  fathom_saved_libs=$LIBS
  AC_CHECK_LIB([slurm], [slurm_api_version],
    [FATHOM_LIBSLURM_RELEASE],
    [have_live="no (libslurm not found, package libslurm-dev)"])
  LIBS=$fathom_saved_libs
  FATHOM_SLURM_LIBDIR
])

# The host program of tests/host needs what slurmctld runs with, not what a
# development package has.
AC_DEFUN([FATHOM_SLURM_LIBDIR], [
  AC_MSG_CHECKING([for libslurmfull.so])
  AS_IF([test -z "$SLURM_LIBDIR"],
    [SLURM_LIBDIR=`{ dpkg -L slurm-wlm-basic-plugins || rpm -ql slurm ||
         ls -d "${SLURM_PROGRAM%/*/*}"/lib*/slurm/*; } 2>/dev/null |
       sed -n 's|/libslurmfull\.so$||p' | sed 1q`])
  AS_IF([test ! -f "$SLURM_LIBDIR/libslurmfull.so"],
      [have_host="no (libslurmfull.so not found, give SLURM_LIBDIR=FOLDER)"],
    [grep -qaF "$SLURM_RELEASE" "$SLURM_LIBDIR/libslurmfull.so"], [have_host=yes],
    [have_host="no (libslurmfull.so is not of $SLURM_RELEASE, give SLURM_LIBDIR=FOLDER)"])
  AC_MSG_RESULT([$have_host])
])

# FATHOM_SLURM_INSTALLED: slurmctld takes plugins of its own release alone, to the last number.
AC_DEFUN([FATHOM_SLURM_INSTALLED], [
  AC_PATH_PROGS([SLURM_PROGRAM], [slurmctld scontrol sinfo], [],
    [$PATH$PATH_SEPARATOR/usr/local/sbin$PATH_SEPARATOR/usr/sbin$PATH_SEPARATOR/sbin])
  summary_plugin="yes, for Slurm $SLURM_RELEASE"
  AS_IF([test -n "$SLURM_PROGRAM"],
    [slurm_installed=`"$SLURM_PROGRAM" -V 2>/dev/null | sed 's/.* //'`
     AS_IF([test "x$slurm_installed" != "x$SLURM_RELEASE"],
       [summary_plugin="$summary_plugin; the one here, $slurm_installed, will refuse it"])])
])

# FATHOM_LIBSLURM_RELEASE: the library's interface has a number a release, which the tree's META has as well.
AC_DEFUN([FATHOM_LIBSLURM_RELEASE], [
  have_live=yes
  slurm_api=`sed -n 's/^ *API_CURRENT:@<:@@<:@:space:@:>@@:>@*//p' "$with_slurm/META" 2>/dev/null`
  AC_MSG_CHECKING([whether libslurm is of the same release])
  LIBS="$LIBS -lslurm"
  AC_RUN_IFELSE(
    [AC_LANG_PROGRAM([[long slurm_api_version (void);]],
      [[return slurm_api_version () >> 16 != ${slurm_api:-0};]])],
    [AC_MSG_RESULT([yes])],
    [AC_MSG_RESULT([no])
     AS_IF([test -n "$slurm_api"], [have_live="no (libslurm is of another release than $SLURM_RELEASE)"])],
    [AC_MSG_RESULT([not known, as this is a cross build])])
  AS_IF([test "x$have_live" = xyes],
    [SLURM_LIBS=-lslurm
     AC_DEFINE([HAVE_LIBSLURM], [1], [the command reads a live cluster])])
])
