# SPDX-License-Identifier: Apache-2.0
"""What scripts/lint asks of the words of every file: none that a reader has to guess at where the
field has a plain one. This file alone: python3 word_rules.py

WORDS maps a phrase to what to say instead. A phrase is found in any case and across the end of a
line, with the marks of comments and of strings between; not as part of a longer word or of a name,
such as `x.mended`, `mended()`. Files that say what the program prints are judged by its sources.
"""

import re
import sys

import flow
import text_rules

WORDS = {
    "in vain": "without effect, or what the other end answers",
    "its like": "name the kind",
    "for want of": "because there is no, without",
    "mend": "fix", "mends": "fixes, recovers", "mended": "fixed, recovered", "mending": "fixing",
    "turn round": "reflect (at the root), reverse",
    "turns round": "reflects (at the root), reverses",
    "by gates": "masked, so that no reset or enable is inferred",
    "in a circle": "a dependency cycle, a loop",
    "sees to": "must guarantee (software), or name the verb",
    "by turns": "alternately, round robin",
    "became of": "the outcome of",
    "none of this module's business": "ignored here",
    "nobody": "no member, none, no requester; for a flit: unroutable",
    "somebody": "a member, a sender, another writer",
    "doubled": "duplicated (a flit, a message), doubles (a number)",
    "overtaken": "reordered, or passed by",
    "rival": "baseline", "rivals": "baselines",
    "the agent": "the (in-band register) access unit", "an agent": "an access unit",
    "agent's": "the access unit's",
    "all it is worth": "name what is lost or returned",
    "saves a simulator": "simulation-speed guard, functionally redundant",
    "known late": "timing-critical",
    "turning round": "reflecting, reflection",
    "hangs on": "is attached to, depends on",
    "goes round": "avoids, circulates, forms a loop",
    "thrown away": "discarded",
    "anybody": "any member, any node", "whoever": "the host, the process, any sender",
    "but for": "except for", "nothing but": "only", "all the same": "nevertheless",
    "means nothing": "is ignored, is undefined", "mean nothing": "are ignored, are undefined",
    "what becomes of": "the outcome of", "mixed up": "confused", "at will": "at any time",
    "bear deaths": "support deaths",
    "thereof": "of it", "therein": "in it", "wherein": "in which", "lest": "so that ... not",
}
# The list itself, and what programs write.
EXEMPT = (*text_rules.AS_THEY_ARE, "scripts/word_rules.py", "tests/recorded/")
GAP = r'(?:[ \t]+|[ \t]*"?\n[ \t]*(?:///?<?|#|\*|")?[ \t]*)'


def rules(words):
    """(phrase, what to say, pattern) of each; a pattern that a name in code does not match."""
    return [(phrase, instead,
             re.compile(rf"(?<![\w.:$-]){GAP.join(map(re.escape, phrase.split()))}"
                        r"(?![\w(=-]|\s=)", re.I))
            for phrase, instead in words.items()]


RULES = rules(WORDS)


def check_words(name, text):
    small = text.lower()
    found = [(text.count("\n", 0, match.start()) + 1, phrase, instead)
             for phrase, instead, pattern in RULES if phrase.split()[0] in small
             for match in pattern.finditer(text)]
    return [f"{name}:{line}: '{phrase}'; say: {instead}" for line, phrase, instead in sorted(found)]


def check_files():
    findings = []
    for path in text_rules.project_files():
        name = str(path.relative_to(flow.ROOT))
        if not name.startswith(EXEMPT):
            findings += check_words(name, path.read_text(encoding="utf-8"))
    return findings


if __name__ == "__main__":
    odd = check_files()
    print("\n".join(odd), end="\n" if odd else "")
    sys.exit(1 if odd else 0)
