/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * conf_check() tells the wrong line of a fathom.conf by its number, and its message may name the
 * number of another line. The lines here come from several files. So they are numbered from 1, to
 * find the pair that is wrong, and with it the file; and if one is, they are set and checked once
 * more with the numbers that they have in the site's files, for the message.
 */
#include "format/site/site_conf.h"

#include "conf/conf_check.h"
#include "conf/conf_lines.h"
#include "conf/conf_policy.h"
#include "format/job_settings.h"
#include "memory/need_memory.h"

#include <errno.h>
#include <string.h>

/* ---- fathom.conf -------------------------------------------------------------------------- */

/* Fails with "FILE:LINE: KEY: ERROR" at the origin of the pair. */
static _Noreturn void wrong(const struct site_pair *pair, const char *key,
			    const struct fathom_error *error)
{
	need_done(error->code == ENOMEM);	/* ends the command if it is out of memory */
	wrong_at(AT_ORIGIN(pair->origin), "%s: %s", key, error->text);
}

/* Adds a line to the configuration under this number. */
static void set_line(struct fathom_conf *conf, const struct site_line *line, unsigned number)
{
	const struct conf_line *kind = conf_line_find(line->pair->key);
	struct fathom_error error;
	void *object = NULL;

	for (size_t i = 0; i < line->count; i++) {
		const struct site_pair *pair = &line->pair[i];
		int status = 0;

		if (!kind)	/* a general key */
			status = conf_set(conf, pair->key, pair->value, number, &error);
		else if (!i)
			object = kind->begin(conf, pair->value, number, &error);
		else
			status = conf_line_set(kind, object, pair->key, pair->value, &error);
		if (status || (kind && !object))
			wrong(pair, pair->key, &error);
	}
}

/* Numbers for the lines of a configuration. */
enum numbering { IN_ORDER, BY_ORIGIN };

/* Makes the configuration of all lines. */
static void set_lines(struct fathom_conf *conf, const struct site_lines *lines,
		      enum numbering numbering)
{
	*conf = conf_standard();
	for (size_t i = 0; i < lines->count; i++) {
		const struct site_line *line = &lines->line[i];
		size_t number = numbering == BY_ORIGIN ? line->pair->origin.line : i + 1;

		set_line(conf, line, (unsigned)number);
	}
}

/* Makes the configuration of all lines, and checks it. */
static void make_fathom_conf(const struct site_lines *lines, struct fathom_conf *conf)
{
	struct conf_fault fault, by_origin;

	set_lines(conf, lines, IN_ORDER);
	if (!conf_check(conf, &fault))
		return;
	need_done(!fault.line);		/* line 0: it is out of memory */
	conf_clear(conf);
	set_lines(conf, lines, BY_ORIGIN);
	by_origin = fault;
	conf_check(conf, &by_origin);
	wrong(lines->line[fault.line - 1].pair, by_origin.key, &by_origin.error);
}

/* ---- slurm.conf ----------------------------------------------------------------------------- */

void site_conf_set_slurm(struct job_settings *slurm, const struct site_settings *settings)
{
	const struct site_lines *lines = &settings->of[SITE_SLURM_CONF];

	for (size_t i = 0; i < lines->count; i++) {
		const struct site_pair *pair = lines->line[i].pair;
		struct fathom_error error;

		/* what no line of the site says gives way to what the file of jobs says */
		if (!pair->origin.line && job_settings_give(slurm, pair->key))
			continue;
		if (job_settings_know(pair->key) &&
		    job_settings_set(slurm, pair->key, pair->value, &error))
			wrong(pair, pair->key, &error);
	}
}

struct job_settings site_conf_slurm_of(const struct site_settings *settings)
{
	struct job_settings slurm = job_settings_standard();

	site_conf_set_slurm(&slurm, settings);
	return slurm;
}

/* ---- both ----------------------------------------------------------------------------------- */

NEED_DESTROYER(destroy_conf, conf_clear)

struct site_conf site_conf_of(const struct site_settings *settings)
{
	/* owned, so that it is freed even if something is wrong */
	struct fathom_conf *fathom = need_owned(need_object(sizeof(*fathom)), destroy_conf);

	make_fathom_conf(&settings->of[SITE_FATHOM_CONF], fathom);
	return (struct site_conf){ .fathom = *fathom, .slurm = site_conf_slurm_of(settings) };
}

void site_conf_choose(struct site_conf *conf, const char *scope, const struct fathom_policy *policy)
{
	struct conf_scope *without_line;	/* a scope that the settings lack */

	conf->scope = NULL;
	for (size_t i = 0; i < conf->fathom.scope_count; i++)
		if (!strcmp(conf->fathom.scope[i].name, scope))
			conf->scope = &conf->fathom.scope[i];
	if (conf->scope)
		return;
	without_line = need_object(sizeof(*without_line));
	*without_line = (struct conf_scope){ .name = need_text(scope), .policy = policy };
	conf->scope = without_line;
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

/* Writes KEY=VALUE, in quotes if the value has a character that is not known to be plain. */
static void put_pair(FILE *out, const struct site_pair *pair)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				    "0123456789_.,:+-/*@%=~[]()";
	const char *quote = pair->value[strspn(pair->value, plain)] ? "\"" : "";

	fprintf(out, "%s=%s%s%s", pair->key, quote, pair->value, quote);
}

/* Writes " # FILE:LINE", or nothing if the line comes from no file. A control character would end
 * the comment, and a '\' at its end continue it, so that both are written as '?'. */
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

void site_conf_write(FILE *out, const struct site_settings *settings, enum site_file file)
{
	const struct site_lines *lines = &settings->of[file];

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
