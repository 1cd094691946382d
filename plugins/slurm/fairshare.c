/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "fairshare.h"

#include "amounts.h"
#include "associations.h"
#include "limits.h"
#include "log.h"
#include "slice.h"
#include "sshare.h"
#include "usage.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

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
	struct associations associations;
	struct figures spare;		/* where the next evaluation is written */

	/* These change under an assoc lock with solve_lock, and are read under
	 * assoc write. While `updating`, records that are not done yet are true
	 * at the time before, when usage counted 1/decay. */
	time_t time;
	bool updating;
	double decay;
	uint8_t *done;		/* by node */
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
	*figures = (struct figures){ 0 };
}

void fairshare_destroy(struct fairshare *fairshare)
{
	if (!fairshare)
		return;
	associations_forget(&fairshare->associations);
	forget_figures(&fairshare->spare);
	forget_figures(&fairshare->figures);
	free(fairshare->done);
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

/* ---- restoring --------------------------------------------------------------- */

/* Every record by its node; NULL: out of memory. Good within the caller's hold. */
static slurmdb_assoc_rec_t **list_records(const struct associations *associations)
{
	slurmdb_assoc_rec_t **record = calloc(associations->node_count, sizeof(*record));
	struct record_walk walk = { 0 };

	while (record && record_walk_next(&walk))
		for (size_t i = 0; i < walk.count; i++) {
			uint32_t node;

			if (associations_node(associations, walk.block[i], walk.position + i, &node))
				record[node] = walk.block[i];
		}
	return record;
}

/* The association itself, or the nearest account that is left above it. */
static uint32_t find_heir(const struct associations *associations, const struct usage_image *image,
			  uint32_t id)
{
	uint32_t node;

	for (uint32_t steps = 0; id && steps <= image->associations.count; steps++) {
		const struct usage_row *row;

		if (id_map_find(associations->map, id, &node))
			return node;
		row = usage_rows_find(&image->associations, id);
		id = row ? row->parent_id : 0;
	}
	return 0;	/* the root */
}

static void restore_associations(const struct associations *associations,
				 slurmdb_assoc_rec_t *const *record,
				 const struct usage_image *image, double *tres)
{
	for (uint32_t i = 0; i < image->associations.count; i++) {
		const struct usage_row *row = &image->associations.row[i];
		struct amount amount = { row->raw, row->wall, tres, NULL };
		slurmdb_assoc_rec_t *at = record[find_heir(associations, image, row->id)];

		usage_image_tres(image, &image->associations, i, tres);
		if (!at)
			continue;
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

static void clear_associations(void)
{
	struct record_walk walk = { 0 };

	while (record_walk_next(&walk))
		for (size_t i = 0; i < walk.count; i++)
			usage_clear_association(walk.block[i]);
}

bool fairshare_restore(struct fairshare *fairshare, const struct usage_image *image)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK };
	slurmdb_assoc_rec_t **record = NULL;
	double *tres = NULL;
	bool done = false;

	slurm_mutex_lock(&fairshare->solve_lock);
	assoc_mgr_lock(&locks);
	if (associations_read(&fairshare->associations, NULL)) {
		tres = calloc((size_t)slurmctld_tres_cnt + 1, sizeof(*tres));
		record = list_records(&fairshare->associations);
	}
	if (tres && record) {
		clear_associations();
		restore_associations(&fairshare->associations, record, image, tres);
		restore_qos(image, tres);
		fairshare->time = (time_t)image->time;
		done = true;
	}
	assoc_mgr_unlock(&locks);
	slurm_mutex_unlock(&fairshare->solve_lock);
	free(record);
	free(tres);
	return done;
}

/* ---- a pass: reading ----------------------------------------------------------- */

/* One pass over the associations on its way. */
struct update {
	struct fairshare *fairshare;
	const struct settings *settings;
	const struct accounting *accounting;	/* NULL: nothing but an evaluation */
	struct usage_image *image;
	struct amounts amounts;			/* charged, by node */
	double decay;
	bool take_run_seconds;
};

static void begin_copy(void *context)
{
	struct update *update = context;

	/* what fails from here on sets it to 0, and nothing is saved */
	update->image->time = usage_image_begin(update->image) ? 0 : update->accounting->now;
}

static void add_copy(void *context, const slurmdb_assoc_rec_t *record)
{
	struct update *update = context;

	/* accounts are needed to find the heir of a member that is gone */
	usage_rows_add(update->image, &update->image->associations, record->id,
		       associations_parent_id(record), record->leaf_usage, !record->user);
}

/* Few, and so done at once. They are true at the new time from here on. */
static void update_qos(struct update *update)
{
	const struct charges *charges = update->accounting->charges;
	uint32_t tres_count = (uint32_t)slurmctld_tres_cnt;
	compat_iterator iterator;
	slurmdb_qos_rec_t *qos;

	if (!assoc_mgr_qos_list)
		return;
	iterator = list_iterator_create(assoc_mgr_qos_list);
	while ((qos = list_next(iterator))) {
		bool decays = !(qos->flags & QOS_FLAG_NO_DECAY);
		struct amount *amount;

		if (decays)
			usage_scale_qos(qos, update->decay);
		amount = amount_of_qos(charges, qos->id, decays, update->take_run_seconds,
				       tres_count);
		if (amount)
			usage_add_qos(qos, amount, tres_count);
		amount_free(amount);
		if (update->accounting->reset)
			usage_clear_qos(qos);
		usage_rows_add_qos(update->image, qos);
	}
	list_iterator_destroy(iterator);
}

/* No record is written yet. False: out of memory. */
static bool begin_writing(struct fairshare *fairshare)
{
	size_t count = fairshare->associations.node_count;
	uint8_t *done = realloc(fairshare->done, count);

	if (!done)
		return false;
	memset(done, 0, count);
	fairshare->done = done;
	return true;
}

/* From here on job_end sees the new time. */
static bool begin_update(struct update *update)
{
	struct fairshare *fairshare = update->fairshare;

	if (!begin_writing(fairshare))
		return false;
	fairshare->decay = update->decay;
	fairshare->updating = true;
	fairshare->time = update->accounting->now;
	return true;
}

static bool read_for_pass(struct update *update, struct book *book)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK, .qos = WRITE_LOCK, .tres = READ_LOCK };
	const struct accounting *accounting = update->accounting;
	struct fairshare *fairshare = update->fairshare;
	struct usage_copy copy = { begin_copy, add_copy, update };
	double elapsed;
	bool done;

	update->take_run_seconds = book_counts_from(book, accounting->run_seconds_round);
	assoc_mgr_lock(&locks);
	elapsed = fairshare->time ? difftime(accounting->now, fairshare->time) : 0;
	update->decay = fathom_decay(elapsed, update->settings->half_life);
	done = associations_read(&fairshare->associations, &copy) && begin_update(update);
	if (done) {
		update_qos(update);
		book_copy_jobs(book, update->image);
	} else {
		update->image->time = 0;	/* it may be a part */
	}
	assoc_mgr_unlock(&locks);
	return done;
}

/* ---- a pass: solving ----------------------------------------------------------- */

/* Own usage as it is now, in the tree and in the image. */
static double own_raw(const struct update *update, uint32_t node)
{
	const struct amount *amount =
		amounts_own(&update->amounts, &update->fairshare->associations, node);

	return amount ? amount->raw : 0;
}

static void age_row(const struct update *update, uint32_t i, const struct amount *amount)
{
	struct usage_image *image = update->image;
	struct usage_row *row = &image->associations.row[i];
	double *tres = image->associations.tres + (size_t)i * image->tres_count;

	row->raw = row->raw * update->decay + (amount ? amount->raw : 0);
	row->wall = row->wall * update->decay + (amount ? amount->wall : 0);
	for (uint32_t j = 0; j < image->tres_count; j++)
		tres[j] = tres[j] * update->decay + (amount ? amount->tres[j] : 0);
}

/* Those that had used nothing before have no row to add to. */
static void add_new_rows(const struct update *update, const uint8_t *has_row)
{
	const struct associations *associations = &update->fairshare->associations;
	const struct fathom_tree *tree = associations->tree;

	for (uint32_t node = 0; node < associations->node_count; node++) {
		const struct amount *amount = amounts_own(&update->amounts, associations, node);

		if (amount && !has_row[node])
			usage_rows_add_amount(update->image, (uint32_t)fathom_tree_id(tree, node),
					      (uint32_t)fathom_tree_id(tree,
								       fathom_tree_parent(tree, node)),
					      amount->raw, amount->wall, amount->tres);
	}
}

static void bring_image_to_now(struct update *update)
{
	const struct associations *associations = &update->fairshare->associations;
	struct usage_rows *rows = &update->image->associations;
	uint8_t *has_row = calloc(associations->node_count, 1);

	if (!has_row) {
		error(LOG_PREFIX "out of memory; usage is not saved");
		update->image->time = 0;
		return;
	}
	for (uint32_t i = 0; i < rows->count; i++) {
		const struct amount *amount = NULL;
		uint32_t node;

		if (update->amounts.count && id_map_find(associations->map, rows->row[i].id, &node)) {
			amount = amounts_own(&update->amounts, associations, node);
			has_row[node] = true;
		}
		age_row(update, i, amount);
	}
	if (update->amounts.count)
		add_new_rows(update, has_row);
	free(has_row);
}

static void bring_to_now(struct update *update)
{
	struct associations *associations = &update->fairshare->associations;
	struct fathom_tree *tree = associations->tree;
	bool reset = update->accounting->reset;

	if (amounts_create(&update->amounts, associations, update->accounting->charges,
			   update->take_run_seconds, (uint32_t)slurmctld_tres_cnt))
		error(LOG_PREFIX "out of memory; not all running jobs are charged");
	for (uint32_t node = 0; node < associations->node_count; node++) {
		double usage = fathom_tree_own_usage(tree, node) * update->decay +
			       own_raw(update, node);

		fathom_tree_set_own_usage(tree, node, reset ? 0 : usage);
	}
	fathom_tree_settle(tree);
	if (reset)
		update->image->associations.count = 0;
	else
		bring_image_to_now(update);
}

/* A place for the result: the spare one, if it is of this tree and policy. */
static bool prepare(struct fairshare *fairshare, const struct settings *settings)
{
	struct figures *spare = &fairshare->spare;
	struct fathom_error problem;

	if (spare->result && spare->map == fairshare->associations.map &&
	    spare->policy == settings->policy)
		return true;
	forget_figures(spare);
	spare->result = fathom_result_create(settings->policy, fairshare->associations.tree,
					     &problem);
	if (!spare->result) {
		error(LOG_PREFIX "%s; factors stay as they were", problem.text);
		return false;
	}
	spare->policy = settings->policy;
	spare->map = id_map_share(fairshare->associations.map);
	return true;
}

static bool solve(struct fairshare *fairshare, const struct settings *settings)
{
	struct figures stale;

	if (!prepare(fairshare, settings))
		return false;
	fathom_evaluate(fairshare->spare.result, fairshare->associations.tree,
			&settings->policy_settings);
	pthread_rwlock_wrlock(&fairshare->figures_lock);
	stale = fairshare->figures;
	fairshare->figures = fairshare->spare;
	pthread_rwlock_unlock(&fairshare->figures_lock);
	fairshare->spare = stale;
	return true;
}

/* ---- a pass: writing ----------------------------------------------------------- */

/* What one record gets: usage, if the pass has changed it, and figures. */
static void write_record(const struct update *update, const struct sshare_columns *columns,
			 slurmdb_assoc_rec_t *record, uint32_t node)
{
	const struct amount *amount = amounts_total(&update->amounts, node), *alone;
	const struct associations *associations = &update->fairshare->associations;
	uint32_t tres_count = update->amounts.tres_count;

	if (update->accounting) {
		record->usage->usage_raw -= associations->excess[node];
		usage_scale_association(record, update->decay);
		if (amount)
			usage_add_association(record, amount, 1, tres_count);
		if (amount && !record->user) {
			alone = amounts_own(&update->amounts, associations, node);
			if (alone)
				usage_add_to_account_alone(record, alone, 1, tres_count);
		}
		if (update->accounting->reset)
			usage_clear_association(record);
	}
	if (columns)
		sshare_write(columns, update->settings, record, node);
}

/* A list that was sorted meanwhile begins anew: `done` keeps every record from
 * being aged twice. */
static void write_block(const struct update *update, const struct sshare_columns *columns,
			const struct record_walk *walk)
{
	struct fairshare *fairshare = update->fairshare;

	for (size_t i = 0; i < walk->count; i++) {
		slurmdb_assoc_rec_t *record = walk->block[i];
		uint32_t node;

		if (!associations_node(&fairshare->associations, record, walk->position + i,
				       &node) || fairshare->done[node])
			continue;
		fairshare->done[node] = true;
		write_record(update, columns, record, node);
	}
}

static void write_back(const struct update *update, const struct sshare_columns *columns)
{
	assoc_mgr_lock_t locks = { .assoc = WRITE_LOCK, .tres = READ_LOCK };
	struct fairshare *fairshare = update->fairshare;
	struct record_walk walk = { 0 };
	bool more = true;

	while (more) {
		struct slice slice;

		assoc_mgr_lock(&locks);
		slice = slice_begin();
		do {
			more = record_walk_next(&walk);
			write_block(update, columns, &walk);
		} while (more && !slice_is_over(&slice));
		if (!more)
			fairshare->updating = false;
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

/* ---- entry points -------------------------------------------------------------- */

bool fairshare_pass(struct fairshare *fairshare, struct book *book,
		    const struct settings *settings, const struct accounting *accounting,
		    struct usage_image *image)
{
	struct update update = { .fairshare = fairshare, .settings = settings,
				 .accounting = accounting, .image = image };
	struct sshare_columns columns;
	bool done, solved;

	slurm_mutex_lock(&fairshare->solve_lock);
	done = read_for_pass(&update, book);
	log_step("reading associations", accounting->since);
	if (done) {
		bring_to_now(&update);
		log_step("accounting", accounting->since);
		solved = accounting->evaluate && solve(fairshare, settings);
		if (solved) {
			log_step("evaluating the policy", accounting->since);
			columns = columns_of(fairshare, settings);
		}
		write_back(&update, solved ? &columns : NULL);
		if (update.take_run_seconds)
			limits_take_off_all(accounting->charges);
	}
	amounts_clear(&update.amounts);
	slurm_mutex_unlock(&fairshare->solve_lock);
	return done;
}

static bool read_alone(struct fairshare *fairshare)
{
	assoc_mgr_lock_t locks = { .assoc = READ_LOCK };
	bool done;

	assoc_mgr_lock(&locks);
	done = associations_read(&fairshare->associations, NULL);
	assoc_mgr_unlock(&locks);
	return done && begin_writing(fairshare);
}

bool fairshare_evaluate(struct fairshare *fairshare, const struct settings *settings,
			bool for_sshare)
{
	struct update update = { .fairshare = fairshare, .settings = settings, .decay = 1 };
	struct sshare_columns columns;
	bool done;

	slurm_mutex_lock(&fairshare->solve_lock);
	done = read_alone(fairshare) && solve(fairshare, settings);
	if (done && for_sshare) {
		columns = columns_of(fairshare, settings);
		write_back(&update, &columns);
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
	done = read_alone(fairshare) && solve(fairshare, settings);
	if (done) {
		columns = sshare_columns(fairshare->figures.policy, fairshare->figures.result,
					 settings);
		assoc_mgr_lock(&locks);
		if (id_map_find(fairshare->associations.map, record->id, &node))
			sshare_write(&columns, settings, record, node);
		assoc_mgr_unlock(&locks);
	}
	slurm_mutex_unlock(&fairshare->solve_lock);
	return done;
}

bool fairshare_factor(struct fairshare *fairshare, uint32_t association, double *factor)
{
	uint32_t node;
	bool found;

	pthread_rwlock_rdlock(&fairshare->figures_lock);
	found = id_map_find(fairshare->figures.map, association, &node);
	if (found)
		*factor = fathom_result_factor(fairshare->figures.result)[node];
	pthread_rwlock_unlock(&fairshare->figures_lock);
	return found;
}

void fairshare_write_usage(struct fairshare *fairshare, slurmdb_assoc_rec_t *association)
{
	const struct figures *figures = &fairshare->figures;
	uint32_t node;
	bool found;

	pthread_rwlock_rdlock(&fairshare->figures_lock);
	found = id_map_find(figures->map, association->id, &node) && node &&
		!sshare_shows_ranks(figures->policy);
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
static double in_terms_of(const struct fairshare *fairshare, const slurmdb_assoc_rec_t *record)
{
	uint32_t node;

	if (!fairshare->updating || !(fairshare->decay > 0) ||
	    !id_map_find(fairshare->associations.map, record->id, &node) || fairshare->done[node])
		return 1;
	return fmin(1 / fairshare->decay, 1e100);	/* must stay a number */
}

static void apply(struct fairshare *fairshare, const struct charge *charge,
		  const job_record_t *job, uint32_t tres_count)
{
	double tres[tres_count + 1];
	uint64_t run_seconds[tres_count + 1];
	struct amount amount = { .tres = tres, .run_seconds = run_seconds };
	slurmdb_assoc_rec_t *record = job->assoc_ptr;

	memset(tres, 0, sizeof(tres));
	memset(run_seconds, 0, sizeof(run_seconds));
	amount_add_charge(&amount, charge, true, tres_count);
	usage_add_to_account_alone(record, &amount, in_terms_of(fairshare, record), tres_count);
	for (; record; record = record->usage->parent_assoc_ptr)
		usage_add_association(record, &amount, in_terms_of(fairshare, record), tres_count);
}

static void apply_to_qos(const struct charges *charges, slurmdb_qos_rec_t *qos,
			 uint32_t tres_count)
{
	struct amount *amount;

	if (!qos)
		return;
	amount = amount_of_qos(charges, qos->id, !(qos->flags & QOS_FLAG_NO_DECAY), true,
			       tres_count);
	if (amount)
		usage_add_qos(qos, amount, tres_count);
	amount_free(amount);
}

void fairshare_apply(struct fairshare *fairshare, const struct charges *charges,
		     const job_record_t *job)
{
	slurmdb_qos_rec_t *partition_qos = job->part_ptr ? job->part_ptr->qos_ptr : NULL;
	uint32_t tres_count = (uint32_t)slurmctld_tres_cnt;

	for (size_t i = 0; i < charges->count; i++)
		apply(fairshare, &charges->list[i], job, tres_count);
	apply_to_qos(charges, job->qos_ptr, tres_count);
	if (partition_qos != job->qos_ptr)
		apply_to_qos(charges, partition_qos, tres_count);
	limits_take_off(charges->list, charges->count);
}
