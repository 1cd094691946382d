/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks the structure of a SARIF 2.1.0 file on standard input, for lint.t: what the standard
 * requires of the properties that fathom writes, and that each result refers to a rule.
 * Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".
 */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static void fail(const char *what)
{
	fprintf(stderr, "sarif: %s\n", what);
	exit(1);
}

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	if (!text || !*text)
		fail(key);
	return text;
}

/* An object {"text": "..."}. */
static void check_message(const json_t *object, const char *key)
{
	const json_t *message = json_object_get(object, key);

	if (!json_is_object(message))
		fail(key);
	text_of(message, "text");
}

static void check_level(const char *level)
{
	static const char *const levels[] = { "none", "note", "warning", "error" };

	for (size_t i = 0; i < COUNT(levels); i++)
		if (!strcmp(levels[i], level))
			return;
	fail(level);
}

static void check_keys(const json_t *object, const char *const *known, size_t count)
{
	const char *key;
	json_t *value;

	json_object_foreach((json_t *)object, key, value) {
		size_t i = 0;

		while (i < count && strcmp(known[i], key))
			i++;
		if (i == count || !value)
			fail(key);
	}
}

static void check_rule(const json_t *rule)
{
	static const char *const keys[] = { "id", "shortDescription", "fullDescription", "help",
					    "defaultConfiguration" };

	check_keys(rule, keys, COUNT(keys));
	text_of(rule, "id");
	check_message(rule, "shortDescription");
	check_message(rule, "fullDescription");
	check_message(rule, "help");
	check_level(text_of(json_object_get(rule, "defaultConfiguration"), "level"));
}

/* A URI has no blank, and no '%' without two hexadecimal digits. */
static void check_uri(const char *uri)
{
	for (; *uri; uri++) {
		if (*uri <= ' ' || *uri > '~' || strchr("\"<>\\^`{|}", *uri))
			fail("uri");
		if (*uri == '%' && strspn(uri + 1, "0123456789ABCDEF") < 2)
			fail("uri");
	}
}

static void check_location(const json_t *location)
{
	const json_t *physical = json_object_get(location, "physicalLocation");
	const json_t *region = json_object_get(physical, "region");

	check_uri(text_of(json_object_get(physical, "artifactLocation"), "uri"));
	if (region && json_integer_value(json_object_get(region, "startLine")) < 1)
		fail("startLine");
}

static void check_result(const json_t *result, const json_t *rules)
{
	static const char *const keys[] = { "ruleId", "ruleIndex", "level", "message",
					    "locations" };
	const json_t *index = json_object_get(result, "ruleIndex"), *locations;
	const json_t *rule = json_array_get(rules, (size_t)json_integer_value(index));

	check_keys(result, keys, COUNT(keys));
	if (!json_is_integer(index) || strcmp(text_of(rule, "id"), text_of(result, "ruleId")))
		fail("ruleIndex");
	check_level(text_of(result, "level"));
	check_message(result, "message");
	locations = json_object_get(result, "locations");
	if (locations && json_array_size(locations) != 1)
		fail("locations");
	if (locations)
		check_location(json_array_get(locations, 0));
}

static void check_run(const json_t *run)
{
	const json_t *driver = json_object_get(json_object_get(run, "tool"), "driver");
	const json_t *rules = json_object_get(driver, "rules");
	const json_t *results = json_object_get(run, "results");

	text_of(driver, "name");
	text_of(driver, "version");
	if (!json_is_array(rules) || !json_array_size(rules) || !json_is_array(results))
		fail("rules and results");
	for (size_t i = 0; i < json_array_size(rules); i++)
		check_rule(json_array_get(rules, i));
	for (size_t i = 0; i < json_array_size(results); i++)
		check_result(json_array_get(results, i), rules);
	printf("%zu rules, %zu results\n", json_array_size(rules), json_array_size(results));
}

int main(void)
{
	json_error_t error;
	json_t *log = json_loadf(stdin, JSON_REJECT_DUPLICATES, &error);
	const json_t *runs = json_object_get(log, "runs");

	if (!log)
		fail(error.text);
	if (strcmp(text_of(log, "version"), "2.1.0") || json_array_size(runs) != 1)
		fail("version and runs");
	text_of(log, "$schema");
	check_run(json_array_get(runs, 0));
	json_decref(log);
	return 0;
}
