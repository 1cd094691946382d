/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/text_file.h"

#include "base/files.h"
#include "base/log.h"

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BEGIN_MOST 64	/* bytes that file->begin may have */

/* Writes the text, and closes `out`. Another plugin may have set a locale with a decimal comma; the
 * formats need a point, as in the locale `c`. Returns 0; or another value, and errno says why. */
static int put_text(const struct text_file *file, FILE *out, locale_t c)
{
	locale_t before = uselocale(c);
	int status = file->put(out, file->context) || ferror(out);

	status |= fclose(out);
	uselocale(before);
	return status;
}

/* Returns the text, which the caller frees, and sets *size. The text is made in memory and not
 * written to a stream of the file: exit() flushes all streams, and would hang with a disk that
 * hangs. NULL: errno says why. */
static char *make_text(const struct text_file *file, size_t *size)
{
	locale_t c = newlocale(LC_ALL_MASK, "C", (locale_t)0);
	char *text = NULL;
	FILE *out = c ? open_memstream(&text, size) : NULL;

	if (out && put_text(file, out, c)) {
		free(text);
		text = NULL;
	}
	if (c)
		freelocale(c);
	return text;
}

/* Takes those permissions off the present file that `mode` does not have: at once, as writing the
 * new file, which will have this mode, may fail. */
static void restrict_mode(int file, mode_t mode)
{
	struct stat status;

	if (!fstat(file, &status))
		fchmod(file, status.st_mode & mode);
}

/* Checks that an open file begins with this text. Returns 0 or an errno; EEXIST: it does not, or is
 * not a regular file. */
static int check_begin(int file, const char *begin)
{
	char found[BEGIN_MOST];
	size_t wanted = strlen(begin), length;
	struct stat status;

	if (fstat(file, &status))
		return errno;
	if (!S_ISREG(status.st_mode))
		return EEXIST;
	if (file_read(file, found, wanted, &length))
		return errno;
	return length == wanted && !memcmp(found, begin, wanted) ? 0 : EEXIST;
}

/* Checks that there is no file, or one of this kind: by mistake, the path may be that of
 * slurmctld's own state. Returns 0; or -1, and errno says why. */
static int check_replaceable(const struct text_file *text)
{
	int file = open(text->path, O_RDONLY | O_NONBLOCK | O_CLOEXEC), problem;

	if (file < 0)
		return errno == ENOENT ? 0 : -1;
	problem = check_begin(file, text->begin);
	if (!problem)
		restrict_mode(file, text->mode);
	close(file);
	errno = problem;
	return problem ? -1 : 0;
}

int text_file_replace(const struct text_file *file)
{
	struct iovec text = { NULL, 0 };
	const struct file_replacement replacement = {
		.path = file->path, .mode = file->mode, .piece = &text, .count = 1,
		.is_abandoned = background_is_abandoned, .context = file->background,
	};
	int problem;

	if (!check_replaceable(file))
		text.iov_base = make_text(file, &text.iov_len);
	problem = !text.iov_base ? errno : 0;
	if (!problem && file_replace(&replacement))
		problem = errno == EEXIST ? ENOTUNIQ : errno;
	free(text.iov_base);
	return problem;
}

/* Returns the text of a problem, see text_file_log(). */
static const char *problem_text(int problem)
{
	if (problem == EEXIST)
		return "it exists, and is a file of another kind";
	if (problem == EALREADY)
		return "the previous write has not ended";
	if (problem == ENOTUNIQ)
		return "what has this name with .new behind it cannot be removed";
	return strerror(problem);
}

void text_file_log(int *logged, const char *key, const char *path, int problem)
{
	if (problem && problem != *logged)
		error(LOG_PREFIX "cannot write %s %s: %s; it stays as it was", key, path,
		      problem_text(problem));
	else if (!problem && *logged)
		info(LOG_PREFIX "%s %s is written again", key, path);
	*logged = problem;
}
