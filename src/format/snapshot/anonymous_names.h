/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Neutral names in the place of real ones: "user1" for the first user, "user2" for the next. */
#pragma once

#include "core/piece.h"
#include "fathom.h"

enum name_kind {
	NAME_ACCOUNT, NAME_USER, NAME_PARTITION, NAME_QOS, NAME_SCOPE, NAME_POOL, NAME_GROUP,
	NAME_HOST, NAME_CLUSTER, NAME_KIND_COUNT,
	/* what the name already stands for, else a group; if it stands for several: first a user,
	 * or first an account */
	NAME_ANY = NAME_KIND_COUNT, NAME_ANY_ACCOUNT
};

struct anonymous_names;

struct anonymous_names *anonymous_names_create(void);
/* Returns the new name: the same one whenever kind and name are the same. Names that any cluster
 * has stay, such as root. */
const char *anonymous_name(struct anonymous_names *names, enum name_kind kind, struct piece name);
/* Replaces each name in a text in which names end before the characters `between`; numbers stay if
 * the kind is any. Returns the new text. */
char *anonymous_text(struct anonymous_names *names, enum name_kind kind, const char *text,
		     const char *between);
/* Returns the text of a fathom.conf that can be read, with new names, without comments and without
 * paths of files. */
char *anonymous_conf(struct anonymous_names *names, const char *text);
