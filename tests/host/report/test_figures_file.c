/* SPDX-License-Identifier: GPL-2.0-or-later */
/* FiguresFile has everything that a pass computed, is never half written, and can be read
 * only by those who may see usage. */
#include "scenario/host_files.h"
#include "scenario/host_suite.h"

#include <fcntl.h>
#include <stdatomic.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#define PERIOD 300		/* PriorityCalcPeriod=5, minutes */

static struct host_association *physics, *chemistry, *anna, *bert, *carla;

/* "" if it is not there. */
static char *read_text(const char *name)
{
	return strdup(exists(name) ? file_text(name) : "");
}

static struct stat status_of(const char *name)
{
	struct stat status = { 0 };

	if (stat(in_folder(name), &status))
		status.st_ino = 0;
	return status;
}

/* Makes the folder, too. */
static void configure(const char *fathom_conf)
{
	host_configure("PriorityDecayHalfLife=1-0\nPriorityCalcPeriod=5\n"
		       "PriorityWeightFairshare=1000\n");
	write_conf(fathom_conf);
}

static void open_cluster(void)
{
	host_passed_at(host_now() - PERIOD);
	/* by their names, as slurmctld sorts them when one comes */
	chemistry = host_account(host_root(), "chemistry", 1);
	carla = host_user(chemistry, "carla", SLURMDB_FS_USE_PARENT);
	physics = host_account(host_root(), "physics", 3);
	physics->usage = 1234.5;
	anna = host_user(physics, "anna", 1);
	bert = host_user(physics, "bert \"the\" \\ first", 2);
	anna->usage = 1e6 / 3;
	carla->usage = 2e5;
	host_open();
}

/* ---- the same by the command ------------------------------------------------------ */

static void put_node(FILE *out, const slurmdb_assoc_rec_t *record)
{
	const slurmdb_assoc_rec_t *parent = record->usage->parent_assoc_ptr;

	fprintf(out, "%s{\"id\": %u, \"parent\": ", parent ? ",\n" : "", record->id);
	if (parent)
		fprintf(out, "%u", parent->id);
	else
		fputs("null", out);
	fputs(", \"name\": \"", out);
	for (const char *c = record->user ? record->user : record->acct; *c; c++)
		fprintf(out, strchr("\"\\", *c) ? "\\%c" : "%c", *c);
	fprintf(out, "\", \"kind\": \"%s\", \"shares\": ", record->user ? "user" : "account");
	if (record->shares_raw == SLURMDB_FS_USE_PARENT)
		fputs("\"parent\"", out);
	else
		fprintf(out, "%u", record->shares_raw);
	fprintf(out, ", \"usage\": %.17g}",
		record->leaf_usage ? (double)record->leaf_usage->usage_raw : 0);
}

/* Associations as slurmctld has them now, to be evaluated offline. */
static void write_tree(const char *name)
{
	FILE *out = fopen(in_folder(name), "w");
	struct host_association **all;
	size_t count;

	fprintf(out, "{\"format\": \"fathom-tree\", \"version\": 1, \"time\": %lld,\n"
		     "\"nodes\": [", (long long)host_now());
	all = host_associations(&count);
	for (size_t i = 0; i < count; i++)
		if (all[i]->record)
			put_node(out, all[i]->record);
	fputs("]}\n", out);
	fclose(out);
}

/* Brings a document of the command into the form that it has in the file: no head of its own, no
 * time as text, and no rank, which the plugin does not write for all policies. */
#define AS_IN_FILE                                                                             \
	"sed -i '/^{\"format\"/d; s/^ \"policy\"/{\"policy\"/; s/, \"time_iso\": [^,]*//; "      \
	"s/, \"rank\": [^,}]*//' shares.json"

/* What the command makes of a file of the folder. */
static char *evaluate(const char *from, const char *policy)
{
	char *command, *text;
	int status;

	if (asprintf(&command,
		     "cd '%s' && LC_ALL=C '%s' shares --from %s --policy %s --json >shares.json "
		     "2>&1 && " AS_IN_FILE,
		     host_folder(), FATHOM_COMMAND, from, policy) < 0)
		host_die("out of memory");
	status = system(command);
	text = read_text("shares.json");
	ck_assert_msg(!status, "%s: %s", command, text);
	free(command);
	return text;
}

static bool begins(const char *line, const char *with)
{
	return !strncmp(line, with, strlen(with));
}

/* Like begins(), but for roundings: slurmctld keeps a long double. */
static bool begins_like(const char *line, const char *with)
{
	while (*with) {
		char *line_end, *with_end;
		double a = strtod(line, &line_end), b = strtod(with, &with_end);

		if (strchr("0123456789-", *with) && with_end > with && line_end > line) {
			if (fabs(a - b) > 1e-12 * fabs(b))
				return false;
			line = line_end, with = with_end;
		} else if (*line++ != *with++) {
			return false;
		}
	}
	return true;
}

/* Each line of the command's is the beginning of one of the file's, which has
 * inputs beside it. Returns where the file goes on. */
static const char *expect_lines(const char *file, const char *command)
{
	char *lines = strdup(command), *rest = lines, *line;
	const char *at = file;

	while ((line = strsep(&rest, "\n")) && *line) {
		size_t length = strlen(line);

		while (length && strchr("]},", line[length - 1]))
			line[--length] = '\0';
		if (begins(line, " \"scope\": "))
			continue;	/* in the file it comes before */
		if (begins(line, "{\"policy\"")) {
			at = strstr(at, line);
			ck_assert_msg(at, "no %s", line);
		}
		ck_assert_msg(begins_like(at, line), "%s\nmust begin with\n%s", at, line);
		at += strcspn(at, "\n");
		at += *at == '\n';
	}
	free(lines);
	return at;
}

static void expect_figures(const char *policy, const char *shadow)
{
	char *file = read_text("fathom.json"), *shares, *again;
	const char *rest;

	ck_assert_ptr_null(strstr(file, "_iso"));	/* times as text are for --json */
	write_tree("tree.json");
	shares = evaluate("tree.json", policy);
	rest = expect_lines(file, shares);
	/* what it was evaluated from is in it */
	again = evaluate("fathom.json", policy);
	expect_lines(again, shares);
	free(again);
	free(shares);
	if (shadow) {
		shares = evaluate("tree.json", shadow);
		rest = expect_lines(rest, shares);
		free(shares);
	}
	ck_assert_str_eq(rest, shadow ? "" : "\"shadow\": null}\n");
	free(file);
}

static const struct { const char *conf, *policy, *shadow; } schemes[] = {
	{ "FiguresFile=fathom.json\n", "fair-tree", NULL },
	{ "FiguresFile=fathom.json\nPolicy=depth-oblivious\n", "depth-oblivious", NULL },
	{ "FiguresFile=fathom.json\nShadowPolicy=classic\n", "fair-tree", "classic" },
	{ "FiguresFile=fathom.json\nPolicy=classic\nDampeningFactor=3\nShadowPolicy=fair-tree\n"
	  "TieMode=slurm\n", "classic --set dampening_factor=3", "fair-tree --set tie_mode=slurm" },
};

TEST_EACH(file_has_what_the_command_comes_to, schemes)
{
	if (!*FATHOM_COMMAND) {
		fputs("file_has_what_the_command_comes_to: skipped, the command is not built\n",
		      stderr);
		return;
	}
	configure(schemes[_i].conf);
	open_cluster();
	host_load(FATHOM_PLUGIN);
	expect_figures(schemes[_i].policy, schemes[_i].shadow);
	host_user(chemistry, "dora", 5);
	host_set_shares(anna, 4);
	host_pass();
	expect_figures(schemes[_i].policy, schemes[_i].shadow);
	host_remove(bert);
	host_pass();	/* notices */
	host_pass();
	expect_figures(schemes[_i].policy, schemes[_i].shadow);
}

/* LSF's policy looks at more than usage: that is in the file as well, whether
 * the policy is in force or the shadow. */
static const char *const lsf_confs[] = {
	"FiguresFile=fathom.json\nPolicy=lsf\nEnableHistRunTime=yes\n",
	"FiguresFile=fathom.json\nShadowPolicy=lsf\nEnableHistRunTime=yes\n",
};

TEST_EACH(file_has_what_lsf_looks_at, lsf_confs)
{
	job_record_t *job[2];
	char *told, *again;

	if (!*FATHOM_COMMAND) {
		fputs("file_has_what_lsf_looks_at: skipped, the command is not built\n", stderr);
		return;
	}
	configure(lsf_confs[_i]);
	open_cluster();
	host_load(FATHOM_PLUGIN);
	for (size_t i = 0; i < 2; i++) {
		job[i] = host_job(&(struct host_job){ .user = i ? carla : anna, .cpus = 8 });
		host_job_begin(job[i], host_now());
	}
	host_advance(1000);
	host_job_end(job[0]);
	host_job_cleaned(job[0]);
	host_pass();
	told = evaluate("fathom.json", "lsf");
	again = evaluate("fathom.json", "lsf --set enable_hist_run_time=yes");
	expect_lines(again, told);
	free(again);
	again = read_text("fathom.json");
	ck_assert_ptr_nonnull(strstr(again, "\"job_slots\": 8"));
	/* carla's job runs, anna's is over; they have run for 1000 seconds and the pass's 300 */
	ck_assert_ptr_nonnull(strstr(again, "\"started\": 8, \"reserved\": 0, "));
	ck_assert_ptr_nonnull(strstr(again, "\"total_run_time\": 1300, \"adjust\": 0"));
	free(again);
	again = evaluate("fathom.json", "lsf --set enable_hist_run_time=no");
	ck_assert_str_ne(again, told);
	free(again);
	free(told);
}

static void use(struct host_association *user, part_record_t *partition, uint32_t cpus)
{
	job_record_t *job = host_job(&(struct host_job){ .user = user, .partition = { partition },
							 .cpus = cpus });

	host_job_begin(job, host_now());
	host_advance(1000);
	host_job_end(job);
	host_job_cleaned(job);
}

static const struct {
	const char *scope, *head, *row[2];
} scopes[] = {
	/* physics has 3/4 of the shares, anna 1/3 of these, and all usage there */
	{ "gpu", "{\"name\": \"gpu\", \"partitions\": [\"gpu\", \"gpu-long\"], "
		 "\"kind\": \"cross-queue\", \"hosts\": null, \"master_queue\": \"gpu\", "
		 "\"dispatch_order\": \"queue\", \"user_shares\": null,\n\"shares\": {",
	  { "\"anna\", \"parent\": \"physics\", \"raw_shares\": 1, \"norm_shares\": 0.25, "
	    "\"raw_usage\": 8000, \"norm_usage\": 1, \"effective_usage\": 1, \"factor\": 0.0625",
	    "\"carla\", \"parent\": \"chemistry\", \"raw_shares\": \"parent\", "
	    "\"norm_shares\": 0.25, \"raw_usage\": 0, " } },
	{ "cpu", "{\"name\": \"cpu\", \"partitions\": [\"cpu\"], \"kind\": \"queue\", "
		 "\"hosts\": null, "
		 "\"master_queue\": null, \"dispatch_order\": null, \"user_shares\": null,\n"
		 "\"shares\": {",
	  { "\"anna\", \"parent\": \"physics\", \"raw_shares\": 1, \"norm_shares\": 0.25, "
	    "\"raw_usage\": 0, ",
	    "\"carla\", \"parent\": \"chemistry\", \"raw_shares\": \"parent\", "
	    "\"norm_shares\": 0.25, \"raw_usage\": 4000, " } },
};

TEST_EACH(file_has_scopes_on_their_own_usage, scopes)
{
	part_record_t *gpu, *cpu;
	char options[64], *told, *file;
	const char *at;

	if (!*FATHOM_COMMAND) {
		fputs("file_has_scopes_on_their_own_usage: skipped, the command is not built\n",
		      stderr);
		return;
	}
	host_configure("PriorityDecayHalfLife=0\nPriorityUsageResetPeriod=YEARLY\n"
		       "PriorityCalcPeriod=5\nPriorityWeightFairshare=1000\n");
	write_file("fathom.conf", "FiguresFile=fathom.json\nShadowPolicy=pbs\n"
		   "Scope=gpu Partitions=gpu-long,gpu MasterQueue=gpu DispatchOrder=QUEUE "
		   "Policy=classic\n"
		   "Scope=cpu Partitions=cpu Policy=classic\n");
	open_cluster();
	gpu = host_partition("gpu", 1, NULL);
	host_partition("gpu-long", 1, NULL);
	cpu = host_partition("cpu", 1, NULL);
	host_load(FATHOM_PLUGIN);
	use(anna, gpu, 8);
	use(carla, cpu, 4);
	host_pass();
	file = read_text("fathom.json");
	at = strstr(file, scopes[_i].head);
	ck_assert_msg(at, "no %s in %s", scopes[_i].head, file);
	snprintf(options, sizeof(options), "classic --scope %s", scopes[_i].scope);
	told = evaluate("fathom.json", options);
	expect_lines(at, told);
	for (size_t i = 0; i < 2; i++)
		ck_assert_msg(strstr(told, scopes[_i].row[i]), "no %s in %s", scopes[_i].row[i],
			      told);
	free(told);
	free(file);
}

/* ---- the file ----------------------------------------------------------------------- */

/* As sshare shows it to everybody unless PrivateData has usage. */
static const struct {
	const char *conf;
	uint16_t private_data;
	mode_t mode;
} modes[] = {
	{ "FiguresFile=fathom.json\n", 0, 0644 },
	{ "FiguresFile=fathom.json\n", PRIVATE_DATA_JOBS, 0644 },
	{ "FiguresFile=fathom.json\n", PRIVATE_DATA_USAGE, 0600 },
	{ "FiguresFile=fathom.json\nFiguresMode=0640\n", PRIVATE_DATA_USAGE, 0640 },
	{ "FiguresFile=fathom.json\nFiguresMode=0600\n", 0, 0600 },
};

TEST_EACH(file_is_for_those_who_may_see_usage, modes)
{
	configure(modes[_i].conf);
	slurm_conf.private_data = modes[_i].private_data;
	umask(0777);
	open_cluster();
	host_load(FATHOM_PLUGIN);
	ck_assert_uint_eq(status_of("fathom.json").st_mode & 07777, modes[_i].mode);
}

/* Even where the next file cannot be written. */
TEST(last_file_is_closed_to_whom_usage_is_hidden_from)
{
	configure("FiguresFile=fathom.json\n");
	open_cluster();
	host_load(FATHOM_PLUGIN);
	ck_assert_uint_eq(status_of("fathom.json").st_mode & 07777, 0644);
	ck_assert(!mkdir(in_folder("fathom.json.new"), 0700));
	slurm_conf.private_data = PRIVATE_DATA_USAGE;
	priority_g_reconfig(false);
	host_await_pass();
	ck_assert_uint_eq(status_of("fathom.json").st_mode & 07777, 0600);
	ck_assert(!rmdir(in_folder("fathom.json.new")));
}

TEST(file_is_replaced_by_each_pass)
{
	struct stat before, after;
	const char *text;
	char time[64];

	configure("FiguresFile=fathom.json\n");
	write_file("fathom.json.new", "left by a crash\n");
	open_cluster();
	host_load(FATHOM_PLUGIN);
	before = status_of("fathom.json");
	ck_assert(before.st_ino);
	host_pass();
	after = status_of("fathom.json");
	ck_assert(status_of("fathom.json.new").st_ino == 0);
	text = file_text("fathom.json");
	snprintf(time, sizeof(time), "\"time\": %lld, \"cluster\": ", (long long)host_now());
	ck_assert_msg(strstr(text, time), "no %s in %s", time, text);
	ck_assert(before.st_ino != after.st_ino);
}

TEST(no_file_without_the_key)
{
	configure("ShadowPolicy=lsf\n");
	open_cluster();
	host_load(FATHOM_PLUGIN);
	host_pass();
	ck_assert(status_of("fathom.json").st_ino == 0);
	write_file("fathom.conf", "FiguresFile=fathom.json\n");
	priority_g_reconfig(false);
	host_await_pass();
	ck_assert(status_of("fathom.json").st_ino);
}

/* The folder goes, and comes back. */
TEST(what_cannot_be_written_leaves_the_file)
{
	char *before, conf[512];

	configure("");
	ck_assert(!mkdir(in_folder("figures"), 0700));
	snprintf(conf, sizeof(conf), "FiguresFile=%s\n", in_folder("figures/fathom.json"));
	write_conf(conf);
	open_cluster();
	host_load(FATHOM_PLUGIN);
	before = read_text("figures/fathom.json");
	ck_assert(*before);
	ck_assert(!rename(in_folder("figures"), in_folder("away")));
	host_pass();
	host_pass();
	ck_assert_str_eq(before, file_text("away/fathom.json"));
	ck_assert(!rename(in_folder("away"), in_folder("figures")));
	host_pass();
	ck_assert_str_ne(before, file_text("figures/fathom.json"));
	free(before);
}

/* Such as slurmctld's own state, by mistake. */
TEST(what_is_no_figures_is_not_written_over)
{
	configure("FiguresFile=precious\n");
	write_file("precious", "job state\n");
	open_cluster();
	host_load(FATHOM_PLUGIN);
	ck_assert_str_eq(file_text("precious"), "job state\n");
	ck_assert(!unlink(in_folder("precious")));
	host_pass();
	ck_assert(*file_text("precious") == '{');
}

/* Though it holds figures: whoever reads it gets them. */
TEST(pipe_is_neither_read_nor_replaced)
{
	static const char figures[] = "{\"format\": \"fathom-figures\"";
	char held[sizeof(figures)];
	int file;

	configure("FiguresFile=fathom.json\n");
	ck_assert(!mkfifo(in_folder("fathom.json"), 0600));
	file = open(in_folder("fathom.json"), O_RDWR | O_CLOEXEC | O_NONBLOCK);
	ck_assert(write(file, figures, sizeof(figures)) == sizeof(figures));
	open_cluster();
	host_load(FATHOM_PLUGIN);
	ck_assert(S_ISFIFO(status_of("fathom.json").st_mode));
	ck_assert(read(file, held, sizeof(held)) == sizeof(held));
	ck_assert_str_eq(held, figures);
	close(file);
}

/* ---- a file system that hangs -------------------------------------------------------- */

static _Atomic bool hangs;

static bool is_figures(int file)
{
	char link[64], path[512] = "";

	snprintf(link, sizeof(link), "/proc/self/fd/%d", file);
	return readlink(link, path, sizeof(path) - 1) > 0 && strstr(path, "fathom.json");
}

/* In the place of libc's. */
__attribute__((visibility("default"))) int fsync(int file)
{
	const struct timespec millisecond = { .tv_nsec = 1000000 };

	while (hangs && is_figures(file))
		nanosleep(&millisecond, NULL);
	return (int)syscall(SYS_fsync, file);
}

static bool file_is_of(time_t time)
{
	char *text = read_text("fathom.json"), of[64];
	bool is;

	snprintf(of, sizeof(of), "\"time\": %lld, ", (long long)time);
	is = strstr(text, of);
	free(text);
	return is;
}

/* From here on standard error is in the folder. */
static void catch_messages(void)
{
	ck_assert_ptr_nonnull(freopen(in_folder("messages"), "w", stderr));
	setbuf(stderr, NULL);
}

static unsigned count_messages(const char *with)
{
	unsigned count = 0;

	for (const char *at = file_text("messages"); (at = strstr(at, with)); at++)
		count++;
	return count;
}

/* The first pass has written the file; the next one's write hangs. */
static time_t hang_a_write(void)
{
	time_t first;

	alarm(60);
	configure("FiguresFile=fathom.json\n");
	open_cluster();
	host_load(FATHOM_PLUGIN);
	first = host_now();
	ck_assert(file_is_of(first));
	catch_messages();
	host_leave_helpers(1);
	hangs = true;
	host_pass();
	return first;
}

TEST(passes_go_on_while_a_write_hangs)
{
	time_t first = hang_a_write();
	double before = (double)anna->record->usage->usage_raw;

	host_pass();
	host_pass();
	ck_assert_double_lt((double)anna->record->usage->usage_raw, before);
	ck_assert(file_is_of(first));
	ck_assert_uint_eq(count_messages("the previous write has not ended"), 1);
	host_leave_helpers(0);
	hangs = false;
	host_pass();	/* the write that hung may end too late for it */
	host_pass();
	ck_assert(file_is_of(host_now()));
	ck_assert_uint_eq(count_messages("; it stays as it was"), 1);
}

static bool is_new_file_there(void)
{
	return status_of("fathom.json.new").st_ino;
}

/* What is written in the end may be older than what another slurmctld has. */
TEST(shutdown_leaves_a_write_that_hangs)
{
	const struct timespec millisecond = { .tv_nsec = 1000000 };
	time_t first = hang_a_write();

	ck_assert(host_close());
	ck_assert_uint_eq(count_messages("the previous write has not ended"), 1);
	ck_assert(is_new_file_there());
	hangs = false;
	while (is_new_file_there())
		nanosleep(&millisecond, NULL);
	ck_assert(file_is_of(first));
}

/* ---- the shadow ------------------------------------------------------------------- */

static void note_priorities(const char *conf, uint32_t priority[3], double factor[3])
{
	struct host_association *const users[] = { anna, bert, carla };
	job_record_t *job[3];

	write_conf(conf);
	priority_g_reconfig(false);
	host_await_pass();
	for (size_t i = 0; i < 3; i++) {
		job[i] = host_job(&(struct host_job){ .user = users[i] });
		priority[i] = host_job_set_priority(job[i]);
		factor[i] = (double)users[i]->record->usage->fs_factor;
		host_job_begin(job[i], host_now());
		host_job_end(job[i]);
		host_job_cleaned(job[i]);
		host_job_purge(job[i]);
	}
}

TEST(shadow_changes_no_priority)
{
	uint32_t alone[3], shadowed[3];
	double factor_alone[3], factor_shadowed[3];

	configure("");
	open_cluster();
	host_load(FATHOM_PLUGIN);
	note_priorities("", alone, factor_alone);
	note_priorities("ShadowPolicy=lsf\nFiguresFile=fathom.json\n", shadowed, factor_shadowed);
	for (size_t i = 0; i < 3; i++) {
		ck_assert_uint_eq(shadowed[i], alone[i]);
		ck_assert(factor_shadowed[i] == factor_alone[i]);
	}
	ck_assert_uint_ne(alone[0], alone[1]);
}

/* ---- meanwhile -------------------------------------------------------------------- */

static void remove_bert(void *argument)
{
	if (bert)
		host_remove(bert);
	bert = NULL;
}

/* Before a pass the names are what it knows; an association that is gone when
 * they are read leaves the file as it was, for one pass. */
TEST(association_that_goes_meanwhile_is_in_no_half_file)
{
	char *text;
	uint64_t steps;

	configure("FiguresFile=fathom.json\n");
	open_cluster();
	host_load(FATHOM_PLUGIN);
	host_pass();
	steps = host_last_pass()->steps;
	host_beside_pass(steps - 1, remove_bert, NULL);	/* before the names are read */
	host_pass();
	ck_assert_ptr_null(bert);
	text = read_text("fathom.json");
	ck_assert_ptr_nonnull(strstr(text, "bert"));
	free(text);
	host_pass();
	host_pass();
	text = read_text("fathom.json");
	ck_assert_ptr_null(strstr(text, "bert"));
	ck_assert_ptr_nonnull(strstr(text, "anna"));
	free(text);
}
