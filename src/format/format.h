/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Foreign formats: one file each and one table, told apart by content. */
#ifndef FORMAT_FORMAT_H
#define FORMAT_FORMAT_H

#include "core/snapshot.h"
#include "fathom.h"

#include <stddef.h>

/* A file in memory. A reader may write into `text`; text[length] is NUL. */
struct input {
	const char *name;	/* as the user gave it */
	char *text;
	size_t length;
	size_t line;		/* set by what fails: the line at fault; 0: none */
	size_t room;		/* of `text` */
	int fd;			/* of what is not in `text` yet */
	bool is_open;
};

/* Opens a file, "-": standard input, and loads what it is recognised by, the
 * first 64 KiB. -1: an errno value of the system. */
int input_open(struct input *input, const char *name, struct fathom_error *error);
int input_load_rest(struct input *input, struct fathom_error *error);
/* Both at once. */
int input_load(struct input *input, const char *name, struct fathom_error *error);
void input_clear(struct input *input);
/* Length of the byte order mark that the text begins with, or 0. */
size_t input_mark(const struct input *input);
/* Sets the line and fills `error`; always -1. */
int input_wrong(struct input *input, size_t line, struct fathom_error *error, const char *format,
		...) __attribute__((format(printf, 4, 5)));

struct told_pass;
struct jobs;

struct format {
	const char *name;
	const char *summary;
	bool by_name;	/* read() opens the file itself; `text` is its beginning */
	/* From the first bytes; a wrong file of this format is of this format. */
	bool (*recognize)(const struct input *input);
	/* Fills *snapshot, all or nothing. -1: input->line and the error say
	 * where and what is wrong, and what would be right. */
	int (*read)(struct input *input, struct snapshot *snapshot, struct fathom_error *error);
	/* Figures that somebody has computed too; or NULL. */
	int (*tell)(struct input *input, struct told_pass *pass, struct fathom_error *error);
	/* The same of jobs; a format has one of both. */
	int (*read_jobs)(struct input *input, struct jobs *jobs, struct fathom_error *error);
};

#define FORMAT(name) extern const struct format format_##name;
#include "format/formats.h"
#undef FORMAT

size_t format_count(void);
const struct format *format_at(size_t index);
const struct format *format_find(const char *name);	/* NULL: unknown */
const struct format *format_recognize(const struct input *input);	/* NULL: none */
/* "a, b or c" of trees, cut to the size; returns `text`. */
const char *format_list(char *text, size_t size);

#endif
