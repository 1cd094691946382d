/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "records/heirs.h"

#define NOBODY 0	/* the id of no association: stands for an heir that does not exist */

int heirs_add(struct heirs *heirs, uint32_t id, uint32_t account)
{
	return id_index_put(&heirs->account_of, id, account);
}

void heirs_clear(struct heirs *heirs)
{
	id_index_clear(&heirs->account_of);
}

/* Notes the heir for all rows from that of `id` up to the heir, so that the next search from any of
 * them takes one step. */
static void shorten(struct heirs *heirs, uint32_t id, uint32_t heir)
{
	uint32_t account;

	while (id_index_find(&heirs->account_of, id, &account) && account != heir) {
		id_index_put(&heirs->account_of, id, heir);
		id = account;
	}
}

bool heirs_find(struct heirs *heirs, uint32_t id, uint32_t *node)
{
	bool exists = heirs->find_node(heirs->context, id, node);
	size_t steps_left = heirs->account_of.count;	/* the longest way up without a ring */
	uint32_t heir;

	if (exists || !id_index_find(&heirs->account_of, id, &heir))
		return exists;
	do
		exists = heirs->find_node(heirs->context, heir, node);
	while (!exists && --steps_left && id_index_find(&heirs->account_of, heir, &heir));
	if (!exists) {		/* no account above exists; or the rows make a ring, as in a damaged
				 * file */
		heir = NOBODY;
		*node = HEIRS_ROOT;
	}
	shorten(heirs, id, heir);
	return true;
}
