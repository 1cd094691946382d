/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Runs the checks of all tables and collects what they find. */
#include "lint/lint_context.h"

#include "memory/need_memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- rows --------------------------------------------------------------------------- */

const struct lint_row *lint_row_at(size_t index)
{
	static const struct lint_row *const tables[] = {
		lint_file_rows, lint_flag_rows, lint_weight_rows, lint_decay_rows, lint_tres_rows,
		lint_tree_rows, lint_fathom_rows, lint_global_rows, lint_partition_rows,
	};

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		for (const struct lint_row *row = tables[i]; row->code; row++)
			if (!index--)
				return row;
	return NULL;
}

size_t lint_row_count(void)
{
	size_t count = 0;

	while (lint_row_at(count))
		count++;
	return count;
}

const char *lint_severity_name(enum lint_severity severity)
{
	static const char *const names[] = { "error", "warning", "note" };

	return names[severity];
}

/* ---- names in a text ---------------------------------------------------------------- */

#define MOST_NAMED 3	/* names in a finding; the others are counted */

void some_names_add(struct some_names *names, const char *name)
{
	size_t length = strlen(names->text);

	if (names->count++ < MOST_NAMED)
		snprintf(names->text + length, sizeof(names->text) - length, "%s%.60s",
			 length ? ", " : "", name);
}

const char *some_names_text(struct some_names *names)
{
	size_t length = strlen(names->text);

	if (names->count > MOST_NAMED)
		snprintf(names->text + length, sizeof(names->text) - length, " and %zu more",
			 names->count - MOST_NAMED);
	return names->text;
}

/* ---- findings ----------------------------------------------------------------------- */

/* Adds a finding of the check that is made; see lint_in_file(). */
static void report(struct lint *lint, const char *file, unsigned line, const char *key,
		   const char *format, va_list arguments)
{
	struct lint_findings *all = lint->findings;
	struct lint_finding *finding = need_append(&all->finding, &all->count, sizeof(*finding));

	all->of[lint->row->severity]++;
	*finding = (struct lint_finding){ .row = lint->row, .file = file, .line = line };
	snprintf(finding->key, sizeof(finding->key), "%.60s", key ? key : "");
	snprintf(finding->fix, sizeof(finding->fix), "%s", lint->row->fix);
	vsnprintf(finding->text, sizeof(finding->text), format, arguments);
}

void lint_in_slurm(struct lint *lint, const char *key, const char *format, ...)
{
	const struct slurm_pair *pair = key ? slurm_conf_find(lint->site->slurm, key) : NULL;
	va_list arguments;

	va_start(arguments, format);
	report(lint, pair ? pair->file : lint->site->slurm_file, pair ? pair->line : 0, key,
	       format, arguments);
	va_end(arguments);
}

void lint_in_file(struct lint *lint, const char *file, unsigned line, const char *key,
		  const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	report(lint, file, line, key, format, arguments);
	va_end(arguments);
}

void lint_without_weight(struct lint *lint, const struct slurm_pair *pair, const char *what,
			 enum lint_key weight)
{
	if (lint_number(lint, weight) <= 0 && !lint_fathom_gives(lint, CONF_FORMULA))
		lint_at(lint, pair, "%s has no effect, as %s is 0", what, lint_key_name(weight));
}

void lint_fix(struct lint *lint, const char *format, ...)
{
	struct lint_finding *last = &lint->findings->finding[lint->findings->count - 1];
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(last->fix, sizeof(last->fix), format, arguments);
	va_end(arguments);
}

void lint_suggest(struct lint *lint, const struct suggestion *suggestion)
{
	if (suggestion->name)
		lint_fix(lint, "write %s", suggestion->name);
}

/* ---- the run ------------------------------------------------------------------------ */

/* Returns what is known of the site: bits of enum lint_need. */
static unsigned known(const struct lint_site *site)
{
	return (site->slurm ? LINT_SLURM : 0u) | (site->fathom ? LINT_FATHOM : 0u) |
	       (site->tree ? LINT_TREE : 0u) | (site->jobs ? LINT_JOBS : 0u) |
	       (site->files ? LINT_FILES : 0u) | (site->qos ? LINT_QOS : 0u) |
	       (site->user ? LINT_USERS : 0u) | (site->has_priorities ? LINT_PRIORITIES : 0u) |
	       (site->running ? LINT_RUNNING : 0u) |
	       (site->tree && !site->lacks_usage ? LINT_USAGE : 0u);
}

/* Compares names of files; NULL comes last. */
static int compare_files(const char *a, const char *b)
{
	if (!a || !b)
		return !a - !b;
	return strcmp(a, b);
}

/* For qsort(): orders findings by file and line. Findings about a whole file come before those of
 * its lines, findings about no file come last. No two different findings are equal, so that the
 * order is the same in each run. */
static int compare(const void *x, const void *y)
{
	const struct lint_finding *a = x, *b = y;
	int order = compare_files(a->file, b->file);

	if (order)
		return order;
	if (a->line != b->line)
		return a->line < b->line ? -1 : 1;
	if (a->row->severity != b->row->severity)
		return a->row->severity < b->row->severity ? -1 : 1;
	order = strcmp(a->row->code, b->row->code);
	return order ? order : strcmp(a->text, b->text);
}

struct lint_findings lint_run(const struct lint_site *site)
{
	struct lint_findings findings = { 0 };
	struct lint lint = { .site = site, .findings = &findings };
	unsigned has = known(site);

	lint_read_values(&lint);
	for (size_t i = 0; (lint.row = lint_row_at(i)); i++) {
		if ((lint.row->needs & has) != lint.row->needs)
			continue;
		lint.row->check(&lint);
		findings.checks++;
	}
	if (findings.count)
		qsort(findings.finding, findings.count, sizeof(*findings.finding), compare);
	return findings;
}
