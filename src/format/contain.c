/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format/contain.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_LOG 4096
#define WRONG_INPUT 2	/* exit status */

/* One for the process, as stderr is. */
static struct { int saved, log; bool active, registered; } contained = { .saved = -1, .log = -1 };

/* What stands behind "fathom: error: " and the like. */
static const char *without_prefix(const char *line)
{
	static const char *const prefixes[] = { "fathom: ", "fatal: ", "error: " };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (!strncmp(line, prefixes[i], strlen(prefixes[i])))
			line += strlen(prefixes[i]);
	return line;
}

static void last_line(char *line, size_t size)
{
	char log[MOST_LOG + 1];
	off_t end = lseek(contained.log, 0, SEEK_END);
	ssize_t got = pread(contained.log, log, MOST_LOG, end > MOST_LOG ? end - MOST_LOG : 0);
	char *at;

	if (got < 0)
		got = 0;
	while (got && log[got - 1] == '\n')
		got--;
	log[got] = '\0';
	at = strrchr(log, '\n');
	snprintf(line, size, "%s", without_prefix(at ? at + 1 : log));
}

void contain_end(char *line, size_t size)
{
	*line = '\0';
	if (!contained.active)
		return;
	contained.active = false;
	fflush(stderr);
	dup2(contained.saved, STDERR_FILENO);
	last_line(line, size);
	close(contained.saved);
	close(contained.log);
}

static void at_exit(void)
{
	char line[512];

	if (!contained.active)
		return;
	contain_end(line, sizeof(line));
	dprintf(STDERR_FILENO, "fathom: no running cluster: %s; --from reads a file\n",
		*line ? line : "Slurm says no word");
	_exit(WRONG_INPUT);	/* and what stdout holds is dropped */
}

void contain_begin(void)
{
	if (!contained.registered)
		contained.registered = !atexit(at_exit);
	fflush(stderr);
	contained.saved = dup(STDERR_FILENO);
	contained.log = memfd_create("fathom", MFD_CLOEXEC);
	contained.active = contained.saved >= 0 && contained.log >= 0 &&
			   dup2(contained.log, STDERR_FILENO) >= 0;
}
