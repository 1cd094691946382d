/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests in the host share. The plugin is ended behind each, see host_close(). */
#pragma once

#include "config.h"

#include "controller/host.h"

#include "../../suite.h"

#include <check.h>

/* Whether the plugin is built with muParser and with SQLite. Rows of tables that need it are the
 * last ones. */
#ifdef MUPARSER_SONAME
#define HAS_FORMULAS 1
#else
#define HAS_FORMULAS 0
#endif
#ifdef HAVE_SQLITE
#define HAS_HISTORIES 1
#else
#define HAS_HISTORIES 0
#endif
