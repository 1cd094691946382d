/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the log says of FiguresFile, and that no file stays open. */
#include "scenario/two_users.h"

#include <dirent.h>
#include <sys/stat.h>

/* ---- folders that readers cannot enter ------------------------------------------------ */

static char folder[256];

/* Makes the folder of the test, and opens those above it that are the host's. */
static void make_folder(mode_t mode)
{
	char above[256];

	snprintf(above, sizeof(above), "%s", host_folder());
	ck_assert(!chmod(above, 0711));
	*strrchr(above, '/') = '\0';
	ck_assert(!chmod(above, 0711));
	snprintf(folder, sizeof(folder), "%s/figures", host_folder());
	ck_assert(!mkdir(folder, 0700) && !chmod(folder, mode));
}

/* As TMPDIR may lie in a folder that is closed. */
static bool can_be_entered(char *path)
{
	struct stat status;

	for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
		*slash = '\0';
		if (stat(path, &status) || !(status.st_mode & S_IXOTH))
			return false;
		*slash = '/';
	}
	return true;
}

static const struct { mode_t of_folder; const char *of_file; bool warns; } modes[] = {
	{ 0700, "0644", true }, { 0710, "0644", true }, { 0701, "0644", false },
	{ 0711, "0644", false }, { 0700, "0640", true }, { 0710, "0640", false },
	{ 0701, "0640", false }, { 0700, "0604", true }, { 0710, "0604", true },
	{ 0701, "0604", false }, { 0700, "0600", false },
};

TEST_EACH(log_warns_once_of_a_folder_that_readers_cannot_enter, modes)
{
	char conf[512], path[256], says[1024];

	two_users_grow("");
	host_passed_at(host_now());
	two_users_open();
	make_folder(modes[_i].of_folder);
	snprintf(path, sizeof(path), "%s", folder);
	if (!can_be_entered(path))
		return;
	snprintf(conf, sizeof(conf), "FiguresFile=%s/fathom.json FiguresMode=%s", folder,
		 modes[_i].of_file);
	snprintf(says, sizeof(says), "others may read FiguresFile %s/fathom.json, but not enter "
		 "%s;", folder, folder);
	two_users_load(conf);
	host_pass();
	ck_assert_uint_eq(logged(says), modes[_i].warns);
	ck_assert_uint_eq(logged("but not enter"), modes[_i].warns);
	reconfigure(conf);
	ck_assert_uint_eq(logged(says), 2 * modes[_i].warns);
}

/* ---- what cannot be written ----------------------------------------------------------- */

static const char *const kinds[] = { "FiguresFile=fathom.json", "UsageFile=fathom.json" };

TEST_EACH(log_tells_once_what_is_not_written_and_once_that_it_is_again, kinds)
{
	const char *path;

	two_users_grow("");
	host_passed_at(host_now());
	two_users_open();
	path = in_folder("fathom.json");
	write_file("fathom.json", "something else");
	two_users_load(kinds[_i]);
	host_pass();
	ck_assert_uint_eq(logged("fathom.json: it exists, and is a file of another kind; it "
				 "stays as it was"), 1);
	ck_assert_uint_eq(logged("is written again"), 0);
	ck_assert(!unlink(path));
	host_pass();
	host_pass();
	ck_assert_uint_eq(logged("fathom.json is written again"), 1);
	ck_assert_uint_eq(logged("stays as it was"), 1);
	ck_assert(!unlink(path) && !mkdir(path, 0700));
	host_pass();
	host_pass();
	ck_assert_uint_eq(logged("it stays as it was"), 2);
	ck_assert(!rmdir(path));
	host_pass();
	ck_assert_uint_eq(logged("fathom.json is written again"), 2);
	ck_assert(!unlink(path) && !symlink("fathom.json", path));
	host_pass();
	ck_assert_uint_eq(logged("Too many levels of symbolic links; it stays as it was"), 1);
}

/* Such as another user's file in a folder like /tmp. */
TEST_EACH(log_names_what_is_in_the_way_of_the_new_file, kinds)
{
	two_users("", kinds[_i]);
	host_pass();
	ck_assert(!mkdir(in_folder("fathom.json.new"), 0700));
	host_pass();
	host_pass();
	ck_assert_uint_eq(logged("fathom.json: what has this name with .new behind it cannot be "
				 "removed; it stays as it was"), 1);
	ck_assert_uint_eq(logged("stays as it was"), 1);
	ck_assert(!rmdir(in_folder("fathom.json.new")));
	host_pass();
	ck_assert_uint_eq(logged("fathom.json is written again"), 1);
}

/* ---- open files ----------------------------------------------------------------------- */

static unsigned open_files(void)
{
	DIR *files = opendir("/proc/self/fd");
	unsigned count = 0;

	ck_assert_ptr_nonnull(files);
	while (readdir(files))
		count++;
	closedir(files);
	return count;
}

static const char *const confs[] = {
	"", "FiguresFile=fathom.json", "Formula=\"1 +\"", "FiguresFile=other",
	"FiguresFile=nowhere/fathom.json", "FiguresFile=folder",
};

/* Some of what is written and read fails, too. */
TEST(no_file_stays_open)
{
	unsigned before;

	two_users("", "FiguresFile=fathom.json");
	write_file("other", "{ \"format\": 5 }");
	ck_assert(!mkdir(in_folder("folder"), 0700));
	host_pass();
	before = open_files();
	for (size_t i = 0; i < 3 * COUNT(confs); i++) {
		reconfigure(confs[i % COUNT(confs)]);
		use(anna, gpu, 1, 100);
		host_pass();
	}
	host_pass();
	ck_assert_uint_eq(open_files(), before);
	ck_assert(!rmdir(in_folder("folder")));
}
