/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All views: each has a struct view in a source file of the folder view. */
#pragma once

#include "cli/view.h"

/* Slurm's */
extern const struct view view_sshare, view_sprio;
/* OpenPBS's */
extern const struct view view_pbsfs;
/* LSF's */
extern const struct view view_bhpart, view_bqueues, view_bqueues_of_pools, view_bugroup;
/* flux-accounting's */
extern const struct view view_flux, view_flux_shares, view_flux_jobs;

/* The views of each command, NULL at the end. */
extern const struct view *const shares_views[], *const prio_views[], *const pools_views[];
