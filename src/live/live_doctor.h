/* SPDX-License-Identifier: GPL-2.0-or-later */
/* What the running cluster tells for fathom doctor. */
#pragma once

#include "doctor/doctor.h"

/* Asks slurmctld for its configuration, and slurmdbd whether it answers. If slurmctld does not
 * answer, reads slurm.conf of this host. */
void live_doctor_read(struct doctor_site *site);
