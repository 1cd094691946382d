/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Whether this fathom is built with libslurm. Without it no function of live.h is there: they are
 * weak, so that calls of them may be linked, but such calls must not be made.
 */
#pragma once

#include "config.h"

#include "live/live.h"

#ifdef HAVE_LIBSLURM
#define HAS_LIBSLURM true
#else
#define HAS_LIBSLURM false
#pragma weak live_clusters_each
#pragma weak live_doctor_read
#pragma weak live_history_path
#pragma weak live_job_named
#pragma weak live_job_records_with_settings
#pragma weak live_jobs_read
#pragma weak live_lint_read
#pragma weak live_local_plugin_dir
#pragma weak live_local_slurm_conf
#pragma weak live_metrics_path
#pragma weak live_pools_read
#pragma weak live_partitions_read
#pragma weak live_queues_read
#pragma weak live_read
#pragma weak live_read_local
#pragma weak live_request_begin
#pragma weak live_request_post
#pragma weak live_snapshot_write
#pragma weak live_sprio_shows_names
#pragma weak live_sshare_read
#endif

/* In a build without libslurm, ends the command with an error: this option must be given. */
void need_libslurm(const char *option);
