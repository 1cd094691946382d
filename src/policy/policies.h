/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line a policy; included wherever all of them are meant. */
POLICY(classic)
POLICY(depth_oblivious)
POLICY(fair_tree)
POLICY(pbs)
POLICY(lsf)
POLICY(flux)
