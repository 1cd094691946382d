/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom convert: reads files of one or several formats, and writes what they hold in another. */
#include "cli/command.h"
#include "cli/command_snapshot.h"
#include "cli/convert/out_folder.h"
#include "cli/option_values.h"
#include "cli/out_file.h"
#include "cli/output.h"
#include "cli/print_table.h"
#include "format/sources/sources.h"
#include "format/slurm/slurm_cluster.h"
#include "format/snapshot_parts.h"
#include "format/tree_writer.h"
#include "format/unknown_format.h"
#include "lint/lint_input.h"
#include "relation/text_table.h"

#include <stdio.h>
#include <string.h>

struct convert_options {
	struct input_names files;	/* none: the running cluster is read */
	const struct format *format[MOST_FILES];	/* of each file; NULL: it is recognised */
	const struct format *to;	/* NULL: not given */
	const char *folder;	/* of --out, if `to` writes a folder */
	const char *scope;	/* NULL: not given */
	struct sets sets;	/* half_life alone is allowed */
	bool list, strict, verbose;
};

/* ---- options ------------------------------------------------------------------ */

/* Returns whether a tree can be written in a format. */
static bool writes_tree(const struct format *format)
{
	return format->write || format->write_folder;
}

/* Returns the format of an option's value. Refuses one that is unknown, or that cannot be written
 * (to_write) or read (else); the message lists those that can. */
static const struct format *format_of(const struct option_row *row, const char *value,
				      bool to_write)
{
	bool (*is_fit)(const struct format *format) = to_write ? format_can_write : format_can_read;
	const char *unfit = to_write ? "cannot be written" : "cannot be read";
	const struct format *format = format_find(value);
	const char **names = NULL;
	size_t count = 0;

	if (format && is_fit(format))
		return format;
	for (size_t i = 0; i < format_count(); i++)
		if (is_fit(format_at(i)))
			NEED_ADD(names, count, format_at(i)->name);
	refuse("--%s: '%s' %s, must be %s", row->name, value, format ? unfit : "is unknown",
	       need_words(names, count, " or ", 512));
}

/* Stores a --format: for the --from before it, or for the first one if no --from is before it.
 * member: the struct convert_options. */
static void set_format(const struct option_row *row, void *member, const char *value)
{
	struct convert_options *options = member;
	size_t file = options->files.from_count ? options->files.from_count - 1 : 0;
	const bool to_write = false;

	options->format[file] = format_of(row, value, to_write);
}

/* Stores the format of --to. */
static void set_to(const struct option_row *row, void *member, const char *value)
{
	const bool to_write = true;

	*(const struct format **)member = format_of(row, value, to_write);
}

#define AT(member) offsetof(struct convert_options, member), 0
#define WHOLE_STRUCT 0, 0	/* the setter gets the struct convert_options itself */

static const struct option_row option_rows[] = {
	{ OPTION_FROM, "read FILE, '-' for standard input; repeat it for files that complete "
	  "each other", option_from, AT(files) },
	{ OPTION_FORMAT, "read the --from before it as this format; default: it is "
	  "recognised", set_format, WHOLE_STRUCT },
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

/* Returns what a format holds: "tree,usage". holds: bits such as HOLDS_TREE, the first word for the
 * lowest one. */
static const char *holds_text(unsigned holds)
{
	static const char *const words[] = { "tree", "usage", "jobs", "settings" };
	const char **held = NULL;
	size_t count = 0;

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (holds >> i & 1)
			NEED_ADD(held, count, words[i]);
	return need_join(held, count, ",");
}

/* Prints the table of --list. */
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
		text_table_put(&table, holds_text(format->holds));
		text_table_put(&table, !format_can_read(format) ? "write"
				       : format_can_write(format) ? "read,write" : "read");
		text_table_put(&table, format->summary);
	}
	print_table(text_table_finish(&table));
}

/* ---- reading ---------------------------------------------------------------------- */

/* How each loss is said, and how many there are. A loss is something in a file that its reader left
 * out, or that the format of --to cannot hold: "sshare: does not keep the jobs". */
struct losses {
	const char *where;	/* the file, or the name of the format */
	const char *verb;	/* "does not keep " before what is lost; "": the text says all */
	bool is_error;		/* --strict */
	size_t count;
};

/* Says a loss, and counts it. context: the struct losses. */
static void say_lost(void *context, const char *text)
{
	struct losses *losses = context;

	/* with --strict one line is enough: the error about the first loss */
	if (!losses->is_error)
		remark("%s: %s%s", losses->where, losses->verb, text);
	else if (!losses->count)
		complain("%s: %s%s; --strict refuses this", losses->where, losses->verb, text);
	losses->count++;
}

/* Returns a copy of the whole text of the only file if it has the format of --to already, so that
 * it is written byte for byte; else NULL. */
static const char *text_to_keep(const struct convert_options *options, const struct format *format,
				struct document *input)
{
	if (!format->keeps_text || format != options->to || options->files.from_count > 1)
		return NULL;
	document_load_rest(input);
	return need_text(input->text);
}

/* Takes usage of other clusters, which GlobalShare has added, from the tree of a FiguresFile:
 * whoever reads the tree may get it from those clusters, too. */
static void keep_own_usage(const struct format *format, struct document *input,
			   struct sources *sources, struct losses *losses)
{
	struct recorded_pass pass = { 0 };

	format->read_recorded(input, &pass);
	if (!pass.global.usage.count)
		return;
	recorded_give_usage(sources->snapshot->tree, pass.global.usage.own);
	say_lost(losses, "usage of other clusters gets lost");
}

/* Adds what a file or the running cluster has to the sources. A folder has the settings of a
 * scheduler's files, and the slurm.conf of a cluster. */
static void add_source(const struct convert_options *options, struct sources *sources,
		       const struct format *format, struct document *input,
		       struct losses *losses)
{
	bool to_folder = options->to->write_folder;
	struct slurm_conf slurm;	/* of a snapshot */
	const char *conf;

	sources_add(sources, format, input);
	losses->where = input->name;
	losses->verb = "";
	if (format_is_whole(format)) {
		if (to_folder) {
			slurm = snapshot_slurm_conf(input);
			slurm_conf_add_to(&slurm, &sources->settings);
		}
		conf = format->read_conf(input);
		if (conf && *conf)
			say_lost(losses, to_folder ? "fathom.conf gets lost; add its lines to that "
						     "of the folder" : "fathom.conf gets lost");
	} else if (format->read_recorded) {
		if (to_folder)
			say_lost(losses, "the policy and its settings get lost; take over "
				 "fathom.conf and the Priority lines of slurm.conf");
		/* the tree of a snapshot has own usage already */
		keep_own_usage(format, input, sources, losses);
	}
}

/* Reads file i of --from into the sources, and says what its reader left out. Returns its text if
 * that is written as it is, see text_to_keep(); else NULL. */
static const char *read_file(const struct convert_options *options, size_t i,
			     struct sources *sources, struct losses *losses)
{
	const char *kept;
	const struct format *format = options->format[i];
	struct document input;

	open_input(&input, options->files.from[i]);
	if (!format)
		format = format_recognize(&input);
	if (!format)
		wrong_format(&input, "a format of fathom convert --list; --format names one");
	kept = text_to_keep(options, format, &input);
	add_source(options, sources, format, &input, losses);
	if (options->verbose)
		remark("%s: format %s", input.name, format->name);
	/* the settings of a folder list one by one what the remark tells in short */
	if (*input.remark && !kept && !(options->to->write_folder && format->read_settings))
		say_lost(losses, input.remark);
	document_clear(&input);
	return kept;
}

/* ---- writing ------------------------------------------------------------------------ */

/* Refuses a format that can hold nothing of what the files have. */
static void check_target(const struct convert_options *options, const struct sources *sources)
{
	const struct format *to = options->to;

	if (to->write_folder && !sources->tree_name && !site_settings_given(&sources->settings))
		refuse("--to: %s holds a tree and settings, but no file has any", to->name);
	if (!to->write_folder && !(to->write ? sources->tree_name : sources->jobs_name))
		refuse("--to: %s holds %s, but no file has %s", to->name,
		       to->write ? "a tree" : "jobs", to->write ? "one" : "any");
}

/* Says which settings write_folder() could not keep, each with the file and line that it is
 * from. */
static void say_lost_settings(const struct sources *sources, struct losses *losses)
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

/* Says what the format of --to cannot hold of what was read. A folder's files must have been made,
 * which adds the lost settings. kept: the text that is written as it is; or NULL. */
static void say_losses(const struct convert_options *options, const struct sources *sources,
		       const char *kept, struct losses *losses)
{
	const struct format *to = options->to;

	losses->where = to->name;
	losses->verb = "does not keep ";
	if (writes_tree(to) && sources->tree_name)
		tree_details_lost(sources->snapshot, to->keeps, say_lost, losses);
	if (writes_tree(to) && (sources->jobs.job_count || sources->adds_up))
		say_lost(losses, "the jobs");
	if (!writes_tree(to) && !(to->holds & HOLDS_USAGE) && sources->adds_up)
		say_lost(losses, "what the jobs used");
	if (!writes_tree(to) && sources->tree_name)
		say_lost(losses, "the tree");
	if (to->jobs_lost && !kept)
		to->jobs_lost(&sources->jobs, say_lost, losses);
	if (to->write_folder)
		say_lost_settings(sources, losses);
	else if (!(to->holds & HOLDS_SETTINGS) && site_settings_given(&sources->settings))
		say_lost(losses, "the settings");
	else if (sources->settings.of[SITE_FATHOM_CONF].count)
		say_lost(losses, "the policy and its settings");
}

/* Completes the tree and the settings when all files are read, and says what is lost of records of
 * jobs, and of usage that belongs to no association. kept: the text of a file that is written as it
 * is, and so loses nothing; or NULL. */
static void finish_sources(const struct convert_options *options, struct sources *sources,
			   const char *kept, struct losses *losses)
{
	const bool tree_wins = false;
	char text[128];

	if (options->sets.half_life_count && !sources->adds_up)
		refuse_half_life();
	sources_read_records(sources);
	losses->where = sources->usage_name;
	losses->verb = "";
	if (*sources->records.remark && !kept)
		say_lost(losses, sources->records.remark);
	/* a folder gets all trees of a scheduler's scopes, which are in the settings */
	if (writes_tree(options->to) && !(options->to->write_folder && sources->parts_name))
		sources_finish(sources, tree_wins);
	if (options->to->write_folder)
		sources_add_hosts(sources);
	if (sources->jobs_name && options->to->holds & HOLDS_SETTINGS)
		slurm_cluster_complete(&sources->jobs, &sources->settings);
	sources_say_strays(sources, text, sizeof(text));
	if (*text)
		say_lost(losses, text);
}

/* ---- a folder for Slurm ----------------------------------------------------------------- */

/* What the folder leaves to the site's own slurm.conf; a value in {{ }} is not known to lint. */
#define WITH_SLURMDBD "AccountingStorageType=accounting_storage/slurmdbd\n"
#define WITH_ANY_TRES "AccountingStorageTRES={{ of the site }}\n"

/* Returns the text of a file of the folder; "": the folder has no such file. */
static const char *text_of(const struct site_folder *folder, const char *name)
{
	for (size_t i = 0; i < folder->count; i++)
		if (!strcmp(folder->file[i].name, name))
			return folder->file[i].text;
	return "";
}

/* Refuses a folder whose files slurmctld or the plugin would refuse, as fathom lint finds out. */
static void check_folder(const struct site_folder *folder, const struct site_settings *settings)
{
	struct lint_input *input = need_object(sizeof(*input));
	struct lint_findings findings;
	bool has_tres = site_settings_find(settings, SITE_SLURM_CONF, "AccountingStorageTRES");

	lint_input_texts(input, "slurm.conf",
			 need_print("%s" WITH_SLURMDBD "%s", text_of(folder, "slurm.conf"),
				    has_tres ? "" : WITH_ANY_TRES),
			 "fathom.conf", text_of(folder, "fathom.conf"));
	findings = lint_run(&input->site);
	for (size_t i = 0; i < findings.count; i++) {
		const struct lint_finding *finding = &findings.finding[i];

		if (finding->row->severity == LINT_ERROR)
			refuse("--to: line %u of %s would be wrong: %s; %s", finding->line,
			       finding->file, finding->text, finding->fix);
	}
}

/* What write_file() writes. */
struct writing {
	const struct format *to;
	const struct sources *sources;
	const char *kept;	/* a text to write as it is; NULL: the sources are written */
	FILE *out;
};

/* Writes one file, for document_try(). context: the struct writing. */
static void write_file(void *context)
{
	const struct writing *writing = context;

	if (writing->kept)
		fputs(writing->kept, writing->out);
	else if (writing->to->write)
		writing->to->write(writing->out, writing->sources->snapshot);
	else
		writing->to->write_jobs(writing->out, &writing->sources->jobs);
}

/* Returns the tree for a folder. If files describe several trees, the scopes have these, and the
 * tree is that of records of jobs, which may name other users. NULL: there is no tree. */
static struct snapshot *tree_for_folder(struct sources *sources)
{
	bool has_scopes = sources->parts_name &&
			  site_settings_find(&sources->settings, SITE_FATHOM_CONF, "Scope");

	if (sources->tree_name)
		return sources->snapshot;
	return has_scopes && sources->usage_name ? sources->usage : NULL;
}

/* Makes the files of the folder, in memory: only making them tells what they lose. */
static void make_folder(const struct convert_options *options, struct sources *sources,
			struct site_folder *folder)
{
	out_folder_path(options->folder, folder->path, sizeof(folder->path));
	options->to->write_folder(folder, tree_for_folder(sources), &sources->settings);
}

/* Writes the file to standard output, or where --out says. */
static void write_out(struct writing *writing)
{
	struct out_file output;
	struct failure failure;

	out_file_begin(&output, "out", NULL);	/* NULL: standard output, which --out collects */
	writing->out = output.stream;
	if (document_try(write_file, writing, &failure))
		refuse("--to: %s", failure.error.text);
	out_file_publish(&output);
}

/* Reads all files or the running cluster, and writes the file or the folder. Nothing is written if
 * --strict refuses a loss. */
static void convert(const struct convert_options *options)
{
	struct sources sources = { .rules = accounting_rules_of(&options->sets, EVERY_STATE),
				   .without_jobs = !options->to->write_jobs, .tells_jobs = true,
				   .without_strangers = !options->to->write_jobs,
				   .scope = options->scope };
	struct losses losses = { .is_error = options->strict };
	const struct format *to = options->to;
	struct site_folder folder = { 0 };
	struct document input;
	struct writing writing = { .to = to, .sources = &sources };

	if (!options->files.from_count) {
		input = take_snapshot_as_input();
		add_source(options, &sources, &format_cluster_snapshot, &input, &losses);
	}
	for (size_t i = 0; i < options->files.from_count; i++)	/* kept: only of a single file */
		writing.kept = read_file(options, i, &sources, &losses);
	sources_check_scope(&sources);
	/* finish_sources() and make_folder() find losses, and say_losses() the others; only then
	 * can --strict refuse them */
	finish_sources(options, &sources, writing.kept, &losses);
	check_target(options, &sources);
	if (to->write_folder)
		make_folder(options, &sources, &folder);
	say_losses(options, &sources, writing.kept, &losses);
	if (losses.is_error && losses.count)
		end_told();
	if (to->write_folder) {
		check_folder(&folder, &sources.settings);
		out_folder_publish(options->folder, &folder);
	} else {
		write_out(&writing);
	}
}

/* Checks the options, and lists the formats or converts. */
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
	if (options.sets.half_life_count > 1)	/* a file has usage by one half-life */
		refuse("--set: half_life: given twice, must be given once");
	if (options.sets.half_life_count &&
	    !(writes_tree(options.to) && options.to->holds & HOLDS_USAGE))
		refuse("--set: half_life: --to=%s writes no usage that is added up from jobs",
		       options.to->name);
	convert(&options);
	return EXIT_DONE;
}

const struct command command_convert = {
	.name = "convert",
	.summary = "write the tree or the jobs of files in another format",
	.options = &option_table,
	.run = run,
};
