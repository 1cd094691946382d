/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes flux-accounting's tree as the commands that make it, a line for each bank and
 * association; a bank comes before what is below it. Priorities and weights are settings:
 *
 *	flux account add-bank root 1
 *	flux account add-bank --parent-bank=root physics 60
 *	flux account add-user --username=ada --bank=physics --shares=1
 *	flux account edit-bank physics --priority=300		BankPriority=physics:300
 *	flux account edit-factor --factor=bank --weight=10	BankWeight=10
 *	flux account add-queue gold --priority=10		PartitionName=gold ...
 *
 * Words are quoted as a shell quotes them; a line is never run. All lines are read twice, for the
 * settings and for the tree.
 */
#include "core/duration.h"
#include "core/plural.h"
#include "format/flux/flux.h"
#include "format/format.h"
#include "format/tree_builder.h"
#include "format/tree_details.h"
#include "format/tree_writer.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define FORMAT "flux-commands"
#define START "flux account "
#define WITHOUT_EFFECT "flux account-"	/* commands that compute priorities and usage anew */
#define MOST_WORDS 64
#define MOST_OPERANDS 2
#define MOST_OPTIONS 4

enum { FLUX_WORD, ACCOUNT_WORD, COMMAND_WORD, COMMAND_WORDS };

/* What a line may say. */
enum { BANK, PARENT_BANK, USERNAME, SHARES, PRIORITY, FACTOR, WEIGHT, QUEUE, TERM_COUNT };

/* What the last line about a bank or queue says of its priority. */
struct priority {
	const char *name;
	double value;
	size_t line;
};

struct priorities {
	struct name_index *numbers;	/* by name */
	struct priority *of;
	size_t count;
};

/* An option of a command that is not kept. */
struct left_out {
	const char *text;	/* "--max-nodes of add-user" */
	size_t line, count;	/* the first line, and how many there are */
};

struct reader {
	struct document *input;
	struct lines lines;
	struct name_index *banks;	/* row numbers by name */
	struct tree_builder builder;
	struct piece word[MOST_WORDS];
	size_t word_count;
	struct piece term[TERM_COUNT];	/* `at` NULL: not given */
	struct site_settings *settings;	/* NULL: the tree is read */
	struct priorities bank_priorities, queue_priorities;
	struct name_index *left_out_numbers;
	struct left_out *left_out;
	size_t left_out_count;
};

static void add_bank(struct reader *reader);
static void add_user(struct reader *reader);
static void edit_bank(struct reader *reader);
static void edit_factor(struct reader *reader);
static void set_queue(struct reader *reader);

static const struct command {
	const char *name;
	void (*run)(struct reader *reader);
	int operand[MOST_OPERANDS];	/* terms; -1: none */
	struct { const char *option; char letter; int term; } option[MOST_OPTIONS];
	int required[2];		/* terms */
	const char *right;		/* the line as it should be */
} commands[] = {
	{ "add-bank", add_bank, { BANK, SHARES },
	  { { "parent-bank", 0, PARENT_BANK }, { "priority", 0, PRIORITY } }, { BANK, SHARES },
	  START "add-bank [--parent-bank=NAME] NAME SHARES" },
	{ "add-user", add_user, { -1, -1 },
	  { { "username", 'u', USERNAME }, { "bank", 'B', PARENT_BANK },
	    { "shares", 0, SHARES } }, { USERNAME, PARENT_BANK },
	  START "add-user --username=NAME --bank=NAME [--shares=SHARES]" },
	{ "edit-bank", edit_bank, { BANK, -1 },
	  { { "shares", 0, SHARES }, { "parent-bank", 0, PARENT_BANK },
	    { "priority", 0, PRIORITY } }, { BANK, BANK },
	  START "edit-bank NAME [--shares=SHARES] [--parent-bank=NAME] [--priority=PRIORITY]" },
	{ "edit-factor", edit_factor, { -1, -1 },
	  { { "factor", 0, FACTOR }, { "weight", 0, WEIGHT } }, { FACTOR, WEIGHT },
	  START "edit-factor --factor=NAME --weight=WEIGHT" },
	{ "add-queue", set_queue, { QUEUE, -1 }, { { "priority", 0, PRIORITY } },
	  { QUEUE, QUEUE }, START "add-queue NAME [--priority=PRIORITY]" },
	{ "edit-queue", set_queue, { QUEUE, -1 }, { { "priority", 0, PRIORITY } },
	  { QUEUE, QUEUE }, START "edit-queue NAME [--priority=PRIORITY]" },
};

static _Noreturn void wrong(struct reader *reader, const char *what, struct piece word,
			    const char *right)
{
	wrong_at(reader->input, reader->lines.number, "%s '%.*s', must be %s", what, PIECE(word),
		 right);
}

/* ---- words --------------------------------------------------------------------------- */

/* Takes quotes off the word at *at, in place, and moves *at behind it. Returns the end of what is
 * left of the word; NULL: a quote is not closed, or a shell would put something in its place. */
static char *unquote(char **at, const char *end)
{
	char *from = *at, *to = *at, quote = 0;

	for (; from < end && (quote || !strchr(" \t", *from)); from++) {
		/* for a shell these stand for something in double quotes, but not in single ones */
		bool is_special = quote != '\'' && strchr("$`", *from);

		if (*from == quote)
			quote = 0;
		else if (!quote && (*from == '\'' || *from == '"'))
			quote = *from;
		else if (is_special || (!quote && strchr("|&;<>()*?[]~#", *from)))
			return NULL;
		else if (quote != '\'' && *from == '\\' && from + 1 < end)
			*to++ = *++from;
		else
			*to++ = *from;
	}
	*at = from;
	return quote ? NULL : to;
}

/* Splits a line into reader->word, as a shell does. */
static void split(struct reader *reader, struct piece line)
{
	char *at = need_copy(line);
	const char *end = at + line.length;

	reader->word_count = 0;
	for (;;) {
		char *begin, *stop;

		while (at < end && strchr(" \t", *at))
			at++;
		if (at == end)
			return;
		begin = at;
		stop = unquote(&at, end);
		if (!stop || reader->word_count == MOST_WORDS)
			wrong_at(reader->input, reader->lines.number, "word %zu is not plain: a "
				 "quote is open, or a shell would change it; must be in single "
				 "quotes", reader->word_count + 1);
		reader->word[reader->word_count++] =
			(struct piece){ begin, (size_t)(stop - begin) };
	}
}

/* ---- commands ------------------------------------------------------------------------- */

static const struct command *find_command(const struct reader *reader)
{
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (reader->word_count > COMMAND_WORD &&
		    piece_is(reader->word[FLUX_WORD], "flux") &&
		    piece_is(reader->word[ACCOUNT_WORD], "account") &&
		    piece_is(reader->word[COMMAND_WORD], commands[i].name))
			return &commands[i];
	return NULL;
}

/* Returns the term that an option gives, or -1: it is not kept. */
static int term_of(const struct command *command, struct piece name)
{
	for (size_t i = 0; i < MOST_OPTIONS && command->option[i].option; i++)
		if (piece_is(name, command->option[i].option) ||
		    (name.length == 1 && *name.at == command->option[i].letter))
			return command->option[i].term;
	return -1;
}

/* Notes an option that is not kept, for a warning. */
static void leave_out(struct reader *reader, const struct command *command, struct piece name)
{
	const char *text = need_print("%s%.*s of %s", name.length > 1 ? "--" : "-", PIECE(name),
				      command->name);
	size_t at = name_index_get(reader->left_out_numbers, piece_of(text));

	if (at != NAME_INDEX_NONE) {
		reader->left_out[at].count++;
		return;
	}
	need_put(reader->left_out_numbers, piece_of(text), reader->left_out_count);
	NEED_ADD(reader->left_out, reader->left_out_count,
		 (struct left_out){ text, reader->lines.number, 1 });
}

/* Reads the option in word *i, whose value may be the next word. */
static void read_option(struct reader *reader, const struct command *command, size_t *i)
{
	struct piece word = reader->word[*i], name, value = { 0 };
	bool is_long = word.at[1] == '-';
	const char *equals = is_long ? memchr(word.at, '=', word.length) : NULL;
	int term;

	if (is_long)
		name = (struct piece){ word.at + 2, (equals ? (size_t)(equals - word.at)
							    : word.length) - 2 };
	else
		name = (struct piece){ word.at + 1, 1 };
	if (equals)
		value = (struct piece){ equals + 1, word.length - (size_t)(equals + 1 - word.at) };
	else if (!is_long && word.length > 2)
		value = (struct piece){ word.at + 2, word.length - 2 };
	else if (*i + 1 < reader->word_count)
		value = reader->word[++*i];
	if (!value.at)
		wrong(reader, "an option without value,", word, command->right);
	term = term_of(command, name);
	if (term >= 0)
		reader->term[term] = value;
	else
		leave_out(reader, command, name);
}

/* Reads the operands and options of a command into reader->term. */
static void read_terms(struct reader *reader, const struct command *command)
{
	size_t operands = 0;

	memset(reader->term, 0, sizeof(reader->term));
	for (size_t i = COMMAND_WORDS; i < reader->word_count; i++) {
		struct piece word = reader->word[i];
		int term;

		if (word.length > 1 && *word.at == '-') {
			read_option(reader, command, &i);
			continue;
		}
		term = operands < MOST_OPERANDS ? command->operand[operands++] : -1;
		if (term < 0)
			wrong(reader, "not expected:", word, command->right);
		reader->term[term] = word;
	}
	for (size_t i = 0; i < 2; i++)
		if (!reader->term[command->required[i]].at)
			wrong_at(reader->input, reader->lines.number, "a part is missing, must be "
				 "%s", command->right);
}

/* ---- priorities -------------------------------------------------------------------------- */

/* Reads the priority of the line, `other` if it has none. */
static double read_priority(struct reader *reader, double other)
{
	const struct piece *term = &reader->term[PRIORITY];
	const char *end, *text = term->at ? need_copy(*term) : NULL;
	double priority;

	if (!text)
		return other;
	if (number_parse(text, &priority, &end) || *end)
		wrong(reader, "priority is", *term, "a number");
	return priority;
}

/* Sets the priority of a name to that of the line. A name without any has 0. */
static void set_priority(struct reader *reader, struct priorities *priorities, struct piece name)
{
	size_t at = name_index_get(priorities->numbers, name);
	struct priority *of;

	if (at == NAME_INDEX_NONE) {
		at = priorities->count;
		NEED_ADD(priorities->of, priorities->count,
			 (struct priority){ .name = need_copy(name) });

		need_put(priorities->numbers, piece_of(priorities->of[at].name), at);
	}
	of = &priorities->of[at];
	of->value = read_priority(reader, of->value);
	of->line = reader->lines.number;
}

/* ---- what lines do ------------------------------------------------------------------------ */

/* Returns the row of a bank of an earlier line. */
static size_t find_bank(struct reader *reader, const char *what, int term)
{
	size_t row = name_index_get(reader->banks, reader->term[term]);

	if (row == NAME_INDEX_NONE)
		wrong(reader, what, reader->term[term], "that of an earlier line");
	return row;
}

static void find_parent(struct reader *reader, struct fathom_row *row)
{
	row->is_root = !reader->term[PARENT_BANK].length;
	if (row->is_root && reader->builder.count)
		wrong(reader, "a second bank without parent,", reader->term[BANK],
		      "below a bank; only the first has none");
	if (!row->is_root)
		row->parent_id = reader->builder.row[find_bank(reader, "the bank above is",
							       PARENT_BANK)].id;
}

static void read_shares(struct reader *reader, struct fathom_row *row)
{
	if (reader->term[SHARES].at && parse_shares(reader->term[SHARES], &row->raw_shares))
		wrong(reader, "shares are", reader->term[SHARES], "an integer of 0 or more");
}

static void add(struct reader *reader, enum fathom_kind kind, struct piece name)
{
	struct fathom_row row = { .id = (int64_t)reader->builder.count + 1, .kind = kind,
				  .raw_shares = 1 };

	read_shares(reader, &row);
	find_parent(reader, &row);
	if (kind == FATHOM_ACCOUNT && name_index_get(reader->banks, name) != NAME_INDEX_NONE)
		wrong(reader, "a second bank", name, "another name");
	tree_builder_add(&reader->builder, reader->input, reader->lines.number, &row, name,
			 (struct piece){ NULL, 0 });
}

static void add_user(struct reader *reader)
{
	add(reader, FATHOM_USER, reader->term[USERNAME]);
}

static void add_bank(struct reader *reader)
{
	struct piece name = reader->term[BANK];

	add(reader, FATHOM_ACCOUNT, name);
	need_put(reader->banks, name, reader->builder.count - 1);
	set_priority(reader, &reader->bank_priorities, name);
}

static void edit_bank(struct reader *reader)
{
	size_t bank = find_bank(reader, "the bank is", BANK);
	struct fathom_row *row = &reader->builder.row[bank];

	read_shares(reader, row);
	if (reader->term[PARENT_BANK].at) {
		find_parent(reader, row);
		reader->builder.line[bank] = reader->lines.number;
	}
	set_priority(reader, &reader->bank_priorities, reader->term[BANK]);
}

static void edit_factor(struct reader *reader)
{
	const struct piece *factor = &reader->term[FACTOR];

	if (!reader->settings)
		return;
	reader->settings->origin.line = reader->lines.number;
	if (!flux_settings_weight(reader->settings, need_copy(*factor),
				  need_copy(reader->term[WEIGHT])))
		wrong(reader, "factor is", *factor, FLUX_FACTORS);
}

static void set_queue(struct reader *reader)
{
	double priority = read_priority(reader, 0);

	if (priority != trunc(priority))
		wrong(reader, "priority is", reader->term[PRIORITY], "an integer");
	set_priority(reader, &reader->queue_priorities, reader->term[QUEUE]);
}

/* ---- all lines ---------------------------------------------------------------------------- */

static void read_line(struct reader *reader, struct piece line)
{
	const struct command *command;

	if (*line.at == '#')
		return;
	split(reader, line);
	if (!reader->word_count)
		return;
	if (line.length >= strlen(WITHOUT_EFFECT) &&
	    !memcmp(line.at, WITHOUT_EFFECT, strlen(WITHOUT_EFFECT)))
		return;
	command = find_command(reader);
	if (!command)
		wrong(reader, "unknown command", line, "flux account with add-bank, add-user, "
		      "edit-bank, edit-factor, add-queue or edit-queue");
	read_terms(reader, command);
	command->run(reader);
}

/* Reads all lines; weights, to the settings if there are any. */
static struct reader read_lines(struct document *input, struct site_settings *settings)
{
	struct reader reader = { .input = input, .lines = lines_of(input), .banks = need_index(),
				 .bank_priorities.numbers = need_index(),
				 .queue_priorities.numbers = need_index(),
				 .left_out_numbers = need_index(), .settings = settings };
	struct piece line;

	while ((line = lines_next(&reader.lines)).at)
		read_line(&reader, line);
	if (!reader.builder.count)
		wrong_at(input, 1, "only comments, must have a command for each bank and "
			 "association");
	return reader;
}

static void flux_commands_read(struct document *input, struct snapshot *snapshot)
{
	struct reader reader = read_lines(input, NULL);

	tree_builder_finish(&reader.builder, input, true, snapshot);
}

static void add_priorities(const struct reader *reader, const struct priorities *priorities,
			   void (*set)(struct site_settings *settings, const char *name,
				       double priority))
{
	for (size_t i = 0; i < priorities->count; i++) {
		const struct priority *of = &priorities->of[i];

		reader->settings->origin.line = of->line;
		set(reader->settings, of->name, of->value);
	}
}

static void lose_options(const struct reader *reader)
{
	for (size_t i = 0; i < reader->left_out_count; i++) {
		const struct left_out *of = &reader->left_out[i];

		reader->settings->origin.line = of->line;
		if (of->count > 1)
			site_settings_lose(reader->settings,
					   "option %s, here and in %zu more line%s",
					   of->text, of->count - 1, PLURAL(of->count - 1));
		else
			site_settings_lose(reader->settings, "option %s", of->text);
	}
}

static void flux_commands_read_settings(struct document *input, struct site_settings *settings)
{
	struct reader reader;

	settings->origin = (struct site_origin){ input->name, 0 };
	site_settings_set(settings, SITE_FATHOM_CONF, "Policy", "flux");
	reader = read_lines(input, settings);
	lose_options(&reader);
	add_priorities(&reader, &reader.bank_priorities, flux_settings_bank);
	add_priorities(&reader, &reader.queue_priorities, flux_settings_queue);
	tree_builder_clear(&reader.builder);
}

static bool flux_commands_recognize(const struct document *input)
{
	struct lines lines = lines_of(input);
	struct piece line = lines_next(&lines);

	while (line.at && *line.at == '#')
		line = lines_next(&lines);
	return line.at && line.length >= strlen(START) && !memcmp(line.at, START, strlen(START));
}

/* ---- writing ---------------------------------------------------------------------------- */

/* Writes a word so that a shell takes it as it is: in quotes if it has a character that may mean
 * something there. */
static void put_word(FILE *out, const char *word)
{
	const char *at = word;

	while (isalnum((unsigned char)*at) || (*at && strchr("_-.,@%+:/", *at)))
		at++;
	if (!*at && *word) {
		fputs(word, out);
		return;
	}
	putc('\'', out);
	for (; *word; word++) {
		if (*word == '\'')
			fputs("'\\''", out);
		else
			putc(*word, out);
	}
	putc('\'', out);
}

static void put_option(FILE *out, const char *option, const char *value)
{
	fprintf(out, " --%s=", option);
	put_word(out, value);
}

/* A bank holds banks or associations, and a word that begins with '-' would be an option. */
static void check_node(const struct tree_writer *writer, size_t node)
{
	const struct snapshot *snapshot = writer->snapshot;
	const struct fathom_tree *tree = snapshot->tree;
	size_t count = fathom_tree_child_count(tree, node), first, users = 0;
	const char *name = snapshot_name(snapshot, node);

	tree_writer_check_name(writer, node, name, "", "-", FORMAT);
	tree_writer_check_shares(writer, node, FORMAT);
	first = count ? fathom_tree_first_child(tree, node) : 0;
	for (size_t i = 0; i < count; i++)
		users += fathom_tree_kind(tree, first + i) == FATHOM_USER;
	if (users && users < count)
		wrong_at(NULL, 0, "account '%.64s' has users and accounts; a bank has only one of "
			 "both", name);
}

/* Writes the command that adds a node; the root is a bank without a parent. */
static void put_line(struct tree_writer *writer, size_t node, size_t depth)
{
	const struct snapshot *snapshot = writer->snapshot;
	const struct fathom_tree *tree = snapshot->tree;
	const char *parent = snapshot_name(snapshot, fathom_tree_parent(tree, node));
	uint32_t shares = fathom_tree_raw_shares(tree, node);

	(void)depth;
	check_node(writer, node);
	if (fathom_tree_kind(tree, node) == FATHOM_USER) {
		fputs(START "add-user", writer->out);
		put_option(writer->out, "username", snapshot_name(snapshot, node));
		put_option(writer->out, "bank", parent);
		fprintf(writer->out, " --shares=%" PRIu32 "\n", shares);
		return;
	}
	fputs(START "add-bank", writer->out);
	if (node)
		put_option(writer->out, "parent-bank", parent);
	putc(' ', writer->out);
	put_word(writer->out, snapshot_name(snapshot, node));
	fprintf(writer->out, " %" PRIu32 "\n", shares);
}

static void flux_commands_write(FILE *out, const struct snapshot *snapshot)
{
	struct tree_writer writer = { .out = out, .snapshot = snapshot };

	/* a command names a bank without those above it */
	tree_writer_check_accounts(&writer, snapshot_name(snapshot, 0), FORMAT);
	tree_writer_run(&writer, put_line);
}

const struct format format_flux_commands = {
	.name = FORMAT,
	.summary = "commands such as \"flux account add-bank\", which make a tree",
	.holds = HOLDS_TREE | HOLDS_SETTINGS,
	.recognize = flux_commands_recognize,
	.read = flux_commands_read,
	.read_settings = flux_commands_read_settings,
	.write = flux_commands_write,
	.keeps = KEEPS_PARENT_SHARES | KEEPS_EMPTY_ACCOUNTS,
};
