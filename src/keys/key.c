/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds keys in their table, and stores their values; setting.c parses these. */
#include "keys/key.h"

#include "core/error.h"

#include <stdlib.h>
#include <string.h>

const struct key *key_find(const struct key *keys, const char *name)
{
	while (keys->setting.name && !fathom_setting_named(&keys->setting, name))
		keys++;
	return keys->setting.name ? keys : NULL;
}

/* Replaces a text by a copy of the value. */
static int copy_text(char **text, const char *value, struct fathom_error *error)
{
	free(*text);
	*text = strdup(value);
	return *text ? 0 : fathom_error_no_memory(error);
}

int key_read(const struct key *key, void *object, const char *value, struct fathom_error *error)
{
	void *member = (char *)object + key->at;
	double number;

	if (fathom_setting_parse(&key->setting, value, &number, error) ||
	    (key->read && key->read(object, value, &number, error)) ||
	    (key->store && key->store(member, value, error)))
		return -1;
	if (key->note)
		*(bool *)((char *)object + key->note) = true;
	if (key->member == KEY_NUMBER)
		*(double *)member = number;
	else if (key->member == KEY_SWITCH)
		*(bool *)member = number != 0;
	else if (key->member == KEY_CHOICE)
		*(unsigned *)member = (unsigned)number;	/* enums have the size of unsigned */
	else if (key->member == KEY_TEXT)
		return copy_text(member, value, error);
	else if (key->member == KEY_ARRAY)
		memcpy(member, value, strlen(value) + 1);
	return 0;
}
