/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A state file is a header and the arrays of the image (usage_image_list), one after the other.
 * Numbers are as in memory: the file belongs to one machine. The header has the counts from which
 * the length of each array follows, and a checksum over everything:
 *
 *	header	{ counts: 2 TRES, 8 associations, ...; length, checksum }
 *	arrays	ids of 2 TRES | 8 rows of associations | their amounts | ...
 */
#include "state/state.h"

#include "base/files.h"
#include "base/log.h"

#include <endian.h>
#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STATE_NAME "fathom_usage"		/* see state.h for these three files */
#define PREVIOUS_NAME "fathom_usage.old"
#define TIMES_NAME "priority_last_decay_ran"
#define STATE_MAGIC "fathom usage 9\n"
#define MAGIC_BEFORE "fathom usage 8\n"	/* the format before; its header ends before `applied` */
/* Bytes; a larger file is damaged. A million associations with 60 TRES, as many running jobs and
 * the sums of ten schemes come to 2^31. */
#define FILE_SIZE_MAX ((size_t)MIN(SIZE_MAX, UINT64_C(1) << 34))
/* Far more than there are, so that lengths of arrays cannot overflow. */
#define TRES_COUNT_MAX 65536
#define COLUMN_COUNT_MAX 64	/* columns of sums */
#define TIME_MAX INT64_C(253402300799)	/* the end of 9999; the calendar knows no later year */
#define OUR_MARK UINT64_C(0x666174686f6d2031)	/* "fathom 1", in multifactor's file */
#define BYTE_ORDER_MARK 0x01020304u	/* another machine reads another number */

/* The beginning of a state file, as it is in the file. */
struct header {
	char magic[16];		/* STATE_MAGIC; the number grows when the layout changes */
	uint32_t byte_order;	/* BYTE_ORDER_MARK */
	uint32_t count[IMAGE_COUNTS];	/* in the order of usage_image_list() */
	int64_t time, last_reset;	/* the image's */
	uint64_t length;	/* bytes behind the header */
	uint64_t checksum;	/* of the header with this 0, and of what follows */
	struct applied_usage applied;
};

/* Returns the length of a header with this magic, in bytes. */
static size_t header_length(const char *magic)
{
	return memcmp(magic, MAGIC_BEFORE, sizeof(MAGIC_BEFORE)) ? sizeof(struct header)
								 : offsetof(struct header, applied);
}

/* ---- bytes --------------------------------------------------------------------- */

#define LANES 4		/* independent sums, which the processor computes at the same time */

/* Returns the checksum `sum` after eight more bytes, `word`. The multiplier is 2^64 over the golden
 * ratio, which spreads all bits. */
static uint64_t mix(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return sum ^ sum >> 29;
}

/* Returns the checksum `sum` after more data. It works like FNV-1a, but on LANES times eight bytes
 * at a time. It detects files that are torn or foreign, not those that somebody has forged. */
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

/* Returns the checksum of a header, without its own checksum, and of all arrays of the list. */
static uint64_t checksum_all(const struct header *header, const struct image_list *list)
{
	struct header plain = *header;
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	plain.checksum = 0;
	sum = checksum(sum, &plain, header_length(plain.magic));
	for (size_t i = 0; i < IMAGE_ARRAYS; i++)
		sum = checksum(sum, *list->array[i].data, list->array[i].length);
	return sum;
}

/* ---- files --------------------------------------------------------------------- */

bool state_has_folder(const char *folder)
{
	return *folder && strcmp(folder, "/dev/null");
}

/* Writes a file in place of the old one. The caller has set *file, except its path. *failed: the
 * caller's note whether the last write of this file failed, which the call keeps up to date.
 * Returns -1 if the file is not written, which is logged. */
static int replace_file(const char *folder, const char *name, struct file_replacement *file,
			bool *failed)
{
	char path[PATH_MAX];
	int status;

	file_path(folder, name, path);
	file->path = path;
	status = file_replace(file);
	if (status)
		error(LOG_PREFIX "cannot write %s.new: %m; usage is not saved", path);
	else if (*failed)
		info(LOG_PREFIX "%s is written again", path);
	*failed = status;
	return status;
}

/* Returns whether a file may have this time. From a time of long ago, as a damaged file may have,
 * all usage would decay to nothing. */
static bool is_time(int64_t time)
{
	return time >= 0 && time <= TIME_MAX;
}

/* What reading a file has given. FILE_WRONG: the file was read, and cannot be used.
 * FILE_UNREADABLE: the file may be good, but cannot be read now; errno tells why. */
enum file_found { FILE_GOOD, FILE_ABSENT, FILE_WRONG, FILE_UNREADABLE };

/* Reads the content of a file into *into, whose type each function tells. Logs what is wrong with
 * the content. file->data: NULL if the file is larger than FILE_SIZE_MAX. */
typedef enum file_found parse_function(const char *path, const struct whole_file *file, void *into);

/* Reads a file in the folder by parse(), which gets `into`. Logs that the file is unreadable,
 * unless was_logged. */
static enum file_found load_file(const char *folder, const char *name, bool was_logged,
				 parse_function *parse, void *into)
{
	enum file_found found = FILE_UNREADABLE;
	char path[PATH_MAX];
	struct whole_file file;

	file_path(folder, name, path);
	if (!whole_file_read(&file, path, 0, FILE_SIZE_MAX) || errno == EFBIG)
		found = parse(path, &file, into);
	else if (errno == ENOENT)
		found = FILE_ABSENT;
	if (found == FILE_UNREADABLE && !was_logged)
		error(LOG_PREFIX "cannot read %s: %m; until it can be read, nothing is charged or "
				 "saved, and usage is that of Slurm's records", path);
	free(file.data);
	return found;
}

/* ---- multifactor's file ------------------------------------------------------ */

/* What multifactor's file has. */
struct times_file {
	struct state_times times;
	bool is_ours;		/* fathom wrote the file, not multifactor */
};

/* The words of multifactor's file, 64 bits each, the most significant byte first. multifactor reads
 * and writes the two times alone; fathom writes a mark behind them. */
enum { PACKED_TIME, PACKED_LAST_RESET, PACKED_MARK, OUR_WORDS };

/* Reads multifactor's file into a struct times_file. */
static enum file_found parse_times(const char *path, const struct whole_file *file, void *into)
{
	uint64_t packed[OUR_WORDS] = { 0 };
	size_t needed = PACKED_MARK * sizeof(*packed);	/* multifactor's has no mark */
	struct times_file *times_file = into;
	struct state_times *times = &times_file->times;

	if (!file->data || file->length < needed) {
		error(LOG_PREFIX "not using %s: it has %zu bytes, must have %zu", path,
		      file->length, needed);
		return FILE_WRONG;
	}
	memcpy(packed, file->data, MIN(file->length, sizeof(packed)));
	times_file->is_ours = be64toh(packed[PACKED_MARK]) == OUR_MARK;
	times->time = (int64_t)be64toh(packed[PACKED_TIME]);
	times->last_reset = (int64_t)be64toh(packed[PACKED_LAST_RESET]);
	if (is_time(times->time) && is_time(times->last_reset))
		return FILE_GOOD;
	error(LOG_PREFIX "not using %s: it holds no times", path);
	return FILE_WRONG;
}

int state_save_times(const char *folder, const struct state_times *times, bool *failed)
{
	uint64_t packed[OUR_WORDS] = { htobe64((uint64_t)times->time),
				       htobe64((uint64_t)times->last_reset), htobe64(OUR_MARK) };

	struct file_replacement file = { .piece = &(struct iovec){ packed, sizeof(packed) },
					 .count = 1 };

	return replace_file(folder, TIMES_NAME, &file, failed);
}

/* ---- our own ------------------------------------------------------------------- */

/* Returns the header of the image's file. list: usage_image_list() of the image. */
static struct header header_of(const struct usage_image *image, const struct image_list *list)
{
	struct header header = { .magic = STATE_MAGIC, .byte_order = BYTE_ORDER_MARK,
				 .time = image->time, .last_reset = image->last_reset,
				 .applied = image->applied };

	for (size_t i = 0; i < IMAGE_COUNTS; i++)
		header.count[i] = *list->count[i];
	for (size_t i = 0; i < IMAGE_ARRAYS; i++)
		header.length += list->array[i].length;
	header.checksum = checksum_all(&header, list);
	return header;
}

/* Logs whether the previous file could be kept, if that has changed. problem: 0: it is kept; or an
 * errno. *lacks_previous: the caller's note whether it could not be kept, which the call keeps up
 * to date. */
static void log_previous(const char *previous, int problem, bool *lacks_previous)
{
	if (problem && !*lacks_previous)
		info(LOG_PREFIX "warning: cannot keep the previous state file as %s: %s; it could "
				"not replace a newest one that is damaged", previous,
		     strerror(problem));
	else if (!problem && *lacks_previous)
		info(LOG_PREFIX "%s is kept again", previous);
	*lacks_previous = problem;
}

int state_save(const char *folder, struct usage_image *image, bool *failed, bool *lacks_previous)
{
	const struct image_list list = usage_image_list(image);
	struct header header = header_of(image, &list);
	struct iovec piece[1 + IMAGE_ARRAYS] = { { &header, sizeof(header) } };
	char previous[PATH_MAX];
	int problem = 0, status;
	struct file_replacement file = { .piece = piece, .count = 1 + IMAGE_ARRAYS,
					 .previous = previous, .previous_problem = &problem };

	if (!state_has_folder(folder))
		return -1;
	for (size_t i = 0; i < IMAGE_ARRAYS; i++)
		piece[1 + i] = (struct iovec){ *list.array[i].data, list.array[i].length };
	file_path(folder, PREVIOUS_NAME, previous);
	status = replace_file(folder, STATE_NAME, &file, failed);
	if (!status)
		log_previous(previous, problem, lacks_previous);
	return status;
}

/* Reads the header, and puts its counts, times and `applied` into the image. Returns why the file
 * cannot be used; NULL: it can be used, as far as the header tells. */
static const char *take_header(const struct whole_file *file, struct header *header,
			       struct usage_image *image)
{
	const struct image_list list = usage_image_list(image);

	*header = (struct header){ .time = 0 };
	if (file->length < sizeof(header->magic) || file->length < header_length(file->data))
		return "cut short";
	memcpy(header, file->data, header_length(file->data));
	if (memcmp(header->magic, STATE_MAGIC, sizeof(header->magic)) &&
	    memcmp(header->magic, MAGIC_BEFORE, sizeof(header->magic)))
		return "not a file of fathom, or of another version";
	if (header->byte_order != BYTE_ORDER_MARK)
		return "from a machine of another kind";
	if (!is_time(header->time) || !is_time(header->last_reset))
		return "damaged (times)";
	image->time = header->time;
	image->last_reset = header->last_reset;
	image->applied = header->applied;
	for (size_t i = 0; i < IMAGE_COUNTS; i++)
		*list.count[i] = header->count[i];
	if (image->tres_count > TRES_COUNT_MAX)
		return "damaged (number of TRES)";
	return image->sums.column_count > COLUMN_COUNT_MAX ? "damaged (number of columns)" : NULL;
}

/* Returns whether each part of a run has a job, a name and no more CPUs than the run, and parts are
 * in the order of jobs. */
static bool parts_are_sound(const struct usage_image *image)
{
	for (uint32_t i = 0; i < image->part_count; i++) {
		const struct part_row *part = &image->part[i];
		bool is_in_order = !i || part->job >= part[-1].job;
		bool has_name = part->hosts && part->hosts <= image->names_length;
		bool has_cpus = part->all_cpus && part->cpus <= part->all_cpus;

		if (part->job >= image->job_count || !is_in_order || !has_name || !has_cpus)
			return false;
	}
	return true;
}

/* Returns whether the image can be used: all names end within their arrays, all indexes are within
 * theirs, and the sections have as many rows together as there are. */
static bool is_sound(const struct usage_image *image)
{
	const struct image_sums *sums = &image->sums;
	uint64_t rows = 0;

	/* the last name ends with NUL, so that all names end */
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

/* A result of parse_image() that says nothing against the file; it is compared by its address. */
static const char too_large[] = "too large for the memory";

/* Fills the image, which is empty, from the content of a file. Returns why the file cannot be used;
 * NULL: it can be used. In each case the caller clears the image. */
static const char *parse_image(const struct whole_file *file, struct usage_image *image)
{
	struct header header;
	struct image_list list;
	const char *at, *why = take_header(file, &header, image);
	size_t length = 0;

	if (why)
		return why;
	list = usage_image_list(image);
	for (size_t i = 0; i < IMAGE_ARRAYS; i++)
		length += list.array[i].length;
	if (header.length != length || file->length != header_length(header.magic) + length)
		return "cut short";
	at = file->data + header_length(header.magic);
	for (size_t i = 0; i < IMAGE_ARRAYS; i++) {
		size_t size = list.array[i].length;
		void *copy = malloc(size + 1);

		if (!copy)
			return too_large;
		*list.array[i].data = memcpy(copy, at, size);
		at += size;
	}
	if (header.checksum != checksum_all(&header, &list))
		return "damaged (checksum)";
	return is_sound(image) ? NULL : "damaged (sums)";
}

/* Gives a damaged file a second name. The file keeps its own name until the previous file takes it:
 * after a crash in between, a start that finds no file of this name would not look for the
 * previous one. */
static void put_aside(const char *path, const char *why)
{
	char aside[PATH_MAX];

	snprintf(aside, sizeof(aside), "%s.damaged", path);
	unlink(aside);
	if (link(path, aside) && rename(path, aside))	/* the file system has no hard links */
		error(LOG_PREFIX "not using %s: %s; the next save overwrites it", path, why);
	else
		error(LOG_PREFIX "not using %s: %s; keeping it as %s", path, why, aside);
}

/* Reads fathom's file into a struct usage_image, which is empty if the file is not good. Gives a
 * damaged file a second name. */
static enum file_found parse_own(const char *path, const struct whole_file *file, void *into)
{
	const char *why = file->data ? parse_image(file, into) : "too large";

	if (!why)
		return FILE_GOOD;
	usage_image_clear(into);
	if (why == too_large) {
		errno = ENOMEM;
		return FILE_UNREADABLE;
	}
	put_aside(path, why);	/* the next save would overwrite it */
	return FILE_WRONG;
}

/* Loads the newest of fathom's files. If it is damaged, loads the previous file, and renames it to
 * the name of the newest. The previous one keeps its own name until then, so that each has a second
 * name of its own if both are damaged. *is_previous: whether the newest file was damaged. */
static enum file_found load_own(const char *folder, struct usage_image *image, bool was_logged,
				bool *is_previous)
{
	enum file_found found = load_file(folder, STATE_NAME, was_logged, parse_own, image);
	char path[PATH_MAX], previous[PATH_MAX];

	*is_previous = found == FILE_WRONG;
	if (found != FILE_WRONG)
		return found;
	found = load_file(folder, PREVIOUS_NAME, was_logged, parse_own, image);
	file_path(folder, STATE_NAME, path);
	file_path(folder, PREVIOUS_NAME, previous);
	if (found == FILE_GOOD || found == FILE_UNREADABLE)
		rename(previous, path);
	else
		unlink(path);	/* otherwise the next save would keep it as the previous file */
	return found;
}

/* Returns the times of the pass that an image is of. */
static struct state_times times_of(const struct usage_image *image)
{
	return (struct state_times){ image->time, image->last_reset };
}

/* Chooses what to go on from, state->image or multifactor's file, and sets the other members of
 * *state. If the time in the file is later than that of the image, multifactor has made a pass
 * since. But if fathom itself has written that time, it belonged to an image that is damaged now:
 * then the previous image, which is older, is still the one to use. is_previous: the image is that
 * one. */
static void choose_state(struct found_state *state, const struct times_file *file, bool is_previous)
{
	struct usage_image *image = &state->image;
	const char *from = is_previous ? "the previous state file, " PREVIOUS_NAME
				       : "the last pass";

	state->dumped = file->times;
	if (image->time && (file->times.time <= image->time || file->is_ours)) {
		state->found = STATE_OWN;
		state->times = times_of(image);
		if (is_previous)
			info(LOG_PREFIX "reading usage from %s", from);
		return;
	}
	state->found = state->dumped.time ? STATE_MULTIFACTOR : STATE_NONE;
	state->times = state->dumped;
	image->applied.is_lost |= is_previous;	/* the damaged file may have named more files */
	if (image->time)
		info(LOG_PREFIX "priority/multifactor ran last; taking the sums of policies and "
				"scopes from %s", from);
}

struct found_state state_load(const char *folder, bool was_logged)
{
	struct found_state state = { .found = STATE_NONE };
	struct times_file file = { .is_ours = false };
	enum file_found times, own = FILE_UNREADABLE;
	bool is_previous = false;

	if (!state_has_folder(folder))
		return state;
	times = load_file(folder, TIMES_NAME, was_logged, parse_times, &file);
	if (times != FILE_UNREADABLE)
		own = load_own(folder, &state.image, was_logged, &is_previous);
	if (own == FILE_UNREADABLE) {
		state.found = STATE_UNREADABLE;
		return state;
	}
	if (times != FILE_GOOD)		/* nothing says that multifactor ran later */
		file.times = times_of(&state.image);
	choose_state(&state, &file, is_previous);
	return state;
}
