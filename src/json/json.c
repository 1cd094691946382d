/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes strings and numbers in JSON; strings become valid UTF-8. */
#include "json/json.h"

#include "core/utf8.h"

#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>

#define MOST_UTF8_BYTES 4	/* of a character */

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

/* Writes the first character of a text that is not empty: escaped, if it could steer a terminal; as
 * U+FFFD, if it is a byte that is not UTF-8. Returns the text behind it. */
static const char *put_character(FILE *out, const char *text)
{
	uint32_t code;
	size_t length = utf8_read(text, strnlen(text, MOST_UTF8_BYTES), &code);

	if (*text == '"' || *text == '\\')
		putc_unlocked('\\', out);
	if (!length)
		json_put(out, "\\ufffd");
	else if (utf8_steers(code))
		fprintf(out, "\\u%04" PRIx32, code);	/* such codes have at most four digits */
	else
		fwrite_unlocked(text, 1, length, out);
	return text + (length ? length : 1);
}

/* Returns whether a character is written as it is, without put_character(); most are. */
static bool is_plain(char character)
{
	return character >= ' ' && character < 0x7f && character != '"' && character != '\\';
}

void json_put_string(FILE *out, const char *text)
{
	if (!text) {
		json_put(out, "null");
		return;
	}
	putc_unlocked('"', out);
	for (const char *end; *text; text = *end ? put_character(out, end) : end) {
		for (end = text; is_plain(*end); end++)
			;
		fwrite_unlocked(text, 1, (size_t)(end - text), out);
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

void json_print(FILE *out, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	for (const char *at = format, *end; *at; at = end) {
		end = strchrnul(at, '%');
		fwrite_unlocked(at, 1, (size_t)(end - at), out);
		if (!*end++)
			break;
		if (*end == 's') {
			json_put_string(out, va_arg(values, const char *));
			end += strlen("s");
		} else if (*end == 'g') {
			json_put_number(out, va_arg(values, double));
			end += strlen("g");
		} else if (*end == 'z') {
			json_put_integer(out, (int64_t)va_arg(values, size_t));
			end += strlen("zu");
		} else {
			json_put_integer(out, va_arg(values, long long));
			end += strlen("lld");
		}
	}
	va_end(values);
}

/* Writes `, "KEY": `. */
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

void json_put_instant_key(FILE *out, const char *key, double time)
{
	bool fits = fabs(time) < 0x1p63;	/* NAN does not */
	time_t seconds = fits ? (time_t)time : 0;
	char text[64] = "";
	struct tm utc;

	if (fits && gmtime_r(&seconds, &utc))
		strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
	json_put_text_key(out, key, *text ? text : NULL);
}
