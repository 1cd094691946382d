/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "priority/own_hold.h"

#include <stddef.h>
#include <string.h>

#define MARK "fathom: "

const char *own_hold_description(enum own_hold hold)
{
	static const char *const descriptions[] = {
		[OWN_HOLD_SHARES] = MARK "the user has no shares",
	};

	return descriptions[hold];
}

const char *own_hold_reason(const char *description)
{
	size_t length = strlen(MARK);

	return description && !strncmp(description, MARK, length) ? description + length : NULL;
}
