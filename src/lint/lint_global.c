/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of GlobalShare lines: usage of other clusters that cannot be read, that counts twice, or
 * that does not count. Each check is a function whose row, at the end of the file, tells what it
 * finds and why. */
#include "lint/lint_context.h"

#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <string.h>
#include <strings.h>

/* a second there is worth so many seconds here */
#define WEIGHT_MOST 100
#define WEIGHT_LEAST 0.01
#define DATABASE_LATE 7200	/* seconds: usage of slurmdbd is mostly up to so old */

/* Returns the GlobalShare lines of fathom.conf. */
static const struct conf_global_shares *shares_of(const struct lint *lint)
{
	return &lint->site->fathom->global;
}

/* Reports about a key of a GlobalShare line. */
#define in_line(lint, share, ...) lint_in_fathom(lint, (share)->line, __VA_ARGS__)

/* Reports the lines that src/conf has left out, with its reasons. */
static void global_void(struct lint *lint)
{
	const struct conf_global_shares *shares = shares_of(lint);

	for (size_t i = 0; i < shares->fault_count; i++)
		lint_in_fathom(lint, shares->fault[i].line, "GlobalShare", "%s",
			       shares->fault[i].error.text);
}

/* ---- loops ------------------------------------------------------------------------------ */

/* Returns whether a source is the file `own` of this cluster. own: its value in fathom.conf;
 * "": not set; a relative name is in StateSaveLocation. */
static bool is_own_file(const struct lint *lint, const char *source, const char *own)
{
	const char *folder = lint->site->files ? lint->site->files->state.path : "";

	if (!*own || *own == '/')
		return *own && !strcmp(source, own);
	return *folder && !strcmp(source, need_print("%s/%s", folder, own));
}

static void global_self(struct lint *lint)
{
	const struct fathom_conf *conf = lint->site->fathom;
	const struct slurm_pair *name =
		lint->site->slurm ? slurm_conf_find(lint->site->slurm, "ClusterName") : NULL;

	for (size_t i = 0; i < conf->global.count; i++) {
		const struct conf_global_share *share = &conf->global.share[i];

		if (name && !strcasecmp(name->value, share->cluster))
			in_line(lint, share, "GlobalShare", "'%s' is this cluster itself",
				share->cluster);
		else if (is_own_file(lint, share->source, conf->usage_file))
			in_line(lint, share, "Source", "%s is the UsageFile of this cluster",
				share->source);
		else if (is_own_file(lint, share->source, conf->figures_file))
			in_line(lint, share, "Source", "%s is the FiguresFile of this cluster",
				share->source);
	}
}

/* ---- files ------------------------------------------------------------------------------ */

/* Checks each Source that is a file; one of slurmdbd has no path. global->account is set if the
 * file could be read. */
static void global_source(struct lint *lint)
{
	const struct conf_global_shares *shares = shares_of(lint);

	for (size_t i = 0; i < shares->count; i++) {
		const struct conf_global_share *share = &shares->share[i];
		const struct site_global *global = &lint->site->files->global[i];

		if (!*global->file.path)
			continue;
		if (!global->file.exists)
			in_line(lint, share, "Source", "%s is missing", share->source);
		else if (!global->file.is_readable)
			in_line(lint, share, "Source", "SlurmUser may not read %s", share->source);
		else if (global->file.is_wrong)
			lint_in_file(lint, share->source, global->file.line, NULL, "%s",
				     global->file.error.text);
		else if (global->account &&
			 (!global->cluster || strcasecmp(global->cluster, share->cluster)))
			in_line(lint, share, "Source", "%s is of the cluster '%s', not '%s'",
				share->source, global->cluster ? global->cluster : "",
				share->cluster);
		else if (global->account && !global->file.has_time)
			in_line(lint, share, "Source", "%s does not tell the time of its usage",
				share->source);
		else if (global->account && global->file.age < -CONF_GLOBAL_SKEW)
			in_line(lint, share, "Source", "%s is of a time in the future",
				share->source);
	}
}

/* ---- accounts --------------------------------------------------------------------------- */

/* Returns the names of the tree's accounts, and "root", as files of usage name the root. */
static struct numbered_names *list_accounts(const struct lint *lint)
{
	const struct snapshot *tree = lint->site->tree;
	struct numbered_names *names = need_names();

	need_name(names, "root");
	for (size_t node = 0; node < fathom_tree_count(tree->tree); node++)
		if (fathom_tree_kind(tree->tree, node) != FATHOM_USER)
			need_name(names, snapshot_name(tree, node));
	return names;
}

/* Returns whether an account is among the names. */
static bool has_account(const struct numbered_names *names, const char *account)
{
	return numbered_names_find(names, account) != NAME_INDEX_NONE;
}

static void global_map(struct lint *lint)
{
	const struct conf_global_shares *shares = shares_of(lint);
	const struct numbered_names *accounts = shares->count ? list_accounts(lint) : NULL;

	for (size_t i = 0; i < shares->count; i++) {
		const struct conf_global_share *share = &shares->share[i];

		for (size_t j = 0; j < share->map_count; j++)
			if (!has_account(accounts, share->map[j].here))
				in_line(lint, share, "Map", "the tree has no account '%s'",
					share->map[j].here);
	}
}

/* Reports the accounts of each file for which conf_global_account() finds no account of this
 * tree. */
static void global_unmapped(struct lint *lint)
{
	const struct conf_global_shares *shares = shares_of(lint);
	const struct numbered_names *accounts = shares->count ? list_accounts(lint) : NULL;

	for (size_t i = 0; i < shares->count; i++) {
		const struct conf_global_share *share = &shares->share[i];
		const struct site_global *global = &lint->site->files->global[i];
		struct some_names names = { .count = 0 };

		for (size_t j = 0; j < global->account_count; j++)
			if (!has_account(accounts,
					 conf_global_account(share, global->account[j])))
				some_names_add(&names, global->account[j]);
		if (names.count)
			in_line(lint, share, "GlobalShare", "the tree lacks accounts of '%s': %s",
				share->cluster, some_names_text(&names));
	}
}

/* ---- numbers ---------------------------------------------------------------------------- */

static void global_weight(struct lint *lint)
{
	const struct conf_global_shares *shares = shares_of(lint);

	for (size_t i = 0; i < shares->count; i++)
		if (shares->share[i].weight > WEIGHT_MOST || shares->share[i].weight < WEIGHT_LEAST)
			in_line(lint, &shares->share[i], "Weight",
				"a second of '%s' counts as %g seconds here",
				shares->share[i].cluster, shares->share[i].weight);
}

/* How often the other cluster writes its file is not known; it is taken to do so after each pass,
 * as often as this one, so that usage is up to two passes old. */
static void global_age(struct lint *lint)
{
	const struct conf_global_shares *shares = shares_of(lint);
	double passes = 2 * lint_calc_period(lint);

	for (size_t i = 0; i < shares->count; i++) {
		const struct conf_global_share *share = &shares->share[i];
		bool is_database = conf_global_is_database(share);

		if (share->max_age < (is_database ? DATABASE_LATE : passes))
			in_line(lint, share, "MaxAge", "MaxAge is %s, and usage of '%s' is up to "
				"%s old", lint_time_text(share->max_age), share->cluster,
				lint_time_text(is_database ? DATABASE_LATE : passes));
	}
}

const struct lint_row lint_global_rows[] = {
	{ "global-void", LINT_ERROR, LINT_FATHOM, global_void,
	  "a GlobalShare line with an error",
	  "Usage of that cluster does not count; all other lines do.",
	  .fix = "correct the line" },
	{ "global-self", LINT_ERROR, LINT_FATHOM, global_self,
	  "a GlobalShare line that names this cluster, or a file that it writes itself",
	  "The plugin refuses it, as usage of this cluster would count twice.",
	  .fix = "name the other cluster and its UsageFile, or remove the line" },
	{ "global-source", LINT_ERROR, LINT_FATHOM | LINT_FILES, global_source,
	  "a file of GlobalShare that is missing, wrong, of another cluster, without its time or "
	  "of the future, or not to be read",
	  "What is known of that cluster fades out; after a restart nothing of it counts.",
	  .fix = "name the UsageFile of that cluster, and let SlurmUser read it" },
	{ "global-map", LINT_WARNING, LINT_FATHOM | LINT_TREE, global_map,
	  "an account of Map that this cluster lacks",
	  "Usage of the account that it maps does not count.",
	  .fix = "write THERE:HERE with an account of this cluster as HERE" },
	{ "global-unmapped", LINT_WARNING, LINT_FATHOM | LINT_FILES | LINT_TREE, global_unmapped,
	  "accounts of another cluster that are none of this one, nor mapped to one",
	  "Usage of these accounts does not count here.",
	  .fix = "name them in Map, if they have other names here" },
	{ "global-weight", LINT_WARNING, LINT_FATHOM, global_weight,
	  "a Weight above 100 or below 0.01",
	  "Usage of the one cluster then hides that of the other.",
	  .fix = "give the ratio of what a second of billing costs on both clusters" },
	{ "global-age", LINT_WARNING, LINT_FATHOM, global_age,
	  "a MaxAge that is shorter than usage takes to come",
	  "The cluster is told to be stale again and again, though nothing is wrong.",
	  .fix = "give a longer MaxAge" },
	{ NULL }
};
