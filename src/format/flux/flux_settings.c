/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the settings in the database of flux-accounting: weights of factors and of usage, the decay
 * of usage, priorities of banks and queues. A table that an older release does not have says
 * nothing. flux_db.c, which reads the tree, tells what is wrong with a file that is no database.
 */
#include "config.h"

#include "format/flux/flux.h"

#include <stdio.h>
#include <string.h>

#define MOST_JOB_FACTOR 65533

/* A name in flux-accounting, and the key of fathom.conf. */
struct known {
	const char *name, *key;
};

/* Returns the key of a name; NULL: it has none. */
static const char *key_of(const struct known *known, const char *name)
{
	while (known->name && strcmp(known->name, name))
		known++;
	return known->key;
}

bool flux_settings_weight(struct site_settings *settings, const char *factor, const char *weight)
{
	static const struct known weights[] = {
		{ "fairshare", "FairshareWeight" }, { "queue", "QueueWeight" },
		{ "bank", "BankWeight" }, { "urgency", "UrgencyWeight" }, { NULL, NULL },
	};
	const char *key = key_of(weights, factor);

	if (key)
		site_settings_set(settings, SITE_FATHOM_CONF, key, weight);
	return key;
}

void flux_settings_bank(struct site_settings *settings, const char *name, double priority)
{
	char text[256];

	if (!(priority < 0) && !(priority > 0))
		return;
	snprintf(text, sizeof(text), "%s:%.15g", name, priority);
	site_settings_begin(settings, SITE_FATHOM_CONF, "BankPriority", text);
}

void flux_settings_queue(struct site_settings *settings, const char *name, double priority)
{
	char text[32];

	if (!(priority >= 0) || priority > MOST_JOB_FACTOR) {
		site_settings_lose(settings, "priority %.0f of queue %s: PriorityJobFactor "
				   "is an integer from 0 to %d", priority, name, MOST_JOB_FACTOR);
		return;
	}
	snprintf(text, sizeof(text), "%.0f", priority);
	site_settings_begin(settings, SITE_SLURM_CONF, "PartitionName", name);
	site_settings_add(settings, SITE_SLURM_CONF, "PriorityJobFactor", text);
}

#ifdef HAVE_SQLITE

#include <sqlite3.h>
#include <stdlib.h>

struct reader {
	struct database database;
	struct site_settings *settings;
	double period, factor;	/* of the decay: `factor` is left after `period` seconds */
};

/* ---- settings ------------------------------------------------------------------------------- */

static void set(struct reader *reader, const char *key, const char *value)
{
	site_settings_set(reader->settings, SITE_FATHOM_CONF, key, value);
}

static void read_weight(struct reader *reader, const char *name, const char *value)
{
	flux_settings_weight(reader->settings, name, value);
}

static void read_config(struct reader *reader, const char *name, const char *value)
{
	static const struct known config[] = {
		{ "node_weight", "NodeWeight" }, { "core_weight", "CoreWeight" },
		{ "gpu_weight", "GpuWeight" }, { "priority_usage_reset_period", "ResetPeriod" },
		{ NULL, NULL },
	};
	const char *key = key_of(config, name);

	if (!strcmp(name, "priority_decay_half_life"))
		reader->period = atof(value);
	if (!strcmp(name, "decay_factor"))
		reader->factor = atof(value);
	if (key)
		set(reader, key, value);
}

static void read_bank(struct reader *reader, const char *name, const char *value)
{
	flux_settings_bank(reader->settings, name, atof(value));
}

static void read_queue(struct reader *reader, const char *name, const char *value)
{
	flux_settings_queue(reader->settings, name, atof(value));
}

/* ---- tables --------------------------------------------------------------------------------- */

/* A table with names and values. */
struct table {
	const char *name, *columns[3];	/* name, value, NULL */
	const char *sql;
	void (*read)(struct reader *reader, const char *name, const char *value);
};

struct table_reader {
	struct reader *reader;
	const struct table *table;
};

static void read_row(void *context, sqlite3_stmt *row)
{
	const struct table_reader *of = context;
	const char *name = (const char *)sqlite3_column_text(row, 0);
	const char *value = (const char *)sqlite3_column_text(row, 1);

	if (name && value)
		of->table->read(of->reader, name, value);
}

/* Releases differ in their tables; one without a column says nothing. */
static bool has_table(const struct reader *reader, const struct table *table)
{
	bool has = database_has_table(&reader->database, table->name);

	for (size_t i = 0; has && table->columns[i]; i++)
		has = database_has_column(&reader->database, table->name, table->columns[i]);
	return has;
}

/* Reads the settings of all tables that the database has. */
static void read_tables(struct reader *reader)
{
	static const struct table tables[] = {
		{ "bank_table", { "active", "priority", NULL },
		  "SELECT bank, priority FROM bank_table WHERE active ORDER BY bank", read_bank },
		{ "priority_factor_weight_table", { "factor", "weight", NULL },
		  "SELECT factor, weight FROM priority_factor_weight_table", read_weight },
		{ "config_table", { "key", "value", NULL },
		  "SELECT key, value FROM config_table", read_config },
		{ "queue_table", { "queue", "priority", NULL },
		  "SELECT queue, priority FROM queue_table ORDER BY queue", read_queue },
	};

	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++) {
		struct table_reader of = { reader, &tables[i] };

		if (has_table(reader, of.table))
			database_each_row(&reader->database, of.table->name, of.table->sql,
					  read_row, &of);
	}
}

/* flux-accounting decays usage in steps; between them the plugin decays continuously. */
static void set_half_life(struct reader *reader)
{
	char text[40];

	if (!(reader->period > 0) || !(reader->factor > 0) || !(reader->factor < 1))
		return;
	snprintf(text, sizeof(text), "%.17g",
		 fathom_decay_half_life(reader->period, reader->factor));
	set(reader, "HalfLife", text);
}

void flux_settings_read(struct document *input, struct site_settings *settings)
{
	struct reader reader = { .database = database_open(input), .settings = settings,
				 .factor = .5 };

	settings->origin = (struct site_origin){ input->name, 0 };	/* it has no lines */
	set(&reader, "Policy", "flux");
	read_tables(&reader);
	set_half_life(&reader);
}
#else
void flux_settings_read(struct document *input, struct site_settings *settings)
{
	(void)settings;
	wrong_at(input, 0, FLUX_WITHOUT_SQLITE);
}
#endif
