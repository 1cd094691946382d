/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Keys of an object that a file describes: a row says which member of the object gets the value,
 * how the key is called, and which values are right:
 *
 *	static const struct key keys[] = {
 *		{ KEY_NUMBER, offsetof(struct queue, share), NULL,
 *		  { .name = "slot_share", .type = FATHOM_NUMBER, .high = 100 } },
 *		KEY_END
 *	};
 */
#pragma once

#include "fathom.h"

#define FATHOM_SETTING_SIZE 256	/* bytes of a text of type FATHOM_FORMULA, with the NUL */

/* The type of a member. */
enum key_member {
	KEY_NONE,	/* there is none: read() stores the value */
	KEY_NUMBER,	/* double */
	KEY_SWITCH,	/* bool */
	KEY_CHOICE,	/* an enum */
	KEY_TEXT,	/* char *, a copy that the object owns */
	KEY_ARRAY	/* char [], with room for the setting's longest text */
};

/* Does more with a value that is right by its type. *number: what fathom_setting_parse() has read,
 * which the function may replace. -1: EINVAL, ENOMEM. */
typedef int key_reader(void *object, const char *value, double *number, struct fathom_error *error);

struct key {
	enum key_member member;
	size_t at;		/* its offset */
	key_reader *read;	/* NULL: nothing more */
	struct fathom_setting setting;
};

#define KEY_END { .setting.name = NULL }

/* A row of a text without a limit. */
#define KEY_ANY_TEXT(setting_name) { .name = setting_name, .type = FATHOM_TEXT, .high = INFINITY }

/* Finds a key by any of its names, see fathom_setting_named(). NULL: the table has none. */
const struct key *key_find(const struct key *keys, const char *name);
/* Reads a value into its member. -1: EINVAL, the error says what would be right; ENOMEM. */
int key_read(const struct key *key, void *object, const char *value, struct fathom_error *error);
