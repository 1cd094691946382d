/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "schemes/run_leaves.h"

struct run_leaves run_leaves_begin(struct results *results, struct book *book)
{
	return (struct run_leaves){
		.book = book,
		.places = results_places(results),
		.evaluation = results_evaluation(results),
	};
}

void run_leaves_end(struct run_leaves *leaves)
{
	places_release(leaves->places);
	evaluation_release(leaves->evaluation);
}

uint32_t run_leaves_find(const struct run_leaves *leaves, const struct settings *settings,
			 size_t scheme, const struct fathom_run_id *id)
{
	uint32_t leaf = id->leaf;

	if (!leaf)
		leaf = places_leaf(leaves->places, id->partition, (uint32_t)id->job);
	if (!leaf && leaves->book)
		leaf = book_leaf(leaves->book, id->job);
	if (!leaf && id->array)
		leaf = places_leaf(leaves->places, id->partition, id->array);
	if (!leaf)
		leaf = evaluation_leaf(leaves->evaluation, settings, scheme, id->association);
	return leaf;
}
