/* SPDX-License-Identifier: GPL-2.0-or-later */
#pragma once

#include "format/lsf/lsf_conf.h"

#define LSF_LOST_HOSTS 64

/* Returns a list of hosts with the members of host groups in place of their names, and with the
 * hosts of section Host in place of patterns such as "n*": "n1 n2 ~n3". origin: of the list. lost:
 * a word whose hosts no file tells, which the list lacks; "" if there is none. */
char *lsf_expand_hosts(const struct lsf_conf *conf, const char *hosts, struct site_origin origin,
		       char lost[LSF_LOST_HOSTS]);
