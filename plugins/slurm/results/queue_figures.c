/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "results/queue_figures.h"

#include <stdlib.h>

void queue_figures_destroy(struct queue_figures *figures)
{
	if (!figures)
		return;
	numbered_names_clear(&figures->names);
	free(figures->figures);
	free(figures);
}

const struct fairshare_scoped *queue_figures_find(const struct queue_figures *figures,
						  const char *partition)
{
	size_t at = numbered_names_find(&figures->names, partition);

	return at == NAME_INDEX_NONE ? NULL : &figures->figures[at];
}
