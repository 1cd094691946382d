/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom pools: divides a slot pool among its queues and prints what each gets. */
#include "config.h"

#include "cli/command.h"
#include "cli/option_values.h"
#include "cli/complain.h"
#include "cli/options.h"
#include "cli/print_table.h"
#include "fathom.h"
#include "format/pool_file.h"
#include "json/json.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pools_options {
	const char *pool;
	bool json, parsable, no_header;
};

/* A divided pool. */
struct division {
	const struct pool_file *file;
	const struct fathom_pool_grant *grants;	/* in the order of service */
};

/* ---- options ------------------------------------------------------------------ */

static int set_pool(const struct option_row *row, void *member, const char *value)
{
	const char **pool = member;

	if (*pool)
		return complain("--%s: given twice; one pool is read from one file", row->name);
	*pool = value;
	return 0;
}

#define AT(member) offsetof(struct pools_options, member), 0

static const struct option_row option_rows[] = {
	{ 0, "pool", "FILE", "read the pool from FILE, '-' for standard input; fathom-pools(1) "
	  "describes the format", set_pool, AT(pool) },
	{ 'n', "noheader", NULL, "print no header line", option_flag, AT(no_header) },
	{ 'P', "parsable2", NULL, "print a '|' between columns", option_flag, AT(parsable) },
	{ 0, "json", NULL, "print JSON", option_flag, AT(json) },
	COMMON_OPTIONS,
};

static const struct option_table option_table = {
	.rows = option_rows,
	.count = sizeof(option_rows) / sizeof(*option_rows),
	.usage = "Usage: fathom pools --pool FILE [OPTION]...\n"
		 "Divide the slots of a pool among its queues by share and demand, as LSF's\n"
		 "queue-based fair share does. Show the slots that each queue deserves, those\n"
		 "that it gets, and how many of these are lent to it, in the order in which LSF\n"
		 "serves queues.\n\n",
};

/* ---- columns --------------------------------------------------------------------- */

static const struct slot_count {
	const char *heading, *key;
	size_t offset;		/* in struct fathom_pool_grant */
} slot_counts[] = {
	{ "Deserved", "deserved", offsetof(struct fathom_pool_grant, deserved) },
	{ "Got", "got", offsetof(struct fathom_pool_grant, got) },
	{ "Lent", "lent", offsetof(struct fathom_pool_grant, lent) },
};

#define SLOT_COUNT_COUNT (sizeof(slot_counts) / sizeof(*slot_counts))

static const char *name_of(const struct division *division, size_t i)
{
	return division->file->name[division->grants[i].queue - division->file->queue];
}

static uint64_t value_of(const struct division *division, size_t i, const struct slot_count *count)
{
	return *(const uint64_t *)((const char *)&division->grants[i] + count->offset);
}

static const char *queue_text(const void *context, const struct table_column *column, size_t row,
			      char *buffer)
{
	(void)column, (void)buffer;
	return name_of(context, row);
}

static const char *count_text(const void *context, const struct table_column *column, size_t row,
			       char *buffer)
{
	snprintf(buffer, CELL_SIZE, "%" PRIu64, value_of(context, row, column->of));
	return buffer;
}

static void add_columns(struct table *table)
{
	table->column[table->column_count++] =
		(struct table_column){ .heading = "Queue", .text = queue_text };
	for (size_t i = 0; i < SLOT_COUNT_COUNT; i++)
		table->column[table->column_count++] =
			(struct table_column){ .heading = slot_counts[i].heading,
					       .text = count_text,
					       .of = &slot_counts[i],
					       .right = true };
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
		for (size_t j = 0; j < SLOT_COUNT_COUNT; j++) {
			json_put(stdout, ", \"");
			json_put(stdout, slot_counts[j].key);
			json_put(stdout, "\": ");
			json_put_integer(stdout, (int64_t)value_of(division, i, &slot_counts[j]));
		}
		json_put(stdout, "}");
	}
	json_put(stdout, "]}\n");
}

static int print(const struct pools_options *options, const struct division *division)
{
	struct table table = { .row_count = division->file->count, .context = division,
			       .has_header = !options->no_header };
	struct fathom_error error;

	add_columns(&table);
	if (options->json)
		print_pool_json(division);
	else if (options->parsable)
		print_separated(&table, "|", false);
	else if (print_table(&table, &error))
		return complain("%s", error.text);
	return EXIT_DONE;
}

/* ---- reading and dividing ---------------------------------------------------------- */

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
	int status = options_parse(argc, argv, &option_table, &options);

	if (!status && !options.pool)
		status = complain("--pool: must be given; see fathom pools --help");
	if (!status)
		status = show_pool(&options);
	return status == DONE ? EXIT_DONE : status;
}

const struct command command_pools = {
	.name = "pools",
	.summary = "divide a slot pool among its queues",
	.run = run,
};
