# SPDX-License-Identifier: GPL-2.0-or-later
"""Trees, what policies make of them, and comparisons, by libfathom."""

from __future__ import annotations

import json
import os
import sys
from dataclasses import dataclass
from typing import (TYPE_CHECKING, Any, Callable, Dict, Iterable, List, Mapping, Optional, Tuple,
                    Union)

import numpy as np

from fathom import _command
from fathom._library import (CHOICE, FORMULA, ROW, SHARES_PARENT, SWITCH, FathomError, Handle,
                             array, call, encoded, text)

if TYPE_CHECKING:
    import pandas

Array = np.ndarray[Any, Any]
COMMON = ("usage", "norm_shares", "norm_usage", "effective_usage", "factor")
NEEDED = ("id", "parent", "kind", "shares")
NUMBERS = (int, float, np.integer, np.floating)
KEPT_BY_TREE = "fathom: does not keep the settings"  # of the format; Tree keeps them itself
NO_JOBS = "fathom: does not keep the jobs"


def policies() -> List[str]:
    """Returns the names of the policies, such as "fair-tree"."""
    return [text("policy_name", call("policy_at", i)) for i in range(call("policy_count"))]


def _policy(name: str) -> int:
    policy = call("policy_find", encoded(str(name)))
    if policy is None:
        raise FathomError(f"there is no policy '{name}', must be one of {', '.join(policies())}")
    return int(policy)


def _resources() -> List[str]:
    return [text("resource_name", i) for i in range(call("resource_count"))]


# ---- columns that are given ----------------------------------------------------------------

def _list(column: Array) -> List[Any]:
    """Returns Python's own numbers and texts, which are faster one by one than NumPy's."""
    return list(column.tolist())


def _given(values: Any) -> Array:
    """Returns values as an array of shape (n,); numbers beside texts stay numbers, and lists stay
    lists."""
    try:
        given = np.asarray(values)
        if given.ndim == 1 and given.dtype.kind not in "US":
            return given
    except ValueError:  # lists of several lengths
        pass
    given = np.empty(len(values), object)
    for row, value in enumerate(values):
        given[row] = value
    return given


def _refuse(bad: Array, key: str, values: Any, right: str) -> None:
    """Raises an error about the first row that is bad, if there is one."""
    if bad.any():
        row = int(np.argmax(bad))
        value = _given(values)[row : row + 1].tolist()[0]
        raise FathomError(f"row {row}: {key} is {value!r}, must be {right}", row)


def _is_missing(value: Any) -> bool:
    return value is None or type(value).__name__ == "NAType" or bool(value != value)


def _whole(key: str, values: Any, low: int, high: int, right: str, word: Any, stands_for: int
           ) -> Array:
    """Returns integers. word: what may stand in place of one, None or a text, and means
    `stands_for`."""
    given = _given(values)
    if given.dtype.kind not in "iu":
        numbers = np.empty(len(given), object)
        for row, value in enumerate(given.tolist()):
            is_word = (_is_missing(value) if word is None
                       else isinstance(value, str) and value == word)
            numbers[row] = stands_for if is_word else value
            is_whole = is_word or (isinstance(value, NUMBERS) and value == value // 1
                                   and low <= value <= high and not isinstance(value, bool))
            if not is_whole:
                raise FathomError(f"row {row}: {key} is {value!r}, must be {right}", row)
        return numbers.astype(np.int64)
    _refuse((given < low) | (given > high), key, given, right)
    return given.astype(np.int64)


def _amounts(key: str, values: Any) -> Array:
    """Returns own usage, or own amounts of a resource; of these, NAN and None are none."""
    low = -np.inf if key == "adjustment" else 0
    right = "a number" if key == "adjustment" else "a number of 0 or more"
    most = sys.float_info.max
    given = _given(values)
    if given.dtype.kind not in "iuf":
        numbers = [np.nan if _is_missing(value) else value for value in given.tolist()]
        _refuse(np.array([isinstance(number, bool) or not isinstance(number, NUMBERS)
                          or number > most or number < -most for number in numbers], bool),
                key, values, right)
        given = np.array(numbers, np.float64)
    amounts = given.astype(np.float64)
    wrong = np.isinf(amounts) | (amounts < low)
    _refuse(wrong | np.isnan(amounts) if key == "usage" else wrong, key, values, right)
    return amounts


def _column(key: str, values: Any, ids: Any) -> Any:
    """Returns values; what a numpy.ma array hides is None. Refuses what is no column."""
    if (not hasattr(values, "__len__") or getattr(values, "ndim", 1) != 1
            or isinstance(values, (str, bytes, Mapping, set, frozenset))):
        raise FathomError(f"{key} must be a column, one value for each association")
    if len(values) != len(ids):
        raise FathomError(f"{key} has {len(values)} values, id has {len(ids)}")
    return _list(values) if isinstance(values, np.ma.MaskedArray) else values


def _shares(values: Any, most: int = SHARES_PARENT - 1) -> Array:
    return _whole("shares", values, 0, most,
                  f"an integer from 0 to {SHARES_PARENT - 1}, or 'parent'", "parent",
                  SHARES_PARENT)


# ---- trees -----------------------------------------------------------------------------------

class Tree:
    """A tree of associations, which never changes; replace() makes another one.

    Columns of a tree and of its results have the shape (n,), one value for each
    association, in the order of `rows`.
    """

    #: (n,) numbers of associations: id, parent_id, is_root, kind (0: account, 1: user),
    #: raw_shares (4294967295: "parent"), usage (own, billing seconds); read-only
    rows: Array
    #: (n,) names of accounts and users, of type str
    name: Array
    #: (n,) names of the partitions of users' associations, or None; None: no association has one
    partition: Optional[Array]
    #: (n,) own amounts of each resource that is given, see fathom-shares(1); NAN: not given
    resources: Dict[str, Array]

    def __init__(self, columns: Union[Mapping[str, Any], "pandas.DataFrame"], *,
                 reorder: bool = False) -> None:
        """Makes a tree from columns of equal length: a dict of arrays, or a pandas.DataFrame.

        Columns are as the keys of a node in fathom's own JSON:
        id, parent: unique integers; None or NAN: the root has no parent
        kind: "account" or "user"; users have no children
        shares: integers from 0 to 4294967294, or "parent"
        usage: own usage, billing seconds, decayed; by default 0
        name, partition: texts; a name that is missing is the id
        cpu_time, run_time, hist_run_time, committed_run_time (seconds), job_slots, memory,
        adjustment, reserved_slots: what policy lsf looks at, all optional

        Rows stay in the order in which they are given, and so are columns of results: they are
        copies unless the order is breadth-first. reorder: put the rows into that order.
        """
        known = (*NEEDED, "usage", "name", "partition", *_resources())
        for key in NEEDED:
            if key not in columns:
                raise FathomError(f"there is no column '{key}'")
        for key in columns:
            if key not in known:
                raise FathomError(f"unknown column '{key}', must be one of {', '.join(known)}")
        columns = {key: _column(key, columns[key], columns["id"]) for key in columns}
        integer = (-(2**63), 2**63 - 1)
        kinds, parents = np.asarray(columns["kind"], object), _given(columns["parent"])
        words = np.array([kind if isinstance(kind, str) else "" for kind in kinds], object)
        is_user = words == "user"
        _refuse(~(is_user | (words == "account")), "kind", kinds, "'account' or 'user'")
        rows = np.zeros(len(kinds), ROW)
        rows["kind"] = is_user
        rows["id"] = _whole("id", columns["id"], *integer, "an integer", "", 0)
        rows["parent_id"] = _whole("parent", parents, *integer,
                                   "the id of an account, or None for the root", None, 0)
        if parents.dtype.kind not in "iu":
            rows["is_root"] = [_is_missing(value) for value in parents.tolist()]
        rows["raw_shares"] = _shares(columns["shares"])
        if "usage" in columns:
            rows["usage"] = _amounts("usage", columns["usage"])
        ids = rows["id"].tolist()
        names = [one if _is_missing(given) else given
                 for one, given in zip(ids, columns["name"] if "name" in columns else ids)]
        partition = None
        if "partition" in columns:
            partition = np.array([None if _is_missing(one) else str(one)
                                  for one in columns["partition"]], object)
        self._create(rows, np.array([str(one) for one in names], object), partition,
                     {key: _amounts(key, columns[key]) for key in _resources() if key in columns},
                     reorder)

    def _create(self, rows: Array, name: Array, partition: Optional[Array],
                resources: Dict[str, Array], reorder: bool) -> None:
        self._site: Optional[List[str]] = None
        self._standards: Dict[Optional[str], Tuple[str, Dict[str, Any]]] = {}
        for key, column in {"usage": rows["usage"], **resources}.items():
            with np.errstate(over="ignore"):
                if not np.isfinite(np.nansum(column)):
                    raise FathomError(f"the sum of {key} is out of range")
        self._handle = Handle("tree", rows.ctypes.data, len(rows))
        nodes = array(call("tree_nodes_of_rows", self._handle), len(rows), np.uint32, self._handle)
        for resource, key in enumerate(_resources()):
            given = resources.get(key, np.empty(0))
            known = ~np.isnan(given)
            for node, amount in zip(nodes[: len(given)][known].tolist(), given[known].tolist()):
                call("tree_set_own_resource", self._handle, node, resource, amount)
        call("tree_settle", self._handle)
        self._node: Optional[Array] = None if (nodes[:-1] < nodes[1:]).all() else nodes
        if reorder and self._node is not None:
            row = np.empty(len(rows), np.intp)
            row[nodes] = np.arange(len(rows))
            rows, name, self._node = rows[row], name[row], None
            partition = None if partition is None else partition[row]
            resources = {key: column[row] for key, column in resources.items()}
        for kept in (rows, name, partition, *resources.values()):
            if kept is not None:
                kept.flags.writeable = False
        self.rows, self.name, self.partition, self.resources = rows, name, partition, resources

    @classmethod
    def from_dicts(cls, nodes: Iterable[Mapping[str, Any]], *, reorder: bool = False) -> "Tree":
        """Makes a tree from a dict for each association, with the keys of Tree()'s columns."""
        nodes = list(nodes)
        keys = {key for node in nodes for key in node}.union(NEEDED)
        return cls({key: [node.get(key, 0 if key == "usage" else None) for node in nodes]
                    for key in keys}, reorder=reorder)

    @classmethod
    def read(cls, *files: _command.Path, format: Optional[str] = None,
             scope: Optional[str] = None, half_life: Union[str, float, None] = None) -> "Tree":
        """Reads a tree by the command, from files of any format of fathom-convert(1).

        files: several complete each other; none: the running cluster. format: that of the
        tree, if it is not recognised. scope: a queue of LSF. half_life: how usage decays
        that is added up from jobs, such as "7d"; 0: not. Policy and settings that the
        files say are those of evaluate(), unless it says others; the settings of another
        policy are read from the files when it is first evaluated. Rows are in breadth-first
        order.
        """
        options = _command.as_options(
            {"format": format, "scope": scope,
             "set": None if half_life is None else f"half_life={half_life}"})
        printed, lines = _command.run("convert", *[f"--from={os.fspath(file)}" for file in files],
                                      *options, "--to=fathom")
        tree = cls.from_dicts(json.loads(printed)["nodes"], reorder=True)
        # absolute, as the working directory may change
        tree._site = [f"--from={os.path.abspath(file)}" for file in files] + options
        lines += tree._ask_standard(None)
        _command.warn((line for line in dict.fromkeys(lines)
                       if line not in (KEPT_BY_TREE, NO_JOBS)), 3)
        return tree

    def __len__(self) -> int:
        return len(self.rows)

    def standard(self, policy: Optional[str]) -> Tuple[str, Dict[str, Any]]:
        """Returns a policy, by default that of the files, and its settings by the files."""
        if policy is not None:
            _policy(policy)
        if self._site is None:
            return policy or "fair-tree", {}
        if policy not in self._standards:
            self._ask_standard(policy)
        return self._standards[policy]

    def _ask_standard(self, policy: Optional[str]) -> List[str]:
        """Asks the command for a policy and its settings by the files. Returns what it says
        beside."""
        # policy and settings are wanted alone: one row is enough, and quicker than all
        root = str(self.name[self.rows["is_root"]][0])
        options = {"policy": policy, "account": None if "," in root else root}
        printed, lines = _command.run("shares", *(self._site or []), "--json",
                                      *_command.as_options(options))
        document = json.loads(printed)
        settings = document["settings"]
        settings.pop("half_life", None)
        self._standards[policy] = document["policy"], settings
        return lines

    def replace(self, **columns: Any) -> "Tree":
        """Returns a tree with other shares, usage or resources; each is a column of shape (n,).

        Shares may be those of `rows`, where 4294967295 means "parent".
        """
        rows, resources = self.rows.copy(), dict(self.resources)
        for key, values in columns.items():
            values = _column(key, values, rows)
            if key == "shares":
                rows["raw_shares"] = _shares(values, SHARES_PARENT)
            elif key == "usage":
                rows["usage"] = _amounts(key, values)
            elif key in _resources():
                resources[key] = _amounts(key, values)
            else:
                raise FathomError(f"cannot replace '{key}', must be shares, usage or a resource")
        return self._copy(rows, resources)

    def _copy(self, rows: Array, resources: Dict[str, Array]) -> "Tree":
        return _made(rows, self.name, self.partition, resources, self._site, self._standards)

    def __reduce__(self) -> Tuple[Any, ...]:
        """Copies and pickles make an object of the library anew: it cannot be copied itself."""
        return _made, (self.rows, self.name, self.partition, self.resources, self._site,
                       self._standards)

    def evaluate(self, policy: Optional[str] = None, **settings: _command.Value) -> "Result":
        """Evaluates a policy.

        policy: classic, depth-oblivious, fair-tree, pbs, lsf, flux or fcfs; by default that
        of the files that the tree was read from, else fair-tree. settings: those of the
        policy in fathom-policies(7), in small letters or as in fathom.conf(5), such as
        dampening_factor=2 or tie_mode="slurm"; by default those of the files.
        """
        name, standard = self.standard(policy)
        result = Result(self, name, {**standard, **settings})
        shares = result.settings.get("unknown_shares", 0)
        group = (self.name == "unknown") & (self.rows["kind"] == 0) & ~self.rows["is_root"] & (
            self.rows["parent_id"] == self.rows["id"][self.rows["is_root"]])
        if not shares or not group.any():
            return result
        # as the command does: a tree that has PBS's group "unknown" has these shares there
        rows = self.rows.copy()
        rows["raw_shares"][np.argmax(group)] = shares
        moved = Result(self._copy(rows, self.resources), name,
                       {**standard, **settings, "unknown_shares": 0})
        moved.settings["unknown_shares"] = shares
        return moved

    def account(self) -> Array:
        """Returns the account of each association, shape (n,), of type str."""
        name: Dict[int, str] = dict(zip(_list(self.rows["id"]), _list(self.name)))
        owner = np.where(self.rows["kind"] == 1, self.rows["parent_id"], self.rows["id"])
        return np.array([name[one] for one in _list(owner)], object)

    def to_dicts(self) -> List[Dict[str, Any]]:
        """Returns a dict for each association, with the keys of Tree()'s columns."""
        words = ("account", "user")
        nodes = [
            {"id": one, "parent": None if is_root else parent, "name": name, "kind": words[kind],
             "shares": "parent" if shares == SHARES_PARENT else shares, "usage": usage}
            for (one, parent, is_root, kind, shares, usage), name
            in zip(_list(self.rows), _list(self.name))]
        extra = dict(self.resources)
        if self.partition is not None:
            extra["partition"] = self.partition
        for key, column in extra.items():
            for node, value in zip(nodes, column.tolist()):
                if not _is_missing(value):
                    node[key] = value
        return nodes

    def to_json(self) -> str:
        """Returns the tree as fathom's own JSON, which the command reads."""
        nodes = ",\n".join(json.dumps(node, ensure_ascii=False) for node in self.to_dicts())
        return f'{{"format": "fathom-tree", "version": 1, "nodes": [\n{nodes}]}}\n'

    def to_frame(self) -> "pandas.DataFrame":
        """Returns a pandas.DataFrame of the tree's columns, of which Tree() makes it again."""
        import pandas

        return pandas.DataFrame(self.to_dicts()).astype({"parent": "Int64"})


def _made(rows: Array, name: Array, partition: Optional[Array], resources: Dict[str, Array],
          site: Optional[List[str]], standards: Dict[Optional[str], Tuple[str, Dict[str, Any]]]
          ) -> Tree:
    tree = Tree.__new__(Tree)
    tree._create(rows, name, partition, resources, False)
    tree._site, tree._standards = site, standards
    return tree


# ---- results -----------------------------------------------------------------------------------

class Result:
    """What a policy makes of a tree.

    result[NAME] is a column of shape (n,), by row of the tree; NAN: the association has no such
    value. NAME is usage (billing seconds, with that of all below), norm_shares, norm_usage,
    effective_usage (0 to 1), factor, rank, or one of the policy's own, see fathom-shares(1).
    Columns are read-only, and lie in the library's memory if the tree's rows are in
    breadth-first order. They stay valid as long as anybody has them.
    """

    tree: Tree
    policy: str
    #: the value of each setting, which is a number, a switch, or the text of a choice or formula
    settings: Dict[str, Union[float, bool, str]]
    #: names of all columns that the policy fills
    columns: Tuple[str, ...]

    def __init__(self, tree: Tree, policy: str, settings: Mapping[str, _command.Value]) -> None:
        found, self._given = _policy(policy), dict(settings)
        values = Handle("settings", found)
        for key, value in settings.items():
            try:
                call("settings_set", found, values, encoded(key),
                     encoded(_command.as_text(value)))
            except FathomError as wrong:
                if f"'{key}'" in str(wrong):
                    raise
                raise FathomError(f"{key}: {wrong}") from None
        self.tree, self.policy = tree, text("policy_name", found)
        self.settings = dict(_setting(found, values, i)
                             for i in range(call("policy_setting_count", found)))
        self._handle = Handle("result", found, tree._handle, needs=tree._handle)
        call("evaluate", self._handle, tree._handle, values)
        self._address = {name: call(f"result_{name}", self._handle) for name in COMMON}
        for i in range(call("policy_column_count", found)):
            name = call("policy_column", found, i).contents.name.decode()
            self._address[name] = call("result_column", self._handle, i)
        self.columns = (*[name for name in self._address if name != "rank"], "rank")
        self._rank: Optional[Array] = None

    def __reduce__(self) -> Tuple[Any, ...]:
        """A copy is evaluated anew, see Tree."""
        return Result, (self.tree, self.policy, self._given), {"settings": self.settings}

    def __getitem__(self, column: str) -> Array:
        if column == "rank" and column not in self._address:
            return self._ranks()
        if column not in self._address:
            raise FathomError(f"{self.policy} has no column '{column}', must be one of "
                              f"{', '.join(self.columns)}")
        nodes = array(self._address[column], len(self.tree), np.float64, self._handle)
        if self.tree._node is None:
            return nodes
        rows: Array = nodes[self.tree._node]
        rows.flags.writeable = False
        return rows

    @property
    def factor(self) -> Array:
        """The fair-share factor, 0 to 1; NAN: policies that rank have none for accounts."""
        return self["factor"]

    @property
    def rank(self) -> Array:
        """Ranks of users by factor, 1 is the best; equals share one. NAN: accounts."""
        return self["rank"]

    def _ranks(self) -> Array:
        if self._rank is None:
            value = np.where(self.tree.rows["kind"] == 1, self.factor, np.nan)
            rank = np.empty(len(value))
            call("ranks", value.ctypes.data, len(value), rank.ctypes.data)
            rank.flags.writeable = False
            self._rank = rank
        return self._rank

    def to_frame(self) -> "pandas.DataFrame":
        """Returns a pandas.DataFrame: account, user (None: an account), and all columns."""
        import pandas

        user = self.tree.name.copy()
        user[self.tree.rows["kind"] == 0] = None
        return pandas.DataFrame({"account": self.tree.account(), "user": user,
                                 **{name: self[name] for name in self.columns}})


def _setting(policy: int, values: Handle, index: int) -> Tuple[str, Union[float, bool, str]]:
    setting = call("policy_setting", policy, index).contents
    value = call("settings_value", values, index)
    kinds: Dict[int, Callable[[], Union[float, bool, str]]] = {
        CHOICE: lambda: str(setting.choices[int(value)].decode()),
        SWITCH: lambda: bool(value),
        FORMULA: lambda: text("settings_formula", values)}
    return setting.name.decode(), kinds.get(setting.type, lambda: float(value))()


@dataclass(frozen=True)
class Comparison:
    """Results of the same associations, the first compared with each."""

    results: Tuple[Result, ...]

    def change(self, which: int = 1) -> Array:
        """Returns by how many ranks a user moves up from the first result to another, (n,)."""
        change: Array = self.results[0].rank - self.results[which].rank
        return change

    def to_frame(self) -> "pandas.DataFrame":
        """Returns account, user, and factor, rank and change of each result: factor_0, ..."""
        frame = self.results[0].to_frame()[["account", "user"]]
        for which, result in enumerate(self.results):
            frame[f"factor_{which}"], frame[f"rank_{which}"] = result.factor, result.rank
            if which:
                frame[f"change_{which}"] = self.change(which)
        return frame


def compare(*results: Result) -> Comparison:
    """Compares results: of several policies or settings, or of a tree and its replace()."""
    if len(results) < 2:
        raise FathomError("nothing to compare, must be two results or more")
    first = results[0].tree.rows["id"]
    if any(not np.array_equal(first, one.tree.rows["id"]) for one in results):
        raise FathomError("the results are of trees with different associations")
    return Comparison(results)
