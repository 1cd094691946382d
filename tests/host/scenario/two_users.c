/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario/two_users.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct host_association *physics, *anna, *bert;
part_record_t *gpu, *cpu;

/* ---- the cluster ------------------------------------------------------------------ */

/* What stands in slurm.conf unless a test has its own. */
static const char *const usual[] = {
	"PriorityCalcPeriod=5", "PriorityDecayHalfLife=0", "PriorityFlags=NO_FAIR_TREE",
	"PriorityUsageResetPeriod=YEARLY", "PriorityWeightFairshare=1000",
};

static bool is_named(const char *slurm_conf, const char *line)
{
	char key[64];

	snprintf(key, sizeof(key), "%.*s", (int)strcspn(line, "=") + 1, line);
	return strstr(slurm_conf, key);
}

void two_users_grow(const char *slurm_conf)
{
	char lines[1024];
	int length = snprintf(lines, sizeof(lines), "%s\n", slurm_conf);

	for (size_t i = 0; i < sizeof(usual) / sizeof(*usual); i++)
		if (!is_named(slurm_conf, usual[i]))
			length += snprintf(lines + length, sizeof(lines) - (size_t)length, "%s\n",
					   usual[i]);
	setenv("HOST_LOG", "info", 0);
	setenv("TZ", "UTC", 1);
	capture_log();
	host_configure("%s", lines);
	physics = host_account(host_root(), "physics", 1);
	anna = host_user(physics, "anna", 1);
	bert = host_user(physics, "bert", 1);
}

void two_users_open(void)
{
	host_open();
	gpu = host_partition("gpu", 30, NULL);
	cpu = host_partition("cpu", 20, NULL);
}

void two_users_load(const char *fathom_conf)
{
	write_conf(fathom_conf);
	host_load(FATHOM_PLUGIN);
}

void two_users(const char *slurm_conf, const char *fathom_conf)
{
	two_users_grow(slurm_conf);
	host_passed_at(host_now());
	two_users_open();
	two_users_load(fathom_conf);
}

/* ---- usage -------------------------------------------------------------------------- */

double usage_of(const struct host_association *association)
{
	return (double)association->record->usage->usage_raw;
}

job_record_t *wait_in(struct host_association *user, part_record_t *partition)
{
	return host_job(&(struct host_job){ .user = user, .partition = { partition } });
}

job_record_t *run_in(struct host_association *user, part_record_t *partition, uint32_t cpus)
{
	job_record_t *job = host_job(&(struct host_job){ .user = user, .partition = { partition },
							 .cpus = cpus, .minutes = 6000 });

	host_job_begin(job, host_now());
	return job;
}

void end_run(job_record_t *job)
{
	host_job_end(job);
	host_job_cleaned(job);
}

void use(struct host_association *user, part_record_t *partition, uint32_t cpus, time_t seconds)
{
	job_record_t *job = run_in(user, partition, cpus);

	host_advance(seconds);
	end_run(job);
}

/* ---- factors ------------------------------------------------------------------------ */

double shown_in(const job_record_t *job, const part_record_t *partition)
{
	compat_list list = host_factors_list();
	compat_iterator iterator = list_iterator_create(list);
	priority_factors_object_t *object;
	double factor = NAN;

	while ((object = list_next(iterator)))
		if (host_job_of_object(object) == job->job_id &&
		    (!partition || !strcmp(object->partition, partition->name)))
			factor = compat_factors_of_object(object)->priority_fs / WEIGHT;
	list_iterator_destroy(iterator);
	FREE_NULL_LIST(list);
	return factor;
}

double shown(const job_record_t *job)
{
	return shown_in(job, NULL);
}

void assert_factor_in(const job_record_t *job, const part_record_t *partition, double expected)
{
	double factor = shown_in(job, partition);

	ck_assert_msg(fabs(factor - expected) < 1e-9, "in %s: %.17g, not %.17g",
		      partition ? partition->name : "its partition", factor, expected);
}

void assert_factor(const job_record_t *job, double expected)
{
	assert_factor_in(job, NULL, expected);
}

double classic(double of_all)
{
	return exp2(-(of_all + 1) / 2 / .5);
}
