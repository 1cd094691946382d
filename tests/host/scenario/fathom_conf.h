/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef HOST_FATHOM_CONF_H
#define HOST_FATHOM_CONF_H

void write_conf(const char *text);	/* writes fathom.conf */
void reread(void);	/* lets the plugin read it and do a pass; the clock stands still */
void reconfigure(const char *text);	/* does both */

#endif
