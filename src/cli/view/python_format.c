/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints values and formats as Python does. Source: Python, "Format Specification Mini-Language",
 * and float.__repr__: the shortest digits from which the same number is read. */
#include "cli/view/python_format.h"

#include "cli/complain.h"
#include "cli/print_text.h"
#include "core/utf8.h"
#include "memory/need_memory.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_DIGITS 17		/* of a double, to tell it from all others */
#define ALL_DIGITS 767		/* no double has more */
#define MOST_WIDTH 1000		/* also of a precision; greater ones count as this */
#define REPLACEMENT 0xfffd	/* of a byte that is not UTF-8 */
#define LEAST_PLAIN_EXPONENT (-4)	/* of ten; numbers below this are written as 1e-05, */
#define MOST_PLAIN_EXPONENT 15		/* above this as 1e+16 */

/* ---- values ------------------------------------------------------------------------ */

/* Writes a finite number with so many digits: as 1e+16 if its exponent is above `most_plain` or
 * below LEAST_PLAIN_EXPONENT, else with one digit or more behind the point. buffer: PYTHON_SIZE. */
static void write_real(double value, int digits, int most_plain, char *buffer)
{
	int exponent, decimals;

	snprintf(buffer, PYTHON_SIZE, "%.*e", digits - 1, value);
	exponent = atoi(strchr(buffer, 'e') + 1);
	decimals = digits - 1 - exponent;
	if (exponent < LEAST_PLAIN_EXPONENT || exponent > most_plain)
		return;
	snprintf(buffer, PYTHON_SIZE, "%.*f", decimals > 1 ? decimals : 1, value);
}

/* Returns a number as Python prints it: with the fewest digits from which it is read again. */
static const char *real_text(double value, char *buffer)
{
	int digits = 1;

	if (!isfinite(value))
		return isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
	do
		snprintf(buffer, PYTHON_SIZE, "%.*e", digits - 1, value);
	while (strtod(buffer, NULL) != value && digits++ < MOST_DIGITS);
	write_real(value, digits, MOST_PLAIN_EXPONENT, buffer);
	return buffer;
}

/* Returns a number as Python's format() does with a precision and no type: with at most `precision`
 * digits, without zeros at the end, and with one digit or more behind the point unless it has an
 * exponent. */
static const char *precise_text(double value, int precision, char *buffer)
{
	int digits = precision < 1 ? 1 : precision;
	int most_plain = digits - 2;	/* leaves a digit for behind the point */

	if (!isfinite(value))
		return real_text(value, buffer);
	if (digits > ALL_DIGITS)
		digits = ALL_DIGITS;
	snprintf(buffer, PYTHON_SIZE, "%.*e", digits - 1, value);
	for (const char *end = strchr(buffer, 'e'); digits > 1 && end[-1] == '0'; end--)
		digits--;
	write_real(value, digits, most_plain, buffer);
	return buffer;
}

const char *python_str(const struct value *value, char *buffer)
{
	switch (value->kind) {
	case VALUE_TEXT:
		return value->text;
	case VALUE_REAL:
		return real_text(value->real, buffer);
	case VALUE_INTEGER:
		snprintf(buffer, PYTHON_SIZE, "%" PRId64, value->integer);
		return buffer;
	default:
		return "-";
	}
}

/* Prints the escape of a character that is not printable ASCII, as in JSON. */
static void print_escaped(uint32_t code)
{
	static const char short_codes[] = "\b\f\n\r\t", letters[] = "bfnrt";
	const char *found = code < 0x80 ? strchr(short_codes, (int)code) : NULL;

	if (found)
		printf("\\%c", letters[found - short_codes]);
	else if (code > 0xffff)		/* a surrogate pair */
		printf("\\u%04" PRIx32 "\\u%04" PRIx32, 0xd800 + ((code - 0x10000) >> 10),
		       0xdc00 + (code & 0x3ff));
	else
		printf("\\u%04" PRIx32, code);
}

void python_json_string(const char *text)
{
	size_t left = strlen(text), length;
	uint32_t code;

	putchar('"');
	for (; left; text += length, left -= length) {
		length = utf8_read(text, left, &code);
		if (code == '"' || code == '\\')
			printf("\\%c", (char)code);
		else if (code >= ' ' && code < 0x7f)
			putchar((char)code);
		else
			print_escaped(length ? code : REPLACEMENT);
		if (!length)	/* go on behind the byte that is not UTF-8 */
			length = 1;
	}
	putchar('"');
}

double python_round(double value, int decimals)
{
	char text[PYTHON_SIZE];

	snprintf(text, sizeof(text), "%.*f", decimals, value);
	return strtod(text, NULL);
}

/* ---- blanks ------------------------------------------------------------------------- */

/* Returns whether a byte begins a character of UTF-8. */
static bool is_first_byte(char byte)
{
	return (byte & 0xc0) != 0x80;
}

int python_length(const char *text)
{
	int length = 0;

	for (; *text; text++)
		length += is_first_byte(*text);
	return length;
}

void python_pad(const char *text, int width)
{
	int later_bytes = (int)strlen(text) - python_length(text);	/* of characters */

	print_padded(text, width < 0 ? width - later_bytes : width + later_bytes);
}

/* ---- formats ------------------------------------------------------------------------- */

/* A field of a format, "{bank:*>12.3}". */
struct field {
	size_t column;
	const char *fill;	/* a character of UTF-8 */
	int fill_length;	/* bytes */
	char align;		/* '<', '>', '^', or 0: numbers right, texts left */
	int width, precision;	/* precision: -1: not given */
};

/* Returns the number of bytes of the character at `at`, where the text does not end. */
static int bytes_of_character(const char *at)
{
	int length = 1;

	while (at[length] && !is_first_byte(at[length]))
		length++;
	return length;
}

/* Returns whether a character says how a field is aligned. */
static bool is_align(char letter)
{
	return letter && strchr("<>^", letter);
}

/* Reads a number and moves *at behind it. */
static int read_number(const char **at)
{
	char *end;
	long number = strtol(*at, &end, 10);

	*at = end;
	return number > MOST_WIDTH ? MOST_WIDTH : (int)number;
}

/* Reads a specification, [[FILL]ALIGN][WIDTH][.PRECISION][s], behind ':'. FILL is any character.
 * Returns where it ends; NULL: its width begins with 0, which is not supported: in Python it stands
 * for zeros as fill. */
static const char *read_specification(const char *at, struct field *field)
{
	int fill_length = *at ? bytes_of_character(at) : 0;

	if (fill_length && is_align(at[fill_length])) {
		field->fill = at;
		field->fill_length = fill_length;
		at += fill_length;
	}
	if (is_align(*at))
		field->align = *at++;
	if (*at == '0')
		return NULL;
	if (*at >= '1' && *at <= '9')
		field->width = read_number(&at);
	if (*at == '.' && at[1] >= '0' && at[1] <= '9') {
		at++;
		field->precision = read_number(&at);
	}
	return *at == 's' ? at + 1 : at;
}

/* Returns the index of the column of this name; SIZE_MAX: there is none. */
static size_t find_column(const struct column *column, size_t count, const char *word,
			  size_t length)
{
	for (size_t i = 0; i < count; i++)
		if (strlen(column[i].name) == length && !strncmp(column[i].name, word, length))
			return i;
	return SIZE_MAX;
}

/* Reads a field, NAME[:SPECIFICATION], behind its '{'. Returns where its '}' stands; NULL: the
 * field is wrong. field->column is SIZE_MAX if the name is unknown. */
static const char *read_field(const char *at, const struct column *column, size_t count,
			      struct field *field)
{
	size_t length = strcspn(at, ":{}");

	*field = (struct field){ .fill = " ", .fill_length = 1, .precision = -1 };
	field->column = find_column(column, count, at, length);
	at += length;
	if (*at == ':')
		at = read_specification(at + 1, field);
	return at && *at == '}' ? at : NULL;
}

/* Refuses a field whose name is unknown. at: where the name begins in the format. */
static _Noreturn void refuse_field(const char *option, const char *at,
				   const struct column *column, size_t count)
{
	int length = (int)strcspn(at, ":{}");
	const char **names = need_zeros(count, sizeof(*names));

	for (size_t i = 0; i < count; i++)
		names[i] = column[i].name;
	refuse("%s: '%.*s' is unknown, must be %s", option, length > 64 ? 64 : length, at,
	       need_words(names, count, " or ", 512));
}

void python_format_check(const char *format, const char *option, const struct column *column,
			 size_t count)
{
	for (const char *at = format; *at; at++) {
		struct field field;
		const char *end;

		if (*at != '{' && *at != '}')
			continue;
		if (at[1] == *at) {	/* {{ and }} stand for themselves */
			at++;
			continue;
		}
		end = *at == '{' ? read_field(at + 1, column, count, &field) : NULL;
		if (!end)
			refuse("%s: '%.40s' is not a field such as {%s} or {%s:>12}", option, at,
			       column->name, column->name);
		if (field.column == SIZE_MAX)
			refuse_field(option, at + 1, column, count);
		at = end;
	}
}

/* Prints the fill character `count` times. */
static void print_fill(const struct field *field, int count)
{
	while (count-- > 0)
		fwrite(field->fill, 1, (size_t)field->fill_length, stdout);
}

/* Prints the first `most` characters of a text. */
static void print_start(const char *text, int most)
{
	const char *end = text;

	while (*end && most-- > 0)
		end += bytes_of_character(end);
	print_plain_start(text, (size_t)(end - text));
}

/* Prints a field of a row, filled up to its width. A precision cuts texts, and rounds numbers that
 * are not integers. */
static void print_field(const struct field *field, const struct python_row *row)
{
	const struct value name = value_of_text(row->column[field->column].name);
	const struct value *value = row->value ? &row->value[field->column] : &name;
	bool is_number = value->kind == VALUE_INTEGER || value->kind == VALUE_REAL;
	char standard_align = is_number ? '>' : '<';
	char align = field->align ? field->align : standard_align;
	char buffer[PYTHON_SIZE];
	const char *text = field->precision >= 0 && value->kind == VALUE_REAL
				   ? precise_text(value->real, field->precision, buffer)
				   : python_str(value, buffer);
	int length, blanks, before = 0;

	length = python_length(text);
	if (field->precision >= 0 && !is_number && length > field->precision)
		length = field->precision;
	blanks = field->width > length ? field->width - length : 0;
	if (align != '<')
		before = align == '>' ? blanks : blanks / 2;	/* '^': centred */
	print_fill(field, before);
	print_start(text, length);
	print_fill(field, blanks - before);
}

void python_format_print(const char *format, const struct python_row *row)
{
	for (const char *at = format; *at; at++) {
		struct field field;

		if (*at == '{' && at[1] != '{') {
			at = read_field(at + 1, row->column, row->count, &field);
			print_field(&field, row);
			continue;
		}
		putchar(*at);
		if (*at == '{' || *at == '}')	/* {{ and }} stand for themselves */
			at++;
	}
	putchar('\n');
}
