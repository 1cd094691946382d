/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes a folder of files that appears whole or not at all. */
#pragma once

#include "format/site/site_folder.h"

/* Writes the absolute path of a folder, which need not exist, without '/' at its end. size: bytes
 * of `absolute`; a path that is longer is refused. */
void out_folder_path(const char *path, char *absolute, size_t size);
/* Makes the folder `path` with these files; folder->path does not matter. A folder that is not
 * empty is refused, as is whatever else goes wrong; nothing has changed then. */
void out_folder_publish(const char *path, const struct site_folder *folder);
