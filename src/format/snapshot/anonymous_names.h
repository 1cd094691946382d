/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Replaces names by neutral ones: the first user's by "user1", the next one's by "user2". All that
 * the functions return belongs to the command's memory, see need_memory.h. */
#pragma once

#include "core/piece.h"
#include "fathom.h"

/* What a name stands for. */
enum name_kind {
	NAME_ACCOUNT, NAME_USER, NAME_PARTITION, NAME_QOS, NAME_SCOPE, NAME_POOL, NAME_GROUP,
	NAME_HOST, NAME_CLUSTER, NAME_KIND_COUNT,
	/* Not known. A name counts as one of a kind under which it was replaced before: a user,
	 * or with NAME_ANY_ACCOUNT an account, if it was one, else any other. A new name counts as
	 * a group. */
	NAME_ANY = NAME_KIND_COUNT, NAME_ANY_ACCOUNT
};

struct anonymous_names;

/* Makes a list of names that is empty. */
struct anonymous_names *anonymous_names_create(void);
/* Returns the new name; the same one each time for the same kind and name. Names that tell nothing
 * of a cluster stay, such as root. */
const char *anonymous_name(struct anonymous_names *names, enum name_kind kind, struct piece name);

#define IN_NAMES " \t\r,[]()@"	/* separate the names of a list */

/* A text with names. */
struct name_text {
	enum name_kind kind;
	const char *between;	/* the characters that separate its words; "": it is one name */
	unsigned number;	/* 2: each second word is a number, which stays, as in "[ada, 10]
				 * [bob, 5]"; 0: all words are names */
};

/* Returns a text in which each name is replaced. */
char *anonymous_text(struct anonymous_names *names, struct name_text in, const char *text);
/* Returns the text of a fathom.conf or slurm.conf with new names, without comments, paths of files
 * and keys that may have names. It can be read as before. */
char *anonymous_conf(struct anonymous_names *names, const char *text);
