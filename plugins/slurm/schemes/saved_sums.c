/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums in the image: a section for each scheme, and one with a single row for each partition that
 * the scheme charges. Under Policy=pbs with FairshareEntity=queue, for the scheme in force, whose
 * name is "":
 *
 *	scheme		policy	rows
 *	""		pbs	{ id 7 }, { id 8 }	of associations
 *	"\tbatch"	queue	{ id 0 }		of partition batch
 */
#include "schemes/schemes_private.h"

#include "base/log.h"

#include <stdio.h>
#include <string.h>

#define QUEUE_KIND "queue"	/* in the state file, beside names of policies */

/* ---- copying --------------------------------------------------------------------------- */

/* Saves what a partition has used, as a section of its own. Its name is made of those of scheme and
 * partition, neither of which can have a tab. name: of the partition, "": not known. */
static void copy_queue(const struct fathom_policy_sums_row *row, const char *name,
		       const struct scheme *scheme, struct usage_image *image)
{
	char section[SECTION_NAME_MAX + 1];

	if (snprintf(section, sizeof(section), "%s\t%s", scheme->name, name) > SECTION_NAME_MAX)
		error(LOG_PREFIX "cannot save usage of partition %s: the name is too long", name);
	else if (!usage_image_add_section(image, section, QUEUE_KIND, 0, 1))
		usage_image_add_sums_row(image, &(struct fathom_policy_sums_row){
			.time = row->time, .own = row->own });
}

void saved_sums_copy(const struct scheme_state *state, const struct scheme *scheme,
		     struct usage_image *image)
{
	const struct fathom_policy_sums_row *row;
	size_t count = fathom_policy_sums_count(state->sums);

	if (usage_image_add_section(image, scheme->name, scheme_kind_of_sums(scheme),
				    (int64_t)fathom_policy_sums_since(state->sums), count))
		return;
	for (size_t i = 0; i < count; i++) {
		row = fathom_policy_sums_at(state->sums, i);
		if (row->association != FATHOM_NO_ASSOCIATION)
			usage_image_add_sums_row(image, row);
	}
	/* a row goes into the section that was added last, so the sections of partitions come after
	 * all rows of associations */
	for (size_t i = 0; state->queues.count && i < count; i++) {
		row = fathom_policy_sums_at(state->sums, i);
		if (queue_of_row(state, row))
			copy_queue(row, queue_of_row(state, row), scheme, image);
	}
}

/* ---- restoring ------------------------------------------------------------------------- */

/* Logs that memory ran out while saved sums were restored. */
static void log_loss(const struct scheme *scheme)
{
	error(LOG_PREFIX "out of memory; policy %s misses some of its saved sums",
	      fathom_policy_name(scheme->policy));
}

/* Returns the name of the partition that a section of this scheme belongs to. NULL: the section
 * belongs to no partition, or to another scheme. */
static const char *queue_of_section(const struct sums_section *section, const char *scheme)
{
	size_t length = strlen(scheme);

	if (strcmp(section->policy, QUEUE_KIND) || strncmp(section->scheme, scheme, length) ||
	    section->scheme[length] != '\t')
		return NULL;
	return section->scheme + length + 1;
}

/* Adds a saved row to the sums, as that of the partition `name`. Returns -1 if out of memory. */
static int restore_queue(struct scheme_state *state, const char *name,
			 struct fathom_policy_sums_row row)
{
	row.association = FATHOM_NO_ASSOCIATION;
	row.leaf = (uint32_t)numbered_names_add(&state->queues, name);
	return row.leaf < state->queues.count ? fathom_policy_sums_restore(state->sums, &row) : -1;
}

void saved_sums_restore_queues(struct scheme_state *state, const struct scheme *scheme,
			       const struct usage_image *image)
{
	uint32_t first = 0;	/* index of the section's first row */
	int status = 0;

	for (uint32_t i = 0; !status && i < image->sums.section_count; i++) {
		const struct sums_section *section = &image->sums.section[i];
		const char *name = queue_of_section(section, scheme->name);

		if (!name)
			name = queue_of_section(section, scheme_other_name(scheme));
		/* the first section of a name is the newest */
		if (name && section->row_count &&
		    numbered_names_find(&state->queues, name) == NAME_INDEX_NONE)
			status = restore_queue(state, name, usage_image_sums_row(image, first));
		first += section->row_count;
	}
	if (status)
		log_loss(scheme);
}

/* Of three sections the first one counts: the scheme's, that of its other name, that of the last
 * reset. The last has no rows, and only tells since when sums count. */
void saved_sums_restore(struct scheme_state *state, const struct scheme *scheme,
			const struct usage_image *image)
{
	const char *kind = scheme_kind_of_sums(scheme);
	const struct sums_section *section;
	uint32_t first;
	int status = 0;

	section = usage_image_section(image, scheme->name, kind, &first);
	if (!section)
		section = usage_image_section(image, scheme_other_name(scheme), kind, &first);
	if (!section)
		section = usage_image_section(image, "", SECTION_OF_RESET, &first);
	if (section)
		fathom_policy_sums_set_since(state->sums, (double)section->since);
	for (uint32_t i = first; section && !status && i < first + section->row_count; i++) {
		struct fathom_policy_sums_row row = usage_image_sums_row(image, i);

		status = fathom_policy_sums_restore(state->sums, &row);
	}
	if (status)
		log_loss(scheme);
	else if (scheme->charges_queues)
		saved_sums_restore_queues(state, scheme, image);
}
