/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings in the database and in the commands of flux-accounting. */
#pragma once

#include "format/format.h"
#include "format/site/site_settings.h"

#define FLUX_FACTORS "fairshare, queue, bank or urgency"

/* See format->read_settings. */
void flux_settings_read(struct document *input, struct site_settings *settings);

/* Add what flux-accounting calls so. */

/* The weight of a factor; false: flux-accounting has no such factor. */
bool flux_settings_weight(struct site_settings *settings, const char *factor, const char *weight,
			  struct site_origin origin);
/* The priority of a bank; 0 is that of a bank without any. */
void flux_settings_bank(struct site_settings *settings, const char *name, double priority,
			struct site_origin origin);
/* A queue with its priority, an integer. */
void flux_settings_queue(struct site_settings *settings, const char *name, double priority,
			 struct site_origin origin);
