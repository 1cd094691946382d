/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks a formula in one pass from left to right, token by token, with a stack of the brackets
 * that are open, and writes it as muParser wants it:
 *
 *	max (age, 2**3)  ->  max( age, 2^ 3)
 *	max (age, ncpu)  ->  "column 11: 'ncpu' is unknown; did you mean ncpus?"
 */
#include "priority/syntax.h"

#include "core/duration.h"
#include "core/error.h"
#include "core/plural.h"
#include "core/suggestion.h"
#include "priority/functions.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define DIGITS "0123456789"
#define LETTERS "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_"
#define BLANKS " \t\r\n"

#define DEEPEST 64		/* levels of brackets, with that of the whole formula */
#define LONGEST_SHOWN 40	/* characters of a word that a message shows */
#define LONGEST_NAME 64		/* with its NUL; no column has a longer name */

/* An open bracket. The outermost one stands for the whole formula. */
struct bracket {
	const char *open;	/* its '(' in the text; NULL: the outermost one */
	const struct function *function;	/* whose arguments it holds; NULL: of no function */
	unsigned commas;	/* number of its own commas so far */
	unsigned questions;	/* number of '?' without their ':' so far */
	const char *question;	/* the last '?'; if there is one */
	/* A comparison has been read since the last && or ||, '?', ':' or ',', so that another one
	 * would be a chain, a < b < c. */
	bool compared;
};

struct syntax {
	const char *text;	/* the formula */
	const char *at;		/* the next character to read */
	char *out;		/* as syntax_check() is given it */
	const struct vocabulary *vocabulary;
	struct bracket bracket[DEEPEST];
	size_t depth;		/* index in `bracket` of the innermost one */
	const struct function *called;	/* `at` is the '(' of its arguments; else NULL */
	struct fathom_error *error;
};

/* Returns how many characters of a word a message shows, for "%.*s". */
static int shown_length(size_t length)
{
	return length < LONGEST_SHOWN ? (int)length : LONGEST_SHOWN;
}

static int refuse(const struct syntax *syntax, const char *at, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Sets the error for the column of `at`, a character of the text. Returns -1. */
static int refuse(const struct syntax *syntax, const char *at, const char *format, ...)
{
	char what[200];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(what, sizeof(what), format, arguments);
	va_end(arguments);
	return fathom_error_set(syntax->error, EINVAL, "column %zu: %s",
				(size_t)(at - syntax->text) + 1, what);
}

static struct bracket *innermost(struct syntax *syntax)
{
	return &syntax->bracket[syntax->depth];
}

/* ---- operators ------------------------------------------------------------------- */

struct operator {
	const char *text;
	/* Checks the operator at syntax->at, and notes it in the innermost bracket. -1: it is wrong
	 * there. NULL: it is right everywhere, as far as this check knows. */
	int (*read)(struct syntax *syntax);
	const char *instead;	/* what to write instead; NULL: the operator is accepted */
};

/* Refuses a < b < c, which Python reads as a < b and b < c, but muParser as (a < b) < c. */
static int read_comparison(struct syntax *syntax)
{
	if (innermost(syntax)->compared)
		return refuse(syntax, syntax->at,
			      "comparisons do not chain here; write a < b && b < c");
	innermost(syntax)->compared = true;
	return 0;
}

/* Notes && or ||, behind which there may be another comparison. */
static int read_and_or(struct syntax *syntax)
{
	innermost(syntax)->compared = false;
	return 0;
}

/* Notes a '?', for which a ':' must follow in the same bracket. */
static int read_question(struct syntax *syntax)
{
	struct bracket *bracket = innermost(syntax);

	bracket->questions++;
	bracket->question = syntax->at;
	bracket->compared = false;
	return 0;
}

/* Notes a ':', which must have a '?' before it in the same bracket. */
static int read_colon(struct syntax *syntax)
{
	struct bracket *bracket = innermost(syntax);

	if (!bracket->questions)
		return refuse(syntax, syntax->at, "':' without '?'; write condition ? a : b");
	bracket->questions--;
	bracket->compared = false;
	return 0;
}

/* Checks that each '?' of the innermost bracket has its ':'. */
static int check_questions(struct syntax *syntax)
{
	struct bracket *bracket = innermost(syntax);

	if (bracket->questions)
		return refuse(syntax, bracket->question,
			      "'?' without ':'; write condition ? a : b");
	return 0;
}

/* A comma begins a new argument, in which nothing has been compared yet. */
static int read_comma(struct syntax *syntax)
{
	struct bracket *bracket = innermost(syntax);

	if (!bracket->function)
		return refuse(syntax, syntax->at,
			      "',' only separates arguments of a function; "
			      "the decimal point is '.'");
	bracket->commas++;
	bracket->compared = false;
	return check_questions(syntax);
}

/* Pushes a bracket: of the arguments of syntax->called, or of an expression. */
static int open_bracket(struct syntax *syntax)
{
	if (syntax->depth + 1 == DEEPEST)
		return refuse(syntax, syntax->at, "more than %d levels of brackets", DEEPEST - 1);
	syntax->depth++;
	*innermost(syntax) = (struct bracket){ .open = syntax->at, .function = syntax->called };
	syntax->called = NULL;
	return 0;
}

/* Sets the error that a function has `count` arguments. Returns -1. */
static int refuse_count(const struct syntax *syntax, const struct bracket *bracket, unsigned count)
{
	unsigned least = bracket->function->least, most = bracket->function->most;
	const char *name = bracket->function->name;

	if (least == most)
		return refuse(syntax, bracket->open, "%s takes %u argument%s, not %u", name, least,
			      PLURAL(least), count);
	if (most == FUNCTION_ANY)
		return refuse(syntax, bracket->open, "%s takes at least %u arguments, not %u", name,
			      least, count);
	return refuse(syntax, bracket->open, "%s takes %u or %u arguments, not %u", name, least,
		      most, count);
}

/* Checks the number of arguments of a function whose bracket closes at syntax->at. */
static int check_arguments(const struct syntax *syntax, const struct bracket *bracket)
{
	const char *first = bracket->open + 1;
	bool empty = first + strspn(first, BLANKS) == syntax->at;
	unsigned count = empty ? 0 : bracket->commas + 1;

	if (count >= bracket->function->least && count <= bracket->function->most)
		return 0;
	return refuse_count(syntax, bracket, count);
}

/* Checks the innermost bracket, which ends here, and pops it. */
static int close_bracket(struct syntax *syntax)
{
	struct bracket *bracket = innermost(syntax);

	if (!syntax->depth)
		return refuse(syntax, syntax->at, "')' without '('");
	if (check_questions(syntax) || (bracket->function && check_arguments(syntax, bracket)))
		return -1;
	syntax->depth--;
	return 0;
}

/* Replaces Python's "**" by the parser's "^" and a blank. */
static int read_power(struct syntax *syntax)
{
	memcpy(syntax->out + (syntax->at - syntax->text), "^ ", 2);
	return 0;
}

/* The first match counts, so operators of two characters stand first. */
static const struct operator operators[] = {
	{ "**", read_power, NULL }, { "&&", read_and_or, NULL }, { "||", read_and_or, NULL },
	{ "<=", read_comparison, NULL }, { ">=", read_comparison, NULL },
	{ "==", read_comparison, NULL }, { "!=", read_comparison, NULL },
	{ "//", NULL, "floor(a / b)" }, { "<>", NULL, "!=" },
	{ "<", read_comparison, NULL }, { ">", read_comparison, NULL },
	{ "=", NULL, "== to compare" }, { "!", NULL, "a == 0" }, { "&", NULL, "&&" },
	{ "|", NULL, "||" }, { "?", read_question, NULL }, { ":", read_colon, NULL },
	{ ",", read_comma, NULL }, { "(", open_bracket, NULL }, { ")", close_bracket, NULL },
	{ "+", NULL, NULL }, { "-", NULL, NULL }, { "*", NULL, NULL }, { "/", NULL, NULL },
	{ "%", NULL, NULL }, { "^", NULL, NULL },
};

/* Sets the error that no token begins at syntax->at. Returns -1. */
static int refuse_character(const struct syntax *syntax)
{
	char c = *syntax->at;

	if (c > ' ' && c <= '~')
		return refuse(syntax, syntax->at, "'%c' has no meaning here", c);
	return refuse(syntax, syntax->at, "byte 0x%02x has no meaning here", (unsigned char)c);
}

/* Reads the operator at syntax->at and moves behind it. -1: it is wrong, or there is no
 * operator. */
static int read_operator(struct syntax *syntax)
{
	size_t count = sizeof(operators) / sizeof(*operators), i = 0;

	while (i < count && strncmp(syntax->at, operators[i].text, strlen(operators[i].text)))
		i++;
	if (i == count)
		return refuse_character(syntax);
	if (operators[i].instead)
		return refuse(syntax, syntax->at, "'%s' is not accepted; write %s",
			      operators[i].text, operators[i].instead);
	if (operators[i].read && operators[i].read(syntax))
		return -1;
	syntax->at += strlen(operators[i].text);
	return 0;
}

/* ---- numbers ------------------------------------------------------------------------ */

/* Returns the length of the number at `at`: digits, a point, digits, an exponent such as "e-3";
 * each may be missing. */
static size_t number_length(const char *at)
{
	const char *end = at + strspn(at, DIGITS), *digits;

	if (*end == '.')
		end += 1 + strspn(end + 1, DIGITS);
	if (*end != 'e' && *end != 'E')
		return (size_t)(end - at);
	digits = end + 1;
	digits += *digits == '+' || *digits == '-';
	if (strspn(digits, DIGITS))
		end = digits + strspn(digits, DIGITS);
	return (size_t)(end - at);
}

/* Checks the number at syntax->at and moves behind it. Letters or digits that follow it at once, as
 * in "5days", make it wrong. */
static int read_number(struct syntax *syntax)
{
	size_t length = number_length(syntax->at);
	size_t with_rest = length + strspn(syntax->at + length, LETTERS DIGITS ".");
	const char *end;
	double number;

	if (with_rest > length)
		return refuse(syntax, syntax->at, "'%.*s' is not a number; for example 1.5e3",
			      shown_length(with_rest), syntax->at);
	if (number_parse(syntax->at, &number, &end) || end != syntax->at + length)
		return refuse(syntax, syntax->at, "%.*s is out of range", shown_length(length),
			      syntax->at);
	syntax->at += length;
	return 0;
}

/* ---- words ---------------------------------------------------------------------------- */

/* Returns whether a name is the word of `length` characters. */
static bool is_word(const char *name, const char *word, size_t length)
{
	return !strncmp(name, word, length) && !name[length];
}

/* Returns the function or constant of this name, or NULL. */
static const struct function *find_function(const char *word, size_t length)
{
	const struct function *function;

	for (size_t i = 0; (function = function_at(i)); i++)
		if (is_word(function->name, word, length))
			return function;
	return NULL;
}

/* Tells the vocabulary that the word at syntax->at occurs. Returns false if the formula must not
 * use it, or the vocabulary does not have it. */
static bool use_name(const struct syntax *syntax, size_t length)
{
	const struct vocabulary *vocabulary = syntax->vocabulary;
	const char *name;

	for (size_t i = 0; (name = vocabulary->name(vocabulary->context, i)); i++)
		if (is_word(name, syntax->at, length))
			return vocabulary->use(vocabulary->context, i,
					       (size_t)(syntax->at - syntax->text) + 1);
	return false;
}

/* Returns what to write for an operator that is a word in Python; NULL: the word is no such
 * operator. */
static const char *operator_for(const char *word, size_t length)
{
	static const struct { const char *word, *instead; } words[] = {
		{ "and", "a && b" }, { "or", "a || b" }, { "not", "a == 0" },
		{ "if", "condition ? a : b" }, { "else", "condition ? a : b" },
	};

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (is_word(words[i].word, word, length))
			return words[i].instead;
	return NULL;
}

/* Returns the name, function or constant that is most like the word at syntax->at; NULL: none is
 * similar. */
static const char *suggest_name(const struct syntax *syntax, size_t length)
{
	const struct vocabulary *vocabulary = syntax->vocabulary;
	struct suggestion suggestion = { .word = syntax->at, .length = length };
	const struct function *function;
	const char *name;

	for (size_t i = 0; (name = vocabulary->name(vocabulary->context, i)); i++)
		suggestion_consider(&suggestion, name);
	for (size_t i = 0; (function = function_at(i)); i++)
		suggestion_consider(&suggestion, function->name);
	return suggestion.name;
}

/* Writes to `how`, of `size` bytes, what users have to do so that the formula may use the word at
 * syntax->at. Returns false if they can do nothing. */
static bool explain_word(const struct syntax *syntax, size_t length, char *how, size_t size)
{
	const struct vocabulary *vocabulary = syntax->vocabulary;
	char word[LONGEST_NAME];

	if (length >= sizeof(word))
		return false;
	memcpy(word, syntax->at, length);
	word[length] = '\0';
	return vocabulary->explain(vocabulary->context, word, how, size);
}

/* Sets the error about an unknown word at syntax->at. Returns -1. */
static int refuse_word(const struct syntax *syntax, size_t length)
{
	const char *instead = operator_for(syntax->at, length);
	const char *name = instead ? NULL : suggest_name(syntax, length);
	int width = shown_length(length);
	char how[2 * LONGEST_NAME];

	if (instead)
		return refuse(syntax, syntax->at, "'%.*s' is not accepted; write %s", width,
			      syntax->at, instead);
	if (explain_word(syntax, length, how, sizeof(how)))
		return refuse(syntax, syntax->at, "'%.*s' is a column of another policy; %s", width,
			      syntax->at, how);
	if (name)
		return refuse(syntax, syntax->at, "'%.*s' is unknown; did you mean %s?", width,
			      syntax->at, name);
	return refuse(syntax, syntax->at, "'%.*s' is unknown; see fathom.conf(5) for all names",
		      width, syntax->at);
}

/* Reads the name of a function, and moves to its bracket. In syntax->out the bracket stands next to
 * the name, as the parser requires it. -1: there is no bracket. */
static int read_call(struct syntax *syntax, const struct function *function)
{
	const char *name = syntax->at, *behind = name + strlen(function->name);
	const char *bracket = behind + strspn(behind, BLANKS);

	if (*bracket != '(')
		return refuse(syntax, name, "%s is a function; write %s(%s)", function->name,
			      function->name, function->least > 1 ? "a, b" : "a");
	syntax->out[bracket - syntax->text] = ' ';
	syntax->out[behind - syntax->text] = '(';
	syntax->called = function;
	syntax->at = bracket;
	return 0;
}

/* Reads the function, constant or name at syntax->at and moves behind it. -1: it is not known. */
static int read_word(struct syntax *syntax)
{
	size_t length = strspn(syntax->at, LETTERS DIGITS);
	const struct function *function = find_function(syntax->at, length);

	if (function && function->most)
		return read_call(syntax, function);
	if (!function && !use_name(syntax, length))
		return refuse_word(syntax, length);
	syntax->at += length;
	return 0;
}

/* ---- the whole formula ------------------------------------------------------------------- */

/* Reads the word, number or operator at syntax->at and moves behind it. -1: it is wrong. */
static int read_token(struct syntax *syntax)
{
	const char *digit = syntax->at + (*syntax->at == '.');

	if (strchr(LETTERS, *syntax->at))
		return read_word(syntax);
	if (*digit && strchr(DIGITS, *digit))
		return read_number(syntax);
	return read_operator(syntax);
}

int syntax_check(const char *text, const struct vocabulary *vocabulary, char *out,
		 struct fathom_error *error)
{
	struct syntax syntax = { .text = text, .at = text, .out = out, .vocabulary = vocabulary,
				 .error = error };

	memcpy(out, text, strlen(text) + 1);
	syntax.at += strspn(text, BLANKS);
	if (!*syntax.at)
		return fathom_error_set(error, EINVAL,
					"empty; give an expression, for example 1000 * fairshare");
	while (*syntax.at) {
		if (read_token(&syntax))
			return -1;
		syntax.at += strspn(syntax.at, BLANKS);
	}
	if (check_questions(&syntax))
		return -1;
	if (syntax.depth)
		return refuse(&syntax, innermost(&syntax)->open, "'(' is not closed");
	return 0;
}

int syntax_unexpected(const char *text, size_t position, struct fathom_error *error)
{
	struct syntax syntax = { .text = text, .error = error };
	const char *at = text + position + strspn(text + position, BLANKS);
	size_t length = strspn(at, LETTERS DIGITS ".");

	if (!*at)
		return refuse(&syntax, at, "the formula ends where a value is missing");
	return refuse(&syntax, at,
		      "'%.*s' does not fit here; a value or an operator is missing before it",
		      shown_length(length ? length : 1), at);
}
