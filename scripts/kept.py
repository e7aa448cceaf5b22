# SPDX-License-Identifier: Apache-2.0
"""Results of long jobs, kept in a workspace: a run that was stopped goes on where it was, and what
is made from the same files by the same tools is not made again."""

import hashlib
import json
import re
import threading
import time

import flow

_lock = threading.Lock()


def key(script, directory, *versions):
    """A digest of a command and of the sources that it names, as seen in `directory`, with what
    they may include, and of the requirements files that say the versions of its tools."""
    digest = hashlib.sha256(script.encode())
    named = [directory / name for name in re.findall(r"\b(?:rtl|synth)/\S+\.sv\b", script)]
    for path in [*named, *sorted((flow.ROOT / "rtl").glob("*/*.svh")),
                 *(flow.ROOT / "synth" / name for name in versions)]:
        digest.update(path.read_bytes())
    return digest.hexdigest()


def has(path, made_from):
    """True if there is a result that was made from the same."""
    return path.exists() and json.loads(path.read_text())["key"] == made_from


def result(path, made_from, make):
    """What make() gives, or what it gave before, as JSON, if it was made from the same."""
    if has(path, made_from):
        return json.loads(path.read_text())["result"]
    value = make()
    part = path.with_suffix(".part")
    part.write_text(json.dumps({"key": made_from, "result": value}))
    part.replace(path)
    return value


class Progress:
    """Says on the terminal which jobs are done and about how long the rest takes."""

    def __init__(self, script, expected, stream):
        self.script, self.expected, self.stream = script, dict(expected), stream
        self.begun, self.done, self.count = time.monotonic(), 0.0, 0
        self.total = len(self.expected)

    def tell(self, job, what):
        """`job` of `expected` has ended: {job: seconds that it may take}."""
        with _lock:
            self.count += 1
            self.done += self.expected.pop(job)
            spent = time.monotonic() - self.begun
            minutes = spent / max(self.done, 1e-9) * sum(self.expected.values()) / 60
            left = f"; about {minutes:.0f} minutes left" if self.expected else ""
            print(f"{self.script}: {self.count} of {self.total}: {what}{left}", file=self.stream,
                  flush=True)
