/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A request of a trace is a text, the QOS and the TRES: "high\ncpu=4,mem=8000M,gres/gpu=2". This
 * file finds the priority of the QOS, and the counts of those TRES that count at the site.
 */
#include "cli/replay/replay_command.h"

#include "document/text.h"
#include "format/accounting/tres_text.h"

#include <strings.h>

/* Returns the name of TRES number `tres` of the site's jobs. */
static const char *tres_name(const struct jobs *jobs, size_t tres)
{
	return jobs_text(jobs, jobs->tres[tres]);
}

/* ---- names of TRES ----------------------------------------------------------------------- */

/* Adds a TRES to those of the site, unless it is one of them. */
static void add_tres(struct jobs *jobs, struct piece name)
{
	char text[JOB_TRES_NAME];

	if (name.length >= sizeof(text))
		return;		/* too long for a name in a formula */
	snprintf(text, sizeof(text), "%.*s", PIECE(name));
	jobs_find_tres(jobs, text);
}

/* Adds the TRES of a request, up to a wrong word, which set_request() refuses. */
static void add_tres_of_request(struct jobs *jobs, const char *request)
{
	const char *line = strchr(request, '\n') + 1;
	struct piece list = piece_of(line);
	struct tres_word word;

	while (tres_text_next(&list, &word) > 0)
		add_tres(jobs, word.name);
}

void replay_requests_add_tres(struct replay_input *input, const struct job_settings *settings,
			      bool has_formula)
{
	struct jobs *jobs = &input->site.jobs;

	for (size_t i = 0; i < settings->tres_count; i++)
		add_tres(jobs, piece_of(settings->tres[i].name));
	for (size_t i = 0; has_formula && i < input->trace.requests->count; i++)
		add_tres_of_request(jobs, input->trace.requests->name[i]);
}

/* ---- jobs -------------------------------------------------------------------------------- */

/* Returns the priority of a QOS; Slurm's default, 0, if the site does not list it. */
static double qos_priority(const struct jobs *jobs, struct piece name)
{
	for (size_t i = 0; i < jobs->qos_count; i++) {
		const char *known = jobs_text(jobs, jobs->qos[i].name);

		if (strlen(known) == name.length && !strncasecmp(known, name.at, name.length))
			return jobs->qos[i].priority;
	}
	return 0;
}

/* Returns the count of a TRES; 0: the list has none, or is wrong. */
static uint64_t count_of(struct piece list, const char *name)
{
	double count = 0;

	return tres_text_count(list, name, &count) > 0 && count < 0x1p63 ? (uint64_t)count : 0;
}

/* Sets one request. tres: room for its count of each TRES of the site, to which the request then
 * points; text: as in struct trace; highest: the greatest priority of all QOS. */
static void set_request(struct replay_request *request, uint64_t *tres,
			const struct replay_input *input, const char *text, double highest)
{
	const struct jobs *jobs = &input->site.jobs;
	const size_t qos_length = strcspn(text, "\n");
	const char *tres_text = text + qos_length + 1;
	const struct piece list = piece_of(tres_text);
	double count;

	*request = (struct replay_request){ .tres = tres, .memory = count_of(list, "mem"),
					    .gpus = count_of(list, "gres/gpu") };
	request->qos_priority = qos_priority(jobs, (struct piece){ text, qos_length });
	request->qos_norm = highest > 0 ? request->qos_priority / highest : 0;
	for (size_t i = 0; i < jobs->tres_count; i++) {
		int found = tres_text_count(list, tres_name(jobs, i), &count);

		if (found < 0)
			refuse("%s: TRES '%s', must be counts such as billing=4,cpu=4,mem=8000M",
			       input->trace.input.name, tres_text);
		tres[i] = found && count < 0x1p63 ? (uint64_t)count : 0;
	}
}

/* ---- partitions ---------------------------------------------------------------------------- */

/* Sets the counts of a partition, and raises those of the machine to them: of the machine, no more
 * is known than what its largest partition has. tres, machine: by TRES of `jobs`. */
static void set_partition_tres(uint64_t *tres, uint64_t *machine, const struct jobs *jobs,
			       const struct jobs_partition *partition)
{
	for (size_t i = 0; i < partition->tres.count; i++) {
		const struct tres_amount *amount = &jobs->amount[partition->tres.first + i];

		tres[amount->tres] = amount->count;
		if (machine[amount->tres] < amount->count)
			machine[amount->tres] = amount->count;
	}
}

/* Gives a partition that does not tell its CPUs or nodes those of the machine. A machine whose
 * nodes are not known counts as one with a CPU in each. tres: the counts of the partition, by TRES
 * of the site's jobs. */
static void complete_tres(uint64_t *tres, const struct replay_input *input)
{
	const struct jobs *jobs = &input->site.jobs;
	double nodes = input->partitions.nodes > 0 ? input->partitions.nodes : input->trace.cpus;

	for (size_t i = 0; i < jobs->tres_count; i++)
		if (!tres[i] && !strcasecmp(tres_name(jobs, i), "cpu"))
			tres[i] = (uint64_t)input->trace.cpus;
		else if (!tres[i] && !strcasecmp(tres_name(jobs, i), "node"))
			tres[i] = (uint64_t)nodes;
}

/* Sets the counts of TRES of each partition, and behind them of the machine. */
static void set_all_tres(struct replay_input *input)
{
	const struct jobs *jobs = &input->site.jobs;
	size_t count = input->partitions.trace.count, width = jobs->tres_count;
	uint64_t *tres = need_zeros((count + 1) * width, sizeof(*tres));

	for (size_t i = 0; i < count; i++) {
		size_t known = jobs_partition_named(jobs, input->partitions.limits[i].name);

		if (known != JOBS_NONE)
			set_partition_tres(tres + i * width, tres + count * width, jobs,
					   &jobs->partition[known]);
	}
	for (size_t i = 0; i <= count; i++) {
		complete_tres(tres + i * width, input);
		input->partitions.partition[i].queue.partition_tres = tres + i * width;
	}
}

/* ---- both -------------------------------------------------------------------------------- */

void replay_requests_find(struct replay_input *input)
{
	const struct numbered_names *texts = input->trace.requests;
	size_t width = input->site.jobs.tres_count;
	double highest = 0;	/* priority of a QOS */
	uint64_t *tres;		/* the counts of each request, one behind the other */

	if (!texts->count)
		return;
	for (size_t i = 0; i < input->site.jobs.qos_count; i++)
		highest = fmax(highest, input->site.jobs.qos[i].priority);
	input->request = need_zeros(texts->count, sizeof(*input->request));
	tres = need_zeros(texts->count * width, sizeof(*tres));
	set_all_tres(input);
	for (size_t i = 0; i < texts->count; i++)
		set_request(&input->request[i], tres + i * width, input, texts->name[i], highest);
}

/* ---- what is known ------------------------------------------------------------------------- */

/* Returns whether a TRES is one whose count each trace and each site tells. */
static bool is_always_told(const char *name)
{
	return !strcasecmp(name, "cpu") || !strcasecmp(name, "node");
}

bool replay_tells_tres(const struct replay_input *input, const char *name)
{
	return input->trace.names_tres || is_always_told(name);
}

/* Returns whether the site tells how much partitions have of a TRES. */
static bool has_tres(const struct jobs *jobs, const char *name)
{
	for (size_t i = 0; i < jobs->amount_count; i++)
		if (!strcasecmp(tres_name(jobs, jobs->amount[i].tres), name))
			return true;
	return is_always_told(name);
}

const char *replay_unknown_tres(const struct replay_input *input,
				const struct job_settings *settings, size_t tres)
{
	const char *name = settings->tres[tres].name;

	if (!(settings->tres[tres].weight > 0))
		return NULL;
	if (!replay_tells_tres(input, name))
		return "the trace tells no TRES of jobs but cpu and node";
	if (!(settings->flags & FATHOM_NO_NORMAL_TRES) && !has_tres(&input->site.jobs, name))
		return "no file of --from tells how much of it partitions have";
	return NULL;
}

/* Returns why the factor of no TRES is known: the reason of the last one. NULL: one is known, or
 * there are no TRES with weights. */
static const char *unknown_weights(const struct replay_input *input,
				   const struct job_settings *settings)
{
	const char *reason = NULL;

	for (size_t i = 0; i < settings->tres_count; i++) {
		if (!(settings->tres[i].weight > 0))
			continue;
		reason = replay_unknown_tres(input, settings, i);
		if (!reason)
			return NULL;
	}
	return reason;
}

const char *replay_unknown_factor(const struct replay_input *input,
				  const struct job_settings *settings, enum job_setting weight)
{
	if (weight == JOB_WEIGHT_ASSOC && !input->knows_associations)
		return "no file tells the priorities of associations";
	if (weight == JOB_WEIGHT_TRES)
		return unknown_weights(input, settings);
	if (weight != JOB_WEIGHT_QOS)
		return NULL;
	if (!input->trace.names_qos)
		return "the trace names no QOS";
	return input->site.jobs.qos_count ? NULL : "no file of --from has the priorities of QOS";
}
