/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A state file is a header and the fourteen arrays of the image, one after the other. Numbers
 * are as in memory: the file belongs to one machine. The header has the counts from which the
 * length of each array follows, and a checksum over everything.
 */
#include "state/state.h"

#include "base/log.h"
#include "state/atomic_file.h"
#include "state/whole_file.h"

#include <endian.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define STATE_NAME "fathom_usage"
#define PREVIOUS_NAME "fathom_usage.old"
#define STOCK_NAME "priority_last_decay_ran"
#define STATE_MAGIC "fathom usage 9\n"
#define MAGIC_BEFORE "fathom usage 8\n"	/* its header ends before `applied` */
#define TRES_COUNT_MAX 65536	/* far more than there are; lengths of arrays cannot overflow */
#define COLUMN_COUNT_MAX 64	/* the same */
#define TIME_MAX INT64_C(253402300799)	/* the end of 9999; the calendar knows no later year */
#define OUR_MARK UINT64_C(0x666174686f6d2031)	/* "fathom 1", in multifactor's file */
#define BYTE_ORDER_MARK 0x01020304u	/* another machine reads another number */

struct header {
	char magic[16];		/* STATE_MAGIC; the number grows when the layout changes */
	uint32_t byte_order;	/* BYTE_ORDER_MARK */
	uint32_t tres_count, association_count, qos_count, job_count;
	uint32_t names_length;	/* of names of partitions and sets of hosts */
	uint32_t section_count, column_count, row_count;	/* of the policies' sums */
	uint32_t part_count;	/* parts of runs on sets of hosts */
	int64_t time, last_reset;	/* of usage_image.h */
	uint64_t length;	/* of what follows the header */
	uint64_t checksum;	/* of the header with this 0, and of what follows */
	struct applied_usage applied;
};

/* The length of a header, by its magic. */
static size_t header_length(const char *magic)
{
	return memcmp(magic, MAGIC_BEFORE, sizeof(MAGIC_BEFORE)) ? sizeof(struct header)
								 : offsetof(struct header, applied);
}

/* ---- bytes --------------------------------------------------------------------- */

#define LANES 4		/* sums that the processor computes at the same time */

/* One step of the checksum, for eight bytes. */
static uint64_t mix(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return sum ^ sum >> 29;
}

/* Like FNV-1a, but of eight bytes at a time. Detects files that are torn or foreign, but not those
 * that somebody has forged. */
static uint64_t checksum(uint64_t sum, const void *data, size_t length)
{
	const unsigned char *at = data;
	uint64_t lane[LANES] = { sum, sum + 1, sum + 2, sum + 3 }, word[LANES];

	for (; length >= sizeof(word); at += sizeof(word), length -= sizeof(word)) {
		memcpy(word, at, sizeof(word));
		for (int i = 0; i < LANES; i++)
			lane[i] = mix(lane[i], word[i]);
	}
	for (int i = 0; i < LANES; i++)
		sum = mix(sum, lane[i]);
	for (; length; at++, length--)
		sum = mix(sum, *at);
	return sum;
}

/* A piece of a file. */
struct state_piece {
	const void *data;
	size_t length;		/* bytes */
	void **field;		/* of the image, where `data` belongs; NULL: no image's */
};

#define STATE_PIECES 14
#define PIECE(name, bytes) { image->name, (bytes), (void **)&image->name }

/* Lists the pieces behind the header, in the order of the file. */
static void list_pieces(struct usage_image *image, struct state_piece piece[STATE_PIECES])
{
	const struct image_sums *sums = &image->sums;
	size_t row = sizeof(struct usage_row), width = usage_image_width(image) * sizeof(double);
	size_t tres = image->tres_count, jobs = image->job_count;
	size_t associations = image->associations.count, qos = image->qos.count;
	const struct state_piece all[STATE_PIECES] = {
		PIECE(tres_id, tres * sizeof(*image->tres_id)),
		PIECE(associations.row, associations * row),
		PIECE(associations.amount, associations * width),
		PIECE(qos.row, qos * row),
		PIECE(qos.amount, qos * width),
		PIECE(job, jobs * sizeof(*image->job)),
		PIECE(job_tres, jobs * tres * sizeof(*image->job_tres)),
		PIECE(job_partition, jobs * sizeof(*image->job_partition)),
		PIECE(part, image->part_count * sizeof(*image->part)),
		PIECE(names, image->names_length),
		PIECE(sums.section, sums->section_count * sizeof(*sums->section)),
		PIECE(sums.column, sums->column_count * sizeof(*sums->column)),
		PIECE(sums.row, sums->row_count * sizeof(*sums->row)),
		PIECE(sums.value, (size_t)sums->row_count * sums->column_count *
				 sizeof(*sums->value)),
	};

	memcpy(piece, all, sizeof(all));
}

static uint64_t checksum_all(const struct header *header,
			     const struct state_piece piece[STATE_PIECES])
{
	struct header plain = *header;
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	plain.checksum = 0;
	sum = checksum(sum, &plain, header_length(plain.magic));
	for (int i = 0; i < STATE_PIECES; i++)
		sum = checksum(sum, piece[i].data, piece[i].length);
	return sum;
}

/* ---- files --------------------------------------------------------------------- */

bool state_has_folder(const char *folder)
{
	return *folder && strcmp(folder, "/dev/null");
}

static void path_of(const char *folder, const char *name, const char *suffix, char path[PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/%s%s", folder, name, suffix);
}

/* Logs that the file could not be written (errno), or that it could be again. */
static void log_save(const struct atomic_file *new, int status, bool *failed)
{
	if (status)
		error(LOG_PREFIX "%s: %m; usage is not saved", new->temporary);
	else if (*failed)
		info(LOG_PREFIX "%s is written again", new->path);
	*failed = status;
}

/* Writes the pieces as a file in place of the old one. previous: a name for the old one, or NULL.
 * failed: whether the file's last write failed. -1: not written, which is logged. */
static int replace_file(const char *folder, const char *name, const struct state_piece *piece,
			int count, const char *previous, bool *failed)
{
	struct atomic_file new;
	char path[PATH_MAX];
	int status;

	path_of(folder, name, "", path);
	status = atomic_file_begin(&new, path);
	if (!status) {
		for (int i = 0; !status && i < count; i++)
			status = atomic_file_write(&new, piece[i].data, piece[i].length);
		status = atomic_file_end(&new, status, previous);
	}
	log_save(&new, status, failed);
	return status;
}

/* A time before all others would decay all usage to nothing. */
static bool is_time(int64_t time)
{
	return time >= 0 && time <= TIME_MAX;
}

/* ---- the state of a file ------------------------------------------------ */

/* FILE_WRONG: it was read, and cannot be used. FILE_UNREADABLE: it may be good, try again later. */
enum file_found { FILE_GOOD, FILE_ABSENT, FILE_WRONG, FILE_UNREADABLE };

/* Logs errno as the reason. */
static enum file_found tell_unreadable(const char *path, bool was_logged)
{
	if (errno == ENOENT)
		return FILE_ABSENT;
	if (!was_logged)
		error(LOG_PREFIX "%s: %m; until it can be read nothing is charged or saved, usage "
				 "is slurmctld's own", path);
	return FILE_UNREADABLE;
}

/* ---- multifactor's file ------------------------------------------------------ */

struct stock {
	struct state_times times;
	bool is_ours;		/* fathom wrote the file, not multifactor */
};

/* Two times, 64 bits each, most significant byte first. multifactor reads no further, and writes no
 * more; behind them fathom writes a mark. */
enum { STOCK_TIME, STOCK_LAST_RESET, STOCK_WORDS, STOCK_MARK = STOCK_WORDS, OUR_WORDS };

static enum file_found parse_times(const char *path, const char *data, size_t length,
				   struct stock *stock)
{
	uint64_t packed[OUR_WORDS] = { 0 };
	size_t needed = STOCK_WORDS * sizeof(*packed);
	struct state_times *times = &stock->times;

	if (length < needed) {
		error(LOG_PREFIX "%s has %zu bytes, must have %zu; it is not used", path, length,
		      needed);
		return FILE_WRONG;
	}
	memcpy(packed, data, MIN(length, sizeof(packed)));
	stock->is_ours = be64toh(packed[STOCK_MARK]) == OUR_MARK;
	times->time = (int64_t)be64toh(packed[STOCK_TIME]);
	times->last_reset = (int64_t)be64toh(packed[STOCK_LAST_RESET]);
	if (!is_time(times->time) || !is_time(times->last_reset)) {
		error(LOG_PREFIX "%s holds no times; it is not used", path);
		return FILE_WRONG;
	}
	return FILE_GOOD;
}

static enum file_found load_times(const char *folder, struct stock *stock, bool was_logged)
{
	char path[PATH_MAX];
	enum file_found found;
	struct whole_file file;

	path_of(folder, STOCK_NAME, "", path);
	if (whole_file_read(&file, path, 0, SIZE_MAX))
		return tell_unreadable(path, was_logged);
	found = parse_times(path, file.data, file.length, stock);
	free(file.data);
	return found;
}

int state_save_times(const char *folder, const struct state_times *times, bool *failed)
{
	uint64_t packed[OUR_WORDS] = { htobe64((uint64_t)times->time),
				       htobe64((uint64_t)times->last_reset), htobe64(OUR_MARK) };
	struct state_piece piece = { .data = packed, .length = sizeof(packed) };

	return replace_file(folder, STOCK_NAME, &piece, 1, NULL, failed);
}

/* ---- our own ------------------------------------------------------------------- */

static struct header header_of(const struct usage_image *image, const struct state_piece *piece)
{
	struct header header = {
		.magic = STATE_MAGIC,
		.byte_order = BYTE_ORDER_MARK,
		.tres_count = image->tres_count,
		.association_count = image->associations.count,
		.qos_count = image->qos.count,
		.job_count = image->job_count,
		.names_length = image->names_length,
		.part_count = image->part_count,
		.section_count = image->sums.section_count,
		.column_count = image->sums.column_count,
		.row_count = image->sums.row_count,
		.time = image->time,
		.last_reset = image->last_reset,
		.applied = image->applied,
	};

	for (int i = 0; i < STATE_PIECES; i++)
		header.length += piece[i].length;
	header.checksum = checksum_all(&header, piece);
	return header;
}

int state_save(const char *folder, const struct usage_image *image, bool *failed)
{
	struct usage_image saved = *image;
	struct state_piece piece[1 + STATE_PIECES];
	struct header header;
	char previous[PATH_MAX];

	if (!state_has_folder(folder))
		return -1;
	list_pieces(&saved, piece + 1);
	header = header_of(&saved, piece + 1);
	piece[0] = (struct state_piece){ .data = &header, .length = sizeof(header) };
	path_of(folder, PREVIOUS_NAME, "", previous);
	return replace_file(folder, STATE_NAME, piece, 1 + STATE_PIECES, previous, failed);
}

/* Copies the next bytes of a file into memory of their own, and moves *at behind them. */
static void *copy(const char **at, size_t length)
{
	void *data = malloc(length + 1);

	if (data)
		memcpy(data, *at, length);
	*at += length;
	return data;
}

/* Returns why the file cannot be used; NULL: it can. */
static const char *parse_header(const char *data, size_t length, struct header *header)
{
	*header = (struct header){ .time = 0 };
	if (length < sizeof(header->magic) || length < header_length(data))
		return "cut short";
	memcpy(header, data, header_length(data));
	if (memcmp(header->magic, STATE_MAGIC, sizeof(header->magic)) &&
	    memcmp(header->magic, MAGIC_BEFORE, sizeof(header->magic)))
		return "not a file of fathom, or of another version";
	if (header->byte_order != BYTE_ORDER_MARK)
		return "from a machine of another kind";
	if (header->tres_count > TRES_COUNT_MAX)
		return "damaged (number of TRES)";
	if (header->column_count > COLUMN_COUNT_MAX)
		return "damaged (number of columns)";
	if (!is_time(header->time) || !is_time(header->last_reset))
		return "damaged (times)";
	return NULL;
}

static void take_header(const struct header *header, struct usage_image *image)
{
	image->time = header->time;
	image->last_reset = header->last_reset;
	image->applied = header->applied;
	image->tres_count = header->tres_count;
	image->associations.count = image->associations.size = header->association_count;
	image->qos.count = image->qos.size = header->qos_count;
	image->job_count = header->job_count;
	image->names_length = header->names_length;
	image->part_count = header->part_count;
	image->sums.section_count = header->section_count;
	image->sums.column_count = header->column_count;
	image->sums.row_count = header->row_count;
}

/* Whether each part of a run has a job and a name, in the order of jobs. */
static bool parts_are_sound(const struct usage_image *image)
{
	for (uint32_t i = 0; i < image->part_count; i++) {
		const struct part_row *part = &image->part[i];

		if (part->job >= image->job_count || (i && part->job < part[-1].job) ||
		    !part->hosts || part->hosts > image->names_length ||
		    !part->all_cpus || part->cpus > part->all_cpus)
			return false;
	}
	return true;
}

/* Whether all names end within the file, and the rows of all sections are as many as there are. */
static bool is_sound(const struct usage_image *image)
{
	const struct image_sums *sums = &image->sums;
	uint64_t rows = 0;

	if (image->names_length && image->names[image->names_length - 1])
		return false;
	if (!parts_are_sound(image))
		return false;
	for (uint32_t i = 0; i < image->job_count; i++)
		if (image->job_partition[i] > image->names_length)
			return false;
	for (uint32_t i = 0; i < sums->column_count; i++)
		if (!memchr(sums->column[i].name, 0, sizeof(sums->column[i].name)))
			return false;
	for (uint32_t i = 0; i < sums->section_count; i++) {
		const struct sums_section *section = &sums->section[i];

		rows += section->row_count;
		if (!memchr(section->scheme, 0, sizeof(section->scheme)) ||
		    !memchr(section->policy, 0, sizeof(section->policy)))
			return false;
	}
	return rows == sums->row_count;
}

static const char too_large[] = "too large for the memory";

/* Fills the image. Returns why the file cannot be used; NULL: it can. */
static const char *parse(const char *data, size_t length, struct usage_image *image)
{
	struct header header;
	struct state_piece piece[STATE_PIECES];
	const char *at, *why = parse_header(data, length, &header);
	size_t sum = 0;

	if (why)
		return why;
	take_header(&header, image);
	list_pieces(image, piece);
	for (int i = 0; i < STATE_PIECES; i++)
		sum += piece[i].length;
	if (header.length != sum || length != header_length(header.magic) + sum)
		return "cut short";
	at = data + header_length(header.magic);
	for (int i = 0; i < STATE_PIECES; i++)
		if (!(*piece[i].field = copy(&at, piece[i].length)))
			return too_large;
	list_pieces(image, piece);
	if (header.checksum != checksum_all(&header, piece))
		return "damaged (checksum)";
	return is_sound(image) ? NULL : "damaged (sums)";
}

/* Gives a damaged file a second name. The file keeps its own name until the file before it takes
 * that, as after a crash a start without a file of this name would not look for the one before. */
static void put_aside(const char *folder, const char *name, const char *why)
{
	char path[PATH_MAX], aside[PATH_MAX];

	path_of(folder, name, "", path);
	path_of(folder, name, ".damaged", aside);
	unlink(aside);
	if (link(path, aside) && rename(path, aside))	/* no hard links */
		error(LOG_PREFIX "%s: %s; it is not used", path, why);
	else
		error(LOG_PREFIX "%s: %s; it is not used, and kept as %s", path, why, aside);
}

static enum file_found load_file(const char *folder, const char *name, struct usage_image *image,
				 bool was_logged)
{
	char path[PATH_MAX];
	struct whole_file file;
	const char *why;

	path_of(folder, name, "", path);
	if (whole_file_read(&file, path, 0, SIZE_MAX))
		return tell_unreadable(path, was_logged);
	why = parse(file.data, file.length, image);
	free(file.data);
	if (!why)
		return FILE_GOOD;
	usage_image_clear(image);
	if (why == too_large) {
		errno = ENOMEM;
		return tell_unreadable(path, was_logged);
	}
	put_aside(folder, name, why);	/* the next pass would write over it */
	return FILE_WRONG;
}

/* Loads the newest file; if that is damaged, the one before it takes its place. */
static enum file_found load_own(const char *folder, struct usage_image *image, bool was_logged,
				bool *is_before)
{
	enum file_found found = load_file(folder, STATE_NAME, image, was_logged);
	char path[PATH_MAX], previous[PATH_MAX];

	*is_before = found == FILE_WRONG;
	if (found != FILE_WRONG)
		return found;
	path_of(folder, STATE_NAME, "", path);
	path_of(folder, PREVIOUS_NAME, "", previous);
	if (!rename(previous, path))
		found = load_file(folder, STATE_NAME, image, was_logged);
	if (found == FILE_WRONG)
		unlink(path);	/* or the next save would keep it as the file before */
	return found;
}

/* Whether multifactor has passed since the image. The file before a damaged one may be older than
 * the time that fathom has written for it. */
static bool multifactor_ran_last(const struct stock *stock, const struct usage_image *image)
{
	return stock->times.time > image->time && !stock->is_ours;
}

enum state_found state_load(const char *folder, struct usage_image *image,
			    struct state_times *dumped, bool was_logged)
{
	enum file_found own, found;
	struct stock stock = { .is_ours = false };
	bool is_before = false;

	*image = (struct usage_image){ 0 };
	*dumped = (struct state_times){ 0 };
	if (!state_has_folder(folder))
		return STATE_NONE;
	found = load_times(folder, &stock, was_logged);
	if (found == FILE_UNREADABLE)
		return STATE_UNREADABLE;
	own = load_own(folder, image, was_logged, &is_before);
	if (own == FILE_UNREADABLE)
		return STATE_UNREADABLE;
	if (found == FILE_GOOD)
		*dumped = stock.times;
	else
		*dumped = (struct state_times){ image->time, image->last_reset };
	if (own == FILE_GOOD && !multifactor_ran_last(&stock, image)) {
		if (is_before)
			info(LOG_PREFIX "usage is read from the state file before it");
		return STATE_OWN;
	}
	image->applied.is_lost |= is_before;	/* the damaged file may have known of more */
	if (image->time)
		info(LOG_PREFIX "priority/multifactor ran last; sums of policies and scopes go on "
				"from %s", is_before ? "the state file before it"
						     : "our last pass");
	return dumped->time ? STATE_STOCK : STATE_NONE;
}
