/* SPDX-License-Identifier: GPL-2.0-or-later */
/* An evaluated tree as the rows of sshare. */
#pragma once

#include "cli/shown_tree.h"
#include "live/live_sshare.h"

/* Fills a list with the rows that are shown; their texts belong to the tree. */
void sshare_rows_fill(struct sshare_list *list, const struct shown_tree *shown);
