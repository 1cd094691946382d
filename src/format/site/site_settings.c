/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the lines and pairs, and decides which of two values of one key counts. */
#include "format/site/site_settings.h"

#include "core/duration.h"
#include "document/text.h"
#include "memory/need_memory.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>

#define MOST_JOB_FACTOR 65533	/* of PriorityJobFactor; Slurm has words for the next two */

/* ---- pairs ------------------------------------------------------------------------------ */

/* Fails, see wrong_at(), if one of the files cannot have the value. It is written in quotes, but
 * these do not protect a '"', nor, in slurm.conf, a '#'. */
static void check_value(enum site_file file, const char *key, const char *value,
			struct site_origin origin)
{
	const char *const never = file == SITE_SLURM_CONF ? "\"#" : "\"";

	if (!*value)
		wrong_at(AT_ORIGIN(origin), "%s: has no value", key);
	for (const char *at = value; *at; at++)
		if (strchr(never, *at) || (unsigned char)*at < ' ')
			wrong_at(AT_ORIGIN(origin), "%s: '%.64s' has a character that Slurm's "
				 "files cannot have, such as '\"'", key, value);
}

void site_line_add(struct site_line *line, const char *key, const char *value,
		   struct site_origin origin)
{
	NEED_ADD(line->pair, line->count,
		 (struct site_pair){ need_text(key), need_text(value), origin });
}

/* ---- lines ------------------------------------------------------------------------------ */

const char *site_origin_text(const struct site_origin *origin)
{
	return origin->line ? need_print("%s:%zu", origin->file, origin->line) : origin->file;
}

struct site_pair *site_settings_find(const struct site_settings *settings, enum site_file file,
				     const char *key)
{
	const struct site_lines *lines = &settings->of[file];

	for (size_t i = 0; i < lines->count; i++)
		if (!strcasecmp(lines->line[i].pair->key, key))
			return lines->line[i].pair;
	return NULL;
}

void site_settings_begin(struct site_settings *settings, enum site_file file, const char *key,
			 const char *value)
{
	struct site_lines *lines = &settings->of[file];

	check_value(file, key, value, settings->origin);
	site_line_add(need_append(&lines->line, &lines->count, sizeof(*lines->line)), key, value,
		      settings->origin);
}

void site_settings_begin_partition(struct site_settings *settings, const char *name)
{
	if (!strcasecmp(name, "DEFAULT"))
		wrong_at(AT_ORIGIN(settings->origin), "queue '%s': PartitionName=DEFAULT is about "
			 "all partitions, so none can have this name; rename the queue", name);
	site_settings_begin(settings, SITE_SLURM_CONF, "PartitionName", name);
}

void site_settings_add(struct site_settings *settings, enum site_file file, const char *key,
		       const char *value)
{
	struct site_lines *lines = &settings->of[file];

	check_value(file, key, value, settings->origin);
	site_line_add(&lines->line[lines->count - 1], key, value, settings->origin);
}

void site_settings_add_priority(struct site_settings *settings, const char *queue,
				const char *priority)
{
	const char *end, *nearest = priority;
	uint64_t factor;
	double value;

	if (parse_whole(piece_of(priority), MOST_JOB_FACTOR, &factor)) {
		if (number_parse(priority, &value, &end) || *end)
			value = 0;
		nearest = need_print("%.0f", fmin(fmax(trunc(value), 0), MOST_JOB_FACTOR));
		NEED_ADD(settings->priority, settings->priority_count,
			 (struct site_priority){ need_text(queue), value });
		site_settings_lose(settings, "priority %s of queue %s: PriorityJobFactor is an "
				   "integer from 0 to %d, becomes %s", priority, queue,
				   MOST_JOB_FACTOR, nearest);
	}
	site_settings_add(settings, SITE_SLURM_CONF, "PriorityJobFactor", nearest);
}

double site_settings_priority(const struct site_settings *settings, const char *queue,
			      double in_line)
{
	for (size_t i = 0; i < settings->priority_count; i++)
		if (!strcmp(settings->priority[i].queue, queue))
			return settings->priority[i].value;
	return in_line;
}

/* Fails because two files have different values for one key. value, origin: the second one. */
static _Noreturn void complain_of_both(const struct site_pair *pair, const char *value,
				       struct site_origin origin)
{
	char line[24] = "";

	if (pair->origin.line)
		snprintf(line, sizeof(line), ":%zu", pair->origin.line);
	wrong_at(AT_ORIGIN(origin), "%s is %.64s here, but %.64s in %s%s; only one may say it",
		 pair->key, value, pair->value, pair->origin.file, line);
}

void site_settings_set(struct site_settings *settings, enum site_file file, const char *key,
		       const char *value)
{
	const struct site_origin origin = settings->origin;
	struct site_pair *pair = site_settings_find(settings, file, key);
	bool is_said, was_said;		/* by a line */

	if (!pair) {
		site_settings_begin(settings, file, key, value);
		return;
	}
	is_said = origin.line;
	was_said = pair->origin.line;
	if (was_said && !is_said)
		return;
	check_value(file, key, value, origin);
	if (is_said == was_said && strcasecmp(pair->value, value) &&
	    strcmp(pair->origin.file, origin.file))
		complain_of_both(pair, value, origin);
	pair->value = need_text(value);
	pair->origin = origin;
}

void site_settings_drop(struct site_settings *settings, enum site_file file, const char *key)
{
	struct site_lines *lines = &settings->of[file];
	size_t kept = 0;

	for (size_t i = 0; i < lines->count; i++)
		if (strcasecmp(lines->line[i].pair->key, key))
			lines->line[kept++] = lines->line[i];
	lines->count = kept;
}

void site_settings_complete(struct site_settings *settings, struct site_settings *with)
{
	for (size_t file = 0; file < SITE_FILE_COUNT; file++) {
		struct site_lines *lines = &settings->of[file], *others = &with->of[file];

		for (size_t i = 0; i < lines->count; i++)
			site_settings_drop(with, file, lines->line[i].pair->key);
		for (size_t i = 0; i < others->count; i++)
			NEED_ADD(lines->line, lines->count, others->line[i]);
	}
}

/* ---- losses ------------------------------------------------------------------------------- */

/* Adds a loss at settings->origin. Returns it, valid until the next one is added. */
static struct site_loss *add_loss(struct site_settings *settings, const char *format,
				  va_list arguments)
{
	struct site_loss *loss = need_append(&settings->loss, &settings->loss_count, sizeof(*loss));

	loss->origin = settings->origin;
	loss->text = need_vprint(format, arguments);
	return loss;
}

void site_settings_lose(struct site_settings *settings, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add_loss(settings, format, arguments);
	va_end(arguments);
}

void site_settings_warn(struct site_settings *settings, const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	add_loss(settings, format, arguments)->is_warning = true;
	va_end(arguments);
}

/* ---- all settings -------------------------------------------------------------------------- */

bool site_settings_given(const struct site_settings *settings)
{
	for (size_t i = 0; i < SITE_FILE_COUNT; i++)
		if (settings->of[i].count)
			return true;
	return settings->loss_count;
}
