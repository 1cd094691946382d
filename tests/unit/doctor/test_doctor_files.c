/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What fathom doctor says of files that a running slurmctld names. */
#include "../unit.h"

#include "doctor/doctor.h"
#include "memory/need_memory.h"

#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/fathom-test.XXXXXX";

/* Returns the row of a check of a host. */
static struct doctor_row row_of(const char *check, struct doctor_site *site)
{
	struct doctor_report report = { 0 };

	doctor_check_host(&report, site);
	for (size_t i = 0; i < report.count; i++)
		if (!strcmp(report.row[i].check, check))
			return report.row[i];
	return (struct doctor_row){ .host = NULL };
}

/* Returns the path of a file in a new folder. */
static const char *in_folder(const char *name)
{
	ck_assert_ptr_nonnull(mkdtemp(folder));
	return need_print("%s/%s", folder, name);
}

static void clear_folder(const char *path)
{
	unlink(path);
	rmdir(folder);
}

TEST(figures_file_must_be_a_regular_file)
{
	const char *path = in_folder("figures.json");
	struct doctor_site site = { .host = "own", .figures.path = path };
	struct doctor_row row;

	ck_assert(!mkfifo(path, 0600));
	row = row_of("FiguresFile", &site);
	clear_folder(path);
	ck_assert_int_eq(row.state, DOCTOR_WRONG);
	ck_assert_str_eq(row.text, need_print("%s is no regular file", path));
}
