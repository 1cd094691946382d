/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Values in the JSON of Slurm's commands and of slurmrestd, whose form differs between versions of
 * the API. */
#pragma once

#include "core/name_index.h"
#include "document/parsed_json.h"
#include "document/text.h"

/* The JSON of an answer, and the list that is read. */
struct slurm_json {
	struct document *input;
	const struct parsed *root;	/* belongs to the command's memory */
	const char *name;	/* of the list, for errors */
	const struct parsed *list;
};

/* Parses the input; it is wrong if it is not JSON, or has nothing but an error of slurmrestd's. */
struct slurm_json slurm_json_load(struct document *input);
/* Chooses a list of the answer, which is wrong if it is there, but not a list of objects. Without
 * the member the list is empty. */
void slurm_json_choose(struct slurm_json *json, const struct parsed *object, const char *name);
/* Returns which of `names`, up to a NULL, is the first one that the answer has at its top, within
 * the beginning that is loaded; SIZE_MAX: none. An object with "format" has none: it is
 * fathom's. */
size_t slurm_json_top(const struct document *input, const char *const *names);

/* Finds a value by its path, such as "priority/job_factor", in element i of the list. NULL: the
 * element has none, or null. */
const struct parsed *slurm_json_at(const struct slurm_json *json, size_t i, const char *path);
/* Ends with "NAME[i]: 'path' RIGHT". */
_Noreturn void slurm_json_wrong(const struct slurm_json *json, size_t i, const char *path,
				const char *right);
/* Returns a text; one that is missing is empty, with `at` NULL. */
struct piece slurm_json_text(const struct slurm_json *json, size_t i, const char *path);
/* Returns a number, 5 or {"set": true, "infinite": false, "number": 5}. One that is missing or not
 * set is NAN, an infinite one INFINITY. */
double slurm_json_number(const struct slurm_json *json, size_t i, const char *path);
/* Reads raw shares; those that are not set, as the root's, are 1. */
uint32_t slurm_json_shares(const struct slurm_json *json, size_t i, const char *path);
/* Checks that there is no account of this name yet. */
void slurm_json_check_account(const struct slurm_json *json, size_t i,
			      const struct name_index *accounts, struct piece name);
/* Returns whether a value is the word, or a list that has the word. */
bool slurm_json_has_word(const struct parsed *value, const char *word);
