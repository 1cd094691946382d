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
	fathom pools --pool "$work/pool" -nP | cut -d '|' -f 1,3 | tr '\n' ' '
}

pool 15 "$(queue Roma 50 231 50)" "$(queue Verona 30 0 48)" "$(queue Genova 20 496 48)"
is "the table" "$(fathom pools --pool "$work/pool")" \
'Queue  Deserved Got Lent
Roma          8  11    3
Verona        5   0    0
Genova        3   4    1'
is "-n has no header" "$(fathom pools --pool "$work/pool" -n | tr -s ' ')" \
	"$(fathom pools --pool "$work/pool" | tail -n +2 | tr -s ' ')"
is "-P has bars" "$(fathom pools --pool "$work/pool" -P | head -n 2)" \
	"Queue|Deserved|Got|Lent${newline}Roma|8|11|3"
prints "--json" pool.json pools --pool "$work/pool" --json
is "from standard input" "$(fathom pools --pool - <"$work/pool")" \
	"$(fathom pools --pool "$work/pool")"

pool 15 "$(queue Roma 50 0 50)" "$(queue Verona 30 0 48)" "$(queue Genova 20 475 48)"
is "who is alone gets all" "$(got)" "Roma|0 Verona|0 Genova|15 "
pool 12 "$(queue queue3 20 99 46)" "$(queue queue1 50 99 50)" "$(queue queue2 30 99 48)"
is "the order of service is by priority" "$(got)" "queue1|6 queue2|4 queue3|2 "
pool 15 "$(queue Pisa 30 995 44)" "$(outside Milano 3 43)" "$(outside Parma 3 43)" \
	"$(queue Venezia 30 995 43)" \
	"$(queue Bologna 30 995 43)"
is "queues outside take theirs in turn" "$(got)" "Pisa|5 Milano|3 Parma|3 Venezia|2 Bologna|2 "
is "outside the pool nothing is deserved or lent" \
	"$(fathom pools --pool "$work/pool" -P | grep Milano)" "Milano|0|3|0"
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
is "no slots and no queues" "$(fathom pools --pool "$work/pool" --json | tr -d ' \n')" \
	'{"slots":0,"queues":[]}'
{
	printf '{"format": "fathom-pool", "version": 1, "slots": 1000000000, "queues": ['
	seq 100000 |
		sed -e 's|.*|{"name": "q&", "share": 0.00&1, "demand": &000, "priority": 1},|' \
			-e 's/0\.00[0-9]*1/0.0001/'
	printf '{"name": "last", "share": 1, "demand": 0, "priority": 0}]}'
} >"$work/pool"
is "100,000 queues" \
	"$(fathom pools --pool "$work/pool" -nP |
	awk -F '|' '{ sum += $3 } END { printf "%.0f", sum }')" 1000000000

# wrong TEXT ERROR LINE...: a file of these lines
wrong ()
{
	wrong_text=$1 wrong_error=$2
	shift 2
	printf '%s\n' "$@" >"$work/wrong"
	rejects "$wrong_text" "fathom: $work/wrong:$wrong_error" pools --pool "$work/wrong"
}

head='{"format": "fathom-pool", "version": 1, "slots": 15,'
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
rejects "no pool" "fathom: --pool: must be given; see fathom pools --help" pools
rejects "two pools" "fathom: --pool: given twice; one pool is read from one file" pools --pool x \
	--pool y
rejects "a file that is not there" "fathom: $work/none: No such file or directory" pools \
	--pool "$work/none"
finish
