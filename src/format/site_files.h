/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The files and folders on this host that slurm.conf and fathom.conf name: whether they exist, who
 * may use them, and what is in them. */
#pragma once

#include "conf/conf_global.h"
#include "fathom.h"

#define SITE_PATH_SIZE 4096	/* bytes, with the NUL */
#define SITE_MOST_FOLDERS 16

/* The files that each pass writes. SITE_WRITTEN: their number. */
enum { SITE_FIGURES, SITE_METRICS, SITE_USAGE, SITE_WRITTEN };

/* What to look at; NULL: not known, or not set. */
struct site_names {
	const char *plugin_dir;		/* PluginDir: folders, separated by ':' */
	const char *plugin;		/* the name of the priority plugin, such as "fathom" */
	const char *state;		/* StateSaveLocation */
	/* FiguresFile, MetricsFile, UsageFile; relative to `state`; also "": not set */
	const char *written[SITE_WRITTEN];
	const char *import;		/* ImportUsage; also "": not set */
	const char *adjust;		/* Adjust; also "": not set, or no path */
	const char *slurm_user;
	const struct conf_global_shares *global;
};

struct seen_folder {
	char path[SITE_PATH_SIZE];	/* "": not looked at */
	bool exists;
	bool is_writable;	/* by SlurmUser; also true if that is not known */
};

struct site_plugin {
	char path[SITE_PATH_SIZE];	/* "": not found */
	unsigned version;		/* as SLURM_VERSION_NUM() has it; 0: not known */
};

/* A file that each pass writes. */
struct site_written {
	struct seen_folder folder;
	char path[SITE_PATH_SIZE];	/* "": not looked at */
	bool is_foreign;	/* a file of another kind has its name, which the plugin does not
				 * overwrite */
};

/* A file of usage by account and user. */
struct site_import {
	char path[SITE_PATH_SIZE];	/* "": not looked at */
	bool exists;
	bool is_readable;	/* by SlurmUser; also true if that is not known */
	bool is_wrong;		/* its content; false if this process may not read it */
	unsigned line;		/* the wrong line; 0: no particular line */
	struct fathom_error error;	/* if is_wrong */
	bool has_time;		/* the file tells the time of its usage */
	double age;		/* seconds from that time until now, if has_time */
};

/* The file of a GlobalShare line. */
struct site_global {
	struct site_import file;
	const char *cluster;	/* whose usage it has; NULL: the file does not tell */
	const char **account;	/* the accounts that have usage in it, each once, sorted */
	size_t account_count;
};

struct site_files {
	struct seen_folder plugin_dir[SITE_MOST_FOLDERS];	/* further ones are ignored */
	size_t plugin_dir_count;
	struct site_plugin plugin;	/* the priority plugin */
	struct site_plugin other;	/* a priority plugin that comes with Slurm */
	struct seen_folder state;	/* StateSaveLocation */
	char last_good[32];	/* when the fathom.conf that the plugin keeps in StateSaveLocation
				 * came into force; "": not known */
	struct site_written written[SITE_WRITTEN];
	struct site_import import;	/* ImportUsage */
	struct site_import adjust;	/* the object of Adjust; its content is not looked at */
	struct site_global *global;	/* one for each share of names->global, not looked at if
					 * its source is slurmdbd; NULL: names->global is */
};

/* Looks at all that the names name, on this host. What cannot be looked at is told
 * in *files, and is no error. */
void site_files_read(struct site_files *files, const struct site_names *names);

struct passwd;
/* Returns what this host knows of SlurmUser, a name or a number, in memory of the C library; NULL:
 * nothing, or `name` is NULL. */
const struct passwd *site_slurm_user(const char *name);

/* Returns a version as Slurm writes it, such as "22.05.8". version: as SLURM_VERSION_NUM() has
 * it. */
const char *site_version_text(unsigned version);
/* Returns the number of such a text; 0: it is not a version, or NULL. */
unsigned site_version_parse(const char *text);
