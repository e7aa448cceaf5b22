// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// The additions of a barrier switch with Guard: the rules for writes, the groups of ports, the
// time-outs of the access unit and the spill, and the records of what was refused, lost and given
// up. docs/systems/guard.md is the specification.
//
// A harmful write of the host sets refuse_o in its cycle; the written module must then ignore it.
// For the access unit harmful_o and foreign_o are those of its write in every cycle without a write
// of the host; guarded_i says that the access unit has refused the write for one of them.
//
// Words are read in the cycle of read_i, and written at the edge of the host's write; word_o is 0
// without a read, and for an address outside this module.
module muster_switch_guard #(
  /// ports of the switch, 3 to 32
  parameter int unsigned Ports = 8,
  /// barrier registers, 1 to 16
  parameter int unsigned Regs = 4,
  /// bits of a group identifier, 4 to 12
  parameter int unsigned GidW = 8,
  /// the switch has a spill port; 0 to 1
  parameter int unsigned Spill = 0,
  localparam int unsigned KeptW = muster_pkg::RegisterFlagsW + GidW + Ports,
  localparam int unsigned GivenUpW = 2 + GidW
) (
  input  wire logic                        clk_i,
  input  wire logic                        rst_ni,

  /// the register port: a read, of the host or the access unit; a write of the host; address and
  /// data of that or else of the access unit's
  input  wire logic                        read_i,
  input  wire logic [11:0]                 read_addr_i,
  input  wire logic                        write_i,
  input  wire logic [11:0]                 addr_i,
  input  wire logic [31:0]                 wdata_i,
  output logic [31:0]                      word_o,
  /// the host's write of this cycle changes nothing
  output logic                             refuse_o,

  /// what the barrier registers hold, see muster_barrier_unit
  input  wire logic [Regs-1:0][KeptW-1:0]  kept_i,
  /// the port of the access unit's request, one-hot; what is to be said of its write; its write is
  /// refused in this cycle, for one of these two
  input  wire logic [Ports-1:0]            port_i,
  output logic                             harmful_o,
  output logic                             foreign_o,
  input  wire logic                        guarded_i,

  /// a data flit, or a sync flit, on the wires of port p is lost; its virtual channel
  input  wire logic [Ports-1:0]            lost_data_i,
  input  wire logic [Ports-1:0]            lost_sync_i,
  input  wire logic [Ports-1:0][1:0]       vc_i,

  /// the spill gives up a message of port p, see muster_barrier_spill; none without a spill port
  input  wire logic [Ports-1:0]                given_up_i,
  input  wire logic [Ports-1:0][GivenUpW-1:0]  given_up_info_i,

  /// the access unit waits for 2 to this power of cycles; 0: for ever
  output logic [3:0]                       patience_o,
  /// so does the spill; 0 without a spill port
  output logic [3:0]                       spill_patience_o,
  /// something is still to be counted
  output logic                             pending_o
);
  // ---- Rules ----------------------------------------------------------------------------------
  logic [GidW-1:0] group_mask, group_value;
  logic [1:0] harm;
  muster_write_rules #(.Ports(Ports), .Regs(Regs), .GidW(GidW), .Spill(Spill)) rules (
    .addr_i,
    .wdata_i,
    .kept_i,
    .group_mask_i(group_mask),
    .group_value_i(group_value),
    .harmful_o,
    .foreign_o,
    .reason_o(harm)
  );
  assign refuse_o = write_i && harmful_o;

  // ---- Words ----------------------------------------------------------------------------------
  logic [Ports-1:0] read_here, write_here;  // the address is that of port p's groups
  logic [31:0] permits;
  logic [7:0] refusals, losses;
  logic [5:0] refused_port, lost_port;
  logic [6:0] refused;
  logic [2:0] lost;
  logic refusals_pending, losses_pending;
  logic [31:0] given_up_word;  // 0 at other addresses
  logic given_up_pending;
  localparam int unsigned PatienceW = (Spill == 1) ? 8 : 4;
  logic [PatienceW-1:0] patience_q;
  for (genvar p = 0; p < Ports; p++) begin : gen_here
    assign read_here[p] =
        read_i && read_addr_i == (muster_pkg::RegGroupPermits | 12'($unsigned(p)));
    assign write_here[p] =
        write_i && addr_i == (muster_pkg::RegGroupPermits | 12'($unsigned(p)));
  end

  // The groups of each port, which packets that come in there may set up. After reset mask and
  // value are 0, so all groups are of all ports.
  logic [Ports-1:0][GidW-1:0] mask_q, value_q;
  /* verilator lint_off UNUSEDSIGNAL */
  muster_pkg::group_permits_t written;
  /* verilator lint_on UNUSEDSIGNAL */
  muster_pkg::group_permits_t shown;
  assign written = wdata_i;

  always_ff @(posedge clk_i) begin
    for (int unsigned p = 0; p < Ports; p++) begin
      if (!rst_ni) begin
        mask_q[p] <= '0;
        value_q[p] <= '0;
      end else if (write_here[p]) begin
        mask_q[p] <= written.mask[GidW-1:0];
        value_q[p] <= written.value[GidW-1:0];
      end
    end
  end

  always_comb begin
    permits = '0;
    shown = '0;
    group_mask = '0;
    group_value = '0;
    for (int unsigned p = 0; p < Ports; p++) begin
      shown.mask = 12'(mask_q[p]);
      shown.value = 12'(value_q[p]);
      if (read_here[p]) permits = permits | shown;
      if (port_i[p]) begin
        group_mask = group_mask | mask_q[p];
        group_value = group_value | value_q[p];
      end
    end
  end
  `MUSTER_ASSERT(OnePort_A, (port_i & (port_i - 1'b1)) == '0)

  always_ff @(posedge clk_i) begin
    if (!rst_ni) patience_q <= '0;
    else if (write_i && addr_i == muster_pkg::RegPatience) patience_q <= wdata_i[PatienceW-1:0];
  end
  assign patience_o = patience_q[3:0];
  assign spill_patience_o = 4'(8'(patience_q) >> 4);

  muster_pkg::refusals_t refusals_word;
  muster_pkg::overflows_t overflows_word;
  muster_pkg::patience_t patience_word;
  always_comb begin
    refusals_word = '0;
    refusals_word.count = refusals;
    {refusals_word.host, refusals_word.reason, refusals_word.slot} = refused;
    refusals_word.port = refused_port;
    overflows_word = '0;
    overflows_word.count = losses;
    {overflows_word.sync, overflows_word.vc} = lost;
    overflows_word.port = lost_port;
    patience_word = '0;
    patience_word.agent = patience_o;
    patience_word.spill = spill_patience_o;
  end
  always_comb begin
    word_o = permits | given_up_word;
    if (read_i) begin
      unique case (read_addr_i)
        muster_pkg::RegRefusals: word_o = refusals_word;
        muster_pkg::RegOverflows: word_o = overflows_word;
        muster_pkg::RegPatience: word_o = patience_word;
        default: word_o = permits | given_up_word;
      endcase
    end
  end

  // ---- Records --------------------------------------------------------------------------------
  // Of a write: by the host, reason, register. The host's are counted with port 0.
  logic [Ports-1:0] refusal, loss;
  logic [Ports-1:0][6:0] refusal_info;
  logic [Ports-1:0][2:0] loss_info;
  assign refusal = refuse_o ? Ports'(1) : (guarded_i ? port_i : '0);
  logic [1:0] reason;
  assign reason = foreign_o && !refuse_o ? muster_pkg::RefusalForeignGroup : harm;
  assign refusal_info = {Ports{refuse_o, reason, addr_i[7:4]}};
  muster_drop_record #(.Ports(Ports), .InfoW(7)) refused_writes (
    .clk_i, .rst_ni,
    .event_i(refusal),
    .come_i(refusal),
    .info_i(refusal_info),
    .clear_i(write_i && addr_i == muster_pkg::RegRefusals),
    .count_o(refusals),
    .port_o(refused_port),
    .info_o(refused),
    .pending_o(refusals_pending)
  );

  assign loss = lost_data_i | lost_sync_i;
  for (genvar p = 0; p < Ports; p++) begin : gen_loss
    assign loss_info[p] = lost_sync_i[p] ? 3'b100 : {1'b0, vc_i[p]};
  end
  muster_drop_record #(.Ports(Ports), .InfoW(3)) lost_flits (
    .clk_i, .rst_ni,
    .event_i(loss),
    .come_i(loss),
    .info_i(loss_info),
    .clear_i(write_i && addr_i == muster_pkg::RegOverflows),
    .count_o(losses),
    .port_o(lost_port),
    .info_o(lost),
    .pending_o(losses_pending)
  );

  if (Spill == 1) begin : gen_given_up
    logic [7:0] count;
    logic [5:0] port;
    logic [GivenUpW-1:0] info;
    muster_drop_record #(.Ports(Ports), .InfoW(GivenUpW)) given_up (
      .clk_i, .rst_ni,
      .event_i(given_up_i),
      .come_i(given_up_i),
      .info_i(given_up_info_i),
      .clear_i(write_i && addr_i == muster_pkg::RegGivenUp),
      .count_o(count),
      .port_o(port),
      .info_o(info),
      .pending_o(given_up_pending)
    );
    muster_pkg::given_up_t record;
    always_comb begin
      record = '0;
      record.count = count;
      record.port = port;
      record.answer = info[GidW+1];
      record.what = info[GidW];
      record.gid = 12'(info[GidW-1:0]);
    end
    assign given_up_word = (read_i && read_addr_i == muster_pkg::RegGivenUp) ? record : '0;
  end else begin : gen_no_spill
    assign given_up_word = '0;
    assign given_up_pending = 1'b0;

    logic unused;
    assign unused = &{1'b0, given_up_i, given_up_info_i};
  end
  assign pending_o = refusals_pending || losses_pending || given_up_pending;

  `MUSTER_ASSERT(OneIsRefused_A, !(refuse_o && guarded_i))
  `MUSTER_ASSERT(OneIsLost_A, (lost_data_i & lost_sync_i) == '0)

endmodule

`default_nettype wire
