# SPDX-License-Identifier: Apache-2.0
"""The proof of a block's quiescent_o for scripts/prove.

A wrapper `<module>_quiet` in verif/formal has all outputs of the block, and two of its own:
`quiescent`, the block's, and `still`: quiescent, out of reset, with idle inputs. Yosys writes it as
logic and flip-flops; each flip-flop is cut open, its present value becomes an input. berkeley-abc
then looks for one state, reachable or not, and inputs with `still` in which the next value of some
flip-flop differs from the present one. There must be none; with `quiescent` in the place of
`still` there must be one, a flit that comes, or the question would be empty.
"""

import flow

SECONDS = 300


def question(blif, condition):
    """`blif` with the one output `moves`: `condition` holds and a flip-flop changes."""
    lines, latches = [], 0
    for line in blif.split("\n"):
        words = line.split()
        if line.startswith(".latch"):
            following, present = words[1:3]
            lines += [f".inputs {present}", f".names {following} {present} moves{latches}",
                      "10 1", "01 1"]
            latches += 1
        elif line.startswith(".outputs"):
            lines.append(".outputs moves")
        elif line.startswith(".end"):
            some = " ".join(f"moves{i}" for i in range(latches))
            lines += [f".names {some} still_all", "0" * latches + " 1",
                      f".names {condition} still_all moves", "10 1", line]
        else:
            lines.append(line)
    return "\n".join(lines), latches


def ask(name, blif, condition, directory):
    """ABC's answer, SATISFIABLE or UNSATISFIABLE, its log and seconds."""
    text, _ = question(blif, condition)
    (directory / f"{name}.{condition}.blif").write_text(text)
    commands = f"read_blif {name}.{condition}.blif; strash; iprove"
    _, log, seconds = flow.timed(
        ["prlimit", f"--cpu={SECONDS}", "berkeley-abc", "-q", commands], directory)
    answers = [word for word in log.split() if word.endswith("SATISFIABLE")]
    # An undriven net would be taken for 0, and something else be proved.
    answer = answers[0] if len(answers) == 1 and "non-driven" not in log else "no answer"
    return answer, log, seconds


def prove_quiet(name, directory):
    """(proved, number of flip-flops, log, seconds) for the circuit in <name>.blif."""
    blif = (directory / f"{name}.blif").read_text()
    still, still_log, still_seconds = ask(name, blif, "still", directory)
    wakes, wakes_log, wakes_seconds = ask(name, blif, "quiescent", directory)
    _, latches = question(blif, "still")
    proved = latches > 0 and still == "UNSATISFIABLE" and wakes == "SATISFIABLE"
    return proved, latches, still_log + wakes_log, still_seconds + wakes_seconds
