/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Input files: how they are opened and loaded, and how a reader fails. */
#pragma once

#include "core/piece.h"
#include "fathom.h"

#include <stddef.h>

struct decompressor;

/* A file of which all or a part is in memory. text[length] is NUL. A reader may change `text`. */
struct document {
	const char *name;	/* as the user gave it; not a copy */
	char *text;
	size_t length;		/* bytes of `text` */
	size_t room;		/* bytes allocated for `text` */
	int fd;			/* the file, if is_open */
	bool is_open;		/* the end of the file has not been read yet */
	bool is_compressed;	/* `text` is the content of a compressed file */
	struct decompressor *decompressor;	/* NULL: not compressed, or not open */
	size_t loaded;		/* bytes of the content that were ever in `text` */
	/* Is called whenever bytes have been loaded, and when the file is closed; the caller may
	 * set it after document_open(). NULL: nobody watches. */
	void (*watch)(const struct document *input);
	char remark[512];	/* what the reader left out; empty: nothing */
};

/* Opens a file, which may be compressed, see decompress.h, and loads the first 64 KiB of its
 * content, by which its format is recognised. name: "-" is standard input. Fails, see wrong_at(),
 * if the file cannot be read or is damaged; so do the functions that load more. */
void document_open(struct document *input, const char *name);
/* Opens a file that a configuration names. It must be a regular file, as opening a pipe would wait
 * for its writer. */
void document_open_regular(struct document *input, const char *name);
/* Returns whether document_open() can open a file once more and find the same: standard input and
 * pipes are at their end by then. */
bool document_can_reopen(const char *name);
/* Returns a document that is not open, with a copy of a text. */
struct document document_of(const char *name, struct piece text);
/* Adds a sentence to input->remark, behind those that it has, unless it is among them. What has no
 * room is cut off. */
void document_remark(struct document *input, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Drops the text before offset `kept`, and loads more behind the rest, which moves to the beginning
 * of `text`. At the end of the file is_open becomes false. */
void document_load_more(struct document *input, size_t kept);
/* Loads the rest of the file behind the text. `text` may move. */
void document_load_rest(struct document *input);
/* Opens a file and loads all of it. Unlike document_open(), it returns if that fails: -1,
 * error->code is the errno of the failed call, or EINVAL for a damaged file. error: may be NULL. */
int document_load(struct document *input, const char *name, struct fathom_error *error);
/* The same by document_open_regular(): EINVAL also if it is no regular file. */
int document_load_regular(struct document *input, const char *name, struct fathom_error *error);
/* Closes the file, frees the text, and sets all members to 0. */
void document_clear(struct document *input);
/* Returns the length of the byte order mark at the start of the text, or 0. */
size_t document_mark(const struct document *input);
/*
 * How a reader fails: it calls wrong_at(), which does not return, but jumps to the innermost
 * document_try() that is running. That call returns -1 and describes the failure. The outermost is
 * in main(), which prints the failure:
 *
 *	wrong_at(document, 3, "the name is empty");	fathom: FILE:3: the name is empty
 *
 * A function may fail only if all memory that it and its callers hold, up to that document_try(),
 * belongs to need_memory.h: the jump frees nothing.
 */

struct failure {
	struct fathom_error error;
	const char *name;	/* of the document, a copy; NULL: the error is about no document */
	size_t line;		/* 0: no particular line */
};

/* Fails with an error of code EINVAL about a line of a document. document: NULL: the error is about
 * no document. line: 0: about no particular line. */
_Noreturn void wrong_at(struct document *document, size_t line, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* The same about the line that a reader, a struct with the members `input` and `lines`, has read
 * last. */
#define WRONG_LINE(reader, ...) wrong_at((reader)->input, (reader)->lines.number, __VA_ARGS__)
/* Fails with the error of another call, about a line as in wrong_at(). ENOMEM ends the command, see
 * need_memory.h. */
_Noreturn void wrong_by(struct document *document, size_t line, const struct fathom_error *error);
/* Fails with what an inner document_try() has described. */
_Noreturn void wrong_again(const struct failure *failure);

/* Calls read(context), which may fail. Returns 0 if it has returned; -1: it has failed, and
 * *failure is set. */
int document_try(void (*read)(void *context), void *context, struct failure *failure);
/* Lets a failure call `undo` before it ends the innermost document_try(); NULL: none any more. */
void document_undo(void (*undo)(void));
