/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The remark on what a reader leaves out of a file. */
#pragma once

#include "core/numbered_names.h"
#include "document/document.h"

/* Appends the names of a kind of things that are left out to input->remark: "left out: keys NICE,
 * STACKLIMIT and 3 more"; after another kind, "; sections Limit". Lists one name, and further ones
 * as long as there is room. Appends nothing if there are no names. heading: the kind, "keys". */
void left_out_list(struct document *input, const char *heading, const struct numbered_names *list);
