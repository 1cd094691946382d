/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the FiguresFile: a head, then the shares of each tree (shares.c). */
#include "json/figures.h"

#include "json/json.h"

static void put_scope(FILE *out, const struct json_scope *scope)
{
	json_put(out, "{");
	json_put_scope_head(out, &scope->head);
	json_put(out, ",\n\"shares\": ");
	json_put_shares(out, &scope->shares);
	json_put(out, "}");
}

static void put_scopes(FILE *out, const struct json_figures *figures)
{
	json_put(out, ",\n\"scopes\": [");
	for (size_t i = 0; i < figures->scope_count; i++) {
		json_put(out, i ? ",\n" : "\n");
		put_scope(out, &figures->scope[i]);
	}
	json_put(out, "]");
}

void json_put_figures(FILE *out, const struct json_figures *figures)
{
	json_begin(out, JSON_FIGURES_FORMAT, JSON_FIGURES_VERSION);
	json_put(out, ", \"time\": ");
	json_put_integer(out, figures->time);
	json_put_text_key(out, "cluster", figures->cluster);
	json_put_text_key(out, "policy", fathom_policy_name(figures->shares->policy));
	if (figures->fault)
		json_put_text_key(out, "fault", figures->fault);
	json_put(out, ",\n\"shares\": ");
	json_put_shares(out, figures->shares);
	json_put(out, ",\n\"shadow\": ");
	if (figures->shadow)
		json_put_shares(out, figures->shadow);
	else
		json_put(out, "null");
	if (figures->scope_count)
		put_scopes(out, figures);
	if (figures->pool_count) {
		json_put(out, ",\n");
		json_put_pools(out, figures->pool, figures->pool_count);
	}
	json_put(out, "}\n");
}
