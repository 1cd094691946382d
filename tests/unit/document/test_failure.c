/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A failure gets to the innermost place that waits for it. */
#include "../unit.h"

#include "document/document.h"
#include "memory/need_memory.h"

#include <sys/stat.h>
#include <unistd.h>

static void fail_at_line(void *context)
{
	struct document document = document_of("file", piece_of(context));

	wrong_at(&document, 3, "%s is wrong", document.text);
}

static void fail_by_error(void *code)
{
	struct fathom_error error = { .code = *(int *)code, .text = "as it is" };

	wrong_by(NULL, 0, &error);
}

/* Fails again after a failure within. */
static void fail_twice(void *context)
{
	struct failure inner;

	ck_assert_int_eq(document_try(fail_at_line, context, &inner), -1);
	ck_assert_int_eq((int)inner.line, 3);
	wrong_at(NULL, 0, "outer");
}

static void succeed(void *context)
{
	*(int *)context = 1;
}

TEST(a_failure_tells_document_line_and_text)
{
	struct failure failure;

	ck_assert_int_eq(document_try(fail_at_line, (void *)"this", &failure), -1);
	ck_assert_str_eq(failure.name, "file");
	ck_assert_uint_eq(failure.line, 3);
	ck_assert_int_eq(failure.error.code, EINVAL);
	ck_assert_str_eq(failure.error.text, "this is wrong");
}

static int undone;

static void undo(void)
{
	undone++;
}

/* Fails behind an inner failure, which must not undo what the outer one does. */
static void fail_with_undo(void *context)
{
	struct failure inner;

	document_undo(undo);
	ck_assert_int_eq(document_try(fail_at_line, context, &inner), -1);
	ck_assert_int_eq(undone, 0);
	wrong_at(NULL, 0, "outer");
}

TEST(a_failure_undoes_what_its_try_has_begun)
{
	struct failure failure;

	ck_assert_int_eq(document_try(fail_with_undo, (void *)"this", &failure), -1);
	ck_assert_int_eq(undone, 1);
}

TEST(tries_stand_within_each_other)
{
	struct failure failure;
	int done = 0;

	ck_assert_int_eq(document_try(fail_twice, (void *)"this", &failure), -1);
	ck_assert_str_eq(failure.error.text, "outer");
	ck_assert_ptr_null(failure.name);
	ck_assert_int_eq(document_try(succeed, &done, &failure), 0);
	ck_assert_int_eq(done, 1);
}

TEST(errors_of_calls_keep_their_code)
{
	struct failure failure;
	int code = ENOENT;

	ck_assert_int_eq(document_try(fail_by_error, &code, &failure), -1);
	ck_assert_int_eq(failure.error.code, ENOENT);
	ck_assert_str_eq(failure.error.text, "as it is");
}

/* Opening a pipe would wait for its writer. */
TEST(a_file_that_a_configuration_names_must_be_a_regular_one)
{
	char folder[] = "/tmp/fathom-test.XXXXXX";
	struct document document;
	struct fathom_error error;
	const char *path;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	path = need_print("%s/pipe", folder);
	ck_assert(!mkfifo(path, 0600));
	ck_assert_int_eq(document_load_regular(&document, path, &error), -1);
	unlink(path);
	rmdir(folder);
	ck_assert_int_eq(error.code, EINVAL);
	ck_assert_str_eq(error.text, "is no regular file");
}

TEST_EXIT(lack_of_memory_ends_the_process, 2)
{
	struct failure failure;
	int code = ENOMEM;

	document_try(fail_by_error, &code, &failure);
}

TEST_EXIT(a_failure_that_nobody_waits_for_ends_the_process, 2)
{
	wrong_at(NULL, 0, "nobody waits");
}
