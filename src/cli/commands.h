/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line a sub-command. */
COMMAND(shares)
COMMAND(pools)
COMMAND(prio)
