/* SPDX-License-Identifier: GPL-2.0-or-later */
#ifndef HOST_FIGURES_TEXT_H
#define HOST_FIGURES_TEXT_H

/* The text of FiguresFile=fathom.json, until the next call; a test without the file fails. */
const char *figures_text(void);

#endif
