/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Writes the FiguresFile, which figures.h shows: a head, the shares of each tree, the pools. */
#include "json/figures.h"

#include "json/json.h"

void json_put_scope(FILE *out, const struct scope_head *head, const struct json_shares *shares)
{
	json_put(out, "{");
	json_put_scope_head(out, head);
	json_put(out, ",\n\"shares\": ");
	json_put_shares(out, shares);
	json_put(out, "}");
}

int json_put_figures(FILE *out, const struct json_figures *figures)
{
	size_t tree = 0;
	int status;

	json_begin(out, JSON_FIGURES_FORMAT, JSON_FIGURES_VERSION);
	json_print(out, ", \"time\": %lld, \"cluster\": %s, \"policy\": %s",
		   (long long)figures->time, figures->cluster, fathom_policy_name(figures->policy));
	if (figures->fault)
		json_put_text_key(out, "fault", figures->fault);
	json_put_global(out, figures->global, figures->global_count, false);
	json_put(out, ",\n\"shares\": ");
	status = figures->put_tree(out, tree++, figures->context);
	json_put(out, figures->has_shadow ? ",\n\"shadow\": " : ",\n\"shadow\": null");
	if (figures->has_shadow)
		status |= figures->put_tree(out, tree++, figures->context);
	for (size_t i = 0; i < figures->scope_count; i++) {
		json_put(out, i ? ",\n" : ",\n\"scopes\": [\n");
		status |= figures->put_tree(out, tree++, figures->context);
	}
	json_put(out, figures->scope_count ? "]" : "");
	if (figures->pool_count) {
		json_put(out, ",\n");
		json_put_pools(out, figures->pool, figures->pool_count);
	}
	json_put(out, "}\n");
	return status;
}
