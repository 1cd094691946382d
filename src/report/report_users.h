/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Whose waits change from one replay to another. */
#pragma once

#include "document/document.h"

#include <jansson.h>

/* Adds "users" to the reduced document, from the policies of a document: those whose mean wait
 * differs most between the first policy and another, times their jobs, with the mean wait under
 * each policy. Without users in the document there are none. */
void users_add(struct document *input, const json_t *from, json_t *reduced);
