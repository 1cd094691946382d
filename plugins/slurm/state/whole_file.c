/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "state/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

/* Reads until the end of the file, at most `length` bytes. -1: errno tells why. */
static int read_all(int file, char *data, size_t length, size_t *got)
{
	ssize_t count = 1;

	for (*got = 0; count && *got < length; *got += count > 0 ? (size_t)count : 0) {
		count = read(file, data + *got, length - *got);
		if (count < 0 && errno != EINTR)
			return -1;
	}
	return 0;
}

static int read_open(struct whole_file *file, int number, size_t most)
{
	if (fstat(number, &file->status))
		return -1;
	if (S_ISREG(file->status.st_mode) && (uint64_t)file->status.st_size > most) {
		errno = EFBIG;
		return -1;
	}
	file->data = malloc((size_t)file->status.st_size + 1);
	if (!file->data)
		return -1;
	if (S_ISREG(file->status.st_mode) &&
	    read_all(number, file->data, (size_t)file->status.st_size, &file->length))
		return -1;
	file->data[file->length] = '\0';
	return 0;
}

int whole_file_read(struct whole_file *file, const char *path, int flags, size_t most)
{
	int number = open(path, O_RDONLY | O_CLOEXEC | flags), status, problem;

	*file = (struct whole_file){ NULL };
	if (number < 0)
		return -1;
	status = read_open(file, number, most);
	problem = errno;
	if (status) {
		free(file->data);
		file->data = NULL;
	}
	close(number);
	errno = problem;
	return status;
}

bool whole_file_problem_passes(int problem)
{
	static const int passing[] = { EIO, ENOMEM, EMFILE, ENFILE, ESTALE, EINTR };

	for (size_t i = 0; i < sizeof(passing) / sizeof(*passing); i++)
		if (problem == passing[i])
			return true;
	return false;
}

uint64_t whole_file_hash(const struct whole_file *file)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);	/* FNV-1a */

	for (size_t i = 0; i < file->length; i++)
		hash = (hash ^ (unsigned char)file->data[i]) * UINT64_C(0x100000001b3);
	hash ^= hash >> 29;
	return hash ? hash : 1;
}
