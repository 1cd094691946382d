#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck disable=SC2016	# names with $ are meant
# fathom convert: each format that can be written gives the same tree or jobs when read again, what
# it cannot hold is said, and a file appears whole or not at all.
. "${srcdir:=.}/tests/cli/lib.sh"

# list CAN: names of the formats that can be read or written
list ()
{
	fathom convert --list | awk -v can="$1" 'NR > 1 && $3 ~ can { print $1 }'
}

# says TEXT LINES ARGUMENT...: status 0, and these lines on stderr
says ()
{
	says_text=$1 says_lines=$2
	shift 2
	fathom "$@" >"$work/out" 2>"$work/err"
	is "$says_text" "$? $(cat "$work/err")" "0 $says_lines"
}

### the table

is "--list has all formats of trees" \
	"$(fathom convert --list | awk '$2 ~ "tree|usage" && $3 ~ "read" { print $1 }' | sort)" \
	"$(formats | tr ' ' '\n' | sort)"
is "--list wants no other option" "$(fathom convert --list 2>&1 >"$work/list"; echo $?)" 0
like "--list tells which can be written" " $(list write | paste -sd ' ' -) " "* sshare *"
for format in $(list write); do
	ok "fathom-convert(1) describes $format" grep -qxF \
		".B $(echo "$format" | sed 's/-/\\-/')" "$srcdir/doc/fathom-convert.1"
done

### round trips, equal to the last bit

# same FILE FORMAT COMMAND...: does COMMAND print the same for FILE and for FILE converted?
same ()
{
	same_file=$1 same_format=$2
	shift 2
	fathom convert --from "$same_file" --to "$same_format" >"$work/converted" 2>/dev/null &&
		fathom "$@" --from "$same_file" >"$work/wanted" 2>/dev/null &&
		fathom "$@" --from "$work/converted" >"$work/got" 2>/dev/null &&
		diff "$work/wanted" "$work/got"
}

for file in "$data"/*.json "$data"/*.sshare "$data"/flux/*.csv \
	"$data"/pbs/*_group; do
	ok "$(basename "$file") as fathom" same "$file" fathom shares --json --policy lsf
done
sed '1s/"time": [0-9]*/"time": 0/' "$data/t3.json" >"$work/old"
ok "a tree of the first second of 1970" same "$work/old" fathom shares --json
for file in "$data"/jobs/*.json; do
	ok "$(basename "$file") as fathom-jobs" same "$file" fathom-jobs prio --json --state all
	ok "$(basename "$file") as fathom-jobs, under flux" \
		same "$file" fathom-jobs prio --json --state all --policy flux
done
for file in "$data"/demo.sshare "$data"/t3.json "$data"/flux/small_*.csv \
	"$srcdir/tests/format/same/partition.txt"; do
	ok "$(basename "$file") as sshare" same "$file" sshare shares -a -n -o \
		Account,User,Partition,RawShares,RawUsage,FairShare
done
for file in "$data"/pbs/*_group; do
	ok "$(basename "$file") as pbs-group" same "$file" pbs-group shares --json --policy pbs
done
fathom convert --from "$data/convert/settings.json" --to fathom-jobs >"$work/once"
fathom convert --from "$work/once" --to fathom-jobs >"$work/twice"
ok "settings are the same when read again" diff "$work/once" "$work/twice"
ok "all keys are written" diff "$data/convert/settings-written.json" "$work/once"

for file in "$data"/demo.sshare "$data"/t3.json "$data"/pbs/torque_resource_group; do
	ok "$(basename "$file") as sacctmgr" same "$file" sacctmgr shares -a -n -P -o \
		User,RawShares,NormShares
done
ok "sacctmgr as sacctmgr" same "$data/slurm/tux.cfg" sacctmgr shares --json
for file in "$data"/demo.sshare "$data"/flux/small_*.csv "$data"/memory.json; do
	ok "$(basename "$file") as flux-csv" same "$file" flux-csv shares -a -n -P -o \
		Account,User,RawShares,RawUsage,FairShare
done

### usage by account and user

all=$data/convert/all.json
mkdir "$work/usage"
fathom convert --from "$all" --to usage --strict >"$work/usage/all"
fathom convert --from "$work/usage/all" --to usage --strict >"$work/usage/again"
ok "usage as usage" diff "$work/usage/all" "$work/usage/again"
is "usage with partition, resources and time" "$(cat "$work/usage/all")" \
	'{"format": "fathom-usage", "version": 1, "time": 5, "time_iso": "1970-01-01T00:00:05Z",
 "usage": [
 {"account": "a", "user": null, "usage": 1.5},
 {"account": "a", "user": "ann", "partition": "gpu", "usage": 2.25},
 {"account": "empty", "user": null, "usage": 0, "adjustment": -1}]}'
# without_usage FILE: a tree in the same places that has used nothing
without_usage ()
{
	sed 's/"usage": [0-9.]*/"usage": 0/; s/"time": 5,//
		s/, "\(cpu_time\|job_slots\|memory\|adjustment\)": [-0-9.]*//g' "$1"
}
for file in "$all" "$data"/t3.json "$data"/memory.json; do
	without_usage "$file" >"$work/usage/tree.json"
	fathom convert --from "$file" --to usage >"$work/usage/file"
	fathom convert --from "$work/usage/tree.json" --from "$work/usage/file" --to usage \
		--strict >"$work/usage/given"
	ok "$(basename "$file"): usage goes back to its tree" \
		diff "$work/usage/file" "$work/usage/given"
done
cat >"$work/usage/tree" <<END
Account|User|RawShares|RawUsage
root|||0
 physics||1|0
  physics|ada|1|0
END
cat >"$work/usage/stray" <<END
{"format": "fathom-usage", "version": 1, "usage": [
 {"account": "physics", "user": "bob", "usage": 3}, {"account": "maths", "usage": 8},
 {"account": "physics", "user": "\u0061da", "usage": 4}]}
END
says "usage that the tree does not have goes to the account, else to the root" \
	"fathom: $work/usage/stray: usage of 2 associations that the tree does not have, given to \
the account or the root" \
	convert --from "$work/usage/tree" --from "$work/usage/stray" --to sshare
is "with its owner in the tree" "$(cat "$work/out")" "Account|User|RawShares|RawUsage
root|||15
 physics||1|7
  physics|ada|1|4"

### what is lost

says "losses of sshare" "fathom: sshare: does not keep fractions of a second in the usage of 2 nodes
fathom: sshare: does not keep times, slots, memory or adjustment of 1 node
fathom: sshare: does not keep the time of the tree" convert --from "$all" --to sshare
says "losses of pbs-group" "fathom: pbs-group: does not keep the usage of 2 nodes
fathom: pbs-group: does not keep the partition of 1 association
fathom: pbs-group: does not keep the kind of 1 account without members
fathom: pbs-group: does not keep times, slots, memory or adjustment of 1 node
fathom: pbs-group: does not keep the time of the tree" \
	convert --from "$all" --to pbs-group
says "fathom loses nothing" "" convert --from "$all" --to fathom --strict
says "a tree beside jobs" "fathom: fathom-jobs: does not keep the tree" \
	convert --from "$all" --from "$data/jobs/demo.json" --to fathom-jobs
says "jobs beside a tree" "fathom: fathom: does not keep the jobs" \
	convert --from "$all" --from "$data/jobs/demo.json" --to fathom
rejects "--strict" "fathom: sshare: does not keep fractions of a second in the usage of 2 nodes; \
--strict refuses this" \
	convert --from "$all" --to sshare --strict

says "--verbose tells the format of each file" "fathom: $all: format fathom
fathom: $data/jobs/demo.json: format fathom-jobs
fathom: fathom: does not keep the jobs" \
	convert --from "$all" --from "$data/jobs/demo.json" --to fathom --verbose

cat >"$work/partitions" <<'END'
Account|User|Partition|RawShares|RawUsage
root||||0
 a|||1|0
  a|ann|gpu|1|0
 b|||1|0
  b|ann|cpu|1|0
  b|bob|gpu|1|0
  b|eve|cpu|1|0
  b|bob||1|0
END
for format in flux-csv flux-commands; do
	rejects "a user for two partitions as $format" "fathom: --to: user 'bob' has an \
association for each of several partitions in 'b', but only one in $format; keep one" \
		convert --from "$work/partitions" --to $format
	sed '/bob|gpu/d' "$work/partitions" >"$work/once"
	says "a partition as $format" \
		"fathom: $format: does not keep the partition of 3 associations" \
		convert --from "$work/once" --to $format
done

cut -d '|' -f 1,2,4,5 "$work/partitions" | sed 's/bob|1|0/bob|1|5/' >"$work/unknown"
for format in fathom sacctmgr usage flux-csv; do
	rejects "a user twice, for what is not known, as $format" "fathom: --to: user 'bob' is \
more than once in 'b'; format $format can have this user only once; keep one$(
		test $format = flux-csv || echo ", or take sshare -m, which tells partitions")" \
		convert --from "$work/unknown" --to $format
done
sed '$s/5$/0/' "$work/unknown" >"$work/one-used"
is "a user twice, once with usage, as usage" \
	"$(fathom convert --from "$work/one-used" --to usage | grep -c bob)" 1
cat >"$work/lsb.queues" <<'END'
Begin Queue
QUEUE_NAME = normal
FAIRSHARE = USER_SHARES[[ada, 10] [phys@, 5]]
End Queue
END
cat >"$work/lsb.users" <<'END'
Begin UserGroup
GROUP_NAME GROUP_MEMBER USER_SHARES
phys (ada bob) ([ada, 2] [bob, 1])
End UserGroup
END
is "a user of several shares in LSF without usage" "$(fathom convert --from "$work/lsb.queues" \
	--from "$work/lsb.users" --to usage 2>/dev/null | tail -n 1)" ' "usage": []}'
fathom convert --from "$work/partitions" --to fathom >"$work/both.json"
is "a user for two partitions as fathom" \
	"$(fathom shares -am --from "$work/both.json" -nP -o user,partition | grep bob)" "bob|gpu
bob|"

### names that a format cannot have

# tree NAME OTHER [SHARES]: a tree with two users
tree ()
{
	cat >"$work/tree.json" <<END
{"format": "fathom-tree", "version": 1, "nodes": [
 {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
 {"id": 2, "parent": 1, "name": "a", "kind": "account", "shares": 1, "usage": 0},
 {"id": 3, "parent": 2, "name": "$1", "kind": "user", "shares": ${3:-1}, "usage": 0},
 {"id": 4, "parent": 1, "name": "$2", "kind": "user", "shares": 1, "usage": 0}]}
END
}

# refuses NAME FORMAT LINE: of the tree of NAME and OTHER
refuses ()
{
	rejects "$1 as $2" "fathom: --to: $3" convert --from "$work/tree.json" --to "$2"
}

tree 'x|y' b
refuses 'x|y' sshare "user 'x|y': sshare cannot have '|' in a name; rename it"
tree ' x' b
refuses 'a blank before' sshare \
	"user ' x': sshare cannot have ' ' at the start of a name; rename it"
tree 'ä \"=../$(x)' b
says "other characters are kept" "" convert --from "$work/tree.json" --to sshare
is "as they are" "$(grep -c '^  a|ä "=../$(x)|1|0$' "$work/out")" 1
refuses 'a blank' pbs-group \
	"user 'ä \"=../\$(x)': resource_group cannot have ' ' in a name; rename it"
tree '#x' b
refuses '#x' pbs-group "user '#x': resource_group cannot have '#' at the start of a name; rename it"
for first in '{a:fathom' begin:lsf 'a=b:fathom.conf'; do
	tree u b
	sed "s/\"a\"/\"${first%:*}\"/" "$work/tree.json" >"$work/first" &&
		mv "$work/first" "$work/tree.json"
	refuses "the first name ${first%:*}" pbs-group "account '${first%:*}': as the first name \
of resource_group it looks like ${first#*:}; rename it"
done
tree root b
refuses root pbs-group "user 'root': the name is reserved in resource_group; rename it"
tree x x
refuses 'a user in two accounts' pbs-group \
	"user 'x' in 'a' and user 'x' in 'root': resource_group has each name once"
tree x a
refuses 'a user named like an account' pbs-group \
	"account 'a' in 'root' and user 'a' in 'root': resource_group has each name once"
tree x x
sed 's/"user"/"account"/' "$work/tree.json" >"$work/accounts" &&
	mv "$work/accounts" "$work/tree.json"
refuses 'two accounts' pbs-group \
	"account 'x' in 'a' and account 'x' in 'root': resource_group has each name once"
tree x b '"parent"'
refuses 'shares parent' pbs-group \
	"user 'x': has shares \"parent\", which resource_group cannot have; give a number"

tree 'a#b\\c:d' b
says "characters with a meaning for sacctmgr" "" convert --from "$work/tree.json" --to sacctmgr
fathom convert --from "$work/out" --to sshare >"$work/again" 2>&1
ok "are read as they were" grep -qxF '  a|a#b\c:d|1|0' "$work/again"
tree "o'neill" "b=c"
refuses "quotes and '='" sacctmgr \
	"sacctmgr cannot have ', \" or = in a name; rename b=c and o'neill"
printf '{"format": "fathom-tree", "version": 1, "nodes": [%s' \
	'{"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0}' \
	>"$work/many.json"
for i in 2 3 4 5 6 7 8 9 10 11 12; do
	printf ', {"id": %s, "parent": 1, "name": "=%s", "kind": "user", "shares": 1, "usage": 0}' \
		$i $i
done >>"$work/many.json"
echo ']}' >>"$work/many.json"
rejects "many of them" "fathom: --to: sacctmgr cannot have ', \" or = in a name; rename =2, =3, \
=4, =5, =6, =7, =8, =9 and 3 more" convert --from "$work/many.json" --to sacctmgr
tree x b 2147483647
refuses 'shares that mean parent' sacctmgr \
	"user 'x': shares 2147483647 mean parent for sacctmgr; give another number"
tree 'x,y' b
refuses 'x,y' flux-csv "user 'x,y': flux-csv cannot have ',' in a name; rename it"
tree '%^+_nouser' b
refuses 'the mark of a bank' flux-csv \
	"user '%^+_nouser': the name is reserved in flux-csv; rename it"
tree x b '"parent"'
refuses 'shares parent' flux-csv \
	"user 'x': has shares \"parent\", which flux-csv cannot have; give a number"
cat >"$work/tree.json" <<END
{"format": "fathom-tree", "version": 1, "nodes": [
 {"id": 1, "parent": null, "name": "top", "kind": "account", "shares": 1, "usage": 0},
 {"id": 2, "parent": 1, "name": "a", "kind": "account", "shares": 1, "usage": 0},
 {"id": 3, "parent": 2, "name": "a", "kind": "account", "shares": 1, "usage": 0}]}
END
refuses 'an account twice' sacctmgr \
	"account 'a' is in 'root' and in 'a'; sacctmgr has each account once"
sed '3s/"a"/"A"/' "$work/tree.json" >"$work/capital.json"
rejects 'one with capitals, too' \
	"fathom: --to: account 'a' is in 'root' and in 'a'; sacctmgr has each account once" \
	convert --from "$work/capital.json" --to sacctmgr
sed 's/"a"/"root"/' "$work/tree.json" >"$work/root.json"
rejects 'an account root' \
	"fathom: --to: account 'root': the name is that of sacctmgr's root; rename it" \
	convert --from "$work/root.json" --to sacctmgr
sed 's/"a"/"Root"/' "$work/tree.json" | sed '$d; 3s/,$/]}/' >"$work/root.json"
rejects 'an account Root' \
	"fathom: --to: account 'root': the name is that of sacctmgr's root; rename it" \
	convert --from "$work/root.json" --to sacctmgr
sed 's/Root/Lab/' "$work/root.json" >"$work/lab.json"
says "accounts lose capitals" "fathom: sacctmgr: does not keep capitals in the name of 1 account" \
	convert --from "$work/lab.json" --to sacctmgr
ok "and are as Slurm has them" grep -qx "Account - 'lab':FairShare=1" "$work/out"

rejects 'an account twice as usage' \
	"fathom: --to: account 'a' is in 'root' and in 'a'; usage has each account once" \
	convert --from "$work/tree.json" --to usage

### --out

mkdir "$work/folder"
echo old >"$work/folder/tree"
chmod 640 "$work/folder/tree"
rejects "a wrong file leaves --out alone" "fathom: $work/folder/none: No such file or directory" \
	convert --from "$work/folder/none" --to fathom --out "$work/folder/tree"
tree 'x|y' b
refuses_out="fathom: --to: user 'x|y': sshare cannot have '|' in a name; rename it"
rejects "a name that is refused leaves --out alone" "$refuses_out" \
	convert --from "$work/tree.json" --to sshare --out "$work/folder/tree"
is "the old file" "$(cat "$work/folder/tree")" old
ln -s tree "$work/folder/link"
ok "a symbolic link" \
	"$FATHOM" convert --from "$data/demo.sshare" --to fathom --out "$work/folder/link"
ok "the file that it points to is replaced" grep -q fathom-tree "$work/folder/tree"
ln -s new "$work/folder/dangling"
ok "a link to a file that is not there" \
	"$FATHOM" convert --from "$data/demo.sshare" --to fathom --out "$work/folder/dangling"
ok "the file is made, and the link stays" \
	test -L "$work/folder/dangling" -a -f "$work/folder/new"
rm "$work/folder/dangling" "$work/folder/new"
# shellcheck disable=SC2012	# one name of our own
is "with its rights, and nothing beside it" \
	"$(ls "$work/folder" | paste -sd ' ' -) $(ls -l "$work/folder/tree" | cut -c 1-10)" \
	"link tree -rw-r-----"
ln -s round "$work/folder/round"
rejects "a link to itself" "fathom: --out: $work/folder/round: Too many levels of symbolic links" \
	convert --from "$data/demo.sshare" --to fathom --out "$work/folder/round"
ok "which stays" test -L "$work/folder/round"
# as /tmp is; root may give a link away
mkdir -m 1777 "$work/shared"
ln -s ../folder/tree "$work/shared/link"
ln -s link "$work/shared/own"
if chown -h 60004 "$work/shared/link" 2>"$work/err"; then
	echo theirs >"$work/shared/file"
	chmod 666 "$work/shared/file"
	chown 60004 "$work/shared/file"
	for name in "$work/shared/link" "$work/shared/own" "$work/shared/file"; do
		rejects "a stranger's link or file" "fathom: --out: $name: is another user's, in a \
folder where everybody may make files, must be another file" \
			convert --from "$data/c1.json" --to sshare --out "$name"
	done
	ok "leads nowhere" grep -q fathom-tree "$work/folder/tree"
	chown 60004:60005 "$work/folder/tree"
	fathom convert --from "$data/c1.json" --to sshare --out "$work/folder/tree" 2>"$work/err"
	is "a file keeps its owner and group" "$(stat -c '%u %g %a' "$work/folder/tree")" \
		"60004 60005 640"
	fathom convert --from "$data/c1.json" --to fathom --out "$work/folder/tree"
	is "and a stranger's file stays" "$(cat "$work/shared/file")" theirs
	chmod 755 "$work/shared"
	ok "in a folder of its own, it does" \
		fathom convert --from "$data/c1.json" --to fathom --out "$work/shared/link"
	chmod 1777 "$work/shared"
	chown 60004 "$work/shared"
	ok "as does a link of the folder's owner" \
		fathom convert --from "$data/c1.json" --to fathom --out "$work/shared/link"
else
	skip "a stranger's link" "only root can make one"
fi
# what is opened gets the number of a stream that is closed
for closed in '>&-' '<&- >&-' '<&- >&- 2>&-'; do
	rm -f "$work/closed"
	eval "fathom convert --from $data/c1.json --to fathom --out $work/closed $closed"
	ok "--out without standard streams: $closed" grep -q fathom-tree "$work/closed"
done
for path in /dev/stdout /proc/self/fd/1; do
	rejects "$path" "fathom: --out: $path: is standard output, must be another file" \
		convert --from "$data/c1.json" --to sshare --out $path
	is "$path that is a pipe" "$(fathom convert --from "$data/c1.json" --to sshare --out $path \
		2>&1)" "fathom: --out: $path: is standard output, must be another file"
done
rejects "a device" "fathom: --out: /dev/null: is not a regular file, must be one or not be there" \
	convert --from "$data/demo.sshare" --to fathom --out /dev/null
rejects "a folder that is not there" "fathom: --out: $work/none/x: No such file or directory" \
	convert --from "$data/demo.sshare" --to fathom --out "$work/none/x"

### wrong use

to=$(or_listed "$(list write | paste -sd ' ' -)")
readable=$(or_listed "$(list read | paste -sd ' ' -)")
rejects "no --to" "fathom: --to: must be given; see fathom convert --list" \
	convert --from "$data/demo.sshare"
rejects "--to a format that is only read" \
	"fathom: --to: 'flux-db' cannot be written, must be $to" convert --to flux-db
rejects "--to an unknown format" "fathom: --to: 'csv' is unknown, must be $to" convert --to csv
rejects "--format of an unknown name" "fathom: --format: 'csv' is unknown, must be $readable" \
	convert --format csv
rejects "an unknown format" \
	"fathom: $srcdir/README.md:1: unknown format, must be a format of fathom \
convert --list; --format names one" \
	convert --from "$srcdir/README.md" --to fathom
rejects "two trees" \
	"fathom: $data/c1.json: only one file may have a tree; $data/demo.sshare already does" \
	convert --from "$data/demo.sshare" --from "$data/c1.json" --to fathom
rejects "jobs twice" \
	"fathom: $data/jobs/demo.json: only one file may have jobs; $data/jobs/demo.json already \
does" \
	convert --from "$data/jobs/demo.json" --from "$data/jobs/demo.json" --to fathom-jobs
rejects "no tree" "fathom: --to: fathom holds a tree, but no file has one" \
	convert --from "$data/jobs/demo.json" --to fathom
rejects "no jobs" "fathom: --to: fathom-jobs holds jobs, but no file has any" \
	convert --from "$data/c1.json" --to fathom-jobs
rejects "settings without a tree" "fathom: --to: sshare holds a tree, but no file has one" \
	convert --from "$data/pbs/example_sched_config" --to sshare
# of resource_group: "grp" would be there twice, and "root" and "unknown" are reserved
printf '%s\t%s\t%s\t%s\n' grp 10 root 50 ann 11 grp 10 >"$work/group"
echo '{"format": "fathom-jobs", "version": 1, "jobs": [{"job_id": 1, "user": "grp"},
 {"job_id": 2, "user": "zed"}, {"job_id": 3, "user": "unknown"}, {"job_id": 4, "user": "root"}]}' \
	>"$work/strangers"
is "users whom only jobs name do not get into a tree" \
	"$(fathom convert --from "$work/group" --from "$work/strangers" --to pbs-group 2>&1)" \
	"fathom: pbs-group: does not keep the jobs
$(cat "$work/group")"
like "a tree's format does not keep settings" \
	"$(fathom convert --from "$data/pbs/example_sched_config" \
		--from "$data/pbs/example_resource_group" --to sshare 2>&1)" \
	"fathom: sshare: does not keep the settings*"
rejects "--scope of a file that has one tree" \
	"fathom: --scope: no file describes several trees; must be files such as LSF's lsb.queues" \
	convert --from "$data/figures/scopes.json" --scope gpu --to sshare
rejects "--format belongs to the file before it" \
	"fathom: $data/c1.json:1: no '|' in the header line, must be the output of sshare -a -P" \
	convert --from "$data/jobs/demo.json" --from "$data/c1.json" --format sshare --to fathom
finish
