/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What decides at an instant on the order of jobs. */
#ifndef REPLAY_MOMENT_H
#define REPLAY_MOMENT_H

#include "replay/charge_book.h"

struct replay_moment {
	const struct charge_book *book;	/* of the usage that counts */
	const struct current_jobs *jobs;
	const struct machine *machine;
	double now;
};

#endif
