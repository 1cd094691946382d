/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Charges runs of jobs, each second of each run once, and decays usage.
 *
 *	runs -> ledger -> charges -> totals of a tree, of QOS
 *	                          -> sums of a policy
 *
 * The ledger knows until when each run has been charged. The caller reports to it
 * each job that it sees, as often as it likes. The ledger adds the charges that
 * are due to a list, and never charges a second again.
 *
 * Times are seconds since any moment, the same for all calls. A time of 0 means
 * that the time is unknown or has not come yet.
 */
#ifndef FATHOM_USAGE_H
#define FATHOM_USAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

struct fathom_node_index;
struct fathom_policy;
struct fathom_settings;
struct fathom_tree;

/* ---- decay (Slurm: PriorityDecayHalfLife) ---------------------------------- */

/* Returns the part of usage that is left after `elapsed` seconds:
 * 2^(-elapsed / half_life), 0 to 1. half_life: seconds; 0: no decay. */
double fathom_decay(double elapsed, double half_life);

/* Returns the seconds from `begin` to `end` as they count at `seen`: each second
 * decays from when it passed until `seen`. If `seen` is before `end`, the result
 * is larger, such that decay after `seen` brings it to the right value. 0 if `end` is
 * not after `begin`. half_life: seconds; 0: no decay. */
double fathom_decayed_seconds(double begin, double end, double seen, double half_life);

/* Decay in steps (OpenPBS: fairshare_decay_time, fairshare_decay_factor). */

/* Returns how many steps of `period` seconds, which is above 0, are due since `last`;
 * 0 if the clock went back. The caller then adds steps x period, not the time that
 * has passed, to `last`: so no step is lost if the call comes late. */
double fathom_decay_steps(double last, double now, double period);
/* Returns the usage after `steps` steps: usage x factor^steps, but at least `least`,
 * the usage that a new entity starts with (1 in OpenPBS). With 0 steps: `usage`, even
 * if it is below `least`. factor: above 0, below 1. */
double fathom_decay_stepwise(double usage, double steps, double factor, double least);
/* Returns the half-life in seconds by which fathom_decay() gives the same value at
 * each step. period: seconds; factor: above 0, below 1. */
double fathom_decay_half_life(double period, double factor);

/* Returns the half-life in seconds for LSF's HIST_HOURS, after which a tenth of
 * usage is left; 0: no decay. CPU time and historical run time decay with it. With
 * RUN_TIME_DECAY, a job that has run since `begin` counts
 * fathom_decayed_seconds(begin, now, now, half_life). */
double fathom_hist_half_life(double hist_hours);

/* ---- resets (Slurm: PriorityUsageResetPeriod) ------------------------------- */

/* When usage is reset: never; once for each request; or on the first day of each period.
 * Weeks begin on Sunday. */
enum fathom_reset { FATHOM_RESET_NONE, FATHOM_RESET_NOW, FATHOM_RESET_DAILY,
		    FATHOM_RESET_WEEKLY, FATHOM_RESET_MONTHLY,
		    FATHOM_RESET_QUARTERLY, FATHOM_RESET_YEARLY };

/* A day of the proleptic Gregorian calendar. */
struct fathom_date { int year, month, day; };	/* month and day from 1 */

/* Returns the first day after `last` on which usage is reset, at local midnight. For
 * FATHOM_RESET_NONE and FATHOM_RESET_NOW: `last` itself. */
struct fathom_date fathom_next_reset(enum fathom_reset period, struct fathom_date last);
/* Returns whether usage must be reset today. last: the local day of the last reset.
 * requested: settings were just read, which requests a FATHOM_RESET_NOW; other
 * periods ignore it. After a long pause one reset is due, not several. */
bool fathom_reset_is_due(enum fathom_reset period, struct fathom_date last,
			 struct fathom_date today, bool requested);

/* ---- runs ------------------------------------------------------------------- */

/* The job, and the association and QOS that its run is charged to. */
struct fathom_run_id {
	uint64_t job;
	uint32_t association;
	uint32_t account;		/* id of its account's association, which gets the
					 * charge if the association is deleted */
	uint32_t qos;			/* QOS of the job; 0: none */
	uint32_t partition_qos;		/* QOS of its partition, which is charged as well; 0: none,
					 * or the same as `qos` */
	uint32_t leaf;			/* key of the leaf at which it counts, where a tree has
					 * several for its association; 0: none, or not known */
	uint32_t array;			/* job array that it is a task of; 0: none */
	const char *partition;		/* its name; NULL: not known */
};

/* The part of a run on a set of hosts, such as a host partition of LSF. */
struct fathom_run_part {
	const char *hosts;	/* name of the set */
	uint64_t cpus, all_cpus;	/* the run's CPUs on these hosts, and on all hosts */
};

/* What a run is charged for each second. */
struct fathom_run_rate {
	double billing;		/* billing TRES: the weighted sum of its TRES */
	double usage_factor;	/* multiplies all seconds */
	double limit;		/* time limit in seconds; below 0: no limit */
	const uint64_t *tres;	/* the count of each TRES, below 2^63; 0: not charged */
	uint32_t tres_count;
	uint32_t part_count;	/* 0: nobody counts by sets of hosts, or it uses none of them */
	const struct fathom_run_part *part;	/* one for each set of hosts that it uses */
	/* CPU seconds in each second; 0: not known, its CPUs count; below 0: it uses none */
	double cpu_use;
};

/* One run of a job: from its start to its end, or until it is requeued. */
struct fathom_run {
	struct fathom_run_id id;
	struct fathom_run_rate rate;
};

/* A job that runs or has run, as the caller sees it at some instant. The ledger
 * copies what it needs. */
struct fathom_observed_job {
	struct fathom_run run;
	double start;		/* of this run; a new start means a new run */
	double resized;		/* when it got its present size; 0: at its start */
	double requeued;	/* when the previous run ended; 0: not known */
	/* pauses: */
	double switched;	/* when it was last suspended or resumed; 0: never */
	double ran;		/* seconds that it ran from `start` to `switched`, without pauses */
	bool suspended;		/* it has been suspended since `switched`; false: it runs */
	/* Seconds that limits have reserved for the run since its start, as if it ran
	 * to its time limit (Slurm: GrpTRESRunMins). They are released as the run goes
	 * on. Below 0: limits reserve nothing for it. */
	double reserved;
};

/* ---- charges ---------------------------------------------------------------- */

/* A time from `begin` to `end`; empty if they are equal. */
struct fathom_interval {
	double begin, end;
};

/* The charge for a part of one run. It counts for the association, the accounts
 * above it and the QOS. */
struct fathom_charge {
	struct fathom_run run;
	struct fathom_interval part[2];	/* before and after a pause; either may be empty */
	double ran;		/* seconds of the whole run up to part[1].end; without pauses if
				 * the rules skip them */
	double seconds, decayed_seconds;	/* seconds of both parts, times the usage factor */
	uint64_t released;	/* reserved seconds that it releases, times the usage factor */
	bool over;		/* the run is over: this is its last charge */
};

struct fathom_charge_rules {
	double half_life;	/* of usage; seconds, 0: no decay */
	double seen;		/* decayed_seconds are as they count at this time */
	bool skip_pauses;	/* a suspended job is not charged */
	bool note_ends;		/* the end of a run makes a charge, even of 0 seconds */
};

/* A list of charges. A pointer to a charge is valid as long as the list. */
struct fathom_charges;

/* Makes an empty list, whose charges will be made by these rules, which it copies. NULL:
 * out of memory. */
struct fathom_charges *fathom_charges_create(const struct fathom_charge_rules *rules);
/* Frees a list; NULL is allowed. */
void fathom_charges_destroy(struct fathom_charges *charges);
/* Returns the number of charges. */
size_t fathom_charges_count(const struct fathom_charges *charges);
/* Returns a charge; at: below fathom_charges_count(). */
const struct fathom_charge *fathom_charges_at(const struct fathom_charges *charges, size_t at);
/* Drops from all charges the seconds before `when`, such as the time of a reset. What they release,
 * and the ends of runs, stay. */
void fathom_charges_drop_before(struct fathom_charges *charges, double when);

/* ---- the ledger --------------------------------------------------------------- */

/*
 * The ledger records until when each run has been charged. A job without a row has
 * been charged up to the ledger's `base`. Charging goes in rounds: the caller
 * observes each job, then closes the round, which moves the base to its time:
 *
 *	for each job that runs:   fathom_ledger_observe (ledger, &job, now, charges)
 *	for each that has ended:  fathom_ledger_observe_end (ledger, &job, end, now, charges)
 *	then                      fathom_ledger_close_round (ledger, now, &lost, charges)
 *
 * Between any two of these calls jobs may start and end, and the calls for single
 * jobs below may report it. Those calls are optional: the next round charges the
 * same, if the job is still known then.
 *
 * Calls that charge return -1 if memory ran out. The charge is then still due: the
 * next round makes it, and the base moves only when a round was complete.
 */
struct fathom_ledger;

/* Makes an empty ledger with base 0. NULL: out of memory. */
struct fathom_ledger *fathom_ledger_create(void);
/* Frees a ledger; NULL is allowed. */
void fathom_ledger_destroy(struct fathom_ledger *ledger);

/* Returns the base: jobs without a row have been charged up to this time. */
double fathom_ledger_base(const struct fathom_ledger *ledger);
/* Sets the base. */
void fathom_ledger_set_base(struct fathom_ledger *ledger, double base);

/* Reports that the job runs at `now`, and charges it up to then. If it has a new
 * start, the previous run is charged up to its requeue; if it has a new size, the
 * time before the resize is charged at the old rate. -1: out of memory. */
int fathom_ledger_observe(struct fathom_ledger *ledger, const struct fathom_observed_job *job,
			  double now, struct fathom_charges *charges);
/* Reports in a round that the job's run ended or was requeued at `end`, and charges
 * it up to `end` at the rate that it was last observed with. now: the time of the
 * round; if `end` is later, charges up to `now`, and a later round ends the run. -1:
 * out of memory. */
int fathom_ledger_observe_end(struct fathom_ledger *ledger, const struct fathom_observed_job *job,
			      double end, double now, struct fathom_charges *charges);

/* Returns whether earlier rounds have charged all of a job that ended at `end`, so
 * that the caller need not observe it. */
bool fathom_ledger_has_charged(const struct fathom_ledger *ledger, uint64_t job, double end);

/* Notes the leaf at which a job's present run counts. The charges that follow have it. Does
 * nothing if the ledger does not have the run. */
void fathom_ledger_set_leaf(struct fathom_ledger *ledger, uint64_t job, uint32_t leaf);

/* A run that is not over, or that has been charged beyond the base. */
struct fathom_ledger_row {
	struct fathom_run run;	/* as it was when it was last charged */
	double start, charged_until, resized;	/* times, as in struct fathom_observed_job */
	double paused;		/* seconds of pauses from its start to charged_until */
	bool over;		/* the run has ended, and is charged up to its end */
};

/* How a round finds the end of runs whose jobs were not observed. */
struct fathom_lost_runs {
	/* Returns when the run of a row ended, at the latest at `now`; its job may run again
	 * by then. 0: not known, so the run ends at its charged_until. */
	double (*end_of)(const struct fathom_ledger_row *row, double now, void *context);
	void *context;
};

/* Returns the next row, from index *at on, of a job that has not been observed in this round, and
 * moves *at behind it; NULL: there are no more. Start with *at 0. */
const struct fathom_ledger_row *fathom_ledger_next_unseen(const struct fathom_ledger *ledger,
							  size_t *at);
/* Ends the run of a job that has not been observed in this round, at `end`; 0: not known, so it
 * ends at its charged_until. Does nothing if the job has been observed. -1: memory has run out in
 * this call, or earlier in this round. */
int fathom_ledger_end_unseen(struct fathom_ledger *ledger, uint64_t job, double end,
			     struct fathom_charges *charges);
/* Ends a round in which the caller has observed all jobs at `now`. Runs that were not
 * observed are over: it charges them up to the end that lost->end_of() returns, or, if
 * lost is NULL, leaves them charged as they are. Then it moves the base to `now`. -1:
 * memory has run out in this round; the base stays. */
int fathom_ledger_close_round(struct fathom_ledger *ledger, double now,
			      const struct fathom_lost_runs *lost, struct fathom_charges *charges);

/* ---- single jobs, at any time --------------------------------------------------- */

/* Reports that a run ended at `end`: charges it up to then, and releases all seconds
 * reserved for it. If `end` is more than 500 half-lives after the `seen` of the
 * charges, where decayed seconds would overflow, it only releases, and the next
 * round charges. -1: out of memory. */
int fathom_ledger_end(struct fathom_ledger *ledger, const struct fathom_observed_job *job,
		      double end, struct fathom_charges *charges);
/* Reports that a run gets a new size at `now`: charges it up to then at the old
 * rate, and releases all seconds reserved for it. If `now` is too far ahead, see
 * fathom_ledger_end(), it only releases. The next observation brings the new size.
 * -1: out of memory. */
int fathom_ledger_resize(struct fathom_ledger *ledger, const struct fathom_observed_job *job,
			 double now, struct fathom_charges *charges);
/* Releases all seconds reserved for a run, charges nothing, and does not change the
 * ledger. -1: out of memory. */
int fathom_ledger_release(const struct fathom_ledger *ledger,
			  const struct fathom_observed_job *job, struct fathom_charges *charges);
/* Reports that a job was requeued at `when`: its run ends there. The next round
 * charges it. Does nothing if the ledger does not have the run. */
void fathom_ledger_requeue(struct fathom_ledger *ledger, uint64_t job, double when);
/* Reports that limits have reserved all seconds of each run again, so that none
 * counts as released. */
void fathom_ledger_reserve_anew(struct fathom_ledger *ledger);

/* ---- what the ledger holds ------------------------------------------------------- */

/* Returns the number of rows. */
size_t fathom_ledger_count(const struct fathom_ledger *ledger);
/* Returns a row; at: below fathom_ledger_count(), in no particular order. The row is
 * valid until the next call that changes the ledger, the name of its partition as
 * long as the ledger exists. */
const struct fathom_ledger_row *fathom_ledger_at(const struct fathom_ledger *ledger, size_t at);
/* Returns the row of a job, or NULL. */
const struct fathom_ledger_row *fathom_ledger_find(const struct fathom_ledger *ledger,
						   uint64_t job);
/* Returns the row of a job, or NULL. Looks first at the row with the index *at, and sets *at behind
 * the row that it finds; so it is quick if jobs are looked up in the order of their rows. Start
 * with *at 0. */
const struct fathom_ledger_row *fathom_ledger_find_from(const struct fathom_ledger *ledger,
							uint64_t job, size_t *at);
/* Tells the processor to load the memory that fathom_ledger_find_from() reads first if it is called
 * for this job with *at = at. */
void fathom_ledger_prefetch(const struct fathom_ledger *ledger, uint64_t job, size_t at);
/* Returns whether a run that was in the ledger has used the TRES with this index. Indexes from 256
 * on count as used. */
bool fathom_ledger_has_used(const struct fathom_ledger *ledger, uint32_t tres);
/* Returns the seconds from the start of the row's run to its charged_until.
 * skip_pauses: without the seconds of pauses. */
double fathom_ledger_seconds_run(const struct fathom_ledger_row *row, bool skip_pauses);
/* Adds a copy of a saved row. Until its run is observed, the run is charged at the
 * row's rate; if the row's association is 0, its run was not known yet when it was
 * saved, and is not charged until it is observed. -1: out of memory. */
int fathom_ledger_restore(struct fathom_ledger *ledger, const struct fathom_ledger_row *row);
/* Copies what `from` knows of a job to `to`, in place of what that knows; does nothing if `from`
 * does not know the job. So calls for single jobs can work on a small ledger beside that of the
 * rounds. -1: out of memory; `to` still knows what it knew, but its round is incomplete. */
int fathom_ledger_copy_run(struct fathom_ledger *to, const struct fathom_ledger *from,
			   uint64_t job);
/* Moves at most `most` runs from one ledger to another, as fathom_ledger_copy_run() copies them;
 * call it again until `from` has none. `from` has no rounds. -1: out of memory, some have not
 * moved. */
int fathom_ledger_move_runs(struct fathom_ledger *to, struct fathom_ledger *from, size_t most);

/* ---- totals --------------------------------------------------------------------- */

/* An amount of usage. The arrays have a value for each TRES. */
struct fathom_amount {
	double billing;		/* billing TRES seconds */
	double wall;		/* seconds, whatever the run's size */
	double *tres;		/* TRES seconds */
	uint64_t *released;	/* reserved TRES seconds that were released; NULL: not counted */
};

/* Adds a charge to an amount whose arrays have tres_count values. decayed: counts
 * the charge's decayed_seconds, otherwise its seconds. */
void fathom_amount_add_charge(struct fathom_amount *amount, const struct fathom_charge *charge,
			      bool decayed, uint32_t tres_count);

/* The sums of charges for each node of a tree. A charge whose association is not in
 * the tree counts for its account; if that is not in the tree, for the root. */
struct fathom_charge_totals;

/* Adds up the decayed seconds of charges. index: that of the tree. The totals do not
 * use the tree, the index or the charges afterwards. released: also counts released
 * seconds. tres_count: number of TRES that are counted. NULL: out of memory. */
struct fathom_charge_totals *fathom_charge_totals_create(const struct fathom_tree *tree,
							 const struct fathom_node_index *index,
							 const struct fathom_charges *charges,
							 bool released, uint32_t tres_count);
/* Frees totals; NULL is allowed. */
void fathom_charge_totals_destroy(struct fathom_charge_totals *totals);
/* Returns what a node itself was charged, without the nodes below it. NULL: nothing,
 * or totals is NULL. */
const struct fathom_amount *fathom_charge_totals_at(const struct fathom_charge_totals *totals,
						    size_t node);

/* The sums of charges for each QOS. A charge counts for the QOS of its job and for
 * the QOS of its partition. */
struct fathom_qos_totals;

/* Adds up charges, and also their released seconds. The totals do not use the charges
 * afterwards. tres_count: number of TRES that are counted. NULL: out of memory. */
struct fathom_qos_totals *fathom_qos_totals_create(const struct fathom_charges *charges,
						   uint32_t tres_count);
/* Frees totals; NULL is allowed. */
void fathom_qos_totals_destroy(struct fathom_qos_totals *totals);
/* Returns what a QOS was charged. NULL: nothing, or totals is NULL. decayed: counts
 * decayed seconds; false for a QOS whose usage never decays. */
const struct fathom_amount *fathom_qos_totals_at(const struct fathom_qos_totals *totals,
						 uint32_t qos, bool decayed);

/* ---- sums of a policy -------------------------------------------------------------- */

/*
 * Policies lsf, pbs and flux do not use Slurm's decayed billing seconds. Each keeps
 * sums of its own over an association's jobs, with a decay of its own.
 */
enum fathom_sum {
	FATHOM_SUM_USAGE,		/* usage as the policy defines it (pbs, flux); for others,
					 * billing TRES seconds */
	FATHOM_SUM_CPU_TIME,		/* CPU seconds of all jobs (lsf) */
	FATHOM_SUM_HIST_RUN_TIME,	/* run time of finished jobs, seconds (lsf) */
	FATHOM_SUM_COUNT		/* number of sums */
};

/* The sums of one association. */
struct fathom_sums {
	double value[FATHOM_SUM_COUNT];	/* all decay with the same half-life */
};

/* Returns the sum's name, such as "cpu_time", the key in JSON and in state files. */
const char *fathom_sum_name(enum fathom_sum sum);

/* What an association's running jobs hold; it counts only while they run. */
struct fathom_holdings {
	double run_time;		/* seconds that they have run; decayed if RUN_TIME_DECAY is
					 * set */
	double committed_run_time;	/* seconds of their time limits; of those without a limit,
					 * seconds that they have run */
	double job_slots;		/* CPUs */
	double memory;			/* count of the memory TRES */
};

/* A stretch of a run: no pause and no change of size lies in it. */
struct fathom_stretch {
	double begin, end;
	double ran;			/* seconds of the whole run until `end` */
	double limit;			/* time limit in seconds; below 0: no limit */
	double cpus, nodes, gpus, memory;	/* counts of these TRES */
	double cpu_use;			/* as in struct fathom_run_rate */
	double billing;			/* Slurm's charge for a second */
	double used_before, used;	/* PBS's charge for the whole run until `begin`; until
					 * `end` */
	double factor;			/* multiplies all that is counted, except slots and memory
					 * that are held */
	bool over;			/* the run is over: this is its last stretch */
};

/* Where fathom_run_rate.tres has the TRES that policies use. An index that is not below
 * tres_count means a count of 0. */
struct fathom_tres_indexes {
	uint32_t cpus, nodes, gpus, memory;
};

/* How charges are added to sums. */
struct fathom_sum_rules {
	const struct fathom_policy *policy;
	const struct fathom_settings *settings;
	double half_life;	/* the site's half-life of usage; seconds, 0: no decay */
	struct fathom_tres_indexes tres;
	/* Counts only the part of each run on this set of hosts, by its CPUs; NULL: all of it. */
	const char *hosts;
	/* Returns PBS's charge for a run of this rate after `seconds`; NULL: its CPU seconds. */
	double (*used)(const struct fathom_stretch *stretch, double seconds, void *context);
	void *context;
};

/*
 * A table of one policy's sums, a row for each association and leaf. A row holds the sums
 * as they count at the row's own time, which only moves forward. So charges may
 * come in any order, and rows may be brought to a new time one by one.
 */
struct fathom_policy_sums;

/* In place of an association, in rows of something else that jobs are charged to, such as a
 * partition: `leaf` then says which partition it is. Such rows are never moved. */
#define FATHOM_NO_ASSOCIATION UINT32_MAX

/* Makes a table without rows. NULL: out of memory. */
struct fathom_policy_sums *fathom_policy_sums_create(void);
/* Frees a table; NULL is allowed. */
void fathom_policy_sums_destroy(struct fathom_policy_sums *sums);

/* Adds a charge to the row of its association and leaf. A run that uses none of rules->hosts adds
 * nothing. -1: out of memory, nothing was added. */
int fathom_policy_sums_add(struct fathom_policy_sums *sums, const struct fathom_sum_rules *rules,
			   const struct fathom_charge *charge);
/* Sets all sums to 0 at `time`. A run that began earlier counts from `time` on. */
void fathom_policy_sums_reset(struct fathom_policy_sums *sums, double time);
/* Sets an association's sums to 0. */
void fathom_policy_sums_clear(struct fathom_policy_sums *sums, uint32_t association);
/* Brings all rows of an association forward to `time` and multiplies their sums by
 * `factor`; then adds `more`, unless NULL, to its row without a leaf. half_life: the
 * policy's, see fathom_policy_half_life(). id: its association and account. -1: out of
 * memory, nothing was added. */
int fathom_policy_sums_change(struct fathom_policy_sums *sums, double half_life,
			      const struct fathom_run_id *id, double time, double factor,
			      const struct fathom_sums *more);
/* Returns the heir of an association: itself if it exists, else the nearest account
 * that does. */
typedef uint32_t fathom_heir_function(uint32_t association, uint32_t account, const void *context);
/* Moves the sums of each row to the row of its association's heir with the same leaf. half_life:
 * the policy's, see fathom_policy_half_life(). */
void fathom_policy_sums_move(struct fathom_policy_sums *sums, double half_life,
			     fathom_heir_function *heir_of, const void *context);
/* Adds the sums of association `from` to those of another one, `to`, at the same leaves, and sets
 * those of `from` to 0. half_life: the policy's, see fathom_policy_half_life(). -1: out of memory;
 * some sums have not moved. */
int fathom_policy_sums_move_one(struct fathom_policy_sums *sums, double half_life, uint32_t from,
				uint32_t to);
/* Adds what a run holds at `now` to *holdings. ran: seconds that it has run since its
 * start; what it ran before the last reset does not count. */
void fathom_policy_sums_hold(const struct fathom_policy_sums *sums,
			     const struct fathom_sum_rules *rules, const struct fathom_run *run,
			     double ran, double now, struct fathom_holdings *holdings);

struct fathom_policy_sums_row {
	uint32_t association, account, leaf;	/* as in struct fathom_run_id, or
						 * FATHOM_NO_ASSOCIATION */
	double time;			/* at which the sums count as given */
	struct fathom_sums own;
};

/* Returns the time of the last reset; 0: never. */
double fathom_policy_sums_since(const struct fathom_policy_sums *sums);
/* Returns the number of rows. */
size_t fathom_policy_sums_count(const struct fathom_policy_sums *sums);
/* Returns a row; at: below fathom_policy_sums_count(), in no particular order. */
const struct fathom_policy_sums_row *fathom_policy_sums_at(const struct fathom_policy_sums *sums,
							   size_t at);
/* Brings a row forward to `time`, unless its own time is later, and returns it. half_life:
 * the policy's, see fathom_policy_half_life(). */
const struct fathom_policy_sums_row *fathom_policy_sums_advance(struct fathom_policy_sums *sums,
								size_t at, double half_life,
								double time);
/* Sets the time of the last reset, when a saved table is restored. */
void fathom_policy_sums_set_since(struct fathom_policy_sums *sums, double since);
/* Adds a copy of a saved row, or replaces that of its association and leaf. -1: out of
 * memory. */
int fathom_policy_sums_restore(struct fathom_policy_sums *sums,
			       const struct fathom_policy_sums_row *row);

#ifdef __cplusplus
}
#endif
#endif
