#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom doctor over two hosts: nothing false of a good cluster, and each fault that is made here is
# seen and named. The second host is a node with a name and files of its own; in place of ssh a
# script enters it and runs there what it is told.
# shellcheck source=tests/live/lib.sh
. "$(dirname "$0")/lib.sh"

second=$cluster/second-host		# files that the second host has in place of the first one's
grep -q second /etc/hosts || echo "127.0.0.2 second" >>/etc/hosts
live_start "SlurmdSpoolDir=$cluster/spool/%n" "SlurmdPidFile=$cluster/run/slurmd.%n.pid" \
	"NodeName=second NodeAddr=127.0.0.2 Port=7818 CPUs=64" \
	"NodeName=localhost CPUs=64 RealMemory=64000"
fathom_conf CalcPeriod=600 FiguresFile=fathom.json MetricsFile=fathom.prom
reconfigure_once
wait_until test -s "$cluster/state/fathom.json"
wait_until test -s "$cluster/state/fathom.prom"
mkdir -p "$second/plugins"
cat >"$cluster/bin/ssh" <<-'END'
	#!/bin/bash
	while [[ $1 != fathom ]]; do shift; done
	exec unshare --uts --mount "$BASH" -c 'hostname second
		cd "$FATHOM_CLUSTER/second-host"
		for file in plugins/* *.conf; do
			[[ ! -e $file ]] || mount --bind "$file" "$FATHOM_CLUSTER/$file" || exit
		done
		exec "$@"' bash "$@"
END
chmod +x "$cluster/bin/ssh"
export FATHOM_CLUSTER=$cluster

# look [OPTION...]: checks both hosts, and keeps what is said and the status
look ()
{
	status=0
	fathom doctor -P "$@" second >"$cluster/said" || status=$?
}

# wrong: "HOST:CHECK" of each fault, own: this host; and the status
wrong ()
{
	awk -F '|' -v own="$(uname -n)" '$3 == "wrong" {
		printf "%s:%s ", $1 == own ? "own" : $1, $2 }' "$cluster/said"
	echo "$status"
}

# of_check HOST CHECK: what it has found
of_check ()
{
	sed -n "s/^$1|$2|//p" "$cluster/said"
}

own=$(uname -n) plugin=$cluster/plugins/priority_fathom.so
look
is "nothing is wrong in a good cluster" "$(wrong)" "0"
is "root sees everything" "$(grep -c '|unknown|' "$cluster/said")" 0
is "of two hosts" "$(cut -d '|' -f 1 "$cluster/said" | uniq | paste -sd ' ')" "Host $own second"
is "each makes all checks" "$(sed 1d "$cluster/said" | wc -l)" 22
like "slurmctld runs it" "$(of_check second slurmctld)" \
	"^well\|it runs priority/fathom on Slurm [0-9]"

### By srun

daemon_start slurmd2 unshare --uts sh -c 'hostname second && exec slurmd -D'
second_is_idle ()
{
	[[ $(sinfo --noheader --nodes=second --format=%T) == idle ]]
}
wait_until second_is_idle
look --via srun
is "srun runs it there, too" "$(wrong)" "0"
daemon_stop slurmd2

### Users see less, and nothing false

chmod 700 "$cluster/state"
as_user user1 fathom doctor -P >"$cluster/said"
is "what a user may not see is not wrong" "$(grep -c '|wrong|' "$cluster/said")" 0
like "but unknown" "$(of_check "$own" FiguresFile)" "^unknown\|not visible to you"
chmod 755 "$cluster/state"

### Five faults, one by one

cp "$plugin" "$second/plugins/" && printf x >>"$second/plugins/priority_fathom.so"
look
is "1: changed bytes of a plugin" "$(wrong)" "second:build 1"
release=$(of_check "$own" release) release=${release##* }
IFS=. read -r major minor micro <<<"$release"
python3 - "$plugin" "$second/plugins/priority_fathom.so" \
	$((10#$major)) $((10#$minor)) "$micro" <<-'END'
	import struct, sys
	major, minor, micro = map(int, sys.argv[3:])
	number = major << 16 | minor << 8 | micro
	data = open(sys.argv[1], "rb").read()
	open(sys.argv[2], "wb").write(
	    data.replace(struct.pack("<I", number), struct.pack("<I", number + 1)))
END
look
is "a plugin of the next release" "$(wrong)" "second:release 1"
is "names both" "$(of_check second release)" "wrong|it is for Slurm $major.$minor.$((micro + 1)), \
and must be for $release. Fix: build fathom with the headers of that release, and copy its plugin \
here"
look --slurm "$major.$minor.$((micro + 1))"
is "for an upgrade to that release it is right, and the other is not" "$(wrong)" "own:release 1"

sed 's/600/300/' "$cluster/fathom.conf" >"$second/fathom.conf"
chmod 666 "$plugin"
chown user1 "$cluster/state"
touch -d '1 hour ago' "$cluster/state/fathom.json"
look
is "all five" "$(wrong)" "own:rights own:state folder own:FiguresFile second:release \
second:fathom.conf second:state folder second:FiguresFile 1"
python3 "$live_top/tests/cli/terminal.py" show 80 fathom doctor --faults second | sed 's/^/# /'
chmod 644 "$plugin"
rm "$second/plugins/priority_fathom.so"
look
is "2: a plugin that every user may write is no more" "$(wrong)" "own:state folder \
own:FiguresFile second:fathom.conf second:state folder second:FiguresFile 1"
like "3: another fathom.conf" "$(of_check second fathom.conf)" "is not what slurmctld runs with"
rm "$second/fathom.conf"
chown root "$cluster/state"
look
is "4: the state folder is SlurmUser's again" "$(wrong)" "own:FiguresFile second:FiguresFile 1"
like "5: old figures" "$(of_check "$own" FiguresFile)" "no pass has written it since"
touch "$cluster/state/fathom.json"
touch -d '1 hour ago' "$cluster/state/fathom.prom"
look
is "old metrics" "$(wrong)" "own:MetricsFile second:MetricsFile 1"
touch "$cluster/state/fathom.prom"
look
is "all is well again" "$(wrong)" "0"

### Daemons

cp "$cluster/fathom.conf" "$cluster/fathom.conf.good"
fathom_conf CalcPeriod=500
look
is "fathom.conf that slurmctld has not read" "$(wrong)" "own:fathom.conf second:fathom.conf 1"
mv "$cluster/fathom.conf.good" "$cluster/fathom.conf"
cp "$plugin" "$plugin.new" && mv "$plugin.new" "$plugin"
look
like "a plugin that was installed and not loaded" "$(of_check "$own" slurmctld)" \
	"^wrong\|it runs a plugin whose file was replaced. Fix: restart slurmctld"
daemon_stop munged
look
is "munged is stopped" "$(wrong)" "own:slurmctld own:munge second:slurmctld second:munge 1"
munge_start
wait_until controller_answers
slurmdbd_stop
look
is "slurmdbd is stopped" "$(wrong)" "own:slurmctld own:slurmdbd second:slurmctld \
second:slurmdbd 1"
slurmdbd_start
slurm_conf PriorityType=priority/multifactor
controller_restart
look
like "slurmctld runs another plugin" "$(of_check "$own" slurmctld)" \
	"^wrong\|it runs priority/multifactor. Fix: set PriorityType=priority/fathom"
slurm_conf PriorityType=priority/fathom
controller_restart
begin=$SECONDS
look
took=$((SECONDS - begin))
is "and all is well" "$(wrong)" "0"
controller_stop
begin=$SECONDS
look
is "slurmctld is stopped" "$(wrong)" "own:slurmctld second:slurmctld 1"
ok "which both hosts find out at once" test $((SECONDS - begin)) -lt $((8 + took))
rm "$cluster/bin/ssh"
