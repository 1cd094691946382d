/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "conf/conf_lines.h"

#include "core/error.h"
#include "policy/policy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAME 100	/* characters of a scope's name, which is kept in a state file */
#define COUNT(array) (sizeof(array) / sizeof(*(array)))

static int out_of_memory(struct fathom_error *error)
{
	return fathom_error_set(error, ENOMEM, "out of memory");
}

/* Room for one more, zeroed; `list` is a pointer to the array's pointer. */
static void *append(void *list, size_t *count, size_t size)
{
	char *array = *(char **)list;

	/* full at 0 and at each power of two */
	if (!(*count & (*count - 1))) {
		array = realloc(array, (*count ? 2 * *count : 1) * size);
		if (!array)
			return NULL;
		*(char **)list = array;
	}
	return memset(array + (*count)++ * size, 0, size);
}

static int set_text(char **text, const char *value, struct fathom_error *error)
{
	free(*text);
	*text = strdup(value);
	return *text ? 0 : out_of_memory(error);
}

/* ---- a scope ----------------------------------------------------------------- */

static void clear_partitions(struct conf_scope *scope)
{
	for (size_t i = 0; i < scope->partition_count; i++)
		free(scope->partition[i]);
	free(scope->partition);
	scope->partition = NULL;
	scope->partition_count = 0;
}

static int set_partitions(struct conf_scope *scope, const char *value, double number,
			  struct fathom_error *error)
{
	(void)number;
	clear_partitions(scope);
	for (const char *at = value;; at++) {
		size_t length;
		char **partition;

		at += strspn(at, " \t");
		length = strcspn(at, ", \t");
		if (!length)
			return fathom_error_set(error, EINVAL, "an empty name in '%s', must be "
						"NAME or NAME,NAME...", value);
		partition = append(&scope->partition, &scope->partition_count, sizeof(*partition));
		if (!partition || !(*partition = strndup(at, length)))
			return out_of_memory(error);
		at += length;
		at += strspn(at, " \t");
		if (!*at)
			return 0;
		if (*at != ',')
			return fathom_error_set(error, EINVAL, "no ',' before '%s'", at);
	}
}

static int set_kind(struct conf_scope *scope, const char *value, double number,
		    struct fathom_error *error)
{
	(void)value, (void)error;
	scope->kind = (enum conf_scope_kind)number;
	scope->kind_given = true;
	return 0;
}

static int set_master_queue(struct conf_scope *scope, const char *value, double number,
			    struct fathom_error *error)
{
	(void)number;
	return set_text(&scope->master_queue, value, error);
}

static int set_dispatch_order(struct conf_scope *scope, const char *value, double number,
			      struct fathom_error *error)
{
	(void)value, (void)error;
	scope->queue_first = number != 0;
	return 0;
}

static int set_scope_policy(struct conf_scope *scope, const char *value, double number,
			    struct fathom_error *error)
{
	size_t place;

	(void)number;
	if (conf_find_policy(value, &place, error))
		return -1;
	scope->policy = fathom_policy_at(place);
	return 0;
}

static const char *const kinds[] = { "queue", "cross-queue", "host-partition", NULL };
static const char *const orders[] = { "user", "queue", NULL };

#define TEXT(key) { .name = key, .type = FATHOM_TEXT, .high = INFINITY }

static const struct fathom_setting partitions_key = TEXT("partitions");
static const struct fathom_setting kind_key = { .name = "kind", .type = FATHOM_CHOICE,
						.choices = kinds };
static const struct fathom_setting master_queue_key = TEXT("master_queue");
static const struct fathom_setting dispatch_order_key = { .name = "dispatch_order",
							  .type = FATHOM_CHOICE,
							  .choices = orders };
static const struct fathom_setting policy_key = TEXT("policy");

static const struct fathom_setting *const scope_keys[] = {
	&partitions_key, &kind_key, &master_queue_key, &dispatch_order_key, &policy_key,
};
static int (*const scope_setters[COUNT(scope_keys)])(struct conf_scope *, const char *, double,
						     struct fathom_error *) = {
	set_partitions, set_kind, set_master_queue, set_dispatch_order, set_scope_policy,
};

/* Whether its policy has the setting is seen when the policy is known. */
static int add_pair(struct conf_scope *scope, const char *key, const char *value,
		    struct fathom_error *error)
{
	struct conf_pair *pair;
	bool known = false;
	double number;

	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const struct fathom_policy *policy = fathom_policy_at(i);

		for (size_t j = 0; j < policy->setting_count; j++) {
			if (!fathom_setting_named(&policy->settings[j], key))
				continue;
			known = true;
			if (fathom_setting_parse(&policy->settings[j], value, &number, error))
				return -1;
		}
	}
	if (!known)
		return fathom_error_set(error, ENOENT, "is no key of a scope nor a policy's "
					"setting; see fathom.conf(5)");
	pair = append(&scope->pair, &scope->pair_count, sizeof(*pair));
	if (!pair || set_text(&pair->key, key, error) || set_text(&pair->value, value, error))
		return out_of_memory(error);
	return 0;
}

static int begin_scope(struct fathom_conf *conf, const char *name, unsigned line,
		       struct fathom_error *error)
{
	struct conf_scope *scope;

	if (strlen(name) > MOST_NAME)
		return fathom_error_set(error, EINVAL, "longer than %d characters", MOST_NAME);
	scope = append(&conf->scope, &conf->scope_count, sizeof(*scope));
	if (!scope)
		return out_of_memory(error);
	scope->line = line;
	return set_text(&scope->name, name, error);
}

static int set_scope(struct fathom_conf *conf, const char *key, const char *value,
		     struct fathom_error *error)
{
	struct conf_scope *scope = &conf->scope[conf->scope_count - 1];
	double number;

	for (size_t i = 0; i < COUNT(scope_keys); i++) {
		if (!fathom_setting_named(scope_keys[i], key))
			continue;
		if (fathom_setting_parse(scope_keys[i], value, &number, error))
			return -1;
		return scope_setters[i](scope, value, number, error);
	}
	return add_pair(scope, key, value, error);
}

struct fathom_settings conf_scope_settings(const struct fathom_conf *conf,
					   const struct conf_scope *scope,
					   const struct fathom_policy *policy,
					   bool given[FATHOM_MAX_SETTINGS])
{
	const bool *for_all;
	struct fathom_settings settings = *conf_policy_settings(conf, policy, &for_all);

	memcpy(given, for_all, FATHOM_MAX_SETTINGS * sizeof(*given));
	for (size_t i = 0; i < scope->pair_count; i++) {
		const struct conf_pair *pair = &scope->pair[i];

		for (size_t j = 0; j < policy->setting_count; j++)
			given[j] |= fathom_setting_named(&policy->settings[j], pair->key);
		/* one of another policy has no effect */
		fathom_settings_set(policy, &settings, pair->key, pair->value, NULL);
	}
	return settings;
}

/* ---- a queue of a slot pool ---------------------------------------------------- */

enum { SLOT_PARTITION, SLOT_SHARE, MAX_SLOTS, USE_PRIORITY };

static const struct fathom_setting partition_key = TEXT("partition");
static const struct fathom_setting slot_share_key = { .name = "slot_share", .type = FATHOM_NUMBER,
						      .low_open = true, .high = 100,
						      .standard = 50 };
static const struct fathom_setting max_slots_key = { .name = "max_slots_in_pool",
						     .type = FATHOM_INTEGER, .low = 1,
						     .high = UINT32_MAX, .standard = 100 };
static const struct fathom_setting use_priority_key = { .name = "use_priority_in_pool",
							.type = FATHOM_SWITCH };

static const struct fathom_setting *const slot_keys[] = {
	[SLOT_PARTITION] = &partition_key,
	[SLOT_SHARE] = &slot_share_key,
	[MAX_SLOTS] = &max_slots_key,
	[USE_PRIORITY] = &use_priority_key,
};

static int begin_slot_share(struct fathom_conf *conf, const char *name, unsigned line,
			    struct fathom_error *error)
{
	struct conf_slot_share *share = append(&conf->slot_share, &conf->slot_share_count,
					       sizeof(*share));

	if (!share)
		return out_of_memory(error);
	share->line = line;
	share->first = conf->slot_share_count - 1;
	return set_text(&share->pool, name, error);
}

static int set_slot_share(struct fathom_conf *conf, const char *key, const char *value,
			  struct fathom_error *error)
{
	struct conf_slot_share *share = &conf->slot_share[conf->slot_share_count - 1];
	double number;
	size_t i = 0;

	while (i < COUNT(slot_keys) && !fathom_setting_named(slot_keys[i], key))
		i++;
	if (i == COUNT(slot_keys))
		return fathom_error_set(error, ENOENT, "is no key of a slot pool; see "
					"fathom.conf(5)");
	if (fathom_setting_parse(slot_keys[i], value, &number, error))
		return -1;
	if (i == SLOT_PARTITION)
		return set_text(&share->partition, value, error);
	if (i == SLOT_SHARE)
		share->share = number;
	else if (i == MAX_SLOTS)
		share->max_slots = number;
	else
		share->use_priority = number != 0;
	return 0;
}

/* ---- both -------------------------------------------------------------------- */

static const struct conf_line lines[] = {
	{ .setting = { .name = "scope" }, .keys = scope_keys, .key_count = COUNT(scope_keys),
	  .begin = begin_scope, .set = set_scope },
	{ .setting = { .name = "slot_pool" }, .keys = slot_keys, .key_count = COUNT(slot_keys),
	  .begin = begin_slot_share, .set = set_slot_share },
};

const struct conf_line *conf_line_find(const char *key)
{
	for (size_t i = 0; i < COUNT(lines); i++)
		if (fathom_setting_named(&lines[i].setting, key))
			return &lines[i];
	return NULL;
}

const struct conf_line *conf_line_with(const char *key)
{
	for (size_t i = 0; i < COUNT(lines); i++)
		for (size_t j = 0; j < lines[i].key_count; j++)
			if (fathom_setting_named(lines[i].keys[j], key))
				return &lines[i];
	return NULL;
}

void conf_lines_clear(struct fathom_conf *conf)
{
	for (size_t i = 0; i < conf->scope_count; i++) {
		struct conf_scope *scope = &conf->scope[i];

		clear_partitions(scope);
		for (size_t j = 0; j < scope->pair_count; j++) {
			free(scope->pair[j].key);
			free(scope->pair[j].value);
		}
		free(scope->pair);
		free(scope->master_queue);
		free(scope->name);
	}
	for (size_t i = 0; i < conf->slot_share_count; i++) {
		free(conf->slot_share[i].pool);
		free(conf->slot_share[i].partition);
	}
	free(conf->scope);
	free(conf->slot_share);
	conf->scope = NULL;
	conf->slot_share = NULL;
	conf->scope_count = conf->slot_share_count = 0;
}

/* ---- what contradicts what ------------------------------------------------------ */

#define FAULT(fault, at, of, ...) \
	((fault)->line = (at), (fault)->key = (of), \
	 fathom_error_set(&(fault)->error, EINVAL, __VA_ARGS__))

/* A name, and whose it is: one of the two is NULL. */
struct place {
	const char *name;
	const struct conf_scope *scope;
	struct conf_slot_share *share;
};

static unsigned line_of(const struct place *place)
{
	return place->scope ? place->scope->line : place->share->line;
}

/* By name, scopes first, then by line. */
static int compare_places(const void *x, const void *y)
{
	const struct place *a = x, *b = y;
	int order = strcmp(a->name, b->name);

	if (!order)
		order = !a->scope - !b->scope;
	return order ? order : (line_of(a) > line_of(b)) - (line_of(a) < line_of(b));
}

/* Asks about neighbours of one name; `places` is sorted and given back. */
static int check_places(struct place *places, size_t count,
			int (*clash)(const struct place *, const struct place *,
				     struct conf_fault *),
			struct conf_fault *fault)
{
	int status = 0;

	if (count)
		qsort(places, count, sizeof(*places), compare_places);
	for (size_t i = 1; i < count && !status; i++)
		if (!strcmp(places[i - 1].name, places[i].name))
			status = clash(&places[i - 1], &places[i], fault);
	free(places);
	return status;
}

static int same_scope_name(const struct place *first, const struct place *second,
			   struct conf_fault *fault)
{
	return FAULT(fault, second->scope->line, "Scope", "'%s' is there already, on line %u; "
		     "must have a name of its own", second->name, first->scope->line);
}

static int same_pool(const struct place *first, const struct place *second,
		     struct conf_fault *fault)
{
	const char *key = second->share->max_slots > 0 ? "MaxSlotsInPool" : "UsePriorityInPool";

	second->share->first = first->share->first;
	if (!(second->share->max_slots > 0) && !second->share->use_priority)
		return 0;
	return FAULT(fault, second->share->line, key, "must be on the first line of pool '%s', "
		     "which is before line %u", second->name, first->share->line + 1);
}

static int same_partition(const struct place *first, const struct place *second,
			  struct conf_fault *fault)
{
	if (second->scope)
		return FAULT(fault, second->scope->line, "Partitions", "'%s' is in scope '%s' "
			     "(line %u) already, must be named once", second->name,
			     first->scope->name, first->scope->line);
	if (first->share)
		return FAULT(fault, second->share->line, "Partition", "'%s' is in pool '%s' "
			     "(line %u) already, must be named once", second->name,
			     first->share->pool, first->share->line);
	if (first->scope->kind == CONF_QUEUE)
		return 0;
	return FAULT(fault, second->share->line, "Partition", "'%s' is in scope '%s' (line %u) of "
		     "kind %s, whose partitions can be in no slot pool", second->name,
		     first->scope->name, first->scope->line, kinds[first->scope->kind]);
}

static int check_scope_names(const struct fathom_conf *conf, struct conf_fault *fault)
{
	struct place *places = calloc(conf->scope_count + 1, sizeof(*places));

	if (!places)
		return FAULT(fault, 0, "", "out of memory");
	for (size_t i = 0; i < conf->scope_count; i++)
		places[i] = (struct place){ .name = conf->scope[i].name, .scope = &conf->scope[i] };
	return check_places(places, conf->scope_count, same_scope_name, fault);
}

static int check_pools(struct fathom_conf *conf, struct conf_fault *fault)
{
	struct place *places = calloc(conf->slot_share_count + 1, sizeof(*places));

	if (!places)
		return FAULT(fault, 0, "", "out of memory");
	for (size_t i = 0; i < conf->slot_share_count; i++)
		places[i] = (struct place){ .name = conf->slot_share[i].pool,
					    .share = &conf->slot_share[i] };
	return check_places(places, conf->slot_share_count, same_pool, fault);
}

static int check_partitions(struct fathom_conf *conf, struct conf_fault *fault)
{
	size_t count = conf->slot_share_count;
	struct place *places, *next;

	for (size_t i = 0; i < conf->scope_count; i++)
		count += conf->scope[i].partition_count;
	next = places = calloc(count + 1, sizeof(*places));
	if (!places)
		return FAULT(fault, 0, "", "out of memory");
	for (size_t i = 0; i < conf->scope_count; i++)
		for (size_t j = 0; j < conf->scope[i].partition_count; j++)
			*next++ = (struct place){ .name = conf->scope[i].partition[j],
						  .scope = &conf->scope[i] };
	for (size_t i = 0; i < conf->slot_share_count; i++)
		*next++ = (struct place){ .name = conf->slot_share[i].partition,
					  .share = &conf->slot_share[i] };
	return check_places(places, count, same_partition, fault);
}

const char *conf_scope_foreign_key(const struct conf_scope *scope,
				   const struct fathom_policy *policy)
{
	for (size_t i = 0; i < scope->pair_count; i++) {
		size_t j = 0;

		while (j < policy->setting_count &&
		       !fathom_setting_named(&policy->settings[j], scope->pair[i].key))
			j++;
		if (j == policy->setting_count)
			return scope->pair[i].key;
	}
	return NULL;
}

/* A policy of its own, or one that the file names for all, must have what the
 * line sets; else PriorityFlags choose, which who knows them checks. */
static int check_pairs(const struct fathom_conf *conf, const struct conf_scope *scope,
		       struct conf_fault *fault)
{
	const struct fathom_policy *policy = scope->policy ? scope->policy : conf_policy(conf);
	const char *key = policy ? conf_scope_foreign_key(scope, policy) : NULL;

	if (!key)
		return 0;
	return FAULT(fault, scope->line, key, "policy %s of scope '%s' has no such setting; see "
		     "fathom.conf(5)", policy->name, scope->name);
}

static int check_master_queue(const struct conf_scope *scope, struct conf_fault *fault)
{
	for (size_t i = 0; i < scope->partition_count; i++)
		if (!strcmp(scope->partition[i], scope->master_queue))
			return 0;
	return FAULT(fault, scope->line, "MasterQueue", "'%s' is not among Partitions, must be one "
		     "of them", scope->master_queue);
}

/* MasterQueue makes a scope a cross-queue set. */
static int check_kind(struct conf_scope *scope, struct conf_fault *fault)
{
	if (!scope->kind_given && scope->master_queue)
		scope->kind = CONF_CROSS_QUEUE;
	if (scope->kind != CONF_CROSS_QUEUE && scope->master_queue)
		return FAULT(fault, scope->line, "MasterQueue", "scope '%s' is of kind %s, must be "
			     "cross-queue to have one", scope->name, kinds[scope->kind]);
	if (scope->kind != CONF_CROSS_QUEUE && scope->queue_first)
		return FAULT(fault, scope->line, "DispatchOrder", "scope '%s' is of kind %s, must "
			     "have a MasterQueue for that", scope->name, kinds[scope->kind]);
	if (scope->kind != CONF_CROSS_QUEUE)
		return 0;
	if (!scope->master_queue)
		return FAULT(fault, scope->line, "Kind", "scope '%s' has no MasterQueue, must name "
			     "one of its partitions", scope->name);
	if (scope->partition_count < 2)
		return FAULT(fault, scope->line, "Partitions", "cross-queue scope '%s' has one "
			     "alone, must have two or more", scope->name);
	return check_master_queue(scope, fault);
}

static int check_scope(const struct fathom_conf *conf, struct conf_scope *scope,
		       struct conf_fault *fault)
{
	if (!scope->partition_count)
		return FAULT(fault, scope->line, "Scope", "'%s' has no Partitions, must name one "
			     "or more", scope->name);
	if (check_kind(scope, fault))
		return -1;
	return check_pairs(conf, scope, fault);
}

/* LSF has either host partitions or fair share by queues. */
static int check_kinds(const struct fathom_conf *conf, struct conf_fault *fault)
{
	for (size_t i = 1; i < conf->scope_count; i++) {
		const struct conf_scope *first = &conf->scope[0], *scope = &conf->scope[i];

		if ((scope->kind == CONF_HOST_PARTITION) == (first->kind == CONF_HOST_PARTITION))
			continue;
		return FAULT(fault, scope->line, "Scope", "'%s' is of kind %s, and '%s' (line %u) "
			     "of kind %s; must be host-partition all or none", scope->name,
			     kinds[scope->kind], first->name, first->line, kinds[first->kind]);
	}
	return 0;
}

static int check_slot_share(const struct conf_slot_share *share, struct conf_fault *fault)
{
	if (!share->partition)
		return FAULT(fault, share->line, "SlotPool", "'%s' has no Partition on this line, "
			     "must name one", share->pool);
	if (!(share->share > 0))
		return FAULT(fault, share->line, "SlotPool", "'%s' has no SlotShare on this line, "
			     "must have one, in percent", share->pool);
	return 0;
}

int conf_lines_check(struct fathom_conf *conf, struct conf_fault *fault)
{
	for (size_t i = 0; i < conf->scope_count; i++)
		if (check_scope(conf, &conf->scope[i], fault))
			return -1;
	for (size_t i = 0; i < conf->slot_share_count; i++)
		if (check_slot_share(&conf->slot_share[i], fault))
			return -1;
	if (check_kinds(conf, fault) || check_scope_names(conf, fault) ||
	    check_pools(conf, fault) || check_partitions(conf, fault))
		return -1;
	return 0;
}
