/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decompresses files by the library of a table whose magic bytes a file begins with. Compressed
 * bytes are read into a buffer when the library has used all earlier ones:
 *
 *	file --refill()--> buffer --step()--> the caller's buffer
 */
#include "config.h"

#include "document/decompress.h"

#include "core/error.h"
#include "memory/need_memory.h"

#include <errno.h>
#ifdef HAVE_LZMA
#include <lzma.h>
#endif
#include <string.h>
#include <unistd.h>
#ifdef HAVE_ZLIB
#include <zlib.h>
#endif
#ifdef HAVE_ZSTD
#include <zstd.h>
#endif

#define BUFFER_SIZE ((size_t)1 << 16)
#define XZ_MEMORY (UINT64_C(1) << 28)	/* bytes; xz -9 needs 65 MiB */

/* The input and the output of a step. */
struct flow {
	const uint8_t *in;	/* compressed bytes that are not used yet */
	size_t in_left;
	uint8_t *out;		/* where the next decompressed byte goes */
	size_t out_left;
	bool at_end;		/* the file has no bytes behind `in` */
};

enum step {
	STEP_MORE,	/* go on, with more input or more room */
	STEP_BETWEEN,	/* a part has ended; the file may have several, one after another */
	STEP_END,	/* all is decompressed */
	STEP_WRONG	/* the file is damaged or cut */
};

struct library {
	const char *name;	/* of the compression */
	const char *package;	/* that is needed at build time */
	const char *magic;	/* the first bytes of a compressed file */
	size_t magic_length;
	size_t size;		/* of its state, in bytes; 0: it is not built in */
	/* Begins with a state of zeros. -1: out of memory. */
	int (*start)(void *state);
	/* Decompresses from flow->in to flow->out as much as it can, and moves both. */
	enum step (*step)(void *state, struct flow *flow);
	/* Frees what the state points to, but not the state. */
	void (*stop)(void *state);
};

/* ---- xz ------------------------------------------------------------------------------- */

#ifdef HAVE_LZMA
static int xz_start(void *state)
{
	lzma_stream *stream = state;

	*stream = (lzma_stream)LZMA_STREAM_INIT;
	return lzma_stream_decoder(stream, XZ_MEMORY, LZMA_CONCATENATED) == LZMA_OK ? 0 : -1;
}

static enum step xz_step(void *state, struct flow *flow)
{
	lzma_stream *stream = state;
	lzma_ret result;

	stream->next_in = flow->in;
	stream->avail_in = flow->in_left;
	stream->next_out = flow->out;
	stream->avail_out = flow->out_left;
	result = lzma_code(stream, flow->at_end ? LZMA_FINISH : LZMA_RUN);
	*flow = (struct flow){ stream->next_in, stream->avail_in, stream->next_out,
			       stream->avail_out, flow->at_end };
	if (result == LZMA_STREAM_END)
		return STEP_END;
	return result == LZMA_OK ? STEP_MORE : STEP_WRONG;
}

static void xz_stop(void *state)
{
	lzma_end(state);
}
#endif

/* ---- gzip ----------------------------------------------------------------------------- */

#ifdef HAVE_ZLIB
#define GZIP_WINDOW (15 + 16)	/* the largest window, and gzip's own header */

static int gzip_start(void *state)
{
	return inflateInit2((z_stream *)state, GZIP_WINDOW) == Z_OK ? 0 : -1;
}

static enum step gzip_step(void *state, struct flow *flow)
{
	z_stream *stream = state;
	int result;

	stream->next_in = (Bytef *)flow->in;
	stream->avail_in = (uInt)flow->in_left;
	stream->next_out = flow->out;
	stream->avail_out = (uInt)flow->out_left;
	result = inflate(stream, Z_NO_FLUSH);
	*flow = (struct flow){ stream->next_in, stream->avail_in, stream->next_out,
			       stream->avail_out, flow->at_end };
	if (result == Z_STREAM_END)
		return inflateReset(stream) == Z_OK ? STEP_BETWEEN : STEP_WRONG;
	if (result == Z_BUF_ERROR)	/* it needs more input */
		return flow->at_end ? STEP_WRONG : STEP_MORE;
	return result == Z_OK ? STEP_MORE : STEP_WRONG;
}

static void gzip_stop(void *state)
{
	inflateEnd(state);
}
#endif

/* ---- zstd ----------------------------------------------------------------------------- */

#ifdef HAVE_ZSTD
/* The state is a pointer to the library's. */

static int zstd_start(void *state)
{
	ZSTD_DCtx **context = state;

	*context = ZSTD_createDCtx();
	return *context ? 0 : -1;
}

static enum step zstd_step(void *state, struct flow *flow)
{
	ZSTD_DCtx **context = state;
	ZSTD_inBuffer in = { flow->in, flow->in_left, 0 };
	ZSTD_outBuffer out = { flow->out, flow->out_left, 0 };
	size_t result = ZSTD_decompressStream(*context, &out, &in);

	/* a frame that is not at its end, though nothing is left to read or to write, is cut */
	if (ZSTD_isError(result) || (flow->at_end && result && !out.pos))
		return STEP_WRONG;
	*flow = (struct flow){ flow->in + in.pos, flow->in_left - in.pos, flow->out + out.pos,
			       flow->out_left - out.pos, flow->at_end };
	return result ? STEP_MORE : STEP_BETWEEN;
}

static void zstd_stop(void *state)
{
	ZSTD_freeDCtx(*(ZSTD_DCtx **)state);
}
#endif

/* ---- the table ------------------------------------------------------------------------- */

static const struct library libraries[] = {
	{ .name = "xz", .package = "liblzma", .magic = "\xfd" "7zXZ", .magic_length = 6,
#ifdef HAVE_LZMA
	  .size = sizeof(lzma_stream), .start = xz_start, .step = xz_step, .stop = xz_stop,
#endif
	},
	{ .name = "gzip", .package = "zlib", .magic = "\x1f\x8b", .magic_length = 2,
#ifdef HAVE_ZLIB
	  .size = sizeof(z_stream), .start = gzip_start, .step = gzip_step, .stop = gzip_stop,
#endif
	},
	{ .name = "zstd", .package = "libzstd", .magic = "\x28\xb5\x2f\xfd", .magic_length = 4,
#ifdef HAVE_ZSTD
	  .size = sizeof(ZSTD_DCtx *), .start = zstd_start, .step = zstd_step, .stop = zstd_stop,
#endif
	},
};

struct decompressor {
	const struct library *library;
	void *state;			/* the library's, of library->size bytes */
	enum step last;			/* what the last step has returned */
	struct flow flow;
	uint8_t buffer[BUFFER_SIZE];	/* compressed bytes, into which flow.in points */
};

/* Returns the library for a file that begins with these bytes; NULL: it is not compressed. */
static const struct library *find_library(const char *first, size_t length)
{
	for (size_t i = 0; i < sizeof(libraries) / sizeof(*libraries); i++)
		if (length >= libraries[i].magic_length &&
		    !memcmp(first, libraries[i].magic, libraries[i].magic_length))
			return &libraries[i];
	return NULL;
}

int decompressor_create(struct decompressor **decompressor, const char *first, size_t length,
			struct fathom_error *error)
{
	const struct library *library = find_library(first, length);
	struct decompressor *created;

	*decompressor = NULL;
	if (!library)
		return 0;
	if (!library->size)
		return fathom_error_set(error, EINVAL, "is compressed by %s, and this fathom is "
					"built without %s", library->name, library->package);
	created = need_zeros(1, sizeof(*created));
	created->state = need_zeros(1, library->size);
	need_done(library->start(created->state));
	created->library = library;
	memcpy(created->buffer, first, length);
	created->flow.in = created->buffer;
	created->flow.in_left = length;
	*decompressor = created;
	return 0;
}

void decompressor_destroy(struct decompressor *decompressor)
{
	if (!decompressor)
		return;
	decompressor->library->stop(decompressor->state);
	need_free(decompressor->state);
	need_free(decompressor);
}

/* Reads compressed bytes if all earlier ones have been used. Sets flow.at_end at the end of the
 * file. -1: errno of read(). */
static int refill(struct decompressor *decompressor, int file)
{
	struct flow *flow = &decompressor->flow;
	ssize_t got;

	if (flow->in_left || flow->at_end)
		return 0;
	do {
		got = read(file, decompressor->buffer, sizeof(decompressor->buffer));
	} while (got < 0 && errno == EINTR);
	if (got < 0)
		return -1;
	flow->in = decompressor->buffer;
	flow->in_left = (size_t)got;
	flow->at_end = !got;
	return 0;
}

ssize_t decompress(struct decompressor *decompressor, int file, char *buffer, size_t size,
		   struct fathom_error *error)
{
	struct flow *flow = &decompressor->flow;
	enum step *last = &decompressor->last;

	flow->out = (uint8_t *)buffer;
	flow->out_left = size;
	/* until there is a byte of output: some input makes none */
	while (*last != STEP_END && flow->out_left == size) {
		if (refill(decompressor, file))
			return fathom_error_set(error, errno, "%s", strerror(errno));
		/* the file may end behind a part, but not within one */
		*last = *last == STEP_BETWEEN && !flow->in_left
				? STEP_END : decompressor->library->step(decompressor->state, flow);
		if (*last == STEP_WRONG)
			return fathom_error_set(error, EINVAL, "is damaged, or cut: %s cannot "
						"decompress it", decompressor->library->name);
	}
	return (ssize_t)(size - flow->out_left);
}
