/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario/fathom_conf.h"

#include "controller/host.h"

void write_conf(const char *text)
{
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/fathom.conf", host_folder());
	file = fopen(path, "w");
	if (!file || fprintf(file, "%s\n", text) < 0 || fclose(file))
		host_die("%s cannot be written", path);
}

void reread(void)
{
	priority_g_reconfig(false);
	host_await_pass();
}

void reconfigure(const char *text)
{
	write_conf(text);
	reread();
}
