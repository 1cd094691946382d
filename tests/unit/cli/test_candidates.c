/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Which columns --policy and --set ask for. */
#include "../unit.h"

#include "cli/candidates.h"
#include "document/document.h"

/* policies and sets: separated by blanks; labels: of all candidates, each with a ';' */
static const struct {
	const char *policies, *sets, *labels;
	size_t set_count, half_life;	/* of the last candidate */
} vectors[] = {
	{ "", "", ";", 0, 0 },
	{ "lsf", "", ";", 0, 0 },
	{ "lsf", "hist_hours=5", ";", 1, 0 },
	{ "lsf", "no_such=5 hist_hours=5", ";", 2, 0 },
	{ "lsf pbs", "", "lsf;pbs;", 0, 0 },
	{ "lsf", "hist_hours=5 HistHours=6", "hist_hours=5;HistHours=6;", 1, 0 },
	{ "", "a=1 b=2 A=3", "a=1;A=3;", 2, 0 },
	{ "", "a=1 a=2 b=3 b=4", "a=1 b=3;a=2 b=3;a=1 b=4;a=2 b=4;", 2, 0 },
	{ "lsf pbs", "hist_hours=5 hist_hours=6", "lsf hist_hours=5;lsf hist_hours=6;pbs;", 0, 0 },
	{ "lsf pbs", "hist_hours=5 general=1", "lsf;pbs;", 1, 0 },
	{ "lsf pbs", "general=1 general=2",
	  "lsf general=1;lsf general=2;pbs general=1;pbs general=2;", 1, 0 },
	{ "lsf", "half_life=3d", ";", 0, 0 },
	{ "lsf pbs", "half_life=3d HalfLife=1d half_life=0",
	  "lsf half_life=3d;lsf HalfLife=1d;lsf half_life=0;pbs half_life=3d;pbs HalfLife=1d;"
	  "pbs half_life=0;", 0, 2 },
	{ "lsf", "half_life=60 PriorityDecayHalfLife=60 HalfLife=1h",
	  "half_life=60;PriorityDecayHalfLife=60;HalfLife=1h;", 0, 2 },
	{ "classic pbs", "dampening_factor=1 FairShareDampeningFactor=2",
	  "classic dampening_factor=1;classic FairShareDampeningFactor=2;pbs;", 0, 0 },
	{ "", "PriorityDecayHalfLife=3-0 PriorityDecayHalfLife=3-0", NULL, 0, 0 },
	{ "lsf", "hist_hours=5 half_life=3d hist_hours=6 half_life=1d",
	  "hist_hours=5 half_life=3d;hist_hours=6 half_life=3d;hist_hours=5 half_life=1d;"
	  "hist_hours=6 half_life=1d;", 1, 1 },
	{ "", "half_life=3d half_life=3d", NULL, 0, 0 },
	{ "lsf pbs", "tie_mode=flux", NULL, 0, 0 },
	{ "", "a=1 A=1", NULL, 0, 0 },
	{ "", "a=1 a=2 a=3 a=4 b=1 b=2 b=3 b=4", "16", 2, 0 },
	{ "", "a=1 a=2 a=3 a=4 b=1 b=2 b=3 b=4 c=1 c=2", NULL, 0, 0 },
};

static bool is_general(const char *key)
{
	return !strcmp(key, "general");
}

/* Returns the next word of a text; NULL: there is none. */
static char *next_word(char **text)
{
	char *word;

	while ((word = strsep(text, " ")) && !*word)
		;
	return word;
}

static const char *similar(const char *key)
{
	(void)key;
	return NULL;
}

static void make(void *context)
{
	const struct general_settings general = { is_general, similar };

	candidates_create(context, &general, 16);
}

TEST_EACH(each_policy_gets_each_combination_of_its_settings, vectors)
{
	char policies[64], sets[128], labels[512] = "", *rest, *word;
	struct candidates made = { .count = 0 };
	struct failure failure;
	int status;

	strcpy(policies, vectors[_i].policies);
	strcpy(sets, vectors[_i].sets);
	for (rest = policies; (word = next_word(&rest));)
		made.policies.policy[made.policies.count++] = fathom_policy_find(word);
	for (rest = sets; (word = next_word(&rest));)
		made.sets.set[made.sets.count++] = set_of(word);
	status = document_try(make, &made, &failure);
	ck_assert_int_eq(status != 0, !vectors[_i].labels);
	if (status)
		return;
	for (size_t i = 0; i < made.count; i++)
		strcat(strcat(labels, made.item[i].label), ";");
	if (*vectors[_i].labels == '1')
		ck_assert_uint_eq(made.count, 16);
	else
		ck_assert_str_eq(labels, vectors[_i].labels);
	ck_assert_uint_eq(made.item[made.count - 1].sets.count, vectors[_i].set_count);
	ck_assert_uint_eq(made.item[made.count - 1].half_life, vectors[_i].half_life);
}
