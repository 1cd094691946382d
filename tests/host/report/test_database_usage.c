/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Source=slurmdbd: what slurmdbd has summed up of another cluster counts by figures computed by
 * hand, each hour once. It is asked seldom, for little at a time, and may be away or hang.
 */
#include "scenario/crash.h"
#include "scenario/two_users.h"

#include <math.h>
#include <time.h>
#include <unistd.h>

#define HOUR 3600
#define DAY (24 * HOUR)
#define TOLERANCE 1e-9

static const char decaying[] = "PriorityDecayHalfLife=1:00:00";

/* The begin of an hour that ended so many hours before the present one began. */
static time_t hours_ago(int hours)
{
	return host_now() - host_now() % HOUR - (hours + 1) * HOUR;
}

/* The local time. */
static const char *zone = "UTC";

/* slurmdbd has summed up all hours up to this one. */
static void summed_up_to(time_t hour)
{
	host_database_add("tux", NULL, NULL, NULL, hour, 0);
}

static void used(const char *user, time_t hour, uint64_t seconds)
{
	host_database_add("tux", "physics", user, NULL, hour, seconds);
}

static double part_of(const struct host_association *who)
{
	return (double)who->record->usage->usage_norm;
}

static void assert_part(const struct host_association *who, double expected)
{
	ck_assert_msg(fabs(part_of(who) - expected) < TOLERANCE, "%s has %.15g, not %.15g",
		      who->user ? who->user : who->account, part_of(who), expected);
}

static void assert_requests(unsigned clusters, unsigned associations)
{
	struct host_database_requests made = host_database_requests();

	ck_assert_uint_eq(made.clusters, clusters);
	ck_assert_uint_eq(made.associations, associations);
	ck_assert_int_le(made.longest, 8 * HOUR);
}

/* own: anna's usage here. */
static void open_with(const char *slurm_conf, double own, const char *behind)
{
	char conf[256];

	two_users_grow(slurm_conf);
	setenv("TZ", zone, 1);
	tzset();
	anna->usage = own;
	host_passed_at(host_now());
	two_users_open();
	snprintf(conf, sizeof(conf), "Policy=classic\nFiguresFile=figures.json\n"
		 "GlobalShare=tux Source=slurmdbd %s\n", behind);
	two_users_load(conf);
	host_pass();
}

/* ---- figures by hand ----------------------------------------------------------------------- */

/* bert's 8000 s of an hour whose middle is two half-lives before the end of the last hour. */
TEST(hours_decay_from_their_middle)
{
	double own = 1000, since = (double)(host_now() % HOUR);
	double theirs = 8000 * exp2(-1.5 - since / HOUR) * .5;

	used("bert", hours_ago(1), 8000);
	summed_up_to(hours_ago(0));
	open_with(decaying, own, "Weight=.5");
	assert_part(anna, own / (own + theirs));
	assert_part(bert, theirs / (own + theirs));
	ck_assert(!(usage_of(bert) > 0));
}

TEST(without_a_half_life_all_hours_count_alike)
{
	used("bert", hours_ago(300 * 24), 300);
	used("anna", hours_ago(0), 100);
	used("anna", hours_ago(370 * 24), 5000);
	open_with("PriorityDecayHalfLife=0", 0, "");
	assert_part(bert, .75);
	assert_part(anna, .25);
}

TEST(without_a_half_life_hours_count_for_a_year)
{
	used("anna", hours_ago(360 * 24), 100);
	used("bert", hours_ago(0), 100);
	open_with("PriorityDecayHalfLife=0\nPriorityUsageResetPeriod=NONE", 0, "");
	assert_part(bert, .5);
	host_advance(40 * DAY);
	summed_up_to(hours_ago(0));
	host_pass();
	host_pass();
	assert_part(bert, 1);
}

/* 2023-11-14T22:13:20 is the time. */
TEST(what_is_before_the_last_reset_does_not_count)
{
	time_t midnight = host_now() - host_now() % DAY;

	used("bert", midnight - HOUR, 900);
	used("bert", midnight, 100);
	used("anna", hours_ago(0), 100);
	open_with("PriorityDecayHalfLife=0\nPriorityUsageResetPeriod=DAILY", 0, "");
	assert_part(bert, .5);
	assert_requests(1, 4);
	host_advance(3 * HOUR);
	used("anna", hours_ago(0), 50);
	host_pass();
	host_pass();
	assert_part(anna, 1);
}

/* At once, though slurmdbd has no hour of the new day yet. */
TEST(reset_does_not_wait_for_an_hour)
{
	used("bert", hours_ago(0), 900);
	open_with("PriorityDecayHalfLife=0\nPriorityUsageResetPeriod=DAILY", 0, "");
	assert_part(bert, 1);
	host_advance(2 * HOUR);
	host_pass();
	host_pass();
	assert_part(bert, 0);
	ck_assert_uint_eq(logged("cannot use slurmdbd"), 0);
	used("anna", host_now() - host_now() % DAY, 50);
	host_advance(HOUR);
	host_pass();
	host_pass();
	assert_part(anna, 1);
}

/* The hour that was over last is summed up late. */
TEST(short_half_lives_leave_an_hour)
{
	used("bert", hours_ago(1), 1000000);
	open_with("PriorityDecayHalfLife=0:05:00", 0, "");
	assert_part(bert, 1);
	ck_assert_uint_eq(logged("cannot use slurmdbd"), 0);
}

/* 100 s in each of 24 hours, which are asked for in several requests. */
static void assert_that_all_hours_count(const char *where, time_t first)
{
	zone = where;
	for (int i = 0; i < 24; i++)
		used("bert", first + i * HOUR, 100);
	open_with("PriorityDecayHalfLife=0\nPriorityUsageResetPeriod=NONE", 2400, "");
	assert_part(bert, .5);
}

/* Local hours begin at half past an hour of UTC. */
TEST(zones_with_half_hours_lose_nothing)
{
	assert_that_all_hours_count("Asia/Kolkata", hours_ago(30) + HOUR / 2);
}

/* The hour from 2 to 3 is there twice, and a request ends between the two. */
TEST(end_of_daylight_saving_loses_nothing)
{
	host_advance(3 * HOUR);
	assert_that_all_hours_count("Europe/Berlin", 1698523200);	/* 2023-10-28T20:00 UTC */
}

TEST(partitions_and_accounts_are_found)
{
	host_database_add("tux", "phys", "anna", "gpu", hours_ago(0), 300);
	host_database_add("tux", "physics", "anna", NULL, hours_ago(0), 300);
	host_database_add("tux", "physics", "bert", NULL, hours_ago(0), 200);
	host_database_add("tux", "art", "bert", NULL, hours_ago(0), 1);
	host_database_add("kit", "physics", "bert", NULL, hours_ago(0), 50000);
	open_with("PriorityDecayHalfLife=0", 0, "Map=phys:physics");
	assert_part(anna, .75);
	assert_part(bert, .25);
	ck_assert_uint_eq(logged("GlobalShare=tux: 1 s are in accounts that this cluster "
				 "lacks"), 1);
}

/* anna has 100 s of her own and 300 s in partitions, carl nothing of his own. */
static void assert_that_partitions_count_once(bool sums)
{
	struct host_association *carl, *art;

	for (int i = 0; i < 2; i++) {
		used("anna", hours_ago(i), 50);
		host_database_add("tux", "physics", "anna", "cpu", hours_ago(i), 40);
		host_database_add("tux", "physics", "anna", "gpu", hours_ago(i), 110);
		used("bert", hours_ago(i), 200);
		host_database_add("tux", "art", "carl", NULL, hours_ago(i), 0);
		host_database_add("tux", "art", "carl", "cpu", hours_ago(i), 100);
		host_database_add("tux", "art", "carl", "gpu", hours_ago(i), 10);
	}
	host_database_sum_partitions(sums || SLURM_SUMS_PARTITIONS);
	two_users_grow("PriorityDecayHalfLife=0:10:00");
	art = host_account(host_root(), "art", 1);
	carl = host_user(art, "carl", 1);
	host_passed_at(host_now());
	two_users_open();
	two_users_load("Policy=classic\nGlobalShare=tux Source=slurmdbd\n");
	host_pass();
	assert_part(anna, 20 / 51.);
	assert_part(bert, 20 / 51.);
	assert_part(carl, 11 / 51.);
}

TEST(partitions_are_not_in_the_association_without_one)
{
	assert_that_partitions_count_once(false);
}

/* From 23.11 on. */
TEST(partitions_are_taken_off_the_association_without_one)
{
	assert_that_partitions_count_once(true);
}

/* ---- each hour once, and seldom asked -------------------------------------------------------- */

TEST(each_hour_is_asked_for_once)
{
	used("bert", hours_ago(0), 300);
	used("anna", hours_ago(-1), 10000);	/* an hour that is not over */
	open_with("PriorityDecayHalfLife=0\nPriorityUsageResetPeriod=DAILY", 100, "");
	assert_part(bert, .75);
	assert_requests(1, 4);
	host_pass();
	host_pass();
	assert_requests(0, 0);
	host_advance(HOUR);		/* it is over now */
	host_pass();
	host_pass();
	assert_requests(2, 1);
	assert_part(bert, 300 / 10400.);
	reconfigure("Policy=classic\nGlobalShare=tux Source=slurmdbd MaxAge=12h\n");
	host_pass();
	assert_requests(0, 0);
	assert_part(bert, 300 / 10400.);
}

/* From midnight to midnight, as the hour before what is not known is asked for, too. */
TEST(hours_of_a_whole_day_are_told)
{
	host_advance(3 * HOUR);
	summed_up_to(hours_ago(0));
	open_with("PriorityDecayHalfLife=0\nPriorityUsageResetPeriod=NONE", 100, "");
	host_advance(23 * HOUR - 2 * PERIOD);
	used("bert", hours_ago(0), 300);
	host_pass();
	host_pass();
	assert_part(bert, .75);
}

TEST(later_hours_add_to_those_before)
{
	double first = 1000 * exp2(-3.5), second = 500 * exp2(-.5);

	used("bert", hours_ago(1), 1000);
	summed_up_to(hours_ago(0));
	open_with(decaying, 0, "");
	assert_part(bert, 1);
	host_advance(2 * HOUR);
	used("anna", hours_ago(0), 500);
	host_pass();
	host_pass();
	assert_part(anna, second / (first + second));
}

/* Until slurmdbd has summed up the next hour, passes ask for little. */
TEST(late_sums_are_asked_for_by_few_hours)
{
	struct host_database_requests made;

	used("bert", hours_ago(0), 300);
	open_with("PriorityDecayHalfLife=0", 100, "");
	host_database_requests();
	host_advance(HOUR);
	host_pass();
	host_pass();
	made = host_database_requests();
	ck_assert_uint_ge(made.clusters, 1);
	ck_assert_int_le(made.longest_of_cluster, 6 * HOUR);
	ck_assert_uint_eq(made.associations, 0);
	assert_part(bert, .75);
	ck_assert_uint_eq(logged("cannot use slurmdbd"), 0);
}

/* Records of jobs came late: a job of yesterday is counted, and nothing twice. */
TEST(hours_that_are_summed_up_again_count)
{
	used("anna", hours_ago(1), 100);
	used("bert", hours_ago(0), 100);
	open_with("PriorityDecayHalfLife=0", 0, "");
	assert_part(anna, .5);
	host_advance(HOUR);
	used("anna", hours_ago(20), 200);
	summed_up_to(hours_ago(0));
	host_pass();
	host_pass();
	assert_part(anna, .75);
}

/* ---- slurmdbd that does not answer --------------------------------------------------------- */

TEST(slurmdbd_may_be_away)
{
	used("bert", hours_ago(0), 300);
	open_with("PriorityDecayHalfLife=0", 100, "MaxAge=5h");
	assert_part(bert, .75);
	host_database_set(HOST_DATABASE_IS_AWAY);
	host_advance(6 * HOUR);
	host_pass();
	host_pass();
	assert_part(bert, .75);
	ck_assert_uint_eq(logged("GlobalShare=tux: cannot use slurmdbd: it does not answer; what "
				 "is known of the cluster goes on counting"), 1);
	ck_assert_uint_eq(logged("longer ago than MaxAge"), 1);
	host_database_set(HOST_DATABASE_ANSWERS);
	used("bert", hours_ago(3), 600);
	summed_up_to(hours_ago(0));
	host_pass();
	host_pass();
	assert_part(bert, .9);
	ck_assert_uint_eq(logged("slurmdbd counts again"), 1);
	ck_assert_uint_eq(logged("usage is new again"), 1);
}

/* slurmdbd has lost its own database: that is not "nobody has used anything". */
static void assert_that_all_counts_later(enum host_database_state state)
{
	used("bert", hours_ago(0), 300);
	open_with("PriorityDecayHalfLife=0", 100, "");
	host_database_set(state);
	host_advance(HOUR);
	used("bert", hours_ago(0), 600);
	host_pass();
	host_pass();
	assert_part(bert, .75);
	ck_assert_uint_eq(logged("cannot use slurmdbd: it does not tell usage"), 1);
	host_database_set(HOST_DATABASE_ANSWERS);
	host_pass();
	host_pass();
	assert_part(bert, .9);
}

TEST(associations_without_usage_change_nothing)
{
	assert_that_all_counts_later(HOST_DATABASE_LACKS_USAGE);
}

TEST(clusters_without_usage_change_nothing)
{
	assert_that_all_counts_later(HOST_DATABASE_LACKS_SUMS);
}

/* ---- fathom.conf changes ------------------------------------------------------------------- */

TEST(map_counts_at_once)
{
	host_database_add("tux", "phys", "bert", NULL, hours_ago(0), 300);
	used("anna", hours_ago(0), 100);
	open_with("PriorityDecayHalfLife=0", 0, "");
	assert_part(anna, 1);
	reconfigure("Policy=classic\nGlobalShare=tux Source=slurmdbd Map=phys:physics\n");
	host_pass();
	assert_part(bert, .75);
	host_database_set(HOST_DATABASE_IS_AWAY);
	host_advance(2 * HOUR);
	host_pass();
	reconfigure("Policy=classic\nGlobalShare=tux Source=slurmdbd\n");
	host_pass();
	assert_part(anna, 1);
	ck_assert_uint_eq(logged("it does not answer"), 1);
}

/* For a while, and back. */
TEST(source_may_be_a_file)
{
	char text[512];

	used("bert", hours_ago(0), 300);
	open_with("PriorityDecayHalfLife=0", 0, "");
	assert_part(bert, 1);
	snprintf(text, sizeof(text), "{\"format\": \"fathom-usage\", \"version\": 1, \"cluster\": "
		 "\"tux\", \"time\": %ld, \"usage\": [{\"account\": \"physics\", \"user\": "
		 "\"anna\", \"usage\": 5}]}\n", (long)host_now());
	write_file("tux.json", text);
	snprintf(text, sizeof(text), "Policy=classic\nGlobalShare=tux Source=%s\n",
		 in_folder("tux.json"));
	reconfigure(text);
	host_pass();
	assert_part(anna, 1);
	reconfigure("Policy=classic\nGlobalShare=tux Source=slurmdbd\n");
	host_pass();
	assert_part(bert, 1);
}

/* ---- and slurmctld starts or ends ---------------------------------------------------------- */

/* After a restart nothing is known of it, which is said. */
TEST(restart_without_slurmdbd_is_told)
{
	used("bert", hours_ago(0), 300);
	open_with("PriorityDecayHalfLife=0", 100, "");
	host_database_set(HOST_DATABASE_IS_AWAY);
	crash_and_restart();
	host_pass();
	assert_part(bert, 0);
	ck_assert_uint_eq(logged("it does not answer; nothing of the cluster counts"), 1);
	host_database_set(HOST_DATABASE_ANSWERS);
	host_pass();
	host_pass();
	assert_part(bert, .75);
}

TEST(unknown_cluster_is_told)
{
	host_database_add("kit", NULL, NULL, NULL, hours_ago(0), 0);
	open_with(decaying, 100, "");
	ck_assert_uint_eq(logged("cannot use slurmdbd: it does not know the cluster; nothing of "
				 "the cluster counts"), 1);
	summed_up_to(hours_ago(-1));
	host_pass();
	ck_assert_uint_eq(logged("it has summed up no hour of the cluster yet"), 1);
}

static bool figures_are_of(time_t time)
{
	const struct timespec millisecond = { .tv_nsec = 1000000 };
	char wanted[64];

	snprintf(wanted, sizeof(wanted), "\"time\": %ld", (long)time);
	for (int i = 0; i < 10000 && !strstr(file_text("figures.json"), wanted); i++)
		nanosleep(&millisecond, NULL);
	return strstr(file_text("figures.json"), wanted);
}

/* Passes, files and the shutdown go on. */
TEST(slurmdbd_may_hang)
{
	used("bert", hours_ago(0), 300);
	open_with("PriorityDecayHalfLife=0", 100, "");
	alarm(60);
	host_database_set(HOST_DATABASE_HANGS);
	host_leave_helpers(1);
	host_advance(HOUR);
	for (int i = 0; i < 3; i++) {
		host_pass();
		ck_assert(figures_are_of(host_now()));
	}
	assert_part(bert, .75);
	ck_assert_uint_eq(logged("cannot read sources of GlobalShare: the previous read has not "
				 "ended"), 1);
	host_leave_helpers(0);
	ck_assert(host_close());
	host_database_set(HOST_DATABASE_ANSWERS);
}

/* A line that is removed meanwhile counts no more, and all others go on. */
TEST(lines_may_go_while_slurmdbd_hangs)
{
	used("bert", hours_ago(0), 300);
	host_database_add("kit", "physics", "anna", NULL, hours_ago(0), 300);
	open_with("PriorityDecayHalfLife=0", 100, "\nGlobalShare=kit Source=slurmdbd");
	assert_part(bert, 3 / 7.);
	alarm(60);
	host_database_set(HOST_DATABASE_HANGS);
	host_leave_helpers(1);
	host_advance(HOUR);
	host_pass();
	reconfigure("Policy=classic\nGlobalShare=KIT Source=slurmdbd Weight=2\n");
	host_pass();
	assert_part(anna, 1);
	ck_assert(usage_of(anna) > 0);
	host_leave_helpers(0);
	ck_assert(host_close());
	host_database_set(HOST_DATABASE_ANSWERS);
}

/* The first request hangs. */
static void assert_that_nothing_is_asked_after_the_end(void)
{
	const struct timespec while_it_may_ask = { .tv_nsec = 300000000 };

	host_leave_helpers(0);
	ck_assert(host_close());
	assert_requests(1, 0);
	host_database_set(HOST_DATABASE_ANSWERS);
	nanosleep(&while_it_may_ask, NULL);
	assert_requests(0, 0);
}

/* slurmctld frees the connection when it ends: the thread that it has left asks no more. */
TEST(nothing_is_asked_after_a_shutdown_in_the_first_request)
{
	used("bert", hours_ago(0), 300);
	alarm(60);
	host_database_set(HOST_DATABASE_HANGS);
	host_leave_helpers(1);
	open_with("PriorityDecayHalfLife=0", 100, "");
	assert_that_nothing_is_asked_after_the_end();
}

TEST(nothing_is_asked_after_the_shutdown)
{
	used("bert", hours_ago(0), 300);
	used("bert", hours_ago(-1), 100);	/* the hour that is over in the next pass */
	host_database_add("kit", "physics", "anna", NULL, hours_ago(0), 300);
	open_with("PriorityDecayHalfLife=0", 100, "\nGlobalShare=kit Source=slurmdbd");
	alarm(60);
	host_database_requests();
	host_database_set(HOST_DATABASE_HANGS);
	host_leave_helpers(1);
	host_advance(HOUR);
	host_pass();
	assert_that_nothing_is_asked_after_the_end();
}
