/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says what is the matter with a file that no format recognises. */
#ifndef FORMAT_UNKNOWN_FORMAT_H
#define FORMAT_UNKNOWN_FORMAT_H

#include "format/format.h"

/* Returns what is wrong, such as "is empty", or "unknown format", by the beginning of a file. A
 * message goes on with what it must be. */
const char *unknown_format_reason(const struct input *input);

#endif
