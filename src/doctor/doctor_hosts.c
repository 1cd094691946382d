/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Asks a few hosts at a time, each by a process of its own: ssh or srun, which writes its answer
 * and its errors into files in memory. Pipes would not do: with ControlPersist, ssh leaves a
 * process behind that keeps them open.
 */
#include "doctor/doctor_hosts.h"

#include "conf/host_list.h"
#include "document/json_reader.h"
#include "memory/need_memory.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#define AT_A_TIME 16		/* hosts */
#define MOST_ANSWER (1 << 20)	/* bytes of an answer, and of its errors */
#define MOST_WORDS 16		/* of a command line */
#define LOOK_EVERY 20000000	/* nanoseconds between two looks whether a process has ended */

/* The status with which a process ends. */
enum {
	STATUS_DONE = 0,		/* fathom doctor: nothing is wrong */
	STATUS_WRONG = 1,		/* fathom doctor: something is wrong */
	STATUS_NO_COMMAND = 127,	/* a shell that does not find fathom */
	STATUS_NO_CONNECTION = 255	/* ssh */
};

/* How a host is asked: by `word`, the host's name, and the command. */
static const struct way {
	const char *name;		/* for --via */
	const char *word[8];		/* ends with NULL */
	const char *no_connection;	/* what to do if there is no connection */
} ways[] = {
	[DOCTOR_BY_SSH] = { "ssh", { "ssh", "-o", "BatchMode=yes", "-o", "ConnectTimeout=10" },
			    "let ssh -o BatchMode=yes log in there, or use --via srun" },
	[DOCTOR_BY_SRUN] = { "srun", { "srun", "--quiet", "--nodes=1", "--ntasks=1",
				       "--immediate=10", "--nodelist" },
			     "see sinfo -R, or use --via ssh" },
};

/* A host that has been asked. */
struct asked_host {
	const char *host;
	pid_t child;		/* the process; -1: it could not be started */
	int answer, errors;	/* its stdout and stderr: descriptors of files in memory */
	time_t until;		/* seconds of CLOCK_MONOTONIC at which it has taken too long */
};

const char *doctor_way_name(enum doctor_way way)
{
	return ways[way].name;
}

/* ---- the processes ---------------------------------------------------------------------- */

/* Returns the seconds of CLOCK_MONOTONIC. */
static time_t seconds_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

/* Becomes the command, in the child. Its output goes into the files of `asked`. Ends with
 * STATUS_NO_CONNECTION if it cannot be executed: the host cannot be asked in this way. */
static _Noreturn void become(char *const *words, const struct asked_host *asked)
{
	const struct rlimit most_answer = { MOST_ANSWER, MOST_ANSWER };
	int no_input = open("/dev/null", O_RDONLY);	/* ssh must not read the user's input */

	prctl(PR_SET_PDEATHSIG, SIGTERM);	/* ends with fathom, however that ends */
	setrlimit(RLIMIT_FSIZE, &most_answer);	/* a host must not fill this host's memory */
	if (dup2(no_input, STDIN_FILENO) >= 0 && dup2(asked->answer, STDOUT_FILENO) >= 0 &&
	    dup2(asked->errors, STDERR_FILENO) >= 0)
		execvp(words[0], words);
	dprintf(STDERR_FILENO, "%s: %s\n", words[0], strerror(errno));
	_exit(STATUS_NO_CONNECTION);
}

/* Starts the process that asks a host. slurm, seconds: see doctor_ask_hosts(). */
static struct asked_host ask(const char *host, enum doctor_way way, const char *slurm,
			     unsigned seconds)
{
	const char *const command[] = { host, "fathom", "doctor", "--json",
					slurm ? "--slurm" : NULL, slurm };
	struct asked_host asked = { host, -1, memfd_create("answer", MFD_CLOEXEC),
				    memfd_create("errors", MFD_CLOEXEC),
				    seconds_now() + (time_t)seconds };
	char *words[MOST_WORDS] = { NULL };
	size_t count = 0;

	for (const char *const *word = ways[way].word; *word; word++)
		words[count++] = need_text(*word);
	for (size_t i = 0; i < sizeof(command) / sizeof(*command); i++)
		words[count + i] = need_text(command[i]);
	fflush(NULL);	/* else the child would write what is buffered once more */
	asked.child = fork();
	if (!asked.child)
		become(words, &asked);
	return asked;
}

/* Waits for the end of a process. Returns its status; -1: a signal has ended it, or it took too
 * long, and is told to end. */
static int wait_for(const struct asked_host *asked)
{
	const struct timespec pause = { .tv_nsec = LOOK_EVERY };
	int status = 0;
	pid_t ended;

	if (asked->child < 0)
		return STATUS_NO_CONNECTION;
	while (!(ended = waitpid(asked->child, &status, WNOHANG)) && seconds_now() < asked->until)
		nanosleep(&pause, NULL);
	if (!ended)
		kill(asked->child, SIGTERM);
	return ended && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* Returns the text in a file in memory, and closes the file. */
static const char *take_text(int file)
{
	off_t end = lseek(file, 0, SEEK_END);
	size_t length = end > 0 ? (size_t)end : 0;
	char *text = need_zeros(length, 1);

	if (pread(file, text, length, 0) < 0)
		*text = '\0';
	close(file);
	return text;
}

/* ---- answers ---------------------------------------------------------------------------- */

/* Sets the state of a row: true is well, false wrong, null unknown. */
static void read_ok(struct json_reader *json, const struct json_key *key,
		    const struct parsed *value, void *into)
{
	struct doctor_row *row = into;

	if (!parsed_is(value, PARSED_NULL) && !parsed_is_switch(value))
		json_wrong_key(json, key->name, "must be true, false or null");
	row->state = parsed_is(value, PARSED_NULL) ? DOCTOR_UNKNOWN
		     : parsed_is(value, PARSED_TRUE) ? DOCTOR_WELL : DOCTOR_WRONG;
}

#define TEXT(member) .type = JSON_COPY, .at = offsetof(struct doctor_row, member)

static const struct json_key check_keys[] = {
	{ "code", true, TEXT(check) },
	{ "ok", true, .read = read_ok },
	{ "text", true, TEXT(text) },
	{ "fix", .or_null = true, TEXT(fix) },
	{ "kind", .or_null = true, TEXT(kind) },
	{ "sum", .or_null = true, TEXT(sum) },
	JSON_END
};

/* Adds a row for an element of "checks". into: the report. */
static void read_check(struct json_reader *json, const struct parsed *object, void *into)
{
	struct doctor_row row = { 0 };

	json_read_keys(json, object, check_keys, &row);
	if (!row.kind)	/* doctor_compare_hosts() needs both */
		row.sum = NULL;
	*doctor_add_row(into) = row;
}

/* "host" is left out: rows get the name by which the host was asked, see take_answer(). */
static const struct json_member host_members[] = {
	{ .name = "checks", .needed = true, .element = read_check, .shape = "{\"code\": ...}" },
	JSON_END
};
static const struct json_member members[] = {
	{ .name = "hosts", .needed = true, .is_list = true, .members = host_members,
	  .shape = "{\"host\": ...}" },
	JSON_END
};

static const struct json_document document = {
	.format = JSON_DOCTOR_FORMAT, .version = JSON_DOCTOR_VERSION, .members = members,
	.shape = "\"hosts\": [...]", .page = "fathom-doctor(1)",
};

/* An answer while it is read. */
struct answer {
	struct document input;
	struct doctor_report *report;	/* gets its rows */
};

/* For document_try(). context: a struct answer. */
static void read_answer(void *context)
{
	struct answer *answer = context;

	json_read_document(&answer->input, &document, answer->report);
}

/* Returns the last line of a text, without full stops at its end; "" if the text is empty. */
static const char *last_line(const char *text)
{
	size_t end = strlen(text), begin;

	while (end && strchr("\r\n.", text[end - 1]))
		end--;
	begin = end;
	while (begin && !strchr("\r\n", text[begin - 1]))
		begin--;
	return need_print("%.*s", (int)(end - begin), text + begin);
}

/* Returns what to do about a host that has not answered. status: see wait_for(). */
static const char *fix_of(int status, const struct way *way)
{
	if (status == STATUS_NO_COMMAND)
		return "install this release of fathom there, in a folder of the PATH";
	if (status == STATUS_NO_CONNECTION || status < 0)
		return way->no_connection;
	return "run fathom doctor on that host, or install this release of fathom there";
}

/* Says why a host has not answered. status: see wait_for(); reason: a text whose last line is the
 * reason. */
static void note_silence(struct doctor_row *row, int status, const char *reason,
			 const struct way *way)
{
	const char *line = last_line(reason);

	row->check = "answer";
	if (status < 0)
		doctor_found(row, DOCTOR_WRONG, "no whole answer in time");
	else
		doctor_found(row, DOCTOR_WRONG, "%s", *line ? line : "no answer");
	row->fix = fix_of(status, way);
}

/* Waits for an answer and adds its rows, or a row that says why there is no answer. */
static void take_answer(struct doctor_report *report, const struct asked_host *asked,
			const struct way *way)
{
	int status = wait_for(asked);
	bool has_run = status == STATUS_DONE || status == STATUS_WRONG;
	const char *text = take_text(asked->answer), *errors = take_text(asked->errors);
	/* the answer may begin behind what a login shell's files have printed */
	const char *begin = has_run ? strstr(text, "{\"format\": \"" JSON_DOCTOR_FORMAT) : NULL;
	struct answer answer = { document_of(asked->host, piece_of(begin ? begin : "")), report };
	struct failure failure = { .error.text = "" };
	size_t before = report->count;

	if (!begin || document_try(read_answer, &answer, &failure) || report->count == before) {
		const char *printed = has_run && *text ? text : errors;

		report->count = before;	/* drops the rows before the one that is wrong */
		note_silence(doctor_add_row(report), status, begin ? failure.error.text : printed,
			     way);
	}
	for (size_t i = before; i < report->count; i++)
		report->row[i].host = asked->host;
}

void doctor_ask_hosts(struct doctor_report *report, const struct host_list *hosts,
		      enum doctor_way way, const char *slurm, unsigned seconds)
{
	struct asked_host asked[AT_A_TIME];	/* host i is in asked[i % AT_A_TIME] */
	size_t begun = 0;			/* number of hosts that have been asked */

	for (size_t i = 0; i < hosts->count; i++) {
		for (; begun < hosts->count && begun < i + AT_A_TIME; begun++)
			asked[begun % AT_A_TIME] = ask(hosts->name[begun], way, slurm, seconds);
		take_answer(report, &asked[i % AT_A_TIME], &ways[way]);
	}
}
