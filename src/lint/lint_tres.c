/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks of what is counted and charged: TRES, their weights, and billing weights of partitions.
 * Each check is a function whose row, at the end of the file, tells what it finds and why. */
#include "lint/lint_context.h"

#include "core/duration.h"
#include "format/job_settings.h"
#include "format/slurm/slurm_nodes.h"
#include "memory/need_memory.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

#define MEGABYTES_OF_GIGABYTE 1024
#define FAR_ABOVE 100 /* a gigabyte that weighs so many CPUs is a mistake */

/* A word of a list of weights, such as "Mem=0.25G". */
struct tres_weight {
	const char *name;	/* "Mem"; if is_wrong, what is before '=', or all of the word */
	double weight;		/* 0.25 */
	char unit;		/* 'G'; 0: the word has none */
	bool is_wrong;		/* the word does not have the form NAME=NUMBER[UNIT] */
};

/* ---- lists -------------------------------------------------------------------------- */

/* Returns what a word of a list of weights says. */
static struct tres_weight weight_of(const char *word)
{
	struct piece name = { word, strcspn(word, "=") };
	struct tres_weight weight = { .name = need_copy(name), .is_wrong = true };
	const char *end, *number = word + name.length;

	if (!*number || number == word || number_parse(number + 1, &weight.weight, &end))
		return weight;
	weight.unit = *end;
	weight.is_wrong = *end && (!strchr("KMGTPkmgtp", *end) || end[1]);
	return weight;
}

/* Returns whether it is known which TRES slurmctld tracks. */
static bool is_known(const struct lint *lint)
{
	const struct slurm_pair *listed = lint->value[KEY_STORAGE_TRES].pair;

	return lint->site->slurm && !lint->site->slurm->is_open &&
	       !(listed && listed->is_unknown);
}

/* Returns whether slurmctld tracks a TRES; true also if that is not known. */
static bool is_tracked(const struct lint *lint, const char *name)
{
	const struct slurm_pair *listed = lint->value[KEY_STORAGE_TRES].pair;
	const char *const *tres = lint->site->tres;

	for (size_t i = 0; job_tres_of_all[i]; i++)
		if (!strcasecmp(job_tres_of_all[i], name))
			return true;
	for (; tres && *tres; tres++)
		if (!strcasecmp(*tres, name))
			return true;
	if (!is_known(lint))
		return true;
	return lint_list_has(listed, name);
}

/* Adds a name, spelled as in formulas: gres_gpu for gres/gpu. */
static void add_name(const char *name, struct formula_names *names)
{
	char *copy = need_text(name);

	for (char *at = copy; *at; at++)
		if (!isalnum((unsigned char)*at))
			*at = '_';
	NEED_ADD(names->name, names->count, copy);
}

/* Adds the words of a formula that may be names of TRES, such as gres_gpu. */
static void add_words(const char *formula, struct formula_names *names)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789_";
	static const char *const types[] = { "bb_", "fs_", "gres_", "ic_", "license_" };

	while (*(formula += strcspn(formula, letters))) {
		struct piece word = { formula, strspn(formula, letters) };

		for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
			if (!strncmp(formula, types[i], strlen(types[i])))
				add_name(need_copy(word), names);
		formula += word.length;
	}
}

void lint_list_tres(const struct lint *lint, const char *formula, struct formula_names *names)
{
	const char *const *tres = lint->site->tres;

	for (size_t i = 0; job_tres_of_all[i]; i++)
		add_name(job_tres_of_all[i], names);
	for (const char **word = lint_words(lint_pair(lint, KEY_STORAGE_TRES)); *word; word++)
		add_name(*word, names);
	for (; tres && *tres; tres++)
		add_name(*tres, names);
	if (!is_known(lint) && !lint->site->tres)
		add_words(formula, names);
}

/* ---- weights ------------------------------------------------------------------------ */

/* Reports each TRES of a list of weights that is not tracked. */
static void report_unknown(struct lint *lint, const struct slurm_pair *pair)
{
	for (const char **word = lint_words(pair); *word; word++) {
		struct tres_weight weight = weight_of(*word);

		if (!weight.is_wrong && !is_tracked(lint, weight.name))
			lint_at(lint, pair, "'%s' is not a TRES of this cluster", weight.name);
	}
}

static void tres_weight_unknown(struct lint *lint)
{
	report_unknown(lint, lint_pair(lint, KEY_WEIGHT_TRES));
}

/* ---- TRESBillingWeights ------------------------------------------------------------- */

/* Returns TRESBillingWeights of all lines of partitions, also of PartitionName=DEFAULT; NULL ends
 * them. */
static const struct slurm_pair **list_billing(const struct lint *lint)
{
	const struct slurm_conf *slurm = lint->site->slurm;
	const struct slurm_pair **list = NULL;
	size_t count = 0, at = SLURM_CONF_NONE;

	while ((at = slurm_conf_next_line(slurm, "PartitionName", at)) != SLURM_CONF_NONE) {
		const struct slurm_pair *pair = slurm_conf_on_line(slurm, at, "TRESBillingWeights");

		if (pair && !pair->is_unknown)
			NEED_ADD(list, count, pair);
	}
	NEED_ADD(list, count, NULL);
	return list;
}

static void billing_wrong(struct lint *lint)
{
	for (const struct slurm_pair **pair = list_billing(lint); *pair; pair++)
		for (const char **word = lint_words(*pair); *word; word++) {
			struct tres_weight weight = weight_of(*word);

			if (weight.is_wrong)
				lint_at(lint, *pair, "'%s' is not TRES=weight, such as CPU=1.0 or "
					"Mem=0.25G", weight.name);
		}
}

static void billing_unknown(struct lint *lint)
{
	for (const struct slurm_pair **pair = list_billing(lint); *pair; pair++)
		report_unknown(lint, *pair);
}

/* Compares the weights of a CPU and of a gigabyte. */
static void billing_memory(struct lint *lint)
{
	for (const struct slurm_pair **pair = list_billing(lint); *pair; pair++) {
		double cpu = 0, gigabyte = 0;

		for (const char **word = lint_words(*pair); *word; word++) {
			struct tres_weight weight = weight_of(*word);

			if (!strcasecmp(weight.name, "cpu"))
				cpu = weight.weight;
			if (!strcasecmp(weight.name, "mem") && !weight.unit)
				gigabyte = weight.weight * MEGABYTES_OF_GIGABYTE;
		}
		if (cpu > 0 && gigabyte > cpu * FAR_ABOVE)
			lint_at(lint, *pair, "Mem has no unit, so a gigabyte costs as much as "
				"%.4g CPUs", gigabyte / cpu);
	}
}

/* Reports TRESBillingWeights by which no job is charged. */
static void billing_zero(struct lint *lint)
{
	for (const struct slurm_pair **pair = list_billing(lint); *pair; pair++) {
		bool charged = false;

		for (const char **word = lint_words(*pair); *word; word++) {
			struct tres_weight weight = weight_of(*word);

			charged |= weight.is_wrong || weight.weight > 0;
		}
		if (!charged)
			lint_at(lint, *pair, "all weights are 0, so jobs of the partition use "
				"nothing");
	}
}

/* A line on which a template may fill in TRESBillingWeights (is_open) does not count as one without
 * them. */
static void billing_some(struct lint *lint)
{
	const struct slurm_conf *slurm = lint->site->slurm;
	size_t with = SLURM_CONF_NONE, without = SLURM_CONF_NONE, at = SLURM_CONF_NONE;

	while ((at = lint_next_partition(lint, at)) != SLURM_CONF_NONE) {
		if (slurm_line_pair(slurm, at, "TRESBillingWeights"))
			with = at;
		else if (!slurm->pair[at].is_open)
			without = at;
	}
	if (with != SLURM_CONF_NONE && without != SLURM_CONF_NONE)
		lint_at(lint, &slurm->pair[without], "partition '%.60s' has no TRESBillingWeights, "
			"'%.60s' has", slurm->pair[without].value, slurm->pair[with].value);
}

/* Nothing is reported if a template may fill in TRESBillingWeights (is_open). */
static void max_tres_unused(struct lint *lint)
{
	const struct slurm_conf *slurm = lint->site->slurm;
	size_t at = SLURM_CONF_NONE;
	bool has_partition = false;

	if (!lint_has_flag(lint, "MAX_TRES") || slurm->is_open)
		return;
	while ((at = slurm_conf_next_line(slurm, "PartitionName", at)) != SLURM_CONF_NONE) {
		if (slurm->pair[at].is_open || slurm_conf_on_line(slurm, at, "TRESBillingWeights"))
			return;
		has_partition = true;
	}
	if (has_partition)
		lint_at(lint, lint_pair(lint, KEY_FLAGS), "MAX_TRES has no effect, as no partition "
			"has TRESBillingWeights");
}

/* ---- GRES --------------------------------------------------------------------------- */

/* Returns whether a list has the GRES, with or without a type: "gres/gpu" or "gres/gpu:a100=2". */
static bool has_gres(const struct slurm_pair *list, const char *gres)
{
	const char *rest = list ? list->value : "";
	size_t length = strlen(gres);
	struct piece word;

	while (lint_next_word(&rest, &word))
		/* strchr() also finds the NUL behind the last word */
		if (!strncasecmp(word.at, "gres/", 5) && !strncasecmp(word.at + 5, gres, length) &&
		    strchr(":=, \t", word.at[5 + length]))
			return true;
	return false;
}

/* Reports a GRES of GresTypes that AccountingStorageTRES lacks, unless a template may fill that
 * in. */
static void gres_untracked(struct lint *lint)
{
	const struct slurm_pair *types = lint_pair(lint, KEY_GRES_TYPES);
	const struct slurm_pair *tracked = lint->value[KEY_STORAGE_TRES].pair;
	bool can_tell = tracked ? !tracked->is_unknown
				: lint_lacks_key(lint, KEY_STORAGE_TRES);

	for (const char **word = lint_words(types); can_tell && *word; word++)
		if (!has_gres(tracked, *word))
			lint_at(lint, types, "AccountingStorageTRES does not have gres/%s", *word);
}

/* Reports a GRES that no billing weights have, at the last of them, if there are any. */
static void gres_free(struct lint *lint)
{
	const struct slurm_pair **billing = list_billing(lint);

	for (const char **word = lint_words(lint_pair(lint, KEY_GRES_TYPES)); *word; word++) {
		const struct slurm_pair **pair = billing;

		while (*pair && !has_gres(*pair, *word))
			pair++;
		if (pair > billing && !*pair)	/* at the end of the list */
			lint_at(lint, pair[-1], "no TRESBillingWeights has GRES/%s", *word);
	}
}

/* ---- the rows ----------------------------------------------------------------------- */

const struct lint_row lint_tres_rows[] = {
	{ "tres-weight-unknown", LINT_ERROR, LINT_SLURM, tres_weight_unknown,
	  "PriorityWeightTRES with a TRES that is not tracked",
	  "slurmctld then ignores all of PriorityWeightTRES.",
	  .fix = "add the TRES to AccountingStorageTRES, or correct the name" },
	{ "billing-wrong", LINT_ERROR, LINT_SLURM, billing_wrong,
	  "TRESBillingWeights that cannot be read",
	  "slurmctld does not start with them.",
	  .fix = "write TRES=weight with a unit of K, M, G, T or P, or none" },
	{ "billing-unknown", LINT_ERROR, LINT_SLURM, billing_unknown,
	  "TRESBillingWeights with a TRES that is not tracked",
	  "slurmctld does not start with them.",
	  .fix = "add the TRES to AccountingStorageTRES, or correct the name" },
	{ "billing-memory", LINT_WARNING, LINT_SLURM, billing_memory,
	  "a billing weight of memory without a unit",
	  "A weight of Mem without a unit counts for each megabyte.",
	  .fix = "write the weight of a gigabyte, such as Mem=0.25G" },
	{ "billing-zero", LINT_WARNING, LINT_SLURM, billing_zero,
	  "billing weights that are all 0",
	  "Jobs there lower nobody's fair share.",
	  .fix = "remove TRESBillingWeights to charge CPUs, or keep it if the partition is free" },
	{ "billing-some", LINT_NOTE, LINT_SLURM, billing_some,
	  "TRESBillingWeights in some partitions only",
	  "Without them a job is charged its CPUs, so the same job costs different amounts.",
	  .fix = "set them on PartitionName=DEFAULT, before all partitions" },
	{ "max-tres-unused", LINT_WARNING, LINT_SLURM, max_tres_unused,
	  "MAX_TRES without TRESBillingWeights",
	  "Without them only CPUs are charged, and the flag changes nothing.",
	  .fix = "give partitions TRESBillingWeights, or remove the flag" },
	{ "gres-untracked", LINT_WARNING, LINT_SLURM, gres_untracked,
	  "a GRES that is not in AccountingStorageTRES",
	  "Jobs are not charged for it, and no weight can name it.",
	  .fix = "add it, such as AccountingStorageTRES=gres/gpu" },
	{ "gres-free", LINT_NOTE, LINT_SLURM, gres_free,
	  "a GRES that no TRESBillingWeights name",
	  "Partitions have billing weights, but jobs are not charged for it.",
	  .fix = "add it, such as GRES/gpu=16" },
	{ .code = NULL },
};
