/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks of a site's configuration: slurm.conf, fathom.conf, the tree, and more if it is known.
 * Each check is a row of a table, with what it finds, why that matters, and what to do. The table
 * is at the end of the file that has the checks' functions. Checks are pure: the caller reads files
 * and asks the cluster, and puts what it knows into struct lint_site.
 */
#pragma once

#include "conf/conf_parse.h"
#include "core/snapshot.h"
#include "format/default_accounts.h"
#include "format/site_files.h"
#include "format/slurm_conf.h"
#include "jobs/job_list.h"

/* How bad a finding is. error: slurmctld or the plugin does not accept it, or it cannot work.
 * warning: it has no effect, or one that is hardly meant. note: it is allowed, but may surprise. */
enum lint_severity { LINT_ERROR, LINT_WARNING, LINT_NOTE, LINT_SEVERITY_COUNT };

/* ---- what is known of the site ------------------------------------------------------ */

struct lint_qos {
	const char *name;
	double priority;
	bool preempts;		/* it preempts jobs of other QOS */
};

/* A key that slurmctld has in force, with its value as slurm.conf writes it; value NULL: not
 * known. */
struct lint_running {
	const char *key, *value;
};

/* What is known of the site. A member that is not known is 0, and checks that need it are left
 * out. */
struct lint_site {
	const struct slurm_conf *slurm;
	const char *slurm_file;			/* its path, for findings */
	const struct fathom_conf *fathom;	/* also NULL if the file is wrong */
	const char *fathom_file;		/* its path, for findings */
	const struct conf_errors *fathom_errors;	/* NULL: the file is not wrong */
	const struct snapshot *tree;
	const char *tree_file;	/* path of the file it is from; NULL: it is from the cluster */
	bool lacks_usage;	/* the tree is from a file that has shares alone */
	const struct job_list *jobs;	/* with their weighted factors */
	const char *jobs_file;	/* path of the file they are from; NULL: they are from the
				 * cluster */
	const char *held;	/* numbers of the first LINT_MOST_HELD jobs that fathom
				 * holds: "5,7" */
	size_t held_count;	/* number of all jobs that fathom holds */
	const struct lint_qos *qos;
	size_t qos_count;
	const char *const *tres;	/* names of the TRES that slurmctld tracks; ends with
					 * NULL */
	const struct default_account *user;	/* account: "" or NULL: none */
	size_t user_count;
	bool has_priorities;	/* the priorities of associations are known */
	double highest_priority;	/* the highest of these */
	const struct site_files *files;	/* plugins, folders and files on this host */
	const struct lint_running *running;	/* ends with an element without a key */
};

/* ---- checks ------------------------------------------------------------------------- */

struct lint;

/* Makes one check: reports each place at which it finds something. */
typedef void lint_check(struct lint *lint);

/* What a check needs: members of struct lint_site. LINT_USAGE: a tree with usage. */
enum lint_need { LINT_SLURM = 1, LINT_FATHOM = 2, LINT_TREE = 4, LINT_JOBS = 8, LINT_FILES = 16,
		 LINT_QOS = 32, LINT_USERS = 64, LINT_PRIORITIES = 128, LINT_RUNNING = 256,
		 LINT_USAGE = 512 };

/* A check. */
struct lint_row {
	const char *code;	/* its name for users, such as "key-twice" */
	enum lint_severity severity;
	unsigned needs;		/* bits of enum lint_need: without these, the check is left out */
	lint_check *check;
	const char *title;	/* what it finds; a noun */
	const char *why;	/* why that matters; a sentence */
	const char *fix;	/* what to do, without a full stop */
	/* If several rows have the same function, what this row is for: a kind of fault of
	 * slurm.conf, an enum conf_warning_kind, or an enum lint_key. */
	unsigned kind;
};

/* Returns the number of checks. */
size_t lint_row_count(void);
/* Returns a check; index: from 0. NULL: there are no more. */
const struct lint_row *lint_row_at(size_t index);
/* Returns "error", "warning" or "note". */
const char *lint_severity_name(enum lint_severity severity);

/* ---- findings ----------------------------------------------------------------------- */

#define LINT_TEXT_SIZE 512
#define LINT_MOST_HELD 32	/* jobs whose numbers fit into a text */

struct lint_finding {
	const struct lint_row *row;	/* the check that has found it */
	const char *file;	/* path; NULL: it is about no file, but about the cluster */
	unsigned line;		/* 0: it is about no particular line */
	char key[64];		/* "": it is about no key */
	char text[LINT_TEXT_SIZE];	/* what is wrong, without a full stop */
	char fix[LINT_TEXT_SIZE];	/* what to do, without a full stop */
};

struct lint_findings {
	struct lint_finding *finding;	/* sorted by file, line and severity */
	size_t count;
	size_t of[LINT_SEVERITY_COUNT];	/* by severity: how many findings have it */
	size_t checks;			/* how many checks were made */
};

/* Makes all checks for which enough is known of the site. The findings point into the site. */
struct lint_findings lint_run(const struct lint_site *site);
