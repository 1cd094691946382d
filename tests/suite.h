/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program of Check's with one suite of one case. */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>

/* Runs it, each test for `timeout` seconds at most; what main() returns. */
int suite_run(const char *name, double timeout, void (*add_tests)(TCase *tests));

#endif
