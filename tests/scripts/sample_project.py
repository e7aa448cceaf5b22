# SPDX-License-Identifier: Apache-2.0
"""A copy of the project with one good module, `sample`, for tests that plant errors in it. Nothing
in the project is touched."""

import json
import shutil

import copied_project
import synth_report

ROOT = copied_project.ROOT

GOOD = """\
// SPDX-License-Identifier: Apache-2.0
`default_nettype none

// Counts up to N.
module sample #(
  /// bits, 2 to 8
  parameter int unsigned N = 4
) (
  input  wire logic          clk_i,
  input  wire logic          rst_ni,
  input  wire logic          step_i,
  output logic [N-1:0]       count_o
);
  if (N < 2 || N > 8) begin : gen_bad
    $error("sample: N must be 2 to 8");
  end

  logic [N-1:0] next;
  assign next = count_o + N'(step_i);
  always_ff @(posedge clk_i) begin
    if (!rst_ni) count_o <= '0;
    else count_o <= next;
  end

endmodule

`default_nettype wire
"""


def changed(text, *replacements):
    for old, new in replacements:
        assert text.count(old) == 1, old
        text = text.replace(old, new)
    return text


class SampleProject(copied_project.OfScripts):
    """Each test has its own copy, in self.project."""

    def setUp(self):
        self.project = copied_project.copied_scripts(self)
        for name in ("common/muster_pkg.sv", "common/muster_assert.svh"):
            copy = self.project / "rtl" / name
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / "rtl" / name, copy)
        # What the comments of these name.
        for name in ("docs/reference/formats.md", "docs/reference/registers.md",
                     "docs/systems/nic-engine.md", "docs/systems/bsr-tree.md",
                     "include/muster/fabric/formats.hpp", "verif/formal/muster_bind.sv"):
            self.page(name, "// SPDX-License-Identifier: Apache-2.0\n")
        (self.project / "rtl" / "configurations.json").write_text(json.dumps({"configurations": [
            {"name": "one", "top": "sample", "params": {"N": 8}}]}))
        (self.project / "rtl" / "switch").mkdir()
        self.page("synth/designs.json", json.dumps({"questions": [], "ladder": [], "placed": []}))
        for name in ("python", "python-tools", "requirements.txt",
                     "requirements-place.txt", "board.pcf"):
            (self.project / "synth" / name).symlink_to(ROOT / "synth" / name)

    def results(self, rows):
        """results/synthesis.csv of the copy, with these rows and no others."""
        self.page("results/synthesis.csv", synth_report.csv_of(rows))

    def page(self, name, text):
        """A page of the copy."""
        path = self.project / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_script(self, script, text, *arguments):
        """(exit status, what it says) with the module `text` in the copy."""
        (self.project / "rtl" / "switch" / "sample.sv").write_text(text)
        return copied_project.run(self.project / "scripts" / script, *arguments)
