/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * fathom explain: says why a job or user ranks where it does, why one comes behind another and what
 * would swap them, and when a fair-share factor is back. explain_source.c reads, src/evaluate
 * computes, and print_explanation() prints.
 */
#include "cli/explain/explain_command.h"

#include "cli/command.h"
#include "cli/history/since.h"
#include "core/duration.h"
#include "core/plural.h"
#include "priority/usage_formula.h"

/* ---- options ------------------------------------------------------------------------------- */

/* Stores a KEY=VALUE of --set. The half-life is kept apart, as it is a setting of the site, not of
 * a policy. member: the struct explain_options. */
static void set_setting(const struct option_row *row, void *member, const char *value)
{
	struct explain_options *options = member;
	const struct set *set = set_of(value);

	if (!set_is_half_life(set)) {
		option_set(row, &options->sets, value);
		return;
	}
	if (!isnan(options->half_life))
		refuse("--set: half_life: given twice, must be given once");
	options->half_life = set_seconds(set);
}

/* Stores the factor of --until. */
static void set_level(const struct option_row *row, void *member, const char *value)
{
	double *level = member;
	const char *end;

	if (number_parse(value, level, &end) || *end || !(*level >= 0 && *level <= 1))
		refuse("--%s: '%s' is not a fair-share factor, must be a number from 0 to 1",
		       row->name, value);
}

#define WOULD "time=DURATION, and cpus=N, nodes=N, gpus=N or billing=N if they are charged"

/* Reads a word of --would, such as "cpus=512", into its member. Refuses a wrong word, and one whose
 * member is set. */
static void set_would_word(const struct option_row *row, struct explained_would *would,
			   const char *word)
{
	const struct { const char *key; double *number; } keys[] = {
		{ "time=", &would->seconds }, { "cpus=", &would->cpus },
		{ "nodes=", &would->nodes },
		{ "gpus=", &would->gpus }, { "billing=", &would->billing },
	};
	const char *end = "", *value;
	bool is_wrong, is_time;
	size_t i = 0;

	while (i < sizeof(keys) / sizeof(*keys) && strncmp(word, keys[i].key, strlen(keys[i].key)))
		i++;
	if (i == sizeof(keys) / sizeof(*keys))
		refuse("--%s: '%s' is unknown, must be " WOULD, row->name, word);
	if (*keys[i].number > 0)
		refuse("--%s: %.*s: given twice", row->name, (int)strlen(keys[i].key) - 1,
		       keys[i].key);
	value = word + strlen(keys[i].key);
	is_time = keys[i].number == &would->seconds;
	is_wrong = is_time ? duration_parse(value, keys[i].number, NULL)
			   : number_parse(value, keys[i].number, &end);
	if (is_wrong || *end || !(*keys[i].number > 0) || isinf(*keys[i].number))
		refuse("--%s: '%s' is not %s above 0", row->name, word,
		       is_time ? "a duration" : "a number");
}

/* Reads the value of --would: "cpus=512,time=24h". */
static void set_would(const struct option_row *row, void *member, const char *value)
{
	struct explained_would *would = member;
	char *rest = need_text(value), *word;

	while ((word = strsep(&rest, ",")))
		set_would_word(row, would, word);
	if (!(would->seconds > 0))
		refuse("--%s: '%s' must have " WOULD, row->name, value);
	if (would->cpus > 0 && would->billing > 0)
		refuse("--%s: '%s' has cpus and billing, must have one of them", row->name, value);
}

#define AT(member) offsetof(struct explain_options, member), 0
#define WHOLE_STRUCT 0, 0	/* the setter gets the struct explain_options itself */

static const struct option_row option_rows[] = {
	{ 0, "until", "LEVEL", "say when the fair-share factor is back at LEVEL, from 0 to 1",
	  set_level, AT(level) },
	{ 0, "idle", "WHOM", "who runs no jobs until then: user, account or all; default: user. "
	  "All others use as much as decays", option_word,
	  offsetof(struct explain_options, idle), WORDS_IDLE },
	{ 0, "would", "JOB", "say what a job such as cpus=512,time=24h would cost the factor; "
	  "billing=N in place of cpus: what it is charged a second; for flux and pbs nodes=N and "
	  "gpus=N",
	  set_would, AT(would) },
	{ 0, "change", "KIND", "search only this kind of change: usage, shares, age or nice",
	  option_word, offsetof(struct explain_options, change), WORDS_CHANGE },
	{ 0, "since", "TIME", "say what changed since TIME: yesterday, 7d, 2026-01-31",
	  option_since, AT(since) },
	{ 0, "history", "FILE", "the HistoryFile of --since; default: that of the running cluster",
	  option_text, AT(history) },
	{ 0, "units", "UNIT", "print usage in hours or billing seconds, with what was used of "
	  "CPUs, GPUs and nodes; default without WHO: hours",
	  option_word, offsetof(struct explain_options, units), WORDS_UNITS },
	{ OPTION_FROM, "read FILE, '-' for standard input, instead of the running cluster: "
	  "a tree, or jobs; repeat it for both, and for a fathom.conf", option_from, AT(files) },
	{ OPTION_FORMAT, "read the tree as this format; default: it is recognised",
	  option_format, AT(files.format) },
	{ 0, "policy", "NAME", "evaluate this policy; default: that of the cluster or file",
	  option_policies, AT(policies) },
	{ 0, "formula", "EXPRESSION", "compute priorities of jobs of a file by a formula",
	  option_text, AT(formula) },
	{ OPTION_SET, "change half_life, a setting of the policy, or a priority setting "
	  "of slurm.conf; may be repeated", set_setting, WHOLE_STRUCT },
	{ OPTION_SCOPE, "explain users by the tree of this scope", option_text, AT(scope) },
	{ 'p', "partition", "NAME", "the partition of the jobs, if they ask for several, or of the "
	  "users' associations", option_text, AT(partition) },
	{ OPTION_JSON, "print all figures, unrounded, as JSON", option_flag, AT(json) },
	{ OPTION_VERBOSE, "print to standard error what is read", option_flag, AT(verbose) },
	COMMON_OPTIONS,
};

static void help_more(void)
{
	const bool of_jobs = true;

	help_policies();
	help_formats(of_jobs);
}

static const struct option_table option_table = {
	OPTION_ROWS(option_rows),
	.usage = "Usage: fathom explain [OPTION]... [WHO [WHOM]]\n"
		 "Say why a job, user or account ranks where it does, and what costs it most.\n"
		 "With WHOM, say where their paths divide, and what would swap them. With\n"
		 "--until, say when the fair share of WHO is back. WHO is the number of a job,\n"
		 "a user, ACCOUNT/USER, or an account; user:NAME and account:NAME tell them\n"
		 "apart. Without WHO, show your own accounts and jobs.\n\n",
	.help_more = help_more,
	OPERANDS(2, "WHO", struct explain_options, who),
};

/* Refuses two values of a setting, which would be two candidates. */
static void check_sets(const struct explain_options *options)
{
	struct candidates given = { .policies = options->policies, .sets = options->sets };

	candidates_create(&given, &job_sets_general, MOST_SETS);
	if (given.count > 1)
		refuse("--set: one value of a setting is explained at a time; fathom shares and "
		       "fathom prio show several");
}

/* Returns whether a setting is one of slurm.conf that changes jobs, but no fair share. */
static bool is_of_jobs(const char *key)
{
	return job_settings_know(key) &&
	       !fathom_setting_named(job_settings_at(JOB_FLAGS), key) &&
	       !fathom_setting_named(job_settings_at(JOB_DAMPENING_FACTOR), key);
}

/* Refuses a formula and settings of jobs, which have no effect on what is said about users. who: a
 * user or an account. */
static void refuse_job_options(const struct explain_options *options, const char *who)
{
	if (options->formula)
		refuse("--formula: is about jobs, %s is a user or an account", who);
	for (size_t i = 0; i < options->sets.count; i++)
		if (is_of_jobs(options->sets.set[i]->key))
			refuse("--set: %s: is about jobs, %s is a user or an account",
			       options->sets.set[i]->key, who);
}

/* Returns whether WHO and WHOM are the same word, or the same number of a job: "07" and "7". */
static bool are_same(const char *who, const char *whom)
{
	if (is_job_id(who) && is_job_id(whom)) {
		who += strspn(who, "0");
		whom += strspn(whom, "0");
	}
	return !strcmp(who, whom);
}

/* Refuses an empty WHO, and a WHOM that cannot be compared with it. who, whom: NULL: not given. */
static void check_who(const char *who, const char *whom)
{
	if (who && !*who)
		refuse("no job or user given; see fathom explain --help");
	if (!whom)
		return;
	if (are_same(who, whom))
		refuse("%s and %s are the same, must be two", who, whom);
	if (is_job_id(who) != is_job_id(whom))
		refuse("%s and %s are a job and a user, must be two jobs or two users", who, whom);
}

/* Refuses options that do not go together, or not with WHO and WHOM. */
static void check_options(const struct explain_options *options)
{
	const char *who = options->who[0], *whom = options->who[1];
	bool has_level = !isnan(options->level), has_would = options->would.seconds > 0;
	bool is_job = who && is_job_id(who);

	check_who(who, whom);
	if (whom && has_level)
		refuse("--until: is about one user, %s is a second", whom);
	if (options->idle != IDLE_COUNT && !has_level)
		refuse("--idle: needs --until");
	if (has_would && (whom || has_level || is_job))
		refuse("--would: is about one user, without --until");
	if (options->since && (whom || has_level || has_would || options->scope || is_job))
		refuse("--since: is about one user or account, without --until, --would and "
		       "--scope");
	if (options->history && !options->since)
		refuse("--history: needs --since");
	if (options->change != CHANGE_COUNT && !whom)
		refuse("--change: needs two jobs or two users");
	if ((options->change == CHANGE_AGE || options->change == CHANGE_NICE) && !is_job)
		refuse("--change: %s is of jobs, %s is a user or an account",
		       explain_change_names[options->change], who);
	if (options->policies.count > 1)
		refuse("--policy: one policy is explained at a time; fathom shares and fathom prio "
		       "show several");
	check_sets(options);
	if (who && !is_job)
		refuse_job_options(options, who);
	if (options->files.format && !options->files.from_count)
		refuse("--format: needs --from");
}

/* ---- answering ---------------------------------------------------------------------------- */

/* Refuses a node that is an account. option: that is about users alone, without "--". */
static void check_user(const struct explain_options *options, const struct explain_source *source,
		       const char *option, size_t node)
{
	if (explain_is_account(&source->tree, node))
		refuse("--%s: is about a user, %s is an account", option, options->who[0]);
}

/* Refuses if factors at later times cannot be computed. option: that asks for them, without "--";
 * user: the node whose factor of now the message tells. */
static void check_forecast(const struct explain_source *source, const char *option, size_t user)
{
	if (source->tree.is_partial)
		refuse("--%s: is not known, as PrivateData hides usage on which the factor "
		       "depends; now the factor is %s", option,
		       say_factor(source->evaluated.columns.factor[user], USUAL_DIGITS));
	if (source->question.is_fixed)
		refuse("--%s: policy %s needs sums that only FiguresFile has; set it in "
		       "fathom.conf and let this user read it", option,
		       fathom_policy_name(source->evaluated.policy));
}

/* Answers --until: sets level, half_life, idle and recovery of the answer for the user, or for the
 * user of the job. Refuses accounts and whatever makes the recovery unknown. */
static void answer_until(const struct explain_options *options,
			 const struct explain_source *source, struct explain_answer *answer)
{
	size_t user = answer->explained->one[0].node;
	/* a policy with a half-life of its own returns that one, whatever the site's is; others
	 * return the site's, here NAN */
	bool has_own_half_life = !isnan(fathom_policy_half_life(
					answer->policy, &source->evaluated.settings, NAN));

	answer->has_recovery = true;
	answer->level = options->level;
	answer->half_life = fathom_policy_half_life(answer->policy, &source->evaluated.settings,
						    source->half_life);
	answer->idle = options->idle == IDLE_COUNT ? IDLE_USER : (enum explained_idle)options->idle;
	if (user == EXPLAIN_NONE)
		refuse("--until: job %s has no association in the tree", options->who[0]);
	check_user(options, source, "until", user);
	if (!isnan(options->half_life) && has_own_half_life)
		refuse("--set: half_life: policy %s decays by its own settings; see fathom explain "
		       "--help", fathom_policy_name(answer->policy));
	/* a factor that is at the level now does not need later ones */
	if (!(source->evaluated.columns.factor[user] >= options->level))
		check_forecast(source, "until", user);
	answer->recovery = explain_until(&source->tree, user, options->level,
					 answer->question->decay, answer->idle);
}

NEED_DESTROYER(destroy_formula, fathom_formula_destroy)

/* Returns the formula of what the policy charges, for explained_would.formula. Refuses one that
 * cannot be computed for the job of --would. */
static struct fathom_formula *charged_formula(const struct explain_source *source)
{
	const char *text = fathom_settings_formula(&source->evaluated.settings);
	struct fathom_formula *formula;
	struct fathom_error error;

	if (usage_formula_create(&formula, text, &error))
		refuse("--would: fairshare_usage_res: %s", error.text);
	if (usage_formula_uses(formula, "mem"))
		refuse("--would: fairshare_usage_res: mem: the job does not tell it; use ncpus, "
		       "nodect, ngpus, walltime and cput");
	return formula ? need_owned(formula, destroy_formula) : NULL;
}

/* Answers --would: sets what the job costs the user, the members of `would` that are found. Refuses
 * accounts and whatever makes the cost unknown. */
static void answer_would(const struct explain_options *options,
			 const struct explain_source *source, struct explained_would *would)
{
	size_t user = source->question.node[0];
	const char *policy = fathom_policy_name(source->evaluated.policy), *lacking, *ignored;
	struct reset_period resets;

	check_user(options, source, "would", user);
	check_forecast(source, "would", user);
	would->formula = charged_formula(source);
	lacking = explain_would_lacks(would, &source->tree);
	if (lacking)
		refuse("--would: policy %s needs %s", policy, lacking);
	ignored = explain_would_ignores(would, &source->tree);
	if (*ignored)
		remark("--would: policy %s does not charge %s", policy, ignored);
	resets = explain_source_resets(source, would->seconds);
	would->reset = fmax(resets.begin, 0);
	would->next_reset = isinf(resets.end) ? 0 : resets.end - would->seconds;
	explain_would(would, &source->tree, user, source->question.decay);
}

/* Says what was read, for --verbose. */
static void print_summary(const struct explain_source *source, const struct explain_answer *answer)
{
	const struct snapshot *snapshot = source->evaluated.snapshot;
	size_t nodes = snapshot ? fathom_tree_count(snapshot->tree) : 0;

	if (snapshot)
		remark("%s: %zu association%s; policy %s%s%s", source->name, nodes, PLURAL(nodes),
		       fathom_policy_name(answer->policy), answer->scope ? "; scope " : "",
		       answer->scope ? answer->scope : "");
	if (source->question.list)
		remark("%s: %zu job%s, each in each of its partitions", source->jobs_name,
		       source->list.count, PLURAL(source->list.count));
}

/* Explains the question and prints the answer. Returns the exit status: EXIT_NO if the factor never
 * comes to the level of --until. */
static int print_answer(const struct explain_options *options, const struct explain_source *source)
{
	const struct explain_question *question = &source->question;
	struct explained explained;
	struct explained_would would = options->would;
	struct explain_answer answer = {
		.policy = source->question.tree ? source->evaluated.policy : source->rule.policy,
		.explained = &explained, .question = question, .tree = question->tree,
		.scope = source->scope ? source->scope->head.name
				       : sources_scope_name(&source->input.files.sources),
		.units = options->units,
		.source = source,
		.time = explain_source_time(source),
	};

	if (options->verbose)
		print_summary(source, &answer);
	explained_create(&explained, question);
	if (!isnan(options->level))
		answer_until(options, source, &answer);
	if (would.seconds > 0) {
		answer_would(options, source, &would);
		answer.would = &would;
	}
	(options->json ? print_explanation_json : print_explanation)(&answer);
	return answer.has_recovery && isnan(answer.recovery.seconds) ? EXIT_NO : EXIT_DONE;
}

/* Finds the jobs or users and evaluates the tree that they are in; completes the question. */
static void find_question(struct explain_source *source, const struct explain_options *options)
{
	const struct job_row *row = NULL;

	if (source->question.list) {
		explain_who_find_jobs(source, options);
		/* the row of WHOM has the same scope */
		row = &source->list.row[source->question.row[0]];
	}
	explain_source_evaluate(source, options, row ? row->partition : options->partition, row);
	explain_who_find_nodes(source, options);
	explain_source_ask(source);
}

/* Finds and prints the overview. Returns the exit status. */
static int show_overview(struct explain_source *source, const struct explain_options *options)
{
	struct explain_overview overview;

	explain_overview_find(&overview, source, options);
	if (options->json)
		print_overview_json(&overview);
	else
		print_overview(&overview, options->units);
	return EXIT_DONE;
}

static int run(int argc, char **argv)
{
	struct explain_options options = { .half_life = NAN, .level = NAN, .idle = IDLE_COUNT,
					   .change = CHANGE_COUNT, .units = UNITS_COUNT };
	struct explain_source source = { .question.count = 1 };
	struct explain_question *question = &source.question;

	options_parse(argc, argv, &option_table, &options);
	/* --would, --since and --until are about the caller by default; without them, no WHO means
	 * the overview */
	options.is_of_caller = !options.who[0] && (options.would.seconds > 0 || options.since ||
						   !isnan(options.level));
	if (options.is_of_caller)
		options.who[0] = need_print("user:%s", explain_caller());
	explain_source_name_jobs(&options);
	check_options(&options);
	explain_source_read(&source, &options);
	if (!options.who[0])
		return show_overview(&source, &options);
	if (options.who[1])
		question->count = 2;
	/* other options ask for one thing; advice would take many evaluations of the tree */
	question->wants_advice = options.change == CHANGE_COUNT && isnan(options.level) &&
				 !(options.would.seconds > 0);
	question->lowers_nice = options.change == CHANGE_NICE;
	for (int i = 0; i < CHANGE_COUNT; i++)
		question->wanted[i] = options.change == CHANGE_COUNT || options.change == i;
	find_question(&source, &options);
	if (options.since) {
		explain_since(&options, &source);
		return EXIT_DONE;
	}
	return print_answer(&options, &source);
}

const struct command command_explain = {
	.name = "explain",
	.summary = "say why a job or user ranks where it does, and what would change it",
	.options = &option_table,
	.run = run,
};
