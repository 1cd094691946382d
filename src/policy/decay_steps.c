/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Decay in steps, as in PBS: usage is multiplied by a factor once a period. Steps
 * that were missed are made up. With period 24 h and factor 0.5, usage 100 last
 * decayed 50 h ago: 2 steps, 25 is left, and the third step is due in 22 h.
 */
#include "fathom.h"

#include <math.h>

static const double ln_2 = 0.693147180559945309417;

/* Returns how many steps are due. (OpenPBS decays one second later than this: after exactly one
 * period it does nothing yet.) */
double fathom_decay_steps(double last, double now, double period)
{
	return now > last && period > 0 ? floor((now - last) / period) : 0;
}

double fathom_decay_stepwise(double usage, double steps, double factor, double least)
{
	return steps > 0 ? fmax(usage * pow(factor, steps), least) : usage;
}

double fathom_decay_half_life(double period, double factor)
{
	return period * ln_2 / -log(factor);
}
