/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of names that a formula may use, and their values for a job. */
#include "priority/fields.h"

#include "priority/factors.h"

#include <string.h>

#define SECONDS_PER_MINUTE 60

/* A row of the table. origin: JOB, FACTOR, SHARES or POLICY, see enum fathom_field_of; group: see
 * enum fields_group; member: that of struct fields with the value. */
#define FIELD(name, system, origin, group, member, meaning)                  \
	{ { name, system, meaning, NULL, FATHOM_OF_##origin }, FIELDS_##group, \
	  offsetof(struct fields, member) }

static const struct {
	struct fathom_field field;
	enum fields_group group;
	size_t offset;		/* of the member of struct fields with the value */
} table[] = {
	FIELD("age", "Slurm", JOB, FACTOR, age,
	      "time since the job became eligible over PriorityMaxAge, 0 to 1"),
	FIELD("assoc", "Slurm", JOB, FACTOR, assoc,
	      "priority of the association over the highest, 0 to 1"),
	FIELD("fairshare", "Slurm", FACTOR, FACTOR, fairshare,
	      "fair-share factor by the policy in force, 0 to 1"),
	FIELD("job_size", "Slurm", JOB, FACTOR, job_size,
	      "size of the job over that of the cluster, 0 to 1"),
	FIELD("partition", "Slurm", JOB, FACTOR, partition,
	      "PriorityJobFactor of the partition over the highest, 0 to 1"),
	FIELD("qos", "Slurm", JOB, FACTOR, qos, "priority of the QOS over the highest, 0 to 1"),
	FIELD("site", "Slurm", JOB, PLAIN, site, "site factor, an integer"),
	FIELD("nice", "Slurm", JOB, PLAIN, nice,
	      "nice value as given, an integer; greater is less urgent"),
	FIELD("w_age", "Slurm", JOB, FACTOR, w_age, "age times PriorityWeightAge"),
	FIELD("w_assoc", "Slurm", JOB, FACTOR, w_assoc, "assoc times PriorityWeightAssoc"),
	FIELD("w_fairshare", "Slurm", FACTOR, FACTOR, w_fairshare,
	      "fairshare times PriorityWeightFairshare"),
	FIELD("w_job_size", "Slurm", JOB, FACTOR, w_job_size,
	      "job_size times PriorityWeightJobSize"),
	FIELD("w_partition", "Slurm", JOB, FACTOR, w_partition,
	      "partition times PriorityWeightPartition"),
	FIELD("w_qos", "Slurm", JOB, FACTOR, w_qos, "qos times PriorityWeightQOS"),
	FIELD("w_tres", "Slurm", JOB, TRES, w_tres,
	      "sum of the factors of all TRES, weighted by PriorityWeightTRES"),
	FIELD("norm_shares", "fathom", SHARES, PLAIN, norm_shares,
	      "normalised shares of the association, 0 to 1"),
	FIELD("effective_usage", "fathom", SHARES, PLAIN, effective_usage,
	      "effective usage of the association, 0 to 1"),
	FIELD("fairshare_perc", "OpenPBS", POLICY, PLAIN, norm_shares,
	      "part of the whole that is promised, 0 to 1"),
	{ { "fair_share_perc", "OpenPBS", "deprecated name of fairshare_perc", "fairshare_perc",
	    FATHOM_OF_POLICY }, FIELDS_PLAIN, offsetof(struct fields, norm_shares) },
	FIELD("fairshare_tree_usage", "OpenPBS", POLICY, PLAIN, effective_usage,
	      "usage with the part of the siblings, 0 to 1"),
	FIELD("fairshare_factor", "OpenPBS", FACTOR, FACTOR, fairshare, "fairshare"),
	FIELD("eligible_time", "OpenPBS", JOB, PLAIN, eligible_time,
	      "seconds since the job became eligible"),
	FIELD("queue_priority", "OpenPBS", JOB, PLAIN, queue_priority,
	      "PriorityJobFactor of the partition"),
	FIELD("job_priority", "OpenPBS", JOB, PLAIN, job_priority,
	      "the job's own priority: the nice value, negated"),
	FIELD("accrue_type", "OpenPBS", JOB, PLAIN, accrue_type,
	      "0 initial, 1 not eligible, 2 eligible, 3 running, 4 exiting"),
	FIELD("ncpus", "OpenPBS", JOB, PLAIN, ncpus, "CPUs that the job asks for"),
	FIELD("nodect", "OpenPBS", JOB, PLAIN, nodect, "nodes that the job asks for"),
	FIELD("ngpus", "OpenPBS", JOB, PLAIN, ngpus, "GPUs that the job asks for"),
	FIELD("mem", "OpenPBS", JOB, PLAIN, mem, "memory that the job asks for, in kilobytes"),
	FIELD("walltime", "OpenPBS", JOB, PLAIN, walltime,
	      "time limit of the job, else of the partition, in seconds"),
	FIELD("cput", "OpenPBS", JOB, PLAIN, cput,
	      "CPU time that the job asks for, in seconds; always 0 in Slurm"),
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

/* Sets the fields that are copied from the job, not computed. */
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

/* Sets the factors and the weighted factors. */
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
