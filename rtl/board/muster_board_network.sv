// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"

// Two board-level systems of switches of three ports with four nodes, one group of all nodes:
//
//   Preempt 0   2 x 2 barrier switches, a mesh, one node each, behind an AXI endpoint
//   Preempt 1   2 preempting switches I, two nodes each, behind muster_board_bsr_node
//
// In both, with L = log2 of the number of switches, port p < L of switch s leads to port p of
// switch s ^ 2^p. At the other ports are the nodes, in the order of their numbers. Routes change
// the lowest bit first in which two switches differ, X-Y in the mesh. Switch 0 is the root of the
// tree, which follows its routes and reflects, and the center. Addresses are those of all
// networks: nodes, then switches.
//
// One virtual channel, queues of 2, one register, flits of 16 bits. After the sweep of their tables
// an image sets the switches up; then all nodes start in one cycle. Without other traffic a barrier
// of the mesh takes 13 cycles if node 3 is the last to arrive: 2 from the store to the wires, 2 for
// each of five switches up and down, 1 to irq_o. It takes 11 if that is node 1 or 2, 9 if node 0.
module muster_board_network #(
  /// 0 to 1: preempting switches
  parameter int unsigned Preempt = 0,
  localparam int unsigned Nodes = 4
) (
  input  wire logic               clk_i,
  input  wire logic               rst_ni,

  /// nodes send packets too
  input  wire logic               traffic_i,
  output logic [Nodes-1:0]        arrives_o,
  output logic [Nodes-1:0]        released_o
);
  localparam int unsigned Links = (Preempt == 1) ? 1 : 2;
  localparam int unsigned Switches = 2 ** Links;
  localparam int unsigned Ports = 3;
  localparam int unsigned NodesEach = Ports - Links;
  localparam int unsigned Ends = Switches * Ports;
  localparam int unsigned Depth = 2;
  localparam int unsigned FlitW = 16;
  localparam int unsigned BackW = 1 + Preempt;
  localparam int unsigned KindW = muster_pkg::KindW;
  localparam int unsigned WordW = Links + muster_pkg::RegAddrW + muster_pkg::RegDataW;

  `MUSTER_RANGE(Preempt, 0, 1)

  // ---- Image: 16 words a switch, of which the last is repeated ------------------------------
  function automatic logic [Ports-1:0] route(input int unsigned from, input int unsigned to,
                                             input int unsigned at_port);
    route = (from == to) ? Ports'(1'b1) << at_port : Ports'((from ^ to) & (~(from ^ to) + 1));
  endfunction
  function automatic logic [Ports-1:0] children(input int unsigned of);
    for (int unsigned p = 0; p < Ports; p++) begin
      children[p] = p >= Links || of < 1 << p;
    end
  endfunction

  logic [Links+3:0] at;
  logic [WordW-1:0] word;
  logic [muster_pkg::RegAddrW-1:0] image_addr;
  logic [muster_pkg::RegDataW-1:0] image_data;
  logic [Links-1:0] image_switch;
  logic [3:0] step;
  muster_pkg::barrier_control_t register;
  muster_pkg::bsr_entries_control_t entry;
  assign {image_switch, step} = at;
  assign word = {image_switch, image_addr, image_data};
  always_comb begin
    register = '0;
    register.valid = 1'b1;
    register.turn = image_switch == '0;
    register.parent = 6'(image_switch) >> 1;  // the highest bit of its number
    entry = '0;
    entry.valid = 1'b1;
    entry.center = image_switch == '0;
    if (entry.center) entry.count = 11'(Nodes);
    image_addr = muster_pkg::RegRoutes | 12'(step);
    image_data = 32'(route(32'(image_switch), 32'(step) / NodesEach,
                           Links + 32'(step) % NodesEach));
    if (32'(step) >= Nodes && Preempt == 0) begin
      image_addr = muster_pkg::RegBarrierControl;
      image_data = register;
      if (step == 4'd4) begin
        image_addr = muster_pkg::RegBarrierChildren;
        image_data = 32'(children(32'(image_switch)));
      end
    end else if (32'(step) >= Nodes) begin
      case (step)
        4'd4, 4'd5: image_data = 32'(route(32'(image_switch), 32'(step) - Nodes, Ports));
        4'd6: {image_addr, image_data} = {muster_pkg::RegAddress, 32'(Nodes) | 32'(image_switch)};
        4'd7: {image_addr, image_data} = {muster_pkg::RegEntriesLocals, 32'h6};
        default: {image_addr, image_data} = {muster_pkg::RegEntriesControl, entry};
      endcase
    end
  end

  logic write, go;
  logic [Links-1:0] block;
  logic [muster_pkg::RegAddrW-1:0] addr;
  logic [muster_pkg::RegDataW-1:0] wdata;
  muster_image_loader #(.Words(16 * Switches), .Blocks(Switches), .Routes(16)) loader (
    .clk_i, .rst_ni,
    .at_o(at),
    .word_i(word),
    .write_o(write),
    .block_o(block),
    .addr_o(addr),
    .wdata_o(wdata),
    .done_o(go)
  );

  // ---- Switches and the links between them --------------------------------------------------
  // End s * Ports + p is port p of switch s: what it sends, and what comes to it.
  logic [Ends-1:0] out_valid, in_valid;
  logic [Ends-1:0][BackW-1:0] out_credit, in_credit;
  logic [Ends-1:0][KindW-1:0] out_kind, in_kind;
  logic [Ends-1:0][FlitW-1:0] out_payload, in_payload;

  for (genvar s = 0; s < Switches; s++) begin : gen_switch
    localparam int unsigned First = s * Ports;
    logic here;
    assign here = write && block == Links'(s);
    // With one virtual channel its number is 0; registers are not read; clocks are not gated; no
    // switch interrupts.
    /* verilator lint_off UNUSEDSIGNAL */
    logic [Ports-1:0] vc;
    logic [31:0] rdata;
    logic quiescent, irq;
    /* verilator lint_on UNUSEDSIGNAL */
    if (Preempt == 1) begin : gen_bsr
      muster_bsr_switch #(
        .Ports(Ports), .Vcs(1), .Depth(Depth), .Regs(1), .FlitW(FlitW), .Dests(16)
      ) dut (
        .clk_i, .rst_ni,
        .rx_valid_i(in_valid[First+:Ports]),
        .rx_vc_i('0),
        .rx_kind_i(in_kind[First+:Ports]),
        .rx_payload_i(in_payload[First+:Ports]),
        .rx_credit_o(out_credit[First+:Ports]),
        .tx_valid_o(out_valid[First+:Ports]),
        .tx_vc_o(vc),
        .tx_kind_o(out_kind[First+:Ports]),
        .tx_payload_o(out_payload[First+:Ports]),
        .tx_credit_i(in_credit[First+:Ports]),
        .reg_valid_i(here),
        .reg_write_i(here),
        .reg_addr_i(addr),
        .reg_wdata_i(wdata),
        .reg_rdata_o(rdata),
        .irq_o(irq),
        .quiescent_o(quiescent)
      );
    end else begin : gen_barrier
      muster_barrier_switch #(
        .Ports(Ports), .Vcs(1), .Depth(Depth), .Regs(1), .FlitW(FlitW), .Dests(16)
      ) dut (
        .clk_i, .rst_ni,
        .rx_valid_i(in_valid[First+:Ports]),
        .rx_vc_i('0),
        .rx_kind_i(in_kind[First+:Ports]),
        .rx_payload_i(in_payload[First+:Ports]),
        .rx_credit_o(out_credit[First+:Ports]),
        .tx_valid_o(out_valid[First+:Ports]),
        .tx_vc_o(vc),
        .tx_kind_o(out_kind[First+:Ports]),
        .tx_payload_o(out_payload[First+:Ports]),
        .tx_credit_i(in_credit[First+:Ports]),
        .reg_valid_i(here),
        .reg_write_i(here),
        .reg_addr_i(addr),
        .reg_wdata_i(wdata),
        .reg_rdata_o(rdata),
        .irq_o(irq),
        .quiescent_o(quiescent)
      );
    end

    for (genvar p = 0; p < Links; p++) begin : gen_link
      localparam int unsigned Beside = s ^ (1 << p);
      localparam int unsigned Other = Beside * Ports + p;
      assign in_valid[First+p] = out_valid[Other];
      assign in_kind[First+p] = out_kind[Other];
      assign in_payload[First+p] = out_payload[Other];
      assign in_credit[First+p] = out_credit[Other];
    end
  end

  // ---- Nodes --------------------------------------------------------------------------------
  for (genvar n = 0; n < Nodes; n++) begin : gen_node
    localparam int unsigned At = (n / NodesEach) * Ports + Links + n % NodesEach;
    logic released, tvalid, tready, tlast;
    logic [1:0] tdest;
    logic [FlitW-1:0] tdata;
    muster_board_node #(.Nodes(Nodes), .Self(n)) node (
      .clk_i, .rst_ni,
      .go_i(go),
      .traffic_i,
      .arrives_o(arrives_o[n]),
      .released_i(released),
      .released_o(released_o[n]),
      .tvalid_o(tvalid),
      .tready_i(tready),
      .tdest_o(tdest),
      .tdata_o(tdata),
      .tlast_o(tlast)
    );

    if (Preempt == 1) begin : gen_bsr
      muster_board_bsr_node #(
        .Self(n), .Home(Nodes + n / NodesEach), .Center(Nodes), .Depth(Depth)
      ) link (
        .clk_i, .rst_ni,
        .arrives_i(arrives_o[n]),
        .released_o(released),
        .tvalid_i(tvalid),
        .tready_o(tready),
        .tdest_i(tdest),
        .tdata_i(tdata),
        .tlast_i(tlast),
        .tx_valid_o(in_valid[At]),
        .tx_kind_o(in_kind[At]),
        .tx_payload_o(in_payload[At]),
        .tx_credit_i(out_credit[At]),
        .rx_valid_i(out_valid[At]),
        .rx_kind_i(out_kind[At]),
        .rx_credit_o(in_credit[At])
      );
    end else begin : gen_endpoint
      // Until all start, the group is made a member's of group 0; then a store is an arrival.
      muster_pkg::endpoint_groups_control_t member;
      always_comb begin
        member = '0;
        member.member = 1'b1;
        member.irq = 1'b1;
      end
      // Packets that come are taken and forgotten; registers are not read; clocks are not gated.
      /* verilator lint_off UNUSEDSIGNAL */
      logic got, got_last, got_vc, vc, quiescent;
      logic [FlitW-1:0] got_data;
      logic [15:0] got_dest;
      logic [muster_pkg::OpcodeW-1:0] got_opcode;
      logic [31:0] rdata;
      /* verilator lint_on UNUSEDSIGNAL */
      muster_axis_endpoint #(
        .Vcs(1), .Depth(Depth), .FlitW(FlitW), .Groups(1), .Dests(16), .Address(n)
      ) endpoint (
        .clk_i, .rst_ni,
        .s_axis_tvalid_i(tvalid),
        .s_axis_tready_o(tready),
        .s_axis_tdata_i(tdata),
        .s_axis_tlast_i(tlast),
        .s_axis_tid_i(1'b0),
        .s_axis_tdest_i(16'(tdest)),
        .s_axis_tuser_i('0),
        .m_axis_tvalid_o(got),
        .m_axis_tready_i(1'b1),
        .m_axis_tdata_o(got_data),
        .m_axis_tlast_o(got_last),
        .m_axis_tid_o(got_vc),
        .m_axis_tdest_o(got_dest),
        .m_axis_tuser_o(got_opcode),
        .reg_valid_i(!go || arrives_o[n]),
        .reg_write_i(1'b1),
        .reg_addr_i(go ? muster_pkg::EndpointRegGroupsArrive
                       : muster_pkg::EndpointRegGroupsControl),
        .reg_wdata_i(go ? '0 : member),
        .reg_rdata_o(rdata),
        .tx_valid_o(in_valid[At]),
        .tx_vc_o(vc),
        .tx_kind_o(in_kind[At]),
        .tx_payload_o(in_payload[At]),
        .tx_credit_i(out_credit[At]),
        .rx_valid_i(out_valid[At]),
        .rx_vc_i(1'b0),
        .rx_kind_i(out_kind[At]),
        .rx_payload_i(out_payload[At]),
        .rx_credit_o(in_credit[At]),
        .irq_o(released),
        .quiescent_o(quiescent)
      );
    end
  end

endmodule

`default_nettype wire
