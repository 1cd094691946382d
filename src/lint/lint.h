/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks of a site's configuration: slurm.conf, fathom.conf, the tree, and more where it is known.
 * Each check is a row of a table, with what it finds, why that matters, and what to do. The table
 * stands at the end of the file with the functions. Checks
 * are pure: the caller reads files and asks the cluster, and puts what it knows into struct
 * lint_site.
 */
#pragma once

#include "conf/conf_parse.h"
#include "core/snapshot.h"
#include "format/site_files.h"
#include "format/slurm_conf.h"
#include "jobs/job_list.h"

/* error: slurmctld or the plugin does not accept it, or it cannot work. warning: it has no effect,
 * or one that is hardly meant. note: it is allowed, but may surprise. */
enum lint_severity { LINT_ERROR, LINT_WARNING, LINT_NOTE, LINT_SEVERITY_COUNT };

/* ---- what is known of the site ------------------------------------------------------ */

struct lint_qos {
	const char *name;
	double priority;
	bool preempts;		/* it preempts jobs of other QOS */
};

struct lint_user {
	const char *name;
	const char *default_account;	/* NULL: none */
};

/* What slurmctld tells of itself, as slurm.conf writes it; NULL: not told. */
struct lint_running {
	const char *key, *value;
};

/* All members may be 0: checks that need them are left out then. */
struct lint_site {
	const struct slurm_conf *slurm;
	const char *slurm_file;
	const struct fathom_conf *fathom;	/* also NULL if the file is wrong */
	const char *fathom_file;
	const struct conf_errors *fathom_errors;	/* what is wrong with it, or NULL */
	const struct snapshot *tree;
	const char *tree_file;			/* the file or the cluster */
	bool lacks_usage;	/* the tree comes from a file that has shares alone */
	const struct job_list *jobs;		/* with their weighted factors */
	const char *jobs_file;
	const char *held;	/* the numbers of the first jobs that fathom holds: "5,7" */
	size_t held_count;	/* of all of them */
	const struct lint_qos *qos;
	size_t qos_count;
	const char *const *tres;	/* those that slurmctld tracks, up to a NULL */
	const struct lint_user *user;
	size_t user_count;
	bool has_priorities;	/* the priorities of associations are known */
	double highest_priority;	/* of an association */
	const struct site_files *files;
	const struct lint_running *running;	/* up to one without a key */
};

/* ---- checks ------------------------------------------------------------------------- */

struct lint;

/* Looks for one thing and reports each place where it is. */
typedef void lint_check(struct lint *lint);

/* What a check cannot do without. */
enum lint_need { LINT_SLURM = 1, LINT_FATHOM = 2, LINT_TREE = 4, LINT_JOBS = 8, LINT_FILES = 16,
		 LINT_QOS = 32, LINT_USERS = 64, LINT_PRIORITIES = 128, LINT_RUNNING = 256,
		 LINT_USAGE = 512 };

struct lint_row {
	const char *code;
	enum lint_severity severity;
	unsigned needs;		/* bits of enum lint_need */
	lint_check *check;
	const char *title;	/* what it finds */
	const char *why;	/* why that matters; a sentence */
	const char *fix;	/* what to do, without a full stop */
	unsigned kind;		/* of fault or warning, for a function that several rows have */
};

size_t lint_row_count(void);
/* Returns a row by its number in the list of all; NULL after the last. */
const struct lint_row *lint_row_at(size_t index);
/* Returns "error", "warning" or "note". */
const char *lint_severity_name(enum lint_severity severity);

/* ---- findings ----------------------------------------------------------------------- */

#define LINT_TEXT_SIZE 512
#define LINT_MOST_HELD 32	/* jobs whose numbers fit into a text */

struct lint_finding {
	const struct lint_row *row;
	const char *file;	/* NULL: it is about no file */
	unsigned line;		/* 0: about no particular line */
	char key[64];		/* "": about no key */
	char text[LINT_TEXT_SIZE];	/* what is wrong, without a full stop */
	char fix[LINT_TEXT_SIZE];
};

struct lint_findings {
	struct lint_finding *finding;	/* by file, line and severity */
	size_t count;
	size_t of[LINT_SEVERITY_COUNT];	/* how many have a severity */
	size_t checks;			/* how many could be made */
};

/* Makes all checks for which the site is known well enough. */
struct lint_findings lint_run(const struct lint_site *site);
