/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The user who runs the command: of a running cluster, the only one that is shown by default. */
#ifndef CLI_CALLER_H
#define CLI_CALLER_H

/* Sets *users, a list as for --user, to a copy of the caller's name, as sshare does. If the user id
 * has no name on this host, *users stays NULL, so that all are shown, and a remark says
 * so. */
void caller_choose(char **users);

#endif
