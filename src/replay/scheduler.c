/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The table of schedulers, and a search in it. */
#include "replay/scheduler.h"

#include <string.h>

static const struct replay_scheduler *const table[] = {
#define SCHEDULER(name) &replay_scheduler_##name,
#include "replay/schedulers.h"
#undef SCHEDULER
};

size_t replay_scheduler_count(void)
{
	return sizeof(table) / sizeof(*table);
}

const struct replay_scheduler *replay_scheduler_at(size_t index)
{
	return table[index];
}

const struct replay_scheduler *replay_scheduler_find(const char *name)
{
	for (size_t i = 0; i < replay_scheduler_count(); i++)
		if (!strcmp(table[i]->name, name))
			return table[i];
	return NULL;
}
