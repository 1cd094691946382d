/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job as records of accounting tell it, of any system. */
#pragma once

#include "core/cpu_use.h"
#include "document/document.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Texts whose `at` is NULL and times that are NAN are not known. Times are seconds since 1970. */
struct accounted_job {
	size_t line;		/* of the file; 0: it has none */
	int64_t row;		/* of a database's table "jobs", or 0 */
	int64_t id;		/* 0 or more */
	struct piece user, account, qos;
	struct piece partitions;	/* separated by commas */
	struct piece queue;	/* its number, in a trace that has partitions, too */
	double submit, eligible, end;
	bool end_is_guess;	/* the records do not tell when it started or ended */
	double elapsed;		/* seconds that it ran, 0 or more; NAN: it has not run */
	double trace_submit;	/* the submit time as a trace counts it that has a beginning of its
				 * own; of other records it is 0, see accounting_scan() */
	double billing;		/* what it is charged each second */
	double cpu_time;	/* seconds on all CPUs together; if has_cpu_time */
	bool has_cpu_time;
	double memory, gpus;	/* that it used, else asked for; memory: megabytes */
	double time_limit;	/* minutes; 0: none */
	double cpus, nodes;	/* whole */
	struct piece tres;	/* as Slurm writes them: cpu=4,mem=8000M */
	size_t state;		/* for job_state_name() */
	double queue_priority, bank_priority;	/* of flux-accounting; 0: none */
	double array_tasks;	/* of a job array that is pending as one job */
};

/* Returns the CPU seconds of a job in each second, as in struct fathom_run_rate. */
static inline double accounted_cpu_use(const struct accounted_job *job)
{
	return job->has_cpu_time && job->elapsed > 0 ? cpu_use_of(job->cpu_time, job->elapsed) : 0;
}

/* Fails, see wrong_at(), with what is wrong in a job's record. */
_Noreturn void wrong_job(struct document *input, const struct accounted_job *job,
			 const char *format, ...) __attribute__((format(printf, 3, 4)));
