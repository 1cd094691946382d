/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/caller.h"

#include "cli/complain.h"

#include <pwd.h>
#include <string.h>
#include <unistd.h>

int caller_choose(char **users)
{
	const struct passwd *caller = getpwuid(getuid());

	if (caller) {
		*users = strdup(caller->pw_name);
		return *users ? 0 : complain("--user: out of memory");
	}
	remark("your user id, %ld, has no name on this host, so all users are shown; -u chooses "
	       "users", (long)getuid());
	return 0;
}
