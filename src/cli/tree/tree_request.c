/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads files, which may be parts of a tree, trees with figures, or records of jobs. */
#include "cli/tree/tree_request.h"

#include "cli/complain.h"
#include "cli/sshare_text.h"
#include "format/accounting/sources.h"
#include "format/format_parts.h"
#include "format/unknown_format.h"

/* ---- reading ------------------------------------------------------------------------------ */

/* What the files of --from hold: trees, or those of one FiguresFile. */
struct tree_files {
	struct sources sources;
	struct recorded_pass pass;
	bool has_pass;
	bool is_text;	/* of sshare, alone */
};

const struct format *tree_format_of(const struct input_names *files, const struct document *input)
{
	const struct format *format = files->format;

	if (format && files->from_count == 1)
		return format;
	format = format_recognize(input);
	return files->format && !(format && !(format->holds & HOLDS_TREE)) ? files->format
									   : format;
}

static _Noreturn void refuse_format(const struct document *input, const struct format *format)
{
	char list[256];

	if (format)
		refuse("%s:1: has jobs (%s), must have a tree; see fathom prio --help",
		       input->name, format->name);
	refuse("%s:1: %s, must be %s; --format names the format", input->name,
	       unknown_format_reason(input), format_list(list, sizeof(list)));
}

/* Reads the figures of a file that has them and is the only one, else its tree or usage. */
static int read_content(const struct format *format, struct document *input,
			struct tree_files *files, struct fathom_error *error)
{
	if (!files->has_pass) {
		sources_add(&files->sources, format, input);
		return 0;
	}
	if (input_check_content(input, format->summary, error) || document_load_rest(input, error))
		return -1;
	return format->read_recorded(input, &files->pass, error);
}

static void read_input(const struct input_names *names, struct document *input,
		       struct tree_files *files)
{
	const struct format *format = tree_format_of(names, input);
	struct fathom_error error;

	if (!format || !(format_has_tree(format) || format->read_settings))
		refuse_format(input, format);
	files->has_pass = format->read_recorded && names->from_count == 1;
	files->is_text = format == &format_sshare && names->from_count == 1;
	if (read_content(format, input, files, &error))
		refuse_input(input, &error);
}

static void read_file(const struct input_names *names, const char *name, struct tree_files *files)
{
	struct document input;

	open_input(&input, name);
	read_input(names, &input, files);
	document_clear(&input);
}

/* ---- showing ------------------------------------------------------------------------------ */

/* Warns if the text of sshare is not complete, or if its FairShare is that of another policy.
 * With --policy the latter is intended. */
static void warn_of_text(const struct tree_request *request, const struct snapshot *snapshot)
{
	const struct fathom_policy *policy =
		request->policies->count ? NULL : fathom_policy_find(STANDARD_POLICY);
	struct fathom_settings settings = { 0 };

	if (policy) {
		settings = fathom_settings_standard(policy);
		tree_apply_sets(&request->candidates->item[0].sets, policy, &settings);
	}
	sshare_text_warn(request->files->from[0], snapshot, policy, &settings);
}

static void show(const struct tree_request *request, const struct tree_source *source)
{
	show_tree_or_scope(request->scope, source, request->show, request->context);
}

static void show_recorded(const struct tree_request *request, const struct recorded_pass *pass)
{
	const struct tree_source source = { .name = request->files->from[0],
					    .snapshot = &pass->in_force.snapshot,
					    .in_force = &pass->in_force,
					    .shadow = &pass->shadow,
					    .scope = pass->scope,
					    .scope_count = pass->scope_count };

	show(request, &source);
}

static void check_tree(const struct tree_request *request, const struct sources *sources)
{
	if (sources->tree_name)
		return;
	if (sources->parts_name)
		refuse("%s: has no tree, must have %s", sources->parts_name,
		       sources->parts_format->parts->wanted);
	refuse("--from: %s has settings, but no file has a tree", request->files->from[0]);
}

/* Shows the tree, which has the usage of jobs with each half-life if these are added up. */
static void show_sources(const struct tree_request *request, struct sources *sources,
			 const struct site_conf *conf)
{
	struct tree_source source;
	char text[128];

	check_tree(request, sources);
	if (request->sets->half_life_count && !sources->snapshot->has_half_life)
		refuse_half_life();
	sources_say_strays(sources, text, sizeof(text));
	if (*text)
		remark("%s: %s", sources->usage_name, text);
	source = (struct tree_source){ .name = sources->tree_name, .snapshot = sources->snapshot,
				       .conf = conf };
	/* files that describe several trees have made that of the scope alone */
	if (sources->parts_name)
		request->show(request->context, &source);
	else
		show(request, &source);
}

/* Shows the tree by the policy and settings that the files say, if any do. */
static void show_site(const struct tree_request *request, struct tree_files *files)
{
	const char *scope;
	struct site_conf conf;

	sources_finish(&files->sources, false);
	if (!site_settings_given(&files->sources.settings)) {
		show_sources(request, &files->sources, NULL);
		return;
	}
	conf = site_conf_of(&files->sources.settings);
	scope = sources_scope_name(&files->sources);
	if (scope)
		site_conf_choose(&conf, scope);
	show_sources(request, &files->sources, &conf);
}

static void show_what_was_read(const struct tree_request *request, struct tree_files *files)
{
	if (files->has_pass && request->sets->half_life_count)
		refuse_half_life();
	if (files->has_pass)
		show_recorded(request, &files->pass);
	else
		show_site(request, files);
	if (files->is_text)
		warn_of_text(request, files->sources.snapshot);
}

/* ---- files --------------------------------------------------------------------------------- */

/* Returns files of which none is read yet. */
static struct tree_files files_wanted(const struct tree_request *request)
{
	return (struct tree_files){
		.sources = { .rules = accounting_rules_of(request->sets, 0),
			     .scope = request->scope,
			     .without_jobs = true },
	};
}

void tree_request_read_files(const struct tree_request *request)
{
	const struct input_names *names = request->files;
	struct tree_files files = files_wanted(request);

	for (size_t i = 0; i < names->from_count; i++)
		read_file(names, names->from[i], &files);
	show_what_was_read(request, &files);
}

void tree_request_read_input(const struct tree_request *request, struct document *input)
{
	const struct input_names names = { .from = { input->name }, .from_count = 1,
					   .format = request->files->format };
	struct tree_request alone = *request;
	struct tree_files files = files_wanted(request);

	alone.files = &names;
	read_input(&names, input, &files);
	show_what_was_read(&alone, &files);
}

/* ---- the running cluster -------------------------------------------------------------- */

/* Warns of figures that may mislead. */
static void warn_of_cluster(const struct tree_request *request, const struct live *live)
{
	if (request->scope && !live->has_file)
		return;		/* show_tree_or_scope() says it */
	if (live->remark)
		remark("%s", live->remark);
	if (!live->whole && (request->policies->count || request->sets->count))
		remark("PrivateData hides a part of the tree: --policy and --set evaluate only the "
		       "rest");
}

void tree_request_show_live(const struct tree_request *request, const struct live *live)
{
	const struct tree_source source = { .name = live->cluster, .snapshot = &live->snapshot,
					    .in_force = &live->in_force, .shadow = &live->shadow,
					    .scope = live->scope,
					    .scope_count = live->scope_count, .live = live };

	warn_of_cluster(request, live);
	show(request, &source);
}
