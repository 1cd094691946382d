/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads and writes flux-accounting's tree as the commands that make it, a line for each bank and
 * association. The line of a bank stands before those of what is below it. The commands for
 * priorities and weights give settings, which are read, but not written:
 *
 *	flux account add-bank root 1
 *	flux account add-bank --parent-bank=root physics 60
 *	flux account add-user --username=ada --bank=physics --shares=1
 *	flux account edit-bank physics --priority=300		BankPriority=physics:300
 *	flux account edit-factor --factor=bank --weight=10	BankWeight=10
 *	flux account add-queue gold --priority=10		PartitionName=gold ...
 *
 * Words are quoted, comments and continued lines written, as for a shell; a line is never run. All
 * lines are read twice: once for the settings, once for the tree.
 */
#include "core/duration.h"
#include "format/flux/flux.h"
#include "format/format.h"
#include "format/site/left_out.h"
#include "format/tree_builder.h"
#include "format/tree_writer.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

#define FORMAT "flux-commands"
#define START "flux account "
#define MOST_WORDS 64
#define MOST_OPERANDS 2
#define MOST_OPTIONS 4

/* The words with which a line begins: "flux", "account", the name of the command. */
enum { FLUX_WORD, ACCOUNT_WORD, COMMAND_WORD, COMMAND_WORDS };

/* The terms: operands and values of options that a line may have. */
enum { BANK, PARENT_BANK, USERNAME, SHARES, PRIORITY, FACTOR, WEIGHT, QUEUE, TERM_COUNT };

#define NO_TERM (-1)

/* The priority of a bank or queue after the lines that have been read. */
struct priority {
	double value;		/* 0: no line gives one */
	size_t line;		/* the last one about the bank or queue */
};

struct priorities {
	struct numbered_names *names;	/* their numbers are indices of `list` */
	struct priority *list;
	size_t count;
};

/* A file while it is read. */
struct reader {
	struct document *input;
	const char *at, *end;		/* the text that is not read yet */
	size_t next_line;		/* number of the line at `at` */
	char *words_end;		/* where the next word is written */
	struct tree_builder builder;
	struct name_index *users;	/* from users to their first rows in the builder */
	/* Of the present line, which may be continued: */
	size_t line;			/* number of the first one */
	struct piece word[MOST_WORDS];	/* without quotes */
	size_t word_count;
	struct piece term[TERM_COUNT];	/* `at` NULL: not given */

	struct site_settings *settings;	/* gets weights; NULL: only the tree is wanted */
	struct priorities bank_priorities, queue_priorities;
	struct left_out left_out;	/* options: "--max-nodes of add-user" */
};

/* A command, and the terms of its line. */
struct flux_command {
	const char *name;
	void (*run)(struct reader *reader);	/* uses reader->term */
	int operand[MOST_OPERANDS];	/* the terms that the operands are, or NO_TERM */
	/* The options that are kept, up to one that is NULL. letter: "-u" for 'u'; 0: no short
	 * form. term: that the value is. */
	struct { const char *option; char letter; int term; } option[MOST_OPTIONS];
	int required[2];		/* terms; the same twice if only one is required */
	const char *right;		/* how the line should be, for messages */
};

/* Fails with "SUBJECT 'WORD', must be RIGHT" about the present line. */
static _Noreturn void wrong(struct reader *reader, const char *subject, struct piece word,
			    const char *right)
{
	wrong_at(reader->input, reader->line, "%s '%.*s', must be %s", subject, PIECE(word), right);
}

/* ---- words --------------------------------------------------------------------------- */

/* Moves behind a backslash and a line end, which a shell removes. Returns whether they are next. */
static bool skip_joint(struct reader *reader)
{
	const char *end = reader->at + (strncmp(reader->at, "\\\r", 2) ? 1 : 2);

	if (*reader->at != '\\' || *end != '\n')
		return false;
	reader->at = end + 1;
	reader->next_line++;
	return true;
}

/* Returns whether a shell would expand a character. quote: the quotes around it, or 0. */
static bool is_expanded(char character, char quote)
{
	return (quote != '\'' && strchr("$`", character)) ||
	       (!quote && strchr("|&;<>()*?[]~", character));
}

/* Returns whether a backslash before the next character makes it plain: outside of quotes any one,
 * in double quotes only some. */
static bool is_escaped(const struct reader *reader, char quote)
{
	return reader->at < reader->end && quote != '\'' &&
	       (!quote || strchr("$`\"\\", *reader->at));
}

/* Reads a word, and removes its quotes and backslashes: 'a b'c becomes a bc. Returns whether it is
 * plain: each quote is closed, and it has no character that a shell would expand. */
static bool read_word(struct reader *reader, struct piece *word)
{
	char *to = reader->words_end, quote = 0;

	while (reader->at < reader->end && *reader->at != '\n' &&
	       (quote || !is_blank_or_return(*reader->at))) {
		char character = *reader->at;

		if (quote != '\'' && skip_joint(reader))
			continue;
		reader->at++;
		if (character == quote)
			quote = 0;
		else if (!quote && (character == '\'' || character == '"'))
			quote = character;
		else if (is_expanded(character, quote))
			return false;
		else if (character == '\\' && is_escaped(reader, quote))
			*to++ = *reader->at++;
		else
			*to++ = character;
	}
	*word = (struct piece){ reader->words_end, (size_t)(to - reader->words_end) };
	reader->words_end = to;
	return !quote;
}

/* Reads the next word of the line. Fails, see wrong_at(), if a shell would change more of it than
 * quotes, or if the line has too many. */
static void read_next_word(struct reader *reader)
{
	if (reader->word_count == MOST_WORDS)
		wrong_at(reader->input, reader->line, "has more than %d words, must have fewer",
			 MOST_WORDS);
	if (!read_word(reader, &reader->word[reader->word_count++]))
		wrong_at(reader->input, reader->line, "word %zu is not plain: a quote is open, or "
			 "a shell would change it; must be in single quotes", reader->word_count);
}

/* Reads a line into reader->word, as a shell does, with the lines that continue it. */
static void read_words(struct reader *reader)
{
	/* a line may have fewer words than commands begin with */
	memset(reader->word, 0, COMMAND_WORDS * sizeof(*reader->word));
	reader->word_count = 0;
	reader->line = reader->next_line;
	while (reader->at < reader->end && *reader->at != '\n') {
		if (is_blank_or_return(*reader->at))
			reader->at++;
		else if (*reader->at == '#')	/* a comment */
			reader->at += strcspn(reader->at, "\n");
		else if (!skip_joint(reader))
			read_next_word(reader);
	}
	reader->at += reader->at < reader->end;
	reader->next_line++;
}

/* ---- commands ------------------------------------------------------------------------- */

/* Returns the term that the value of an option is; NO_TERM: the option is not kept. name: without
 * dashes. */
static int term_of(const struct flux_command *command, struct piece name)
{
	for (size_t i = 0; i < MOST_OPTIONS && command->option[i].option; i++)
		if (piece_is(name, command->option[i].option) ||
		    (name.length == 1 && *name.at == command->option[i].letter))
			return command->option[i].term;
	return NO_TERM;
}

/* Splits an option into its name, without dashes, which is returned, and its value; *value: its
 * `at` is NULL if the word does not have it. */
static struct piece split_option(struct piece word, struct piece *value)
{
	bool is_long = word.at[1] == '-';
	const char *equals = is_long ? memchr(word.at, '=', word.length) : NULL;
	struct piece name;

	piece_cut(&word, is_long ? 2 : 1);
	if (equals)
		piece_next(&word, '=', &name);
	else
		name = piece_cut(&word, is_long ? word.length : 1);
	*value = equals || word.length ? word : (struct piece){ NULL, 0 };
	return name;
}

/* Reads the option in word *i: "--NAME=VALUE", "--NAME VALUE", "-NVALUE" or "-N VALUE". Moves *i to
 * the value if that is the next word. Notes an option that is not kept, for a warning. */
static void read_option(struct reader *reader, const struct flux_command *command, size_t *i)
{
	struct piece word = reader->word[*i], value, name = split_option(word, &value);
	int term = term_of(command, name);

	if (!value.at && *i + 1 < reader->word_count)
		value = reader->word[++*i];
	if (!value.at)
		wrong(reader, "an option without value,", word, command->right);
	if (term != NO_TERM)
		reader->term[term] = value;
	else
		left_out_add(&reader->left_out, need_print(
			"%s%.*s of %s", name.length > 1 ? "--" : "-", PIECE(name),
			command->name), reader->line);
}

/* Reads the operands and options of the present line into reader->term. Fails, see wrong_at(), if
 * there are more operands than the command has, or a required term is missing. */
static void read_terms(struct reader *reader, const struct flux_command *command)
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
		term = operands < MOST_OPERANDS ? command->operand[operands++] : NO_TERM;
		if (term == NO_TERM)
			wrong(reader, "not expected:", word, command->right);
		reader->term[term] = word;
	}
	for (size_t i = 0; i < 2; i++)
		if (!reader->term[command->required[i]].at)
			wrong_at(reader->input, reader->line, "a part is missing, must be "
				 "%s", command->right);
}

/* ---- priorities -------------------------------------------------------------------------- */

/* Returns the priority that the present line gives; `missing`, if it gives none. */
static double read_priority(struct reader *reader, double missing)
{
	const struct piece *term = &reader->term[PRIORITY];
	const char *end, *text = term->at ? need_copy(*term) : NULL;
	double priority;

	if (!text)
		return missing;
	if (number_parse(text, &priority, &end) || *end)
		wrong(reader, "priority is", *term, "a number");
	return priority;
}

/* Sets the priority of a name to the one that the present line gives. If it gives none, the name
 * keeps what it has, or gets 0. */
static void set_priority(struct reader *reader, struct priorities *priorities, struct piece name)
{
	size_t index = need_name(priorities->names, need_copy(name));
	struct priority *priority;

	if (index == priorities->count)
		NEED_ADD(priorities->list, priorities->count, (struct priority){ .value = 0 });
	priority = &priorities->list[index];
	priority->value = read_priority(reader, priority->value);
	priority->line = reader->line;
}

/* ---- what lines do ------------------------------------------------------------------------ */

/* Returns the builder's row of the bank that a term names. Fails, see wrong_at(), if no earlier
 * line adds it. subject: begins the message. */
static size_t find_bank(struct reader *reader, const char *subject, int term)
{
	size_t row = name_index_get(reader->builder.accounts, reader->term[term]);

	if (row == NAME_INDEX_NONE)
		wrong(reader, subject, reader->term[term], "that of an earlier line");
	return row;
}

/* Sets the parent of a row to the bank that the present line names. Without one the row is the
 * root, which must be the first. */
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

/* Sets the shares of a row if the present line gives any. */
static void read_shares(struct reader *reader, struct fathom_row *row)
{
	if (reader->term[SHARES].at && parse_shares(reader->term[SHARES], &row->raw_shares))
		wrong(reader, "shares are", reader->term[SHARES], "an integer of 0 or more");
}

/* Adds a bank or an association of the present line to the tree. */
static void add(struct reader *reader, enum fathom_kind kind, struct piece name)
{
	struct fathom_row row = { .id = (int64_t)reader->builder.count + 1, .kind = kind,
				  .raw_shares = 1 };	/* the default of add-user */

	read_shares(reader, &row);
	find_parent(reader, &row);
	if (kind == FATHOM_ACCOUNT &&
	    name_index_get(reader->builder.accounts, name) != NAME_INDEX_NONE)
		wrong(reader, "a second bank", name, "another name");
	tree_builder_add(&reader->builder, reader->input, reader->line, &row, name,
			 (struct piece){ NULL, 0 });
}

/* The next functions do what the commands of the table say. */

/* Adds an association. A user's first bank is the default one; it is set once the user has a
 * second. */
static void add_user(struct reader *reader)
{
	struct tree_builder *builder = &reader->builder;
	struct piece name = reader->term[USERNAME], copy;
	size_t bank, row = builder->count, first = name_index_get(reader->users, name);

	add(reader, FATHOM_USER, name);
	if (first == NAME_INDEX_NONE) {
		need_put(reader->users, name, row);
		return;
	}
	bank = (size_t)builder->row[first].parent_id - 1;	/* ids are rows + 1 */
	copy = piece_of(need_text(builder->text + builder->name[bank]));	/* the text moves */
	tree_builder_set_default_account(builder, first, copy);
	tree_builder_set_default_account(builder, row, copy);
}

/* Adds a bank with its priority. */
static void add_bank(struct reader *reader)
{
	struct piece name = reader->term[BANK];

	add(reader, FATHOM_ACCOUNT, name);
	set_priority(reader, &reader->bank_priorities, name);
}

/* Changes the shares, the parent and the priority of a bank, as far as the line gives them. */
static void edit_bank(struct reader *reader)
{
	size_t bank = find_bank(reader, "the bank is", BANK);
	struct fathom_row *row = &reader->builder.row[bank];

	read_shares(reader, row);
	if (reader->term[PARENT_BANK].at) {
		find_parent(reader, row);
		/* an error of the tree is then told of this line */
		reader->builder.line[bank] = reader->line;
	}
	set_priority(reader, &reader->bank_priorities, reader->term[BANK]);
}

/* Adds the weight of a factor to the settings. */
static void edit_factor(struct reader *reader)
{
	const struct piece *factor = &reader->term[FACTOR];

	if (!reader->settings)
		return;
	reader->settings->origin.line = reader->line;
	if (!flux_settings_weight(reader->settings, need_copy(*factor),
				  need_copy(reader->term[WEIGHT])))
		wrong(reader, "factor is", *factor, FLUX_FACTORS);
}

/* Sets the priority of a queue, new or known. */
static void set_queue(struct reader *reader)
{
	double priority = read_priority(reader, 0);	/* to check it */

	if (priority != trunc(priority))
		wrong(reader, "priority is", reader->term[PRIORITY], "an integer");
	set_priority(reader, &reader->queue_priorities, reader->term[QUEUE]);
}

/* ---- all lines ---------------------------------------------------------------------------- */

/* Returns whether a word begins with a text. */
static bool begins(struct piece word, const char *text)
{
	return word.length >= strlen(text) && !memcmp(word.at, text, strlen(text));
}

static const struct flux_command commands[] = {
	{ "add-bank", add_bank, { BANK, SHARES },
	  { { "parent-bank", 0, PARENT_BANK }, { "priority", 0, PRIORITY } }, { BANK, SHARES },
	  START "add-bank [--parent-bank=NAME] NAME SHARES" },
	{ "add-user", add_user, { NO_TERM, NO_TERM },
	  { { "username", 'u', USERNAME }, { "bank", 'B', PARENT_BANK },
	    { "shares", 0, SHARES } }, { USERNAME, PARENT_BANK },
	  START "add-user --username=NAME --bank=NAME [--shares=SHARES]" },
	{ "edit-bank", edit_bank, { BANK, NO_TERM },
	  { { "shares", 0, SHARES }, { "parent-bank", 0, PARENT_BANK },
	    { "priority", 0, PRIORITY } }, { BANK, BANK },
	  START "edit-bank NAME [--shares=SHARES] [--parent-bank=NAME] [--priority=PRIORITY]" },
	{ "edit-factor", edit_factor, { NO_TERM, NO_TERM },
	  { { "factor", 0, FACTOR }, { "weight", 0, WEIGHT } }, { FACTOR, WEIGHT },
	  START "edit-factor --factor=NAME --weight=WEIGHT" },
	{ "add-queue", set_queue, { QUEUE, NO_TERM }, { { "priority", 0, PRIORITY } },
	  { QUEUE, QUEUE }, START "add-queue NAME [--priority=PRIORITY]" },
	{ "edit-queue", set_queue, { QUEUE, NO_TERM }, { { "priority", 0, PRIORITY } },
	  { QUEUE, QUEUE }, START "edit-queue NAME [--priority=PRIORITY]" },
};

/* Returns whether the present line has a command that has no effect here: it computes anew, such as
 * "flux account-priority-update", or only prints. */
static bool is_without_effect(const struct reader *reader)
{
	const struct piece *word = reader->word;

	if (!piece_is(word[FLUX_WORD], "flux"))
		return false;
	if (!piece_is(word[ACCOUNT_WORD], "account"))
		return begins(word[ACCOUNT_WORD], "account-");
	return begins(word[COMMAND_WORD], "update-usage") || begins(word[COMMAND_WORD], "view-") ||
	       begins(word[COMMAND_WORD], "list-");
}

/* Returns the command of the present line; NULL: the table does not have it. */
static const struct flux_command *find_command(const struct reader *reader)
{
	const struct piece *word = reader->word;

	if (!piece_is(word[FLUX_WORD], "flux") || !piece_is(word[ACCOUNT_WORD], "account"))
		return NULL;
	for (size_t i = 0; i < sizeof(commands) / sizeof(*commands); i++)
		if (piece_is(word[COMMAND_WORD], commands[i].name))
			return &commands[i];
	return NULL;
}

/* Reads a line, and does what its command says. */
static void read_line(struct reader *reader)
{
	struct piece line = { reader->at, strcspn(reader->at, "\n") };
	const struct flux_command *command;

	read_words(reader);
	if (!reader->word_count || is_without_effect(reader))
		return;
	command = find_command(reader);
	if (!command)
		wrong(reader, "unknown command", piece_trim(line), "flux account with add-bank, "
		      "add-user, edit-bank, edit-factor, add-queue or edit-queue");
	read_terms(reader, command);
	command->run(reader);
}

/* Reads all lines. Returns the reader with tree, priorities and options that are left out.
 * settings: gets the weights; NULL: weights are not wanted. */
static struct reader read_lines(struct document *input, struct site_settings *settings)
{
	struct reader reader = { .input = input, .at = input->text + document_mark(input),
				 .end = input->text + input->length, .next_line = 1,
				 /* without quotes, words are no longer than the text */
				 .words_end = need_zeros(input->length, 1),
				 .builder.accounts = need_index(), .users = need_index(),
				 .bank_priorities.names = need_names(),
				 .queue_priorities.names = need_names(),
				 .settings = settings };

	while (reader.at < reader.end)
		read_line(&reader);
	if (!reader.builder.count)
		wrong_at(input, 1, "only comments, must have a command for each bank and "
			 "association");
	return reader;
}

static void flux_commands_read(struct document *input, struct snapshot *snapshot)
{
	struct reader reader = read_lines(input, NULL);

	tree_builder_finish(&reader.builder, input, PARTITIONS_KNOWN, snapshot);
}

/* Adds priorities to the settings by set(), each at the line that gives it. */
static void add_priorities(const struct reader *reader, const struct priorities *priorities,
			   void (*set)(struct site_settings *settings, const char *name,
				       double priority))
{
	for (size_t i = 0; i < priorities->count; i++) {
		reader->settings->origin.line = priorities->list[i].line;
		set(reader->settings, priorities->names->name[i], priorities->list[i].value);
	}
}

static void flux_commands_read_settings(struct document *input, struct site_settings *settings)
{
	struct reader reader;

	settings->origin = (struct site_origin){ input->name, 0 };	/* no line says it */
	site_settings_set(settings, SITE_FATHOM_CONF, "Policy", "flux");
	reader = read_lines(input, settings);
	left_out_lose(settings, "option", &reader.left_out);
	add_priorities(&reader, &reader.bank_priorities, flux_settings_bank);
	add_priorities(&reader, &reader.queue_priorities, flux_settings_queue);
	tree_builder_clear(&reader.builder);
}

/* Returns whether the first line that is neither blank nor a comment is a command. */
static bool flux_commands_recognize(const struct document *input)
{
	struct lines lines = lines_of(input);
	struct piece line;

	do
		line = piece_trim(lines_next(&lines));
	while (line.at && (!line.length || *line.at == '#'));
	return line.length >= strlen(START) && !memcmp(line.at, START, strlen(START));
}

/* ---- writing ---------------------------------------------------------------------------- */

/* Writes a word so that a shell reads it as it is: in quotes, unless all its characters are known
 * to be plain. */
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
			fputs("'\\''", out);	/* a quote must stand outside of quotes */
		else
			putc(*word, out);
	}
	putc('\'', out);
}

/* Writes an option with its value. */
static void put_option(FILE *out, const char *option, const char *value)
{
	fprintf(out, " --%s=", option);
	put_word(out, value);
}

/* Fails, see wrong_at(), if flux-accounting cannot have a node: it has users and accounts below it,
 * or its name begins with '-', as an option does. */
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

/* Writes the command that adds a node, if it is the node's turn. *writer->context: true: it is that
 * of users in other banks than their default one; false: of all other nodes. They go first, so that
 * a user's first line has the default bank. */
static void put_line(struct tree_writer *writer, size_t node, size_t depth)
{
	const struct snapshot *snapshot = writer->snapshot;
	const struct fathom_tree *tree = snapshot->tree;
	const char *parent = snapshot_name(snapshot, fathom_tree_parent(tree, node));
	const char *default_bank = snapshot_default_account(snapshot, node);
	uint32_t shares = fathom_tree_raw_shares(tree, node);
	bool is_in_other = default_bank && strcmp(default_bank, parent);
	const bool *others = writer->context;

	(void)depth;
	if (is_in_other != *others)
		return;
	check_node(writer, node);
	if (fathom_tree_kind(tree, node) == FATHOM_USER) {
		fputs(START "add-user", writer->out);
		put_option(writer->out, "username", snapshot_name(snapshot, node));
		put_option(writer->out, "bank", parent);
		fprintf(writer->out, " --shares=%" PRIu32 "\n", shares);
		return;
	}
	fputs(START "add-bank", writer->out);
	if (node)	/* not the root */
		put_option(writer->out, "parent-bank", parent);
	putc(' ', writer->out);
	put_word(writer->out, snapshot_name(snapshot, node));
	fprintf(writer->out, " %" PRIu32 "\n", shares);
}

static void flux_commands_write(FILE *out, const struct snapshot *snapshot)
{
	bool others = false;
	struct tree_writer writer = { .out = out, .snapshot = snapshot, .context = &others };

	/* accounts need unique names, because a command names a bank without those above it */
	tree_writer_check_accounts(&writer, snapshot_name(snapshot, 0), FORMAT);
	tree_writer_check_users(&writer, FORMAT, USER_ONCE);
	tree_writer_run(&writer, put_line);
	others = true;
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
	.keeps = KEEPS_PARENT_SHARES | KEEPS_EMPTY_ACCOUNTS | KEEPS_CAPITALS |
		 KEEPS_DEFAULTS | KEEPS_UNKNOWN_SHARES,
};
