#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# Completion in bash, zsh and fish: keys are typed into each of them on a terminal.
# shellcheck disable=SC2317	# functions are called by names with the shell in them
. "${srcdir:=.}/tests/cli/lib.sh"
need_python3

# The shells work in this folder, so that a name that a shell runs as a command leaves a file.
FATHOM=$(realpath "$FATHOM") completion=$(realpath "$srcdir/contrib/completion")
terminal=$(realpath "$srcdir/tests/cli/terminal.py")
mkdir "$work/bin" "$work/a b" "$work/.config"
ln -s "$FATHOM" "$work/bin/fathom"
cp "$data/demo.sshare" "$work/tree.sshare"
cp "$data/complete/names.json" "$work/a b/names.json"
cp "$data/figures/scopes.json" "$work/scopes.json"
cd "$work" || exit

# Each reads its own file at the start. Ctrl-X Ctrl-G prints the line and empties it; Alt-* inserts
# all words that are offered.
cat >.bashrc <<END
. '$completion/fathom'
report () { printf '[[%s]]\n' "\$READLINE_LINE"; READLINE_LINE= READLINE_POINT=0; }
bind -x '"\C-x\C-g": report'
END
cat >.zshrc <<END
fpath=('$completion' \$fpath)
autoload -Uz compinit
compinit -D -u
report () { print -r -- "[[\$BUFFER]]"; BUFFER= }
all () { _main_complete; compstate[insert]=all }
zle -N report
zle -C all complete-word all
bindkey -e '^X^G' report '^[*' all
END
cat >config.fish <<END
source '$completion/fathom.fish'
function report; printf '[[%s]]\n' (commandline | string collect); commandline ''; end
function all
    set -l words (complete -C (commandline | string collect) | string replace -r '\t.*' '')
    commandline -rt "\$words "
end
bind \cx\cg report
bind \e\* all
END

type_into ()
{
	env -i PATH="$work/bin:$PATH" HOME="$work" TERM=dumb PS1='$ ' LC_ALL=C \
		XDG_CONFIG_HOME="$work/.config" XDG_DATA_HOME="$work" python3 "$terminal" type "$@"
}

type_into_bash ()
{
	type_into bash --noprofile --rcfile .bashrc -i
}

type_into_zsh ()
{
	type_into zsh -d -i
}

type_into_fish ()
{
	type_into fish --no-config -C "source config.fish" -i
}

# What is typed, and below it what the line becomes.
cases ()
{
	cat <<-'END'
	fathom sha\t
	fathom shares 
	fathom help pr\t
	fathom help prio 
	fathom shares --pol\tclassic,l\t--js\t
	fathom shares --policy classic,lsf --json 
	fathom shares --policy=classic,l\t
	fathom shares --policy=classic,lsf 
	fathom shares --policy classic,f\e*
	fathom shares --policy classic,fair-tree classic,fcfs classic,flux 
	fathom shares --set tie_m\tsl\t
	fathom shares --set tie_mode=slurm 
	fathom shares --set=tie_m\tsl\t
	fathom shares --set=tie_mode=slurm 
	fathom shares -o Account,RawS\t-S User,-NormS\t
	fathom shares -o Account,RawShares -S User,-NormShares 
	fathom prio --state pend\t
	fathom prio --state PENDING 
	fathom shares --format sacctm\t
	fathom shares --format sacctmgr 
	fathom shares --view ss\t-- --noh\t-o Account,Eff\t
	fathom shares --view sshare -- --noheader -o Account,EffectvUsage 
	fathom prio --view sp\t-- --wei\t
	fathom prio --view sprio -- --weights 
	fathom shares --from tr\t--view bug\t-- -l roo\t
	fathom shares --from tree.sshare --view bugroup -- -l root 
	fathom shares --from sc\t--scope gp\t--view bq\t-- gpu-\t
	fathom shares --from scopes.json --scope gpu --view bqueues -- gpu-long 
	fathom shares --from tree.sshare -u user1,user3,us\t4\t
	fathom shares --from tree.sshare -u user1,user3,user4 
	fathom shares --from=tree.sshare --user=user5\t
	fathom shares --from=tree.sshare --user=user5 
	fathom explain --from 'tree.sshare' user\t3\tuser\t1\t
	fathom explain --from 'tree.sshare' user3 user1 
	fathom shares --from tr\t-A roo\t
	fathom shares --from tree.sshare -A root 
	fathom shares --from ~/tr\t-u user2\t
	fathom shares --from ~/tree.sshare -u user2 
	fathom shares --from "a b/na\t-u ba\t
	fathom shares --from "a b/names.json" -u back\\sl 
	fathom shares --from=a\ b/na\t-u c\t
	fathom shares --from=a\ b/names.json -u c@d\&e 
	END
}

# check SHELL CASES: also shows that nothing was run as a command
check ()
{
	local shell=$1 typed wanted got

	while read -r typed && IFS= read -r wanted; do
		IFS= read -r got <&3
		is "$shell: $typed" "$got" "$wanted"
	done < <("$2") 3< <("$2" | sed -n 'p;n' | "type_into_$shell")
}

# Names that a shell would run, split or expand. Where a quote is open, shells differ.
special_cases ()
{
	cat <<-'END'
	fathom shares --from "a b/names.json" -u us\t
	fathom shares --from "a b/names.json" -u us\ er 
	fathom shares --from a\ b/names.json -u o\t
	fathom shares --from a\ b/names.json -u o\'neil 
	fathom shares --from 'a b/names.json' -u \$\t
	fathom shares --from 'a b/names.json' -u \$\(touch\ hit\) 
	fathom shares --from 'a b/names.json' -u '$\t
	fathom shares --from 'a b/names.json' -u '$(touch hit)' 
	fathom shares --from 'a b/names.json' -u x:\t
	fathom shares --from 'a b/names.json' -u x:y\;touch\ hit 
	fathom shares --from 'a b/names.json' -u "o\t
	fathom shares --from 'a b/names.json' -u "o'neil" 
	END
}

# bash looks for its history in double quotes
history_cases ()
{
	cat <<-'END'
	fathom shares --from 'a b/names.json' -u "e\t
	fathom shares --from 'a b/names.json' -u "e"'!'"h" 
	END
}

# The first letter of each name behind each kind of quote, and the name: a line each.
start="fathom shares --from 'a b/names.json' -u "
quoted_names ()
{
	local name quote

	while read -r name; do
		for quote in '' \' \"; do
			printf '%s\n' "$quote${name:0:1}" "$name"
		done
	done < <(fathom shares --from 'a b/names.json' -aPno User | grep '^[a-z]' | grep -v !)
}

# check_names SHELL: each name, completed and then read by the shell, is itself
check_names ()
{
	local shell=$1 typed name line

	while IFS= read -r typed && IFS= read -r name; do
		IFS= read -r line <&3
		is "$shell: $typed becomes $name" \
			"$("$shell" -c "printf '%s|' ${line#"$start"}")" "$name|"
	done < <(quoted_names) 3< <(quoted_names | sed -n "s|^|$start|; s/\$/\\\\t/; p; n" |
		"type_into_$shell")
}

for shell in bash zsh fish; do
	if ! command -v "$shell" >/dev/null; then
		skip "completion in $shell" "$shell is not installed"
		continue
	fi
	check "$shell" cases
	check "$shell" special_cases
	check_names "$shell"
	[ "$shell" != bash ] || check bash history_cases
	ok "$shell: no name was run" test ! -e hit
done
finish
