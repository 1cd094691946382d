/* SPDX-License-Identifier: GPL-2.0-or-later */
/* No name of a snapshot is left in its anonymous copy, and one name gets one new name. */
#include "../unit.h"

#include "conf/conf_lines.h"
#include "document/document.h"
#include "format/snapshot/anonymous_names.h"
#include "format/snapshot/anonymous_snapshot.h"
#include "keys/key.h"
#include "memory/need_memory.h"

/* Words that begin with x are names. */
static const char document[] =
	"{\"format\": \"fathom-snapshot\", \"version\": 1, \"time\": 5, \"note\": \"xnote\","
	"\"tree\": {\"format\": \"fathom-tree\", \"nodes\": ["
	" {\"id\": 1, \"parent\": null, \"name\": \"root\", \"kind\": \"account\", \"shares\": 1},"
	" {\"id\": 2, \"parent\": 1, \"name\": \"xacc\", \"kind\": \"account\","
	"  \"shares\": \"parent\"},"
	" {\"id\": 3, \"parent\": 2, \"name\": \"xuser\", \"kind\": \"user\", \"shares\": 1,"
	"  \"partition\": \"xpart\", \"usage\": 0.1}]},"
	"\"figures\": {\"cluster\": \"xcluster\", \"policy\": \"lsf\", \"shares\": {"
	" \"settings\": {\"tie_mode\": \"slurm\"}, \"associations\": [{\"account\": \"xacc\","
	"  \"user\": \"xuser\", \"parent\": \"xacc\", \"raw_shares\": \"parent\","
	"  \"level_fs\": \"inf\"}]},"
	" \"scopes\": [{\"name\": \"xscope\", \"partitions\": [\"xpart\", \"xother\"],"
	"  \"hosts\": \"xhost[1-3]\", \"master_queue\": \"xpart\","
	"  \"user_shares\": \"[xuser, 2] [xgroup@, 3] [others, 1]\","
	"  \"user_groups\": [{\"name\": \"xgroup\", \"members\": [\"xuser\", \"xthird\"]}]}]},"
	"\"partitions\": [{\"name\": \"xpart\"}], \"qos\": [{\"name\": \"normal\"},"
	" {\"name\": \"xqos\"}],"
	"\"jobs\": [{\"job_id\": 1, \"user\": \"xuser\", \"account\": \"xacc\","
	" \"partitions\": [\"xpart\"], \"qos\": \"xqos\", \"state\": \"RUNNING\","
	" \"reason\": \"Licenses\", \"reason_clause\": \"waits for licences: xlicence\","
	" \"tres\": {\"cpu\": 1}}],"
	"\"pools\": [{\"pool\": \"xpool\", \"queues\": [{\"name\": \"xother\"}]}],"
	"\"slurm_conf\": \"PriorityWeightAge=5\\n\","
	"\"fathom_conf\": \"# xnote\\nScope=xscope Partitions=xpart Policy=lsf # xnote\\n\"}";

static char *anonymous(void)
{
	static char *text;
	size_t length;
	FILE *out = open_memstream(&text, &length);

	anonymous_snapshot_write(out, document, sizeof(document) - 1);
	fclose(out);
	return text;
}

/* Removes what separates tokens, so that the layout does not matter. */
static char *without_blanks(char *text)
{
	char *to = text;

	for (const char *from = text; *from; from++)
		if (!strchr(" \n", *from))
			*to++ = *from;
	*to = '\0';
	return text;
}

TEST (no_name_is_left)
{
	char *text = anonymous();
	const char *left = strchr(text, 'x');

	/* the only key that has one */
	while (left && !strncmp(left - 2, "text\"", strlen("text\"")))
		left = strchr(left + 1, 'x');
	ck_assert_msg(!left, "%s", left);
	free(text);
}

static const char *const parts[] = {
	"\"name\":\"root\",\"kind\":\"account\",\"shares\":1",
	"\"name\":\"account1\",\"kind\":\"account\",\"shares\":\"parent\"",
	"\"name\":\"user1\",\"kind\":\"user\",\"shares\":1,\"partition\":\"partition1\"",
	"\"usage\":0.1",
	"\"account\":\"account1\",\"user\":\"user1\",\"parent\":\"account1\"",
	"\"raw_shares\":\"parent\",\"level_fs\":\"inf\"",
	"\"cluster\":\"cluster1\",\"policy\":\"lsf\"",
	"\"settings\":{\"tie_mode\":\"slurm\"}",
	"\"name\":\"scope1\",\"partitions\":[\"partition1\",\"partition2\"]",
	"\"hosts\":\"host1\",\"master_queue\":\"partition1\"",
	"\"user_shares\":\"[user1,2][group1@,3][others,1]\"",
	"\"name\":\"group1\",\"members\":[\"user1\",\"group2\"]",
	"\"qos\":[{\"name\":\"normal\"},{\"name\":\"qos1\"}]",
	"\"user\":\"user1\",\"account\":\"account1\",\"partitions\":[\"partition1\"],"
	"\"qos\":\"qos1\",\"state\":\"RUNNING\","
	"\"reason\":\"Licenses\",\"reason_clause\":null,\"tres\":{\"cpu\":1}",
	"\"pool\":\"pool1\",\"queues\":[{\"name\":\"partition2\"}]",
	"\"slurm_conf\":\"PriorityWeightAge=5\\n\"",
	"\"fathom_conf\":\"Scope=scope1Partitions=partition1Policy=lsf\\n\"",
	"\"note\":null",
};

TEST_EACH (names_are_replaced_alike, parts)
{
	char *text = without_blanks(anonymous());

	ck_assert_msg(strstr(text, parts[_i]) != NULL, "no %s in %s", parts[_i], text);
	free(text);
}

static const struct { const char *text, *expected; } confs[] = {
	{ "", "" },
	{ "Policy=lsf", "Policy=lsf\n" },
	{ "# ada\n\nPolicy=lsf # bob\n", "Policy=lsf\n" },
	{ "HalfLife=3d Policy=pbs\n", "HalfLife=3d Policy=pbs\n" },
	{ "Scope=s Partitions=a,b \\\n  Policy=lsf\n",
	  "Scope=scope1 Partitions=partition1,partition2 Policy=lsf\n" },
	{ "scope=s partitions=\"a, b\" master_queue=a\n",
	  "scope=scope1 partitions=\"partition1, partition2\" master_queue=partition1\n" },
	{ "SlotPool=p Partition=a SlotShare=30\n",
	  "SlotPool=pool1 Partition=partition1 SlotShare=30\n" },
	{ "UserGroup=lab Members=\"ada bob\" UserShares=\"[ada, 2] [others, 1]\"\n",
	  "UserGroup=group1 Members=\"group2 group3\" UserShares=\"[group2, 2] [others, 1]\"\n" },
	{ "UserGroup=lab Members=ada,\\\nbob UserShares=\"[ada, 2] \\\n[others, 1]\"\n",
	  "UserGroup=group1 Members=group2,group3 UserShares=\"[group2, 2] [others, 1]\"\n" },
	{ "Scope=s Hosts=\"n[1-3] ~n3\"\n", "Scope=scope1 Hosts=host1,host2,host3,~host3\n" },
	{ "NodeName=n2 CPUs=4 Feature=ours\nPartitionName=day Nodes=n[1-2]\n",
	  "NodeName=host1 CPUs=4\nPartitionName=partition1 Nodes=host2,host1\n" },
	{ "PartitionName=day AllowAccounts=lab,x DenyQos=gold AllowGroups=wheel RootOnly=YES\n",
	  "PartitionName=partition1 AllowAccounts=account1,account2 DenyQos=qos1 "
	  "AllowGroups=group1 RootOnly=YES\n" },
	{ "BankPriority=physics:-5,art:3\n", "BankPriority=group1:-5,group2:3\n" },
	{ "ResourceGroup=\"grp1 root 50\"\n", "ResourceGroup=\"group1 root 50\"\n" },
	{ "FiguresFile=/var/ada/f.json Policy=lsf\n", "FiguresFile=figures.json Policy=lsf\n" },
	{ "ImportUsage=/home/ada/usage.json Policy=pbs\n", "Policy=pbs\n" },
	{ "HistoryFile=/h/ada.db MetricsFile=/m/ada.prom UsageFile=ada.json HistoryAge=9d\n",
	  "HistoryFile=history.db MetricsFile=metrics.prom UsageFile=usage.json HistoryAge=9d\n" },
	{ "GlobalShare=kit Source=/home/ada/kit.json Map=phys:physics,art:arts Weight=2\n",
	  "GlobalShare=cluster1 Source=/global.json Map=account1:account2,account3:account4 "
	  "Weight=2\n" },
	{ "GlobalShare=kit Source=slurmdbd\n", "GlobalShare=cluster1 Source=slurmdbd\n" },
	{ "UserShares=\"[2023, 4] [7, 1e3]\" Members=\"2024 2023\"\n",
	  "UserShares=\"[group1, 4] [group2, 1e3]\" Members=\"group3 group1\"\n" },
	{ "BankPriority=12:-5,13:3 ResourceGroup=\"12 root 50\"\n",
	  "BankPriority=group1:-5,group2:3 ResourceGroup=\"group1 root 50\"\n" },
	{ "SecretKey=ada\n", "" },
	{ "ResourceGroup=\"unknown root 5\"\n", "ResourceGroup=\"unknown root 5\"\n" },
	{ "Adjust=/opt/site/ada.so\nPolicy=lsf\n", "Policy=lsf\n" },
	{ "Formula=\"100 * fairshare_factor\"\n", "Formula=\"100 * fairshare_factor\"\n" },
};

TEST_EACH (fathom_conf_keeps_its_settings, confs)
{
	struct anonymous_names *names = anonymous_names_create();
	char *text = anonymous_conf(names, confs[_i].text);

	ck_assert_str_eq(text, confs[_i].expected);
}

/* Keys of fathom.conf whose values are texts without names. */
static const char *const plain[] = {
	"policy", "shadow_policy", "formula", "figures_mode", "metrics_mode", "metrics_users",
};

/* Checks that a name in the value of a key is not left, unless the value has no names. */
static void check_setting(const struct fathom_setting *setting)
{
	const char *text = need_print("%s=ada\n", setting->name);
	bool has_names = setting->type == FATHOM_TEXT;

	for (size_t i = 0; i < sizeof(plain) / sizeof(*plain); i++)
		has_names &= strcmp(setting->name, plain[i]) != 0;
	ck_assert_msg(!strstr(anonymous_conf(anonymous_names_create(), text), "ada") == has_names,
		      "%s", text);
}

/* A new key whose value may have names must be left out, or in the table of such keys. */
TEST (all_keys_of_fathom_conf_are_known)
{
	static const char *const lines[] = { "Scope", "SlotPool", "UserGroup", "GlobalShare" };

	for (size_t i = 0; i < CONF_SETTING_COUNT; i++)
		check_setting(conf_setting((enum conf_setting)i));
	for (size_t i = 0; i < sizeof(lines) / sizeof(*lines); i++)
		for (const struct key *key = conf_line_find(lines[i])->keys; key->setting.name;
		     key++)
			check_setting(&key->setting);
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const struct fathom_policy *policy = fathom_policy_at(i);

		for (size_t j = 0; j < fathom_policy_setting_count(policy); j++)
			check_setting(fathom_policy_setting(policy, j));
	}
}

static void write_no_json(void *out)
{
	anonymous_snapshot_write(out, "{", 1);
}

TEST (text_that_is_not_json_is_an_error)
{
	struct failure failure;

	ck_assert_int_eq(document_try(write_no_json, stdout, &failure), -1);
}

/* An account and a user may have the same name. */
TEST (shares_are_those_of_users_and_banks_are_accounts)
{
	struct anonymous_names *names = anonymous_names_create();
	const struct piece ada = { "ada", 3 }, bob = { "bob", 3 };
	char *made;

	ck_assert_str_eq(anonymous_name(names, NAME_ACCOUNT, bob), "account1");
	ck_assert_str_eq(anonymous_name(names, NAME_ACCOUNT, ada), "account2");
	ck_assert_str_eq(anonymous_name(names, NAME_USER, ada), "user1");
	made = anonymous_conf(names, "UserShares=\"[ada, 2]\" BankPriority=ada:3,bob:1\n");
	ck_assert_str_eq(made, "UserShares=\"[user1, 2]\" BankPriority=account2:3,account1:1\n");
}
