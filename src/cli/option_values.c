/* SPDX-License-Identifier: GPL-2.0-or-later */
#include "cli/option_values.h"

#include "cli/complain.h"
#include "policy/conf.h"
#include "policy/settings_layout.h"

#include <errno.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* ---- policies, settings, formats -------------------------------------------------- */

int take_policy_name(const char *value, const struct fathom_policy **policy)
{
	char list[256];

	*policy = fathom_policy_find(value);
	if (*policy)
		return 0;
	return complain("--policy: '%s' is unknown, must be one of %s", value,
			conf_policy_list(list, sizeof(list)));
}

int take_format_name(const char *value, bool names_columns, const struct format **format)
{
	char list[256];

	*format = format_find(value);
	if (*format && (*format)->read)
		return 0;
	if (strpbrk(value, ",%") || names_columns)
		return complain("--format: '%s' names columns; give these to -o or --output, here the "
				"format of --from is named: %s", value, format_list(list, sizeof(list)));
	return complain("--format: '%s' is unknown, must be %s", value,
			format_list(list, sizeof(list)));
}

int sets_add(struct sets *sets, const char *value)
{
	if (!strchr(value, '='))
		return complain("--set: '%s' has no '=', must be KEY=VALUE", value);
	if (sets->count == MOST_SETS)
		return complain("--set: given more than %d times", MOST_SETS);
	sets->set[sets->count++] = value;
	return 0;
}

const char *set_split(const char *set, char *key, size_t size)
{
	size_t length = strcspn(set, "=");

	snprintf(key, size, "%.*s", (int)(length < size ? length : size), set);
	return set + length + 1;
}

int settings_set(const struct fathom_policy *policy, struct fathom_settings *settings,
		 const char *key, const char *value, struct fathom_error *error)
{
	struct fathom_settings before = *settings;
	struct fathom_formula *formula;
	struct fathom_error of_formula;

	if (fathom_settings_set(policy, settings, key, value, error))
		return -1;
	if (!strcmp(before.formula, settings->formula))
		return 0;
	formula = fathom_formula_create(settings->formula, NULL, NULL, &of_formula);
	fathom_formula_destroy(formula);
	/* without a parser there is nothing to check with */
	if (formula || of_formula.code == ENOSYS)
		return 0;
	*error = of_formula;
	return -1;
}

/* ---- lists of names ------------------------------------------------------------------ */

bool list_has(const char *list, const char *name)
{
	size_t length = strlen(name);

	for (;; list++) {
		size_t item = strcspn(list, ",");

		if (item == length && !strncasecmp(list, name, length))
			return true;
		list += item;
		if (!*list)
			return false;
	}
}

int list_append(char **list, const char *option, const char *names)
{
	char *joined;

	if (!names[strspn(names, ",")])
		return complain("%s: no name given", option);
	if (asprintf(&joined, "%s%s%s", *list ? *list : "", *list ? "," : "", names) < 0)
		return complain("%s: out of memory", option);
	free(*list);
	*list = joined;
	return 0;
}

static int append_user(char **list, const char *option, const char *name)
{
	const struct passwd *known;
	char *end;
	unsigned long uid = strtoul(name, &end, 10);

	if (*name < '0' || *name > '9' || *end)
		return list_append(list, option, name);
	known = getpwuid((uid_t)uid);
	if (!known)
		return complain("%s: no user has the id %s", option, name);
	return list_append(list, option, known->pw_name);
}

int list_append_users(char **list, const char *option, const char *names)
{
	char *copy, *rest, *name;
	int status = 0;

	if (!names[strspn(names, ",")])
		return complain("%s: no name given", option);
	copy = rest = strdup(names);
	if (!copy)
		return complain("%s: out of memory", option);
	while (!status && (name = strsep(&rest, ",")))
		if (*name)
			status = append_user(list, option, name);
	free(copy);
	return status;
}

/* ---- help ------------------------------------------------------------------------------ */

/* What may be given, by type, and how the default is written. */
void help_setting(const struct fathom_setting *setting)
{
	static const char *const words[] = {
		[FATHOM_NUMBER] = "number", [FATHOM_CHOICE] = "", [FATHOM_SWITCH] = "yes | no",
		[FATHOM_DURATION] = "duration", [FATHOM_INTEGER] = "integer",
		[FATHOM_FORMULA] = "formula",
	};

	printf("      %s = %s", setting->name, words[setting->type]);
	for (size_t i = 0; setting->type == FATHOM_CHOICE && setting->choices[i]; i++)
		printf("%s%s", i ? " | " : "", setting->choices[i]);
	if (setting->low_open)
		printf(" above %.10g", setting->low);
	if (setting->high_open)
		printf(" and below %.10g", setting->high);
	if (setting->type == FATHOM_CHOICE)
		printf(", by default %s\n", setting->choices[(size_t)setting->standard]);
	else if (setting->type == FATHOM_SWITCH)
		printf(", by default %s\n", setting->standard > 0 ? "yes" : "no");
	else if (setting->type == FATHOM_FORMULA)
		printf(", by default %s\n", setting->standard_formula);
	else
		printf(", by default %.10g\n", setting->standard);
	printf("          %s\n", setting->meaning);
}

void help_policies(void)
{
	printf("\nPolicies, and what --set takes:\n");
	for (size_t i = 0; i < fathom_policy_count(); i++) {
		const struct fathom_policy *policy = fathom_policy_at(i);

		printf("  %s: %s\n", fathom_policy_name(policy), fathom_policy_summary(policy));
		for (size_t j = 0; j < fathom_policy_setting_count(policy); j++)
			help_setting(fathom_policy_setting(policy, j));
	}
}

void help_formats(bool of_jobs)
{
	printf("\nFormats of --from:\n");
	for (size_t i = 0; i < format_count(); i++)
		if (of_jobs || format_at(i)->read)
			printf("  %-11s %s\n", format_at(i)->name, format_at(i)->summary);
}

/* ---- input ----------------------------------------------------------------------------- */

int complain_of_no_shadow(const char *name, bool is_cluster)
{
	return complain("--shadow: %s knows no shadow policy; %s", name, is_cluster ?
			"ShadowPolicy in fathom.conf names one" :
			"the FiguresFile of a cluster with ShadowPolicy does");
}

int complain_of_input(const struct input *input, const struct fathom_error *error)
{
	if (input->line)
		return complain("%s:%zu: %s", input->name, input->line, error->text);
	return complain("%s: %s", input->name, error->text);
}
