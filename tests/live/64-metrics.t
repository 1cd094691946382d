#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# MetricsFile has the figures of sshare and the jobs of squeue, users only if they are wanted,
# nobody under PrivateData=usage; promtool and an OpenMetrics parser take it, Prometheus answers the
# queries of the dashboard from it, and fathom status shows it.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

fathom=$FATHOM_BUILD/src/cli/fathom
live_start PriorityWeightFairshare=1000000 PriorityFlags=NO_FAIR_TREE PriorityDecayHalfLife=7-0
file=$cluster/state/fathom.prom

# metrics_pass KEY=VALUE...: of fathom.conf; the file is of a pass under it when this returns
metrics_pass ()
{
	fathom_conf CalcPeriod=600 MetricsFile=fathom.prom "$@"
	touch "$cluster/mark"
	reconfigure_once
	wait_until test "$file" -nt "$cluster/mark"
}

# value SAMPLE: a regular expression, such as 'fathom_jobs'
value ()
{
	sed -nE "s/^$1 //p" "$file"
}

# parts METRIC...: of user1 in account b
parts ()
{
	local metric

	for metric; do
		value "fathom_user_$metric\\{account=\"b\",path=\"root[^\"]*\/b\",user=\"user1\"\\}"
	done
}

refused=$("$fathom" status 2>&1)
is "without MetricsFile: status 2" $? 2
is "and one line" "$refused" \
	"fathom: fathom.conf names no MetricsFile; --from reads a file"

wait_for_ends "$(submit user1 --account=b --ntasks=4 --wrap 'sleep 3')"
running=$(submit user2)
wait_until are_running 1
submit user3 --hold --array=1-5 --wrap 'sleep 100' >/dev/null
asked=$(date +%s)
metrics_pass
ok "the file comes with a pass" test -s "$file"
is "its mode" "$(stat -c %a "$file")" 640
is "it has no users" "$(grep -c user= "$file")" 0
is "accounts" "$(grep -c '^fathom_account_shares' "$file")" \
	"$(sshare --all --parsable2 --noheader --format=Account,User | grep -c '|$')"
partition=$(squeue --noheader --job "$running" --format=%P)
jobs="fathom_partition_jobs\\{partition=\"$partition\",state"
is "running jobs" "$(value "$jobs=\"running\"\\}")" 1
is "pending jobs, each task of an array" "$(value "$jobs=\"pending\"\\}")" 5
is "all jobs, one of which has ended" "$(value fathom_jobs)" 7
ok "the time of the pass" test "$(value fathom_pass_timestamp_seconds)" -ge "$asked"
ok "and of the state" test "$(value fathom_state_timestamp_seconds)" -ge \
	"$(date -d "$live_begin" +%s)"

metrics_pass MetricsUsers=all
is "a user's figures are those of sshare" \
	"$(parts shares usage_seconds effective_usage_ratio factor_ratio |
		awk 'NR == 2 { printf "%d ", $1; next } { printf "%.6f ", $1 }')" \
	"$(sshare --all --parsable2 --noheader \
		--format=Account,User,RawShares,RawUsage,EffectvUsage,FairShare |
		awk -F '|' '$1 ~ /^ *b$/ && $2 == "user1" {
			printf "%.6f %d %.6f %.6f ", $3, $4, $5, $6 }')"
is "and of fathom shares" "$(parts rank)" "$("$fathom" shares --all --parsable2 --noheader \
	--output=Account,User,Rank | awk -F '|' '$1 ~ /^ *b$/ && $2 == "user1" { print $3 + 0 }')"

### Who reads it

if command -v promtool >/dev/null; then
	is "promtool has nothing to say" "$(promtool check metrics <"$file" 2>&1)" ""
else
	live_skip "promtool has nothing to say" "promtool is not installed"
fi
parser=prometheus_client.openmetrics.parser
python=$(for each in python3 /usr/bin/python3; do
	! "$each" -c "import $parser" 2>/dev/null || { echo "$each"; break; }
done)
if [[ $python ]]; then
	is "an OpenMetrics parser reads the same" "$("$python" -c '
import sys
from prometheus_client.openmetrics.parser import text_string_to_metric_families as families
print(sum(len(family.samples) for family in families(open(sys.argv[1]).read())))' "$file" 2>&1)" \
		"$(grep -vc '^#' "$file")"
else
	live_skip "an OpenMetrics parser reads the same" "prometheus_client is not installed"
fi
status=$("$fathom" status)
like "status: the policy" "$status" "Policy +in_force +classic"
like "status: jobs" "$status" "Partition jobs +$partition pending +5"
is "status fits into 80 columns" "$(awk 'length > 80' <<<"$status")" ""
is "status --json has all" "$("$fathom" status --json | grep -c '"name"')" \
	"$(grep -vc '^#' "$file")"
like "others get an error" "$(as_user user1 "$fathom" status 2>&1)" \
	"^fathom: .*fathom.prom: Permission denied$"

### Prometheus, by way of node_exporter

# prometheus_start: both, with the rules of the alerts
prometheus_start ()
{
	mkdir "$cluster/series"
	cat >"$cluster/prometheus.yml" <<-END
		global: { scrape_interval: 1s, evaluation_interval: 1s }
		rule_files: [ $live_top/contrib/metrics/fathom.rules.yml ]
		scrape_configs:
		  - job_name: node
		    static_configs: [ { targets: [ 127.0.0.1:9100 ] } ]
	END
	daemon_start node_exporter prometheus-node-exporter --web.listen-address=127.0.0.1:9100 \
		--collector.disable-defaults --collector.textfile \
		--collector.textfile.directory="${file%/*}"
	daemon_start prometheus prometheus --config.file="$cluster/prometheus.yml" \
		--storage.tsdb.path="$cluster/series" --web.listen-address=127.0.0.1:9090
	wait_until port_open 9090
}

# has_answers: $board is what dashboard.py printed. rate() needs two passes, and the rules are read
# soon after the start.
has_answers ()
{
	board=$(python3 "$live_top/tests/live/dashboard.py" http://127.0.0.1:9090 \
		"$live_top/contrib/metrics/fathom.grafana.json" 2>&1)
	[[ $board =~ ^[0-9]+$ ]]
}

text="Prometheus has an answer to each query of the dashboard, and no alert"
if command -v prometheus >/dev/null && command -v prometheus-node-exporter >/dev/null; then
	metrics_pass MetricsUsers=all CalcPeriod=1
	prometheus_start
	wait_until has_answers
	is "$text" "$board" "$(grep -c '"expr"' "$live_top/contrib/metrics/fathom.grafana.json")"
	daemon_stop prometheus
	daemon_stop node_exporter
	rm -rf "$cluster/series"
else
	live_skip "$text" "prometheus or prometheus-node-exporter is not installed"
fi

### PrivateData, and what is wrong

slurm_conf PrivateData=usage
metrics_pass MetricsUsers=all
is "with PrivateData=usage there is nobody" "$(grep -cE 'account=|user=' "$file")" 0
ok "the log says so" wait_until controller_said \
	"MetricsUsers has no effect with PrivateData=usage"
fathom_conf MetricsFile=fathom.prom MetricsUsers=top:none
reconfigure
must="must be no, all, or top:N with N of 1 or more"
ok "a wrong value is one line in the log" wait_until controller_said \
	"fathom.conf:[0-9]+: MetricsUsers: 'top:none', $must"
live_end
