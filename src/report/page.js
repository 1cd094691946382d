/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Draws the report. The element "data" has {"title", "documents": [...]}; a document is what
 * report_shares.c or report_replay.c makes. Names are only ever set as text.
 */
"use strict";

/* ---- text and elements ------------------------------------------------------------------ */

const none = value => value == null || Number.isNaN(value);
/* 0.25 -> "25.0 %"; of little values two digits stay: 0.000123 -> "0.012 %" */
const percent = value => none(value) ? "" :
	(value === 0 || Math.abs(value) >= .001 ? (100 * value).toFixed(1)
						: d3.format(".2~g")(100 * value)) + " %";
const plain = value => none(value) ? "" : typeof value !== "number" ? String(value) :
	value === 0 || Math.abs(value) >= 1e-4 ? d3.format(",.4~r")(value)
					       : d3.format(".2~e")(value);
/* 0.5 -> "0.5000", so that points stand below each other; of little values as many digits stay */
const factor = value => typeof value !== "number" || (value && Math.abs(value) < 1e-4)
	? plain(value) : d3.format(",.4f")(value);
const count = value => none(value) ? "" : d3.format(",")(Math.round(value)).replace("-", "−");
const many = (value, what) => `${count(value)} ${what}${value === 1 ? "" : "s"}`;

const TIME_UNITS = [[86400, "d", 2], [3600, "h", 2], [60, "min", 1], [1, "s", 1]];

/* 5400 -> "1.5 h" */
function duration(seconds) {
	if (none(seconds))
		return "";
	const [size, name] = TIME_UNITS.find(([size]) => seconds >= size) || TIME_UNITS[3];
	return d3.format(".3~r")(seconds / size) + " " + name;
}

/* For a column of times: all in the unit of the middle one, so that they can be compared. */
duration.among = times => {
	const middle = d3.median(times.filter(time => time).map(Math.abs)) || 0;
	const [size, name, digits] = TIME_UNITS.find(([size]) => middle >= size) || TIME_UNITS[3];
	return seconds => none(seconds) ? ""
		: d3.format(`,.${digits}f`)(seconds / size).replace("-", "−") + " " + name;
};

/* Names within a sentence must not turn its direction. */
const turning = new RegExp("[\\u0590-\\u08ff\\u200e\\u200f\\u202a-\\u202e\\u2066-\\u2069" +
			   "\\ufb1d-\\ufdff\\ufe70-\\ufeff]");
const isolated = name => turning.test(name) ? `\u2068${name}\u2069` : name;
const shortName = row => isolated(row.user == null ? row.account : row.user);
const nameOf = row => row.user == null ? shortName(row) :
	`${shortName(row)} in ${isolated(row.account)}` +
	(row.partition == null ? "" : `, partition ${isolated(row.partition)}`);

/* ---- numbers ----------------------------------------------------------------------------

 * The value of a digit in base 64; -1: it is none. */
const digitOf = (() => {
	const all = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const values = new Map(Array.from(all, (digit, value) => [digit, value]));
	return digit => values.has(digit) ? values.get(digit) : -1;
})();

/* Three digits of base 64 to a number with four decimal digits, see report_numbers.h. */
function decimal(code) {
	const exponent = Math.floor((code - 1) / 9000) - 21;
	const mantissa = 1000 + (code - 1) % 9000;
	return !code ? 0 : exponent < 0 ? mantissa / 10 ** -exponent : mantissa * 10 ** exponent;
}

/* A list of numbers as it is, or from the text that it has become; see report_numbers.h. */
function unpackNumbers(packed) {
	if (typeof packed !== "string")
		return packed;
	const digits = packed[0] === "e" ? 3 : Number(packed[0]);
	const numbers = [];

	for (let at = 1; at < packed.length; at += digits) {
		let code = 0;
		for (let i = 0; i < digits; i++)
			code = 64 * code + digitOf(packed[at + i]);
		numbers.push(code < 0 ? null : packed[0] === "e" ? decimal(code) : code);
	}
	return numbers;
}

/* Unpacks lists of an object in place. */
function unpackKeys(object, keys) {
	for (const key of keys)
		if (object[key] != null)
			object[key] = unpackNumbers(object[key]);
}

/* ---- sections and controls --------------------------------------------------------------

 * Charts as wide as the page keep the size of their text on a phone. */
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

/* entries: [[colour, text, pressed], ...]; changed: called with the number of an entry whose button
 * is pressed; without it they are no buttons */
function legend(parent, entries, changed) {
	const list = parent.append("ul").attr("class", "legend");
	const items = list.selectAll("li").data(entries).join("li")
		.append(([, , pressed]) => document.createElement(
			changed && pressed != null ? "button" : "span"));

	items.append("i").style("background", ([colour]) => colour);
	items.append("span").text(([, text]) => text);
	items.filter("button").attr("type", "button")
		.attr("aria-pressed", ([, , pressed]) => pressed)
		.on("click", function (entry, i) {
			const pressed = this.getAttribute("aria-pressed") !== "true";
			this.setAttribute("aria-pressed", pressed);
			changed(entries.indexOf(entry), pressed);
		});
	return list;
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

const PAGE_ROWS = 200;		/* more are slow to sort */
const PRINTED_ROWS = 2000;	/* of a table that is printed as a whole */

/* Orders words, and the numbers in them as numbers: user2 before user10. */
const collator = new Intl.Collator(undefined, { numeric: true });

/* What tables do before and after the page is printed. */
const printed = [];
addEventListener("beforeprint", () => printed.forEach(print => print(true)));
addEventListener("afterprint", () => printed.forEach(print => print(false)));

/* Buttons to go through the pages of a table. show: called with the number of a page */
function pager(parent, show) {
	const line = parent.append("p").attr("class", "more");
	const text = line.append("span").attr("role", "status");
	let page = 0, last = 0;
	const buttons = line.selectAll("button").data([
		["First", () => 0], ["Previous", () => page - 1],
		["Next", () => page + 1], ["Last", () => last]]).join("button")
		.attr("type", "button").text(([name]) => name)
		.on("click", ([, target]) => show(Math.max(0, Math.min(target(), last))));

	/* buttons that lead nowhere keep the focus of the keyboard */
	return (at, size, rowCount) => {
		page = at;
		last = Math.max(0, Math.ceil(rowCount / size) - 1);
		buttons.attr("hidden", last ? null : true)
			.attr("aria-disabled", ([, target]) => target() < 0 || target() > last ||
				target() === page ? true : null);
		text.text(!last ? "" : `Rows ${count(page * size + 1)} to ` +
			`${count(Math.min((page + 1) * size, rowCount))} of ${count(rowCount)} `);
	};
}

/* A table that is sorted by a click on a heading and searched in its text columns. Returns a
 * function that replaces its columns.
 * columns: [{name, value(row), show(value), text: it is a word, isBest(row)}]; show.among(values)
 * makes show() for all values of the column */
function table(parent, rows, columns, searched) {
	let sorted = null, descending = false, wanted = "", page = 0, isPrinted = false;
	const controls = searched ? parent.append("div").attr("class", "controls") : null;
	const box = parent.append("div").attr("class", "wide").attr("tabindex", 0)
		.attr("role", "region").attr("aria-labelledby", parent.attr("aria-labelledby"));
	const made = box.append("table");
	const head = made.append("thead").append("tr");
	const body = made.append("tbody");
	const status = searched ? controls.append("span").attr("role", "status") : null;
	const turn = pager(parent, chosen => {
		page = chosen;
		fill();
		box.node().scrollTop = 0;
	});

	if (searched)
		controls.insert("label", "span").text("Search ")
			.append("input").attr("type", "search")
			.on("input", function () {
				wanted = this.value.toLowerCase();
				page = 0;
				fill();
			});

	/* one order, then the other, then that of the document */
	function sortBy(column) {
		const first = !column.text;
		if (sorted !== column) {
			sorted = column;
			descending = first;
		} else if (descending === first)
			descending = !first;
		else
			sorted = null;
		page = 0;
		fill();
	}
	/* What is no number, such as "parent", comes last in both orders. */
	function compare(a, b) {
		const isOut = value => sorted.text ? none(value)
						   : typeof value !== "number" || none(value);
		if (isOut(a.key) || isOut(b.key))
			return isOut(a.key) - isOut(b.key);
		const order = sorted.text ? collator.compare(a.key, b.key) : a.key - b.key;
		return descending ? -order : order;
	}
	function inOrder(found) {
		return !sorted ? found
			: found.map(row => ({ row, key: sorted.value(row) })).sort(compare)
				.map(keyed => keyed.row);
	}
	let shows;	/* by column: how it shows a value */
	const words = columns.filter(column => column.text);
	const isFound = row => !wanted || words.some(column =>
		String(column.value(row)).toLowerCase().includes(wanted));

	function fill() {
		const found = inOrder(rows.filter(isFound));
		const isWhole = isPrinted && found.length <= PRINTED_ROWS;
		const size = isWhole ? found.length || 1 : PAGE_ROWS;
		const at = Math.min(page, Math.max(0, Math.ceil(found.length / size) - 1));
		const shown = found.slice(at * size, (at + 1) * size);

		head.selectAll("th").attr("aria-sort", column => column !== sorted ? null
							: descending ? "descending" : "ascending");
		body.selectAll("tr").data(shown).join("tr").selectAll("td")
			.data(row => columns.map(column => ({ column, row,
							      value: column.value(row) })))
			.join("td")
			.classed("text", d => d.column.text)
			.classed("long", d => d.column.text && String(d.value).length > 24)
			.classed("best", d => d.column.isBest && d.column.isBest(d.row))
			.text(d => shows.get(d.column)(d.value));
		if (searched)
			status.text(`${count(found.length)} of ${count(rows.length)} rows`);
		turn(at, size, found.length);
	}
	function setColumns(wantedColumns) {
		columns = wantedColumns;
		shows = new Map(columns.map(column => [column, column.show && column.show.among
			? column.show.among(rows.map(column.value)) : column.show || plain]));
		sorted = sorted && columns.find(column => column.name === sorted.name) || null;
		head.selectAll("th").data(columns).join("th").attr("scope", "col")
			.classed("text", column => column.text)
			.selectAll("button").data(column => [column]).join("button")
			.attr("type", "button").text(column => column.name).on("click", sortBy);
		fill();
	}
	setColumns(columns);
	printed.push(isBegin => {
		isPrinted = isBegin;
		if (rows.length > PAGE_ROWS)
			fill();
	});
	return setColumns;
}

/* A list that opens. words: [[name, meaning], ...] */
function explain(parent, title, words) {
	const details = parent.append("details");
	const list = details.append("dl");

	details.insert("summary", "dl").text(title);
	for (const [name, meaning] of words) {
		list.append("dt").text(name);
		list.append("dd").text(meaning);
	}
	let wasOpen;
	printed.push(isBegin => {
		wasOpen = isBegin ? details.property("open") : wasOpen;
		details.property("open", isBegin || wasOpen);
	});
}

/* ---- shares -----------------------------------------------------------------------------

 * Makes a row of each association from the lists of the document: {id, parent, account, user,
 * partition, raw, usage: [...], factor: [...], rank: [...]}, with an element for each policy. */
function rowsOf(shares) {
	const [first] = shares.policies;
	const rows = [];

	unpackKeys(shares, ["parent", "is_user", "raw"]);
	shares.policies.forEach(policy => unpackKeys(policy, ["usage", "factor", "rank"]));

	shares.name.forEach((name, id) => {
		const figures = key => shares.policies.map(policy =>
			(policy[key] || first[key])[id]);
		const parent = rows[shares.parent[id]], isUser = shares.is_user[id];
		rows.push({ id, parent: parent ? parent.id : null,
			    account: isUser && parent ? parent.account : name,
			    user: isUser ? name : null, partition: shares.partition[id],
			    raw: shares.raw[id], usage: figures("usage"),
			    factor: figures("factor"), rank: figures("rank") });
	});
	return rows;
}

/* Gives each row its share of the cluster: its part of the shares of its level, times the share of
 * the account above. "parent" is no level of its own. Parents stand before children. */
function addShares(rows) {
	const sums = new Map();
	const above = row => {
		let parent = rows[row.parent];
		while (parent && parent.raw === "parent")
			parent = rows[parent.parent];
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

/* Settings by which policies of the same name differ become part of their names. */
function nameApart(policies) {
	for (const { values: same } of d3.nest().key(policy => policy.name).entries(policies)) {
		const settings = same.map(policy => policy.settings || {});
		const keys = Object.keys(settings[0]).filter(key =>
			settings.some(setting => setting[key] !== settings[0][key]));
		same.forEach((policy, i) => {
			policy.name = [policy.name, ...keys.map(key =>
				`${key}=${settingText(key, settings[i][key])}`)].join(" ");
		});
	}
}

const settingText = (key, value) => key === "half_life" ? duration(value) : plain(value);

function settingsOf(policy) {
	const settings = { half_life: policy.half_life, ...policy.settings };
	return Object.keys(settings).filter(key => !none(settings[key])).map(key =>
		`${key} ${settingText(key, settings[key])}`).join(", ");
}

/* ---- the tree ---------------------------------------------------------------------------- */

const ROW_HEIGHT = 34;
const MANY_CHILDREN = 100;
const balance = d3.scaleDiverging([-2, 0, 2], t => d3.interpolateRdBu(.12 + .76 * (1 - t)))
	.clamp(true);
const textOn = colour => d3.lab(colour).l > 49.5 ? "#000" : "#fff";

/* Usage for its share: -2 has used a quarter of it or less, 2 four times as much or more. */
function excess(row, at) {
	if (none(row.usage[at]) || row.shares == null || !(row.usage[at] || row.shares))
		return 0;
	return Math.log2(row.usage[at] / row.shares);
}

const told = (row, at) =>
	`${nameOf(row)}\nshare ${row.shares == null ? "of its account" : percent(row.shares)}, ` +
	`usage ${percent(row.usage[at])}` +
	(row.factor[at] == null ? "" : `\nfair-share factor ${plain(row.factor[at])}`) +
	(row.rank[at] == null ? "" : `, rank ${row.rank[at]}`);

/* Cuts a text to a width in pixels; characters of East Asia are wide. */
function cut(text, width) {
	const letters = Array.from(text);
	let used = 6, kept = 0;
	const size = letter => letter.codePointAt(0) < 0x1100 ? 7 : 13;
	while (kept < letters.length && used + size(letters[kept]) <= width)
		used += size(letters[kept++]);
	return kept === letters.length ? text
				       : letters.slice(0, Math.max(1, kept - 1)).join("") + "…";
}

function drawTree(parent, shares) {
	const root = d3.stratify().id(row => row.id).parentId(row => row.parent)(shares.rows);
	const controls = parent.append("div").attr("class", "controls");
	const box = parent.append("div");
	let at = 0, size = 0, top = root, treeWidth;

	choice(controls, "Width by", ["share", "usage"], i => { size = i; draw(); });
	if (shares.policies.length > 1)
		choice(controls, "Policy", shares.policies.map(policy => policy.name),
		       i => { at = i; draw(); });
	const up = controls.append("button").attr("type", "button").text("Up")
		.attr("aria-label", "Up to the account above").on("click", () => leave(top));
	legend(parent, [[balance(-2), "used ¼ of its share, or less"], [balance(-1), "half"],
			[balance(0), "on target"], [balance(1), "twice"],
			[balance(2), "used 4 times its share, or more"]]);

	/* What an account used itself belongs to none of its users, so a gap stays. An account with
	 * the shares of its parent is as wide as its users. */
	function widthOf(d) {
		const own = size ? d.data.usage[at] : d.data.shares;
		const users = d3.sum(d.children || [], child => child.width);
		return Math.max(own == null ? users : own, 1e-9);
	}
	/* Of many the widest come first, so that those too narrow to draw are side by side. */
	const sideBySide = list => list.length < MANY_CHILDREN ? list
		: [...list].sort((a, b) => b.width - a.width);
	function layOut() {
		treeWidth = pageWidth();
		root.eachAfter(d => { d.width = widthOf(d); });
		root.eachBefore(d => {
			const sum = d3.sum(d.children || [], child => child.width);
			const scale = d === root ? treeWidth / d.width : d.scale;
			d.x1 = d === root ? treeWidth : d.x0 + d.width * scale;
			d.x0 = d === root ? 0 : d.x0;
			let x = d.x0;
			for (const child of sideBySide(d.children || [])) {
				child.scale = (d.x1 - d.x0) / Math.max(sum, size ? d.width : 0);
				child.x0 = x;
				x += child.width * child.scale;
			}
		});
	}
	/* What is left of an account beside the children that are drawn; null: nothing. */
	function restOf(d) {
		const narrow = (d.children || []).filter(child => !child.drawn);
		if (!narrow.length)
			return null;
		const users = narrow.filter(child => child.data.user != null).length;
		const words = [[narrow.length - users, "account"], [users, "user"]]
			.filter(([number]) => number).map(([number, what]) => many(number, what));
		return { depth: d.depth + 1, told: words.join(" and "),
			 x0: d3.min(narrow, child => child.x0),
			 x1: d3.max(narrow, child => child.x1) };
	}
	/* Where nothing has been used, nobody has used too little. */
	const colourOf = d => balance(root.data.usage[at] ? excess(d.data, at) : 0);

	function draw() {
		layOut();
		const scale = treeWidth / (top.x1 - top.x0);
		root.each(d => { d.drawn = false; });
		top.each(d => { d.drawn = (d.x1 - d.x0) * scale >= 1.5; });
		const shown = top.descendants().filter(d => d.drawn);
		const rests = shown.map(restOf).filter(d => d && (d.x1 - d.x0) * scale >= 1.5);
		const depth = d3.max([...shown, ...rests], d => d.depth) - top.depth + 1;
		const svg = box.selectAll("svg").data([0]).join("svg").attr("role", "tree")
			.attr("aria-label", "accounts and users")
			.attr("viewBox", `0 0 ${treeWidth} ${depth * ROW_HEIGHT}`);
		const left = d => (d.x0 - top.x0) * scale, wide = d => (d.x1 - d.x0) * scale;
		const above = d => (d.depth - top.depth) * ROW_HEIGHT;
		const ring = svg.selectAll("rect.ring").data([0]).join("rect")
			.attr("class", "ring").attr("aria-hidden", true);
		const encircle = () => {
			const cell = svg.selectAll("rect.cell:focus-visible");
			ring.raise().attr("visibility", cell.empty() ? "hidden" : null);
			cell.each(d => ring.attr("x", left(d) + 1.5).attr("y", above(d) + 1.5)
				.attr("width", Math.max(wide(d) - 3, 1))
				.attr("height", ROW_HEIGHT - 4));
			return !cell.empty();
		};

		svg.selectAll("rect.cell").data(shown, d => d.id).join("rect").attr("class", "cell")
			.attr("role", "treeitem").attr("tabindex", d => d === top ? 0 : -1)
			.attr("aria-level", d => d.depth + 1)
			.attr("aria-label", d => told(d.data, at))
			.attr("x", left).attr("width", wide).attr("y", above)
			.attr("height", ROW_HEIGHT - 1)
			.attr("fill", colourOf)
			.on("click", zoom)
			.on("keydown", d => keys(d3.event, d))
			.on("mousemove", d => tip.show(told(d.data, at), d3.event.clientX,
						       d3.event.clientY))
			.on("mouseleave", tip.hide)
			.on("blur", () => { tip.hide(); encircle(); })
			.on("focus", function (d) {
				const place = this.getBoundingClientRect();
				if (encircle())
					tip.show(told(d.data, at), place.left, place.bottom);
			});
		/* those of an account that are too narrow to draw are one part, which is no item */
		svg.selectAll("rect.rest").data(rests).join("rect").attr("class", "rest")
			.attr("x", left).attr("width", wide).attr("y", above)
			.attr("height", ROW_HEIGHT - 1)
			.on("mousemove", d => tip.show(d.told, d3.event.clientX, d3.event.clientY))
			.on("mouseleave", tip.hide);
		svg.selectAll("text.rest").data(rests.filter(d => wide(d) > 40)).join("text")
			.attr("class", "rest").attr("x", d => left(d) + 4)
			.attr("y", d => above(d) + 21).text(d => cut(d.told, wide(d)));
		svg.selectAll("text.label").data(shown.filter(d => wide(d) > 40), d => d.id)
			.join("text")
			.attr("class", "label").attr("aria-hidden", true)
			.attr("x", d => left(d) + 4)
			.attr("y", d => above(d) + 21).style("fill", d => textOn(colourOf(d)))
			.text(d => cut(shortName(d.data), wide(d)));
		up.property("disabled", !top.parent);
		encircle();
	}
	const focus = d => box.selectAll("rect.cell").filter(other => other === d).node().focus();

	function zoom(d) {
		if (d === top)
			leave(d);
		else if (d.children) {
			top = d;
			draw();
			focus(d);
		}
	}
	function leave(d) {
		top = top.parent || top;
		draw();
		focus(d.drawn ? d : top);
	}
	function keys(event, d) {
		const drawn = list => (list || []).filter(other => other.drawn)
			.sort((a, b) => a.x0 - b.x0);
		const siblings = d === top ? [d] : drawn(d.parent.children);
		const i = siblings.indexOf(d);
		const next = { ArrowLeft: siblings[i - 1], ArrowRight: siblings[i + 1],
			       ArrowUp: d === top ? null : d.parent,
			       ArrowDown: drawn(d.children)[0],
			       Home: siblings[0], End: siblings[siblings.length - 1] };
		if (event.key === "Enter" || event.key === " ")
			zoom(d);
		else if (event.key === "Escape")
			leave(top);
		else if (event.key in next)
			focus(next[event.key] || d);
		else
			return;
		event.preventDefault();
	}
	draw();
	redrawn.push(draw);
}

/* Functions that draw what is as wide as the page. */
const redrawn = [];
let drawnWidth = 0;
addEventListener("resize", () => {
	if (drawnWidth !== pageWidth())
		redrawn.forEach(draw => draw());
	drawnWidth = pageWidth();
});

function sharesTable(parent, shares) {
	const several = shares.policies.length > 1;
	const hasOwnUsage = policy => policy !== shares.policies[0] && policy.usage;
	const usageDiffers = shares.policies.some(hasOwnUsage);
	const columns = [
		{ name: "Account", text: true, value: row => row.account },
		{ name: "User", text: true, value: row => row.user == null ? "" : row.user },
		{ name: "Raw shares", value: row => row.raw },
		{ name: "Share", value: row => row.shares, show: percent },
	];
	if (Object.keys(shares.partition).length)
		columns.splice(2, 0, { name: "Partition", text: true,
				       value: row => row.partition || "" });
	if (!usageDiffers)
		columns.push({ name: "Usage", value: row => row.usage[0], show: percent });
	shares.policies.forEach((policy, at) => {
		const of = several ? " " + policy.name : "";
		if (usageDiffers)
			columns.push({ name: "Usage" + of, value: row => row.usage[at],
				       show: percent });
		columns.push({ name: "Factor" + of, value: row => row.factor[at],
			       show: factor });
		columns.push({ name: "Rank" + of, value: row => row.rank[at], show: count });
		if (at)
			columns.push({ name: `Rank change ${policy.name}`,
				       value: row => none(row.rank[at]) || none(row.rank[0]) ? null
							: row.rank[0] - row.rank[at],
				       show: change => (change > 0 ? "+" : "") + count(change) });
	});
	explain(parent, "What the columns mean", [
		["Raw shares", "as configured; \"parent\": those of the account above"],
		["Share", "the part of the whole cluster that is the account's or the user's"],
		["Usage", "the part of all usage, which decays with time"],
		["Factor", "the fair-share factor that the policy computes, 0 to 1"],
		["Rank", "of users, 1 is the best"],
		...several ? [["Rank change",
			       `places gained against ${shares.policies[0].name}`]] : [],
	]);
	explain(parent, "Settings of the policies", shares.policies.map(policy =>
		[policy.name, settingsOf(policy)]));
	table(parent, shares.rows, columns, true);
}

/* Jobs of a snapshot that wait for their start. */
function showPending(pending, of) {
	const parent = section("Waits until now" + of,
		`${many(pending.jobs, "pending job")} that could start, and how many of them ` +
		"have waited no longer than the time below. " + (pending.others
			? `Left out: ${many(pending.others, "job")}, held, waiting for another ` +
			  "job or a time, or without a submit time. " : "") +
		"A job array counts as one.");
	if (!pending.jobs)
		return;
	waitsChart(parent, { charts: [], legends: [], policies: [
		{ name: "jobs that could start", colour: coloursOf(1)[0],
		  quantiles: pending.quantiles }] });
	table(parent, pending.accounts, [
		{ name: "Account", text: true, value: row => row.account },
		{ name: "Jobs", value: row => row.jobs, show: count },
		{ name: "CPUs", value: row => row.cpus, show: count },
		{ name: "Mean wait", value: row => row.wait, show: duration },
		{ name: "Longest", value: row => row.longest, show: duration },
	], true);
}

function showShares(shares, of) {
	shares.rows = rowsOf(shares);
	addShares(shares.rows);
	nameApart(shares.policies);
	drawTree(section("Accounts and users" + of,
		"Each row of the picture is a level of the tree. Click on an account, or press " +
		"Enter, to see it alone, and Escape to go back; arrow keys move."), shares);
	sharesTable(section("Shares, usage and factors" + of, "A click on a heading sorts."),
		    shares);
	if (shares.pending)
		showPending(shares.pending, of);
}

/* ---- charts ------------------------------------------------------------------------------ */

const MOST_LINES = 8;	/* whose colours can be told apart */

/* Colours of lines, round the circle; as light as can be seen on white, and as dark as on black. */
const coloursOf = number => d3.range(number).map(i =>
	String(d3.hcl(250 + i * 360 / number, 70, i % 2 ? 56 : 46)));

/* A chart of lines with parts of a whole on the vertical axis.
 * lines: [{name, points: [[x, y], ...], colour; without one it is dashed}]
 * options: {width, height, label, show(x), most: of y, titles: of the axes, [x, y],
 *	     ticks: of x, figure: of y, {domain, ticks, show(y)}; else it is a part from 0 on} */
function lineChart(parent, lines, x, options) {
	const { width, height, titles } = options;
	const edge = { top: titles ? 22 : 8, right: 14, bottom: titles ? 40 : 26,
		       left: options.figure ? 72 : 52 };
	const svg = parent.append("svg").attr("viewBox", `0 0 ${width} ${height}`)
		.attr("role", "img").attr("aria-label", options.label);
	const most = options.most || d3.max(lines, line => d3.max(line.points, point => point[1]));
	const y = d3.scaleLinear().domain(options.figure ? options.figure.domain : [0, most || 1])
		.range([height - edge.bottom, edge.top]);
	const path = d3.line().x(point => x(point[0])).y(point => y(point[1]))
		.defined(point => point[1] != null);
	const parts = y.tickFormat(height / 45, "%");

	/* a line below others is thicker, so that it is seen where they lie on it */
	const above = i => lines.slice(i + 1).filter(line => line.colour).length;

	x.range([edge.left, width - edge.right]);
	svg.append("g").attr("class", "axis")
		.attr("transform", `translate(0,${height - edge.bottom})`)
		.call(d3.axisBottom(x).ticks(width / 110).tickValues(options.ticks || null)
			.tickFormat(options.show));
	svg.append("g").attr("class", "axis").attr("transform", `translate(${edge.left},0)`)
		.call(d3.axisLeft(y).ticks(height / 45)
			.tickValues(options.figure ? options.figure.ticks : null)
			.tickFormat(options.figure ? options.figure.show
						   : part => parts(part).replace("%", " %")));
	if (titles) {
		svg.append("text").attr("class", "title").attr("x", width - edge.right)
			.attr("y", height - 4).attr("text-anchor", "end").text(titles[0]);
		svg.append("text").attr("class", "title").attr("y", 12).text(titles[1]);
	}
	svg.selectAll("path.line").data(lines).join("path")
		.attr("class", line => line.colour ? "line" : "line share")
		.attr("fill", "none")
		.attr("stroke-width", (line, i) =>
			1.75 * (line.colour ? 1 + Math.min(2, above(i)) : 1))
		.attr("stroke-linecap", "round")	/* a single point is seen, too */
		.attr("stroke", line => line.colour || null)
		.attr("d", line => path(line.points))
		.append("title").text(line => line.name);
}

/* ---- a replay ------------------------------------------------------------------------------ */

const FIRST_CHARTS = 12, MORE_CHARTS = 60;
const MANY_ROWS = 20;	/* of a table that is searched */
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
	explain(parent, "What the columns mean", [
		["95 % at most", "the wait that 95 % of the jobs do not exceed"],
		["Slowdown", "mean of (wait + run) / run, where short runs count as 10 s"],
		["Utilization", "CPU time of all jobs over that of the machine"],
		["Makespan", "from the first submission to the last end"],
		["Share error", "how far usage is from shares, of users with jobs: 0 all have " +
			"used their shares, 1 the opposite"],
		["Jain index", "of usage over shares of the same users: 1 is equal for all"],
		["Below share", "part of the time with jobs in which a user waits though the " +
			"user has had less than the share"],
		["✓", replay.weeks
			? "the best of its column by more than chance: over the trace, and in at " +
			  "least 95 % of 1,000 draws of its " + many(replay.weeks, "week") +
			  "; only for means over jobs or time"
			: "is not given: whether a difference is more than chance is told from " +
			  "four weeks on"],
	]);
	explain(parent, "Settings of the policies", replay.policies.map(policy =>
		[policy.name, settingsOf(policy)]));
	table(parent, replay.policies, [{ name: "Policy", text: true, value: row => row.name },
		...replayFigures.map(({ key, ...column }) =>
			({ value: row => row[key],
			   isBest: row => row.best.includes(key), ...column }))],
	      replay.policies.length > MANY_ROWS);
}

/* Gives the policies that are shown their colours. Of many, each takes the first that is free. */
function giveColours(replay) {
	const colours = coloursOf(Math.min(replay.policies.length, MOST_LINES));

	replay.policies.forEach((policy, i) => {
		if (replay.policies.length <= MOST_LINES)
			policy.colour = colours[i];
		else if (policy.isHidden)
			policy.colour = null;
	});
	for (const policy of replay.policies.filter(one => !one.isHidden && !one.colour)) {
		const uses = colour => replay.policies.filter(one => one.colour === colour).length;
		policy.colour = colours.reduce((a, b) => uses(b) < uses(a) ? b : a);
	}
}

/* The first policy with the best value of a figure; undefined: all are equal, or none is better. */
function firstBest(policies, { key, best }) {
	const values = best ? policies.map(row => row[key]).filter(value => !none(value)) : [];
	const value = best === "least" ? d3.min(values) : d3.max(values);
	return new Set(values).size < 2 ? undefined : policies.find(row => row[key] === value);
}

/* Of many policies, charts show the first one that is the best in each column at first. */
function hideMost(replay) {
	const bests = replayFigures.map(figure => firstBest(replay.policies, figure))
		.filter(policy => policy);
	const chosen = new Set(bests.length ? bests : replay.policies.slice(0, 1));

	if (replay.policies.length > MOST_LINES)
		replay.policies.forEach(policy => { policy.isHidden = !chosen.has(policy); });
}

function showChosen(replay) {
	const buttons = d3.selectAll(replay.legends.flatMap(list =>
		list.selectAll("button").nodes()));
	const policyOf = entry => replay.policies.find(policy => policy.name === entry[1]);

	giveColours(replay);
	buttons.attr("aria-pressed", entry => !policyOf(entry).isHidden);
	buttons.select("i").style("background", entry => policyOf(entry).colour);
	replay.charts.forEach(draw => draw());
}

/* The buttons of the legend show and hide policies in all charts of the replay. */
function policyLegend(parent, replay, more) {
	const policies = [...shownPolicies(replay),
			  ...replay.policies.filter(policy => policy.isHidden)];
	const entries = policies.map(policy =>
		[policy.colour, policy.name, policies.length > 1 ? !policy.isHidden : null]);
	const list = legend(parent, [...entries, ...more], (i, pressed) => {
		policies[i].isHidden = !pressed;
		showChosen(replay);
	});
	return list.classed("many", replay.policies.length > MOST_LINES);
}

const shownPolicies = replay => replay.policies.filter(policy => !policy.isHidden);

/* The settings that are numbers and differ between rows: [{key, of(policy)}, ...] */
function sweptSettings(policies) {
	const settings = policy => ({ half_life: policy.half_life, ...policy.settings });
	return [...new Set(policies.flatMap(policy => Object.keys(settings(policy))))]
		.map(key => ({ key, of: policy => settings(policy)[key] }))
		.filter(({ of }) => {
			const values = policies.map(of).filter(value => typeof value === "number");
			return new Set(values).size > 2;
		});
}

/* Round values in a domain; those of a time in the unit in which the greatest is shown. */
function roundTicks([least, most], isTime) {
	const [unit] = isTime && TIME_UNITS.find(([size]) => most >= size) || [1];
	return d3.ticks(least / unit, most / unit, 6).map(tick => tick * unit);
}

/* A figure against a setting: a line for each policy with the same scheduler and other settings. */
function sweepChart(parent, replay, swept) {
	const figures = replayFigures.filter(figure => figure.best);
	let figure = figures[0], setting = swept[0];
	const controls = parent.append("div").attr("class", "controls");
	const box = parent.append("div");

	choice(controls, "Figure", figures.map(({ name }) => name),
	       i => { figure = figures[i]; draw(); });
	if (swept.length > 1)
		choice(controls, "Setting", swept.map(({ key }) => key),
		       i => { setting = swept[i]; draw(); });
	const schedulers = replay.scheduler.split(",").filter(name => name !== "trace");
	const nameOfLine = policy => [policy.policy, ...swept.filter(other => other !== setting)
		.filter(({ of }) => !none(of(policy)))
		.map(({ key, of }) => `${key}=${settingText(key, of(policy))}`),
		...schedulers.length > 1 ? [policy.scheduler] : []].join(" ");

	function draw() {
		const rows = replay.policies.filter(policy => !none(setting.of(policy)));
		const nested = d3.nest().key(nameOfLine).entries(rows)
			.filter(line => line.values.length > 1).slice(0, MOST_LINES);
		const colours = coloursOf(nested.length);
		const lines = nested.map(({ key, values }, i) => ({
			name: key, colour: colours[i],
			points: values.map(row => [setting.of(row), row[figure.key]])
				.sort((a, b) => a[0] - b[0]) }));
		const values = [...new Set(rows.map(setting.of))];
		const [least, most] = d3.extent(lines.flatMap(line => line.points), ([, y]) => y);
		const margin = (most - least || Math.abs(most) || 1) / 20;
		const domain = [least - margin, most + margin];

		box.selectAll("*").remove();
		legend(box, lines.map(line => [line.colour, line.name]));
		lineChart(box, lines, d3.scaleLinear().domain(d3.extent(values)), {
			width: pageWidth(), height: 320, titles: [setting.key, figure.name],
			ticks: values.length <= 10 ? values : null,
			show: value => settingText(setting.key, value),
			figure: { domain, show: figure.show || plain,
				  ticks: roundTicks(domain, figure.show === duration) },
			label: `${figure.name} against ${setting.key}` });
	}
	draw();
	redrawn.push(draw);
}

/* Quantile i is the wait that i % of jobs do not exceed; the axis begins at a minute. */
const pointsOf = ({ quantiles }, end) => [
	...quantiles.map((wait, i) => [Math.max(wait, 60), i / 100]),
	...quantiles.length ? [[end, 1]] : []];

function waitsChart(parent, replay) {
	const longest = d3.max(replay.policies, policy => d3.max(policy.quantiles)) || 0;
	const ticks = [60, 600, 3600, 21600, 86400, 604800, 2592000, 31536000];

	replay.legends.push(policyLegend(parent, replay, []));
	const box = parent.append("div");
	const draw = () => {
		const x = d3.scaleLog().domain([60, Math.max(longest, 600)]).clamp(true);
		x.ticks = () => ticks.filter(tick => tick <= x.domain()[1]);
		box.selectAll("*").remove();
		lineChart(box, shownPolicies(replay).map(policy => ({
			name: policy.name, colour: policy.colour,
			points: pointsOf(policy, x.domain()[1]) })), x,
			  { width: pageWidth(), height: 320, most: 1, show: duration,
			    titles: ["wait", "part of the jobs"],
			    label: "part of the jobs that wait no longer than a time" });
	};
	draw();
	replay.charts.push(draw);
	redrawn.push(draw);
}

/* Two digits of base 64 are a part of `most`; "--": not known. See report_replay.c. */
function unpack(text, most) {
	const digit = i => digitOf(text[i]);
	return d3.range(0, text.length, 2).map(i => digit(i) < 0 ? null
		: (64 * digit(i) + digit(i + 1)) / 4095 * (most || 1));
}

function accountChart(box, replay, account) {
	const end = d3.max(replay.policies, policy => d3.max(policy.time)) || 1;
	const [size, unit] = TIME_UNITS.find(([size]) => end >= 3 * size) || TIME_UNITS[3];
	const { epoch } = replay.trace;
	const at = time => none(epoch) ? time / size : new Date(1000 * (epoch + time));
	const x = (none(epoch) ? d3.scaleLinear() : d3.scaleUtc()).domain([at(0), at(end)]);
	const lines = shownPolicies(replay).map(policy => ({
		name: policy.name, colour: policy.colour,
		points: unpack(account.usage[replay.policies.indexOf(policy)], account.most)
			.map((part, i) => [at(policy.time[i]), part]) }));

	lines.push({ name: "share", points: [[at(0), account.share], [at(end), account.share]] });
	box.append("h3").attr("dir", "auto").text(account.account);
	lineChart(box, lines, x, { width: 330, height: 180,
		show: none(epoch) ? time => `${time} ${unit}` : undefined,
		label: `usage of ${isolated(account.account)} against its share of ` +
			percent(account.share) });
}

function accountCharts(parent, replay) {
	const charted = replay.accounts.filter(account => account.usage);
	let most = FIRST_CHARTS, wanted = "";
	const controls = parent.append("div").attr("class", "controls");

	controls.append("label").text("Search ").append("input").attr("type", "search")
		.on("input", function () {
			wanted = this.value.toLowerCase();
			most = FIRST_CHARTS;
			draw();
		});
	const status = controls.append("span").attr("role", "status");
	replay.legends.push(policyLegend(parent, replay, [["var(--text)", "share (dashed)"]]));
	const box = parent.append("div").attr("class", "small");
	const more = parent.append("p").attr("class", "more");

	function draw() {
		const found = charted.filter(account =>
			account.account.toLowerCase().includes(wanted));
		const left = found.length - most;
		box.selectAll("*").remove();
		for (const account of found.slice(0, most))
			accountChart(box.append("div"), replay, account);
		status.text(`${count(Math.min(most, found.length))} of ` +
			`${count(replay.accounts.length)} accounts` +
			(charted.length < replay.accounts.length
				? `; the ${count(charted.length)} that used most have a chart`
				: ""));
		more.selectAll("button").data(left > 0 ? [left] : []).join("button")
			.attr("type", "button")
			.text(`Show ${count(Math.min(left, MORE_CHARTS))} more accounts`)
			.on("click", () => { most += MORE_CHARTS; draw(); });
	}
	draw();
	replay.charts.push(draw);
}

/* 90 -> "+1.5 min"; only for columns */
const change = {
	among: times => {
		const show = duration.among(times);
		return seconds => (seconds > 0 ? "+" : "") + show(seconds);
	},
};

/* Columns of how much longer rows wait than under the first policy. wait: of a row. */
function changesOf(replay, wait) {
	const [first, ...others] = replay.policies;
	const longer = (policy, row) => none(wait(policy, row)) || none(wait(first, row))
		? null : wait(policy, row) - wait(first, row);

	return others.filter(policy => !policy.isHidden).map(policy => ({
		name: "Change " + policy.name, show: change, value: row => longer(policy, row) }));
}

function accountsTable(parent, replay) {
	const several = replay.policies.length > 1;
	const isMany = replay.policies.length > MOST_LINES;
	const columns = () => [
		{ name: "Account", text: true, value: row => row.account },
		{ name: "Share", value: row => row.share, show: percent },
		{ name: "Jobs", value: row => row.jobs, show: count },
		{ name: "CPU hours", value: row => row.cpu_seconds / 3600, show: count },
		...(isMany ? shownPolicies(replay) : replay.policies).map(policy => ({
			name: "Mean wait" + (several ? " " + policy.name : ""),
			value: row => policy.wait[row.id], show: duration })),
		...changesOf(replay, (policy, row) => policy.wait[row.id]),
	];
	const setColumns = table(parent, replay.accounts, columns(), true);

	if (isMany)
		replay.charts.push(() => setColumns(columns()));
}

/* Whose jobs wait longer, and whose less, than under the first policy. */
function changesTable(parent, replay) {
	const [first] = replay.policies;
	const columns = () => [
		{ name: "User", text: true, value: row => row.user },
		{ name: "Account", text: true, value: row => row.account },
		{ name: "Jobs", value: row => row.jobs, show: count },
		{ name: "Mean wait " + first.name, value: row => row.wait[0], show: duration },
		...changesOf(replay, (policy, row) => row.wait[replay.policies.indexOf(policy)]),
	];
	const setColumns = table(parent, replay.users, columns(), true);

	if (replay.policies.length > MOST_LINES)
		replay.charts.push(() => setColumns(columns()));
}

/* Makes a row of each account from the lists of the document. */
function unpackReplay(replay) {
	const lists = replay.accounts, numbers = ["share", "jobs", "cpu_seconds", "most"];

	unpackKeys(lists, numbers);
	replay.policies.forEach(policy => unpackKeys(policy, ["quantiles", "time", "wait"]));
	replay.accounts = lists.account.map((account, id) => {
		const row = { id, account, usage: lists.usage[id] };
		for (const key of numbers)
			row[key] = lists[key][id];
		return row;
	});
}

/* Reasons why jobs are left out, behind the number of jobs. */
const LEFT_OUT = {
	part_of_job: " recorded in parts",
	not_ended: " that had not ended",
	no_run_time: " that never ran",
	no_submit_time: " without a submit time",
	no_start_time: " without a start",
	no_cpus: " without a number of CPUs",
	too_large: " too large for the machine or partition",
	too_long: " with a time limit beyond MaxTime of the partition",
	no_partition: " of partitions that the site does not have",
	partition_not_up: " of partitions that are not up",
	no_association: " of users and accounts that the tree does not have",
};

function showReplay(replay, of) {
	const { trace } = replay, skipped = Object.entries(trace.skipped || {});
	const name = isolated(String(trace.name).replace(/.*[/]/, ""));
	const text = `${many(trace.jobs, "job")} of ${many(trace.users, "user")} on ` +
		`${many(trace.cpus, "CPU")} from ${name}, ` +
		`scheduler ${replay.scheduler.replace(/,/g, ", ")}.` + (trace.shares === "assumed"
			? " Shares are assumed: 1 for each account, and for each user of one."
			: "") +
		skipped.map(([reason, jobs]) =>
			` Left out: ${many(jobs, "job")}${LEFT_OUT[reason] || `, ${reason}`}.`)
			.join("");
	const isMany = replay.policies.length > MOST_LINES;

	unpackReplay(replay);
	replay.charts = [];
	replay.legends = [];
	hideMost(replay);
	giveColours(replay);
	policiesTable(section("Policies compared" + of, text), replay);
	const swept = sweptSettings(replay.policies);
	if (swept.length)
		sweepChart(section("Figures against settings" + of,
			"One of the figures above, for each value of a setting."), replay, swept);
	waitsChart(section("Waits" + of,
		"How many of the jobs wait no longer than the time below. " +
		"Waits below a minute stand at the left edge." + (isMany
			? " Of many policies and settings, those that are the best of a column " +
			  "above are shown first; the buttons show and hide them, here and below."
			: "")), replay);
	accountCharts(section("Usage against share" + of,
		"The part of all decayed usage that each account has, from the first submission " +
		"on, and its share. Those that used most come first."), replay);
	if (replay.users.length)
		changesTable(section("Winners and losers" + of,
			"The users whose waits change most from " + replay.policies[0].name +
			" to another policy, by the change of all their jobs. A click on a " +
			"heading sorts." + (isMany
				? " The changes are those of the policies that are shown above."
				: "")), replay);
	accountsTable(section("Accounts" + of, "A click on a heading sorts." + (isMany
		? " The waits are those of the policies that are shown above." : "")), replay);
}

/* ---- days -------------------------------------------------------------------------------- */

/* A line for each association. figure: as for lineChart(), else it is a part; share: [key, name] of
 * a figure that is dashed beside each. */
function daysChart(parent, shown, key, label, { figure, share }) {
	const x = d3.scaleTime().domain(d3.extent(shown.flatMap(line => line.time),
						  time => new Date(1000 * time)));
	const points = (line, of) => line[of].map((y, i) => [new Date(1000 * line.time[i]), y]);
	const box = parent.append("div");

	legend(parent.insert("div", "div"), [...shown.map(line => [line.colour, line.name]),
		...share ? [["var(--text)", share[1] + " (dashed)"]] : []]);
	const draw = () => {
		box.selectAll("*").remove();
		lineChart(box, [...shown.map(line => ({ name: line.name, colour: line.colour,
							points: points(line, key) })),
			...share ? shown.map(line => ({ name: `${share[1]} of ${line.name}`,
							points: points(line, share[0]) })) : []],
			  x, { width: pageWidth(), height: 320, label, figure });
	};
	draw();
	redrawn.push(draw);
}

function showHistory(history, of) {
	const shown = history.lines.slice(0, MOST_LINES);
	const left = history.lines.length - shown.length;
	const text = "The first pass of each day." + (left > 0
		? ` ${many(left, "association")} more have no line.` : "");

	coloursOf(shown.length).forEach((colour, i) => { shown[i].colour = colour; });
	if (shown.some(line => line.factor.some(factor => factor != null)))
		daysChart(section("Fair-share factor by day" + of, text), shown, "factor",
			  "fair-share factor by day", { figure: { domain: [0, 1], show: plain,
								  ticks: d3.ticks(0, 1, 5) } });
	/* the root has all usage, on each day */
	if (shown.every(line => line.usage.every(part => part === 1))) {
		const most = d3.max(shown, line => d3.max(line.raw)) || 1;
		daysChart(section("Usage by day" + of, text + " All raw usage, which decays with " +
				  "time."), shown, "raw", "raw usage by day",
			  { figure: { domain: [0, most], show: count } });
		return;
	}
	daysChart(section("Usage and share by day" + of, text +
		" The effective usage is the part of all usage that counts for the factor."),
		  shown, "usage", "effective usage by day", { share: ["share", "share"] });
}

/* ---- the page --------------------------------------------------------------------------- */

const kinds = { "fathom-shares": showShares, "fathom-replay": showReplay,
		"fathom-history": showHistory };

const instant = time => time == null ? "" :
	" at " + new Date(1000 * time).toISOString().replace("T", " ").replace(/[.].*/, " UTC");

const namesOf = policies => policies.length > MOST_LINES
	? `${count(policies.length)} policies and settings`
	: policies.map(policy => policy.name).join(", ");

function show(data) {
	const several = data.documents.length > 1;

	document.title = data.title;
	d3.select("h1").text(data.title);
	for (const part of data.documents)
		kinds[part.format](part, several && part.source
					 ? ` – ${isolated(part.source)}` : "");
	d3.select("#about").text(data.documents.map(part =>
		(part.source ? isolated(part.source) + ": " : "") +
		namesOf(part.policies) + instant(part.time))
		.join("; "));
	d3.select("#made").text(`Made by fathom ${data.version} on ${data.made}.`);
}

show(JSON.parse(document.getElementById("data").textContent));
