/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Each test lets system calls of the plugin fail, one after the other, over a start, three passes,
 * a reconfigure, an import, a request and a stop; then slurmctld is killed and starts again without
 * a fault. slurmctld goes on through all of it, a line of the log tells of each fault that has done
 * anything, no file is half written, and usage is right to the second. Allocations have a test of
 * their own, test_failing_allocations. The process starts itself again, with faults.so preloaded.
 */
#include "faults/faults.h"
#include "faults/preload.h"
#include "scenario/crash.h"
#include "scenario/two_users.h"

#include <dirent.h>
#include <execinfo.h>
#include <pthread.h>
#include <stdarg.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define MEASURED "# HELP fathom_pass_cpu_seconds_total"
#define MOST 400		/* calls of a scenario; more would be without end */
#define AT_ONCE 8		/* scenarios, which mostly wait */
#define SECONDS_MOST 120	/* after which one hangs */
#define STRIDE 12		/* between known paths that fail, or from which on all fail */
#define FRAMES 32
#define LOG_ROOM 16384
#define TRACE_ROOM 8192

/* With a sanitizer a scenario takes four times as long. */
#ifdef __SANITIZE_ADDRESS__
#define SLOWNESS 4
#else
#define SLOWNESS 1
#endif

/* EACH: a call of each path, and some others, alone. ON: from one on, until the stop. ALL: all of
 * them, of those that are interrupted every second one. */
#define FAULT(call, error, which) { #call, #error, error, which }
static const struct { const char *call, *name; int error; enum { EACH, ON, ALL } which; } rows[] = {
	FAULT (open, EMFILE, EACH), FAULT (open, EIO, EACH), FAULT (open, EACCES, EACH),
	FAULT (open, ESTALE, ON),
	FAULT (read, EIO, EACH), FAULT (read, EINTR, EACH), FAULT (read, ESTALE, ON),
	FAULT (read, SHORT, ALL),
	FAULT (inotify, EIO, EACH),
	FAULT (write, ENOSPC, EACH), FAULT (write, EINTR, ALL), FAULT (write, EIO, ON),
	FAULT (write, ENOSPC, ON), FAULT (write, SHORT, ALL), FAULT (write, ZERO, ON),
	FAULT (fsync, EIO, EACH), FAULT (fsync, ENOSPC, ON),
	FAULT (close, EIO, EACH),
	FAULT (rename, EROFS, EACH), FAULT (rename, EACCES, ON),
	FAULT (link, EPERM, EACH), FAULT (link, EROFS, ON),
	FAULT (unlink, EACCES, EACH), FAULT (unlink, EROFS, ON),
	FAULT (mmap, ENOMEM, EACH),
	FAULT (pthread_create, EAGAIN, EACH), FAULT (pthread_create, EAGAIN, ON),
	FAULT (dlopen, ENOMEM, EACH), FAULT (dlopen, ENOMEM, ON),
	FAULT (stat, EIO, EACH), FAULT (stat, ESTALE, ON),
	FAULT (chmod, EPERM, EACH), FAULT (chmod, EROFS, ON),
	FAULT (lock, ENOLCK, EACH), FAULT (lock, EIO, ON),
	FAULT (watch, ENOSPC, EACH), FAULT (watch, EMFILE, ON),
};

/* ---- the library ---------------------------------------------------------------------- */

static fault_begin_function *fault_begin;
static fault_end_function *fault_end;
static fault_watch_function *fault_watch;

/* ---- what a scenario leaves behind -------------------------------------------------------- */

enum { ANNA, BERT, CARL, PHYSICS, OWNERS };
static const char *const names[] = { "anna", "bert", "carl", "physics" };
static struct host_association *carl;

/* In memory that the processes share. */
struct course {
	unsigned failed, of_new;	/* calls; of files that were to replace others */
	double before[OWNERS], usage[OWNERS];	/* the stop; in the end */
	char log[LOG_ROOM];		/* until the stop */
	char trace[TRACE_ROOM];		/* the files and usage after each pass and the stop */
	char left[TRACE_ROOM];		/* the files in the end, without contents */
	unsigned told;			/* errors and warnings that the reference's log lacks */
	bool is_refused;		/* the request */
	char wrong[512];		/* "": nothing is */
};

static struct course *course;		/* of this process */

static void *shared(size_t size)
{
	void *memory = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);

	ck_assert(memory != MAP_FAILED);
	return memory;
}

/* Adds to a text of TRACE_ROOM. */
static void __attribute__((format(printf, 2, 3))) note(char *text, const char *format, ...)
{
	size_t length = strlen(text);
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(text + length, TRACE_ROOM - length, format, arguments);
	va_end(arguments);
	ck_assert_uint_lt(strlen(text), TRACE_ROOM - 1);
}

static void __attribute__((format(printf, 1, 2))) wrong(const char *format, ...)
{
	va_list arguments;

	va_start(arguments, format);
	vsnprintf(course->wrong, sizeof(course->wrong), format, arguments);
	va_end(arguments);
}

static void take_usage(double usage[OWNERS])
{
	const struct host_association *const of[] = { anna, bert, carl, physics };

	for (int i = 0; i < OWNERS; i++)
		usage[i] = usage_of(of[i]);
}

/* Of a regular file; of MetricsFile, up to what is measured, which differs each time. */
static uint64_t hash_of(const char *path)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);	/* FNV-1a */
	struct stat status;
	FILE *file;
	char *line = NULL;
	size_t size = 0;
	ssize_t length;

	if (lstat(path, &status) || !S_ISREG(status.st_mode) || !(file = fopen(path, "r")))
		return 0;
	while ((length = getline(&line, &size, file)) > 0 &&
	       strncmp(line, MEASURED, strlen(MEASURED)))
		for (ssize_t i = 0; i < length; i++)
			hash = (hash ^ (unsigned char)line[i]) * UINT64_C(0x100000001b3);
	free(line);
	fclose(file);
	return hash;
}

/* Lists the host's folder, but for slurm.conf, which has its name. */
static void note_files(char *text, bool with_contents)
{
	struct dirent **entry;
	int count = scandir(host_folder(), &entry, NULL, alphasort);

	for (int i = 0; i < count; i++) {
		const char *name = entry[i]->d_name;

		if (strcmp(name, "slurm.conf"))
			note(text, "%s %lx\n", name,
			     with_contents ? (unsigned long)hash_of(in_folder(name)) : 0);
		free(entry[i]);
	}
	free(entry);
}

static void note_step(void)
{
	double usage[OWNERS];

	take_usage(usage);
	for (int i = 0; i < OWNERS; i++)
		note(course->trace, "%s: %.6f\n", names[i], usage[i]);
	note_files(course->trace, true);
	if (slurm_conf.priority_params)
		wrong("clients are told of a file that they may not read");
}

/* Copies the log with ~ for the host's folder, which is another one each time. */
static void take_log(char *to)
{
	const char *from = log_text(), *folder = host_folder(), *at;
	size_t length = strlen(folder);

	ck_assert_uint_lt(strlen(from), LOG_ROOM);
	while ((at = strstr(from, folder))) {
		to += sprintf(to, "%.*s~", (int)(at - from), from);
		from = at + length;
	}
	strcpy(to, from);
}

/* ---- the scenario ------------------------------------------------------------------------ */

#define OF_IMPORT 40		/* seconds that bert gets */
#define OF_REQUEST 70		/* that carl gets */

static job_record_t *long_run;

/* A file outside of the folder: its name, which is in fathom.conf, is the same each time. */
static const char *import_path(void)
{
	static char path[128];

	snprintf(path, sizeof(path), "%s", host_folder());
	strcpy(strrchr(path, '/'), "/usage.json");
	return path;
}

static void write_import(void)
{
	FILE *file = fopen(import_path(), "wx");

	if (!file)	/* it is there */
		return;
	fprintf(file, "{\"format\": \"fathom-usage\", \"version\": 1, \"usage\": [{\"account\": "
		"\"physics\", \"user\": \"bert\", \"usage\": %d}]}\n", OF_IMPORT);
	ck_assert(!fclose(file));
}

static void write_request(void)
{
	char text[512];

	snprintf(text, sizeof(text), "{\"format\": \"fathom-usage-request\", \"version\": 1, "
		 "\"id\": \"1\", \"time\": 1700000000, \"by\": \"eve\", \"host\": \"ctl\", "
		 "\"changes\": [{\"account\": \"physics\", \"user\": \"carl\", \"assign\": %d}]}\n",
		 OF_REQUEST);
	write_file("request", text);
	ck_assert(!chmod(in_folder("request"), 0600));
	ck_assert(!rename(in_folder("request"), in_folder("fathom_usage_request")));
}

/* All that opens files and libraries is in use. */
static void write_settings(const char *formula, const char *import)
{
	char text[1024];

	snprintf(text, sizeof(text), "Policy=pbs\nShadowPolicy=lsf\nFairshareAdjustmentFactor=1\n"
		 "Adjust=" EXAMPLE "\nFiguresFile=fathom.json\nFiguresMode=0600\n"
		 "HistoryFile=history\nMetricsFile=metrics\n%s\"%s\"\n%s%s\n",
		 HAS_FORMULAS ? "Formula=" : "#", formula,
		 *import ? "ImportUsage=" : "", import);
	write_conf(text);
	ck_assert(!chmod(in_folder("fathom.conf"), 0600));
}

/* fathom has run before, so that there is a state to go on from; HistoryFile gets another day. */
static void make_past(void)
{
	two_users_grow("");
	carl = host_user(physics, "carl", 1);
	host_passed_at(host_now());
	anna->usage = 1000;
	two_users_open();
	write_import();
	write_settings("1000 * fairshare_factor", "");
	host_load(FATHOM_PLUGIN);
	long_run = run_in(anna, gpu, 2);
	use(bert, gpu, 4, 100);
	host_pass();
	host_advance(86400);
	ck_assert(host_close());
}

static void pass(void)
{
	job_record_t *job = run_in(bert, cpu, 3);

	host_pass();
	end_run(job);
	note_step();
	host_advance(20);
}

static void go_through_faults(void)
{
	host_load(FATHOM_PLUGIN);
	for (int i = 0; i < 3; i++)
		pass();
	write_settings("900 * fairshare_factor", import_path());
	reread();
	pass();
	write_request();
	pass();
	pass();
	take_usage(course->before);
	ck_assert(host_close());
	note_step();
}

/* Usage is that of fathom's files alone: slurmctld's own dump of it is lost. */
static void restart_without_faults(void)
{
	crash();
	host_load(FATHOM_PLUGIN);
	host_pass();
	end_run(long_run);
	host_pass();
	if (logged("not using") || logged("no saved usage was found"))
		snprintf(course->wrong, sizeof(course->wrong), "what was saved cannot be used");
	take_usage(course->usage);
	course->is_refused = !unlink(in_folder("fathom_usage_request.refused"));
	note_files(course->left, false);
	ck_assert(host_close());
}

/* ---- what is right ------------------------------------------------------------------------ */

/* Of what the import and the request add. */
static double part_of(int owner, double of_bert, double of_carl)
{
	const double part[OWNERS] = { [BERT] = of_bert, [CARL] = of_carl,
				      [PHYSICS] = of_bert + of_carl };

	return part[owner];
}

/* lacks: what the import would have added. A request that must not be read has another name from
 * then on. */
static void compare_usage(const double *found, const double *wanted, double lacks, const char *when)
{
	double refused = course->is_refused ? OF_REQUEST : 0;

	for (int i = 0; i < OWNERS; i++) {
		double right = wanted[i] - part_of(i, lacks, refused);

		if (fabs(found[i] - right) > 1e-3)
			wrong("%s has %.17g %s, not %.17g", names[i], found[i], when, right);
	}
}

/* After errors that nobody but an administrator ends, a file is read again at a reconfigure or a
 * start: the import is late then, and that is told. */
static double late_import(const struct course *reference, int row)
{
	bool may_be = rows[row].error == EACCES || !strcmp(rows[row].call, "dlopen");
	bool is_told = strstr(course->log, "no usage is added") ||
		       strstr(course->log, "stay in force");

	return may_be && is_told && course->before[BERT] < reference->before[BERT] - 1 ? OF_IMPORT
										       : 0;
}

/* reason: what errors and warnings must say. */
static void compare_logs(const struct course *reference, const char *reason)
{
	char line[1024];

	for (const char *at = course->log, *end; (end = strchr(at, '\n')); at = end + 1) {
		snprintf(line, sizeof(line), "%.*s\n", (int)(end - at), at);
		if (strstr(reference->log, line) ||
		    (!strstr(line, "error: ") && !strstr(line, "warning: ")))
			continue;
		course->told++;
		/* SQLite has words of its own */
		if (!strstr(line, reason) && !strstr(line, "HistoryFile"))
			wrong("the reason is not told: %s", line);
	}
}

static const char *reason_of(int row)
{
	if (!strcmp(rows[row].call, "dlopen"))
		return "/fault: cannot open shared object file";
	if (rows[row].error == ZERO)
		return strerror(ENOSPC);
	return rows[row].error == SHORT ? "SHORT" : strerror(rows[row].error);
}

static void compare(const struct course *reference, int row)
{
	bool alone = rows[row].which == EACH, is_hurt = strcmp(course->trace, reference->trace);
	int error = rows[row].error;

	compare_logs(reference, reason_of(row));
	is_hurt |= !strcmp(rows[row].call, "inotify");
	is_hurt |= course->of_new && error != EINTR && error != SHORT;
	if (is_hurt && !course->told)
		wrong("nothing is told");
	if (alone && course->told > 1)
		wrong("%u lines tell", course->told);
	if (alone)
		compare_usage(course->before, reference->before, late_import(reference, row),
			      "at the stop");
	compare_usage(course->usage, reference->usage, 0, "in the end");
	if (strcmp(course->left, reference->left))
		wrong("files in the end:\n%s", course->left);
}

/* ---- which calls fail ---------------------------------------------------------------------- */

/* Of a row, the numbers of its calls in the reference that fail alone, each in a course. */
struct due {
	unsigned count, call[MOST];
	unsigned met;
	int row;
};

static struct due *due;		/* in the reference */

static bool is_new_path(void)
{
	static uint64_t known[MOST];
	static unsigned count;
	uint64_t hash = UINT64_C(0xcbf29ce484222325);	/* FNV-1a, by words */
	void *frame[FRAMES];
	int depth = backtrace(frame, FRAMES);

	for (int i = 0; i < depth; i++)
		hash = (hash ^ (uintptr_t)frame[i]) * UINT64_C(0x100000001b3);
	for (unsigned i = 0; i < count; i++)
		if (known[i] == hash)
			return false;
	if (count < MOST)
		known[count++] = hash;
	return true;
}

static void note_call(const char *call, int file)
{
	static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

	(void)file;
	if (strcmp(call, rows[due->row].call))
		return;
	pthread_mutex_lock(&lock);
	due->met++;
	if ((is_new_path() || due->met % suite_stride(SLOWNESS * STRIDE) == 0) &&
	    due->count < MOST)
		due->call[due->count++] = due->met;
	pthread_mutex_unlock(&lock);
}

/* Of a process. n: the first call that fails; 0: the reference, without a fault. */
static void run_course(const struct course *reference, int row, unsigned n)
{
	alarm(SECONDS_MOST);
	make_past();
	if (n)
		fault_begin(rows[row].call, rows[row].error, n, rows[row].which != EACH);
	else
		fault_watch(note_call);
	go_through_faults();
	fault_watch(NULL);
	course->failed = fault_end(&course->of_new);
	take_log(course->log);
	restart_without_faults();
	if (course->failed)
		compare(reference, row);
}

/* ---- the table ----------------------------------------------------------------------------- */

struct table {
	struct course reference, of[MOST];	/* of[n - 1]: the n-th of a row's faults */
	struct due due;
};

/* Of the n-th fault of a row, from 1: the call that fails first. */
static unsigned call_of(const struct table *table, int row, unsigned n)
{
	if (rows[row].which == EACH)
		return table->due.call[n - 1];
	return 1 + (n - 1) * suite_stride(SLOWNESS * STRIDE);
}

/* How many faults a row has at most. */
static unsigned faults_of(const struct table *table, int row)
{
	if (rows[row].which == EACH)
		return table->due.count;
	return rows[row].which == ALL ? 1 : MOST;
}

static pid_t begin_course(struct table *table, int row, unsigned n)
{
	pid_t child = fork();

	ck_assert_int_ge(child, 0);
	if (child)
		return child;
	course = n ? &table->of[n - 1] : &table->reference;
	due = &table->due;
	due->row = row;
	run_course(&table->reference, row, n ? call_of(table, row, n) : 0);
	_exit(0);
}

static void await_course(pid_t child, unsigned n)
{
	int status;

	ck_assert_int_eq(waitpid(child, &status, 0), child);
	ck_assert_msg(!status, "fault %u: slurmctld ends with status %#x", n, (unsigned)status);
}

/* Begins and awaits courses until one has no call to fail. Returns how many had one. */
static unsigned run_courses(struct table *table, int row)
{
	unsigned most, begun = 0, ended = 0, count = 0;
	pid_t child[AT_ONCE];
	bool goes_on = true;

	await_course(begin_course(table, row, 0), 0);
	most = faults_of(table, row);
	while ((goes_on && begun < most) || ended < begun) {
		if (goes_on && begun < most && begun < ended + AT_ONCE) {
			begun++;
			child[begun % AT_ONCE] = begin_course(table, row, begun);
			continue;
		}
		ended++;
		await_course(child[ended % AT_ONCE], ended);
		goes_on &= table->of[ended - 1].failed > 0;
		count += goes_on;
	}
	ck_assert_uint_lt(count, MOST);
	return count;
}

static void print_row(const struct course *of, unsigned count, int row)
{
	static const char *const words[] = { "", "from it on", "all" };
	unsigned told = 0;

	for (unsigned i = 0; i < count; i++)
		told += of[i].told > 0;
	printf("%-14s %-6s %-10s %6u %6u %6u\n", rows[row].call, rows[row].name,
	       words[rows[row].which], count, told, count - told);
	fflush(stdout);
}

TEST_EACH(usage_is_right_after_a_fault, rows)
{
	struct table *table = shared(sizeof(*table));
	unsigned count = run_courses(table, _i);

	print_row(table->of, count, _i);
	for (unsigned i = 0; i < count; i++)
		ck_assert_msg(!*table->of[i].wrong, "fault %u: %s", i + 1, table->of[i].wrong);
}

int main(int count, char **arguments)
{
	(void)count;
	preload_faults(arguments);
	preload_find("fault_begin", &fault_begin);
	preload_find("fault_end", &fault_end);
	preload_find("fault_watch", &fault_watch);
	prctl(PR_SET_TIMERSLACK, 1);	/* as in host_suite.c */
	host_make_folders(true);
	puts("call           error              faults   told silent");
	fflush(stdout);
	suite_forks();
	return suite_run();
}
