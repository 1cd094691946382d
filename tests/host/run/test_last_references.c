/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * A request to slurmctld may be the last reader of an evaluation, of places, of settings. It holds
 * slurmctld's locks, and to give the memory of a large cluster back takes milliseconds. So the
 * plugin's thread does that.
 */
#include "scenario/two_users.h"

#include <malloc.h>
#include <stdatomic.h>

#define SHOWN __attribute__((visibility("default")))	/* to the plugin */
#define USERS 1000
#define SMALL 1000		/* bytes; an evaluation has more for each scheme */

/* A sanitizer has an allocator of its own. */
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define REPLACED 0
#else
#define REPLACED 1
#endif

static __thread size_t freed;		/* bytes, by this thread */
static _Atomic size_t freed_by_all;

#if REPLACED
extern void __libc_free(void *memory);

SHOWN void free(void *memory)
{
	size_t size = malloc_usable_size(memory);

	freed += size;
	freed_by_all += size;
	__libc_free(memory);
}
#endif

/* ---- a request during which all is replaced ------------------------------------------ */

static size_t freed_by_request;

static void pass(void *conf)
{
	if (conf)
		reconfigure(conf);
	else
		host_pass();
	freed = 0;
}

static void set_priority(void *job)
{
	priority_g_set(0, job);
	freed_by_request = freed;
}

static void open_cluster(void)
{
	char name[16];

	two_users_grow("");
	for (int i = 0; i < USERS; i++) {
		snprintf(name, sizeof(name), "user%d", i);
		host_user(physics, name, 1);
	}
	two_users_open();
	two_users_load("Policy=lsf");
}

TEST_LOOP(request_that_reads_last_frees_nothing, 3)
{
	static char *const conf[] = { NULL, "Policy=lsf\nScope=fast Partitions=gpu", "" };
	job_record_t *job;
	size_t before;

	if (!REPLACED)
		return;
	open_cluster();
	job = wait_in(anna, gpu);
	for (int i = 0; i < USERS; i++)
		wait_in(bert, gpu);
	host_pass();
	host_on_release(HOST_ASSOC, READ_LOCK, 1, pass, conf[_i]);
	host_request(set_priority, job);
	ck_assert_uint_lt(freed_by_request, SMALL);
	before = freed_by_all;
	host_pass();
	ck_assert_uint_gt(freed_by_all - before, 3 * USERS * sizeof(double));
}
