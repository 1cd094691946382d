/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * The list for sprio is made in slices. When an event comes between two slices, each row
 * must be as it was before the event or as it is after it, and no row may point to
 * memory that slurmctld has freed meanwhile.
 */
#include "scenario/events.h"
#include "scenario/host_suite.h"

#include <sys/mman.h>
#include <sys/wait.h>

#define ROWS_MAX 1024

/* Of each request, if it has more steps. Each step that is tried is a process of its own, which
 * takes ten times as long with AddressSanitizer. */
#ifdef __SANITIZE_ADDRESS__
#define STEPS_TRIED 1
#else
#define STEPS_TRIED 3
#endif

/* ---- rows, as slurmctld packs them --------------------------------------------------- */

struct row {
	uint32_t job_id;
	char partition[32], text[512];
};

struct rows {
	size_t count;
	struct row row[ROWS_MAX];
};

static void take_row(struct rows *rows, priority_factors_object_t *object)
{
	const compat_factors *factors = compat_factors_of_object(object);
	struct row *row = &rows->row[rows->count++];
	int length;

	if (rows->count == ROWS_MAX)
		host_die("more than %d rows", ROWS_MAX);
	row->job_id = host_job_of_object(object);
	snprintf(row->partition, sizeof(row->partition), "%.31s", object->partition);
	length = snprintf(row->text, sizeof(row->text),
			  "%u %.31s %g %g %g %g %g %g %g %u %u", row->job_id, object->partition,
			  object->direct_prio, factors->priority_age, factors->priority_assoc,
			  factors->priority_fs, factors->priority_js, factors->priority_part,
			  factors->priority_qos, factors->priority_site, factors->nice);
	for (uint32_t i = 0; factors->priority_tres && i < factors->tres_cnt; i++)
		length += snprintf(row->text + length, sizeof(row->text) - (size_t)length, " %g",
				   factors->priority_tres[i]);
}

static void take_rows(compat_list list, void *rows)
{
	compat_iterator iterator;
	priority_factors_object_t *object;

	((struct rows *)rows)->count = 0;
	if (!list)
		return;
	iterator = list_iterator_create(list);
	while ((object = list_next(iterator)))
		take_row(rows, object);
	list_iterator_destroy(iterator);
}

static const struct row *find_row(const struct rows *rows, const struct row *wanted)
{
	for (size_t i = 0; i < rows->count; i++)
		if (rows->row[i].job_id == wanted->job_id &&
		    !strcmp(rows->row[i].partition, wanted->partition))
			return &rows->row[i];
	return NULL;
}

static bool is_in(const struct rows *rows, const struct row *row)
{
	const struct row *found = find_row(rows, row);

	return found && !strcmp(found->text, row->text);
}

/* ---- requests ---------------------------------------------------------------------------- */

static const struct query {
	const char *name, *lines;
	char *partitions;
	bool by_coordinator;	/* of the first user's account */
} queries[] = {
	{ "all jobs", "", NULL, false },
	{ "jobs of two partitions", "", "spare,gpu", false },
	{ "jobs that a coordinator may see", "PrivateData=jobs\n", NULL, true },
};
#define QUERIES (sizeof(queries) / sizeof(*queries))

struct request {
	const struct query *query;
	uid_t uid;
	struct rows *rows;
};

static void serve(void *argument)
{
	const struct request *request = argument;

	host_serve_sprio(request->uid, request->query->partitions, take_rows, request->rows);
}

static const struct host_association *first_user(void)
{
	size_t count;
	struct host_association **all = host_associations(&count);

	for (size_t i = 0; i < count; i++)
		if (all[i]->user)
			return all[i];
	host_die("there are no users");
}

static void open_cluster(const struct query *query)
{
	host_configure("PriorityDecayHalfLife=0-2\nPriorityCalcPeriod=5\nPriorityMaxAge=7-0\n"
		       "PriorityWeightAge=1000\nPriorityWeightFairshare=100000\n"
		       "PriorityWeightPartition=1000\nPriorityWeightQOS=2000\n"
		       "PriorityWeightTRES=CPU=10,GRES/gpu=20\n%s", query->lines);
	events_grow();
	host_open();
	events_populate();
}

/* ---- an event between two slices ------------------------------------------------------ */

static void happen(void *event)
{
	((const struct event *)event)->happen();
}

static unsigned count_wrong(const struct rows *before, const struct rows *after,
			    const struct rows *beside, const char *what)
{
	unsigned wrong = 0;

	for (size_t i = 0; i < beside->count; i++) {
		const struct row *row = &beside->row[i];

		if ((is_in(before, row) || is_in(after, row)) && find_row(beside, row) == row)
			continue;
		fprintf(stderr, "%s: a row is neither of before nor of after, or comes twice: %s\n",
			what, row->text);
		wrong++;
	}
	for (size_t i = 0; i < before->count; i++) {
		const struct row *row = &before->row[i];

		if (!find_row(after, row) || find_row(beside, row))
			continue;
		fprintf(stderr, "%s: a row is lost: %s\n", what, row->text);
		wrong++;
	}
	return wrong;
}

/* The request's steps; wrong rows end the process. step 0: nothing happens. */
static uint64_t disturb(const struct query *query, const struct event *event, uint64_t step)
{
	static struct rows before, beside, after;
	struct request request = { query, 0, &before };
	char what[256];
	uint64_t steps;

	if (query->by_coordinator) {
		request.uid = first_user()->record->uid;
		host_make_coordinator(request.uid, first_user()->account);
	}
	host_short_slices(true);
	host_load(FATHOM_PLUGIN);
	host_request(serve, &request);
	steps = host_last_pass()->steps;
	request.rows = &beside;
	if (step)
		host_beside_pass(step, happen, (void *)event);
	host_request(serve, &request);
	if (step && event->flags & EVENT_WAKES)
		host_await_pass();
	request.rows = &after;
	host_request(serve, &request);
	snprintf(what, sizeof(what), "%s, %s at step %llu of %llu", query->name,
		 event->name, (unsigned long long)step, (unsigned long long)steps);
	if (!before.count || count_wrong(&before, &after, &beside, what))
		host_die("%s: rows are wrong; %zu before, %zu after", what, before.count,
			 after.count);
	if (!host_close())
		host_die("%s: a lock is still held", what);
	return steps;
}

/* In a process of its own; the request's steps. */
static uint64_t run(const struct query *query, const struct event *event, uint64_t step)
{
	uint64_t *steps = mmap(NULL, sizeof(*steps), PROT_READ | PROT_WRITE,
			       MAP_SHARED | MAP_ANONYMOUS, -1, 0), result;
	int status;
	pid_t child;

	ck_assert(steps != MAP_FAILED);
	fflush(NULL);
	child = fork();
	if (!child) {
		alarm(60);
		*steps = disturb(query, event, step);
		_exit(0);
	}
	ck_assert_msg(child > 0 && waitpid(child, &status, 0) == child && !status,
		      "%s: %s at step %llu has gone wrong (%x)", query->name, event->name,
		      (unsigned long long)step, status);
	result = *steps;
	munmap(steps, sizeof(*steps));
	return result;
}

TEST_LOOP(rows_are_true_whatever_happens_between_two_slices, QUERIES * event_count)
{
	const struct query *query = &queries[(size_t)_i / event_count];
	const struct event *event = &events[(size_t)_i % event_count];
	uint64_t steps, stride;

	if (query->partitions && !HOST_FILTERS_LIST)
		return;
	open_cluster(query);
	steps = run(query, event, 0);
	/* a request has some steps for each job: each event and query tries others of them */
	stride = suite_stride(1 + (unsigned)steps / STEPS_TRIED);
	for (uint64_t step = 1 + (uint64_t)_i % stride; step <= steps; step += stride)
		run(query, event, step);
}

/* ---- between the last slice and packing ------------------------------------------------ */

static void replace_and_take_rows(compat_list list, void *rows)
{
	if (!SLURM_LOCKS_FACTORS_LIST)	/* else slurmctld holds them */
		host_replace_partitions();
	take_rows(list, rows);
}

TEST(names_of_partitions_live_as_long_as_the_list)
{
	static struct rows before, after;

	open_cluster(&queries[0]);
	host_load(FATHOM_PLUGIN);
	host_serve_sprio(0, NULL, take_rows, &before);
	ck_assert_uint_gt(before.count, 256);
	host_serve_sprio(0, NULL, replace_and_take_rows, &after);
	ck_assert_uint_eq(after.count, before.count);
	for (size_t i = 0; i < before.count; i++)
		ck_assert_str_eq(after.row[i].text, before.row[i].text);
}

/* ---- PrivateData=jobs ---------------------------------------------------------------------- */

static struct host_association *anna, *bert, *carl;	/* bert and carl are of one account */

static void open_private_cluster(void)
{
	struct host_association *physics, *chemistry;

	host_configure("PriorityWeightFairshare=1000\nPrivateData=jobs\n");
	physics = host_account(host_root(), "physics", 1);
	chemistry = host_account(host_root(), "chemistry", 1);
	anna = host_user(physics, "anna", 1);
	bert = host_user(chemistry, "bert", 1);
	carl = host_user(chemistry, "carl", 1);
	host_open();
	host_job(&(struct host_job){ .user = anna });
	host_job(&(struct host_job){ .user = bert });
	host_job(&(struct host_job){ .user = carl });
	host_load(FATHOM_PLUGIN);
}

static size_t rows_for(const struct host_association *user)
{
	static struct rows rows;

	host_serve_sprio(user->record->uid, NULL, take_rows, &rows);
	return rows.count;
}

TEST(private_jobs_are_shown_to_owner_operator_and_coordinator)
{
	open_private_cluster();
	host_make_operator(anna->record->uid);
	host_make_coordinator(bert->record->uid, "chemistry");
	ck_assert_uint_eq(rows_for(anna), 3);
	ck_assert_uint_eq(rows_for(bert), 2);
	ck_assert_uint_eq(rows_for(carl), 1);
}

#if !SLURM_LOCKS_FACTORS_LIST
static bool has_labels;

/* Instead of libslurmfull's: as mcs/account does, which asks assoc_mgr. Its
 * associations are locked before its QOS. */
__attribute__((visibility("default"))) int slurm_mcs_get_privatedata(void)
{
	return has_labels;
}

__attribute__((visibility("default"))) int mcs_g_check_mcs_label(uint32_t uid, char *label,
								 bool assoc_locked)
{
	slurmdb_assoc_rec_t wanted = { .acct = label, .uid = uid };

	return assoc_mgr_fill_in_assoc(NULL, &wanted, ACCOUNTING_ENFORCE_ASSOCS, NULL,
				       assoc_locked);
}

TEST(labels_are_compared_while_assoc_mgr_is_not_locked)
{
	compat_iterator iterator;
	job_record_t *job;

	open_private_cluster();
	has_labels = true;
	iterator = list_iterator_create(job_list);
	while ((job = list_next(iterator)))
		job->mcs_label = xstrdup(job->account);
	list_iterator_destroy(iterator);
	ck_assert_uint_eq(rows_for(anna), 1);
	ck_assert_uint_eq(rows_for(bert), 2);
}
#endif
