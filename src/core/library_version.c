/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The version as a text, made of the three numbers in fathom/version.h. */
#include "fathom/version.h"

/* DOTTED() replaces its arguments, which are macros, by numbers; TEXT_OF() would make a text of the
 * macro's name. */
#define TEXT_OF(number) #number
#define DOTTED(major, minor, patch) TEXT_OF(major) "." TEXT_OF(minor) "." TEXT_OF(patch)

const char *fathom_version(void)
{
	return DOTTED(FATHOM_VERSION_MAJOR, FATHOM_VERSION_MINOR, FATHOM_VERSION_PATCH);
}
