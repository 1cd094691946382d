/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A target of libFuzzer: its input is a command line, one word on each line. The first word names
 * the command, or the tool of a view, whose options the others are. They are read and stored; the
 * command does not run, as it could write any file.
 * tests/fuzz/run builds and runs it.
 */
#include "cli/command.h"
#include "cli/options.h"
#include "cli/output.h"
#include "cli/view.h"
#include "document/document.h"
#include "memory/need_memory.h"

#include <stdint.h>
#include <string.h>

#define MOST_WORDS_READ 64
#define MOST_OPTION_BYTES (1 << 16)	/* more than any command's struct of options has */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

struct words {
	char *word[MOST_WORDS_READ + 1];	/* NULL at the end */
	int count;
	const struct option_table *table;
};

static const struct option_table *find_table(const char *name)
{
	for (size_t i = 0; commands[i]; i++) {
		const struct view *const *view = commands[i]->views;

		if (!strcmp(commands[i]->name, name))
			return commands[i]->options;
		for (; view && *view; view++)
			if (!strcmp((*view)->tool, name))
				return (*view)->options;
	}
	return NULL;
}

static void parse(void *context)
{
	static _Alignas(max_align_t) char options[MOST_OPTION_BYTES];
	struct words *words = context;

	memset(options, 0, sizeof(options));
	options_parse(words->count, words->word, words->table, options);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *rest = need_copy((struct piece){ (const char *)data, size });
	struct words words = { .count = 0 };
	struct failure failure;

	while (rest && words.count < MOST_WORDS_READ)
		words.word[words.count++] = strsep(&rest, "\n");
	words.table = find_table(words.word[0]);
	if (words.table)
		document_try(parse, &words, &failure);
	output_take_path();	/* the next input may have --out, too */
	need_give_back();
	return 0;
}
