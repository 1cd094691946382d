/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files in the host's folder; a test that cannot read or write one fails. */
#pragma once

#include <stdbool.h>

const char *in_folder(const char *name);	/* a path, until three more calls */
bool exists(const char *name);			/* also a link to nothing */
void write_file(const char *name, const char *text);
const char *file_text(const char *name);	/* until the next call */

void write_conf(const char *text);	/* writes fathom.conf */
void reread(void);	/* lets the plugin read it and do a pass; the clock stands still */
void reconfigure(const char *text);	/* does both */
