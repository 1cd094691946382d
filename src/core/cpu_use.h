/* SPDX-License-Identifier: GPL-2.0-or-later */
/* How many CPU seconds a run uses each second, as the members cpu_use of its structs tell. */
#pragma once

/* Returns the value for a run of so many seconds, above 0, that has used so much CPU time. */
static inline double cpu_use_of(double cpu_time, double seconds)
{
	return cpu_time > 0 ? cpu_time / seconds : -1;
}

/* Returns the CPU seconds in each second; cpus: counts where they are not known. */
static inline double cpu_use_known(double cpu_use, double cpus)
{
	if (cpu_use == 0)
		return cpus;
	return cpu_use > 0 ? cpu_use : 0;
}
