/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Lists queues with what bqueues shows of them: limits, load thresholds, users and hosts, where LSF
 * marks a group by '/', as in "physics/ ada".
 * Source: LSF, "lsb.queues"; OpenLava 4.0, lsb.queues(5), bqueues(1).
 */
#include "format/lsf/lsf.h"

#include "core/duration.h"
#include "memory/need_memory.h"

#include <strings.h>

#define EVERY "all"
#define STANDARD_PRIORITY 1	/* of lsb.queues */

/* The keys of load thresholds, by index of queue->load. */
static const char *const loads[] = {
	"R15S", "R1M", "R15M", "UT", "PG", "IO", "LS", "IT", "TMP", "SWP", "MEM", "CPUSPEED",
	"BANDWIDTH",
};

/* Keys whose value is a number. number: offset of the double in struct queue. */
static const struct { const char *key; size_t number; } numbers[] = {
	{ "PRIORITY", offsetof(struct queue, priority) },
	{ "NICE", offsetof(struct queue, nice) },
	{ "SLOT_SHARE", offsetof(struct queue, share) },
	{ "QJOB_LIMIT", offsetof(struct queue, limit[QUEUE_OF_ALL]) },
	{ "UJOB_LIMIT", offsetof(struct queue, limit[QUEUE_OF_USER]) },
	{ "PJOB_LIMIT", offsetof(struct queue, limit[QUEUE_OF_PROCESSOR]) },
	{ "HJOB_LIMIT", offsetof(struct queue, limit[QUEUE_OF_HOST]) },
};

/* Returns a list with '/' behind each group, as LSF prints it; NULL for NULL and "all". section: of
 * the groups. */
static const char *mark_groups(const struct lsf_conf *conf, const struct lsf_section *section,
			       const char *list)
{
	const char **marked = NULL;
	struct lsf_word word;
	size_t count = 0;

	if (!list || !strcasecmp(list, EVERY))
		return NULL;
	while (lsf_next_word(&list, &word))
		NEED_ADD(marked, count, need_print(
			"%s%.*s%s", word.is_excluded ? "~" : "", (int)word.name.length,
			word.name.at, lsf_conf_find(conf, section, word.name) ? "/" : ""));
	return need_join(marked, count, " ");
}

/* Sets the numbers of a queue; one that is not given, or is wrong, stays as it is. */
static void set_numbers(struct queue *queue, const struct lsf_entry *entry)
{
	for (size_t i = 0; i < sizeof(numbers) / sizeof(*numbers); i++) {
		const char *value = lsf_entry_value(entry, numbers[i].key), *end;
		double number;

		if (value && !number_parse(value, &number, &end))
			*(double *)((char *)queue + numbers[i].number) = number;
	}
}

/* Sets the texts of a queue; NULL: not given. They live as long as the configuration. */
static void set_texts(struct queue *queue, const struct lsf_conf *conf,
		      const struct lsf_entry *entry)
{
	const char *hosts = mark_groups(conf, &lsf_host_group, lsf_entry_value(entry, "HOSTS"));
	const char *users = mark_groups(conf, &lsf_user_group, lsf_entry_value(entry, "USERS"));

	queue->description = lsf_entry_value(entry, "DESCRIPTION");
	queue->pool = lsf_entry_value(entry, "SLOT_POOL");
	for (size_t i = 0; i < sizeof(loads) / sizeof(*loads); i++)
		queue->load[i] = lsf_entry_value(entry, loads[i]);
	queue->hosts = hosts ? hosts : EVERY;
	queue->users = users ? users : EVERY " users";
}

void lsf_queues_list(const struct lsf_conf *conf, struct queue_list *list)
{
	const struct lsf_entry *entry = NULL;

	while ((entry = lsf_conf_next(conf, &lsf_queue, entry))) {
		struct queue *queue = queue_list_find(list, lsf_entry_value(entry, "QUEUE_NAME"));

		queue->priority = STANDARD_PRIORITY;
		queue->nice = 0;
		set_texts(queue, conf, entry);
		set_numbers(queue, entry);
		/* the status of a queue with windows depends on the time of day */
		queue->has_status = !lsf_entry_value(entry, "RUN_WINDOW") &&
				    !lsf_entry_value(entry, "DISPATCH_WINDOW");
	}
}
