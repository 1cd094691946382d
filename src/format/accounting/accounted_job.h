/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A job as its record of accounting describes it. */
#pragma once

#include "core/cpu_use.h"
#include "core/piece.h"
#include "document/document.h"

#include <stdint.h>

/* A job of any system. Times are seconds since 1970; a time that is not known is NAN, a text that
 * is not known is empty. */
struct accounted_job {
	size_t line;		/* of the file; 0: the file has no lines */
	int64_t row;		/* of a database's table "jobs"; 0: the file is not one */
	int64_t id;		/* 0 or more */
	struct piece user, account, qos;
	struct piece group;		/* of the user, as the record of PBS tells it */
	struct piece partitions;	/* separated by commas */
	struct piece queue;	/* of a trace that has queues and partitions: the queue's number */
	double submit, eligible, end;
	bool end_is_guess;	/* the record does not tell the wait, so `end` may be too early */
	double elapsed;		/* seconds that it ran, 0 or more; NAN: it has not run */
	double trace_submit;	/* of a trace that has its own time: the submit time in seconds
				 * from the trace's time 0; otherwise 0 */
	double trace_start;	/* that time 0, in seconds since 1970; SWF_NO_START or less: the
				 * trace does not tell it */
	double billing;		/* billing TRES: what it is charged each second */
	double cpu_time;	/* seconds on all CPUs together, if has_cpu_time */
	bool has_cpu_time;
	double memory, gpus;	/* used, or else asked for; 0: not known; memory: megabytes */
	double time_limit;	/* minutes; 0: none */
	double cpus, nodes;	/* whole; 0: not known */
	struct piece tres;	/* as Slurm writes them: cpu=4,mem=8000M */
	size_t state;		/* for job_state_name() */
	double queue_priority, bank_priority;	/* of flux-accounting; 0: none */
	double array_tasks;	/* tasks of a pending job array that has one record; else 0 or 1 */
};

/* Returns the CPU seconds that a job used each second, see core/cpu_use.h; 0: not known. */
static inline double accounted_cpu_use(const struct accounted_job *job)
{
	return job->has_cpu_time && job->elapsed > 0 ? cpu_use_of(job->cpu_time, job->elapsed) : 0;
}

/* Fails, see wrong_at(), with a message about a job's record; it names the line or the row. */
_Noreturn void wrong_job(struct document *input, const struct accounted_job *job,
			 const char *format, ...) __attribute__((format(printf, 3, 4)));
