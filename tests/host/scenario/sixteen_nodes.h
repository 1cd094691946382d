/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Nodes for tests that count by hosts: n0 to n15, of 4 CPUs each. */
#pragma once

#include "controller/host.h"

void make_nodes(void);
/* Gives the node another name; slurmctld has no node of the old one any more. */
void rename_node(int node, const char *name);
/* The partition has the nodes first to last. */
void put_on_nodes(part_record_t *partition, int first, int last);
/* The running job has so many CPUs on each of the nodes first to last. */
void allocate_nodes(job_record_t *job, int first, int last, uint16_t cpus);
/* Adds a node behind those that the job has. */
void allocate_node(job_record_t *job, int node, uint16_t cpus);
/* The pending job requires the nodes first to last. */
void require_nodes(job_record_t *job, int first, int last);
