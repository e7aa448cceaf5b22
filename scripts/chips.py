# SPDX-License-Identifier: Apache-2.0
"""The FPGAs that scripts/place places on, each with its nextpnr and what that calls its cells."""

import dataclasses

import flow
import mapping

PINS = ("clk_i", "rst_ni", "serial_i", "serial_o")  # of the harness in placing.py
REQUIREMENTS = "requirements-place.txt"


@dataclasses.dataclass(frozen=True)
class Chip:
    title: str
    family: str     # of mapping.SYNTHESIS
    command: tuple  # of nextpnr, without design and seed
    cell: str       # what its report calls a LUT, and a block RAM
    ram: str
    constraints: str = ""  # file that the command names


def ecp5(size):
    return Chip(f"ECP5-{size}", "ecp5",
                (flow.ROOT / "synth/nextpnr.py", "nextpnr-ecp5", f"--{size}k", "--package",
                 "CABGA381", "--speed", "6", "--lpf-allow-unconstrained"),
                "TRELLIS_COMB", "DP16KD")


CHIPS = {
    "hx8k": Chip("iCE40 HX8K", "ice40", ("nextpnr-ice40", "--hx8k", "--package", "ct256",
                                        "--pcf-allow-unconstrained"),
                 "ICESTORM_LC", "ICESTORM_RAM"),
    "ecp5-25": ecp5(25), "ecp5-45": ecp5(45), "ecp5-85": ecp5(85),
    # All pins must have a place, any will do. router2, the default, finds no way from any pin to a
    # clock buffer (nextpnr 0.11.1).
    "nexus-40": Chip("Nexus LIFCL-40", "nexus",
                     (flow.ROOT / "synth/nextpnr.py", "nextpnr-nexus", "--device",
                      "LIFCL-40-9BG400C", "--router", "router1", "--pdc", "harness.pdc"),
                     "OXIDE_COMB", "OXIDE_EBR",
                     constraints="".join(
                         f"ldc_set_location -site {{{site}}} [get_ports {pin}]\n"
                         for pin, site in zip(PINS, ("L5", "G14", "E17", "F13"), strict=True))),
}


def needs_packages(chips):
    """True if one of these is placed by what `scripts/install-deps place` installs."""
    return any(CHIPS[chip].family in ("ecp5", "nexus") for chip in chips)


assert {chip.family for chip in CHIPS.values()} <= mapping.SYNTHESIS.keys()
