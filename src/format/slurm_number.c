/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Reads whole numbers and switches as slurm.conf has them. Numbers have the bases of C:
 *
 *	"10" -> 10	"010" -> 8	"0x10" -> 16	"+10" -> 10	"10k" -> 10240
 *	"UNLIMITED", "INFINITE" -> the greatest number
 *
 * Source: slurmctld 22.05.8, asked for its values of such lines.
 */
#include "format/slurm_number.h"

#include "core/error.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Slurm reads 'k' in keys of 32 bits only. */
int slurm_whole_parse(const char *text, uint32_t most, double *number, struct fathom_error *error)
{
	char *end;

	if (!strcasecmp(text, "UNLIMITED") || !strcasecmp(text, "INFINITE")) {
		*number = most;
		return 0;
	}
	errno = 0;
	*number = (double)strtoul(text, &end, 0);
	if (end > text && most == UINT32_MAX && (*end == 'k' || *end == 'K')) {
		*number *= 1024;
		end++;
	}
	if (end > text && !*end && !errno && !strchr(text, '-') && *number <= most)
		return 0;
	return fathom_error_set(error, EINVAL, "'%.60s' is not a whole number from 0 to %lu", text,
				(unsigned long)most);
}

int slurm_switch_parse(const char *text, double *number, struct fathom_error *error)
{
	/* a word for "no" at even places, for "yes" at odd places */
	static const char *const words[] = { "no", "yes", "down", "up", "false", "true", "0", "1" };

	for (size_t i = 0; i < sizeof(words) / sizeof(*words); i++) {
		if (strcasecmp(words[i], text))
			continue;
		*number = (double)(i % 2);
		return 0;
	}
	return fathom_error_set(error, EINVAL, "'%.60s' is neither yes nor no", text);
}
