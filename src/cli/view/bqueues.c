/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Source: LSF, "View queue information"; OpenLava 4.0, bqueues(1), for the widths of columns. */
#include "cli/view/bqueues.h"

#include "cli/print_table.h"
#include "cli/print_text.h"
#include "memory/need_memory.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define OWN_LOADS 11	/* those that LSF has itself */

#define AT(member) offsetof(struct bqueues_options, member), 0
#define LONG { 'l', "long", NULL, "all about each queue", option_flag, AT(is_long) }
#define WIDE { 'w', "wide", NULL, "do not cut names of queues", option_flag, AT(is_wide) }

static const struct option_row pools_rows[] = {
	LONG,
	{ 'r', "recursive", NULL, "the same: pools have no share accounts", option_flag,
	  AT(is_long) },
	WIDE, LSF_OPTIONS,
};

static const struct option_row shares_rows[] = {
	LONG,
	{ 'r', "recursive", NULL, "the same with the share accounts of all groups", option_flag,
	  AT(is_recursive) },
	WIDE, LSF_OPTIONS,
};

const struct option_table bqueues_pools_table = {
	OPTION_ROWS(pools_rows),
	.usage = "Usage: fathom pools [OPTION]... --view bqueues -- [-l | -r | -w] [QUEUE]...\n"
		 "Show the queues of slot pools as LSF's bqueues shows them.\n\n",
	OPERANDS(LSF_MOST_NAMES, "QUEUE", struct bqueues_options, name),
};

const struct option_table bqueues_shares_table = {
	OPTION_ROWS(shares_rows),
	.usage = "Usage: fathom shares [OPTION]... --view bqueues -- [-l | -r | -w] [QUEUE]...\n"
		 "Show queues with their fair share as LSF's bqueues shows them.\n\n",
	OPERANDS(LSF_MOST_NAMES, "QUEUE", struct bqueues_options, name),
};

static const char *name_at(const void *context, size_t i)
{
	const struct queue_list *list = context;

	return i < list->count ? list->queue[i].name : NULL;
}

struct queue_list bqueues_wanted(const struct bqueues_options *options,
				 const struct queue_list *list, const char *lacks)
{
	struct queue_list wanted = { need_zeros(list->count, sizeof(*wanted.queue)), 0, 0 };

	lsf_check_wanted(options->name, (struct name_list){ name_at, list }, lacks);
	for (size_t i = 0; i < list->count; i++)
		if (lsf_is_wanted(options->name, list->queue[i].name))
			wanted.queue[wanted.count++] = list->queue[i];
	return wanted;
}

/* ---- columns ------------------------------------------------------------------------------ */

static const struct queue *queue_of(const struct cell *cell)
{
	return &((const struct queue_list *)cell->context)->queue[cell->row];
}

static struct value name(const struct cell *cell)
{
	return value_of_text(queue_of(cell)->name);
}

/* A number of the queue, at the column's offset. */
static struct value number(const struct cell *cell)
{
	const char *queue = (const char *)queue_of(cell);

	return value_of_whole(*(const double *)(queue + cell->column->detail));
}

/* The sum of all slots of jobs, as far as they are known. */
static struct value jobs(const struct cell *cell)
{
	const struct queue *queue = queue_of(cell);
	const double others[] = { queue->running, queue->suspended, queue->reserved };
	double sum = queue->pending;

	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
		sum += isnan(others[i]) ? 0 : others[i];
	return value_of_whole(sum);
}

/* -l tells why a queue is inactive: an administrator has made it so. */
static struct value status(const struct cell *cell)
{
	const struct queue *queue = queue_of(cell);

	if (!queue->has_status)
		return value_none();
	snprintf(cell->buffer, CELL_SIZE, "%s:%s", queue->is_closed ? "Closed" : "Open",
		 !queue->is_inactive ? "Active" : cell->column->detail ? "Inact_Adm" : "Inact");
	return value_of_text(cell->buffer);
}

static struct value nothing(const struct cell *cell)
{
	(void)cell;
	return value_none();
}

#define SLOTS(heading, characters, member)                                                       \
	{ .name = heading, .get = number, .detail = offsetof(struct queue, member),             \
	  .width = characters }
#define LIMITS                                                                                  \
	SLOTS("MAX", 5, limit[QUEUE_OF_ALL]), SLOTS("JL/U", 4, limit[QUEUE_OF_USER]),          \
	SLOTS("JL/P", 4, limit[QUEUE_OF_PROCESSOR]), SLOTS("JL/H", 4, limit[QUEUE_OF_HOST])
#define JOBS                                                                                    \
	{ .name = "NJOBS", .get = jobs, .width = 5 }, SLOTS("PEND", 5, pending),               \
	SLOTS("RUN", 5, running)
#define STATUS(is_long)                                                                         \
	{ .name = "STATUS", .kind = COLUMN_TEXT, .get = status, .detail = is_long, .width = 15 }

static const struct column short_columns[] = {
	{ .name = "QUEUE_NAME", .kind = COLUMN_TEXT, .get = name, .width = 15 },
	SLOTS("PRIO", 4, priority), STATUS(false), LIMITS, JOBS, SLOTS("SUSP", 5, suspended),
};

static const struct column long_columns[] = {
	SLOTS("PRIO", 4, priority), SLOTS("NICE", 4, nice), STATUS(true), LIMITS, JOBS,
	SLOTS("SSUSP", 5, suspended), { .name = "USUSP", .get = nothing, .width = 5 },
	SLOTS("RSV", 4, reserved),
};

static struct table table_of(const struct queue_list *list, const struct column *columns,
			     size_t count)
{
	struct table table = { .context = list, .row_count = list->count, .has_header = true };

	table_add_all(&table, columns, count);
	for (size_t i = 0; i < count; i++)
		table.column[i].missing = LSF_UNKNOWN;
	return table;
}

void bqueues_print_list(const struct bqueues_options *options, const struct queue_list *list)
{
	struct table table = table_of(list, short_columns,
				      sizeof(short_columns) / sizeof(*short_columns));

	table.column[0].most = options->is_wide ? 0 : table.column[0].least;
	print_fixed(&table);
}

/* ---- the long form ------------------------------------------------------------------------- */

/* Load indices with the width of their columns, in tables of their own. */
static const struct load { const char *name; int width; } loads[QUEUE_LOAD_COUNT] = {
	{ "r15s", 5 }, { "r1m", 5 }, { "r15m", 5 }, { "ut", 5 }, { "pg", 5 }, { "io", 5 },
	{ "ls", 5 }, { "it", 5 }, { "tmp", 5 }, { "swp", 5 }, { "mem", 5 },
	{ "cpuspeed", 9 }, { "bandwidth", 9 },
};

/* Prints the thresholds of load at which jobs are scheduled, or stopped. */
static void print_thresholds(const struct queue *queue, size_t first, size_t end, bool is_stop)
{
	printf("%s", is_stop ? " loadStop " : " loadSched");
	for (size_t i = first; i < end; i++) {
		const char *text = queue->load[i] ? queue->load[i] : "";
		size_t length = strcspn(text, "/");

		if (is_stop) {
			text += length + (text[length] == '/');
			length = strlen(text);
		}
		putchar(' ');
		print_padded(length ? need_copy((struct piece){ text, length }) : LSF_UNKNOWN,
			     loads[i].width);
	}
	putchar('\n');
}

static void print_loads(const struct queue *queue, size_t first, size_t end)
{
	printf("%10s", "");
	for (size_t i = first; i < end; i++)
		printf(" %*s", loads[i].width, loads[i].name);
	putchar('\n');
	print_thresholds(queue, first, end, false);
	print_thresholds(queue, first, end, true);
}

void bqueues_print_parameters(const struct queue *queue, bool is_first)
{
	static const char line[] = "----------------------------------------"
				   "---------------------------------------";
	const struct queue_list alone = { (struct queue *)queue, 1, 1 };
	const struct table table = table_of(&alone, long_columns,
					    sizeof(long_columns) / sizeof(*long_columns));

	if (is_first)
		putchar('\n');
	else
		printf("%s\n\n", line);
	print_labelled("QUEUE: ", queue->name);
	if (queue->description)
		print_labelled("  -- ", queue->description);
	printf("\nPARAMETERS/STATISTICS\n");
	print_fixed(&table);
	printf("\nSCHEDULING PARAMETERS\n");
	print_loads(queue, 0, OWN_LOADS);
	putchar('\n');
	print_loads(queue, OWN_LOADS, QUEUE_LOAD_COUNT);
}

void bqueues_print_users(const struct queue *queue)
{
	print_labelled("\nUSERS: ", queue->users ? queue->users : LSF_UNKNOWN);
	print_labelled("HOSTS: ", queue->hosts ? queue->hosts : LSF_UNKNOWN);
	if (isnan(queue->share))
		return;
	printf("SLOT_SHARE: %g%%\n", queue->share);
	print_labelled("SLOT_POOL: ", queue->pool ? queue->pool : LSF_UNKNOWN);
}
