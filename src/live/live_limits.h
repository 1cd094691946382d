/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The limits of associations and QOS, as slurmctld's assoc_mgr has them with what is used. Include
 * compat.h first. */
#pragma once

#include <stdbool.h>

/* Begin with all members 0: records are asked for when a job needs them. Or set both records. */
struct live_limits {
	assoc_mgr_info_msg_t *records;		/* NULL: not told, as without slurmdbd */
	partition_info_msg_t *partitions;
	bool are_all;		/* these are all records; else those that concern one user */
	uint32_t uid;		/* this one */
	struct name_index *by_id;	/* of associations in records, by id as bytes */
	const slurmdb_assoc_rec_t **association;
};

/* Returns a clause about the limit that a reason names, its value and what counts against it;
 * NULL: the reason names none, or PrivateData hides it. partition: of those that the job asks for.
 * Within libslurm_ask(). */
const char *live_limits_text(struct live_limits *limits, const slurm_job_info_t *info,
			     const char *partition, const char *reason);
