/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What GlobalShare costs: passes of one cluster, and of the same one with the usage of others,
 * whose files all change before each pass.
 *
 *	global_bench PLUGIN CLUSTERS	0: without other clusters
 *
 * Prints the wall time of a pass in milliseconds (of the decay thread), that until the files are
 * read (by the other thread), and the most memory of the process in megabytes. Of each time the
 * least and the median: on a busy machine the least is nearer to the truth.
 *
 * All runs on one core, and as many files are written whatever is read of them: the caches that a
 * pass finds are equally cold.
 */
#include "controller/host.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

/* Some 10,000 users, and as many pending jobs. */
static const struct host_shape shape = { .levels = 3, .branches = 7, .users = 29 };
#define PENDING 10000
#define RUNNING 1000
#define PASSES 21
#define FILES 50

static void write_usage(int cluster)
{
	struct host_association **all;
	char path[2][256];
	const char *comma = "";
	size_t count;
	FILE *file;

	snprintf(path[0], sizeof(*path), "%s/next.json", host_folder());
	snprintf(path[1], sizeof(*path), "%s/c%d.json", host_folder(), cluster);
	file = fopen(path[0], "w");
	if (!file)
		host_die("%s cannot be written", path[0]);
	fprintf(file, "{\"format\": \"fathom-usage\", \"version\": 1, \"cluster\": \"c%d\", "
		"\"time\": %ld, \"usage\": [", cluster, (long)host_now());
	all = host_associations(&count);
	for (size_t i = 0; i < count; i++) {
		if (!all[i]->user)
			continue;
		fprintf(file, "%s\n{\"account\": \"%s\", \"user\": \"%s\", \"usage\": %.17g}",
			comma, all[i]->account, all[i]->user, 1e6 * host_random_real());
		comma = ",";
	}
	fputs("]}\n", file);
	if (fclose(file) || rename(path[0], path[1]))
		host_die("%s cannot be written", path[1]);
}

static void configure(int clusters)
{
	char path[256];
	FILE *file;

	host_configure("PriorityDecayHalfLife=7-0\nPriorityCalcPeriod=5\n"
		       "PriorityWeightFairshare=100000\n");
	snprintf(path, sizeof(path), "%s/fathom.conf", host_folder());
	file = fopen(path, "w");
	if (!file)
		host_die("%s cannot be written", path);
	for (int i = 0; i < clusters; i++)
		fprintf(file, "GlobalShare=c%d Source=%s/c%d.json\n", i, host_folder(), i);
	fclose(file);
}

static void use_one_core(void)
{
	cpu_set_t core;

	CPU_ZERO(&core);
	CPU_SET(sched_getcpu(), &core);
	sched_setaffinity(0, sizeof(core), &core);
}

static int compare(const void *a, const void *b)
{
	double first = *(const double *)a, second = *(const double *)b;

	return (first > second) - (first < second);
}

int main(int argc, char **argv)
{
	double pass[PASSES], whole[PASSES];
	struct rusage used;
	int clusters = argc == 3 ? atoi(argv[2]) : -1;

	if (clusters < 0)
		host_die("usage: global_bench PLUGIN CLUSTERS");
	use_one_core();
	host_make_folders(true);
	configure(clusters);
	host_passed_at(host_now());
	host_grow(&shape);
	host_open();
	host_populate(PENDING, RUNNING, true);
	host_load(argv[1]);
	for (int i = 0; i < PASSES; i++) {
		double begin;

		for (int j = 0; j < FILES || j < clusters; j++)
			write_usage(j);
		begin = host_seconds(CLOCK_MONOTONIC);
		host_pass();
		whole[i] = host_seconds(CLOCK_MONOTONIC) - begin;
		pass[i] = host_last_pass()->wall;
	}
	qsort(pass, PASSES, sizeof(*pass), compare);
	qsort(whole, PASSES, sizeof(*whole), compare);
	getrusage(RUSAGE_SELF, &used);
	printf("%d clusters: pass %.1f to %.1f ms, with files %.0f to %.0f ms, %.0f MB\n", clusters,
	       1e3 * pass[0], 1e3 * pass[PASSES / 2], 1e3 * whole[0], 1e3 * whole[PASSES / 2],
	       (double)used.ru_maxrss / 1024);
	return !host_close();
}
