/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Files of the running cluster that fathom.conf names. */
#pragma once

/* Return the path of a file. Fail, see wrong_at(), if fathom.conf names none. */
const char *live_history_path(void);
const char *live_metrics_path(void);
