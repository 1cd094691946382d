/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Signals that end the process while a file or a folder is written. */
#include "../unit.h"
#include "cli/convert/out_folder.h"
#include "cli/out_file.h"
#include "format/site/site_folder.h"

#include <dirent.h>
#include <signal.h>
#include <sys/wait.h>

static int raised;	/* while a new file is written */

/* in place of the C library's */
int fsync(int file)
{
	(void)file;
	return raise(raised);
}

static void publish_file(void)
{
	struct out_file output;

	out_file_begin(&output, "out", "out");
	fputs("whole", output.stream);
	out_file_publish(&output);
}

static void publish_folder(void)
{
	char text[] = "whole";
	struct site_text file[] = { { .name = "first", .text = text, .length = 5 },
				    { .name = "second", .text = text, .length = 5 } };
	struct site_folder folder = { .count = 2 };

	memcpy(folder.file, file, sizeof(file));
	out_folder_publish("out", &folder);
}

static void (*const publish[])(void) = { publish_file, publish_folder };
static const int signals[] = { SIGINT, SIGTERM, SIGHUP };

/* Publishes in a process of its own, and returns how that has ended. */
static int status_of(const char *folder, void (*publish_it)(void))
{
	pid_t child = fork();
	int status;

	ck_assert_int_ge(child, 0);
	if (!child) {
		signal(raised, SIG_DFL);	/* the suite has its own ideas */
		if (!chdir(folder))
			publish_it();
		_exit(0);
	}
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	return status;
}

static size_t count_entries(const char *path)
{
	DIR *folder = opendir(path);
	struct dirent *entry;
	size_t count = 0;

	ck_assert_ptr_nonnull(folder);
	while ((entry = readdir(folder)))
		count += entry->d_name[0] != '.';
	closedir(folder);
	return count;
}

TEST_LOOP(a_signal_ends_the_process_when_all_has_its_name, 2 * COUNT(signals))
{
	char folder[] = "/tmp/fathom-test.XXXXXX", path[64], command[64];
	int status;

	ck_assert_ptr_nonnull(mkdtemp(folder));
	raised = signals[_i / 2];
	status = status_of(folder, publish[_i % 2]);
	snprintf(path, sizeof(path), "%s/out", folder);
	ck_assert(WIFSIGNALED(status));
	ck_assert_int_eq(WTERMSIG(status), raised);
	ck_assert_uint_eq(count_entries(folder), 1);
	ck_assert_int_eq(access(path, R_OK), 0);
	if (_i % 2)
		ck_assert_uint_eq(count_entries(path), 2);
	snprintf(command, sizeof(command), "rm -r %s", folder);
	ck_assert_int_eq(system(command), 0);
}
