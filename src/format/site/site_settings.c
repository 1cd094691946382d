/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of lines and pairs, and the rule which of two values for one key counts. */
#include "format/site/site_settings.h"

#include "core/array.h"
#include "core/error.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- pairs ------------------------------------------------------------------------------ */

/* Quotes do not protect a '"', nor, in slurm.conf, a '#'. */
static int check_value(enum site_file which, const char *key, const char *value,
		       struct fathom_error *error)
{
	const char *const never = which == SITE_SLURM_CONF ? "\"#" : "\"";

	if (!*value)
		return fathom_error_set(error, EINVAL, "%s: has no value", key);
	for (const char *at = value; *at; at++)
		if (strchr(never, *at) || (unsigned char)*at < ' ')
			return fathom_error_set(error, EINVAL, "%s: '%.64s' has a character that "
						"Slurm's files cannot have, such as '\"'", key,
						value);
	return 0;
}

static int set_value(struct site_pair *pair, const char *value, struct site_origin origin,
		     struct fathom_error *error)
{
	char *copy = strdup(value);

	if (!copy)
		return fathom_error_no_memory(error);
	free(pair->value);
	pair->value = copy;
	pair->origin = origin;
	return 0;
}

static int add_pair(struct site_line *line, const char *key, const char *value,
		    struct site_origin origin, struct fathom_error *error)
{
	struct site_pair *pair = array_grow(line->pair, &line->room, line->count + 1,
					    sizeof(*pair));

	if (!pair)
		return fathom_error_no_memory(error);
	line->pair = pair;
	pair += line->count++;
	*pair = (struct site_pair){ .key = strdup(key) };
	if (!pair->key)
		return fathom_error_no_memory(error);
	return set_value(pair, value, origin, error);
}

static void clear_line(struct site_line *line)
{
	for (size_t i = 0; i < line->count; i++) {
		free(line->pair[i].key);
		free(line->pair[i].value);
	}
	free(line->pair);
}

/* ---- lines ------------------------------------------------------------------------------ */

static struct site_pair *find(const struct site_settings *settings, enum site_file which,
			      const char *key)
{
	const struct site_lines *lines = &settings->of[which];

	for (size_t i = 0; i < lines->count; i++)
		if (!strcasecmp(lines->line[i].pair->key, key))
			return lines->line[i].pair;
	return NULL;
}

const struct site_pair *site_settings_find(const struct site_settings *settings,
					   enum site_file which, const char *key)
{
	return find(settings, which, key);
}

int site_settings_begin(struct site_settings *settings, enum site_file which, const char *key,
			const char *value, struct site_origin origin, struct fathom_error *error)
{
	struct site_lines *lines = &settings->of[which];
	struct site_line line = { 0 }, *grown;

	if (check_value(which, key, value, error))
		return -1;
	grown = array_grow(lines->line, &lines->room, lines->count + 1, sizeof(line));
	if (!grown)
		return fathom_error_no_memory(error);
	lines->line = grown;
	if (add_pair(&line, key, value, origin, error)) {
		clear_line(&line);
		return -1;
	}
	grown[lines->count++] = line;
	return 0;
}

int site_settings_add(struct site_settings *settings, enum site_file which, const char *key,
		      const char *value, struct site_origin origin, struct fathom_error *error)
{
	struct site_lines *lines = &settings->of[which];

	if (check_value(which, key, value, error))
		return -1;
	return add_pair(&lines->line[lines->count - 1], key, value, origin, error);
}

static int complain_of_both(const struct site_pair *pair, const char *value,
			    struct fathom_error *error)
{
	char line[24] = "";

	if (pair->origin.line)
		snprintf(line, sizeof(line), ":%zu", pair->origin.line);
	return fathom_error_set(error, EINVAL, "%s is %.64s here, but %.64s in %s%s; only one may "
				"say it", pair->key, value, pair->value, pair->origin.file, line);
}

int site_settings_set(struct site_settings *settings, enum site_file which, const char *key,
		      const char *value, struct site_origin origin, struct fathom_error *error)
{
	struct site_pair *pair = find(settings, which, key);

	if (!pair)
		return site_settings_begin(settings, which, key, value, origin, error);
	if (!origin.line && pair->origin.line)
		return 0;
	if (check_value(which, key, value, error))
		return -1;
	if (strcasecmp(pair->value, value) && strcmp(pair->origin.file, origin.file) &&
	    !pair->origin.line == !origin.line)
		return complain_of_both(pair, value, error);
	return set_value(pair, value, origin, error);
}

void site_settings_drop(struct site_settings *settings, enum site_file which, const char *key)
{
	struct site_lines *lines = &settings->of[which];
	size_t kept = 0;

	for (size_t i = 0; i < lines->count; i++) {
		if (strcasecmp(lines->line[i].pair->key, key))
			lines->line[kept++] = lines->line[i];
		else
			clear_line(&lines->line[i]);
	}
	lines->count = kept;
}

/* ---- losses ------------------------------------------------------------------------------- */

int site_settings_lose(struct site_settings *settings, struct site_origin origin,
		       struct fathom_error *error, const char *format, ...)
{
	struct site_loss *loss = array_grow(settings->loss, &settings->loss_room,
					    settings->loss_count + 1, sizeof(*loss));
	va_list arguments;
	int length;

	if (!loss)
		return fathom_error_no_memory(error);
	settings->loss = loss;
	loss += settings->loss_count;
	loss->origin = origin;
	va_start(arguments, format);
	length = vasprintf(&loss->text, format, arguments);
	va_end(arguments);
	if (length < 0)
		return fathom_error_no_memory(error);
	settings->loss_count++;
	return 0;
}

/* ---- names of files ------------------------------------------------------------------------- */

const char *site_settings_keep_name(struct site_settings *settings, const char *name)
{
	char **grown;

	for (size_t i = 0; i < settings->name_count; i++)
		if (!strcmp(settings->name[i], name))
			return settings->name[i];
	grown = array_grow(settings->name, &settings->name_room, settings->name_count + 1,
			   sizeof(*grown));
	if (!grown)
		return NULL;
	settings->name = grown;
	grown[settings->name_count] = strdup(name);
	return grown[settings->name_count] ? grown[settings->name_count++] : NULL;
}

/* ---- the whole ----------------------------------------------------------------------------- */

bool site_settings_given(const struct site_settings *settings)
{
	for (size_t i = 0; i < SITE_FILE_COUNT; i++)
		if (settings->of[i].count)
			return true;
	return settings->loss_count;
}

void site_settings_clear(struct site_settings *settings)
{
	for (size_t i = 0; i < SITE_FILE_COUNT; i++) {
		for (size_t j = 0; j < settings->of[i].count; j++)
			clear_line(&settings->of[i].line[j]);
		free(settings->of[i].line);
	}
	for (size_t i = 0; i < settings->loss_count; i++)
		free(settings->loss[i].text);
	for (size_t i = 0; i < settings->name_count; i++)
		free(settings->name[i]);
	free(settings->loss);
	free(settings->name);
	*settings = (struct site_settings){ 0 };
}
