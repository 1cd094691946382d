/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the commands with which qmgr prints the configuration of a PBS server:
 *
 *	create queue workq
 *	set queue workq queue_type = Execution
 *	set queue workq Priority = 150
 *	set server job_sort_formula = "10 * fairshare_factor + queue_priority"
 *
 * A queue that runs jobs becomes a partition, its Priority the PriorityJobFactor, its limit of
 * walltime MaxTime, and its default of walltime DefaultTime. job_sort_formula becomes Formula:
 *
 *	PartitionName=workq PriorityJobFactor=150
 *	Formula="10 * fairshare_factor + queue_priority"
 *
 * A queue without a walltime has that of the server. Other attributes are listed as left out.
 */
#include "format/pbs/pbs_qmgr.h"

#include "document/text.h"
#include "format/accounting/record_times.h"
#include "format/site/left_out.h"
#include "format/site/site_settings.h"
#include "memory/need_memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define MOST_VALUE 512		/* bytes of a formula, with the NUL */
#define MOST_SECONDS (4294967293. * 60)	/* of MaxTime, which has 32 bits for minutes */

/* A queue, whose lines come one after the other. */
struct qmgr_queue {
	struct piece name;
	size_t line;		/* that creates it */
	struct piece priority, max_time, default_time;	/* as written; length 0: not given */
	bool is_route;		/* it passes jobs on to other queues, and runs none */
};

/* A file while it is read. */
struct reader {
	struct document *input;
	struct lines lines;
	struct site_settings *settings;
	struct qmgr_queue *queue;	/* all that were created so far */
	size_t count;
	struct qmgr_queue server;	/* has the walltimes of queues without one */
	struct left_out left_out;	/* names of attributes */
};

/* The words with which a command begins: "set server". */
enum { VERB, OBJECT, WORD_COUNT };

/* ---- the server and its scheduler ------------------------------------------------------------ */

/* Returns a value without the quotes around it, if there are any. */
static struct piece unquoted(struct piece value)
{
	if (value.length > 1 && (*value.at == '"' || *value.at == '\'') &&
	    value.at[value.length - 1] == *value.at)
		return (struct piece){ value.at + 1, value.length - 2 };
	return value;
}

/* Reads job_sort_formula, whose value times FormulaScale becomes the priority. Sets Order=factor,
 * as with a formula PBS does not compare entities level by level. */
static void read_formula(struct reader *reader, struct piece value)
{
	struct site_settings *settings = reader->settings;
	const struct site_pair *other = site_settings_find(settings, SITE_FATHOM_CONF, "Formula");

	if (other && !strcmp(other->origin.file, settings->origin.file)) {
		site_settings_lose(settings, "job_sort_formula %.*s: all schedulers have one "
				   "Formula, that of line %zu", PIECE(value), other->origin.line);
		return;
	}
	value = unquoted(value);
	if (!value.length || value.length >= MOST_VALUE)
		WRONG_LINE(reader, "job_sort_formula has %zu characters, must have 1 to %d",
			   value.length, MOST_VALUE - 1);
	site_settings_set(settings, SITE_FATHOM_CONF, "Formula", need_copy(value));
	settings->origin.line = 0;	/* no line says it; a line of another file may */
	site_settings_set(settings, SITE_FATHOM_CONF, "FormulaScale", "10000");
	settings->origin.line = reader->lines.number;
	site_settings_set(settings, SITE_FATHOM_CONF, "Order", "factor");
}

/* Notes that an attribute of a queue is left out, unless it only says that jobs may run, as in
 * Slurm. queue: length 0: the server. */
static void leave_out(struct reader *reader, struct piece queue, struct piece name,
		      struct piece value)
{
	static const struct { const char *name, *right; } advised[] = {
		{ "enabled", "State=DRAIN in the line of its partition" },
		{ "started", "State=DOWN in the line of its partition" },
		{ "default_queue", "Default=YES in the line of its partition" },
	};
	bool lets_run = piece_is(name, "scheduling") || piece_is(name, "enabled") ||
			piece_is(name, "started");

	if (lets_run && piece_is_any_case(value, "true"))
		return;
	for (size_t i = 0; i < sizeof(advised) / sizeof(*advised); i++)
		if (piece_is(name, advised[i].name)) {
			site_settings_lose(reader->settings, "%s %.*s%s%.*s: in Slurm, %s "
					   "says it", advised[i].name, PIECE(value),
					   queue.length ? " of queue " : "", PIECE(queue),
					   advised[i].right);
			return;
		}
	left_out_add(&reader->left_out, need_copy(name), reader->lines.number);
}

/* Notes an attribute of a queue, or of the server for its queues; put_queue() checks and writes
 * it. */
static void read_queue_attribute(struct reader *reader, struct qmgr_queue *queue,
				 struct piece name, struct piece value)
{
	if (piece_is_any_case(name, "priority"))
		queue->priority = value;
	else if (piece_is(name, "resources_max.walltime"))
		queue->max_time = value;
	else if (piece_is(name, "resources_default.walltime"))
		queue->default_time = value;
	else if (piece_is(name, "queue_type"))
		queue->is_route = piece_is_any_case(value, "route") ||
				  piece_is_any_case(value, "r");
	else
		leave_out(reader, queue->name, name, value);
}

/* Reads an attribute of the server or its scheduler. Those of queues are the server's defaults. */
static void read_attribute(struct reader *reader, struct piece name, struct piece value)
{
	if (piece_is(name, "job_sort_formula"))
		read_formula(reader, value);
	else if (piece_is(name, "job_sort_formula_threshold"))
		site_settings_lose(reader->settings, "job_sort_formula_threshold %.*s: jobs below "
				   "it wait at the end of the queue, and run", PIECE(value));
	else
		read_queue_attribute(reader, &reader->server, name, value);
}

/* ---- queues ---------------------------------------------------------------------------------- */

/* Returns the queue of a name; NULL: no line has created it. */
static struct qmgr_queue *find_queue(struct reader *reader, struct piece name)
{
	for (size_t i = 0; i < reader->count; i++)
		if (piece_same(reader->queue[i].name, name))
			return &reader->queue[i];
	return NULL;
}

/* Reads "create queue NAME". A second one changes nothing. */
static void add_queue(struct reader *reader, struct piece name)
{
	if (!name.length)
		WRONG_LINE(reader, "create queue has no name, must be create queue NAME");
	if (find_queue(reader, name))
		return;
	NEED_ADD(reader->queue, reader->count,
		 (struct qmgr_queue){ .name = name, .line = reader->lines.number });
}

/* The next functions write to the line of slurm.conf that put_queue() has begun. */

/* Returns the seconds of a walltime; NAN: it cannot be a value of `key`, or is not given. */
static double seconds_of(struct reader *reader, const struct qmgr_queue *queue, const char *key,
			 struct piece value)
{
	const char *right = NULL;
	double seconds;

	if (!value.length)
		return NAN;
	/* neither a number of seconds nor HH:MM:SS, for which both return -1 */
	if (parse_amount(value, &seconds) && record_duration_parse(value, &seconds))
		right = "it must be a duration such as 12:30:00";
	else if (seconds > MOST_SECONDS)
		right = need_print("%s is at most %.0f seconds", key, MOST_SECONDS);
	if (right)
		site_settings_lose(reader->settings, "walltime %.*s of queue %.*s: %s",
				   PIECE(value), PIECE(queue->name), right);
	return right ? NAN : seconds;
}

/* Writes seconds, unless they are NAN, as H:MM:SS, because Slurm takes a number alone as minutes,
 * PBS as seconds. */
static void put_seconds(struct reader *reader, const char *key, double seconds)
{
	uint64_t whole = isnan(seconds) ? 0 : (uint64_t)seconds;

	if (!isnan(seconds))
		site_settings_add(reader->settings, SITE_SLURM_CONF, key, need_print(
			"%" PRIu64 ":%02" PRIu64 ":%02" PRIu64, whole / 3600, whole / 60 % 60,
			whole % 60));
}

/* Writes limit and default of walltime, those of the server if the queue has none. */
static void put_walltimes(struct reader *reader, const struct qmgr_queue *queue)
{
	const struct qmgr_queue *server = &reader->server;
	struct piece most = queue->max_time.length ? queue->max_time : server->max_time;
	struct piece usual = queue->default_time.length ? queue->default_time :
							  server->default_time;
	double max_time = seconds_of(reader, queue, "MaxTime", most);
	double default_time = seconds_of(reader, queue, "DefaultTime", usual);

	if (default_time > max_time) {
		site_settings_lose(reader->settings, "default walltime %.*s of queue %.*s: it is "
				   "above the limit %.*s, and Slurm ignores such a DefaultTime",
				   PIECE(usual), PIECE(queue->name), PIECE(most));
		default_time = NAN;
	}
	put_seconds(reader, "MaxTime", max_time);
	put_seconds(reader, "DefaultTime", default_time);
}

/* Writes the partition of a queue. */
static void put_queue(struct reader *reader, const struct qmgr_queue *queue)
{
	char name[64];

	reader->settings->origin.line = queue->line;
	if (queue->is_route) {
		site_settings_lose(reader->settings, "queue %.*s is of queue_type Route: jobs in "
				   "Slurm name all partitions that may run them, as "
				   "--partition=a,b", PIECE(queue->name));
		return;
	}
	snprintf(name, sizeof(name), "%.*s", PIECE(queue->name));
	site_settings_begin_partition(reader->settings, name);
	/* without a Priority, PBS takes 0, Slurm 1 */
	site_settings_add_priority(reader->settings, name, queue->priority.length ?
				   need_copy(queue->priority) : "0");
	put_walltimes(reader, queue);
}

/* ---- commands -------------------------------------------------------------------------------- */

/* Cuts the next word off the text, and the blanks before it. Returns the word; empty at the end. */
static struct piece cut_word(struct piece *text)
{
	*text = piece_trim(*text);
	return piece_cut_word(text);
}

/* Splits "NAME = VALUE" or "NAME += VALUE". Returns the value. "+=" adds to a list; it needs no
 * care, as no attribute that is read is a list. */
static struct piece cut_attribute(const struct reader *reader, struct piece text,
				  struct piece *name)
{
	*name = cut_word(&text);
	text = piece_trim(text);
	if (text.length && *text.at == '+')
		piece_cut(&text, 1);
	if (!text.length || *text.at != '=')
		WRONG_LINE(reader, "no '=' after '%.*s', must be NAME = VALUE", PIECE(*name));
	piece_cut(&text, 1);
	return piece_trim(text);
}

/* Reads what stands behind "set queue": "NAME ATTRIBUTE = VALUE". */
static void set_of_queue(struct reader *reader, struct piece text)
{
	struct piece queue_name = cut_word(&text), name;
	struct piece value = cut_attribute(reader, text, &name);
	struct qmgr_queue *queue = find_queue(reader, queue_name);

	if (!queue)
		WRONG_LINE(reader, "no line before creates queue '%.*s'", PIECE(queue_name));
	read_queue_attribute(reader, queue, name, value);
}

/* Returns "ATTRIBUTE = VALUE" without the name of a scheduler before it, which is ignored: a first
 * word without '=' behind it. */
static struct piece without_scheduler(struct piece text)
{
	struct piece behind = text;

	cut_word(&behind);
	behind = piece_trim(behind);
	return behind.length && *behind.at != '=' ? behind : text;
}

/* Reads what stands behind "set server" or "set sched". */
static void set_of_server(struct reader *reader, struct piece text)
{
	struct piece name, value = cut_attribute(reader, text, &name);

	read_attribute(reader, name, value);
}

/* Reads a command "set OBJECT TEXT"; ignores other objects. */
static void read_set(struct reader *reader, struct piece object, struct piece text)
{
	if (piece_is(object, "queue"))
		set_of_queue(reader, text);
	else if (piece_is(object, "server"))
		set_of_server(reader, text);
	else if (piece_is(object, "sched"))
		set_of_server(reader, without_scheduler(text));
}

/* Reads the next line that is not a comment into its first two words and the rest. Returns false at
 * the end of the file. */
static bool next_command(struct lines *lines, struct piece *word, struct piece *rest)
{
	while ((*rest = lines_next(lines)).at) {
		word[VERB] = cut_word(rest);
		word[OBJECT] = cut_word(rest);
		if (word[VERB].length && *word[VERB].at != '#')
			return true;
	}
	return false;
}

void pbs_qmgr_read(struct document *input, struct site_settings *settings)
{
	struct reader reader = { .input = input, .lines = lines_of(input), .settings = settings };
	struct piece word[WORD_COUNT], rest;

	while (next_command(&reader.lines, word, &rest)) {
		settings->origin.line = reader.lines.number;
		if (!piece_is_printable(piece_trim(rest)))
			wrong_at(input, reader.lines.number,
				 "has a control character, must be a command of qmgr");
		/* other commands than these have no effect here */
		if (piece_is(word[VERB], "set"))
			read_set(&reader, word[OBJECT], rest);
		else if (piece_is(word[VERB], "create") && piece_is(word[OBJECT], "queue"))
			add_queue(&reader, cut_word(&rest));
	}
	for (size_t i = 0; i < reader.count; i++)
		put_queue(&reader, &reader.queue[i]);
	left_out_list(input, "attributes", &reader.left_out);
	left_out_lose(settings, "attribute", &reader.left_out);
}

bool pbs_qmgr_recognize(const struct document *input)
{
	static const char *const objects[] = { "server", "queue", "sched", "node", "hook",
					       "resource" };
	struct lines lines = lines_of(input);
	struct piece word[WORD_COUNT], rest;

	if (!next_command(&lines, word, &rest) ||
	    (!piece_is(word[VERB], "create") && !piece_is(word[VERB], "set")))
		return false;
	for (size_t i = 0; i < sizeof(objects) / sizeof(*objects); i++)
		if (piece_is(word[OBJECT], objects[i]))
			return true;
	return false;
}
