/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The queues that several files together describe. */
#pragma once

#include "format/accounting/sources.h"
#include "jobs/queue_list.h"

/* Adds the queues of all files that have been read, with the slots of jobs if a file has any. */
void source_queues_list(const struct sources *sources, struct queue_list *list);
