/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Calls libslurm with stderr captured, and turns its errors into messages of fathom. */
#include "live/live_private.h"

#include "core/error.h"
#include "document/document.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define MOST_LOG 4096	/* bytes of the log that are searched for its last line */
#define WRONG_INPUT 2	/* exit status if libslurm ends the process */

/* ---- the capture of stderr, in a file in memory ---------------------------------- */

/* The state of the capture. It is global because the process has one stderr. */
static struct {
	int saved;		/* descriptor: stderr before the capture */
	int log;		/* descriptor: a file in memory with what libslurm logs */
	bool active;		/* stderr is captured */
	bool registered;	/* at_exit() is called at the end of the process */
	const char *instead;	/* see libslurm_begin() */
} capture = { .saved = -1, .log = -1 };

/* Returns the line without its prefixes, such as "fathom: error: ". */
static const char *without_prefix(const char *line)
{
	static const char *const prefixes[] = { "fathom: ", "fatal: ", "error: " };

	for (size_t i = 0; i < sizeof(prefixes) / sizeof(*prefixes); i++)
		if (!strncmp(line, prefixes[i], strlen(prefixes[i])))
			line += strlen(prefixes[i]);
	return line;
}

/* Copies the end of the log to `log`, MOST_LOG + 1 bytes, without its last newlines. */
static void copy_log(char *log)
{
	off_t end = lseek(capture.log, 0, SEEK_END);
	ssize_t got = pread(capture.log, log, MOST_LOG, end > MOST_LOG ? end - MOST_LOG : 0);

	if (got < 0)
		got = 0;
	while (got && log[got - 1] == '\n')
		got--;
	log[got] = '\0';
}

/* Returns the last line of a log without its prefixes. */
static const char *last_line(const char *log)
{
	const char *newline = strrchr(log, '\n');

	return without_prefix(newline ? newline + 1 : log);
}

/* Restores stderr, and writes what libslurm has logged to `log`, MOST_LOG + 1 bytes; "": nothing,
 * or stderr was not captured. */
static void capture_end(char *log)
{
	*log = '\0';
	if (!capture.active)
		return;
	capture.active = false;
	fflush(stderr);
	dup2(capture.saved, STDERR_FILENO);
	copy_log(log);
	close(capture.saved);
	close(capture.log);
}

/* For atexit(). If libslurm ends the process, prints the last line of its log as a message of
 * fathom, and sets the exit status. */
static void at_exit(void)
{
	char log[MOST_LOG + 1];

	if (!capture.active)
		return;
	capture_end(log);
	dprintf(STDERR_FILENO, "fathom: no running cluster: %.511s%s\n",
		*log ? last_line(log) : "libslurm gave no reason", capture.instead);
	_exit(WRONG_INPUT);	/* drops what stdout has buffered */
}

/* Captures stderr. If that fails, libslurm logs to stderr as usual. */
static void capture_begin(void)
{
	if (!capture.registered)
		capture.registered = !atexit(at_exit);
	fflush(stderr);
	capture.saved = dup(STDERR_FILENO);
	capture.log = memfd_create("fathom", MFD_CLOEXEC);
	capture.active = capture.saved >= 0 && capture.log >= 0 &&
			   dup2(capture.log, STDERR_FILENO) >= 0;
}

/* ---- begin and end ----------------------------------------------------------------- */

/* Fails at once if the file that SLURM_CONF names cannot be read: libslurm would try for a minute.
 * Without SLURM_CONF it looks for its usual files, and for a server of configurations, without
 * waiting. */
static void check_slurm_conf(const char *instead)
{
	const char *path = getenv("SLURM_CONF");

	if (path && access(path, R_OK))
		wrong_at(NULL, 0, "no running cluster: SLURM_CONF: '%.150s': %s%s", path,
			 strerror(errno), instead);
}

/* Initialises libslurm, once for all calls: libslurm 24.11 cannot be initialised again. */
static void initialise(void)
{
	static bool initialised;

	if (initialised)
		return;
	/* 0: lists of tasks are not cut to 63 bytes, so that all tasks are counted */
	setenv("SLURM_BITSTR_LEN", "0", true);
	slurm_init(NULL);
	atexit(slurm_fini);
	initialised = true;
}

void libslurm_begin(const char *instead)
{
	assert(!capture.active);	/* an end within would drop the undo of the outer begin */
	check_slurm_conf(instead);
	capture.instead = instead;
	document_undo(libslurm_end);
	capture_begin();
	initialise();
}

void libslurm_end(void)
{
	char log[MOST_LOG + 1];

	document_undo(NULL);
	capture_end(log);
	working_cluster_rec = NULL;
}

/* Returns whether the error code means that no daemon answered. */
static bool is_unreachable(int code)
{
	return (code >= SLURM_COMMUNICATIONS_CONNECTION_ERROR &&
		code <= SLURM_COMMUNICATIONS_SHUTDOWN_ERROR) ||
	       (code >= SLURMCTLD_COMMUNICATIONS_CONNECTION_ERROR &&
		code <= SLURMCTLD_COMMUNICATIONS_SHUTDOWN_ERROR);
}

/* Returns why munge could not make a credential, without its own question whether munged was
 * started. Cuts the log, in which the reason stands. NULL: munge was not the reason. */
static const char *cut_munge_reason(char *log)
{
	static const char head[] = "Munge encode failed: ";
	char *reason = strstr(log, head), *question;

	if (!reason)
		return NULL;
	reason += strlen(head);
	reason[strcspn(reason, "\n")] = '\0';
	question = strstr(reason, " (Did you start");
	if (question)
		*question = '\0';
	return reason;
}

void libslurm_failed(const char *what)
{
	int code = errno;
	char log[MOST_LOG + 1];
	const char *line, *munge;
	struct fathom_error error;

	capture_end(log);
	line = last_line(log);
	munge = code ? cut_munge_reason(log) : NULL;
	if (munge)
		fathom_error_set(&error, code, "%s: %s; is munged running? (%s)", what,
				 slurm_strerror(code), munge);
	else if (code)
		fathom_error_set(&error, code, "%s: %s%s", what, slurm_strerror(code),
				 is_unreachable(code) ? capture.instead : "");
	else
		fathom_error_set(&error, EIO, "%s: %.159s", what, *line ? line : "no answer");
	wrong_by(NULL, 0, &error);
}

/* ---- requests ----------------------------------------------------------------------- */

/* For list_for_each(). context: a struct live_items with room for the item. */
static int add_item(void *item, void *context)
{
	struct live_items *items = context;

	items->item[items->count++] = item;
	return 0;
}

struct live_items live_items(void *list)
{
	struct live_items items = { .item = need_zeros(list ? (size_t)list_count(list) : 0,
						       sizeof(*items.item)) };

	if (list)
		list_for_each(list, add_item, &items);
	return items;
}

struct live_items libslurm_clusters(const char *names)
{
	struct live_items clusters = { .item = need_zeros(1, sizeof(*clusters.item)), .count = 1 };

	if (!names)
		return clusters;
	errno = 0;
	clusters = live_items(compat_clusters(need_text(names)));
	if (!clusters.count)
		libslurm_failed("--cluster: slurmdbd knows none of them");
	return clusters;
}

void live_clusters_each(void (*use)(void *context, const char *name), void *context)
{
	struct live_items clusters;

	libslurm_begin("");
	clusters = libslurm_clusters("all");
	for (size_t i = 0; i < clusters.count; i++)
		use(context, ((const slurmdb_cluster_rec_t *)clusters.item[i])->name);
	libslurm_end();
}

slurm_conf_t *libslurm_conf(void)
{
	slurm_conf_t *conf = NULL;

	errno = 0;
	if (slurm_load_ctl_conf((time_t)0, &conf) || !conf)
		libslurm_failed("slurmctld");
	return conf;
}

partition_info_msg_t *libslurm_partitions(void)
{
	partition_info_msg_t *partitions = NULL;

	errno = 0;
	if (slurm_load_partitions((time_t)0, &partitions, SHOW_ALL | SHOW_LOCAL) || !partitions)
		libslurm_failed("slurmctld");
	return partitions;
}

assoc_mgr_info_msg_t *libslurm_records(uint32_t flags)
{
	assoc_mgr_info_request_msg_t request = { .flags = flags };
	assoc_mgr_info_msg_t *records = NULL;

	errno = 0;
	return slurm_load_assoc_mgr_info(&request, &records) ? NULL : records;
}

shares_response_msg_t *libslurm_shares(shares_request_msg_t *wanted)
{
	slurm_msg_t request, reply;

	slurm_msg_t_init(&request);
	slurm_msg_t_init(&reply);
	request.msg_type = REQUEST_SHARE_INFO;
	request.data = wanted;
	errno = 0;
	if (slurm_send_recv_controller_msg(&request, &reply, working_cluster_rec) < 0)
		libslurm_failed("slurmctld");
	if (reply.msg_type == RESPONSE_SHARE_INFO)
		return reply.data;
	errno = SLURM_UNEXPECTED_MSG_ERROR;
	if (reply.msg_type == RESPONSE_SLURM_RC)
		errno = ((return_code_msg_t *)reply.data)->return_code;
	libslurm_failed("slurmctld");
}
