/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the settings in the database of flux-accounting: weights of factors and of usage, the decay
 * of usage, priorities of banks and queues. Tables that an older release lacks are passed over:
 *
 *	table				row			setting
 *	priority_factor_weight_table	fairshare, 100000	FairshareWeight=100000
 *	config_table			node_weight, 1		NodeWeight=1
 *	bank_table			physics, 300		BankPriority=physics:300
 *	queue_table			gold, 10		PartitionName=gold ...
 */
#include "config.h"

#include "core/plural.h"
#include "format/flux/flux.h"
#include "memory/need_memory.h"

#include <string.h>

/* A name in flux-accounting, and the key of fathom.conf that means the same. */
struct key_of_name {
	const char *name, *key;
};

/* Returns the key of a name; NULL: the table, which ends with NULL, lacks the name. */
static const char *find_key(const struct key_of_name *table, const char *name)
{
	while (table->name && strcmp(table->name, name))
		table++;
	return table->key;
}

bool flux_settings_weight(struct site_settings *settings, const char *factor, const char *weight)
{
	static const struct key_of_name weights[] = {
		{ "fairshare", "FairshareWeight" }, { "queue", "QueueWeight" },
		{ "bank", "BankWeight" }, { "urgency", "UrgencyWeight" }, { NULL, NULL },
	};
	const char *key = find_key(weights, factor);

	if (key)
		site_settings_set(settings, SITE_FATHOM_CONF, key, weight);
	return key;
}

void flux_settings_bank(struct site_settings *settings, const char *name, double priority)
{
	if (!(priority < 0) && !(priority > 0))	/* 0 or NAN */
		return;
	site_settings_begin(settings, SITE_FATHOM_CONF, "BankPriority",
			    need_print("%s:%.15g", name, priority));
}

void flux_settings_queue(struct site_settings *settings, const char *name, double priority)
{
	site_settings_begin_partition(settings, name);
	site_settings_add_priority(settings, name, need_print("%.0f", priority));
}

#ifdef HAVE_SQLITE

#include <sqlite3.h>

/* A file while it is read. */
struct reader {
	struct database database;
	struct site_settings *settings;
	double period, factor;	/* after `period` seconds, usage times `factor` is left; period 0:
				 * no row of config_table tells it */
};

/* ---- settings ------------------------------------------------------------------------------- */

/* Sets a key of fathom.conf. */
static void set(struct reader *reader, const char *key, const char *value)
{
	site_settings_set(reader->settings, SITE_FATHOM_CONF, key, value);
}

/* The next functions read a row: the name, and the value of one kind of setting. */

static void read_weight(void *context, const char *name, const char *value, double number)
{
	const struct reader *reader = context;

	(void)number;
	flux_settings_weight(reader->settings, name, value);
}

static void read_config(void *context, const char *name, const char *value, double number)
{
	static const struct key_of_name config[] = {
		{ "node_weight", "NodeWeight" }, { "core_weight", "CoreWeight" },
		{ "gpu_weight", "GpuWeight" }, { "priority_usage_reset_period", "ResetPeriod" },
		{ NULL, NULL },
	};
	const char *key = find_key(config, name);
	struct reader *reader = context;

	if (!strcmp(name, "priority_decay_half_life"))
		reader->period = number;
	if (!strcmp(name, "decay_factor"))
		reader->factor = number;
	if (key)
		set(reader, key, value);
}

static void read_bank(void *context, const char *name, const char *value, double number)
{
	const struct reader *reader = context;

	(void)value;
	flux_settings_bank(reader->settings, name, number);
}

static void read_queue(void *context, const char *name, const char *value, double number)
{
	const struct reader *reader = context;

	(void)value;
	flux_settings_queue(reader->settings, name, number);
}

/* Reads the settings of all tables that the database has. */
static void read_tables(struct reader *reader)
{
	static const struct { struct database_pairs pairs; database_pair *read; } tables[] = {
		{ { "bank_table", "bank", "priority", "active", true }, read_bank },
		{ { "priority_factor_weight_table", "factor", "weight", NULL, false },
		  read_weight },
		{ { "config_table", "key", "value", NULL, false }, read_config },
		{ { "queue_table", "queue", "priority", NULL, true }, read_queue },
	};

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		database_each_pair(&reader->database, &tables[i].pairs, tables[i].read, reader);
}

/* ---- limits --------------------------------------------------------------------------------- */

/* The context of lose_limit(): the table whose limits get lost. */
struct limited_table {
	struct reader *reader;
	const char *name;
};

/* Notes that a limit gets lost. row: the column's name, and in how many rows it is not what the
 * schema gives to new rows. */
static void lose_limit(void *context, sqlite3_stmt *row)
{
	const struct limited_table *table = context;
	int count = sqlite3_column_int(row, 1);

	if (count)
		site_settings_lose(table->reader->settings, "%s of %s, in %d row%s",
				   sqlite3_column_text(row, 0), table->name, count, PLURAL(count));
}

/* Counts the rows that set a limit. row: has the SQL that does. */
static void count_limit(void *context, sqlite3_stmt *row)
{
	const struct limited_table *table = context;

	database_each_row(&table->reader->database, table->name,
			  (const char *)sqlite3_column_text(row, 0), lose_limit, context);
}

/* Notes which limits of a table get lost. active: the condition for rows that count. */
static void lose_limits(struct reader *reader, const char *name, const char *active)
{
	struct limited_table table = { reader, name };

	database_each_row(&reader->database, name, need_print(
		"SELECT printf('SELECT %%Q, count(*) FROM %s WHERE %s AND \"%%w\" IS NOT %%s', "
		"name, name, ifnull(dflt_value, 'NULL')) FROM pragma_table_info('%s') "
		"WHERE name GLOB 'm[ai][nx]_*' "
		"OR name IN ('queues', 'projects', 'default_project')", name, active, name),
		count_limit, &table);
}

/* ---- all ------------------------------------------------------------------------------------ */

/* Sets the half-life, if the decay is known. flux-accounting multiplies usage by the factor at the
 * end of each period; the plugin decays continuously, so that the same is left then. */
static void set_half_life(struct reader *reader)
{
	if (!(reader->period > 0))
		return;
	if (!(reader->factor > 0) || !(reader->factor < 1))
		site_settings_lose(reader->settings, "decay_factor %g: no HalfLife means the same; "
				   "the default of 7 days counts", reader->factor);
	else
		set(reader, "HalfLife",
		    need_print("%.17g", fathom_decay_half_life(reader->period, reader->factor)));
}

void flux_settings_read(struct document *input, struct site_settings *settings)
{
	struct reader reader = { .database = database_open(input), .settings = settings,
				 .factor = .5 };	/* of releases without decay_factor */

	settings->origin = (struct site_origin){ input->name, 0 };	/* it has no lines */
	set(&reader, "Policy", "flux");
	read_tables(&reader);
	set_half_life(&reader);
	lose_limits(&reader, "queue_table", "1");
	if (database_has_column(&reader.database, "association_table", "active"))
		lose_limits(&reader, "association_table", "active");
}
#else
void flux_settings_read(struct document *input, struct site_settings *settings)
{
	(void)settings;
	wrong_at(input, 0, FLUX_WITHOUT_SQLITE);
}
#endif
