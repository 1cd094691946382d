/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * What several files together hold: a tree, its usage, jobs, and settings.
 *
 *	sources_add(&sources, format, &input);	for each file
 *	sources_finish(&sources, tree_wins);	gives the usage of records of jobs to the tree
 *
 * Example: sources_add() of LSF's lsb.users, lsb.queues and lsb.acct. The first two describe the
 * tree together, and have settings; the records of lsb.acct are read by sources_finish(), because
 * only then it is known which queues the tree is for, and by which policy they are added up.
 */
#pragma once

#include "conf/conf.h"
#include "core/snapshot.h"
#include "format/accounting/accounting.h"
#include "format/format.h"
#include "format/site/site_conf.h"
#include "jobs/jobs.h"

struct lsf_parts;

/* Start with all members 0, except those that the caller sets. A name of a file is NULL if there is
 * no such file. */
struct sources {
	/* Set by the caller: */
	struct accounting_rules rules;
	const struct fathom_conf *conf;	/* a fathom.conf that is given; NULL: `settings` count */
	bool without_jobs;	/* do not make `jobs`: only their usage is wanted */
	bool without_strangers;	/* do not add entities that only jobs or usage name to the tree */
	bool tells_jobs;	/* with without_jobs: make `jobs` all the same if they come with a
				 * tree, so that the caller can say that they get lost */
	bool scans_records;	/* jobs that come with a tree are for sources_scan_records() */
	const char *scope;	/* whose tree is wanted, if files describe several trees; NULL: the
				 * only one */
	/* The tree, if tree_name; and the usage that is not part of a tree, if usage_name, as trees
	 * whose shares mean nothing. With several half-lives in the rules, the first element is
	 * followed by its forks, one for each half-life. */
	struct snapshot snapshot[MOST_HALF_LIVES];
	struct snapshot usage[MOST_HALF_LIVES];
	size_t snapshot_count, usage_count;
	/* Files of LSF, which describe a tree together: */
	struct lsf_parts *parts;	/* NULL: there are none */
	const char *parts_name;		/* the first of them */
	const struct format *tree_format;	/* of a file of the tree; NULL: there is none */
	/* A file has records of jobs without a tree. After sources_finish(), has_half_life of the
	 * trees tells whether their usage is the one that was added up from the records. */
	bool adds_up;
	/* Records of jobs that are not read yet: */
	const struct format *records_format;	/* NULL: there are none */
	struct document records;
	struct jobs jobs;		/* if jobs_name */
	struct site_settings settings;	/* of all files that have settings */
	const char *tree_name, *usage_name, *jobs_name;	/* the files that these come from */
	const struct format *jobs_format;	/* of jobs_name, if read by read_jobs(); or NULL */
	bool jobs_give_way;		/* jobs or records came with a tree; another file's replace
					 * them */
	size_t strays;	/* associations with usage that the tree does not have */
};

/* Reads an open file, and adds what it holds. Fails, see wrong_at(), if an earlier file holds the
 * same; but several files may have settings, several of one format may describe a tree together or
 * add jobs, and jobs that come with a tree are replaced by those of another file. Of records of
 * jobs, the document is moved to the sources, to be read by sources_read_records(). input->name
 * must live as long as the sources. */
void sources_add(struct sources *sources, const struct format *format, struct document *input);
/* Sets the half-life by which usage is added up, unless the rules have one of a later kind. of: the
 * kind. */
void sources_use_half_life(struct sources *sources, double half_life, enum half_life_of of);
/* Reads the records of jobs. Called when all files are added; sources_finish() calls it, too. */
void sources_read_records(struct sources *sources);
/* Gives the records of jobs to a scan in place of sources_read_records(). Called when all files are
 * added, if records_format is not NULL. From the call on, the rules tell which jobs count. The
 * caller then sets usage[0], a tree of the users, if some of them may be in no other file. */
void sources_scan_records(struct sources *sources, struct accounting_scan *scan);
/* Refuses the scope of --scope if no files describe trees together: it would have no effect. Called
 * when all files are added. */
void sources_check_scope(const struct sources *sources);
/* Adds the hosts of partitions to the settings, as a folder of Slurm's files needs them. Called
 * when all files are added. */
void sources_add_hosts(struct sources *sources);
/* Adds only the jobs of a file, which must be loaded. Fails, see wrong_at(), if another file has
 * jobs. */
void sources_add_jobs(struct sources *sources, const struct format *format, struct document *input);
/* Makes the tree that files describe together, and gives the usage of another file to the tree. If
 * no file has a tree, the tree is that of the usage. Called when all files are added. tree_wins: if
 * the tree has usage of its own, that of records of jobs is ignored. Without it, and for a file of
 * usage, this fails, see wrong_at(). */
void sources_finish(struct sources *sources, bool tree_wins);
/* Returns the rule by which users of records are found in the tree. Called when all files are
 * added. */
struct association_rule sources_rule(const struct sources *sources);
/* Returns the scope that the tree is of; NULL: it is not one of a scope. Called when all files are
 * added. */
const char *sources_scope_name(const struct sources *sources);
/* Chooses in conf the scope that the tree is of. Called when all files are added. Returns false,
 * and changes nothing, if the tree is not one of a scope. */
bool sources_choose_scope(const struct sources *sources, struct site_conf *conf);
/* Writes how many associations with usage the tree does not have; "" if it has all. */
void sources_say_strays(const struct sources *sources, char *text, size_t size);
