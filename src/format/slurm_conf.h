/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm.conf as slurmctld reads it: a list of pairs, each with its place. Mistakes do not end the
 * reading, they are listed, too.
 */
#pragma once

#include "fathom.h"

#define SLURM_CONF_NONE SIZE_MAX

struct slurm_pair {
	const char *file;	/* the file in which it stands, which may be an included one */
	unsigned line;
	char *key, *value;	/* the value without its quotes */
	size_t first;		/* index of its line's first pair, such as PartitionName=... */
	bool is_unknown;	/* the value has a mark of a template */
	bool is_open;		/* a mark of a template on the line may stand for further pairs */
};

enum slurm_fault_kind {
	SLURM_SYNTAX,		/* slurmctld does not start with such a line */
	SLURM_CUT_QUOTE,	/* a '#' within quotes begins a comment */
	SLURM_INCLUDE_UNREADABLE,
	SLURM_INCLUDE_CIRCLE,
	SLURM_INCLUDE_INDENTED,	/* slurmctld knows Include at the beginning of a line only */
};

struct slurm_fault {
	enum slurm_fault_kind kind;
	const char *file;
	unsigned line;
	char text[256];		/* what is wrong */
};

struct slurm_conf {
	struct slurm_pair *pair;
	size_t pair_count;
	struct slurm_fault *fault;
	size_t fault_count;
	char **file;		/* the names of all files, slurm.conf first */
	size_t file_count;
	size_t marks;		/* of a template, such as {{ name }}; their values are unknown */
	bool is_open;		/* a mark stands alone on a line, and may stand for any pairs */
};

/* Reads slurm.conf and the files that it includes. -1: the file itself cannot be read, which the
 * error says without its name. */
int slurm_conf_read(struct slurm_conf *conf, const char *path, struct fathom_error *error);
/* Reads a text, such as one in a snapshot, that may include no files: SLURM_INCLUDE_UNREADABLE is a
 * fault then. name: what stands for the file. */
void slurm_conf_read_text(struct slurm_conf *conf, const char *name, const char *text);

/* Returns the pair of a general key, in upper or lower case; the last one if there are several, as
 * it counts. NULL: there is none. */
const struct slurm_pair *slurm_conf_find(const struct slurm_conf *conf, const char *key);
/* Returns the index of the next line after line `at` that begins with a key such as PartitionName,
 * SLURM_CONF_NONE after the last. Start with SLURM_CONF_NONE. */
size_t slurm_conf_next_line(const struct slurm_conf *conf, const char *key, size_t at);
/* Returns the pair with this key on the line whose first pair has the index `first`, or NULL. */
const struct slurm_pair *slurm_conf_on_line(const struct slurm_conf *conf, size_t first,
					    const char *key);
/* Returns whether a key begins a line that describes one thing, such as a partition. */
bool slurm_conf_begins_line(const char *key);
