/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare.h"

#include "log.h"
#include "state.h"
#include "usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TOTAL_TOLERANCE 1e-12	/* what summing in another order may do */

/* ---- associations by id ---------------------------------------------------- */

struct id_map {
	unsigned references;
	size_t mask;
	struct { uint32_t id, node; } slot[];	/* id 0: free */
};

static size_t id_slot(const struct id_map *map, uint32_t id)
{
	size_t at = (size_t)((id * UINT64_C(0x9e3779b97f4a7c15)) >> 32) & map->mask;

	while (map->slot[at].id && map->slot[at].id != id)
		at = (at + 1) & map->mask;
	return at;
}

static bool id_find(const struct id_map *map, uint32_t id, uint32_t *node)
{
	size_t at;

	if (!map || !id)
		return false;
	at = id_slot(map, id);
	*node = map->slot[at].node;
	return map->slot[at].id;
}

static struct id_map *id_map_create(const struct fathom_tree *tree)
{
	size_t count = fathom_tree_count(tree), size = 16;
	struct id_map *map;

	while (size < 2 * count)
		size *= 2;
	map = calloc(1, sizeof(*map) + size * sizeof(*map->slot));
	if (!map)
		return NULL;
	map->references = 1;
	map->mask = size - 1;
	for (uint32_t node = 0; node < count; node++) {
		uint32_t id = (uint32_t)fathom_tree_id(tree, node);
		size_t at = id_slot(map, id);

		map->slot[at].id = id;
		map->slot[at].node = node;
	}
	return map;
}

static void id_map_release(struct id_map *map)
{
	if (map && !--map->references)
		free(map);
}

/* ---- what is kept ------------------------------------------------------------ */

/* What an evaluation came to, by association. */
struct figures {
	struct id_map *map;
	const struct fathom_policy *policy;
	struct fathom_result *result;
};

struct fairshare {
	/* held by whoever changes what follows; taken inside job locks, outside
	 * assoc_mgr's */
	pthread_mutex_t solve_lock;
	time_t time;		/* changes under assoc write */

	struct fathom_tree *tree;
	struct id_map *map;
	uint32_t *node_of_position;	/* place in slurmctld's list to node */
	slurmdb_assoc_rec_t **record;	/* by node; good within one hold of assoc_mgr's lock */
	struct figures spare;		/* where the next evaluation is written */

	/* the last evaluation, for whoever asks; replaced by the spare in one
	 * go. The lock is innermost; only the holder of solve_lock replaces, and
	 * may read without it. */
	pthread_rwlock_t figures_lock;
	struct figures figures;
};

struct fairshare *fairshare_create(void)
{
	struct fairshare *fairshare = calloc(1, sizeof(*fairshare));

	if (!fairshare)
		return NULL;
	pthread_mutex_init(&fairshare->solve_lock, NULL);
	pthread_rwlock_init(&fairshare->figures_lock, NULL);
	return fairshare;
}

static void forget_figures(struct figures *figures)
{
	fathom_result_destroy(figures->result);
	id_map_release(figures->map);
	*figures = (struct figures){ 0 };
}

static void forget_tree(struct fairshare *fairshare)
{
	fathom_tree_destroy(fairshare->tree);
	id_map_release(fairshare->map);
	free(fairshare->node_of_position);
	free(fairshare->record);
	fairshare->tree = NULL;
	fairshare->map = NULL;
	fairshare->node_of_position = NULL;
	fairshare->record = NULL;
}

void fairshare_destroy(struct fairshare *fairshare)
{
	if (!fairshare)
		return;
	forget_tree(fairshare);
	forget_figures(&fairshare->spare);
	forget_figures(&fairshare->figures);
	pthread_mutex_destroy(&fairshare->solve_lock);
	pthread_rwlock_destroy(&fairshare->figures_lock);
	free(fairshare);
}

time_t fairshare_time(const struct fairshare *fairshare)
{
	return fairshare->time;
}

void fairshare_set_time(struct fairshare *fairshare, time_t time)
{
	fairshare->time = time;
}

/* ---- building the tree ----------------------------------------------------- */

static uint32_t parent_id(const slurmdb_assoc_rec_t *association)
{
	const slurmdb_assoc_rec_t *parent = association->usage->parent_assoc_ptr;

	return parent ? parent->id : association->parent_id;
}

static struct fathom_row row_of(const slurmdb_assoc_rec_t *association)
{
	return (struct fathom_row){
		.id = association->id,
		.parent_id = parent_id(association),
		.is_root = association == assoc_mgr_root_assoc,
		.kind = association->user ? FATHOM_USER : FATHOM_ACCOUNT,
		.raw_shares = association->shares_raw == SLURMDB_FS_USE_PARENT
				      ? FATHOM_SHARES_PARENT : association->shares_raw,
	};
}

/*
 * Rows in the order in which slurmctld keeps siblings, as that decides between
 * equals where a policy goes by position. Returns how many.
 */
static size_t list_rows(struct fathom_row *rows, slurmdb_assoc_rec_t **queue, size_t size)
{
	size_t count = 0;

	queue[count++] = assoc_mgr_root_assoc;
	for (size_t at = 0; at < count; at++) {
		compat_list children = queue[at]->usage->children_list;
		compat_iterator iterator;
		slurmdb_assoc_rec_t *child;

		rows[at] = row_of(queue[at]);
		if (!children)
			continue;
		iterator = list_iterator_create(children);
		while (count < size && (child = list_next(iterator)))
			queue[count++] = child;
		list_iterator_destroy(iterator);
	}
	return count;
}

static int map_positions(struct fairshare *fairshare)
{
	compat_iterator iterator = list_iterator_create(assoc_mgr_assoc_list);
	slurmdb_assoc_rec_t *association;
	size_t position = 0, count = fathom_tree_count(fairshare->tree);
	int status = 0;

	while (!status && (association = list_next(iterator)) && position < count)
		if (!id_find(fairshare->map, association->id,
			     &fairshare->node_of_position[position++]))
			status = -1;
	list_iterator_destroy(iterator);
	return status;
}

/* The caller holds assoc_mgr's lock. */
static int build_tree(struct fairshare *fairshare)
{
	size_t size = (size_t)list_count(assoc_mgr_assoc_list), count;
	struct fathom_row *rows = calloc(size, sizeof(*rows));
	slurmdb_assoc_rec_t **queue = calloc(size, sizeof(*queue));
	struct fathom_error problem = { .text = "out of memory" };

	forget_tree(fairshare);
	if (rows && queue) {
		count = list_rows(rows, queue, size);
		if (count == size)
			fairshare->tree = fathom_tree_create(rows, count, &problem);
		else
			snprintf(problem.text, sizeof(problem.text),
				 "%zu of %zu hang on the root", count, size);
	}
	free(rows);
	free(queue);
	if (fairshare->tree) {
		fairshare->node_of_position = calloc(size, sizeof(*fairshare->node_of_position));
		fairshare->record = calloc(size, sizeof(*fairshare->record));
		fairshare->map = id_map_create(fairshare->tree);
		if (fairshare->node_of_position && fairshare->record && fairshare->map &&
		    !map_positions(fairshare))
			return 0;
	}
	error(LOG_PREFIX "associations: %s; factors stay as they were", problem.text);
	forget_tree(fairshare);
	return -1;
}

/* Does the tree still have this association at this place? */
static bool matches(const struct fairshare *fairshare, const slurmdb_assoc_rec_t *association,
		    size_t position)
{
	const struct fathom_tree *tree = fairshare->tree;
	size_t node;

	if (position >= fathom_tree_count(tree))
		return false;
	node = fairshare->node_of_position[position];
	return fathom_tree_id(tree, node) == association->id &&
	       (!node || fathom_tree_id(tree, fathom_tree_parent(tree, node)) ==
				 parent_id(association));
}

/* Finds each node's record, shares and own usage; false: the tree is another
 * one by now. The caller holds assoc_mgr's lock. */
static bool read_associations(struct fairshare *fairshare)
{
	compat_iterator iterator = list_iterator_create(assoc_mgr_assoc_list);
	slurmdb_assoc_rec_t *association;
	size_t position = 0;
	bool same = fairshare->tree;

	while (same && (association = list_next(iterator))) {
		slurmdb_assoc_usage_t *own = association->leaf_usage;
		struct fathom_row row;
		size_t node;

		same = matches(fairshare, association, position);
		if (!same)
			break;
		node = fairshare->node_of_position[position++];
		row = row_of(association);
		fairshare->record[node] = association;
		fathom_tree_set_raw_shares(fairshare->tree, node, row.raw_shares);
		fathom_tree_set_own_usage(fairshare->tree, node, own ? (double)own->usage_raw : 0);
	}
	list_iterator_destroy(iterator);
	return same && position == fathom_tree_count(fairshare->tree);
}

static bool have_associations(void)
{
	return assoc_mgr_root_assoc && assoc_mgr_root_assoc->usage && assoc_mgr_assoc_list;
}

static bool bring_up_to_date(struct fairshare *fairshare)
{
	if (!have_associations())
		return false;
	if (!read_associations(fairshare) &&
	    (build_tree(fairshare) || !read_associations(fairshare)))
		return false;
	fathom_tree_settle(fairshare->tree);
	return true;
}

/* ---- accounting -------------------------------------------------------------- */

static void decay_all(double factor)
{
	compat_iterator iterator = list_iterator_create(assoc_mgr_assoc_list);
	slurmdb_assoc_rec_t *association;
	slurmdb_qos_rec_t *qos;

	while ((association = list_next(iterator)))
		usage_scale_association(association, factor);
	list_iterator_destroy(iterator);
	if (!assoc_mgr_qos_list)
		return;
	iterator = list_iterator_create(assoc_mgr_qos_list);
	while ((qos = list_next(iterator)))
		if (!(qos->flags & QOS_FLAG_NO_DECAY))
			usage_scale_qos(qos, factor);
	list_iterator_destroy(iterator);
}

/* QOS that do not decay are reset like the others. */
static void clear_all(void)
{
	compat_iterator iterator = list_iterator_create(assoc_mgr_assoc_list);
	slurmdb_assoc_rec_t *association;
	slurmdb_qos_rec_t *qos;

	while ((association = list_next(iterator)))
		usage_clear_association(association);
	list_iterator_destroy(iterator);
	if (!assoc_mgr_qos_list)
		return;
	iterator = list_iterator_create(assoc_mgr_qos_list);
	while ((qos = list_next(iterator)))
		usage_scale_qos(qos, 0);
	list_iterator_destroy(iterator);
}

static slurmdb_qos_rec_t *find_qos(uint32_t id)
{
	compat_iterator iterator;
	slurmdb_qos_rec_t *qos = NULL;

	if (!id || !assoc_mgr_qos_list)
		return NULL;
	iterator = list_iterator_create(assoc_mgr_qos_list);
	while ((qos = list_next(iterator)) && qos->id != id)
		;
	list_iterator_destroy(iterator);
	return qos;
}

static void charge_all(const struct fairshare *fairshare, const struct charges *charges,
		       bool take_run_seconds)
{
	for (size_t i = 0; i < charges->count; i++) {
		const struct charge *charge = &charges->list[i];
		slurmdb_assoc_rec_t *association = NULL;
		uint32_t node;

		if (id_find(fairshare->map, charge->assoc_id, &node))
			association = fairshare->record[node];
		else
			error(LOG_PREFIX "JobId=%u: association %u is gone; the root is charged",
			      charge->job_id, charge->assoc_id);
		usage_charge(charge, association ? association : assoc_mgr_root_assoc,
			     find_qos(charge->qos_id), find_qos(charge->partition_qos_id),
			     take_run_seconds);
	}
}

/* An account whose usage is not the sum of its members' gets that; one that
 * differs by a rounding keeps its own, which has more digits. */
static void mend_totals(struct fairshare *fairshare)
{
	const struct fathom_tree *tree = fairshare->tree;

	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		slurmdb_assoc_usage_t *usage = fairshare->record[node]->usage;
		long double sum = fathom_tree_usage(tree, node);

		if (fathom_tree_kind(tree, node) == FATHOM_ACCOUNT &&
		    fabsl(usage->usage_raw - sum) > TOTAL_TOLERANCE * sum)
			usage->usage_raw = sum;
	}
}

static void copy_jobs(struct book *book, time_t now, struct usage_image *image)
{
	struct ledger_entry *entry;
	size_t at = 0;

	free(image->job);
	slurm_mutex_lock(&book->lock);
	image->job = calloc(book->ledger.used + 1, sizeof(*image->job));
	while (image->job && (entry = ledger_next(&book->ledger, &at)))
		if (entry->charged_until > now || (entry->suspended > 0 && !entry->ended))
			image->job[image->job_count++] = (struct job_row){
				entry->job_id, entry->ended, entry->start,
				entry->charged_until, entry->suspended };
	slurm_mutex_unlock(&book->lock);
}

static int copy_associations(const struct fairshare *fairshare, struct usage_image *image)
{
	const struct fathom_tree *tree = fairshare->tree;
	int status = 0;

	for (size_t node = 0; !status && node < fathom_tree_count(tree); node++) {
		const slurmdb_assoc_rec_t *record = fairshare->record[node];
		const slurmdb_assoc_usage_t *own = record->leaf_usage;

		if (own)
			status = usage_rows_add(image, &image->associations, record->id,
						parent_id(record), (double)own->usage_raw,
						own->grp_used_wall, own->usage_tres_raw);
	}
	return status;
}

static int copy_qos(struct usage_image *image)
{
	compat_iterator iterator;
	slurmdb_qos_rec_t *qos;
	int status = 0;

	if (!assoc_mgr_qos_list)
		return 0;
	iterator = list_iterator_create(assoc_mgr_qos_list);
	while (!status && (qos = list_next(iterator)))
		status = usage_rows_add(image, &image->qos, qos->id, 0,
					(double)qos->usage->usage_raw, qos->usage->grp_used_wall,
					qos->usage->usage_tres_raw);
	list_iterator_destroy(iterator);
	return status;
}

static void copy_image(struct fairshare *fairshare, struct book *book, struct usage_image *image)
{
	if (usage_image_begin(image) || copy_associations(fairshare, image) || copy_qos(image)) {
		error(LOG_PREFIX "out of memory; usage is not saved");
		image->time = 0;
		return;
	}
	image->time = fairshare->time;
	copy_jobs(book, fairshare->time, image);
}

bool fairshare_account(struct fairshare *fairshare, struct book *book,
		       const struct settings *settings, time_t now, bool reset,
		       const struct charges *charges, uint32_t run_seconds_round,
		       struct usage_image *image)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK };
	double elapsed = fairshare->time ? difftime(now, fairshare->time) : 0;
	bool done = false;

	slurm_mutex_lock(&fairshare->solve_lock);
	assoc_mgr_lock(&locks);
	if (bring_up_to_date(fairshare)) {
		double factor = fathom_decay(elapsed, settings->half_life);

		if (factor != 1)
			decay_all(factor);
		charge_all(fairshare, charges, book_counts_from(book, run_seconds_round));
		if (reset)	/* what ran until now is forgotten with the rest */
			clear_all();
		fairshare->time = now;
		done = bring_up_to_date(fairshare);
		if (done) {
			mend_totals(fairshare);
			copy_image(fairshare, book, image);
		}
	}
	assoc_mgr_unlock(&locks);
	slurm_mutex_unlock(&fairshare->solve_lock);
	return done;
}

void fairshare_apply(const struct charges *charges, const job_record_t *job)
{
	slurmdb_qos_rec_t *partition_qos = job->part_ptr ? job->part_ptr->qos_ptr : NULL;

	for (size_t i = 0; i < charges->count; i++)
		usage_charge(&charges->list[i], job->assoc_ptr, job->qos_ptr,
			     partition_qos != job->qos_ptr ? partition_qos : NULL, true);
}

/* ---- restoring --------------------------------------------------------------- */

/* Nearest account that still exists above one that does not. */
static slurmdb_assoc_rec_t *find_heir(const struct fairshare *fairshare,
				      const struct usage_image *image, uint32_t id)
{
	for (uint32_t steps = 0; id && steps < image->associations.count; steps++) {
		uint32_t node, i = 0;

		if (id_find(fairshare->map, id, &node))
			return fairshare->record[node];
		while (i < image->associations.count && image->associations.row[i].id != id)
			i++;
		id = i < image->associations.count ? image->associations.row[i].parent_id : 0;
	}
	return assoc_mgr_root_assoc;
}

/* A row's TRES in the order that slurmctld has them in now. */
static void order_tres(const struct usage_image *image, const double *from, double *to)
{
	for (int i = 0; i < slurmctld_tres_cnt; i++) {
		to[i] = 0;
		for (uint32_t j = 0; j < image->tres_count; j++)
			if (assoc_mgr_tres_array && assoc_mgr_tres_array[i] &&
			    assoc_mgr_tres_array[i]->id == image->tres_id[j])
				to[i] = from[j];
	}
}

static void restore_associations(struct fairshare *fairshare, const struct usage_image *image,
				 double *tres)
{
	for (uint32_t i = 0; i < image->associations.count; i++) {
		const struct usage_row *row = &image->associations.row[i];
		slurmdb_assoc_rec_t *record;
		uint32_t node;

		record = id_find(fairshare->map, row->id, &node)
				 ? fairshare->record[node]
				 : find_heir(fairshare, image, row->parent_id);
		order_tres(image, image->associations.tres + (size_t)i * image->tres_count, tres);
		usage_add_own(record, row->raw, row->wall, tres);
	}
}

static void restore_qos(const struct usage_image *image, double *tres)
{
	for (uint32_t i = 0; i < image->qos.count; i++) {
		const struct usage_row *row = &image->qos.row[i];
		slurmdb_qos_rec_t *qos = find_qos(row->id);

		if (!qos)
			continue;
		order_tres(image, image->qos.tres + (size_t)i * image->tres_count, tres);
		qos->usage->usage_raw = row->raw;
		qos->usage->grp_used_wall = row->wall;
		for (int j = 0; j < slurmctld_tres_cnt; j++)
			qos->usage->usage_tres_raw[j] = tres[j];
	}
}

bool fairshare_restore(struct fairshare *fairshare, const struct usage_image *image)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK };
	double *tres = calloc((size_t)slurmctld_tres_cnt + 1, sizeof(*tres));
	bool done = false;

	slurm_mutex_lock(&fairshare->solve_lock);
	assoc_mgr_lock(&locks);
	if (tres && bring_up_to_date(fairshare)) {
		clear_all();
		restore_associations(fairshare, image, tres);
		restore_qos(image, tres);
		fairshare->time = (time_t)image->time;
		done = true;
	}
	assoc_mgr_unlock(&locks);
	slurm_mutex_unlock(&fairshare->solve_lock);
	free(tres);
	return done;
}

/* ---- evaluation -------------------------------------------------------------- */

static bool gather(struct fairshare *fairshare)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	bool done;

	assoc_mgr_lock(&locks);
	done = bring_up_to_date(fairshare);
	assoc_mgr_unlock(&locks);
	return done;
}

/* A place for the result: the spare one, if it is of this tree and policy. */
static bool prepare(struct fairshare *fairshare, const struct settings *settings)
{
	struct figures *spare = &fairshare->spare;
	struct fathom_error problem;

	if (spare->result && spare->map == fairshare->map && spare->policy == settings->policy)
		return true;
	forget_figures(spare);
	spare->result = fathom_result_create(settings->policy, fairshare->tree, &problem);
	if (!spare->result) {
		error(LOG_PREFIX "%s; factors stay as they were", problem.text);
		return false;
	}
	spare->policy = settings->policy;
	spare->map = fairshare->map;
	spare->map->references++;
	return true;
}

static void solve(struct fairshare *fairshare, const struct settings *settings)
{
	struct figures stale = fairshare->figures;

	fathom_evaluate(fairshare->spare.result, fairshare->tree, &settings->policy_settings);
	pthread_rwlock_wrlock(&fairshare->figures_lock);
	fairshare->figures = fairshare->spare;
	pthread_rwlock_unlock(&fairshare->figures_lock);
	fairshare->spare = stale;
}

/* ---- for sshare ---------------------------------------------------------------- */

/* sshare shows fs_factor where Fair Tree is in the flags, else (up to 25.05)
 * what it works out itself from usage_efctv and shares_norm. */
static bool sshare_shows_factor(const struct settings *settings)
{
	return COMPAT_FS_FACTOR_ALWAYS || (settings->flags & PRIORITY_FLAGS_FAIR_TREE);
}

static int column_named(const struct fathom_policy *policy, const char *name)
{
	for (size_t i = 0; i < fathom_policy_column_count(policy); i++)
		if (!strcmp(fathom_policy_column(policy, i)->name, name))
			return (int)i;
	return -1;
}

struct columns {
	const double *norm_shares, *norm_usage, *effective_usage, *factor, *level_fs;
	bool ranks, shows_factor;
};

static struct columns columns_of(const struct figures *figures, const struct settings *settings)
{
	int level_fs = column_named(figures->policy, "level_fs");

	return (struct columns){
		.norm_shares = fathom_result_norm_shares(figures->result),
		.norm_usage = fathom_result_norm_usage(figures->result),
		.effective_usage = fathom_result_effective_usage(figures->result),
		.factor = fathom_result_factor(figures->result),
		.level_fs = level_fs < 0 ? NULL : fathom_result_column(figures->result,
								       (size_t)level_fs),
		.ranks = level_fs >= 0,
		.shows_factor = sshare_shows_factor(settings),
	};
}

/* The usage from which sshare's formula comes to the factor. */
static double usage_for_factor(double factor, double norm_shares, double dampening)
{
	return -log2(factor) * dampening * norm_shares;
}

static void publish_node(const struct columns *columns, const struct settings *settings,
			 slurmdb_assoc_rec_t *record, size_t node)
{
	slurmdb_assoc_usage_t *usage = record->usage;
	double factor = columns->factor[node];

	usage->shares_norm = columns->norm_shares[node];
	usage->usage_norm = columns->norm_usage[node];
	usage->usage_efctv = columns->effective_usage[node];
	if (columns->level_fs)
		usage->level_fs = isnan(columns->level_fs[node]) ? (long double)NO_VAL
								 : columns->level_fs[node];
	else if (columns->shows_factor)	/* shares over usage there too, of the whole */
		usage->level_fs = usage->shares_norm > 0 ? usage->shares_norm / usage->usage_efctv : 0;
	if (columns->shows_factor && !isnan(factor) && (record->user || !columns->ranks))
		usage->fs_factor = factor;
	if (!columns->shows_factor && columns->ranks && factor > 0)
		usage->usage_efctv = usage_for_factor(factor, usage->shares_norm,
						      settings->dampening_factor);
}

static void publish(const struct fairshare *fairshare, const struct settings *settings)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };
	struct columns columns = columns_of(&fairshare->figures, settings);
	compat_iterator iterator;
	slurmdb_assoc_rec_t *record;
	uint32_t node;

	assoc_mgr_lock(&locks);
	if (have_associations()) {
		assoc_mgr_root_assoc->usage->usage_efctv = 1;
		/* a policy of ranks knows parts of a level; the root is in none */
		assoc_mgr_root_assoc->usage->shares_norm = columns.ranks ? 0 : 1;
		if (columns.ranks)
			assoc_mgr_root_assoc->usage->level_fs = (long double)NO_VAL;
		iterator = list_iterator_create(assoc_mgr_assoc_list);
		/* by id: the list may have changed since the evaluation */
		while ((record = list_next(iterator)))
			if (id_find(fairshare->map, record->id, &node) && node)
				publish_node(&columns, settings, record, node);
		list_iterator_destroy(iterator);
	}
	assoc_mgr_unlock(&locks);
}

/* ---- entry points -------------------------------------------------------------- */

bool fairshare_evaluate(struct fairshare *fairshare, const struct settings *settings,
			bool for_sshare)
{
	bool done;

	slurm_mutex_lock(&fairshare->solve_lock);
	done = gather(fairshare) && prepare(fairshare, settings);
	if (done) {
		solve(fairshare, settings);
		if (for_sshare)
			publish(fairshare, settings);
	}
	slurm_mutex_unlock(&fairshare->solve_lock);
	return done;
}

bool fairshare_factor(struct fairshare *fairshare, uint32_t association, double *factor)
{
	uint32_t node;
	bool found;

	pthread_rwlock_rdlock(&fairshare->figures_lock);
	found = id_find(fairshare->figures.map, association, &node);
	if (found)
		*factor = fathom_result_factor(fairshare->figures.result)[node];
	pthread_rwlock_unlock(&fairshare->figures_lock);
	return found;
}

/* ---- one association on demand ------------------------------------------------- */

/* The classic rule on the records alone. */
static long double classic_effective_usage(const slurmdb_assoc_rec_t *association)
{
	const slurmdb_assoc_usage_t *usage = association->usage;
	const slurmdb_assoc_rec_t *above = usage->fs_assoc_ptr;
	long double of_account;

	if (!above || above == assoc_mgr_root_assoc)
		return usage->usage_norm;
	of_account = above->usage->usage_efctv;
	if (association->shares_raw == SLURMDB_FS_USE_PARENT || !usage->level_shares)
		return of_account;
	return usage->usage_norm + (of_account - usage->usage_norm) * association->shares_raw /
					   usage->level_shares;
}

static void write_from_records(slurmdb_assoc_rec_t *association)
{
	slurmdb_assoc_usage_t *usage = association->usage;
	long double all = assoc_mgr_root_assoc ? assoc_mgr_root_assoc->usage->usage_raw : 0;

	usage->usage_norm = all > 0 ? MIN(usage->usage_raw / all, 1) : 0;
	usage->usage_efctv = classic_effective_usage(association);
}

void fairshare_write_usage(struct fairshare *fairshare, slurmdb_assoc_rec_t *association)
{
	const struct figures *figures = &fairshare->figures;
	uint32_t node;
	bool found;

	pthread_rwlock_rdlock(&fairshare->figures_lock);
	found = id_find(figures->map, association->id, &node) && node &&
		column_named(figures->policy, "level_fs") < 0;
	if (found) {
		association->usage->usage_norm = fathom_result_norm_usage(figures->result)[node];
		association->usage->usage_efctv =
			fathom_result_effective_usage(figures->result)[node];
	}
	pthread_rwlock_unlock(&fairshare->figures_lock);
	if (!found)
		write_from_records(association);
}
