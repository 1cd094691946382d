/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All schedulers, one line for each. */
SCHEDULER(easy)
SCHEDULER(conservative)
SCHEDULER(none)
SCHEDULER(strict)
SCHEDULER(trace)
