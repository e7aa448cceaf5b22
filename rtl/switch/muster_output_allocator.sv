// SPDX-License-Identifier: Apache-2.0
`default_nettype none

`include "muster_assert.svh"
`include "muster_few.svh"

// Allocation: which queues' flits are taken in this cycle, and for which outputs.
//
// Queue q = i * Vcs + v belongs to input i and virtual channel v. Two steps, each of which begins
// from flip-flops: for each packet, an output channel gives itself to an input
// (muster_output_channel); for each flit, output p picks one of its channels whose owner has a
// flit, if the channel is open (a credit, and nothing closes the port), by round robin over v.
// Nothing is picked for an input: each queue has its own way through the crossbar, so an input may
// send one flit of each virtual channel in a cycle, to different outputs.
//
// The pointer of output p is 0 after reset and moves to v + 1 when channel v is picked.
module muster_output_allocator #(
  /// ports of the switch, 3 to 16
  parameter int unsigned Ports = 8,
  /// virtual channels, 1 to 4
  parameter int unsigned Vcs = 2
) (
  input  wire logic                               clk_i,
  input  wire logic                               rst_ni,

  /// output of the packet in front in queue q, one-hot or zero; while it is new; and of the packet
  /// behind it. See muster_packet_routes
  input  wire logic [Ports*Vcs-1:0][Ports-1:0]    want_i,
  input  wire logic [Ports*Vcs-1:0][Ports-1:0]    new_i,
  input  wire logic [Ports*Vcs-1:0][Ports-1:0]    behind_i,
  /// a flit of it is there; it is the tail
  input  wire logic [Ports*Vcs-1:0]               ready_i,
  input  wire logic [Ports*Vcs-1:0]               tail_i,
  /// channel (p, v) may take a flit: open_i[p][v]
  input  wire logic [Ports-1:0][Vcs-1:0]          open_i,
  /// no packet may get channel (p, v): closed_i[v][p]
  input  wire logic [Vcs-1:0][Ports-1:0]          closed_i,

  /// the flit of queue q is taken
  output logic [Ports*Vcs-1:0]                    taken_o,
  /// output p takes that of queue q: bit p * Ports * Vcs + q
  output logic [Ports*Ports*Vcs-1:0]              select_o,
  /// a flit was allocated to channel (p, v): allocated_o[p][v]
  output logic [Ports-1:0][Vcs-1:0]               allocated_o,
  /// channel (p, v) has an owner: owned_o[v][p]
  output logic [Vcs-1:0][Ports-1:0]               owned_o,
  /// nothing changes unless a packet is new or a flit is there
  output logic                                    idle_o
);
  localparam int unsigned Queues = Ports * Vcs;

  if (Ports < 3 || Ports > 16) begin : gen_bad_ports
    $error("muster_output_allocator: Ports must be 3 to 16");
  end
  if (Vcs < 1 || Vcs > 4) begin : gen_bad_vcs
    $error("muster_output_allocator: Vcs must be 1 to 4");
  end

  // By channel c = p * Vcs + v; of its inputs i: bit c * Ports + i.
  localparam int unsigned Channels = Queues;
  logic [Channels*Ports-1:0] want, fresh, behind, owner;
  logic [Channels-1:0] idle, closed, filled, asks, ends, stays, grant;
  logic [Channels-1:0] closed_given, has_owner;  // v * Ports + p
  assign closed_given = closed_i;
  assign allocated_o = grant;
  assign owned_o = has_owner;
  logic [Queues*Ports-1:0] wanted, new_wanted, behind_wanted;  // q * Ports + p
  assign wanted = want_i;
  assign new_wanted = new_i;
  assign behind_wanted = behind_i;

  always_comb begin
    want = '0;
    fresh = '0;
    behind = '0;
    for (int unsigned q = 0; q < Queues; q++) begin
      if (`MUSTER_FEW(wanted[q*Ports+:Ports] != '0)) begin
        for (int unsigned p = 0; p < Ports; p++)
          want[(p*Vcs+q%Vcs)*Ports+q/Vcs] = wanted[q*Ports+p];
      end
      if (`MUSTER_FEW(new_wanted[q*Ports+:Ports] != '0)) begin
        for (int unsigned p = 0; p < Ports; p++)
          fresh[(p*Vcs+q%Vcs)*Ports+q/Vcs] = new_wanted[q*Ports+p];
      end
      if (`MUSTER_FEW(behind_wanted[q*Ports+:Ports] != '0)) begin
        for (int unsigned p = 0; p < Ports; p++)
          behind[(p*Vcs+q%Vcs)*Ports+q/Vcs] = behind_wanted[q*Ports+p];
      end
    end
    for (int unsigned v = 0; v < Vcs; v++) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        closed[p*Vcs+v] = closed_given[v*Ports+p];
      end
    end
  end

  // Of the owner of each channel: it has a flit, a tail, a packet behind for the same channel.
  logic [Channels-1:0] tail;
  always_comb begin
    filled = '0;
    tail = '0;
    stays = '0;
    for (int unsigned c = 0; c < Channels; c++) begin
      if (`MUSTER_FEW(owner[c*Ports+:Ports] != '0)) begin
        for (int unsigned i = 0; i < Ports; i++) begin
          filled[c] = filled[c] | (owner[c*Ports+i] & ready_i[i*Vcs+c%Vcs]);
          tail[c] = tail[c] | (owner[c*Ports+i] & tail_i[i*Vcs+c%Vcs]);
          stays[c] = stays[c] | (owner[c*Ports+i] & behind[c*Ports+i]);
        end
      end
    end
  end
  assign asks = filled & open_i;
  assign ends = grant & tail;
  assign idle_o = idle == '1;

  for (genvar c = 0; c < Channels; c++) begin : gen_channel
    muster_output_channel #(
      .Ports(Ports)
    ) channel (
      .clk_i,
      .rst_ni,
      .want_i(want[c*Ports+:Ports]),
      .new_i(fresh[c*Ports+:Ports]),
      .closed_i(closed[c]),
      .ends_i(ends[c]),
      .stays_i(stays[c]),
      .owner_o(owner[c*Ports+:Ports]),
      .idle_o(idle[c])
    );
  end

  for (genvar p = 0; p < Ports; p++) begin : gen_output
    muster_rr_arbiter #(
      .N(Vcs)
    ) pick_vc (
      .clk_i,
      .rst_ni,
      .req_i(asks[p*Vcs+:Vcs]),
      .take_i(1'b1),
      .grant_o(grant[p*Vcs+:Vcs])
    );
  end

  always_comb begin
    select_o = '0;
    taken_o = '0;
    for (int unsigned c = 0; c < Channels; c++) begin
      if (`MUSTER_FEW(grant[c])) begin
        for (int unsigned i = 0; i < Ports; i++) begin
          select_o[(c/Vcs)*Queues+i*Vcs+c%Vcs] = grant[c] & owner[c*Ports+i];
          taken_o[i*Vcs+c%Vcs] = taken_o[i*Vcs+c%Vcs] | (grant[c] & owner[c*Ports+i]);
        end
      end
    end
    for (int unsigned v = 0; v < Vcs; v++) begin
      for (int unsigned p = 0; p < Ports; p++) begin
        has_owner[v*Ports+p] = owner[(p*Vcs+v)*Ports+:Ports] != '0;
      end
    end
  end

  `MUSTER_ASSERT(TakenIsReady_A, (taken_o & ~ready_i) == '0)
  `MUSTER_ASSERT(AllocatedIsOpen_A, (allocated_o & ~open_i) == '0)

endmodule

`default_nettype wire
