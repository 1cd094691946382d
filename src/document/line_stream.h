/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads an input line by line, with only a part of the file in memory. */
#pragma once

#include "core/piece.h"
#include "document/document.h"

struct line_stream {
	struct document *input;
	size_t at;		/* offset in input->text of what is not read yet */
	size_t number;		/* of the line that was read last, from 1 */
};

/* Starts at the beginning of an input that document_open() has opened. */
struct line_stream line_stream_of(struct document *input);
/* Takes the next line that is not empty, without its line end; it is valid until the next call.
 * Returns false after the last line. A line of more than 16 MiB is wrong. */
bool line_stream_next(struct line_stream *stream, struct piece *line);
