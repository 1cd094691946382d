/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads R and the jobspec of a job. In R_lite, each rank of a set has the children of the entry:
 *
 *	{"version": 1, "execution": {"R_lite": [
 *	 {"rank": "0-3", "children": {"core": "0-35", "gpu": "0"}}]}}	4 nodes, 144 cores, 4 GPUs
 */
#include "format/flux/flux.h"

#include "document/text.h"
#include "memory/need_memory.h"

#include <jansson.h>
#include <math.h>
#include <string.h>

/* ---- sets of numbers -------------------------------------------------------------------- */

/* Counts "7" or "0-3". 0: it is neither. */
static double range_count(struct piece range)
{
	struct piece end[2];
	size_t count = split_at('-', range, end, 2);
	uint64_t first, last;

	if (count > 2 || parse_whole(end[0], UINT32_MAX, &first) ||
	    parse_whole(end[count - 1], UINT32_MAX, &last) || last < first)
		return 0;
	return (double)(last - first) + 1;
}

double flux_idset_count(struct piece text)
{
	bool has_brackets = text.length > 1 && *text.at == '[' && text.at[text.length - 1] == ']';
	struct piece rest = { text.at + has_brackets, text.length - 2 * has_brackets }, range;
	double sum = 0;

	while (piece_next(&rest, ',', &range)) {
		double count = range_count(range);

		if (!(count > 0))
			return 0;
		sum += count;
	}
	return sum <= UINT32_MAX ? sum : 0;
}

/* ---- R ---------------------------------------------------------------------------------- */

static double idset_at(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? flux_idset_count(piece_of(text)) : 0;
}

static double known(double count)
{
	return count <= UINT32_MAX ? count : 0;
}

struct flux_resources flux_resources_of(const char *text)
{
	json_t *root = text ? json_loads(text, 0, NULL) : NULL;
	const json_t *list = json_object_get(json_object_get(root, "execution"), "R_lite");
	struct flux_resources sum = { 0 };

	for (size_t i = 0; i < json_array_size(list); i++) {
		const json_t *entry = json_array_get(list, i);
		const json_t *children = json_object_get(entry, "children");
		double nodes = idset_at(entry, "rank");

		sum.nodes += nodes;
		sum.cores += nodes * idset_at(children, "core");
		sum.gpus += nodes * idset_at(children, "gpu");
	}
	json_decref(root);
	return (struct flux_resources){ known(sum.nodes), known(sum.cores), known(sum.gpus) };
}

/* ---- the jobspec ---------------------------------------------------------------------------- */

/* A copy that the command frees, too, if it ends before. NULL: there is none. */
static char *text_at(const json_t *object, const char *key)
{
	const json_t *value = json_object_get(object, key);
	size_t size = json_string_length(value) + 1;

	return json_is_string(value) ? memcpy(need_zeros(size, 1), json_string_value(value), size)
				     : NULL;
}

void flux_jobspec_read(struct flux_jobspec *jobspec, const char *text)
{
	json_t *root = text ? json_loads(text, 0, NULL) : NULL;
	const json_t *system = json_object_get(json_object_get(root, "attributes"), "system");
	double duration = json_number_value(json_object_get(system, "duration"));

	jobspec->queue = text_at(system, "queue");
	jobspec->bank = text_at(system, "bank");
	jobspec->duration = isfinite(duration) && duration > 0 ? duration : 0;
	json_decref(root);
}

void flux_jobspec_clear(struct flux_jobspec *jobspec)
{
	need_free(jobspec->queue);
	need_free(jobspec->bank);
	*jobspec = (struct flux_jobspec){ 0 };
}
