/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads slurm.conf by the rules of slurmctld:
 *
 *	Key=Value			one general pair a line; any case
 *	Key="two words"			quotes for a value with blanks
 *	NodeName=n[1-2] CPUs=4 \	a line that describes one thing has several pairs; an odd
 *		State=UNKNOWN		number of '\' at its end continues it
 *	# comment			from '#' on, also within quotes, unless '\' stands before it
 *	Include FILE			at the beginning of a line, relative to the including
 *					file; %c is the name of the cluster in small letters
 *
 * Slurm first takes the comment off a line, then joins the lines that continue it, then takes each
 * '\' off. A file may be a template of Ansible (Jinja) or of Puppet (ERB), whose marks are not
 * mistakes: {{ x }} becomes a value that is not known, {% x %} and {# x #} become blanks, and all
 * branches count.
 * Source: Slurm, slurm.conf(5); observed of slurmctld 22.05.
 */
#include "format/slurm_conf.h"

#include "core/error.h"
#include "core/small_letters.h"
#include "document/document.h"
#include "format/unknown_format.h"
#include "memory/need_memory.h"

#include <ctype.h>
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>

#define MOST_DEPTH 32		/* files open at once: each includes the next */
#define UNKNOWN '\x1a'		/* overwrites each character of a mark whose value is not known */
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

/* A file that is being read, and those that include it. */
struct slurm_reading {
	struct slurm_conf *conf;
	const struct slurm_reading *parent;	/* of the including file; NULL: slurm.conf */
	const char *file;	/* its name */
	dev_t device;		/* and inode: 0 for a text that is no file */
	ino_t inode;
	unsigned depth;		/* 0: slurm.conf */
	bool is_alone;		/* a text that must not include files */
	char *at;		/* the text that is not read yet */
	unsigned line;		/* the number of the line at `at`, from 1 */
};

/* A line with those that continue it, joined to one text. Used for one line after another. */
struct joined_line {
	char *text;
	size_t length, room;
	unsigned line;			/* the number of its first line */
	/* for each line, from the first one, the offset in `text` at which it begins */
	struct line_part { size_t at; unsigned line; } *part;
	size_t part_count;
};

/* The keys that begin a line of several pairs. */
static const char *const line_keys[] = { "DownNodes", "FrontendName", "NodeName", "NodeSet",
					 "PartitionName", "PowerAction" };

_Static_assert(COUNT(line_keys) == SLURM_LINE_KEYS, "one list of lines for each key");

/* Returns the index of a key in line_keys; SLURM_LINE_KEYS: it is not there. */
static size_t line_key(const char *key)
{
	return index_of_word(line_keys, COUNT(line_keys), key);
}

bool slurm_conf_begins_line(const char *key)
{
	return line_key(key) < SLURM_LINE_KEYS;
}

/* ---- mistakes and files ------------------------------------------------------------- */

static void add_fault(struct slurm_reading *reading, enum slurm_fault_kind kind, unsigned line,
		      const char *format, ...) __attribute__((format(printf, 4, 5)));

/* Lists a mistake in the file that is being read. */
static void add_fault(struct slurm_reading *reading, enum slurm_fault_kind kind, unsigned line,
		      const char *format, ...)
{
	struct slurm_conf *conf = reading->conf;
	struct slurm_fault *fault;
	va_list arguments;

	fault = need_append(&conf->fault, &conf->fault_count, sizeof(*fault));
	*fault = (struct slurm_fault){ .kind = kind, .file = reading->file, .line = line };
	va_start(arguments, format);
	vsnprintf(fault->text, sizeof(fault->text), format, arguments);
	va_end(arguments);
}

/* Notes the name of the file that is being read. */
static void add_file(struct slurm_reading *reading, const char *name)
{
	struct slurm_conf *conf = reading->conf;

	NEED_ADD(conf->file, conf->file_count, need_text(name));
	reading->file = conf->file[conf->file_count - 1];
}

/* ---- marks of templates ------------------------------------------------------------- */

/* The marks, those that begin like another one first. */
static const struct mark {
	const char *begin, *end;
	char instead;		/* overwrites each character of the mark */
} marks[] = {
	{ "{{", "}}", UNKNOWN }, { "{%", "%}", ' ' }, { "{#", "#}", ' ' },
	{ "<%=", "%>", UNKNOWN }, { "<%", "%>", ' ' },
};

/* Returns the kind of mark that begins the text; NULL: none does. */
static const struct mark *find_mark(const char *text)
{
	for (size_t i = 0; i < COUNT(marks); i++)
		if (!strncmp(text, marks[i].begin, strlen(marks[i].begin)))
			return &marks[i];
	return NULL;
}

/* Overwrites the marks of a template, but no end of a line. Returns their number. */
static size_t overwrite_marks(char *text)
{
	char *at = text;
	size_t found = 0;

	while ((at = strpbrk(at, "{<"))) {
		const struct mark *mark = find_mark(at);
		char *end = mark ? strstr(at + 2, mark->end) : NULL;

		if (!end) {
			at++;
			continue;
		}
		for (end += strlen(mark->end); at < end; at++)
			if (*at != '\n')
				*at = mark->instead;
		found++;
	}
	return found;
}

/* ---- lines -------------------------------------------------------------------------- */

/* Returns the length of a line without its comment, which begins at the first '#' that is not
 * behind a '\'. */
static size_t without_comment(const char *line, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		if (line[i] == '#')
			return i;
		if (line[i] == '\\')
			i++;
	}
	return length;
}

/* Returns whether the line is continued. If so, *length becomes that without the last '\' and the
 * blanks behind it. */
static bool is_continued(const char *line, size_t *length)
{
	size_t end = *length, slashes = 0;

	while (end && isspace((unsigned char)line[end - 1]))
		end--;
	while (slashes < end && line[end - 1 - slashes] == '\\')
		slashes++;
	if (slashes % 2 == 0)
		return false;
	*length = end - 1;
	return true;
}

/* Appends a line to the joined one without the '\' before each character. number: the line's. */
static void append(struct joined_line *joined, const char *line, size_t length, unsigned number)
{
	joined->text = need_room(joined->text, &joined->room, joined->length + length + 1, 1);
	NEED_ADD(joined->part, joined->part_count, (struct line_part){ joined->length, number });
	for (size_t i = 0; i < length; i++) {
		if (line[i] == '\\' && ++i == length)
			break;
		joined->text[joined->length++] = line[i];
	}
	joined->text[joined->length] = '\0';
}

/* Returns the number of the line on which a place of the joined text stands. */
static unsigned line_at(const struct joined_line *joined, const char *at)
{
	size_t i = joined->part_count;

	while (i > 1 && joined->part[i - 1].at > (size_t)(at - joined->text))
		i--;
	return joined->part[i - 1].line;
}

/* Returns whether the comment of a line begins within double quotes: an odd number of '"' stands
 * before it, and another one in it. kept: the line's length without the comment. */
static bool cuts_quote(const char *line, size_t kept, size_t length)
{
	bool quoted = false;

	for (size_t i = 0; i < kept; i++)
		quoted ^= line[i] == '"';
	return quoted && memchr(line + kept, '"', length - kept);
}

/* Reads the next line, joined with those that continue it. False: the text is at its end. */
static bool next_line(struct slurm_reading *reading, struct joined_line *joined)
{
	bool goes_on = true;

	joined->length = joined->part_count = 0;
	joined->line = reading->line;
	if (!*reading->at)
		return false;
	while (goes_on && *reading->at) {
		size_t length = strcspn(reading->at, "\n"), kept;

		kept = without_comment(reading->at, length);
		if (cuts_quote(reading->at, kept, length))
			add_fault(reading, SLURM_CUT_QUOTE, reading->line,
				  "'#' begins a comment within double quotes");
		goes_on = is_continued(reading->at, &kept);
		append(joined, reading->at, kept, reading->line);
		reading->at += length;
		reading->at += *reading->at == '\n';
		reading->line++;
	}
	return true;
}

/* ---- pairs -------------------------------------------------------------------------- */

/* A pair as it stands in a joined line. */
struct found_pair {
	struct piece key, value;
};

/* Returns the text behind its leading blanks. */
static const char *skip_space(const char *at)
{
	while (isspace((unsigned char)*at))
		at++;
	return at;
}

/* Returns the number of characters before the next blank. */
static size_t word_length(const char *at)
{
	size_t length = 0;

	while (at[length] && !isspace((unsigned char)at[length]))
		length++;
	return length;
}

/* Finds the key with which the text begins, and its '='. Returns the text behind them; NULL: the
 * text begins otherwise. */
static const char *find_key(const char *text, struct found_pair *pair)
{
	const char *at = skip_space(text);

	pair->key.at = at;
	while (isalnum((unsigned char)*at) || *at == '_' || *at == '.')
		at++;
	pair->key.length = (size_t)(at - pair->key.at);
	at = skip_space(at);
	if (*at && strchr("-*+/", *at))		/* Key+=Value: ignored, as general keys do */
		at++;
	return pair->key.length && *at == '=' ? at + 1 : NULL;
}

/* Finds the pair with which the text begins. *end: the text behind it. Quotes around the whole
 * value are left out of it. False: the text does not begin with a pair, and *end is unchanged. */
static bool find_pair(const char *text, struct found_pair *pair, const char **end)
{
	const char *at = find_key(text, pair), *close;

	if (!at)
		return false;
	at = skip_space(at);
	pair->value = (struct piece){ at, word_length(at) };
	if (!pair->value.length)
		return false;
	*end = at + pair->value.length;
	close = *at == '"' ? strchr(at + 1, '"') : NULL;
	if (!close || (close[1] && !isspace((unsigned char)close[1])))
		return true;
	pair->value = (struct piece){ at + 1, (size_t)(close - at) - 1 };
	*end = close + 1;
	return true;
}

/* Returns whether the text had a mark whose value is not known. */
static bool has_mark(const char *text, size_t length)
{
	return memchr(text, UNKNOWN, length);
}

/* Notes that the next pair begins a line with the key of these lines. */
static void note_line(struct slurm_conf *conf, struct slurm_lines *lines)
{
	if (lines->count++)
		conf->pair[lines->end].next_line = conf->pair_count;
	else
		lines->begin = conf->pair_count;
	lines->end = conf->pair_count;
}

void slurm_conf_add(struct slurm_conf *conf, struct slurm_pair pair)
{
	const struct slurm_pair *before = pair.first ? &conf->pair[conf->pair[pair.first - 1].first]
						     : NULL;

	pair.default_line = SLURM_CONF_NONE;
	if (before)
		pair.default_line = strcasecmp(before->value, "DEFAULT") ? before->default_line
									 : before->first;
	pair.next_line = SLURM_CONF_NONE;
	if (pair.first == conf->pair_count && line_key(pair.key) < SLURM_LINE_KEYS)
		note_line(conf, &conf->lines[line_key(pair.key)]);
	NEED_ADD(conf->pair, conf->pair_count, pair);
}

/* Adds a pair of the line. first: index of the line's first pair. */
static void add_pair(struct slurm_reading *reading, const struct joined_line *joined,
		     const struct found_pair *found, size_t first)
{
	slurm_conf_add(reading->conf, (struct slurm_pair){
		.file = reading->file, .line = line_at(joined, found->key.at), .first = first,
		.key = need_copy(found->key), .value = need_copy(found->value),
		.is_unknown = has_mark(found->value.at, found->value.length),
		.is_open = has_mark(joined->text, joined->length),
	});
}

/* Lists the mistake that text follows the pairs of a line. A rest with a mark of a template may
 * stand for something right, and is accepted. key: of the last pair; NULL: the line has no pair.
 * several: a further pair may stand there. */
static void refuse_rest(struct slurm_reading *reading, const struct joined_line *joined,
			const char *rest, const char *key, bool several)
{
	const char *at = skip_space(rest);
	struct found_pair pair;
	const bool has_key = find_key(at, &pair);
	const int shown = pair.key.length < 60 ? (int)pair.key.length : 60;

	if (!*at || has_mark(at, strlen(at)))
		return;
	if (has_key && several)
		add_fault(reading, SLURM_SYNTAX, line_at(joined, at), "'%.*s=' has no value; give "
			  "one, or remove the key", shown, pair.key.at);
	else if (!key)
		add_fault(reading, SLURM_SYNTAX, line_at(joined, at), "'%.60s' is not Key=Value",
			  at);
	else if (has_key)
		add_fault(reading, SLURM_SYNTAX, line_at(joined, at), "'%.60s' follows %.40s on "
			  "one line, where only one pair may stand", at, key);
	else
		add_fault(reading, SLURM_SYNTAX, line_at(joined, at), "'%.60s' follows the value "
			  "of %.40s; a value with blanks needs double quotes", at, key);
}

/* Reads the pairs of a line: one, or several if slurm_conf_begins_line() knows the first key. */
static void read_pairs(struct slurm_reading *reading, const struct joined_line *joined)
{
	struct slurm_conf *conf = reading->conf;
	size_t first = conf->pair_count;
	const char *rest = joined->text;
	struct found_pair found;
	bool several = true;

	while (several && find_pair(rest, &found, &rest)) {
		add_pair(reading, joined, &found, first);
		several = slurm_conf_begins_line(conf->pair[first].key);
	}
	refuse_rest(reading, joined, rest,
		    conf->pair_count > first ? conf->pair[conf->pair_count - 1].key : NULL,
		    several);
}

/* ---- files -------------------------------------------------------------------------- */

static int read_file(struct slurm_reading *reading, const char *path, struct fathom_error *problem);

/* Returns the path of an included file. name: as the line has it. NULL: it has %c, and ClusterName
 * has not been read yet. */
static const char *include_path(const struct slurm_reading *reading, struct piece name)
{
	const struct slurm_pair *cluster;
	const char *slash = strrchr(reading->file, '/'), *rest = need_copy(name), *mark;
	const char *path = *rest == '/' || !slash
			? "" : need_print("%.*s", (int)(slash + 1 - reading->file), reading->file);

	for (; (mark = strstr(rest, "%c")); rest = mark + strlen("%c")) {
		cluster = slurm_conf_find(reading->conf, "ClusterName");
		if (!cluster)
			return NULL;
		path = need_print("%s%.*s%s", path, (int)(mark - rest), rest,
				  make_small(need_text(cluster->value)));
	}
	return need_print("%s%s", path, rest);
}

/* Returns whether a file is the one that is being read, or one of those that include it. */
static bool is_open_file(const struct slurm_reading *reading, const struct stat *status)
{
	for (; reading; reading = reading->parent)
		if (reading->device == status->st_dev && reading->inode == status->st_ino)
			return true;
	return false;
}

/* Reads a file that another one includes on this line. If it cannot be read, lists that as a
 * mistake of the other one. A pipe or device, which has no size, counts as empty, as in slurmctld,
 * and is not opened. */
static void include_file(struct slurm_reading *parent, unsigned line, const char *path)
{
	struct slurm_reading reading = { .conf = parent->conf, .parent = parent,
					 .depth = parent->depth + 1 };
	struct fathom_error problem;
	struct stat status;

	if (stat(path, &status))
		add_fault(parent, SLURM_INCLUDE_UNREADABLE, line, "'%.150s': %s", path,
			  strerror(errno));
	else if (is_open_file(parent, &status))
		add_fault(parent, SLURM_INCLUDE_CIRCLE, line, "'%.150s' is being read already",
			  path);
	else if (!S_ISREG(status.st_mode) && !status.st_size)
		return;
	else if (reading.depth == MOST_DEPTH)
		add_fault(parent, SLURM_INCLUDE_CIRCLE, line, "'%.150s' is not read: it is "
			  "included more than %d files deep", path, MOST_DEPTH);
	else if (read_file(&reading, path, &problem))
		add_fault(parent, SLURM_INCLUDE_UNREADABLE, line, "'%.150s': %.90s", path,
			  problem.text);
}

/* Returns the text behind the word Include and blanks with which a line begins; NULL: it begins
 * otherwise, or ends there. */
static const char *after_include(const char *text)
{
	size_t length = strlen("Include");

	if (strncasecmp(text, "Include", length) || !isspace((unsigned char)text[length]))
		return NULL;
	text = skip_space(text + length);
	return *text ? text : NULL;
}

/* Reads the file that Include names. If its name has a mark of a template, any pairs may stand in
 * it. */
static void read_include(struct slurm_reading *reading, const struct joined_line *joined,
			 const char *name)
{
	size_t length = word_length(name);
	const char *path = include_path(reading, (struct piece){ name, length });

	if (has_mark(name, length)) {
		reading->conf->is_open = true;
	} else if (reading->is_alone) {
		add_fault(reading, SLURM_INCLUDE_UNREADABLE, joined->line,
			  "a text within another file includes no files");
	} else if (!path) {
		add_fault(reading, SLURM_INCLUDE_UNREADABLE, joined->line,
			  "ClusterName must stand before an Include with %%c");
	} else {
		include_file(reading, joined->line, path);
		refuse_rest(reading, joined, name + length, "Include", false);
	}
}

/* Reads a line with an Include, or with pairs. */
static void read_line(struct slurm_reading *reading, const struct joined_line *joined)
{
	const char *name = after_include(joined->text), *begin = skip_space(joined->text);
	const char *indented = begin > joined->text ? after_include(begin) : NULL;

	if (name) {
		read_include(reading, joined, name);
	} else if (indented && *indented != '=') {	/* "Include = x" would be a pair */
		add_fault(reading, SLURM_INCLUDE_INDENTED, joined->line,
			  "blanks stand before Include");
	} else {
		reading->conf->is_open |= *begin == UNKNOWN;
		read_pairs(reading, joined);
	}
}

/* Reads a whole text, and changes it. */
static void read_text(struct slurm_reading *reading, char *text)
{
	struct joined_line joined = { 0 };

	reading->conf->marks += overwrite_marks(text);
	reading->at = text;
	reading->line = 1;
	while (next_line(reading, &joined))
		read_line(reading, &joined);
}

/* Reads a file. -1: *problem says why it cannot be read. */
static int read_file(struct slurm_reading *reading, const char *path, struct fathom_error *problem)
{
	struct document input;
	struct stat status;
	const char *reason;

	if (document_load(&input, path, problem))
		return -1;
	if ((reason = scontrol_reason(&input)))
		return fathom_error_set(problem, EINVAL, "%s", reason);
	if (!stat(path, &status)) {
		reading->device = status.st_dev;
		reading->inode = status.st_ino;
	}
	add_file(reading, path);
	read_text(reading, input.text + document_mark(&input));
	return 0;
}

int slurm_conf_read(struct slurm_conf *conf, const char *path, struct fathom_error *error)
{
	struct slurm_reading reading = { .conf = conf };

	*conf = (struct slurm_conf){ 0 };
	return read_file(&reading, path, error);
}

void slurm_conf_read_text(struct slurm_conf *conf, const char *name, const char *text)
{
	struct slurm_reading reading = { .conf = conf, .is_alone = true };

	*conf = (struct slurm_conf){ 0 };
	add_file(&reading, name);
	read_text(&reading, need_text(text));
}

/* ---- search ------------------------------------------------------------------------- */

const struct slurm_pair *slurm_conf_find(const struct slurm_conf *conf, const char *key)
{
	for (size_t i = conf->pair_count; i; i--) {
		const struct slurm_pair *pair = &conf->pair[i - 1];

		if (pair->first == i - 1 && !strcasecmp(pair->key, key))
			return pair;
	}
	return NULL;
}

size_t slurm_conf_next_line(const struct slurm_conf *conf, const char *key, size_t first)
{
	const struct slurm_lines *lines;

	if (first != SLURM_CONF_NONE)
		return conf->pair[first].next_line;
	lines = &conf->lines[line_key(key)];
	return lines->count ? lines->begin : SLURM_CONF_NONE;
}

const struct slurm_pair *slurm_conf_on_line(const struct slurm_conf *conf, size_t first,
					    const char *key)
{
	const struct slurm_pair *found = NULL;

	for (size_t i = first; i < conf->pair_count && conf->pair[i].first == first; i++)
		if (!strcasecmp(conf->pair[i].key, key))
			found = &conf->pair[i];
	return found;
}
