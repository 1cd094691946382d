/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Splits partitions by the scopes of their hosts; split_partitions.h shows one. */
#include "format/slurm/split_partitions.h"

#include "memory/need_memory.h"

#include <string.h>
#include <strings.h>

/* The nodes of a partition that one scope has, or no scope. */
struct part {
	const char **host;
	size_t count;
};

/* Returns the pair of a line with this key, but not its first pair; NULL: the line lacks it. */
static const struct site_pair *find_pair(const struct site_line *line, const char *key)
{
	for (size_t i = 1; i < line->count; i++)
		if (!strcmp(line->pair[i].key, key))
			return &line->pair[i];
	return NULL;
}

/* Returns whether a scope or a slot pool names the partition. */
static bool is_named(const struct fathom_conf *conf, const char *partition)
{
	for (size_t i = 0; i < conf->scope_count; i++)
		for (size_t j = 0; j < conf->scope[i].partition_count; j++)
			if (!strcmp(conf->scope[i].partition[j], partition))
				return true;
	for (size_t i = 0; i < conf->slot_share_count; i++)
		if (!strcmp(conf->slot_share[i].partition, partition))
			return true;
	return false;
}

/* Returns the index of the first scope with this host; scope_count: no scope has it. */
static size_t scope_of(const struct fathom_conf *conf, const char *host)
{
	size_t i = 0;

	while (i < conf->scope_count &&
	       !(conf->scope[i].hosts.text && conf_hosts_have(&conf->scope[i].hosts, host)))
		i++;
	return i;
}

/* Returns whether a scope has some hosts, but not all. */
static bool has_host_scopes(const struct fathom_conf *conf)
{
	for (size_t i = 0; i < conf->scope_count; i++) {
		const struct conf_hosts *hosts = &conf->scope[i].hosts;

		if (hosts->text && (!hosts->all || hosts->excluded.count))
			return true;
	}
	return false;
}

/* Warns if the line is that of a partition that should be divided, but has no Nodes. */
static void warn_undivided(const struct site_line *line, const struct fathom_conf *conf,
			   struct site_settings *settings)
{
	const struct site_pair *own = line->pair;

	if (strcmp(own->key, "PartitionName") || !strcasecmp(own->value, "DEFAULT") ||
	    find_pair(line, "Nodes") || is_named(conf, own->value) || !has_host_scopes(conf))
		return;
	settings->origin = own->origin;
	site_settings_warn(settings, "queue %s: no file lists its hosts; if they are in several "
			   "host partitions or in none, make a partition for each", own->value);
}

/* Returns a copy of the line with another name and a part of the nodes. */
static struct site_line line_of(const struct site_line *from, const char *name,
				const struct part *part)
{
	const char *nodes = need_join(part->host, part->count, ",");
	struct site_line line = { NULL };

	for (size_t i = 0; i < from->count; i++) {
		const struct site_pair *pair = &from->pair[i];
		const char *value = strcmp(pair->key, "Nodes") ? pair->value : nodes;

		site_line_add(&line, pair->key, i == 0 ? name : value, pair->origin);
	}
	return line;
}

/* Adds a line for each part of a partition to `to`, and a warning to the settings. The nodes of a
 * scope go into PARTITION_SCOPE; those of no scope stay in a partition of the old name. part: by
 * scope, and behind the scopes that of no scope. */
static void split(struct site_lines *to, const struct site_line *line, const struct part *part,
		  struct site_settings *settings, const struct fathom_conf *conf)
{
	const struct site_pair *own = line->pair;	/* PartitionName=... */
	const char *names = NULL;			/* "a_p,a_q", for the warning */

	for (size_t i = 0; i <= conf->scope_count; i++) {
		const char *name = i < conf->scope_count
					   ? need_print("%s_%s", own->value, conf->scope[i].name)
					   : own->value;

		if (!part[i].count)
			continue;
		names = names ? need_print("%s,%s", names, name) : name;
		NEED_ADD(to->line, to->count, line_of(line, name, &part[i]));
	}
	settings->origin = own->origin;
	site_settings_warn(settings, "queue %s has hosts of several host partitions "
			   "or of none, so it becomes a partition for each; submit to all by "
			   "--partition=%s",
			   own->value, names);
}

/* Adds a line to `to`; a partition whose nodes belong to several scopes is split. One that
 * fathom.conf names, and a line without Nodes, such as one of no partition, stay. */
static void add_line(struct site_lines *to, const struct site_line *line,
		     struct site_settings *settings, const struct fathom_conf *conf)
{
	const struct site_pair *nodes = find_pair(line, "Nodes");
	struct part *parts = need_zeros(conf->scope_count + 1, sizeof(*parts));
	struct host_list hosts = { NULL };
	size_t count = 0;			/* of parts with a node */

	if (nodes && !is_named(conf, line->pair->value))
		need_done(host_list_add_all(&hosts, nodes->value, NULL));
	for (size_t i = 0; i < hosts.count; i++) {
		struct part *part = &parts[scope_of(conf, hosts.name[i])];

		count += !part->count;
		NEED_ADD(part->host, part->count, need_text(hosts.name[i]));
	}
	host_list_clear(&hosts);
	if (count < 2)
		NEED_ADD(to->line, to->count, *line);
	else
		split(to, line, parts, settings, conf);
}

void split_partitions(struct site_settings *settings, const struct fathom_conf *conf)
{
	const struct site_lines before = settings->of[SITE_SLURM_CONF];
	struct site_lines after = { NULL };

	for (size_t i = 0; i < before.count; i++) {
		warn_undivided(&before.line[i], conf, settings);
		add_line(&after, &before.line[i], settings, conf);
	}
	settings->of[SITE_SLURM_CONF] = after;
}
