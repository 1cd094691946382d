/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Knows output of other programs by words in its first line. */
#include "format/unknown_format.h"

#include <stdbool.h>
#include <string.h>

#define COMMENTS "#;"	/* characters that begin a comment; ';' in traces */

/* Files that users take for ones that can be read. Both words are in the first line. */
static const struct {
	const char *word, *other_word;	/* "": any */
	const char *reason;
} known_texts[] = {
	{ "Bank", "Username", "is a tree that flux account prints (its database can be read)" },
	{ "bank_id", "parent_bank", "is a table of flux account (its database can be read)" },
	{ "JOBID", "PRIORITY", "is a table of sprio (fathom snapshot can be read)" },
	{ "JOBID", "PARTITION", "is a table of squeue (squeue --json or sacct -P can be read)" },
	{ "PARTITION", "AVAIL", "is a table of sinfo (slurm.conf can be read)" },
	{ "Current Association Manager", "", "is what scontrol shows of associations (sshare can "
					     "be read)" },
	{ "JobID  ", "  State", "is a table of sacct (sacct -P can be read)" },
	{ "Account ", " Share", "is a table of sacctmgr show assoc (sacctmgr dump can be read)" },
	{ "JOBID", "QUEUE", "is a table of bjobs (lsb.acct can be read)" },
	{ "Account ", " FairShare", "is a table of sshare (sshare -a -P can be read)" },
	{ "Job Id:", "", "is what qstat shows of jobs (accounting records can be read)" },
	{ "job_id", "workload_name", "is a schedule of Batsim (a trace in SWF can be read)" },
	{ "<!DOCTYPE html", "", "is a page of HTML" },
};

/* Returns the first line that is neither blank nor a comment; NULL: all are. *has_comments: a
 * comment comes before it. */
static const char *first_line(const char *text, bool *has_comments)
{
	*has_comments = false;
	while (*text) {
		const char *word = text + strspn(text, " \t\r");

		if (*word && !strchr(COMMENTS "\n", *word))
			return text;
		*has_comments |= *word && strchr(COMMENTS, *word);
		text = word + strcspn(word, "\n");
		text += *text == '\n';
	}
	return NULL;
}

/* Output of scontrol, which looks like slurm.conf: how it begins, and a word behind that. */
static const struct {
	const char *begin, *word, *reason;
} scontrol_texts[] = {
	{ "NodeName=", " CfgTRES=", "is what scontrol shows of nodes (slurm.conf can be read)" },
	{ "NodeName=", " CPUAlloc=", "is what scontrol shows of nodes (slurm.conf can be read)" },
	{ "PartitionName=", " TotalNodes=", "is what scontrol shows of partitions (slurm.conf can "
					    "be read)" },
	{ "JobId=", "", "is what scontrol shows of jobs (squeue --json can be read)" },
	{ "Configuration data as of", "", "is what scontrol shows of settings (slurm.conf can be "
					  "read)" },
};

/* Returns whether a text of this length has the word. */
static bool has_word(const char *text, size_t length, const char *word)
{
	return memmem(text, length, word, strlen(word));
}

const char *scontrol_reason(const struct document *input)
{
	const char *text = input->text + document_mark(input);
	size_t length;

	text += strspn(text, " \t\r\n");
	length = strcspn(text, "#");	/* a comment of slurm.conf may have the word */
	for (size_t i = 0; i < sizeof(scontrol_texts) / sizeof(*scontrol_texts); i++)
		if (!strncmp(text, scontrol_texts[i].begin, strlen(scontrol_texts[i].begin)) &&
		    has_word(text, length, scontrol_texts[i].word))
			return scontrol_texts[i].reason;
	return NULL;
}

/* Returns a clause about a file without content; else NULL, and *line is the first line of its
 * content, or NULL if that is behind a NUL or not loaded. */
static const char *empty_reason(const struct document *input, const char **line)
{
	bool has_comments;

	*line = first_line(input->text + document_mark(input), &has_comments);
	/* content may be behind a NUL, or where the file is not loaded yet */
	if (*line || strlen(input->text) != input->length || input->is_open)
		return NULL;
	return has_comments ? "has nothing but comments" : "is empty";
}

/* Returns a clause about a file by its first line; NULL: the line is not known. */
static const char *known_reason(const char *line)
{
	size_t length = strcspn(line, "\n");

	for (size_t i = 0; i < sizeof(known_texts) / sizeof(*known_texts); i++)
		if (has_word(line, length, known_texts[i].word) &&
		    has_word(line, length, known_texts[i].other_word))
			return known_texts[i].reason;
	return has_word(line, length, "|") ? "has no header line with Account and User" : NULL;
}

_Noreturn void wrong_format(struct document *input, const char *right)
{
	const char *line, *reason = empty_reason(input, &line);

	if (!reason)
		reason = scontrol_reason(input);
	if (!reason && line)
		reason = known_reason(line);
	if (!reason && input->length && !input->text[0] &&
	    !memcmp(input->text, input->text + 1, input->length - 1))
		reason = "has nothing but NUL bytes";	/* a power loss may leave it so */
	if (!reason)
		reason = "unknown format";
	if (strchr(reason, '('))	/* it tells what can be read */
		wrong_at(input, 1, "%s", reason);
	wrong_at(input, 1, "%s, must be %s", reason, right);
}

void input_check_content(struct document *input, const char *right)
{
	const char *line, *reason = empty_reason(input, &line);

	if (reason)
		wrong_at(input, 1, "%s, must be %s", reason, right);
}
