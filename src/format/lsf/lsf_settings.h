/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the configuration of LSF means for fathom.conf and slurm.conf. */
#pragma once

#include "format/lsf/lsf_conf.h"

/* Adds the settings of one file; see read_settings in format.h. */
void lsf_settings_read(struct document *input, struct site_settings *settings);
/* Adds HOSTS of queues, with host groups of all files; see add_hosts in format_parts.h. */
void lsf_settings_add_hosts(const struct lsf_conf *conf, struct site_settings *settings);
