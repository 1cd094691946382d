/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Options that several commands have: the letter, the name, the argument, and the help if it is the
 * same for all, with which a row of an option table begins. An option means the same in every
 * command.
 *
 *	{ OPTION_USER, "show only jobs of these users", option_users, AT(users) },
 */
#pragma once

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

/* Their names of earlier releases, which no help shows. */
#define ALIAS_ACCOUNTS 0, "accounts", "LIST", NULL
#define ALIAS_USERS 0, "users", "LIST", NULL
#define ALIAS_JOBS 0, "jobs", "LIST", NULL
#define ALIAS_CLUSTERS 0, "clusters", "LIST", NULL
#define ALIAS_NO_HEADING 0, "noheading", NULL, NULL
#define ALIAS_PARSABLE 0, "parsable2", NULL, NULL
