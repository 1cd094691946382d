/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Checks that need the whole of fathom.conf: lines that contradict each other. */
#pragma once

#include "conf/conf.h"

/* Checks that the line of a scope has only settings of its policy. -1: *fault names another key. */
int conf_check_pairs(const struct conf_scope *scope, const struct fathom_policy *policy,
		     struct conf_fault *fault);

/* Sorts the banks, and checks that none is named twice. -1: *fault says which one is. */
int conf_banks_check(struct fathom_conf *conf, struct conf_fault *fault);

/* Checks that names of ResourceGroup are unique, and that each parent is a row before its member,
 * ENTITY_ROOT or ENTITY_UNKNOWN. names: an empty index. -1: *fault says what is wrong, or that
 * there is no memory. */
int conf_resources_check(struct fathom_conf *conf, struct name_index *names,
			 struct conf_fault *fault);

/* Checks what cannot be checked line by line, once all lines are read. Sets each scope's kind if
 * its line does not give it and each slot share's `first`, and sorts banks and user groups. -1:
 * *fault says what is wrong. */
int conf_check(struct fathom_conf *conf, struct conf_fault *fault);
