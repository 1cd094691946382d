/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the banks of BankPriority, and finds them by name: BankPriority=physics:-5,maths:10 */
#include "conf/conf.h"

#include "core/array.h"
#include "core/duration.h"
#include "core/error.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t"
#define MOST_PRIORITY UINT32_MAX	/* also of the sign - */

/* Adds the bank that the list begins with. *end: what stands behind it, a comma or the list's
 * end. */
static int add_first(struct conf_banks *banks, const char *list, unsigned line, const char **end,
		     struct fathom_error *error)
{
	const char *name = list + strspn(list, BLANKS);
	size_t all = strcspn(name, ",");	/* bytes of NAME:PRIORITY, for messages */
	size_t length = strcspn(name, ":,");	/* of the name */
	struct conf_bank *bank;
	double priority;

	if (!length || name[length] != ':')
		return fathom_error_set(error, EINVAL, "'%.*s' is not NAME:PRIORITY, such as "
					"physics:-5", (int)all, name);
	if (number_parse(name + length + 1, &priority, end))
		return fathom_error_set(error, EINVAL, "'%.*s' has a priority that is not a "
					"number; for example physics:-5", (int)all, name);
	*end += strspn(*end, BLANKS);
	if (**end && **end != ',')
		return fathom_error_set(error, EINVAL, "no ',' before '%s'", *end);
	if (!(fabs(priority) <= MOST_PRIORITY))
		return fathom_error_set(error, EINVAL, "'%.*s' has a priority out of range, must "
					"be at least -%u and at most %u", (int)all, name,
					MOST_PRIORITY, MOST_PRIORITY);
	bank = array_append(&banks->bank, &banks->count, sizeof(*bank));
	if (!bank || !(bank->name = strndup(name, length)))
		return fathom_error_no_memory(error);
	bank->priority = priority;
	bank->line = line;
	return 0;
}

int conf_banks_add(struct conf_banks *banks, const char *list, unsigned line,
		   struct fathom_error *error)
{
	const char *at = list;

	if (add_first(banks, at, line, &at, error))
		return -1;
	while (*at)
		if (add_first(banks, at + 1, line, &at, error))
			return -1;
	return 0;
}

static int lower(char letter)
{
	return letter >= 'A' && letter <= 'Z' ? letter - 'A' + 'a' : letter;
}

/* Compares two banks by name, in upper or lower case. */
static int compare_names(const void *x, const void *y)
{
	const char *a = ((const struct conf_bank *)x)->name;
	const char *b = ((const struct conf_bank *)y)->name;

	while (*a && lower(*a) == lower(*b))
		a++, b++;
	return lower(*a) - lower(*b);
}

/* Compares two banks by name, and then by line. */
static int compare_banks(const void *x, const void *y)
{
	const struct conf_bank *a = x, *b = y;
	int order = compare_names(a, b);

	return order ? order : (a->line > b->line) - (a->line < b->line);
}

const struct conf_bank *conf_banks_sort(struct conf_banks *banks)
{
	if (banks->count)
		qsort(banks->bank, banks->count, sizeof(*banks->bank), compare_banks);
	for (size_t i = 1; i < banks->count; i++)
		if (!compare_names(&banks->bank[i - 1], &banks->bank[i]))
			return &banks->bank[i];
	return NULL;
}

double conf_banks_priority(const struct conf_banks *banks, const char *name, double other)
{
	struct conf_bank wanted = { .name = (char *)name };	/* only compared */
	const struct conf_bank *found;

	if (!name || !banks->count)
		return other;
	found = bsearch(&wanted, banks->bank, banks->count, sizeof(wanted), compare_names);
	return found ? found->priority : other;
}

void conf_banks_clear(struct conf_banks *banks)
{
	for (size_t i = 0; i < banks->count; i++)
		free(banks->bank[i].name);
	free(banks->bank);
	*banks = (struct conf_banks){ NULL };
}
