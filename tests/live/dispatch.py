#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""LSF's order of dispatch once more, job by job in exact fractions, sharing nothing with the C
code. Nothing has been used or runs.

Usage: sshare -a -P -n -o Account,User,RawShares | dispatch.py JOB:ACCOUNT:USER:CPUS...
Jobs are given as they were submitted. Prints their ids in the order of dispatch.
"""
import sys
from fractions import Fraction

RUN_JOB_FACTOR = 3


class Node:
    def __init__(self, account, user, shares):
        self.account, self.user, self.shares = account, user, int(shares or 1)
        self.children, self.jobs, self.slots = [], [], 0

    def priority(self):
        return Fraction(self.shares, (1 + self.slots) * RUN_JOB_FACTOR)

    def first(self):
        """its first job that waits, as a number; None without one"""
        return min([job[0] for job in self.jobs] +
                   [n.first() for n in self.children if n.first() is not None], default=None)


def read(lines):
    path = []
    for line in lines:
        account, user, shares = line.rstrip("\n").split("|")
        node = Node(account.strip(), user, shares)
        del path[len(account) - len(account.lstrip()):]
        if path:
            path[-1].children.append(node)
        path.append(node)
        yield node


def dispatch(root):
    path = [root]
    while path[-1].children:
        waiting = [n for n in path[-1].children if n.first() is not None]
        path.append(max(waiting, key=lambda n: (n.priority(), -n.first())))
    _, name, cpus = path[-1].jobs.pop(0)
    for node in path:
        node.slots += cpus
    return name


nodes = list(read(sys.stdin))
for number, job in enumerate(sys.argv[1:]):
    name, account, user, cpus = job.split(":")
    owner = next(n for n in nodes if n.user == user and n.account == account)
    owner.jobs.append((number, name, int(cpus)))
while nodes[0].first() is not None:
    print(dispatch(nodes[0]))
