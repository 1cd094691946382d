/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of host names in Slurm's notation, such as "n[1-3,7],login" (scontrol show hostnames). */
#pragma once

#include "core/piece.h"
#include "fathom.h"

#include <stdbool.h>

#define HOST_LIST_MOST 65536	/* names in a list; Slurm's own limit for a range */

/* Start with all members 0. */
struct host_list {
	char **name;
	size_t count;
};

/* Returns the next expression of a text, up to a comma or blank outside brackets, and moves *text
 * behind it. Its length is 0 at the end of the text. */
struct piece host_list_next(const char **text);
/* Appends the names that an expression stands for: n[08-10]a[1,3] is n08a1, n08a3, n09a1 and so
 * on. -1: EINVAL, error->text says what is wrong with the expression; ENOMEM. Some names may have
 * been appended then. */
int host_list_add(struct host_list *list, struct piece expression, struct fathom_error *error);
/* Appends the names of all expressions of a text, which are separated by commas or blanks. -1: an
 * expression is wrong, see host_list_add(). */
int host_list_add_all(struct host_list *list, const char *text, struct fathom_error *error);
/* Sorts the names as strcmp() does, n10 before n2, and removes repeated ones. */
void host_list_sort(struct host_list *list);
/* Returns whether a sorted list has the name. */
bool host_list_has(const struct host_list *list, const char *name);
/* Returns the first name that is not in `known`, which is sorted; NULL: all are. */
const char *host_list_unknown(const struct host_list *list, const struct host_list *known);
/* Returns the first name that is in both lists; NULL: no name is. Sorts both. */
const char *host_list_common(struct host_list *list, struct host_list *other);
/* Removes the names that are in `other`, which is sorted. */
void host_list_remove(struct host_list *list, const struct host_list *other);
void host_list_clear(struct host_list *list);
