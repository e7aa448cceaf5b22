# SPDX-License-Identifier: Apache-2.0
"""What was wanted of the hardware, and what the synthesis report says of it."""

HEADER = ("what was wanted", "goal", "measured", "")
PLACED = [("barrier unit, 4 ports, 4 registers, on HX8K", "unit:4", 100),
          ("`sw4`, switch of 4 ports, on HX8K", "sw4", 80),
          ("`box4s4`, 4 x 4 box, on HX8K", "box4s4", 60)]
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


def rows(report, families):
    """A row for each goal that the report has the figures of."""
    placed = {p["configuration"]: p["mhz"] for p in report["placed"]}
    answers = {(a["question"], a["value"]): a for a in report["answers"]}
    found = [row(what, goal, placed[name], "MHz", at_least=True)
             for what, name, goal in PLACED if name in placed]
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
