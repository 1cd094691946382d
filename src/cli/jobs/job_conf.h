/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A site's fathom.conf among the files of --from: the policy and the scopes by which jobs of files
 * are evaluated. */
#pragma once

#include "conf/conf.h"
#include "format/accounting/sources.h"
#include "format/format.h"
#include "format/recorded.h"
#include "format/site/site_settings.h"
#include "jobs/job_evaluate.h"

struct job_conf {
	bool is_given;
	bool is_within;			/* it stands in a snapshot; another may take its place */
	const char *name;		/* of the file */
	char name_within[CONF_PATH_SIZE];
	struct fathom_conf conf;	/* the standard one, if none is given */
	struct job_scope *scope;	/* room for its scopes */
	char formula_key[CONF_PATH_SIZE + 32];	/* "FILE:LINE: Formula" */
};

/* Makes it that of no file. */
void job_conf_init(struct job_conf *conf);
/* Returns whether the file is a fathom.conf. format: what it is recognised as, or NULL. */
bool job_conf_recognize(const struct format *format, const struct document *file);
/* Reads the file. It is the configuration that the sources are added up by. */
void job_conf_read(struct job_conf *conf, struct document *file, struct sources *sources);
/* Like job_conf_read(), for a text from a snapshot; file: the snapshot's name. */
void job_conf_read_within(struct job_conf *conf, const char *file, const char *text);
/* Takes the configuration that files of settings stand for, which has no scopes. formula: of which
 * it has the formula, or NULL. */
void job_conf_take(struct job_conf *conf, struct fathom_conf *from,
		   const struct site_pair *formula);
/* Refuses what needs a running cluster: hosts and usage of scopes, and resource groups. */
void job_conf_refuse(const struct job_conf *conf);
/* Checks whether the scopes fit the partitions that the file of jobs describes, as the plugin
 * checks those of slurm.conf. */
void job_conf_check(const struct job_conf *conf, const struct jobs *jobs, const char *jobs_name);
/* Gives jobs that do not tell the priority of their bank that of BankPriority. */
void job_conf_set_banks(const struct job_conf *conf, struct jobs *jobs);
/* Sets the rule's settings of its policy, and its scopes. These stay until the next call. pass: of
 * a FiguresFile, whose scopes have usage of their own; or NULL. */
void job_conf_set_rule(const struct job_conf *conf, const struct job_settings *slurm,
		       const struct recorded_pass *pass, struct job_rule *rule);
/* Prints what the scopes are evaluated by, and which lines have no effect on files. */
void job_conf_summary(const struct job_conf *conf);
