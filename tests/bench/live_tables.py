#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Usage: live_tables.py FOLDER

What tests/bench/live has written, one folder a run named PLUGIN.PERIOD.ROUND, as tables in
Markdown.
"""
import re
import sys
from bisect import bisect_left
from collections import defaultdict
from pathlib import Path
from statistics import mean

PLUGINS = "multifactor", "fathom"
SDIAG = (  # what, section of sdiag's answer, pattern
    ("main scheduler: cycles", "Main sched", r"Total cycles: *(\d+)"),
    ("main scheduler: mean cycle, us", "Main sched", r"Mean cycle: *(\d+)"),
    ("main scheduler: longest cycle, us", "Main sched", r"Max cycle: *(\d+)"),
    ("backfill: cycles", "Backfilling", r"Total cycles: *(\d+)"),
    ("backfill: mean cycle, us", "Backfilling", r"Mean cycle: *(\d+)"),
    ("backfill: longest cycle, us", "Backfilling", r"Max cycle: *(\d+)"),
)
RPCS = ("REQUEST_JOB_INFO", "REQUEST_JOB_USER_INFO", "REQUEST_PRIORITY_FACTORS",
        "REQUEST_SHARE_INFO",
        "REQUEST_UPDATE_JOB", "REQUEST_SUBMIT_BATCH_JOB", "REQUEST_KILL_JOB", "REQUEST_PING")


class Run:
    def __init__(self, folder):
        self.plugin, self.period, _ = folder.name.split(".")
        self.passes = [tuple(map(int, line.split())) for line in lines(folder / "passes")]
        requests = [line.rstrip("\n").split("\t") for line in lines(folder / "requests")]
        self.requests = [(name, int(begin), int(end)) for name, begin, end, _ in requests]
        self.failed = sum(status != "0" for *_, status in requests)
        first = min(begin for _, begin, _ in self.requests)
        last = max(end for *_, end in self.requests)
        self.passes = [p for p in self.passes if p[1] > first and p[0] < last]
        self.ends = [end for _, end in self.passes]
        self.sdiag = (folder / "sdiag").read_text()
        self.threads = [int(line) for line in lines(folder / "threads")]
        self.commands = {name: (int(times), int(failed))
                         for name, times, failed in map(str.split, lines(folder / "commands"))}

    def meets_pass(self, begin, end):
        first = bisect_left(self.ends, begin)
        return first < len(self.passes) and self.passes[first][0] < end


def lines(path):
    with open(path, encoding="utf-8") as file:
        return list(file)


def percentile(values, percent):
    """The nearest rank; values are sorted."""
    return values[max(0, -(-len(values) * percent // 100) - 1)]


def table(title, head, rows):
    rows = list(rows)
    if not rows:
        return
    print(f"\n{title}\n\n| {' | '.join(head)} |\n|{'---|' * len(head)}")
    for row in rows:
        print(f"| {' | '.join(map(str, row))} |")


def milliseconds(value):
    return f"{value:.1f}" if value >= 9.95 else f"{value:.2f}"


def latencies(runs, during_pass):
    found = defaultdict(lambda: {plugin: [] for plugin in PLUGINS})
    for run in runs:
        for name, begin, end in run.requests:
            if not during_pass or run.meets_pass(begin, end):
                found[name][run.plugin].append((end - begin) / 1e6)
    return found


def latency_table(title, runs, during_pass):
    rows = []
    for name, times in latencies(runs, during_pass).items():
        both = [sorted(times[plugin]) for plugin in PLUGINS]
        if not all(both):
            continue
        row = [name, " / ".join(str(len(values)) for values in both)]
        for percent in 50, 99, 100:
            stock, ours = (percentile(values, percent) for values in both)
            row += [milliseconds(stock), milliseconds(ours), f"{ours / stock:.2f}"]
        rows.append(row)
    head = ["request", "count"]
    for what in "median", "99 %", "longest":
        head += [f"{what}: multifactor", "fathom", "ratio"]
    table(title, head, rows)


def pass_table(runs):
    rows = []
    for plugin in PLUGINS:
        for period in "60", "1":
            took = sorted((end - begin) / 1e6 for run in runs
                          if (run.plugin, run.period) == (plugin, period)
                          for begin, end in run.passes)
            if took:
                rows.append([plugin, period, len(took)] +
                            [milliseconds(percentile(took, p)) for p in (50, 99, 100)])
    table("Passes, ms, from waking up to going to sleep", ["plugin", "a pass every, s", "passes",
          "median", "99 %", "longest"], rows)


def section(text, title):
    """From the line that begins with title to the next empty line; without title all."""
    match = re.search(rf"^{title}.*?(?:\n\n|\Z)", text, re.M | re.S) if title else None
    return match.group() if match else text


def sdiag_figure(runs, title, pattern):
    found = [re.search(pattern, section(run.sdiag, title)) for run in runs]
    return " ".join(match.group(1) if match else "-" for match in found)


def sdiag_rows(runs):
    groups = [[run for run in runs if run.plugin == plugin] for plugin in PLUGINS]
    yield ["server threads: mean"] + [
        " ".join(f"{mean(run.threads):.1f}" for run in group) for group in groups]
    yield ["server threads: most"] + [
        " ".join(str(max(run.threads)) for run in group) for group in groups]
    for what, title, pattern in SDIAG:
        yield [what] + [sdiag_figure(group, title, pattern) for group in groups]
    for name in RPCS:
        yield [f"{name}: mean, us"] + [
            sdiag_figure(group, "", rf"{name} .*ave_time:(\d+)") for group in groups]


def main():
    runs = [Run(folder) for folder in sorted(Path(sys.argv[1]).iterdir()) if folder.is_dir()]
    often = [run for run in runs if run.period == "1"]
    latency_table("Latency, ms, a pass a minute",
                  [run for run in runs if run.period == "60"], False)
    latency_table("Latency, ms, a pass a second", often, False)
    latency_table("Latency, ms, a pass a second: of what was under way during a pass", often, True)
    pass_table(runs)
    for period in "60", "1":
        some = [run for run in runs if run.period == period]
        table(f"sdiag, a pass every {period} s; one figure a round",
              ["figure", *PLUGINS], sdiag_rows(some))
    print()
    for run in runs:
        commands = ", ".join(f"{name} {times} ({failed})"
                             for name, (times, failed) in sorted(run.commands.items()))
        print(f"{run.plugin}, {run.period} s: {run.failed} of {len(run.requests)} requests failed; "
              f"commands ran (failed): {commands}")


main()
