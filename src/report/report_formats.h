/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All documents of which a report can be made, one line for each. */
REPORT_FORMAT(shares)
REPORT_FORMAT(replay)
REPORT_FORMAT(history)
