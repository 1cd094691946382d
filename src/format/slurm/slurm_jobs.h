/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Texts of Slurm's job records in a struct jobs. */
#pragma once

#include "core/piece.h"
#include "jobs/jobs.h"

/* Finds a state as job_state_find() does, also one that Slurm shows while a job passes from one to
 * another, such as COMPLETING. */
size_t slurm_jobs_find_state(struct piece word);
/* Adds the counts of a text such as "cpu=4,mem=2G"; what follows a word that is none is left
 * out. */
void slurm_jobs_add_tres(struct jobs *jobs, struct piece text, struct tres_amounts *amounts);
/* Adds the partitions that a job asks for, with commas between them. */
void slurm_jobs_add_partitions(struct jobs *jobs, struct piece names, struct job *job);
/* Counts the tasks of a job array that waits, such as "0-7:2,9%4"; text: or NULL. */
double slurm_jobs_count_tasks(const char *text);
