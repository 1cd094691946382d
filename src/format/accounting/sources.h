/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What several files together hold: a tree, jobs, and settings. */
#pragma once

#include "conf/conf.h"
#include "core/snapshot.h"
#include "format/accounting/accounting.h"
#include "format/format.h"
#include "format/site/site_conf.h"
#include "jobs/jobs.h"

struct sources {
	struct accounting_rules rules;	/* set by the caller */
	const struct fathom_conf *conf;	/* set by the caller: a fathom.conf; NULL: the site's
					 * settings are those of other files */
	bool without_jobs;		/* set by the caller: of jobs only their usage is wanted */
	bool tells_jobs;		/* set by the caller: but those that come with a tree are
					 * read anyway, so that it can tell that they get lost */
	const char *scope;		/* set by the caller: whose tree is wanted, if files
					 * describe several; NULL: the only one */
	/* With several half-lives in the rules, the first snapshot is followed by its forks: */
	struct snapshot snapshot[MOST_HALF_LIVES];	/* if tree_name */
	struct snapshot usage[MOST_HALF_LIVES];	/* if usage_name: trees without shares */
	size_t snapshot_count, usage_count;
	bool by_user;			/* users of the tree or of usage have one account each,
					 * which may be another than theirs elsewhere */
	const char *strangers;		/* of the tree, see format.h */
	const struct format *parts_format;	/* of files that describe a tree together, or
						 * NULL */
	void *parts;			/* what they describe; see format_parts.h */
	const char *parts_name;		/* the first of them */
	const char *system;		/* name of the policy of the system that the tree is of;
					 * NULL: not known */
	bool adds_up;			/* usage is added up from records of jobs; when all
					 * files are read, the trees tell by has_half_life if it
					 * is theirs */
	/* Records of jobs that are still to be read, when all else is known; or NULL: */
	const struct format *records_format;
	struct document records;
	struct jobs jobs;		/* if jobs_name */
	struct site_settings settings;	/* of all files that have any */
	/* the files they come from; NULL: from none */
	const char *tree_name, *usage_name, *jobs_name;
	const struct format *jobs_format;	/* that of jobs_name, if it can be completed */
	bool jobs_give_way;		/* to those of another file: they came with a tree */
	size_t strays;	/* associations with usage that the tree does not have */
};

/* Reads a file that is open, and adds what it holds. It is wrong if an earlier file holds the same,
 * with the names of both. Of settings, several files may say different ones, and several may
 * describe a tree together. The jobs of a database that has a tree give way to those of a file of
 * jobs. Records of jobs are read when all files are known; the sources then have what is left of
 * the input. input->name must live as long as the sources. */
void sources_add(struct sources *sources, const struct format *format, struct document *input);
/* Lets usage that is added up decay by the half-life that a file says, unless one is given that
 * goes before it. */
void sources_use_half_life(struct sources *sources, double half_life, enum half_life_of of);
/* Reads the records of jobs, when all files are added; sources_finish() does it, too. */
void sources_read_records(struct sources *sources);
/* Gives each record of jobs to a scan instead, which leaves no usage to add up. */
void sources_scan_records(struct sources *sources, struct accounting_scan *scan);
/* Adds the hosts of partitions to the settings, when all files are added, for a folder of them. */
void sources_add_hosts(struct sources *sources);
/* Adds the jobs of a file alone, which is loaded. */
void sources_add_jobs(struct sources *sources, const struct format *format, struct document *input);
/* Completes the tree with the usage of another file, such as that of jobs, when all files are read;
 * without a file with a tree, its own tree is taken. tree_wins: usage that the tree has already
 * stays, else it is an error that names both files. */
void sources_finish(struct sources *sources, bool tree_wins);
/* Returns how users of records are found in the tree, when all files are read. */
struct usage_heirs sources_heirs(const struct sources *sources);
/* Chooses the scope whose tree it is, when all files are read. Returns false if it is of none. */
bool sources_choose_scope(const struct sources *sources, struct site_conf *conf);
/* Writes that usage belongs to no association of the tree; "" if all does. */
void sources_say_strays(const struct sources *sources, char *text, size_t size);
