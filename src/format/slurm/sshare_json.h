/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The shares of slurmrestd, which sshare --json prints, too. */
#pragma once

#include "format/format.h"

/* Reads a tree with usage; see format->read. */
void sshare_json_read(struct document *input, struct snapshot *snapshot);
