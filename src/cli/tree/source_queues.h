/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The queues that several files together describe. */
#ifndef CLI_TREE_SOURCE_QUEUES_H
#define CLI_TREE_SOURCE_QUEUES_H

#include "format/accounting/sources.h"
#include "format/site/site_conf.h"
#include "jobs/queue_list.h"

/* Adds the queues of all files that have been read, with the slots of jobs if a file has any. conf:
 * what the settings of the files mean, or NULL. */
void source_queues_list(const struct sources *sources, const struct site_conf *conf,
			struct queue_list *list);

#endif
