/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * libfathom: fair share and job priority, as arithmetic.
 *
 * A tree of associations with shares and usage goes in, a fair-share factor for
 * each of them comes out; a job and a factor go in, a priority comes out.
 * libfathom(3) shows the steps by an example. What all calls have in common:
 *
 * Nothing here reads a file, a clock or an environment variable, prints, has
 * state of its own or ends the process. Times are arguments.
 *
 * Threads: calls on different objects may run at the same time. An object that
 * nobody changes meanwhile may be read by any number of threads.
 *
 * Errors: see fathom/error.h. A call without an error argument cannot fail
 * unless its comment says how.
 *
 * Arguments: pointers are not NULL, and a node, index or row lies within its
 * object, unless a comment allows more. This is not checked.
 *
 * Ownership: who calls ..._create() or ..._copy() owns the object and gives it
 * to the ..._destroy() of the same name, which takes NULL as well. What other
 * calls return belongs to the object they were asked about. Policies, settings,
 * columns and fields are constant, and valid for ever.
 *
 * Numbers: a figure that a node does not have is NAN. Sums of usage are exact
 * to rounding: other orders of the same terms agree to about 1e-12.
 *
 * Structs that a caller declares and fills: initialise them with named members
 * or with zeros. New members come only at the end, and 0 in them means what was
 * so before they existed, so that source code need not change. A struct that
 * grows has another size, so the library gets another soname: compiled programs
 * keep the library that they were compiled for. struct fathom_setting,
 * fathom_column and fathom_field are only ever read through a pointer from the
 * library and may grow without that.
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
