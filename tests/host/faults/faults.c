/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "faults/faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#define EXPORT __attribute__((visibility("default")))
#define CALLER __builtin_return_address(0)

/* ---- which call fails ---------------------------------------------------------------- */

#define INDEX(call) CALL_##call,
#define NAME(call) #call,
enum call { FAULT_CALLS(INDEX) CALL_COUNT };
static const char *const names[] = { FAULT_CALLS(NAME) };

static const struct { const char *name; int number; } errors[] = {
	{ "EACCES", EACCES }, { "EAGAIN", EAGAIN }, { "EINTR", EINTR }, { "EIO", EIO },
	{ "EMFILE", EMFILE }, { "ENOMEM", ENOMEM }, { "ENOSPC", ENOSPC }, { "EPERM", EPERM },
	{ "EROFS", EROFS }, { "ESTALE", ESTALE }, { "SHORT", SHORT },
	{ "ZERO", ZERO },
};

static enum call failing = CALL_COUNT;
static int reason;
static bool goes_on;
static _Atomic unsigned left;		/* calls until one fails, with that one */
static _Atomic unsigned failed, failed_of_new;
static _Atomic bool was_interrupted;	/* a caller that tries again succeeds */

static void (*_Atomic watch)(const char *call, int file);	/* NULL: nobody watches */

EXPORT fault_watch_function fault_watch;
EXPORT fault_begin_function fault_begin;
EXPORT fault_end_function fault_end;

static void refuse(const char *what)
{
	fprintf(stderr, "faults: %s is not known\n", what);
	abort();
}

static enum call find_call(const char *name)
{
	size_t i = 0;

	while (i < CALL_COUNT && strcmp(names[i], name))
		i++;
	if (i == CALL_COUNT)
		refuse(name);
	return (enum call)i;
}

static int find_error(const char *name)
{
	for (size_t i = 0; i < sizeof(errors) / sizeof(*errors); i++)
		if (!strcmp(errors[i].name, name))
			return errors[i].number;
	refuse(name);
	return 0;
}

void fault_begin(const char *call, int error, unsigned n, int lasts)
{
	reason = error;
	goes_on = lasts;
	failed = failed_of_new = 0;
	left = n;
	failing = find_call(call);
}

void fault_watch(void (*function)(const char *call, int file))
{
	watch = function;
}

unsigned fault_end(unsigned *of_new)
{
	failing = CALL_COUNT;
	*of_new = failed_of_new;
	return failed;
}

static void __attribute__((constructor)) read_environment(void)
{
	const char *text = getenv("FATHOM_FAULT");
	char call[32], error[32];
	unsigned n;

	if (text && sscanf(text, "%31s %31s %u", call, error, &n) == 3)
		fault_begin(call, find_error(error), n, 0);
}

/* ---- whose call it is ---------------------------------------------------------------- */

/* A test's program stands in for slurmctld, and hands on the plugin's call. */
static const struct { const char *object; enum call only; } watched[] = {
	{ "priority_fathom.so", CALL_COUNT }, { "fathom", CALL_COUNT },
	{ "lt-fathom", CALL_COUNT }, { "libfathom.so", CALL_COUNT },
	{ "libsqlite3.so", CALL_COUNT }, { "test_", CALL_pthread_create },
	{ "lt-test_", CALL_pthread_create },
};

static bool is_fathoms(const void *caller, enum call call)
{
	const char *slash;
	Dl_info found;

	if (!dladdr(caller, &found) || !found.dli_fname)
		return false;
	slash = strrchr(found.dli_fname, '/');
	slash = slash ? slash + 1 : found.dli_fname;
	for (size_t i = 0; i < sizeof(watched) / sizeof(*watched); i++)
		if (!strncmp(slash, watched[i].object, strlen(watched[i].object)) &&
		    (watched[i].only == CALL_COUNT || watched[i].only == call))
			return true;
	return false;
}

/* For a shell, which starts the command and cannot ask. */
static void note_in_file(void)
{
	const char *folder = getenv("FATHOM_FAULT_DONE");
	char path[4096];
	FILE *file;

	if (!folder)
		return;
	snprintf(path, sizeof(path), "%s/fathom-faults.done", folder);
	file = fopen(path, "we");
	if (file)
		fclose(file);
}

static void tell_watch(enum call call, int file, const void *caller)
{
	void (*told)(const char *, int) = watch;	/* which another thread may end */
	int before = errno;

	if (told && is_fathoms(caller, call))
		told(names[call], file);
	errno = before;
}

/* Is it this one that fails? */
static bool is_next(enum call call, const void *caller)
{
	unsigned before;

	if (call != failing || !is_fathoms(caller, call))
		return false;
	before = left ? left-- : 0;
	if (before > 1 || (!before && !goes_on))
		return false;
	if (!before && reason == EINTR && (was_interrupted = !was_interrupted))
		return false;
	failed++;
	note_in_file();
	return true;
}

static bool is_new(int file)
{
	static const char end[] = ".new";
	char link[64], path[4096];
	ssize_t length;

	snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
	length = readlink(link, path, sizeof(path));
	return length >= (ssize_t)strlen(end) &&
	       !memcmp(path + length - strlen(end), end, strlen(end));
}

/* Does this one of an open file fail? With errno, then. file: -1: it is of no open file. */
static bool fails_of(enum call call, int file, const void *caller)
{
	tell_watch(call, file, caller);
	if (!is_next(call, caller))
		return false;
	failed_of_new += file >= 0 && is_new(file);
	errno = reason;
	return true;
}

static bool fails(enum call call, const void *caller)
{
	return fails_of(call, -1, caller);
}

/* The function of the C library, or of a sanitizer before it. */
static void *next_of(const char *name)
{
	void *next = dlsym(RTLD_NEXT, name);

	if (!next)
		refuse(name);
	return next;
}

/* ---- memory ---------------------------------------------------------------------------- */

#ifndef SANITIZED
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

EXPORT void *malloc(size_t size)
{
	return fails(CALL_malloc, CALLER) ? NULL : __libc_malloc(size);
}

EXPORT void *calloc(size_t count, size_t size)
{
	return fails(CALL_malloc, CALLER) ? NULL : __libc_calloc(count, size);
}

EXPORT void *realloc(void *memory, size_t size)
{
	return fails(CALL_malloc, CALLER) ? NULL : __libc_realloc(memory, size);
}
#endif

/* ---- files ---------------------------------------------------------------------------- */

/* The last argument of open() is read also where the caller gives none; then nobody looks at it. */
#define DEFINE_OPEN(call)                                                                       \
	EXPORT int call(const char *path, int flags, ...)                                       \
	{                                                                                       \
		int (*next)(const char *path, int flags, ...) = next_of(#call);                 \
		va_list rest;                                                                   \
		mode_t mode;                                                                    \
												\
		va_start(rest, flags);                                                          \
		mode = va_arg(rest, mode_t);                                                    \
		va_end(rest);                                                                   \
		return fails(CALL_open, CALLER) ? -1 : next(path, flags, mode);                 \
	}
DEFINE_OPEN(open)
DEFINE_OPEN(open64)

EXPORT int openat(int folder, const char *path, int flags, ...)
{
	int (*next)(int folder, const char *path, int flags, ...) = next_of("openat");
	va_list rest;
	mode_t mode;

	va_start(rest, flags);
	mode = va_arg(rest, mode_t);
	va_end(rest);
	return fails(CALL_open, CALLER) ? -1 : next(folder, path, flags, mode);
}

/* A function of the parameters, by their names, that returns `wrong` if it fails. */
#define DEFINE_BY(fails, type, wrong, call, parameters, arguments)                              \
	EXPORT type call parameters                                                             \
	{                                                                                       \
		type (*next) parameters = next_of(#call);                                       \
												\
		return fails ? wrong : next arguments;                                          \
	}
#define DEFINE(group, type, wrong, call, parameters, arguments)                                 \
	DEFINE_BY(fails(CALL_##group, CALLER), type, wrong, call, parameters, arguments)
/* what open() becomes under _FORTIFY_SOURCE */
DEFINE(open, int, -1, __open_2, (const char *path, int flags), (path, flags))
DEFINE(open, int, -1, __open64_2, (const char *path, int flags), (path, flags))
DEFINE(open, int, -1, mkstemp, (char *path), (path))
DEFINE(open, char *, NULL, mkdtemp, (char *path), (path))
DEFINE(open, int, -1, mkdir, (const char *path, mode_t mode), (path, mode))
DEFINE(open, FILE *, NULL, tmpfile, (void), ())
DEFINE(open, FILE *, NULL, fopen, (const char *path, const char *mode), (path, mode))
DEFINE_BY(fails_of(CALL_fsync, file, CALLER), int, -1, fsync, (int file), (file))
DEFINE_BY(fails_of(CALL_fsync, file, CALLER), int, -1, fdatasync, (int file), (file))
DEFINE(rename, int, -1, rename, (const char *from, const char *to), (from, to))
DEFINE(link, int, -1, link, (const char *from, const char *to), (from, to))
DEFINE(unlink, int, -1, unlink, (const char *path), (path))
DEFINE(unlink, int, -1, unlinkat, (int folder, const char *path, int flags),
       (folder, path, flags))
DEFINE(stat, int, -1, access, (const char *path, int mode), (path, mode))
DEFINE(stat, int, -1, stat, (const char *path, struct stat *status), (path, status))
DEFINE(stat, int, -1, stat64, (const char *path, struct stat64 *status), (path, status))
DEFINE(stat, int, -1, lstat64, (const char *path, struct stat64 *status), (path, status))
DEFINE_BY(fails_of(CALL_stat, file, CALLER), int, -1, fstat, (int file, struct stat *status),
	  (file, status))
DEFINE_BY(fails_of(CALL_stat, file, CALLER), int, -1, fstat64, (int file, struct stat64 *status),
	  (file, status))
DEFINE_BY(fails_of(CALL_chmod, file, CALLER), int, -1, fchmod, (int file, mode_t mode),
	  (file, mode))
DEFINE(watch, int, -1, inotify_init1, (int flags), (flags))
DEFINE(watch, int, -1, inotify_add_watch, (int file, const char *path, uint32_t mask),
       (file, path, mask))
DEFINE(mmap, void *, MAP_FAILED, mmap,
       (void *at, size_t length, int protection, int flags, int file, off_t offset),
       (at, length, protection, flags, file, offset))
DEFINE(mmap, void *, MAP_FAILED, mmap64,
       (void *at, size_t length, int protection, int flags, int file, off64_t offset),
       (at, length, protection, flags, file, offset))

/* The last argument is read as that of open() is. */
EXPORT int fcntl64(int file, int command, ...)
{
	int (*next)(int file, int command, ...) = next_of("fcntl64");
	bool is_lock = command == F_SETLK || command == F_SETLKW || command == F_GETLK;
	va_list rest;
	void *last;

	va_start(rest, command);
	last = va_arg(rest, void *);
	va_end(rest);
	return is_lock && fails_of(CALL_lock, file, CALLER) ? -1 : next(file, command, last);
}

/* The file is closed all the same, as on a file server that tells its errors late. */
EXPORT int close(int file)
{
	int (*next)(int file) = next_of("close");
	bool is_failing = fails_of(CALL_close, file, CALLER);
	int status = next(file);

	if (!is_failing)
		return status;
	errno = reason;
	return -1;
}

/* inotify's files have no type. */
static enum call read_of(int file)
{
	struct stat status;

	return !fstat(file, &status) && !(status.st_mode & S_IFMT) ? CALL_inotify : CALL_read;
}

/* A call that may do less than it is asked for. */
#define DEFINE_PART(group, call, parameters, arguments)                                         \
	EXPORT ssize_t call parameters                                                          \
	{                                                                                       \
		ssize_t (*next) parameters = next_of(#call);                                    \
												\
		if (!fails_of(group, file, CALLER))                                             \
			return next arguments;                                                  \
		if (reason != SHORT)                                                            \
			return reason == ZERO ? 0 : -1;                                         \
		length = (length + 1) / 2;                                                      \
		return next arguments;                                                          \
	}
DEFINE_PART(read_of(file), read, (int file, void *data, size_t length), (file, data, length))
DEFINE_PART(CALL_read, pread, (int file, void *data, size_t length, off_t at),
	    (file, data, length, at))
DEFINE_PART(CALL_read, pread64, (int file, void *data, size_t length, off64_t at),
	    (file, data, length, at))
DEFINE_PART(CALL_write, write, (int file, const void *data, size_t length), (file, data, length))
DEFINE_PART(CALL_write, pwrite, (int file, const void *data, size_t length, off_t at),
	    (file, data, length, at))
DEFINE_PART(CALL_write, pwrite64, (int file, const void *data, size_t length, off64_t at),
	    (file, data, length, at))

/* ---- threads and libraries -------------------------------------------------------------- */

/* Returns the error, and leaves errno as it is. */
EXPORT int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
			  void *(*run)(void *), void *restrict argument)
{
	int (*next)(pthread_t *thread, const pthread_attr_t *attributes, void *(*run)(void *),
		    void *argument) = next_of("pthread_create");
	int before = errno;

	if (!fails(CALL_pthread_create, CALLER))
		return next(thread, attributes, run, argument);
	errno = before;
	return reason;
}

/* So that dlerror() tells. */
EXPORT void *dlopen(const char *path, int flags)
{
	void *(*next)(const char *path, int flags) = next_of("dlopen");

	return next(fails(CALL_dlopen, CALLER) ? "/fault" : path, flags);
}
