/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json/json.h"

#include <inttypes.h>
#include <math.h>

void json_put(FILE *out, const char *text)
{
	fputs_unlocked(text, out);
}

void json_put_string(FILE *out, const char *text)
{
	if (!text) {
		json_put(out, "null");
		return;
	}
	putc_unlocked('"', out);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c == '"' || c == '\\')
			putc_unlocked('\\', out);
		if (c < 0x20)
			fprintf(out, "\\u%04x", c);
		else
			putc_unlocked(c, out);
	}
	putc_unlocked('"', out);
}

void json_put_integer(FILE *out, int64_t value)
{
	fprintf(out, "%" PRId64, value);
}

void json_put_number(FILE *out, double value)
{
	if (isnan(value))
		json_put(out, "null");
	else if (isinf(value))
		json_put(out, "\"inf\"");
	else
		fprintf(out, "%.17g", value);
}

static void put_key(FILE *out, const char *key)
{
	json_put(out, ", \"");
	json_put(out, key);
	json_put(out, "\": ");
}

void json_put_text_key(FILE *out, const char *key, const char *value)
{
	put_key(out, key);
	json_put_string(out, value);
}

void json_put_number_key(FILE *out, const char *key, double value)
{
	put_key(out, key);
	json_put_number(out, value);
}
