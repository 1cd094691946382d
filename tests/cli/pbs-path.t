#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# order=path of policy pbs: users by the comparison of paths, in PBS's own example.
. "${srcdir:=.}/tests/cli/lib.sh"

path ()
{
	fathom shares --from "$data/p1.json" --policy pbs --set initial_usage=1 \
		--set order=path "$@"
}

is "bob and cathy come before suzy" "$(path -UnP -o User,FairShare,UsagePerc)" \
"bob|1.000000|500.000000
cathy|1.000000|500.000000
suzy|0.500000|2.777778
scott|0.250000|4166.666667"
is "each level has its usage over fairshare_perc" "$(path -nP -o Account,User,UsagePerc |
	grep '||')" \
"TREEROOT||1201.000000
 group1||502.500000
 group2||1668.333333"
is "FairshareFactor is FairShare" "$(path -UnP -o FairshareFactor)" "$(path -UnP -o FairShare)"
like "which its meaning says" "$(fathom shares --helpformat | grep -A 2 FairshareFactor)" \
	"*with order=path*"
is "-l has the column" "$(path -lP | head -n 1 | sed 's/.*|//')" UsagePerc
is "only with order=path" \
	"$(fathom shares --from "$data/p1.json" --policy pbs -lP | head -n 1 | sed 's/.*|//')" \
	FairshareFactor
is "JSON: of those who are shown" "$(path --json | grep -o '"usage_perc": [0-9.]*' | wc -l |
	tr -d ' ')" 7
is "only there as well" \
	"$(fathom shares --from "$data/p1.json" --policy pbs --json | grep -c usage_perc)" 0
cat >"$work/jobs" <<'END'
{"format": "fathom-jobs", "version": 1, "settings": {"PriorityWeightFairshare": 1000}, "jobs": [
 {"job_id": 1, "user": "suzy", "account": "group2"},
 {"job_id": 2, "user": "bob", "account": "group1"}]}
END
is "jobs by their places" "$(fathom prio --from "$work/jobs" --from "$data/p1.json" --policy pbs \
	--set order=path -nP -o JobID,Priority | tr '\n' ' ')" "1|500 2|1000 "

# ann and bob have used as much for their shares, which the division shows only up to rounding
cat >"$work/ulp" <<'END'
Account|User|RawShares|RawUsage
root||1|139000
 g1||3|30000
  g1|ann|1|30000
 g2||1|10000
  g2|bob|1|10000
 root|cy|7|99000
END
is "a tie does not depend on rounding" "$(fathom shares --from "$work/ulp" --policy pbs \
	--set order=path -UnP -o User,Rank,UsagePerc | paste -sd ' ' -)" \
	"ann|1|110000.000000 bob|1|110000.000000 cy|3|155571.428571"
is "nothing would swap them" "$(fathom explain ann bob --from "$work/ulp" --policy pbs \
	--set order=path | sed '/^$/,$d')" \
	"ann in account g1 and bob in account g2 are equal: both have the
fair-share factor 1.
They tie below account root: ann in account g1 has a UsagePerc of
110,000, and so has bob in account g2."
is "pbsfs -c" "$(fathom shares --from "$work/ulp" --view pbsfs -- -c ann bob)" "ann == bob"

### resource_group: jobs of its entities, whatever their account is

cat >"$work/group" <<'END'
g1 10 root 40
g2 11 root 60
bob 12 g1 50
suzy 13 g2 60
scott 14 g2 40
END
printf '%s\n' 'fair_share: true ALL' 'unknown_shares: 10' >"$work/sched_config"
cat >"$work/jobs" <<'END'
{"format": "fathom-jobs", "version": 1, "jobs": [
 {"job_id": 1, "user": "bob", "account": "projX"}, {"job_id": 2, "user": "suzy", "account": "g2"},
 {"job_id": 3, "user": "scott"}, {"job_id": 4, "user": "eve", "account": "g1"}]}
END
cat >"$work/acct" <<'END'
01/01/2026 10:00:00;E;1.s;user=bob account="a" queue=q start=1 end=11 resources_used.cput=00:00:04
01/01/2026 10:00:00;E;2.s;user=eve account="g1" queue=q start=1 end=11 resources_used.cput=00:01:00
01/01/2026 10:00:00;E;3.s;user=scott queue=q start=1 end=11 resources_used.cput=00:00:09
01/01/2026 10:00:00;E;4.s;user=kim queue=q start=1 end=11 resources_used.cput=00:00:09
END

# jobs OPTION...: user and factor of each job
jobs ()
{
	fathom prio --from "$work/group" --norm -nP -o User,FairShare "$@" 2>&1 |
		paste -sd ' ' -
}
site=$work/sched_config
is "in any account, or in none; others are below unknown" "$(jobs --from "$work/jobs" \
	--from "$site")" "bob|0.5000000 suzy|1.0000000 scott|0.7500000 eve|0.2500000"
is "jobs of records have the figures that their usage gives" "$(jobs --from "$work/acct" \
	--from "$site" --state all)" "bob|1.0000000 eve|0.2000000 scott|0.6000000 kim|0.4000000"
is "users have these factors in shares, too" "$(fathom shares --from "$work/group" \
	--from "$work/acct" --from "$site" -U -nP -o User,FairShare | paste -sd ' ' -)" \
	"kim|0.400000 eve|0.200000 bob|1.000000 suzy|0.800000 scott|0.600000"
echo '{"format": "fathom-usage", "version": 1, "time": 11,
 "usage": [{"account": "a", "user": "kim", "usage": 9}]}' >"$work/usage.json"
is "users who have only usage, too" "$(jobs --from "$work/jobs" --from "$site" \
	--from "$work/usage.json")" "bob|0.6000000 suzy|1.0000000 scott|0.8000000 eve|0.4000000"
if built_with SQLite "also in a history"; then
	yesterday=$(($(date +%s) - 86400))
	sed "s/start=1 end=11/start=$yesterday end=$((yesterday + 10))/" "$work/acct" >"$work/late"
	fathom history --rebuild --from "$work/group" --from "$work/late" --from "$site" \
		--policy classic --history "$work/history" >"$work/out" 2>&1
	is "also in a history" "$(fathom history --history "$work/history" --since 2000-01-01 \
		-nP user:kim 2>&1 | head -n 1 | cut -d '|' -f 2,3)" "unknown|kim"
fi
is "a job is explained by the same user" "$(fathom explain 1 4 --from "$work/group" \
	--from "$site" --from "$work/jobs" | sed -n 4,5p)" \
	"Their paths divide below account TREEROOT: account unknown has a
UsagePerc of 11, account g1 2.8."
sed -i /unknown_shares/d "$site"
is "without shares of unknown, others never start" "$(fathom prio --from "$work/group" \
	--from "$work/jobs" --from "$site" -j 4 -nP -o Priority)" 1
echo '{"format": "fathom-jobs", "version": 1, "jobs": [{"job_id": 1, "user": "g1"}]}' \
	>"$work/jobs"
is "a user with the name of a group is not another entity below unknown" \
	"$(jobs --from "$work/jobs" --from "$site")" \
	"fathom: no fair-share figures on 1 line: for example, the tree has no association of user \
g1 in account none (job 1) g1|"

### fairshare_entity: what is charged in place of users

printf '%s\n' 'grp 10 root 50' 'pX 11 grp 10' 'pY 12 grp 20' 'night 13 root 50' >"$work/group"
cat >"$work/jobs" <<'END'
{"format": "fathom-jobs", "version": 1, "jobs": [
 {"job_id": 1, "user": "ann", "account": "pX", "partitions": ["day", "night"]},
 {"job_id": 2, "user": "pX", "account": "other"}, {"job_id": 3, "user": "bob", "account": "pY"}]}
END
cat >"$work/acct" <<'END'
01/01/2026 10:00:00;E;1.s;user=bob account="pY" queue=q start=1 end=11 resources_used.cput=00:00:09
END
# entity NAME OPTION...: user, partition and factor of each job if NAME is charged
entity ()
{
	printf '%s\n' 'fair_share: true ALL' 'unknown_shares: 10' "fairshare_entity: $1" >"$site"
	shift
	fathom prio --from "$work/group" --from "$site" --norm -nP \
		-o User,Partition,FairShare "$@" 2>&1
}
is "accounts" "$(entity Account_Name --from "$work/jobs")" \
	"ann|day|0.5000000
ann|night|0.5000000
pX||0.2500000
bob||0.7500000"
is "accounts: explain" "$(fathom explain 1 --from "$work/group" --from "$site" \
	--from "$work/jobs" | grep 'By fair share')" \
	"By fair share, pX in account grp is 3rd of 4 users, with the fair-share"
is "accounts get the usage of records" "$(fathom shares --from "$work/group" --from "$site" \
	--from "$work/acct" -nP -U -o User,RawUsage 2>&1 | grep pY)" "pY|9"
is "queues" "$(entity queue --from "$work/jobs")" \
	"fathom: no fair-share figures on 2 lines: for example, the tree has no association of \
user pX in account other (job 2)
ann|day|0.2500000
ann|night|1.0000000
pX||
bob||"
for entity in egroup egroup:euser; do
	is "$entity: jobs do not tell it" "$(entity $entity --from "$work/jobs" | head -n 3)" \
		"fathom: no fair-share figures on 4 lines: jobs do not tell their groups, which \
fairshare_entity charges
ann|day|
ann|night|"
	is "$entity: explain" "$(fathom explain 3 --from "$work/group" --from "$site" \
		--from "$work/jobs" | tail -n 2)" \
		"It has no fair-share factor, because jobs do not tell their groups,
which fairshare_entity charges."
done

### fairshare_entity of records, which charge one entity for each value of --set

printf '%s\n' 'bob 10 root 50' 'pY 11 root 20' 'q 12 root 30' 'g 13 root 5' 'g:bob 14 root 5' \
	>"$work/group"
cat >"$work/acct" <<END
01/01/2026 10:00:00;E;1.s;user=bob group=g account=pY queue=q end=11 start=1 \
resources_used.cput=9 resources_used.ncpus=1
01/01/2026 10:00:00;E;2.s;user=bob group=g account=pY end=11 start=1 \
resources_used.cput=4 resources_used.ncpus=1
END
# charged OPTION...: entities with usage, and their usage
charged ()
{
	fathom shares --from "$work/group" --from "$work/acct" --policy pbs -nP -o User,RawUsage \
		"$@" -U | grep -v '|0$'
}
is "users" "$(charged)" "bob|13"
is "queues" "$(charged --set fairshare_entity=queue 2>"$work/err")" "q|9"
like "a job without queue is charged to unknown" "$(cat "$work/err")" \
	"*: usage of 1 association that the tree does not have, given to unknown"
is "users are no entities then" "$(sed s/user=bob/user=tom/ "$work/acct" |
	fathom shares --from "$work/group" --from - --policy pbs --set fairshare_entity=queue -U \
		-nP -o User 2>"$work/err" | paste -sd ' ' -)" "bob pY q g g:bob"
is "groups" "$(charged --set fairshare_entity=egroup)" "g|13"
is "users of groups" "$(charged --set fairshare_entity=egroup:euser)" "g:bob|13"
echo '{"format": "fathom-usage", "version": 1, "time": 11,
 "usage": [{"account": "pY", "user": "bob", "usage": 50}]}' >"$work/usage.json"
is "usage of users is none of queues" "$(fathom shares --from "$work/group" --policy pbs \
	--from "$work/usage.json" --set fairshare_entity=queue -nP -U -o User,RawUsage \
	2>/dev/null | grep -v '|0$')" ""
is "each value has its own usage" "$(fathom shares --from "$work/group" --from "$work/acct" \
	--policy pbs --set fairshare_entity=euser --set fairshare_entity=Account_Name \
	--set fairshare_entity=egroup -nP -U -o User,RawUsage)" \
	"bob|13|0|0
pY|0|13|0
q|0|0|0
g|0|0|13
g:bob|0|0|0"
is "beside another policy, jobs charge the same entities" "$(fathom shares \
	--from "$work/group" --from "$work/acct" --policy classic,pbs \
	--set fairshare_entity=Account_Name -nP -U -o User,RawUsage |
	grep pY)" "pY|19|13"
cat >"$work/jobs" <<'END'
{"format": "fathom-jobs", "version": 1, "settings": {"PriorityWeightFairshare": 1000},
"jobs": [{"job_id": 1, "user": "bob", "account": "pZ"},
 {"job_id": 2, "user": "ann", "account": "pY"}]}
END
is "jobs without records, too" "$(fathom prio --from "$work/group" --from "$work/jobs" \
	--policy pbs --set fairshare_entity=euser --set fairshare_entity=Account_Name -nP \
	-o User,FairShare 2>/dev/null)" "bob|1000|0
ann|0|1000"
finish
