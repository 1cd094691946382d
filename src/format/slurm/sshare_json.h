/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Shares as slurmrestd answers and sshare --json prints them; sshare_json.c shows some. */
#pragma once

#include "format/format.h"

/* Reads a tree with usage from a loaded input. Fails, see wrong_at(), if it is wrong. */
void sshare_json_read(struct document *input, struct snapshot *snapshot);
