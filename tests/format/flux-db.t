#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Databases of flux-accounting: what is in the tree, what is left alone, and what is refused.
. "${srcdir:=.}/tests/cli/lib.sh"
: "${MAKE_DB:=./tests/format/make_db}"
built_with SQLite databases || finish
# as the system names it
work=$(cd "$work" && pwd -P)
db=$work/accounting.db

# columns as of the latest release, and as they were in 0.10; the others do not matter
banks='CREATE TABLE bank_table (bank_id integer PRIMARY KEY, bank text NOT NULL,
 active int DEFAULT 1,
	parent_bank text DEFAULT "", shares int NOT NULL, job_usage real DEFAULT 0);'
users='CREATE TABLE association_table (active int DEFAULT 1, username tinytext, bank tinytext,
 shares int(11) DEFAULT 1,
	job_usage real DEFAULT 0);'
old_banks='CREATE TABLE bank_table (bank_id integer PRIMARY KEY, bank text, parent_bank text,
 shares int);'
old_users='CREATE TABLE association_table (deleted tinyint(4) DEFAULT 0, username tinytext,
 bank tinytext, shares int(11),
	job_usage real);'

# bank NAME PARENT [SHARES [ACTIVE]], user NAME BANK [SHARES [USAGE [ACTIVE]]]: rows, numbers or SQL
bank ()
{
	echo "INSERT INTO bank_table (bank, parent_bank, shares, active) VALUES ('$1', '$2', \
${3:-1}, ${4:-1});"
}

user ()
{
	echo "INSERT INTO association_table (username, bank, shares, job_usage, active)
		VALUES ('$1', '$2', ${3:-1}, ${4:-0}, ${5:-1});"
}

root=$(bank root '')
A=$(bank A root)
tables=$banks$users$root$A

# make SQL...: a new database
make ()
{
	rm -f "$db"
	"$MAKE_DB" "$db" "$@"
}

# reads TEXT WANTED SQL...: WANTED has a word a node
reads ()
{
	reads_text=$1 reads_wanted=$2
	shift 2
	make "$@"
	is "$reads_text" \
		"$(fathom shares --from "$db" -nP -o Account,User,RawShares,RawUsage 2>&1 |
		tr -d ' ' |
		tr '\n' ' ')" "$reads_wanted "
}

# refuses TEXT MESSAGE SQL...
refuses ()
{
	refuses_text=$1 refuses_message=$2
	shift 2
	make "$@"
	rejects "$refuses_text" "fathom: $db: $refuses_message" shares --from "$db"
}

reads "siblings by name" "root|||6 A||1|3 A|a|4|1 A|b|5|2 B||2|3 B|u|1|3 C||1|0" \
	"$tables$(user b A 5 2)$(user a A 4 1)$(bank C root)$(bank B root 2)$(user u B 1 3)"
reads "a user in two banks" "root|||3 A||1|1 A|u|1|1 B||1|2 B|u|1|2" \
	"$tables$(bank B root)$(user u A 1 1)$(user u B 1 2)"
reads "inactive users are not in the tree" "root|||1 A||1|1 A|a|1|1" \
	"$tables$(user a A 1 1)$(user b A 1 7 0)"
reads "inactive banks are not, nor what is below" "root|||1 A||1|1 A|a|1|1" \
	"$tables$(user a A 1 1)$(bank X root 1 0)$(bank Y X)$(bank Z Y)$(user z Z 1 9)"
reads "what is not in the tree may be wrong" "root|||0 A||1|0" \
	"$tables$(bank X root -1 0)$(user x X -1 -1)$(user y A "'many'" -1 0)$(user z W 1 1 0)"
reads "a bank removed and made again elsewhere" "root|||1 A||1|0 B||1|1 B|u|1|1" \
	"$tables$(bank B A 1 0)$(bank B root)$(user u B 1 1)"
reads "a bank moved and then removed from where it was" "root|||1 A||1|0 B||1|1 B|u|1|1" \
	"$tables$(bank B root)$(bank B A 1 0)$(user u B 1 1)"
reads "users where banks were removed" "root|||1 A||1|1 A|u|1|1" \
	"$tables$(bank B A 1 0)$(user u A 1 1)"
reads "a parent in a later row" "root|||0 A||1|0 B||1|0" "$banks$users$(bank B A)$A$root"
reads "the old schema" "root|||2 A||1|2 A|a|3|2" "$old_banks$old_users
	INSERT INTO bank_table VALUES (1, 'root', '', 1), (2, 'A', 'root', 1);
	INSERT INTO association_table VALUES (0, 'a', 'A', 3, 2), (1, 'b', 'A', 3, 2);"
reads "a root whose parent_bank is NULL" "root|||0 A||1|0" \
	"$banks$users INSERT INTO bank_table (bank, parent_bank, shares) VALUES ('root', NULL, \
1);$A"
reads "UTF-16, in its bytes' order" "root|||1 A||1|1 A|𝄞|1|1 A|ä|1|0" \
	"PRAGMA encoding = 'UTF-16';$tables$(user 𝄞 A 1 1)$(user ä A)"

make "$tables$(user u A)"
for name in 'a b' 'a?b' 'a#b' 'a%41b' 'a&mode=rwc' "it's"; do
	cp "$db" "$work/$name"
	is "a file named $name" "$(fathom shares --from "$work/$name" -UnP -o user)" u
done
(cd "$work" && cp "$db" -- '?x' && mkdir sub && cp "$db" sub/db) 
case $FATHOM in /*) absolute=$FATHOM ;; *) absolute=$PWD/$FATHOM ;; esac
is "relative names" "$(cd "$work" && "$absolute" shares --from '?x' -UnP -o user;
	cd "$work" && "$absolute" shares --from sub//db -UnP -o user)" "u${newline}u"
is "a name with two slashes before it" "$(fathom shares --from "/$db" -UnP -o user)" u

make "PRAGMA journal_mode = WAL;$tables$(user u A)"
mkdir "$work/fixed"
cp "$db" "$work/fixed/db"
before=$(stat -c '%n %s %y %z' "$work/fixed" "$work/fixed/"*)
is "a database in WAL mode is read" "$(fathom shares --from "$work/fixed/db" -UnP -o user)" u
is "nothing is written, or left beside it" \
	"$(stat -c '%n %s %y %z' "$work/fixed" "$work/fixed/"*)" "$before"

# during TEXT WANTED SQL... COMMAND-AND-SQL: what is shown while somebody has the database open
during ()
{
	during_text=$1 during_wanted=$2
	shift 2
	make "$tables$(user u A 1 1)"
	"$MAKE_DB" "$db" "$@"
	is "$during_text" "$(cat "$work/out")" "$during_wanted"
}

look="!'$FATHOM' shares --from '$db' -UnP -o User,RawUsage >'$work/out' 2>&1"
change="UPDATE association_table SET job_usage = 2;"
# more than memory is to hold
flood="PRAGMA cache_size = 1; BEGIN;$change WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + \
1 FROM n WHERE i < 2000)
	INSERT INTO association_table (username, bank) SELECT 'u' || i, 'A' FROM n;"
backup="make a copy with sqlite3's .backup and read that"
during "a reader" "u|1" "BEGIN; SELECT * FROM bank_table;" "$look"
during "who has locked everything" "u|1" "BEGIN EXCLUSIVE;" "$look"
during "who has changed something, and keeps it to himself" "u|1" "BEGIN;$change" "$look"
during "who is writing it" \
	"fathom: $db: $db-journal shows that a change of the database is unfinished; $backup" \
	"$flood" "$look"
during "who has finished" "u|2" "PRAGMA journal_mode = PERSIST;$change" "$look"
during "who keeps a log beside it" \
	"fathom: $db: $db-wal has changes that are not in the database yet; $backup" \
	"PRAGMA journal_mode = WAL;$change" "$look"
ln -s "$db" "$work/link"
during "the same, and a link to the file" \
	"fathom: $work/link: $db-wal has changes that are not in the database yet; $backup" \
	"PRAGMA journal_mode = WAL;$change" \
	"!'$FATHOM' shares --from '$work/link' >'$work/out' 2>&1"
during "who has closed the log" "u|2" \
	"PRAGMA journal_mode = WAL;$change PRAGMA wal_checkpoint(TRUNCATE);" "$look"
make "$tables$(user u A 1 1)"
"$MAKE_DB" "$db" "$flood" "!cp '$db' '$work/broken'; cp '$db-journal' '$work/broken-journal'"
rejects "a writer that broke off" \
	"fathom: $work/broken: $work/broken-journal shows that a change of the database is \
unfinished; $backup" \
	shares --from "$work/broken"

for suffix in wal journal; do
	mkfifo "$db-$suffix"
	is "a pipe beside it is not waited for: $suffix" \
		"$(timeout 20 "$FATHOM" shares --from "$db" -UnP -o User,RawUsage)" "u|1"
	rm "$db-$suffix"
done

missing="must be a database of flux-accounting"
refuses "an empty database" "no table bank_table, $missing" "CREATE TABLE t (a);"
refuses "no associations" "no table association_table, $missing" "$banks$root"
refuses "a view in a table's place" "no table bank_table, $missing" \
	"$users CREATE VIEW bank_table AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 \
FROM n) SELECT i FROM n;"
older="must be of flux-accounting 0.8 or later"
refuses "no shares" "bank_table has no column shares, $older" \
	"CREATE TABLE bank_table (bank, parent_bank);$users"
refuses "a release before there was usage" "association_table has no column job_usage, $older" \
	"$banks$root CREATE TABLE association_table (deleted, username, bank, shares);"
refuses "no bank" "bank_table has no active bank without parent_bank, must have one, the root" \
	"$banks$users"
refuses "the root is inactive" \
	"bank_table has no active bank without parent_bank, must have one, the root" \
	"$banks$users$(bank root '' 1 0)"
refuses \
	"two roots" "bank_table, row 3: bank 'top' has no parent_bank, and neither has 'root' of \
row 1; only the root must have none" \
	"$tables$(bank top '')"
refuses "a bank twice" "bank_table, row 3: bank 'A' is in row 2, too; only one may be active" \
	"$tables$A"
refuses "no parent" "bank_table, row 3: parent_bank of 'B' is 'C', must be a bank" \
	"$tables$(bank B C)"
refuses "a cycle" "bank_table, row 3: bank 'B' is below itself, must be below the root" \
	"$tables$(bank B D)$(bank C B)$(bank D C)$(bank E D)"
refuses "its own parent" "bank_table, row 3: bank 'B' is below itself, must be below the root" \
	"$tables$(bank B B)"
whole="must be an integer from 0 to 4294967294"
refuses "a bank's shares: text" "bank_table, row 3: shares is 'many', $whole" \
	"$tables$(bank B root "'many'")"
refuses "a bank's shares: negative" "bank_table, row 3: shares is '-1', $whole" \
	"$tables$(bank B root -1)"
refuses "a bank's shares: a fraction" "bank_table, row 3: shares is '1.5', $whole" \
	"$tables$(bank B root 1.5)"
refuses "a bank's shares: huge" "bank_table, row 3: shares is '9223372036854775807', $whole" \
	"$tables$(bank B root 9223372036854775807)"
refuses "a bank's name: a number" "bank_table, row 3: bank is '7', must be text" \
	"$(echo "$banks" |
	sed 's/bank text/bank/')$users$root$A INSERT INTO bank_table (bank, parent_bank, shares) \
VALUES (7, 'root', 1);"
refuses "a bank's name: empty" "bank_table, row 3: bank is '', must be a name" \
	"$tables$(bank '' root)"
refuses "a bank's name: NUL" \
	"bank_table, row 3: a name has a byte that is not a printable UTF-8 character" \
	"$tables INSERT INTO bank_table (bank, parent_bank, shares) VALUES ('B' || char(0) || 'C', \
'root', 1);"
refuses "NULL where the schema forbids it" \
	"bank_table is damaged: NULL value in bank_table.shares; make a new copy of the database" \
	"$(echo "$banks" | sed 's/shares int NOT NULL/shares int/')$users$root$A
	INSERT INTO bank_table (bank, parent_bank) VALUES ('B', 'root'); PRAGMA writable_schema = \
ON;
	UPDATE sqlite_master SET sql = replace(sql, 'shares int', 'shares int NOT NULL') WHERE \
name = 'bank_table';"
refuses "a user of no bank" \
	"association_table, row 1: the bank of 'u' is 'X', must be one of bank_table" \
	"$tables$(user u X)"
refuses \
	"a user beside banks" "association_table, row 1: the bank of 'u' is 'root', must be a bank \
without banks below it" \
	"$tables$(user u root)"
refuses "a user twice" "association_table, row 3: 'u' is already in bank 'A'" \
	"$tables$(user u A)$(user v A)$(user u A)"
refuses "a user's name: NULL" "association_table, row 1: username is NULL, must be text" \
	"$tables INSERT INTO association_table (bank) VALUES ('A');"
refuses "a user's name: not UTF-8" \
	"association_table, row 1: a name has a byte that is not a printable UTF-8 character" \
	"$tables INSERT INTO association_table (username, bank) VALUES (CAST(x'75ff' AS text), \
'A');"
refuses "a user's shares: NULL" "association_table, row 1: shares is NULL, $whole" \
	"$tables$(user u A NULL)"
refuses "usage: text" \
	"association_table, row 1: job_usage is 'lots', must be a number of 0 or more" \
	"$tables$(user u A 1 "'lots'")"
refuses "usage: negative" \
	"association_table, row 1: job_usage is '-5.0', must be a number of 0 or more" \
	"$tables$(user u A 1 -5)"
refuses "usage: infinite" \
	"association_table, row 1: job_usage is 'Inf', must be a number of 0 or more" \
	"$tables$(user u A 1 9e999)"
refuses "usage: its sum" "association_table: the sum of usage is out of range" \
	"$tables$(user u A 1 1.5e308)$(user v A 1 1.5e308)"

# damage PLACE BYTES [FROM]: octal escapes, over the file's own bytes
damage ()
{
	printf '%b' "$2" | dd of="$db" bs=1 seek="$1" conv=notrunc 2>/dev/null
}

take="make a new copy of the database"
many=$(i=0; while [ $i -lt 400 ]; do user "user$i" A; i=$((i + 1)); done)
make "BEGIN;$tables$many COMMIT;"
head -c 9000 "$db" >"$work/cut" && mv "$work/cut" "$db"
rejects "a cut file" \
	"fathom: $db: bank_table: database disk image is malformed, must be a whole \
database of flux-accounting" \
	shares --from "$db"
make "BEGIN;$tables$many COMMIT;"
damage 12288 '\0377\0377\0377\0377\0377\0377\0377\0377'
"$FATHOM" shares --from "$db" >"$work/out" 2>"$work/err"
like "a page overwritten" "$? $(cat "$work/err")" \
	"2 fathom: $db: *association_table is damaged: * $take"
is "and nothing is shown" "$(cat "$work/out")" ""
make "$tables$(user u A) CREATE INDEX by_name ON association_table (username);"
size=$(wc -c <"$db")
damage $((size - 1)) '\0170'	# the name in the index
"$FATHOM" shares --from "$db" >"$work/out" 2>"$work/err"
like "an index that says something else" "$? $(cat "$work/err")" \
	"2 fathom: $db: association_table is damaged: row 1 missing from index by_name*; $take"
make "$tables"
damage 47 '\011'	# the schema's format
rejects "a schema of a later SQLite" \
	"fathom: $db: bank_table: unsupported file format, must be a whole database of \
flux-accounting" shares --from "$db"
make "$tables"
damage 19 '\011'	# what it takes to read the file
rejects "a file of a later SQLite" \
	"fathom: $db: bank_table: file is not a database, must be a whole database of \
flux-accounting" shares --from "$db"
make "$tables"
head -c 60 "$db" >"$work/cut" && mv "$work/cut" "$db"
rejects "a cut header" \
	"fathom: $db: bank_table: database disk image is malformed, must be a whole \
database of flux-accounting" \
	shares --from "$db"
make "$tables"
"$FATHOM" shares --format flux-db --from - <"$db" >"$work/out" 2>"$work/err"
is "from standard input" "$? $(cat "$work/out" "$work/err")" \
	"2 fathom: -: a database is read from a file, not from standard input"
rejects "text for a database" \
	"fathom: $data/c1.json: bank_table: file is not a database, must be a whole database of \
flux-accounting" \
	shares --format flux-db --from "$data/c1.json"

### what becomes of it in Slurm

# moved SQL...: users in associations.cfg, and what is said
moved ()
{
	make "$@"
	rm -rf "$work/moved"
	fathom convert --from "$db" --to slurm --out "$work/moved" 2>"$work/err"
	grep '^User' "$work/moved/associations.cfg" | sed 1d
	sed "s|$db|db|" "$work/err"
}

defaults="ALTER TABLE association_table ADD COLUMN default_bank tinytext;"
# default USER BANK
default ()
{
	echo "UPDATE association_table SET default_bank = '$2' WHERE username = '$1';"
}
two="$(bank B root)$(user u A)$(user u B)"
is "users in two banks keep their default bank" "$(moved "$tables$defaults$two$(user v B
	default u B; default v B)")" "User - 'u':DefaultAccount='b':FairShare=1
User - 'u':DefaultAccount='b':FairShare=1
User - 'v':FairShare=1"
for active in "0 1" "1 0"; do
	# shellcheck disable=SC2086	# of the association, of the bank
	set -- $active
	is "but not one in which they are not active: $active" \
		"$(moved "$tables$defaults$two$(user u C 1 0 $1; bank C root 1 $2
		default u C)")" "User - 'u':FairShare=1
User - 'u':FairShare=1"
done
rejects "a format without default accounts" "fathom: fathom: does not keep the default account of \
2 associations; --strict refuses this" convert --strict --to fathom \
	--from "$(make "$tables$defaults$two$(default u B)"; echo "$db")"
limits="ALTER TABLE association_table ADD COLUMN max_running_jobs int DEFAULT 5;
ALTER TABLE association_table ADD COLUMN queues tinytext DEFAULT '';
CREATE TABLE queue_table (queue tinytext, max_time_per_job int DEFAULT 60, priority int);"
is "limits get lost, but not those of new rows" "$(moved "$tables$limits$(user u A; user v A)
	UPDATE association_table SET max_running_jobs = 3;
	UPDATE association_table SET queues = 'gold' WHERE username = 'u';
	$(user x A 1 0 0) UPDATE association_table SET queues = 'x' WHERE username = 'x';
	INSERT INTO queue_table VALUES ('gold', 1440, 0);
	INSERT INTO queue_table (queue) VALUES ('plain');")" "User - 'u':FairShare=1
User - 'v':FairShare=1
fathom: db: max_time_per_job of queue_table, in 1 row
fathom: db: max_running_jobs of association_table, in 2 rows
fathom: db: queues of association_table, in 1 row"
is "a view in place of a table of settings is not asked" "$(moved "$tables$(user u A)
	CREATE VIEW config_table AS WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c)
		SELECT 'k' || x AS key, x AS value FROM c;" | tail -n 1)" "User - 'u':FairShare=1"
for factor in 0 1; do
	is "decay_factor $factor" "$(moved "$tables$(user u A)
		CREATE TABLE config_table (key text, value text);
		INSERT INTO config_table VALUES ('priority_decay_half_life', 3600),
			('decay_factor', $factor);" | tail -n 1)" "fathom: db: decay_factor \
$factor: no HalfLife means the same; the default of 7 days counts"
done

is "what it holds" "$(fathom convert --list | awk '$1 == "flux-db" { print $2 }')" \
	"tree,usage,jobs,settings"
finish
