/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Sums up waits and slowdowns when jobs start, and at each pass compares what nodes have used with
 * their shares. Only nodes with demand count, those with jobs that wait or run: each has a part of
 * what all of them have used, and a part of all their shares:
 *
 *	node	used	part	share	part	difference
 *	ada	300	0.75	0.2	0.5	0.25
 *	bob	100	0.25	0.2	0.5	0.25	share error: half of the sum, 0.25
 *
 * Jain's index is (sum of x)^2 / (n * sum of x^2) over x = part used / part of shares.
 */
#include "replay/replay_figures.h"

#include "memory/need_memory.h"
#include "replay/replay_rules.h"

#include <math.h>

#define SHORTEST_RUN 10	/* seconds; shorter runs count as this long in the bounded slowdown */

#define WEEK (7 * 86400.)	/* seconds */
#define ROUNDING 1e-12	/* relative; parts that differ by less are equal */

void replay_figures_create(struct replay_figures *figures, const struct replay_rules *rules,
			   const struct fathom_tree *tree)
{
	const struct fathom_tree *measured = rules->measured ? rules->measured : tree;
	size_t nodes = fathom_tree_count(tree);

	*figures = (struct replay_figures){ .nodes = nodes };
	figures->node = need_zeros(nodes, sizeof(*figures->node));
	figures->demanding = need_zeros(nodes, sizeof(*figures->demanding));
	figures->share = need_zeros(nodes, sizeof(*figures->share));
	for (size_t node = 0; node < nodes; node++)
		figures->share[node] = fathom_tree_norm_shares(measured, node);
	usage_series_create(&figures->series, nodes);
	yardstick_create(&figures->yardstick, nodes, rules->yardstick);
}

void replay_figures_begin(struct replay_figures *figures, double time, double warm_up)
{
	figures->clock_begin = figures->last_end = time;
	figures->measured_from = time + warm_up;
	figures->yardstick.epoch = time;
}

/* Returns the week of a time, which must not be in the warm-up. Adds all weeks up to it that are
 * missing. */
static struct week_figures *week_of(struct replay_figures *figures, double time)
{
	size_t at = (size_t)fmin((time - figures->measured_from) / WEEK, MOST_WEEKS - 1);

	figures->week = need_room(figures->week, &figures->week_room, at + 1,
				  sizeof(*figures->week));
	while (figures->week_count <= at)
		figures->week[figures->week_count++] = (struct week_figures){ 0 };
	return &figures->week[at];
}

/* ---- jobs -------------------------------------------------------------------------------- */

void replay_figures_submit(struct replay_figures *figures, uint32_t node)
{
	struct node_figures *own = &figures->node[node];

	if (!own->waiting++)
		figures->waiting_nodes++;
	if (own->live++)
		return;
	own->demand_place = figures->demanding_count;
	figures->demanding[figures->demanding_count++] = node;
}

/* Adds a job that starts to the figures of its node. */
static void add_to_node(struct node_figures *node, double wait, double slowdown)
{
	node->jobs++;
	node->wait += wait;
	node->slowdown += slowdown;
	node->longest_wait = fmax(node->longest_wait, wait);
}

void replay_figures_start(struct replay_figures *figures, const struct replay_job *job,
			  double start)
{
	double wait = start - job->submit, end = start + job->run;
	double used = job->cpus * fmax(end - fmax(start, figures->measured_from), 0);
	double slowdown = fmax((wait + job->run) / fmax(job->run, SHORTEST_RUN), 1);
	struct week_figures *week;

	yardstick_take(&figures->yardstick, job->node, job->cpus, start);
	if (!--figures->node[job->node].waiting)
		figures->waiting_nodes--;
	figures->last_end = fmax(figures->last_end, end);
	figures->cpu_seconds += used;
	figures->node[job->node].cpu_seconds += used;
	if (job->submit < figures->measured_from)
		return;
	figures->jobs++;
	figures->wait += wait;
	figures->slowdown += slowdown;
	add_to_node(&figures->node[job->node], wait, slowdown);
	wait_times_add(&figures->waits, wait);
	week = week_of(figures, job->submit);
	week->jobs++;
	week->wait += wait;
	week->slowdown += slowdown;
}

void replay_figures_end(struct replay_figures *figures, const struct replay_job *job, double end)
{
	uint32_t node = job->node, last;
	size_t place = figures->node[node].demand_place;

	yardstick_take(&figures->yardstick, node, -(double)job->cpus, end);
	if (--figures->node[node].live)
		return;
	/* the node leaves the list of those with demand, and the last one takes its place */
	last = figures->demanding[--figures->demanding_count];
	figures->demanding[place] = last;
	figures->node[last].demand_place = place;
}

/* ---- passes ------------------------------------------------------------------------------ */

/* Notes a pass in the figures of a node with demand. used, share: its parts of those of all such
 * nodes; period: seconds. */
static void note_demand(struct node_figures *figures, double used, double share, double period)
{
	figures->demand += period;
	if (figures->waiting && used < share * (1 - ROUNDING))
		figures->below_share += period;
}

/* Adds the share error and Jain's index of a pass. */
static void add_pass(struct replay_figures *figures, double time, double error, double jain)
{
	struct week_figures *week = week_of(figures, time);

	figures->passes++;
	figures->error_sum += error;
	figures->jain_sum += jain;
	week->passes++;
	week->share_error += error;
	week->jain += jain;
}

/* Compares what nodes have used with their shares at a pass. integral: that of the yardstick at
 * `time`; period: seconds between passes. */
static void measure(struct replay_figures *figures, double integral, double time, double period)
{
	const struct yardstick *usage = &figures->yardstick;
	double all_usage = 0, all_shares = 0, error = 0;
	double ratios = 0, squares = 0, with_shares = 0;	/* for Jain's index */

	for (size_t i = 0; i < figures->demanding_count; i++) {
		all_usage += yardstick_used(usage, figures->demanding[i], integral);
		all_shares += figures->share[figures->demanding[i]];
	}
	if (!(all_usage > 0) || !(all_shares > 0))
		return;
	for (size_t i = 0; i < figures->demanding_count; i++) {
		uint32_t node = figures->demanding[i];
		double used = yardstick_used(usage, node, integral) / all_usage;
		double share = figures->share[node] / all_shares;
		double ratio = share > 0 ? used / share : 0;

		error += fabs(used - share);
		with_shares += share > 0;
		ratios += ratio;
		squares += ratio * ratio;
		note_demand(&figures->node[node], used, share, period);
	}
	add_pass(figures, time, error / 2,
		 squares > 0 ? ratios * ratios / (with_shares * squares) : 1);
}

void replay_figures_pass(struct replay_figures *figures, const uint32_t *account, double time,
			 double period)
{
	double integral = yardstick_integral(&figures->yardstick, time);

	usage_series_add(&figures->series, account, &figures->yardstick, integral, time);
	if (time >= figures->measured_from)
		measure(figures, integral, time, period);
}

/* ---- the end ----------------------------------------------------------------------------- */

/* Returns the part of the time with demand that a node was below its share, as a mean over
 * nodes. */
static double mean_below_share(const struct replay_figures *figures)
{
	double sum = 0, count = 0;

	for (size_t i = 0; i < figures->nodes; i++) {
		const struct node_figures *node = &figures->node[i];

		if (!(node->demand > 0))
			continue;
		sum += node->below_share / node->demand;
		count++;
	}
	return count > 0 ? sum / count : NAN;
}

void replay_figures_finish(struct replay_figures *figures, uint64_t cpus)
{
	double jobs = (double)figures->jobs, passes = (double)figures->passes;

	wait_times_settle(&figures->waits);
	figures->mean_wait = figures->wait / jobs;
	figures->mean_bounded_slowdown = figures->slowdown / jobs;
	figures->median_wait = wait_times_quantile(&figures->waits, 50);
	figures->p95_wait = wait_times_quantile(&figures->waits, 95);
	figures->longest_wait = wait_times_quantile(&figures->waits, 100);
	figures->makespan = fmax(figures->last_end - figures->measured_from, 0);
	figures->utilization = figures->cpu_seconds / ((double)cpus * figures->makespan);
	figures->share_error = figures->error_sum / passes;
	figures->jain = figures->jain_sum / passes;
	figures->below_share = mean_below_share(figures);
}

void node_figures_add(struct node_figures *to, const struct node_figures *from)
{
	to->jobs += from->jobs;
	to->wait += from->wait;
	to->slowdown += from->slowdown;
	to->longest_wait = fmax(to->longest_wait, from->longest_wait);
	to->cpu_seconds += from->cpu_seconds;
	to->demand += from->demand;
	to->below_share += from->below_share;
	to->usage += from->usage;
}
