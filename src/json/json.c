/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes strings and numbers in JSON; strings become valid UTF-8. */
#include "json/json.h"

#include <inttypes.h>
#include <math.h>
#include <time.h>

void json_put(FILE *out, const char *text)
{
	fputs_unlocked(text, out);
}

void json_begin(FILE *out, const char *format, int version)
{
	json_put(out, "{\"format\": ");
	json_put_string(out, format);
	fprintf(out, ", \"version\": %d", version);
}

/* Returns the number of bytes of a UTF-8 character beyond ASCII; 0: these bytes are not a
 * character (RFC 3629, section 4). */
static size_t utf8_length(const unsigned char *text)
{
	static const struct { unsigned char first, last, low, high, length; } forms[] = {
		{ 0xc2, 0xdf, 0x80, 0xbf, 2 }, { 0xe0, 0xe0, 0xa0, 0xbf, 3 },
		{ 0xe1, 0xec, 0x80, 0xbf, 3 }, { 0xed, 0xed, 0x80, 0x9f, 3 },
		{ 0xee, 0xef, 0x80, 0xbf, 3 }, { 0xf0, 0xf0, 0x90, 0xbf, 4 },
		{ 0xf1, 0xf3, 0x80, 0xbf, 4 }, { 0xf4, 0xf4, 0x80, 0x8f, 4 },
	};
	size_t i = 0, n = 2;

	while (i < sizeof(forms) / sizeof(*forms) &&
	       (text[0] < forms[i].first || text[0] > forms[i].last))
		i++;
	if (i == sizeof(forms) / sizeof(*forms) || text[1] < forms[i].low ||
	    text[1] > forms[i].high)
		return 0;
	while (n < forms[i].length && (text[n] & 0xc0) == 0x80)
		n++;
	return n == forms[i].length ? n : 0;
}

/* Writes one character; a byte that is not UTF-8 becomes U+FFFD. Returns the text after it. */
static const char *put_character(FILE *out, const char *text)
{
	unsigned char c = (unsigned char)*text;
	size_t length = c < 0x80 ? 1 : utf8_length((const unsigned char *)text);

	if (c == '"' || c == '\\')
		putc_unlocked('\\', out);
	if (c < 0x20)
		fprintf(out, "\\u%04x", c);
	else if (length)
		fwrite_unlocked(text, 1, length, out);
	else
		json_put(out, "\\ufffd");
	return text + (length ? length : 1);
}

void json_put_string(FILE *out, const char *text)
{
	if (!text) {
		json_put(out, "null");
		return;
	}
	putc_unlocked('"', out);
	while (*text)
		text = put_character(out, text);
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

void json_put_instant_key(FILE *out, const char *key, int64_t time)
{
	time_t seconds = (time_t)time;
	char text[64] = "";
	struct tm utc;

	if (gmtime_r(&seconds, &utc))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
	json_put_text_key(out, key, *text ? text : NULL);
}
