/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Redirects stderr into a file in memory while libslurm works. */
#include "format/stderr_capture.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_LOG 4096
#define WRONG_INPUT 2	/* exit status */

/* The process has one stderr, and so one capture. */
static struct { int saved, log; bool active, registered; } capture = { .saved = -1, .log = -1 };

/* Returns the line without its prefixes, such as "fathom: error: ". */
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
	off_t end = lseek(capture.log, 0, SEEK_END);
	ssize_t got = pread(capture.log, log, MOST_LOG, end > MOST_LOG ? end - MOST_LOG : 0);
	char *at;

	if (got < 0)
		got = 0;
	while (got && log[got - 1] == '\n')
		got--;
	log[got] = '\0';
	at = strrchr(log, '\n');
	snprintf(line, size, "%s", without_prefix(at ? at + 1 : log));
}

void stderr_capture_end(char *line, size_t size)
{
	*line = '\0';
	if (!capture.active)
		return;
	capture.active = false;
	fflush(stderr);
	dup2(capture.saved, STDERR_FILENO);
	last_line(line, size);
	close(capture.saved);
	close(capture.log);
}

static void at_exit(void)
{
	char line[512];

	if (!capture.active)
		return;
	stderr_capture_end(line, sizeof(line));
	dprintf(STDERR_FILENO, "fathom: no running cluster: %s; --from reads a file\n",
		*line ? line : "libslurm gave no reason");
	_exit(WRONG_INPUT);	/* drops what stdout has buffered */
}

void stderr_capture_begin(void)
{
	if (!capture.registered)
		capture.registered = !atexit(at_exit);
	fflush(stderr);
	capture.saved = dup(STDERR_FILENO);
	capture.log = memfd_create("fathom", MFD_CLOEXEC);
	capture.active = capture.saved >= 0 && capture.log >= 0 &&
			   dup2(capture.log, STDERR_FILENO) >= 0;
}
