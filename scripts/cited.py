# SPDX-License-Identifier: Apache-2.0
"""Values in the prose of pages that are taken from a table or a figure. A comment behind the value
says where it is from, and scripts/measured writes it with as many decimals as it has:

  476<!-- = figure pre-13 c; bsr-1; 15 -->     panel, curve and x, of docs/figures
  8.9<!-- = table systems; 75 switches; NIC, direct; no data -->

The last is the cell of a generated table in this page, or of PAGE in `table PAGE#NAME`, a path from
the root: cells that one row alone has, then the head of the column; the first number of it, or
behind `#2` the second. Backticks of cells are left out. `A / B` is the ratio of two sources.
"""

import functools
import re

import flow
import ledger
import tables

VALUE = re.compile(r"(\d+(?:\.\d+)?)<!-- = ([^>]*?) -->")
COMMENT = re.compile(r"<!-- = ")


def pages():
    """(path from the root, text) of all pages with values or tables."""
    folders = ((flow.ROOT / name).rglob("*.md") for name in ("docs", "rtl", "topologies"))
    for path in [flow.ROOT / "README.md", *sorted(p for found in folders for p in found)]:
        if path.exists():
            yield str(path.relative_to(flow.ROOT)), path.read_text(encoding="utf-8")


def printed(row):
    """What a paper prints, a row of the ledger."""
    return tables.one([r["printed"] for r in ledger.read()[0]["rows"] if r["id"] == row],
                      f"{row} in {ledger.PRINTED.name}")


def of_figure(panel, curve, x):
    figure, name = panel.split()
    points = ledger.Results(ledger.MEASURED, []).curve(figure, name, curve)
    return tables.one([value for at, value in points.items() if at == float(x)],
                      f"points at x = {x}").mean


def of_table(page, name, *cells):
    if "#" in name:
        page, name = name.split("#")
    return tables.number(page, name, *cells)


def looked_up(page, source):
    kind, _, rest = source.strip().partition(" ")
    words = [word.strip() for word in rest.split(";")]
    kinds = {"figure": of_figure, "table": functools.partial(of_table, page)}
    if kind not in kinds:
        raise RuntimeError(f"a source is one of {', '.join(kinds)}")
    return kinds[kind](*words)


def value(page, source, shown):
    """The number that a source gives, with the decimals of the one that is shown."""
    try:
        numbers = [looked_up(page, part) for part in source.split(" / ")]
    except (KeyError, IndexError, ValueError, TypeError) as error:
        raise RuntimeError(f"{page}: {source}: {error!r}") from error
    except RuntimeError as error:
        raise RuntimeError(f"{page}: {source}: {error}") from error
    result = numbers[0] / numbers[1] if len(numbers) > 1 else numbers[0]
    return f"{result:.{len(shown.partition('.')[2])}f}"


def without_code(text):
    """The text, with what code spans and blocks show as long and blank."""
    return re.sub(r"^```.*?^```$|(?<!`)`[^`\n]+`", lambda code: " " * len(code[0]), text,
                  flags=re.MULTILINE | re.DOTALL)


def stale():
    """Values in prose that are not what their sources say, and comments without a value."""
    findings = []
    for page, text in pages():
        text = without_code(text)
        found = VALUE.findall(text)
        if len(found) != len(COMMENT.findall(text)):
            findings.append(f"{page}: a `<!-- = ... -->` without a number before it")
        for shown, source in found:
            if (now := value(page, source, shown)) != shown:
                findings.append(f"{page}: {shown} is {now} by {source}; scripts/measured --values "
                                "writes it")
    return findings


def write():
    for page, text in pages():
        code = without_code(text)
        parts, end = [], 0
        for found in VALUE.finditer(code):
            parts += [text[end:found.start()], value(page, found[2], found[1])]
            end = found.end(1)
        new = "".join(parts) + text[end:]
        if new != text:
            (flow.ROOT / page).write_text(new, encoding="utf-8")
