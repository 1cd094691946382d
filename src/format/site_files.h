/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the files and folders are like that slurm.conf and fathom.conf name, on this host. */
#pragma once

#include "conf/conf_global.h"
#include "fathom.h"

#define SITE_PATH_SIZE 4096
#define SITE_MOST_FOLDERS 16

/* The files that each pass writes. */
enum { SITE_FIGURES, SITE_METRICS, SITE_USAGE, SITE_WRITTEN };

/* What to look at; NULL: not known. */
struct site_names {
	const char *plugin_dir;		/* folders, separated by ':' */
	const char *plugin;		/* the name of the priority plugin, such as "fathom" */
	const char *state;		/* StateSaveLocation */
	const char *written[SITE_WRITTEN];	/* FiguresFile and so on */
	const char *import;		/* ImportUsage */
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

struct site_written {
	struct seen_folder folder;
	char path[SITE_PATH_SIZE];
	bool is_foreign;	/* a file of another kind has its name */
};

/* A file of usage by account and user. */
struct site_import {
	char path[SITE_PATH_SIZE];	/* "": not looked at */
	bool exists;
	bool is_readable;	/* by SlurmUser; also true if that is not known */
	bool is_wrong;		/* with the line and the error */
	unsigned line;
	struct fathom_error error;
	bool has_time;		/* of the usage in it */
	double age;		/* seconds from that time until now */
};

/* The file of a GlobalShare line. */
struct site_global {
	struct site_import file;
	const char *cluster;	/* whose usage it has; NULL: not told */
	const char **account;	/* those that have usage in it, each once */
	size_t account_count;
};

struct site_files {
	struct seen_folder plugin_dir[SITE_MOST_FOLDERS];
	size_t plugin_dir_count;
	struct site_plugin plugin;	/* the priority plugin */
	struct site_plugin other;	/* one that came with Slurm */
	struct seen_folder state;
	char last_good[32];	/* when the fathom.conf that the plugin keeps in StateSaveLocation
				 * came into force; "": not known */
	struct site_written written[SITE_WRITTEN];
	struct site_import import;	/* ImportUsage */
	struct site_global *global;	/* by line; no path of slurmdbd, nor if there are none */
};

void site_files_read(struct site_files *files, const struct site_names *names);

/* Returns a version as Slurm writes it, such as "22.05.8". */
const char *site_version_text(unsigned version);
/* Returns the number of such a version; 0: it is none, or NULL. */
unsigned site_version_parse(const char *text);
