/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads metrics in place. A line is a comment or a sample:
 *
 *	# HELP fathom_passes_total Passes since the plugin was loaded.
 *	fathom_passes_total 7
 *	fathom_partition_jobs{partition="gpu",state="pending"} 3
 *
 * In the value of a label \\, \" and \n stand for a backslash, a quote and a newline.
 */
#include "format/metrics.h"

#include "core/duration.h"
#include "memory/need_memory.h"

#include <math.h>
#include <string.h>

static const char name_characters[] =
	"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_:";

struct metrics_reader {
	struct document *input;
	struct metrics metrics;	/* read so far */
	size_t line;		/* that is being read, from 1 */
};

/* Fails with "WHAT, must be ..." about the line. */
_Noreturn static void wrong_sample(const struct metrics_reader *reader, const char *what)
{
	wrong_at(reader->input, reader->line, "%s, must be NAME{LABEL=\"VALUE\",...} NUMBER", what);
}

/* Returns the name at `at`, and sets *end to the place behind it. The caller ends the name by
 * NUL. */
static char *read_name(const struct metrics_reader *reader, char *at, char **end)
{
	size_t length = strspn(at, name_characters);

	if (!length)
		wrong_sample(reader, "a name is missing");
	*end = at + length;
	return at;
}

/* Reads the value of a label behind its first quote, and resolves escapes in place. Returns the
 * text behind its last quote. */
static char *read_value(const struct metrics_reader *reader, char *at, const char **value)
{
	char *to = at;

	*value = at;
	for (; *at && *at != '"'; at++) {
		if (*at == '\\' && at[1])
			*to++ = *++at == 'n' ? '\n' : *at;
		else
			*to++ = *at;
	}
	if (!*at)
		wrong_sample(reader, "the quote behind a value is missing");
	*to = '\0';
	return at + 1;
}

/* Reads the labels behind '{'. Returns the text behind '}'. */
static char *read_labels(const struct metrics_reader *reader, char *at,
			 struct metric_sample *sample)
{
	while (*at != '}') {
		struct metric_label *label = &sample->label[sample->label_count];
		char *end;

		if (sample->label_count++ == METRIC_MOST_LABELS)
			wrong_sample(reader, "has too many labels");
		label->name = read_name(reader, at, &end);
		if (strncmp(end, "=\"", 2))
			wrong_sample(reader, "a label has no value");
		*end = '\0';
		at = read_value(reader, end + 2, &label->value);
		at += *at == ',';
	}
	return at + 1;
}

/* Reads the number with which a line ends. */
static double read_number(const struct metrics_reader *reader, const char *at)
{
	double number;
	const char *end;

	if (!strcmp(at, "+Inf"))
		return INFINITY;
	if (number_parse(at, &number, &end) || *end)
		wrong_sample(reader, "has no number");
	return number;
}

/* Reads a line that is not a comment. */
static void read_sample(struct metrics_reader *reader, char *at)
{
	struct metric_sample sample = { .label_count = 0 };
	char *end;

	sample.name = read_name(reader, at, &end);
	at = *end == '{' ? read_labels(reader, end + 1, &sample) : end;
	if (*at != ' ')
		wrong_sample(reader, "has no blank before its number");
	*end = '\0';	/* not earlier: it may take the place of '{' or of that blank */
	sample.value = read_number(reader, at + 1);
	NEED_ADD(reader->metrics.sample, reader->metrics.count, sample);
}

struct metrics metrics_read(struct document *input)
{
	struct metrics_reader reader = { .input = input };
	char *rest = input->text, *line;

	if (strncmp(input->text, METRICS_BEGIN, strlen(METRICS_BEGIN)))
		wrong_at(input, 0, "is no MetricsFile of fathom, must begin with '%s'",
			 METRICS_BEGIN);
	while ((line = strsep(&rest, "\n"))) {
		reader.line++;
		if (*line && *line != '#')
			read_sample(&reader, line);
	}
	return reader.metrics;
}

const struct metric_sample *metrics_find(const struct metrics *metrics, const char *name)
{
	for (size_t i = 0; i < metrics->count; i++)
		if (!strcmp(metrics->sample[i].name, name))
			return &metrics->sample[i];
	return NULL;
}

const char *metric_label_value(const struct metric_sample *sample, const char *name)
{
	for (size_t i = 0; i < sample->label_count; i++)
		if (!strcmp(sample->label[i].name, name))
			return sample->label[i].value;
	return NULL;
}
