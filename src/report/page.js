/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws the report. The element "data" has {"title", "documents": [...]}; a document is what
 * report_shares.c or report_replay.c makes. Names are only ever set as text.
 */
"use strict";

/* ---- text and elements ------------------------------------------------------------------ */

const percent = (value, digits = 1) => value == null ? "" : (100 * value).toFixed(digits) + " %";
const plain = value => value == null ? "" : typeof value === "number" ? d3.format(",.4~r")(value)
								       : String(value);
const count = value => value == null ? "" : d3.format(",")(Math.round(value));

/* 5400 -> "1.5 h" */
function duration(seconds) {
	const units = [[86400, "d"], [3600, "h"], [60, "min"], [1, "s"]];
	if (seconds == null)
		return "";
	const [size, name] = units.find(([size]) => seconds >= size) || units[3];
	return d3.format(".3~r")(seconds / size) + " " + name;
}

const nameOf = row => row.user == null ? row.account : `${row.user} in ${row.account}`;
const shortName = row => row.user == null ? row.account : row.user;

/* Charts as wide as the page keep the size of their text on a phone. */
const pageWidth = () => Math.max(300, Math.min(1000, d3.select("main").node().clientWidth));

function section(title, text) {
	const id = "s" + (d3.selectAll("section").size() + 1);
	const made = d3.select("main").append("section").attr("id", id)
		.attr("aria-labelledby", id + "h");
	made.append("h2").attr("id", id + "h").text(title);
	if (text)
		made.append("p").attr("class", "note").text(text);
	d3.select("nav ul").append("li").append("a").attr("href", "#" + id).text(title);
	return made;
}

function choice(controls, text, values, changed) {
	const select = controls.append("label").text(text + " ").append("select");
	select.selectAll("option").data(values).join("option").attr("value", (value, i) => i)
		.text(String);
	select.on("change", () => changed(select.property("selectedIndex")));
	return select;
}

function legend(parent, entries) {
	parent.append("ul").attr("class", "legend").selectAll("li").data(entries).join("li")
		.each(function ([colour, text]) {
			d3.select(this).append("i").style("background", colour);
			d3.select(this).append("span").text(text);
		});
}

const tip = {
	show(text, x, y) {
		const box = d3.select("#tip").property("hidden", false).text(text).node();
		const left = Math.min(x + 12, innerWidth - box.offsetWidth - 4);
		const below = y + 12 + box.offsetHeight <= innerHeight;
		const top = below ? y + 12 : y - box.offsetHeight - 8;
		d3.select(box).style("left", Math.max(left, 4) + "px")
			.style("top", Math.max(top, 4) + "px");
	},
	hide() { d3.select("#tip").property("hidden", true); },
};

/* ---- tables ---------------------------------------------------------------------------- */

const MOST_ROWS = 200;

/* A table that is sorted by a click on a heading and searched in its text columns.
 * columns: [{name, value(row), show(value), text: it is a word, best: "least" or "greatest"}] */
function table(parent, rows, columns, searched) {
	let sorted = null, descending = false, wanted = "", most = MOST_ROWS;
	const controls = searched ? parent.append("div").attr("class", "controls") : null;
	const box = parent.append("div").attr("class", "wide").attr("tabindex", 0)
		.attr("role", "region").attr("aria-label", "table");
	const made = box.append("table");
	const heads = made.append("thead").append("tr").selectAll("th").data(columns).join("th")
		.attr("scope", "col").classed("text", column => column.text);
	const body = made.append("tbody");
	const more = parent.append("p").attr("class", "more");
	const status = searched ? controls.append("span").attr("role", "status") : null;

	heads.append("button").attr("type", "button").text(column => column.name)
		.on("click", sortBy);
	if (searched)
		controls.insert("label", "span").text("Search ")
			.append("input").attr("type", "search")
			.on("input", function () {
				wanted = this.value.toLowerCase();
				fill();
			});

	function sortBy(column) {
		descending = sorted === column ? !descending : !column.text;
		sorted = column;
		fill();
	}
	function compare(a, b) {
		const x = sorted.value(a), y = sorted.value(b);
		if (x == null || y == null)
			return (x == null) - (y == null);	/* unknown values come last */
		const order = sorted.text ? String(x).localeCompare(y) : x - y;
		return descending ? -order : order;
	}
	function isBest(column, row) {
		const values = rows.map(column.value).filter(value => value != null);
		const best = column.best === "least" ? d3.min(values) : d3.max(values);
		return values.length > 1 && new Set(values).size > 1 && column.value(row) === best;
	}
	function fill() {
		let shown = rows.filter(row => !wanted || columns.some(column => column.text &&
			String(column.value(row)).toLowerCase().includes(wanted)));
		const all = shown.length;
		if (sorted)
			shown = shown.slice().sort(compare);
		shown = shown.slice(0, most);
		heads.attr("aria-sort", column => column !== sorted ? null
							: descending ? "descending" : "ascending");
		body.selectAll("tr").data(shown).join("tr").selectAll("td")
			.data(row => columns.map(column => ({ row, column }))).join("td")
			.classed("text", d => d.column.text)
			.classed("best", d => d.column.best && isBest(d.column, d.row))
			.text(d => (d.column.show || plain)(d.column.value(d.row)));
		if (searched)
			status.text(`${count(all)} of ${count(rows.length)} rows`);
		more.selectAll("button").data(all > most ? [all] : []).join("button")
			.attr("type", "button").text(all => `Show all ${count(all)} rows`)
			.on("click", () => { most = Infinity; fill(); });
	}
	fill();
}

/* ---- shares -----------------------------------------------------------------------------

 * Gives each row its share of the cluster: its part of the shares of its level, times the share of
 * the account above. "parent" is no level of its own. Parents stand before children. */
function addShares(rows) {
	const byId = new Map(rows.map(row => [row.id, row])), sums = new Map();
	const above = row => {
		let parent = byId.get(row.parent);
		while (parent && parent.raw === "parent")
			parent = byId.get(parent.parent);
		return parent;
	};
	for (const row of rows)
		if (typeof row.raw === "number" && above(row))
			sums.set(above(row), (sums.get(above(row)) || 0) + row.raw);
	for (const row of rows) {
		const parent = above(row);
		row.shares = !parent ? 1 : row.raw === "parent" ? null
			: sums.get(parent) ? parent.shares * row.raw / sums.get(parent) : 0;
	}
}

/* ---- the tree ---------------------------------------------------------------------------- */

const ROW_HEIGHT = 34;
const balance = d3.scaleDiverging([-2, 0, 2], t => d3.interpolateRdBu(.12 + .76 * (1 - t)))
	.clamp(true);

/* Usage for its share: -2 has used a quarter of it or less, 2 four times as much or more. */
function excess(row, at) {
	if (row.usage[at] == null || row.shares == null || !(row.usage[at] || row.shares))
		return 0;
	return Math.log2(row.usage[at] / row.shares);
}

const told = (row, at) =>
	`${nameOf(row)}\nshare ${percent(row.shares)}, usage ${percent(row.usage[at])}` +
	(row.factor[at] == null ? "" : `\nfair-share factor ${plain(row.factor[at])}`) +
	(row.rank[at] == null ? "" : `, rank ${row.rank[at]}`);

function drawTree(parent, shares) {
	const root = d3.stratify().id(row => row.id).parentId(row => row.parent)(shares.rows);
	const controls = parent.append("div").attr("class", "controls");
	const box = parent.append("div");
	const treeWidth = pageWidth();
	let at = 0, size = 0, top = root;

	choice(controls, "Width by", ["share", "usage"], i => { size = i; draw(); });
	if (shares.policies.length > 1)
		choice(controls, "Policy", shares.policies.map(policy => policy.name),
		       i => { at = i; draw(); });
	const up = controls.append("button").attr("type", "button").text("Up")
		.on("click", () => { top = top.parent || top; draw(); });
	legend(parent, [[balance(-2), "used ¼ of its share, or less"], [balance(0), "on target"],
			[balance(2), "used 4 times its share, or more"]]);

	/* What an account used itself belongs to none of its users, so a gap stays. An account with
	 * the shares of its parent is as wide as its users. */
	function widthOf(d) {
		const own = size ? d.data.usage[at] : d.data.shares;
		const users = d3.sum(d.children || [], child => child.width);
		return Math.max(own == null ? users : own, 1e-9);
	}
	function layOut() {
		root.eachAfter(d => { d.width = widthOf(d); });
		root.eachBefore(d => {
			const sum = d3.sum(d.children || [], child => child.width);
			const scale = d === root ? treeWidth / d.width : d.scale;
			d.x1 = d === root ? treeWidth : d.x0 + d.width * scale;
			d.x0 = d === root ? 0 : d.x0;
			let x = d.x0;
			for (const child of d.children || []) {
				child.scale = (d.x1 - d.x0) / Math.max(sum, size ? d.width : 0);
				child.x0 = x;
				x += child.width * child.scale;
			}
		});
	}
	function draw() {
		layOut();
		const scale = treeWidth / (top.x1 - top.x0);
		root.each(d => { d.drawn = false; });
		top.each(d => { d.drawn = (d.x1 - d.x0) * scale >= 1.5; });
		const shown = top.descendants().filter(d => d.drawn);
		const depth = d3.max(shown, d => d.depth) - top.depth + 1;
		const svg = box.selectAll("svg").data([0]).join("svg").attr("role", "tree")
			.attr("aria-label", "accounts and users")
			.attr("viewBox", `0 0 ${treeWidth} ${depth * ROW_HEIGHT}`);
		const left = d => (d.x0 - top.x0) * scale, wide = d => (d.x1 - d.x0) * scale;
		svg.selectAll("rect").data(shown, d => d.id).join("rect").attr("class", "cell")
			.attr("role", "treeitem").attr("tabindex", d => d === top ? 0 : -1)
			.attr("aria-level", d => d.depth + 1)
			.attr("aria-label", d => told(d.data, at))
			.attr("x", left).attr("width", wide)
			.attr("y", d => (d.depth - top.depth) * ROW_HEIGHT)
			.attr("height", ROW_HEIGHT - 1)
			.attr("fill", d => balance(excess(d.data, at)))
			.on("click", zoom)
			.on("keydown", d => keys(d3.event, d))
			.on("mousemove", d => tip.show(told(d.data, at), d3.event.clientX,
						       d3.event.clientY))
			.on("mouseleave blur", tip.hide)
			.on("focus", function (d) {
				const place = this.getBoundingClientRect();
				tip.show(told(d.data, at), place.left, place.bottom);
			});
		svg.selectAll("text").data(shown.filter(d => wide(d) > 40), d => d.id).join("text")
			.attr("class", "label").attr("x", d => left(d) + 4)
			.attr("y", d => (d.depth - top.depth) * ROW_HEIGHT + 21)
			.style("fill", d => Math.abs(excess(d.data, at)) > 1.4 ? "#fff" : "#111")
			.text(d => cut(shortName(d.data), wide(d)));
		up.property("disabled", !top.parent);
	}
	const cut = (text, width) => text.length * 7 < width - 6 ? text
				: text.slice(0, Math.max(1, Math.floor((width - 14) / 7))) + "…";
	function zoom(d) {
		top = d.children ? (d === top && d.parent ? d.parent : d) : top;
		draw();
	}
	function keys(event, d) {
		const drawn = list => (list || []).filter(other => other.drawn);
		const siblings = drawn(d.parent && d.parent.children), i = siblings.indexOf(d);
		const next = { ArrowLeft: siblings[i - 1], ArrowRight: siblings[i + 1],
			       ArrowUp: d === top ? null : d.parent,
			       ArrowDown: drawn(d.children)[0] }[event.key];
		if (event.key === "Enter" || event.key === " ")
			zoom(d);
		else if (!event.key.startsWith("Arrow"))
			return;
		event.preventDefault();
		box.selectAll("rect").filter(other => other === (next || d)).node().focus();
	}
	draw();
}

function sharesTable(parent, shares) {
	const several = shares.policies.length > 1;
	const columns = [
		{ name: "Account", text: true, value: row => row.account },
		{ name: "User", text: true, value: row => row.user == null ? "" : row.user },
		{ name: "Raw shares", value: row => row.raw },
		{ name: "Share", value: row => row.shares, show: percent },
		{ name: "Usage", value: row => row.usage[0], show: percent },
	];
	shares.policies.forEach((policy, at) => {
		const of = several ? " " + policy.name : "";
		columns.push({ name: "Factor" + of, value: row => row.factor[at] });
		columns.push({ name: "Rank" + of, value: row => row.rank[at], show: count });
		if (at)
			columns.push({ name: `Rank change ${policy.name}`,
				       value: row => row.rank[at] == null ? null
							: row.rank[0] - row.rank[at],
				       show: change => change ? d3.format("+,")(change)
							      : count(change) });
	});
	table(parent, shares.rows, columns, true);
}

function showShares(shares) {
	addShares(shares.rows);
	drawTree(section("Accounts and users",
		"Each row of the picture is a level of the tree. Click on an account, or press " +
		"Enter, to see it alone; arrow keys move."), shares);
	sharesTable(section("Shares, usage and factors", "A click on a heading sorts."), shares);
}

/* ---- charts ------------------------------------------------------------------------------ */

const policyColour = d3.scaleOrdinal(d3.schemeTableau10);

/* A chart of lines with parts of a whole on the vertical axis.
 * lines: [{name, points: [[x, y], ...], colour; without one it is dashed}] */
function lineChart(parent, lines, x, options) {
	const { width, height } = options, edge = { top: 8, right: 14, bottom: 26, left: 48 };
	const svg = parent.append("svg").attr("viewBox", `0 0 ${width} ${height}`)
		.attr("role", "img").attr("aria-label", options.label);
	const most = options.most || d3.max(lines, line => d3.max(line.points, point => point[1]));
	const y = d3.scaleLinear().domain([0, most || 1]).range([height - edge.bottom, edge.top]);
	const path = d3.line().x(point => x(point[0])).y(point => y(point[1]))
		.defined(point => point[1] != null);

	x.range([edge.left, width - edge.right]);
	svg.append("g").attr("class", "axis")
		.attr("transform", `translate(0,${height - edge.bottom})`)
		.call(d3.axisBottom(x).ticks(width / 110).tickFormat(options.show));
	svg.append("g").attr("class", "axis").attr("transform", `translate(${edge.left},0)`)
		.call(d3.axisLeft(y).ticks(height / 45).tickFormat(part => percent(part, 0)));
	svg.selectAll("path.line").data(lines).join("path")
		.attr("class", line => line.colour ? "line" : "line share")
		.attr("fill", "none").attr("stroke-width", 1.75)
		.attr("stroke", line => line.colour || null)
		.attr("d", line => path(line.points))
		.append("title").text(line => line.name);
}

/* ---- a replay ------------------------------------------------------------------------------ */

const FIRST_CHARTS = 12;
const replayFigures = [
	{ key: "jobs", name: "Jobs", show: count },
	{ key: "mean_wait", name: "Mean wait", show: duration, best: "least" },
	{ key: "median_wait", name: "Median", show: duration, best: "least" },
	{ key: "p95_wait", name: "95 % at most", show: duration, best: "least" },
	{ key: "longest_wait", name: "Longest", show: duration, best: "least" },
	{ key: "mean_bounded_slowdown", name: "Slowdown", best: "least" },
	{ key: "utilization", name: "Utilization", show: percent, best: "greatest" },
	{ key: "makespan", name: "Makespan", show: duration, best: "least" },
	{ key: "share_error", name: "Share error", best: "least" },
	{ key: "jain", name: "Jain index", best: "greatest" },
	{ key: "below_share", name: "Below share", show: percent, best: "least" },
];

function policiesTable(parent, replay) {
	table(parent, replay.policies, [{ name: "Policy", text: true, value: row => row.name },
		...replayFigures.map(({ key, ...column }) =>
			({ value: row => row[key], ...column }))]);
}

const colours = replay => replay.policies.map(policy => [policyColour(policy.name), policy.name]);

/* Quantile i is the wait that i % of jobs do not exceed; the axis begins at a minute. */
function waitsChart(parent, replay) {
	const longest = d3.max(replay.policies, policy => d3.max(policy.quantiles)) || 0;
	const x = d3.scaleLog().domain([60, Math.max(longest, 600)]).clamp(true);
	const lines = replay.policies.map(policy => ({ name: policy.name,
		colour: policyColour(policy.name),
		points: policy.quantiles.map((wait, i) => [Math.max(wait, 60), i / 100]) }));
	const ticks = [60, 600, 3600, 21600, 86400, 604800, 2592000, 31536000];

	legend(parent, colours(replay));
	x.ticks = () => ticks.filter(tick => tick <= x.domain()[1]);
	lineChart(parent, lines, x, { width: pageWidth(), height: 320, most: 1, show: duration,
		label: "part of jobs by the longest wait" });
}

function accountChart(parent, replay, account) {
	const end = d3.max(replay.policies, policy => d3.max(policy.time)) || 1;
	const x = d3.scaleLinear().domain([0, end / 86400]);
	const box = parent.append("div");
	const lines = replay.policies.map((policy, at) => ({ name: policy.name,
		colour: policyColour(policy.name),
		points: account.usage[at].map((part, i) => [policy.time[i] / 86400, part]) }));

	lines.push({ name: "share", points: [[0, account.share], [end / 86400, account.share]] });
	box.append("h3").text(account.account);
	lineChart(box, lines, x, { width: 330, height: 180, show: day => `${day} d`,
		label: `usage of ${account.account} against its share` });
}

function accountCharts(parent, replay) {
	const drawn = replay.accounts.filter(account => account.usage);
	legend(parent, [...colours(replay), ["var(--text)", "share (dashed)"]]);
	const box = parent.append("div").attr("class", "small");
	const add = list => list.forEach(account => accountChart(box, replay, account));

	add(drawn.slice(0, FIRST_CHARTS));
	if (drawn.length > FIRST_CHARTS)
		parent.append("p").attr("class", "more").append("button").attr("type", "button")
			.text(`Show ${drawn.length - FIRST_CHARTS} more accounts`)
			.on("click", function () {
				add(drawn.slice(FIRST_CHARTS));
				d3.select(this.parentNode).remove();
			});
}

function accountsTable(parent, replay) {
	const several = replay.policies.length > 1;
	table(parent, replay.accounts, [
		{ name: "Account", text: true, value: row => row.account },
		{ name: "Share", value: row => row.share, show: percent },
		{ name: "Jobs", value: row => row.jobs, show: count },
		{ name: "CPU hours", value: row => row.cpu_seconds / 3600, show: count },
		...replay.policies.map((policy, at) => ({
			name: "Mean wait" + (several ? " " + policy.name : ""),
			value: row => row.wait[at], show: duration })),
	], true);
}

function showReplay(replay) {
	const { trace } = replay, skipped = Object.entries(trace.skipped || {});
	const text = `${count(trace.jobs)} jobs of ${count(trace.users)} users on ` +
		`${count(trace.cpus)} CPUs from ${trace.name.replace(/.*[/]/, "")}, scheduler ` +
		`${replay.scheduler}.` + skipped.map(([reason, jobs]) =>
			` Left out: ${count(jobs)} jobs, ${reason}.`).join("");

	policiesTable(section("Policies compared", text), replay);
	waitsChart(section("Waits", "How many of the jobs wait no longer than the time below. " +
			   "Waits below a minute stand at the left edge."), replay);
	accountCharts(section("Usage against share",
		"The part of all decayed usage that each account has over time, and the share " +
		"that it was promised. Those that used most come first."), replay);
	accountsTable(section("Accounts", "A click on a heading sorts."), replay);
}

/* ---- the page --------------------------------------------------------------------------- */

const kinds = { "fathom-shares": showShares, "fathom-replay": showReplay };

const instant = time => time == null ? "" :
	" at " + new Date(1000 * time).toISOString().replace("T", " ").replace(/[.].*/, " UTC");

function show(data) {
	document.title = data.title;
	d3.select("h1").text(data.title);
	d3.select("#about").text(data.documents.map(part =>
		part.policies.map(policy => policy.name).join(", ") + instant(part.time))
		.join("; "));
	for (const part of data.documents)
		kinds[part.format](part);
}

show(JSON.parse(document.getElementById("data").textContent));
