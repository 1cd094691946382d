/* SPDX-License-Identifier: GPL-2.0-or-later */
/* By which rules the running cluster works out shares and priorities: what
 * slurm.conf and fathom.conf say of it. Include compat.h before. */
#ifndef FORMAT_LIVE_CONF_H
#define FORMAT_LIVE_CONF_H

#include "conf/conf.h"
#include "fathom.h"

/* Is fathom what computes priorities? Else fathom.conf has no say. */
bool live_conf_is_fathom(const slurm_conf_t *slurm);
/* The fathom.conf beside slurm.conf. A file that is not there is no fault; one
 * that cannot be read leaves the flags of slurm.conf, and *remark, to be freed. */
struct fathom_conf live_conf_read(const slurm_conf_t *slurm, char **remark);
/* That in force. */
const struct fathom_policy *live_conf_policy(const struct fathom_conf *conf,
					     const slurm_conf_t *slurm);
/* What a policy has there. */
struct fathom_settings live_conf_settings(const struct fathom_conf *conf, const slurm_conf_t *slurm,
					  const struct fathom_policy *policy);
/* fathom.conf's goes before slurm.conf's, whatever the policy. */
double live_conf_dampening_factor(const struct fathom_conf *conf, const slurm_conf_t *slurm);

#endif
