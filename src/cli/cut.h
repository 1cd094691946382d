/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_CUT_H
#define CLI_CUT_H

#include <stddef.h>

/* The text, or in `buffer`, of its size or the text itself, as many characters of it as `width` has
 * room for, the last one a '+', as sshare marks what is cut. width: 1 or more. */
const char *cut_text(const char *text, size_t width, char *buffer);

#endif
