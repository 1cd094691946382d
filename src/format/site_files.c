/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks at folders, files and plugins. A plugin is an ELF file with a variable plugin_version,
 * whose value is read from the file, as loading the plugin would run its code: among the dynamic
 * symbols, the one of that name tells a section and an address, at which the section has the value.
 * Source: System V ABI, "Object Files"; Slurm, slurm.h, SLURM_VERSION_NUM.
 */
#include "format/site_files.h"

#include "conf/conf.h"
#include "core/error.h"
#include "document/json_reader.h"
#include "format/metrics.h"
#include "json/figures.h"
#include "json/usage_list.h"
#include "memory/need_memory.h"

#include <elf.h>
#include <errno.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#define MOST_GROUPS 256		/* of a user */
#define VERSION_NAME "plugin_version"

/* ---- versions --------------------------------------------------------------------------- */

const char *site_version_text(unsigned version)
{
	return need_print("%u.%02u.%u", version >> 16, (version >> 8) & 0xff, version & 0xff);
}

unsigned site_version_parse(const char *text)
{
	unsigned major, minor, micro;

	if (!text || sscanf(text, "%u.%u.%u", &major, &minor, &micro) != 3)
		return 0;
	return major << 16 | minor << 8 | micro;
}

/* ---- the version of a plugin ---------------------------------------------------------- */

/* Returns the place of `size` bytes at an offset of the file; NULL: the file ends before their
 * end. */
static const void *part_of(const struct document *file, uint64_t offset, uint64_t size)
{
	if (offset > file->length || size > file->length - offset)
		return NULL;
	return file->text + offset;
}

/* Returns the header of a section; NULL: the file has no such section, or is damaged. */
static const Elf64_Shdr *section_at(const struct document *file, size_t index)
{
	Elf64_Ehdr head;

	memcpy(&head, file->text, sizeof(head));
	/* e_shoff % 8: the header is not aligned for the pointer that is returned */
	if (index >= head.e_shnum || head.e_shentsize != sizeof(Elf64_Shdr) || head.e_shoff % 8)
		return NULL;
	return part_of(file, head.e_shoff + index * sizeof(Elf64_Shdr), sizeof(Elf64_Shdr));
}

/* Returns the value of the variable that a symbol stands for; 0: it does not have 32 bits, or the
 * file is damaged. */
static unsigned read_symbol(const struct document *file, const Elf64_Sym *symbol)
{
	const Elf64_Shdr *section = section_at(file, symbol->st_shndx);
	const void *value;
	uint32_t number;

	if (!section || symbol->st_size != sizeof(number) || symbol->st_value < section->sh_addr)
		return 0;
	value = part_of(file, symbol->st_value - section->sh_addr + section->sh_offset,
			sizeof(number));
	if (!value)
		return 0;
	memcpy(&number, value, sizeof(number));
	return number;
}

/* Returns whether a symbol has the name VERSION_NAME. names: the section with the names. */
static bool is_named(const struct document *file, const Elf64_Shdr *names, const Elf64_Sym *symbol)
{
	const char *name = part_of(file, names->sh_offset + symbol->st_name, sizeof(VERSION_NAME));

	return name && !memcmp(name, VERSION_NAME, sizeof(VERSION_NAME));
}

/* Returns the value of plugin_version in an ELF file; 0: not found. */
static unsigned version_in(const struct document *file)
{
	const Elf64_Shdr *section, *names;

	for (size_t i = 0; (section = section_at(file, i)); i++) {
		if (section->sh_type != SHT_DYNSYM)
			continue;
		names = section_at(file, section->sh_link);
		for (uint64_t at = 0; names && at + sizeof(Elf64_Sym) <= section->sh_size;
		     at += sizeof(Elf64_Sym)) {
			const void *symbol = part_of(file, section->sh_offset + at,
						     sizeof(Elf64_Sym));
			Elf64_Sym copy;

			if (!symbol)
				return 0;
			memcpy(&copy, symbol, sizeof(copy));
			if (is_named(file, names, &copy))
				return read_symbol(file, &copy);
		}
	}
	return 0;
}

/* Returns the version of the plugin in a file; 0: the file cannot be read, or is not a plugin. */
static unsigned plugin_version(const char *path)
{
	struct document file;

	if (document_load_regular(&file, path, NULL) || file.length <= sizeof(Elf64_Ehdr) ||
	    memcmp(file.text, ELFMAG, SELFMAG) || file.text[EI_CLASS] != ELFCLASS64)
		return 0;
	return version_in(&file);
}

/* Finds a priority plugin by its name in the folders of PluginDir. */
static void find_plugin(struct site_plugin *plugin, const struct site_files *files,
			const char *name)
{
	struct stat status;

	for (size_t i = 0; i < files->plugin_dir_count; i++) {
		int length = snprintf(plugin->path, sizeof(plugin->path), "%s/priority_%s.so",
				      files->plugin_dir[i].path, name);

		if (length < SITE_PATH_SIZE && !stat(plugin->path, &status)) {
			plugin->version = plugin_version(plugin->path);
			return;
		}
	}
	*plugin->path = '\0';
}

/* ---- folders ------------------------------------------------------------------------------ */

/* Returns whether a user is in a group; true if that is not known. */
static bool has_group(const struct passwd *user, gid_t group)
{
	gid_t groups[MOST_GROUPS];
	int count = MOST_GROUPS;

	if (getgrouplist(user->pw_name, user->pw_gid, groups, &count) < 0)
		return true;	/* the user is in more than MOST_GROUPS groups */
	for (int i = 0; i < count; i++)
		if (groups[i] == group)
			return true;
	return false;
}

/* Rights, as the three bits that a mode has for others; the owner's are 6 bits higher, the group's
 * 3. */
#define MAY_READ 4u
#define MAY_MAKE_FILES 3u	/* in a folder: write and search */

const struct passwd *site_slurm_user(const char *name)
{
	const struct passwd *user = name ? getpwnam(name) : NULL;
	bool is_number = name && *name && !name[strspn(name, "0123456789")];

	return user || !is_number ? user : getpwuid((uid_t)strtoul(name, NULL, 10));
}

/* Returns whether the user of this name has these rights; true if that is not known, and for
 * root. */
static bool has_rights(const struct stat *status, const char *name, mode_t rights)
{
	const struct passwd *user = site_slurm_user(name);

	if (!user || !user->pw_uid)
		return true;
	if (user->pw_uid == status->st_uid)
		rights <<= 6;
	else if (has_group(user, status->st_gid))
		rights <<= 3;
	return (status->st_mode & rights) == rights;
}

/* Looks at a folder. path: of `length` bytes. user: who must be able to make files in it; NULL:
 * nobody. */
static void look_at(struct seen_folder *folder, const char *path, size_t length, const char *user)
{
	struct stat status;

	snprintf(folder->path, sizeof(folder->path), "%.*s", (int)length, path);
	folder->exists = !stat(folder->path, &status) && S_ISDIR(status.st_mode);
	folder->is_writable = !folder->exists || has_rights(&status, user, MAY_MAKE_FILES);
}

/* Looks at the folders of PluginDir, and at the priority plugins in them. */
static void look_at_plugins(struct site_files *files, const struct site_names *names)
{
	for (const char *at = names->plugin_dir; at && *at;) {
		size_t length = strcspn(at, ":");

		if (length && files->plugin_dir_count < SITE_MOST_FOLDERS)
			look_at(&files->plugin_dir[files->plugin_dir_count++], at, length, NULL);
		at += length + (at[length] == ':');
	}
	if (names->plugin)
		find_plugin(&files->plugin, files, names->plugin);
	find_plugin(&files->other, files, "multifactor");
	if (!*files->other.path)
		find_plugin(&files->other, files, "basic");
}

/* ---- files that passes write ---------------------------------------------------------------- */

/* How each file is recognised: by its JSON format, or by the text with which it begins. */
static const struct { const char *format, *begin; } written[SITE_WRITTEN] = {
	[SITE_FIGURES] = { .format = JSON_FIGURES_FORMAT },
	[SITE_METRICS] = { .begin = METRICS_BEGIN },
	[SITE_USAGE] = { .format = USAGE_LIST_FORMAT },
};

/* Returns whether a file is not of the kind that a pass writes there: the plugin does not overwrite
 * such a file. kind: SITE_FIGURES and so on. */
static bool is_foreign(const char *path, size_t kind)
{
	const char *begin = written[kind].begin;
	struct document file;
	struct fathom_error error;

	if (document_load_regular(&file, path, &error))
		return error.code == EINVAL;		/* no regular file, or damaged */
	return file.length && (begin ? strncmp(file.text, begin, strlen(begin)) != 0
				     : !json_is_format(&file, written[kind].format));
}

/* Looks at a file that each pass writes, and at its folder. */
static void look_at_written(struct site_files *files, const struct site_names *names, size_t kind)
{
	struct site_written *file = &files->written[kind];
	bool absolute = *names->written[kind] == '/';
	const char *slash;

	if (!absolute && !names->state)
		return;
	snprintf(file->path, sizeof(file->path), "%s%s%s", absolute ? "" : names->state,
		 absolute ? "" : "/", names->written[kind]);
	slash = strrchr(file->path, '/');
	/* of the folder "/", the slash itself is the name */
	look_at(&file->folder, file->path, slash == file->path ? 1 : (size_t)(slash - file->path),
		names->slurm_user);
	file->is_foreign = is_foreign(file->path, kind);
}

/* ---- files of usage ------------------------------------------------------------------------- */

/* Loads a file of usage. The plugin neither decompresses it nor reads a larger one, so these are
 * wrong. -1: EINVAL, or the errno of a failed call. */
static int load_import(struct document *file, const struct stat *status, const char *path,
		       struct fathom_error *error)
{
	if (status->st_size > (off_t)USAGE_LIST_SIZE_MAX)
		return fathom_error_set(error, EINVAL, "is larger than 256 MiB, must be a file of "
					"usage");
	if (document_load_regular(file, path, error))
		return -1;
	return file->is_compressed ? fathom_error_set(error, EINVAL, "is compressed, must be "
						      "plain JSON") : 0;
}

/* Looks whether a file exists, and whether a user may read it. */
static void look_for_file(struct site_import *file, const char *path, const char *user,
			  struct stat *status)
{
	snprintf(file->path, sizeof(file->path), "%s", path);
	file->exists = !stat(file->path, status);
	file->is_readable = !file->exists || has_rights(status, user, MAY_READ);
}

NEED_DESTROYER(clear_list, usage_list_clear)

/* Looks at a file of usage. user: who must be able to read it. Returns its content, which is empty
 * if it is wrong or cannot be read. */
static const struct usage_list *look_at_import(struct site_import *import, const char *path,
					       const char *user)
{
	struct usage_list *list = need_owned(need_object(sizeof(*list)), clear_list);
	struct document file;
	struct stat status;

	look_for_file(import, path, user, &status);
	if (!import->exists)
		return list;
	if (load_import(&file, &status, import->path, &import->error) ||
	    usage_list_read(list, file.text, file.length, &import->line, &import->error))
		import->is_wrong = import->error.code == EINVAL;	/* and not EACCES */
	import->has_time = list->has_time;
	import->age = difftime(time(NULL), (time_t)list->time);
	return list;
}

/* Looks at the file of a GlobalShare line, and lists its accounts. */
static void look_at_global(struct site_global *global, const char *path, const char *user)
{
	const struct usage_list *list = look_at_import(&global->file, path, user);
	const char *last = "";

	if (!global->file.exists || global->file.error.code)
		return;		/* this process may not read it, or it is wrong */
	global->account = need_zeros(list->count, sizeof(*global->account));
	global->cluster = list->cluster;
	for (size_t i = 0; i < list->count; i++) {
		const char *account = list->entry[i].owner.account;

		if (strcmp(account, last))	/* entries are sorted by account */
			global->account[global->account_count++] = account;
		last = account;
	}
}

/* Sets files->last_good to the time of the file in which the plugin keeps the last good
 * fathom.conf. */
static void look_at_last_good(struct site_files *files, const char *state)
{
	char path[SITE_PATH_SIZE];
	struct stat status;

	*files->last_good = '\0';
	snprintf(path, sizeof(path), "%s/" CONF_KEPT_NAME, state);
	if (stat(path, &status))
		return;
	snprintf(files->last_good, sizeof(files->last_good), "%s",
		 need_date((double)status.st_mtime, "%Y-%m-%dT%H:%M:%S"));
}

void site_files_read(struct site_files *files, const struct site_names *names)
{
	struct stat status;

	memset(files, 0, sizeof(*files));
	look_at_plugins(files, names);
	if (names->state) {
		look_at(&files->state, names->state, strlen(names->state), names->slurm_user);
		look_at_last_good(files, names->state);
	}
	for (size_t i = 0; i < SITE_WRITTEN; i++)
		if (names->written[i] && *names->written[i])
			look_at_written(files, names, i);
	if (names->import && *names->import)
		look_at_import(&files->import, names->import, names->slurm_user);
	if (names->adjust && *names->adjust == '/')
		look_for_file(&files->adjust, names->adjust, names->slurm_user, &status);
	if (!names->global)
		return;
	files->global = need_zeros(names->global->count, sizeof(*files->global));
	for (size_t i = 0; i < names->global->count; i++)
		if (!conf_global_is_database(&names->global->share[i]))
			look_at_global(&files->global[i], names->global->share[i].source,
				       names->slurm_user);
}
