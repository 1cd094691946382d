/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads texts that Slurm's job records have, for a struct jobs. */
#pragma once

#include "core/piece.h"
#include "document/document.h"
#include "format/accounting/accounting.h"
#include "jobs/jobs.h"

/* States in records of ended jobs that are not known. Start with all members 0. */
struct unknown_states {
	char first[64];		/* the first of them */
	size_t count;		/* jobs with such states */
};

/* Returns the state of a word in a record of accounting. One that is not known is noted, and
 * becomes COMPLETED, because the states of jobs that wait or run are known. */
size_t slurm_jobs_find_ended(struct unknown_states *unknown, struct piece word);
/* Tells the user of the unknown states, if there are any. */
void slurm_jobs_tell_unknown(const struct unknown_states *unknown, struct document *input);

/* Jobs that have run, and whose allocated TRES have no billing. Slurm leaves out counts of 0, which
 * billing is where the weights of a partition are 0; but jobs from before Slurm 17.11 also have
 * none, and a billing below 1 is cut to 0. So they are charged their CPUs, and the user is told.
 * Start with all members 0. */
struct missing_billing {
	bool others_have_it;	/* another job has billing */
	size_t count;
	double cpu_seconds;
};

/* Sets job->billing, NAN if its TRES have none, to its CPUs, or else its nodes. The times of the
 * job are settled. is_allocated: it has TRES that were allocated. */
void slurm_jobs_settle_billing(struct missing_billing *missing, struct accounted_job *job,
			       bool is_allocated);
/* Tells the user of the jobs without billing, if others have it. */
void slurm_jobs_tell_missing(const struct missing_billing *missing, struct document *input);

/* Adds the counts of a text such as "cpu=4,mem=2G" to the jobs, and sets *amounts to them. Stops at
 * a word that is not NAME=COUNT. */
void slurm_jobs_add_tres(struct jobs *jobs, struct piece text, struct tres_amounts *amounts);
/* Sets *nodes to how many nodes a waiting job asks for, by which its priority is computed; leaves
 * it if the text does not tell. tres: what the job asks for, such as "cpu=4,node=1". Slurm's own
 * count of nodes is that of its last try to start the job, once there was one. */
void slurm_jobs_ask_nodes(struct piece tres, double *nodes);
/* Adds the partitions that a job asks for to the jobs, and sets the job's to them. names: with
 * commas between them. */
void slurm_jobs_add_partitions(struct jobs *jobs, struct piece names, struct job *job);
/* Counts the tasks of a job array that waits: 5 of "0-7:2,9%4", and of "0x255", which has a bit for
 * each; 0 of an empty list. Those that sacct has cut off count as one. -1: the text is not such a
 * list; *count: the tasks before the word that is not a number or a range. */
int slurm_jobs_count_tasks(struct piece list, double *count);

/* Completes the times of a job whose state is known; NAN: not known. Older releases of Slurm write
 * the time when a job was cancelled that waited as its start, too; its nodes, or else its state,
 * tell it from a job that has run for less than a second.
 * job->end: of a job that is running it becomes start + elapsed, the time until which it is known.
 * job->elapsed: if NAN, it becomes end - start; of a job that never started it becomes NAN.
 * start: seconds since 1970. nodes: as Slurm lists them; empty: not known. */
void slurm_jobs_settle_times(struct accounted_job *job, double start, struct piece nodes);
