/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Makes the changes of an import and a request (state/usage_changes.h) in rows and in the policies'
 * sums, after the pass has charged these:
 *
 *	import adds 50 to anna, who has 100	-> 150
 *	then physics, where she is, is halved	-> 75
 *	then anna is assigned 10		-> 10
 */
#include "fairshare/fairshare_private.h"

#include "base/log.h"
#include "core/name_index.h"
#include "core/owner_nodes.h"
#include "core/valid_usage.h"
#include "records/record_usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_LOGGED 5	/* names of associations that are not found */

/* Changes that are being made. */
struct editing {
	struct fairshare *fairshare;
	const struct associations *associations;	/* those of `fairshare` */
	struct fathom_tree *tree;	/* theirs; own usage in it is always that of the rows */
	struct snapshot names;		/* of the tree's nodes */
	struct name_index accounts;	/* node of an account, by its name */
	bool *is_chosen;		/* by node: the change of a request is for it */
};

/* Returns own raw usage of a node, in billing seconds. */
static double own_usage(const struct editing *editing, size_t node)
{
	return fathom_tree_own_usage(editing->tree, node);
}

/* Sets own raw usage of a node to `raw` seconds, in its row and in the tree. Multiplies all else
 * that it has, such as wall time, TRES and the sums of policies, by a factor. Then adds usage to
 * these sums, unless `added` is NULL. */
static void edit_node(const struct editing *editing, size_t node, double raw, double factor,
		      const struct usage_added *added)
{
	struct usage_image *image = &editing->fairshare->image;
	size_t account = fathom_tree_parent(editing->tree, node);
	const struct fathom_run_id id = {
		.association = (uint32_t)fathom_tree_id(editing->tree, node),
		.account = (uint32_t)fathom_tree_id(editing->tree, account),
	};
	double *row = usage_image_row(image, node);

	for (size_t i = 0; i < usage_image_width(image); i++)
		row[i] = valid_usage(row[i] * factor);
	row[USAGE_RAW] = fmin(raw, USAGE_RAW_MOST);
	fathom_tree_set_own_usage(editing->tree, node, row[USAGE_RAW]);
	schemes_change(editing->fairshare->schemes, &id, factor, added);
}

/* Returns the node of the account with this name; NAME_INDEX_NONE: there is no such account. */
static size_t find_account(const struct editing *editing, const char *name)
{
	return name_index_get(&editing->accounts, piece_of(name));
}

/* Reads the names of all nodes, into editing->names and ->accounts. Returns false if out of memory,
 * or if some associations are gone. */
static bool read_names(struct editing *editing)
{
	const struct associations *associations = editing->associations;

	if (association_names_read(&editing->names, associations->map, associations->node_count))
		return false;
	for (size_t node = 0; node < associations->node_count; node++) {
		const char *name = snapshot_name(&editing->names, node);

		if (fathom_tree_kind(editing->tree, node) == FATHOM_ACCOUNT &&
		    name_index_put(&editing->accounts, piece_of(name), node, NULL))
			return false;
	}
	return true;
}

/* ---- ImportUsage --------------------------------------------------------------------- */

/* An import that is being added. */
struct importing {
	const struct usage_list *list;
	double age;			/* seconds from the list's time to now */
	double decay;			/* what is left of usage after that time, 0 to 1 */
	bool has_run_time;		/* the list tells run times; else usage stands for them, as
					 * in a tree */
	bool *is_found;			/* by entry of the list: its association is there */
	size_t found;			/* entries that were added to their associations */
	size_t inherited;		/* entries that were added to accounts, as the associations
					 * are missing */
	size_t dropped;			/* entries whose accounts are missing, too */
	double usage, lost;		/* seconds, decayed to now: of the entries that were added;
					 * of those that were dropped */
	char names[512];		/* names of the first owners that are missing, for the
					 * log */
};

/* Adds the usage of an entry to a node: the entry's association, or its account. */
static void add_entry(const struct editing *editing, struct importing *importing, size_t node,
		      const struct usage_entry *entry)
{
	double run_time = importing->has_run_time ? entry->amount[FATHOM_RUN_TIME] : entry->usage;
	const struct usage_added added = { .age = importing->age, .imported.value = {
		[FATHOM_SUM_USAGE] = entry->usage,
		[FATHOM_SUM_CPU_TIME] = entry->amount[FATHOM_CPU_TIME],
		/* what ran under the other scheduler does not run here */
		[FATHOM_SUM_HIST_RUN_TIME] = entry->amount[FATHOM_HIST_RUN_TIME] + run_time,
	} };
	double usage = entry->usage * importing->decay;

	edit_node(editing, node, own_usage(editing, node) + usage, 1, &added);
	importing->usage += usage;
}

/* Adds the list's entry for a node's association to the node, if there is one. */
static void import_node(const struct editing *editing, struct importing *importing, size_t node)
{
	const struct usage_owner owner = usage_owner_of(&editing->names, editing->tree, node);
	const struct usage_entry *entry = usage_list_find(importing->list, &owner);

	if (!entry)
		return;
	importing->is_found[entry - importing->list->entry] = true;
	importing->found++;
	add_entry(editing, importing, node, entry);
}

/* Adds an owner that is missing to the names for the log, up to NAMES_LOGGED. Called when it has
 * been counted. */
static void note_name(struct importing *importing, const struct usage_owner *owner)
{
	size_t length = strlen(importing->names), room = sizeof(importing->names) - length;

	if (importing->inherited + importing->dropped <= NAMES_LOGGED)
		snprintf(importing->names + length, room, "%s%.40s%s%.40s%s%.40s",
			 length ? ", " : "", owner->account, owner->user ? "/" : "",
			 owner->user ? owner->user : "", owner->partition ? "/" : "",
			 owner->partition ? owner->partition : "");
}

/* Adds an entry whose association is missing to its account, as usage of a deleted association goes
 * there; drops it if the account is missing, too. */
static void import_missing(const struct editing *editing, struct importing *importing,
			   const struct usage_entry *entry)
{
	size_t account = find_account(editing, entry->owner.account);

	if (!(entry->usage > 0))
		return;
	if (account == NAME_INDEX_NONE) {
		importing->dropped++;
		importing->lost += entry->usage * importing->decay;
	} else {
		importing->inherited++;
		add_entry(editing, importing, account, entry);
	}
	note_name(importing, &entry->owner);
}

/* Logs what has been added, and which owners are missing. */
static void log_import(const struct importing *importing, const char *path)
{
	size_t missing = importing->inherited + importing->dropped;
	bool has_time = importing->list->has_time;
	char when[LOG_TIME_SIZE];

	info(LOG_PREFIX "ImportUsage: usage of %zu associations is added from %s: %.15g s, %s%s",
	     importing->found + importing->inherited, path, importing->usage,
	     has_time ? "decayed since " : "not decayed, as the file has no time",
	     has_time ? log_time((time_t)importing->list->time, when) : "");
	if (missing)
		error(LOG_PREFIX "ImportUsage: %zu of %s are no associations: %s%s; usage of %zu "
				 "goes to their accounts, that of %zu, %.15g s, is dropped",
		      missing, path, importing->names, missing > NAMES_LOGGED ? ", ..." : "",
		      importing->inherited, importing->dropped, importing->lost);
}

/* Adds the usage of changes->list. Returns -1 if out of memory: then nothing has been added. */
static int import(const struct editing *editing, const struct usage_changes *changes)
{
	const struct usage_list *list = &changes->list;
	double age = list->has_time ? difftime(editing->fairshare->time, (time_t)list->time) : 0;
	struct importing importing = {
		.list = list,
		.age = MAX(age, 0),
		.decay = fathom_decay(MAX(age, 0),
				      schemes_settings(editing->fairshare->schemes)->half_life),
		.has_run_time = usage_list_has_resource(list, FATHOM_RUN_TIME),
		.is_found = calloc(list->count + 1, sizeof(*importing.is_found)),
	};

	if (!importing.is_found)
		return -1;
	for (size_t node = 0; node < editing->associations->node_count; node++)
		import_node(editing, &importing, node);
	for (size_t i = 0; i < list->count; i++)
		if (!importing.is_found[i])
			import_missing(editing, &importing, &list->entry[i]);
	log_import(&importing, changes->import_path);
	free(importing.is_found);
	return 0;
}

/* ---- requests ------------------------------------------------------------------------ */

/* Sets is_chosen for the nodes of an owner: those of a user, or an account and all nodes below it.
 * Returns the first chosen node; OWNER_NO_NODE: the owner is gone. */
static size_t choose(const struct editing *editing, const struct usage_owner *owner)
{
	size_t account = find_account(editing, owner->account);

	return account == NAME_INDEX_NONE ? OWNER_NO_NODE :
		owner_nodes_mark(editing->tree, &editing->names, account, owner->user,
				 owner->partition, editing->is_chosen);
}

/* Logs a change that was made, and who requested it. who: whose usage it is; from, to: its seconds
 * before and after. */
static void log_change(const struct usage_request *request, const struct usage_change *change,
		       const char *who, double from, double to)
{
	static const char *const verbs[] = { [USAGE_ASSIGN] = "assigned", [USAGE_SCALE] = "scaled",
					     [USAGE_RESET] = "reset" };
	char when[LOG_TIME_SIZE];

	info(LOG_PREFIX "usage of %s: from %.15g to %.15g s, %s by %s on %s at %s", who, from, to,
	     verbs[change->action], request->by, request->host,
	     log_time((time_t)request->time, when));
}

/* Returns the factor by which a change multiplies usage that was `from` seconds; not finite: there
 * is nothing that could be multiplied, or it has decayed to almost nothing. */
static double factor_of(const struct usage_change *change, double from)
{
	if (change->action == USAGE_RESET)
		return 0;
	return change->action == USAGE_SCALE ? change->value : change->value / from;
}

/* Changes the chosen nodes, which had `from` seconds together. They keep their proportions. Where
 * seconds are assigned and one node has all usage, it gets exactly these seconds, without rounding.
 * first: the first chosen node; factor: factor_of(), finite. */
static void change_nodes(const struct editing *editing, const struct usage_change *change,
			 size_t first, double from, double factor)
{
	bool assigns = change->action == USAGE_ASSIGN;

	for (size_t node = 0; node < editing->associations->node_count; node++) {
		double own = own_usage(editing, node);
		bool has_all = own == from;

		if (editing->is_chosen[node])
			edit_node(editing, node, assigns && has_all ? change->value : own * factor,
				  factor, NULL);
	}
	if (!first)	/* the root was chosen, with all below it */
		schemes_change(editing->fairshare->schemes,
			       &(struct fathom_run_id){ .association = FATHOM_NO_ASSOCIATION },
			       factor, NULL);
}

/* Makes one change of a request, and logs it. */
static void make_change(const struct editing *editing, const struct usage_request *request,
			const struct usage_change *change)
{
	const struct usage_added added = { .assigned = change->value };
	size_t first = choose(editing, &change->owner);
	char who[512];
	double from, factor;

	usage_owner_text(&change->owner, who, sizeof(who));
	if (first == OWNER_NO_NODE) {
		error(LOG_PREFIX "request of %s on %s: there is no %s any more", request->by,
		      request->host, who);
		return;
	}
	from = owner_nodes_usage(editing->tree, editing->is_chosen);
	factor = factor_of(change, from);
	if (isfinite(factor))
		change_nodes(editing, change, first, from, factor);
	else	/* the first node gets all that is assigned */
		edit_node(editing, first, change->value, 1, &added);
	log_change(request, change, who, from,
		   owner_nodes_usage(editing->tree, editing->is_chosen));
}

/* ---- all of it ----------------------------------------------------------------------- */

/* Makes all changes. Returns -1 if out of memory, or if some associations are gone: then no usage
 * has changed. */
static int make_all(struct editing *editing, const struct usage_changes *changes)
{
	editing->is_chosen = calloc(editing->associations->node_count, sizeof(*editing->is_chosen));
	if (!editing->is_chosen || !read_names(editing))
		return -1;
	if (changes->import && import(editing, changes))
		return -1;
	for (size_t i = 0; i < changes->requested.count; i++)
		make_change(editing, &changes->requested, &changes->requested.change[i]);
	return 0;
}

int usage_edits_make(struct fairshare *fairshare, const struct usage_changes *changes)
{
	struct editing editing = { .fairshare = fairshare,
				   .associations = &fairshare->associations,
				   .tree = fairshare->associations.tree };
	int status;

	fairshare_fill_tree(fairshare);
	status = make_all(&editing, changes);
	if (status)
		info(LOG_PREFIX "the next pass changes usage: associations have changed, or memory "
				"is short");
	free(editing.is_chosen);
	name_index_clear(&editing.accounts);
	snapshot_clear(&editing.names);
	return status;
}
