/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario/plugin_figures.h"

#include <math.h>
#include <string.h>

#define USAGE_TOLERANCE 1e-9	/* decay and charges are exact but for roundings */
#define TOLD_MOST 5		/* differences that are told of one course of events */

/* ---- taking --------------------------------------------------------------------- */

static void put(struct figures *figures, const char *name, uint32_t id, double value,
		double tolerance, double slack)
{
	if (figures->count == FIGURES_MAX)
		host_die("more than %d figures", FIGURES_MAX);
	figures->figure[figures->count++] =
		(struct figure){ name, id, value, tolerance, slack };
}

static const struct { int tres; const char *total, *own, *qos; } tres_names[] = {
	{ TRES_ARRAY_CPU, "CPU seconds", "own CPU seconds", "CPU seconds of QOS" },
	{ TRES_ARRAY_MEM, "memory", "own memory", "memory of QOS" },
	{ TRES_ARRAY_NODE, "node seconds", "own node seconds", "node seconds of QOS" },
	{ TRES_ARRAY_BILLING, "billing", "own billing", "billing of QOS" },
	{ HOST_TRES_GPU, "GPU seconds", "own GPU seconds", "GPU seconds of QOS" },
};
#define TRES_NAMES (sizeof(tres_names) / sizeof(*tres_names))

/* Less than what a job of one CPU does in a millionth of a second. */
static void put_usage(struct figures *figures, const char *name, uint32_t id, long double value)
{
	put(figures, name, id, (double)value, USAGE_TOLERANCE, 1e-6);
}

static int take_association(void *item, void *context)
{
	struct figures *figures = context;
	const slurmdb_assoc_rec_t *record = item;
	const slurmdb_assoc_usage_t *usage = record->usage, *own = record->leaf_usage;

	put_usage(figures, "usage", record->id, usage->usage_raw);
	put_usage(figures, "wall time", record->id, usage->grp_used_wall);
	put_usage(figures, "own usage", record->id, own ? own->usage_raw : 0);
	put_usage(figures, "own wall time", record->id, own ? own->grp_used_wall : 0);
	for (size_t i = 0; i < TRES_NAMES; i++) {
		int at = tres_names[i].tres;

		put_usage(figures, tres_names[i].total, record->id, usage->usage_tres_raw[at]);
		put_usage(figures, tres_names[i].own, record->id,
			  own ? own->usage_tres_raw[at] : 0);
	}
	put(figures, "running CPU seconds", record->id,
	    (double)usage->grp_used_tres_run_secs[TRES_ARRAY_CPU], 0, 0);
	put(figures, "running GPU seconds", record->id,
	    (double)usage->grp_used_tres_run_secs[HOST_TRES_GPU], 0, 0);
	return 0;
}

static int take_qos(void *item, void *context)
{
	struct figures *figures = context;
	const slurmdb_qos_rec_t *qos = item;
	const slurmdb_qos_usage_t *usage = qos->usage;

	put_usage(figures, "usage of QOS", qos->id, usage->usage_raw);
	put_usage(figures, "wall time of QOS", qos->id, usage->grp_used_wall);
	for (size_t i = 0; i < TRES_NAMES; i++)
		put_usage(figures, tres_names[i].qos, qos->id,
			  usage->usage_tres_raw[tres_names[i].tres]);
	put(figures, "running CPU seconds of QOS", qos->id,
	    (double)usage->grp_used_tres_run_secs[TRES_ARRAY_CPU], 0, 0);
	return 0;
}

void figures_take_usage(struct figures *figures)
{
	list_for_each(assoc_mgr_assoc_list, take_association, figures);
	list_for_each(assoc_mgr_qos_list, take_qos, figures);
}

static int take_policy(void *item, void *context)
{
	const slurmdb_assoc_rec_t *record = item;
	const slurmdb_assoc_usage_t *usage = record->usage;

	put_usage(context, "normalised shares", record->id, usage->shares_norm);
	put_usage(context, "normalised usage", record->id, usage->usage_norm);
	put_usage(context, "effective usage", record->id, usage->usage_efctv);
	put_usage(context, "level fairshare", record->id, usage->level_fs);
	put_usage(context, "fair-share factor", record->id, usage->fs_factor);
	return 0;
}

/* One more or less, where a sum is rounded. Of others the last one stays. */
static int take_job(void *item, void *context)
{
	const job_record_t *job = item;

	if (!IS_JOB_PENDING(job) || !job->priority)
		return 0;
	put(context, "priority of job", job->job_id, job->priority, 0, 1);
	if (job->prio_factors)
		put_usage(context, "fair-share of job", job->job_id,
			  job->prio_factors->priority_fs);
	return 0;
}

void figures_take_priorities(struct figures *figures)
{
	list_for_each(assoc_mgr_assoc_list, take_policy, figures);
	list_for_each(job_list, take_job, figures);
}

/* ---- comparing ------------------------------------------------------------------ */

static bool is_same(const struct figure *figure, double expected)
{
	double largest = fmax(fabs(figure->value), fabs(expected));

	if (figure->value == expected)	/* both infinite, too */
		return true;
	return fabs(figure->value - expected) <= figure->tolerance * largest + figure->slack;
}

/* Both in the same order, but for what one has and the other has not. */
static const struct figure *find(const struct figures *figures, size_t *hint,
				 const struct figure *like)
{
	for (size_t i = 0; i < figures->count; i++) {
		const struct figure *figure = &figures->figure[(*hint + i) % figures->count];

		if (figure->id == like->id && figure->name == like->name) {
			*hint += i + 1;
			return figure;
		}
	}
	return NULL;
}

static void tell(const char *what, const struct figure *found, const char *expected, unsigned told)
{
	if (told < TOLD_MOST)
		fprintf(stderr, "%s: %s %u is %.12g, %s\n", what, found->name, found->id,
			found->value, expected);
}

unsigned figures_differ(const struct figures *expected, const struct figures *found,
			const char *what)
{
	unsigned count = 0;
	size_t hint = 0;
	char text[64];

	for (size_t i = 0; i < found->count; i++) {
		const struct figure *other = find(expected, &hint, &found->figure[i]);

		if (other && is_same(&found->figure[i], other->value))
			continue;
		snprintf(text, sizeof(text), other ? "must be %.12g" : "must not be there",
			 other ? other->value : 0);
		tell(what, &found->figure[i], text, count++);
	}
	if (found->count != expected->count)
		fprintf(stderr, "%s: %zu figures instead of %zu\n", what, found->count,
			expected->count);
	return count + (found->count != expected->count);
}

unsigned figures_are_neither(const struct figures *one, const struct figures *other,
			     const struct figures *found, const char *what)
{
	unsigned count = 0;
	size_t hint[2] = { 0, 0 };
	char text[64];

	for (size_t i = 0; i < found->count; i++) {
		const struct figure *figure = &found->figure[i], *either[2];

		if (strncmp(figure->name, "own ", 4))
			continue;
		either[0] = find(one, &hint[0], figure);
		either[1] = find(other, &hint[1], figure);
		if ((either[0] && is_same(figure, either[0]->value)) ||
		    (either[1] && is_same(figure, either[1]->value)))
			continue;
		snprintf(text, sizeof(text), "must be %.12g or %.12g",
			 either[0] ? either[0]->value : NAN, either[1] ? either[1]->value : NAN);
		tell(what, figure, text, count++);
	}
	return count;
}

/* ---- sums ----------------------------------------------------------------------- */

struct account {
	const slurmdb_assoc_rec_t *record;
	double raw, wall, tres[TRES_NAMES];
};

static void add(struct account *account, const slurmdb_assoc_usage_t *usage)
{
	account->raw += (double)usage->usage_raw;
	account->wall += usage->grp_used_wall;
	for (size_t i = 0; i < TRES_NAMES; i++)
		account->tres[i] += (double)usage->usage_tres_raw[tres_names[i].tres];
}

static int add_member(void *item, void *context)
{
	const slurmdb_assoc_rec_t *record = item;
	struct account *account = context;

	if (record->usage->parent_assoc_ptr == account->record)
		add(account, record->usage);
	return 0;
}

static unsigned is_no_sum(const char *what, const struct account *account, const char *name,
			  double total, double sum)
{
	struct figure figure = { name, account->record->id, total, USAGE_TOLERANCE, 1e-6 };
	char text[64];

	if (is_same(&figure, sum))
		return 0;
	snprintf(text, sizeof(text), "its members have %.12g", sum);
	tell(what, &figure, text, 0);
	return 1;
}

unsigned figures_are_sums(const char *what)
{
	compat_iterator iterator = list_iterator_create(assoc_mgr_assoc_list);
	const slurmdb_assoc_rec_t *record;
	unsigned wrong = 0;

	while ((record = list_next(iterator))) {
		struct account account = { .record = record };
		const slurmdb_assoc_usage_t *usage = record->usage;

		if (record->user)
			continue;
		if (record->leaf_usage)
			add(&account, record->leaf_usage);
		list_for_each(assoc_mgr_assoc_list, add_member, &account);
		wrong += is_no_sum(what, &account, "usage", (double)usage->usage_raw, account.raw);
		wrong += is_no_sum(what, &account, "wall time", usage->grp_used_wall, account.wall);
		for (size_t i = 0; i < TRES_NAMES; i++)
			wrong += is_no_sum(what, &account, tres_names[i].total,
					   (double)usage->usage_tres_raw[tres_names[i].tres],
					   account.tres[i]);
	}
	list_iterator_destroy(iterator);
	return wrong;
}
