/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A program of Check's with one suite of one case. */
#ifndef TESTS_SUITE_H
#define TESTS_SUITE_H

#include <check.h>

/*
 * What a test tries at random, or at some steps of many, it tries as often as make check has time
 * for. FATHOM_ROUNDS=10 in the environment makes that ten times as often: of these calls the one
 * gives the number of rounds, the other the distance between two steps that are tried.
 */
int suite_rounds(int usual);
unsigned suite_stride(unsigned usual);

/* Runs it, each test for `timeout` seconds at most; what main() returns. */
int suite_run(const char *name, double timeout, void (*add_tests)(TCase *tests));

#endif
