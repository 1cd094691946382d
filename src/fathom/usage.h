/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Usage: what runs of jobs are charged, so that each second of each run is
 * charged once, and how usage decays.
 *
 *	runs -> ledger -> charges -> totals of a tree, of QOS
 *	                          -> sums of a policy
 *
 * The ledger knows until when each run has been charged. Whoever sees a job
 * tells the ledger, which adds to a list of charges what is due. Nobody has to
 * remember what was told before: what has been charged is not charged again.
 *
 * Times are seconds since any moment, the same for all calls; where a time may
 * be unknown or not come yet, it is 0.
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

/* Returns what is left of 1 after `elapsed` seconds: 2^(-elapsed / half_life), 0
 * to 1; half_life 0: no decay. */
double fathom_decay(double elapsed, double half_life);

/* Returns the seconds from `begin` to `end` as they count at `seen`: each second
 * has decayed since it passed. `seen` may be before `end`; the result then is
 * what will have decayed to the right figure later. */
double fathom_decayed_seconds(double begin, double end, double seen, double half_life);

/* Decay in steps (OpenPBS: fairshare_decay_time, fairshare_decay_factor). */

/* Returns how many steps of `period` seconds are due since `last`; 0 if the clock
 * went back. The caller then adds steps x period to `last`, so that none is lost
 * to a late call. */
double fathom_decay_steps(double last, double now, double period);
/* Returns what so many steps leave of usage: usage x factor^steps, but not less
 * than `least`, what usage starts with (1 in OpenPBS). factor: above 0, below 1. */
double fathom_decay_stepwise(double usage, double steps, double factor, double least);
/* Returns the half-life in seconds with which fathom_decay() comes to the same
 * at each step. */
double fathom_decay_half_life(double period, double factor);

/* Returns LSF's HIST_HOURS, after which a tenth is left, as a half-life in
 * seconds; 0: no decay. With it fathom_decay() decays CPU time and historical run
 * time, and with RUN_TIME_DECAY a job that has run since `begin` counts
 * fathom_decayed_seconds(begin, now, now, half_life). */
double fathom_hist_half_life(double hist_hours);

/* ---- resets (Slurm: PriorityUsageResetPeriod) ------------------------------- */

enum fathom_reset { FATHOM_RESET_NONE, FATHOM_RESET_NOW, FATHOM_RESET_DAILY,
		    FATHOM_RESET_WEEKLY, FATHOM_RESET_MONTHLY,
		    FATHOM_RESET_QUARTERLY, FATHOM_RESET_YEARLY };

/* A day of the proleptic Gregorian calendar. */
struct fathom_date { int year, month, day; };	/* month and day from 1 */

/* Returns the first day after `last` at whose local midnight usage is reset; for
 * FATHOM_RESET_NONE and FATHOM_RESET_NOW: `last` itself. */
struct fathom_date fathom_next_reset(enum fathom_reset period, struct fathom_date last);
/* Returns whether usage is to become 0 today. last: the local day of the last
 * reset. wished: settings were just read; only FATHOM_RESET_NOW asks. After a
 * longer pause one reset is due, not several. */
bool fathom_reset_is_due(enum fathom_reset period, struct fathom_date last,
			 struct fathom_date today, bool wished);

/* ---- runs ------------------------------------------------------------------- */

/* Whom a run is charged to. */
struct fathom_run_id {
	uint64_t job;
	uint32_t association, account;	/* the account inherits if the association goes */
	uint32_t qos, partition_qos;	/* 0: none */
	const char *partition;		/* its name; NULL: not known */
};

/* What each second of a run is charged. */
struct fathom_run_rate {
	double billing;		/* billing TRES */
	double usage_factor;	/* multiplies all seconds */
	double limit;		/* seconds that it may run; below 0: any number */
	const uint64_t *tres;	/* a count a TRES, each below 2^63; 0: it is not charged */
	uint32_t tres_count;
};

/* One run of a job: from its start to its end or its way back to the queue. */
struct fathom_run {
	struct fathom_run_id id;
	struct fathom_run_rate rate;
};

/* A job that runs or has run, as it is seen at some instant. The ledger copies
 * what it needs. */
struct fathom_observed_job {
	struct fathom_run run;
	double start;		/* of this run; another start is another run */
	double resized;		/* when it got its present size; 0: at its start */
	double requeued;	/* when the run before this one ended; 0: not known */
	/* pauses: */
	double switched;	/* when it was last suspended or resumed; 0: never */
	double ran;		/* seconds that it ran until then */
	bool suspended;		/* since then */
	/* Seconds that limits count for the run from its start on, as if it ran to
	 * its time limit (Slurm: GrpTRESRunMins); below 0: they do not, or no more. */
	double reserved;
};

/* ---- charges ---------------------------------------------------------------- */

struct fathom_interval {
	double begin, end;
};

/* What a part of one run adds to its association, the accounts above it and
 * its QOS. */
struct fathom_charge {
	struct fathom_run run;
	struct fathom_interval part[2];	/* before and after a pause; either may be empty */
	double ran;		/* seconds of the whole run, up to the end of these */
	double seconds, decayed_seconds;	/* usage factor included */
	uint64_t released;	/* reserved seconds that are given back, usage factor included */
	bool over;		/* the run is: nothing more comes from it */
};

struct fathom_charge_rules {
	double half_life;	/* of usage; seconds, 0: no decay */
	double seen;		/* charges are worked out as usage counts at this time */
	bool skip_pauses;	/* a suspended job is not charged */
	bool note_ends;		/* the end of a run is a charge, be it of no seconds */
};

/* A list of charges. They stay where they are until the next one is added. */
struct fathom_charges;

/* Makes an empty list, which copies the rules. NULL: out of memory. */
struct fathom_charges *fathom_charges_create(const struct fathom_charge_rules *rules);
/* Frees it; NULL is allowed. */
void fathom_charges_destroy(struct fathom_charges *charges);
/* Returns the number of charges. */
size_t fathom_charges_count(const struct fathom_charges *charges);
/* Returns one of them; at: below fathom_charges_count(). */
const struct fathom_charge *fathom_charges_at(const struct fathom_charges *charges, size_t at);
/* Returns a new list of those charges for which is_wanted() is true. NULL: out of
 * memory. */
struct fathom_charges *fathom_charges_select(const struct fathom_charges *charges,
					     bool (*is_wanted)(const struct fathom_charge *charge,
							       void *context),
					     void *context);

/* ---- the ledger --------------------------------------------------------------- */

/*
 * Until when each run has been charged. A job that is not in the ledger has
 * been charged up to its `base`. Work goes in rounds: each job that there is
 * gets observed, then the round is closed, and the base moves to its time:
 *
 *	for each job:  runs:      fathom_ledger_observe (ledger, &job, now, charges)
 *	               has ended: fathom_ledger_observe_end (ledger, &job, end, now, charges)
 *	fathom_ledger_close_round (ledger, now, &lost, charges)
 *
 * A round may take its time: between any two of these calls jobs may start,
 * end, and be told of by the calls for single jobs. Those need not be made: the
 * next round finds out by itself, as long as the job is known when it comes.
 *
 * Calls that charge return -1 if memory ran out. What they were to charge is
 * then still due: the next round charges it, and the base does not move before
 * a round was complete.
 */
struct fathom_ledger;

/* Makes an empty ledger with base 0. NULL: out of memory. */
struct fathom_ledger *fathom_ledger_create(void);
/* Frees it; NULL is allowed. */
void fathom_ledger_destroy(struct fathom_ledger *ledger);

/* Returns the base. */
double fathom_ledger_base(const struct fathom_ledger *ledger);
/* Sets it: everything until then has been charged, but for what rows say. */
void fathom_ledger_set_base(struct fathom_ledger *ledger, double base);

/* The job runs at `now`. At a new start the run before is charged up to its
 * requeue; at a new size, this one up to then at the old rate. */
int fathom_ledger_observe(struct fathom_ledger *ledger, const struct fathom_observed_job *job,
			  double now, struct fathom_charges *charges);
/* The job is there yet, but has ended at `end`, or stopped on its way back to
 * the queue. Charged up to there, at the rate that it was last seen to have. */
int fathom_ledger_observe_end(struct fathom_ledger *ledger, const struct fathom_observed_job *job,
			      double end, double now, struct fathom_charges *charges);

/* Returns whether an earlier round has charged all of a job that ended at `end`,
 * so that it need not be observed. */
bool fathom_ledger_has_charged(const struct fathom_ledger *ledger, uint64_t job, double end);

/* A run that is not over, or has been charged beyond the base. */
struct fathom_ledger_row {
	struct fathom_run run;	/* as it was when it was last charged */
	double start, charged_until, resized;
	double suspended;	/* seconds, from its start until it was charged */
	bool over;
};

/* What happened to runs whose jobs have not been observed. */
struct fathom_lost_runs {
	/* Returns when the run stopped; 0: not known, it ends where it was last
	 * charged. Its job may run again by now. */
	double (*end_of)(const struct fathom_ledger_row *row, double now, void *context);
	void *context;
};

/* Ends a round in which all jobs have been observed at `now`: charges runs that
 * were not, as `lost` says, and moves the base. -1: out of memory. */
int fathom_ledger_close_round(struct fathom_ledger *ledger, double now,
			      const struct fathom_lost_runs *lost, struct fathom_charges *charges);

/* ---- single jobs, at any time --------------------------------------------------- */

/* Charges a run up to its end, and releases all that was reserved for it. If the
 * end is so many half-lives after the charges' `seen` that the charge would be no
 * number, only releases, and leaves the charge to the next round. -1: out of
 * memory. */
int fathom_ledger_end(struct fathom_ledger *ledger, const struct fathom_observed_job *job,
		      double end, struct fathom_charges *charges);
/* Charges a run up to `now`, where it gets a new size, which the next observation
 * tells; releases what was reserved, as fathom_ledger_end() does. -1: out of
 * memory. */
int fathom_ledger_resize(struct fathom_ledger *ledger, const struct fathom_observed_job *job,
			 double now, struct fathom_charges *charges);
/* Releases what was reserved, and charges nothing; the ledger stays as it is. -1:
 * out of memory. */
int fathom_ledger_release(const struct fathom_ledger *ledger,
			  const struct fathom_observed_job *job, struct fathom_charges *charges);
/* Notes that a job which runs, as far as the ledger knows, waits again since
 * `when`, so that its run ends there. */
void fathom_ledger_requeue(struct fathom_ledger *ledger, uint64_t job, double when);
/* Forgets what has been released: limits have reserved all of each run again. */
void fathom_ledger_reserve_anew(struct fathom_ledger *ledger);

/* ---- what the ledger holds ------------------------------------------------------- */

/* Returns the number of rows. */
size_t fathom_ledger_count(const struct fathom_ledger *ledger);
/* Returns a row; at: below fathom_ledger_count(), in no order. It is valid until
 * the next call that changes the ledger; the name of its partition, as long as
 * the ledger. */
const struct fathom_ledger_row *fathom_ledger_at(const struct fathom_ledger *ledger, size_t at);
/* Returns the row of a job, or NULL. */
const struct fathom_ledger_row *fathom_ledger_find(const struct fathom_ledger *ledger,
						   uint64_t job);
/* Tells the processor to load the memory that a search for the job reads first. */
void fathom_ledger_prefetch(const struct fathom_ledger *ledger, uint64_t job);
/* Returns the seconds that the run had run when it was last charged. */
double fathom_ledger_seconds_run(const struct fathom_ledger_row *row, bool skip_pauses);
/* Puts a saved row back, which is copied. Until the run is observed it is charged
 * at the row's rate, or not at all if it has no association. -1: out of memory. */
int fathom_ledger_restore(struct fathom_ledger *ledger, const struct fathom_ledger_row *row);

/* ---- totals --------------------------------------------------------------------- */

/* An amount of usage. The arrays have a value for each TRES. */
struct fathom_amount {
	double billing;		/* billing TRES seconds */
	double wall;		/* seconds */
	double *tres;		/* TRES seconds */
	uint64_t *released;	/* reserved TRES seconds given back; NULL: none are */
};

/* Adds a charge to an amount whose arrays have tres_count values, by its decayed
 * or its plain seconds. */
void fathom_amount_add_charge(struct fathom_amount *amount, const struct fathom_charge *charge,
			      bool decayed, uint32_t tres_count);

/* What charges come to for each node of a tree. A charge whose association is not
 * in the tree counts at its account, or if that is not either at the root. */
struct fathom_charge_totals;

/* Adds up charges. index: that of the tree. Neither these nor the charges are
 * needed afterwards. released: with reserved seconds that are given back. NULL:
 * out of memory. */
struct fathom_charge_totals *fathom_charge_totals_create(const struct fathom_tree *tree,
							 const struct fathom_node_index *index,
							 const struct fathom_charges *charges,
							 bool released, uint32_t tres_count);
/* Frees totals; NULL is allowed. */
void fathom_charge_totals_destroy(struct fathom_charge_totals *totals);
/* Returns what a node itself was charged, without those below it; NULL: nothing,
 * or totals is NULL. */
const struct fathom_amount *fathom_charge_totals_at(const struct fathom_charge_totals *totals,
						    size_t node);

/* What charges come to for each QOS: as the QOS of the job, or as that of its
 * partition. */
struct fathom_qos_totals;

/* Adds up charges, which are not needed afterwards. NULL: out of memory. */
struct fathom_qos_totals *fathom_qos_totals_create(const struct fathom_charges *charges,
						   uint32_t tres_count);
/* Frees totals; NULL is allowed. */
void fathom_qos_totals_destroy(struct fathom_qos_totals *totals);
/* Returns what a QOS was charged; NULL: nothing, or totals is NULL. decayed: false
 * for a QOS whose usage never decays. */
const struct fathom_amount *fathom_qos_totals_at(const struct fathom_qos_totals *totals,
						 uint32_t qos, bool decayed);

/* ---- what a policy sums up over time ------------------------------------------- */

/*
 * lsf, pbs and flux do not go by Slurm's decayed billing seconds: each has sums
 * over jobs of its own, with a decay of its own. These are of one association.
 */
enum fathom_sum { FATHOM_SUM_USAGE, FATHOM_SUM_CPU_TIME, FATHOM_SUM_HIST_RUN_TIME,
		  FATHOM_SUM_COUNT };

struct fathom_sums {
	double value[FATHOM_SUM_COUNT];	/* all of them decay alike */
};

/* Returns a name such as "cpu_time", a key in JSON and in state files. */
const char *fathom_sum_name(enum fathom_sum sum);

/* What running jobs count for as long as they run; does not decay by itself. */
struct fathom_holdings {
	double run_time, committed_run_time;	/* seconds */
	double job_slots, memory;
};

/* A stretch of a job's run in which it keeps its size. Times are seconds since
 * any moment; a stretch has no pause in it. */
struct fathom_stretch {
	double begin, end;
	double ran;			/* seconds of the whole run until `end` */
	double limit;			/* seconds that it asked for; below 0: any number */
	double cpus, nodes, gpus, memory;
	double billing;			/* what Slurm charges for a second */
	double used_before, used;	/* what PBS charges for, at begin and end */
	double factor;			/* multiplies what is counted; 1: as it is */
	bool over;			/* the run is, and nothing more comes from it */
};

/* The indexes of the TRES that policies look at. A run with fewer TRES than that
 * has 0 of it. */
struct fathom_tres_places {
	uint32_t cpus, nodes, gpus, memory;
};

struct fathom_sum_rules {
	const struct fathom_policy *policy;
	const struct fathom_settings *settings;
	double half_life;	/* of usage in general; seconds, 0: no decay */
	struct fathom_tres_places tres;
	/* What PBS charges a run for, after so many seconds; NULL: CPU seconds. */
	double (*used)(const struct fathom_stretch *stretch, double seconds, void *context);
	void *context;
};

/*
 * One policy's sums of all associations, a row each. A row has a time of its
 * own that it is true at, and is only brought forward: charges may come in any
 * order, and rows may be brought to a time one after the other.
 */
struct fathom_policy_sums;

/* Makes a table without rows. NULL: out of memory. */
struct fathom_policy_sums *fathom_policy_sums_create(void);
/* Frees it; NULL is allowed. */
void fathom_policy_sums_destroy(struct fathom_policy_sums *sums);

/* Adds a charge to its association's row. -1: out of memory, nothing was added. */
int fathom_policy_sums_add(struct fathom_policy_sums *sums, const struct fathom_sum_rules *rules,
			   const struct fathom_charge *charge);
/* Sets all sums to 0: nothing was used before `time`, and a run that began earlier
 * counts from there. */
void fathom_policy_sums_reset(struct fathom_policy_sums *sums, double time);
/* Sets an association's sums to 0. */
void fathom_policy_sums_clear(struct fathom_policy_sums *sums, uint32_t association);
/* Returns the association that has the sums of `association` from now on: itself,
 * or the nearest account that is left. */
typedef uint32_t fathom_heir_function(uint32_t association, uint32_t account, const void *context);
/* Moves each row to its heir, and adds it there. half_life: the policy's, see
 * fathom_policy_half_life(). */
void fathom_policy_sums_move(struct fathom_policy_sums *sums, double half_life,
			     fathom_heir_function *heir_of, const void *context);
/* Brings at most `count` rows from `first` on up to `time`, and adds each to its
 * node of `own`. Returns the next row; 0: all are done. */
size_t fathom_policy_sums_collect(struct fathom_policy_sums *sums, double half_life, double time,
				  const struct fathom_node_index *index, size_t first,
				  size_t count, struct fathom_sums *own);
/* Adds what a run holds at `now` that has run for `ran` seconds. */
void fathom_policy_sums_hold(const struct fathom_policy_sums *sums,
			     const struct fathom_sum_rules *rules, const struct fathom_run *run,
			     double ran, double now, struct fathom_holdings *holdings);

struct fathom_policy_sums_row {
	uint32_t association, account;	/* the account inherits if the association goes */
	double time;			/* that the sums are true at */
	struct fathom_sums own;
};

/* Returns the time of the last reset; 0: there was none. */
double fathom_policy_sums_since(const struct fathom_policy_sums *sums);
/* Returns the number of rows. */
size_t fathom_policy_sums_count(const struct fathom_policy_sums *sums);
/* Returns a row; at: below fathom_policy_sums_count(), in no order. */
const struct fathom_policy_sums_row *fathom_policy_sums_at(const struct fathom_policy_sums *sums,
							   size_t at);
/* Sets the time of the last reset to one that was saved. */
void fathom_policy_sums_set_since(struct fathom_policy_sums *sums, double since);
/* Puts a saved row back. -1: out of memory. */
int fathom_policy_sums_restore(struct fathom_policy_sums *sums,
			       const struct fathom_policy_sums_row *row);

#ifdef __cplusplus
}
#endif
#endif
