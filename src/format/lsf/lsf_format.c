/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The configuration of LSF and OpenLava as a format: lsb.users, lsb.queues, lsb.hosts and
 * lsb.params, alone or together. A queue with FAIRSHARE or a host partition has a tree of its own,
 * its scope; without any, user groups make a tree.
 */
#include "core/error.h"
#include "core/list_text.h"
#include "document/text.h"
#include "format/format_parts.h"
#include "format/lsf/lsf_keys.h"
#include "format/lsf/lsf_settings.h"
#include "format/lsf/lsf_tree.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The files that are read, and the tree that is chosen. */
struct lsf_parts {
	struct lsf_conf conf;
	struct lsf_groups groups;
	struct lsf_scopes scopes;
	const struct lsf_scope *scope;	/* the chosen one; NULL: the tree of the user groups */
	bool is_chosen;
	struct lsf_tree tree;
};

/* ---- choosing ---------------------------------------------------------------------------- */

static const char *scope_at(const void *context, size_t i)
{
	const struct lsf_scopes *scopes = context;

	return i < scopes->count ? scopes->scope[i].name : NULL;
}

static bool has_groups(const struct lsf_conf *conf)
{
	size_t i = 0;

	return lsf_conf_next(conf, &lsf_user_group, &i);
}

static int choose_scope(struct lsf_parts *parts, const char *name, struct fathom_error *error)
{
	const struct lsf_scopes *scopes = &parts->scopes;
	char list[160];

	if (name && !scopes->count)
		return fathom_error_set(error, EINVAL, "--scope: no queue has FAIRSHARE, and no "
					"host partition is defined");
	if (scopes->count > 1 && !name)
		return fathom_error_set(error, EINVAL, "--scope: must name one of several trees: "
					"%s", list_text((struct name_list){ scope_at, scopes },
							" or ", list, sizeof(list)));
	parts->scope = name ? lsf_scopes_find(scopes, name) : scopes->scope;
	if (name && !parts->scope)
		return fathom_error_set(error, EINVAL, "--scope: '%.64s' has no tree, must be %s",
					name, list_text((struct name_list){ scope_at, scopes },
							" or ", list, sizeof(list)));
	if (!scopes->count)
		parts->scope = NULL;
	return 0;
}

static int choose(struct lsf_parts *parts, const char *scope, struct site_origin *wrong,
		  struct fathom_error *error)
{
	if (!parts->is_chosen && (lsf_scopes_create(&parts->scopes, &parts->conf, wrong, error) ||
				  choose_scope(parts, scope, error))) {
		lsf_scopes_clear(&parts->scopes);
		return -1;
	}
	parts->is_chosen = true;
	return !parts->scope && !has_groups(&parts->conf);
}

/* Users who only appear in records of jobs are users of the site, too. */
static int add_users(struct numbered_names *users, const struct snapshot *usage,
		     struct fathom_error *error)
{
	for (size_t node = 0; usage && node < fathom_tree_count(usage->tree); node++)
		if (fathom_tree_kind(usage->tree, node) == FATHOM_USER &&
		    numbered_names_add(users, snapshot_name(usage, node)) == NAME_INDEX_NONE)
			return fathom_error_no_memory(error);
	return 0;
}

static int make(struct lsf_parts *parts, const struct snapshot *usage, struct snapshot *snapshot,
		struct site_origin *wrong, struct fathom_error *error)
{
	if (add_users(&parts->groups.user, usage, error) ||
	    lsf_groups_create(&parts->groups, &parts->conf, wrong, error))
		return -1;
	return lsf_tree_create(&parts->tree, parts->scope, &parts->groups, snapshot, wrong, error);
}

/* ---- several files ----------------------------------------------------------------------- */

/* Puts the origin of a mistake before the error. Returns -1. */
static int wrong_from(const struct site_origin *origin, struct fathom_error *error)
{
	struct fathom_error inner = *error;

	if (origin->file && inner.code != ENOMEM)
		fathom_error_set(error, inner.code, "%s:%zu: %s", origin->file, origin->line,
				 inner.text);
	return -1;
}

static int parts_read(void **at, struct document *input, struct fathom_error *error)
{
	struct lsf_parts *parts = *at ? *at : calloc(1, sizeof(*parts));

	*at = parts;
	if (!parts)
		return fathom_error_no_memory(error);
	if (parts->is_chosen)
		return input_wrong(input, 0, error, "must come before records of jobs, as the jobs "
				   "that count depend on it");
	return lsf_conf_read(&parts->conf, input, error);
}

static int parts_choose(void *parts, const char *scope, struct fathom_error *error)
{
	struct site_origin origin = { NULL, 0 };
	int chosen = choose(parts, scope, &origin, error);

	return chosen < 0 ? wrong_from(&origin, error) : chosen;
}

static const char *parts_scope_name(const void *parts)
{
	const struct lsf_parts *lsf = parts;

	return lsf->scope ? lsf->scope->name : NULL;
}

static bool parts_count(const void *parts, struct piece partition)
{
	const struct lsf_parts *lsf = parts;

	return !lsf->scope || lsf_scope_has_queue(lsf->scope, partition);
}

static int parts_make(void *parts, const struct snapshot *usage, struct snapshot *snapshot,
		      struct fathom_error *error)
{
	struct site_origin origin = { NULL, 0 };

	return make(parts, usage, snapshot, &origin, error) ? wrong_from(&origin, error) : 0;
}

static size_t parts_find(const void *parts, const char *user, const char *account)
{
	const struct lsf_parts *lsf = parts;

	return lsf_tree_find(&lsf->tree, user, account);
}

static void parts_destroy(void *parts)
{
	struct lsf_parts *lsf = parts;

	if (!lsf)
		return;
	lsf_tree_clear(&lsf->tree);
	lsf_scopes_clear(&lsf->scopes);
	lsf_groups_clear(&lsf->groups);
	lsf_conf_clear(&lsf->conf);
	free(lsf);
}

#define WANTED "a queue with FAIRSHARE, a host partition or a user group"

static const struct format_parts parts = {
	.wanted = WANTED,
	.read = parts_read, .choose = parts_choose, .scope_name = parts_scope_name,
	.counts = parts_count, .make = parts_make, .find = parts_find, .destroy = parts_destroy,
};

/* ---- one file ---------------------------------------------------------------------------- */

static int read_alone(struct lsf_parts *lsf, struct document *input, struct snapshot *snapshot,
		      struct fathom_error *error)
{
	struct site_origin origin = { NULL, 0 };
	struct fathom_error inner;
	int chosen;

	if (lsf_conf_read(&lsf->conf, input, error))
		return -1;
	chosen = choose(lsf, NULL, &origin, &inner);
	if (chosen > 0)
		return input_wrong(input, 0, error, "has no tree, must have " WANTED);
	if (!chosen)
		chosen = make(lsf, NULL, snapshot, &origin, &inner);
	if (chosen && inner.code == ENOMEM)
		return fathom_error_no_memory(error);
	return chosen ? input_wrong(input, origin.line, error, "%s", inner.text) : 0;
}

static int lsf_read(struct document *input, struct snapshot *snapshot, struct fathom_error *error)
{
	struct lsf_parts *lsf = calloc(1, sizeof(*lsf));
	int status = lsf ? read_alone(lsf, input, snapshot, error) : fathom_error_no_memory(error);

	parts_destroy(lsf);
	return status;
}

/* The first line that is not a comment begins a section. */
static bool lsf_recognize(const struct document *input)
{
	struct lines lines = lines_of(input);
	struct piece line, words[2];
	size_t count;

	do {
		line = lines_next(&lines);
		count = line.at ? split_words(line, words, 2) : 0;
	} while (line.at && (!count || *words[0].at == '#'));
	return count > 1 && piece_is_any_case(words[0], "Begin");
}

const struct format format_lsf = {
	.name = "lsf",
	.summary = "lsb.users, lsb.queues, lsb.hosts and lsb.params of LSF and OpenLava",
	.holds = HOLDS_TREE | HOLDS_SETTINGS,
	.recognize = lsf_recognize,
	.read = lsf_read,
	.parts = &parts,
	.read_settings = lsf_settings_read,
};
