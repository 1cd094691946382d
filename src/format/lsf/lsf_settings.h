/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the configuration of LSF means for fathom.conf and slurm.conf. */
#ifndef FORMAT_LSF_SETTINGS_H
#define FORMAT_LSF_SETTINGS_H

#include "format/lsf/lsf_conf.h"

/* Adds the settings of one file; see read_settings in format.h. */
void lsf_settings_read(struct document *input, struct site_settings *settings);

#endif
