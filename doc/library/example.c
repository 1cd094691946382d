/* Fair-share factors of three users, and the priority of a job of each. */
#include <fathom.h>

#include <stdio.h>

static const char *const names[] = { "root", "physics", "ada", "maths",
				     "emmy", "felix" };
static const struct fathom_row rows[] = {
	{ .id = 1, .is_root = true },
	{ .id = 2, .parent_id = 1, .raw_shares = 60 },
	{ .id = 3, .parent_id = 2, .raw_shares = 1,
	  .kind = FATHOM_USER, .usage = 120000 },
	{ .id = 4, .parent_id = 1, .raw_shares = 40 },
	{ .id = 5, .parent_id = 4, .raw_shares = 3,
	  .kind = FATHOM_USER, .usage = 60000 },
	{ .id = 6, .parent_id = 4, .raw_shares = 1,
	  .kind = FATHOM_USER, .usage = 20000 },
};
#define COUNT (sizeof(rows) / sizeof(*rows))

/* Of a job that has waited for a day of the seven that count. */
static unsigned priority_of_job(double fairshare)
{
	const struct fathom_priority_config config = {
		.weight = { .age = 1000, .fairshare = 10000 },
		.max_age = 7 * 86400,
	};
	const struct fathom_queue queue = { .partition_norm = 0 };
	const struct fathom_job job = { .age = 86400, .fairshare = fairshare };
	struct fathom_factors terms;

	terms = fathom_job_factors(&config, &job, &queue, NULL);
	return fathom_priority_sum(&terms, NULL);
}

static void print_users(const struct fathom_tree *tree,
			const struct fathom_result *result)
{
	for (size_t row = 0; row < COUNT; row++) {
		size_t node = fathom_tree_node_of_row(tree, row);
		double factor = fathom_result_factor(result)[node];

		if (rows[row].kind == FATHOM_USER)
			printf("%-5s  shares %.2f  factor %.3f  priority %u\n",
			       names[row], fathom_tree_norm_shares(tree, node),
			       factor, priority_of_job(factor));
	}
}

int main(void)
{
	const struct fathom_policy *policy = fathom_policy_find("classic");
	struct fathom_tree *tree = NULL;
	struct fathom_settings *settings = NULL;
	struct fathom_result *result = NULL;
	struct fathom_error error;
	int status = 1;

	if (!(tree = fathom_tree_create(rows, COUNT, &error)) ||
	    !(settings = fathom_settings_create(policy, &error)) ||
	    fathom_settings_set(policy, settings,
				"dampening_factor", "2", &error) ||
	    !(result = fathom_result_create(policy, tree, &error))) {
		fprintf(stderr, "%s\n", error.text);
	} else {
		fathom_evaluate(result, tree, settings);
		print_users(tree, result);
		status = 0;
	}
	fathom_result_destroy(result);
	fathom_settings_destroy(settings);
	fathom_tree_destroy(tree);
	return status;
}
