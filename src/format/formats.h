/* SPDX-License-Identifier: GPL-2.0-or-later */
/* All formats, one line for each, in the order in which they are tried on a file. */
FORMAT(figures)
FORMAT(fathom_jobs)
FORMAT(fathom)
FORMAT(flux_db)
FORMAT(sacctmgr)
FORMAT(swf)
FORMAT(sacct)
FORMAT(sshare)
FORMAT(flux_csv)
FORMAT(pbs_group)
