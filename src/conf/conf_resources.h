/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lines of ResourceGroup, which are those of OpenPBS's file of that name without numbers. */
#ifndef CONF_CONF_RESOURCES_H
#define CONF_CONF_RESOURCES_H

#include "policy/entity_tree.h"
#include "fathom.h"

struct conf_resources {
	struct entity_row *row;	/* parents before their members */
	unsigned *line;		/* of fathom.conf, by row */
	size_t count;
};

/* Adds "NAME PARENT SHARES". */
int conf_resources_add(struct conf_resources *resources, const char *text, unsigned line,
		       struct fathom_error *error);
void conf_resources_clear(struct conf_resources *resources);

/* Checks that names are unique and parents are known. Returns the first row that is wrong and
 * sets *error, or resources->count. */
size_t conf_resources_check(const struct conf_resources *resources, struct fathom_error *error);

#endif
