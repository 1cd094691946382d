/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The lists of words, and the setters of options that take one or several of them. */
#include "cli/option_words.h"

#include "cli/complain.h"
#include "doctor/doctor_hosts.h"
#include "evaluate/explain.h"
#include "memory/need_memory.h"
#include "replay/replay_rules.h"

#include <string.h>

static const char *const colors[] = {
	[COLOR_AUTO] = "auto", [COLOR_ALWAYS] = "always", [COLOR_NEVER] = "never", NULL,
};
static const char *const units[] = {
	[UNITS_HOURS] = "hours", [UNITS_BILLING] = "billing", NULL,
};

/* Functions for struct name_list. Each returns word i of a list; NULL: there are no more. */

static const char *scheduler_at(const void *context, size_t i)
{
	(void)context;
	return replay_schedulers[i] ? replay_schedulers[i]->name : NULL;
}

static const char *way_at(const void *context, size_t i)
{
	(void)context;
	return i < DOCTOR_WAY_COUNT ? doctor_way_name((enum doctor_way)i) : NULL;
}

struct name_list option_words(enum option_word_list which)
{
	const struct name_list lists[] = {
		[WORDS_COLOR] = name_list_of(colors),
		[WORDS_IDLE] = name_list_of(explain_idle_names),
		[WORDS_CHANGE] = name_list_of(explain_change_names),
		[WORDS_SCHEDULER] = { .at = scheduler_at },
		[WORDS_UNITS] = name_list_of(units),
		[WORDS_WAY] = { .at = way_at },
	};

	return lists[which];
}

/* Returns the index of a word in the row's list. Refuses any other word. */
static int find_word(const struct option_row *row, const char *value)
{
	const struct name_list words = option_words((enum option_word_list)row->choice);
	const char *word;
	int i = 0;

	while ((word = words.at(words.context, (size_t)i)) && strcmp(word, value))
		i++;
	if (!word)
		refuse("--%s: '%s' is unknown, must be %s", row->name, value,
		       need_list(words, " or ", 128));
	return i;
}

void option_word(const struct option_row *row, void *member, const char *value)
{
	*(int *)member = find_word(row, value);
}

void option_several_words(const struct option_row *row, void *member, const char *value)
{
	struct word_list *list = member;
	char *rest = need_text(value), *word;

	list->count = 0;
	while ((word = strsep(&rest, ","))) {
		int which = find_word(row, word);

		for (size_t i = 0; i < list->count; i++)
			if (list->which[i] == which)
				refuse("--%s: %s: given twice", row->name, word);
		list->which[list->count++] = which;
	}
}
