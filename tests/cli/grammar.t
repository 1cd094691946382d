#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# One grammar: an option has the same letter and name in every command that has it.
. "${srcdir:=.}/tests/cli/lib.sh"

c1=$data/c1.json

for command in $(commands); do
	options "$command" | sed "s/^/$command /"
done >"$work/options"
is "the help of each command has options" \
	"$(cut -d ' ' -f 1 "$work/options" | uniq | paste -sd ' ')" \
	"$(commands)"
# letters that have a meaning, in any command
cat >"$work/letters" <<END
-A --account
-M --cluster
-P --parsable
-S --sort
-U --Users
-V --version
-a --all
-e --helpformat
-h --help
-j --job
-l --long
-m --with-partition
-n --noheader
-o --output
-p --partition
-u --user
-v --verbose
END
is "a letter means the same in every command" \
	"$(cut -d ' ' -f 2,3 "$work/options" | grep '^-' | sort -u)" "$(cat "$work/letters")"
is "a name has the same letter in every command, and an argument in all or none" \
	"$(cut -d ' ' -f 2- "$work/options" | sed 's/ [A-Z=,:[].*/ ARGUMENT/' | sort -u |
		cut -d ' ' -f 2 | uniq -d)" ""
is "every command has the common ones" \
	"$(for command in $(commands); do
		for option in --out --color --version --help; do
			grep -q "^$command .* $option " "$work/options" || echo "$command $option"
		done
	done)" ""

### Names of earlier releases

for pair in account:accounts user:users; do
	is "--${pair#*:} is --${pair%:*}" \
		"$(fathom shares --from "$c1" "--${pair#*:}" B,user1 2>&1)" \
		"$(fathom shares --from "$c1" "--${pair%:*}" B,user1 2>&1)"
done
is "--noheading and --parsable2" "$(fathom shares --from "$c1" --noheading --parsable2)" \
	"$(fathom shares --from "$c1" -n -P)"
is "--jobs, --users, --accounts, --parsable2 of prio" \
	"$(fathom prio --from "$data/jobs/demo.json" --jobs 1 --users ada --accounts physics \
		--parsable2 2>&1)" \
	"$(fathom prio --from "$data/jobs/demo.json" -j 1 -u ada -A physics -P 2>&1)"
is "no help shows them" "$(grep -E -- '--(accounts|users|jobs|clusters|noheading|parsable2|pool) ' \
	"$work/options")" ""

### --partition of shares

cat >"$work/partitions" <<'END'
Account|User|Partition|RawShares|RawUsage
root|||1|100
 lab|||1|100
  lab|ada|gpu|1|50
  lab|ada|cpu|1|30
  lab|ben||1|20
END
is "-p: associations with this partition, and accounts" \
	"$(fathom shares --from "$work/partitions" -nP -p gpu -o User,Partition)" "|
|
ada|gpu"
rejects "a partition of none" \
	"fathom: --partition: $work/partitions has no association in partition 'gpv'; \
did you mean gpu?" \
	shares --from "$work/partitions" -p gpv

### --out

for command in "shares --from $c1" "prio --from $data/jobs/demo.json" \
	"pools --from $work/pool"; do
	echo '{"format": "fathom-pool", "version": 1, "slots": 8, "queues": [{"name": "a",' \
		'"share": 50, "demand": 9, "priority": 1, "pool": true}]}' >"$work/pool"
	# shellcheck disable=SC2086	# several words
	set -- $command
	fathom "$@" >"$work/wanted"
	is "$1 --out prints nothing" "$(fathom "$@" --out "$work/file")" ""
	ok "$1 --out: the file has it" cmp "$work/wanted" "$work/file"
done
echo before >"$work/file"
rejects "a wrong option leaves --out alone" \
	"fathom: --policy: 'fairtree' is unknown, must be one of $(listed "$(policies)"); \
did you mean fair-tree?" \
	shares --from "$c1" --out "$work/file" --policy fairtree
is "the file is as before" "$(cat "$work/file")" before
rejects "a wrong file leaves --out alone" "fathom: $work/none: No such file or directory" \
	shares --out "$work/file" --from "$work/none"
is "the file is still as before" "$(cat "$work/file")" before
rejects "a folder that is not there" "fathom: --out: $work/none/file: No such file or directory" \
	shares --from "$c1" --out "$work/none/file"
is "nothing else stays" "$(find "$work" -name 'file?*')" ""

### --color

escape=$(printf '\033')
lines_with ()
{
	fathom shares --from "$c1" --policy classic -U --color "$@" | grep -c "$escape"
}
is "--color=never" "$(lines_with never)" 0
is "--color=auto: not into a pipe" "$(lines_with auto)" 0
is "--color=always: the header, and who is above or below" "$(lines_with always)" 5
is "NO_COLOR does not matter to --color=always" "$(NO_COLOR=1 lines_with always)" 5
is "who has used less than promised is green, who has used more is red" \
	"$(fathom shares --from "$c1" --policy classic -nU --color always \
		-o User,NormShares,EffectvUsage |
		awk '{ print ($3 ~ /\[31m/) - ($3 ~ /\[32m/), ($3 ~ /\[3.m/) }' | sort | uniq -c |
		tr -s ' ')" " 1 -1 1
 1 0 0
 3 1 1"
rejects "a colour that is none" "fathom: --color: 'red' is unknown, must be auto, always or never" \
	shares --from "$c1" --color red
finish
