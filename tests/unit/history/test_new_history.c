/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A new history without what it is made for is removed, unless it is another process's. */
#include "../../suite.h"
#include "core/error.h"
#include "history/history.h"

#include <fcntl.h>
#include <sys/stat.h>

static char folder[] = "/tmp/fathom-unit-XXXXXX";
static char path[64], target[64];
static struct history *other;	/* of the process that makes the file first; NULL: there is none */
static bool is_raced;		/* the other process makes the file behind access() */

static void make_folder(void)
{
	strcpy(strrchr(folder, '-'), "-XXXXXX");
	ck_assert_ptr_nonnull(mkdtemp(folder));
	snprintf(path, sizeof(path), "%s/history", folder);
	snprintf(target, sizeof(target), "%s/target", folder);
}

static void remove_folder(void)
{
	unlink(path);
	unlink(target);
	ck_assert_int_eq(rmdir(folder), 0);
}

TEST_FIXTURE(make_folder, remove_folder)

static struct history *open_new(void)
{
	const bool may_write = true;
	struct fathom_error error;

	return history_open(path, may_write, 0, &error);
}

/* In place of that of the C library: another process makes the file behind it. */
int access(const char *name, int mode)
{
	int status = faccessat(AT_FDCWD, name, mode, 0);

	if (is_raced && !strcmp(name, path)) {
		is_raced = false;
		other = open_new();
		ck_assert_ptr_nonnull(other);
	}
	return status;
}

static bool is_there(const char *name)
{
	struct stat status;

	return !lstat(name, &status);
}

TEST(another_process_keeps_the_file_that_it_writes)
{
	struct fathom_error error;

	is_raced = true;
	ck_assert_ptr_null(open_new());		/* the other one has the lock */
	ck_assert(is_there(path));
	ck_assert_int_eq(history_commit(other, &error), 0);
	history_close(other);
	ck_assert(is_there(path));
}

TEST(another_process_removes_the_file_that_it_made)
{
	is_raced = true;
	ck_assert_ptr_null(open_new());
	history_close(other);
	ck_assert(!is_there(path));
}

TEST(a_new_file_behind_a_link_is_removed)
{
	ck_assert_int_eq(symlink("target", path), 0);
	history_close(open_new());
	ck_assert(is_there(path));
	ck_assert(!is_there(target));
}
