/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Draws the line of progress, such as "[#####     ]  50 %  12 MB/s  0:09 left", again and again
 * over itself, and removes it in the end, also if a signal ends the process. */
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
#define BESIDE 34	/* characters that mostly stand beside the bar */
#define MOST_BESIDE 96	/* the most that can stand there */
#define FIRST 1.0	/* seconds from progress_begin() until anything is shown */
#define PERIOD 0.2	/* seconds between changes of the line */
#define MEGABYTE 1e6
#define LEAST_PART 0.02	/* of the work must be done before the time left is told */
#define LONGEST 359999.	/* seconds; longer times are not told */
#define ECHOED 2	/* characters that a terminal shows of Ctrl-C */

static struct {
	double begin;		/* time of progress_begin(), by clock_now() */
	double changed;		/* time of the last change of the line; 0: it was never shown */
	size_t bar;		/* characters of the bar; 0: the terminal is too narrow for it */
	volatile sig_atomic_t length;	/* characters that are shown; 0: nothing is */
	bool is_terminal, has_handlers;
	/* a '\r' and blanks: to overwrite the line in a handler of signals, which must not print */
	char blanks[1 + WIDEST + MOST_BESIDE + ECHOED];
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

/* The handler of signals: removes the line, and ends the process by the signal, whose handler is
 * gone by then (SA_RESETHAND). */
static void end_by_signal(int number)
{
	size_t length = 1 + (size_t)progress.length + ECHOED;

	if (progress.length && write(STDERR_FILENO, progress.blanks, length) == (ssize_t)length)
		(void)!write(STDERR_FILENO, "\r", 1);
	raise(number);
}

/* Sets the handler of signals that end the process, and the blanks that it prints. A signal that is
 * ignored stays so. */
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

/* Returns whether it is time to show or change the line. */
static bool is_due(void)
{
	double time;

	if (!progress.is_terminal)
		return false;
	time = clock_now();
	return time - progress.begin >= FIRST && time - progress.changed >= PERIOD;
}

/* Returns how long the rest takes if work goes on as before, as text; "" if too little is done to
 * tell. part: that is done. */
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

/* Returns the part of a file that has been read, 0 to 1; of a compressed one, by compressed bytes.
 * NAN: the size is not known, as of a pipe. */
static double part_read(const struct document *input)
{
	struct stat status;
	off_t at = lseek(input->fd, 0, SEEK_CUR);

	if (fstat(input->fd, &status) || !S_ISREG(status.st_mode) || !status.st_size)
		return NAN;
	return (double)at / (double)status.st_size;
}

void progress_of_input(const struct document *input)
{
	double loaded = (double)input->loaded / MEGABYTE, part;
	char text[64];

	if (!input->is_open)
		progress_hide();
	/* no line amid what the user types on the terminal as input */
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
