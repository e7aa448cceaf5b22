# SPDX-License-Identifier: Apache-2.0
"""The proof of a block's quiescent_o for scripts/prove.

A wrapper `<module>_quiet`, made of the header of the module, has all inputs and outputs of the
block, out of reset, and one output more, `still`: quiescent_o with idle inputs. Yosys writes it as
logic and flip-flops; each flip-flop is cut open, its present value becomes an input. berkeley-abc
then looks for one state, reachable or not, and inputs with `still` in which the next value of some
flip-flop differs from the present one. There must be none; with `quiescent_o` in the place of
`still` there must be one, a flit that comes, or the question would be empty.
"""

import re

import flow

SECONDS = 300

# Inputs that are low where a block is idle; a block has some of them. All others may be as they
# like: a read may stand on the register port, what stands behind an output may be ready or not.
IDLE = ("rx_valid_i", "tx_credit_i", "frame_valid_i", "s_axis_tvalid_i", "valid_i", "set_i",
        "clear_i")
WRITE = ("reg_valid_i", "reg_write_i")

WRAPPER = """\
`default_nettype none
module {name}_quiet #(
{parameters}) (
{ports},
  output logic still
);
  {name} #({settings}) dut (.rst_ni(1'b1), {connections});
  assign still = {still};
endmodule
`default_nettype wire
"""


def wrapper(name, text):
    """The wrapper of module `name`, whose source is `text`."""
    header = re.search(rf"^module {name} #\(\n(.*?)^\) \(\n(.*?)^\);", text, re.M | re.S)
    if not header:
        flow.stop(f"{name}: no module header with parameters and ports")
    parameters, declared = header.groups()
    lines = [line for line in declared.splitlines() if not re.search(r"\brst_ni\b", line)]
    declared = "\n".join(lines).rstrip()
    ports = re.findall(r"^\s*(?:input|output) .*?(\w+),?\s*(?://.*)?$", declared, re.M)
    idle = ["quiescent_o", *(f"({port} == '0)" for port in IDLE if port in ports)]
    if set(WRITE) <= set(ports):
        idle.append(f"!({' && '.join(WRITE)})")
    settings = re.findall(r"^\s*parameter [\w ]*?(\w+) =", parameters, re.M)
    return WRAPPER.format(name=name, parameters=parameters, ports=declared,
                          settings=", ".join(f".{p}({p})" for p in settings),
                          connections=", ".join(f".{p}" for p in ports), still=" && ".join(idle))


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
    wakes, wakes_log, wakes_seconds = ask(name, blif, "quiescent_o", directory)
    _, latches = question(blif, "still")
    proved = latches > 0 and still == "UNSATISFIABLE" and wakes == "SATISFIABLE"
    return proved, latches, still_log + wakes_log, still_seconds + wakes_seconds
