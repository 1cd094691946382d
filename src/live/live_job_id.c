/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds jobs by the ids that squeue prints. */
#include "live/live_private.h"

#include <stdlib.h>

/* Returns whether a list of tasks such as "1-3,7,10-20:2%4" has a task; "%4" is no part of the
 * list. list: may be NULL. */
static bool has_task(const char *list, unsigned long task)
{
	while (list && *list && *list != '%') {
		char *at;
		unsigned long first = strtoul(list, &at, 10), last = first, step = 1;

		if (at == list)
			return false;
		if (*at == '-')
			last = strtoul(at + 1, &at, 10);
		if (*at == ':')
			step = strtoul(at + 1, &at, 10);
		if (task >= first && task <= last && step && (task - first) % step == 0)
			return true;
		list = *at == ',' ? at + 1 : NULL;
	}
	return false;
}

/* Returns whether a job has this id: a number and what follows it, from the '_' or '+' on. */
static bool is_named(const slurm_job_info_t *info, uint32_t id, const char *sign)
{
	unsigned long number = strtoul(sign + 1, NULL, 10);

	if (*sign == '+')
		return info->het_job_id == id && info->het_job_offset == number;
	if (info->array_job_id != id)
		return false;
	if (sign[1] == '[')	/* the tasks that still wait as one job */
		return info->array_task_str;
	return info->array_task_id == number || has_task(info->array_task_str, number);
}

int64_t live_job_named(const char *word)
{
	char *sign;
	uint32_t id = (uint32_t)strtoul(word, &sign, 10);
	int64_t found = *sign ? -1 : (int64_t)id;
	job_info_msg_t *infos;

	libslurm_begin(LIBSLURM_FROM);
	libslurm_conf();	/* fails if slurmctld does not answer */
	if (*sign && !compat_load_job(&infos, id))
		for (uint32_t i = 0; i < infos->record_count && found < 0; i++)
			if (is_named(&infos->job_array[i], id, sign))
				found = compat_info_id(&infos->job_array[i]);
	libslurm_end();
	return found;
}
