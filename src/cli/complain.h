/* SPDX-License-Identifier: GPL-2.0-or-later */
/* Errors and remarks on stderr, and exit statuses. */
#pragma once

#include "core/list_text.h"
#include "core/suggestion.h"

#include <stdbool.h>

struct document;
struct failure;

/* Exit statuses. EXIT_NO: the answer is no; EXIT_WRONG: wrong use or bad input. */
enum { EXIT_DONE, EXIT_NO, EXIT_WRONG };

/* Prints an error, one line "fathom: ...", on stderr. Returns EXIT_WRONG. */
int complain(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints what document_try() has caught, "fathom: FILE:LINE: ...", unless it is from end_told() or
 * end_done(). Returns the exit status: EXIT_DONE after end_done(), else EXIT_WRONG. */
int complain_of_failure(const struct failure *failure);
/* Lets all later errors end in this text, which tells what the command has done: an error, such as
 * of a full disk when that is printed, does not undo it. */
void complain_of_done(const char *text);
/* Prints an error as complain() does, and ends the command with EXIT_WRONG. */
_Noreturn void refuse(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Ends the command with EXIT_WRONG after an error that has been printed. */
_Noreturn void end_told(void);
/* Ends the command with EXIT_DONE, as an option such as --help does. */
_Noreturn void end_done(void);
/* Refuses an unknown word; the message ends in the suggestion, if there is one. */
_Noreturn void refuse_unknown(const struct suggestion *suggestion, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* Returns whether a list has suggestion->word, in small or capital letters if ignores_case. If not,
 * the suggestion gets the most similar name of the list. "" in the list is not a name. */
bool names_have(struct name_list names, bool ignores_case, struct suggestion *suggestion);
/* In a build without libslurm, ends the command with an error: this option must be given. */
void need_libslurm(const char *option);
/* Keeps a warning, one line "fathom: ...", for print_remarks(). A text is printed only once, as
 * files may be read for several purposes. A command that ends with an error does not print it. */
void remark(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Prints the warnings so far on stderr. */
void print_remarks(void);
/* Keeps as a warning what a reader of a file left out, if it left out anything. */
void remark_left_out(const struct document *input);
