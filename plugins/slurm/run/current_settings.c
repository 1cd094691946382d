/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "run/current_settings.h"

#include "base/log.h"
#include "partitions/partition_check.h"

int current_settings_init(struct current_settings *current)
{
	pthread_mutex_init(&current->lock, NULL);
	current->conf = conf_standard();
	current->checked = NULL;
	current->settings = settings_read(&current->conf, true);
	return current->settings ? 0 : -1;
}

void current_settings_clear(struct current_settings *current)
{
	settings_release(current->settings);
	settings_release(current->checked);
	conf_clear(&current->conf);
	pthread_mutex_destroy(&current->lock);
}

struct settings *current_settings_get(struct current_settings *current)
{
	struct settings *settings;

	slurm_mutex_lock(&current->lock);
	settings = settings_reference(current->settings);
	slurm_mutex_unlock(&current->lock);
	return settings;
}

void current_settings_renew(struct current_settings *current)
{
	struct settings *fresh, *stale;

	slurm_mutex_lock(&current->lock);
	fresh = settings_read(&current->conf, false);
	stale = fresh ? current->settings : NULL;
	if (fresh)
		current->settings = fresh;
	slurm_mutex_unlock(&current->lock);
	settings_release(stale);
}

/* ---- before a pass --------------------------------------------------------------- */

/* Returns the settings in force; reads them again first if TRES have been added to slurmctld since,
 * which may have weights. */
static struct settings *with_all_tres(struct current_settings *current)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK };
	struct settings *settings = current_settings_get(current);

	if (settings->priority.tres_count == (size_t)slurmctld_tres_cnt)
		return settings;
	settings_release(settings);
	lock_slurmctld(locks);
	current_settings_renew(current);
	unlock_slurmctld(locks);
	return current_settings_get(current);
}

/* Makes the settings that apply without a fathom.conf. NULL: out of memory. */
static struct settings *create_defaults(void)
{
	slurmctld_lock_t locks = { .conf = READ_LOCK };
	struct settings *defaults;

	lock_slurmctld(locks);
	defaults = settings_standard();
	unlock_slurmctld(locks);
	return defaults;
}

/* Puts `good` into force and releases `wrong`, unless the files have been read again since `wrong`
 * came into force. Takes over the caller's reference to `good`. */
static void replace(struct current_settings *current, struct settings *wrong, struct settings *good)
{
	struct settings *unused = good;

	slurm_mutex_lock(&current->lock);
	if (current->settings == wrong) {
		current->settings = good;
		unused = wrong;
	}
	slurm_mutex_unlock(&current->lock);
	settings_release(unused);
}

/* Logs the problem of the settings in force. Returns the last checked settings instead, or the
 * defaults. Takes over the caller's reference to `wrong`. */
static struct settings *reject(struct current_settings *current, struct settings *wrong,
			       const struct fathom_error *problem)
{
	struct settings *checked = current->checked, *good;

	error(LOG_PREFIX "%s; %s", problem->text,
	      checked ? "the settings stay as they were" : "the defaults apply");
	good = checked ? settings_reference(checked) : create_defaults();
	if (good)
		replace(current, wrong, good);
	settings_release(wrong);
	return checked ? settings_reference(checked) : current_settings_get(current);
}

/* When the files are read, slurmctld may not have partitions yet, or hold locks after which part
 * read must not be taken. So this check is a step of its own. */
struct settings *current_settings_check(struct current_settings *current)
{
	slurmctld_lock_t locks = { .node = READ_LOCK, .part = READ_LOCK };
	struct settings *settings = with_all_tres(current);
	struct fathom_error problem;
	bool known, wrong;

	if (settings == current->checked)
		return settings;
	lock_slurmctld(locks);
	known = partitions_exist();
	wrong = known && partitions_check(settings, &problem);
	unlock_slurmctld(locks);
	if (!known)
		return settings;
	if (wrong)
		return reject(current, settings, &problem);
	settings_release(current->checked);
	current->checked = settings_reference(settings);
	return settings;
}

bool current_settings_are_checked(const struct current_settings *current,
				  const struct settings *settings)
{
	return settings == current->checked;
}

const struct settings *current_settings_last(const struct current_settings *current)
{
	return current->checked ? current->checked : current->settings;
}
