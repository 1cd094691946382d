/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Finds words in comments of jobs, and reads the urgency. */
#include "priority/job_comment.h"

#include "fathom.h"

#include <string.h>

#define SEPARATORS " \t\n,;"	/* between words */
#define MOST_URGENCY 31		/* Flux: the job goes before all others */

struct piece job_comment_value(const char *comment, const char *key)
{
	size_t key_length = strlen(key), length;

	for (; comment && *(comment += strspn(comment, SEPARATORS)); comment += length) {
		length = strcspn(comment, SEPARATORS);	/* of the word at `comment` */
		if (length > key_length && comment[key_length] == '=' &&
		    !strncmp(comment, key, key_length))
			return (struct piece){ comment + key_length + 1, length - key_length - 1 };
	}
	return (struct piece){ NULL, 0 };
}

/* Reads a whole number from 0 to MOST_URGENCY. -1: the text is not such a number. */
static int read_urgency(struct piece text)
{
	int number = text.length ? 0 : -1;

	for (size_t i = 0; i < text.length && number >= 0; i++) {
		char digit = text.at[i];

		number = digit >= '0' && digit <= '9' ? 10 * number + digit - '0' : -1;
		if (number > MOST_URGENCY)
			number = -1;
	}
	return number;
}

int64_t job_comment_nice(const char *comment, int64_t nice, bool may_raise, const char **fault)
{
	struct piece text = job_comment_value(comment, "urgency");
	int urgency = text.at ? read_urgency(text) : FATHOM_FLUX_URGENCY;
	const char *wrong = NULL;

	if (urgency < 0)
		wrong = "urgency= must be a whole number from 0 to 31";
	else if (urgency > FATHOM_FLUX_URGENCY && !may_raise)
		wrong = "only UrgencyRaise=yes lets urgency= be above 16";
	if (fault)
		*fault = wrong;
	return wrong ? nice : nice + FATHOM_FLUX_URGENCY - urgency;
}
