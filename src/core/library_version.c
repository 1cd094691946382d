/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fathom/version.h"

#define TEXT_OF(number) #number
#define DOTTED(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *fathom_version(void)
{
	return DOTTED(FATHOM_VERSION_MAJOR, FATHOM_VERSION_MINOR, FATHOM_VERSION_PATCH);
}
