/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "report/global_reader.h"

#include "base/log.h"
#include "report/background.h"
#include "report/global_sources.h"

#include <errno.h>
#include <string.h>

struct global_reader {
	struct background background;
	int problem;			/* errno that was logged last; 0: the last read was good;
					 * guarded by the lock of `background` */

	/* Used by the thread while a read is under way, and by a pass otherwise. */
	struct results *results;	/* gets what was read; gone once the thread is abandoned */
	struct evaluation *evaluation;	/* a reference, with the settings of the pass; NULL: no read
					 * is under way */
	struct global_sources sources;
	struct global_usage *fresh;	/* what was read, until it is published; NULL: out of
					 * memory */
};

/* Releases the evaluation of the pass. */
static void forget_evaluation(struct global_reader *reader)
{
	shared_release(reader->evaluation);
	reader->evaluation = NULL;
}

/* Frees what the reader owns; for struct background_work, as read_sources(), conclude() and
 * log_late() are. context: the struct global_reader. */
static void clear(void *context)
{
	struct global_reader *reader = context;

	forget_evaluation(reader);
	shared_release(reader->fresh);
	global_sources_clear(&reader->sources);
}

/* Reads all sources into reader->fresh. */
static void read_sources(void *context)
{
	struct global_reader *reader = context;

	reader->fresh = global_sources_read(&reader->sources, reader->evaluation,
					    &reader->background);
	forget_evaluation(reader);
}

/* Logs a problem once, until another one or a success follows. problem: an errno; 0: the read was
 * good. The caller holds the lock, or no read is under way. */
static void log_problem(struct global_reader *reader, int problem)
{
	if (problem && problem != reader->problem)
		error(LOG_PREFIX "cannot read sources of GlobalShare: %s; what is known of the "
				 "clusters goes on counting",
		      problem == EALREADY ? "the previous read has not ended"
					  : strerror(problem));
	else if (!problem && reader->problem)
		info(LOG_PREFIX "sources of GlobalShare are read again");
	reader->problem = problem;
}

/* Publishes what was read. If a pass came while the read was under way, does not log a success: the
 * problem "the previous read has not ended" stays until a read ends in time. */
static void conclude(void *context)
{
	struct global_reader *reader = context;

	if (!reader->fresh)
		log_problem(reader, ENOMEM);
	else if (!reader->background.was_skipped)
		log_problem(reader, 0);
	if (reader->fresh)
		published_set(&reader->results->global, reader->fresh);
	reader->fresh = NULL;
}

/* Logs that the last read has not ended. context: the struct global_reader. */
static void log_late(void *context)
{
	log_problem(context, EALREADY);
}

struct global_reader *global_reader_create(void)
{
	static const struct background_work work = {
		.run = read_sources, .conclude = conclude, .late = log_late, .clear = clear,
	};

	return background_create(&work, sizeof(struct global_reader));
}

void global_reader_start(struct global_reader *reader, const struct settings *settings,
			 struct results *results)
{
	int problem;

	if (!settings->conf.global.count || !background_may_begin(&reader->background))
		return;
	reader->results = results;
	reader->evaluation = published_get(&results->evaluation);
	if (!reader->evaluation || reader->evaluation->settings != settings) {
		forget_evaluation(reader);
		return;
	}
	problem = background_begin(&reader->background);
	if (!problem)
		return;
	log_problem(reader, problem);
	forget_evaluation(reader);
}

void global_reader_destroy(struct global_reader *reader)
{
	background_end(reader);
}
