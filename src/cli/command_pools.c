/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom pools: what each queue of a slot pool deserves, gets and is lent. */
#include "config.h"

#include "cli/command.h"
#include "cli/option_values.h"
#include "cli/complain.h"
#include "cli/options.h"
#include "cli/print.h"
#include "cli/version.h"
#include "fathom.h"
#include "format/pool_file.h"
#include "json/json.h"

#include <inttypes.h>
#include <libsmartcols.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pools_options {
	const char *pool;
	bool json, parsable, no_header;
};

/* What a pool is divided into, in the order of service. */
struct division {
	const struct pool_file *file;
	const struct fathom_pool_grant *grants;
};

/* ---- options ------------------------------------------------------------------ */

static int print_help(void *context, const char *value);

static int take_pool(void *context, const char *value)
{
	struct pools_options *options = context;

	if (options->pool)
		return complain("--pool: given twice; one pool is read from one file");
	options->pool = value;
	return 0;
}

#define FLAG(name, member)                                             \
	static int name(void *context, const char *value)              \
	{                                                              \
		(void)value;                                           \
		((struct pools_options *)context)->member = true;      \
		return 0;                                              \
	}
FLAG(take_json, json)
FLAG(take_parsable, parsable)
FLAG(take_no_header, no_header)
#undef FLAG

static int take_version(void *context, const char *value)
{
	(void)context, (void)value;
	print_version();
	return DONE;
}

static const struct option_row option_rows[] = {
	{ 0, "pool", "FILE", "read the pool from FILE, '-' for standard input: JSON, see "
	  "fathom-pools(1)", take_pool },
	{ 'n', "noheader", NULL, "no header line", take_no_header },
	{ 'P', "parsable2", NULL, "columns with a '|' between them", take_parsable },
	{ 0, "json", NULL, "as JSON", take_json },
	{ 'V', "version", NULL, "the release, and what was built in", take_version },
	{ 0, "help", NULL, "this text", print_help },
	{ 0, "usage", NULL, NULL, print_help },
};

#define OPTION_COUNT (sizeof(option_rows) / sizeof(*option_rows))

static int print_help(void *context, const char *value)
{
	(void)context, (void)value;
	printf("Usage: fathom pools --pool FILE [OPTION]...\n"
	       "Divide the slots of a pool among its queues by share and demand, as LSF's\n"
	       "queue-based fair share does: what each queue deserves, what it gets, and how much\n"
	       "of that is lent to it. The queue that is served first comes first.\n\n");
	options_help(option_rows, OPTION_COUNT);
	return DONE;
}

/* ---- columns --------------------------------------------------------------------- */

static const struct {
	const char *heading, *key;
	size_t offset;
} columns[] = {
	{ "Deserved", "deserved", offsetof(struct fathom_pool_grant, deserved) },
	{ "Got", "got", offsetof(struct fathom_pool_grant, got) },
	{ "Lent", "lent", offsetof(struct fathom_pool_grant, lent) },
};

#define COLUMN_COUNT (sizeof(columns) / sizeof(*columns))

static const char *name_of(const struct division *division, size_t i)
{
	return division->file->name[division->grants[i].queue - division->file->queue];
}

static uint64_t value_of(const struct division *division, size_t i, size_t column)
{
	return *(const uint64_t *)((const char *)&division->grants[i] + columns[column].offset);
}

/* ---- output ---------------------------------------------------------------------- */

static void print_pool_json(const struct division *division)
{
	json_put(stdout, "{\"slots\": ");
	json_put_integer(stdout, (int64_t)division->file->pool.slots);
	json_put(stdout, ",\n \"queues\": [");
	for (size_t i = 0; i < division->file->count; i++) {
		json_put(stdout, i ? ",\n  {\"name\": " : "\n  {\"name\": ");
		json_put_string(stdout, name_of(division, i));
		for (size_t j = 0; j < COLUMN_COUNT; j++) {
			json_put(stdout, ", \"");
			json_put(stdout, columns[j].key);
			json_put(stdout, "\": ");
			json_put_integer(stdout, (int64_t)value_of(division, i, j));
		}
		json_put(stdout, "}");
	}
	json_put(stdout, "]}\n");
}

static void print_pool_parsable(const struct division *division, bool header)
{
	if (header) {
		printf("Queue");
		for (size_t j = 0; j < COLUMN_COUNT; j++)
			printf("|%s", columns[j].heading);
		putchar('\n');
	}
	for (size_t i = 0; i < division->file->count; i++) {
		fputs(name_of(division, i), stdout);
		for (size_t j = 0; j < COLUMN_COUNT; j++)
			printf("|%" PRIu64, value_of(division, i, j));
		putchar('\n');
	}
}

static int add_column(struct libscols_table *table, const char *heading, int flags, bool colour)
{
	struct libscols_column *column = scols_table_new_column(table, heading, 0, flags);

	if (!column)
		return -1;
	return colour ? scols_cell_set_color(scols_column_get_header(column), "bold") : 0;
}

static int add_columns(struct libscols_table *table, bool colour)
{
	int status = add_column(table, "Queue", 0, colour);

	for (size_t j = 0; j < COLUMN_COUNT && !status; j++)
		status = add_column(table, columns[j].heading, SCOLS_FL_RIGHT, colour);
	return status;
}

static int add_line(struct libscols_table *table, const struct division *division, size_t i)
{
	struct libscols_line *line = scols_table_new_line(table, NULL);
	char number[24];

	if (!line || scols_line_set_data(line, 0, name_of(division, i)))
		return -1;
	for (size_t j = 0; j < COLUMN_COUNT; j++) {
		snprintf(number, sizeof(number), "%" PRIu64, value_of(division, i, j));
		if (scols_line_set_data(line, j + 1, number))
			return -1;
	}
	return 0;
}

static int print_pool_table(const struct division *division, bool header)
{
	struct libscols_table *table = scols_new_table();
	bool colour = print_wants_colour();
	int status = table ? add_columns(table, colour) : -1;

	for (size_t i = 0; i < division->file->count && !status; i++)
		status = add_line(table, division, i);
	if (!status) {
		scols_table_enable_noheadings(table, !header);
		scols_table_enable_colors(table, colour);
		status = scols_print_table(table);
	}
	scols_unref_table(table);
	return status ? complain("out of memory") : EXIT_DONE;
}

/* ---- from input to output --------------------------------------------------------- */

static int print(const struct pools_options *options, const struct division *division)
{
	if (!options->json && !options->parsable)
		return print_pool_table(division, !options->no_header);
	if (options->json)
		print_pool_json(division);
	else
		print_pool_parsable(division, !options->no_header);
	return EXIT_DONE;
}

static int divide(const struct pools_options *options, const struct pool_file *file)
{
	struct fathom_pool_grant *grants = malloc((file->count + 1) * sizeof(*grants));
	struct division division = { file, grants };
	struct fathom_error error = { .text = "out of memory" };
	uint64_t left;
	int status;

	if (!grants || fathom_pool_allocate(&file->pool, file->queue, file->count, grants, &left,
					    &error))
		status = complain("%s", error.text);
	else
		status = print(options, &division);
	free(grants);
	return status;
}

static int show_pool(const struct pools_options *options)
{
	struct input input;
	struct pool_file file;
	struct fathom_error error;
	int status;

	if (input_load(&input, options->pool, &error))
		return complain_of_input(&input, &error);
	if (pool_read(&input, &file, &error))
		status = complain_of_input(&input, &error);
	else {
		status = divide(options, &file);
		pool_clear(&file);
	}
	input_clear(&input);
	return status;
}

static int run(int argc, char **argv)
{
	struct pools_options options = { 0 };
	int status = options_parse(argc, argv, option_rows, OPTION_COUNT, &options);

	if (!status && !options.pool)
		status = complain("--pool: must be given; see fathom pools --help");
	if (!status)
		status = show_pool(&options);
	return status == DONE ? EXIT_DONE : status;
}

const struct command command_pools = {
	.name = "pools",
	.summary = "deserved, got and lent slots of a pool's queues",
	.run = run,
};
