#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Each system call of a command fails once: what --out, --schedule and --history name is written
# whole or not at all, nothing else is left beside it, and one line tells why.
. "${srcdir:=.}/tests/cli/lib.sh"

faults=${FAULTS:-$PWD/tests/host/faults/.libs/faults.so}
if [ ! -f "$faults" ]; then
	skip "faults" "$faults is not built"
	finish
fi
if [ -e "$(dirname "$FATHOM")/fathom-main.gcno" ]; then
	skip "faults" "the counters of gcov are written by calls that would fail"
	finish
fi
out=$work/out before=$work/before after=$work/after
table=$work/table
: >"$table"
is_database=false	# whether SQLite writes the file
c1=$data/c1.json
lab=$data/snapshot/lab.json

# run_with FAULT ARGUMENT...: a sanitizer would want to be the first of all libraries
run_with ()
{
	run_fault=$1
	shift
	make_ready
	FATHOM_FAULT=$run_fault FATHOM_FAULT_DONE=$work LD_PRELOAD=$faults \
		ASAN_OPTIONS=${ASAN_OPTIONS-}:verify_asan_link_order=0 \
		"$FATHOM" "$@" >"$work/stdout" 2>"$work/stderr" </dev/null
	run_status=$?
	settle
	return $run_status
}

make_ready ()
{
	rm -rf "$out" "$work/fathom-faults.done"
	cp -pr "$before" "$out"
}

# Takes from the files what differs from run to run.
settle ()
{
	for settle_file in "$out"/*.json; do
		[ ! -f "$settle_file" ] || sed -i 's/"wall_seconds": [^,]*, //' "$settle_file"
	done
	[ ! -f "$out/history" ] || show_history "$out"
}

# show_history FOLDER: makes a text of the database in it. A journal that SQLite cannot remove is
# for the next one who opens it, who undoes what is not complete.
show_history ()
{
	"$FATHOM" history user1 --history "$1/history" --since 2000-01-01 -P >"$1/days" 2>&1
	rm -f "$1/history" "$1/history-journal"
}

# modes FOLDER: of what is in it
modes ()
{
	find "$1" ! -path "$1" -exec stat -c '%a %n' {} + | sed "s|$1/||" | sort
}

# The files of $out that are neither as before nor as they should be.
half_files ()
{
	for half_file in "$out"/* "$out"/.[!.]*; do
		half_name=${half_file##*/}
		[ ! -e "$half_file" ] || diff -r "$half_file" "$after/$half_name" >&2 ||
			diff -r "$half_file" "$before/$half_name" >&2 || echo "$half_name"
	done 2>/dev/null
}

# whats_wrong STATUS: nothing, if the command has done all or nothing
whats_wrong ()
{
	if [ "$1" -eq "$wanted" ]; then
		diff -r "$out" "$after" || echo "status $1"
		diff "$work/stdout" "$work/printed" || echo "standard output"
		[ "$(modes "$out")" = "$(modes "$after")" ] || echo "modes"
		return
	fi
	[ "$1" -eq 2 ] || echo "status $1"
	half_files
	lines=$(grep -vxFf "$work/remarks" "$work/stderr")
	case $lines in
	*"$newline"*) echo "more than a line: $lines" ;;
	"fathom: "*) ;;
	*) echo "no line: $lines" ;;
	esac
}

# must_fail CALL ERROR: whoever goes on all the same is wrong. SQLite also syncs a folder, and goes
# on without.
must_fail ()
{
	case "$1 $2" in
	"write ENOSPC" | "write ZERO" | rename*) ;;
	fsync*) ! $is_database ;;
	*) return 1 ;;
	esac
}

# note_fault WHAT STATUS: what has come of it
note_fault ()
{
	found=$(whats_wrong "$2")
	[ -z "$found" ] || fault_wrong="$fault_wrong$newline$1: $found"
	fault_count=$((fault_count + 1))
	[ "$2" -ne "$wanted" ] || fault_done=$((fault_done + 1))
}

# end_fault COMMAND CALL ERROR: a file that is written is closed, too
end_fault ()
{
	[ "$2" != close ] || [ $fault_done -lt $fault_count ] || $is_database ||
		fault_wrong="$fault_wrong${newline}all calls are ignored"
	echo "$2 $3 $fault_count $fault_done" >>"$table"
	[ $fault_count -eq 0 ] || is "$1: $2, $3, $fault_count times" "$fault_wrong" ""
	fault_count=0 fault_done=0 fault_wrong=
}

# each_fails CALL ERROR ARGUMENT...: each of the command's calls, one at a time; of allocations,
# which are many, the first, second, fourth and so on
each_fails ()
{
	fault_call=$1 fault_error=$2 fault_n=1
	shift 2
	while run_with "$fault_call $fault_error $fault_n" "$@"
		fault_status=$?
		[ -e "$work/fathom-faults.done" ]; do
		note_fault "call $fault_n" $fault_status
		! must_fail "$fault_call" "$fault_error" || [ $fault_status -ne "$wanted" ] ||
			fault_wrong="$fault_wrong${newline}call $fault_n is ignored"
		[ "$fault_call" = malloc ] || fault_n=$((fault_n + 1))
		[ "$fault_call" != malloc ] || fault_n=$((fault_n * 2))
	done
	end_fault "$1" "$fault_call" "$fault_error"
}

# no_room ARGUMENT...: no file may become longer than so many blocks of 512 bytes, also none that
# is written by the C library
no_room ()
{
	for blocks in 0 1 3; do
		make_ready
		no_room_said=$({
			trap '' XFSZ
			ulimit -f $blocks
			"$FATHOM" "$@" 2>&1 >/dev/null </dev/null
			echo $?
		} 2>/dev/null)
		printf '%s' "$no_room_said" | sed '$d' >"$work/stderr"
		cp "$work/printed" "$work/stdout"
		settle
		note_fault "$blocks blocks" "${no_room_said##*"$newline"}"
	done
	end_fault "$1" size EFBIG
}

# survives STATUS ARGUMENT...: with this status it ends if nothing fails; $before has what is there
survives ()
{
	wanted=$1 fault_count=0 fault_done=0 fault_wrong=
	shift
	rm -rf "$after"
	run_with "" "$@"
	is "$1: without a fault" $? "$wanted"
	mv "$out" "$after"
	cp "$work/stdout" "$work/printed"
	cp "$work/stderr" "$work/remarks"
	while read -r call error; do
		each_fails "$call" "$error" "$@"
	done <<END
open EMFILE
read EIO
read EINTR
read SHORT
write ENOSPC
write EINTR
write SHORT
write ZERO
fsync EIO
close EIO
rename EROFS
stat EIO
malloc ENOMEM
pthread_create EAGAIN
END
	no_room "$@"
}

# has FILE...: these are there before, for their owner alone
has ()
{
	rm -rf "$before"
	mkdir "$before"
	for name; do
		echo before >"$before/$name"
		chmod 600 "$before/$name"
	done
}

has file
survives 0 shares --from "$c1" --out "$out/file"
survives 0 prio --from "$lab" --out "$out/file"
survives 0 explain 7 --from "$lab" --out "$out/file"
survives 0 start --from "$lab" --out "$out/file"
survives 0 usage --from "$c1" --out "$out/file"
survives 0 convert --from "$c1" --to sshare --out "$out/file"
has file.json
survives 0 replay "$data/swf/small.swf" --cpus 64 --policy lsf,pbs --json --out "$out/file.json"
has
survives 0 convert --from "$c1" --to slurm --out "$out/new"
is "each file of a new folder is synced, and the folder itself" \
	"$(awk '$1 == "fsync" { n = $3 } END { print n }' "$table")" \
	$(($(ls "$after/new" | wc -l) + 1))
has schedule
survives 0 replay "$data/swf/small.swf" --cpus 64 --out "$out" --schedule "$out/schedule"

### Sweeps

mkdir "$work/bin"
for program in sbatch squeue; do
	printf '#!/bin/sh\n' >"$work/bin/$program"
	chmod +x "$work/bin/$program"
done
PATH=$work/bin:$PATH
has
survives 0 replay "$data/swf/small.swf" --cpus 64 --policy lsf,pbs --out "$out" --array 1
survives 0 replay "$data/swf/small.swf" --cpus 64 --policy lsf,pbs --out "$out" --task 0

### What else is printed

has file
echo '{"format": "fathom-pool", "version": 1, "slots": 5, "queues": [{"name": "a", "share": 10,
"demand": 4, "priority": 3, "pool": true}]}' >"$work/pool"
survives 0 pools --from "$work/pool" --out "$out/file"
survives 1 lint --fathom-conf "$data/lint/fathom-wrong/fires/fathom.conf" --out "$out/file"
if commands | grep -qw report; then
	fathom shares --from "$c1" --json >"$work/shares.json"
	survives 0 report "$work/shares.json" --out "$out/file"
fi

### HistoryFile

# job DAYS: the record of one that ran so many days ago
job ()
{
	job_start=$(($(date +%s) - $1 * 86400))
	printf '%s\n' 'JobID|User|Account|State|Submit|Start|End|Elapsed|AllocTRES' \
		"1|user1|B|COMPLETED|$job_start|$job_start|$((job_start + 3600))|01:00:00|cpu=4"
}

# Days before those that the file has are added: all or none. Nothing is left of a new file.
if built_with SQLite "calls of fathom history"; then
	is_database=true
	job 1 >"$work/jobs"
	job 3 >"$work/earlier"
	has
	survives 0 history --rebuild --from "$work/jobs" --from "$c1" --history "$out/history"
	fathom history --rebuild --from "$work/jobs" --from "$c1" --history "$before/history" \
		>"$work/stdout" 2>&1
	cp "$before/history" "$work/history"
	show_history "$before"
	cp "$work/history" "$before"
	survives 0 history --rebuild --from "$work/earlier" --from "$c1" --history "$out/history"
	is_database=false
	has file
	survives 0 history user1 --history "$work/history" --since 2000-01-01 --out "$out/file"
fi

echo "# call           error   faults   done   not at all"
awk '{ key = sprintf("%-14s %-7s", $1, $2); if (!(key in n)) order[++rows] = key
		n[key] += $3; done[key] += $4 }
	END { for (i = 1; i <= rows; i++) printf "# %s %6d %6d %6d\n", order[i], n[order[i]],
		done[order[i]], n[order[i]] - done[order[i]] }' "$table"
finish
