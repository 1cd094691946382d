/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of names that a formula may use, and their values for a job. */
#include "priority/fields.h"

#include "priority/factors.h"

#include <string.h>

#define SECONDS_PER_MINUTE 60

/* A row of the table. system: from which the name comes. origin: JOB, FACTOR, SHARES or POLICY, see
 * enum fathom_field_of. group: PLAIN, FACTOR or TRES, see enum fields_group. member: of struct
 * fields. */
#define FIELD(name, system, meaning, origin, group, member)                  \
	{ { name, system, meaning, NULL, FATHOM_OF_##origin }, FIELDS_##group, \
	  offsetof(struct fields, member) }

static const struct {
	struct fathom_field field;
	enum fields_group group;
	size_t offset;		/* of the member of struct fields with the value */
} table[] = {
	FIELD("age", "Slurm", "time since the job became eligible over PriorityMaxAge, 0 to 1",
	      JOB, FACTOR, age),
	FIELD("assoc", "Slurm", "priority of the association over the highest, 0 to 1",
	      JOB, FACTOR, assoc),
	FIELD("fairshare", "Slurm", "fair-share factor by the policy in force, 0 to 1",
	      FACTOR, FACTOR, fairshare),
	FIELD("job_size", "Slurm", "size of the job over that of the cluster, 0 to 1",
	      JOB, FACTOR, job_size),
	FIELD("partition", "Slurm", "PriorityJobFactor of the partition over the highest, 0 to 1",
	      JOB, FACTOR, partition),
	FIELD("qos", "Slurm", "priority of the QOS over the highest, 0 to 1", JOB, FACTOR, qos),
	FIELD("site", "Slurm", "site factor, an integer", JOB, PLAIN, site),
	FIELD("nice", "Slurm", "nice value as given, an integer; greater is less urgent",
	      JOB, PLAIN, nice),
	FIELD("w_age", "Slurm", "age times PriorityWeightAge", JOB, FACTOR, w_age),
	FIELD("w_assoc", "Slurm", "assoc times PriorityWeightAssoc", JOB, FACTOR, w_assoc),
	FIELD("w_fairshare", "Slurm", "fairshare times PriorityWeightFairshare",
	      FACTOR, FACTOR, w_fairshare),
	FIELD("w_job_size", "Slurm", "job_size times PriorityWeightJobSize",
	      JOB, FACTOR, w_job_size),
	FIELD("w_partition", "Slurm", "partition times PriorityWeightPartition",
	      JOB, FACTOR, w_partition),
	FIELD("w_qos", "Slurm", "qos times PriorityWeightQOS", JOB, FACTOR, w_qos),
	FIELD("w_tres", "Slurm", "sum of the factors of all TRES, weighted by PriorityWeightTRES",
	      JOB, TRES, w_tres),
	FIELD("norm_shares", "fathom", "normalised shares of the association, 0 to 1",
	      SHARES, PLAIN, norm_shares),
	FIELD("effective_usage", "fathom", "effective usage of the association, 0 to 1",
	      SHARES, PLAIN, effective_usage),
	FIELD("fairshare_perc", "OpenPBS", "part of the whole that is promised, 0 to 1",
	      POLICY, PLAIN, norm_shares),
	{ { "fair_share_perc", "OpenPBS", "deprecated name of fairshare_perc", "fairshare_perc",
	    FATHOM_OF_POLICY }, FIELDS_PLAIN, offsetof(struct fields, norm_shares) },
	FIELD("fairshare_tree_usage", "OpenPBS", "usage with the part of the siblings, 0 to 1",
	      POLICY, PLAIN, effective_usage),
	FIELD("fairshare_factor", "OpenPBS", "fairshare", FACTOR, FACTOR, fairshare),
	FIELD("eligible_time", "OpenPBS", "seconds since the job became eligible",
	      JOB, PLAIN, eligible_time),
	FIELD("queue_priority", "OpenPBS", "PriorityJobFactor of the partition",
	      JOB, PLAIN, queue_priority),
	FIELD("job_priority", "OpenPBS", "the job's own priority: the nice value, negated",
	      JOB, PLAIN, job_priority),
	FIELD("accrue_type", "OpenPBS",
	      "0 initial, 1 not eligible, 2 eligible, 3 running, 4 exiting",
	      JOB, PLAIN, accrue_type),
	FIELD("ncpus", "OpenPBS", "CPUs that the job asks for", JOB, PLAIN, ncpus),
	FIELD("nodect", "OpenPBS", "nodes that the job asks for", JOB, PLAIN, nodect),
	FIELD("ngpus", "OpenPBS", "GPUs that the job asks for", JOB, PLAIN, ngpus),
	FIELD("mem", "OpenPBS", "memory that the job asks for, in kilobytes", JOB, PLAIN, mem),
	FIELD("walltime", "OpenPBS", "time limit of the job, else of the partition, in seconds",
	      JOB, PLAIN, walltime),
	FIELD("cput", "OpenPBS", "CPU time that the job asks for, in seconds; always 0 in Slurm",
	      JOB, PLAIN, cput),
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

/* Sets the group FIELDS_PLAIN. */
static void fill_plain(struct fields *fields, const struct fathom_formula_job *given)
{
	const struct fathom_job *job = given->job;

	fields->site = (double)job->site;
	fields->nice = (double)job->nice;
	fields->norm_shares = given->norm_shares;
	fields->effective_usage = given->effective_usage;
	fields->eligible_time = job->age > 0 ? job->age : 0;	/* 0 for NAN too */
	fields->queue_priority = given->queue->partition_factor;
	fields->job_priority = -fields->nice;
	fields->accrue_type = given->accrue_type;
	fields->ncpus = job->cpus;
	fields->nodect = job->nodes;
	fields->ngpus = given->gpus;
	fields->mem = given->memory;
	fields->walltime = job->minutes * SECONDS_PER_MINUTE;
	fields->cput = given->cpu_time;
}

/* Sets the group FIELDS_FACTOR. */
static void fill_factors(struct fields *fields, const struct fathom_formula_job *given)
{
	const struct fathom_priority_config *config = given->config;
	const struct fathom_weights *weight = &config->weight;

	fields->age = factor_age(config, given->job);
	fields->assoc = factor_assoc(config, given->job);
	fields->fairshare = factor_clamp(given->job->fairshare);
	fields->job_size = fathom_job_size(config, given->job);
	fields->partition = factor_partition(config, given->queue);
	fields->qos = factor_qos(config, given->queue);
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

	/* isalnum() would depend on the locale */
	for (char *c = name; c && *c; c++)
		if (!strchr("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789", *c))
			*c = '_';
	return name;
}
