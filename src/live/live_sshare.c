/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Asks slurmctld what sshare asks, and copies the answer. */
#include "live/live_private.h"

#include <math.h>

/* What sshare knows of the cluster besides the answer. */
struct sshare_rules {
	bool ranks;	/* PriorityFlags has FAIR_TREE: sshare shows the answer's factor */
	double dampening_factor;	/* else it may compute the factor with this */
};

/* ---- rows ------------------------------------------------------------------------------ */

/* Returns the factor that sshare shows: that of the answer, for users alone, or the one that sshare
 * computes, by priority_p_calc_fs_factor(). NAN: it shows none. */
static double factor_of(const assoc_shares_object_t *share, const struct sshare_rules *rules)
{
	if (rules->ranks || !COMPAT_CLIENT_COMPUTES_FACTOR)
		return share->user ? live_figure(share->fs_factor) : NAN;
	if (isnan(live_figure(share->usage_efctv)) || !(share->shares_norm > 0))
		return 0;
	return exp2(-(share->usage_efctv / share->shares_norm) / rules->dampening_factor);
}

/* Returns a copy of a text; NULL for NULL and "". */
static char *copy(const char *text)
{
	return text && *text ? need_text(text) : NULL;
}

/* Returns shares as struct sshare_row has them. */
static uint32_t shares_of(const assoc_shares_object_t *share)
{
	if (share->shares_raw == SLURMDB_FS_USE_PARENT)
		return FATHOM_SHARES_PARENT;
	return share->shares_raw == NO_VAL || share->shares_raw == INFINITE ? SSHARE_NO_SHARES
									    : share->shares_raw;
}

/* Copies an association of the answer to a row. */
static void read_row(struct sshare_row *row, const shares_response_msg_t *response,
		     const assoc_shares_object_t *share, const struct sshare_rules *rules)
{
	bool is_parent = share->shares_raw == SLURMDB_FS_USE_PARENT;

	*row = (struct sshare_row){
		.account = copy(share->user ? share->parent : share->name),
		.parent = copy(share->parent), .cluster = copy(share->cluster),
		.user = share->user ? copy(share->name) : NULL,
		.partition = copy(share->partition),
		.id = share->assoc_id,
		.raw_shares = shares_of(share),
		.raw_usage = live_figure((double)share->usage_raw),
		.norm_shares = live_figure(share->shares_norm),
		.norm_usage = live_figure(share->usage_norm),
		.effective_usage = live_figure(share->usage_efctv),
		.factor = factor_of(share, rules),
		.level_fs = is_parent ? (double)NAN : live_figure((double)share->level_fs),
	};
	live_answer_texts(response, share, row->text);
}

/* ---- the answer ------------------------------------------------------------------------ */

/* Returns the rules of the cluster that libslurm asks now. Of another cluster than the local one,
 * fathom.conf is not known. */
static struct sshare_rules rules_of(const slurm_conf_t *slurm)
{
	bool reads_fathom = live_conf_is_fathom(slurm) && !working_cluster_rec;
	struct fathom_conf conf = reads_fathom ? live_conf_read(slurm, NULL, NULL)
					       : conf_standard();

	return (struct sshare_rules){
		.ranks = slurm->priority_flags & PRIORITY_FLAGS_FAIR_TREE,
		.dampening_factor = live_conf_dampening_factor(&conf, slurm),
	};
}

/* Returns names that are separated by commas as one of libslurm's lists, which points into `names`.
 * names: is changed; NULL: returns NULL. */
static void *list_of(char *names)
{
	void *list = names ? list_create(NULL) : NULL;
	char *name;

	while (names && (name = strsep(&names, ",")))
		if (*name)
			list_append(list, name);
	return list;
}

/* Asks the cluster of working_cluster_rec. request: for the associations that are wanted. */
static struct sshare_list read_cluster(shares_request_msg_t *request)
{
	const slurm_conf_t *slurm = libslurm_conf();
	struct sshare_rules rules = rules_of(slurm);
	shares_response_msg_t *response = libslurm_shares(request);
	struct live_items shares = live_items(response ? response->assoc_shares_list : NULL);
	struct sshare_list list = { .cluster = copy(slurm->cluster_name), .count = shares.count,
				    .has_level_fs = response && rules.ranks };

	list.row = need_zeros(list.count, sizeof(*list.row));
	for (size_t i = 0; i < list.count; i++)
		read_row(&list.row[i], response, shares.item[i], &rules);
	return list;
}

struct sshare_list *live_sshare_read(const struct sshare_request *wanted, size_t *count)
{
	shares_request_msg_t request = { .acct_list = list_of(copy(wanted->accounts)),
					 .user_list = list_of(copy(wanted->users)) };
	struct live_items clusters;
	struct sshare_list *list;

	libslurm_begin(LIBSLURM_FROM);
	clusters = libslurm_clusters(wanted->clusters);
	list = need_zeros(clusters.count, sizeof(*list));
	for (*count = 0; *count < clusters.count; ++*count) {
		working_cluster_rec = clusters.item[*count];
		list[*count] = read_cluster(&request);
	}
	libslurm_end();
	return list;
}
