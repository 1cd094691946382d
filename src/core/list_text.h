/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Lists of names for messages: "a, b or c". */
#pragma once

#include <stddef.h>

/* A list of names: at() returns name `i`, counted from 0, and NULL after the last. */
struct name_list {
	const char *(*at)(const void *context, size_t i);
	const void *context;
};

/* Returns names as a list. name: an array that ends in NULL. */
struct name_list name_list_of(const char *const *name);
/* Writes the names to `text`, separated by ", ", the last one by `last`, such as " or ". An empty
 * list gives "". Cuts the text to `size` bytes with its NUL; size: 1 or more. Returns `text`. */
const char *list_text(struct name_list names, const char *last, char *text, size_t size);
