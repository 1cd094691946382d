/* SPDX-License-Identifier: GPL-2.0-or-later */
/* The usage by which fairness is measured, over more half-lives than one epoch has. */
#include "../unit.h"

#include "replay/replay_figures.h"

TEST(usage_keeps_its_proportions_when_the_epoch_moves)
{
	struct yardstick yardstick;
	double integral;

	yardstick_create(&yardstick, 2, 1);
	yardstick_take(&yardstick, 0, 3, 0);
	yardstick_take(&yardstick, 1, 1, 40);
	yardstick_integral(&yardstick, 60);
	ck_assert(yardstick.epoch == 60);
	integral = yardstick_integral(&yardstick, 100);
	unit_assert_near(yardstick_used(&yardstick, 0, integral) /
				 yardstick_used(&yardstick, 1, integral), 3, "usage", "node 0");
}
