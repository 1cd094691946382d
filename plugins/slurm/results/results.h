/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the last passes have published, to be read in any thread; see base/shared.h. */
#pragma once

#include "results/evaluation.h"
#include "results/places.h"

/* Each object is replaced as a whole, by published_set(). */
struct results {
	struct published evaluation;	/* struct evaluation; NULL: none yet */
	struct published global;	/* struct global_usage; NULL: nothing was read */
	struct published places;	/* struct places; NULL: no policy places jobs */
};
