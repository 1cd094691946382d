/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare/fairshare_private.h"

#include "base/log.h"

#include <stdlib.h>
#include <string.h>

/* ---- which there are ------------------------------------------------------------- */

static void forget_kept(struct kept *kept)
{
	scheme_sums_destroy(kept->sums);
	fathom_tree_destroy(kept->tree);
	fathom_node_index_release(kept->map);
}

/* What has been kept for a scheme of that name, if it is of the same kind. */
static struct kept take(struct fairshare *fairshare, const char *name, const char *kind)
{
	const struct settings *before = fairshare->settings;
	struct kept kept = { NULL };

	for (size_t i = 0; before && !kept.sums && i < before->scheme_count; i++)
		if (!strcmp(before->scheme[i].name, name) &&
		    !strcmp(settings_kind_of_sums(&before->scheme[i]), kind)) {
			kept = fairshare->kept[i];
			fairshare->kept[i] = (struct kept){ NULL };
		}
	return kept;
}

/* It goes on, as does what a shadow has gathered before it is put in force. */
static struct kept take_over(struct fairshare *fairshare, const struct scheme *scheme)
{
	struct kept kept = { NULL };

	if (!scheme->keeps_sums)
		return kept;
	kept = take(fairshare, scheme->name, settings_kind_of_sums(scheme));
	if (!kept.sums)
		kept = take(fairshare, settings_other_name(scheme),
			    settings_kind_of_sums(scheme));
	if (kept.sums)
		return kept;
	kept.sums = scheme_sums_create();
	if (kept.sums)
		scheme_sums_restore(kept.sums, scheme, &fairshare->waiting);
	else
		error(LOG_PREFIX "out of memory; policy %s sees usage alone",
		      fathom_policy_name(scheme->policy));
	return kept;
}

void schemes_forget(struct fairshare *fairshare)
{
	for (size_t i = 0; fairshare->settings && i < fairshare->settings->scheme_count; i++)
		forget_kept(&fairshare->kept[i]);
	free(fairshare->kept);
	settings_release(fairshare->settings);
	fairshare->kept = NULL;
	fairshare->settings = NULL;
}

bool schemes_begin(struct fairshare *fairshare, const struct settings *settings)
{
	struct kept *kept = calloc(settings->scheme_count, sizeof(*kept));

	if (!kept) {
		error(LOG_PREFIX "out of memory; factors stay as they were");
		return false;
	}
	for (size_t i = 0; i < settings->scheme_count; i++)
		kept[i] = take_over(fairshare, &settings->scheme[i]);
	schemes_forget(fairshare);
	fairshare->kept = kept;
	fairshare->settings = settings_reference(settings);
	return true;
}

bool schemes_follow(struct fairshare *fairshare, const struct settings *settings)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };
	bool done;

	if (fairshare->settings == settings)
		return true;
	assoc_mgr_lock(&locks);
	done = schemes_begin(fairshare, settings);
	assoc_mgr_unlock(&locks);
	return done;
}

/* ---- what is added and taken away --------------------------------------------------- */

/* Of the scheme, or NULL. */
static struct scheme_sums *sums_of(const struct fairshare *fairshare, size_t scheme)
{
	return fairshare->kept[scheme].sums;
}

static double half_life_of(const struct fairshare *fairshare, size_t scheme)
{
	const struct scheme *of = &fairshare->settings->scheme[scheme];

	return fathom_policy_half_life(of->policy, &of->settings, fairshare->settings->half_life);
}

static void charge_scheme(struct fairshare *fairshare, size_t scheme,
			  const struct fathom_charges *charges, uint32_t gpu_tres)
{
	const struct settings *settings = fairshare->settings;

	for (size_t i = 0; i < fathom_charges_count(charges); i++) {
		const struct fathom_charge *charge = fathom_charges_at(charges, i);

		if (scopes_scheme_counts(settings, scheme, charge->run.id.partition))
			scheme_sums_add(sums_of(fairshare, scheme), settings,
					&settings->scheme[scheme], charge, gpu_tres);
	}
}

void schemes_charge(struct fairshare *fairshare, const struct fathom_charges *charges)
{
	const struct settings *settings = fairshare->settings;
	slurmdb_tres_rec_t gpu = { .type = "gres", .name = "gpu" };
	uint32_t at;

	if (!settings->keeps_sums)
		return;
	at = (uint32_t)assoc_mgr_find_tres_pos(&gpu, true);	/* -1: more than there are */
	for (size_t i = 0; i < settings->scheme_count; i++)
		if (sums_of(fairshare, i))
			charge_scheme(fairshare, i, charges, at);
}

void schemes_reset(struct fairshare *fairshare, time_t time)
{
	usage_image_clear(&fairshare->waiting);
	for (size_t i = 0; i < fairshare->settings->scheme_count; i++)
		if (sums_of(fairshare, i))
			scheme_sums_reset(sums_of(fairshare, i), time);
}

void schemes_clear(struct fairshare *fairshare, uint32_t association)
{
	for (size_t i = 0; i < fairshare->settings->scheme_count; i++)
		if (sums_of(fairshare, i))
			scheme_sums_clear(sums_of(fairshare, i), association);
}

void schemes_move(struct fairshare *fairshare, fathom_heir_function *heir_of, const void *context)
{
	for (size_t i = 0; i < fairshare->settings->scheme_count; i++)
		if (sums_of(fairshare, i))
			scheme_sums_move(sums_of(fairshare, i), half_life_of(fairshare, i), heir_of,
					 context);
}

/* ---- the tree ------------------------------------------------------------------------- */

/* What each node has itself, and what all running jobs of the cluster hold. */
struct own {
	struct fathom_sums *sums;
	struct fathom_holdings *holdings;
	double memory, slots;	/* of the cluster */
};

static double held(const struct fathom_run_rate *rate, uint32_t tres)
{
	return tres < rate->tres_count ? (double)rate->tres[tres] : 0;
}

static int make_tree(struct kept *kept, const struct associations *associations,
		     struct fathom_error *problem)
{
	if (kept->tree && kept->map == associations->map)
		return 0;
	fathom_tree_destroy(kept->tree);
	fathom_node_index_release(kept->map);
	kept->map = NULL;
	kept->tree = fathom_tree_copy(associations->tree, problem);
	if (kept->tree)
		kept->map = fathom_node_index_share(associations->map);
	return kept->tree ? 0 : -1;
}

static void hold_running(const struct fairshare *fairshare, size_t scheme,
			 const struct running *running, size_t count, struct own *own)
{
	const struct settings *settings = fairshare->settings;
	const struct fathom_node_index *map = fairshare->associations.map;

	for (size_t i = 0; i < count; i++) {
		const struct fathom_run_id *id = &running[i].run.id;

		own->memory += held(&running[i].run.rate, TRES_ARRAY_MEM);
		own->slots += held(&running[i].run.rate, TRES_ARRAY_CPU);
		if (scopes_scheme_counts(settings, scheme, id->partition))
			scheme_sums_hold(sums_of(fairshare, scheme), settings,
					 &settings->scheme[scheme], &running[i],
					 &own->holdings[fathom_node_index_heir(
						 map, id->association, id->account)]);
	}
}

/* Sums are what it is asked of, so they come first. */
static int settle_tree(const struct settings *settings, size_t scheme, struct fathom_tree *tree,
		       const struct own *own, struct fathom_error *problem)
{
	fathom_tree_settle(tree);
	if (!settings->scheme[scheme].is_adjusted)
		return 0;
	return adjuster_apply(&settings->adjuster, tree, own->memory, own->slots, problem);
}

/* Shares as they are; usage too, for columns that no policy looks at. */
static int fill_tree(const struct fairshare *fairshare, size_t scheme, const struct own *own,
		     struct fathom_error *problem)
{
	const struct fathom_policy *policy = fairshare->settings->scheme[scheme].policy;
	const struct fathom_tree *from = fairshare->associations.tree;
	struct fathom_tree *tree = fairshare->kept[scheme].tree;

	for (size_t node = 0; node < fairshare->associations.node_count; node++) {
		uint32_t shares = fathom_tree_raw_shares(from, node);

		if (shares != fathom_tree_raw_shares(tree, node))
			fathom_tree_set_raw_shares(tree, node, shares);
		fathom_tree_set_own_usage(tree, node, fathom_tree_own_usage(from, node));
		if (fathom_policy_set_sums(policy, tree, node, &own->sums[node],
					     &own->holdings[node], problem))
			return -1;
	}
	return settle_tree(fairshare->settings, scheme, tree, own, problem);
}

static int renew_tree(struct fairshare *fairshare, size_t scheme, const struct running *running,
		      size_t count, struct fathom_error *problem)
{
	size_t nodes = fairshare->associations.node_count;
	struct own own = { .sums = calloc(nodes, sizeof(*own.sums)),
			   .holdings = calloc(nodes, sizeof(*own.holdings)) };
	int status = -1;

	if (own.sums && own.holdings &&
	    !make_tree(&fairshare->kept[scheme], &fairshare->associations, problem)) {
		scheme_sums_collect(sums_of(fairshare, scheme), half_life_of(fairshare, scheme),
				    fairshare->time, fairshare->associations.map, own.sums);
		hold_running(fairshare, scheme, running, count, &own);
		status = fill_tree(fairshare, scheme, &own, problem);
	}
	free(own.sums);
	free(own.holdings);
	return status;
}

const struct fathom_tree *schemes_tree_holding(struct fairshare *fairshare, size_t scheme,
					       const struct running *running, size_t count)
{
	struct fathom_error problem = { .text = "out of memory" };

	if (!sums_of(fairshare, scheme))
		return fairshare->associations.tree;
	if (!renew_tree(fairshare, scheme, running, count, &problem))
		return fairshare->kept[scheme].tree;
	error(LOG_PREFIX "%s; policy %s sees usage alone", problem.text,
	      fathom_policy_name(fairshare->settings->scheme[scheme].policy));
	return fairshare->associations.tree;
}

const struct fathom_tree *schemes_tree(struct fairshare *fairshare, size_t scheme)
{
	const struct fathom_tree *tree;
	struct running *running;
	size_t count;

	if (!sums_of(fairshare, scheme))
		return fairshare->associations.tree;
	running = book_list_running(fairshare->book, fairshare->settings, &count);
	tree = schemes_tree_holding(fairshare, scheme, running, count);
	free(running);
	return tree;
}

/* ---- saving ------------------------------------------------------------------------------ */

void schemes_copy(struct fairshare *fairshare, struct usage_image *image)
{
	usage_image_clear_sums(image);
	for (size_t i = 0; i < fairshare->settings->scheme_count; i++)
		if (sums_of(fairshare, i))
			scheme_sums_copy(sums_of(fairshare, i), &fairshare->settings->scheme[i],
					 image);
}

void schemes_copy_waiting(struct fairshare *fairshare, struct usage_image *image)
{
	/* behind those of schemes, which are newer and are found first */
	usage_image_add_sums(image, &fairshare->waiting);
}

void schemes_restore(struct fairshare *fairshare, const struct usage_image *image)
{
	usage_image_add_sums(&fairshare->waiting, image);
	for (size_t i = 0; i < fairshare->settings->scheme_count; i++)
		if (sums_of(fairshare, i))
			scheme_sums_restore(sums_of(fairshare, i), &fairshare->settings->scheme[i],
					    image);
}
