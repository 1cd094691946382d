/* SPDX-License-Identifier: GPL-2.0-or-later */
/* One line a format, in the order of recognition. */
FORMAT(figures)
FORMAT(fathom_jobs)
FORMAT(fathom)
FORMAT(flux_db)
FORMAT(sshare)
FORMAT(flux_csv)
FORMAT(pbs_group)
