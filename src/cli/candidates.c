/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the list of policies and settings that are compared: for each policy, each combination of
 * the values that its settings are given. The values of the first setting change fastest:
 *
 *	--set a=1 --set a=2 --set b=3 --set b=4		a=1 b=3 | a=2 b=3 | a=1 b=4 | a=2 b=4
 */
#include "cli/candidates.h"

#include "cli/complain.h"
#include "memory/need_memory.h"
#include "policy/traits.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* A setting, with all values that --set gives it. */
struct axis {
	const char *key;	/* fathom's name, also if slurm.conf's is given */
	const struct set *set[MOST_SETS];
	size_t count;
};

/* The settings of all --set, in the order in which they are first given. */
struct axes {
	struct axis axis[MOST_SETS];
	size_t count;
};

/* ---- settings by key -------------------------------------------------------------- */

/* Returns whether two keys are equal but for case and '_': hist_hours is HistHours. */
static bool is_same_key(const char *a, const char *b)
{
	for (;; a++, b++) {
		a += strspn(a, "_");
		b += strspn(b, "_");
		if (tolower((unsigned char)*a) != tolower((unsigned char)*b))
			return false;
		if (!*a)
			return true;
	}
}

/* Returns the axis of a setting, which is added if it is new. key: fathom's or slurm.conf's. */
static struct axis *find_axis(struct axes *axes, const char *key)
{
	size_t i = 0;

	key = setting_own_name(key);
	while (i < axes->count && !is_same_key(axes->axis[i].key, key))
		i++;
	if (i == axes->count)
		axes->axis[axes->count++] = (struct axis){ .key = key };
	return &axes->axis[i];
}

/* Sorts the values of --set into axes. Refuses a value that is given twice. */
static void sort_by_key(const struct sets *sets, struct axes *axes)
{
	axes->count = 0;
	for (size_t i = 0; i < sets->count; i++) {
		const struct set *set = sets->set[i];
		struct axis *axis = find_axis(axes, set->key);

		/* the same value under slurm.conf's name of the setting may have another unit */
		for (size_t j = 0; j < axis->count; j++)
			if (!strcmp(axis->set[j]->value, set->value) &&
			    is_same_key(axis->set[j]->key, set->key))
				refuse("--set: %s: given twice; several values of a setting are "
				       "shown side by side", set->text);
		axis->set[axis->count++] = set;
	}
}

/* ---- which policy has which setting ------------------------------------------------- */

/* What candidates are made of. */
struct selection {
	const struct policy_list *policies;
	const struct axes *axes;
	const struct general_settings *general;	/* or NULL */
	size_t most;		/* candidates that are allowed */
};

/* Returns whether candidates with this policy get a setting. A single policy gets all, so that its
 * own message says what is wrong with a key. */
static bool takes_setting(const struct selection *selection, const struct fathom_policy *policy,
			  const char *key)
{
	bool is_of_all = fathom_setting_named(conf_setting(CONF_HALF_LIFE), key) ||
			 (selection->general && selection->general->has(key));

	return selection->policies->count < 2 || is_of_all ||
	       policy_setting_named(policy, setting_own_name(key)) != POLICY_HAS_NONE;
}

/* Refuses a setting that no policy has, and suggests one. */
static _Noreturn void refuse_key(const struct selection *selection, const char *key)
{
	const struct policy_list *policies = selection->policies;
	const char *similar = setting_similar(policies, key), *names[FATHOM_MAX_POLICIES], *list;

	for (size_t i = 0; i < policies->count; i++)
		names[i] = fathom_policy_name(policies->policy[i]);
	list = need_words(names, policies->count, " or ", 256);
	if (!similar && selection->general)
		similar = selection->general->similar(key);
	if (similar)
		refuse("--set: %s: is no setting of %s; did you mean %s?", key, list, similar);
	refuse("--set: %s: is no setting of %s; fathom shares --help lists the settings of each "
	       "policy", key, list);
}

/* Checks that each setting is one of at least one policy. */
static void check_keys(const struct selection *selection)
{
	const struct policy_list *policies = selection->policies;

	for (size_t i = 0; i < selection->axes->count; i++) {
		const char *key = selection->axes->axis[i].key;
		bool is_taken = policies->count < 2;

		for (size_t j = 0; j < policies->count; j++)
			is_taken |= takes_setting(selection, policies->policy[j], key);
		if (!is_taken)
			refuse_key(selection, key);
	}
}

/* ---- combinations -------------------------------------------------------------------- */

/* Appends a text to the label, after a blank if the label is not empty. */
static void append_to_label(struct candidate *candidate, const char *text)
{
	size_t length = strlen(candidate->label);

	snprintf(candidate->label + length, LABEL_SIZE - length, "%s%s", length ? " " : "", text);
}

/* Fills a candidate with combination number `number`, from 0, of the values of the policy's
 * settings. Returns how many combinations there are, or a number above selection->most. */
static size_t combine(const struct selection *selection, const struct fathom_policy *policy,
		      size_t number, struct candidate *candidate)
{
	size_t combinations = 1;

	*candidate = (struct candidate){ .policy = policy };
	if (selection->policies->count > 1)
		append_to_label(candidate, fathom_policy_name(policy));
	for (size_t i = 0; i < selection->axes->count; i++) {
		const struct axis *axis = &selection->axes->axis[i];
		size_t value = number / combinations % axis->count;

		if (!takes_setting(selection, policy, axis->key))
			continue;
		combinations *= axis->count;
		/* all half-lives are one axis, so that `value` is an index in sets->half_life,
		 * too */
		if (set_is_half_life(axis->set[value]))
			candidate->half_life = value;
		else
			candidate->sets.set[candidate->sets.count++] = axis->set[value];
		if (axis->count > 1)
			append_to_label(candidate, axis->set[value]->text);
		if (combinations > selection->most)
			break;
	}
	return combinations;
}

/* Adds a candidate for each combination of the policy's settings. policy: NULL: the default one. */
static void add_policy(struct candidates *candidates, const struct selection *selection,
		       const struct fathom_policy *policy)
{
	struct candidate candidate;
	size_t count = combine(selection, policy, 0, &candidate);

	if (candidates->count + count > selection->most)
		refuse("--policy, --set: more than %zu policies and values of settings side by "
		       "side", selection->most);
	candidates->item = need_room(candidates->item, &candidates->room, candidates->count + count,
				     sizeof(*candidates->item));
	for (size_t i = 0; i < count; i++)
		combine(selection, policy, i, &candidates->item[candidates->count++]);
}

/* ---- usage ----------------------------------------------------------------------------- */

/* Returns whether jobs add up to the same usage for two candidates. For policies without sums of
 * their own they do, whatever the settings, if the half-life is the same. */
static bool counts_alike(const struct candidate *one, const struct candidate *other)
{
	const struct fathom_policy *policy = one->policy;

	if (one->half_life != other->half_life)
		return false;
	if (policy && other->policy && !fathom_policy_keeps_sums(policy) &&
	    !fathom_policy_keeps_sums(other->policy))
		return true;
	return policy == other->policy && one->sets.count == other->sets.count &&
	       !memcmp(one->sets.set, other->sets.set, one->sets.count * sizeof(*one->sets.set));
}

/* Sets candidate->usage: candidates that count alike get the same number, from 0. */
static void number_usages(struct candidates *candidates)
{
	for (size_t i = 0; i < candidates->count; i++) {
		struct candidate *candidate = &candidates->item[i];
		size_t same = 0;

		while (!counts_alike(&candidates->item[same], candidate))
			same++;
		candidate->usage = same < i ? candidates->item[same].usage
					    : candidates->usage_count++;
	}
}

struct accounting_rules candidates_accounting_rules(const struct candidates *candidates,
						    const char *standard, uint64_t states)
{
	const struct accounting_rules of_sets = accounting_rules_of(&candidates->sets, states);
	struct accounting_rules rules = of_sets;

	rules.half_life_count = candidates->usage_count;
	/* from the last to the first, so that each usage gets the rule of its first candidate */
	for (size_t i = candidates->count; i-- > 0;) {
		const struct candidate *candidate = &candidates->item[i];
		struct system_rule *rule = &rules.system[candidate->usage];

		rules.half_life[candidate->usage] = of_sets.half_life[candidate->half_life];
		*rule = system_rule_of(candidate->policy, &candidate->sets);
		rule->all_options = &candidates->sets;
		rule->standard = standard;
	}
	return rules;
}

bool candidates_given(const struct candidates *candidates)
{
	return candidates->policies.count || candidates->sets.count;
}

void candidates_create(struct candidates *candidates, const struct general_settings *general,
		       size_t most)
{
	const struct policy_list *policies = &candidates->policies;
	struct axes axes;
	const struct selection selection = { policies, &axes, general, most };

	sort_by_key(&candidates->sets, &axes);
	check_keys(&selection);
	if (!policies->count)
		add_policy(candidates, &selection, NULL);
	for (size_t i = 0; i < policies->count; i++)
		add_policy(candidates, &selection, policies->policy[i]);
	if (candidates->count <= MOST_HALF_LIVES)	/* else no usage is added up for them */
		number_usages(candidates);
}
