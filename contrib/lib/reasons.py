# SPDX-License-Identifier: GPL-2.0-or-later
"""Files with a reason for each thing that a script reports and that is no defect.

An entry is a line that names the thing, without the numbers of lines, which
change; below one or several of them, indented by a tab, stands the reason.
Lines that begin with # are comments.
"""
import re

FUNCTION = re.compile(r"^(?=\w)[^;=\n]*?(\w+)\(", re.MULTILINE)  # definitions begin a line


def read_reasons(path):
    """The reason of each entry, "" for none."""
    reasons, entries = {}, []
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("\t"):
            reasons.update((entry, line.strip()) for entry in entries)
            entries = []
        elif line and not line.startswith("#"):
            entries.append(line)
            reasons[line] = ""
    return reasons


def wrong_entries(reasons, known):
    """What is wrong with entries: those that name nothing known, and those without a reason."""
    return ([f"matches nothing: {entry}" for entry in reasons if entry not in known] +
            [f"has no reason: {entry}" for entry, reason in reasons.items() if not reason])
