/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * ImportUsage and requests of fathom usage: each is applied once, whatever fails between, and
 * nothing that is wrong with a file harms. The calls that sync what is saved, and that open files,
 * come here first.
 */
#include "scenario/crash.h"
#include "scenario/failing_open.h"
#include "scenario/two_users.h"

#include <sys/stat.h>

#define DAY 86400
#define MOST_STEPS 60	/* of a pass, at each of which something happens in a test */

static bool saves_fail;

SHOWN int fsync(int file)
{
	static int (*next)(int file);

	if (!next)
		next = host_next_symbol("fsync");
	errno = EIO;
	return saves_fail ? -1 : next(file);
}

static const char *unreadable;	/* a file that cannot be opened; why */
static int reason;
static unsigned openings;	/* of it */

static bool is_unreadable(const char *path)
{
	const char *name = strrchr(path, '/');

	if (!unreadable || !name || strcmp(name + 1, unreadable))
		return false;
	openings++;
	errno = reason;
	return true;
}

/* ---- files ------------------------------------------------------------------------------ */

static void write_private(const char *name, const char *text)
{
	write_file(name, text);
	ck_assert(!chmod(in_folder(name), 0600));
}

/* time: in seconds before now; below 0: none. */
static void write_import(const char *entries, time_t age)
{
	char text[4096], time[64] = "";

	if (age >= 0)
		snprintf(time, sizeof(time), "\"time\": %ld, ", (long)(host_now() - age));
	snprintf(text, sizeof(text), "{\"format\": \"fathom-usage\", \"version\": 1, %s\"usage\": "
		 "[%s]}\n", time, entries);
	write_private("usage.json", text);
}

static void write_request(const char *changes)
{
	static unsigned id;
	char text[4096];

	snprintf(text, sizeof(text), "{\"format\": \"fathom-usage-request\", \"version\": 1, "
		 "\"id\": \"%u\", \"time\": 1700000000, \"by\": \"eve\", \"host\": \"ctl\", "
		 "\"changes\": [%s]}\n", ++id, changes);
	write_private("fathom_usage_request", text);
}

/* ---- the cluster ------------------------------------------------------------------------ */

static char import_line[320];

/* anna has 1000, bert 500, the account 100 of its own. */
static void open_cluster(const char *slurm_conf)
{
	two_users_grow(slurm_conf);
	host_passed_at(host_now());
	anna->usage = 1000;
	bert->usage = 500;
	physics->usage = 100;
	two_users_open();
	snprintf(import_line, sizeof(import_line), "ImportUsage=%s\n", in_folder("usage.json"));
}

static void assert_usage(double of_physics, double of_anna, double of_bert)
{
	ck_assert_double_eq_tol(usage_of(anna), of_anna, 1e-6);
	ck_assert_double_eq_tol(usage_of(bert), of_bert, 1e-6);
	ck_assert_double_eq_tol(usage_of(physics), of_physics, 1e-6);
	ck_assert_double_eq_tol(usage_of(host_root()), of_physics, 1e-6);
}

/* ---- imports ---------------------------------------------------------------------------- */

#define ANNA "{\"account\": \"physics\", \"user\": \"anna\", \"usage\": 40}"
#define PHYSICS "{\"account\": \"physics\", \"usage\": 7}"

static void import(const char *entries, time_t age)
{
	write_import(entries, age);
	two_users_load(import_line);
}

TEST(import_is_added_once)
{
	open_cluster("");
	import(ANNA ", " PHYSICS, -1);
	assert_usage(1647, 1040, 500);
	ck_assert_uint_eq(logged("usage of 2 associations is added"), 1);
	host_pass();
	reconfigure(import_line);
	crash_and_restart();
	ck_assert(host_close());
	host_load(FATHOM_PLUGIN);
	assert_usage(1647, 1040, 500);
	ck_assert_uint_eq(logged("usage of 2 associations is added"), 1);
	ck_assert_uint_eq(logged("has been added before"), 3);
}

TEST(another_content_is_added_too)
{
	open_cluster("");
	import(ANNA, -1);
	write_import(ANNA ", " PHYSICS, -1);
	reconfigure(import_line);
	assert_usage(1687, 1080, 500);
	write_import(ANNA, -1);	/* the first one again */
	reconfigure(import_line);
	assert_usage(1687, 1080, 500);
}

/* Each has another content, by its usage. */
static void import_again(int seconds)
{
	char entry[128];

	snprintf(entry, sizeof(entry),
		 "{\"account\": \"physics\", \"user\": \"anna\", \"usage\": %d}", seconds);
	write_import(entry, -1);
	reconfigure(import_line);
}

/* The first one is used again, and so outlives the second. */
TEST(last_62_contents_are_remembered)
{
	open_cluster("");
	two_users_load("");
	for (int i = 0; i < 62; i++)
		import_again(i + 1);
	crash_and_restart();
	import_again(1);
	ck_assert_uint_eq(logged("has been added before"), 2);
	import_again(99);
	ck_assert_uint_eq(logged("has been added before"), 2);
	import_again(1);
	ck_assert_uint_eq(logged("has been added before"), 3);
	import_again(2);
	ck_assert_uint_eq(logged("has been added before"), 3);
}

TEST(midnight_after_an_import_is_not_missed)
{
	open_cluster("PriorityUsageResetPeriod=DAILY");
	import(ANNA, -1);
	assert_usage(1640, 1040, 500);
	host_advance(DAY);
	host_pass();
	assert_usage(0, 0, 0);
}

TEST_LOOP(import_decays_since_its_time, 2)
{
	open_cluster("PriorityDecayHalfLife=1-0");
	import(ANNA, _i ? DAY : -DAY);
	/* what the records have has decayed since the pass before, which was just now */
	assert_usage(_i ? 1620 : 1640, _i ? 1020 : 1040, 500);
}

TEST(import_that_is_not_saved_is_added_again)
{
	open_cluster("");
	two_users_load("");
	host_pass();
	write_import(ANNA, -1);
	saves_fail = true;
	reconfigure(import_line);
	host_pass();
	assert_usage(1640, 1040, 500);
	crash_and_restart();
	saves_fail = false;
	assert_usage(1640, 1040, 500);
	host_pass();
	crash_and_restart();
	assert_usage(1640, 1040, 500);
}

TEST(missing_associations_are_named)
{
	open_cluster("");
	import("{\"account\": \"physics\", \"user\": \"carl\", \"usage\": 5}, "
	       "{\"account\": \"maths\", \"user\": \"anna\", \"usage\": 8}, "
	       "{\"account\": \"maths\", \"user\": \"idle\", \"usage\": 0}, " ANNA, -1);
	assert_usage(1645, 1040, 500);
	ck_assert_uint_eq(logged("2 of "), 1);
	ck_assert_uint_eq(logged("are no associations: maths/anna, physics/carl; usage of 1 goes "
				 "to their accounts, that of 1, 8 s, is dropped"), 1);
}

/* Five are named; of more a log line says so. */
TEST_LOOP(at_most_five_missing_associations_are_named, 2)
{
	char text[512] = "";

	for (int i = 0; i < 5 + _i; i++)
		snprintf(text + strlen(text), sizeof(text) - strlen(text),
			 "{\"account\": \"maths\", \"user\": \"u%d\", \"usage\": 1}, ", i);
	strcat(text, ANNA);
	open_cluster("");
	import(text, -1);
	ck_assert_uint_eq(logged(_i ? "maths/u4, ...; usage of 0" : "maths/u4; usage of 0"), 1);
}

static const struct { const char *text, *says; } wrong_imports[] = {
	{ "", "usage.json:1: the file ends where '{' is expected; no usage is added" },
	{ "{\"format\": \"fathom-usage\", \"version\": 1,\n \"usage\": [{}]}",
	  "usage.json:2: 'account' is missing; no usage is added" },
	{ "{\"format\": \"fathom-tree\"}", "\"format\" is \"fathom-tree\", must be "
	  "\"fathom-usage\"; no usage is added" },
	{ NULL, "usage.json: No such file or directory; no usage is added" },
};

TEST_EACH(wrong_import_changes_nothing, wrong_imports)
{
	open_cluster("");
	if (wrong_imports[_i].text)
		write_private("usage.json", wrong_imports[_i].text);
	two_users_load(import_line);
	ck_assert_uint_eq(logged(wrong_imports[_i].says), 1);
	host_pass();
	ck_assert_uint_eq(logged("no usage is added"), 1);
	assert_usage(1600, 1000, 500);
	write_import(ANNA, -1);
	reconfigure(import_line);
	assert_usage(1640, 1040, 500);
}

/* multifactor runs between two runs of fathom and goes on from the usage that it finds. */
TEST(import_is_known_after_multifactor)
{
	uint64_t later[2];
	FILE *file;

	open_cluster("");
	import(ANNA, -1);
	ck_assert(host_close());
	host_advance(1000);
	later[0] = __builtin_bswap64((uint64_t)host_now());
	later[1] = 0;
	file = fopen(in_folder("priority_last_decay_ran"), "w");
	ck_assert(file && fwrite(later, sizeof(later), 1, file) == 1 && !fclose(file));
	host_load(FATHOM_PLUGIN);
	ck_assert_uint_eq(logged("going on with the usage in Slurm's records, as of"), 2);
	assert_usage(1640, 1040, 500);
	ck_assert_uint_eq(logged("has been added before"), 1);
}

TEST(import_is_not_added_if_the_state_is_damaged)
{
	open_cluster("");
	import(ANNA, -1);
	ck_assert(host_close());
	write_private("fathom_usage", "x");
	write_private("fathom_usage.old", "x");
	host_load(FATHOM_PLUGIN);
	assert_usage(1640, 1040, 500);
	ck_assert_uint_eq(logged("it is not known whether"), 1);
	host_pass();
	reconfigure(import_line);
	assert_usage(1640, 1040, 500);
}

/* ---- reasons that pass ------------------------------------------------------------------- */

static const int passing[] = {
	EIO, ENOMEM, EMFILE, ENFILE, ESTALE, EINTR, EAGAIN,
	ETIMEDOUT, ENOTCONN, ESHUTDOWN, EHOSTDOWN,	/* of a file server that does not answer */
};

static void make_unreadable(const char *name, int why)
{
	unreadable = name;
	reason = why;
	openings = 0;
}

TEST_EACH(import_that_cannot_be_read_is_read_again, passing)
{
	open_cluster("");
	make_unreadable("usage.json", passing[_i]);
	import(ANNA, -1);
	host_pass();
	host_pass();
	ck_assert_uint_eq(openings, 3);
	ck_assert_uint_eq(logged("usage.json: "), 1);
	ck_assert_uint_eq(logged("; each pass tries again"), 1);
	assert_usage(1600, 1000, 500);
	unreadable = NULL;
	host_pass();
	assert_usage(1640, 1040, 500);
	ck_assert_uint_eq(logged("usage.json can be read again"), 1);
	host_pass();
	crash_and_restart();
	assert_usage(1640, 1040, 500);
	ck_assert_uint_eq(logged("; each pass tries again"), 1);
}

/* While it cannot be read, it is not known whether it is the one that was added. */
TEST(unreadable_import_is_not_added_twice_after_a_damage)
{
	open_cluster("");
	import(ANNA, -1);
	ck_assert(host_close());
	write_private("fathom_usage", "x");
	write_private("fathom_usage.old", "x");
	make_unreadable("usage.json", EIO);
	host_load(FATHOM_PLUGIN);
	host_pass();
	unreadable = NULL;
	host_pass();
	host_pass();
	assert_usage(1640, 1040, 500);
	ck_assert_uint_eq(logged("it is not known whether"), 1);
}

/* ---- requests --------------------------------------------------------------------------- */

#define OF_ANNA "\"account\": \"physics\", \"user\": \"anna\""
#define OF_BERT "\"account\": \"physics\", \"user\": \"bert\""
#define OF_PHYSICS "\"account\": \"physics\""

static const struct {
	const char *changes;
	double physics, anna, bert;
	const char *says;
} requests[] = {
	{ "{" OF_ANNA ", \"assign\": 30}", 630, 30, 500,
	  "usage of user anna in account physics: from 1000 to 30 s, assigned by eve on ctl at "
	  "2023-11-14T22:13:20" },
	{ "{" OF_ANNA ", \"scale\": 1.5}", 2100, 1500, 500, "from 1000 to 1500 s, scaled by eve" },
	{ "{" OF_ANNA ", \"reset\": 0}", 600, 0, 500, "from 1000 to 0 s, reset by eve" },
	{ "{" OF_PHYSICS ", \"assign\": 400}", 400, 250, 125,
	  "usage of account physics: from 1600 to 400 s, assigned" },
	{ "{" OF_PHYSICS ", \"user\": null, \"scale\": 0.5}", 800, 500, 250,
	  "usage of account physics: from 1600 to 800 s, scaled" },
	{ "{\"account\": \"root\", \"reset\": 0}", 0, 0, 0,
	  "usage of account root: from 1600 to 0 s, reset" },
	{ "{\"account\": \"root\", \"reset\": 0}, {" OF_ANNA ", \"assign\": 7}", 7, 7, 0,
	  "usage of user anna in account physics: from 0 to 7 s, assigned" },
	{ "{\"account\": \"root\", \"reset\": 0}, {" OF_PHYSICS ", \"assign\": 7}, "
	  "{" OF_PHYSICS ", \"scale\": 2}, {" OF_ANNA ", \"assign\": 4}", 18, 4, 0,
	  "usage of account physics: from 7 to 14 s, scaled" },
	{ "{\"account\": \"maths\", \"assign\": 1}, {" OF_ANNA ", \"assign\": 1001}", 1601, 1001,
	  500, "request of eve on ctl: there is no account maths any more" },
	{ "{\"account\": \"physics\", \"user\": \"carl\", \"assign\": 1}, {" OF_ANNA
	  ", \"scale\": 2}", 2600, 2000, 500,
	  "there is no user carl in account physics any more" },
};

TEST_EACH(request_is_made_once, requests)
{
	open_cluster("");
	host_short_slices(_i % 2);
	two_users_load("");
	write_request(requests[_i].changes);
	ck_assert(exists("fathom_usage_request"));
	host_pass();
	assert_usage(requests[_i].physics, requests[_i].anna, requests[_i].bert);
	ck_assert_uint_eq(logged(requests[_i].says), 1);
	ck_assert(!exists("fathom_usage_request"));
	host_pass();
	assert_usage(requests[_i].physics, requests[_i].anna, requests[_i].bert);
	crash_and_restart();
	assert_usage(requests[_i].physics, requests[_i].anna, requests[_i].bert);
}

/* What has decayed for a thousand half-lives cannot be multiplied by any number, so it is nothing:
 * the account gets the seconds. */
TEST(usage_that_cannot_be_multiplied_is_none)
{
	two_users_grow("");
	host_passed_at(host_now());
	anna->usage = bert->usage = 1e-310;
	two_users_open();
	two_users_load("");
	write_request("{" OF_PHYSICS ", \"assign\": 30}");
	host_pass();
	assert_usage(30, 0, 0);
}

/* What limits count changes in the same proportion, but has no part in an import. */
TEST(limits_count_what_is_left)
{
	const slurmdb_assoc_usage_t *usage;
	double cpu_seconds, wall;

	open_cluster("");
	two_users_load("");
	use(anna, gpu, 4, 100);
	host_pass();
	usage = anna->record->usage;
	cpu_seconds = (double)usage->usage_tres_raw[TRES_ARRAY_CPU];
	wall = usage->grp_used_wall;
	ck_assert_double_gt(fmin(cpu_seconds, wall), 0);
	write_import(ANNA, -1);
	reconfigure(import_line);
	ck_assert_double_eq((double)usage->usage_tres_raw[TRES_ARRAY_CPU], cpu_seconds);
	ck_assert_double_eq(usage->grp_used_wall, wall);
	write_request("{" OF_ANNA ", \"scale\": 0.25}");
	host_pass();
	ck_assert_double_eq_tol(usage_of(anna), 360, 1e-6);
	ck_assert_double_eq((double)usage->usage_tres_raw[TRES_ARRAY_CPU], cpu_seconds / 4);
	ck_assert_double_eq(usage->grp_used_wall, wall / 4);
}

TEST(request_that_is_not_saved_is_made_again)
{
	open_cluster("");
	two_users_load("");
	write_request("{" OF_ANNA ", \"scale\": 2}");
	saves_fail = true;
	host_pass();
	host_pass();
	assert_usage(2600, 2000, 500);
	ck_assert(exists("fathom_usage_request"));
	crash_and_restart();
	saves_fail = false;
	assert_usage(2600, 2000, 500);
	host_pass();
	ck_assert(!exists("fathom_usage_request"));
	crash_and_restart();
	assert_usage(2600, 2000, 500);
}

TEST(request_that_is_saved_and_still_there_is_not_made_again)
{
	open_cluster("");
	two_users_load("");
	write_request("{" OF_ANNA ", \"scale\": 2}");
	ck_assert(!link(in_folder("fathom_usage_request"), in_folder("kept")));
	host_pass();
	ck_assert(!exists("fathom_usage_request"));
	ck_assert(!link(in_folder("kept"), in_folder("fathom_usage_request")));
	crash_and_restart();
	host_pass();
	assert_usage(2600, 2000, 500);
	ck_assert(!exists("fathom_usage_request"));
	ck_assert_uint_eq(logged("scaled by eve"), 1);
}

TEST_EACH(request_that_cannot_be_read_is_read_again, passing)
{
	open_cluster("");
	two_users_load("");
	write_request("{" OF_ANNA ", \"scale\": 2}");
	make_unreadable("fathom_usage_request", passing[_i]);
	host_pass();
	host_pass();
	ck_assert_uint_eq(openings, 2);
	ck_assert_uint_eq(logged("fathom_usage_request: "), 1);
	ck_assert_uint_eq(logged("; each pass tries again"), 1);
	ck_assert(exists("fathom_usage_request") && !exists("fathom_usage_request.refused"));
	assert_usage(1600, 1000, 500);
	unreadable = NULL;
	host_pass();
	assert_usage(2600, 2000, 500);
	ck_assert_uint_eq(logged("fathom_usage_request can be read again"), 1);
	ck_assert(!exists("fathom_usage_request"));
}

/* ---- requests that are refused ------------------------------------------------------------ */

static void give_to_another(const char *path)
{
	ck_assert(!chown(path, 12345, (gid_t)-1));
}

static void open_to_group(const char *path)
{
	ck_assert(!chmod(path, 0640));
}

static void make_link(const char *path)
{
	ck_assert(!rename(path, in_folder("elsewhere")));
	ck_assert(!symlink(in_folder("elsewhere"), path));
}

static void make_directory(const char *path)
{
	ck_assert(!unlink(path) && !mkdir(path, 0700));
}

static void make_pipe(const char *path)
{
	ck_assert(!unlink(path) && !mkfifo(path, 0600));
}

static void cut_short(const char *path)
{
	ck_assert(!truncate(path, 60));
}

static void append_more(const char *path)
{
	FILE *file = fopen(path, "ae");

	ck_assert(file && fputs("{}", file) >= 0 && !fclose(file));
}

static void replace_by_import(const char *path)
{
	write_import(ANNA, -1);
	ck_assert(!rename(in_folder("usage.json"), path));
}

static const struct { void (*spoil)(const char *path); const char *says; } refused[] = {
	{ give_to_another, "belongs to another user, must belong to SlurmUser or root" },
	{ open_to_group, "others than its owner have rights to it, must be of mode 0600" },
	{ make_link, "Too many levels of symbolic links" },
	{ make_directory, "is no regular file" },
	{ make_pipe, "is no regular file" },
	{ cut_short, "line 1: " },
	{ append_more, "line 2: " },
	{ replace_by_import, "\"format\" is \"fathom-usage\", must be \"fathom-usage-request\"" },
};

TEST_EACH(request_is_refused, refused)
{
	open_cluster("");
	two_users_load("");
	write_request("{" OF_ANNA ", \"scale\": 2}");
	refused[_i].spoil(in_folder("fathom_usage_request"));
	host_pass();
	host_pass();
	assert_usage(1600, 1000, 500);
	ck_assert_uint_eq(logged(refused[_i].says), 1);
	ck_assert_uint_eq(logged("refusing the request"), 1);
	ck_assert(!exists("fathom_usage_request"));
	ck_assert(exists("fathom_usage_request.refused"));
}

static const char *const wrong_changes[] = {
	"", "{" OF_ANNA "}", "{" OF_ANNA ", \"assign\": 1, \"scale\": 1}", "{\"assign\": 1}",
	"{" OF_ANNA ", \"assign\": -1}", "{" OF_ANNA ", \"reset\": 1}", "{" OF_ANNA ", \"x\": 1}",
	"{" OF_ANNA ", \"assign\": 1}, {" OF_ANNA "}",
};

TEST_EACH(request_is_made_whole_or_not_at_all, wrong_changes)
{
	open_cluster("");
	two_users_load("");
	write_request(wrong_changes[_i]);
	host_pass();
	assert_usage(1600, 1000, 500);
	ck_assert_uint_eq(logged("; keeping it as"), 1);
}

/* ---- while others change something ---------------------------------------------------------- */

static void end_job(void *job)
{
	end_run(job);
}

static double own_of(const struct host_association *association)
{
	const slurmdb_assoc_usage_t *own = association->record->leaf_usage;

	return own ? (double)own->usage_raw : 0;
}

/* A job of anna's, of 300 s on 4 CPUs, ends in the pass before her usage is halved, or after. */
TEST_LOOP(job_ends_during_the_pass, MOST_STEPS)
{
	double used;

	open_cluster("");
	host_short_slices(true);
	two_users_load("");
	write_request("{" OF_ANNA ", \"scale\": 0.5}, {" OF_PHYSICS ", \"assign\": 4000}");
	host_beside_pass((uint64_t)_i + 1, end_job, run_in(anna, gpu, 4));
	host_pass();
	ck_assert(!exists("fathom_usage_request"));
	used = usage_of(anna);
	ck_assert_double_eq_tol(usage_of(physics), used + usage_of(bert) + own_of(physics), 1e-6);
	ck_assert_double_eq_tol(usage_of(physics), 4000, 1e-6);
	crash_and_restart();
	ck_assert_double_eq_tol(usage_of(anna), used, 1e-6);
	ck_assert_double_eq_tol(usage_of(physics), 4000, 1e-6);
}

static void change_shares(void *unused)
{
	host_set_shares(bert, 17);
}

static void add_user(void *unused)
{
	host_user(physics, "carl", 1);
}

static void (*const changes[])(void *unused) = { change_shares, add_user };

TEST_LOOP(associations_change_during_the_pass, MOST_STEPS)
{
	open_cluster("");
	host_short_slices(true);
	two_users_load("");
	write_request("{" OF_PHYSICS ", \"scale\": 2}, {" OF_ANNA ", \"scale\": 2}");
	host_beside_pass((uint64_t)_i / 2 + 1, changes[_i % 2], NULL);
	host_pass();
	host_pass();
	assert_usage(5200, 4000, 1000);
	crash_and_restart();
	assert_usage(5200, 4000, 1000);
}

static void remove_anna(void *unused)
{
	host_remove(anna);
}

/* Her account gets what she had, and what the import adds: at its end, or without her. */
TEST_LOOP(import_goes_to_the_account_of_who_is_deleted_during_the_pass, MOST_STEPS)
{
	open_cluster("");
	host_short_slices(true);
	two_users_load("");
	write_import(ANNA ", " PHYSICS, -1);
	write_conf(import_line);
	priority_g_reconfig(false);
	host_beside_pass((uint64_t)_i + 1, remove_anna, NULL);
	host_await_pass();
	host_pass();
	ck_assert_double_eq_tol(usage_of(physics), 1647, 1e-6);
	ck_assert_double_eq_tol(usage_of(host_root()), 1647, 1e-6);
	crash_and_restart();
	ck_assert_double_eq_tol(usage_of(physics), 1647, 1e-6);
}

/* ---- sums of policies ------------------------------------------------------------------------ */

/* anna's 400 CPU seconds ran here; those of bert come and go. */
TEST_LOOP(policies_see_what_is_added, 3)
{
	static const char *const policies[] = { "Policy=pbs\n", "Policy=lsf\n", "Policy=flux\n" };
	char conf[512];
	job_record_t *of_anna, *of_bert;

	open_cluster("");
	two_users_load(policies[_i]);
	write_request("{\"account\": \"root\", \"reset\": 0}");
	host_pass();
	use(anna, gpu, 4, 100);
	of_anna = wait_in(anna, gpu);
	of_bert = wait_in(bert, gpu);
	host_pass();
	ck_assert_double_gt(shown(of_bert), shown(of_anna));
	write_import("{\"account\": \"physics\", \"user\": \"bert\", \"usage\": 800, "
		     "\"cpu_time\": 800}", 0);
	snprintf(conf, sizeof(conf), "%s%s", policies[_i], import_line);
	reconfigure(conf);
	ck_assert_double_lt(shown(of_bert), shown(of_anna));
	write_request("{" OF_BERT ", \"scale\": 0.1}");
	host_pass();
	ck_assert_double_gt(shown(of_bert), shown(of_anna));
	write_request("{" OF_BERT ", \"assign\": 8000}");
	host_pass();
	ck_assert_double_lt(shown(of_bert), shown(of_anna));
	crash_and_restart();
	host_pass();
	ck_assert_double_lt(shown(of_bert), shown(of_anna));
}

/* Half of it is left, by the half-life of PBS: 400 of 800, less than the 500 that bert has used;
 * then 200 more. */
TEST(policy_sees_an_import_decayed_since_its_time)
{
	static const char pbs[] = "Policy=pbs FairshareDecayTime=1d FairshareDecayFactor=0.5\n";
	job_record_t *of_anna, *of_bert;
	char conf[512];

	open_cluster("");
	two_users_load(pbs);
	use(bert, gpu, 5, 100);
	of_anna = wait_in(anna, gpu);
	of_bert = wait_in(bert, gpu);
	snprintf(conf, sizeof(conf), "%s%s", pbs, import_line);
	write_import("{" OF_ANNA ", \"usage\": 800}", DAY);
	reconfigure(conf);
	ck_assert_double_gt(shown(of_anna), shown(of_bert));
	write_import("{" OF_ANNA ", \"usage\": 400}", DAY);
	reconfigure(conf);
	ck_assert_double_lt(shown(of_anna), shown(of_bert));
}

/* PBS's own usage has begun anew with the policy; there is nothing that could be scaled. */
TEST(usage_assigned_to_who_has_none_counts)
{
	job_record_t *of_anna, *of_bert;

	open_cluster("");
	two_users_load("Policy=pbs\n");
	write_request("{\"account\": \"root\", \"reset\": 0}, {" OF_BERT ", \"assign\": 50}");
	host_pass();
	of_anna = wait_in(anna, gpu);
	of_bert = wait_in(bert, gpu);
	host_pass();
	ck_assert_double_lt(shown(of_bert), shown(of_anna));
}

/* Partitions have no owner, so only what is done to all is done to them. */
TEST_LOOP(changes_of_all_change_partitions, 3)
{
	static const struct { const char *change; double in_gpu; } changes_of[] = {
		{ "\"scale\": 0.5", 1500 }, { "\"reset\": 0", 0 }, { "\"assign\": 0", 0 },
	};
	double in_gpu = changes_of[_i].in_gpu, in_cpu = in_gpu / 3 + 1000;
	char change[128];

	two_users("", "Policy=pbs FairshareEntity=queue FairshareDecayTime=9000000d "
		      "ResourceGroup=\"gpu root 30\" ResourceGroup=\"cpu root 70\" ");
	use(anna, gpu, 30, 100);
	use(bert, cpu, 10, 100);
	host_pass();
	write_request("{" OF_BERT ", \"scale\": 0}");
	host_pass();
	assert_factor(wait_in(anna, cpu), exp2(-.25 / .7));
	snprintf(change, sizeof(change), "{\"account\": \"root\", %s}", changes_of[_i].change);
	write_request(change);
	host_pass();
	use(bert, cpu, 10, 100);
	host_pass();
	assert_factor(wait_in(anna, gpu), exp2(-in_gpu / (in_gpu + in_cpu) / .3));
	assert_factor(wait_in(anna, cpu), exp2(-in_cpu / (in_gpu + in_cpu) / .7));
}
