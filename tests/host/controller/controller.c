/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The variables and functions of slurmctld that plugins and libslurmfull use, the
 * configuration, and the plugin, which Slurm's own loader loads.
 */
#include "controller/host_internal.h"

#include <errno.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define NODES 1000
#define CPUS_PER_NODE 64

/* ---- variables ------------------------------------------------------------------ */

void *acct_db_conn;
uint16_t accounting_enforce;
uint32_t cluster_cpus = NODES * CPUS_PER_NODE;
compat_list job_list;
compat_list part_list;
time_t last_job_update;
time_t last_part_update;
slurmctld_config_t slurmctld_config;
int slurmctld_tres_cnt;
uint16_t part_max_priority = DEF_PART_MAX_PRIORITY;

void host_make_lists(void)
{
	job_list = list_create(NULL);
	part_list = list_create(NULL);
	slurmctld_tres_cnt = (int)g_tres_count;
}

/* ---- functions ------------------------------------------------------------------ */

bool validate_slurm_user(uid_t uid)
{
	return !uid || uid == slurm_conf.slurm_user_id;
}

bool validate_super_user(uid_t uid)
{
	return validate_slurm_user(uid);
}

bool validate_operator(uid_t uid)
{
	return validate_slurm_user(uid) ||
	       assoc_mgr_get_admin_level(acct_db_conn, uid) >= SLURMDB_ADMIN_OPERATOR;
}

static int has_name(void *partition, void *name)
{
	return !strcmp(((part_record_t *)partition)->name, name);
}

part_record_t *find_part_record(char *name)
{
	return name && part_list ? list_find_first(part_list, has_name, name) : NULL;
}

/* Names with commas between them, for newer releases. */
char *part_list_to_xstr(compat_list partitions)
{
	compat_iterator iterator = list_iterator_create(partitions);
	const part_record_t *partition;
	char *names = NULL;

	while ((partition = list_next(iterator)))
		xstrfmtcat(names, "%s%s", names ? "," : "", partition->name);
	list_iterator_destroy(iterator);
	return names;
}

/* Jobs by id, in chains as slurmctld has them. */
#define JOB_CHAINS 131072

static job_record_t *job_chain[JOB_CHAINS];

void host_enter_job(job_record_t *job)
{
	job_record_t **chain = &job_chain[job->job_id % JOB_CHAINS];

	job->job_next = *chain;
	*chain = job;
}

void host_forget_job(const job_record_t *job)
{
	job_record_t **at = &job_chain[job->job_id % JOB_CHAINS];

	while (*at && *at != job)
		at = &(*at)->job_next;
	if (*at)
		*at = job->job_next;
}

job_record_t *find_job_record(uint32_t job_id)
{
	job_record_t *job = job_chain[job_id % JOB_CHAINS];

	while (job && job->job_id != job_id)
		job = job->job_next;
	return job;
}

static int is_of_account(void *limits, void *account)
{
	return !strcmp(((slurmdb_used_limits_t *)limits)->acct, account);
}

static int is_of_user(void *limits, void *uid)
{
	return ((slurmdb_used_limits_t *)limits)->uid == *(uint32_t *)uid;
}

static slurmdb_used_limits_t *add_limits(compat_list *list)
{
	slurmdb_used_limits_t *limits = host_used_limits();

	if (!*list)
		*list = list_create(slurmdb_destroy_used_limits);
	list_append(*list, limits);
	return limits;
}

slurmdb_used_limits_t *acct_policy_get_acct_used_limits(compat_list *list, char *account)
{
	slurmdb_used_limits_t *limits =
		*list ? list_find_first(*list, is_of_account, account) : NULL;

	if (!limits) {
		limits = add_limits(list);
		limits->acct = xstrdup(account);
	}
	return limits;
}

slurmdb_used_limits_t *acct_policy_get_user_used_limits(compat_list *list, uint32_t uid)
{
	slurmdb_used_limits_t *limits = *list ? list_find_first(*list, is_of_user, &uid) : NULL;

	if (!limits) {
		limits = add_limits(list);
		limits->uid = uid;
	}
	return limits;
}

/* Kept in the job once known, and worked out anew after a resize. */
double calc_job_billable_tres(job_record_t *job, time_t start, bool assoc_mgr_locked)
{
	bool known = job->billable_tres != (double)NO_VAL && job->resize_time < start;

	if (!job->tres_alloc_cnt)
		return 0;
	if (!known)
		job->billable_tres = job->part_ptr && job->part_ptr->billing_weights
			? assoc_mgr_tres_weighted(job->tres_alloc_cnt,
						  job->part_ptr->billing_weights,
						  slurm_conf.priority_flags, assoc_mgr_locked)
			: job->total_cpus;
	return job->billable_tres;
}

/* assoc_mgr looks up each new user. Apart from root, no user of a test exists on this
 * host; its databases would take longer to say so than a pass takes. A test may have a
 * getpwnam_r of its own. */
__attribute__((weak)) int getpwnam_r(const char *restrict name, struct passwd *restrict entry,
				     char *restrict buffer, size_t size,
				     struct passwd **restrict found)
{
	static int (*next)(const char *name, struct passwd *entry, char *buffer, size_t size,
			   struct passwd **found);

	if (!strcmp(name, "root")) {
		next = next ? next : host_next_symbol("getpwnam_r");
		return next(name, entry, buffer, size, found);
	}
	*found = NULL;
	return 0;
}

/* ---- configuration -------------------------------------------------------------- */

static char folders[64];	/* where `folder` is */
static pid_t owner;		/* of these */
static char folder[72];

void host_die(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	fprintf(stderr, "%s: ", program_invocation_short_name);
	vfprintf(stderr, format, arguments);
	fputc('\n', stderr);
	va_end(arguments);
	exit(2);
}

const char *host_folder(void)
{
	return folder;
}

static const char *in_folder(const char *name)
{
	static __thread char path[sizeof(folder) + 256];

	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static FILE *create(const char *name)
{
	FILE *file = fopen(in_folder(name), "w");

	if (!file)
		host_die("%s: %s", in_folder(name), strerror(errno));
	return file;
}

static void remove_folders(void)
{
	char command[sizeof(folders) + 16];

	if (getpid() != owner)	/* a fork ends, others may go on */
		return;
	snprintf(command, sizeof(command), "rm -rf '%s'", folders);
	if (system(command))
		fprintf(stderr, "%s: not removed\n", folders);
}

void host_make_folders(bool in_memory)
{
	const char *memory = "/dev/shm", *parent = getenv("TMPDIR");

	if (!parent && in_memory && !access(memory, W_OK))
		parent = memory;
	snprintf(folders, sizeof(folders), "%.40s/fathom-host.XXXXXX", parent ? parent : "/tmp");
	if (!mkdtemp(folders))
		host_die("%s: %s", folders, strerror(errno));
	owner = getpid();
	atexit(remove_folders);
}

static void make_folder(void)
{
	if (*folder)
		host_die("one scenario a process");
	if (!*folders)
		host_make_folders(false);
	snprintf(folder, sizeof(folder), "%s/XXXXXX", folders);
	if (!mkdtemp(folder))
		host_die("%s: %s", folder, strerror(errno));
}

void host_configure(const char *format, ...)
{
	log_options_t options = LOG_OPTS_STDERR_ONLY;
	const char *level = getenv("HOST_LOG");	/* debug2 tells how long each step took */
	char lines[2048];
	va_list arguments;
	FILE *file;

	va_start(arguments, format);
	vsnprintf(lines, sizeof(lines), format, arguments);
	va_end(arguments);
	options.stderr_level = log_string2num(level ? level : "error");
	log_init("host", options, SYSLOG_FACILITY_USER, NULL);
	make_folder();
	file = create("slurm.conf");
	/* the folder first: a plugin of the same name as one of Slurm's own may be in it */
	fprintf(file, "ClusterName=host\nSlurmctldHost=localhost\nSlurmUser=root\n"
		"AuthType=auth/none\n"
		"PriorityType=priority/host\nStateSaveLocation=%s\nPluginDir=%s:" SLURM_LIBDIR "\n"
		"AccountingStorageType=accounting_storage/slurmdbd\n%s%s\n"
		"NodeName=n[1-4] CPUs=64\n",
		folder, folder,
		strstr(lines, "AccountingStorageEnforce=") ? ""
			: "AccountingStorageEnforce=associations,limits,qos\n",
		lines);
	if (fclose(file))
		host_die("%s: %s", in_folder("slurm.conf"), strerror(errno));
	if (slurm_conf_init(in_folder("slurm.conf")) != SLURM_SUCCESS)
		host_die("Slurm does not take this configuration");
	accounting_enforce = slurm_conf.accounting_storage_enforce;
	node_record_count = NODES;
	if (&active_node_record_count)	/* of later releases, in its place */
		active_node_record_count = NODES;
}

/* ---- the plugin ----------------------------------------------------------------- */

static bool loaded;

bool host_is_loaded(void)
{
	return loaded;
}

/* Two times, of the decay and of the reset, 64 bits each, the highest byte first. */
void host_passed_at(time_t time)
{
	FILE *file = create("priority_last_decay_ran");

	for (int bit = 2 * 64 - 8; bit >= 0; bit -= 8)
		fputc((int)((uint64_t)time >> bit % 64 & 0xff), file);
	if (fclose(file))
		host_die("%s: %s", in_folder("priority_last_decay_ran"), strerror(errno));
}

/* priority/NAME of …/priority_NAME.so, which the loader shall find in our folder */
static char *type_of(const char *plugin)
{
	const char *file = strrchr(plugin, '/');
	char *path = realpath(plugin, NULL), name[64], link[80];

	if (!path)
		host_die("%s: %s", plugin, strerror(errno));
	if (sscanf(file ? file + 1 : plugin, "priority_%63[^.].so", name) != 1)
		host_die("%s: a priority plugin is called priority_NAME.so", plugin);
	snprintf(link, sizeof(link), "priority_%s.so", name);
	if (symlink(path, in_folder(link)) && errno != EEXIST)
		host_die("%s: %s", folder, strerror(errno));
	free(path);
	return xstrdup_printf("priority/%s", name);
}

static void init(const char *plugin)
{
	xfree(slurm_conf.priority_type);
	slurm_conf.priority_type = type_of(plugin);
	if (priority_g_init() != SLURM_SUCCESS)
		host_die("%s does not load", plugin);
	loaded = true;
}

void host_load_without_thread(const char *plugin)
{
	init(plugin);
	host_recover();
}

void host_load(const char *plugin)
{
	host_thread_expect();
	init(plugin);
	host_thread_start();
	if (!slurmctld_config.shutdown_time)
		host_await_pass();
}
