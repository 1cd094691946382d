/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Formats of input files: one source file for each, and a table that recognises a format
 * by the content of a file. */
#pragma once

#include "core/snapshot.h"
#include "document/document.h"
#include "fathom.h"

#include <stddef.h>
#include <stdio.h>

struct accounting;
struct recorded_pass;
struct jobs;
struct site_folder;
struct site_settings;

/* What a file of a format holds: bits of format->holds. */
enum {
	HOLDS_TREE = 1 << 0,	/* accounts and users with their shares */
	HOLDS_USAGE = 1 << 1,
	HOLDS_JOBS = 1 << 2,
	HOLDS_SETTINGS = 1 << 3	/* policy, its settings, partitions: see site/site_settings.h */
};

struct format {
	const char *name;	/* for --from and --to */
	const char *summary;	/* a clause for the list of formats */
	unsigned holds;
	bool keeps_text;	/* it is converted to itself byte for byte */
	bool by_name;	/* read() opens the file itself; `text` is only its beginning */
	bool by_user;	/* where usage in one file is that of a tree in another, users are matched
			 * by name alone: a user of PBS has one group, which other files may call
			 * otherwise */
	bool in_parts;	/* several files may describe a tree together, see struct lsf_parts; read()
			 * reads one that describes all of it */
	const char *policy;	/* of the system whose files these are; NULL: none in particular */
	const char *strangers;	/* of a tree: the account that stands for users whom it lacks;
				 * NULL: no account does */
	/* Returns whether the file has this format, by its beginning. A file with mistakes is
	 * recognised, too, so that read() can say what is wrong. NULL: the format can only be
	 * written, or is recognised by `document`. */
	bool (*recognize)(const struct document *input);
	const char *document;	/* the value of "format" in fathom's own JSON, or NULL */
	/* Reads a tree. All readers fail by wrong_at(), which says where and what is wrong, and
	 * what would be right. NULL: the format has no tree, or has read_accounting(). */
	void (*read)(struct document *input, struct snapshot *snapshot);
	/* Reads trees with the figures that a pass computed for them. NULL: the format has none. */
	void (*read_recorded)(struct document *input, struct recorded_pass *pass);
	/* Reads jobs. NULL: the format has no jobs, or has read_accounting(). */
	void (*read_jobs)(struct document *input, struct jobs *jobs);
	/* Adds jobs, partitions or QOS of a further file of the format. NULL: a second file is
	 * refused. */
	void (*add_jobs)(struct document *input, struct jobs *jobs);
	/* Returns the text of the fathom.conf that stands in the file; NULL: this file has none.
	 * NULL in place of the function: no file of the format has. */
	const char *(*read_conf)(struct document *input);
	/* Reads records of jobs, of which a tree with usage, and jobs, can be made, see
	 * accounting/accounting.h. It loads the file piece by piece. If the format also has read(),
	 * the file's own tree has the usage, and this is used for a file without a tree. NULL: the
	 * format has no such records. */
	void (*read_accounting)(struct document *input, struct accounting *accounting);
	/* Returns whether a file has jobs but no tree. NULL: no file of the format is like that. */
	bool (*has_jobs_alone)(struct document *input);
	/* Adds the settings that the file has to those of the site. A format may also have one of
	 * the readers above, which is called later on the same text. NULL: the format has no
	 * settings. */
	void (*read_settings)(struct document *input, struct site_settings *settings);
	/* Writes a tree. The caller checks ferror(). Fails by wrong_at() about no document if the
	 * tree has something that the format cannot have, such as a name. NULL: trees cannot be
	 * written. */
	void (*write)(FILE *out, const struct snapshot *snapshot);
	/* Writes jobs, as write() does a tree. NULL: jobs cannot be written. */
	void (*write_jobs)(FILE *out, const struct jobs *jobs);
	/* Calls note() with a text for each detail of the jobs that write_jobs() cannot keep. NULL:
	 * it keeps all but what jobs have used. */
	void (*jobs_lost)(const struct jobs *jobs, void (*note)(void *context, const char *text),
			  void *context);
	/* Writes the files of a folder from a tree, which may be NULL, and settings. It may change
	 * both to fit, and notes in the settings which of them are lost. NULL: the format is one
	 * file. */
	void (*write_folder)(struct site_folder *folder, struct snapshot *snapshot,
			     struct site_settings *settings);
	unsigned keeps;	/* the details of a tree that write() keeps: bits of enum tree_detail */
};

#define FORMAT(name) extern const struct format format_##name;
#include "format/formats.h"
#undef FORMAT

size_t format_count(void);
/* Returns a format; index: below format_count(). */
const struct format *format_at(size_t index);
/* Returns the format of this name. NULL: no format has this name. */
const struct format *format_find(const char *name);
/* Returns whether a file of the format describes a whole cluster, with tree, jobs and settings. */
bool format_is_whole(const struct format *format);
/* Returns whether files of the format can be read. */
bool format_can_read(const struct format *format);
/* Returns whether a tree or jobs can be written in the format. */
bool format_can_write(const struct format *format);
/* Returns whether a tree can be read from the format, be it one that is added up from jobs. */
bool format_has_tree(const struct format *format);
/* Returns whether the reader loads the file itself; else the caller calls document_load_rest(). */
bool format_loads(const struct format *format);
/* Returns the format of a file. NULL: no format recognises it. */
const struct format *format_recognize(const struct document *input);
/* Returns the names of the formats of trees, "a, b or c". */
const char *format_list(void);
