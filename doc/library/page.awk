# SPDX-License-Identifier: GPL-2.0-or-later
# Makes a manual page of section 3 from a template and from the declarations and
# comments in the public headers.
#
#	awk -v version=VERSION -f page.awk HEADER... TEMPLATE
#
# The template, NAME.3in, is a page without its head, with these lines:
#	@about TEXT		a description, for the section NAME
#	@struct NAME...		inserts the definitions of structs or enums
#	@calls FUNCTION...	inserts the name and the comment of each function
#	@file FILE		inserts a file from the folder of the template

BEGIN {
	folder = name = ARGV[ARGC - 1]
	sub(/[^\/]*$/, "", folder)
	sub(/.*\//, "", name)
	sub(/\.3in$/, "", name)
	print ".\\\" Made from " name ".3in and the public headers."
}

# ---- a header: comment[], prototype[] of functions, definition[] of structs ----

FNR == 1 { in_comment = in_definition = in_prototype = ""; is_template = FILENAME ~ /\.3in$/ }

!is_template && in_definition != "" {
	definition[in_definition] = definition[in_definition] "\n" $0
	if (/};/)
		in_definition = ""
	next
}
!is_template && in_prototype != "" {
	sub(/^[ \t]+/, " ")
	prototype[in_prototype] = prototype[in_prototype] $0
	if (/;$/)
		in_prototype = ""
	next
}
!is_template && (/^\/\*/ || in_comment) {
	in_comment = !/\*\/$/
	if (/^\/\*/)
		text = ""
	sub(/^(\/\*| \*\/| \*)[ ]?/, "")
	sub(/ *\*\/$/, "")
	text = text (text == "" ? "" : "\n") $0
	next
}
!is_template && /^(struct|enum) fathom_[a-z_]* \{/ {
	in_definition = $2
	definition[$2] = $0
	if (/};/)
		in_definition = ""
	next
}
!is_template && /^[a-z].*[ *]fathom_[a-z0-9_]*\(/ && !/^typedef/ {
	function_name = $0
	sub(/\(.*/, "", function_name)
	sub(/.*[ *]/, "", function_name)
	prototype[function_name] = $0
	comment[function_name] = text
	in_prototype = /;$/ ? "" : function_name
	next
}
!is_template { next }

# ---- the template ----------------------------------------------------------------

# The page lists all functions before it describes the first, so lines are kept.
{ line[++lines] = $0 }
$1 == "@about" { about = $0; sub(/^@about /, "", about) }
$1 == "@calls" {
	for (i = 2; i <= NF; i++)
		call[++calls] = $i
}

END {
	head()
	for (i = 1; i <= lines; i++) {
		count = split(line[i], word, " ")
		if (word[1] == "@about")
			continue
		else if (word[1] == "@struct")
			for (j = 2; j <= count; j++)
				put_definition(word[j])
		else if (word[1] == "@calls")
			for (j = 2; j <= count; j++)
				put_call(word[j])
		else if (word[1] == "@file")
			put_file(folder word[2])
		else
			print line[i]
	}
	exit failed
}

function head(	i)
{
	printf ".TH %s 3 2026-01-01 \"fathom %s\" \"Library Functions\"\n", toupper(name), version
	printf ".SH NAME\n"
	printf "%s", name
	for (i = 1; i <= calls; i++)
		if (call[i] != name)
			printf ", %s", call[i]
	printf " \\- %s\n.SH LIBRARY\nFair share and job priority (libfathom, \\-lfathom)\n", about
	printf ".SH SYNOPSIS\n.nf\n.B #include <fathom.h>\n.PP\n"
	for (i = 1; i <= calls; i++)
		put_prototype(call[i])
	print ".fi"
}

function known(what, where)
{
	if (what in where)
		return 1
	print name ".3in: the headers have no " what | "cat >&2"
	failed = 1
	return 0
}

# Broken behind commas, or the first bracket, at 70 columns.
function put_prototype(function_name,	count, part, i, out)
{
	if (!known(function_name, prototype))
		return
	count = split(prototype[function_name], part, /, /)
	out = part[1]
	if (length(out) > 70)
		sub(/\(/, "(\n        ", out)
	for (i = 2; i <= count; i++) {
		if (length(out) + length(part[i]) > 68) {
			print out ","
			out = "        " part[i]
		} else {
			out = out ", " part[i]
		}
	}
	print out
}

# The definition without its comments, then an entry for each member that has
# one. A comment stands above its members or begins on their line.
function put_definition(what,	count, row, i, code, remark, is_above, in_remark)
{
	if (!known(what, definition))
		return
	print ".PP\n.in +4n\n.nf"
	entries = members = text = ""
	count = split(definition[what], row, "\n")
	for (i = 1; i <= count; i++) {
		code = remark = row[i]
		sub(/[ \t]*\/\*.*/, "", code)
		if (in_remark) {
			code = ""
		} else if (sub(/.*\/\*/, "", remark)) {
			is_above = code == ""
			in_remark = 1
		}
		if (code != "") {
			gsub(/\t/, "    ", code)
			print code
			members = names_of(code)
			if (is_above)
				end_entry()
		}
		if (!in_remark)
			continue
		in_remark = remark !~ /\*\//
		sub(/^[ \t]*(\*[^\/]|\*$)?/, "", remark)
		sub(/[ \t]*\*\/.*/, "", remark)
		text = text (text == "" ? "" : "\n") remark
		if (!in_remark && !is_above)
			end_entry()
	}
	printf ".fi\n.in\n%s", entries
}

function end_entry()
{
	if (text != "")
		entries = entries ".TP\n.I " members "\n" marked(text) "\n"
	text = ""
}

# The names in "double low, high;", "double (*end_of)(...);" or "FATHOM_NUMBER,"
function names_of(code,	count, part, i, out)
{
	if (match(code, /\(\*[a-z_]*\)/))
		return substr(code, RSTART + 2, RLENGTH - 3)
	sub(/.*{/, "", code)
	sub(/}.*/, "", code)
	count = split(code, part, /[,;]/)
	for (i = 1; i <= count; i++) {
		sub(/ *[[=].*/, "", part[i])
		sub(/.*[ *]/, "", part[i])
		out = out (out == "" || part[i] == "" ? "" : ", ") part[i]
	}
	return out
}

# A comment's text with the marks of a manual page.
function marked(text)
{
	gsub(/\\/, "\\e", text)
	gsub(/-/, "\\-", text)
	gsub(/`[^`]*`/, "\\fI&\\fR", text)
	gsub(/`/, "", text)
	gsub(/fathom_[a-z0-9_]*\(\)/, "\\fB&\\fR", text)
	gsub(/\(\)\\fR/, "\\fR()", text)
	gsub(/\n\n/, "\n.IP\n", text)
	return text
}

function put_call(function_name)
{
	if (known(function_name, comment))
		print ".TP\n.BR " function_name " ()\n" marked(comment[function_name])
}

# At most 80 columns, so tabs are half as wide.
function put_file(path,	row, found)
{
	print ".PP\n.EX"
	while ((getline row < path) > 0) {
		found = 1
		gsub(/\\/, "\\e", row)
		gsub(/-/, "\\-", row)
		gsub(/\t/, "    ", row)
		print (row ~ /^[.\047]/ ? "\\&" : "") row
	}
	print ".EE"
	if (!found) {
		print name ".3in: nothing in " path | "cat >&2"
		failed = 1
	}
}
