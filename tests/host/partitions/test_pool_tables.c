/* SPDX-License-Identifier: GPL-2.0-or-later */
/* LSF's tables of queue-based fairshare, as a pass divides pools. See tests/data/pools.tables. */
#include "scenario/crash.h"
#include "scenario/two_users.h"

#define TABLES 11
#define MOST_QUEUES 16

struct pool_table {
	unsigned slots;
	char title[80];
	struct { char name[32], share[16]; unsigned wanted, priority, got; } queue[MOST_QUEUES];
	size_t count;
};

static void read_queue(struct pool_table *table, const char *line)
{
	size_t at = table->count++;

	ck_assert_msg(sscanf(line, "%31s %15s %u %u %u", table->queue[at].name,
			     table->queue[at].share, &table->queue[at].wanted,
			     &table->queue[at].priority, &table->queue[at].got) == 5, "%s", line);
}

/* Reads the number-th table. Returns how many the file has. */
static int read_table(struct pool_table *table, int number)
{
	const char *source = getenv("srcdir");
	char path[512], line[256];
	int count = 0;
	FILE *file;

	snprintf(path, sizeof(path), "%s/tests/data/pools.tables", source ? source : ".");
	file = fopen(path, "r");
	ck_assert_msg(file, "%s cannot be read", path);
	while (fgets(line, sizeof(line), file)) {
		if (!strncmp(line, "pool ", 5) && count++ == number)
			sscanf(line, "pool %u %79[^\n]", &table->slots, table->title);
		else if (*line != '#' && strncmp(line, "pool ", 5) && count == number + 1)
			read_queue(table, line);
	}
	fclose(file);
	return count;
}

/* Partitions on the same nodes; a job in each wants all that its queue wants. */
static void add_partitions(const struct pool_table *table)
{
	for (size_t i = 0; i < table->count; i++) {
		part_record_t *partition = host_partition(
			table->queue[i].name, (uint16_t)table->queue[i].priority, NULL);

		partition->node_bitmap = bit_alloc(4);
		bit_nset(partition->node_bitmap, 0, 2);
		partition->total_cpus = table->slots;
		if (table->queue[i].wanted)
			host_job(&(struct host_job){ .user = anna, .partition = { partition },
						     .cpus = table->queue[i].wanted });
	}
}

static void configure_pool(const struct pool_table *table)
{
	char conf[4096] = "FiguresFile=fathom.json\n";

	for (size_t i = 0; i < table->count; i++) {
		size_t length = strlen(conf);

		if (strcmp(table->queue[i].share, "-"))
			snprintf(conf + length, sizeof(conf) - length,
				 "SlotPool=p Partition=%s SlotShare=%s\n", table->queue[i].name,
				 table->queue[i].share);
	}
	reconfigure(conf);
}

/* FiguresFile from its pools on. */
static const char *read_pools(void)
{
	const char *pools = strstr(file_text("fathom.json"), ",\n\"pools\": [");

	ck_assert_ptr_nonnull(pools);
	return pools;
}

TEST_LOOP(partitions_of_a_pool_get_what_the_table_says, TABLES)
{
	struct pool_table table = { .slots = 0 };
	const char *pools;
	unsigned got;

	ck_assert_int_eq(read_table(&table, _i), TABLES);
	two_users("", "");
	add_partitions(&table);
	configure_pool(&table);
	pools = read_pools();
	for (size_t i = 0; i < table.count; i++) {
		char name[64];
		const char *at;

		snprintf(name, sizeof(name), "{\"name\": \"%s\", ", table.queue[i].name);
		at = strstr(pools, name);
		ck_assert_msg(at && sscanf(strstr(at, "\"got\""), "\"got\": %u", &got) == 1,
			      "%s: no %s in %s", table.title, name, pools);
		ck_assert_msg(got == table.queue[i].got, "%s: %s got %u, not %u", table.title,
			      table.queue[i].name, got, table.queue[i].got);
	}
}

/* A figure of a partition, as FiguresFile has it. */
static double figure_of(const char *partition, const char *key)
{
	char name[64];
	const char *at;
	double figure = -1;

	snprintf(name, sizeof(name), "{\"name\": \"%s\", ", partition);
	at = strstr(read_pools(), name);
	ck_assert_msg(at && (at = strstr(at, key)) && sscanf(at + strlen(key), ": %lf",
							     &figure) == 1, "%s", name);
	return figure;
}

/* Slot seconds of a partition. */
static double used_by(const char *partition)
{
	return figure_of(partition, "\"used\"");
}

static void replace_job_list(void *unused)
{
	compat_list copy = list_create(NULL);

	list_transfer(copy, job_list);
	list_destroy(job_list);
	job_list = copy;
}

/* slurmctld may replace the list while jobs are counted: each still counts once. */
TEST(jobs_of_a_list_that_is_replaced_count_once)
{
	const struct pool_table table = {
		.slots = 40, .queue = { { .name = "day", .share = "90" },
					{ .name = "night", .share = "10", .wanted = 40 } },
		.count = 2,
	};

	two_users("", "");
	add_partitions(&table);
	configure_pool(&table);
	for (int i = 0; i < 20; i++)
		wait_in(anna, host_find_partition("day"));
	host_short_slices(true);
	host_on_release(HOST_JOB, READ_LOCK, 1, replace_job_list, NULL);
	host_pass();
	ck_assert_double_eq(figure_of("day", "\"got\""), 20);
}

/* The partitions day and night of a pool, and guest outside, with a half-life of an hour: for an
 * hour day has used 3 CPUs, guest 2. */
static void use_pool_for_an_hour(void)
{
	const struct pool_table table = {
		.slots = 8, .queue = { { .name = "day", .share = "60" },
				       { .name = "night", .share = "40" },
				       { .name = "guest", .share = "-" } }, .count = 3,
	};

	two_users("PriorityDecayHalfLife=0-1", "");
	add_partitions(&table);
	configure_pool(&table);
	run_in(anna, host_find_partition("day"), 3);
	run_in(bert, host_find_partition("guest"), 2);
	host_wake();
	host_advance(3600);
	host_wake();
}

static void assert_used_for(int hours)
{
	double seconds = (1 - exp2(-hours)) * 3600 / log(2);

	ck_assert_double_eq_tol(used_by("day"), 3 * seconds, 1e-3);
	ck_assert_double_eq_tol(used_by("guest"), 2 * seconds, 1e-3);
	ck_assert(used_by("night") == 0);
}

/* Otherwise each restart would change who is served first. */
TEST(use_of_partitions_survives_a_crash)
{
	use_pool_for_an_hour();
	assert_used_for(1);
	for (int again = 0; again < 2; again++) {
		crash_and_restart();
		assert_used_for(1);
	}
	crash();
	host_advance(3600);
	host_load(FATHOM_PLUGIN);
	assert_used_for(2);
}

/* A link to itself cannot be opened. */
TEST(and_a_state_that_can_be_read_only_later)
{
	const char *state, *aside;

	use_pool_for_an_hour();
	crash();
	state = in_folder("fathom_usage");
	aside = in_folder("aside");
	ck_assert(!rename(state, aside) && !symlink(state, state));
	host_load(FATHOM_PLUGIN);
	ck_assert(used_by("day") == 0);
	ck_assert(!rename(aside, state));
	host_advance(3600);
	host_wake();
	assert_used_for(2);
	crash_and_restart();
	assert_used_for(2);
}

/* As for sums of scopes: the defaults, which have no pools, only stand in for the settings. */
TEST(and_a_start_at_which_no_good_settings_are_known)
{
	char good[1024];

	use_pool_for_an_hour();
	ck_assert(host_close());
	snprintf(good, sizeof(good), "%s", file_text("fathom.conf"));
	ck_assert(!unlink(in_folder("fathom_conf")));
	write_conf("Color=blue");
	host_load(FATHOM_PLUGIN);
	ck_assert_uint_eq(logged("; the defaults apply"), 1);
	crash_and_restart();
	host_advance(3600);
	reconfigure(good);
	assert_used_for(2);
}
