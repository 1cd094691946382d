#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# The file of sacctmgr dump is read as sacctmgr load reads it.
. "${srcdir:=.}/tests/cli/lib.sh"
tux=$data/slurm/tux.cfg

fathom convert --from "$tux" --to sshare >"$work/out" 2>"$work/err"
is "titles, quotes, comments, continued lines, partitions and shares" "$(cat "$work/out")" \
	"Account|User|Partition|RawShares|RawUsage
root||||0
 root|root||1|0
 physics|||60|0
  astro|||parent|0
   astro|müller||1|0
   astro|o+k||1|0
  physics|ada||parent|0
  physics|bob|gpu|3|0
  physics|bob||4|0
 maths|||40|0"
is "what is left out is said" "$(cat "$work/err")" \
	"fathom: $tux: left out: QOS (2), AdminLevel (1), Description (2), Organization (1), \
GrpTRES (1)
fathom: sshare: does not keep the default account of 2 associations"
rejects "--strict refuses it" \
	"fathom: $tux: left out: QOS (2), AdminLevel (1), Description (2), Organization (1), \
GrpTRES (1); --strict refuses this" convert --from "$tux" --to sshare --strict
is "default accounts are kept" "$(sed "s/DefaultAccount='physics'/defaulta='Physics'/" "$tux" |
	fathom convert --from - --to sacctmgr 2>/dev/null | grep Default)" \
	"User - 'root':DefaultAccount='root':FairShare=1
User - 'ada':DefaultAccount='physics':FairShare=parent"
is "fathom shares does not speak of it" "$(fathom shares --from "$tux" 2>&1 >/dev/null)" ""

{
	echo "cluster - a"
	for i in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17; do
		echo "Account - a$i:Key$i=0"
	done
} >"$work/many"
like "many kinds of options" "$(fathom convert --from "$work/many" --to sshare 2>&1 >/dev/null)" \
	"*Key15 (1), Key16 (1) and others"
printf 'Cluster - tux\r\nAccount - a:FairShare=7\r\n' >"$work/crlf"
is "line ends of Windows" "$(fathom convert --from "$work/crlf" --to sshare | tail -n 1)" " a||7|0"
sed 's/$/\r/' "$tux" >"$work/crlf"
is "also in the middle of an entry" \
	"$(fathom convert --from "$work/crlf" --to sshare 2>/dev/null)" \
	"$(fathom convert --from "$tux" --to sshare 2>/dev/null)"

sed 's/\\$/\\ 	/' "$tux" >"$work/blanks"
is "blanks behind the backslash of a continued line" \
	"$(fathom convert --from "$work/blanks" --to sshare 2>/dev/null)" \
	"$(fathom convert --from "$tux" --to sshare 2>/dev/null)"
printf '%s\n' "Cluster - tux" "Parent - ROOT" "Account - PHYS:Fairshare=60" "Parent - Phys" \
	"User - Ada:Fairshare=3" >"$work/capitals"
is "names of accounts get small letters, as in Slurm, but not those of users" \
	"$(fathom convert --from "$work/capitals" --to sshare | tail -n 2)" " phys||60|0
  phys|Ada|3|0"

printf '%s\n' "Cluster - tux" \
	"User - ada:Fairshare=7:GrpTRES=cpu=9,gres/gpu:s=2,gres/gpu:p=3:MaxJobs=1" \
	"User - bob:MaxTRESPerNode=gres/gpu=4:GrpTRES+='gres/gpu:s=2':Org='a,gres/x':Fairshare=8" \
	>"$work/types"
is "a type of GRES, which sacctmgr dump does not quote, is no option" \
	"$(fathom convert --from "$work/types" --to sshare 2>&1 | sed "s|$work/||")" \
	"fathom: types: left out: GrpTRES (2), MaxJobs (1), MaxTRESPerNode (1), Org (1)
Account|User|RawShares|RawUsage
root|||0
 root|ada|7|0
 root|bob|8|0"

### lines of QOS, which Slurm 25.05 and later dump

printf '%s\n' "# made by sacctmgr dump" \
	"QOS - 'normal':Description='Normal QOS default':UsageFactor=1.000000" \
	"QOS - 'high':Priority=100:Preempt='normal'" "Cluster - 'tux':Fairshare=1:QOS='normal'" \
	"Parent - 'root'" "Account - 'physics':Fairshare=60" "qos - 'late'" >"$work/qos"
is "lines of QOS are passed over, which is said" \
	"$(fathom convert --from "$work/qos" --to sshare 2>&1 | sed "s|$work/||")" \
	"fathom: qos: left out: lines of QOS (3), QOS (1)
Account|User|RawShares|RawUsage
root|||0
 physics||60|0"
printf '%s\n' "QOS - 'normal'" >"$work/qos"
rejects "lines of QOS alone" \
	"fathom: $work/qos:1: no line of a cluster, must have one such as Cluster - tux" \
	shares --from "$work/qos"
finish
