/* SPDX-License-Identifier: GPL-2.0-or-later */
/* fathom prio --policy of a running cluster: which settings and which factors a policy gets. */
#include "../unit.h"

#include "cli/jobs/command_jobs.h"
#include "format/tree_builder.h"
#include "memory/need_memory.h"

#define WEIGHT 1000
#define USED "ann"	/* all usage is hers */

/* A cluster under fair-tree, with classic as the shadow policy, and a job of ann. */
struct cluster {
	struct live live;
	struct job_list list;
};

static void add_node(struct tree_builder *builder, int64_t id, int64_t parent, const char *name,
		     double usage)
{
	const struct fathom_row row = {
		.id = id, .parent_id = parent, .is_root = id == 1, .raw_shares = 1, .usage = usage,
		.kind = id > 2 ? FATHOM_USER : FATHOM_ACCOUNT,
	};

	tree_builder_add(builder, NULL, 0, &row, piece_of(name), piece_of(NULL));
}

static void read_tree(struct snapshot *snapshot)
{
	struct tree_builder builder = { NULL };

	add_node(&builder, 1, 0, "root", 0);
	add_node(&builder, 2, 1, "physics", 0);
	add_node(&builder, 3, 2, USED, 600);
	add_node(&builder, 4, 2, "bob", 0);
	tree_builder_finish(&builder, NULL, PARTITIONS_KNOWN, snapshot);
}

/* shadow_setting: see unit_settings() */
static void cluster_create(struct cluster *cluster, const char *shadow_setting)
{
	struct recorded_pass *pass = &cluster->live.pass;
	struct job_row *row;

	memset(cluster, 0, sizeof(*cluster));
	read_tree(&cluster->live.snapshot);
	pass->in_force.policy = fathom_policy_find("fair-tree");
	pass->in_force.settings = unit_settings(pass->in_force.policy, NULL);
	pass->shadow.policy = fathom_policy_find("classic");
	pass->shadow.settings = unit_settings(pass->shadow.policy, shadow_setting);
	job_list_create(&cluster->list, 0);
	cluster->list.weight[JOB_FAIRSHARE] = WEIGHT;
	row = job_list_add(&cluster->list);
	row->user = USED;
	row->account = "physics";
}

/* Returns the fair-share term of the job under a policy. */
static double recompute(struct cluster *cluster, const char *policy)
{
	const struct sets none = { .count = 0 };
	struct job_rule rule = { .snapshot = &cluster->live.snapshot,
				 .policy = fathom_policy_find(policy) };
	bool by_policy = false;

	recompute_live_jobs(&cluster->list, &cluster->live, &none, &rule, &by_policy);
	return cluster->list.row[0].weighted.factor[JOB_FAIRSHARE];
}

/* Without FiguresFile: 2^(-1 / 0.5 / dampening factor), of ann, who has half of the shares. */
static const struct { const char *policy, *shadow_setting; double factor; } settings[] = {
	{ "classic", NULL, 0.25 },
	{ "classic", "dampening_factor=2", 0.5 },
	{ "classic", "dampening_factor=4", 0.7071067811865476 },
};
TEST_EACH(the_shadow_policy_gets_the_settings_that_it_has_in_the_cluster, settings)
{
	struct cluster cluster;

	cluster_create(&cluster, settings[_i].shadow_setting);
	unit_assert_near(recompute(&cluster, settings[_i].policy), WEIGHT * settings[_i].factor,
			 "fair-share term", settings[_i].policy);
	need_give_back();
}

/* With FiguresFile: its figures, which may be of another second than the usage here. */
static const struct { const char *policy; double factor; } recorded[] = {
	{ "classic", 0.375 },
	{ "depth-oblivious", 0.25 },	/* neither in force nor the shadow: evaluated */
};
TEST_EACH(the_shadow_policy_gets_the_factors_that_the_cluster_has_computed, recorded)
{
	double factor[] = { 0.375, 0.375, 0.375, 0.375 };
	struct cluster cluster;

	cluster_create(&cluster, NULL);
	cluster.live.pass.shadow.columns.factor = factor;
	unit_assert_near(recompute(&cluster, recorded[_i].policy), WEIGHT * recorded[_i].factor,
			 "fair-share term", recorded[_i].policy);
	need_give_back();
}

/* As under flux without a weight of fair share: no term tells the factor, unless a job has one. */
static const struct { bool is_set; const char *user; double before; bool lacks; double after; }
incomplete[] = {
	{ false, USED, NAN, true, 0.375 },
	{ false, USED, 0.5, false, 0.5 },
	{ true, USED, NAN, false, NAN },	/* by an administrator */
	{ true, USED, 0.5, false, 0.5 },
	{ false, "eve", NAN, true, NAN },	/* of no association */
};
TEST_EACH(jobs_that_lack_a_factor_get_that_of_their_association, incomplete)
{
	const double factor[] = { 0.125, 0.25, 0.375, 0.5 };
	struct cluster cluster;
	struct job_row *row;

	cluster_create(&cluster, NULL);
	row = cluster.list.row;
	row->is_set = incomplete[_i].is_set;
	row->user = incomplete[_i].user;
	row->plain.factor[JOB_FAIRSHARE] = incomplete[_i].before;
	row->weighted.factor[JOB_FAIRSHARE] = WEIGHT * incomplete[_i].before;
	ck_assert_int_eq(job_list_lacks_fairshare(&cluster.list), incomplete[_i].lacks);
	job_list_complete_fairshare(&cluster.list, &cluster.live.snapshot, factor);
	unit_assert_near(row->plain.factor[JOB_FAIRSHARE], incomplete[_i].after, "factor",
			 row->user);
	unit_assert_near(row->weighted.factor[JOB_FAIRSHARE], WEIGHT * incomplete[_i].after,
			 "fair-share term", row->user);
	need_give_back();
}
