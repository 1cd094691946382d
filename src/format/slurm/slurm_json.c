/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads values of Slurm's JSON, in all forms that they have had. Source: Slurm, REST API; plugins
 * data_parser v0.0.37 to v0.0.45. */
#include "format/slurm/slurm_json.h"

#include "core/duration.h"
#include "memory/need_memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define BLANK " \t\r\n"
#define PARENT_SHARES INT32_MAX		/* slurmdbd stores FairShare=parent as this number */

/* Returns whether the answer has a list or an object with content, besides those with which
 * slurmrestd describes the answer. */
static bool has_content(const struct parsed *root)
{
	static const char *const about[] = { "meta", "errors", "warnings", "last_update",
					     "last_backfill" };
	const char *key;
	const struct parsed *value;

	parsed_for_each_key(root, key, value) {
		bool is_about = false;

		for (size_t i = 0; i < sizeof(about) / sizeof(*about); i++)
			is_about |= !strcmp(key, about[i]);
		if (!is_about && (parsed_count(value) || parsed_member_count(value)))
			return true;
	}
	return false;
}

/* Fails if the answer has nothing but an error. */
static void check_errors(const struct slurm_json *json)
{
	const struct parsed *first = parsed_at(parsed_member(json->root, "errors"), 0);
	const char *text = parsed_text(parsed_member(first, "description"));

	if (!first || has_content(json->root))
		return;
	if (!text)
		text = parsed_text(parsed_member(first, "error"));
	wrong_at(json->input, 0, "slurmrestd answered with an error: %.200s",
		 text ? text : "it does not say which");
}

NEED_DESTROYER(free_values, parsed_values_clear)

struct slurm_json slurm_json_load(struct document *input)
{
	struct parsed_values *values = need_object(sizeof(*values));
	size_t mark = document_mark(input);
	struct json_source source = { .text = input->text + mark, .length = input->length - mark,
				      .is_whole = true };
	struct slurm_json json = { .input = input };

	need_owned(values, free_values);
	json.root = json_parse(values, &source);
	if (!parsed_is(json.root, PARSED_OBJECT) && !parsed_is(json.root, PARSED_LIST) &&
	    !*source.wrong)
		wrong_at(input, 0, "not JSON of Slurm, must be an object");
	if (!json.root)
		wrong_at(input, 1 + count_lines(source.text, source.text + source.used),
			 "not JSON: %s", source.wrong);
	check_errors(&json);
	return json;
}

void slurm_json_choose(struct slurm_json *json, const struct parsed *object, const char *name)
{
	const struct parsed *value;
	size_t i;

	json->name = name;
	json->list = parsed_member(object, name);
	json->element = NULL;
	if (json->list && !parsed_is(json->list, PARSED_LIST))
		wrong_at(json->input, 0, "\"%s\" must be a list", name);
	parsed_for_each(json->list, i, value)
		if (!parsed_is(value, PARSED_OBJECT))
			wrong_at(json->input, 0, "%s[%zu] is not an object", name, i);
}

bool slurm_json_next(struct slurm_json *json)
{
	json->i = json->element ? json->i + 1 : 0;
	json->element = parsed_at(json->list, json->i);
	return json->element;
}

/* ---- the top of an answer, of which only the beginning may be loaded ------------------ */

/* Returns the text behind the string whose quote is at `at`; NULL: the string does not end. */
static const char *after_quotes(const char *at)
{
	for (at++; *at && *at != '"'; at++)
		if (*at == '\\' && at[1])
			at++;
	return *at ? at + 1 : NULL;
}

/* Returns the index of a key among the names; SIZE_MAX: it is not among them. key: the text behind
 * its first quote. */
static size_t find_name(const char *key, const char *const *names)
{
	for (size_t i = 0; names[i]; i++) {
		size_t length = strlen(names[i]);

		if (!strncmp(key, names[i], length) && key[length] == '"')
			return i;
	}
	return SIZE_MAX;
}

/* Returns whether the string whose quote is at `at` is a key. */
static bool is_key(const char *at)
{
	const char *behind = after_quotes(at);

	return behind && behind[strspn(behind, BLANK)] == ':';
}

size_t slurm_json_top(const struct document *input, const char *const *names)
{
	const char *at = input->text + document_mark(input);
	size_t depth = 0;	/* objects and lists around `at` */

	at += strspn(at, BLANK);
	if (*at != '{')
		return SIZE_MAX;
	while (at && *at) {
		if (*at == '"' && depth == 1 && is_key(at)) {
			size_t found = find_name(at + 1, names);

			/* a document of fathom's own has none of the names */
			if (found != SIZE_MAX || !strncmp(at + 1, "format\"", 7))
				return found;
		}
		depth += *at == '{' || *at == '[';
		depth -= (*at == '}' || *at == ']') && depth;
		at = *at == '"' ? after_quotes(at) : at + 1;
	}
	return SIZE_MAX;
}

/* ---- values --------------------------------------------------------------------------- */

void slurm_json_wrong(const struct slurm_json *json, const char *path, const char *right)
{
	wrong_at(json->input, 0, "%s[%zu]: '%s' %s", json->name, json->i, path, right);
}

const struct parsed *slurm_json_at(const struct slurm_json *json, const char *path)
{
	const struct parsed *value = json->element;
	char key[64];

	while (value && *path) {
		size_t length = strcspn(path, "/");

		snprintf(key, sizeof(key), "%.*s", (int)length, path);
		value = parsed_member(value, key);
		path += length + (path[length] == '/');
	}
	return parsed_is(value, PARSED_NULL) ? NULL : value;
}

struct piece slurm_json_text(const struct slurm_json *json, const char *path)
{
	const struct parsed *value = slurm_json_at(json, path);

	if (value && !parsed_is(value, PARSED_TEXT))
		slurm_json_wrong(json, path, "must be a string");
	if (!parsed_length(value))
		return (struct piece){ NULL, 0 };
	return (struct piece){ parsed_text(value), parsed_length(value) };
}

/* Reads a number in quotes, as some versions of the API write it. False: the value is not one. */
static bool read_quoted(const struct parsed *value, double *number)
{
	const char *text = parsed_text(value), *end;

	return text && !number_parse(text, number, &end) && !*end;
}

double slurm_json_number(const struct slurm_json *json, const char *path)
{
	const struct parsed *value = slurm_json_at(json, path);
	double number;

	if (parsed_is(value, PARSED_OBJECT)) {
		if (parsed_is(parsed_member(value, "infinite"), PARSED_TRUE))
			return INFINITY;
		if (parsed_is(parsed_member(value, "set"), PARSED_FALSE))
			return NAN;
		value = parsed_member(value, "number");
	}
	if (!value || parsed_is(value, PARSED_NULL))
		return NAN;
	if (read_quoted(value, &number))
		return number;
	if (!parsed_is_number(value))
		slurm_json_wrong(json, path, "must be a number");
	return parsed_number(value);
}

double slurm_json_amount(const struct slurm_json *json, const char *path, double standard)
{
	double number = slurm_json_number(json, path);

	if (isnan(number) || number >= SLURM_JSON_NO_LIMIT)
		return standard;
	if (!(number >= 0))
		slurm_json_wrong(json, path, AMOUNT_RIGHT);
	return number;
}

uint32_t slurm_json_shares(const struct slurm_json *json, const char *path)
{
	double number = slurm_json_number(json, path);

	if (isnan(number))
		return 1;
	if (!(number >= 0 && number < FATHOM_SHARES_PARENT && number == trunc(number)))
		slurm_json_wrong(json, path, SHARES_RIGHT);
	return number == PARENT_SHARES ? FATHOM_SHARES_PARENT : (uint32_t)number;
}

void slurm_json_check_account(const struct slurm_json *json,
			      const struct name_index *accounts, struct piece name)
{
	if (name_index_get(accounts, name) != NAME_INDEX_NONE)
		wrong_at(json->input, 0, "%s[%zu]: a second account '%.*s', must be one; give the "
			 "answer for one cluster", json->name, json->i, PIECE(name));
}

void slurm_json_check_cluster(const struct slurm_json *json, struct piece *first)
{
	struct piece cluster = slurm_json_text(json, "cluster");

	if (!first->length)
		*first = cluster;
	if (cluster.length && !piece_same(cluster, *first))
		wrong_at(json->input, 0, "%s[%zu]: 'cluster' is '%.*s', must be '%.*s' as before; "
			 "give the answer for one cluster", json->name, json->i, PIECE(cluster),
			 PIECE(*first));
}

bool slurm_json_has_word(const struct parsed *value, const char *word)
{
	const struct parsed *item;
	size_t i;

	if (parsed_is(value, PARSED_TEXT))
		return !strcmp(parsed_text(value), word);
	parsed_for_each(value, i, item)
		if (parsed_is(item, PARSED_TEXT) && !strcmp(parsed_text(item), word))
			return true;
	return false;
}
