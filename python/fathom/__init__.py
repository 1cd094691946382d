# SPDX-License-Identifier: GPL-2.0-or-later
"""Fair share for HPC schedulers.

>>> import fathom
>>> tree = fathom.Tree.read("tests/data/demo.sshare")
>>> tree.evaluate("classic").factor
>>> print(fathom.explain(tree, "user3", policy="classic")["sentence"])

Trees, policies and comparisons are computed by libfathom.so.0. Files are read, and
explain() and replay() are answered, by the command fathom of the PATH. The manual
pages fathom-policies(7), fathom-explain(1) and fathom-replay(1) describe what they
compute; doc/python.md of the sources has an example.
"""

from fathom._command import Explanation, Replay, ReplayRow, explain, replay
from fathom._library import FathomError, version
from fathom._tree import Comparison, Result, Tree, compare, policies

__all__ = [
    "Comparison", "Explanation", "FathomError", "Replay", "ReplayRow", "Result", "Tree",
    "compare", "explain", "policies", "replay", "version",
]
__version__ = "0.1.0"
