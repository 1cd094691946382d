/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the leaf of a scope's own tree at which a run counts: the leaf at which the job was last
 * placed. The ledger keeps it from the first charge on; before that, the last places tell.
 * slurmctld gives a task of a job array a new id when the task starts: then the leaf is that of the
 * array. If no places tell, it is the best leaf of the association in the last evaluation.
 */
#include "schemes/schemes_private.h"

#include <string.h>

bool schemes_count_run(const struct settings *settings, size_t scheme, const struct fathom_run *run)
{
	const struct scheme *definition = &settings->scheme[scheme];

	if (!scopes_scheme_includes(settings, scheme, run->id.partition))
		return false;
	if (!definition->scope->hosts.text)
		return true;
	/* the set of hosts of a scope has the name of its scheme */
	for (uint32_t i = 0; i < run->rate.part_count; i++)
		if (run->rate.part[i].cpus && !strcmp(run->rate.part[i].hosts, definition->name))
			return true;
	return false;
}

struct run_leaves run_leaves_begin(const struct schemes *schemes, size_t scheme)
{
	struct run_leaves leaves = { .schemes = schemes, .scheme = scheme };

	if (has_own_tree(schemes, scheme)) {
		leaves.places = published_get(&schemes->results->places);
		leaves.evaluation = published_get(&schemes->results->evaluation);
	}
	return leaves;
}

void run_leaves_end(struct run_leaves *leaves)
{
	shared_release(leaves->places);
	shared_release(leaves->evaluation);
}

uint32_t run_leaves_find(const struct run_leaves *leaves, const struct fathom_run_id *id)
{
	uint32_t leaf = id->leaf;	/* as the ledger has it */

	if (!has_own_tree(leaves->schemes, leaves->scheme))
		return 0;
	if (!leaf)
		leaf = places_leaf(leaves->places, id->partition, (uint32_t)id->job);
	if (!leaf)	/* an earlier charge of this round may have noted it */
		leaf = book_leaf(leaves->schemes->book, id->job);
	if (!leaf && id->array)		/* the task was placed under the id of its array */
		leaf = places_leaf(leaves->places, id->partition, id->array);
	if (!leaf)
		leaf = evaluation_leaf(leaves->evaluation, leaves->schemes->settings,
				       leaves->scheme, id->association);
	return leaf;
}

uint32_t run_leaves_find_and_note(const struct run_leaves *leaves,
				  const struct fathom_charge *charge)
{
	struct book *book = leaves->schemes->book;
	const struct fathom_run_id *id = &charge->run.id;
	uint32_t leaf = run_leaves_find(leaves, id);

	/* the leaf that was found first stays; a run that is over is not charged any more */
	if (leaf && !id->leaf && !charge->over && !book_leaf(book, id->job))
		book_set_leaf(book, id->job, leaf);
	return leaf;
}

void schemes_find_leaves(const struct schemes *schemes, size_t scheme, struct running *running,
			 size_t count)
{
	struct run_leaves leaves = run_leaves_begin(schemes, scheme);

	for (size_t i = 0; has_own_tree(schemes, scheme) && i < count; i++) {
		struct fathom_run *run = &running[i].run;

		if (!run->id.leaf && schemes_count_run(schemes->settings, scheme, run))
			run->id.leaf = run_leaves_find(&leaves, &run->id);
	}
	run_leaves_end(&leaves);
}
