# SPDX-License-Identifier: GPL-2.0-or-later
"""Usage: check.py DATA PAGE NOTEBOOK: tests of the package fathom, in the Test Anything Protocol.

PAGE and NOTEBOOK have examples, which print what stands there. FATHOM_WRITE=1 writes it there.
"""
import contextlib
import copy
import gc
import io
import json
import os
import pickle
import random
import re
import subprocess
import sys
import traceback
import warnings

import numpy as np
import pandas

import fathom

DATA, PAGE, NOTEBOOK = sys.argv[1:]
RESOURCES = ["cpu_time", "run_time", "hist_run_time", "committed_run_time", "job_slots", "memory",
             "adjustment", "reserved_slots"]


def command(*arguments, given=""):
    return json.loads(subprocess.run(["fathom", *arguments, "--json"], input=given, check=True,
                                     capture_output=True, text=True).stdout)


def document(nodes):
    return json.dumps({"format": "fathom-tree", "version": 1, "nodes": nodes})


def random_nodes(chance):
    """A tree with shares "parent" and 0, users without usage, and sums of LSF in half of them."""
    nodes, accounts = [], [0]
    for i in range(chance.randint(2, 60)):
        is_user = i > 0 and chance.random() < .6
        nodes.append({
            "id": i, "parent": chance.choice(accounts) if i else None, "name": f"n{i}",
            "kind": "user" if is_user else "account",
            "shares": chance.choice(["parent", 0, 1, 1, chance.randint(1, 100)]),
            "usage": chance.choice([0, chance.random() * 10 ** chance.randint(0, 8)])})
        if is_user and chance.random() < .5:
            nodes[-1].update((key, chance.random() * 1000) for key in RESOURCES)
        if not is_user:
            accounts.append(i)
    chance.shuffle(nodes)
    return nodes


def number(value):
    return float("nan" if value is None else value)


def differences(result, answer):
    """Counts the figures of the command's JSON that are not, bit for bit, those of a result."""
    row = {one: i for i, one in enumerate(result.tree.rows["id"].tolist())}
    assert answer["policy"] == result.policy
    assert len(answer["associations"]) == len(row)
    count = 0
    for name in result.columns:
        key, column = {"usage": "raw_usage"}.get(name, name), result[name]
        for association in answer["associations"]:
            if key in association or name != "usage_perc":  # which only order=path shows
                one, other = number(association[key]), column[row[association["id"]]]
                is_same = np.float64(one).tobytes() == other.tobytes()
                count += not is_same and not np.isnan([one, other]).all()
    return count


def figures_are_those_of_the_command_on_100_random_trees():
    for seed in range(100):
        nodes = random_nodes(random.Random(seed))
        answers = command("shares", "--from=-", "--policy=" + ",".join(fathom.policies()),
                          given=document(nodes))["policies"]
        frame = pandas.DataFrame(nodes, index=[f"row {i}" for i in range(len(nodes))])
        for tree in fathom.Tree.from_dicts(nodes), fathom.Tree(frame):
            for answer in answers:
                assert differences(tree.evaluate(answer["policy"]), answer) == 0, (seed, answer)
    assert len(answers) == len(fathom.policies()) >= 7


def figures_are_those_of_the_command_for_files_of_sites():
    for files in (["demo.sshare"], ["pbs/example_resource_group", "pbs/example_sched_config"],
                  ["lsf/lsb.users", "lsf/lsb.queues", "lsf/lsb.params"],
                  ["swf/gofree_sample.swf.xz"], ["l1.json"], ["c1.json"], ["f1.json"], ["p1.json"],
                  ["figures/shadow.json"], ["snapshot/by-hand.json"]):
        paths = [os.path.join(DATA, file) for file in files]
        scope = "night" if "lsf/lsb.queues" in files else None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            tree = fathom.Tree.read(*paths, scope=scope)
            for policy in [None, *fathom.policies()]:
                answer = command("shares", *[f"--from={path}" for path in paths],
                                 *([f"--scope={scope}"] if scope else []),
                                 *([f"--policy={policy}"] if policy else []))
                assert differences(tree.evaluate(policy), answer) == 0, (files, policy)


def settings_are_those_of_the_command():
    path = os.path.join(DATA, "t3.json")
    tree = fathom.Tree.read(path)
    for policy, name, value in (
            ("classic", "dampening_factor", 2.5), ("Fair_Tree", "TieMode", "slurm"),
            ("pbs", "order", "path"), ("pbs", "fairshare_enforce_no_shares", True),
            ("lsf", "run_time_factor", 1e-3)):
        word = "yes" if value is True else value
        answer = command("shares", f"--from={path}", f"--policy={policy}", f"--set={name}={word}")
        result = tree.evaluate(policy, **{name: value})
        assert differences(result, answer) == 0, policy
        assert answer["settings"] == result.settings


def settings_are_those_of_the_files_after_a_change_of_folder():
    path, before = os.path.join(DATA, "snapshot/by-hand.json"), os.getcwd()
    tree = fathom.Tree.read(os.path.relpath(path))
    os.chdir("/")
    try:
        for policy in None, "pbs":
            result = pickle.loads(pickle.dumps(tree)).evaluate(policy)
            answer = command("shares", f"--from={path}",
                             *([f"--policy={policy}"] if policy else []))
            assert (result.policy, result.settings) == (answer["policy"], answer["settings"])
        assert fathom.explain(tree, "ada")["policy"] == tree.evaluate().policy
    finally:
        os.chdir(before)


def trees_are_read_only_and_have_no_negative_zero():
    columns = {"id": [1, 2, 3], "parent": [None, 1, 1], "kind": ["account"] + ["user"] * 2,
               "shares": [1, 1, 1], "memory": [0, 1, 2], "partition": [None, "p", "p"]}
    tree = fathom.Tree({**columns, "usage": np.array([0, -0.0, 5])})
    assert tree.evaluate("fair-tree").rank[1:].tolist() == [1, 2]
    for column in tree.rows, tree.name, tree.partition, tree.resources["memory"]:
        assert not column.flags.writeable


def rows_keep_their_order_and_a_frame_comes_back():
    frame = pandas.DataFrame({
        "id": [7, 3, 9], "parent": pandas.array([9, 9, None], dtype="Int64"),
        "kind": ["user", "account", "account"], "shares": [1, "parent", 1], "usage": [4.5, 0, 0]})
    tree = fathom.Tree(frame)
    assert tree.name.tolist() == ["7", "3", "9"] and tree.rows["raw_shares"][1] == 2**32 - 1
    assert tree.evaluate().rank[0] == 1 and np.isnan(tree.evaluate().rank[1:]).all()
    assert tree.evaluate()["usage"].tolist() == [4.5, 0, 4.5]
    again = fathom.Tree(tree.to_frame())
    assert (again.rows == tree.rows).all() and again.to_dicts() == tree.to_dicts()
    ordered = fathom.Tree(frame, reorder=True)
    assert ordered.rows["id"].tolist() == [9, 7, 3]
    assert ordered.evaluate()["usage"].tolist() == [4.5, 4.5, 0]
    named = fathom.Tree({**tree.to_frame(), "name": [None, "c", float("nan")],
                         "shares": [np.int64(1), "parent", np.float64(2)]})
    assert named.name.tolist() == ["7", "c", "9"] and named.rows["raw_shares"][2] == 2
    assert fathom.Tree.from_dicts([
        {"id": 1, "parent": None, "kind": "account", "shares": 1},
        {"id": 2, "parent": 1, "kind": "user", "shares": 1, "usage": 5}]).rows["usage"][0] == 0
    hidden = fathom.Tree({**tree.to_frame(), "parent": np.ma.masked_equal([9, 9, -1], -1),
                          "name": np.ma.array(["x", "c", "y"], mask=[True, False, False])})
    assert hidden.rows["is_root"].tolist() == [False, False, True]
    assert hidden.name.tolist() == ["7", "c", "y"]
    changed = tree.replace(usage=[1, 0, 0], shares=[5, 1, 1])
    assert changed.evaluate()["usage"].tolist() == [1, 0, 1] and tree.rows["usage"][0] == 4.5
    own = named.replace(shares=named.rows["raw_shares"])
    assert own.rows["raw_shares"].tolist() == [1, 4294967295, 2]


def columns_lie_in_the_memory_of_the_library():
    result = fathom.Tree.read(os.path.join(DATA, "demo.sshare")).evaluate("classic")
    column, address = result.factor, result._address["factor"]
    values = column.tolist()
    assert column.__array_interface__["data"] == (address, True) and not column.flags.owndata
    assert np.shares_memory(column, result.factor) and not np.shares_memory(column, result["usage"])
    del result
    gc.collect()
    for _ in range(100):  # what the freed memory would be used for
        fathom.Tree.read(os.path.join(DATA, "c1.json")).evaluate() if _ == 0 else np.ones(13)
    assert np.array_equal(column, values, equal_nan=True)


def columns_are_valid_until_the_interpreter_ends():
    path = os.path.join(DATA, "demo.sshare")
    code = ("import atexit\natexit.register(lambda: print(column.tolist()))\nimport fathom\n"
            f"column = fathom.Tree.read({path!r}).evaluate('classic').factor\n"
            "print(column.tolist())")
    lines = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True,
                           check=True).stdout.splitlines()
    assert len(lines) == 2 and lines[0] == lines[1]


def copies_and_pickles_are_objects_of_their_own():
    tree = fathom.Tree.read(os.path.join(DATA, "memory.json"))
    result = tree.replace(usage=tree.rows["usage"] + 1).evaluate("pbs", unknown_shares=3)
    dumped = pickle.dumps(result)
    copies = [copy.copy(result), copy.deepcopy(result)]
    want = result.to_frame(), result.settings, result.tree.to_dicts()
    address = result._handle._as_parameter_
    del result
    gc.collect()
    copies.append(pickle.loads(dumped))
    for one in copies:
        assert one.to_frame().equals(want[0]) and one.settings == want[1]
        assert one.tree.to_dicts() == want[2] and not one.tree.rows.flags.writeable
    assert len({address, *(one._handle._as_parameter_ for one in copies[:2])}) == 3


def comparisons_are_those_of_the_command():
    path = os.path.join(DATA, "f1.json")
    tree = fathom.Tree.read(path)
    compared = fathom.compare(tree.evaluate("fair-tree"), tree.evaluate("classic"))
    lines = subprocess.run(
        ["fathom", "shares", "--from", path, "--policy=fair-tree,classic", "-UPn", "-o",
         "User,Change"], capture_output=True, text=True, check=True).stdout.split()
    change = dict(line.split("|") for line in lines)
    frame = compared.to_frame().dropna(subset=["user"])
    assert len(frame) == len(change) and any(frame["change_1"] != 0)
    assert dict(zip(frame["user"], frame["change_1"])) == {
        user: float(one) for user, one in change.items()}


def explanations_are_those_of_the_command():
    path, jobs = (os.path.join(DATA, name) for name in ("demo.sshare", "jobs/demo.json"))
    tree = fathom.Tree.read(path)
    said = fathom.explain(tree, "user3", "user1")
    answer = command("explain", "user3", "user1", "--from", path)
    assert said["path"][-1].pop("level_fs") == float(answer["path"][-1].pop("level_fs")) == np.inf
    assert said == answer and said["change"]["to"] == 38
    said = fathom.explain(tree, "user3", policy="classic", settings={"dampening_factor": 2})
    assert said == command("explain", "user3", "--from", path, "--policy=classic",
                           "--set=dampening_factor=2")
    assert fathom.explain([jobs, path], 7, policy="classic") == command(
        "explain", "7", "--from", jobs, "--from", path, "--policy=classic")
    idle = fathom.Tree({"id": [1, 2, 3], "parent": [None, 1, 1], "kind": ["account"] + ["user"] * 2,
                        "name": ["root", "ada", "bob"], "shares": [1, 0, 1], "usage": [0, 5, 5]})
    of_pbs = fathom.explain(idle, "ada", policy="pbs", settings={"order": "path"})
    assert of_pbs["path"][-1]["usage_perc"] == np.inf
    never = fathom.explain(tree, "user2", until=1, policy="classic")
    assert never["recover"]["seconds"] is None


def replays_are_those_of_the_command():
    path = os.path.join(DATA, "swf/small.swf")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        replay = fathom.replay(path, policies=["fair-tree", "fcfs"], cpus=4,
                               settings={"half_life": ["1d", "7d"]})
    answer = command("replay", path, "--policy=fair-tree,fcfs", "--set=half_life=1d",
                     "--set=half_life=7d", "--cpus=4")
    for row in [*replay.rows, *answer["policies"]]:
        row["wall_seconds"] = 0
    assert replay.rows == answer["policies"] and replay.trace == answer["trace"]
    assert len(replay.to_frame()) == len(replay.rows) == 4


def errors_are_one_clear_line():
    tree = fathom.Tree.read(os.path.join(DATA, "c1.json"))
    columns = {"id": [1, 2], "parent": [None, 1], "kind": ["account", "user"], "shares": [1, 1]}
    policies = ", ".join(fathom.policies())
    for call, row, message in (
            (lambda: tree.evaluate("fairtree"), None,
             f"there is no policy 'fairtree', must be one of {policies}"),
            (lambda: tree.evaluate("classic", damp=1), None,
             "classic has no setting 'damp', it has dampening_factor"),
            (lambda: tree.evaluate("classic", dampening_factor=-1), None,
             "dampening_factor: -1 is out of range, must be greater than 0"),
            (lambda: tree.evaluate()["order"], None,
             "fair-tree has no column 'order', must be one of usage, "
             "norm_shares, norm_usage, effective_usage, factor, level_fs, rank"),
            (lambda: fathom.Tree.read("/none"), None, "/none: No such file or directory"),
            (lambda: fathom.Tree({**columns, "parent": [None, 3]}), 1,
             "row 1: parent 3 does not exist"),
            (lambda: fathom.Tree({**columns, "id": [1, 2.5]}), 1,
             "row 1: id is 2.5, must be an integer"),
            (lambda: fathom.Tree({**columns, "shares": np.array([1, -1])}), 1,
             "row 1: shares is -1, must be an integer from 0 to 4294967294, or 'parent'"),
            (lambda: fathom.Tree({**columns, "kind": ["account", "pool"]}), 1,
             "row 1: kind is 'pool', must be 'account' or 'user'"),
            (lambda: fathom.Tree({**columns, "usage": [0, float("nan")]}), 1,
             "row 1: usage is nan, must be a number of 0 or more"),
            (lambda: fathom.Tree({**columns, "usage": [0, "x"]}), 1,
             "row 1: usage is 'x', must be a number of 0 or more"),
            (lambda: fathom.Tree({**columns, "usage": [0, 10**400]}), 1,
             f"row 1: usage is {10**400}, must be a number of 0 or more"),
            (lambda: fathom.Tree({**columns, "usage": [[0], [1]]}), 0,
             "row 0: usage is [0], must be a number of 0 or more"),
            (lambda: fathom.Tree({**columns, "shares": [1, [1, 2]]}), 1,
             "row 1: shares is [1, 2], must be an integer from 0 to 4294967294, or 'parent'"),
            (lambda: tree.replace(usage=np.ma.masked_less(tree.rows["usage"] + 1, 2)), 1,
             "row 1: usage is None, must be a number of 0 or more"),
            (lambda: fathom.Tree({**columns, "kind": ["account", pandas.NA]}), 1,
             "row 1: kind is <NA>, must be 'account' or 'user'"),
            (lambda: fathom.Tree({**columns, "shares": {"a": 1, "b": 2}}), None,
             "shares must be a column, one value for each association"),
            (lambda: fathom.Tree({**columns, "shares": {1, 2}}), None,
             "shares must be a column, one value for each association"),
            (lambda: tree.evaluate("classic\0"), None, "'classic\\x00' is not a text"),
            (lambda: tree.evaluate("\ud800"), None, "'\\ud800' is not a text"),
            (lambda: fathom.explain(tree, "a\0"), None,
             "cannot run the command fathom: embedded null byte"),
            (lambda: fathom.explain(tree, "u1", out="/none"), None,
             "there is no option 'out' here: the answer is what is returned"),
            (lambda: fathom.Tree({**columns, "memory": [0, -1]}), 1,
             "row 1: memory is -1, must be a number of 0 or more"),
            (lambda: fathom.Tree({**columns, "usage": [1]}), None, "usage has 1 values, id has 2"),
            (lambda: fathom.Tree({"id": [1]}), None, "there is no column 'parent'"),
            (lambda: fathom.Tree({**columns, "shares": 1}), None,
             "shares must be a column, one value for each association"),
            (lambda: tree.replace(usage=np.ones((12, 2))), None,
             "usage must be a column, one value for each association"),
            (lambda: fathom.Tree({**columns, "shares": [1, pandas.NA]}), 1,
             "row 1: shares is <NA>, must be an integer from 0 to 4294967294, or 'parent'"),
            (lambda: fathom.Tree({**columns, "usage": [1e308, 1e308]}), None,
             "the sum of usage is out of range"),
            (lambda: tree.evaluate(5), None,
             f"there is no policy '5', must be one of {policies}"),
            (lambda: fathom.explain(tree, "nobody"), None,
             "nobody: is a user of no account of -"),
            (lambda: fathom.Tree({**columns, "user": [1, 2]}), None,
             "unknown column 'user', must be one of id, parent, kind, shares, usage, name, "
             "partition, " + ", ".join(RESOURCES)),
            (lambda: fathom.replay("/none"), None, "/none: No such file or directory")):
        try:
            call()
        except fathom.FathomError as wrong:
            assert (str(wrong), wrong.row) == (message, row), (str(wrong), wrong.row, message)
        else:
            raise AssertionError(f"no error: {message}")


def warnings_are_what_the_command_says_beside_its_answer():
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fathom.replay(os.path.join(DATA, "swf/gofree_sample.swf.xz"))
    assert [str(one.message).split(": ", 1)[1] for one in caught] == [
        "left out: 129 jobs that never ran"]
    assert caught[0].filename == __file__
    files = [os.path.join(DATA, "pbs", name)
             for name in ("example_resource_group", "usage", "example_sched_config")]
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fathom.Tree.read(*files).evaluate("classic")
    assert [one.filename for one in caught] == [__file__], [str(one) for one in caught]


def printed(code, names):
    out = io.StringIO()
    with contextlib.redirect_stdout(out), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        exec(code, names)
    return out.getvalue()


def the_page_prints_what_it_says():
    """A block ```python is followed by a block ```text."""
    with open(PAGE, encoding="utf-8") as file:
        page = file.read()
    names = {}
    os.chdir(os.path.join(os.path.dirname(PAGE), ".."))

    def example(found):
        got = printed(found[1], names)
        assert got == found[2] or os.environ.get("FATHOM_WRITE"), f"{found[1]}\n{got}"
        return found[0].replace(f"```text\n{found[2]}", f"```text\n{got}")

    page, count = re.subn(r"```python\n(.*?)```\n\n```text\n(.*?)```", example, page, flags=re.S)
    assert count > 1
    write(PAGE, page)


def the_notebook_prints_what_it_says():
    with open(NOTEBOOK, encoding="utf-8") as file:
        notebook = json.load(file)
    names, cells = {}, [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert len(cells) > 3
    os.chdir(os.path.dirname(NOTEBOOK))
    for cell in cells:
        got = printed("".join(cell["source"]), names).splitlines(keepends=True)
        outputs = [{"name": "stdout", "output_type": "stream", "text": got}] if got else []
        assert cell["outputs"] == outputs or os.environ.get("FATHOM_WRITE"), "".join(got)
        cell["outputs"] = outputs
    write(NOTEBOOK, json.dumps(notebook, indent=1, ensure_ascii=False) + "\n")


def write(path, text):
    if os.environ.get("FATHOM_WRITE"):
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)


def main():
    tests = [value for name, value in globals().items()
             if re.search("_(are|keep|lie|prints)_", name)]
    for test in tests:
        name = test.__name__.replace("_", " ")
        try:
            test()
            print(f"ok - {name}", flush=True)
        except Exception:  # of the test or of the package
            print(f"not ok - {name}", flush=True)
            print("  " + traceback.format_exc().replace("\n", "\n  "), flush=True)


main()
