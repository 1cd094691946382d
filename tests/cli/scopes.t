#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# A FiguresFile with scopes: the tree as each of them has it.
. "${srcdir:=.}/tests/cli/lib.sh"

file=$data/figures/scopes.json

# part NAME: the object of this scope in the file, as fathom shares --json writes it
part ()
{
	sed -n "/^{\"name\": \"$1\"/,/]}}/{ /^{\"name\"/d; s/^\"shares\": //; s/, \"own_usage\": \
0}/}/; s/]}}.*/]}/; p; }" "$file"
}

# anna has used 1/4 of what gpu has: 2^-(1/4 + 3/4 * 1/2) / (1/2)
is "the table" "$(fathom shares --from "$file" --scope gpu | sed 's/ *$//')" \
'Scope: gpu
Partitions: gpu,gpu-long
Kind: cross-queue
MasterQueue: gpu
DispatchOrder: user
UserShares: [anna, 1] [default, 1]

Account User RawShares NormShares RawUsage EffectvUsage FairShare
root                     1.000000      400     1.000000
`-lab                1   1.000000      400     1.000000  0.500000
  |-lab anna         1   0.500000      100     0.625000  0.420448
  `-lab bert         1   0.500000      300     0.875000  0.297302'
is "a scope without UserShares has the shares of the associations" \
	"$(fathom shares --from "$file" --scope cpu | sed '/^$/,$d')" \
'Scope: cpu
Partitions: cpu
Kind: queue
Shares: those of the associations'
head='"partitions": [], "kind": "host-partition", "hosts": "n[1-8] ~n3"'
sed "/\"name\": \"cpu\"/s/\"partitions.*\"queue\"/$head/" "$file" >"$work/hosts"
is "a host partition has hosts, but no partitions" \
	"$(fathom shares --from "$work/hosts" --scope cpu | sed '/^$/,$d')" \
'Scope: cpu
Kind: host-partition
Hosts: n[1-8] ~n3
Shares: those of the associations'
is "--json has them too" \
	"$(fathom shares --from "$work/hosts" --scope cpu --json | grep -o '"partitions.*3"')" \
	"$head"
is "of a file without its kind the rest is told" \
	"$(fathom shares --from "$file" --scope old | head -n 3)" \
'Scope: old
Partitions: old
Shares: those of the associations'
is "-n tells nothing above the table" \
	"$(fathom shares --from "$file" --scope cpu -n | head -n 1 | cut -d ' ' -f 1)" root
is "-P -l has the columns of the scope's policy" \
	"$(fathom shares --from "$file" --scope cpu -P -l -u anna -U)" \
'Account|User|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare|LevelFS|Rank
lab|anna|1|0.500000|50|1.000000|1.000000|0.500000|0.500000|2'
for scope in gpu cpu old; do
	is "--json has $scope to the last digit" \
		"$(fathom shares --from "$file" --scope=$scope --json | sed '/^ "scope": /d' |
		as_in_file)" "$(part $scope | as_in_file)"
done
is "--json has what fathom.conf says of the scope" \
	"$(fathom shares --from "$file" --scope=gpu --json | grep '^ "scope": ')" \
	' "scope": {"name": "gpu", "partitions": ["gpu", "gpu-long"], "kind": "cross-queue", '\
'"hosts": null, "master_queue": "gpu", "dispatch_order": "user", '\
'"user_shares": "[anna, 1] [default, 1]"},'
is "without --scope all usage counts" \
	"$(fathom shares --from "$file" -P -n -U -o User,RawUsage | paste -s -d ' ' -)" \
	"anna|1000 bert|400"
is "figures are told, not evaluated" \
	"$(sed 's/0.4204[0-9]*/0.125/' "$file" |
	fathom shares --from - --scope gpu -P -n -U -u anna -o FairShare)" 0.125000
is "--policy evaluates the scope's usage" \
	"$(fathom shares --from "$file" --scope gpu --policy fair-tree \
	-P -n -U -o User,EffectvUsage,FairShare | paste -s -d ' ' -)" \
	"anna|0.250000|1.000000 bert|0.750000|0.500000"
is "--set has the scope's other settings" \
	"$(fathom shares --from "$file" --scope gpu --set dampening_factor=1.25 -P -n -U -u anna \
	-o FairShare)" 0.500000
echo PriorityWeightFairshare=5000 >"$work/weight.conf"
is "a slurm.conf beside the file" \
	"$(fathom shares --from "$file" --from "$work/weight.conf" --scope gpu)" \
	"$(fathom shares --from "$file" --scope gpu)"
echo PriorityFlags=DEPTH_OBLIVIOUS >"$work/flags.conf"
for scope in gpu cpu; do
	fathom shares --from "$file" --from "$work/flags.conf" --scope $scope -v 2>&1 |
		grep -o 'policy [a-z-]*'
done >"$work/got"
is "its PriorityFlags hold in scopes with the policy of the site" \
	"$(paste -sd ' ' "$work/got")" "policy depth-oblivious policy fair-tree"
is "usage of a scope" "$(fathom usage --from "$file" --from "$work/weight.conf" --scope gpu)" \
	"$(fathom usage --from "$file" --scope gpu)"

# cell by cell, the root's too; usage is of whole seconds there
same ()
{
	fathom shares --from "$file" "$@" -a -P >"$work/text"
	is "a cell is the same from sshare's text: $*" \
		"$(fathom shares --from "$work/text" --policy "$policy" -lP)" \
		"$(fathom shares --from "$file" "$@" -lP)"
}
policy=fair-tree
same --scope cpu
for policy in $(policies); do
	[ "$policy" != lsf ] || continue	# sshare's text lacks what it goes by
	same --policy $policy
	same --scope gpu --policy $policy
done

rejects "a scope that is none" \
	"fathom: --scope: $file has no scope 'GPU', must be gpu, cpu or old" \
	shares --from "$file" --scope GPU
knows='has no scopes; the FiguresFile of a cluster with Scope lines has them'
rejects "a file without scopes" "fathom: --scope: $data/figures/shadow.json $knows" \
	shares --from "$data/figures/shadow.json" --scope gpu
rejects "another format" "fathom: --scope: $data/c1.json $knows" shares --from "$data/c1.json" \
	--scope gpu
rejects "--shadow" "fathom: --shadow: cannot be used with --scope" \
	shares --from "$file" --scope gpu --shadow
# A scope with UserShares has a tree of its own, with groups.
own=$data/figures/user-shares.json
is "the tree of UserShares, and all groups" \
	"$(fathom shares --from "$own" --scope s -o Account,User,RawShares,Started,Priority |
	sed 's/ *$//')" \
'Scope: s
Partitions: short
Kind: queue
UserShares: [lab, 10] [u2, 6] [others, 4]
UserGroup: deep
  Members: u3
UserGroup: lab
  Members: u1 deep
  UserShares: [deep, 3] [u1, 1]
UserGroup: unused
  Members: all

Account User   RawShares Started Priority
root                           2 0.108329
|-lab                 10       1 1.635173
| |-lab deep           3       1 0.490552
| `-lab u1             1       0 0.333333
|-root  u2             6       0 2.000000
`-root  others         4       1 0.654069'
is "--json has the groups" \
	"$(fathom shares --from "$own" --scope s --json | sed -n '/^ "scope": /,/null}\]},$/p' |
	sed 's/^ "scope": {//; s/]},$/],/')" \
	"$(sed -n '/^{"name": "s"/,/null}\],$/p' "$own" | sed 's/^{//')"
is "--set evaluates this tree" \
	"$(fathom shares --from "$own" --scope s --set run_job_factor=0 -Pn -U -o User,Order |
	paste -s -d ' ' -)" "deep|3 u1|2 u2|1 others|4"
is "-u names nodes" "$(fathom shares --from "$own" --scope s -PnU -u others -o User)" others
# as of "[u2, 6] [g@, 4]" with u2 in g
sed 's/"user": "others"/"user": "u2"/' "$own" >"$work/twice"
is "a user who matches two assignments of a level has two nodes" \
	"$(fathom shares --from "$work/twice" --scope s -PnU -u u2 -o User,Order |
	paste -s -d ' ' -)" "u2|1 u2|4"
is "another policy evaluates it, too" \
	"$(fathom shares --from "$own" --scope s --policy fair-tree -PnU -o User,Rank |
	paste -s -d ' ' -)" "deep|3 u1|2 u2|1 others|4"

finish
