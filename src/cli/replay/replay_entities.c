/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/replay/replay_entities.h"

#include "cli/complain.h"
#include "memory/need_memory.h"
#include "policy/settings_layout.h"
#include "policy/traits.h"

/* Names the entity of each user; a trace tells users and accounts. */
static void name_entities(const char **entity, const struct snapshot *snapshot,
			  enum fairshare_entity kind)
{
	const struct fathom_tree *tree = snapshot->tree;

	for (size_t node = 0; node < fathom_tree_count(tree); node++)
		if (fathom_tree_kind(tree, node) == FATHOM_USER)
			entity[node] = kind == ENTITY_EUSER ? snapshot_name(snapshot, node)
							    : snapshot_account(snapshot, node);
}

/* The accounts of the tree as rows. Returns their number. */
static size_t list_accounts(struct entity_row *rows, const struct snapshot *snapshot)
{
	const struct fathom_tree *tree = snapshot->tree;
	size_t listed = 0;

	for (size_t node = 1; node < fathom_tree_count(tree); node++) {
		size_t parent = fathom_tree_parent(tree, node);

		if (fathom_tree_kind(tree, node) != FATHOM_USER)
			rows[listed++] = (struct entity_row){
				.name = (char *)snapshot_name(snapshot, node),
				.parent = parent ? (char *)snapshot_name(snapshot, parent)
						 : ENTITY_ROOT,
				.shares = fathom_tree_raw_shares(tree, node),
			};
	}
	return listed;
}

static void make_tree(struct entity_tree *entities, const struct replay_input *input,
		      enum fairshare_entity kind, uint32_t unknown_shares)
{
	const struct conf_resources *resources = &input->site.conf.resources;
	size_t count = fathom_tree_count(input->snapshot.tree), row_count = resources->count;
	const char **entity = need_zeros(count, sizeof(*entity));
	struct entity_row *accounts = need_zeros(count, sizeof(*accounts));
	struct fathom_error error;

	name_entities(entity, &input->snapshot, kind);
	if (!row_count)
		row_count = list_accounts(accounts, &input->snapshot);
	if (entity_tree_create(entities, resources->count ? resources->row : accounts, row_count,
			       unknown_shares, entity, count, &error))
		refuse("%s", error.text);
	need_free(entity);
	need_free(accounts);
}

void replay_entities_create(struct entity_tree *entities, const struct replay_input *input,
			    const struct fathom_policy *policy,
			    const struct fathom_settings *settings)
{
	size_t setting = policy_setting_with(policy, SETTING_ENTITY);
	size_t unknown = policy_setting_with(policy, SETTING_UNKNOWN_SHARES);
	bool has_rows = input->site.conf.resources.count;
	enum fairshare_entity kind;

	*entities = (struct entity_tree){ NULL };
	if (setting == POLICY_HAS_NONE)
		return;
	kind = (enum fairshare_entity)settings->value[setting];
	if (kind != ENTITY_EUSER && kind != ENTITY_ACCOUNT_NAME)
		refuse("fairshare_entity: a replay charges users and accounts, must be euser or "
		       "Account_Name");
	if (has_rows || kind == ENTITY_ACCOUNT_NAME)
		make_tree(entities, input, kind, (uint32_t)settings->value[unknown]);
}
