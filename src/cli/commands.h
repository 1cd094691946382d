/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All commands, one line for each. */
COMMAND(shares)
COMMAND(pools)
COMMAND(prio)
COMMAND(explain)
COMMAND(start)
COMMAND(history)
COMMAND(status)
COMMAND(usage)
COMMAND(replay)
COMMAND(lint)
COMMAND(doctor)
COMMAND(convert)
COMMAND(snapshot)
#ifdef HAVE_REPORT
COMMAND(report)
#endif
COMMAND(complete)
