/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects output in memory, and writes it to a new file beside the one to replace. */
#include "cli/out_file.h"

#include "cli/complain.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".XXXXXX"	/* of the new file, as mkstemp() wants it */

int out_file_begin(struct out_file *output, const char *path)
{
	*output = (struct out_file){ .path = path };
	output->stream = open_memstream(&output->text, &output->length);
	return output->stream ? 0 : complain("out of memory");
}

void out_file_discard(struct out_file *output)
{
	if (output->stream)
		fclose(output->stream);
	free(output->text);
	memset(output, 0, sizeof(*output));
}

static int write_all(int file, const char *text, size_t length)
{
	while (length) {
		ssize_t written = write(file, text, length);

		if (written < 0 && errno != EINTR)
			return -1;
		if (written < 0)
			continue;
		text += written;
		length -= (size_t)written;
	}
	return 0;
}

/* The new file gets the rights of the old one, or those of any new file. */
static int set_rights(int file, const char *path)
{
	struct stat old;
	mode_t mask = umask(0);

	umask(mask);
	return fchmod(file, stat(path, &old) ? 0666 & ~mask : old.st_mode & 0777);
}

static int fill_new_file(int file, const struct out_file *output, const char *path)
{
	if (write_all(file, output->text, output->length) || set_rights(file, path) ||
	    fsync(file)) {
		int code = errno;

		close(file);
		errno = code;
		return -1;
	}
	return close(file);
}

void out_hold_signals(sigset_t *before)
{
	sigset_t all;

	sigfillset(&all);
	pthread_sigmask(SIG_BLOCK, &all, before);
}

void out_release_signals(const sigset_t *before)
{
	pthread_sigmask(SIG_SETMASK, before, NULL);
}

/* Writes a new file beside `path` and renames it to `path`. -1: errno tells why; there is no new
 * file. */
static int replace(const struct out_file *output, const char *path)
{
	char new[PATH_MAX + sizeof(SUFFIX)];
	int file, code;

	snprintf(new, sizeof(new), "%s" SUFFIX, path);
	file = mkstemp(new);
	if (file < 0)
		return -1;
	if (!fill_new_file(file, output, path) && !rename(new, path))
		return 0;
	code = errno;
	unlink(new);
	errno = code;
	return -1;
}

static int publish_file(const struct out_file *output)
{
	char path[PATH_MAX];
	struct stat old;
	sigset_t before;
	int failed;

	if (strlen(output->path) >= sizeof(path))
		return complain("%s: %s", output->path, strerror(ENAMETOOLONG));
	strcpy(path, output->path);
	if (!stat(output->path, &old)) {
		if (!S_ISREG(old.st_mode))
			return complain("--out: %s is not a regular file; leave it away to "
					"write to standard output", output->path);
		if (!realpath(output->path, path))
			return complain("%s: %s", output->path, strerror(errno));
	}
	out_hold_signals(&before);
	failed = replace(output, path);
	out_release_signals(&before);
	return failed ? complain("%s: %s", output->path, strerror(errno)) : 0;
}

int out_file_publish(struct out_file *output)
{
	int status = 0;

	if (fclose(output->stream))
		status = complain("out of memory");
	else if (output->path)
		status = publish_file(output);
	else
		fwrite(output->text, 1, output->length, stdout);	/* finish_output() checks */
	output->stream = NULL;
	out_file_discard(output);
	return status;
}
