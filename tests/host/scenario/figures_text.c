/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario/figures_text.h"

#include "scenario/host_suite.h"

#include <stdio.h>

const char *figures_text(void)
{
	static char text[1 << 20];
	char path[256];
	FILE *file;

	snprintf(path, sizeof(path), "%s/fathom.json", host_folder());
	file = fopen(path, "r");
	ck_assert_ptr_nonnull(file);
	text[fread(text, 1, sizeof(text) - 1, file)] = '\0';
	fclose(file);
	return text;
}
