/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Names of users, accounts, jobs and terms in the sentences of fathom explain. */
#include "cli/explain/explain_sentences.h"

#include <ctype.h>
#include <stdarg.h>

const struct snapshot *explain_snapshot(const struct explain_answer *answer)
{
	return answer->tree->tree->snapshot;
}

const char *name_in(const struct snapshot *snapshot, size_t node)
{
	const char *partition = snapshot_partition(snapshot, node);

	if (fathom_tree_kind(snapshot->tree, node) == FATHOM_USER)
		return need_print("%.250s in account %.250s%s%.250s", snapshot_name(snapshot, node),
				  snapshot_account(snapshot, node),
				  partition ? ", partition " : "", partition ? partition : "");
	return need_print("account %.250s", snapshot_name(snapshot, node));
}

const char *name_node(const struct explain_answer *answer, size_t node)
{
	return name_in(explain_snapshot(answer), node);
}

const char *name_row(const struct job_row *row)
{
	return need_print("job %lld%s%.250s%s%.250s", (long long)row->id, row->user ? " of " : "",
			  row->user ? row->user : "", row->account ? " in account " : "",
			  row->account ? row->account : "");
}

const struct job_row *row_of(const struct explain_answer *answer, size_t row)
{
	return &answer->question->list->row[row];
}

const char *name_one(const struct explain_answer *answer, const struct explained_one *one)
{
	return one->row != EXPLAIN_NONE ? name_row(row_of(answer, one->row))
					: name_node(answer, one->node);
}

const char *short_node(const struct explain_answer *answer, size_t node)
{
	const struct explain_question *question = answer->question;
	const struct snapshot *snapshot = explain_snapshot(answer);

	bool is_one_user = question->count == 2 &&
			   !strcmp(snapshot_name(snapshot, question->node[0]),
				   snapshot_name(snapshot, question->node[1]));

	if (explain_is_account(answer->tree, node) || is_one_user)
		return name_node(answer, node);
	return need_print("%.250s", snapshot_name(snapshot, node));
}

const char *short_name(const struct explain_answer *answer, const struct explained_one *one)
{
	return one->row != EXPLAIN_NONE
		       ? need_print("job %lld", (long long)row_of(answer, one->row)->id)
		       : short_node(answer, one->node);
}

const char *capital(const char *name)
{
	char *made = need_text(name);

	/* any other name begins with that of a user */
	if (!strncmp(name, "job ", 4) || !strncmp(name, "account ", 8))
		*made = (char)toupper((unsigned char)*made);
	return made;
}

const char *explain_term_name(const struct explained_term *term)
{
	static const struct { const char *key, *name; } names[] = {
		{ "assoc", "association" }, { "fairshare", "fair share" },
		{ "job_size", "job size" }, { "qos", "QOS" },
	};

	for (size_t i = 0; !term->is_tres && i < sizeof(names) / sizeof(*names); i++)
		if (!strcmp(names[i].key, term->key))
			return names[i].name;
	return term->key;
}

void say(const struct explain_answer *answer, const char *format, ...)
{
	va_list values;

	va_start(values, format);
	fputs(answer->between, answer->out);
	vfprintf(answer->out, format, values);
	va_end(values);
}
