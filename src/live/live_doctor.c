/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks the daemons of the running cluster for fathom doctor. */
#include "live/live_private.h"

#include "conf/conf_told.h"
#include "document/document.h"
#include "format/site_files.h"
#include "src/common/read_config.h"

#include <errno.h>
#include <sys/stat.h>

/* Returns the path of a file that each pass writes, and whether it is old. name: as in fathom.conf;
 * "": no such file is set. */
static struct doctor_file written_file(const char *name, const struct fathom_conf *conf,
				       const slurm_conf_t *slurm)
{
	struct doctor_file file = { .path = live_conf_path_of(name, slurm) };
	struct stat status;

	if (file.path && !stat(file.path, &status))
		file.old = live_conf_old_figures(file.path, status.st_mtime, conf, slurm);
	return file;
}

/* Sets the files that each pass writes, by the fathom.conf in force. */
static void find_written(struct doctor_site *site, const slurm_conf_t *slurm)
{
	struct fathom_conf conf = live_conf_read(slurm, NULL, NULL);

	site->figures = written_file(conf.figures_file, &conf, slurm);
	site->metrics = written_file(conf.metrics_file, &conf, slurm);
}

/* Sets what the running slurmctld tells. PluginDir is that of this host's slurm.conf, because
 * programs of this host load the plugin from there. */
static void read_running(struct doctor_site *site)
{
	const slurm_conf_t *slurm;

	libslurm_begin("");
	slurm = libslurm_conf();
	site->answers = true;
	site->running_release = site_version_parse(slurm->version);
	site->fathom_conf = live_conf_path(slurm, "fathom.conf");
	site->plugin_dir = need_text(slurm_conf.plugindir);
	site->state = slurm->state_save_location;
	site->slurm_user = slurm->slurm_user_name;
	site->auth_type = slurm->authtype;
	site->is_here = live_controller_is_here(slurm);
	site->priority_type = slurm->priority_type;
	site->loaded_type = live_loaded_type(slurm);
	site->is_replaced = live_loaded_is_replaced(slurm);
	site->told = conf_told_is(slurm->priority_params) ? slurm->priority_params : NULL;
	site->has_database = slurm->accounting_storage_type &&
			     strstr(slurm->accounting_storage_type, "slurmdbd");
	find_written(site, slurm);
	libslurm_end();
}

/* For document_try(). Fails, see wrong_at(), if slurmdbd does not answer. */
static void ask_database(void *unused)
{
	(void)unused;
	libslurm_begin("");
	errno = 0;
	if (!compat_clusters(need_text("all")))
		libslurm_failed("slurmdbd");
	libslurm_end();
}

/* live_local_plugin_dir() must be called before libslurm is initialised. */
void live_doctor_read(struct doctor_site *site)
{
	const char *plugin_dir = live_local_plugin_dir();
	struct fathom_error error;
	struct failure failure;
	char why[256];

	if (live_local_has_controller(why, sizeof(why))) {
		read_running(site);
		if (site->has_database && document_try(ask_database, NULL, &failure))
			site->database_fault = need_text(failure.error.text);
		return;
	}
	site->why = need_text(why);
	site->plugin_dir = plugin_dir;
	if (doctor_read_slurm_conf(site, live_local_slurm_conf(), &error))
		site->why = need_print("%s; %s: %s", why, live_local_slurm_conf(), error.text);
}
