/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Leaves a request to change usage for the plugin: a file in StateSaveLocation, which the next pass
 * reads. It appears there complete, and never replaces another request. */
#include "live/live_private.h"

#include "conf/conf_policy.h"
#include "core/error.h"
#include "document/document.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <strings.h>
#include <unistd.h>

/* ---- the place ------------------------------------------------------------------------ */

/* Returns whether a name is that of this host; domains are not compared. */
static bool is_this_host(const char *name)
{
	char host[HOST_NAME_MAX + 1] = "";
	size_t length = strcspn(name, ".");

	gethostname(host, sizeof(host) - 1);
	return !strcmp(name, "localhost") ||
	       (strcspn(host, ".") == length && !strncasecmp(host, name, length));
}

/* Returns whether this host is one of SlurmctldHost. */
static bool is_controller(const slurm_conf_t *slurm)
{
	for (uint32_t i = 0; i < slurm->control_cnt; i++)
		if (slurm->control_machine[i] && is_this_host(slurm->control_machine[i]))
			return true;
	return false;
}

/* Fails, see wrong_at(), if the caller cannot leave a request for the plugin on this host. */
static void check(const slurm_conf_t *slurm)
{
	if (!live_conf_is_fathom(slurm))
		wrong_at(NULL, 0, "the cluster runs %s, must run priority/fathom",
			 slurm->priority_type);
	if (getuid() && getuid() != slurm->slurm_user_id)
		wrong_at(NULL, 0, "must be run by root or SlurmUser (%s)", slurm->slurm_user_name);
	if (!is_controller(slurm))
		wrong_at(NULL, 0, "must be run on a host of slurmctld, such as %s",
			 slurm->control_cnt ? slurm->control_machine[0] : "");
	if (access(slurm->state_save_location, W_OK | X_OK))
		wrong_at(NULL, 0, "StateSaveLocation %s: %s", slurm->state_save_location,
			 strerror(errno));
}

void live_request_begin(void *place)
{
	const slurm_conf_t *slurm;
	struct fathom_conf conf;

	libslurm_begin("");
	slurm = libslurm_conf();
	check(slurm);
	conf = live_conf_read(slurm, NULL, NULL);
	libslurm_end();
	*(struct live_request *)place = (struct live_request){
		.folder = slurm->state_save_location, .slurm_user = slurm->slurm_user_id,
		.period = conf_value(&conf, CONF_CALC_PERIOD, slurm->priority_calc_period),
	};
}

/* ---- the file ------------------------------------------------------------------------- */

/* Writes a request to a new file that belongs to SlurmUser. -1: errno says why; the file may
 * exist. */
static int write_new(const struct live_request *place, const struct usage_request *request,
		     const char *path)
{
	int number = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0600);
	FILE *file = number < 0 ? NULL : fdopen(number, "w");
	bool failed;

	if (!file) {
		if (number >= 0)
			close(number);
		return -1;
	}
	failed = !getuid() && fchown(number, place->slurm_user, (gid_t)-1);
	usage_request_write(request, file);
	failed |= ferror(file) || fflush(file) || fsync(number);
	return fclose(file) || failed ? -1 : 0;
}

/* Gives a file that has been written its final name. By link(), because rename() would replace
 * another request. -1: EEXIST, another request has the name; or another errno. */
static int publish(const char *written, const char *path, struct fathom_error *error)
{
	if (!link(written, path))
		return 0;
	if (errno != EEXIST)
		return fathom_error_set(error, errno, "%s: %s", path, strerror(errno));
	return fathom_error_set(error, EEXIST, "another request still waits for the next pass of "
				"slurmctld: %s", path);
}

int live_request_post(const struct live_request *place, const struct usage_request *request,
		      struct fathom_error *error)
{
	char path[PATH_MAX], written[PATH_MAX];
	int status;

	snprintf(path, sizeof(path), "%s/%s", place->folder, USAGE_REQUEST_NAME);
	if (snprintf(written, sizeof(written), "%s.%s", path, request->id) >= PATH_MAX)
		return fathom_error_set(error, ENAMETOOLONG, "%s: %s", path,
					strerror(ENAMETOOLONG));
	status = write_new(place, request, written);
	if (status)
		fathom_error_set(error, errno, "%s: %s", written, strerror(errno));
	else
		status = publish(written, path, error);
	unlink(written);
	return status;
}
