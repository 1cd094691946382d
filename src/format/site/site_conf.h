/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings of a site as the files that Slurm and fathom read. */
#ifndef FORMAT_SITE_CONF_H
#define FORMAT_SITE_CONF_H

#include "conf/conf.h"
#include "format/site/site_settings.h"

#include <stdio.h>

/* Makes the configuration that the lines of fathom.conf mean, and checks it as the plugin does.
 * Clear it with conf_clear(). -1: EINVAL, the error begins with the site's file and line; ENOMEM;
 * *conf is then the standard one. */
int site_conf_make(const struct site_settings *settings, struct fathom_conf *conf,
		   struct fathom_error *error);
/* Writes the lines of one of the files, each with its place in a comment. */
void site_conf_write(FILE *out, const struct site_settings *settings, enum site_file which);

#endif
