#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom prio --view sprio of files. tests/live/49-views.t compares it with sprio.
. "${srcdir:=.}/tests/cli/lib.sh"

cat >"$work/jobs.json" <<'END'
{"format": "fathom-jobs", "version": 1, "cluster": {"nodes": 1, "cpus": 64},
 "settings": {"PriorityWeightFairshare": 1000, "PriorityWeightTRES": "cpu=800,mem=70"},
 "partitions": [{"name": "day", "tres": {"cpu": 64, "mem": 100}}],
 "jobs": [
 {"job_id": 2, "user": "ada", "account": "physics", "partitions": ["day"], "fairshare": 0.5,
  "cpus": 16, "tres": {"cpu": 16, "mem": 100}},
 {"job_id": 10, "user": "bob", "account": "physics", "partitions": ["day"], "fairshare": 0.25,
  "cpus": 8, "tres": {"cpu": 8}, "nice": 3},
 {"job_id": 11, "user": "bob", "account": "physics", "partitions": ["day"], "fairshare": 0.25,
  "cpus": 8, "state": "RUNNING"}]}
END

sprio ()
{
	fathom prio --from "$work/jobs.json" --view sprio -- "$@"
}

# job 11 runs, so sprio leaves it out
is "factors that have a weight" "$(sprio)" \
"          JOBID PARTITION   PRIORITY       SITE  FAIRSHARE                 TRES
              2 day              770          0        500       cpu=200,mem=70
             10 day              347          0        250              cpu=100"
is "-n" "$(sprio -n | sed 's/ *$//')" \
"          JOBID PARTITION PRIORITY   FAIRSHARE  TRES
              2 day       0.00000017 0.5000000  cpu=0.25,mem=1.00
             10 day       0.00000008 0.2500000  cpu=0.12"
is "also where the weight is 1" \
	"$(fathom prio --from "$work/jobs.json" --set PriorityWeightFairshare=1 --view sprio -- \
		-h -o '%i %f')" \
"2 0.5000000
10 0.2500000"
is "-w" "$(sprio -w)" \
"          JOBID PARTITION   PRIORITY       SITE  FAIRSHARE                 TRES
        Weights                               1       1000       cpu=800,mem=70"
is "-w -n has no weights of TRES" "$(sprio -w -n | sed 's/ *$//')" \
"          JOBID PARTITION PRIORITY   FAIRSHARE  TRES
        Weights                      1000"
is "jobs by letters, sorted" "$(sprio -h -S -Y -o '%i %u %Y %N %T')" \
"2 ada 770 0 cpu=200,mem=70
10 bob 347 3 cpu=100"
is "-j and -u" "$(sprio -hj 10 -o %i) $(sprio -hu ada -o %i)" "10 2"
is "-p" "$(sprio -hp day -o %i | paste -sd ' ' -)" "2 10"
sed 's/"job_id": [0-9]*/&, "held": true/' "$work/jobs.json" >"$work/held.json"
is "held jobs are not listed" "$(fathom prio --from "$work/held.json" --view sprio -- -h)" ""
is "under flux they are not either" \
	"$(fathom prio --from "$work/held.json" --policy flux --view sprio -- -h)" ""
sed 's/"job_id": 10/&, "urgency": 0/' "$work/jobs.json" >"$work/urgency.json"
is "nor is a job that its urgency holds" \
	"$(fathom prio --from "$work/urgency.json" --policy flux --view sprio -- -ho %i)" 2
sed 's/"fairshare": [0-9.]*, *//; s/"fairshare": [0-9.]*,$//' "$work/jobs.json" >"$work/lost.json"
cat >"$work/tree" <<'END'
Account|User|RawShares|RawUsage
root|||100
 physics||1|100
  physics|ada|1|100
END
lost ()
{
	fathom prio --from "$work/lost.json" --from "$work/tree" --view sprio -- "$@" 2>"$work/err"
}
is "what is unknown" "$(lost -h)" \
"              2 day             1270          0       1000       cpu=200,mem=70
             10 day                -          0          -              cpu=100"
is "and why" "$(cat "$work/err")" "fathom: no fair-share figures on 1 line: for example, the tree \
has no association of user bob in account physics (job 10)"
is "-n" "$(lost -hn -o '%i %y %f')" "2 0.00000029569492 1.0000000
10 - -"
is "it sorts behind all others" "$(lost -h -S -Y -o %i | paste -sd ' ' -)" "2 10"
is "-w" "$(lost -w >/dev/null; cat "$work/err")" ""
rejects "-M" "fathom: -M: unknown option; see fathom prio --view sprio -- --help" \
	prio --from "$work/jobs.json" --view sprio -- -M east
rejects "a letter of no column" "fathom: --format: '%x' is not a column of sprio" \
	prio --from "$work/jobs.json" --view sprio -- -o '%i %x'
finish
