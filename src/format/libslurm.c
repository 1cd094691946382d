/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "format/compat.h"

#include "format/libslurm.h"

#include "core/error.h"
#include "format/stderr_capture.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* libslurm tries for a minute to open the file that SLURM_CONF names. Without SLURM_CONF it
 * looks for its usual files, and for a server of configurations, without waiting. */
static int check_slurm_conf(struct fathom_error *error)
{
	const char *path = getenv("SLURM_CONF");

	if (!path || !access(path, R_OK))
		return 0;
	return fathom_error_set(error, errno, "no running cluster: SLURM_CONF: '%.150s': %s; "
				"--from reads a file", path, strerror(errno));
}

/* libslurm is initialised once for all calls: libslurm 24.11 cannot be initialised again. */
static void initialise(void)
{
	static bool initialised;

	if (initialised)
		return;
	slurm_init(NULL);
	atexit(slurm_fini);
	initialised = true;
}

int libslurm_begin(struct fathom_error *error)
{
	if (check_slurm_conf(error))
		return -1;
	stderr_capture_begin();
	initialise();
	return 0;
}

int libslurm_failed(struct fathom_error *error, const char *what)
{
	int code = errno;
	char line[160];

	stderr_capture_end(line, sizeof(line));
	stderr_capture_begin();
	if (code)
		return fathom_error_set(error, code, "%s: %s", what, slurm_strerror(code));
	return fathom_error_set(error, EIO, "%s: %s", what, *line ? line : "no answer");
}

void libslurm_end(void)
{
	char line[160];

	stderr_capture_end(line, sizeof(line));
}
