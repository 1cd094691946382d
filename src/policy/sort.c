/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sorts siblings in descending order, stably, by the fastest way for their number, as measured
 * (tests/bench):
 *
 *	up to 4		insertion
 *	up to 12	counting: an item's place is the number of items before it
 *	below 400	runs of 12 sorted by counting, then merged
 *	400 or more	LSD radix sort: by each byte of the key, from the least significant to the
 *			most; unless some items have a `rest`, which this sort would not see
 *
 * A radix sort of two-digit keys, descending:
 *	17 42 12	by the last digit:  17 42 12	by the first:  42 17 12
 */
#include "policy/sort.h"

#include <stdbool.h>
#include <string.h>

#define FEW 4		/* sorted by insertion */
#define SHORT_RUN 12	/* sorted by counting before merging begins */
#define LONG_LIST 400	/* from here on digits are counted, not keys compared */
#define DIGITS 8		/* a double has 8 bytes; each is a digit */
#define DIGIT_VALUES 256

static size_t least(size_t a, size_t b)
{
	return a < b ? a : b;
}

/* ---- by comparing: short lists, and lists that use `rest` ------------------- */

/* Returns whether `a` goes before `b`. Has no branches, for the reason that short_sort() gives. */
static bool before(const struct sort_item *a, const struct sort_item *b)
{
	return (a->key > b->key) | ((a->key == b->key) & (a->rest > b->rest));
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

/* Counts for each item how many items go before it: that is its place. The loops have no
 * branches that depend on keys, because the processor could not predict them. */
static void short_sort(struct sort_item *items, struct sort_item *spare, size_t count)
{
	uint32_t place[SHORT_RUN];

	for (size_t i = 0; i < count; i++) {
		uint32_t earlier = 0;	/* items that go before item i */

		for (size_t j = 0; j < i; j++) {
			bool goes_before = before(&items[i], &items[j]);

			place[j] += goes_before;
			earlier += !goes_before;
		}
		place[i] = earlier;
	}
	for (size_t i = 0; i < count; i++)
		spare[place[i]] = items[i];
	memcpy(items, spare, count * sizeof(*items));
}

/* Merges two sorted lists, from[0] to from[middle - 1] and from[middle] to from[count - 1]. */
static void merge(const struct sort_item *from, size_t middle, size_t count, struct sort_item *to)
{
	size_t left = 0, right = middle;

	for (size_t i = 0; i < count; i++) {
		bool take_right = left == middle ||
				  (right < count && before(&from[right], &from[left]));

		to[i] = from[take_right ? right++ : left++];
	}
}

/* Sorts short runs, and then merges pairs of neighbouring runs until there is one. */
static void merge_sort(struct sort_item *items, struct sort_item *spare, size_t count)
{
	struct sort_item *from = items, *to = spare;

	for (size_t start = 0; start < count; start += SHORT_RUN)
		short_sort(items + start, spare, least(SHORT_RUN, count - start));
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

/* ---- LSD radix sort, descending: long lists ----------------------------------- */

/* Returns a byte of the key; digit 0 is the least significant. Doubles of 0 or more are ordered as
 * their bits are, read as an integer. */
static unsigned digit_of(const struct sort_item *item, unsigned digit)
{
	uint64_t bits;

	memcpy(&bits, &item->key, sizeof(bits));
	return bits >> (8 * digit) & (DIGIT_VALUES - 1);
}

/* Counts how often each value occurs in each digit: seen[digit][value]. */
static void count_digits(const struct sort_item *items, size_t count,
			 size_t seen[DIGITS][DIGIT_VALUES])
{
	memset(seen, 0, DIGITS * sizeof(*seen));
	for (size_t i = 0; i < count; i++)
		for (unsigned digit = 0; digit < DIGITS; digit++)
			seen[digit][digit_of(&items[i], digit)]++;
}

/* Sorts the items by one digit, the greatest value first, stably. seen: how often each value of the
 * digit occurs; it is overwritten by the index in `to` of the next item with that value. */
static void sort_by_digit(const struct sort_item *from, struct sort_item *to, size_t count,
			  unsigned digit, size_t seen[DIGIT_VALUES])
{
	size_t place = 0;

	for (unsigned value = DIGIT_VALUES; value-- > 0;) {
		size_t count_of_value = seen[value];

		seen[value] = place;
		place += count_of_value;
	}
	for (size_t i = 0; i < count; i++)
		to[seen[digit_of(&from[i], digit)]++] = from[i];
}

/* Sorts by one digit after the other; as each step is stable, the order by the lesser digits stays
 * among items that are equal in the greater ones. */
static void radix_sort(struct sort_item *items, struct sort_item *spare, size_t count)
{
	size_t seen[DIGITS][DIGIT_VALUES];	/* counts do not change while items move */
	struct sort_item *from = items, *to = spare;

	count_digits(items, count, seen);
	for (unsigned digit = 0; digit < DIGITS; digit++) {
		struct sort_item *swap = from;

		if (seen[digit][digit_of(items, digit)] == count)
			continue;	/* all items have the same digit */
		sort_by_digit(from, to, count, digit, seen[digit]);
		from = to;
		to = swap;
	}
	if (from != items)
		memcpy(items, from, count * sizeof(*items));
}

/* Returns whether any item has a `rest`. */
static bool have_rest(const struct sort_item *items, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (items[i].rest != 0)
			return true;
	return false;
}

void sort_descending(struct sort_item *items, struct sort_item *spare, size_t count)
{
	if (count <= FEW)
		insertion_sort(items, count);
	else if (count <= SHORT_RUN)
		short_sort(items, spare, count);
	else if (count < LONG_LIST || have_rest(items, count))
		merge_sort(items, spare, count);
	else
		radix_sort(items, spare, count);
}
