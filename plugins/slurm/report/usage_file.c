/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/usage_file.h"

#include "json/json.h"
#include "json/usage_list.h"

void usage_file_put(FILE *out, const struct evaluation *evaluation, const struct snapshot *names)
{
	const struct fathom_tree *tree = evaluation->scheme->tree;
	const int64_t time = evaluation->time;
	bool more = false;	/* an entry has been written, so the next one needs a comma */

	usage_list_begin(out, evaluation->settings->cluster, &time);
	for (size_t node = 0; node < fathom_tree_count(tree); node++) {
		struct usage_owner owner = usage_owner_of(names, tree, node);

		if (!(evaluation->own->of[node] > 0))
			continue;
		usage_list_put(out, &owner, evaluation->own->of[node], &more);
		json_put(out, "}");
	}
	usage_list_end(out);
}
