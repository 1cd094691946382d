/* SPDX-License-Identifier: GPL-2.0-or-later */
/* semantics.md section 6.2: LSF's user share assignments as a tree. */
#include "../unit.h"

#include "policy/lsf/share_tree.h"

#define MOST 64
#define TEXT 1024

/* ---- LSF's notation ------------------------------------------------------------- */

/* What was read; all names are in one copy of the text. */
struct given {
	char *text;
	struct fathom_assignment assignment[MOST];
	size_t assignment_count;
	const char *name[MOST];
	size_t name_count;
	struct fathom_user_group group[MOST];
	struct fathom_user_shares shares;
};

static void skip_blank(char **at)
{
	*at += strspn(*at, " ");
}

/* "[a, 1] [b@, 2]" up to what is no '['. */
static size_t read_assignments(struct given *given, char **at)
{
	size_t count = 0;

	for (skip_blank(at); **at == '['; skip_blank(at), count++) {
		struct fathom_assignment *read = &given->assignment[given->assignment_count++];

		read->name = ++*at;
		*at += strcspn(*at, ",");
		*(*at)++ = '\0';
		read->shares = (uint32_t)strtoul(*at, at, 10);
		ck_assert_int_eq(*(*at)++, ']');
	}
	return count;
}

/* "a b c" up to and with `end`, or the end of the text. */
static size_t read_names(struct given *given, char **at, char end)
{
	size_t first = given->name_count;

	for (skip_blank(at); **at && **at != end; skip_blank(at)) {
		size_t length = strcspn(*at, " );");
		char stop = (*at)[length];

		given->name[given->name_count++] = *at;
		(*at)[length] = '\0';
		*at += length + (stop != '\0');
		if (stop == end)
			return given->name_count - first;
	}
	*at += **at != '\0';
	return given->name_count - first;
}

/* "[a, 1] [b, 2]; group (members) ([…]…); users: a b c" */
static void read_shares(struct given *given, const char *text)
{
	char *at;

	memset(given, 0, sizeof(*given));
	at = given->text = strdup(text);
	given->shares.assignment = given->assignment;
	given->shares.assignment_count = read_assignments(given, &at);
	given->shares.group = given->group;
	while (*at++ == ';') {
		struct fathom_user_group *group = &given->group[given->shares.group_count];

		skip_blank(&at);
		if (!strncmp(at, "users:", 6)) {
			at += 6;
			given->shares.user = given->name + given->name_count;
			given->shares.user_count = read_names(given, &at, ';');
			break;
		}
		given->shares.group_count++;
		group->name = at;
		at += strcspn(at, " ");
		*at++ = '\0';
		at += strspn(at, " (");
		group->member = given->name + given->name_count;
		group->member_count = read_names(given, &at, ')');
		at += strspn(at, " (");
		group->assignment = given->assignment + given->assignment_count;
		group->assignment_count = read_assignments(given, &at);
		at += strspn(at, " )");
	}
}

static void write_children(const struct fathom_share_tree *tree, size_t of, char *out)
{
	const struct fathom_row *rows = fathom_share_tree_rows(tree);
	const char *comma = "";

	for (size_t node = 1; node < fathom_share_tree_count(tree); node++) {
		if (rows[node].parent_id != rows[of].id)
			continue;
		snprintf(out + strlen(out), TEXT - strlen(out), "%s%s %u", comma,
			 fathom_share_tree_name(tree, node), rows[node].raw_shares);
		if (rows[node].kind == FATHOM_ACCOUNT) {
			strcat(out, " (");
			write_children(tree, node, out);
			strcat(out, ")");
		}
		comma = ", ";
	}
}

/* ---- trees ------------------------------------------------------------------------ */

static const struct { const char *shares, *tree; } vectors[] = {
	/* the document's examples */
	{ "[User1, 1] [GroupB, 1]; GroupB (u2 u3) ()", "User1 1, GroupB 1" },
	{ "[User1, 10] [GroupB@, 1]; GroupB (a b c d e f g h i j) ()",
	  "User1 10, a 1, b 1, c 1, d 1, e 1, f 1, g 1, h 1, i 1, j 1" },
	{ "[User1, 10] [User2, 9] [others, 8]; users: User1 User2 User3",
	  "User1 10, User2 9, others 8" },
	{ "[User1, 10] [User2, 9] [others, 8]; users: User1 User2 a b c d e f g h i j",
	  "User1 10, User2 9, others 8" },
	{ "[User1, 10] [User2, 6] [default, 4]; users: User1 User2 User3",
	  "User1 10, User2 6, User3 4" },
	{ "[User1, 10] [User2, 6] [default, 4]; users: User1 User2 a b c d e f g h i j",
	  "User1 10, User2 6, a 4, b 4, c 4, d 4, e 4, f 4, g 4, h 4, i 4, j 4" },
	{ "[groupA@, 3] [groupB, 7] [default, 1]; groupA (a1 a2) (); groupB (b1 b2) (); users: x "
	  "b1 y a2",
	  "a1 3, a2 3, groupB 7, x 1, y 1" },	/* global */
	{ "[eng_users, 7] [acct_users, 3]; eng_users (user6 user4) (); acct_users (user2 user5) ()",
	  "eng_users 7, acct_users 3" },	/* chargeback */
	{ "[default, 1]; users: u v w", "u 1, v 1, w 1" },	/* equal share */
	{ "[key_users@, 2000] [others, 1]; key_users (k1 k2) (); users: u v",
	  "k1 2000, k2 2000, others 1" },	/* priority user */
	/* hierarchical: the document's lsb.users and its bugroup */
	{ "[GroupA, 1] [GroupC, 2]; GroupB (User1 User2) (); "
	  "GroupC (User3 User4) ([User3, 3] [User4, 4]); "
	  "GroupA (GroupB GroupC User5) ([User5, 1] [default, 10])",
	  "GroupA 1 (User5 1, User1 10, User2 10, User3 10, User4 10), GroupC 2 (User3 3, User4 "
	  "4)" },
	{ "[group1, 1]; group2 (user1 user2 user3) ([others,10] [user3,4]); "
	  "group3 (all) ([user2,10] [default,5]); group1 (group2 group3) ([group2,20] "
	  "[group3,10]); "
	  "users: x",
	  "group1 1 (group2 20 (others 10, user3 4), group3 10 (user2 10, user1 5, user3 5, x "
	  "5))" },
	/* "@" expands subgroups too, whatever shares they have, and each member once */
	{ "[g@, 2]; h (u2 u3) ([u2, 9]); i (u3 u4) (); g (u1 h i u2) ()",
	  "u1 2, u2 2, u3 2, u4 2" },
	{ "[g@, 2]; g (all) (); users: u v", "u 2, v 2" },
	{ "[g@, 2]; g () ()", "" },
	/* a group without shares of its own is a leaf, with or without subgroups */
	{ "[g, 2]; h (u2) ([u2, 9]); g (u1 h) ()", "g 2" },
	{ "[g, 2]; h (u2) ([u2, 9]); g (u1 h) ([h, 3])", "g 2 (h 3 (u2 9))" },
	/* on any number of levels, of shares and of members */
	{ "[a, 1]; e (u1 u2) ([u1, 9]); d (e) ([e, 7]); c (d) ([d, 5]); b (c) ([c, 3]); "
	  "a (b) ([b, 2])", "a 1 (b 2 (c 3 (d 5 (e 7 (u1 9)))))" },
	{ "[a@, 1]; e (u1 u2) (); d (e) (); c (d) (); b (c) (); a (b) ()", "u1 1, u2 1" },
	/* who has several assignments has several nodes, but for default and others */
	{ "[u, 1] [g, 2] [g@, 3] [h@, 4] [default, 5]; g (u v) (); h (u) (); users: u v w",
	  "u 1, g 2, u 3, v 3, u 4, w 5" },
	/* beside default nobody is left for others, in either order */
	{ "[others, 1] [default, 2]; users: u v", "others 1, u 2, v 2" },
	{ "[default, 2] [others, 1]; users: u v", "u 2, v 2, others 1" },
	/* who is left is a matter of each level */
	{ "[g, 1] [default, 2]; g (a b) ([default, 3]); users: x", "g 1 (a 3, b 3), x 2" },
	{ "", "" },
	{ "[u, 4294967294]", "u 4294967294" },
};

TEST_EACH(assignments_become_nodes, vectors)
{
	struct given given;
	struct fathom_error error = { 0 };
	struct fathom_share_tree *shares;
	struct fathom_tree *tree;
	char text[TEXT] = "";

	read_shares(&given, vectors[_i].shares);
	shares = fathom_share_tree_create(&given.shares, &error);
	free(given.text);	/* nothing of it is needed */
	ck_assert_msg(shares, "%s: %s", vectors[_i].shares, error.text);
	write_children(shares, 0, text);
	ck_assert_str_eq(text, vectors[_i].tree);
	tree = fathom_tree_create(fathom_share_tree_rows(shares), fathom_share_tree_count(shares),
				  &error);
	ck_assert_msg(tree, "%s", error.text);
	for (size_t row = 0; row < fathom_tree_count(tree); row++)
		ck_assert_uint_eq(fathom_tree_node_of_row(tree, row), row);
	fathom_tree_destroy(tree);
	fathom_share_tree_destroy(shares);
}

/* The document's importance: 1/2; 1/2; 10/27 with any number of others; 1/2; 10/56. */
static const struct { const char *shares; double importance; } importances[] = {
	{ "[User1, 1] [GroupB, 1]; GroupB (u2 u3) ()", .5 },
	{ "[User1, 600] [GroupB, 600]; GroupB (u2 u3) ()", .5 },
	{ "[User1, 10] [GroupB@, 1]; GroupB (a b c d e f g h i j) ()", .5 },
	{ "[User1, 10] [User2, 9] [others, 8]; users: a", 10 / 27. },
	{ "[User1, 10] [User2, 9] [others, 8]; users: a b c d e f g h i j", 10 / 27. },
	{ "[User1, 10] [User2, 6] [default, 4]; users: a", .5 },
	{ "[User1, 10] [User2, 6] [default, 4]; users: a b c d e f g h i j", 10 / 56. },
};

TEST_EACH(importance_is_a_part_of_all_shares, importances)
{
	struct given given;
	struct fathom_share_tree *shares;
	struct fathom_tree *tree;

	read_shares(&given, importances[_i].shares);
	shares = fathom_share_tree_create(&given.shares, NULL);
	ck_assert_ptr_nonnull(shares);
	tree = fathom_tree_create(fathom_share_tree_rows(shares), fathom_share_tree_count(shares),
				  NULL);
	ck_assert_str_eq(fathom_share_tree_name(shares, 1), "User1");
	unit_assert_near(fathom_tree_norm_shares(tree, 1), importances[_i].importance, "S",
			 importances[_i].shares);
	fathom_tree_destroy(tree);
	fathom_share_tree_destroy(shares);
	free(given.text);
}

static const struct { const char *shares, *says; long row; } wrong[] = {
	{ "[u, 0]", "[u, 0]: shares must be 1 to 4294967294", -1 },
	{ "[u, 4294967295]", "shares must be", -1 },
	{ "[g@, 1]", "[g@, 1]: there is no group of this name", -1 },
	{ "[u@, 1]; g (u) ()", "[u@, 1]: there is no group", -1 },
	{ "[u, 1] [v, 1] [u, 2]", "'u' has shares twice", -1 },
	{ "[g, 1] [g, 1]; g (u) ()", "'g' has shares twice", -1 },
	{ "[g@, 1] [g@, 1]; g (u) ()", "'g@' has shares twice", -1 },
	{ "[default, 1] [default, 1]", "'default' has shares twice", -1 },
	{ "[others, 1] [u, 1] [others, 1]", "'others' has shares twice", -1 },
	{ "[u, 1]; g (u) (); h (u) (); g (v) ()", "group 'g' is defined twice", 2 },
	{ "[u, 1]; g (h) (); h (u) ()",
	  "'g' has the member 'h', a group that must be defined before", 0 },
	{ "[u, 1]; g (g) ()", "'g' has the member 'g'", 0 },
	{ "[h, 1]; g (u) (); h (g) ([v, 1])", "'v' has shares in group 'h', must be a member", 1 },
	{ "[h, 1]; g (u) (); h (v) ([g, 1])", "'g' has shares in group 'h', must be a member", 1 },
	{ "[h, 1]; h (u) ([u, 0])", "[u, 0]: shares", 0 },
	{ "[h, 1]; h (u) ([u, 1] [u, 1])", "'u' has shares twice", 0 },
};

TEST_EACH(wrong_assignment_is_named, wrong)
{
	struct given given;
	struct fathom_error error = { 0 };

	read_shares(&given, wrong[_i].shares);
	ck_assert_msg(!fathom_share_tree_create(&given.shares, &error), "%s: taken",
		      wrong[_i].shares);
	ck_assert_int_eq(error.code, EINVAL);
	ck_assert_msg(strstr(error.text, wrong[_i].says), "%s: %s", wrong[_i].shares, error.text);
	ck_assert_msg(error.row == (wrong[_i].row < 0 ? FATHOM_NO_ROW : (size_t)wrong[_i].row),
		      "%s: row %zu", wrong[_i].shares, error.row);
	ck_assert_ptr_null(fathom_share_tree_create(&given.shares, NULL));
	free(given.text);
}

#define CHAIN 40

/* Each group is in the next two: nodes are as many as Fibonacci's numbers tell. */
TEST(groups_that_multiply_are_refused)
{
	struct fathom_user_group group[CHAIN] = { { 0 } };
	struct fathom_assignment inner[CHAIN][2], outer = { NULL, 1 };
	const char *member[CHAIN][2];
	char name[CHAIN][8];
	struct fathom_user_shares given = { .assignment = &outer, .assignment_count = 1,
					    .group = group, .group_count = CHAIN };
	struct fathom_error error = { 0 };

	for (size_t i = 0; i < CHAIN; i++) {
		snprintf(name[i], sizeof(name[i]), "g%zu", i);
		for (size_t j = 0; j < 2; j++) {
			member[i][j] = i > j ? name[i - 1 - j] : j ? "v" : "u";
			inner[i][j] = (struct fathom_assignment){ member[i][j], 1 };
		}
		group[i] = (struct fathom_user_group){ name[i], member[i], 2, inner[i], 2 };
	}
	outer.name = name[CHAIN - 1];
	ck_assert_ptr_null(fathom_share_tree_create(&given, &error));
	ck_assert_int_eq(error.code, EINVAL);
	ck_assert_msg(strstr(error.text, "more than 4194304 nodes"), "%s", error.text);
}

TEST(no_share_tree_at_all_can_be_destroyed)
{
	fathom_share_tree_destroy(NULL);
}

/* ---- places ----------------------------------------------------------------------------- */

/* order: by node, as lsf would number them; node: where the job counts; 0: nowhere */
static const struct {
	const char *shares, *user, *group;
	double order[MOST];
	size_t node;
	const char *says;
} places[] = {
	/* the document: User1 shares with groupA and groupB, and is in groupA */
	{ "[User1, 1] [groupA, 1] [groupB, 1]; groupA (User1) (); groupB (x) ()", "User1", NULL,
	  { 0, 1, 2, 3 }, 1, NULL },
	{ "[User1, 1] [groupA, 1] [groupB, 1]; groupA (User1) (); groupB (x) ()", "User1", NULL,
	  { 0, 2, 1, 3 }, 2, NULL },
	/* of equal places the first */
	{ "[User1, 1] [groupA, 1] [groupB, 1]; groupA (User1) (); groupB (x) ()", "User1", NULL,
	  { 0, 1, 1, 1 }, 1, NULL },
	{ "[User1, 1] [groupA, 1] [groupB, 1]; groupA (User1) (); groupB (x) ()", "User1", NULL,
	  { 0, 2, 3, 1 }, 1, NULL },
	{ "[User1, 1] [groupA, 1] [groupB, 1]; groupA (User1) (); groupB (x) ()", "User1", "groupA",
	  { 0, 1, 2, 3 }, 2, NULL },
	{ "[User1, 1] [groupA, 1] [groupB, 1]; groupA (User1) (); groupB (x) ()", "User1", "groupB",
	  { 0, 1, 2, 3 }, 0, "user 'User1' is not in group 'groupB'" },
	/* its hierarchical one: GroupA has B and C, C has D; User1 is in B and D */
#define HIERARCHY "[User1, 1] [GroupA, 1]; GroupB (User1 b) (); GroupD (User1 d) (); " \
		  "GroupC (GroupD) ([GroupD, 1]); GroupA (GroupB GroupC) ([GroupB, 1] [GroupC, 1])"
	/* nodes: User1 1, GroupA 2, GroupB 3, GroupC 4, GroupD 5 */
	{ HIERARCHY, "User1", NULL, { 0, 1, NAN, 2, NAN, 3 }, 1, NULL },
	{ HIERARCHY, "User1", NULL, { 0, 3, NAN, 2, NAN, 1 }, 5, NULL },
	{ HIERARCHY, "User1", "GroupB", { 0, 1, NAN, 3, NAN, 2 }, 3, NULL },
	{ HIERARCHY, "User1", "GroupC", { 0 }, 0, "group 'GroupC' has subgroups" },
	{ HIERARCHY, "User1", "GroupX", { 0 }, 0, "'GroupX' is not a group" },
	{ HIERARCHY, "User1", "User1", { 0 }, 0, "'User1' is not a group" },
	{ HIERARCHY, "GroupB", NULL, { 0 }, 0, "'GroupB' is not a user" },
	/* by way of a group's own assignments, and of subgroups that have none */
	{ "[g, 1]; g (u v) ([u, 1] [v, 2])", "v", "g", { 0, NAN, 1, 2 }, 3, NULL },
	{ "[g, 1] [u, 1]; h (u v) (); g (h) ()", "u", "h", { 0, 2, 1 }, 1, NULL },
	{ "[g@, 1] [u, 1]; h (u v) (); g (h) ()", "u", "h", { 0, 2, 3, 1 }, 1, NULL },
	{ "[g, 1]; h (u v) (); g (h u) ([u, 1] [default, 1])", "v", "h", { 0, NAN, 1, 2 }, 3,
	  NULL },
	{ "[g, 1]; h (u v) (); g (h u) ([u, 1] [default, 1])", "u", "h", { 0, NAN, 1, 2 }, 0,
	  "user 'u' has no shares in group h" },
	{ "[g, 1] [h, 1]; g (u) (); h (u) (); i (u) ()", "u", "i", { 0, 1, 2 }, 0,
	  "user 'u' has no shares in group i" },
	/* collectively */
	{ "[u, 1] [others, 1]; users: x y", "y", NULL, { 0, 1, 2 }, 2, NULL },
	{ "[u, 1] [default, 1]; users: x y", "y", NULL, { 0, 1, 2, 3 }, 3, NULL },
	{ "[u, 1] [others, 1]; users: x y", "u", NULL, { 0, 2, 1 }, 1, NULL },
	{ "[others, 1] [default, 1]; users: x y", "y", NULL, { 0, 1, 2, 3 }, 3, NULL },
	/* without an assignment */
	{ "[u, 1]; users: x", "x", NULL, { 0, 1 }, 0, "user 'x' has no shares" },
	{ "[g, 1]; g (u v) ([u, 1])", "v", NULL, { 0, NAN, 1 }, 0, "user 'v' has no shares" },
	{ "[u, 1]", "nobody", NULL, { 0, 1 }, 0, "'nobody' is not a user" },
};

TEST_EACH(best_place_counts_unless_the_job_names_its_group, places)
{
	struct given given;
	struct fathom_error error = { 0 };
	struct fathom_share_tree *shares;
	size_t node = 99;
	int status;

	read_shares(&given, places[_i].shares);
	shares = fathom_share_tree_create(&given.shares, &error);
	ck_assert_msg(shares, "%s: %s", places[_i].shares, error.text);
	status = fathom_share_tree_find_leaf(shares, places[_i].user, places[_i].group,
					     places[_i].order, &node, &error);
	ck_assert_int_eq(status, places[_i].says ? -1 : 0);
	if (places[_i].says)
		ck_assert_msg(strstr(error.text, places[_i].says), "%s: %s", places[_i].shares,
			      error.text);
	else
		ck_assert_uint_eq(node, places[_i].node);
	fathom_share_tree_destroy(shares);
	free(given.text);
}

/* ---- leaves of a user in an account ----------------------------------------------------- */

static const struct { const char *shares, *user, *account, *nodes; } leaves[] = {
	{ "[u, 1] [g, 1] [g@, 1]; g (u v) ()", "u", "any", "1 2 3" },
	{ "[u, 1] [g, 1] [g@, 1]; g (u v) ()", "v", "any", "2 4" },
	{ "[u, 1] [g, 1] [h, 1]; g (u v) (); h (u) ()", "u", "g", "2" },
	{ "[u, 1] [g, 1] [h, 1]; g (u v) (); h (u) ()", "u", "h", "3" },
	/* of a group that the user is not in, the name of the account means nothing */
	{ "[u, 1] [g, 1] [h, 1]; g (u v) (); h (u) ()", "v", "h", "2" },
	{ HIERARCHY, "User1", "root", "1 3 5" },
	{ HIERARCHY, "User1", "GroupD", "5" },
	{ HIERARCHY, "d", "GroupD", "5" },
	{ HIERARCHY, "d", "GroupB", "5" },
	{ HIERARCHY, "User1", "GroupA", "" },
	/* Slurm writes accounts in small letters */
	{ HIERARCHY, "User1", "groupd", "5" },
	{ "[u, 1] [G, 1] [g, 1]; G (u) (); g (u) ()", "u", "g", "3" },
	{ HIERARCHY, "User1", "GroupC", "" },
	{ "[g@, 1] [u, 1]; h (u v) (); i (h) (); g (i) ()", "u", "h", "1" },
	{ "[g@, 1] [others, 1]; h (u v) (); g (h) (); users: x", "x", "h", "3" },
	{ "[others, 1]; g (u) (); users: x", "u", "g", "" },
	{ "[others, 1]; g (u) (); users: x", "x", "g", "1" },
	{ "[u, 1]; users: x", "x", "a", "" },
	{ "[u, 1]", "nobody", "a", "" },
	{ "[g, 1]; g (u) ()", "g", "a", "" },
};

TEST_EACH(account_names_the_group_of_a_job, leaves)
{
	struct given given;
	struct share_leaf leaf[MOST];
	struct fathom_share_tree *shares;
	char nodes[TEXT] = "";
	size_t count;

	read_shares(&given, leaves[_i].shares);
	shares = fathom_share_tree_create(&given.shares, NULL);
	ck_assert_ptr_nonnull(shares);
	for (int again = 0; again < 2; again++) {
		count = share_tree_list_leaves(shares, leaves[_i].user, leaves[_i].account, leaf);
		ck_assert_uint_le(count, share_tree_most_leaves(shares));
		*nodes = '\0';
		for (size_t i = 0; i < count; i++)
			sprintf(nodes + strlen(nodes), "%s%u", i ? " " : "", leaf[i].node);
		ck_assert_str_eq(nodes, leaves[_i].nodes);
	}
	fathom_share_tree_destroy(shares);
	free(given.text);
}

static uint32_t key_of(const char *text, const char *user, size_t which)
{
	struct given given;
	struct share_leaf leaf[MOST];
	struct fathom_share_tree *shares;

	read_shares(&given, text);
	shares = fathom_share_tree_create(&given.shares, NULL);
	ck_assert_ptr_nonnull(shares);
	ck_assert_uint_gt(share_tree_list_leaves(shares, user, "a", leaf), which);
	fathom_share_tree_destroy(shares);
	free(given.text);
	return leaf[which].key;
}

TEST(leaf_has_the_same_key_in_another_tree)
{
	uint32_t own = key_of("[u, 1] [g, 1] [g@, 1]; g (u) ()", "u", 0);
	uint32_t of_group = key_of("[u, 1] [g, 1] [g@, 1]; g (u) ()", "u", 1);
	uint32_t as_member = key_of("[u, 1] [g, 1] [g@, 1]; g (u) ()", "u", 2);

	ck_assert(own && of_group && as_member);
	ck_assert(own != of_group && own != as_member && of_group != as_member);
	ck_assert_uint_eq(key_of("[v, 9] [g@, 3] [u, 2] [others, 1]; g (x u) (); users: y", "u", 0),
			  as_member);
	ck_assert_uint_eq(key_of("[v, 9] [g@, 3] [u, 2] [others, 1]; g (x u) (); users: y", "u", 1),
			  own);
	ck_assert_uint_eq(key_of("[default, 1]; users: t u", "u", 0), own);
	ck_assert_uint_ne(key_of("[h, 1]; g (u) (); h (g) ([g, 1])", "u", 0), of_group);
}
