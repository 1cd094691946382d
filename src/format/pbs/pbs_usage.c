/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads OpenPBS's file of fair-share usage, sched_priv/usage, in both its layouts:
 *
 *	2	"PBS_MAG!" in 16 bytes, 2 as a double, the time of the last decay as a 64-bit
 *		integer; then for each entity its name in 56 bytes and its usage as a double
 *	1	for each entity its name in 16 bytes and its usage as a double
 *
 * Numbers have the form of the host that wrote the file; here little-endian ones of 64 bits are
 * read. Names end in NUL; what is behind it has no meaning. The file has no tree: all entities are
 * put below the group "unknown" with 1 share, where OpenPBS has those that resource_group does not
 * list.
 *
 * Source: OpenPBS, src/scheduler/fairshare.c and data_types.h, for the layout.
 */
#include "format/format.h"
#include "format/tree_builder.h"

#include <math.h>
#include <string.h>

#define MAGIC "PBS_MAG!"
#define VERSION 2
#define HEADER_SIZE 32		/* of layout 2, in which VERSION_AT and TIME_AT are offsets */
#define VERSION_AT 16
#define TIME_AT 24
#define OLDEST_TIME 946713600	/* layout 2 is not older: 2000-01-01 */
#define ROOT_NAME "TREEROOT"
#define UNKNOWN_NAME "unknown"

/* A layout, in bytes. */
struct layout {
	size_t record_size;	/* a record ends with the usage */
	size_t name_size;	/* of the longest name with its NUL */
	size_t first;		/* offset of the first record */
};

static const struct layout layout_1 = { 24, 9, 0 }, layout_2 = { 64, 50, HEADER_SIZE };

/* Returns the double at a place that need not be aligned. */
static double double_at(const char *at)
{
	double value;

	memcpy(&value, at, sizeof(value));
	return value;
}

/* Returns whether a file begins as layout 2 does. */
static bool has_magic(const struct document *input)
{
	return input->length >= sizeof(MAGIC) && !memcmp(input->text, MAGIC, sizeof(MAGIC));
}

/* Checks the header of layout 2, and returns the time of the last decay; 0: there was none. */
static int64_t read_header(struct document *input)
{
	int64_t time;

	if (input->length < HEADER_SIZE)
		wrong_at(input, 0, "the header has %zu bytes, must have %d", input->length,
			 HEADER_SIZE);
	if (double_at(input->text + VERSION_AT) != VERSION)
		wrong_at(input, 0, "is of version %g, must be 2; or the file is of a host of "
			 "another kind", double_at(input->text + VERSION_AT));
	memcpy(&time, input->text + TIME_AT, sizeof(time));
	if (time && time <= OLDEST_TIME)
		wrong_at(input, 0, "the time of the last decay is %lld, must be 0 or after 1999",
			 (long long)time);
	return time;
}

/* Adds a row, which has no partition. */
static void add(struct tree_builder *builder, struct document *input, size_t line,
		const struct fathom_row *row, struct piece name)
{
	tree_builder_add(builder, input, line, row, name, (struct piece){ NULL, 0 });
}

/* Adds the entity of the record at an offset. The number of the record, from 1, stands in for a
 * line. Ids: 0 is the root, 1 the group "unknown". */
static void add_entity(struct tree_builder *builder, struct document *input,
		       const struct layout *layout, size_t offset)
{
	const char *record = input->text + offset;
	size_t number = (offset - layout->first) / layout->record_size + 1;
	const struct piece name = { record, strnlen(record, layout->name_size) };
	const struct fathom_row row = {
		.id = (int64_t)number + 1, .parent_id = 1, .kind = FATHOM_USER, .raw_shares = 1,
		.usage = double_at(record + layout->record_size - sizeof(double)),
	};

	if (name.length == layout->name_size)
		wrong_at(input, number, "record %zu: the name has no end", number);
	if (!(row.usage >= 0) || isinf(row.usage))
		wrong_at(input, number, "record %zu: the usage of '%.*s' is %g, " AMOUNT_RIGHT,
			 number, PIECE(name), row.usage);
	add(builder, input, number, &row, name);
}

static void pbs_usage_read(struct document *input, struct snapshot *snapshot)
{
	static const struct fathom_row root = { .id = 0, .is_root = true, .kind = FATHOM_ACCOUNT };
	static const struct fathom_row unknown = { .id = 1, .kind = FATHOM_ACCOUNT };
	const struct layout *layout = has_magic(input) ? &layout_2 : &layout_1;
	struct tree_builder builder = { 0 };
	int64_t time = has_magic(input) ? read_header(input) : 0;

	add(&builder, input, 0, &root, piece_of(ROOT_NAME));
	add(&builder, input, 0, &unknown, piece_of(UNKNOWN_NAME));
	if ((input->length - layout->first) % layout->record_size)
		wrong_at(input, 0, "has %zu bytes, must have %zu and a multiple of %zu; it is cut",
			 input->length, layout->first, layout->record_size);
	for (size_t at = layout->first; at < input->length; at += layout->record_size)
		add_entity(&builder, input, layout, at);
	tree_builder_finish(&builder, input, PARTITIONS_KNOWN, snapshot);
	snapshot->has_time = time;
	snapshot->time = time;
}

/* Returns whether all bytes are such as a text has. */
static bool is_text(const char *bytes, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if ((unsigned char)bytes[i] < ' ' && !memchr("\t\n\r", bytes[i], 3))
			return false;
	return true;
}

/* Returns whether a file has the magic of layout 2, or begins with a record that layout 1 could
 * have. A text with a NUL may look like one, but then its length is hardly that of records. */
static bool pbs_usage_recognize(const struct document *input)
{
	const char *end, *usage;

	if (has_magic(input))
		return true;
	if (input->length < layout_1.record_size)
		return false;
	end = memchr(input->text, '\0', layout_1.name_size);
	usage = input->text + layout_1.record_size - sizeof(double);
	if (input->length % layout_1.record_size && is_text(usage, sizeof(double)))
		return false;
	return end && end > input->text && double_at(usage) >= 0 && !isinf(double_at(usage)) &&
	       piece_is_printable((struct piece){ input->text, (size_t)(end - input->text) });
}

const struct format format_pbs_usage = {
	.name = "pbs-usage",
	.summary = "OpenPBS's file usage, which completes resource_group",
	.holds = HOLDS_USAGE,
	.by_user = true,
	.recognize = pbs_usage_recognize,
	.read = pbs_usage_read,
};
