/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The functions of the table's rows, in its order. */
#ifndef LINT_LINT_CHECKS_H
#define LINT_LINT_CHECKS_H

#include "lint/lint_context.h"

/* slurm.conf as a text */
lint_check lint_slurm_syntax;
lint_check lint_cut_quote;
lint_check lint_include_unreadable;
lint_check lint_include_circle;
lint_check lint_include_indented;
lint_check lint_slurm_empty;
lint_check lint_template;
lint_check lint_unknown_key;
lint_check lint_key_twice;
lint_check lint_value_wrong;

/* plugins, files and the running controller */
lint_check lint_plugin_missing;
lint_check lint_plugin_dir_missing;
lint_check lint_plugin_release;
lint_check lint_state_unwritable;
lint_check lint_figures_unwritable;
lint_check lint_figures_foreign;
lint_check lint_import_unreadable;
lint_check lint_import_wrong;
lint_check lint_import_old;
lint_check lint_not_in_force;

/* PriorityType and PriorityFlags */
lint_check lint_type_unknown;
lint_check lint_type_absent;
lint_check lint_type_basic;
lint_check lint_fathom_unused;
lint_check lint_flag_unknown;
lint_check lint_flags_contradict;
lint_check lint_flag_default;
lint_check lint_no_normal_unused;
lint_check lint_no_normal_coarse;
lint_check lint_incr_only;
lint_check lint_accrue_unused;
lint_check lint_flags_overridden;
lint_check lint_slurm_overridden;
lint_check lint_dampening_unused;
lint_check lint_site_factor_unused;

/* accounting */
lint_check lint_enforce_unknown;
lint_check lint_enforce_missing;
lint_check lint_no_database;

/* weights */
lint_check lint_weights_zero;
lint_check lint_weights_too_high;
lint_check lint_weight_coarse;
lint_check lint_weights_apart;
lint_check lint_term_drowned;
lint_check lint_term_constant;
lint_check lint_weights_and_formula;
lint_check lint_weights_and_flux;
lint_check lint_fairshare_first_come;
lint_check lint_fairshare_weight_zero;
lint_check lint_ranks_coarse;
lint_check lint_age_weight_zero;
lint_check lint_job_size_weight_zero;
lint_check lint_partition_factors_equal;
lint_check lint_partition_weight_zero;
lint_check lint_partition_priority;
lint_check lint_qos_priorities_equal;
lint_check lint_qos_weight_zero;
lint_check lint_assoc_priorities_zero;
lint_check lint_assoc_weight_zero;

/* half-life, resets, age */
lint_check lint_half_life_minutes;
lint_check lint_half_life_zero;
lint_check lint_half_life_short;
lint_check lint_half_life_long;
lint_check lint_half_life_above_reset;
lint_check lint_reset_now;
lint_check lint_calc_period_long;
lint_check lint_max_age_zero;
lint_check lint_max_age_minutes;
lint_check lint_max_age_long;

/* TRES and billing */
lint_check lint_tres_weight_unknown;
lint_check lint_billing_wrong;
lint_check lint_billing_unknown;
lint_check lint_billing_memory;
lint_check lint_billing_zero;
lint_check lint_billing_some;
lint_check lint_max_tres_unused;
lint_check lint_gres_untracked;
lint_check lint_gres_free;

/* the tree */
lint_check lint_all_parent;
lint_check lint_level_without_shares;
lint_check lint_zero_shares;
lint_check lint_user_beside_accounts;
lint_check lint_account_empty;
lint_check lint_shares_default;
lint_check lint_usage_none;
lint_check lint_usage_of_deleted;
lint_check lint_default_account;

/* fathom.conf */
lint_check lint_fathom_wrong;
lint_check lint_fathom_half_life;
lint_check lint_scope_key;
lint_check lint_formula_wrong;
lint_check lint_usage_res_wrong;
lint_check lint_adjust_wrong;
lint_check lint_formula_without_fairshare;
lint_check lint_other_policy;
lint_check lint_shadow_same;
lint_check lint_shadow_unseen;
lint_check lint_scale_unused;
lint_check lint_slot_memory_unused;
lint_check lint_adjust_unused;
lint_check lint_banks_unused;
lint_check lint_resources_unused;
lint_check lint_entity_unused;
lint_check lint_figures_mode_unused;
lint_check lint_figures_mode_shows;
lint_check lint_calc_period_costly;
lint_check lint_scopes_without_database;

/* partitions */
lint_check lint_partition_unknown;
lint_check lint_host_unknown;
lint_check lint_factor_within_scope;
lint_check lint_hosts_overlap;
lint_check lint_pool_nodes;
lint_check lint_pool_tiers;
lint_check lint_pool_preemption;
lint_check lint_pool_shares;
lint_check lint_tier_first;

#endif
