/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom pools: shows what the queues of slot pools deserve, get and are lent. */
#include "cli/command.h"
#include "cli/print_table.h"
#include "cli/views.h"
#include "conf/conf_parse.h"
#include "format/lsf/lsf.h"
#include "format/site/configured_pools.h"
#include "format/unknown_format.h"
#include "json/json.h"
#include "live/live.h"
#include "relation/text_table.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct pools_options {
	const char *from;	/* a file, or "-"; NULL: the running cluster */
	uint64_t slots;		/* 0: not given */
	struct chosen_view view;
	bool json, parsable, no_header;
};

/* ---- options ------------------------------------------------------------------ */

/* Takes --from, which may be given once. */
static void set_from(const struct option_row *row, void *member, const char *value)
{
	const char **from = member;

	if (*from)
		refuse("--%s: given twice; one pool is read from one file", row->name);
	*from = value;
}

/* Takes a number of slots, which a double tells exactly. */
static void set_slots(const struct option_row *row, void *member, const char *value)
{
	double slots = strtod(value, NULL);

	if (value[strspn(value, "0123456789")] || !(slots >= 1) || slots > (double)FATHOM_MAX_SLOTS)
		refuse("--%s: '%s', must be a whole number from 1 to 2^53", row->name, value);
	*(uint64_t *)member = (uint64_t)slots;
}

#define AT(member) offsetof(struct pools_options, member), 0

static const struct option_row option_rows[] = {
	{ OPTION_FROM, "divide the pool of FILE, '-' for standard input, instead of showing "
	  "those of the running cluster; fathom-pools(1) describes the format", set_from,
	  AT(from) },
	{ 0, "slots", "NUMBER", "slots of each pool, for lsb.queues of LSF and fathom.conf, "
	  "which do not tell them", set_slots, AT(slots) },
	{ OPTION_NO_HEADER, option_flag, AT(no_header) },
	{ OPTION_PARSABLE, "print a '|' between columns", option_flag, AT(parsable) },
	{ OPTION_JSON, "print JSON", option_flag, AT(json) },
	{ OPTION_VIEW, option_text, AT(view.tool) },
	COMMON_OPTIONS,
	{ 0, "pool", "FILE", NULL, set_from, AT(from) },
	{ ALIAS_PARSABLE, option_flag, AT(parsable) },
};

static void help_more(void)
{
	help_views(pools_views);
}

static const struct option_table option_table = {
	OPTION_ROWS(option_rows),
	.usage = "Usage: fathom pools [OPTION]...\n"
		 "Show for each queue of a slot pool the slots that it deserves, those that it\n"
		 "gets, and how many of these are lent to it. Queues stand in the order in which\n"
		 "LSF's queue-based fair share serves them. The pools are those of the running\n"
		 "cluster, as its last pass divided them, or those of a file.\n\n",
	.help_more = help_more,
};

/* ---- the table --------------------------------------------------------------------- */

/* Adds the columns. of_cluster: pools have names, and their shares, demands and usage are shown. */
static void add_columns(struct text_table *table, bool of_cluster)
{
	if (of_cluster)
		text_table_add_column(table, "Pool");
	text_table_add_column(table, "Queue");
	if (of_cluster)
		text_table_add_number(table, "Share");
	text_table_add_number(table, "Deserved");
	text_table_add_number(table, "Got");
	text_table_add_number(table, "Lent");
	if (of_cluster) {
		text_table_add_number(table, "Demand");
		text_table_add_number(table, "Used");
	}
}

/* Puts the row of queue i of a pool. A share has up to six digits; queues outside the pool have
 * none. */
static void put_queue(struct text_table *table, const struct pool_division *pool, size_t i,
		      bool of_cluster)
{
	const struct fathom_pool_grant *grant = &pool->grant[i];
	const struct fathom_pool_queue *queue = grant->queue;

	if (of_cluster)
		text_table_put(table, pool->name);
	text_table_put(table, pool_division_name(pool, i));
	if (of_cluster)
		text_table_put_value(table, queue->in_pool ? value_of_short(queue->share, 6)
							   : value_none());
	text_table_put_value(table, value_of_integer((int64_t)grant->deserved));
	text_table_put_value(table, value_of_integer((int64_t)grant->got));
	text_table_put_value(table, value_of_integer((int64_t)grant->lent));
	if (of_cluster) {
		text_table_put_value(table, value_of_integer((int64_t)queue->demand));
		text_table_put_value(table, value_of_whole(queue->used));
	}
}

/* Prints the table: a row for each queue of each pool. */
static void print_rows(const struct pools_options *options, const struct pool_divisions *pools,
		       bool of_cluster)
{
	struct text_table table = { .count = 0 };

	add_columns(&table, of_cluster);
	for (size_t i = 0; i < pools->count; i++)
		for (size_t j = 0; j < pools->list[i].count; j++)
			put_queue(&table, &pools->list[i], j, of_cluster);
	text_table_finish(&table)->has_header = !options->no_header;
	print_either(&table.table, options->parsable);
}

/* ---- output ---------------------------------------------------------------------- */

/* Prints JSON: the pools of a cluster, or the division of a single one. */
static void print_json(const struct pool_divisions *pools, bool of_cluster)
{
	const bool with_demand = false;

	json_begin(stdout, JSON_DIVISION_FORMAT, JSON_DIVISION_VERSION);
	json_put(stdout, ",\n ");
	if (of_cluster)
		json_put_pools(stdout, pools->list, pools->count);
	else
		json_put_division(stdout, pools->list, with_demand);
	json_put(stdout, "}\n");
}

/* Prints pools as the options ask: by a view, as JSON, or as a table. Pools of a cluster have
 * names, and their shares and demands are shown, too. */
static void print(const struct pools_options *options, const struct pool_divisions *pools)
{
	const struct view *view = options->view.view;
	bool of_cluster;

	if (!pools->count)
		refuse("%s has no slot pools; SlotPool lines in fathom.conf define them",
		       options->from ? options->from : pools->cluster);
	of_cluster = pools->list->name;
	if (view)
		view->print_pools(options->view.options, pools->list, pools->count);
	else if (options->json)
		print_json(pools, of_cluster);
	else
		print_rows(options, pools, of_cluster);
}

/* ---- a file ------------------------------------------------------------------------ */

/* Refuses --slots for pools whose slots are known. from: their file or cluster. */
static void refuse_slots(const struct pools_options *options, const char *from)
{
	if (options->slots)
		refuse("--slots: %s tells the slots of its pools; --slots is for lsb.queues and "
		       "fathom.conf, which do not", from);
}

/* Refuses a file that tells no slots of its pools without --slots. */
static void need_slots(const struct pools_options *options, const struct document *input)
{
	if (!options->slots)
		refuse("--slots: must be given, as %s does not tell the slots of pools; give the "
		       "CPUs of a pool's hosts", input->name);
}

/* Divides the pool that a file describes. */
static struct pool_divisions divide_pool(const struct pools_options *options,
					 struct document *input)
{
	struct pool_division *division = need_object(sizeof(*division));
	struct fathom_pool rule = pool_read(input, division);
	struct fathom_error error;
	uint64_t left;

	refuse_slots(options, input->name);
	if (fathom_pool_allocate(&rule, division->queue, division->count, division->grant, &left,
				 &error))
		refuse("%s", error.text);
	return (struct pool_divisions){ .list = division, .count = 1 };
}

/* Returns the format of a file of another scheduler. NULL: the text begins as JSON, or its format
 * is unknown; pool_read() then says what is wrong with it. */
static const struct format *find_scheduler_format(struct document *input)
{
	const char *at = input->text + document_mark(input);

	return at[strspn(at, " \t\r\n")] == '{' ? NULL : format_recognize(input);
}

/* Returns the queues that a file describes; none, if files of its format do not. */
static struct queue_list queues_of(const struct format *format, struct document *input)
{
	struct queue_list queues = { 0 };
	struct lsf_conf conf = { 0 };

	if (format->in_parts) {
		lsf_conf_read(&conf, input);
		lsf_queues_list(&conf, &queues);
	}
	return queues;
}

/* Divides the pools that files of a scheduler describe, such as lsb.queues. */
static struct pool_divisions divide_settings(const struct pools_options *options,
					     const struct format *format, struct document *input)
{
	struct site_settings settings = { 0 };
	struct queue_list queues;

	if (!format->read_settings)
		refuse("%s: format %s has no pools, must be fathom-pool or lsf; see "
		       "fathom-pools(1)", input->name, format->name);
	format->read_settings(input, &settings);
	if (!site_settings_find(&settings, SITE_FATHOM_CONF, "SlotPool"))
		refuse("%s has no slot pools", input->name);
	need_slots(options, input);
	queues = queues_of(format, input);
	return configured_pools_divide_settings(&settings, &queues, options->slots);
}

/* Divides the pools of a fathom.conf. */
static struct pool_divisions divide_conf(const struct pools_options *options,
					 struct document *input)
{
	struct fathom_conf conf = conf_standard();
	struct queue_list queues = { 0 };	/* of which fathom.conf tells nothing more */
	struct fathom_error error;

	conf_mark_nuls(input->text, input->length);
	if (conf_parse_text(&conf, input->name, input->text, &error))
		refuse("%s", error.text);
	if (!conf.slot_share_count)
		refuse("%s has no slot pools", input->name);
	need_slots(options, input);
	return configured_pools_divide(&conf, &queues, options->slots);
}

/* Returns the pools of a file: of another scheduler, of fathom.conf, divided ones, as fathom pools
 * --json writes them, or a pool that is still to divide. */
static struct pool_divisions read_file(const struct pools_options *options)
{
	const struct format *other;
	struct pool_divisions pools;
	struct document input;

	document_open(&input, options->from);
	document_load_rest(&input);
	input_check_content(&input, "a slot pool in JSON, see fathom-pools(1)");
	other = find_scheduler_format(&input);
	if (other)
		return divide_settings(options, other, &input);
	if (conf_recognize(input.text))
		return divide_conf(options, &input);
	if (!pool_divisions_recognize(&input))
		return divide_pool(options, &input);
	pool_divisions_read(&input, &pools);
	refuse_slots(options, input.name);
	return pools;
}

/* ---- the running cluster ------------------------------------------------------------- */

/* Returns the pools of the running cluster, as its last pass divided them. */
static struct pool_divisions read_cluster(const struct pools_options *options)
{
	struct pool_divisions pools;
	const char *warning;

	refuse_slots(options, "the running cluster");
	need_libslurm("--from");
	warning = live_pools_read(&pools);
	if (warning)
		remark("%s", warning);
	return pools;
}

static int run(int argc, char **argv)
{
	struct pools_options options = { 0 };
	struct pool_divisions pools;

	view_parse(argc, argv, &option_table, &options, pools_views, &options.view);
	/* a view has options of its own in place of those that choose what is printed */
	if (options.view.view && (options.json || options.parsable || options.no_header))
		view_refuse_own(options.view.view);
	pools = (options.from ? read_file : read_cluster)(&options);
	print(&options, &pools);
	return EXIT_DONE;
}

const struct command command_pools = {
	.name = "pools",
	.summary = "show the slots that queues of slot pools deserve, get and borrow",
	.options = &option_table,
	.views = pools_views,
	.run = run,
};
