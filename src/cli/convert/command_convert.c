/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom convert: reads files of one or several formats, and writes what they hold in another. */
#include "cli/command.h"
#include "cli/command_snapshot.h"
#include "cli/convert/out_folder.h"
#include "cli/option_values.h"
#include "cli/out_file.h"
#include "cli/output.h"
#include "cli/print_table.h"
#include "format/accounting/sources.h"
#include "format/format.h"
#include "format/slurm/slurm_cluster.h"
#include "format/tree_details.h"
#include "format/unknown_format.h"
#include "lint/lint_input.h"
#include "relation/text_table.h"

#include <stdio.h>
#include <string.h>

struct convert_options {
	struct {
		const char *name;
		const struct format *format;	/* NULL: recognised */
	} from[MOST_FILES];
	size_t from_count;
	const struct format *to;
	const char *folder;	/* --out, if `to` is one */
	const char *scope;
	struct sets sets;
	bool list, strict, verbose;
};

/* ---- options ------------------------------------------------------------------ */

static void set_from(const struct option_row *row, void *member, const char *value)
{
	struct convert_options *options = member;

	if (options->from_count == MOST_FILES)
		refuse("--%s: given more than %d times", row->name, MOST_FILES);
	options->from[options->from_count++].name = value;
}

static bool takes_tree(const struct format *format)
{
	return format->write || format->write_folder;
}

static bool can_write(const struct format *format)
{
	return takes_tree(format) || format->write_jobs;
}

/* Returns the name of a format that can be read (context: NULL) or written; NULL after the last. */
static const char *format_name_at(const void *context, size_t i)
{
	for (size_t j = 0; j < format_count(); j++)
		if ((context ? can_write : format_can_read)(format_at(j)) && !i--)
			return format_at(j)->name;
	return NULL;
}

static _Noreturn void refuse_format(const struct option_row *row, const char *value,
				    const char *wrong, bool to_write)
{
	struct name_list names = { .at = format_name_at, .context = to_write ? row : NULL };

	refuse("--%s: '%s' %s, must be %s", row->name, value,
	       format_find(value) ? wrong : "is unknown", need_list(names, " or ", 512));
}

/* Belongs to the file before it, or to the first one. */
static void set_format(const struct option_row *row, void *member, const char *value)
{
	struct convert_options *options = member;
	size_t file = options->from_count ? options->from_count - 1 : 0;
	const struct format *format = options->from[file].format = format_find(value);

	if (!format || !format_can_read(format))
		refuse_format(row, value, "cannot be read", false);
}

static void set_to(const struct option_row *row, void *member, const char *value)
{
	const struct format **to = member;

	*to = format_find(value);
	if (!*to || !can_write(*to))
		refuse_format(row, value, "cannot be written", true);
}

#define AT(member) offsetof(struct convert_options, member), 0

static const struct option_row option_rows[] = {
	{ OPTION_FROM, "read FILE, '-' for standard input; repeat it for files that complete "
	  "each other", set_from, 0, 0 },
	{ OPTION_FORMAT, "read the --from before it as this format; default: it is "
	  "recognised", set_format, 0, 0 },
	{ 0, "to", "NAME", "write this format", set_to, AT(to) },
	{ OPTION_SCOPE, "read the tree of this queue or host partition, if the files describe "
	  "several trees", option_text, AT(scope) },
	{ OPTION_SET, "half_life=DURATION: how usage decays that is added up from jobs, "
	  "by default 7d; 0: not", option_set, AT(sets) },
	{ 0, "strict", NULL, "write nothing if the format cannot hold all that was read",
	  option_flag, AT(strict) },
	{ 0, "list", NULL, "list the formats: what each holds, and whether it can be read and "
	  "written", option_flag, AT(list) },
	{ OPTION_VERBOSE, "also say which format each file has", option_flag, AT(verbose) },
	COMMON_OPTIONS,
};

static const struct option_table option_table = {
	OPTION_ROWS(option_rows),
	.usage = "Usage: fathom convert [--from FILE]... --to NAME [OPTION]...\n"
		 "       fathom convert --list\n"
		 "Write the tree or the jobs of files, or of the running cluster, in another\n"
		 "format.\n\n",
};

/* ---- the list of formats ------------------------------------------------------------ */

static void put_holds(struct text_table *table, unsigned holds)
{
	static const char *const words[] = { "tree", "usage", "jobs", "settings" };
	char text[64] = "";

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (holds >> i & 1)
			snprintf(text + strlen(text), sizeof(text) - strlen(text), "%s%s",
				 *text ? "," : "", words[i]);
	text_table_put(table, text);
}

static void print_list(void)
{
	struct text_table table = { .count = 0 };

	text_table_add_column(&table, "Format");
	text_table_add_column(&table, "Holds");
	text_table_add_column(&table, "Can");
	text_table_add_column(&table, "Summary")->wraps = true;
	for (size_t i = 0; i < format_count(); i++) {
		const struct format *format = format_at(i);

		text_table_put(&table, format->name);
		put_holds(&table, format->holds);
		text_table_put(&table, !format_can_read(format) ? "write"
				       : can_write(format) ? "read,write" : "read");
		text_table_put(&table, format->summary);
	}
	print_table(text_table_finish(&table));
}

/* ---- reading ---------------------------------------------------------------------- */

/* What is said of all that is lost on the way. */
struct losses {
	const char *where;	/* the file that has it, or the format that cannot have it */
	const char *verb;	/* "" if the text is a whole remark */
	bool is_error;
	size_t count;
};

static void say_lost(void *context, const char *text)
{
	struct losses *losses = context;

	/* with --strict one line says what is wrong */
	if (!losses->is_error)
		remark("%s: %s%s", losses->where, losses->verb, text);
	else if (!losses->count)
		complain("%s: %s%s; --strict refuses this", losses->where, losses->verb, text);
	losses->count++;
}

/* Returns the text of the only file if it already has the format that is asked for, which is then
 * written as it is; else NULL. */
static const char *text_to_keep(const struct convert_options *options, const struct format *format,
				struct document *input)
{
	if (!format->keeps_text || format != options->to || options->from_count > 1)
		return NULL;
	document_load_rest(input);
	return need_text(input->text);
}

/* Returns the text that is to be written as it is; or NULL. */
static const char *read_file(const struct convert_options *options, size_t i,
			     struct sources *sources, struct losses *losses)
{
	const char *kept;
	const struct format *format = options->from[i].format;
	struct document input;

	open_input(&input, options->from[i].name);
	if (!format)
		format = format_recognize(&input);
	if (!format)
		refuse("%s:1: %s; --format names the format, fathom convert --list lists all",
		       input.name, unknown_format_reason(&input));
	kept = text_to_keep(options, format, &input);
	sources_add(sources, format, &input);
	if (options->verbose)
		remark("%s: format %s", input.name, format->name);
	losses->where = options->from[i].name;
	losses->verb = "";
	if (*input.remark && !kept)
		say_lost(losses, input.remark);
	document_clear(&input);
	return kept;
}

/* ---- writing ------------------------------------------------------------------------ */

/* Has the target a place for what the files hold? */
static void check_target(const struct convert_options *options, const struct sources *sources)
{
	const struct format *to = options->to;

	if (to->write_folder && !sources->tree_name && !site_settings_given(&sources->settings))
		refuse("--to: %s holds a tree and settings, but no file has any", to->name);
	if (!to->write_folder && !(to->write ? sources->tree_name : sources->jobs_name))
		refuse("--to: %s holds %s, but no file has %s", to->name,
		       to->write ? "a tree" : "jobs", to->write ? "one" : "any");
}

static void note_lost_settings(const struct sources *sources, struct losses *losses)
{
	const struct site_settings *settings = &sources->settings;

	losses->verb = "";
	for (size_t i = 0; i < settings->loss_count; i++) {
		const struct site_loss *loss = &settings->loss[i];
		char where[512];

		snprintf(where, sizeof(where), loss->origin.line ? "%s:%zu" : "%s",
			 loss->origin.file, loss->origin.line);
		losses->where = where;
		if (loss->is_warning)
			remark("%s: warning: %s", where, loss->text);
		else
			say_lost(losses, loss->text);
	}
}

/* kept: the text that is written as it is; or NULL. */
static void note_losses(const struct convert_options *options, const struct sources *sources,
			const char *kept, struct losses *losses)
{
	const struct format *to = options->to;

	losses->where = to->name;
	losses->verb = "does not keep ";
	if (takes_tree(to) && sources->tree_name)
		tree_details_lost(sources->snapshot, to->keeps, say_lost, losses);
	if (takes_tree(to) && (sources->jobs.job_count || sources->adds_up))
		say_lost(losses, "the jobs");
	if (!takes_tree(to) && !(to->holds & HOLDS_USAGE) && sources->adds_up)
		say_lost(losses, "what the jobs used");
	if (!takes_tree(to) && sources->tree_name)
		say_lost(losses, "the tree");
	if (to->jobs_lost && !kept)
		to->jobs_lost(&sources->jobs, say_lost, losses);
	if (to->write_folder)
		note_lost_settings(sources, losses);
	else if (!(to->holds & HOLDS_SETTINGS) && site_settings_given(&sources->settings))
		say_lost(losses, "the settings");
	else if (sources->settings.of[SITE_FATHOM_CONF].count)
		say_lost(losses, "the policy and its settings");
}

/* Completes the tree, and says what was lost in the files. kept: the text of a file
 * that is written as it is, and so loses nothing; or NULL. */
static void finish_sources(const struct convert_options *options, struct sources *sources,
			   const char *kept, struct losses *losses)
{
	char text[128];

	if (options->sets.half_life_count && !sources->adds_up)
		refuse_half_life();
	sources_read_records(sources);
	losses->where = sources->usage_name;
	losses->verb = "";
	if (*sources->records.remark && !kept)
		say_lost(losses, sources->records.remark);
	/* the trees of a scheduler's scopes are in its settings, all of them */
	if (takes_tree(options->to) && !(options->to->write_folder && sources->parts_name))
		sources_finish(sources, false);
	if (options->to->write_folder)
		sources_add_hosts(sources);
	if (sources->jobs_name && options->to->holds & HOLDS_SETTINGS)
		slurm_cluster_complete(&sources->jobs, &sources->settings);
	sources_say_strays(sources, text, sizeof(text));
	if (*text)
		say_lost(losses, text);
}

/* ---- a folder for Slurm ----------------------------------------------------------------- */

#define WITH_SLURMDBD "AccountingStorageType=accounting_storage/slurmdbd\n"

static const char *text_of(const struct site_folder *folder, const char *name)
{
	for (size_t i = 0; i < folder->count; i++)
		if (!strcmp(folder->file[i].name, name))
			return folder->file[i].text;
	return "";
}

/* Refuses what slurmctld or the plugin would refuse. The site has slurmdbd, or will. */
static void check_folder(const struct site_folder *folder)
{
	struct lint_input *input = need_object(sizeof(*input));
	struct lint_findings findings;

	lint_input_texts(input, "slurm.conf",
			 need_print("%s" WITH_SLURMDBD, text_of(folder, "slurm.conf")),
			 "fathom.conf", text_of(folder, "fathom.conf"));
	findings = lint_run(&input->site);
	for (size_t i = 0; i < findings.count; i++) {
		const struct lint_finding *finding = &findings.finding[i];

		if (finding->row->severity == LINT_ERROR)
			refuse("--to: line %u of %s would be wrong: %s; %s", finding->line,
			       finding->file, finding->text, finding->fix);
	}
}

struct writing {
	const struct format *to;
	const struct sources *sources;
	const char *kept;	/* a text that is written as it is; or NULL */
	FILE *out;
};

static void write_to(void *context)
{
	const struct writing *writing = context;

	if (writing->kept)
		fputs(writing->kept, writing->out);
	else if (writing->to->write)
		writing->to->write(writing->out, writing->sources->snapshot);
	else
		writing->to->write_jobs(writing->out, &writing->sources->jobs);
}

static void convert(const struct convert_options *options)
{
	struct sources sources = { .rules = accounting_rules_of(&options->sets, EVERY_STATE),
				   .without_jobs = !options->to->write_jobs, .tells_jobs = true,
				   .scope = options->scope };
	struct losses losses = { .is_error = options->strict };
	const struct format *to = options->to;
	struct site_folder folder = { 0 };
	struct out_file output;
	struct document input;
	struct failure failure;
	struct writing writing = { .to = to, .sources = &sources };

	if (!options->from_count) {
		input = take_snapshot_as_input();
		sources_add(&sources, &format_cluster_snapshot, &input);
	}
	for (size_t i = 0; i < options->from_count; i++)
		writing.kept = read_file(options, i, &sources, &losses);
	finish_sources(options, &sources, writing.kept, &losses);
	check_target(options, &sources);
	/* the files of a folder are made in memory; with them it turns out what is lost */
	if (to->write_folder) {
		out_folder_path(options->folder, folder.path, sizeof(folder.path));
		to->write_folder(&folder, sources.tree_name ? sources.snapshot : NULL,
				 &sources.settings);
	}
	note_losses(options, &sources, writing.kept, &losses);
	if (losses.is_error && losses.count)
		end_told();
	if (to->write_folder) {
		check_folder(&folder);
		out_folder_publish(options->folder, &folder);
		return;
	}
	out_file_begin(&output, "out", NULL);
	writing.out = output.stream;
	if (document_try(write_to, &writing, &failure))
		refuse("--to: %s", failure.error.text);
	out_file_publish(&output);
}

static int run(int argc, char **argv)
{
	struct convert_options options = { 0 };

	options_parse(argc, argv, &option_table, &options);
	if (options.list) {
		print_list();
		return EXIT_DONE;
	}
	if (!options.to)
		refuse("--to: must be given; see fathom convert --list");
	if (options.to->write_folder && !(options.folder = output_take_path()))
		refuse("--out: must be given, the folder that --to=%s makes", options.to->name);
	for (size_t i = 0; i < options.sets.count; i++)
		if (!set_is_half_life(options.sets.set[i]))
			refuse("--set: '%s': must be half_life=DURATION",
			       options.sets.set[i]->text);
	if (options.sets.half_life_count > 1)	/* a file has one */
		refuse("--set: half_life: given twice, must be given once");
	convert(&options);
	return EXIT_DONE;
}

const struct command command_convert = {
	.name = "convert",
	.summary = "write the tree or the jobs of files in another format",
	.options = &option_table,
	.run = run,
};
