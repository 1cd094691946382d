/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * muParser, by its C interface. What of that returns text, or names variables,
 * does so in a buffer that all threads share, and is not called; neither is
 * what sets the decimal point, for all parsers at once. A parser begins with
 * the point in any locale.
 */
#include "priority/evaluator.h"
#include "priority/functions.h"

#include "core/error.h"

#include <errno.h>
#include <muParserDLL.h>
#include <string.h>

#define OF_MULTIPLICATION 6	/* precedence of * and / (muParserDef.h, prMUL_DIV) */

static muParserHandle_t parser_of(struct evaluator *evaluator)
{
	return evaluator;
}

static void define(muParserHandle_t parser, const struct function *function)
{
	const muBool_t constant_folding = 1;

	if (function->of_one)
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
	const struct constant *constant;

	if (!parser) {
		fathom_error_set(error, ENOMEM, "out of memory");
		return NULL;
	}
	mupClearFun(parser);
	mupClearConst(parser);
	for (size_t i = 0; (function = function_at(i)); i++)
		define(parser, function);
	for (size_t i = 0; (constant = constant_at(i)); i++)
		mupDefineConst(parser, constant->name, constant->value);
	mupDefineOprt(parser, "%", function_modulo, OF_MULTIPLICATION, muOPRT_ASCT_LEFT, 1);
	return parser;
}

void evaluator_destroy(struct evaluator *evaluator)
{
	if (evaluator)
		mupRelease(parser_of(evaluator));
}

void evaluator_bind(struct evaluator *evaluator, const char *name, double *value)
{
	mupDefineVar(parser_of(evaluator), name, value);
}

/* The first evaluation translates. */
int evaluator_compile(struct evaluator *evaluator, const char *text, size_t *position)
{
	muParserHandle_t parser = parser_of(evaluator);
	size_t length = strlen(text);
	muInt_t at;

	mupSetExpr(parser, text);
	mupEval(parser);
	if (!mupError(parser))
		return 0;
	at = mupGetErrorPos(parser);
	*position = at >= 0 && (size_t)at < length ? (size_t)at : length;
	return -1;
}

double evaluator_value(struct evaluator *evaluator)
{
	return mupEval(parser_of(evaluator));
}
