/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The plugin's log, which goes to stderr, in a file that a test can search. */
#pragma once

/* From now on stderr goes to the file. */
void capture_log(void);
unsigned logged(const char *what);	/* how often the log has these words */
const char *log_text(void);		/* until the next call of either */
