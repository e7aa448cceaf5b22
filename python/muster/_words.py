# SPDX-License-Identifier: Apache-2.0
"""Keywords as the words of the command line, which reads them: there is one reader of options."""

import difflib
import functools
import operator
import os
import pathlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from . import _core
from ._core import InputError

# Of `muster run` and `muster topo gen`: what goes elsewhere, makes many runs, or is a file to read.
_NO_KEYWORDS = ("", "repeat", "json", "quiet", "out", "wave", "wave-only", "wave-at")


def is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple, range)) or (
        isinstance(value, np.ndarray) and value.ndim != 0)


def path_of(name: str, value: Any) -> str:
    """The name of a file."""
    if not isinstance(value, (str, os.PathLike)):
        raise TypeError(f"{name}: {type(value).__name__} is no name of a file")
    return text_of(name, value)


def text_in(name: str) -> str:
    """The text of a file."""
    try:
        return pathlib.Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        reason = getattr(error, "strerror", None) or "is not text in UTF-8"
        raise InputError(f"{name}: cannot be read: {reason}") from None


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


@functools.cache
def options_of(*path: str) -> dict[str, tuple[bool, str]]:
    """The options of a command, or of `topo gen` of a generator, as keywords: whether it is a flag,
    and what it does with [its default]."""
    return {name.replace("-", "_"): about for name, about in _core.command_options(path).items()
            if name not in _NO_KEYWORDS}


def similar(name: str, known: Sequence[str]) -> str:
    """The three known names most like another: first those that it is a part of."""
    return ", ".join(sorted(known, key=lambda other: (
        name not in other, -difflib.SequenceMatcher(None, name, other).ratio()))[:3])


def misuse(name: str, is_flag: bool, known: Mapping[str, tuple[bool, str]], command: str
           ) -> str | None:
    """What is wrong with an option, typed with a value or without."""
    if name not in known:
        return (f"{command} has no such option; similar are "
                + similar(name, [other for other in known if other]))
    if is_flag == known[name][0]:
        return None
    return "takes a value; give a number or a text" if is_flag else "is a flag; give True or False"


def checked_words(options: Mapping[str, Any], *path: str) -> list[str]:
    """words_of() keywords of a command; others are refused."""
    words = words_of(options)
    for word in words:
        name, value, _ = word[2:].replace("-", "_").partition("=")
        if why := misuse(name, not value, options_of(*path), path[-1]):
            raise InputError(f"{name}: {why}")
    return words


def output_of(words: Sequence[str], renamed: tuple[str, str] = ("", "")) -> str:
    """What a command of the program prints, by its words, also if a check of it failed. `renamed`
    replaces the name of a file in what it says."""
    status, out, error = (text.replace(*renamed) if isinstance(text, str) and renamed[0] else text
                          for text in _core.command(words))
    if status != 0 and not (status == 1 and out):
        raise (InputError if status == 2 else _core.InternalError)(
            error.strip().removeprefix("muster: "))
    return out


def group_of(group: Any) -> str:
    """One group: as the command line has it, or a list of node numbers or names."""
    if isinstance(group, str):
        return group
    if not is_list(group):
        raise TypeError(f"group: {type(group).__name__} is neither a text nor a list of nodes")
    if len(group) == 0:
        raise InputError("group: is empty; name at least one node")
    return ",".join(node if isinstance(node, str) else f"n{text_of('group', node)}"
                    for node in group)


def groups_of(group: Any) -> list[str]:
    """One group, or a list of several."""
    if is_list(group) and len(group) and all(isinstance(one, str) or is_list(one)
                                             for one in group):
        return [group_of(one) for one in group]
    return [group_of(group)]
