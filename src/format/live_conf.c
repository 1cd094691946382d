/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format/compat.h"

#include "format/live_conf.h"

#include "conf/conf_parse.h"
#include "format/format.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- fathom.conf ----------------------------------------------------------------- */

bool live_conf_is_fathom(const slurm_conf_t *slurm)
{
	return slurm->priority_type && strstr(slurm->priority_type, "fathom");
}

static char *conf_path(const slurm_conf_t *conf)
{
	const char *slurm_conf_path = getenv("SLURM_CONF");
	const char *slash;
	char *path;

	if (!slurm_conf_path || !*slurm_conf_path)
		slurm_conf_path = conf->slurm_conf;
	slash = slurm_conf_path ? strrchr(slurm_conf_path, '/') : NULL;
	if (!slash || asprintf(&path, "%.*s/fathom.conf", (int)(slash - slurm_conf_path),
			       slurm_conf_path) < 0)
		return NULL;
	return path;
}

static void read_conf(struct fathom_conf *conf, const char *path, char **remark)
{
	struct input input;
	struct fathom_error error;
	char text[sizeof(error.text) + 256];

	if (input_load(&input, path, &error)) {
		snprintf(text, sizeof(text), "%.200s: %s; its policy is unknown", path, error.text);
		if (error.code != ENOENT)
			*remark = strdup(text);
		return;
	}
	if (conf_parse_text(conf, path, input.text, &error))
		*remark = strdup(error.text);
	input_clear(&input);
}

struct fathom_conf live_conf_read(const slurm_conf_t *slurm, char **remark)
{
	struct fathom_conf conf = conf_standard();
	char *path = conf_path(slurm);

	*remark = NULL;
	if (path)
		read_conf(&conf, path, remark);
	free(path);
	return conf;
}

/* ---- the policy ------------------------------------------------------------------ */

static const struct fathom_policy *policy_of_flags(uint32_t flags)
{
	const char *name = flags & PRIORITY_FLAGS_FAIR_TREE ? "fair-tree" :
			   flags & PRIORITY_FLAGS_DEPTH_OBLIVIOUS ? "depth-oblivious" : "classic";

	return fathom_policy_find(name);
}

const struct fathom_policy *live_conf_policy(const struct fathom_conf *conf,
					     const slurm_conf_t *slurm)
{
	const struct fathom_policy *policy = conf_policy(conf);

	return policy ? policy : policy_of_flags(slurm->priority_flags);
}

double live_conf_dampening_factor(const struct fathom_conf *conf, const slurm_conf_t *slurm)
{
	const bool *given;
	const struct fathom_settings *classic =
		conf_policy_settings(conf, fathom_policy_find("classic"), &given);

	if (given[0])
		return classic->value[0];
	return slurm->fs_dampening_factor ? slurm->fs_dampening_factor : 1;
}

/* tie_mode of Slurm's own plugin, unless fathom is in its place. */
struct fathom_settings live_conf_settings(const struct fathom_conf *conf, const slurm_conf_t *slurm,
					  const struct fathom_policy *policy)
{
	const bool *given;
	const struct fathom_settings *read = conf_policy_settings(conf, policy, &given);
	struct fathom_settings settings = fathom_settings_standard(policy);
	char text[32];

	snprintf(text, sizeof(text), "%.17g", live_conf_dampening_factor(conf, slurm));
	/* of another policy each: what it does not know it does not want */
	fathom_settings_set(policy, &settings, "dampening_factor", text, NULL);
	if (!live_conf_is_fathom(slurm))
		fathom_settings_set(policy, &settings, "tie_mode", "slurm", NULL);
	for (size_t i = 0; i < fathom_policy_setting_count(policy); i++)
		if (given[i])
			settings.value[i] = read->value[i];
	strcpy(settings.formula, read->formula);
	return settings;
}
