/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The checks of a host. They look at its files, as far as the user of fathom may. */
#include "doctor/doctor.h"

#include "conf/conf_parse.h"
#include "conf/conf_told.h"
#include "document/document.h"
#include "format/site_files.h"
#include "format/slurm_conf.h"
#include "memory/need_memory.h"

#include <errno.h>
#include <pwd.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/utsname.h>
#include <unistd.h>

#define USUAL_MUNGE_SOCKET "/run/munge/munge.socket.2"
#define MUNGE_SOCKET_KEY "socket="
#define UNSEEN "not visible to you, but to root: %s"	/* of a path */

struct check {
	const char *name;
	const char *fix;	/* what to do if it is wrong, unless make() sets another fix */
	/* Sets state and text of the row; without a text, the check does not concern the host. */
	void (*make)(const struct doctor_site *site, struct doctor_row *row);
};

/* ---- slurm.conf ------------------------------------------------------------------------- */

/* Returns a copy of the value of a key; `otherwise` if slurm.conf lacks the key, or its value is
 * filled in by a template. */
static const char *value_of(const struct slurm_conf *conf, const char *key, const char *otherwise)
{
	const struct slurm_pair *pair = slurm_conf_find(conf, key);

	return pair && !pair->is_unknown ? need_text(pair->value) : otherwise;
}

/* Returns whether a value of SlurmctldHost, such as "head(10.0.0.1)", names this host. Domains are
 * not compared. */
static bool names_this_host(const char *value)
{
	size_t length = strcspn(value, ".(");
	struct utsname host;

	uname(&host);
	return strcspn(host.nodename, ".") == length && !strncasecmp(host.nodename, value, length);
}

/* Returns whether slurmctld may run on this host. */
static bool has_controller(const struct slurm_conf *conf)
{
	static const char *const keys[] = { "SlurmctldHost", "ControlMachine", "BackupController" };

	for (size_t i = 0; i < conf->pair_count; i++)
		for (size_t key = 0; key < sizeof(keys) / sizeof(*keys); key++)
			if (!strcasecmp(conf->pair[i].key, keys[key]) &&
			    names_this_host(conf->pair[i].value))
				return true;
	return false;
}

int doctor_read_slurm_conf(struct doctor_site *site, const char *path, struct fathom_error *error)
{
	const char *slash = strrchr(path, '/');
	struct slurm_conf conf = { 0 };

	if (slurm_conf_read(&conf, path, error))
		return -1;
	site->fathom_conf = need_print("%.*sfathom.conf", slash ? (int)(slash + 1 - path) : 0,
				       path);
	site->plugin_dir = value_of(&conf, "PluginDir", site->plugin_dir);
	site->state = value_of(&conf, "StateSaveLocation", NULL);
	site->slurm_user = value_of(&conf, "SlurmUser", "root");
	site->auth_type = value_of(&conf, "AuthType", NULL);
	site->auth_info = value_of(&conf, "AuthInfo", NULL);
	site->is_here = has_controller(&conf);
	return 0;
}

/* ---- files ------------------------------------------------------------------------------ */

/* Loads a file; the caller calls document_clear(). False: it cannot be read, and the row says
 * why. */
static bool load(struct document *file, const char *path, struct doctor_row *row)
{
	struct fathom_error error;

	if (!document_load_regular(file, path, &error))
		return true;
	if (error.code == EACCES)
		doctor_found(row, DOCTOR_UNKNOWN, UNSEEN, path);
	else
		doctor_found(row, DOCTOR_WRONG, "%s: %s", path, error.text);
	return false;
}

/* Returns a checksum of the content. It shows accidental differences, but can be forged. */
static const char *sum_of(const struct document *file)
{
	unsigned long long sum = piece_hash((struct piece){ file->text, file->length });

	return need_print("sum %016llx", sum);
}

/* ---- the plugin ------------------------------------------------------------------------- */

/* Returns whether the user may not look into one of the folders of PluginDir. */
static bool is_hidden(const struct site_files *files)
{
	for (size_t i = 0; i < files->plugin_dir_count; i++)
		if (access(files->plugin_dir[i].path, X_OK) && errno == EACCES)
			return true;
	return false;
}

/* Checks that the plugin is in a folder of PluginDir. */
static void check_plugin(const struct doctor_site *site, struct doctor_row *row)
{
	if (*site->files->plugin.path)
		doctor_found(row, DOCTOR_WELL, "%s", site->files->plugin.path);
	else if (!site->plugin_dir)
		doctor_found(row, DOCTOR_UNKNOWN, "PluginDir is not known");
	else if (is_hidden(site->files))
		doctor_found(row, DOCTOR_UNKNOWN, UNSEEN, site->plugin_dir);
	else
		doctor_found(row, DOCTOR_WRONG, "no priority_fathom.so in PluginDir=%s",
			     site->plugin_dir);
}

/* Returns the release for which the plugin must be; 0: not known. Slurm's own plugins on this host
 * are preferred to slurmctld: while Slurm is upgraded, the programs of this host that load the
 * plugin may be of another release. */
static unsigned wanted_release(const struct doctor_site *site)
{
	return site->release ? site->release
	       : site->files->other.version ? site->files->other.version : site->running_release;
}

/* Checks that the plugin is for this release of Slurm. */
static void check_release(const struct doctor_site *site, struct doctor_row *row)
{
	const struct site_plugin *plugin = &site->files->plugin;
	unsigned wanted = wanted_release(site);

	if (!*plugin->path)
		return;
	if (!plugin->version && access(plugin->path, R_OK) && errno == EACCES)
		doctor_found(row, DOCTOR_UNKNOWN, UNSEEN, plugin->path);
	else if (!plugin->version)
		doctor_found(row, DOCTOR_WRONG, "%s is no plugin of Slurm", plugin->path);
	else if (wanted && plugin->version != wanted)
		doctor_found(row, DOCTOR_WRONG, "it is for Slurm %s, and must be for %s",
			     site_version_text(plugin->version), site_version_text(wanted));
	else
		doctor_found(row, wanted ? DOCTOR_WELL : DOCTOR_UNKNOWN, "it is for Slurm %s%s",
			     site_version_text(plugin->version),
			     wanted ? "" : "; give Slurm's release by --slurm");
}

/* Sets the checksum of the plugin. Hosts with the same release and kind of machine must have the
 * same plugin, see doctor_compare_hosts(). */
static void check_build(const struct doctor_site *site, struct doctor_row *row)
{
	const struct site_plugin *plugin = &site->files->plugin;
	struct document file;
	struct utsname machine;

	if (!*plugin->path || !load(&file, plugin->path, row))
		return;
	row->sum = sum_of(&file);
	document_clear(&file);
	uname(&machine);
	row->kind = need_print("%s on %s", site_version_text(plugin->version), machine.machine);
	doctor_found(row, DOCTOR_WELL, "%s", row->sum);
}

/* Checks who may read and write the plugin. All users must read it, because sshare loads it as the
 * user who calls it. */
static void check_rights(const struct doctor_site *site, struct doctor_row *row)
{
	const char *path = site->files->plugin.path, *folder;
	struct stat file, above;

	if (!*path)
		return;
	folder = need_print("%.*s", (int)(strrchr(path, '/') - path), path);
	row->fix = need_print("chmod 644 %s", path);
	if (stat(path, &file) || stat(folder, &above)) {
		doctor_found(row, DOCTOR_UNKNOWN, "%s: %s", path, strerror(errno));
	} else if (file.st_mode & S_IWOTH) {
		doctor_found(row, DOCTOR_WRONG, "every user may write to %s", path);
	} else if (!(file.st_mode & S_IROTH)) {
		doctor_found(row, DOCTOR_WRONG, "users may not read %s, which sshare loads", path);
	} else if ((above.st_mode & (S_IWOTH | S_ISVTX)) == S_IWOTH) {
		doctor_found(row, DOCTOR_WRONG, "every user may write to %s", folder);
		row->fix = need_print("chmod o-w %s", folder);
	} else {
		doctor_found(row, DOCTOR_WELL, "mode %04o", (unsigned)file.st_mode & 07777);
	}
}

/* ---- fathom.conf ------------------------------------------------------------------------ */

/* Returns whether slurmctld runs with another fathom.conf than this text. told: what it shows of
 * its own, see conf_told.h; NULL: nothing, and the answer is false. */
static bool tells_other(const char *told, const char *text)
{
	char *own = conf_told_write(text);
	bool differs = told && own && strcmp(told, own);

	free(own);
	return differs;
}

/* Makes the row wrong if every user may write to a file that slurmctld reads or runs. path: of a
 * file that need not exist. Returns whether it is wrong. */
static bool report_if_open(const char *path, struct doctor_row *row)
{
	struct stat status;

	if (stat(path, &status) || !(status.st_mode & S_IWOTH))
		return false;
	doctor_found(row, DOCTOR_WRONG, "every user may write to %s", path);
	row->fix = need_print("chmod o-w %s", path);
	return true;
}

/* Makes the row wrong if every user may write to fathom.conf, or to the shared object that Adjust
 * names. text: of fathom.conf. Returns whether it is wrong. */
static bool report_if_conf_open(const char *path, const char *text, struct doctor_row *row)
{
	struct fathom_conf conf = conf_standard();
	bool is_wrong;

	conf_parse_text(&conf, path, text, NULL);
	is_wrong = report_if_open(path, row) || report_if_open(conf.adjust, row);
	conf_clear(&conf);
	return is_wrong;
}

/* Checks that fathom.conf, if this host has one, is that of slurmctld and is safe, and sets its
 * checksum. */
static void check_conf(const struct doctor_site *site, struct doctor_row *row)
{
	struct document file;

	if (!site->fathom_conf || (access(site->fathom_conf, F_OK) && errno == ENOENT)) {
		doctor_found(row, DOCTOR_WELL, site->told ? "none here; slurmctld tells its own"
							  : "none here");
		return;
	}
	if (!load(&file, site->fathom_conf, row))
		return;
	row->kind = "fathom.conf";
	row->sum = sum_of(&file);
	conf_mark_nuls(file.text, file.length);
	if (tells_other(site->told, file.text))
		doctor_found(row, DOCTOR_WRONG, "%s is not what slurmctld runs with",
			     site->fathom_conf);
	else if (!report_if_conf_open(site->fathom_conf, file.text, row))
		doctor_found(row, DOCTOR_WELL, "%s; fathom lint checks what it says", row->sum);
	document_clear(&file);
}

/* ---- slurmctld and its files ------------------------------------------------------------ */

/* Checks that slurmctld answers and runs this plugin. No row if it was not asked. */
static void check_controller(const struct doctor_site *site, struct doctor_row *row)
{
	const char *type = site->loaded_type ? site->loaded_type : site->priority_type;

	if (site->why) {
		doctor_found(row, DOCTOR_WRONG, "%s", site->why);
		row->fix = "start slurmctld; if munged is named, start munged";
	} else if (site->answers && (!type || strcmp(type, "priority/fathom"))) {
		doctor_found(row, DOCTOR_WRONG, "it runs %s", type ? type : "another plugin");
	} else if (site->is_replaced) {
		doctor_found(row, DOCTOR_WRONG, "it runs a plugin whose file was replaced");
		row->fix = "restart slurmctld";
	} else if (site->loaded_type || site->told) {
		doctor_found(row, DOCTOR_WELL, "it runs priority/fathom on Slurm %s",
			     site_version_text(site->running_release));
	} else if (site->answers) {
		doctor_found(row, DOCTOR_UNKNOWN, "PriorityType=%s; what is loaded shows only to "
			     "root on slurmctld's host", type);
	}
}

/* Says what is wrong with the rights of StateSaveLocation. Leaves the row without a text if they
 * are right. status: of the folder `path`; user: SlurmUser. */
static void check_state_rights(const struct stat *status, const struct passwd *user,
			       struct doctor_row *row, const char *path)
{
	if (status->st_uid != user->pw_uid) {
		doctor_found(row, DOCTOR_WRONG, "%s is not SlurmUser's, who is %s", path,
			     user->pw_name);
		row->fix = need_print("chown -R %s %s", user->pw_name, path);
	} else if ((status->st_mode & S_IRWXU) != S_IRWXU ||
		   (access(path, W_OK) && errno == EROFS)) {
		doctor_found(row, DOCTOR_WRONG, "SlurmUser cannot write to %s", path);
		row->fix = need_print("chmod u+rwx %s, or mount it for writing", path);
	} else if (status->st_mode & (S_IWGRP | S_IWOTH)) {
		doctor_found(row, DOCTOR_WRONG, "others than SlurmUser may write to %s", path);
		row->fix = need_print("chmod go-w %s", path);
	}
}

/* Checks StateSaveLocation. Only hosts of slurmctld need the folder: elsewhere, no row if it is
 * missing. */
static void check_state(const struct doctor_site *site, struct doctor_row *row)
{
	const struct passwd *user = site_slurm_user(site->slurm_user);
	struct stat status;

	if (!site->state)
		return;
	if (stat(site->state, &status)) {
		if (errno == EACCES)
			doctor_found(row, DOCTOR_UNKNOWN, UNSEEN, site->state);
		else if (site->is_here)
			doctor_found(row, DOCTOR_WRONG, "%s: %s", site->state, strerror(errno));
		return;
	}
	if (!user)
		doctor_found(row, DOCTOR_UNKNOWN, "SlurmUser is not known on this host");
	else
		check_state_rights(&status, user, row, site->state);
	if (!row->text)
		doctor_found(row, DOCTOR_WELL, "only %s may write to %s", user->pw_name,
			     site->state);
}

/* Checks that passes write a file. Only the host of slurmctld needs it: elsewhere, no row if it is
 * missing. */
static void check_file(const struct doctor_site *site, const struct doctor_file *file,
		       struct doctor_row *row)
{
	struct stat status;
	bool is_there;

	if (!file->path)
		return;
	is_there = !stat(file->path, &status);
	if (is_there && !S_ISREG(status.st_mode))
		doctor_found(row, DOCTOR_WRONG, "%s is no regular file", file->path);
	else if (file->old)
		doctor_found(row, DOCTOR_WRONG, "%s", file->old);
	else if (is_there)
		doctor_found(row, DOCTOR_WELL, "%s is fresh", file->path);
	else if (errno == EACCES)
		doctor_found(row, DOCTOR_UNKNOWN, UNSEEN, file->path);
	else if (site->is_here)
		doctor_found(row, DOCTOR_WRONG, "%s: %s", file->path, strerror(errno));
}

/* Checks FiguresFile. */
static void check_figures(const struct doctor_site *site, struct doctor_row *row)
{
	check_file(site, &site->figures, row);
}

/* Checks MetricsFile. */
static void check_metrics(const struct doctor_site *site, struct doctor_row *row)
{
	check_file(site, &site->metrics, row);
}

/* ---- daemons ---------------------------------------------------------------------------- */

/* Returns the address of munged's socket: that of AuthInfo (socket=PATH,...), or the usual one. A
 * path that is too long is cut. */
static struct sockaddr_un munge_address(const struct doctor_site *site)
{
	const char *at = site->auth_info ? strstr(site->auth_info, MUNGE_SOCKET_KEY) : NULL;
	struct sockaddr_un address = { .sun_family = AF_UNIX, .sun_path = USUAL_MUNGE_SOCKET };
	size_t length;

	if (!at)
		return address;
	at += strlen(MUNGE_SOCKET_KEY);
	length = strcspn(at, ",");
	if (length >= sizeof(address.sun_path))
		length = sizeof(address.sun_path) - 1;
	memcpy(address.sun_path, at, length);
	address.sun_path[length] = '\0';
	return address;
}

/* Checks that munged runs, if slurm.conf names it or names no AuthType. */
static void check_munge(const struct doctor_site *site, struct doctor_row *row)
{
	struct sockaddr_un address = munge_address(site);
	int end;

	if (site->auth_type && !strstr(site->auth_type, "munge"))
		return;
	if (site->answers) {
		doctor_found(row, DOCTOR_WELL, "slurmctld accepts credentials of this host");
		return;
	}
	end = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
	if (!connect(end, (const struct sockaddr *)&address, sizeof(address)))
		doctor_found(row, DOCTOR_WELL, "munged listens on %s", address.sun_path);
	else
		doctor_found(row, errno == EACCES ? DOCTOR_UNKNOWN : DOCTOR_WRONG, "%s: %s",
			     address.sun_path, strerror(errno));
	close(end);
}

/* Checks that slurmdbd answers. Its silence is wrong only on slurmctld's host, which needs
 * slurmdbd; a firewall may keep other hosts from it. */
static void check_database(const struct doctor_site *site, struct doctor_row *row)
{
	if (site->database_fault)
		doctor_found(row, site->is_here ? DOCTOR_WRONG : DOCTOR_UNKNOWN, "%s",
			     site->database_fault);
	else if (site->has_database)
		doctor_found(row, DOCTOR_WELL, "it answers");
}

/* ---- all -------------------------------------------------------------------------------- */

static const struct check checks[] = {
	{ "plugin", "copy priority_fathom.so there, or name its folder in PluginDir",
	  check_plugin },
	{ "release", "build fathom with the headers of that release, and copy its plugin here",
	  check_release },
	{ "build", "copy priority_fathom.so here again", check_build },
	{ "rights", NULL, check_rights },
	{ "fathom.conf", "copy slurmctld's here; after a change there, scontrol reconfigure",
	  check_conf },
	{ "slurmctld", "set PriorityType=priority/fathom in slurm.conf, and restart slurmctld",
	  check_controller },
	{ "state folder", "make StateSaveLocation, and give it to SlurmUser", check_state },
	{ "FiguresFile", "look for priority/fathom in slurmctld's log", check_figures },
	{ "MetricsFile", "look for priority/fathom in slurmctld's log", check_metrics },
	{ "munge", "systemctl start munge", check_munge },
	{ "slurmdbd", "systemctl start slurmdbd", check_database },
};

void doctor_check_host(struct doctor_report *report, struct doctor_site *site)
{
	const struct site_names names = { .plugin_dir = site->plugin_dir, .plugin = "fathom" };
	struct site_files *files = need_object(sizeof(*files));

	site_files_read(files, &names);
	site->files = files;
	for (size_t i = 0; i < sizeof(checks) / sizeof(*checks); i++) {
		struct doctor_row row = { .host = site->host, .check = checks[i].name };

		checks[i].make(site, &row);
		if (!row.text)
			continue;
		if (row.state != DOCTOR_WRONG)
			row.fix = NULL;
		else if (!row.fix)
			row.fix = checks[i].fix;
		*doctor_add_row(report) = row;
	}
}
