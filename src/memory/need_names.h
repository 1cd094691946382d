/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists and tables of names that belong to the command's memory, see need_memory.h. If there is no
 * memory, these functions end the command. */
#pragma once

#include "core/numbered_names.h"

/* Returns an empty list. */
struct numbered_names *need_names(void);
/* Returns an empty table. */
struct name_index *need_index(void);
/* Returns the number of a name, which is added if the list lacks it. */
size_t need_name(struct numbered_names *list, const char *name);
/* Sets the value of a name, new or known; the name must live as long as the table. */
void need_put(struct name_index *names, struct piece name, size_t value);
