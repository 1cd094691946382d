/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The member `cpu_use` of runs, stretches and jobs says how many CPU seconds a run uses each
 * second:
 *
 *	above 0	the number of CPU seconds
 *	0	not known: the number of the run's CPUs is taken in its place
 *	below 0	the run is known to use no CPU time
 */
#pragma once

/* Returns the cpu_use of a run that has used `cpu_time` CPU seconds, 0 or more, in `seconds`, which
 * is above 0. */
static inline double cpu_use_of(double cpu_time, double seconds)
{
	return cpu_time > 0 ? cpu_time / seconds : -1;
}

/* Returns the CPU seconds that count each second for a run with this cpu_use on `cpus` CPUs. */
static inline double cpu_use_known(double cpu_use, double cpus)
{
	if (cpu_use == 0)
		return cpus;
	return cpu_use > 0 ? cpu_use : 0;
}
