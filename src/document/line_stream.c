/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Takes lines from the part of a file that is in memory, and loads the next part. */
#include "document/line_stream.h"

#include <string.h>

#define LONGEST ((size_t)1 << 24)	/* bytes of a line */

struct line_stream line_stream_of(struct document *input)
{
	return (struct line_stream){ .input = input, .at = document_mark(input) };
}

/* Loads more text behind a line of which the end is not in memory yet. */
static void load_more(struct line_stream *stream)
{
	if (stream->input->length - stream->at >= LONGEST)
		wrong_at(stream->input, stream->number + 1, "a line of more than %zu bytes",
			 LONGEST);
	document_load_more(stream->input, stream->at);
	stream->at = 0;
}

/* Returns the offset of the '\n' of the line that begins at stream->at, or that of the end of the
 * file. Loads as much as that takes, which changes stream->at. */
static size_t find_end(struct line_stream *stream)
{
	size_t searched = 0;	/* bytes of the line that have no '\n' */

	for (;;) {
		const struct document *input = stream->input;
		const char *from = input->text + stream->at;
		size_t left = input->length - stream->at;
		const char *found = memchr(from + searched, '\n', left - searched);

		if (found || !input->is_open)
			return found ? (size_t)(found - input->text) : input->length;
		searched = left;
		load_more(stream);
	}
}

bool line_stream_next(struct line_stream *stream, struct piece *line)
{
	for (;;) {
		size_t end = find_end(stream);

		if (stream->at == stream->input->length)
			return false;
		*line = (struct piece){ stream->input->text + stream->at, end - stream->at };
		stream->at = end < stream->input->length ? end + 1 : end;
		stream->number++;
		if (line->length && line->at[line->length - 1] == '\r')
			line->length--;
		if (line->length)
			return true;
	}
}
