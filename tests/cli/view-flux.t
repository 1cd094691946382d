#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom shares --view flux and --view flux-shares: what flux-accounting's own tests expect of
# "flux account view-bank" and "flux shares", byte by byte, of their databases and of those that
# they describe.
. "${srcdir:=.}/tests/cli/lib.sh"
: "${MAKE_DB:=./tests/format/make_db}"
built_with SQLite databases || finish
flux=$data/flux
expected=$flux/expected
db=$work/accounting.db

# shows TEXT FILE VIEW OPTION...: of $db
shows ()
{
	shows_text=$1 shows_file=$expected/$2 shows_view=$3
	shift 3
	fathom shares --from "$db" --view "$shows_view" -- "$@" >"$work/printed" 2>&1
	ok "$shows_text" diff "$shows_file" "$work/printed"
}

# bank NAME PARENT, user NAME BANK: rows of the schema of release 0.60
bank ()
{
	echo "INSERT INTO bank_table (bank, parent_bank, shares) VALUES ('$1', '$2', 1);"
}

user ()
{
	echo "INSERT INTO association_table (creation_time, username, bank, default_bank)
		VALUES (0, '$1', '$2', '$2');"
}

# make SQL...: a database of release 0.60
make ()
{
	rm -f "$db"
	cp "$flux/FluxAccountingv0-60-0.db" "$db"
	chmod u+w "$db"
	"$MAKE_DB" "$db" "DELETE FROM association_table; DELETE FROM bank_table;
		DELETE FROM sqlite_sequence;" "$@"
}

for tree in small_no_tie small_tie small_tie_all; do
	cp "$flux/$tree.db" "$db"
	shows "$tree: a tree" "print_hierarchy/$tree.txt" flux -t root
	shows "$tree: from the root" "print_hierarchy/$tree.txt" flux
	shows "$tree: parsable" "../${tree}_parsable.txt" flux --tree -P root
	shows "$tree: parsable from the root" "../${tree}_parsable.txt" flux --parsable
	# the tree has no shares of the root
	is "$tree: the same when it is evaluated" \
		"$(fathom shares --from "$db" --policy flux --view flux)" \
		"$(sed '2s/1000 /   1 /' "$expected/print_hierarchy/$tree.txt")"
done
cp "$flux/small_tie.db" "$db"
shows "early releases, parsable" print_hierarchy/custom_small_tie_parsable.txt flux-shares -P ,
cp "$flux/small_no_tie.db" "$db"
shows "before usage is updated" update_fshare/pre_fshare_update.expected flux
"$MAKE_DB" "$db" "UPDATE association_table SET job_usage = 55 WHERE username = 'leaf.2.1'"
is "usage after its update" "$(fathom shares --from "$db" --policy flux --view flux)" \
	"$(sed '2s/1000 /   1 /' "$expected/update_fshare/post_fshare_update.expected")"

### The bank hierarchy of its tests of banks

hierarchy=$(bank root '')$(bank A root)$(bank B root)$(bank C root)$(bank D root)
hierarchy=$hierarchy$(bank E D)$(bank F D)$(user user5011 A)$(user user5012 A)$(user user5013 B)
hierarchy=$hierarchy$(user user5014 C)
make "$hierarchy"
shows "a bank as JSON" flux_account/root_bank.expected flux root
shows "the whole hierarchy" flux_account/full_hierarchy.expected flux root -t
shows "a bank and its users" flux_account/A_bank.expected flux A -u
shows "a bank without users" flux_account/F_bank_users.expected flux -u F
shows "the tree of a bank without users" flux_account/F_bank_tree.expected flux F -t
shows "the tree of a bank with banks" flux_account/D_bank.expected flux -t D
make "$hierarchy$(user user5030 E)$(user user5031 E)"
shows "the tree of a bank with users" flux_account/E_bank.expected flux -t E
# shellcheck disable=SC2002	# a pipe is meant
is "a tree from a pipe" \
	"$(cat "$flux/minimal.csv" | fathom shares --from /dev/stdin --view flux-shares 2>&1)" \
	"$(fathom shares --from "$flux/minimal.csv" --view flux-shares)"
is "a format" "$(fathom shares --from "$db" --view flux -- A \
	-o '{bank_id:<8} || {bank:<12} || {shares:<5}')" \
"bank_id  || bank         || shares
2        || A            || 1    "
is "a format with braces, fill, and numbers to the right" \
	"$(fathom shares --from "$db" --view flux -- A \
	-o '{{{bank:*^7}}} {job_usage:10}{shares:>3.1}|')" \
"{*bank**} job_usage   s|
{***A***}        0.0  1|"
"$MAKE_DB" "$db" "UPDATE bank_table SET job_usage = 123 WHERE bank = 'A'"
precise='{job_usage:.0} {job_usage:.1} {job_usage:.2} {job_usage:.3} {job_usage:.4}'
is "numbers with a precision, as Python prints them" \
	"$(fathom shares --from "$db" --view flux -- A -o "$precise {job_usage:>8.9}" | sed 1d)" \
	"1e+02 1e+02 1.2e+02 1.23e+02 123.0    123.0"
"$MAKE_DB" "$db" "UPDATE bank_table SET job_usage = 1e-300 WHERE bank = 'A'"
like "a number with all its digits" \
	"$(fathom shares --from "$db" --view flux -- A -o '{job_usage:.1000}' | sed 1d)" \
	"1.0000000000000000250*28125e-300"
cp "$db" "$work/nulls.db"
"$MAKE_DB" "$work/nulls.db" "ALTER TABLE bank_table RENAME TO of_flux;
	CREATE TABLE bank_table AS SELECT * FROM of_flux;
	UPDATE bank_table SET job_usage = NULL WHERE bank = 'root'"
is "a bank's own usage counts, also where another bank has none" \
	"$(fathom shares --from "$work/nulls.db" --view flux -- A -o '{job_usage}' | sed 1d)" \
	1e-300
is "an empty format is none" "$(fathom shares --from "$db" --view flux -- root -o '')" \
	"$(cat "$expected/flux_account/root_bank.expected")"
"$MAKE_DB" "$db" "INSERT INTO bank_table (bank, parent_bank, shares) VALUES \
	('b' || char(233, 128512, 34, 92) || 'k', 'root', 1)"
is "text in JSON, as json.dumps() writes it" \
	"$(fathom shares --from "$db" --view flux -- --fields=bank \
	"$(printf 'b\303\251\360\237\230\200"\\k')" | sed -n 3p)" \
	'    "bank": "b\u00e9\ud83d\ude00\"\\k"'
is "--fields" "$(fathom shares --from "$db" --view flux -- --fields=bank,active A |
	tr -d '\n')" '[  {    "bank": "A",    "active": 1  }]'

pop=$(bank root '')$(bank A root)$(bank B root)$(bank C root)$(bank D C)
for id in 1000 1001 1002 1003 1004; do
	pop=$pop$(user user$id A)
done
make "$pop"
shows "a database from CSV" pop_db/db_hierarchy_base.expected flux root -t
for id in 1005 1006 1007 1008 1009; do
	pop=$pop$(user user$id B)
done
make "$pop"
shows "and more users" pop_db/db_hierarchy_new_users.expected flux root -t

# the tables in its test of banks; a bank that was deleted is shown, too
make "$(bank root '')$(bank C root)$(bank Z root)$(user user90001 Z)$(user user90002 Z)
	UPDATE association_table SET active = 0 WHERE username = 'user90002';
	UPDATE bank_table SET active = 0, shares = 50 WHERE bank = 'C';
	UPDATE bank_table SET priority = 1000.567 WHERE bank = 'Z'"
z ()
{
	fathom shares --from "$db" --view flux -- "$@" Z
}
is "--tree with an inactive association" "$(z --tree)" "\
Bank                            Username              Active           RawShares            \
RawUsage           Fairshare
Z                                                       true                   1                 0.0
 Z                             user90001                true                   1                 \
0.0                 0.5
 Z                             user90002               false                   1                 \
0.0                 0.5"
is "--parsable --tree --active" "$(z --parsable --tree --active; echo .)" \
"Bank|Username|Active|RawShares|RawUsage|Fairshare
Z||true|1|0.0
 Z|user90001|true|1|0.0|0.5

."
is "--users" "$(z --users | tail -n +5)" \
"username  | active | default_bank | shares | job_usage | fairshare
----------+--------+--------------+--------+-----------+----------
user90001 | true   | Z            | 1      | 0.0       | 0.5      
user90002 | false  | Z            | 1      | 0.0       | 0.5      "
is "the priority of a bank" "$(z --fields=priority | grep prio)" '    "priority": 1000.567'
is "a deleted bank" "$(fathom shares --from "$db" --view flux -- C | sed 's/ *//' | sed -n 3,7p)" \
'"bank_id": 2,
"bank": "C",
"active": 0,
"parent_bank": "root",
"shares": 50,'

### Inactive rows, and usage

make "$hierarchy$(user user5030 E) UPDATE bank_table SET active = 0 WHERE bank IN ('B', 'D');
	UPDATE association_table SET active = 0 WHERE username IN ('user5013', 'user5030');
	UPDATE association_table SET job_usage = 1234567.891 WHERE username = 'user5012';
	UPDATE bank_table SET job_usage = 1234567.891 WHERE bank IN ('root', 'A');"
# what is "false" is shown, too; of the root's usage two decimals
cat >"$work/wanted" <<'END'
root||true|1|1234567.89
 A||true|1|1234567.891
  A|user5011|true|1|0.0|0.5
  A|user5012|true|1|1234567.891|0.5
 B||false|1|0.0
  B|user5013|false|1|0.0|0.5
 C||true|1|0.0
  C|user5014|true|1|0.0|0.5
 D||false|1|0.0
  E||true|1|0.0
   E|user5030|false|1|0.0|0.5
  F||true|1|0.0
END
parsed ()
{
	fathom shares --from "$db" --view flux -- -P "$@" | sed '1d;$d'
}
is "inactive ones" "$(parsed)" "$(cat "$work/wanted")"
is "-A: active associations" "$(parsed -A)" "$(sed '/user.*|false/d' "$work/wanted")"
is "-c: those that have used something" "$(parsed --concise)" \
	"$(sed '/user501[134]/d; /user5030/d' "$work/wanted")"
is "-u -A" "$(fathom shares --from "$db" --view flux -- -uA E | tail -n 1)" "no users under E"
is "-u -c" "$(fathom shares --from "$db" --view flux -- -uc A | tail -n +5)" \
"username | active | default_bank | shares | job_usage   | fairshare
---------+--------+--------------+--------+-------------+----------
user5012 | true   | A            | 1      | 1234567.891 | 0.5      "
cp "$db" "$work/inactive.db"

# of early releases, which print only what is active, siblings by name
deletion=$(bank root '')$(bank A root)$(bank B root)$(bank C root)$(user user5012 A)
deletion=$deletion$(user user5011 A)$(user user5013 B)$(user user5014 C)
make "$deletion"
shows "before a user is deleted" print_hierarchy/before_delete.expected flux-shares
make "$deletion UPDATE association_table SET active = 0 WHERE username = 'user5012'"
shows "after a user is deleted" print_hierarchy/after_delete.expected flux-shares
make "$deletion UPDATE bank_table SET active = 0 WHERE bank = 'A'"
shows "after a bank is deleted" print_hierarchy/after_bank_delete.expected flux-shares
moved=$(bank root '')$(bank B root)$(bank C root)$(bank D root)$(bank E root)$(bank F D)
moved=$moved$(user user5013 B)$(user user5014 C)$(user user1001 F)$(user user1002 F)
make "$moved"
shows "before a bank is moved" print_hierarchy/before_parent_bank_change.expected flux-shares
make "$moved UPDATE bank_table SET parent_bank = 'E' WHERE bank = 'F'"
shows "after a bank is moved" print_hierarchy/after_parent_bank_change.expected flux-shares

### Other schemas, other sources

cp "$flux/FluxAccountingv0-10-0.db" "$db"
is "an early schema: '-' for its missing columns" \
	"$(fathom shares --from "$db" --view flux -- A -u)" \
"bank_id | bank | active | parent_bank | shares | job_usage | priority | ignore_older_than
--------+------+--------+-------------+--------+-----------+----------+------------------
2       | A    | true   | root        | 1      | 0.0       | -        | -                

username | active | default_bank | shares | job_usage | fairshare
---------+--------+--------------+--------+-----------+----------
testuser | true   | A            | 1      | 0.0       | 0.5      "
is "and null in JSON" "$(fathom shares --from "$db" --view flux -- A | grep priority)" \
	'    "priority": null,'
is "a tree of CSV" \
	"$(fathom shares --from "$flux/small_no_tie.csv" --view flux -- -P | tail -n +3)" \
	"$(tail -n +3 "$flux/small_no_tie_parsable.txt")"
fathom shares --from "$data/c2.json" --policy classic --view flux -- -P >"$work/printed"
ok "a tree of Slurm's" diff "$data/views/flux-c2.txt" "$work/printed"
is "its JSON" "$(fathom shares --from "$data/c2.json" --view flux -- P | grep '"parent')" \
'    "parent_bank": "A",
    "shares": "parent",'
is "policy lsf has no factors of accounts" \
	"$(fathom shares --from "$data/l8.json" --policy lsf --view flux-shares -- -P ' ' |
	sed -n 2,4p)" \
"root  1 0
 g1  40 0
  g1 a1 1 0 1"

### What is refused

db=$work/inactive.db
rejects "no such bank" "fathom: roots: $db has no such bank; did you mean root?" \
	shares --from "$db" --view flux -- roots
rejects "-P of no tree" "fathom: -P: needs -t" shares --from "$db" --view flux -- -P A
rejects "--fields of a tree" "fathom: --fields: cannot be used with -t" \
	shares --from "$db" --view flux -- -t A --fields=bank
rejects "no such column" "fathom: --fields: 'banks' is not a column of bank_table" \
	shares --from "$db" --view flux -- --fields=bank,banks
rejects "a column of no format" "fathom: --format: 'usage' is unknown, must be bank_id, bank, \
active, parent_bank, shares, job_usage, priority or ignore_older_than" \
	shares --from "$db" --view flux -- -o '{bank} {usage}'
for format in '{' '}' '{bank' '{bank:<8' '{bank:08}' '{bank:d}'; do
	"$FATHOM" shares --from "$db" --view flux -- -o "$format" >"$work/out" 2>"$work/err"
	is "the format $format" "$? $(sed "s/--format: '[^']*'/--format: .../" "$work/err")" \
		"2 fathom: --format: ... is not a field such as {bank_id} or {bank_id:>12}"
done
rejects "two banks" "fathom: B: not expected; see fathom shares --view flux -- --help" \
	shares --from "$db" --view flux -- A B
"$MAKE_DB" "$db" "UPDATE bank_table SET parent_bank = 'F' WHERE bank = 'D'"
rejects "a bank below itself" \
	"fathom: $db: bank_table: bank 'D' is below itself, must be below the root" \
	shares --from "$db" --view flux
rejects "another database" "fathom: $work/other: no table bank_table, must be a database of \
flux-accounting" \
	shares --from "$(rm -f "$work/other"; "$MAKE_DB" "$work/other" 'CREATE TABLE t (a)'
	echo "$work/other")" --view flux
finish
