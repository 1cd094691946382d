/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options of a command, from one table that is also its help. A row says how an
 * option is stored in the command's struct of options:
 *
 *	{ 'n', "noheader", NULL, "print no header line", option_flag,
 *	  offsetof(struct shares_options, no_header), 0 },
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct option_row;

/* Stores the value of an option in the member; value: NULL for an option without argument. A wrong
 * value is refused. */
typedef void option_setter(const struct option_row *row, void *member, const char *value);

struct option_row {
	char letter;		/* 0: no short option */
	const char *name;
	const char *argument;	/* its name in the help; NULL: the option has no argument; "ID...":
				 * the words behind it, up to the next option, are arguments, too */
	const char *help;	/* NULL: an alias that the help does not show */
	option_setter *set;
	size_t offset;		/* of the member in the command's struct of options */
	int choice;		/* for the setter, such as the value that option_choice() stores */
};

struct option_table {
	const struct option_row *rows;
	size_t count;
	const char *usage;		/* the help before the options */
	void (*help_more)(void);	/* prints the help after them; or NULL */
	/* Operands, arguments that are not options: how many are allowed, and the offset of the
	 * array of const char * in the command's struct of options that gets them. The array must
	 * have a NULL behind them if the command looks for their end. */
	size_t most_operands, operand_offset;
	bool any_operands;	/* any number is allowed; the member is a const char *const *, whose
				 * list has a NULL behind them */
	const char *operand;		/* its name in the help, such as WHO */
};

#define OPTION_ROWS(array) .rows = array, .count = sizeof(array) / sizeof(*(array))
#define OPERANDS(most, name, options, member) \
	.most_operands = most, .operand = name, .operand_offset = offsetof(options, member)
#define ANY_OPERANDS(name, options, member) \
	.any_operands = true, .operand = name, .operand_offset = offsetof(options, member)

/* Stores each option in `options`, the command's struct, and sorts operands behind options in argv.
 * Wrong options, and more operands than the table allows, are refused. --help and --version end the
 * command. */
void options_parse(int argc, char **argv, const struct option_table *table, void *options);

/* Store values in members of these types: */
option_setter option_flag;	/* bool, set to true */
option_setter option_choice;	/* int, set to the row's choice */
option_setter option_text;	/* const char * */
option_setter option_version;	/* no member; prints the version and ends the command */
option_setter option_help;	/* no member; options_parse() prints the help in its place */
option_setter option_out;	/* no member; see output.h */
option_setter option_color;	/* no member; see output.h */

/* Rows that each command has. */
#define COMMON_OPTIONS                                                                       \
	{ 0, "out", "FILE", "write to FILE, whole or not at all, instead of standard output",  \
	  option_out, 0, 0 },                                                                  \
	OPTIONS_BUT_OUT
#define OPTIONS_BUT_OUT                                                                      \
	{ 0, "color", "WHEN", "use colour: auto (on a terminal), always or never; default: "   \
	  "auto", option_color, 0, 0 },                                                        \
	{ 'V', "version", NULL, "print the version and what was built in", option_version, 0, 0 }, \
	{ 'h', "help", NULL, "print this help", option_help, 0, 0 },                             \
	{ 0, "usage", NULL, NULL, option_help, 0, 0 }

/* ---- options that several commands have -------------------------------------------------- */

/*
 * The letter, the name, the argument, and the help if it is the same for all, with which a row
 * begins. An option means the same in every command.
 *
 *	{ OPTION_USER, "show only jobs of these users", option_users, AT(users) },
 */

/* what is read and evaluated */
#define OPTION_FROM 0, "from", "FILE"
#define OPTION_FORMAT 0, "format", "NAME"
#define OPTION_POLICY 0, "policy", "NAMES"
#define OPTION_SET 0, "set", "KEY=VALUE"
#define OPTION_SCOPE 0, "scope", "NAME"
#define OPTION_SHADOW 0, "shadow", NULL, "compare the policy in force with the shadow policy"

/* which rows */
#define OPTION_ALL 'a', "all", NULL
#define OPTION_ACCOUNT 'A', "account", "LIST"
#define OPTION_USER 'u', "user", "LIST"
#define OPTION_JOB 'j', "job", "LIST"
#define OPTION_PARTITION 'p', "partition", "LIST"
#define OPTION_CLUSTER 'M', "cluster", "LIST"
#define OPTION_STATE 0, "state", "LIST"

/* how they are shown */
#define OPTION_LONG 'l', "long", NULL
#define OPTION_OUTPUT 'o', "output", "COLUMNS"
#define OPTION_SORT 'S', "sort", "COLUMNS"
#define OPTION_HELPFORMAT 'e', "helpformat", NULL
#define OPTION_NO_HEADER 'n', "noheader", NULL, "print no header line"
#define OPTION_PARSABLE 'P', "parsable", NULL
#define OPTION_JSON 0, "json", NULL
#define OPTION_VIEW 0, "view", "TOOL", \
	"print what this tool prints, with its options, which follow \"--\"; see below"
#define OPTION_VERBOSE 'v', "verbose", NULL

/* Names that options had in earlier releases. No help shows them. */
#define ALIAS_ACCOUNTS 0, "accounts", "LIST", NULL
#define ALIAS_USERS 0, "users", "LIST", NULL
#define ALIAS_JOBS 0, "jobs", "LIST", NULL
#define ALIAS_CLUSTERS 0, "clusters", "LIST", NULL
#define ALIAS_NO_HEADING 0, "noheading", NULL, NULL
#define ALIAS_PARSABLE 0, "parsable2", NULL, NULL
