/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Fills a new folder beside the wanted one, such as slurm.X7h2Qa beside slurm, and renames it when
 * all is written. */
#include "cli/convert/out_folder.h"

#include "cli/complain.h"
#include "cli/out_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".XXXXXX"	/* of the new folder, as mkdtemp() wants it */

/* Writes a file of the folder `parent`. Returns -1 if it fails; errno tells why. */
static int write_text(int parent, const struct site_text *text)
{
	int file = openat(parent, text->name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	int code;

	if (file < 0)
		return -1;
	if (write_all(file, text->text, text->length) || fsync(file)) {
		code = errno;
		close(file);
		errno = code;
		return -1;
	}
	return close(file);
}

/* Gives the folder `parent` the rights of the empty folder at `path` that it replaces, and then, as
 * these may say of which group files are, writes all files. Returns -1 if it fails; errno tells
 * why. */
static int fill_folder(int parent, const struct site_folder *folder, const char *path)
{
	const mode_t new_mode = 0777;	/* as mkdir() */

	if (out_set_rights(parent, path, new_mode))
		return -1;
	for (size_t i = 0; i < folder->count; i++)
		if (write_text(parent, &folder->file[i]))
			return -1;
	return fsync(parent);
}

/* Removes the new folder with its files, and closes `parent`, its descriptor. If that is -1, there
 * are no files, and calls that get it do nothing. errno stays. */
static void undo_folder(const char *new, int parent, const struct site_folder *folder)
{
	int code = errno;

	for (size_t i = 0; i < folder->count; i++)
		unlinkat(parent, folder->file[i].name, 0);
	close(parent);
	rmdir(new);
	errno = code;
}

/* Makes the folder. Returns -1 if it fails: errno tells why, and nothing of it is left. Refuses a
 * path beside which no folder can be made. */
static int make_folder(const char *path, const struct site_folder *folder)
{
	size_t length = strlen(path);
	char new[PATH_MAX + sizeof(SUFFIX)];
	int parent;

	while (length > 1 && path[length - 1] == '/')
		length--;
	snprintf(new, sizeof(new), "%.*s" SUFFIX, (int)length, path);
	if (!mkdtemp(new))
		refuse("%s: %s", path, strerror(errno));
	parent = open(new, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (parent < 0 || fill_folder(parent, folder, path) || rename(new, path)) {
		undo_folder(new, parent, folder);
		return -1;
	}
	close(parent);
	return 0;
}

void out_folder_path(const char *path, char *absolute, size_t size)
{
	size_t length = strlen(path);
	char here[PATH_MAX] = "";

	while (length > 1 && path[length - 1] == '/')
		length--;
	if (*path != '/' && !getcwd(here, sizeof(here)))
		refuse("--out: %s", strerror(errno));
	if ((size_t)snprintf(absolute, size, "%s%s%.*s", here, *path == '/' ? "" : "/",
			     (int)length, path) >= size)
		refuse("%s: %s", path, strerror(ENAMETOOLONG));
}

void out_folder_publish(const char *path, const struct site_folder *folder)
{
	sigset_t before;
	int failed;

	if (strlen(path) >= PATH_MAX)
		refuse("%s: %s", path, strerror(ENAMETOOLONG));
	out_hold_signals(&before);
	failed = make_folder(path, folder);
	out_release_signals(&before);
	if (failed && (errno == ENOTEMPTY || errno == EEXIST || errno == ENOTDIR))
		refuse("--out: %s is there already, must be a new or empty folder; "
		       "remove it or name another", path);
	if (failed)
		refuse("%s: %s", path, strerror(errno));
}
