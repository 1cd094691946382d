# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A throwaway Slurm cluster on one machine: munged, MariaDB, slurmdbd, slurmctld, and slurmd as one
# node with 64 faked CPUs. It uses a temporary folder and its own namespaces:
#
#   mounts      /etc is a copy in memory, the only place where user1 to user5 exist
#   network     only a loopback, so that all ports are free and no other process can connect
#   processes   the kernel ends all of them with the first one
#
# The machine's own Slurm and MariaDB are neither read nor written. Needs root, common.sh and:
#
#   FATHOM_BUILD     build folder with the plugin and the command
#   FATHOM_PRIORITY  priority plugin, by default fathom
#
#   cluster_enter "$@"; cluster_start		once, at a script's beginning; the script starts
#						again inside
#
# Names: $cluster is the temporary folder; user1 to user5 and the accounts A to F are those of
# Slurm's "Classic Fairshare Algorithm" document.

cluster=${FATHOM_CLUSTER-}
cluster_users=(user1 user2 user3 user4 user5)
cluster_patience=300		# seconds that a wait takes at most

### The namespaces

# cluster_possible: succeeds if this user may make the namespaces
cluster_possible ()
{
	((EUID == 0)) && unshare "${cluster_namespaces[@]}" true 2>/dev/null
}

cluster_namespaces=(--mount --propagation private --net --pid --fork --mount-proc)

# cluster_enter ARGUMENT...: outside the cluster, starts the calling script again inside and exits
# with its status; inside, returns. With cluster_keep=yes the script inside ends with cluster_stay,
# and the cluster keeps running.
cluster_enter ()
{
	local status=0

	[[ -z $cluster ]] || { cluster_furnish; return; }
	cluster=$(mktemp -d "${TMPDIR:-/tmp}/fathom.XXXXXX")
	chmod 755 "$cluster"			# jobs of users run in it
	trap cluster_leave EXIT
	trap 'exit 130' INT
	trap 'exit 143' TERM HUP

	cluster_unshare "$@"
	if [[ ${cluster_keep-} ]]; then
		until [[ -e $cluster/stays || ! -d /proc/$cluster_outer ]]; do sleep 0.2; done
		[[ ! -e $cluster/stays ]] || cluster_let_go
	fi
	wait "$cluster_outer" || status=$?
	exit "$status"
}

# cluster_unshare ARGUMENT...: starts the script in the namespaces. The script has the caller's
# stderr, but unshare does not, as it prints an error when its child is killed. Unless the cluster
# is kept, it is killed with the calling script.
cluster_unshare ()
{
	local bond=(setpriv --pdeathsig KILL) kill=(--kill-child)

	[[ ! ${cluster_keep-} ]] || bond=() kill=()
	# shellcheck disable=SC2016	# for the shell inside
	FATHOM_CLUSTER=$cluster \
		"${bond[@]}" setsid unshare "${cluster_namespaces[@]}" "${kill[@]}" -- \
		"$BASH" -c 'exec "$BASH" "$@" 2>&3 3>&-' bash "$0" "$@" 3>&2 2>/dev/null &
	cluster_outer=$!
}

# cluster_stay: keeps the first process inside running, and with it the namespaces
cluster_stay ()
{
	exec </dev/null >"$cluster/log/stay.out" 2>&1
	: >"$cluster/stays"
	while sleep 3600; do :; done
}

# cluster_let_go: makes the commands enter and stop, and exits; the cluster then holds no terminal
# or pipe of the caller.
cluster_let_go ()
{
	local first namespace

	first=$(cluster_first)
	namespace=$(readlink "/proc/$first/ns/pid")
	cat >"$cluster/enter" <<-END
		#!/bin/sh
		exec nsenter --target $first --mount --net --pid env \\
			SLURM_CONF=$cluster/slurm.conf PATH=$cluster/bin:/usr/sbin:/sbin:"\$PATH" \\
			"\${@:-bash}"
	END
	cat >"$cluster/stop" <<-END
		#!/bin/sh
		# another process may have the number by now, but not the namespace
		same () { [ "\$(readlink /proc/$first/ns/pid)" = "$namespace" ]; }
		if same; then kill -KILL $first; fi
		while same; do sleep 0.1; done
		exec rm -rf $cluster
	END
	chmod +x "$cluster/enter" "$cluster/stop"
	trap - EXIT
	disown "$cluster_outer"
	kill -KILL "$cluster_outer"
	exit 0
}

# cluster_leave: kills the first process inside, which ends all others, and removes the folder
cluster_leave ()
{
	local first

	trap '' INT TERM HUP
	if [[ ${cluster_outer-} && -d /proc/$cluster_outer ]]; then
		first=$(cluster_first)
		kill -KILL "${first:-$cluster_outer}" 2>/dev/null || true
		wait "$cluster_outer" 2>/dev/null || true
	fi
	rm -rf "$cluster"
}

# cluster_first: prints the outside number of the first process inside
cluster_first ()
{
	local -a children

	read -ra children <"/proc/$cluster_outer/task/$cluster_outer/children" || true
	echo "${children[0]-}"
}

# cluster_furnish: sets up new namespaces: environment, folders, network and /etc. A test inside a
# running cluster finds this done.
cluster_furnish ()
{
	# settings of the caller for commands of another cluster
	unset "${!SLURM@}" "${!SBATCH@}" "${!SALLOC@}" "${!SRUN@}"
	unset "${!SQUEUE@}" "${!SINFO@}" "${!SCANCEL@}" "${!SPRIO@}"
	umask 022
	ulimit -S -c 0			# no core dumps in the caller's folder
	export SLURM_CONF=$cluster/slurm.conf PATH=$cluster/bin:$PATH:/usr/sbin:/sbin
	[[ ! -d $cluster/bin ]] || return 0

	mkdir "$cluster"/{bin,plugins,run,state,spool,log,private}
	chmod 700 "$cluster/private"
	# with 127.0.0.1 as the only address, name look-ups would take the machine for one without
	# IPv4
	ip link set lo up && ip address add 127.0.0.2/8 dev lo
	# a name service cache would still answer with the machine's users
	[[ ! -d /run/nscd ]] || mount -t tmpfs none /run/nscd
	cluster_etc
}

# cluster_etc: mounts a copy of /etc. A mount of single files would end with the machine's next
# useradd, which replaces the file.
cluster_etc ()
{
	mount -t tmpfs -o mode=755 none "$cluster/private"
	cp -a /etc/. "$cluster/private"
	mount --move "$cluster/private" /etc
	cluster_passwd
	printf '%s\n' 'passwd: files' 'group: files' 'hosts: files dns' >/etc/nsswitch.conf
	echo "127.0.0.1 localhost $(uname -n)" >/etc/hosts
}

cluster_passwd ()
{
	local user id=60000

	for user in "${cluster_users[@]}"; do
		while ((++id)); do
			getent passwd "$id" >/dev/null || getent group "$id" >/dev/null || break
		done
		echo "$user:x:$id:$id::/:/bin/bash" >>/etc/passwd
		echo "$user:x:$id:" >>/etc/group
	done
}

### Daemons

# daemon_start NAME COMMAND...: starts a daemon in the log folder, where core dumps go. Its process
# number is in $cluster/run/NAME, its output in $cluster/log/NAME.out.
daemon_start ()
{
	setsid env --chdir="$cluster/log" "${@:2}" </dev/null >>"$cluster/log/$1.out" 2>&1 &
	echo $! >"$cluster/run/$1"
	disown					# bash must not report its end
}

# daemon_stop NAME [SIGNAL]: ends a daemon and waits until it has ended
daemon_stop ()
{
	local pid

	pid=$(cat "$cluster/run/$1" 2>/dev/null) || return 0
	kill -"${2:-TERM}" "$pid" 2>/dev/null || true
	wait_until daemon_gone "$1" && rm -f "$cluster/run/$1"
}

daemon_gone ()
{
	! daemon_alive "$1"
}

daemon_alive ()
{
	kill -0 "$(cat "$cluster/run/$1" 2>/dev/null)" 2>/dev/null
}

# wait_until COMMAND...: tries COMMAND three times a second, for as long as a busy machine may need
wait_until ()
{
	local last=$((SECONDS + cluster_patience))

	until "$@"; do
		((SECONDS <= last)) || { say "$cluster_patience s were not enough: $*"; return 1; }
		sleep 0.3
	done
}

munge_start ()
{
	(umask 077; head -c 1024 /dev/urandom >"$cluster/private/munge.key")
	daemon_start munged munged --foreground --force --socket="$cluster/munge.sock" \
		--key-file="$cluster/private/munge.key" --pid-file="$cluster/run/munged.pid" \
		--log-file="$cluster/log/munged.log" --seed-file="$cluster/private/munge.seed"
	wait_until test -S "$cluster/munge.sock"
}

# Root needs no password, as only root can reach the socket. Temporary tables are named by process
# numbers, which are the same in every cluster, and so need a folder of their own.
mariadb_start ()
{
	local data=$cluster/private/db temporary=$cluster/private/tmp

	mkdir -p "$temporary"
	if [[ ! -d $data ]]; then
		mariadb-install-db --no-defaults --user=root --datadir="$data" \
			--tmpdir="$temporary" --skip-test-db \
			--skip-name-resolve --force --auth-root-authentication-method=normal \
			>"$cluster/log/mariadb-install-db.out" 2>&1 || return
		cat >"$cluster/private/init.sql" <<-END
			CREATE DATABASE IF NOT EXISTS slurm_acct_db;
			CREATE USER IF NOT EXISTS slurm@127.0.0.1 IDENTIFIED BY 'throwaway';
			GRANT ALL ON slurm_acct_db.* TO slurm@127.0.0.1;
		END
	fi
	daemon_start mariadbd mariadbd --no-defaults --user=root \
		--datadir="$data" --tmpdir="$temporary" \
		--init-file="$cluster/private/init.sql" \
		--socket="$cluster/private/db.sock" --pid-file="$cluster/run/mariadbd.pid" \
		--bind-address=127.0.0.1 --port=3306 --skip-name-resolve \
		--innodb-flush-log-at-trx-commit=0 --innodb-lock-wait-timeout=900
	wait_until port_open 3306
}

# database SQL
database ()
{
	mariadb --no-defaults --socket="$cluster/private/db.sock" --user=root slurm_acct_db \
		--execute="$1"
}

port_open ()
{
	(: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

slurmdbd_start ()
{
	daemon_start slurmdbd slurmdbd -D
	wait_until port_open 6819
}

slurmdbd_stop ()
{
	daemon_stop slurmdbd "$@"
}

# controller_start [OPTION...]: starts slurmctld with these options and waits until it answers
controller_start ()
{
	# shellcheck disable=SC2046	# an option, or none
	daemon_start slurmctld slurmctld -D $(go_on_without_usage "$cluster/state") "$@"
	wait_until controller_answers
}

# go_on_without_usage FOLDER: prints the option with which slurmctld starts as long as the folder
# has no usage: at its first start, or if it was killed before it first saved any. Without the
# option it would end at once then, from 25.05 on.
go_on_without_usage ()
{
	[[ -e $1/assoc_usage ]] || ! slurm_since 25.05 || echo -i
}

controller_answers ()
{
	scontrol ping 2>/dev/null | grep -q UP
}

# controller_stop [SIGNAL]
controller_stop ()
{
	daemon_stop slurmctld "$@"
}

controller_kill ()
{
	controller_stop KILL
}

controller_restart ()
{
	controller_stop && controller_start "$@"
}

# controller_errors: prints errors of slurmctld's log, without those of every cold start, of plugins
# that lack their library, of a slurmd that runs while slurm.conf changes, of jobs whose association
# was deleted, and of connections, which a busy machine or slurmctld's end breaks off. What fathom
# says counts, whatever it is.
controller_errors ()
{
	local harmless='state file|state save file|mpi/|MPI:|High latency for 1000 calls'

	harmless+='|different slurm.conf|agent_fini: left|http_parser|Invalid assoc_ptr'
	harmless+='|slurm_persist_conn|DBD_|slurmdbd|slurm_receive_msg|slurm_msg_sendto'
	harmless+='|Socket timed out|not responding'
	awk -v harmless="$harmless" '/(error|fatal):/ && (/priority\/fathom/ || $0 !~ harmless)' \
		"$cluster/log/slurmctld.log"
}

node_start ()
{
	daemon_start slurmd slurmd -D
}

node_idle ()
{
	[[ $(sinfo --noheader --nodes=localhost --format=%T) == idle ]]
}

### Configuration

# conf_set FILE KEY=VALUE...: replaces or adds the line of each key; "KEY=" removes it. For
# NodeName, PartitionName and Scope, key and name together are the key.
conf_set ()
{
	local file=$1 line key rest

	for line in "${@:2}"; do
		key=${line%%=*}
		case $key in
		NodeName | PartitionName | Scope) key=${line%% *} key="${key%=} " ;;
		*) key+='=' ;;
		esac
		rest=$(awk -v key="${key,,}" 'substr(tolower($0) " ", 1, length(key)) != key' \
			"$file")
		printf '%s\n' "$rest" >"$file"
		[[ $line == *= ]] || printf '%s\n' "$line" >>"$file"
	done
}

# slurm_conf KEY=VALUE...; fathom_conf KEY=VALUE...: take effect with reconfigure or
# controller_restart
slurm_conf ()
{
	conf_set "$cluster/slurm.conf" "$@"
}

fathom_conf ()
{
	[[ -f $cluster/fathom.conf ]] || : >"$cluster/fathom.conf"
	conf_set "$cluster/fathom.conf" "$@"
}

# reconfigure: runs scontrol reconfigure and waits for it. scontrol does not wait until the plugin
# has read fathom.conf or, from 23.11 on, until a new slurmctld takes over.
reconfigure ()
{
	local starts reads

	starts=$(controller_starts) reads=$(plugin_reads)
	scontrol reconfigure || return
	if slurm_since 23.11; then
		wait_until controller_started_since "$starts"
	elif grep -q '^PriorityType=priority/fathom' "$cluster/slurm.conf"; then
		wait_until plugin_has_read_since "$reads"
	fi
}

# plugin_reads: how often the plugin has told which settings are in force
plugin_reads ()
{
	grep -c 'priority/fathom: policy ' "$cluster/log/slurmctld.log" || true
}

plugin_has_read_since ()
{
	(($(plugin_reads) > $1))
}

controller_starts ()
{
	grep -c 'Running as primary controller' "$cluster/log/slurmctld.log"
}

controller_started_since ()
{
	(($(controller_starts) > $1)) && controller_answers
}

# slurm_since RELEASE: succeeds if the cluster's Slurm is this release, such as 24.05, or later
slurm_since ()
{
	printf '%s\n' "$1" "$(slurmctld -V | awk '{ print $NF }')" |
		sort --check=silent --version-sort
}

# conf_base: writes the configuration. Passes are every two seconds, to make tests short.
conf_base ()
{
	cat >"$cluster/slurm.conf" <<-END
		ClusterName=lab
		SlurmctldHost=localhost
		SlurmUser=root
		SlurmdUser=root
		AuthType=auth/munge
		AuthInfo=socket=$cluster/munge.sock
		AccountingStorageType=accounting_storage/slurmdbd
		AccountingStorageHost=localhost
		AccountingStoragePass=$cluster/munge.sock
		AccountingStorageEnforce=associations,limits,qos
		JobAcctGatherType=jobacct_gather/none
		ProctrackType=proctrack/linuxproc
		TaskPlugin=task/none
		MpiDefault=none
		MailProg=/bin/true
		SelectType=select/cons_tres
		SelectTypeParameters=CR_CPU
		StateSaveLocation=$cluster/state
		SlurmdSpoolDir=$cluster/spool
		SlurmctldPidFile=$cluster/run/slurmctld.pid
		SlurmdPidFile=$cluster/run/slurmd.pid
		SlurmctldLogFile=$cluster/log/slurmctld.log
		SlurmdLogFile=$cluster/log/slurmd.log
		SlurmdParameters=config_overrides
		ReturnToService=2
		SchedulerType=sched/backfill
		SchedulerParameters=batch_sched_delay=0,sched_interval=2,bf_interval=5
		PluginDir=$(cluster_plugins)
		PriorityType=priority/${FATHOM_PRIORITY:-fathom}
		PriorityCalcPeriod=1
		PriorityDecayHalfLife=7-0
		PriorityMaxAge=7-0
		PriorityWeightFairshare=100000
		PriorityWeightAge=1000
		DebugFlags=Priority
		NodeName=localhost CPUs=64 RealMemory=64000 State=UNKNOWN
		PartitionName=all Nodes=ALL Default=YES State=UP MaxTime=INFINITE DefaultTime=60
	END
	printf 'CalcPeriod=2\n' >"$cluster/fathom.conf"
	# The default plugin would make a scope of the machine's systemd; no cgroup is needed here.
	# Up to 23.11 "disabled" is unknown, but cgroup/v1 does nothing either.
	if slurm_since 24.05; then
		echo CgroupPlugin=disabled
	else
		echo CgroupPlugin=cgroup/v1
	fi >"$cluster/cgroup.conf"
	cat >"$cluster/slurmdbd.conf" <<-END
		DbdHost=localhost
		AuthType=auth/munge
		AuthInfo=socket=$cluster/munge.sock
		SlurmUser=root
		StorageType=accounting_storage/mysql
		StorageHost=127.0.0.1
		StoragePort=3306
		StorageUser=slurm
		StoragePass=throwaway
		StorageLoc=slurm_acct_db
		PidFile=$cluster/run/slurmdbd.pid
		LogFile=$cluster/log/slurmdbd.log
	END
	chmod 600 "$cluster/slurmdbd.conf"
}

# cluster_install: copies the programs into the cluster, as its users may not be able to read the
# build folder.
cluster_install ()
{
	local command=$FATHOM_BUILD/src/cli/fathom

	# where libtool has made a wrapper script, the program is in .libs
	[[ ! -f ${command%/*}/.libs/fathom ]] || command=${command%/*}/.libs/fathom
	cp "$command" "$cluster/bin/"
	cp "$FATHOM_BUILD/plugins/slurm/.libs/priority_fathom.so" "$cluster/plugins/"
	# built by make check
	[[ ! -f $FATHOM_BUILD/tests/live/.libs/site_factor_example.so ]] ||
		cp "$FATHOM_BUILD/tests/live/.libs/site_factor_example.so" "$cluster/plugins/"
}

# cluster_plugins: installs the plugin and prints the folders for PluginDir
cluster_plugins ()
{
	[[ ! -d ${FATHOM_BUILD-} ]] || cluster_install
	echo "$cluster/plugins:$(slurm_plugins)"
}

# slurm_plugins: prints the folder of the installed Slurm's own plugins
slurm_plugins ()
{
	local prefix stock

	prefix=$(PATH=$PATH:/usr/sbin:/sbin command -v slurmctld) prefix=${prefix%/sbin/*}
	for stock in {"$prefix",/usr,/usr/local}/lib{/*/slurm-wlm,64/slurm,/*/slurm,/slurm}; do
		[[ ! -f $stock/priority_multifactor.so ]] || break
	done
	echo "$stock"
}

### Accounts, users, jobs

# cluster_tree: prints the tree of the document for sacctmgr load. The user root has no shares.
cluster_tree ()
{
	cat <<-END
		Cluster - 'lab':Fairshare=1:QOS='normal'
		Parent - 'root'
		User - 'root':DefaultAccount='root':AdminLevel='Administrator':Fairshare=0
		Account - 'A':Description='A':Organization='lab':Fairshare=40
		Account - 'D':Description='D':Organization='lab':Fairshare=60
		Parent - 'A'
		Account - 'B':Description='B':Organization='lab':Fairshare=30
		Account - 'C':Description='C':Organization='lab':Fairshare=10
		Parent - 'D'
		Account - 'E':Description='E':Organization='lab':Fairshare=25
		Account - 'F':Description='F':Organization='lab':Fairshare=35
		Parent - 'B'
		User - 'user1':DefaultAccount='B':Fairshare=1
		Parent - 'C'
		User - 'user2':DefaultAccount='C':Fairshare=1
		User - 'user3':DefaultAccount='C':Fairshare=1
		Parent - 'E'
		User - 'user4':DefaultAccount='E':Fairshare=1
		Parent - 'F'
		User - 'user5':DefaultAccount='F':Fairshare=1
	END
}

# add_account NAME PARENT [KEY=VALUE...], add_user NAME ACCOUNT [KEY=VALUE...]: keys are those of
# sacctmgr
add_account ()
{
	sacctmgr -iQ add account "$1" parent="$2" "${@:3}" >/dev/null
}

add_user ()
{
	sacctmgr -iQ add user "$1" account="$2" "${@:3}" >/dev/null
}

# as_user USER COMMAND...
as_user ()
{
	setpriv --reuid="$1" --regid="$1" --clear-groups "${@:2}"
}

# submit USER OPTION...: submits a batch job and prints its number. The job sleeps until it is
# cancelled, or runs COMMAND with --wrap COMMAND.
submit ()
{
	local wrap=(--wrap 'sleep infinity')

	[[ " ${*:2} " != *' --wrap'* ]] || wrap=()
	as_user "$1" sbatch --parsable --chdir=/ --output=/dev/null "${@:2}" "${wrap[@]}"
}

# job_field JOB FIELD: prints a field of scontrol show job
job_field ()
{
	scontrol --oneliner show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p" | head -n 1
}

job_is ()
{
	[[ $(job_field "$1" JobState 2>/dev/null) == "$2" ]]
}

# wait_for_job JOB STATE
wait_for_job ()
{
	wait_until job_is "$1" "$2"
}

# wait_for_ends JOB...: until all have run to their ends
wait_for_ends ()
{
	local job

	for job; do
		wait_for_job "$job" COMPLETED
	done
}

no_jobs ()
{
	[[ -z $(squeue --noheader) ]]
}

cancel_all ()
{
	local state

	for state in PENDING RUNNING SUSPENDED; do
		scancel --quiet --state="$state"
	done
	wait_until no_jobs
}

# last_pass: prints when the last pass ended: when fathom saved usage, or multifactor the time of
# its pass. fathom also writes multifactor's file, but at other times.
last_pass ()
{
	local state=$cluster/state

	if grep -q '^PriorityType=priority/fathom' "$cluster/slurm.conf"; then
		stat -c %y "$state/fathom_usage" 2>/dev/null
	else
		stat -c %y "$state/priority_last_decay_ran" 2>/dev/null
	fi
}

pass_after ()
{
	[[ $(last_pass) > $1 ]]
}

# wait_for_pass: waits until a pass that began after the call has ended; so it waits for the end of
# two passes
wait_for_pass ()
{
	wait_until pass_after "$(last_pass)" && wait_until pass_after "$(last_pass)"
}

### The whole cluster

# cluster_start [KEY=VALUE...]: starts the cluster, with these lines in slurm.conf
cluster_start ()
{
	conf_base
	slurm_conf "$@"
	cluster_tree >"$cluster/tree"
	cluster_daemons || { cluster_logs; die 1 "the cluster did not start, see above"; }
}

cluster_daemons ()
{
	munge_start && mariadb_start && slurmdbd_start &&
		sacctmgr -iQ load file="$cluster/tree" >"$cluster/log/tree.out" 2>&1 &&
		sacctmgr -Q dump lab file="$cluster/tree.dump" >/dev/null 2>&1 &&
		controller_start -c && node_start && wait_until node_idle
}

# cluster_reset [KEY=VALUE...]: brings the cluster to the state after cluster_start, whatever a test
# has done, in two or three seconds
cluster_reset ()
{
	cluster_reset_steps "$@" || {
		cluster_logs
		die 1 "the cluster cannot be used again, see above"
	}
}

# Jobs are cancelled while slurmctld runs; otherwise the database would keep them as running, and
# their accounts. If slurmctld does not run, a test's slurm.conf may be the reason, so that it is
# written again first. slurmd begins anew, as it keeps its spool folder and the jobs that it had.
cluster_reset_steps ()
{
	daemon_alive slurmdbd || slurmdbd_start || return
	daemon_alive slurmctld || { conf_base && controller_start; } || return
	daemon_alive slurmd || node_start || return
	cancel_all || return
	controller_stop || return
	daemon_stop slurmd || return

	rm -rf "$cluster"/state/*
	chmod 755 "$cluster/state"
	: >"$cluster/log/slurmctld.log"
	conf_base
	slurm_conf "$@"
	tree_reset && controller_start -c && node_start && wait_until node_idle
}

# tree_reset: deletes the QOS that tests have added, and loads the tree again if a test has changed
# it, as loading takes a second
tree_reset ()
{
	local now=$cluster/run/tree added

	added=$(sacctmgr -nP show qos format=name | grep -vx normal | paste -sd ,)
	[[ ! $added ]] || sacctmgr -iQ delete qos "$added" >/dev/null || return
	[[ $(sacctmgr -nP show qos normal format=priority) == 0 ]] ||
		sacctmgr -iQ modify qos normal set priority=0 >/dev/null || return
	sacctmgr -Q dump lab file="$now" >/dev/null 2>&1 || return
	cmp -s "$now" "$cluster/tree.dump" ||
		sacctmgr -iQ load clean file="$cluster/tree" >"$cluster/log/tree.out" 2>&1
}

# cluster_stop: ends the daemons in an order that lets them save their state. (They also end with
# the script.)
cluster_stop ()
{
	local name

	for name in slurmd slurmctld slurmdbd mariadbd munged; do
		daemon_stop "$name"
	done
}

cluster_logs ()
{
	tail -n 15 "$cluster"/log/* >&2
}
