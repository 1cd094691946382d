/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds a scope by its name, and shows its tree with what fathom.conf says of it. */
#include "cli/tree/shown_scope.h"

#include "cli/complain.h"
#include "core/list_text.h"

#include <stdlib.h>
#include <string.h>

static const char *scope_at(const void *context, size_t i)
{
	const struct tree_source *source = context;

	return i < source->scope_count ? source->scope[i].name : NULL;
}

static int complain_of_scope(const char *name, const struct tree_source *source)
{
	const struct live *live = source->live;
	char list[512];

	if (live && !live->whole)
		return complain(
			"--scope: PrivateData hides a part of the tree of %s, and so its scopes",
			source->name);
	if (live && !live->has_file)
		return complain("--scope: needs the FiguresFile of %s: %s", source->name,
				live->remark ? live->remark
					     : "set it in fathom.conf and let this user read it");
	if (!source->scope_count)
		return complain("--scope: %s has no scopes; %s", source->name,
				live ? "Scope lines in fathom.conf define them"
				     : "the FiguresFile of a cluster with Scope lines has them");
	return complain("--scope: %s has no scope '%s', must be %s", source->name, name,
			list_text((struct name_list){ scope_at, source }, " or ", list,
				  sizeof(list)));
}

static int show_scope(const struct recorded_scope *scope, const char *source, tree_shower *show,
		      void *context)
{
	struct scope_group *group = calloc(scope->group_count + 1, sizeof(*group));
	struct scope_head head = { .name = scope->name,
				   .partition = (const char *const *)scope->partition,
				   .partition_count = scope->partition_count,
				   .group = group, .group_count = scope->group_count };
	int status;

	if (!group)
		return complain("--scope: out of memory");
	for (size_t i = 0; i < SCOPE_TEXT_COUNT; i++)
		head.text[i] = scope->text[i];
	for (size_t i = 0; i < scope->group_count; i++)
		group[i] = (struct scope_group){
			.name = scope->group[i].name,
			.member = (const char *const *)scope->group[i].member,
			.member_count = scope->group[i].member_count,
			.user_shares = scope->group[i].user_shares,
		};
	status = show(context, &(struct tree_source){ .name = source,
						      .snapshot = &scope->recorded.snapshot,
						      .in_force = &scope->recorded,
						      .shown_scope = &head });
	free(group);
	return status;
}

int show_tree_or_scope(const char *name, const struct tree_source *source, tree_shower *show,
		       void *context)
{
	if (!name)
		return show(context, source);
	for (size_t i = 0; i < source->scope_count; i++)
		if (!strcmp(source->scope[i].name, name))
			return show_scope(&source->scope[i], source->name, show, context);
	return complain_of_scope(name, source);
}
