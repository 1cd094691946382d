#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom doctor on made hosts: each is a folder with slurm.conf, fathom.conf, plugins and a state
# folder. A stand-in for ssh runs the real fathom doctor on the folder of its host.
# shellcheck disable=SC2317	# functions are called by break_and_see
. "${srcdir:=.}/tests/cli/lib.sh"
: "${builddir:=.}"
export FATHOM work

# make_host NAME: all is well there
make_host ()
{
	rm -rf "${work:?}/$1"
	mkdir -p "$work/$1/plugins" "$work/$1/state"
	chmod 755 "$work/$1" "$work/$1/plugins" "$work/$1/state"
	for plugin in fathom multifactor; do
		cp "$builddir/tests/cli/.libs/plugin_example.so" \
			"$work/$1/plugins/priority_$plugin.so"
	done
	chmod 644 "$work/$1"/plugins/*
	printf 'Policy=lsf\n' >"$work/$1/fathom.conf"
	printf '%s\n' "PluginDir=$work/$1/plugins" "StateSaveLocation=$work/$1/state" \
		"SlurmUser=$(id -un)" AuthType=auth/none >"$work/$1/slurm.conf"
}

mkdir "$work/bin"
cat >"$work/bin/ssh" <<'END'
#!/bin/sh
echo "$@" >>"$work/calls"
while [ "$1" != fathom ]; do
	host=$1
	shift
done
[ ! -x "$work/$host/instead" ] || exec "$work/$host/instead"
shift
exec "$FATHOM" "$@" --slurm-conf "$work/$host/slurm.conf"
END
chmod +x "$work/bin/ssh"
PATH=$work/bin:$PATH

# doctor [ARGUMENT...]: checks the host "own" by its files, and others
doctor ()
{
	fathom doctor --slurm-conf "$work/own/slurm.conf" "$@"
}

# faults [HOST...]: what is wrong, "HOST:CHECK", with the name of this host left out; the status
faults ()
{
	said=$(doctor --parsable "$@")
	status=$?
	echo "$said" | awk -F '|' -v own="$(uname -n)" '$3 == "wrong" {
		printf "%s:%s ", $1 == own ? "" : $1, $2 }'
	echo $status
}

# fix_of CHECK [HOST...]: what to do
fix_of ()
{
	fix_check=$1
	shift
	doctor --parsable "$@" | sed -n "s/^[^|]*|$fix_check|wrong|.*\\. Fix: //p"
}

# break_and_see TEXT FAULTS COMMAND...: after the command on a good host "own" and "b"
break_and_see ()
{
	break_text=$1 break_faults=$2
	shift 2
	make_host own && make_host b
	"$@"
	is "$break_text" "$(faults b)" "$break_faults"
}

for host in own b c; do make_host $host; done
is "nothing is wrong on three good hosts" "$(faults b c)" "0"
is "each check has its line on each" "$(doctor -P b | sed 1d | cut -d '|' -f 1-3 |
	sed 's/^[^b][^|]*|/own|/' | paste -sd ' ' -)" "$(for host in own b; do
		for check in plugin release build rights fathom.conf "state folder"; do
			echo "$host|$check|well"
		done
	done | paste -sd ' ' -)"
is "--faults leaves out what is well" "$(doctor --faults)" ""
is "ssh must ask for nothing" "$(tail -n 1 "$work/calls")" \
	"-o BatchMode=yes -o ConnectTimeout=10 b fathom doctor --json"
: >"$work/calls"
is "lists of hosts, each host once" "$(make_host n1; make_host n2; faults n[1-2] n1)" 0
is "as many calls" "$(wc -l <"$work/calls")" 2

### Each fault

break_and_see "no plugin" ":plugin 1" rm "$work/own/plugins/priority_fathom.so"
break_and_see "no plugin on another host" "b:plugin 1" rm "$work/b/plugins/priority_fathom.so"
break_and_see "a plugin of another release" "b:release 1" \
	cp "$builddir/tests/cli/.libs/plugin_newer.so" "$work/b/plugins/priority_fathom.so"
like "names both releases" "$(doctor -P b)" "*it is for Slurm *, and must be for *"
add_byte ()
{
	printf x >>"$work/b/plugins/priority_fathom.so"
}
break_and_see "changed bytes" "b:build 1" add_byte
no_plugin ()
{
	echo no plugin >"$work/own/plugins/priority_fathom.so"
}
break_and_see "a file that is no plugin" ":release 1" no_plugin
break_and_see "a plugin that every user may write" ":rights 1" \
	chmod o+w "$work/own/plugins/priority_fathom.so"
like "what to do" "$(fix_of rights)" "chmod 644 $work/own/plugins/priority_fathom.so"
break_and_see "a folder that every user may write" "b:rights 1" chmod o+w "$work/b/plugins"
break_and_see "a plugin that users may not read" "b:rights 1" \
	chmod o-r "$work/b/plugins/priority_fathom.so"
other_conf ()
{
	echo Policy=fair-tree >"$work/b/fathom.conf"
}
break_and_see "another fathom.conf" "b:fathom.conf 1" other_conf
break_and_see "a fathom.conf that every user may write" "b:fathom.conf 1" \
	chmod o+w "$work/b/fathom.conf"
adjust_by ()
{
	for host in own b; do echo "Adjust=$work/adjust.so" >>"$work/$host/fathom.conf"; done
	echo >"$work/adjust.so"
	chmod o+w "$work/adjust.so"
}
break_and_see "an object of Adjust that every user may write" ":fathom.conf b:fathom.conf 1" \
	adjust_by
conf_is_pipe ()
{
	rm "$work/b/fathom.conf"
	mkfifo "$work/b/fathom.conf"
}
break_and_see "a pipe in place of fathom.conf" "b:fathom.conf 1" conf_is_pipe
break_and_see "a host without fathom.conf" "0" rm "$work/b/fathom.conf"
break_and_see "a state folder for everybody" ":state folder 1" chmod o+w "$work/own/state"
break_and_see "a state folder for nobody" ":state folder 1" chmod u-w "$work/own/state"
break_and_see "a state folder of somebody else" ":state folder 1" \
	sed -i "s/^SlurmUser=.*/SlurmUser=$(getent passwd | cut -d : -f 1 |
		grep -vx "$(id -un)" | head -n 1)/" "$work/own/slurm.conf"
ctld_is_here ()
{
	sed -i "1i SlurmctldHost=other\nSlurmctldHost=$(uname -n | cut -d . -f 1)(127.0.0.1)" \
		"$work/own/slurm.conf"
	rmdir "$work/own/state"
}
break_and_see "no state folder" "0" rmdir "$work/own/state"
break_and_see "no state folder on a host of slurmctld" ":state folder 1" ctld_is_here
break_and_see "SlurmUser as a number" "0" \
	sed -i "s/^SlurmUser=.*/SlurmUser=$(id -u)/" "$work/own/slurm.conf"
like "it is known, too" "$(doctor -P)" "*|state folder|well|only $(id -un) may write *"
munge_of ()
{
	sed -i "s|^AuthType=.*|AuthType=auth/munge\\nAuthInfo=ttl=9,socket=$work/none,x=y|" \
		"$work/own/slurm.conf"
}
break_and_see "no munged" ":munge 1" munge_of
like "names its socket" "$(doctor -P)" "*|munge|wrong|$work/none: *"

### Another release of Slurm

make_host own && make_host b
release=$(doctor -P | sed -n 's/.*|it is for Slurm //p')
is "the plugin in place is one for that release" "$(faults --slurm "$release" b)" 0
like "other hosts are asked the same" "$(tail -n 1 "$work/calls")" \
	"* b fathom doctor --json --slurm $release"
is "or it is not" "$(faults --slurm 99.11.1 b)" ":release b:release 1"
rm "$work/own/plugins/priority_multifactor.so"
like "without Slurm's own plugins it is not known" "$(doctor -P)" "*|release|unknown|*"
is "which is no fault" "$(faults)" 0

### JSON

make_host own && make_host b
other_conf
doctor --json b >"$work/json"
is "JSON has each host once" "$(grep -c '"host": ' "$work/json")" 2
is "JSON has the same checks" "$(grep -c '"code": ' "$work/json")" 12
is "of which one has found a fault" "$(grep -c '"ok": false' "$work/json")" 1
like "with what to do" "$(sed -n '/{"host": "b"/,$p' "$work/json" | grep '"ok": false')" \
	'*"code": "fathom.conf", *"fix": "copy *'
like "it is a document" "$(head -n 1 "$work/json")" '{"format": "fathom-doctor", "version": 1,'

### Hosts that do not answer

# answers TEXT WORDS COMMAND [SECONDS]: of host b, instead of fathom's answer, and how long to wait
answers ()
{
	printf '#!/bin/sh\n%s\n' "$3" >"$work/b/instead"
	chmod +x "$work/b/instead"
	like "$1" "$(doctor --wait "${4-60}" -P b | grep '^b|')" "$2"
	doctor --wait "${4-60}" b >"$work/out"
	is "$1: status" $? 1
}

answers "no connection" "b|answer|wrong|ssh: port 22: refused. Fix: let ssh *" \
	'echo banner >&2; echo "ssh: port 22: refused" >&2; exit 255'
answers "a sentence" "b|answer|wrong|Host key verification failed. Fix: let ssh *" \
	'echo "Host key verification failed." >&2; exit 255'
answers "no fathom" "b|answer|wrong|sh: fathom: not found. Fix: install *" \
	'echo "sh: fathom: not found" >&2; exit 127'
answers "an older fathom" "b|answer|wrong|fathom: doctor: unknown *. Fix: run *" \
	'echo "fathom: doctor: unknown command" >&2; exit 2'
answers "no end" "b|answer|wrong|no whole answer in time. Fix: *" 'exec sleep 60' 1
answers "no JSON" "b|answer|wrong|welcome. Fix: *" 'echo a remark >&2; echo welcome'
answers "no checks" "b|answer|wrong|no answer. Fix: *" \
	'echo "{\"format\": \"fathom-doctor\", \"version\": 1, \"hosts\": []}"'
answers "an odd answer" "b|answer|wrong|*'ok' must be true, false or null*" \
	"sed 's/: false/: 0/' '$work/json'"
answers "a wrong check" "b|answer|wrong|*checks?0? is not an object*" \
	"sed 's/\"checks\": \[/&1, /' '$work/json'"
answers "too much" "b|answer|wrong|*" 'cat /dev/zero'
printf '#!/bin/sh\n%s\n' 'echo welcome; echo a remark >&2
	exec "$FATHOM" doctor --json --slurm-conf "$work/b/slurm.conf"' >"$work/b/instead"
is "what a shell prints at its start is not part of the answer" "$(faults b)" "b:fathom.conf 1"
is "without the command ssh" "$(PATH=$work doctor -P b | sed -n 's/^b|//p')" \
	"answer|wrong|ssh: No such file or directory. Fix: let ssh -o BatchMode=yes log in there, \
or use --via srun"

### Wrong use

rejects "no name" "fathom: '' is no name of a host" doctor ""
rejects "a name that is an option" "fathom: '-oProxyCommand=x' is no name of a host" \
	doctor --slurm-conf "$work/own/slurm.conf" -- -oProxyCommand=x
# shellcheck disable=SC2016	# a name as it is
rejects "a name for a shell" "fathom: 'a;\$(b)' is no name of a host" doctor 'a;$(b)'
rejects "a wrong list" "fathom: 'n[1-' has a '[' without ']'" doctor 'n[1-'
rejects "a part of a release" \
	"fathom: --slurm: '25.05', must be a release to its last number, such as 25.05.8" \
	doctor --slurm 25.05
rejects "an unknown way" "fathom: --via: 'rsh' is unknown, must be ssh or srun" doctor --via rsh
rejects "no time" "fathom: --wait: '0', must be a number of seconds from 1 to 3600" doctor --wait 0
rejects "no slurm.conf" "fathom: $work/none: No such file or directory" \
	doctor --slurm-conf "$work/none"
finish
