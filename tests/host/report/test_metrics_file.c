/* SPDX-License-Identifier: GPL-2.0-or-later */
/* MetricsFile has what fathom.conf(5) says, in a form that Prometheus reads; users only if they are
 * wanted, and nobody whose usage PrivateData hides. */
#include "scenario/two_users.h"

#include <sys/stat.h>

#define FILE_NAME "fathom.prom"

/* Returns the value of the first sample that begins like this; NAN: there is none. */
static double sample(const char *begin)
{
	char wanted[256];
	const char *at;

	snprintf(wanted, sizeof(wanted), "\n%s", begin);
	at = strstr(file_text(FILE_NAME), wanted);
	return at ? strtod(strchr(at + 1 + strcspn(at + 1, "} "), ' '), NULL) : NAN;
}

static bool has(const char *text)
{
	return strstr(file_text(FILE_NAME), text);
}

#define IN_PHYSICS "account=\"physics\",path=\"root/physics\""

TEST(accounts_and_users_have_the_figures_of_the_pass)
{
	two_users("", "MetricsFile=" FILE_NAME " MetricsUsers=all");
	use(anna, gpu, 1, 300);
	use(bert, gpu, 1, 100);
	host_pass();
	ck_assert_double_eq(sample("fathom_account_usage_seconds{" IN_PHYSICS "}"), 400);
	ck_assert_double_eq(sample("fathom_account_usage_seconds{account=\"root\",path=\"root\"}"),
			    400);
	ck_assert_double_eq(sample("fathom_user_usage_seconds{" IN_PHYSICS ",user=\"anna\"}"), 300);
	ck_assert_double_eq(sample("fathom_user_shares{" IN_PHYSICS ",user=\"bert\"}"), 1);
	ck_assert_double_eq(sample("fathom_user_norm_shares_ratio{" IN_PHYSICS ",user=\"bert\"}"),
			    0.5);
	ck_assert_double_eq(
		sample("fathom_user_effective_usage_ratio{" IN_PHYSICS ",user=\"anna\"}"), 0.875);
	ck_assert_double_eq_tol(sample("fathom_user_factor_ratio{" IN_PHYSICS ",user=\"anna\"}"),
				classic(0.75), 1e-12);
	ck_assert_double_eq(sample("fathom_user_rank{" IN_PHYSICS ",user=\"bert\"}"), 1);
	ck_assert_double_eq(sample("fathom_user_rank{" IN_PHYSICS ",user=\"anna\"}"), 2);
}

TEST(users_are_those_that_are_wanted)
{
	two_users("", "MetricsFile=" FILE_NAME);
	use(anna, gpu, 1, 300);
	use(bert, gpu, 1, 100);
	host_pass();
	ck_assert(has("fathom_account_") && !has("fathom_user_"));
	reconfigure("MetricsFile=" FILE_NAME " MetricsUsers=top:1");
	ck_assert(has("user=\"anna\"") && !has("user=\"bert\""));
	reconfigure("MetricsFile=" FILE_NAME " MetricsUsers=top:2");
	ck_assert(has("user=\"anna\"") && has("user=\"bert\""));
	reconfigure("MetricsFile=" FILE_NAME " MetricsUsers=no");
	ck_assert(!has("user="));
}

TEST(private_usage_has_neither_users_nor_accounts)
{
	two_users("PrivateData=usage", "MetricsFile=" FILE_NAME " MetricsUsers=all");
	host_pass();
	ck_assert(has("fathom_passes_total"));
	ck_assert(!has("account=") && !has("user=") && !has("anna") && !has("physics"));
	ck_assert_uint_eq(logged("MetricsUsers has no effect with PrivateData=usage"), 1);
}

#define TUX(metric) sample("fathom_global_" metric "{cluster=\"tux\"}")

/* The hour before this one; carl's account is not here. */
TEST(other_clusters_are_told_of)
{
	time_t hour = host_now() - host_now() % 3600 - 3600;

	host_database_add("tux", "physics", "bert", NULL, hour, 300);
	host_database_add("tux", "art", "carl", NULL, hour, 9);
	two_users("", "MetricsFile=" FILE_NAME "\nGlobalShare=tux Source=slurmdbd Weight=.5 "
		      "MaxAge=1h\nGlobalShare=kit Source=slurmdbd");
	host_pass();
	ck_assert_double_eq(TUX("timestamp_seconds"), (double)hour + 3600);
	ck_assert_double_eq(TUX("stale"), 0);
	ck_assert_double_eq(TUX("fault"), 0);
	ck_assert_double_eq(TUX("usage_seconds"), 150);
	ck_assert_double_eq(TUX("unmapped_seconds"), 9);
	ck_assert_double_eq(sample("fathom_global_fault{cluster=\"kit\"}"), 1);
	ck_assert(!has("fathom_global_stale{cluster=\"kit\"}"));
	host_database_set(HOST_DATABASE_IS_AWAY);
	host_advance(3600);
	host_pass();
	host_pass();
	ck_assert_double_eq(TUX("stale"), 1);
	ck_assert_double_eq(TUX("fault"), 1);
	ck_assert_double_eq(TUX("usage_seconds"), 150);
}

static const struct { const char *conf; mode_t mode; } modes[] = {
	{ "MetricsFile=" FILE_NAME, 0640 },
	{ "MetricsFile=" FILE_NAME " MetricsMode=0644", 0644 },
};

TEST_EACH(file_has_its_mode, modes)
{
	struct stat status;

	umask(0777);
	two_users("", modes[_i].conf);
	ck_assert(!stat(in_folder(FILE_NAME), &status));
	ck_assert_uint_eq(status.st_mode & 07777, modes[_i].mode);
	ck_assert(!exists(FILE_NAME ".new"));
}

TEST(jobs_are_counted_by_partition_and_scope)
{
	two_users("", "MetricsFile=" FILE_NAME "\nScope=fast Partitions=gpu");
	run_in(anna, gpu, 1);
	wait_in(anna, gpu);
	host_job(&(struct host_job){ .user = bert, .partition = { gpu, cpu } });
	host_job(&(struct host_job){ .user = bert, .partition = { cpu }, .tasks = 5 });
	host_pass();
	ck_assert_double_eq(
		sample("fathom_partition_jobs{partition=\"gpu\",scope=\"fast\",state=\"pending\"}"),
		2);
	ck_assert_double_eq(
		sample("fathom_partition_jobs{partition=\"gpu\",scope=\"fast\",state=\"running\"}"),
		1);
	ck_assert_double_eq(sample("fathom_partition_jobs{partition=\"cpu\",state=\"pending\"}"),
			    6);
	ck_assert_double_eq(sample("fathom_partition_jobs{partition=\"cpu\",state=\"running\"}"),
			    0);
	ck_assert_double_eq(sample("fathom_jobs "), 8);
	/* the job of two partitions once */
	ck_assert_double_eq(sample("fathom_state_jobs{state=\"pending\"}"), 7);
	ck_assert_double_eq(sample("fathom_state_jobs{state=\"running\"}"), 1);
	ck_assert_double_eq(sample("fathom_associations "), 4);
}

TEST(pass_tells_of_itself)
{
	two_users("", "MetricsFile=" FILE_NAME "\nPolicy=lsf HistHours=7\nScope=fast "
		      "Partitions=gpu Policy=classic");
	host_pass();
	ck_assert_double_eq(sample("fathom_passes_total "), 2);
	ck_assert_double_eq(sample("fathom_pass_timestamp_seconds "), (double)host_now());
	ck_assert_double_eq(sample("fathom_state_timestamp_seconds "), (double)host_now());
	ck_assert_double_eq(sample("fathom_calc_period_seconds "), PERIOD);
	ck_assert_double_eq(sample("fathom_half_life_seconds "), 0);
	ck_assert_double_eq(sample("fathom_saves_failed_total "), 0);
	ck_assert_double_eq(sample("fathom_rounds_skipped_total "), 0);
	ck_assert_double_gt(sample("fathom_pass_cpu_seconds_total "), 0);
	ck_assert_double_gt(sample("fathom_last_pass_cpu_seconds "), 0);
	ck_assert_double_lt(sample("fathom_last_pass_cpu_seconds "),
			    sample("fathom_pass_cpu_seconds_total "));
	ck_assert_double_gt(sample("fathom_last_pass_wall_seconds "), 0);
	ck_assert_double_gt(sample("fathom_lock_hold_seconds{lock=\"job\",mode=\"write\"}"), 0);
	ck_assert_double_lt(sample("fathom_lock_hold_seconds{lock=\"job\",mode=\"write\"}"), 10);
	ck_assert_double_gt(sample("fathom_lock_hold_seconds{lock=\"assoc\",mode=\"write\"}"), 0);
	ck_assert(has("fathom_policy_info{role=\"in_force\",policy=\"lsf\"} 1\n"));
	ck_assert(has("fathom_policy_info{role=\"scope\",scope=\"fast\",policy=\"classic\"} 1\n"));
	ck_assert(has("{role=\"in_force\",setting=\"hist_hours\",value=\"7\"} 1\n"));
}

TEST(round_between_passes_is_not_skipped)
{
	two_users("AccountingStorageEnforce=associations", "MetricsFile=" FILE_NAME);
	host_advance(150);	/* half of MinJobAge */
	host_wake();
	host_pass();
	ck_assert_double_eq(sample("fathom_passes_total "), 2);
	ck_assert_double_eq(sample("fathom_rounds_skipped_total "), 0);
}

TEST(faults_are_counted)
{
	two_users("", "MetricsFile=" FILE_NAME);
	ck_assert_double_eq(sample("fathom_conf_in_force "), 1);
	reconfigure("MetricsFile=" FILE_NAME "\nHalfLife=never");
	ck_assert_double_eq(sample("fathom_conf_in_force "), 0);
	reconfigure("MetricsFile=" FILE_NAME);
	ck_assert(!mkdir(in_folder("fathom_usage.new"), 0700));
	host_pass();
	ck_assert_double_eq(sample("fathom_saves_failed_total "), 1);
	ck_assert_double_lt(sample("fathom_state_timestamp_seconds "), (double)host_now());
	host_advance(-1000);
	reread();
	ck_assert_double_ge(sample("fathom_rounds_skipped_total "), 1);
}

/* Nothing is to be saved. */
TEST(without_a_folder_no_save_fails)
{
	char conf[512];

	two_users_grow("");
	two_users_open();
	xfree(slurm_conf.state_save_location);
	slurm_conf.state_save_location = xstrdup("/dev/null");
	snprintf(conf, sizeof(conf), "MetricsFile=%s", in_folder(FILE_NAME));
	two_users_load(conf);
	host_pass();
	ck_assert_double_eq(sample("fathom_saves_failed_total "), 0);
	ck_assert(isnan(sample("fathom_state_timestamp_seconds ")));
}

TEST(names_are_escaped)
{
	two_users_grow("");
	host_passed_at(host_now());
	host_user(physics, "o\"brien \\ \xff\xc3\xa4", 1);
	two_users_open();
	two_users_load("MetricsFile=" FILE_NAME " MetricsUsers=all");
	ck_assert(has("user=\"o\\\"brien \\\\ \\\\xff\xc3\xa4\"}"));
}

TEST(file_of_another_program_stays_as_it_is)
{
	two_users_grow("");
	host_passed_at(host_now());
	two_users_open();
	write_file(FILE_NAME, "# HELP node_load1 of another program\n");
	two_users_load("MetricsFile=" FILE_NAME);
	host_pass();
	ck_assert_uint_eq(logged("cannot write MetricsFile"), 1);
	ck_assert(!has("fathom"));
	ck_assert(!unlink(in_folder(FILE_NAME)));
	host_pass();
	ck_assert_uint_eq(logged("MetricsFile "), 2);
	ck_assert_uint_eq(logged(FILE_NAME " is written again"), 1);
}

/* Files of two keys that are one: the first that is written stays, and the log tells of the
 * other. */
TEST(file_of_figures_is_not_replaced_by_metrics)
{
	two_users("", "FiguresFile=both.prom MetricsFile=both.prom");
	host_pass();
	ck_assert(!strncmp(file_text("both.prom"), "{\"format\"", strlen("{\"format\"")));
	ck_assert_uint_eq(logged("cannot write MetricsFile"), 1);
	ck_assert_uint_eq(logged("both.prom: it exists, and is a file of another kind"), 1);
}

TEST(link_is_replaced_and_not_what_it_names)
{
	static const char before[] = "# HELP fathom_build_info of another host\n";

	two_users_grow("");
	host_passed_at(host_now());
	two_users_open();
	write_file("other", before);
	ck_assert(!symlink("other", in_folder(FILE_NAME)));
	two_users_load("MetricsFile=" FILE_NAME);
	ck_assert(has("fathom_passes_total"));
	ck_assert_str_eq(file_text("other"), before);
}

TEST(last_file_stays_without_the_key)
{
	two_users("", "MetricsFile=" FILE_NAME);
	reconfigure("");
	host_pass();
	ck_assert_double_eq(sample("fathom_passes_total "), 1);
}

/* FiguresFile could not be written, and is not wanted any more. */
TEST(only_what_is_written_again_is_said_to_be)
{
	two_users("", "FiguresFile=none/figures");
	ck_assert_uint_eq(logged("cannot write FiguresFile"), 1);
	reconfigure("MetricsFile=none/metrics");
	ck_assert_uint_eq(logged("cannot write MetricsFile"), 1);
	host_pass();
	ck_assert_uint_eq(logged("is written again"), 0);
	reconfigure("MetricsFile=" FILE_NAME);
	ck_assert_uint_eq(logged(FILE_NAME " is written again"), 1);
}

/* All policies, by names that Policy= takes. */
static const char *const policies[] = {
#define POLICY(name) #name,
#include "policy/policies.h"
#undef POLICY
};

/* Without usage, and with some. */
TEST_EACH(each_policy_gives_numbers, policies)
{
	char conf[128];

	snprintf(conf, sizeof(conf), "Policy=%s\nMetricsFile=" FILE_NAME " MetricsUsers=all",
		 policies[_i]);
	two_users("", conf);
	for (int i = 0; i < 2; i++) {
		ck_assert(!has(" nan\n") && !has("nf\n"));
		ck_assert_double_ge(sample("fathom_user_factor_ratio{" IN_PHYSICS
					   ",user=\"anna\"}"), 0);
		ck_assert_double_eq(sample("fathom_user_rank{" IN_PHYSICS ",user=\"bert\"}"), 1);
		ck_assert_double_ge(sample("fathom_account_norm_shares_ratio{" IN_PHYSICS "}"), 0);
		use(anna, gpu, 1, 300);
		host_pass();
	}
	ck_assert_double_eq(sample("fathom_user_rank{" IN_PHYSICS ",user=\"anna\"}"),
			    strcmp(policies[_i], "fcfs") ? 2 : 1);
}

TEST(no_file_without_the_key)
{
	two_users("", "MetricsUsers=all");
	host_pass();
	ck_assert(!exists(FILE_NAME));
	ck_assert_uint_eq(logged("MetricsUsers has no effect without MetricsFile"), 1);
}

/* ---- fathom.conf(5) ---------------------------------------------------------------------- */

static char *read_manual(void)
{
	const char *source = getenv("srcdir");
	char path[4096], *text = calloc(1, 1 << 20);
	FILE *manual;

	snprintf(path, sizeof(path), "%s/doc/fathom.conf.5", source ? source : ".");
	manual = fopen(path, "r");
	ck_assert_msg(manual, "%s: %s", path, strerror(errno));
	ck_assert_uint_gt(fread(text, 1, (1 << 20) - 1, manual), 0);
	fclose(manual);
	return text;
}

static size_t count_of(const char *text, const char *what)
{
	size_t count = 0;

	while ((text = strstr(text, what))) {
		count++;
		text += strlen(what);
	}
	return count;
}

/* How many entries begin from one place to another. */
static size_t count_between(const char *from, const char *to)
{
	char *part = strndup(from, (size_t)(to - from));
	size_t count = count_of(part, "\nfathom_");

	free(part);
	return count;
}

/* Each metric has its entry, with the text of HELP, and each entry its metric. */
TEST(manual_has_what_is_written)
{
	char *manual = read_manual(), *text;
	size_t count = 0;

	host_database_add("tux", NULL, NULL, NULL, host_now() - host_now() % 3600 - 3600, 0);
	two_users("", "MetricsFile=" FILE_NAME " MetricsUsers=all\nGlobalShare=tux "
		      "Source=slurmdbd");
	use(anna, gpu, 1, 300);
	host_pass();
	text = strdup(file_text(FILE_NAME));
	for (char *line = strtok(text, "\n"); line; line = strtok(NULL, "\n")) {
		char name[128], help[256], row[300];
		const char *at = manual;

		if (sscanf(line, "# HELP %127s %255[^\n]", name, help) != 2)
			continue;
		count++;
		snprintf(row, sizeof(row), "\n.TP\n%s", name);
		while ((at = strstr(at, row)) && !strchr(" \n", at[strlen(row)]))
			at++;
		ck_assert_msg(at, "fathom.conf(5) lacks %s", name);
		at += strlen("\n.TP");
		snprintf(row, sizeof(row), "\n%s\n", help);
		ck_assert_msg(strstr(at, row) && count_between(at, strstr(at, row)) == 1,
			      "%s: its entry does not have '%s'", name, help);
	}
	ck_assert_uint_eq(count_of(strstr(manual, "\n.SH METRICS"), "\nfathom_"), count);
	free(text);
	free(manual);
}

/* ---- promtool ----------------------------------------------------------------------------- */

TEST(promtool_finds_nothing_wrong)
{
	char command[512];

	if (system("command -v promtool >/dev/null")) {
		fputs("promtool_finds_nothing_wrong: skipped, there is no promtool\n", stderr);
		return;
	}
	two_users_grow("");
	host_passed_at(host_now());
	host_user(physics, "o\"brien \\ \xff\xc3\xa4", 1);
	two_users_open();
	two_users_load("MetricsFile=" FILE_NAME " MetricsUsers=all");
	snprintf(command, sizeof(command), "promtool check metrics <'%s'", in_folder(FILE_NAME));
	ck_assert_int_eq(system(command), 0);
}
