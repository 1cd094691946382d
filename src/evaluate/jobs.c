/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The memory of jobs: arrays that grow, and texts one after the other in one array. */
#include "evaluate/jobs.h"

#include "core/array.h"
#include "core/error.h"

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

int jobs_find_tres(struct jobs *jobs, const char *name, size_t *tres, struct fathom_error *error)
{
	for (*tres = 0; *tres < jobs->tres_count; ++*tres)
		if (!strcasecmp(jobs_text(jobs, jobs->tres[*tres]), name))
			return 0;
	if (JOBS_MAKE_ROOM(jobs, tres, 1, error) ||
	    jobs_add_text(jobs, name, &jobs->tres[*tres], error))
		return -1;
	jobs->tres_count++;
	return 0;
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
