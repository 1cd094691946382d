/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * One pass of the plugin over a fixed cluster, for callgrind: tests/bench/pass_cost runs it. The
 * counts of a pass stand in the last file that callgrind writes.
 *
 *	pass_cost PLUGIN FLAGS [LINE]	PriorityFlags, a line of fathom.conf
 */
#include "controller/host.h"

#include <stdlib.h>
#include <valgrind/callgrind.h>

/* 1,988 associations, and twice as many jobs. */
static const struct host_shape shape = { .levels = 3, .branches = 6, .users = 8 };
#define PENDING 4000
#define RUNNING 400

static void configure(const char *flags, const char *fathom_conf)
{
	char path[256];
	FILE *file;

	host_configure("PriorityDecayHalfLife=7-0\nPriorityCalcPeriod=300\nPriorityMaxAge=7-0\n"
		       "PriorityWeightAge=1000\nPriorityWeightFairshare=100000\n"
		       "PriorityWeightJobSize=1000\nPriorityWeightPartition=1000\n"
		       "PriorityWeightQOS=2000\nPriorityWeightAssoc=500\n%s%s\n",
		       *flags ? "PriorityFlags=" : "", flags);
	if (!fathom_conf)
		return;
	snprintf(path, sizeof(path), "%s/fathom.conf", host_folder());
	file = fopen(path, "w");
	if (!file || fprintf(file, "%s\n", fathom_conf) < 0 || fclose(file))
		host_die("%s cannot be written", path);
}

int main(int argc, char **argv)
{
	if (argc < 3 || argc > 4)
		host_die("usage: pass_cost PLUGIN FLAGS [LINE]");
	host_make_folders(true);
	configure(argv[2], argv[3]);
	host_passed_at(host_now() - slurm_conf.priority_calc_period);
	host_grow(&shape);
	host_open();
	host_populate(PENDING, RUNNING, true);
	host_short_slices(true);	/* each slice is one block, however slow the simulation */
	host_load(argv[1]);
	CALLGRIND_START_INSTRUMENTATION;	/* before a pass that fills the caches */
	host_pass();
	CALLGRIND_ZERO_STATS;
	host_pass();
	CALLGRIND_DUMP_STATS;
	return !host_close();
}
