/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The priorities that BankPriority gives to banks of flux-accounting, which are accounts. */
#ifndef CONF_CONF_BANKS_H
#define CONF_CONF_BANKS_H

#include "fathom.h"

struct conf_bank {
	char *name;
	double priority;	/* of any sign */
	unsigned line;		/* of fathom.conf */
};

struct conf_banks {
	struct conf_bank *bank;		/* sorted by name once the file is checked */
	size_t count;
};

/* Adds the banks of "NAME:PRIORITY,NAME:PRIORITY...". */
int conf_banks_add(struct conf_banks *banks, const char *list, unsigned line,
		   struct fathom_error *error);
/* Sorts the banks. Returns the second of two that have the same name, or NULL. */
const struct conf_bank *conf_banks_sort(struct conf_banks *banks);
/* Returns the priority of a bank by its name, in upper or lower case as Slurm does; `other` if
 * the file gives it none. */
double conf_banks_priority(const struct conf_banks *banks, const char *name, double other);
void conf_banks_clear(struct conf_banks *banks);

#endif
