/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks of hosts: does each have the plugin, the same as the others; does slurmctld run it; may it
 * write its files. What the files say is checked by src/lint.
 */
#pragma once

#include "fathom.h"

#include <stdbool.h>
#include <stddef.h>

#define JSON_DOCTOR_FORMAT "fathom-doctor"
#define JSON_DOCTOR_VERSION 1

struct site_files;

/* DOCTOR_UNKNOWN: the caller may not look at it, or it shows nowhere. */
enum doctor_state { DOCTOR_WELL, DOCTOR_UNKNOWN, DOCTOR_WRONG, DOCTOR_STATE_COUNT };

/* What a check has found. */
struct doctor_row {
	const char *host, *check;
	enum doctor_state state;
	const char *text;	/* NULL: the check does not concern this host */
	const char *fix;	/* what to do if it is wrong */
	/* Rows of one check and kind have the same sum on all hosts. NULL: not compared. */
	const char *kind, *sum;
};

/* Start with all members 0. */
struct doctor_report {
	struct doctor_row *row;
	size_t count;
};

/* A file that each pass writes. */
struct doctor_file {
	const char *path;	/* NULL: there is none */
	const char *old;	/* a sentence, if no pass has written it for too long */
};

/* What is known of a host and its Slurm. NULL: not known. */
struct doctor_site {
	const char *host;
	const char *fathom_conf;	/* path of the file, which need not exist */
	const char *plugin_dir, *state, *slurm_user, *auth_type, *auth_info;
	unsigned release;	/* for which the plugin must be, as SLURM_VERSION_NUM() has it; 0:
				 * that of Slurm's own plugins beside it, or of slurmctld */
	const struct site_files *files;
	/* of the running slurmctld */
	const char *why;	/* it does not answer, and why; NULL: it does, or was not asked */
	bool answers;
	unsigned running_release;
	bool is_here;		/* on this host */
	const char *priority_type;	/* of its configuration */
	const char *loaded_type;	/* of the plugin in its memory */
	bool is_replaced;	/* the file of that plugin was replaced since */
	const char *told;	/* the fathom.conf that its plugin tells, see conf_told.h; NULL: it
				 * tells none */
	struct doctor_file figures, metrics;	/* FiguresFile and MetricsFile */
	const char *database_fault;	/* why slurmdbd does not answer this host; NULL: it does */
	bool has_database;
};

const char *doctor_state_name(enum doctor_state state);
/* Appends a row, with all members 0. */
struct doctor_row *doctor_add_row(struct doctor_report *report);
/* Notes what a check has found. */
void doctor_found(struct doctor_row *row, enum doctor_state state, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Reads the values of slurm.conf. -1: it cannot be read. */
int doctor_read_slurm_conf(struct doctor_site *site, const char *path, struct fathom_error *error);
/* Makes all checks of a host. */
void doctor_check_host(struct doctor_report *report, struct doctor_site *site);
/* Finds what differs from the first host that has it. */
void doctor_compare_hosts(struct doctor_report *report);
/* Returns how many rows are wrong. */
size_t doctor_count_wrong(const struct doctor_report *report);
