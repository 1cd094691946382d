/* SPDX-License-Identifier: GPL-2.0-or-later */
/* make_db FILE SQL...: makes a database, or adds to one; a "!COMMAND" in between is run while it
 * is open. */
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv)
{
	sqlite3 *database = NULL;
	char *wrong = NULL;
	int status = argc < 2 || sqlite3_open(argv[1], &database);

	for (int i = 2; !status && i < argc; i++)
		status = *argv[i] == '!' ? system(argv[i] + 1) < 0
					 : sqlite3_exec(database, argv[i], NULL, NULL, &wrong);
	if (status)
		fprintf(stderr, "make_db: %s\n", wrong ? wrong : "FILE: cannot be opened");
	sqlite3_free(wrong);
	sqlite3_close(database);
	return status != 0;
}
