/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Partitions whose nodes are hosts of several host partitions. A pending job has one priority in a
 * partition, and no node yet, so that such a partition is split, and each part goes by one:
 *
 *	PartitionName=night Nodes=a,b,c		PartitionName=night_p Nodes=a,b
 *	Scope=p Hosts="a b"			PartitionName=night_q Nodes=c
 *	Scope=q Hosts=c
 */
#pragma once

#include "conf/conf.h"
#include "format/site/site_settings.h"

/* Splits them, and says so by a warning each. conf: what the settings mean. A partition that
 * fathom.conf names stays whole. */
void split_partitions(struct site_settings *settings, const struct fathom_conf *conf);
