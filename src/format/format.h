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
struct format_parts;
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
	const char *name;
	const char *summary;
	unsigned holds;
	bool keeps_text;	/* it is converted to itself byte for byte */
	bool by_name;	/* read() opens the file itself; `text` is only its beginning */
	bool by_user;	/* of usage or a tree whose users have one account each, which may be
			 * another than theirs elsewhere */
	const char *policy;	/* of the system whose files these are; NULL: of none, or any */
	const char *strangers;	/* of a tree: the account of users whom it does not have, or NULL */
	/* Returns whether the file has this format, by its beginning. A file with mistakes is
	 * recognised, too, so that read() can say what is wrong. NULL: it can only be written, or
	 * is known by `document`, the "format" of fathom's own JSON. */
	bool (*recognize)(const struct document *input);
	const char *document;
	/* Reads a tree. All readers fail by wrong_at(), which says where and what is wrong, and
	 * what would be right. NULL: the format has jobs, see read_jobs. */
	void (*read)(struct document *input, struct snapshot *snapshot);
	/* For a tree that several files describe together; read() then reads one that describes all
	 * of it. NULL: a file is enough. */
	const struct format_parts *parts;
	/* Reads trees with the figures that a pass computed for them. NULL: the format has none. */
	void (*read_recorded)(struct document *input, struct recorded_pass *pass);
	/* Reads jobs. NULL: the format has a tree alone. */
	void (*read_jobs)(struct document *input, struct jobs *jobs);
	/* Adds jobs, partitions or QOS of a further file of the format. NULL: a second file is
	 * refused. */
	void (*add_jobs)(struct document *input, struct jobs *jobs);
	/* Returns the text of a fathom.conf that stands in the file, or NULL. NULL: the format has
	 * none. */
	const char *(*read_conf)(struct document *input);
	/* Reads records of jobs, of which a tree with usage, and jobs, can be made, see
	 * accounting/accounting.h. It loads the file piece by piece. If there is read(), too, the
	 * file's own tree has the usage, and there may be no jobs, unless it has jobs alone. NULL:
	 * the format has read() or read_jobs(). */
	void (*read_accounting)(struct document *input, struct accounting *accounting);
	/* Returns whether a file has jobs alone, and no tree; NULL: of no file. */
	bool (*has_jobs_alone)(struct document *input);
	/* Adds to the settings of a site what the file says of them. A format may also have one of
	 * the readers above, which is called later on the same text. NULL: the format has no
	 * settings. */
	void (*read_settings)(struct document *input, struct site_settings *settings);
	/* Writes a tree, or jobs. The caller checks ferror(). What the format cannot have, such as
	 * a name, is wrong: wrong_at() about no document. NULL: trees, or jobs, cannot be
	 * written. */
	void (*write)(FILE *out, const struct snapshot *snapshot);
	void (*write_jobs)(FILE *out, const struct jobs *jobs);
	/* Calls note() with a text for each detail of the jobs that write_jobs() cannot keep. NULL:
	 * it keeps all but what they used. */
	void (*jobs_lost)(const struct jobs *jobs, void (*note)(void *context, const char *text),
			  void *context);
	/* Writes the files of a folder from a tree, which may be NULL, and settings. It may change
	 * both to fit, and adds to the settings what gets lost. NULL: the format is one file. */
	void (*write_folder)(struct site_folder *folder, struct snapshot *snapshot,
			     struct site_settings *settings);
	unsigned keeps;	/* what write() keeps of a tree: bits of enum tree_detail */
};

#define FORMAT(name) extern const struct format format_##name;
#include "format/formats.h"
#undef FORMAT

size_t format_count(void);
const struct format *format_at(size_t index);
/* Returns the format of this name. NULL: no format has this name. */
const struct format *format_find(const char *name);
/* Returns whether a file of the format is a cluster with its settings, rather than one part. */
bool format_is_whole(const struct format *format);
/* Returns whether files of the format can be read. */
bool format_can_read(const struct format *format);
/* Returns whether a tree can be read from the format, be it one that is added up from jobs. */
bool format_has_tree(const struct format *format);
/* Returns whether the reader loads the file itself; else the caller calls document_load_rest(). */
bool format_loads(const struct format *format);
/* Returns the format of a file. NULL: no format recognises it. */
const struct format *format_recognize(const struct document *input);
/* Returns the names of the formats of trees, "a, b or c". */
const char *format_list(void);
