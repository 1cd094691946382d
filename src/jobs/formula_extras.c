/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "jobs/formula_extras.h"

#include "memory/need_memory.h"
#include "priority/fields.h"

#include <stdlib.h>

char **formula_extras_create(const struct jobs *jobs, const struct fathom_policy *policy)
{
	size_t tres = jobs->tres_count, columns = fathom_policy_column_count(policy);
	char **names = need_zeros(tres + columns, sizeof(*names));

	for (size_t i = 0; i < tres; i++)
		names[i] = need_made(fields_tres_name(jobs_text(jobs, jobs->tres[i])));
	for (size_t i = 0; i < columns; i++)
		names[tres + i] = need_text(fathom_policy_column(policy, i)->name);
	return names;
}

void formula_extras_destroy(char **names)
{
	for (size_t i = 0; names && names[i]; i++)
		free(names[i]);
	free(names);
}
