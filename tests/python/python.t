#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The Python package: installed by pip from the source tree, its types checked, its figures compared
# with those of the command, the examples of doc/python.md and doc/notebook.ipynb run.
. "${srcdir:=.}/tests/cli/lib.sh"

skip_all ()
{
	skip "the Python package" "$1"
	finish
}

# another python3 than the system's may lack its packages
for python in python3 /usr/bin/python3 ''; do
	[ "$python" ] || skip_all "no python3 with NumPy, pandas, setuptools and pip"
	"$python" -c 'import numpy, pandas, setuptools, wheel, pip, venv' 2>/dev/null && break
done
[ -e .libs/libfathom.so.0 ] || skip_all "libfathom is not built as a shared library"
! nm .libs/libfathom.so.0 | grep -qE ' U __(asan|tsan)' || skip_all "an instrumented library"

mkdir "$work/bin"
ln -s "$(realpath "$FATHOM")" "$work/bin/fathom"
export PATH="$work/bin:$PATH" LD_LIBRARY_PATH="$PWD/.libs" PYTHONDONTWRITEBYTECODE=1
unset PYTHONPATH
top=$(realpath "$srcdir")
cp -r "$top/python" "$work/python"
chmod -R u+w "$work/python"
installed=$work/venv/bin/python

ok "a virtual environment" "$python" -m venv --without-pip --system-site-packages "$work/venv"
ok "pip installs the source tree without network" "$installed" -m pip --disable-pip-version-check \
	install --no-build-isolation --no-index "$work/python"
is "the installed package has the version of the library" \
	"$(cd "$work" && "$installed" -c 'import fathom; from importlib.metadata import version
print(fathom.__file__.split("/venv/")[1].split("/")[0], fathom.version(), fathom.__version__,
	version("fathom"))')" "lib $(fathom --version | sed -n '1s/fathom \(.*\)/\1 \1 \1/p')"
damaged=$work/damaged/libfathom.so.0
mkdir "${damaged%/*}" && : >"$damaged"
is "without the library, the import says what is missing" \
	"$(LD_LIBRARY_PATH=${damaged%/*} "$installed" -c 'import fathom' 2>&1 | tail -n 1)" \
	"ImportError: fathom needs libfathom.so.0 of its own release: $damaged: file too short"
is "without the command, reading says what is missing" \
	"$(PATH=/nowhere "$installed" -c 'import fathom; fathom.Tree.read("x")' 2>&1 | tail -n 1)" \
	"fathom._library.FathomError: cannot run the command fathom: No such file or directory"

if "$python" -m mypy --version >/dev/null 2>&1; then
	ok "types" "$python" -m mypy --config-file "$top/python/pyproject.toml" \
		--cache-dir "$work/mypy" "$work/python/fathom"
else
	skip "types" "mypy is not installed"
fi

# check.py prints lines "ok - TITLE" and "not ok - TITLE", each with more about it below
"$installed" "$top/tests/python/check.py" "$top/tests/data" "$top/doc/python.md" \
	"$top/doc/notebook.ipynb" >"$work/checked" 2>"$work/stderr" ||
	fail "check.py ends well" "$(cat "$work/stderr")"
while IFS= read -r line; do
	case $line in
	"ok - "*) pass "${line#ok - }" ;;
	"not ok - "*) fail "${line#not ok - }" "see below" ;;
	*) printf '#   %s\n' "$line" ;;
	esac
done <"$work/checked"
[ "$(grep -c '^ok' "$work/checked")" -gt 9 ] || fail "all tests of check.py" "$(cat "$work/stderr")"
finish
