/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads the file of `sacctmgr dump`: a line for the cluster, then for each account a line Parent
 * and below it a line for each of its sub-accounts and users. From Slurm 25.05 on, lines of QOS
 * come first. Options follow a name after colons; those that are not part of a tree are counted
 * for a remark, as lines of QOS are. The file has no usage:
 *
 *	Cluster - 'tux':Fairshare=1
 *	Parent - 'root'
 *	Account - 'physics':Description='physics':Fairshare=60
 *	Parent - 'physics'
 *	User - 'ada':DefaultAccount='physics':Fairshare=parent
 *
 * Source: Slurm, sacctmgr(1), "FLAT FILE DUMP AND LOAD".
 */
#include "core/small_letters.h"
#include "core/suggestion.h"
#include "format/format.h"
#include "format/slurm/sacctmgr_writer.h"
#include "format/tree_builder.h"
#include "format/tree_writer.h"
#include "memory/need_memory.h"
#include "memory/need_names.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#define MOST_IGNORED 16		/* options that the remark names */
#define ROOT_ROW 0		/* of the builder */
#define TITLES "Cluster, Parent, Account, User or QOS"	/* for messages */

/* An option that is not part of a tree, and how often it occurred. */
struct ignored_option {
	struct piece key;
	size_t count;
};

struct sacctmgr_reader {
	struct document *input;
	char *at, *end;			/* the text that is not read yet */
	size_t line;			/* number of the first line of the entry */
	size_t next_line;		/* number of the line at `at` */
	struct piece entry;		/* the part of the entry that is not read yet */
	size_t parent;			/* row of the account of the last line Parent */
	struct tree_builder builder;
	struct ignored_option ignored[MOST_IGNORED];
	size_t ignored_count;		/* different options, those without room included */
};

/* ---- entries --------------------------------------------------------------------------- */

/* Returns what is behind the line end that a continued line has at `at`, perhaps behind blanks;
 * `at`, if something else is there. */
static char *skip_line_end(char *at)
{
	char *end = at + strspn(at, " \t\r");

	return *end == '\n' ? end + 1 : at;
}

/* Moves behind a backslash, and behind the line end that may follow. Returns whether one did. */
static bool skip_joint(struct sacctmgr_reader *reader)
{
	char *behind = skip_line_end(reader->at + 1);
	bool is_joint = behind > reader->at + 1;

	reader->at = behind;
	reader->next_line += is_joint;
	return is_joint;
}

/* An entry is a line, or several of which all but the last end with a backslash. Copies the one at
 * reader->at over itself, without comments, and without each backslash and a line end behind it.
 * Moves behind the entry, and returns the end of the copy. */
static char *take_entry(struct sacctmgr_reader *reader)
{
	char *to = reader->at;

	while (reader->at < reader->end && *reader->at != '\n') {
		if (*reader->at == '#')
			reader->at += strcspn(reader->at, "\n");
		else if (*reader->at != '\\' || reader->at + 1 == reader->end)
			*to++ = *reader->at++;
		else if (!skip_joint(reader))
			*to++ = *reader->at++;
	}
	reader->at += reader->at < reader->end;
	reader->next_line++;
	return to;
}

/* Finds the next entry that is not empty. False: the file has no more. */
static bool next_entry(struct sacctmgr_reader *reader)
{
	while (reader->at < reader->end) {
		char *from = reader->at;

		reader->line = reader->next_line;
		reader->entry = (struct piece){ from, (size_t)(take_entry(reader) - from) };
		reader->entry = piece_trim(reader->entry);
		if (reader->entry.length)
			return true;
	}
	return false;
}

/* Fails because of the entry. */
static _Noreturn void refuse(struct sacctmgr_reader *reader, const char *what)
{
	wrong_at(reader->input, reader->line, "%s", what);
}

/* Returns the piece without blanks and then quotes around it. */
static struct piece without_quotes(struct piece piece)
{
	piece = piece_trim(piece);
	if (piece.length > 1 && strchr("'\"", *piece.at) &&
	    piece.at[piece.length - 1] == *piece.at) {
		piece.at++;
		piece.length -= 2;
	}
	return piece;
}

/* Cuts the text up to the next colon outside quotes, or the rest, off the entry, with the colon,
 * and returns it. */
static struct piece take_part(struct sacctmgr_reader *reader)
{
	struct piece part;
	char quote = '\0';
	size_t at = 0;

	for (; at < reader->entry.length && (quote || reader->entry.at[at] != ':'); at++) {
		char character = reader->entry.at[at];

		if (quote == character)
			quote = '\0';
		else if (!quote && strchr("'\"", character))
			quote = character;
	}
	if (quote)
		wrong_at(reader->input, reader->line, "a %c is not closed, must have another one",
			 quote);
	part = piece_cut(&reader->entry, at);
	piece_cut(&reader->entry, reader->entry.length > 0);
	return part;
}

/* Cuts the title and the name, "User - 'ada'", off the entry. */
static void take_head(struct sacctmgr_reader *reader, struct piece *title, struct piece *name)
{
	struct piece part = take_part(reader);
	size_t length = 0;

	while (length < part.length && !is_blank_or_return(part.at[length]) &&
	       part.at[length] != '-')
		length++;
	*title = piece_cut(&part, length);
	part = piece_trim(part);
	if (!length || !part.length || *part.at != '-')
		refuse(reader, "must be " TITLES ", ' - ', and a name");
	*name = without_quotes((struct piece){ part.at + 1, part.length - 1 });
	if (!name->length)
		refuse(reader, "the name is empty, must have a character");
}

/* Returns a copy of a name in small letters, which sacctmgr load gives to all names but those of
 * users. */
static struct piece in_small_letters(struct piece name)
{
	return (struct piece){ make_small(need_copy(name)), name.length };
}

/* ---- options ------------------------------------------------------------------------------ */

/* Counts an option that is not part of a tree. */
static void ignore(struct sacctmgr_reader *reader, struct piece key)
{
	for (size_t i = 0; i < reader->ignored_count && i < MOST_IGNORED; i++)
		if (reader->ignored[i].key.length == key.length &&
		    !strncasecmp(reader->ignored[i].key.at, key.at, key.length)) {
			reader->ignored[i].count++;
			return;
		}
	if (reader->ignored_count < MOST_IGNORED)
		reader->ignored[reader->ignored_count] = (struct ignored_option){ key, 1 };
	reader->ignored_count++;
}

/* Tells the user which options were left out, and how often. */
static void set_remark(const struct sacctmgr_reader *reader)
{
	char *text = reader->input->remark;
	size_t size = sizeof(reader->input->remark), length = 0;

	for (size_t i = 0; i < reader->ignored_count && i < MOST_IGNORED && length < size; i++)
		length += (size_t)snprintf(text + length, size - length, "%s%.*s (%zu)",
					   i ? ", " : "left out: ",
					   PIECE(reader->ignored[i].key), reader->ignored[i].count);
	if (reader->ignored_count > MOST_IGNORED && length < size)
		snprintf(text + length, size - length, " and others");
}

/* Returns whether the part ends with a GRES whose type and count are behind the colon, as sacctmgr
 * dump does not quote the value of GrpTRES=cpu=8,gres/gpu:a100=2. */
static bool lacks_type(struct piece part)
{
	size_t at;

	part = piece_trim(part);
	at = part.length;
	while (at && !strchr(",=", part.at[at - 1]))
		at--;
	return part.length > at + 5 && !strncasecmp(part.at + at, "gres/", 5) &&
	       !strchr("'\"", part.at[part.length - 1]);
}

/* Cuts the next option, KEY=VALUE, KEY+=VALUE or KEY-=VALUE, off the entry. *value: without quotes.
 * False: the entry is at its end. */
static bool take_option(struct sacctmgr_reader *reader, struct piece *key, struct piece *value)
{
	struct piece part;
	const char *equals;

	if (!reader->entry.length)
		return false;
	part = take_part(reader);
	while (reader->entry.length && lacks_type(part)) {
		struct piece rest = take_part(reader);

		part.length = (size_t)(rest.at + rest.length - part.at);
	}
	part = piece_trim(part);
	equals = memchr(part.at, '=', part.length);
	if (!equals || equals == part.at || (equals == part.at + 1 && strchr("+-", *part.at)))
		wrong_at(reader->input, reader->line,
			 "'%.*s' is no option, must be KEY=VALUE after a colon", PIECE(part));
	*key = piece_cut(&part, (size_t)(equals - part.at));
	key->length -= strchr("+-", equals[-1]) != 0;
	piece_cut(&part, 1);
	*value = without_quotes(part);
	return true;
}

/* Returns the shares of an option: a number, or "parent". */
static uint32_t read_shares(struct sacctmgr_reader *reader, struct piece value)
{
	uint32_t shares;

	if (piece_is_any_case(value, "parent"))
		return FATHOM_SHARES_PARENT;
	if (parse_shares(value, &shares))
		wrong_field(reader->input, reader->line, "FairShare", value,
			    SHARES_RIGHT ", or parent");
	return shares == SACCTMGR_PARENT ? FATHOM_SHARES_PARENT : shares;
}

/* Returns whether a text stands for the key: as in sacctmgr, its first letters are enough. */
static bool is_key(struct piece text, const char *key)
{
	return text.length <= strlen(key) && !strncasecmp(text.at, key, text.length);
}

/* Counts an option that is not part of a tree, unless it looks like a misspelled FairShare. */
static void read_other(struct sacctmgr_reader *reader, struct piece key)
{
	struct suggestion suggestion = { .word = key.at, .length = key.length };

	suggestion_consider(&suggestion, "FairShare");
	if (suggestion.name)
		wrong_at(reader->input, reader->line, "'%.*s' is no option, did you mean "
			 "FairShare?", PIECE(key));
	ignore(reader, key);
}

/* Reads the options of the entry: sets the row's shares, 1 by default, and *partition and
 * *default_account if they are given. */
static void read_options(struct sacctmgr_reader *reader, struct fathom_row *row,
			 struct piece *partition, struct piece *default_account)
{
	struct piece key, value;

	row->raw_shares = 1;
	while (take_option(reader, &key, &value)) {
		if (is_key(key, "FairShare") || is_key(key, "Shares"))
			row->raw_shares = read_shares(reader, value);
		else if (is_key(key, "Partition") && row->kind == FATHOM_USER)
			*partition = value.length ? value : *partition;
		else if (is_key(key, "DefaultAccount") && row->kind == FATHOM_USER)
			*default_account = in_small_letters(value);
		else
			read_other(reader, key);
	}
}

/* ---- lines ------------------------------------------------------------------------------ */

/* Reads the line of an account or a user below the last line Parent. Fails if an account has a line
 * already, or is the root, which has none. */
static void read_association(struct sacctmgr_reader *reader, struct piece name,
			     enum fathom_kind kind)
{
	struct tree_builder *builder = &reader->builder;
	struct fathom_row row = { .id = (int64_t)builder->count + 1, .kind = kind,
				  .parent_id = builder->row[reader->parent].id };
	struct piece partition = { NULL, 0 }, default_account = { NULL, 0 };
	size_t other = kind == FATHOM_ACCOUNT ? name_index_get(builder->accounts, name)
					      : NAME_INDEX_NONE;

	read_options(reader, &row, &partition, &default_account);
	if (other == ROOT_ROW)
		refuse(reader, "account 'root' exists without a line");
	if (other != NAME_INDEX_NONE)
		wrong_at(reader->input, reader->line, "account '%.*s' is already in line %zu",
			 PIECE(name), builder->line[other]);
	tree_builder_add(builder, reader->input, reader->line, &row, name, partition);
	if (default_account.length)
		tree_builder_set_default_account(builder, builder->count - 1, default_account);
}

/* Reads the line of the cluster, which stands for the root account. */
static void read_cluster(struct sacctmgr_reader *reader)
{
	struct fathom_row row = { .id = 1, .is_root = true, .kind = FATHOM_ACCOUNT };
	struct piece none = { NULL, 0 };

	if (reader->builder.count)
		refuse(reader, "a second cluster, must be one");
	read_options(reader, &row, &none, &none);
	tree_builder_add(&reader->builder, reader->input, reader->line, &row,
			 piece_of(SACCTMGR_ROOT), none);
}

/* What the word with which an entry begins stands for. */
enum title { CLUSTER, PARENT, ACCOUNT, USER, QOS };

/* Returns what the first word of the entry stands for. Fails if it is no such word. */
static enum title find_title(struct sacctmgr_reader *reader, struct piece word)
{
	static const struct { const char *word; enum title title; } titles[] = {
		{ "Cluster", CLUSTER }, { "Parent", PARENT }, { "Account", ACCOUNT },
		{ "Project", ACCOUNT }, { "User", USER }, { "QOS", QOS },
	};

	for (size_t i = 0; i < sizeof(titles) / sizeof(*titles); i++)
		if (piece_is_any_case(word, titles[i].word))
			return titles[i].title;
	wrong_at(reader->input, reader->line, "'%.*s' must be " TITLES, PIECE(word));
}

/* Reads an entry. Only QOS, whose options are not read, may be before the cluster. */
static void read_entry(struct sacctmgr_reader *reader)
{
	struct piece word, name;
	enum title title;

	take_head(reader, &word, &name);
	title = find_title(reader, word);
	if (!reader->builder.count && title != CLUSTER && title != QOS)
		refuse(reader, "the first line must be that of the cluster, such as Cluster - tux");
	if (title != USER)
		name = in_small_letters(name);
	if (title == CLUSTER)
		read_cluster(reader);
	else if (title == QOS)
		ignore(reader, piece_of("lines of QOS"));
	else if (title != PARENT)
		read_association(reader, name, title == USER ? FATHOM_USER : FATHOM_ACCOUNT);
	else if ((reader->parent = name_index_get(reader->builder.accounts, name)) ==
		 NAME_INDEX_NONE)
		wrong_field(reader->input, reader->line, "Parent", name,
			    "must be an account of an earlier line");
}

static void sacctmgr_read(struct document *input, struct snapshot *snapshot)
{
	struct sacctmgr_reader reader = {
		.input = input, .at = input->text + document_mark(input),
		.end = input->text + input->length, .next_line = 1,
		.builder.accounts = need_index(),
	};

	while (next_entry(&reader))
		read_entry(&reader);
	if (!reader.builder.count)
		wrong_at(input, 1, "no line of a cluster, must have one such as Cluster - tux");
	tree_builder_finish(&reader.builder, input, PARTITIONS_KNOWN, snapshot);
	set_remark(&reader);
}

/* The first line that is not a comment is "WORD - NAME...". */
static bool sacctmgr_recognize(const struct document *input)
{
	struct lines lines = lines_of(input);
	struct piece line, word[2];

	do {
		line = lines_next(&lines);
	} while (line.at && *line.at == '#');
	return line.at && split_words(line, word, 2) > 2 && piece_is(word[1], "-");
}

const struct format format_sacctmgr = {
	.name = "sacctmgr",
	.summary = "the file of Slurm's sacctmgr dump",
	.holds = HOLDS_TREE,
	.recognize = sacctmgr_recognize,
	.read = sacctmgr_read,
	.write = sacctmgr_write,
	.keeps = KEEPS_PARENT_SHARES | KEEPS_PARTITIONS | KEEPS_EMPTY_ACCOUNTS | KEEPS_DEFAULTS |
		 KEEPS_OTHER_DEFAULTS | KEEPS_UNKNOWN_SHARES,
};
