/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Values in the JSON of Slurm's commands and of slurmrestd, whose form differs between versions of
 * the API. In the answer {"jobs": [{"job_id": 7, "time": {"start": 1700000000}}]}, of which the
 * list "jobs" is chosen, slurm_json_number(&json, "time/start") of element 0 is 1700000000.
 */
#pragma once

#include "core/name_index.h"
#include "document/parsed_json.h"
#include "document/text.h"

/* The JSON of an answer, and the list of it that is being read. */
struct slurm_json {
	struct document *input;
	const struct parsed *root;	/* belongs to need_memory.h */
	const char *name;	/* of the list, for errors */
	const struct parsed *list;	/* NULL: the answer lacks it, so that it is empty */
	const struct parsed *element;	/* that is being read; NULL: none, or all have been */
	size_t i;			/* its index */
};

/* From here on, a number means no limit or no value. */
#define SLURM_JSON_NO_LIMIT 4294967294.

/* Parses a loaded input. No list is chosen yet. Fails, see wrong_at(), if the input is not JSON, or
 * has nothing but an error of slurmrestd. */
struct slurm_json slurm_json_load(struct document *input);
/* Chooses the list that the member `name` of an object is; it is empty without the member. Fails if
 * the member is not a list of objects. */
void slurm_json_choose(struct slurm_json *json, const struct parsed *object, const char *name);
/* Moves to the next element of the list, at first to the first one. Returns false behind the last,
 * and the next call then begins again. */
bool slurm_json_next(struct slurm_json *json);
/* Returns the index in `names`, which end with NULL, of the first key at the top of the answer that
 * is one of them; SIZE_MAX: the text that is loaded has none. For an object with "format" that is
 * SIZE_MAX, too: it is fathom's own. */
size_t slurm_json_top(const struct document *input, const char *const *names);

/* The following functions find a value in the element that is being read by its path, such as
 * "priority/job_factor". They fail, see slurm_json_wrong(), if it has the wrong type. */

/* Returns the value; NULL: it is missing or null. */
const struct parsed *slurm_json_at(const struct slurm_json *json, const char *path);
/* Fails, see wrong_at(), with "NAME[i]: 'path' RIGHT". */
_Noreturn void slurm_json_wrong(const struct slurm_json *json, const char *path, const char *right);
/* Returns a text; if it is missing or empty, an empty piece whose `at` is NULL. */
struct piece slurm_json_text(const struct slurm_json *json, const char *path);
/* Returns a number: 5, "5", or {"set": true, "infinite": false, "number": 5}. NAN: it is missing or
 * not set. INFINITY: it is infinite. */
double slurm_json_number(const struct slurm_json *json, const char *path);
/* Returns a number of 0 or more; `standard` if it is missing, not set, or means no limit. */
double slurm_json_amount(const struct slurm_json *json, const char *path, double standard);
/* Returns raw shares, or FATHOM_SHARES_PARENT; 1 if they are missing or not set, as the root's
 * are. */
uint32_t slurm_json_shares(const struct slurm_json *json, const char *path);
/* Fails if `accounts` has the name of the account that the element is. */
void slurm_json_check_account(const struct slurm_json *json,
			      const struct name_index *accounts, struct piece name);
/* Fails if the element is of another cluster than *first, that of the first element that names one;
 * empty before the first call. */
void slurm_json_check_cluster(const struct slurm_json *json, struct piece *first);
/* Returns whether a value is this text, or a list that has it. value: may be NULL. */
bool slurm_json_has_word(const struct parsed *value, const char *word);
