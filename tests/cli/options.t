#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Wrong use: one line on stderr that says what would be right, status 2, nothing on stdout.
. "${srcdir:=.}/tests/cli/lib.sh"

c1=$data/c1.json
policies=$(listed "$(policies)") formats=$(or_listed "$(formats)") commands=$(listed "$(commands)")

is "no command is help" "$(fathom)" "$(fathom --help)"
rejects "an unknown command" "fathom: share: unknown command; did you mean shares?" share
rejects "one like no other" "fathom: lottery: unknown command; must be one of $commands" lottery
rejects "an unknown option before the command" \
	"fathom: --json: unknown option; must be --help, --version, or come after a command: \
$commands" --json
rejects "help of an unknown command" "fathom: share: unknown command; did you mean shares?" \
	help share
rejects "help of two commands" "fathom: prio: not expected; fathom help shares is enough" \
	help shares prio
rejects "an unknown option" "fathom: --frm: unknown option; did you mean --from?" shares --frm x
rejects "with a value" "fathom: --polcy: unknown option; did you mean --policy?" \
	shares --polcy=lsf
rejects "an option like no other" "fathom: --lottery: unknown option; see fathom shares --help" \
	shares --lottery
rejects "an unknown letter" "fathom: -q: unknown option; see fathom shares --help" \
	shares --from "$c1" -q
rejects "an unknown letter among others" "fathom: -q: unknown option; see fathom shares --help" \
	shares -Pq --from "$c1"
rejects "an option cut too short" \
	"fathom: --pa: short for several options: partition or parsable" \
	shares --pa --from "$c1"
is "the same option by several names" "$(fathom shares --no --from "$c1")" \
	"$(fathom shares --noheader --from "$c1")"
rejects "an option without its argument" \
	"fathom: --from: needs an argument; see fathom shares --help" shares --from
rejects "a letter without its argument" "fathom: -A: needs an argument; see fathom shares --help" \
	shares --from "$c1" -A
rejects "an argument to an option that takes none" \
	"fathom: --json: takes no argument; see fathom shares --help" shares --from "$c1" --json=yes
rejects "an unknown view" "fathom: --view: 'squeue' is unknown, must be $(views_of shares)" \
	shares --view squeue
rejects "options of no view" \
	"fathom: -l: not expected; options of another tool need --view $(views_of prio)" \
	prio --from "$c1" -- -l
rejects "an option that the view lacks" \
	"fathom: -j: unknown option; see fathom shares --view sshare -- --help" \
	shares --view sshare -- -j 1
rejects "an operand" "fathom: $c1: not expected; see fathom shares --help" shares "$c1"
rejects "two trees" "fathom: $c1: only one file may have a tree; $c1 already does" \
	shares --from "$c1" --from "$c1"
rejects "a file that is not there" "fathom: $work/none: No such file or directory" shares \
	--from "$work/none"
rejects "a folder" "fathom: $work: Is a directory" shares --from "$work"
tree="a tree, or beside one settings or fathom.conf; fathom convert --list lists the formats, \
--format names one"
for content in 'is empty:' 'is empty:\n\n \n' 'has nothing but comments:# a\n# b\n' \
	'unknown format:one\n' 'has nothing but NUL bytes:\0\0\0\0' \
	'has no header line with Account and User:root|||1\n'; do
	# shellcheck disable=SC2059	# \n is meant
	printf "${content#*:}" >"$work/file"
	rejects "a file that ${content%%:*}" \
		"fathom: $work/file:1: ${content%%:*}, must be $tree" shares --from "$work/file"
	rejects "so for jobs" \
		"fathom: $work/file:1: ${content%%:*}, must be fathom.conf, or a format of jobs, \
trees or settings; fathom convert --list lists them, --format names one" prio --from "$work/file"
done
for content in \
	'is a table of squeue (squeue --json or sacct -P can be read):JOBID PARTITION\n1 a\n' \
	'is a table of sprio (fathom snapshot can be read):JOBID PARTITION PRIORITY SITE\n1 a\n' \
	'is a tree that flux account prints (its database can be read):Bank|Username|Active\n'; do
	# shellcheck disable=SC2059	# \n is meant
	printf "${content#*:}" >"$work/file"
	for command in shares prio lint start report "replay $data/swf/gofree_sample.swf.xz"; do
		# shellcheck disable=SC2086	# words are meant
		rejects "a file that ${content%%:*}, $command" \
			"fathom: $work/file:1: ${content%%:*}" $command --from "$work/file"
	done
done
echo 'Cluster|Account|User|Partition|Share|GrpTRES' >"$work/file"
rejects "what sacctmgr shows" "fathom: $work/file:1: no column RawShares in the header line, must \
have Account, User, RawShares and RawUsage (sacctmgr dump can be read)" shares --from "$work/file"
# whatever is read, a file without content is said to be empty or to have nothing but comments
: >"$work/empty"
printf '\n \t\r\n\n' >"$work/blank"
printf '\357\273\277# a\n\n \t# b' >"$work/comments"
printf '; a trace\n;\n' >"$work/header"
# says TEXT FILE ARGUMENT...: status 2, nothing on stdout, one line on stderr
says ()
{
	says_text=$1 says_file=$2
	shift 2
	"$FATHOM" "$@" >"$work/out" 2>"$work/err" </dev/null
	is "$says_text: status" "$? $(wc -c <"$work/out") $(wc -l <"$work/err")" "2 0 1"
	case $says_file in
	*/empty | */blank) like "$says_text" "$(cat "$work/err")" \
		"fathom: $says_file:1: is empty[,;] *" ;;
	*) like "$says_text" "$(cat "$work/err")" \
		"fathom: $says_file:1: has nothing but comments[,;] *" ;;
	esac
}
for file in empty blank comments header; do
	for command in shares prio "explain ann" lint pools "convert --to fathom"; do
		# shellcheck disable=SC2086	# words are meant
		says "$command of $file" "$work/$file" $command --from "$work/$file"
	done
	for format in $(fathom convert --list | awk '$3 ~ "read" { print $1 }'); do
		says "$format of $file" "$work/$file" convert --from "$work/$file" \
			--format "$format" --to fathom
	done
	for format in $(formats); do
		says "$format of $file, a tree" "$work/$file" shares --from "$work/$file" \
			--format "$format"
		says "$format of $file, a tree of jobs" "$work/$file" prio --from "$work/$file" \
			--format "$format"
	done
done
rejects "what it must be is said" "fathom: $work/blank:1: is empty, must be text of sshare -a -P \
with Account, User, RawShares, RawUsage" shares --from "$work/blank" --format sshare
rejects "so for pools" "fathom: $work/header:1: has nothing but comments, must be a slot pool in \
JSON, see fathom-pools(1)" pools --from "$work/header"
rejects "an empty standard input" \
	"fathom: -:1: is empty, must be $tree" shares --from -
rejects "an unknown policy" "fathom: --policy: 'lottery' is unknown, must be one of $policies" \
	shares --from "$c1" --policy lottery
rejects "an empty policy" "fathom: --policy: '' is unknown, must be one of $policies" shares \
	--from "$c1" --policy=
rejects "an unknown format" "fathom: --format: 'xml' is unknown, must be $formats" \
	shares --from "$c1" --format xml
rejects \
	"sshare's --format" "fathom: --format: 'Account,User' names columns, which --output takes; \
the format of \
--from must be $formats" shares --from "$c1" --format Account,User
rejects "a format for no file" "fathom: --format: needs --from" shares --format sshare
rejects "a setting without a value" "fathom: --set: 'tie_mode' has no '=', must be KEY=VALUE" \
	shares --from "$c1" --set tie_mode
rejects "an unknown setting" \
	"fathom: --set: colour: fair-tree has no setting 'colour', it has \
tie_mode; see fathom shares --help" \
	shares --from "$c1" --set colour=red
rejects "a setting that is mistyped" \
	"fathom: --set: DampningFactor: classic has no setting 'DampningFactor', but has \
dampening_factor; see fathom shares --help" \
	shares --from "$c1" --policy classic --set DampningFactor=2
is "a setting by slurm.conf's name" \
	"$(fathom shares --from "$c1" --policy classic --set FairShareDampeningFactor=2)" \
	"$(fathom shares --from "$c1" --policy classic --set dampening_factor=2)"
rejects "a setting that is mistyped, by slurm.conf's name" \
	"fathom: --set: FairShareDampningFactor: classic has no setting 'FairShareDampningFactor', \
but has FairShareDampeningFactor; see fathom shares --help" \
	shares --from "$c1" --policy classic --set FairShareDampningFactor=2
rejects "a setting that none of several policies has, mistyped" \
	"fathom: --set: PriorityDecayHalflive: is no setting of lsf or pbs; did you mean \
PriorityDecayHalfLife?" shares --from "$c1" --policy lsf,pbs --set PriorityDecayHalflive=3-0
rejects "jobs: the same of a key of slurm.conf" \
	"fathom: --set: PriorityWeigthAge: is no setting of lsf or pbs; did you mean \
priority_weight_age?" prio --from "$data/jobs/demo.json" --policy lsf,pbs \
	--set PriorityWeigthAge=3
rejects "a half-life that is no time of slurm.conf" \
	"fathom: --set: PriorityDecayHalfLife: 'soon' is not a time of slurm.conf; give minutes, \
or D-HH:MM:SS, or a number with s, m, h, d or w" \
	explain user1 --from "$c1" --set PriorityDecayHalfLife=soon
rejects "a setting of another policy" \
	"fathom: --set: tie_mode: classic has no setting 'tie_mode', it has dampening_factor; see \
fathom shares --help" \
	shares --from "$c1" --policy classic --set tie_mode=flux
rejects "a setting's wrong word" \
	"fathom: --set: tie_mode: 'x' is unknown, must be one of documented, slurm, flux; \
see fathom shares --help" shares --from "$c1" --set tie_mode=x
for value in 0 -1 nan x '' 0x10; do
	fathom shares --from "$c1" --policy classic \
		--set "dampening_factor=$value" >"$work/out" 2>"$work/err"
	is "dampening_factor=$value: status" $? 2
	is "dampening_factor=$value: nothing on stdout" "$(cat "$work/out")" ""
	like "dampening_factor=$value: one line" "$(cat "$work/err")" \
		"fathom: --set: dampening_factor: *"
done
rejects "a weight that is not a whole number" \
	"fathom: --set: bank_weight: 0.5 is not a whole number; for example 0; \
see fathom shares --help" shares --from "$c1" --policy flux --set bank_weight=0.5
rejects "a factor of decay that leaves all" \
	"fathom: --set: FairshareDecayFactor: 1 is out of range, must be \
greater than 0 and less than 1; see fathom shares --help" shares --from "$c1" --policy pbs \
	--set FairshareDecayFactor=1
rejects "a formula that is none" \
	"fathom: --set: fairshare_usage_res: 'a;b' is not a formula; for example cput; \
see fathom shares --help" shares --from "$c1" --policy pbs --set 'fairshare_usage_res=a;b'
rejects "an unknown column" \
	"fathom: --output: 'Size' is not a column of fair-tree; see --helpformat" \
	shares --from "$c1" -o Account,Size
rejects "a misspelt column" \
	"fathom: --output: 'USR' is not a column of fair-tree; did you mean User?" \
	shares --from "$c1" -o Account,USR
rejects "a column of another policy" \
	"fathom: --output: 'LevelFS' is a column of fair-tree and flux, not of classic" \
	shares --from "$c1" --policy classic -o LevelFS
rejects "a column of a running cluster" \
	"fathom: --output: only a running cluster has the column GrpTRESMins, a file does not" \
	shares --from "$c1" -o GrpTRESM
rejects "no column" "fathom: --output: no column given; see --helpformat" shares --from "$c1" -o ,
rejects "no column to sort by" "fathom: --sort: no column given; see --helpformat" \
	shares --from "$c1" -S ,
rejects "a width that is none" \
	"fathom: --output: 'User%x': the width must be 1 to 1000, or negative to align to \
the left" shares --from "$c1" -o User%x
rejects "columns for JSON" "fathom: --output: cannot be used with --json, which has all columns" \
	shares --from "$c1" -o User --json
rejects "no account" "fathom: --account: no name given" shares --from "$c1" -A ,
rejects "no user" "fathom: --user: no name given" shares --from "$c1" -u ,
rejects "a number that is neither a uid nor a name" \
	"fathom: --user: $c1 has no user '4294967294'; the nearest is user2" \
	shares --from "$c1" -u 4294967294
sed 's/"user1"/"4294967294"/' "$c1" >"$work/number.json"
is "a user whose name is a number" \
	"$(fathom shares --from "$work/number.json" -u 4294967294 -U -n -P -o User)" 4294967294
rejects "clusters for a file" "fathom: --cluster: cannot be used with --from" \
	shares --from "$c1" -M lab

# a warning has no place beside an error
fathom shares --from "$c1" --json --policy classic,fair-tree >"$work/two.json"
rejects "one line, although another policy is left out" \
	"fathom: --output: 'Size' is not a column of classic; see --helpformat" \
	shares --from "$work/two.json" -o Size
rejects "one line, although losses would be listed" \
	"fathom: --out: $work/none/o: No such file or directory" \
	convert --from "$c1" --to sacctmgr --out "$work/none/o"
fathom shares --from "$work/two.json" --out "$work/o" >"$work/out" 2>"$work/err"
is "without an error the warning is printed once" "$? $(cat "$work/out" "$work/err")" \
	"0 fathom: $work/two.json: has 2 policies; the first, classic, is read"

# without a cluster to talk to: a line, whatever libslurm would say and do
: >"$work/slurm.conf"
SLURM_CONF=$work/slurm.conf "$FATHOM" shares >"$work/out" 2>"$work/err"
is "no cluster: status" $? 2
is "no cluster: nothing on stdout" "$(cat "$work/out")" ""
like "no cluster: the line names --from" "$(cat "$work/err")" "fathom: *--from*"
is "no cluster: one line" "$(wc -l <"$work/err" | tr -d ' ')" 1
SLURM_CONF=$work/no.conf timeout 10 "$FATHOM" shares >"$work/out" 2>"$work/err"
is "no slurm.conf: status, without libslurm's wait of a minute" $? 2
like "no slurm.conf: the line names --from" "$(cat "$work/err")" "fathom: *--from*"

# each command says what reads files instead; a port that nobody listens at does not answer
cat >"$work/slurm.conf" <<'EOF'
ClusterName=test
SlurmctldHost=localhost
SlurmctldPort=1
AuthType=auth/none
MessageTimeout=2
EOF
reads="*; --from reads a file"
of_lint="*; --slurm-conf and --from read files" of_host="*; only the files of this host are checked"
request="--assign: no running cluster: *: No such file or directory"
built_with libslurm || {
	reads="--from: must be given, this fathom is built without libslurm"
	of_lint=--slurm-conf${reads#--from} of_host=$of_lint request=$reads
	rejects "a snapshot" \
		"fathom: snapshot: needs libslurm, which this fathom is built without" snapshot
}
without ()
{
	SLURM_CONF=$work/$1 fathom $2 2>&1 </dev/null
}
for conf in no.conf slurm.conf; do
	for command in "shares" "shares --json" "prio" "prio --json" "explain ada" \
		"explain 12 --json" "pools" "usage" "convert --to fathom"; do
		like "$conf: fathom $command" "$(without $conf "$command")" "fathom: $reads"
	done
done
for conf in no.conf slurm.conf; do
	is "$conf: fathom snapshot reads no file" \
		"$(without $conf snapshot | grep -c -- --from)" 0
done
like "no.conf: fathom lint" "$(without no.conf "lint --json")" "fathom: $of_lint"
like "slurm.conf: fathom lint" "$(without slurm.conf "lint --json" | head -n 1)" \
	"fathom: $of_host"
like "a request needs a cluster" "$(without no.conf "usage --assign ada=5")" "fathom: $request"

if [ -c /dev/full ]; then
	for way in --json -P '' --help; do
		# shellcheck disable=SC2086	# none where there is none
		fathom shares --from "$c1" $way >/dev/full 2>"$work/err"
		is "a full disk: status of shares $way" $? 2
		is "a full disk: line of shares $way" "$(cat "$work/err")" \
			"fathom: standard output: No space left on device"
	done
	fathom replay "$data/swf/small.swf" --cpus 64 --json --policy "$(policies | tr ' ' ,)" \
		>/dev/full 2>"$work/err"
	is "a full disk: line of replay --json" "$(grep -v ": left out" "$work/err")" \
		"fathom: standard output: No space left on device"
else
	skip "a full disk" "no /dev/full"
fi
rm -f "$work/file"
fathom shares --from "$c1" --out "$work/file" >&-
is "--out needs no standard output: status" $? 0
is "--out needs no standard output: file" "$(cat "$work/file")" "$(fathom shares --from "$c1")"
finish
