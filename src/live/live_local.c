/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Answers questions about this host's Slurm, each in a child process that uses libslurm and
 * ends. */
#include "live/live_private.h"

#include "document/document.h"
#include "src/common/read_config.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#define USUAL_SLURM_CONF "/etc/slurm/slurm.conf"
#define CONFIGLESS_SLURM_CONF "/run/slurm/conf/slurm.conf"	/* slurmd has it from slurmctld */

/* ---- a process of its own ---------------------------------------------------------- */

/* A question, asked in a child process: writes its answer to stderr, and returns the exit status, 0
 * if it has an answer. */
typedef int question(void);

/* Asks a question in the child, and ends it. ends: of the pipe to the parent. */
static void answer(question *ask, const int ends[2])
{
	dup2(ends[1], STDERR_FILENO);
	_exit(ask());
}

/* Reads all that the child writes, so that it can end, and keeps what fits into `size` bytes,
 * without the last newlines. */
static void read_answer(int end, char *text, size_t size)
{
	char block[512];
	size_t length = 0;
	ssize_t got;

	while ((got = read(end, block, sizeof(block))) > 0 || (got < 0 && errno == EINTR))
		for (ssize_t i = 0; i < got; i++)
			if (length + 1 < size)
				text[length++] = block[i];
	while (length && text[length - 1] == '\n')
		length--;
	text[length] = '\0';
}

/* Asks a question in a child process. text: gets what the child wrote. Returns whether it ended
 * with status 0. */
static bool ask_apart(question *ask, char *text, size_t size)
{
	int ends[2], status = -1;
	pid_t child;

	*text = '\0';
	if (pipe(ends))
		return false;
	fflush(NULL);	/* else the child would write what is buffered once more */
	child = fork();
	if (!child)
		answer(ask, ends);
	close(ends[1]);
	if (child > 0)
		read_answer(ends[0], text, size);
	close(ends[0]);
	while (child > 0 && waitpid(child, &status, 0) < 0 && errno == EINTR)
		;
	return child > 0 && WIFEXITED(status) && !WEXITSTATUS(status);
}

/* ---- the questions ----------------------------------------------------------------- */

/* If no slurmctld answers a ping, lets libslurm try for one second. Otherwise it would try for
 * MessageTimeout. */
static void try_once_if_away(void)
{
	for (uint32_t i = 0; i < slurm_conf.control_cnt; i++)
		if (!slurm_ping((int)i))
			return;
	slurm_conf.msg_timeout = 1;
}

/* For document_try(). Fails, see wrong_at(), if slurmctld does not answer. */
static void load(void *unused)
{
	(void)unused;
	libslurm_begin("");
	try_once_if_away();
	libslurm_conf();
	libslurm_end();
}

/* The question whether slurmctld answers; if not, the answer is the reason. */
static int load_configuration(void)
{
	struct failure failure;

	if (!document_try(load, NULL, &failure))
		return 0;
	dprintf(STDERR_FILENO, "%s", failure.error.text);
	return 1;
}

bool live_local_has_controller(char *why, size_t size)
{
	static const char prefix[] = "fathom: ";	/* of a line that libslurm.c prints */
	bool answers = ask_apart(load_configuration, why, size);

	if (!strncmp(why, prefix, strlen(prefix)))
		memmove(why, why + strlen(prefix), strlen(why + strlen(prefix)) + 1);
	if (!answers && !*why)
		snprintf(why, size, "slurmctld: no answer");
	return answers;
}

/* The question for the default PluginDir: lets libslurm read a slurm.conf with the least that it
 * needs, and takes what it sets by default. */
static int print_plugin_dir(void)
{
	static const char text[] = "ClusterName=none\nSlurmctldHost=none\nNodeName=none\n";
	int answer_to = dup(STDERR_FILENO), file = memfd_create("slurm.conf", 0);
	char path[32];

	if (answer_to < 0 || file < 0 || write(file, text, strlen(text)) < 0)
		return 1;
	close(STDERR_FILENO);	/* else what libslurm logs would be part of the answer */
	snprintf(path, sizeof(path), "/proc/self/fd/%d", file);
	if (slurm_conf_init(path) || !slurm_conf.plugindir)
		return 1;
	return dprintf(answer_to, "%s", slurm_conf.plugindir) < 0;
}

const char *live_local_plugin_dir(void)
{
	char path[4096];

	return ask_apart(print_plugin_dir, path, sizeof(path)) && *path ? need_text(path) : NULL;
}

const char *live_local_slurm_conf(void)
{
	const char *path = getenv("SLURM_CONF");

	if (path && *path)
		return path;
	return access(USUAL_SLURM_CONF, F_OK) && !access(CONFIGLESS_SLURM_CONF, F_OK)
		       ? CONFIGLESS_SLURM_CONF : USUAL_SLURM_CONF;
}
