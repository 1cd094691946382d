/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The configuration is made twice if its lines contradict each other. Lines that are numbered from
 * 1 tell which of them is wrong. The message may name another line, and so is that of lines with
 * the numbers that they have in the site's files.
 */
#include "format/site/site_conf.h"

#include "conf/conf_check.h"
#include "conf/conf_general.h"
#include "conf/conf_lines.h"
#include "conf/conf_policy.h"
#include "core/error.h"
#include "format/job_settings.h"

#include <errno.h>
#include <string.h>

/* ---- fathom.conf -------------------------------------------------------------------------- */

/* "FILE:LINE: Key: what is wrong"; without a line if no line says it. Returns -1. */
static int wrong(const struct site_pair *pair, const char *key, const char *text,
		 struct fathom_error *error)
{
	const struct site_origin *origin = &pair->origin;

	if (origin->line)
		return fathom_error_set(error, EINVAL, "%s:%zu: %s: %s", origin->file, origin->line,
					key, text);
	return fathom_error_set(error, EINVAL, "%s: %s: %s", origin->file, key, text);
}

static int set_line(struct fathom_conf *conf, const struct site_line *line, unsigned number,
		    struct fathom_error *error)
{
	const struct conf_line *kind = conf_line_find(line->pair->key);
	struct fathom_error inner;

	for (size_t i = 0; i < line->count; i++) {
		const struct site_pair *pair = &line->pair[i];
		int status;

		if (!kind)
			status = conf_set(conf, pair->key, pair->value, number, &inner);
		else if (!i)
			status = kind->begin(conf, pair->value, number, &inner);
		else
			status = conf_line_set(kind, conf, pair->key, pair->value, &inner);
		if (status)
			return wrong(pair, pair->key, inner.text, error);
	}
	return 0;
}

static int set_lines(struct fathom_conf *conf, const struct site_lines *lines, bool by_origin,
		     struct fathom_error *error)
{
	*conf = conf_standard();
	for (size_t i = 0; i < lines->count; i++) {
		const struct site_line *line = &lines->line[i];
		size_t number = by_origin ? line->pair->origin.line : i + 1;

		if (set_line(conf, line, (unsigned)number, error))
			return -1;
	}
	return 0;
}

/* The contradiction is that of fault->line, counted from 1; 0: out of memory. */
static int complain_of_fault(const struct site_lines *lines, const struct conf_fault *fault,
			     struct fathom_error *error)
{
	struct conf_fault by_origin = *fault;
	struct fathom_conf conf;
	int status;

	if (!fault->line)
		return fathom_error_no_memory(error);
	if (!set_lines(&conf, lines, true, error))
		conf_check(&conf, &by_origin);
	status = wrong(lines->line[fault->line - 1].pair, by_origin.key, by_origin.error.text,
		       error);
	conf_clear(&conf);
	return status;
}

static int make_fathom_conf(const struct site_lines *lines, struct fathom_conf *conf,
			    struct fathom_error *error)
{
	struct conf_fault fault;
	int status = set_lines(conf, lines, false, error);

	if (!status && conf_check(conf, &fault))
		status = complain_of_fault(lines, &fault, error);
	return status;
}

/* ---- slurm.conf ----------------------------------------------------------------------------- */

int site_conf_set_slurm(struct job_settings *slurm, const struct site_settings *settings,
			struct fathom_error *error)
{
	const struct site_lines *lines = &settings->of[SITE_SLURM_CONF];

	for (size_t i = 0; i < lines->count; i++) {
		const struct site_pair *pair = lines->line[i].pair;
		struct fathom_error inner;

		if (job_settings_know(pair->key) &&
		    job_settings_set(slurm, pair->key, pair->value, &inner))
			return wrong(pair, pair->key, inner.text, error);
	}
	return 0;
}

/* ---- both ----------------------------------------------------------------------------------- */

int site_conf_make(const struct site_settings *settings, struct site_conf *conf,
		   struct fathom_error *error)
{
	conf->scope = NULL;
	conf->slurm = job_settings_standard();
	if (!make_fathom_conf(&settings->of[SITE_FATHOM_CONF], &conf->fathom, error) &&
	    !site_conf_set_slurm(&conf->slurm, settings, error))
		return 0;
	site_conf_clear(conf);
	return -1;
}

void site_conf_clear(struct site_conf *conf)
{
	conf_clear(&conf->fathom);
	conf->slurm = job_settings_standard();
	conf->scope = NULL;
}

void site_conf_choose(struct site_conf *conf, const char *scope)
{
	for (size_t i = 0; i < conf->fathom.scope_count; i++)
		if (!strcmp(conf->fathom.scope[i].name, scope))
			conf->scope = &conf->fathom.scope[i];
}

const struct fathom_policy *site_conf_policy(const struct site_conf *conf)
{
	const struct conf_slurm slurm = job_settings_slurm(&conf->slurm);

	if (conf->scope && conf->scope->policy)
		return conf->scope->policy;
	return conf_policy_in_force(&conf->fathom, &slurm);
}

struct fathom_settings site_conf_settings(const struct site_conf *conf,
					  const struct fathom_policy *policy)
{
	const struct conf_slurm slurm = job_settings_slurm(&conf->slurm);

	return conf->scope ? conf_scope_settings(&conf->fathom, &slurm, conf->scope, policy)
			   : conf_settings(&conf->fathom, &slurm, policy);
}

/* ---- text ----------------------------------------------------------------------------------- */

static void put_pair(FILE *out, const struct site_pair *pair)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_.,:+-/*@%=~[]()";
	const char *quote = pair->value[strspn(pair->value, plain)] ? "\"" : "";

	fprintf(out, "%s=%s%s%s", pair->key, quote, pair->value, quote);
}

/* What a comment cannot have is written as '?'. */
static void put_origin(FILE *out, const struct site_origin *origin)
{
	if (!*origin->file)
		return;
	fputs(" # ", out);
	for (const char *at = origin->file; *at; at++)
		putc((unsigned char)*at < ' ' || *at == '\\' ? '?' : *at, out);
	if (origin->line)
		fprintf(out, ":%zu", origin->line);
}

void site_conf_write(FILE *out, const struct site_settings *settings, enum site_file which)
{
	const struct site_lines *lines = &settings->of[which];

	for (size_t i = 0; i < lines->count; i++) {
		const struct site_line *line = &lines->line[i];

		for (size_t j = 0; j < line->count; j++) {
			fputs(j ? " " : "", out);
			put_pair(out, &line->pair[j]);
		}
		put_origin(out, &line->pair->origin);
		putc('\n', out);
	}
}
