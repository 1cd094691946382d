/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nouns behind numbers: "1 job", "2 jobs". */
#ifndef CORE_PLURAL_H
#define CORE_PLURAL_H

/* The ending of a noun behind a number of any type: "%zu job%s", count, PLURAL(count). */
#define PLURAL(count) ((count) == 1 ? "" : "s")

#endif
