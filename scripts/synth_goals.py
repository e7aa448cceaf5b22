# SPDX-License-Identifier: Apache-2.0
"""What was wanted of the hardware, and what the synthesis report says of it."""

import chips

HEADER = ("what was wanted", "goal", "measured", "")
PLACED = [("barrier unit, 4 ports, 4 registers", "unit:4", {"hx8k": 100, "ecp5-25": 200}),
          ("`sw4`, switch of 4 ports", "sw4", {"hx8k": 80, "ecp5-25": 150}),
          ("`sw8`, switch of 8 ports", "sw8", {"hx8k": 60, "ecp5-25": 120}),
          ("`box4s4`, 4 x 4 box", "box4s4", {"hx8k": 85}),
          ("`nic4`, NIC engine", "nic4", {"ecp5-25": 60})]
DEPTHS = [("barrier unit, 8 ports, 4 registers, LUT levels by abc9 on ECP5", "unit", 8, 12),
          ("switch of 8 ports, 4 registers, LUT levels by abc9 on ECP5", "support", 4, 12)]
SUPPORT, FURTHER = 0.60, 0.15
SUPPORTED = [("support5", "5 ports"), ("support", "8 ports")]
REGISTER = ("barrier register of 4 ports without data, iCE40", "register", 4, 100)


def row(what, goal, measured, unit, at_least=False):
    met = measured >= goal if at_least else measured <= goal
    form = "{:.0%}" if unit == "%" else "{:.0f} " + unit
    sign = "at least " if at_least else "at most "
    return (what, sign + form.format(goal), form.format(measured), "met" if met else "**missed**")


def placed_row(what, goal, chip, placed):
    """A goal of MHz; without a figure if it has not been placed yet, or if it does not fit."""
    what = f"{what}, on {chips.CHIPS[chip].title}"
    if placed and "mhz" in placed:
        return row(what, goal, placed["mhz"], "MHz", at_least=True)
    measured = f"does not fit ({placed['cells']} cells)" if placed else "not measured"
    return (what, f"at least {goal} MHz", measured, "")


def rows(report, families):
    """A row for each goal."""
    placed = {(p["configuration"], p["chip"]): p for p in report["placed"]}
    answers = {(a["question"], a["value"]): a for a in report["answers"]}
    found = [placed_row(what, goal, chip, placed.get((name, chip)))
             for what, name, goals in PLACED for chip, goal in goals.items()]
    found += [row(what, goal, answers[question, value]["ecp5"]["abc9"], "levels")
              for what, question, value, goal in DEPTHS if (question, value) in answers]
    what, question, value, goal = REGISTER
    if (question, value) in answers:
        found.append(row(what, goal, answers[question, value]["ice40"]["lut"], "LUTs"))
    for question, ports in SUPPORTED:
        if not all((question, n) in answers for n in (0, 1, 4)):
            continue
        for target, family in families.items():
            plain, one, four = (answers[question, n][target]["lut"] for n in (0, 1, 4))
            found.append(row(f"barrier support, 4 registers, {ports}, LUTs more, {family}",
                             SUPPORT, four / plain - 1, "%"))
            found.append(row(f"each further register, {ports}, LUTs more, {family}", FURTHER,
                             (four - one) / 3 / plain, "%"))
    return found
