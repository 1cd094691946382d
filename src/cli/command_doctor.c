/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom doctor: checks whether hosts have the plugin, slurmctld runs it, and what it needs is
 * there. */
#include "cli/command.h"
#include "cli/option_words.h"
#include "cli/print_table.h"
#include "conf/host_list.h"
#include "doctor/doctor_hosts.h"
#include "format/site_files.h"
#include "json/json.h"
#include "live/live.h"
#include "relation/text_table.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_OPERANDS 64
#define STANDARD_SECONDS 30	/* of --wait */
#define MOST_SECONDS 3600

struct doctor_options {
	const char *host[MOST_OPERANDS + 1];	/* lists of other hosts, up to a NULL */
	const char *slurm_conf;		/* a file; NULL: as slurmctld says */
	const char *slurm;		/* a release such as 25.05.8; NULL: slurmctld's */
	int way;			/* enum doctor_way */
	unsigned seconds;		/* that another host may take */
	bool faults, json, parsable;
};

/* ---- options ---------------------------------------------------------------------------- */

/* Takes a whole release such as 25.05.8. */
static void set_release(const struct option_row *row, void *member, const char *value)
{
	if (value[strspn(value, "0123456789.")] || !site_version_parse(value))
		refuse("--%s: '%s', must be a release to its last number, such as 25.05.8",
		       row->name, value);
	*(const char **)member = value;
}

/* Takes a number of seconds, from 1 to MOST_SECONDS. */
static void set_seconds(const struct option_row *row, void *member, const char *value)
{
	unsigned long seconds = strtoul(value, NULL, 10);

	if (value[strspn(value, "0123456789")] || !seconds || seconds > MOST_SECONDS)
		refuse("--%s: '%s', must be a number of seconds from 1 to %d", row->name, value,
		       MOST_SECONDS);
	*(unsigned *)member = (unsigned)seconds;
}

#define AT(member) offsetof(struct doctor_options, member), 0

static const struct option_row option_rows[] = {
	{ 0, "slurm", "RELEASE", "before an upgrade of Slurm: check whether the plugin is one for "
	  "this release, such as 25.05.8; slurmctld is not asked", set_release, AT(slurm) },
	{ 0, "slurm-conf", "FILE", "check this host by this slurm.conf; slurmctld is not asked",
	  option_text, AT(slurm_conf) },
	{ 0, "via", "WAY", "run fathom on other hosts by ssh or srun; default: ssh", option_word,
	  offsetof(struct doctor_options, way), WORDS_WAY },
	{ 0, "wait", "SECONDS", "that another host may take; default: 30", set_seconds,
	  AT(seconds) },
	{ 0, "faults", NULL, "leave out what is well", option_flag, AT(faults) },
	{ OPTION_PARSABLE, "print a '|' between columns", option_flag, AT(parsable) },
	{ OPTION_JSON, "print JSON", option_flag, AT(json) },
	COMMON_OPTIONS,
};

static const struct option_table option_table = {
	OPTION_ROWS(option_rows),
	.usage = "Usage: fathom doctor [OPTION]... [HOST]...\n"
		 "Check whether this host, and each HOST, has the plugin and the same\n"
		 "fathom.conf, whether slurmctld runs the plugin, and whether its files and\n"
		 "daemons are there.\n"
		 "HOST may be a list such as node[1-4]; fathom must be installed there.\n"
		 "Exit status: 0 nothing is wrong, 1 something is, 2 wrong use or bad input.\n\n",
	OPERANDS(MOST_OPERANDS, "HOST", struct doctor_options, host),
};

/* Refuses what cannot be the name of a host: it becomes a word of the command line of ssh or srun,
 * and must not be an option there. */
static void check_name(const char *name)
{
	static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
				      "0123456789-._";

	if (!*name || *name == '-' || name[strspn(name, letters)])
		refuse("'%s' is no name of a host", name);
}

/* Lists the hosts of all operands, sorted, each once, without this host. operand: up to a NULL;
 * own: the name of this host. */
static void list_hosts(struct host_list *hosts, const char *const *operand, char *own)
{
	const struct host_list this_one = { .name = &own, .count = 1 };
	struct fathom_error error;

	for (; *operand; operand++) {
		if (!**operand)		/* such as "$HOSTS" where that is not set */
			check_name(*operand);
		if (host_list_add_all(hosts, *operand, &error))
			refuse("%s", error.text);
	}
	for (size_t i = 0; i < hosts->count; i++)
		check_name(hosts->name[i]);
	host_list_sort(hosts);
	host_list_remove(hosts, &this_one);
}

/* ---- output ----------------------------------------------------------------------------- */

/* Prints the object of a check; "ok" is null if the state is not known. */
static void put_check(const struct doctor_row *row)
{
	static const char *const ok[] = {
		[DOCTOR_WELL] = "true", [DOCTOR_UNKNOWN] = "null", [DOCTOR_WRONG] = "false",
	};

	json_print(stdout, "{\"code\": %s, \"ok\": ", row->check);
	json_put(stdout, ok[row->state]);
	json_print(stdout, ", \"text\": %s, \"fix\": %s, \"kind\": %s, \"sum\": %s}", row->text,
		   row->fix, row->kind, row->sum);
}

/* Prints an object for each host, with its checks. Rows of the same host follow each other. */
static void print_json(const struct doctor_report *report)
{
	const char *host = NULL;

	json_begin(stdout, JSON_DOCTOR_FORMAT, JSON_DOCTOR_VERSION);
	json_put(stdout, ",\n \"hosts\": [");
	for (size_t i = 0; i < report->count; i++) {
		const struct doctor_row *row = &report->row[i];

		if (host && !strcmp(row->host, host)) {
			json_put(stdout, ",\n  ");
		} else {
			json_put(stdout, host ? "]},\n  " : "\n  ");
			json_print(stdout, "{\"host\": %s, \"checks\": [\n  ", row->host);
			host = row->host;
		}
		put_check(row);
	}
	json_put(stdout, host ? "]}]}\n" : "]}\n");
}

/* Prints the table: a row for each check of each host. */
static void print_rows(const struct doctor_report *report, bool is_parsable)
{
	struct text_table table = { .count = 0 };

	text_table_add_column(&table, "Host");
	text_table_add_column(&table, "Check");
	text_table_add_column(&table, "State");
	text_table_add_column(&table, "Found")->wraps = true;
	for (size_t i = 0; i < report->count; i++) {
		const struct doctor_row *row = &report->row[i];

		text_table_put(&table, row->host);
		text_table_put(&table, row->check);
		text_table_put(&table, doctor_state_name(row->state));
		text_table_put(&table, row->fix ? need_print("%s. Fix: %s", row->text, row->fix)
						: row->text);
	}
	if (report->count || is_parsable)
		print_either(text_table_finish(&table), is_parsable);
}

/* Leaves out what is well. */
static void keep_faults(struct doctor_report *report)
{
	size_t kept = 0;

	for (size_t i = 0; i < report->count; i++)
		if (report->row[i].state != DOCTOR_WELL)
			report->row[kept++] = report->row[i];
	report->count = kept;
}

/* ---- this host -------------------------------------------------------------------------- */

/* Reads what the checks compare this host with: the answers of slurmctld, or with --slurm or
 * --slurm-conf a slurm.conf. */
static void read_site(struct doctor_site *site, const struct doctor_options *options)
{
	const char *path = options->slurm_conf;
	struct fathom_error error;

	if (!path)
		need_libslurm("--slurm-conf");
	if (!path && !options->slurm) {
		live_doctor_read(site);
		return;
	}
	if (!path)
		path = live_local_slurm_conf();
	/* counts if slurm.conf has no PluginDir */
	site->plugin_dir = HAS_LIBSLURM ? live_local_plugin_dir() : NULL;
	site->release = site_version_parse(options->slurm);	/* 0 without --slurm */
	if (doctor_read_slurm_conf(site, path, &error))
		refuse("%s: %s", path, error.text);
}

static int run(int argc, char **argv)
{
	struct doctor_options options = { .seconds = STANDARD_SECONDS };
	struct doctor_report report = { 0 };
	struct host_list hosts = { 0 };
	struct doctor_site site = { 0 };
	char name[HOST_NAME_MAX + 1] = "";
	size_t wrong;

	options_parse(argc, argv, &option_table, &options);
	gethostname(name, sizeof(name) - 1);
	list_hosts(&hosts, options.host, name);
	site.host = name;
	read_site(&site, &options);
	doctor_check_host(&report, &site);
	doctor_ask_hosts(&report, &hosts, (enum doctor_way)options.way, options.slurm,
			 options.seconds);
	doctor_compare_hosts(&report);
	wrong = doctor_count_wrong(&report);
	if (options.faults)
		keep_faults(&report);
	if (options.json)
		print_json(&report);
	else
		print_rows(&report, options.parsable);
	return wrong ? EXIT_NO : EXIT_DONE;
}

const struct command command_doctor = {
	.name = "doctor",
	.summary = "check whether hosts have what fathom needs, all the same",
	.options = &option_table,
	.run = run,
};
