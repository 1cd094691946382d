/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A site whose scopes have shares of their own: users need associations, without shares there. */
#include "../unit.h"

#include "core/snapshot.h"
#include "format/format.h"
#include "format/site/site_folder.h"
#include "format/site/site_settings.h"

static struct site_settings settings;
static struct site_folder folder;

static void clear(void)
{
	settings = (struct site_settings){ 0 };
	folder = (struct site_folder){ 0 };
}

TEST_FIXTURE(NULL, clear)

/* Adds a line: pairs of key and value, then NULL. */
static void line(const char *const *pairs)
{
	const struct site_origin origin = { "lsb.queues", 1 };

	settings.origin = origin;
	site_settings_begin(&settings, SITE_FATHOM_CONF, pairs[0], pairs[1]);
	for (size_t i = 2; pairs[i]; i += 2)
		site_settings_add(&settings, SITE_FATHOM_CONF, pairs[i], pairs[i + 1]);
}

#define LINE(...) line((const char *const[]){ __VA_ARGS__, NULL })

static void write_folder(void *unused)
{
	(void)unused;
	format_find("slurm")->write_folder(&folder, NULL, &settings);
}

static const char *file(const char *name)
{
	for (size_t i = 0; i < folder.count; i++)
		if (!strcmp(folder.file[i].name, name))
			return folder.file[i].text;
	return NULL;
}

TEST (users_of_scopes_are_in_one_account)
{
	LINE("Policy", "fcfs");
	LINE("Scope", "night", "Partitions", "night", "Policy", "lsf", "UserShares",
	     "[lab, 10] [zoe, 1] [lab@, 1] [default, 1]");
	LINE("UserGroup", "lab", "Members", "ada bob students", "UserShares",
	     "[ada, 2] [others, 1]");
	LINE("UserGroup", "students", "Members", "cy bob");
	LINE("UserGroup", "staff", "Members", "all");
	write_folder(NULL);
	ck_assert_str_eq(file("associations.cfg"),
			 "Cluster - 'cluster'\nParent - 'root'\nUser - 'root':FairShare=0\n"
			 "Account - 'users':FairShare=1\nParent - 'users'\n"
			 "User - 'cy':FairShare=1\nUser - 'bob':FairShare=1\n"
			 "User - 'ada':FairShare=1\nUser - 'zoe':FairShare=1\n");
	ck_assert(strstr(file("fathom.conf"), "UserGroup=lab Members=\"ada bob students\"") !=
		  NULL);
}

TEST (the_account_has_no_name_of_a_group)
{
	LINE("Scope", "night", "Partitions", "night", "Policy", "lsf", "UserShares", "[ada, 1]");
	LINE("UserGroup", "Users", "Members", "ada");
	LINE("UserGroup", "users1", "Members", "ada");
	write_folder(NULL);
	ck_assert(strstr(file("associations.cfg"), "Account - 'users2'") != NULL);
}

TEST (scopes_with_shares_of_associations_need_a_tree)
{
	LINE("Scope", "night", "Partitions", "night", "Policy", "lsf");
	write_folder(NULL);
	ck_assert_ptr_null(file("associations.cfg"));
}

TEST (settings_that_the_plugin_would_refuse_make_no_folder)
{
	struct failure failure;

	LINE("Policy", "lsf");
	LINE("Scope", "night", "Policy", "lsf");
	ck_assert(document_try(write_folder, NULL, &failure));
	ck_assert_str_eq(failure.name, "lsb.queues");
	ck_assert_uint_eq(failure.line, 1);
	ck_assert_msg(strstr(failure.error.text, "Scope: ") == failure.error.text, "%s",
		      failure.error.text);
}
