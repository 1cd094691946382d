/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decay of usage. By a half-life of 60 s, usage of 100 is 50 after 60 s and 25 after
 * 120 s.
 *
 * PBS decays in steps: usage is multiplied by a factor once a period. Steps that were
 * missed are made up. With period 24 h and factor 0.5, usage 100 last decayed 50 h
 * ago: 2 steps, 25 is left, and the third step is due in 22 h.
 */
#include "fathom.h"

#include <math.h>

/* ---- by a half-life ---------------------------------------------------------- */

double fathom_decay(double elapsed, double half_life)
{
	return half_life > 0 && elapsed > 0 ? exp2(-elapsed / half_life) : 1;
}

/* Returns the integral of 2^((t - seen) / half_life) over t from begin to end. */
double fathom_decayed_seconds(double begin, double end, double seen, double half_life)
{
	if (!(end > begin))
		return 0;
	if (!(half_life > 0))
		return end - begin;
	/* expm1 is exact where a run is short and the half-life long: 1 - exp2 would cancel */
	return exp2((end - seen) / half_life) * half_life / M_LN2 *
	       -expm1((begin - end) / half_life * M_LN2);
}

/* ---- in steps ---------------------------------------------------------------- */

/* OpenPBS decays one second later than this: after exactly one period it does nothing yet. */
double fathom_decay_steps(double last, double now, double period)
{
	return now > last && period > 0 ? floor((now - last) / period) : 0;
}

double fathom_decay_stepwise(double usage, double steps, double factor, double least)
{
	return steps > 0 ? fmax(usage * pow(factor, steps), least) : usage;
}

/* Solves factor^(t / period) = 2^(-t / half_life) for the half-life. */
double fathom_decay_half_life(double period, double factor)
{
	return period * M_LN2 / -log(factor);
}
