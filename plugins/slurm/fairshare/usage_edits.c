/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare/usage_edits.h"

#include "base/log.h"
#include "core/name_index.h"
#include "core/owner_nodes.h"
#include "records/association_names.h"
#include "records/record_usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NAMES_LOGGED 5	/* of associations that are not found */

/* ---- life ---------------------------------------------------------------------------- */

void usage_edits_destroy(struct usage_edits *edits)
{
	if (!edits)
		return;
	free(edits->edit);
	fathom_node_index_release(edits->map);
	free(edits);
}

static struct usage_edits *create(const struct associations *associations)
{
	const struct fathom_tree *tree = associations->tree;
	struct usage_edits *edits = calloc(1, sizeof(*edits));

	if (!edits)
		return NULL;
	edits->count = associations->node_count;
	edits->all_factor = 1;
	edits->map = fathom_node_index_share(associations->map);
	edits->edit = calloc(edits->count, sizeof(*edits->edit));
	for (size_t node = 0; edits->edit && node < edits->count; node++)
		edits->edit[node] = (struct usage_edit){
			.association = (uint32_t)fathom_tree_id(tree, node),
			.account = (uint32_t)fathom_tree_id(tree, fathom_tree_parent(tree, node)),
			.raw_factor = 1, .factor = 1,
		};
	if (edits->edit)
		return edits;
	usage_edits_destroy(edits);
	return NULL;
}

struct usage_edits *usage_edits_of_growth(const struct associations *associations,
					  const double *usage)
{
	struct usage_edits *edits = create(associations);

	for (size_t node = 0; edits && node < edits->count; node++) {
		struct usage_edit *edit = &edits->edit[node];

		edit->is_set = usage[node] != 0;
		edit->factor = usage[node] < 0 ? 0 : 1;
		edit->imported.value[FATHOM_SUM_USAGE] = fmax(usage[node], 0);
		edit->imported.value[FATHOM_SUM_HIST_RUN_TIME] = fmax(usage[node], 0);
	}
	return edits;
}

struct usage_edit *usage_edits_find(const struct usage_edits *edits, uint32_t id)
{
	uint32_t node;

	if (!edits || !fathom_node_index_find(edits->map, id, &node) || !edits->edit[node].is_set)
		return NULL;
	return &edits->edit[node];
}

/* An account that has been changed already gets the rest alone. */
static void add_to_account(struct usage_edit *account, double raw_add)
{
	if (!account->is_set) {
		account->raw_factor = account->factor = 1;
		account->raw_add = 0;
	}
	account->is_set = true;
	account->raw_add += raw_add;
}

/* From the lowest level up, as an account may be gone, too. */
void usage_edits_pass_on(struct usage_edits *edits, const struct fathom_node_index *map)
{
	for (size_t node = edits->count - 1; node > 0; node--) {
		struct usage_edit *edit = &edits->edit[node];
		uint32_t unused, account;

		if (!edit->is_set ||
		    fathom_node_index_find(map, edit->association, &unused) ||
		    !fathom_node_index_find(edits->map, edit->account, &account))
			continue;
		edit->is_set = false;
		if (edit->raw_factor == 1)	/* else a request, for who is no more there */
			add_to_account(&edits->edit[account], edit->raw_add);
	}
}

void usage_edit_record(struct usage_edit *edit, slurmdb_assoc_rec_t *record)
{
	const slurmdb_assoc_usage_t *own = record->leaf_usage;
	double raw = usage_edit_raw(edit, own ? (double)own->usage_raw : 0);

	if (edit->factor == 0)
		usage_clear_own(record);
	else
		usage_scale_own(record, edit->factor);
	usage_set_own_raw(record, raw);
	edit->is_set = false;
}

/* ---- planning ------------------------------------------------------------------------ */

struct planning {
	const struct associations *associations;
	struct fathom_tree *tree;
	struct snapshot names;
	struct name_index accounts;	/* their nodes */
	struct usage_edits *edits;
	bool *is_chosen;		/* by node */
};

static double own_usage(const struct planning *planning, size_t node)
{
	return fathom_tree_own_usage(planning->tree, node);
}

/* Composes one more change of a node with those before it. */
static struct usage_edit *edit_node(const struct planning *planning, size_t node, double raw_factor,
				    double raw_add, double factor)
{
	struct usage_edit *edit = &planning->edits->edit[node];

	edit->is_set = true;
	edit->raw_factor *= raw_factor;
	edit->raw_add = edit->raw_add * raw_factor + raw_add;
	edit->factor *= factor;
	edit->assigned *= factor;
	for (size_t i = 0; i < FATHOM_SUM_COUNT; i++)
		edit->imported.value[i] *= factor;
	fathom_tree_set_own_usage(planning->tree, node,
				  own_usage(planning, node) * raw_factor + raw_add);
	return edit;
}

static size_t find_account(const struct planning *planning, const char *name)
{
	return name_index_get(&planning->accounts, piece_of(name));
}

/* Reads all names. False: out of memory, or some associations are gone. */
static bool read_names(struct planning *planning)
{
	const struct associations *associations = planning->associations;

	if (!association_names_read(&planning->names, associations->map, associations->node_count))
		return false;
	for (size_t node = 0; node < associations->node_count; node++) {
		const char *name = snapshot_name(&planning->names, node);

		if (fathom_tree_kind(planning->tree, node) == FATHOM_ACCOUNT &&
		    name_index_put(&planning->accounts, piece_of(name), node, NULL))
			return false;
	}
	return true;
}

/* ---- ImportUsage --------------------------------------------------------------------- */

struct importing {
	const struct usage_list *list;
	double decay;			/* from the list's time to now */
	bool has_run_time;		/* else usage stands for it, as in a tree */
	bool *is_found;			/* by entry */
	size_t found, inherited, dropped;	/* entries: their own, an account's, nobody's */
	double usage, lost;		/* as of now; lost: of the dropped ones */
	char names[512];		/* of the first that are not found */
};

static void add_entry(const struct planning *planning, struct importing *importing, size_t node,
		      const struct usage_entry *entry)
{
	double run_time = importing->has_run_time ? entry->amount[FATHOM_RUN_TIME] : entry->usage;
	struct usage_edit *edit = edit_node(planning, node, 1, entry->usage * importing->decay, 1);

	importing->usage += entry->usage * importing->decay;
	edit->imported.value[FATHOM_SUM_USAGE] += entry->usage;
	edit->imported.value[FATHOM_SUM_CPU_TIME] += entry->amount[FATHOM_CPU_TIME];
	/* what ran under the other scheduler does not run here */
	edit->imported.value[FATHOM_SUM_HIST_RUN_TIME] +=
		entry->amount[FATHOM_HIST_RUN_TIME] + run_time;
}

static void import_node(const struct planning *planning, struct importing *importing, size_t node)
{
	const struct snapshot *names = &planning->names;
	bool is_user = fathom_tree_kind(planning->tree, node) == FATHOM_USER;
	size_t account = is_user ? fathom_tree_parent(planning->tree, node) : node;
	const struct usage_owner owner = {
		.account = account ? snapshot_name(names, account) : USAGE_LIST_ROOT,
		.user = is_user ? snapshot_name(names, node) : NULL,
		.partition = snapshot_partition(names, node),
	};
	const struct usage_entry *entry = usage_list_find(importing->list, &owner);

	if (!entry)
		return;
	importing->is_found[entry - importing->list->entry] = true;
	importing->found++;
	add_entry(planning, importing, node, entry);
}

static void note_name(struct importing *importing, const struct usage_owner *owner)
{
	size_t length = strlen(importing->names), room = sizeof(importing->names) - length;

	if (importing->inherited + importing->dropped <= NAMES_LOGGED)
		snprintf(importing->names + length, room, "%s%.40s%s%.40s%s%.40s",
			 length ? ", " : "", owner->account, owner->user ? "/" : "",
			 owner->user ? owner->user : "", owner->partition ? "/" : "",
			 owner->partition ? owner->partition : "");
}

/* As usage of a deleted association does, that of one that is not there goes to its account. */
static void import_missing(const struct planning *planning, struct importing *importing,
			   const struct usage_entry *entry)
{
	size_t account = find_account(planning, entry->owner.account);

	if (!(entry->usage > 0))
		return;
	if (account == NAME_INDEX_NONE) {
		importing->dropped++;
		importing->lost += entry->usage * importing->decay;
	} else {
		importing->inherited++;
		add_entry(planning, importing, account, entry);
	}
	note_name(importing, &entry->owner);
}

static const char *time_text(int64_t time, char *text, size_t size)
{
	time_t seconds = (time_t)time;
	struct tm local;

	localtime_r(&seconds, &local);
	strftime(text, size, "%Y-%m-%dT%H:%M:%S", &local);
	return text;
}

static void log_import(const struct importing *importing, const char *path)
{
	size_t missing = importing->inherited + importing->dropped;
	bool has_time = importing->list->has_time;
	char when[32];

	info(LOG_PREFIX "ImportUsage: usage of %zu associations is added from %s: %.15g s, %s%s",
	     importing->found + importing->inherited, path, importing->usage,
	     has_time ? "decayed since " : "not decayed, as the file has no time",
	     has_time ? time_text(importing->list->time, when, sizeof(when)) : "");
	if (missing)
		error(LOG_PREFIX "ImportUsage: %zu of %s are no associations: %s%s; usage of %zu "
				 "goes to their accounts, that of %zu, %.15g s, is dropped",
		      missing, path, importing->names, missing > NAMES_LOGGED ? ", ..." : "",
		      importing->inherited, importing->dropped, importing->lost);
}

/* -1: out of memory. */
static int import(const struct planning *planning, const struct usage_changes *changes,
		  double half_life)
{
	const struct usage_list *list = &changes->list;
	struct importing importing = {
		.list = list,
		.decay = fathom_decay(planning->edits->import_age, half_life),
		.has_run_time = usage_list_has_resource(list, FATHOM_RUN_TIME),
		.is_found = calloc(list->count + 1, sizeof(*importing.is_found)),
	};

	if (!importing.is_found)
		return -1;
	for (size_t node = 0; node < planning->associations->node_count; node++)
		import_node(planning, &importing, node);
	for (size_t i = 0; i < list->count; i++)
		if (!importing.is_found[i])
			import_missing(planning, &importing, &list->entry[i]);
	log_import(&importing, changes->import_path);
	free(importing.is_found);
	return 0;
}

/* ---- requests ------------------------------------------------------------------------ */

/* Chooses the nodes of a user, or all of an account. Returns the first one, or OWNER_NO_NODE. */
static size_t choose(const struct planning *planning, const struct usage_owner *owner)
{
	size_t account = find_account(planning, owner->account);

	return account == NAME_INDEX_NONE ? OWNER_NO_NODE :
		owner_nodes_mark(planning->tree, &planning->names, account, owner->user,
				 owner->partition, planning->is_chosen);
}

/* Shares keep their proportions. One that has all of the sum gets exactly the seconds. */
static void assign(const struct planning *planning, size_t first, double from, double seconds)
{
	if (!(from > 0)) {
		edit_node(planning, first, 0, seconds, 1)->assigned += seconds;
		return;
	}
	for (size_t node = 0; node < planning->associations->node_count; node++)
		if (planning->is_chosen[node] && own_usage(planning, node) == from)
			edit_node(planning, node, 0, seconds, seconds / from);
		else if (planning->is_chosen[node])
			edit_node(planning, node, seconds / from, 0, seconds / from);
}

static void scale(const struct planning *planning, double factor)
{
	for (size_t node = 0; node < planning->associations->node_count; node++)
		if (planning->is_chosen[node])
			edit_node(planning, node, factor, 0, factor);
}

static void log_change(const struct usage_request *request, const struct usage_change *change,
		       const char *who, double from, double to)
{
	static const char *const verbs[] = { [USAGE_ASSIGN] = "assigned", [USAGE_SCALE] = "scaled",
					     [USAGE_RESET] = "reset" };
	char when[32];

	info(LOG_PREFIX "usage of %s: from %.15g to %.15g s, %s by %s on %s at %s", who, from, to,
	     verbs[change->action], request->by, request->host,
	     time_text(request->time, when, sizeof(when)));
}

/* Returns the factor of a change to usage that was `from`. */
static double factor_of(const struct usage_change *change, double from)
{
	if (change->action == USAGE_RESET)
		return 0;
	if (change->action == USAGE_SCALE)
		return change->value;
	return from > 0 ? change->value / from : 1;
}

static void make_change(const struct planning *planning, const struct usage_request *request,
			const struct usage_change *change)
{
	size_t first = choose(planning, &change->owner);
	char who[512];
	double from;

	usage_owner_text(&change->owner, who, sizeof(who));
	if (first == OWNER_NO_NODE) {
		error(LOG_PREFIX "request of %s on %s: there is no %s any more", request->by,
		      request->host, who);
		return;
	}
	from = owner_nodes_usage(planning->tree, planning->is_chosen);
	if (change->action == USAGE_ASSIGN)
		assign(planning, first, from, change->value);
	else
		scale(planning, change->action == USAGE_RESET ? 0 : change->value);
	if (!first)	/* the root, with all below it */
		planning->edits->all_factor *= factor_of(change, from);
	log_change(request, change, who, from,
		   owner_nodes_usage(planning->tree, planning->is_chosen));
}

/* ---- all of it ----------------------------------------------------------------------- */

/* -1: out of memory, or some associations are gone. */
static int plan(struct planning *planning, const struct usage_changes *changes, time_t now,
		double half_life)
{
	size_t count = planning->associations->node_count;
	double age = changes->list.has_time ? difftime(now, (time_t)changes->list.time) : 0;

	planning->edits = create(planning->associations);
	planning->is_chosen = calloc(count, sizeof(*planning->is_chosen));
	if (!planning->edits || !planning->is_chosen || !read_names(planning))
		return -1;
	planning->edits->import_age = MAX(age, 0);
	if (changes->import && import(planning, changes, half_life))
		return -1;
	for (size_t i = 0; i < changes->requested.count; i++)
		make_change(planning, &changes->requested, &changes->requested.change[i]);
	return 0;
}

struct usage_edits *usage_edits_create(const struct associations *associations,
				       const struct usage_changes *changes, time_t now,
				       double half_life)
{
	struct planning planning = { .associations = associations, .tree = associations->tree };

	if (plan(&planning, changes, now, half_life)) {
		usage_edits_destroy(planning.edits);
		planning.edits = NULL;
		info(LOG_PREFIX "the next pass changes usage: associations have changed, or memory "
				"is short");
	}
	free(planning.is_chosen);
	name_index_clear(&planning.accounts);
	snapshot_clear(&planning.names);
	return planning.edits;
}
