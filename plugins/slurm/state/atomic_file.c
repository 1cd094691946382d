/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "state/atomic_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* Without this a crash of the machine could undo the rename. */
static void sync_folder_of(const char *path)
{
	char folder[PATH_MAX];
	char *slash;
	int file;

	snprintf(folder, sizeof(folder), "%s", path);
	slash = strrchr(folder, '/');
	if (!slash)
		return;
	slash[1] = '\0';
	file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (file < 0)
		return;
	fsync(file);
	close(file);
}

int atomic_file_begin(struct atomic_file *new, const char *path)
{
	size_t room = sizeof(new->temporary);

	if ((size_t)snprintf(new->temporary, room, "%s.new", path) >= room) {
		errno = ENAMETOOLONG;
		return -1;
	}
	strcpy(new->path, path);
	/* a rest of a crash; or a pipe of somebody who wants to read the contents */
	unlink(new->temporary);
	new->file = open(new->temporary, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	return new->file < 0 ? -1 : 0;
}

int atomic_file_write(struct atomic_file *new, const void *data, size_t length)
{
	const char *at = data;

	while (length) {
		ssize_t written = write(new->file, at, length);

		if (written < 0 && errno == EINTR)
			continue;
		if (written < 0)
			return -1;
		at += written;
		length -= (size_t)written;
	}
	return 0;
}

/* By a second link, so that at any time there is a file at new->path. */
static void keep_previous(const struct atomic_file *new, const char *previous)
{
	if (previous) {
		unlink(previous);
		(void)!link(new->path, previous);
	}
}

int atomic_file_end(struct atomic_file *new, int status, const char *previous)
{
	int problem;

	if (!status)
		status = fsync(new->file);
	problem = errno;
	if (close(new->file) && !status) {
		status = -1;
		problem = errno;
	}
	if (!status) {
		keep_previous(new, previous);
		status = rename(new->temporary, new->path);
		problem = errno;
	}
	if (!status) {
		sync_folder_of(new->path);
		return 0;
	}
	unlink(new->temporary);
	errno = problem;
	return -1;
}
