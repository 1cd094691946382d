/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario/host_files.h"

#include "scenario/host_suite.h"

#include <sys/stat.h>

const char *in_folder(const char *name)
{
	static char path[4][256];
	static size_t next;
	char *to = path[next++ % COUNT(path)];

	snprintf(to, sizeof(*path), "%s/%s", host_folder(), name);
	return to;
}

bool exists(const char *name)
{
	struct stat status;

	return !lstat(in_folder(name), &status);
}

void write_file(const char *name, const char *text)
{
	FILE *file = fopen(in_folder(name), "w");

	ck_assert_msg(file && fputs(text, file) >= 0 && !fclose(file), "%s is not written", name);
}

const char *file_text(const char *name)
{
	static char text[1 << 20];
	FILE *file = fopen(in_folder(name), "r");

	ck_assert_msg(file, "%s cannot be opened", name);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	return text;
}

/* ---- fathom.conf -------------------------------------------------------------------- */

void write_conf(const char *text)
{
	write_file("fathom.conf", text);
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
