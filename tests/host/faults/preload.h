/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Programs that look up the functions of faults.so. */
#pragma once

/* Starts the program again with faults.so preloaded, unless it is. */
void preload_faults(char **arguments);
/* Sets a pointer to the function of this name. */
void preload_find(const char *name, void *function);
