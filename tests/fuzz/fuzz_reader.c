/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A target of libFuzzer: reads its input as the format that FATHOM_FORMAT names, and writes
 * what it has read in each format. Settings that are accepted must be so as the text of a
 * fathom.conf, too. "compressed" stands for the content of a compressed file, "fathom.conf" for
 * that of the plugin, "metrics" for a MetricsFile.
 * tests/fuzz/run builds and runs it.
 */
#include "conf/conf_parse.h"
#include "core/snapshot.h"
#include "document/decompress.h"
#include "format/accounting/accounting.h"
#include "format/format.h"
#include "format/metrics.h"
#include "format/recorded.h"
#include "format/site/site_conf.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define MOST_DECOMPRESSED ((size_t)1 << 22)

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const struct format *format;	/* NULL: another input */

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

static void fuzz_conf(const uint8_t *data, size_t size)
{
	struct fathom_conf conf = conf_standard();
	struct fathom_error error;
	char *text = strndup((const char *)data, size);

	if (text)
		conf_parse_text(&conf, "fathom.conf", text, &error);
	conf_clear(&conf);
	free(text);
}

static void read_metrics(void *context)
{
	struct metrics metrics = metrics_read(context);

	for (size_t i = 0; i < metrics.count; i++)
		if (!metrics_find(&metrics, metrics.sample[i].name) ||
		    (metrics.sample[i].label_count &&
		     !metric_label_value(&metrics.sample[i], metrics.sample[i].label->name)))
			abort();
}

static void fuzz_metrics(const uint8_t *data, size_t size)
{
	struct document input = document_of("input", (struct piece){ (const char *)data, size });
	struct failure failure;

	document_try(read_metrics, &input, &failure);
	document_clear(&input);
}

/* Inputs that no format reads. */
static const struct other_input {
	const char *name;
	void (*fuzz)(const uint8_t *data, size_t size);
} others[] = { { "compressed", fuzz_decompress }, { "fathom.conf", fuzz_conf },
	     { "metrics", fuzz_metrics } };

static const struct other_input *other;

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *name = getenv("FATHOM_FORMAT");

	(void)argc, (void)argv;
	format = name ? format_find(name) : NULL;
	for (size_t i = 0; name && i < sizeof(others) / sizeof(*others); i++)
		if (!strcmp(name, others[i].name))
			other = &others[i];
	if (format || other)
		return 0;
	fprintf(stderr, "FATHOM_FORMAT must be a format, compressed, fathom.conf or metrics\n");
	exit(2);
}

/* What is read of one file. */
struct round {
	struct document input;
	struct snapshot snapshot;
	struct jobs jobs;
	struct site_settings settings;
	const struct format *to;	/* the format that is being written */
	FILE *out;
};

static void read_recorded(void *context)
{
	struct round *round = context;
	struct recorded_pass pass;

	if (format->read_recorded)
		format->read_recorded(&round->input, &pass);
}

static void read_conf(void *context)
{
	struct round *round = context;

	if (format->read_conf)
		format->read_conf(&round->input);
}

static void read_jobs(void *context)
{
	struct round *round = context;

	if (format->read_jobs)
		format->read_jobs(&round->input, &round->jobs);
}

static void read_content(void *context)
{
	static const struct accounting_rules rules = { .half_life = { 604800, 0 },
						       .half_life_count = 1,
						       .states = EVERY_STATE };
	struct round *round = context;

	if (format->read_accounting)
		accounting_read(format, &round->input, &rules,
				format->read ? NULL : &round->snapshot, &round->jobs);
	if (format->read)
		format->read(&round->input, &round->snapshot);
}

static void write_one(void *context)
{
	struct round *round = context;

	if (round->to->write && round->snapshot.tree)
		round->to->write(round->out, &round->snapshot);
	if (round->to->write_jobs && (format->holds & HOLDS_JOBS))
		round->to->write_jobs(round->out, &round->jobs);
}

static void fuzz_content(struct round *round)
{
	struct failure failure;
	char *text;
	size_t length;

	document_try(read_recorded, round, &failure);
	document_try(read_conf, round, &failure);
	if (document_try(read_jobs, round, &failure))
		round->jobs = (struct jobs){ 0 };
	if (document_try(read_content, round, &failure))
		return;
	for (size_t i = 0; i < format_count(); i++) {
		round->to = format_at(i);
		round->out = open_memstream(&text, &length);
		document_try(write_one, round, &failure);
		fclose(round->out);
		free(text);
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

	format->read_settings(&round->input, &round->settings);
	site_conf_of(&round->settings);
	check_text(&round->settings);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct round round = {
		.input = document_of("input", (struct piece){ (const char *)data, size }),
	};
	struct failure failure;
	char name[32] = "";

	if (other) {
		other->fuzz(data, size);
		need_give_back();
		return 0;
	}
	format_recognize(&round.input);
	if (format->by_name || format->read_settings)
		write_file(&round.input, name, sizeof(name));
	if (format->read_settings)
		document_try(fuzz_settings, &round, &failure);
	if (format->holds != HOLDS_SETTINGS)
		fuzz_content(&round);
	document_clear(&round.input);
	need_give_back();
	if (*name)
		unlink(name);
	return 0;
}
