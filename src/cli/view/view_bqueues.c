/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints queues as LSF's bqueues does: with -l the fair share of each. The queues are the
 * partitions of scopes; without scopes the tree of all jobs is that of one queue. */
#include "cli/views.h"

#include "cli/print_text.h"
#include "cli/view/bqueues.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct printing {
	const struct bqueues_options *options;
	size_t count;	/* queues that were printed */
};

/* Figures are of all queues of a scope, so that they are those of a queue only if it is alone. */
static struct bqueues_row row_of(const struct lsf_place *place, const struct evaluated_tree *tree,
				 const char *name)
{
	bool is_alone = place->partition_count < 2;
	const double unknown = (double)NAN;

	return (struct bqueues_row){
		.name = name, .priority = unknown, .limit = unknown, .jobs = unknown,
		.pending = unknown, .running = is_alone ? lsf_started(tree) : unknown,
		.reserved = is_alone ? lsf_reserved(tree) : unknown,
	};
}

/* Prints the queues that share one tree, the master queue first. */
static void print_set(const struct lsf_place *place)
{
	const char *master = place->text[SCOPE_MASTER_QUEUE];
	const char *order = place->text[SCOPE_DISPATCH_ORDER];

	if (place->partition_count > 1) {
		printf("FAIRSHARE_QUEUES:");
		if (master)
			print_behind(" ", master);
		for (size_t i = 0; i < place->partition_count; i++)
			if (!master || strcmp(master, place->partition[i]))
				print_behind(" ", place->partition[i]);
		putchar('\n');
	}
	if (order && !strcmp(order, LSF_QUEUE_FIRST))
		printf("DISPATCH_ORDER: QUEUE\n");
}

static void print_long(const struct printing *printing, const struct lsf_place *place,
		       const struct evaluated_tree *tree, const struct bqueues_row *row)
{
	const char *shares = place->text[SCOPE_USER_SHARES], *hosts = place->text[SCOPE_HOSTS];

	bqueues_print_parameters(row, !printing->count);
	printf("\nSCHEDULING POLICIES: FAIRSHARE\n");
	print_set(place);
	print_labelled("USER_SHARES: ", shares ? shares : LSF_UNKNOWN);
	lsf_shares_print(tree, row->name, printing->options->is_recursive, true);
	printf("\nUSERS: " LSF_UNKNOWN "\n");
	print_labelled("HOSTS: ", hosts ? hosts : LSF_UNKNOWN);
}

static void print_short(const struct printing *printing, const struct bqueues_row *row)
{
	if (!printing->count)
		bqueues_print_heading();
	bqueues_print_row(row, printing->options->is_wide);
}

static void print_place(void *context, const struct lsf_place *place,
			const struct evaluated_tree *tree)
{
	struct printing *printing = context;
	const char *name;

	for (size_t i = 0; (name = lsf_place_name(place, false, i)); i++) {
		const struct bqueues_row row = row_of(place, tree, name);

		if (!lsf_is_wanted(printing->options->name, name))
			continue;
		if (printing->options->is_long)
			print_long(printing, place, tree, &row);
		else
			print_short(printing, &row);
		printing->count++;
	}
}

static void check(void *given)
{
	struct bqueues_options *options = given;

	options->is_long |= options->is_recursive;
}

static void print(const void *given, const struct tree_source *source,
		  const struct tree_options *how)
{
	const struct bqueues_options *options = given;
	struct printing printing = { .options = options };
	const struct lsf_request request = { false, options->name, print_place, &printing };

	lsf_places_print(&request, source, how);
}

const struct view view_bqueues = {
	.tool = "bqueues",
	.policy = "lsf",
	.options = &bqueues_shares_table,
	.size = sizeof(struct bqueues_options),
	.check = check,
	.print_source = print,
};
