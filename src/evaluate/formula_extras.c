/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "evaluate/formula_extras.h"

#include "core/error.h"
#include "priority/fields.h"

#include <stdlib.h>
#include <string.h>

char **formula_extras_create(const struct jobs *jobs, const struct fathom_policy *policy,
			     struct fathom_error *error)
{
	size_t tres = jobs->tres_count, columns = fathom_policy_column_count(policy);
	char **names = calloc(tres + columns + 1, sizeof(*names));

	for (size_t i = 0; names && i < tres + columns; i++) {
		names[i] = i < tres ? fields_tres_name(jobs_text(jobs, jobs->tres[i]))
				    : strdup(fathom_policy_column(policy, i - tres)->name);
		if (!names[i]) {
			formula_extras_destroy(names);
			names = NULL;
		}
	}
	if (!names)
		fathom_error_no_memory(error);
	return names;
}

void formula_extras_destroy(char **names)
{
	for (size_t i = 0; names && names[i]; i++)
		free(names[i]);
	free(names);
}
