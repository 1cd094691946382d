/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * Evaluates formulas with muParser, through its C interface. A struct evaluator is a
 * parser of muParser, whose handles are void pointers. Two kinds of its calls are not
 * used here: those that return text, as they do so in a buffer that all
 * threads share, and those that set the decimal point, as they do so for all parsers
 * of the process. A new parser reads '.' in every locale.
 */
#include "priority/evaluator.h"
#include "priority/functions.h"

#include "core/error.h"

#include <muParserDLL.h>
#include <string.h>

#define MULTIPLICATION_PRECEDENCE 6	/* of * and / (muParserDef.h, prMUL_DIV) */

/* functions of constants are computed once, when the formula is compiled */
static const muBool_t constant_folding = 1;

/* Makes a function or constant known to a parser. */
static void define(muParserHandle_t parser, const struct function *function)
{
	if (!function->most)
		mupDefineConst(parser, function->name, function->value);
	else if (function->of_one)
		mupDefineFun1(parser, function->name, function->of_one, constant_folding);
	else if (function->of_two)
		mupDefineFun2(parser, function->name, function->of_two, constant_folding);
	else
		mupDefineMultFun(parser, function->name, function->of_many, constant_folding);
}

struct evaluator *evaluator_create(struct fathom_error *error)
{
	muParserHandle_t parser = mupCreate(muBASETYPE_FLOAT);
	const struct function *function;

	if (!parser) {
		fathom_error_no_memory(error);
		return NULL;
	}
	mupClearFun(parser);
	mupClearConst(parser);
	for (size_t i = 0; (function = function_at(i)); i++)
		define(parser, function);
	mupDefineOprt(parser, "%", function_modulo, MULTIPLICATION_PRECEDENCE, muOPRT_ASCT_LEFT,
		      constant_folding);
	return parser;
}

void evaluator_destroy(struct evaluator *evaluator)
{
	if (evaluator)
		mupRelease(evaluator);
}

void evaluator_bind(struct evaluator *evaluator, const char *name, double *value)
{
	mupDefineVar(evaluator, name, value);
}

/* muParser compiles the text at the first evaluation. */
int evaluator_compile(struct evaluator *evaluator, const char *text, size_t *position)
{
	size_t length = strlen(text);
	muInt_t at;

	mupSetExpr(evaluator, text);
	mupEval(evaluator);
	if (!mupError(evaluator))
		return 0;
	at = mupGetErrorPos(evaluator);
	*position = at >= 0 && (size_t)at < length ? (size_t)at : length;
	return -1;
}

double evaluator_value(struct evaluator *evaluator)
{
	return mupEval(evaluator);
}
