/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/caller.h"

#include "cli/complain.h"
#include "memory/need_memory.h"

#include <pwd.h>
#include <unistd.h>

void caller_choose(char **users)
{
	const struct passwd *caller = getpwuid(getuid());

	if (caller) {
		*users = need_text(caller->pw_name);
		return;
	}
	remark("your user id, %ld, has no name on this host, so all users are shown; -u chooses "
	       "users", (long)getuid());
}
