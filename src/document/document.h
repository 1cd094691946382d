/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that a reader reads. */
#ifndef DOCUMENT_DOCUMENT_H
#define DOCUMENT_DOCUMENT_H

#include "fathom.h"

#include <stddef.h>

struct decompressor;

/* A file in memory. text[length] is NUL. A reader may change `text`. */
struct document {
	const char *name;	/* as the user gave it */
	char *text;
	size_t length;
	size_t line;		/* set with an error: the wrong line; 0: no particular line */
	size_t room;		/* bytes allocated for `text` */
	int fd;			/* the file, while not all of it is in `text` */
	bool is_open;
	bool is_compressed;	/* `text` is the content of a compressed file */
	struct decompressor *decompressor;
	size_t loaded;		/* bytes of the content that were ever in `text` */
	/* Is called whenever bytes have been loaded, and when the file is closed; the caller may
	 * set it after document_open(). */
	void (*watch)(const struct document *input);
	char remark[256];	/* what the reader left out; empty: nothing */
};

/* Opens a file, which may be compressed by xz or gzip, and loads the first 64 KiB of its content,
 * by which it is recognised. name: "-" is standard input. -1: error->code is the errno of the
 * failed call, or EINVAL for a damaged file. */
int document_open(struct document *input, const char *name, struct fathom_error *error);
/* Drops the text before offset `kept`, and loads more behind the rest; at the end of the file
 * is_open becomes false. -1: as document_open(). */
int document_load_more(struct document *input, size_t kept, struct fathom_error *error);
/* Loads the rest of the file. -1: as document_open(). */
int document_load_rest(struct document *input, struct fathom_error *error);
/* Opens a file and loads all of it. -1: as document_open(). */
int document_load(struct document *input, const char *name, struct fathom_error *error);
/* Closes the file and frees the text. */
void document_clear(struct document *input);
/* Returns the length of the byte order mark at the start of the text, or 0. */
size_t document_mark(const struct document *input);
/* Sets an error about a line of the input, 0: about no particular line. Returns -1. */
int input_wrong(struct document *input, size_t line, struct fathom_error *error, const char *format,
		...) __attribute__((format(printf, 4, 5)));

#endif
