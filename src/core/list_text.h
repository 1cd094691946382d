/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names in a sentence. */
#ifndef CORE_LIST_TEXT_H
#define CORE_LIST_TEXT_H

#include <stddef.h>

/* Names by number, NULL behind the last one. */
struct name_list {
	const char *(*at)(const void *context, size_t i);
	const void *context;
};

/* "a, b, c", with `last` before the last name, such as " or " or ", ". Returns `text`, which
 * ends early where `size` bytes don't hold it all. */
const char *list_text(struct name_list names, const char *last, char *text, size_t size);

#endif
