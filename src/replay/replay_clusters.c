/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Gives the replays of several clusters one clock, see replay_advance(), and lets each charge book
 * count the usage of the others. */
#include "replay/replay_clusters.h"

#include "memory/need_memory.h"
#include "replay/replay_private.h"

struct replay_clusters {
	struct need_memory *memory;	/* holds the clusters and their replays */
	struct replay **at;		/* by cluster */
	size_t count;
	struct replay_figures figures;	/* of all clusters together */
};

/* Lets the usage of each cluster count in each other one. */
static void share_usage(struct replay_clusters *clusters)
{
	for (size_t i = 0; i < clusters->count; i++)
		for (size_t j = 0; j < clusters->count; j++) {
			struct replay *to = clusters->at[i], *from = clusters->at[j];

			if (i == j || !(from->rules.weight > 0))
				continue;
			charge_book_share(&to->book, &from->book, from->rules.weight);
			scopes_share(&to->scopes, &from->scopes, from->rules.weight);
		}
}

/* Gives all replays one clock, which begins at `begin`. */
static void join(struct replay_clusters *clusters, double begin)
{
	for (size_t i = 0; i < clusters->count; i++) {
		struct replay *replay = clusters->at[i];

		replay->memory = clusters->memory;
		replay->member = clusters->at;
		replay->members = clusters->count;
		replay->joint_figures = &clusters->figures;
		replay->arrival = begin;
		replay_begin(replay, begin);
	}
}

/* Makes the replays, and lets their clock begin. -1: EINVAL; the caller frees what was made. */
static int create(struct replay_clusters *clusters, const struct replay_rules *rules,
		  const struct fathom_tree *tree, double begin, struct fathom_error *error)
{
	clusters->at = need_zeros(clusters->count, sizeof(*clusters->at));
	for (size_t i = 0; i < clusters->count; i++)
		if (!(clusters->at[i] = replay_make(&rules[i], tree, error)))
			return -1;
	replay_figures_create(&clusters->figures, rules, tree);
	replay_figures_begin(&clusters->figures, begin, rules->warm_up);
	join(clusters, begin);
	share_usage(clusters);
	return 0;
}

struct replay_clusters *replay_clusters_create(const struct replay_rules *rules, size_t count,
					       const struct fathom_tree *tree, double begin,
					       struct fathom_error *error)
{
	struct need_memory *memory = need_memory_create(), *before = need_memory_use(memory);
	struct replay_clusters *clusters = need_zeros(1, sizeof(*clusters));
	int status;

	clusters->memory = memory;
	clusters->count = count;
	status = create(clusters, rules, tree, begin, error);
	need_memory_use(before);
	if (!status)
		return clusters;
	replay_clusters_destroy(clusters);
	return NULL;
}

void replay_clusters_destroy(struct replay_clusters *clusters)
{
	if (clusters)
		need_memory_destroy(clusters->memory);
}

struct replay *replay_clusters_at(const struct replay_clusters *clusters, size_t number)
{
	return clusters->at[number];
}

/* Adds the usage of each node in `from` to the same node's in `to`. */
static void add_usage(struct replay_figures *to, const struct replay_figures *from)
{
	for (size_t node = 0; node < to->nodes; node++)
		to->node[node].usage += from->node[node].usage;
}

void replay_clusters_finish(struct replay_clusters *clusters)
{
	struct need_memory *before = need_memory_use(clusters->memory);
	uint64_t cpus = 0;

	replay_advance(clusters->at[0], INFINITY);
	for (size_t i = 0; i < clusters->count; i++) {
		struct replay *replay = clusters->at[i];

		replay_settle_usage(replay, clusters->figures.last_end);
		replay_figures_finish(&replay->figures, replay->machine.cpus);
		add_usage(&clusters->figures, &replay->figures);
		cpus += replay->machine.cpus;
	}
	replay_figures_finish(&clusters->figures, cpus);
	need_memory_use(before);
}

const struct replay_figures *replay_clusters_figures(const struct replay_clusters *clusters)
{
	return &clusters->figures;
}
