/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Partitions whose nodes are hosts of several host partitions. A pending job has no node yet, and
 * one priority in each of its partitions. So such a partition is split into one for each host
 * partition:
 *
 *	PartitionName=night Nodes=a,b,c		PartitionName=night_p Nodes=a,b
 *	Scope=p Hosts="a b"			PartitionName=night_q Nodes=c
 *	Scope=q Hosts=c
 */
#pragma once

#include "conf/conf.h"
#include "format/site/site_settings.h"

/* Splits the partitions of slurm.conf in the settings, and adds a warning for each. conf: the
 * settings of fathom.conf among them, as read. A partition that fathom.conf names is not split. */
void split_partitions(struct site_settings *settings, const struct fathom_conf *conf);
