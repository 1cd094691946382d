/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "scenario/crash.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

/* ---- files ----------------------------------------------------------------------- */

static const char *const state_files[] = { "fathom_usage", "fathom_usage.old",
					   "priority_last_decay_ran" };
#define STATE_FILES (sizeof(state_files) / sizeof(*state_files))

/* One that is not there stays so. */
static void each_state_file(int (*give)(const char *name, const char *other),
			    const char *ending, const char *other_ending)
{
	char name[136], other[136];

	for (size_t i = 0; i < STATE_FILES; i++) {
		snprintf(name, sizeof(name), "%s/%s%s", host_folder(), state_files[i], ending);
		snprintf(other, sizeof(other), "%s/%s%s", host_folder(), state_files[i],
			 other_ending);
		if (give(name, other) && errno != ENOENT)
			host_die("%s: %s", name, strerror(errno));
	}
}

static int put_back(const char *kept, const char *name)
{
	unlink(name);
	return rename(kept, name);
}

static int forget(const char *name, const char *unused)
{
	return unlink(name);
}

void forget_state(void)
{
	each_state_file(forget, "", "");
}

/* ---- records ---------------------------------------------------------------------- */

static int forget_usage(void *item, void *argument)
{
	slurmdb_assoc_rec_t *record = item;

	record->usage->usage_raw = 0;
	record->usage->grp_used_wall = 0;
	memset(record->usage->usage_tres_raw, 0, g_tres_count * sizeof(long double));
	if (record->leaf_usage != record->usage) {
		slurmdb_destroy_assoc_usage(record->leaf_usage);
		record->leaf_usage = NULL;
	}
	return 0;
}

static int forget_qos_usage(void *item, void *argument)
{
	slurmdb_qos_usage_t *usage = ((slurmdb_qos_rec_t *)item)->usage;

	usage->usage_raw = usage->grp_used_wall = 0;
	memset(usage->usage_tres_raw, 0, g_tres_count * sizeof(long double));
	return 0;
}

void crash(void)
{
	/* what the plugin replaces is another file afterwards; a second name keeps the first */
	each_state_file(link, "", ".kept");
	host_close();
	each_state_file(put_back, ".kept", "");
	list_for_each(assoc_mgr_assoc_list, forget_usage, NULL);
	list_for_each(assoc_mgr_qos_list, forget_qos_usage, NULL);
	host_recount_run_seconds();
}

void crash_and_restart(void)
{
	crash();
	host_load(FATHOM_PLUGIN);
}
