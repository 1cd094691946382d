/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The queues of lsb.queues, with what bqueues shows of them. */
#pragma once

#include "format/lsf/lsf_conf.h"
#include "jobs/queue_list.h"

/* Adds all queues of a configuration to a list. */
void lsf_queues_list(const struct lsf_conf *conf, struct queue_list *list);
