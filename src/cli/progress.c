/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/progress.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define WIDEST 30	/* characters of the bar */
#define BESIDE 34	/* characters that stand beside it */
#define MOST_BESIDE 96	/* more are never shown */
#define FIRST 1.0	/* seconds before anything is shown */
#define PERIOD 0.2	/* seconds between changes */
#define MEGABYTE 1e6
#define LEAST_PART 0.02	/* that must be done before the time left is told */
#define LONGEST 359999.	/* seconds; longer times are not told */
#define ECHOED 2	/* characters that a terminal shows of Ctrl-C */

static struct {
	double begin, changed;	/* seconds */
	size_t bar;		/* characters */
	volatile sig_atomic_t length;	/* characters that are shown; 0: nothing is */
	bool is_terminal, has_handlers;
	char blanks[1 + WIDEST + MOST_BESIDE + ECHOED];	/* behind a '\r' */
} progress;

double clock_now(void)
{
	struct timespec time;

	clock_gettime(CLOCK_MONOTONIC, &time);
	return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

/* Returns how long the bar is: a line that is wider than the terminal cannot be removed. */
static size_t bar_length(void)
{
	struct winsize size;

	if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) || size.ws_col >= WIDEST + BESIDE)
		return WIDEST;
	return size.ws_col > BESIDE ? size.ws_col - BESIDE : 0;
}

/* Removes the line, and ends the process by the signal, whose handler is gone. */
static void end_by_signal(int number)
{
	size_t length = 1 + (size_t)progress.length + ECHOED;

	if (progress.length && write(STDERR_FILENO, progress.blanks, length) == (ssize_t)length)
		(void)!write(STDERR_FILENO, "\r", 1);
	raise(number);
}

/* A signal that is ignored stays so. */
static void handle_signals(void)
{
	static const int numbers[] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
	const struct sigaction action = { .sa_handler = end_by_signal,
					  .sa_flags = (int)(SA_RESETHAND | SA_NODEFER) };

	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		struct sigaction old;

		if (!sigaction(numbers[i], NULL, &old) && old.sa_handler == SIG_DFL)
			sigaction(numbers[i], &action, NULL);
	}
	memset(progress.blanks, ' ', sizeof(progress.blanks));
	progress.blanks[0] = '\r';
	progress.has_handlers = true;
}

void progress_begin(void)
{
	const char *terminal = getenv("TERM");

	progress_hide();
	progress.begin = clock_now();
	progress.changed = 0;
	progress.is_terminal = isatty(STDERR_FILENO) && terminal && strcmp(terminal, "dumb");
	progress.bar = progress.is_terminal ? bar_length() : 0;
	if (progress.is_terminal && !progress.has_handlers)
		handle_signals();
}

static bool is_due(void)
{
	double time;

	if (!progress.is_terminal)
		return false;
	time = clock_now();
	return time - progress.begin >= FIRST && time - progress.changed >= PERIOD;
}

/* Returns how long the rest will take, if it goes on as before; "" at the beginning. */
static const char *time_left(double part, char *text, size_t size)
{
	double elapsed = clock_now() - progress.begin, left = elapsed * (1 - part) / part;
	long seconds = (long)ceil(left);

	if (!(part >= LEAST_PART) || part > 1 || left > LONGEST)
		return "";
	if (seconds < 3600)
		snprintf(text, size, "  %ld:%02ld left", seconds / 60, seconds % 60);
	else
		snprintf(text, size, "  %ld:%02ld:%02ld left", seconds / 3600, seconds / 60 % 60,
			 seconds % 60);
	return text;
}

void progress_show(double part, const char *text)
{
	char bar[WIDEST + 1], left[32];
	size_t done = (size_t)(fmin(part, 1) * (double)progress.bar);
	int length;

	if (!is_due())
		return;
	putc('\r', stderr);
	if (isnan(part)) {
		length = fprintf(stderr, "%s", text);
	} else {
		memset(bar, ' ', progress.bar);
		memset(bar, '#', done);
		bar[progress.bar] = '\0';
		length = fprintf(stderr, progress.bar ? "[%s] %3.0f %%%s%s%s" : "%s%3.0f %%%s%s%s",
				 bar, 100 * fmin(part, 1), *text ? "  " : "", text,
				 time_left(part, left, sizeof(left)));
	}
	/* the last line may have been longer */
	for (int i = length; i < progress.length; i++)
		putc(' ', stderr);
	if (length > progress.length)
		progress.length = length < WIDEST + MOST_BESIDE ? length : WIDEST + MOST_BESIDE;
	progress.changed = clock_now();
}

void progress_hide(void)
{
	if (progress.length)
		fprintf(stderr, "\r%*s\r", (int)progress.length, "");
	progress.length = 0;
}

/* Returns which part of the file itself has been read, which may be compressed; NAN: it is none
 * whose size is known. */
static double part_read(const struct document *input)
{
	struct stat status;
	off_t at = lseek(input->fd, 0, SEEK_CUR);

	if (at < 0 || fstat(input->fd, &status) || !S_ISREG(status.st_mode) || !status.st_size)
		return NAN;
	return (double)at / (double)status.st_size;
}

void progress_of_input(const struct document *input)
{
	double loaded = (double)input->loaded / MEGABYTE, part;
	char text[64];

	if (!input->is_open)
		progress_hide();
	/* nobody wants a line amid what is being typed */
	if (!input->is_open || !is_due() || isatty(input->fd))
		return;
	part = part_read(input);
	if (isnan(part))
		snprintf(text, sizeof(text), "%.0f MB  %.0f MB/s", loaded,
			 loaded / (clock_now() - progress.begin));
	else
		snprintf(text, sizeof(text), "%.0f MB/s", loaded / (clock_now() - progress.begin));
	progress_show(part, text);
}
