/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the description of a job's state. */
#include "priority/own_hold.h"

#include <stddef.h>
#include <string.h>

const char *own_hold_reason(const char *description)
{
	size_t length = strlen(OWN_HOLD_MARK);

	return description && !strncmp(description, OWN_HOLD_MARK, length) ? description + length
									   : NULL;
}
