/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "policy/sort.h"

#include <stdbool.h>
#include <string.h>

#define SHORT_RUN 12	/* sorted by insertion before merging begins */

static bool before(const struct sort_item *a, const struct sort_item *b)
{
	return a->key > b->key || (a->key == b->key && a->rest > b->rest);
}

static void insertion_sort(struct sort_item *items, size_t count)
{
	for (size_t i = 1; i < count; i++) {
		struct sort_item item = items[i];
		size_t at = i;

		for (; at && before(&item, &items[at - 1]); at--)
			items[at] = items[at - 1];
		items[at] = item;
	}
}

static void merge(const struct sort_item *from, size_t middle, size_t count, struct sort_item *to)
{
	size_t left = 0, right = middle;

	for (size_t i = 0; i < count; i++) {
		bool take_right = left == middle ||
				  (right < count && before(&from[right], &from[left]));

		to[i] = from[take_right ? right++ : left++];
	}
}

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

void sort_descending(struct sort_item *items, struct sort_item *spare, size_t count)
{
	struct sort_item *from = items, *to = spare;

	for (size_t start = 0; start < count; start += SHORT_RUN)
		insertion_sort(items + start, least(SHORT_RUN, count - start));
	for (size_t width = SHORT_RUN; width < count; width *= 2) {
		struct sort_item *swap = from;

		for (size_t start = 0; start < count; start += 2 * width) {
			size_t length = least(2 * width, count - start);

			merge(from + start, least(width, length), length, to + start);
		}
		from = to;
		to = swap;
	}
	if (from != items)
		memcpy(items, from, count * sizeof(*items));
}
