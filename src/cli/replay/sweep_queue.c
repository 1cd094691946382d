/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/replay/sweep_queue.h"

#include "cli/complain.h"
#include "memory/need_memory.h"

#include <errno.h>
#include <limits.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define SQUEUE_VARIABLE "SQUEUE_"	/* variables by which users choose what squeue shows */
#define NOT_KNOWN "it is not known which tasks wait or run, and none was submitted"

extern char **environ;

void sweep_job_name(const char *folder, char name[SWEEP_JOB_NAME_SIZE])
{
	uint64_t hash = 0xcbf29ce484222325;	/* FNV-1a */
	char path[PATH_MAX];

	if (!realpath(folder, path))
		refuse("--out: %s: %s", folder, strerror(errno));
	for (const char *at = path; *at; at++)
		hash = (hash ^ (unsigned char)*at) * 0x100000001b3;
	snprintf(name, SWEEP_JOB_NAME_SIZE, "fathom-replay-%016llx", (unsigned long long)hash);
}

/* Returns the environment without what users choose for squeue. */
static char **make_environment(void)
{
	size_t count = 0, kept = 0;
	char **made;

	while (environ[count])
		count++;
	made = need_zeros(count, sizeof(*made));
	for (size_t i = 0; i < count; i++)
		if (strncmp(environ[i], SQUEUE_VARIABLE, strlen(SQUEUE_VARIABLE)))
			made[kept++] = environ[i];
	return made;
}

/* Starts squeue, which writes to `out`. Returns 0 or an errno value. */
static int start(const char *job_name, int out, pid_t *child)
{
	const char *clusters = getenv("SBATCH_CLUSTERS");	/* where sbatch submits */
	char *arguments[] = { (char *)"squeue", (char *)"--noheader", (char *)"--array",
			      (char *)"--format=%K", (char *)"--name", (char *)job_name,
			      clusters ? (char *)"--clusters" : NULL, (char *)clusters, NULL };
	posix_spawn_file_actions_t actions;
	int code = posix_spawn_file_actions_init(&actions);

	if (!code)
		code = posix_spawn_file_actions_adddup2(&actions, out, STDOUT_FILENO);
	return code ? code : posix_spawnp(child, arguments[0], &actions, NULL, arguments,
					  make_environment());
}

/* Runs squeue, which writes to a file. */
static void run_squeue(const char *job_name, FILE *out)
{
	pid_t child;
	int status = 0, code = start(job_name, fileno(out), &child);

	while (!code && waitpid(child, &status, 0) < 0)
		code = errno == EINTR ? 0 : errno;
	if (code)
		refuse("squeue: %s; " NOT_KNOWN, strerror(code));
	if (!WIFEXITED(status) || WEXITSTATUS(status))
		refuse("squeue has failed; " NOT_KNOWN);
}

/* Notes a line of squeue: the number of a task. With several clusters, it names each of them. */
static void note_line(const char *line, bool *queued, size_t tasks)
{
	char *end;
	unsigned long task = strtoul(line, &end, 10);

	if (!*line || !strncmp(line, "CLUSTER:", strlen("CLUSTER:")))
		return;
	if (end == line || *end || task >= tasks)
		refuse("squeue: '%s', must be the number of a task below %zu; " NOT_KNOWN, line,
		       tasks);
	queued[task] = true;
}

void sweep_queue_read(const char *job_name, bool *queued, size_t tasks)
{
	char line[256];
	FILE *out = tmpfile();

	if (!out)
		refuse("%s: %s", P_tmpdir, strerror(errno));
	run_squeue(job_name, out);
	rewind(out);
	while (fgets(line, sizeof(line), out)) {
		line[strcspn(line, " \n")] = '\0';
		note_line(line, queued, tasks);
	}
	fclose(out);
}
