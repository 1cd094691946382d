/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whether a SQLite database may be read as it is. */
#ifndef FORMAT_DATABASE_H
#define FORMAT_DATABASE_H

#include "format/format.h"

/* Checks that the file alone holds the last committed state of a SQLite database: SQLite may
 * keep changes in files beside it, which a reader of the file alone would miss. -1: EINVAL,
 * the error says what to do. */
int database_check_alone(struct input *input, struct fathom_error *error);

#endif
