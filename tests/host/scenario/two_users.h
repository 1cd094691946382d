/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The cluster of many tests: anna and bert have equal shares of the account physics;
 * there are the partitions gpu and cpu; the policy is classic, without decay. The log
 * is captured.
 */
#pragma once

#include "scenario/captured_log.h"
#include "scenario/host_files.h"
#include "scenario/host_suite.h"

#define WEIGHT 1000		/* PriorityWeightFairshare */
#define PERIOD 300		/* PriorityCalcPeriod=5, minutes */

extern struct host_association *physics, *anna, *bert;
extern part_record_t *gpu, *cpu;

/* To be called in this order. slurm_conf: lines that are added to the usual ones, or
 * replace those of the same key. */
void two_users_grow(const char *slurm_conf);	/* a test may add associations afterwards, */
void two_users_open(void);			/* and then partitions and jobs */
void two_users_load(const char *fathom_conf);
/* Calls all three; priority/multifactor did its last pass just now. */
void two_users(const char *slurm_conf, const char *fathom_conf);

double usage_of(const struct host_association *association);
job_record_t *wait_in(struct host_association *user, part_record_t *partition);
job_record_t *run_in(struct host_association *user, part_record_t *partition, uint32_t cpus);
void end_run(job_record_t *job);
/* Runs a job from its begin to its end. */
void use(struct host_association *user, part_record_t *partition, uint32_t cpus, time_t seconds);

/* The factor that sprio shows, in the partition or, where it is NULL, in the last one;
 * NAN if sprio does not list the job. */
double shown_in(const job_record_t *job, const part_record_t *partition);
double shown(const job_record_t *job);
void assert_factor_in(const job_record_t *job, const part_record_t *partition, double expected);
void assert_factor(const job_record_t *job, double expected);
/* 2^(-U_E / S) of a user with S = 1/2 whose account has all usage; of_all is the
 * user's part of it. */
double classic(double of_all);
