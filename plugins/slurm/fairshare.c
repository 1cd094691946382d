/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare.h"

#include "amounts.h"
#include "associations.h"
#include "limits.h"
#include "list_walk.h"
#include "log.h"
#include "slice.h"
#include "sshare.h"
#include "usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TOTAL_TOLERANCE 1e-12	/* what summing in another order may do */
#define CHARGES_AHEAD 8		/* how far ahead memory is asked for */
#define ROUNDS_MAX 4		/* of writing, if somebody changes associations all the while */

/* ---- what is kept ------------------------------------------------------------ */

/* What an evaluation came to, by association. */
struct figures {
	struct id_map *map;
	const struct fathom_policy *policy;
	struct fathom_result *result;
	struct fairshare_inputs *inputs;	/* by node */
};

/* How far an update has come with a record. */
enum {
	AGED = 1 << 0,		/* its usage is true at the new time */
	WRITTEN = 1 << 1,	/* its figures are there, and its usage is in the image */
	CHANGED = 1 << 2,	/* since the last whole image, otherwise than by decay */
};

struct fairshare {
	/* held by whoever changes what follows; taken inside job locks, outside
	 * assoc_mgr's */
	pthread_mutex_t solve_lock;
	struct associations associations;	/* replaced under assoc write */
	bool unread;		/* records have changed in ways that no walk would notice */
	bool fresh;		/* the tree is new since the last whole image */
	struct figures spare;	/* where the next evaluation is written */

	/* These change under an assoc lock with solve_lock, and are read under
	 * assoc write. While `updating`, records that are not aged yet are true
	 * at the time before, when usage counted 1/decay. */
	time_t time;
	bool updating, settled;	/* settled: no record will be aged any more */
	double decay;
	uint8_t *progress;		/* by node */
	struct usage_image *image;	/* of the update */
	uint32_t *row_of_node;		/* the image's, from 1; 0: none */
	bool published, root_has_rank;	/* which kind of policy the root's shares are of */

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
	free(figures->inputs);
	*figures = (struct figures){ 0 };
}

void fairshare_destroy(struct fairshare *fairshare)
{
	if (!fairshare)
		return;
	associations_forget(&fairshare->associations);
	forget_figures(&fairshare->spare);
	forget_figures(&fairshare->figures);
	free(fairshare->progress);
	free(fairshare->row_of_node);
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

void fairshare_lock(struct fairshare *fairshare)
{
	slurm_mutex_lock(&fairshare->solve_lock);
}

void fairshare_unlock(struct fairshare *fairshare)
{
	slurm_mutex_unlock(&fairshare->solve_lock);
}

/* ---- restoring --------------------------------------------------------------- */

struct heir {
	const struct associations *associations;
	const struct usage_image *image;
	slurmdb_assoc_rec_t **record;	/* by node */
};

/* The association itself, or the nearest account that is left above it. */
static slurmdb_assoc_rec_t *find_heir(const struct heir *heir, uint32_t id)
{
	const struct usage_rows *rows = &heir->image->associations;
	uint32_t node;

	for (uint32_t steps = 0; id && steps <= rows->count; steps++) {
		const struct usage_row *row;

		if (associations_find(heir->associations, id, &node) && heir->record[node])
			return heir->record[node];
		row = usage_rows_find(rows, id);
		id = row ? row->parent_id : 0;
	}
	return heir->record[0];		/* the root */
}

static void restore_associations(const struct heir *heir, double *tres)
{
	const struct usage_image *image = heir->image;
	const struct usage_rows *rows = &image->associations;

	for (uint32_t i = 0; i < rows->count; i++) {
		struct amount amount = { rows->row[i].raw, rows->row[i].wall, tres, NULL };
		slurmdb_assoc_rec_t *at = find_heir(heir, rows->row[i].id);

		usage_image_tres(image, rows, i, tres);
		usage_add_to_account_alone(at, &amount, 1, (uint32_t)slurmctld_tres_cnt);
		for (; at; at = at->usage->parent_assoc_ptr)
			usage_add_association(at, &amount, 1, (uint32_t)slurmctld_tres_cnt);
	}
}

static void restore_qos(const struct usage_image *image, double *tres)
{
	compat_iterator iterator;
	slurmdb_qos_rec_t *qos;

	if (!assoc_mgr_qos_list)
		return;
	iterator = list_iterator_create(assoc_mgr_qos_list);
	while ((qos = list_next(iterator))) {
		const struct usage_row *row = usage_rows_find(&image->qos, qos->id);
		struct amount amount = { .tres = tres };

		usage_clear_qos(qos);
		if (!row)
			continue;
		usage_image_tres(image, &image->qos, (size_t)(row - image->qos.row), tres);
		amount.raw = row->raw;
		amount.wall = row->wall;
		usage_add_qos(qos, &amount, (uint32_t)slurmctld_tres_cnt);
	}
	list_iterator_destroy(iterator);
}

static int clear_association(void *item, void *context)
{
	(void)context;
	usage_clear_association(item);
	return 0;
}

/* All associations' usage becomes the image's. The caller holds assoc write.
 * False: out of memory. */
static bool put_back(const struct association_rows *rows, const struct associations *associations,
		     const struct usage_image *image)
{
	double *tres = calloc((size_t)slurmctld_tres_cnt + 1, sizeof(*tres));
	struct heir heir = { associations, image,
			     calloc(associations->node_count, sizeof(*heir.record)) };
	uint32_t node;

	if (tres && heir.record) {
		for (size_t i = 0; i < rows->count; i++)
			if (associations_find(associations, rows->record[i]->id, &node))
				heir.record[node] = rows->record[i];
		list_for_each(assoc_mgr_assoc_list, clear_association, NULL);
		restore_associations(&heir, tres);
	}
	free(tres);
	free(heir.record);
	return tres && heir.record;
}

bool fairshare_restore(struct fairshare *fairshare, const struct usage_image *image)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK };
	double *tres = calloc((size_t)slurmctld_tres_cnt + 1, sizeof(*tres));
	struct associations associations = { 0 };
	struct association_rows rows;
	bool done;

	slurm_mutex_lock(&fairshare->solve_lock);
	assoc_mgr_lock(&locks);
	done = tres && association_rows_read(&rows);
	if (done) {
		done = associations_create(&associations, &rows) &&
		       put_back(&rows, &associations, image);
		association_rows_clear(&rows);
	}
	if (done) {
		restore_qos(image, tres);
		fairshare->time = (time_t)image->time;
		fairshare->unread = true;
	}
	assoc_mgr_unlock(&locks);
	slurm_mutex_unlock(&fairshare->solve_lock);
	associations_forget(&associations);
	free(tres);
	return done;
}

/* ---- the tree ------------------------------------------------------------------ */

/* What has been done with a record is known of it in the new tree too. */
static void carry_over_progress(const struct fairshare *fairshare,
				const struct associations *fresh, uint8_t *progress)
{
	for (uint32_t node = 0; node < fresh->node_count; node++) {
		uint32_t id = (uint32_t)fathom_tree_id(fresh->tree, node), before;

		if (fairshare->updating && associations_find(&fairshare->associations, id, &before))
			progress[node] = fairshare->progress[before] & AGED;
	}
}

/* Reads everything anew. False: there is nothing to read, or no memory; what
 * was there is gone then, unless an update is under way. */
static bool read_tree(struct fairshare *fairshare)
{
	assoc_mgr_lock_t reading = { .assoc = READ_LOCK }, writing = { .assoc = WRITE_LOCK };
	struct associations fresh = { 0 }, stale;
	uint8_t *progress = NULL;
	uint32_t *row_of_node = NULL;
	struct association_rows rows;
	bool done;

	assoc_mgr_lock(&reading);
	done = association_rows_read(&rows);
	assoc_mgr_unlock(&reading);
	if (done) {
		done = associations_create(&fresh, &rows);
		progress = calloc(rows.count, sizeof(*progress));
		row_of_node = calloc(rows.count, sizeof(*row_of_node));
		association_rows_clear(&rows);
	}
	if (!progress || !row_of_node)
		done = false;
	if (!done) {
		associations_forget(&fresh);
		free(progress);
		free(row_of_node);
		return false;
	}
	assoc_mgr_lock(&writing);
	carry_over_progress(fairshare, &fresh, progress);
	stale = fairshare->associations;
	fairshare->associations = fresh;
	free(fairshare->progress);
	fairshare->progress = progress;
	free(fairshare->row_of_node);
	fairshare->row_of_node = row_of_node;
	fairshare->unread = false;
	fairshare->fresh = true;
	assoc_mgr_unlock(&writing);
	associations_forget(&stale);
	return true;
}

/* Usage and shares as last seen, in the tree. The caller holds an assoc lock. */
static void take_over(struct associations *associations)
{
	for (size_t node = 0; node < associations->node_count; node++) {
		const struct association_seen *seen = &associations->seen[node];

		fathom_tree_set_own_usage(associations->tree, node, seen->own);
		if (seen->raw_shares != fathom_tree_raw_shares(associations->tree, node) && node)
			fathom_tree_set_raw_shares(associations->tree, node, seen->raw_shares);
	}
}

/* ---- a pass: accounting ---------------------------------------------------------- */

/* One pass over the associations on its way. */
struct update {
	struct fairshare *fairshare;
	const struct settings *settings;
	const struct accounting *accounting;	/* NULL: nothing but an evaluation */
	struct book *book;
	struct usage_image *image;
	struct amounts amounts;		/* charged, by node */
	struct qos_amounts qos_amounts;
	double *excess;			/* by node: what an account has beyond its members */
	double decay;
	bool take_run_seconds;
	bool solved;
	const struct sshare_columns *columns;	/* NULL: no figures are written */
	unsigned changes;		/* that the present round has met */
	size_t aged, written;		/* records, in all rounds and in the present one */
	bool mixed;		/* accounts were summed up while some members were aged */
	bool corrected;		/* by `excess`, which is none if others change usage */
};

/* A job of an association that came since must be charged to it. */
static bool is_known(const struct fairshare *fairshare, const struct charges *charges)
{
	uint32_t node;

	if (!fairshare->associations.tree || fairshare->associations.orphans || fairshare->unread)
		return false;
	for (size_t i = 0; i < charges->count; i++) {
		if (i + CHARGES_AHEAD < charges->count)
			id_map_fetch(fairshare->associations.map,
				     charges->list[i + CHARGES_AHEAD].assoc_id);
		if (!associations_find(&fairshare->associations, charges->list[i].assoc_id, &node))
			return false;
	}
	return true;
}

/* Running seconds that were counted anew meanwhile stay as they are. */
static struct amount charged_amount(const struct update *update, const struct amount *amount)
{
	struct amount charged = *amount;

	if (!update->take_run_seconds)
		charged.run_seconds = NULL;
	return charged;
}

/* Few, and so done at once. They are true at the new time from here on. */
static void update_qos(struct update *update)
{
	uint32_t tres_count = (uint32_t)slurmctld_tres_cnt;
	compat_iterator iterator;
	slurmdb_qos_rec_t *qos;

	if (!assoc_mgr_qos_list)
		return;
	iterator = list_iterator_create(assoc_mgr_qos_list);
	while ((qos = list_next(iterator))) {
		const struct amount *amount = qos_amount(&update->qos_amounts, qos);
		struct amount charged;

		if (!(qos->flags & QOS_FLAG_NO_DECAY))
			usage_scale_qos(qos, update->decay);
		if (amount) {
			charged = charged_amount(update, amount);
			usage_add_qos(qos, &charged, tres_count);
		}
		if (update->accounting->reset)
			usage_clear_qos(qos);
		usage_image_put_qos(update->image, qos);
	}
	list_iterator_destroy(iterator);
}

/* What is known of the records is what the pass computes from. What a job's
 * end adds from here on counts in the next one. */
static void take_over_usage(struct update *update)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	struct associations *associations = &update->fairshare->associations;

	assoc_mgr_lock(&locks);
	take_over(associations);
	for (size_t node = 0; node < associations->node_count; node++)
		update->excess[node] = associations->seen[node].total;
	assoc_mgr_unlock(&locks);
}

static void mark_tres(bool *used, const long double *tres)
{
	for (int i = 0; tres && i < slurmctld_tres_cnt; i++)
		used[i] |= tres[i] != 0;
}

/* The TRES that anything saved is about. The caller holds assoc, qos, tres. */
static void find_used_tres(bool *used)
{
	compat_iterator iterator;
	slurmdb_qos_rec_t *qos;

	mark_tres(used, assoc_mgr_root_assoc->usage->usage_tres_raw);
	iterator = assoc_mgr_qos_list ? list_iterator_create(assoc_mgr_qos_list) : NULL;
	while (iterator && (qos = list_next(iterator)))
		mark_tres(used, qos->usage->usage_tres_raw);
	if (iterator)
		list_iterator_destroy(iterator);
}

/* Records are to be visited anew. Returns how many are to be saved again. */
static size_t begin_progress(struct fairshare *fairshare)
{
	size_t changed = 0;

	for (size_t node = 0; node < fairshare->associations.node_count; node++) {
		fairshare->progress[node] &= CHANGED;
		changed += fairshare->progress[node] / CHANGED;
	}
	return changed;
}

/* From now on changes are counted anew. */
static void begin_whole_image(struct fairshare *fairshare)
{
	for (size_t node = 0; node < fairshare->associations.node_count; node++)
		fairshare->progress[node] &= (uint8_t)~CHANGED;
	fairshare->fresh = false;
}

/* What fails from here on sets the image's time to 0, and nothing is saved. */
static void begin_image(struct update *update, const bool *used)
{
	struct fairshare *fairshare = update->fairshare;
	bool most = begin_progress(fairshare) > fairshare->associations.node_count / 2;

	update->image->time = usage_image_begin(update->image, used,
						most || fairshare->fresh || update->accounting->reset,
						update->decay)
				      ? 0 : update->accounting->now;
	if (usage_image_is_whole(update->image))
		begin_whole_image(fairshare);
}

/* From here on job_end sees the new time. */
static bool begin_update(struct update *update)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK };
	const struct accounting *accounting = update->accounting;
	struct fairshare *fairshare = update->fairshare;
	bool used[slurmctld_tres_cnt + 1], done;
	double elapsed;

	memset(used, 0, sizeof(used));
	if (qos_amounts_create(&update->qos_amounts, accounting->charges, true,
			       (uint32_t)slurmctld_tres_cnt))
		error(LOG_PREFIX "out of memory; QOS are not charged");
	take_over_usage(update);
	book_mark_tres(update->book, used);
	assoc_mgr_lock(&locks);
	update->take_run_seconds = book_counts_from(update->book, accounting->run_seconds_round);
	done = associations_exist();
	if (done) {
		elapsed = fairshare->time ? difftime(accounting->now, fairshare->time) : 0;
		update->decay = fathom_decay(elapsed, update->settings->half_life);
		find_used_tres(used);
		begin_image(update, used);
		fairshare->image = update->image;
		fairshare->decay = update->decay;
		fairshare->updating = true;
		fairshare->settled = false;
		fairshare->time = accounting->now;
		update_qos(update);
	}
	assoc_mgr_unlock(&locks);
	return done;
}

/* None, but for roundings, unless somebody has changed usage by hand. */
static void find_excess(struct update *update)
{
	const struct associations *associations = &update->fairshare->associations;
	bool any = false;

	for (uint32_t node = 0; node < associations->node_count; node++) {
		const struct amount *amount = amounts_total(&update->amounts, node);
		double sum = fathom_tree_usage(associations->tree, node);
		double excess = update->excess[node] * update->decay - sum;

		if (amount)
			excess += amount->raw;
		update->excess[node] = fabs(excess) > TOTAL_TOLERANCE * sum ? excess : 0;
		any |= update->excess[node] != 0;
	}
	update->corrected = any;
	if (!any) {
		free(update->excess);
		update->excess = NULL;
	}
}

/* Own usage as it is now, in the tree; what accounts have beyond the sum of it. */
static void bring_to_now(struct update *update)
{
	struct associations *associations = &update->fairshare->associations;
	struct fathom_tree *tree = associations->tree;
	const struct amount *amount;

	if (amounts_create(&update->amounts, associations, update->accounting->charges,
			   update->take_run_seconds, (uint32_t)slurmctld_tres_cnt))
		error(LOG_PREFIX "out of memory; not all running jobs are charged");
	for (uint32_t node = 0; node < associations->node_count; node++) {
		double usage = fathom_tree_own_usage(tree, node) * update->decay;

		amount = amounts_own(&update->amounts, associations, node);
		if (amount)
			usage += amount->raw;
		fathom_tree_set_own_usage(tree, node, update->accounting->reset ? 0 : usage);
	}
	fathom_tree_settle(tree);
	find_excess(update);
}

/* ---- a pass: solving ----------------------------------------------------------- */

/* A place for the result: the spare one, if it is of this tree and policy. */
static bool prepare(struct fairshare *fairshare, const struct settings *settings)
{
	const struct associations *associations = &fairshare->associations;
	struct figures *spare = &fairshare->spare;
	struct fathom_error problem = { .text = "out of memory" };

	if (spare->result && spare->map == associations->map && spare->policy == settings->policy)
		return true;
	forget_figures(spare);
	spare->inputs = calloc(associations->node_count, sizeof(*spare->inputs));
	if (spare->inputs)
		spare->result = fathom_result_create(settings->policy, associations->tree, &problem);
	if (!spare->result) {
		error(LOG_PREFIX "%s; factors stay as they were", problem.text);
		forget_figures(spare);
		return false;
	}
	spare->policy = settings->policy;
	spare->map = id_map_share(associations->map);
	return true;
}

static void list_inputs(struct figures *figures, const struct associations *associations)
{
	const double *factor = fathom_result_factor(figures->result);

	for (size_t node = 0; node < associations->node_count; node++)
		figures->inputs[node] = (struct fairshare_inputs){
			.factor = factor[node],
			.assoc_norm = associations->seen[node].priority_norm,
			.assoc_priority = associations->seen[node].priority,
		};
}

static bool solve(struct fairshare *fairshare, const struct settings *settings)
{
	struct figures stale;

	if (!prepare(fairshare, settings))
		return false;
	fathom_evaluate(fairshare->spare.result, fairshare->associations.tree,
			&settings->policy_settings);
	list_inputs(&fairshare->spare, &fairshare->associations);
	pthread_rwlock_wrlock(&fairshare->figures_lock);
	stale = fairshare->figures;
	fairshare->figures = fairshare->spare;
	pthread_rwlock_unlock(&fairshare->figures_lock);
	fairshare->spare = stale;
	return true;
}

/* ---- a pass: writing ----------------------------------------------------------- */

/* Decayed and charged, in the record. */
static void age_record(const struct update *update, slurmdb_assoc_rec_t *record, uint32_t node)
{
	const struct associations *associations = &update->fairshare->associations;
	const struct amount *amount = amounts_total(&update->amounts, node), *alone = NULL;
	uint32_t tres_count = update->amounts.tres_count;
	struct amount charged;

	usage_scale_association(record, update->decay);
	if (amount) {
		charged = charged_amount(update, amount);
		usage_add_association(record, &charged, 1, tres_count);
	}
	if (amount && !record->user) {
		alone = amounts_own(&update->amounts, associations, node);
		if (alone)
			usage_add_to_account_alone(record, alone, 1, tres_count);
	}
	if (record->user ? amount : alone)
		update->fairshare->progress[node] |= CHANGED;
	if (update->excess)
		record->usage->usage_raw -= update->excess[node];
	if (update->accounting->reset)
		usage_clear_association(record);
}

static void copy_usage(const struct update *update, const slurmdb_assoc_rec_t *record, uint32_t node)
{
	struct fairshare *fairshare = update->fairshare;
	uint32_t *row = &fairshare->row_of_node[node];

	*row = 0;
	if ((fairshare->progress[node] & CHANGED) || usage_image_is_whole(update->image))
		usage_image_put(update->image, record, associations_parent_id(record), row);
}

/* What one record gets: usage, if the pass has changed it, and figures. */
static void write_record(struct update *update, slurmdb_assoc_rec_t *record, uint32_t node)
{
	struct fairshare *fairshare = update->fairshare;
	uint8_t *progress = &fairshare->progress[node];
	unsigned changes = associations_changes(&fairshare->associations, record, node);

	update->changes |= changes;
	if (changes)
		*progress |= CHANGED;
	if (update->accounting) {
		if (!(*progress & AGED)) {
			age_record(update, record, node);
			update->aged++;
		}
		copy_usage(update, record, node);
	}
	if (update->columns)
		sshare_write(update->columns, update->settings, record, node);
	*progress |= AGED | WRITTEN;
	update->written++;
	if (changes)
		associations_see(&fairshare->associations, record, node);
	else
		associations_see_usage(&fairshare->associations, record, node);
}

struct writing {
	struct update *update;
	const struct list_walk *walk;
};

static void fetch_record(void *item, size_t at, void *context)
{
	const slurmdb_assoc_rec_t *record = item;

	(void)at, (void)context;
	ask_for_all(&record->id, &record->leaf_usage);
	ask_for_all(&record->priority, &record->usage);
}

static void fetch_usage(void *item, size_t at, void *context)
{
	const slurmdb_assoc_usage_t *usage = ((const slurmdb_assoc_rec_t *)item)->usage;
	const struct writing *writing = context;
	uint32_t node = associations_guess(&writing->update->fairshare->associations,
					   writing->walk->position + at);

	ask_for_all(&usage->grp_used_tres_run_secs, &usage->level_fs);
	ask_for(&writing->update->fairshare->associations.seen[node]);
	ask_for(amounts_total(&writing->update->amounts, node));
	if (writing->update->columns)
		sshare_fetch(writing->update->columns, node);
}

static void fetch_tres(void *item, size_t at, void *context)
{
	const slurmdb_assoc_usage_t *usage = ((const slurmdb_assoc_rec_t *)item)->usage;
	const struct writing *writing = context;
	const struct amount *amount =
		amounts_total(&writing->update->amounts,
			      associations_guess(&writing->update->fairshare->associations,
						 writing->walk->position + at));
	int last = slurmctld_tres_cnt - 1;

	if (usage->usage_tres_raw)
		ask_for_all(usage->usage_tres_raw, &usage->usage_tres_raw[last]);
	if (!amount)
		return;
	ask_for_all(amount->tres, &amount->tres[last]);
	if (usage->grp_used_tres_run_secs)
		ask_for_all(usage->grp_used_tres_run_secs, &usage->grp_used_tres_run_secs[last]);
}

/* None is written twice, wherever the walk comes by again. */
static void write_item(void *item, size_t at, void *context)
{
	const struct writing *writing = context;
	struct fairshare *fairshare = writing->update->fairshare;
	uint32_t node;

	if (!associations_find_at(&fairshare->associations, item, writing->walk->position + at,
				  &node))
		writing->update->changes |= fairshare->associations.orphans ? 0 : ASSOCIATION_PLACE;
	else if (!(fairshare->progress[node] & WRITTEN))
		write_record(writing->update, item, node);
}

/* assoc_mgr sums accounts up from their members whenever the tree changes. If
 * some of these are aged by then and others are not, no sum is true at any time. */
static void note_sums(struct update *update)
{
	struct fairshare *fairshare = update->fairshare;

	if (!update->aged || update->aged == fairshare->associations.node_count ||
	    associations_root_is_as_seen(&fairshare->associations))
		return;
	update->mixed = true;
	update->changes |= ASSOCIATION_VALUE;
	associations_see_usage(&fairshare->associations, assoc_mgr_root_assoc, 0);
}

static void begin_slice(struct update *update)
{
	if (!update->accounting || !associations_exist())
		return;
	note_sums(update);
	if (update->take_run_seconds)
		update->take_run_seconds =
			book_counts_from(update->book, update->accounting->run_seconds_round);
}

/* A block. False: all are written, or others are not to be found. The list is
 * sorted by being emptied and filled again, whereupon a walk ends too early. */
static bool write_block(struct update *update, struct list_walk *walk, size_t *written_before)
{
	static const struct list_walk_stages stages = { fetch_record, fetch_usage, fetch_tres,
						       write_item };
	const struct associations *associations = &update->fairshare->associations;
	struct writing writing = { update, walk };

	if (list_walk_next(walk, assoc_mgr_assoc_list)) {
		list_walk_each(walk, stages, &writing);
		return true;
	}
	if (update->written == associations->node_count) {
		if ((size_t)list_count(assoc_mgr_assoc_list) != associations->node_count &&
		    !associations->orphans)
			update->changes |= ASSOCIATION_PLACE;	/* one has come */
		return false;
	}
	if (update->written == *written_before) {
		update->changes |= ASSOCIATION_PLACE;	/* one is gone */
		return false;
	}
	*written_before = update->written;
	*walk = (struct list_walk){ 0 };
	return true;
}

/* One round over all records; what others have changed is noted in
 * update->changes. */
static void write_back(struct update *update, bool last)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .tres = READ_LOCK };
	struct list_walk walk = { 0 };
	size_t written_before = 0;
	bool more = true;

	update->written = 0;
	while (more) {
		struct slice slice;

		assoc_mgr_lock(&locks);
		slice = slice_begin();
		begin_slice(update);
		do
			more = write_block(update, &walk, &written_before);
		while (more && !slice_is_over(&slice));
		update->fairshare->settled = !more && (last || !update->changes);
		assoc_mgr_unlock(&locks);
		if (more)
			slice_pause();
	}
}

/* assoc_mgr sets the root's shares once, by PriorityFlags as they are then. */
static struct sshare_columns columns_of(struct fairshare *fairshare,
					const struct settings *settings)
{
	struct sshare_columns columns = sshare_columns(fairshare->figures.policy,
						       fairshare->figures.result, settings);

	if (!fairshare->published)
		fairshare->root_has_rank = settings->flags & PRIORITY_FLAGS_FAIR_TREE;
	columns.renew_root = columns.ranks != fairshare->root_has_rank;
	fairshare->published = true;
	fairshare->root_has_rank = columns.ranks;
	return columns;
}

static void evaluate_and_write(struct update *update, bool last)
{
	struct fairshare *fairshare = update->fairshare;
	struct sshare_columns columns;

	update->solved = (!update->accounting || update->accounting->evaluate) &&
			 solve(fairshare, update->settings);
	if (update->solved) {
		columns = columns_of(fairshare, update->settings);
		update->columns = &columns;
	}
	update->changes = 0;
	if (update->accounting || update->solved)
		write_back(update, last);
	update->columns = NULL;
}

/* The nearest account above a node that still is one. */
static slurmdb_assoc_rec_t *heir_of(const struct associations *associations, uint32_t node)
{
	slurmdb_assoc_rec_t *record = NULL;

	while (!record && node) {
		node = (uint32_t)fathom_tree_parent(associations->tree, node);
		record = associations_record((uint32_t)fathom_tree_id(associations->tree, node));
	}
	return record;
}

/* What was charged to associations that are gone by now. The accounts above
 * them have it already; it must be somebody's own. */
static void charge_heirs(struct update *update)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .tres = READ_LOCK };
	struct fairshare *fairshare = update->fairshare;
	const struct associations *associations = &fairshare->associations;

	assoc_mgr_lock(&locks);
	for (uint32_t node = 1; node < associations->node_count; node++) {
		const struct amount *own = fairshare->progress[node] & AGED
			? NULL : amounts_own(&update->amounts, associations, node);
		slurmdb_assoc_rec_t *heir = own ? heir_of(associations, node) : NULL;

		if (!heir)
			continue;
		usage_add_to_account_alone(heir, own, 1, update->amounts.tres_count);
		update->mixed = true;
	}
	assoc_mgr_unlock(&locks);
}

/* In the tree; its record follows. */
static void age_newcomer(const struct update *update, size_t node)
{
	struct fathom_tree *tree = update->fairshare->associations.tree;
	double usage = fathom_tree_own_usage(tree, node) * update->decay;

	fathom_tree_set_own_usage(tree, node, update->accounting->reset ? 0 : usage);
}

/* Usage is what it should be by now, but others have changed something: the
 * same once more for what the records say now. */
static bool begin_again(struct update *update)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .tres = READ_LOCK };
	struct fairshare *fairshare = update->fairshare;

	amounts_clear(&update->amounts);
	free(update->excess);
	update->excess = NULL;
	if ((update->changes & ASSOCIATION_PLACE) && !read_tree(fairshare))
		return false;
	assoc_mgr_lock(&locks);
	take_over(&fairshare->associations);
	for (size_t node = 0; node < fairshare->associations.node_count; node++) {
		fairshare->progress[node] &= (uint8_t)~WRITTEN;
		if (update->accounting && !(fairshare->progress[node] & AGED))
			age_newcomer(update, node);
	}
	if (update->accounting)
		usage_image_begin_again(update->image, fairshare->fresh);
	assoc_mgr_unlock(&locks);
	fathom_tree_settle(fairshare->associations.tree);
	return true;
}

static int clear_sum(void *item, void *context)
{
	(void)context;
	usage_clear_sum(item);
	return 0;
}

static int add_to_sums(void *item, void *context)
{
	slurmdb_assoc_rec_t *record = item;
	const slurmdb_assoc_usage_t *own = record->leaf_usage;

	(void)context;
	if (own && own != record->usage)
		usage_add_own(record->usage, own);
	for (slurmdb_assoc_rec_t *at = record->usage->parent_assoc_ptr; own && at;
	     at = at->usage->parent_assoc_ptr)
		usage_add_own(at->usage, own);
	return 0;
}

/* What accounts have, from what their members have, as assoc_mgr does it. */
static void sum_up(struct update *update)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .tres = READ_LOCK };

	assoc_mgr_lock(&locks);
	if (update->accounting && associations_exist()) {
		list_for_each(assoc_mgr_assoc_list, clear_sum, NULL);
		list_for_each(assoc_mgr_assoc_list, add_to_sums, NULL);
	}
	update->fairshare->unread = true;
	assoc_mgr_unlock(&locks);
}

static void run_rounds(struct update *update)
{
	unsigned seen = 0;
	int round = 0;

	do {
		evaluate_and_write(update, round + 1 == ROUNDS_MAX);
		seen |= update->changes;
		if ((update->changes & ASSOCIATION_PLACE) && update->accounting &&
		    !update->accounting->reset)
			charge_heirs(update);
	} while (update->changes && ++round < ROUNDS_MAX && begin_again(update));
	if (update->changes)
		update->fairshare->unread = true;
	/* what was charged has gone to the accounts above it as they were at first,
	 * and what was missing may have been so in what was seen alone: a job's end
	 * hides what others have changed in some of the records above it */
	if (update->mixed || (seen & ASSOCIATION_MOVED) || (update->corrected && seen))
		sum_up(update);
}

static void end_update(struct update *update)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };

	/* no job can end from here to the new state of both */
	assoc_mgr_lock(&locks);
	book_copy_jobs(update->book, update->image);
	update->fairshare->updating = false;
	update->fairshare->image = NULL;
	assoc_mgr_unlock(&locks);
}

/* ---- entry points -------------------------------------------------------------- */

bool fairshare_pass(struct fairshare *fairshare, struct book *book,
		    const struct settings *settings, const struct accounting *accounting,
		    struct usage_image *image)
{
	struct update update = { .fairshare = fairshare, .settings = settings,
				 .accounting = accounting, .book = book, .image = image };
	bool done;

	slurm_mutex_lock(&fairshare->solve_lock);
	done = is_known(fairshare, accounting->charges) || read_tree(fairshare);
	if (done) {
		update.excess = calloc(fairshare->associations.node_count, sizeof(*update.excess));
		done = update.excess && begin_update(&update);
	}
	log_step("beginning with associations", accounting->since);
	if (done) {
		bring_to_now(&update);
		log_step("accounting", accounting->since);
		run_rounds(&update);
		end_update(&update);
		if (update.take_run_seconds)
			limits_take_off_all(accounting->charges);
	}
	amounts_clear(&update.amounts);
	qos_amounts_clear(&update.qos_amounts);
	free(update.excess);
	slurm_mutex_unlock(&fairshare->solve_lock);
	return done;
}

bool fairshare_evaluate(struct fairshare *fairshare, const struct settings *settings,
			bool for_sshare)
{
	struct update update = { .fairshare = fairshare, .settings = settings };
	bool done;

	slurm_mutex_lock(&fairshare->solve_lock);
	done = read_tree(fairshare);
	if (done && for_sshare) {
		run_rounds(&update);
		done = update.solved;
	} else if (done) {
		done = solve(fairshare, settings);
	}
	slurm_mutex_unlock(&fairshare->solve_lock);
	return done;
}

bool fairshare_evaluate_newcomer(struct fairshare *fairshare, const struct settings *settings,
				 slurmdb_assoc_rec_t *record)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK };
	struct sshare_columns columns;
	uint32_t node;
	bool done;

	slurm_mutex_lock(&fairshare->solve_lock);
	done = read_tree(fairshare) && solve(fairshare, settings);
	if (done) {
		columns = sshare_columns(fairshare->figures.policy, fairshare->figures.result,
					 settings);
		assoc_mgr_lock(&locks);
		if (associations_find(&fairshare->associations, record->id, &node))
			sshare_write(&columns, settings, record, node);
		assoc_mgr_unlock(&locks);
	}
	slurm_mutex_unlock(&fairshare->solve_lock);
	return done;
}

/* Of an association in the last evaluation; NULL: it was not there. */
static const struct fairshare_inputs *inputs_of(const struct figures *figures, uint32_t association)
{
	uint32_t node;

	return id_map_find(figures->map, association, &node) ? &figures->inputs[node] : NULL;
}

void fairshare_fetch_inputs(const struct fairshare *fairshare, uint32_t association)
{
	id_map_fetch(fairshare->figures.map, association);
}

const struct fairshare_inputs *fairshare_inputs(const struct fairshare *fairshare,
						uint32_t association)
{
	return inputs_of(&fairshare->figures, association);
}

bool fairshare_find_inputs(struct fairshare *fairshare, uint32_t association,
			   struct fairshare_inputs *inputs)
{
	const struct fairshare_inputs *found;

	pthread_rwlock_rdlock(&fairshare->figures_lock);
	found = inputs_of(&fairshare->figures, association);
	if (found)
		*inputs = *found;
	pthread_rwlock_unlock(&fairshare->figures_lock);
	return found;
}

void fairshare_write_usage(struct fairshare *fairshare, slurmdb_assoc_rec_t *association)
{
	const struct figures *figures = &fairshare->figures;
	uint32_t node;
	bool found;

	pthread_rwlock_rdlock(&fairshare->figures_lock);
	found = figures->policy && !sshare_shows_ranks(figures->policy) &&
		id_map_find(figures->map, association->id, &node) && node;
	if (found) {
		association->usage->usage_norm = fathom_result_norm_usage(figures->result)[node];
		association->usage->usage_efctv =
			fathom_result_effective_usage(figures->result)[node];
	}
	pthread_rwlock_unlock(&fairshare->figures_lock);
	if (!found)
		sshare_write_from_records(association);
}

/* ---- a job that has just ended ------------------------------------------------- */

/* Usage seen now, in the terms of a record that the pass has not come to yet. */
static double in_terms_of(const struct fairshare *fairshare, bool aged)
{
	if (!fairshare->updating || !(fairshare->decay > 0) || aged)
		return 1;
	return fmin(1 / fairshare->decay, 1e100);	/* must stay a number */
}

/* The image has a record's usage as it was when the pass came to it. */
static void renew_image(struct fairshare *fairshare, const slurmdb_assoc_rec_t *record,
			uint32_t node)
{
	fairshare->progress[node] |= CHANGED;
	if (fairshare->updating && (fairshare->progress[node] & WRITTEN))
		usage_image_put(fairshare->image, record, associations_parent_id(record),
				&fairshare->row_of_node[node]);
}

static void apply(struct fairshare *fairshare, const struct charge *charge,
		  const job_record_t *job, uint32_t tres_count)
{
	double tres[tres_count + 1];
	uint64_t run_seconds[tres_count + 1];
	struct amount amount = { .tres = tres, .run_seconds = run_seconds };
	struct associations *associations = &fairshare->associations;
	slurmdb_assoc_rec_t *record = job->assoc_ptr;

	memset(tres, 0, sizeof(tres));
	memset(run_seconds, 0, sizeof(run_seconds));
	amount_add_charge(&amount, charge, true, tres_count);
	for (; record; record = record->usage->parent_assoc_ptr) {
		uint32_t node;
		bool found = associations_find(associations, record->id, &node);
		/* one that the tree has not yet is aged in the next round */
		bool aged = found ? fairshare->progress[node] & AGED : fairshare->settled;
		double scale = in_terms_of(fairshare, aged);

		if (found && associations_changes(associations, record, node))
			fairshare->progress[node] |= CHANGED;
		if (record == job->assoc_ptr)
			usage_add_to_account_alone(record, &amount, scale, tres_count);
		usage_add_association(record, &amount, scale, tres_count);
		if (found && record == job->assoc_ptr)
			renew_image(fairshare, record, node);
		if (found)
			associations_see_usage(associations, record, node);
	}
}

static void apply_to_qos(struct fairshare *fairshare, const struct qos_amounts *amounts,
			 slurmdb_qos_rec_t *qos, uint32_t tres_count)
{
	const struct amount *amount = qos ? qos_amount(amounts, qos) : NULL;

	if (!amount)
		return;
	usage_add_qos(qos, amount, tres_count);
	if (fairshare->updating)
		usage_image_put_qos(fairshare->image, qos);
}

void fairshare_apply(struct fairshare *fairshare, const struct charges *charges,
		     const job_record_t *job)
{
	slurmdb_qos_rec_t *partition_qos = job->part_ptr ? job->part_ptr->qos_ptr : NULL;
	uint32_t tres_count = (uint32_t)slurmctld_tres_cnt;
	struct qos_amounts amounts;

	for (size_t i = 0; i < charges->count; i++)
		apply(fairshare, &charges->list[i], job, tres_count);
	if (qos_amounts_create(&amounts, charges, true, tres_count))
		error(LOG_PREFIX "out of memory; %pJ is not charged to its QOS", job);
	apply_to_qos(fairshare, &amounts, job->qos_ptr, tres_count);
	if (partition_qos != job->qos_ptr)
		apply_to_qos(fairshare, &amounts, partition_qos, tres_count);
	qos_amounts_clear(&amounts);
	limits_take_off(charges->list, charges->count);
}
