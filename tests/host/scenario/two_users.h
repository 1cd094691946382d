/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cluster of many a test: anna and bert with equal shares of the account
 * physics, partitions gpu and cpu, the classic policy, no decay. What is logged
 * goes to a file that a test can look at.
 */
#ifndef HOST_TWO_USERS_H
#define HOST_TWO_USERS_H

#include "scenario/host_suite.h"

#define WEIGHT 1000		/* PriorityWeightFairshare */
#define PERIOD 300		/* PriorityCalcPeriod=5, minutes */

extern struct host_association *physics, *anna, *bert;
extern part_record_t *gpu, *cpu;

/* slurm_conf: lines that go beside the usual ones, or in their place. In this order: */
void two_users_grow(const char *slurm_conf);	/* more associations may follow */
void two_users_open(void);			/* and partitions, jobs */
void two_users_load(const char *fathom_conf);
/* All three, of a cluster where somebody has passed at this very moment. */
void two_users(const char *slurm_conf, const char *fathom_conf);

void write_conf(const char *text);	/* fathom.conf */
void reconfigure(const char *text);	/* the same, read by the plugin; a pass */
unsigned logged(const char *what);	/* how often */

double usage_of(const struct host_association *association);
job_record_t *wait_in(struct host_association *user, part_record_t *partition);
job_record_t *run_in(struct host_association *user, part_record_t *partition, uint32_t cpus);
void end_run(job_record_t *job);
/* A job that runs for that long, and is over. */
void use(struct host_association *user, part_record_t *partition, uint32_t cpus, time_t seconds);

/* The factor that sprio shows; NAN: it does not know the job. */
double shown(const job_record_t *job);
void assert_factor(const job_record_t *job, double expected);
/* 2^(-U_E / S) of a user with S = 1/2, in an account that has used all. */
double classic(double of_all);

#endif
