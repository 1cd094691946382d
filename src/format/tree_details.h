/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Details of a tree that not every format can keep. */
#pragma once

#include "core/snapshot.h"

/* Bits of format->keeps: what a file of the format can keep of a tree. */
enum tree_detail {
	KEEPS_USAGE = 1 << 0,
	KEEPS_FRACTIONS = 1 << 1,	/* of the usage, which else is rounded to seconds */
	KEEPS_PARENT_SHARES = 1 << 2,	/* FairShare=parent */
	KEEPS_PARTITIONS = 1 << 3,	/* of associations */
	KEEPS_EMPTY_ACCOUNTS = 1 << 4,	/* accounts without members */
	KEEPS_RESOURCES = 1 << 5,	/* amounts for LSF's priority */
	KEEPS_TIME = 1 << 6,
	KEEPS_DEFAULTS = 1 << 7,	/* default accounts of users */
	KEEPS_CAPITALS = 1 << 8,	/* in names of accounts */
	KEEPS_UNKNOWN_SHARES = 1 << 9,	/* of PBS's group "unknown" */
	KEEPS_OTHER_DEFAULTS = 1 << 10,	/* default accounts in which users have no association */
	KEEPS_ALL = (1 << 11) - 1
};

/* Calls note() with a text for each detail that the tree has and the format does not keep, such as
 * "the usage of 4 nodes". Returns the number of calls. */
size_t tree_details_lost(const struct snapshot *snapshot, unsigned keeps,
			 void (*note)(void *context, const char *text), void *context);
