#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom shares --view sshare of files: sshare's form for figures that fathom evaluates.
. "${srcdir:=.}/tests/cli/lib.sh"

sshare ()
{
	sshare_file=$1
	shift
	fathom shares --from "$data/$sshare_file" --view sshare -- "$@"
}

fathom shares --from "$data/c1.json" --view sshare >"$work/printed"
ok "columns have sshare's widths" diff "$data/views/sshare-c1.txt" "$work/printed"
# sshare shows no normalised shares of the root where siblings are compared
is "-P: the figures of fathom shares" "$(sshare c1.json -P | sed 1,2d)" \
	"$(fathom shares --from "$data/c1.json" -P | sed 1,2d)"
is "of sshare's own text, some accounts" \
	"$(fathom shares --from "$data/demo.sshare" --policy classic --view sshare -- -nP -A e)" \
"e||25|0.250000|30000|0.250000|0.500000
 e|user4|1|0.250000|30000|0.250000|0.500000"
is "-u: accounts and one user" "$(sshare c1.json -nP -u user4 -o User | tr -d '\n')" "user4"
is "a name that is too long for its column ends in '+'" \
	"$(sshare c1.json -nU -o User%4 | head -n 1)" "use+ "
is "-U" "$(sshare c1.json -UnP -o User | tr '\n' ' ')" "user1 user2 user3 user4 user5 "
is "-l: LevelFS of a policy that has it" "$(sshare c1.json -lP | sed -n '1p;9p')" \
"Account|User|RawShares|NormShares|RawUsage|NormUsage|EffectvUsage|FairShare|LevelFS|GrpTRESMins|\
TRESRunMins
 D||60|0.600000|250|0.250000|0.250000||2.400000|-|-"
is "'-' for what the source lacks" \
	"$(fathom shares --from "$data/l1.json" --policy lsf --view sshare -- -nP \
	-o User,LevelFS,Cluster,GrpTRESRaw,Partition | tail -n 1)" "others|-|-|-|"
is "not for what accounts lack, if no user is shown" \
	"$(sshare c1.json -nP -A D -o Account,FairShare | sed -n 1p)" "D|"
for policy in $(policies); do
	is "$policy: FairShare of users" \
		"$(fathom shares --from "$data/t5.json" --policy "$policy" --view sshare -- \
		-UnP -o User,FairShare)" \
		"$(fathom shares --from "$data/t5.json" --policy "$policy" -UnP -o User,FairShare)"
done
rejects "-M of a file" "fathom: --cluster: behind \"--\", shows clusters as they are; cannot be \
used with --from, --policy, --set and --scope" \
	shares --from "$data/c1.json" --view sshare -- -M east
rejects "no such column" \
	"fathom: --format: 'Usage' is not a column of sshare; see --helpformat" \
	shares --from "$data/c1.json" --view sshare -- -o Usage
finish
