/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A file that a reader reads. */
#pragma once

#include "core/piece.h"
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
 * by which it is recognised. name: "-" is standard input. A file that cannot be read, or is
 * damaged, is wrong, see wrong_at(). */
void document_open(struct document *input, const char *name);
/* Returns a document with a copy of a text. */
struct document document_of(const char *name, struct piece text);
/* Drops the text before offset `kept`, and loads more behind the rest; at the end of the file
 * is_open becomes false. */
void document_load_more(struct document *input, size_t kept);
/* Loads the rest of the file. */
void document_load_rest(struct document *input);
/* Opens a file that need not be right, and loads all of it. -1: error->code is the errno of the
 * failed call, or EINVAL for a damaged file. */
int document_load(struct document *input, const char *name, struct fathom_error *error);
/* Closes the file and frees the text. */
void document_clear(struct document *input);
/* Returns the length of the byte order mark at the start of the text, or 0. */
size_t document_mark(const struct document *input);
/*
 * How a reader fails: it calls wrong_at(), which does not return. What is wrong gets to the
 * innermost document_try() around it; the outermost is that of main(), which prints it:
 *
 *	wrong_at(document, 3, "the name is empty");	fathom: FILE:3: the name is empty
 *
 * A function may jump past its callers only if all that they hold belongs to need_memory.h.
 */

struct failure {
	struct fathom_error error;
	const char *name;	/* of the document; NULL: the text says all */
	size_t line;		/* 0: no particular line */
};

/* Fail with an error about a line of a document. document: NULL: about none; line 0: about no
 * particular line. The document gets the line, too. */

/* EINVAL. */
_Noreturn void wrong_at(struct document *document, size_t line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* With an error of a call, which may be the lack of memory. */
_Noreturn void wrong_by(struct document *document, size_t line, const struct fathom_error *error);

/* Fail once more. */
_Noreturn void wrong_again(const struct failure *failure);

/* Calls a function that may fail. -1: it has, and *failure says how. */
int document_try(void (*read)(void *context), void *context, struct failure *failure);
