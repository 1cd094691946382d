/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the JSON texts tell that Flux keeps with each job: R, which resources it got, and its
 * jobspec, which it asked for. */
#pragma once

#include "core/piece.h"

/* Whole numbers; 0: not known. */
struct flux_resources {
	double nodes, cores, gpus;
};

/* Counts the numbers of a set such as "0-3,7", which may stand in brackets. 0: it is no such set,
 * or has more than UINT32_MAX. Source: Flux, RFC 22, "Idset String Representation". */
double flux_idset_count(struct piece text);
/* Reads R; text: NULL or no R: nothing is known. Source: Flux, RFC 20, "Resource Set Specification
 * Version 1". */
struct flux_resources flux_resources_of(const char *text);

/* Start with all members 0. Texts live as long as it. */
struct flux_jobspec {
	char *queue, *bank;	/* NULL: it says none */
	double duration;	/* seconds; 0: no limit, or not known */
};

/* Reads a jobspec; text: NULL or no jobspec: nothing is known. Source: Flux, RFC 25, "Job
 * Specification Version 1", and flux-accounting, attributes.system.bank. */
void flux_jobspec_read(struct flux_jobspec *jobspec, const char *text);
void flux_jobspec_clear(struct flux_jobspec *jobspec);
