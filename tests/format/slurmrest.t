#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The associations of slurmrestd are read, whatever the version of the API.
. "${srcdir:=.}/tests/cli/lib.sh"

is "those of Slurm 25.11" \
	"$(fathom convert --from "$data/slurm/slurmdb-associations.json" --to sshare 2>&1)" \
	"Account|User|RawShares|RawUsage
root|||0
 admin||1|0
  admin|jwilson|1|0
 biology||1|0
  biology|jbeck|1|0
  biology|jthomas|1|0
  biology|progers|1|0
  biology|vhartman|1|0
 physic||1|0
  acoustic||1|0
   acoustic|acuevas|1|0
   acoustic|dperez|1|0
   acoustic|mcarrillo|1|0
  optic||1|0
   optic|rcarson|1|0
   optic|sevans|1|0
 scientists||1|0
 root|root|1|0"
cat >"$work/answer" <<'END'
{"meta": {}, "associations": [
 {"account": "b", "user": "ada", "partition": "gpu", "shares_raw": {"set": true, "number": 7}},
 {"account": "b", "user": "bob", "partition": null, "shares_raw": 2147483647},
 {"account": "b", "user": "eve", "shares_raw": {"set": false, "number": 0}},
 {"account": "b", "user": "", "parent_account": "a", "shares_raw": 3},
 {"account": "a", "user": "", "parent_account": "", "shares_raw": 4294967294},
 {"account": "root", "user": ""}]}
END
is "shares of all kinds, partitions, accounts in any order" \
	"$(fathom convert --from "$work/answer" --to sshare 2>&1)" \
	"Account|User|Partition|RawShares|RawUsage
root||||0
 a|||4294967294|0
  b|||3|0
   b|ada|gpu|7|0
   b|bob||parent|0
   b|eve||1|0"
finish
