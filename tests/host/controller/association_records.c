/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Associations, QOS and TRES. assoc_mgr asks the accounting storage for them, by
 * functions that are defined here. So assoc_mgr itself makes parents, children,
 * normalised shares and priorities.
 */
#include "controller/host_internal.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_UID 10000		/* assoc_mgr would look uid 0 up by name */

static struct host_association **associations;
static size_t association_count;
static compat_list tres_list, qos_list, association_list;
static uint16_t cache_state = RUNNING_CACHE_STATE_NOTRUNNING;
static uint32_t last_number;	/* in the order of the tree */
static bool opened;

/* ---- what assoc_mgr asks for ---------------------------------------------------- */

static compat_list give(compat_list *list)
{
	compat_list given = *list;

	*list = NULL;
	return given;
}

compat_list acct_storage_g_get_tres(void *connection, uint32_t uid, slurmdb_tres_cond_t *condition)
{
	return give(&tres_list);
}

compat_list acct_storage_g_get_qos(void *connection, uint32_t uid, slurmdb_qos_cond_t *condition)
{
	return give(&qos_list);
}

compat_list acct_storage_g_get_assocs(void *connection, uint32_t uid,
				      slurmdb_assoc_cond_t *condition)
{
	return condition->usage_end ? host_database_associations(condition)
				    : give(&association_list);
}

compat_list acct_storage_g_get_users(void *connection, uint32_t uid,
				     slurmdb_user_cond_t *condition)
{
	return list_create(slurmdb_destroy_user_rec);
}

compat_list acct_storage_g_get_wckeys(void *connection, uint32_t uid,
				      slurmdb_wckey_cond_t *condition)
{
	return list_create(slurmdb_destroy_wckey_rec);
}

/* ---- TRES and QOS --------------------------------------------------------------- */

static slurmdb_tres_rec_t *new_tres(uint32_t id, const char *type, const char *name)
{
	slurmdb_tres_rec_t *record = xmalloc(sizeof(*record));

	record->id = id;
	record->type = xstrdup(type);
	record->name = xstrdup(name);
	return record;
}

static void make_tres(void)
{
	static const struct { uint32_t id; const char *type, *name; } tres[] = {
		{ TRES_CPU, "cpu", NULL }, { TRES_MEM, "mem", NULL },
		{ TRES_ENERGY, "energy", NULL }, { TRES_NODE, "node", NULL },
		{ TRES_BILLING, "billing", NULL }, { TRES_FS_DISK, "fs", "disk" },
		{ TRES_VMEM, "vmem", NULL }, { TRES_PAGES, "pages", NULL },
		{ 1001, "gres", "gpu" }, { 1002, "license", "matlab" },
	};

	tres_list = list_create(slurmdb_destroy_tres_rec);
	for (size_t i = 0; i < sizeof(tres) / sizeof(*tres); i++)
		list_append(tres_list, new_tres(tres[i].id, tres[i].type, tres[i].name));
}

void host_qos(const char *name, uint32_t priority, double usage_factor, uint32_t flags)
{
	slurmdb_qos_rec_t *record = xmalloc(sizeof(*record));

	if (!qos_list)
		qos_list = list_create(slurmdb_destroy_qos_rec);
	slurmdb_init_qos_rec(record, false, NO_VAL);
	record->id = (uint32_t)list_count(qos_list) + 1;
	record->name = xstrdup(name);
	record->priority = priority;
	record->usage_factor = usage_factor;
	record->flags = flags;
	list_append(qos_list, record);
}

static int has_name(void *qos, void *name)
{
	return !strcmp(((slurmdb_qos_rec_t *)qos)->name, name);
}

slurmdb_qos_rec_t *host_find_qos(const char *name)
{
	slurmdb_qos_rec_t *qos = list_find_first(assoc_mgr_qos_list, has_name, (void *)name);

	if (!qos)
		host_die("no QOS is called %s", name);
	return qos;
}

/* ---- changes, as slurmdbd sends them -------------------------------------------- */

/* One more in each of its arrays; it has none of the new one. */
static int lengthen_partition(void *item, void *unused)
{
	part_record_t *partition = item;

	xrecalloc(partition->tres_cnt, g_tres_count, sizeof(*partition->tres_cnt));
	if (partition->billing_weights)
		xrecalloc(partition->billing_weights, g_tres_count,
			  sizeof(*partition->billing_weights));
	return 0;
}

static slurmdb_update_object_t begin_update(uint16_t type)
{
	return (slurmdb_update_object_t){ .type = type,
					  .objects = list_create(slurmdb_destroy_assoc_rec) };
}

static void end_update(slurmdb_update_object_t *update)
{
	assoc_mgr_update_assocs(update, false);
	list_destroy(update->objects);
}

static void send_update(uint16_t type, slurmdb_assoc_rec_t *record)
{
	slurmdb_update_object_t update = begin_update(type);

	list_append(update.objects, record);
	end_update(&update);
}

static slurmdb_assoc_rec_t *new_record(const struct host_association *association)
{
	slurmdb_assoc_rec_t *record = xmalloc(sizeof(*record));

	slurmdb_init_assoc_rec(record, false);
	record->id = association->id;
	record->cluster = xstrdup(slurm_conf.cluster_name);
	record->acct = xstrdup(association->account);
	record->user = xstrdup(association->user);
	record->uid = association->user ? FIRST_UID + association->id : NO_VAL;
	return record;
}

static slurmdb_assoc_rec_t *full_record(const struct host_association *association)
{
	slurmdb_assoc_rec_t *record = new_record(association);

	if (association->parent) {
		record->parent_id = association->parent->id;
		if (!association->user)
			record->parent_acct = xstrdup(association->parent->account);
	}
	record->shares_raw = association->shares;
	record->priority = association->priority;
	record->is_def = 0;
	record->def_qos_id = 0;
	return record;
}

void host_set_shares(struct host_association *association, uint32_t shares)
{
	slurmdb_assoc_rec_t *record;

	association->shares = shares;
	if (!opened)
		return;
	record = new_record(association);
	record->shares_raw = shares;
	send_update(SLURMDB_MODIFY_ASSOC, record);
}

void host_set_association_priority(struct host_association *association, uint32_t priority)
{
	slurmdb_assoc_rec_t *record = new_record(association);

	association->priority = record->priority = priority;
	send_update(SLURMDB_MODIFY_ASSOC, record);
}

void host_move(struct host_association *account, struct host_association *parent)
{
	slurmdb_assoc_rec_t *record = new_record(account);

	account->parent = parent;
	record->parent_id = parent->id;
	record->parent_acct = xstrdup(parent->account);
	send_update(SLURMDB_MODIFY_ASSOC, record);
}

void host_reset_usage(struct host_association *association)
{
	send_update(SLURMDB_REMOVE_ASSOC_USAGE, new_record(association));
}

void host_remove_users(struct host_association *const *users, size_t count)
{
	slurmdb_update_object_t update = begin_update(SLURMDB_REMOVE_ASSOC);

	for (size_t i = 0; i < count; i++)
		list_append(update.objects, new_record(users[i]));
	end_update(&update);
	for (size_t i = 0; i < count; i++)
		users[i]->record = NULL;
}

void host_remove(struct host_association *association)
{
	host_remove_users(&association, 1);
}

void host_add_users_again(struct host_association *const *users, size_t count)
{
	slurmdb_update_object_t update = begin_update(SLURMDB_ADD_ASSOC);

	for (size_t i = 0; i < count; i++) {
		slurmdb_assoc_rec_t *record = users[i]->record = full_record(users[i]);

		/* behind all others; the order among siblings is all that counts */
		host_number(record, last_number + 1, last_number + 2);
		last_number += 2;
		list_append(update.objects, record);
	}
	end_update(&update);
}

void host_add_again(struct host_association *association)
{
	host_add_users_again(&association, 1);
}

void host_remove_qos(const char *name)
{
	slurmdb_update_object_t update = { .type = SLURMDB_REMOVE_QOS };
	slurmdb_qos_rec_t *record = xmalloc(sizeof(*record));

	slurmdb_init_qos_rec(record, false, NO_VAL);
	record->id = host_find_qos(name)->id;
	update.objects = list_create(slurmdb_destroy_qos_rec);
	list_append(update.objects, record);
	assoc_mgr_update_qos(&update, false);
	list_destroy(update.objects);
}

void host_add_tres(const char *type, const char *name)
{
	const slurmctld_lock_t locks = { .job = WRITE_LOCK, .part = WRITE_LOCK };
	slurmdb_update_object_t update = { .type = SLURMDB_ADD_TRES };
	size_t before = g_tres_count;

	lock_slurmctld(locks);	/* over both, so that nobody meets arrays of two lengths */
	update.objects = list_create(slurmdb_destroy_tres_rec);
	list_append(update.objects, new_tres(2000 + g_tres_count, type, name));
	assoc_mgr_update_tres(&update, false);
	list_destroy(update.objects);
	slurmctld_tres_cnt = (int)g_tres_count;
	host_jobs_grow_tres(before);
	list_for_each(part_list, lengthen_partition, NULL);
	unlock_slurmctld(locks);
}

/* ---- the tree ------------------------------------------------------------------- */

static struct host_association *add(struct host_association *parent, const char *account,
				    const char *user, uint32_t shares)
{
	struct host_association *association = xmalloc(sizeof(*association));

	xrecalloc(associations, association_count + 1, sizeof(*associations));
	associations[association_count++] = association;
	association->id = (uint32_t)association_count;
	association->account = xstrdup(account);
	association->user = xstrdup(user);
	association->shares = shares;
	association->parent = parent;
	if (parent && parent->last)
		parent->last = parent->last->next = association;
	else if (parent)
		parent->first = parent->last = association;
	if (opened)
		host_add_again(association);
	return association;
}

struct host_association *host_root(void)
{
	return association_count ? associations[0] : add(NULL, "root", NULL, 1);
}

struct host_association *host_account(struct host_association *parent, const char *name,
				      uint32_t shares)
{
	return add(parent, name, NULL, shares);
}

struct host_association *host_user(struct host_association *parent, const char *name,
				   uint32_t shares)
{
	return add(parent, parent->account, name, shares);
}

struct host_association **host_associations(size_t *count)
{
	*count = association_count;
	return associations;
}

/* ---- assoc_mgr's start ---------------------------------------------------------- */

/* Neighbours in the tree are none in memory, as after months of changes. */
static void make_records(void)
{
	size_t *order = xcalloc(association_count, sizeof(*order));

	for (size_t i = 0; i < association_count; i++) {
		size_t other = host_random_below((uint32_t)i + 1);

		order[i] = order[other];
		order[other] = i;
	}
	for (size_t i = 0; i < association_count; i++)
		associations[order[i]]->record = full_record(associations[order[i]]);
	xfree(order);
}

/* Depth first, as slurmdbd sends them. */
static void list_records(struct host_association *association)
{
	uint32_t left = ++last_number;

	list_append(association_list, association->record);
	for (struct host_association *child = association->first; child; child = child->next)
		list_records(child);
	host_number(association->record, left, ++last_number);
}

static void add_usage(slurmdb_assoc_usage_t *to, double usage)
{
	to->usage_raw += usage;
	to->grp_used_wall += usage / 16;
	to->usage_tres_raw[TRES_ARRAY_CPU] += usage;
	to->usage_tres_raw[TRES_ARRAY_MEM] += usage * 2048;
	to->usage_tres_raw[TRES_ARRAY_NODE] += usage / 16;
	to->usage_tres_raw[TRES_ARRAY_BILLING] += usage;
}

/* As slurmctld reads its file of usage: the leaf, and all above it. */
static void give_usage(const struct host_association *association)
{
	slurmdb_assoc_rec_t *record = association->record;

	if (!(association->usage > 0))
		return;
	if (!record->leaf_usage)
		record->leaf_usage = slurmdb_create_assoc_usage((int)g_tres_count);
	if (record->leaf_usage != record->usage)
		add_usage(record->leaf_usage, association->usage);
	for (; record; record = record->usage->parent_assoc_ptr)
		add_usage(record->usage, association->usage);
}

/* After the QOS has left the list; its record is freed when this returns. */
static void forget_qos(slurmdb_qos_rec_t *qos)
{
	slurmctld_lock_t locks = { .job = WRITE_LOCK };

	lock_slurmctld(locks);
	host_jobs_lose_qos(qos->id);
	unlock_slurmctld(locks);
}

/* After the association has left the list; its record is freed when this returns. */
static void forget_association(slurmdb_assoc_rec_t *association)
{
	slurmctld_lock_t locks = { .job = WRITE_LOCK };

	lock_slurmctld(locks);
	host_jobs_lose_association(association->id);
	unlock_slurmctld(locks);
}

void host_open(void)
{
	assoc_init_args_t arguments = {
		.cache_level = ASSOC_MGR_CACHE_ASSOC | ASSOC_MGR_CACHE_QOS |
			       ASSOC_MGR_CACHE_USER | ASSOC_MGR_CACHE_WCKEY | ASSOC_MGR_CACHE_TRES,
		.enforce = accounting_enforce,
		.running_cache = &cache_state,
		.remove_assoc_notify = forget_association,
		.remove_qos_notify = forget_qos,
		HOST_ASSOC_MGR_FOLDER
	};

	host_qos("normal", 10, 1, 0);
	make_tres();
	association_list = list_create(slurmdb_destroy_assoc_rec);
	host_root();
	make_records();
	list_records(host_root());
	if (assoc_mgr_init(NULL, &arguments, SLURM_SUCCESS) != SLURM_SUCCESS)
		host_die("assoc_mgr does not take these associations");
	opened = true;
	host_make_lists();
	for (size_t i = 0; i < association_count; i++)
		give_usage(associations[i]);
	host_partition("batch", 1, NULL);
}

/* Removed ones are in no list any more. */
static void list_present(struct host_association *association)
{
	uint32_t left = ++last_number;

	if (!association->record)
		return;
	association->record = full_record(association);
	list_append(association_list, association->record);
	for (size_t i = 0; i < association_count; i++)
		if (associations[i]->parent == association)
			list_present(associations[i]);
	host_number(association->record, left, ++last_number);
}

void host_refresh_associations(void)
{
	const slurmctld_lock_t locks = { .job = WRITE_LOCK, .node = WRITE_LOCK,
					 .part = WRITE_LOCK };

	lock_slurmctld(locks);
	association_list = list_create(slurmdb_destroy_assoc_rec);
	last_number = 0;
	list_present(host_root());
	if (assoc_mgr_refresh_lists(NULL, ASSOC_MGR_CACHE_ASSOC) != SLURM_SUCCESS)
		host_die("assoc_mgr does not take the list of associations again");
	host_jobs_find_associations();
	unlock_slurmctld(locks);
}

/* ---- users ---------------------------------------------------------------------- */

static int has_uid(void *user, void *uid)
{
	return ((slurmdb_user_rec_t *)user)->uid == *(uint32_t *)uid;
}

static slurmdb_user_rec_t *find_user(uid_t uid)
{
	slurmdb_user_rec_t *user = list_find_first(assoc_mgr_user_list, has_uid, &uid);

	if (user)
		return user;
	user = xmalloc(sizeof(*user));
	user->uid = uid;
	user->coord_accts = list_create(slurmdb_destroy_coord_rec);
	list_append(assoc_mgr_user_list, user);
	return user;
}

void host_make_operator(uid_t uid)
{
	assoc_mgr_lock_t locks = { .user = WRITE_LOCK };

	assoc_mgr_lock(&locks);
	find_user(uid)->admin_level = SLURMDB_ADMIN_OPERATOR;
	assoc_mgr_unlock(&locks);
}

void host_make_coordinator(uid_t uid, const char *account)
{
	assoc_mgr_lock_t locks = { .user = WRITE_LOCK };
	slurmdb_coord_rec_t *coordinated = xmalloc(sizeof(*coordinated));
	slurmdb_user_rec_t *user;

	coordinated->name = xstrdup(account);
	assoc_mgr_lock(&locks);
	user = find_user(uid);
	list_append(user->coord_accts, coordinated);
	host_note_coordinator(user);
	assoc_mgr_unlock(&locks);
}
