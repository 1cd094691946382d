/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Reads an input line by line, with only a part of the file in memory. To read one that is loaded
 * as a whole, see struct lines in text.h. */
#pragma once

#include "core/piece.h"
#include "document/document.h"

struct line_stream {
	struct document *input;
	size_t at;		/* offset in input->text of the next line */
	size_t number;		/* of the line that was read last, from 1; 0: none was read */
};

/* Starts at the beginning of an input that document_open() has opened. */
struct line_stream line_stream_of(struct document *input);
/* Takes the next line that is not empty, without its line end; it is valid until the next call.
 * Returns false after the last line. Fails, see wrong_at(), for a line of more than 16 MiB. */
bool line_stream_next(struct line_stream *stream, struct piece *line);
