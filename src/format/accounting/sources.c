/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads files one after the other, refuses a second tree or a second list of jobs, and gives the
 * usage of jobs to the tree. */
#include "format/accounting/sources.h"

#include "core/error.h"
#include "core/plural.h"
#include "format/accounting/accounted_usage.h"
#include "format/format_parts.h"
#include "format/slurm_time.h"
#include "format/unknown_format.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

static int refuse_second(struct document *input, const char *what, const char *first,
			 struct fathom_error *error)
{
	return input_wrong(input, 0, error, "only one file may have %s; %s already does",
			   what, first);
}

static int add_tree(struct sources *sources, const struct format *format, struct document *input,
		    struct fathom_error *error)
{
	if (sources->tree_name || sources->parts_name)
		return refuse_second(input, "a tree", sources->tree_name ? sources->tree_name :
				     sources->parts_name, error);
	if (format->read(input, sources->snapshot, error))
		return -1;
	sources->snapshot_count = 1;
	sources->tree_name = input->name;
	sources->by_user |= format->by_user;
	sources->strangers = format->strangers;
	return 0;
}

/* Adds one of the files that describe a tree together. */
static int add_part(struct sources *sources, const struct format *format, struct document *input,
		    struct fathom_error *error)
{
	if (sources->tree_name)
		return refuse_second(input, "a tree", sources->tree_name, error);
	if (sources->parts_format && sources->parts_format != format)
		return refuse_second(input, "a tree", sources->parts_name, error);
	if (!sources->parts_name)
		sources->parts_name = input->name;
	sources->parts_format = format;
	return format->parts->read(&sources->parts, input, error);
}

static void choose_tree(void *context)
{
	struct sources *sources = context;

	sources->parts_format->parts->choose(sources->parts, sources->scope, NULL);
}

/* Lets only the jobs count that belong to the tree, if files before describe one. If none can be
 * chosen, sources_finish() says why. */
static void choose_jobs(struct sources *sources)
{
	struct failure ignored;

	if (!sources->parts_format || document_try(choose_tree, sources, &ignored))
		return;
	sources->rules.counts = sources->parts_format->parts->counts;
	sources->rules.context = sources->parts;
}

/* Returns the file that jobs, or their usage, come from; NULL: none does. */
static const char *first_jobs(const struct sources *sources)
{
	return sources->usage_name ? sources->usage_name : sources->jobs_name;
}

static void drop_jobs_that_give_way(struct sources *sources)
{
	if (!sources->jobs_give_way)
		return;
	jobs_clear(&sources->jobs);
	sources->jobs_name = NULL;
	sources->jobs_give_way = false;
}

int sources_add_jobs(struct sources *sources, const struct format *format, struct document *input,
		     struct fathom_error *error)
{
	drop_jobs_that_give_way(sources);
	if (first_jobs(sources) && sources->jobs_format == format && format->add_jobs)
		return format->add_jobs(input, &sources->jobs, error);
	if (first_jobs(sources))
		return refuse_second(input, "jobs", first_jobs(sources), error);
	if (format->read_jobs(input, &sources->jobs, error))
		return -1;
	sources->jobs_format = format;
	sources->jobs_name = input->name;
	return 0;
}

static int add_accounting(struct sources *sources, const struct format *format,
			  struct document *input, struct fathom_error *error)
{
	drop_jobs_that_give_way(sources);
	if (first_jobs(sources))
		return refuse_second(input, "jobs", first_jobs(sources), error);
	choose_jobs(sources);
	if (accounting_read(format, input, &sources->rules, sources->usage,
			    sources->without_jobs ? NULL : &sources->jobs, error))
		return -1;
	sources->usage_count = sources->rules.half_life_count;
	sources->usage_name = input->name;
	sources->adds_up = true;
	sources->jobs_name = sources->without_jobs ? NULL : input->name;
	return 0;
}

static bool wants_jobs_of_tree(const struct sources *sources)
{
	return !sources->without_jobs || sources->tells_jobs;
}

/* Reads the jobs of a database whose tree has its own usage. There may be none. */
static int add_jobs_of_tree(struct sources *sources, const struct format *format,
			    struct document *input, struct fathom_error *error)
{
	if (first_jobs(sources) || !wants_jobs_of_tree(sources))
		return 0;
	if (accounting_read(format, input, &sources->rules, NULL, &sources->jobs, error))
		return -1;
	if (!sources->jobs.job_count) {
		jobs_clear(&sources->jobs);
		return 0;
	}
	sources->jobs_name = input->name;
	sources->jobs_give_way = true;
	return 0;
}

/* Reads a file that has usage alone. */
static int add_usage(struct sources *sources, const struct format *format, struct document *input,
		     struct fathom_error *error)
{
	if (sources->usage_name)
		return refuse_second(input, "usage", sources->usage_name, error);
	if (format->read(input, sources->usage, error))
		return -1;
	sources->usage_count = 1;
	sources->usage_name = input->name;
	sources->by_user |= format->by_user;
	return 0;
}

/* ---- the half-life ---------------------------------------------------------------------- */

/* Returns whether two half-lives are the same; 0 is none. */
static bool is_same(double a, double b)
{
	return !(a < b) && !(a > b);
}

int sources_use_half_life(struct sources *sources, double half_life, enum half_life_of of,
			  const char *name, struct fathom_error *error)
{
	struct accounting_rules *rules = &sources->rules;

	if (rules->half_life_of > of)
		return 0;
	if (sources->adds_up && !is_same(half_life, *rules->half_life))
		return fathom_error_set(error, EINVAL, "must come before %s, whose usage decays by "
					"the half-life in %s", sources->usage_name, name);
	rules->half_life_of = of;
	*rules->half_life = half_life;
	return 0;
}

/* Uses PriorityDecayHalfLife, if settings have it. */
static int use_slurm_half_life(struct sources *sources, struct document *input,
			       struct fathom_error *error)
{
	const struct site_pair *pair = site_settings_find(&sources->settings, SITE_SLURM_CONF,
							  "PriorityDecayHalfLife");
	struct fathom_error inner;
	double half_life;

	if (!pair)
		return 0;
	if (slurm_time_parse(pair->value, &half_life, &inner) ||
	    sources_use_half_life(sources, half_life, HALF_LIFE_OF_SLURM, pair->origin.file,
				  &inner))
		return input_wrong(input, strcmp(pair->origin.file, input->name) ? 0 :
				   pair->origin.line, error, "%s", inner.text);
	return 0;
}

/* ---- files -------------------------------------------------------------------------------- */

static bool has_jobs_alone(const struct format *format, struct document *input)
{
	return format->has_jobs_alone && format->has_jobs_alone(input);
}

int sources_add(struct sources *sources, const struct format *format, struct document *input,
		struct fathom_error *error)
{
	if (input_check_content(input, format->summary, error))
		return -1;
	if (!format_loads(format) && document_load_rest(input, error))
		return -1;
	if (format->read_settings && (format->read_settings(input, &sources->settings, error) ||
				      use_slurm_half_life(sources, input, error)))
		return -1;
	if (format->read_accounting && (!format->read || has_jobs_alone(format, input)))
		return add_accounting(sources, format, input, error);
	if (format->parts)
		return add_part(sources, format, input, error);
	if (format->read && !(format->holds & HOLDS_TREE))
		return add_usage(sources, format, input, error);
	if (format->read && add_tree(sources, format, input, error))
		return -1;
	if (format->read_accounting)
		return add_jobs_of_tree(sources, format, input, error);
	if (!format->read_jobs || (format->read && !wants_jobs_of_tree(sources)))
		return 0;
	return sources_add_jobs(sources, format, input, error);
}

struct usage_heirs sources_heirs(const struct sources *sources)
{
	return (struct usage_heirs){
		.by_user = sources->by_user, .strangers = sources->strangers,
		.context = sources->parts,
		.find = sources->parts ? sources->parts_format->parts->find : NULL,
	};
}

/* Gives the tree the usage of jobs, and forks of it the usage with other half-lives. */
static int give_usage(struct sources *sources, struct fathom_error *error)
{
	const struct usage_heirs rule = sources_heirs(sources);

	for (; sources->snapshot_count < sources->usage_count; sources->snapshot_count++)
		if (snapshot_fork(&sources->snapshot[sources->snapshot_count], sources->snapshot,
				  error))
			return -1;
	for (size_t i = 0; i < sources->usage_count; i++)
		if (accounted_usage_give(&sources->snapshot[i], &sources->usage[i],
					 &rule, &sources->strays, error))
			return -1;
	return 0;
}

/* Makes the tree that files describe together. */
static int make_parts(struct sources *sources, struct fathom_error *error)
{
	const struct format_parts *parts = sources->parts_format->parts;
	static const struct piece none = { "", 0 };
	int chosen = parts->choose(sources->parts, sources->scope, error);

	if (chosen)
		return chosen < 0 ? -1 : 0;
	if (sources->adds_up && !sources->rules.counts && !parts->counts(sources->parts, none))
		return fathom_error_set(error, EINVAL, "--from: %s must come before %s, as the "
					"jobs that count depend on it", sources->parts_name,
					sources->usage_name);
	if (parts->make(sources->parts, sources->usage_name ? sources->usage : NULL,
			sources->snapshot, error))
		return -1;
	sources->snapshot_count = 1;
	sources->tree_name = sources->parts_name;
	return 0;
}

int sources_finish(struct sources *sources, bool tree_wins, struct fathom_error *error)
{
	if (sources->parts_format && make_parts(sources, error))
		return -1;
	if (!sources->usage_name)
		return 0;
	if (!sources->tree_name) {
		memcpy(sources->snapshot, sources->usage, sizeof(sources->usage));
		memset(sources->usage, 0, sizeof(sources->usage));
		sources->snapshot_count = sources->usage_count;
		sources->tree_name = sources->usage_name;
		return 0;
	}
	if (!(fathom_tree_usage(sources->snapshot->tree, 0) > 0))
		return give_usage(sources, error);
	if (tree_wins)
		return 0;
	return fathom_error_set(error, EINVAL, "--from: %s and %s both have usage, only one may",
				sources->tree_name, sources->usage_name);
}

const char *sources_scope_name(const struct sources *sources)
{
	return sources->parts ? sources->parts_format->parts->scope_name(sources->parts) : NULL;
}

bool sources_add_up(const struct sources *sources)
{
	return sources->adds_up;
}

void sources_say_strays(const struct sources *sources, char *text, size_t size)
{
	const char *to = sources->strangers ? sources->strangers : "the account or the root";

	*text = '\0';
	if (sources->strays)
		snprintf(text, size, "usage of %zu association%s that the tree does not have, "
			 "given to %s", sources->strays, PLURAL(sources->strays), to);
}

void sources_clear(struct sources *sources)
{
	if (sources->usage_name)
		snapshot_clear_with_forks(sources->usage, sources->usage_count);
	if (sources->tree_name)
		snapshot_clear_with_forks(sources->snapshot, sources->snapshot_count);
	if (sources->jobs_name)
		jobs_clear(&sources->jobs);
	site_settings_clear(&sources->settings);
	if (sources->parts_format)
		sources->parts_format->parts->destroy(sources->parts);
	memset(sources, 0, sizeof(*sources));
}
