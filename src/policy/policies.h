/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The list of policies, one line each. Define POLICY(name) before including it. */
POLICY(classic)
POLICY(depth_oblivious)
POLICY(fair_tree)
POLICY(pbs)
POLICY(lsf)
POLICY(flux)
POLICY(fcfs)
