#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Trees of a size and depth that no hand writes.
. "${srcdir:=.}/tests/cli/lib.sh"

# limit SECONDS: of processor's time; a coverage build is not optimised
limit ()
{
	! grep -q '^FATHOM_CFLAGS = .* --coverage' Makefile || set -- $(($1 * 10))
	ulimit -t "$1"
}

# deep NODES: each the child of the one before, a user at the end
deep ()
{
	awk -v n="$1" 'BEGIN {
		print "{\"format\": \"fathom-tree\", \"version\": 1, \"time\": 1, \"nodes\": ["
		for (i = 1; i <= n; i++)
			printf "{\"id\": %d, \"parent\": %s, \"name\": \"a%d\", \"kind\": " \
				"\"%s\", \"shares\": 1, \"usage\": %d}%s\n",
				i, (i > 1 ? i - 1 : "null"), i, (i < n ? "account" : "user"),
				(i == n), (i < n ? "," : "]}")
	}'
}

# wide ACCOUNTS USERS: as sshare prints it
wide ()
{
	awk -v accounts="$1" -v users="$2" 'BEGIN {
		print "Account|User|RawShares|RawUsage"
		print "root|||" accounts * users
		for (a = 1; a <= accounts; a++) {
			print " a" a "||" a "|" users
			for (u = 1; u <= users; u++)
				print "  a" a "|u" u "|1|1"
		}
	}'
}

# upside_down NODES: children first, so that nothing leans on the order
upside_down ()
{
	deep "$1" | awk 'NR == 1 { print; next } { sub(/,$|\]}$/, ""); line[NR] = $0 }
		END { for (i = NR; i > 1; i--) print line[i] (i > 2 ? "," : "]}") }'
}

# with an eighth of the usual stack an eighth of the levels would be too many for a recursion
upside_down 12500 >"$work/deep.json"
for policy in $(policies); do
	is "12,500 levels and a stack of 1 MB under $policy" "$(ulimit -s 1024
		fathom shares --from "$work/deep.json" --policy "$policy" --json 2>&1 |
			grep -c '"id"\|fathom:')" 12500
done
upside_down 100000 >"$work/deep.json"
fathom shares --from "$work/deep.json" --policy flux --json >"$work/out" 2>"$work/err"
is "100,000 levels" "$? $(grep -c '"id"' "$work/out") $(cat "$work/err")" "0 100000 "
like "the user at the end has all" "$(tail -n 1 "$work/out")" \
	'*"factor": 1, "level_fs": 1, "rank": 1}]}'
is "100,000 levels as a table" "$(fathom shares --from "$work/deep.json" | wc -l | tr -d ' ')" \
	100001
is "below level 64 a table goes no deeper" \
	"$(fathom shares --from "$work/deep.json" -o acc -n |
	awk 'length > m { m = length } END { print m < 150 }')" 1

deep 67 >"$work/deep.json"
is "but tells the level of each" \
	"$(fathom shares --from "$work/deep.json" -o acc,user -n | tail -n 4 | tr -d ' ')" \
"\`-a64
|-a65
|-(65)a66
\`-(66)a66a67"

wide 100 1000 >"$work/wide"
for way in --json -P ''; do
	# shellcheck disable=SC2086	# none where there is none
	is "100,101 associations: shares $way" \
		"$(fathom shares --from "$work/wide" -l $way | grep -c 'a[0-9]')" 100100
done
wide 1 50000 >"$work/wide"
is "an account of 50,000 users" "$(fathom shares --from "$work/wide" | wc -l | tr -d ' ')" 50003
# a list searched name by name would take a minute
names=$(seq -f u%.0f 2 2 40000 | head -n 18000 | paste -sd , -)
is "18,000 of them by name" "$(timeout 20 "$FATHOM" shares --from "$work/wide" -nP \
	-o User --Users --user "U1,$names" | wc -l | tr -d ' ')" 18001
awk 'BEGIN { print "{\"format\": \"fathom-jobs\", \"version\": 1, \"jobs\": ["
	for (i = 1; i <= 50000; i++)
		printf "{\"job_id\": %d}%s\n", i, (i < 50000 ? "," : "]}") }' >"$work/jobs.json"
is "18,000 of 50,000 jobs by number" "$(timeout 20 "$FATHOM" prio --from "$work/jobs.json" -n \
	-o JobID --job "$(echo "$names" | tr -d u)" | wc -l | tr -d ' ')" 18000

# comparing each partition of a user with all others would take 12 s
awk 'BEGIN { print "Account|User|Partition|RawShares|RawUsage\nroot||||1\n a|||1|1"
	for (i = 1; i <= 40000; i++) print "  a|ada|p" i "|1|1" }' >"$work/partitions"
is "a user with an association for each of 40,000 partitions" "$(
	limit 4
	fathom convert --from "$work/partitions" --to fathom | grep -c '"ada"')" 40000

# the same tree in OpenPBS's and flux-accounting's way
awk 'BEGIN { for (g = 0; g < 100; g++) { print "g" g, g * 1001 + 2, "root", g
	for (u = 1; u <= 1000; u++) print "u" g "." u, g * 1001 + u + 2, "g" g, 1 }
	}' >"$work/groups"
is "100,100 lines of resource_group" \
	"$(fathom shares --from "$work/groups" -n | wc -l | tr -d ' ')" 100102
awk 'BEGIN { print "0,root,%^+_nouser,1,0"; for (g = 0; g < 100; g++) {
 print "1,g" g ",%^+_nouser,1,0"
	for (u = 1; u <= 1000; u++) print "2,g" g ",u" u ",1,1" } }' >"$work/csv"
is "100,101 lines of flux-csv" "$(fathom shares --from "$work/csv" -n | wc -l | tr -d ' ')" 100101
# a list of members searched name by name would take a minute
{
	echo "Begin UserGroup"
	echo "GROUP_NAME GROUP_MEMBER USER_SHARES"
	echo "big (!) ($(seq -f '[u%.0f,1]' 1 40000 | paste -sd ' ' -))"
	echo "End UserGroup"
} >"$work/lsb.users"
is "an LSF group with shares of 40,000 users" "$(timeout 20 "$FATHOM" shares \
	--from "$work/lsb.users" -nPU -o User | wc -l | tr -d ' ')" 40000
# lists of hosts copied for each host would take 9 s and 4 GB
{
	printf 'Begin Host\nHOST_NAME MXJ\n'
	seq -f 'h%.0f 4' 1 4000
	printf 'End Host\n'
	echo "Begin HostGroup
GROUP_NAME GROUP_MEMBER
all_h ($(seq -f h%.0f 1 4000 | paste -sd ' ' -))
End HostGroup"
	seq -f 'Begin Queue
QUEUE_NAME=q%.0f
HOSTS=all_h
End Queue' 1 40
} >"$work/lsb.hosts"
is "40 LSF queues on 4,000 hosts" "$(
	limit 6
	fathom convert --from "$work/lsb.hosts" --to slurm --out "$work/hosts" >"$work/out" 2>&1
	grep -c "^PartitionName=q.*,h999" "$work/hosts/slurm.conf")" 40
# comparing each partition of a scope with each of the other would take minutes; looking for the
# DEFAULT line of each in all lines before it, 5 s
{
	printf 'NodeName=n[1-12000]\n'
	seq 1 12000 | sed 's/.*/PartitionName=p& Nodes=n&/'
	echo "PartitionName=twice Nodes=n3"
} >"$work/slurm.conf"
{
	echo "Policy=lsf"
	echo "Scope=a Kind=host-partition Partitions=$(seq -f p%.0f 1 6000 | paste -sd , -)"
	echo "Scope=b Kind=host-partition Partitions=$(seq -f p%.0f, 6001 12000 | tr -d '\n')twice"
} >"$work/fathom.conf"
is "two host partitions of 6,000 partitions each" "$(
	limit 4
	fathom lint --slurm-conf "$work/slurm.conf" --fathom-conf "$work/fathom.conf" --json |
		grep -o "host partitions '[^.]*")" "host partitions 'a' and 'b' both have node n3"
# a table of the nodes of each for each other one would take gigabytes
seq 1 12000 | sed 's/.*/Scope=s& Kind=host-partition Partitions=p&/' >"$work/fathom.conf"
echo "Scope=s Kind=host-partition Partitions=twice" >>"$work/fathom.conf"
is "12,001 host partitions" "$(
	limit 4
	fathom lint --slurm-conf "$work/slurm.conf" --fathom-conf "$work/fathom.conf" --json |
		grep -o "host partitions '[^.]*")" "host partitions 's3' and 's' both have node n3"
# looking for lines of one key among all lines, and for a node's host partition among scopes of
# partitions, once for each partition, would take 7 s
{
	echo "PriorityType=priority/fathom"
	echo "AccountingStorageType=accounting_storage/slurmdbd"
	printf 'NodeName=n[1-24000]\n'
	seq 1 24000 | sed 's/.*/PartitionName=p& Nodes=n& PriorityJobFactor=&/'
} >"$work/slurm.conf"
seq 1 24000 | sed 's/.*/Scope=s& Partitions=p&/' >"$work/fathom.conf"
is "24,000 scopes of 24,000 partitions" "$(
	limit 2
	fathom lint --slurm-conf "$work/slurm.conf" --fathom-conf "$work/fathom.conf" --json |
		grep -o '"code": "weights-zero"')" '"code": "weights-zero"'
# a copy of the list for each of its words would take 14 s and gigabytes
{
	echo "PriorityType=priority/fathom"
	echo "PriorityWeightTRES=$(seq -f gres/g%.0f=1 1 12000 | paste -sd , -)"
	echo "GresTypes=$(seq -f g%.0f 1 12000 | paste -sd , -)"
	echo "AccountingStorageTRES=$(seq -f gres/g%.0f 1 12000 | paste -sd , -)"
} >"$work/slurm.conf"
is "12,000 TRES" "$(
	limit 6
	fathom lint --slurm-conf "$work/slurm.conf" --json |
		grep -c '"key": "PriorityWeightTRES"')" 1
# looking for each partition among all before it, and for each line, would take 10 s
seq 1 40000 | sed '1s/.*/NodeName=n1\n&/; s/\([0-9]*\)$/PartitionName=p\1 Nodes=n1/' \
	>"$work/slurm.conf"
is "40,000 partitions" "$(
	limit 3
	fathom prio --from "$data/jobs/demo.json" --from "$data/demo.sshare" \
		--from "$work/slurm.conf" -nP | wc -l | tr -d ' ')" 5
# comparing each partition that a job asks for with all others would take 5 s
seq 1 40000 | awk 'BEGIN { printf "{\"format\": \"fathom-jobs\", \"version\": 1, \"jobs\": [" \
	"{\"job_id\": 1, \"partitions\": [" } { printf "%s\"p%d\"", (NR > 1 ? "," : ""), $1 }
	END { print "]}]}" }' >"$work/jobs.json"
is "a job that asks for 40,000 partitions" "$(
	limit 2
	fathom prio --from "$work/jobs.json" -nP | wc -l | tr -d ' ')" 40000
# comparing the reservation of each partition with those of all others would take 9 s
{
	echo "NodeName=n[1-200] CPUs=8"
	seq 1 200 | sed 's/.*/PartitionName=p& Nodes=n&/'
} >"$work/slurm.conf"
awk 'BEGIN {
	print "JobID|User|Account|Partition|State|Submit|Start|End|Elapsed|AllocTRES|Timelimit"
	for (i = 0; i < 2000; i++)
		printf "%d|u|a|p%d|COMPLETED|%d|%d|%d|00:%02d:00|cpu=%d|1-00:00:00\n", i + 1,
			i % 200 + 1, i * 5, i * 5, i * 5 + 60 * (i * 7 % 60),
			i * 7 % 60, 1 + i % 8
}' >"$work/partitions.sacct"
is "2,000 jobs in 200 partitions" "$(
	limit 4
	fathom replay "$work/partitions.sacct" --from "$work/slurm.conf" -P -n 2>&1 |
		cut -d '|' -f 1-2)" "fair-tree|2000"
# more jobs than are kept, so that they are read twice; a pipe is kept as a whole
awk 'BEGIN {
	print "; MaxProcs: 1"
	for (i = 0; i <= 2000000; i++)
		print i, i, "0 0 1 -1 -1 1 1 -1 1 1 1 -1 -1 -1 -1 -1"
}' >"$work/many"
# shellcheck disable=SC2002	# a pipe is meant
is "2,000,001 jobs from a pipe" "$(cat "$work/many" |
	fathom replay /dev/stdin --policy fcfs -P --noheader 2>&1 | cut -d "|" -f 1-2)" \
	"fcfs|2000001"
# the second trace is opened when the first one has been read once
mkfifo "$work/second"
{
	echo "2000001 2000001 0 0 1 -1 -1 1 1 -1 1 2 2 -1 -1 -1 -1 -1" >>"$work/many"
	head -n 2 "$work/many"
} >"$work/second" &
rejects "a trace that grows while it is read" \
	"fathom: $work/many: has changed while it was read; give a copy" \
	replay --cluster "a=$work/many" --cluster "b=$work/second" --policy fcfs
wait
finish
