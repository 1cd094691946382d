/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints an explanation as JSON; fathom-explain(1) describes the keys. */
#include "cli/complain.h"
#include "cli/explain/explain_answer.h"
#include "json/json.h"
#include "json/shares.h"

#include <math.h>
#include <stdlib.h>

#define MOST_TIME 253402300800.	/* seconds since 1970: the end of the year 9999 */

static void put(const char *text)
{
	json_put(stdout, text);
}

static void put_key(const char *key)
{
	put(",\n \"");
	put(key);
	put("\": ");
}

/* Times beyond the years that have four digits have no text. */
static void put_time(bool is_known, double time)
{
	json_put_number_key(stdout, "time", is_known ? time : NAN);
	if (is_known && fabs(time) < MOST_TIME)
		json_put_instant_key(stdout, "time_iso", (int64_t)time);
	else
		json_put_text_key(stdout, "time_iso", NULL);
}

static const struct snapshot *snapshot_of(const struct explain_answer *answer)
{
	return answer->explained->question->tree->tree->snapshot;
}

/* ---- who ------------------------------------------------------------------------------------- */

/* Writes account and user of a node, as the first keys of an object. */
static void put_node(const struct explain_answer *answer, size_t node)
{
	const struct snapshot *snapshot = snapshot_of(answer);
	bool is_user = fathom_tree_kind(snapshot->tree, node) == FATHOM_USER;

	put("\"account\": ");
	json_put_string(stdout, snapshot_account(snapshot, node));
	json_put_text_key(stdout, "user", is_user ? snapshot_name(snapshot, node) : NULL);
}

static void put_row(const struct job_row *row)
{
	put("\"job_id\": ");
	json_put_integer(stdout, row->id);
	json_put_text_key(stdout, "account", row->account);
	json_put_text_key(stdout, "user", row->user);
	json_put_text_key(stdout, "partition", row->partition);
	json_put_number_key(stdout, "priority", row->priority);
}

static double factor_at(const struct explain_answer *answer, size_t node)
{
	return answer->explained->question->tree->tree->columns.factor[node];
}

static double factor_of(const struct explain_answer *answer, const struct explained_one *one)
{
	const struct explain_question *question = answer->explained->question;

	if (one->row != EXPLAIN_NONE)
		return question->list->row[one->row].plain.factor[JOB_FAIRSHARE];
	return factor_at(answer, one->node);
}

static void put_ahead_user(const struct explain_answer *answer, const struct explained_one *one)
{
	size_t ahead = one->place.ahead;

	if (ahead == EXPLAIN_NONE) {
		put("null");
		return;
	}
	put("{");
	put_node(answer, ahead);
	json_put_number_key(stdout, "factor", factor_at(answer, ahead));
	put("}");
}

static void put_ahead(const struct explain_answer *answer, const struct explained_one *one)
{
	const struct explain_question *question = answer->explained->question;

	put(", \"ahead\": ");
	if (one->row == EXPLAIN_NONE) {
		put_ahead_user(answer, one);
	} else if (one->job_place.ahead == EXPLAIN_NONE) {
		put("null");
	} else {
		put("{");
		put_row(&question->list->row[one->job_place.ahead]);
		put("}");
	}
}

static void put_one(const struct explain_answer *answer, const struct explained_one *one)
{
	bool of_job = one->row != EXPLAIN_NONE;
	size_t rank = of_job ? one->job_place.rank : one->place.rank;
	size_t of = of_job ? one->job_place.of : one->place.of;

	put("{");
	if (of_job)
		put_row(&answer->explained->question->list->row[one->row]);
	else
		put_node(answer, one->node);
	json_put_number_key(stdout, "factor", factor_of(answer, one));
	json_put_number_key(stdout, "rank", rank ? (double)rank : NAN);
	json_put_number_key(stdout, "of", of != EXPLAIN_NONE ? (double)of : NAN);
	put_ahead(answer, one);
	put("}");
}

/* ---- path ------------------------------------------------------------------------------------ */

static void put_path(const struct explain_answer *answer, const struct explained_one *one)
{
	const struct evaluated_tree *tree = answer->explained->question->tree->tree;
	const struct json_shares shares = {
		.policy = tree->policy, .settings = &tree->settings,
		.snapshot = tree->snapshot, .columns = tree->columns, .rank = tree->rank,
	};

	put("[");
	for (size_t i = 0; i < one->path.count; i++) {
		put(i ? ",\n  " : "\n  ");
		json_put_association(stdout, &shares, one->path.node[i]);
	}
	put("]");
}

static void put_cost(const struct explain_answer *answer, const struct explained_cost *cost)
{
	put("{");
	put_node(answer, cost->node);
	if (cost->by != EXPLAIN_NONE) {
		json_put_text_key(stdout, "by", snapshot_name(snapshot_of(answer), cost->by));
		json_put_number_key(stdout, "part", cost->part);
	}
	json_put_number_key(stdout, "users", (double)cost->users);
	put("}");
}

/* ---- terms ----------------------------------------------------------------------------------- */

static void put_term_values(const struct explained_term *term)
{
	put("{\"value\": ");
	json_put_number(stdout, term->value);
	json_put_number_key(stdout, "weight", term->weight);
	json_put_number_key(stdout, "points", term->points);
	json_put_number_key(stdout, "share", term->share);
	put("}");
}

static void put_term(const struct explained_term *term)
{
	json_put_string(stdout, term->key);
	put(": ");
	put_term_values(term);
}

/* The terms of TRES are in an object of their own, as in fathom prio --json. */
static void put_terms(const struct explained_one *one, size_t count)
{
	bool is_first = true;

	put("{");
	for (size_t i = 0; i < count; i++) {
		if (one->terms[i].is_tres)
			continue;
		put(is_first ? "" : ",\n  ");
		put_term(&one->terms[i]);
		is_first = false;
	}
	put(",\n  \"tres\": {");
	is_first = true;
	for (size_t i = 0; i < count; i++) {
		if (!one->terms[i].is_tres)
			continue;
		put(is_first ? "" : ", ");
		put_term(&one->terms[i]);
		is_first = false;
	}
	put("}}");
}

/* ---- formulas ---------------------------------------------------------------------------- */

static void put_formula(const struct explain_answer *answer, size_t which)
{
	const struct job_list *list = answer->explained->question->list;
	const struct job_row *row = explain_formula_row(answer, which);

	if (!list || !list->formula)
		return;
	put_key(which ? "formula_of_whom" : "formula");
	put("{\"text\": ");
	json_put_string(stdout, list->formula);
	json_put_number_key(stdout, "scale", list->formula_scale);
	json_put_number_key(stdout, "value", row ? row->value : NAN);
	json_put_number_key(stdout, "priority", row ? row->formula : NAN);
	put(", \"names\": {");
	for (size_t i = 0; row && i < answer->explained->question->formula->input_count; i++) {
		put(i ? ", " : "");
		json_put_string(stdout, answer->explained->question->formula->input_name[i]);
		put(": ");
		json_put_number(stdout, row->input[i]);
	}
	put("}}");
}

/* ---- pairs ---------------------------------------------------------------------------- */

static void put_parting_node(const struct explain_answer *answer, size_t node)
{
	const struct explained_tree *tree = answer->explained->question->tree;
	const struct policy_comparison *comparison = explain_comparison(tree);

	put("{");
	put_node(answer, node);
	if (comparison)
		json_put_number_key(stdout, "figure", explain_figure(tree, node));
	put("}");
}

static void put_level(const struct explain_answer *answer)
{
	const struct explained_parting *parting = &answer->explained->parting;
	const struct fathom_tree *tree = snapshot_of(answer)->tree;
	bool are_users = fathom_tree_kind(tree, parting->who) == FATHOM_USER &&
			 fathom_tree_kind(tree, parting->whom) == FATHOM_USER;

	put("{\"level\": ");
	json_put_string(stdout, are_users ? "user" : "account");
	json_put_text_key(stdout, "below", snapshot_name(snapshot_of(answer), parting->below));
	put(", \"who\": ");
	put_parting_node(answer, parting->who);
	put(", \"whom\": ");
	put_parting_node(answer, parting->whom);
	put("}");
}

static void put_factor(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;
	size_t term = explained->parting_term;

	put("{\"factor\": ");
	json_put_string(stdout, explained->one[0].terms[term].key);
	put(", \"who\": ");
	put_term_values(&explained->one[0].terms[term]);
	put(", \"whom\": ");
	put_term_values(&explained->one[1].terms[term]);
	if (explain_parts_in_tree(answer)) {
		put(", \"tree\": ");
		put_level(answer);
	}
	put("}");
}

static void put_change(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;
	const struct explained_change *change = &explained->change;
	const struct explained_one *one = &explained->one[explained->behind];
	const struct explain_question *question = explained->question;

	put("{\"of\": ");
	json_put_string(stdout, explained->behind ? "whom" : "who");
	json_put_text_key(stdout, "what", explain_change_name(change->what));
	put(", ");
	if (change->node != EXPLAIN_NONE) {
		put_node(answer, change->node);
	} else {
		put("\"account\": ");
		json_put_string(stdout, question->list->row[one->row].account);
		json_put_text_key(stdout, "user", question->list->row[one->row].user);
	}
	json_put_number_key(stdout, "from", change->from);
	json_put_number_key(stdout, "to", change->to);
	put("}");
}

/* Writes a list of the words whose flags are set, unless none is. */
static void put_words(const char *key, const char *const words[], const bool flags[], size_t count)
{
	size_t found = 0;

	for (size_t i = 0; i < count; i++) {
		if (!flags[i])
			continue;
		if (!found++)
			put_key(key);
		put(found > 1 ? ", " : "[");
		json_put_string(stdout, words[i]);
	}
	put(found ? "]" : "");
}

/* Writes the kinds of change of which it is not known whether they would do. */
static void put_untried(const struct explained *explained)
{
	const char *words[CHANGE_COUNT];
	bool flags[CHANGE_COUNT];

	for (int i = 0; i < CHANGE_COUNT; i++) {
		words[i] = explain_change_name((enum explained_what)i);
		flags[i] = explain_is_untried(explained, (enum explained_what)i);
	}
	put_words("not_tried", words, flags, CHANGE_COUNT);
}

static void put_pair(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;

	put_key("whom");
	put_one(answer, &explained->one[1]);
	if (explained->one[1].path.count) {
		put_key("path_of_whom");
		put_path(answer, &explained->one[1]);
	}
	if (explained->term_count) {
		put_key("factors_of_whom");
		put_terms(&explained->one[1], explained->term_count);
		put_formula(answer, 1);
		put_key("parts_at");
		put_factor(answer);
	} else if (explained->has_parting && !explained->is_equal) {
		put_key("parts_at");
		put_level(answer);
	}
	if (explained->change.what != CHANGE_COUNT) {
		put_key("change");
		put_change(answer);
	}
	put_untried(explained);
}

/* ---- recovery ------------------------------------------------------------------------------- */

static void put_recovery(const struct explain_answer *answer, const char *sentence)
{
	const struct explained_recovery *recovery = &answer->recovery;
	bool has_time = answer->has_time && recovery->seconds >= 0;

	put_key("recover");
	put("{\"level\": ");
	json_put_number(stdout, answer->level);
	json_put_text_key(stdout, "idle", explain_idle_name(answer->idle));
	json_put_number_key(stdout, "seconds", recovery->seconds);
	put_time(has_time, (double)answer->time + recovery->seconds);
	json_put_number_key(stdout, "factor", recovery->factor);
	json_put_number_key(stdout, "factor_now",
			    factor_at(answer, answer->explained->one[0].node));
	json_put_text_key(stdout, "sentence", sentence);
	put("}");
}

/* ---- all ------------------------------------------------------------------------------------- */

/* Writes what PrivateData may hide. */
static void put_hidden(const struct explain_answer *answer)
{
	static const char *const words[] = { "usage", "jobs" };
	const bool flags[] = { explain_hides_usage(answer), explain_hides_jobs(answer) };

	put_words("hidden", words, flags, 2);
}

static void put_first(const struct explain_answer *answer)
{
	const struct explained *explained = answer->explained;
	const struct explained_one *one = &explained->one[0];

	put_key("who");
	put_one(answer, one);
	if (one->path.count) {
		put_key("path");
		put_path(answer, one);
	}
	if (one->cost.node != EXPLAIN_NONE) {
		put_key("costs_most");
		put_cost(answer, &one->cost);
	}
	if (explained->term_count) {
		put_key("factors");
		put_terms(one, explained->term_count);
		put_formula(answer, 0);
	}
}

static void put_answer(const struct explain_answer *answer, const char *sentence)
{
	json_begin(stdout, "fathom-explain", 1);
	put_key("policy");
	json_put_string(stdout, fathom_policy_name(answer->policy));
	put_time(answer->has_time, (double)answer->time);
	put_hidden(answer);
	put_first(answer);
	if (answer->explained->question->count == 2)
		put_pair(answer);
	if (answer->has_recovery)
		put_recovery(answer, sentence);
	put_key("sentence");
	json_put_string(stdout, sentence);
	put("}\n");
}

int print_explanation_json(const struct explain_answer *answer)
{
	char *sentence = explain_text(answer, " ");

	if (!sentence)
		return complain("out of memory");
	put_answer(answer, sentence);
	free(sentence);
	return 0;
}
