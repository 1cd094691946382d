/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes what fathom.conf says of a scope:
 *
 *	"name": "gpu", "partitions": ["gpu", "long"], "kind": "cross-queue",
 *	"hosts": null, "master_queue": "gpu", "dispatch_order": "user",
 *	"user_shares": "[lab, 1]",
 *	"user_groups": [{"name": "lab", "members": ["ada"], "user_shares": null}]
 */
#include "json/scope_head.h"

#include "json/json.h"

#include <stdlib.h>

/* The keys of the texts: in JSON, and in fathom.conf. */
static const struct { const char *key, *heading; } texts[SCOPE_TEXT_COUNT] = {
	[SCOPE_KIND] = { "kind", "Kind" },
	[SCOPE_HOSTS] = { "hosts", "Hosts" },
	[SCOPE_MASTER_QUEUE] = { "master_queue", "MasterQueue" },
	[SCOPE_DISPATCH_ORDER] = { "dispatch_order", "DispatchOrder" },
	[SCOPE_USER_SHARES] = { "user_shares", "UserShares" },
};

const char *scope_text_heading(enum scope_text text)
{
	return texts[text].heading;
}

/* Returns assignments as text, "[u2, 2] [others, 1]", which the caller frees. NULL: out of
 * memory. */
static char *assignments_text(const struct fathom_assignment *assignment, size_t count)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (size_t i = 0; i < count; i++)
		fprintf(out, "%s[%s, %lu]", i ? " " : "", assignment[i].name,
			(unsigned long)assignment[i].shares);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

struct scope_group *scope_groups_create(const struct fathom_user_group *from, size_t count)
{
	struct scope_group *group = calloc(count + 1, sizeof(*group));

	for (size_t i = 0; group && i < count; i++) {
		size_t assignments = from[i].assignment_count;

		group[i] = (struct scope_group){ from[i].name, from[i].member,
						 from[i].member_count, NULL };
		if (!assignments)
			continue;
		group[i].user_shares = assignments_text(from[i].assignment, assignments);
		if (group[i].user_shares)
			continue;
		scope_groups_destroy(group, i);
		return NULL;
	}
	return group;
}

void scope_groups_destroy(struct scope_group *group, size_t count)
{
	for (size_t i = 0; group && i < count; i++)
		free((char *)group[i].user_shares);
	free(group);
}

static void put_names(FILE *out, const char *const *name, size_t count)
{
	json_put(out, "[");
	for (size_t i = 0; i < count; i++)
		json_print(out, i ? ", %s" : "%s", name[i]);
	json_put(out, "]");
}

/* Writes the member "user_groups". */
static void put_groups(FILE *out, const struct scope_head *head)
{
	json_put(out, ", \"user_groups\": [");
	for (size_t i = 0; i < head->group_count; i++) {
		const struct scope_group *group = &head->group[i];

		json_print(out, i ? ",\n  {\"name\": %s, \"members\": "
				 : "\n  {\"name\": %s, \"members\": ", group->name);
		put_names(out, group->member, group->member_count);
		json_put_text_key(out, "user_shares", group->user_shares);
		json_put(out, "}");
	}
	json_put(out, "]");
}

void json_put_scope_head(FILE *out, const struct scope_head *head)
{
	json_print(out, "\"name\": %s, \"partitions\": ", head->name);
	put_names(out, head->partition, head->partition_count);
	for (size_t i = 0; i < SCOPE_TEXT_COUNT; i++)
		json_put_text_key(out, texts[i].key, head->text[i]);
	if (head->group_count)
		put_groups(out, head);
}
