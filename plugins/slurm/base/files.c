/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads a whole file, and replaces one so that a crash leaves the old content or the new one. */
#include "base/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/param.h>
#include <unistd.h>

/* Bytes that are read of a file if the file system says that it has 0, as FUSE does with direct_io
 * for each file. */
#define UNKNOWN_SIZE_MAX ((size_t)1 << 20)

/* ---- read ------------------------------------------------------------------------------- */

int file_read(int file, char *data, size_t most, size_t *length)
{
	ssize_t count = 1;

	*length = 0;
	while (count && *length < most) {
		count = read(file, data + *length, most - *length);
		if (count < 0 && errno != EINTR)
			return -1;
		*length += count > 0 ? (size_t)count : 0;
	}
	return 0;
}

/* Sets all members of *file, which are 0, from an open file. Returns 0; or an errno, and file->data
 * may be set then. */
static int read_open_file(struct whole_file *file, int number, size_t most)
{
	size_t size = 0;	/* nothing is read of a pipe or a folder */

	if (fstat(number, &file->status))
		return errno;
	if (S_ISREG(file->status.st_mode))
		size = file->status.st_size ? (size_t)file->status.st_size
					    : MIN(most, UNKNOWN_SIZE_MAX);
	file->length = size;
	if (size > most)
		return EFBIG;
	file->data = calloc(1, size + 1);
	if (!file->data)
		return ENOMEM;
	if (file_read(number, file->data, size, &file->length))
		return errno;
	/* a file of unknown size may go on */
	return size && !file->status.st_size && file->length == size ? EFBIG : 0;
}

int whole_file_read(struct whole_file *file, const char *path, int flags, size_t most)
{
	/* O_NONBLOCK: opening a pipe must not wait for its writer */
	int number = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | flags), problem;

	*file = (struct whole_file){ NULL };
	if (number < 0)
		return -1;
	problem = read_open_file(file, number, most);
	close(number);
	if (!problem)
		return 0;
	free(file->data);
	file->data = NULL;
	errno = problem;
	return -1;
}

bool whole_file_problem_passes(int problem)
{
	/* EAGAIN: somebody has a lease of the file; from ETIMEDOUT on: a file server is away, as
	 * NFS with softerr, FUSE, Lustre and SMB say it */
	static const int passing[] = { EIO, ENOMEM, EMFILE, ENFILE, ESTALE, EINTR, EAGAIN,
				       ETIMEDOUT, ENOTCONN, ESHUTDOWN, EHOSTDOWN };

	for (size_t i = 0; i < sizeof(passing) / sizeof(*passing); i++)
		if (problem == passing[i])
			return true;
	return false;
}

uint64_t whole_file_hash(const struct whole_file *file)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);	/* both numbers are those of FNV-1a */

	for (size_t i = 0; i < file->length; i++)
		hash = (hash ^ (unsigned char)file->data[i]) * UINT64_C(0x100000001b3);
	hash ^= hash >> 29;
	return hash ? hash : 1;
}

/* ---- replace ---------------------------------------------------------------------------- */

/* Writes a piece, in several calls if the system takes less than all of it. Returns 0; or -1, and
 * errno tells why. */
static int write_data(int file, const struct iovec *piece)
{
	const char *at = piece->iov_base;
	size_t left = piece->iov_len;

	while (left) {
		ssize_t written = write(file, at, left);

		if (written < 0 && errno == EINTR)
			continue;
		if (!written)
			errno = ENOSPC;		/* of a file system that does not say it */
		if (written <= 0)
			return -1;
		at += written;
		left -= (size_t)written;
	}
	return 0;
}

/* Writes `count` pieces to a new file, and syncs it to disk. mode: of the file; 0 stands for 0600.
 * Returns 0; or -1, and errno tells why; the file may be there then. */
static int write_new(const char *name, mode_t mode, const struct iovec *piece, size_t count)
{
	int file, status;

	/* what a crash has left, or a pipe that somebody has made to read the contents */
	unlink(name);
	file = open(name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	if (file < 0)
		return -1;
	status = mode ? fchmod(file, mode) : 0;
	for (size_t i = 0; !status && i < count; i++)
		status = write_data(file, &piece[i]);
	if (!status)
		status = fsync(file);
	return close(file) ? -1 : status;	/* a close() that succeeds leaves errno alone */
}

/* Syncs the folder of a file to disk: otherwise a crash of the machine could undo the rename. */
static void sync_folder_of(const char *path)
{
	const char *slash = strrchr(path, '/');
	char folder[PATH_MAX];
	int file;

	if (!slash)
		return;
	snprintf(folder, sizeof(folder), "%.*s", (int)(slash + 1 - path), path);
	file = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (file >= 0) {
		fsync(file);
		close(file);
	}
}

/* Gives the old file its other name by a link, so that file->path is never absent. Returns 0, also
 * if there is no old file; or an errno. */
static int keep_previous(const struct file_replacement *file)
{
	if (unlink(file->previous) && errno != ENOENT)
		return errno;
	return link(file->path, file->previous) && errno != ENOENT ? errno : 0;
}

/* The old file keeps its name until the new one is whole and on disk. */
int file_replace(const struct file_replacement *file)
{
	char name[PATH_MAX];
	int status, problem;

	if (snprintf(name, PATH_MAX, "%s.new", file->path) >= PATH_MAX) {
		errno = ENAMETOOLONG;
		return -1;
	}
	status = write_new(name, file->mode, file->piece, file->count);
	if (!status && file->is_abandoned && file->is_abandoned(file->context)) {
		errno = ECANCELED;
		status = -1;
	}
	if (!status && file->previous)
		*file->previous_problem = keep_previous(file);
	if (!status && !rename(name, file->path)) {
		sync_folder_of(file->path);
		return 0;
	}
	problem = errno;
	unlink(name);
	errno = problem;
	return -1;
}
