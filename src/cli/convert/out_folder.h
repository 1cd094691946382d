/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A folder of files that appears whole or not at all. */
#pragma once

#include "format/site/site_folder.h"

/* Writes the absolute path of a folder, which need not be there. */
void out_folder_path(const char *path, char *absolute, size_t size);
/* Makes the folder `path` with these files. There must be no such folder, or an empty one; if
 * anything is wrong, nothing has changed. */
void out_folder_publish(const char *path, const struct site_folder *folder);
