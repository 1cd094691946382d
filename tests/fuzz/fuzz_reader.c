/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A target of libFuzzer: reads its input as the format that FATHOM_FORMAT names, and writes
 * what it has read in each format. Settings that are accepted must be so as the text of a
 * fathom.conf, too. "compressed" stands for the content of a compressed file.
 * tests/fuzz/run builds and runs it.
 */
#include "conf/conf_parse.h"
#include "core/snapshot.h"
#include "document/decompress.h"
#include "format/accounting/accounting.h"
#include "format/format.h"
#include "format/recorded.h"
#include "format/site/site_conf.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define COMPRESSED "compressed"
#define MOST_DECOMPRESSED ((size_t)1 << 22)

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct format *format;	/* NULL: COMPRESSED */

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *name = getenv("FATHOM_FORMAT");

	(void)argc, (void)argv;
	format = name ? format_find(name) : NULL;
	if (format || (name && !strcmp(name, COMPRESSED)))
		return 0;
	fprintf(stderr, "FATHOM_FORMAT must be a format, or " COMPRESSED "\n");
	exit(2);
}

static void fuzz_decompress(const uint8_t *data, size_t size)
{
	static char content[1 << 16];
	struct decompressor *decompressor;
	struct fathom_error error;
	size_t sum = 0;
	ssize_t got;
	int empty = open("/dev/null", O_RDONLY);

	if (size <= sizeof(content) &&
	    !decompressor_create(&decompressor, (const char *)data, size, &error) && decompressor) {
		do {
			got = decompress(decompressor, empty, content, sizeof(content), &error);
			sum += got > 0 ? (size_t)got : 0;
		} while (got > 0 && sum < MOST_DECOMPRESSED);
		decompressor_destroy(decompressor);
	}
	close(empty);
}

/* Reads the parts of a cluster's snapshot other than its tree. */
static void read_whole(struct document *input, struct jobs *jobs)
{
	struct recorded_pass pass;
	struct fathom_error error;
	char *text;

	if (!format->read_recorded(input, &pass, &error))
		recorded_pass_clear(&pass);
	if (format->read_jobs(input, jobs, &error))
		memset(jobs, 0, sizeof(*jobs));
	if (!format->read_conf(input, &text, &error))
		free(text);
}

static int read_input(struct document *input, struct snapshot *snapshot, struct jobs *jobs)
{
	static const struct accounting_rules rules = { .half_life = { 604800, 0 },
						       .half_life_count = 1,
						       .states = EVERY_STATE };
	struct fathom_error error;

	if (format->read_accounting)
		accounting_read(format, input, &rules, format->read ? NULL : snapshot, jobs);
	if (format->read_accounting && !format->read)
		return 0;
	if (format->read_conf)
		read_whole(input, jobs);
	if (format->read)
		return format->read(input, snapshot, &error);
	return format->read_jobs(input, jobs, &error);
}

/* What is read of one file. */
struct round {
	struct document input;
	struct snapshot snapshot;
	struct jobs jobs;
	struct site_settings settings;
	const struct format *to;	/* the format that is being written */
};

static void write_one(void *context)
{
	struct round *round = context;
	const struct format *to = round->to;
	struct fathom_error error;
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	if (to->write && round->snapshot.tree)
		to->write(out, &round->snapshot, &error);
	if (to->write_jobs && (format->holds & HOLDS_JOBS))
		to->write_jobs(out, &round->jobs, &error);
	fclose(out);
	free(text);
}

static void fuzz_content(void *context)
{
	struct round *round = context;
	struct failure failure;

	if (read_input(&round->input, &round->snapshot, &round->jobs))
		return;
	for (size_t i = 0; i < format_count(); i++) {
		round->to = format_at(i);
		document_try(write_one, round, &failure);
	}
}

static void check_text(const struct site_settings *settings)
{
	struct fathom_conf conf = conf_standard();
	struct fathom_error error;
	char *text = NULL;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	site_conf_write(out, settings, SITE_FATHOM_CONF);
	fclose(out);
	if (conf_parse_text(&conf, "fathom.conf", text, &error)) {
		fprintf(stderr, "%s\n%s", error.text, text);
		abort();
	}
	conf_clear(&conf);
	free(text);
}

/* A reader that opens the file itself finds it in the current folder. */
static void write_file(struct document *input, char *name, size_t size)
{
	FILE *file;

	snprintf(name, size, "input-%ld", (long)getpid());
	file = fopen(name, "w");
	if (!file || fwrite(input->text, 1, input->length, file) != input->length || fclose(file))
		abort();
	input->name = name;
}

static void fuzz_settings(void *context)
{
	struct round *round = context;
	struct site_conf conf;
	struct fathom_error error;

	if (format->read_settings(&round->input, &round->settings, &error))
		return;
	conf = site_conf_of(&round->settings);
	check_text(&round->settings);
	site_conf_clear(&conf);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct round round = {
		.input = document_of("input", (struct piece){ (const char *)data, size }),
	};
	struct failure failure;
	char name[32] = "";

	if (!format) {
		fuzz_decompress(data, size);
		need_give_back();
		return 0;
	}
	format_recognize(&round.input);
	if (format->by_name || format->read_settings)
		write_file(&round.input, name, sizeof(name));
	if (format->read_settings)
		document_try(fuzz_settings, &round, &failure);
	if (format->holds != HOLDS_SETTINGS)
		document_try(fuzz_content, &round, &failure);
	snapshot_clear(&round.snapshot);
	document_clear(&round.input);
	need_give_back();
	if (*name)
		unlink(name);
	return 0;
}
