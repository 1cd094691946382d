/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads the running cluster for fathom lint, by requests that sshare, sprio and scontrol send: for
 * the configuration, shares, priorities, the records of jobs, and those of assoc_mgr. */
#include "live/live_private.h"

#include "jobs/job_evaluate.h"
#include "priority/own_hold.h"

/* What the cluster has answered. input->site points into it. */
struct lint_answer {
	slurm_conf_t *slurm;		/* slurmctld's configuration */
	struct job_list jobs;
	assoc_mgr_info_msg_t *records;	/* NULL: none were sent */
	job_info_msg_t *infos;		/* NULL: none were sent */
	bool hides_associations;	/* PrivateData hides some */
};

/* ---- slurmctld's configuration ------------------------------------------------------ */

/* Returns the keys that slurmctld has in force; ends with zeros. */
static const struct lint_running *running_keys(const slurm_conf_t *slurm)
{
	const char *loaded = live_loaded_type(slurm);
	const struct lint_running keys[] = {
		{ "SLURM_VERSION", slurm->version },
		{ "PriorityType", loaded ? loaded : slurm->priority_type },
		{ "PriorityWeightAge", need_print("%u", slurm->priority_weight_age) },
		{ "PriorityWeightAssoc", need_print("%u", slurm->priority_weight_assoc) },
		{ "PriorityWeightFairshare", need_print("%u", slurm->priority_weight_fs) },
		{ "PriorityWeightJobSize", need_print("%u", slurm->priority_weight_js) },
		{ "PriorityWeightPartition", need_print("%u", slurm->priority_weight_part) },
		{ "PriorityWeightQOS", need_print("%u", slurm->priority_weight_qos) },
		/* these are minutes in slurm.conf */
		{ "PriorityDecayHalfLife", need_print("%u", slurm->priority_decay_hl / 60) },
		{ "PriorityCalcPeriod", need_print("%u", slurm->priority_calc_period / 60) },
		{ "PriorityMaxAge", need_print("%u", slurm->priority_max_age / 60) },
	};
	struct lint_running *copy;

	copy = need_zeros(sizeof(keys) / sizeof(*keys), sizeof(*keys));
	memcpy(copy, keys, sizeof(keys));
	return copy;
}

/* ---- records of assoc_mgr ----------------------------------------------------------- */

/* Lists users for the checks. list: of slurmdb_user_rec_t. */
static void list_users(struct lint_input *input, void *list)
{
	struct live_items items = live_items(list);

	input->site.user = input->accounts.user = need_zeros(items.count,
							     sizeof(*input->accounts.user));
	input->site.user_count = items.count;
	for (size_t i = 0; i < items.count; i++) {
		const slurmdb_user_rec_t *user = items.item[i];

		input->accounts.user[i] = (struct default_account){ user->name ? user->name : "",
								    user->default_acct };
	}
}

/* Lists QOS for the checks. list: of slurmdb_qos_rec_t. */
static void list_qos(struct lint_input *input, void *list)
{
	struct live_items items = live_items(list);

	input->site.qos = input->qos = need_zeros(items.count, sizeof(*input->qos));
	input->site.qos_count = items.count;
	for (size_t i = 0; i < items.count; i++) {
		const slurmdb_qos_rec_t *qos = items.item[i];

		input->qos[i] = (struct lint_qos){ .name = qos->name ? qos->name : "",
						   .priority = qos->priority,
						   .preempts = qos->preempt_bitstr &&
							       bit_ffs(qos->preempt_bitstr) >= 0 };
	}
}

/* Sets the highest priority of an association. list: of slurmdb_assoc_rec_t; NULL: not known. */
static void find_highest_priority(struct lint_site *site, void *list)
{
	struct live_items items = live_items(list);

	site->has_priorities = list;
	for (size_t i = 0; i < items.count; i++) {
		uint32_t priority = ((const slurmdb_assoc_rec_t *)items.item[i])->priority;

		/* NO_VAL or INFINITE: the association has none */
		if (priority < NO_VAL && priority > site->highest_priority)
			site->highest_priority = priority;
	}
}

/* Lists the names of TRES for the checks. */
static void list_tres(struct lint_input *input, const assoc_mgr_info_msg_t *records)
{
	size_t count = records->tres_cnt;
	const char **tres = need_zeros(count, sizeof(*tres));

	for (size_t i = 0; i < count; i++)
		tres[i] = records->tres_names[i];
	input->site.tres = tres;
}

/* ---- requests ----------------------------------------------------------------------- */

/* Requests all but the tree and the priorities. Fails, see wrong_at(), if slurmctld does not
 * answer. */
static void request(struct lint_answer *answer)
{
	libslurm_begin("; --slurm-conf and --from read files");
	answer->slurm = libslurm_conf();
	answer->records = libslurm_records(ASSOC_MGR_INFO_FLAG_ASSOC | ASSOC_MGR_INFO_FLAG_USERS |
					   ASSOC_MGR_INFO_FLAG_QOS);
	if (slurm_load_jobs((time_t)0, &answer->infos, SHOW_ALL | SHOW_LOCAL))
		answer->infos = NULL;
	libslurm_end();
}

/* Reads the files of this host. Returns a warning about the first one that cannot be read, as on a
 * host without slurm.conf; NULL: all could. */
static const char *read_files(struct lint_input *input, const struct lint_answer *answer,
			      const char *plugin_dir)
{
	const char *slurm_path = live_conf_path(answer->slurm, NULL);
	const char *fathom_path = live_conf_path(answer->slurm, "fathom.conf");
	const char *warning = NULL;
	struct fathom_error error;

	if (slurm_path && lint_input_slurm(input, slurm_path, &error))
		warning = need_print("%s: %s", slurm_path, error.text);
	if (fathom_path && lint_input_fathom(input, fathom_path, true, &error) && !warning)
		warning = need_print("%s: %s", fathom_path, error.text);
	if (input->site.slurm)
		lint_input_files(input, plugin_dir, answer->slurm->state_save_location);
	return warning;
}

/* For document_try(). context: gets a pointer to a struct live. */
static void read_tree(void *context)
{
	*(struct live **)context = live_read_local();
}

/* For document_try(). */
static void read_jobs(void *list)
{
	/* nothing is wanted beside the answer to sprio */
	live_jobs_read(list, (struct live_jobs_wanted){ .names = false });
}

/* Adds the jobs that fathom holds. sprio is not shown them, so they are found in the records. */
static void find_held(struct lint_input *input, const struct lint_answer *answer)
{
	for (size_t i = 0; answer->infos && i < answer->infos->record_count; i++) {
		const slurm_job_info_t *info = &answer->infos->job_array[i];

		if (!info->priority && own_hold_reason(info->state_desc))
			lint_input_add_held(input, compat_info_id(info));
	}
}

/* Reads the tree and the jobs. Either may be missing: a cluster without slurmdbd has no tree, and
 * one under priority/basic no factors. What PrivateData hides in part is left out: of the rest the
 * checks would find what is not so. */
static void read_tree_and_jobs(struct lint_input *input, struct lint_answer *answer)
{
	struct failure failure;
	struct live *live;

	if (!document_try(read_tree, &live, &failure)) {
		answer->hides_associations = !live->whole;
		input->site.tree = live->whole ? &live->snapshot : NULL;
	}
	if (document_try(read_jobs, &answer->jobs, &failure) || answer->jobs.hides_jobs)
		return;
	job_list_sum(&answer->jobs);
	input->site.jobs = &answer->jobs;
	find_held(input, answer);
}

/* The arguments of lint_input_read(). */
struct lint_files {
	struct lint_input *input;
	struct lint_names names;
};

/* For document_try(). context: a struct lint_files. */
static void read_without_answer(void *context)
{
	const struct lint_files *files = context;

	lint_input_read(files->input, &files->names);
}

/* Reads what slurmctld would read if it started now. why: why it does not answer. Returns a warning
 * with that. */
static const char *read_without_controller(struct lint_input *input, const char *plugin_dir,
					   const char *why)
{
	struct lint_files files = { input, { .slurm = live_local_slurm_conf(),
					     .plugin_dir = plugin_dir } };
	struct failure failure;

	if (document_try(read_without_answer, &files, &failure))
		wrong_at(NULL, 0, "%.160s; %.60s: %s; --slurm-conf and --from read files", why,
			 failure.name, failure.error.text);
	return need_print("%s; only the files of this host are checked", why);
}

/* Reads the files and asks slurmctld. Returns the warning of read_files(). */
static const char *read_with_controller(struct lint_input *input, const char *plugin_dir)
{
	struct lint_answer *answer = need_object(sizeof(*answer));
	const char *warning;

	request(answer);
	input->site.running = running_keys(answer->slurm);
	warning = read_files(input, answer, plugin_dir);
	read_tree_and_jobs(input, answer);
	if (answer->records) {
		list_tres(input, answer->records);
		if (answer->records->user_list)
			list_users(input, answer->records->user_list);
		if (answer->records->qos_list)
			list_qos(input, answer->records->qos_list);
		if (!answer->hides_associations)
			find_highest_priority(&input->site, answer->records->assoc_list);
	}
	return warning;
}

/* live_local_plugin_dir() must be called before libslurm is initialised. */
const char *live_lint_read(struct lint_input *input)
{
	const char *plugin_dir = live_local_plugin_dir();
	char why[256];

	if (live_local_has_controller(why, sizeof(why)))
		return read_with_controller(input, plugin_dir);
	return read_without_controller(input, plugin_dir, why);
}
