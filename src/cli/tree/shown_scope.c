/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds a scope by its name, and shows its tree with what fathom.conf says of it. */
#include "cli/tree/shown_scope.h"

#include "cli/complain.h"
#include "core/list_text.h"

#include <string.h>

static const char *scope_at(const void *context, size_t i)
{
	const struct tree_source *source = context;

	return i < source->scope_count ? source->scope[i].head.name : NULL;
}

static _Noreturn void refuse_scope(const char *name, const struct tree_source *source)
{
	const struct live *live = source->live;
	char list[512];

	if (live && !live->whole)
		refuse("--scope: PrivateData hides a part of the tree of %s, and so its scopes",
		       source->name);
	if (live && !live->has_file)
		refuse("--scope: needs the FiguresFile of %s: %s", source->name,
		       live->remark ? live->remark
				    : "set it in fathom.conf and let this user read it");
	if (!source->scope_count)
		refuse("--scope: %s has no scopes; %s", source->name,
		       live ? "Scope lines in fathom.conf define them"
			    : "the FiguresFile of a cluster with Scope lines has them");
	refuse("--scope: %s has no scope '%s', must be %s", source->name, name,
	       list_text((struct name_list){ scope_at, source }, " or ", list, sizeof(list)));
}

static struct tree_source source_of(const struct recorded_scope *scope, const char *name)
{
	return (struct tree_source){ .name = name, .snapshot = &scope->recorded.snapshot,
				     .in_force = &scope->recorded, .shown_scope = &scope->head };
}

void show_tree_or_scope(const char *name, const struct tree_source *source, tree_shower *show,
			void *context)
{
	struct tree_source of_scope;
	size_t i = 0;

	if (!name) {
		show(context, source);
		return;
	}
	while (i < source->scope_count && strcmp(source->scope[i].head.name, name))
		i++;
	if (i == source->scope_count)
		refuse_scope(name, source);
	of_scope = source_of(&source->scope[i], source->name);
	show(context, &of_scope);
}
