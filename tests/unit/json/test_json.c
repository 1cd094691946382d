/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Strings as JSON: whatever a name's bytes are, what comes out is UTF-8. */
#include "../unit.h"

#include "json/json.h"

static const struct { const char *text, *json; } strings[] = {
	{ NULL, "null" },
	{ "", "\"\"" },
	{ "physics", "\"physics\"" },
	{ "\"\\\t\x1f\x7f", "\"\\\"\\\\\\u0009\\u001f\\u007f\"" },
	/* what could steer a terminal */
	{ "\xc2\x9b\xe2\x80\xae\xe2\x81\xa9", "\"\\u009b\\u202e\\u2069\"" },
	{ "\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"" },
	{ "\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf",
	  "\"\xed\x9f\xbf\xee\x80\x80\xf4\x8f\xbf\xbf\"" },
	{ "a\xff" "b", "\"a\\ufffd" "b\"" },
	{ "\x80", "\"\\ufffd\"" },
	{ "\xc0\xaf", "\"\\ufffd\\ufffd\"" },			/* '/' made too long */
	{ "\xe0\x9f\xbf", "\"\\ufffd\\ufffd\\ufffd\"" },
	{ "\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"" },	/* a surrogate */
	{ "\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\"" },	/* beyond Unicode */
	{ "\xe2\x82", "\"\\ufffd\\ufffd\"" },			/* cut short */
	{ "\xe2\x82(", "\"\\ufffd\\ufffd(\"" },
};

TEST_EACH(a_string_is_always_utf_8, strings)
{
	char *json = NULL;
	size_t length;
	FILE *out = open_memstream(&json, &length);

	ck_assert_ptr_nonnull(out);
	json_put_string(out, strings[_i].text);
	fclose(out);
	ck_assert_str_eq(json, strings[_i].json);
	free(json);
}

static const struct { double time; const char *json; } instants[] = {
	{ 0, ", \"at\": \"1970-01-01T00:00:00Z\"" },
	{ 1700000000, ", \"at\": \"2023-11-14T22:13:20Z\"" },
	{ 951782399, ", \"at\": \"2000-02-28T23:59:59Z\"" },
	{ 9e18, ", \"at\": null" },	/* its year is no int */
	{ 1e30, ", \"at\": null" },	/* it is no time_t, too */
	{ NAN, ", \"at\": null" },
	{ -INFINITY, ", \"at\": null" },
};

TEST_EACH(an_instant_is_in_utc, instants)
{
	char *json = NULL;
	size_t length;
	FILE *out = open_memstream(&json, &length);

	ck_assert_ptr_nonnull(out);
	json_put_instant_key(out, "at", instants[_i].time);
	fclose(out);
	ck_assert_str_eq(json, instants[_i].json);
	free(json);
}
