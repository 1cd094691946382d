/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario/captured_log.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int log_file;

void capture_log(void)
{
	log_file = fileno(tmpfile());
	dup2(log_file, STDERR_FILENO);
}

const char *log_text(void)
{
	static char text[1 << 20];
	ssize_t length = pread(log_file, text, sizeof(text) - 1, 0);

	text[length > 0 ? length : 0] = '\0';
	return text;
}

unsigned logged(const char *what)
{
	unsigned count = 0;

	for (const char *at = log_text(); (at = strstr(at, what)); at++)
		count++;
	return count;
}
