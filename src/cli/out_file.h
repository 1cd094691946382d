/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Output that appears whole or not at all. A command writes to output->stream, which is a file
 * without a name, and publishes it when it has succeeded:
 *
 *	struct out_file output;
 *
 *	out_file_begin(&output, "out", path);
 *	fputs(text, output.stream);
 *	out_file_publish(&output);
 */
#pragma once

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/stat.h>

struct out_file {
	const char *option;	/* that gave the path, without its "--"; for messages */
	const char *path;	/* NULL: standard output */
	FILE *stream;
};

/* Refuses a path that is not a regular file's and cannot become one. option: as in struct
 * out_file. */
void out_file_check(const char *option, const char *path);
/* Opens the stream, and refuses a path as out_file_check() does. path: NULL: standard output. */
void out_file_begin(struct out_file *output, const char *option, const char *path);
/* Writes what is in the stream, to standard output or as out_file_copy() does, and closes it.
 * Refuses to go on after an error. */
void out_file_publish(struct out_file *output);
/* Writes the content of an open file to a new file, which then replaces the one at `path` in one
 * step. A symbolic link stays, and the file that it points to is replaced; but one that a stranger
 * has made in a folder such as /tmp is refused. Returns 0, or EXIT_WRONG after printing an error;
 * the old file then stays. */
int out_file_copy(int from, const char *option, const char *path);

/* Writes all of a text. -1: errno tells why. */
int write_all(int file, const char *text, size_t length);
/* Copies the content of a file, from its beginning on, to where `to` stands. -1: errno tells
 * why. */
int copy_stream(FILE *to, FILE *from);
/* Copies the content of a file to standard output, whose errors output_finish() tells. Refuses to
 * go on if the file cannot be read. what: for that message. */
void copy_to_output(FILE *from, const char *what);

/* Gives a new file or folder the owner, the group and the mode of what is at `path`, which it will
 * replace; if nothing is there, the mode new_mode as far as umask allows. If the caller may not
 * give it the group, the caller's own group has only the rights that all others have, too. -1:
 * errno tells why. */
int out_set_rights(int file, const char *path, mode_t new_mode);

/* Holds signals back while a new file does not have its name yet, so that a signal which ends the
 * process leaves no such file behind. *before: for out_release_signals(), which lets them come, and
 * leaves errno as it is. */
void out_hold_signals(sigset_t *before);
void out_release_signals(const sigset_t *before);
/* Returns whether a signal is held back that will end the process: what takes long asks, to undo
 * its work and let it come. */
bool out_held_signal_ends(void);
