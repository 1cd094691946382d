/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the tests in the host share. The plugin is ended behind each, see host_close(). */
#pragma once

#include "controller/host.h"

#include "../../suite.h"

#include <check.h>
