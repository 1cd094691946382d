/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source: Slurm, REST API; plugins data_parser v0.0.37 to v0.0.45. */
#include "format/slurm/slurm_json.h"

#include "core/duration.h"
#include "memory/need_memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BLANK " \t\r\n"
#define PARENT_SHARES INT32_MAX		/* so slurmdbd stores FairShare=parent */

/* Returns whether the answer has something other than what slurmrestd says of itself. */
static bool has_content(const json_t *root)
{
	static const char *const about[] = { "meta", "errors", "warnings", "last_update",
					     "last_backfill" };
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)root, key, value) {
		bool is_about = false;

		for (size_t i = 0; i < sizeof(about) / sizeof(*about); i++)
			is_about |= !strcmp(key, about[i]);
		if (!is_about && (json_array_size(value) || json_object_size(value)))
			return true;
	}
	return false;
}

/* Refuses an answer that has nothing but an error. */
static void check_errors(const struct slurm_json *json)
{
	const json_t *first = json_array_get(json_object_get(json->root, "errors"), 0);
	const char *text = json_string_value(json_object_get(first, "description"));

	if (!first || has_content(json->root))
		return;
	if (!text)
		text = json_string_value(json_object_get(first, "error"));
	wrong_at(json->input, 0, "slurmrestd answered with an error: %.200s",
		 text ? text : "it does not say which");
}

static void free_json(void *root)
{
	json_decref(root);
}

struct slurm_json slurm_json_load(struct document *input)
{
	size_t mark = document_mark(input);
	json_error_t wrong;
	/* counts of 64 bits that mean no value do not fit an integer of jansson's */
	json_t *root = json_loadb(input->text + mark, input->length - mark,
				  JSON_REJECT_DUPLICATES | JSON_DECODE_INT_AS_REAL, &wrong);
	struct slurm_json json = { .input = input, .root = root };

	if (!root)
		wrong_at(input, (size_t)wrong.line, "not JSON: %s", wrong.text);
	need_owned(root, free_json);
	check_errors(&json);
	return json;
}

void slurm_json_choose(struct slurm_json *json, const json_t *object, const char *name)
{
	const json_t *value;
	size_t i;

	json->name = name;
	json->list = json_object_get(object, name);
	if (json->list && !json_is_array(json->list))
		wrong_at(json->input, 0, "\"%s\" must be a list", name);
	json_array_foreach((json_t *)json->list, i, value)
		if (!json_is_object(value))
			wrong_at(json->input, 0, "%s[%zu] is not an object", name, i);
}

/* ---- the top of an answer ------------------------------------------------------------- */

/* Returns what follows a text in quotes; NULL: it does not end. */
static const char *after_quotes(const char *at)
{
	for (at++; *at && *at != '"'; at++)
		if (*at == '\\' && at[1])
			at++;
	return *at ? at + 1 : NULL;
}

/* Returns the place of a key, whose text begins at `key`, among the names. */
static size_t find_name(const char *key, const char *const *names)
{
	for (size_t i = 0; names[i]; i++) {
		size_t length = strlen(names[i]);

		if (!strncmp(key, names[i], length) && key[length] == '"')
			return i;
	}
	return SIZE_MAX;
}

size_t slurm_json_top(const struct document *input, const char *const *names)
{
	const char *at = input->text + document_mark(input);
	size_t depth = 0;

	at += strspn(at, BLANK);
	if (*at != '{')
		return SIZE_MAX;
	while (at && *at) {
		if (*at == '"' && depth == 1) {
			const char *key = at + 1, *behind = after_quotes(at);
			size_t found = find_name(key, names);
			bool is_key = behind && behind[strspn(behind, BLANK)] == ':';

			if (is_key && (found != SIZE_MAX || !strncmp(key, "format\"", 7)))
				return found;
		}
		depth += *at == '{' || *at == '[';
		depth -= (*at == '}' || *at == ']') && depth;
		at = *at == '"' ? after_quotes(at) : at + 1;
	}
	return SIZE_MAX;
}

/* ---- values --------------------------------------------------------------------------- */

void slurm_json_wrong(const struct slurm_json *json, size_t i, const char *path, const char *right)
{
	wrong_at(json->input, 0, "%s[%zu]: '%s' %s", json->name, i, path, right);
}

const json_t *slurm_json_at(const struct slurm_json *json, size_t i, const char *path)
{
	const json_t *value = json_array_get(json->list, i);
	char key[64];

	while (value && *path) {
		size_t length = strcspn(path, "/");

		snprintf(key, sizeof(key), "%.*s", (int)length, path);
		value = json_object_get(value, key);
		path += length + (path[length] == '/');
	}
	return json_is_null(value) ? NULL : value;
}

struct piece slurm_json_text(const struct slurm_json *json, size_t i, const char *path)
{
	const json_t *value = slurm_json_at(json, i, path);

	if (value && !json_is_string(value))
		slurm_json_wrong(json, i, path, "must be a string");
	if (!json_string_length(value))
		return (struct piece){ NULL, 0 };
	return (struct piece){ json_string_value(value), json_string_length(value) };
}

/* Reads a number in quotes, which some versions of the API have. */
static bool read_quoted(const json_t *value, double *number)
{
	const char *text = json_string_value(value), *end;

	return text && !number_parse(text, number, &end) && !*end;
}

double slurm_json_number(const struct slurm_json *json, size_t i, const char *path)
{
	const json_t *value = slurm_json_at(json, i, path);
	double number;

	if (json_is_object(value)) {
		if (json_is_true(json_object_get(value, "infinite")))
			return INFINITY;
		if (json_is_false(json_object_get(value, "set")))
			return NAN;
		value = json_object_get(value, "number");
	}
	if (!value || json_is_null(value))
		return NAN;
	if (read_quoted(value, &number))
		return number;
	if (!json_is_number(value))
		slurm_json_wrong(json, i, path, "must be a number");
	return json_number_value(value);
}

uint32_t slurm_json_shares(const struct slurm_json *json, size_t i, const char *path)
{
	double number = slurm_json_number(json, i, path);

	if (isnan(number))
		return 1;
	if (!(number >= 0 && number < FATHOM_SHARES_PARENT && number == trunc(number)))
		slurm_json_wrong(json, i, path, SHARES_RIGHT);
	return number == PARENT_SHARES ? FATHOM_SHARES_PARENT : (uint32_t)number;
}

void slurm_json_check_account(const struct slurm_json *json, size_t i,
			      const struct name_index *accounts, struct piece name)
{
	if (name_index_get(accounts, name) != NAME_INDEX_NONE)
		wrong_at(json->input, 0, "%s[%zu]: a second account '%.*s', must be one; give the "
			 "answer for one cluster", json->name, i, PIECE(name));
}

bool slurm_json_has_word(const json_t *value, const char *word)
{
	const json_t *item;
	size_t i;

	if (json_is_string(value))
		return !strcmp(json_string_value(value), word);
	json_array_foreach((json_t *)value, i, item)
		if (json_is_string(item) && !strcmp(json_string_value(item), word))
			return true;
	return false;
}
