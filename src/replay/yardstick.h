/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The usage by which fairness is measured: CPU seconds that decay with one half-life, whatever the
 * policy charges and however that decays, so that equal schedules have equal figures.
 *
 * What a node has used by time t is base + cpus * integral(t), where the integral is that of the
 * decay since the epoch. It changes only when a job starts or ends.
 */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct yardstick {
	double half_life;	/* seconds; 0: no decay */
	double epoch;
	double *base, *cpus;	/* by node */
	size_t nodes;
};

/* Makes a yardstick without usage. half_life: seconds; 0: no decay. The caller sets the epoch to
 * the time of the first submission. */
void yardstick_create(struct yardstick *yardstick, size_t nodes, double half_life);
/* Notes that a job of a node takes so many CPUs, or if negative, gives them back. */
void yardstick_take(struct yardstick *yardstick, uint32_t node, double cpus, double time);
/* Returns the integral at a time, from the begin on, for yardstick_used(). */
double yardstick_integral(struct yardstick *yardstick, double time);
/* Returns what a node has used, in a unit that is the same for all nodes. */
static inline double yardstick_used(const struct yardstick *yardstick, size_t node, double integral)
{
	double used = yardstick->base[node] + yardstick->cpus[node] * integral;

	return used > 0 ? used : 0;	/* rounding may leave less */
}
