/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints findings on stdout. */
#ifndef CLI_PRINT_LINT_H
#define CLI_PRINT_LINT_H

#include "lint/lint.h"

/* Prints them for people, with a summary. */
void print_lint_text(const struct lint_findings *findings);
void print_lint_json(const struct lint_findings *findings);
/* Prints them in the form that code hosts show beside a file.
 * Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0". */
void print_lint_sarif(const struct lint_findings *findings);
/* Prints the table of all checks. */
void print_lint_list(void);

#endif
