/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "faults/preload.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* C has no cast from an object's address to a function's. */
void preload_find(const char *name, void *function)
{
	void *found = dlsym(RTLD_DEFAULT, name);

	memcpy(function, &found, sizeof(found));
}

/* A sanitizer would want to be the first of all libraries. */
void preload_faults(char **arguments)
{
	const char *options = getenv("ASAN_OPTIONS");
	char more[1024];

	if (dlsym(RTLD_DEFAULT, "fault_begin")) {
		unsetenv("LD_PRELOAD");
		return;
	}
	snprintf(more, sizeof(more), "%s:verify_asan_link_order=0", options ? options : "");
	setenv("ASAN_OPTIONS", more, 1);
	setenv("LD_PRELOAD", FAULTS, 1);
	execv("/proc/self/exe", arguments);
	perror(FAULTS);
	exit(EXIT_FAILURE);
}
