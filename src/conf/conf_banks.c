/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the banks of BankPriority, and finds them by name: BankPriority=physics:-5,maths:10 */
#include "conf/conf_check.h"

#include "core/array.h"
#include "core/duration.h"
#include "core/small_letters.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define BLANKS " \t"
#define MOST_PRIORITY UINT32_MAX	/* also of the sign - */

/* Adds the bank that the list begins with, and moves *list behind it, to a comma or the list's
 * end. */
static int add_next(struct conf_banks *banks, const char **list, unsigned line,
		    struct fathom_error *error)
{
	const char *name = *list + strspn(*list, BLANKS);
	size_t all = strcspn(name, ",");	/* bytes of NAME:PRIORITY, for messages */
	size_t length = strcspn(name, ":,");	/* of the name */
	struct conf_bank *bank;
	double priority;

	if (!length || name[length] != ':')
		return fathom_error_set(error, EINVAL, "'%.*s' is not NAME:PRIORITY, such as "
					"physics:-5", (int)all, name);
	if (number_parse(name + length + 1, &priority, list))
		return fathom_error_set(error, EINVAL, "'%.*s' has a priority that is not a "
					"number; for example physics:-5", (int)all, name);
	*list += strspn(*list, BLANKS);
	if (**list && **list != ',')
		return fathom_error_set(error, EINVAL, "no ',' before '%s'", *list);
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
	for (;; list++) {	/* behind the comma */
		if (add_next(banks, &list, line, error))
			return -1;
		if (!*list)
			return 0;
	}
}

/* Compares two banks by name, in upper or lower case. */
static int compare_names(const void *x, const void *y)
{
	const char *a = ((const struct conf_bank *)x)->name;
	const char *b = ((const struct conf_bank *)y)->name;

	while (*a && small_letter(*a) == small_letter(*b))
		a++, b++;
	return small_letter(*a) - small_letter(*b);
}

/* Compares two banks by name, and then by line. */
static int compare_banks(const void *x, const void *y)
{
	const struct conf_bank *a = x, *b = y;
	int order = compare_names(a, b);

	return order ? order : (a->line > b->line) - (a->line < b->line);
}

/* Names are compared in upper or lower case, so by sorting instead of by the index. */
int conf_banks_check(struct fathom_conf *conf, struct conf_fault *fault)
{
	struct conf_bank *bank = conf->banks.bank;

	if (conf->banks.count)
		qsort(bank, conf->banks.count, sizeof(*bank), compare_banks);
	for (size_t i = 1; i < conf->banks.count; i++)
		if (!compare_names(&bank[i - 1], &bank[i]))
			return FAULT(fault, bank[i].line, "BankPriority", "'%s' is on line %u "
				     "already, must be named once", bank[i].name, bank[i - 1].line);
	return 0;
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
