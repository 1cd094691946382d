/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The partitions of the running cluster as queues. */
#pragma once

#include "fathom.h"
#include "jobs/queue_list.h"

/* Adds the partitions of the local cluster, with the slots of jobs; shares of slot pools are those
 * of its FiguresFile, if that can be read. */
void live_queues_read(struct queue_list *list);
