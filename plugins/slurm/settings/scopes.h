/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The partitions and hosts that fathom.conf names, in Scope lines and in lines of slot pools.
 *
 *	scope		partitions, or hosts, with a policy of their own: their jobs get their
 *			factors from it, and its sums count only these jobs. Of a job on hosts of
 *			several scopes each counts a part, by its CPUs there
 *	slot pool	partitions on the same nodes, each with a share of the CPUs; see
 *			partitions/pools.h
 *	scheme		a policy with its settings: the one in force, the shadow, one for each scope
 *	queue		LSF's word for a partition; struct queue says where fathom.conf names it
 *
 * Functions take a scheme as its index in settings->scheme; 0 is the one in force.
 */
#ifndef SLURM_SCOPES_H
#define SLURM_SCOPES_H

#include "settings/settings_fields.h"

/* Makes the schemes of settings->conf, and lists hosts, queues and pools. Without slurmdbd there is
 * no usage, so that scopes and pools would have no effect and are left out. -1: out of memory. */
int scopes_create(struct settings *settings);
void scopes_destroy(struct settings *settings);

/* Returns the name of a scheme for the same jobs: of the shadow for the one in force, and the other
 * way round, as Policy and ShadowPolicy may have been exchanged since the state was saved. A scope
 * has only its own name. */
const char *scheme_other_name(const struct scheme *scheme);
/* Returns the kind of sums that the scheme keeps. Sums are kept when the policy changes to another
 * one with sums of the same kind. */
const char *scheme_kind_of_sums(const struct scheme *scheme);

/* Finds a partition by its name. NULL: fathom.conf does not name it, or `partition` is NULL. */
const struct queue *scopes_queue(const struct settings *settings, const char *partition);
/* Returns the scheme of the scope that has the node as a host; 0: none. node: its number. The
 * caller holds node read. */
size_t scopes_node(const struct settings *settings, int node);
/* Returns whether the scheme's sums include what runs of the partition use, or if it has hosts, a
 * part of it. */
bool scopes_scheme_includes(const struct settings *settings, size_t scheme, const char *partition);

#endif
