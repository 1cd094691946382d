/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A table from names to numbers. It does not copy names. */
#ifndef FORMAT_NAMES_H
#define FORMAT_NAMES_H

#include "format/text.h"

#define NAMES_NONE SIZE_MAX

struct names {
	struct names_slot { struct piece name; size_t value; } *slot;
	size_t size, count;
};

/* Of a name that is there already, its value changes. -1: ENOMEM. */
int names_put(struct names *names, struct piece name, size_t value, struct fathom_error *error);
size_t names_get(const struct names *names, struct piece name);	/* or NAMES_NONE */
void names_clear(struct names *names);

#endif
