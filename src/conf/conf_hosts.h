/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The hosts of a scope, Hosts= in fathom.conf: those that it names, or all, without those after
 * '~'. Source: LSF, HOSTS of a HostPartition.
 *
 *	Hosts="n[1-8] ~n3"	n1 n2 n4 n5 n6 n7 n8
 *	Hosts="all ~login"	all nodes of the cluster but login
 */
#pragma once

#include "conf/host_list.h"

struct conf_hosts {
	char *text;		/* as written; NULL: the scope has no Hosts */
	bool all;		/* all hosts but `excluded` */
	struct host_list named;	/* sorted, without `excluded`; empty if `all` */
	struct host_list excluded;	/* the hosts after '~', without `needless`; sorted */
	struct host_list needless;	/* hosts after '~' that no other expression names, so that
					 * they change nothing */
};

/* The warning about the first host of `needless`, for printf(). */
#define CONF_NEEDLESS_HOST "'~%.60s' excludes a host that is not in the list; it changes nothing"

/* Reads a value of Hosts, in place of an earlier one. hosts: a struct conf_hosts, as this is a
 * key_storer. -1: EINVAL, ENOMEM; it may be incomplete and must be cleared. */
int conf_hosts_read(void *hosts, const char *value, struct fathom_error *error);
void conf_hosts_clear(struct conf_hosts *hosts);
/* Returns a host of `named` or `excluded` that is not in the sorted list `known`; NULL: all are. */
const char *conf_hosts_unknown(const struct conf_hosts *hosts, const struct host_list *known);
/* Returns whether a host of this name belongs to the scope. */
bool conf_hosts_have(const struct conf_hosts *hosts, const char *name);
