/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes flux-accounting's tree as the commands that make it, a line for each bank and
 * association; a bank comes before what is below it:
 *
 *	flux account add-bank root 1
 *	flux account add-bank --parent-bank=root physics 60
 *	flux account add-user --username=ada --bank=physics --shares=1
 *
 * Words are quoted as a shell quotes them; a line is never run. Options that do not describe the
 * tree are skipped.
 */
#include "core/error.h"
#include "format/format.h"
#include "format/tree_builder.h"
#include "format/tree_details.h"
#include "format/tree_writer.h"
#include "memory/need_names.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <string.h>

#define FORMAT "flux-commands"
#define START "flux account add-"
#define MOST_WORDS 64
#define MOST_OPERANDS 2

enum { FLUX_WORD, ACCOUNT_WORD, COMMAND_WORD, COMMAND_WORDS };

/* What a line may say. */
enum { BANK, PARENT_BANK, USERNAME, SHARES, TERM_COUNT };

struct reader {
	struct document *input;
	struct lines lines;
	struct name_index *banks;	/* row numbers by name */
	struct tree_builder builder;
	struct piece word[MOST_WORDS];
	size_t word_count;
	struct piece term[TERM_COUNT];	/* `at` NULL: not given */
};

static const struct command {
	const char *name;
	int operand[MOST_OPERANDS];	/* terms; -1: none */
	struct { const char *option; char letter; int term; } option[3];
	enum fathom_kind kind;
	int required[2];		/* terms */
	const char *right;		/* the line as it should be */
} commands[] = {
	{ "add-bank", { BANK, SHARES }, { { "parent-bank", 0, PARENT_BANK } }, FATHOM_ACCOUNT,
	  { BANK, SHARES }, "flux account add-bank [--parent-bank=NAME] NAME SHARES" },
	{ "add-user", { -1, -1 }, { { "username", 'u', USERNAME }, { "bank", 'B', PARENT_BANK },
				    { "shares", 0, SHARES } }, FATHOM_USER,
	  { USERNAME, PARENT_BANK },
	  "flux account add-user --username=NAME --bank=NAME [--shares=SHARES]" },
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
		if (*from == quote)
			quote = 0;
		else if (!quote && (*from == '\'' || *from == '"'))
			quote = *from;
		else if (quote != '\'' && strchr("$`", *from))
			return NULL;
		else if (!quote && strchr("|&;<>()*?[]~#", *from))
			return NULL;
		else if (quote != '\'' && *from == '\\' && from + 1 < end)
			*to++ = *++from;
		else
			*to++ = *from;
	}
	*at = from;
	return quote ? NULL : to;
}

static void split(struct reader *reader, struct piece line)
{
	char *at = reader->input->text + (line.at - reader->input->text);
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

/* Returns the term that an option gives, or -1: it does not describe the tree. */
static int term_of(const struct command *command, struct piece name)
{
	for (size_t i = 0; i < 3 && command->option[i].option; i++)
		if (piece_is(name, command->option[i].option) ||
		    (name.length == 1 && *name.at == command->option[i].letter))
			return command->option[i].term;
	return -1;
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
		value = (struct piece){ equals + 1,
					word.length - (size_t)(equals + 1 - word.at) };
	else if (!is_long && word.length > 2)
		value = (struct piece){ word.at + 2, word.length - 2 };
	else if (*i + 1 < reader->word_count)
		value = reader->word[++*i];
	if (!value.at)
		wrong(reader, "an option without value,", word, command->right);
	term = term_of(command, name);
	if (term >= 0)
		reader->term[term] = value;
}

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

/* ---- nodes ------------------------------------------------------------------------------ */

static void find_parent(struct reader *reader, struct fathom_row *row)
{
	struct piece parent = reader->term[PARENT_BANK];
	size_t above;

	row->is_root = !parent.length;
	if (row->is_root && reader->builder.count)
		wrong(reader, "a second bank without parent,", reader->term[BANK],
		      "below a bank; only the first has none");
	if (row->is_root)
		return;
	above = name_index_get(reader->banks, parent);
	if (above == NAME_INDEX_NONE)
		wrong(reader, "the bank above is", parent, "that of an earlier line");
	row->parent_id = reader->builder.row[above].id;
}

static void add(struct reader *reader, const struct command *command)
{
	bool is_bank = command->kind == FATHOM_ACCOUNT;
	struct piece name = reader->term[is_bank ? BANK : USERNAME];
	struct fathom_row row = { .id = (int64_t)reader->builder.count + 1,
				  .kind = command->kind, .raw_shares = 1 };
	struct fathom_error error;

	if (reader->term[SHARES].at && parse_shares(reader->term[SHARES], &row.raw_shares))
		wrong(reader, "shares are", reader->term[SHARES], "an integer of 0 or more");
	find_parent(reader, &row);
	if (is_bank && name_index_get(reader->banks, name) != NAME_INDEX_NONE)
		wrong(reader, "a second bank", name, "another name");
	if (tree_builder_add(&reader->builder, reader->input, reader->lines.number, &row, name,
			     (struct piece){ NULL, 0 }, &error))
		wrong_by(reader->input, reader->lines.number, &error);
	if (is_bank)
		need_put(reader->banks, name, reader->builder.count - 1);
}

static void read_line(struct reader *reader, struct piece line)
{
	const struct command *command;

	if (*line.at == '#')
		return;
	split(reader, line);
	if (!reader->word_count)
		return;
	command = find_command(reader);
	if (!command)
		wrong(reader, "unknown command", line,
		      "flux account add-bank or flux account add-user");
	read_terms(reader, command);
	add(reader, command);
}

static int flux_commands_read(struct document *input, struct snapshot *snapshot,
			      struct fathom_error *error)
{
	struct reader reader = { .input = input, .lines = lines_of(input), .banks = need_index() };
	struct piece line;

	while ((line = lines_next(&reader.lines)).at)
		read_line(&reader, line);
	if (!reader.builder.count)
		wrong_at(input, 1, "only comments, must have a command for each bank and "
			 "association");
	if (tree_builder_finish(&reader.builder, input, true, snapshot, error))
		wrong_by(input, input->line, error);
	return 0;
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
static int check_node(const struct tree_writer *writer, size_t node)
{
	const struct snapshot *snapshot = writer->snapshot;
	const struct fathom_tree *tree = snapshot->tree;
	size_t count = fathom_tree_child_count(tree, node), first, users = 0;
	const char *name = snapshot_name(snapshot, node);

	if (tree_writer_check_name(writer, node, name, "", "-", FORMAT) ||
	    tree_writer_check_shares(writer, node, FORMAT))
		return -1;
	first = count ? fathom_tree_first_child(tree, node) : 0;
	for (size_t i = 0; i < count; i++)
		users += fathom_tree_kind(tree, first + i) == FATHOM_USER;
	if (users && users < count)
		return fathom_error_set(writer->error, EINVAL,
					"account '%.64s' has users and accounts; a bank has only "
					"one of both", name);
	return 0;
}

static int put_line(struct tree_writer *writer, size_t node, size_t depth)
{
	const struct snapshot *snapshot = writer->snapshot;
	const struct fathom_tree *tree = snapshot->tree;
	const char *parent = snapshot_name(snapshot, fathom_tree_parent(tree, node));
	uint32_t shares = fathom_tree_raw_shares(tree, node);

	(void)depth;
	if (check_node(writer, node))
		return -1;
	if (fathom_tree_kind(tree, node) == FATHOM_USER) {
		fputs(START "user", writer->out);
		put_option(writer->out, "username", snapshot_name(snapshot, node));
		put_option(writer->out, "bank", parent);
		fprintf(writer->out, " --shares=%" PRIu32 "\n", shares);
		return 0;
	}
	fputs(START "bank", writer->out);
	if (node)
		put_option(writer->out, "parent-bank", parent);
	putc(' ', writer->out);
	put_word(writer->out, snapshot_name(snapshot, node));
	fprintf(writer->out, " %" PRIu32 "\n", shares);
	return 0;
}

static int flux_commands_write(FILE *out, const struct snapshot *snapshot,
			       struct fathom_error *error)
{
	struct tree_writer writer = { .out = out, .snapshot = snapshot, .error = error };

	/* a command names a bank without those above it */
	if (tree_writer_check_accounts(&writer, snapshot_name(snapshot, 0), FORMAT))
		return -1;
	return tree_writer_run(&writer, put_line);
}

const struct format format_flux_commands = {
	.name = FORMAT,
	.summary = "commands \"flux account add-bank\" and \"add-user\", which make a tree",
	.holds = HOLDS_TREE,
	.recognize = flux_commands_recognize,
	.read = flux_commands_read,
	.write = flux_commands_write,
	.keeps = KEEPS_PARENT_SHARES | KEEPS_EMPTY_ACCOUNTS,
};
