/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Finds the priority plugin that slurmctld has loaded, in the memory map of its process on this
 * host:
 *
 *	7f2a... r-xp ... /usr/lib/slurm/priority_fathom.so		priority/fathom
 *	7f2a... r-xp ... /usr/lib/slurm/priority_fathom.so (deleted)	its file was replaced
 */
#include "live/live_private.h"

#include <stdlib.h>

#define TYPE_SIZE 64	/* bytes of a PriorityType */

/* Returns the number of slurmctld's process on this host; 0: it does not run here, or its file with
 * the number cannot be read. */
static long controller_process(const slurm_conf_t *slurm)
{
	const char *path = slurm->slurmctld_pidfile;
	FILE *file = path ? fopen(path, "re") : NULL;
	long process = 0;

	if (file && fscanf(file, "%ld", &process) != 1)
		process = 0;
	if (file)
		fclose(file);
	return process > 0 ? process : 0;
}

bool live_controller_is_here(const slurm_conf_t *slurm)
{
	return controller_process(slurm);
}

/* The priority plugins in the memory map of a process. */
struct loaded {
	char type[TYPE_SIZE];	/* PriorityType of the last one; "": there is none */
	size_t count;		/* how many different ones follow each other */
	bool is_replaced;	/* the file of one of them is no longer there */
};

/* Notes the plugin of a line of the map, if there is one. */
static void note_plugin(struct loaded *loaded, const char *line)
{
	static const char begin[] = "/priority_", end[] = ".so";
	const char *name = strrchr(line, '/'), *stop = name ? strstr(name, end) : NULL;
	char found[TYPE_SIZE];

	if (!stop || strncmp(name, begin, strlen(begin)))
		return;
	name += strlen(begin);
	snprintf(found, sizeof(found), "priority/%.*s", (int)(stop - name), name);
	loaded->count += strcmp(found, loaded->type) != 0;
	loaded->is_replaced |= stop[strlen(end)] == ' ';
	memcpy(loaded->type, found, sizeof(found));
}

/* Returns the plugins of slurmctld; none if its map cannot be read. */
static struct loaded find_loaded(const slurm_conf_t *slurm)
{
	struct loaded loaded = { .count = 0 };
	char path[64], *line = NULL;
	long process = controller_process(slurm);
	size_t room = 0;
	FILE *map;

	snprintf(path, sizeof(path), "/proc/%ld/maps", process);
	map = process ? fopen(path, "re") : NULL;
	while (map && getline(&line, &room, map) > 0)
		note_plugin(&loaded, line);
	free(line);
	if (map)
		fclose(map);
	return loaded;
}

const char *live_loaded_type(const slurm_conf_t *slurm)
{
	const struct loaded loaded = find_loaded(slurm);

	return loaded.count == 1 ? need_text(loaded.type) : NULL;
}

bool live_loaded_is_replaced(const slurm_conf_t *slurm)
{
	return find_loaded(slurm).is_replaced;
}
