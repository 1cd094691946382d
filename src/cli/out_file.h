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
#include <stdio.h>

struct out_file {
	const char *option;	/* that gave the path */
	const char *path;	/* NULL: standard output */
	FILE *stream;
};

/* Refuses a path that no file can have. */
void out_file_check(const char *option, const char *path);
/* Opens the stream, and checks that there can be such a file. path: NULL is standard output. */
void out_file_begin(struct out_file *output, const char *option, const char *path);
/* Writes what is in the stream: to standard output, or to a new file that then replaces the old one
 * in one step. A symbolic link stays, and the file that it points to is replaced. */
void out_file_publish(struct out_file *output);
/* Writes what an open file has from its beginning: to standard output, or to a new file that then
 * replaces the old one, as out_file_publish() does. Returns 0, or EXIT_WRONG after printing an
 * error. */
int out_file_copy(int from, const char *option, const char *path);

/* Writes all of a text. -1: errno tells why. */
int write_all(int file, const char *text, size_t length);
/* Copies a file from its beginning. -1: errno tells why. */
int copy_stream(FILE *to, FILE *from);

/* Holds signals back while a new file has not its name yet: one that ends the process then leaves
 * nothing behind. *before: for out_release_signals(), which lets them come; errno stays. */
void out_hold_signals(sigset_t *before);
void out_release_signals(const sigset_t *before);
