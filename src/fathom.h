/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libfathom computes fair share and job priority.
 *
 * From a tree of associations with shares and usage it computes a fair-share
 * factor for each association. From a job and its factor it computes a priority.
 * libfathom(3) shows the steps in an example. All calls follow these rules:
 *
 * Side effects: no call reads a file, a clock or an environment variable, prints,
 * keeps global state or ends the process. Times are arguments.
 *
 * Threads: calls on different objects may run at the same time. Any number of
 * threads may read an object as long as no thread changes it.
 *
 * Errors: see fathom/error.h. A call without an error argument cannot fail,
 * unless its comment says how it reports a failure.
 *
 * Arguments: pointers must not be NULL, and a node, index or row must lie within
 * its object, unless the comment of the call allows more. This is not checked.
 *
 * Ownership: the caller of ..._create() or ..._copy() owns the object and passes
 * it to the ..._destroy() of the same name, which ignores NULL. A pointer that
 * another call returns belongs to the object in its arguments. Policies,
 * settings, columns and fields are constant and always valid.
 *
 * Numbers: a value that a node does not have is NAN. Sums of the same terms in
 * another order agree to about 1e-12.
 *
 * Structs that a caller declares and fills: initialise them with named members
 * or with zeros. New members are added at the end, and 0 in them means what the
 * struct meant without them, so that source code need not change. A struct that
 * grows changes its size, so the library gets another soname, and compiled
 * programs keep the library that they were compiled for. struct fathom_setting,
 * fathom_column and fathom_field are only read through pointers from the library
 * and may grow without a new soname.
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
