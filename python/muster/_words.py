# SPDX-License-Identifier: Apache-2.0
"""Keywords as the words of the command line, which reads them: there is one reader of options."""

import operator
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from ._core import InputError


def is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple, range)) or (
        isinstance(value, np.ndarray) and value.ndim != 0)


def path_of(name: str, value: Any) -> str:
    """The name of a file."""
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{name}: {type(value).__name__} is no name of a file")
    return text_of(name, value)


def text_of(name: str, value: Any) -> str:
    """What is typed for one value."""
    if isinstance(value, os.PathLike):
        value = os.fspath(value)
    if isinstance(value, str):
        try:
            value.encode()
        except UnicodeEncodeError:
            raise InputError(f"{name}: is no text in UTF-8") from None
        return value
    if not isinstance(value, (bool, np.bool_)):
        for method, number in (("__index__", operator.index), ("__float__", float)):
            if hasattr(type(value), method):  # an array has both, whatever is in it
                try:
                    return repr(number(value))
                except TypeError:
                    continue
    raise TypeError(f"{name}: {type(value).__name__} is neither a number nor a text")


def words_of(options: Mapping[str, Any]) -> list[str]:
    """None and False leave an option out, True is a flag, a list types the option several times."""
    words = []
    for name, value in options.items():
        option = "--" + text_of("option", name).replace("_", "-")
        if value is None:
            continue
        if isinstance(value, (bool, np.bool_)):
            words += [option] if value else []
        else:
            values = value if is_list(value) else [value]
            words += [f"{option}={text_of(name, one)}" for one in values]
    return words


def group_of(group: Any) -> str:
    """One group: as the command line has it, or a list of node numbers."""
    if isinstance(group, str):
        return group
    if not is_list(group):
        raise TypeError(f"group: {type(group).__name__} is neither a text nor a list of nodes")
    if len(group) == 0:
        raise InputError("group: is empty; name at least one node")
    return ",".join(f"n{text_of('group', node)}" for node in group)


def groups_of(group: Any) -> list[str]:
    """One group, or a list of several."""
    if is_list(group) and len(group) and all(isinstance(one, str) or is_list(one)
                                             for one in group):
        return [group_of(one) for one in group]
    return [group_of(group)]
