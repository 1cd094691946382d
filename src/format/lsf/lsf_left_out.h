/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Says what of a configuration is not read. */
#pragma once

#include "format/lsf/lsf_conf.h"

/* Sets the remark of a file to what is left out of it. first: its first entry. */
void lsf_remark_left_out(const struct lsf_conf *conf, size_t first, struct document *input);
