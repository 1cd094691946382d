/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory of jobs: arrays that grow, and texts one after the other in one array. */
#include "evaluate/jobs.h"

#include "core/array.h"
#include "core/error.h"
#include "core/name_index.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

int jobs_make_room(void **array, size_t size, size_t count, size_t *room, size_t more,
		   struct fathom_error *error)
{
	void *grown = array_grow(*array, room, count + more, size);

	if (!grown)
		return fathom_error_no_memory(error);
	*array = grown;
	return 0;
}

const char *jobs_text(const struct jobs *jobs, size_t at)
{
	return at == JOBS_NONE ? NULL : jobs->text + at;
}

int jobs_add_text(struct jobs *jobs, const char *text, size_t *at, struct fathom_error *error)
{
	size_t length = strlen(text) + 1;

	if (JOBS_MAKE_ROOM(jobs, text, length, error))
		return -1;
	*at = jobs->text_count;
	memcpy(jobs->text + *at, text, length);
	jobs->text_count += length;
	return 0;
}

size_t jobs_tres_named(const struct jobs *jobs, const char *name)
{
	for (size_t i = 0; i < jobs->tres_count; i++)
		if (!strcasecmp(jobs_text(jobs, jobs->tres[i]), name))
			return i;
	return JOBS_NONE;
}

int jobs_find_tres(struct jobs *jobs, const char *name, size_t *tres, struct fathom_error *error)
{
	*tres = jobs_tres_named(jobs, name);
	if (*tres != JOBS_NONE)
		return 0;
	*tres = jobs->tres_count;
	if (JOBS_MAKE_ROOM(jobs, tres, 1, error) ||
	    jobs_add_text(jobs, name, &jobs->tres[*tres], error))
		return -1;
	jobs->tres_count++;
	return 0;
}

size_t jobs_partition_named(const struct jobs *jobs, const char *name)
{
	for (size_t i = 0; i < jobs->partition_count; i++)
		if (!strcmp(jobs_text(jobs, jobs->partition[i].name), name))
			return i;
	return JOBS_NONE;
}

static size_t find_name(const struct name_index *names, const char *name)
{
	size_t found = name_index_get(names, piece_of(name));

	return found == NAME_INDEX_NONE ? JOBS_NONE : found;
}

static int put_name(struct name_index *names, const char *name, size_t value,
		    struct fathom_error *error)
{
	return name_index_put(names, piece_of(name), value, error);
}

static void use_names(struct jobs *jobs, const struct name_index *partitions,
		      const struct name_index *qos)
{
	for (size_t i = 0; i < jobs->requested_count; i++)
		jobs->requested[i].partition =
			find_name(partitions, jobs_text(jobs, jobs->requested[i].name));
	for (size_t i = 0; i < jobs->job_count; i++)
		if (jobs->job[i].qos_name != JOBS_NONE)
			jobs->job[i].qos =
				find_name(qos, jobs_text(jobs, jobs->job[i].qos_name));
}

int jobs_find_names(struct jobs *jobs, struct fathom_error *error)
{
	struct name_index partitions = { 0 }, qos = { 0 };
	int status = 0;

	for (size_t i = 0; !status && i < jobs->partition_count; i++)
		status = put_name(&partitions, jobs_text(jobs, jobs->partition[i].name), i, error);
	for (size_t i = 0; !status && i < jobs->qos_count; i++)
		status = put_name(&qos, jobs_text(jobs, jobs->qos[i].name), i, error);
	if (!status)
		use_names(jobs, &partitions, &qos);
	name_index_clear(&partitions);
	name_index_clear(&qos);
	return status;
}

void jobs_clear(struct jobs *jobs)
{
	free(jobs->partition);
	free(jobs->qos);
	free(jobs->job);
	free(jobs->requested);
	free(jobs->amount);
	free(jobs->tres);
	free(jobs->text);
	memset(jobs, 0, sizeof(*jobs));
}
