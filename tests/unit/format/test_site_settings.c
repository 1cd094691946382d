/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Settings of a site become a fathom.conf that the plugin accepts, and errors name the site's own
 * files. */
#include "../unit.h"

#include "conf/conf_parse.h"
#include "format/site/site_conf.h"

static struct site_settings settings;
static struct fathom_error error;

static void clear(void)
{
	settings = (struct site_settings){ 0 };
}

TEST_FIXTURE(NULL, clear)

static struct site_origin at(const char *file, size_t line)
{
	return (struct site_origin){ file, line };
}

static void set(const char *key, const char *value, const char *file, size_t line)
{
	settings.origin = at(file, line);
	site_settings_set(&settings, SITE_FATHOM_CONF, key, value);
}

static void begin(const char *key, const char *value, size_t line)
{
	settings.origin = at("q", line);
	site_settings_begin(&settings, SITE_FATHOM_CONF, key, value);
}

static void add(const char *key, const char *value)
{
	settings.origin = at("q", 1);
	site_settings_add(&settings, SITE_FATHOM_CONF, key, value);
}

/* A call that fails. */
struct attempt {
	enum site_file which;
	const char *key, *value;
	struct site_origin origin;
};

static void try_to_set(void *context)
{
	const struct attempt *attempt = context;

	settings.origin = attempt->origin;
	site_settings_set(&settings, attempt->which, attempt->key, attempt->value);
}

static void try_to_make(void *unused)
{
	(void)unused;
	site_conf_of(&settings);
}

/* Frees what it returns with the next call. */
static const char *written(enum site_file which)
{
	static char *text;
	size_t length;
	FILE *out;

	free(text);
	text = NULL;
	out = open_memstream(&text, &length);
	site_conf_write(out, &settings, which);
	fclose(out);
	return text;
}

static void add_night(void)
{
	begin("Scope", "night", 3);
	add("Partitions", "night,day");
	add("MasterQueue", "night");
	add("UserShares", "[ada, 10] [others, 1]");
}

TEST (text_is_what_fathom_conf_means)
{
	struct fathom_conf read = conf_standard();
	struct site_conf made;

	set("Policy", "lsf", "p", 1);
	set("HistHours", "10", "p", 2);
	add_night();
	begin("ResourceGroup", "a root 3", 9);
	begin("ResourceGroup", "b a 1", 10);
	ck_assert_str_eq(written(SITE_FATHOM_CONF),
			 "Policy=lsf # p:1\nHistHours=10 # p:2\n"
			 "Scope=night Partitions=night,day MasterQueue=night "
			 "UserShares=\"[ada, 10] [others, 1]\" # q:3\n"
			 "ResourceGroup=\"a root 3\" # q:9\nResourceGroup=\"b a 1\" # q:10\n");
	ck_assert_msg(!conf_parse_text(&read, "f", written(SITE_FATHOM_CONF), &error), "%s",
		      error.text);
	made = site_conf_of(&settings);
	ck_assert_ptr_eq(conf_policy(&made.fathom), conf_policy(&read));
	ck_assert_uint_eq(made.fathom.scope_count, 1);
	ck_assert_uint_eq(read.scope_count, 1);
	ck_assert_int_eq(made.fathom.scope->kind, read.scope->kind);
	ck_assert_str_eq(made.fathom.scope->user_shares, read.scope->user_shares);
	ck_assert_uint_eq(made.fathom.resources.count, read.resources.count);
	ck_assert_mem_eq(made.fathom.policy, read.policy, sizeof(read.policy));
	conf_clear(&read);
}

TEST (the_last_line_of_a_file_counts)
{
	set("UnknownShares", "1", "p", 1);
	set("unknownshares", "2", "p", 5);
	ck_assert_str_eq(written(SITE_FATHOM_CONF), "UnknownShares=2 # p:5\n");
}

TEST (a_line_goes_before_how_the_scheduler_works)
{
	set("Order", "path", "p", 0);
	set("Order", "factor", "q", 2);
	set("Order", "path", "p", 0);
	ck_assert_str_eq(written(SITE_FATHOM_CONF), "Order=factor # q:2\n");
}

TEST (two_files_may_say_the_same)
{
	set("Policy", "pbs", "p", 1);
	set("Policy", "PBS", "q", 2);
}

TEST (two_files_may_not_differ)
{
	struct attempt attempt = { SITE_FATHOM_CONF, "Policy", "lsf", at("q", 2) };
	struct failure failure;

	set("Policy", "pbs", "p", 1);
	ck_assert(document_try(try_to_set, &attempt, &failure));
	ck_assert_str_eq(failure.name, "q");
	ck_assert_uint_eq(failure.line, 2);
	ck_assert_str_eq(failure.error.text,
			 "Policy is lsf here, but pbs in p:1; only one may say it");
}

TEST (the_files_of_slurm_are_apart)
{
	set("Policy", "pbs", "p", 1);
	settings.origin = at("q\nr", 0);
	site_settings_begin(&settings, SITE_SLURM_CONF, "PartitionName", "a b");
	settings.origin = at("q", 4);
	site_settings_add(&settings, SITE_SLURM_CONF, "PriorityJobFactor", "7");
	ck_assert_str_eq(written(SITE_SLURM_CONF),
			 "PartitionName=\"a b\" PriorityJobFactor=7 # q?r\n");
	ck_assert_str_eq(site_settings_find(&settings, SITE_FATHOM_CONF, "policy")->value, "pbs");
	ck_assert_ptr_null(site_settings_find(&settings, SITE_SLURM_CONF, "Policy"));
}

static const struct { const char *key, *value, *error; } wrong_values[] = {
	{ "Policy", "none", "Policy: 'none' is unknown, must be one of *" },
	{ "HistHour", "1", "HistHour: unknown key; did you mean HistHours?" },
	{ "HistHours", "a", "HistHours: 'a' is not a number; for example 5" },
	{ "ResourceGroup", "b a 1", "ResourceGroup: *" },
};

TEST_EACH (a_wrong_value_is_told_by_its_place, wrong_values)
{
	struct failure failure;
	size_t length = strcspn(wrong_values[_i].error, "*");

	set("CalcPeriod", "30", "q", 1);
	set(wrong_values[_i].key, wrong_values[_i].value, "p", 7);
	ck_assert(document_try(try_to_make, NULL, &failure));
	ck_assert_str_eq(failure.name, "p");
	ck_assert_uint_eq(failure.line, 7);
	ck_assert_msg(!strncmp(failure.error.text, wrong_values[_i].error, length), "%s",
		      failure.error.text);
	ck_assert(wrong_values[_i].error[length] || !failure.error.text[length]);
}

TEST (lines_that_contradict_each_other_are_told_by_their_places)
{
	struct failure failure;

	begin("Scope", "a", 40);
	add("Partitions", "x");
	begin("Scope", "b", 50);
	add("Partitions", "x");
	ck_assert(document_try(try_to_make, NULL, &failure));
	ck_assert_str_eq(failure.name, "q");
	ck_assert_uint_eq(failure.line, 50);
	ck_assert_str_eq(failure.error.text, "Partitions: 'x' is in scope 'a' (line 40) already, "
					     "must be named once");
}

static const struct { enum site_file which; const char *value; } impossible[] = {
	{ SITE_FATHOM_CONF, "" }, { SITE_FATHOM_CONF, "a\"b" }, { SITE_FATHOM_CONF, "a\nb" },
	{ SITE_SLURM_CONF, "a#b" },
};

TEST_EACH (what_a_file_cannot_hold_is_refused, impossible)
{
	struct attempt attempt = { impossible[_i].which, "Formula", impossible[_i].value,
				   at("p", 1) };
	struct failure failure;

	ck_assert(document_try(try_to_set, &attempt, &failure));
	ck_assert(!site_settings_given(&settings));
}

TEST (losses_keep_their_places)
{
	settings.origin = at("p", 4);
	site_settings_lose(&settings, "round_robin %d", 1);
	ck_assert(site_settings_given(&settings));
	ck_assert_str_eq(settings.loss->text, "round_robin 1");
	ck_assert_uint_eq(settings.loss->origin.line, 4);
}
