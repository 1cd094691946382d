/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The sums of each scheme: taken over when settings change, charged, changed by requests, saved. */
#include "schemes/schemes_private.h"

#include "base/slurm_locks.h"
#include "base/log.h"
#include "priority/usage_formula.h"

#include <stdlib.h>
#include <string.h>

/* ---- the state of each scheme ------------------------------------------------------------- */

/* Takes the state away from the scheme that has this name in the old settings, if its sums are of
 * this kind. Returns the state, without entities and own tree, which new settings may change; an
 * empty state if there is no such scheme. */
static struct scheme_state take_old_state(struct schemes *schemes, const char *name,
					  const char *kind)
{
	const struct settings *before = schemes->settings;
	struct scheme_state state = { NULL };

	for (size_t i = 0; before && !state.sums && i < before->scheme_count; i++) {
		if (strcmp(before->scheme[i].name, name) ||
		    strcmp(scheme_kind_of_sums(&before->scheme[i]), kind))
			continue;
		state = schemes->state[i];
		schemes->state[i] = (struct scheme_state){ NULL };
		entities_destroy(state.entities);
		shared_release(state.own_tree);
		state.entities = NULL;
		state.own_tree = NULL;
	}
	return state;
}

/*
 * Returns the state that a scheme begins with, the first of these that there is:
 *  1. the state that it had under the old settings;
 *  2. that of the shadow, if the shadow's policy is put in force now, or the other way round;
 *  3. a state with the sums that were saved for it, or with sums of 0.
 * Sums of partitions are dropped if it does not charge partitions any more, and restored if it
 * begins to charge them. If out of memory, logs that and returns a state without sums.
 */
static struct scheme_state take_over(struct schemes *schemes, const struct scheme *scheme)
{
	const char *kind = scheme_kind_of_sums(scheme);
	struct scheme_state state = { NULL };

	if (!scheme->keeps_sums)
		return state;
	state = take_old_state(schemes, scheme->name, kind);
	if (!state.sums)
		state = take_old_state(schemes, scheme_other_name(scheme), kind);
	if (!state.sums) {
		state.sums = fathom_policy_sums_create();
		if (state.sums)
			saved_sums_restore(&state, scheme, &schemes->unclaimed);
		else
			error(LOG_PREFIX "out of memory; policy %s falls back to the usage in "
					 "Slurm's records", fathom_policy_name(scheme->policy));
	} else if (!scheme->charges_queues) {
		fathom_policy_sums_clear(state.sums, FATHOM_NO_ASSOCIATION);
		numbered_names_clear(&state.queues);
	} else if (!state.queues.count) {
		saved_sums_restore_queues(&state, scheme, &schemes->unclaimed);
	}
	return state;
}

/* Frees the states of all schemes, and releases the settings. */
static void forget_schemes(struct schemes *schemes)
{
	for (size_t i = 0; schemes->settings && i < schemes->settings->scheme_count; i++) {
		struct scheme_state *state = &schemes->state[i];

		fathom_policy_sums_destroy(state->sums);
		fathom_tree_destroy(state->tree);
		fathom_node_index_release(state->map);
		entities_destroy(state->entities);
		numbered_names_clear(&state->queues);
		shared_release(state->own_tree);
	}
	free(schemes->state);
	shared_release(schemes->settings);
}

/* Goes on with the schemes of other settings, as schemes_follow(). Returns false if out of memory,
 * which is logged; nothing has changed then. */
static bool begin_schemes(struct schemes *schemes, const struct settings *settings)
{
	struct scheme_state *state = calloc(settings->scheme_count, sizeof(*state));

	if (!state) {
		error(LOG_PREFIX "out of memory; new settings do not count yet, factors stay as "
				 "they were");
		return false;
	}
	for (size_t i = 0; i < settings->scheme_count; i++)
		state[i] = take_over(schemes, &settings->scheme[i]);
	forget_schemes(schemes);
	schemes->state = state;
	schemes->settings = shared_reference(settings);
	user_groups_ask_again(&schemes->groups, ASK_ALL);
	return true;
}

struct schemes *schemes_create(struct book *book, struct results *results,
			       const struct associations *associations, const time_t *time,
			       const struct settings *settings)
{
	struct schemes *schemes = calloc(1, sizeof(*schemes));

	if (!schemes)
		return NULL;
	*schemes = (struct schemes){ .book = book, .results = results,
				     .associations = associations, .time = time };
	if (begin_schemes(schemes, settings))
		return schemes;
	free(schemes);
	return NULL;
}

void schemes_destroy(struct schemes *schemes)
{
	if (!schemes)
		return;
	forget_schemes(schemes);
	shared_release(schemes->global);
	shared_release(schemes->own_usage);
	usage_image_clear(&schemes->unclaimed);
	user_groups_clear(&schemes->groups);
	free(schemes);
}

const struct settings *schemes_settings(const struct schemes *schemes)
{
	return schemes->settings;
}

bool schemes_follow(struct schemes *schemes, const struct settings *settings)
{
	return schemes->settings == settings || begin_schemes(schemes, settings);
}

/* ---- changes of the sums --------------------------------------------------- */

struct fathom_sum_rules sum_rules(const struct settings *settings, size_t scheme, uint32_t gpu_tres)
{
	const struct scheme *definition = &settings->scheme[scheme];

	return (struct fathom_sum_rules){
		.policy = definition->policy,
		.settings = &definition->settings,
		.half_life = settings->half_life,
		.tres = { .cpus = TRES_ARRAY_CPU, .nodes = TRES_ARRAY_NODE, .gpus = gpu_tres,
			  .memory = TRES_ARRAY_MEM },
		.hosts = definition->scope->hosts.text ? definition->name : NULL,
		.used = definition->usage_res ? usage_formula_value : NULL,
		.context = definition->usage_res,
	};
}

/* Adds the charge to the sums of its partition; a partition that is not known has the name "". Logs
 * if out of memory. */
static void charge_queue(struct scheme_state *state, const struct fathom_sum_rules *rules,
			 struct fathom_charge charge)
{
	const char *name = charge.run.id.partition ? charge.run.id.partition : "";
	size_t number = numbered_names_add(&state->queues, name);

	charge.run.id.association = FATHOM_NO_ASSOCIATION;
	charge.run.id.leaf = (uint32_t)number;
	if (number == NAME_INDEX_NONE || fathom_policy_sums_add(state->sums, rules, &charge))
		error(LOG_PREFIX "out of memory; policy %s misses a charge of partition %s",
		      fathom_policy_name(rules->policy), name);
}

/* Adds the charges from index `first` up to, but without, `end` to the sums of a scheme. */
static void charge_scheme(struct schemes *schemes, size_t scheme,
			  const struct fathom_charges *charges, size_t first, size_t end,
			  uint32_t gpu_tres)
{
	const struct settings *settings = schemes->settings;
	struct fathom_sum_rules rules = sum_rules(settings, scheme, gpu_tres);
	struct run_leaves leaves = run_leaves_begin(schemes, scheme);

	for (size_t i = first; i < end; i++) {
		struct fathom_charge charge = *fathom_charges_at(charges, i);

		if (!schemes_count_run(settings, scheme, &charge.run))
			continue;
		charge.run.id.leaf = run_leaves_find_and_note(&leaves, &charge);
		if (fathom_policy_sums_add(sums_of(schemes, scheme), &rules, &charge))
			error(LOG_PREFIX "out of memory; policy %s misses a charge of association "
					 "%u", fathom_policy_name(rules.policy),
			      charge.run.id.association);
		if (settings->scheme[scheme].charges_queues)
			charge_queue(&schemes->state[scheme], &rules, charge);
	}
	run_leaves_end(&leaves);
}

/* Returns slurmctld's index of GPUs. Without GPUs slurmctld returns -1, which as uint32_t is beyond
 * all TRES. */
static uint32_t find_gpu_tres(void)
{
	assoc_mgr_lock_t locks = { .tres = READ_LOCK };
	slurmdb_tres_rec_t gpu = { .type = "gres", .name = "gpu" };
	const bool is_locked = true;
	uint32_t at;

	locks_take(NULL, &locks);
	at = (uint32_t)assoc_mgr_find_tres_pos(&gpu, is_locked);
	locks_release(NULL, &locks);
	return at;
}

void schemes_charge(struct schemes *schemes, const struct fathom_charges *charges, size_t first,
		    size_t end)
{
	uint32_t gpu_tres;

	if (!schemes->settings->keeps_sums || first == end)
		return;
	gpu_tres = find_gpu_tres();
	for (size_t i = 0; i < schemes->settings->scheme_count; i++)
		if (sums_of(schemes, i))
			charge_scheme(schemes, i, charges, first, end, gpu_tres);
}

/* Drops unclaimed sums; notes in their place the time of the last reset, for schemes that are yet
 * to come. reset: 0: there was none. */
static void keep_only_reset(struct schemes *schemes, int64_t reset)
{
	usage_image_clear(&schemes->unclaimed);
	if (reset && usage_image_add_section(&schemes->unclaimed, "", SECTION_OF_RESET, reset, 0))
		error(LOG_PREFIX "out of memory; a policy that comes later counts what running "
				 "jobs used before the last reset");
}

void schemes_reset(struct schemes *schemes, time_t time)
{
	keep_only_reset(schemes, time);
	for (size_t i = 0; i < schemes->settings->scheme_count; i++)
		if (sums_of(schemes, i))
			fathom_policy_sums_reset(sums_of(schemes, i), (double)time);
}

/* Sets *more to what `added`, unless NULL, adds to the sums of a scheme, decayed to now. Returns
 * whether any of it is not 0. A scope's sums get nothing: an import does not say in which
 * partitions its jobs ran. */
static bool added_to_scheme(const struct schemes *schemes, size_t scheme,
			    const struct usage_added *added, struct fathom_sums *more)
{
	bool any = false;

	*more = (struct fathom_sums){ { 0 } };
	if (!added || schemes->settings->scheme[scheme].role == SCHEME_SCOPE)
		return false;
	for (size_t i = 0; i < FATHOM_SUM_COUNT; i++) {
		more->value[i] = added->imported.value[i] *
				 fathom_decay(added->age, half_life_of(schemes, scheme));
		if (i == FATHOM_SUM_USAGE)
			more->value[i] += added->assigned;
		any |= more->value[i] != 0;
	}
	return any;
}

void schemes_change(struct schemes *schemes, const struct fathom_run_id *id, double factor,
		    const struct usage_added *added)
{
	double time = (double)*schemes->time;
	struct fathom_sums more;

	for (size_t i = 0; i < schemes->settings->scheme_count; i++) {
		struct fathom_policy_sums *sums = sums_of(schemes, i);

		if (sums &&
		    fathom_policy_sums_change(sums, half_life_of(schemes, i), id, time, factor,
					      added_to_scheme(schemes, i, added, &more) ? &more
											: NULL))
			error(LOG_PREFIX "out of memory; policy %s misses usage that is added",
			      fathom_policy_name(schemes->settings->scheme[i].policy));
	}
}

void schemes_move(struct schemes *schemes, fathom_heir_function *heir_of, const void *context)
{
	for (size_t i = 0; i < schemes->settings->scheme_count; i++)
		if (sums_of(schemes, i))
			fathom_policy_sums_move(sums_of(schemes, i), half_life_of(schemes, i),
						heir_of, context);
}

void schemes_move_one(struct schemes *schemes, uint32_t from, uint32_t to)
{
	for (size_t i = 0; i < schemes->settings->scheme_count; i++)
		if (sums_of(schemes, i) &&
		    fathom_policy_sums_move_one(sums_of(schemes, i), half_life_of(schemes, i),
						from, to))
			error(LOG_PREFIX "out of memory; sums of association %u, which is deleted, "
					 "do not go to its account", from);
}

/* ---- saving ------------------------------------------------------------------------------ */

void schemes_drop_unclaimed(struct schemes *schemes)
{
	uint32_t ignored;
	const struct sums_section *reset = usage_image_section(&schemes->unclaimed, "",
							       SECTION_OF_RESET, &ignored);

	keep_only_reset(schemes, reset ? reset->since : 0);
}

void schemes_copy(const struct schemes *schemes, struct usage_image *image)
{
	usage_image_clear_sums(image);
	for (size_t i = 0; i < schemes->settings->scheme_count; i++)
		if (sums_of(schemes, i))
			saved_sums_copy(&schemes->state[i], &schemes->settings->scheme[i], image);
	/* behind all others: a start takes the first section of a name, and unclaimed ones are
	 * older */
	usage_image_add_all_sums(image, &schemes->unclaimed);
}

void schemes_restore(struct schemes *schemes, const struct usage_image *image)
{
	/* which sections nobody claims is known once the settings have been checked */
	usage_image_add_all_sums(&schemes->unclaimed, image);
	for (size_t i = 0; i < schemes->settings->scheme_count; i++)
		if (sums_of(schemes, i))
			saved_sums_restore(&schemes->state[i], &schemes->settings->scheme[i],
					   image);
}
