#!/bin/sh
# SPDX-License-Identifier: GPL-2.0-or-later
# fathom report: the page in a browser without a window, and what is wrong.
. "${srcdir:=.}/tests/cli/lib.sh"

commands | grep -qw report || { echo "1..0 # SKIP built without d3"; exit; }

### What is wrong

like "without a file it asks the cluster" "$(fathom report 2>&1)" "fathom: *--from*"
echo '{' >"$work/cut.json"
rejects "a file that is cut" "fathom: $work/cut.json:2: the file ends where a key in quotes is \
expected" report "$work/cut.json"
echo '{"format": "fathom-shares",' >"$work/cut.json"
rejects "what a command prints, cut" "fathom: $work/cut.json:2: is not JSON: string or '}' \
expected near end of file" report "$work/cut.json"
like "no file that it knows" "$(echo nothing | fathom report - 2>&1)" \
	"fathom: -:1: *, must be JSON of fathom replay or fathom history, or a tree; *--format *"
echo '{"format": "fathom-shares", "version": 2}' >"$work/newer.json"
rejects "another version" "fathom: $work/newer.json: \"version\" must be 1" \
	report "$work/newer.json"
echo '{"format": "fathom-shares", "version": 1, "policies": []}' >"$work/none.json"
rejects "no associations" "fathom: $work/none.json: has no associations" report "$work/none.json"
fathom shares --from "$data/demo.sshare" --policy classic -A c --json >"$work/part.json"
printf '{"format": "fathom-history", "version": 1, "days": []}' >"$work/empty.json"
rejects "no days" "fathom: $work/empty.json: has no days" report "$work/empty.json"
rejects "a part of a tree" "fathom: $work/part.json: associations[0]: must stand behind its \
parent, and the root be the first; a report needs the whole tree, as of 'fathom shares -a \
--json'" \
	report "$work/part.json"
fathom shares --from "$data/c1.json" -u user1 --json >"$work/part.json"
rejects "a tree without the other users" "fathom: $work/part.json: associations are missing; \
a report needs the whole tree, as of 'fathom shares -a --json'" report "$work/part.json"
fathom shares --from "$data/demo.sshare" --policy classic --json >"$work/one.json"
sed 's/"id": 5,/"id": 4,/' "$work/one.json" >"$work/twice.json"
rejects "an id twice" "fathom: $work/twice.json: associations[4]: has the id of \
another association" \
	report "$work/twice.json"
sed 's/"user": "user1"/"user": 1/' "$work/one.json" >"$work/number.json"
rejects "a user that is a number" "fathom: $work/number.json: associations[4]: must be as \
'fathom shares --json' prints it" report "$work/number.json"
sed '/"id": 5,/s/"user": "user1", //' "$work/one.json" >"$work/missing.json"
like "a key that is missing" "$(fathom report "$work/missing.json" 2>&1)" \
	'*associations\[4\]: Object item not found: user'
sed 's/"rank": 3/"rank": "3"/' "$work/one.json" >"$work/rank.json"
rejects "a rank that is text" "fathom: $work/rank.json: associations[4]: norm_usage, factor and \
rank must be numbers" report "$work/rank.json"

### The page as a file

# A name that would be read as HTML if it were not escaped.
cat >"$work/tree" <<'END'
{"format": "fathom-tree", "version": 1, "time": 1700000000, "nodes": [
{"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
{"id": 2, "parent": 1, "name": "</script><b>bold</b>", "kind": "account", "shares": 3, "usage": 0},
{"id": 3, "parent": 2, "name": "<img src=x onerror=alert(1)>", "kind": "user", "shares": 1,
 "usage": 5},
{"id": 4, "parent": 2, "name": "quiet", "kind": "user", "shares": "parent", "usage": 1},
{"id": 5, "parent": 1, "name": "none", "kind": "user", "shares": 1, "usage": 0}]}
END
fathom shares --from "$work/tree" --policy classic,fair-tree --json >"$work/names.json"
fathom report "$work/names.json" --title 'A & <i>B</i>' --out "$work/names.html"
is "names are no HTML" "$(grep -c '<img\|<b>\|<i>' "$work/names.html")" 0
is "the page names no other file" \
	"$(grep -ciE '(src|href)="|@import|url[(]' "$work/names.html")" 0
is "it has d3's licence" "$(grep -c 'Redistribution and use in source' "$work/names.html")" 1
is "standard input, standard output" "$(fathom report --title 'A & <i>B</i>' - \
	<"$work/names.json" | sed 's/"source":"-"/"source":"names.json"/' |
	cmp - "$work/names.html")" ""

### What is evaluated

# in_it: the data of a page
in_it ()
{
	sed -n '/id="data">/{ n; p; }'
}

is "a tree is evaluated as shares does it" \
	"$(fathom report "$data/demo.sshare" --policy classic,lsf 2>"$work/err" | in_it)" \
	"$(fathom shares --from "$data/demo.sshare" --policy classic,lsf --json |
		fathom report - | in_it | sed 's/"source":"-"/"source":"demo.sshare"/')"
is "files of --from are read together" "$(fathom report --from "$data/slurm/tux.cfg" \
	--from "$data/slurm/plain.sacct" | in_it)" "$(fathom shares --from "$data/slurm/tux.cfg" \
	--from "$data/slurm/plain.sacct" --json | fathom report - | in_it |
	sed 's/"source":"-"/"source":"tux.cfg"/')"
rejects "--policy with what is printed already" "fathom: report: what other commands print is \
shown as it is; --policy, --set, --scope and --shadow need a tree; --from FILE evaluates that of \
shares --json" report "$work/names.json" --policy lsf
fathom report --from "$work/names.json" --policy lsf >"$work/anew.html"
is "--from evaluates it anew" "$(in_it <"$work/anew.html" | grep -c '"name":"lsf"')" 1
is "a snapshot, by the policy that it has" "$(fathom report "$data/snapshot/by-hand.json" | in_it |
	grep -o '"policies":\[{"name":"[^"]*"')" "$(fathom shares --from \
	"$data/snapshot/by-hand.json" --json |
	sed -n 's/.*"policy": \("[^"]*"\).*/"policies":[{"name":\1/p')"
# waiting SUBMIT ACCOUNT MORE: a pending job of a snapshot
waiting ()
{
	echo "{\"job_id\": $1, \"user\": \"ada\", \"account\": \"$2\", \"cpus\": 4," \
		"\"submit_time\": $1$3}"
}

cat >"$work/snap" <<END
{"format": "fathom-snapshot", "version": 1, "time": 1000, "tree": [
 {"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
 {"id": 2, "parent": 1, "name": "<i>", "kind": "account", "shares": 1, "usage": 0}], "jobs": [
 $(waiting 900 '<i>'), $(waiting 940 root), $(waiting 400 '<i>'),
 $(waiting 100 root ', "held": true'), $(waiting 100 root ', "dependency": true'),
 $(waiting 100 root ', "state": "RUNNING"')]}
END
# pending OPTION...: what a page shows of pending jobs, with four of the quantiles
pending ()
{
	fathom report "$@" | in_it | grep -o '"pending":.*' | sed 's/\(\([0-9.]*,\)\{33\}\)/\2/g'
}

is "how long the jobs of a snapshot have waited" "$(pending "$work/snap")" '"pending":{"jobs":3,'\
'"others":2,"quantiles":[60.0,100.0,600.0,600.0,600.0],"accounts":[{"account":"\u003ci\u003e",'\
'"jobs":2.0,"cpus":8.0,"wait":350.0,"longest":600.0},{"account":"root","jobs":1.0,"cpus":4.0,'\
'"wait":60.0,"longest":60.0}]}}]}'
is "of --from, too" "$(pending --from "$work/snap")" "$(pending "$work/snap")"
rejects "a setting of no policy" "$(fathom shares --from "$work/tree" --set nothing=1 2>&1)" \
	report "$work/tree" --set nothing=1
rejects "--shadow with --policy" "fathom: --shadow: compares the policies of the cluster; cannot \
be used with --policy and --set" report --shadow --policy lsf
rejects "--shadow with --scope" "fathom: --shadow: cannot be used with --scope" report \
	--shadow --scope x
rejects "a title that is not UTF-8" "fathom: --title: must be UTF-8 without control characters" \
	report "$work/tree" --title "$(printf '\377')"
rejects "--format without a file" "fathom: --format: needs a file" report --format swf
is "a scope" "$(fathom report "$data/figures/scopes.json" --scope gpu | in_it |
	grep -o '"source":"[^"]*"')" '"source":"scopes.json, scope gpu"'
is "the shadow policy beside the one in force" "$(fathom report "$data/figures/shadow.json" \
	--shadow | in_it | grep -o '"name":"[a-z-]*"')" "$(fathom shares --from \
	"$data/figures/shadow.json" --shadow --json |
	sed -n 's/.*"policy": \("[^"]*"\).*/"name":\1/p')"

# many ACCOUNTS USERS: a tree of these
many ()
{
	awk -v accounts="$1" -v users="$2" 'BEGIN {
		printf "{\"format\": \"fathom-tree\", \"version\": 1, \"nodes\": [" \
			"{\"id\": 1, \"parent\": null, \"name\": \"root\", \"kind\": \"account\"," \
			"\"shares\": 1, \"usage\": 0}"
		node = ",\n{\"id\": %d, \"parent\": %d, \"name\": \"%s%d\", \"kind\": \"%s\"," \
			"\"shares\": %d, \"usage\": %d}"
		for (id = 2; id <= accounts + 1; id++)
			printf node, id, id < 22 ? 1 : 2 + id % 20, "account", id, "account",
				id % 9 + 1, 0
		for (; id <= accounts + users + 1; id++)
			printf node, id, 2 + id % accounts, "user", id, "user", 1, id * 7919 % 10007
		print "]}" }'
}

many 1000 8000 >"$work/many8"
fathom report "$work/many8" --policy classic,fair-tree --out "$work/many8.html"
ok "1,000 accounts with 8,000 users, too" test "$(wc -c <"$work/many8.html")" -lt 1000000
many 1000 10000 >"$work/many10"
fathom report "$work/many10" --policy classic,fair-tree,lsf --out "$work/many10.html"
ok "with 10,000 users under three policies it is shorter yet than 750 kB" \
	test "$(wc -c <"$work/many10.html")" -lt 750000
many 1000 2000 >"$work/many"
fathom shares --from "$work/many" --policy classic,fair-tree,lsf --json |
	fathom report - --out "$work/many.html"
ok "1,000 accounts with 2,000 users are less than a megabyte" \
	test "$(wc -c <"$work/many.html")" -lt 1000000

# replay NAME: a replay of this trace under two policies
replay ()
{
	cat <<END
{"format": "fathom-replay", "version": 1, "trace": {"name": "$1", "jobs": 2, "users": 2,
 "accounts": 2, "cpus": 4, "skipped": {"other": 3, "too_large": 1}}, "scheduler": "easy",
 "policies": [
$(replayed classic 60 0.25), $(replayed fcfs 0 0.5)]}
END
}

# replayed POLICY WAIT PART
replayed ()
{
	cat <<END
{"policy": "$1", "name": "$1", "jobs": 2, "mean_wait": $2, "median_wait": $2, "p95_wait": $2,
 "longest_wait": $2, "mean_bounded_slowdown": 1, "utilization": 0.5, "makespan": 90000,
 "share_error": 0.1, "jain": null, "below_share": 0, "wait_quantiles": [0, $2, 86400],
 "series": {"time": [0, 43200, 86400], "accounts": [
  {"account": "little", "share": 0.5, "jobs": 1, "mean_wait": 5, "cpu_seconds": 10,
   "usage": [0, 0.1, 0.2]},
  {"account": "<b>much</b>", "share": 0.5, "jobs": 1, "mean_wait": null, "cpu_seconds": 7200,
   "usage": [0, $3, $3]}]}}
END
}

replay /traces/month >"$work/replay.json"
# usage_in_it: the texts of usage over time, an account a line
usage_in_it ()
{
	in_it | grep -o '"usage":\[\[.*\]\]' | tr -d '\n' | sed 's/\],/],\n/g'
}
is "usage over time, as parts of its greatest value" \
	"$(fathom report "$work/replay.json" | usage_in_it)" \
	'"usage":[["AAgAgA","AA////"],
["AAgA//","AAgA//"]]'
# sweep ACCOUNTS POLICIES POINTS: a replay of so many
sweep ()
{
	awk -v accounts="$1" -v policies="$2" -v points="$3" '
	function list(count, of, i)
	{
		text = ""
		for (i = 0; i < count; i++)
			text = text (i ? ", " : "") (of ? i * of : rand() / 10)
		return "[" text "]"
	}
	BEGIN {
		count = split("mean_wait median_wait p95_wait longest_wait utilization makespan " \
			"mean_bounded_slowdown share_error jain below_share", key, " ")
		printf "{\"format\": \"fathom-replay\", \"version\": 1, \"scheduler\": \"easy\"," \
			"\"trace\": {\"name\": \"x\", \"jobs\": 9}, \"policies\": ["
		for (policy = 0; policy < policies; policy++) {
			printf "%s{\"name\": \"lsf %d\", \"jobs\": 9", policy ? "," : "", policy
			for (i = 1; i <= count; i++)
				printf ", \"%s\": 0.123456", key[i]
			printf ", \"wait_quantiles\": %s", list(101, 60)
			printf ", \"series\": {\"time\": %s, \"accounts\": [", list(points, 3600)
			for (i = 0; i < accounts; i++) {
				printf "%s{\"account\": \"account%d\"", i ? ",\n" : "", i
				printf ", \"share\": 0.001, \"jobs\": 9, \"mean_wait\": 1234.5678"
				printf ", \"cpu_seconds\": %d", 1000 * i
				printf ", \"usage\": %s}", list(points, 0)
			}
			printf "]}}"
		}
		print "]}"
	}'
}

sweep 1000 7 200 | fathom report - --out "$work/sweep.html"
ok "a replay of 1,000 accounts under 7 policies is less than a megabyte" \
	test "$(wc -c <"$work/sweep.html")" -lt 1000000
is "each account has its usage over time" \
	"$(usage_in_it <"$work/sweep.html" | grep -c '[[]')" 1000
sweep 1000 100 12 | fathom report - --out "$work/hundred.html"
ok "a comparison of 100 settings, too" test "$(wc -c <"$work/hundred.html")" -lt 1000000
is "of 1,000 accounts, those that used most have their usage" \
	"$(usage_in_it <"$work/hundred.html" | grep -c '[[]')" 75
sed 's/"wait_quantiles"/"quantiles"/' "$work/replay.json" >"$work/waits.json"
rejects "a replay without waits" \
	"fathom: $work/waits.json: policies[0]: Object item not found: wait_quantiles" \
	report "$work/waits.json"
sed '0,/"account": "little"/s//"account": "other"/' "$work/replay.json" >"$work/other.json"
rejects "other accounts under another policy" "fathom: $work/other.json: accounts[0]: must be the \
same for each policy, and as 'fathom replay --json' prints it" report "$work/other.json"
sed 's/"jain": null/"jain": "no"/' "$work/replay.json" >"$work/jain.json"
rejects "a figure that is text" \
	"fathom: $work/jain.json: policies[0]: its figures must be numbers" report "$work/jain.json"
sed 's/"scheduler": "easy",//' "$work/replay.json" >"$work/scheduler.json"
rejects "no scheduler" "fathom: $work/scheduler.json: needs \"trace\" and \"scheduler\"" \
	report "$work/scheduler.json"

### doc/what-if.md

mkdir "$work/bin" "$work/month"
ln -s "$(realpath "$FATHOM")" "$work/bin/fathom"
cat >"$work/bin/sacct" <<'END'
#!/bin/sh
day=2026-09-01T0
cat <<RECORDS
JobID|User|Account|State|Submit|Start|End|Elapsed|Timelimit|AllocTRES
1|anna|physics|COMPLETED|${day}0:00:00|${day}0:00:00|${day}1:00:00|01:00:00|02:00:00|cpu=4096
2|ben|biology|COMPLETED|${day}0:00:00|${day}1:00:00|${day}2:00:00|01:00:00|02:00:00|cpu=4096
RECORDS
END
chmod +x "$work/bin/sacct"
awk '/^    / { found = 1; print; next } found { exit }' "$srcdir/doc/what-if.md" >"$work/commands"
is "its three commands are run as they stand there" "$(cd "$work/month" &&
	PATH=$work/bin:$PATH sh -eu ../commands 2>../errors; in_it <"$work/month/month.html" |
	grep -o '"name":"[^"]*half_life[^"]*"' | paste -sd ' ' -)" \
	'"name":"fair-tree half_life=3d" "name":"fair-tree half_life=7d" '\
'"name":"lsf half_life=3d" "name":"lsf half_life=7d"'
is "and say what changes nothing" "$(grep -c 'change nothing, both' "$work/errors")" 2

### The page in a browser

browser=$(command -v chromium || command -v chromium-browser) ||
	{ skip "no chromium: the page in a browser"; finish; }

# page_is TEXT PAGE SCRIPT WANTED: tests what a script in the page says by calls of say(), and
# errors. Scripts run when pages_are begins the browser, once for all.
pages=0
mkdir "$work/pages"
page_is ()
{
	pages=$((pages + 1))
	printf '%s' "$1" >"$work/pages/$pages.text"
	printf '%s' "$4" >"$work/pages/$pages.wanted"
	script=$3 awk -v page="$pages" '
		/^<title>/ { print "<script>const said = []; const say = text => said.push(text);" \
			"addEventListener(\"error\", event => say(\"error: \" + event.message))" \
			"</script>" }
		/^<\/body>/ { print "<script>{" ENVIRON["script"] \
			"\nconst told = document.createElement(\"pre\");" \
			"told.id = \"told" page "\";" \
			"told.textContent = \"\\n\" + said.join(\"\\n\");" \
			"parent.document.body.append(told)}</script>" }
		{ print }' "$2" >"$work/pages/$pages.html"
}

# pages_are: shows each page in a frame, all of which may write into the page around them
pages_are ()
{
	seq "$pages" | sed 's|.*|<iframe src="&.html" width="780" height="600"></iframe>|' \
		>"$work/pages/all.html"
	"$browser" --headless --no-sandbox --disable-gpu --user-data-dir="$work/browser" \
		--allow-file-access-from-files --enable-logging=stderr --v=0 --dump-dom \
		"file://$work/pages/all.html" >"$work/told.html" 2>"$work/browser.log"
	for page in $(seq "$pages"); do
		is "$(cat "$work/pages/$page.text")" \
			"$(sed -n "/<pre id=\"told$page\">/,/<\/pre>/p" "$work/told.html" |
				sed '1d; s/<\/pre>.*//')" \
			"$(cat "$work/pages/$page.wanted")"
	done
	is "the browser complains of nothing" "$(grep CONSOLE "$work/browser.log")" ""
}

fathom shares --from "$data/demo.sshare" --policy classic,fair-tree --json >"$work/two.json"
fathom report "$work/two.json" --title 'A title' --out "$work/two.html"
# 162001 in base 64: 1 + 18 * 9000 + 1000 - 1000, as 1 is 1000 * 10^-3
like "the page has the factor 1 as report_private.h describes it" \
	"$(grep -o '"factor":"[^"]*"' "$work/two.html" | tail -n 1)" '"factor":"e*njR"'
page_is "the tree is drawn, a cell for each node with a share" "$work/two.html" "$(cat <<'END'
say(document.title);
say(document.querySelector("#about").textContent);
say(document.querySelector("#made").textContent.replace(/[0-9]/g, "0"));
say(document.querySelectorAll("rect.cell").length);
say(document.querySelectorAll("tbody tr").length);
END
)" "A title
two.json: classic, fair-tree
Made by fathom 0.0.0 on 0000-00-00.
12
13"

page_is "the table is searched and sorted" "$work/two.html" "$(cat <<'END'
const search = document.querySelector("input[type=search]");
const rows = () => [...document.querySelectorAll("tbody tr")]
	.map(row => row.cells[0].textContent + "/" + row.cells[1].textContent);
const heads = document.querySelectorAll("thead button");
search.value = "USER"; search.dispatchEvent(new Event("input"));
say(rows().join(" "));
heads[4].click();
say(rows().join(" ") + " " + heads[4].closest("th").getAttribute("aria-sort"));
heads[4].click();
say(rows().join(" ") + " " + heads[4].closest("th").getAttribute("aria-sort"));
heads[4].click();
say(rows().join(" ") + " " + heads[4].closest("th").getAttribute("aria-sort"));
heads[1].click();
say(rows()[0]);
search.value = "nobody"; search.dispatchEvent(new Event("input"));
say(document.querySelector(".controls [role=status]:not(:empty)").textContent);
END
)" "b/user1 c/user2 c/user3 e/user4 f/user5
c/user2 e/user4 b/user1 c/user3 f/user5 descending
c/user3 f/user5 b/user1 c/user2 e/user4 ascending
b/user1 c/user2 c/user3 e/user4 f/user5 null
b/user1
0 of 13 rows"

page_is "the tree is used by the keyboard" "$work/two.html" "$(cat <<'END'
const key = name => document.activeElement.dispatchEvent(
	new KeyboardEvent("keydown", { key: name, bubbles: true }));
const at = () => document.activeElement.getAttribute("aria-label").split("\n")[0];
document.querySelector("rect[tabindex='0']").focus();
say(at());
key("ArrowDown"); say(at());
key("ArrowRight"); say(at());
key("Enter"); say(document.querySelectorAll("rect.cell").length);
key("ArrowDown"); key("End"); say(at());
key("Home"); say(at());
key("Escape"); say(at() + " " + document.querySelectorAll("rect.cell").length);
key("ArrowUp"); key("Enter");
document.querySelector("section button").click();
say(document.querySelectorAll("rect.cell").length);
const [width, policy] = document.querySelectorAll("section select");
width.selectedIndex = 1; width.dispatchEvent(new Event("change"));
say([...document.querySelectorAll("rect.cell")].map(cell =>
	Math.round(1000 * cell.getAttribute("width") / document.querySelector("svg").viewBox
		.baseVal.width)).join(" "));
END
)" "root
a
d
5
f
e
d 12
12
1000 300 450 250 200 250 250 200 250 250"

page_is "names stay text, shares of the parent are shown" "$work/names.html" "$(cat <<'END'
say(document.querySelectorAll("img, b, i:not(.legend i)").length);
say(document.querySelector("h1").textContent);
say([...document.querySelectorAll("tbody tr")].map(row => row.cells[1].textContent).join("|"));
say([...document.querySelectorAll("tbody tr")].map(row => row.cells[3].textContent).join("|"));
END
)" "0
A &amp; &lt;i&gt;B&lt;/i&gt;
||&lt;img src=x onerror=alert(1)&gt;|quiet|none
100.0 %|75.0 %|75.0 %||25.0 %"

# names that have a meaning to HTML, JavaScript, objects, or the direction of a text
cat >"$work/odd" <<'END'
{"format": "fathom-tree", "version": 1, "nodes": [
{"id": 1, "parent": null, "name": "root", "kind": "account", "shares": 1, "usage": 0},
{"id": 2, "parent": 1, "name": "<!--<script>", "kind": "account", "shares": 10, "usage": 0},
{"id": 3, "parent": 2, "name": "a\u2028b", "kind": "user", "shares": 9, "usage": 1e-9},
{"id": 4, "parent": 2, "name": "\u202egnp.exe", "kind": "user", "shares": 10, "usage": 3},
{"id": 5, "parent": 2, "name": "__proto__", "kind": "user", "shares": "parent", "usage": 2},
{"id": 6, "parent": 2, "name": "'\"`${1}\\", "kind": "user", "shares": 1, "usage": 1e6}]}
END
fathom report "$work/odd" --policy classic,lsf --out "$work/odd.html"
page_is "odd names stay text, and numbers are sorted as numbers" "$work/odd.html" "$(cat <<'END'
const column = i => [...document.querySelectorAll("tbody tr")].map(row => row.cells[i].textContent);
say(column(1).map(escape).join(" "));
say(document.querySelector("[aria-label*=exe]").getAttribute("aria-label").split("\n")[0].length);
document.querySelectorAll("thead button")[2].click();
say(column(2).join(" "));
document.querySelectorAll("thead button")[2].click();
say(column(2).join(" "));
say(column(4).join(" "));
END
)" "  a%u2028b %u202Egnp.exe __proto__ %27%22%60%24%7B1%7D%5C
26
10 10 9 1 1 parent
1 1 9 10 10 parent
100.0 % 100.0 % 1e-13 % 100.0 % 0.0003 % 0.0002 %"

fathom report "$work/replay.json" --out "$work/replay.html"
page_is "a replay: policies compared, waits, usage of those that used most, accounts" \
	"$work/replay.html" "$(cat <<'END'
say([...document.querySelectorAll("h2")].map(title => title.textContent).join(", "));
say(document.querySelector("section .note").textContent);
say([...document.querySelectorAll("section:first-child tbody tr")].map(row =>
	row.cells[0].textContent + " " + row.cells[2].textContent).join(", "));
say([...document.querySelectorAll("td.best")].map(cell => cell.textContent).join(", "));
say([...document.querySelectorAll("h3")].map(title => title.textContent).join(", "));
say(document.querySelectorAll("path.line").length + " " + document.querySelectorAll("b").length);
say(document.querySelectorAll(".small path.line")[1].getAttribute("d").split(/[ML]/)
	.map(point => Math.round(point.split(",")[1])).slice(1).join(" "));
document.querySelector(".legend button").click();
say([...document.querySelectorAll("path.line title")].map(title => title.textContent).join(" "));
document.querySelectorAll(".legend button")[2].click();
say(document.querySelectorAll("path.line").length);
const search = document.querySelector(".controls input");
search.value = "LIT"; search.dispatchEvent(new Event("input"));
say([...document.querySelectorAll("h3")].map(title => title.textContent).join(", "));
END
)" "Policies compared, Waits, Usage against share, Accounts
2 jobs of 2 users on 4 CPUs from month, scheduler easy. Left out: 3 jobs, other. \
Left out: 1 job too large for the machine or partition.
classic 1.0 min, fcfs 0.0 min

&lt;b&gt;much&lt;/b&gt;, little
8 0
154 8 8
fcfs fcfs share fcfs share
8
little"

fathom report "$work/replay.json" "$work/odd.html" --out "$work/no.html" 2>"$work/err"
fathom report "$work/replay.json" "$work/two.json" --out "$work/both.html"
page_is "several files, each by its name" "$work/both.html" "$(cat <<'END'
say([...document.querySelectorAll("h2")].map(title => title.textContent).join(", "));
END
)" "Policies compared – replay.json, Waits – replay.json, Usage against share – replay.json, \
Accounts – replay.json, Accounts and users – two.json, Shares, usage and factors – two.json"
is "a wrong file leaves no page" "$(ls "$work/no.html" 2>&1 | grep -c cannot)" 1

fathom report "$work/snap" --out "$work/snap.html"
page_is "the page shows pending jobs" "$work/snap.html" "$(cat <<'END'
say([...document.querySelectorAll("h2")].map(title => title.textContent).join(", "));
say(document.querySelectorAll("path.line").length + " " + document.querySelectorAll("i").length);
say([...document.querySelectorAll("section:last-child tbody td")].map(cell => cell.textContent)
	.join("|"));
END
)" "Accounts and users, Shares, usage and factors, Waits until now
1 6
&lt;i&gt;|2|8|5.8 min|10.0 min|root|1|4|1.0 min|1.0 min"

page_is "a long table is shown in pages" "$work/many10.html" "$(cat <<'END'
const shown = () => `${document.querySelectorAll("tbody tr").length} rows from ` +
	`${document.querySelector("tbody tr").cells[1].textContent}: ` +
	document.querySelector(".more span").textContent;
const buttons = [...document.querySelectorAll(".more button")];
const enabled = () => buttons.filter(button => button.getAttribute("aria-disabled") !== "true")
	.map(button => button.textContent).join(" ");
say(shown() + enabled());
buttons[3].click(); say(shown() + enabled());
buttons[1].click(); say(shown() + enabled());
document.querySelectorAll("thead button")[1].click();
say(shown() + enabled());
const search = document.querySelector("input[type=search]");
search.value = "USER10"; search.dispatchEvent(new Event("input"));
say(shown() + enabled());
dispatchEvent(new Event("beforeprint")); say(shown());
dispatchEvent(new Event("afterprint")); say(shown());
search.value = "user99"; search.dispatchEvent(new Event("input"));
say(shown() + buttons.map(button => button.hidden).join(" "));
say(document.documentElement.scrollWidth <= innerWidth);
END
)" "200 rows from : Rows 1 to 200 of 11,001 Next Last
1 rows from user10019: Rows 11,001 to 11,001 of 11,001 First Previous
200 rows from user7657: Rows 10,801 to 11,000 of 11,001 First Previous Next Last
200 rows from : Rows 1 to 200 of 11,001 Next Last
200 rows from user1002: Rows 1 to 200 of 1,098 Next Last
1098 rows from user1002: 
200 rows from user1002: Rows 1 to 200 of 1,098 
100 rows from user9900: true true true true
true"

sweep 20 100 12 | sed 's/\("lsf 7", "jobs": 9, "mean_wait": \)0.123456/\10.1/
	s/\("lsf 42", "jobs": 9, "mean_wait": \)0.123456/\1null/' >"$work/best.json"
fathom report "$work/best.json" --out "$work/best.html"
page_is "of 100 settings, the best ones are drawn" "$work/best.html" "$(cat <<'END'
const lines = () => [...document.querySelectorAll(".small div:first-child path.line title")]
	.map(title => title.textContent).join(", ");
const heads = () => [...document.querySelectorAll("section:last-of-type th")]
	.map(head => head.textContent).join(", ");
const button = i => [...document.querySelectorAll(".legend")[0].querySelectorAll("button")]
	.find(one => one.textContent === `lsf ${i}`);
say(document.querySelectorAll(".legend")[1].querySelector("button").textContent);
say(document.querySelector("#about").textContent.replace(/.*: /, ""));
say(lines());
button(9).click(); button(99).click();
say(lines());
say(new Set([...document.querySelectorAll(".small div:first-child path.line")].map(line =>
	line.getAttribute("stroke"))).size);
button(7).click();
say(lines());
say(heads());
say(button(7).querySelector("i").style.background + button(9).getAttribute("aria-pressed"));
say(document.querySelectorAll("td.best").length);
END
)" "lsf 7
100 policies and settings
lsf 7, share
lsf 7, lsf 9, lsf 99, share
4
lsf 9, lsf 99, share
Account, Share, Jobs, CPU hours, Mean wait lsf 9, Mean wait lsf 99, Change lsf 9, Change lsf 99
true
0"

# weeks NAME HALF_LIFE WAIT USERS: a policy of eight weeks, ten jobs each
weeks ()
{
	cat <<END
{"policy": "lsf", "name": "$1", "half_life": $2, "jobs": 80, "mean_wait": $2, "median_wait": 5,
 "p95_wait": 6, "longest_wait": 7, "mean_bounded_slowdown": 2, "utilization": 0.5,
 "makespan": 90000, "share_error": 0.1, "jain": 0.5, "below_share": 0, "wait_quantiles": [0, 5, 9],
 "weeks": {"jobs": [$tens], "wait": [$3], "slowdown": [$tens], "passes": [$tens],
  "share_error": [$tens], "jain": [$tens]},
 "users": [$4],
 "series": {"time": [0, 43200, 86400], "accounts": [
  {"account": "a", "share": 1, "jobs": 80, "mean_wait": 5, "cpu_seconds": 10, "usage": [0, 1, 1]}]}}
END
}
# eight NAME: the page of three policies, of which a is best; b has that of NAME
eight ()
{
	local tens=10,10,10,10,10,10,10,10 anna='{"user": "anna", "account": "a", "jobs": 2,'
	local bob='{"user": "bob", "account": "a", "jobs": 4,'

	cat <<END
{"format": "fathom-replay", "version": 1, "scheduler": "easy,trace",
 "trace": {"name": "x", "jobs": 80, "users": 2, "cpus": 4, "epoch": 1790000000,
  "shares": "assumed"}, "policies": [
$(weeks a 100 500,510,490,500,500,505,495,500 "$anna \"mean_wait\": 60}, $bob \"mean_wait\": 5}"),
$(weeks b 200 "$1" "$anna \"mean_wait\": 0}, $bob \"mean_wait\": 9}"),
$(weeks c 300 900,910,890,900,900,905,895,900 "$anna \"mean_wait\": 60}, $bob \"mean_wait\": 305}")
]}
END
}
eight 600,610,590,600,600,605,595,600 >"$work/eight.json"
fathom report "$work/eight.json" --out "$work/eight.html"
page_is "what is best in most draws of weeks is marked" "$work/eight.html" "$(cat <<'END'
say(document.querySelector(".note").textContent);
say([...document.querySelectorAll("td.best")].map(cell => cell.parentNode.cells[0].textContent +
	" " + cell.textContent).join(", "));
say([...document.querySelectorAll("dd")].map(word => word.textContent)
	.find(word => word.startsWith("the best")).replace(/.*its/, ""));
END
)" "80 jobs of 2 users on 4 CPUs from x, scheduler easy, trace. Shares are assumed: 1 for each \
account, and for each user of one.
a 1.7 min
 8 weeks; only for means over jobs or time"
eight 505,505,495,495,505,510,490,500 | fathom report - --out "$work/chance.html"
page_is "what is best by chance is not" "$work/chance.html" "$(cat <<'END'
say(document.querySelectorAll("td.best").length);
END
)" 0
eight 600,610,590,600,600,605,595,600 |
	sed '/"name": "a"/ { s/"policy": "[^"]*", *//; s/"name": "a"/"policy": "trace", &/; }' |
	fathom report - --out "$work/happened.html"
page_is "nor is what happened" "$work/happened.html" "$(cat <<'END'
say([...document.querySelectorAll("td.best")].map(cell => cell.parentNode.cells[0].textContent));
END
)" b
page_is "users are in the order of how their waits change" "$work/eight.html" "$(cat <<'END'
const rows = title => [...[...document.querySelectorAll("section")]
	.find(section => section.querySelector("h2").textContent === title)
	.querySelectorAll("tr")].map(row => [...row.cells].map(cell => cell.textContent));
rows("Winners and losers").forEach(cells => say(cells.join("|")));
END
)" "User|Account|Jobs|Mean wait a|Change b|Change c
bob|a|4|5.0 s|+4.0 s|+5.0 min
anna|a|2|60.0 s|−60.0 s|0.0 min"
page_is "a chart of a sweep, and dates" "$work/eight.html" "$(cat <<'END'
const chart = document.querySelectorAll("svg")[0];
say(chart.getAttribute("aria-label"));
say([...chart.querySelectorAll(".axis")[0].querySelectorAll("text")].map(tick => tick.textContent)
	.join(" "));
say([...chart.querySelectorAll(".axis")[1].querySelectorAll("text")].map(tick => tick.textContent)
	.join(" "));
say(chart.querySelectorAll("path.line").length);
say(document.querySelector(".small .axis text").textContent);
END
)" "Mean wait against half_life
1.67 min 3.33 min 5 min
1.5 min 2 min 2.5 min 3 min 3.5 min 4 min 4.5 min 5 min
1
06 PM"
sed 's/"easy,trace"/"easy,strict"/; /"name": "c"/s/"policy"/"scheduler": "strict", &/
	/"name": "[ab]"/s/"policy"/"scheduler": "easy", &/' "$work/eight.json" |
	fathom report - --out "$work/strict.html"
page_is "a chart of a sweep has a line for each scheduler" "$work/strict.html" "$(cat <<'END'
say([...document.querySelectorAll("svg")[0].querySelectorAll("path.line")].map(line =>
	line.textContent + " " + line.getAttribute("d").split(/[ML]/).length).join(", "));
END
)" "lsf easy 3"
page_is "what columns mean is printed" "$work/eight.html" "$(cat <<'END'
const open = () => [...document.querySelectorAll("details")].map(list => list.open).join(" ");
document.querySelector("details").open = true;
dispatchEvent(new Event("beforeprint")); say(open());
dispatchEvent(new Event("afterprint")); say(open());
END
)" "true true
true false"
tr '\n' ' ' <"$work/eight.json" | sed 's/"user": "bob"/"user": "eve"/2' >"$work/eve.json"
rejects "other users under another policy" "fathom: $work/eve.json: users[1]: must be the same for \
each policy, and as 'fathom replay --json' prints it" report "$work/eve.json"
sed 's/"wait": \[500/"wait": ["x"/' "$work/eight.json" >"$work/weeks.json"
rejects "weeks that are no numbers" \
	"fathom: $work/weeks.json: policies[0]: weeks.wait[0] must be a number" \
	report "$work/weeks.json"
{
	echo "Account|User|RawShares|RawUsage"
	echo "root|||1000"
	printf ' account%d|||1\n' $(seq 1000)
} | sed 's/|||1$/||1|1/' | fathom report - --out "$work/equal.html"
page_is "1,000 equal accounts are one part" "$work/equal.html" "$(cat <<'END'
say([...document.querySelectorAll("svg text")].map(text => text.textContent).join(", "));
END
)" "1,000 accounts, root"

cat >"$work/days.json" <<'END'
{"format": "fathom-history", "version": 1, "who": {"user": "ada", "account": null}, "days": [
 {"time": 1704153600, "policy": "classic", "account": "physics", "user": "ada", "partition": null,
  "norm_shares": 0.25, "effective_usage": 0.5, "factor": 0.25, "rank": 2, "of": 3},
 {"time": 1704240000, "policy": "classic", "account": "physics", "user": "ada", "partition": null,
  "norm_shares": 0.25, "effective_usage": 0.25, "factor": 0.5, "rank": 2, "of": 3},
 {"time": 1704153600, "policy": "classic", "account": "chem", "user": "ada", "partition": "gpu",
  "norm_shares": 0.25, "effective_usage": 0.25, "factor": null, "rank": null, "of": 3}]}
END
fathom report "$work/days.json" --out "$work/days.html"
page_is "days: a line for each association, and its share" "$work/days.html" "$(cat <<'END'
say([...document.querySelectorAll("h2")].map(head => head.textContent).join(", "));
say([...document.querySelectorAll("path.line title")].map(line => line.textContent).join(", "));
say(document.querySelectorAll("path.line")[0].getAttribute("d").split(/[ML]/).length - 1);
END
)" "Fair-share factor by day, Usage and share by day
physics/ada, chem/ada, gpu, physics/ada, chem/ada, gpu, share of physics/ada, share of chem/ada, gpu
2"
cat >"$work/root.json" <<'END'
{"format": "fathom-history", "version": 1, "who": {"user": null, "account": "root"}, "days": [
 {"time": 1704153600, "policy": "classic", "account": "root", "user": null, "partition": null,
  "norm_shares": 1, "raw_usage": 720, "effective_usage": 1, "factor": null},
 {"time": 1704240000, "policy": "classic", "account": "root", "user": null, "partition": null,
  "norm_shares": 1, "raw_usage": 360, "effective_usage": 1, "factor": null}]}
END
fathom report "$work/root.json" --out "$work/root.html"
page_is "days of the root, which has all usage: how much that is" "$work/root.html" "$(cat <<'END'
say([...document.querySelectorAll("h2")].map(head => head.textContent).join(", "));
say([...document.querySelectorAll("path.line title")].map(line => line.textContent).join(", "));
say([...document.querySelectorAll("svg text")].some(text => text.textContent === "700"));
END
)" "Usage by day
root
true"
page_is "a line that others may lie on is thicker" "$work/replay.html" "$(cat <<'END'
say([...document.querySelectorAll("svg[aria-label^='part of the jobs'] path.line")]
	.map(line => line.getAttribute("stroke-width")).join(" "));
END
)" "3.5 1.75"
pages_are
finish
