/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The configuration of LSF. Its parts build on each other, each in the file that bears its name:
 *
 *	lines		lsf_lines.c		logical lines: without comments and conditions
 *	entries		lsf_conf.c		sections and rows, with keys and values
 *	sections, keys	lsf_keys.c		which of them are read, and checks of their values
 *	left out	lsf_left_out.c		what is not read
 *	groups, hosts	lsf_groups.c, lsf_host_groups.c
 *	scopes, queues	lsf_scopes.c, lsf_queues.c
 *	settings	lsf_settings.c		what all this means for fathom.conf and slurm.conf
 *
 * lsf_format.c is the format, and makes the trees. lsf_acct.c is another format.
 */
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

/* A key with its value. */
struct lsf_pair {
	char *key;		/* as the file spells it */
	char *value;		/* without enclosing quotes or parentheses; "": LSF's default */
	size_t line;
};

/* A section, or a row of a section with columns. */
struct lsf_entry {
	const struct lsf_section *section;
	struct site_origin origin;	/* the first line of the section, or the row */
	struct lsf_pair *pair;
	size_t count;
};

/* The entries of all files that were read, in their order. Start with all members 0. */
struct lsf_conf {
	struct lsf_entry *entry;
	size_t count;
};

/* Reads a file and adds its entries. Fails, see wrong_at(), if a section or a value is wrong. Sets
 * input->remark to what is left out. input->name must live as long as the entries. */
void lsf_conf_read(struct lsf_conf *conf, struct document *input);

/* Adds an entry without pairs. Returns it; it is valid until the next entry is added. */
struct lsf_entry *lsf_conf_add(struct lsf_conf *conf, const struct lsf_section *section,
			       struct site_origin origin);
/* Adds a pair with copies of key and value. Returns it; it is valid until the next pair is
 * added. */
struct lsf_pair *lsf_entry_add(struct lsf_entry *entry, struct piece key, struct piece value,
			       size_t line);
/* Returns the pair with this key, in any case; NULL: the entry lacks the key, or its value is
 * empty. */
const struct lsf_pair *lsf_entry_pair(const struct lsf_entry *entry, const char *key);
/* Returns the value of the key, which is not empty; NULL where lsf_entry_pair() returns NULL. */
const char *lsf_entry_value(const struct lsf_entry *entry, const char *key);
/* Returns the next entry of a section behind `entry`, NULL for the first one; NULL: no further
 * entry is of the section. */
const struct lsf_entry *lsf_conf_next(const struct lsf_conf *conf,
				      const struct lsf_section *section,
				      const struct lsf_entry *entry);
/* Returns the entry of this name in a section whose entries have names; NULL: none has it. */
const struct lsf_entry *lsf_conf_find(const struct lsf_conf *conf,
				      const struct lsf_section *section, struct piece name);

/* ---- sections and keys ---------------------------------------------------------------- */

/* The sections of LSF's configuration that shares depend on, with the keys that are read. */

/* Which values of a key are right. */
struct lsf_rule {
	/* Checks the value of a pair, which is not empty. It may shorten the value in place, as it
	 * does for FAIRSHARE, whose "USER_SHARES[...]" becomes what is in the brackets. -1: EINVAL,
	 * with a text that does not name the key; ENOMEM. */
	int (*check)(const struct lsf_rule *rule, struct lsf_pair *pair,
		     struct fathom_error *error);
	const char *right;	/* what the value must be, for the error */
	const char *text;	/* for check(): characters that are not allowed, or allowed words */
	double most;		/* for check(): the greatest number */
	bool is_whole;		/* for check(): the number must be whole */
};

/* A key that is read. */
struct lsf_key {
	const char *name;	/* in capitals */
	const struct lsf_rule *rule;
};

/* A section that is read. */
struct lsf_section {
	const char *name;
	const struct lsf_key *key;	/* up to one whose name is NULL */
	const char *name_key;	/* the key that names an entry; NULL: entries have no names */
	bool has_settings;	/* the names of the policy's settings are keys, too: HIST_HOURS */
};

extern const struct lsf_section lsf_user_group, lsf_user, lsf_queue, lsf_host, lsf_host_group,
	lsf_host_partition, lsf_parameters;
/* Entries of these stand for what is left out. They have one pair. Its key is the name of a
 * section, "#if" or "#include"; its value is the condition, or the file. */
extern const struct lsf_section lsf_other_section, lsf_condition, lsf_include;

/* Returns the section of a name, in any case; NULL: sections of this name are left out. */
const struct lsf_section *lsf_section_find(struct piece name);
/* Returns the policy that computes LSF's fair share. */
const struct fathom_policy *lsf_policy(void);
/* Returns the key of a section with this name, in any case; NULL: the key is left out. */
const struct lsf_key *lsf_key_find(const struct lsf_section *section, const char *name);

/* ---- lines ---------------------------------------------------------------------------- */

/*
 * The lines of a file of LSF's configuration: without comments, and with the lines that a '\' at
 * the end continues. Conditions such as #if time(8:00-18:00) are not evaluated: what stands under
 * #else counts.
 */

#define LSF_MOST_NESTED 64

/* Start with the first three members set, and all others 0. */
struct lsf_lines {
	struct document *input;
	struct lsf_conf *conf;	/* gets an entry for each condition, and for each file to include */
	struct lines lines;	/* of the file, as lines_of() returns them */
	/* The line that was read last: */
	char *text;
	size_t room;		/* bytes allocated for `text` */
	size_t number;		/* of the first of the file's lines that it continues over */
	/* The conditions that have no #endif yet, from the outermost to the innermost: */
	size_t if_line[LSF_MOST_NESTED];	/* the line of the #if */
	bool is_else[LSF_MOST_NESTED];		/* the present line is under its #else */
	size_t nested;				/* how many there are */
};

/* Reads the next line that is not empty into `line`, which is valid until the next call. Returns
 * false at the end of the file. Fails, see wrong_at(), if conditions do not match each other. */
bool lsf_lines_next(struct lsf_lines *lines, struct piece *line);

/* ---- what is left out ----------------------------------------------------------------- */

/* Sets input->remark to what is left out of a file: "left out: keys NICE; sections Limit". first:
 * index of the file's first entry; those behind it are all the file's. */
void lsf_remark_left_out(const struct lsf_conf *conf, size_t first, struct document *input);
/* Notes keys and sections that are left out of a file as losses. conf: of this file alone. */
void lsf_lose_left_out(const struct lsf_conf *conf, struct site_settings *settings);

/* ---- groups --------------------------------------------------------------------------- */

/*
 * User groups without exclusions, and all users that are named anywhere. A group with exclusions
 * becomes a list of the users who are left:
 *
 *	physics  (ada bob)		physics  ada bob
 *	others   (physics cy ~bob)	others   ada cy
 */

struct lsf_groups {
	struct numbered_names *user;	/* users that the configuration or the caller names */
	struct numbered_names *name;	/* of the groups */
	/* By the numbers of the groups in `name`: */
	struct conf_user_groups *groups;
	const struct lsf_entry **entry;
};

/* Returns the groups of a configuration. Fails, see wrong_at(), if a group is wrong. user: users
 * whom the caller knows; those that the configuration names are added. */
struct lsf_groups lsf_groups_of(const struct lsf_conf *conf, struct numbered_names *user);
/* Returns assignments such as "[ada, 10] [physics@, 5]". shares: has been checked, so that it is
 * not wrong. */
struct conf_assignments *lsf_assignments_of(const char *shares);

/* A word of a list of members or hosts. */
struct lsf_word {
	struct piece name;
	bool is_excluded;	/* it stands behind '~', which `name` does not have */
};

/* Reads the next word of a list, and moves *text behind it. Returns false at the end of the
 * list. */
bool lsf_next_word(const char **text, struct lsf_word *word);
/* Returns whether a list has a word for members that only LSF's program egroup knows, "!", or the
 * system, "staff/". */
bool lsf_has_unknown(const char *members);

/* ---- scopes --------------------------------------------------------------------------- */

/* The parts of a cluster that have a tree of shares of their own: queues with FAIRSHARE, with the
 * queues of FAIRSHARE_QUEUES, and host partitions. */

struct lsf_scope {
	const char *name;		/* of the queue, or of the host partition */
	const struct lsf_entry *entry;
	const struct lsf_pair *shares;	/* FAIRSHARE of a queue, USER_SHARES of a host partition */
	const char *slaves;		/* FAIRSHARE_QUEUES of a queue; NULL: it has none */
	const char *hosts;		/* HOSTS of a host partition; NULL: it is a queue */
};

struct lsf_scopes {
	struct lsf_scope *scope;
	size_t count;
};

/* Returns the scopes, which point into the configuration. Fails, see wrong_at(), if queues, sets of
 * queues, slot pools and host partitions contradict each other. */
struct lsf_scopes lsf_scopes_of(const struct lsf_conf *conf);

/* Returns whether jobs in this queue count in the scope. In a host partition, jobs in all queues
 * do. */
bool lsf_scope_has_queue(const struct lsf_scope *scope, struct piece queue);

/* ---- hosts ---------------------------------------------------------------------------- */

/* Returns a list of hosts, "n1 n2 ~n3", in which host groups are replaced by their members, and
 * patterns such as "n*" by the matching hosts of section Host. Fails, see wrong_at(), if exclusions
 * of groups contradict the list. origin: of the list. *lost: gets the words whose hosts no file
 * tells, "x* ~y*", so that the list lacks them; "" if there is no such word. */
char *lsf_expand_hosts(const struct lsf_conf *conf, const char *hosts, struct site_origin origin,
		       const char **lost);

/* ---- queues --------------------------------------------------------------------------- */

/* Adds all queues of a configuration to a list, with what bqueues shows of them. */
void lsf_queues_list(const struct lsf_conf *conf, struct queue_list *list);

/* ---- settings ------------------------------------------------------------------------- */

/* Adds the settings of one file: format->read_settings. */
void lsf_settings_read(struct document *input, struct site_settings *settings);
/* Adds HOSTS of queues as Nodes of their partitions. conf: of all files, as host groups and queues
 * stand in different ones. */
void lsf_settings_add_hosts(const struct lsf_conf *conf, struct site_settings *settings);

/* ---- trees ---------------------------------------------------------------------------- */

/* What a tree needs, for messages. */
#define LSF_TREE "a queue with FAIRSHARE, a host partition or a user group"

/*
 * What the files of a site describe together, in any order, and the tree that is chosen: that of a
 * scope, or, if there are no scopes, that of the user groups, of which those that are not members
 * of others stand side by side, with 1 share each. Start with all members 0:
 *
 *	lsf_conf_read(&parts->conf, ...) for each file, lsf_parts_choose(), lsf_parts_make()
 */
struct lsf_parts {
	struct lsf_conf conf;
	/* From lsf_parts_choose() on: */
	bool is_chosen;
	struct lsf_scopes scopes;
	const struct lsf_scope *scope;	/* the chosen one; NULL: the tree is of the user groups */
	/* From lsf_parts_make() on: */
	struct fathom_share_tree *shares;	/* its nodes have the numbers of the snapshot's */
	struct share_leaf *leaf;	/* room for share_tree_list_leaves() */
};

/* Chooses the tree of a scope; scope: NULL: there is only one. Only the first call has an effect.
 * Returns whether there is a tree. Fails, see wrong_at(), if no scope has the name, or several
 * could be meant. */
bool lsf_parts_choose(struct lsf_parts *parts, const char *scope);
/* Makes the chosen tree, without usage. users: users of the site whom other files name; it gets
 * those whom the parts name. */
void lsf_parts_make(struct lsf_parts *parts, struct numbered_names *users,
		    struct snapshot *snapshot);
/* Returns whether jobs in a partition count in the chosen tree. parts: a struct lsf_parts. */
bool lsf_parts_count(const void *parts, struct piece partition);
/* Returns the node of the tree for a user in an account and a partition, see struct
 * association_rule; SIZE_MAX, too, if jobs in the partition do not count in the tree. parts: a
 * struct lsf_parts. */
size_t lsf_parts_find(const void *parts, const char *user, const char *account,
		      const char *partition);
