/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of names that a formula may use, and their values for a job. */
#include "priority/fields.h"

#include "priority/factors.h"

#include <string.h>

#define SECONDS_PER_MINUTE 60

#define PLAIN(field) FIELDS_PLAIN, offsetof(struct fields, field)
#define FACTOR(field) FIELDS_FACTOR, offsetof(struct fields, field)
#define TRES(field) FIELDS_TRES, offsetof(struct fields, field)

static const struct {
	struct fathom_field field;
	enum fields_group group;
	size_t offset;
} table[] = {
	{ { "age", "Slurm", "time since the job became eligible over PriorityMaxAge, 0 to 1",
	    NULL, FATHOM_OF_JOB }, FACTOR(age) },
	{ { "assoc", "Slurm", "priority of the association over the highest, 0 to 1",
	    NULL, FATHOM_OF_JOB }, FACTOR(assoc) },
	{ { "fairshare", "Slurm", "fair-share factor by the policy in force, 0 to 1",
	    NULL, FATHOM_OF_FACTOR }, FACTOR(fairshare) },
	{ { "job_size", "Slurm", "size of the job over that of the cluster, 0 to 1",
	    NULL, FATHOM_OF_JOB }, FACTOR(job_size) },
	{ { "partition", "Slurm", "PriorityJobFactor of the partition over the highest, 0 to 1",
	    NULL, FATHOM_OF_JOB }, FACTOR(partition) },
	{ { "qos", "Slurm", "priority of the QOS over the highest, 0 to 1",
	    NULL, FATHOM_OF_JOB }, FACTOR(qos) },
	{ { "site", "Slurm", "site factor, an integer", NULL, FATHOM_OF_JOB }, PLAIN(site) },
	{ { "nice", "Slurm", "nice value as given, an integer; greater is less urgent",
	    NULL, FATHOM_OF_JOB }, PLAIN(nice) },
	{ { "w_age", "Slurm", "age times PriorityWeightAge", NULL, FATHOM_OF_JOB }, FACTOR(w_age) },
	{ { "w_assoc", "Slurm", "assoc times PriorityWeightAssoc",
	    NULL, FATHOM_OF_JOB }, FACTOR(w_assoc) },
	{ { "w_fairshare", "Slurm", "fairshare times PriorityWeightFairshare",
	    NULL, FATHOM_OF_FACTOR }, FACTOR(w_fairshare) },
	{ { "w_job_size", "Slurm", "job_size times PriorityWeightJobSize",
	    NULL, FATHOM_OF_JOB }, FACTOR(w_job_size) },
	{ { "w_partition", "Slurm", "partition times PriorityWeightPartition",
	    NULL, FATHOM_OF_JOB }, FACTOR(w_partition) },
	{ { "w_qos", "Slurm", "qos times PriorityWeightQOS", NULL, FATHOM_OF_JOB }, FACTOR(w_qos) },
	{ { "w_tres", "Slurm", "sum of the factors of all TRES, weighted by PriorityWeightTRES",
	    NULL, FATHOM_OF_JOB }, TRES(w_tres) },
	{ { "norm_shares", "fathom", "normalised shares of the association, 0 to 1",
	    NULL, FATHOM_OF_SHARES }, PLAIN(norm_shares) },
	{ { "effective_usage", "fathom", "effective usage of the association, 0 to 1",
	    NULL, FATHOM_OF_SHARES }, PLAIN(effective_usage) },
	{ { "fairshare_perc", "OpenPBS", "part of the whole that is promised, 0 to 1",
	    NULL, FATHOM_OF_POLICY }, PLAIN(norm_shares) },
	{ { "fair_share_perc", "OpenPBS", "deprecated name of fairshare_perc",
	    "fairshare_perc", FATHOM_OF_POLICY }, PLAIN(norm_shares) },
	{ { "fairshare_tree_usage", "OpenPBS", "usage with the part of the siblings, 0 to 1",
	    NULL, FATHOM_OF_POLICY }, PLAIN(effective_usage) },
	{ { "fairshare_factor", "OpenPBS", "fairshare",
	    NULL, FATHOM_OF_FACTOR }, FACTOR(fairshare) },
	{ { "eligible_time", "OpenPBS", "seconds since the job became eligible",
	    NULL, FATHOM_OF_JOB }, PLAIN(eligible_time) },
	{ { "queue_priority", "OpenPBS", "PriorityJobFactor of the partition",
	    NULL, FATHOM_OF_JOB }, PLAIN(queue_priority) },
	{ { "job_priority", "OpenPBS", "the job's own priority: the nice value, negated",
	    NULL, FATHOM_OF_JOB }, PLAIN(job_priority) },
	{ { "accrue_type", "OpenPBS", "0 initial, 1 not eligible, 2 eligible, 3 running, 4 exiting",
	    NULL, FATHOM_OF_JOB }, PLAIN(accrue_type) },
	{ { "ncpus", "OpenPBS", "CPUs that the job asks for", NULL, FATHOM_OF_JOB }, PLAIN(ncpus) },
	{ { "nodect", "OpenPBS", "nodes that the job asks for",
	    NULL, FATHOM_OF_JOB }, PLAIN(nodect) },
	{ { "ngpus", "OpenPBS", "GPUs that the job asks for", NULL, FATHOM_OF_JOB }, PLAIN(ngpus) },
	{ { "mem", "OpenPBS", "memory that the job asks for, in kilobytes",
	    NULL, FATHOM_OF_JOB }, PLAIN(mem) },
	{ { "walltime", "OpenPBS", "time limit of the job, else of the partition, in seconds",
	    NULL, FATHOM_OF_JOB }, PLAIN(walltime) },
	{ { "cput", "OpenPBS", "CPU time that the job asks for, in seconds; always 0 in Slurm",
	    NULL, FATHOM_OF_JOB }, PLAIN(cput) },
};

size_t fathom_field_count(void)
{
	return sizeof(table) / sizeof(*table);
}

const struct fathom_field *fathom_field_at(size_t index)
{
	return &table[index].field;
}

enum fields_group fields_group_of(size_t index)
{
	return table[index].group;
}

double *fields_value(struct fields *fields, size_t index)
{
	return (double *)((char *)fields + table[index].offset);
}

/* ---- values of a job ------------------------------------------------------------ */

/* The fields that are copied from the job. */
static void fill_plain(struct fields *fields, const struct fathom_formula_job *of)
{
	const struct fathom_job *job = of->job;

	fields->site = (double)job->site;
	fields->nice = (double)job->nice;
	fields->norm_shares = of->norm_shares;
	fields->effective_usage = of->effective_usage;
	fields->eligible_time = job->age > 0 ? job->age : 0;	/* 0 for NAN too */
	fields->queue_priority = of->queue->partition_factor;
	fields->job_priority = -fields->nice;
	fields->accrue_type = of->accrue_type;
	fields->ncpus = job->cpus;
	fields->nodect = job->nodes;
	fields->ngpus = of->gpus;
	fields->mem = of->memory;
	fields->walltime = job->minutes * SECONDS_PER_MINUTE;
	fields->cput = of->cpu_time;
}

static void fill_factors(struct fields *fields, const struct fathom_formula_job *of)
{
	const struct fathom_priority_config *config = of->config;
	const struct fathom_weights *weight = &config->weight;

	fields->age = factor_age(config, of->job);
	fields->assoc = factor_assoc(config, of->job);
	fields->fairshare = factor_clamp(of->job->fairshare);
	fields->job_size = fathom_job_size(config, of->job);
	fields->partition = factor_partition(config, of->queue);
	fields->qos = factor_qos(config, of->queue);
	fields->w_age = fields->age * weight->age;
	fields->w_assoc = fields->assoc * weight->assoc;
	fields->w_fairshare = fields->fairshare * weight->fairshare;
	fields->w_job_size = fields->job_size * weight->job_size;
	fields->w_partition = fields->partition * weight->partition;
	fields->w_qos = fields->qos * weight->qos;
}

void fields_fill(struct fields *fields, const struct fathom_formula_job *job, unsigned groups)
{
	fill_plain(fields, job);
	if (groups & FIELDS_FACTOR)
		fill_factors(fields, job);
	if (groups & FIELDS_TRES)
		fields->w_tres = factor_weighted_tres(job->config, job->job, job->queue, NULL);
}

char *fields_tres_name(const char *tres)
{
	char *name = strdup(tres);

	for (char *at = name; at && *at; at++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", *at))
			*at = '_';
	return name;
}
