/* SPDX-License-Identifier: GPL-2.0-or-later */
/* job_table_since SECOND: has slurmctld's job table changed in that second or
 * later? A client that has an unchanged one is told so, and not sent it again. */
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	job_info_msg_t *jobs;

	if (argc != 2) {
		fprintf(stderr, "Usage: job_table_since SECOND\n");
		return 2;
	}
	slurm_init(NULL);
	if (!slurm_load_jobs(strtoll(argv[1], NULL, 10), &jobs, SHOW_ALL)) {
		slurm_free_job_info_msg(jobs);
		puts("changed");
	} else if (errno == SLURM_NO_CHANGE_IN_DATA) {
		puts("unchanged");
	} else {
		slurm_perror("slurm_load_jobs");
		return 1;
	}
	return 0;
}
