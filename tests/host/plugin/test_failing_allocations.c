/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each test lets one allocation of the plugin fail after the other. Of those on the same call path,
 * which a step makes again or makes under another configuration, the first fails and some of the
 * others. The plugin must go on. When it has memory again, usage must be as if nothing had failed,
 * or the log must say that some usage is lost.
 */
#include "controller/host_internal.h"
#include "scenario/crash.h"
#include "scenario/sixteen_nodes.h"
#include "scenario/two_users.h"

#include <execinfo.h>
#include <link.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/wait.h>

#define SHOWN __attribute__((visibility("default")))	/* to the plugin */
#define ALLOCATIONS_MOST 2000	/* of one step; more would be without end */
#define STRIDE 12		/* between allocations that fail on known paths */
#define FRAMES 32

/* A sanitizer has an allocator of its own. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define REPLACED 0
#else
#define REPLACED 1
#endif

/* ---- the allocator ------------------------------------------------------------------ */

static uintptr_t plugin_begin, plugin_end;
static bool is_armed;
static unsigned met;		/* since it is armed */
static unsigned next;		/* as many have had their turn before */
static bool has_failed;
static struct paths {
	unsigned count;
	uint64_t path[ALLOCATIONS_MOST];
} of_test, *known = &of_test;

/* From `first` on, the next one fails that is due. */
static void arm(unsigned first)
{
	next = first;
	met = 0;
	has_failed = false;
	is_armed = true;
}

static void disarm(void)
{
	is_armed = false;
}

#if REPLACED
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static uint64_t path_of_plugin(void)
{
	void *frame[FRAMES];
	int count = backtrace(frame, FRAMES);
	uint64_t hash = UINT64_C(0xcbf29ce484222325);	/* FNV-1a, by words */

	for (int i = 0; i < count; i++)
		if ((uintptr_t)frame[i] - plugin_begin < plugin_end - plugin_begin)
			hash = (hash ^ ((uintptr_t)frame[i] - plugin_begin)) *
			       UINT64_C(0x100000001b3);
	return hash;
}

static bool is_new_path(void)
{
	uint64_t path = path_of_plugin();

	for (unsigned i = 0; i < known->count; i++)
		if (known->path[i] == path)
			return false;
	if (known->count < ALLOCATIONS_MOST)
		known->path[known->count++] = path;
	return true;
}

static bool is_due(void)
{
	if (!is_armed || met++ < next)
		return false;
	if (!is_new_path() && met % suite_stride(STRIDE))
		return false;
	next = met;
	is_armed = false;
	return has_failed = true;
}

static bool must_fail(const void *caller)
{
	uintptr_t from = (uintptr_t)caller;
	bool fails;

	if (from < plugin_begin || from >= plugin_end)
		return false;
	pthread_mutex_lock(&lock);
	fails = is_due();
	pthread_mutex_unlock(&lock);
	if (fails)
		errno = ENOMEM;
	return fails;
}

SHOWN void *malloc(size_t size)
{
	return must_fail(__builtin_return_address(0)) ? NULL : __libc_malloc(size);
}

SHOWN void *calloc(size_t count, size_t size)
{
	return must_fail(__builtin_return_address(0)) ? NULL : __libc_calloc(count, size);
}

SHOWN void *realloc(void *memory, size_t size)
{
	return must_fail(__builtin_return_address(0)) ? NULL : __libc_realloc(memory, size);
}

/* Those that follow would call libc's own malloc(). */

static char *copy_text(const char *text, size_t length, const void *caller)
{
	char *copy = must_fail(caller) ? NULL : __libc_malloc(length + 1);

	if (copy)
		copy[length] = '\0';
	return copy ? memcpy(copy, text, length) : NULL;
}

SHOWN char *strdup(const char *text)
{
	return copy_text(text, strlen(text), __builtin_return_address(0));
}

SHOWN char *strndup(const char *text, size_t most)
{
	return copy_text(text, strnlen(text, most), __builtin_return_address(0));
}

/* What asprintf() becomes under _FORTIFY_SOURCE. */
SHOWN int __asprintf_chk(char **text, int flag, const char *format, ...)
{
	va_list values;
	int length = -1;

	va_start(values, format);
	if (!must_fail(__builtin_return_address(0)))
		length = vasprintf(text, format, values);
	va_end(values);
	return length;
}

SHOWN FILE *open_memstream(char **text, size_t *size)
{
	static FILE *(*next_one)(char **text, size_t *size);

	if (!next_one)
		next_one = host_next_symbol("open_memstream");
	return must_fail(__builtin_return_address(0)) ? NULL : next_one(text, size);
}
#endif

static int find_plugin(struct dl_phdr_info *object, size_t size, void *unused)
{
	if (!strstr(object->dlpi_name, "priority_fathom"))
		return 0;
	for (int i = 0; i < object->dlpi_phnum; i++)
		if (object->dlpi_phdr[i].p_type == PT_LOAD && object->dlpi_phdr[i].p_flags & PF_X) {
			plugin_begin = object->dlpi_addr + object->dlpi_phdr[i].p_vaddr;
			plugin_end = plugin_begin + object->dlpi_phdr[i].p_memsz;
		}
	return 1;
}

/* ---- what is done without memory ------------------------------------------------------- */

static job_record_t *ending;
static unsigned round_of;	/* for names */

/* Usage as it should be; less where the log has told of a loss. */
static double of_anna, of_bert;

static struct host_association *add_user(void)
{
	char name[32];

	snprintf(name, sizeof(name), "new%u", round_of);
	return host_user(physics, name, 1);
}

static void pass_with_somebody_new(void)
{
	add_user();
	host_pass();
}

static struct host_association *going;

static void come(void)
{
	going = add_user();
	host_pass();
}

static void pass_without_somebody(void)
{
	host_remove(going);
	host_pass();
}

static void end_a_job(void)
{
	end_run(ending);
}

static void read_settings(void)
{
	priority_g_reconfig(false);
	host_await_pass();
}

#define OF_IMPORT 40		/* seconds that anna gets */

static const char *settings;	/* in force, without an import */

/* A file that has not been imported yet, by its time. */
static void write_import(void)
{
	char text[1024];

	snprintf(text, sizeof(text), "{\"format\": \"fathom-usage\", \"version\": 1, "
		 "\"time\": %ld, \"usage\": "
		 "[{\"account\": \"physics\", \"user\": \"anna\", \"usage\": %d}]}\n",
		 (long)host_now(), OF_IMPORT);
	write_file("usage.json", text);
	snprintf(text, sizeof(text), "%s\nImportUsage=%s\n", settings, in_folder("usage.json"));
	write_conf(text);
}

static void import(void)
{
	read_settings();
	of_anna += OF_IMPORT;
}

static void stop(void)
{
	host_close();
	disarm();
	host_load(FATHOM_PLUGIN);
}

static void submit_of_somebody_new(void)
{
	wait_in(add_user(), gpu);
}

static void begin_to_fail(void *unused)
{
	dl_iterate_phdr(find_plugin, NULL);
	arm(next);
}

/* Of a start, from where it has its settings. */
static void first_pass(void)
{
	disarm();
	crash();
	host_on_release(HOST_PART, READ_LOCK, 1, begin_to_fail, NULL);
	host_load(FATHOM_PLUGIN);
}

static void end_without_memory(void *unused)
{
	begin_to_fail(unused);
	end_run(ending);
}

/* Before the first pass of a start has put saved usage back. */
static void end_a_job_first(void)
{
	disarm();
	crash();
	host_on_release(HOST_PART, READ_LOCK, 1, end_without_memory, NULL);
	host_load(FATHOM_PLUGIN);
}

static job_record_t *brief;
static double of_brief;

static void run_briefly(void *unused)
{
	brief = run_in(anna, gpu, 1);
	host_advance(10);
	end_run(brief);
	of_anna += 10;
	of_brief = 10;
	begin_to_fail(unused);
}

/* After jobs have been gathered: the ledger has no row of the run, and it ends after the time of
 * the pass. */
static void run_in_mid_pass(void)
{
	disarm();
	host_on_release(HOST_JOB, READ_LOCK, 1, run_briefly, NULL);
	host_pass();
}

static const struct { const char *name; void (*step)(void), (*before)(void); } steps[] = {
	{ "a pass", host_pass, NULL },
	{ "a pass with somebody new", pass_with_somebody_new, NULL },
	{ "a pass without somebody", pass_without_somebody, come },
	{ "a job's end", end_a_job, NULL },
	{ "a reconfigure", read_settings, NULL },
	{ "a submission", submit_of_somebody_new, NULL },
	{ "a first pass", first_pass, NULL },
	{ "a job's end before the first pass", end_a_job_first, NULL },
	{ "a pass in which a job runs", run_in_mid_pass, NULL },
	{ "an import", import, write_import },
	{ "a stop", stop, NULL },
};
#define STEPS ((int)(sizeof(steps) / sizeof(*steps)))

#if HAS_FORMULAS
#define FORMULA "Formula=\"1 + age\""
#else
#define FORMULA ""
#endif
static const char *const confs[] = {
	"",
	"Policy=lsf FairshareAdjustmentFactor=1 " FORMULA "\nAdjust=" EXAMPLE "\n"
	"Scope=gpu Partitions=gpu\nShadowPolicy=pbs FairshareEntity=queue "
	"ResourceGroup=\"gpu root 1\"",
	"FiguresFile=fathom.json\nMetricsFile=fathom.prom MetricsUsers=top:1\n"
	"SlotPool=a Partition=gpu SlotShare=50\n"
	"SlotPool=a Partition=cpu SlotShare=50",
	"Policy=fcfs\nScope=h1 Hosts=n[0-3] Policy=lsf\nScope=h2 Hosts=\"all ~n[0-3]\" Policy=lsf",
};
#define CONFS ((int)(sizeof(confs) / sizeof(*confs)))

/* ---- what comes of it --------------------------------------------------------------------- */

static unsigned losses;

static void assert_usage(const struct host_association *user, double *expected, bool is_told,
			 int step)
{
	double usage = usage_of(user);

	if (is_told && usage < *expected)
		*expected = usage;
	ck_assert_msg(usage > *expected - 1e-3 && usage < *expected + 1e-3,
		      "%s without its allocation %u: %s has %g, not %g", steps[step].name, next,
		      user->user, usage, *expected);
}

/* Of the QOS of all jobs. */
static double of_qos;

static double usage_of_qos(void)
{
	return (double)host_find_qos("normal")->usage->usage_raw;
}

static void assert_qos(bool is_told, int step)
{
	double usage = usage_of_qos();

	if (is_told && usage < of_qos)
		of_qos = usage;
	ck_assert_msg(usage > of_qos - 1e-3 && usage < of_qos + 1e-3,
		      "%s without its allocation %u: the QOS has %g, not %g", steps[step].name,
		      next, usage, of_qos);
}

static void assert_all(double anna_more, double bert_more, int step)
{
	unsigned told = logged("out of memory") + logged("charges are lost");
	bool is_told = told > losses;

	losses = told;
	of_anna += anna_more;
	of_bert += bert_more;
	assert_usage(anna, &of_anna, is_told, step);
	assert_usage(bert, &of_bert, is_told, step);
	of_qos += anna_more + bert_more + of_brief;
	of_brief = 0;
	assert_qos(is_told, step);
}

/* A pool that was divided without memory is not published. */
static void assert_pools_are_whole(int step)
{
	const char *text = exists("fathom.json") ? file_text("fathom.json") : "";

	ck_assert_msg(!strstr(text, "{\"pool\": null") && !strstr(text, "\"slots\": 0,") &&
			      !strstr(text, "{\"name\": null, \"deserved\""),
		      "%s without its allocation %u: %s", steps[step].name, next, text);
}

/* False: none of the step that is due is left. */
static bool do_without(int step, job_record_t *running, bool killed)
{
	time_t begun = host_now();
	double cpus = running->total_cpus;

	if (steps[step].before)
		steps[step].before();
	ending = run_in(anna, gpu, 3);
	allocate_nodes(ending, 3, 3, 3);
	host_advance(10);
	begin_to_fail(NULL);
	steps[step].step();
	disarm();
	assert_pools_are_whole(step);
	if (killed)
		crash_and_restart();
	if (steps[step].step != end_a_job && steps[step].step != end_a_job_first)
		end_run(ending);
	host_pass();
	assert_all(3 * (double)(ending->end_time - ending->start_time),
		   cpus * (double)(host_now() - begun), step);
	host_job_purge(ending);
	if (brief)
		host_job_purge(brief);
	brief = NULL;
	return has_failed;
}

/* gpu is on hosts of two scopes, cpu on those of one, but where both are in a pool. */
static void open_cluster(const char *conf)
{
	two_users_grow("");
	host_passed_at(host_now());
	two_users_open();
	make_nodes();
	put_on_nodes(gpu, 0, 7);
	put_on_nodes(cpu, strstr(conf, "SlotPool") ? 0 : 4, 7);
	two_users_load(conf);
}

/* In memory that the tests of all configurations share: of each step, without and with a crash. */
static struct paths (*of_steps)[2];

static void __attribute__((constructor)) share_paths(void)
{
	of_steps = mmap(NULL, sizeof(*of_steps) * (size_t)STEPS, PROT_READ | PROT_WRITE,
			MAP_SHARED | MAP_ANONYMOUS, -1, 0);
}

static void go_through(int step, const char *conf, bool killed)
{
	job_record_t *running;

	if (!REPLACED)
		return;
	ck_assert(of_steps != MAP_FAILED);
	known = &of_steps[step][killed];
	settings = conf;
	open_cluster(conf);
	running = run_in(bert, gpu, 2);
	allocate_nodes(running, 3, 4, 1);
	for (int i = 0; i < 20; i++)
		wait_in(i % 2 ? anna : bert, i % 3 ? gpu : cpu);
	host_job(&(struct host_job){ .user = anna });	/* in the first partition */
	host_pass();
	ck_assert_uint_eq(logged("the defaults apply"), 0);
	of_bert = usage_of(bert);
	of_qos = usage_of_qos();
	while (do_without(step, running, killed))
		ck_assert_uint_lt(++round_of, ALLOCATIONS_MOST);
	crash_and_restart();
	assert_all(0, 0, step);
	ck_assert(host_close());
}

TEST_LOOP(no_allocation_that_fails_costs_usage_in_silence, STEPS * CONFS)
{
	go_through(_i % STEPS, confs[_i / STEPS], false);
}

/* What is saved without memory is right, or is not saved. */
TEST_LOOP(no_allocation_that_fails_costs_usage_in_a_crash, STEPS * CONFS)
{
	go_through(_i % STEPS, confs[_i / STEPS], true);
}

/* ---- a start from its very beginning ------------------------------------------------------- */

enum { RIGHT, WRONG, DIES, COMPLETE };	/* DIES: the stand-in, as slurmctld, without its plugin */

static void start_in_child(void)
{
	bool is_right;

	dl_iterate_phdr(find_plugin, NULL);
	arm(round_of);
	host_load(FATHOM_PLUGIN);
	disarm();
	host_pass();
	is_right = fabs(usage_of(anna) - 100) < 1e-3 && host_close();
	_exit(!is_right ? WRONG : has_failed ? RIGHT : COMPLETE);
}

static int start_without_memory(void)
{
	pid_t child = fork();
	int status;

	ck_assert_int_ge(child, 0);
	if (!child)
		start_in_child();
	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert(WIFEXITED(status));
	return WEXITSTATUS(status);
}

/* Slurm's loader tries a second time, with memory. */
TEST(start_without_memory_is_right_or_told)
{
	unsigned told = 0;
	int status;

	if (!REPLACED)
		return;
	two_users("", confs[1]);
	use(anna, gpu, 1, 100);
	host_pass();
	crash();
	while ((status = start_without_memory()) != COMPLETE) {
		ck_assert_msg(status == RIGHT || (status == DIES && logged("out of memory") > told),
			      "without allocation %u: status %d", round_of, status);
		told = logged("out of memory");
		ck_assert_uint_lt(++round_of, ALLOCATIONS_MOST);
	}
	ck_assert_uint_gt(told, 0);
}

/* ---- settings ------------------------------------------------------------------------------ */

/* Whether memory runs out when fathom.conf is read or when it is checked against the partitions. */
TEST(good_settings_are_in_force_when_memory_is_back)
{
	if (!REPLACED)
		return;
	two_users("", confs[1]);
	host_pass();
	do {
		begin_to_fail(NULL);
		read_settings();
		disarm();
		host_pass();
		ck_assert_msg(logged("stay in force") == logged("can be read again"),
			      "without allocation %u: rejected for good", next);
		ck_assert_uint_lt(++round_of, ALLOCATIONS_MOST);
	} while (has_failed);
}

/* ---- trees of their own -------------------------------------------------------------------- */

/* They are made anew as somebody comes. A user whom they lack has the factor 0. */
static const char *const own_trees[] = {
	"Policy=pbs FairshareEntity=euser ResourceGroup=\"anna root 1\" "
	"ResourceGroup=\"carl root 3\"",
	"Scope=s Partitions=gpu Policy=lsf CpuTimeFactor=0 RunTimeFactor=0 RunJobFactor=1 "
	"UserShares=\"[anna, 1] [carl, 3]\"",
};

TEST_EACH(own_tree_has_all_users_when_memory_is_back, own_trees)
{
	struct host_association *carl;
	job_record_t *job[2];
	double factor[2];

	if (!REPLACED)
		return;
	two_users_grow("");
	carl = host_user(host_root(), "carl", 1);	/* the first name of all is his account's */
	host_passed_at(host_now());
	two_users_open();
	two_users_load(own_trees[_i]);
	use(anna, gpu, 3, 1000);
	use(carl, gpu, 1, 1000);
	job[0] = wait_in(anna, gpu);
	job[1] = wait_in(carl, gpu);
	host_pass();
	factor[0] = shown(job[0]);
	factor[1] = shown(job[1]);
	ck_assert(factor[0] > 0 && factor[0] < factor[1]);
	do {
		add_user();
		begin_to_fail(NULL);
		host_pass();
		disarm();
		host_pass();
		assert_factor(job[0], factor[0]);
		assert_factor(job[1], factor[1]);
		ck_assert_uint_lt(++round_of, ALLOCATIONS_MOST);
	} while (has_failed);
}

/* ---- a start after multifactor ------------------------------------------------------------ */

/* slurmctld has read its dump: both have the usage that multifactor knows. */
static void put_usage(struct host_association *user, double seconds)
{
	for (; user; user = user->parent)
		user->record->usage->usage_raw += seconds;
}

/* multifactor has run last; fathom's state file, which has the sums of policies, is as it was. */
static void start_after_multifactor(time_t time, const char *saved)
{
	const char *path = in_folder("fathom_usage");

	unlink(path);
	ck_assert(!link(saved, path));
	host_passed_at(time);
	put_usage(anna, 3000);
	put_usage(bert, 1000);
	host_on_release(HOST_PART, READ_LOCK, 1, begin_to_fail, NULL);
	host_load(FATHOM_PLUGIN);
	disarm();
}

/* Either the sums are the saved ones, or none are saved, or the log tells of the loss. */
static void assert_sums_in_file(unsigned told)
{
	crash();
	put_usage(anna, 3000);
	put_usage(bert, 1000);
	host_load(FATHOM_PLUGIN);
	ck_assert_msg(fabs((double)anna->record->usage->usage_norm - .75) < 1e-9 ||
			      logged("out of memory; policy pbs misses") > told,
		      "without allocation %u: anna has %g, not .75", next,
		      (double)anna->record->usage->usage_norm);
}

TEST(sums_after_multifactor_are_saved_or_nothing_is)
{
	const char *saved;
	unsigned told;
	time_t time;

	if (!REPLACED)
		return;
	two_users("", "Policy=pbs FairshareDecayTime=10000-0 FairshareDecayFactor=.999999999");
	use(anna, gpu, 3, 1000);
	use(bert, gpu, 1, 1000);
	host_pass();
	saved = strdup(in_folder("fathom_usage.saved"));
	ck_assert(!link(in_folder("fathom_usage"), saved));
	host_advance(100);
	time = host_now();
	do {
		crash();
		told = logged("out of memory; policy pbs misses");
		start_after_multifactor(time, saved);
		assert_sums_in_file(told);
		ck_assert_uint_lt(++round_of, ALLOCATIONS_MOST);
	} while (has_failed);
}

/* ---- a job's end -------------------------------------------------------------------------- */

/* Either usage has it at once, or the log says that it comes with the next pass. */
TEST(usage_that_lacks_a_job_that_has_ended_is_told)
{
	static const char late[] = "out of memory; JobId=";
	unsigned told;
	double before;

	if (!REPLACED)
		return;
	two_users("", "");
	do {
		job_record_t *job = run_in(anna, gpu, 3);

		before = usage_of(anna);
		told = logged(late);
		host_advance(10);
		begin_to_fail(NULL);
		end_run(job);
		disarm();
		ck_assert_msg(usage_of(anna) > before + 29 || logged(late) > told,
			      "without allocation %u: nothing is told", next);
		host_pass();
		host_job_purge(job);
		ck_assert_uint_lt(++round_of, ALLOCATIONS_MOST);
	} while (has_failed);
	ck_assert_uint_gt(told, 0);
}

/* ---- places ------------------------------------------------------------------------------- */

/* anna's job names a group with fewer shares than bert has; by her own shares it would be first. */
TEST(places_stay_as_they_were_without_memory)
{
	job_record_t *of_group, *other;

	if (!REPLACED)
		return;
	two_users("", "Policy=fcfs\nUserGroup=g Members=anna\nScope=s Partitions=gpu Policy=lsf "
		      "UserShares=\"[anna, 9] [g, 1] [bert, 2]\"");
	of_group = wait_in(anna, gpu);
	of_group->comment = xstrdup("fairshare=g");
	other = wait_in(bert, gpu);
	host_pass();
	ck_assert_uint_lt(of_group->priority, other->priority);
	do {
		begin_to_fail(NULL);
		host_pass();
		disarm();
		ck_assert_msg(of_group->priority < other->priority,
			      "without allocation %u: priorities %u, %u", next, of_group->priority,
			      other->priority);
		ck_assert_uint_lt(++round_of, ALLOCATIONS_MOST);
	} while (has_failed);
}

/* ---- figures ------------------------------------------------------------------------------ */

/* lsf, slots alone. Either what runs counts, or the log says that it does not. */
TEST(what_runs_counts_without_memory)
{
	static const char loss[] = "policy lsf falls back to the usage in Slurm's records";
	unsigned told;
	double held;

	if (!REPLACED)
		return;
	two_users("", "Policy=lsf CpuTimeFactor=0 RunTimeFactor=0 RunJobFactor=1");
	run_in(anna, gpu, 4);
	host_pass();
	held = (double)anna->record->usage->level_fs;
	ck_assert_double_lt(held, (double)bert->record->usage->level_fs / 4);
	do {
		host_pass();
		host_advance(10);
		told = logged(loss);
		begin_to_fail(NULL);
		host_pass();
		disarm();
		ck_assert_msg(fabs((double)anna->record->usage->level_fs - held) < 1e-9 ||
				      logged(loss) > told,
			      "without allocation %u: anna has %g, not %g", next,
			      (double)anna->record->usage->level_fs, held);
		ck_assert_uint_lt(++round_of, ALLOCATIONS_MOST);
	} while (has_failed);
}
