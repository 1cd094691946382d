#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""How wrong `fathom start` is: start_error.py FATHOM TRACE.swf [INSTANTS [SCHEDULER]]

At random instants of a trace, asks when each pending job starts, and compares with when it did:
in the trace, and in a replay of it. "limits": if run times are as limits say, which is how
slurmctld estimates; "expected": by the part of their limits that jobs used which had ended before.
Prints quartiles of the absolute error, in seconds, as rows of a table.
"""
import csv, io, json, os, random, subprocess, sys, tempfile
from concurrent.futures import ThreadPoolExecutor

fathom, trace = sys.argv[1:3]
instants = int(sys.argv[3]) if len(sys.argv) > 3 else 1000
HISTORIES = 100		# files of jobs that had ended, each at a hundredth of the trace
kept = tempfile.TemporaryDirectory()
folder = kept.name


def read():
    jobs, cpus = [], 0
    for line in open(trace):
        if line.startswith(";"):
            cpus = int(line.split()[2]) if line.startswith("; MaxProcs") else cpus
            continue
        field = [float(word) for word in line.split()]
        size = field[4] if field[4] > 0 else field[7]
        if field[3] > 0 and size > 0 and field[2] >= 0 and field[8] > 0 and size <= cpus:
            jobs.append(dict(id=int(field[0]), submit=field[1], start=field[1] + field[2],
                             run=field[3], cpus=int(size), limit=max(field[8], field[3]),
                             user=f"user{int(field[11])}", line=line))
    return jobs, cpus


def replayed(jobs):
    """The same jobs, as a replay starts them."""
    path = os.path.join(folder, "schedule")
    subprocess.run([fathom, "replay", trace, "--policy", "fcfs", "--schedule", path], check=True,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    start = {int(row["job"]): float(row["start"]) for row in csv.DictReader(open(path))}
    return [dict(job, start=start[job["id"]]) for job in jobs if job["id"] in start]


def history(jobs, number):
    """Writes the jobs that had ended by a part of the trace; returns the file and that time."""
    ends = sorted(job["start"] + job["run"] for job in jobs)
    until = ends[len(ends) * (number + 1) // (HISTORIES + 1)]
    path = os.path.join(folder, f"history{number}.swf")
    with open(path, "w") as out:
        out.writelines(job["line"] for job in jobs if job["start"] + job["run"] <= until)
    return path, until


def snapshot(jobs, cpus, now):
    nodes = [{"id": 1, "parent": None, "name": "root", "kind": "account", "shares": 1, "usage": 0}]
    users = sorted({job["user"] for job in jobs})
    nodes += [{"id": 2 + i, "parent": 1, "name": user, "kind": "user", "shares": 1, "usage": 0}
              for i, user in enumerate(users)]
    rows = []
    for job in jobs:
        row = {"job_id": job["id"], "user": job["user"], "account": "root", "cpus": job["cpus"],
               "time_limit": job["limit"] / 60, "submit_time": job["submit"]}
        if job["start"] <= now:
            row.update(state="RUNNING", start_time=job["start"])
        rows.append(row)
    return {"format": "fathom-snapshot", "version": 1, "time": int(now), "tree": nodes,
            "cluster": {"cpus": cpus, "nodes": cpus}, "jobs": rows,
            "fathom_conf": "Policy=fcfs\n"}


def errors(question):
    jobs, cpus, now, past = question
    there = [job for job in jobs
             if job["submit"] <= now and job["start"] + job["run"] > now]
    if not any(job["start"] > now for job in there):
        return []
    answer = subprocess.run([fathom, "start", "--from", "-", "--history", past, "--json"],
                            input=json.dumps(snapshot(there, cpus, now)), text=True, check=True,
                            capture_output=True).stdout
    start = {job["id"]: job["start"] for job in there}
    return [(abs(job["start"] - start[job["job_id"]]), abs(job["expected"] - start[job["job_id"]]))
            for job in json.loads(answer)["jobs"] if job["start"] is not None]


def quartiles(values):
    values = sorted(values)
    return [values[len(values) * part // 4] for part in (1, 2, 3)]


def main():
    jobs, cpus = read()
    for name, of in ("trace", jobs), ("replay", replayed(jobs)):
        chance = random.Random(1)
        pasts = [history(of, number) for number in range(HISTORIES)]
        begin, end = pasts[0][1], max(job["submit"] for job in of)
        questions = []
        while len(questions) < instants:
            now = float(int(chance.uniform(begin, end)))
            past = max(pasts, key=lambda one: (one[1] <= now, one[1]))[0]
            questions.append((of, cpus, now, past))
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            found = [error for row in pool.map(errors, questions) for error in row]
        for which, label in enumerate(("limits", "expected")):
            row = quartiles([error[which] for error in found])
            print(f"| {name} | {label} | {len(found)} | " + " | ".join(f"{x:,.0f}" for x in row) +
                  " |", flush=True)


main()
