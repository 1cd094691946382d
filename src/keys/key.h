/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Tables of keys. Pairs Key=Value of a file or an option describe an object, a C struct. The row of
 * a key says which member of the object gets the value, what the key is called, and which values
 * are right:
 *
 *	static const struct key keys[] = {
 *		{ KEY_NUMBER, .at = offsetof(struct queue, share), NULL,
 *		  { .name = "slot_share", .type = FATHOM_NUMBER, .high = 100 } },
 *		KEY_END
 *	};
 *
 * With it, key_read() of SlotShare=30 sets queue.share to 30.
 */
#pragma once

#include "fathom.h"

#define FATHOM_SETTING_SIZE 256	/* bytes of a text of type FATHOM_FORMULA, with the NUL */

/* The type of a member. */
enum key_member {
	KEY_NONE,	/* read() stores the value, or store() in the member */
	KEY_NUMBER,	/* double */
	KEY_SWITCH,	/* bool */
	KEY_CHOICE,	/* an enum */
	KEY_TEXT,	/* char *, a copy that the object owns */
	KEY_ARRAY	/* char [], with room for the setting's longest text */
};

/* Checks a value further, or stores it, after fathom_setting_parse() has found it right. *number:
 * what that has read, which goes into the member unless this function replaces it. -1: EINVAL,
 * ENOMEM. */
typedef int key_reader(void *object, const char *value, double *number, struct fathom_error *error);

/* Stores the text of a value in the member. -1: EINVAL, ENOMEM. */
typedef int key_storer(void *member, const char *value, struct fathom_error *error);

struct key {
	enum key_member member;
	size_t at;		/* the member's offset in the object; 0 for KEY_NONE */
	key_reader *read;	/* NULL: fathom_setting_parse() suffices */
	struct fathom_setting setting;	/* its name is the key */
	key_storer *store;	/* of KEY_NONE, in place of read() */
	size_t note;		/* offset of a bool in the object, which becomes true; 0: none */
};

/* The row behind the last key of a table. */
#define KEY_END { .setting.name = NULL }

/* The setting of a row: a text without a limit. */
#define KEY_ANY_TEXT(setting_name) { .name = setting_name, .type = FATHOM_TEXT, .high = INFINITY }

/* Finds a key by any of its names, see fathom_setting_named(). NULL: the table does not have it. */
const struct key *key_find(const struct key *keys, const char *name);
/* Reads a value into the key's member of the object. -1: EINVAL, the error says what would be
 * right; ENOMEM. The member is unchanged, but NULL if copying a text failed. */
int key_read(const struct key *key, void *object, const char *value, struct fathom_error *error);
