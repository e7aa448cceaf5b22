# SPDX-License-Identifier: Apache-2.0
"""JSON against the schemas in schemas/, one file for each `schema` that muster writes or reads.

A schema is closed: a field that it does not name is an error. So a field that no result has is
dead text, and Schemas.unseen() finds it.
"""

import base64
import json
import re
import warnings
import zlib

import flow

try:
    import jsonschema
except ImportError:
    flow.stop("python3-jsonschema is not installed; scripts/install-deps installs it")

FOLDER = flow.ROOT / "schemas"
ENDING = ".schema.json"
SHOWN = 5  # errors of a document
WIDTH = 200  # characters of an error


class Schemas:
    """The schemas of a folder, with a note of every field that a document had."""

    def __init__(self, folder=FOLDER):
        self.folder = folder.resolve().as_uri()
        self.documents = {path.as_uri(): json.loads(path.read_text())
                          for path in sorted(folder.resolve().rglob(f"*{ENDING}"))}
        self.by_name = {}
        self.seen = set()  # id() of a field's schema
        known = jsonschema.Draft202012Validator.VALIDATORS["properties"]

        def properties(validator, fields, instance, schema):
            if isinstance(instance, dict):
                self.seen.update(id(rule) for name, rule in fields.items() if name in instance)
            yield from known(validator, fields, instance, schema)

        validator = jsonschema.validators.extend(jsonschema.Draft202012Validator,
                                                 {"properties": properties})
        for uri, document in self.documents.items():
            validator.check_schema(document)
            name = document.get("properties", {}).get("schema", {}).get("const")
            if name:
                self.by_name[name] = validator(document, resolver=self.resolver(uri))

    def resolver(self, uri):
        """Follows references from one schema to others; python3-jsonschema of Debian 12 has nothing
        else for it, later versions warn of it."""
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            return jsonschema.RefResolver(uri, self.documents[uri], store=self.documents)

    def errors(self, value):
        """What is wrong with a JSON value: one line for each error, the first ones."""
        name = value.get("schema") if isinstance(value, dict) else None
        if not isinstance(name, str) or name not in self.by_name:
            return [f"schema: {json.dumps(name)} is not one of {', '.join(self.by_name)}"]
        found = sorted(self.by_name[name].iter_errors(value), key=lambda e: str(e.json_path))
        return [f"{e.json_path}: {e.message}"[:WIDTH] for e in found[:SHOWN]]

    def unseen(self):
        """Fields that no document had, as FILE: POINTER."""
        missing = []
        for uri, document in self.documents.items():
            file = uri.removeprefix(f"{self.folder}/")
            missing += [f"{file}: {pointer}" for pointer, rule in fields(document)
                        if id(rule) not in self.seen]
        return missing


def page_data(page):
    """The JSON values in a page that muster has written, one for each run."""
    blocks = re.findall(r'<script type="application/x-muster">(.*?)</script>', page)
    return [json.loads(zlib.decompress(base64.b64decode(block))) for block in blocks]


def fields(schema, pointer=""):
    """(pointer, schema) of each field that a schema names, at any depth."""
    if isinstance(schema, list):
        for i, part in enumerate(schema):
            yield from fields(part, f"{pointer}/{i}")
    elif isinstance(schema, dict):
        for key, part in schema.items():
            if key == "properties" and isinstance(part, dict):
                yield from ((f"{pointer}/{key}/{name}", rule) for name, rule in part.items())
            yield from fields(part, f"{pointer}/{key}")
