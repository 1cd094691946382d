/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Collects output in a file without a name, and copies it to a new one beside that to replace. */
#include "cli/out_file.h"

#include "cli/complain.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUFFIX ".XXXXXX"	/* of the new file, as mkstemp() wants it */

/* Sets `folder`, which has room for PATH_MAX bytes, to the folder of the file at `path`, with '/'
 * at its end, or to ".". */
static void set_folder(char *folder, const char *path)
{
	const char *slash = strrchr(path, '/');

	snprintf(folder, PATH_MAX, "%.*s", slash ? (int)(slash - path + 1) : 1, slash ? path : ".");
}

/* Returns whether somebody else may have put this open file or symbolic link in the caller's way:
 * it lies in a folder such as /tmp, and belongs neither to the caller nor to the folder's owner. A
 * file has rights that its owner chose, and keeps them when it is replaced. The kernel follows no
 * such link and writes into no such file either, but only if fs.protected_symlinks and
 * fs.protected_regular are set. */
static bool is_of_stranger(int file, const char *path)
{
	const mode_t shared = S_ISVTX | S_IWOTH;
	char folder[PATH_MAX];
	struct stat own, above;

	set_folder(folder, path);
	if (fstat(file, &own) || stat(folder, &above))
		return true;
	if ((above.st_mode & shared) != shared)
		return false;
	return own.st_uid != geteuid() && own.st_uid != above.st_uid;
}

/* Reads to where the symbolic link at `path` leads. target: room for PATH_MAX bytes; no NUL ends
 * it. Returns the length of the target; 0: there is no link; -1: what is there is a stranger's. */
static ssize_t read_link(const char *path, char *target)
{
	int link = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC);
	ssize_t length;

	if (link < 0)
		return 0;
	length = readlinkat(link, "", target, PATH_MAX);
	if (is_of_stranger(link, path))
		length = -1;
	else if (length < 0)	/* what is there is no link */
		length = 0;
	close(link);
	return length;
}

/* Sets `path`, which has room for PATH_MAX bytes, to the file that `name` leads to by symbolic
 * links. The file need not be there. -1: it, or a link, is a stranger's. */
static int follow_links(const char *name, char *path)
{
	const unsigned most = 40;	/* as the kernel follows */
	char target[PATH_MAX];

	strcpy(path, name);
	for (unsigned i = 0; i < most; i++) {
		const char *slash = strrchr(path, '/');
		size_t folder = slash ? (size_t)(slash + 1 - path) : 0;	/* bytes of its path */
		ssize_t length = read_link(path, target);

		if (length <= 0)
			return (int)length;
		if (*target == '/')	/* it does not begin in the folder of the link */
			folder = 0;
		if (folder + (size_t)length >= PATH_MAX)
			return 0;
		memcpy(path + folder, target, (size_t)length);
		path[folder + (size_t)length] = '\0';
	}
	return 0;
}

/* Checks whether a regular file has this name or can get it, and sets `path`, which has room for
 * PATH_MAX bytes, to the file that the name leads to. Returns 0; or EXIT_WRONG after printing an
 * error. */
static int check_path(const char *option, const char *name, char *path)
{
	char folder[PATH_MAX];
	struct stat old;

	/* "-" would be a file, but looks like standard output */
	if (!*name || !strcmp(name, "-"))
		return complain("--%s: '%s': must be the name of a file", option, name);
	if (strlen(name) >= PATH_MAX)
		return complain("--%s: %s: %s", option, name, strerror(ENAMETOOLONG));
	if (follow_links(name, path))
		return complain("--%s: %s: is another user's, in a folder where everybody may make "
				"files, must be another file", option, name);
	if (!stat(name, &old))
		return S_ISREG(old.st_mode) ? 0 : complain("--%s: %s: is not a regular file, must "
							   "be one or not be there", option, name);
	set_folder(folder, path);
	/* ENOENT of stat(): the file is new, and its folder must be one that may be written */
	if (errno == ENOENT && !access(folder, W_OK))
		return 0;
	return complain("--%s: %s: %s", option, name, strerror(errno));
}

void out_file_check(const char *option, const char *path)
{
	char target[PATH_MAX];

	if (check_path(option, path, target))
		end_told();
}

void out_file_begin(struct out_file *output, const char *option, const char *path)
{
	if (path)
		out_file_check(option, path);
	*output = (struct out_file){ .option = option, .path = path, .stream = tmpfile() };
	if (!output->stream)
		refuse("%s: %s", P_tmpdir, strerror(errno));
}

int copy_stream(FILE *to, FILE *from)
{
	char piece[1 << 16];
	size_t got;

	if (fflush(from) || fseek(from, 0, SEEK_SET))
		return -1;
	while ((got = fread(piece, 1, sizeof(piece), from)))
		fwrite(piece, 1, got, to);
	return ferror(from) || ferror(to) ? -1 : 0;
}

void copy_to_output(FILE *from, const char *what)
{
	if (copy_stream(stdout, from) && !ferror(stdout))
		refuse("%s: %s", what, strerror(errno));
}

int write_all(int file, const char *text, size_t length)
{
	while (length) {
		ssize_t written = write(file, text, length);

		if (written < 0 && errno == EINTR)
			continue;
		if (!written)
			errno = ENOSPC;		/* of a file system that does not say it */
		if (written <= 0)
			return -1;
		text += written;
		length -= (size_t)written;
	}
	return 0;
}

/* Copies the content of a file, from its beginning on, to where `to` stands. -1: errno tells
 * why. */
static int copy_all(int to, int from)
{
	char piece[1 << 16];
	ssize_t got;

	if (lseek(from, 0, SEEK_SET))
		return -1;
	while ((got = read(from, piece, sizeof(piece))) > 0)
		if (write_all(to, piece, (size_t)got))
			return -1;
	return got ? -1 : 0;
}

/* Sets *old to what is at `path`, without following a link. -1: errno tells why; ENOENT: nothing is
 * there; EPERM: it is a stranger's, who has made it since check_path() looked. */
static int look_at(const char *path, struct stat *old)
{
	int opened = open(path, O_PATH | O_NOFOLLOW | O_CLOEXEC), code;

	if (opened < 0)
		return -1;
	code = is_of_stranger(opened, path) ? EPERM : fstat(opened, old) ? errno : 0;
	close(opened);
	errno = code;
	return code ? -1 : 0;
}

/* Gives the file the owner and the group of *old. Returns whether it has the group now. */
static bool give_owner(int file, const struct stat *own, const struct stat *old)
{
	return (own->st_uid == old->st_uid && own->st_gid == old->st_gid) ||
	       !fchown(file, old->st_uid, old->st_gid) ||
	       !fchown(file, (uid_t)-1, old->st_gid);
}

int out_set_rights(int file, const char *path, mode_t new_mode)
{
	mode_t mask = umask(0), mode;	/* umask is only told when it is set */
	struct stat own, old;

	umask(mask);
	if (fstat(file, &own))
		return -1;
	if (look_at(path, &old))	/* a new folder may have the bit of the one above */
		return errno == ENOENT
			       ? fchmod(file, (new_mode & ~mask) | (own.st_mode & S_ISGID)) : -1;
	mode = old.st_mode & (S_ISDIR(old.st_mode) ? 07777 : 0777);
	if (!give_owner(file, &own, &old))	/* the caller's group is among the others */
		mode &= ~(mode_t)S_IRWXG | (mode & S_IRWXO) << 3;
	return fchmod(file, mode);
}

/* Copies `from` into the new file, gives this its rights, and closes it. -1: errno tells why. */
static int fill_new_file(int file, int from, const char *path)
{
	const mode_t new_mode = 0666;	/* as of fopen() */
	int code;

	if (!copy_all(file, from) && !out_set_rights(file, path, new_mode) && !fsync(file))
		return close(file);
	code = errno;
	close(file);
	errno = code;
	return -1;
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

bool out_held_signal_ends(void)
{
	static const int ending[] = { SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGALRM, SIGUSR1,
				      SIGUSR2, SIGXCPU, SIGVTALRM, SIGPROF, SIGIO };
	struct sigaction action;
	sigset_t held;

	sigpending(&held);
	for (size_t i = 0; i < sizeof(ending) / sizeof(*ending); i++)
		if (sigismember(&held, ending[i]) && !sigaction(ending[i], NULL, &action) &&
		    action.sa_handler != SIG_IGN)	/* as of nohup */
			return true;
	return false;
}

/* Writes what the file `from` holds to a new file beside `path`, and renames that to `path`. -1:
 * errno tells why; the new file is removed. */
static int replace_file(int from, const char *path)
{
	char new[PATH_MAX + sizeof(SUFFIX)];
	int file, code;

	snprintf(new, sizeof(new), "%s" SUFFIX, path);
	file = mkstemp(new);
	if (file < 0)
		return -1;
	if (!fill_new_file(file, from, path) && !rename(new, path))
		return 0;
	code = errno;
	unlink(new);
	errno = code;
	return -1;
}

int out_file_copy(int from, const char *option, const char *out_path)
{
	char path[PATH_MAX];
	sigset_t before;
	int failed;

	if (check_path(option, out_path, path))
		return EXIT_WRONG;
	out_hold_signals(&before);
	failed = replace_file(from, path);
	out_release_signals(&before);
	return failed ? complain("--%s: %s: %s", option, out_path, strerror(errno)) : 0;
}

void out_file_publish(struct out_file *output)
{
	errno = 0;
	if (fflush(output->stream) || ferror(output->stream))
		refuse("%s: %s", P_tmpdir, errno ? strerror(errno) : "cannot be written");
	if (output->path && out_file_copy(fileno(output->stream), output->option, output->path))
		end_told();
	if (!output->path)
		copy_to_output(output->stream, P_tmpdir);
	fclose(output->stream);
}
