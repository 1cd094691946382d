/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread beside the one that passes. The two never run at once, as long as
 * they can help it: the rival runs until it has returned or waits for a lock,
 * which the kernel knows.
 */
#include "controller/host_internal.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#define LOOKS 3			/* that find it asleep, until it is held to wait */
#define LOOK_NANOSECONDS 20000

static struct {
	uint64_t step;
	void (*call)(void *argument);
	void *argument;
	bool begun;
	pthread_t thread;
	_Atomic pid_t id;
	_Atomic bool over;
} rival;

void host_beside_pass(uint64_t n, void (*call)(void *argument), void *argument)
{
	if (rival.call)
		host_die("one call beside a pass is all there can be");
	rival.step = n;
	rival.call = call;
	rival.argument = argument;
}

static void *run(void *argument)
{
	(void)argument;
	rival.id = gettid();
	rival.call(rival.argument);
	rival.over = true;
	return NULL;
}

static bool is_asleep(void)
{
	char path[64], text[128] = "";
	const char *state;
	int file;

	if (!rival.id)
		return false;
	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)rival.id);
	file = open(path, O_RDONLY | O_CLOEXEC);
	if (file < 0)
		return false;
	if (read(file, text, sizeof(text) - 1) < 0)
		text[0] = '\0';
	close(file);
	state = strrchr(text, ')');
	return state && state[1] == ' ' && state[2] == 'S';
}

static void wait_for_it(void)
{
	const struct timespec pause = { .tv_nsec = LOOK_NANOSECONDS };

	for (int asleep = 0; !rival.over && asleep < LOOKS; ) {
		asleep = is_asleep() ? asleep + 1 : 0;
		nanosleep(&pause, NULL);
	}
}

void host_rival_step(uint64_t step)
{
	if (!rival.call || step < rival.step)
		return;
	if (!rival.begun && pthread_create(&rival.thread, NULL, run, NULL))
		host_die("no thread beside the pass");
	rival.begun = true;
	wait_for_it();
}

void host_rival_end(void)
{
	if (!rival.call)
		return;
	if (rival.begun)
		pthread_join(rival.thread, NULL);
	rival.call = NULL;
	rival.begun = rival.over = false;
	rival.id = 0;
}
