/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes what fathom.conf says of a scope:
 *
 *	"name": "gpu", "partitions": ["gpu", "long"], "kind": "cross-queue",
 *	"hosts": null, "master_queue": "gpu", "dispatch_order": "user", "user_shares": null
 */
#include "json/scope_head.h"

#include "json/json.h"

static const struct { const char *key, *heading; } texts[SCOPE_TEXT_COUNT] = {
	[SCOPE_KIND] = { "kind", "Kind" },
	[SCOPE_HOSTS] = { "hosts", "Hosts" },
	[SCOPE_MASTER_QUEUE] = { "master_queue", "MasterQueue" },
	[SCOPE_DISPATCH_ORDER] = { "dispatch_order", "DispatchOrder" },
	[SCOPE_USER_SHARES] = { "user_shares", "UserShares" },
};

const char *scope_text_key(enum scope_text which)
{
	return texts[which].key;
}

const char *scope_text_heading(enum scope_text which)
{
	return texts[which].heading;
}

void json_put_scope_head(FILE *out, const struct scope_head *head)
{
	json_put(out, "\"name\": ");
	json_put_string(out, head->name);
	json_put(out, ", \"partitions\": [");
	for (size_t i = 0; i < head->partition_count; i++) {
		json_put(out, i ? ", " : "");
		json_put_string(out, head->partition[i]);
	}
	json_put(out, "]");
	for (size_t i = 0; i < SCOPE_TEXT_COUNT; i++)
		json_put_text_key(out, texts[i].key, head->text[i]);
}
