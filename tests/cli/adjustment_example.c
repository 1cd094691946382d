/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A site's own adjustment: CPU time that run time does not explain, in hours. */
#include "fathom.h"

extern const unsigned fathom_adjustment_version;
fathom_adjust_function fathom_adjust;

const unsigned fathom_adjustment_version = EXAMPLE_VERSION;

double fathom_adjust(const struct fathom_adjustment_input *input, const void *context)
{
	(void)context;
	return (input->cpu_time - input->run_time) / 3600;
}
