/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fathom prio: prints jobs with the factors of their priorities. Jobs come from the files of
 * --from, which are evaluated (show_files()), or from the running cluster, whose factors are
 * shown or recomputed (show_cluster()). print() prints both.
 */
#include "cli/jobs/command_jobs.h"

#include "cli/command.h"
#include "cli/name_set.h"
#include "cli/print_table.h"
#include "cli/views.h"
#include "core/plural.h"
#include "jobs/need_trees.h"

#include <math.h>
#include <strings.h>

#define MOST_WARNINGS 4
#define ALL_STATES "all"

struct prio_options {
	struct input_names files;	/* empty: the running cluster is read */
	const char *formula, *scope;	/* NULL: not given */
	struct candidates candidates;	/* of --policy and --set; at least one */
	struct job_filter filter;
	const char *columns, *order;	/* of --output and --sort; NULL: not given */
	bool plain;	/* --norm: factors before they are weighted */
	struct chosen_view view;
	bool all;		/* --long */
	bool weights, with_shadow, no_header, parsable, json, verbose;
};

/* ---- options ---------------------------------------------------------------------- */

/* Adds the ids of --job. */
static void set_jobs(const struct option_row *row, void *member, const char *value)
{
	if (value[strspn(value, "0123456789,")])
		refuse("--%s: '%s' must be job ids, separated by commas", row->name, value);
	option_names(row, member, value);
}

/* Adds the states of --state, such as "PENDING,RUNNING" or "all". Empty words are skipped. */
static void set_states(const struct option_row *row, void *member, const char *value)
{
	uint64_t *states = member;

	for (const char *word = value; *word; word += *word == ',') {
		size_t length = strcspn(word, ","), state = job_state_find(word, length);

		if (length == strlen(ALL_STATES) && !strncasecmp(word, ALL_STATES, length))
			*states = UINT64_MAX;
		else if (state != JOB_STATE_UNKNOWN)
			*states |= (uint64_t)1 << state;
		else if (length)
			refuse("--%s: '%.*s' is not a state, must be one such as PENDING or "
			       "RUNNING, or " ALL_STATES, row->name, (int)length, word);
		word += length;
	}
	if (!*states)
		refuse("--%s: no state given", row->name);
}

/* Prints the columns for --helpformat, and ends the command. */
static void show_columns(const struct option_row *row, void *member, const char *value)
{
	(void)row, (void)member, (void)value;
	job_columns_help();
	end_done();
}

#define AT(member) offsetof(struct prio_options, member), 0
#define NO_MEMBER 0, 0

static const struct option_row option_rows[] = {
	{ OPTION_FROM, "read jobs from FILE, '-' for standard input, instead of the running "
	  "cluster; repeat it for a tree with the fair-share factors of the jobs, and for a "
	  "fathom.conf with policy and scopes", option_from, AT(files) },
	{ OPTION_FORMAT, "read the tree as this format; default: it is recognised",
	  option_format, AT(files.format) },
	{ OPTION_POLICY, "evaluate this policy, or several side by side; default: that of "
	  "fathom.conf or PriorityFlags. flux also computes priorities by its own rule",
	  option_policies, AT(candidates.policies) },
	{ 0, "formula", "EXPRESSION", "compute priorities by a formula instead of the weighted sum",
	  option_text, AT(formula) },
	{ OPTION_SET, "change a setting of the policy, or a priority setting of "
	  "slurm.conf; repeat it for other settings, or for several values side by side",
	  option_set, AT(candidates.sets) },
	{ OPTION_SCOPE, "take the tree of this queue or host partition, if the files describe "
	  "several", option_text, AT(scope) },
	{ OPTION_SHADOW, option_flag, AT(with_shadow) },
	{ OPTION_JOB, "show only these jobs", set_jobs, AT(filter.jobs) },
	{ OPTION_USER, "show only jobs of these users, by name or number",
	  option_users, AT(filter.users) },
	{ OPTION_PARTITION, "show only jobs in these partitions",
	  option_names, AT(filter.partitions) },
	{ OPTION_ACCOUNT, "show only jobs of these accounts", option_names, AT(filter.accounts) },
	{ OPTION_STATE, "show jobs in these states, such as PENDING,RUNNING, or all; "
	  "default: pending jobs alone", set_states, AT(filter.states) },
	{ OPTION_LONG, "show all columns", option_flag, AT(all) },
	{ 0, "norm", NULL, "show factors before they are weighted", option_flag, AT(plain) },
	{ 0, "weights", NULL, "show the weights instead of jobs", option_flag, AT(weights) },
	{ OPTION_OUTPUT, "show these columns, such as JobID,User%8,Priority, or in "
	  "sprio's form, \"%.15i %9r %Y\"", option_text, AT(columns) },
	{ OPTION_SORT, "sort by these columns, such as u,-Y or User,-Priority; default: "
	  "JobID", option_text, AT(order) },
	{ OPTION_HELPFORMAT, "list the columns", show_columns, NO_MEMBER },
	{ OPTION_NO_HEADER, option_flag, AT(no_header) },
	{ OPTION_PARSABLE, "print a '|' between columns", option_flag, AT(parsable) },
	{ OPTION_JSON, "print all factors, unrounded, as JSON", option_flag, AT(json) },
	{ OPTION_VIEW, option_text, AT(view.tool) },
	{ OPTION_VERBOSE, "print to standard error what is evaluated", option_flag, AT(verbose) },
	COMMON_OPTIONS,
	{ ALIAS_JOBS, set_jobs, AT(filter.jobs) },
	{ ALIAS_USERS, option_users, AT(filter.users) },
	{ ALIAS_ACCOUNTS, option_names, AT(filter.accounts) },
	{ 0, "states", "LIST", NULL, set_states, AT(filter.states) },
	{ ALIAS_PARSABLE, option_flag, AT(parsable) },
};

static void help_more(void)
{
	const bool of_jobs = true;

	help_views(prio_views);
	help_policies();
	printf("  of slurm.conf, and of formulas:\n");
	job_settings_help(help_setting);
	help_setting(conf_setting(CONF_FORMULA_SCALE));
	help_formats(of_jobs);
}

static const struct option_table option_table = {
	OPTION_ROWS(option_rows),
	.usage = "Usage: fathom prio [OPTION]...\n"
		 "Show jobs with the factors of their priorities, a line for each job and\n"
		 "partition. Has the columns of sprio, and more.\n\n",
	.help_more = help_more,
};

/* ---- settings ------------------------------------------------------------------------- */

/* Makes the rule by which priorities are computed for a candidate, from the options and the
 * files. */
static void make_rule(const struct prio_options *options, const struct candidate *candidate,
		      const struct job_input *input, struct job_rule *rule)
{
	struct wanted_rule wanted = { candidate->policy, options->formula, &candidate->sets,
				      candidate->usage };
	const struct view *view = options->view.view;
	/* a FiguresFile and a fathom.conf have policies of their own */
	bool has_own_policy = input->files.pass_name || input->files.conf.is_given;

	if (!wanted.policy && view && view->policy && !has_own_policy)
		wanted.policy = fathom_policy_find(view->policy);
	job_input_rule(input, &wanted, rule);
}

/* Makes the rule by which the shadow policy of a FiguresFile gives priorities. Refuses files
 * without such a policy. */
static void make_shadow_rule(const struct job_input *input, struct job_rule *rule)
{
	const struct recorded *recorded = &input->files.pass.shadow;

	if (!input->tree_name)
		refuse("--shadow: needs a tree; give --from with the FiguresFile of a cluster with "
		       "ShadowPolicy");
	if (!recorded->policy)
		refuse_without_shadow(input->tree_name, false);
	if (site_input_further(&input->files))
		refuse_shadow_beside(site_input_further(&input->files));
	if (*input->files.conf.conf.formula)
		refuse("--shadow: compares weighted sums; %s is in force",
		       job_input_formula_key(input, NULL));
	*rule = (struct job_rule){ .snapshot = &recorded->snapshot, .policy = recorded->policy,
				   .settings = recorded->settings,
				   .recorded_factor = recorded->columns.factor };
	job_input_set_scopes(input, rule);
}

/* ---- output ------------------------------------------------------------------------------- */

/* Chooses the lines to print: the jobs of the filter in the order of --sort. Sets all of *shown,
 * which needs `compared`. */
static void choose_rows(const struct prio_options *options, const struct job_comparison *compared,
			struct shown_jobs *shown)
{
	const struct job_list *list = &compared->item->list;
	struct sort_keys keys = { .table = { .context = shown } };
	struct relation relation;
	const bool plain = false;

	*shown = (struct shown_jobs){ .comparison = compared, .list = list,
				      .row = need_zeros(list->count, sizeof(*shown->row)),
				      .shows_state = options->filter.states };
	job_filter_check(&options->filter, list, !options->files.from_count);
	shown->count = job_filter_choose(&options->filter, list, shown->row);
	/* also with --norm jobs are sorted by weighted values */
	job_relation(&relation, shown, plain);
	relation_choose_order(&relation, "--sort", options->order ? options->order : "i", &keys);
	sort_rows(&keys, shown->row, shown->count);
}

/* Returns whether lines may stand above the table, such as the formula's. */
static bool has_lines(const struct prio_options *options)
{
	return !options->no_header && !options->parsable && !options->json && !options->view.view;
}

/* Adds the columns of --output, else the default ones, to an empty table. */
static void choose_columns(const struct prio_options *options, const struct shown_jobs *shown,
			   struct table *table)
{
	const struct job_choice choice = { options->plain, options->filter.users != NULL,
					   options->all };
	struct relation relation;

	job_relation(&relation, shown, options->plain);
	if (!options->columns)
		job_columns_standard(table, &relation, shown, &choice);
	else
		relation_choose(&relation, "--output", options->columns, table);
	if (options->weights)
		job_columns_show_weights(table);
}

/* Returns the warning that the tree of list `which` of the comparison lacks the associations of
 * printed jobs; it names the first of these jobs. "": the tree has all. */
static const char *warning_of_unknown(const struct shown_jobs *shown, size_t which)
{
	const struct job_list *list = &shown->comparison->item[which].list;
	const struct snapshot *tree = shown->comparison->item[which].rule.snapshot;
	const struct job_row *first = NULL;
	const char *partition = "", *lack;
	bool by_number = false;		/* a user is shown as a number */
	size_t count = 0;

	for (size_t i = 0; i < shown->count; i++) {
		const struct job_row *row = &list->row[shown->row[i]];

		if (!row->has_no_association)
			continue;
		if (!first)
			first = row;
		/* a uid without a name on this host is shown as a number */
		by_number |= row->user && *row->user && !row->user[strspn(row->user, "0123456789")];
		count++;
	}
	if (!first)
		return "";
	lack = list->fallback ? list->fallback : "no fair-share figures";
	if (tree && tree->rule.by == FOUND_BY_GROUP)
		return need_print("%s on %zu line%s: jobs do not tell their groups, which "
				  "fairshare_entity charges", lack, count, PLURAL(count));
	if (tree && tree->rule.find && first->partition)	/* a tree of some partitions */
		partition = need_print(", partition %s", first->partition);
	return need_print("%s on %zu line%s: for example, the tree has no association of user %s "
			  "in account %s%s (job %lld)%s", lack, count, PLURAL(count),
			  first->user ? first->user : "none",
			  first->account ? first->account : "none", partition, (long long)first->id,
			  by_number ? "; users shown by number have no name on this host" : "");
}

/* Warns of jobs whose associations are not in the tree: once if all lists of the comparison give
 * the same warning, else for each list that gives one, with its label. */
static void remark_of_unknown(const struct shown_jobs *shown)
{
	const struct compared_jobs *item = shown->comparison->item;
	size_t count = shown->comparison->count, same = 1;
	const char *text = warning_of_unknown(shown, 0);

	while (same < count && !strcmp(warning_of_unknown(shown, same), text))
		same++;
	if (same == count && *text)
		remark("%s", text);
	for (size_t i = 0; same < count && i < count; i++)
		if (*(text = warning_of_unknown(shown, i)))
			remark("%s: %s", item[i].label, text);
}

/* Prints the formula, and FormulaScale if it is not what the columns compare. */
static void print_formula(const struct shown_jobs *shown)
{
	const struct job_comparison *comparison = shown->comparison;
	const double scale = shown->list->formula_scale;
	bool is_same = true;

	for (size_t i = 1; i < comparison->count; i++)
		is_same &= comparison->item[i].list.formula_scale == scale;
	printf("priorities by the formula %s", shown->list->formula);
	if (is_same)
		printf(", FormulaScale %g", scale);
	putchar('\n');
}

/* Prints the lines as a table or as JSON, with what stands above. */
static void print_rows(const struct prio_options *options, struct shown_jobs *shown)
{
	struct table table = { .context = shown, .row_count = shown->count,
			       .has_header = !options->no_header };

	if (has_lines(options) && !options->weights)
		shown_jobs_mark_set(shown);
	choose_columns(options, shown, &table);
	if (has_lines(options) && shown->list->formula)
		print_formula(shown);
	if (shown->marks_set && !options->json && !options->parsable)
		printf("* set by an administrator\n");
	if (options->json)
		print_jobs_json(shown);
	else
		print_either(&table, options->parsable);
	if (!options->weights)
		remark_of_unknown(shown);
}

/* Prints the jobs of one or several lists: those of the filter in the order of --sort, as a table
 * or as JSON; with --view, as the tool prints them. */
static void print(const struct prio_options *options, struct job_comparison *compared)
{
	const struct job_list *list = &compared->item->list;
	struct shown_jobs shown = { .comparison = compared, .list = list };

	if (options->view.view) {
		shown.row = need_zeros(list->count, sizeof(*shown.row));
		options->view.view->print_jobs(options->view.options, &shown);
		remark_of_unknown(&shown);
		return;
	}
	job_comparison_rank(compared);
	choose_rows(options, compared, &shown);
	print_rows(options, &shown);
}

/* Prints both policies of --shadow above the table. is_recomputed: the shadow policy's factors are
 * computed here, not recorded. */
static void print_policies(const struct prio_options *options,
			   const struct job_comparison *compared, bool is_recomputed)
{
	if (has_lines(options))
		printf("%spolicy %s, shadow policy %s\n",
		       is_recomputed ? "recomputed from sshare figures: " : "",
		       fathom_policy_name(compared->item[0].rule.policy),
		       fathom_policy_name(compared->item[1].rule.policy));
}

/* ---- files --------------------------------------------------------------------------------- */

/* Returns whether --job names the job of a row, for job_input_drop_hidden(). context: its struct
 * name_set. */
static bool is_named(const void *context, const struct job_row *row)
{
	char text[24];

	snprintf(text, sizeof(text), "%lld", (long long)row->id);
	return context && name_set_has(context, text);
}

/* Says what was evaluated and how, for --verbose. */
static void print_summary(const struct job_input *input, const struct compared_jobs *item)
{
	const struct job_rule *rule = &item->rule;

	remark("%zu job%s, each in each of its partitions; policy %s%s%s", item->list.count,
	       PLURAL(item->list.count), fathom_policy_name(rule->policy),
	       rule->formula ? "; formula " : "", rule->formula ? rule->formula : "");
	job_conf_summary(&input->files.conf, rule);
}

/* Evaluates the jobs of the files for list `which` of the comparison: under that candidate; with
 * --shadow, list 0 is under the policy in force and list 1 under the shadow policy. All candidates
 * set the same keys of slurm.conf, so that none keeps a value of the one before it. */
static void evaluate_candidate(const struct prio_options *options, struct job_input *input,
			       size_t which, struct job_comparison *compared,
			       struct fathom_warnings *warnings)
{
	bool is_shadow = options->with_shadow && which;
	const struct candidate *candidate = &options->candidates.item[is_shadow ? 0 : which];
	struct compared_jobs *item = &compared->item[which];
	struct job_rule *rule = &item->rule;
	struct jobs *jobs = &input->files.sources.jobs;
	struct fathom_error error;

	job_sets_apply_slurm(&candidate->sets, &jobs->settings);
	if (is_shadow)
		make_shadow_rule(input, rule);
	else
		make_rule(options, candidate, input, rule);
	if (rule->snapshot && rule->snapshot->has_half_life)
		item->half_life = &rule->snapshot->half_life;
	item->label = options->with_shadow ? fathom_policy_name(rule->policy) : candidate->label;
	/* if there are several lists, each has a tree of its own, because settings change it */
	if (rule->snapshot && compared->count > 1)
		rule->snapshot = need_fork(rule->snapshot);
	if (job_list_evaluate(&item->list, jobs, rule, warnings, &error))
		refuse_jobs(input, options->formula, rule, &error);
	if (!options->filter.states)
		job_input_drop_hidden(input, &item->list, is_named,
				      name_set_of(options->filter.jobs));
	if (options->verbose)
		print_summary(input, item);
}

/* Returns whether all jobs have the same priorities in two lists of the same rows. */
static bool has_same_priorities(const struct job_list *list, const struct job_list *other)
{
	for (size_t i = 0; i < list->count; i++) {
		double one = list->row[i].priority, two = other->row[i].priority;

		if (one != two && !(isnan(one) && isnan(two)))
			return false;
	}
	return true;
}

/* Warns if a list has the same priorities as an earlier one under the same policy: the values of a
 * setting make no difference. */
static void remark_of_equal(const struct job_comparison *compared, size_t which)
{
	const struct compared_jobs *item = compared->item;

	for (size_t i = 0; i < which; i++) {
		if (item[i].rule.policy != item[which].rule.policy ||
		    !has_same_priorities(&item[i].list, &item[which].list))
			continue;
		remark("%s and %s give the same priorities to these jobs", item[i].label,
		       item[which].label);
		return;
	}
}

/* Warns of printed jobs that a policy never starts, as their users have no shares. */
static void remark_without_shares(const struct compared_jobs *item)
{
	const struct job_list *list = &item->list;
	int priority = item->rule.holds_without_shares ? 0 : 1;	/* held, or the lowest one */

	if (list->without_shares)
		remark("priority %d on %zu line%s: policy %s starts no jobs of users without "
		       "shares", priority, list->without_shares, PLURAL(list->without_shares),
		       fathom_policy_name(list->never_starting_policy));
}

/* Evaluates the jobs of the files for all lists of the comparison, and prints them and the
 * warnings. */
static void evaluate_all(const struct prio_options *options, struct job_input *input,
			 struct job_comparison *compared)
{
	char text[MOST_WARNINGS][FATHOM_WARNING_SIZE];
	struct fathom_warnings warnings = { .room = MOST_WARNINGS, .text = text };
	struct jobs *jobs = &input->files.sources.jobs;
	const bool is_recomputed = false;

	/* all TRES are added before the first list is made, so that all lists have the same ones */
	for (size_t i = 0; i < options->candidates.count; i++) {
		job_sets_apply_slurm(&options->candidates.item[i].sets, &jobs->settings);
		job_list_add_weighted_tres(jobs);
	}
	for (size_t i = 0; i < compared->count; i++)
		evaluate_candidate(options, input, i, compared, &warnings);
	if (options->with_shadow)
		print_policies(options, compared, is_recomputed);
	print(options, compared);
	for (size_t i = 0; i < compared->count; i++) {
		if (!options->with_shadow)
			remark_of_equal(compared, i);
		remark_without_shares(&compared->item[i]);
	}
	for (size_t i = 0; i < warnings.count; i++)
		remark("%s: %s", job_input_formula_key(input, options->formula), warnings.text[i]);
}

/* Returns how many lists are compared; 1: no comparison is printed. */
static size_t list_count(const struct prio_options *options)
{
	return options->with_shadow ? 2 : options->candidates.count;
}

/* Prints the priorities of a file that fathom prio --json printed. Refuses options and files by
 * which they would be computed anew. */
static void show_printed(const struct prio_options *options, struct job_input *input)
{
	struct job_comparison compared;
	bool has_other_files = input->files.sources.jobs_name || input->tree_name ||
			       input->files.conf.is_given;
	bool evaluates = options->formula || candidates_given(&options->candidates) ||
			 options->with_shadow;

	if (has_other_files || evaluates)
		refuse("--from: %s has priorities as they were computed; --policy, --set, "
		       "--formula, --shadow and further files need the jobs themselves",
		       input->printed_name);
	job_comparison_create(&compared, 1);
	compared.item->list = input->printed;
	print(options, &compared);
}

/* Reads the files of --from, and prints their jobs. */
static void show_files(const struct prio_options *options)
{
	const struct view *view = options->view.view;
	const struct accounting_rules rules =
		candidates_accounting_rules(&options->candidates, view ? view->policy : NULL,
					    options->filter.states);
	struct job_input input = { .files.sources.scope = options->scope };
	const struct snapshot *tree;
	struct job_comparison compared;

	job_input_read(&input, &options->files, &rules);
	if (options->scope && !sources_scope_name(&input.files.sources))
		refuse("--scope: needs files that describe trees of scopes, such as LSF's "
		       "lsb.queues");
	if (input.printed_name) {
		show_printed(options, &input);
		return;
	}
	if (!input.files.sources.jobs_name)
		refuse("--from: no file has jobs; see fathom-prio(1)");
	job_conf_refuse(&input.files.conf);
	tree = job_input_tree(&input);
	/* has_half_life: its usage was added up from jobs */
	if (options->candidates.sets.half_life_count && !(tree && tree->has_half_life))
		refuse_half_life();
	job_comparison_create(&compared, list_count(options));
	evaluate_all(options, &input, &compared);
}

/* ---- the running cluster --------------------------------------------------------------------- */

/* Recomputes a list's fair-share factors under the shadow policy, and the priorities. The other
 * terms stay as slurmctld sent them. Sets label and rule of the item. */
static void recompute_shadow(struct compared_jobs *item, const struct live *live)
{
	const struct recorded *shadow = &live->pass.shadow;

	item->label = fathom_policy_name(shadow->policy);
	item->rule = (struct job_rule){
		.snapshot = &live->snapshot, .policy = shadow->policy,
		.settings = shadow->settings, .recorded_factor = shadow->columns.factor,
		/* slurmctld does not send the sums of policies that keep their own */
		.lacks_sums = !shadow->columns.factor && fathom_policy_keeps_sums(shadow->policy),
		.weight = item->list.weight,
	};
	recompute_with_scopes(&item->list, live, item->rule);
	if (item->rule.lacks_sums)
		remark("shadow policy %s needs sums that only FiguresFile has; set it in "
		       "fathom.conf and let this user read it", item->label);
}

/* Prints the jobs beside their priorities under the shadow policy. */
static void show_live_shadow(const struct prio_options *options, struct job_comparison *compared,
			     const struct live *live)
{
	const struct recorded *in_force = &live->pass.in_force;

	if (compared->item->list.formula)
		refuse("--shadow: compares weighted sums, and the cluster's priorities come from a "
		       "formula");
	if (!live->pass.shadow.policy)
		refuse_without_shadow(live->cluster, true);
	compared->item[0].label = fathom_policy_name(in_force->policy);
	compared->item[0].rule = (struct job_rule){ .policy = in_force->policy,
						    .settings = in_force->settings };
	recompute_shadow(&compared->item[1], live);
	print_policies(options, compared, !live->pass.shadow.columns.factor);
	print(options, compared);
}

/* Replaces the factors and priorities of a running cluster's jobs by those under --policy and
 * --set, and prints them. */
static void show_recomputed(const struct prio_options *options, struct job_comparison *compared,
			    const struct live *live)
{
	bool by_policy = false, names_policy;

	for (size_t i = 0; i < compared->count; i++) {
		const struct candidate *candidate = &options->candidates.item[i];
		struct compared_jobs *item = &compared->item[i];

		item->label = candidate->label;
		item->rule = (struct job_rule){ .snapshot = need_fork(&live->snapshot),
						.policy = candidate->policy };
		recompute_live_jobs(&item->list, live, &candidate->sets, &item->rule, &by_policy);
	}
	if (by_policy && !live->whole)
		remark("PrivateData hides a part of the tree: --policy and --set evaluate only the "
		       "rest");
	names_policy = by_policy && compared->count == 1;
	if (has_lines(options))
		printf("recomputed from sprio%s figures%s%s\n", by_policy ? " and sshare" : "",
		       names_policy ? ": policy " : "",
		       names_policy ? fathom_policy_name(compared->item->rule.policy) : "");
	print(options, compared);
}

/* Under flux, gives jobs the fair-share factors that slurmctld sends to sshare, if sprio gets no
 * term from which they follow. */
static void complete_flux(struct job_list *list)
{
	const struct live *live;
	const double *factor;

	if (!list->by_flux || !job_list_lacks_fairshare(list))
		return;
	live = live_read_local();
	factor = live->pass.in_force.columns.factor;
	if (factor)
		job_list_complete_fairshare(list, &live->snapshot, factor);
}

/* Reads the jobs of the running cluster, with the priorities that slurmctld gives them. */
static void read_live_jobs(const struct prio_options *options, struct job_list *list)
{
	struct live_jobs_wanted wanted = {
		.names = options->json || options->all || options->columns || options->order ||
			 options->filter.accounts || options->with_shadow ||
			 candidates_given(&options->candidates),
		.as_sent = options->view.view && options->view.view->as_sent,
		.states = options->filter.states,
	};

	live_jobs_read(list, wanted);
	job_list_rank_places(list);
	job_list_sum(list);
	job_list_find_formula(list);
}

/* Reads the jobs of the running cluster, and prints them, recomputed if options ask for that. */
static void show_cluster(const struct prio_options *options)
{
	struct job_comparison compared;
	const struct live *live;
	struct job_list *list;

	need_libslurm("--from");
	job_comparison_create(&compared, list_count(options));
	list = &compared.item->list;
	read_live_jobs(options, list);
	for (size_t i = 1; i < compared.count; i++)
		job_list_copy(&compared.item[i].list, list);
	/* other priorities than slurmctld's need the tree */
	if (options->with_shadow || candidates_given(&options->candidates)) {
		live = live_read_local();
		if (live->remark)	/* the same as that of the list */
			remark("%s", live->remark);
		(options->with_shadow ? show_live_shadow : show_recomputed)(options, &compared,
									    live);
		return;
	}
	if (list->remark)
		remark("%s", list->remark);
	complete_flux(list);
	print(options, &compared);
}

/* Refuses options that do not go together. */
static void check_options(const struct prio_options *options)
{
	if (options->formula && !options->files.from_count)
		refuse("--formula: needs --from; slurmctld does not send all values that a formula "
		       "may use");
	if (options->files.format && !options->files.from_count)
		refuse("--format: needs --from");
	if (options->scope && !options->files.from_count)
		refuse("--scope: needs --from; each job of the cluster goes by its own scope");
	if (options->candidates.sets.half_life_count && !options->files.from_count)
		refuse_half_life();
	if (options->json && options->columns)
		refuse("--output: cannot be used with --json, which has all columns");
	if (options->json && options->weights)
		refuse("--weights: cannot be used with --json, which has factors before and after "
		       "weighting");
	if (options->all && options->columns)
		refuse("--long: cannot be used with --output");
	if (options->weights && list_count(options) > 1)
		refuse("--weights: cannot be used with several policies or --shadow");
	if (options->with_shadow && candidates_given(&options->candidates))
		refuse("--shadow: compares the policies of the cluster; cannot be used with "
		       "--policy and --set");
	if (options->with_shadow && options->formula)
		refuse("--shadow: compares weighted sums; cannot be used with --formula");
}

/* Refuses options that choose rows and columns: the tool of --view has its own in their place. */
static void check_view(const struct prio_options *options)
{
	const struct job_filter *filter = &options->filter;
	bool chooses_columns = options->json || options->parsable || options->columns ||
			       options->all || options->plain || options->weights ||
			       options->no_header;
	bool chooses_rows = filter->accounts || filter->users || filter->partitions ||
			    filter->jobs || filter->states || options->order;

	if (chooses_columns || chooses_rows)
		view_refuse_own(options->view.view);
	if (options->with_shadow || list_count(options) > 1)
		refuse("--view: shows one policy; cannot be used with several, or with --shadow");
}

static int run(int argc, char **argv)
{
	struct prio_options options = { 0 };

	view_parse(argc, argv, &option_table, &options, prio_views, &options.view);
	candidates_create(&options.candidates, &job_sets_general, MOST_COLUMNS_COMPARED);
	check_options(&options);
	if (options.view.view)
		check_view(&options);
	if (options.view.view && options.view.view->all_states)
		options.filter.states = UINT64_MAX;
	(options.files.from_count ? show_files : show_cluster)(&options);
	return EXIT_DONE;
}

const struct command command_prio = {
	.name = "prio",
	.summary = "show jobs with the factors of their priorities",
	.options = &option_table,
	.views = prio_views,
	.run = run,
};
