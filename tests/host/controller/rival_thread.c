/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A thread beside the plugin's thread. Only one of the two runs at a time: the pass
 * waits until the rival has returned or waits for a lock, which its state in /proc tells.
 */
#include "controller/host_internal.h"

#include <fcntl.h>
#include <semaphore.h>
#include <stdatomic.h>
#include <string.h>
#include <unistd.h>

#define LOOKS 3			/* looks in a row that find it asleep: it waits for a lock */
#define LOOK_NANOSECONDS 20000	/* between two looks */

static struct {
	uint64_t step;
	void (*call)(void *argument);
	void *argument;
	bool begun;
	pthread_t thread;
	_Atomic int state;	/* file in /proc with its state, once it runs */
	_Atomic bool over;
	sem_t ended;
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
	char path[64];

	snprintf(path, sizeof(path), "/proc/self/task/%d/stat", (int)gettid());
	rival.state = open(path, O_RDONLY | O_CLOEXEC);
	rival.call(rival.argument);
	rival.over = true;
	sem_post(&rival.ended);
	return NULL;
}

static bool is_asleep(void)
{
	char text[128];
	const char *state;
	ssize_t length;

	if (rival.state <= 0)
		return false;
	length = pread(rival.state, text, sizeof(text) - 1, 0);
	text[length > 0 ? length : 0] = '\0';
	state = strrchr(text, ')');
	return state && state[1] == ' ' && state[2] == 'S';
}

/* Until the next look, or until the rival has returned. */
static void wait_a_moment(void)
{
	struct timespec until;

	host_real_time(CLOCK_MONOTONIC, &until);
	until.tv_nsec += LOOK_NANOSECONDS;
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	sem_clockwait(&rival.ended, CLOCK_MONOTONIC, &until);
}

static void wait_for_it(void)
{
	for (int asleep = 0; !rival.over && asleep < LOOKS; asleep = is_asleep() ? asleep + 1 : 0)
		wait_a_moment();
}

void host_rival_step(uint64_t step)
{
	if (!rival.call || step < rival.step)
		return;
	if (!rival.begun && sem_init(&rival.ended, 0, 0))
		host_die("no semaphore: %m");
	if (!rival.begun && pthread_create(&rival.thread, NULL, run, NULL))
		host_die("no thread beside the pass");
	rival.begun = true;
	wait_for_it();
}

void host_rival_end(void)
{
	if (!rival.call)
		return;
	if (rival.begun) {
		pthread_join(rival.thread, NULL);
		close(rival.state);
		sem_destroy(&rival.ended);
	}
	rival.call = NULL;
	rival.begun = rival.over = false;
	rival.state = 0;
}
