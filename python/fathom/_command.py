# SPDX-License-Identifier: GPL-2.0-or-later
"""What the command fathom answers, as JSON of the keys in its manual pages."""

from __future__ import annotations

import json
import os
import subprocess
import warnings
from dataclasses import dataclass
from typing import (TYPE_CHECKING, Any, Dict, Iterable, List, Mapping, Optional, Sequence, Tuple,
                    TypedDict, Union)

from fathom._library import FathomError

if TYPE_CHECKING:
    import pandas

    from fathom._tree import Tree

Path = Union[str, "os.PathLike[str]"]
Source = Union[Path, "Tree"]
Value = Union[str, float, bool]


def as_text(value: Value) -> str:
    """Returns a value as the command and the library read it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def run(*arguments: str, given: Optional[str] = None) -> Tuple[str, List[str]]:
    """Runs the command. Returns what it prints, and the lines on its standard error."""
    try:
        done = subprocess.run(
            ["fathom", *arguments], capture_output=True, encoding="utf-8",
            input="" if given is None else given)
    except OSError as wrong:
        raise FathomError(f"cannot run the command fathom: {wrong.strerror}") from None
    except ValueError as wrong:  # a NUL, or what cannot be encoded
        raise FathomError(f"cannot run the command fathom: {wrong}") from None
    lines = [line[len("fathom: "):] if line.startswith("fathom: ") else line
             for line in done.stderr.splitlines()]
    # 1: the command has answered that something never comes, see fathom-explain(1)
    if done.returncode not in (0, 1) or not done.stdout:
        raise FathomError(lines[-1] if lines else f"fathom ended with status {done.returncode}")
    return done.stdout, lines


def warn(lines: Iterable[str], depth: int) -> None:
    """Makes warnings of what the command says beside its answer. depth: calls up to the user's."""
    for line in lines:
        warnings.warn(line, stacklevel=depth)


INFINITE = "figure", "level_fs", "usage_perc"  # numbers that the command may print as "inf"


def run_json(*arguments: str, given: Optional[str] = None) -> Any:
    def numbers(values: Dict[str, Any]) -> Dict[str, Any]:
        return {key: float("inf") if value == "inf" and key in INFINITE else value
                for key, value in values.items()}

    printed, lines = run(*arguments, given=given)
    warn(lines, 4)
    return json.loads(printed, object_hook=numbers)


def listed(value: Any) -> List[Any]:
    """Returns a single value, or several, as a list."""
    return list(value) if isinstance(value, (list, tuple)) else [value]


def as_options(options: Mapping[str, Any]) -> List[str]:
    """Returns {"half_life": "7d", "strict": True} as ["--half-life=7d", "--strict"]."""
    arguments = []
    for name, value in options.items():
        option = "--" + name.replace("_", "-")
        if value is True:
            arguments.append(option)
        elif value is not None and value is not False:
            arguments += [f"{option}={one}" for one in listed(value)]
    return arguments


def without_out(options: Mapping[str, Any]) -> Mapping[str, Any]:
    """Returns options of a call that returns the answer, which therefore cannot go to a file."""
    if "out" in options:
        raise FathomError("there is no option 'out' here: the answer is what is returned")
    return options


def as_settings(settings: Mapping[str, Any]) -> List[str]:
    return [f"--set={name}={as_text(one)}" for name, value in settings.items()
            for one in listed(value)]


class Explanation(TypedDict, total=False):
    """What fathom explain --json prints; fathom-explain(1) describes the keys under JSON.

    Usage is in billing seconds, times are in seconds since 1970, factors from 0 to 1.
    """

    policy: str
    time: Optional[int]
    who: Dict[str, Any]  # account, user, factor, rank, of, ahead; of a job also job_id, priority
    path: List[Dict[str, Any]]  # from the root; the keys of an association in fathom-shares(1)
    costs_most: Dict[str, Any]
    factors: Dict[str, Any]  # of a job: value, weight, points and share of each term
    whom: Dict[str, Any]
    path_of_whom: List[Dict[str, Any]]
    factors_of_whom: Dict[str, Any]
    parts_at: Dict[str, Any]  # where the paths of a pair divide
    change: Dict[str, Any]  # the least that would swap a pair: of, what, from, to
    recover: Dict[str, Any]  # with until: level, seconds (None: never), factor
    would: Dict[str, Any]  # with would: rate, charge, factor, rank, back
    hidden: List[str]
    sentence: str  # all of it in words


def explain(sources: Union[Source, Sequence[Source]], who: Union[str, int],
            whom: Union[str, int, None] = None, *, policy: Optional[str] = None,
            settings: Optional[Mapping[str, Value]] = None, **options: Any) -> Explanation:
    """Explains why a user, account or job ranks where it does, by the command.

    sources: a Tree, or files of a tree or of jobs, or several that complete each other;
    []: the running cluster. who: a user, "ACCOUNT/USER", an account, or the number of a
    job. whom: whom to compare with. policy, settings: by default those of the tree or the
    files, else fair-tree. options: those of fathom-explain(1) but out, such as until=0.7,
    idle="account", would="cpus=512,time=24h". half_life belongs to settings; a Tree has
    none, so that until and would take the default of 7 days, unless settings say another.
    """
    from fathom._tree import Tree

    settings = dict(settings or {})
    files, given = [], None
    for source in listed(sources):
        if isinstance(source, Tree):
            if given is not None:
                raise FathomError("two trees to explain, must be one")
            given = source.to_json()
            policy, standard = source.standard(policy)
            settings = {**standard, **settings}
            source = "-"
        files.append(f"--from={os.fspath(source)}")
    people = [str(one) for one in (who, whom) if one is not None]
    answer: Explanation = run_json(
        "explain", *files, *as_options({"policy": policy, **without_out(options)}),
        *as_settings(settings), "--json", "--", *people, given=given)
    return answer


class ReplayRow(TypedDict):
    """The figures of one replay; fathom-replay(1) describes the keys under JSON."""

    policy: str
    name: str  # the policy with the settings that differ between replays
    scheduler: str
    settings: Dict[str, Any]
    half_life: float  # seconds
    jobs: int
    mean_wait: Optional[float]  # seconds, as the next three
    median_wait: Optional[float]
    p95_wait: Optional[float]
    longest_wait: Optional[float]
    mean_bounded_slowdown: Optional[float]
    utilization: Optional[float]  # 0 to 1
    makespan: Optional[float]  # seconds
    share_error: Optional[float]  # 0 to 1, as the next two
    jain: Optional[float]
    below_share: Optional[float]
    passes: int
    wall_seconds: float
    wait_quantiles: List[float]  # 101 waits, seconds: 0, 1 ... 100 percent wait no longer
    weeks: Dict[str, List[float]]
    users: List[Dict[str, Any]]
    series: Dict[str, Any]


@dataclass(frozen=True)
class Replay:
    """A trace replayed under one or several policies."""

    trace: Dict[str, Any]  #: name, jobs, users, accounts, cpus, skipped ...
    rows: List[ReplayRow]  #: a replay each

    def to_frame(self) -> "pandas.DataFrame":
        """Returns the figures that are numbers or text, with a row for each replay."""
        import pandas

        return pandas.DataFrame([
            {key: value for key, value in row.items() if not isinstance(value, (dict, list))}
            for row in self.rows])


def replay(trace: Path, *sources: Path, policies: Union[str, Sequence[str], None] = None,
           settings: Optional[Mapping[str, Union[Value, Sequence[Value]]]] = None,
           **options: Any) -> Replay:
    """Lets the jobs of a trace start anew under policies, by the command.

    trace: a file with records of jobs, in any format of fathom-replay(1). sources: files
    with the tree, slurm.conf, fathom.conf and so on. policies: names, by default that of
    the sources, else fair-tree. settings: several values of one are replayed side by side,
    as in {"half_life": ["1d", "7d"]}. options: those of fathom-replay(1) but out, such as
    cpus=4096, scheduler="easy", half_life="7d", warm_up="1d", schedule=FILE, strict=True.
    """
    names = None if policies is None else ",".join(listed(policies))
    arguments = [f"--from={os.fspath(source)}" for source in sources]
    document = run_json(
        "replay", *arguments, *as_options({"policy": names, **without_out(options)}),
        *as_settings(settings or {}), "--json", "--", os.fspath(trace))
    return Replay(document["trace"], document["policies"])
