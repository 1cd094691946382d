/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The power goes off at each system call of a save: what was not synced is lost, and of a folder
 * that was not synced the names are as before or as they are, as a file system may have it.
 * slurmctld starts again with what is left on the disk, and usage is right to the second.
 */
#include "faults/faults.h"
#include "faults/preload.h"
#include "scenario/crash.h"
#include "scenario/two_users.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_FILES 16
#define MOST_CONTENTS 64
#define MOST_BYTES 8192		/* of a file */

static fault_watch_function *fault_watch;

/* ---- the disk ------------------------------------------------------------------------ */

struct content {
	ino_t number;		/* of the file */
	char data[MOST_BYTES];
	size_t length;
};

struct names {
	struct { char name[64]; ino_t number; } at[MOST_FILES];
	size_t count;
};

/* What is on the disk for sure. */
static struct content contents[MOST_CONTENTS];
static size_t content_count;
static struct names synced;

/* Of the files with usage. */
static struct names list_folder(void)
{
	struct names names = { .count = 0 };
	DIR *folder = opendir(host_folder());
	struct dirent *entry;

	while ((entry = readdir(folder))) {
		if (strncmp(entry->d_name, "fathom_usage", 12) &&
		    strncmp(entry->d_name, "priority_last", 13))
			continue;
		ck_assert_uint_lt(names.count, MOST_FILES);
		snprintf(names.at[names.count].name, sizeof(names.at->name), "%.63s",
			 entry->d_name);
		names.at[names.count++].number = entry->d_ino;
	}
	closedir(folder);
	return names;
}

static struct content *content_of(ino_t number)
{
	for (size_t i = 0; i < content_count; i++)
		if (contents[i].number == number)
			return &contents[i];
	return NULL;
}

/* A number may be that of a file which is gone. */
static void sync_file(const char *path)
{
	struct stat status;
	FILE *file = fopen(path, "r");
	struct content *content;

	ck_assert(file && !fstat(fileno(file), &status));
	content = content_of(status.st_ino);
	if (!content) {
		ck_assert_uint_lt(content_count, MOST_CONTENTS);
		content = &contents[content_count++];
	}
	content->number = status.st_ino;
	content->length = fread(content->data, 1, MOST_BYTES, file);
	ck_assert_uint_lt(content->length, MOST_BYTES);
	fclose(file);
}

static void sync_all(void)
{
	content_count = 0;
	synced = list_folder();
	for (size_t i = 0; i < synced.count; i++)
		sync_file(in_folder(synced.at[i].name));
}

/* ---- the loss ------------------------------------------------------------------------- */

static unsigned left;		/* calls until the power goes off */
static bool loses_names;
static struct { char name[64]; struct content content; } lost[MOST_FILES];
static size_t lost_count;	/* what is on the disk afterwards */
static bool is_off;

static void go_off(void)
{
	const struct names names = loses_names ? synced : list_folder();

	is_off = true;
	lost_count = names.count;
	for (size_t i = 0; i < names.count; i++) {
		const struct content *content = content_of(names.at[i].number);

		strcpy(lost[i].name, names.at[i].name);
		lost[i].content.length = 0;
		if (content)
			lost[i].content = *content;
	}
}

/* Called before each call. A read changes nothing. */
static void watch(const char *call, int file)
{
	struct stat status;
	char path[64];

	if (is_off || !strcmp(call, "read") || !strcmp(call, "inotify") || !strcmp(call, "malloc"))
		return;
	if (!--left) {
		go_off();
		return;
	}
	if (strcmp(call, "fsync") || fstat(file, &status))
		return;
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	if (S_ISDIR(status.st_mode))
		synced = list_folder();
	else
		sync_file(path);
}

static void put_lost_files(void)
{
	const struct names names = list_folder();

	for (size_t i = 0; i < names.count; i++)
		unlink(in_folder(names.at[i].name));
	for (size_t i = 0; i < lost_count; i++) {
		FILE *file = fopen(in_folder(lost[i].name), "w");

		fwrite(lost[i].content.data, 1, lost[i].content.length, file);
		fclose(file);
	}
}

/* A pass in which the power goes off at the n-th call. Returns false if it has fewer calls. */
static bool lose_power(unsigned n)
{
	sync_all();
	left = n;
	is_off = false;
	fault_watch(watch);
	host_pass();
	fault_watch(NULL);
	if (!is_off)
		return false;
	crash();
	put_lost_files();
	host_load(FATHOM_PLUGIN);
	return true;
}

TEST_LOOP(usage_is_right_after_a_loss_of_power, 2)
{
	time_t begin;
	double of_bert = 0;
	unsigned n = 0;

	loses_names = _i;
	two_users("", "");
	begin = host_now();
	run_in(anna, gpu, 3);
	host_pass();
	host_pass();
	do {
		job_record_t *job = run_in(bert, cpu, 2);

		host_advance(50);
		end_run(job);
		of_bert += 2 * 50;
		n++;
		if (!lose_power(n))
			break;
		ck_assert_msg(fabs(usage_of(anna) - 3 * difftime(host_now(), begin)) < 1e-6,
			      "call %u: %g of %g", n, usage_of(anna),
			      3 * difftime(host_now(), begin));
		ck_assert_msg(fabs(usage_of(bert) - of_bert) < 1e-6, "call %u: %g of %g", n,
			      usage_of(bert), of_bert);
		ck_assert(!exists("fathom_usage.damaged"));
	} while (true);
	ck_assert_uint_gt(n, 5);
	printf("the power goes off at %u calls\n", n - 1);
}

int main(int count, char **arguments)
{
	(void)count;
	preload_faults(arguments);
	preload_find("fault_watch", &fault_watch);
	prctl(PR_SET_TIMERSLACK, 1);	/* as in host_suite.c */
	host_make_folders(true);
	suite_forks();
	return suite_run();
}
