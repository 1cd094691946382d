/* SPDX-License-Identifier: GPL-2.0-or-later */
/* HistoryFile gets the first pass of each day, loses days that are too old, is made with
 * FiguresMode, and never replaces another program's file. */
#include "scenario/crash.h"
#include "scenario/failing_open.h"
#include "scenario/two_users.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>

#define DAY 86400

static bool state_is_unreadable;
static bool history_is_removed;		/* by its name, each time before it is opened */

static bool is_unreadable(const char *path)
{
	if (history_is_removed && !strcmp(path, in_folder("history")))
		unlink(path);
	if (!state_is_unreadable || !strstr(path, "/fathom_usage"))
		return false;
	errno = EIO;
	return true;
}

/* What the command prints of a user, without a header; "" if it fails. */
static const char *shown_of(const char *who)
{
	static char text[4096];
	char command[1024];
	FILE *output;
	size_t length;

	snprintf(command, sizeof(command), "LC_ALL=C '%s' history --history '%s' -n -P "
		 "--since 2000-01-01 %s 2>&1", FATHOM_COMMAND, in_folder("history"), who);
	output = popen(command, "r");
	length = fread(text, 1, sizeof(text) - 1, output);
	text[length] = '\0';
	pclose(output);
	return text;
}

static size_t lines_of(const char *text)
{
	size_t count = 0;

	for (; *text; text++)
		count += *text == '\n';
	return count;
}

static bool has_command(const char *test)
{
	if (!*FATHOM_COMMAND)
		fprintf(stderr, "%s: skipped, the command is not built\n", test);
	return *FATHOM_COMMAND;
}

static mode_t mode_of(const char *name)
{
	struct stat status;

	ck_assert(!stat(in_folder(name), &status));
	return status.st_mode & 0777;
}

TEST_LOOP(file_has_one_pass_of_each_day, HAS_HISTORIES)
{
	if (!has_command("file_has_one_pass_of_each_day"))
		return;
	two_users("", "HistoryFile=history");
	host_pass();
	host_pass();
	ck_assert_uint_eq(lines_of(shown_of("anna")), 1);
	use(anna, gpu, 1, DAY);
	host_pass();
	host_pass();
	ck_assert_uint_eq(lines_of(shown_of("anna")), 2);
	/* physics has used all, and anna all of it; bert's factor is better */
	ck_assert_ptr_nonnull(strstr(shown_of("anna"), "|physics|anna|1|0.500000|86400|1.000000|"));
	ck_assert_ptr_nonnull(strstr(shown_of("anna"), "|2/2\n"));
	ck_assert_ptr_nonnull(strstr(shown_of("bert"), "|0.500000|0|"));
	ck_assert_ptr_nonnull(strstr(shown_of("bert"), "|1/2\n"));
	ck_assert_ptr_nonnull(strstr(shown_of("account:physics"), "|physics|1|1.000000|86400|"));
}

/* Factors follow it. The first day is recorded before anything is known of tux. */
TEST_LOOP(usage_has_that_of_other_clusters, HAS_HISTORIES)
{
	if (!has_command("usage_has_that_of_other_clusters"))
		return;
	host_database_add("tux", "physics", "bert", NULL, host_now() - host_now() % 3600 - 3600,
			  300);
	two_users("", "HistoryFile=history\nGlobalShare=tux Source=slurmdbd");
	host_advance(DAY);
	host_pass();
	ck_assert_ptr_nonnull(strstr(shown_of("bert"), "|0.500000|0|"));
	ck_assert_ptr_nonnull(strstr(shown_of("bert"), "|0.500000|300|1.000000|"));
}

TEST_LOOP(file_has_a_day_once_though_slurmctld_starts_again, HAS_HISTORIES)
{
	if (!has_command("file_has_a_day_once_though_slurmctld_starts_again"))
		return;
	two_users("", "HistoryFile=history");
	host_pass();
	crash_and_restart();
	host_pass();
	ck_assert_uint_eq(lines_of(shown_of("anna")), 1);
}

/* Two clusters name the same file: days of the second would seem to be there already. */
TEST_LOOP(file_of_another_cluster_stays_as_it_is, HAS_HISTORIES)
{
	char *name, tux[] = "tux";

	if (!has_command("file_of_another_cluster_stays_as_it_is"))
		return;
	two_users("", "HistoryFile=history");
	host_pass();
	ck_assert(host_close());
	name = slurm_conf.cluster_name;
	slurm_conf.cluster_name = tux;
	write_conf("HistoryFile=history FiguresMode=0600");
	host_load(FATHOM_PLUGIN);
	host_advance(DAY);
	host_pass();
	host_pass();
	ck_assert_uint_eq(lines_of(shown_of("anna")), 1);
	ck_assert_uint_eq(mode_of("history"), 0644);
	ck_assert_uint_eq(logged("is that of cluster 'host', each cluster must have its own"), 1);
	slurm_conf.cluster_name = name;
}

/* Until the state can be read, usage is not known; the first pass that knows it makes the day. */
TEST_LOOP(day_waits_for_the_state, HAS_HISTORIES)
{
	if (!has_command("day_waits_for_the_state"))
		return;
	two_users("", "");
	use(anna, gpu, 1, 1000);
	host_pass();
	crash();
	state_is_unreadable = true;
	write_conf("HistoryFile=history");
	host_load(FATHOM_PLUGIN);
	host_pass();
	ck_assert(!exists("history"));
	state_is_unreadable = false;
	host_pass();
	ck_assert_uint_eq(lines_of(shown_of("anna")), 1);
	ck_assert_ptr_nonnull(strstr(shown_of("anna"), "|0.500000|1000|"));
}

TEST_LOOP(days_older_than_the_age_go, HAS_HISTORIES)
{
	if (!has_command("days_older_than_the_age_go"))
		return;
	two_users("", "HistoryFile=history HistoryAge=3d");
	for (size_t i = 0; i < 6; i++) {
		host_pass();
		host_advance(DAY);
	}
	host_pass();
	ck_assert_uint_eq(lines_of(shown_of("anna")), 3);
}

static const struct { const char *slurm, *fathom; mode_t mode; } modes[] = {
	{ "", "HistoryFile=history", 0644 },
	{ "PrivateData=usage", "HistoryFile=history", 0600 },
	{ "", "HistoryFile=history FiguresMode=0640", 0640 },
};

TEST_LOOP(file_can_be_read_by_those_who_may_see_usage, HAS_HISTORIES * COUNT(modes))
{
	umask(077);	/* as systemd sets it by UMask= */
	two_users(modes[_i].slurm, modes[_i].fathom);
	host_pass();
	ck_assert_uint_eq(mode_of("history"), modes[_i].mode);
	reconfigure("HistoryFile=history FiguresMode=0600");
	host_pass();	/* on the day that the file has */
	ck_assert_uint_eq(mode_of("history"), 0600);
	reconfigure("HistoryFile=history FiguresMode=0640");
	host_pass();
	ck_assert_uint_eq(mode_of("history"), 0640);
}

/* fathom history --rebuild takes back the file that it has made; SQLite makes one for everybody. */
TEST_LOOP(file_that_loses_its_name_gets_no_day, HAS_HISTORIES)
{
	struct stat status;

	umask(022);
	history_is_removed = true;
	two_users("", "HistoryFile=history FiguresMode=0600");
	host_pass();
	history_is_removed = false;
	ck_assert(stat(in_folder("history"), &status) || !status.st_size);
	ck_assert_uint_eq(logged("history: has been removed meanwhile; it stays as it was"), 1);
	host_pass();
	ck_assert_uint_eq(mode_of("history"), 0600);
	ck_assert_uint_eq(logged("is written again"), 1);
}

TEST_LOOP(file_of_another_program_stays_as_it_is, HAS_HISTORIES)
{
	two_users_grow("");
	host_passed_at(host_now());
	two_users_open();
	write_file("history", "something else, longer than the header of a database: ............"
			      "..........................................................");
	ck_assert(!chmod(in_folder("history"), 0666));
	two_users_load("HistoryFile=history");
	host_pass();
	host_pass();
	ck_assert_uint_eq(mode_of("history"), 0666);
	ck_assert_uint_eq(logged("history: file is not a database; it stays as it was"), 1);
	ck_assert_ptr_eq(strstr(file_text("history"), "something else"), file_text("history"));
	ck_assert(!chmod(in_folder("history"), 0600));
	host_pass();
	ck_assert_uint_eq(mode_of("history"), 0600);
	ck_assert(!unlink(in_folder("history")) && !mkdir(in_folder("history"), 0700));
	host_pass();
	ck_assert_uint_eq(logged("history: Is a directory; it stays as it was"), 1);
	ck_assert(!rmdir(in_folder("history")));
	write_file("other", "");
	ck_assert(!symlink("other", in_folder("history")));
	host_pass();
	ck_assert_uint_eq(logged("history: is a symbolic link; it stays as it was"), 1);
	ck_assert_str_eq(file_text("other"), "");
	ck_assert(!unlink(in_folder("history")));
	write_file("history", "");
	if (!geteuid()) {	/* only root can give a file away */
		ck_assert(!chown(in_folder("history"), 65534, 65534));
		host_pass();
		ck_assert_uint_eq(logged("history: belongs to another user"), 1);
		ck_assert_str_eq(file_text("history"), "");
	}
	ck_assert(!unlink(in_folder("history")));
	host_pass();
	ck_assert_uint_eq(logged("HistoryFile"), geteuid() ? 4 : 5);
	ck_assert_uint_eq(logged("is written again"), 1);
}

TEST_LOOP(file_is_not_made_without_sqlite, !HAS_HISTORIES)
{
	two_users("", "HistoryFile=history");
	host_pass();
	ck_assert_uint_eq(logged("history: needs SQLite, which this fathom is built without"), 1);
	ck_assert(!exists("history"));
}
