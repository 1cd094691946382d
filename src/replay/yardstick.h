/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The usage by which fairness is measured: CPU seconds that decay with one half-life, whatever the
 * policy charges and however that decays, so that equal schedules have equal figures.
 *
 * What a node has used by time t is base + cpus * integral(t), where the integral is that of the
 * decay since the epoch. Only when a job starts or ends, base and cpus change. Example, without
 * decay: a job has 4 CPUs from 100 on, then 2 from 150 on as a second job has given 2 back:
 *
 *	take 4 at 100	base -400	cpus 4		used at 150: -400 + 4 * 150 = 200
 *	take -2 at 150	base -100	cpus 2		used at 200: -100 + 2 * 200 = 300
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct yardstick {
	double half_life;	/* seconds; 0: no decay */
	double epoch;		/* CPU seconds count as they do at this time */
	double *base;		/* by node: CPU seconds; may be below 0 */
	double *cpus;		/* by node: CPUs that its running jobs have */
	size_t nodes;
};

/* Makes a yardstick without usage. half_life: seconds; 0: no decay. The caller sets `epoch` to the
 * begin of the replay before the first yardstick_take(). */
void yardstick_create(struct yardstick *yardstick, size_t nodes, double half_life);
/* Notes that a job of a node takes so many CPUs, or if negative, gives them back. */
void yardstick_take(struct yardstick *yardstick, uint32_t node, double cpus, double time);
/* Returns the integral at `time`, for yardstick_used(). May move the epoch, which makes earlier
 * integrals invalid. time: not before the epoch. */
double yardstick_integral(struct yardstick *yardstick, double time);
/* Returns what a node has used by the time of the integral, in a unit that is the same for all
 * nodes. */
static inline double yardstick_used(const struct yardstick *yardstick, size_t node, double integral)
{
	double used = yardstick->base[node] + yardstick->cpus[node] * integral;

	return used > 0 ? used : 0;	/* rounding may leave less */
}
