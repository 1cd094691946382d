/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "json/figures.h"

#include "json/json.h"

void json_put_figures(FILE *out, const struct json_figures *figures)
{
	json_put(out, "{\"format\": \"" JSON_FIGURES_FORMAT "\", \"version\": ");
	json_put_integer(out, JSON_FIGURES_VERSION);
	json_put(out, ", \"time\": ");
	json_put_integer(out, figures->time);
	json_put_text_key(out, "cluster", figures->cluster);
	json_put_text_key(out, "policy", fathom_policy_name(figures->shares->policy));
	json_put(out, ",\n\"shares\": ");
	json_put_shares(out, figures->shares);
	json_put(out, ",\n\"shadow\": ");
	if (figures->shadow)
		json_put_shares(out, figures->shadow);
	else
		json_put(out, "null");
	json_put(out, "}\n");
}
