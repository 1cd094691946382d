/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the limit that a reason such as "AssocGrpCpuLimit" means. A reason tells the kind of limit,
 * not whose limit it is. slurmctld checks the limits of the job's association, then of each account
 * above it; for reasons of QOS, those of the QOS of the partition and of the job. The reason means
 * the first limit in this order into which the job does not fit. If the job fits into all of them
 * by what is known, the one with the least room is taken.
 */
#include "live/live_private.h"

#include "format/accounting/tres_text.h"
#include "jobs/job_limit.h"

#include <math.h>
#include <pwd.h>

#define MINUTE 60.

/* ---- the answer of slurmctld --------------------------------------------------------- */

void live_limits_use(struct live_limits *limits, assoc_mgr_info_msg_t *records)
{
	limits->records = records;
	limits->associations = live_items(records ? records->assoc_list : NULL);
	limits->is_ready = true;
	need_done(id_index_reserve(&limits->by_id, limits->associations.count));
	id_index_empty(&limits->by_id);
	for (size_t i = 0; i < limits->associations.count; i++) {
		const slurmdb_assoc_rec_t *association = limits->associations.item[i];

		need_done(id_index_put(&limits->by_id, association->id, (uint32_t)i));
	}
}

/* Requests the associations of one user and of all accounts, all QOS, and partitions. A user
 * without a name on this host has no associations. */
static void ask(struct live_limits *limits, uint32_t uid)
{
	const struct passwd *known = getpwuid((uid_t)uid);
	assoc_mgr_info_request_msg_t request = {
		.flags = ASSOC_MGR_INFO_FLAG_ASSOC | ASSOC_MGR_INFO_FLAG_QOS,
		.user_list = list_create(NULL),
	};
	assoc_mgr_info_msg_t *records;

	list_append(request.user_list, need_text(known ? known->pw_name : ""));
	live_limits_use(limits, slurm_load_assoc_mgr_info(&request, &records) ? NULL : records);
	if (!limits->partitions &&
	    slurm_load_partitions((time_t)0, &limits->partitions, SHOW_ALL | SHOW_LOCAL))
		limits->partitions = NULL;
	limits->uid = uid;
}

const slurmdb_assoc_rec_t *live_limits_association(const struct live_limits *limits, uint32_t id)
{
	uint32_t index;

	return id_index_find(&limits->by_id, id, &index) ? limits->associations.item[index] : NULL;
}

/* ---- QOS of a job --------------------------------------------------------------------- */

/* The QOS whose limits hold for a job, in slurmctld's order. */
struct job_qos {
	const slurmdb_qos_rec_t *qos[2];
	size_t count;
};

/* For list_find_first(): whether a QOS has a name. */
static int has_name(void *item, void *name)
{
	const slurmdb_qos_rec_t *qos = item;

	return qos->name && !strcmp(qos->name, name);
}

/* Returns the QOS with a name; NULL: there is none, or name is NULL. */
static const slurmdb_qos_rec_t *find_qos(const struct live_limits *limits, const char *name)
{
	void *list = limits->records->qos_list;

	return list && name ? list_find_first(list, has_name, (void *)name) : NULL;
}

/* Returns the name of a partition's QOS; NULL: it has none. partition: may be NULL. */
static const char *qos_of_partition(const struct live_limits *limits, const char *partition)
{
	const partition_info_msg_t *partitions = limits->partitions;

	for (size_t i = 0; partition && partitions && i < partitions->record_count; i++)
		if (!strcmp(partitions->partition_array[i].name, partition))
			return partitions->partition_array[i].qos_char;
	return NULL;
}

/* Returns the QOS of a job and of its partition, in slurmctld's order: that of the partition comes
 * first, unless the job's has the flag OverPartQOS. partition: may be NULL. */
static struct job_qos qos_of_job(const struct live_limits *limits, const slurm_job_info_t *info,
				 const char *partition)
{
	const slurmdb_qos_rec_t *own = find_qos(limits, info->qos);
	const slurmdb_qos_rec_t *other = find_qos(limits, qos_of_partition(limits, partition));
	bool own_is_first = own && own->flags & QOS_FLAG_OVER_PART_QOS;
	const slurmdb_qos_rec_t *first = own_is_first ? own : other;
	const slurmdb_qos_rec_t *second = own_is_first ? other : own;
	struct job_qos found = { .count = 0 };

	if (first)
		found.qos[found.count++] = first;
	if (second && second != first)
		found.qos[found.count++] = second;
	return found;
}

/* Returns the factor by which the QOS of a job multiply limits of associations: the first
 * LimitFactor that is set; else 1. */
static double limit_factor_of(const struct job_qos *job_qos)
{
	for (size_t i = 0; i < job_qos->count; i++) {
		double factor = job_qos->qos[i]->limit_factor;

		if (factor > 0 && factor != (double)INFINITE)
			return factor;
	}
	return 1;
}

/* ---- what has limits ---------------------------------------------------------------------- */

/* What an association or a QOS has of the limits of one kind, and what counts against them. */
struct holder {
	/* by TRES; NULL: the kind is of no TRES, or nothing counts: */
	const uint64_t *limits;
	const uint64_t *used;		/* in use by jobs */
	const uint64_t *used_seconds;	/* what is left of running jobs */
	const long double *used_raw;	/* decayed seconds */
	/* limits of no TRES; INFINITE or NO_VAL: there is none: */
	uint32_t jobs, wall, job_wall;	/* wall: minutes */
	double used_jobs, used_wall;	/* jobs; seconds */
};

/* Offsets of the limits of each kind in the records of associations and of QOS; 0: the kind is of
 * no TRES, or the record does not have it. */
static const struct { size_t in_association, in_qos; } offsets[LIMIT_KIND_COUNT] = {
#define IN_ASSOCIATION(member) offsetof(slurmdb_assoc_rec_t, member)
#define IN_QOS(member) offsetof(slurmdb_qos_rec_t, member)
	[LIMIT_GRP_TRES] = { IN_ASSOCIATION(grp_tres_ctld), IN_QOS(grp_tres_ctld) },
	[LIMIT_GRP_TRES_MINS] = { IN_ASSOCIATION(grp_tres_mins_ctld), IN_QOS(grp_tres_mins_ctld) },
	[LIMIT_GRP_TRES_RUN_MINS] = { IN_ASSOCIATION(grp_tres_run_mins_ctld),
				      IN_QOS(grp_tres_run_mins_ctld) },
	[LIMIT_MAX_TRES_PER_JOB] = { IN_ASSOCIATION(max_tres_ctld), IN_QOS(max_tres_pj_ctld) },
	[LIMIT_MAX_TRES_MINS_PER_JOB] = { IN_ASSOCIATION(max_tres_mins_ctld),
					  IN_QOS(max_tres_mins_pj_ctld) },
	[LIMIT_MAX_TRES_PER_NODE] = { IN_ASSOCIATION(max_tres_pn_ctld), IN_QOS(max_tres_pn_ctld) },
	[LIMIT_MAX_TRES_PER_USER] = { 0, IN_QOS(max_tres_pu_ctld) },
	[LIMIT_MAX_TRES_PER_ACCOUNT] = { 0, IN_QOS(max_tres_pa_ctld) },
	[LIMIT_MIN_TRES_PER_JOB] = { 0, IN_QOS(min_tres_pj_ctld) },
#undef IN_ASSOCIATION
#undef IN_QOS
};

/* Returns the array of limits, by TRES, at an offset of a record; NULL for offset 0. */
static const uint64_t *array_at(const void *record, size_t offset)
{
	return offset ? *(uint64_t *const *)((const char *)record + offset) : NULL;
}

/* Returns what an association has of the limits of a kind. */
static struct holder holder_of_association(const slurmdb_assoc_rec_t *association,
					   enum limit_kind kind)
{
	const slurmdb_assoc_usage_t *usage = association->usage;

	return (struct holder){
		.limits = array_at(association, offsets[kind].in_association),
		.used = usage->grp_used_tres, .used_seconds = usage->grp_used_tres_run_secs,
		.used_raw = usage->usage_tres_raw,
		.jobs = kind == LIMIT_MAX_JOBS ? association->max_jobs : association->grp_jobs,
		.used_jobs = usage->used_jobs, .wall = association->grp_wall,
		.used_wall = usage->grp_used_wall, .job_wall = association->max_wall_pj,
	};
}

/* For list_find_first(): whether a part of a QOS is that of a job's user. info: of the job. */
static int is_of_user(void *item, void *info)
{
	return ((slurmdb_used_limits_t *)item)->uid == ((slurm_job_info_t *)info)->user_id;
}

/* For list_find_first(): whether a part of a QOS is that of a job's account. info: of the job. */
static int is_of_account(void *item, void *info)
{
	const char *used = ((slurmdb_used_limits_t *)item)->acct;
	const char *account = ((slurm_job_info_t *)info)->account;

	return used && account && !strcmp(used, account);
}

/* Returns the first part of a QOS that `is_used` finds to be that of a job; NULL: there is none.
 * parts: a list of slurmdb_used_limits_t, or NULL. */
static const slurmdb_used_limits_t *find_used(void *parts, ListFindF is_used,
					      const slurm_job_info_t *info)
{
	return parts ? list_find_first(parts, is_used, (void *)info) : NULL;
}

/* Returns whether a limit is one for each account. */
static bool is_per_account(enum limit_kind kind)
{
	return kind == LIMIT_MAX_TRES_PER_ACCOUNT || kind == LIMIT_MAX_JOBS_PER_ACCOUNT;
}

/* Returns whether a limit is one for each user. */
static bool is_per_user(enum limit_kind kind)
{
	return kind == LIMIT_MAX_TRES_PER_USER || kind == LIMIT_MAX_JOBS_PER_USER;
}

/* Returns what a QOS has of the limits of a kind: one for all its jobs, for the job's user, or for
 * the job's account. */
static struct holder holder_of_qos(const slurmdb_qos_rec_t *qos, enum limit_kind kind,
				   const slurm_job_info_t *info)
{
	const slurmdb_qos_usage_t *usage = qos->usage;
	struct holder holder = {
		.limits = array_at(qos, offsets[kind].in_qos), .used = usage->grp_used_tres,
		.used_seconds = usage->grp_used_tres_run_secs, .used_raw = usage->usage_tres_raw,
		.jobs = qos->grp_jobs, .used_jobs = usage->grp_used_jobs, .wall = qos->grp_wall,
		.used_wall = usage->grp_used_wall, .job_wall = qos->max_wall_pj,
	};
	const slurmdb_used_limits_t *used;

	if (is_per_account(kind)) {
		used = find_used(usage->acct_limit_list, is_of_account, info);
		holder.jobs = qos->max_jobs_pa;
	} else if (is_per_user(kind)) {
		used = find_used(usage->user_limit_list, is_of_user, info);
		holder.jobs = qos->max_jobs_pu;
	} else {
		return holder;
	}
	holder.used = used ? used->tres : NULL;
	holder.used_jobs = used ? used->jobs : 0;
	return holder;
}

/* ---- the limit that holds a job ----------------------------------------------------------- */

/* The search for the limit that a reason means. */
struct limit_search {
	const assoc_mgr_info_msg_t *records;
	const slurm_job_info_t *info;
	struct limit_reason reason;
	double factor;		/* by which QOS multiply limits of associations */
	bool is_found;
	/* if is_found: the first limit that holds the job; if none does, the one with the least
	 * room */
	struct job_limit found;
};

/* Returns the job's time limit in minutes; NAN: it is not known. */
static double time_limit_of(const slurm_job_info_t *info)
{
	return info->time_limit == NO_VAL || info->time_limit == INFINITE ? NAN : info->time_limit;
}

/* Returns whether a limit of this kind is in minutes, of a TRES or of the job. */
static bool counts_minutes(enum limit_kind kind)
{
	return kind == LIMIT_GRP_TRES_MINS || kind == LIMIT_GRP_TRES_RUN_MINS ||
	       kind == LIMIT_MAX_TRES_MINS_PER_JOB || kind == LIMIT_GRP_WALL ||
	       kind == LIMIT_MAX_WALL;
}

/* Returns what the job wants, as the limit counts it; 0: not known. tres: NULL if the limit is of
 * no TRES. */
static double wanted_of(const struct limit_search *search, const char *tres)
{
	const slurm_job_info_t *info = search->info;
	enum limit_kind kind = search->reason.kind;
	double count = 1, minutes = time_limit_of(info);

	if (tres && tres_text_count(piece_of(info->tres_req_str), tres, &count) <= 0)
		return 0;
	if (kind == LIMIT_MAX_TRES_PER_NODE)
		return info->num_nodes ? count / info->num_nodes : 0;
	if (counts_minutes(kind))
		return isnan(minutes) ? 0 : count * minutes;
	return tres ? count : 0;
}

/* Takes a limit as the one that is found if it has less room than the one found so far, unless that
 * one holds the job already. */
static void offer(struct limit_search *search, struct job_limit limit)
{
	if (search->is_found) {
		double room = job_limit_room(&search->found);	/* below 0: it holds the job */

		if (room < 0 || job_limit_room(&limit) >= room)
			return;
	}
	search->found = limit;
	search->is_found = true;
}

/* Returns what counts against the limit of a TRES, in the limit's unit. */
static double used_of(const struct holder *holder, enum limit_kind kind, size_t tres)
{
	if (kind == LIMIT_GRP_TRES || is_per_user(kind) || is_per_account(kind))
		return holder->used ? (double)holder->used[tres] : 0;
	if (kind == LIMIT_GRP_TRES_RUN_MINS && holder->used_seconds)
		return floor((double)holder->used_seconds[tres] / MINUTE);
	return kind == LIMIT_GRP_TRES_MINS && holder->used_raw
		       ? floor((double)holder->used_raw[tres] / MINUTE) : 0;
}

/* Offers a limit that is of no TRES, if the holder has it. limit: has kind, owner, whose and
 * factor; the other members are set here. */
static void offer_number(struct limit_search *search, const struct holder *holder,
			   struct job_limit limit)
{
	uint32_t number;

	if (limit.kind == LIMIT_MAX_WALL) {
		number = holder->job_wall;
	} else if (limit.kind == LIMIT_GRP_WALL) {
		number = holder->wall;
		limit.used = floor(holder->used_wall / MINUTE);
	} else {
		number = holder->jobs;
		limit.used = holder->used_jobs;
	}
	if (number == INFINITE || number == NO_VAL)
		return;
	limit.limit = number;
	limit.wanted = wanted_of(search, NULL);
	offer(search, limit);
}

/* Offers the holder's limits of the TRES that the reason names. limit: as for offer_number(). */
static void offer_tres(struct limit_search *search, const struct holder *holder,
			 struct job_limit limit)
{
	for (size_t i = 0; holder->limits && i < search->records->tres_cnt; i++) {
		limit.tres = search->records->tres_names[i];
		if (holder->limits[i] == INFINITE64 || holder->limits[i] == NO_VAL64 ||
		    !limit_reason_is_of(&search->reason, limit.tres))
			continue;
		limit.limit = floor((double)holder->limits[i] * limit.factor);
		limit.used = used_of(holder, limit.kind, i);
		limit.wanted = wanted_of(search, limit.tres);
		offer(search, limit);
	}
}

/* Offers the limits of an association or a QOS. owner, whose: as in struct job_limit. */
static void offer_limits(struct limit_search *search, const struct holder *holder,
			 const char *owner, const char *whose)
{
	bool is_factored = !search->reason.of_qos &&
			   (search->reason.kind == LIMIT_GRP_TRES ||
			    search->reason.kind == LIMIT_MAX_TRES_PER_JOB);
	const struct job_limit limit = {
		.kind = search->reason.kind, .owner = owner, .whose = whose,
		.factor = is_factored ? search->factor : 1,
	};

	if (search->reason.tres)
		offer_tres(search, holder, limit);
	else
		offer_number(search, holder, limit);
}

/* Returns an association as job_limit.owner names it. */
static const char *name_association(const slurmdb_assoc_rec_t *association)
{
	return association->user ? need_print("%s in account %s", association->user,
					      association->acct)
				 : need_print("account %s", association->acct);
}

/* Returns whether a limit is one of groups: that of an account holds for all jobs below it. */
static bool is_of_group(enum limit_kind kind)
{
	return kind <= LIMIT_GRP_TRES_RUN_MINS || kind == LIMIT_GRP_JOBS || kind == LIMIT_GRP_WALL;
}

/* Offers the limits of the job's association, and if the limit is one of groups, those of all
 * accounts above it. False: PrivateData hides some of these. */
static bool offer_path(struct limit_search *search, const struct live_limits *limits)
{
	uint32_t id = search->info->assoc_id;

	do {
		const slurmdb_assoc_rec_t *association;
		struct holder holder;

		association = live_limits_association(limits, id);
		if (!association)
			return false;
		holder = holder_of_association(association, search->reason.kind);
		offer_limits(search, &holder, name_association(association), NULL);
		id = association->parent_id;
	} while (is_of_group(search->reason.kind) && id);
	return true;
}

/* Offers the limits of the QOS of the job. */
static void offer_qos(struct limit_search *search, const struct job_qos *job_qos)
{
	const struct passwd *user = getpwuid((uid_t)search->info->user_id);
	const char *whose = is_per_account(search->reason.kind)
				    ? need_print("account %s", search->info->account)
				    : need_text(user ? user->pw_name : "this user");

	for (size_t i = 0; i < job_qos->count; i++) {
		const slurmdb_qos_rec_t *qos = job_qos->qos[i];
		struct holder holder = holder_of_qos(qos, search->reason.kind, search->info);

		offer_limits(search, &holder, need_print("QOS %s", qos->name), whose);
	}
}

const char *live_limits_text(struct live_limits *limits, const slurm_job_info_t *info,
			     const char *partition, const char *reason)
{
	struct limit_search search = { .info = info };
	struct job_qos job_qos;
	bool knows_all = true;

	if (!limit_reason_find(reason, &search.reason))
		return NULL;
	if (!limits->is_ready || (!limits->are_all && limits->uid != info->user_id))
		ask(limits, info->user_id);
	search.records = limits->records;
	if (!search.records)
		return NULL;
	job_qos = qos_of_job(limits, info, partition);
	search.factor = limit_factor_of(&job_qos);
	if (search.reason.of_qos)
		offer_qos(&search, &job_qos);
	else
		knows_all = offer_path(&search, limits);
	/* if some limits are hidden, one that does not hold the job may not be the one meant */
	if (!search.is_found || (!knows_all && job_limit_room(&search.found) >= 0))
		return NULL;
	return job_limit_text(&search.found, reason);
}
