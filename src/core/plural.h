/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nouns behind numbers: "1 job", "2 jobs". */
#pragma once

/* The ending of a noun behind a number of any type: "%zu job%s", count, PLURAL(count). */
#define PLURAL(count) ((count) == 1 ? "" : "s")
