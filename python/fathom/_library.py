# SPDX-License-Identifier: GPL-2.0-or-later
"""The calls of libfathom that this package uses, as <fathom.h> declares them."""

from __future__ import annotations

import ctypes
import weakref
from ctypes import POINTER, c_bool, c_char_p, c_double, c_int, c_size_t, c_uint32, c_void_p
from typing import Any, Optional

import numpy as np

SHARES_PARENT = 0xFFFFFFFF  # FATHOM_SHARES_PARENT
NO_ROW = c_size_t(-1).value  # FATHOM_NO_ROW

# struct fathom_row
ROW = np.dtype(
    [("id", "i8"), ("parent_id", "i8"), ("is_root", "?"), ("kind", "u4"),
     ("raw_shares", "u4"), ("usage", "f8")], align=True)
CHOICE, SWITCH, FORMULA = 1, 2, 5  # of enum fathom_setting_type


class FathomError(Exception):
    """What is wrong, in one line.

    row: the row of the input that is wrong, from 0; None: no row, or not known.
    """

    def __init__(self, text: str, row: Optional[int] = None) -> None:
        super().__init__(text)
        self.row = row


class Error(ctypes.Structure):
    _fields_ = [("code", c_int), ("row", c_size_t), ("text", ctypes.c_char * 256)]

    def raised(self) -> FathomError:
        text = self.text.decode(errors="replace")
        if self.row == NO_ROW:
            return FathomError(text)
        return FathomError(f"row {self.row}: {text}", self.row)


class Setting(ctypes.Structure):
    _fields_ = [
        ("name", c_char_p), ("type", c_int), ("low", c_double), ("high", c_double),
        ("low_open", c_bool), ("high_open", c_bool), ("standard", c_double),
        ("standard_formula", c_char_p), ("choices", POINTER(c_char_p)), ("unit", c_char_p),
        ("meaning", c_char_p)]


class Column(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("heading", c_char_p), ("type", c_int), ("unit", c_char_p),
                ("meaning", c_char_p)]


error_p, text_p, object_p = POINTER(Error), c_char_p, c_void_p
# name after "fathom_": its result, its arguments
CALLS: dict[str, tuple[Any, ...]] = {
    "version": (text_p,),
    "tree_create": (object_p, c_void_p, c_size_t, error_p),
    "tree_destroy": (None, object_p),
    "tree_nodes_of_rows": (c_void_p, object_p),
    "tree_set_own_resource": (c_int, object_p, c_size_t, c_int, c_double, error_p),
    "tree_settle": (None, object_p),
    "resource_count": (c_size_t,),
    "resource_name": (text_p, c_int),
    "policy_count": (c_size_t,),
    "policy_at": (object_p, c_size_t),
    "policy_find": (object_p, text_p),
    "policy_name": (text_p, object_p),
    "policy_setting_count": (c_size_t, object_p),
    "policy_setting": (POINTER(Setting), object_p, c_size_t),
    "policy_column_count": (c_size_t, object_p),
    "policy_column": (POINTER(Column), object_p, c_size_t),
    "settings_create": (object_p, object_p, error_p),
    "settings_destroy": (None, object_p),
    "settings_set": (c_int, object_p, object_p, text_p, text_p, error_p),
    "settings_value": (c_double, object_p, c_size_t),
    "settings_formula": (text_p, object_p),
    "result_create": (object_p, object_p, object_p, error_p),
    "result_destroy": (None, object_p),
    "evaluate": (None, object_p, object_p, object_p),
    "result_usage": (c_void_p, object_p),
    "result_norm_shares": (c_void_p, object_p),
    "result_norm_usage": (c_void_p, object_p),
    "result_effective_usage": (c_void_p, object_p),
    "result_factor": (c_void_p, object_p),
    "result_column": (c_void_p, object_p, c_size_t),
    "ranks": (c_int, c_void_p, c_size_t, c_void_p, error_p),
}

try:
    _library = ctypes.CDLL("libfathom.so.0")
    for _name, (_result, *_arguments) in CALLS.items():
        _call = getattr(_library, f"fathom_{_name}")
        _call.restype, _call.argtypes = _result, _arguments
except (OSError, AttributeError) as _wrong:
    raise ImportError(f"fathom needs libfathom.so.0 of its own release: {_wrong}") from None


def call(name: str, *arguments: Any) -> Any:
    """Calls fathom_NAME(). One whose last argument is an error gets it here; it raises
    FathomError if it returns NULL or -1."""
    function = getattr(_library, f"fathom_{name}")
    if function.argtypes[-1:] != [error_p]:
        return function(*arguments)
    error = Error()
    result = function(*arguments, error)
    if result is None or (function.restype is c_int and result != 0):
        raise error.raised()
    return result


def encoded(given: str) -> bytes:
    """Returns a name or a value as the library takes it."""
    try:
        if "\0" not in given:
            return given.encode()
    except UnicodeEncodeError:
        pass
    raise FathomError(f"{given!r} is not a text")


def text(name: str, *arguments: Any) -> str:
    return str(call(name, *arguments).decode())


def version() -> str:
    """Returns the version of libfathom, such as "0.1.0"."""
    return text("version")


class Handle:
    """An object of the library, which lives as long as this one. needs: what must live as long."""

    def __init__(self, kind: str, *arguments: Any, needs: Any = None) -> None:
        self._as_parameter_ = call(f"{kind}_create", *arguments)
        self.needs = needs
        destroy = getattr(_library, f"fathom_{kind}_destroy")
        # not when the interpreter ends, as others may still read then
        weakref.finalize(self, destroy, self._as_parameter_).atexit = False


class Memory:
    """An array in the library's memory, for NumPy; its owner lives as long."""

    def __init__(self, address: int, count: int, kind: str, owner: Handle) -> None:
        self.__array_interface__ = {
            "version": 3, "data": (address, True), "shape": (count,), "typestr": kind}
        self.owner = owner


def array(address: int, count: int, dtype: Any, owner: Handle) -> np.ndarray[Any, Any]:
    """Returns a read-only array that lies in the library's memory."""
    return np.asarray(Memory(address, count, np.dtype(dtype).str, owner))
