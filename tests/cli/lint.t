#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom lint: each check fires where it should and nowhere else, production configurations have no
# false error, and the forms of the output say the same.
# tests/data/lint/CODE has small configurations: fires, fires-..., quiet, quiet-...
. "${srcdir:=.}/tests/cli/lib.sh"
: "${builddir:=.}"
cases=$data/lint clean=$data/lint/clean

# fill_in CASE FILE: @DIR@ in the file becomes the case's name, @PLUGIN@ or @NEWER@ alone makes it a
# plugin
fill_in ()
{
	sed -i "s|@DIR@|$1|g" "$2"
	for plugin in example:@PLUGIN@ newer:@NEWER@; do
		! grep -qx "${plugin#*:}" "$2" ||
			cp "$builddir/tests/cli/.libs/plugin_${plugin%:*}.so" "$2"
	done
}

# prepare FOLDER: of a copy of the cases, in $case
prepare ()
{
	case=$work/cases/${1#"$cases"/}
}

cp -R "$cases" "$work/cases"
chmod -R u=rwX,go=rX "$work/cases"
chmod 755 "$work"
for file in $(grep -rlE '@(DIR|PLUGIN|NEWER)@' "$work/cases"); do
	folder=${file#"$work/cases"/*/*/}
	fill_in "${file%"/$folder"}" "$file"
done
chmod 777 "$work"/cases/*/*/open
chmod 600 "$work"/cases/*/*/closed.json

# lint_case OPTION...: checks the files of $case
lint_case ()
{
	if [ -f "$case/slurm.conf" ]; then
		set -- --slurm-conf "$case/slurm.conf" "$@"
	elif [ -f "$case/fathom.conf" ]; then
		set -- --fathom-conf "$case/fathom.conf" "$@"
	fi
	for file in tree.sshare jobs.json users; do
		[ ! -f "$case/$file" ] || set -- "$@" --from "$case/$file"
	done
	fathom lint "$@"
}

# found: the codes of findings, one a line
found ()
{
	lint_case --json 2>&1 | sed -n 's/.*{"code": "\([a-z-]*\)".*/\1/p; /^fathom:/p' | sort -u
}

printf 'Policy=classic\n\0garbage=1\nFiguresMode=9\n' >"$work/torn.conf"
is "zeros in fathom.conf are an error" \
	"$(fathom lint --fathom-conf "$work/torn.conf" | grep -o '^.*: a NUL byte')" \
	"$work/torn.conf:2: error: a NUL byte"
printf 'FiguresFile=%s/pipe\n' "$work" >"$work/pipe.conf"
mkfifo "$work/pipe"
like "a pipe in place of FiguresFile is not opened" \
	"$(timeout 20 "$FATHOM" lint --fathom-conf "$work/pipe.conf")" "*[figures-foreign]*"
printf 'GlobalShare=kit Source=%s/large.json\n' "$work" >"$work/large.conf"
truncate -s 300M "$work/large.json"
like "a large file of GlobalShare is not read" \
	"$(fathom lint --fathom-conf "$work/large.conf" | tr -s ' \n' ' ')" \
	"*is larger than 256 MiB*"
# global TIME: what is found of a file of usage with this text about its time
global ()
{
	printf '{"format": "fathom-usage", "version": 1, %s"cluster": "kit", "usage": []}' "$1" \
		>"$work/kit.json"
	printf 'GlobalShare=kit Source=%s/kit.json\n' "$work" >"$work/global.conf"
	fathom lint --fathom-conf "$work/global.conf" | tr -s ' \n' ' '
}
like "a file of GlobalShare without its time" "$(global "")" \
	"*kit.json does not tell the time of its usage*[[]global-source]*"
like "a file of GlobalShare from the future" "$(global '"time": 4000000000, ')" \
	"*kit.json is of a time in the future*[[]global-source]*"
global '"time": 1000, ' >/dev/null
chmod 600 "$work/kit.json"
chmod 755 "$work"
stranger="setpriv --reuid=65534 --regid=65534 --clear-groups"
if [ "$(id -u)" -eq 0 ] && $stranger "$FATHOM" --version >"$work/out" 2>&1; then
	is "a file of GlobalShare that SlurmUser may read, and who asks may not" \
		"$($stranger "$FATHOM" lint --fathom-conf "$work/global.conf" |
			grep -o global-source)" ""
else
	skip "a file of GlobalShare that SlurmUser may read" "root is not somebody else here"
fi
is "the clock of a cluster may be ahead" "$(global "\"time\": $(($(date +%s) + 30)), " |
	grep -o global-source)" ""
printf 'Policy=lsf\nFairshareAdjustmentFactor=1\nAdjust=%s/none.so\n' "$work" >"$work/adjust.conf"
like "an object of Adjust that is missing" \
	"$(fathom lint --fathom-conf "$work/adjust.conf" | tr -s ' \n' ' ')" \
	"*adjust.conf:3: error: *none.so is missing*[[]adjust-wrong]*"
is "--list looks at no cluster" "$(fathom lint --list 2>&1 >"$work/list"; echo $?)" 0
list=$(cat "$work/list")
codes=$(echo "$list" | sed -n 's/^\([a-z-]*\) ([a-z]*)$/\1/p')
is "--list --json says the same" "$(fathom lint --list --json | sed -n -e 's/\\\(.\)/\1/g' -e \
	's/.*{"code": "\(.*\)", "severity": "\(.*\)", "finds": "\(.*\)", "why": "\(.*\)", "fix":'\
' "\(.*\)"}.*/\1 (\2) Finds: \3 Why: \4 Fix: \5/p' | tr '\n' ' ')" \
	"$(echo "$list" | tr -s ' \n' ' ')"
is "under a format of its own, as it has no findings" "$(fathom lint --list --json | head -n 2)" \
	'{"format": "fathom-lint-checks", "version": 1,
 "checks": ['
severity ()
{
	echo "$list" | sed -n "s/^$1 (\\(.*\\))\$/\\1/p"
}

### Each check

for code in $codes; do
	if [ ! -d "$cases/$code" ]; then	# of what only a cluster tells
		ok "$code has a test that fires it and one that does not" \
			awk -v code="\"$code\"" 'index($0, code ", true") { fires = 1 }
				index($0, code ", false") { quiet = 1 }
				END { exit !(fires && quiet) }' \
			"$srcdir/tests/unit/lint/test_lint.c"
		continue
	fi
	for folder in "$cases/$code"/fires*; do
		# muParser alone tells where a formula lacks a value
		[ "$folder" != "$cases/formula-wrong/fires-alone" ] ||
			built_with muParser "formula-wrong fires-alone" || continue
		prepare "$folder"
		like "$code ${folder##*/}" "$(found | paste -sd ' ' -) " "*$code *"
	done
	prepare "$cases/$code/fires"
	lint_case >/dev/null
	status=$?
	[ "$(severity "$code")" != error ] || is "$code is an error" $status 1
	for folder in "$cases/$code"/quiet*; do
		prepare "$folder"
		is "$code ${folder##*/}" "$(found | grep -x -e "$code" -e 'fathom:.*')" ""
	done
done
is "each folder is one of a check" "$(for folder in "$cases"/*/; do
	folder=${folder%/}
	echo "$codes" | grep -qx "${folder##*/}" || echo "${folder##*/}"
done)" clean
ok "there are 40 checks or more" [ "$(echo "$codes" | wc -l)" -ge 40 ]
prepare "$clean"
is "a good configuration" "$(lint_case | sed 's/; .*//')" "0 errors, 0 warnings, 0 notes"
is "a good configuration: its status" "$(lint_case >/dev/null; echo $?)" 0

is "shares of an account that is empty below one with Fairshare=parent" \
	"$(fathom lint --from "$cases/account-empty/fires-below/tree.sshare" | tr -s ' \n' ' ' |
		grep -o '[0-9.]*% of all shares[^[]*')" \
	"30% of all shares are those of accounts without users: history "

### The manual page

# of the page: "CODE (SEVERITY) WHY" of each entry
page=$srcdir/doc/fathom-lint.1
entries=$(sed -e 's/\\-/-/g; s/\\(aq/'"'"'/g; s/\\(dq/"/g; s/\\&//; s/\\e/\\/g' \
	-e 's/ " (\([a-z]*\))"$/ (\1)/' "$page" |
	awk '/^\.SH CHECKS/ { inside = 1 } /^\.SH "SEE/ { inside = 0 }
		!inside { next }
		/^\.TP/ || /^\.S[SH]/ { if (text != "") print text; text = ""; next }
		{ sub(/^\.BR /, ""); text = text (text == "" ? "" : " ") $0 }
		END { if (text != "") print text }' | tail -n +2 | tr 'A-Z' 'a-z')
expected=$(echo "$list" | awk '/^[a-z-]+ \(/ { print "" ; printf "%s", $0; part = ""; next }
	/^    Finds: / { part = "finds"; sub(/^    Finds:/, ""); printf "%s", $0; next }
	/^    Why: / { printf "."; part = "why"; sub(/^    Why:/, ""); printf "%s", $0; next }
	/^    Fix: / { part = "fix"; next }
	part != "fix" { sub(/^   /, ""); printf "%s", $0 }
	END { print "" }' | tail -n +2 | tr 'A-Z' 'a-z')
echo "$entries" >"$work/entries" && echo "$expected" >"$work/expected"
ok "fathom-lint(1) has all checks as the table has them" diff "$work/expected" "$work/entries"

### Suggestions

# fix_of CODE: of the case that fires
fix_of ()
{
	prepare "$cases/$1/fires"
	lint_case --json | sed -n "s/.*\"code\": \"$1\".*\"fix\": \"\(.*\)\"}.*/\1/p"
}

is "the nearest key" "$(fix_of unknown-key)" "write PriorityWeightQOS"
is "the nearest flag" "$(fix_of flag-unknown)" "write FAIR_TREE"
prepare "$cases/flag-unknown/fires"
sed -i 's/FAIRTREE/NOFAIR_TREE/' "$case/slurm.conf"
is "FAIR_TREE in a longer word is no flag" "$(lint_case --json |
	sed -n 's/.*"code": "flag-[^"]*".*"text": "\([^"]*\)".*"fix": "\(.*\)"}.*/\1; \2/p')" \
	"'NOFAIR_TREE' is not a flag. Slurm ignores unknown flags without a message.; write \
NO_FAIR_TREE"
is "the nearest plugin" "$(fix_of type-unknown)" "write priority/multifactor"
is "the nearest word" "$(fix_of enforce-unknown)" "write associations"
is "days in place of minutes" "$(fix_of max-age-minutes)" "for 14 days, write PriorityMaxAge=14-0"
is "usage of deleted users is not cleared with that of all others" "$(fix_of usage-of-deleted)" \
	"wait for it to decay: rawusage=0 of the account clears the usage of its present members, \
too"

echo PriorityDecayHalfLife=UNLIMITED >"$work/slurm.conf"
like "a time of many days in full" \
	"$(fathom lint --slurm-conf "$work/slurm.conf" | tr -s '\n ' ' ')" \
	"*: note: the half-life is 49710 days*"

### Lines

# line_of CODE LINE...: of the finding in a slurm.conf with these lines
line_of ()
{
	code=$1
	shift
	printf '%s\n' "$@" >"$work/slurm.conf"
	fathom lint --slurm-conf "$work/slurm.conf" --json |
		sed -n "s/.*\"code\": \"$code\".*\"line\": \([a-z0-9]*\),.*/\1/p"
}

is "a value without associations has its line" "$(line_of enforce-missing \
	PriorityType=priority/multifactor AccountingStorageType=accounting_storage/slurmdbd \
	AccountingStorageEnforce=none PriorityWeightFairshare=1000)" 3
is "what the file lacks has none" "$(line_of enforce-missing \
	PriorityType=priority/multifactor AccountingStorageType=accounting_storage/slurmdbd \
	PriorityWeightFairshare=1000)" null
is "the weight that is 0 has its line" "$(line_of fairshare-weight-zero \
	PriorityType=priority/multifactor PriorityWeightAge=1000 PriorityWeightFairshare=0)" 3
is "also if all are 0" "$(line_of weights-zero \
	PriorityWeightFairshare=0 PriorityType=priority/multifactor)" 1
is "a weight that is not given is one of PriorityType" "$(line_of fairshare-weight-zero \
	PriorityWeightAge=1000 PriorityType=priority/multifactor)" 2
mkdir "$work/times"
printf '%s\n' PriorityType=priority/fathom PriorityDecayHalfLife=7-0 PriorityCalcPeriod=5 \
	>"$work/times/slurm.conf"
printf '%s\n' CalcPeriod=2h HalfLife=7 >"$work/times/fathom.conf"
is "times of fathom.conf have their lines there" \
	"$(fathom lint --slurm-conf "$work/times/slurm.conf" --json |
		grep -e half-life-short -e calc-period-long |
		sed 's/.*times\/\(.*\)", "line": \(.*\), "key": "\(.*\)", "text.*/\1:\2:\3/' |
		paste -sd ' ' -)" "fathom.conf:1:CalcPeriod fathom.conf:2:HalfLife"
mkdir "$work/site" && printf '%s\n' PriorityType=priority/fathom >"$work/site/slurm.conf"
printf '%s\n' Policy=pbs HistHours=10 '' 'RunTimeFactor=3 RunJobFactor=4' >"$work/site/fathom.conf"
is "each setting of another policy has its line" \
	"$(fathom lint --slurm-conf "$work/site/slurm.conf" --json |
		sed -n '/other-policy/s/.*"line": \(.*\), "key": "\([A-Za-z]*\)".*/\1:\2/p' |
		paste -sd ' ' -)" "2:HistHours 4:RunJobFactor 4:RunTimeFactor"

cat >"$work/site/fathom.conf" <<'END'
Policy=lsfx
HistHours=10 CalcPerio=3 # a comment
RunTimeFactor
Scope=a Partitons=x \
	Policy=pbs HistHours=1 # a comment \
CalcPeriod=30
Scope=b Partitions=x Policy=pbs HistHours=1
ShadowPolicy="lsf
END
is "each error of fathom.conf is told with its line" \
	"$(fathom lint --fathom-conf "$work/site/fathom.conf" --json | sed -n \
		's/.*"fathom-wrong".*"line": \(.*\), "key".*"text": "\([A-Za-z]*\):.*/\1:\2/p' |
		paste -sd ' ' -)" \
	"1:Policy 2:CalcPerio 3:RunTimeFactor 4:Partitons 8:ShadowPolicy"
printf 'Scope=a Partitions=x\nScope=a Partitions=y\n\nCalcPeriod=x\n' >"$work/site/fathom.conf"
is "lines that contradict each other, too" \
	"$(fathom lint --fathom-conf "$work/site/fathom.conf" --json |
		sed -n 's/.*"fathom-wrong".*"line": \(.*\), "key".*/\1/p' | paste -sd ' ' -)" "2 4"
is "none is not a word of AccountingStorageEnforce" "$(line_of enforce-unknown \
	AccountingStorageEnforce=none)" 1
echo AccountingStorageEnforce=everything >"$work/slurm.conf"
like "its words, if none is near" \
	"$(fathom lint --slurm-conf "$work/slurm.conf" | tr -s '\n ' ' ')" \
	"*write associations, limits, nojobs, nosteps, qos, safe, wckeys or all*"

printf '%s\n' PriorityFlags= 'PartitionName=a Nodes=n1 TRESBillingWeights= ' \
	'PartitionName=b Nodes= n2 QOS' 'Epilog=/x Prolog=' >"$work/slurm.conf"
is "a key without a value is named" \
	"$(fathom lint --slurm-conf "$work/slurm.conf" --json |
		sed -n 's/.*slurm-syntax.*"line": \([0-9]*\),.*"text": "\([^.;]*\)[.;].*/\1 \2/p' |
		paste -sd ';' -)" \
	"1 'PriorityFlags=' has no value;2 'TRESBillingWeights=' has no value;3 'QOS' follows the \
value of Nodes;4 'Prolog=' follows Epilog on one line, where only one pair may stand"

### Production configurations

# all_found FILE: "CODE:LINE" of each finding
all_found ()
{
	fathom lint --slurm-conf "$1" --json 2>&1 |
		sed -n 's/.*{"code": "\([a-z-]*\)".*"line": \([a-z0-9]*\),.*/\1:\2/p' |
		paste -sd ' ' -
}

for release in 20.11 23.02; do
	is "UMCG $release" "$(all_found "$data/slurm/umcg-$release.conf.j2")" \
		"template:null weights-apart:59 flag-default:65"
done
is "Aalto" "$(all_found "$data/slurm/aalto.conf.j2")" \
	"template:null max-tres-unused:67 flag-default:67 weights-apart:71 \
partition-factors-equal:72"
is "HPC Toolset" "$(all_found "$data/slurm/hpc-toolset.conf")" \
	"partition-priority:66 partition-priority:67"
for file in "$data"/slurm/*.conf*; do
	ok "${file##*/} has no error" fathom lint --slurm-conf "$file"
done

### Parts of the whole

prepare "$cases/term-drowned/fires"
like "the parts are measured at the jobs" "$(lint_case | tr -s '\n ' ' ')" \
	"*PriorityWeightAge makes 0.0*% of the differences between the priorities of 12 jobs*"
is "weights of slurm.conf go before those of the file of jobs" \
	"$(sed 's/"cluster"/"settings": {"PriorityWeightAge": 0}, "cluster"/' \
	"$case/jobs.json" >"$work/jobs.json"
	fathom lint --slurm-conf "$case/slurm.conf" --from "$work/jobs.json" --json |
		grep -c '"code": "term-drowned"')" 1
{
	printf '%s' '{"format": "fathom-jobs", "version": 1, "time": 1700000000, "jobs": ['
	printf '%s]}' '{"job_id": 1, "user": "a", "accrue_time": 1}'
} >"$work/jobs.json"
is "the weights are compared where jobs are too few to measure" \
	"$(fathom lint --slurm-conf "$case/slurm.conf" --from "$work/jobs.json" --json |
		grep -c '"code": "weights-apart"')" 1
is "a single job tells nothing" "$(fathom lint --slurm-conf "$clean/slurm.conf" \
	--from "$work/jobs.json" --json | grep -c term-)" 0

### Weights without effect

mkdir "$work/void"
printf '%s\n' '{"format": "fathom-jobs", "version": 1, "time": 1700000000,
"qos": [{"name": "a", "priority": 1}, {"name": "b", "priority": 2}], "jobs": [' >"$work/void/jobs"
for job in 1 2 3 4 5 6 7 8 9 10 11 12; do
	printf '{"job_id": %d, "user": "u%d", "account": "a", "fairshare": 0.%02d, "nice": 0,
"accrue_time": %d}%s\n' $job $job $job $((1700000000 - job)) "$([ $job = 12 ] || echo ,)"
done >>"$work/void/jobs"
echo ']}' >>"$work/void/jobs"
# of_weights TYPE [LINE of fathom.conf]: the findings about weights and their terms
of_weights ()
{
	printf '%s\n' "PriorityType=priority/$1" PriorityFlags=NO_NORMAL_ASSOC \
		PriorityWeightFairshare=4294967295 PriorityWeightAge=2 PriorityWeightAssoc=5000 \
		>"$work/void/slurm.conf"
	echo "$2" >"$work/void/fathom.conf"
	for jobs in "" "--from=$work/void/jobs"; do
		fathom lint --slurm-conf "$work/void/slurm.conf" $jobs --json
	done | sed -n 's/.*{"code": "\([a-z-]*\)".*/\1/p' | sort -u |
		grep -x -e 'weights\?-\(apart\|coarse\|too-high\)' -e no-normal-large \
			-e 'term-.*' -e qos-weight-zero | paste -sd ' ' -
}
all="no-normal-large qos-weight-zero term-constant term-drowned weight-coarse weights-apart"
is "weights that count" "$(of_weights multifactor)" "$all weights-too-high"
is "weights that count: priority/fathom" "$(of_weights fathom Policy=lsf)" "$all weights-too-high"
is "weights of priority/basic" "$(of_weights basic)" ""
is "weights beside a formula" "$(of_weights fathom 'Formula="fairshare_factor*1000"')" ""
is "weights under flux" "$(of_weights fathom Policy=flux)" ""
# ten jobs of two users, of whom one has used an hour
echo '{"format": "fathom-tree", "version": 1, "time": 1700000000, "nodes": [
{"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
{"id": 2, "parent": 1, "name": "u0", "kind": "user", "shares": 1, "usage": 3600},
{"id": 3, "parent": 1, "name": "u1", "kind": "user", "shares": 1, "usage": 0}]}' >"$work/void/tree"
begin='{"format": "fathom-jobs", "version": 1, "time": 1700000000, "jobs": ['
for job in 1 2 3 4 5 6 7 8 9 10; do
	printf '%s{"job_id": %d, "user": "u%d", "account": "root", "accrue_time": %d}' "$begin" \
		$job $((job % 2)) $((1700000000 - 7200 * job))
	begin=,
done >"$work/void/two"
echo ']}' >>"$work/void/two"
printf '%s\n' PriorityType=priority/fathom PriorityWeightFairshare=1000 PriorityWeightAge=1000 \
	>"$work/void/slurm.conf"
# constant LINE...: how many terms are constant with these lines of fathom.conf
constant ()
{
	printf '%s\n' Policy=lsf RunJobFactor=0 "$@" >"$work/void/fathom.conf"
	fathom lint --slurm-conf "$work/void/slurm.conf" --from "$work/void/tree" \
		--from "$work/void/two" --json | grep -c '"code": "term-constant"'
}
is "usage makes a difference between users" "$(constant)" 0
is "unless the settings of the policy say that it does not count" "$(constant RunTimeFactor=0)" 1
for flag in NO_NORMAL_QOS,NO_NORMAL_PART,NO_NORMAL_ASSOC NO_NORMAL_ALL; do
	printf '%s\n' PriorityType=priority/multifactor "PriorityFlags=$flag" \
		PriorityWeightFairshare=100000 PriorityWeightQOS=1 PriorityWeightPartition=1 \
		PriorityWeightAssoc=1 >"$work/void/slurm.conf"
	is "small weights of $flag" "$(all_found "$work/void/slurm.conf" |
		grep -e weight-coarse -e weights-apart)" ""
done
printf '%s\n' PriorityType=priority/fathom PriorityMaxAge=3-0 PriorityFavorSmall=YES \
	PriorityFlags=ACCRUE_ALWAYS,NO_NORMAL_QOS,SMALL_RELATIVE_TO_TIME >"$work/void/slurm.conf"
for formula in "" 'Formula="age + job_size + qos + fairshare"'; do
	echo "$formula" >"$work/void/fathom.conf"
	is "settings of factors without a weight: ${formula:-no formula}" \
		"$(fathom lint --slurm-conf "$work/void/slurm.conf" --json |
			grep -c 'has no effect')" \
		"$([ "$formula" ] && echo 0 || echo 5)"
done
printf '%s\n' "Account|User|RawShares|RawUsage" "root||1|100" " a||1|100" "  a|u|1|50" \
	"  a|v|1|50" "  a|w|1|50" >"$work/void/tree"
# ranks_under LINE: where ranks-coarse is found with this line of fathom.conf
ranks_under ()
{
	printf '%s\n' PriorityType=priority/fathom PriorityWeightFairshare=2 \
		>"$work/void/slurm.conf"
	printf '\n%s\n' "$1" >"$work/void/fathom.conf"
	fathom lint --slurm-conf "$work/void/slurm.conf" --from "$work/void/tree" --json |
		grep ranks-coarse |
		sed 's/.*void\/\(.*\)", "line": \(.*\), "key": "\(.*\)", "text.*/\1:\2 \3/'
}
is "ranks need PriorityWeightFairshare" "$(ranks_under Policy=fair-tree)" \
	"slurm.conf:2 PriorityWeightFairshare"
is "ranks of flux need FairshareWeight" "$(ranks_under 'Policy=flux FairshareWeight=2')" \
	"fathom.conf:2 FairshareWeight"
is "its default is enough for three users" "$(ranks_under Policy=flux)" ""
is "ranks of a formula need no weight" \
	"$(ranks_under 'Policy=flux FairshareWeight=2 Formula="fairshare_factor"')" ""

### Output

for folder in fires fires-many; do
	prepare "$cases/jobs-held/$folder"
	lint_case --json |
		sed -n 's/.*"jobs-held".*"text": "\([^.]*\).* scontrol \(.*\)"}.*/\1: \2/p'
done >"$work/held"
is "jobs that fathom holds are counted, and listed if they are few" "$(cat "$work/held")" \
	"2 jobs are held by fathom: release 5,7
40 jobs are held by fathom: release"
prepare "$cases/half-life-minutes/fires"
# the folder's name would break lines elsewhere
cd "$case" || exit 1
fathom=$FATHOM
case $fathom in
/*) ;;
*) fathom=$OLDPWD/$fathom ;;
esac
"$fathom" lint --slurm-conf slurm.conf | sed 's/[0-9]* of [0-9]* checks/N checks/' >"$work/text"
"$fathom" lint --slurm-conf slurm.conf --json >"$work/json"
cd "$OLDPWD" || exit 1
ok "text" diff "$data/output/lint.txt" "$work/text"
ok "JSON" diff "$data/output/lint.json" "$work/json"
like "warnings alone: status 0" "$(lint_case >/dev/null; echo $?)" 0
for code in half-life-minutes include-circle usage-of-deleted other-policy; do
	prepare "$cases/$code/fires"
	lint_case --sarif >"$work/sarif"
	ok "SARIF of $code" "$builddir/tests/cli/sarif" <"$work/sarif"
	is "SARIF has what JSON has: $code" \
		"$(sed -n 's/.*"ruleId": "\([a-z-]*\)".*/\1/p' "$work/sarif" | sort -u)" "$(found)"
	is "SARIF has all checks: $code" \
		"$(sed -n 's/.*{"id": "\([a-z-]*\)".*/\1/p' "$work/sarif")" "$codes"
done
mkdir "$work/a b" && cp "$cases/flag-unknown/fires/slurm.conf" "$work/a b/"
ok "SARIF of a file with a blank in its name" sh -c \
	"'$FATHOM' lint --slurm-conf '$work/a b/slurm.conf' --sarif | '$builddir/tests/cli/sarif'"
is "lines have at most 79 columns" "$(fathom lint --list | awk 'length > 79')" ""
is "an escape sequence does not reach the terminal" \
	"$(printf 'PriorityFlags=\033[1mX\n' >"$work/slurm.conf"
	fathom lint --slurm-conf "$work/slurm.conf" | tr -dc '\033')" ""

### Files

printf 'PriorityType=priority/fathom\n' >"$work/slurm.conf"
printf 'Policy=lsfx\n' >"$work/fathom.conf"
like "fathom.conf beside slurm.conf is checked" \
	"$(fathom lint --slurm-conf "$work/slurm.conf" | tr -s '\n ' ' ')" \
	"$work/fathom.conf:1: error: Policy: 'lsfx' is unknown, must be one of *\[fathom-wrong\]*"
mkdir "$work/state"
printf 'StateSaveLocation=%s\n' "$work/state" >>"$work/slurm.conf"
TZ=UTC touch -d '2026-11-20 10:11:12' "$work/state/fathom_conf"
like "what is in force instead is told" \
	"$(TZ=UTC fathom lint --slurm-conf "$work/slurm.conf" | tr -s '\n ' ' ')" \
	"*; the last good settings, of 2026-11-20T10:11:12, stay in force *\[fathom-wrong\]*"
printf 'Policy=lsf\n' >"$work/other.conf"
is "another one, if it is named" "$(fathom lint --slurm-conf "$work/slurm.conf" \
	--fathom-conf "$work/other.conf" | grep -c fathom-wrong)" 0
is "a tree alone" "$(fathom lint --from "$clean/tree.sshare" | sed 's/; .*//')" \
	"0 errors, 0 warnings, 0 notes"
printf '%s\n' "Cluster - 'tux'" "Parent - 'root'" "User - 'ada'" >"$work/tux.cfg"
is "a file that has no usage does not tell that there is none" \
	"$(fathom lint --from "$work/tux.cfg" | sed 's/; .*//')" "0 errors, 0 warnings, 0 notes"
ok "a FiguresFile is a tree" fathom lint --from "$data/figures/pools.json"
is "standard input" "$(fathom lint --slurm-conf /dev/stdin <"$clean/slurm.conf" | sed 's/; .*//')" \
	"0 errors, 0 warnings, 0 notes"

prepare "$cases/figures-unwritable/fires"
echo FiguresFile=/fathom-figures.json >"$case/fathom.conf"
like "the folder of a FiguresFile may be /" "$(lint_case | tr -s '\n ' ' ')" \
	"*SlurmUser may not write to '/'*\[figures-unwritable\]*"

mkfifo "$work/pipe"
echo "Include $work/pipe" >"$work/waiting.conf"
like "an Include does not wait for a pipe, which is empty to slurmctld" \
	"$(timeout 20 "$FATHOM" lint --slurm-conf "$work/waiting.conf" | tr -s '\n ' ' ')" \
	"*waiting.conf: warning: *\[slurm-empty\]* 1 warning,*"

### Wrong use

rejects "a slurm.conf that is not there" "fathom: $work/none: No such file or directory" lint \
	--slurm-conf "$work/none"
rejects "a fathom.conf that is not there" "fathom: $work/none: No such file or directory" lint \
	--fathom-conf "$work/none"
echo nothing >"$work/nothing"
echo "Configuration data as of 2026-01-01T00:00:00" >"$work/shown"
rejects "settings that scontrol shows" \
	"fathom: $work/shown: is what scontrol shows of settings (slurm.conf can be read)" \
	lint --slurm-conf "$work/shown"
rejects "a file of another kind" "fathom: $work/nothing:1: unknown format, must be users of \
sacctmgr, fathom-jobs or a tree; fathom convert --list lists the formats" \
	lint --from "$work/nothing"
rejects "settings" "fathom: $clean/slurm.conf: has settings (slurm-conf), must have a tree, jobs \
or users; --slurm-conf reads slurm.conf" lint --from "$clean/slurm.conf"
rejects "two trees" "fathom: $clean/tree.sshare: only one file may have a tree" lint \
	--from "$clean/tree.sshare" --from "$clean/tree.sshare"
printf 'User|Def Acct\nanna\n' >"$work/users"
rejects "users with a short line" "fathom: $work/users:2: fewer columns than the header" lint \
	--from "$work/users"
rejects "both forms" "fathom: --json: cannot be used with --sarif" lint --json --sarif
rejects "a list as SARIF" "fathom: --list: cannot be used with --sarif, which has all checks as \
rules" lint --list --sarif
rejects "a file too many" "fathom: --from: given more than 4 times" lint \
	--from a --from b --from c \
	--from d --from e
finish
