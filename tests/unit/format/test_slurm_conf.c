/* SPDX-License-Identifier: GPL-2.0-or-later */
/* slurm.conf is read by the rules of slurmctld, whatever is in the file. */
#include "../unit.h"

#include "format/slurm_conf.h"

#include <strings.h>

#define TEXT_SIZE 65536

#define FOLDER "/tmp/fathom-conf.XXXXXX"
static char folder[sizeof(FOLDER)];

static void make_folder(void)
{
	memcpy(folder, FOLDER, sizeof(FOLDER));
	ck_assert(mkdtemp(folder) != NULL);
	ck_assert(!chdir(folder));
}

static void write_file(const char *name, const char *text, size_t length)
{
	FILE *file = fopen(name, "w");

	ck_assert(file && fwrite(text, 1, length, file) == length && !fclose(file));
}

static void remove_folder(void)
{
	static const char *const names[] = { "slurm.conf", "a.conf", "b.conf", "tester.conf" };
	char deep[32];

	for (size_t i = 0; i < COUNT(names); i++)
		unlink(names[i]);
	for (int i = 0; i < 64; i++) {
		snprintf(deep, sizeof(deep), "deep%d.conf", i);
		unlink(deep);
	}
	ck_assert(!chdir("/"));
	rmdir(folder);
}

TEST_FIXTURE(make_folder, remove_folder)

static struct slurm_conf read_text(const char *text)
{
	struct slurm_conf conf;
	struct fathom_error error;

	write_file("slurm.conf", text, strlen(text));
	ck_assert_msg(!slurm_conf_read(&conf, "slurm.conf", &error), "%s", error.text);
	return conf;
}

/* ---- one text, one list of pairs ---------------------------------------------------- */

/* what: "LINE Key=Value" of each pair and "LINE !KIND" of each fault, in two lists, separated by
 * blanks; '_' stands for a blank in a value */
static const struct { const char *text, *what; } texts[] = {
	{ "", "" },
	{ "A=1\nB=2", "1 A=1 2 B=2" },
	{ "  A = 1  \r\n", "1 A=1" },
	{ "A=\"x y\"\n", "1 A=x_y" },
	{ "A=\"\"\n", "1 A=" },
	{ "# A=1\nB=2 # C=3\n", "2 B=2" },
	{ "A=x\\#y\n", "1 A=x#y" },
	{ "A=\\\\server\n", "1 A=\\server" },
	{ "A=1 \\\n\nB=2\n", "1 A=1 3 B=2" },
	{ "A=\\\n1\n", "1 A=1" },
	{ "A=1 \\ # goes on\n\nB=2\n", "1 A=1 3 B=2" },
	{ "A=1 # ends \\\nB=2\n", "1 A=1 2 B=2" },
	{ "A=1\\\\\nB=2\n", "1 A=1\\ 2 B=2" },
	{ "NodeName=n1 CPUs=2 \\\n  State=UP\n", "1 NodeName=n1 1 CPUs=2 2 State=UP" },
	{ "nodename=n1 A=\"x y\" B=1\n", "1 nodename=n1 1 A=x_y 1 B=1" },
	{ "A=1 B=2\n", "1 A=1 1 !0" },
	{ "A=1, 2\n", "1 A=1, 1 !0" },
	{ "A\n", "1 !0" },
	{ "A=\n", "1 !0" },
	{ "=1\n", "1 !0" },
	{ "A+=1\n", "1 A=1" },
	{ "A=\"x\"y\n", "1 A=\"x\"y" },
	{ "A=\"x\n", "1 A=\"x" },
	{ "A=\"x#y\"\n", "1 A=\"x 1 !1" },
	{ "\n\nA=1\nA B\n", "3 A=1 4 !0" },
	{ "Include none.conf\n", "1 !2" },
	{ " Include none.conf\n", "1 !4" },
	{ "Include slurm.conf\nA=1\n", "1 !3 2 A=1" },
	{ "Include %c.conf\n", "1 !2" },
	{ "Included=1\n", "1 Included=1" },
	{ "A={{ x }}\nB=1\n", "1 A=? 2 B=1" },
	{ "{% if x %}A=1{% endif %}\n", "1 A=1" },
	{ "{# a comment = #}A=1\n", "1 A=1" },
	{ "{{ more }}\nA=1\n", "2 A=1" },
	{ "A=<%= x %>\n", "1 A=?" },
	{ "A={{ x |\n y }}\nB=1\n", "1 A=? 3 B=1" },
	{ "A={{ x\nB=1\n", "1 A={{ 1 !0 2 B=1" },
	{ "\xef\xbb\xbf" "A=1\n", "1 A=1" },
};

static void describe(const struct slurm_conf *conf, char *text, size_t size)
{
	size_t pair = 0, fault = 0, used = 0;

	*text = '\0';
	while (pair < conf->pair_count || fault < conf->fault_count) {
		const struct slurm_pair *p = &conf->pair[pair];
		const struct slurm_fault *f = &conf->fault[fault];
		bool takes_pair = pair < conf->pair_count &&
				  (fault == conf->fault_count || p->line <= f->line);

		if (takes_pair)
			used += (size_t)snprintf(text + used, size - used, "%s%u %s=%s",
						 used ? " " : "", p->line, p->key,
						 p->is_unknown ? "?" : p->value);
		else
			used += (size_t)snprintf(text + used, size - used, "%s%u !%d",
						 used ? " " : "", f->line, (int)f->kind);
		pair += takes_pair;
		fault += !takes_pair;
	}
}

TEST_EACH(text_is_read_as_slurmctld_does, texts)
{
	struct slurm_conf conf = read_text(texts[_i].text);
	char got[512], wanted[512];

	describe(&conf, got, sizeof(got));
	for (char *at = got; *at; at++)
		if (at > got && *at == ' ' && !strchr("0123456789", at[1]) && at[1] != '!' &&
		    !strchr("0123456789", at[-1]))
			*at = '_';
	snprintf(wanted, sizeof(wanted), "%s", texts[_i].what);
	ck_assert_msg(!strcmp(got, wanted), "%s: got '%s', wanted '%s'", texts[_i].text, got,
		      wanted);
}

TEST(keys_are_found_where_they_count)
{
	struct slurm_conf conf = read_text("SuspendTime=1\nPartitionName=p SuspendTime=2 QOS=x\n"
					   "suspendtime=3\nPartitionName=q QOS=y qos=z\n");
	size_t line = slurm_conf_next_line(&conf, "partitionname", SLURM_CONF_NONE);

	ck_assert_str_eq(slurm_conf_find(&conf, "SUSPENDTIME")->value, "3");
	ck_assert_ptr_null(slurm_conf_find(&conf, "QOS"));
	ck_assert_str_eq(slurm_conf_on_line(&conf, line, "SuspendTime")->value, "2");
	line = slurm_conf_next_line(&conf, "PartitionName", line);
	ck_assert_str_eq(conf.pair[line].value, "q");
	ck_assert_str_eq(slurm_conf_on_line(&conf, line, "QOS")->value, "z");
	ck_assert_ptr_null(slurm_conf_on_line(&conf, line, "SuspendTime"));
	ck_assert(slurm_conf_next_line(&conf, "PartitionName", line) == SLURM_CONF_NONE);
}

/* ---- Include ------------------------------------------------------------------------ */

TEST(included_pairs_stand_where_the_include_is)
{
	struct slurm_conf conf;

	write_file("a.conf", "B=2\n", 4);
	write_file("tester.conf", "C=3\n", 4);
	conf = read_text("ClusterName=Tester\nA=1\ninclude a.conf\nINCLUDE\t%c.conf\nD=4\n");
	ck_assert_uint_eq(conf.fault_count, 0);
	ck_assert_uint_eq(conf.pair_count, 5);
	ck_assert_str_eq(conf.pair[2].key, "B");
	ck_assert_str_eq(conf.pair[2].file, "a.conf");
	ck_assert_uint_eq(conf.pair[2].line, 1);
	ck_assert_str_eq(conf.pair[3].key, "C");
	ck_assert_str_eq(conf.pair[4].key, "D");
	ck_assert_uint_eq(conf.pair[4].line, 5);
}

TEST(circle_of_includes_is_found)
{
	struct slurm_conf conf;

	write_file("a.conf", "Include b.conf\nA=1\n", 19);
	write_file("b.conf", "Include ./a.conf\nB=1\n", 21);
	conf = read_text("Include a.conf\nC=1\n");
	ck_assert_uint_eq(conf.fault_count, 1);
	ck_assert_int_eq(conf.fault[0].kind, SLURM_INCLUDE_CIRCLE);
	ck_assert_str_eq(conf.fault[0].text, "'./a.conf' is being read already");
	ck_assert_str_eq(conf.fault[0].file, "b.conf");
	ck_assert_uint_eq(conf.pair_count, 3);
}

TEST(depth_of_includes_is_bounded)
{
	struct slurm_conf conf;
	char name[32], text[64];

	for (int i = 0; i < 63; i++) {
		snprintf(name, sizeof(name), "deep%d.conf", i);
		snprintf(text, sizeof(text), "Include deep%d.conf\nA=1\n", i + 1);
		write_file(name, text, strlen(text));
	}
	write_file("deep63.conf", "A=1\n", 4);
	conf = read_text("Include deep0.conf\n");
	ck_assert_uint_eq(conf.fault_count, 1);
	ck_assert_int_eq(conf.fault[0].kind, SLURM_INCLUDE_CIRCLE);
	ck_assert_uint_eq(conf.file_count, 32);
	ck_assert_str_eq(conf.fault[0].text, "'deep31.conf' is not read: it is included more "
			 "than 32 files deep");
}

/* ---- random files ------------------------------------------------------------------- */

static const char *pick(struct unit_random *random, const char *const *words, size_t count)
{
	return words[unit_random_below(random, (uint32_t)count)];
}

#define PICK(random, words) pick(random, words, COUNT(words))

static void append(char *text, const char *more)
{
	size_t length = strlen(text);

	snprintf(text + length, TEXT_SIZE - length, "%s", more);
}

/* Writes pairs with blanks, comments, quotes and continued lines wherever Slurm allows them. */
static size_t write_pairs(struct unit_random *random, char *text, char (*value)[32],
			  unsigned *lines)
{
	static const char *const before[] = { "", " ", "\t", "# x=1\n", "\n", "#\\\n" };
	static const char *const equals[] = { "=", " = ", "=\\\n", " \\  \n=", "= " };
	static const char *const after[] = { "\n", " \n", " # y=2 \\\n", "\r\n", "\\\n\n" };
	static const char *const words[] = { "x", "7-0", "a,b", "NO_FAIR_TREE", "n[01-04]" };
	size_t count = 1 + unit_random_below(random, 20);
	char pair[128];

	*text = '\0';
	for (size_t i = 0; i < count; i++) {
		bool quoted = unit_random_below(random, 3) == 0;

		append(text, PICK(random, before));
		snprintf(value[i], sizeof(value[i]), "%s%s%zu", PICK(random, words),
			 quoted ? " " : "", i);
		lines[i] = 1;
		for (const char *at = text; (at = strchr(at, '\n')); at++)
			lines[i]++;
		snprintf(pair, sizeof(pair), "Key%zu%s%s%s%s%s", i, PICK(random, equals),
			 quoted ? "\"" : "", value[i], quoted ? "\"" : "", PICK(random, after));
		append(text, pair);
	}
	return count;
}

TEST(pairs_come_back_however_they_are_written)
{
	struct unit_random random = { .state = 77 };
	char *text = malloc(TEXT_SIZE), value[32][32];
	unsigned lines[32];

	for (int round = suite_rounds(300); round; round--) {
		size_t count = write_pairs(&random, text, value, lines);
		struct slurm_conf conf = read_text(text);

		ck_assert_msg(!conf.fault_count, "%s\n%s", text,
			      conf.fault_count ? conf.fault[0].text : "");
		ck_assert_uint_eq(conf.pair_count, count);
		for (size_t i = 0; i < count; i++) {
			ck_assert_str_eq(conf.pair[i].value, value[i]);
			ck_assert_msg(conf.pair[i].line == lines[i], "%s: %u, not %u", text,
				      conf.pair[i].line, lines[i]);
		}
	}
	free(text);
}

/* Puts pieces of syntax together at random; some with bytes of any value. */
static size_t write_garbage(struct unit_random *random, char *text)
{
	static const char *const pieces[] = {
		"\\", "\n", "\"", "#", "=", " ", "{{", "}}", "{%", "%}", "<%", "%>", "Include ",
		"a.conf", "slurm.conf", "NodeName=", "PartitionName=p ", "n[1-", "]", "%c", "\r",
		"Priority", "Weight", "Age=1", ",", "[", "ClusterName=", "\xff", "\x1a", "\t",
	};
	size_t length = 0, count = unit_random_below(random, 120);

	for (size_t i = 0; i < count; i++) {
		const char *piece = PICK(random, pieces);

		memcpy(text + length, piece, strlen(piece));
		length += strlen(piece);
		if (unit_random_below(random, 10) == 0)
			text[length++] = (char)unit_random_below(random, 256);
	}
	return length;
}

TEST(any_file_is_read)
{
	struct unit_random random = { .state = 4711 };
	char *text = malloc(TEXT_SIZE);

	for (int round = suite_rounds(3000); round; round--) {
		struct slurm_conf conf;
		size_t length = write_garbage(&random, text);

		write_file("a.conf", text, length / 2);
		write_file("slurm.conf", text, length);
		ck_assert(!slurm_conf_read(&conf, "slurm.conf", NULL));
		for (size_t i = 0; i < conf.pair_count; i++) {
			ck_assert(conf.pair[i].first <= i && *conf.pair[i].key);
			ck_assert(conf.pair[i].line >= 1 && conf.pair[i].line <= length + 1);
		}
	}
	free(text);
}
