#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Help and version tell of what there is.
. "${srcdir:=.}/tests/cli/lib.sh"

like "--help lists the commands" "$(commands)" "shares *"
for command in $(commands); do
	like "$command --help says how it is used" \
		"$(fathom "$command" --help)" "Usage: fathom $command *"
done
is "help is --help" "$(fathom help)" "$(fathom --help)"
is "help COMMAND is COMMAND --help" "$(fathom help shares)" "$(fathom shares --help)"
is "--usage is --help" "$(fathom shares --usage)" "$(fathom shares --help)"
like "help tells a setting's default in its greatest whole unit" "$(fathom shares --help)" \
	"* by default 1d$newline* by default 28d$newline*"
like "--version lists the policies" "$(policies)" "classic *"
for policy in $(policies); do
	like "help tells of policy $policy" "$(fathom shares --help)" "*$policy:*"
done
like "--version lists the formats" "$(formats)" "* sshare *"
for format in $(formats); do
	like "help tells of format $format" "$(fathom shares --help)" "*$newline  $format *"
done
is "no line of the options' help is wider than a terminal" \
	"$(fathom shares --help | sed '/^Policies/,$d' | awk 'length > 80')" ""
for part in Slurm libslurm jansson yajl SQLite policies formats; do
	like "--version tells of $part" "$(fathom --version)" "fathom [0-9]*$newline  $part *"
done
is "-V after a command is --version" "$(fathom shares -V)" "$(fathom --version)"
for column in Account Cluster EffectvUsage FairShare GrpTRESMins GrpTRESRaw ID NormShares \
	NormUsage Partition \
	RawShares RawUsage TRESRunMins User LevelFS Rank UsageRatio ParentRatio LocalRatio k \
	FairsharePerc \
	FairshareTreeUsage FairshareFactor Priority Order Started Reserved CpuTime RunTime \
	Adjust; do
	like "--helpformat lists $column" \
		"$newline$(fathom shares --helpformat)" "*$newline  $column *"
done
for column in Cluster GrpTRESMins User; do
	is "--helpformat says whether only a running cluster has $column" \
		"$(fathom shares --helpformat | grep -c "^  $column .*(running cluster only)")" \
		$((${#column} > 4))
done
# each long option of the help stands in the manual page
for command in $(commands); do
	sed 's/\\-/-/g' "$srcdir/doc/fathom-$command.1" >"$work/page"
	for option in $(options "$command" | cut -d ' ' -f 2); do
		ok "fathom-$command(1) tells of $option" grep -q -- "$option\>" "$work/page"
	done
done
# each page is installed, and named where one looks for it
for command in $(commands); do
	page=fathom-$command
	ok "doc/Makemodule.am has $page.1" grep -qw "doc/$page.1" "$srcdir/doc/Makemodule.am"
	for section in COMMANDS '"SEE ALSO"'; do
		like "fathom(1) has $page(1) under $section" \
			"$(awk -v title=".SH $section" '/^\.SH/ { inside = $0 == title } inside' \
				"$srcdir/doc/fathom.1" | sed 's/\\-/-/g')" "*.BR $page (1)*"
	done
	ok "README.md has $page(1)" grep -qwF "$page(1)" "$srcdir/README.md"
done
if command -v groff >/dev/null; then
	for page in fathom $(commands | sed 's/[^ ]*/fathom-&/g'); do
		is "$page(1) is good roff" \
			"$(groff -t -ww -man -Tascii "$srcdir/doc/$page.1" 2>&1 >/dev/null)" ""
	done
else
	skip "the pages are good roff" "groff is not installed"
fi
finish
