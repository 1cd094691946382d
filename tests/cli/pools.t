#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom pools: what is read, what is printed, and what is wrong.
. "${srcdir:=.}/tests/cli/lib.sh"

# pool SLOTS QUEUE...: a file with these, made once a test
pool ()
{
	printf '{"format": "fathom-pool", "version": 1, "slots": %s, "queues": [' "$1" >"$work/pool"
	shift
	between=
	for queue; do
		printf '%s\n%s' "$between" "$queue"
		between=,
	done >>"$work/pool"
	printf ']}\n' >>"$work/pool"
}

# queue NAME SHARE DEMAND PRIORITY [MORE]
queue ()
{
	printf '{"name": "%s", "share": %s, "demand": %s, "priority": %s, "pool": true%s}' "$1" \
		"$2" "$3" "$4" "${5-}"
}

outside ()
{
	printf '{"name": "%s", "demand": %s, "priority": %s, "pool": false}' "$1" "$2" "$3"
}

got ()
{
	fathom pools --from "$work/pool" -nP | cut -d '|' -f 1,3 | tr '\n' ' '
}

pool 15 "$(queue Roma 50 231 50)" "$(queue Verona 30 0 48)" "$(queue Genova 20 496 48)"
is "the table" "$(fathom pools --from "$work/pool")" \
'Queue  Deserved Got Lent
Roma          8  11    3
Verona        5   0    0
Genova        3   4    1'
is "-n has no header" "$(fathom pools --from "$work/pool" -n | tr -s ' ')" \
	"$(fathom pools --from "$work/pool" | tail -n +2 | tr -s ' ')"
is "-P has bars" "$(fathom pools --from "$work/pool" -P | head -n 2)" \
	"Queue|Deserved|Got|Lent${newline}Roma|8|11|3"
prints "--json" pool.json pools --from "$work/pool" --json
is "what --json prints can be read" \
	"$(fathom pools --from "$work/pool" --json | fathom pools --from -)" \
	"$(fathom pools --from "$work/pool")"
is "names of earlier releases: --pool, --parsable2" \
	"$(fathom pools --pool "$work/pool" --parsable2)" \
	"$(fathom pools --from "$work/pool" --parsable)"
is "from standard input" "$(fathom pools --from - <"$work/pool")" \
	"$(fathom pools --from "$work/pool")"

# LSF's tables: a file is made of each, and compared at the next one
compare ()
{
	[ -z "${title-}" ] || {
		eval "pool $slots $rows"
		is "LSF's table: $title" "$(got)" "$wanted"
	}
}

title='' tables=0
while read -r name share demand priority expected; do
	case $name in
	'#'*) ;;
	pool)
		compare
		slots=$share title="$demand $priority $expected" rows='' wanted=''
		tables=$((tables + 1))
		;;
	*)
		row=$(outside "$name" "$demand" "$priority")
		[ "$share" = - ] || row=$(queue "$name" "$share" "$demand" "$priority")
		rows="$rows '$row'" wanted="$wanted$name|$expected "
		;;
	esac
done <"$data/pools.tables"
compare
is "all tables are compared" "$tables" 11

pool 12 "$(queue queue3 20 99 46)" "$(queue queue1 50 99 50)" "$(queue queue2 30 99 48)"
is "the order of service is by priority" "$(got)" "queue1|6 queue2|4 queue3|2 "
pool 15 "$(queue Pisa 30 995 44)" "$(outside Milano 3 43)" "$(outside Parma 3 43)" \
	"$(queue Venezia 30 995 43)" \
	"$(queue Bologna 30 995 43)"
is "outside the pool nothing is deserved or lent" \
	"$(fathom pools --from "$work/pool" -P | grep Milano)" "Milano|0|3|0"
pool 21 "$(queue Pisa 10 264 44 ', "used": 3')" "$(queue Livorno 10 258 40)" \
	"$(queue Venezia 10 255 4)"
is "who has used the least for its share comes first" "$(got)" "Livorno|7 Venezia|7 Pisa|7 "
pool 100 "$(queue a 50 900 2 ', "limit": 40')" "$(queue b 50 900 1 ', "limit": null')"
is "a limit" "$(got)" "a|40 b|60 "
printf '%s' \
	'{"format": "fathom-pool", "version": 1, "slots": 100, "max_slots_in_pool": 10, "queues": [
{"name": "a", "share": 50, "demand": 9}, {"name": "b", "share": 50, "demand": 9}]}' >"$work/pool"
is "the greatest number of slots" "$(got)" "a|5 b|5 "
printf '%s' '{"format": "fathom-pool", "version": 1, "slots": 10, "use_priority_in_pool": true,
 "queues": [
{"name": "a", "share": 40, "demand": 9}, {"name": "b", "share": 50, "demand": 0}]}' >"$work/pool"
is "the rest by the priority of jobs" "$(got)" "a|4 "'b|0 '
pool 0
is "no slots and no queues" "$(fathom pools --from "$work/pool" --json | tr -d ' \n')" \
	'{"format":"fathom-division","version":1,"slots":0,"queues":[]}'
{
	printf '{"format": "fathom-pool", "version": 1, "slots": 1000000000, "queues": ['
	seq 100000 |
		sed -e 's|.*|{"name": "q&", "share": 0.00&1, "demand": &000, "priority": 1},|' \
			-e 's/0\.00[0-9]*1/0.0001/'
	printf '{"name": "last", "share": 1, "demand": 0, "priority": 0}]}'
} >"$work/pool"
is "100,000 queues" \
	"$(fathom pools --from "$work/pool" -nP |
	awk -F '|' '{ sum += $3 } END { printf "%.0f", sum }')" 1000000000

# wrong TEXT ERROR LINE...: a file of these lines
wrong ()
{
	wrong_text=$1 wrong_error=$2
	shift 2
	printf '%s\n' "$@" >"$work/wrong"
	rejects "$wrong_text" "fathom: $work/wrong:$wrong_error" pools --from "$work/wrong"
}

# a FiguresFile: pools as a pass has divided them
figures=$data/figures/pools.json
is "the table of a FiguresFile" "$(fathom pools --from "$figures")" \
'Pool  Queue  Share Deserved Got Lent Demand Used
nodes Milano              0   3    0      3    0
nodes Roma      50        8   9    1    231 7200
nodes Verona    30        5   0    0      0    0
nodes Genova    20        3   3    0    496   12
gpus  a      33.25        2   1    0      1    0'
is "-P has an empty share outside the pool" "$(fathom pools --from "$figures" -nP | head -n 2)" \
	"nodes|Milano||0|3|0|3|0${newline}nodes|Roma|50|8|9|1|231|7200"
is "--json is what the file has" "$(fathom pools --from "$figures" --json | sed 1d)" \
	"$(sed -n '/^"pools"/,$p' "$figures" | sed 's/^"pools"/ "pools"/')"
is "and can be read" "$(fathom pools --from "$figures" --json | fathom pools --from -)" \
	"$(fathom pools --from "$figures")"
rejects "a FiguresFile without pools" \
	"fathom: $data/figures/scopes.json has no slot pools; SlotPool lines in fathom.conf define \
them" pools --from "$data/figures/scopes.json"
sed 's/"got": 9/"got": -9/' "$figures" >"$work/wrong"
rejects "slots below 0 in a FiguresFile" \
	"fathom: $work/wrong:10: queues[1]: 'got' must be an integer of 0 or more: slots" \
	pools --from "$work/wrong"
sed 's/"share": 50/"share": "half"/' "$figures" >"$work/wrong"
rejects "a share that is a text in a FiguresFile" \
	"fathom: $work/wrong:10: queues[1]: 'share' must be a number above 0, or null" \
	pools --from "$work/wrong"
sed 's/"slots": 15,/"slots": 15.5,/' "$figures" >"$work/wrong"
rejects "slots that are no integer in a FiguresFile" \
	"fathom: $work/wrong:7: \"slots\" must be an integer of 0 or more" \
	pools --from "$work/wrong"

### lsb.queues: the document's example of two pools

lsb_queue ()
{
	printf 'Begin Queue\nQUEUE_NAME = %s\nPRIORITY = %s\nSLOT_POOL = %s\nSLOT_SHARE = %s\n' "$@"
	echo "End Queue"
}
{
	lsb_queue queue3 46 poolA 20
	lsb_queue queue1 50 poolA 50
	lsb_queue queue2 48 poolA 30
	lsb_queue queue4 44 poolB 30
	lsb_queue queue5 43 poolB 30
	lsb_queue queue6 42 poolB 30
} >"$work/lsb.queues"
is "lsb.queues: 8, 5, 2 and 5, 5, 5 of 15 slots" \
	"$(fathom pools --from "$work/lsb.queues" --slots 15)" \
'Pool  Queue  Share Deserved Got Lent Demand Used
poolA queue1    50        8   8    0     15    0
poolA queue2    30        5   5    0     15    0
poolA queue3    20        3   2    0     15    0
poolB queue4    30        5   5    0     15    0
poolB queue5    30        5   5    0     15    0
poolB queue6    30        5   5    0     15    0'
is "bqueues -l shows SLOT_SHARE and SLOT_POOL of lsb.queues" \
	"$(fathom pools --from "$work/lsb.queues" --slots 15 --view bqueues -- -l queue2 |
		grep SLOT_)" "SLOT_SHARE: 30%${newline}SLOT_POOL: poolA"
is "and their priorities, in whose order they stand" \
	"$(fathom pools --from "$work/lsb.queues" --slots 15 --view bqueues |
		awk 'NR > 1 { print $1, $2 }' | paste -sd ' ')" \
	"queue1 50 queue2 48 queue3 46 queue4 44 queue5 43 queue6 42"
sed '/queue3/a MAX_SLOTS_IN_POOL = 10' "$work/lsb.queues" >"$work/lsb.most"
is "MAX_SLOTS_IN_POOL" "$(fathom pools --from "$work/lsb.most" --slots 15 -nP |
	cut -d '|' -f 5 | paste -sd ' ' -)" "5 3 2 5 5 5"
# students, whom only lsb.users lists, have shares in a queue that is in no pool
{
	printf 'Begin Queue\nQUEUE_NAME = first\nFAIRSHARE = USER_SHARES[[students@, 5]]\n'
	echo "End Queue"
	cat "$work/lsb.queues"
} >"$work/lsb.group"
is "a group that the file does not describe" \
	"$(fathom pools --from "$work/lsb.group" --slots 15 2>&1)" \
	"$(fathom pools --from "$work/lsb.queues" --slots 15)"
sed '/queue1/a QJOB_LIMIT = 3' "$work/lsb.queues" >"$work/lsb.limit"
is "QJOB_LIMIT" "$(fathom pools --from "$work/lsb.limit" --slots 15 -nP |
	cut -d '|' -f 5 | paste -sd ' ' -)" "3 8 4 5 5 5"
fathom convert --from "$work/lsb.queues" --to slurm --out "$work/moved"
is "convert --to slurm has a weight, by which the shares count" \
	"$(grep -o 'PriorityWeightFairshare=[0-9]*' "$work/moved/slurm.conf")" \
	"PriorityWeightFairshare=1000000"
rejects "lsb.queues without slots" "fathom: --slots: must be given, as $work/lsb.queues does not \
tell the slots of pools; give the CPUs of a pool's hosts" pools --from "$work/lsb.queues"
cat >"$work/fathom.conf" <<'END'
Policy=fair-tree
SlotPool=nodes Partition=day SlotShare=70 MaxSlotsInPool=15
SlotPool=nodes Partition=any SlotShare=30
END
is "fathom.conf" "$(fathom pools --from "$work/fathom.conf" --slots 20)" \
'Pool  Queue Share Deserved Got Lent Demand Used
nodes day      70       11  11    0     20    0
nodes any      30        5   4    0     20    0'
rejects "fathom.conf without slots" "fathom: --slots: must be given, as $work/fathom.conf does not \
tell the slots of pools; give the CPUs of a pool's hosts" pools --from "$work/fathom.conf"
sed 's/70/700/' "$work/fathom.conf" >"$work/wrong"
rejects "a mistake in fathom.conf" "fathom: $work/wrong:2: SlotShare: 700 is out of range, \
must be greater than 0 and at most 100" pools --from "$work/wrong" --slots 20
echo Policy=fair-tree >"$work/wrong"
rejects "fathom.conf without pools" "fathom: $work/wrong has no slot pools" pools \
	--from "$work/wrong" --slots 20
echo "queues: none" >"$work/wrong"
rejects "--slots of another file" "fathom: $work/wrong:1: 'q' where '{' is expected" pools \
	--from "$work/wrong" --slots 20
echo '{"format": "fathom-pool", "version": 1, "slots": 9, "queues": []}' >"$work/nine"
for known in "$work/nine" "$figures"; do
	rejects "--slots of pools that have slots" "fathom: --slots: $known tells the slots of its \
pools; --slots is for lsb.queues and fathom.conf, which do not" pools --from "$known" --slots 15
done
rejects "--slots of the running cluster" "fathom: --slots: the running cluster tells the slots of \
its pools; --slots is for lsb.queues and fathom.conf, which do not" pools --slots 15
rejects "slots of 0" "fathom: --slots: '0', must be a whole number from 1 to 2^53" pools --slots 0
grep -v SLOT_ "$work/lsb.queues" >"$work/lsb.none"
rejects "queues of no pool" "fathom: $work/lsb.none has no slot pools" pools \
	--from "$work/lsb.none" --slots 15

### mistakes

head='{"format": "fathom-pool", "version": 1, "slots": 15,'
rejects "another kind of file" "fathom: $data/demo.sshare: format sshare has no pools, must be \
fathom-pool or lsf; see fathom-pools(1)" pools --from "$data/demo.sshare"
wrong "no JSON" "1: 'q' where '{' is expected" 'queues: none'
wrong "another format" "1: \"format\" is \"fathom-tree\", must be \"fathom-pool\"" \
	'{"format": "fathom-tree"}'
wrong "another version" "1: \"version\" is 2, this fathom reads 1" \
	'{"format": "fathom-pool", "version": 2}'
wrong "no slots" \
	"1: \"slots\" is missing, must be {\"format\": \"fathom-pool\", \"version\": 1, \
\"slots\": ..., \"queues\": [...]}" \
	'{"format": "fathom-pool", "version": 1, "queues": []}'
wrong "slots below 0" "1: \"slots\" must be an integer of 0 to 2^53" \
	'{"format": "fathom-pool", "version": 1, "slots": -1}'
wrong "too many slots" "1: \"slots\" must be an integer of 0 to 2^53" \
	'{"format": "fathom-pool", "version": 1, "slots": 9007199254740993}'
wrong "an unknown member" "2: \"slot\" is unknown, see fathom-pools(1)" "$head" \
	'"slot": 1, "queues": []}'
wrong "a queue without a name" "2: queues[0]: 'name' is missing" "$head \"queues\": [" \
	'{"share": 1, "demand": 1}]}'
wrong "a queue without demand" "2: queues[0]: 'demand' is missing" "$head \"queues\": [" \
	'{"name": "a", "share": 1}]}'
wrong "a queue without a share" \
	"2: queues[0]: 'share' is missing, is required unless \"pool\" is false" \
	"$head \"queues\": [" '{"name": "a", "demand": 1}]}'
wrong "a share of 0" "2: queues[0]: 'share' must be above 0" "$head \"queues\": [" \
	'{"name": "a", "share": 0, "demand": 1}]}'
wrong "a share above 100" \
	"3: queues[0]: 'share' must be a number of percent, above 0 and at most 100" \
	"$head \"queues\": [" '{"name": "a", "demand": 1,' '"share": 100.1}]}'
wrong "a negative demand" "2: queues[0]: 'demand' must be an integer of 0 to 2^53: slots" \
	"$head \"queues\": [" \
	'{"name": "a", "share": 1, "demand": -1}]}'
wrong "a limit that is a text" \
	"2: queues[0]: 'limit' must be an integer of 0 to 2^53, or null for none" \
	"$head \"queues\": [" '{"name": "a", "share": 1, "demand": 1, "limit": "none"}]}'
wrong "a used below 0" "2: queues[0]: 'used' must be a number of 0 or more" "$head \"queues\": [" \
	'{"name": "a", "share": 1, "demand": 1, "used": -1}]}'
wrong "an unknown key" "2: queues[0]: 'shares' is unknown, see fathom-pools(1)" \
	"$head \"queues\": [" \
	'{"name": "a", "share": 1, "demand": 1, "shares": 1}]}'
wrong "a queue that stands twice" "3: queue 'a' is already in line 2" "$head \"queues\": [" \
	'{"name": "a", "share": 1, "demand": 1},' '{"name": "a", "share": 1, "demand": 1}]}'
rejects "two pools" "fathom: --from: given twice; one pool is read from one file" pools --from x \
	--from y
rejects "a file that is not there" "fathom: $work/none: No such file or directory" pools \
	--from "$work/none"
finish
