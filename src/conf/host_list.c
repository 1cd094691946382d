/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Expands host lists. A name is put together in a buffer, from left to right; each number of a
 * range in brackets goes on with the rest of the expression:
 *
 *	n[1-2]x		"n" -> "n1" -> "n1x"
 *			    -> "n2" -> "n2x"
 */
#include "conf/host_list.h"

#include "core/array.h"
#include "core/error.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define NAME_SIZE 256	/* bytes of a host name, with the NUL */
#define MOST_DIGITS 9	/* so that a number fits 32 bits */

/* A call of host_list_add(). */
struct expansion {
	struct host_list *list;
	struct piece whole;	/* the whole expression, for messages */
	char name[NAME_SIZE];	/* the beginning of a name, which is being put together */
	struct fathom_error *error;
};

/* Sets the error "'EXPRESSION' WHAT". Returns -1. */
static int wrong(const struct expansion *expansion, const char *what)
{
	return fathom_error_set(expansion->error, EINVAL, "'%.*s' %s",
				(int)expansion->whole.length, expansion->whole.at, what);
}

/* Appends the name that is complete in the buffer. */
static int add_name(struct expansion *expansion)
{
	struct host_list *list = expansion->list;
	char **name;

	if (list->count == HOST_LIST_MOST)
		return wrong(expansion, "makes more than 65536 hosts");
	name = array_append(&list->name, &list->count, sizeof(*name));
	return name && (*name = strdup(expansion->name))
		       ? 0 : fathom_error_no_memory(expansion->error);
}

/* The numbers of a range. 08-10: 8, 10, and 2 digits; 7: 7, 7, and 1 digit. */
struct range {
	unsigned first, last;
	int width;	/* the least digits of a number, filled up with zeros */
};

/* Cuts a number off the beginning of *text; *width: how many digits it has. -1: there is none, or
 * it has more than MOST_DIGITS. */
static int cut_number(struct piece *text, unsigned *number, int *width)
{
	unsigned digit;

	*number = 0;
	for (*width = 0; text->length; ++*width) {
		digit = (unsigned)(*text->at - '0');
		if (digit > 9)
			break;
		if (*width == MOST_DIGITS)
			return -1;
		*number = 10 * *number + digit;
		piece_cut(text, 1);
	}
	return *width ? 0 : -1;
}

/* Reads "7" or "1-8" at the beginning of *text and moves behind it. */
static int read_range(const struct expansion *expansion, struct piece *text, struct range *range)
{
	int width_of_last;	/* has no effect: that of the first number counts */

	if (cut_number(text, &range->first, &range->width))
		return wrong(expansion, "has no number in brackets, must be as in n[1-8,10]");
	range->last = range->first;
	if (!text->length || *text->at != '-')
		return 0;
	piece_cut(text, 1);
	if (cut_number(text, &range->last, &width_of_last))
		return wrong(expansion, "has a range without an end, must be as in n[1-8,10]");
	if (range->last < range->first)
		return wrong(expansion, "has a range that ends before it begins");
	return 0;
}

static int expand(struct expansion *expansion, size_t length, struct piece rest);

/* Appends each number of the range to the first `length` bytes of the buffer, and expands the rest
 * of the expression behind it. */
static int expand_range(struct expansion *expansion, size_t length, const struct range *range,
			struct piece rest)
{
	if (length + (size_t)range->width + MOST_DIGITS >= NAME_SIZE)
		return wrong(expansion, "makes a name that is too long");
	for (unsigned number = range->first; number <= range->last; number++) {
		int digits = snprintf(expansion->name + length, NAME_SIZE - length, "%0*u",
				      range->width, number);

		if (expand(expansion, length + (size_t)digits, rest))
			return -1;
	}
	return 0;
}

/* Expands each range of a list such as "1-8,10", the text between two brackets. length, rest: see
 * expand(). */
static int expand_brackets(struct expansion *expansion, size_t length, struct piece brackets,
			   struct piece rest)
{
	struct range range = { 0 };

	for (;; piece_cut(&brackets, 1)) {
		if (read_range(expansion, &brackets, &range) ||
		    expand_range(expansion, length, &range, rest))
			return -1;
		if (!brackets.length)
			return 0;
		if (*brackets.at != ',')
			return wrong(expansion, "has brackets without a list of numbers, must be "
				     "as in n[1-8,10]");
	}
}

/* Adds all names that begin with the first `length` bytes of expansion->name, and end with what
 * `rest`, the expression behind them, stands for. */
static int expand(struct expansion *expansion, size_t length, struct piece rest)
{
	const char *close;
	struct piece brackets;

	for (; rest.length && *rest.at != '['; piece_cut(&rest, 1)) {
		if (*rest.at == ']')
			return wrong(expansion, "has a ']' without '['");
		if (length + 1 >= NAME_SIZE)
			return wrong(expansion, "makes a name that is too long");
		expansion->name[length++] = *rest.at;
	}
	expansion->name[length] = '\0';
	if (!rest.length)
		return add_name(expansion);
	close = memchr(rest.at, ']', rest.length);
	if (!close)
		return wrong(expansion, "has a '[' without ']'");
	piece_cut(&rest, 1);
	brackets = piece_cut(&rest, (size_t)(close - rest.at));
	piece_cut(&rest, 1);
	return expand_brackets(expansion, length, brackets, rest);
}

struct piece host_list_next(const char **text)
{
	struct piece next = { *text + strspn(*text, ", \t"), 0 };
	bool in_brackets = false;

	for (; next.at[next.length]; next.length++) {
		char at = next.at[next.length];

		if (!in_brackets && strchr(", \t", at))
			break;
		in_brackets = at == '[' || (in_brackets && at != ']');
	}
	*text = next.at + next.length;
	return next;
}

int host_list_add(struct host_list *list, struct piece expression, struct fathom_error *error)
{
	struct expansion expansion = { .list = list, .whole = expression, .error = error };

	return expand(&expansion, 0, expression);
}

int host_list_add_all(struct host_list *list, const char *text, struct fathom_error *error)
{
	struct piece expression;

	while ((expression = host_list_next(&text)).length)
		if (host_list_add(list, expression, error))
			return -1;
	return 0;
}

void host_list_clear(struct host_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->name[i]);
	free(list->name);
	*list = (struct host_list){ 0 };
}

/* ---- sorted lists ---------------------------------------------------------------- */

/* Compares two elements of list->name, for qsort() and bsearch(). */
static int compare_names(const void *x, const void *y)
{
	return strcmp(*(char *const *)x, *(char *const *)y);
}

/* Returns whether the names are sorted, and none is repeated. */
static bool is_sorted(const struct host_list *list)
{
	for (size_t i = 1; i < list->count; i++)
		if (strcmp(list->name[i - 1], list->name[i]) >= 0)
			return false;
	return true;
}

void host_list_sort(struct host_list *list)
{
	size_t count = 0;

	if (!is_sorted(list))
		qsort(list->name, list->count, sizeof(*list->name), compare_names);
	for (size_t i = 0; i < list->count; i++)
		if (count && !strcmp(list->name[count - 1], list->name[i]))
			free(list->name[i]);
		else
			list->name[count++] = list->name[i];
	list->count = count;
}

bool host_list_has(const struct host_list *list, const char *name)
{
	return list->count && bsearch(&name, list->name, list->count, sizeof(*list->name),
				      compare_names);
}

const char *host_list_unknown(const struct host_list *list, const struct host_list *known)
{
	for (size_t i = 0; i < list->count; i++)
		if (!host_list_has(known, list->name[i]))
			return list->name[i];
	return NULL;
}

const char *host_list_common(struct host_list *list, struct host_list *other)
{
	size_t i = 0, j = 0;

	host_list_sort(list);
	host_list_sort(other);
	while (i < list->count && j < other->count) {
		int order = strcmp(list->name[i], other->name[j]);

		if (!order)
			return list->name[i];
		i += order < 0;
		j += order > 0;
	}
	return NULL;
}

void host_list_remove(struct host_list *list, const struct host_list *other)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++)
		if (host_list_has(other, list->name[i]))
			free(list->name[i]);
		else
			list->name[count++] = list->name[i];
	list->count = count;
}
