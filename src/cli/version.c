/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Prints the version, the libraries, and what the tables of policies and formats have. */
#include "config.h"

#include "cli/version.h"

#include "cli/complain.h"
#include "format/format.h"

#include <jansson.h>
#ifdef HAVE_SQLITE
#include <sqlite3.h>
#endif
#include <stdio.h>
#include <yajl/yajl_version.h>

int print_version(void)
{
	printf("fathom %s\n", fathom_version());
#ifdef SLURM_RELEASE
	printf("  Slurm        " SLURM_RELEASE " (headers of the plugin)\n");
#else
	printf("  Slurm        no (configured without --with-slurm)\n");
#endif
#ifdef HAVE_LIBSLURM
	printf("  libslurm     yes (live data)\n");
#else
	printf("  libslurm     no (no live data)\n");
#endif
#ifdef MUPARSER_VERSION
	printf("  muParser     " MUPARSER_VERSION " (formulas)\n");
#else
	printf("  muParser     no (no formulas)\n");
#endif
	printf("  jansson      " JANSSON_VERSION "\n");
	printf("  yajl         %d.%d.%d\n", YAJL_MAJOR, YAJL_MINOR, YAJL_MICRO);
#ifdef HAVE_SQLITE
	printf("  SQLite       %s\n", sqlite3_libversion());
#else
	printf("  SQLite       no (no databases of flux-accounting)\n");
#endif
	printf("  policies    ");
	for (size_t i = 0; i < fathom_policy_count(); i++)
		printf(" %s", fathom_policy_name(fathom_policy_at(i)));
	printf("\n  formats     ");
	for (size_t i = 0; i < format_count(); i++)
		if (format_has_tree(format_at(i)))
			printf(" %s", format_at(i)->name);
	printf("\n  jobs        ");
	for (size_t i = 0; i < format_count(); i++)
		if (format_at(i)->holds & HOLDS_JOBS)
			printf(" %s", format_at(i)->name);
	printf("\n  settings    ");
	for (size_t i = 0; i < format_count(); i++)
		if (format_at(i)->read_settings)
			printf(" %s", format_at(i)->name);
	printf("\n");
	return EXIT_DONE;
}
