/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads commands that make a PBS server what it is:
 *
 *	create queue workq
 *	set queue workq queue_type = Execution
 *	set queue workq Priority = 150
 *	set server job_sort_formula = "10 * fairshare_factor + queue_priority"
 *
 * A queue that runs jobs is a partition, and its priority the partition's PriorityJobFactor.
 */
#include "format/pbs/pbs_qmgr.h"

#include "core/array.h"
#include "core/error.h"
#include "document/text.h"
#include "format/site/site_settings.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_VALUE 512

struct queue {
	struct piece name;
	size_t line;		/* that creates it */
	struct piece priority;	/* length 0: not given */
	bool is_route;		/* it passes jobs on to other queues */
};

struct reader {
	struct document *input;
	struct lines lines;
	struct site_settings *settings;
	struct queue *queue;
	size_t count, room;
	struct fathom_error *error;
};

/* The words of a command. */
enum { VERB, OBJECT, WORD_COUNT };

/* ---- settings -------------------------------------------------------------------------------- */

static struct site_origin origin_of(const struct reader *reader, size_t line)
{
	return (struct site_origin){ reader->input->name, line };
}

/* Passes the error of a setting on as one of the line. */
static int fail(struct reader *reader, size_t line, const struct fathom_error *inner)
{
	if (inner->code == ENOMEM)
		return fathom_error_no_memory(reader->error);
	return input_wrong(reader->input, line, reader->error, "%s", inner->text);
}

static int set(struct reader *reader, const char *key, const char *value, size_t line)
{
	struct fathom_error inner;

	if (site_settings_set(reader->settings, SITE_FATHOM_CONF, key, value,
			      origin_of(reader, line), &inner))
		return fail(reader, line, &inner);
	return 0;
}

/* ---- the server and its scheduler ------------------------------------------------------------ */

/* Without its quotes. */
static struct piece unquoted(struct piece value)
{
	if (value.length > 1 && (*value.at == '"' || *value.at == '\'') &&
	    value.at[value.length - 1] == *value.at)
		return (struct piece){ value.at + 1, value.length - 2 };
	return value;
}

static int read_formula(struct reader *reader, struct piece value)
{
	size_t line = reader->lines.number;
	char text[MOST_VALUE];

	value = unquoted(value);
	if (!value.length || value.length >= sizeof(text))
		return input_wrong(reader->input, line, reader->error, "job_sort_formula has %zu "
				   "characters, must have 1 to %d", value.length, MOST_VALUE - 1);
	memcpy(text, value.at, value.length);
	text[value.length] = '\0';
	return set(reader, "Formula", text, line) || set(reader, "FormulaScale", "10000", 0) ||
	       set(reader, "Order", "factor", line) ? -1 : 0;
}

static int lose_threshold(struct reader *reader, struct piece value)
{
	return site_settings_lose(reader->settings, origin_of(reader, reader->lines.number),
				  reader->error, "job_sort_formula_threshold %.*s: jobs below it "
				  "wait at the end of the queue, and run", PIECE(value));
}

static const struct attribute {
	const char *name;
	int (*read)(struct reader *reader, struct piece value);
} attributes[] = {
	{ "job_sort_formula", read_formula },
	{ "job_sort_formula_threshold", lose_threshold },
};

static int read_attribute(struct reader *reader, struct piece name, struct piece value)
{
	for (size_t i = 0; i < sizeof(attributes) / sizeof(*attributes); i++)
		if (piece_is(name, attributes[i].name))
			return attributes[i].read(reader, value);
	return 0;
}

/* ---- queues ---------------------------------------------------------------------------------- */

static struct queue *find_queue(struct reader *reader, struct piece name)
{
	for (size_t i = 0; i < reader->count; i++)
		if (reader->queue[i].name.length == name.length &&
		    !memcmp(reader->queue[i].name.at, name.at, name.length))
			return &reader->queue[i];
	return NULL;
}

static int add_queue(struct reader *reader, struct piece name)
{
	struct queue *grown;

	if (!name.length)
		return input_wrong(reader->input, reader->lines.number, reader->error,
				   "create queue has no name, must be create queue NAME");
	if (find_queue(reader, name))
		return 0;
	grown = array_grow(reader->queue, &reader->room, reader->count + 1, sizeof(*grown));
	if (!grown)
		return fathom_error_no_memory(reader->error);
	reader->queue = grown;
	grown[reader->count++] = (struct queue){ .name = name, .line = reader->lines.number };
	return 0;
}

static void read_queue_attribute(struct queue *queue, struct piece name, struct piece value)
{
	if (piece_is_any_case(name, "priority"))
		queue->priority = value;
	else if (piece_is(name, "queue_type"))
		queue->is_route = piece_is_any_case(value, "route") ||
				  piece_is_any_case(value, "r");
}

static int put_priority(struct reader *reader, const struct queue *queue)
{
	struct fathom_error inner;
	uint64_t priority;
	char text[24];

	if (!queue->priority.length)
		return 0;
	if (parse_whole(queue->priority, 1024, &priority))
		return site_settings_lose(reader->settings, origin_of(reader, queue->line),
					  reader->error, "priority %.*s of queue %.*s: "
					  "PriorityJobFactor is an integer from 0 to 65533",
					  PIECE(queue->priority), PIECE(queue->name));
	snprintf(text, sizeof(text), "%" PRIu64, priority);
	if (site_settings_add(reader->settings, SITE_SLURM_CONF, "PriorityJobFactor", text,
			      origin_of(reader, queue->line), &inner))
		return fail(reader, queue->line, &inner);
	return 0;
}

static int put_queue(struct reader *reader, const struct queue *queue)
{
	struct fathom_error inner;
	char name[64];

	if (queue->is_route)
		return 0;
	snprintf(name, sizeof(name), "%.*s", PIECE(queue->name));
	if (site_settings_begin(reader->settings, SITE_SLURM_CONF, "PartitionName", name,
				origin_of(reader, queue->line), &inner))
		return fail(reader, queue->line, &inner);
	return put_priority(reader, queue);
}

/* ---- commands -------------------------------------------------------------------------------- */

static struct piece cut_word(struct piece *text)
{
	struct piece word = piece_trim(*text);
	size_t length = 0;

	while (length < word.length && word.at[length] != ' ' && word.at[length] != '\t')
		length++;
	*text = (struct piece){ word.at + length, word.length - length };
	return (struct piece){ word.at, length };
}

/* "NAME = VALUE"; += adds to a list, and no attribute that counts is one. */
static int cut_attribute(struct reader *reader, struct piece text, struct piece *name,
			 struct piece *value)
{
	*name = cut_word(&text);
	text = piece_trim(text);
	if (text.length && *text.at == '+')
		text = (struct piece){ text.at + 1, text.length - 1 };
	if (!text.length || *text.at != '=')
		return input_wrong(reader->input, reader->lines.number, reader->error,
				   "no '=' after '%.*s', must be NAME = VALUE", PIECE(*name));
	*value = piece_trim((struct piece){ text.at + 1, text.length - 1 });
	return 0;
}

/* "NAME ATTRIBUTE = VALUE" of a queue */
static int set_of_queue(struct reader *reader, struct piece text)
{
	struct piece of = cut_word(&text), name, value;
	struct queue *queue = find_queue(reader, of);

	if (cut_attribute(reader, text, &name, &value))
		return -1;
	if (!queue)
		return input_wrong(reader->input, reader->lines.number, reader->error,
				   "no line before creates queue '%.*s'", PIECE(of));
	read_queue_attribute(queue, name, value);
	return 0;
}

/* "ATTRIBUTE = VALUE" of the server, or of a scheduler, which need not be named. */
static int set_of_server(struct reader *reader, struct piece text, bool may_have_name)
{
	struct piece without = text, name, value;

	cut_word(&without);
	if (may_have_name && piece_trim(without).length && *piece_trim(without).at != '=')
		text = without;
	if (cut_attribute(reader, text, &name, &value))
		return -1;
	return read_attribute(reader, name, value);
}

static int read_set(struct reader *reader, struct piece object, struct piece text)
{
	if (piece_is(object, "queue"))
		return set_of_queue(reader, text);
	if (piece_is(object, "server") || piece_is(object, "sched"))
		return set_of_server(reader, text, piece_is(object, "sched"));
	return 0;
}

/* Reads the next command. False: there is none. */
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

static int read_commands(struct reader *reader)
{
	struct piece word[WORD_COUNT], rest;

	while (next_command(&reader->lines, word, &rest)) {
		int status = 0;

		if (!piece_is_printable(piece_trim(rest)))
			return input_wrong(reader->input, reader->lines.number, reader->error,
					   "has a control character, must be a command of qmgr");
		if (piece_is(word[VERB], "set"))
			status = read_set(reader, word[OBJECT], rest);
		else if (piece_is(word[VERB], "create") && piece_is(word[OBJECT], "queue"))
			status = add_queue(reader, cut_word(&rest));
		if (status)
			return status;
	}
	return 0;
}

int pbs_qmgr_read(struct document *input, struct site_settings *settings,
		  struct fathom_error *error)
{
	struct reader reader = { .input = input, .lines = lines_of(input), .settings = settings,
				 .error = error };
	int status = read_commands(&reader);

	for (size_t i = 0; !status && i < reader.count; i++)
		status = put_queue(&reader, &reader.queue[i]);
	free(reader.queue);
	return status;
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
