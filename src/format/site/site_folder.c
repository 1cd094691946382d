/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format/site/site_folder.h"

#include "core/error.h"

#include <stdlib.h>

FILE *site_folder_add(struct site_folder *folder, const char *name, struct fathom_error *error)
{
	struct site_text *file = &folder->file[folder->count];

	*file = (struct site_text){ .name = name };
	file->stream = open_memstream(&file->text, &file->length);
	if (!file->stream) {
		fathom_error_no_memory(error);
		return NULL;
	}
	folder->count++;
	return file->stream;
}

int site_folder_end(struct site_folder *folder, struct fathom_error *error)
{
	int status = 0;

	for (size_t i = 0; i < folder->count; i++) {
		if (folder->file[i].stream && fclose(folder->file[i].stream))
			status = fathom_error_no_memory(error);
		folder->file[i].stream = NULL;
	}
	return status;
}

void site_folder_clear(struct site_folder *folder)
{
	site_folder_end(folder, NULL);
	for (size_t i = 0; i < folder->count; i++)
		free(folder->file[i].text);
	*folder = (struct site_folder){ 0 };
}
