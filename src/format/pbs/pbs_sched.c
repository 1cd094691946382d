/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads what decides whose jobs go first in OpenPBS. One kind of file has the options of
 * sched_priv/sched_config, or of Torque's pbs_sched:
 *
 *	fair_share: True	non_prime	# prime, non_prime or all; nothing means all
 *	unknown_shares: 10			UnknownShares=10
 *	job_sort_key: "ncpus HIGH"		gets lost
 *
 * The other kind is what `qmgr -c "print server"` prints, see pbs_qmgr.c. PBS compares entities
 * level by level, Order=path, unless it has a formula; and each usage begins with 1,
 * InitialUsage=1.
 * Source: OpenPBS, src/scheduler/parse.cpp and config.h, for options and their defaults.
 */
#include "core/suggestion.h"
#include "document/text.h"
#include "format/format.h"
#include "format/pbs/pbs_qmgr.h"
#include "format/site/site_settings.h"
#include "memory/need_memory.h"

#include <string.h>

/* The times of PBS, for which fair_share may differ. */
enum { PRIME, NON_PRIME, TIME_COUNT };

/* A file while it is read. */
struct reader {
	struct document *input;
	struct lines lines;
	struct site_settings *settings;
	bool fair_share[TIME_COUNT];
	size_t fair_share_line;		/* the last one with fair_share; 0: there is none, and
					 * fair_share is false */
};

/* A line with an option. */
struct sched_entry {
	struct piece name, value;
	struct piece prime;	/* the time for which the value holds; empty: always */
};

/* An option that is known. */
struct sched_option {
	const char *name;
	/* Reads a line with the option. NULL: the option does not say whose jobs go first. */
	void (*read)(struct reader *reader, const struct sched_option *option,
		     const struct sched_entry *entry);
	const char *text;	/* for read(): the key of fathom.conf, or what fathom or Slurm do
				 * instead of what gets lost */
};

/* ---- lines ---------------------------------------------------------------------------------- */

/* Cuts blanks, and characters that are `other`, off the beginning of a line. */
static void skip_separators(struct piece *line, char other)
{
	while (line->length && (is_blank(*line->at) || *line->at == other))
		piece_cut(line, 1);
}

/* Cuts the next word off the line, or a text in quotes, which are removed. Returns it. */
static struct piece cut_value(struct piece *line)
{
	const char *close;
	struct piece value;
	char quote;

	skip_separators(line, ' ');
	quote = line->length ? *line->at : '\0';
	if (quote != '"' && quote != '\'')
		return piece_cut_word(line);
	piece_cut(line, 1);
	close = memchr(line->at, quote, line->length);
	value = piece_cut(line, close ? (size_t)(close - line->at) : line->length);
	piece_cut(line, close ? 1 : 0);
	return value;
}

/* Splits "NAME: VALUE PRIME". */
static struct sched_entry split_entry(struct piece line)
{
	struct sched_entry entry;
	size_t length = 0;

	skip_separators(&line, ':');
	while (length < line.length && !is_blank(line.at[length]) && line.at[length] != ':')
		length++;
	entry.name = piece_cut(&line, length);
	skip_separators(&line, ':');
	entry.value = cut_value(&line);
	entry.prime = cut_value(&line);
	return entry;
}

/* Reads the next line that is neither blank nor a comment. Returns false at the end of the file. */
static bool next_entry(struct lines *lines, struct sched_entry *entry)
{
	struct piece line;

	while ((line = lines_next(lines)).at) {
		*entry = split_entry(line);
		if (entry->name.length && *entry->name.at != '#' && *entry->name.at != '*')
			return true;
	}
	return false;
}

/* ---- values --------------------------------------------------------------------------------- */

/* Sets a key of fathom.conf. */
static void set(struct reader *reader, const char *key, const char *value)
{
	site_settings_set(reader->settings, SITE_FATHOM_CONF, key, value);
}

/* Sets a key of fathom.conf to the text `before` and the value, of which at most 400 bytes. */
static void keep(struct reader *reader, const char *key, const char *before, struct piece value)
{
	set(reader, key, need_print("%s%.*s", before,
				    (int)(value.length < 400 ? value.length : 400), value.at));
}

/* Returns a value that is true, false or a number, of which 0 is false. Fails, see wrong_at(), if
 * it has another form. */
static bool read_switch(const struct reader *reader, const struct sched_option *option,
			struct piece value)
{
	uint64_t number;

	if (piece_is_any_case(value, "true"))
		return true;
	if (piece_is_any_case(value, "false"))
		return false;
	if (parse_whole(value, UINT32_MAX, &number))
		wrong_field(reader->input, reader->lines.number, option->name, value,
			    "must be true or false");
	return number > 0;
}

/* ---- options -------------------------------------------------------------------------------- */

/* The next functions are those of the table `options`. The first ones keep a value in fathom.conf
 * under the key option->text. */

/* Keeps a value as it is. */
static void keep_value(struct reader *reader, const struct sched_option *option,
		       const struct sched_entry *entry)
{
	keep(reader, option->text, "", entry->value);
}

/* Keeps a time. PBS reads 30:00 as minutes and seconds, which is 0:30:00 in fathom.conf. */
static void keep_time(struct reader *reader, const struct sched_option *option,
		      const struct sched_entry *entry)
{
	size_t colons = 0;

	for (size_t i = 0; i < entry->value.length; i++)
		colons += entry->value.at[i] == ':';
	keep(reader, option->text, colons == 1 ? "0:" : "", entry->value);
}

/* Keeps a switch. */
static void keep_enforce(struct reader *reader, const struct sched_option *option,
			 const struct sched_entry *entry)
{
	set(reader, option->text, read_switch(reader, option, entry->value) ? "yes" : "no");
}

/* Notes fair_share for the times of the line; finish() makes settings of it. */
static void read_fair_share(struct reader *reader, const struct sched_option *option,
			    const struct sched_entry *entry)
{
	bool is_on = read_switch(reader, option, entry->value);

	if (!piece_is_any_case(entry->prime, "non_prime"))
		reader->fair_share[PRIME] = is_on;
	if (!piece_is_any_case(entry->prime, "prime"))
		reader->fair_share[NON_PRIME] = is_on;
	reader->fair_share_line = reader->lines.number;
}

/* Notes that an option gets lost. */
static void lose_value(struct reader *reader, const struct sched_option *option,
		       const struct sched_entry *entry)
{
	site_settings_lose(reader->settings, "%s %.*s: %s", option->name, PIECE(entry->value),
			   option->text);
}

/* Notes that an option gets lost if it is true. */
static void lose_switch(struct reader *reader, const struct sched_option *option,
			const struct sched_entry *entry)
{
	if (read_switch(reader, option, entry->value))
		lose_value(reader, option, entry);
}

#define QUEUES "fathom orders jobs of all queues together; PriorityTier of partitions orders queues"
#define SORT "fathom has no second criterion for jobs of equal priority"
#define STARVING "PriorityWeightAge of slurm.conf is for jobs that have waited"

static const struct sched_option options[] = {
	{ "fair_share", read_fair_share, NULL },
	{ "fairshare_usage_res", keep_value, "FairshareUsageRes" },
	{ "fairshare_entity", keep_value, "FairshareEntity" },
	{ "fairshare_decay_time", keep_time, "FairshareDecayTime" },
	{ "half_life", keep_time, "FairshareDecayTime" },
	{ "fairshare_decay_factor", keep_value, "FairshareDecayFactor" },
	{ "unknown_shares", keep_value, "UnknownShares" },
	{ "fairshare_enforce_no_shares", keep_enforce, "FairshareEnforceNoShares" },
	{ "by_queue", lose_switch, QUEUES },
	{ "round_robin", lose_switch, QUEUES },
	{ "sort_queues", NULL, NULL },
	{ "strict_ordering", lose_switch, "Slurm's backfill scheduler starts small jobs early" },
	{ "strict_fifo", lose_switch, "Slurm's backfill scheduler starts small jobs early" },
	{ "job_sort_key", lose_value, SORT },
	{ "sort_by", lose_value, SORT },
	{ "key", lose_value, SORT },
	{ "help_starving_jobs", lose_switch, STARVING },
	{ "max_starve", NULL, NULL },
	{ "preempt_fairshare", lose_switch, "Slurm does not preempt by fair share" },
};

/* More options that do not say whose jobs go first. */
static const char *const other_options[] = {
	"allow_aoe_calendar", "assign_ssinodes", "backfill", "backfill_prime", "cpus_per_ssinode",
	"dedicated_prefix", "dont_preempt_starving", "ignore_queue", "load_balancing",
	"load_balancing_rr", "log_filter", "max_job_check", "mem_per_ssinode", "mom_resources",
	"node_group_key", "node_sort_key", "nonprimetime_prefix", "opt_backfill_fuzzy_time",
	"peer_queue", "peer_translation", "preempt_attempts", "preempt_checkpoint", "preempt_order",
	"preempt_prio", "preempt_queue_prio", "preempt_requeue", "preempt_sort", "preempt_starving",
	"preempt_suspend", "preemptive_sched", "prime_exempt_anytime_queues", "prime_spill",
	"primetime_prefix", "provision_policy", "resource_unset_infinite", "resources",
	"resv_confirm_ignore", "server_dyn_res", "smp_cluster_dist", "sort_nodes", "susp_threshold",
	"sync_time", "update_comments",
};

#define OPTION_COUNT (sizeof(options) / sizeof(*options))
#define OTHER_COUNT (sizeof(other_options) / sizeof(*other_options))

/* Returns the option of this name; NULL: neither OpenPBS nor Torque has one. */
static const struct sched_option *find_option(struct piece name)
{
	static const struct sched_option other = { .name = NULL };

	for (size_t i = 0; i < OPTION_COUNT; i++)
		if (piece_is(name, options[i].name))
			return &options[i];
	for (size_t i = 0; i < OTHER_COUNT; i++)
		if (piece_is(name, other_options[i]))
			return &other;
	return NULL;
}

/* Notes that an option is not known. It is no error, as PBS logs it and goes on. */
static void lose_unknown(struct reader *reader, struct piece name)
{
	struct suggestion suggestion = { .word = name.at, .length = name.length };

	for (size_t i = 0; i < OPTION_COUNT; i++)
		suggestion_consider(&suggestion, options[i].name);
	for (size_t i = 0; i < OTHER_COUNT; i++)
		suggestion_consider(&suggestion, other_options[i]);
	site_settings_lose(reader->settings, "%.*s: no such option in OpenPBS%s%s%s", PIECE(name),
			   suggestion.name ? "; did you mean " : "",
			   suggestion.name ? suggestion.name : "", suggestion.name ? "?" : "");
}

/* ---- the file ------------------------------------------------------------------------------- */

/* Fails, see wrong_at(), unless a line's third word is a time, a comment or missing. */
static void check_prime(const struct reader *reader, struct piece prime)
{
	static const char *const words[] = { "prime", "non_prime", "all", "none" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++)
		if (piece_is_any_case(prime, words[i]))
			return;
	if (prime.length && *prime.at != '#')
		wrong_field(reader->input, reader->lines.number, "the time", prime,
			    "must be prime, non_prime, all or none");
}

/* Reads a line with an option. */
static void read_entry(struct reader *reader, const struct sched_entry *entry)
{
	const struct sched_option *option = find_option(entry->name);

	if (!piece_is_printable(entry->name) || !piece_is_printable(entry->value))
		WRONG_LINE(reader, "has a control character, must be option: value");
	if (!option) {
		lose_unknown(reader, entry->name);
		return;
	}
	if (!entry->value.length)
		wrong_field(reader->input, reader->lines.number, need_copy(entry->name),
			    entry->value, "must be a value after a ':'");
	if (!option->read)
		return;
	check_prime(reader, entry->prime);
	option->read(reader, option, entry);
}

/* Sets what the options mean together. Slurm has no prime time: fair share that is on at one time
 * is on always. */
static void finish(struct reader *reader)
{
	bool prime = reader->fair_share[PRIME], non_prime = reader->fair_share[NON_PRIME];
	bool on = prime || non_prime;
	struct site_settings *settings = reader->settings;

	settings->origin.line = reader->fair_share_line;
	if (prime != non_prime)
		site_settings_lose(settings, "fair_share is only true in %s time, "
				   "in Slurm it always is", prime ? "prime" : "non-prime");
	/* without fair_share, jobs of entities without shares run, too */
	if (!on)
		set(reader, "FairshareEnforceNoShares", "no");
	else	/* no line says how great the weight is; that of another file counts */
		settings->origin.line = 0;
	site_settings_set(settings, SITE_SLURM_CONF, "PriorityWeightFairshare",
			  on ? "1000000" : "0");
	settings->origin.line = 0;	/* no line says it; a formula in another file may */
	set(reader, "Order", "path");
}

static void pbs_sched_read(struct document *input, struct site_settings *settings)
{
	struct reader reader = { .input = input, .lines = lines_of(input), .settings = settings };
	struct sched_entry entry;

	settings->origin = (struct site_origin){ input->name, 0 };
	site_settings_set(settings, SITE_FATHOM_CONF, "Policy", "pbs");
	site_settings_set(settings, SITE_FATHOM_CONF, "InitialUsage", "1");
	if (pbs_qmgr_recognize(input)) {
		pbs_qmgr_read(input, settings);
		return;
	}
	while (next_entry(&reader.lines, &entry)) {
		settings->origin.line = reader.lines.number;
		read_entry(&reader, &entry);
	}
	finish(&reader);
}

/* Returns whether a line has the name of an option with ':' behind it, or blanks and ':', or the
 * file is qmgr's. */
static bool pbs_sched_recognize(const struct document *input)
{
	struct lines lines = lines_of(input);
	struct sched_entry entry;

	if (pbs_qmgr_recognize(input))
		return true;
	while (next_entry(&lines, &entry)) {
		const char *end = entry.name.at + entry.name.length;

		while (end < lines.end && is_blank(*end))
			end++;
		if (find_option(entry.name) && end < lines.end && *end == ':')
			return true;
	}
	return false;
}

const struct format format_pbs_sched = {
	.name = "pbs-sched",
	.summary = "OpenPBS's sched_config, or what qmgr's print server prints",
	.holds = HOLDS_SETTINGS,
	.recognize = pbs_sched_recognize,
	.read_settings = pbs_sched_read,
};
