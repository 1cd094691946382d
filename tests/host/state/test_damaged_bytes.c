/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Every byte of the state file is changed, the file is cut at every length, and it grows to
 * terabytes: each time usage is right, as it comes from the file before; the damaged file is kept
 * aside, and the log says both.
 */
#include "scenario/crash.h"
#include "scenario/two_users.h"

#include <string.h>
#include <unistd.h>

#define MOST (1 << 16)	/* bytes of a file */

struct kept {
	const char *name;
	char data[MOST];
	size_t length;
};

static struct kept state = { .name = "fathom_usage" }, before = { .name = "fathom_usage.old" },
		   multifactors = { .name = "priority_last_decay_ran" };

/* Nothing is kept of a file that is not there. */
static void keep(struct kept *kept)
{
	FILE *file = fopen(in_folder(kept->name), "r");

	if (!file)
		return;
	kept->length = fread(kept->data, 1, MOST, file);
	ck_assert_uint_lt(kept->length, MOST);
	fclose(file);
}

/* A file that is longer than what was kept has zeros behind it, which take no room on disk. */
static void put(const struct kept *kept, size_t length)
{
	FILE *file;

	unlink(in_folder(kept->name));
	if (!kept->length)
		return;
	file = fopen(in_folder(kept->name), "w");
	ck_assert_ptr_nonnull(file);
	fwrite(kept->data, 1, MIN(length, kept->length), file);
	fclose(file);
	ck_assert(!truncate(in_folder(kept->name), (off_t)length));
}

/* bert's job ends after the save before the last one: then it is charged from its record. */
static void open_cluster(void)
{
	two_users("", "");
	use(anna, gpu, 1, 1000);
	host_pass();
	use(bert, gpu, 2, 500);
	host_pass();
	keep(&state);
	keep(&before);
	keep(&multifactors);
	ck_assert_uint_gt(state.length, 0);
	ck_assert_uint_gt(before.length, 0);
}

/* Lets slurmctld start with this many bytes of the state. is_damaged: they are not those that the
 * plugin has saved. */
static void start_with(size_t length, bool is_damaged)
{
	crash();
	put(&state, length);
	put(&before, before.length);
	put(&multifactors, multifactors.length);
	unlink(in_folder("fathom_usage.damaged"));
	host_load(FATHOM_PLUGIN);
	ck_assert_double_eq_tol(usage_of(anna), 1000, 1e-9);
	ck_assert_double_eq_tol(usage_of(bert), 1000, 1e-9);
	ck_assert(exists("fathom_usage.damaged") == is_damaged);
	ck_assert_uint_eq(logged("usage from the previous state file"), is_damaged);
	ck_assert(!ftruncate(STDERR_FILENO, 0) && !lseek(STDERR_FILENO, 0, SEEK_SET));
}

TEST(state_that_is_whole_is_used)
{
	open_cluster();
	start_with(state.length, false);
}

TEST(changed_byte_is_noticed)
{
	open_cluster();
	for (size_t i = 0; i < state.length; i++) {
		char change = i % 2 ? '\x01' : '\xff';

		state.data[i] ^= change;
		start_with(state.length, true);
		state.data[i] ^= change;
	}
}

TEST(file_that_is_cut_is_noticed)
{
	open_cluster();
	for (size_t length = 0; length < state.length; length++)
		start_with(length, true);
}

/* Nobody has the memory for it. */
TEST(file_of_terabytes_is_not_read)
{
	open_cluster();
	start_with((size_t)1 << 42, true);
	crash();
	ck_assert(!truncate(in_folder(multifactors.name), (off_t)1 << 42));
	host_load(FATHOM_PLUGIN);
	ck_assert_double_eq_tol(usage_of(anna), 1000, 1e-9);
	ck_assert_uint_eq(logged("it has 4398046511104 bytes, must have 16"), 1);
}
