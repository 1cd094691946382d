/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "base/library.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>

int library_open(const char *name, const char *file, const char *symbol, struct fathom_error *error)
{
	void *library = dlopen(file, RTLD_LAZY | RTLD_GLOBAL);

	if (library && dlsym(library, symbol))
		return 0;
	error->code = ENOSYS;
	snprintf(error->text, sizeof(error->text), "%s cannot be loaded: %s", name, dlerror());
	return -1;
}
