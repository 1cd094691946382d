#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""What Python makes of a formula for each waiting job in each of its partitions, sharing nothing
with the C code.

Usage: formula.py EXPRESSION JOBS PARTITIONS SHARES ACCOUNTS
JOBS, PARTITIONS: `scontrol --oneliner show job` and `show partition`;
SHARES: `fathom shares --all --json`;
ACCOUNTS: `sacctmgr -nP list assoc format=account,user,priority`.
Prints "JOB:PARTITION PRIORITY", 1 if the expression has no value.
"""
import json
import math
import re
import sys


def records(path):
    for line in open(path):
        yield dict(pair.split("=", 1) for pair in line.split() if "=" in pair)


def tres(text):
    return dict(pair.split("=") for pair in text.split(",") if "=" in pair)


def minutes(text):
    days, clock = text.split("-") if "-" in text else ("0", text)
    hours, minute, _ = clock.split(":")
    return (int(days) * 24 + int(hours)) * 60 + int(minute)


def names_of(job, partition, association, bank):
    wanted = tres(job.get("ReqTRES") or job.get("TRES"))
    memory = wanted.get("mem", "0M")
    names = dict(vars(math), **association)
    names.update(
        ncpus=int(wanted["cpu"]), cpu=int(wanted["cpu"]), nodect=int(wanted["node"]),
        mem=float(memory[:-1]) * {"M": 1024, "G": 1024 ** 2}[memory[-1]],
        walltime=60 * minutes(job["TimeLimit"]), nice=int(job["Nice"]),
        job_priority=-int(job["Nice"]),
        queue_priority=int(partition["PriorityJobFactor"]), bank=bank,
        urgency=min(31, max(0, 16 - int(job["Nice"]))),
        license_matlab=int(wanted.get("license/matlab", 0)),
        fairshare=association["factor"], fairshare_factor=association["factor"],
        fairshare_perc=association["norm_shares"],
        fairshare_tree_usage=association["effective_usage"])
    return names


def priority_by(expression, names):
    try:
        value = eval(expression, {"__builtins__": {"min": min, "max": max, "abs": abs}}, names)
    except (ZeroDivisionError, OverflowError):
        value = 0
    return min(2 ** 32 - 1, max(1, math.floor(value)))


def main():
    expression, jobs, partitions, shares, accounts = sys.argv[1:]
    partition = {p["PartitionName"]: p for p in records(partitions)}
    association = {(a["account"].lower(), a["user"]): a
                   for a in json.load(open(shares))["associations"]}
    bank = {}
    for line in open(accounts):
        account, user, priority = line.rstrip("\n").split("|")
        if not user:
            bank[account] = int(priority or 0)
    for job in records(jobs):
        if job["JobState"] != "PENDING":
            continue
        account, user = job["Account"], re.sub(r"\(.*", "", job["UserId"])
        for name in job["Partition"].split(","):
            names = names_of(job, partition[name], association[account, user], bank[account])
            print(f"{job['JobId']}:{name} {priority_by(expression, names)}")


main()
