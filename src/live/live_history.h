/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The HistoryFile of the running cluster. */
#pragma once

/* Returns its path. Fails, see wrong_at(), if fathom.conf names none. */
const char *live_history_path(void);
