/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libfathom: fair share and job priority, as arithmetic.
 *
 * A tree of associations with shares and usage goes in, figures come out.
 * Nothing here reads a file, a clock or an environment variable, prints,
 * keeps a global or ends the process. Calls on different objects may run in
 * different threads; one object belongs to one thread at a time.
 */
#ifndef FATHOM_H
#define FATHOM_H

#include "fathom/error.h"
#include "fathom/flux.h"
#include "fathom/formula.h"
#include "fathom/lsf.h"
#include "fathom/policy.h"
#include "fathom/priority.h"
#include "fathom/tree.h"
#include "fathom/usage.h"
#include "fathom/version.h"

#endif
