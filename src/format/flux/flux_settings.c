/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the settings in the database of flux-accounting: weights of factors and of usage, the decay
 * of usage, priorities of banks and queues. A table that an older release does not have says
 * nothing. flux_db.c, which reads the tree, tells what is wrong with a file that is no database.
 */
#include "config.h"

#include "format/flux/flux_settings.h"
#include "format/site/site_settings.h"

#ifdef HAVE_SQLITE
#include "core/error.h"
#include "format/flux/database.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct reader {
	struct database database;
	struct site_settings *settings;
	double period, factor;	/* of the decay: `factor` is left after `period` seconds */
};

/* ---- settings ------------------------------------------------------------------------------- */

/* A database has no lines. */
static struct site_origin origin_of(const struct reader *reader)
{
	return (struct site_origin){ reader->database.input->name, 0 };
}

static int fail(struct reader *reader, const struct fathom_error *inner)
{
	if (inner->code == ENOMEM)
		return database_no_memory(&reader->database);
	return database_wrong(&reader->database, "%s", inner->text);
}

static int set(struct reader *reader, const char *key, const char *value)
{
	struct fathom_error inner;

	if (site_settings_set(reader->settings, SITE_FATHOM_CONF, key, value, origin_of(reader),
			      &inner))
		return fail(reader, &inner);
	return 0;
}

/* A pair of a name and a value in a table, and the key of fathom.conf. */
struct known {
	const char *name, *key;
};

static const struct known *find(const struct known *known, const char *name)
{
	while (known->name && strcmp(known->name, name))
		known++;
	return known->name ? known : NULL;
}

static int read_weight(struct reader *reader, const char *name, const char *value)
{
	static const struct known weights[] = {
		{ "fairshare", "FairshareWeight" }, { "queue", "QueueWeight" },
		{ "bank", "BankWeight" }, { "urgency", "UrgencyWeight" }, { NULL, NULL },
	};
	const struct known *weight = find(weights, name);

	return weight ? set(reader, weight->key, value) : 0;
}

static int read_config(struct reader *reader, const char *name, const char *value)
{
	static const struct known config[] = {
		{ "node_weight", "NodeWeight" }, { "core_weight", "CoreWeight" },
		{ "gpu_weight", "GpuWeight" }, { "priority_usage_reset_period", "ResetPeriod" },
		{ NULL, NULL },
	};
	const struct known *known = find(config, name);

	if (!strcmp(name, "priority_decay_half_life"))
		reader->period = atof(value);
	if (!strcmp(name, "decay_factor"))
		reader->factor = atof(value);
	return known ? set(reader, known->key, value) : 0;
}

static int read_bank(struct reader *reader, const char *name, const char *value)
{
	struct fathom_error inner;
	char text[256];

	if (!(atof(value) < 0) && !(atof(value) > 0))
		return 0;
	snprintf(text, sizeof(text), "%s:%.15g", name, atof(value));
	if (site_settings_begin(reader->settings, SITE_FATHOM_CONF, "BankPriority", text,
				origin_of(reader), &inner))
		return fail(reader, &inner);
	return 0;
}

static int read_queue(struct reader *reader, const char *name, const char *value)
{
	struct site_origin origin = origin_of(reader);
	struct fathom_error inner;

	if (*value == '-')
		return site_settings_lose(reader->settings, origin, reader->database.error,
					  "priority %s of queue %s: PriorityJobFactor is an "
					  "integer from 0 to 65533", value, name);
	if (site_settings_begin(reader->settings, SITE_SLURM_CONF, "PartitionName", name, origin,
				&inner) ||
	    site_settings_add(reader->settings, SITE_SLURM_CONF, "PriorityJobFactor", value, origin,
			      &inner))
		return fail(reader, &inner);
	return 0;
}

/* ---- tables --------------------------------------------------------------------------------- */

/* A table with names and values. */
struct table {
	const char *name, *columns[3];	/* name, value, NULL */
	const char *sql;
	int (*read)(struct reader *reader, const char *name, const char *value);
};

struct table_reader {
	struct reader *reader;
	const struct table *table;
};

static int read_row(void *context, sqlite3_stmt *row)
{
	const struct table_reader *of = context;
	const char *name = (const char *)sqlite3_column_text(row, 0);
	const char *value = (const char *)sqlite3_column_text(row, 1);

	return name && value ? of->table->read(of->reader, name, value) : 0;
}

/* Releases differ in their tables; one without a column says nothing. */
static int has_table(struct reader *reader, const struct table *table, bool *has)
{
	if (database_has_table(&reader->database, table->name, has))
		return -1;
	for (size_t i = 0; *has && table->columns[i]; i++)
		if (database_has_column(&reader->database, table->name, table->columns[i], has))
			return -1;
	return 0;
}

static int read_table(struct reader *reader, const struct table *table)
{
	struct table_reader of = { reader, table };
	sqlite3_stmt *rows = NULL;
	bool has;
	int status = has_table(reader, table, &has);

	if (status || !has)
		return status;
	status = database_prepare(&reader->database, table->name, table->sql, &rows);
	if (!status)
		status = database_each_row(&reader->database, table->name, rows, read_row, &of);
	sqlite3_finalize(rows);
	return status;
}

static int read_tables(struct reader *reader)
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
	int status = 0;

	for (size_t i = 0; !status && i < sizeof(tables) / sizeof(*tables); i++)
		status = read_table(reader, &tables[i]);
	return status;
}

/* flux-accounting decays usage in steps; between them the plugin decays continuously. */
static int set_half_life(struct reader *reader)
{
	char text[40];

	if (!(reader->period > 0) || !(reader->factor > 0) || !(reader->factor < 1))
		return 0;
	snprintf(text, sizeof(text), "%.17g",
		 fathom_decay_half_life(reader->period, reader->factor));
	return set(reader, "HalfLife", text);
}

int flux_settings_read(struct document *input, struct site_settings *settings,
		       struct fathom_error *error)
{
	struct reader reader = { .database = { .input = input, .error = error },
				 .settings = settings, .factor = .5 };
	int status = -1;

	if (!database_open(&reader.database) && !set(&reader, "Policy", "flux"))
		status = read_tables(&reader) || set_half_life(&reader) ? -1 : 0;
	database_close(&reader.database);
	return status;
}
#else
int flux_settings_read(struct document *input, struct site_settings *settings,
		       struct fathom_error *error)
{
	(void)settings;
	return input_wrong(input, 0, error, FLUX_WITHOUT_SQLITE);
}
#endif
