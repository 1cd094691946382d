/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The evaluator of a build without muParser: evaluator_create() always fails, so that there is
 * nothing to do for the others. */
#include "priority/evaluator.h"

#include "core/error.h"

#include <errno.h>
#include <math.h>

struct evaluator *evaluator_create(struct fathom_error *error)
{
	fathom_error_set(error, ENOSYS, "needs muParser, which this fathom is built without");
	return NULL;
}

void evaluator_destroy(struct evaluator *evaluator)
{
	(void)evaluator;
}

void evaluator_bind(struct evaluator *evaluator, const char *name, double *value)
{
	(void)evaluator;
	(void)name;
	(void)value;
}

int evaluator_compile(struct evaluator *evaluator, const char *text, size_t *position)
{
	(void)evaluator;
	(void)text;
	*position = 0;
	return -1;
}

double evaluator_value(struct evaluator *evaluator)
{
	(void)evaluator;
	return NAN;
}
