/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef CLI_CUT_H
#define CLI_CUT_H

#include <stddef.h>

/* The text, or as many characters of it as `width`, 1 or more, has room for, the last
 * one a '+', as sshare marks what is cut; in `buffer`, of the text's size, which may be
 * the text. */
const char *cut_text(const char *text, size_t width, char *buffer);

#endif
