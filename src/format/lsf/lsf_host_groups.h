/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef FORMAT_LSF_HOST_GROUPS_H
#define FORMAT_LSF_HOST_GROUPS_H

#include "format/lsf/lsf_conf.h"

/* Returns a list of hosts with the members of host groups in place of their names, such as
 * "n1 n2 ~n3"; to be freed. NULL: EINVAL for a group that excludes hosts, or for groups deep within
 * each other; ENOMEM. */
char *lsf_expand_hosts(const struct lsf_conf *conf, const char *hosts, struct fathom_error *error);

#endif
