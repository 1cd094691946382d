/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "partitions/pool_preemption.h"

#include "base/log.h"

#include <string.h>

bool pool_preempts_by(const char *plugin)
{
	return slurm_conf.preempt_type && !strcmp(slurm_conf.preempt_type, plugin);
}

bool pool_may_be_preempted(const part_record_t *record)
{
	uint16_t mode = record->preempt_mode == NO_VAL16 ? slurm_conf.preempt_mode
							 : record->preempt_mode;

	return mode & ~PREEMPT_MODE_GANG;	/* PREEMPT_MODE_OFF is 0 */
}

/* ---- tiers ------------------------------------------------------------------------ */

static void log_warning(const struct settings *settings, const struct conf_fault *warning)
{
	info(LOG_PREFIX "warning: %s:%u: %s: %s", settings->conf_path, warning->line, warning->key,
	     warning->error.text);
}

static void compare_tiers(const struct settings *settings,
			  const struct conf_partitions *partitions, size_t index)
{
	struct conf_fault warning;

	if (conf_pool_tier_differs(partitions, index, &warning))
		log_warning(settings, &warning);
	if (conf_pool_tier_preempts(partitions, index, &warning))
		log_warning(settings, &warning);
}

/* ---- QOS -------------------------------------------------------------------------- */

/* A QOS and a pool whose partitions may have jobs of it. */
struct qos_search {
	const struct settings *settings;
	size_t pool;
	const slurmdb_qos_rec_t *preemptor;
};

static bool takes_qos(const part_record_t *record, uint32_t id)
{
	if (record->allow_qos_bitstr)
		return bit_test(record->allow_qos_bitstr, id);
	return !record->deny_qos_bitstr || !bit_test(record->deny_qos_bitstr, id);
}

static bool pool_takes_qos(const struct settings *settings, size_t pool, uint32_t id)
{
	for (size_t i = 0; i < settings->queue_count; i++)
		if (settings->queue[i].pool == pool &&
		    takes_qos(find_part_record(settings->queue[i].name), id))
			return true;
	return false;
}

/* Calls for a list's items: a result below 0 ends the search. */
static int find_preempted(void *item, void *context)
{
	const slurmdb_qos_rec_t *qos = item;
	struct qos_search *search = context;
	const struct settings *settings = search->settings;
	size_t pool = search->pool;

	if (qos->id >= bit_size(search->preemptor->preempt_bitstr) ||
	    !bit_test(search->preemptor->preempt_bitstr, qos->id) ||
	    !pool_takes_qos(settings, pool, qos->id))
		return 0;
	info(LOG_PREFIX "warning: %s: SlotPool: jobs of QOS '%s' preempt those of QOS '%s' in pool "
			"'%s', whatever the shares of their partitions",
	     settings->conf_path, search->preemptor->name, qos->name,
	     settings->pool[pool - 1].name);
	return -1;
}

/* An iterator, as a list must not be walked from a walk over itself by list_for_each(). */
static void find_preemptor(const struct settings *settings, size_t pool)
{
	struct qos_search search = { .settings = settings, .pool = pool };
	compat_iterator iterator = list_iterator_create(assoc_mgr_qos_list);
	const slurmdb_qos_rec_t *qos;

	while ((qos = list_next(iterator))) {
		if (!qos->preempt_bitstr || !pool_takes_qos(settings, pool, qos->id))
			continue;
		search.preemptor = qos;
		if (list_for_each(assoc_mgr_qos_list, find_preempted, &search) < 0)
			break;
	}
	list_iterator_destroy(iterator);
}

static void compare_qos(const struct settings *settings)
{
	assoc_mgr_lock_t locks = { .qos = READ_LOCK };

	assoc_mgr_lock(&locks);
	for (size_t pool = 1; assoc_mgr_qos_list && pool <= settings->pool_count; pool++)
		find_preemptor(settings, pool);
	assoc_mgr_unlock(&locks);
}

/* ---- all -------------------------------------------------------------------------- */

void pool_preemption_warn(const struct settings *settings,
			  const struct conf_partitions *partitions)
{
	for (size_t i = 0; i < partitions->queue_count; i++)
		compare_tiers(settings, partitions, i);
	if (pool_preempts_by("preempt/qos"))
		compare_qos(settings);
}
