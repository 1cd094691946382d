/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads Hosts in three steps: lists names and excluded names, sorts both, takes the excluded
 * out. */
#include "conf/conf_hosts.h"

#include "core/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* Returns whether an expression is the word all. */
static bool is_all(struct piece expression)
{
	return expression.length == 3 && !memcmp(expression.at, "all", 3);
}

/* Adds what an expression stands for, such as n[1-8], ~n3 or all. */
static int add(struct conf_hosts *hosts, struct piece expression, struct fathom_error *error)
{
	if (is_all(expression)) {
		hosts->all = true;
		return 0;
	}
	if (*expression.at != '~')
		return host_list_add(&hosts->named, expression, error);
	piece_cut(&expression, 1);
	if (!expression.length || is_all(expression))
		return fathom_error_set(error, EINVAL, "no name of a host after '~'");
	return host_list_add(&hosts->excluded, expression, error);
}

/* Adds what all expressions of a value stand for. */
static int add_each(struct conf_hosts *hosts, const char *at, struct fathom_error *error)
{
	struct piece expression;

	while ((expression = host_list_next(&at)).length)
		if (add(hosts, expression, error))
			return -1;
	return 0;
}

/* Moves hosts that no other expression names, so that they would not be in the scope anyway, from
 * `excluded` to `needless`. */
static int move_needless(struct conf_hosts *hosts, struct fathom_error *error)
{
	for (size_t i = 0; !hosts->all && i < hosts->excluded.count; i++) {
		const char *name = hosts->excluded.name[i];

		if (!host_list_has(&hosts->named, name) &&
		    host_list_add(&hosts->needless, piece_of(name), error))
			return -1;
	}
	host_list_remove(&hosts->excluded, &hosts->needless);
	return 0;
}

/* Sorts the lists and takes the excluded hosts out of `named`. -1: no host is left, or ENOMEM. */
static int exclude(struct conf_hosts *hosts, struct fathom_error *error)
{
	host_list_sort(&hosts->named);
	host_list_sort(&hosts->excluded);
	if (move_needless(hosts, error))
		return -1;
	host_list_remove(&hosts->named, &hosts->excluded);
	if (!hosts->all && !hosts->named.count)
		return fathom_error_set(error, EINVAL, "no host in '%s', must name hosts or all",
					hosts->text);
	if (hosts->all)
		host_list_clear(&hosts->named);
	return 0;
}

int conf_hosts_read(void *object, const char *value, struct fathom_error *error)
{
	struct conf_hosts *hosts = object;

	conf_hosts_clear(hosts);
	hosts->text = strdup(value);
	if (!hosts->text)
		return fathom_error_no_memory(error);
	return add_each(hosts, value, error) ? -1 : exclude(hosts, error);
}

void conf_hosts_clear(struct conf_hosts *hosts)
{
	free(hosts->text);
	host_list_clear(&hosts->named);
	host_list_clear(&hosts->excluded);
	host_list_clear(&hosts->needless);
	*hosts = (struct conf_hosts){ 0 };
}

bool conf_hosts_have(const struct conf_hosts *hosts, const char *name)
{
	return hosts->all ? !host_list_has(&hosts->excluded, name)
			  : host_list_has(&hosts->named, name);
}

const char *conf_hosts_unknown(const struct conf_hosts *hosts, const struct host_list *known)
{
	const char *named = host_list_unknown(&hosts->named, known);

	return named ? named : host_list_unknown(&hosts->excluded, known);
}
