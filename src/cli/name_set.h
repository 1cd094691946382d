/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The names of an option's list, each found at once however long the list is. Letters of both cases
 * are the same. */
#pragma once

#include "relation/column_list.h"

#include <stdbool.h>

struct name_set;

/* Returns the names of a comma-separated list, which must live as long; NULL: the list is NULL. */
struct name_set *name_set_of(const char *list);
/* Returns whether the list has a name. set: NULL: it has all; name: NULL: none, which it lacks. */
bool name_set_has(const struct name_set *set, const char *name);
/* Notes that a name exists; one that the list lacks does not matter. */
void name_set_note(struct name_set *set, const char *name);
/* Finds the next name of the list that no name_set_note() has named. *rest: begin with the list.
 * Returns false if there are no more. */
bool name_set_next_missing(const struct name_set *set, const char **rest, struct list_item *item);
