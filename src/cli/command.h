/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The commands: each has a source file, a struct command, and a line in commands.h. This header has
 * what all of them need. */
#pragma once

#include "cli/complain.h"
#include "cli/options.h"
#include "memory/need_memory.h"

struct view;

struct command {
	const char *name;
	const char *summary;	/* NULL: the help does not name the command */
	const struct option_table *options;
	const struct view *const *views;	/* of --view, NULL at the end; or NULL: no --view */
	/* argv[0] is the command's name; returns the exit status. */
	int (*run)(int argc, char **argv);
};

#define COMMAND(name) extern const struct command command_##name;
#include "cli/commands.h"
#undef COMMAND

extern const struct command *const commands[];	/* all, NULL at the end */
