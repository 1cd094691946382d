/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Looks at folders and plugins. A plugin is an ELF file with a variable plugin_version, which is
 * read from the file: loading it would run its code.
 * Source: System V ABI, "Object Files"; Slurm, slurm.h, SLURM_VERSION_NUM.
 */
#include "format/site_files.h"

#include "format/json_reader.h"
#include "json/figures.h"

#include <elf.h>
#include <grp.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define MOST_GROUPS 256
#define VERSION_NAME "plugin_version"

/* ---- the version of a plugin ---------------------------------------------------------- */

/* Returns `size` bytes at an offset of the file; NULL: the file ends before. */
static const void *part_of(const struct input *file, uint64_t offset, uint64_t size)
{
	if (offset > file->length || size > file->length - offset)
		return NULL;
	return file->text + offset;
}

static const Elf64_Shdr *section_at(const struct input *file, size_t index)
{
	Elf64_Ehdr head;

	memcpy(&head, file->text, sizeof(head));
	if (index >= head.e_shnum || head.e_shentsize != sizeof(Elf64_Shdr) || head.e_shoff % 8)
		return NULL;
	return part_of(file, head.e_shoff + index * sizeof(Elf64_Shdr), sizeof(Elf64_Shdr));
}

/* Returns the number that a symbol stands for; 0: it is none of 32 bits. */
static unsigned read_symbol(const struct input *file, const Elf64_Sym *symbol)
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

static bool is_named(const struct input *file, const Elf64_Shdr *names, const Elf64_Sym *symbol)
{
	const char *name = part_of(file, names->sh_offset + symbol->st_name, sizeof(VERSION_NAME));

	return name && !memcmp(name, VERSION_NAME, sizeof(VERSION_NAME));
}

static unsigned version_in(const struct input *file)
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

static unsigned plugin_version(const char *path)
{
	struct input file;
	unsigned version = 0;

	if (!input_load(&file, path, NULL) && file.length > sizeof(Elf64_Ehdr) &&
	    !memcmp(file.text, ELFMAG, SELFMAG) && file.text[EI_CLASS] == ELFCLASS64)
		version = version_in(&file);
	input_clear(&file);
	return version;
}

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

static bool has_group(const struct passwd *user, gid_t group)
{
	gid_t groups[MOST_GROUPS];
	int count = MOST_GROUPS;

	if (getgrouplist(user->pw_name, user->pw_gid, groups, &count) < 0)
		return true;	/* in more groups than this; not known */
	for (int i = 0; i < count; i++)
		if (groups[i] == group)
			return true;
	return false;
}

/* Returns whether the user may make files in the folder. */
static bool may_write(const struct stat *status, const char *name)
{
	const struct passwd *user = name ? getpwnam(name) : NULL;
	mode_t wanted = S_IWOTH | S_IXOTH;

	if (!user || !user->pw_uid)
		return true;
	if (user->pw_uid == status->st_uid)
		wanted = S_IWUSR | S_IXUSR;
	else if (has_group(user, status->st_gid))
		wanted = S_IWGRP | S_IXGRP;
	return (status->st_mode & wanted) == wanted;
}

static void look_at(struct site_folder *folder, const char *path, size_t length, const char *user)
{
	struct stat status;

	snprintf(folder->path, sizeof(folder->path), "%.*s", (int)length, path);
	folder->exists = !stat(folder->path, &status) && S_ISDIR(status.st_mode);
	folder->is_writable = !folder->exists || may_write(&status, user);
}

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

/* ---- FiguresFile ---------------------------------------------------------------------------- */

/* The plugin does not overwrite a file that it has not written. */
static bool is_foreign(const char *path)
{
	struct input file;
	bool foreign = !input_open(&file, path, NULL) && file.length &&
		       !json_is_format(&file, JSON_FIGURES_FORMAT);

	input_clear(&file);
	return foreign;
}

static void look_at_figures(struct site_files *files, const struct site_names *names)
{
	bool absolute = *names->figures == '/';
	const char *slash;

	if (!absolute && !names->state)
		return;
	snprintf(files->figures_file, sizeof(files->figures_file), "%s%s%s",
		 absolute ? "" : names->state, absolute ? "" : "/", names->figures);
	slash = strrchr(files->figures_file, '/');
	look_at(&files->figures, files->figures_file, (size_t)(slash - files->figures_file),
		names->slurm_user);
	files->figures_is_foreign = is_foreign(files->figures_file);
}

void site_files_read(struct site_files *files, const struct site_names *names)
{
	memset(files, 0, sizeof(*files));
	look_at_plugins(files, names);
	if (names->state)
		look_at(&files->state, names->state, strlen(names->state), names->slurm_user);
	if (names->figures && *names->figures)
		look_at_figures(files, names);
}
