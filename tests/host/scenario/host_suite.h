/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests in the host share. The plugin is ended behind each, see host_close(). */
#ifndef HOST_SUITE_H
#define HOST_SUITE_H

#include "controller/host.h"

#include "../../suite.h"

#include <check.h>

#endif
