#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# --adjust: what a site adds to LSF's dynamic priority.
. "${srcdir:=.}/tests/cli/lib.sh"
example=$PWD/tests/cli/.libs/adjustment_example.so
newer=$PWD/tests/cli/.libs/adjustment_newer.so
tree=$(readlink -f "$data/memory.json") FATHOM=$(readlink -f "$FATHOM")

# priorities OPTION...: "a 0.1 b 0.2", with a factor of 2
priorities ()
{
	fathom shares --from "$tree" --policy lsf --set fairshare_adjustment_factor=2 \
		-nPU -o User,Priority "$@" |
		tr '|\n' '  '
}

is "without it what the file gives counts" "$(priorities)" "a 0.100000 b 0.166667 "
# a: (1 + 1) * (32 / 1 / 4) = 16, 1 / (2.1 + 6 + 32), 2.1 for CPU time; b: 2, 1 / (6 + 4)
is "memory:1 is the document's example" "$(priorities --adjust memory:1 --slot-memory 4)" \
	"a 0.024938 b 0.100000 "
is "memory:2 allows for twice as much" \
	"$(priorities --adjust=memory:2 --slot-memory=4)" "a 0.041494 b 0.125000 "
# both have 36 in 2 slots: 18 a slot, so a has (1 + 1) * (32 / 18), b (1 + 1) * (4 / 18)
is "the memory of a slot is counted from the jobs" "$(priorities --adjust memory:1)" \
	"$(priorities --adjust memory:1 --slot-memory 18)"
is "jobs that tell no memory adjust nothing" \
	"$(sed 's/, "memory": [0-9]*//' "$tree" |
	fathom shares --from - --policy lsf --set fairshare_adjustment_factor=2 \
		--adjust memory:1 -nPU -o Adjust | paste -sd ' ')" \
	"0.000000 0.000000"
if [ -f "$example" ]; then
	# a: 3 hours of CPU time that no run time explains, 1 / (6 + 2.1 + 6)
	is "a site's own is asked" "$(priorities --adjust "$example")" "a 0.070922 b 0.166667 "
	is "a file without a folder is looked for here" \
		"$(cp "$example" "$work/here.so" && cd "$work" && priorities --adjust here.so)" \
		"a 0.070922 b 0.166667 "
	rejects "one of another version" \
		"fathom: --adjust: $newer: fathom_adjustment_version is 2, must be 1" \
		shares --from "$tree" --policy lsf --adjust "$newer"
	rejects "another policy" "fathom: --adjust: policy classic does not use it" \
		shares --from "$tree" --policy classic --adjust "$example"
else
	skip "a site's own" "no shared objects are built"
fi
printf 'Policy=lsf\nFairshareAdjustmentFactor=2\nAdjust=memory:1\n' >"$work/fathom.conf"
rejects "Adjust of fathom.conf" "fathom: $work/fathom.conf:3: Adjust: cannot be used with files; \
give --adjust, or --set fairshare_adjustment_factor=0" shares --from "$tree" \
	--from "$work/fathom.conf"
is "--adjust in its place" "$(priorities --from "$work/fathom.conf" --adjust memory:1)" \
	"$(priorities --adjust memory:1)"
is "Adjust where its factor is 0" \
	"$(fathom shares --from "$tree" --from "$work/fathom.conf" \
		--set fairshare_adjustment_factor=0 2>&1)" \
	"$(fathom shares --from "$tree" --policy lsf)"
is "Adjust where the policy has none" \
	"$(fathom shares --from "$tree" --from "$work/fathom.conf" --policy classic 2>&1)" \
	"$(fathom shares --from "$tree" --policy classic)"
rejects "a threshold that is not a number" "fathom: --adjust: 'x' is not a number above 0" \
	shares --from "$tree" --policy lsf --adjust memory:x --slot-memory 4
rejects "slots without memory" "fathom: --slot-memory: '0' is not a number above 0" \
	shares --from "$tree" --policy lsf --adjust memory:1 --slot-memory 0
rejects "slots without an adjustment" "fathom: --slot-memory: needs --adjust, which alone uses it" \
	shares --from "$tree" --policy lsf --slot-memory 4
rejects "two of them" "fathom: --adjust: given twice" \
	shares --from "$tree" --policy lsf --adjust memory:1 --adjust memory:2 --slot-memory 4
rejects "a file that is not there" \
	"fathom: --adjust: /no/adjustment.so: cannot open shared object file: No such file or \
directory" \
	shares --from "$tree" --policy lsf --adjust /no/adjustment.so
if [ -f "$example" ]; then
	libfathom=$PWD/.libs/libfathom.so
	rejects "an object without the names" \
		"fathom: --adjust: $libfathom: must define fathom_adjustment_version; see \
fathom-shares(1)" \
		shares --from "$tree" --policy lsf --adjust "$libfathom"
fi
finish
