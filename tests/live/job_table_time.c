/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the second in which slurmctld last changed its job table: clients that
 * have that state already are told so instead of being sent it again. */
#include <slurm/slurm.h>
#include <slurm/slurm_errno.h>

#include <stdio.h>

int main(void)
{
	job_info_msg_t *jobs;

	slurm_init(NULL);
	if (slurm_load_jobs(0, &jobs, SHOW_ALL)) {
		slurm_perror("slurm_load_jobs");
		return 1;
	}
	printf("%lld\n", (long long)jobs->last_update);
	slurm_free_job_info_msg(jobs);
	return 0;
}
