/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The client of make bench-live: what squeue, sprio, sshare, sbatch, scancel
 * and scontrol update ask of slurmctld, without the start of a process.
 *
 *   load submit COUNT USERS
 *	jobs of user1 to userUSERS at random; prints the first and the last number
 *   load measure SECONDS FIRST LAST USERS
 *	each kind of request in a thread of its own; prints one line a request:
 *	name, begin and end in nanoseconds (CLOCK_MONOTONIC), Slurm's error number
 */
#include "load_release.h"

#include <errno.h>
#include <pthread.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define SUBMIT_THREADS 8
#define REQUESTS_MOST 1000000	/* a kind; no run comes near */
#define SIZES 8			/* of jobs: 1 to 8 CPUs */

struct task {
	const struct client *client;
	pthread_t thread;
	unsigned seed;
	uint32_t first_job, last_job, users;
	uint32_t count;		/* of jobs to submit */
	uint32_t job;		/* the last submitted, or the first of all */
	int64_t end;		/* nanoseconds */
	struct sample *sample;
	size_t samples;
};

/* ---- time --------------------------------------------------------------------- */

static int64_t now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

/* Half to one and a half times `milliseconds`, so that no client keeps step with a pass. */
static void rest(struct task *task, unsigned milliseconds)
{
	double seconds = milliseconds * (0.5 + rand_r(&task->seed) / (double)RAND_MAX) / 1e3;
	struct timespec time = { .tv_sec = (time_t)seconds };

	time.tv_nsec = (long)((seconds - (double)time.tv_sec) * 1e9);
	nanosleep(&time, NULL);
}

/* ---- requests; 0 or Slurm's error number -------------------------------------- */

static const struct passwd *some_user(const struct task *task, struct passwd *user, char *text,
				      size_t size, uint32_t number)
{
	struct passwd *found = NULL;
	char name[32];

	snprintf(name, sizeof(name), "user%u", number % task->users + 1);
	getpwnam_r(name, user, text, size, &found);
	return found;
}

static int load_jobs(struct task *task)
{
	job_info_msg_t *jobs = NULL;

	(void)task;
	if (slurm_load_jobs(0, &jobs, SHOW_ALL))
		return errno;
	slurm_free_job_info_msg(jobs);
	return 0;
}

static int load_jobs_of_user(struct task *task)
{
	char text[1024];
	struct passwd user;
	job_info_msg_t *jobs = NULL;

	if (!some_user(task, &user, text, sizeof(text), (uint32_t)rand_r(&task->seed)))
		return ESLURM_USER_ID_MISSING;
	if (slurm_load_job_user(&jobs, user.pw_uid, SHOW_ALL))
		return errno;
	slurm_free_job_info_msg(jobs);
	return 0;
}

static int load_priorities(struct task *task)
{
	priority_factors_response_msg_t *factors = NULL;

	(void)task;
	if (release_load_priorities(&factors))
		return errno;
	slurm_free_priority_factors_response_msg(factors);
	return 0;
}

static int load_shares(struct task *task)
{
	shares_request_msg_t all = { 0 };
	slurm_msg_t request, reply;
	int code = SLURM_UNEXPECTED_MSG_ERROR;

	(void)task;
	slurm_msg_t_init(&request);
	slurm_msg_t_init(&reply);
	request.msg_type = REQUEST_SHARE_INFO;
	request.data = &all;
	if (slurm_send_recv_controller_msg(&request, &reply, working_cluster_rec) < 0)
		return errno;
	if (reply.msg_type == RESPONSE_SHARE_INFO) {
		slurm_free_shares_response_msg(reply.data);
		code = 0;
	}
	return code;
}

static int update(struct task *task)
{
	uint32_t jobs = task->last_job - task->first_job + 1;
	job_desc_msg_t change;

	slurm_init_job_desc_msg(&change);
	change.release_job_id = task->first_job + (uint32_t)rand_r(&task->seed) % jobs;
	change.nice = NICE_OFFSET + (uint32_t)rand_r(&task->seed) % 100;
	return slurm_update_job(&change) ? errno : 0;
}

static int submit(struct task *task)
{
	static char *environment[] = { "PATH=/usr/bin:/bin", NULL };
	uint32_t number = (uint32_t)rand_r(&task->seed);
	char text[1024];
	struct passwd user;
	job_desc_msg_t job;
	submit_response_msg_t *answer = NULL;

	if (!some_user(task, &user, text, sizeof(text), number))
		return ESLURM_USER_ID_MISSING;
	slurm_init_job_desc_msg(&job);
	job.name = "load";
	job.user_id = user.pw_uid;
	job.group_id = user.pw_gid;
	job.min_cpus = job.num_tasks = 1 + number / task->users % SIZES;
	job.time_limit = 30 * job.num_tasks;
	job.script = "#!/bin/sh\nexec sleep infinity\n";
	job.environment = environment;
	job.env_size = 1;
	job.work_dir = "/";
	job.std_in = job.std_out = job.std_err = "/dev/null";
	if (slurm_submit_batch_job(&job, &answer))
		return errno;
	task->job = answer->release_job_id;
	slurm_free_submit_response_response_msg(answer);
	return 0;
}

static int cancel(struct task *task)
{
	return task->job && release_kill_job(task->job) ? errno : 0;
}

/* Takes no lock: what the machine, the network and munge cost. */
static int ping(struct task *task)
{
	(void)task;
	return slurm_ping(0);
}

/* ---- clients ------------------------------------------------------------------ */

/* Requests in turn, each after a rest, so that it comes at any time of a pass. */
static const struct client {
	unsigned rest;		/* milliseconds, on average */
	struct {
		const char *name;
		int (*send)(struct task *task);
	} request[2];
} clients[] = {
	{ 1000, { { "squeue", load_jobs } } },
	{ 100, { { "squeue --user", load_jobs_of_user } } },
	{ 1000, { { "sprio", load_priorities } } },
	{ 100, { { "sshare", load_shares } } },
	{ 20, { { "scontrol update", update } } },
	{ 20, { { "sbatch", submit }, { "scancel", cancel } } },
	{ 20, { { "scontrol ping", ping } } },
};

struct sample {
	const char *name;
	int64_t begin, end;
	int status;
};

static void *run_client(void *argument)
{
	struct task *task = argument;

	for (size_t turn = 0; task->samples < REQUESTS_MOST; turn = !turn) {
		struct sample *sample = &task->sample[task->samples];

		if (!task->client->request[turn].send)
			continue;
		rest(task, task->client->rest);
		sample->name = task->client->request[turn].name;
		sample->begin = now();
		if (sample->begin >= task->end)
			break;
		sample->status = task->client->request[turn].send(task);
		sample->end = now();
		task->samples++;
	}
	return NULL;
}

static void *run_submit(void *argument)
{
	struct task *task = argument;

	for (uint32_t i = 0; i < task->count; i++)
		if (submit(task))
			return task;
	return NULL;
}

/* ---- threads ------------------------------------------------------------------ */

static void start(struct task *task, unsigned number, void *(*run)(void *))
{
	task->seed = number + 1;	/* the same in every run */
	if (pthread_create(&task->thread, NULL, run, task)) {
		perror("load: pthread_create");
		exit(EXIT_FAILURE);
	}
}

static int measure(double seconds, uint32_t first, uint32_t last, uint32_t users)
{
	enum { COUNT = sizeof(clients) / sizeof(*clients) };
	struct task tasks[COUNT];

	for (unsigned i = 0; i < COUNT; i++) {
		tasks[i] = (struct task){ .client = &clients[i], .first_job = first,
					  .last_job = last, .users = users,
					  .end = now() + (int64_t)(seconds * 1e9),
					  .sample = calloc(REQUESTS_MOST, sizeof(struct sample)) };
		if (!tasks[i].sample)
			return EXIT_FAILURE;
		start(&tasks[i], i, run_client);
	}
	for (unsigned i = 0; i < COUNT; i++) {
		pthread_join(tasks[i].thread, NULL);
		for (size_t j = 0; j < tasks[i].samples; j++) {
			const struct sample *sample = &tasks[i].sample[j];

			printf("%s\t%lld\t%lld\t%d\n", sample->name, (long long)sample->begin,
			       (long long)sample->end, sample->status);
		}
		free(tasks[i].sample);
	}
	return EXIT_SUCCESS;
}

static int submit_all(uint32_t count, uint32_t users)
{
	struct task tasks[SUBMIT_THREADS] = { { .users = users } };
	int status = EXIT_SUCCESS;
	uint32_t first;

	/* the first alone, for its number */
	tasks[0].seed = 1;
	if (submit(&tasks[0])) {
		slurm_perror("load: submit");
		return EXIT_FAILURE;
	}
	first = tasks[0].job;
	for (unsigned i = 0; i < SUBMIT_THREADS; i++) {
		tasks[i].users = users;
		tasks[i].count = (count - 1) / SUBMIT_THREADS + (i < (count - 1) % SUBMIT_THREADS);
		start(&tasks[i], i, run_submit);
	}
	for (unsigned i = 0; i < SUBMIT_THREADS; i++) {
		void *failed;

		pthread_join(tasks[i].thread, &failed);
		if (failed)
			status = EXIT_FAILURE;
	}
	if (status)
		fprintf(stderr, "load: not all jobs were taken\n");
	printf("%u %u\n", first, first + count - 1);
	return status;
}

int main(int argc, char **argv)
{
	uint32_t number[4] = { 0 };

	for (int i = 2; i < argc && i < 6; i++)
		number[i - 2] = (uint32_t)strtoul(argv[i], NULL, 10);
	slurm_init(NULL);
	if (argc == 4 && !strcmp(argv[1], "submit") && number[0] && number[1])
		return submit_all(number[0], number[1]);
	if (argc == 6 && !strcmp(argv[1], "measure") && number[2] >= number[1] && number[3])
		return measure(number[0], number[1], number[2], number[3]);
	fprintf(stderr, "load: give submit COUNT USERS, or measure SECONDS FIRST LAST USERS\n");
	return 2;
}
