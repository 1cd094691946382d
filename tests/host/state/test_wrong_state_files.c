/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * State files whose checksum is right and whose contents are not: as another
 * machine or a mistake would write them. They are put aside, and nothing else
 * happens. What is known of the file's layout stands here once more: a change
 * of it must be meant.
 */
#include "scenario/sixteen_nodes.h"
#include "scenario/two_users.h"

#include <stddef.h>

/* ---- the layout -------------------------------------------------------------------- */

struct header {
	char magic[16];
	uint32_t byte_order, tres_count, association_count, qos_count, job_count;
	uint32_t names_length, section_count, column_count, row_count, part_count;
	int64_t time, last_reset;
	uint64_t length, checksum;
	uint64_t applied[64];	/* imports and requests */
};

struct row {
	uint32_t id, parent_id;
};

struct part_row {
	uint32_t job, hosts;
	uint64_t cpus, all_cpus;
};

struct input_row {
	uint32_t id, account_id, leaf, reserved;
	int64_t time;
};

static uint64_t mix(uint64_t sum, uint64_t word)
{
	sum = (sum ^ word) * UINT64_C(0x9e3779b97f4a7c15);
	return sum ^ sum >> 29;
}

/* Four words at a time, then byte by byte. */
static uint64_t checksum(uint64_t sum, const char *data, size_t length)
{
	uint64_t lane[4] = { sum, sum + 1, sum + 2, sum + 3 }, word[4];

	for (; length >= sizeof(word); data += sizeof(word), length -= sizeof(word)) {
		memcpy(word, data, sizeof(word));
		for (int i = 0; i < 4; i++)
			lane[i] = mix(lane[i], word[i]);
	}
	for (int i = 0; i < 4; i++)
		sum = mix(sum, lane[i]);
	for (; length; data++, length--)
		sum = mix(sum, (unsigned char)*data);
	return sum;
}

/* ---- a file that somebody has changed ------------------------------------------------ */

static struct {
	struct header header;
	char data[1 << 16];
} state;
static size_t parts[16];	/* their lengths; each has a sum of its own */

static FILE *open_state(const char *mode)
{
	FILE *file = fopen(in_folder("fathom_usage"), mode);

	ck_assert_ptr_nonnull(file);
	return file;
}

static void read_state(void)
{
	FILE *file = open_state("r");
	size_t n, length = fread(&state, 1, sizeof(state), file);
	const struct header *header = &state.header;

	fclose(file);
	ck_assert_uint_eq(length, sizeof(*header) + header->length);
	n = header->tres_count;
	memcpy(parts, (size_t[]){ n * 4, header->association_count * sizeof(struct row),
				  header->association_count * (2 + n) * 8,
				  header->qos_count * sizeof(struct row),
				  header->qos_count * (2 + n) * 8, header->job_count * 80,
				  header->job_count * n * 8, header->job_count * 4,
				  header->part_count * sizeof(struct part_row),
				  header->names_length, header->section_count * 176,
				  header->column_count * 32, header->row_count * 24,
				  (size_t)header->row_count * header->column_count * 8 },
	       14 * sizeof(*parts));
}

static uint64_t sum_of_state(void)
{
	struct header plain = state.header;
	const char *at = state.data;
	uint64_t sum = UINT64_C(0xcbf29ce484222325);

	plain.checksum = 0;
	sum = checksum(sum, (const char *)&plain, sizeof(plain));
	for (int i = 0; i < 14; at += parts[i++])
		sum = checksum(sum, at, parts[i]);
	return sum;
}

static void write_state(void)
{
	FILE *file = open_state("w");

	state.header.checksum = sum_of_state();
	fwrite(&state, 1, sizeof(state.header) + state.header.length, file);
	fclose(file);
}

static bool is_put_aside(void)
{
	return exists("fathom_usage.damaged");
}

/* ---- what may be wrong ---------------------------------------------------------------- */

static const uint32_t many = 70000, columns = 65, other_order = 0x04030201;
static const char other_magic[16] = "fathom usage";
static const int64_t before_all = -1, in_10000 = INT64_C(253402300800);

#define FIELD(name) offsetof(struct header, name), sizeof(state.header.name)

static const struct {
	size_t at, length;
	const void *value;
	const char *says;
} wrong[] = {
	{ FIELD(magic), other_magic, "not a file of fathom, or of another version" },
	{ FIELD(byte_order), &other_order, "from a machine of another kind" },
	{ FIELD(tres_count), &many, "damaged (number of TRES)" },
	{ FIELD(column_count), &columns, "damaged (number of columns)" },
	{ FIELD(time), &before_all, "damaged (times)" },
	{ FIELD(time), &in_10000, "damaged (times)" },
	{ FIELD(last_reset), &before_all, "damaged (times)" },
	{ FIELD(last_reset), &in_10000, "damaged (times)" },
	{ FIELD(association_count), &many, "cut short" },
};
#define WRONG ((int)(sizeof(wrong) / sizeof(*wrong)))

/* An association's number, and its account's, that nobody has. */
#define NOBODY 4711

/* physics has used 7 of members that are gone. */
static void open_cluster(void)
{
	two_users_grow("");
	physics->usage = 7;
	anna->usage = 100;
	host_passed_at(host_now());
	two_users_open();
	two_users_load("");
	ck_assert(host_close());
	read_state();
}

/* Usage is what slurmctld has itself. */
TEST_LOOP(file_with_a_wrong_header_is_put_aside, WRONG)
{
	open_cluster();
	memcpy((char *)&state.header + wrong[_i].at, wrong[_i].value, wrong[_i].length);
	write_state();
	host_load(FATHOM_PLUGIN);
	ck_assert(is_put_aside());
	ck_assert_msg(logged(wrong[_i].says) == 1, "%s", wrong[_i].says);
	ck_assert_double_eq_tol(usage_of(anna), 100, 1e-6);
}

/* ---- contents that cannot be, under a right checksum ------------------------------------ */

/* of parts */
enum { JOB_PARTITIONS = 7, PARTS = 8, NAMES = 9, SECTIONS = 10, COLUMNS = 11, ROWS = 12 };

static char *part(int of)
{
	char *at = state.data;

	for (int i = 0; i < of; i++)
		at += parts[i];
	return at;
}

static void let_names_not_end(void)
{
	part(NAMES)[parts[NAMES] - 1] = 'x';
}

static void let_a_name_begin_behind_all(void)
{
	uint32_t begin = state.header.names_length + 1;

	memcpy(part(JOB_PARTITIONS), &begin, sizeof(begin));
}

static void let_a_column_not_end(void)
{
	memset(part(COLUMNS), 'x', 32);
}

static void let_a_scheme_not_end(void)
{
	memset(part(SECTIONS), 'x', 128);
}

static void let_a_policy_not_end(void)
{
	memset(part(SECTIONS) + 128, 'x', 32);
}

static void let_a_row_be_in_no_section(void)
{
	uint32_t rows = state.header.row_count - 1;

	memcpy(part(SECTIONS) + 168, &rows, sizeof(rows));
}

static void change_nothing(void)
{
}

/* ---- parts of runs on sets of hosts ------------------------------------------------------ */

static struct part_row first_part(void)
{
	struct part_row row;

	memcpy(&row, part(PARTS), sizeof(row));
	return row;
}

static void set_first_part(struct part_row row)
{
	memcpy(part(PARTS), &row, sizeof(row));
}

static void let_a_part_have_no_job(void)
{
	struct part_row row = first_part();

	row.job = state.header.job_count;
	set_first_part(row);
}

static void let_a_part_have_no_name(void)
{
	struct part_row row = first_part();

	row.hosts = 0;
	set_first_part(row);
}

static void let_the_name_of_a_part_begin_behind_all(void)
{
	struct part_row row = first_part();

	row.hosts = state.header.names_length + 1;
	set_first_part(row);
}

static void let_a_part_be_of_nothing(void)
{
	struct part_row row = first_part();

	row.cpus = row.all_cpus = 0;
	set_first_part(row);
}

static void let_a_part_be_more_than_all(void)
{
	struct part_row row = first_part();

	row.cpus = row.all_cpus + 1;
	set_first_part(row);
}

static void let_parts_be_out_of_order(void)
{
	struct part_row row = first_part();

	memcpy(part(PARTS), part(PARTS) + sizeof(row), sizeof(row));
	memcpy(part(PARTS) + sizeof(row), &row, sizeof(row));
}

static const struct { void (*change)(void); bool is_sound; } unsound_parts[] = {
	{ let_a_part_have_no_job, false }, { let_a_part_have_no_name, false },
	{ let_the_name_of_a_part_begin_behind_all, false }, { let_a_part_be_of_nothing, false },
	{ let_a_part_be_more_than_all, false }, { let_parts_be_out_of_order, false },
	{ change_nothing, true },
};
#define UNSOUND_PARTS ((int)(sizeof(unsound_parts) / sizeof(*unsound_parts)))

TEST_LOOP(file_with_wrong_parts_of_runs_is_put_aside, UNSOUND_PARTS)
{
	two_users_grow("");
	host_passed_at(host_now());
	two_users_open();
	make_nodes();
	two_users_load("Scope=h1 Hosts=n1");
	allocate_nodes(run_in(anna, gpu, 4), 0, 1, 2);
	allocate_nodes(run_in(bert, gpu, 2), 1, 1, 2);
	host_pass();
	ck_assert(host_close());
	read_state();
	ck_assert_uint_eq(state.header.part_count, 2);
	unsound_parts[_i].change();
	write_state();
	host_load(FATHOM_PLUGIN);
	ck_assert_int_eq(is_put_aside(), !unsound_parts[_i].is_sound);
}

/* ---- the rest of a file ---------------------------------------------------------------- */

static const struct { void (*change)(void); bool is_sound; } unsound[] = {
	{ let_names_not_end, false }, { let_a_name_begin_behind_all, false },
	{ let_a_column_not_end, false }, { let_a_scheme_not_end, false },
	{ let_a_policy_not_end, false }, { let_a_row_be_in_no_section, false },
	{ change_nothing, true },
};
#define UNSOUND ((int)(sizeof(unsound) / sizeof(*unsound)))

TEST_LOOP(file_whose_parts_do_not_fit_is_put_aside, UNSOUND)
{
	two_users("", "Scope=gpu Partitions=gpu");
	use(bert, gpu, 1, 1000);
	run_in(anna, gpu, 1);
	host_user(physics, "carl", 1);
	host_pass();
	ck_assert(host_close());
	read_state();
	ck_assert(state.header.names_length && state.header.job_count == 1);
	ck_assert(state.header.section_count == 1 && state.header.row_count);
	unsound[_i].change();
	write_state();
	host_load(FATHOM_PLUGIN);
	ck_assert_int_eq(is_put_aside(), !unsound[_i].is_sound);
	ck_assert_uint_eq(logged("damaged (sums)"), !unsound[_i].is_sound);
}

/* Of the header's length, and of the file's: by a byte too short or too long. What is cut short is
 * not looked at. */
TEST_LOOP(file_of_another_length_is_put_aside, 4)
{
	size_t header = sizeof(state.header);
	size_t length[4];
	FILE *file;

	open_cluster();
	if (_i < 2)
		state.header.byte_order = other_order;
	memcpy(length, (size_t[]){ 0, header - 1, header + state.header.length - 1,
				   header + state.header.length + 1 }, sizeof(length));
	file = open_state("w");
	fwrite(&state, 1, length[_i], file);
	fclose(file);
	host_load(FATHOM_PLUGIN);
	ck_assert(is_put_aside());
	ck_assert_uint_eq(logged("fathom_usage: cut short; keeping it as "), 1);
	ck_assert_double_eq_tol(usage_of(anna), 100, 1e-6);
}

/* One bit of the header, in a time that stays possible, and of each part. */
TEST_LOOP(file_with_another_bit_is_put_aside, 15)
{
	char *at;
	FILE *file;

	open_cluster();
	if (_i && !parts[_i - 1])
		return;
	at = _i ? part(_i - 1) : (char *)&state.header.last_reset;
	*at ^= 1;
	file = open_state("w");
	fwrite(&state, 1, sizeof(state.header) + state.header.length, file);
	fclose(file);
	host_load(FATHOM_PLUGIN);
	ck_assert(is_put_aside());
	ck_assert_uint_eq(logged("damaged (checksum)"), 1);
}

/* ---- multifactor's file ------------------------------------------------------------- */

static const struct { size_t length; const char *bytes, *says; } times[] = {
	{ 15, "\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0", "has 15 bytes, must have 16" },
	{ 0, "", "has 0 bytes, must have 16" },
	{ 16, "\200\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0", "holds no times" },
	{ 16, "\0\0\0\0\1\0\0\0\200\0\0\0\0\0\0\0", "holds no times" },
	{ 16, "\0\0\0\0\1\0\0\0\0\0\0\0\0\0\0\0", NULL },
};
#define TIMES ((int)(sizeof(times) / sizeof(*times)))

TEST_LOOP(wrong_file_of_times_is_not_used, TIMES)
{
	FILE *file;

	two_users_grow("");
	anna->usage = 100;
	file = fopen(in_folder("priority_last_decay_ran"), "w");
	ck_assert(file && fwrite(times[_i].bytes, 1, times[_i].length, file) == times[_i].length);
	fclose(file);
	two_users_open();
	two_users_load("");
	ck_assert_uint_eq(logged("priority_last_decay_ran"), times[_i].says ? 1 : 0);
	if (times[_i].says)
		ck_assert_uint_eq(logged(times[_i].says), 1);
}

/* fathom's own file, which is good, has the times, too. */
TEST(wrong_file_of_times_does_not_make_it_multifactors_turn)
{
	static const char in_ages[16] = "\1";
	FILE *file;

	open_cluster();
	file = fopen(in_folder("priority_last_decay_ran"), "w");
	ck_assert(file && fwrite(in_ages, 1, sizeof(in_ages), file) == sizeof(in_ages));
	fclose(file);
	host_load(FATHOM_PLUGIN);
	ck_assert_uint_eq(logged("holds no times"), 1);
	ck_assert_uint_eq(logged("going on with the usage that the last pass saved"), 1);
}

/* The layout before this one had no imports and requests; the sums are of the shorter header. */
TEST(file_of_the_layout_before_is_read)
{
	size_t length = offsetof(struct header, applied);
	uint64_t sum = UINT64_C(0xcbf29ce484222325);
	const char *at = state.data;
	FILE *file;

	open_cluster();
	strcpy(state.header.magic, "fathom usage 8\n");
	state.header.checksum = 0;
	sum = checksum(sum, (const char *)&state.header, length);
	for (int i = 0; i < 14; at += parts[i++])
		sum = checksum(sum, at, parts[i]);
	state.header.checksum = sum;
	file = open_state("w");
	fwrite(&state.header, 1, length, file);
	fwrite(state.data, 1, state.header.length, file);
	fclose(file);
	host_load(FATHOM_PLUGIN);
	ck_assert(!is_put_aside());
	ck_assert_double_eq_tol(usage_of(anna), 100, 1e-6);
}

TEST(file_that_is_right_is_not_put_aside)
{
	uint64_t before;

	open_cluster();
	before = state.header.checksum;
	write_state();
	ck_assert_uint_eq(state.header.checksum, before);
	host_load(FATHOM_PLUGIN);
	ck_assert(!is_put_aside());
	ck_assert_double_eq_tol(usage_of(anna), 100, 1e-6);
}

/* Billing, CPU and node alone, whatever slurmctld has. */
TEST(tres_that_nobody_has_used_are_not_saved)
{
	two_users("", "");
	use(anna, gpu, 1, 1000);
	host_pass();
	ck_assert(host_close());
	read_state();
	ck_assert_uint_eq(state.header.tres_count, 3);
	ck_assert_int_gt(slurmctld_tres_cnt, 3);
}

/* The sums of anna alone, though the import names bert, too. */
TEST(sums_of_nothing_are_not_saved)
{
	char conf[512];

	two_users("", "Policy=pbs");
	write_file("usage.json", "{\"format\": \"fathom-usage\", \"version\": 1, \"usage\": ["
		   "{\"account\": \"physics\", \"user\": \"anna\", \"usage\": 5}, "
		   "{\"account\": \"physics\", \"user\": \"bert\", \"usage\": 0}]}\n");
	snprintf(conf, sizeof(conf), "Policy=pbs ImportUsage=%s", in_folder("usage.json"));
	reconfigure(conf);
	ck_assert_uint_eq(logged("usage of 2 associations is added"), 1);
	ck_assert(host_close());
	read_state();
	ck_assert_uint_eq(state.header.row_count, 1);
}

/* Neither the association nor any account above it is known. */
TEST_LOOP(usage_of_nobody_who_is_known_is_the_roots, 2)
{
	struct row row;
	size_t found = 0;

	open_cluster();
	for (uint32_t i = 0; i < state.header.association_count; i++) {
		char *at = state.data + parts[0] + i * sizeof(row);

		memcpy(&row, at, sizeof(row));
		if (row.id != anna->id)
			continue;
		row.id = NOBODY;
		row.parent_id = NOBODY + (uint32_t)_i;	/* itself, or nobody either */
		memcpy(at, &row, sizeof(row));
		found++;
	}
	ck_assert_uint_eq(found, 1);
	write_state();
	host_load(FATHOM_PLUGIN);
	ck_assert_double_eq_tol(usage_of(anna), 0, 1e-6);
	ck_assert_double_eq_tol(usage_of(physics), 7, 1e-6);
	ck_assert_double_eq_tol(usage_of(host_root()), 107, 1e-6);
}

/* As above, for rows of a scope's sums. A new user makes the plugin write all of them. */
TEST_LOOP(use_of_a_scope_by_nobody_who_is_known_is_the_roots, 2)
{
	const char *const conf = "Scope=gpu Partitions=gpu";
	struct input_row row;
	job_record_t *job;
	char *at;

	two_users("", conf);
	use(anna, gpu, 3, 1000);
	use(bert, gpu, 1, 1000);
	host_user(physics, "carl", 1);
	host_pass();
	ck_assert(host_close());
	read_state();
	ck_assert_uint_eq(state.header.row_count, 2);
	at = part(ROWS);
	memcpy(&row, at, sizeof(row));
	ck_assert_uint_eq(row.id, anna->id);
	row.id = NOBODY;
	row.account_id = NOBODY + (uint32_t)_i;
	memcpy(at, &row, sizeof(row));
	write_state();
	host_load(FATHOM_PLUGIN);
	job = wait_in(bert, gpu);
	/* a quarter of all, as its account, and a third of the shares */
	assert_factor(job, exp2(-.25 * 3));
}
