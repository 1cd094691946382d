/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The configuration of LSF: what its files share. lsf_format.c is the format that they make. */
#pragma once

#include "conf/conf_user_shares.h"
#include "core/numbered_names.h"
#include "core/piece.h"
#include "document/text.h"
#include "format/format.h"
#include "format/site/site_settings.h"
#include "jobs/queue_list.h"

/* ---- entries -------------------------------------------------------------------------- */

/*
 * The configuration of a cluster of LSF: the sections of lsb.users, lsb.queues, lsb.hosts and
 * lsb.params, in any number of files. A section with columns has an entry for each row, any other
 * section is one entry:
 *
 *	Begin Queue			Begin UserGroup
 *	QUEUE_NAME = night		GROUP_NAME  GROUP_MEMBER  USER_SHARES
 *	PRIORITY   = 40			physics     (ada bob)     ([ada, 2] [others, 1])
 *	End Queue			End UserGroup
 */

/* A key with its value, as a key of its section describes it. */
struct lsf_pair {
	char *key;		/* as the file spells it */
	char *value;		/* without what encloses it; "": the default of LSF */
	size_t line;
};

struct lsf_entry {
	const struct lsf_section *section;
	struct site_origin origin;	/* of the section, or of the row */
	struct lsf_pair *pair;
	size_t count;
};

/* Start with all members 0. */
struct lsf_conf {
	struct lsf_entry *entry;
	size_t count;
};

/* Reads a file and adds its entries. input->remark says what is left out. The name of the file must
 * live as long as the entries. */
void lsf_conf_read(struct lsf_conf *conf, struct document *input);

/* Adds an empty entry. */
struct lsf_entry *lsf_conf_add(struct lsf_conf *conf, const struct lsf_section *section,
			       struct site_origin origin);
/* Adds a pair. */
struct lsf_pair *lsf_entry_add(struct lsf_entry *entry, struct piece key, struct piece value,
			       size_t line);
/* Returns the pair with this key, in capitals; NULL: the entry has none, or an empty value. */
const struct lsf_pair *lsf_entry_pair(const struct lsf_entry *entry, const char *key);
/* Returns its value, or NULL. */
const char *lsf_entry_value(const struct lsf_entry *entry, const char *key);
/* Returns the first entry of a section from index *i on, and moves *i behind it; NULL: there is no
 * further one. Start with *i 0. */
const struct lsf_entry *lsf_conf_next(const struct lsf_conf *conf,
				      const struct lsf_section *section, size_t *i);

/* ---- sections and keys ---------------------------------------------------------------- */

/* The sections of LSF's configuration that shares depend on, with the keys that are read. */

/* Checks a value, which is not empty, and may shorten it: takes off "USER_SHARES[ ]". -1: EINVAL,
 * without the key. */
typedef int lsf_check(struct lsf_pair *pair, struct fathom_error *error);

struct lsf_key {
	const char *name;	/* in capitals */
	lsf_check *check;
};

struct lsf_section {
	const char *name;
	const struct lsf_key *key;	/* up to one without name */
	const char *name_key;	/* the key that names an entry; NULL: entries have no names */
	bool has_settings;	/* settings of the policy are keys, too */
};

extern const struct lsf_section lsf_user_group, lsf_user, lsf_queue, lsf_host, lsf_host_group,
	lsf_host_partition, lsf_parameters;
/* Stand for what is left out. The key of the one pair is the name of a section; the value is a
 * condition behind #if, or a file behind #include. */
extern const struct lsf_section lsf_other_section, lsf_condition, lsf_include;

/* Returns the section of a name, in any case; NULL: it is left out. */
const struct lsf_section *lsf_section_find(struct piece name);
/* Returns the policy whose settings and user shares LSF has. */
const struct fathom_policy *lsf_policy(void);
/* Returns what is known of a key, in any case; NULL: it is left out. */
const struct lsf_key *lsf_key_find(const struct lsf_section *section, const char *name);

/* ---- lines ---------------------------------------------------------------------------- */

/*
 * The lines of a file of LSF's configuration: without comments, and with the lines that a '\' at
 * the end continues. Conditions such as #if time(8:00-18:00) are not evaluated: what stands under
 * #else counts.
 */

#define LSF_MOST_NESTED 64

/* Start with input and conf set, and lines as lines_of() gives them. */
struct lsf_lines {
	struct document *input;
	struct lsf_conf *conf;	/* gets an entry for each condition, and for each file to include */
	struct lines lines;
	char *text;		/* of the line that was read last */
	size_t room;
	size_t number;		/* of its first line in the file */
	size_t if_line[LSF_MOST_NESTED];	/* of conditions that have no #endif yet */
	bool is_else[LSF_MOST_NESTED];		/* their #else has been read */
	size_t nested;
};

/* Reads the next line that is not empty into `line`, which is valid until the next call. Returns
 * whether there was one. */
bool lsf_lines_next(struct lsf_lines *lines, struct piece *line);

/* ---- what is left out ----------------------------------------------------------------- */

/* Says what of a configuration is not read. */

/* Sets the remark of a file to what is left out of it. first: its first entry. */
void lsf_remark_left_out(const struct lsf_conf *conf, size_t first, struct document *input);

/* ---- groups --------------------------------------------------------------------------- */

/*
 * User groups without exclusions, and all users that are named anywhere. A group with exclusions
 * gets the names of its users in their place:
 *
 *	physics  (ada bob)		physics  ada bob
 *	others   (physics cy ~bob)	others   ada cy
 */

struct lsf_groups {
	struct numbered_names *user;	/* users that the configuration or the caller names */
	struct numbered_names *name;	/* of groups; those of `groups` have the same numbers */
	struct conf_user_groups *groups;
	const struct lsf_entry **entry;		/* by group */
};

/* Reads the groups of a configuration. user: users whom the caller knows; more are added. */
struct lsf_groups lsf_groups_of(const struct lsf_conf *conf, struct numbered_names *user);
/* Reads assignments such as [ada, 10] [physics@, 5], which have been checked before. */
struct conf_assignments *lsf_assignments_of(const char *shares);

/* A word of a list of members or hosts. */
struct lsf_word {
	struct piece name;
	bool is_excluded;	/* it stands behind '~' */
};

/* Takes the next word from *text. */
bool lsf_next_word(const char **text, struct lsf_word *word);
/* Returns whether LSF asks egroup, or the system, for these members: "!", "staff/". */
bool lsf_word_is_unknown(const struct lsf_word *word);

/* ---- scopes --------------------------------------------------------------------------- */

/* The parts of a cluster that have a tree of shares of their own: queues with FAIRSHARE, with the
 * queues of FAIRSHARE_QUEUES, and host partitions. */

struct lsf_scope {
	const char *name;		/* of the queue, or of the host partition */
	const struct lsf_entry *entry;
	const struct lsf_pair *shares;
	const char *slaves;		/* FAIRSHARE_QUEUES without the master; NULL: none */
	const char *hosts;		/* of a host partition; NULL: it is a queue */
};

struct lsf_scopes {
	struct lsf_scope *scope;
	size_t count;
};

/* Lists the scopes, which point into the configuration, and checks how queues, sets of queues,
 * pools and host partitions go together. */
struct lsf_scopes lsf_scopes_of(const struct lsf_conf *conf);

/* Returns the scope of a name; NULL: there is none. */
const struct lsf_scope *lsf_scopes_find(const struct lsf_scopes *scopes, const char *name);
/* Returns whether jobs in this queue count in the scope; those in all queues do in a host
 * partition. */
bool lsf_scope_has_queue(const struct lsf_scope *scope, struct piece queue);

/* ---- hosts ---------------------------------------------------------------------------- */

#define LSF_LOST_HOSTS 64

/* Returns a list of hosts with the members of host groups in place of their names, and with the
 * hosts of section Host in place of patterns such as "n*": "n1 n2 ~n3". origin: of the list. lost:
 * a word whose hosts no file tells, which the list lacks; "" if there is none. */
char *lsf_expand_hosts(const struct lsf_conf *conf, const char *hosts, struct site_origin origin,
		       char lost[LSF_LOST_HOSTS]);

/* ---- queues --------------------------------------------------------------------------- */

/* The queues of lsb.queues, with what bqueues shows of them. */

/* Adds all queues of a configuration to a list. */
void lsf_queues_list(const struct lsf_conf *conf, struct queue_list *list);

/* ---- settings ------------------------------------------------------------------------- */

/* What the configuration of LSF means for fathom.conf and slurm.conf. */

/* Adds the settings of one file; see read_settings in format.h. */
void lsf_settings_read(struct document *input, struct site_settings *settings);
/* Adds HOSTS of queues, with host groups of all files; see add_hosts in format_parts.h. */
void lsf_settings_add_hosts(const struct lsf_conf *conf, struct site_settings *settings);
