#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Slurm's three policies once more, straight from the documents and sharing nothing with the C
code.

Usage: sshare -a -P -n -o Account,User,RawShares,RawUsage | policies.py POLICY
Prints account|user|factor|norm shares|raw usage|effective usage|level fs of every row
but the root's.
"""
import sys
from math import inf, log


class Node:
    def __init__(self, depth, account, user, shares, usage):
        self.depth, self.account, self.user = depth, account, user
        self.is_parent = shares == "parent"
        self.shares = 0 if self.is_parent else int(shares or 1)
        self.usage = float(usage)
        self.children, self.factor = [], 0
        self.level_fs = None


def read(lines):
    path = []
    for line in lines:
        account, user, shares, usage = line.rstrip("\n").split("|")
        node = Node(len(account) - len(account.lstrip()), account.strip(), user, shares, usage)
        del path[node.depth:]
        node.fs_parent = next((n for n in reversed(path) if not n.is_parent), None)
        if node.fs_parent:
            node.fs_parent.children.append(node)
        path.append(node)
        yield node


def figures(node, root, policy):
    """norm and effective usage of one node, its fs parent's being known"""
    above = node.fs_parent
    level = [n for n in above.children if not n.is_parent]
    total = sum(n.shares for n in level)
    share = node.shares / total if total else 0
    node.norm_usage = node.usage / root.usage if root.usage else 0
    node.norm_shares = above.norm_shares if node.is_parent else above.norm_shares * share
    if policy == "fair-tree":
        node.norm_shares = above.norm_shares if node.is_parent else share
        node.effective = node.usage / above.usage if above.usage else 0
        node.level_fs = inf if node.is_parent else 0 if not share else \
            inf if not node.effective else share / node.effective
    elif above is root:
        node.effective = node.norm_usage
    elif node.is_parent:
        node.effective = above.effective
    elif policy == "classic":
        node.effective = node.norm_usage + (above.effective - node.norm_usage) * (
            share if total else 1)
    elif not (node.norm_shares and above.norm_shares and above.effective and node.norm_usage):
        node.effective = node.norm_usage
    else:
        r_parent = above.effective / above.norm_shares
        r_level = sum(n.usage for n in level) / root.usage / above.norm_shares
        r_local = node.norm_usage / node.norm_shares / r_level
        against = log(r_parent) * log(r_local) < -1e-12
        k = 1 / (1 + (5 * log(r_parent)) ** 2) if against else 1
        node.effective = r_parent * r_local ** k * node.norm_shares


def rank(nodes, count, state, tied=False):
    """state: the next rank and the last one given"""
    def same(a, b):
        return a == b or (a != inf and b != inf and abs(a - b) <= 1e-12 * max(a, b))

    nodes = sorted((n for n in nodes if n.user or not n.is_parent), key=lambda n: -n.level_fs)
    groups = []
    for node in nodes:
        if groups and same(groups[-1][-1].level_fs, node.level_fs):
            groups[-1].append(node)
        else:
            groups.append([node])
    for group in groups:
        for node in (n for n in group if n.user):
            if not tied:
                state["given"] = state["next"]
            node.factor = state["given"] / count
            state["next"] -= 1
            tied = True
        below = [child for n in group if not n.user for child in n.children]
        if below:
            rank(below, count, state, tied)
        tied = False


def main():
    policy = sys.argv[1]
    root, *nodes = read(sys.stdin)
    root.norm_shares = root.effective = 1
    for node in nodes:
        figures(node, root, policy)
    users = sum(1 for n in nodes if n.user)
    if policy == "fair-tree":
        rank(root.children, users, {"next": users, "given": users})
    for node in nodes:
        counts = node.fs_parent if node.is_parent else node
        if policy != "fair-tree" and counts.norm_shares:
            node.factor = 2 ** (-counts.effective / counts.norm_shares)
        level_fs = "" if node.level_fs is None or node.is_parent else f"{node.level_fs:.6f}"
        print(node.account, node.user, f"{node.factor:.6f}", f"{node.norm_shares:.6f}",
              f"{node.usage:.0f}", f"{node.effective:.6f}", level_fs, sep="|")


main()
