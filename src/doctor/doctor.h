/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Checks of hosts, for `fathom doctor`: that each host has the plugin, and all the same one; that
 * slurmctld runs it, and may write its files. src/lint checks what the files of configuration say.
 */
#pragma once

#include "fathom.h"

#include <stdbool.h>
#include <stddef.h>

#define JSON_DOCTOR_FORMAT "fathom-doctor"
#define JSON_DOCTOR_VERSION 1

struct site_files;

/* What a check has found. DOCTOR_UNKNOWN: the user of fathom may not see it, or nobody can. */
enum doctor_state { DOCTOR_WELL, DOCTOR_UNKNOWN, DOCTOR_WRONG };

/* A check of a host. Texts are in the memory of the command. */
struct doctor_row {
	const char *host;
	const char *check;	/* name of the check */
	enum doctor_state state;
	const char *text;	/* what was found; NULL: the check does not concern this host */
	const char *fix;	/* what to do, if the state is DOCTOR_WRONG; else NULL */
	/* A checksum of a file. Rows with the same check and kind must have the same sum on all
	 * hosts. NULL: not compared. */
	const char *kind, *sum;
};

/* Start with all members 0. */
struct doctor_report {
	struct doctor_row *row;
	size_t count;
};

/* A file that each pass writes. */
struct doctor_file {
	const char *path;	/* NULL: none is set, or it is not known */
	const char *old;	/* a sentence that no pass has written it for too long; NULL: one
				 * has */
};

/* What is known of a host and its Slurm. Texts are NULL if they are not known. */
struct doctor_site {
	const char *host;
	const char *fathom_conf;	/* path of the file, which need not exist */
	/* of slurm.conf; state: StateSaveLocation */
	const char *plugin_dir, *state, *slurm_user, *auth_type, *auth_info;
	unsigned release;	/* for which the plugin must be, as SLURM_VERSION_NUM() gives it; 0:
				 * that of Slurm's own plugins beside it, or of slurmctld */
	const struct site_files *files;	/* set by doctor_check_host() */
	/* of the running slurmctld: */
	const char *why;	/* why it does not answer; NULL: it does, or was not asked */
	bool answers;
	unsigned running_release;	/* as SLURM_VERSION_NUM() gives it; 0: not known */
	bool is_here;		/* it runs on this host */
	const char *priority_type;	/* PriorityType of its configuration */
	const char *loaded_type;	/* PriorityType of the plugin in its memory */
	bool is_replaced;	/* the plugin's file was replaced after it was loaded */
	/* the fathom.conf that its plugin shows to clients, see conf_told.h; NULL: it shows none */
	const char *told;
	struct doctor_file figures, metrics;	/* FiguresFile and MetricsFile */
	/* of slurmdbd: */
	/* why it does not answer this host; NULL: it does, or was not asked */
	const char *database_fault;
	bool has_database;	/* slurm.conf has slurmdbd, and it was asked */
};

/* Returns the state as a word. */
const char *doctor_state_name(enum doctor_state state);
/* Appends a row, with all members 0. The pointer is valid until the next row is added. */
struct doctor_row *doctor_add_row(struct doctor_report *report);
/* Sets the state and the text of a row. */
void doctor_found(struct doctor_row *row, enum doctor_state state, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Sets the members of `site` that are from slurm.conf, and fathom_conf, a file beside it. -1: the
 * file cannot be read, and nothing is set. */
int doctor_read_slurm_conf(struct doctor_site *site, const char *path, struct fathom_error *error);
/* Makes all checks of this host, and adds a row for each that concerns it. Sets site->files. */
void doctor_check_host(struct doctor_report *report, struct doctor_site *site);
/* Makes rows wrong whose sum differs from that of the first host with the same check and kind. */
void doctor_compare_hosts(struct doctor_report *report);
/* Returns how many rows are wrong. */
size_t doctor_count_wrong(const struct doctor_report *report);
