/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * slurm.conf as slurmctld reads it: a list of pairs, each with its place. Mistakes do not end the
 * reading, they are listed, too. NodeName=n1 CPUs=4 on line 7, behind ClusterName=tux on line 6, is
 *
 *	pair[0]: line 6, ClusterName, tux, first 0	pair[1]: line 7, NodeName, n1, first 1
 *							pair[2]: line 7, CPUs, 4, first 1
 */
#pragma once

#include "fathom.h"

#define SLURM_CONF_NONE SIZE_MAX

struct slurm_pair {
	const char *file;	/* the file in which it stands, which may be an included one */
	unsigned line;
	char *key, *value;	/* the value without its quotes */
	size_t first;		/* index of its line's first pair, such as PartitionName=... */
	size_t next_line;	/* index of the first pair of the next line that begins with this
				 * key, one of slurm_conf_begins_line(); SLURM_CONF_NONE: there is
				 * none, or this pair does not begin a line */
	size_t default_line;	/* index of the first pair of the last line before this one that
				 * begins with KEY=DEFAULT; SLURM_CONF_NONE: there is none */
	bool is_unknown;	/* the value has a mark of a template, so that it is not known */
	bool is_open;		/* a mark of a template on the line may stand for further pairs */
};

enum slurm_fault_kind {
	SLURM_SYNTAX,		/* slurmctld does not start with such a line */
	SLURM_CUT_QUOTE,	/* a '#' within quotes begins a comment */
	SLURM_INCLUDE_UNREADABLE,
	SLURM_INCLUDE_CIRCLE,
	SLURM_INCLUDE_INDENTED,	/* slurmctld knows Include at the beginning of a line only */
};

/* A mistake, and the line on which it stands. */
struct slurm_fault {
	enum slurm_fault_kind kind;
	const char *file;
	unsigned line;
	char text[256];		/* what is wrong */
};

#define SLURM_LINE_KEYS 6	/* how many keys slurm_conf_begins_line() knows */

/* The lines that begin with one of these keys: the indexes of the first pairs of two of them. */
struct slurm_lines {
	size_t count;
	size_t begin, end;	/* first and last line, if there are any */
};

struct slurm_conf {
	struct slurm_pair *pair;	/* in the order in which slurmctld reads them */
	size_t pair_count;
	struct slurm_lines lines[SLURM_LINE_KEYS];
	struct slurm_fault *fault;
	size_t fault_count;
	char **file;		/* the names of all files, slurm.conf first */
	size_t file_count;
	size_t marks;		/* the number of marks of a template, such as {{ name }} */
	bool is_open;		/* a mark begins a line, and may stand for any pairs */
};

/* Reads slurm.conf and the files that it includes. The memory is that of need_memory.h. -1: the
 * file itself cannot be read, or scontrol has printed it; the error's text does not have its
 * name. */
int slurm_conf_read(struct slurm_conf *conf, const char *path, struct fathom_error *error);
/* Reads a text, such as one in a snapshot. An Include in it is a fault, SLURM_INCLUDE_UNREADABLE.
 * name: stands for the file's. */
void slurm_conf_read_text(struct slurm_conf *conf, const char *name, const char *text);

/* Adds a pair, whose default_line this sets. */
void slurm_conf_add(struct slurm_conf *conf, struct slurm_pair pair);

/* Returns the pair of a general key, in upper or lower case; of several the last one, as that is
 * the one that counts. NULL: no line begins with the key. */
const struct slurm_pair *slurm_conf_find(const struct slurm_conf *conf, const char *key);
/* Returns the next line that begins with a key, one of slurm_conf_begins_line(), as the index of
 * its first pair; SLURM_CONF_NONE after the last. first: that of the line before; SLURM_CONF_NONE
 * to start. */
size_t slurm_conf_next_line(const struct slurm_conf *conf, const char *key, size_t first);
/* Returns the pair with this key on the line whose first pair has the index `first`, the last one
 * if it occurs twice; NULL: the line lacks the key. */
const struct slurm_pair *slurm_conf_on_line(const struct slurm_conf *conf, size_t first,
					    const char *key);
/* Returns whether a key begins a line of several pairs that describe one thing, such as a
 * partition. */
bool slurm_conf_begins_line(const char *key);
