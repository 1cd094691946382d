/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds the jobs that users name as squeue prints them. */
#include "cli/jobs/command_jobs.h"

#include <stdlib.h>

bool is_job_id(const char *word)
{
	static const char digits[] = "0123456789";
	const char *sign = word + strspn(word, digits);		/* what follows the number */
	bool has_number = sign != word;

	if (!has_number || !*sign)
		return has_number;
	/* tasks that wait as one job: 10_[1-5%2] */
	if (sign[0] == '_' && sign[1] == '[')
		return strchr(sign, ']') == sign + strlen(sign) - 1;
	/* a task or a component: 10_3, 10+1 */
	return strchr("_+", *sign) && sign[1] && !sign[1 + strspn(sign + 1, digits)];
}

/* Returns the number of the job of files that a word such as "10_3" or "10+1" names. Files have no
 * tasks: all of an array are one job, 10. Components have consecutive numbers: 10+1 is job 11. */
static int64_t file_job(const char *word)
{
	char *sign;
	int64_t id = strtoll(word, &sign, 10);

	return *sign == '+' ? id + strtoll(sign, NULL, 10) : id;
}

int64_t job_id_number(const char *word, bool of_files)
{
	int64_t id;

	if (!word[strspn(word, "0123456789")])
		return strtoll(word, NULL, 10);
	id = of_files || !HAS_LIBSLURM ? file_job(word) : live_job_named(word);
	if (id < 0)
		refuse("job %s: unknown, must be one of the jobs that wait", word);
	remark("%s is job %lld", word, (long long)id);
	return id;
}
