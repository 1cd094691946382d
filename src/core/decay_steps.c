/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Decay as PBS has it: in steps, and made up for if they were missed. */
#include "fathom.h"

#include <math.h>

static const double ln_2 = 0.693147180559945309417;

/* OpenPBS itself waits for a second more than the period, and so takes one
 * step too few where just a multiple of it has passed. */
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
