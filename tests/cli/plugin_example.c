/* SPDX-License-Identifier: GPL-2.0-or-later */
/* A plugin that tells its release, as those of Slurm do, for lint.t and doctor.t. */
#include <stdint.h>

extern const uint32_t plugin_version;
const uint32_t plugin_version = EXAMPLE_VERSION;
