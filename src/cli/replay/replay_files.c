/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Writes CSV: the schedule, and the tables of users and accounts.
 *
 *	job,user,account,cpus,submit,start,end,policy
 *	17,ada,physics,4,0,60,3660,fair-tree
 */
#include "cli/replay/replay_command.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Writes a field of CSV: in quotes if it needs them. */
static void csv_put(FILE *out, const char *text)
{
	if (!text[strcspn(text, ",\"\r\n")]) {
		fputs(text, out);
		return;
	}
	putc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', out);
		putc(*text, out);
	}
	putc('"', out);
}

/* ---- the schedule ------------------------------------------------------------------------- */

/* Sets *user and *account to the names of a node; an account has no user, the root neither: "". */
static void find_names(const struct snapshot *snapshot, size_t node, const char **user,
		       const char **account)
{
	*user = *account = "";
	if (fathom_tree_kind(snapshot->tree, node) == FATHOM_USER)
		*user = snapshot_name(snapshot, node);
	if (node)
		*account = snapshot_account(snapshot, node);
}

/* Writes a time behind a comma, with the fraction that the trace has, to a microsecond. */
static void put_time(FILE *out, double time)
{
	if (time == rint(time))
		fprintf(out, ",%.0f", time);
	else
		fprintf(out, ",%.6f", time);
}

/* Ends a line, after the name of the cluster if there are several. */
static void end_line(FILE *out, const struct replay_run *run)
{
	if (run->cluster) {
		putc(',', out);
		csv_put(out, run->cluster);
	}
	putc('\n', out);
}

void schedule_note_start(const struct replay_job *job, double start, void *context)
{
	const struct replay_run *run = context;
	const char *user, *account;

	find_names(&run->input->snapshot, job->node, &user, &account);
	fprintf(run->schedule, "%llu,", (unsigned long long)job->number);
	csv_put(run->schedule, user);
	putc(',', run->schedule);
	csv_put(run->schedule, account);
	fprintf(run->schedule, ",%u", job->cpus);
	put_time(run->schedule, job->submit);
	put_time(run->schedule, start);
	put_time(run->schedule, start + job->run);
	putc(',', run->schedule);
	csv_put(run->schedule, run->name);
	end_line(run->schedule, run);
}

/* ---- tables by user and account -------------------------------------------------------------- */

/* Writes a number behind a comma; nothing for NAN. */
static void put_number(FILE *out, double value)
{
	putc(',', out);
	if (!isnan(value))
		fprintf(out, "%.10g", value);
}

/* Returns the mean wait of a node's jobs in seconds; NAN: it has had no jobs. */
static double mean_wait(const struct node_figures *figures)
{
	return figures->wait / (double)figures->jobs;
}

/* Writes the figures of a node in the order of put_header(). first: those under the first
 * candidate. */
static void put_figures(FILE *out, const struct node_figures *figures, double share,
			const struct node_figures *first)
{
	double jobs = (double)figures->jobs;

	put_number(out, share);
	put_number(out, jobs);
	put_number(out, mean_wait(figures));
	put_number(out, figures->longest_wait);
	put_number(out, figures->slowdown / jobs);
	put_number(out, figures->cpu_seconds);
	put_number(out, figures->demand);
	put_number(out, figures->below_share);
	put_number(out, figures->usage);
	put_number(out, mean_wait(figures) - mean_wait(first));
}

/* Writes a row for each node of this kind that has had jobs. figures: by node; first: those under
 * the first candidate, with which waits are compared. */
static void put_rows(FILE *out, const struct replay_run *run, enum fathom_kind kind,
		     const struct node_figures *figures, const struct node_figures *first)
{
	const struct snapshot *snapshot = &run->input->snapshot;

	for (size_t node = 0; node < fathom_tree_count(snapshot->tree); node++) {
		const char *user, *account;

		if (fathom_tree_kind(snapshot->tree, node) != kind || !figures[node].jobs)
			continue;
		find_names(snapshot, node, &user, &account);
		csv_put(out, run->name);
		putc(',', out);
		if (kind == FATHOM_USER) {
			csv_put(out, user);
			putc(',', out);
		}
		csv_put(out, node ? account : snapshot_name(snapshot, 0));
		put_figures(out, &figures[node], run->figures->share[node], &first[node]);
		end_line(out, run);
	}
}

struct node_figures *account_figures(const struct replay_run *run)
{
	const struct replay_figures *figures = run->figures;
	const struct fathom_tree *tree = run->input->snapshot.tree;
	struct node_figures *sums = need_zeros(figures->nodes, sizeof(*sums));

	memcpy(sums, figures->node, figures->nodes * sizeof(*sums));
	/* a node has a greater number than its parent, so that its sum is complete here */
	for (size_t node = figures->nodes - 1; node > 0; node--)
		node_figures_add(&sums[fathom_tree_parent(tree, node)], &sums[node]);
	return sums;
}

/* Writes the header of the table of users or accounts. */
static void put_header(FILE *out, enum fathom_kind kind, bool has_clusters)
{
	fprintf(out, "policy,%saccount,share,jobs,mean_wait,longest_wait,mean_bounded_slowdown,"
		"cpu_seconds,demand_seconds,below_share_seconds,usage,wait_change%s\n",
		kind == FATHOM_USER ? "user," : "", has_clusters ? ",cluster" : "");
}

/* ---- all files --------------------------------------------------------------------------- */

const char *folder_path(const char *folder, const char *name)
{
	const char *slash = *folder && folder[strlen(folder) - 1] == '/' ? "" : "/";
	const char *path = need_print("%s%s%s", folder, slash, name);

	if (strlen(path) >= PATH_MAX)
		refuse("--out: %s", strerror(ENAMETOOLONG));
	return path;
}

/* The folder that this process has made; atexit() takes no argument for drop_made_folder(). */
static const char *made_folder;

/* Removes the folder if it is empty; rmdir() lets one with files stay. */
static void drop_made_folder(void)
{
	rmdir(made_folder);
}

/* Makes the folder if it is not there. It is removed again when the process ends, if nothing has
 * been written to it. */
static void make_folder(const char *folder)
{
	if (mkdir(folder, 0777)) {
		if (errno != EEXIST)
			refuse("--out: %s: %s", folder, strerror(errno));
		return;
	}
	made_folder = folder;
	atexit(drop_made_folder);
}

void replay_files_begin(struct replay_files *files, const char *schedule, const char *folder,
			bool has_clusters)
{
	if (schedule) {
		out_file_begin(&files->schedule, "schedule", schedule);
		fprintf(files->schedule.stream, "job,user,account,cpus,submit,start,end,policy%s\n",
			has_clusters ? ",cluster" : "");
	}
	if (!folder)
		return;
	make_folder(folder);
	out_file_begin(&files->users, "out", folder_path(folder, USERS_TABLE));
	out_file_begin(&files->accounts, "out", folder_path(folder, ACCOUNTS_TABLE));
	put_header(files->users.stream, FATHOM_USER, has_clusters);
	put_header(files->accounts.stream, FATHOM_ACCOUNT, has_clusters);
}

void replay_files_add(struct replay_files *files, const struct replay_runs *runs)
{
	for (size_t i = 0; files->schedule.stream && i < runs->count; i++)
		if (runs->run[i].schedule &&
		    copy_stream(files->schedule.stream, runs->run[i].schedule))
			refuse("--schedule: %s", strerror(errno));
	if (!files->first)
		files->first = need_zeros(runs->width, sizeof(struct node_figures *));
	for (size_t i = 0; files->users.stream && i < runs->count; i++) {
		const struct replay_run *run = &runs->run[i];
		struct node_figures *sums = account_figures(run);
		struct node_figures **first = &files->first[i % runs->width];

		/* nothing is below users, so that `sums` are their own figures */
		if (!*first)
			*first = sums;
		put_rows(files->users.stream, run, FATHOM_USER, sums, *first);
		put_rows(files->accounts.stream, run, FATHOM_ACCOUNT, sums, *first);
		if (sums != *first)
			need_free(sums);
	}
}

void replay_files_publish(struct replay_files *files)
{
	struct out_file *const file[] = { &files->schedule, &files->users, &files->accounts };

	for (size_t i = 0; i < sizeof(file) / sizeof(*file); i++)
		if (file[i]->stream)
			out_file_publish(file[i]);
}
