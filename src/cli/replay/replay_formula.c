/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Compiles the formula of priorities, and checks that the trace tells what it names. */
#include "cli/replay/replay_command.h"

#define MOST_WARNINGS 8
#define NOT_TOLD "the trace does not tell it"

/* Returns where the formula stands, for messages. */
static const char *key_of(const struct replay_run *run)
{
	const struct replay_site *site = &run->input->site;

	if (run->formula_text != site->conf.formula)	/* it is that of --set */
		return "--set: formula";
	return need_print("%s: Formula", replay_conf_place(site, site->conf.line[CONF_FORMULA]));
}

/* ---- fields that are not known --------------------------------------------------------------- */

/* Fields of formulas that may not be known. known_by: a weight of slurm.conf, if the field is known
 * where the factor of this weight is; BY_TRACE, if it is known where the trace tells TRES. */
#define BY_TRACE JOB_SETTING_COUNT

static const struct { const char *name; enum job_setting known_by; } fields[] = {
	{ "assoc", JOB_WEIGHT_ASSOC }, { "w_assoc", JOB_WEIGHT_ASSOC },
	{ "qos", JOB_WEIGHT_QOS }, { "w_qos", JOB_WEIGHT_QOS },
	{ "partition", JOB_WEIGHT_PARTITION }, { "w_partition", JOB_WEIGHT_PARTITION },
	{ "queue_priority", JOB_WEIGHT_PARTITION },
	{ "w_tres", JOB_WEIGHT_TRES }, { "mem", BY_TRACE }, { "ngpus", BY_TRACE },
};

/* Returns why a field is not known; NULL: it is. */
static const char *reason_of_field(const struct replay_run *run, const char *name)
{
	size_t i = 0;

	while (i < sizeof(fields) / sizeof(*fields) && strcmp(fields[i].name, name))
		i++;
	if (i == sizeof(fields) / sizeof(*fields))
		return NULL;
	if (fields[i].known_by == BY_TRACE)
		return run->input->trace.names_tres ? NULL : NOT_TOLD;
	if (fields[i].known_by == JOB_WEIGHT_PARTITION)
		return run->input->partitions.trace.count
			       ? NULL : "no partitions are known; give --from slurm.conf";
	return replay_unknown_factor(run->input, &run->slurm, fields[i].known_by);
}

/* Refuses a formula with a name whose value is not known. key: where the formula stands. The names
 * of a formula are numbered: fields, TRES of the site's jobs, and columns of the policy, which are
 * always known. */
static void check_names(const struct replay_run *run, const char *key)
{
	const struct fathom_formula *formula = run->job_formula.formula;
	const struct jobs *jobs = &run->input->site.jobs;
	const size_t field_count = fathom_field_count();

	for (size_t i = 0; i < field_count; i++) {
		const char *name = fathom_field_at(i)->name, *reason = reason_of_field(run, name);

		if (reason && fathom_formula_uses(formula, i))
			refuse("%s: %s: %s", key, name, reason);
	}
	for (size_t i = 0; i < jobs->tres_count; i++) {
		const char *name = jobs_text(jobs, jobs->tres[i]);

		if (!replay_tells_tres(run->input, name) &&
		    fathom_formula_uses(formula, field_count + i))
			refuse("%s: %s: %s", key, name, NOT_TOLD);
	}
}

/* ---- the formula ----------------------------------------------------------------------------- */

NEED_DESTROYER(destroy_formula, fathom_formula_destroy)

/* Compiles the formula, and warns or refuses. extras: see jobs_formula_names(). */
static void compile_formula(struct replay_run *run, char **extras, const char *key)
{
	char text[MOST_WARNINGS][FATHOM_WARNING_SIZE];
	struct fathom_warnings warnings = { .room = MOST_WARNINGS, .text = text };
	const struct fathom_formula_names names = { (const char *const *)extras,
						    fathom_policy_with_column, "give --policy " };
	struct fathom_error error;

	run->job_formula.formula = fathom_formula_create(run->formula_text, &names, &warnings,
							 &error);
	for (size_t i = 0; i < warnings.count; i++)
		remark("%s: %s", key, text[i]);
	if (!run->job_formula.formula)
		refuse("%s: %s", key, error.text);
	need_owned(run->job_formula.formula, destroy_formula);
	check_names(run, key);
}

void replay_formula_create(struct replay_run *run)
{
	const struct jobs *jobs = &run->input->site.jobs;
	char **extras;

	if (!*run->formula_text)
		return;
	run->job_formula = (struct replay_formula){
		.scale = run->formula_scale, .memory = jobs_tres_named(jobs, "mem"),
		.gpus = jobs_tres_named(jobs, "gres/gpu"),
		.extra = need_zeros(jobs->tres_count + fathom_policy_column_count(run->policy),
				    sizeof(double)),
	};
	extras = jobs_formula_names(jobs, run->policy);
	compile_formula(run, extras, key_of(run));
}

/* A job has a value at each pass, so the tally counts values, not jobs. A warning that would tell
 * the count has its own text here. */
void replay_formula_report(const struct replay_run *run)
{
	struct fathom_formula_tally tally = run->job_formula.tally;
	char text[1][FATHOM_WARNING_SIZE];
	struct fathom_warnings warnings = { .room = 1, .text = text };
	const char *key;

	if (!tally.jobs)
		return;
	key = key_of(run);
	if (tally.failed)
		remark("%s: jobs have no value, by a division by zero, an overflow or a result "
		       "that is not a number; it counts as 0", key);
	tally.failed = 0;
	fathom_formula_report(&tally, run->job_formula.scale, &warnings);
	if (warnings.count)
		remark("%s: %s", key, text[0]);
}
