# SPDX-License-Identifier: GPL-2.0-or-later
# shellcheck shell=bash
# A throwaway Slurm cluster on one machine: munged, MariaDB, slurmdbd, slurmctld and slurmd as one node with
# 64 pretended CPUs, in a temporary folder and in namespaces of its own:
#
#   mounts      a copy of /etc, in memory; user1 to user5 exist only in it
#   network     a loopback of its own, so that every port is free and nobody else can connect
#   processes   the kernel ends all of them together with the first
#
# Nothing of the machine's own Slurm or MariaDB is read or written. Needs root, common.sh and:
#
#   FATHOM_BUILD     build folder with the plugin and the command
#   FATHOM_PRIORITY  priority plugin, by default fathom
#
#   cluster_enter "$@"; cluster_start		once, at a script's beginning; the script starts anew inside
#
# Names: $cluster is the temporary folder; user1 to user5 and the accounts A to F are those of Slurm's
# "Classic Fairshare Algorithm" document.

cluster=${FATHOM_CLUSTER-}
cluster_users=(user1 user2 user3 user4 user5)

### The namespaces

# cluster_possible: may this user make the namespaces here?
cluster_possible ()
{
	((EUID == 0)) && unshare "${cluster_namespaces[@]}" true 2>/dev/null
}

cluster_namespaces=(--mount --propagation private --net --pid --fork --mount-proc)

# cluster_enter ARGUMENT...: starts the calling script anew inside and exits with its status; inside, goes on.
# With cluster_keep=yes the script inside ends with cluster_stay, and the cluster outlives it.
cluster_enter ()
{
	local status=0

	[[ -z $cluster ]] || { cluster_furnish; return; }
	cluster=$(mktemp -d "${TMPDIR:-/tmp}/fathom.XXXXXX")
	chmod 755 "$cluster"			# jobs run below it, as users
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

# The script inside has the caller's stderr, but unshare has not: it complains when what it started was killed.
# Unless the cluster is to be kept, it dies with the calling script, even if that is killed.
cluster_unshare ()
{
	local bond=(setpriv --pdeathsig KILL) kill=(--kill-child)

	[[ ! ${cluster_keep-} ]] || bond=() kill=()
	# shellcheck disable=SC2016	# for the shell inside
	FATHOM_CLUSTER=$cluster "${bond[@]}" setsid unshare "${cluster_namespaces[@]}" "${kill[@]}" -- \
		"$BASH" -c 'exec "$BASH" "$@" 2>&3 3>&-' bash "$0" "$@" 3>&2 2>/dev/null &
	cluster_outer=$!
}

# cluster_stay: the first process inside goes on, to keep the namespaces and to bury the dead
cluster_stay ()
{
	exec </dev/null >"$cluster/log/stay.out" 2>&1
	: >"$cluster/stays"
	while sleep 3600; do :; done
}

# Leaves two commands behind; without its parent the cluster holds no terminal or pipe of the caller.
cluster_let_go ()
{
	local first namespace

	first=$(cluster_first)
	namespace=$(readlink "/proc/$first/ns/pid")
	cat >"$cluster/enter" <<-END
		#!/bin/sh
		exec nsenter --target $first --mount --net --pid env SLURM_CONF=$cluster/slurm.conf PATH=$cluster/bin:/usr/sbin:/sbin:"\$PATH" "\${@:-bash}"
	END
	cat >"$cluster/stop" <<-END
		#!/bin/sh
		# the number may be another process's by now, the namespace cannot
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

# The first process inside takes all others with it, and unshare ends when they are gone.
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

# cluster_first: the first process inside, by its number outside
cluster_first ()
{
	local -a children

	read -ra children <"/proc/$cluster_outer/task/$cluster_outer/children" || true
	echo "${children[0]-}"
}

# What a fresh set of namespaces still needs; a test inside a cluster that runs already finds it done.
cluster_furnish ()
{
	# the caller's settings for another cluster's commands
	unset "${!SLURM@}" "${!SBATCH@}" "${!SALLOC@}" "${!SRUN@}" "${!SQUEUE@}" "${!SINFO@}" "${!SCANCEL@}" "${!SPRIO@}"
	umask 022
	ulimit -S -c 0			# a command would leave its core dump in the caller's folder
	export SLURM_CONF=$cluster/slurm.conf PATH=$cluster/bin:$PATH:/usr/sbin:/sbin
	[[ ! -d $cluster/bin ]] || return 0

	mkdir "$cluster"/{bin,plugins,run,state,spool,log,private}
	chmod 700 "$cluster/private"
	# name look-ups want an address besides 127.0.0.1, or they take the machine for one without IPv4
	ip link set lo up && ip address add 127.0.0.2/8 dev lo
	# a name service cache would go on telling of the machine's own users
	[[ ! -d /run/nscd ]] || mount -t tmpfs none /run/nscd
	cluster_etc
}

# The folder as a whole: a mount on a file of it would end with the machine's next useradd, which renames another
# file over that one.
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

# daemon_start NAME COMMAND...: the process number is in $cluster/run/NAME, what it says in $cluster/log/NAME.out.
# It works in the log folder, where its core dump would go.
daemon_start ()
{
	setsid env --chdir="$cluster/log" "${@:2}" </dev/null >>"$cluster/log/$1.out" 2>&1 &
	echo $! >"$cluster/run/$1"
	disown					# or bash would tell of its end
}

# daemon_stop NAME [SIGNAL]: ends it and waits until it is gone
daemon_stop ()
{
	local pid

	pid=$(cat "$cluster/run/$1" 2>/dev/null) || return 0
	kill -"${2:-TERM}" "$pid" 2>/dev/null || true
	wait_until 60 daemon_gone "$1"
	rm -f "$cluster/run/$1"
}

daemon_gone ()
{
	! daemon_alive "$1"
}

daemon_alive ()
{
	kill -0 "$(cat "$cluster/run/$1" 2>/dev/null)" 2>/dev/null
}

# wait_until SECONDS COMMAND...: tries COMMAND ten times a second
wait_until ()
{
	local last=$((SECONDS + $1))

	until "${@:2}"; do
		((SECONDS <= last)) || return 1
		sleep 0.1
	done
}

munge_start ()
{
	(umask 077; head -c 1024 /dev/urandom >"$cluster/private/munge.key")
	daemon_start munged munged --foreground --force --socket="$cluster/munge.sock" \
		--key-file="$cluster/private/munge.key" --pid-file="$cluster/run/munged.pid" \
		--log-file="$cluster/log/munged.log" --seed-file="$cluster/private/munge.seed"
	wait_until 10 test -S "$cluster/munge.sock"
}

# The socket is in a folder for root alone, and so root needs no password. Temporary tables are named by process,
# whose number another cluster's has too.
mariadb_start ()
{
	local data=$cluster/private/db temporary=$cluster/private/tmp

	mkdir -p "$temporary"
	if [[ ! -d $data ]]; then
		mariadb-install-db --no-defaults --user=root --datadir="$data" --tmpdir="$temporary" --skip-test-db \
			--skip-name-resolve --force --auth-root-authentication-method=normal \
			>"$cluster/log/mariadb-install-db.out" 2>&1 || return
		cat >"$cluster/private/init.sql" <<-END
			CREATE DATABASE IF NOT EXISTS slurm_acct_db;
			CREATE USER IF NOT EXISTS slurm@127.0.0.1 IDENTIFIED BY 'throwaway';
			GRANT ALL ON slurm_acct_db.* TO slurm@127.0.0.1;
		END
	fi
	daemon_start mariadbd mariadbd --no-defaults --user=root --datadir="$data" --tmpdir="$temporary" \
		--init-file="$cluster/private/init.sql" \
		--socket="$cluster/private/db.sock" --pid-file="$cluster/run/mariadbd.pid" --bind-address=127.0.0.1 --port=3306 \
		--skip-name-resolve --innodb-flush-log-at-trx-commit=0 --innodb-lock-wait-timeout=900
	wait_until 60 port_open 3306
}

port_open ()
{
	(: <"/dev/tcp/127.0.0.1/$1") 2>/dev/null
}

slurmdbd_start ()
{
	daemon_start slurmdbd slurmdbd -D
	wait_until 60 port_open 6819
}

slurmdbd_stop ()
{
	daemon_stop slurmdbd "$@"
}

# controller_start [OPTION...]: of slurmctld; waits until it answers
controller_start ()
{
	daemon_start slurmctld slurmctld -D "$@"
	wait_until 60 controller_answers
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

# controller_errors: without those of every cold start, of plugins that lack their library, of a slurmd that has run
# through changes of slurm.conf, of messages that were on their way at its end, and of jobs whose association is gone
controller_errors ()
{
	grep -E '(error|fatal):' "$cluster/log/slurmctld.log" | grep -vE 'state file|state save file|mpi/|MPI:|High latency for 1000 calls|different slurm.conf|agent_fini: left|http_parser|slurm_persist_conn_recv_server_fini|Invalid assoc_ptr'
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

# conf_set FILE KEY=VALUE...: each takes the place of the line that has the key; "KEY=" takes it away.
# Where a line names a thing (PartitionName=, Scope=), key and name together are the key.
conf_set ()
{
	local file=$1 line key rest

	for line in "${@:2}"; do
		key=${line%%=*}
		case $key in
		NodeName | PartitionName | Scope) key=${line%% *} key="${key%=} " ;;
		*) key+='=' ;;
		esac
		rest=$(awk -v key="${key,,}" '{ start = substr(tolower($0) " ", 1, length(key)) } start != key' "$file")
		printf '%s\n' "$rest" >"$file"
		[[ $line == *= ]] || printf '%s\n' "$line" >>"$file"
	done
}

# slurm_conf KEY=VALUE...; fathom_conf KEY=VALUE...: take effect with reconfigure or controller_restart
slurm_conf ()
{
	conf_set "$cluster/slurm.conf" "$@"
}

fathom_conf ()
{
	[[ -f $cluster/fathom.conf ]] || : >"$cluster/fathom.conf"
	conf_set "$cluster/fathom.conf" "$@"
}

# From 23.11 on another process takes over, which scontrol does not wait for.
reconfigure ()
{
	local starts

	starts=$(controller_starts)
	scontrol reconfigure || return
	! slurm_since 23.11 || wait_until 60 controller_started_since "$starts"
}

controller_starts ()
{
	grep -c 'Running as primary controller' "$cluster/log/slurmctld.log"
}

controller_started_since ()
{
	(($(controller_starts) > $1)) && controller_answers
}

# slurm_since RELEASE: is the Slurm of the cluster that release, such as 24.05, or a later one?
slurm_since ()
{
	printf '%s\n' "$1" "$(slurmctld -V | awk '{ print $NF }')" | sort --check=silent --version-sort
}

# fathom's calc period is in seconds, Slurm's in minutes; a pass every two seconds makes tests short.
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
	# Found by itself, it would be the one that has the machine's systemd make a scope; nothing here needs any.
	# Up to 23.11 the other word is not known, but v1 does nothing until it is asked to.
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

# Copies, since users inside must be able to read them, wherever the build folder is.
cluster_install ()
{
	local command=$FATHOM_BUILD/src/cli/fathom

	# libtool leaves a script in place of a program that needs a library from the build folder
	[[ ! -f ${command%/*}/.libs/fathom ]] || command=${command%/*}/.libs/fathom
	cp "$command" "$cluster/bin/"
	cp "$FATHOM_BUILD/plugins/slurm/.libs/priority_fathom.so" "$cluster/plugins/"
	# of make check
	[[ ! -f $FATHOM_BUILD/tests/live/.libs/site_factor_example.so ]] ||
		cp "$FATHOM_BUILD/tests/live/.libs/site_factor_example.so" "$cluster/plugins/"
}

# cluster_plugins: the folders for PluginDir
cluster_plugins ()
{
	[[ ! -d ${FATHOM_BUILD-} ]] || cluster_install
	echo "$cluster/plugins:$(slurm_plugins)"
}

# slurm_plugins: the folder of the installed Slurm's own plugins
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

# The tree of the document, in the form of sacctmgr load. Root's own user has no share of it.
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

# add_account NAME PARENT [KEY=VALUE...]; add_user NAME ACCOUNT [KEY=VALUE...]: as sacctmgr takes them
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

# submit USER OPTION...: submits a batch job, prints its number; by default it sleeps until it is cancelled.
# A script of one's own: --wrap COMMAND
submit ()
{
	local wrap=(--wrap 'sleep infinity')

	[[ " ${*:2} " != *' --wrap'* ]] || wrap=()
	as_user "$1" sbatch --parsable --chdir=/ --output=/dev/null "${@:2}" "${wrap[@]}"
}

# job_field JOB FIELD: as scontrol show job names it
job_field ()
{
	scontrol --oneliner show job "$1" | tr ' ' '\n' | sed -n "s/^$2=//p" | head -n 1
}

job_is ()
{
	[[ $(job_field "$1" JobState 2>/dev/null) == "$2" ]]
}

# wait_for_job JOB STATE [SECONDS]
wait_for_job ()
{
	wait_until "${3:-30}" job_is "$1" "$2"
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
	wait_until 60 no_jobs
}

# A pass ends when it has saved: fathom its usage, multifactor when it ran. fathom writes that as well, when
# slurmctld dumps usage.
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

# wait_for_pass [SECONDS]: until a pass that began after the call is over, hence two ends
wait_for_pass ()
{
	wait_until "${1:-130}" pass_after "$(last_pass)" && wait_until "${1:-130}" pass_after "$(last_pass)"
}

### The whole

# cluster_start [KEY=VALUE...]: lines of slurm.conf besides the usual ones
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
		controller_start -c && node_start && wait_until 30 node_idle
}

# cluster_reset [KEY=VALUE...]: as after cluster_start, in two or three seconds, whatever a test left behind
cluster_reset ()
{
	cluster_reset_steps "$@" || { cluster_logs; die 1 "the cluster cannot be used again, see above"; }
}

# Jobs end under a controller, or the database would take them for running and keep their accounts. One that is
# not alive may have met a configuration that it cannot start with.
cluster_reset_steps ()
{
	daemon_alive slurmdbd || slurmdbd_start || return
	daemon_alive slurmctld || { conf_base && controller_start; } || return
	daemon_alive slurmd || node_start || return
	cancel_all || return
	controller_stop || return

	rm -rf "$cluster"/state/*
	: >"$cluster/log/slurmctld.log"
	conf_base
	slurm_conf "$@"
	tree_reset && controller_start -c && wait_until 30 node_idle
}

# Loading takes a second, so only when something was changed.
tree_reset ()
{
	local now=$cluster/run/tree

	sacctmgr -Q dump lab file="$now" >/dev/null 2>&1 || return
	cmp -s "$now" "$cluster/tree.dump" ||
		sacctmgr -iQ load clean file="$cluster/tree" >"$cluster/log/tree.out" 2>&1
}

# The exit of the script's first process would do; this order lets them save their state.
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
