/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The page without its data: page.html with the files that it names, made at build time. */
#pragma once

extern const char report_page[];	/* ends with NUL; has a line "@data@" */
