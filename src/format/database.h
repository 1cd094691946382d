/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORMAT_DATABASE_H
#define FORMAT_DATABASE_H

#include "format/format.h"

/* What SQLite keeps beside a file belongs to the database too, and reading the file as immutable
 * leaves it out. -1: the file alone is not the state that was committed last; says what to do. */
int database_check_alone(struct input *input, struct fathom_error *error);

#endif
