/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * make bench-plugin: passes of multifactor and of fathom, side by side on the
 * same clusters, with the goals beside them.
 */
#include "plugin_bench.h"

#include <getopt.h>
#include <stdlib.h>
#include <string.h>

#define RUNS 3

static const struct goal daily[] = {
	{ PASS_CPU, RATIO, 4 },
	{ JOB_WRITE_LONGEST, RATIO, 50 },
	{ JOB_READ_LONGEST, OF_WRITE, 10 },
	{ ASSOC_WRITE_LONGEST, RATIO, 10 },
	{ ASSOC_READ_LONGEST, OF_WRITE, 10 },
	{ SET_PRIORITY, RATIO, 1 },
	{ SPRIO_LIST, RATIO, 1 },
	{ SSHARE_LIST, RATIO, 1 },
	{ FIGURES, RATIO, 0 },
};

static const struct goal many_jobs[] = {
	{ PASS_CPU, RATIO, 4 },
	{ JOB_WRITE_LONGEST, MOST, 5e-3 },
	{ JOB_READ_LONGEST, MOST, 5e-3 },
	{ ASSOC_WRITE_LONGEST, MOST, 5e-3 },
	{ ASSOC_READ_LONGEST, MOST, 5e-3 },
	{ SET_PRIORITY, RATIO, 1 },
	{ SPRIO_LIST, RATIO, 1 },
	{ SSHARE_LIST, RATIO, 1 },
	{ FIGURES, RATIO, 0 },
};

/* Multifactor does not do this work. */
static const struct goal placing[] = {
	{ JOB_WRITE_LONGEST, MOST, 1e-3 },
	{ JOB_READ_LONGEST, MOST, 1e-3 },
	{ ASSOC_WRITE_LONGEST, MOST, 5e-3 },
	{ ASSOC_READ_LONGEST, MOST, 5e-3 },
	{ FIGURES, RATIO, 0 },
};

/* What others wait for must not grow with the cluster. */
static const struct goal short_holds[] = {
	{ JOB_WRITE_LONGEST, MOST, 1e-3 },
	{ JOB_READ_LONGEST, MOST, 1e-3 },
	{ ASSOC_WRITE_LONGEST, MOST, 1e-3 },
	{ ASSOC_READ_LONGEST, MOST, 1e-3 },
	{ QOS_WRITE_LONGEST, MOST, 1e-3 },
	{ QOS_READ_LONGEST, MOST, 1e-3 },
	{ END_OF_JOB, MOST, 0.5e-3 },
	{ FIGURES, RATIO, 0 },
};

static const struct goal wide[] = {
	{ PASS_CPU, RATIO, 1000 },
	{ FIGURES, RATIO, 0 },
};

static const struct goal none[] = { { FIGURES, RATIO, 0 } };

#define LARGE { .levels = 4, .branches = 10, .users = 9 }
#define MEDIUM { .levels = 3, .branches = 10, .users = 9 }

#define DAILY .shape = LARGE, .pending = 100000, .running = 10000, .passes = 5, \
	      .timed_reads = 3, .goals = daily
#define MANY_JOBS .shape = MEDIUM, .running = 10000, .passes = 5, .timed_reads = 3

/* `share` of a million associations and pending jobs, and of 100,000 running ones */
#define SIZE(share) .shape = { .levels = 4, .branches = 10, .users = 100 * (share) - 1 }, \
		    .pending = 1000000 * (share), .running = 100000 * (share), .passes = 3, \
		    .timed_reads = 1, .goals = none, .alone = true

static const struct cluster clusters[] = {
	{ "classic", .flags = "NO_FAIR_TREE", DAILY },
	{ "depth-oblivious", .flags = "DEPTH_OBLIVIOUS", DAILY },
	{ "fair-tree", DAILY },
	{ "million-jobs", MANY_JOBS, .pending = 1000000, .goals = many_jobs },
	{ "lsf", MANY_JOBS, .pending = 100000, .goals = placing, .fathom_conf = "Policy=lsf" },
	/* each user has two leaves */
	{ "user-shares", MANY_JOBS, .pending = 100000, .goals = placing,
	  .fathom_conf = "Scope=all Partitions=batch,gpu,long,debug Policy=lsf "
			 "UserShares=\"[g, 5] [g@, 1]\"\nUserGroup=g Members=all" },
	{ "many-running", .shape = MEDIUM, .pending = 1000, .running = 100000,
	  .more_partitions = 496, .passes = 5, .timed_reads = 3, .goals = short_holds },
	/* Two users in five have sums, as their jobs run. With more accounts Slurm sorts its list
	 * for a minute. */
	{ "churn", .shape = { 2, 10, 1000 }, .pending = 1000, .running = 50000, .churn = 200,
	  .passes = 3, .timed_reads = 2, .goals = short_holds, .fathom_conf = "Policy=lsf" },
	/* a pass of multifactor takes ten seconds here */
	{ "wide-account", .flags = "DEPTH_OBLIVIOUS", .shape = { 1, 1, 20000 }, .pending = 20000,
	  .passes = 2, .timed_reads = 1, .goals = wide },
	{ "size-0.1", SIZE(0.1) },
	{ "size-0.3", SIZE(0.3) },
	{ "size-1", SIZE(1) },
};
#define CLUSTERS (sizeof(clusters) / sizeof(*clusters))

struct options {
	const char *only;
	unsigned runs;
	bool in_order;
	const char *path[PLUGINS];
	size_t plugins;		/* how many are given */
};

/* ---- command line --------------------------------------------------------------- */

static void usage(FILE *file)
{
	fprintf(file,
		"Usage: plugin_bench [--case NAME] [--runs N] MULTIFACTOR.so FATHOM.so "
		"[OTHER.so]\n\n"
		"Measures passes of priority plugins, each run in a process of its own, in "
		"turns;\n"
		"prints medians, and the goals beside them. OTHER.so is another build of fathom.\n"
		"\n"
		"  --case NAME  one cluster alone:\n");
	for (size_t i = 0; i < CLUSTERS; i++)
		fprintf(file, "                 %s\n", clusters[i].name);
	fprintf(file,
		"  --runs N     runs of each plugin (%d)\n"
		"  --in-order   the nodes of the job list lie side by side, its jobs do not\n"
		"  --help       this text\n\n"
		"HOST_LOG=debug2 in the environment shows how long fathom's steps take.\n", RUNS);
}

static bool is_cluster(const char *name)
{
	for (size_t i = 0; i < CLUSTERS; i++)
		if (!strcmp(clusters[i].name, name))
			return true;
	return false;
}

static unsigned positive(const char *text)
{
	char *end;
	unsigned long value = strtoul(text, &end, 10);

	if (end == text || *end || !value || value > 1000)
		host_die("--runs: '%s' is not a number from 1 to 1000", text);
	return (unsigned)value;
}

static struct options options_read(int argc, char **argv)
{
	static const struct option known[] = {
		{ "case", required_argument, NULL, 'c' },
		{ "runs", required_argument, NULL, 'r' },
		{ "in-order", no_argument, NULL, 'o' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct options options = { .runs = RUNS };
	int option;

	while ((option = getopt_long(argc, argv, "", known, NULL)) != -1) {
		if (option == 'h')
			usage(stdout), exit(0);
		else if (option == 'c')
			options.only = optarg;
		else if (option == 'r')
			options.runs = positive(optarg);
		else if (option == 'o')
			options.in_order = true;
		else
			exit(2);
	}
	if (options.only && !is_cluster(options.only))
		host_die("--case: no cluster is called '%s'; --help lists them", options.only);
	if (argc - optind < OTHER || argc - optind > PLUGINS)
		host_die("give multifactor's plugin, fathom's, and perhaps another fathom's; "
			 "see --help");
	options.plugins = (size_t)(argc - optind);
	memcpy(options.path, argv + optind, options.plugins * sizeof(*options.path));
	return options;
}

/* ---- runs ----------------------------------------------------------------------- */

/* In turns, so that a busy neighbour slows down both. */
static void run(const struct cluster *cluster, const struct options *options,
		const struct memory *memory)
{
	struct results results = { 0 };

	for (unsigned i = 0; i < options->runs; i++)
		for (size_t plugin = cluster->alone ? FATHOM : MULTIFACTOR;
		     plugin < options->plugins; plugin++)
			measure(cluster, options->path[plugin], !options->in_order,
				results.series[plugin]);
	report(cluster, &results, memory);
	for (size_t plugin = 0; plugin < PLUGINS; plugin++)
		for (size_t i = 0; i < FIGURES; i++)
			free(results.series[plugin][i].value);
}

int main(int argc, char **argv)
{
	struct options options = options_read(argc, argv);
	struct memory memory = memory_measure();

	host_make_folders(false);
	for (size_t i = 0; i < CLUSTERS; i++)
		if (options.only ? !strcmp(options.only, clusters[i].name) : !clusters[i].alone)
			run(&clusters[i], &options, &memory);
	printf("Medians of %u run%s of each plugin, in turns; the first pass of a run does not "
	       "count.\n"
	       "*: multifactor's longest hold to write, over fathom's to read.\n"
	       "Memory: %.1f GB/s in a row; %.1f ns a line here and there, %.1f ns where each "
	       "names "
	       "the next.\n",
	       options.runs, options.runs == 1 ? "" : "s", memory.stream / 1e9,
	       memory.scattered * 1e9, memory.chained * 1e9);
	return 0;
}
