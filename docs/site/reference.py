# SPDX-License-Identifier: Apache-2.0
"""Writes the pages of docs/reference/ that the program and the schemas say word by word, for
scripts/site; git does not track them.

  PYTHONPATH=scripts python3 reference.py [--build DIR]

command-line.md has `--help` of muster and of each of its subcommands; json.md the fields of each
schema of scripts/validate. DIR (default build) has the program.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys

import flow
import results

LICENCE = "<!-- SPDX-License-Identifier: Apache-2.0 -->"
BOUNDS = (("minimum", "at least {}"), ("exclusiveMinimum", "above {}"), ("maximum", "at most {}"),
          ("exclusiveMaximum", "below {}"), ("minItems", "at least {} of them"),
          ("pattern", "as `{}`"))
WIDE = 10**6  # a limit beyond is that of the type, which tells a reader nothing


def help_of(program, command):
    """(command, its help) of it and of all that it has, in the order of the help."""
    done = subprocess.run([program, *command, "--help"], text=True, capture_output=True, check=True)
    yield command, done.stdout.strip()
    _, _, listed = done.stdout.partition("\nSubcommands:\n")
    for name in re.findall(r"^  (\S+) ", listed, re.M):
        yield from help_of(program, [*command, name])


def command_line(program):
    lines = [LICENCE, "# Command line", "",
             "This page has the `--help` text of `muster` and each of its subcommands. "
             "[Commands](commands.md) has examples, [runs and results](runs.md) explains the "
             "options of `muster run`."]
    for command, text in help_of(program, []):
        lines += ["", f"## `{' '.join(['muster', *command])}`", "", "```text", text, "```"]
    return "\n".join(lines) + "\n"


def type_of(schema):
    """What values a schema allows, in a few words."""
    if "$ref" in schema:
        return f"`{schema['$ref'].split('/')[-1].removesuffix('.schema.json')}`"
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(value)}`" for value in schema["enum"])
    for choice in ("oneOf", "anyOf"):
        if choice in schema:
            return " or ".join(dict.fromkeys(type_of(part) for part in schema[choice]))
    kinds = schema.get("type", "any")
    text = " or ".join(kinds) if isinstance(kinds, list) else kinds
    bounds = [said.format(schema[key]) for key, said in BOUNDS
              if key in schema and not (isinstance(schema[key], int) and abs(schema[key]) >= WIDE)]
    return ", ".join([text, *bounds])


def fields(schema, path=""):
    """(path, type, meaning) of the fields of a schema and of what is in them."""
    for name, part in schema.get("properties", {}).items():
        yield f"`{path}{name}`", type_of(part), part.get("description", "")
        yield from fields(part, f"{path}{name}.")
    if isinstance(schema.get("items"), dict):
        inner = path.removesuffix(".")
        yield from fields(schema["items"], f"{inner}[]." if inner else "[].")
    for part in (*schema.get("oneOf", ()), *schema.get("anyOf", ()), *schema.get("allOf", ())):
        yield from fields(part, path)


def section(file, schema):
    name = pathlib.Path(file).name.removesuffix(".schema.json")
    source = pathlib.Path(file).with_suffix(".yaml")
    link = (f" Schema: [{source}](../../schemas/{source})."
            if (flow.ROOT / "schemas" / source).exists() else "")
    lines = ["", f"## `{name}`", "",
             f"{schema.get('title', name)}. {schema.get('description', '')}{link}"]
    parts = [("", schema), *(schema.get("$defs", {}).items())]
    for part, content in parts:
        rows = list(fields(content))
        if part:
            said = content.get("description", "")
            lines += ["", f"`{part}`: {type_of(content)}{'; ' + said if said else ''}"]
        if rows:
            lines += ["", *results.table(("field", "value", "meaning"), rows)]
    return lines


def json_page(program):
    lines = [LICENCE, "# JSON", "", "This page has the fields of all JSON that Muster writes or "
             "reads, from the schemas; `scripts/validate FILE` checks a file. A name in the second "
             "column that is not a type is a part, defined in the same section or field of "
             "`muster-run-1`. `a[].b` is field `b` of each entry of the list `a`."]
    for file, schema in flow.script("validate").schemas(program=program):
        lines += section(file, schema)
    return re.sub(r" +\n", "\n", "\n".join(lines)) + "\n"


def main():
    parser = argparse.ArgumentParser(description="Writes pages of docs/reference/.")
    parser.add_argument("--build", type=pathlib.Path, default=flow.ROOT / "build")
    arguments = parser.parse_args()
    program = arguments.build.resolve() / "muster"
    if not program.exists():
        flow.stop(f"{program}: no such program; scripts/build builds it")
    pages = {"command-line.md": command_line(program), "json.md": json_page(program)}
    for name, text in pages.items():
        (flow.ROOT / "docs/reference" / name).write_text(text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
