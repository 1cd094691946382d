/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * GlobalShare: what another cluster has used counts in each policy's tree, by figures computed by
 * hand, and nowhere else. Files that are damaged, foreign or gone change nothing.
 */
#include "scenario/crash.h"
#include "scenario/two_users.h"

#include <math.h>
#include <unistd.h>

#define HOUR 3600
#define TOLERANCE 1e-9

static const char decaying[] = "PriorityDecayHalfLife=1:00:00\n"
			       "AccountingStorageEnforce=associations,limits";

/* ---- files of the other cluster ----------------------------------------------------------- */

static void write_usage(const char *cluster, time_t age, const char *entries)
{
	char text[2048];

	snprintf(text, sizeof(text), "{\"format\": \"fathom-usage\", \"version\": 1, "
		 "\"cluster\": \"%s\", \"time\": %ld, \"usage\": [%s]}\n", cluster,
		 (long)(host_now() - age), entries);
	write_file("next.json", text);
	ck_assert(!rename(in_folder("next.json"), in_folder("tux.json")));
}

#define ANNA(seconds) "{\"account\": \"physics\", \"user\": \"anna\", \"usage\": " #seconds "}"
#define BERT(seconds) "{\"account\": \"physics\", \"user\": \"bert\", \"usage\": " #seconds "}"

/* The line of fathom.conf, with more before and behind it. */
static const char *line(const char *before, const char *behind)
{
	static char text[1024];

	snprintf(text, sizeof(text), "%s\nGlobalShare=tux Source=%s %s\n", before,
		 in_folder("tux.json"), behind);
	return text;
}

static double part_of(const struct host_association *who)
{
	return (double)who->record->usage->usage_norm;
}

static double level_fs_of(const struct host_association *who)
{
	return (double)who->record->usage->level_fs;
}

static void assert_part(const struct host_association *who, double expected)
{
	ck_assert_msg(fabs(part_of(who) - expected) < TOLERANCE, "%s has %.15g, not %.15g",
		      who->user ? who->user : who->account, part_of(who), expected);
}

/* Opens the cluster; the file comes first. */
static void open_with(const char *before, const char *behind)
{
	two_users_grow(decaying);
	host_passed_at(host_now());
	two_users_open();
	write_usage("tux", HOUR, ANNA(7200) ", " BERT(3600));
	two_users_load(line(before, behind));
	host_pass();
}

/* ---- each policy -------------------------------------------------------------------------- */

/* anna has two thirds of all usage, her share is one half, and physics is alone. */
TEST(classic_counts_it)
{
	job_record_t *job;

	open_with("Policy=classic", "");
	job = wait_in(anna, gpu);
	assert_factor(job, classic(2 / 3.));
	assert_factor(wait_in(bert, gpu), classic(1 / 3.));
}

TEST(depth_oblivious_counts_it)
{
	open_with("Policy=depth-oblivious", "");
	assert_factor(wait_in(anna, gpu), exp2(-4 / 3.));
	assert_factor(wait_in(bert, gpu), exp2(-2 / 3.));
}

/* LevelFS: the share among siblings over the part of their usage. */
static void assert_levels(void)
{
	ck_assert_double_eq_tol(level_fs_of(anna), .5 / (2 / 3.), TOLERANCE);
	ck_assert_double_eq_tol(level_fs_of(bert), .5 / (1 / 3.), TOLERANCE);
}

TEST(fair_tree_counts_it)
{
	open_with("Policy=fair-tree", "");
	assert_levels();
	assert_factor(wait_in(anna, gpu), .5);
	assert_factor(wait_in(bert, gpu), 1);
}

TEST(flux_counts_it)
{
	open_with("Policy=flux", "");
	assert_part(anna, 2 / 3.);
	assert_part(bert, 1 / 3.);
	assert_levels();
}

TEST(pbs_counts_it)
{
	open_with("Policy=pbs", "");
	assert_part(anna, 2 / 3.);
	assert_part(bert, 1 / 3.);
}

/* CPU time in hours, decayed by HistHours since the file's time; shares over it. */
TEST(lsf_counts_it_as_cpu_time)
{
	double half_life = 5 * HOUR * log10(2), hours = 2 * exp2(-(HOUR + PERIOD) / half_life);

	open_with("Policy=lsf CpuTimeFactor=1 RunTimeFactor=0 RunJobFactor=0", "");
	ck_assert_double_eq_tol(level_fs_of(anna), 1 / hours, TOLERANCE);
	ck_assert_double_eq_tol(level_fs_of(bert), 2 / hours, TOLERANCE);
}

TEST(scope_counts_it)
{
	open_with("Policy=fair-tree\nScope=s Partitions=gpu Policy=classic", "");
	assert_factor_in(wait_in(anna, gpu), gpu, classic(2 / 3.));
	assert_factor_in(wait_in(anna, cpu), cpu, .5);
}

/* The tree of UserShares has a leaf for each user; without usage the two would be equal. */
TEST(user_shares_count_it)
{
	double factor;

	open_with("Policy=classic\nScope=s Partitions=gpu Policy=lsf CpuTimeFactor=1 "
		  "RunTimeFactor=0 RunJobFactor=0 UserShares=\"[anna, 1] [bert, 1]\"", "");
	factor = shown_in(wait_in(bert, gpu), gpu) - shown_in(wait_in(anna, gpu), gpu);
	ck_assert_double_gt(factor, 0);
}

/* ---- with own usage ------------------------------------------------------------------------ */

/* anna has 3600 s here; bert 7200 s there, an hour ago, at half weight: 1800 s. */
TEST(own_usage_stays_own)
{
	two_users_grow(decaying);
	anna->usage = 3600;
	host_passed_at(host_now());
	two_users_open();
	write_usage("tux", HOUR, BERT(7200));
	two_users_load(line("Policy=classic UsageFile=own.json FiguresFile=figures.json",
			    "Weight=.5"));
	for (int i = 0; i < 5; i++) {
		double own = 3600 * exp2(-(i + 1.) * PERIOD / HOUR);
		char entry[128];

		host_pass();
		assert_part(anna, 2 / 3.);
		ck_assert_double_eq_tol(usage_of(anna), own, 1e-6);
		ck_assert(!(usage_of(bert) > 0));
		ck_assert_double_eq_tol(usage_of(physics), own, 1e-6);
		snprintf(entry, sizeof(entry), "\"time\": %ld", (long)host_now());
		ck_assert_ptr_nonnull(strstr(file_text("own.json"), entry));
		ck_assert_ptr_nonnull(strstr(file_text("own.json"), "\"cluster\": \"host\""));
		ck_assert_ptr_nonnull(strstr(file_text("own.json"), "\"user\": \"anna\""));
		ck_assert_ptr_null(strstr(file_text("own.json"), "bert"));
	}
	crash_and_restart();
	host_pass();
	assert_part(anna, 2 / 3.);
	ck_assert_double_eq_tol(usage_of(physics), usage_of(anna), 1e-6);
}

TEST(own_usage_of_the_root_account_is_written)
{
	two_users_grow("PriorityDecayHalfLife=0");
	host_root()->usage = 100;
	host_passed_at(host_now());
	two_users_open();
	two_users_load("Policy=classic UsageFile=own.json");
	host_pass();
	ck_assert_ptr_nonnull(strstr(file_text("own.json"), "\"account\": \"root\", "
				     "\"user\": null, \"usage\": 100}"));
}

/* The file of figures has a key for each part of raw_usage. */
TEST(figures_name_the_cluster)
{
	const char *const usage = "\"usage_here\": 3600, \"global_usage\": {\"tux\": 50}}";
	const char *const fault = "\"fault\": \"No such file or directory\"}";
	const char *text;

	two_users_grow("PriorityDecayHalfLife=0");
	anna->usage = 3600;
	host_passed_at(host_now());
	two_users_open();
	write_usage("tux", 1000, ANNA(100) ", {\"account\": \"art\", \"user\": null, "
					   "\"usage\": 9}");
	two_users_load(line("Policy=classic FiguresFile=figures.json", "Weight=.5 MaxAge=1h"));
	/* nothing has been read, so nothing is known, not even that a fault is missing */
	ck_assert_ptr_null(strstr(file_text("figures.json"), "tux"));
	host_pass();
	text = file_text("figures.json");
	ck_assert_ptr_nonnull(strstr(text, "\"global\": [\n {\"cluster\": \"tux\", \"source\": "));
	ck_assert_ptr_nonnull(strstr(text, "\"stale\": false, \"unmapped_usage\": 9, "
					   "\"fault\": null}"));
	ck_assert_ptr_nonnull(strstr(text, "\"raw_usage\": 3650,"));
	for (int i = 0; i < 3; i++) {	/* the root, physics, anna */
		text = strstr(text, "\"usage_here\"");
		ck_assert_ptr_nonnull(text);
		ck_assert(!strncmp(text, usage, strlen(usage)));
		text++;
	}
	unlink(in_folder("tux.json"));
	host_advance(3600);
	host_pass();
	host_pass();
	text = file_text("figures.json");
	ck_assert_ptr_nonnull(strstr(text, "\"stale\": true"));
	ck_assert_ptr_nonnull(strstr(text, fault));
	/* new settings know of it before their first read */
	reconfigure(line("Policy=classic FiguresFile=figures.json", ""));
	ck_assert_ptr_nonnull(strstr(file_text("figures.json"), fault));
}

/* A job here counts beside it, each second once. */
TEST(jobs_count_beside_it)
{
	open_with("Policy=classic HalfLife=0", "");
	use(anna, gpu, 10, 360);
	host_pass();
	ck_assert_double_eq_tol(usage_of(anna), 3600, 1e-6);
	assert_part(anna, (7200 + 3600) / (10800. + 3600));
}

TEST(without_a_half_life_it_does_not_decay)
{
	two_users_grow("PriorityDecayHalfLife=0");
	anna->usage = 100;
	host_passed_at(host_now());
	two_users_open();
	write_usage("tux", 1000 * HOUR, BERT(300));
	two_users_load(line("Policy=classic", ""));
	host_pass();
	assert_part(bert, .75);
}

/* An import adds to own usage as if the other cluster were not there. */
TEST(import_does_not_take_it_over)
{
	char conf[512];

	two_users_grow("PriorityDecayHalfLife=0");
	anna->usage = 100;
	host_passed_at(host_now());
	two_users_open();
	write_usage("tux", 0, ANNA(1000));
	two_users_load(line("Policy=classic", ""));
	host_pass();
	write_file("import.json", "{\"format\": \"fathom-usage\", \"version\": 1, \"usage\": ["
				  ANNA(50) "]}\n");
	snprintf(conf, sizeof(conf), "Policy=classic ImportUsage=%s", in_folder("import.json"));
	reconfigure(line(conf, ""));
	host_pass();
	ck_assert_double_eq_tol(usage_of(anna), 150, 1e-9);
}

/* ---- whose usage it is ----------------------------------------------------------------- */

TEST(accounts_are_mapped)
{
	two_users_grow(decaying);
	host_passed_at(host_now());
	two_users_open();
	write_usage("tux", 0, "{\"account\": \"phys\", \"user\": \"anna\", \"usage\": 30}, "
			      "{\"account\": \"physics\", \"user\": \"bert\", \"usage\": 10}, "
			      "{\"account\": \"art\", \"user\": \"anna\", \"usage\": 500}");
	two_users_load(line("Policy=classic", "Map=phys:physics,x:y"));
	host_pass();
	assert_part(anna, .75);
	assert_part(bert, .25);
	host_pass();
	ck_assert_uint_eq(logged("GlobalShare=tux: 500 s are in accounts that this cluster lacks, "
				 "and do not count"), 1);
	ck_assert_uint_eq(logged("sources of GlobalShare are read again"), 0);
}

/* All usage is then 40 s. */
TEST(usage_of_the_root_account_counts)
{
	two_users_grow(decaying);
	host_passed_at(host_now());
	two_users_open();
	write_usage("tux", 0, ANNA(20) ", " BERT(10) ", {\"account\": \"root\", \"user\": null, "
			      "\"usage\": 10}");
	two_users_load(line("Policy=classic", ""));
	host_pass();
	assert_part(anna, .5);
	assert_part(physics, .75);
}

/* Of a user who is not there, the account has it; once the user is there, the user. */
TEST(unknown_users_count_in_their_account)
{
	struct host_association *carl;

	two_users_grow(decaying);
	host_passed_at(host_now());
	two_users_open();
	write_usage("tux", 0, ANNA(30) ", {\"account\": \"physics\", \"user\": \"carl\", "
				       "\"usage\": 10}");
	two_users_load(line("Policy=classic", ""));
	host_pass();
	assert_part(anna, .75);
	assert_part(physics, 1);
	carl = host_user(physics, "carl", 1);
	host_pass();
	host_pass();
	assert_part(carl, .25);
	host_remove(carl);
	host_pass();
	assert_part(physics, 1);
	assert_part(anna, .75);
}

/* ---- files that cannot be used --------------------------------------------------------------- */

static void assert_refused(const char *why)
{
	host_pass();
	host_pass();
	ck_assert_msg(logged(why) == 1, "not once: %s\n%s", why, log_text());
	assert_part(anna, 2 / 3.);
}

TEST(wrong_files_change_nothing)
{
	open_with("Policy=classic", "");
	write_file("tux.json", "{\"format\": \"fathom-usage\", \"version\": 1, \"cluster\": ");
	assert_refused("cannot use");
	write_usage("other", 0, ANNA(1));
	assert_refused("it is of the cluster 'other'");
	for (int i = 0; i < 2; i++) {
		write_usage("tux", -1000 - i, ANNA(1));
		assert_refused("is in the future");
	}
	for (int i = 0; i < 2; i++) {
		write_usage("tux", 9000 + i, ANNA(1));
		assert_refused("as of which usage is known");
	}
	write_file("tux.json", "{\"format\": \"fathom-usage\", \"version\": 1, \"cluster\": "
			       "\"tux\", \"usage\": []}");
	assert_refused("it has no time");
	unlink(in_folder("tux.json"));
	assert_refused("No such file");
	ck_assert(!symlink("tux.json", in_folder("tux.json")));
	assert_refused("Too many levels of symbolic links");
	unlink(in_folder("tux.json"));
	write_usage("tux", 0, ANNA(1) ", " BERT(1));
	host_pass();
	host_pass();
	assert_part(anna, .5);
	ck_assert_uint_eq(logged("counts again"), 1);
}

/* Clocks were ahead of the time and are set back: what was written then holds nothing up. */
TEST(clocks_may_be_set_back)
{
	open_with("Policy=classic", "");
	write_usage("tux", 0, ANNA(7200) ", " BERT(3600));
	host_pass();
	host_pass();
	assert_part(anna, 2 / 3.);
	host_advance(-5 * HOUR);
	write_usage("tux", 0, ANNA(1) ", " BERT(1));
	reconfigure(line("Policy=classic", ""));
	host_pass();
	host_advance(5 * HOUR);		/* until then, nothing is evaluated */
	host_pass();
	assert_part(anna, .5);
	ck_assert_uint_eq(logged("cannot use"), 0);
}

TEST(another_source_may_be_older)
{
	char conf[1024];

	open_with("Policy=classic", "");
	write_usage("tux", 9 * HOUR, ANNA(1) ", " BERT(1));
	ck_assert(!rename(in_folder("tux.json"), in_folder("older.json")));
	snprintf(conf, sizeof(conf), "Policy=classic\nGlobalShare=tux Source=%s\n",
		 in_folder("older.json"));
	reconfigure(conf);
	host_pass();
	assert_part(anna, .5);
	ck_assert_uint_eq(logged("cannot use"), 0);
}

TEST(missing_file_counts_as_nothing)
{
	two_users_grow(decaying);
	anna->usage = 100;
	host_passed_at(host_now());
	two_users_open();
	two_users_load(line("Policy=classic", ""));
	host_pass();
	assert_part(anna, 1);
	ck_assert_uint_eq(logged("No such file or directory; nothing of the cluster counts"), 1);
	write_usage("tux", 0, BERT(100));
	host_pass();
	host_pass();
	ck_assert_double_gt(part_of(bert), .4);
}

/* Own usage decays likewise, so the parts stay; what is stale is told once. */
TEST(stale_usage_fades)
{
	open_with("Policy=classic", "MaxAge=2h");
	ck_assert_uint_eq(logged("longer ago than MaxAge"), 0);
	host_advance(HOUR);
	host_pass();
	host_pass();
	ck_assert_uint_eq(logged("longer ago than MaxAge"), 1);
	use(bert, gpu, 1, HOUR);
	host_pass();
	ck_assert_double_lt(part_of(anna), .4);
	write_usage("tux", 0, ANNA(1));
	host_pass();
	ck_assert_uint_eq(logged("usage is new again"), 1);
}

/* Own usage does not decay, as nobody knows since when. */
TEST(it_decays_where_the_state_cannot_be_read)
{
	const double usage = 7200 * exp2(-(double)(HOUR + PERIOD) / HOUR);

	two_users_grow(decaying);
	bert->usage = 3600;
	host_passed_at(host_now());
	two_users_open();
	ck_assert(!symlink("fathom_usage", in_folder("fathom_usage")));	/* in a circle */
	write_usage("tux", HOUR, ANNA(7200));
	two_users_load(line("Policy=classic UsageFile=own.json", ""));
	host_pass();
	ck_assert_uint_eq(logged("until it can be read"), 1);
	ck_assert(!exists("own.json"));
	assert_part(anna, usage / (usage + 3600));
}

/* ---- fathom.conf ----------------------------------------------------------------------------- */

TEST(wrong_line_is_void)
{
	char conf[2048];

	two_users_grow(decaying);
	host_passed_at(host_now());
	two_users_open();
	write_usage("tux", 0, ANNA(2) ", " BERT(1));
	snprintf(conf, sizeof(conf), "%sGlobalShare=a Source=x\nGlobalShare=HOST Source=/x\n",
		 line("Policy=classic", ""));
	two_users_load(conf);
	host_pass();
	assert_part(anna, 2 / 3.);
	ck_assert_uint_eq(logged("fathom.conf:3: Source: 'x' is neither slurmdbd nor an absolute "
				 "path"), 1);
	ck_assert_uint_eq(logged("fathom.conf:4: GlobalShare: 'host' is this cluster itself"), 1);
	ck_assert_uint_eq(logged("stay in force"), 0);
}

TEST(without_the_line_nothing_counts)
{
	open_with("Policy=classic", "");
	assert_part(anna, 2 / 3.);
	reconfigure("Policy=classic");
	host_pass();
	assert_part(anna, 0);
}
