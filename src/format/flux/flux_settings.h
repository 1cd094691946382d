/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings in the database of flux-accounting. */
#ifndef FORMAT_FLUX_SETTINGS_H
#define FORMAT_FLUX_SETTINGS_H

#include "format/format.h"

/* See format->read_settings. */
int flux_settings_read(struct document *input, struct site_settings *settings,
		       struct fathom_error *error);

#endif
