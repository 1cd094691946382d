#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""Asks a Prometheus what Grafana would ask for the dashboard, and for its alerts.

Usage: dashboard.py http://HOST:PORT DASHBOARD.json
Prints a line for each query without an answer, for each curve without a name of its own, and for
each alert that fires or cannot be computed; then how many queries there were.
"""
import json
import re
import sys
import urllib.error
import urllib.parse
import urllib.request


def ask(path, **parameters):
    url = f"{sys.argv[1]}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
    try:
        with urllib.request.urlopen(url, timeout=60) as answer:
            return json.load(answer)["data"]
    except urllib.error.HTTPError as error:
        sys.exit(f"{url}: {error.read().decode()}")


with open(sys.argv[2], encoding="utf-8") as file:
    board = json.load(file)
queries, chosen = 0, {}
for variable in board["templating"]["list"]:
    if variable["type"] == "query":
        metric, label = re.fullmatch(r"label_values\((\w+), (\w+)\)",
                                     variable["query"]["query"]).groups()
        values = ask(f"label/{label}/values", **{"match[]": metric})
        if not values:
            sys.exit(f"variable {variable['name']} has no value")
        chosen["$" + variable["name"]] = values[0]
for panel in board["panels"]:
    names = []
    for target in panel["targets"]:
        expr = re.sub(r"\$\w+", lambda name: chosen[name[0]], target["expr"])
        rows = ask("query", query=expr)["result"]
        queries += 1
        if not rows or "NaN" in [row["value"][1] for row in rows]:
            print(f"{panel['title']}: {expr} has no answer")
        for row in rows:
            names.append(re.sub(r"{{(\w+)}}", lambda label: row["metric"].get(label[1], "?"),
                                target["legendFormat"]))
    if len(set(names)) < len(names) or "?" in "".join(names):
        print(f"{panel['title']}: curves are called {', '.join(names)}")
for group in ask("rules")["groups"]:
    for rule in group["rules"]:
        if rule["health"] != "ok" or rule["state"] != "inactive":
            print(f"{rule['name']}: {rule['health']}, {rule['state']}")
print(queries)
