#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# Names may have characters that steer a terminal: control characters (jobs alone), those of C1, and
# those that turn the direction of writing. Text has '?' in their place, JSON escapes them.
. "${srcdir:=.}/tests/cli/lib.sh"

# ro<U+202E>ot, g<U+2066>x, u<U+200F>v
cat >"$work/tree.json" <<'END'
{"format": "fathom-tree", "version": 1, "nodes": [
 {"id": 1, "parent": null, "name": "ro\u202eot", "kind": "account", "shares": 1, "usage": 0},
 {"id": 2, "parent": 1, "name": "g\u2066x", "kind": "account", "shares": 100, "usage": 0},
 {"id": 3, "parent": 2, "name": "u\u200fv", "kind": "user", "shares": 100, "usage": 1}]}
END
cat >"$work/jobs.json" <<'END'
{"format": "fathom-jobs", "version": 1, "jobs": [
 {"job_id": 2, "user": "bo\u001b[31mnds\u0085", "account": "A\u202e", "qos": "q\u009b",
  "partitions": ["bro\nn\u2029ze"], "fairshare": 0.5}]}
END

# plain TEXT FILE COMMAND [OPTION...]: nothing but printable ASCII and blanks, and a name
plain ()
{
	plain_text=$1 plain_file=$2 plain_command=$3
	shift 3
	fathom "$plain_command" --from "$work/$plain_file.json" "$@" >"$work/out" 2>&1
	is "$plain_text" "$(tr -d '[:print:]\n\t' <"$work/out") $(
		grep -c 'ro?\|g?x\|u?v\|bo?\|A?' "$work/out" | sed 's/^[1-9].*/named/')" " named"
}

for tool in $(views shares | sed 's/sshare//'); do
	plain "shares --view $tool" tree shares --view "$tool"
done
plain "pbsfs -t" tree shares --view pbsfs -- -t
plain "pbsfs -g" tree shares --view pbsfs -- -g "$(printf 'g\342\201\246x')"
plain "bhpart -r" tree shares --view bhpart -- -r
plain "bqueues -l" tree shares --view bqueues -- -lr
plain "bugroup -l" tree shares --view bugroup -- -l
plain "bugroup -r" tree shares --view bugroup -- -r
plain "flux -P" tree shares --view flux -- -P
plain "flux -u" tree shares --view flux -- -u "$(printf 'g\342\201\246x')"
plain "flux -o" tree shares --view flux -- -o '{bank:*^9}' "$(printf 'g\342\201\246x')"
plain "flux-shares -P" tree shares --view flux-shares -- -P ,
plain "a mistake" tree shares --view pbsfs -- -g "$(printf 'g\342\201\246y')"
plain "shares -P" tree shares -P
plain "shares -A" tree shares -A "$(printf 'g\342\201\246y')"
plain "explain" tree explain "$(printf 'u\342\200\217v')"
plain "prio" jobs prio -o JobID,User,Account
plain "prio -P" jobs prio -lP
plain "prio --view sprio" jobs prio --view sprio -- -l
plain "prio --view flux" jobs prio --view flux
plain "prio --view flux -o" jobs prio --view flux -- -o '{USER:>20.9}{QUEUE}{BANK}'
is "the table of shares" "$(LC_ALL=C.UTF-8 "$FATHOM" shares --from "$work/tree.json" -n |
	grep -c 'ro?ot\|g?x.*u?v\|g?x')" 3
like "JSON escapes them" "$(fathom shares --from "$work/tree.json" --json | tr -d '\n')" \
	'*ro\\u202eot*g\\u2066x*u\\u200fv*'
like "those of jobs, too" "$(fathom prio --from "$work/jobs.json" --json | tr -d '\n')" \
	'*bo\\u001b?31mnds\\u0085*bro\\u000an\\u2029ze*q\\u009b*'
is "files keep them" "$(fathom convert --from "$work/tree.json" --to fathom 2>&1 |
	fathom shares --from - --json | grep -c 'g\\u2066x')" \
	"$(fathom shares --from "$work/tree.json" --json | grep -c 'g\\u2066x')"
finish
