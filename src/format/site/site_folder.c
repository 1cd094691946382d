/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Keeps the files of a folder in memory, by open_memstream(). */
#include "format/site/site_folder.h"

#include "memory/need_memory.h"

#include <stdlib.h>

FILE *site_folder_add(struct site_folder *folder, const char *name)
{
	struct site_text *file = &folder->file[folder->count++];

	*file = (struct site_text){ .name = name };
	file->stream = need_made(open_memstream(&file->text, &file->length));
	return file->stream;
}

void site_folder_end(struct site_folder *folder)
{
	for (size_t i = 0; i < folder->count; i++) {
		need_done(fclose(folder->file[i].stream));
		need_owned(folder->file[i].text, free);
	}
}
